"""Iterators that are gone through in steps: a position beside what they go through.

it = iter(x)               ->   source = x; at = 0
a = next(it)               ->   n = len(source); check_next(at, n); a = source[at]; at = at + 1
for v in it: body          ->   while at < len(source): v = source[at]; at = at + 1; body
for a, b in zip(it, it):   ->   the same, two at a time

An array, a list or a tuple is looked into when it is that item's turn, as Python does it. What is
done with an iterator besides this, such as handing it on, leaves it as it is. Where a list may get
longer, an iterator that has come to its end once has a position behind all that may be added.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

from adtrans import runtime
from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Known, ListOf, Scalar, TupleOf, is_differentiable
from adtrans.ir.rewriter import Rewriter
from adtrans.ir.walk import binds_of, reads_of, statements, without_origins

_LEN = E.Ref("len", len)
_BEHIND = E.Const(sys.maxsize)
_READERS = frozenset({"index", "count", "copy", "keys", "values", "items", "get"})


def with_positions(fn: S.Function, kinds: Kinds) -> S.Function:
    """`fn` without such iterators; the same object where there are none."""
    made: dict[str, S.Invoke] = {}
    bound = [v for s in statements(fn.body) for v in binds_of(s)]
    for s in statements(fn.body):
        match s:
            case S.Invoke(target=str(it), fn=E.Ref(value=f), args=(E.Name(id=source),), kwargs=()):
                if f is iter and bound.count(it) == 1 and _in_order(kinds.at(s.site, source)):
                    made[it] = s
            case _:
                pass
    for s in statements(fn.body):
        for it in reads_of(s) & made.keys():
            if not _steps(s, it):
                del made[it]
    if not made:
        return fn
    if any(_changes_lists(s, kinds) for s in statements(fn.body)):
        grown = {it for it, s in made.items() if _is_list(kinds, s)}
    else:
        grown = set()
    work = _Stepping(fn, made, grown)
    changed = {s.origin for s in statements(fn.body) if {*reads_of(s), *binds_of(s)} & made.keys()}
    body = without_origins(work.block(fn.body), changed)
    return replace(fn, body=body)


def _in_order(kind: object) -> bool:
    """Whether a value is gone through from place 0 on, and carries a derivative."""
    return isinstance(kind, Array | ListOf | TupleOf) and is_differentiable(kind)


def _is_list(kinds: Kinds, s: S.Invoke) -> bool:
    """Whether an iterator is made of a list."""
    kind = kinds.expr(s.site, s.args[0])
    return isinstance(kind, ListOf) and not kind.frozen


def _changes_lists(s: S.Stmt, kinds: Kinds) -> bool:
    """Whether a list may have another length after a statement."""

    def holds(e: E.Expr) -> bool:
        kind = kinds.expr(s.site, e)
        flat = isinstance(kind, TupleOf) and all(isinstance(k, Array | Scalar) for k in kind.items)
        return not isinstance(kind, Array | Scalar | Known) and not flat

    match s:
        case S.Edit(op=op):
            return op in S.CHANGES
        case S.Bind(value=E.Call(fn=E.Attribute(base=base, attr=attr))):
            return attr not in _READERS and holds(base)
        case S.Update(items=None) | S.Store(items=(E.Slice(),)) | S.Update(items=(E.Slice(),)):
            return holds(E.Name(s.base))
        case S.Invoke(fn=E.Ref(value=f)) if f is next or f is iter:
            return False
        case S.Invoke() | S.Keep(only_names=False):
            return any(holds(E.Name(v)) for v in reads_of(s))
        case _:
            return False


def _steps(s: S.Stmt, it: str) -> bool:
    """Whether all that a statement does with an iterator is to take from it."""
    match s:
        case S.Invoke(fn=E.Ref(value=f), args=(E.Name(id=var), *rest), kwargs=()):
            return f is next and var == it and len(rest) < 2 and E.Name(it) not in rest
        case S.For(iter=S.Elements(source=var), target=target):
            return var == it and (isinstance(target, str) or _is_flat(target))
        case S.For(iter=S.Zip(inners=inners, strict=False), target=tuple(target)):
            same = all(i == S.Elements(it) for i in inners) and len(inners) == len(target)
            return same and _is_flat(target)
        case _:
            return False


def _is_flat(target: S.Target) -> bool:
    return isinstance(target, tuple) and all(isinstance(t, str) for t in target)


class _Stepping(Rewriter):
    """Puts a source and a position in the place of each iterator. `grown`: those that go through
    what may change its length."""

    def __init__(self, fn: S.Function, made: dict[str, S.Invoke], grown: set[str]) -> None:
        super().__init__(fn)
        self.source = {it: self.fresh("source") for it in made}
        self.at = {it: self.fresh("at") for it in made}
        self.grown = grown

    def one(self, s: S.Stmt) -> Iterator[S.Stmt]:
        match s:
            case S.Invoke(target=str(it), args=(E.Name(id=source),)) if it in self.at:
                yield S.Alias(self.source[it], source, **self.place(s))
                yield S.Bind(self.at[it], E.Const(0), **self.place(s))
            case S.Invoke(fn=E.Ref(value=f), args=(E.Name(id=it), *default)) if (
                f is next and it in self.at
            ):
                yield from self.next(s, s.target or self.fresh("t"), it, default)
            case S.For(iter=S.Elements(source=it)) if it in self.at:
                yield self.loop(s, it, (s.target,))
            case S.For(iter=S.Zip(inners=(S.Elements(source=it), *_)), target=tuple(targets)) if (
                it in self.at
            ):
                yield self.loop(s, it, targets)
            case _:
                yield s

    def next(self, s: S.Stmt, target: str, it: str, default: list[E.Atom]) -> Iterator[S.Stmt]:
        n = self.fresh("n")
        yield self.length(s, it, n)
        if not default and it in self.grown:
            gone = E.Compare(E.Name(self.at[it]), (">=",), (E.Name(n),))
            yield S.If(gone, (self.behind(s, it),), (), **self.place(s))
        if not default:
            check = E.Call(
                E.Ref("check_next", runtime.check_next), (E.Name(self.at[it]), E.Name(n))
            )
            yield S.Bind(self.fresh("t"), check, **self.place(s))
            yield from self.take(s, target, it)
            return
        (other,) = default
        if isinstance(other, E.Name):
            orelse: S.Stmt = S.Alias(target, other.id, **self.place(s))
        else:
            orelse = S.Bind(target, other, **self.place(s))
        there = E.Compare(E.Name(self.at[it]), ("<",), (E.Name(n),))
        then = tuple(self.take(s, target, it))
        end = (self.behind(s, it), orelse) if it in self.grown else (orelse,)
        yield S.If(there, then, end, **self.place(s))

    def length(self, s: S.Stmt, it: str, n: str) -> S.Stmt:
        """How long the source is by now."""
        return S.Bind(n, E.Call(_LEN, (E.Name(self.source[it]),)), **self.place(s))

    def behind(self, s: S.Stmt, it: str) -> S.Stmt:
        """An iterator that has come to its end gives nothing any more."""
        return S.Bind(self.at[it], _BEHIND, **self.place(s))

    def take(self, s: S.Stmt, target: S.Target, it: str) -> Iterator[S.Stmt]:
        """The item whose turn it is."""
        at = self.at[it]
        name = target if isinstance(target, str) else self.fresh("t")
        yield S.Load(name, self.source[it], (E.Name(at),), **self.place(s))
        yield S.Bind(at, E.Binary("+", E.Name(at), E.Const(1)), **self.place(s))
        if isinstance(target, tuple):
            flat = tuple(t for t in target if isinstance(t, str))
            yield S.Unpack(flat, name, **self.place(s))

    def loop(self, s: S.For, it: str, targets: tuple[S.Target, ...]) -> S.While:
        """`while` there are items for all targets; what is left over is used up."""
        n, at = self.fresh("n"), self.at[it]
        head = [self.length(s, it, n)]
        last: E.Expr = E.Name(at)
        if len(targets) > 1:
            last = E.Binary("+", last, E.Const(len(targets) - 1))
        enough = E.Compare(last, ("<",), (E.Name(n),))
        if len(targets) > 1 or it in self.grown:
            rest: S.Stmt = S.Bind(at, E.Name(n), **self.place(s))
            if it in self.grown:
                rest = self.behind(s, it)
            short = E.Compare(last, (">=",), (E.Name(n),))
            head.append(S.If(short, (rest,), (), **self.place(s)))
        taken = [t for target in targets for t in self.take(s, target, it)]
        return S.While(tuple(head), enough, (*taken, *s.body), **self.place(s))
