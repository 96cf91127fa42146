"""Writes to chosen positions: `flat`, `put`, `place`, masks, index arrays, sorting in place."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("positions")


@CASES.add(mat(2, 3), row="46", verdicts={"y.flat[0] =": "safe"})
def flat_element(x):
    y = x * x
    y.flat[0] = x[1, 1]
    return np.sum(y)


@CASES.add(np.asfortranarray(mat(2, 3)), row="46", verdicts={"y.flat[1:4] =": "safe"})
def flat_slice_in_another_order(x):
    y = x * x
    y.flat[1:4] = x[0]
    return np.sum(y * np.arange(6.0).reshape(2, 3))


@CASES.add(mat(2, 3), row="46")
def flat_slice_with_too_few_values(x):
    y = x * x
    y.flat[::-1] = x[0, :2]
    return np.sum(y * np.arange(6.0).reshape(2, 3))


@CASES.add(mat(2, 3), row="46")
def flat_list_with_duplicates(x):
    y = np.zeros((2, 3))
    y.flat[[0, 4, -6]] = x[1]
    return np.sum(y * y)


@CASES.add(vec(6), row="46")
def flat_of_an_argument(x):
    x.flat[2] = x[0] * x[1]
    return np.sum(x * x)


@CASES.add(mat(3, 3), row="46")
def flat_diagonal_in_a_loop(x):
    y = np.zeros((3, 3))
    for k in range(3):
        y.flat[4 * k] = x[k, 0] * x[0, k]
    return np.sum(y * x)


@CASES.refused(mat(2, 2), row="46")
def flat_written_while_needed(x):
    y = x * 2.0
    s = np.sum(y * y)
    y.flat[0] = 1.0
    return s


@CASES.add(vec(4), row="46", verdicts={"np.put(": "safe"})
def put_one_value(x):
    y = x * x
    np.put(y, [0, 2], x[1])
    return np.sum(y)


@CASES.add(vec(4), row="46")
def put_into_a_matrix(x):
    y = np.zeros((2, 2))
    np.put(y, [0, -1], [x[1], x[2]])
    return np.sum(y * y)


@CASES.add(vec(4), row="46", verdicts={"y.put(": "safe"})
def put_method_with_too_few_values(x):
    y = np.zeros((2, 2))
    y.put([0, 3, 2], x[:2])
    return np.sum(y**2)


@CASES.add(vec(4), row="46", verdicts={"np.place(": "safe"})
def place_where_large(x):
    y = x * x
    np.place(y, y > 1.0, x[1:3])
    return np.sum(y)


@CASES.add(mat(2, 3), row="46")
def place_in_a_matrix(x):
    y = x * 1.0
    np.place(y, np.array([[True, False, True], [False, True, False]]), x[0])
    return np.sum(y * x)


@CASES.add(vec(4), row="46", verdicts={"np.putmask(": "safe"})
def putmask_with_values_of_the_same_size(x):
    y = x * x
    np.putmask(y, y > 1.0, x)
    return np.sum(y)


@CASES.add(vec(4), row="46")
def putmask_with_too_few_values(x):
    y = x * x
    np.putmask(y, y > 1.0, x[:3])
    return np.sum(y * y)


@CASES.add(mat(3, 3), row="46", verdicts={"np.fill_diagonal(": "safe"})
def fill_diagonal_with_a_vector(x):
    y = x * x
    np.fill_diagonal(y, x[0])
    return np.sum(y * x)


@CASES.add(mat(3, 4), row="46")
def fill_diagonal_of_a_wide_matrix(x):
    y = x * x
    np.fill_diagonal(y, x[0, 1] * 2.0)
    return np.sum(y)


@CASES.add(mat(3, 3), row="46", verdicts={"np.put_along_axis(": "safe"})
def put_along_axis_at_the_largest(x):
    y = x * x
    where = np.argmax(y, axis=1)[:, None]
    np.put_along_axis(y, where, x[:, :1], axis=1)
    return np.sum(y)


@CASES.add(mat(3, 3), row="46")
def put_along_axis_of_a_number(x):
    y = x * x
    np.put_along_axis(y, np.array([[0, 1, 2]]), 9.0, 0)
    return np.sum(y * x)


@CASES.add(mat(2, 3), row="46")
def put_along_no_axis(x):
    y = x * x
    np.put_along_axis(y, np.array([0, 4]), x[0, :2], None)
    return np.sum(y * y)


# Sorted in place.


@CASES.add(vec(5), row="47", verdicts={"y.sort()": "safe/renamed"})
def sorted_in_place(x):
    y = x * x
    y.sort()
    return np.sum(y * np.arange(5.0))


@CASES.add(mat(3, 4), row="47")
def sorted_along_an_axis(x):
    y = np.sin(x)
    y.sort(axis=0)
    return np.sum(y[0] * y[1])


@CASES.add(vec(5), row="47", verdicts={"y.sort()": "renamed"})
def sorted_after_a_square(x):
    y = np.sin(x)
    s = np.sum(y * y)
    y.sort()
    return s * y[0]


@CASES.add(vec(5), row="47", default="ok/AD301", final=("x",))
def sorted_argument(x):
    x.sort()
    return x[0] * x[1]


@CASES.add(vec(5), row="47", default="ok/AD301")
def sorted_part(x):
    y = x * x
    y[1:4].sort()
    return np.sum(y * np.arange(5.0))


@CASES.add(vec(7), row="47", verdicts={"y.partition(3)": "safe/renamed"})
def partitioned_for_the_median(x):
    y = x * x
    y.partition(3)
    return y[3]


# Masks and index arrays, scaled.


@CASES.add(vec(5), row="49", verdicts={"y[y > 1.0] *=": "safe/renamed/by value"})
def scaled_where_large(x):
    y = x * x
    y[y > 1.0] *= 2.0
    return np.sum(y)


@CASES.add(vec(5), row="49", verdicts={"y[mask] *=": "safe/renamed/by value"})
def scaled_by_varying_numbers(x):
    y = x * x
    mask = x > 1.0
    y[mask] *= x[mask]
    return np.sum(y * x)


@CASES.add(vec(5), row="49")
def divided_at_places(x):
    y = x * x
    y[[0, 2]] /= x[1]
    return np.sum(y * x)


# Results written where a mask says.


@CASES.add(vec(5), row="42", verdicts={"out=y, where=": "safe"})
def product_where_large(x):
    y = np.ones(5)
    np.multiply(x, x, out=y, where=x > 1.0)
    return np.sum(y)


@CASES.add(vec(5), row="42")
def reciprocal_of_itself_where_large(x):
    y = x * 3.0
    np.divide(1.0, y, where=y > 2.5, out=y)
    return np.sum(y * x)


@CASES.add(vec(5), row="43", verdicts={"np.copyto(": "safe"})
def copied_where_large(x):
    y = x * 3.0
    np.copyto(y, x * x, where=x > 1.0)
    return np.sum(y)


@CASES.add(vec(5), row="43")
def zeroed_where_large(x):
    y = x * 3.0
    np.copyto(y, 0.0, where=y > 3.0)
    return np.sum(y * y)


# Records.


@CASES.add(vec(4), row="62", default="ok/AD202/AD206/AD301", save="ok/AD202/AD206/AD301")
def a_field_holds_the_values(x):
    a = np.zeros(4, dtype=[("p", float), ("q", float)])
    a["p"] = x
    return np.sum(a["p"] ** 2)


@CASES.add(vec(4), row="62", default="ok/AD202/AD206/AD301", save="ok/AD202/AD206/AD301")
def a_field_written_through_its_view(x):
    a = np.zeros(4, dtype=[("p", float), ("q", float)])
    a["p"] = x
    p = a["p"]
    p[0] = 3.0
    return np.sum(a["p"] ** 2)


@CASES.add(vec(4), row="62", default="ok/AD202/AD206/AD301", save="ok/AD202/AD206/AD301")
def two_fields(x):
    a = np.zeros(4, dtype=[("p", float), ("q", float)])
    a["p"] = x
    a["q"] = a["p"] * x
    return np.sum(a["q"] * a["p"])


# Tuples of integers that select one element.


@CASES.add(mat(3, 3), row="46")
def place_of_the_largest(x):
    y = x * x
    k = np.unravel_index(np.argmax(y), y.shape)
    y[k] = x[0, 0] * x[1, 1]
    return np.sum(y) + x[k] ** 2


@CASES.add(mat(2, 3), (1, 2), wrt=0)
def place_that_is_given(x, key):
    return x[key] ** 2 + x[0, 1]


@CASES.add(mat(2, 3), row="46")
def every_place(x):
    y = x * 1.0
    for k in np.ndindex(*x.shape):
        y[k] = y[k] + x[k] * x[0, 0]
    for i, j in np.ndindex(2, 2):
        y[i, j] *= 2.0
    return np.sum(y * y)


@CASES.add(mat(2, 3), row="46")
def every_place_with_its_value(x):
    y = np.zeros_like(x)
    for k, v in np.ndenumerate(x):
        y[k] = v * v * sum(k)
    return np.sum(y * x)
