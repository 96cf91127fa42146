"""Results that are the argument for some arguments only, and then are written through."""

from __future__ import annotations

import operator

import numpy as np
import scipy.fft

import adtrans as ad
from tests.corpus.model import Programs, later, vec

CASES = Programs("shared")


@CASES.add(vec(4), row="21")
def converted_to_its_own_type(x):
    u = 2.0 * x
    y = np.float64(u)
    y[0] = 5.0
    return np.sum(u * u) + np.sum(y)


@CASES.refused(vec(4), row="21")
def converted_to_its_own_type_and_needed(x):
    u = 2.0 * x
    z = u * u
    y = np.float64(u)
    y[0] = 5.0
    return np.sum(z)


@CASES.add(vec(4), row="21", steps={"eps": 1e-2, "rtol": 1e-4})
def converted_to_another_type(x):
    u = 2.0 * x
    y = np.float32(u)
    y[0] = 5.0
    return np.sum(u * u)


@CASES.refused(vec(4), row="21", code="AD305")
def places_converted(x):
    i = np.array([0, 1])
    z = x[i] ** 2
    j = np.int64(i)
    j[0] = 2
    return np.sum(z)


@CASES.add(vec(4), row="21")
def differences_of_order_none(x):
    u = 2.0 * x
    y = np.diff(u, 0)
    z = np.sum(u * y)
    return z


@CASES.add(vec(4), row="21")
def differences_of_order_one(x):
    u = 2.0 * x
    y = np.diff(u, 1)
    y[0] = 5.0
    return np.sum(u * u) + np.sum(y * y)


@CASES.add(vec(4), 0, row="21")
def differences_of_some_order(x, n):
    u = 2.0 * x
    y = np.diff(u, n)
    y[0] = 5.0
    return np.sum(u * u)


@CASES.add(vec(4), row="21")
def derivative_of_order_none(x):
    u = 2.0 * x
    y = np.polyder(u, 0)
    y[0] = 5.0
    return np.sum(u * u)


@CASES.add(vec(4), row="21")
def integral_of_order_none(x):
    u = 2.0 * x
    y = np.polyint(u, 0)
    y[0] = 5.0
    return np.sum(u * u)


@CASES.add(vec(4), row="21")
def sum_of_nothing(x):
    u = 2.0 * x
    y = sum([], u)
    y[0] = 5.0
    return np.sum(u * u)


@CASES.never(vec(4), row="21", code="AD206")
def sum_of_a_list_that_is_empty(x):
    u = 2.0 * x
    y = sum([a for a in x if a > 10.0], u)
    y[0] = 5.0
    return np.sum(u * u)


@CASES.add(vec(4), row="21")
def sum_that_starts_with_an_array(x):
    u = 2.0 * x
    y = sum([a * x for a in x if a > 1.0], u)
    return np.sum(u * y)


@CASES.add(vec(4), row="21")
def sum_of_lists(x):
    u = 2.0 * x
    y = sum(([u], [x]), [])
    y[0][0] = 5.0
    return np.sum(u * u)


@CASES.never(vec(4), row="21", code="AD206/AD207")
def tuples_put_together(x):
    u = 2.0 * x
    p = (u,) if x[0] > 0 else (u, u)
    t = p + (x,)
    t[0][0] = 5.0
    return np.sum(u * u)


@CASES.add(vec(4), row="21")
@CASES.add(-vec(4), row="21")
def list_or_tuple_repeated(x):
    u = 2.0 * x
    p = [u] if x[0] > 0 else (u, u)
    t = p * 2
    t[0][0] = 5.0
    return np.sum(u * u)


@CASES.never(vec(4), row="21", code="AD206")
def largest_of_arrays_of_one(x):
    u = 2.0 * x[:1]
    y = max(u, 0.0)
    y[0] = 5.0
    return np.sum(u * u)


@CASES.never(vec(4), row="21", code="AD409")
def largest_of_lists(x):
    p, q = [x[0], x[1]], [x[2], x[3]]
    y = max(p, q)
    y[0] = 5.0
    return q[0] * q[1] + p[0] * p[1]


@CASES.add(vec(4), row="21")
def transform_of_a_number(x):
    u = np.array(2.0 * x[0])
    y = scipy.fft.dctn(u)
    y[()] = 5.0
    return np.sum(u * u)


@CASES.add(vec(4), row="21")
def transform_over_an_axis(x):
    u = 2.0 * x
    y = scipy.fft.dctn(u)
    y[0] = 5.0
    return np.sum(u * u) + np.sum(y * y)


@CASES.refused(vec(4), row="21", code="AD305")
def mesh_of_places(x):
    i = np.array([0, 1])
    a = np.outer(x, x)
    p, q = np.ix_(i, i)
    z = a[p, q] ** 2
    i[0] = 2
    return np.sum(z)


@CASES.never(vec(4), row="21", code="AD206")
def list_taken_as_constant(x):
    a = [2.0 * x]
    b = ad.stop_gradient(a)
    b[0][0] = 5.0
    return np.sum(a[0] ** 2)


@CASES.add(vec(4), row="21")
def array_taken_as_constant(x):
    u = 2.0 * x
    b = ad.stop_gradient(u)
    b[0] = 5.0
    return np.sum(u * u)


@CASES.refused(vec(4), row="21")
def windows_that_overlap(x):
    u = 2.0 * x
    y = np.lib.stride_tricks.sliding_window_view(u, 2)
    z = y * y
    u[0] = 5.0
    return np.sum(z) + np.sum(y)


@CASES.refused(vec(4), row="21")
def axis_of_a_number(x):
    y = np.expand_dims(x[0] * 2.0, 0)
    z = y * y
    y[0] = 5.0
    return np.sum(z)


@CASES.refused(vec(4), row="21")
def vector_of_a_number(x):
    y = np.atleast_1d(x[0] * 2.0)
    z = y * y
    y[0] = 5.0
    return np.sum(z) + np.sum(y)


@CASES.refused(vec(4), row="21", code="MutationError")
def transpose_of_a_tuple(x):
    t = ((x[0] * 2.0, x[1]), (x[2], x[3]))
    y = np.transpose(t)
    z = y * y
    y[0] = 5.0
    return np.sum(z) + t[0][0] * y[1, 1]


# One of several arrays, which may hold integers: what is written there is cut off.


@CASES.never(vec(3), 1.0, row="21", code="AD306")
@CASES.never(vec(3), 0.0, row="21", code="AD306")
def float_into_one_of_two(x, far):
    a = x * 2.0
    n = np.array([1, 2, 3])
    b = a if far else n
    b[0] = x[1] * x[0]
    return np.sum(b * x)


@CASES.add(vec(3), True, row="21")
@CASES.add(vec(3), False, row="21")
def float_into_one_of_two_of_floats(x, far):
    a = x * 2.0
    n = np.array([1.0, 2.0, 3.0])
    b = a if far else n
    b[0] = x[1] * x[0]
    return np.sum(b * x)


@CASES.never(vec(3), 0.0, row="21", code="AD206")
def whole_number_into_one_of_two(x, far):
    a = x * 2.0
    n = np.array([1, 2, 3])
    b = a if far else n
    b[0] = 4
    return np.sum(b * x) + np.sum(a * a)


# Items of lists and tuples are the arrays that were put there.


@CASES.add(vec(4))
def items_written_in_a_loop(x):
    rows = [x * 2.0, x * 3.0]
    for k in range(2):
        t = rows[k]
        t[0] = 5.0 * t[1]
    return np.sum(rows[0] * rows[1])


@CASES.add(vec(4), 1)
def item_at_a_place_written(x, k):
    rows = (x * 2.0, x * 3.0)
    t = rows[k]
    t[0] = 5.0 * t[1]
    return np.sum(rows[0] * rows[1])


@CASES.add(vec(4), 1)
def item_taken_twice(x, k):
    rows = [x * 2.0, x * 3.0]
    t = rows[k]
    u = rows[k]
    t[0] = 5.0 * t[1]
    return np.sum(u * rows[1])


@CASES.never(vec(4), row="21", code="AD206/AD207")
def sum_of_lists_in_a_list(x):
    u = 2.0 * x
    rows = [[u], [x * 3.0]]
    y = sum(rows, [])
    y[0][0] = 5.0
    return np.sum(u * u)


@CASES.refused(vec(4))
def put_by_a_method_without_a_rule(x):
    w = np.array([1.0, 2.0, 3.0, 4.0])
    rows = [np.zeros(4)]
    put = rows.__setitem__
    put(0, w)
    z = x * x * w
    rows[0][0] = 5.0
    return np.sum(z)


@CASES.refused(vec(4))
def put_by_an_unknown_function(x):
    w = np.array([1.0, 2.0, 3.0, 4.0])
    rows = [np.zeros(4)]
    operator.setitem(rows, 0, w)
    z = x * x * w
    rows[0][0] = 5.0
    return np.sum(z)


# Arrays of which several elements are one place in memory.


def spread_out(y):
    return np.broadcast_arrays(y[:1], np.ones(4))[0]


class Spread:
    def __init__(self, values):
        self.values = spread_out(values)


@CASES.never(vec(4), row="19", code="AD206")
def a_broadcast_array_is_written(x):
    y = x * 1.0
    a, _ = np.broadcast_arrays(y[:1], np.ones(4))
    a[2] = x[3] * x[0]
    return np.sum(a * x)


@CASES.never(vec(4), row="19", code="AD206")
def a_view_of_a_broadcast_array_is_written(x):
    a, _ = np.broadcast_arrays(x[:1] * 1.0, np.ones(4))
    a[1:][0] = x[3] * x[0]
    return np.sum(a * x)


@CASES.never(vec(4), row="19", code="AD206")
def a_grid_that_is_no_copy_is_written(x):
    a, b = np.meshgrid(x * 1.0, x[:2] * 1.0, copy=False)
    a[1, 2] = x[3] * x[0]
    return np.sum(a * b * x)


@CASES.never(vec(4), row="19", code="AD206")
def windows_are_written(x):
    w = np.lib.stride_tricks.sliding_window_view(x * 1.0, 3, writeable=True)
    w[0, 1] = x[0] * 3.0
    return np.sum(w * w)


@CASES.never(vec(4), row="38", code="AD206")
def a_function_returned_the_broadcast_array(x):
    a = spread_out(x * 1.0)[1:]
    a[2] = x[3] * x[0]
    return np.sum(a * x[1:])


@CASES.never(vec(4), row="37", code="AD206")
def the_broadcast_array_is_an_attribute(x):
    s = Spread(x * 1.0)
    s.values[1] = x[1] * x[2]
    return np.sum(s.values * x)


@CASES.never(vec(4), row="52", code="AD206")
def the_broadcast_array_is_in_a_list(x):
    held = []
    held.append(spread_out(x * 1.0))
    for row in held:
        row[1] = x[1] * x[2]
    return np.sum(held[0] * x)


@CASES.never(vec(4), row="31", code="AD206")
def a_broadcast_constant_is_written(x):
    """Regions would say that the elements that are needed are not those that are written."""
    a, _ = np.broadcast_arrays(np.arange(4.0)[:1], np.ones(4))
    z = a[2:] * x[:2]
    a[0] = 5.0
    return np.sum(z * z)


@CASES.refused(vec(4), row="19", code="AD301")
def copies_of_broadcast_arrays_are_written(x):
    a, b = np.broadcast_arrays(x[:1] * 1.0, np.ones(4))
    a = a.copy()
    d = a * b
    a[0] = x[1] * x[2]
    d[2] += a[0]
    return np.sum(d * x) + a[1] * a[0]


@CASES.add(vec(4), row="19", **later("AD206"))
def an_open_grid_is_written(x):
    y = x * 1.0
    a, b = np.meshgrid(y, x[:2] * 1.0, copy=False, sparse=True)
    a += 1.0
    b[0] = a[0, 1] * 3.0
    return np.sum(a * b) * y[0]


@CASES.add(vec(4))
def sum_of_lists_of_numbers(x):
    rows = [[v] for v in x]
    return sum(rows, [x[0] * x[1]])[3] * x[0]


@CASES.add(vec(4))
def sum_of_a_pair_of_lists(x):
    pair = ([x[0] * x[1]], [x[2]])
    return sum(pair, [])[1] * x[0]
