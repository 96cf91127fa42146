"""`self.__dict__["a"] = v` in a method as the assignment of an attribute, where it means the same.

for name in ["a", "b"]:              for name in ["a", "b"]:
    self.__dict__[name] = None   ->      setattr(self, name, None)

It does where the names are written out, and no class that has the method assigns in another way.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator

import gast

from adtrans.lower.opaque import name_node
from adtrans.lower.syntax import Scope, bound_names, in_scope, map_bodies, nodes_in
from adtrans.source import SourceFunction
from adtrans.source.made import made_functions


def with_own_attributes(source: SourceFunction) -> SourceFunction:
    """The method with such assignments by `setattr`; `source` itself where there are none."""
    node = source.node
    if "__dict__" not in source.fn.__code__.co_names or not isinstance(node, gast.FunctionDef):
        return source
    first = [*node.args.posonlyargs, *node.args.args][:1]
    cls = _class_of(source)
    if cls is None or not first or first[0].id in bound_names(node.body):
        return source
    known = _words(node)
    free = "setattr" not in {n.id for n in nodes_in(node) if isinstance(n, gast.Name)}
    if not free or source.resolve("setattr") is not setattr:
        return source
    made = copy.deepcopy(node)
    found = False

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        nonlocal found
        for k, s in enumerate(body):
            match s:
                case gast.Assign(
                    targets=[
                        gast.Subscript(
                            value=gast.Attribute(value=gast.Name(id=obj), attr="__dict__"),
                            slice=key,
                        )
                    ],
                    value=value,
                ) if obj == first[0].id and _are_plain(cls, _named(key, known)):
                    call = gast.Call(name_node("setattr", s), [name_node(obj, s), key, value], [])
                    body[k] = gast.Expr(call)
                    gast.copy_location(call, s)
                    gast.copy_location(body[k], s)
                    found = True
                case _:
                    if not isinstance(s, (*Scope, gast.ClassDef)):
                        map_bodies(s, block)
        return body

    made.body = block(made.body)
    return made_functions(source, made, ()) if found else source


def _class_of(source: SourceFunction) -> type | None:
    """The class that a method was written in, found by its name."""
    fn = source.fn
    owner: object = sys.modules.get(fn.__module__ or "")
    *path, name = fn.__qualname__.split(".")
    for part in path:
        owner = vars(owner).get(part) if hasattr(owner, "__dict__") else None
    if not isinstance(owner, type) or vars(owner).get(name) is not fn:
        return None
    return owner


def _words(node: gast.FunctionDef) -> dict[str, list[str]]:
    """The variables that only loops over texts bind, with these texts."""
    stores: dict[str, int] = {}
    found: dict[str, tuple[int, list[str]]] = {}
    for n in in_scope(node.body):
        match n:
            case gast.Name(id=name, ctx=gast.Store()):
                stores[name] = stores.get(name, 0) + 1
            case gast.For(
                target=gast.Name(id=name), iter=gast.List(elts=items) | gast.Tuple(elts=items)
            ) if all(isinstance(i, gast.Constant) and isinstance(i.value, str) for i in items):
                times, words = found.get(name, (0, []))
                texts = [i.value for i in items if isinstance(i, gast.Constant)]
                found[name] = (times + 1, [*words, *texts])
            case _:
                pass
    others = {n.id for n in nodes_in(node.args) if isinstance(n, gast.Name)}
    for n in nodes_in(node):
        match n:
            case gast.Global(names=names) | gast.Nonlocal(names=names):
                others.update(names)
            case gast.Import(names=names) | gast.ImportFrom(names=names):
                others.update(a.asname or a.name.partition(".")[0] for a in names)
            case gast.FunctionDef(name=str(name)) | gast.ClassDef(name=str(name)):
                others.add(name)
            case gast.MatchAs(name=str(name)) | gast.MatchStar(name=str(name)):
                others.add(name)
            case gast.MatchMapping(rest=str(name)):
                others.add(name)
            case _:
                pass
    return {
        name: words
        for name, (times, words) in found.items()
        if stores.get(name) == times and name not in others
    }


def _named(key: gast.expr, known: dict[str, list[str]]) -> list[str]:
    """The texts that a key may be, none where that is not known."""
    match key:
        case gast.Constant(value=str() as word):
            return [word]
        case gast.Name(id=name):
            return known.get(name, [])
        case _:
            return []


def _are_plain(cls: type, names: list[str]) -> bool:
    """Whether assigning these attributes stores them, whatever class of those the object is of."""
    for c in _every(cls):
        assigns: object = getattr(c, "__setattr__")  # noqa: B009
        if assigns is not object.__setattr__ or not c.__dictoffset__:
            return False
        for name in names:
            members = [vars(b)[name] for b in c.__mro__ if name in vars(b)]
            if any(hasattr(type(m), "__set__") or hasattr(type(m), "__delete__") for m in members):
                return False
    return bool(names)


def _every(cls: type) -> Iterator[type]:
    yield cls
    below: list[type] = type.__subclasses__(cls)
    for c in below:
        yield from _every(c)
