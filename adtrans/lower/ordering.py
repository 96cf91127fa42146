"""`sorted`, `max`, `min` and `sort` with a key: the keys decide about places, which are constants.

sorted(rows, key=f)   ->   t = [v for v in rows];  keys = [f(v) for v in t]
                           order = argsort keys;  t[order]
max(rows, key=f)      ->   the same with the place of the largest key
max(best, (v, i))     ->   t = (v, i); t if t > best else best
"""

from __future__ import annotations

import gast

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower import comprehensions, expressions, functional
from adtrans.lower.builder import Builder
from adtrans.lower.opaque import name_node
from adtrans.lower.purity import has_effects, is_trivial
from adtrans.lower.syntax import in_scope, parameters
from adtrans.runtime.value_checks import check_list

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


def of_tuples(b: Builder, node: gast.Call, target: str | None) -> S.Atom | None:
    """`max` or `min` of tuples, one of which is written out: one after the other is compared."""
    meant = b.means(node.func)
    op = gast.Gt if meant is max else gast.Lt if meant is min else None
    if op is None or len(node.args) < 2 or node.keywords:
        return None
    displays = [a for a in node.args if isinstance(a, gast.Tuple)]
    if not displays or any(isinstance(a, gast.Starred) for d in displays for a in d.elts):
        return None
    if any(isinstance(a, gast.Starred) for a in node.args):
        return None
    # All of them first: what comes later may bind the name of another.
    best, *others = [b.assign(b.temp(), expressions.value(b, a), a).id for a in node.args]
    for n, name in enumerate(others):
        last = n == len(others) - 1
        test = gast.Compare(name_node(name, node), [op()], [name_node(best, node)])
        chosen = gast.IfExp(test, name_node(name, node), name_node(best, node))
        for made in (test, chosen):
            gast.copy_location(made, node)
        best = b.temp() if target is None or not last else target
        expressions.value(b, chosen, best)
    return E.Name(best)


def with_default(b: Builder, node: gast.Call, target: str | None) -> S.Atom | None:
    """`min` or `max` of one argument with a default: a list of it, if that is not empty."""
    given = {k.arg: k.value for k in node.keywords}
    default = given.pop("default", None)
    if b.means(node.func) not in (max, min) or len(node.args) != 1 or default is None:
        return None
    if isinstance(node.args[0], gast.Starred) or any(has_effects(b, e) for e in given.values()):
        return None
    if has_effects(b, default):
        return None
    (source,) = node.args
    made = gast.List | gast.ListComp | gast.Tuple
    late = not isinstance(source, made) and has_effects(b, source)  # its items perhaps later
    if is_trivial(default):
        values, other = _listed(b, source), default
    elif isinstance(source, gast.GeneratorExp):
        other = name_node(expressions.variable(b, default), default)
        values = _listed(b, source)
    elif late:
        return None
    else:  # it may fail even where there is no use for it
        values = _listed(b, source)
        other = name_node(expressions.variable(b, default), default)
    call = gast.Call(node.func, [name_node(values, node)], [k for k in node.keywords if
                     k.value is not default])  # fmt: skip
    gast.copy_location(call, node)
    size = b.bind(b.temp(), E.Call(E.Ref("len", len), (E.Name(values),)), node)
    result = b.temp()
    with b.nested() as some:
        b.forget()
        expressions.value(b, call, result)
    with b.nested() as none:
        b.forget()
        expressions.value(b, other, result)
    b.branch(E.Compare(size, (">",), (E.Const(0),)), some, none, node)
    b.forget()
    return E.Name(result) if target is None else b.alias(target, result, node)


def sorted_in_place(b: Builder, node: gast.Call) -> S.Atom | None:
    """`items.sort(key=...)` of a list, or of what has to be one."""
    match node.func:
        case gast.Attribute(value=values, attr="sort") if not node.args:
            words = {k.arg: k.value for k in node.keywords}
        case _:
            return None
    key = words.pop("key", None)
    if key is None or _is_none(key) or words.keys() - {"reverse"}:
        return None
    if not functional.steady(b, key):
        return None
    if "reverse" in words and has_effects(b, words["reverse"]):
        return None
    if isinstance(values, gast.Name):
        name = values.id
    elif isinstance(values, gast.Attribute) and not has_effects(b, values):
        name = expressions.variable(b, values)  # what it means while it is sorted
    else:
        return None
    if not _is_list(b, name):
        if not b.is_local(name) or _is_other(b, name):
            return None
        check = E.Ref("check_list", check_list)
        b.bind(b.temp(), E.Call(check, (E.Name(name),)), node)
    order = places(b, name, key, words.get("reverse"), "argsort", node)

    def place() -> S.Place:
        return {"site": b.site(), "span": b.span(node), "origin": b.origin}

    t = b.temp()
    b.block.append(S.Edit(t, "take", name, (order,), **place()))
    b.block.append(S.Edit(None, "splice", name, (E.NONE, E.NONE, E.Name(t)), **place()))
    b.forget()
    return E.NONE


def _is_other(b: Builder, name: str) -> bool:
    """Whether a variable may be an object whose `sort` is its own: it is bound elsewhere, or made
    by a class."""
    if isinstance(b.source.node, gast.Lambda):
        return True
    nodes = list(in_scope(b.source.node.body))
    if any(isinstance(n, gast.Nonlocal) and name in n.names for n in gast.walk(b.source.node)):
        return True
    made = [
        n.value
        for n in nodes
        if isinstance(n, gast.Assign)
        and any(isinstance(t, gast.Name) and t.id == name for t in n.targets)
    ]
    called = [b.means(v.func) for v in made if isinstance(v, gast.Call)]
    return any(isinstance(c, type) and c is not list for c in called)


def _is_list(b: Builder, name: str) -> bool:
    """Whether all that binds a variable makes a list."""
    if not b.is_local(name) or isinstance(b.source.node, gast.Lambda):
        return False
    if any(isinstance(n, gast.Nonlocal) and name in n.names for n in gast.walk(b.source.node)):
        return False
    if name in {p.id for p in parameters(b.source.node.args)}:
        return False
    nodes = list(in_scope(b.source.node.body))
    bound = sum(
        isinstance(n, gast.Name) and n.id == name and not isinstance(n.ctx, gast.Load)
        for n in nodes
    )
    made = 0
    for n in nodes:
        match n:
            case gast.Assign(targets=[gast.Name(id=target)], value=value) if target == name:
                new = isinstance(value, gast.List | gast.ListComp)
                called = isinstance(value, gast.Call) and b.means(value.func) in (list, sorted)
                made += new or called
            case _:
                pass
    return made == bound > 0


def _is_none(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and node.value is None


def _listed(b: Builder, node: gast.expr) -> str:
    """A list of what a loop over `node` finds."""
    if isinstance(node, gast.List):
        return expressions.variable(b, node)
    made = comprehensions.generator(b, node) or comprehensions.of_call(b, node)
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
