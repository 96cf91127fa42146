"""`adtrans.tree.map` and `adtrans.tree.leaves`, written out for the kinds of one call.

Where a function that is differentiated calls them, the structure of their arguments is known, and
what they do is a function of a line or two.

>>> from adtrans.ir.kinds import PY_FLOAT
>>> pair = TupleOf((PY_FLOAT, ListOf(Array("float64", (None,)))))
>>> print(text(tree.leaves, (pair,)))
def leaves_here(a):
    return [a[0]] + [x for x in a[1]]
<BLANKLINE>
>>> print(text(tree.map, (PY_FLOAT, pair, pair)))
def map_here(f, a, b):
    return (f(a[0], b[0]), [f(x, x_1) for x, x_1 in zip(a[1], b[1], strict=True)])
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from types import FunctionType

from adtrans import tree
from adtrans.emit.load import load
from adtrans.ir.kinds import Array, DictOf, Kind, Known, ListOf, Maybe, Scalar, TupleOf

__all__ = ["TREES", "for_kinds", "text"]

TREES = (tree.map, tree.leaves)
_LEAVES = (Array, Scalar, Known, Maybe)


class _Unclear(Exception):
    """The structure of an argument is not known, or has objects in it."""


def for_kinds(fn: FunctionType, kinds: Sequence[Kind]) -> FunctionType | None:
    """The function for arguments of these kinds; None if they are not known well enough."""
    try:
        written = text(fn, kinds)
    except _Unclear:
        return None
    name = f"{fn.__name__}_here"
    return load(written, fn.__name__, {})[name]


def text(fn: object, kinds: Sequence[Kind]) -> str:
    """The source of the function for arguments of these kinds."""
    if fn is tree.leaves:
        (kind,) = kinds
        return f"def leaves_here(a):\n    return {_leaves('a', kind, 0)}\n"
    names = [chr(ord("a") + k) for k in range(len(kinds) - 1)]
    body = _Mapping().written(names, kinds[1:])
    return f"def map_here({', '.join(['f', *names])}):\n    return {body}\n"


def _leaves(a: str, kind: Kind, depth: int) -> str:
    """A list of the leaves."""
    parts: list[str] = []
    plain: list[str] = []

    def flush() -> None:
        if plain:
            parts.append(f"[{', '.join(plain)}]")
            plain.clear()

    for inner, item in _items(a, kind):
        if isinstance(item, _LEAVES):
            plain.append(inner)
        else:
            flush()
            parts.append(_leaves(inner, item, depth))
    flush()
    if parts or isinstance(kind, TupleOf):
        return " + ".join(parts) or "[]"
    if isinstance(kind, _LEAVES):
        return f"[{a}]"
    if not isinstance(kind, ListOf | DictOf):
        raise _Unclear
    x, y = (f"{v}_{depth}" if depth else v for v in "xy")
    every = a if isinstance(kind, ListOf) else f"{a}.values()"
    if isinstance(kind.item, _LEAVES):
        return f"[{x} for {x} in {every}]"
    return f"[{y} for {x} in {every} for {y} in {_leaves(x, kind.item, depth + 1)}]"


def _items(a: str, kind: Kind) -> list[tuple[str, Kind]]:
    """The parts, where they are known by place or key."""
    if isinstance(kind, TupleOf):
        return [(f"{a}[{k}]", item) for k, item in enumerate(kind.items)]
    if isinstance(kind, DictOf) and kind.fields:
        return [(f"{a}[{k!r}]", item) for k, item in kind.fields]
    return []


class _Mapping:
    """Writes the values of the same structure."""

    def __init__(self) -> None:
        self.numbers = count()

    def name(self) -> str:
        n = next(self.numbers)
        return f"x_{n}" if n else "x"

    def written(self, trees: Sequence[str], kinds: Sequence[Kind]) -> str:
        first = kinds[0]
        if isinstance(first, _LEAVES):
            return f"f({', '.join(trees)})"
        if any(type(k) is not type(first) for k in kinds):
            raise _Unclear
        if isinstance(first, TupleOf):
            return self.of_tuple(trees, kinds)
        if isinstance(first, DictOf) and first.fields:
            return self.of_dict(trees, kinds)
        if isinstance(first, DictOf):
            key = self.name()
            items = [k.item for k in kinds if isinstance(k, DictOf)]
            inner = self.written([f"{t}[{key}]" for t in trees], items)
            return f"{{{key}: {inner} for {key} in {trees[0]}}}"
        if isinstance(first, ListOf):
            names = [self.name() for _ in trees]
            inner = self.written(names, [k.item for k in kinds if isinstance(k, ListOf)])
            if len(names) == 1:
                return f"[{inner} for {names[0]} in {trees[0]}]"
            return f"[{inner} for {', '.join(names)} in zip({', '.join(trees)}, strict=True)]"
        raise _Unclear

    def of_tuple(self, trees: Sequence[str], kinds: Sequence[Kind]) -> str:
        tuples = [k for k in kinds if isinstance(k, TupleOf)]
        sizes = {len(k.items) for k in tuples}
        if len(sizes) != 1 or any(k.cls is not None for k in tuples):
            raise _Unclear
        parts = [
            self.written([f"{t}[{n}]" for t in trees], [k.items[n] for k in tuples])
            for n in range(sizes.pop())
        ]
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"

    def of_dict(self, trees: Sequence[str], kinds: Sequence[Kind]) -> str:
        fields = [dict(k.fields) for k in kinds if isinstance(k, DictOf)]
        if any(set(f) != set(fields[0]) for f in fields):
            raise _Unclear
        parts = [
            f"{key!r}: {self.written([f'{t}[{key!r}]' for t in trees], [f[key] for f in fields])}"
            for key in fields[0]
        ]
        return f"{{{', '.join(parts)}}}"
