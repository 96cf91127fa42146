"""What is read of `vars(obj)` at once, of a new dictionary instead, which is followed.

f(**vars(p))         ->   f(**attributes_of(p))
vars(p)["a"]         ->   attributes_of(p)["a"]
p.__dict__.items()   ->   attributes_of(p, False).items()

The dictionary of an object changes with its attributes; nothing may come between here.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from types import BuiltinFunctionType

import gast
import numpy as np

from adtrans.ir.names import NameAllocator
from adtrans.lower.makers import means_in
from adtrans.lower.opaque import name_node
from adtrans.lower.replacing import Replacing
from adtrans.lower.syntax import Comprehension, mentioned, nodes_in
from adtrans.runtime import find
from adtrans.source import SourceFunction
from adtrans.source.made import made_functions

_READ = ("items", "keys", "values", "get", "copy")
_TAKE = (dict, list, tuple, sorted, len, sum, max, min, set)


def with_stored(source: SourceFunction) -> SourceFunction:
    """The function with such dictionaries; `source` itself where there are none."""
    named = {*source.fn.__code__.co_names} & {"__dict__", "vars"}
    if not named or not isinstance(source.node, gast.FunctionDef):
        return source
    node = copy.deepcopy(source.node)
    names = NameAllocator(mentioned(node) | set(source.fn.__code__.co_freevars))
    work = _Stored(means_in(node, source), names.fresh("attributes_of"))
    work.visit(node)
    if not work.found:
        return source
    return made_functions(source, node, [], {work.name: find("attributes_of")})


class _Stored(Replacing):
    """`name`: that of the function that makes such a dictionary."""

    def __init__(self, means: Callable[[gast.AST], object], name: str) -> None:
        self.means, self.name = means, name
        self.found = False
        self.taken: set[int] = set()  # what is gone through at once

    def table(self, node: gast.AST) -> gast.expr | None:
        """The new dictionary for `vars(obj)` or `obj.__dict__`; None for all else."""
        match node:
            case gast.Call(func=fn, args=[obj], keywords=[]) if (
                self.means(fn) is vars
            ):
                more: list[gast.expr] = []
            case gast.Attribute(value=obj, attr="__dict__", ctx=gast.Load()):
                more = [gast.Constant(False, None)]
            case _:
                return None
        self.found = True
        made = gast.Call(name_node(self.name, node), [self.inner(obj), *more], [])
        for n in (made, *more):
            gast.copy_location(n, node)
        return made

    def read(self, node: gast.AST) -> gast.expr | None:
        """The same for what is read of one at once: `vars(obj).items()`."""
        match node:
            case gast.Call(func=gast.Attribute(value=of, attr=attr)) if attr in _READ:
                made = self.table(of)
                if made is not None:
                    node.func.value = made  # type: ignore[attr-defined]  # as the pattern says
                    return node
        return self.table(node)

    def replacement(self, node: gast.AST) -> gast.AST | None:
        """What stands for a node, where that is another one."""
        match node:
            case gast.keyword(arg=None, value=value):
                node.value = self.table(value) or self.inner(value)
                return node
            case gast.Subscript(value=value, slice=gast.Constant(), ctx=gast.Load()):
                made = self.table(value)
                node.value = made or self.inner(value)
                return node
            case gast.Call(func=fn, args=[given], keywords=[]) if any(
                self.means(fn) is f for f in _TAKE
            ):
                self.taken.add(id(given))
                node.args = [self.read(given) or self.inner(given)]
                return node
            case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[table]):
                node.left = self.inner(node.left)
                node.comparators = [self.table(table) or self.inner(table)]
                return node
            case _ if isinstance(node, Comprehension) and self.is_quiet(node):
                first = node.generators[0]
                first.iter = self.read(first.iter) or first.iter
        return None

    def is_quiet(self, node: gast.AST) -> bool:
        """Whether a comprehension is gone through at once, and nothing in it runs code of the
        user's."""
        if isinstance(node, gast.GeneratorExp) and id(node) not in self.taken:
            return False
        first = node.generators[0]  # type: ignore[attr-defined]  # it is a comprehension
        source = {id(n) for n in nodes_in(first.iter)}
        calls = [n for n in nodes_in(node) if isinstance(n, gast.Call) and id(n) not in source]
        return all(isinstance(self.means(c.func), BuiltinFunctionType | np.ufunc) for c in calls)
