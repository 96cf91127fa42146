"""Generator functions inside the function: they see its variables when they run."""

# ruff: noqa: C416, C417, UP028 -- the ways in which they are used up are what is tried here

from __future__ import annotations

import linecache

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.3, 0.7, 1.2])


def writes_what_it_goes_through(x, k):
    def g():
        for v in x:
            x[0] = v * k
            yield v

    s = 0.0
    for v in g():
        s += v * x[0]
        if s > 3:
            break
    return s


def twice_at_once(x, k):
    def g(n, w=2.0):
        for i in range(n):
            yield x[i] * w

    s = 0.0
    for i, v in enumerate(g(3)):
        for u in g(2, w=k):
            s += v * u * i
    return s


def from_one_another(x, k):
    def inner(n):
        for i in range(n):
            yield x[i] * k

    def outer():
        yield 1.0
        yield from inner(2)
        for v in inner(3):
            yield v * v

    return sum(outer())


def unpacked(x, k):
    def g():
        yield x[0]
        yield x[1] * k

    a, b = g()
    return a * b


def asked(x, k):
    def g():
        yield x[0]
        yield x[1] * k

    h = g()
    return next(h) * next(h)


def named_first(x, k):
    def g():
        yield x[0]
        yield x[1] * k

    h = g()
    k = k * 3
    s = 0.0
    for v in h:
        s += v * v
    return s


def ends_early(x, k):
    def g():
        for v in x:
            if v > k:
                return
            yield v * k

    return max(g()) + np.sum(list(g()))


def left_by_return(x, k):
    def g():
        for v in x:
            yield v * k

    for v in g():
        if v > 0.5:
            return v * v
    return k


def names_of_its_own(x, k):
    v = k

    def g():
        for v in x:
            yield v

    s = 0.0
    for u in g():
        s += u * v
    return s


def binds_a_variable_outside(x, k):
    def g():
        nonlocal k
        k *= 2
        yield k
        k *= 2
        yield k * x[0]

    return sum([v for v in g()]) * k


def writes_what_it_gave(x, k):
    def g(a):
        a = a * 2
        a[0] = k
        yield a
        a[1] = k * k
        yield a

    s = 0.0
    for r in g(x):
        s += np.sum(r * r)
    return s


def another_name(x, k):
    def g(a):
        t = a[0]
        yield t
        t = t * k
        yield t

    t = 5.0 * k
    s = [q for q in g(x)]
    return s[0] * s[1] * t


def of_counts(x, k):
    def pairs():
        for i in range(len(x)):
            for j in range(i):
                yield i, j

    s = 0.0
    for i, j in pairs():
        s += x[i] * x[j] * k
    return s


def as_arrays(x, k):
    def g():
        for v in x:
            yield v * k

    return np.sum(np.fromiter(g(), float)) + np.sum(np.array(list(g())))


def in_each_turn(x, k):
    def g():
        for v in x:
            yield v * k

    total = 0.0
    while total < 3:
        for v in g():
            total += v
            if total > 2.5:
                break
        else:
            total += 0.1 * k
        k = k * 1.1
    return total


def with_a_list_of_its_own(x, k):
    def g():
        e = [v * k for v in x]
        for k2 in e:
            yield k2

    return sum(g())


ACCEPTED = [
    writes_what_it_goes_through,
    twice_at_once,
    from_one_another,
    unpacked,
    pytest.param(asked, marks=pytest.mark.recorded),
    pytest.param(named_first, marks=pytest.mark.recorded),
    ends_early,
    left_by_return,
    names_of_its_own,
    binds_a_variable_outside,
    another_name,
    of_counts,
    as_arrays,
    in_each_turn,
    with_a_list_of_its_own,
]


@pytest.mark.recorded
@pytest.mark.parametrize("f", ACCEPTED)
def test_in_place_of_the_loop(f) -> None:
    check_grads(f, (X, 0.9), wrt=(0, 1))


@pytest.mark.recorded
def test_with_copies_and_a_second_time() -> None:
    check_grads(
        ad.differentiable(writes_what_it_gave, on_overwrite="save"), (X, 0.9), wrt=(0, 1), order=2
    )
    check_grads(binds_a_variable_outside, (X, 0.9), wrt=(0, 1), order=2)


def handed_on(x, k):
    def g():
        for v in x:
            yield v * k

    return sum(map(lambda make: sum(make()), [g]))


def called_too_early(x, k):
    s = sum(g())  # noqa: F821

    def g():
        yield x[0] * k

    return s


def test_what_stays_a_generator_is_refused() -> None:
    with pytest.raises(ad.CompileError):
        ad.grad(handed_on)(X, 0.9)


def test_one_that_does_not_exist_yet() -> None:
    with pytest.raises((UnboundLocalError, ad.CompileError)):
        ad.grad(called_too_early)(X, 0.9)


def in_a_line_of_its_own(x, k):
    s = 0.3

    def g(n):
        nonlocal k
        for j in range(n):
            k = k * 1.05
            yield x[j]

    n = len(list(g(2)))
    s = s * 0.4 + sum(g(2))
    return s * n * k


@pytest.mark.recorded
def test_a_line_that_names_the_generator_is_not_printed_as_it_was_written() -> None:
    check_grads(in_a_line_of_its_own, (X, 0.9), wrt=(0, 1))
    source = ad.differentiable(in_a_line_of_its_own).source_for(X, 0.9)
    assert "g(2)" not in "".join(line.partition("#")[0] for line in source.splitlines())


@pytest.mark.recorded
def test_of_a_function_without_a_module() -> None:
    text = "def f(x):\n    def g(v): return v * x[0]\n    fs = [g, abs]\n    return fs[0](x[1])\n"
    space: dict = {}
    linecache.cache["<no module>"] = (len(text), None, text.splitlines(True), "<no module>")
    exec(compile(text, "<no module>", "exec"), space)
    np.testing.assert_allclose(ad.grad(space["f"])(X), [0.7, 0.3, 0])
