"""Makers of functions that are called where they are given what an attribute or an item holds.

ad.checkpoint(layers[k])(x)    ->   ad.checkpoint(lambda v, *, owner: owner(v))(x, owner=layers[k])
ad.grad(self.spring.f)(q)      ->   ad.grad(lambda v, *, owner: owner.f(v))(q, owner=self.spring)
ad.grad(Spring(k))(q)          ->   ad.grad(lambda v, *, owner: owner(v))(q, owner=Spring(k))

The owner is an argument then, which may be another object at each call. It is evaluated behind the
other arguments, which may do nothing that could tell.
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.opaque import name_node
from adtrans.lower.small_trees import keyword
from adtrans.lower.syntax import Comprehension, Scope

_DISTURBING = (*Scope, *Comprehension, gast.NamedExpr, gast.Await, gast.Yield, gast.YieldFrom,
               gast.Starred)  # fmt: skip


def call_of(made: gast.Call, root: gast.AST) -> gast.Call | None:
    """The call of what a call makes, where there is one and nothing in between."""
    found = (n for n in gast.walk(root) if isinstance(n, gast.Call) and n.func is made)
    return next(found, None)


def with_owner(
    made: gast.Call,
    call: gast.Call,
    names: NameAllocator,
    is_harmless: Callable[[gast.Call], bool],
    makes: Callable[[gast.Call], bool],
) -> bool:
    """Rewrites such a call, in place; whether it could be done. `makes`: whether a call makes an
    object, in which nothing but names may be evaluated before it."""
    given = made.args[0]
    owner = given.value if isinstance(given, gast.Attribute) else given
    if any(k.arg is None for k in call.keywords):
        return False
    if isinstance(owner, gast.Call) and makes(owner):
        values = (*call.args, *(k.value for k in call.keywords))
        if not all(isinstance(v, gast.Name | gast.Constant) for v in values):
            return False
    elif not _is_path(given):
        return False
    for e in (*call.args, *(k.value for k in call.keywords)):
        for n in gast.walk(e):
            if isinstance(n, _DISTURBING) or (isinstance(n, gast.Call) and not is_harmless(n)):
                return False
    held = names.fresh("owner")
    places = [names.fresh("v") for _ in call.args]
    words = [str(k.arg) for k in call.keywords]
    called: gast.expr = name_node(held, given)
    if isinstance(given, gast.Attribute):
        called = gast.Attribute(called, given.attr, gast.Load())
    passed = [keyword(w, name_node(w, given)) for w in words]
    body = gast.Call(called, [name_node(p, given) for p in places], passed)
    params = [name_node(p, given, gast.Param()) for p in places]
    by_name = [name_node(w, given, gast.Param()) for w in (*words, held)]
    head = gast.arguments(params, [], None, by_name, [None] * len(by_name), None, [])
    inner = gast.Lambda(head, body)
    for n in gast.walk(inner):
        if not hasattr(n, "lineno"):
            gast.copy_location(n, given)
    made.args[0] = inner
    call.keywords.append(keyword(held, owner))
    return True


def _is_path(e: gast.AST) -> bool:
    """Whether it is an attribute or an item of a variable, or of such a one."""
    match e:
        case gast.Attribute(value=value):
            return isinstance(value, gast.Name) or _is_path(value)
        case gast.Subscript(value=value, slice=at):
            while isinstance(at, gast.UnaryOp):
                at = at.operand
            plain = isinstance(at, gast.Name | gast.Constant)
            return plain and (isinstance(value, gast.Name) or _is_path(value))
        case _:
            return False
