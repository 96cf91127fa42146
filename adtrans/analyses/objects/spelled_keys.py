"""Loops in which keys of dictionaries are made of what they count, written out turn by turn.

    for k in range(2):               W0 = p["W0"]; x = x @ W0
        x = x @ p[f"W{k}"]    ->     W1 = p["W1"]; x = x @ W1

Then dictionaries are followed item by item, as those are whose keys the user has written. What is
known of what a function is given - a text, an integer, a tuple of these - counts as well, and a
branch that it decides is not there any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from adtrans.analyses.objects.displays import MOST, jumps, named
from adtrans.analyses.objects.known_attributes import KnownAttributes
from adtrans.analyses.objects.known_dicts import Item, KnownDict, known_dicts
from adtrans.analyses.objects.known_tables import Noted, Tables
from adtrans.analyses.objects.making_keys import MakesKeys, makes_keys, texts_among
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import (
    binds_of,
    map_blocks,
    reads_of,
    statements,
    targets_of,
    without_origins,
)
from adtrans.lower.known_values import UNTOLD, Table, is_plain, item_of, known

_LONG = 3000  # statements, at most, of a function that is written out so


def with_known_keys(
    fn: S.Function,
    given: Mapping[str, object],
    makes: MakesKeys = lambda fn, at: False,
    held: KnownAttributes | None = None,
    noted: Noted | None = None,
) -> S.Function:
    """`fn` with what is known of keys put in; `fn` itself where nothing is. `given`: the values of
    parameters; `makes`: whether a function makes keys of an argument, by position or by name;
    `held`: what is known of objects that are given; `noted`: gets the tables that were read. The
    names that are bound once in each turn are still to be told apart."""
    work = _Spelling(fn, dict(given), makes, held or KnownAttributes())
    noted = {} if noted is None else noted
    work.tables.noted = noted
    body = work.block(fn.body)
    if not work.changed or work.number - work.first > _LONG:
        return fn
    left = {v for s in statements(body) for v in reads_of(s)}
    gone = {v for v, d in work.dicts.items() if v != d.base} - left
    body = without_views(without_origins(body, work.split), gone)
    return replace(fn, body=named(fn, body))


def without_views(body: S.Block, gone: set[str]) -> S.Block:
    """`body` without names for views of dictionaries that no loop goes over any more."""

    def block(b: S.Block) -> S.Block:
        kept = (s for s in b if not (isinstance(s, S.Bind) and s.target in gone))
        return tuple(map_blocks(s, block) for s in kept)

    return block(body)


@dataclass
class _Spelling:
    """Goes through the statements in the order in which they run."""

    fn: S.Function
    values: dict[str, object]
    makes: MakesKeys
    held: KnownAttributes
    changed: bool = False
    number: int = 0
    first: int = 0
    split: set[int] = field(default_factory=set)
    times: Counter[str] = field(default_factory=Counter)
    dicts: dict[str, KnownDict] = field(default_factory=dict)
    tables: Tables = field(default_factory=lambda: Tables())

    def __post_init__(self) -> None:
        self.number = self.first = max(s.site for s in statements(self.fn.body))
        for s in statements(self.fn.body):
            self.times.update(binds_of(s))
            if isinstance(s, S.Keep):
                self.times.update(s.unbinds)
        for v in [v for v in self.values if self.times[v]]:
            del self.values[v]
        self.dicts = known_dicts(self.fn)
        self.held = self.held.of(self.fn)

    def number_of(self) -> int:
        self.number += 1
        return self.number

    def known(self, e: E.Expr) -> object:
        if not isinstance(e, E.Verbatim):
            return known(self.values, e, self.fn.source_name)
        held = {f"{base}.{attr}": v for (base, attr), v in self.held.values.items()}
        return known({**self.values, **held}, e, self.fn.source_name)

    def block(self, body: S.Block) -> S.Block:
        return tuple(r for s in body for r in self.one(s))

    def perhaps(self, body: S.Block) -> S.Block:
        """A block that need not run: what it binds is not known behind it."""
        before, held = dict(self.values), self.held.copy()
        self.tables.checked.clear()
        made = self.block(body)
        self.tables.checked.clear()
        self.values = before
        self.held.joined(held)
        return made

    def one(self, s: S.Stmt) -> Iterator[S.Stmt]:
        yield from self.tables.checks(s, self.values, self.number_of)
        self.tables.passes(s)
        match s:
            case S.If(test=test) if is_plain(told := self.known(test)):
                self.changed = True
                self.split.add(s.origin)
                yield from self.block(s.then if told else s.orelse)
                return
            case S.For() if (turns := self.turns(s)) is not None:
                made = self.in_turn(s, turns)
                if made is not None:
                    self.changed = True
                    self.split.add(s.origin)
                    yield from made
                    without = replace(s, body=())
                    yield from self.tables.checks(without, self.values, self.number_of)
                    return
            case S.SetAttr():
                s = self.held.assigned(s, self.known(s.value))
            case S.Bind(target=v, value=value) if self.times[v] == 1:
                told = self.held.read(s, self.times)
                self.tell(v, self.known(value) if told is UNTOLD else told)
            case S.Alias(target=v, source=source) if self.times[v] == 1:
                self.tell(v, self.values.get(source, UNTOLD))
            case S.Pack(target=v, kind="tuple", cls=None, items=items) if self.times[v] == 1:
                self.tell(v, self.known(E.Sequence("tuple", items)))
            case S.Load(target=v, base=base, items=(item,)) if self.times[v] == 1:
                self.tell(v, item_of(self.values.get(base, UNTOLD), self.known(item)))
            case S.Unpack(targets=targets, source=source, star=None):
                held = self.values.get(source)
                if isinstance(held, tuple) and len(held) == len(targets):
                    for v, value in zip(targets, held, strict=True):
                        self.tell(v, value if self.times[v] == 1 else UNTOLD)
            case _:
                pass
        if not (isinstance(s, S.Bind) and s.target in self.values):  # which looks, and no more
            self.held.used(s)
        yield map_blocks(self.with_keys(s), self.perhaps)

    def tell(self, var: str, value: object) -> None:
        if value is UNTOLD:
            self.values.pop(var, None)
        else:
            self.values[var] = value

    def with_keys(self, s: S.Stmt) -> S.Stmt:
        """A statement with keys, and arguments of calls, that are known."""
        match s:
            case S.Load(items=items) | S.Store(items=items) | S.Update(items=tuple(items)):
                if len(items) != 1 or isinstance(items[0], E.Const):
                    return s
                key = self.known(items[0])
                if type(key) is not str and not (type(key) is int and s.base not in self.values):
                    return s
                self.changed |= type(key) is str
                self.split.add(s.origin)
                return replace(s, items=(E.Const(key),))
            case S.Invoke():
                return self.with_arguments(s)
            case S.Bind(value=E.Call(fn=E.Attribute(), args=args, kwargs=kwargs) as call):
                made = replace(
                    call,
                    args=tuple(map(self.argument, args)),
                    kwargs=tuple((k, self.argument(v)) for k, v in kwargs),
                )
                if made == call:
                    return s
                self.split.add(s.origin)
                return replace(s, value=made)
            case S.Bind(value=E.Compare() as test) if type(told := self.known(test)) is bool:
                self.split.add(s.origin)
                return replace(s, value=E.Const(told))
            case _:
                return s

    def argument(self, e: E.Expr) -> E.Expr:
        """An argument, as a literal where it is a text or a number that is known."""
        value = self.known(e) if isinstance(e, E.Name) else UNTOLD
        if type(value) not in (str, int, bool):
            return e
        self.changed = True
        return E.Const(value)

    def with_arguments(self, s: S.Invoke) -> S.Invoke:
        def atom(a: E.Atom) -> E.Atom:
            made = self.argument(a)
            assert isinstance(made, E.Name | E.Const | E.Ref)
            return made

        args = tuple(map(atom, s.args))
        kwargs = tuple((k, atom(v)) for k, v in s.kwargs)
        if (args, kwargs) == (s.args, s.kwargs):
            return s
        self.split.add(s.origin)
        return replace(s, args=args, kwargs=kwargs)

    # -- loops ---------------------------------------------------------------------------------

    def turns(self, s: S.For) -> list[object] | None:
        """What a loop binds its target to, turn by turn; None where it stays a loop."""
        if not self.makes_keys(s):
            return None
        found = self.over(s.iter)
        if found is None or len(found) > MOST:
            return None
        return found if all(_fits(s.target, v) for v in found) else None

    def over(self, it: S.Iter) -> list[object] | None:
        match it:
            case S.Range(start=start, stop=stop, step=step):
                ends = [self.known(e) for e in (start, stop, step)]
                if not all(type(n) is int for n in ends) or not ends[2]:
                    return None
                a, b, c = (n for n in ends if isinstance(n, int))
                return [*range(a, b, c)][: MOST + 1]
            case S.Elements(source=source) if source in self.dicts:
                return self.dicts[source].turns()
            case S.Elements(source=source):
                held = self.values.get(source)
                if not isinstance(held, Table):
                    return list(held) if isinstance(held, tuple) else None
                items = held.elements()
                if held.kind not in (list, tuple) and not all(map(is_plain, items)):
                    return None
                return [v if is_plain(v) else Item(source, k, v) for k, v in enumerate(items)]
            case S.Enumerate(inner=inner, start=start):
                each, first = self.over(inner), self.known(start)
                if each is None or type(first) is not int:
                    return None
                return [(first + k, v) for k, v in enumerate(each)]
            case S.Reversed(inner=inner):
                each = self.over(inner)
                return None if each is None else each[::-1]
            case S.Zip(inners=inners, strict=strict):
                told = [self.over(i) for i in inners]
                known = [t for t in told if t is not None]
                if len(known) < len(told) or (strict and len({*map(len, known)}) > 1):
                    return None
                return list(zip(*known, strict=False))

    def makes_keys(self, s: S.For) -> bool:
        """Whether keys of dictionaries, or texts that calls are given, are made in a loop."""
        return makes_keys(s, {*targets_of(s.target)}, {*self.text_targets(s)}, self.makes)

    def text_targets(self, s: S.For) -> Iterator[str]:
        """The targets of the loop, and of those in it, that are texts."""
        for loop in statements((s,)):
            if isinstance(loop, S.For):
                for turn in (self.over(loop.iter) or [])[:1]:
                    yield from texts_among(loop.target, turn)

    def in_turn(self, s: S.For, turns: list[object]) -> list[S.Stmt] | None:
        """The statements of all turns; None where it is not known which of them are left early."""
        before, held, changed = dict(self.values), self.held.copy(), self.changed
        out: list[S.Stmt] = []
        for value in turns:
            out += self.bound(s, s.target, value)
            made = self.turn(s.body)
            last = made[-1] if made else None
            if isinstance(last, S.Break | S.Continue):
                del made[-1]
            if jumps(tuple(made)):
                self.values, self.held, self.changed = before, held, changed
                return None
            out += map(self.copied, made)
            if isinstance(last, S.Break):
                break
        return out

    def turn(self, body: S.Block) -> list[S.Stmt]:
        """The statements of one turn, up to the one that leaves it."""
        made: list[S.Stmt] = []
        for inner in body:
            for t in self.one(inner):
                made.append(t)
                if isinstance(t, S.Break | S.Continue):
                    return made
        return made

    def bound(self, s: S.For, target: S.Target, value: object) -> Iterator[S.Stmt]:
        if isinstance(target, tuple) and isinstance(value, Item):
            held = f"t@held{self.number}"
            yield from self.bound(s, held, value)
            self.number += 1
            names = tuple(t for t in target if isinstance(t, str))
            yield S.Unpack(names, held, site=self.number, span=s.span)
            return
        if isinstance(target, tuple):
            assert isinstance(value, tuple)
            for t, v in zip(target, value, strict=True):
                yield from self.bound(s, t, v)
            return
        self.number += 1
        where: S.Place = {"site": self.number, "span": s.span, "origin": 0}
        if isinstance(value, Item):
            self.tell(target, value.value if self.times[target] == 1 else UNTOLD)
            yield S.Load(target, value.base, (E.Const(value.key),), **where)
            return
        self.tell(target, value if self.times[target] == 1 else UNTOLD)
        if isinstance(value, tuple):
            yield from self.packed(target, value, where)
        else:
            yield S.Bind(target, E.Const(value), **where)

    def packed(self, target: str, value: tuple[object, ...], where: S.Place) -> Iterator[S.Stmt]:
        """A tuple that is known, as a display."""
        items: list[E.Atom] = []
        for v in value:
            if isinstance(v, tuple):
                name = f"{target}@part{self.number}"
                yield from self.packed(name, v, where)
                items.append(E.Name(name))
            else:
                items.append(E.Const(v))
            self.number += 1
            where = {**where, "site": self.number}
        yield S.Pack(target, "tuple", tuple(items), **where)

    def copied(self, s: S.Stmt) -> S.Stmt:
        self.number += 1
        made = replace(s, site=self.number, origin=0)
        return map_blocks(made, lambda body: tuple(self.copied(t) for t in body))


def _fits(target: S.Target, value: object) -> bool:
    """Whether a target can be bound to a value."""
    if isinstance(target, str):
        return True
    if isinstance(value, Item):
        return all(isinstance(t, str) for t in target)
    if not isinstance(value, tuple) or len(value) != len(target):
        return False
    return all(_fits(t, v) for t, v in zip(target, value, strict=True))
