"""Objects as arguments and results: their derivatives are put together from those of attributes.

Compiled code knows attributes only, as variables of their own. An argument that is a dataclass, or
of a registered class (`adtrans.tree`), stands for its attributes; its gradient is one of its kind.
So do the objects in a list, a tuple or a dictionary, and what is beside them: `lines[0].slope`.

>>> from dataclasses import dataclass
>>> @dataclass
... class Line:
...     slope: float
...     name: str
>>> plan = planned({"line": Line(2.0, "a")}, ("line",))
>>> plan.names, plan.assembled([5.0])
(('line.slope',), (Line(slope=5.0, name=None),))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any, TypeAlias

import numpy as np

from adtrans import tree
from adtrans.analyses.kinds.values import plain_attributes
from adtrans.analyses.objects.classes import can_follow
from adtrans.analyses.objects.displays import name_of
from adtrans.analyses.objects.part_paths import is_key, joined
from adtrans.arguments.cotangents import Opaque, conform, cotangent, zero_like
from adtrans.arguments.inputs import Target, refuse

Path: TypeAlias = "tuple[str, ...]"
_PLAIN = (np.ndarray, np.generic, int, float, complex, str, bytes, type, FunctionType, type(None))


@dataclass(frozen=True)
class Node:
    """An object, or a container of objects: `parts` are nodes, or what stands for a leaf. `like`:
    a list or a dictionary as it was when this was made, since a function may change it."""

    like: Any
    parts: tuple[Any, ...]


def _outlined(
    value: Any, path: Path, leaf: Callable[[Path, Any], Any], apart: Callable[[Path, Any], bool]
) -> Any:
    """The nodes of a value, with `leaf(path, part)` in place of each part that is none; `apart`
    says what is one."""
    if not apart(path, value):
        return leaf(path, value)
    parts = list(tree.children(value))
    names = tree.attributes(value) if tree.is_object(value) else _items(value)
    return Node(
        value.copy() if type(value) in (list, dict) else value,
        tuple(
            leaf(path, None) if name is None and not _carries(part)
            else _outlined(part, (*path, name or ""), leaf, apart)
            for name, part in zip(names, parts, strict=True)
        ),
    )  # fmt: skip


def is_apart(value: Any) -> bool:
    """Whether the parts of a value are variables of their own: those of an object, and of a
    container that holds objects with numbers in them."""
    return tree.is_object(value) or (
        type(value) in (list, tuple, dict)
        and _holds_objects(value)
        and (type(value) is not dict or all(map(is_key, value)))
    )


def _items(value: Any) -> list[str]:
    """The names of the items of a container."""
    return [name_of(k) for k in (value if isinstance(value, dict) else range(len(value)))]


def _built(node: Any, part: Callable[[Any], Any]) -> Any:
    """What has the structure of a node, with `part(leaf)` in place of each leaf."""
    if isinstance(node, Node):
        return tree.rebuilt(node.like, [_built(p, part) for p in node.parts])
    return part(node)


def _carries(value: Any) -> bool:
    return any(map(tree.carries, tree.leaves(value)))


def _pairs(node: Any, given: Any) -> Iterator[tuple[Any, Any]]:
    """Each leaf of a node with what a tree of its structure, or None, has in its place."""
    if not isinstance(node, Node):
        yield node, given
        return
    parts = [None] * len(node.parts) if given is None else list(tree.children(given))
    for inner, part in zip(node.parts, parts, strict=True):
        yield from _pairs(inner, part)


def _beside(node: Any, value: Any, bar: Any) -> Any:
    """What is left of a cotangent for the value: that of the items that have no variables. Others
    have zeros there in a tuple, whose items compiled code takes apart."""
    if not isinstance(node, Node):
        return bar if node is None else zero_like(value)
    if tree.is_object(value):
        return None
    bars = [None] * len(node.parts) if bar is None else tree.children(bar)
    each = list(zip(node.parts, tree.children(value), bars, strict=True))
    if not isinstance(value, tuple) and not any(n is None and _carries(v) for n, v, _ in each):
        return None
    return tree.rebuilt(value, [_beside(*part) for part in each])


def _joined(node: Any, dot: Any, found: Any) -> Any:
    """The tangent of a node, from that of the value and those of the variables in it."""
    if not isinstance(node, Node):
        return dot if node is None else found[node]
    inside = not tree.is_object(node.like) and isinstance(dot, tuple | list | dict)
    dots = list(tree.children(dot)) if inside else [None] * len(node.parts)
    parts = [_joined(n, d, found) for n, d in zip(node.parts, dots, strict=True)]
    return tree.rebuilt(node.like, parts)


# -- arguments -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """`names`: what is differentiated instead of the names asked for; `nodes`: one for each of
    these, whose leaves are places among `names`."""

    names: tuple[str, ...]
    nodes: tuple[Any, ...]

    def assembled(self, found: Any) -> tuple[Any, ...]:
        """The derivatives by the names asked for, from those by `names`."""
        return tuple(_built(n, lambda at: None if at is None else found[at]) for n in self.nodes)

    def spread(self, given: Any) -> tuple[Any, ...]:
        """For each of `names` its part of what is given for the names asked for."""
        parts: dict[int, Any] = {}
        for node, value in zip(self.nodes, given, strict=True):
            parts |= {at: part for at, part in _pairs(node, value) if at is not None}
        return tuple(parts[k] for k in range(len(self.names)))


def planned(table: Mapping[str, Any], names: tuple[str, ...]) -> Plan | None:
    """How to differentiate by `names`; None where they are variables of compiled code.

    Raises:
        InputError: AD402 for an object with no number in it, or with objects in a named tuple.
    """
    for n in names:
        cls = type(table[n])
        array_like = hasattr(cls, "__array__") or hasattr(cls, "__array_interface__")
        if can_follow(cls) and not tree.is_object(table[n]) and not array_like:
            _refuse_leaf(n, table[n])
    if not any(is_apart(table[n]) or _holds_objects(table[n]) for n in names):
        return None
    found: list[str] = []

    def leaf(path: Path, value: Any) -> int | None:
        inside = len(path) > 1
        if inside and not _carries(value):
            return None
        if (inside and "" in path) or _holds_objects(value):
            refuse(
                "AD402",
                f"cannot differentiate with respect to `{path[0]}`",
                "a part of it is no attribute of its own, or objects are held by a named tuple in "
                "it, a class of lists or dictionaries, or under a key that is no text or integer.",
                "name the attributes that are meant, such as `wrt=\"p.a\"`",
            )
        found.append(joined(path))
        return len(found) - 1

    nodes = tuple(_outlined(table[n], (n,), leaf, lambda _, v: is_apart(v)) for n in names)
    for n in names:
        if tree.is_object(table[n]) and not _carries(table[n]):
            refuse("AD402", f"cannot differentiate with respect to `{n}`: no attribute is a float",
                   "only floating-point numbers and arrays have derivatives.",
                   f"choose another parameter than `{n}` in `wrt`")  # fmt: skip
    return Plan(tuple(found), nodes)


def overlapping(names: Iterable[str]) -> tuple[str, str] | None:
    """Two of the names of which one is a part of the other, if there are such.

    >>> overlapping(("p.a", "q", "p"))
    ('p.a', 'p')
    """
    listed = list(names)
    for a in listed:
        for b in listed:
            if a != b and a.startswith((f"{b}.", f"{b}[")):
                return a, b
    return None


def check_apart(names: Iterable[str]) -> None:
    """Refuse names of which one is a part of another: it would have two tangents.

    Raises:
        InputError: AD410.
    """
    if found := overlapping(names):
        part, whole = found
        refuse("AD410", f"`{part}` is a part of `{whole}`, and has one tangent",
               "both are named, and in the forward direction each name has a tangent of its own.",
               f"leave out `{part}`")  # fmt: skip


def _refuse_leaf(name: str, value: Any) -> None:
    """Refuse an object that `adtrans.tree` does not know to have parts."""
    floats = [a for a, v in plain_attributes(value).items() if tree.carries(v)]
    cls = type(value).__name__
    refuse(
        "AD402",
        f"cannot differentiate with respect to `{name}`: it is a {cls}",
        "objects of this class are no trees, so that a gradient has no form.",
        f"`adtrans.tree.register({cls}, ...)`, or the attributes that are meant: "
        f"`wrt=\"{name}.{floats[0] if floats else 'a'}\"`",
    )


def in_attributes(target: Target, values: tuple[Any, ...], names: tuple[str, ...]) -> (
    tuple[str, ...]
):
    """What compiled code calls what is asked for."""
    plan = planned({n: target.value(n, values) for n in names}, names)
    return names if plan is None else plan.names


def _holds_objects(value: Any, around: tuple[Any, ...] = ()) -> bool:
    """Whether there are objects with numbers in a container; `around` are those it was found in."""
    if not isinstance(value, tuple | list | dict) or any(value is o for o in around):
        return False
    inside = (*around, value)
    items = tree.children(value)
    return any(_carries(v) if tree.is_object(v) else _holds_objects(v, inside) for v in items)


# -- results ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """What a call returned: its value, and the attributes of objects in it that are followed.

    `items` are those of a tuple, or the value alone; `nodes` belong to these: places among the
    attributes in the objects, None for what is no object.
    """

    value: Any
    items: tuple[Any, ...]
    nodes: tuple[Any, ...]
    count: int

    def seeds(self, given: Any) -> Any:
        """The cotangent of everything that was returned, from that of the value.

        Raises:
            InputError: AD405 or AD406 for one that is not of the form of the value.
        """
        checked = cotangent(given, self.form())
        if not self.count:
            return checked
        found: list[Any] = [None] * self.count
        rest = []
        bars = checked if self.is_tuple else (checked,)
        for node, item, bar in zip(self.nodes, self.items, bars, strict=True):
            for at, part in _pairs(node, bar) if isinstance(node, Node) else ():
                if at is not None:
                    found[at] = part
            rest.append(_beside(node, item, bar))
        return (tuple(rest) if self.is_tuple else rest[0], *found)

    def tangent(self, dots: Any) -> Any:
        """The tangent of the value, from those of everything that was returned.

        Raises:
            InputError: AD405 for an object with numbers that no tangent is computed for.
        """
        if not self.count:
            return conform(dots, self.form())
        rest, *found = dots
        if rest is None and self.is_tuple:  # objects alone
            rest = (None,) * len(self.nodes)
        items = [
            _joined(node, dot, found)
            for node, dot in zip(self.nodes, rest if self.is_tuple else (rest,), strict=True)
        ]
        return conform(tuple(items) if self.is_tuple else items[0], self.form())

    @property
    def is_tuple(self) -> bool:
        """Whether the value is a tuple, whose items are looked at one by one."""
        return self.items is self.value

    def form(self) -> Any:
        """The value, with a mark for each object in it that nothing is known of."""
        known = tuple(
            item if isinstance(node, Node) else _marked(item)
            for item, node in zip(self.items, self.nodes, strict=True)
        )
        return known if self.is_tuple else known[0]


class Whole(Result):
    """The same of a recorded run, in which each leaf has its place, those of objects, too."""

    def form(self) -> Any:
        """The value."""
        return self.value


def recorded_result(value: Any) -> Result:
    """The result of a recorded run."""
    return Whole(value, (value,), (None,), 0)


def returned(found: Any, results: tuple[Path, ...]) -> Result:
    """The result of compiled code that returns the attributes `results` behind the value."""
    value, *cells = found if results else (found,)
    places = {path: k for k, path in enumerate(results)}
    around = {path[:end] for path in results for end in range(len(path))}

    def apart(path: Path, part: Any) -> bool:
        return tree.is_object(part) or (path in around and type(part) in (list, tuple, dict))

    is_tuple = type(value) is tuple
    items = value if is_tuple else (value,)
    nodes = []
    for k, item in enumerate(items):
        start = (f"[{k}]",) if is_tuple else ()
        unknown: list[Path] = []  # parts with parts that are followed, and that are not looked into

        def leaf(path: Path, part: Any, unknown: list[Path] = unknown) -> int | None:
            if path in around and isinstance(part, tuple | list | dict) and _carries(part):
                unknown.append(path)
            return places.get(path)

        here = start in around and apart(start, item)
        outlined = _outlined(item, start, leaf, apart) if here else None
        nodes.append(None if unknown else outlined)
    return Result(value, items, tuple(nodes), len(cells))


def _marked(value: Any) -> Any:
    """`value` with a mark for each object in it that holds numbers."""
    if isinstance(value, tuple | list):
        return tree.rebuilt(value, [_marked(v) for v in value])
    if isinstance(value, dict):
        return {k: _marked(v) for k, v in value.items()}
    if isinstance(value, _PLAIN) or not any(map(_is_number, plain_attributes(value).values())):
        return value
    return Opaque(type(value).__name__)


def _is_number(value: object) -> bool:
    return tree.carries(value) or not isinstance(value, _PLAIN)
