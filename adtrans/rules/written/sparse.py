"""Functions of `scipy.sparse.linalg`, in Python: what they approach is the solution of a system."""

from __future__ import annotations

from typing import Any

from scipy.sparse import linalg

from adtrans.runtime.with_scipy.sparse_systems import solution_of
from adtrans.runtime.with_scipy.written import as_computed


def cg(
    A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, maxiter: Any = None,
    M: Any = None,
) -> Any:  # fmt: skip
    """`scipy.sparse.linalg.cg`."""
    found = as_computed(linalg.cg, A, b, x0, rtol=rtol, atol=atol, maxiter=maxiter, M=M)
    return solution_of(found[0], A, b), found[1]


def bicg(
    A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, maxiter: Any = None,
    M: Any = None,
) -> Any:  # fmt: skip
    """`scipy.sparse.linalg.bicg`."""
    found = as_computed(linalg.bicg, A, b, x0, rtol=rtol, atol=atol, maxiter=maxiter, M=M)
    return solution_of(found[0], A, b), found[1]


def bicgstab(
    A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, maxiter: Any = None,
    M: Any = None,
) -> Any:  # fmt: skip
    """`scipy.sparse.linalg.bicgstab`."""
    found = as_computed(linalg.bicgstab, A, b, x0, rtol=rtol, atol=atol, maxiter=maxiter, M=M)
    return solution_of(found[0], A, b), found[1]


def gmres(
    A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, restart: Any = None,
    maxiter: Any = None, M: Any = None,
) -> Any:  # fmt: skip
    """`scipy.sparse.linalg.gmres`."""
    found = as_computed(linalg.gmres, A, b, x0, rtol=rtol, atol=atol, restart=restart,
                        maxiter=maxiter, M=M)  # fmt: skip
    return solution_of(found[0], A, b), found[1]


FUNCTIONS: tuple[tuple[object, Any], ...] = (
    (linalg.bicg, bicg), (linalg.bicgstab, bicgstab), (linalg.cg, cg), (linalg.gmres, gmres),
)  # fmt: skip
