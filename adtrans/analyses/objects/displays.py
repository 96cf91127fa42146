"""Containers with known keys: lists, tuples and dictionaries whose items are followed one by one.

An item is an attribute whose name is in brackets. A container is followed like any other object as
long as all keys are written out; a loop over one that holds objects or functions is unrolled.

>>> item_of((E.Const("x"),)), item_of((E.Const(0),)), item_of((E.Name("i"),))
("['x']", '[0]', None)
>>> key_of("['x']"), label("['x']"), label("[0]"), label("level")
('x', 'x', '0', 'level')
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from adtrans import runtime
from adtrans.analyses.objects.model import OTHER, Key
from adtrans.analyses.objects.object_facts import Objects
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import (
    binds_of,
    blocks_of,
    map_blocks,
    reads_of,
    rename_stmt,
    statements,
    without_origins,
)

CONTAINERS = (list, dict, tuple)
MOST = 32  # items of a container that a loop is unrolled for
VIEWS = ("items", "keys", "values")


def item_of(items: tuple[E.Expr, ...], o: Objects | None = None) -> str | None:
    """The attribute that a subscript means, None where the key is not known."""
    (first, *more) = items
    key = first.value if isinstance(first, E.Const) and not more else None
    if o is not None and not more and key is None:
        key = o.consts.get(first.id) if isinstance(first, E.Name) else number(first, o)
    plain = isinstance(key, int | str) and not isinstance(key, bool)
    return name_of(key) if plain else None


def name_of(key: object) -> str:
    """The attribute of a key."""
    return f"[{key!r}]"


def is_item(attr: str) -> bool:
    """Whether an attribute is an item of a container."""
    return attr.startswith("[")


def key_of(attr: str) -> object:
    """The key of an item."""
    return ast.literal_eval(attr[1:-1])


def label(attr: str) -> str:
    """What the variable of an attribute is called."""
    return str(key_of(attr)) if is_item(attr) else attr


def read(obj: object, attr: str) -> object:
    """The value of an attribute or item; None for what is computed once, before it is."""
    if isinstance(inspect.getattr_static(type(obj), attr, None), functools.cached_property):
        return vars(obj).get(attr)
    return obj[key_of(attr)] if is_item(attr) else getattr(obj, attr)  # type: ignore[index]  # so it is


def shown(base: E.Expr, attr: str) -> E.Expr:
    """The expression that reads an attribute or item."""
    return E.Index(base, (E.Const(key_of(attr)),)) if is_item(attr) else E.Attribute(base, attr)


def displays(body: S.Block) -> dict[int, tuple[str, ...] | None]:
    """The keys of each dictionary that is written out, by site; None where one is computed."""
    found: dict[int, tuple[str, ...] | None] = {}
    for k, s in enumerate(body):
        for inner in blocks_of(s):
            found |= displays(inner)
        if not isinstance(s, S.Pack) or s.kind != "dict":
            continue
        keys: list[str] | None = []
        for t in body[k + 1 :]:
            if s.target not in {v for u in statements((t,)) for v in (*reads_of(u), *binds_of(u))}:
                continue
            if not isinstance(t, S.Store) or t.base != s.target or t.origin != s.origin:
                break
            attr = item_of(t.items)
            if attr is None:  # of a statement that was taken apart, it may be another's
                keys = None if s.origin else keys
                break
            if keys is not None and attr not in keys:
                keys.append(attr)
        found[s.site] = None if keys is None else tuple(keys)
    return found


def constants(fn: S.Function) -> dict[str, object]:
    """The variables that are bound once, to a number or a string."""
    found: dict[str, object] = {}
    times: dict[str, int] = {p.name: 1 for p in fn.params}
    for s in statements(fn.body):
        for v in binds_of(s):
            times[v] = times.get(v, 0) + 1
        if isinstance(s, S.Bind) and isinstance(s.value, E.Const):
            found[s.target] = s.value.value
    known = {v: value for v, value in found.items() if times[v] == 1}
    for s in statements(fn.body):  # `"on_" + name`
        if isinstance(s, S.Bind) and times[s.target] == 1 and isinstance(s.value, E.Binary):
            parts = [_text_of(e, known) for e in (s.value.left, s.value.right)]
            texts = [t for t in parts if t is not None]
            if s.value.op == "+" and len(texts) == 2:
                known[s.target] = "".join(texts)
    return known


def _text_of(e: E.Expr, known: dict[str, object]) -> str | None:
    value = known.get(e.id) if isinstance(e, E.Name) else getattr(e, "value", None)
    return value if isinstance(e, E.Name | E.Const) and isinstance(value, str) else None


def constant_items(fn: S.Function) -> dict[str, tuple[object, ...]]:
    """The items of the variables that are bound once, to numbers and strings in a row, and that
    loops go over. Of a list, that is all that is done with it."""
    found: dict[str, tuple[object, ...]] = {}
    times: dict[str, int] = {p.name: 1 for p in fn.params}
    others: set[str] = set()  # used where a list may be changed
    for s in statements(fn.body):
        for v in binds_of(s):
            times[v] = times.get(v, 0) + 1
        others |= set(reads_of(s)) - set(sources(s.iter) if isinstance(s, S.For) else ())
        match s:
            case S.Pack(kind="tuple" | "list", cls=None, items=items) if items:
                if all(isinstance(i, E.Const) for i in items):
                    found[s.target] = tuple(i.value for i in items if isinstance(i, E.Const))
            case S.Bind(value=E.Ref(value=tuple() as items)) if type(items) is tuple:
                if items and all(type(i) in (str, int, float) for i in items):
                    found[s.target] = items
    lists = {s.target for s in statements(fn.body) if isinstance(s, S.Pack) and s.kind == "list"}
    return {v: i for v, i in found.items() if times[v] == 1 and not (v in lists and v in others)}


def number(e: E.Expr, o: Objects) -> int | None:
    """The integer that an expression is equal to."""
    match e:
        case E.Const(value=value):
            found = value
        case E.Name(id=var):
            found = o.consts.get(var)
        case E.Call(fn=E.Ref(value=fn), args=(E.Name() as var,)) if fn is len:
            found = counts(o, o.of(var))
        case E.Unary(op="-", operand=operand):
            inner = number(operand, o)
            found = None if inner is None else -inner
        case E.Binary(op="+" | "-" as op, left=left, right=right):
            a, b = number(left, o), number(right, o)
            found = None if a is None or b is None else a + b if op == "+" else a - b
        case _:
            found = None
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def numbers(it: S.Range, o: Objects) -> range | None:
    """The numbers that a loop goes over, where they are known."""
    bounds = [number(e, o) for e in (it.start, it.stop, it.step)]
    known = [b for b in bounds if b is not None]
    if len(known) < 3 or known[2] == 0:
        return None
    return range(known[0], known[1], known[2])


def sources(it: S.Iter) -> Iterator[str]:
    """The containers that an unrolled loop would go over together; nothing for other loops."""
    match it:
        case S.Elements():
            yield it.source
        case S.Enumerate() | S.Reversed():
            yield from sources(it.inner)
        case S.Zip():
            for inner in it.inners:
                yield from sources(inner)


def ranges(it: S.Iter) -> Iterator[S.Range]:
    """The ranges of numbers that a loop would go over together."""
    match it:
        case S.Range():
            yield it
        case S.Enumerate() | S.Reversed():
            yield from ranges(it.inner)
        case S.Zip():
            for inner in it.inners:
                yield from ranges(inner)


def is_plain(it: S.Iter) -> bool:
    """Whether a loop goes over variables only."""
    match it:
        case S.Elements() | S.Range():
            return True
        case S.Enumerate():
            return is_plain(it.inner) and isinstance(it.start, E.Const)
        case S.Reversed():
            return is_plain(it.inner)
        case S.Zip():
            return all(map(is_plain, it.inners))


def runs_out(it: S.Iter, o: Objects) -> bool:
    """Whether what a loop goes over at once, strictly, is not all equally long."""
    match it:
        case S.Enumerate() | S.Reversed():
            return runs_out(it.inner, o)
        case S.Zip(inners=inners, strict=strict):
            uneven = strict and len({len(turns(i, o)) for i in inners}) > 1
            return uneven or any(runs_out(i, o) for i in inners)
        case _:
            return False


def jumps(body: S.Block) -> bool:
    """Whether `break` or `continue` of this very loop is among the statements."""
    return any(
        isinstance(s, S.Break | S.Continue)
        or (not isinstance(s, S.For | S.While) and any(map(jumps, blocks_of(s))))
        for s in body
    )


@dataclass
class Unrolling:
    """Writes out the loops at `sites`."""

    objects: Objects
    sites: frozenset[int]
    number: int
    names: NameAllocator
    passed_views: frozenset[str] = frozenset()  # names for `d.items()` of which no loop is left

    def block(self, body: S.Block) -> S.Block:
        return tuple(r for s in body for r in self.one(s))

    def one(self, s: S.Stmt) -> Iterator[S.Stmt]:
        if s.site < 0:
            self.number += 1
            s = replace(s, site=self.number)
        for step in self.objects.instead.get(s.site, ()):
            self.number += 1
            yield map_blocks(replace(step, site=self.number), self.block)
        if s.site in self.objects.instead:
            return
        if s.site in self.objects.held and isinstance(s, S.Bind) and isinstance(s.value, E.Call):
            call = s.value
            self.number += 1
            name = self.names.fresh(s.target)
            yield S.Bind(name, call.fn, site=self.number, span=s.span)
            atoms = [a for a in call.args if isinstance(a, E.Name | E.Const | E.Ref)]
            words = [(k, v) for k, v in call.kwargs if isinstance(v, E.Name | E.Const | E.Ref)]
            args, kwargs = tuple(atoms), tuple(words)
            yield S.Invoke(s.target, E.Name(name), args, kwargs, site=s.site, span=s.span)
            return
        if isinstance(s, S.Bind) and s.target in self.passed_views:
            return
        if not isinstance(s, S.For) or s.site not in self.sites:
            yield map_blocks(s, self.block)
            return
        every = turns(s.iter, self.objects)
        for v in sorted(beside(s.iter, self.objects)):
            self.number += 1
            enough = E.Call(
                E.Ref("check_enough", runtime.check_enough), (E.Name(v), E.Const(len(every)))
            )
            yield S.Bind(self.names.fresh("t"), enough, site=self.number, span=s.span)
        for turn in every:
            yield from self.bound(s, s.target, turn)
            for inner in s.body:
                yield self.copied(inner)

    def copied(self, s: S.Stmt) -> S.Stmt:
        self.number += 1
        made = replace(s, site=self.number, origin=0)
        return map_blocks(made, lambda body: tuple(self.copied(t) for t in body))

    def bound(self, s: S.For, target: S.Target, turn: Turn) -> Iterator[S.Stmt]:
        """The statements that bind the target of a loop for one turn."""
        if isinstance(target, tuple) and isinstance(turn, tuple):
            for t, part in zip(target, turn, strict=True):
                yield from self.bound(s, t, part)
            return
        self.number += 1
        site = self.number
        if isinstance(target, tuple):  # an item that is a tuple itself
            assert isinstance(turn, E.Index) and isinstance(turn.base, E.Name)
            held = self.names.fresh(turn.base.id)
            yield S.Load(held, turn.base.id, turn.items, site=site, span=s.span)
            if all(isinstance(t, str) for t in target):
                self.number += 1
                names = tuple(str(t) for t in target)
                yield S.Unpack(names, held, site=self.number, span=s.span)
                return
            for k, t in enumerate(target):
                yield from self.bound(s, t, E.Index(E.Name(held), (E.Const(k),)))
        elif isinstance(turn, E.Index):
            assert isinstance(turn.base, E.Name)
            yield S.Load(target, turn.base.id, turn.items, site=site, span=s.span)
        else:
            assert isinstance(turn, E.Const)
            yield S.Bind(target, turn, site=site, span=s.span)


Turn = E.Expr | tuple["Turn", ...]


def beside(it: S.Iter, o: Objects) -> frozenset[str]:
    """The variables whose elements a loop takes beside numbers and texts in a row, which tell how
    many it takes: nothing is known of these otherwise."""
    match it:
        case S.Zip(inners=inners, strict=False):
            plain = {i.source for i in inners if isinstance(i, S.Elements)}
            found = {v for v in plain if v not in o.rows and v not in o.views}
            if plain.isdisjoint(o.rows):
                return frozenset()
            return frozenset(v for v in found if not o.told(o.values.get(v, ())) - {OTHER})
        case S.Enumerate(inner=inner):
            return beside(inner, o)
        case _:
            return frozenset()


def turns(it: S.Iter, o: Objects) -> list[Turn]:
    """What a loop binds its target to, turn by turn."""
    if found := beside(it, o):
        return _turns_beside(it, found, o)
    match it:
        case S.Elements(source=source) if source in o.rows:
            return [E.Const(v) for v in o.rows[source]]
        case S.Elements(source=source):
            var, view = o.views.get(source, (source, ""))
            key = o.of(E.Name(var))
            assert key is not None
            keys = [E.Const(key_of(a)) for a in o.items[o.one(key)] or ()]
            held: list[Turn] = [E.Index(E.Name(var), (k,)) for k in keys]
            if o.classes[o.one(key)] is not dict or view == "values":
                return held
            return list(zip(keys, held, strict=True)) if view == "items" else list(keys)
        case S.Range():
            steps = numbers(it, o)
            assert steps is not None  # `is_unrolled` has seen to it
            return [E.Const(k) for k in steps]
        case S.Enumerate(inner=inner, start=E.Const(value=int(start))):
            return [(E.Const(start + k), t) for k, t in enumerate(turns(inner, o))]
        case S.Reversed(inner=inner):
            return turns(inner, o)[::-1]
        case S.Zip(inners=inners):
            return list(zip(*(turns(i, o) for i in inners), strict=False))
        case _:
            raise AssertionError(it)


def _turns_beside(it: S.Iter, plain: frozenset[str], o: Objects) -> list[Turn]:
    """The turns of a loop that takes elements of what nothing is known of (see `beside`)."""
    if isinstance(it, S.Enumerate) and isinstance(it.start, E.Const):
        inner = _turns_beside(it.inner, plain, o)
        assert isinstance(it.start.value, int)
        return [(E.Const(it.start.value + k), t) for k, t in enumerate(inner)]
    assert isinstance(it, S.Zip)
    known = [i for i in it.inners if not (isinstance(i, S.Elements) and i.source in plain)]
    count = min(len(turns(i, o)) for i in known)
    each: list[list[Turn]] = []
    for i in it.inners:
        if isinstance(i, S.Elements) and i.source in plain:
            each.append([E.Index(E.Name(i.source), (E.Const(k),)) for k in range(count)])
        else:
            each.append(turns(i, o))
    return list(zip(*each, strict=False))


def unrolled(fn: S.Function, o: Objects, again: Callable[[S.Function], S.Function]) -> S.Function:
    """`fn` with the loops written out that go over followed containers, and calls of functions that
    objects hold in two steps; `again` tells apart the names that are bound once in each turn."""
    number = max(s.site for s in statements(fn.body))
    bound = {v for s in statements(fn.body) for v in binds_of(s)}
    names = NameAllocator(fn.reserved | bound | {p.name for p in fn.params})
    changed = {*o.loops, *o.held, *o.instead}
    split = {s.origin for s in statements(fn.body) if s.site in changed}
    body = without_origins(fn.body, split)  # a comprehension is no longer as it was written
    loops = [s for s in statements(fn.body) if isinstance(s, S.For)]
    left = {v for s in loops if s.site not in o.loops for v in sources(s.iter)}
    gone = {v for s in loops if s.site in o.loops for v in sources(s.iter)} - left
    passed = frozenset(gone & o.views.keys())
    body = Unrolling(o, frozenset(o.loops), number, names, passed).block(body)
    return again(replace(fn, body=named(fn, body)))


def named(fn: S.Function, body: S.Block) -> S.Block:
    """`body` with names that can be written for what was just made."""
    bound = {v for s in statements(body) for v in binds_of(s)}
    names = NameAllocator(bound | {p.name for p in fn.params} | fn.reserved)
    made = sorted(v for v in bound if re.search(r"@[a-z]+\d+$", v))
    to = {v: names.fresh(v) for v in made}

    def block(b: S.Block) -> S.Block:
        return tuple(rename_stmt(map_blocks(s, block), to, to) for s in b)

    return block(body) if to else body


def counts(o: Objects, key: Key | None) -> int | None:
    """How many items a container has, where that is known."""
    items = None if key is None else o.items.get(o.one(key))
    return None if items is None or key in o.opened else len(items)


