"""Generators that write nothing but their own variables: what they yield may be listed first."""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable, Sequence

import gast

from adtrans.diagnostics.errors import CompileError
from adtrans.source.find import SourceFunction, get_source
from adtrans.source.scope import MISSING

_CALM = frozenset({
    builtins.range, builtins.len, builtins.zip, builtins.enumerate, builtins.reversed,
    builtins.abs, builtins.float, builtins.int, builtins.iter,
})  # fmt: skip
_DEEP = 4  # functions that call each other
_SCOPES = (gast.Lambda, gast.FunctionDef, gast.ClassDef, gast.AsyncFunctionDef)


Pure = Callable[[object, int, Sequence[str]], "bool | None"]
"""Whether a primitive that is given so many arguments by position, and these by name, writes
nothing and gives the same each time; None for what is no primitive."""
Member = Callable[[str], "tuple[str, object]"]
"""What a class has under a name: a "method", a "property", or something else."""


def is_calm(method: object, pure: Pure, member: Member | None = None, depth: int = 0) -> bool:
    """Whether a generator writes nothing but its own variables, and calls nothing that could.

    `member`: of the class of the object that it is a method of.

    >>> class Pair:
    ...     def __iter__(self):
    ...         self.asked = True
    ...         yield 1
    >>> is_calm(Pair.__iter__, lambda fn, count, names: None)
    False
    """
    source = _source_of(method)
    if source is None or depth > _DEEP:
        return False
    work = _Calm(source, pure, member, depth)
    return all(map(work.one, work.inside))


class _Calm:
    def __init__(
        self, source: SourceFunction, pure: Pure, member: Member | None, depth: int
    ) -> None:
        self.source, self.pure, self.member, self.depth = source, pure, member, depth
        node = source.node
        self.inside = [n for s in getattr(node, "body", ()) for n in gast.walk(s)]
        names = [n for n in gast.walk(node) if isinstance(n, gast.Name)]
        self.own = {n.id for n in names if not isinstance(n.ctx, gast.Load)}
        first = [*node.args.posonlyargs, *node.args.args][:1]
        stored = {n.id for n in self.inside if isinstance(n, gast.Name)
                  and not isinstance(n.ctx, gast.Load)}  # fmt: skip
        self.me = {p.id for p in first} - stored if member is not None else set()

    def one(self, n: gast.AST) -> bool:
        """Whether a part of the tree does not keep the generator from being calm."""
        match n:
            case gast.Attribute() | gast.Subscript() if not isinstance(n.ctx, gast.Load):
                return False
            case gast.Attribute(value=gast.Name(id=name), attr=attr) if name in self.me:
                return self.attribute(attr)
            case gast.Call():
                return self.call(n)
            case gast.AugAssign():
                return _counts(n, self.inside)
            case gast.Global() | gast.Nonlocal() | gast.Raise() | gast.Delete():
                return False
            case _:
                return not isinstance(n, _SCOPES)

    def attribute(self, attr: str) -> bool:
        assert self.member is not None
        form, value = self.member(attr)
        if form == "property":
            return self.calls(getattr(value, "fget", None), self.member)
        return form not in ("cached", "other")

    def calls(self, fn: object, member: Member | None) -> bool:
        return is_calm(fn, self.pure, member, self.depth + 1)

    def call(self, n: gast.Call) -> bool:
        names = [k.arg for k in n.keywords]
        if None in names or any(isinstance(a, gast.Starred) for a in n.args):
            return False
        match n.func:
            case gast.Attribute(value=gast.Name(id=name), attr=attr) if name in self.me:
                assert self.member is not None
                form, value = self.member(attr)
                return form == "method" and not _yields(value) and self.calls(value, self.member)
            case _:
                fn = self.meaning(n.func)
        if isinstance(fn, type | types.BuiltinFunctionType) and fn in _CALM:
            return True
        told = None if fn is MISSING else self.pure(fn, len(n.args), [k for k in names if k])
        if told is None:
            return isinstance(fn, types.FunctionType) and self.calls(fn, None)
        return told

    def meaning(self, func: gast.AST) -> object:
        """What a function is that is called; `MISSING` where that is not known."""
        match func:
            case gast.Name(id=name):
                return MISSING if name in self.own else self.source.resolve(name)
            case gast.Attribute(value=value, attr=attr):
                base = self.meaning(value)
                known = isinstance(base, types.ModuleType)
                return getattr(base, attr, MISSING) if known else MISSING
            case _:
                return MISSING


def _yields(method: object) -> bool:
    """Whether a method is a generator, which runs when it is gone through."""
    return bool(getattr(getattr(method, "__code__", None), "co_flags", 0) & 0x20)


def _source_of(method: object) -> SourceFunction | None:
    """The source of a method that is written in Python, where it can be read."""
    if not isinstance(method, types.FunctionType):
        return None
    try:
        return get_source(method)
    except CompileError:
        return None


def ends_by_itself(method: object) -> bool:
    """Whether a generator goes on no longer than what it goes through: others may stop asking it.

    >>> class Up:
    ...     def __iter__(self):
    ...         while True:
    ...             yield 1
    >>> ends_by_itself(Up.__iter__)
    False
    """
    source = _source_of(method)
    if source is None:
        return False
    return not any(isinstance(n, gast.While) for n in gast.walk(source.node))


def _counts(node: gast.AugAssign, inside: list[gast.AST]) -> bool:
    """Whether a variable that is counted up begins as a literal, so that it is a number."""
    if not isinstance(node.target, gast.Name) or not isinstance(node.value, gast.Constant):
        return False
    begins = [
        n.targets[0]
        for n in inside
        if isinstance(n, gast.Assign) and len(n.targets) == 1 and isinstance(n.value, gast.Constant)
    ]
    known = {id(t) for t in begins}
    known |= {id(n.target) for n in inside if isinstance(n, gast.AugAssign)}
    name = node.target.id
    own = (n for n in inside if isinstance(n, gast.Name) and n.id == name)
    return all(id(n) in known for n in own if not isinstance(n.ctx, gast.Load))
