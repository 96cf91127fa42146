"""What a class says about the attributes of its objects, before the program runs.

>>> class Box:
...     size = 3
...     def fill(self): ...
...     @property
...     def half(self): ...
>>> [member(Box, n).form for n in ("size", "fill", "half", "other")]
['data', 'method', 'property', 'instance']
"""

from __future__ import annotations

import dis
import inspect
import types
from dataclasses import dataclass
from typing import Literal

from adtrans.analyses.objects.dataclass_fields import assigns, is_generated
from adtrans.source.assigned import assigned
from adtrans.source.libraries import is_library
from adtrans.source.reach import CHANGES

Form = Literal["data", "instance", "method", "static", "class", "property", "other"]
_OPERATORS = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod",
    "**": "pow", "@": "matmul", "|": "or", "&": "and", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip
_UNARY = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}


@dataclass(frozen=True, slots=True)
class Member:
    """What `cls.name` is. `data`: a value of the class; `instance`: nothing, or a slot."""

    form: Form
    value: object = None


def is_method(cls: type, name: str) -> bool:
    """Whether a class has a function of this name."""
    found = inspect.getattr_static(cls, name, None)
    return isinstance(found, types.FunctionType | staticmethod | classmethod)


def member(cls: type, name: str) -> Member:
    """What reading `name` of an object of the class finds in the class."""
    found = inspect.getattr_static(cls, name, member)
    if found is member or isinstance(found, types.MemberDescriptorType):
        return Member("instance")
    if is_method(cls, name) and name in assigned(cls):
        return Member("other", found)  # an object may have a function of its own instead
    if isinstance(found, types.FunctionType):
        return Member("method", found)
    if isinstance(found, staticmethod):
        return Member("static", found.__func__)
    if isinstance(found, classmethod):
        return Member("class", found.__func__)
    if isinstance(found, property):
        return Member("property", found)
    return Member("other" if hasattr(type(found), "__get__") else "data", found)


def is_own(cls: type, name: str) -> bool:
    """Whether every object has this attribute itself, or none has: nothing of the class is read.

    >>> import dataclasses
    >>> @dataclasses.dataclass
    ... class Lens:
    ...     radius: float
    ...     index: float = 1.5
    ...     made = 2024
    >>> [is_own(Lens, n) for n in ("radius", "index", "made")]
    [True, True, False]
    """
    form = member(cls, name).form
    if form != "data":
        return form == "instance"
    return assigns(cls, name)


def can_follow(cls: object) -> bool:
    """Whether attributes of objects of the class are read and written as they are stored."""
    if cls is types.SimpleNamespace:
        return True
    if not isinstance(cls, type) or type(cls).__module__ not in ("builtins", "abc"):
        return False
    if is_library(cls.__module__) or hasattr(cls, "__getattr__") or hasattr(cls, "__del__"):
        return False  # when an object goes is a matter of the run
    if _changes(getattr(cls, "__hash__", None)):
        return False
    if any(b.__module__ == "builtins" and b is not object for b in cls.__mro__):
        return False
    same = ["__getattribute__", "__new__"]
    if not is_frozen(cls):
        same += ["__setattr__", "__delattr__"]
    return all(getattr(cls, n) is getattr(object, n) for n in same)


_CHANGING = frozenset(
    {"append", "add", "extend", "insert", "pop", "remove", "setdefault", "update"}
)


def _changes(fn: object) -> bool:
    """May a method that containers call store something?"""
    code = getattr(fn, "__code__", None)
    if code is None or is_generated(fn):
        return False
    ops = (*CHANGES, "STORE_GLOBAL", "STORE_DEREF")
    return not _CHANGING.isdisjoint(code.co_names) or any(
        op.opname in ops for op in dis.get_instructions(code)
    )


def is_frozen(cls: type) -> bool:
    """Whether a class is a dataclass whose objects refuse assignments after they are made."""
    params = getattr(cls, "__dataclass_params__", None)
    own = next((vars(c)["__setattr__"] for c in cls.__mro__ if "__setattr__" in vars(c)), None)
    return bool(params and params.frozen) and is_generated(own)


def operator(cls: type, op: str, *, reflected: bool = False) -> types.FunctionType | None:
    """The method that `obj op other` calls, or `other op obj` if `reflected`."""
    name = _OPERATORS.get(op)
    if name is None:
        return None
    found = member(cls, f"__{'r' if reflected else ''}{name}__")
    return found.value if isinstance(found.value, types.FunctionType) else None


def unary(cls: type, op: str) -> types.FunctionType | None:
    """The method that `-obj` calls."""
    found = member(cls, _UNARY.get(op, ""))
    return found.value if isinstance(found.value, types.FunctionType) else None


def in_place(cls: type, op: str) -> types.FunctionType | None:
    """The method for `obj op= other` alone; None where there is no such method."""
    name = _OPERATORS.get(op)
    found = None if name is None else member(cls, f"__i{name}__").value
    return found if isinstance(found, types.FunctionType) else None


def comes_first(op: str, left: type, right: type) -> bool:
    """Whether Python asks the operand on the right first: its class is below that of the other, and
    has a method of its own for it."""
    name = f"__r{_OPERATORS.get(op, '')}__"
    if left is right or not issubclass(right, left):
        return False
    return getattr(right, name, None) is not getattr(left, name, None)


def operated(op: str, left: type, right: type | None) -> tuple[types.FunctionType | None, bool]:
    """The method that `a op b` calls of two objects (of which `b` may be none), and whether it is
    that of `b`."""
    if right is not None and comes_first(op, left, right):
        return operator(right, op, reflected=True), True
    name = f"__{_OPERATORS.get(op, '')}__"
    if right is not None and right is not left and not hasattr(left, name):
        return operator(right, op, reflected=True), True
    return operator(left, op), False
