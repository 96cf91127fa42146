"""A function body that is left in one place, behind all that its `finally` blocks do.

try:                                 result = None
    return v                         while True:
finally:                   =>            try:
    s = s + 1                                result = v
                                             break
                                         finally:
                                             s = s + 1
                                         break
                                     return result
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.opaque import name_node
from adtrans.lower.small_trees import assignment
from adtrans.lower.syntax import Scope, in_scope, map_bodies


def returns_before(body: Iterable[gast.AST], binds: Callable[[gast.AST], bool]) -> bool:
    """Whether a `return` stands in a `try` of which the `finally` has a part that `binds`."""
    for n in in_scope(body):
        if isinstance(n, gast.Try) and any(map(binds, in_scope(n.finalbody))):
            inside = in_scope([*n.body, *n.handlers, *n.orelse])
            if any(isinstance(r, gast.Return) for r in inside):
                return True
    return False


def with_one_return(body: list[gast.stmt], names: NameAllocator) -> list[gast.stmt]:
    """Such a body, whose last statement is the only `return`."""
    result, left = names.fresh("result"), names.fresh("left")
    first, flagged = body[0], False

    def constant(name: str, value: object, like: gast.stmt) -> gast.stmt:
        held = gast.Constant(value, None)
        gast.copy_location(held, like)
        return assignment(name_node(name, like, gast.Store()), held, like)

    def leave(like: gast.AST) -> gast.stmt:
        made = gast.Break()
        gast.copy_location(made, like)
        return made

    def stay(like: gast.stmt) -> list[gast.stmt]:
        """A `return` that an exception of a `finally` has ended is none."""
        return [constant(result, None, like), *([constant(left, False, like)] if flagged else [])]

    def block(stmts: list[gast.stmt], loops: int) -> list[gast.stmt]:
        nonlocal flagged
        out: list[gast.stmt] = []
        for s in stmts:
            if isinstance(s, gast.Return):
                if s.value is not None:
                    out.append(assignment(name_node(result, s, gast.Store()), s.value, s))
                if loops:
                    flagged = True
                    out.append(constant(left, True, s))
                out.append(leave(s))
                continue
            out.append(s)
            if isinstance(s, (*Scope, gast.ClassDef)):
                continue
            if not isinstance(s, gast.For | gast.While):
                given_up = _may_give_up(s)
                map_bodies(s, lambda inner: block(inner, loops))
                if given_up and isinstance(s, gast.Try):
                    for h in s.handlers:
                        h.body = [*stay(h.body[0]), *h.body]
                elif given_up:
                    out += stay(s)
                continue
            returns = any(isinstance(n, gast.Return) for n in in_scope(s.body))
            s.body = block(s.body, loops + 1)
            s.orelse = block(s.orelse, loops)
            if returns:
                test = gast.If(name_node(left, s), [leave(s)], [])
                gast.copy_location(test, s)
                out.append(test)
        return out

    inner = [*block(body, 0), leave(body[-1])]
    once = gast.While(gast.Constant(True, None), inner, [])
    last = gast.Return(name_node(result, first))
    for n in (once, once.test, last):
        gast.copy_location(n, first)
    start = [constant(result, None, first)]
    if flagged:
        start.append(constant(left, False, first))
    return [*start, once, last]


def _may_give_up(s: gast.stmt) -> bool:
    """Whether control may go on behind a `return` in a statement: an exception is kept back that
    a `finally`, or the end of a `with`, raises on the way out."""
    if not isinstance(s, gast.Try | gast.With) or (isinstance(s, gast.Try) and not s.handlers):
        return False
    within = [s] if isinstance(s, gast.With) else [*in_scope(s.body)]
    return any(
        isinstance(r, gast.Return)
        for n in within
        if isinstance(n, gast.With) or (isinstance(n, gast.Try) and n.finalbody)
        for r in in_scope(n.body if isinstance(n, gast.With) else [n])
    )
