"""Expressions that ask a generator for an element: what is evaluated before it comes first.

y = f(x[0], next(g))    ->    t = x[0]
                              ...             # one step of `g`, to `item`
                              y = f(t, item)
s = sum(g)               ->    items = []
                              for v in g: items.append(v)
                              s = sum(items)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import gast

from adtrans.lower.opaque import name_node
from adtrans.lower.pieces import Unfit, placed, renamed
from adtrans.lower.syntax import Comprehension
from adtrans.lower.trees import assignment
from adtrans.source import MISSING

if TYPE_CHECKING:
    from adtrans.lower.asked_generators import Asking, Generator


_WHOLE = (list, tuple, sum, sorted, max, min)


def takes_rest(n: gast.AST, means: Callable[[gast.AST], object]) -> str | None:
    """The name of what an expression takes all the rest of: `sum(g)`, `list(g)`."""
    match n:
        case gast.Call(args=[gast.Name(id=name), *rest], keywords=words) if (
            any(means(n.func) is f for f in _WHOLE)
            and (not rest or means(n.func) is sum)
            and all(isinstance(a, gast.Constant) for a in (*rest, *(k.value for k in words)))
        ):
            return name
        case _:
            return None


class Hoisting:
    """Evaluates the parts of a statement in order, up to the last one that asks a generator."""

    def __init__(self, work: Asking, s: gast.AST) -> None:
        self.work, self.s = work, s
        self.out: list[gast.stmt] = []

    def fields(self, s: gast.AST, fields: list[str]) -> list[gast.stmt]:
        match s:
            case gast.Assign() | gast.AnnAssign() | gast.Return() | gast.Expr():
                if s.value is not None:
                    s.value = self.visit(s.value)
            case gast.AugAssign(target=gast.Name() as target) if self.work.is_same(target):
                s.value = self.visit(s.value)
            case gast.If():
                s.test = self.visit(s.test)
            case gast.For():
                s.iter = self.visit(s.iter)
            case _:
                raise Unfit
        for f in fields:
            for p in parts_of(getattr(s, f, None)):
                if self.work.mentions(p):
                    raise Unfit
        return self.out

    def visit(self, e: gast.expr) -> gast.expr:
        """An expression in which some generator is asked, without that."""
        if not self.work.mentions(e):
            return e
        for name, g in self.work.found.items():
            if self.work.asks(e, name):
                return self.one(e, g)
        if isinstance(e, gast.Call) and (taken := self.work.rest_of(e)) is not None:
            return self.rest(e, taken)
        match e:
            case gast.BinOp():
                e.left, e.right = self.several([e.left, e.right])
            case gast.Compare(comparators=[right]):
                e.left, e.comparators[0] = self.several([e.left, right])
            case gast.UnaryOp():
                e.operand = self.visit(e.operand)
            case gast.Tuple() | gast.List():
                e.elts = self.several(e.elts)
            case gast.Subscript():
                e.value, e.slice = self.several([e.value, e.slice])
            case gast.Slice():
                bounds = [n for n in (e.lower, e.upper, e.step) if n is not None]
                self.bounds(e, self.several(bounds))
            case gast.Attribute():
                e.value = self.visit(e.value)
            case gast.Call():
                whole = not isinstance(e.func, gast.Attribute) or self.work.assigns(e.func.attr)
                if isinstance(e.func, gast.Attribute) and not whole:
                    e.func.value, *args = self.several([e.func.value, *_arguments(e)])
                else:
                    if not isinstance(e.func, gast.Name | gast.Attribute):
                        raise Unfit
                    e.func, *args = self.several([e.func, *_arguments(e)])
                for k, w in zip(e.keywords, args[len(e.args) :], strict=True):
                    k.value = w
                e.args = args[: len(e.args)]
            case gast.ListComp(generators=[over]) if not over.is_async:
                return self.listed(e, over)
            case _:
                raise Unfit
        return e

    def several(self, parts: list[gast.expr]) -> list[gast.expr]:
        last = max((k for k, p in enumerate(parts) if self.work.mentions(p)), default=-1)
        made = []
        for k, p in enumerate(parts):
            if isinstance(p, gast.Starred):
                raise Unfit
            p = self.visit(p)
            made.append(self.settled(p) if k < last else p)
        return made

    def settled(self, p: gast.expr) -> gast.expr:
        """What `p` is now; of a slice its bounds are."""
        if self.work.is_same(p) or self.work.means(p) is not MISSING:
            return p
        if isinstance(p, gast.Slice):
            bounds = [n for n in (p.lower, p.upper, p.step) if n is not None]
            self.bounds(p, [self.settled(n) for n in bounds])
            return p
        name = self.work.names.fresh("t")
        self.out.append(assignment(name_node(name, self.s, gast.Store()), p, self.s))  # type: ignore[arg-type]  # its place
        return name_node(name, self.s)

    def bounds(self, p: gast.Slice, given: list[gast.expr]) -> None:
        """Puts others in the place of the bounds that are there."""
        for field in ("lower", "upper", "step"):
            if getattr(p, field) is not None:
                setattr(p, field, given.pop(0))

    def one(self, e: gast.expr, g: Generator) -> gast.expr:
        assert isinstance(e, gast.Call) and isinstance(self.s, gast.stmt)
        sent = default = None
        if isinstance(e.func, gast.Attribute) and e.func.attr == "send":
            sent = self.visit(e.args[0])
        elif len(e.args) == 2:
            default = e.args[1]
            if self.work.mentions(default):
                raise Unfit
            if not self.work.is_same(default):
                name = self.work.names.fresh("default")
                self.out.append(assigned(name, default, self.s))
                default = name_node(name, self.s)
        steps, value = self.work.next_of(g, self.s, sent, default)
        self.out += steps
        return value

    def rest(self, e: gast.Call, g: Generator) -> gast.expr:
        """`sum(g)`, of what is left: a loop that appends, and then what is done with the list."""
        s = self.s
        assert isinstance(s, gast.stmt)
        items, item = self.work.names.fresh("items"), self.work.names.fresh("v")
        self.out.append(assigned(items, gast.List([], gast.Load()), s))
        fn = gast.Attribute(name_node(items, s), "append", gast.Load())
        put = gast.Expr(gast.Call(fn, [name_node(item, s)], []))
        target = name_node(item, s, gast.Store())
        loop = gast.For(target, name_node(g.name, s), [put], [], None)
        placed(loop, s)
        self.out += self.work.statement(loop)
        for n in self.out:
            placed(n, s)
        e.args[0] = name_node(items, s)
        return e

    def listed(self, e: gast.ListComp, over: gast.comprehension) -> gast.expr:
        """`[next(g) for ...]` as a loop that appends."""
        s = self.s
        assert isinstance(s, gast.stmt)
        if self.work.mentions(over.iter) or any(self.work.mentions(c) for c in over.ifs):
            raise Unfit
        if any(isinstance(n, (*Comprehension, gast.NamedExpr)) for n in gast.walk(e.elt)):
            raise Unfit
        inner = {n.id for n in gast.walk(over.target) if isinstance(n, gast.Name)}
        to = {v: self.work.names.fresh(v) for v in sorted(inner)}
        name = self.work.names.fresh("items")
        self.out.append(assigned(name, gast.List([], gast.Load()), s))
        elt, target = renamed(gast.Expr(e.elt), to), renamed(gast.Expr(over.target), to)
        assert isinstance(elt, gast.Expr) and isinstance(target, gast.Expr)
        fn = gast.Attribute(name_node(name, s), "append", gast.Load())
        body: list[gast.stmt] = [gast.Expr(gast.Call(fn, [elt.value], []))]
        for c in reversed(over.ifs):
            made = renamed(gast.Expr(c), to)
            assert isinstance(made, gast.Expr)
            body = [gast.If(made.value, body, [])]
        loop = gast.For(target.value, over.iter, body, [], None)
        placed(loop, s)
        self.out += self.work.statement(loop)
        for n in self.out:
            placed(n, s)
        return name_node(name, s)


def _arguments(e: gast.Call) -> list[gast.expr]:
    return [*e.args, *(k.value for k in e.keywords)]


def parts_of(held: object) -> list[gast.AST]:
    """The trees in a field of a tree."""
    if isinstance(held, list):
        return [h for h in held if isinstance(h, gast.AST)]
    return [held] if isinstance(held, gast.AST) else []


def assigned(name: str, value: gast.expr, like: gast.stmt) -> gast.Assign:
    """`name = value`."""
    return assignment(name_node(name, like, gast.Store()), value, like)
