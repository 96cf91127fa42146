"""What is gone through is read one by one, in the order in which Python reads it."""

# ruff: noqa: B905

from __future__ import annotations

import contextlib
import copy
import functools
import io
import itertools

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.8, 1.3, 0.4, 0.9])


def run(f, *args):
    """What a call gives, prints, and does to its arguments."""
    out = io.StringIO()
    args = copy.deepcopy(args)
    with contextlib.redirect_stdout(out):
        result = f(*args)
    return np.asarray(result), out.getvalue(), args


def agrees(f, *args):
    """The same value, the same lines printed, and the derivative of that."""
    tangents = tuple(np.ones_like(a) if isinstance(a, np.ndarray) else None for a in args)
    expected = run(f, *args)
    for mode in (
        lambda *a: ad.vjp(f, *a, wrt=0)[0],
        lambda *a: ad.jvp(f, a, tangents)[0],
    ):
        found = run(mode, *args)
        np.testing.assert_equal(found, expected)
    with contextlib.redirect_stdout(io.StringIO()):
        check_grads(f, args, wrt=0)


def fails_alike(f, *args):
    with pytest.raises(Exception, match=r".") as python:
        f(*args)
    with pytest.raises(type(python.value)) as ours:
        ad.vjp(f, *args, wrt=0)
    assert str(ours.value) == str(python.value)


def said(v):
    print("said", round(float(v), 3))
    return v * v


def added(a, b):
    print("added", round(float(a), 3))
    return a + b


# Neighbours and sums


def neighbours_written(x):
    s = 0.0
    x = x.copy()
    for k, (a, b) in enumerate(itertools.pairwise(x)):
        s = s + a * b
        if k + 2 < len(x):
            x[k + 2] = a * b
    return s


def forward_substitution(x):
    u = x.copy()
    for i, (a, b) in enumerate(itertools.pairwise(u)):
        u[i + 1] = b - 0.5 * a
    return np.sum(u * u) + sum(a * b for a, b in itertools.pairwise(u))


def neighbouring_rows(x):
    s = 0.0
    for a, b in itertools.pairwise(np.outer(x, x)):
        s = s + np.sum(a * b)
    return s


def sums_written(x):
    s = 0.0
    x = x.copy()
    k = 0
    for t in itertools.accumulate(x):
        s = s + t
        k = k + 1
        if k < len(x):
            x[k] = x[k] + t
    return s


def products_written(x):
    u = x.copy()
    s = 0.0
    for t in itertools.accumulate(u, lambda a, b: a * b):
        s = s + t
        u[-1] = u[-1] + t
    return s


def sums_said(x):
    s = 0.0
    for t in itertools.accumulate((said(v) for v in x), added):
        s = s + t * t
    return s


def sums_left(x):
    s = 0.0
    for t in itertools.accumulate(said(v) for v in x):
        s = s + t * t
        if s > 0.5:
            break
    return s


def sums_of_arrays(x):
    return np.sum(np.stack(list(itertools.accumulate([x, x * x, 2 * x], np.add))) ** 2)


def largest_so_far(x):
    return sum(itertools.accumulate(x, max)) + sum(itertools.accumulate(x[:0]), x[0])


def endless_sums(x):
    s = 0.0
    for t in itertools.accumulate(itertools.count(1)):
        s = s + x[0] ** t
        if t > 5:
            break
    return s


def endless_neighbours(x):
    s = 0.0
    for a, b in itertools.pairwise(x[0] * k for k in itertools.count(1)):
        s = s + a * b
        if b > 5:
            break
    return s


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [
        neighbours_written, forward_substitution, neighbouring_rows, sums_written,
        products_written, sums_said, sums_left, sums_of_arrays, largest_so_far, endless_sums,
        endless_neighbours,
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_neighbours_and_sums(f):
    agrees(f, X)


# Folding


def folded_said(x):
    return functools.reduce(added, (said(v) for v in x), 0.0)


def folded_without_start(x):
    return functools.reduce(added, map(said, x))


def folded_and_written(x):
    u = x.copy()

    def step(t, v):
        u[-1] = u[-1] + v
        return t + v

    return functools.reduce(step, (u[k] for k in range(len(u))), 0.0)


def start_written_first(x):
    u = x.copy()

    def first():
        u[1] = 5.0 * u[0]
        return 0.5

    return functools.reduce(lambda a, b: a + b * b, (u[k] for k in range(4)), first())


def source_before_the_start(x):
    u = x * 2
    return functools.reduce(lambda a, b: a + b, (v * v for v in u), (u := x * 3)[0]) + u[1]


def folded_inside(x):
    pairs = functools.reduce(lambda a, b: a + b, (v * w for v in x for w in x if w < v))
    rows = functools.reduce(np.matmul, (np.outer(x, x) * k for k in range(1, 3)))
    lists = functools.reduce(lambda a, b: a + b, ([v] for v in x), [])
    return pairs * np.sum(rows) + sum(v * v for v in lists)


def folded_nothing(x):
    return functools.reduce(lambda a, b: a + b, (v for v in x[:0]))


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [
        folded_said, folded_without_start, folded_and_written, start_written_first,
        source_before_the_start, folded_inside,
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_folded_in_turn(f):
    agrees(f, X)


@pytest.mark.recorded
def test_folded_nothing():
    fails_alike(folded_nothing, X)


# Arguments beside a generator


def begin():
    print("begin")
    return 0.5


def summed_from(x):
    return sum((said(v) for v in x), begin())


def summed_by_functions(x):
    entries = {"a": x[0], "b": x[1] * x[2]}
    total = sum(itertools.accumulate(x, lambda a, b: a * b), begin())
    total = sum(map(np.sin, x), start=total * begin())
    return total + sum((k * v for k, v in enumerate(entries.values())), begin())


def start_that_writes(x):
    u = x.copy()

    def start():
        u[0] = u[0] * 2.0
        return u[1]

    return sum((v * v for v in u), start())


def start_that_rebinds(x):
    u = x.copy()

    def start():
        nonlocal u
        u = u * 2
        return 1.0

    return sum((v * u[0] for v in u), start=start())


def start_that_elements_rebind(x):
    total = x[0]

    def put(v):
        nonlocal total
        total = total * v
        return v * v

    return sum((put(v) for v in x), total) * total


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [
        summed_from, summed_by_functions, start_that_writes, start_that_rebinds,
        start_that_elements_rebind,
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_arguments_beside_a_generator(f):
    agrees(f, X)


# Parts


def part(x, first, end, step):
    s = x[0]
    for v in itertools.islice(x, first, end, step):
        s = s + v * v
    return s


def first_part(x, n):
    return sum(v * v for v in itertools.islice(x, n))


def no_step(x):
    return sum(v * v for v in itertools.islice(x, 1, None, 0))


def below_nothing(x):
    try:
        return sum(v * v for v in itertools.islice(x, -1))
    except ValueError:
        return x[0] * x[0]


@pytest.mark.recorded
def test_numbers_of_islice():
    agrees(first_part, X, 3)
    agrees(below_nothing, X)
    agrees(part, X, 1, 3, 2)
    for bounds in ((-1, 2, 1), (0, -1, 1), (0, -3, 1), (0, 2, 0), (0, 2, -1)):
        fails_alike(part, X, *bounds)
    fails_alike(first_part, X, -1)
    fails_alike(first_part, X, -3)
    fails_alike(no_step, X)


def slices_beside_next(x):
    def gen():
        yield 0
        yield 1

    g = gen()
    k = 0
    return np.sum(x[0:2, next(g)]) * np.sum(x[k : k + 1, next(g)])


def bounds_asked_for(x):
    def gen():
        yield 1
        yield 2

    g = gen()
    return np.sum(x[0 : next(g)]) * np.sum(x[next(g) - 1 :])


@pytest.mark.recorded
def test_slices_beside_generators():
    agrees(slices_beside_next, np.outer(X, X)[:2, :2] + X[:2])
    agrees(bounds_asked_for, X)


# Names that mean something else


def own_zip(x, zip):
    return sum(map(lambda a, b: a * b * zip, x, x[1:]))


def own_end(x, StopIteration):
    def gen():
        yield x[0]

    g = gen()
    s = next(g) * StopIteration
    try:
        s = s + next(g)
    except Exception:
        s = s * x[2]
    return s


@pytest.mark.parametrize("f", [own_zip, own_end], ids=lambda f: f.__name__)
def test_names_are_asked_for(f):
    with pytest.raises(ad.CompileError):
        ad.vjp(f, X, 2.0, wrt=0)


# Several at a time


def square(v):
    return v * v


def generator_first_and_written(x):
    u = x.copy()
    y = 2.0 * x
    s = 0.0
    j = 0
    for a, b in zip((u[k] * 2 for k in range(len(u))), y):
        s = s + a * b
        j = j + 1
        if j < len(u):
            u[j] = u[j] + a
    return s


def generator_first_and_left(x):
    s = 0.0
    for a, b in zip((said(v) for v in x), x[:3]):
        s = s + a * b
        if s > 30.0:
            break
    return s


def pairs_of_generators(x):
    s = 0.0
    out = []
    y = np.zeros(4)
    for k, (a, b) in enumerate(zip((square(v) for v in x), x)):
        s += a * b
        out.append(a)
        y[k] = b
    s += sum(a * b for a, b in zip((square(v) for v in x), (2 * v for v in x)))
    return s + out[0] * np.sum(y)


def beside_neighbours(x):
    s = 0.0
    for a, (b, c) in zip(x, itertools.pairwise(x)):
        s = s + a * b * c
    for k, (a, b) in zip(itertools.count(), itertools.pairwise(x)):
        s = s + k * a * b
    return s


def beside_an_endless_one(x):
    s = 0.0
    for a, b in zip((v * v for v in itertools.count(1)), x):
        s = s + a * b
    return s


def filled_up(x):
    out = []
    for a, b in itertools.zip_longest(x, x[:2], fillvalue=0.5):
        out.append(square(a) * b + a)
    return np.sum(np.array(out))


def chained_and_rebound(x):
    u = x * 2
    s = 0.0
    for v in itertools.chain(u, u):
        s = s + v * v
        u = u * 0.5
    return s


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [
        generator_first_and_written, generator_first_and_left, pairs_of_generators,
        beside_neighbours, beside_an_endless_one, filled_up, chained_and_rebound,
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_several_at_a_time(f):
    agrees(f, X)


def filled_up_and_written(x):
    x = x.copy()
    s = 0.0
    for k, (a, b) in enumerate(itertools.zip_longest(x, x[1:], fillvalue=2.0)):
        s = s + a * b
        if k + 1 < len(x):
            x[k + 1] = a
    return s


def filled_up_in_place(x):
    y = x.copy()
    z = y
    s = 0.0
    for a, b in itertools.zip_longest(y, x[:2], fillvalue=1.0):
        z *= 2.0
        s = s + a * b
    return s


def generator_behind(x):
    s = 0.0
    for a, b in zip(x[:1], (said(v) for v in x)):
        s = s + a * b
    return s


def written_through_another_name(x):
    u = x.copy()
    s = 0.0
    rows = [u]
    for a, b in zip(x, (v * v for v in u)):
        s = s + a * b
        rows[0][3] = a
    return s


def changed_by_a_call(x):
    u = x.copy()

    def put(v):
        u[3] = v
        return v

    return sum(put(a) * b for a, b in itertools.zip_longest(u, x[:2], fillvalue=1.0))


@pytest.mark.parametrize(
    "f",
    [
        filled_up_and_written, filled_up_in_place, generator_behind,
        written_through_another_name, changed_by_a_call,
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_not_read_beforehand(f):
    with pytest.raises(ad.CompileError) as refusal:
        ad.vjp(f, X)
    assert refusal.value.diagnostics[0].code in ("AD201", "AD401", "AD207")


# Columns


def columns(x):
    s = 0.0
    for a, b in zip(*[(x[0], x[1]), [x[2], x[3]]]):
        s = s + a * b
    return s + sum(a * b for a, b in zip(*np.outer(x[:2], x)))


def keys(x):
    s = 0.0
    for a, b in zip(*[{0: x[0], 1: x[1]}, {0: x[2], 1: x[3]}]):
        s = s + x[0] * a + b * x[1]
    return s


@pytest.mark.recorded
@pytest.mark.parametrize("f", [columns, keys])
def test_columns(f):
    agrees(f, X)
