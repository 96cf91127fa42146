"""Keyword arguments that are kept in a dictionary of constants, written where they are used.

options = {"axis": 0, "keepdims": True}    ->   options = {"axis": 0, "keepdims": True}
y = np.sum(x, **options)                        y = np.sum(x, axis=0, keepdims=True)

Only of a dictionary that is bound once, before everything that uses it, and used in no other way.
"""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import replace

import gast

from adtrans.lower.local_names import LocalNames
from adtrans.lower.makers import meaning
from adtrans.lower.syntax import nodes_in, parameters
from adtrans.source import SourceFunction


def with_plain_keywords(source: SourceFunction) -> SourceFunction:
    """The function with such keywords; `source` itself where there are none."""
    node = source.node
    if not isinstance(node, gast.FunctionDef):
        return source
    splats = {k.value.id for k in _splats(node) if isinstance(k.value, gast.Name)}
    if not splats:
        return source
    local = LocalNames(node)
    names = [n for n in gast.walk(node) if isinstance(n, gast.Name)]
    times = Counter(n.id for n in names)
    splatted = Counter(k.value.id for k in _splats(node) if isinstance(k.value, gast.Name))
    own = {p.id for p in parameters(node.args)}
    for n in nodes_in(node):
        if isinstance(n, gast.Global | gast.Nonlocal):
            own |= set(n.names)  # others may bind it meanwhile
    known: dict[str, list[tuple[str, gast.expr]]] = {}
    for k, s in enumerate(node.body):  # what stands here is done once, and before what follows
        match s:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if (
                name in splats and name not in own and times[name] == splatted[name] + 1
            ):
                maker = value.func if isinstance(value, gast.Call) else value
                entries = _entries(value, meaning(maker, source, local) is dict)
                later = {id(n) for t in node.body[k + 1 :] for n in gast.walk(t)}
                uses = [n for n in names if n.id == name and isinstance(n.ctx, gast.Load)]
                if entries is not None and all(id(n) in later for n in uses):
                    known[name] = entries
            case _:
                pass
    if not known:
        return source
    made = copy.deepcopy(node)
    for call in gast.walk(made):
        if isinstance(call, gast.Call):
            call.keywords = _written(call, known)
    return replace(source, node=made)


def _splats(node: gast.AST) -> list[gast.keyword]:
    """The `**name` of all calls."""
    calls = (n for n in nodes_in(node) if isinstance(n, gast.Call))
    return [k for c in calls for k in c.keywords if k.arg is None]


def _entries(node: gast.expr, is_dict: bool) -> list[tuple[str, gast.expr]] | None:
    """The entries of a dictionary of constants."""
    found: list[tuple[str, gast.expr]] = []
    match node:
        case gast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if not (isinstance(key, gast.Constant) and isinstance(key.value, str)):
                    return None
                found.append((key.value, value))
        case gast.Call(args=[], keywords=keywords) if is_dict:
            for k in keywords:
                if k.arg is None:
                    return None
                found.append((k.arg, k.value))
        case _:
            return None
    named = {name for name, _ in found}
    plain = all(_is_constant(v) for _, v in found) and all(n.isidentifier() for n in named)
    return found if plain and len(named) == len(found) else None


def _is_constant(node: gast.expr) -> bool:
    match node:
        case gast.Constant():
            return True
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant()):
            return True
        case gast.Tuple(elts=items):
            return all(map(_is_constant, items))
        case _:
            return False


def _written(
    call: gast.Call, known: dict[str, list[tuple[str, gast.expr]]]
) -> list[gast.keyword]:
    """The keywords of a call with known entries written out, unless one is given twice."""
    out: list[gast.keyword] = []
    for k in call.keywords:
        if k.arg is None and isinstance(k.value, gast.Name) and k.value.id in known:
            for name, value in known[k.value.id]:
                made = gast.keyword(name, copy.deepcopy(value))
                for n in gast.walk(made):
                    gast.copy_location(n, k.value)
                out.append(made)
        else:
            out.append(k)
    given = [k.arg for k in out if k.arg is not None]
    return out if len(set(given)) == len(given) else call.keywords
