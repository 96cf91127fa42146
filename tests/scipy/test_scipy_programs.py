"""Programs that call SciPy: both modes against finite differences; dtypes; arguments stay."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg as la
from scipy import fft, integrate, ndimage, signal, special, stats
from scipy.spatial.distance import cdist
from scipy.stats import norm

import adtrans as ad
from adtrans.testing import check_grads

RNG = np.random.default_rng(4)
S = RNG.normal(size=(4, 4))
Q = S @ S.T + 4 * np.eye(4)
R = S + 3 * np.eye(4)
V, M = RNG.normal(size=4), RNG.normal(size=(4, 2))
TALL, SIX = RNG.normal(size=(6, 4)), RNG.normal(size=6)


def choleski_solve(a, b):
    return np.sum(la.cho_solve(la.cho_factor(a), b) ** 3)


def factor_unpacked(a, b):
    c, lower = la.cho_factor(a, lower=True)
    return np.sum(la.cho_solve((c, lower), b) ** 3) + np.sum(c**2)


def factor_used_again(a, b):
    factor = la.lu_factor(a)
    x = b
    for _ in range(3):
        x = la.lu_solve(factor, x)
    return np.sum(x**3)


def least_squares(a, b):
    q, r = la.qr(a, mode="economic")
    return np.sum(la.solve_triangular(r, q.T @ b) ** 2)


def pair_of_matrices(a, b):
    w, v = la.eigh(a, b)
    return np.sum(w**3) + np.sum(v**4)


def entropy(x):
    p = special.softmax(x)
    return np.sum(special.entr(p)) - special.logsumexp(x)


def stored(x):
    y = np.zeros(4)
    special.erf(x, out=y)
    return np.sum(y * x)


def log_likelihood(p):
    return np.sum(norm.logpdf(SIX, p[0], np.exp(p[1]))) + stats.gamma.logpdf(2.0, np.exp(p[2]))


def gaussian_points(x, mean, cov):
    """One point gives a number, several give an array: what is known of the result is nothing."""
    return np.sum(stats.multivariate_normal.logpdf(x, mean, cov))


def filtered(b, a, x):
    y = signal.lfilter(b, a, x)
    return np.sum(signal.fftconvolve(y, b, mode="same") ** 2)


def blurred(image):
    out = np.zeros(image.shape)
    ndimage.gaussian_filter(image, 1.3, output=out, mode="nearest")
    return np.sum(out**2) + np.sum(ndimage.convolve(image, np.ones((3, 3)), mode="wrap") ** 3)


def energy(x, y):
    return np.sum(np.exp(-cdist(x, y))) + integrate.simpson(x[:, 0] ** 2)


PROGRAMS = {
    "likelihood": (log_likelihood, (np.array([0.3, 0.2, 0.5]),)),
    "points": (gaussian_points, (TALL, V, Q)), "a point": (gaussian_points, (TALL[:1], V, Q)),
    "filter": (filtered, (np.array([1.0, 0.5]), np.array([1.2, -0.3, 0.1]), SIX)),
    "image": (blurred, (TALL,)), "distances": (energy, (TALL, S)),
    "cholesky": (choleski_solve, (Q, V)), "cholesky, columns": (choleski_solve, (Q, M)),
    "unpacked": (factor_unpacked, (Q, M)), "again": (factor_used_again, (R, V)),
    "qr": (least_squares, (TALL, SIX)), "pair": (pair_of_matrices, (S + S.T, Q)),
    "expm": (lambda a: np.sum(la.expm(0.1 * a) ** 2), (S,)),
    "sqrtm": (lambda a: np.sum(la.sqrtm(a) ** 2), (Q,)),
    "positive definite": (lambda a, b: np.sum(la.solve(a, b, assume_a="pos") ** 3), (Q, V)),
    "toeplitz": (lambda c, r: np.sum(la.toeplitz(c, r) ** 3), (V, SIX)),
    "blocks": (lambda a, b: np.sum(la.block_diag(a, b, b) ** 3), (S, M)),
    "entropy": (entropy, (V,)), "out": (stored, (V,)),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    f, args = PROGRAMS[name]
    rng = np.random.default_rng(1)
    before = [a.copy() for a in args]
    dots = tuple(rng.normal(size=a.shape) for a in args)
    step = 1e-6
    above = f(*[a + step * d for a, d in zip(args, dots, strict=True)])
    below = f(*[a - step * d for a, d in zip(args, dots, strict=True)])
    expected = (above - below) / (2 * step)
    y, tangent = ad.jvp(f, args, dots)
    value, pullback = ad.vjp(f, *args)
    assert y == value == f(*args)
    assert tangent == pytest.approx(expected, rel=1e-6)
    for _ in range(2):
        bars = pullback(1.0)
        bars = bars if isinstance(bars, tuple) else (bars,)
        total = sum(np.sum(b * d) for b, d in zip(bars, dots, strict=True))
        assert total == pytest.approx(tangent, rel=1e-9)
    for a, b in zip(args, before, strict=True):
        np.testing.assert_array_equal(a, b)


def test_single_precision_stays_single() -> None:
    single = (Q.astype(np.float32), V.astype(np.float32))
    for f in (choleski_solve, factor_used_again):
        bars = ad.grad(f, wrt=(0, 1))(*single)
        assert [b.dtype for b in bars] == [np.float32, np.float32]
        for b, full in zip(bars, ad.grad(f, wrt=(0, 1))(Q, V), strict=True):
            np.testing.assert_allclose(b, full, rtol=1e-3, atol=1e-4)


def filters_that_are_numbers(a, b):
    y = signal.lfilter(b[0], [1.0, 0.2], a[0]) + signal.lfilter([1.0, 0.5], b[1], a[1])
    return np.sum(y**2)


def test_a_filter_may_be_a_number() -> None:
    check_grads(filters_that_are_numbers, (Q, V + 2.0), wrt=(0, 1))


def overwrites_temporaries(a, b):
    x = la.solve(a @ a.T + np.eye(4), b + 1.0, overwrite_a=True, overwrite_b=True)
    factor = la.cho_factor(a * 1.0, overwrite_a=True)
    return np.sum(la.cho_solve(factor, x.copy(), overwrite_b=True) ** 2)


def overwrites_arguments(a, b):
    x = la.solve(np.eye(4) + 1.0, b.copy(), overwrite_b=True)
    return np.sum(la.lu_factor(a, True)[0]) + np.sum(x)


def overwrites_a_matrix(a):
    return np.sum(la.eigvalsh(a, overwrite_a=True))


def overwrites_in_a_loop(a, b):
    x = b.copy()
    for k in range(3):
        x = la.lu_solve(la.lu_factor(a + k), x.copy(), overwrite_b=True)
    return np.sum(x**2) + np.sum(fft.dct(b * b, overwrite_x=True) ** 3)


def overwrites_and_reads(a, b):
    c = a.copy(order="F")
    x = la.solve(c, b, overwrite_a=True)
    return np.sum(x) + np.sum(c)


def result_in_the_memory_of_an_operand(a, b):
    x = la.solve(a, b, overwrite_b=True)
    b[:] = 0.0
    return np.sum(x * x)


def result_and_operand_are_read(a, b):
    x = la.cho_solve(la.cho_factor(a), b, overwrite_b=True)
    x[0] = x[1] * x[2]
    return np.sum(x**2) * np.sum(b)


def factor_in_the_memory_of_a_matrix(a, b):
    c = np.array(a, order="F")
    factor = la.lu_factor(c, overwrite_a=True)
    return np.sum(la.lu_solve(factor, b) ** 2) + np.sum(c)


def q_in_the_memory_of_a_matrix(a, b):
    c = a.copy(order="F")
    q, r = la.qr(c, mode="economic", overwrite_a=True)
    return np.sum(q * r) + np.sum(c)


def one_of_a_tuple_and_an_operand_is_written(a, b):
    c = a.copy(order="F")
    q, r = la.qr(c, mode="economic", overwrite_a=True)
    c[0] = b
    return np.sum(q * r)


def vectors_in_the_memory_of_the_other_matrix(a, b):
    c = np.asfortranarray(a) * 1.0
    d = np.asfortranarray(a @ a.T)
    w, v = la.eigh(d.copy(order="F"), c, overwrite_b=True)
    return np.sum(w**2) + np.sum(v**4)


def spectrum_in_the_memory_of_a_signal(a, b):
    c = b * a[0]
    d = fft.dct(c, overwrite_x=True)
    c[0] = 1.0
    return np.sum(d**3) * c[1]


def part_of_the_memory_of_a_matrix(a, b):
    c = np.asfortranarray(a[:3])
    q, r = la.qr(c, mode="economic", overwrite_a=True)
    return np.sum(q @ r)


def overwrites_by_a_test(a, b):
    c = b * 1.0
    x = la.solve(a, c, overwrite_b=b[0] > 0.0)
    return np.sum(x) ** 2 * np.sum(c)


def overwrites_a_view(a, b):
    return np.sum(la.solve(a.T[:3, :3], b[:3].copy(), overwrite_a=True))


def entropy_of_two_shapes(a, b):
    return np.sum(stats.entropy(a * a, (a * a)[:, :1]))


def overwrites_by_a_variable(a, b, flag=True):
    return np.sum(la.solve(a, b, overwrite_b=flag))


def overwrites_what_is_needed(a, b):
    weights = np.array([3.0, 1.0, 2.0, 0.0])
    y = np.sum(a[0] * weights)
    return y * np.median(weights, overwrite_input=True)


def overwrites_what_is_not(a, b):
    scratch = np.arange(4.0)
    return np.sum(a * a) * np.median(scratch, overwrite_input=True)


def test_scratch_memory() -> None:
    for f in (overwrites_temporaries, overwrites_in_a_loop):
        check_grads(f, (Q, V), wrt=(0, 1))
    mine = Q.copy()
    ad.vjp(overwrites_a_view, mine, V)
    theirs = Q.copy()
    overwrites_a_view(theirs, V)
    np.testing.assert_array_equal(mine, theirs)
    check_grads(overwrites_arguments, (Q, V), wrt=(0, 1))
    with pytest.raises(ad.DerivativeError, match="different shapes"):
        ad.grad(entropy_of_two_shapes)(Q, V)
    with pytest.raises(ad.DerivativeError, match="read after a call with `overwrite_a=True`"):
        ad.grad(overwrites_and_reads)(Q, V)
    for given in (Q, np.asfortranarray(Q)):
        check_grads(one_of_a_tuple_and_an_operand_is_written, (given, V), wrt=(0, 1))
    with pytest.raises(ad.DerivativeError, match="a part of the memory"):
        ad.grad(part_of_the_memory_of_a_matrix)(Q, V)
    with pytest.raises((ad.CompileError, ad.MutationError)):
        ad.grad(overwrites_what_is_needed)(Q, V)
    np.testing.assert_allclose(ad.grad(overwrites_what_is_not)(Q, V), 3.0 * Q)


@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
@pytest.mark.parametrize("f", [
    result_in_the_memory_of_an_operand, result_and_operand_are_read, overwrites_by_a_variable,
    factor_in_the_memory_of_a_matrix, q_in_the_memory_of_a_matrix, overwrites_by_a_test,
    vectors_in_the_memory_of_the_other_matrix, spectrum_in_the_memory_of_a_signal,
])  # fmt: skip
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_result_in_the_memory_of_an_operand(f, on_overwrite, order) -> None:
    def given():
        return np.array(Q, order=order), V.copy()

    expected, run = given(), given()
    value, pull = ad.vjp(f, *run, on_overwrite=on_overwrite)
    assert value == f(*expected)
    for a, b in zip(run, expected, strict=True):
        np.testing.assert_array_equal(a, b)
    bars = pull(1.0)
    dots = np.cos(np.arange(16.0)).reshape(4, 4), np.sin(np.arange(4.0))
    ends = []
    for h in (1e-6, -1e-6):
        pairs = zip(given(), dots, strict=True)
        ends.append(f(*(np.array(a + h * d, order=order) for a, d in pairs)))
    slope = sum(np.sum(a * d) for a, d in zip(bars, dots, strict=True))
    assert slope == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6)
    assert ad.jvp(f, given(), dots)[1] == pytest.approx(slope, rel=1e-9)


def test_what_is_left_in_scratch_memory_stays_there() -> None:
    given, again = np.asfortranarray(Q), np.asfortranarray(Q)
    assert ad.vjp(overwrites_a_matrix, again)[0] == overwrites_a_matrix(given)
    np.testing.assert_array_equal(given, again)
    assert not np.array_equal(given, Q)


def solves_and_reads(a, b):
    return np.sum(la.solve(a, b, overwrite_b=True) ** 2) * np.sum(b)


def factors_and_reads(a, b):
    return np.sum(la.cho_solve(la.cho_factor(a), b, overwrite_b=True) ** 2) * np.sum(b)


@pytest.mark.parametrize("f", [solves_and_reads, factors_and_reads])
def test_a_read_only_operand_that_scipy_overwrites_all_the_same_is_refused(f) -> None:
    given, again = V.copy(), V.copy()
    given.flags.writeable = again.flags.writeable = False
    value = f(Q, given)
    if np.array_equal(given, V):  # as the flag says: some functions do not look at it
        assert ad.vjp(f, Q, again)[0] == value
    else:
        with pytest.raises(ad.DerivativeError, match="although it is read-only"):
            ad.vjp(f, Q, again)
    np.testing.assert_array_equal(again, V)


def frozen_at_once(m, s):
    return np.sum(stats.norm(m, scale=s).logpdf(V)) + norm(loc=s).cdf(0.3) * stats.gamma(2.0).sf(m)


def frozen_in_a_variable(m, s):
    d = stats.norm(m, scale=s * s)
    e = norm(0.0, 2.0)
    return np.sum(d.logpdf(V)) + d.cdf(m * s) * e.pdf(s) + stats.poisson(s).logpmf(3)


@pytest.mark.parametrize("f", [frozen_at_once, frozen_in_a_variable])
def test_frozen_distributions(f) -> None:
    check_grads(f, (0.4, 1.3))
    assert ad.value_and_grad(f)(0.4, 1.3)[0] == f(0.4, 1.3)


def test_a_frozen_distribution_that_goes_elsewhere_is_left_alone() -> None:
    def mean(m):
        d = stats.norm(m, 2.0)
        return d.logpdf(0.3) + d.mean()

    with pytest.raises(ad.CompileError) as caught:
        ad.grad(mean)(0.4)
    assert caught.value.diagnostics[0].code == "AD401"


def test_the_parameters_of_a_frozen_distribution_come_first() -> None:
    seen = []

    def noted(v):
        seen.append(v)
        return v

    def f(m):
        return stats.norm(noted(m), 1.0).logpdf(noted(0.3))

    f(0.4)
    expected, seen[:] = list(seen), []
    with pytest.raises(ad.CompileError):
        ad.grad(f)(0.4)
    assert expected == [0.4, 0.3] and not seen
