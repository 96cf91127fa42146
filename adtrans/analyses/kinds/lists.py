"""What the lists of a function hold, wherever and through whichever name it was put there.

The kind of a list says what its items are, and lists change. So everything that a function ever
puts into a list counts as an item from the start (the inference runs again until that settles):
into one that only ever has plain names, for these names; into any other, for all lists but those
that nobody else gets hold of.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from adtrans import runtime
from adtrans.analyses.kinds.header_kinds import element_of
from adtrans.analyses.kinds.lattice import dict_of, forget, join, list_of, tuple_of
from adtrans.analyses.kinds.whose_lists import groups_of, handed_on, only_returned, plainly_made
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir import walk
from adtrans.ir.expr import Expr
from adtrans.ir.kinds import (
    NEVER,
    NONE_KIND,
    UNKNOWN,
    Array,
    DictOf,
    Instance,
    Kind,
    Known,
    ListOf,
    Maybe,
    Mixed,
    Never,
    Scalar,
    TupleOf,
    Unknown,
    is_anything,
    present,
)

__all__ = ["Lists", "Puts"]

Puts: TypeAlias = Callable[
    [object, tuple[Kind, ...], Mapping[str, Kind]], "Mapping[int | str, Kind] | None"
]
PURE = (
    list, tuple, dict, sum, sorted, len, max, min, enumerate, zip, reversed,
    any, all, set, str, repr, copy.copy, copy.deepcopy,
    runtime.plus, runtime.zeros_of, runtime.duplicate, runtime.picked, runtime.taken_off,
    runtime.taken_out,
)  # fmt: skip

Form: TypeAlias = tuple[str, frozenset[str]]
Put: TypeAlias = tuple[str, Kind, Kind]
Content: TypeAlias = dict[tuple[str, object, Form], Kind]
_ADDS = ("append", "appendleft", "insert", "extend", "extendleft")
_ANY = "*"
_SOME: Form = ("any", frozenset(("any",)))
_KEY = ("key",)  # what is put into a dictionary as a key
_ROUNDS = 12
_NARROWINGS = 3
_ADDING: tuple[tuple[object, int], ...] = (
    (runtime.add_from, 2), (runtime.put_picked, 2), (runtime.add_repeated, 1),
    (runtime.add_joined, 1),
)  # fmt: skip
"""Helpers that add to the items of their first argument those of another one."""


class Lists:
    """Collects what is put into lists while the inference runs."""

    def __init__(self, fn: S.Function, puts: Puts | None = None) -> None:
        self._by_calls = puts
        self._groups = groups_of(fn)
        self._plain = plainly_made(fn, self._groups)
        self._own = self._plain - handed_on(fn, self._groups)
        self._own |= only_returned(fn)  # of what is in these, the names know
        # by group and key (None: any); of other lists also by what is known of the list
        self._content: Content = {}
        self._found: Content = {}
        self._rounds = 0
        self._careful, self._doubts = False, False
        self._narrowing = 0
        self._safe: Content | None = None  # what was found when that had settled

    def start(self) -> None:
        """A new run begins, with what was found so far."""
        self._content = dict(self._found)
        if self._narrowing:
            self._found = {}
        self._rounds += 1
        self._doubts = False

    def is_settled(self) -> bool:
        """Whether the run found nothing new.

        What it found on the way there is more than there is: it was noted with the little that was
        known then of what is put into what. So it runs again with only that; what comes out as it
        was assumed holds as well.
        """
        if self._safe is not None:
            return self._is_narrow(self._safe)
        if self._rounds >= _ROUNDS and self._found != self._content:
            self._found = dict.fromkeys(((_ANY, None, _SOME), *self._found), UNKNOWN)
        if self._found != self._content:
            return False
        if self._doubts and not self._careful:
            self._careful = True
            return False
        vague = any(map(_is_vague, self._found.values()))
        if not vague and sum(of == _ANY for of, _, _ in self._found) < 2:
            return True
        self._safe, self._narrowing = self._found, _NARROWINGS
        return False

    def _is_narrow(self, safe: Content) -> bool:
        """The same for a run with less than `safe`, which is gone back to where there is no end."""
        if self._doubts and not self._careful:
            self._careful, self._found, self._safe = True, safe, None
            self._narrowing = 0
            return False
        if self._found == self._content:
            return True
        self._narrowing = max(self._narrowing - 1, 0)
        if not self._narrowing:
            self._found = safe
        return False

    def widened(self, var: str, kind: Kind) -> Kind:
        """`kind` as that of a value which `var` is bound to."""
        if not self._content or isinstance(kind, Unknown):
            return kind
        if isinstance(kind, Maybe):
            return _maybe(self.widened(var, kind.item))
        group = self._groups.get(var, var)
        mine: dict[object, Kind] = {}
        others: dict[Form, dict[object, Kind]] = {}
        for (of, key, form), item in self._content.items():
            if of == group:
                mine[key] = join(mine.get(key, NEVER), item)
            elif of == _ANY and group not in self._own:
                into = others.setdefault(form, {})
                into[key] = join(into.get(key, NEVER), item)
        kind = _widened(kind, mine) if mine else kind
        return _widened_inside(kind, others) if others else kind

    def may_grow(self, var: str, kind: Kind) -> bool:
        """Whether something was put into a container that `var`, of this kind, is or holds."""
        group, forms = self._groups.get(var, var), set(_forms(kind))
        return any(
            of == group or (of == _ANY and any(_fits(form, f) for f in forms))
            for of, _, form in self._found
        )

    def note(self, s: S.Stmt, look: Callable[[Expr], Kind]) -> None:
        """Takes down what a statement puts into lists.

        Until the rest has settled, what is not known counts as not known yet: an array that is made
        of a list is no list, which is seen when it is known what the list holds.
        """
        key = _named(s.items) if isinstance(s, S.Store) else None
        for var, added, key_kind in _puts(s, look, self._by_calls):
            into = present(look(E.Name(var)))
            so_far = NEVER if isinstance(into, Unknown) else _so_far(added)
            if so_far != added:
                self._doubts = True
                added = added if self._careful else so_far
            if isinstance(added, Never):
                continue
            if isinstance(added, TupleOf) and isinstance(into, TupleOf):
                for held in _containers(added):  # a tuple stays as it is, what it holds does not
                    self._add((_ANY, key, _form(held)), held.item)
                    if isinstance(held, DictOf):
                        self._add((_ANY, _KEY, _form(held)), held.key)
                continue
            group = self._groups.get(var, var)
            plain = group in self._plain
            if not plain and not self._careful and _is_blank(into):
                self._doubts = True  # perhaps it is only not known yet what else is in there
                continue
            while not plain and (inner := _inner(into, added)) is not None:
                into, added = inner
            form = _SOME if plain else _form(into)
            if not plain and into != NEVER and _is_blank(into):
                # every name that it had when it was empty fits, and none of lists of other items
                form = form[0], _rough(added)
            if isinstance(s, S.Store | S.Update) and len(s.items or ()) > 1 and not plain:
                form = "dict", form[1]  # no list has two subscripts
            place = (group if plain else _ANY, key, form)
            self._add(place, added)
            if isinstance(into, DictOf):
                self._add((place[0], _KEY, form), key_kind)

    def _add(self, place: tuple[str, object, Form], kind: Kind) -> None:
        self._found[place] = join(self._found.get(place, NEVER), kind)


def _inner(into: Kind, added: Kind) -> tuple[Kind, Kind] | None:
    """What is put into lists that are in a list, where a list of these comes among them."""
    match into, added:
        case ListOf(item=ListOf() as item), ListOf() if _fits(_form(item), _form(added)):
            return (item, added.item) if added.item != NEVER else None
        case _:
            return None


def _is_vague(kind: Kind) -> bool:
    """Whether something is not known that may have been known too late, when an array was made of
    what a list holds before it was seen what that is."""
    match kind:
        case Mixed():
            return False
        case Unknown() | Array(dtype=None):
            return True
        case TupleOf():
            return any(map(_is_vague, kind.items))
        case ListOf() | DictOf():
            return _is_vague(kind.item)
        case _:
            return False


def _so_far(kind: Kind) -> Kind:
    """`kind` with what is not known taken for what is not known yet."""
    match kind:
        case Mixed():
            return kind
        case Unknown():
            return NEVER
        case TupleOf():
            return replace(kind, items=tuple(map(_so_far, kind.items)))
        case ListOf():
            return replace(kind, item=_so_far(kind.item))
        case _:
            return kind


def _key_kind(s: S.Stmt, look: Callable[[Expr], Kind]) -> Kind:
    """The kind of the key under which a statement puts something."""
    if not isinstance(s, S.Store | S.Update) or not s.items:
        return UNKNOWN
    parts = [forget(look(i), lambda _: True) for i in s.items]
    return parts[0] if len(parts) == 1 else tuple_of(*parts)


def _named(items: tuple[Expr, ...]) -> str | None:
    """The key of a dictionary that a subscript writes out."""
    key = items[0].value if len(items) == 1 and isinstance(items[0], E.Const) else None
    return key if isinstance(key, str) else None


def _form(kind: Kind) -> Form:
    """Of what class a container is, and roughly what is in it, of which it may be several things:
    one of another form is another one.

    Two names of one list know of everything that it was made with, so where these have no item in
    common they name two lists; what is known of an empty one fits all.
    """
    match kind:
        case DictOf():
            return "dict", _rough(kind.item)
        case ListOf():
            return "list", _rough(kind.item)
        case _:
            return _SOME


def _rough(item: Kind) -> frozenset[str]:
    """The classes of an item; where two of these meet, their join is of one that fits both."""
    match item:
        case Maybe():
            return _rough(item.item) | {"none"}
        case Scalar(type=type, dtype=dtype) if dtype != "?":
            return frozenset(("int" if type in ("int", "bool") else "float",))
        case Array() if item.least_ndim:  # what it may be beside a number is Mixed
            return frozenset(("array",))
        case Scalar() | Array():
            return frozenset(("number",))
        case TupleOf():
            return frozenset((f"tuple {len(item.items)}",))
        case ListOf():
            return frozenset(("list",))
        case DictOf():
            return frozenset(("dict",))
        case Instance():
            return frozenset(("object",))
        case _:
            return frozenset(("none" if item == NONE_KIND else "any",))


def _fits(a: Form, b: Form) -> bool:
    return _alike(a[0], b[0]) and any(_alike(x, y) for x in a[1] for y in b[1])


def _alike(x: str, y: str) -> bool:
    number = "number" in (x, y) and {x, y} <= {"number", "int", "float", "array"}
    return x == y or "any" in (x, y) or number


def _widened(kind: Kind, added: Mapping[object, Kind]) -> Kind:
    """`kind` with `added` put into it: under a key, or anywhere (None)."""
    every: Kind = NEVER
    for name, item in added.items():
        every = join(every, item) if name is not _KEY else every
    match kind:
        case DictOf():
            fields: dict[str | int, Kind] = dict(kind.fields)
            fields.update({k: NEVER for k in added if isinstance(k, str) and k not in fields})
            fields = {
                k: join(join(f, added.get(k, NEVER)), added.get(None, NEVER))
                for k, f in fields.items()
            }
            key = join(kind.key, added.get(_KEY, NEVER))
            return dict_of(join(kind.item, every), fields, key)
        case ListOf():
            return list_of(join(kind.item, every), kind.frozen)
        case _:
            return kind


def _widened_inside(kind: Kind, added: Mapping[Form, Mapping[object, Kind]]) -> Kind:
    """`kind` with something put into it, or into what it holds, wherever that fits."""
    inner = _items_widened(kind, added)
    for form, more in added.items() if isinstance(kind, DictOf | ListOf) else ():
        if _fits(form, _form(kind)):
            inner = _widened(inner, more)
    return inner


def _items_widened(kind: Kind, added: Mapping[Form, Mapping[object, Kind]]) -> Kind:
    """`kind` with something put into what it holds, wherever that fits."""
    match kind:
        case DictOf():
            fields = {k: _widened_inside(f, added) for k, f in kind.fields}
            return dict_of(_widened_inside(kind.item, added), fields, kind.key)
        case ListOf():
            return list_of(_widened_inside(kind.item, added), kind.frozen)
        case TupleOf():
            return replace(kind, items=tuple(_widened_inside(i, added) for i in kind.items))
        case Maybe():
            return _maybe(_widened_inside(kind.item, added))
        case _:
            return kind


def _maybe(kind: Kind) -> Kind:
    """The kind of that, or None."""
    return join(kind, NONE_KIND)


def _by_call(s: S.Invoke, look: Callable[[Expr], Kind], puts: Puts | None) -> Iterator[Put]:
    """What a call puts into the lists that it gets: anything, where nothing is known of it."""
    given: dict[int | str, Expr] = {**dict(enumerate(s.args)), **dict(s.kwargs)}
    lists = {k: a for k, a in given.items() if isinstance(a, E.Name) and _is_list(look(a))}
    if not lists:
        return
    callee = s.fn.value if isinstance(s.fn, E.Ref) else None
    kind = look(s.fn) if callee is None and not isinstance(s.fn, E.Attribute) else None
    callee = kind.value if isinstance(kind, Known) else callee
    if any(callee is f for f in PURE):
        return
    at = next((n for f, n in _ADDING if callee is f), None)
    if at is not None and isinstance(s.args[0], E.Name):
        added = look(s.args[at])  # to items that are there: a sum is put in their place
        part, now = element_of(added), element_of(look(s.args[0]))
        if isinstance(added, Array) and isinstance(now, Array):  # a part of the shape of each item
            part = Array(added.dtype, now.dims, now.not_one, now.least)
        yield s.args[0].id, part, UNKNOWN
        return
    found: Mapping[int | str, Kind] | None = None
    if puts is not None and callee is not None:
        args = tuple(look(a) for a in s.args)
        found = puts(callee, args, {k: look(v) for k, v in s.kwargs})
    for k, a in lists.items():
        assert isinstance(a, E.Name)
        held = UNKNOWN if found is None else found.get(k)
        match held:
            case None:
                pass
            case DictOf():
                yield a.id, held.item, held.key
            case ListOf():
                yield a.id, held.item, NEVER
            case TupleOf():
                yield a.id, held, NEVER
            case _:
                yield a.id, UNKNOWN, UNKNOWN


def _puts(s: S.Stmt, look: Callable[[Expr], Kind], puts: Puts | None) -> Iterator[Put]:
    """The containers that a statement changes, what it puts there, and under what as a key."""
    if isinstance(s, S.Invoke):
        yield from _by_call(s, look, puts)
        return
    key = _key_kind(s, look)
    for var, added in _put_here(s, look):
        yield var, added, key


def _put_here(s: S.Stmt, look: Callable[[Expr], Kind]) -> Iterator[tuple[str, Kind]]:
    match s:
        case S.Bind(value=E.Call(fn=E.Attribute(base=E.Name(id=var), attr=name), args=args)):
            if _may_hold(look(E.Name(var))):
                if name in ("append", "appendleft", "insert") and args:
                    yield var, look(args[-1])
                elif name in ("extend", "extendleft") and args:
                    yield var, element_of(look(args[0]))
        case S.Bind(value=E.Attribute(base=E.Name(id=var), attr=name)) if name in _ADDS:
            if _is_list(look(E.Name(var))):
                yield var, UNKNOWN  # a method under a name, which may be called anywhere
        case S.Edit(op="append" | "insert", args=(*_, last)):
            yield s.base, look(last)
        case S.Edit(op="extend" | "splice", args=(*_, other)):
            yield s.base, element_of(look(other))
        case S.Bind():
            for e in walk.walk(s.value):
                if isinstance(e, E.Verbatim):
                    yield from ((r, UNKNOWN) for r in e.reads if _is_list(look(E.Name(r))))
        case S.Store() if _may_hold(look(E.Name(s.base))):
            sliced = any(isinstance(i, E.Slice) for i in s.items)
            yield s.base, element_of(look(s.value)) if sliced else look(s.value)
        case S.Update(items=None) if s.op == "+" and _is_list(look(E.Name(s.base))):
            yield s.base, element_of(look(s.value))
        case S.Update(items=tuple() as items) if _may_hold(look(E.Name(s.base))):
            yield s.base, look(E.Binary(s.op, E.Index(E.Name(s.base), items), s.value))
        case S.Keep(only_names=False) if s.form != "raise" and not s.text.startswith(
            ("print(", "assert ")
        ):
            yield from ((r, UNKNOWN) for r in s.reads if _is_list(look(E.Name(r))))


def _is_list(kind: Kind) -> bool:
    """Whether a value of this kind is, or holds, a list whose items the kind describes."""
    match kind:
        case ListOf() | DictOf():
            return True
        case TupleOf():
            return any(_is_list(i) for i in kind.items)
        case _:
            return False


def _is_blank(kind: Kind) -> bool:
    """Whether nothing is known of a container, or of what is in it: it might be any other one."""
    return kind == NEVER or (isinstance(kind, ListOf | DictOf) and kind.item == NEVER)


def _containers(kind: Kind) -> Iterator[ListOf | DictOf]:
    """The lists and dictionaries among the items of a tuple."""
    match kind:
        case TupleOf():
            for i in kind.items:
                yield from _containers(i)
        case ListOf() | DictOf():
            yield kind


def _forms(kind: Kind) -> Iterator[Form]:
    """The forms of the containers that a value of this kind is or holds."""
    match kind:
        case Maybe():
            yield from _forms(kind.item)
        case TupleOf():
            for i in kind.items:
                yield from _forms(i)
        case ListOf() | DictOf():
            yield _form(kind)
            fields = dict(kind.fields).values() if isinstance(kind, DictOf) else ()
            for i in (kind.item, *fields):
                yield from _forms(i)
        case Mixed():
            return
        case Unknown() | Instance():
            yield _SOME


def _may_hold(kind: Kind) -> bool:
    """Whether writing into a value of this kind may write into a list."""
    held = isinstance(present(kind), ListOf | DictOf | Instance | TupleOf)
    return held or is_anything(kind)
