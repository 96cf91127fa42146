"""A recorded run keeps about as much as the compiled pullback of the same program.

Of values that two formulas could be computed from, one is kept: the other takes its place if it is
overwritten.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adtrans as ad
from benchmarks.kept import PROGRAMS, compiled_bytes, diffusion, recorded_bytes

X = np.linspace(0.1, 1.0, 20_000)


@pytest.mark.parametrize("mode", ["save", "refuse"])
@pytest.mark.parametrize("f", [f for f in PROGRAMS if f is not diffusion])
def test_as_much_as_compiled(f: Any, mode: str) -> None:
    assert recorded_bytes(f, X, mode) <= 1.2 * compiled_bytes(f, X, mode)


def test_a_step_keeps_the_operands_of_its_product() -> None:
    """The factor, which compiled code computes again, and the part that is overwritten."""
    assert recorded_bytes(diffusion, X, "save") <= 45 * X.nbytes


def the_result(x):
    u = x * 2.0
    y = np.tanh(u)
    y *= 3.0
    return np.sum(y * u)


def the_result_whose_operand_has_gone(x):
    y = np.tanh(x * 2.0)
    y *= 3.0
    return np.sum(y)


def a_part_of_it(x):
    y = np.exp(x * 2.0)
    y[1:] = 3.0
    return np.sum(y)


def the_operand(x):
    u = x * 2.0
    y = np.sqrt(u)
    u[0] = 1.0
    return np.sum(y) + np.sum(u)


def of_a_view(x):
    u = x * 2.0
    y = np.tanh(u[1:])
    y[0] = 3.0
    return np.sum(y) + np.sum(u)


def the_result_in_its_own_statement(x):
    y = np.tanh(x * 2.0)
    y += y * y
    return np.sum(y)


def both(x):
    u = x * 2.0
    y = np.tanh(u)
    u[1] = 0.0
    y[1] = 0.0
    return np.sum(y) + np.sum(u)


def both_of_a_view(x):
    u = x * 2.0
    y = np.tanh(u[1:])
    u[1] = 0.0
    y[0] = 0.0
    return np.sum(y) + np.sum(u)


OVERWRITTEN = [
    the_result, the_result_whose_operand_has_gone, a_part_of_it, the_operand, of_a_view,
    the_result_in_its_own_statement,
]  # fmt: skip


def by_differences(f: Any, x: Any) -> Any:
    steps = 1e-6 * np.eye(len(x))
    return np.array([(f(x + s) - f(x - s)) / 2e-6 for s in steps])


@pytest.mark.parametrize("mode", ["save", "refuse"])
@pytest.mark.parametrize("f", OVERWRITTEN)
def test_one_of_two_values_may_be_overwritten(f: Any, mode: str) -> None:
    x = np.array([0.3, 0.5, 0.9])
    wrapped = ad.recorded(f, on_overwrite=mode)
    np.testing.assert_allclose(wrapped.grad(x), by_differences(f, x), rtol=1e-6)
    _, pullback = ad.vjp(wrapped, x)
    for _ in range(2):
        np.testing.assert_allclose(pullback(1.0)[0], by_differences(f, x), rtol=1e-6)


@pytest.mark.parametrize("f", [both, both_of_a_view])
def test_but_not_both(f: Any) -> None:
    x = np.array([0.3, 0.5, 0.9])
    with pytest.raises(ad.MutationError) as caught:
        ad.recorded(f).grad(x)
    assert caught.value.diagnostics[0].code == "AD301"
    saved = ad.recorded(f, on_overwrite="save").grad(x)
    np.testing.assert_allclose(saved, by_differences(f, x), rtol=1e-6)


def test_by_second_derivatives() -> None:
    def nested(x):
        return np.sum(ad.grad(ad.recorded(the_result))(x) ** 2)

    x = np.array([0.3, 0.5, 0.9])
    found = ad.recorded(nested).grad(x)
    np.testing.assert_allclose(found, by_differences(nested, x), rtol=1e-5)
