"""The function of `o.f(a)` is looked up before `a` is evaluated, which may assign `o.f`.

def layer(self, v):
    self.act = np.sin
    ...
y = self.act(self.layer(x))   ->   act = self.act
                                   t = self.layer(x)
                                   y = act(t)

Whose attribute it is shows only later. It may be data where code of the user's assigns an attribute
of this name; everything else stays a method.
"""

from __future__ import annotations

import collections
import functools
import inspect
from collections.abc import Iterable, Iterator
from dis import get_instructions
from types import CodeType, FunctionType

import gast
import numpy as np

from adtrans.lower.builder import Builder
from adtrans.lower.purity import has_effects
from adtrans.source.reach import CHANGES, codes, is_library, reached_by_any

_BUILTIN = (list, dict, set, str, collections.deque, np.ndarray)
_BY_NAME = frozenset({"setattr", "__setattr__", "delattr", "__delattr__", "__dict__", "vars"})


def may_be_assigned(b: Builder, node: gast.Call) -> bool:
    """Whether the arguments of `o.f(...)` may assign `o.f`."""
    if not isinstance(node.func, gast.Attribute):
        return False
    if not any(has_effects(b, a) for a in (*node.args, *node.keywords)):
        return False
    attr = node.func.attr
    if attr not in b.changing:
        b.changing[attr] = attr in b.stored or is_assigned(b.source.fn, attr)
    return b.changing[attr]


def is_assigned(fn: FunctionType, attr: str) -> bool:
    """Whether a function, or what it may call, may assign an attribute of this name."""
    return any(_assigns(f.__code__, attr) for f in _functions(fn, attr))


def assigns_any(fn: FunctionType, attrs: Iterable[str]) -> bool:
    """Whether a function, or what it names, assigns one of these attributes."""
    code = [f.__code__ for f in (fn, *reached_by_any(fn))]
    return any(_assigns(c, attr) for attr in attrs for c in code)


def _functions(fn: FunctionType, attr: str) -> Iterator[FunctionType]:
    """The functions that may assign an attribute of what `fn` has in hand: those that it may reach,
    those that stand beside it, and the methods of all classes of the user's."""
    yield fn
    yield from reached_by_any(fn)
    if any(hasattr(t, attr) for t in _BUILTIN):
        return  # most likely one of theirs
    yield from (f for f in list(fn.__globals__.values()) if isinstance(f, FunctionType))
    for cls in _classes():
        for member in list(vars(cls).values()):
            yield from _inside(member)


def _inside(member: object) -> Iterator[FunctionType]:
    if isinstance(member, FunctionType):
        yield member
    elif isinstance(member, staticmethod | classmethod):
        yield from _inside(member.__func__)
    elif isinstance(member, property):
        for part in (member.fget, member.fset, member.fdel):
            yield from _inside(part)
    elif isinstance(member, functools.cached_property):
        yield from _inside(member.func)


def _classes() -> Iterator[type]:
    waiting: list[type] = [object]
    seen = set[type]()
    while waiting:
        below: list[type] = type.__subclasses__(waiting.pop())
        for cls in below:
            if cls not in seen:
                seen.add(cls)
                waiting.append(cls)
                if not is_library(cls.__module__):
                    yield cls


def _assigns(code: CodeType, attr: str) -> bool:
    """Whether code, or what is defined in it, assigns an attribute of this name."""
    for c in codes(code):
        if attr in c.co_names and any(
            i.opname in CHANGES and i.argval == attr for i in get_instructions(c)
        ):
            return True
        if attr in c.co_consts and not _BY_NAME.isdisjoint(c.co_names):
            return True
    return False


def may_act(cls: type, attr: str) -> bool:
    """Whether reading an attribute of objects of a class may do more than compute it."""
    return any(_acts(c, attr) for c in (cls, *_below(cls)))


def _below(cls: type) -> Iterator[type]:
    below: list[type] = type.__subclasses__(cls)
    for c in below:
        yield c
        yield from _below(c)


def _acts(cls: type, attr: str) -> bool:
    if is_library(cls.__module__):
        return False
    found = inspect.getattr_static(cls, attr, None)
    if found is None:
        found = inspect.getattr_static(cls, "__getattr__", None)
    if isinstance(found, property):
        found = found.fget
    code = getattr(found, "__code__", None)
    return code is not None and any(
        i.opname in CHANGES or i.opname.startswith(("STORE_SUBSCR", "CALL"))
        for i in get_instructions(code)
    )
