"""Methods that are given the items of something: `obj.m(*values)` as `obj.m(t, t_2)`.

How many there are is known of a display whose items are; of anything else, it is as many as the
method takes, and a check tells where it is given others.
"""

from __future__ import annotations

from dataclasses import replace
from types import FunctionType

from adtrans import runtime
from adtrans.analyses.spread import positions
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, statements


def with_items(
    s: S.Bind, call: E.Call, fn: object, bound: int, count: int | None
) -> tuple[S.Stmt, ...] | None:
    """The statements that a call with one star means; None where it is not known how many items it
    passes.

    `fn`: the function behind the method, `bound`: how many of its parameters the object takes,
    `count`: how many items there are, None where that is not known: it is as many as
    the method takes then.
    """
    stars = [a.value for a in call.args if isinstance(a, E.Star)]
    source, where = stars[0], S.place(s, s.site)
    if len(stars) > 1 or not isinstance(source, E.Name) or not isinstance(fn, FunctionType):
        return None
    if any(not k for k, _ in call.kwargs):
        return None
    out: list[S.Stmt] = []
    if count is None:
        limits = positions(fn, bound + len(call.args) - 1, call.kwargs)
        if limits is None or limits[0] < limits[1]:
            return None
        count = limits[1]
        given: tuple[E.Expr, ...] = (source, E.Const(count), E.Const(fn.__name__))
        check = E.Call(E.Ref("check_spread", runtime.check_spread), given)
        out.append(S.Bind(f"t@spread{s.site}", check, **where))
    items = tuple(f"t{k}@item{s.site}" for k in range(count))
    if items:
        out.append(S.Unpack(items, source.id, **where))
    args: list[E.Expr] = []
    for a in call.args:
        args += map(E.Name, items) if isinstance(a, E.Star) else [a]
    return (*out, replace(s, value=replace(call, args=tuple(args)), origin=0))


def invoked(made: tuple[S.Stmt, ...]) -> tuple[S.Stmt, ...] | None:
    """The same as a call of a function, which is given what has a name."""
    *first, last = made
    assert isinstance(last, S.Bind) and isinstance(last.value, E.Call)
    call = last.value
    args = tuple(a for a in call.args if isinstance(a, E.Name | E.Const | E.Ref))
    words = tuple((k, v) for k, v in call.kwargs if isinstance(v, E.Name | E.Const | E.Ref))
    if len(args) < len(call.args) or len(words) < len(call.kwargs):
        return None
    where: S.Place = {"site": last.site, "span": last.span, "origin": 0}
    return (*first, S.Invoke(last.target, call.fn, args, words, **where))


def through_name(s: S.Bind, call: E.Call) -> tuple[S.Stmt, ...]:
    """The call of a function that an attribute holds, by a name for it."""
    fn = f"t@held{s.site}"
    held = S.Bind(fn, call.fn, **S.place(s, s.site))
    return held, replace(s, value=replace(call, fn=E.Name(fn)), origin=0)


def sizes(body: S.Block) -> dict[str, int]:
    """How many items the variables have that are nothing but a tuple which is written out."""
    found: dict[str, int] = {}
    times: dict[str, int] = {}
    for s in statements(body):
        for v in binds_of(s):
            times[v] = times.get(v, 0) + 1
        if isinstance(s, S.Pack) and s.kind == "tuple":
            found[s.target] = len(s.items)
    return {v: n for v, n in found.items() if times[v] == 1}
