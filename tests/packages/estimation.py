"""Filters, smoothers and volatility models."""

from __future__ import annotations

import numpy as np

from tests.packages.model import Program, package

F = np.array([[1.0, 0.1], [0.0, 1.0]])
H = np.array([[1.0, 0.0]])
Q = np.array([[0.02, 0.01], [0.01, 0.03]])
P0 = np.array([[1.0, 0.2], [0.2, 2.0]])
X0 = np.array([0.3, -0.4])
COLUMN = X0[:, None]
Z = np.array([0.5, 0.45, 0.3, 0.2])


@package("filterpy", "kalman.predict", "scalar or array arguments, defaults that are numbers")
def predict():
    from filterpy.kalman import predict

    return Program(predict, (COLUMN, P0, F, Q), ("x", "P", "F", "Q"))


@package("filterpy", "kalman.update", "bare `except` around a solve, several results")
def update():
    from filterpy.kalman import update

    return Program(update, (COLUMN, P0, np.array([[0.5]]), np.array([[0.1]]), H), ("x", "P", "R"))


@package("filterpy", "kalman.KalmanFilter", "a class with fifty attributes, `deepcopy`, a method")
def kalman_filter():
    from filterpy.kalman import KalmanFilter

    def run(zs, q):
        kf = KalmanFilter(dim_x=2, dim_z=1)
        kf.F, kf.H, kf.P = F, H, P0
        kf.x = np.zeros((2, 1))
        kf.Q = q * Q
        for z in zs:
            kf.predict()
            kf.update(z)
        return kf.x

    return Program(run, (Z, 1.3), ("zs", "q"))


@package("filterpy", "kalman.ExtendedKalmanFilter", "functions as arguments of a method")
def extended_filter():
    from filterpy.kalman import ExtendedKalmanFilter

    def jacobian(x):
        return np.array([[2.0 * x[0, 0], 0.0]])

    def measured(x):
        return np.array([[x[0, 0] ** 2]])

    def run(zs):
        kf = ExtendedKalmanFilter(dim_x=2, dim_z=1)
        kf.x, kf.F, kf.P = np.array([[1.0], [0.1]]), F, P0
        for z in zs:
            kf.predict()
            kf.update(np.array([[z]]), jacobian, measured)
        return kf.x

    return Program(run, (Z,))


@package("filterpy", "gh.GHFilter", "a class with attributes that are numbers, a returned pair")
def gh_filter():
    from filterpy.gh import GHFilter

    def run(zs, g):
        f = GHFilter(x=0.0, dx=0.1, dt=1.0, g=g, h=0.02)
        total = 0.0
        for z in zs:
            x, dx = f.update(z)
            total = total + x * dx
        return total

    return Program(run, (Z, 0.6), ("zs", "g"))


@package("filterpy", "kalman.unscented_transform", "`dot` of weights and points, a default None")
def unscented():
    from filterpy.kalman import unscented_transform

    rng = np.random.default_rng(1)
    w = np.array([0.2, 0.3, 0.1, 0.2, 0.2])
    return Program(unscented_transform, (rng.normal(size=(5, 2)), w, w.copy(), Q), ("sigmas", "Wm"))


@package("filterpy", "kalman.MerweScaledSigmaPoints", "a method with `scipy.linalg.cholesky`")
def sigma_points():
    from filterpy.kalman import MerweScaledSigmaPoints

    points = MerweScaledSigmaPoints(2, alpha=0.4, beta=2.0, kappa=1.0)
    return Program(points.sigma_points, (X0, P0), ("x", "P"))


@package("filterpy", "common.Q_discrete_white_noise", "tables of lists chosen by an integer")
def white_noise():
    from filterpy.common import Q_discrete_white_noise

    return Program(Q_discrete_white_noise, (3, 0.4, 1.2), ("dt", "var"))


@package("simdkalman", "primitives.predict", "a decorator, starred generator, `any` of a list")
def simd_predict():
    from simdkalman.primitives import predict

    def run(x, p, q):
        mean, covariance = predict(x, p, F, q)
        return mean, covariance

    return Program(run, (X0, P0, Q), (0, 1, 2))


@package("simdkalman", "primitives.smooth", "a decorated helper that returns a list")
def simd_smooth():
    from simdkalman.primitives import smooth

    return Program(smooth, (X0, P0, F, Q, X0 + 0.1, 0.8 * P0), (0, 1, 4, 5))


@package("pykalman", "standard._filter", "rows of arrays of three axes as targets, callees")
def pykalman_filter():
    from pykalman.standard import _filter

    zero = np.zeros(2)
    args = F, H, Q, np.array([[0.1]]), zero, np.zeros(1), X0, P0, Z[:, None]
    return Program(_filter, args, (2, 3, 6, 7, 8))


@package("pykalman", "standard._smooth", "a reversed loop over several arrays")
def pykalman_smooth():
    from pykalman.standard import _smooth

    rng = np.random.default_rng(2)
    mean = rng.normal(size=(4, 2))
    cov = np.array([P0 * (1.0 + 0.1 * k) for k in range(4)])
    return Program(_smooth, (F, mean, cov, mean + 0.1, 1.2 * cov), (1, 2, 3, 4))


@package("arch", "recursions_python.garch_recursion_python", "an argument filled, a jitted helper")
def garch():
    from arch.univariate.recursions_python import garch_recursion_python

    rng = np.random.default_rng(3)
    r = rng.normal(size=8)
    bounds = np.tile([1e-6, 1e6], (8, 1))
    args = np.array([0.05, 0.1, 0.8]), r**2, np.sign(r), np.zeros(8)
    return Program(garch_recursion_python, (*args, 1, 0, 1, 8, 1.0, bounds), (0, 1))


@package("arch", "recursions_python.egarch_recursion_python", "three buffers that are filled")
def egarch():
    from arch.univariate.recursions_python import egarch_recursion_python

    rng = np.random.default_rng(3)
    r = rng.normal(size=8)
    bounds = np.tile([1e-6, 1e6], (8, 1))
    args = np.array([0.05, 0.1, -0.1, 0.8]), r, np.zeros(8)
    buffers = bounds, np.zeros(8), np.zeros(8), np.zeros(8)
    return Program(egarch_recursion_python, (*args, 1, 1, 1, 8, 0.1, *buffers), (0, 1))


@package("arch", "recursions_python.figarch_weights_python", "an allocated buffer, a recurrence")
def figarch():
    from arch.univariate.recursions_python import figarch_weights_python

    return Program(figarch_weights_python, (np.array([0.2, 0.4, 0.1]), 1, 1, 6))


@package("padasip", "filters.FilterLMS", "a class from a package, its `run` loop over rows")
def lms():
    import padasip

    def run(d, x):
        f = padasip.filters.FilterLMS(n=2, mu=0.1, w=np.array([0.1, 0.2]))
        _, e, _ = f.run(d, x)
        return np.sum(e * e)

    rng = np.random.default_rng(4)
    return Program(run, (rng.normal(size=5), rng.normal(size=(5, 2))), ("d", "x"))


@package("statsmodels", "tsa.filters.hpfilter", "a sparse solve, a wrapper for data frames")
def hp_filter():
    from statsmodels.tsa.filters.hp_filter import hpfilter

    return Program(hpfilter, (np.array([1.0, 2.0, 1.5, 2.5, 3.0, 2.0]), 10.0), ("x",))
