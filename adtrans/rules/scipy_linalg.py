"""`scipy.linalg`: functions of matrices, special matrices, and what is unknown. Calls that let
SciPy overwrite an operand (`overwrite_a=True`): `lower.scratch`.

`@` stands for `scipy.linalg.` in the formulas.

>>> from adtrans.rules.registry import all_rules
>>> dict(all_rules())["scipy.linalg.inv"].overwriting
('overwrite_a',)
"""

from __future__ import annotations

import re
from typing import Any

from adtrans.rules import numpy_linalg as dense
from adtrans.rules import registry
from adtrans.rules.complexes import is_complex
from adtrans.rules.declare import (
    MATRICES,
    MATRIX,
    VECTOR,
    Site,
    constant,
    linear,
    multilinear,
    rule,
    unknown,
    view,
)
from adtrans.rules.rule import Rule
from adtrans.rules.site import Text

CHECK = "check_finite=True"


def declare(text: str, /, **words: Any) -> None:
    """A function of `scipy.linalg` with full contributions."""
    made = {
        k: re.sub(r"@(?=\w)", "scipy.linalg.", v) if isinstance(v, str) else v
        for k, v in words.items()
    }
    rule(f"scipy.linalg.{text}", **made)


def written_out(*names: str) -> Any:
    """Refuses where one of these flags is not written out."""

    def refuses(site: Site) -> str | None:
        for name in names:
            if site.const(name) not in (True, False):
                return f"`{name}=` must be written out here"
        return None

    return refuses


def any_complex(site: Site) -> bool:
    """Whether one of two matrices is complex."""
    return is_complex(site.kind("a")) or is_complex(site.kind("b"))


# functions of matrices
for _name in ("expm", "sinm", "cosm", "tanm", "sinhm", "coshm", "tanhm", "logm"):
    declare(f"{_name}(A)", ranks={"A": MATRICES},
            A=f"matrix_function_slope(@{_name}, np.swapaxes(A, -1, -2), y_bar)",
            A_dot=f"matrix_function_slope(@{_name}, A, dot)")  # fmt: skip
declare("sqrtm(A)",
        ranks={"A": MATRICES},
        A="sqrtm_slope(np.swapaxes(y, -1, -2), y_bar)", A_dot="sqrtm_slope(y, dot)")

# special matrices, and norms
linear("scipy.linalg.toeplitz(c, r=None)", ranks={"c": VECTOR, "r": VECTOR},
       r="toeplitz_row(y_bar, np.shape(r))",
       c=lambda s: f"toeplitz_column(y_bar, np.shape(c), {s.const('r') is None})")  # fmt: skip
linear("scipy.linalg.hankel(c, r=None)", ranks={"c": VECTOR, "r": VECTOR},
       c="hankel_column(y_bar, np.shape(c))",
       r="hankel_row(y_bar, np.shape(r))")  # fmt: skip
linear("scipy.linalg.circulant(c)", ranks={"c": VECTOR}, c="circulant_pullback(y_bar)",
       refuses=lambda s: None if s.ndim("c") in (1, None) else "only one vector has a rule",
       )  # fmt: skip


def _block(site: Site, i: int) -> Text:
    n = site.items("arrs")
    if n is None or i < 0 or any((site.ndim(f"arrs[{k}]") or 0) > 2 for k in range(n)):
        return None  # stacks of matrices are put together otherwise
    shapes = ", ".join(f"np.shape(arrs[{k}])" for k in range(n))
    return f"block_diag_part(y_bar, {i}, ({shapes},))"


linear("scipy.linalg.block_diag(*arrs)", arrs=_block)
multilinear("scipy.linalg.khatri_rao(a, b)", ranks={"a": MATRIX, "b": MATRIX},
            a="np.einsum('ijk,jk->ik', np.reshape(y_bar, (len(a), *np.shape(b))), b)",
            b="np.einsum('ijk,ik->jk', np.reshape(y_bar, (len(a), *np.shape(b))), a)",
            )  # fmt: skip
declare(f"norm(a, ord=None, axis=None, keepdims=False, {CHECK})", a=dense._norm_a,
        a_dot=dense._norm_dot)  # fmt: skip

constant("scipy.linalg.hilbert", "scipy.linalg.invhilbert", "scipy.linalg.pascal",
         "scipy.linalg.invpascal", "scipy.linalg.hadamard", "scipy.linalg.helmert",
         "scipy.linalg.bandwidth", "scipy.linalg.issymmetric",
         "scipy.linalg.ishermitian")  # fmt: skip
constant("scipy.linalg.dft", inert=())
unknown("its values are complex numbers, or vectors that are not unique; `np.linalg.eig` has a "
        "rule",
        *(f"scipy.linalg.{n}" for n in ("schur", "qz", "ordqz", "hessenberg",
                                        "null_space", "orth", "rsf2csf", "cdf2rdf")))  # fmt: skip
unknown("it has no rule yet",
        *(f"scipy.linalg.{n}" for n in (
            "cho_solve_banded", "cholesky_banded", "eig_banded", "eigvals_banded",
            "eigh_tridiagonal", "kron", "find_best_blas_type", "get_blas_funcs",
            "get_lapack_funcs", "cossin", "expm_cond", "funm", "ldl",
            "matrix_balance", "qr_delete", "qr_insert", "qr_multiply", "qr_update", "rq", "signm",
            "solve_continuous_are", "solve_discrete_are", "subspace_angles",
            "clarkson_woodruff_transform")))  # fmt: skip
# what the calls with flags leave in their operands, as `lower.scratch` writes them
registry.add_helper(rule("left_over(work)", work="left_over_pullback(y_bar)",
                         work_dot="np.full(np.shape(dot), np.nan)", register=False))  # fmt: skip
registry.add_helper(rule("scratch_of(a)", a="y_bar", a_dot="dot", register=False))
registry.add_helper(view("held_in(a, found)", a="y_bar", a_dot="held_in(dot, found)",
                         inert=("found",), register=False))
for _name in ("can_be_written", "lies_in", "part_start"):
    registry.add_helper(Rule(_name, "", "constant", inert_ok=frozenset({"*"})))
# functions in Python, in `written`
for _name in ("as_computed", "one_of", "picked"):
    registry.add_helper(Rule(_name, "", "constant", inert_ok=frozenset({"*"})))
for _name in ("designed", "steady"):  # of what does not vary
    registry.add_helper(Rule(_name, "", "constant"))
