"""How often loops run, what they count with, and which name means which array when."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("trips")


# A loop that surely runs ends what was there before.


@CASES.add(vec(5), vec(5), wrt=(0, 1), row="11", verdicts={"y": "safe"})
def made_again_in_a_loop_that_runs(x, b):
    y = x.copy()
    s = np.sum(y * b)
    for _ in range(2):
        y = y + b
    y[0] = 3.0
    return s + np.sum(y * y)


@CASES.refused(vec(5), vec(5), wrt=(0, 1), row="10", code="AD301/AD302")
def made_again_in_a_loop_that_may_not_run(x, b):
    y = x.copy()
    s = np.sum(y * b)
    for _ in range(int(b[0])):
        y = y + b
    y[0] = 3.0
    return s + np.sum(y * y)


@CASES.add(vec(5), vec(5), wrt=(0, 1), row="51")
def made_again_while_counting(x, b):
    y = x.copy()
    s = np.sum(y * b)
    n = 0
    while n < 2:
        n += 1
        y = y + b
    y[0] = 3.0
    return s + np.sum(y * y)


@CASES.add(vec(5), vec(5), wrt=(0, 1), row="9")
def overwritten_while_counting(x, b):
    y = x.copy()
    y *= y * b
    n = len(x)
    while n > 0:
        n -= 1
        y[:] = b
        if n < 3:
            break
    return np.sum(y) * x[0]


@CASES.refused(vec(5), vec(5), wrt=(0, 1), row="10", code="AD301")
def overwritten_unless_it_counts_too_far(x, b):
    y = x.copy()
    y[1:] *= y[:-1] * b[1:]
    n = len(x)
    while n > 5:
        n -= 1
        y[:] = b
    return np.sum(y) * x[0]


@CASES.add(vec(5), vec(5), wrt=(0, 1), row="15")
def no_second_iteration(x, b):
    y = x.copy()
    for i in range(2, 3):
        y[i:] = b[i:]
        s = np.sum(y * b)
    return s * np.sum(y[:2])


@CASES.refused(vec(5), vec(5), wrt=(0, 1), row="15", code="AD304/AD301")
def a_second_iteration(x, b):
    y, s = x.copy(), 0.0
    for i in range(2, 4):
        y[i:] = b[i:]
        s += np.sum(y * b)
    return s * np.sum(y[:2])


# Counters of loops are indices like those of ranges.


@CASES.add(vec(6), row="51", verdicts={"y": "safe"})
def counted_up(x):
    y = np.zeros((len(x), 2))
    y[0] = x[:2]
    i = 0
    while i < len(x) - 1:
        y[i + 1] = np.sin(y[i]) * x[i]
        i += 1
    return np.sum(y)


@CASES.add(vec(6), row="51", verdicts={"y": "safe"})
def counted_down(x):
    y = np.zeros((len(x), 2))
    y[-1] = x[:2]
    i = len(x) - 2
    while i >= 0:
        y[i] = np.sin(y[i + 1]) * x[i]
        i -= 1
    return np.sum(y)


@CASES.add(vec(7), row="51", verdicts={"y": "safe"})
def counted_by_twos(x):
    y = np.zeros((len(x) + 1, 2))
    y[:2] = x[:2]
    i = 2
    while i + 1 < len(x):
        y[i : i + 2] = y[i - 2 : i] * y[i - 2 : i] * x[i]
        i = i + 2
    return np.sum(y)


@CASES.add(vec(6), row="51", verdicts={"y": "safe"})
def counted_beside_the_elements(x):
    y = np.zeros((len(x), 2))
    y[0] = x[:2]
    k = 0
    for v in x[1:]:
        y[k + 1] = y[k] * y[k] * v
        k += 1
    return np.sum(y)


@CASES.add(vec(6), row="76", verdicts={"y[k + 1]": "checked"})
def not_counted_in_every_iteration(x):
    y = np.zeros((len(x), 2))
    y[0] = x[:2]
    k = 0
    for v in x[1:]:
        if v > 10.0:
            continue
        y[k + 1] = y[k] * y[k] * v
        k += 1
    return np.sum(y)


@CASES.add(np.array([0.3, 0.9, 0.2, 0.4]), row="76", default="MutationError")
def counted_unless_it_goes_on(x):
    y, s, i = np.zeros(len(x)), 0.0, 0
    for t in range(len(x)):
        y[i : i + 1] = x[t : t + 1]
        s += np.sum(y[i : i + 1] ** 2)
        if x[t] > 0.8:
            continue
        i += 1
    return s


@CASES.add(vec(6), row="76", default="MutationError")
def counted_back_now_and_then(x):
    y = np.zeros((len(x) + 1, 2))
    y[0] = x[:2]
    i = 0
    while i < len(x):
        y[i + 1] = np.sin(y[i]) * x[i]
        i += 1
        if i == 4 and y[0, 0] > 0.0:
            y[0] = -y[0]
            i = 2
    return np.sum(y)


# Names that change places: which array a name means at the same time as another.


@CASES.add(vec(5), vec(5), wrt=(0, 1), row="54", default="ok/AD206", save="ok/AD206")
def exchanged_and_then_written(x, b):
    x, b = x.copy(), b.copy()
    for _ in range(3):
        x, b = b, x
    y = x * x
    b[0] = 2.0
    return np.sum(y) + np.sum(b)


@CASES.refused(vec(5), vec(5), wrt=(0, 1), row="54", code="AD301/AD302/AD206")
def written_and_then_exchanged(x, b):
    x, b = x.copy(), b.copy()
    y = x * x
    for _ in range(3):
        x, b = b, x
    b[0] = 2.0
    return np.sum(y) + np.sum(b)


@CASES.add(vec(5), vec(5), wrt=(0, 1), row="9", default="ok/AD206", save="ok/AD206")
def the_other_of_two_has_no_influence(x, b):
    x, b = x.copy(), b.copy()
    for _ in range(3):
        x, b = b, x
    b[3:] = np.cos(x[0] * b[1:3])
    b[1] = b[3]
    return np.sum(x * x)


@CASES.add(vec(5), row="20", default="ok/AD302/AD301")
def a_view_that_is_filled_is_seen_in_its_base(x):
    y = x.copy()
    v = y[1:3]
    v *= v * x[0]
    v[:] = x[:2]
    y[4] = v[0] * x[1]
    return np.sum(y * y)


# Copies between overlapping parts of one array, whose order may matter.


@CASES.add(vec(6), row="16", verdicts={"y[1:4] = y[1::2]": "safe"})
def copied_from_further_on(x):
    y = x * x
    y[1:4] = y[1::2]
    return np.sum(y * x)


@CASES.add(vec(7), row="16", verdicts={"y[2::2] = y[:3]": "safe"})
def copied_from_further_back(x):
    y = x * x
    y[2::2] = y[:3]
    return np.sum(y * x)


@CASES.add(vec(6), row="16", verdicts={"y[::2] = y[3:]": "checked"})
def copied_from_behind_what_is_read(x):
    y = x * x
    y[::2] = y[3:]
    return np.sum(y * x)


@CASES.never(vec(8), row="16", code="MutationError", verdicts={"y[::2] = y[1:5]": "checked"})
def copied_over_what_is_read(x):
    y = x * x
    y[::2] = y[1:5]
    return np.sum(y * x)


@CASES.never(vec(9), row="16", code="MutationError", verdicts={"y[1:4] = y[0:9:3]": "checked"})
def gathered_from_before(x):
    y = x * x
    y[1:4] = y[0:9:3]  # begins to write after where it begins to read, and meets it there
    return np.sum(y * x)


@CASES.add(vec(4), row="54b", verdicts={"prev[t]": "safe"})
def written_while_it_was_the_new_one(x):
    prev, s = np.zeros(6), 0.0
    for t in range(len(x)):
        new = np.zeros(6)
        new[t + 1] = x[t] * x[t]
        prev[t] = 2.0 * x[t]  # overwrites what the iteration before wrote as `new`
        s += np.sum(prev) * x[t]
        prev = new
    return s


@CASES.add(vec(6), row="16")
def copied_from_one_of_two(x):
    y, b = x * x, 2.0 * x
    if x[0] > 0.5:
        b = y[::-1]
    y[:3] = b[2:-1]
    return np.sum(y * x)


# Callees that write a part of an argument: beside what was used, and in it.


def first_halved(a):
    a[0] = 0.5 * a[0]


def last_two_cleared(a):
    a[-2:] = 0.0


@CASES.add(vec(5), row="38")
def callee_writes_beside_what_is_needed(x):
    y = x.copy()
    z = y[1:4] * y[1:4]
    first_halved(y)
    last_two_cleared(y[4:])
    last_two_cleared(y[:1])
    return np.sum(z[:2]) + np.sum(y)


@CASES.refused(vec(5), row="39", code="AD303")
def callee_writes_what_is_needed(x):
    y = x.copy()
    z = y[1:4] * y[1:4]
    first_halved(y[1:])
    return np.sum(z) + np.sum(y)


@CASES.refused(vec(5), row="39", code="AD303")
def callee_writes_the_end_of_what_is_needed(x):
    y = x.copy()
    z = y[1:] * y[1:]
    last_two_cleared(y)
    return np.sum(z) + np.sum(y)


@CASES.add(vec(5), row="38")
def callee_writes_the_end_in_a_loop(x):
    y, s = x.copy(), 0.0
    for k in range(2, 5):
        s = s + np.sum(y[: k - 2] * y[: k - 2])
        last_two_cleared(y[k - 2 : k])
    return s + np.sum(y)


def _clears_the_front(a):
    a[: len(a) - 2] = 0.0


@CASES.refused(vec(3), vec(6), code="AD303", wrt=(0, 1))
def callee_counts_in_sizes_of_its_own(a, b):
    y = b * b
    s = np.sum(y[len(a) - 2 :] ** 2)
    _clears_the_front(y)  # what it calls `a` is longer
    return s + np.sum(y) + np.sum(a)


# Views that live on after a loop in which it is decided what they look at.


@CASES.add(vec(6), row="19")
def view_outlives_what_it_was_taken_with(x):
    y, k = x * 1.0, 0
    while True:
        r = y[k : k + 3]
        r[:-1] = r[1:] * 2.0
        k += 1
        if k > 2:
            break
    r[0] = y[k] * y[k + 1]
    return np.sum(y * x[k])


@CASES.add(vec(6), row="19")
def two_loops_count_on(x):
    y, k = x * 1.0, 0
    while True:
        r = y[k : k + 3]
        r[:-1] = r[1:] * 2.0
        k += 1
        if k > 1:
            break
    r[0] = y[1] * 5.0
    while True:
        q = y[k : k + 2]
        q[:-1] = q[1:] * 2.0
        k += 1
        if k > 3:
            break
    return np.sum(y * x)


@CASES.add(vec(6), row="19")
def view_of_a_view_outlives_the_loop(x):
    m, k = np.outer(x, x), 0
    while True:
        i, j = k, k + 1
        r = m[i]
        c = r[j:]
        k += 2
        if k > 3:
            break
        i = 0
    c[0] = r[1] * m[0, 1]
    return np.sum(m * m[i, j])


@CASES.refused(vec(6), row="19", code="AD301/AD302/AD304")
def view_outlives_the_loop_that_needs_it(x):
    y, k = x * 1.0, 0
    while True:
        r = y[k : k + 3]
        r[:-1] = r[1:] * y[k]
        k += 1
        if k > 2:
            break
        y = y * 1.5
    return np.sum(y * r[0])
