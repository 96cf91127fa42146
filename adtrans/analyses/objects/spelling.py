"""Statements that mean others, once the class of an object is known.

type(a)(x)   a.__class__(x)    ->   C(x)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import replace

from adtrans.analyses.objects.displays import CONTAINERS
from adtrans.analyses.objects.method_objects import stands_for
from adtrans.analyses.objects.object_facts import Objects
from adtrans.analyses.objects.replaced_fields import replaced
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, statements


def classes_of(fn: S.Function) -> dict[str, E.Ref]:
    """The variables that are bound once, to a class."""
    found: dict[str, E.Ref] = {}
    times: dict[str, int] = {p.name: 1 for p in fn.params}
    for s in statements(fn.body):
        for v in binds_of(s):
            times[v] = times.get(v, 0) + 1
        match s:
            case S.Bind(target=target, value=E.Ref(value=type()) as ref):
                found[target] = ref
            case _:
                pass
    return {v: ref for v, ref in found.items() if times[v] == 1}


def instead(
    s: S.Stmt,
    o: Objects,
    classes: Mapping[str, E.Ref],
    own: frozenset[str],
) -> tuple[S.Stmt, ...] | None:
    """The statements that `s` means, whose sites are still to be given; None for all else.

    `classes`: the variables that mean classes, `own`: those of the user's.
    """
    where: S.Place = {"site": s.site, "span": s.span, "origin": 0}
    match s:
        case S.Bind(target=target, value=E.Call(fn=E.Ref(value=fn), args=(E.Name() as v,))) if (
            fn is type and (cls := followed_class(v, o)) is not None
        ):
            cls = stands_for(cls)
            return (S.Bind(target, E.Ref(cls.__name__, cls), **where),)
        case S.Bind(target=target, value=E.Attribute(base=E.Name() as v, attr="__class__")) if (
            cls := followed_class(v, o)
        ) is not None:
            cls = stands_for(cls)
            return (S.Bind(target, E.Ref(cls.__name__, cls), **where),)
        case S.Bind(
            target=target,
            value=E.Call(fn=E.Attribute(base=E.Name() as v, attr="__class__")) as call,
        ) if (cls := followed_class(v, o)) is not None:
            return _called(target, E.Ref(cls.__name__, cls), call, where)
        case S.Bind(
            target=target, value=E.Call(fn=E.Attribute(base=E.Name(id=t), attr=attr)) as call
        ) if t in classes and hasattr(classes[t].value, attr):
            name = f"{classes[t].text}.{attr}"
            return _called(target, E.Ref(name, getattr(classes[t].value, attr)), call, where)
        case S.Invoke(fn=E.Name(id=t)) if t in classes:
            return (replace(s, fn=classes[t]),)
        case S.Invoke(fn=E.Ref(value=fn), args=(E.Name() as v,)) if (
            fn is dataclasses.replace and (cls := followed_class(v, o)) is not None
        ):
            return replaced(s, v, cls, where)
        case S.Bind(value=e) if (known := _decided(e, o)) is not None and not E.is_atom(e):
            return (S.Bind(s.target, E.Const(known), **where),)
        case S.If(test=e) if (known := _decided(e, o)) is not None and not E.is_atom(e):
            return s.then if known else s.orelse
        case S.If(test=E.Name(id=t)) if t not in own and isinstance(o.consts.get(t), bool):
            return s.then if o.consts[t] else s.orelse
        case S.Load(base=base, items=(item,)) | S.Store(base=base, items=(item,)) if (
            not E.is_atom(item)
            and not isinstance(item, E.Slice | E.Verbatim | E.Star)
            and followed_class(E.Name(base), o) is not None
        ):
            t = f"t@index{s.site}"
            return (S.Bind(t, item, **where), replace(s, items=(E.Name(t),)))
        case _:
            return None


def _decided(e: E.Expr, o: Objects) -> bool | None:
    """What `isinstance(a, C)` is for an object whose class is known, or its negation."""
    match e:
        case E.Unary(op="not", operand=operand):
            known = _decided(operand, o)
            return None if known is None else not known
        case E.Call(fn=E.Ref(value=fn), args=(E.Name() as v, E.Ref(value=cls))) if (
            fn is isinstance and isinstance(cls, type)
        ):
            own = followed_class(v, o)
            return None if own is None else issubclass(stands_for(own), cls)
        case E.Call(fn=E.Ref(value=fn), args=(E.Name() as v, E.Sequence(items=items))) if (
            fn is isinstance and all(isinstance(i, E.Ref) for i in items)
        ):
            found = [_decided(replace(e, args=(v, i)), o) for i in items]
            return None if None in found else any(found)
        case _:
            return None


def followed_class(e: E.Expr, o: Objects) -> type | None:
    """The class of the object that an atom means, None for containers."""
    key = o.of(e)
    cls = None if key is None else o.classes[o.one(key)]
    return None if cls in CONTAINERS else cls


def _called(target: str, cls: E.Ref, call: E.Call, where: S.Place) -> tuple[S.Stmt, ...] | None:
    args = tuple(a for a in call.args if isinstance(a, E.Name | E.Const | E.Ref))
    words = tuple((k, v) for k, v in call.kwargs if isinstance(v, E.Name | E.Const | E.Ref))
    if len(args) < len(call.args) or len(words) < len(call.kwargs):
        return None
    return (S.Invoke(target, cls, args, words, **where),)
