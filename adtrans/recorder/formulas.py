"""The formulas of a rule as functions, for operands of certain kinds of which some are active.

They come from the one table of rules, with the specialisations that the compiler uses: a literal
`axis=0` gives a simpler formula than a variable one.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from adtrans.ir import expr as E
from adtrans.ir.expr import Const, Expr, Name
from adtrans.ir.kinds import Array, Kind, Scalar
from adtrans.ir.walk import substitute
from adtrans.recorder.numbers import PLAIN, below
from adtrans.recorder.recorded_refusals import refuse
from adtrans.rules.formula import ROOTS, Formula
from adtrans.rules.rule import Rule

if TYPE_CHECKING:
    from adtrans.recorder.levels import Level


class Way:
    """One formula, ready to be evaluated. `names`: those that it reads the values of."""

    __slots__ = (
        "_plain", "_recorded", "elementwise", "env", "expr", "names", "shapes", "source", "words",
    )  # fmt: skip

    def __init__(self, formula: Formula, params: tuple[str, ...]) -> None:
        expr = formula.expr
        found = {n.id: identifier(n.id) for n in _names(expr)}
        self.names = tuple(sorted(formula.values))
        self.shapes = tuple(sorted(formula.shapes))
        self.elementwise = formula.elementwise
        to: dict[str, Expr] = {name: Name(word) for name, word in found.items()}
        self.expr = substitute(expr, to)
        text = E.text(self.expr)
        self.words = [identifier(n) for n in params]
        self.source = f"def formula({', '.join(self.words)}):\n    return {text}\n"
        self.env = environment(expr)
        self._plain: Callable[..., Any] | None = None
        self._recorded: Callable[..., Any] | None = None

    def function(self, nested: bool) -> Callable[..., Any]:
        """The formula as a function, plain or rewritten."""
        if nested:
            if self._recorded is None:
                from adtrans.recorder.rewritten import from_text

                self._recorded = from_text(self.source, self.env)
            return self._recorded
        if self._plain is None:
            self._plain = self._made(self.source)
        return self._plain

    def within(self, alike: Collection[str]) -> Callable[..., Any] | None:
        """The formula as a function that overwrites `y_bar`; None where it is not of that kind."""
        lines = _within(self.expr, alike)
        if not lines:
            return None
        body = "".join([f"    {line}\n" for line in lines])
        return self._made(f"def formula({', '.join(self.words)}):\n{body}    return y_bar\n")

    def _made(self, source: str) -> Callable[..., Any]:
        names = dict(self.env) | {"np": np}
        exec(compile(source, "<adtrans formula>", "exec"), names)
        found: Callable[..., Any] = names["formula"]
        return found


class Choice:
    """Formulas of a plan, one for each active operand, that read nothing of what is lost."""

    __slots__ = ("_ways", "lost", "makes_new", "nested", "plain", "plan")

    def __init__(self, plan: Plan, lost: frozenset[str], ways: list[Way]) -> None:
        self.plan, self.lost, self._ways = plan, lost, ways
        self.makes_new = plan.rule.custom is None  # a function of the user's may hold its results
        self.plain: list[Ready] | None = None
        self.nested: list[Ready] | None = None

    def formulas(self, nested: bool) -> list[Ready]:
        """These formulas as functions, whether they are element-wise, and the last one so that it
        overwrites the cotangent."""
        found = self.nested if nested else self.plain
        if found is None:
            found = [(w.function(nested), w.elementwise, None) for w in self._ways]
            if nested:
                self.nested = found
            else:
                if self.plan.alike is not None:
                    found[-1] = (*found[-1][:2], self._ways[-1].within(self.plan.alike))
                self.plain = found
        return found


Ready: TypeAlias = tuple[Callable[..., Any], bool, Callable[..., Any] | None]


class Plan:
    """What an operation needs and does, if certain operands of it are active.

    `ways`: for each active operand its formulas, the preferred one first. `first`: what those read;
    `needed`: what any of them reads; `others`: what only the others do; `shaped`: of what the
    shape is read. `order`: the needed names, then those of which only shapes are read; all formulas
    take values in this order. `at_once`: whether all operands are numbers and partial derivatives
    can be taken when it is recorded: what a complex number hands on to a real one is no multiple of
    its cotangent. `alike`: the names of operands of its dtype that have axes, if its cotangent
    stays one of its shape and dtype, whatever an element-wise formula multiplies it with.
    """

    def __init__(
        self, rule: Rule, active: tuple[str, ...], bound: Mapping[str, Expr],
        kinds: Mapping[str, Kind], numbers: bool,
    ) -> None:  # fmt: skip
        self.rule, self.active, self.bound, self.kinds = rule, active, bound, kinds
        formulas = [rule.pullback(name, bound, kinds) for name in active]
        self.missing = next((n for n, f in zip(active, formulas, strict=True) if not f), None)
        self.first = frozenset(n for ways in formulas for f in ways[:1] for n in f.values)
        needed = frozenset(n for ways in formulas for f in ways for n in f.values)
        self.needed, self.others = tuple(sorted(needed)), needed - self.first
        self.shaped = {n for ways in formulas for f in ways for n in f.shapes}
        self.order = (*self.needed, *sorted(self.shaped - needed))
        params = ("y_bar", *self.order)
        self.ways = [tuple([Way(f, params) for f in ways]) for ways in formulas]
        self.partial = rule.partial
        y = kinds.get("y")  # of a complex result the adjoint is no multiple of one for 1
        self.at_once = numbers and rule.form == "elementwise" and not (
            isinstance(y, Scalar) and y.type == "complex"
        )
        self.alike = None
        if rule.form == "elementwise":
            self.alike = _alike(y, {n: kinds.get(n) for n in needed})
        self._push: Way | None = None
        self._choices: dict[frozenset[str], Choice | None] = {}

    def choice(self, lost: frozenset[str]) -> Choice | None:
        """For each active operand the first formula that needs nothing of what is lost; None where
        one has none."""
        if lost not in self._choices:
            ways = [next((w for w in ways if lost.isdisjoint(w.names)), None) for ways in self.ways]
            found = Choice(self, lost, [w for w in ways if w is not None])
            self._choices[lost] = None if None in ways else found
        return self._choices[lost]

    @functools.cached_property
    def preferred(self) -> Choice:
        """The first formula for each active operand."""
        found = self.choice(self.others)
        assert found is not None
        return found

    def partials(self, level: Level, leaves: Mapping[str, Any]) -> list[Any]:
        """The partial derivatives of a number by its active operands, which are numbers."""
        depth = level.depth
        low = [below(leaves[n], depth) for n in self.order]
        nested = any(type(v) in PLAIN for v in low)
        return [ways[0].function(nested)(1.0, *low) for ways in self.ways]

    def pushed(
        self, level: Level, leaves: Mapping[str, Any], dots: list[Any], nested: bool
    ) -> Any:
        """The tangent of the result."""
        if self._push is None:
            try:
                formula = self.rule.tangent(self.active, self.bound, self.kinds)
            except LookupError:
                refuse(self.rule.shown, f"there is no formula for `{self.active[0]}` here")
            read = (*sorted(formula.values), *sorted(formula.shapes))
            self._push = Way(formula, (*[f"{n}_dot" for n in self.active], *read))
        way, depth = self._push, level.depth
        values = [below(leaves[n], depth) for n in (*way.names, *way.shapes)]
        return way.function(nested)(*dots, *values)


def _within(e: Expr, alike: Collection[str] = ()) -> list[str] | None:
    """Statements that compute a multiple of `y_bar` in its place.

    `alike`: the names of arrays of its dtype that have axes.

    >>> y_bar, x = Name("y_bar"), Name("x")
    >>> _within(E.Binary("/", E.Binary("*", E.Unary("-", y_bar), x), E.Binary("+", x, x)))
    ['np.negative(y_bar, y_bar)', 'y_bar *= x', 'y_bar /= x + x']
    >>> _within(E.Binary("*", y_bar, E.Binary("-", Const(1), E.Binary("*", x, x))), {"x"})
    ['y_bar *= np.subtract(1, (t_ := x * x), t_)']
    """
    lines: list[str] | None = None
    match e:
        case Name("y_bar"):
            return []
        case E.Unary("-", a) if (lines := _within(a, alike)) is not None:
            lines.append("np.negative(y_bar, y_bar)")
        case E.Binary("*" | "/" as op, a, b) if not _reads_cotangent(b):
            if (lines := _within(a, alike)) is not None:
                lines.append(f"y_bar {op}= {_thrifty(b, alike)}")
        case E.Binary("*", a, b) if not _reads_cotangent(a):
            if (lines := _within(b, alike)) is not None:
                lines.append(f"y_bar *= {_thrifty(a, alike)}")
    return lines


def _thrifty(e: Expr, alike: Collection[str]) -> str:
    """An expression that computes in the place of its operand where NumPy does not by itself."""
    match e:
        case E.Binary("-" | "/" as op, Const(c), a) if _is_new(a, alike):
            name = "subtract" if op == "-" else "divide"
            return f"np.{name}({c!r}, (t_ := {_thrifty(a, alike)}), t_)"
        case E.Call(E.Ref(value=f), (a,), ()) if "d->d" in getattr(f, "types", ()):
            if _is_new(a, alike):
                return f"{E.text(e.fn)}((t_ := {_thrifty(a, alike)}), t_)"
    return E.text(e)


def _is_new(e: Expr, alike: Collection[str]) -> bool:
    """Does an expression make an array of certain arrays and literals, of their dtype?"""
    return type(e) is not Name and _is_alike(e, alike) and any(_names(e))


def _is_alike(e: Expr, alike: Collection[str]) -> bool:
    match e:
        case Name(name):
            return name in alike
        case Const(value):
            return isinstance(value, int | float)
        case E.Binary("+" | "-" | "*" | "/" | "**", a, b):
            return _is_alike(a, alike) and _is_alike(b, alike)
        case E.Unary("-", a):
            return _is_alike(a, alike)
        case E.Call(E.Ref(value=f), (a,), ()):
            return "d->d" in getattr(f, "types", ()) and _is_alike(a, alike)
    return False


def _reads_cotangent(e: Expr) -> bool:
    return any(n.id == "y_bar" for n in _names(e))


def _alike(y: Kind | None, operands: Mapping[str, Kind | None]) -> list[str] | None:
    """Those of the dtype of a result, an array of real numbers; None where one is wider."""
    if not isinstance(y, Array) or y.dtype not in ("float64", "float32"):
        return None
    found = []
    for name, kind in operands.items():
        match kind:
            case Scalar("bool" | "int" | "float", None):
                continue
            case Scalar(dtype=str(dtype)) | Array(str(dtype)) if dtype != "?":
                if np.result_type(dtype, y.dtype) != y.dtype:
                    return None
                if isinstance(kind, Array) and kind.dims and dtype == y.dtype:
                    found.append(identifier(name))
            case _:
                return None
    return found


def identifier(name: str) -> str:
    """A name of a formula as Python writes names.

    >>> identifier("arrays[0]"), identifier("arrays[0]_dot")
    ('arrays_0_', 'arrays_0__dot')
    """
    return re.sub(r"\W", "_", name)


def _names(e: Expr) -> Iterator[Name]:
    if isinstance(e, Name):
        yield e
    for child in E.children(e):
        yield from _names(child)


def environment(e: Expr) -> dict[str, Any]:
    """The modules and functions that an expression names."""
    found: dict[str, Any] = {}
    if isinstance(e, E.Ref):
        root = e.text.partition(".")[0]
        if root in ROOTS:
            found[root] = ROOTS[root]
        elif root == "scipy":
            found[root] = sys.modules[root]
        else:
            found[root] = e.value
    for child in E.children(e):
        found.update(environment(child))
    return found
