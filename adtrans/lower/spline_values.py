"""Splines of SciPy that are made inside: the spline, and beside it the values that it goes through.

s = CubicSpline(x, y)   ->   s = (spline_made(CubicSpline, x, y), x.copy(), y.copy())
s(t, 1)                 ->   spline_at(*s, t, 1, None)
s.derivative(2)(t)      ->   spline_derivative(*s, t, 2, None)
s.integrate(a, b)       ->   spline_integral(*s, a, b, None)

The spline itself carries no derivative then; what is asked of it does, by the values. One that is
told by its values and its slopes at the places has these, too:

s = PchipInterpolator(x, y)   ->   s = (made, x, concatenate((v, pchip_slopes(x, v))), y)
s(t)                          ->   cubic_spline_at(*s, t, 0, None)

`v` are the values as columns. `pchip_slopes` and `cubic_spline_at` are functions
in Python, and are differentiated as such, by the places, too. The B-spline of degree 3 through all
values is that of `CubicSpline`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
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
    this value; `cubic`: whether it is told by the values and slopes at the places, `slopes`: the
    function for these; `asked`: the helpers that
    answer what is asked of it; `orders`: whether derivatives are asked for in the same words;
    `line`: whether straight lines go between the values, `sorted`: whether SciPy sorts the places,
    `through`: what says that it is a cubic spline through all values."""

    options: tuple[str, ...] = ()
    given: int = 2
    more: tuple[str, ...] = ()
    fixed: tuple[tuple[str, object], ...] = ()
    cubic: bool = False
    slopes: str = ""
    asked: tuple[str, ...] = ("spline_at", "spline_derivative", "spline_integral")
    orders: bool = True
    line: bool = False
    sorted: bool = False
    axis: int = 0
    through: tuple[str, tuple[object, ...]] = ("", ())

    @property
    def columns(self) -> bool:
        """Whether it is told by columns, and has functions in Python."""
        return self.cubic or self.line


_VALUES, _FITTED = ("spline_at",), ("spline_at", "spline_derivative")
FORMS: dict[str, Form] = {
    "CubicSpline": Form(("axis", "bc_type", "extrapolate"),
                        more=("axis", "bc_type", "extrapolate"), cubic=True,
                        slopes="cubic_slopes"),
    "make_interp_spline": Form(("k", "axis"), more=("k",), through=("k", (None, 3))),
    "interp1d": Form(("kind", "axis", "bounds_error", "fill_value", "assume_sorted"),
                     more=("kind", "axis"), asked=_VALUES, orders=False, sorted=True, axis=-1,
                     through=("kind", ("cubic", 3))),
    "PchipInterpolator": Form(("axis", "extrapolate"), more=("axis", "extrapolate"),
                              cubic=True, slopes="pchip_slopes"),
    "Akima1DInterpolator": Form(("axis", "method", "extrapolate"), more=("axis",),
                                cubic=True, slopes="akima_slopes"),
    "CubicHermiteSpline": Form(("axis", "extrapolate"), given=3, more=("axis", "extrapolate"),
                               cubic=True),
    "BSpline": Form(("k", "extrapolate"), more=("k",)),
    "InterpolatedUnivariateSpline": Form(("k",), asked=_FITTED, through=("k", (None, 3))),
    "UnivariateSpline": Form(("k", "s"), fixed=(("s", 0),), asked=_FITTED,
                             through=("k", (None, 3))),
    "splrep": Form(("k", "s"), fixed=(("s", 0),), asked=("splev",), through=("k", (None, 3))),
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


def made(node: gast.AST, meaning: Meaning) -> Form | None:
    """What a call of a maker makes, if its arguments are those that are understood."""
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
        if option == "bc_type" and ends(value) is not None:
            continue
        periodic = isinstance(value, gast.Constant) and value.value == "periodic"
        if option == "axis" and _number(value) is not None:
            continue
        if option == "fill_value" and _filled(value, meaning):
            continue
        if not isinstance(value, gast.Constant) or (periodic and not form.cubic):
            return None
    for option, wanted in form.fixed:
        given = options.get(option)
        if given is None and name == "splrep":
            continue
        if not isinstance(given, gast.Constant) or given.value != wanted:
            return None
    form = _in_columns(name, form, options)
    axis = options.get("axis")
    if axis is not None:
        form = replace(form, axis=_number(axis) or 0)
        if not form.columns and form.axis not in (0, -1):
            return None  # they go along one line, and have no other axis
    return form


def _number(value: gast.expr) -> int | None:
    """An integer that is written out."""
    match value:
        case gast.Constant(value=int() as n):
            return n
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int() as n)):
            return -n
    return None


def _filled(value: gast.expr, meaning: Meaning) -> bool:
    """Whether what is taken beside the places are numbers that are written out, or `np.nan`."""
    if isinstance(value, gast.Tuple):
        return len(value.elts) == 2 and all(_filled(v, meaning) for v in value.elts)
    if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
        value = value.operand
    if isinstance(value, gast.Attribute):
        return isinstance(meaning(value), float)
    return isinstance(value, gast.Constant) and isinstance(value.value, float | int)


def _in_columns(name: str, form: Form, options: Mapping[str, gast.expr]) -> Form:
    """The form of an interpolant that is one of cubics, or of straight lines, by its options."""
    option, words = form.through
    said = options.get(option)
    word = said.value if isinstance(said, gast.Constant) else None if said is None else said
    if form.through[0] and any(word == w and type(word) is type(w) for w in words):
        return replace(form, cubic=True, slopes="cubic_slopes")
    if name == "interp1d" and (word is None or word == "linear"):
        return replace(form, line=True)
    return form


_ENDS = {"not-a-knot": (0, 0.0), "clamped": (1, 0.0), "natural": (2, 0.0), "periodic": (3, 0.0)}


def ends(bc_type: gast.expr | None) -> list[tuple[int, gast.expr]] | None:
    """What is said of both ends of a `CubicSpline`, as the numbers of `runtime.with_scipy.cubics`,
    and a value for each; None where it is not written out."""
    match bc_type:
        case None:
            return ends(gast.Constant("not-a-knot", None))
        case gast.Constant(value=str() as word) if word in _ENDS:
            kind, value = _ENDS[word]
            return [(kind, gast.Constant(value, None))] * 2
        case gast.Tuple(elts=[_, _] as both) | gast.List(elts=[_, _] as both):
            found = [_end(e) for e in both]
            return [e for e in found if e is not None] if None not in found else None
    return None


def _end(said: gast.expr) -> tuple[int, gast.expr] | None:
    match said:
        case gast.Constant(value=str() as word) if word in _ENDS and word != "periodic":
            return _ENDS[word][0], gast.Constant(_ENDS[word][1], None)
        case gast.Tuple(elts=[gast.Constant(value=1 | 2 as order), value]):
            return order, value
    return None


def asked(
    node: gast.AST, meaning: Meaning
) -> tuple[gast.expr, str, list[gast.expr]] | None:
    """What is asked of a spline: the spline, the helper, and what the helper is given."""
    zero, none = gast.Constant(0, None), gast.Constant(None, None)
    match node:
        case gast.Call(
            func=gast.Call(
                func=gast.Attribute(value=base, attr="derivative" | "antiderivative" as which),
                args=orders, keywords=words,
            ), args=[t], keywords=[],
        ) if (nu := _order(which, orders, words)) is not None:  # fmt: skip
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


def _order(
    which: str, orders: list[gast.expr], words: list[gast.keyword]
) -> gast.expr | None:
    """Which derivative the arguments of `derivative` say: the first one, if they say nothing. An
    antiderivative, of which only the first is followed, is that of order -1."""
    given = [*orders, *(k.value for k in words if k.arg == "nu")]
    if len(given) > 1 or len(given) != len(orders) + len(words):
        return None
    nu = given[0] if given else gast.Constant(1, None)
    if which == "derivative":
        return nu
    first = isinstance(nu, gast.Constant) and nu.value == 1
    return gast.Constant(-1, None) if first else None


def fits(form: Form, use: tuple[gast.expr, str, list[gast.expr]]) -> bool:
    """Whether an interpolant answers that."""
    nu = use[2][1]
    plain = isinstance(nu, gast.Constant) and nu.value == 0
    if isinstance(nu, gast.Constant) and nu.value == -1 and not form.cubic:
        return False
    return use[1] in form.asked and (form.orders or plain)


@dataclass(frozen=True)
class Curves:
    """The variables that are bound once, to a spline of which only values are asked, and to the
    derivative of such a spline."""

    splines: Mapping[str, gast.Call]
    derivatives: Mapping[str, tuple[str, gast.expr]]

    def asked(
        self, node: gast.AST, meaning: Meaning
    ) -> tuple[gast.expr, str, list[gast.expr]] | None:
        """What is asked of a spline; also by way of a variable for its derivative."""
        match node:
            case gast.Call(func=gast.Name(id=name) as of, args=[t], keywords=[]) if (
                name in self.derivatives
            ):
                base = gast.Name(self.derivatives[name][0], gast.Load(), None, None)
                return base, "spline_derivative", [t, of, gast.Constant(None, None)]
        return asked(node, meaning)


def _derivative(node: gast.AST) -> tuple[gast.Name, gast.expr] | None:
    """The spline and the order in `s.derivative(2)`."""
    match node:
        case gast.Call(
            func=gast.Attribute(
                value=gast.Name() as base, attr="derivative" | "antiderivative" as which
            ), args=orders, keywords=words,
        ) if (nu := _order(which, orders, words)) is not None:  # fmt: skip
            return base, nu
    return None


def variables(body: gast.AST, meaning: Meaning, bound: Mapping[str, int]) -> Curves:
    """Those of a function; `bound`: how often variables are bound."""
    found: dict[str, tuple[Form, gast.Call]] = {}
    slopes: dict[str, tuple[str, gast.expr]] = {}
    uses: dict[int, Any] = {}
    called: set[int] = set()
    for n in gast.walk(body):
        use = asked(n, meaning)
        if use is not None and isinstance(use[0], gast.Name):
            uses[id(use[0])] = use
        match n:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call):
                kind = made(call, meaning)
                if kind is not None:
                    found[name] = (kind, call)
                taken = _derivative(call)
                if taken is not None:
                    slopes[name] = taken[0].id, taken[1]
                    uses[id(taken[0])] = taken[0], "spline_derivative", [None, taken[1]]
            case gast.Call(func=gast.Name() as of, args=[_], keywords=[]):
                called.add(id(of))
    for n in gast.walk(body):
        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load) and n.id in slopes:
            if id(n) not in called:
                del slopes[n.id]
    slopes = {v: d for v, d in slopes.items() if bound.get(v) == 1}
    for n in gast.walk(body):
        if isinstance(n, gast.Assign) and (taken := _derivative(n.value)) is not None:
            kept = [t.id for t in n.targets if isinstance(t, gast.Name)]
            if not slopes.keys() & set(kept):
                uses.pop(id(taken[0]), None)
    for n in gast.walk(body):
        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load) and n.id in found:
            if id(n) not in uses or not fits(found[n.id][0], uses[id(n)]):
                del found[n.id]
    splines = {v: call for v, (_, call) in found.items() if bound.get(v) == 1}
    return Curves(splines, {v: d for v, d in slopes.items() if d[0] in splines})


class Splines:
    """Writes the tuples, and what is asked of them; `call` makes a call of an object."""

    def __init__(self, call: Callable[..., gast.Call], fresh: Callable[[str], str]) -> None:
        self.call, self.fresh = call, fresh

    def parts(self, node: gast.Call, meaning: Meaning) -> gast.expr:
        """The tuple for a spline: evaluated in the order of the arguments."""
        form = made(node, meaning)
        assert form is not None
        names = [self.fresh(hint) for hint in ("places", "values", "slopes")[: form.given]]
        given = [
            gast.NamedExpr(gast.Name(n, gast.Store(), None, None), copy.deepcopy(a))
            for n, a in zip(names, node.args, strict=False)
        ]
        by_place = zip(form.more, node.args[form.given :], strict=False)
        words = [gast.keyword(option, copy.deepcopy(value)) for option, value in by_place]
        words += copy.deepcopy(node.keywords)
        said = self.said(words) if form.slopes == "cubic_slopes" else []
        spline = self.call(
            find("spline_made"), "spline_made", [copy.deepcopy(node.func), *given], words
        )
        # what happens to the arguments later is no matter, unless the spline looks at them
        copies: list[gast.expr] = [
            self.call(np.array, "array", [gast.Name(n, gast.Load(), None, None)]) for n in names
        ]
        places, linear = copies[0], copies[1:]
        if form.columns:
            return _placed(self.columns(form, spline, places, linear, said, node), node)
        whole: list[gast.expr] = [spline, places, *linear]
        return _placed(gast.Tuple(whole, gast.Load()), node)

    def columns(
        self, form: Form, spline: gast.expr, places: gast.expr, linear: list[gast.expr],
        said: list[gast.expr], node: gast.Call,
    ) -> gast.expr:  # fmt: skip
        """The tuple for one that is told by columns: the spline, the places, the columns, and the
        values as they were given."""
        name = self.fresh("as_given")
        given: gast.expr = gast.Name(name, gast.Load(), None, None)
        bind = gast.NamedExpr(gast.Name(name, gast.Store(), None, None), linear[0])
        count = self.call(len, "length", [copy.deepcopy(places)])
        size = gast.Tuple([count, gast.Constant(-1, None)], gast.Load())
        axis: list[gast.expr] = [gast.Constant(form.axis, None), gast.Constant(0, None)]
        lines: list[gast.expr] = [
            self.call(np.reshape, "reshaped", [
                self.call(np.moveaxis, "moved", [v, *copy.deepcopy(axis)]), copy.deepcopy(size)
            ])
            for v in (bind, *linear[1:])
        ]  # fmt: skip
        words = {k.arg: k.value for k in node.keywords}
        sorts = words.get("assume_sorted")
        if form.sorted and not (isinstance(sorts, gast.Constant) and sorts.value is True):
            stable = gast.keyword("kind", gast.Constant("stable", None))
            order = self.call(np.argsort, "order", [copy.deepcopy(places)], [stable])

            def in_order(a: gast.expr) -> gast.expr:
                return gast.Subscript(a, copy.deepcopy(order), gast.Load())

            places, lines = in_order(places), [in_order(a) for a in lines]
        if form.slopes:
            method = [k for k in copy.deepcopy(node.keywords) if k.arg == "method"]
            column = self.fresh("columns")
            first = gast.NamedExpr(gast.Name(column, gast.Store(), None, None), lines[0])
            read = gast.Name(column, gast.Load(), None, None)
            given_slopes = [copy.deepcopy(places), read, *said]
            periodic = form.slopes == "cubic_slopes" and not said
            helper = "periodic_slopes" if periodic else form.slopes
            lines = [first, self.call(find(helper), helper, given_slopes, method)]
        values = lines[0]
        if len(lines) > 1:
            both: list[gast.expr] = [*lines]
            values = self.call(np.concatenate, "joined", [gast.Tuple(both, gast.Load())])
        return gast.Tuple([spline, places, values, given], gast.Load())

    def said(self, words: list[gast.keyword]) -> list[gast.expr]:
        """What is said of the ends, each value evaluated once: where the spline is made; nothing of
        those of a periodic one."""
        word = next((k for k in words if k.arg == "bc_type"), None)
        if word is not None and isinstance(word.value, gast.Constant):
            if word.value.value == "periodic":
                return []
        both = ends(None if word is None else word.value)
        assert both is not None
        found: list[gast.expr] = []
        named: list[gast.expr] = []
        said = None if word is None else word.value
        each = said.elts if isinstance(said, gast.Tuple | gast.List) else [None, None]
        for (kind, value), there in zip(both, each, strict=True):
            name = self.fresh("at_end")
            written = isinstance(value, gast.Constant)
            read = value if written else gast.Name(name, gast.Load(), None, None)
            bind = value if written else gast.NamedExpr(
                gast.Name(name, gast.Store(), None, None), value
            )
            found += [gast.Constant(kind, None), copy.deepcopy(read)]
            order = gast.Constant(kind, None)
            named.append(there if isinstance(there, gast.Constant) else
                         gast.Tuple([order, bind], gast.Load()))  # fmt: skip
        if word is not None and not isinstance(word.value, gast.Constant):
            word.value = gast.Tuple(named, gast.Load())
        return found

    def use(
        self, node: gast.AST, of: gast.expr, helper: str, rest: list[gast.expr], form: Form
    ) -> gast.expr:
        """What is asked of a spline that is a tuple now; `of`: its name."""
        parts = [
            gast.Subscript(copy.deepcopy(of), gast.Constant(k, None), gast.Load())
            for k in range(4 if form.columns else 3)
        ]
        helper = "spline_at" if helper == "splev" else helper
        helper = f"cubic_{helper}" if form.cubic else f"line_{helper}" if form.line else helper
        return _placed(self.call(find(helper), helper, [*parts, *rest]), node)

    def at_once(
        self, node: gast.AST, use: tuple[gast.expr, str, list[gast.expr]], meaning: Meaning
    ) -> gast.expr:
        """What is asked of a spline that has no name: it gets one."""
        of, helper, rest = use
        assert isinstance(of, gast.Call)
        name = self.fresh("spline")
        form = made(of, meaning)
        assert form is not None
        used = self.use(node, gast.Name(name, gast.Load(), None, None), helper, rest, form)
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
