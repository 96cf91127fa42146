"""Functions of `scipy.linalg`, in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from adtrans.rules.written.elements_at_places import taken
from adtrans.runtime.fresh_updates import valued
from adtrans.runtime.with_scipy.written import as_computed, designed, one_of


def fiedler(a: Any) -> Any:
    """`scipy.linalg.fiedler`."""
    row = np.atleast_1d(a)
    return valued(as_computed(linalg.fiedler, a),
                  np.abs(np.expand_dims(row, -1) - np.expand_dims(row, -2)))  # fmt: skip


def leslie(f: Any, s: Any) -> Any:
    """`scipy.linalg.leslie`, of one population."""
    first = np.atleast_1d(f)
    every = np.concatenate((np.zeros(1, first.dtype), first, np.atleast_1d(s)))
    n = len(first)
    places = as_computed(linalg.leslie, np.arange(1, n + 1), np.arange(n + 1, 2 * n))
    return valued(as_computed(linalg.leslie, f, s), taken(every, places, (n, n)))


def companion(a: Any) -> Any:
    """`scipy.linalg.companion`, of one polynomial."""
    given = np.atleast_1d(a)
    every = np.concatenate((np.zeros(1, given.dtype), -given[1:] / given[0]))
    places = designed(coefficients_in, linalg.companion, len(given))
    n = len(given) - 1
    return valued(as_computed(linalg.companion, a), taken(every, places, (n, n)))


def fiedler_companion(a: Any) -> Any:
    """`scipy.linalg.fiedler_companion`, of one polynomial."""
    given = np.atleast_1d(a)
    every = np.concatenate((np.zeros(1, given.dtype), -given[1:] / given[0]))
    places = designed(coefficients_in, linalg.fiedler_companion, len(given))
    n = len(given) - 1
    return valued(as_computed(linalg.fiedler_companion, a), taken(every, places, (n, n)))


def coefficients_in(fn: Any, n: int) -> Any:
    """Where in a matrix of `n` coefficients each of them is; what is fixed has a 0.

    >>> coefficients_in(linalg.companion, 4)
    array([[1, 2, 3],
           [0, 0, 0],
           [0, 0, 0]])
    """
    found = -fn(np.append(1.0, np.arange(2.0, n + 1)))  # which are 2, 3, ... there
    return np.where(found > 1.5, np.rint(found).astype(np.int64) - 1, 0)


def convolution_matrix(a: Any, n: int, mode: str = "full") -> Any:
    """`scipy.linalg.convolution_matrix`, of one signal."""
    given = np.asarray(a)
    every = np.concatenate((np.zeros(1, given.dtype), given))
    places = as_computed(linalg.convolution_matrix, np.arange(1, len(a) + 1), n, mode)
    found = as_computed(linalg.convolution_matrix, a, n, mode)
    rows = len(a) + n - 1
    if mode == "same":
        rows = max(len(a), n)
    elif mode == "valid":
        rows = max(len(a), n) - min(len(a), n) + 1
    return valued(found, taken(every, places, (rows, n)))


def diagsvd(s: Any, M: int, N: int) -> Any:
    """`scipy.linalg.diagsvd`."""
    found = as_computed(linalg.diagsvd, s, M, N)
    places = as_computed(linalg.diagsvd, np.arange(1, len(s) + 1), M, N)
    given = np.asarray(s)
    every = np.concatenate((np.zeros(1, given.dtype), given))
    return valued(found, taken(every, places, (M, N)))


def matmul_toeplitz(c_or_cr: Any, x: Any, check_finite: bool = False, workers: Any = None) -> Any:
    """`scipy.linalg.matmul_toeplitz`."""
    found = as_computed(linalg.matmul_toeplitz, c_or_cr, x, check_finite, workers)
    if isinstance(c_or_cr, tuple):
        return valued(found, linalg.toeplitz(c_or_cr[0], c_or_cr[1]) @ x)
    return valued(found, linalg.toeplitz(c_or_cr) @ x)


def polar(a: Any, side: str = "right") -> Any:
    """`scipy.linalg.polar`: the square root of `a' a` or `a a'`, whichever is not singular, and
    what is left."""
    found = as_computed(linalg.polar, a, side)
    given = np.asarray(a)
    turned = np.conj(np.swapaxes(given, -1, -2))
    if np.shape(given)[0] >= np.shape(given)[1]:
        right = linalg.sqrtm(turned @ given)
        unitary = given @ np.linalg.pinv(right)
        left = unitary @ right @ np.conj(np.swapaxes(unitary, -1, -2))
    else:
        left = linalg.sqrtm(given @ turned)
        unitary = np.linalg.pinv(left) @ given
        right = np.conj(np.swapaxes(unitary, -1, -2)) @ left @ unitary
    if side == "right":
        return valued(found[0], unitary), valued(found[1], right)
    return valued(found[0], unitary), valued(found[1], left)


def pinvh(
    a: Any, atol: Any = None, rtol: Any = None, lower: bool = True, return_rank: bool = False,
    check_finite: bool = True,
) -> Any:  # fmt: skip
    """`scipy.linalg.pinvh`: its rank does not vary."""
    found = as_computed(linalg.pinvh, a, atol, rtol, lower, True, check_finite)
    given = np.asarray(a)
    if lower:
        whole = np.tril(given) + np.conj(np.swapaxes(np.tril(given, -1), -1, -2))
    else:
        whole = np.triu(given) + np.conj(np.swapaxes(np.triu(given, 1), -1, -2))
    same = linalg.pinv(whole, atol=atol, rtol=rtol)
    if return_rank:
        return valued(found[0], same), found[1]
    return valued(found[0], same)


def expm_frechet(
    A: Any, E: Any, method: Any = None, compute_expm: bool = True, check_finite: bool = True
) -> Any:
    """`scipy.linalg.expm_frechet`: it stands beside the exponential, in that of blocks."""
    found = as_computed(linalg.expm_frechet, A, E, method, True, check_finite)
    n = len(A)
    upper = np.concatenate((A, E), axis=1)
    lower = np.concatenate((np.zeros_like(A), A), axis=1)
    both = linalg.expm(np.concatenate((upper, lower)))
    if compute_expm:
        return valued(found[0], both[:n, :n]), valued(found[1], both[:n, n:])
    return valued(found[1], both[:n, n:])


def fractional_matrix_power(A: Any, t: Any) -> Any:
    """`scipy.linalg.fractional_matrix_power`, of a matrix that has a logarithm."""
    found = as_computed(linalg.fractional_matrix_power, A, t)
    if isinstance(t, int):
        return valued(found, np.linalg.matrix_power(A, t))
    one_of("dtype", np.asarray(A).dtype.name, ("float64", "complex128"))
    return valued(found, linalg.expm(t * linalg.logm(A)))


def orthogonal_procrustes(A: Any, B: Any, check_finite: bool = True) -> Any:
    """`scipy.linalg.orthogonal_procrustes`: the unitary factor of `A' B`, and the trace of the
    other one."""
    found = as_computed(linalg.orthogonal_procrustes, A, B, check_finite)
    product = np.conj(np.swapaxes(np.asarray(A), -1, -2)) @ B
    right = linalg.sqrtm(np.conj(np.swapaxes(product, -1, -2)) @ product)
    return (valued(found[0], product @ np.linalg.pinv(right)),
            valued(found[1], np.real(np.trace(right))))  # fmt: skip


def eigvalsh_tridiagonal(d: Any, e: Any, select: str = "a") -> Any:
    """`scipy.linalg.eigvalsh_tridiagonal`, all of them: those of the whole matrix."""
    found = as_computed(linalg.eigvalsh_tridiagonal, d, e, one_of("select", select, ("a",)))
    return valued(found, linalg.eigvalsh(np.diag(d) + np.diag(e, 1) + np.diag(e, -1)))


FUNCTIONS: tuple[tuple[object, Any], ...] = tuple(
    (getattr(linalg, made.__name__), made)
    for made in (
        companion, convolution_matrix, diagsvd, eigvalsh_tridiagonal, expm_frechet, fiedler,
        fiedler_companion, fractional_matrix_power, leslie, matmul_toeplitz,
        orthogonal_procrustes, pinvh, polar,
    )
)  # fmt: skip
