"""How an object without attributes is made: `object.__new__(Box)`.

>>> print(new(E.Ref("Box", object)), new(E.Ref("Space", SimpleNamespace)))
object.__new__(Box) Space.__new__(Space)
"""

from __future__ import annotations

from types import SimpleNamespace

from adtrans.ir import expr as E

_PLAIN = E.Ref("object.__new__", object.__new__)


def new(cls: E.Expr) -> E.Call:
    """A new object of the class, which has no attributes yet."""
    if isinstance(cls, E.Ref) and cls.value is SimpleNamespace:
        return E.Call(E.Ref(f"{cls.text}.__new__", SimpleNamespace.__new__), (cls,))
    return E.Call(_PLAIN, (cls,))


def makes_new(fn: object) -> bool:
    """Whether a function makes such an object of the class that it is given."""
    return fn is object.__new__ or fn is SimpleNamespace.__new__
