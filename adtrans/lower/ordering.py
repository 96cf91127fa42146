"""`sorted`, `max` and `min` with a key: the keys decide about places, which are constants.

sorted(rows, key=f)   ->   t = [v for v in rows];  keys = [f(v) for v in t]
                           order = argsort keys;  t[order]
max(rows, key=f)      ->   the same with the place of the largest key
"""

from __future__ import annotations

import gast

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower import comprehensions, expressions, functional
from adtrans.lower.builder import Builder
from adtrans.lower.opaque import name_node
from adtrans.lower.purity import has_effects

_PLACES: dict[object, S.EditOp] = {sorted: "argsort", max: "argmax", min: "argmin"}


def keyed(b: Builder, node: gast.Call, target: str | None) -> S.Atom | None:
    """A call of `sorted`, `max` or `min` with a key; None for anything else."""
    meant = b.means(node.func)
    op = next((op for f, op in _PLACES.items() if meant is f), None)
    words = {k.arg: k.value for k in node.keywords}
    key = words.pop("key", None)
    if op is None or key is None or _is_none(key) or not node.args:
        return None
    if words.keys() - ({"reverse"} if meant is sorted else set()):
        return None
    if isinstance(key, gast.Attribute) and not functional.steady(b, key):
        key = functional.looked_up(b, key)
    if any(isinstance(a, gast.Starred) for a in node.args) or not functional.steady(b, key):
        return None
    if op == "argsort" and len(node.args) > 1:
        return None
    if "reverse" in words and has_effects(b, words["reverse"]):  # before anything is looked at
        return None
    given: gast.expr = node.args[0]
    if len(node.args) > 1:
        given = gast.List(list(node.args), gast.Load())
        gast.copy_location(given, node)
    values = _listed(b, given)
    order = places(b, values, key, words.get("reverse"), op, node)
    result = target or b.temp()
    where: S.Place = {"site": b.site(), "span": b.span(node), "origin": b.origin}
    if op == "argsort":
        b.block.append(S.Edit(result, "take", values, (order,), **where))
    else:
        b.block.append(S.Load(result, values, (order,), **where))
    b.forget()
    return E.Name(result)


def _is_none(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and node.value is None


def _listed(b: Builder, node: gast.expr) -> str:
    """A list of what a loop over `node` finds."""
    if isinstance(node, gast.List):
        return expressions.variable(b, node)
    made = comprehensions.generator(b, node)
    return comprehensions.listed(b, made or comprehensions.over(b, node)).id


def places(
    b: Builder,
    values: str,
    key: gast.expr | None,
    reverse: gast.expr | None,
    op: S.EditOp,
    node: gast.AST,
) -> E.Name:
    """The place, or the order of all, that the keys of the items of a list tell."""
    keys = values
    args: tuple[S.Atom, ...] = ()
    if reverse is not None:  # before any key is asked for
        atom = expressions.value(b, reverse)
        if isinstance(atom, E.Name) and atom.id in b.volatile:
            atom = b.alias(b.temp(), atom.id, reverse)
        args = (atom,)
    if key is not None and not _is_none(key):
        names, value = functional.applied_to(b, key, 1, node)
        assert value is not None
        target = name_node(names[0], node, gast.Store())
        source = name_node(values, node)
        made = gast.GeneratorExp(value, [gast.comprehension(target, source, [], 0)])
        gast.copy_location(made, node)
        keys = comprehensions.listed(b, made).id
    order = b.temp("order")
    b.block.append(
        S.Edit(order, op, keys, args, site=b.site(), span=b.span(node), origin=b.origin)
    )
    return E.Name(order)
