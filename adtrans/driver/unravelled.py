"""What `adtrans.tree.ravel` returns as the way back, written out as a function.

The tree is there when a function that calls it is compiled, so that each number has its place:

    flat, unravel = ravel({"w": np.ones((2, 2)), "b": 0.5})

    def unravelled(flat):
        flat = np.asarray(flat)
        check(flat, 5)
        return {'w': flat[0:4].reshape((2, 2)).astype('<f8'), 'b': float(flat[4])}

>>> _, unravel = tree.ravel({"w": np.ones((2, 2)), "b": 0.5})
>>> written_out(unravel)(np.arange(5.0))
{'w': array([[0., 1.],
       [2., 3.]]), 'b': 4.0}
"""

from __future__ import annotations

import dataclasses
import math
from types import FunctionType
from typing import Any

import numpy as np

from adtrans import tree
from adtrans.emit.load import load

_KEPT = "_written_out"


def written_out(unravel: tree.Unravel) -> FunctionType | None:
    """The function, always the same one; None where the tree has objects of registered classes,
    which are made by functions of the user's, or keys that are no texts and no numbers."""
    if _KEPT not in vars(unravel):
        object.__setattr__(unravel, _KEPT, _made(unravel.like))
    found: FunctionType | None = vars(unravel)[_KEPT]
    return found


def _made(like: Any) -> FunctionType | None:
    writer = _Writer()
    try:
        value = writer.text(like)
    except LookupError:
        return None
    text = "\n".join([
        "def unravelled(flat):",
        "    flat = np.asarray(flat)",
        f"    if flat.shape != ({writer.size},):",
        f"        raise ValueError(f'a vector of shape ({writer.size},) is needed, "
        "not {flat.shape}')",
        f"    return {value}\n",
    ])  # fmt: skip
    return load(text, "unravelled", {"np": np, **writer.names})["unravelled"]


class _Writer:
    """The text of a tree: `size` numbers of the vector are used up, `names` are its constants."""

    def __init__(self) -> None:
        self.size = 0
        self.names: dict[str, object] = {}

    def text(self, like: Any) -> str:
        """The expression for a tree.

        Raises:
            LookupError: if it cannot be written.
        """
        if tree.is_leaf(like):
            return self.leaf(like)
        if type(like) is dict:
            if not all(isinstance(k, str | int | float | bool | None) for k in like):
                raise LookupError
            return "{" + ", ".join(f"{self.key(k)}: {self.text(v)}" for k, v in like.items()) + "}"
        if type(like) is list:
            return "[" + ", ".join(map(self.text, like)) + "]"
        if type(like) is tuple:
            return "(" + "".join(f"{self.text(v)}, " for v in like) + ")"
        if isinstance(like, tuple) and hasattr(like, "_make"):
            return f"{self.constant(type(like))}({', '.join(map(self.text, like))})"
        if _is_plain_dataclass(like):
            items = ((f.name, getattr(like, f.name)) for f in dataclasses.fields(like))
            values = ", ".join(f"{name}={self.text(v)}" for name, v in items)
            return f"{self.constant(type(like))}({values})"
        raise LookupError

    def key(self, key: object) -> str:
        """A key, itself where it is of a class of its own, as a member of an enumeration is."""
        plain = key is None or type(key) in (bool, int, str)
        written = plain or (type(key) is float and math.isfinite(key))
        return repr(key) if written else self.constant(key)

    def leaf(self, leaf: Any) -> str:
        if not tree.carries(leaf):
            plain = leaf is None or type(leaf) in (bool, int, str)
            return repr(leaf) if plain else self.constant(leaf)
        at = self.size
        self.size += np.size(leaf)
        if isinstance(leaf, np.ndarray):
            return f"flat[{at}:{self.size}].reshape({leaf.shape}).astype({leaf.dtype.str!r})"
        if type(leaf) is float:
            return f"float(flat[{at}])"
        return f"np.{type(leaf).__name__}(flat[{at}])"

    def constant(self, value: object) -> str:
        name = f"{type(value).__name__}_{len(self.names)}"
        if isinstance(value, type):
            name = f"{value.__name__}_{len(self.names)}"
        self.names[name] = value
        return name


def _is_plain_dataclass(value: object) -> bool:
    """Whether its constructor does nothing but store the fields, which are all there is."""
    if tree.is_leaf(value) or not dataclasses.is_dataclass(value):
        return False
    cls: Any = type(value)
    fields = dataclasses.fields(cls)
    made = getattr(cls.__init__, "__code__", None)
    generated = made is not None and made.co_filename == "<string>"  # by `dataclass`
    stores = cls.__setattr__ is object.__setattr__ or cls.__dataclass_params__.frozen
    plain = generated and stores and cls.__new__ is object.__new__
    if not plain or "__post_init__" in dir(cls) or not all(f.init for f in fields):
        return False
    names = {f.name for f in fields}
    return names == set(getattr(value, "__dict__", names))
