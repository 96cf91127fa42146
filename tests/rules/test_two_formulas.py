"""Operands and results may be overwritten, one at a time: the other formula is taken."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.signal
import scipy.special

from adtrans import CompileError, grad
from adtrans.testing import check_grads

CALLS = [
    *(f"np.{name}(u)" for name in (
        "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "cbrt", "reciprocal",
        "tan", "arcsin", "arccos", "sinh", "tanh", "arcsinh", "arctanh")),
    "np.arccosh(u + 1.0)", "np.hypot(u, u * u + 0.3)", "np.logaddexp(u, u * u)",
    "np.logaddexp2(u, u * u)", "1.0 / u",
    *(f"scipy.special.{name}(u)" for name in (
        "exp2", "exp10", "expm1", "log1p", "cbrt", "expit", "logit", "log_expit", "softplus",
        "softmax", "log_softmax")),
    "scipy.special.softmax(u.reshape(3, 3), axis=1)",
    "scipy.special.log_softmax(u.reshape(3, 3), axis=0)",
]  # fmt: skip
M, ROWS = "(u.reshape(3, 3) + 2.0 * np.eye(3))", "u.reshape(3, 3)"
S = f"({M} + {M}.T)"
AGAIN = [
    f"np.linalg.inv({M})", f"np.linalg.inv(np.stack([{M}, {S}]))", f"np.linalg.solve({M}, x[:3])",
    f"np.linalg.solve({M}, {ROWS})", f"np.linalg.solve(np.stack([{M}, {S}]), {ROWS})",
    f"np.linalg.det(np.stack([{M}, {S}]))", f"np.linalg.cholesky({S})",
    f"np.linalg.cholesky(np.stack([{S}, {S} * x[0]]))", f"scipy.linalg.inv({M})",
    f"scipy.linalg.solve({M}, x[:3])", f"scipy.linalg.cholesky({S})",
    f"scipy.linalg.cholesky({S}, lower=True)", f"np.linalg.norm({ROWS}, axis=1)",
    f"np.linalg.norm({ROWS}, 3, axis=0)",
    f"scipy.special.logsumexp({ROWS}, axis=1)", f"scipy.special.logsumexp({ROWS}, 0, x[:3])",
    f"scipy.special.logsumexp(x[:3], 1, {ROWS})", f"scipy.special.logsumexp({ROWS}, keepdims=True)",
    "np.power(u, u + 1.0)", "2.5 ** u", "u ** (u + 1.0)", "np.copysign(u, x - 0.5)",
    f"np.std({ROWS}, axis=0)", "np.sort(u)", "np.maximum.accumulate(u)", "np.fmax(u, 0.93 - u)",
    f"np.max({ROWS}, axis=1)", "np.logaddexp.accumulate(u)", f"np.logaddexp.reduce({ROWS})",
    "scipy.special.gamma(u)", "scipy.special.beta(u, x + 1.0)", "scipy.special.erfinv(u)",
    "scipy.special.ndtri(u)", "scipy.special.k1(u)", "scipy.special.log_ndtr(u)",
    f"np.hypot.reduce({ROWS}, axis=1)", "np.divide.accumulate(u + 2.0)", "np.unique(u)",
    "np.partition(u, 3)", "np.geomspace(u[0], u[3] + 1.0, 5)", "np.float_power(u, u)",
]  # fmt: skip
"""Calls of which the derivative needs the result, or what it is computed of."""


def program(call: str, write: str) -> Callable[..., Any]:
    """A function of nine numbers that overwrites what `write` says after the call."""
    lines = ["def f(x):", "    u = x * 1.0", f"    y = {call}", f"    {write}"]
    lines.append("    return np.sum(y * np.cos(np.arange(y.size).reshape(y.shape))) + np.sum(u)")
    text, name = "\n".join([*lines, ""]), f"<{call}; {write}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names: dict[str, Any] = {"np": np, "scipy": scipy}
    exec(compile(text, name, "exec"), names)
    return names["f"]  # type: ignore[no-any-return]  # so it is defined


@pytest.mark.parametrize("write", ["y[...] = np.sin(y)", "u[...] = np.cos(u)"])
@pytest.mark.parametrize("call", CALLS)
def test_neither_write_is_refused(call: str, write: str) -> None:
    check_grads(program(call, write), (np.linspace(0.15, 0.85, 9)[[3, 0, 7, 5, 1, 8, 2, 6, 4]],))


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("call", AGAIN)
def test_a_result_is_computed_again(call: str, mode: str) -> None:
    f = program(call, "y[...] = np.cos(y)")
    x = (np.linspace(0.15, 0.85, 9)[[3, 0, 7, 5, 1, 8, 2, 6, 4]],)
    check_grads(f, x, on_overwrite=mode)


def test_helpers_are_not_computed_again() -> None:
    f = program("scipy.signal.lfilter([0.2, 0.1], [1.0, 0.5], u)", "y[...] = np.cos(y)")
    check_grads(f, (np.linspace(0.15, 0.85, 9),), order=2)


def test_an_array_is_replaced_by_its_logarithm_in_place() -> None:
    f = program("np.log(u, out=u)", "u *= 2.0")
    check_grads(f, (np.linspace(0.15, 0.85, 9),))


def test_complex_hyperbolic_sines_have_no_formula_of_their_result() -> None:
    f = program("np.sinh(u + 2.0j * u).real", "pass")
    check_grads(f, (np.linspace(0.15, 2.85, 9),))


def test_large_hyperbolic_sines_do_not_overflow_in_the_square() -> None:
    f = program("np.sinh(u)", "u[...] = 0.0")
    x = np.full(9, 400.0)
    found = grad(f)(x)
    np.testing.assert_allclose(found, np.cosh(x) * np.cos(np.arange(9.0)), rtol=1e-12)


def test_what_an_arctangent_far_out_reads_may_not_be_overwritten() -> None:
    with pytest.raises(CompileError) as caught:
        grad(program("np.arctan(u)", "u[1:] = 0.0"))(np.full(9, 1e12))
    assert caught.value.diagnostics[0].code == "AD301"
