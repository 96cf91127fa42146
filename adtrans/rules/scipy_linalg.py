"""`scipy.linalg`. Calls that let SciPy overwrite an operand (`overwrite_a=True`): `lower.scratch`.

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
    SOME,
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

_CHECK = "check_finite=True"


def declare(text: str, /, **words: Any) -> None:
    """A function of `scipy.linalg` with full contributions."""
    made = {
        k: re.sub(r"@(?=\w)", "scipy.linalg.", v) if isinstance(v, str) else v
        for k, v in words.items()
    }
    rule(f"scipy.linalg.{text}", **made)


def _general(site: Site) -> bool:
    return site.const("assume_a") in (None, "gen", "general")


def _inv_refusal(site: Site) -> str | None:
    return None if _general(site) else "`assume_a=` has no rule for this function"


_SYMMETRIC = ("sym", "symmetric", "her", "hermitian", "pos", "positive definite")
_PARTS = {
    "upper triangular": "np.triu({})", "lower triangular": "np.tril({})",
    "diagonal": "np.diag(np.diag({}))", "tridiagonal": "np.triu(np.tril({}, 1), -1)",
}  # fmt: skip
"""The part of a matrix that is read."""


def _solve_refusal(site: Site) -> str | None:
    kind, turned = site.const("assume_a"), site.const("transposed")
    if is_complex(site.kind("a")) and (turned is not False or not _general(site)):
        return "complex matrices have a rule without `assume_a=` and `transposed=`"
    if turned not in (True, False):
        return "`transposed=` must be written out"
    if kind in _SYMMETRIC:
        return "`transposed=` has no rule for a symmetric matrix: leave it out" if turned else None
    if not _general(site) and kind not in _PARTS:
        return "`assume_a=` must be written out, and be one of those with a rule"
    one = site.ndim("a") == 2 and site.ndim("b") in (1, 2)
    if one or (_general(site) and not turned):
        return None
    return "only one matrix has a rule with `transposed=`, or of which a part is read"


def _solve(general: Any, symmetric: str, of_part: Any) -> Any:
    """A formula for the kind of matrix; `of_part` is given what is read, and if it is turned."""

    def write(site: Site) -> Text:
        turned = site.const("transposed") is True
        if site.const("assume_a") in _SYMMETRIC:
            return symmetric
        if _general(site) and not turned:
            found: Text = general(site) if callable(general) else general
            return found
        read = _PARTS.get(str(site.const("assume_a")), "{}")
        made: str = of_part(site, read, turned)
        return made

    return write


def _part_a(site: Site, read: str, turned: bool) -> str:
    seed = f"np.linalg.solve({_of(read, not turned)}, y_bar)"
    left, right = ("y", seed) if turned else (seed, "y")
    outer = f"{left}[:, None] * {right}" if site.ndim("b") == 1 else f"{left} @ {right}.T"
    return f"-{read.format(outer)}"


def _part_a_dot(site: Site, read: str, turned: bool) -> str:
    return f"-np.linalg.solve({_of(read, turned)}, {_of(read, turned, 'dot')} @ y)"


def _of(read: str, turned: bool, name: str = "a") -> str:
    return read.format(name) + (".T" if turned else "")


def _both(pullback: str, seed: str) -> Any:
    """Lower factors by `pullback`; upper ones are transposed on the way in and out."""

    def write(site: Site) -> Text:
        again = "scipy.linalg.cholesky(a, lower=lower)"
        if site.const("lower") is True:
            return f"{pullback}({seed}, y)", f"{pullback}({seed}, {again})"
        if site.const("lower") is not False:
            return None
        turned = [dense._h(site, text) for text in (seed, "y", again)]
        return tuple(dense._h(site, f"{pullback}({turned[0]}, {y})") for y in turned[1:])

    return write


def _written_out(*names: str) -> Any:
    def refuses(site: Site) -> str | None:
        for name in names:
            if site.const(name) not in (True, False):
                return f"`{name}=` must be written out here"
        return None

    return refuses


def _any_complex(site: Site) -> bool:
    return is_complex(site.kind("a")) or is_complex(site.kind("b"))


# systems
declare(f"inv(a, overwrite_a=False, {_CHECK}, *, assume_a=None, lower=False)",
        lands={"a": (0, 1)},
        ranks={"a": MATRICES},
        a=dense._inverse, a_dot="-y @ dot @ y", refuses=_inv_refusal)  # fmt: skip
declare(f"det(a, overwrite_a=False, {_CHECK})",
        ranks={"a": MATRICES},
        a=dense._det,
        a_dot="np.sum(cofactors(a, y) * dot, axis=(-2, -1))")  # fmt: skip
declare(f"solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, {_CHECK}, assume_a=None, "
        "transposed=False)",
        lands={"b": (0, 1)},
        ranks={"a": MATRICES, "b": SOME},
        refuses=_solve_refusal,
        a=_solve(dense._solve_a, "symmetric_solve_left(y_bar, a, np.shape(b), y, lower)", _part_a),
        b=_solve(dense._solve_b, "symmetric_solve_right(y_bar, a, np.shape(b), lower)",
                 lambda s, read, t: f"np.linalg.solve({_of(read, not t)}, y_bar)"),
        a_dot=_solve(dense._solve_a_dot, "-symmetric_solve(a, matvec_like(from_triangle(dot, "
                     "'L' if lower else 'U'), y, np.shape(b)), np.shape(b), lower)", _part_a_dot),
        b_dot=_solve("solve_like(a, dot, np.shape(b))",
                     "symmetric_solve(a, dot, np.shape(b), lower)",
                     lambda s, read, t: f"np.linalg.solve({_of(read, t)}, dot)"),
        )  # fmt: skip
declare(f"solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, "
        f"{_CHECK})",
        lands={"b": (0, 1)},
        ranks={"a": MATRIX, "b": (1, 2)},
        refuses=lambda s: None if s.const("trans") in (0, 1, "N", "T") or not _any_complex(s) else
        "of complex matrices only `trans=0` and `trans=1` have a rule",
        a="triangular_left(y_bar, a, np.shape(b), y, trans, lower, unit_diagonal)",
        b="triangular_right(y_bar, a, trans, lower, unit_diagonal)",
        a_dot="triangular_pushforward(dot, a, np.shape(b), y, trans, lower, unit_diagonal)",
        b_dot="@solve_triangular(a, dot, trans, lower, unit_diagonal)")  # fmt: skip
declare(f"solve_banded(l_and_u, ab, b, overwrite_ab=False, overwrite_b=False, {_CHECK})",
        lands={"b": (0, 1)},
        ranks={"ab": MATRIX, "b": (1, 2)}, like=("b",),
        ab="banded_left(y_bar, l_and_u, ab, np.shape(b), y)",
        b="banded_right(y_bar, l_and_u, ab)",
        ab_dot="banded_pushforward(dot, l_and_u, ab, np.shape(b), y)",
        b_dot="@solve_banded(l_and_u, ab, dot)")  # fmt: skip


def _solve_toeplitz(seed: str, way: str) -> Any:
    def write(site: Site, i: int) -> Text:
        pair = "(c_or_cr[0], c_or_cr[1])" if i >= 0 else "c_or_cr"
        if i < 0 and not site.is_array("c_or_cr"):
            return None
        if way == "pullback":
            return f"toeplitz_solve_left({seed}, {pair}, np.shape(b), y, {i})"
        return f"-scipy.linalg.solve_toeplitz({pair}, toeplitz_moved(dot, y, np.shape(b), {i}))"

    return write


def _turned(site: Site) -> Text:
    if site.items("c_or_cr") == 2:
        return "scipy.linalg.solve_toeplitz(toeplitz_turned(c_or_cr[0], c_or_cr[1]), y_bar)"
    return "scipy.linalg.solve_toeplitz(c_or_cr, y_bar)" if site.is_array("c_or_cr") else None


declare(f"solve_toeplitz(c_or_cr: seq, b, {_CHECK})",
        ranks={"b": (1, 2), "c_or_cr": VECTOR, "c_or_cr[0]": VECTOR, "c_or_cr[1]": VECTOR},
        like=("b",),
        c_or_cr=_solve_toeplitz("y_bar", "pullback"),
        c_or_cr_dot=_solve_toeplitz("dot", "pushforward"), b=_turned,
        b_dot=lambda s: "scipy.linalg.solve_toeplitz((c_or_cr[0], c_or_cr[1]), dot)"
        if s.items("c_or_cr") == 2 else "scipy.linalg.solve_toeplitz(c_or_cr, dot)")  # fmt: skip
declare("solve_circulant(c, b, singular='raise', tol=None, caxis=-1, baxis=0, outaxis=0)",
        c="-circulant_pullback(np.outer(@solve_circulant(np.roll(c[::-1], 1), y_bar), y))",
        c_dot="-@solve_circulant(c, @matmul_toeplitz((dot, np.roll(dot[::-1], 1)), y))",
        b="@solve_circulant(np.roll(c[::-1], 1), y_bar)", b_dot="@solve_circulant(c, dot)",
        inert=("tol",), refuses=lambda s: None if s.ndim("c") == 1 and s.ndim("b") == 1 and
        s.const("singular") == "raise" else "two vectors have a rule, other forms have none",
        )  # fmt: skip
declare(f"solveh_banded(ab, b, overwrite_ab=False, overwrite_b=False, lower=False, {_CHECK})",
        lands={"b": (0, 1)},
        ranks={"ab": MATRIX, "b": (1, 2)}, like=("b",),
        ab="symmetric_bands_left(y_bar, ab, np.shape(b), y, lower)",
        ab_dot="-@solveh_banded(ab, symmetric_bands_times(dot, y, np.shape(b), lower), "
               "lower=lower)",
        b="@solveh_banded(ab, y_bar, lower=lower)",
        b_dot="@solveh_banded(ab, dot, lower=lower)")  # fmt: skip
declare("solve_sylvester(a, b, q)",
        ranks={"a": MATRIX, "b": MATRIX, "q": MATRIX},
        q="@solve_sylvester(a.T, b.T, y_bar)",
        a="-@solve_sylvester(a.T, b.T, y_bar) @ y.T", b="-y.T @ @solve_sylvester(a.T, b.T, y_bar)",
        a_dot="-@solve_sylvester(a, b, dot @ y)", b_dot="-@solve_sylvester(a, b, y @ dot)",
        q_dot="@solve_sylvester(a, b, dot)")  # fmt: skip
declare("solve_continuous_lyapunov(a, q)",
        ranks={"a": MATRIX, "q": MATRIX},
        q="@solve_continuous_lyapunov(a.T, y_bar)",
        a="-@solve_continuous_lyapunov(a.T, y_bar) @ y.T "
          "- @solve_continuous_lyapunov(a.T, y_bar.T) @ y",
        a_dot="-@solve_continuous_lyapunov(a, dot @ y + y @ dot.T)",
        q_dot="@solve_continuous_lyapunov(a, dot)")  # fmt: skip
declare("solve_discrete_lyapunov(a, q, method=None)",
        ranks={"a": MATRIX, "q": MATRIX},
        q="@solve_discrete_lyapunov(a.T, y_bar)",
        a="@solve_discrete_lyapunov(a.T, y_bar) @ a @ y.T "
          "+ @solve_discrete_lyapunov(a.T, y_bar.T) @ a @ y",
        a_dot="@solve_discrete_lyapunov(a, dot @ y @ a.T + a @ y @ dot.T)",
        q_dot="@solve_discrete_lyapunov(a, dot)")  # fmt: skip
declare(f"lstsq(a, b, cond=None, overwrite_a=False, overwrite_b=False, {_CHECK}, "
        "lapack_driver=None)",
        ranks={"a": MATRIX, "b": (1, 2)},
        tuple_result=True, partial=True,
        a="lstsq_left(y_bar, a, b, y, -1)", b="lstsq_right(y_bar, a, b, y, -1)",
        a_dot="lstsq_left_pushforward(dot, a, b, y, -1)",
        b_dot="lstsq_right_pushforward(dot, a, b, y, -1)",
        refuses=lambda s: None if s.const("cond") is None else
        "`cond=` has no rule: the rank must be clear")  # fmt: skip
declare(f"pinv(a, *, atol=None, rtol=None, return_rank=False, {_CHECK})",
        ranks={"a": MATRICES},
        a="pinv_pullback(y_bar, a, y)", a_dot="pinv_pushforward(dot, a, y)",
        refuses=lambda s: None if s.const("return_rank") is False else
        "`return_rank=` is not supported while the result carries a derivative")  # fmt: skip

# factorizations
declare(f"cholesky(a, lower=False, overwrite_a=False, {_CHECK})",
        lands={"a": (0, 1)},
        ranks={"a": MATRICES},
        refuses=_written_out("lower"),
        a=_both("cholesky_pullback", "y_bar"),
        a_dot=_both("cholesky_pushforward", "dot"))  # fmt: skip
declare(f"cho_factor(a, lower=False, overwrite_a=False, {_CHECK})",
        lands={"a": (0, 2)},
        ranks={"a": MATRICES},
        tuple_result=True,
        a="cho_factor_pullback(y_bar[0], y[0], lower)",
        a_dot="(cho_factor_pushforward(dot, y[0], lower), 0.0)")  # fmt: skip
declare(f"lu_factor(a, overwrite_a=False, {_CHECK})",
        lands={"a": (0, 2)},
        ranks={"a": MATRIX},
        tuple_result=True,
        a="lu_factor_pullback(y_bar[0], y)",
        a_dot="(lu_factor_pushforward(dot, y), np.zeros_like(y[1]))")  # fmt: skip


def _lu_refusal(site: Site) -> str | None:
    plain = site.const("permute_l") is False and site.const("p_indices") is False
    return None if plain else "`permute_l=` and `p_indices=` have no rule"


declare(f"lu(a, permute_l=False, overwrite_a=False, {_CHECK}, p_indices=False)",
        lands={"a": (2, 3)},
        tuple_result=True, partial=True, refuses=_lu_refusal, a="lu_pullback(y_bar, y)",
        a_dot="lu_pushforward(dot, y)")  # fmt: skip


def _factor(text: str, name: str) -> Any:
    """A formula for the factor, which is item 0 of a pair, written out or not."""

    def write(site: Site, i: int) -> Text:
        pair = f"({name}[0], {name}[1])" if i >= 0 else name
        found = text.replace("{}", pair)
        if i > 0:
            return None
        return found if i == 0 else f"({found}, None)"

    return write


def _factor_dot(text: str, name: str) -> Any:
    def write(site: Site, i: int) -> Text:
        if i > 0:
            return None
        pair = f"({name}[0], {name}[1])" if i == 0 else name
        return text.replace("{}", pair).replace("(dot,", "(dot," if i == 0 else "(dot[0],")

    return write


declare(f"cho_solve(c_and_lower: seq, b, overwrite_b=False, {_CHECK})",
        lands={"b": (0, 1)},
        ranks={"c_and_lower[0]": MATRIX, "b": (1, 2)},
        c_and_lower=_factor("cho_solve_factor(y_bar, {}, np.shape(b), y)", "c_and_lower"),
        c_and_lower_dot=_factor_dot("cho_solve_pushforward(dot, {}, np.shape(b), y)",
                                    "c_and_lower"),
        b=lambda s: f"scipy.linalg.cho_solve({_pair(s, 'c_and_lower')}, y_bar)",
        b_dot=lambda s: f"scipy.linalg.cho_solve({_pair(s, 'c_and_lower')}, dot)")  # fmt: skip
declare(f"lu_solve(lu_and_piv: seq, b, trans=0, overwrite_b=False, {_CHECK})",
        lands={"b": (0, 1)},
        ranks={"lu_and_piv[0]": MATRIX, "lu_and_piv[1]": VECTOR, "b": (1, 2)},
        lu_and_piv=_factor("lu_solve_factor(y_bar, {}, np.shape(b), y, trans)", "lu_and_piv"),
        lu_and_piv_dot=_factor_dot("lu_solve_pushforward(dot, {}, np.shape(b), y, trans)",
                                   "lu_and_piv"),
        b=lambda s: f"lu_solve_right(y_bar, {_pair(s, 'lu_and_piv')}, trans)",
        b_dot=lambda s: f"scipy.linalg.lu_solve({_pair(s, 'lu_and_piv')}, dot, trans)",
        )  # fmt: skip


def _pair(site: Site, name: str) -> str:
    return f"({name}[0], {name}[1])" if site.items(name) == 2 else name


def _qr_refusal(site: Site) -> str | None:
    if site.const("mode") != "economic":
        return "only `mode='economic'` has a derivative: further columns are not unique"
    return None if site.const("pivoting") is False else "`pivoting=` has no rule"


declare(f"qr(a, overwrite_a=False, lwork=None, mode='full', pivoting=False, {_CHECK})",
        lands={"a": (0, 2)},
        ranks={"a": MATRICES},
        tuple_result=True, partial=True, refuses=_qr_refusal,
        a="qr_pullback(y_bar, y)", a_dot="qr_pushforward(dot, y)")  # fmt: skip
declare(f"svd(a, full_matrices=True, compute_uv=True, overwrite_a=False, {_CHECK}, "
        "lapack_driver='gesdd')",
        ranks={"a": MATRICES},
        partial=True, refuses=_written_out("compute_uv"),
        tuple_result=lambda s: s.const("compute_uv") is not False,
        a=dense._svd("y_bar", "pullback"), a_dot=dense._svd("dot", "pushforward"))  # fmt: skip
declare(f"svdvals(a, overwrite_a=False, {_CHECK})",
        ranks={"a": MATRICES},
        a="svdvals_pullback(y_bar, a)",
        a_dot="svdvals_pushforward(dot, a)")  # fmt: skip


def _is_part(site: Site) -> bool:
    """Whether some of the eigenvalues are asked for."""
    return any(site.const(f"subset_by_{k}") is not None for k in ("index", "value"))


def _eigh_refusal(site: Site) -> str | None:
    pair = site.const("b") is not None
    if pair and _is_part(site):
        return "a subset of the eigenvalues of two matrices has no rule"
    if _is_part(site) and site.ndim("a") != 2:
        return "a subset of the eigenvalues of several matrices has no rule"
    only = "eigvals_only" not in site.bound or site.const("eigvals_only") is True
    if pair and not only and _any_complex(site):
        return "of two complex matrices only the eigenvalues have a rule: `eigvals_only=True`"
    if site.const("type") != 1:
        return "only `type=1` has a rule"
    names = ["lower", *(["eigvals_only"] if "eigvals_only" in site.bound else [])]
    found: str | None = _written_out(*names)(site)
    return found


_PAIR = "scipy.linalg.eigh(a, b, lower=lower)"


def _eigenvalues(which: str) -> Any:
    """The adjoint of one of two matrices, of which only the eigenvalues are asked."""

    def write(site: Site) -> Text:
        if site.const("b") is None:
            part = "eigvalsh_part_pullback(y_bar, a, y, 'L' if lower else 'U')"
            whole = "eigvalsh_pullback(y_bar, a, 'L' if lower else 'U')"
            return (part if _is_part(site) else whole) if which == "a" else None
        way = "left" if which == "a" else "right"
        return f"eigh_pair_{way}((y_bar, None), {_PAIR}, lower)"

    return write


def _eigenvalues_dot(which: str) -> Any:
    def write(site: Site) -> Text:
        if site.const("b") is None:
            part = "eigvalsh_part_pushforward(dot, a, y, 'L' if lower else 'U')"
            whole = "eigvalsh_pushforward(dot, a, 'L' if lower else 'U')"
            return (part if _is_part(site) else whole) if which == "a" else None
        dots = "dot, None" if which == "a" else "None, dot"
        return f"eigh_pair_pushforward({dots}, {_PAIR}, lower)[0]"

    return write


def _of_right(whole: str, only: Any) -> Any:
    """A formula for the second matrix, with vectors or without."""
    return lambda site: only(site) if site.const("eigvals_only") is True else whole


def _eigh(seed: str, way: str) -> Any:
    def write(site: Site) -> Text:
        uplo = "'L'" if site.const("lower") is True else "'U'"
        if site.const("eigvals_only") is True and site.const("b") is not None:
            found: Text = (_eigenvalues if way == "pullback" else _eigenvalues_dot)("a")(site)
            return found
        complex_ = "complex_" * is_complex(site.kind("a"))
        if site.const("eigvals_only") is True:
            return (f"eigvalsh_part_{way}({seed}, a, y, {uplo})" if _is_part(site) else
                    f"eigvalsh_{way}({seed}, a, {uplo})")  # fmt: skip
        if site.const("b") is None:
            return (f"{complex_}eigh_part_{way}({seed}, a, y, {uplo})" if _is_part(site) else
                    f"{complex_}eigh_{way}({seed}, y, {uplo})")  # fmt: skip
        if way == "pullback":
            return "eigh_pair_left(y_bar, y, lower)"
        return "eigh_pair_pushforward(dot, None, y, lower)"

    return write


_EIGH_TAIL = (
    f"overwrite_a=False, overwrite_b=False, type=1, {_CHECK}, subset_by_index=None, "
    "subset_by_value=None, driver=None"
)
declare(f"eigh(a, b=None, *, lower=True, eigvals_only=False, {_EIGH_TAIL})",
        lands={"a": (1, 2)},
        ranks={"a": MATRIX, "b": MATRIX},
        tuple_result=lambda s: s.const("eigvals_only") is not True, partial=True,
        refuses=_eigh_refusal, a=_eigh("y_bar", "pullback"), a_dot=_eigh("dot", "pushforward"),
        b=_of_right("eigh_pair_right(y_bar, y, lower)", _eigenvalues("b")),
        b_dot=_of_right("eigh_pair_pushforward(None, dot, y, lower)", _eigenvalues_dot("b")),
        )  # fmt: skip
declare(f"eigvalsh(a, b=None, *, lower=True, {_EIGH_TAIL})",
        ranks={"a": MATRICES, "b": MATRIX},
        refuses=lambda s: _eigh_refusal(s) if s.const("b") is None or s.ndim("a") == 2 else
        "two matrices have a rule here, stacks of them have none",
        a=_eigenvalues("a"), a_dot=_eigenvalues_dot("a"), b=_eigenvalues("b"),
        b_dot=_eigenvalues_dot("b"))  # fmt: skip

# functions of matrices
for _name in ("expm", "sinm", "cosm", "tanm", "sinhm", "coshm", "tanhm", "logm"):
    declare(f"{_name}(A)", ranks={"A": MATRICES},
            A=f"matrix_function_slope(@{_name}, np.swapaxes(A, -1, -2), y_bar)",
            A_dot=f"matrix_function_slope(@{_name}, A, dot)")  # fmt: skip
declare("sqrtm(A)",
        ranks={"A": MATRIX},
        A="sqrtm_slope(y.T, y_bar)", A_dot="sqrtm_slope(y, dot)")

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
declare(f"norm(a, ord=None, axis=None, keepdims=False, {_CHECK})", a=dense._norm_a,
        a_dot=dense._norm_dot)  # fmt: skip

constant("scipy.linalg.hilbert", "scipy.linalg.invhilbert", "scipy.linalg.pascal",
         "scipy.linalg.invpascal", "scipy.linalg.hadamard", "scipy.linalg.helmert",
         "scipy.linalg.dft", "scipy.linalg.bandwidth", "scipy.linalg.issymmetric",
         "scipy.linalg.ishermitian")  # fmt: skip
unknown("its values are complex numbers, or vectors that are not unique; `np.linalg.eig` has a "
        "rule for real eigenvalues",
        *(f"scipy.linalg.{n}" for n in ("eig", "eigvals", "schur", "qz", "ordqz", "hessenberg",
                                        "null_space", "orth", "rsf2csf", "cdf2rdf")))  # fmt: skip
unknown("it has no rule yet",
        *(f"scipy.linalg.{n}" for n in (
            "cho_solve_banded", "cholesky_banded", "eig_banded", "eigvals_banded",
            "eigh_tridiagonal", "eigvalsh_tridiagonal", "convolution_matrix",
            "kron", "find_best_blas_type", "get_blas_funcs", "get_lapack_funcs",
            "cossin", "diagsvd", "expm_cond", "expm_frechet", "fiedler", "fiedler_companion",
            "fractional_matrix_power", "funm", "ldl", "leslie", "matmul_toeplitz",
            "matrix_balance", "orthogonal_procrustes", "pinvh", "polar", "qr_delete", "qr_insert",
            "qr_multiply", "qr_update", "rq", "signm",
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
