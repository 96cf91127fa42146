"""What outlasts a call without a name of its own: defaults of parameters, attributes of classes.

    def h(w=np.zeros(2)):       what `h()` returns is one array in all calls: to write it
        return w                is to write a global

>>> can_be_written([0.0]), can_be_written((1.0, "a")), can_be_written((1.0, []))
(True, False, True)
>>> class Box:
...     size = 3
...     items = []
>>> from adtrans.analyses.kinds import kind_of_value
>>> keeps(kind_of_value(Box()), "items"), keeps(kind_of_value(Box()), "size")
(True, False)
"""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import numpy as np

from adtrans.analyses.kinds.values import class_attributes, plain_attributes
from adtrans.analyses.new_objects import makes_new
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Instance, Kind

_CONTAINERS = (np.ndarray, list, dict, set)


def can_be_written(value: object) -> bool:
    """Whether a value, or what it holds, may be another one at the next call."""
    if isinstance(value, tuple | frozenset):
        return any(map(can_be_written, value))
    if isinstance(value, _CONTAINERS):
        return True
    return (
        not isinstance(value, type | ModuleType)
        and bool(plain_attributes(value))
    )


def keeps(kind: Kind, attr: str) -> bool:
    """Whether an object may have an attribute by its class, which can be written."""
    if not isinstance(kind, Instance) or not isinstance(kind.cls, type):
        return False
    return can_be_written(class_attributes(kind.cls).get(attr))


def kept_defaults(fn: S.Function) -> Iterator[tuple[str, E.Ref]]:
    """The parameters whose defaults can be written, with these."""
    for p in fn.params:
        if isinstance(p.default, E.Ref) and can_be_written(p.default.value):
            yield p.name, p.default


def kept_by_classes(s: S.Stmt) -> Iterator[tuple[str, object]]:
    """What can be written of the attributes of a class, where a statement makes an object of it."""
    match s:
        case S.Bind(value=E.Call(fn=E.Ref(value=made), args=(E.Ref(value=type() as cls), *_))):
            if makes_new(made):
                for attr, value in class_attributes(cls).items():
                    if can_be_written(value):
                        yield f"{cls.__name__}.{attr}", value
        case _:
            return
