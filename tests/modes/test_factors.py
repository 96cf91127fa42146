"""Second derivatives where factors of a matrix are written: what they are copied to is no view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans import runtime
from adtrans.rules import lookup
from tests.corpus import factors

X = np.array([0.6, 0.9, 1.3, 0.8])


def written_transposed(x: Any) -> Any:
    low = np.linalg.cholesky(factors.of(x))
    low[1] = low[0] + x
    return np.sum(low**2 * x)


PROGRAMS = [
    factors.clipped_eigenvalues, factors.truncated, factors.signs_in_a_loop,
    factors.one_of_two_is_written, factors.put_into_a_starred_name, factors.kept_in_an_object,
    written_transposed,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_second_derivatives(f: Callable[..., Any]) -> None:
    gradient = ad.grad(f, on_overwrite="save")
    steps = 1e-5 * np.eye(4)
    expected = [(gradient(X + h) - gradient(X - h)) / 2e-5 for h in steps]
    found = ad.hessian(f, on_overwrite="save")(X)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def test_a_transposed_stack_is_a_view() -> None:
    rule = lookup(runtime.factorizations.transposed)
    assert rule is not None and rule.result == "view"
    a = np.ones((2, 3))
    assert np.shares_memory(runtime.factorizations.transposed(a), a)


def test_only_what_is_written_is_copied() -> None:
    f = ad.differentiable(factors.truncated, on_overwrite="save")
    f.grad(X)
    assert f.source.count(".copy()") == 1
