"""Exceptions that are raised and caught in one function: the way to the handler is a jump.

try:                                  try:
    for v in x:                           for v in x:
        if v > 1:                             if v > 1:
            raise Found(v * v)                    value = v * v; caught = True; break
except Found as e:              =>    else:
    y = e.value                           if caught: y = value

Nothing is interrupted then, and what the exception carries is a variable. The handler stays for
what is raised elsewhere: by functions that are called.
"""

from __future__ import annotations

import builtins
import copy
import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import gast

from adtrans import runtime
from adtrans.diagnostics.errors import CompileError
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import statements
from adtrans.lower.builder import Builder
from adtrans.lower.exits import outcomes
from adtrans.lower.opaque import name_node
from adtrans.lower.seen_exceptions import looks_at_exceptions
from adtrans.lower.staying import FLAGS, Exit, staying
from adtrans.lower.syntax import Scope, in_scope, nodes_in
from adtrans.lower.trees import assignment
from adtrans.source import get_source

Lower = Callable[[Sequence[gast.stmt]], S.Block]
Key = tuple[str, int | str]  # ("args", 0) of `e.args[0]`, ("of", "value") of `e.value`

_OWN_WAYS = ("__setattr__", "__getattribute__", "__getattr__", "__del__", "args")
_OTHERS = (OSError, ImportError, UnicodeError, SyntaxError, AttributeError, NameError)


@dataclass
class Way:
    """A handler, what it reads of the exception, and whether a `raise` leads to it for sure."""

    handler: gast.ExceptHandler
    types: tuple[type, ...] | None
    reads: dict[Key, str]
    whole: str | None  # the variable of the exception itself, where it is needed
    can: bool
    flag: str = ""
    taken: bool = False
    dead: bool = False  # it was taken where control never gets

    def take(self, b: Builder) -> None:
        """Gives names to what stands for the exception."""
        if not self.taken:
            self.taken, self.flag = True, b.temp("caught")
            for kind, of in self.reads:
                self.reads[kind, of] = b.temp("carried" if kind == "args" else str(of))
            if self.whole is not None:
                self.whole = b.temp(self.whole)


@dataclass
class Catcher:
    """A `try` whose body is being lowered."""

    ways: list[Way]
    mark: E.Const

    @property
    def taken(self) -> bool:
        return any(w.taken for w in self.ways)

    def forget_dead(self, tried: S.Block) -> None:
        """Leaves out the ways of which every jump stands where control never gets."""
        bound = {s.target for s in statements(tried) if isinstance(s, S.Bind)}
        for w in self.ways:
            w.dead = w.taken and w.flag not in bound
            w.taken = w.taken and not w.dead


def catcher(b: Builder, node: gast.Try) -> Catcher:
    """What the handlers of a `try` catch, as far as it is known."""
    ways = [_way(b, h) for h in node.handlers]
    return Catcher(ways, E.Const(f"caught {b.site()}"))


def _way(b: Builder, h: gast.ExceptHandler) -> Way:
    name = None if h.name is None else h.name.id
    reads: dict[Key, str] = {}
    whole = False
    for n in (n for s in h.body for n in gast.walk(s)) if name is not None else ():
        key = _read(n, str(name))
        if key is not None:
            reads[key] = ""
    parts = {id(p) for s in h.body for n in gast.walk(s) if _read(n, str(name)) is not None
             for p in gast.walk(n)}  # fmt: skip
    parts |= {id(n.cause) for s in h.body for n in gast.walk(s)
              if isinstance(n, gast.Raise) and _goes_on(b, n)}  # fmt: skip
    for n in (n for s in h.body for n in gast.walk(s)):
        whole |= isinstance(n, gast.Name) and n.id == name and id(n) not in parts
    raises = any(isinstance(n, gast.Raise) and not _goes_on(b, n) for n in in_scope(h.body))
    found = BaseException if h.type is None else _meant(b, h.type)
    of = found if isinstance(found, tuple) else (found,)
    known = all(isinstance(t, type) and issubclass(t, BaseException) for t in of)
    return Way(
        h,
        tuple(t for t in of if isinstance(t, type)) if known else None,
        reads,
        (name or "") if whole else None,
        not raises
        and not _rebinds(h, name)
        and not looks_at_exceptions(b, h)
        and (name is None or _is_its_own(b, h, name)),
    )


def _is_its_own(b: Builder, h: gast.ExceptHandler, name: str) -> bool:
    """Whether the name of the exception, which is unbound behind a handler, is used only in
    handlers that bind it."""
    nodes = nodes_in(b.source.node)
    place = h.lineno, h.col_offset
    same = [n for n in nodes if n is h] or [
        n for n in nodes
        if isinstance(n, gast.ExceptHandler) and (n.lineno, n.col_offset) == place
    ]  # in a function that is written out its variables have other names
    if len(same) != 1 or not isinstance(same[0], gast.ExceptHandler) or same[0].name is None:
        return False
    meant = same[0].name.id
    own = {
        id(n)
        for other in nodes
        if isinstance(other, gast.ExceptHandler) and other.name and other.name.id == meant
        for n in nodes_in(other)
    }
    return not any(isinstance(n, gast.Name) and n.id == meant and id(n) not in own for n in nodes)


def _meant(b: Builder, node: gast.expr) -> object:
    if isinstance(node, gast.Tuple):
        return tuple(b.means(n) for n in node.elts)
    return b.means(node)


def _rebinds(h: gast.ExceptHandler, name: str | None) -> bool:
    """Whether a handler binds the name of the exception, or a function sees it later."""
    for s in h.body:
        for n in gast.walk(s):
            if isinstance(n, gast.Name) and n.id == name and not isinstance(n.ctx, gast.Load):
                return True
            if isinstance(n, (*Scope, gast.ClassDef)):
                return True
    return False


def _read(node: gast.AST, name: str) -> Key | None:
    """What an expression reads of the exception of this name."""
    match node:
        case gast.Subscript(
            value=gast.Attribute(value=gast.Name(id=n), attr="args"),
            slice=gast.Constant(value=int() as k),
            ctx=gast.Load(),
        ) if n == name and not isinstance(k, bool):
            return "args", k
        case gast.Attribute(value=gast.Name(id=n), attr=attr, ctx=gast.Load()) if n == name:
            return None if attr == "args" or attr.startswith("__") else ("of", attr)
        case _:
            return None


def _leads(
    b: Builder, node: gast.Raise
) -> tuple[Catcher, Way, dict[Key, gast.expr]] | None:
    """Which handler around catches what is raised, for sure, and what it is made of; None where the
    exception has to be raised."""
    call = node.exc
    if call is None:
        return None
    args = list(call.args) if isinstance(call, gast.Call) else []
    cls = b.means(call.func if isinstance(call, gast.Call) else call)
    if not isinstance(cls, type) or not issubclass(cls, BaseException):
        return None
    if any(isinstance(a, gast.Starred) for a in args):
        return None
    caught = _for(b, cls)
    if caught is None or not caught[1].can:
        return None
    found, way = caught
    if not _is_plain(node.cause) and (way.whole is not None or not _is_caught(b, node.cause)):
        return None
    words = {str(k.arg): k.value for k in call.keywords} if isinstance(call, gast.Call) else {}
    values = values_held(cls, args, words)
    if values is None or any(k not in values for k in way.reads):
        return None
    return found, way, values


def _goes_on(b: Builder, node: gast.Raise) -> bool:
    """Whether a `raise` in a handler leads to another one, which does not ask what came before."""
    led = _leads(b, node)
    return led is not None and led[1].whole is None


def jump(b: Builder, node: gast.Raise) -> tuple[Catcher, list[gast.stmt]] | None:
    """The assignments that stand for a `raise` which a handler around catches for sure, and where
    the jump is to lead that follows. None where it is to stay."""
    led = _leads(b, node)
    if led is None or node.exc is None:
        return None
    found, way, values = led
    call = node.exc
    args = list(call.args) if isinstance(call, gast.Call) else []
    words = {str(k.arg): k.value for k in call.keywords} if isinstance(call, gast.Call) else {}
    way.take(b)
    out: list[gast.stmt] = []
    held: dict[int, str] = {}
    for a in (*args, *words.values()):
        held[id(a)] = b.temp("carried")
        out.append(assignment(name_node(held[id(a)], node, gast.Store()), a, node))

    def value_of(key: Key) -> gast.expr:
        return _with_names(values[key], held, node)

    for key, value in values.items():  # the others might fail, too
        if key not in way.reads and id(value) not in held and not isinstance(value, gast.Constant):
            name = b.temp("carried")
            out.append(assignment(name_node(name, node, gast.Store()), value_of(key), node))
    for key, name in way.reads.items():
        out.append(assignment(name_node(name, node, gast.Store()), value_of(key), node))
    if way.whole is not None:
        fn = call.func if isinstance(call, gast.Call) else call
        given: list[gast.expr] = [name_node(held[id(a)], node) for a in args]
        named = [gast.keyword(k, name_node(held[id(a)], node)) for k, a in words.items()]
        made = gast.Call(fn, given, named)
        gast.copy_location(made, node)
        out.append(assignment(name_node(way.whole, node, gast.Store()), made, node))
    yes = gast.Constant(True, None)
    gast.copy_location(yes, node)
    out.append(assignment(name_node(way.flag, node, gast.Store()), yes, node))
    return found, out


def makes(found: Catcher, s: gast.stmt) -> bool:
    """Whether a statement makes the exception itself, which no derivative goes through."""
    match s:
        case gast.Assign(targets=[gast.Name(id=name)]):
            return any(w.taken and w.whole == name for w in found.ways)
        case _:
            return False


def _is_plain(node: gast.expr | None) -> bool:
    """Whether nothing is remembered of a `raise` ... `from`."""
    return node is None or (isinstance(node, gast.Constant) and node.value is None)


def _is_caught(b: Builder, node: gast.expr | None) -> bool:
    """Whether an expression is the name of what a handler has caught."""
    caught = {h.name.id for h in nodes_in(b.source.node)
              if isinstance(h, gast.ExceptHandler) and h.name is not None}  # fmt: skip
    return isinstance(node, gast.Name) and node.id in caught


def _for(b: Builder, cls: type) -> tuple[Catcher, Way] | None:
    """The handler that catches exceptions of a class, the innermost first; None where it is not
    known, or something else sees the exception before."""
    for found in reversed(b.catchers):
        if not isinstance(found, Catcher):
            return None
        for way in found.ways:
            if way.types is None:
                return None
            if any(t in cls.__mro__ for t in way.types):
                return found, way
    return None


def _with_names(e: gast.expr, held: dict[int, str], like: gast.AST) -> gast.expr:
    """An expression with the names that arguments are held under."""
    if id(e) in held:
        return name_node(held[id(e)], like)
    made = copy.copy(e)
    for part, inner in gast.iter_fields(e):
        if isinstance(inner, gast.expr):
            setattr(made, part, _with_names(inner, held, like))
    return made


def values_held(
    cls: type, args: list[gast.expr], words: dict[str, gast.expr]
) -> dict[Key, gast.expr] | None:
    """What an exception holds that is made of these arguments; None where that is not known, or
    making it does more."""
    own = next(c for c in cls.__mro__ if "__init__" in vars(c) or "__new__" in vars(c))
    users = [c for c in cls.__mro__ if c.__module__ != builtins.__name__]
    base = next(c for c in cls.__mro__ if c.__module__ == builtins.__name__)
    if issubclass(base, _OTHERS) or any("__new__" in vars(c) for c in users):
        return None
    if type(cls) is not type or any(n in vars(c) for c in users for n in _OWN_WAYS):
        return None
    if own not in users:
        return None if words else {("args", k): a for k, a in enumerate(args)}
    given: _Given = (args, words)
    found: dict[Key, gast.expr] = {}
    early: set[Key] = set()
    told: dict[Key, gast.expr] = {("args", k): a for k, a in enumerate(args)}
    while own in users:
        held = _initialised(cls, own, *given)
        if held is None or not early.isdisjoint(held.assigned):
            return None  # it is assigned once more
        found = {**held.assigned, **found}
        early |= held.early
        if held.further is None:
            return {**told, **found}
        given, after = held.further, cls.__mro__[cls.__mro__.index(own) + 1 :]
        own = next(c for c in after if "__init__" in vars(c))
    if given[1]:
        return None
    made = {id(a) for a in (*args, *words.values())}
    told = {("args", k): a for k, a in enumerate(given[0])
            if id(a) in made or not isinstance(a, gast.JoinedStr)}  # fmt: skip
    return {**told, **found}


_Given = tuple[list[gast.expr], dict[str, gast.expr]]


@dataclass(frozen=True)
class _Initialised:
    """What an `__init__` assigns, `early`: before that of the next class is called, and what it
    hands on to that, if it does."""

    assigned: dict[Key, gast.expr]
    early: frozenset[Key]
    further: _Given | None


def _initialised(
    cls: type, own: type, args: list[gast.expr], words: dict[str, gast.expr]
) -> _Initialised | None:
    """What the `__init__` of a class does; None where that is not known, or it does more."""
    init = vars(own).get("__init__")
    if not isinstance(init, types.FunctionType):
        return None
    try:
        node = get_source(init).node
        given = inspect.signature(init).bind(None, *args, **words).arguments
    except (CompileError, TypeError):
        return None
    if not isinstance(node, gast.FunctionDef) or node.decorator_list:
        return None
    params = inspect.signature(init).parameters
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in params.values()):
        return None
    known: dict[str, gast.expr] = {
        n: gast.Constant(p.default, None) for n, p in params.items() if E.is_literal(p.default)
    }
    known.update({n: v for n, v in given.items() if isinstance(v, gast.expr)})
    me = next(iter(params))
    known.pop(me, None)
    found: dict[Key, gast.expr] = {}
    early: frozenset[Key] = frozenset()
    further: _Given | None = None
    for s in node.body:
        match s:
            case gast.Pass() | gast.Expr(value=gast.Constant()):
                pass
            case gast.Assign(
                targets=[gast.Attribute(value=gast.Name(id=of), attr=attr)], value=value
            ) if of == me and not _is_special(cls, attr) and (
                made := _in_terms_of(value, known)
            ) is not None:
                found["of", attr] = made
            case gast.Expr(value=gast.Call(func=fn, args=values, keywords=pairs)) if (
                _is_init(fn) and further is None
            ):
                handed = [_handed(v, known) for v in values]
                named = {str(k.arg): _handed(k.value, known) for k in pairs}
                if None in (*handed, *named.values()) or any(k.arg is None for k in pairs):
                    return None
                further = (
                    [v for v in handed if v is not None],
                    {k: v for k, v in named.items() if v is not None},
                )
                early = frozenset(found)
            case _:
                return None
    return _Initialised(found, early, further)


def _handed(e: gast.expr, known: Mapping[str, gast.expr]) -> gast.expr | None:
    """What is handed on: a message may be made of the parameters, as long as that cannot fail."""
    made = _in_terms_of(e, known)
    return e if made is None and _is_text(e, {*known}) else made


def _in_terms_of(e: gast.expr, known: Mapping[str, gast.expr]) -> gast.expr | None:
    """An expression with arguments for the parameters; None where it is more than arithmetic."""
    match e:
        case gast.Constant():
            return e
        case gast.Name(id=name):
            return known.get(name)
        case gast.BinOp(left=left, right=right):
            pair = _in_terms_of(left, known), _in_terms_of(right, known)
            if pair[0] is None or pair[1] is None:
                return None
            return _at(gast.BinOp(pair[0], e.op, pair[1]), e)
        case gast.UnaryOp(operand=operand):
            inner = _in_terms_of(operand, known)
            return None if inner is None else _at(gast.UnaryOp(e.op, inner), e)
        case _:
            return None


def _at(made: gast.expr, like: gast.AST) -> gast.expr:
    gast.copy_location(made, like)
    return made


def _is_special(cls: type, attr: str) -> bool:
    """Whether the class says what writing an attribute does."""
    return attr == "args" or hasattr(cls, attr)


def _is_init(fn: gast.AST) -> bool:
    match fn:
        case gast.Attribute(value=gast.Call(func=gast.Name(id="super"), args=[]), attr="__init__"):
            return True
        case _:
            return False


def _is_text(node: gast.AST, known: set[str]) -> bool:
    """Whether a message is made of parameters in a way that cannot fail: a format may."""
    match node:
        case gast.Constant():
            return True
        case gast.Name(id=name):
            return name in known
        case gast.JoinedStr(values=parts):
            return all(_is_text(p, known) for p in parts)
        case gast.FormattedValue(value=gast.Name() as value, format_spec=None):
            return _is_text(value, known)
        case _:
            return False


def divided(
    b: Builder, found: Catcher, tried: S.Block, orelse: S.Block, lower: Lower
) -> tuple[S.Block, S.Block]:
    """The body of a `try` that is left by jumps, and what comes after it."""
    flags: dict[Exit, str] = {}
    values: list[S.Return] = []
    outer = {c.mark: c for c in b.catchers if isinstance(c, Catcher)}
    further: dict[E.Const, str] = {}

    def flag_of(s: S.Stmt, way: Exit) -> str | None:
        if isinstance(s, S.Return) and s.values == (found.mark,):
            return None
        if isinstance(s, S.Return) and s.values and s.values[0] in outer:
            mark = s.values[0]
            assert isinstance(mark, E.Const)
            return further.setdefault(mark, b.temp("raised"))
        if isinstance(s, S.Return):
            values.append(s)
        return flags.setdefault(way, b.temp(FLAGS[way]))

    region = staying(tried, flag_of, b.temp, b.site)
    place = tried[0].span
    taken = [w for w in found.ways if w.taken]
    for flag in (*flags.values(), *further.values(), *(w.flag for w in taken)):
        b.block.append(S.Bind(flag, E.Const(False), site=b.site(), span=place))
    options: list[tuple[str, S.Block]] = []
    for w in taken:
        options.append((w.flag, lower([_substituted(s, w) for s in w.handler.body])))
    for way, flag in flags.items():
        out: S.Stmt
        if way == "return":
            out = replace(values[0], site=b.site())
        elif way == "break":
            out = S.Break(site=b.site(), span=place)
        else:
            out = S.Continue(site=b.site(), span=place)
        options.append((flag, (out,)))
    for mark, flag in further.items():
        options.append((flag, (S.Return((mark,), site=b.site(), span=place),)))
    after = orelse if "fall" in outcomes(tried) else options.pop()[1]
    for flag, body in reversed(options):
        after = (S.If(E.Name(flag), body, after, site=b.site(), span=place),)
    return region, after


def _substituted(s: gast.stmt, way: Way) -> gast.stmt:
    """A statement of a handler with variables for what the exception carries."""
    if way.handler.name is None:
        return s
    name = way.handler.name.id
    made = copy.deepcopy(s)

    def visit(n: gast.AST) -> gast.AST:
        key = _read(n, name)
        if key is not None:
            return name_node(way.reads[key], n)
        if isinstance(n, gast.Name) and n.id == name and way.whole is not None:
            return name_node(way.whole, n)
        for part, held in gast.iter_fields(n):
            if isinstance(held, gast.AST):
                setattr(n, part, visit(held))
            elif isinstance(held, list):
                held[:] = [visit(h) if isinstance(h, gast.AST) else h for h in held]
        return n

    out = visit(made)
    assert isinstance(out, gast.stmt)
    return out


def from_elsewhere(b: Builder, way: Way) -> S.Block | None:
    """The handler of what was raised elsewhere, where what the exception carries is used."""
    if not (way.taken or way.dead) or not way.reads:
        return None
    name = "" if way.handler.name is None else way.handler.name.id
    check = E.Call(E.Ref("check_carried", runtime.check_carried), (E.Const(name),))
    again = gast.Raise(None, None)
    gast.copy_location(again, way.handler)
    with b.nested() as out:
        b.bind(b.temp(), check, way.handler)
        b.keep(again, raises=True)
    return tuple(out)
