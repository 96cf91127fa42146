"""Slopes of functions of `scipy.special` that take more than a line.

>>> float(gamma_density(1.0, 2.0)) == float(np.exp(-2.0))
True
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.special


def ratio_or_zero(a: Any, b: Any) -> Any:
    """`a / b`, which is 0 where `a` is, as in the slope of `xlogy(a, b)`.

    >>> ratio_or_zero(np.array([0.0, 1.0]), np.array([0.0, 2.0]))
    array([0. , 0.5])
    """
    none = np.equal(a, 0)
    return np.where(none, 0.0, np.divide(a, np.where(none, 1.0, b)))[()]


def exprel_slope(x: Any) -> Any:
    """The slope of `exprel`, `hyp1f1(2, 3, x) / 2`, which SciPy computes of finite numbers only.

    >>> exprel_slope(np.array([0.0, np.inf, -np.inf])).tolist()
    [0.5, inf, 0.0]
    """
    far = np.isinf(x)
    plain = 0.5 * scipy.special.hyp1f1(2, 3, np.where(far, 0.0, x))
    return np.where(far, np.where(np.greater(x, 0), np.inf, 0.0), plain)[()]


def gamma_density(a: Any, x: Any) -> Any:
    """The density of the gamma distribution of shape `a`: the slope of `gammainc`."""
    far = np.equal(x, np.inf)
    inner = np.where(far, 1.0, x)
    log = scipy.special.xlogy(a - 1, inner) - inner - scipy.special.gammaln(a)
    return np.where(far, 0.0, np.exp(log))[()]


def beta_density(a: Any, b: Any, x: Any) -> Any:
    """The density of the beta distribution: the slope of `betainc`."""
    log = scipy.special.xlogy(a - 1, x) + scipy.special.xlog1py(b - 1, -x)
    return np.exp(log - scipy.special.betaln(a, b))


def student_density(df: Any, t: Any) -> Any:
    """The density of Student's distribution: the slope of `stdtr`."""
    log = -0.5 * (df + 1) * np.log1p(t * t / df) - scipy.special.betaln(0.5 * df, 0.5)
    return np.exp(log) / np.sqrt(df)


def fisher_density(dfn: Any, dfd: Any, x: Any) -> Any:
    """The density of the F distribution: the slope of `fdtr`."""
    whole = dfn * x + dfd
    return beta_density(0.5 * dfn, 0.5 * dfd, dfn * x / whole) * dfn * dfd / (whole * whole)


def rgamma_slope(x: Any) -> Any:
    """The slope of `1 / gamma(x)`; it is `(-1) ** n * n!` where that is 0, at `x = -n`."""
    pole = (x <= 0) & (x == np.floor(x))
    n = np.where(pole, -x, 0.0)
    safe = np.where(pole, 1.0, x)
    regular = -scipy.special.rgamma(safe) * scipy.special.digamma(safe)
    return np.where(pole, (-1.0) ** n * scipy.special.gamma(n + 1.0), regular)[()]


def multigammaln_slope(a: Any, d: int) -> Any:
    """The slope of `multigammaln`: a sum of `digamma`."""
    return np.sum(scipy.special.digamma(np.expand_dims(a, -1) - 0.5 * np.arange(d)), axis=-1)


def expn_slope(n: Any, x: Any) -> Any:
    """The slope of `expn`: `-expn(n - 1, x)`; SciPy cuts off what is no integer."""
    n = np.trunc(n)
    first = -np.exp(-x) * (1 + x) / (x * x)
    return np.where(n == 0, first, -scipy.special.expn(np.maximum(n - 1, 0), x))[()]


def voigt_dispersion(x: Any, sigma: Any, gamma: Any) -> Any:
    """The dispersion that belongs to `voigt_profile`: the imaginary part of the same function."""
    place = (np.asarray(x) + 1j * np.asarray(gamma)) / (sigma * np.sqrt(2.0))
    return scipy.special.wofz(place).imag[()] / (sigma * np.sqrt(2.0 * np.pi))
