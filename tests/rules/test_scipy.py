"""SciPy's rules: loaded only with SciPy, none of `scipy.special` forgotten, orders refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg
import scipy.signal
import scipy.spatial
import scipy.special as special
import scipy.stats as stats

import adtrans as ad
from adtrans.rules import all_rules, lookup, reason
from adtrans.testing import check_grads

P = np.array([0.5, 1.2, 2.0])


WITHOUT = """
import sys
import numpy as np
import adtrans as ad

def f(x):
    return np.linalg.det(np.sin(x))

ad.grad(f)(np.eye(3))
sys.exit(any(m.partition(".")[0] == "scipy" for m in sys.modules))
"""


def test_differentiating_numpy_does_not_import_scipy(tmp_path: Path) -> None:
    program = tmp_path / "without.py"
    program.write_text(WITHOUT)
    where = {**os.environ, "PYTHONPATH": str(Path(ad.__file__).parents[1])}
    command = [sys.executable, str(program)]
    assert subprocess.run(command, env=where, check=False).returncode == 0


def test_every_function_of_special_is_classified() -> None:
    left = [
        name
        for name in special.__all__
        if callable(getattr(special, name))
        and not isinstance(getattr(special, name), type)
        and lookup(getattr(special, name)) is None
        and reason(getattr(special, name)) is None
    ]
    assert left == []


def test_more_than_100_functions_carry_a_derivative() -> None:
    found = [n for n, r in all_rules() if n.startswith("scipy.") and r.active_params]
    assert len(found) > 100


@pytest.mark.parametrize(
    ("f", "why"),
    [
        (lambda x: np.sum(special.jv(x, 2.0)), "an order or shape has no closed form"),
        (lambda x: np.sum(special.betainc(x, 2.0, 0.5)), "no closed form"),
        (lambda x: np.sum(special.polygamma(1, 2.0) * special.zeta(x)), "the exponent"),
        (lambda x: np.sum(special.agm(x, 0.5)), "mathematical physics"),
        (lambda x: np.sum(special.bdtri(2, 5, x)), "inverted"),
    ],
)
def test_what_has_no_derivative_says_why(f, why) -> None:
    with pytest.raises(ad.AdtransError, match=r"AD40[19]") as caught:
        ad.grad(f)(P)
    assert why in str(caught.value)


def test_the_order_is_data() -> None:
    def f(x, n):
        return np.sum(special.jv(n, x) * special.gammainc(n + 1.0, x))

    step = 1e-6
    expected = (f(P + step, 2) - f(P - step, 2)) / (2 * step)
    assert np.sum(ad.grad(f)(P, 2)) == pytest.approx(expected, rel=1e-6)


def test_single_precision_and_second_derivatives() -> None:
    def f(x):
        return np.sum(special.gammaln(x) * special.erf(x))

    single = ad.grad(f)(P.astype(np.float32))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, ad.grad(f)(P), rtol=1e-5)
    direction, step = np.array([1.0, -0.5, 0.3]), 1e-6
    slope = ad.grad(f)
    expected = (slope(P + step * direction) - slope(P - step * direction)) / (2 * step)
    got = ad.jvp(slope, (P,), (direction,))[1]
    np.testing.assert_allclose(got, expected, rtol=1e-6)


def test_a_file_of_its_own_imports_scipy() -> None:
    d = ad.differentiable(lambda x: np.sum(special.gammainc(2.0, x) + special.psi(x)))
    d.grad(P)
    assert "gamma_density(2.0, x)" in d.source and "scipy.special.polygamma(1, x)" in d.source


def spectrum(x):
    return np.sum(np.abs(scipy.signal.csd(x, x, nperseg=4)[1]))


def triangle(x):
    return np.sum(scipy.linalg.ldl(np.outer(x, x))[1])


def distances(x):
    return scipy.spatial.distance.cosine(x, x * x) + np.sum(scipy.linalg.companion(x) ** 2)


@pytest.mark.parametrize("f", [spectrum, triangle])
def test_what_scipy_does_inside_is_told_at_the_call(f) -> None:
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(f)(np.linspace(0.5, 2.0, 20))
    (found,) = caught.value.diagnostics
    assert found.code == "AD401" and found.primary.span.file == __file__
    assert "its Python source, which is the library's own, is not gone" in (found.why or "")


def test_a_function_of_scipy_without_a_rule_is_gone_through() -> None:
    check_grads(distances, (np.array([0.3, 1.2, 0.8]),))


def test_a_point_of_a_dirichlet_with_all_of_its_coordinates() -> None:
    a, d = np.array([1.2, 2.5, 1.7]), np.array([0.3, 0.5, 0.9])
    check_grads(lambda d: stats.dirichlet.logpdf(d / np.sum(d), a * d), (d,))


def test_a_covariance_that_is_a_number_or_a_diagonal() -> None:
    def f(x, m, c, d):
        one = stats.multivariate_normal.logpdf(x, m, c) + stats.multivariate_normal.logpdf(x, m)
        return one + stats.multivariate_normal.logpdf(x, m, d)

    x = np.array([0.3, 0.5])
    check_grads(f, (x, x * x, 0.7, x + 1.0))
