"""Names of comprehensions and lambdas that are not those of the function around them.

What is told of a variable by how it is bound is told by its name; a lambda that is only called, and
a comprehension, can call theirs otherwise.

>>> text = "def f(a):\\n    g = lambda a: a + 1\\n    return g(a), [a for a in a]"
>>> tree = gast.parse(text).body[0]
>>> apart(tree, NameAllocator({"f", "a", "g"}))
>>> print(gast.unparse(tree))
<BLANKLINE>
def f(a):
    g = lambda a_2: a_2 + 1
    return (g(a), [a_3 for a_3 in a])
"""

from __future__ import annotations

from collections.abc import Iterable

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.syntax import Comprehension, Scope, in_scope, parameters

_SEES_NAMES = ("eval", "exec", "locals", "vars", "dir")


def apart(node: gast.FunctionDef, names: NameAllocator) -> None:
    """Rename them, in place, where the function itself binds such a name."""
    if any(isinstance(n, gast.Name) and n.id in _SEES_NAMES for n in gast.walk(node)):
        return
    own = {p.id for p in parameters(node.args)}
    own |= {n.id for n in in_scope(node.body)
            if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)}  # fmt: skip
    called = _only_called(node)
    for n in [*gast.walk(node)]:
        if isinstance(n, Comprehension):
            bound = {t.id for g in n.generators for t in gast.walk(g.target)
                     if isinstance(t, gast.Name) and isinstance(t.ctx, gast.Store)}  # fmt: skip
            first = {id(p) for p in gast.walk(n.generators[0].iter)}
            _rename(n, bound & own, first, names)
        elif isinstance(n, gast.Lambda) and id(n) in called:
            outside = {id(p) for d in (*n.args.defaults, *n.args.kw_defaults) if d is not None
                       for p in gast.walk(d)}  # fmt: skip
            _rename(n, {p.id for p in parameters(n.args)} & own, outside, names)


def _rename(
    scope: gast.AST, bound: Iterable[str], outside: set[int], names: NameAllocator
) -> None:
    inner = [n for n in gast.walk(scope) if isinstance(n, (*Scope, *Comprehension, gast.ClassDef))]
    for name in sorted(bound):
        within = [n for n in gast.walk(scope) if isinstance(n, gast.Name) and id(n) not in outside]
        if any(n is not scope and id(n) not in outside and _binds(n, name) for n in inner):
            continue
        if any(isinstance(n, gast.NamedExpr) and n.target.id == name for n in gast.walk(scope)):
            continue
        new = names.fresh(name)
        for n in within:
            n.id = new if n.id == name else n.id


def _binds(scope: gast.AST, name: str) -> bool:
    """Whether a scope inside mentions the name otherwise than to read it."""
    return any(
        (isinstance(n, gast.Name) and n.id == name and not isinstance(n.ctx, gast.Load))
        or (isinstance(n, gast.FunctionDef | gast.ClassDef) and n.name == name)
        or (isinstance(n, gast.Nonlocal | gast.Global) and name in n.names)
        for n in gast.walk(scope)
    )


def _only_called(node: gast.FunctionDef) -> set[int]:
    """The lambdas that are called where they are written, or by a name that is only called, with
    no arguments by name."""
    calls = [n for n in gast.walk(node) if isinstance(n, gast.Call) and not n.keywords]
    found = {id(n.func) for n in calls}
    used: dict[str, list[gast.Name]] = {}
    for n in gast.walk(node):
        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load):
            used.setdefault(n.id, []).append(n)
    return found | {
        id(n.value) for n in gast.walk(node)
        if isinstance(n, gast.Assign) and len(n.targets) == 1 and isinstance(n.value, gast.Lambda)
        and isinstance(n.targets[0], gast.Name)
        and all(id(u) in found for u in used.get(n.targets[0].id, []))
    }  # fmt: skip
