"""`elementwise_grad` of functions whose result has several parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.3, 0.8, 1.2])


@dataclass
class Both:
    squares: Any
    waves: Any


RESULTS = {
    "dict": lambda x: {"squares": x**2, "n": 3, "waves": np.sin(x)},
    "tuple": lambda x: (x**2, None, np.sin(x)),
    "list": lambda x: [x**2, np.sin(x)],
    "one": lambda x: (x**2,),
}


def test_the_derivative_of_each_part():
    slopes = 2.0 * X, np.cos(X)
    found = ad.elementwise_grad(RESULTS["dict"])(X)
    assert list(found) == ["squares", "n", "waves"] and found["n"] is None
    np.testing.assert_array_equal((found["squares"], found["waves"]), slopes)
    first, none, second = ad.elementwise_grad(RESULTS["tuple"])(X)
    np.testing.assert_array_equal((first, second), slopes)
    assert none is None
    found = ad.elementwise_grad(RESULTS["list"])(X)
    assert isinstance(found, list)
    np.testing.assert_array_equal(found, slopes)
    (alone,) = ad.elementwise_grad(RESULTS["one"])(X)
    np.testing.assert_array_equal(alone, slopes[0])


def test_several_arguments():
    found = ad.elementwise_grad(lambda x, y: (x * y, x + y), wrt=(0, 1))(X, 2.0 * X)
    (by_x, by_y), (one, other) = found
    np.testing.assert_array_equal((by_x, by_y, one, other), (2.0 * X, X, np.ones(3), np.ones(3)))
    assert ad.elementwise_grad(lambda s: (s * s, 3.0 * s))(2.0) == (4.0, 3.0)


def test_arguments_of_the_same_structure():
    assert ad.elementwise_grad(lambda v: [a * a for a in v])([1.0, 2.0]) == [2.0, 4.0]
    a, b = ad.elementwise_grad(lambda t: (t[0] ** 2, np.exp(t[1])))((3.0, X))
    assert a == 6.0
    np.testing.assert_allclose(b, np.exp(X))


@pytest.mark.parametrize(("f", "given"), [
    (lambda t: (t[0] * t[1], t[1]), (1.0, 2.0)),
    (lambda v: [v[0] * a for a in v], [1.0, 2.0]),
    (lambda x: (x, np.cumsum(x)), X),
])  # fmt: skip
def test_parts_that_are_not_element_wise(f: Any, given: Any):
    with pytest.raises(ad.AdtransError) as found:
        ad.elementwise_grad(f)(given)
    assert found.value.diagnostics[0].code == "AD607"


def test_inside_a_function():
    def of_parts(x):
        squares, waves = ad.elementwise_grad(lambda v: (v**3, np.sin(v)))(x)
        return np.sum(squares * waves)

    check_grads(of_parts, (X,))
    first, second = ad.elementwise_grad(ad.elementwise_grad(lambda v: (v**3, np.sin(v))))(X)
    np.testing.assert_allclose((first, second), (6.0 * X, -np.sin(X)))


def test_inside_a_function_other_structures_are_refused():
    def in_a_dictionary(x):
        return np.sum(ad.elementwise_grad(RESULTS["dict"])(x)["waves"])

    def of_pairs(x):
        return ad.elementwise_grad(lambda t: (t[0] ** 2, t[1] ** 2))((x[0], x[1]))[0]

    for f in (in_a_dictionary, of_pairs):
        for run in (lambda f=f: ad.grad(f)(X), lambda f=f: ad.jvp(f, (X,), (X,))):
            with pytest.raises(ad.AdtransError) as found:
                run()
            assert found.value.diagnostics[0].code == ("AD401" if f is in_a_dictionary else "AD410")


def test_objects():
    found = ad.elementwise_grad(lambda x: Both(x**2, np.sin(x)))(X)
    np.testing.assert_array_equal((found.squares, found.waves), (2.0 * X, np.cos(X)))


def coupled(x, i, j, c):
    y = x * x
    y[i] += c * x[i] * x[j]
    return y


def mixed_up(x, i, j, c):
    y = np.real(np.fft.ifft(np.fft.fft(x)))
    y[i] += c * x[j]
    return y


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_one_element_that_depends_on_one_other_is_found(dtype: type):
    x = np.linspace(0.5, 1.5, 12, dtype=dtype)
    derivative = ad.elementwise_grad(coupled, wrt=0)
    np.testing.assert_allclose(derivative(x, 3, 3, 1.0)[3], 4.0 * x[3], rtol=1e-6)
    for i in range(x.size):
        for j in set(range(x.size)) - {i}:
            with pytest.raises(ad.AdtransError, match="AD607"):
                derivative(x, i, j, 1.0)
    with pytest.raises(ad.AdtransError, match="AD607"):
        derivative(x, 3, 7, 1e-9 if dtype is np.float64 else 1e-3)


@pytest.mark.parametrize(("dtype", "small"), [(np.float64, 1e-10), (np.float32, 1e-2)])
def test_a_small_influence_beside_rounding_is_found(dtype: type, small: float):
    x = np.linspace(0.5, 1.5, 37, dtype=dtype)
    derivative = ad.elementwise_grad(mixed_up, wrt=0)
    np.testing.assert_allclose(derivative(x, 3, 7, 0.0), np.ones(37), rtol=1e-5)
    with pytest.raises(ad.AdtransError, match="AD607"):
        derivative(x, 3, 7, small)


SINGULAR = 1.0 / (np.arange(7.0)[:, None] + np.arange(7.0) + 1.0)
SOUND = {
    "cancellation": (lambda x: np.sin(x) - x, 1e-7 * np.linspace(-1.0, 1.0, 50)),
    "mean": (lambda x: x * x - np.mean(x) + np.mean(x), np.linspace(0.1, 2.0, 37)),
    "sum": (lambda x: x * x + np.sum(0.1 * x) - np.sum(0.1 * x), np.linspace(0.1, 2.0, 10000)),
    "differences": (lambda x: np.diff(np.cumsum(x * x), prepend=0.0), np.linspace(0.1, 2.0, 5000)),
    "solve": (lambda x: np.linalg.solve(SINGULAR, SINGULAR @ np.sin(x)), np.linspace(0.1, 2.0, 7)),
    "large and small": (lambda x: np.exp(x), np.linspace(-80.0, 80.0, 60)),
    "almost nothing": (lambda x: np.exp(-x * x), np.linspace(-26.0, 26.0, 300)),
    "infinite": (lambda x: np.sqrt(np.abs(x)), np.array([0.0, 1.0, 4.0])),
    "one number for each": (lambda x: x * 2.0, np.ones((3, 4))),
}


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", SOUND)
def test_rounding_is_no_dependence(name: str, dtype: type):
    f, x = SOUND[name]
    with np.errstate(all="ignore"):
        assert ad.elementwise_grad(f)(x.astype(dtype)).dtype == dtype


@pytest.mark.filterwarnings("error")
def test_the_check_warns_of_nothing():
    found = ad.elementwise_grad(lambda x: (x * 1e200) * 1e100)(np.array([1.0, 2.0]))
    np.testing.assert_allclose(found, 1e300)
    found = ad.elementwise_grad(np.exp)(np.array([-500.0, 600.0]))
    np.testing.assert_allclose(found[1], np.exp(600.0))


def test_elements_that_change_places_are_found():
    for f in (lambda x: x[::-1] * 1.0, lambda x: x - np.roll(x, 1), lambda x: x.T * 1.0):
        x = np.linspace(0.1, 2.0, 10000).reshape(100, 100)
        with pytest.raises(ad.AdtransError, match="AD607"):
            ad.elementwise_grad(f)(x)
