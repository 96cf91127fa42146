"""Methods of objects that are handed on, as objects that are called.

rk4(self.rhs, y)          ->   rhs = Method(self)
                               rk4(rhs, y)

`Method` is a class made for this: it holds the object as `__self__`, as the method does, since code
that is not rewritten may have made it; and calling it calls the method. Objects are
followed, also through other functions, so nothing else has to know methods as values.
"""

from __future__ import annotations

import enum
import inspect
import types
from dataclasses import replace

from adtrans.analyses.objects.classes import can_follow, member
from adtrans.analyses.objects.model import OTHER
from adtrans.analyses.objects.object_facts import Functions, Objects
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import reads_of, statements
from adtrans.rules import lookup
from adtrans.source.method_classes import METHOD


def stands_for(cls: type) -> type:
    """The class that Python would say an object has."""
    return types.MethodType if METHOD in vars(cls) else cls


def of_known_object(e: E.Expr) -> E.Attribute | None:
    """What a name for a method of an object means: `step`, say, after `step = model.step` outside
    the function. None for all else."""
    if not isinstance(e, E.Ref) or not isinstance(e.value, types.MethodType):
        return None
    owner, name = e.value.__self__, e.value.__func__.__name__
    if not can_follow(type(owner)) or lookup(e.value) is not None:
        return None
    if member(type(owner), name).value is not e.value.__func__:
        return None
    if name in getattr(owner, "__dict__", ()):
        return None  # the object has another function of that name
    return E.Attribute(E.Ref(f"{e.text}.__self__", owner), name)


def as_call(s: S.Invoke) -> tuple[S.Stmt, ...] | None:
    """A call of a method that was made of a function with a rule, as one of the function: after
    `step = ad.checkpoint(model.step)`, `y = step(x)` is `y = step(model, x)`."""
    if not isinstance(s.fn, E.Ref) or not isinstance(s.fn.value, types.MethodType):
        return None
    owner, fn = s.fn.value.__self__, s.fn.value.__func__
    if not isinstance(fn, types.FunctionType):
        return None
    me = E.Ref(f"{s.fn.text}.__self__", owner)
    if not can_follow(type(owner)) or lookup(fn) is None:
        return None
    call = E.Call(E.Ref(fn.__name__, fn), (me, *s.args), s.kwargs)
    target = s.target or f"t@called{s.site}"
    return (S.Bind(target, call, site=s.site, span=s.span, origin=0),)


def of_member(s: S.Stmt) -> tuple[S.Stmt, ...] | None:
    """A call of a method of a member of an enumeration, as one of the function: `Act.SIN.apply(x)`
    is `apply(Act.SIN, x)`. None for all else."""
    match s:
        case S.Bind(
            target=target,
            value=E.Call(
                fn=E.Attribute(base=E.Ref(value=enum.Enum() as owner) as me, attr=attr),
                args=args,
                kwargs=kwargs,
            ),
        ):
            fn = inspect.getattr_static(owner, attr, None)
            given = tuple(a for a in args if isinstance(a, E.Name | E.Const | E.Ref))
            words = tuple((k, a) for k, a in kwargs if isinstance(a, E.Name | E.Const | E.Ref))
            known = isinstance(fn, types.FunctionType) and lookup(fn) is None
            if not known or len(given) < len(args) or len(words) < len(kwargs):
                return None
            name = f"{type(owner).__name__}_{attr}"
            where: S.Place = {"site": s.site, "span": s.span, "origin": 0}
            return (S.Invoke(target, E.Ref(name, fn), (me, *given), words, **where),)
        case _:
            return None


def with_owners(s: S.Stmt) -> tuple[S.Stmt, ...] | None:
    """A call of such a method, or with some among its arguments, by the objects themselves."""
    if not isinstance(s, S.Invoke):
        return None
    where: S.Place = {"site": s.site, "span": s.span, "origin": 0}
    if (plain := as_call(s)) is not None:
        return plain
    if (called := of_known_object(s.fn)) is not None:
        target = s.target or f"t@called{s.site}"
        return (S.Bind(target, E.Call(called, s.args, s.kwargs), **where),)
    first: list[S.Stmt] = []

    def named(a: E.Atom) -> E.Atom:
        meant = of_known_object(a)
        if meant is None:
            return a
        t = f"t@method{s.site + 1000 * len(first)}"
        first.append(S.Bind(t, meant, **where))
        return E.Name(t)

    args = tuple(map(named, s.args))
    kwargs = tuple((k, named(v)) for k, v in s.kwargs)
    return (*first, replace(s, args=args, kwargs=kwargs)) if first else None


def handed_methods(fn: S.Function) -> dict[str, tuple[S.Stmt, ...]]:
    """The variables that are bound to attributes, with the statements that read them."""
    every = list(statements(fn.body))
    params = {p.name for p in fn.params}
    read: dict[str, list[S.Stmt]] = {
        s.target: []
        for s in every
        if isinstance(s, S.Bind) and isinstance(s.value, E.Attribute) and s.target not in params
    }
    for s in every if read else ():
        for v in {*reads_of(s)} & read.keys():
            read[v].append(s)
    return {v: tuple(found) for v, found in read.items() if found}


def may_get(s: S.Stmt, var: str, o: Objects, functions: Functions, own: S.Function) -> bool:
    """Whether a statement of the function `own` only hands `var` on, or calls it: to code that is
    followed, and not into objects that are there before and afterwards."""

    asked = o.home == functions.entry

    def followed(e: E.Expr) -> bool:
        return OTHER not in o.values_of(e)  # nothing: it is not known yet

    def known(fn: object) -> bool:
        if isinstance(fn, type):
            return can_follow(fn)
        return lookup(fn) is None and functions.function(fn) is not None

    match s:
        case S.Alias() | S.Pack(cls=None):
            return True
        case S.Return():
            return not asked  # the caller knows what is returned
        case S.Store(base=base, value=E.Name(id=v), items=items) if v == var:
            made = all(k[0] == "new" for k in o.values_of(E.Name(base)))
            return made and E.Name(var) not in items
        case S.SetAttr(base=base, value=E.Name(id=v)) if v == var:
            keys = o.values_of(base)
            return all(k[0] == "new" or (k[0] == "param" and own.name == "__init__") for k in keys)
        case S.Invoke(fn=E.Ref() as ref) | S.Bind(value=E.Call(fn=E.Ref() as ref)):
            return known(ref.value)
        case S.Invoke(fn=E.Name() as called):
            return called.id == var or followed(called)
        case S.Bind(value=E.Call(fn=E.Attribute(base=base))) if base != E.Name(var):
            return followed(base)
        case _:
            return False


def as_object(
    s: S.Stmt, cls: type, attr: str, base: E.Name | E.Ref, functions: Functions
) -> tuple[S.Stmt, ...] | None:
    """The statement that makes an object of the method `base.attr`; None where it stays."""
    assert isinstance(s, S.Bind)
    found = member(cls, attr)
    where: S.Place = {"site": s.site, "span": s.span, "origin": 0}
    if found.form == "static":
        return (S.Bind(s.target, E.Ref(f"{cls.__name__}.{attr}", found.value), **where),)
    if found.form == "class":
        bound = getattr(cls, attr)
        return (S.Bind(s.target, E.Ref(f"{cls.__name__}.{attr}", bound), **where),)
    if found.form != "method" or (cls, attr) in functions.stay:
        return None
    made = functions.method_class(cls, attr, found.value)
    if made is None:
        return None
    return (S.Invoke(s.target, E.Ref(made.__name__, made), (base,), **where),)
