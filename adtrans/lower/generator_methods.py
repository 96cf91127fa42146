"""Generators that are methods: `for v in a.run(n)` as a loop over `Model.run(a, n)`.

a = Model(x)                       a = Model(x)
for v in a.run(n):          =>     check_method(type(a).run, Model.run)
    s += v                         for v in Model.run(a, n):
                                       s += v

Which class the object is of is seen where all that binds its name makes one of that class, and in
a method, whose object is of its class. It may be of another one in a call to come, so it is asked.
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass

import gast

from adtrans import runtime
from adtrans.ir import expr as E
from adtrans.lower import expressions
from adtrans.lower.builder import Builder
from adtrans.lower.later import binds
from adtrans.lower.opaque import name_node
from adtrans.lower.syntax import in_scope, parameters
from adtrans.source import SourceFunction
from adtrans.source.assigned import assigned


@dataclass(frozen=True)
class Method:
    """What objects of a class have, its call with the object first, and the `generator` function
    in it, if it is none itself."""

    classes: tuple[type, ...]
    fn: types.FunctionType
    call: gast.Call
    generator: types.FunctionType


def generator_method(b: Builder, node: gast.Call, around: bool = False) -> Method | None:
    """The generator method that `node` calls, where the class of its object is seen; `around`: one
    that `contextlib.contextmanager` makes something else of."""
    if not isinstance(node.func, gast.Attribute):
        return None
    classes = classes_of(b, node.func.value)
    name = node.func.attr
    if not classes or b.means(name_node("type", node)) is not type:
        return None
    fn = inspect.getattr_static(classes[0], name, None)
    own = getattr(fn, "__wrapped__", None) if around else fn
    if not isinstance(fn, types.FunctionType) or not inspect.isgeneratorfunction(own):
        return None
    assert isinstance(own, types.FunctionType)
    if any(inspect.getattr_static(c, name, None) is not fn for c in classes):
        return None
    if name in b.stored or any(name in assigned(c) for c in classes):
        return None  # an object may have one of its own
    if not own.__code__.co_varnames[: own.__code__.co_argcount] or _looks_at_class(own.__code__):
        return None
    call = gast.Call(node.func, [node.func.value, *node.args], node.keywords)
    gast.copy_location(call, node)
    return Method(classes, fn, call, own)


def classes_of(b: Builder, node: gast.expr) -> tuple[type, ...]:
    """The classes that the object that `node` gives may be of, as far as this function shows it:
    one, and in a method those that are derived from it."""
    match node:
        case gast.Call(func=fn):
            return _class(b.means(fn))
        case gast.Name(id=name) if name in b.of_class:
            return b.of_class[name]
        case gast.Name(id=name) if b.is_local(name):
            return _of_variable(b, name)
        case _:
            return ()


def _of_variable(b: Builder, name: str) -> tuple[type, ...]:
    tree = b.source.node
    if not isinstance(tree, gast.FunctionDef):
        return ()
    args = tree.args
    first = [*args.posonlyargs, *args.args][:1]
    times = sum(name in binds(n) for n in in_scope(tree.body))
    if times == 0 and first and first[0].id == name:
        cls = class_of_method(b.source)
        return () if cls is None else (*with_subclasses(cls),)
    if any(p.id == name for p in parameters(args)):
        return ()
    found: list[tuple[type, ...]] = []
    for n in in_scope(tree.body):
        match n:
            case gast.Assign(targets=[gast.Name(id=target)], value=value) if target == name:
                found.append(_class(b.means(value.func)) if isinstance(value, gast.Call) else ())
            case _:
                pass
    return found[0] if found and len(found) == times and len({*found}) == 1 else ()


def _class(obj: object) -> tuple[type, ...]:
    return (obj,) if isinstance(obj, type) and obj.__module__ != "builtins" else ()


def _looks_at_class(code: types.CodeType) -> bool:
    """Whether a function means something else outside of its class: `super()`, `self.__x`."""
    names = (*code.co_names, *code.co_varnames, *code.co_freevars)
    private = (n for n in names if "__" in n[1:] and n.startswith("_") and not n.endswith("__"))
    return "__class__" in code.co_freevars or "super" in code.co_names or any(private)


def asked_class(b: Builder, method: Method, variable: str, like: gast.AST) -> None:
    """Emits the check that an object has this method; `variable` means the object from here on."""
    b.of_class[variable] = method.classes
    kind = gast.Call(name_node("type", like), [name_node(variable, like)], [])
    read = gast.Attribute(kind, method.fn.__name__, gast.Load())
    for n in (kind, read):
        gast.copy_location(n, like)
    held = b.temp("method")
    expressions.value(b, read, held)
    expected = E.Ref(f"{method.classes[0].__name__}_{method.fn.__name__}", method.fn)
    check = E.Ref("check_method", runtime.check_method)
    b.bind(b.temp("checked"), E.Call(check, (E.Name(held), expected)), like)
    b.forget()


def class_of_method(source: SourceFunction) -> type | None:
    """The class that a method was written in, found by its name."""
    fn = source.fn
    owner: object = sys.modules.get(fn.__module__ or "")
    *path, name = source.qualname.split(".")
    for part in path:
        owner = vars(owner).get(part) if hasattr(owner, "__dict__") else None
    here = vars(owner).get(name) if isinstance(owner, type) else None
    if not isinstance(owner, type) or not isinstance(here, types.FunctionType):
        return None
    return owner if here is fn or _place(here) == _place(fn) else None


def _place(fn: types.FunctionType) -> tuple[str, int, str]:
    """Where a function was written: one that collects arguments is made anew for a call."""
    return fn.__code__.co_filename, fn.__code__.co_firstlineno, fn.__code__.co_name


def with_subclasses(cls: type) -> Iterator[type]:
    """A class and those that are derived from it."""
    yield cls
    below: list[type] = type.__subclasses__(cls)
    for c in below:
        yield from with_subclasses(c)
