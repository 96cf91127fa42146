"""Linear algebra. Matrices that must be regular are taken to be so.

>>> from adtrans.ir.expr import Name
>>> from adtrans.ir.kinds import Array
>>> from adtrans.rules import lookup
>>> import numpy as np
>>> matrix = Array("float64", (None, None))
>>> print(lookup(np.linalg.inv).pullback("a", {"a": Name("a")}, {"a": matrix})[0])
-y.T @ y_bar @ y.T
"""

from __future__ import annotations

from adtrans.rules import numpy_reductions as reductions
from adtrans.rules.declare import Site, linear, rule
from adtrans.rules.rule import Text


def _t(site: Site, name: str, param: str = "a") -> str:
    return f"{name}.T" if site.ndim(param) == 2 else f"np.swapaxes({name}, -1, -2)"


def _inverse(site: Site) -> Text:
    t = _t(site, "y")
    return f"-{t} @ y_bar @ {t}"


def _solve_b(site: Site) -> Text:
    if site.ndim("a") == 2:
        return "np.linalg.solve(a.T, y_bar)"
    return "solve_right(y_bar, a, np.shape(b))"


def _solve_a(site: Site) -> Text:
    match site.ndim("a"), site.ndim("b"):
        case 2, 1:
            return "-np.linalg.solve(a.T, y_bar)[:, None] * y"
        case 2, 2:
            return "-np.linalg.solve(a.T, y_bar) @ y.T"
        case _:
            return "solve_left(y_bar, a, np.shape(b), y)"


def _solve_a_dot(site: Site) -> Text:
    if site.ndim("a") == 2 and site.ndim("b") in (1, 2):
        return "-np.linalg.solve(a, dot @ y)"
    return "-solve_like(a, matvec_like(dot, y, np.shape(b)), np.shape(b))"


def _det(site: Site) -> Text:
    if site.ndim("a") == 2:
        return "y_bar * y * np.linalg.inv(a).T"
    return "(y_bar * y)[..., None, None] * np.swapaxes(np.linalg.inv(a), -1, -2)"


def _slogdet(site: Site) -> Text:
    if site.ndim("a") == 2:
        return "y_bar[1] * np.linalg.inv(a).T"
    return "np.asarray(y_bar[1])[..., None, None] * np.swapaxes(np.linalg.inv(a), -1, -2)"


rule("np.linalg.inv(a)", a=_inverse, a_dot="-y @ dot @ y")
rule("np.linalg.solve(a, b)", a=_solve_a, b=_solve_b, a_dot=_solve_a_dot,
     b_dot="solve_like(a, dot, np.shape(b))")  # fmt: skip
rule("np.linalg.det(a)", a=_det,
     a_dot="y * np.trace(np.linalg.solve(a, dot), axis1=-2, axis2=-1)")  # fmt: skip
rule("np.linalg.slogdet(a)", a=_slogdet, tuple_result=True,
     a_dot="(0.0 * y[0], np.trace(np.linalg.solve(a, dot), axis1=-2, axis2=-1))")  # fmt: skip
rule("np.linalg.cholesky(a, /)", a="cholesky_pullback(y_bar, y)",
    a_dot="cholesky_pushforward(dot, y)")
rule("np.linalg.eigh(a, UPLO='L')", a="eigh_pullback(y_bar, y, UPLO)",
    a_dot="eigh_pushforward(dot, y, UPLO)",
     tuple_result=True)  # fmt: skip
rule("np.linalg.eigvalsh(a, UPLO='L')", a="eigvalsh_pullback(y_bar, a, UPLO)",
     a_dot="eigvalsh_pushforward(dot, a, UPLO)")  # fmt: skip
rule("np.linalg.pinv(a)", a="pinv_pullback(y_bar, a, y)", a_dot="pinv_pushforward(dot, a, y)")
rule("np.linalg.matrix_power(a, n)", a="matrix_power_pullback(y_bar, a, n)",
     a_dot="matrix_power_pushforward(dot, a, n)")  # fmt: skip
linear("np.linalg.trace(x, /, *, offset=0, dtype=None)",
       x="gather_pullback(np.expand_dims(y_bar, -1), "
         "np.diagonal(positions(np.shape(x)), offset, -2, -1), np.shape(x))")  # fmt: skip


def _weight(site: Site) -> str:
    if site.const("ord") is None or (site.const("ord") == 2 and site.ndim("a") == 1):
        return f"a / {reductions.spread(site, 'y')}"
    return "norm_weights(a, ord, axis)"


def _norm_a(site: Site) -> Text:
    w = _weight(site)
    return f"{reductions.spread(site)} * {w}"


def _norm_refusal(site: Site) -> str | None:
    order = site.const("ord")
    if order == "nuc" or (site.const("axis") is None and order in (2,
        -2) and site.ndim("a") not in (1, None)):
        return "this matrix norm has no rule: only vector norms and 'fro' carry a derivative"
    return None


rule("np.linalg.norm(a: 'x', ord=None, axis=None, keepdims=False)", a=_norm_a,
    refuses=_norm_refusal,
     a_dot=lambda s: f"np.sum(dot * ({_weight(s)}){reductions.options(s)})")  # fmt: skip
