"""`super().m(x)` as the call of the method that it means: `Base_m(self, x)`.

Which class comes next depends on the class of `self`: it is looked for in the class of the method
and in all that come from it. Where these do not agree, the call is one of several, by class:

    super().m(x)   ->   Right_m(self, x) if is_one_of(self, Both) else Base_m(self, x)

So is `super(C, self).m(x)` in a method of `C`, and `m(x)` after `m = super().m`.
"""

from __future__ import annotations

import copy
import types
from collections.abc import Iterable, Iterator

import gast

from adtrans import runtime
from adtrans.ir.names import NameAllocator
from adtrans.lower.opaque import name_node
from adtrans.lower.small_trees import nothing
from adtrans.lower.syntax import (
    Scope,
    bound_names,
    in_scope,
    map_bodies,
    mentioned,
    nodes_in,
)
from adtrans.source import SourceFunction
from adtrans.source.made import made_functions

_MOST = 4  # classes for which a call means another method


def without_super(source: SourceFunction) -> SourceFunction:
    """A method with the calls through `super()` spelled out, where that is possible."""
    cls, node = source.resolve("__class__"), source.node
    if "__class__" not in source.fn.__code__.co_freevars or not isinstance(cls, type):
        return source
    if not isinstance(node, gast.FunctionDef):
        return source
    first = [*node.args.posonlyargs, *node.args.args][:1]
    if not first or first[0].id in bound_names(node.body):
        return source
    params = [n.id for n in nodes_in(node.args) if isinstance(n, gast.Name)]
    _called_at_once(node, cls)
    free = mentioned(node).difference(params, bound_names(node.body))
    own = {n for n in free if source.resolve(n) is cls}
    calls = list(_calls(node, first[0].id, own))
    names = NameAllocator(mentioned(node) | set(source.fn.__globals__))
    found: dict[object, str] = {}

    def named(value: object, text: str, like: gast.AST) -> gast.Name:
        if value not in found:
            found[value] = names.fresh(text)
        return name_node(found[value], like)

    chosen: dict[int, gast.expr] = {}
    for call in calls:
        assert isinstance(call.func, gast.Attribute)
        attr, owners = call.func.attr, _next(cls, call.func.attr)
        methods = {c: vars(owner).get(attr) for c, owner in owners.items()}
        usual = methods.pop(cls)
        others = {c: m for c, m in methods.items() if m is not usual}
        if not all(isinstance(m, types.FunctionType) for m in others.values()):
            continue
        plain = isinstance(usual, types.FunctionType)
        if len(others) > _MOST or not (plain or (others and usual is None)):
            continue
        given = [name_node(first[0].id, call), *call.args]
        call.args = given
        value: gast.expr = call
        if plain:
            call.func = named(usual, f"{owners[cls].__name__}_{attr}", call)
        else:
            words: list[gast.expr] = [name_node(first[0].id, call), gast.Constant(attr, None)]
            value = gast.Call(named(runtime.no_next, "no_next", call), words, [])
            gast.copy_location(words[1], call)
            gast.copy_location(value, call)
        for c, m in others.items():
            test = gast.Call(
                named(runtime.is_one_of, "is_one_of", call),
                [name_node(first[0].id, call), named(c, c.__name__, call)],
                [],
            )
            other = copy.deepcopy(call)
            other.func = named(m, f"{owners[c].__name__}_{attr}", call)
            gast.copy_location(test, call)
            value = gast.IfExp(test, other, value)
            gast.copy_location(value, call)
        if others:
            chosen[id(call)] = value
    bare = _without_object(node, cls, calls)
    if not found and not bare:
        return source
    if chosen:
        _choose(node, chosen)
    return made_functions(source, node, (), {name: value for value, name in found.items()})


def _called_at_once(node: gast.FunctionDef, cls: type) -> None:
    """`super().m(x)` for `m(x)` after `m = super().m`, in place, where `m` is only called."""
    nodes = list(nodes_in(node))
    called = {id(n.func) for n in in_scope(node.body) if isinstance(n, gast.Call)}
    for k, s in enumerate(node.body):
        match s:
            case gast.Assign(
                targets=[gast.Name(id=name)],
                value=gast.Attribute(
                    value=gast.Call(func=gast.Name(id="super"), args=[], keywords=[]), attr=attr
                ) as bound,
            ):
                pass
            case _:
                continue
        uses = [n for n in nodes if isinstance(n, gast.Name) and n.id == name]
        loads = {id(n) for n in uses if isinstance(n.ctx, gast.Load)}
        behind = {id(n) for t in node.body[k + 1 :] for n in gast.walk(t)}
        other = any(name in getattr(n, "names", ()) for n in nodes)  # `global`, `nonlocal`
        if len(uses) != len(loads) + 1 or not loads <= called & behind or other:
            continue
        owners = _next(cls, attr).values()
        if not all(isinstance(vars(c).get(attr), types.FunctionType) for c in owners):
            continue
        for n in in_scope(node.body):
            if isinstance(n, gast.Call) and id(n.func) in loads:
                n.func = copy.deepcopy(bound)
        node.body[k] = nothing(s)


def _choose(node: gast.AST, chosen: dict[int, gast.expr]) -> None:
    """Puts choices in the place of calls."""
    for name, value in list(gast.iter_fields(node)):
        for k, n in enumerate(value if isinstance(value, list) else [value]):
            made = chosen.pop(id(n), n)
            if made is not n and isinstance(value, list):
                value[k] = made
            elif made is not n:
                setattr(node, name, made)
            if isinstance(made, gast.AST):
                _choose(made, chosen)


def _without_object(node: gast.FunctionDef, cls: type, among: Iterable[gast.Call]) -> bool:
    """Takes out the statements `super().__init__()` that mean that of `object`, which does nothing;
    whether there were any."""
    if set(_next(cls, "__init__").values()) != {object}:
        return False
    calls = {id(c) for c in among if _is_init(c)}
    found = False

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        nonlocal found
        for k, s in enumerate(body):
            if isinstance(s, gast.Expr) and id(s.value) in calls:
                body[k], found = nothing(s), True
            elif not isinstance(s, (*Scope, gast.ClassDef)):
                map_bodies(s, block)
        return body

    node.body = block(node.body)
    return found


def _is_init(call: gast.Call) -> bool:
    plain = not call.args and not call.keywords
    return isinstance(call.func, gast.Attribute) and call.func.attr == "__init__" and plain


def _calls(node: gast.FunctionDef, first: str, own: set[str]) -> Iterator[gast.Call]:
    """The calls `super().m(...)` and `super(C, self).m(...)`, where `own` are the names of `C`."""
    for n in in_scope(node.body):
        match n:
            case gast.Call(
                func=gast.Attribute(
                    value=gast.Call(func=gast.Name(id="super"), args=args, keywords=[])
                )
            ):
                match args:
                    case []:
                        yield n
                    case [gast.Name(id=name), gast.Name(id=obj)] if name in own and obj == first:
                        yield n


def _next(cls: type, attr: str) -> dict[type, type]:
    """The class in which methods of `cls` find `super().attr`, by the class of the object."""
    every: list[type] = [cls]
    found: dict[type, type] = {}
    for c in every:
        below: list[type] = type.__subclasses__(c)
        every += [d for d in below if d not in every]
        behind = c.__mro__[c.__mro__.index(cls) + 1 :]
        found[c] = next((b for b in behind if attr in vars(b)), object)
    return found
