"""What a `cached_property` computes, spelled out: once, and kept as an attribute of the object.

t = box.square   ->   t = stored(box, "square")
                      if t is None:
                          t = Box_square(box)
                          check_stored(t)
                          box.square = t

The attribute is None until then. So a function that returns None is an error when it is called, as
is None that is assigned; an object is not followed where its class, or the assignment, says so. An
object from outside may have the attribute already: it is not followed then.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from types import FunctionType

from adtrans import runtime
from adtrans.analyses.objects.classes import member
from adtrans.analyses.objects.model import Key
from adtrans.analyses.objects.object_facts import Objects
from adtrans.ir import expr as E
from adtrans.ir import stmt as S


def function_of(cls: type, attr: str) -> FunctionType | None:
    """The function that computes an attribute once; None for all others."""
    found = member(cls, attr)
    if found.form != "cached":
        return None
    fn = getattr(found.value, "func", None)
    return fn if isinstance(fn, FunctionType) else None


def computes_once(cls: type) -> bool:
    """Whether a class has attributes that are computed when they are first read.

    >>> class Box:
    ...     @functools.cached_property
    ...     def half(self): return 0.5
    >>> computes_once(Box), computes_once(object)
    (True, False)
    """
    held = (v for c in cls.__mro__ for v in vars(c).values())
    return any(isinstance(v, functools.cached_property) for v in held)


def computed(s: S.Stmt, o: Objects) -> tuple[S.Stmt, ...] | None:
    """What reading such an attribute stands for; None for all other statements."""
    match s:
        case S.Bind(target=target, value=E.Attribute(base=E.Name() as base, attr=attr)):
            key = o.of(base)
            if key is None or o.one(key) in o.lost:
                return None
            fn = function_of(o.classes[o.one(key)], attr)
            if fn is None:
                return None
        case S.SetAttr(base=E.Name() as base, attr=attr, value=E.Name() | E.Ref(), checked=False):
            return _assigned(s, base, attr, o)
        case _:
            return None
    cls = o.classes[o.one(key)]
    where: S.Place = {"site": -1, "span": s.span, "origin": 0}
    kept, made, test = (f"{attr}@{part}{s.site}" for part in ("kept", "made", "unset"))
    read = E.Call(E.Ref("stored", runtime.stored), (base, E.Const(attr)))
    check = E.Call(E.Ref("check_stored", runtime.check_stored), (E.Name(made),))
    first = (
        S.Invoke(made, E.Ref(f"{cls.__name__}_{attr}", fn), (base,), (), **where),
        S.Bind(f"t@checked{s.site}", check, **where),
        S.SetAttr(base, attr, E.Name(made), checked=True, **where),
    )
    return (
        S.Bind(kept, read, **where),
        S.Bind(test, E.Compare(E.Name(kept), ("is",), (E.NONE,)), **where),
        S.If(E.Name(test), first, (), **where),
        S.Bind(target, read, **where),
    )


def _assigned(
    s: S.SetAttr, base: E.Name, attr: str, o: Objects
) -> tuple[S.Stmt, ...] | None:
    """An assignment to such an attribute, with the check that it is not None."""
    key = o.of(base)
    if key is None or o.one(key) in o.lost:
        return None
    if function_of(o.classes[o.one(key)], attr) is None:
        return None
    where: S.Place = {"site": -1, "span": s.span, "origin": 0}
    check = E.Call(E.Ref("check_stored", runtime.check_stored), (s.value,))
    return (
        S.Bind(f"t@checked{s.site}", check, **where),
        replace(s, checked=True, **where),
    )


def read_before(o: Objects, entry: bool) -> set[Key]:
    """The objects from outside of which such attributes are read or assigned."""
    found: set[Key] = set()
    used = {*o.read, *((key, attr) for key, attrs in o.written.items() for attr in attrs)}
    for key, attr in used:
        owner = key
        while owner[0] == "attribute" and isinstance(owner[1], tuple):
            owner = owner[1]
        outside = owner[0] == "global" or (entry and owner[0] == "param")
        if outside and key in o.classes and function_of(o.classes[key], attr) is not None:
            found.add(key)
    return found


__all__ = ["computed", "computes_once", "function_of", "read_before"]
