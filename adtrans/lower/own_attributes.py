"""`self.__dict__["a"] = v` in a method as the assignment of an attribute, where it means the same.

for name in ["a", "b"]:              for name in ["a", "b"]:
    self.__dict__[name] = None   ->      setattr(self, name, None)

self.__dict__.update(kwargs)     ->   for name, value in kwargs.items():
                                          setattr(self, name, value)
self.__dict__.update(a=v)        ->   for name, value in {"a": v}.items(): ...

It does where the names are written out, and no class that has the method assigns in another way. So
is `vars(self)` instead of `self.__dict__`.
"""

from __future__ import annotations

import ast
import copy
import sys
from collections.abc import Iterator
from types import FunctionType

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.opaque import name_node
from adtrans.lower.syntax import (
    Scope,
    bound_again,
    bound_names,
    in_scope,
    map_bodies,
    mentioned,
    nodes_in,
)
from adtrans.source import SourceFunction
from adtrans.source.made import made_functions


def with_own_attributes(source: SourceFunction) -> SourceFunction:
    """The method with such assignments by `setattr`; `source` itself where there are none."""
    node = source.node
    named = {*source.fn.__code__.co_names} & {"__dict__", "vars"}
    if not named or not isinstance(node, gast.FunctionDef):
        return source
    first = [*node.args.posonlyargs, *node.args.args][:1]
    cls = class_of_method(source)
    if cls is None or not first or first[0].id in bound_names(node.body):
        return source
    known = _words(node)
    free = "setattr" not in {n.id for n in nodes_in(node) if isinstance(n, gast.Name)}
    if not free or source.resolve("setattr") is not setattr:
        return source
    if "vars" in named and source.resolve("vars") is not vars:
        return source
    made = copy.deepcopy(node)
    names = NameAllocator(mentioned(node) | set(source.fn.__code__.co_freevars))
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
                case gast.Expr(
                    value=gast.Call(func=gast.Attribute(value=table, attr="update")) as call
                ) if _owner(table) == first[0].id and (
                    given := _given(call, cls, made.args, made.body)
                ) is not None:
                    body[k] = _each(s, first[0].id, given, names)
                    found = True
                case _:
                    if not isinstance(s, (*Scope, gast.ClassDef)):
                        map_bodies(s, block)
        return body

    made.body = block(made.body)
    return made_functions(source, made, ()) if found else source


def _owner(table: gast.expr) -> str | None:
    """The variable `obj` in `obj.__dict__` and `vars(obj)`."""
    match table:
        case gast.Attribute(value=gast.Name(id=obj), attr="__dict__"):
            return obj
        case gast.Call(func=gast.Name(id="vars"), args=[gast.Name(id=obj)], keywords=[]):
            return obj
    return None


def _given(
    call: gast.Call, cls: type, args: gast.arguments, body: list[gast.stmt]
) -> gast.expr | None:
    """The dictionary of what `update` is given, where assigning all of it stores it."""
    words = [k.arg for k in call.keywords]
    if call.keywords and not call.args and all(w is not None for w in words):
        made: list[gast.expr | None] = [gast.Constant(w, None) for w in words]
        plain = _are_plain(cls, [str(w) for w in words])
        return gast.Dict(made, [k.value for k in call.keywords]) if plain else None
    match call:
        case gast.Call(args=[gast.Dict(keys=keys) as given], keywords=[]):
            texts = [getattr(k, "value", None) for k in keys]
            plain = _are_plain(cls, [t for t in texts if isinstance(t, str)])
            return given if plain and all(isinstance(t, str) for t in texts) else None
        case gast.Call(args=[gast.Name(id=name) as given], keywords=[]) | gast.Call(
            args=[], keywords=[gast.keyword(arg=None, value=gast.Name(id=name) as given)]
        ) if _is_dictionary(name, args, body):
            members = {n for c in with_subclasses(cls) for b in c.__mro__[:-1] for n in vars(b)}
            return given if _are_plain(cls, sorted(members - _OF_ALL) or ["__doc__"]) else None
    return None


def _is_dictionary(name: str, args: gast.arguments, body: list[gast.stmt]) -> bool:
    """Whether a variable is a new dictionary: what collects arguments, or a display."""
    if args.kwarg is not None and name == args.kwarg.id:
        return not bound_again(name, body)
    rest = [s for s in body if not _binds(s, name)]
    return len(rest) == len(body) - 1 and not bound_again(name, rest)


def _binds(s: gast.stmt, name: str) -> bool:
    match s:
        case gast.Assign(targets=[gast.Name(id=target)], value=gast.Dict() | gast.DictComp()):
            return target == name
    return False


_OF_ALL = frozenset({"__dict__", "__weakref__"})


def _each(s: gast.stmt, obj: str, given: gast.expr, names: NameAllocator) -> gast.stmt:
    """The loop that assigns all that is in a dictionary."""
    name, value = names.fresh("name"), names.fresh("value")
    loop = ast.parse(f"for {name}, {value} in given.items():\n    setattr({obj}, {name}, {value})")
    module = gast.ast_to_gast(loop)
    assert isinstance(module, gast.Module)
    made = module.body[0]
    assert isinstance(made, gast.For) and isinstance(made.iter, gast.Call)
    assert isinstance(made.iter.func, gast.Attribute)
    made.iter.func.value = given
    for n in gast.walk(made):
        gast.copy_location(n, s)
    return made


def class_of_method(source: SourceFunction) -> type | None:
    """The class that a method was written in, found by its name."""
    fn = source.fn
    owner: object = sys.modules.get(fn.__module__ or "")
    *path, name = source.qualname.split(".")
    for part in path:
        owner = vars(owner).get(part) if hasattr(owner, "__dict__") else None
    here = vars(owner).get(name) if isinstance(owner, type) else None
    if not isinstance(owner, type) or not isinstance(here, FunctionType):
        return None
    return owner if here is fn or _place(here) == _place(fn) else None


def _place(fn: FunctionType) -> tuple[str, int, str]:
    """Where a function was written: one that collects arguments is made anew for a call."""
    return fn.__code__.co_filename, fn.__code__.co_firstlineno, fn.__code__.co_name


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
    for c in with_subclasses(cls):
        assigns: object = getattr(c, "__setattr__")  # noqa: B009
        if assigns is not object.__setattr__ or not c.__dictoffset__:
            return False
        for name in names:
            members = [vars(b)[name] for b in c.__mro__ if name in vars(b)]
            if any(hasattr(type(m), "__set__") or hasattr(type(m), "__delete__") for m in members):
                return False
    return bool(names)


def with_subclasses(cls: type) -> Iterator[type]:
    """A class and those that are derived from it."""
    yield cls
    below: list[type] = type.__subclasses__(cls)
    for c in below:
        yield from with_subclasses(c)
