"""A function for calls that give it a class or a maker, or leave out what decides what it does.

>>> from adtrans.source import get_source
>>> class Box: ...
>>> def make(x, kind, scale=None):
...     box = kind(x)
...     return box if scale is None else box.times(scale)
>>> print(gast.unparse(for_given(get_source(make), {"kind": Box, "scale": None}).node))
def make(x, kind, scale=None):
    box = Box(x)
    return box

Objects are followed in what is left; so it is known what `kind(x)` makes.
"""

from __future__ import annotations

import copy
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import Final

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.opaque import name_node
from adtrans.lower.small_trees import nothing
from adtrans.lower.syntax import (
    Comprehension,
    Scope,
    bound_again,
    bound_names,
    mentioned,
    own_names,
    parameters,
)
from adtrans.source import SourceFunction
from adtrans.source.made import made_functions

OBJECT: Final = object()
"""Stands for what is neither None nor a number or text, and equal to nothing but itself."""
LITERALS = (bool, str, type(None))
_SUSPENDS = (gast.Yield, gast.YieldFrom, gast.Await)
_ENDS = (gast.Return, gast.Raise, gast.Break, gast.Continue)
_EQUAL: Mapping[type, Callable[[object, object], object]] = {
    gast.Eq: operator.eq, gast.NotEq: operator.ne
}  # fmt: skip


def for_given(source: SourceFunction, known: Mapping[str, object]) -> SourceFunction | None:
    """`source` for calls where these parameters are `known`: classes, functions, literals, empty
    tuples and dictionaries, `OBJECT`. None where that changes nothing."""
    node = source.node
    if not isinstance(node, gast.FunctionDef):
        return None
    if any(isinstance(n, _SUSPENDS) for n in gast.walk(node)):
        return None
    given = {p.id: known[p.id] for p in parameters(node.args) if p.id in known}
    again = {p for p in given if bound_again(p, node.body)}
    asked = {p: v for p, v in given.items() if p in again and (v is None or v is OBJECT)}
    first = {p: v for p, v in asked.items() if not _is_caught(p, node.body)}
    given = {p: v for p, v in given.items() if p not in again}
    given = {p: v for p, v in given.items() if v != {} or _only_spread(p, node.body)}
    names = NameAllocator(mentioned(node) | set(source.fn.__code__.co_freevars))
    folding = _Folding(given | first, names, Counter(_bound(node.body)))
    folding.first = set(first)
    body = folding.body(copy.deepcopy(node.body))
    if not folding.changed:
        return None
    made = copy.copy(node)
    made.body = body or [nothing(node)]
    left = {n.id for n in gast.walk(made) if isinstance(n, gast.Name)}
    if left & (own_names(node) - own_names(made)):
        return None  # a name that would be that of something else
    return made_functions(source, made, [], folding.classes)


def _is_caught(name: str, body: Iterable[gast.stmt]) -> bool:
    """Whether a variable is seen where something may run later or binds names of its own, or is
    bound in the middle of a statement."""
    named: set[str] = set()
    for n in (n for s in body for n in gast.walk(s)):
        match n:
            case gast.Global(names=names) | gast.Nonlocal(names=names):
                named.update(names)
            case gast.NamedExpr(target=gast.Name(id=target)):
                named.add(target)
            case gast.Match() | gast.ClassDef():
                named.update(m.id for m in gast.walk(n) if isinstance(m, gast.Name))
                named.update(bound_names([n]))
            case _ if isinstance(n, (*Scope, *Comprehension)):
                named.update(m.id for m in gast.walk(n) if isinstance(m, gast.Name))
                named.update(bound_names([n]))
            case _:
                pass
    return name in named


def _only_spread(name: str, body: Iterable[gast.stmt]) -> bool:
    """Whether a dictionary is used as `**name` in calls only."""
    nodes = [n for s in body for n in gast.walk(s)]
    spread = sum(
        isinstance(n, gast.keyword)
        and n.arg is None
        and isinstance(n.value, gast.Name)
        and n.value.id == name
        for n in nodes
    )
    return spread == sum(isinstance(n, gast.Name) and n.id == name for n in nodes)


def _bound(body: Iterable[gast.stmt]) -> Iterable[str]:
    """Every name, as often as it is bound or deleted; often where others may bind it, too."""
    for n in (n for s in body for n in gast.walk(s)):
        if isinstance(n, gast.Global | gast.Nonlocal):
            yield from (*n.names, *n.names)
        if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load):
            yield n.id


class _Folding:
    """Puts what is known in the place of names, and takes out what is never run."""

    def __init__(
        self, known: Mapping[str, object], names: NameAllocator, bound: Mapping[str, int]
    ) -> None:
        self.known, self.names, self.bound = dict(known), names, bound
        self.classes: dict[str, object] = {}
        self.first: set[str] = set()  # known until they are bound again
        self.changed = False

    # -- statements ----------------------------------------------------------------------------

    def body(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """The statements of the function; what one of them names is known to those behind it."""
        made: list[gast.stmt] = []
        for s in body:
            if made and isinstance(made[-1], _ENDS):
                break
            found = self.in_turn(s) if self.first else self.statement(s)
            made += found
            match found:
                case [gast.Assign(targets=[gast.Name(id=name)], value=gast.Constant(value=value))]:
                    if self.bound[name] == 1 and isinstance(value, LITERALS):
                        if not bound_again(name, [t for t in body if t is not s]):
                            self.known[name] = value
                case _:
                    pass
        return made

    def in_turn(self, s: gast.stmt) -> list[gast.stmt]:
        """The same of a statement that runs once, with what is known up to there.

        A statement that may run parts of itself again knows nothing of what it binds.
        """
        match s:
            case gast.If(test=test):
                s.test = self.visited(test)
                if isinstance(s.test, gast.Constant):
                    self.changed = True
                    return self.body(s.body if s.test.value else s.orelse)
            case gast.Assign(targets=targets, value=value):
                if all(isinstance(t, gast.Name) for t in targets):
                    s.value = self.visited(value)
            case _:
                pass
        for name in self.first & {*_bound([s]), *bound_names([s])}:
            self.first.discard(name)
            del self.known[name]
        return self.statement(s)

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        made: list[gast.stmt] = []
        for s in body:
            if made and isinstance(made[-1], _ENDS):
                break
            made += self.statement(s)
        return made

    def statement(self, s: gast.stmt) -> list[gast.stmt]:
        match s:
            case gast.If(test=test):
                s.test = self.visited(test)
                if isinstance(s.test, gast.Constant):
                    self.changed = True
                    return self.block(s.body if s.test.value else s.orelse)
            case gast.While(test=test):
                s.test = self.visited(test)
                if isinstance(s.test, gast.Constant) and not s.test.value:
                    self.changed = True
                    return self.block(s.orelse)
            case _:
                pass
        self.parts(s)
        return [s]

    def parts(self, node: gast.AST) -> None:
        """Looks into everything that a node has."""
        for field, value in gast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], gast.stmt):
                setattr(node, field, self.block(value) or [nothing(value[0])])
            elif isinstance(value, list):
                setattr(node, field, [self.visit(v) for v in value])
            elif isinstance(value, gast.AST):
                setattr(node, field, self.visit(value))

    # -- expressions ---------------------------------------------------------------------------

    def visited(self, node: gast.expr) -> gast.expr:
        """The same of an expression, which stays one."""
        found = self.visit(node)
        assert isinstance(found, gast.expr)
        return found

    def visit(self, node: object) -> object:
        """What stands for a node, changed in place where it stays."""
        if not isinstance(node, gast.AST):
            return node
        if isinstance(node, gast.Name):
            return self.name(node)
        if isinstance(node, gast.Call):
            self.spread(node)
        kept = self.used(node)
        self.parts(node)
        if kept is not None:  # `None(x)`, which the compiler would complain about
            setattr(node, *kept)
        match node:
            case gast.Compare(left=left, ops=[op], comparators=[right]):
                found = self.compared(op, left, right)
            case gast.UnaryOp(op=gast.Not(), operand=gast.Constant(value=value)):
                found = not value
            case gast.BinOp(
                left=gast.Constant(value=str(first)), op=gast.Add(),
                right=gast.Constant(value=str(second)),
            ):  # fmt: skip
                return self.literal(first + second, node)
            case gast.JoinedStr(values=values) if (text := _joined(values)) is not None:
                return self.literal(text, node)
            case gast.BoolOp(op=op, values=values):
                return self.several(node, isinstance(op, gast.And), values)
            case gast.IfExp(test=gast.Constant(value=value), body=then, orelse=orelse):
                self.changed = True
                return then if value else orelse
            case _:
                return node
        return node if found is None else self.literal(found, node)

    def used(self, node: gast.AST) -> tuple[str, gast.expr] | None:
        """The field of a name of a literal that is called or taken parts of, and the name."""
        match node:
            case gast.Call(func=gast.Name(id=name) as of):
                field = "func"
            case gast.Attribute(value=gast.Name(id=name) as of) | gast.Subscript(
                value=gast.Name(id=name) as of
            ):
                field = "value"
            case _:
                return None
        return (field, of) if isinstance(self.known.get(name, OBJECT), LITERALS) else None

    def name(self, node: gast.Name) -> gast.expr:
        if node.id not in self.known or not isinstance(node.ctx, gast.Load):
            return node
        value = self.known[node.id]
        if isinstance(value, LITERALS):
            return self.literal(value, node)
        if isinstance(value, type | FunctionType):
            fresh = next((n for n, one in self.classes.items() if one is value), None)
            fresh = fresh or self.names.fresh(_named(value))
            self.classes[fresh] = value
            self.changed = True
            return name_node(fresh, node)
        return node

    def literal(self, value: object, like: gast.AST) -> gast.Constant:
        self.changed = True
        made = gast.Constant(value, None)
        gast.copy_location(made, like)
        return made

    def spread(self, call: gast.Call) -> None:
        """Takes `*args` and `**options` away that hold nothing."""
        args = [a for a in call.args if not (isinstance(a, gast.Starred) and self.empty(a.value))]
        keywords = [k for k in call.keywords if k.arg is not None or not self.empty(k.value)]
        self.changed |= len(args) < len(call.args) or len(keywords) < len(call.keywords)
        call.args, call.keywords = args, keywords

    def empty(self, node: gast.AST) -> bool:
        return isinstance(node, gast.Name) and self.known.get(node.id, OBJECT) in ((), {})

    def several(self, node: gast.BoolOp, both: bool, values: list[gast.expr]) -> gast.expr:
        """`and` or `or` without the operands that do not decide, and those behind one that does."""
        kept: list[gast.expr] = []
        for k, v in enumerate(values):
            if isinstance(v, gast.Constant):
                if bool(v.value) is not both:
                    kept.append(v)
                    break
                if k < len(values) - 1:
                    continue
            kept.append(v)
        self.changed |= len(kept) < len(values)
        node.values = kept
        return node if len(kept) > 1 else kept[0]

    def compared(self, op: gast.AST, left: gast.expr, right: gast.expr) -> bool | None:
        """What a comparison gives, None where only the run tells."""
        a, b = self.value(left), self.value(right)
        if isinstance(op, gast.In | gast.NotIn) and isinstance(a, str):
            if not isinstance(right, gast.Tuple | gast.List):
                return None
            items = [self.value(i) for i in right.elts]
            found = a in items if all(isinstance(i, str) for i in items) else None
            return None if found is None else found is isinstance(op, gast.In)
        if a is _UNTOLD or b is _UNTOLD:
            return None
        if isinstance(op, gast.Is | gast.IsNot) and (a is None or b is None):
            return (a is b) is isinstance(op, gast.Is)
        if type(op) not in _EQUAL or (_is_object(a) and _is_object(b)):
            return None
        if _is_object(a) or _is_object(b):
            return isinstance(op, gast.NotEq)
        return bool(_EQUAL[type(op)](a, b))

    def value(self, node: gast.expr) -> object:
        """A literal, a class, `OBJECT`, or that nothing is known."""
        match node:
            case gast.Constant(value=value) if isinstance(value, LITERALS):
                return value
            case gast.Name(id=name) if name in self.classes:
                return self.classes[name]
            case gast.Name(id=name) if name in self.known:
                value = self.known[name]
                return OBJECT if value in ((), {}) else value
            case _:
                return _UNTOLD


_UNTOLD: Final = object()


def _named(value: type | FunctionType) -> str:
    return value.__name__ if value.__name__.isidentifier() else "made"


def _joined(parts: Iterable[gast.AST]) -> str | None:
    """What an f-string gives, None where only the run tells."""
    found = ""
    for p in parts:
        match p:
            case gast.Constant(value=str(text)) | gast.FormattedValue(
                value=gast.Constant(value=str(text)), conversion=-1, format_spec=None
            ):
                found += text
            case _:
                return None
    return found


def reads_by_name(source: SourceFunction, given: Iterable[str]) -> bool:
    """Whether a function reads an attribute under a name that is made of its parameters `given`, or
    a class out of a dictionary that it finds by its name.

    >>> from adtrans.source import get_source
    >>> def flux(cell, name):
    ...     return getattr(cell, "_flux_" + name)()
    >>> reads_by_name(get_source(flux), ["name"]), reads_by_name(get_source(flux), [])
    (True, False)
    """
    for n in gast.walk(source.node):
        match n:
            case gast.Call(func=gast.Name(id="getattr"), args=[_, name, *_]):
                if any(isinstance(m, gast.Name) and m.id in given for m in gast.walk(name)):
                    return True
            case gast.Subscript(value=gast.Name(id=table), slice=gast.Name(id=key)) if (
                key in given
            ):
                held = source.resolve(table)  # of a table (see `tables`), what was outside
                if type(held) is dict and any(isinstance(v, type) for v in held.values()):
                    return True
            case _:
                pass
    return False


def _is_object(value: object) -> bool:
    return value is OBJECT or isinstance(value, type | FunctionType)
