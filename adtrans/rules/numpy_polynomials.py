"""Polynomials by their coefficients, the highest power first.

>>> from adtrans.ir.expr import Name
>>> from adtrans.rules import lookup
>>> import numpy as np
>>> value = lookup(np.polyval)
>>> print(value.pullback("x", value.bind((Name("c"), Name("t")), ()), {})[0])
y_bar * np.polyval(np.polyder(p), x)
"""

from __future__ import annotations

from collections.abc import Callable

from adtrans.rules.declare import VECTOR, Site, linear, rule, unless
from adtrans.rules.site import Text

rule("np.polyval(p, x)", ranks={"p": VECTOR}, p="polyval_coefficients(y_bar, np.shape(p), x)",
     p_dot="np.polyval(dot, x)",
     x="y_bar * np.polyval(np.polyder(p), x)",
     x_dot="dot * np.polyval(np.polyder(p), x)")  # fmt: skip
rule("np.poly(roots: 'seq_of_zeros')", roots="poly_pullback(y_bar, roots)",
     roots_dot="poly_pushforward(dot, roots)",
     refuses=lambda s: "the characteristic polynomial of a matrix goes by its eigenvalues, which "
     "may be complex; pass roots" if s.ndim("roots") not in (1, None) else None)  # fmt: skip
_FEW = {"a": (0, 1), "b": (0, 1)}
linear("np.polyadd(a: 'a1', b: 'a2')", ranks=_FEW, a="aligned(y_bar, np.shape(a))",
       b="aligned(y_bar, np.shape(b))")  # fmt: skip
linear("np.polysub(a: 'a1', b: 'a2')", ranks=_FEW, a="aligned(y_bar, np.shape(a))",
       b="-aligned(y_bar, np.shape(b))")  # fmt: skip
rule("np.polymul(a: 'a1', b: 'a2')", ranks=_FEW,
     a="polymul_pullback(y_bar, a, b)", a_dot="polymul_pushforward(dot, b, np.shape(y))",
     b="polymul_pullback(y_bar, b, a)", b_dot="polymul_pushforward(dot, a, np.shape(y))")


def _more_axes(site: Site) -> str | None:
    if site.const("m") == 0 or site.ndim("p") in (0, 1, None):
        return None
    return "the coefficients must be a vector"


linear("np.polyder(p, m=1)", p="polyder_pullback(y_bar, np.shape(p), m)", result="maybe_same",
       of="p", fresh_if=unless("m", 0), refuses=_more_axes)  # fmt: skip


def constants(integral: str, c: str, options: str = "") -> dict[str, Callable[[Site, int], Text]]:
    """The formulas of constants of integration: one number, or one for each integral."""

    def part(k: str, none: str) -> str:
        """What constants contribute. A series of one coefficient that is zero does not grow, so
        that it is not taken for nothing: what ones contribute is taken away again."""
        if integral == "np.polyint":
            return f"{integral}(np.zeros(np.shape({c})), m, {k}{options})"
        ones = f"{integral}(np.ones(np.shape({c})), m, "
        return f"({ones}{k}{options}) - {ones}{none}{options}))"

    def units(count: int, i: int) -> str:
        parts = (", ".join("1.0" if k == i else "0.0" for k in range(count)), "0.0, " * count)
        return part(f"[{parts[0]}]", f"[{parts[1][:-2]}]")

    def write(site: Site, i: int) -> Text:
        count = site.items("k")
        if i >= 0 and count is not None:
            return f"np.sum(y_bar * {units(count, i)})"
        found = f"constants_pullback(y_bar, {integral}, np.shape({c}), np.shape(k), m{options})"
        return f"adjoint_like({found}, k)" if site.is_listed("k") else found

    def write_dot(site: Site, i: int) -> Text:
        count = site.items("k")
        if i >= 0 and count is not None:
            return f"dot * {units(count, i)}"
        return part("dot", "np.zeros(np.shape(dot))")

    return {"k": write, "k_dot": write_dot}


rule("np.polyint(p, m=1, k: seq=None)", p="polyint_pullback(y_bar, np.shape(p), m)",
     p_dot="np.polyint(dot, m)", **constants("np.polyint", "p"), result="maybe_same",
     of="p", fresh_if=unless("m", 0), refuses=_more_axes)  # fmt: skip


def _is_plain_fit(site: Site) -> bool:
    return (site.const("full"), site.const("cov"), site.const("rcond")) == (False, False, None)


def _fit(site: Site) -> str | None:
    """What NumPy computes, where more is asked for than the coefficients, or `rcond=` is given."""
    full, cov = site.const("full"), site.const("cov")
    if _is_plain_fit(site) or full not in (True, False) or cov not in (True, False, "unscaled"):
        return None
    given = site.const("w") is not None
    if site.ndim("data") not in (1, 2) or (given and not site.is_array("w")):
        return None
    column = "[:, None]" if site.ndim("data") == 2 else ""
    rcond = "rcond"
    if site.const("rcond") is None:
        rcond = "np.shape(points)[0] * np.finfo(points.dtype).eps"
    lines = [
        "points = np.asarray(x) + 0.0",
        "powers = np.vander(points, deg + 1)",
        "values = np.asarray(data) + 0.0",
        "scale = np.sqrt(np.sum(powers * powers, axis=0))",
        "scaled = powers / scale",
        f"cut = {rcond}",
        "found = np.linalg.lstsq(scaled, values, cut)",
        "c = np.transpose(np.transpose(found[0]) / scale)",
    ]
    if given:  # NumPy weights in place: the precision is that of the points, and of the data
        lines[1:3] = [
            "plain = np.vander(points, deg + 1)", "given = np.asarray(data) + 0.0",
            "powers = (plain * np.asarray(w)[:, None]).astype(plain.dtype)",
            f"values = (given * np.asarray(w){column}).astype(given.dtype)",
        ]  # fmt: skip
    if full:
        return "\n".join([*lines, "y = (c, found[1], found[2], found[3], cut)"])
    lines.append("warned = warn_of_rank(found[2], deg + 1)")
    if not cov:
        return "\n".join([*lines, "y = c"])
    lines.append("base = np.linalg.inv(np.transpose(scaled) @ scaled) / np.outer(scale, scale)")
    if cov == "unscaled":
        factor = "" if site.ndim("data") == 1 else " * 1"
    else:
        factor = " * (found[1] / (np.shape(points)[0] - deg - 1))"
    spread = "[:, :, None]" if site.ndim("data") == 2 else ""
    return "\n".join([*lines, f"spread = base{spread}{factor}", "y = (c, spread)"])


rule("np.polyfit(x, data: 'y', deg, rcond=None, full=False, w=None, cov=False)",
     data="polyfit_values(y_bar, x, deg, w)",
     data_dot="np.polyfit(x, dot, deg, w=w)",
     x="polyfit_points(y_bar, x, data, deg, w, y)",
     x_dot="polyfit_points_pushforward(dot, x, data, deg, w, y)",
     w="polyfit_weights(y_bar, x, data, deg, w, y)",
     w_dot="polyfit_weights_pushforward(dot, x, data, deg, w, y)",
     expansion=_fit, returns="y",
     refuses=lambda s: None if _is_plain_fit(s) else "`full=`, `cov=` and the number of axes of "
     "the data must be known here")  # fmt: skip
