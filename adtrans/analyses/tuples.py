"""Takes tuples apart: what is put into one is followed item by item, under a variable each.

    pair = (a, b)               pair = (a, b);  p0 = a;  p1 = b
    if swap:                    if swap:
        pair = (b, a)     ->        pair = (b, a);  p0 = b;  p1 = a
    c, d = pair                 c = p0;  d = p1

A tuple cannot change, so an item is the object that was put in, however it is reached. Only those
that are taken apart somewhere, or made in several places, are rewritten; none where it is asked
which one a tuple is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from adtrans.analyses.identity_tests import identity_matters
from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Kind, TupleOf
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import (
    binds_of,
    map_blocks,
    names_in,
    operands,
    reads_of,
    statements,
    substitute,
)


@dataclass
class _Parts:
    """The variables for the items of each tuple that is taken apart."""

    names: NameAllocator
    of: Mapping[str, tuple[str, ...]]
    called: Callable[[str], str]  # the user's name of a variable
    number: int
    classes: Mapping[str, E.Ref]

    def place(self, s: S.Stmt) -> S.Place:
        self.number += 1
        return S.place(s, self.number)

    def bound(self, s: S.Stmt, target: str, atom: E.Atom) -> S.Stmt:
        if isinstance(atom, E.Name):
            return S.Alias(target, atom.id, **self.place(s))
        return S.Bind(target, atom, **self.place(s))

    def block(self, b: S.Block) -> S.Block:
        return tuple(r for s in b for r in self.one(s))

    def one(self, s: S.Stmt) -> Iterator[S.Stmt]:
        match s:
            case S.Pack() if s.target in self.of:
                items = zip(self.of[s.target], s.items, strict=True)
                parts = [self.bound(s, part, item) for part, item in items]
                named = {self.called(n) for i in s.items for n in names_in(i)}
                lost = self.called(s.target) in named  # `y = (y, x)`: `y` means the tuple then
                yield from (*parts, s) if lost else (s, *parts)
            case S.Alias() if s.target in self.of:
                yield s
                for part, other in zip(self.of[s.target], self.of[s.source], strict=True):
                    yield S.Alias(part, other, **self.place(s))
            case S.Load() if (k := _constant(s, self.of)) is not None:
                yield S.Alias(
                    s.target, self.of[s.base][k], site=s.site, span=s.span, origin=s.origin
                )
            case S.Unpack() if s.source in self.of and s.source not in s.targets:
                for target, part in zip(s.targets, self.of[s.source], strict=True):
                    yield S.Alias(target, part, **self.place(s))
            case S.Keep() | S.If() | S.While() | S.For() | S.Try() | S.With() | S.Onward():
                yield map_blocks(s, self.block)
            case _:
                yield from self.used(s)

    def used(self, s: S.Stmt) -> Iterator[S.Stmt]:
        """Any other use gets a tuple made of the parts."""
        again = {v: self.names.fresh("t") for v in sorted(_atoms(s)) if v in self.of}
        for v, name in again.items():
            items = tuple(E.Name(p) for p in self.of[v])
            yield S.Pack(name, "tuple", items, self.classes.get(v), **self.place(s))
        by: dict[str, E.Expr] = {v: E.Name(name) for v, name in again.items()}

        def atom(a: E.Atom) -> E.Atom:
            new = substitute(a, by)
            assert isinstance(new, E.Name | E.Const | E.Ref)
            return new

        match s:
            case S.Invoke():
                kwargs = tuple((k, atom(v)) for k, v in s.kwargs)
                s = replace(s, args=tuple(atom(a) for a in s.args), kwargs=kwargs)
            case S.Return():
                s = replace(s, values=tuple(atom(v) for v in s.values))
            case S.Pack():
                s = replace(s, items=tuple(atom(i) for i in s.items))
            case _:
                pass
        yield s
        for v in binds_of(s):
            if v in self.of:
                yield S.Unpack(self.of[v], v, **self.place(s))


def _atoms(s: S.Stmt) -> set[str]:
    """The variables that a statement hands on as they are."""
    if isinstance(s, S.Invoke):
        return {n for a in (*s.args, *(v for _, v in s.kwargs)) for n in names_in(a)}
    if isinstance(s, S.Return | S.Pack):
        return {n for e in operands(s) for n in names_in(e)}
    return set()


def _constant(s: S.Load, of: Mapping[str, tuple[str, ...]]) -> int | None:
    """The number of the item that is read, where it is written as a number."""
    if s.base not in of or len(s.items) != 1 or not isinstance(s.items[0], E.Const):
        return None
    k, n = s.items[0].value, len(of[s.base])
    if not isinstance(k, int) or isinstance(k, bool) or not -n <= k < n:
        return None
    return k % n


def take_apart(fn: S.Function, kinds_of: Callable[[S.Function], Kinds]) -> S.Function:
    """`fn` with the items of its tuples in variables of their own, and those of tuples in them."""
    kinds = kinds_of(fn)
    every = {v for s in statements(fn.body) for v in binds_of(s)}
    for _ in range(max((_depth(kinds.var(v)) for v in every), default=0)):
        apart = _taken_apart(fn, kinds_of(fn))
        if apart is fn:
            break
        fn = apart
    return fn


def _depth(kind: Kind) -> int:
    """How many tuples are in one another."""
    if not isinstance(kind, TupleOf):
        return 0
    return 1 + max(map(_depth, kind.items), default=0)


def _taken_apart(fn: S.Function, kinds: Kinds) -> S.Function:
    made: dict[str, list[S.Stmt]] = {}
    for s in statements(fn.body):
        for v in binds_of(s):
            made.setdefault(v, []).append(s)
    params = {p.name for p in fn.params}

    def size(v: str) -> int | None:
        kind = kinds.var(v)
        known = isinstance(kind, TupleOf) and v not in params and not kinds.may_be_none(v)
        return len(kind.items) if isinstance(kind, TupleOf) and known else None

    of = {v: n for v in made if (n := size(v)) is not None}
    written = _written_items(fn) if of else frozenset[str]()
    while True:  # all definitions of a tuple must be understood
        bad = {
            v
            for v, n in of.items()
            for s in made[v]
            if not (isinstance(s, S.Pack) and s.kind == "tuple" and len(s.items) == n)
            and not (isinstance(s, S.Alias) and of.get(s.source) == n)
            and not (isinstance(s, S.Invoke) and len(made[v]) > 1)
            and not (isinstance(s, S.Invoke | S.Bind) and v in written and len(made[v]) == 1)
        }
        if not bad:
            break
        of = {v: n for v, n in of.items() if v not in bad}
    wanted: set[str] = set()
    for s in statements(fn.body):
        wanted |= {v for v in reads_of(s) if len(made.get(v, ())) > 1}
        if isinstance(s, S.Load | S.Unpack):
            wanted.add(s.base if isinstance(s, S.Load) else s.source)
    while (
        more := {
            s.source if s.target in wanted else s.target
            for v in of
            for s in made[v]
            if isinstance(s, S.Alias) and (s.source in wanted) != (s.target in wanted)
        }
        & of.keys()
    ):
        wanted |= more
    classes = _classes(of, made)
    of = {
        v: n
        for v, n in of.items()
        if v in wanted and (v in classes or getattr(kinds.var(v), "cls", None) is None)
    }
    if not of or identity_matters(fn, kinds):
        return fn
    names = NameAllocator(fn.reserved | made.keys() | params)
    parts = {
        v: tuple(names.fresh(f"{fn.source_name(v)}_{k}") for k in range(n)) for v, n in of.items()
    }
    number = max(s.site for s in statements(fn.body))
    shown = {
        item: f"{fn.shown[v]}[{k}]"
        for v, items in parts.items()
        if v in fn.shown
        for k, item in enumerate(items)
    }
    body = _Parts(names, parts, fn.source_name, number, classes).block(fn.body)
    return replace(fn, body=body, shown={**fn.shown, **shown})


def _written_items(fn: S.Function) -> frozenset[str]:
    """The tuples that are read in several places and hold something that is written."""
    above: dict[str, set[str]] = {}
    waiting: list[str] = []
    reads: dict[str, int] = {}
    for s in statements(fn.body):
        for v in reads_of(s):
            reads[v] = reads.get(v, 0) + 1
        match s:
            case S.Alias(source=base) | S.Unpack(source=base) | S.Load(base=base):
                for v in binds_of(s):
                    above.setdefault(v, set()).add(base)
            case S.Store() | S.Update():
                waiting.append(s.base)
            case S.Invoke():
                waiting += _atoms(s)
    found: set[str] = set()
    while waiting:
        var = waiting.pop()
        waiting += above.get(var, set()) - found
        found |= above.get(var, set())
    return frozenset(v for v in found if reads[v] > 1)


def _classes(of: Iterable[str], made: Mapping[str, list[S.Stmt]]) -> dict[str, E.Ref]:
    """The classes of the tuples that are named tuples, wherever they are made."""
    found: dict[str, E.Ref] = {}
    while True:
        more = {}
        for v in of:
            each = [s.cls if isinstance(s, S.Pack) else found.get(s.source)
                    if isinstance(s, S.Alias) else None for s in made[v]]  # fmt: skip
            first = each[0]
            if (
                v not in found
                and first is not None
                and all(c is not None and c.value is first.value for c in each)
            ):
                more[v] = first
        if not more:
            return found
        found |= more
