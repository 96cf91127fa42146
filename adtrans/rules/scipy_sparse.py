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
from typing import Any, TypeGuard

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
unknown("it is followed where what is asked of the matrix is known: products, sums, transposes, "
        "other forms, solutions, elements",
        *(f"scipy.sparse.{n}" for n in ("diags", "diags_array", "spdiags")))  # fmt: skip
unknown("of a matrix that varies it is followed where nothing but its `solve` is called: write "
        "`splu(A).solve(b)`, or `lu = splu(A)` and `lu.solve(b)`",
        *(f"scipy.sparse.linalg.{n}" for n in ("splu", "factorized")))
unknown("it has no rule: use `scipy.sparse.linalg.spsolve`, which has one, also for the entries of "
        "the matrix",
        *(f"scipy.sparse.linalg.{n}" for n in (
            "gcrotmk", "lgmres", "minres", "qmr", "tfqmr", "spilu", "lsqr", "lsmr")))  # fmt: skip
registry.add_helper(rule(
    "solution_of(found, m, b)", register=False, inert=("found",), like=("b",),
    result="maybe_same", of="b",  # SciPy returns it where it is zero
    b="np.reshape(solved_exactly(m.T, y_bar), np.shape(b))",
    b_dot="np.reshape(solved_exactly(m, np.broadcast_to(dot, np.shape(b))), np.shape(y))",
    without={"m": "only that of the right-hand side has a rule; `spsolve` has one for the entries "
                  "of the matrix, too"},
))  # fmt: skip
registry.add_helper(rule("solved_exactly(m, g)", register=False, like=("g",), inert=("m",),
                         g="solved_exactly(m.T, y_bar)", g_dot="solved_exactly(m, dot)"))
unknown("matrices that vary are followed where they are made of entries, diagonals or elements",
        *(f"scipy.sparse.{n}" for n in ("kronsum", "tril", "triu")))
unknown("it is followed where all of its parts are sparse matrices for certain, and written out, "
        "and what is asked of the result is known: products, sums, solutions, elements",
        *(f"scipy.sparse.{n}" for n in ("kron", "bmat", "block_array", "block_diag", "hstack",
                                        "vstack")))  # fmt: skip

# with matrices whose entries vary, as `lower.sparse` writes them
for _name in ("matrix_of_entries", "matrix_of_rows", "matrix_of_elements", "matrix_of_diagonals",
              "matrix_of_lines", "diagonal_length", "diagonal_numbers", "matrix_sum",
              "matrix_scaled", "matrix_negated", "matrix_as",
              "matrix_again", "matrix_factored", "matrix_product", "matrix_starred",
              "left_of", "right_of",
              "entry_count", "columns_of", "turned", "size_along", "matrix_turned",
              "matrix_of_blocks", "matrix_kron",
              "plain_matrix"):  # fmt: skip
    registry.add_helper(Rule(_name, "", "constant", inert_ok=frozenset({"*"})))
for _name in ("constant_matrix", "constant_entries"):  # of one that varies, it would be lost
    registry.add_helper(Rule(_name, "", "constant"))
_TRANSPOSED = {"sparse_solved": "turned_solved", "turned_solved": "sparse_solved"}


def _system(name: str) -> dict[str, Any]:
    """The formulas for a system with the matrix, or with its transpose."""
    back = f"{_TRANSPOSED[name]}(m, data, y_bar)"
    of = "m" if name == "sparse_solved" else "turned(m)"
    return {
        "data": f"-entries_pullback({back}, {of}, np.shape(data), y)",
        "data_dot": f"-{name}(m, data, entries_times(dot, {of}, y, np.shape(y)))",
        "b": _as_given(back), "b_dot": f"{name}(m, data, dot)", "refuses": _dense("b"),
    }  # fmt: skip


_WITH_ENTRIES: dict[str, dict[str, Any]] = {
    **{
        f"{name}(m, data, v)": {
            "data": "entries_pullback(y_bar, m, np.shape(data), v)",
            "data_dot": "entries_times(dot, m, v, np.shape(y))",
            "v": "sparse_times(turned(m), data, y_bar)",
            "v_dot": "sparse_times(m, data, dot)", "refuses": _dense("v", fix),
        }
        for name, fix in (("sparse_times", ""), ("sparse_star", "; write a number before it"))
    },
    "times_sparse(v, m, data)": {
        "v": "times_sparse(y_bar, turned(m), data)", "v_dot": "times_sparse(dot, m, data)",
        "data": "entries_pullback(y_bar.T, turned(m), np.shape(data), v.T)",
        "data_dot": "entries_times(dot, turned(m), v.T, np.shape(y)[::-1]).T",
        "refuses": _dense("v"),
    },
    "sparse_solved(m, data, b)": _system("sparse_solved"),
    "turned_solved(m, data, b)": _system("turned_solved"),
    "sparse_toarray(m, data, shape)": {
        "data": "gathered(y_bar, m, np.shape(data))", "data_dot": "scattered(dot, m, shape)",
    },
    "scattered(t, m, shape)": {
        "t": "gathered(y_bar, m, np.shape(t))", "t_dot": "scattered(dot, m, shape)",
    },
    "gathered(g, m, shape)": {
        "g": "scattered(y_bar, m, np.shape(g))", "g_dot": "gathered(dot, m, shape)",
    },
    "sparse_diagonal(m, data)": {
        "data": "diagonal_entries(y_bar, m)",
        "data_dot": "diagonal_of_entries(dot, m, np.shape(y))",
    },
    "diagonal_entries(g, m)": {
        "g": "diagonal_of_entries(y_bar, m, np.shape(g))", "g_dot": "diagonal_entries(dot, m)",
    },
    "diagonal_of_entries(t, m, shape)": {
        "t": "diagonal_entries(y_bar, m)", "t_dot": "diagonal_of_entries(dot, m, shape)",
    },
    "sparse_sum(m, data)": {
        "data": "np.broadcast_to(y_bar, np.shape(data))", "data_dot": "np.sum(dot)",
    },
    "elements_of(a)": {"a": "np.reshape(y_bar, np.shape(a))", "a_dot": "np.ravel(dot)"},
    "entries_pullback(g, m, shape, v)": {
        "g": "entries_times(y_bar, m, v, np.shape(g))",
        "v": "entries_times(y_bar, turned(m), g, np.shape(v))",
        "g_dot": "entries_pullback(dot, m, shape, v)",
        "v_dot": "entries_pullback(g, m, shape, dot)",
    },
    "entries_times(t, m, v, shape)": {
        "t": "entries_pullback(y_bar, m, np.shape(t), v)",
        "t_dot": "entries_times(dot, m, v, shape)",
        "v": "entries_times(t, turned(m), y_bar, np.shape(v))",
        "v_dot": "entries_times(t, m, dot, shape)",
    },
}  # fmt: skip
_SHOWN = {
    "sparse_toarray": "the array of a sparse matrix", "sparse_sum": "the sum of a sparse matrix",
    "sparse_diagonal": "the diagonal of a sparse matrix",
    **dict.fromkeys(("sparse_solved", "turned_solved"), "a system with a sparse matrix"),
    **dict.fromkeys(("sparse_times", "sparse_star", "times_sparse"),
                    "a product with a sparse matrix"),
}  # fmt: skip
for _text, _words in _WITH_ENTRIES.items():
    registry.add_helper(rule(_text, **_words, inert=("m", "shape"), register=False,
                             stands_for=_SHOWN.get(_text.partition("(")[0], "")))
