"""Functions that are handed functions: what these capture, under whatever name and of what kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq, root

import adtrans as ad
from adtrans.runtime.failures import DerivativeError
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])
NAMES = ("found", "value", "y", "y_bar", "fn", "residuals", "seed", "other", "a", "x", "args_0")
TEXTS = {
    "quad": "quad(lambda t: {n} * t * t, 0.0, 1.5)[0]",
    "brentq": "brentq(lambda t: t * t - {n}, 0.0, 5.0, xtol=1e-14)",
    "vectorize": "np.sum(np.vectorize(lambda t: {n} * t * t)(p))",
    "rows": "np.sum(np.apply_along_axis(lambda r: np.sum({n} * r), 0, p.reshape(2, 2)))",
    "solve_ivp": "solve_ivp(lambda s, u: -{n} * u, (0.0, 1.0), p[:2], rtol=1e-10, atol=1e-12)"
                 ".y[0, -1]",
}  # fmt: skip


@pytest.fixture
def build(tmp_path: Any) -> Any:
    def made(maker: str, name: str) -> Any:
        text = f"def f(p):\n    {name} = p[0] * p[0]\n    return {TEXTS[maker]}\n"
        file = tmp_path / "captured.py"
        file.write_text(text.replace("{n}", name))
        space = {"np": np, "quad": quad, "brentq": brentq, "solve_ivp": solve_ivp}
        exec(compile(file.read_text(), str(file), "exec"), space)
        return space["f"]

    return made


@pytest.mark.recorded
@pytest.mark.parametrize("maker", TEXTS)
@pytest.mark.parametrize("name", NAMES)
def test_any_name_may_be_captured(maker: str, name: str, build: Any) -> None:
    check_grads(build(maker, name), (X,), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["y", "value", "found", "x"])
@pytest.mark.parametrize("maker", ["quad", "brentq"])
def test_and_differentiated_twice(maker: str, name: str, build: Any) -> None:
    f = build(maker, name)
    hessian = ad.hessian(f)(X)
    sides = [ad.grad(f)(X + h * np.eye(4)[0]) for h in (1e-5, -1e-5)]
    np.testing.assert_allclose(hessian[0], (sides[0] - sides[1]) / 2e-5, rtol=1e-4, atol=1e-5)


def refused(f: Any, code: str = "AD409") -> None:
    for run in (lambda: ad.grad(f)(X), lambda: ad.jvp(f, (X,), (X,))):
        with pytest.raises(ad.AdtransError) as found:
            run()
        assert found.value.diagnostics[0].code == code


def test_containers_are_refused() -> None:
    def of_arrays(x):
        rows = [x[:2], x[1:]]
        return quad(lambda s: rows[0][1] * s + rows[1][0], 0, 1)[0]

    def of_objects(x):
        d = {"a": slice(0, 2), 1: x[0]}
        return quad(lambda s: d[1] * s + d["a"].start, 0.0, x[1])[0]

    refused(of_arrays)
    with pytest.raises(ad.AdtransError):
        ad.grad(of_objects)(X)


def test_other_parts_of_a_solution_are_refused() -> None:
    def interpolated(x):
        s = solve_ivp(lambda t, y: -x[2] * y, (0.0, 2.0), x[:2], dense_output=True)
        return np.sum(s.sol(1.0))

    def by_get(x):
        s = root(lambda y: y * y - x[:2], np.ones(2))
        return np.sum(s.get("x"))

    refused(interpolated)
    refused(by_get)


@pytest.mark.recorded
def test_results_that_are_ints_have_no_slope() -> None:
    check_grads(lambda x: np.sum(np.vectorize(lambda a: 1.0 if a > 0.8 else a * a)(x)), (X,))
    f = ad.jvp(lambda x: np.sum(np.vectorize(lambda a: a * a if a < 0.8 else 1)(x)), (X,), (X,))
    assert f[1] == pytest.approx(2.0 * (X[0] ** 2 + X[3] ** 2))

    def clock(k):
        found = solve_ivp(lambda t, y: [1, -k * y[1]], (0, 1), [0.0, 1.0], t_eval=[0.4])
        return found.y[1, 0]

    assert ad.jvp(clock, (1.0,), (1.0,))[1] == pytest.approx(-0.4 * np.exp(-0.4), rel=1e-3)
    assert ad.grad(clock)(1.0) == pytest.approx(-0.4 * np.exp(-0.4), rel=1e-3)


def test_times_that_the_solver_chooses() -> None:
    def inner(k):
        return np.sum(solve_ivp(lambda t, y: -k * y, (0.0, 1.0), np.array([2.0])).y)

    with pytest.raises(DerivativeError, match="t_eval"):
        ad.grad(inner)(1.0)
    assert np.isnan(ad.jvp(inner, (1.0,), (1.0,))[1])


def test_forms_that_are_not_understood_are_refused_at_the_call() -> None:
    refused(lambda x: quad(lambda t: x[0] * t, 0.0, 1.0, complex_func=True)[0].real, "AD401")
    refused(lambda x: quad(lambda t: x[0] * t, 0.0, 1.0, full_output=len(x))[0], "AD401")


def test_integrals_with_more_than_a_number() -> None:
    def informed(k, b):
        found = quad(lambda t: np.sin(k * t), 0.0, b, full_output=True)
        return found[0] * len(found)

    def weighted(k, b):
        waves = quad(lambda t: np.exp(-k * t), 0.0, b, weight="cos", wvar=2.0)[0]
        return waves + quad(lambda t: k * t, 0.0, 1.0, weight="alg", wvar=(0.5, -0.3))[0]

    check_grads(weighted, (0.7, 1.3), wrt=(0, 1))
    check_grads(informed, (0.7, 1.3), wrt=(0, 1))

    def singular_at_the_ends(a, b, k):
        total = 0.0
        for weight in ("alg", "alg-loga", "alg-logb", "alg-log"):
            total += quad(lambda t: np.exp(k * t), a, b, weight=weight, wvar=(0.5, -0.3))[0]
        return total

    def principal_value(a, b):
        return quad(lambda t: t * t + 1.0, a, b, weight="cauchy", wvar=0.4)[0]

    check_grads(singular_at_the_ends, (0.2, 1.3, 0.7), wrt=(0, 1, 2))
    check_grads(principal_value, (0.2, 1.3), wrt=(0, 1))
