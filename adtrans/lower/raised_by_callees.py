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

What is raised in the function that catches it is a jump (`known_raises`). Only what a handler
there catches for sure, and reads, is raised so; a `try` of the callee in between lets it through,
if it is known that it does. Where a manager of the user's is in between, it stays as it is, and so
it does where somebody may look at how the exception came.
"""

from __future__ import annotations

import copy
import inspect
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import gast

from adtrans import runtime
from adtrans.diagnostics.errors import CompileError
from adtrans.diagnostics.span import Span
from adtrans.ir.names import NameAllocator
from adtrans.lower.class_uses import codes, reached
from adtrans.lower.guarded import TRUSTED
from adtrans.lower.known_raises import values_held
from adtrans.lower.local_names import LocalNames
from adtrans.lower.makers import meaning
from adtrans.lower.opaque import name_node
from adtrans.lower.seen_exceptions import MACHINERY
from adtrans.lower.syntax import Scope, in_scope, map_bodies, mentioned, nodes_in, parameters
from adtrans.rules import lookup
from adtrans.source import SourceFunction, get_source
from adtrans.source.find import MADE
from adtrans.source.libraries import is_library
from adtrans.source.made import made_functions

_Caught = tuple[tuple[type, ...], ...]  # by handler


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


Methods = Mapping[Span, tuple[type, types.FunctionType]]


def with_raises_shown(source: SourceFunction, methods: Methods) -> SourceFunction:
    """The function with such calls; `source` itself where there are none. `methods`: those that are
    called, by place, with the classes of their objects."""
    node = source.node
    if not isinstance(node, gast.FunctionDef):
        return source
    if not any(isinstance(n, gast.Try) and any(map(_reads, n.handlers)) for n in nodes_in(node)):
        return source
    if any(not MACHINERY.isdisjoint(c.co_names) for f in reached(source.fn)
           for c in codes(f.__code__)):  # fmt: skip
        return source
    made = copy.deepcopy(node)
    work = _Shown(replace(source, node=made), made, (source.fn,), methods)
    made.body = work.block(made.body, ())
    return made_functions(source, made, (), work.values) if work.values else source


class _Shown:
    """Rewrites the calls in one function; `around`: the functions that are being rewritten."""

    def __init__(
        self,
        source: SourceFunction,
        node: gast.FunctionDef,
        around: tuple[types.FunctionType, ...],
        methods: Methods,
    ) -> None:
        self.source, self.around, self.methods = source, around, methods
        self.local = LocalNames(node)
        self.names = NameAllocator(mentioned(node) | set(source.fn.__code__.co_freevars))
        self.values: dict[str, object] = {}
        self.asked: list[_Asked] = []
        self.bound = {p.id for p in parameters(node.args)}
        self.top = node.body

    def block(self, body: list[gast.stmt], caught: _Caught) -> list[gast.stmt]:
        """Statements in which what some handlers around read is told of."""
        out: list[gast.stmt] = []
        for s in body:
            if not isinstance(s, (*Scope, gast.ClassDef)):
                self.inside(s, caught)
                if any(map(_is_read, caught)) and not isinstance(s, gast.Try | gast.With):
                    out += self.before(s, caught)
            out.append(s)
            if body is self.top and isinstance(s, gast.Assign):  # from here on they are bound
                self.bound |= {t.id for t in s.targets if isinstance(t, gast.Name)}
        return out

    def inside(self, s: gast.stmt, caught: _Caught) -> None:
        """The same for the blocks in a statement."""
        if isinstance(s, gast.Try):
            own = self.caught(s)
            s.body = self.block(s.body, () if own is None else (*own, *caught))
            s.orelse = self.block(s.orelse, caught)
            for h in s.handlers:
                h.body = self.block(h.body, caught)
            s.finalbody = self.block(s.finalbody, ())
        elif isinstance(s, gast.With | gast.AsyncWith):
            s.body = self.block(s.body, caught if self.lets_through(s) else ())
        else:
            map_bodies(s, lambda inner: self.block(inner, caught))

    def lets_through(self, s: gast.With | gast.AsyncWith) -> bool:
        """Whether no manager of a `with` sees exceptions."""
        calls = [i.context_expr for i in s.items]
        return isinstance(s, gast.With) and all(
            isinstance(c, gast.Call) and any(self.means(c.func) is t for t in TRUSTED)
            for c in calls
        )

    def caught(self, node: gast.Try) -> _Caught | None:
        """The classes that each handler catches; None where that is not known."""
        found: list[tuple[type, ...]] = []
        for h in node.handlers:
            parts = h.type.elts if isinstance(h.type, gast.Tuple) else [h.type]
            meant = [BaseException if p is None else self.means(p) for p in parts]
            classes = tuple(t for t in meant if isinstance(t, type))
            if len(classes) < len(meant):
                return None
            # of a handler that reads nothing, nothing has to be told
            marks = (() if _reads(h) else (_Silent,)) + ((_Whole,) if _keeps(h) else ())
            found.append((*classes, *marks))
        return tuple(found)

    def means(self, node: gast.AST) -> object:
        found = meaning(node, self.source, self.local)
        self.asked.append(_Asked(node, self.source, self.local, found))
        return found

    def before(self, s: gast.stmt, caught: _Caught) -> Iterator[gast.stmt]:
        """What comes before a statement with such a call, in which a variable stands for it."""
        call = _only_call(s, self.bound)
        if call is None:
            return
        fn, method = self.means(call.func), None
        if isinstance(call.func, gast.Attribute) and not isinstance(fn, types.FunctionType):
            method = self.methods.get(self.source.span(call))
            fn = None if method is None else method[1]
        if not isinstance(fn, types.FunctionType) or is_library(fn.__module__):
            return
        told = None if lookup(fn) else telling(fn, caught, self.around, self.asked, self.methods)
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
        if method is None:
            yield bound
        else:
            yield from self.of_class(call, method[0], bound, told.size)
        for k, raised in enumerate(told.raised):
            yield self.raising(k + 1, raised, parts, call)
        _put(s, call, name_node(parts[1], call))

    def of_class(
        self, call: gast.Call, cls: type, bound: gast.Assign, size: int
    ) -> Iterator[gast.stmt]:
        """The same with a method, as long as its object is of the class; else it is called."""
        assert isinstance(call.func, gast.Attribute) and isinstance(bound.value, gast.Call)
        owner = call.func.value
        if not isinstance(owner, gast.Name):
            held = self.names.fresh("owner")
            target = name_node(held, call, gast.Store())
            yield _all_like(gast.Assign([target], owner, None), call)
            owner = call.func.value = name_node(held, call)
        test = self.names.fresh("known")
        names = ("is_one_of", runtime.is_one_of), (cls.__name__, cls)
        asked, of = (name_node(self.known(n, v), call) for n, v in names)
        question = gast.Call(asked, [copy.deepcopy(owner), of], [])
        yield _all_like(gast.Assign([name_node(test, call, gast.Store())], question, None), call)
        nothing = [gast.Constant(None, None) for _ in range(size)]
        parts = [gast.Constant(0, None), copy.deepcopy(call), *nothing]
        other = gast.Assign(copy.deepcopy(bound.targets), gast.Tuple(parts, gast.Load()), None)
        bound.value.args = [copy.deepcopy(owner), *bound.value.args]
        yield _all_like(gast.If(name_node(test, call), [bound], [other]), call)

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


def _all_like(made: gast.stmt, like: gast.AST) -> gast.stmt:
    """A statement with the place of another tree wherever it has none."""
    for n in gast.walk(made):
        if isinstance(n, gast.expr | gast.stmt | gast.keyword) and not hasattr(n, "lineno"):
            gast.copy_location(n, like)
    return made


class _Silent(BaseException):
    """Marks a handler that does not look at what it catches."""


class _Whole(BaseException):
    """Marks one that uses the exception itself, and not only what it carries."""


def _is_read(handler: tuple[type, ...]) -> bool:
    return _Silent not in handler


_FOUND: dict[tuple[object, ...], tuple[_Telling | None, list[_Asked]]] = {}


def telling(
    fn: types.FunctionType,
    caught: _Caught,
    around: tuple[types.FunctionType, ...],
    asked: list[_Asked],
    methods: Methods,
) -> _Telling | None:
    """The function that returns what `fn` raises for these handlers; None where it raises nothing
    that they read, or that cannot be told. What was `asked` for it is noted."""
    if fn in around:
        return None
    key = fn, fn.__code__, caught, around, frozenset(methods.items())
    if key not in _FOUND or not all(a.holds() for a in _FOUND[key][1]):
        own: list[_Asked] = []
        try:
            _FOUND[key] = _told(get_source(fn), caught, (*around, fn), own, methods), own
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
    methods: Methods,
) -> _Telling | None:
    node = source.node
    if not isinstance(node, gast.FunctionDef) or node.decorator_list:
        return None
    if any(isinstance(n, gast.Yield | gast.YieldFrom | gast.Await) for n in in_scope(node.body)):
        return None
    node = copy.deepcopy(node)
    work = _Shown(replace(source, node=node), node, around, methods)
    work.asked = asked
    found: dict[int, tuple[_Raised, list[gast.expr]]] = {}
    size = 0

    def told(r: gast.Raise, passed: tuple[_Caught, ...], depth: int) -> gast.stmt:
        """A `raise` as a return of what it carries, if it leaves the function and is read."""
        nonlocal size
        one = _exception(r, work, (*(h for c in passed for h in c), *caught), size, depth)
        if one is None or any(_takes(h, one[0].cls) for c in passed for h in c):
            return r
        size += len(one[1])
        carried = gast.Tuple(one[1], gast.Load())
        made = gast.Return(carried)
        for n in (made, carried):
            gast.copy_location(n, r)
        found[id(made)] = one
        return made

    leaving = _Leaving(work, told)
    node.body = leaving.block(node.body, (), 0)
    node.body = work.block(node.body, caught)
    node.body = leaving.block(node.body, (), 0)
    if not found:
        return None
    order = {at: k + 1 for k, at in enumerate(found)}
    starts: dict[int, int] = {}
    for at in found:
        starts[at] = sum(len(found[before][1]) for before in starts)

    def returned(s: gast.stmt) -> gast.stmt:
        if not isinstance(s, gast.Return):
            return s
        if id(s) not in found:
            return _returning(0, [s.value, *(None for _ in range(size))], s)
        carried = {starts[id(s)] + k: v for k, v in enumerate(found[id(s)][1])}
        return _returning(order[id(s)], [None, *(carried.get(k) for k in range(size))], s)

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
    r: gast.Raise, work: _Shown, caught: _Caught, start: int, depth: int
) -> tuple[_Raised, list[gast.expr]] | None:
    """What is raised, and the values that it carries; None where nobody reads it for sure. `depth`:
    see `_Leaving`."""
    if r.exc is None:
        return None
    call = r.exc if isinstance(r.exc, gast.Call) else None
    named = r.exc if call is None else call.func
    own = named.id if isinstance(named, gast.Name) else ""
    cls = work.values[own] if own in work.values else work.means(named)
    if not isinstance(cls, type) or not issubclass(cls, BaseException):
        return None
    taken = next((h for h in caught if _takes(h, cls)), (_Silent,))
    if _Silent in taken:
        return None
    plain = r.cause is None or isinstance(r.cause, gast.Constant)
    if _Whole in taken and not (depth < 2 and plain):
        return None  # it says what came before
    if not plain and not isinstance(r.cause, gast.Name):
        return None
    args = [] if call is None else call.args
    words = [] if call is None else call.keywords
    if any(isinstance(a, gast.Starred) for a in args) or any(k.arg is None for k in words):
        return None
    if depth and values_held(cls, args, {str(k.arg): k.value for k in words}) is None:
        return None  # it is made before what is done on the way out, and may do something
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


_Tell = Callable[[gast.Raise, "tuple[_Caught, ...]", int], gast.stmt]


@dataclass(frozen=True)
class _Leaving:
    """Goes through what a function raises that may leave it: past which handlers, and from what
    depth: 0 outside of any `try` and `with`, 2 in a handler."""

    work: _Shown
    told: _Tell

    def block(
        self, body: list[gast.stmt], passed: tuple[_Caught, ...], depth: int
    ) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for s in body:
            if isinstance(s, gast.Raise):
                out.append(self.told(s, passed, depth))
                continue
            if isinstance(s, gast.Try):
                own = self.work.caught(s)
                if own is not None:
                    s.body = self.block(s.body, (own, *passed), max(depth, 1))
                s.orelse = self.block(s.orelse, passed, max(depth, 1))
                for h in s.handlers:
                    h.body = self.block(h.body, passed, 2)
            elif isinstance(s, gast.With | gast.AsyncWith):
                if self.work.lets_through(s):
                    s.body = self.block(s.body, passed, max(depth, 1))
            elif not isinstance(s, (*Scope, gast.ClassDef)):
                map_bodies(s, lambda inner: self.block(inner, passed, depth))
            out.append(s)
        return out


def _takes(handler: tuple[type, ...], cls: type) -> bool:
    """Whether a handler catches what is of a class."""
    return any(issubclass(cls, t) for t in handler)


def _keeps(h: gast.ExceptHandler) -> bool:
    """Whether a handler uses the exception itself, and not only what it carries."""
    if h.name is None:
        return False
    nodes = [n for s in h.body for n in gast.walk(s)]
    parts = {id(n.value) for n in nodes if isinstance(n, gast.Attribute)}
    parts |= {id(n.cause) for n in nodes if isinstance(n, gast.Raise)}
    name = h.name.id
    return any(isinstance(n, gast.Name) and n.id == name and id(n) not in parts for n in nodes)


def _reads(h: gast.ExceptHandler) -> bool:
    """Whether a handler looks at the exception, and does not raise it again."""
    nodes = [n for s in h.body for n in gast.walk(s)]
    if h.name is None or any(isinstance(n, gast.Raise) and n.exc is None for n in nodes):
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
