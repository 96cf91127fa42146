"""`adtrans.tree.map` and `adtrans.tree.leaves`, written out for the kinds of one call.

Where a function that is differentiated calls them, the structure of their arguments is known, and
what they do is a function of a few lines. The order of a dictionary is that of the run.

>>> from adtrans.ir.kinds import PY_FLOAT
>>> pair = TupleOf((PY_FLOAT, ListOf(Array("float64", (None,)))))
>>> print(text(tree.leaves, (pair,)))
def leaves_here(a):
    return [a[0]] + [x for x in a[1]]
<BLANKLINE>
>>> print(text(tree.map, (PY_FLOAT, pair, pair)))
def map_here(f, a, b):
    return (f(a[0], b[0]), [f(x, x_2) for x, x_2 in zip(a[1], b[1], strict=True)])
<BLANKLINE>
>>> print(text(tree.leaves, (DictOf(PY_FLOAT, fields=(("k", PY_FLOAT), ("v", pair))),)))
def leaves_here_2(a):
    check_keys(a, ('k', 'v'))
    found = []
    for k in a:
        if k == 'k':
            found = found + [a['k']]
        elif k == 'v':
            found = found + [a['v'][0]] + [x for x in a['v'][1]]
    return found
def leaves_here(a):
    return leaves_here_2(a)
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType

from adtrans import runtime, tree
from adtrans.emit.load import load
from adtrans.ir.kinds import Array, DictOf, Kind, Known, ListOf, Maybe, Scalar, TupleOf
from adtrans.ir.names import NameAllocator

__all__ = ["TREES", "for_kinds", "text"]

TREES = (tree.map, tree.leaves)
_STEMS: dict[object, str] = {tree.map: "map", tree.leaves: "leaves"}
_LEAVES = (Array, Scalar, Known, Maybe)
_TREE_NAMES = "abcdeghij"


class _Unclear(Exception):
    """The structure of an argument is not known, or has objects in it."""


def for_kinds(fn: FunctionType, kinds: Sequence[Kind]) -> FunctionType | None:
    """The function for arguments of these kinds; None if they are not known well enough."""
    try:
        written = text(fn, kinds)
    except _Unclear:
        return None
    return load(written, fn.__name__, {"check_keys": runtime.check_keys})[f"{_STEMS[fn]}_here"]


def text(fn: object, kinds: Sequence[Kind]) -> str:
    """The source of the function for arguments of these kinds."""
    writer = _Writer()
    if fn is tree.leaves:
        name = writer.names.fresh("leaves_here")
        body = writer.leaves("a", kinds[0])
        writer.define(name, "a", [f"return {body}"])
    else:
        name = writer.names.fresh("map_here")
        trees = _letters(len(kinds) - 1)
        body = writer.mapped(trees, kinds[1:])
        writer.define(name, ", ".join(["f", *trees]), [f"return {body}"])
    return "".join(writer.functions)


def _letters(count: int) -> list[str]:
    """Names for trees; `f` is the function, `k` a key."""
    if count > len(_TREE_NAMES):
        raise _Unclear
    return list(_TREE_NAMES[:count])


class _Writer:
    """Writes expressions, and functions for what takes statements: the entries of a dictionary."""

    def __init__(self) -> None:
        self.functions: list[str] = []
        self.names = NameAllocator(
            {*_TREE_NAMES, "f", "k", "found", "made", "check_keys"}
        )

    def define(self, name: str, params: str, body: Sequence[str]) -> None:
        lines = "".join(f"    {line}\n" for line in body)
        self.functions.append(f"def {name}({params}):\n{lines}")

    def by_key(
        self, kind: DictOf, param: str, entry: Callable[[str | int, Kind], str]
    ) -> list[str]:
        """A line for each key, in the order of the run."""
        keys = tuple(key for key, _ in kind.fields)
        lines = [f"check_keys({param}, {keys!r})", "", f"for k in {param}:"]
        for n, (key, item) in enumerate(kind.fields):
            lines.append(f"    {'elif' if n else 'if'} k == {key!r}:")
            lines.append(f"        {entry(key, item)}")
        return lines

    def leaves(self, a: str, kind: Kind) -> str:
        """A list of the leaves."""
        match kind:
            case TupleOf():
                parts = [self.leaves(f"{a}[{k}]", item) for k, item in enumerate(kind.items)]
                return " + ".join(parts) or "[]"
            case DictOf() if kind.fields:
                name = self.names.fresh("leaves_here")
                lines = self.by_key(
                    kind, "a", lambda k, item: f"found = found + {self.leaves(f'a[{k!r}]', item)}"
                )
                lines[1] = "found = []"
                self.define(name, "a", [*lines, "return found"])
                return f"{name}({a})"
            case ListOf() | DictOf():
                x = self.names.fresh("x")
                every = a if isinstance(kind, ListOf) else f"{a}.values()"
                if isinstance(kind.item, _LEAVES):
                    return f"[{x} for {x} in {every}]"
                y = self.names.fresh("y")
                return f"[{y} for {x} in {every} for {y} in {self.leaves(x, kind.item)}]"
            case _ if isinstance(kind, _LEAVES):
                return f"[{a}]"
            case _:
                raise _Unclear

    def mapped(self, trees: Sequence[str], kinds: Sequence[Kind]) -> str:
        """A value of the same structure, of what `f` returns."""
        first = kinds[0]
        if isinstance(first, _LEAVES):
            return f"f({', '.join(trees)})"
        if any(type(k) is not type(first) for k in kinds):
            raise _Unclear
        if isinstance(first, TupleOf):
            return self.of_tuple(trees, [k for k in kinds if isinstance(k, TupleOf)])
        if isinstance(first, DictOf):
            return self.of_dict(trees, [k for k in kinds if isinstance(k, DictOf)])
        if not isinstance(first, ListOf):
            raise _Unclear
        names = [self.names.fresh("x") for _ in trees]
        inner = self.mapped(names, [k.item for k in kinds if isinstance(k, ListOf)])
        if len(names) == 1:
            return f"[{inner} for {names[0]} in {trees[0]}]"
        return f"[{inner} for {', '.join(names)} in zip({', '.join(trees)}, strict=True)]"

    def of_tuple(self, trees: Sequence[str], kinds: Sequence[TupleOf]) -> str:
        sizes = {len(k.items) for k in kinds}
        if len(sizes) != 1 or any(k.cls is not None for k in kinds):
            raise _Unclear
        parts = [
            self.mapped([f"{t}[{n}]" for t in trees], [k.items[n] for k in kinds])
            for n in range(sizes.pop())
        ]
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"

    def of_dict(self, trees: Sequence[str], kinds: Sequence[DictOf]) -> str:
        fields = [dict(k.fields) for k in kinds]
        if any(set(f) != set(fields[0]) for f in fields):
            raise _Unclear
        if not fields[0]:
            if len(trees) > 1:
                raise _Unclear  # whether they have the same keys is not known
            key = self.names.fresh("x")
            inner = self.mapped([f"{trees[0]}[{key}]"], [kinds[0].item])
            return f"{{{key}: {inner} for {key} in {trees[0]}}}"
        own = _letters(len(trees))

        def entry(key: str | int, item: Kind) -> str:
            values = [f"{t}[{key!r}]" for t in own]
            return f"made[{key!r}] = {self.mapped(values, [f[key] for f in fields])}"

        name = self.names.fresh("map_here")
        lines = self.by_key(kinds[0], own[0], entry)
        lines[1] = "made = {}"
        self.define(name, ", ".join(["f", *own]), [*lines, "return made"])
        return f"{name}({', '.join(['f', *trees])})"
