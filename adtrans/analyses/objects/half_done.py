"""Calls in `try` that change objects, and that an exception may leave half done: written out.

    try:                        try:
        m.step(x)                   m.x = m.x + x        (the body of `step`)
    except ValueError:  =>          check(m.x)
        m.x = m.x / 2           except ValueError:
                                    m.x = m.x / 2

A call returns the variables of the attributes that it assigns when it is done. What it has assigned
before it raised is known where its statements stand in the `try`: each is one of its steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from adtrans.analyses.liveness import liveness
from adtrans.analyses.objects.object_facts import Call, Objects
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, map_blocks, statements
from adtrans.lower.inlined import Callee, inlined
from adtrans.source import SourceFunction


def may_be_interrupted(fn: S.Function) -> frozenset[int]:
    """The statements in which an exception may come that is noticed in the function: by a handler,
    or by what `finally` does."""
    found: set[int] = set()
    for s in statements(fn.body):
        if isinstance(s, S.Try):
            bodies = [s.body]
            if s.final:
                bodies += [s.orelse, *(h.body for h in s.handlers)]
            found |= {t.site for b in bodies for t in statements(b)}
    return frozenset(found)


def with_halves(
    fn: S.Function,
    home: SourceFunction,
    o: Objects,
    callee: Callable[[object], Callee | None],
) -> S.Function:
    """`fn` with the calls in `o.halves` written out that can be; itself if none can. `callee`: what
    may stand in the place of a call of a function."""
    known = {site: c for site in o.halves if (c := callee(o.calls[site].fn)) is not None}
    known = {site: c for site, c in known.items() if not _may_be_unbound(c)}
    while known:
        made = inlined(_with_calls(fn, o.calls, known), home, known)
        left = known.keys() & {s.site for s in statements(made.body)}
        if not left:
            return made
        known = {site: c for site, c in known.items() if site not in left}
    return fn


def _with_calls(
    fn: S.Function, calls: Mapping[int, Call], known: Mapping[int, Callee]
) -> S.Function:
    """`fn` with these calls, of methods, say, as calls of functions."""

    def one(s: S.Stmt) -> S.Stmt:
        return _invoked(s, calls[s.site]) if s.site in known else map_blocks(s, block)

    def block(b: S.Block) -> S.Block:
        return tuple(map(one, b))

    return replace(fn, body=block(fn.body))


def _invoked(s: S.Stmt, call: Call) -> S.Invoke:
    target = s.base if isinstance(s, S.Update) else next(iter(binds_of(s)), None)
    named = list(call.bound.items())
    args = tuple(a for _, a in named[: call.by_position])
    kwargs = tuple(named[call.by_position :])
    name = getattr(call.fn, "__name__", "call")
    return S.Invoke(target, E.Ref(name, call.fn), args, kwargs, **S.place(s, s.site))


def _may_be_unbound(callee: Callee) -> bool:
    """Whether a variable may be read before it is bound, as far as can be told: in a loop of the
    caller it would still have the value from the iteration before."""
    code = callee.source.fn.__code__
    first = liveness(callee.fn).into[callee.fn.body[0].site]
    params = {p.name for p in callee.fn.params}
    return bool(first & {*code.co_varnames, *code.co_cellvars} - params)
