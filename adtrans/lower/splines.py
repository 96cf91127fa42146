"""Splines of SciPy that are made inside: the spline, and beside it the values that it goes through.

s = CubicSpline(x, y)   ->   s = (spline_made(CubicSpline, x, y), x.copy(), y.copy())
s(t, 1)                 ->   spline_at(*s, t, 1, None)
s.integrate(a, b)       ->   spline_integral(*s, a, b, None)

The spline itself carries no derivative then; what is asked of it does, by the values.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, TypeAlias

import gast
import numpy as np

from adtrans.rules.registry import resolve
from adtrans.runtime import find

Meaning: TypeAlias = "Callable[[gast.AST], object]"
_SMOOTH = ("CubicSpline", "make_interp_spline")
_PLAIN = ("interp1d",)
_OPTIONS = {
    "CubicSpline": ("bc_type", "extrapolate"), "make_interp_spline": ("k",),
    "interp1d": ("kind", "bounds_error", "fill_value", "assume_sorted"),
}  # fmt: skip


def maker(obj: object) -> str | None:
    """The name of what makes interpolants that are linear in their values."""
    if not str(getattr(obj, "__module__", "")).startswith("scipy.interpolate"):
        return None
    for name in (*_SMOOTH, *_PLAIN):
        try:
            if resolve(f"scipy.interpolate.{name}") is obj:
                return name
        except LookupError:
            continue
    return None


def made(node: gast.AST, meaning: Meaning) -> str | None:
    """The name of the maker that a call calls, if its arguments are those that are understood."""
    if not isinstance(node, gast.Call):
        return None
    name = maker(meaning(node.func))
    if name is None or len(node.args) != 2 or any(isinstance(a, gast.Starred) for a in node.args):
        return None
    for k in node.keywords:
        if k.arg not in _OPTIONS[name] or not isinstance(k.value, gast.Constant):
            return None
        if k.value.value == "periodic":  # then the first value has to be the last one
            return None
    return name


def asked(node: gast.AST) -> tuple[gast.expr, str, list[gast.expr]] | None:
    """What is asked of a spline: the spline, the helper, and what the helper is given."""
    zero, none = gast.Constant(0, None), gast.Constant(None, None)
    match node:
        case gast.Call(
            func=gast.Call(func=gast.Attribute(value=base, attr="derivative"), args=orders,
                           keywords=[]), args=[t], keywords=[],
        ) if len(orders) <= 1:  # fmt: skip
            nu = orders[0] if orders else gast.Constant(1, None)
            return base, "spline_at", [t, nu, none]
        case gast.Call(
            func=gast.Attribute(value=base, attr="integrate"), args=[a, b], keywords=[]
        ):
            return base, "spline_integral", [a, b, none]
        case gast.Call(func=base, args=[t], keywords=[]):
            return base, "spline_at", [t, zero, none]
        case gast.Call(func=base, args=[t, nu], keywords=[]):
            return base, "spline_at", [t, nu, none]
        case gast.Call(func=base, args=[t], keywords=[gast.keyword(arg="nu", value=nu)]):
            return base, "spline_at", [t, nu, none]
        case _:
            return None


def fits(name: str, use: tuple[gast.expr, str, list[gast.expr]]) -> bool:
    """Whether an interpolant answers that."""
    plain = isinstance(use[2][1], gast.Constant) and use[2][1].value == 0
    return name in _SMOOTH or (use[1] == "spline_at" and plain)


def variables(body: gast.AST, meaning: Meaning) -> dict[str, gast.Call]:
    """The variables that are bound once, to a spline of which only values are asked."""
    bound: dict[str, int] = {}
    found: dict[str, tuple[str, gast.Call]] = {}
    uses: dict[int, Any] = {}
    for n in gast.walk(body):
        use = asked(n)
        if use is not None and isinstance(use[0], gast.Name):
            uses[id(use[0])] = use
        match n:
            case gast.Name(id=name) if not isinstance(n.ctx, gast.Load):
                bound[name] = bound.get(name, 0) + 1
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call):
                kind = made(call, meaning)
                if kind is not None:
                    found[name] = (kind, call)
    for n in gast.walk(body):
        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load) and n.id in found:
            if id(n) not in uses or not fits(found[n.id][0], uses[id(n)]):
                del found[n.id]
    return {v: call for v, (_, call) in found.items() if bound[v] == 1}


class Splines:
    """Writes the tuples, and what is asked of them; `call` makes a call of an object."""

    def __init__(self, call: Callable[..., gast.Call], fresh: Callable[[str], str]) -> None:
        self.call, self.fresh = call, fresh

    def parts(self, node: gast.Call) -> gast.expr:
        """The tuple for a spline: evaluated in the order of the arguments."""
        x, y = (copy.deepcopy(a) for a in node.args)
        names = [self.fresh(hint) for hint in ("places", "values")]
        # what happens to the arguments later is no matter
        given = [
            gast.NamedExpr(
                gast.Name(n, gast.Store(), None, None), self.call(np.array, "array", [a])
            )
            for n, a in zip(names, (x, y), strict=True)
        ]
        spline = self.call(
            find("spline_made"), "spline_made", [copy.deepcopy(node.func), *given],
            copy.deepcopy(node.keywords),
        )  # fmt: skip
        kept = [gast.Name(n, gast.Load(), None, None) for n in names]
        return _placed(gast.Tuple([spline, *kept], gast.Load()), node)

    def use(self, node: gast.AST, of: gast.expr, helper: str, rest: list[gast.expr]) -> gast.expr:
        """What is asked of a spline that is a tuple now; `of`: its name."""
        parts = [
            gast.Subscript(copy.deepcopy(of), gast.Constant(k, None), gast.Load()) for k in range(3)
        ]
        return _placed(self.call(find(helper), helper, [*parts, *rest]), node)


    def at_once(
        self, node: gast.AST, of: gast.expr, helper: str, rest: list[gast.expr]
    ) -> gast.expr:
        """What is asked of a spline that has no name: it gets one."""
        assert isinstance(of, gast.Call)
        name = self.fresh("spline")
        used = self.use(node, gast.Name(name, gast.Load(), None, None), helper, rest)
        assert isinstance(used, gast.Call) and isinstance(used.args[0], gast.Subscript)
        used.args[0].value = gast.NamedExpr(
            gast.Name(name, gast.Store(), None, None), self.parts(of)
        )
        return _placed(used, node)


def _placed(made: gast.expr, like: gast.AST) -> gast.expr:
    for n in gast.walk(made):
        if not hasattr(n, "lineno"):
            gast.copy_location(n, like)
    return made
