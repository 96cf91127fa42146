"""The function of `o.f(a)` is looked up before `a` is evaluated, which may assign `o.f`.

def layer(self, v):
    self.act = np.sin
    ...
y = self.act(self.layer(x))   ->   act = self.act
                                   t = self.layer(x)
                                   y = act(t)

Whose attribute it is shows only later. It may be data where code of the user's assigns an attribute
of this name; everything else stays a method.
"""

from __future__ import annotations

import collections
from collections import Counter
from collections.abc import Iterable, Iterator
from dis import get_instructions
from types import CodeType, FunctionType

import gast
import numpy as np

from adtrans.diagnostics.errors import CompileError
from adtrans.lower.builder import Builder
from adtrans.lower.purity import has_effects
from adtrans.rules import is_maker
from adtrans.source import MISSING, SourceFunction, get_source
from adtrans.source.by_name import functions_in, methods_named, unnamed, user_classes
from adtrans.source.libraries import is_library
from adtrans.source.reach import CHANGES, codes, reached_by_any

_BUILTIN = (list, dict, set, str, collections.deque, np.ndarray)
_BY_NAME = frozenset({"setattr", "__setattr__", "delattr", "__delattr__", "__dict__", "vars"})


def may_be_assigned(b: Builder, node: gast.Call) -> bool:
    """Whether the arguments of `o.f(...)` may assign `o.f`."""
    if not isinstance(node.func, gast.Attribute):
        return False
    if not any(has_effects(b, a) for a in (*node.args, *node.keywords)):
        return False
    attr = node.func.attr
    if attr not in b.changing:
        b.changing[attr] = attr in b.stored or is_assigned(b.source.fn, attr)
    return b.changing[attr]


def is_assigned(fn: FunctionType, attr: str) -> bool:
    """Whether a function, or what it may call, may assign an attribute of this name."""
    return any(_assigns(f, attr) for f in _functions(fn, attr))


def assigns_any(fn: FunctionType, attrs: Iterable[str]) -> bool:
    """Whether a function, or what it names, assigns one of these attributes."""
    functions = [fn, *reached_by_any(fn)]
    classes = [*user_classes()]
    functions += (*unnamed(classes), *methods_named(functions, classes))
    return any(_assigns(f, attr) for attr in attrs for f in functions)


def _functions(fn: FunctionType, attr: str) -> Iterator[FunctionType]:
    """The functions that may assign an attribute of what `fn` has in hand: those that it may reach,
    those that stand beside it, and the methods that these name; or those of all classes of the
    user's, where a function is called that may be any."""
    own = [fn, *reached_by_any(fn)]
    yield from own
    if any(hasattr(t, attr) for t in _BUILTIN):
        return  # most likely one of theirs
    yield from (f for f in list(fn.__globals__.values()) if isinstance(f, FunctionType))
    classes = [*user_classes()]
    named = [*methods_named(own, classes)]
    yield from (*unnamed(classes), *named)
    methods = frozenset(name for cls in classes for name in vars(cls))
    if any(_calls_any(f, methods) for f in (fn, *named)):
        for cls in classes:
            for member in list(vars(cls).values()):
                yield from functions_in(member)


def _calls_any(fn: FunctionType, methods: frozenset[str]) -> bool:
    """Whether a function calls a variable of its own, such as an argument, that may be anything, an
    item, or an attribute that no class has as a method; what `grad` makes of a method calls that
    one."""
    if fn.__name__.startswith("__") or is_library(fn.__module__):
        return False
    try:
        source = get_source(fn)
    except CompileError:
        return True
    own = {*fn.__code__.co_varnames, *fn.__code__.co_cellvars, *fn.__code__.co_freevars}
    called, bound = set[str](), Counter[str]()
    made = Counter[str]()
    for n in gast.walk(source.node):
        match n:
            case gast.Call(func=gast.Name(id=name)) if name in own:
                called.add(name)
            case gast.Call(func=gast.Attribute(attr=attr) as meant):
                if attr not in methods and not any(hasattr(t, attr) for t in _BUILTIN):
                    if _means(meant, source) is MISSING:
                        return True
            case gast.Call(func=gast.Call(func=maker)) if is_maker(_means(maker, source)):
                pass
            case gast.Call(func=gast.Subscript() | gast.Call() | gast.IfExp() | gast.Lambda()):
                return True
            case gast.Name(id=name, ctx=gast.Store() | gast.Param()):
                bound[name] += 1
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(func=maker)):
                made[name] += is_maker(_means(maker, source))
            case _:
                pass
    return any(made[name] < max(bound[name], 1) for name in called)


def _means(node: gast.AST, source: SourceFunction) -> object:
    """What a dotted name of modules means, if it begins outside."""
    if isinstance(node, gast.Attribute):
        return getattr(_means(node.value, source), node.attr, MISSING)
    if isinstance(node, gast.Name) and node.id not in source.fn.__code__.co_varnames:
        return source.resolve(node.id)
    return MISSING


def _assigns(fn: FunctionType, attr: str) -> bool:
    """Whether a function, or what is defined in it, assigns an attribute of this name; not of the
    object that it has to make."""
    code = fn.__code__
    made = code.co_varnames[0] if fn.__name__ == "__init__" and code.co_argcount else None
    for c in codes(code):
        if attr in c.co_names and _stores(c, attr, made if c is code else None):
            return True
        if attr in c.co_consts and not _BY_NAME.isdisjoint(c.co_names):
            return True
    return False


def _stores(code: CodeType, attr: str, made: str | None) -> bool:
    own = False  # whether what was put on the stack last is the object that is made
    for i in get_instructions(code):
        if i.opname in CHANGES and i.argval == attr and not own:
            return True
        own = made is not None and i.opname.startswith("LOAD_FAST") and i.argval == made
    return False
