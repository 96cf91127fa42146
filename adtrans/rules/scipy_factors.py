"""`scipy.linalg`: factorizations, and the eigenvalues of symmetric matrices, some or all.

>>> from adtrans.rules.registry import all_rules
>>> dict(all_rules())["scipy.linalg.eigh"].active_params
('a', 'b')
"""

from __future__ import annotations

from typing import Any

from adtrans.rules import numpy_linalg as dense
from adtrans.rules.complexes import is_complex
from adtrans.rules.declare import MATRICES, MATRIX, Site
from adtrans.rules.scipy_linalg import CHECK, any_complex, declare, written_out
from adtrans.rules.site import Text


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


declare(f"cholesky(a, lower=False, overwrite_a=False, {CHECK})",
        lands={"a": (0, 1)},
        ranks={"a": MATRICES},
        refuses=written_out("lower"),
        a=_both("cholesky_pullback", "y_bar"),
        a_dot=_both("cholesky_pushforward", "dot"))  # fmt: skip
declare(f"cho_factor(a, lower=False, overwrite_a=False, {CHECK})",
        lands={"a": (0, 2)},
        ranks={"a": MATRICES},
        tuple_result=True,
        a="cho_factor_pullback(y_bar[0], y[0], lower)",
        a_dot="(cho_factor_pushforward(dot, y[0], lower), 0.0)")  # fmt: skip
declare(f"lu_factor(a, overwrite_a=False, {CHECK})",
        lands={"a": (0, 2)},
        ranks={"a": MATRICES},
        tuple_result=True,
        a="lu_factor_pullback(y_bar[0], y)",
        a_dot="(lu_factor_pushforward(dot, y), np.zeros_like(y[1]))")  # fmt: skip


def _lu_refusal(site: Site) -> str | None:
    refuse = written_out("permute_l", "p_indices")
    found: str | None = refuse(site)
    return found


def _lu(site: Site) -> str:
    if site.const("permute_l") is True:
        return "lu_turned_pullback(y_bar, scipy.linalg.lu(a))"
    if site.const("p_indices") is True:
        return "lu_pullback((None, y_bar[1], y_bar[2]), scipy.linalg.lu(a))"
    return "lu_pullback(y_bar, y)"


def _lu_dot(site: Site) -> str:
    if site.const("permute_l") is True:
        return "lu_turned_pushforward(dot, scipy.linalg.lu(a))"
    if site.const("p_indices") is True:
        return "(np.zeros_like(y[0]), *lu_pushforward(dot, scipy.linalg.lu(a))[1:])"
    return "lu_pushforward(dot, y)"


declare(f"lu(a, permute_l=False, overwrite_a=False, {CHECK}, p_indices=False)",
        lands={"a": (2, 3)},
        tuple_result=True, partial=True, refuses=_lu_refusal, a=_lu, a_dot=_lu_dot)  # fmt: skip


def _qr_refusal(site: Site) -> str | None:
    if site.const("mode") not in ("economic", "full"):
        return "only `mode='economic'` and `mode='full'` have a rule"
    if site.const("mode") == "full" and site.const("pivoting") is True:
        return "with `pivoting=` only `mode='economic'` has a rule"
    if site.const("pivoting") is True and site.ndim("a") != 2:
        return "`pivoting=` has a rule for one matrix"
    found: str | None = written_out("pivoting")(site)
    return found


def _qr(way: str, seed: str) -> Any:
    def write(site: Site) -> Text:
        full = "full_" * (site.const("mode") == "full")
        return f"{full}{'pivoted_' * (site.const('pivoting') is True)}qr_{way}({seed}, y)"

    return write


declare(f"qr(a, overwrite_a=False, lwork=None, mode='full', pivoting=False, {CHECK})",
        lands={"a": (0, 2)},
        ranks={"a": MATRICES},
        tuple_result=True, partial=True, refuses=_qr_refusal,
        a=_qr("pullback", "y_bar"), a_dot=_qr("pushforward", "dot"))  # fmt: skip
declare(f"svd(a, full_matrices=True, compute_uv=True, overwrite_a=False, {CHECK}, "
        "lapack_driver='gesdd')",
        ranks={"a": MATRICES},
        partial=True, refuses=written_out("compute_uv"),
        tuple_result=lambda s: s.const("compute_uv") is not False,
        a=dense._svd("y_bar", "pullback"), a_dot=dense._svd("dot", "pushforward"))  # fmt: skip
declare(f"svdvals(a, overwrite_a=False, {CHECK})",
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
    if pair and not only and any_complex(site):
        return "of two complex matrices only the eigenvalues have a rule: `eigvals_only=True`"
    if site.const("type") not in (1, 2, 3):
        return "`type=` must be written out here"
    names = ["lower", *(["eigvals_only"] if "eigvals_only" in site.bound else [])]
    found: str | None = written_out(*names)(site)
    return found


_PAIR = "scipy.linalg.eigh(a, b, lower=lower)"
_OF_PRODUCT = "scipy.linalg.eigh(a, b, lower=lower, type=type)"


def _pair_adjoint(site: Site, which: str, seed: str) -> str:
    """The adjoint of one of two matrices, of `seed` and of what `eigh` gives, or none of that."""
    way = "left" if which == "a" else "right"
    if site.const("type") == 1:
        y = "y" if seed == "y_bar" else _PAIR
        return f"eigh_pair_{way}({seed}, {y}, lower)"
    y = "y" if seed == "y_bar" else _OF_PRODUCT
    return f"eigh_product_{way}({seed}, a, b, {y}, lower, type)"


def _pair_tangent(site: Site, which: str, *, only: bool = False) -> str:
    dots = "dot, None" if which == "a" else "None, dot"
    if site.const("type") == 1:
        found = f"eigh_pair_pushforward({dots}, {_PAIR if only else 'y'}, lower)"
    else:
        y = _OF_PRODUCT if only else "y"
        found = f"eigh_product_pushforward({dots}, a, b, {y}, lower, type)"
    return f"{found}[0]" if only else found


def _eigenvalues(which: str) -> Any:
    """The adjoint of one of two matrices, of which only the eigenvalues are asked."""

    def write(site: Site) -> Text:
        if site.const("b") is None:
            part = "eigvalsh_part_pullback(y_bar, a, y, 'L' if lower else 'U')"
            whole = "eigvalsh_pullback(y_bar, a, 'L' if lower else 'U')"
            return (part if _is_part(site) else whole) if which == "a" else None
        return _pair_adjoint(site, which, "(y_bar, None)")

    return write


def _eigenvalues_dot(which: str) -> Any:
    def write(site: Site) -> Text:
        if site.const("b") is None:
            part = "eigvalsh_part_pushforward(dot, a, y, 'L' if lower else 'U')"
            whole = "eigvalsh_pushforward(dot, a, 'L' if lower else 'U')"
            return (part if _is_part(site) else whole) if which == "a" else None
        return _pair_tangent(site, which, only=True)

    return write


def _of_right(whole: Any, only: Any) -> Any:
    """A formula for the second matrix, with vectors or without."""
    return lambda site: only(site) if site.const("eigvals_only") is True else whole(site)


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
            return _pair_adjoint(site, "a", "y_bar")
        return _pair_tangent(site, "a")

    return write


_EIGH_TAIL = (
    f"overwrite_a=False, overwrite_b=False, type=1, {CHECK}, subset_by_index=None, "
    "subset_by_value=None, driver=None"
)
declare(f"eigh(a, b=None, *, lower=True, eigvals_only=False, {_EIGH_TAIL})",
        lands={"a": (1, 2)},
        ranks={"a": MATRIX, "b": MATRIX},
        tuple_result=lambda s: s.const("eigvals_only") is not True, partial=True,
        refuses=_eigh_refusal, a=_eigh("y_bar", "pullback"), a_dot=_eigh("dot", "pushforward"),
        b=_of_right(lambda s: _pair_adjoint(s, "b", "y_bar"), _eigenvalues("b")),
        b_dot=_of_right(lambda s: _pair_tangent(s, "b"), _eigenvalues_dot("b")),
        )  # fmt: skip
declare(f"eigvalsh(a, b=None, *, lower=True, {_EIGH_TAIL})",
        ranks={"a": MATRICES, "b": MATRIX},
        refuses=lambda s: _eigh_refusal(s) if s.const("b") is None or s.ndim("a") == 2 else
        "two matrices have a rule here, stacks of them have none",
        a=_eigenvalues("a"), a_dot=_eigenvalues_dot("a"), b=_eigenvalues("b"),
        b_dot=_eigenvalues_dot("b"))  # fmt: skip


def _general_refusal(site: Site) -> str | None:
    if site.const("b") is not None:
        return "of two matrices that are not symmetric it has no rule"
    if "left" in site.bound and site.const("left") is not False:
        return "left eigenvectors have no rule: take `right` ones of the transpose"
    if site.const("homogeneous_eigvals") is not False:
        return "`homogeneous_eigvals=` has no rule"
    if "right" in site.bound:
        found: str | None = written_out("right")(site)
        return found
    return None


def _general(seed: str, way: str) -> Any:
    """The eigenvalues are complex numbers, those of a real matrix, too; its vectors are one or the
    other, and have no rule."""

    def write(site: Site) -> Text:
        if site.const("right") is False:
            return f"complex_eigvals_{way}({seed}, a)" + " + 0j" * (way == "pushforward")
        if is_complex(site.kind("a")):
            return f"complex_eig_{way}({seed}, y)"
        return f"real_eig_{way}({seed}, a)"

    return write


_LAST = "homogeneous_eigvals=False"
declare(f"eig(a, b=None, left=False, right=True, overwrite_a=False, overwrite_b=False, {CHECK}, "
        f"{_LAST})",
        ranks={"a": MATRICES},
        tuple_result=lambda s: s.const("right") is not False, partial=True,
        refuses=_general_refusal, a=_general("y_bar", "pullback"),
        a_dot=_general("dot", "pushforward"))  # fmt: skip
declare(f"eigvals(a, b=None, overwrite_a=False, {CHECK}, {_LAST})",
        ranks={"a": MATRICES},
        refuses=_general_refusal, a="complex_eigvals_pullback(y_bar, a)",
        a_dot="complex_eigvals_pushforward(dot, a) + 0j")  # fmt: skip
