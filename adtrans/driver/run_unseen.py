"""Code of the user's that a statement may run without a call that is followed.

    ordered = sorted(items, key=weight)     if model:     f"{model}"     model + 1.0

What is handed to a library function, and what operators do with objects, is run by Python; nothing
is known there but which functions can be reached from the values.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from inspect import getattr_static
from logging import Logger
from types import BuiltinFunctionType, FunctionType, ModuleType, NoneType
from typing import Any

import numpy as np

from adtrans.analyses.acting import acts_as, members
from adtrans.analyses.facts import Facts
from adtrans.analyses.new_objects import makes_new
from adtrans.analyses.objects.classes import member
from adtrans.driver.run_again import contents_of, perhaps_again, taken_by
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Container, Instance, Kind, Known, Maybe, TupleOf, is_anything
from adtrans.ir.walk import operands, walk
from adtrans.source import MISSING, SourceFunction
from adtrans.source.libraries import is_library, package_of

_LOOKS_ON = (isinstance, issubclass, type, id, callable, hasattr, print)
ANYTHING = object()
"""Stands for a value of which nothing is known."""
_DEEP = 12  # parts in parts
_LAZY = ("functools", "itertools")


def run_by(s: S.Stmt, facts: Facts, source: SourceFunction) -> Iterator[object]:
    """The values whose code a statement may run, but for the calls that are followed."""
    if s.site in facts.units or isinstance(s, S.Alias | S.Pack | S.Return | S.SetAttr):
        return
    if (app := facts.apps.get(s.site)) is not None:
        yield from (f for f in (perhaps_again(app.rule), taken_by(app.rule)) if f is not None)
    match s:
        case S.Keep(form="raise"):
            return
        case S.Keep(text=text, reads=reads):
            yield from _in_text(text, reads, s, facts, source)
        case S.Invoke(fn=fn, args=args, kwargs=kwargs):
            yield from _called(fn, args, dict(kwargs), s, facts)
        case S.Load(base=base, items=items) | S.Store(base=base, items=items):
            yield from (v for e in (E.Name(base), *items) for v in _acting(e, s, facts))
            if isinstance(s, S.Store) and not isinstance(facts.kinds.var(base), Container):
                yield from _acting(s.value, s, facts, deep=True)  # which an array asks for numbers
        case S.Unpack(source=name):
            yield from _acting(E.Name(name), s, facts)
        case _:
            pass
    looped = isinstance(s, S.For | S.With | S.Update)
    for own in operands(s):
        if looped or (isinstance(s, S.If | S.While) and E.is_atom(own)):
            yield from _acting(own, s, facts)
        for e in walk(own):
            yield from _run_in(e, s, facts, source)


def _run_in(e: E.Expr, s: S.Stmt, facts: Facts, source: SourceFunction) -> Iterator[object]:
    match e:
        case E.Call(fn=fn, args=args, kwargs=kwargs):
            yield from _called(fn, args, dict(kwargs), s, facts)
        case E.Attribute(base=base, attr=attr):
            cls = _class_of(base, s, facts)
            found = None if cls is None else member(cls, attr)
            if cls is not None and any(n.startswith("__getattr") for n, _ in members(cls)):
                yield cls
            elif found is not None and found.form in ("property", "other"):
                yield found.value
        case E.Verbatim(text=text, reads=reads):
            yield from _in_text(text, reads, s, facts, source)
        case E.Compare(ops=ops) if {*ops} <= {"is", "is not"}:
            return
        case E.Index() | E.Unary() | E.Binary() | E.Compare() | E.BoolOp() | E.IfExp():
            deep = isinstance(e, E.Compare)
            yield from (v for child in E.children(e) for v in _acting(child, s, facts, deep))
        case _:
            pass


def _called(
    fn: E.Expr, args: Iterable[E.Expr], kwargs: Mapping[str, E.Expr], s: S.Stmt, facts: Facts
) -> Iterator[object]:
    """What is called, and what it gets."""
    if isinstance(fn, E.Ref) and _only_looks(fn.value) and "file" not in kwargs:
        return
    of = fn.base if isinstance(fn, E.Attribute) else fn
    for e in (of, *args, *kwargs.values()):
        yield from (v.owner if isinstance(v, _Within) else v for v in _in_hand(e, s, facts))


def _only_looks(fn: object) -> bool:
    """Whether a function looks at what it is given, checks it for us, or makes a new object."""
    if any(fn is f for f in _LOOKS_ON):
        return True
    name, module = str(getattr(fn, "__name__", "")), str(getattr(fn, "__module__", ""))
    ours = module.startswith("adtrans.runtime")
    return makes_new(fn) or (ours and name.startswith("check_"))


def _in_text(
    text: str, reads: Iterable[str], s: S.Stmt, facts: Facts, source: SourceFunction
) -> Iterator[object]:
    """The same for a statement or an expression that stays as it is written."""
    try:
        tree = ast.parse(text.strip())
    except SyntaxError:
        yield ANYTHING
        return
    found = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} - {*reads}
    runs = (ast.Call, ast.FormattedValue, ast.BinOp, ast.Compare, ast.Subscript, ast.comprehension)
    if not any(isinstance(n, runs) for n in ast.walk(tree)):
        return
    writes = "file=" in text or "**" in text
    named = {n: source.resolve(n) for n in sorted(found)}
    looking = [v for v in named.values() if any(v is f for f in _LOOKS_ON)]
    if looking == [print] and text.startswith("print(") and not writes:
        return  # what it prints is as it should be
    for value in named.values():
        if any(value is f for f in looking):
            continue
        if value is not MISSING and not _is_library(value):
            yield value
        if isinstance(value, Logger):
            yield from _told(value)
    found_in = (v for n in reads for v in _in_hand(E.Name(n), s, facts))
    yield from (v.owner if isinstance(v, _Within) else v for v in found_in)


def _acting(e: E.Expr, s: S.Stmt, facts: Facts, deep: bool = False) -> Iterator[object]:
    """What an operator runs of a value; `deep`: also of what is in a container."""
    if not deep and isinstance(facts.kinds.expr(s.site, e), Container | TupleOf):
        return
    for v in _in_hand(e, s, facts) if E.is_atom(e) else ():
        for part in _parts(v):
            if part is ANYTHING or acts_as(part if isinstance(part, type) else type(part)):
                yield part


def _parts(value: object) -> Iterator[object]:
    """A value, and what is in it where it may stand for that."""
    if isinstance(value, _Within):
        yield from contents_of([value.owner], code=False).kept.values()
    else:
        yield value


@dataclass(frozen=True)
class _Within:
    """Something that is in a value."""

    owner: object


def _in_hand(e: E.Expr, s: S.Stmt, facts: Facts) -> Iterator[object]:
    """What code can run that has the value of an atom in hand."""
    match e:
        case E.Ref(value=value):
            if not _is_library(value):
                yield value
            if isinstance(value, Logger):
                yield from _told(value)
        case E.Name(id=name):
            for v in _in_kind(facts.kinds.expr(s.site, e)):
                yield from _held(name, facts) if v is ANYTHING else (v,)


def _told(logger: Logger) -> Iterator[object]:
    """The handlers, filters and formatters of the user's that a logger runs."""
    waiting: list[Any] = []
    here: Logger | None = logger
    while here is not None:
        waiting += [*here.handlers, *here.filters]
        here = here.parent if here.propagate else None
    waiting += [p for h in waiting for p in getattr(h, "filters", ())]
    waiting += [h.formatter for h in waiting if getattr(h, "formatter", None) is not None]
    for obj in waiting:
        home = getattr(sys.modules.get(type(obj).__module__), "__file__", None)
        own = isinstance(obj, FunctionType) or not is_library(type(obj).__module__)
        if own and (home is None or package_of(home) is None):
            yield obj


def _held(name: str, facts: Facts) -> Iterator[object]:
    """What a variable may mean of which no kind is known, by what it is a part of."""
    for _ in range(_DEEP):
        defined = facts.definitions.sites.get(name, ())
        match [facts.structure.stmts.get(d) for d in defined]:
            case [S.Bind(value=E.Attribute(base=E.Ref(value=owner), attr=attr))]:
                yield _Within(getattr_static(owner, attr, ANYTHING))
                return
            case [S.Bind(value=E.Attribute(base=E.Name(id=base)))] | [S.Load(base=base)]:
                name = base
            case [S.Alias(source=base)]:
                name = base
            case _:
                break
    yield from _in_kind(facts.kinds.var(name))


def _in_kind(kind: Kind) -> Iterator[object]:
    match kind:
        case Known(value=value) if not _is_library(value):
            yield value
        case Instance(cls=cls, fields=fields, holders=holders) if isinstance(cls, type):
            if not is_library(cls.__module__):
                yield cls
            elif cls.__module__ in _LAZY or cls in (map, filter, zip):
                yield ANYTHING
            yield from (v for k in {**dict(fields), **dict(holders)}.values() for v in _in_kind(k))
        case TupleOf(items=items, cls=cls):
            yield from () if cls is None else (cls,)
            yield from (v for k in items for v in _in_kind(k))
        case Container(item=item):
            inner = [k for _, k in getattr(kind, "fields", ())] or [*getattr(kind, "items", ())]
            yield from (v for k in inner or (item,) for v in _in_kind(k))
        case Maybe(item=item):
            yield from _in_kind(item)
        case _ if is_anything(kind):
            yield ANYTHING


def _class_of(e: E.Expr, s: S.Stmt, facts: Facts) -> type | None:
    """The class of an object of the user's."""
    match e:
        case E.Ref(value=value) if not isinstance(value, type | ModuleType):
            cls: object = type(value)
        case E.Name():
            kind = facts.kinds.expr(s.site, e)
            cls = kind.cls if isinstance(kind, Instance) else None
        case _:
            return None
    return cls if isinstance(cls, type) and not is_library(cls.__module__) else None


def _is_library(value: object) -> bool:
    """Whether a value runs nothing of the user's, as far as a name for it goes."""
    if isinstance(value, ModuleType | str | int | float | complex | np.ndarray | NoneType):
        return True
    ours = type(value).__module__.partition(".")[0] == "adtrans"
    named = isinstance(value, type | FunctionType | BuiltinFunctionType | np.ufunc)
    return not ours and named and is_library(getattr(value, "__module__", "builtins"))
