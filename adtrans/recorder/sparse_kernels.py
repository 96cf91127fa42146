"""What SciPy's sparse matrices call in C, where their entries vary: moves, sums and products.

The matrices stay SciPy's own, and so does the Python code around them; their `data` is an array
like any other. Each kernel is known by the places that it moves numbers between, or adds products
of numbers to. The values are SciPy's.

>>> import scipy.sparse
>>> import adtrans as ad
>>> def f(x):
...     a = scipy.sparse.csr_matrix((x, ([0, 1], [1, 0])), shape=(2, 2))
...     return np.sum((a @ x) ** 2)
>>> ad.recorded(f).grad(np.array([1.0, 2.0])).tolist()
[16.0, 8.0]
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.diagnostics.errors import DerivativeError
from adtrans.recorder.arrays import plain_of
from adtrans.recorder.escapes import reaches
from adtrans.recorder.memory import STATE
from adtrans.recorder.rewritten import from_text
from adtrans.rules.formula import meaning


def still(a: Any) -> Any:
    """The numbers of an array, which do not vary."""
    return plain_of(a).copy() if isinstance(a, np.ndarray) else plain_of(a)


_ENV = {"np": np, "still": still}
_MOVE = from_text(
    "def formula(data, places, at, out):\n    out[at] = np.reshape(data, -1)[places]\n", _ENV
)
_MOVED = from_text("def formula(data, places):\n    return np.reshape(data, -1)[places]\n", _ENV)
_SUM = from_text(
    "def formula(a, i, at, old, exact, out):\n"
    "    total = np.zeros(exact.size, exact.dtype)\n"
    "    np.add.at(total, at, np.reshape(a, -1)[i])\n"
    "    total = old + np.reshape(total, exact.shape)\n"
    "    out[...] = total + (exact - still(total))\n", _ENV
)  # fmt: skip
_PRODUCTS = from_text(
    "def formula(a, b, i, j, at, old, exact, out):\n"
    "    total = np.zeros(exact.size, exact.dtype)\n"
    "    np.add.at(total, at, np.reshape(a, -1)[i] * np.reshape(b, -1)[j])\n"
    "    total = old + np.reshape(total, exact.shape)\n"
    "    out[...] = total + (exact - still(total))\n", _ENV
)  # fmt: skip
_SUMS_OF_TWO = from_text(
    "def formula(a, b, i, j, sign, exact, out):\n"
    "    total = np.zeros(len(exact), exact.dtype)\n"
    "    np.add.at(total, i, np.reshape(a, -1)[: len(i)])\n"
    "    np.add.at(total, j, sign * np.reshape(b, -1)[: len(j)])\n"
    "    out[: len(exact)] = total + (exact - still(total))\n", _ENV
)  # fmt: skip
_COPIED = from_text("def formula(a):\n    return np.copy(a)\n", _ENV)


def _dropped() -> DerivativeError:
    return DerivativeError(
        "an entry of a sparse matrix that varies is 0, and is dropped for that: the derivative by "
        "it would be lost", code="AD603",
    )  # fmt: skip


def _rows(starts: Any) -> Any:
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


def _pairs(one: Any, two: Any) -> tuple[Any, Any]:
    """The places of all pairs of equal keys."""
    order = np.argsort(two, kind="stable")
    first, behind = (np.searchsorted(two, one, side, sorter=order) for side in ("left", "right"))
    count = behind - first
    left = np.repeat(np.arange(len(one)), count)
    within = np.arange(len(left)) - np.repeat(np.cumsum(count) - count, count)
    return left, order[np.repeat(first, count) + within]


# -- moves ----------------------------------------------------------------------------------------

_MOVES: dict[str, tuple[int, int, int | None]] = {
    "coo_tocsr": (5, 8, None), "csr_tocsc": (4, 7, None), "csc_tocsr": (4, 7, None),
    "dia_tocsr": (5, 7, None), "csr_hstack": (5, 8, None), "csr_row_index": (4, 6, None),
    "csr_row_slice": (5, 7, None), "csr_column_index2": (4, 6, None),
    "csr_sort_indices": (3, 3, None), "csr_eliminate_zeros": (4, 4, None),
    "get_csr_submatrix": (4, -1, 2), "csr_tobsr": (6, 9, None),
}  # fmt: skip
"""Where the entries are among the arguments, and where they go: an argument, or a result."""
_ENDS = {"csr_sort_indices": 1, "csr_eliminate_zeros": 2}


def _moves(f: Any, args: tuple[Any, ...]) -> Any:
    """A kernel that moves entries: where from is seen when it moves their numbers instead."""
    source, target, result = _MOVES[f.__name__]
    data = args[source]
    ids = np.arange(1.0, data.size + 1).reshape(data.shape)
    probe = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    probe[source] = ids
    real = [a.copy() if isinstance(a, np.ndarray) and k == source else a
            for k, a in enumerate(args)]  # fmt: skip
    if target >= 0 and target != source:
        probe[target] = np.zeros(args[target].shape)
        real[target] = args[target].copy()
    found, gone = f(*real), f(*probe)
    if result is not None:
        places = gone[result].astype(np.intp) - 1
        if len(places) != len(found[result]):
            raise _dropped()
        return tuple([_MOVED(data, places) if k == result else r for k, r in enumerate(found)])
    for k, a in enumerate(args):
        if isinstance(a, np.ndarray) and a.dtype.kind == "i" and not np.array_equal(a, probe[k]):
            raise _dropped()
    moved = probe[target] if source != target else probe[target][: args[_ENDS[f.__name__]][-1]]
    at = np.nonzero(moved)
    before = _COPIED(data) if source == target else data
    if source != target:
        args[target][...] = real[target]
    _MOVE(before, moved[at].astype(np.intp) - 1, at, args[target])
    return found


# -- sums and products ----------------------------------------------------------------------------


def _all_of(data: Any) -> Any:
    return np.arange(data.size)


def _csr_sums(m: int, n: int, p: Any, j: Any, a: Any) -> tuple[Any, Any, Any]:
    return _rows(p), j[: p[-1]], np.arange(p[-1])


def _coo_todense(m: int, n: int, count: int, i: Any, j: Any, a: Any, out: Any, fortran: Any) -> Any:
    return a, _all_of(a), i + m * j if fortran else i * n + j, out


def _csr_todense(m: int, n: int, p: Any, j: Any, a: Any, out: Any) -> Any:
    rows, columns, own = _csr_sums(m, n, p, j, a)
    return a, own, rows * n + columns, out


def _csr_diagonal(k: int, m: int, n: int, p: Any, j: Any, a: Any, out: Any) -> Any:
    rows, columns, own = _csr_sums(m, n, p, j, a)
    on = columns - rows == k
    return a, own[on], rows[on] - max(-k, 0), out


def _csr_sample_values(m: int, n: int, p: Any, j: Any, a: Any, count: int, at_i: Any, at_j: Any,
                       out: Any) -> Any:  # fmt: skip
    rows, columns, own = _csr_sums(m, n, p, j, a)
    width = np.int64(n)
    asked, entry = _pairs(at_i % m * width + at_j % n, rows * width + columns)
    return a, own[entry], asked, out


_SUMS: dict[str, Callable[..., Any]] = {
    f.__name__[1:]: f for f in (_coo_todense, _csr_todense, _csr_diagonal, _csr_sample_values)
}
"""What is added up: the array of numbers, which of them, the places that they go to, the result."""


def _csr_matvec(m: int, n: int, p: Any, j: Any, a: Any, x: Any, out: Any) -> Any:
    rows, columns, own = _csr_sums(m, n, p, j, a)
    return a, x, own, columns, rows, out


def _csc_matvec(m: int, n: int, p: Any, i: Any, a: Any, x: Any, out: Any) -> Any:
    columns, rows, own = _csr_sums(n, m, p, i, a)
    return a, x, own, columns, rows, out


def _spread(own: Any, columns: Any, rows: Any, count: int) -> tuple[Any, Any, Any]:
    """The same for a matrix with so many columns beside it."""
    k = np.arange(count)
    return (np.repeat(own, count), np.ravel(columns[:, None] * count + k),
            np.ravel(rows[:, None] * count + k))  # fmt: skip


def _csr_matvecs(m: int, n: int, count: int, p: Any, j: Any, a: Any, x: Any, out: Any) -> Any:
    rows, columns, own = _csr_sums(m, n, p, j, a)
    return a, x, *_spread(own, columns, rows, count), out


def _csc_matvecs(m: int, n: int, count: int, p: Any, i: Any, a: Any, x: Any, out: Any) -> Any:
    columns, rows, own = _csr_sums(n, m, p, i, a)
    return a, x, *_spread(own, columns, rows, count), out


def _coo_matvec(count: int, i: Any, j: Any, a: Any, x: Any, out: Any) -> Any:
    return a, x, _all_of(a), j, i, out


def _coo_matmat_dense(nnz: int, count: int, i: Any, j: Any, a: Any, x: Any, out: Any) -> Any:
    return a, x, *_spread(_all_of(a), j, i, count), out


def _dia(m: int, n: int, length: int, offsets: Any) -> tuple[Any, Any, Any]:
    own, columns = np.divmod(np.arange(len(offsets) * length), length)
    rows = columns - offsets[own]
    inside = (rows >= 0) & (rows < m) & (columns < n)
    return np.flatnonzero(inside), columns[inside], rows[inside]


def _dia_matvec(m: int, n: int, count: int, length: int, offsets: Any, a: Any, x: Any,
                out: Any) -> Any:  # fmt: skip
    own, columns, rows = _dia(m, n, length, offsets)
    return a, x, own, columns, rows, out


def _dia_matvecs(m: int, n: int, count: int, length: int, offsets: Any, a: Any, many: int, x: Any,
                 out: Any) -> Any:  # fmt: skip
    return a, x, *_spread(*_dia(m, n, length, offsets), many), out


def _bsr_matvec(m: int, n: int, high: int, wide: int, p: Any, j: Any, a: Any, x: Any,
                out: Any) -> Any:  # fmt: skip
    r, c = np.divmod(np.arange(high * wide), wide)
    rows, columns = _rows(p)[:, None] * high + r, j[: p[-1], None] * wide + c
    return a, x, np.arange(rows.size), np.ravel(columns), np.ravel(rows), out


def _bsr_matvecs(m: int, n: int, many: int, high: int, wide: int, p: Any, j: Any, a: Any, x: Any,
                 out: Any) -> Any:  # fmt: skip
    _, _, own, columns, rows, _ = _bsr_matvec(m, n, high, wide, p, j, a, x, out)
    return a, x, *_spread(own, columns, rows, many), out


def _csr_scale_rows(m: int, n: int, p: Any, j: Any, a: Any, x: Any) -> Any:
    rows, _, own = _csr_sums(m, n, p, j, a)
    return a, x, own, rows, own, a


def _csr_scale_columns(m: int, n: int, p: Any, j: Any, a: Any, x: Any) -> Any:
    _, columns, own = _csr_sums(m, n, p, j, a)
    return a, x, own, columns, own, a


_BILINEAR: dict[str, Callable[..., Any]] = {
    f.__name__[1:]: f for f in (
        _csr_matvec, _csc_matvec, _csr_matvecs, _csc_matvecs, _coo_matvec, _coo_matmat_dense,
        _dia_matvec, _dia_matvecs, _bsr_matvec, _bsr_matvecs, _csr_scale_rows, _csr_scale_columns,
    )
}  # fmt: skip
"""The same of products of two arrays: both, which numbers of them, the places, the result."""


def _adds(f: Any, args: tuple[Any, ...]) -> Any:
    """A kernel that adds numbers, or products of two, to what is there, or scales it."""
    *given, at, out = (_SUMS.get(f.__name__) or _BILINEAR[f.__name__])(*args)
    scales = out is given[0]
    old = 0.0 if scales else _COPIED(out)
    if scales:
        given[0] = _COPIED(out)
    real = [a.copy() if a is out else a for a in args]
    found = f(*real)
    exact = next(a for a, b in zip(real, args, strict=True) if b is out)
    if scales:
        exact, target = exact[: len(at)], out[: len(at)]
    else:
        target = out
    (_SUM if f.__name__ in _SUMS else _PRODUCTS)(*given, at, old, exact, target)
    return found


# -- matrices of two matrices ---------------------------------------------------------------------


def _found(keys: Any, wanted: Any) -> Any:
    """The places of keys among others, all of which have to be there."""
    order = np.argsort(keys, kind="stable")
    places = np.searchsorted(keys, wanted, sorter=order)
    if len(wanted) and (places.max() >= len(keys) or np.any(keys[order[places]] != wanted)):
        raise _dropped()
    return order[places]


def _keys(p: Any, j: Any, n: int) -> Any:
    return _rows(p) * np.int64(n) + j[: p[-1]]


def _of_two(f: Any, args: tuple[Any, ...]) -> Any:
    """`A + B`, `A - B`, `A * B` by elements, and the product of matrices."""
    blocks = f.__name__[:3] == "bsr"
    n, size = args[1], args[2] * args[3] if blocks else 1
    p, j, a, q, k, b, r, s, out = args[4 if blocks else 2 :]
    exact = out.copy()
    found = f(*args[:-1], exact)
    exact = exact[: r[-1] * size]
    made = _keys(r, s, n)
    if "_plus_" in f.__name__ or "_minus_" in f.__name__:
        left, right = (
            np.ravel(_found(made, keys)[:, None] * size + np.arange(size))
            for keys in (_keys(p, j, n), _keys(q, k, n))
        )
        sign = 1.0 if "_plus_" in f.__name__ else -1.0  # of small integers, too
        _SUMS_OF_TWO(a, b, left, right, sign, exact, out)
        return found
    if f.__name__ == "csr_elmul_csr":
        one, two = _keys(p, j, n), _keys(q, k, n)
        left, right = _pairs(one, two)
        at = _found(made, one[left])
    else:
        left, right = _pairs(j[: p[-1]], _rows(q))
        at = _found(made, _rows(p)[left] * np.int64(n) + k[right])
    _PRODUCTS(a, b, left, right, at, np.zeros(len(exact)), exact, out[: len(exact)])
    return found


def _dia_matmat(f: Any, args: tuple[Any, ...]) -> Any:
    """The product of two matrices of diagonals."""
    m, n, _, width, p, a, columns, _, wide, q, b = args
    offsets, exact = f(*args[:5], still(a), *args[6:10], still(b))
    own, j, i = _dia(m, n, width, p)
    other, k, row = _dia(n, columns, wide, q)
    left, right = _pairs(j, row)
    length = exact.size // max(len(offsets), 1)
    at = _found(offsets, k[right] - i[left]) * length + k[right]
    out = np.zeros(exact.shape, exact.dtype)
    _PRODUCTS(a, b, own[left], other[right], at, 0.0, exact, out)
    return offsets, out


def _sum_duplicates(f: Any, args: tuple[Any, ...]) -> Any:
    _, n, p, j, a = args
    before, own, old = _keys(p, j, n), np.arange(p[-1]), _COPIED(a)
    exact = a.copy()
    found = f(*args[:4], exact)
    exact = exact[: p[-1]]
    _SUM(old, own, _found(_keys(p, j, n), before), np.zeros(len(exact)), exact, a[: len(exact)])
    return found


# -- systems of equations -------------------------------------------------------------------------

@functools.cache
def _refinement() -> Callable[..., Any]:
    """A step of iterative refinement, whose derivative is that of the solution."""
    text = (
        "def formula(data, rows, columns, b, x, m):\n"
        "    ax = np.zeros(x.shape, x.dtype)\n"
        "    part = x[columns]\n"
        "    np.add.at(ax, rows, data * part if x.ndim == 1 else data[:, None] * part)\n"
        "    return x + solved_exactly(m, np.reshape(b, x.shape) - ax)\n"
    )
    return from_text(text, {"np": np, "solved_exactly": meaning("solved_exactly")})


_EXACTLY = from_text("def formula(exact, x):\n    return x + (exact - still(x))\n", _ENV)


def _corrected(data: Any, rows: Any, columns: Any, b: Any, exact: Any) -> Any:
    """The solution of a system, with its derivative: a step from it with the matrix as it is has
    the first one, another step the second one."""
    import scipy.sparse

    n, x = len(exact), exact
    m = scipy.sparse.csc_matrix((still(data), (rows, columns)), shape=(n, n))
    for _ in range(max(1, len(STATE.runs).bit_length())):
        x = _refinement()(data, rows, columns, b, x, m)
    return _EXACTLY(exact, x)


def solved(f: Any, n: Any, count: Any, data: Any, along: Any, starts: Any, b: Any, flag: Any,
           **options: Any) -> Any:  # fmt: skip
    """`_superlu.gssv`"""
    exact, info = f(n, count, still(data), along, starts, still(b), flag, **options)
    if info:
        return exact, info
    rows, columns = _rows(starts), along
    if flag:
        rows, columns = columns, rows
    return _corrected(data, rows, columns, b, exact), info


class Factored:
    """What `splu` gives for a matrix that varies."""

    def __init__(self, made: Any, data: Any, rows: Any, columns: Any) -> None:
        self.made, self.data, self.rows, self.columns = made, data, rows, columns

    def solve(self, rhs: Any, trans: str = "N") -> Any:
        """The solution of a system, or of the transposed one."""
        exact = self.made.solve(still(rhs), trans)
        places = (self.rows, self.columns) if trans == "N" else (self.columns, self.rows)
        return _corrected(self.data, *places, rhs, exact)

    def __getattr__(self, name: str) -> Any:
        if name in ("shape", "nnz", "perm_r", "perm_c"):
            return getattr(self.made, name)
        raise DerivativeError(f"`{name}` of the factors of a sparse matrix that varies",
                              code="AD603")  # fmt: skip


def factored(f: Any, n: Any, count: Any, data: Any, along: Any, starts: Any, **options: Any) -> Any:
    """`_superlu.gstrf`, by columns"""
    made = f(n, count, still(data), along, starts, **options)
    return Factored(made, _COPIED(data), along.copy(), _rows(starts))


_TOTAL = from_text("def formula(a):\n    return np.sum(a)\n", _ENV)


def total(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`a.sum()` of a sparse matrix, which NumPy is handed as a `np.matrix`."""
    if args[1:] or kwargs or not hasattr(args[0], "data") or not reaches(args[0]):
        return call_python(f, args, kwargs)
    plainly = copy.copy(args[0])
    plainly.data = still(plainly.data)
    if plainly.format == "dia":
        return call_python(f, args, kwargs)
    return _EXACTLY(f(plainly), _TOTAL(args[0].data))


def call_python(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A method in its rewritten form."""
    from adtrans.recorder import calls

    return calls._function(f, args, kwargs)


def kernel(f: Any) -> Callable[..., Any] | None:
    """What stands for a function of SciPy's sparse matrices that is written in C."""
    name = f.__name__
    for table, run in (
        (_MOVES, _moves), (_SUMS, _adds), (_BILINEAR, _adds),
        (("csr_plus_csr", "csr_minus_csr", "bsr_plus_bsr", "bsr_minus_bsr", "csr_elmul_csr",
          "csr_matmat"), _of_two),
        (("csr_sum_duplicates",), _sum_duplicates), (("dia_matmat",), _dia_matmat),
    ):  # fmt: skip
        if name in table:
            return lambda *args: run(f, args)
    if name in ("gssv", "gstrf"):
        stands = solved if name == "gssv" else factored
        return lambda *args, **options: stands(f, *args, **options)
    return None
