"""Rules of functions that write: of arguments that share memory, exceptions, and what is kept."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
KEPT = []


def cumulated(a, b):
    for i in range(1, a.size):
        a[i] += b[i - 1]


ad.rule(
    cumulated, lambda y_bar: (y_bar, np.append(y_bar[1:], 0.0)),
    lambda a_dot, b_dot: a_dot + np.append(0.0, b_dot[:-1]), writes="a",
)  # fmt: skip


def scaled(a, k):
    for i in range(a.size):
        if i == 2 and k < 0.0:
            raise ValueError("stop")
        a[i] *= k


ad.rule(scaled, lambda y_bar, k: (k * y_bar, None), lambda a_dot, k: k * a_dot, writes="a")


def by_a_helper(a, b):
    cumulated(a, b)


# -- memory in common ---------------------------------------------------------------------------


def shifted(x):
    y = x * 1.0
    cumulated(y[1:], y[:-1])
    return np.sum(y * y)


def with_itself(x):
    y = x * 1.0
    cumulated(y, y)
    return np.sum(y * y)


def under_another_name(x):
    y = x * 1.0
    z = y
    cumulated(z, y)
    return np.sum(y * y)


def in_a_helper(x):
    y = x * 1.0
    by_a_helper(y[1:], y[:-1])
    return np.sum(y * y)


@pytest.mark.parametrize("f", [shifted, with_itself, under_another_name, in_a_helper])
def test_arguments_that_share_memory_are_refused(f):
    with pytest.raises(ad.AdtransError, match="AD308"):
        ad.grad(f)(X.copy())
    with pytest.raises(ad.AdtransError, match="AD308"):
        ad.jvp(f, (X.copy(),), (np.ones(6),))


def halves(x):
    y = x * x
    cumulated(y[:3], y[3:])
    return np.sum(y * y)


def halves_in_a_helper(x):
    y = x * x
    by_a_helper(y[:3], y[3:])
    return np.sum(y * y)


def two(x):
    cumulated(x, x * 2.0)
    return np.sum(x * x)


@pytest.mark.parametrize("f", [halves, halves_in_a_helper, two])
def test_arguments_that_are_apart(f):
    check_grads(f, (X.copy(),), on_overwrite="save")


# -- exceptions ---------------------------------------------------------------------------------


def caught(x, k):
    y = x * 1.0
    try:
        scaled(y, k)
    except ValueError:
        k = 0.0
    return np.sum(y * y)


def caught_of_a_part(x, k):
    y = x * 1.0
    try:
        scaled(y[1:], k)
    except ValueError:
        y[0] = 7.0
    return np.sum(y * y)


def by_k(a, k):
    scaled(a, k)


def caught_of_a_helper(x, k):
    y = x * 1.0
    try:
        by_k(y, k)
    except ValueError:
        k = 0.0
    return np.sum(y * y)


@pytest.mark.recorded
@pytest.mark.parametrize("f", [caught, caught_of_a_part, caught_of_a_helper])
def test_an_exception_that_is_caught(f):
    gradient = ad.grad(f)
    np.testing.assert_allclose(gradient(X, 3.0), gradient(X, 3.0))
    check_grads(f, (X, 3.0), wrt=0)
    with pytest.raises(ad.CompileError, match="in the middle of what it writes"):
        gradient(X, -3.0)
    with pytest.raises(ad.CompileError, match="in the middle of what it writes"):
        ad.jvp(f, (X, -3.0), (np.ones(6), None))


def test_what_was_written_before_an_exception_stays_written():
    def f(x, k):
        scaled(x[1:], k)
        return np.sum(x)

    def run(how):
        x = X.copy()
        with pytest.raises(ValueError, match="stop"):
            how(x)
        return x

    wanted = run(lambda x: f(x, -3.0))
    np.testing.assert_array_equal(run(lambda x: ad.grad(f)(x, -3.0)), wanted)
    np.testing.assert_array_equal(run(lambda x: ad.vjp(f, x, -3.0)), wanted)
    forward = run(lambda x: ad.jvp(f, (x, -3.0), (np.ones(6), None)))
    np.testing.assert_array_equal(forward, wanted)


# -- what it does beside --------------------------------------------------------------------------


def kept(a, k):
    KEPT.append(a)
    a *= k


ad.rule(kept, lambda y_bar, k: (k * y_bar, None), writes="a")


@pytest.mark.recorded
def test_an_argument_that_is_kept():
    def f(x):
        y = x * 1.0
        kept(y, 2.0)
        y[0] = 7.0
        return np.sum(y + KEPT[-1])

    check_grads(f, (X,), modes=("reverse",))

    def alone(x):
        kept(x, 2.0)
        return np.sum(x * x)

    x = X.copy()
    np.testing.assert_array_equal(ad.grad(alone)(x), 8.0 * X)
    assert KEPT[-1] is x
    np.testing.assert_array_equal(x, 2.0 * X)


def put_into(a, items):
    items.append(a)
    a *= 2.0


ad.rule(put_into, lambda y_bar: 2.0 * y_bar, wrt="a", writes="a")


def both(a, b):
    a *= 2.0
    b *= 2.0


ad.rule(both, lambda y_bar: 2.0 * y_bar, wrt="a", writes="a")


def test_what_is_written_beside_is_refused():
    def listed(x):
        y, items = x * 1.0, []
        put_into(y, items)
        y[0] = 7.0
        return np.sum(y + items[0])

    def constant(x):
        y, b = x * 1.0, np.ones(6)
        both(y, b)
        return np.sum(y * b)

    for f in (listed, constant):
        with pytest.raises(ad.CompileError, match=r"AD412.*its rule does not say so"):
            ad.grad(f)(X)
