"""Exceptions that a called function raises with values: the function returns what they carry.

def root(x):                           def root_or_error(x):
    if x < 0:                              if x < 0:
        raise Negative(x * x)                  return 1, None, x * x
    return np.sqrt(x)                      return 0, np.sqrt(x), None
                               =>
try:                                   try:
    y = root(v)                            error, result, carried = root_or_error(v)
                                           if error == 1:
                                               raise Negative(carried)
                                           y = result
except Negative as e:                  except Negative as e:
    y = e.value                            y = e.value

What is raised in the function that catches it is a jump (`known_raises`). Only what a handler there
catches for sure, and reads, is raised so; where a `try` or a `with` of the callee is in between, it
stays as it is, and so it does where somebody may look at how the exception came.
"""

from __future__ import annotations

import copy
import inspect
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import gast

from adtrans.diagnostics.errors import CompileError
from adtrans.ir.names import NameAllocator
from adtrans.lower.class_uses import codes, reached
from adtrans.lower.local_names import LocalNames
from adtrans.lower.makers import meaning
from adtrans.lower.opaque import name_node
from adtrans.lower.seen_exceptions import MACHINERY
from adtrans.lower.syntax import Scope, in_scope, map_bodies, mentioned, nodes_in, parameters
from adtrans.rules import lookup
from adtrans.source import SourceFunction, get_source
from adtrans.source.find import MADE
from adtrans.source.made import made_functions
from adtrans.source.reach import is_library

_Caught = tuple[tuple[type, ...], ...]  # by handler
_BETWEEN = (gast.Try, gast.With, gast.AsyncWith)


@dataclass(frozen=True)
class _Raised:
    """An exception that is told of: its class, and for each argument the place of its value among
    the results, or a constant."""

    cls: type
    args: tuple[int | gast.Constant, ...]
    words: tuple[tuple[str, int | gast.Constant], ...]


@dataclass(frozen=True)
class _Telling:
    """A function that returns which exception is to be raised, the result, and what is carried."""

    fn: types.FunctionType
    raised: tuple[_Raised, ...]
    size: int


@dataclass(frozen=True)
class _Asked:
    """What a name meant when a function was made."""

    node: gast.AST
    source: SourceFunction
    local: LocalNames
    meant: object

    def holds(self) -> bool:
        return meaning(self.node, self.source, self.local) is self.meant


def with_raises_shown(source: SourceFunction) -> SourceFunction:
    """The function with such calls; `source` itself where there are none."""
    node = source.node
    if not isinstance(node, gast.FunctionDef):
        return source
    if not any(isinstance(n, gast.Try) and any(map(_reads, n.handlers)) for n in nodes_in(node)):
        return source
    if any(not MACHINERY.isdisjoint(c.co_names) for f in reached(source.fn)
           for c in codes(f.__code__)):  # fmt: skip
        return source
    made = copy.deepcopy(node)
    work = _Shown(replace(source, node=made), made, (source.fn,))
    made.body = work.block(made.body)
    return made_functions(source, made, (), work.values) if work.values else source


class _Shown:
    """Rewrites the calls in one function; `around`: the functions that are being rewritten."""

    def __init__(
        self,
        source: SourceFunction,
        node: gast.FunctionDef,
        around: tuple[types.FunctionType, ...],
    ) -> None:
        self.source, self.around = source, around
        self.local = LocalNames(node)
        self.names = NameAllocator(mentioned(node) | set(source.fn.__code__.co_freevars))
        self.values: dict[str, object] = {}
        self.asked: list[_Asked] = []
        self.bound = {p.id for p in parameters(node.args)}
        self.top = node.body

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """Statements outside of such a `try`."""
        for s in body:
            if isinstance(s, (*Scope, gast.ClassDef)):
                continue
            map_bodies(s, self.block)
            if isinstance(s, gast.Try) and (caught := self.caught(s)) is not None:
                s.body = self.tried(s.body, caught)
            if body is self.top and isinstance(s, gast.Assign):  # from here on they are bound
                self.bound |= {t.id for t in s.targets if isinstance(t, gast.Name)}
        return body

    def tried(self, body: list[gast.stmt], caught: _Caught) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for s in body:
            if not isinstance(s, (*Scope, *_BETWEEN, gast.ClassDef)):
                map_bodies(s, lambda inner: self.tried(inner, caught))
                out += self.before(s, caught)
            out.append(s)
        return out

    def caught(self, node: gast.Try) -> _Caught | None:
        """The classes that each handler catches; None where that is not known."""
        if not any(map(_reads, node.handlers)):
            return None
        found: list[tuple[type, ...]] = []
        for h in node.handlers:
            parts = h.type.elts if isinstance(h.type, gast.Tuple) else [h.type]
            meant = [BaseException if p is None else self.means(p) for p in parts]
            classes = tuple(t for t in meant if isinstance(t, type))
            if len(classes) < len(meant):
                return None
            # of a handler that reads nothing, nothing has to be told
            found.append(classes if _reads(h) else (*classes, _Silent))
        return tuple(found)

    def means(self, node: gast.AST) -> object:
        found = meaning(node, self.source, self.local)
        self.asked.append(_Asked(node, self.source, self.local, found))
        return found

    def before(self, s: gast.stmt, caught: _Caught) -> Iterator[gast.stmt]:
        """What comes before a statement with such a call, in which a variable stands for it."""
        call = _only_call(s, self.bound)
        fn = None if call is None else self.means(call.func)
        if call is None or not isinstance(fn, types.FunctionType) or is_library(fn.__module__):
            return
        told = None if lookup(fn) else telling(fn, caught, self.around, self.asked)
        if told is None:
            return
        name = self.known(f"{fn.__name__}_or_error", told.fn)
        parts = [self.names.fresh(n) for n in ("error", "result")]
        parts += [self.names.fresh("carried") for _ in range(told.size)]
        inner = gast.Call(name_node(name, call), call.args, call.keywords)
        gast.copy_location(inner, call)
        target = gast.Tuple([name_node(p, call, gast.Store()) for p in parts], gast.Store())
        gast.copy_location(target, call)
        bound = gast.Assign([target], inner, None)
        gast.copy_location(bound, s)
        yield bound
        for k, raised in enumerate(told.raised):
            yield self.raising(k + 1, raised, parts, call)
        _put(s, call, name_node(parts[1], call))

    def raising(self, k: int, raised: _Raised, parts: list[str], like: gast.AST) -> gast.stmt:
        def value(a: int | gast.Constant) -> gast.expr:
            return name_node(parts[2 + a], like) if isinstance(a, int) else copy.deepcopy(a)

        cls = name_node(self.known(raised.cls.__name__, raised.cls), like)
        words = [gast.keyword(w, value(a)) for w, a in raised.words]
        made = gast.Raise(gast.Call(cls, [value(a) for a in raised.args], words), None)
        test = gast.Compare(name_node(parts[0], like), [gast.Eq()], [gast.Constant(k, None)])
        found = gast.If(test, [made], [])
        for n in gast.walk(found):
            if isinstance(n, gast.expr | gast.stmt | gast.keyword):
                gast.copy_location(n, like)
        return found

    def known(self, name: str, value: object) -> str:
        """A name for a function or a class that may be unknown here."""
        for n, v in self.values.items():
            if v is value:
                return n
        found = self.names.fresh(name)
        self.values[found] = value
        return found


class _Silent(BaseException):
    """Marks a handler that does not look at what it catches."""


_FOUND: dict[tuple[object, ...], tuple[_Telling | None, list[_Asked]]] = {}


def telling(
    fn: types.FunctionType,
    caught: _Caught,
    around: tuple[types.FunctionType, ...],
    asked: list[_Asked],
) -> _Telling | None:
    """The function that returns what `fn` raises for these handlers; None where it raises nothing
    that they read, or that cannot be told. What was `asked` for it is noted."""
    if fn in around:
        return None
    key = fn, fn.__code__, caught, around
    if key not in _FOUND or not all(a.holds() for a in _FOUND[key][1]):
        own: list[_Asked] = []
        try:
            _FOUND[key] = _told(get_source(fn), caught, (*around, fn), own), own
        except CompileError:
            _FOUND[key] = None, own
    told, needed = _FOUND[key]
    asked += needed
    return told


def _told(
    source: SourceFunction,
    caught: _Caught,
    around: tuple[types.FunctionType, ...],
    asked: list[_Asked],
) -> _Telling | None:
    node = source.node
    if not isinstance(node, gast.FunctionDef) or node.decorator_list:
        return None
    if any(isinstance(n, gast.Yield | gast.YieldFrom | gast.Await) for n in in_scope(node.body)):
        return None
    node = copy.deepcopy(node)
    work = _Shown(replace(source, node=node), node, around)
    work.asked = asked
    node.body = work.tried(work.block(node.body), caught)
    raised = [r for s in node.body for r in _outside(s) if isinstance(r, gast.Raise)]
    found: dict[int, tuple[_Raised, list[gast.expr]]] = {}
    size = 0
    for r in raised:
        one = _exception(r, work, caught, size)
        if one is not None:
            found[id(r)] = one
            size += len(one[1])
    if not found:
        return None
    order = {at: k + 1 for k, at in enumerate(found)}
    starts: dict[int, int] = {}
    for at in found:
        starts[at] = sum(len(found[before][1]) for before in starts)

    def returned(s: gast.stmt) -> gast.stmt:
        error, result = 0, s.value if isinstance(s, gast.Return) else None
        carried: dict[int, gast.expr] = {}
        if isinstance(s, gast.Raise) and id(s) in found:
            error = order[id(s)]
            carried = {starts[id(s)] + k: v for k, v in enumerate(found[id(s)][1])}
        elif not isinstance(s, gast.Return):
            return s
        return _returning(error, [result, *(carried.get(k) for k in range(size))], s)

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        for s in body:
            if not isinstance(s, (*Scope, gast.ClassDef)):
                map_bodies(s, block)
        return [returned(s) for s in body]

    last = node.body[-1]
    node.body = block(node.body)
    if not isinstance(last, gast.Return | gast.Raise):
        node.body.append(_returning(0, [None] * (size + 1), last))
    node.returns = None
    made = made_functions(source, node, (), work.values)
    made.fn.__name__ = f"{source.fn.__name__}_or_error"
    made.fn.__qualname__ = f"{source.fn.__qualname__}_or_error"
    made.fn.__module__ = source.fn.__module__
    made.fn.__dict__[MADE] = replace(
        made, qualname=made.fn.__qualname__, signature=inspect.signature(made.fn)
    )
    return _Telling(made.fn, tuple(r for r, _ in found.values()), size)


def _returning(
    error: int, values: Sequence[gast.expr | None], like: gast.AST
) -> gast.stmt:
    """`return error, *values`, with None for what there is not."""
    items: list[gast.expr] = [gast.Constant(error, None)]
    items += [gast.Constant(None, None) if v is None else v for v in values]
    whole = gast.Tuple(items, gast.Load())
    made = gast.Return(whole)
    for n in (made, whole, *items):
        if not hasattr(n, "lineno"):
            gast.copy_location(n, like)
    return made


def _exception(
    r: gast.Raise, work: _Shown, caught: _Caught, start: int
) -> tuple[_Raised, list[gast.expr]] | None:
    """What is raised, and the values that it carries; None where nobody reads it for sure."""
    cause = r.cause
    if r.exc is None or not (cause is None or isinstance(cause, gast.Constant)):
        return None
    call = r.exc if isinstance(r.exc, gast.Call) else None
    named = r.exc if call is None else call.func
    own = named.id if isinstance(named, gast.Name) else ""
    cls = work.values[own] if own in work.values else work.means(named)
    if not isinstance(cls, type) or not issubclass(cls, BaseException):
        return None
    taken = next((h for h in caught if any(issubclass(cls, t) for t in h)), (_Silent,))
    if _Silent in taken:
        return None
    args = [] if call is None else call.args
    words = [] if call is None else call.keywords
    if any(isinstance(a, gast.Starred) for a in args) or any(k.arg is None for k in words):
        return None
    carried: list[gast.expr] = []

    def place(e: gast.expr) -> int | gast.Constant:
        if isinstance(e, gast.Constant):
            return e
        carried.append(e)
        return start + len(carried) - 1

    told = _Raised(
        cls,
        tuple(place(a) for a in args),
        tuple((str(k.arg), place(k.value)) for k in words),
    )
    return told, carried


def _outside(s: gast.stmt) -> Iterator[gast.stmt]:
    """The statements in a statement that no `try` or `with` is around."""
    yield s
    if isinstance(s, (*Scope, *_BETWEEN, gast.ClassDef)):
        return
    for n in gast.iter_child_nodes(s):
        if isinstance(n, gast.stmt):
            yield from _outside(n)


def _reads(h: gast.ExceptHandler) -> bool:
    """Whether a handler looks at the exception, and goes no further with it."""
    if h.name is None or any(isinstance(n, gast.Raise) for s in h.body for n in gast.walk(s)):
        return False
    name = h.name.id
    return any(isinstance(n, gast.Name) and n.id == name for s in h.body for n in gast.walk(s))


def _only_call(s: gast.stmt, bound: set[str]) -> gast.Call | None:
    """The call in a statement in which nothing else is done before it."""
    match s:
        case gast.Assign(value=e) | gast.Expr(value=e) | gast.Return(value=e):
            pass
        case gast.AnnAssign(target=gast.Name(), value=e) | gast.AugAssign(
            target=gast.Name(), value=e
        ):
            pass
        case _:
            return None
    call = None if e is None else _first(e, bound)
    inner = [] if call is None else [*call.args, *(k.value for k in call.keywords)]
    if isinstance(s, gast.AugAssign) and not _is_known(s.target, bound):
        return None
    done = (n for a in inner for n in gast.walk(a))
    return None if any(isinstance(n, gast.NamedExpr) for n in done) else call


def _first(e: gast.expr, bound: set[str]) -> gast.Call | None:
    """The call in an expression before which nothing but names that are bound is evaluated."""
    match e:
        case gast.Call():
            return e
        case gast.BinOp(left=left, right=right):
            return _first(right if _is_known(left, bound) else left, bound)
        case gast.UnaryOp(operand=operand):
            return _first(operand, bound)
        case _:
            return None


def _is_known(e: gast.expr, bound: set[str]) -> bool:
    return isinstance(e, gast.Constant) or (isinstance(e, gast.Name) and e.id in bound)


def _put(s: gast.stmt, call: gast.Call, name: gast.Name) -> None:
    """A name in the place of a call."""
    for n in gast.walk(s):
        for part, held in gast.iter_fields(n):
            if held is call:
                setattr(n, part, name)
