"""`scipy.linalg`: linear systems, by the matrix or by its factors, and matrix equations.

>>> from adtrans.rules.registry import all_rules
>>> dict(all_rules())["scipy.linalg.solve_banded"].active_params
('ab', 'b')
"""

from __future__ import annotations

from typing import Any

from adtrans.ir.kinds import Array, ListOf
from adtrans.rules import numpy_linalg as dense
from adtrans.rules.complexes import is_complex
from adtrans.rules.declare import MATRICES, MATRIX, SOME, VECTOR, Site
from adtrans.rules.scipy_linalg import CHECK, any_complex, declare, written_out
from adtrans.rules.site import Text


def _general(site: Site) -> bool:
    return site.const("assume_a") in (None, "gen", "general")


def _inv_refusal(site: Site) -> str | None:
    kind = site.const("assume_a")
    if _general(site):
        return None
    if is_complex(site.kind("a")) or (kind not in _SYMMETRIC and kind not in _PARTS):
        return "`assume_a=` must be written out, and be one of those with a rule; of complex " \
               "matrices no other than `'general'` has one"
    return None if kind in _SYMMETRIC or site.ndim("a") == 2 else "only one matrix has a rule here"


_READ = "'L' if lower else 'U'"


def _inv(site: Site) -> Text:
    kind = site.const("assume_a")
    if _general(site):
        return dense._inverse(site)
    whole = "transposed(y) @ y_bar @ transposed(y)"
    if kind in _SYMMETRIC:
        return f"to_triangle(-{whole}, {_READ})"
    return f"-{_PARTS[str(kind)].format(whole)}"


def _inv_dot(site: Site) -> Text:
    kind = site.const("assume_a")
    if _general(site):
        return "-y @ dot @ y"
    read = f"from_triangle(dot, {_READ})"
    return f"-y @ {read if kind in _SYMMETRIC else _PARTS[str(kind)].format('dot')} @ y"


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
    if one and _is_one(site, "a") and not _is_one(site, "b"):
        return "of a matrix of one element, the right side has to have one element or row"
    if one or (_general(site) and not turned):
        return None
    if kind == "diagonal" or None in (site.ndim("a"), site.ndim("b")):
        return "only one matrix has a rule here"
    return _stack_refusal(site)


def _is_one(site: Site, name: str) -> bool:
    """Whether an operand is known to have one row, or one element."""
    kind = site.kind(name)
    first = kind.dims[0] if isinstance(kind, Array) and kind.dims else None
    return first is not None and first.value == 1


def _stack_refusal(site: Site, a: str = "a") -> str | None:
    """SciPy takes a right side with one axis for one vector, also of several matrices."""
    several = (site.ndim(a) or 0) > 2 or (site.ndim("b") or 0) > 2
    if not several or (site.ndim("b") or 2) > 1:
        return None
    return "of several matrices, the right sides have to be matrices, too"


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
    seed = f"np.linalg.solve({_of(site, read, not turned)}, y_bar)"
    left, right = ("y", seed) if turned else (seed, "y")
    if _several(site):
        outer = read.format(f"{left} @ np.swapaxes({right}, -1, -2)")
        return f"-unbroadcast({outer}, np.shape(a))"
    outer = f"{left}[:, None] * {right}" if site.ndim("b") == 1 else f"{left} @ {right}.T"
    return f"-{read.format(outer)}"


def _part_b(site: Site, read: str, turned: bool) -> str:
    found = f"np.linalg.solve({_of(site, read, not turned)}, y_bar)"
    return f"unbroadcast({found}, np.shape(b))" if _several(site) else found


def _several(site: Site, a: str = "a") -> bool:
    """Whether there may be several matrices, or right sides for one."""
    return (site.ndim(a), site.ndim("b")) not in ((2, 1), (2, 2))


def _part_a_dot(site: Site, read: str, turned: bool) -> str:
    return f"-np.linalg.solve({_of(site, read, turned)}, {_of(site, read, turned, 'dot')} @ y)"


def _of(site: Site, read: str, turned: bool, name: str = "a") -> str:
    part = read.format(name)
    if not turned:
        return part
    return f"np.swapaxes({part}, -1, -2)" if _several(site) else f"{part}.T"


def _triangular_refusal(site: Site) -> str | None:
    if site.const("trans") not in (0, 1, "N", "T") and any_complex(site):
        return "of complex matrices only `trans=0` and `trans=1` have a rule"
    return _stack_refusal(site) if _several(site) else None


def _summed(text: str, name: str, of: str = "a") -> Any:
    """A formula for one matrix, and for several, which may meet one of the others."""
    return lambda site: f"unbroadcast({text}, np.shape({name}))" if _several(site, of) else text


declare(f"inv(a, overwrite_a=False, {CHECK}, *, assume_a=None, lower=False)",
        lands={"a": (0, 1)},
        ranks={"a": MATRICES},
        a=_inv, a_dot=_inv_dot, refuses=_inv_refusal)  # fmt: skip
declare(f"det(a, overwrite_a=False, {CHECK})",
        ranks={"a": MATRICES},
        a=dense._det,
        a_dot="np.sum(cofactors(a, y) * dot, axis=(-2, -1))")  # fmt: skip
declare(f"solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, {CHECK}, assume_a=None, "
        "transposed=False)",
        lands={"b": (0, 1)},
        ranks={"a": MATRICES, "b": SOME},
        refuses=_solve_refusal,
        a=_solve(dense._solve_a, "symmetric_solve_left(y_bar, a, np.shape(b), y, lower)", _part_a),
        b=_solve(dense._solve_b, "symmetric_solve_right(y_bar, a, np.shape(b), lower)",
                 _part_b),
        a_dot=_solve(dense._solve_a_dot, "-symmetric_solve(a, matvec_like(from_triangle(dot, "
                     "'L' if lower else 'U'), y, np.shape(b)), np.shape(b), lower)", _part_a_dot),
        b_dot=_solve("solve_like(a, dot, np.shape(b))",
                     "symmetric_solve(a, dot, np.shape(b), lower)",
                     lambda s, read, t: f"np.linalg.solve({_of(s, read, t)}, dot)"),
        )  # fmt: skip
declare(f"solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, "
        f"{CHECK})",
        lands={"b": (0, 1)},
        ranks={"a": MATRICES, "b": SOME},
        refuses=_triangular_refusal,
        a=_summed("triangular_left(y_bar, a, np.shape(b), y, trans, lower, unit_diagonal)", "a"),
        b=_summed("triangular_right(y_bar, a, trans, lower, unit_diagonal)", "b"),
        a_dot="triangular_pushforward(dot, a, np.shape(b), y, trans, lower, unit_diagonal)",
        b_dot="@solve_triangular(a, dot, trans, lower, unit_diagonal)")  # fmt: skip
declare(f"solve_banded(l_and_u, ab, b, overwrite_ab=False, overwrite_b=False, {CHECK})",
        lands={"b": (0, 1)},
        ranks={"ab": MATRIX, "b": (1, 2)}, like=("b",),
        ab="banded_left(y_bar, l_and_u, ab, np.shape(b), y)",
        b="banded_right(y_bar, l_and_u, ab)",
        ab_dot="banded_pushforward(dot, l_and_u, ab, np.shape(b), y)",
        b_dot="@solve_banded(l_and_u, ab, dot, check_finite=False)")  # fmt: skip


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


declare(f"solve_toeplitz(c_or_cr: seq, b, {CHECK})",
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
declare(f"solveh_banded(ab, b, overwrite_ab=False, overwrite_b=False, lower=False, {CHECK})",
        lands={"b": (0, 1)},
        ranks={"ab": MATRIX, "b": (1, 2)}, like=("b",),
        ab="symmetric_bands_left(y_bar, ab, np.shape(b), y, lower)",
        ab_dot="-@solveh_banded(ab, symmetric_bands_times(dot, y, np.shape(b), lower), "
               "lower=lower, check_finite=False)",
        b="@solveh_banded(ab, y_bar, lower=lower, check_finite=False)",
        b_dot="@solveh_banded(ab, dot, lower=lower, check_finite=False)")  # fmt: skip
_BACK = "@solve_sylvester(transposed(a), transposed(b), y_bar)"
declare("solve_sylvester(a, b, q)",
        ranks={"a": MATRICES, "b": MATRICES, "q": MATRICES},
        refuses=lambda s: None if s.ndim("a") == s.ndim("b") == s.ndim("q") else
        "one matrix among several has no rule: give each as many axes",
        q=_BACK, a=f"-{_BACK} @ transposed(y)", b=f"-transposed(y) @ {_BACK}",
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
declare(f"lstsq(a, b, cond=None, overwrite_a=False, overwrite_b=False, {CHECK}, "
        "lapack_driver=None)",
        ranks={"a": MATRICES, "b": SOME},
        tuple_result=True, partial=True,
        a="lstsq_left(y_bar, a, b, y, -1)", b="lstsq_right(y_bar, a, b, y, -1)",
        a_dot="lstsq_left_pushforward(dot, a, b, y, -1)",
        b_dot="lstsq_right_pushforward(dot, a, b, y, -1)",
        refuses=lambda s: None if s.const("cond") is None else
        "`cond=` has no rule: the rank must be clear")  # fmt: skip
declare(f"pinv(a, *, atol=None, rtol=None, return_rank=False, {CHECK})",
        ranks={"a": MATRICES},
        tuple_result=lambda s: s.const("return_rank") is True,
        a=lambda s: "pinv_pullback(y_bar[0], a, y[0])" if s.const("return_rank") is True else
        "pinv_pullback(y_bar, a, y)",
        a_dot=lambda s: "(pinv_pushforward(dot, a, y[0]), 0)" if s.const("return_rank") is True else
        "pinv_pushforward(dot, a, y)",
        refuses=written_out("return_rank"))  # fmt: skip


def _factor(text: str, name: str) -> Any:
    """A formula for the factor, which is item 0 of a pair, written out or not."""

    def write(site: Site, i: int) -> Text:
        pair = f"({name}[0], {name}[1])" if i >= 0 else name
        found = text.replace("{}", pair)
        if i > 0:
            return None
        if _several(site, f"{name}[0]"):
            found = f"unbroadcast({found}, np.shape({name}[0]))"
        return found if i == 0 else f"({found}, None)"

    return write


def _factor_dot(text: str, name: str) -> Any:
    def write(site: Site, i: int) -> Text:
        if i > 0:
            return None
        pair = f"({name}[0], {name}[1])" if i == 0 else name
        return text.replace("{}", pair).replace("(dot,", "(dot," if i == 0 else "(dot[0],")

    return write


def _of_one(name: str) -> Any:
    """Why factors in a list are refused: they are those of several matrices."""

    def refuse(site: Site) -> str | None:
        if isinstance(site.kind(name), ListOf):
            return "its rule is for the factors of one matrix"
        if site.ndim(f"{name}[0]") == 2 and (site.ndim("b") or 0) > 2:
            return "several right sides need several factors here"
        return _stack_refusal(site, f"{name}[0]") if _several(site, f"{name}[0]") else None

    return refuse


_ANY = "check_finite=False"  # what is nan in a derivative is no error


declare(f"cho_solve(c_and_lower: seq, b, overwrite_b=False, {CHECK})",
        lands={"b": (0, 1)},
        ranks={"c_and_lower[0]": MATRICES, "b": SOME}, refuses=_of_one("c_and_lower"),
        c_and_lower=_factor("cho_solve_factor(y_bar, {}, np.shape(b), y)", "c_and_lower"),
        c_and_lower_dot=_factor_dot("cho_solve_pushforward(dot, {}, np.shape(b), y)",
                                    "c_and_lower"),
        b=lambda s: _summed(f"scipy.linalg.cho_solve({_pair(s, 'c_and_lower')}, y_bar, {_ANY})",
                            "b", "c_and_lower[0]")(s),
        b_dot=lambda s: f"scipy.linalg.cho_solve({_pair(s, 'c_and_lower')}, dot, {_ANY})",
        )  # fmt: skip
declare(f"lu_solve(lu_and_piv: seq, b, trans=0, overwrite_b=False, {CHECK})",
        lands={"b": (0, 1)},
        ranks={"lu_and_piv[0]": MATRICES, "lu_and_piv[1]": SOME, "b": SOME},
        refuses=_of_one("lu_and_piv"),
        lu_and_piv=_factor("lu_solve_factor(y_bar, {}, np.shape(b), y, trans)", "lu_and_piv"),
        lu_and_piv_dot=_factor_dot("lu_solve_pushforward(dot, {}, np.shape(b), y, trans)",
                                   "lu_and_piv"),
        b=lambda s: _summed(f"lu_solve_right(y_bar, {_pair(s, 'lu_and_piv')}, trans)", "b",
                            "lu_and_piv[0]")(s),
        b_dot=lambda s: f"scipy.linalg.lu_solve({_pair(s, 'lu_and_piv')}, dot, trans, {_ANY})",
        )  # fmt: skip


def _pair(site: Site, name: str) -> str:
    return f"({name}[0], {name}[1])" if site.items(name) == 2 else name
