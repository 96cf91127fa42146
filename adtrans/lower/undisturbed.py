"""Whether an iterator may be written out where it is used: nothing in between changes what it began
with, nor could tell when it was made.

squares = (v * v for v in d.values())       the size of `d` is looked at when the generator is made;
d["c"] = x[2]                               so this one stays where it is
s = sum(squares)

Who goes through a list or an array asks it for one item after the other: what happens before does
not matter. Anything else, and what goes backwards, is looked at in the beginning.
"""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Callable, Iterator

import gast

from adtrans.lower.quiet import Bound, Means, Quiet
from adtrans.lower.syntax import nodes_in

_POOLS = (
    itertools.product, itertools.permutations, itertools.combinations,
    itertools.combinations_with_replacement,
)  # fmt: skip
_GUARDS = (gast.Try, gast.With)
_BLOCKS = ("body", "orelse", "finalbody")

Leaf = tuple[gast.expr, str]


class Waiting:
    """What is asked about the iterators of one function."""

    def __init__(
        self, node: gast.FunctionDef, means: Means, is_lazy: Callable[[gast.AST, Means], bool]
    ) -> None:
        self.node, self.means = node, means
        self.lazy = is_lazy
        self.bound = Bound(node, means)
        found = [g for g in nodes_in(node) if isinstance(g, _GUARDS)]
        self.guarded = {id(n) for g in found for n in nodes_in(g)}

    def may_wait(self, value: gast.expr, name: str, s: gast.stmt, later: list[gast.stmt]) -> bool:
        """Whether the iterator that `s` gives a name may be made where the name is used."""
        path = next((p for t in later if (p := _path(t, name))), [])
        if not path:
            return False
        meanwhile = [*_meanwhile(path, later)]
        at_once = path[0] is later[0] and not meanwhile and not _statements(path[1:])
        leaves = self.leaves(value)
        if any(how == "pool" and self.is_made_late(e) for e, how in leaves) and not at_once:
            return False
        if not self.stays(value, meanwhile):
            return False
        moved_in = any(isinstance(p, _GUARDS) for p in path)
        if moved_in or (id(s) in self.guarded and not at_once):
            return self.surely_made(value)
        return True

    def stays(self, value: gast.expr, meanwhile: list[gast.AST]) -> bool:
        """Whether what an iterator looks at in the beginning is the same after something else."""
        looked_at = [(e, how) for e, how in self.leaves(value) if not self.asked_in_turn(e, how)]
        names = {n.id for e, _ in looked_at for n in nodes_in(e) if isinstance(n, gast.Name)}
        pools = any(how == "pool" for _, how in looked_at)
        quiet = Quiet(self.node, self.means, self.bound, self.lazy, names, pools=pools)
        return not looked_at or all(map(quiet, meanwhile))

    def leaves(self, node: gast.expr) -> Iterator[Leaf]:
        """What an iterator begins with when it is made, and how it goes through that."""
        if isinstance(node, gast.GeneratorExp):
            yield from self.begun(node.generators[0].iter, "forward")
        elif isinstance(node, gast.Call):
            meant = self.means(node.func)
            given = [*node.args, *(k.value for k in node.keywords)]
            if meant is builtins.map or meant is builtins.filter:
                given = given[1:]
            elif meant is builtins.enumerate:
                given = given[:1]
            elif not isinstance(meant, type):  # a generator function: its body runs later
                given = [a for a in given if self.is_made_late(a)]
            how = "backward" if meant is builtins.reversed else "forward"
            how = "pool" if any(meant is p for p in _POOLS) else how
            for a in given:
                yield from self.begun(a, how)

    def begun(self, node: gast.expr, how: str) -> Iterator[Leaf]:
        if how != "pool" and self.is_made_late(node):
            yield from self.leaves(node)
        elif not (isinstance(node, gast.Call) and self.means(node.func) is builtins.range):
            yield node, how

    def is_made_late(self, node: gast.expr) -> bool:
        return self.lazy(node, self.means)

    def asked_in_turn(self, node: gast.expr, how: str) -> bool:
        """Whether nothing about a source is looked at in the beginning that could change."""
        form = self.bound.form(node)
        if not isinstance(node, gast.Name):
            return form in ("list", "fixed", "array")  # nobody else has it
        return form == "fixed" or (how == "forward" and form in ("list", "array"))

    def surely_made(self, node: gast.expr) -> bool:
        """Whether making an iterator raises nothing."""
        match node:
            case gast.GeneratorExp():
                return self.goes(node.generators[0].iter)
            case gast.Call(func=fn, args=args, keywords=keywords):
                meant = self.means(fn)
                if meant is builtins.zip:
                    plain = all(isinstance(k.value, gast.Constant) for k in keywords)
                    return plain and all(map(self.goes, args))
                if meant is builtins.map or meant is builtins.filter:
                    return len(args) > 1 and not keywords and all(map(self.goes, args[1:]))
                if meant is builtins.enumerate:
                    plain = all(_is_int(a) for a in [*args[1:], *(k.value for k in keywords)])
                    return plain and bool(args) and self.goes(args[0])
                if meant is builtins.reversed and len(args) == 1:
                    return not self.is_made_late(args[0]) and self.goes(args[0])
                return False
            case _:
                return False

    def goes(self, node: gast.expr) -> bool:
        """Whether something can surely be gone through."""
        if self.is_made_late(node):
            return self.surely_made(node)
        match node:
            case gast.Call(func=fn, args=args) if self.means(fn) is builtins.range:
                return all(map(_is_int, args)) and 1 <= len(args) <= 2
            case gast.Call(func=gast.Attribute(value=gast.Name(id=d), attr=attr), args=[]):
                return d in self.bound.dicts and attr in ("keys", "values", "items")
            case gast.Constant(value=value):
                return isinstance(value, str)
            case _:
                return self.bound.form(node) in ("list", "fixed", "dict")


def _is_int(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and isinstance(node.value, int)


def _path(node: gast.AST, name: str) -> list[gast.AST]:
    """From a statement down to a name."""
    if isinstance(node, gast.Name):
        return [node] if node.id == name else []
    for child in gast.iter_child_nodes(node):
        if found := _path(child, name):
            return [node, *found]
    return []


def _statements(path: list[gast.AST]) -> bool:
    return any(isinstance(n, gast.stmt | gast.ExceptHandler) for n in path)


def _meanwhile(path: list[gast.AST], later: list[gast.stmt]) -> Iterator[gast.AST]:
    """What may run before the statement or the loop that uses a name begins with that."""
    for s in later:
        if s is path[0]:
            break
        yield s
    for parent, child in itertools.pairwise(path):
        yield from _beside(parent, child)


def _beside(parent: gast.AST, child: gast.AST) -> Iterator[gast.AST]:
    """What of a node may run before a part of it."""
    match parent:
        case gast.For(iter=held) | gast.comprehension(iter=held) if held is child:
            return  # the rest comes later
        case gast.Assign() | gast.AnnAssign():
            return
        case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp():
            return
        case gast.AugAssign(target=target):
            yield from gast.iter_child_nodes(target)
            return
        case gast.Call(func=fn) if fn is not child:
            yield from gast.iter_child_nodes(fn)  # it is called later
        case _:
            pass
    in_order = isinstance(parent, gast.stmt | gast.ExceptHandler | gast.match_case)
    for field, part in gast.iter_fields(parent):
        parts = [n for n in (part if isinstance(part, list) else [part]) if isinstance(n, gast.AST)]
        here = any(n is child for n in parts)
        if here and in_order:
            yield from itertools.takewhile(lambda n: n is not child, parts)
            return
        if isinstance(parent, gast.Call) and field == "func":
            continue
        if isinstance(parent, gast.If) and field == "body":
            continue  # the other one runs
        yield from (n for n in parts if n is not child)
