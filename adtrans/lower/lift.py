"""Local functions become functions of their own, with what they capture as further parameters.

A captured variable is passed at each call, so that its value is the one that a closure would see.
Afterwards a local function is a callee like any other. One that is used as a value, is not the only
meaning of its name, or binds a variable of another function (`nonlocal`), stays as it is.

>>> from adtrans.source import get_source
>>> def f(x, k):
...     def scaled(t):
...         return k * t
...     return scaled(x)
>>> print(gast.unparse(lifted(get_source(f)).node))
def f(x, k):
    return scaled(x, k=k)
"""

from __future__ import annotations

import copy
from dataclasses import replace

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.handed_closures import with_objects
from adtrans.lower.higher_order_calls import handed
from adtrans.lower.imports import with_imports
from adtrans.lower.inner_makers import with_inner_makers
from adtrans.lower.lifted_calls import Rewriting
from adtrans.lower.locals import candidates, hoist_defaults, liftable
from adtrans.lower.makers import makers_in, means_in, named
from adtrans.lower.replacing import defined
from adtrans.lower.small_trees import nothing
from adtrans.lower.supers import without_super
from adtrans.lower.syntax import (
    Scope,
    declared_elsewhere,
    mentioned,
    nodes_in,
    own_names,
)
from adtrans.source import SourceFunction
from adtrans.source.made import made_functions


def lifted(source: SourceFunction) -> SourceFunction:
    """The function with its local functions lifted out; `source` itself where there are none."""
    source = with_inner_makers(with_imports(source))
    source = handed(source)
    if isinstance(source.node, gast.Lambda):
        source = _defined(source, source.node)
    if not isinstance(source.node, gast.FunctionDef):
        return source
    source = with_objects(without_super(source))
    plain = named(source)
    if not any(
        isinstance(n, gast.FunctionDef | gast.Lambda) for n in nodes_in(plain) if n != plain
    ):
        return source
    node = copy.deepcopy(plain)  # which may be lowered again
    makers = makers_in(source, node)
    found = candidates(node, means_in(node, source))
    if not found:
        return source
    local = own_names(node)
    local -= set(declared_elsewhere(node.body))
    found = liftable(source, node, found, frozenset(local), makers)
    if not found:
        return source
    names = NameAllocator(mentioned(node) | set(source.fn.__code__.co_freevars))
    for g in found.values():
        hoist_defaults(g, names)
    rewriting = Rewriting(found, names, makers)
    functions = [rewriting.function(g) for g in found.values()]
    body = rewriting.block(node.body, frozenset())
    made = copy.copy(node)
    made.body = body or [nothing(node)]
    return made_functions(source, made, functions)


def _defined(source: SourceFunction, node: gast.Lambda) -> SourceFunction:
    """A lambda that contains functions as a definition, so that there is room for statements."""
    if not any(isinstance(n, Scope) for n in gast.walk(node.body)):
        return source
    return replace(source, node=defined(node, source.name))
