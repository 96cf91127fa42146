"""Spells out what only the lengths of tuples tell: `g(*pair)`, and targets with a star.

g(*pair, c)            ->   t = pair[0]; t_2 = pair[1]; g(t, t_2, c)
g(*array)              ->   the same with as many elements as `g` takes; for each number, if several
first, *rest = triple  ->   first = triple[0]; t = triple[1]; t_2 = triple[2]; rest = [t, t_2]
g(**d)                 ->   t = d["a"]; t_2 = d["b"]; g(a=t, b=t_2), with the keys of `d`, or all
                            names that `g` takes, which is checked
a.reshape(*sizes)      ->   t = tuple(sizes); a.reshape(t), where that is a list
first, *rest = array   ->   first = array[0]; t = array[1:]; rest = list(t)
g(*[a] * 2)            ->   t = (a, a); g(*t)
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import FunctionType as Function

from adtrans import runtime
from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    NEVER,
    TEXT,
    Array,
    DictOf,
    Kind,
    Known,
    ListOf,
    Scalar,
    TupleOf,
    Unknown,
)
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, map_blocks, reads_of, statements
from adtrans.rules import lookup, method

_ATOM = E.Name | E.Const | E.Ref
_ITEMS = 16  # arguments that are written for a star, at most
_ALTERNATIVES = 6  # calls that are written for one with a star


def has_stars(fn: S.Function) -> bool:
    """Whether there is anything to spell out."""
    return any(_starred(s) for s in statements(fn.body))


def _starred(s: S.Stmt) -> bool:
    match s:
        case S.Unpack():
            return s.star is not None
        case S.Bind(value=E.Call(args=args) as e):
            stars = any(isinstance(a, E.Star) for a in args) or "" in dict(e.kwargs)
            return stars or _lists(e) is not None or _kept(e) is not None
        case _:
            return False


def _lists(e: E.Call) -> str | None:
    """What `list(...)` is given."""
    match e:
        case E.Call(fn=E.Ref(value=made), args=(E.Name(id=name),), kwargs=()) if made is list:
            return name
        case _:
            return None


def _kept(e: E.Call) -> str | None:
    """What is kept as it is, for a star that later arguments stand behind."""
    match e:
        case E.Call(fn=E.Ref(value=made), args=(E.Name(id=name),)) if made is runtime.as_given:
            return name
        case _:
            return None


def spread(fn: S.Function, kinds: Kinds) -> S.Function:
    """`fn` with stars spelled out where the kinds tell the lengths."""
    taken = fn.reserved | {v for s in statements(fn.body) for v in binds_of(s)}
    names = NameAllocator(taken | {p.name for p in fn.params})
    number = max((s.site for s in statements(fn.body)), default=0)

    def fresh() -> int:
        nonlocal number
        number += 1
        return number

    work = _Spread(kinds, lambda: names.fresh("t"), fresh)
    used = Counter(v for s in statements(fn.body) for v in (*reads_of(s), *binds_of(s)))

    def block(b: S.Block) -> S.Block:
        b = tuple(_as_tuples(b, kinds, used))
        return tuple(r for s in b for r in work.one(map_blocks(s, block)))

    return replace(fn, body=block(fn.body))


def _as_tuples(body: S.Block, kinds: Kinds, used: Counter[str]) -> Iterator[S.Stmt]:
    """`body` with a tuple for a display that is repeated so many times, and then has a star."""
    left = list(body)
    while left:
        match left:
            case [
                S.Pack(target=made, kind="list" | "tuple", items=items, cls=None),
                S.Bind(target=v, value=E.Binary(op="*", left=a, right=b)) as times,
                S.Bind(value=E.Call(args=args)),
                *_,
            ] if E.Name(made) in (a, b) and E.Star(E.Name(v)) in args:
                number = kinds.expr(times.site, b if a == E.Name(made) else a)
                count = _count(number)
                if count is not None and used[made] == used[v] == 2:
                    yield S.Pack(v, "tuple", items * count, **S.place(times, times.site))
                    del left[:2]
                    continue
            case _:
                pass
        yield left.pop(0)


def _count(kind: Kind) -> int | None:
    """How many times something is repeated, where that is known and not much."""
    if not isinstance(kind, Scalar) or kind.type != "int" or kind.value is None:
        return None
    count = kind.value.value
    return count if count is not None and count < _ITEMS else None


def listed(
    s: S.Stmt, target: str, source: str, name: Callable[[], str], site: Callable[[], int]
) -> Iterator[S.Stmt]:
    """`target = list(source)` of an array: its elements or rows, one after the other."""
    made = target if target != source else name()
    yield S.Pack(made, "list", (), **S.place(s, s.site))
    item = name()
    put = S.Edit(None, "append", made, (E.Name(item),), **S.place(s, site()))
    elements = S.Elements(source)
    yield S.For(item, elements, (put,), **S.place(s, site()))
    if made != target:
        yield S.Alias(target, made, **S.place(s, site()))


def arity(
    fn: Function, before: int, named: tuple[tuple[str, E.Expr], ...]
) -> tuple[int, int] | None:
    """How many more arguments a function takes by position, at least and at most; None where these
    are too many ways to call it."""
    counts = positions(fn, before, named)
    return counts if counts is not None and counts[1] - counts[0] < _ALTERNATIVES else None


def positions(
    fn: Function, before: int, named: tuple[tuple[str, E.Expr], ...]
) -> tuple[int, int] | None:
    """How many more arguments a function takes by position, at least and at most; None where that
    is not limited, or not known."""
    every = inspect.signature(fn, follow_wrapped=False).parameters.values()
    by_position = [p for p in every if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if any(p.kind == p.VAR_POSITIONAL for p in every) or not all(k for k, _ in named):
        return None
    open_ones = []
    for p in by_position[before:]:
        if p.kind == p.POSITIONAL_OR_KEYWORD and any(k == p.name for k, _ in named):
            break  # what is given by name cannot be given by position
        open_ones.append(p)
    names = {p.name for p in by_position[before + len(open_ones) :]} - {k for k, _ in named}
    if any(p.name in names and p.default is p.empty for p in by_position):
        return None
    least = sum(p.default is p.empty for p in open_ones)
    return least, len(open_ones)


def _operands(fn: object, e: E.Call) -> int | None:
    """How many items a primitive is given by its one star: those that it cannot do without."""
    rule = None if fn is None or isinstance(fn, Function) else lookup(fn)
    if rule is None or rule.any_arguments or rule.any_number or e.kwargs:
        return None
    needed = sum(p.default is None and p.form != "keyword" for p in rule.params)
    left = needed - len(e.args) + 1
    stars = sum(isinstance(a, E.Star) for a in e.args)
    return left if stars == 1 and left > 0 else None


def keys_of(kind: Kind) -> tuple[str, ...] | None:
    """The keys that a dictionary has, where these are texts that are written out."""
    if not isinstance(kind, DictOf) or not kind.fields:
        return None
    keys = tuple(k for k, _ in kind.fields if isinstance(k, str))
    texts = kind.key == TEXT or (isinstance(kind.key, Known) and len(keys) == 1)
    return keys if texts and len(keys) == len(kind.fields) else None


def is_empty(kind: Kind) -> bool:
    """Whether a dictionary has no entries, as one that collects arguments where none have names."""
    return isinstance(kind, DictOf) and not kind.fields and kind.item == NEVER


class _Spread:
    def __init__(self, kinds: Kinds, name: Callable[[], str], site: Callable[[], int]) -> None:
        self.kinds, self.name, self.site = kinds, name, site

    def one(self, s: S.Stmt) -> Iterator[S.Stmt]:
        """The statements in place of one."""
        match s:
            case S.Bind(value=E.Call() as e) if (source := _lists(e)) is not None:
                if isinstance(self.kinds.at(s.site, source), Array):
                    yield from listed(s, s.target, source, self.name, self.site)
                else:
                    yield s
            case S.Invoke(
                target=str() as target, fn=E.Ref(value=made), args=(E.Name(id=source),), kwargs=()
            ) if made is list and isinstance(self.kinds.at(s.site, source), Array):
                yield from listed(s, target, source, self.name, self.site)
            case S.Bind(value=E.Call() as e) if (source := _kept(e)) is not None:
                yield from self.kept(s, source)
            case S.Bind(value=E.Call() as e) if _starred(s):
                yield from self.call(s, e)
            case S.Unpack(star=int() as star):
                yield from self.unpacked(s, star)
            case _:
                yield s

    def kept(self, s: S.Bind, source: str) -> Iterator[S.Stmt]:
        """What a star stands before, as it is now: tuples stay so."""
        kind = self.kinds.at(s.site, source)
        if isinstance(kind, TupleOf):
            yield S.Alias(s.target, source, **S.place(s, s.site))
        elif isinstance(kind, Array):
            yield from listed(s, s.target, source, self.name, self.site)
        elif isinstance(kind, ListOf | DictOf):
            yield S.Edit(s.target, "copy", source, (), **S.place(s, s.site))
        else:
            yield s

    def load(self, s: S.Stmt, target: str, base: str, item: E.Expr) -> S.Load:
        return S.Load(target, base, (item,), site=self.site(), span=s.span, origin=s.origin)

    def call(self, s: S.Bind, e: E.Call) -> Iterator[S.Stmt]:
        if isinstance(e.fn, E.Attribute) and not self.has_methods(s, e.fn.base):
            if isinstance(self.kinds.expr(s.site, e.fn.base), Unknown):
                yield s  # perhaps it is known when what it is made of is spelled out
                return
            fn = self.name()
            yield S.Bind(fn, e.fn, **S.place(s, self.site()))
            e = replace(e, fn=E.Name(fn))
        args: list[E.Expr] = []
        loads: list[S.Stmt] = []
        for a in e.args:
            if not isinstance(a, E.Star):
                args.append(a)
                continue
            kind = self.kinds.expr(s.site, a.value)
            if isinstance(kind, Array | ListOf) and isinstance(a.value, E.Name):
                if self.takes_tuple(s, e):
                    yield from self.as_tuple(s, e, a.value)
                else:
                    yield from self.byarity(s, e, a.value)
                return
            if not isinstance(kind, TupleOf) or not isinstance(a.value, E.Name):
                yield s
                return
            for k in range(len(kind.items)):
                target = self.name()
                loads.append(self.load(s, target, a.value.id, E.Const(k)))
                args.append(E.Name(target))
        named = dict(e.kwargs)
        if "" in named:
            kind, given = self.kinds.expr(s.site, named[""]), named.pop("")
            keys, ways = keys_of(kind), []
            if isinstance(kind, DictOf):
                ways = self.taken_by_name(s, e, len(args), named)
            if keys is not None and not (ways and set(ways[-1]) - set(keys)):
                ways = [] if named.keys() & set(keys) else [keys]
            elif not ways and is_empty(kind):
                ways = [()]
            if not ways or not isinstance(given, E.Name):
                yield s
                return
            yield from loads
            e = replace(e, args=tuple(args))
            if len(ways) == 1:
                yield from self.with_keys(s, e, given, ways[0])
                return
            yield from self.one_of(s, e, given, ways)
            return
        yield from loads
        yield from self.plain(s, e, args)

    def one_of(
        self, s: S.Bind, e: E.Call, given: E.Name, ways: Sequence[tuple[str, ...]]
    ) -> Iterator[S.Stmt]:
        """The call in each way, by how many entries a dictionary has, or else by its keys."""
        blocks = [tuple(self.with_keys(replace(s, site=self.site()), e, given, w)) for w in ways]
        if len(ways) == 2:
            size = self.name()
            yield S.Bind(size, E.Call(E.Ref("len", len), (given,)), **S.place(s, self.site()))
            test = E.Compare(E.Name(size), ("==",), (E.Const(len(ways[0])),))
            yield S.If(test, *blocks, **S.place(s, self.site()))
            return
        first, second = (E.Const(k) for k in ways[0] if k not in ways[-1])

        def chosen(key: E.Const, then: S.Block, orelse: S.Block) -> S.If:
            there = E.Compare(key, ("in",), (given,))
            return S.If(there, then, orelse, **S.place(s, self.site()))

        both, one, other, none = blocks
        yield chosen(first, (chosen(second, both, one),), (chosen(second, other, none),))

    def plain(self, s: S.Bind, e: E.Call, args: Sequence[E.Expr]) -> Iterator[S.Stmt]:
        """The call without stars."""
        atoms = tuple(a for a in args if isinstance(a, _ATOM))
        words = tuple((k, v) for k, v in e.kwargs if isinstance(v, _ATOM))
        plain = len(atoms) == len(args) and len(words) == len(e.kwargs)
        primitive = isinstance(e.fn, E.Ref) and lookup(e.fn.value) is not None
        if plain and isinstance(e.fn, E.Name | E.Ref) and not primitive:
            yield S.Invoke(s.target, e.fn, atoms, words, site=s.site, span=s.span, origin=s.origin)
        else:
            yield replace(s, value=E.Call(e.fn, tuple(args), e.kwargs))

    def with_keys(
        self, s: S.Bind, e: E.Call, given: E.Name, keys: tuple[str, ...]
    ) -> Iterator[S.Stmt]:
        """The call with these entries of a dictionary by themselves, which has no others."""
        check = E.Ref("check_named", runtime.check_named)
        wanted = E.Sequence("tuple", tuple(map(E.Const, keys)))
        checked = E.Call(check, (given, wanted))
        yield S.Bind(self.name(), checked, **S.place(s, self.site()))
        named = {k: v for k, v in e.kwargs if k}
        for key in keys:
            target = self.name()
            yield self.load(s, target, given.id, E.Const(key))
            named[key] = E.Name(target)
        yield from self.plain(s, replace(e, kwargs=tuple(named.items())), e.args)

    def taken_by_name(
        self, s: S.Bind, e: E.Call, before: int, named: Mapping[str, E.Expr]
    ) -> list[tuple[str, ...]]:
        """The names that a function may be given by `**`: all that are left, or those without a
        default; with one or the other, where two have one. Empty where that is not known."""
        callee = self.kinds.expr(s.site, e.fn)
        fn = callee.value if isinstance(callee, Known) else None
        if not isinstance(fn, Function):
            return []
        every = list(inspect.signature(fn, follow_wrapped=False).parameters.values())
        if any(p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL) for p in every):
            return []
        left = [p for p in every[before:] if p.name not in named and p.kind != p.POSITIONAL_ONLY]
        least = [p for p in left if p.default is p.empty]
        ways = [left, least] if len(least) < len(left) else [left]
        match [p for p in left if p not in least]:
            case [one, other]:
                ways[1:1] = [[p for p in left if p is not q] for q in (other, one)]
            case _:
                pass
        return [tuple(p.name for p in w) for w in ways] if left else []

    def has_methods(self, s: S.Bind, base: E.Expr) -> bool:
        """Whether methods of a value are known by their names, as those of arrays are."""
        return isinstance(self.kinds.expr(s.site, base), Array)

    def takes_tuple(self, s: S.Bind, e: E.Call) -> bool:
        """Whether a method of an array is given nothing but the items of something: it takes these
        in a tuple as well, as in `a.reshape(*sizes)`."""
        if not isinstance(e.fn, E.Attribute) or len(e.args) > 1:
            return False
        rule = method(e.fn.attr) if self.has_methods(s, e.fn.base) else None
        return rule is not None and rule.any_number

    def as_tuple(self, s: S.Bind, e: E.Call, source: E.Name) -> Iterator[S.Stmt]:
        """That call. No items at all would not be the same as an empty tuple."""
        items = self.name()
        yield from self.counted(s, source, 1, None)
        made = E.Call(E.Ref("tuple", tuple), (source,))
        yield S.Bind(items, made, **S.place(s, self.site()))
        yield replace(s, value=replace(e, args=(E.Name(items),)))

    def byarity(self, s: S.Bind, e: E.Call, source: E.Name) -> Iterator[S.Stmt]:
        """A call with the items of something of unknown length, of which the function takes so
        many."""
        callee = self.kinds.expr(s.site, e.fn)
        fn = callee.value if isinstance(callee, Known) else None
        if (fn is max or fn is min) and len(e.args) == 1:
            yield from self.counted(s, source, 2, None)
            yield replace(s, value=replace(e, args=(source,)))
            return
        operands = _operands(fn, e)
        if operands is not None:
            yield from self.counted(s, source, operands, operands)
            yield from self.with_items(s, e, source, operands)
            return
        counts = None
        if isinstance(fn, Function) and sum(isinstance(a, E.Star) for a in e.args) == 1:
            counts = arity(fn, len(e.args) - 1, e.kwargs)
        if counts is None or not isinstance(fn, Function):
            yield s
            return
        least, most = counts
        size = self.name()
        yield S.Bind(size, E.Call(E.Ref("len", len), (source,)), **S.place(s, self.site()))
        limits = (E.Name(size), E.Const(least), E.Const(most), E.Const(fn.__name__))
        check = E.Call(E.Ref("check_arity", runtime.check_arity), limits)
        yield S.Bind(self.name(), check, **S.place(s, self.site()))

        def given(count: int) -> S.Block:
            return tuple(self.with_items(s, e, source, count))

        block = given(most)
        for count in reversed(range(least, most)):
            test = E.Compare(E.Name(size), ("==",), (E.Const(count),))
            block = (S.If(test, given(count), block, **S.place(s, self.site())),)
        yield from block

    def with_items(
        self, s: S.Bind, e: E.Call, source: E.Name, count: int
    ) -> Iterator[S.Stmt]:
        """The call with so many items by themselves."""
        items = [self.name() for _ in range(count)]
        for k, item in enumerate(items):
            yield self.load(s, item, source.id, E.Const(k))
        args: list[E.Expr] = []
        for a in e.args:
            args += map(E.Name, items) if isinstance(a, E.Star) else [a]
        yield from self.call(replace(s, site=self.site()), replace(e, args=tuple(args)))

    def counted(self, s: S.Bind, source: E.Name, least: int, most: int | None) -> Iterator[S.Stmt]:
        """The check that something has so many items."""
        size = self.name()
        yield S.Bind(size, E.Call(E.Ref("len", len), (source,)), **S.place(s, self.site()))
        check = E.Ref("check_given", runtime.check_given)
        limits = (E.Name(size), E.Const(least), E.Const(most))
        yield S.Bind(self.name(), E.Call(check, limits), **S.place(s, self.site()))

    def unpacked(self, s: S.Unpack, star: int) -> Iterator[S.Stmt]:
        kind, count = self.kinds.at(s.site, s.source), len(s.targets)
        behind = count - star - 1
        if isinstance(kind, TupleOf) and len(kind.items) >= count - 1:
            more = len(kind.items) - count + 1
            inside = [self.name() for _ in range(more)]
            order = [*s.targets[:star], *inside, *s.targets[star + 1 :]]
            for k, target in enumerate(order):
                yield self.load(s, target, s.source, E.Const(k))
            items = tuple(E.Name(v) for v in inside)
            yield S.Pack(s.targets[star], "list", items, **S.place(s, s.site))
        elif isinstance(kind, Array | ListOf):
            size, checked, part = self.name(), self.name(), self.name()
            length = E.Call(E.Ref("len", len), (E.Name(s.source),))
            yield S.Bind(size, length, **S.place(s, self.site()))
            check = E.Ref("check_at_least", runtime.check_at_least)
            call = E.Call(check, (E.Name(size), E.Const(count - 1)))
            yield S.Bind(checked, call, **S.place(s, self.site()))
            for k, target in enumerate(s.targets):
                if k != star:
                    at = k if k < star else k - count
                    yield self.load(s, target, s.source, E.Const(at))
            stop = None if not behind else E.Const(-behind)
            yield self.load(s, part, s.source, E.Slice(E.Const(star), stop, None))
            if isinstance(kind, Array):
                yield from listed(s, s.targets[star], part, self.name, self.site)
            else:
                yield S.Alias(s.targets[star], part, **S.place(s, s.site))
        else:
            yield s
