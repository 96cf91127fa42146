"""Solutions of systems that are found step by step, with sparse matrices that do not vary."""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.failures import DerivativeError


def solved_exactly(m: Any, g: Any) -> Any:
    """The solution of a system with a sparse matrix, an array, or what only multiplies."""
    import scipy.sparse.linalg

    if isinstance(m, scipy.sparse.linalg.LinearOperator):
        found, failed = scipy.sparse.linalg.gmres(m, g, rtol=1e-12, atol=0.0)
        if failed:
            raise DerivativeError("the system has not been solved with the transpose", code="AD604")
        return found
    if scipy.sparse.issparse(m):
        return np.reshape(scipy.sparse.linalg.spsolve(m.tocsc(), g), np.shape(g))
    return np.linalg.solve(np.asarray(m), g)


def solution_of(found: Any, m: Any, b: Any) -> Any:
    """What was found for a system, whose derivative is that of its solution."""
    return found
