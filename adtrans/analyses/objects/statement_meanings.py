"""What a statement means that is about an object which is known: a call of the method, the items
that a star or a slice stands for, an object in the place of a method."""

from __future__ import annotations

from dataclasses import replace

from adtrans.analyses.objects.classes import member
from adtrans.analyses.objects.method_objects import (
    as_object,
    may_get,
    of_member,
    with_owners,
)
from adtrans.analyses.objects.passed import Passing
from adtrans.analyses.objects.spelling import followed_class, instead
from adtrans.ir import expr as E
from adtrans.ir import stmt as S


class Meanings(Passing):
    """The part of the inference that puts statements in the place of others."""

    def meant(self, s: S.Stmt) -> tuple[S.Stmt, ...] | None:
        """The statements that one stands for, as far as is known; None for most."""
        found = of_member(s)
        if found is None:
            found = self.method_as_object(s)
        if found is None:
            found = instead(s, self.o, self.classes, self.own)
        for look in (self.called, self.with_displays):
            found = look(s) if found is None else found
        return found

    def called(self, s: S.Stmt) -> tuple[S.Stmt, ...] | None:
        """A call of a name for a method, as a call of the method; the name is not needed then."""
        match s:
            case S.Bind(target=name) if name in self.methods:
                return () if self.is_method(self.methods[name]) else None
            case S.Invoke(fn=E.Name(id=name), args=args, kwargs=kwargs) if name in self.methods:
                bound = self.methods[name]
                if not self.is_method(bound):
                    return None
                target = s.target or f"{name}@called{s.site}"
                call = E.Call(bound, args, kwargs)
                return (S.Bind(target, call, site=s.site, span=s.span, origin=0),)
            case _:
                return None

    def method_as_object(self, s: S.Stmt) -> tuple[S.Stmt, ...] | None:
        """What makes an object of a method that is handed on; None for all else."""
        match s:
            case S.Bind(
                target=h, value=E.Attribute(base=E.Name() | E.Ref() as base, attr=attr)
            ) if h in self.handed and h not in self.methods:
                cls = followed_class(base, self.o)
                if cls is not None and all(
                    may_get(t, h, self.o, self.functions, self.fn) for t in self.handed[h]
                ):
                    return as_object(s, cls, attr, base, self.functions)
                return None
            case _:
                return with_owners(s)

    def with_displays(self, s: S.Stmt) -> tuple[S.Stmt, ...] | None:
        """A call of a method that is given displays, with names for these."""
        match s:
            case S.Bind(value=E.Call(fn=E.Attribute(base=base) as fn, args=args) as call) if (
                any(isinstance(a, E.Sequence) for a in args)
                and self.o.of(base) is not None
                and self.is_method(fn)
            ):
                out: list[S.Stmt] = []

                def named(e: E.Expr) -> E.Expr | None:
                    if not isinstance(e, E.Sequence):
                        return e if isinstance(e, E.Name | E.Const | E.Ref) else None
                    items = [named(i) for i in e.items]
                    atoms = [i for i in items if isinstance(i, E.Name | E.Const | E.Ref)]
                    if len(atoms) < len(items) or e.kind not in ("list", "tuple"):
                        return None
                    name = f"t{len(out)}@display{s.site}"
                    out.append(S.Pack(name, e.kind, tuple(atoms), site=-1, span=s.span))
                    return E.Name(name)

                given = [named(a) for a in args]
                if any(a is None for a in given):
                    return None
                known = tuple(a for a in given if a is not None)
                return (*out, replace(s, value=replace(call, args=known), origin=0))
            case _:
                return None

    def is_method(self, bound: E.Attribute) -> bool:
        """Whether an attribute is a method that the class of an object has."""
        key = self.o.of(bound.base)
        return key is not None and member(self.o.classes[key], bound.attr).form == "method"

    def class_of(self, e: E.Expr) -> type:
        key = self.o.of(e)
        assert key is not None
        return self.o.classes[key]
