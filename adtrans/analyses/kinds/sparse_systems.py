"""The kinds of solutions of systems with sparse matrices.

>>> from adtrans.ir.kinds import UNKNOWN
>>> column = Array("float64", (Affine((), 0), Affine((), 1)))
>>> print(solution(UNKNOWN, column), solution(UNKNOWN, Array("float64", (None,))))
?[0] ?[?]
"""

from __future__ import annotations

import numpy as np

from adtrans.ir.affine import Affine
from adtrans.ir.kinds import Array, Instance, Kind, Known
from adtrans.rules.scipy_sparse import is_sparse


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


def _dtype(matrix: Kind, b: Array) -> str | None:
    """That of both, where these are known; SciPy makes floats of integers."""
    value = matrix.value if isinstance(matrix, Known) else None
    data = matrix.attribute("data") if isinstance(matrix, Instance) else None
    of = getattr(data, "dtype", None)
    if is_sparse(type(value)):
        of = str(getattr(value, "dtype", None))
    both = [np.dtype("float64" if t == "int64" else t) for t in (of, b.dtype) if t is not None]
    known = len(both) == 2 and all(t.kind in "fc" for t in both)
    return str(np.result_type(*both)) if known else None
