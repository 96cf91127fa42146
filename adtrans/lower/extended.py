"""Lists that are extended by what is handed out one by one, as loops that append.

values.extend(g(v) for v in x)    ->    for v in x:
                                            values.append(g(v))

A list takes the items as they come: what makes one finds those before it in the list, and they stay
where an exception comes between. So it is of lists only; what else `extend` may mean is not known.
"""

from __future__ import annotations

import gast

from adtrans.ir import expr as E
from adtrans.lower import comprehensions, expressions
from adtrans.lower.builder import Builder
from adtrans.lower.syntax import nodes_in, parameters
from adtrans.source import MISSING


def extended(b: Builder, node: gast.Call) -> bool:
    """Whether the call, as a statement, is such a one; then the loop is emitted."""
    match node:
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id=name), attr="extend"), args=[given], keywords=[]
        ):
            made = comprehensions.generator(b, given) or comprehensions.of_call(b, given)
        case _:
            return False
    if made is None or not is_list(b, name):
        return False

    def put(element: gast.expr) -> None:
        value = expressions.value(b, element)
        b.bind(b.temp(), E.Call(E.Attribute(E.Name(name), "append"), (value,)), node)

    comprehensions.loop(b, made, put, node)
    return True


def is_list(b: Builder, name: str) -> bool:
    """Whether a variable is bound to lists only."""
    tree = b.source.node
    if not isinstance(tree, gast.FunctionDef) or any(p.id == name for p in parameters(tree.args)):
        return False
    bound, known = 0, 0
    for n in (inner for s in tree.body for inner in nodes_in(s)):
        match n:
            case gast.Global(names=names) | gast.Nonlocal(names=names) if name in names:
                return False
            case gast.Name(id=found, ctx=gast.Store() | gast.Param()) if found == name:
                bound += 1
            case gast.Assign(targets=[gast.Name(id=found)], value=value) if found == name:
                known += _makes_list(b, value)
            case gast.AugAssign(target=gast.Name(id=found), op=gast.Add(), value=value) if (
                found == name
            ):
                known += _makes_list(b, value)  # what is added to a list; an array makes it one
            case gast.FunctionDef() | gast.ClassDef() | gast.MatchAs() | gast.MatchStar() if (
                n.name == name
            ):
                return False
            case gast.MatchMapping(rest=rest) if rest == name:
                return False
            case gast.alias() if name in (n.name.partition(".")[0], n.asname):
                return False
            case _:
                pass
    return 0 < bound == known


def _makes_list(b: Builder, value: gast.expr) -> bool:
    if isinstance(value, gast.Call):
        meant = b.means(value.func)
        return meant is not MISSING and (meant is list or meant is sorted)
    return isinstance(value, gast.List | gast.ListComp)
