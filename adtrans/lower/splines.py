"""Splines of SciPy that are made inside: the spline, and beside it the values that it goes through.

s = CubicSpline(x, y)   ->   s = (spline_made(CubicSpline, x, y), x.copy(), y.copy())
s(t, 1)                 ->   spline_at(*s, t, 1, None)
s.derivative(2)(t)      ->   spline_derivative(*s, t, 2, None)
s.integrate(a, b)       ->   spline_integral(*s, a, b, None)

The spline itself carries no derivative then; what is asked of it does, by the values. Where the
spline is not linear in these, it is in the values together with the slopes there:

s = PchipInterpolator(x, y)   ->   s = (spline_made(...), x, concatenate((y, pchip_slopes(x, y))))

`pchip_slopes` is a function in Python, and is differentiated as one.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import gast
import numpy as np

from adtrans.rules.registry import resolve
from adtrans.runtime import find

Meaning: TypeAlias = "Callable[[gast.AST], object]"


@dataclass(frozen=True)
class Form:
    """How an interpolant is made, and what it answers. `given`: the number of arguments with
    numbers; `more`: options that may follow them by position; `fixed`: options that have to have
    this value; `slopes`: the function for the slopes at the places; `asked`: the helpers that
    answer what is asked of it; `orders`: whether derivatives are asked for in the same words."""

    options: tuple[str, ...] = ()
    given: int = 2
    more: tuple[str, ...] = ()
    fixed: tuple[tuple[str, object], ...] = ()
    slopes: str = ""
    asked: tuple[str, ...] = ("spline_at", "spline_derivative", "spline_integral")
    orders: bool = True


_VALUES, _FITTED = ("spline_at",), ("spline_at", "spline_derivative")
FORMS: dict[str, Form] = {
    "CubicSpline": Form(("axis", "bc_type", "extrapolate"),
                        more=("axis", "bc_type", "extrapolate")),
    "make_interp_spline": Form(("k", "axis"), more=("k",)),
    "interp1d": Form(("kind", "axis", "bounds_error", "fill_value", "assume_sorted"),
                     more=("kind", "axis"), asked=_VALUES, orders=False),
    "PchipInterpolator": Form(("axis", "extrapolate"), more=("axis", "extrapolate"),
                              slopes="pchip_slopes"),
    "Akima1DInterpolator": Form(("axis", "method", "extrapolate"), more=("axis",),
                                slopes="akima_slopes"),
    "CubicHermiteSpline": Form(("extrapolate",), given=3),
    "BSpline": Form(("k", "extrapolate"), more=("k",)),
    "InterpolatedUnivariateSpline": Form(("k",), asked=_FITTED),
    "UnivariateSpline": Form(("k", "s"), fixed=(("s", 0),), asked=_FITTED),
    "splrep": Form(("k", "s"), fixed=(("s", 0),), asked=("splev",)),
    "BarycentricInterpolator": Form(asked=_VALUES, orders=False),
    "KroghInterpolator": Form(asked=_VALUES, orders=False),
}  # fmt: skip


def maker(obj: object) -> str | None:
    """The name of what makes interpolants whose values may vary."""
    return _named(obj, FORMS)


def _named(obj: object, names: Any) -> str | None:
    if not str(getattr(obj, "__module__", "")).startswith("scipy.interpolate"):
        return None
    for name in names:
        try:
            if resolve(f"scipy.interpolate.{name}") is obj:
                return str(name)
        except LookupError:
            continue
    return None


def made(node: gast.AST, meaning: Meaning) -> str | None:
    """The name of the maker that a call calls, if its arguments are those that are understood."""
    if not isinstance(node, gast.Call):
        return None
    name = maker(meaning(node.func))
    if name is None or any(isinstance(a, gast.Starred) for a in node.args):
        return None
    form = FORMS[name]
    if not form.given <= len(node.args) <= form.given + len(form.more):
        return None
    options = dict(zip(form.more, node.args[form.given :], strict=False))
    for k in node.keywords:
        if k.arg not in form.options or k.arg in options:
            return None
        options[k.arg] = k.value
    for option, value in options.items():
        if option == "k" and isinstance(value, gast.Name):
            continue  # a degree, which does not vary
        if not isinstance(value, gast.Constant) or value.value == "periodic":
            return None  # then the first value has to be the last one
        if option == "axis" and value.value != 0:
            return None  # they go along one line, and have no other axis
    for option, wanted in form.fixed:
        given = options.get(option)
        if given is None and name == "splrep":
            continue
        if not isinstance(given, gast.Constant) or given.value != wanted:
            return None
    return name


def asked(
    node: gast.AST, meaning: Meaning
) -> tuple[gast.expr, str, list[gast.expr]] | None:
    """What is asked of a spline: the spline, the helper, and what the helper is given."""
    zero, none = gast.Constant(0, None), gast.Constant(None, None)
    match node:
        case gast.Call(
            func=gast.Call(func=gast.Attribute(value=base, attr="derivative"), args=orders,
                           keywords=[]), args=[t], keywords=[],
        ) if len(orders) <= 1:  # fmt: skip
            nu = orders[0] if orders else gast.Constant(1, None)
            return base, "spline_derivative", [t, nu, none]
        case gast.Call(
            func=gast.Attribute(value=base, attr="integrate"), args=[a, b], keywords=[]
        ):
            return base, "spline_integral", [a, b, none]
        case gast.Call(func=fn, args=[t, base, *orders], keywords=words) if (
            isinstance(base, gast.Name | gast.Call)
            and _named(meaning(fn), ("splev",)) is not None
        ):
            orders = [*orders, *(k.value for k in words if k.arg == "der")]
            if len(orders) > 1 or any(k.arg != "der" for k in words):
                return None
            return base, "splev", [t, orders[0] if orders else zero, none]
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
    return use[1] in FORMS[name].asked and (FORMS[name].orders or plain)


def variables(body: gast.AST, meaning: Meaning) -> dict[str, gast.Call]:
    """The variables that are bound once, to a spline of which only values are asked."""
    bound: dict[str, int] = {}
    found: dict[str, tuple[str, gast.Call]] = {}
    uses: dict[int, Any] = {}
    for n in gast.walk(body):
        use = asked(n, meaning)
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

    def parts(self, node: gast.Call, meaning: Meaning) -> gast.expr:
        """The tuple for a spline: evaluated in the order of the arguments."""
        name = made(node, meaning)
        assert name is not None
        form = FORMS[name]
        names = [self.fresh(hint) for hint in ("places", "values", "slopes")[: form.given]]
        given = [
            gast.NamedExpr(gast.Name(n, gast.Store(), None, None), copy.deepcopy(a))
            for n, a in zip(names, node.args, strict=False)
        ]
        by_place = zip(form.more, node.args[form.given :], strict=False)
        words = [gast.keyword(option, copy.deepcopy(value)) for option, value in by_place]
        words += copy.deepcopy(node.keywords)
        spline = self.call(
            find("spline_made"), "spline_made", [copy.deepcopy(node.func), *given], words
        )
        # what happens to the arguments later is no matter, unless the spline looks at them
        places, *linear = (
            self.call(np.array, "array", [gast.Name(n, gast.Load(), None, None)]) for n in names
        )
        values = linear[0]
        if form.slopes:
            method = [k for k in copy.deepcopy(node.keywords) if k.arg == "method"]
            linear.append(self.call(find(form.slopes), form.slopes,
                                    copy.deepcopy([places, values]), method))  # fmt: skip
        if len(linear) > 1:
            whole: list[gast.expr] = [*copy.deepcopy(linear)]
            values = self.call(np.concatenate, "joined", [gast.Tuple(whole, gast.Load())])
        return _placed(gast.Tuple([spline, places, values], gast.Load()), node)

    def use(self, node: gast.AST, of: gast.expr, helper: str, rest: list[gast.expr]) -> gast.expr:
        """What is asked of a spline that is a tuple now; `of`: its name."""
        parts = [
            gast.Subscript(copy.deepcopy(of), gast.Constant(k, None), gast.Load()) for k in range(3)
        ]
        helper = "spline_at" if helper == "splev" else helper
        return _placed(self.call(find(helper), helper, [*parts, *rest]), node)

    def at_once(
        self, node: gast.AST, use: tuple[gast.expr, str, list[gast.expr]], meaning: Meaning
    ) -> gast.expr:
        """What is asked of a spline that has no name: it gets one."""
        of, helper, rest = use
        assert isinstance(of, gast.Call)
        name = self.fresh("spline")
        used = self.use(node, gast.Name(name, gast.Load(), None, None), helper, rest)
        assert isinstance(used, gast.Call) and isinstance(used.args[0], gast.Subscript)
        used.args[0].value = gast.NamedExpr(
            gast.Name(name, gast.Store(), None, None), self.parts(of, meaning)
        )
        return _placed(used, node)


def _placed(made: gast.expr, like: gast.AST) -> gast.expr:
    for n in gast.walk(made):
        if not hasattr(n, "lineno"):
            gast.copy_location(n, like)
    return made
