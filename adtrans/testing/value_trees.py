"""Nested values seen as a list of leaves, each with its place.

>>> [path for path, leaf in leaves({"w": [1.0, 2.0], "b": 3.0})]
["['w'][0]", "['w'][1]", "['b']"]
>>> rebuild((1.0, [2.0]), lambda path, leaf: 10 * leaf)
(10.0, [20.0])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from adtrans import tree


def leaves(value: object, path: str = "") -> Iterator[tuple[str, Any]]:
    """The leaves of tuples, lists, dicts, dataclasses and objects of registered classes, with
    Python text that leads to each."""
    for key, child in _children(value, path):
        yield from leaves(child, key)
    if not _is_node(value):
        yield path, value


def rebuild(value: Any, f: Callable[[str, Any], Any], path: str = "") -> Any:
    """A value of the same structure whose leaves are `f(path, leaf)`."""
    if not _is_node(value):
        return f(path, value)
    new = [rebuild(child, f, key) for key, child in _children(value, path)]
    if isinstance(value, Mapping):
        items = dict(zip(value, new, strict=True))
        return tree.dict_like(value, items) if isinstance(value, dict) else items
    if isinstance(value, list):
        return new
    if isinstance(value, tuple):
        return type(value)(*new) if hasattr(value, "_fields") else tuple(new)
    return tree.rebuilt(value, new)


def is_float(leaf: object) -> bool:
    """Whether a leaf can carry a derivative: a float, or a floating or complex array.

    >>> is_float(1.0), is_float(np.ones(2)), is_float(1), is_float(np.arange(2)), is_float(None)
    (True, True, False, False, False)
    """
    if isinstance(leaf, np.ndarray | np.generic):
        return bool(np.issubdtype(leaf.dtype, np.inexact))
    return isinstance(leaf, float | complex)


def inner(a: object, b: object) -> float:
    """The sum of products over the floating leaves of two values of one structure.

    >>> inner((2.0, np.array([1.0, 3.0])), (5.0, np.ones(2)))
    14.0
    """
    others = dict(leaves(b))
    total = 0.0
    for path, leaf in leaves(a):
        other = others.get(path)
        if leaf is not None and other is not None and is_float(leaf) and is_float(other):
            product = np.asarray(leaf, complex) * np.conj(np.asarray(other, complex))
            total += float(np.sum(product.real))
    return total


def _is_node(value: object) -> bool:
    if isinstance(value, tuple | list | Mapping):
        return True
    return tree.is_object(value)


def _children(value: object, path: str) -> list[tuple[str, Any]]:
    if isinstance(value, Mapping):
        return [(f"{path}[{key!r}]", child) for key, child in value.items()]
    if isinstance(value, tuple | list):
        return [(f"{path}[{i}]", child) for i, child in enumerate(value)]
    if tree.is_object(value):
        parts = zip(tree.attributes(value), tree.children(value), strict=True)
        return [(f"{path}.{name or k}", child) for k, (name, child) in enumerate(parts)]
    return []
