"""Sparse matrices that are made of values that vary, and those that are made of others.

Each is a pair of a `SparseMatrix`, which is computed as SciPy does it, and of its entries. What is
not a rule is a function in Python, and is differentiated as one.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from adtrans.runtime.failures import DerivativeError
from adtrans.runtime.with_scipy.sparse_adjoints import SparseMatrix, arrays_of, derived, entry_count


def matrix_of_entries(maker: Any, data: Any, i: Any, j: Any, *more: Any, **options: Any) -> Any:
    """`maker((data, (i, j)), ...)`, which shares no memory with what it is given."""
    given = [np.asarray(data), np.asarray(i), np.asarray(j)]
    copies = [np.array(a) for a in given]
    made = maker((copies[0], (copies[1], copies[2])), *more, **options)
    rows, columns = (a.astype(np.intp) for a in copies[1:])  # SciPy takes others as integers too
    if not maker.__name__.startswith("coo"):
        return SparseMatrix(made, rows, columns)
    # it keeps the arrays that it is given
    return SparseMatrix(made, rows, columns, zip(given, copies, strict=True))


def matrix_of_rows(maker: Any, data: Any, j: Any, starts: Any, *more: Any, **options: Any) -> Any:
    """`maker((data, indices, indptr), ...)`, where it looks at what it is given."""
    given = [np.asarray(data), np.asarray(j), np.asarray(starts)]
    copies = [np.array(a) for a in given]
    made = maker(tuple(copies), *more, **options)
    along, starts = (a.astype(np.intp) for a in copies[1:])  # SciPy takes others as integers too
    own = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    places = (own, along) if maker.__name__.startswith("csr") else (along, own)
    if len(copies[0]) != len(own):
        raise DerivativeError("a sparse matrix is given more entries than it has", code="AD601")
    if not made.has_canonical_format:  # a solver would sort them, where they are the user's
        raise DerivativeError(
            "the columns of a sparse matrix have to be sorted, each of them once", code="AD601"
        )
    return SparseMatrix(made, places[0], places[1], zip(given, copies, strict=True))


def matrix_of_elements(maker: Any, a: Any, *more: Any, **options: Any) -> Any:
    """`maker(a, ...)` of an array: of all its elements; of a constant sparse matrix, of these."""
    import scipy.sparse

    if _is_shape(a):
        return derived(maker(a), np.zeros(0, np.intp), np.zeros(0, np.intp))
    if scipy.sparse.issparse(a):
        return matrix_again(maker, constant_matrix(a), *more, **options)
    if not isinstance(a, np.ndarray | list) or np.ndim(a) != 2:
        raise DerivativeError(
            "a sparse matrix that may vary has to be made of a matrix here", code="AD601"
        )
    i, j = np.indices(np.shape(a))
    return SparseMatrix(maker(a, *more, **options), np.ravel(i), np.ravel(j))


def _is_shape(a: Any) -> bool:
    """Whether it is the shape of a matrix without entries."""
    return isinstance(a, tuple) and len(a) == 2 and all(isinstance(n, int | np.integer) for n in a)


def elements_of(a: Any) -> Any:
    """The entries that belong to that."""
    import scipy.sparse

    if _is_shape(a):
        return np.zeros(0)
    return constant_entries(a) if scipy.sparse.issparse(a) else np.array(a).ravel()


def plain_matrix(maker: Any, *given: Any, **options: Any) -> Any:
    """What a function of SciPy makes of numbers that do not vary: `identity(n)`."""
    return maker(*given, **options)


def constant_matrix(a: Any) -> SparseMatrix:
    """A matrix of SciPy as it is."""
    import scipy.sparse

    if not scipy.sparse.issparse(a):
        raise DerivativeError(
            "beside a sparse matrix there has to be another one here", code="AD601"
        )
    own = a.copy()
    at, now, then = own.tocoo(), arrays_of(a), arrays_of(own)
    pairs = [(now[n], then[n]) for n in now if n in then]
    return SparseMatrix(a, np.array(at.row), np.array(at.col), pairs, own)


def constant_entries(a: Any) -> Any:
    """Its entries."""
    # the matrix itself would remember what it is asked about the order of its entries
    found = np.array(copy.copy(a).tocoo(copy=False).data)
    return found.astype(np.int64) if found.dtype.kind in "biu" else found


def matrix_of_diagonals(maker: Any, count: int, *given: Any, **words: Any) -> Any:
    """`maker(diagonals, offsets, ...)`, such as `scipy.sparse.diags`; `count`: how many diagonals
    are written there, 0 where it is one alone."""
    made = maker(*given, **words)
    named = [words[n] for n in ("diagonals", "offsets") if n in words]
    diagonals, offsets, *_ = *given, *named, 0
    if not isinstance(diagonals, np.ndarray | list | tuple) or (count > 0) != np.ndim(offsets):
        raise DerivativeError(
            "`diags` is given its diagonals in a list or an array, and a list of where they stand, "
            "or one that stands alone", code="AD601",
        )  # fmt: skip
    watched = [(offsets, np.array(offsets))] if isinstance(offsets, np.ndarray) else []
    return SparseMatrix(made, *_places(made, np.atleast_1d(offsets)), watched)


def matrix_of_lines(maker: Any, lines: Any, offsets: Any, m: Any, n: Any, **options: Any) -> Any:
    """`scipy.sparse.spdiags(lines, offsets, m, n)`: elements stand in the columns where they go."""
    made = maker(np.array(lines), np.array(offsets), m, n, **options)
    if np.ndim(offsets) != 1 or np.ndim(lines) != 2 or np.shape(lines)[1] < made.shape[1]:
        raise DerivativeError("`spdiags` has to be given a line for each of several diagonals, "
                              "as long as the matrix has columns", code="AD601")  # fmt: skip
    watched = [(a, np.array(a)) for a in (lines, offsets) if isinstance(a, np.ndarray)]
    return SparseMatrix(made, *_places(made, offsets), watched)


def lines_entries(lines: Any, columns: Any, which: Any) -> Any:
    """The elements of the lines that stand in the matrix, one diagonal after the other."""
    return np.array(lines)[which, columns]


def diagonal_numbers(m: SparseMatrix, offsets: Any, shape: tuple[int, ...]) -> Any:
    """Which of these diagonals each of the entries is of; `shape`: that of the result."""
    return np.repeat(np.arange(len(offsets)), [diagonal_length(m, k) for k in offsets])


def _places(a: Any, offsets: Any) -> tuple[Any, Any]:
    counts = [_length(a, k) for k in offsets]
    i = [np.arange(n) + max(-k, 0) for n, k in zip(counts, offsets, strict=True)]
    j = [np.arange(n) + max(k, 0) for n, k in zip(counts, offsets, strict=True)]
    return np.concatenate(i), np.concatenate(j)


def _length(a: Any, k: int) -> int:
    rows, columns = a.shape
    return int(max(0, min(rows + min(k, 0), columns - max(k, 0))))


def diagonal_length(m: SparseMatrix, k: int) -> int:
    """How many numbers the k-th diagonal of a matrix has.

    >>> m = SparseMatrix(np.zeros((3, 4)), None, None)
    >>> diagonal_length(m, 2), diagonal_length(m, -1)
    (2, 2)
    """
    return _length(m.matrix, k)


def _computed(matrix: Any, rows: Any, columns: Any, *parents: SparseMatrix) -> SparseMatrix:
    """What is computed of other matrices. Integers that may have wrapped around, and truth values
    that were added, are not the sums of their entries: nothing that varies is made of them."""
    made = derived(matrix, rows, columns, *parents)
    kind, size = matrix.dtype.kind, matrix.dtype.itemsize
    if kind in "fc" and made.wrapped:
        raise DerivativeError("sparse matrices of small integers, or of truth values, were added "
                              "or multiplied: make them of floats", code="AD601")  # fmt: skip
    made.wrapped = made.wrapped or kind in "bu" or (kind == "i" and size < 8)
    return made


def matrix_sum(a: SparseMatrix, b: SparseMatrix, sign: int) -> SparseMatrix:
    """`a + b`, or `a - b`."""
    left, right = a.matrix, b.matrix
    made = left + right if sign > 0 else left - right
    rows, columns = (a.rows, b.rows), (a.columns, b.columns)
    return _computed(made, np.concatenate(rows), np.concatenate(columns), a, b)


def matrix_scaled(m: SparseMatrix, c: Any, op: str) -> SparseMatrix:
    """`c * a`, `a * c` or `a / c` for a number."""
    if np.ndim(c):
        raise DerivativeError(
            "a sparse matrix is multiplied by a number, or made another one", code="AD601"
        )
    a = m.matrix
    made = c * a if op == "left" else a / c if op == "/" else a * c
    return _computed(made, m.rows, m.columns, m)


def matrix_turned(m: SparseMatrix) -> SparseMatrix:
    """`a.T`."""
    return derived(m.matrix.T, m.columns, m.rows, m)


def matrix_negated(m: SparseMatrix) -> SparseMatrix:
    """`-a`."""
    return _computed(-m.matrix, m.rows, m.columns, m)


def matrix_as(m: SparseMatrix, method: str, *given: Any) -> SparseMatrix:
    """`a.tocsc()` and the like."""
    return derived(getattr(m.matrix, method)(*given), m.rows, m.columns, m)


def matrix_again(maker: Any, m: SparseMatrix, *more: Any, **options: Any) -> SparseMatrix:
    """`csr_matrix(a)` of a sparse matrix."""
    return derived(maker(m.matrix, *more, **options), m.rows, m.columns, m)


def matrix_factored(maker: Any, m: SparseMatrix, data: Any) -> SparseMatrix:
    """The matrix, with what `splu` or `factorized` returns."""
    made = SparseMatrix(m.matrix, m.rows, m.columns, (), m.own)
    made.factored = maker(m.asked(data))
    return made


class ProductMatrix(SparseMatrix):
    """A product, and which entries of the factors each of its entries is the product of."""

    def __init__(self, made: SparseMatrix, left: Any, right: Any) -> None:
        super().__init__(made.matrix, made.rows, made.columns, made.made_of, made.own)
        self.wrapped = made.wrapped
        self.left, self.right = left, right


def matrix_starred(a: SparseMatrix, b: SparseMatrix) -> ProductMatrix:
    """`a * b`, which for the older classes of SciPy is the product of matrices."""
    import scipy.sparse

    if not isinstance(a.matrix, scipy.sparse.spmatrix):
        raise DerivativeError("`*` between sparse arrays multiplies their elements, which is not "
                              "followed: write `@` for the product", code="AD601")  # fmt: skip
    return matrix_product(a, b)


def matrix_product(a: SparseMatrix, b: SparseMatrix) -> ProductMatrix:
    """`a @ b`."""
    counts = np.bincount(b.rows, minlength=b.matrix.shape[0])
    order, ends = np.argsort(b.rows, kind="stable"), np.cumsum(counts)
    many = counts[a.columns]
    left = np.repeat(np.arange(len(a.rows)), many)
    within = np.arange(len(left)) - np.repeat(np.cumsum(many) - many, many)
    right = order[np.repeat((ends - counts)[a.columns], many) + within]
    made = _computed(a.matrix @ b.matrix, a.rows[left], b.columns[right], a, b)
    return ProductMatrix(made, left, right)


def matrix_kron(maker: Any, a: SparseMatrix, b: SparseMatrix, form: Any) -> ProductMatrix:
    """`kron(a, b, form)`: each entry of the one times each of the other."""
    left = np.repeat(np.arange(len(a.rows)), len(b.rows))
    right = np.tile(np.arange(len(b.rows)), len(a.rows))
    high, wide = b.matrix.shape
    made = _computed(maker(a.matrix, b.matrix, form), a.rows[left] * high + b.rows[right],
                     a.columns[left] * wide + b.columns[right], a, b)  # fmt: skip
    return ProductMatrix(made, left, right)


def left_of(m: ProductMatrix, shape: tuple[int, ...]) -> Any:
    """The entries of the first factor; `shape`: that of the result."""
    return m.left


def right_of(m: ProductMatrix, shape: tuple[int, ...]) -> Any:
    """Those of the second."""
    return m.right


def matrix_of_blocks(
    maker: Any, how: str, grid: Any, form: Any, *blocks: SparseMatrix
) -> SparseMatrix:
    """What `bmat`, `hstack` and the like make of matrices; `grid`: where each of them stands.

    >>> import scipy.sparse
    >>> one = constant_matrix(scipy.sparse.eye_array(2))
    >>> m = matrix_of_blocks(scipy.sparse.hstack, "hstack", ((0, 1),), None, one, one)
    >>> m.matrix.shape, m.columns.tolist()
    ((2, 4), [0, 1, 2, 3])
    """
    matrices = [b.matrix for b in blocks]
    rows = [[None if k is None else matrices[k] for k in row] for row in grid]
    given = matrices if how in ("hstack", "vstack", "block_diag") else rows
    made = maker(given, format=form)
    found = {k: (i, j) for i, row in enumerate(grid) for j, k in enumerate(row) if k is not None}
    high, wide = [0] * len(grid), [0] * len(grid[0])
    for k, (i, j) in found.items():
        high[i], wide[j] = matrices[k].shape
    below, beside = np.cumsum([0, *high]), np.cumsum([0, *wide])
    return derived(
        made, np.concatenate([blocks[k].rows + below[i] for k, (i, _) in found.items()]),
        np.concatenate([blocks[k].columns + beside[j] for k, (_, j) in found.items()]),
        *blocks,
    )  # fmt: skip


# in Python: a pair of matrix and entries for each operation


def sparse_added(a: Any, b: Any, sign: int) -> Any:
    """`a + b` and `a - b`."""
    signed = np.int8(sign) * b[1]  # of unsigned integers, too
    return matrix_sum(a[0], b[0], sign), np.concatenate((a[1], signed))


def sparse_scaled(a: Any, c: Any, op: str) -> Any:
    """`a * c` and `a / c`."""
    m = matrix_scaled(a[0], c, op)
    return m, a[1] / c if op == "/" else a[1] * c


def scaled_sparse(c: Any, a: Any) -> Any:
    """`c * a`."""
    return matrix_scaled(a[0], c, "left"), c * a[1]


def sparse_negated(a: Any) -> Any:
    """`-a`."""
    return matrix_negated(a[0]), -a[1]


def sparse_turned(a: Any) -> Any:
    """`a.T`."""
    return matrix_turned(a[0]), a[1]


def sparse_as(a: Any, method: str) -> Any:
    """`a.tocsc()` and the like."""
    return matrix_as(a[0], method), a[1]


def sparse_format(a: Any, form: str) -> Any:
    """`a.asformat(form)`."""
    return matrix_as(a[0], "asformat", form), a[1]


def sparse_again(maker: Any, a: Any) -> Any:
    """`csr_matrix(a)`."""
    return matrix_again(maker, a[0]), a[1]


def sparse_factored(maker: Any, a: Any) -> Any:
    """`splu(a)` and `factorized(a)`."""
    return matrix_factored(maker, a[0], a[1]), a[1]


def sparse_product(a: Any, b: Any) -> Any:
    """`a @ b` of two sparse matrices."""
    m = matrix_product(a[0], b[0])
    shape = (int(entry_count(m)),)
    return m, a[1][left_of(m, shape)] * b[1][right_of(m, shape)]


def sparse_starred(a: Any, b: Any) -> Any:
    """`a * b` of two sparse matrices."""
    m = matrix_starred(a[0], b[0])
    shape = (int(entry_count(m)),)
    return m, a[1][left_of(m, shape)] * b[1][right_of(m, shape)]


def sparse_kron(maker: Any, a: Any, b: Any, form: Any) -> Any:
    """`kron(a, b, form)`."""
    m = matrix_kron(maker, a[0], b[0], form)
    shape = (int(entry_count(m)),)
    return m, a[1][left_of(m, shape)] * b[1][right_of(m, shape)]


def sparse_constant(a: Any) -> Any:
    """A matrix that carries no derivative."""
    return constant_matrix(a), constant_entries(a)


