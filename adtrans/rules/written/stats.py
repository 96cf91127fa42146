"""Methods of distributions of `scipy.stats`, in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg, special, stats

from adtrans.runtime.updates import valued
from adtrans.runtime.with_scipy.written import as_computed, one_of


def multivariate_t(x: Any, loc: Any, shape: Any, df: Any = 1) -> Any:
    """`scipy.stats.multivariate_t.logpdf`, with a matrix for the shape."""
    found = as_computed(stats.multivariate_t.logpdf, x, loc, shape, df)
    one_of("number of axes of shape", np.ndim(shape), (2,))
    size = np.shape(shape)[0]
    rows = np.atleast_2d(x - loc)
    far = np.sum(np.linalg.solve(shape, rows.T).T * rows, axis=-1)
    half = 0.5 * (df + size)
    scale = special.gammaln(half) - special.gammaln(0.5 * df) - 0.5 * size * np.log(df * np.pi)
    same = scale - 0.5 * np.linalg.slogdet(shape)[1] - half * np.log1p(far / df)
    return valued(found, np.reshape(same, np.shape(x)[:-1]))


def wishart(x: Any, df: Any, scale: Any) -> Any:
    """`scipy.stats.wishart.logpdf`, of one matrix: as SciPy, it reads one triangle of both."""
    found = as_computed(stats.wishart.logpdf, x, df, scale)
    one_of("number of axes of x", np.ndim(x), (2,))
    size = np.shape(scale)[0]
    factor = linalg.cholesky(scale, lower=True)
    log_x = 2 * np.sum(np.log(np.diag(linalg.cholesky(x, lower=True))))
    log_scale = 2 * np.sum(np.log(np.diag(factor)))
    trace = np.trace(linalg.cho_solve((factor, True), x))
    whole = 0.5 * df * size * np.log(2.0) + 0.5 * df * log_scale
    same = 0.5 * (df - size - 1) * log_x - 0.5 * trace - whole
    return valued(found, same - special.multigammaln(0.5 * df, size))


FUNCTIONS: tuple[tuple[object, Any], ...] = (
    (stats.multivariate_t.logpdf, multivariate_t), (stats.wishart.logpdf, wishart),
)  # fmt: skip
