"""The comparisons that `dataclasses` writes, as functions that can be read.

>>> import dataclasses
>>> @dataclasses.dataclass(order=True)
... class Place:
...     x: float
...     y: float
...     name: str = dataclasses.field(default="", compare=False)
>>> less = compared_fields(Place, "<")
>>> less(Place(1.0, 2.0), Place(1.0, 3.0)), less(Place(1.0, 2.0, "a"), Place(1.0, 2.0, "b"))
(True, False)
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import sys
import types

import gast

from adtrans.source.find import MADE, get_source
from adtrans.source.made import made_functions

_NAMES = {"<": "less", "<=": "not_greater", ">": "greater", ">=": "not_less", "==": "equal"}
_METHODS = {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__", "==": "__eq__"}


def _template(self, other):  # type: ignore[no-untyped-def]
    return self == other


@functools.lru_cache(maxsize=256)
def compared_fields(cls: type, op: str) -> types.FunctionType | None:
    """What the method that was written for `op` does with two objects of the class `cls`."""
    name = _METHODS.get(op, "")
    owner = next((c for c in cls.__mro__ if name in vars(c)), None)
    if owner is None or "__dataclass_fields__" not in vars(owner):
        return None
    fields = [f.name for f in dataclasses.fields(owner) if f.compare]
    source = get_source(_template)
    if not isinstance(source.node, gast.FunctionDef):
        return None

    def items(of: str) -> str:
        return "(" + "".join(f"{of}.{f}, " for f in fields) + ")"

    text = f"{items('self')} {op} {items('other')}"
    if op == "==" and sys.version_info >= (3, 13):  # without a look at what is identical
        text = " and ".join(f"self.{f} == other.{f}" for f in fields) or "True"
    parsed = ast.parse(f"def {_NAMES[op]}(self, other):\n    return {text}")
    made = gast.ast_to_gast(parsed.body[0])
    assert isinstance(made, gast.FunctionDef)
    for n in gast.walk(made):
        if "lineno" in n._attributes:
            gast.copy_location(n, source.node.body[-1])
    found = made_functions(source, made, ())
    found.fn.__module__ = owner.__module__
    found.fn.__dict__[MADE] = found
    return found.fn
