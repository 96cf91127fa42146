"""Loop headers by position: what each target is in the k-th iteration, and how many there are.

`for i, row in enumerate(A)`: `i` is `k`, `row` is `A[k]`, and there are `len(A)` iterations.

>>> rows = S.Enumerate(S.Elements("A"), E.Const(0))
>>> print(count(rows), count(S.Zip((S.Elements("A"), S.Elements("b")))), sep="; ")
len(A); min(len(A), len(b))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, ListOf, TupleOf


@dataclass(frozen=True, slots=True)
class Leaf:
    """One target variable: `value` over the position, None when the header binds it as it is;
    `source`: the variable of which it is an element."""

    value: E.Expr | None
    source: str | None = None


def position(loop: S.For) -> str:
    """The variable that counts the iterations of `loop` from 0, where one is needed."""
    return f"k#{loop.site}"


def is_position(var: str) -> bool:
    """Whether a name is that of a loop's position."""
    return var.startswith("k#")


def is_plain(loop: S.For) -> bool:
    """Whether the loop runs over a range, so that its reversal runs over the same values."""
    it = loop.iter.inner if isinstance(loop.iter, S.Reversed) else loop.iter
    return isinstance(it, S.Range) and isinstance(loop.target, str)


def leaves(loop: S.For, kinds: Kinds) -> Mapping[str, Leaf]:
    """The leaves of the target that can be had from the position."""
    if is_plain(loop):
        return {str(loop.target): Leaf(None)}
    return dict(_leaves(loop.target, loop.iter, E.Name(position(loop)), loop.site, kinds))


def _leaves(
    target: S.Target, it: S.Iter, k: E.Expr, site: int, kinds: Kinds
) -> Iterator[tuple[str, Leaf]]:
    match it:
        case S.Range() if isinstance(target, str):
            yield target, Leaf(_plus(it.start, _times(it.step, k)))
        case S.Elements():
            if isinstance(kinds.at(site, it.source), Array | ListOf | TupleOf):
                element = E.Index(E.Name(it.source), (k,))
                yield from _parts(target, element, it.source)
        case S.Reversed(inner=S.Elements() as inner):
            yield from _leaves(target, inner, E.Binary("-", E.Const(-1), k), site, kinds)
        case S.Reversed(inner=S.Range() as inner) if isinstance(target, str):
            last = E.Binary("-", E.Call(E.Ref("len", len), (range_expr(inner),)), E.Const(1))
            yield target, Leaf(_plus(inner.start, _times(inner.step, E.Binary("-", last, k))))
        case S.Enumerate() if isinstance(target, tuple) and len(target) == 2:
            if isinstance(target[0], str):
                yield target[0], Leaf(_plus(it.start, k))
            yield from _leaves(target[1], it.inner, k, site, kinds)
        case S.Zip() if isinstance(target, tuple) and len(target) == len(it.inners):
            for t, inner_it in zip(target, it.inners, strict=True):
                yield from _leaves(t, inner_it, k, site, kinds)
        case _:
            return


def _parts(target: S.Target, element: E.Expr, source: str) -> Iterator[tuple[str, Leaf]]:
    if isinstance(target, str):
        yield target, Leaf(element, source)
    else:
        for n, t in enumerate(target):
            yield from _parts(t, E.Index(element, (E.Const(n),)), source)


def range_expr(r: S.Range) -> E.Expr:
    """`range(...)` with as few arguments as a person would write.

    >>> print(range_expr(S.Range(E.Const(0), E.Name("n"), E.Const(1))))
    range(n)
    """
    args: tuple[E.Expr, ...] = (r.start, r.stop, r.step)
    if r.step == E.Const(1):
        args = (r.stop,) if r.start == E.Const(0) else (r.start, r.stop)
    return E.Call(E.Ref("range", range), args)


def count(it: S.Iter) -> E.Expr:
    """The number of iterations, as an expression over what is iterated over."""
    length = E.Ref("len", len)
    match it:
        case S.Range():
            if it.start == E.Const(0) and it.step == E.Const(1):
                return it.stop
            return E.Call(length, (range_expr(it),))
        case S.Elements():
            return E.Call(length, (E.Name(it.source),))
        case S.Enumerate() | S.Reversed():
            return count(it.inner)
        case S.Zip():
            counts = tuple(dict.fromkeys(count(i) for i in it.inners))
            return counts[0] if len(counts) == 1 else E.Call(E.Ref("min", min), counts)


def _plus(a: E.Expr, b: E.Expr) -> E.Expr:
    return b if a == E.Const(0) else E.Binary("+", a, b)


def _times(a: E.Expr, b: E.Expr) -> E.Expr:
    return b if a == E.Const(1) else E.Binary("*", a, b)
