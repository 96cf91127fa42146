"""Functions of SciPy that are written in Python: they return what SciPy's own do, and what is
written is the same function, so that its derivatives are."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.ndimage
import scipy.optimize
import scipy.signal
import scipy.sparse
import scipy.sparse.linalg
import scipy.special
import scipy.stats

import adtrans as ad
from adtrans.rules import rule_listing
from adtrans.rules.written import form_of, written
from adtrans.testing import check_grads

from .samples import pool

POOL = pool()
CALLS = [f"scipy.linalg.{call}" for call in (
    "polar(e)", "polar(e, 'left')", "polar(n)", "polar(m)", "polar(m, side='left')", "pinvh(q)",
    "pinvh(q2, lower=False)", "pinvh(low @ low.T, return_rank=True)", "pinvh(q, 1e-3, 1e-4)",
    "fiedler(v)", "fiedler(one)", "companion(v)", "companion(g[:2])",
    *(f"fiedler_companion({a})" for a in ("g", "z", "b3", "g[:2]", "np.concatenate((g, z))")),
    "leslie(v, b3)", "leslie(v[:2], one)", "convolution_matrix(v, 3)",
    "convolution_matrix(b3, 5, mode='same')", "convolution_matrix(v, 3, 'same')",
    "convolution_matrix(z, 2, 'valid')", "convolution_matrix(b3, 5, 'valid')", "diagsvd(v, 4, 6)",
    "diagsvd(v, 6, 4)", "matmul_toeplitz(v, w)", "matmul_toeplitz((v, z), z)",
    "matmul_toeplitz(v, n)",
    "expm_frechet(e, e @ e)", "expm_frechet(e, e @ e, compute_expm=False)",
    "expm_frechet(e, e.T, 'blockEnlarge')", "orthogonal_procrustes(n, n[::-1])",
    "orthogonal_procrustes(e, e @ e)", "eigvalsh_tridiagonal(v, b3)",
    "fractional_matrix_power(q, 0.5)", "fractional_matrix_power(q2, -1.3)",
    "fractional_matrix_power(q, 2)",
)] + [f"scipy.stats.{call}" for call in (
    "zmap(v, w)", "zmap(m, m2, axis=1, ddof=1)", "zmap(m, m2, None)", "tvar(v)",
    "tstd(m, axis=1, ddof=0)", "tstd(v)", "tvar(m, axis=None)", "iqr(v)",
    "iqr(m, 1, (10, 60))", "circmean(p)", "circmean(v * 9)",
    "circmean(m, high=3.0, low=-1.0, axis=1)",
)] + [f"scipy.optimize.{call}" for call in ("rosen(v)", "rosen(m)", "rosen_der(z)", "rosen_der(v)")
] + [f"scipy.ndimage.{name}({how})" for name in (
    "sum", "sum_labels", "mean", "variance", "standard_deviation",
) for how in ("m", "m, ij", "m, ij, [0, 1]", "m, ij > 1", "m, ij, 2", "v, ints, np.array([[3, 1]])")
] + [f"scipy.ndimage.{call}" for call in (
    *(f"{name}({how})" for name in (
        "maximum_filter", "minimum_filter", "median_filter", "grey_dilation", "grey_erosion",
        "grey_opening", "grey_closing", "morphological_gradient", "white_tophat", "black_tophat",
    ) for how in ("m, 3", "m, (1, 3), mode='constant', cval=0.4", "v, 3, mode='wrap'", "t, 2",
                  "m, footprint=np.eye(3), mode='nearest'", "m, 3, origin=1", "m * 0, 3")),
    *(f"{name}({how})" for name in ("maximum_filter1d", "minimum_filter1d")
      for how in ("m, 3", "m, 3, 0, mode='constant', cval=0.2", "v, 2, mode='mirror', origin=-1")),
    "percentile_filter(m, 30, 3)", "percentile_filter(v, -20.5, size=3, mode='constant')",
    "rank_filter(m, 2, 3)", "rank_filter(m, -1, footprint=np.ones((2, 2)))",
    *(f"{name}({how})" for name in ("gaussian_laplace", "gaussian_gradient_magnitude")
      for how in ("m, 0.8", "m, [0.5, 1.0], mode='constant', cval=0.3", "v, 1.0, truncate=2.0",
                  "m, 1.0, mode=['wrap', 'nearest']")),
)] + [f"scipy.signal.{call}" for call in (
    "periodogram(z)", "periodogram(z, 2.0, 'hann', 8, 'linear', scaling='spectrum')",
    "periodogram(m, axis=0, detrend=False)", "periodogram(z, nfft=3)",
    "periodogram(v, return_onesided=False)", "periodogram(v, window=p)", "periodogram(one)",
    "welch(m, nperseg=2, axis=0)", "welch(long, 2.0, nperseg=5, noverlap=3, nfft=7)",
    "welch(long, window=g, detrend='linear', return_onesided=False)", "medfilt2d(m)",
    "medfilt2d(m, (1, 3))", "resample_poly(v, 3, 2)", "resample_poly(m, 2, 6, axis=1)",
    "resample_poly(z, 5, 3, window='hamming')", "resample_poly(z, 2, 2)",
    "resample_poly(z, 1, 3, window=b3)", "decimate(long, 2, 3)",
    "decimate(longs, 3, axis=1, ftype='fir', n=4)", "decimate(longs.T, 2, 2, axis=0)",
    "decimate(long, 2, zero_phase=False)", "decimate(long, 3, ftype='fir', zero_phase=False)",
)]  # fmt: skip


def parts(found: Any) -> list[Any]:
    return list(found) if isinstance(found, tuple) else [found]


@pytest.mark.parametrize("call", CALLS)
def test_the_same_is_written(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name = call.partition("(")[0]
    theirs = eval(name)
    if (ours := written(theirs)) is None:
        pytest.skip("this SciPy has no such function")
    home = importlib.import_module(ours.__module__)
    scope = {**POOL, "np": np, "scipy": scipy}
    try:
        expected = eval(call, scope)
    except TypeError:
        pytest.skip("this SciPy has no such keyword")
    for same in (False, True):
        if same:  # not what SciPy computed, but what is written beside it
            monkeypatch.setattr(home, "valued", lambda found, beside: beside)
        found = eval(call.replace(name, "ours", 1), {**scope, "ours": ours})
        for part, other in zip(parts(found), parts(expected), strict=True):
            one = part
            assert np.shape(one) == np.shape(other)
            if "companion" in name:  # of which some elements are fixed
                one = np.where(np.equal(other, 1.0), 1.0, one)
            np.testing.assert_allclose(one, other, atol=1e-9)
            assert same or np.array_equal(one, other)
            # of what is single only in SciPy's result, it would be known to be double
            assert np.asarray(one).dtype == np.asarray(other).dtype
    assert form_of(theirs) is not None


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS)
def test_of_single_precision(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name = call.partition("(")[0]
    theirs = eval(name)
    if (ours := written(theirs)) is None:
        pytest.skip("this SciPy has no such function")
    if any(name in call for name in ("decimate", "resample_poly", "power(q, 0.5)", "power(q2")):
        pytest.skip("it is not known which precision it has, or it is refused")
    home = importlib.import_module(ours.__module__)
    single = {n: np.float32(a) if isinstance(a, np.ndarray) and a.dtype.kind == "f" else a
              for n, a in POOL.items()}  # fmt: skip
    scope = {**single, "np": np, "scipy": scipy, "ours": ours}
    try:
        expected = parts(eval(call, scope))
    except TypeError:
        pytest.skip("it is not for these")
    monkeypatch.setattr(home, "valued", lambda found, beside: beside)
    for one, other in zip(parts(eval(call.replace(name, "ours", 1), scope)), expected, strict=True):
        wide = np.asarray(one).dtype == np.float64
        assert np.asarray(other).dtype == np.float64 or not wide


@pytest.mark.parametrize("module", ["linalg", "ndimage", "optimize", "signal", "stats"])
def test_all_of_them_are_called(module: str) -> None:
    called = {call.partition("(")[0] for call in CALLS}
    home = importlib.import_module(f"adtrans.rules.written.{module}")
    assert {f"scipy.{module}.{theirs.__name__}" for theirs, _ in home.FUNCTIONS} <= called


def test_they_are_listed_as_what_is_differentiated_through() -> None:
    status = {e.name: e.status for e in rule_listing.survey(scipy.linalg)}
    assert status["scipy.linalg.polar"] == status["scipy.linalg.companion"] == "through"


MATRIX = scipy.sparse.csr_matrix(np.diag([3.0, 4.0, 5.0]) + np.diag([0.3, 0.4], 1))
OPERATOR = scipy.sparse.linalg.aslinearoperator(np.diag([3.0, 4.0, 5.0]))
X = np.array([0.6, 1.3, 0.9, 0.2, 1.1])
IMAGE = np.array([[0.4, 1.2, 0.9], [0.7, 0.1, 1.6], [1.1, 0.8, 0.3]])


def unitary(a: Any) -> Any:
    u, p = scipy.linalg.polar(a)
    p[0] *= 2
    return np.sum(u * a) + np.sum(p**3)


def brightest(a: Any) -> Any:
    found = scipy.ndimage.maximum_filter(a, 2)
    found[0] = found[1] * a[0]
    return found


def spectrum(x: Any) -> Any:
    frequencies, power = scipy.signal.welch(x, fs=2.0, nperseg=4)
    return np.sum(power * frequencies)


def approached(b: Any) -> Any:
    y, _ = scipy.sparse.linalg.gmres(MATRIX, b, rtol=1e-12)
    return y * b[0]


def approached_by_products(b: Any) -> Any:
    return scipy.sparse.linalg.cg(OPERATOR, b * b, rtol=1e-12)[0]


def in_degrees(x: Any) -> Any:
    return np.angle(x + 1j * x**2, deg=True)


PROGRAMS: list[tuple[Callable[..., Any], Any]] = [
    (unitary, IMAGE), (brightest, IMAGE), (spectrum, X), (approached, X[:3]),
    (approached_by_products, X[:3]), (in_degrees, X[:2]),
]  # fmt: skip


@pytest.mark.parametrize(("f", "x"), [
    pytest.param(f, x, marks=[pytest.mark.slow] if k not in (1, 3) else []) for k, (f, x) in
    enumerate(PROGRAMS)
])  # fmt: skip
def test_in_programs(f: Callable[..., Any], x: Any) -> None:
    check_grads(f, (x.copy(),), on_overwrite="save")
    value, _ = ad.vjp(ad.differentiable(f, on_overwrite="save"), x.copy())
    assert np.array_equal(value, f(x.copy()))


@pytest.mark.slow
@pytest.mark.parametrize("f", [p[0] for p in PROGRAMS[2:]])
def test_twice(f: Callable[..., Any]) -> None:
    check_grads(f, (X[:3] if f is not spectrum else X,), order=2)


def by_window(x: Any) -> Any:
    return scipy.signal.welch(x, window=x[:3])[1]


def by_rate(x: Any) -> Any:
    return scipy.signal.periodogram(X, x[0])[1]


def by_filter(x: Any) -> Any:
    return scipy.signal.resample_poly(X, 2, 3, window=x)


def into(x: Any) -> Any:
    found = np.zeros(5)
    scipy.ndimage.maximum_filter(x, 3, output=found)
    return found * x


def by_matrix(x: Any) -> Any:
    return scipy.sparse.linalg.cg(np.diag(x), X)[0]


@pytest.mark.parametrize("f", [
    *(pytest.param(f, marks=pytest.mark.slow) for f in (by_window, by_rate)), by_filter, into,
    by_matrix,
])  # fmt: skip
def test_what_must_not_vary_is_refused(f: Callable[..., Any]) -> None:
    with pytest.raises(ad.CompileError) as caught:
        ad.vjp(f, X.copy())
    problem = caught.value.diagnostics[0]
    assert problem.code == "AD401"
    said = "some only may vary" if f is not into else "has a derivative in the form"
    assert said in str(problem.why)


@pytest.mark.slow
def test_an_option_that_has_no_derivative_is_an_error() -> None:
    def by_function(x):
        return scipy.signal.periodogram(x, detrend=np.sin)[1]

    with pytest.raises(ad.AdtransError, match="detrend"):
        ad.vjp(by_function, X.copy())


def test_a_singular_matrix_has_no_density() -> None:
    def density(x):
        return scipy.stats.multivariate_t.logpdf(x, np.zeros(2), np.ones((2, 2)), 3.0)

    with pytest.raises(ad.AdtransError, match="singular"):
        ad.vjp(density, np.array([0.5, 0.5]))
