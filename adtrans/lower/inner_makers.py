"""Derivatives of functions that are not known by name, as those of lambdas that call them.

ad.grad(mk(x[0]))(x)           ->   t = x[0]; ad.grad(lambda z: mk(t)(z))(x)
ad.grad(h)(x)                  ->   ad.grad(lambda z: h(z))(x)           (a parameter `h`)
ad.grad(o.h)(x)                ->   ad.grad(lambda z: o.h(z))(x)
s = Spring(k); ad.grad(s)(x)   ->   s = Spring(k); ad.grad(lambda z: s(z))(x)
ad.jvp(o.h, (x,), (v,))        ->   ad.jvp(lambda z: o.h(z), (x,), (v,))

A lambda is lifted, with what it captures as parameters. What makes a function, and does nothing
else, makes it inside then; what it was given is evaluated where it was.
"""

from __future__ import annotations

import copy
import functools
import types
from collections.abc import Collection, Iterator
from dataclasses import replace

import gast
import numpy as np

from adtrans.diagnostics.errors import AdtransError
from adtrans.ir.names import NameAllocator
from adtrans.lower.called_values import is_called_object, made_before
from adtrans.lower.inner_entries import bindings
from adtrans.lower.inner_modes import primals_of
from adtrans.lower.local_names import LocalNames
from adtrans.lower.looked_up import is_assigned
from adtrans.lower.made_and_called import call_of, with_owner
from adtrans.lower.makers import meaning
from adtrans.lower.opaque import name_node
from adtrans.lower.replacing import defined
from adtrans.lower.small_trees import assignment
from adtrans.lower.syntax import (
    Comprehension,
    Scope,
    map_bodies,
    mentioned,
    nodes_in,
    own_fields,
    parameters,
)
from adtrans.rules import is_maker
from adtrans.rules.entry_points import inner_mode, is_checkpoint
from adtrans.source import MISSING, SourceFunction, get_source
from adtrans.source.libraries import is_library

_ONCE = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Return, gast.Expr)
_SUMS = (np.sum, np.mean, np.dot, np.max, np.min, np.prod, sum, abs, float, len)


def with_inner_makers(source: SourceFunction) -> SourceFunction:
    """The function with such derivatives rewritten; `source` itself where there are none."""
    node = source.node
    if not isinstance(node, gast.FunctionDef | gast.Lambda):
        return source
    local = LocalNames(node)

    def derives(n: gast.AST) -> bool:
        meant = meaning(n.func, source, local) if isinstance(n, gast.Call) and n.args else None
        return is_maker(meant) or inner_mode(meant) is not None

    if not any(map(derives, nodes_in(node))):
        return source
    made = defined(copy.deepcopy(node), source.name)
    work = _Work(source, made)
    made.body = work.block(made.body)
    return replace(source, node=made) if work.changed else source


class _Work:
    """Gives lambdas to the makers of one function."""

    def __init__(self, source: SourceFunction, node: gast.FunctionDef) -> None:
        self.source, self.node, self.local = source, node, LocalNames(node)
        self.names = NameAllocator(mentioned(node) | set(source.fn.__code__.co_freevars))
        self.changed = False
        self.params = {p.id for p in parameters(node.args)}
        self.times = bindings(node)
        self.defs = {n.name: n for n in node.body if isinstance(n, gast.FunctionDef)}
        self.closures: dict[str, gast.Call] = {}  # variables, and what makes their functions
        self.objects: dict[str, set[int]] = {}  # with the places where they are called values
        for name, n in made_before(node, self.times, self.means):
            self.objects.setdefault(name, set()).add(id(n))

    def means(self, node: gast.AST) -> object:
        return meaning(node, self.source, self.local)

    # Statements

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for s in body:
            if isinstance(s, (*Scope, gast.ClassDef)):
                out.append(s)
                continue
            map_bodies(s, self.block)
            self.keep_closure(s, out)
            for name in own_fields(s):
                self.look(getattr(s, name, None), s, out)
            out.append(s)
        return out

    def keep_closure(self, s: gast.stmt, out: list[gast.stmt]) -> None:
        """`h = mk(x[0])` as `t = x[0]; h = mk(t)`, where a maker is given `h`."""
        match s:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call) if (
                self.times[name] == 1
                and name not in self.params
                and self.makes_only(call)
                and self.is_derived(name)
            ):
                self.steady(call, s, out)
                self.closures[name] = call
            case _:
                pass

    def is_derived(self, name: str) -> bool:
        """Whether a maker is given a variable, or a lambda that calls it."""
        for n in gast.walk(self.node):
            if isinstance(n, gast.Call) and n.args and is_maker(self.means(n.func)):
                first = n.args[0]
                if isinstance(first, gast.Name) and first.id == name:
                    return True
                if isinstance(first, gast.Lambda) and any(_calls(first, {name})):
                    return True
        return False

    def steady(self, call: gast.Call, s: gast.stmt, out: list[gast.stmt]) -> None:
        """The arguments of a call in variables that nothing else binds."""

        def kept(e: gast.expr) -> gast.expr:
            if isinstance(e, gast.Constant):
                return e
            name = self.names.fresh("given")
            out.append(assignment(name_node(name, e, gast.Store()), e, s))
            self.times[name] = 1
            self.local.own.add(name)
            return name_node(name, e)

        first = 1 if self.means(call.func) is functools.partial else 0
        call.args = [*call.args[:first], *map(kept, call.args[first:])]
        for k in call.keywords:
            k.value = kept(k.value)

    # Expressions

    def look(self, node: object, s: gast.stmt, out: list[gast.stmt] | None) -> None:
        """`out`: what comes before the statement; None in comprehensions."""
        if isinstance(node, list):
            for n in node:
                self.look(n, s, out)
        if not isinstance(node, gast.AST) or isinstance(node, Scope):
            return
        out = None if isinstance(node, Comprehension) else out
        if isinstance(node, gast.Call) and node.args:
            meant = self.means(node.func)
            mode = inner_mode(meant)
            if is_maker(meant):
                self.maker(node, self.count(node), s, out)
            elif mode is not None:
                self.maker(node, primals_of(node, mode), s, out)
        for child in gast.iter_child_nodes(node):
            self.look(child, s, out)

    def maker(
        self, node: gast.Call, count: int | None, s: gast.stmt, out: list[gast.stmt] | None
    ) -> None:
        """`grad(h)`: what it is given becomes a lambda of `count` parameters, if that is not known
        otherwise."""
        given = node.args[0]
        if isinstance(given, gast.Lambda):
            for call in _calls(given, self.closures.keys()):
                assert isinstance(call.func, gast.Name)
                call.func = copy.deepcopy(self.closures[call.func.id])
                self.changed = True
        if is_checkpoint(self.means(node.func)) and is_called_object(self.means(given)):
            return  # the same method each time
        called = self.called(given)
        mode = inner_mode(self.means(node.func)) is not None
        if (called is None or count is None) and not mode and self.by_owner(node):
            return
        if called is None or count is None or not _by_places(node, [] if mode else node.args[1:2]):
            return
        if isinstance(given, gast.Call):
            values = [*given.args, *(k.value for k in given.keywords)]
            if not all(isinstance(v, gast.Name | gast.Constant) for v in values):
                if out is None or not self.may_come_first(s):
                    return
                self.steady(given, s, out)
            elif any(isinstance(n, gast.NamedExpr) for n in gast.walk(s)):
                return
            called = given
        params = [self.names.fresh("v") for _ in range(count)]
        body = gast.Call(copy.deepcopy(called), [name_node(p, given) for p in params], [])
        args = [name_node(p, given, gast.Param()) for p in params]
        made = gast.Lambda(gast.arguments(args, [], None, [], [], None, []), body)
        for n in gast.walk(made):
            if not hasattr(n, "lineno"):
                gast.copy_location(n, given)
        node.args[0] = made
        self.changed = True

    def by_owner(self, node: gast.Call) -> bool:
        """Whether a derivative of what an attribute or item holds is called where it is made, and
        has been given what that is of."""
        call = call_of(node, self.node)
        if call is None or self.means(node.args[0]) is not MISSING:
            return False
        if not _by_places(node, node.args[1:2]):
            return False
        done = with_owner(node, call, self.names, self.is_harmless, self.makes_object)
        self.changed |= done
        return done

    def makes_object(self, call: gast.Call) -> bool:
        """Whether a call makes an object of a class of the user's."""
        meant = self.means(call.func)
        known = isinstance(meant, type) and not is_library(meant.__module__)
        plain = not any(isinstance(n, gast.NamedExpr) for n in gast.walk(call))
        return known and plain

    def may_come_first(self, s: gast.stmt) -> bool:
        """Whether a part of a statement may be evaluated before the others: once, in any case, and
        nothing there changes anything."""
        if not isinstance(s, _ONCE):
            return False
        for n in gast.walk(s):
            if isinstance(n, (*Scope, *Comprehension, gast.NamedExpr, gast.IfExp, gast.BoolOp)):
                return False
            if isinstance(n, gast.Call) and not self.is_harmless(n):
                return False
        return True

    def is_harmless(self, call: gast.Call) -> bool:
        """Whether a call changes nothing: of a function of NumPy, of a maker or what that made."""
        inner = call.func
        if isinstance(inner, gast.Call) and is_maker(self.means(inner.func)):
            return True
        meant = self.means(call.func)
        if isinstance(meant, np.ufunc):
            return len(call.args) <= meant.nin and not call.keywords
        return is_maker(meant) or self.makes_only(call) or any(meant is f for f in _SUMS)

    def called(self, given: gast.expr) -> gast.expr | None:
        """What the lambda calls; None where none is needed, or possible."""
        if isinstance(given, gast.Name):
            if given.id in self.closures:
                return self.closures[given.id]
            is_param = given.id in self.params and self.times[given.id] == 1
            is_object = id(given) in self.objects.get(given.id, ())
            meant = None if given.id in self.local.own else self.means(given)
            return given if is_param or is_object or is_called_object(meant) else None
        if isinstance(given, gast.Call) and self.makes_only(given):
            return given
        return given if self.is_method(given) else None

    def is_method(self, given: gast.expr) -> bool:
        """Whether something is an attribute of a variable, which both stay what they are."""
        match given:
            case gast.Attribute(value=gast.Name(id=name), attr=attr):
                once = name in self.local.own and self.times.get(name) == 1
                return once and not is_assigned(self.source.fn, attr)
            case _:
                return False

    def count(self, node: gast.Call) -> int | None:
        """How many arguments the derivative is called with, always the same number."""
        around: gast.AST = node
        found: set[int | None] = set()
        for n in gast.walk(self.node):
            match n:
                case gast.Call(func=func) if func is around:
                    found.add(_number(n))
                case gast.Call(args=[first, *_]) if first is around:
                    return self.count(n) if is_maker(self.means(n.func)) else None
                case gast.Assign(targets=[gast.Name(id=name)], value=value) if value is around:
                    found |= set(self.calls_of(name))
                case _:
                    pass
        return found.pop() if len(found) == 1 else None

    def calls_of(self, name: str) -> Iterator[int | None]:
        """The numbers of arguments that a variable is called with; None for another use of it."""
        called = {}
        for n in gast.walk(self.node):
            if isinstance(n, gast.Call) and isinstance(n.func, gast.Name):
                called[id(n.func)] = n
        for n in gast.walk(self.node):
            if isinstance(n, gast.Name) and n.id == name and isinstance(n.ctx, gast.Load):
                yield _number(called[id(n)]) if id(n) in called else None

    def makes_only(self, call: gast.Call) -> bool:
        """Whether a call makes a function, and does nothing else."""
        if any(isinstance(a, gast.Starred) for a in call.args) or any(
            k.arg is None for k in call.keywords
        ):
            return False
        meant = self.means(call.func)
        if meant is functools.partial:
            return bool(call.args) and isinstance(call.args[0], gast.Name | gast.Attribute) and (
                self.means(call.args[0]) is not MISSING
            )
        if isinstance(call.func, gast.Name) and call.func.id in self.defs:
            return self.times[call.func.id] == 1 and _makes_function(self.defs[call.func.id])
        if not isinstance(meant, types.FunctionType):
            return False
        try:
            found = get_source(meant).node
        except AdtransError:
            return False
        return isinstance(found, gast.FunctionDef) and _makes_function(found)


def _by_places(node: gast.Call, selected: list[gast.expr]) -> bool:
    """Whether parameters are told by their places: those of a lambda have other names."""
    words = [k.value for k in node.keywords if k.arg in ("wrt", "argnums", None)]
    given = [*selected, *words]
    return all(
        isinstance(n, gast.Tuple | gast.List | gast.Load)
        or (isinstance(n, gast.Constant) and (n.value is None or type(n.value) is int))
        for e in given
        for n in gast.walk(e)
    )


def _calls(node: gast.Lambda, names: Collection[str]) -> Iterator[gast.Call]:
    """The calls of some variables in a lambda."""
    lambdas = [n for n in gast.walk(node) if isinstance(n, gast.Lambda)]
    bound = {p.id for n in lambdas for p in parameters(n.args)}
    if any(isinstance(n, (*Comprehension, gast.NamedExpr)) for n in gast.walk(node)):
        return
    for n in gast.walk(node.body):
        if isinstance(n, gast.Call) and isinstance(n.func, gast.Name):
            if n.func.id in names and n.func.id not in bound:
                yield n


def _number(call: gast.Call) -> int | None:
    """How many arguments are passed, all by position and one by one."""
    starred = any(isinstance(a, gast.Starred) for a in call.args)
    return None if starred or call.keywords else len(call.args)


def _makes_function(node: gast.FunctionDef) -> bool:
    """Whether a function only defines functions and returns one."""
    if any(isinstance(n, gast.Nonlocal) for n in gast.walk(node)):
        return False  # each has a state of its own
    body = node.body
    if body and isinstance(body[0], gast.Expr) and isinstance(body[0].value, gast.Constant):
        body = body[1:]
    if not body or node.decorator_list or not isinstance(body[-1], gast.Return):
        return False
    inner = [s for s in body[:-1] if isinstance(s, gast.FunctionDef)]
    if len(inner) < len(body) - 1 or any(s.decorator_list for s in inner):
        return False
    result = body[-1].value
    signatures = [f.args for f in (*inner, result) if isinstance(f, gast.FunctionDef | gast.Lambda)]
    defaults = [d for a in signatures for d in (*a.defaults, *a.kw_defaults)]
    if not all(d is None or isinstance(d, gast.Name | gast.Constant) for d in defaults):
        return False
    return isinstance(result, gast.Lambda) or (
        isinstance(result, gast.Name) and result.id in {s.name for s in inner}
    )
