"""Values that consist of values: tuples, lists, dicts, named tuples, dataclasses, your own classes.

Gradients have the structure of what they belong to. These functions go through such structures; a
leaf is anything that is none of the above (None, too).

>>> import numpy as np
>>> params = {"w": np.array([[1.0, 2.0]]), "b": (3.0, 4)}
>>> map(lambda leaf: 10 * leaf, params)
{'w': array([[10., 20.]]), 'b': (30.0, 40)}
>>> leaves(params)
[array([[1., 2.]]), 3.0, 4]
>>> flat, unravel = ravel(params)
>>> flat
array([1., 2., 3.])
>>> unravel(2.0 * flat)
{'w': array([[2., 4.]]), 'b': (6.0, 4)}
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

__all__ = ["is_leaf", "leaves", "map", "ravel", "register"]

T = TypeVar("T")

_CLASSES: dict[type, tuple[Callable[[Any], Iterable[Any]], Callable[[Any, list[Any]], Any]]] = {}


def register(
    cls: type[T],
    children: Callable[[T], Iterable[Any]],
    rebuild: Callable[[T, list[Any]], T],
) -> None:
    """Make objects of `cls` nodes.

    `children(obj)` are the parts, `rebuild(obj, parts)` makes another object from new parts.

    >>> class Point:
    ...     def __init__(self, x, y): self.x, self.y = x, y
    >>> register(Point, lambda p: (p.x, p.y), lambda p, parts: Point(*parts))
    >>> leaves([Point(1.0, 2.0), 3.0])
    [1.0, 2.0, 3.0]
    """
    _CLASSES[cls] = children, rebuild


def is_leaf(value: object) -> bool:
    """Whether `value` has no parts.

    >>> is_leaf(1.0), is_leaf(None), is_leaf((1.0,))
    (True, True, False)
    """
    if isinstance(value, tuple | list | dict) or type(value) in _CLASSES:
        return False
    return isinstance(value, type) or not dataclasses.is_dataclass(value)


def leaves(tree: Any) -> list[Any]:
    """The leaves from left to right; those of a dict in its own order.

    Raises:
        ValueError: for a list or dictionary that holds itself.
    """
    try:
        return list(_leaves(tree))
    except RecursionError:
        raise ValueError("a list or dictionary holds itself, or they are nested too deep") from None


def map(f: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """A value of the same structure with `f(leaf, ...)` in place of each leaf.

    The others have the structure of the first, or more: where the first has a leaf, they may have
    a whole tree. Dicts are matched by their keys.

    >>> map(lambda p, g: p - 0.5 * g, {"a": 1.0, "b": [2.0]}, {"b": [4.0], "a": 2.0})
    {'a': 0.0, 'b': [0.0]}

    What has no gradient has None there, which `f` is given like any other leaf:

    >>> map(lambda p, g: p if g is None else p - 0.5 * g, [1.0, 3, "name"], [2.0, None, None])
    [0.0, 3, 'name']

    Raises:
        ValueError: where the others have another structure.
    """
    if is_leaf(tree):
        return f(tree, *others)
    for other in others:
        _check_same(tree, other)
    if isinstance(tree, dict):
        return rebuilt(tree, [map(f, v, *(o[k] for o in others)) for k, v in tree.items()])
    parts = [list(children(t)) for t in (tree, *others)]
    return rebuilt(tree, [map(f, *items) for items in zip(*parts, strict=True)])


@dataclass(frozen=True)
class Unravel:
    """From a flat vector back to a tree of the form of `like`."""

    like: Any

    def __call__(self, flat: Any) -> Any:
        """The tree with the numbers in `flat`.

        Raises:
            ValueError: if `flat` has not as many numbers as the tree.
        """
        flat = np.asarray(flat)
        size = sum(np.size(leaf) for leaf in _leaves(self.like) if carries(leaf))
        if flat.shape != (size,):
            raise ValueError(f"a vector of shape {(size,)} is needed, not {flat.shape}")
        at = 0

        def one(leaf: Any) -> Any:
            nonlocal at
            if not carries(leaf):
                return leaf
            part = flat[at : at + np.size(leaf)]
            at += np.size(leaf)
            if isinstance(leaf, np.ndarray):
                return part.reshape(leaf.shape).astype(leaf.dtype)
            return type(leaf)(part[0])

        return map(one, self.like)

    def __getstate__(self) -> dict[str, Any]:
        # a function that was written for it, when it was differentiated, stays behind
        return {"like": self.like}


def ravel(tree: Any) -> tuple[Any, Unravel]:
    """All floating-point numbers of a tree as one new vector, and the way back.

    Leaves that are no floating-point numbers are not part of the vector; the tree that `unravel`
    makes has the ones of `tree`.

    >>> flat, unravel = ravel([np.ones((2, 2)), 5.0, "name"])
    >>> flat, unravel(flat)[2]
    (array([1., 1., 1., 1., 5.]), 'name')
    """
    parts = [np.ravel(leaf) for leaf in leaves(tree) if carries(leaf)]
    flat = np.concatenate(parts) if parts else np.zeros(0)
    # the tree may change later; the way back must not
    like = map(lambda leaf: np.zeros_like(leaf) if _is_float_array(leaf) else leaf, tree)
    return flat, Unravel(like)


def carries(leaf: object) -> bool:
    """Whether a leaf can carry a derivative: a floating-point number or an array of them.

    >>> carries(1.0), carries(1), carries(np.ones(2)), carries(np.arange(2)), carries("x")
    (True, False, True, False, False)
    """
    return isinstance(leaf, float | np.floating) or _is_float_array(leaf)


def _is_float_array(leaf: object) -> bool:
    return isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f"


def _leaves(tree: Any) -> Iterator[Any]:
    if is_leaf(tree):
        yield tree
        return
    for child in children(tree):
        yield from _leaves(child)


def is_object(value: object) -> bool:
    """Whether `value` is a node and none of Python's containers: it has attributes.

    >>> is_object([1.0]), is_object(slice(1))
    (False, False)
    """
    return not is_leaf(value) and not isinstance(value, tuple | list | dict)


def is_class_of_objects(cls: object) -> bool:
    """Whether the objects of a class are nodes, and none of Python's containers."""
    if not isinstance(cls, type) or issubclass(cls, tuple | list | dict):
        return False
    return cls in _CLASSES or dataclasses.is_dataclass(cls)


def attributes(obj: Any) -> list[str | None]:
    """The attributes that the parts of an object are; None for a part that is none, or where two
    attributes are the same object.

    >>> @dataclasses.dataclass
    ... class Point:
    ...     x: float
    ...     y: float
    >>> attributes(Point(1.0, 1.0))
    ['x', 'y']
    """
    if type(obj) not in _CLASSES:
        return [field.name for field in dataclasses.fields(obj)]
    slots = (n for c in type(obj).__mro__ for n in getattr(c, "__slots__", ()))
    names = [*getattr(obj, "__dict__", {}), *(n for n in slots if hasattr(obj, n))]
    found: list[str | None] = []
    for part in children(obj):
        same = [n for n in names if getattr(obj, n) is part]
        found.append(same[0] if len(same) == 1 else None)
    return found


def children(tree: Any) -> Iterable[Any]:
    """The parts of a node."""
    if type(tree) in _CLASSES:
        return _CLASSES[type(tree)][0](tree)
    if isinstance(tree, dict):
        return tree.values()
    if isinstance(tree, tuple | list):
        return tree
    return [getattr(tree, field.name) for field in dataclasses.fields(tree)]


def rebuilt(like: Any, parts: list[Any]) -> Any:
    """A node like another one, with other parts."""
    if type(like) in _CLASSES:
        return _CLASSES[type(like)][1](like, parts)
    if isinstance(like, tuple):
        return type(like)(*parts) if hasattr(like, "_make") else tuple(parts)
    if isinstance(like, list):
        return parts
    if isinstance(like, dict):
        return dict_like(like, dict(zip(like, parts, strict=True)))
    return _dataclass_like(like, parts)


def dict_like(like: dict[Any, Any], items: dict[Any, Any]) -> dict[Any, Any]:
    """A dictionary of the class of another one, with the same keys."""
    if type(like) is dict:
        return items
    new = like.copy()  # keeps what a subclass adds, such as a default factory
    for key, value in items.items():  # what a Counter gets by `update` is added
        new[key] = value
    return new


def _dataclass_like(like: Any, parts: list[Any]) -> Any:
    """A copy with other fields; neither `__init__` nor `__post_init__` runs again."""
    new = object.__new__(type(like))
    for name, value in getattr(like, "__dict__", {}).items():
        object.__setattr__(new, name, value)
    for field, part in zip(dataclasses.fields(like), parts, strict=True):
        object.__setattr__(new, field.name, part)
    return new


def _check_same(tree: Any, other: Any) -> None:
    same = type(tree) is type(other) or (
        isinstance(tree, dict) and isinstance(other, dict)
    )
    if same and isinstance(tree, dict):
        same = tree.keys() == other.keys()
    elif same:
        same = len(list(children(tree))) == len(list(children(other)))
    if not same:
        raise ValueError(f"the structures differ: {_shown(tree)} and {_shown(other)}")


def _shown(tree: Any) -> str:
    if is_leaf(tree):
        return f"a leaf of type {type(tree).__name__}"
    if isinstance(tree, dict):
        return f"a dict with the keys {list(tree)!r}"
    return f"a {type(tree).__name__} of {len(list(children(tree)))}"
