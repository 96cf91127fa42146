"""The kinds of sparse matrices that are made of others, and of solutions of systems with them.

The class in such a kind tells a matrix from an array of SciPy, and not the form that it has.

>>> from adtrans.ir.kinds import UNKNOWN
>>> column = Array("float64", (Affine((), 0), Affine((), 1)))
>>> print(solution(UNKNOWN, column), solution(UNKNOWN, Array("float64", (None,))))
?[0] ?[?]
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from adtrans.ir.affine import Affine
from adtrans.ir.kinds import Array, Instance, Kind, Known, ListOf, Scalar, TupleOf
from adtrans.rules import registry
from adtrans.rules.scipy_sparse import is_sparse

_MATRICES = {
    **dict.fromkeys(("diags", "spdiags", "eye", "identity"), "scipy.sparse.csr_matrix"),
    **dict.fromkeys(("diags_array", "eye_array"), "scipy.sparse.csr_array"),
}
_FILLED = ("eye", "identity", "eye_array")
KEEP = frozenset({"tocsr", "tocsc", "tocoo", "todia", "tolil", "tobsr", "asformat", "copy",
                  "transpose"})  # fmt: skip
"""Methods that return the same matrix in another form."""
_ASK = KEEP | {
    "T", "shape", "ndim", "dtype", "nnz", "size", "format", "data", "indices", "indptr", "row",
    "col", "offsets", "diagonal", "toarray", "todense", "sum", "mean", "trace", "max", "min",
    "getrow", "getcol", "nonzero", "count_nonzero", "getnnz", "conj", "conjugate", "astype",
}  # fmt: skip


def made_by(fn: object, args: tuple[Kind, ...], kwargs: Mapping[str, Kind]) -> Kind | None:
    """That of what a function of SciPy makes of diagonals, or without anything: `identity(n)`."""
    name = str(getattr(fn, "__name__", ""))
    if name not in _MATRICES or not str(getattr(fn, "__module__", "")).startswith("scipy.sparse"):
        return None
    if registry.resolve(f"scipy.sparse.{name}") is not fn:
        return None
    given = (*args, *kwargs.values())
    lines = args[:1] if name not in _FILLED else ()
    numbers = [k for a in lines for k in (a.items if isinstance(a, TupleOf) else [a])]
    numbers = [k.item if isinstance(k, ListOf) else k for k in numbers]
    dtypes = {k.dtype or getattr(k, "type", None) for k in numbers if isinstance(k, Scalar | Array)}
    known = name in _FILLED or (len(numbers) > 0 and dtypes <= {"float", "float64"})
    plain = "dtype" not in kwargs and not any(isinstance(k, Known) for k in given)
    return _matrix(registry.resolve(_MATRICES[name]), "float64" if known and plain else None)


def combined(op: str, a: Kind, b: Kind) -> Kind | None:
    """That of an operation of which one operand at least is a sparse matrix, if that gives one."""
    both = [k for k in (a, b) if isinstance(k, Instance) and is_sparse(k.cls)]
    if not both or len({_is_array(k.cls) for k in both}) > 1:
        return None
    if len(both) == 2:
        fits = op in ("+", "-", "@") or (op == "*" and not _is_array(both[0].cls))
    else:
        fits = isinstance(a if both[0] is b else b, Scalar) and (
            op == "*" or (op == "/" and both[0] is a)
        )
    if not fits:
        return None
    real = all(k in both or (isinstance(k, Scalar) and k.type != "complex") for k in (a, b))
    known = real and all(_dtype(k, None) == "float64" for k in both)
    return _matrix(both[0].cls, "float64" if known else None)


def only_asks(kind: Kind, attr: str) -> bool:
    """Whether an attribute of a sparse matrix, or a method, writes nothing."""
    return isinstance(kind, Instance) and is_sparse(kind.cls) and attr in _ASK


def another(kind: Instance) -> Instance:
    """That of the same matrix in another form, or with other elements.

    >>> import scipy.sparse
    >>> made = another(Instance("", scipy.sparse.dia_matrix, (("data", Array("float64", None)),)))
    >>> print(made, made.attribute("data"))
    scipy.sparse._dia.dia_matrix float64[...]
    """
    return _matrix(kind.cls, _dtype(kind, None))


def _matrix(cls: object, dtype: str | None) -> Instance:
    assert isinstance(cls, type)
    name = f"{cls.__module__}.{cls.__qualname__}"
    return Instance(name, cls, (("data", Array(dtype, None)),) if dtype is not None else ())


def _is_array(cls: object) -> bool:
    return not any(c.__name__ == "spmatrix" for c in getattr(cls, "__mro__", ()))


def solution(matrix: Kind, b: Array) -> Array:
    """That of `scipy.sparse.linalg.spsolve`: one column is returned as a vector."""
    dtype = _dtype(matrix, b)
    if b.dims is None:
        return Array(dtype, None, least=min(b.least, 1))
    if len(b.dims) == 2 and b.dims[1] == Affine((), 1):
        return Array(dtype, b.dims[:1], b.not_one - {1})
    return Array(dtype, None, least=1) if may_be_column(b) else Array(dtype, b.dims, b.not_one)


def may_be_column(b: Array) -> bool:
    """Whether an array may be a matrix of one column."""
    if b.dims is None or len(b.dims) != 2:
        return b.dims is None
    columns = b.dims[1]
    return 1 not in b.not_one and (columns is None or bool(columns.terms) or columns.constant == 1)


def _dtype(matrix: Kind, b: Array | None) -> str | None:
    """That of both, where these are known; SciPy makes floats of integers."""
    value = matrix.value if isinstance(matrix, Known) else None
    data = matrix.attribute("data") if isinstance(matrix, Instance) else None
    of = getattr(data, "dtype", None)
    if is_sparse(type(value)):
        of = str(getattr(value, "dtype", None))
    if b is None:
        return of
    both = [np.dtype("float64" if t == "int64" else t) for t in (of, b.dtype) if t is not None]
    known = len(both) == 2 and all(t.kind in "fc" for t in both)
    return str(np.result_type(*both)) if known else None
