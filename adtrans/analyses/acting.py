"""Objects that run code of the user's when an operation, not a method, is applied to them.

    len(meter), if budget:, f"{x}", a == b, config.rate

where `__len__`, `__bool__`, `__str__`, `__eq__`, `__getattr__` are written in Python. What such
code does is not known where the object is not followed.
"""

from __future__ import annotations

import functools
import inspect
from types import FunctionType

from adtrans.analyses.facts import Facts
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Instance, present
from adtrans.ir.walk import operands, walk
from adtrans.source.libraries import is_library

_SILENT = frozenset(
    str.split(
        "__init__ __new__ __init_subclass__ __class_getitem__ __set_name__ __setattr__ __delattr__ "
        "__getattr__ __getattribute__ __dir__ __del__ __reduce__ __reduce_ex__ __getstate__ "
        "__setstate__ __copy__ __deepcopy__ __enter__ __exit__ __post_init__ __call__"
    )
)  # what no operator and no built-in function of one value runs


def acts(e: E.Expr, facts: Facts) -> bool:
    """Whether an atom may be an object of a class with operators of its own, written in Python."""
    cls = _class_of(e, facts)
    return cls is not None and acts_as(cls)


def acts_as(cls: type) -> bool:
    """Whether a class has operators of its own, written in Python."""
    return any(
        name.startswith("__") and name not in _SILENT and isinstance(member, FunctionType)
        for name, member in members(cls)
    )


def asks_objects(s: S.Stmt, facts: Facts) -> bool:
    """Whether a statement that calls no function of the user's runs such code."""
    if isinstance(s, S.Alias | S.Pack | S.Invoke | S.Return | S.SetAttr):
        return False
    if isinstance(s, S.If | S.While | S.For) and any(acts(e, facts) for e in operands(s)):
        return True
    if isinstance(s, S.Load | S.Store | S.Update | S.Unpack) and any(
        acts(e, facts) for e in operands(s)
    ):
        return True
    return any(_asks(sub, facts) for e in operands(s) for sub in walk(e))


def _asks(e: E.Expr, facts: Facts) -> bool:
    match e:
        case E.Attribute(base=base, attr=attr):
            return _computes(_class_of(base, facts), attr)
        case E.Verbatim(reads=reads):
            return any(acts(E.Name(v), facts) for v in reads)
        case E.Sequence():
            return False
        case _:
            return not E.is_atom(e) and any(acts(c, facts) for c in E.children(e))


def _computes(cls: type | None, attr: str) -> bool:
    """Whether reading an attribute runs code."""
    if cls is None:
        return False
    if any(n in ("__getattr__", "__getattribute__") for n, _ in members(cls)):
        return True
    found = inspect.getattr_static(cls, attr, None)
    return isinstance(found, property | functools.cached_property)


def _class_of(e: E.Expr, facts: Facts) -> type | None:
    match e:
        case E.Ref(value=value):
            return None if isinstance(value, type) else type(value)
        case E.Name(id=name):
            kind = present(facts.kinds.var(name))
            cls = kind.cls if isinstance(kind, Instance) else None
            return cls if isinstance(cls, type) else None
        case _:
            return None


def members(cls: type) -> list[tuple[str, object]]:
    """What the classes of the user's among its bases define."""
    return [
        item for c in cls.__mro__ if not is_library(c.__module__) for item in vars(c).items()
    ]
