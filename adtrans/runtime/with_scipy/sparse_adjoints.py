"""Products with sparse matrices, and systems of equations, whose entries vary.

A matrix is a pair: `m`, which carries no derivative, and `data`, its entries in the order of their
places; those at one place add up.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.failures import DerivativeError


class SparseMatrix:
    """A matrix of SciPy, and the rows and columns of its entries.

    `made_of`: pairs of arrays that the matrix may look at, and of copies of what they held. `own`:
    the same matrix as it was made, which looks at nobody's arrays, for adjoints. `wrapped`: whether
    its elements may be others than the sums of its entries, as integers. `factored`: what solves
    systems with it, as SciPy returned it.
    """

    keeps_its_own = True  # nobody overwrites what adjoints read of it

    def __init__(
        self, matrix: Any, rows: Any, columns: Any, made_of: Any = (), own: Any = None
    ) -> None:
        self.matrix, self.rows, self.columns = matrix, rows, columns
        self.own = matrix if own is None else own
        self.made_of = tuple(made_of)
        self.wrapped = False
        self.factored: Any = None

    def check(self) -> None:
        """Raise if what the matrix looks at is not what it was made of."""
        for now, then in self.made_of:
            if not np.array_equal(now, then, equal_nan=True):
                raise DerivativeError(
                    "what a sparse matrix was made of, and looks at, has been overwritten since: "
                    "make it of a copy",
                    code="AD606",
                )

    def asked(self, data: Any) -> Any:
        """The matrix, for what the program asks of it; `data`: its entries."""
        self.check()
        rounded = data.dtype.kind in "fc" and self.matrix.dtype.kind not in "fc"
        if len(data) != len(self.rows) or rounded:
            raise DerivativeError(
                "a sparse matrix has other entries than it was made of", code="AD601"
            )
        return self.matrix


def arrays_of(a: Any) -> dict[str, Any]:
    """The arrays of numbers that a matrix of SciPy keeps.

    >>> import scipy.sparse
    >>> sorted(arrays_of(scipy.sparse.coo_array((2, 3))))
    ['coords[0]', 'coords[1]', 'data']
    """
    found = {}
    for name, value in vars(a).items():
        parts = value if isinstance(value, tuple) else (value,)
        for k, part in enumerate(parts):
            if isinstance(part, np.ndarray) and not part.dtype.hasobject:
                found[name if part is value else f"{name}[{k}]"] = part
    return found


def derived(matrix: Any, rows: Any, columns: Any, *parents: SparseMatrix) -> SparseMatrix:
    """What SciPy made of other matrices: it looks at what these look at, or is new memory."""
    for p in parents:
        p.check()
    arrays = arrays_of(matrix).values()

    def looks_at(array: Any) -> bool:
        return any(np.may_share_memory(a, array) for a in arrays)

    pairs = [pair for p in parents for pair in p.made_of]
    watched = [(now, then) for now, then in pairs if looks_at(now) or looks_at(then)]
    foreign = any(looks_at(now) for now, _ in watched)
    made = SparseMatrix(matrix, rows, columns, watched, matrix.copy() if foreign else None)
    made.wrapped = any(p.wrapped for p in parents)
    return made


def sparse_times(m: Any, data: Any, v: Any) -> Any:
    """The matrix times a vector, or a matrix with all its elements.

    >>> import scipy.sparse
    >>> d, i, j = np.array([2.0, 3.0]), np.array([0, 0]), np.array([0, 1])
    >>> m = SparseMatrix(scipy.sparse.csr_matrix((d, (i, j)), shape=(1, 2)), i, j)
    >>> sparse_times(m, d, np.array([1.0, 10.0]))
    array([32.])
    """
    return m.asked(data) @ v


def times_sparse(v: Any, m: Any, data: Any) -> Any:
    """A vector or matrix times the matrix."""
    return v @ m.asked(data)


def sparse_star(m: Any, data: Any, v: Any) -> Any:
    """`A * v`, which for the older classes of SciPy is the product of matrices."""
    import scipy.sparse

    a = m.asked(data)
    product = isinstance(v, np.ndarray) and v.ndim > 0  # one without axes scales
    if not isinstance(a, scipy.sparse.spmatrix) or not product:
        raise DerivativeError(
            "`*` beside a sparse matrix has to be its product with an array", code="AD601"
        )
    return a * v


def sparse_solved(m: Any, data: Any, b: Any) -> Any:
    """`scipy.sparse.linalg.spsolve(a, b)`, or what a factorization finds."""
    import scipy.sparse.linalg

    a = m.asked(data)
    if m.factored is None:
        return scipy.sparse.linalg.spsolve(a, b)
    return m.factored.solve(b) if hasattr(m.factored, "solve") else m.factored(b)


def turned_solved(m: Any, data: Any, b: Any) -> Any:
    """The same for the transpose."""
    import scipy.sparse.linalg

    a = m.own
    if m.factored is None:
        return scipy.sparse.linalg.spsolve(a.T, b)
    if hasattr(m.factored, "solve"):
        return m.factored.solve(b, "T")
    return scipy.sparse.linalg.splu(a.tocsc()).solve(b, "T")


def sparse_toarray(m: Any, data: Any, shape: tuple[int, ...]) -> Any:
    """The matrix with all its elements."""
    return m.asked(data).toarray()


def sparse_diagonal(m: Any, data: Any) -> Any:
    """Its diagonal."""
    return m.asked(data).diagonal()


def sparse_sum(m: Any, data: Any) -> Any:
    """The sum of all of its elements."""
    return m.asked(data).sum()


def turned(m: SparseMatrix) -> SparseMatrix:
    """The transpose of the matrix that there was, for an adjoint: it looks at nobody's arrays."""
    return SparseMatrix(m.own.T, m.columns, m.rows)


def entries_pullback(g: Any, m: SparseMatrix, shape: Any, v: Any) -> Any:
    """The adjoint of the entries in a product with `v`.

    >>> m = SparseMatrix(None, np.array([1, 0]), np.array([0, 0]))
    >>> entries_pullback(np.array([1.0, 2.0]), m, (2,), np.ones(1))
    array([2., 1.])
    """
    found = g[m.rows] * v[m.columns]
    return found if found.ndim == 1 else np.sum(found, axis=1)


def entries_times(t: Any, m: SparseMatrix, v: Any, shape: tuple[int, ...]) -> Any:
    """The product of a matrix with the entries `t` and `v`."""
    out = np.zeros(shape, np.result_type(t, v))
    np.add.at(out, m.rows, (t if np.ndim(v) == 1 else t[:, None]) * v[m.columns])
    return out


def size_along(m: SparseMatrix, axis: int) -> int:
    """How many rows, or columns, the matrix has."""
    return int(m.matrix.shape[axis])


def entry_count(m: SparseMatrix) -> int:
    """How many entries it is made of."""
    return len(m.rows)


def columns_of(m: SparseMatrix, shape: tuple[int, ...]) -> Any:
    """The columns of its entries; `shape`: that of the result."""
    return m.columns


def scattered(t: Any, m: SparseMatrix, shape: tuple[int, ...]) -> Any:
    """The matrix with the entries `t`, with all its elements.

    >>> m = SparseMatrix(None, np.array([1, 1]), np.array([0, 0]))
    >>> scattered(np.array([1.0, 2.0]), m, (2, 1))
    array([[0.],
           [3.]])
    """
    out = np.zeros(shape, np.asarray(t).dtype)
    np.add.at(out, (m.rows, m.columns), t)
    return out


def gathered(g: Any, m: SparseMatrix, shape: tuple[int, ...]) -> Any:
    """The elements of a matrix at the places of the entries."""
    return np.asarray(g)[m.rows, m.columns]


def diagonal_entries(g: Any, m: SparseMatrix) -> Any:
    """The adjoint of the entries, of that of the diagonal."""
    out = np.zeros(len(m.rows), np.asarray(g).dtype)
    on = m.rows == m.columns
    out[on] = g[m.rows[on]]
    return out


def diagonal_of_entries(t: Any, m: SparseMatrix, shape: tuple[int, ...]) -> Any:
    """The diagonal of a matrix with the entries `t`.

    >>> m = SparseMatrix(None, np.array([1, 1]), np.array([1, 0]))
    >>> diagonal_of_entries(np.array([1.0, 2.0]), m, (2,))
    array([0., 1.])
    """
    out = np.zeros(shape, np.asarray(t).dtype)
    on = m.rows == m.columns
    np.add.at(out, m.rows[on], t[on])
    return out


def solved_exactly(m: Any, g: Any) -> Any:
    """The solution of a system with a sparse matrix, an array, or what only multiplies."""
    import scipy.sparse.linalg

    if isinstance(m, scipy.sparse.linalg.LinearOperator):
        found, failed = scipy.sparse.linalg.gmres(m, g, rtol=1e-12, atol=0.0)
        if failed:
            raise DerivativeError("the system has not been solved with the transpose", code="AD604")
        return found
    if scipy.sparse.issparse(m):
        return scipy.sparse.linalg.spsolve(m.tocsc(), g)
    return np.linalg.solve(np.asarray(m), g)


def solution_of(found: Any, m: Any, b: Any) -> Any:
    """What was found for a system, whose derivative is that of its solution."""
    return found
