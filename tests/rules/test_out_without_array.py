"""What is given for `out=` and is no array: None, tuples of None, `...`, and what is an error."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.5, 1.2, 0.8, 0.3])
Y = np.array([1.0, 2.0, 3.0, 0.7])
NEW = np.lib.NumpyVersion(np.__version__) >= "2.3.0"


def of_one(x, y):
    z = np.exp(x, out=...)
    return np.sum(z * z)


def written_then(x, y):
    z = np.multiply(x, y, out=...)
    z[0] = 0.0
    return np.sum(z * x)


def reduced(x, y):
    z = np.multiply.reduce(x, out=...)
    z[...] = z * 2.0
    return np.sum(z * x[0])


def accumulated(x, y):
    return np.sum(np.add.accumulate(x, out=...) ** 2) + np.sum(np.add.reduceat(y, [0, 2], out=...))


def outer(x, y):
    return np.sum(np.multiply.outer(x, y, out=...) ** 2)


def product(x, y):
    z = np.matmul(x, y, out=...)
    z += x[1]
    return np.sum(z * z)


def of_a_number(x, y):
    z = np.exp(x[0], out=...)
    z[...] = z * x[1]
    return np.sum(z * x[2])


def in_a_variable(x, y):
    o = {"out": ...}
    rest = ...
    return np.sum(np.sin(x, **o) * np.clip(y, 0.9, 2.5, out=rest))


def parts(x, y):
    a, _ = np.modf(x * 3.0, out=...)
    return np.sum(a * a)


@pytest.mark.skipif(not NEW, reason="NumPy 2.3 and later take `out=...`")
@pytest.mark.parametrize(
    "f", [of_one, written_then, reduced, accumulated, outer, product, of_a_number, in_a_variable,
          parts],
)  # fmt: skip
def test_an_array_is_returned(f):
    check_grads(f, (X, Y))
    assert type(ad.value_and_grad(f)(X, Y)[0]) is type(f(X, Y))


@pytest.mark.skipif(not NEW, reason="NumPy 2.3 and later take `out=...`")
def test_a_number_is_returned_in_an_array():
    def f(s):
        return np.exp(s, out=...)

    y, pull = ad.vjp(f, 0.3)
    assert isinstance(y, np.ndarray) and y.shape == ()
    assert float(pull(np.ones(()))[0]) == pytest.approx(np.exp(0.3))
    y, t = ad.jvp(f, (0.3,), (1.0,))
    assert isinstance(t, np.ndarray) and t.shape == ()


def both_none(x, y):
    a, _ = np.modf(x * 3.1, out=(None, None))
    _, b = np.divmod(y * 3.0, 0.77, out=(None, None))
    return np.sum(a * a) + np.sum(b * b)


def both_none_in_a_variable(x, y):
    o = (None, None)
    a, _ = np.frexp(x * 3.0, out=o)
    return np.sum(a * a)


def none_or_an_array(x, y):
    o = None if x[0] > 0.4 else np.zeros(4)
    return np.sum(np.exp(x, out=o) ** 2)


def none_in_one_turn(x, y):
    z = y
    for k in range(3):
        o = None if k % 2 else np.zeros(4)
        z = np.multiply(x, z, out=o)
    return np.sum(z)


@pytest.mark.parametrize(
    "f", [both_none, both_none_in_a_variable, none_or_an_array, none_in_one_turn]
)
def test_nothing_is_written(f):
    check_grads(f, (X, Y))
    check_grads(f, (X - 0.2, Y))


def of_a_list(x):
    return np.sum(np.exp(x, out=[np.zeros(4)]))


def of_a_list_in_a_variable(x):
    o = [np.zeros(4)]
    return np.sum(np.exp(x, out=o))


def of_a_sum(x):
    return np.sum(x, out=...) * 2.0


def by_place(x):
    return np.sum(np.exp(x, ...))


def in_a_tuple(x):
    return np.sum(np.exp(x, out=(...,)))


def of_a_float(x):
    return np.sum(np.exp(x, out=3.0))


@pytest.mark.parametrize(
    "f", [of_a_list, of_a_list_in_a_variable, of_a_sum, by_place, in_a_tuple, of_a_float]
)
def test_numpy_says_what_is_wrong(f):
    with pytest.raises(TypeError) as plain:
        f(X)
    for differentiated in (lambda: ad.grad(f)(X), lambda: ad.jvp(f, (X,), (X,))):
        with pytest.raises(TypeError) as caught:
            differentiated()
        assert str(caught.value) == str(plain.value)


def test_no_value_is_no_array():
    def f(x):
        return np.sum(np.exp(x, out=np._NoValue))

    with pytest.raises(ad.CompileError):
        ad.grad(f)(X)


def quotient_overwritten(x):
    q, r = np.divmod(x * 3.0, x[::-1], out=(None, None))
    q[:] = 1.0
    return np.sum(r**2 * q)


def test_what_is_computed_again_says_it_once():
    check_grads(quotient_overwritten, (np.array([0.5, 1.2, 0.85, 0.71]),))
