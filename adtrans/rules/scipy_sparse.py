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

from collections.abc import Callable, Mapping
from typing import TypeGuard

from adtrans.ir.kinds import NEVER, Array, Instance, Kind, TupleOf
from adtrans.rules import registry
from adtrans.rules.declare import Site, rule, unknown
from adtrans.rules.rule import Rule


def _dense(name: str, fix: str = "") -> Callable[[Site], str | None]:
    """Refuses what is no array for certain: of numbers, the product is another one."""
    why = f"beside a sparse matrix there has to be an array{fix}"

    def refuses(site: Site) -> str | None:
        return None if site.is_array(name) else why

    return refuses


_SOLVE = "scipy.sparse.linalg.spsolve"
_FIXED = "only that of the vector or matrix beside it has a rule"
LEFT = rule("@(a, b)", b="a.T @ y_bar", b_dot="a @ dot", without={"a": _FIXED}, call="operator",
            refuses=_dense("b"), register=False)  # fmt: skip
RIGHT = rule("@(a, b)", a="y_bar @ b.T", a_dot="dot @ b", without={"b": _FIXED}, call="operator",
             refuses=_dense("a"), register=False)  # fmt: skip
DOT = rule("sparse.dot(a, b)", b="a.T @ y_bar", b_dot="a @ dot", without={"a": _FIXED},
           call="method", refuses=_dense("b"), register=False)  # fmt: skip


def is_sparse(cls: object) -> TypeGuard[type]:
    """Whether a class is one of SciPy's sparse matrices or arrays."""
    return isinstance(cls, type) and cls.__module__.startswith("scipy.sparse.")


def made_sparse(cls: type, args: tuple[Kind, ...], kwargs: Mapping[str, Kind]) -> Kind | None:
    """The kind of a new sparse matrix, if it holds numbers whose type is known."""
    given = args[0] if args else NEVER
    given = given.items[0] if isinstance(given, TupleOf) and given.items else given
    if not isinstance(given, Array) or given.dtype is None or "dtype" in kwargs or len(args) > 2:
        return None
    data = Array(given.dtype, (None,))
    return Instance(f"{cls.__module__}.{cls.__qualname__}", cls, (("data", data),))


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


def _as_given(text: str) -> Callable[[Site], str]:
    """The adjoint of a right-hand side; SciPy returns the solution for one column as a vector."""

    def write(site: Site) -> str:
        same = site.ndim("b") == 1 or site.ndim("b") == site.ndim("y") == 2
        return text if same else f"np.reshape({text}, np.shape(b))"

    return write


for _name in ("dot", "_matmul_vector", "_mul_vector"):
    registry.add_method(_name, DOT, "sparse")
rule("scipy.sparse.linalg.spsolve(A, b, permc_spec=None, use_umfpack=True)", refuses=_dense("b"),
     b=_as_given("scipy.sparse.linalg.spsolve(A.T, y_bar)"),
     b_dot="scipy.sparse.linalg.spsolve(A, dot)",
     inert=("permc_spec", "use_umfpack"),
     without={"A": "only that of the right-hand side has a rule"})  # fmt: skip

def _way_refusal(site: Site) -> str | None:
    return None if site.const("trans") in ("N", "T") else "`trans` must be 'N' or 'T'"


def _solution(text: str, turned: bool) -> Callable[[Site], str]:
    def write(site: Site) -> str:
        return text.format("T" if (site.const("trans") == "T") != turned else "N")

    return write


FACTORED = rule("SuperLU.solve(lu, rhs, trans='N')", refuses=_way_refusal, like=("rhs",),
                rhs=_solution("lu.solve(y_bar, '{}')", True),
                rhs_dot=_solution("lu.solve(dot, '{}')", False),
                without={"lu": "a factorization that is made elsewhere is fixed"}, call="method",
                register=False)  # fmt: skip
registry.add_method("solve", FACTORED, "SuperLU")

# SciPy's own source of these is machinery of its classes: to look into it takes a minute
unknown("sparse matrices whose entries vary are not compiled",
        *(f"scipy.sparse.{n}" for n in ("diags", "diags_array", "spdiags", "kronsum", "tril",
                                        "triu", "kron", "bmat", "block_array", "block_diag",
                                        "hstack", "vstack")),
        *(f"scipy.sparse.linalg.{n}" for n in ("splu", "factorized")))  # fmt: skip
unknown("it has no rule: use `scipy.sparse.linalg.spsolve`, which has one",
        *(f"scipy.sparse.linalg.{n}" for n in (
            "gcrotmk", "lgmres", "minres", "qmr", "tfqmr", "spilu", "lsqr", "lsmr")))  # fmt: skip
registry.add_helper(rule(
    "solution_of(found, m, b)", register=False, inert=("found",), like=("b",),
    result="maybe_same", of="b",  # SciPy returns it where it is zero
    b="np.reshape(solved_exactly(m.T, y_bar), np.shape(b))",
    b_dot="np.reshape(solved_exactly(m, np.broadcast_to(dot, np.shape(b))), np.shape(y))",
    without={"m": "only that of the right-hand side has a rule"},
))  # fmt: skip
registry.add_helper(rule("solved_exactly(m, g)", register=False, like=("g",), inert=("m",),
                         g="solved_exactly(m.T, y_bar)", g_dot="solved_exactly(m, dot)"))
