"""Sparse matrices of SciPy that do not vary: products with arrays, and linear systems.

>>> import scipy.sparse
>>> from adtrans.ir.expr import Name
>>> from adtrans.ir.kinds import Array
>>> product = sparse_product("@", scipy.sparse.csr_matrix, None)
>>> bound = product.bind((Name("S"), Name("u")), ())
>>> print(product.pullback("b", bound, {"b": Array("float64", (None,))})[0])
a.T @ y_bar
"""

from __future__ import annotations

from collections.abc import Callable

from adtrans.rules import registry
from adtrans.rules.declare import Site, rule
from adtrans.rules.rule import Rule


def _dense(name: str) -> Callable[[Site], str | None]:
    """Refuses what is no array for certain: of numbers, the product is another one."""

    def refuses(site: Site) -> str | None:
        return None if site.is_array(name) else "beside a sparse matrix there has to be an array"

    return refuses


_SOLVE = "scipy.sparse.linalg.spsolve"
_FIXED = "only that of the vector or matrix beside it has a rule"
LEFT = rule("@(a, b)", b="a.T @ y_bar", b_dot="a @ dot", without={"a": _FIXED}, call="operator",
            refuses=_dense("b"), register=False)  # fmt: skip
RIGHT = rule("@(a, b)", a="y_bar @ b.T", a_dot="dot @ b", without={"b": _FIXED}, call="operator",
             refuses=_dense("a"), register=False)  # fmt: skip
DOT = rule("sparse.dot(a, b)", b="a.T @ y_bar", b_dot="a @ dot", without={"a": _FIXED},
           call="method", refuses=_dense("b"), register=False)  # fmt: skip


def is_sparse(cls: object) -> bool:
    """Whether a class is one of SciPy's sparse matrices or arrays."""
    return isinstance(cls, type) and cls.__module__.startswith("scipy.sparse.")


def is_solver(fn: object) -> bool:
    """Whether a function returns something like its second argument: `spsolve`."""
    module = str(getattr(fn, "__module__", ""))
    return module.startswith("scipy.sparse.linalg") and fn is registry.resolve(_SOLVE)


def sparse_product(op: str, left: object, right: object) -> Rule | None:
    """The rule for an operator of which one operand is sparse: a product of matrices."""
    cls = left if is_sparse(left) else right if is_sparse(right) else None
    if cls is None or (is_sparse(left) and is_sparse(right)):
        return None
    matrix = any(c.__name__ == "spmatrix" for c in getattr(cls, "__mro__", ()))
    if op == "@" or (op == "*" and matrix):
        return LEFT if is_sparse(left) else RIGHT
    return None


for _name in ("dot", "_matmul_vector", "_mul_vector"):
    registry.add_method(_name, DOT, "sparse")
rule("scipy.sparse.linalg.spsolve(A, b, permc_spec=None, use_umfpack=True)", refuses=_dense("b"),
     b="scipy.sparse.linalg.spsolve(A.T, y_bar)", b_dot="scipy.sparse.linalg.spsolve(A, dot)",
     inert=("permc_spec", "use_umfpack"),
     without={"A": "only that of the right-hand side has a rule"})  # fmt: skip
