"""What lies outside and is written while code that is not followed may read it.

    def rate(t, y): return -par.k * y
    def simulate(x):
        par.k = x[0]                        # `par.k` is a variable of `simulate` from here on
        return euler(rate, x[1], 4)         # and in `rate` what the object holds, a constant

An attribute that is written has a variable in the function asked for and in what that
calls by name. Every other function reads the object itself: one that is handed on, kept in a
container or chosen, a method of an object that is not followed, what a library function calls. That
is refused here, wherever it is: the rest of the program need not know of it.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import FunctionType, ModuleType

import numpy as np

from adtrans.analyses.objects.displays import is_item
from adtrans.analyses.objects.model import Seen, Shape
from adtrans.analyses.objects.outside import Owner
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.diagnostics.span import Span
from adtrans.driver.instances import Main, Member
from adtrans.driver.run_again import contents_of
from adtrans.driver.run_unseen import ANYTHING, run_by
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Known, is_anything
from adtrans.ir.walk import operands, statements, walk
from adtrans.lower.opaque import ALL, assigned_attributes
from adtrans.source import is_generated
from adtrans.source.class_stores import stored_elsewhere
from adtrans.source.reach import codes

SeenBy = Callable[[FunctionType, Mapping[str, Shape]], Seen]
_BY_NAME = frozenset({  # with these it is not known what is read
    "getattr", "vars", "globals", "eval", "exec", "attrgetter", "__dict__", "__globals__",
    "import_module", "__import__", "asdict", "astuple",
})  # fmt: skip
_BY_NAME_WRITTEN = frozenset({  # with these it is not known what is written
    "setattr", "delattr", "__setattr__", "__delattr__", "vars", "globals", "eval", "exec",
    "__dict__", "__globals__",
})  # fmt: skip
_MAKING = ("__init__", "__post_init__", "__new__")
_OF_GLOBALS = ("LOAD_GLOBAL", "LOAD_NAME", "DELETE_GLOBAL")


@dataclass(frozen=True)
class Location:
    """An attribute of an object from outside. `owner` None: of an object that the call gives.
    `writer`: the function in which nothing knows of it, if it is written there."""

    owner: object = field(compare=False)
    attr: str
    text: str
    writer: object = field(default=None, compare=False)

    def may_be(self, owner: object, attr: str) -> bool:
        """Whether this may be the attribute of `owner`; None: of any object."""
        known = owner is not None and self.owner is not None
        return self.attr == attr and (not known or self.owner is owner)


def read_unseen(
    root: Member,
    known: Iterable[Member],
    main: Main,
    unfollowed: Mapping[int, FunctionType],
    seen: SeenBy,
) -> Iterator[Diagnostic]:
    """The errors where code that is not followed reads what is written. `root`: the function asked
    for, `known`: what it may call.

    `unfollowed`: the functions that are called in another way than by their names; `seen`: what a
    function does with objects from outside.
    """
    members = _called(root, known)
    followed = [_location(owner, attr) for owner, attr in main.written]
    read = [_location(Owner(a.owner, a.place.path), a.place.attr) for a in main.attributes]
    called = [*_called_from(members)]
    if not followed and not read and not called:
        return
    for w in _written_unseen(unfollowed.values(), seen):
        if any(f.may_be(w.owner, w.attr) for f in (*followed, *read)):
            yield _written_twice(w, members)
    for w in called:
        writers = (m.source.fn for m in members if writes(m.source.fn, w.attr))
        yield from (_changed(w, _head(fn)) for fn in writers)
    yield from _stored_unseen([w for w in read if w not in followed], members)
    active = [f for f in followed if _varies(f, members)]
    inside = _Inside()
    for m in members:
        facts, plain = m.facts, m.key[0] in unfollowed
        assert facts is not None
        for s in statements(facts.fn.body):
            run = [*run_by(s, facts, m.source)]
            for w in active:
                read_here = any(_is_read(e, w, plain) for e in _parts(s))
                if read_here or any(v is ANYTHING or _may_read(v, w) for v in run):
                    yield _read(w, s.span, members)
            callees = [*_callees(s)] if run else []
            unknown = any(is_anything(facts.kinds.expr(s.site, e)) for e in callees)
            for w in (*followed, *read, *called) if callees else ():
                if unknown or any(inside.writes(v, w) for v in run if v is not ANYTHING):
                    yield _changed(w, s.span)


def _called(root: Member, known: Iterable[Member]) -> list[Member]:
    """A function and all that it calls; of others kinds were asked for only."""
    by_name = {m.unit.forward: m for m in known}
    found = {root.unit.forward: root}
    waiting = [root]
    while waiting:
        facts = waiting.pop().facts
        for name in (u.forward for u in facts.units.values()) if facts is not None else ():
            if name in by_name and name not in found:
                found[name] = by_name[name]
                waiting.append(by_name[name])
    return [m for m in found.values() if m.facts is not None]


def _called_from(members: Iterable[Member]) -> Iterator[Location]:
    """The attributes of objects from outside that hold a function which is followed."""
    for m in members:
        assert m.facts is not None
        for s in statements(m.facts.fn.body):
            match s:
                case S.Bind(target=t, value=E.Attribute(base=base, attr=a)):
                    kind, of = m.facts.kinds.var(t), m.facts.kinds.expr(s.site, base)
                    owner = base.value if isinstance(base, E.Ref) else getattr(of, "value", None)
                    called = isinstance(kind, Known) and callable(kind.value)
                    if called and not isinstance(owner, ModuleType | type):
                        yield Location(owner, a, E.text(s.value))
                case _:
                    pass


def _parts(s: S.Stmt) -> Iterator[E.Expr]:
    return (sub for own in operands(s) for sub in walk(own))


def _callees(s: S.Stmt) -> Iterator[E.Expr]:
    """What a statement calls."""
    if isinstance(s, S.Invoke):
        yield s.fn
    elif isinstance(s, S.Keep):
        yield E.NONE  # a text with whatever it calls
    yield from (e.fn for e in _parts(s) if isinstance(e, E.Call))


def _is_read(e: E.Expr, w: Location, plain: bool) -> bool:
    """Whether an expression reads the attribute of an object. `plain`: in a function that is called
    as it is; elsewhere what variables mean is followed, or compared at the call."""
    match e:
        case E.Attribute(base=E.Ref(value=owner), attr=attr):
            return w.may_be(owner, attr)
        case E.Attribute(attr=attr):
            return plain and w.may_be(None, attr)
        case _:
            return False


# -- what is written -------------------------------------------------------------------------------


def _stored_unseen(read: list[Location], members: list[Member]) -> Iterator[Diagnostic]:
    """The errors at stores of attributes that are read elsewhere, to objects of which it is not
    known which they are."""
    if not read:
        return
    for m in members:
        assert m.facts is not None
        if is_generated(m.source.fn.__code__.co_filename):
            continue  # which stores what it was written for
        names = {n for code in codes(m.source.fn.__code__) for n in code.co_names}
        if not names.isdisjoint(_BY_NAME_WRITTEN):
            yield from (_changed(w, _head(m.source.fn)) for w in read)
        for s in statements(m.facts.fn.body):
            stored = assigned_attributes(s) if isinstance(s, S.Keep) else set()
            for w in read if stored else ():
                if w.attr in stored or ALL in stored:
                    yield _changed(w, s.span)


def _location(owner: Owner, attr: str) -> Location:
    """The attribute of an object that is followed; an item of a container stands for what holds
    the container."""
    path = [*owner.path, attr]
    while len(path) > 1 and is_item(path[-1]):
        path.pop()
    holder = Owner(owner.root, tuple(path[:-1]))
    text = Owner(owner.root, tuple(path)).text
    if isinstance(owner.root, E.Name):
        return Location(None, path[-1], text)
    try:
        return Location(holder.value({}), path[-1], text)
    except (AttributeError, LookupError, TypeError):  # it is made by the call
        return Location(None, path[-1], text)


def _written_unseen(unfollowed: Iterable[FunctionType], seen_by: SeenBy) -> Iterator[Location]:
    """What functions write of which nobody knows that they do."""
    for fn in unfollowed:
        seen = seen_by(fn, {})
        for place in seen.written:
            form, number = place.root
            if form == "global" and isinstance(number, int) and number in seen.globals:
                found = _location(Owner(seen.globals[number].ref, place.path), place.attr)
                yield replace(found, writer=fn)


def _varies(w: Location, members: Iterable[Member]) -> bool:
    """Whether what is written may carry a derivative; so it may where no variable stands for it."""
    known = False
    for facts in (m.facts for m in members if m.facts is not None):
        held = {n for n, text in facts.fn.shown.items() if _last(text) == w.attr}
        if held:
            known = True
            varied = {*facts.activity.varied, *(o.key for o in facts.activity.varied_objects)}
            if any(isinstance(v, str) and facts.fn.source_name(v) in held for v in varied):
                return True
    return not known


def _last(text: str) -> str:
    """The attribute that is read last: of `par.rates["a"]` it is `rates`."""
    return text.partition("[")[0].rpartition(".")[2]


def _may_read(value: object, w: Location) -> bool:
    """Whether code behind a value may read what is written."""
    inside = contents_of([value]).kept.values()
    now = getattr(w.owner, w.attr, None)
    if isinstance(now, list | dict | np.ndarray) and any(v is now for v in inside):
        return True
    return any(isinstance(v, FunctionType) and _reads(v, w) for v in inside)


@dataclass
class _Inside:
    """The functions that can be reached from values, looked for once."""

    found: dict[int, tuple[object, list[FunctionType]]] = field(default_factory=dict)

    def writes(self, value: object, w: Location) -> bool:
        """Whether code behind a value may write an attribute."""
        if id(value) not in self.found:
            held = contents_of([value]).kept.values()
            self.found[id(value)] = value, [v for v in held if isinstance(v, FunctionType)]
        return any(writes(fn, w.attr) for fn in self.found[id(value)][1])


def writes(fn: FunctionType, attr: str) -> bool:
    """Whether a function may assign an attribute of that name; that of the object which it makes
    does not count.

    >>> def first(p): p.rate = 2.0
    >>> def second(p, name): setattr(p, name, 2.0)
    >>> def third(p): return p.rate
    >>> [writes(f, "rate") for f in (first, second, third)], writes(first, "k")
    ([True, True, False], False)
    """
    for code in codes(fn.__code__):
        if not _BY_NAME_WRITTEN.isdisjoint(code.co_names):
            return True
        own = code.co_varnames[:1] if code.co_name in _MAKING else None
        if attr in stored_elsewhere(code, own):
            return True
    return False


def _reads(fn: FunctionType, w: Location) -> bool:
    names = {n for code in codes(fn.__code__) for n in code.co_names}
    if not names.isdisjoint(_BY_NAME):
        return True
    return w.attr in names and any(
        op.argval == w.attr and op.opname.startswith(("LOAD", "DELETE"))
        and op.opname not in _OF_GLOBALS
        for code in codes(fn.__code__) for op in dis.get_instructions(code)
    )  # fmt: skip


# -- what is said ----------------------------------------------------------------------------------


def _read(w: Location, span: Span, members: Iterable[Member]) -> Diagnostic:
    written = _written_at(w, members)
    return Diagnostic(
        "AD207",
        f"`{w.text}` is written, and may be read here by code that is not followed"
        if written else f"`{w.text}` may be written and read here by code that is not followed",
        Label(span, "what this reads would count as a constant"),
        labels=written,
        why="what is written outside is followed in functions that are called by their names",
        fixes=[Fix(f"pass `{w.text}` as an argument")],
    )


def _changed(w: Location, span: Span) -> Diagnostic:
    return Diagnostic(
        "AD207",
        f"`{w.text}` may be changed here by code that is not followed",
        span,
        why="elsewhere it counts as what it was before",
        fixes=[Fix(f"pass `{w.text}` as an argument")],
    )


def _head(fn: FunctionType) -> Span:
    """The first line of a function."""
    code = fn.__code__
    return Span(code.co_filename, code.co_firstlineno, 0, code.co_firstlineno, 0)


def _written_twice(w: Location, members: Iterable[Member]) -> Diagnostic:
    assert isinstance(w.writer, FunctionType)
    return Diagnostic(
        "AD207",
        f"`{w.text}` is written by a function that is not called by its name",
        _head(w.writer),
        why="it is followed elsewhere, and what is written here would not be seen there",
        fixes=[Fix("call the function by its name, or return the new value")],
    )


def _written_at(w: Location, members: Iterable[Member]) -> list[Label]:
    return [Label(span, "written here") for span in _spans(w, members)][:1]


def _spans(w: Location, members: Iterable[Member]) -> Iterator[Span]:
    """Where it is written."""
    for m in members:
        for s in statements(m.facts.fn.body if m.facts is not None else ()):
            match s:
                case S.SetAttr(attr=attr) if attr == w.attr:
                    yield s.span
                case S.Store(base=v) | S.Update(base=v) | S.Edit(base=v):
                    assert m.facts is not None
                    name = m.facts.fn.source_name(v)
                    if _last(m.facts.fn.shown.get(name, name)) == w.attr:
                        yield s.span
                case S.Keep(text=text) if text.partition("=")[0].strip().endswith(f".{w.attr}"):
                    yield s.span
                case _:
                    pass
