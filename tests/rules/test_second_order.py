"""Second derivatives through rules: right, or refused."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad

X = np.array([0.2, -0.7, 1.3, 0.9, -1.6, 0.5])
MASK = np.array([True, False, True, True, False, True])


def squeezed(x):  # the lists of shapes that its derivative keeps hold no numbers that vary
    y, s = x * x, 0.0
    for _ in range(2):
        s = s + np.sum(np.squeeze(y[None]) * X)
        y = y * x
    return s


TWICE = {
    "var": lambda x: np.var(x) ** 2,
    "std": lambda x: np.std(x),
    "max": lambda x: np.max(x) ** 3,
    "min along an axis": lambda x: np.sum(np.min(np.reshape(x, (2, 3)), axis=0) ** 2),
    "quantile": lambda x: np.quantile(x, 0.4) ** 3,
    "diff": lambda x: np.sum(np.diff(x) ** 3),
    "interp": lambda x: np.sum(np.interp(x, np.arange(-2.0, 3), np.arange(5.0) ** 2) ** 2),
    "sort": lambda x: np.sum(np.sort(x) ** 3 * np.arange(6.0)),
    "logaddexp.reduce": lambda x: np.logaddexp.reduce(x),
    "cumsum": lambda x: np.sum(np.cumsum(x) ** 3),
    "outer": lambda x: np.sum(np.subtract.outer(x, x) ** 4),
    "unique": lambda x: np.sum(np.unique(x) ** 3),
    "insert": lambda x: np.sum(np.insert(x, 2, x[0] ** 2) ** 3),
    "poly": lambda x: np.sum(np.poly(x) ** 2),
    "nanmean": lambda x: np.nanmean(x) ** 3,
    "sum where": lambda x: np.sum(x**3, where=x > 0),
    "mean where": lambda x: np.mean(x**3, where=MASK) * np.std(x, where=MASK),
    "average": lambda x: np.average(x**2, weights=np.exp(x)),
    "average along an axis": lambda x: np.sum(
        np.average(np.multiply.outer(x, x**2), axis=1, weights=np.cos(x)) ** 2),
    "sum of weights": lambda x: np.average(x, weights=x * x, returned=True)[1] ** 2,
    "gradient": lambda x: np.sum(np.gradient(x[:4], x[5]) ** 2),
    "of no known shape": lambda x: squeezed(x),
    "take": lambda x: np.sum(np.take(x, [0, 1, 1]) ** 3),
    "tile": lambda x: np.sum(np.tile(x, 2) ** 3),
    **{f"norm {order} of a vector": lambda x, order=order: np.linalg.norm(x, order) ** 3
       for order in (1, 2, 3, -1, 0.5, np.inf)},
    **{f"norm {order} of matrices": lambda x, order=order: np.sum(
        np.linalg.norm(np.multiply.outer(x, x[:3]) + np.eye(6)[:, :3], order, axis=(0, 1)) ** 3)
       for order in ("fro", "nuc", 1, -1, 2, -2, np.inf)},
    "vander": lambda x: np.sum(np.vander(x, 3) ** 2),
}


@pytest.mark.parametrize("name", TWICE)
def test_hessian(name: str) -> None:
    f, step = TWICE[name], 1e-5
    gradient = ad.grad(f)
    rows = [(gradient(X + step * u) - gradient(X - step * u)) / (2 * step) for u in np.eye(len(X))]
    scale = 1.0 + np.max(np.abs(rows))
    np.testing.assert_allclose(ad.hessian(f)(X.copy()), rows, atol=1e-7 * scale)


def test_sinc_at_zero_and_near_it() -> None:
    def f(x):
        return np.sum(np.sinc(x))

    for x, expected in ((0.0, -np.pi**2 / 3), (1e-8, -np.pi**2 / 3)):
        for found in (ad.hvp(f, (x,), (1.0,)), ad.grad(ad.grad(f))(x)):
            np.testing.assert_allclose(found, expected, rtol=1e-12)
    third = ad.grad(ad.grad(ad.grad(f)))
    np.testing.assert_allclose(third(1e-3), np.pi**4 / 5 * 1e-3, rtol=1e-5)
    for x in (np.array([0.3, 0.49, 0.51, -0.7, 1.02, 2.7]), np.float32(0.3)):
        slope = ad.grad(f)
        step = 1e-5
        expected = (slope(x + step) - slope(x - step)) / (2 * step)
        if x.dtype == np.float64:
            np.testing.assert_allclose(ad.hvp(f, (x,), (np.ones(6),)), expected, rtol=1e-7)
            np.testing.assert_allclose(
                slope(x), (np.cos(np.pi * x) - np.sinc(x)) / x, rtol=1e-12
            )
        assert slope(x).dtype == x.dtype


def test_blocks_on_a_diagonal() -> None:
    linalg = pytest.importorskip("scipy.linalg")

    def f(a, x, s):
        return np.sum(linalg.block_diag(a, x, s, a) ** 3)

    a, x = np.array([[0.4, 0.7, 1.1], [0.3, 0.9, 0.2]]), np.array([1.2, 0.8])
    for wrt, v in (("a", np.ones((2, 3))), ("x", np.ones(2)), ("s", 1.0)):
        at = {"a": a, "x": x, "s": 0.6}
        scale = 12.0 if wrt == "a" else 6.0
        np.testing.assert_allclose(ad.hvp(f, (a, x, 0.6), (v,), wrt=wrt), scale * at[wrt])


def test_quantiles_at_several_shares_that_vary() -> None:
    x, p = np.random.default_rng(0).normal(size=(3, 5)), np.array([0.1, 0.7])
    gradient = ad.grad(lambda x, p: np.sum(np.quantile(x, p, axis=1) ** 2), wrt=(0, 1))
    along, h = ad.jvp(gradient, (x, p), (x, p), wrt=(0, 1))[1], 1e-6
    sides = zip(gradient(x + h * x, p + h * p), gradient(x - h * x, p - h * p), strict=True)
    for found, (above, below) in zip(along, sides, strict=True):
        np.testing.assert_allclose(found, (above - below) / (2 * h), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("axis", [None, 0, (1, 0)])
def test_third_derivatives_of_products(axis):
    def f(x):
        return np.sum(np.prod(np.outer(x, x), axis=axis) ** 2)

    x = np.array([0.3, 1.2])
    slope, step = ad.hessian(f), 1e-5
    third = ad.jacfwd(slope)(x)
    for k, way in enumerate(np.eye(2)):
        expected = (slope(x + step * way) - slope(x - step * way)) / (2 * step)
        np.testing.assert_allclose(third[..., k], expected, rtol=1e-6, atol=1e-6)
