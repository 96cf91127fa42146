"""Operations of dictionaries, spelled out as reads and writes of their entries.

v = d.get(k, w)            ->   t = k in d; if t: v = d[k]; else: v = w
d.update(e)                ->   keys = edit e: keys(); for key in keys: t = e[key]; d[key] = t
for k, v in d.items()      ->   keys = edit d: keys(); for k in keys: v = d[k]
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, replace

from adtrans.analyses.kinds import Kinds
from adtrans.analyses.resizing import Resizing, watched
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import DictOf
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, statements


@dataclass(frozen=True)
class Entries:
    """Rewrites the statements of one function that are about entries of dictionaries. `called`: the
    user's name of a variable; `sets`: variables that count as sets."""

    kinds: Kinds
    names: NameAllocator
    fresh_site: Callable[[], int]
    read: frozenset[str]
    resizing: Resizing
    called: Callable[[str], str]
    sets: frozenset[str]

    def place(self, s: S.Stmt) -> S.Place:
        """The place of a statement in front of `s`."""
        return S.place(s, self.fresh_site())

    def atom(self, s: S.Bind, e: E.Expr) -> Generator[S.Stmt, None, E.Atom]:
        """Evaluates an argument in front of `s`."""
        if isinstance(e, E.Name | E.Const | E.Ref):
            return e
        t = self.names.fresh("t")
        if isinstance(e, E.Sequence):
            items: list[E.Atom] = []
            for i in e.items:
                item = yield from self.atom(s, i)
                items.append(item)
            yield S.Pack(t, e.kind, tuple(items), **self.place(s))
        else:
            yield S.Bind(t, e, **self.place(s))
        return E.Name(t)

    def spelled(
        self, s: S.Bind, op: S.EditOp, base: str, args: tuple[E.Expr, ...]
    ) -> Iterator[S.Stmt]:
        """The operation, its arguments in variables."""
        atoms: list[E.Atom] = []
        for a in args:
            atom = yield from self.atom(s, a)
            atoms.append(atom)
        silent = op in S.CHANGES and (op != "pop") and s.target not in self.read
        target = None if silent else s.target
        yield S.Edit(target, op, base, tuple(atoms), **S.place(s, s.site))

    def last_entry(self, s: S.Bind, base: str) -> Iterator[S.Stmt]:
        """`d.popitem()`: the key first, then what it stands for."""
        key, value = self.names.fresh("key"), self.names.fresh("t")
        yield S.Edit(key, "last_key", base, (), **self.place(s))
        yield S.Load(value, base, (E.Name(key),), **self.place(s))
        yield S.Edit(None, "remove", base, (E.Name(key),), **self.place(s))
        yield S.Pack(s.target, "tuple", (E.Name(key), E.Name(value)), **S.place(s, s.site))

    def merged(
        self,
        s: S.Bind,
        base: str,
        other: E.Expr | None,
        words: tuple[tuple[str, E.Expr], ...],
    ) -> Iterator[S.Stmt] | None:
        """`d.update(other, a=x)`: entry by entry; `other` may be a display of pairs."""
        if (pairs := _pairs(other)) is not None:
            return self.put_pairs(s, base, pairs, words)
        if isinstance(other, E.Ref) and isinstance(self.kinds.expr(s.site, other), DictOf):
            return self.put_global(s, base, other, words)
        if other is None or isinstance(other, E.Name):
            kind = None if other is None else self.kinds.expr(s.site, other)
            if kind is None or isinstance(kind, DictOf):
                return self.put_in(s, base, None if other is None else other.id, words)
        return None

    def put_global(
        self, s: S.Bind, base: str, other: E.Ref, words: tuple[tuple[str, E.Expr], ...]
    ) -> Iterator[S.Stmt]:
        """`d.update(TABLE, a=x)` with what a global name means."""
        table = self.names.fresh("table")
        yield S.Bind(table, other, **self.place(s))
        yield from self.put_in(s, base, table, words)

    def put_pairs(
        self,
        s: S.Bind,
        base: str,
        pairs: list[tuple[E.Expr, E.Expr]],
        words: tuple[tuple[str, E.Expr], ...],
    ) -> Iterator[S.Stmt]:
        """`d.update([(key, value)], a=x)`."""
        atoms: list[tuple[E.Atom, E.Atom]] = []
        for key, value in (*pairs, *((E.Const(name), e) for name, e in words)):
            first = yield from self.atom(s, key)
            atoms.append((first, (yield from self.atom(s, value))))
        for first, second in atoms:
            yield S.Store(base, (first,), second, **self.place(s))
        if s.target in self.read:
            yield S.Bind(s.target, E.NONE, **S.place(s, s.site))

    def put_in(
        self, s: S.Bind, base: str, other: str | None, words: tuple[tuple[str, E.Expr], ...]
    ) -> Iterator[S.Stmt]:
        atoms: list[tuple[str, E.Atom]] = []
        for name, e in words:
            atom = yield from self.atom(s, e)
            atoms.append((name, atom))
        if other is not None:
            keys, key, t = (self.names.fresh(n) for n in ("keys", "key", "t"))
            load = S.Load(t, other, (E.Name(key),), **self.place(s))
            store = S.Store(base, (E.Name(key),), E.Name(t), **self.place(s))
            yield S.Edit(keys, "keys", other, (), **self.place(s))
            yield S.For(key, S.Elements(keys), (load, store), **self.place(s))
        for name, atom in atoms:
            yield S.Store(base, (E.Const(name),), atom, **self.place(s))
        if s.target in self.read:
            yield S.Bind(s.target, E.NONE, **S.place(s, s.site))

    def united(self, s: S.Bind, left: E.Expr, right: E.Expr) -> Iterator[S.Stmt]:
        """`left | right`."""
        made = self.names.fresh("t")
        sides: list[str] = []
        for side in (left, right):
            atom = yield from self.atom(s, side)
            if not isinstance(atom, E.Name):  # a global one
                held = self.names.fresh("table")
                yield S.Bind(held, atom, **self.place(s))
                atom = E.Name(held)
            sides.append(atom.id)
        yield S.Edit(made, "copy", sides[0], (), **self.place(s))
        yield from self.put_in(replace(s, target=""), made, sides[1], ())
        yield S.Alias(s.target, made, **S.place(s, s.site))

    def entry(
        self, s: S.Bind, base: str, attr: str, args: tuple[E.Expr, ...], *, dropped: bool = False
    ) -> Iterator[S.Stmt]:
        """`get`, `pop` and `setdefault` of a dictionary, as reads and writes of the entry."""
        key = yield from self.atom(s, args[0])
        default = E.NONE if len(args) == 1 else (yield from self.atom(s, args[1]))
        there = self.names.fresh("t")
        inside = E.Compare(key, ("in",), (E.Name(base),))
        yield S.Bind(there, inside, **self.place(s))
        load = S.Load(s.target, base, (key,), **self.place(s))
        then: list[S.Stmt] = [load]
        if attr == "pop" and dropped:
            yield S.Edit(None, "remove", base, (key,), **S.place(s, s.site))
            return
        if attr == "pop":
            then.append(S.Edit(None, "remove", base, (key,), **self.place(s)))
        orelse: list[S.Stmt] = []
        if isinstance(default, E.Name):
            orelse.append(S.Alias(s.target, default.id, **self.place(s)))
        else:
            orelse.append(S.Bind(s.target, default, **self.place(s)))
        if attr == "setdefault":
            orelse.append(S.Store(base, (key,), default, **self.place(s)))
        if attr == "pop" and len(args) == 1:
            yield from then  # without a default it raises where there is nothing
            return
        yield S.If(E.Name(there), tuple(then), tuple(orelse), **S.place(s, s.site))

    def over_entries(
        self, s: S.For, views: Mapping[str, tuple[str, str]]
    ) -> Iterator[S.Stmt] | None:
        """A loop over `d.items()`, `d.values()`, `d.keys()` or `d`, as one over its keys."""
        if not isinstance(s.iter, S.Elements):
            return None
        base, view = views.get(s.iter.source, (s.iter.source, "keys"))
        if not isinstance(self.kinds.at(s.site, base), DictOf):
            return None
        if view != "items":
            return self.by_key(s, base, view, ("", s.target))
        if isinstance(s.target, tuple):
            return self.by_key(s, base, view, s.target) if len(s.target) == 2 else None
        pair = (self.names.fresh("key"), self.names.fresh("t"))
        atoms = (E.Name(pair[0]), E.Name(pair[1]))
        packed = S.Pack(s.target, "tuple", atoms, **self.place(s))
        return self.by_key(replace(s, body=(packed, *s.body)), base, view, pair)

    def entries(self, s: S.Stmt, base: str, view: str, target: str) -> Iterator[S.Stmt]:
        """`target = list(base.values())`, or of `keys()` or `items()`."""
        keys = target if view == "keys" else self.names.fresh("keys")
        yield S.Edit(keys, "keys", base, (), **self.place(s))
        if view == "keys":
            return
        key, value = self.names.fresh("key"), self.names.fresh("t")
        body: list[S.Stmt] = [S.Load(value, base, (E.Name(key),), **self.place(s))]
        if view == "items":
            pair = self.names.fresh("t")
            items = (E.Name(key), E.Name(value))
            body.append(S.Pack(pair, "tuple", items, **self.place(s)))
            value = pair
        body.append(S.Edit(None, "append", target, (E.Name(value),), **self.place(s)))
        yield S.Pack(target, "list", (), **self.place(s))
        yield S.For(key, S.Elements(keys), tuple(body), **self.place(s))

    def rebinds(self, s: S.For, v: str) -> bool:
        """Whether a loop binds the name of what it runs over, as `for v in v` does."""
        bound = (w for t in (s, *statements(s.body)) for w in binds_of(t))
        return self.called(v) in map(self.called, bound)

    def by_key(
        self, s: S.For, base: str, view: str, targets: tuple[S.Target, ...]
    ) -> Iterator[S.Stmt]:
        keys = self.names.fresh("keys")
        yield S.Edit(keys, "keys", base, (), **self.place(s))
        key = targets[0] if isinstance(targets[0], str) and targets[0] else self.names.fresh("key")
        if view == "keys" and isinstance(targets[1], str):
            key = targets[1]
        if self.resizing.possible(s, base, {key}):
            walk, s = watched(s, base, self.names.fresh, self.fresh_site)
            yield walk
        if self.rebinds(s, base):  # the loop goes on with this one
            held = self.names.fresh("t")
            yield S.Alias(held, base, **self.place(s))
            base = held
        if view == "keys":
            yield replace(s, iter=S.Elements(keys))
            return
        value = targets[1] if isinstance(targets[1], str) else self.names.fresh("t")
        start: list[S.Stmt] = [
            S.Load(value, base, (E.Name(key),), **self.place(s))
        ]
        for target, source in zip(targets, (key, value), strict=True):
            if isinstance(target, tuple):
                start += self.taken_apart(s, target, source)
        yield replace(s, target=key, iter=S.Elements(keys), body=(*start, *s.body))

    def taken_apart(
        self, s: S.Stmt, targets: tuple[S.Target, ...], source: str
    ) -> Iterator[S.Stmt]:
        """`a, (b, c) = source`, one level at a time."""
        names = tuple(t if isinstance(t, str) else self.names.fresh("t") for t in targets)
        yield S.Unpack(names, source, **self.place(s))
        for name, t in zip(names, targets, strict=True):
            if isinstance(t, tuple):
                yield from self.taken_apart(s, t, name)


def _pairs(e: E.Expr | None) -> list[tuple[E.Expr, E.Expr]] | None:
    """The pairs in a display of pairs; None for all else."""
    if not isinstance(e, E.Sequence):
        return None
    items = [i.items if isinstance(i, E.Sequence) else () for i in e.items]
    if any(len(i) != 2 or any(isinstance(part, E.Star) for part in i) for i in items):
        return None
    return [(i[0], i[1]) for i in items]
