"""Names that are None until they mean an array, which is written then."""

import numpy as np

from tests.corpus.model import Programs, later, vec

CASES = Programs("none")


@CASES.add(vec(4))
def the_first_row_gets_the_sum(x):
    rows = np.outer(x, x)
    total = None
    for row in rows:
        if total is None:
            total = row
        else:
            total += row
    return np.sum(total * total) + np.sum(rows)


@CASES.add(vec(4), True)
@CASES.add(vec(4), False)
def written_where_it_is_something(x, chosen):
    y = None
    z = x * 2.0
    if chosen and x[0] > 0.1:
        y = z
    if y is not None:
        y[0] = x[1] * x[2]
    return np.sum(z * x)


@CASES.add(vec(5))
def none_again_in_the_loop(x):
    y = None
    z = x * 2.0
    for k in range(4):
        if k == 2:
            y = None
        if y is None:
            y = z if k else z[1:]
        else:
            y[k - 1] = x[0] * x[k]
    return np.sum(z * x)


@CASES.add(vec(5))
def the_part_before(x):
    z = x * 2.0
    s = 0.0
    before = None
    for k in range(4):
        now = z[k : k + 2]
        if before is not None:
            before[0] = now[0] * x[k]
            s = s + before[1]
        before = now
    return s + np.sum(z)


@CASES.add(vec(4))
def the_largest_is_changed(x):
    a, b = x * 1.0, x * 3.0
    best = None
    for v in (a, b):
        if best is None or v[0] > best[0]:
            best = v
    best[1] = x[2] ** 2
    return np.sum(a * b)


def _changed(a):
    a[0] = a[2] * a[3]
    return a[0]


@CASES.add(vec(4))
def handed_on_where_it_is_something(x):
    y = None
    z = x * 2.0
    if x[0] > 0.1:
        y = z
    if y is not None:
        z[1] = _changed(y)
    return np.sum(z * z)


@CASES.add(vec(4))
def returned_where_it_is_something(x):
    y = None
    z = x * 2.0
    if x[0] > 0.1:
        y = z
    if y is not None:
        y[0] = x[2] ** 2
        return y * z
    return z


@CASES.add(vec(4), False)
def an_error_where_it_is_none(x, chosen):
    y = None
    z = x * 2.0
    if chosen and x[0] > 0.1:
        y = z
    try:
        y[0] = 1.0
    except TypeError:
        z[1] = x[0] ** 2
    return np.sum(z * x)


@CASES.refused(vec(4), code="MutationError/AD301/AD302")
def the_sum_is_of_products(x):
    rows = np.outer(x, x)
    total = None
    for row in rows:
        if total is None:
            total = row
        else:
            total += row * total
    return np.sum(total * total) + np.sum(rows)


def _adds(total, row):
    if total is not None:
        total[0] += row[0] ** 2
    return total


@CASES.add(vec(4))
def handed_on_with_none(x):
    rows = np.outer(x, x)
    total = None
    for row in rows:
        total = _adds(total, row)
        if total is None:
            total = row
    return np.sum(total * rows)


class Sum:
    def __init__(self):
        self.total = None

    def add(self, row):
        if self.total is None:
            self.total = row
        else:
            self.total += row


@CASES.add(vec(4))
def the_sum_is_an_attribute(x):
    rows = np.outer(x, x)
    found = Sum()
    for row in rows:
        found.add(row)
    return np.sum(found.total * found.total) + np.sum(rows)


@CASES.add(vec(4), **later("AD206"))
def written_by_a_local_function(x):
    y = None
    z = x * 2.0
    if x[0] > 0.1:
        y = z

    def put(k):
        if y is not None:
            y[k] = x[k] ** 2

    put(0)
    put(2)
    return np.sum(z * x)


@CASES.add(vec(5))
def asked_together_with_something_else(x):
    last = None
    z = x * 2.0
    for k in range(5):
        if last is not None and k % 2:
            last += 0.5 * x
        if last is None or k == 3:
            last = z
        else:
            last[k] = x[0] * x[k]
    return np.sum(z * x)


@CASES.add(vec(5), False)
@CASES.add(vec(5), True)
def handed_on_by_another_name(x, chosen):
    z = x * 2.0
    y = z if chosen else None
    w = y
    if w is not None:
        w[1:] = x[:-1] ** 2
    if y is not None:
        y += 1.0
    return np.sum(z * x)


@CASES.add(vec(4), False)
def the_error_is_that_of_the_program(x, chosen):
    y = None
    z = x * 2.0
    if chosen and x[0] > 0.1:
        y = z
        y[1] = x[0] * x[2]
    try:
        s = y[3] * 2.0
    except TypeError:
        s = x[0] ** 2
    return np.sum(z * x) * s


@CASES.add(vec(4), 0, raises=TypeError)
def nothing_was_found(x, n):
    rows = np.outer(x, x)
    total = None
    for k in range(n):
        if total is None:
            total = rows[k]
        else:
            total += rows[k]
    return np.sum(total * total)


@CASES.add(vec(4), 0.1)
@CASES.add(vec(4), 9.0)
def in_tuples_that_change_places(x, least):
    z, w = x * 2.0, x * 5.0
    y = z if x[0] > least else None
    first, second = (y, w), (w, y)
    chosen = first if x[1] > 0.2 else second
    if chosen[0] is not None:
        chosen[0][0] = x[1] * x[2]
    if chosen[1] is not None:
        chosen[1][1] = x[1] * x[2]
    return np.sum(z * w)


@CASES.add(vec(4), 0.1)
@CASES.add(vec(4), 9.0)
def a_tuple_in_a_try(x, least):
    z = x * 2.0
    y = z if x[0] > least else None
    try:
        both = (y, z)
        both[0][0] = x[1] ** 2
        z[1] = both[0][0] * x[0]
    except TypeError:
        z[2] = x[0] ** 3
    return np.sum(z * z)


class _Box:
    def __init__(self, a):
        self.a = a

    def put(self, v):
        if self.a is not None:
            self.a[0] = v


@CASES.add(vec(4), 0.1)
@CASES.add(vec(4), 9.0)
def kept_by_an_object(x, least):
    z = x * 2.0
    box = _Box(z if x[0] > least else None)
    box.put(x[1] * x[2])
    return np.sum(z * z)


def _either(z, far):
    if far:
        return z, None
    return None, z


@CASES.add(vec(4), 0.1)
@CASES.add(vec(4), 9.0)
def one_of_two_is_returned(x, least):
    z = x * 2.0
    a, b = _either(z, x[0] > least)
    if a is not None:
        a[0] = x[1] * x[2]
    if b is not None:
        b[1] = x[1] * x[2]
    return a, b, np.sum(z)


@CASES.add(vec(4), 0.1)
@CASES.add(vec(4), 9.0)
def written_by_a_recursion(x, least):
    z = x * 2.0
    y = _to_the_first(z if x[0] > least else None, 3, x)
    if y is not None:
        y[0] = x[3] * x[1]
    return np.sum(z * z)


def _to_the_first(a, n, x):
    if n == 0 or a is None:
        return a
    a[n] = x[n] * a[n - 1]
    return _to_the_first(a, n - 1, x)
