"""Whether a variable may be bound again while a function that captured it lives on.

A closure sees the variable itself. Where nothing binds that any more it may as well be given the
value.

>>> tree = gast.parse(
...     "def f(x):\\n    k = 2\\n    g = lambda v: v * k\\n    x = g(x)\\n    return g"
... )
>>> node = tree.body[0]
>>> [bound_later(v, node.body[1], node) for v in ("k", "x")]
[False, True]
"""

from __future__ import annotations

from collections.abc import Iterable

import gast

from adtrans.lower.syntax import bound_names, in_scope, nodes_in


def bound_later(var: str, at: gast.AST, node: gast.FunctionDef) -> bool:
    """Whether something in `node` may bind a variable after the statement `at` was executed: what
    stands below it, what shares a loop with it, and a function that declares the variable its own
    business (`nonlocal`). Deleted anywhere is not better."""
    declared = (n for n in nodes_in(node) if isinstance(n, gast.Nonlocal | gast.Global))
    if any(var in n.names for n in declared):
        return True
    order = [*in_scope(node.body)]
    place = next((k for k, n in enumerate(order) if n is at), -1)  # of its own making: anywhere
    again: set[int] = set()
    for loop in order[:place]:
        if isinstance(loop, gast.For | gast.While):
            inside = [*in_scope([loop])]
            again |= {id(n) for n in inside} if any(n is at for n in inside) else set()
    return any(
        var in binds(n) and (k > place or id(n) in again or _deletes(n))
        for k, n in enumerate(order)
    )


def binds(n: gast.AST) -> Iterable[str]:
    """The names that a node itself binds or deletes."""
    if isinstance(n, gast.Name):
        return (n.id,) if isinstance(n.ctx, gast.Store | gast.Del) else ()
    if isinstance(n, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef):
        return (n.name,)
    return other_names(n)


def other_names(n: gast.AST) -> Iterable[str]:
    """The names that something else than a plain name or a definition binds."""
    if isinstance(n, gast.Import | gast.ImportFrom | gast.MatchAs | gast.MatchStar):
        return bound_names([n])
    if isinstance(n, gast.MatchMapping):
        return (n.rest,) if n.rest else ()
    return ()


def _deletes(n: gast.AST) -> bool:
    return isinstance(n, gast.Name) and isinstance(n.ctx, gast.Del)
