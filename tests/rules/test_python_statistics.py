"""The rules of `statistics`, and of the complex numbers of Python, in programs."""

from __future__ import annotations

import cmath
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 1.3, 0.9, 0.7])
NAMES = (
    "mean", "fmean", "median", "variance", "pvariance", "stdev", "pstdev", "geometric_mean",
    "harmonic_mean",
)  # fmt: skip


def of_array(f: Callable[..., Any]) -> Any:
    return lambda x: f(x) * f(x[:3])


def of_list(f: Callable[..., Any]) -> Any:
    return lambda x: f([v * v for v in x]) * x[0]


def of_display(f: Callable[..., Any]) -> Any:
    return lambda x: f([x[0] * x[1], x[2], 2.0]) * x[3]


def of_generator(f: Callable[..., Any]) -> Any:
    return lambda x: f(v * x[0] for v in x)


@pytest.mark.parametrize("made", [of_array, of_list, of_display, of_generator])
@pytest.mark.parametrize("name", NAMES)
def test_statistics(name: str, made: Callable[..., Any]) -> None:
    check_grads(made(getattr(statistics, name)), (X,), order=2)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: statistics.variance(x, xbar=1.0),
        lambda x: statistics.pstdev(x, mu=1.0),
        lambda x: statistics.stdev(x, xbar=1.0),
        lambda x: statistics.pvariance(x, mu=1.0),
        lambda x: statistics.fmean(x, weights=[1.0, 2.0, 1.0, 2.0]),
        lambda x: statistics.harmonic_mean(x, weights=[1.0, 2.0, 1.0, 2.0]),
    ],
)
def test_what_has_no_rule(f: Callable[..., Any]) -> None:
    with pytest.raises(ad.CompileError, match="AD409"):
        ad.grad(f)(X)


FUNCTIONS = ("exp", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "log10", "asin", "acos",
             "atan", "asinh", "atanh", "phase", "log")  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_cmath(name: str) -> None:
    f = getattr(cmath, name)

    def of_parts(x: Any) -> Any:
        z = f(complex(x[0], x[1]) * 0.5)
        return abs(z + 1j * x[2]) * z.real + z.imag

    check_grads(of_parts, (X,))


def test_a_logarithm_to_a_base() -> None:
    def f(x: Any) -> Any:
        z = complex(x[0], x[1])
        return abs(cmath.log(z, 2.0)) + abs(cmath.log(z, z * z + x[2])) + abs(cmath.log(2.0, z))

    check_grads(f, (X,))
    for base in (lambda x: -x[3], lambda x: x[3], lambda x: -2.0):  # perhaps of a complex logarithm
        with pytest.raises(ad.CompileError, match="base has to be"):
            ad.grad(lambda x: abs(cmath.log(complex(x[0], x[1]), base(x))))(X)  # noqa: B023


def test_complex_numbers_of_python() -> None:
    def f(x: Any) -> Any:
        z = complex(x[0]) * complex(imag=x[1])
        for _ in range(3):
            z = z * z + complex(x[2], x[3]) * 0.1
        root = cmath.sqrt(x[0] - 3.0)
        w = (z.conjugate() * complex(x[2], 2.0)).imag * z.imag
        return w + x[0].real + float(x[1]).imag + float(x[2]).real * root.imag

    check_grads(f, (X,))
