"""Products with sparse matrices, and systems of equations, whose entries vary.

`a` is the matrix, made of `data` at the places `i` and `j`; entries at one place add up.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.errors import DerivativeError


def sparse_times(a: Any, data: Any, i: Any, j: Any, v: Any) -> Any:
    """`a @ v`.

    >>> import scipy.sparse
    >>> d, i, j = np.array([2.0, 3.0]), np.array([0, 0]), np.array([0, 1])
    >>> a = scipy.sparse.csr_matrix((d, (i, j)), shape=(1, 2))
    >>> sparse_times(a, d, i, j, np.array([1.0, 10.0]))
    array([32.])
    """
    _check_entries(a)
    return a @ v


def sparse_solved(a: Any, data: Any, i: Any, j: Any, b: Any) -> Any:
    """`scipy.sparse.linalg.spsolve(a, b)`."""
    import scipy.sparse.linalg

    _check_entries(a)
    return scipy.sparse.linalg.spsolve(a, b)


def matrix_of_entries(maker: Any, data: Any, i: Any, j: Any, *more: Any, **options: Any) -> Any:
    """`maker((data, (i, j)), ...)`, which shares no memory with what it is given."""
    given = [np.asarray(data), np.asarray(i), np.asarray(j)]
    copies = [np.array(a) for a in given]
    made = maker((copies[0], (copies[1], copies[2])), *more, **options)
    if maker.__name__.startswith("coo"):
        made.made_of = list(zip(given, copies, strict=True))
    return made


def _check_entries(a: Any) -> None:
    """Raise if the arrays that SciPy would look at have been overwritten: a matrix of coordinates
    keeps those that it is given."""
    pairs = getattr(a, "made_of", ())
    if not all(np.array_equal(now, then, equal_nan=True) for now, then in pairs):
        raise DerivativeError(
            "what a sparse matrix was made of, and looks at, has been overwritten since: make it "
            "of a copy"
        )


def matrix_of_diagonals(maker: Any, offsets: Any, *diagonals: Any, **options: Any) -> Any:
    """`maker(diagonals, offsets, ...)`, such as `scipy.sparse.diags`."""
    given = [np.array(d) if np.ndim(d) else [d] for d in diagonals]
    return maker(given, offsets=list(offsets), **options)


def turned(a: Any) -> Any:
    """The transpose of the matrix, which carries no derivative."""
    return a.T


def entries_pullback(g: Any, i: Any, j: Any, v: Any) -> Any:
    """The adjoint of the entries in a product with `v`.

    >>> entries_pullback(np.array([1.0, 2.0]), np.array([1, 0]), np.array([0, 0]), np.ones(1))
    array([2., 1.])
    """
    found = g[i] * v[j]
    return found if found.ndim == 1 else np.sum(found, axis=1)


def entries_times(t: Any, i: Any, j: Any, v: Any, shape: tuple[int, ...]) -> Any:
    """The product of a matrix with the entries `t` and `v`."""
    out = np.zeros(shape, np.result_type(t, v))
    np.add.at(out, i, (t if np.ndim(v) == 1 else t[:, None]) * v[j])
    return out


def diagonal_length(a: Any, k: int) -> int:
    """How many numbers the k-th diagonal of a matrix has.

    >>> diagonal_length(np.zeros((3, 4)), 2), diagonal_length(np.zeros((3, 4)), -1)
    (2, 2)
    """
    rows, columns = a.shape
    return int(max(0, min(rows + min(k, 0), columns - max(k, 0))))


def diagonal_rows(a: Any, offsets: Any) -> Any:
    """The rows of the entries of these diagonals, one diagonal after the other."""
    return np.concatenate([np.arange(diagonal_length(a, k)) + max(-k, 0) for k in offsets])


def diagonal_columns(a: Any, offsets: Any) -> Any:
    """Their columns."""
    return np.concatenate([np.arange(diagonal_length(a, k)) + max(k, 0) for k in offsets])
