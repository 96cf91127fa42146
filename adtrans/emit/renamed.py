"""Other names for what generated functions refer to, also in statements that the user wrote.

>>> from adtrans.ir.code import Def, Result
>>> d = renamed(Def("f", (), (Result(E.Ref("np.pi", 3.14)),)), {"np": "np_2"})
>>> print(d.body[0].value)
np_2.pi
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace

import gast

from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir.walk import rebuild, walk
from adtrans.transforms.fold import all_code, expressions
from adtrans.transforms.map_expressions import map_code


def as_written(d: C.Def) -> set[str]:
    """The names in what is printed as the user wrote it."""
    found: set[str] = set()
    for c in all_code(d.body):
        nodes = [c.node] if isinstance(c, C.Original) else []
        for e in (sub for top in expressions(c) for sub in walk(top)):
            if isinstance(e, E.Verbatim):
                nodes.append(e.node)
            elif isinstance(e, E.Ref) and "." in e.text:
                found.add(e.root)
        for node in nodes:
            if isinstance(node, gast.AST):
                found |= {n.id for n in gast.walk(node) if isinstance(n, gast.Name)}
    return found


def renamed(d: C.Def, to: Mapping[str, str]) -> C.Def:
    """A function with other names for what it refers to."""

    def ref(text: str) -> str:
        root, dot, rest = text.partition(".")
        return to.get(root, root) + dot + rest

    def visit(e: E.Expr) -> E.Expr:
        match e:
            case E.Ref():
                return E.Ref(ref(e.text), e.value)
            case E.Verbatim():
                return replace(e, node=_renamed(e.node, to)) if e.node is not None else e
            case _:
                return rebuild(e, visit)

    def original(c: C.Code) -> C.Code:
        if isinstance(c, C.Original):
            return replace(c, node=_renamed(c.node, to))
        return C.map_bodies(c, lambda body: tuple(original(inner) for inner in body))

    params = tuple(
        replace(p, default=E.Ref(ref(p.default.text), p.default.value))
        if isinstance(p.default, E.Ref)
        else p
        for p in d.params
    )
    body = tuple(original(map_code(c, visit)) for c in d.body)
    return replace(d, params=params, body=body)


def _renamed(node: object, to: Mapping[str, str]) -> object:
    """A tree of the user's with other names."""
    made = copy.deepcopy(node)
    assert isinstance(made, gast.AST)
    for n in gast.walk(made):
        if isinstance(n, gast.Name) and n.id in to:
            n.id = to[n.id]
    return made
