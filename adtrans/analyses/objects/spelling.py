"""Statements that mean others, once the class of an object is known.

type(a)(x)   a.__class__(x)    ->   C(x)
if a < b: ...                  ->   t = a < b
                                    if t: ...
if not a: ...                  ->   t = a.__bool__()
                                    if not t: ...
a[1:, k]                       ->   t = slice(1, None); key = (t, k); a[key]
y = v not in a                 ->   t = v in a
                                    y = not t
y = float(a)                   ->   t = a.__float__()
                                    y = float.__float__(t)
y = list(objs)                 ->   s, t = objs
                                    y = [s, t]
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import replace
from types import FunctionType
from typing import Literal

from adtrans.analyses.objects.classes import asked, comparison, member
from adtrans.analyses.objects.displays import CONTAINERS, counts, name_of
from adtrans.analyses.objects.method_objects import stands_for
from adtrans.analyses.objects.object_facts import Objects
from adtrans.analyses.objects.replaced_fields import replaced
from adtrans.analyses.objects.subscript_keys import with_one_key
from adtrans.analyses.objects.with_blocks import entered
from adtrans.analyses.webs import is_variable
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, map_exprs, operands, rebuild, statements, walk


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


def named_attribute(s: S.Stmt) -> tuple[E.Name, str] | None:
    """For `getattr(obj, name)` or `setattr(obj, name, v)`: the object, and the variable of the
    name."""
    match s:
        case S.Invoke(
            target=str(), fn=E.Ref(value=fn), args=(E.Name() as v, E.Name(id=name)), kwargs=()
        ) if fn is getattr:
            return v, name
        case S.Invoke(
            target=None, fn=E.Ref(value=fn), args=(E.Name() as v, E.Name(id=name), _), kwargs=()
        ) if fn is setattr:
            return v, name
        case _:
            return None


def _with_its_name(s: S.Invoke, v: E.Name, attr: str, where: S.Place) -> S.Stmt:
    """That statement with the attribute itself."""
    if s.target is None:
        return S.SetAttr(v, attr, s.args[2], **where)
    return S.Bind(s.target, E.Attribute(v, attr), **where)


def instead(
    s: S.Stmt,
    o: Objects,
    classes: Mapping[str, E.Ref],
    own: frozenset[str],
    noticed: bool,
) -> tuple[S.Stmt, ...] | None:
    """The statements that `s` means, whose sites are still to be given; None for all else.

    `classes`: the variables that mean classes, `own`: those of the user's. `noticed`: an exception
    in `s` does not just end the function.
    """
    where: S.Place = {"site": s.site, "span": s.span, "origin": 0}
    if (by := named_attribute(s)) is not None and isinstance(s, S.Invoke):
        attr = o.consts.get(by[1])
        if isinstance(attr, str) and attr.isidentifier() and followed_class(by[0], o) is not None:
            return (_with_its_name(s, by[0], attr, where),)
    if isinstance(s, S.Load | S.Store | S.Update) and followed_class(E.Name(s.base), o) is not None:
        return with_one_key(s, where)
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
        case S.Bind(target=target, value=E.Call(fn=E.Ref(value=fn), args=(E.Name() as v,))) if (
            fn is float
            and (cls := followed_class(v, o)) is not None
            and member(cls, "__float__").form == "method"
        ):
            t = f"{target}@float{s.site}"
            given = E.Call(E.Attribute(v, "__float__"), ())
            # of an int it raises an error, as `float` of the object does
            plain = E.Ref("float.__float__", float.__float__)
            return (
                S.Bind(t, given, **where),
                S.Bind(target, E.Call(plain, (E.Name(t),)), **where),
            )
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
        case S.Invoke(target=str(), fn=E.Ref(value=fn), args=(E.Name() as v,), kwargs=()) if (
            fn is list or fn is tuple
        ):
            return _listed(s, v, o, where, "list" if fn is list else "tuple")
        case S.Invoke(fn=E.Ref(value=fn), args=(E.Name() as v,)) if (
            fn is dataclasses.replace and (cls := followed_class(v, o)) is not None
        ):
            return replaced(s, v, cls, where)
        case S.Bind(
            value=E.Compare(ops=("not in" | "!=" as op,), left=left, rights=(right,))
        ) if _is_compared(E.Compare(left, (_BARE[op],), (right,)), o):
            if op == "!=" and _is_compared(E.Compare(left, ("!=",), (right,)), o):
                return None
            t = f"{s.target}@positive{s.site}"
            positive = E.Compare(left, (_BARE[op],), (right,))
            return (
                S.Bind(t, positive, **where),
                S.Bind(s.target, E.Unary("not", E.Name(t)), **where),
            )
        case S.Bind(value=E.Compare(ops=("in",), left=left, rights=(right,)) as e) if (
            E.is_atom(left) and _is_compared(e, o)
        ):  # whatever the method returns, Python makes it a bool
            t = f"{s.target}@contains{s.site}"
            found = E.Call(E.Attribute(right, "__contains__"), (left,))
            return (
                S.Bind(t, found, **where),
                S.Bind(s.target, E.Call(E.Ref("bool", bool), (E.Name(t),)), **where),
            )
        case S.Bind(value=e) if (known := _decided(e, o)) is not None and not E.is_atom(e):
            return (S.Bind(s.target, E.Const(known), **where),)
        case S.If(test=e) if (known := _decided(e, o)) is not None and not E.is_atom(e):
            return s.then if known else s.orelse
        case S.If(test=E.Name(id=t)) if t not in own and isinstance(o.consts.get(t), bool):
            return s.then if o.consts[t] else s.orelse
        case S.Bind(value=E.Unary(op="not", operand=E.Compare() as e)) if _is_compared(e, o):
            t = f"{s.target}@positive{s.site}"
            return (S.Bind(t, e, **where), S.Bind(s.target, E.Unary("not", E.Name(t)), **where))
        case S.If(test=E.BoolOp() as e) | S.While(test=E.BoolOp() as e) if any(
            _is_compared(v.operand if isinstance(v, E.Unary) else v, o) for v in e.values
        ):
            return _in_turn(s, e, where)
        case S.If() | S.While() if (made := _tested(s, o, where)) is not None:
            return made
        case S.With(context=E.Name(id=var) | E.Verbatim(reads=(var,)) as context) if is_variable(
            context
        ) and (cls := followed_class(E.Name(var), o)) is not None:
            return entered(s, E.Name(var), cls, where, noticed)
        case S.Load(base=base, items=(item,)) | S.Store(base=base, items=(item,)) if (
            not E.is_atom(item)
            and not isinstance(item, E.Slice | E.Verbatim | E.Star)
            and followed_class(E.Name(base), o) is not None
        ):
            t = f"t@index{s.site}"
            return (S.Bind(t, item, **where), replace(s, items=(E.Name(t),)))
        case S.Bind() | S.If() | S.For() | S.Load() | S.Store() | S.Update():
            return _counted(s, o, where)
        case _:
            return None


def _listed(
    s: S.Invoke, v: E.Name, o: Objects, where: S.Place, kind: Literal["list", "tuple"]
) -> tuple[S.Stmt, ...] | None:
    """`list(objs)` or `tuple(objs)` of a list or tuple of objects, item by item."""
    key = o.of(v)
    count = counts(o, key)
    if key is None or count is None or o.classes[o.one(key)] not in (list, tuple):
        return None
    held = key[0] == "param" or any(o.inner(key, name_of(k)) for k in range(count))
    if not held or s.target is None:
        return None
    items = tuple(f"t@item{s.site * 100 + k}" for k in range(count))
    return (
        S.Unpack(items, v.id, **where),
        S.Pack(s.target, kind, tuple(map(E.Name, items)), **where),
    )


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


def _counted(s: S.Stmt, o: Objects, where: S.Place) -> tuple[S.Stmt, ...] | None:
    """A statement with `len(a)` inside, with the call in front."""
    for e in operands(s):
        for sub in walk(e):
            match sub:
                case E.Call(fn=E.Ref(value=fn), args=(E.Name() as v,)) if (
                    fn is len and followed_class(v, o) is not None
                ):
                    if isinstance(s, S.Bind) and sub is s.value:
                        return None
                    t = E.Name(f"t@len{s.site}")

                    def counted(e: E.Expr, sub: E.Expr = sub, t: E.Name = t) -> E.Expr:
                        return t if e == sub else rebuild(e, counted)

                    return (S.Bind(t.id, sub, **where), map_exprs(s, counted))
                case _:
                    pass
    return None


_BARE = {"not in": "in", "!=": "=="}


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


def _is_compared(e: E.Expr, o: Objects) -> bool:
    """Whether a comparison calls a method of an object."""
    match e:
        case E.Compare(ops=(op,), left=left, rights=(right,)):
            return _method(left, op, right, o) is not None
        case _:
            return False


def _method(
    left: E.Expr, op: str, right: E.Expr, o: Objects
) -> tuple[FunctionType, bool] | None:
    """The method that a comparison calls, and whether it is that of the object on the right."""
    owner, other = (right, left) if op == "in" else (left, right)
    cls, second = followed_class(owner, o), followed_class(other, o)
    if cls is None:
        return None
    if op == "in":
        return None if (found := comparison(cls, op)) is None else (found, True)
    if second is None:
        below = (o.classes.get(o.one(k)) for k in o.values_of(other))
        if any(c is not None and issubclass(c, cls) and c is not cls for c in below):
            return None  # which would be asked first
    return asked(op, cls, second)


def compared(e: E.Compare, o: Objects) -> tuple[FunctionType, tuple[E.Expr, E.Expr]] | None:
    """The method that a comparison calls, and its arguments."""
    if len(e.ops) != 1:
        return None
    (op,), (right,) = e.ops, e.rights
    found = _method(e.left, op, right, o)
    if found is None:
        return None
    return found[0], ((right, e.left) if found[1] else (e.left, right))


def _in_turn(s: S.If | S.While, e: E.BoolOp, where: S.Place) -> tuple[S.Stmt, ...]:
    """A branch or loop whose test computes one value after the other, in front."""
    t = f"t@test{s.site}"
    inner: S.Place = {**where, "site": -1}
    steps: tuple[S.Stmt, ...] = ()
    for value in reversed(e.values):
        first = S.Bind(t, value, **inner)
        if steps:
            go_on = E.Name(t) if e.op == "and" else E.Unary("not", E.Name(t))
            steps = (first, S.If(go_on, steps, (), **inner))
        else:
            steps = (first,)
    if isinstance(s, S.While):
        return (_left_in_body(s, steps, E.Name(t)),)
    return (*steps, replace(s, test=E.Name(t)))


def _left_in_body(s: S.While, steps: S.Block, test: E.Expr) -> S.While:
    """A loop whose test calls methods, in its body: these may change what they are asked about."""
    inner: S.Place = {"site": -1, "span": s.span, "origin": 0}
    branch = S.If(test, s.body, (S.Break(**inner),), **inner)
    return replace(s, head=(), test=E.Const(True), body=(*s.head, *steps, branch))


def _tested(s: S.If | S.While, o: Objects, where: S.Place) -> tuple[S.Stmt, ...] | None:
    """A branch or loop whose test calls a method, with the call in front."""
    t = f"t@test{s.site}"
    test, negated = s.test, False
    if isinstance(test, E.Unary) and test.op == "not":
        test, negated = test.operand, True
    value: E.Expr
    now: E.Expr = E.Name(t)
    if isinstance(test, E.Compare) and len(test.ops) == 1:
        bare = replace(test, ops=(_BARE.get(test.ops[0], test.ops[0]),))
        if not _is_compared(test, o) and not _is_compared(bare, o):
            return None
        value = test
    else:
        cls = followed_class(test, o) if isinstance(test, E.Name) else None
        if cls is None:
            return None
        name = next((n for n in ("__bool__", "__len__") if member(cls, n).form == "method"), None)
        if name is None:
            return None
        value = E.Call(E.Attribute(test, name), ())
        if name == "__len__":
            now = E.Compare(now, ("!=",), (E.Const(0),))
    now = E.Unary("not", now) if negated else now
    call = S.Bind(t, value, **where)
    if isinstance(s, S.While):
        return (_left_in_body(s, (replace(call, site=-1),), now),)
    return (call, replace(s, test=now))
