"""Rules of functions without a source: the result may look into an argument, or be kept."""

import math
import operator

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([1.0, 2.0, 3.0])
BUFFER = np.zeros(3)

first_two = operator.itemgetter(slice(0, 2))
picked = operator.itemgetter([0, 1])

for part in (first_two, picked):
    ad.rule(
        part, lambda y_bar: np.append(y_bar, 0.0), lambda x_dot: x_dot[:2], signature="part(x)"
    )


def written_under_the_result(x):
    y = x * 2.0
    z = first_two(y)
    y *= 3.0
    return np.sum(z) * np.sum(y)


def the_result_is_written(x):
    y = x * 2.0
    z = first_two(y)
    z *= z
    return np.sum(y)


def in_a_helper(y):
    z = first_two(y)
    z *= 3.0
    return z


def written_in_a_helper(x):
    y = x * 2.0
    return np.sum(in_a_helper(y)) * np.sum(y)


PROGRAMS = [written_under_the_result, the_result_is_written, written_in_a_helper]


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.parametrize("mode", ["check", "refuse"])
def test_a_view_that_is_not_known_to_be_one(f, mode):
    with pytest.raises(ad.AdtransError, match=r"AD206|AD412|AD205"):
        ad.grad(f, on_unproven=mode)(X)
    with pytest.raises(ad.AdtransError, match=r"AD206|AD412|AD205"):
        ad.jvp(f, (X,), (np.ones(3),))


def test_a_view_of_which_nothing_is_written():
    def f(x):
        y = x * x
        z = first_two(y)
        return np.sum(z * z) + np.sum(y)

    check_grads(f, (X,))


def test_a_copy_may_be_written():
    as_many = operator.itemgetter([0, 2, 1])
    pullback = lambda y_bar: y_bar[[0, 2, 1]]  # noqa: E731
    ad.rule(as_many, pullback, lambda x_dot: x_dot[[0, 2, 1]], signature="turned(x)", like="x")

    def f(x):
        y = x * x
        z = as_many(y)
        z *= 2.0
        return np.sum(z * y)

    check_grads(f, (X,), on_overwrite="save")
    assert "check_copy(z, y" in ad.differentiable(f, on_overwrite="save").source_for(X)


def test_a_copy_may_be_returned():
    def f(x):
        return picked(x * x)

    def g(x):
        return np.sum(f(x) * f(x + 1.0))

    np.testing.assert_allclose(ad.jacobian(f)(X), np.diag(2.0 * X)[:2])
    check_grads(g, (X,))


def test_the_result_of_a_universal_function_is_new():
    third_of = np.frompyfunc(lambda x: x / 3.0, 1, 1)
    ad.rule(third_of, signature="third_of(x)", elementwise=True, x="1.0 / 3.0")
    ad.rule(math.erf, x="y_bar * 2.0 / math.sqrt(math.pi) * math.exp(-x * x)")

    def f(x):
        return third_of(x) * math.erf(x)

    check_grads(f, (0.7,), modes=("reverse",))
    assert "check" not in ad.differentiable(f).source_for(0.7)


# -- the same array each time -------------------------------------------------------------------


def doubled(x):
    BUFFER[:] = 2.0 * x
    return BUFFER


def part_of_the_buffer(x):
    BUFFER[:2] = 2.0 * x[:2]
    return BUFFER[:2]


def made():
    own = np.zeros(3)

    def kept(x):
        own[:] = 2.0 * x
        return own

    return kept


@pytest.mark.parametrize("kept", [doubled, part_of_the_buffer, made()])
def test_a_function_that_returns_the_same_array_each_time(kept):
    ad.rule(kept, lambda y_bar: np.append(2.0 * y_bar, np.zeros(3 - len(y_bar))))

    def f(x):
        y = kept(x)
        z = kept(x * x)
        return np.sum(y + z)

    with pytest.raises(ad.CompileError, match=r"AD412.*writes again|AD203"):
        ad.grad(f)(X)

    def value(x):
        return np.sum(looked_up(x) * x)

    @ad.constant
    def looked_up(x):
        BUFFER[:] = np.round(x)
        return BUFFER

    with pytest.raises(ad.CompileError, match=r"AD412.*writes again|AD203"):
        ad.grad(value)(X)


TABLE = np.array([3.0, 4.0, 5.0])


def test_a_table_that_nobody_writes():
    def shown(x):
        return TABLE

    ad.rule(shown, lambda y_bar: 0.0 * y_bar)
    np.testing.assert_array_equal(ad.grad(lambda x: np.sum(shown(x) * x))(X), TABLE)
