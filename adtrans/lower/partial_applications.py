"""Partial applications that are values, as what a function makes of what they bind.

                                               def bound(k):
                                                   return lambda t: f(t, k=k)
apply(functools.partial(f, k=x[0]), x)   ->    apply(bound(x[0]), x)

Those that are called where they are made, or under a name that is only called, are written out as
calls (`partial_calls.keep_partial`); those that are handed to functions of libraries stay as well.
"""

from __future__ import annotations

import copy
import functools
import inspect
import types
from collections.abc import Iterator
from dataclasses import dataclass, replace

import gast
import numpy as np

from adtrans.ir import expr as E
from adtrans.ir.names import NameAllocator
from adtrans.lower.local_names import LocalNames
from adtrans.lower.makers import meaning
from adtrans.lower.opaque import name_node
from adtrans.lower.syntax import Scope, bound_names, mentioned
from adtrans.source import MISSING, SourceFunction
from adtrans.source.libraries import is_library

_READ = frozenset({"func", "keywords"})


@dataclass(frozen=True)
class Param:
    """A parameter of the function that is applied; `default`: a literal, where it has one."""

    name: str
    default: gast.Constant | None = None
    form: str = "plain"  # "first": by position only; "word": by name only


Params = tuple[Param, ...]


def with_partials(source: SourceFunction) -> SourceFunction:
    """The function with such applications made by functions; `source` where there are none."""
    node = source.node
    if not isinstance(node, gast.FunctionDef) or not any(_mentions(source)):
        return source
    node = copy.deepcopy(node)
    work = _Work(source, node)
    made = work.functions()
    if not made:
        return source
    at = 1 if node.body and _is_text(node.body[0]) else 0
    node.body = [*node.body[:at], *made, *node.body[at:]]
    return replace(source, node=node)


def _mentions(source: SourceFunction) -> Iterator[bool]:
    """Whether some name or attribute may mean `partial`: a quick look."""
    for n in gast.walk(source.node):
        if isinstance(n, gast.Attribute):
            yield n.attr == "partial"
        elif isinstance(n, gast.Name):
            yield source.resolve(n.id) is functools.partial


def _is_text(s: gast.stmt) -> bool:
    return isinstance(s, gast.Expr) and isinstance(s.value, gast.Constant)


class _Work:
    def __init__(self, source: SourceFunction, node: gast.FunctionDef) -> None:
        self.source, self.node, self.local = source, node, LocalNames(node)
        taken = {*mentioned(node), *bound_names(node.body), *source.fn.__code__.co_freevars}
        self.names = NameAllocator(taken | set(source.fn.__globals__))
        self.parents: dict[int, gast.AST] = {
            id(child): parent
            for parent in gast.walk(node)
            for child in gast.iter_child_nodes(parent)
        }
        self.defined = self.definitions()
        self.makers: dict[object, str] = {}
        self.known: dict[str, Params | None] = {}
        for name, n in self.defined.items():
            self.known[name] = self.taken(n)

    def functions(self) -> list[gast.stmt]:
        """The functions that make them, each called where an application was."""
        every = [n for n in gast.walk(self.node) if self.is_partial(n)]
        if any(isinstance(n, gast.Attribute) and n.attr in _READ for n in gast.walk(self.node)):
            return []
        chosen = [n for n in every if isinstance(n, gast.Call) and self.is_value(n)]
        if self.are_alternatives(chosen):
            return []
        made: list[gast.stmt] = []
        for call in chosen:
            key = self.key(call)
            if key in self.makers:
                call.func, call.args = name_node(self.makers[key], call), self.bound_in(call)
                call.keywords = []
            elif (function := self.maker(call)) is not None:
                self.makers[key] = function.name
                made.append(function)
        return made

    def are_alternatives(self, chosen: list[gast.Call]) -> bool:
        """Whether one variable, or expression, may be one application or a different one."""
        found: dict[object, set[object]] = {}
        for call in chosen:
            parent = self.parents[id(call)]
            if isinstance(parent, gast.IfExp):
                found.setdefault(id(parent), set()).add(self.key(call))
                call_of = self.parents[id(parent)]
                parent = call_of
            for target in parent.targets if isinstance(parent, gast.Assign) else ():
                if isinstance(target, gast.Name):
                    found.setdefault(target.id, set()).add(self.key(call))
        return any(len(keys) > 1 for keys in found.values())

    def bound_in(self, call: gast.Call) -> list[gast.expr]:
        """What an application binds, as its maker takes it."""
        fn, *first = call.args
        own: list[gast.expr] = []
        if self.means(fn) is MISSING:
            own.append(fn.value if isinstance(fn, gast.Attribute) else fn)
        elif self.is_hidden(call):
            own.append(fn)
        return [*own, *first, *(k.value for k in call.keywords)]

    def is_hidden(self, call: gast.Call) -> bool:
        """Whether a parameter that is left has the first name of the function."""
        left = self.left(call)
        return _root(call.args[0]) in {p.name for p in left or ()}

    def key(self, call: gast.Call) -> object:
        """What two applications have in common that one maker makes."""
        words = tuple(k.arg for k in call.keywords)
        is_known = self.means(call.args[0]) is not MISSING
        return gast.dump(call.args[0]), is_known, self.left(call), len(call.args), words

    def left(self, call: gast.Call) -> Params | None:
        """The parameters that an application leaves, where they are known."""
        params = self.params(call.args[0])
        words = {str(k.arg) for k in call.keywords}
        return None if params is None else remaining(params, len(call.args) - 1, words)

    def means(self, node: gast.AST) -> object:
        return meaning(node, self.source, self.local)

    def is_partial(self, n: gast.AST) -> bool:
        return (
            isinstance(n, gast.Call)
            and self.means(n.func) is functools.partial
            and bool(n.args)
            and not any(isinstance(a, gast.Starred) for a in n.args)
            and all(k.arg is not None for k in n.keywords)
        )

    def definitions(self) -> dict[str, gast.AST]:
        """The local functions, and applications, that have a name of their own."""
        found: dict[str, gast.AST] = {}
        for n in gast.walk(self.node):
            match n:
                case gast.FunctionDef(name=name) if n is not self.node:
                    found[name] = n
                case gast.Assign(targets=[gast.Name(id=name)], value=value) if (
                    isinstance(value, gast.Lambda) or self.is_partial(value)
                ):
                    found[name] = value
                case _:
                    pass
        times = self.local.times()
        return {name: n for name, n in found.items() if times.get(name) == 1}

    def is_value(self, call: gast.Call) -> bool:
        """Whether an application is more than a call in two parts, and goes to no library."""
        parent = self.parents[id(call)]
        if isinstance(parent, gast.Call):
            if parent.func is call:
                return False
            return self.is_partial(parent) or _is_written(self.means(parent.func))
        if isinstance(parent, gast.Assign) and len(parent.targets) == 1:
            target = parent.targets[0]
            known = self.means(call.args[0]) is not MISSING
            return not (known and isinstance(target, gast.Name) and self.is_only_called(target.id))
        return True

    def is_only_called(self, name: str) -> bool:
        """Whether a name is nothing but called, where it is bound."""
        inner = [
            n
            for scope in gast.walk(self.node)
            if isinstance(scope, Scope) and scope is not self.node
            for n in gast.walk(scope)
        ]
        if any(isinstance(n, gast.Name) and n.id == name for n in inner):
            return False
        uses = [n for n in gast.walk(self.node) if isinstance(n, gast.Name) and n.id == name]
        loads = [n for n in uses if isinstance(n.ctx, gast.Load)]
        called = (getattr(self.parents[id(n)], "func", None) is n for n in loads)
        return len(uses) == len(loads) + 1 and all(called)

    def maker(self, call: gast.Call) -> gast.FunctionDef | None:
        """The function that makes an application; the application becomes its call."""
        fn, *first = call.args
        words = {str(k.arg): k.value for k in call.keywords}
        left = self.left(call)
        given = [n for n in gast.walk(self.node) if isinstance(n, gast.keyword)]
        if any(k.arg in words and k not in call.keywords for k in given if not self.of_partial(k)):
            return None  # perhaps another value for what is bound
        own: list[gast.Name] = []
        values: list[gast.expr] = []

        others = frozenset(p.name for p in left or ())

        def fresh(stem: str) -> str:
            """A name that is none of the parameters which are left."""
            return next(n for n in iter(lambda: self.names.fresh(stem), None) if n not in others)

        def keep(value: gast.expr) -> gast.expr:
            own.append(name_node(fresh("bound"), call, gast.Param()))
            values.append(value)
            return name_node(own[-1].id, call)

        called = fn
        if isinstance(fn, gast.Attribute) and self.means(fn) is MISSING:
            called = gast.Attribute(keep(fn.value), fn.attr, gast.Load())
        elif not isinstance(fn, gast.Name | gast.Attribute) or (
            self.means(fn) is MISSING and not (isinstance(fn, gast.Name) and fn.id in self.defined)
        ):
            return None
        elif self.means(fn) is MISSING or self.is_hidden(call):
            called = keep(fn)  # bound later than the functions here are, or hidden by a parameter
        args: list[gast.expr] = [keep(a) for a in first]
        kept = [gast.keyword(name, keep(value)) for name, value in words.items()]
        if left is None:
            rest = name_node(self.names.fresh("args"), call, gast.Param())
            taken = gast.arguments([], [], rest, [], [], None, [])
            args.append(gast.Starred(name_node(rest.id, call), gast.Load()))
            if self.takes_words(fn) and not words:  # those may be given again, which counts then
                more_words = name_node(self.names.fresh("words"), call, gast.Param())
                taken.kwarg = more_words
                kept.append(gast.keyword(None, name_node(more_words.id, call)))
        else:
            taken, more, named = _passed(left, call)
            args, kept = [*args, *more], [*named, *kept]
        body = gast.Call(copy.deepcopy(called), args, kept)
        inner = gast.Lambda(taken, body)
        outer = gast.arguments(own, [], None, [], [], None, [])
        name = fresh("applied")
        function = gast.FunctionDef(name, outer, [gast.Return(inner)], [], None, None, [])
        for n in gast.walk(function):
            if isinstance(n, gast.expr | gast.stmt):
                gast.copy_location(n, call)
        call.func = name_node(name, call)
        call.args, call.keywords = values, []
        return function

    def takes_words(self, fn: gast.expr) -> bool:
        """Whether a function has a parameter like `**options`."""
        if isinstance(fn, gast.Name) and fn.id in self.defined:
            node = self.defined[fn.id]
            return isinstance(node, gast.FunctionDef | gast.Lambda) and node.args.kwarg is not None
        meant = self.means(fn)
        if not isinstance(meant, types.FunctionType):
            return False
        return bool(meant.__code__.co_flags & inspect.CO_VARKEYWORDS)

    def of_partial(self, k: gast.keyword) -> bool:
        return self.is_partial(self.parents[id(k)])

    def params(self, fn: gast.AST) -> Params | None:
        """The parameters of the function that is applied, where they are known."""
        if isinstance(fn, gast.Name) and fn.id in self.defined:
            return self.known[fn.id] if fn.id in self.known else self.taken(self.defined[fn.id])
        meant = self.means(fn)
        return None if meant is MISSING else _of_object(meant)

    def taken(self, node: gast.AST) -> Params | None:
        """The parameters of a local function, or those that an application leaves."""
        if isinstance(node, gast.Call):
            inner = self.params(node.args[0])
            words = {str(k.arg) for k in node.keywords}
            return None if inner is None else remaining(inner, len(node.args) - 1, words)
        assert isinstance(node, gast.FunctionDef | gast.Lambda)
        return _of_definition(node.args)


def _root(node: gast.expr) -> str:
    """The first name of a dotted one."""
    while isinstance(node, gast.Attribute):
        node = node.value
    return node.id if isinstance(node, gast.Name) else ""


def _is_written(fn: object) -> bool:
    """Whether what gets an application is a user's function or class, or something local."""
    if isinstance(fn, type):
        return isinstance(vars(fn).get("__init__"), types.FunctionType)
    if isinstance(fn, types.FunctionType):
        return not is_library(fn.__module__)
    return fn is MISSING


def remaining(params: Params, count: int, words: set[str]) -> Params | None:
    """The parameters that are left where the first `count` are bound, and some by name.

    >>> remaining((Param("x"), Param("a"), Param("k")), 1, {"k"})
    (Param(name='a', default=None, form='plain'),)
    """
    first = [p for p in params if p.form != "word"]
    if len(first) < count or words & {p.name for p in first[:count]}:
        return None  # a `TypeError`
    rest = [*first[count:], *(p for p in params if p.form == "word")]
    if not words <= {p.name for p in rest if p.form != "first"}:
        return None
    out: list[Param] = []
    by_name = False
    for p in rest:
        if p.name in words:
            by_name = True
        else:
            out.append(replace(p, form="word") if by_name else p)
    return tuple(out)


def _passed(
    left: Params, like: gast.AST
) -> tuple[gast.arguments, list[gast.expr], list[gast.keyword]]:
    """The parameters of a lambda, and how it hands them on."""
    plain = [p for p in left if p.form != "word"]
    words = [p for p in left if p.form == "word"]
    params = [name_node(p.name, like, gast.Param()) for p in plain]
    only = [name_node(p.name, like, gast.Param()) for p in words]
    defaults: list[gast.expr] = [p.default for p in plain if p.default is not None]
    others: list[gast.expr | None] = [p.default for p in words]
    taken = gast.arguments(params, [], None, only, others, None, defaults)
    args: list[gast.expr] = [name_node(p.name, like) for p in plain]
    return taken, args, [gast.keyword(p.name, name_node(p.name, like)) for p in words]


def _of_definition(args: gast.arguments) -> Params | None:
    if args.vararg or args.kwarg:
        return None
    plain = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(plain) - len(args.defaults)) + [*args.defaults]
    forms = ["first"] * len(args.posonlyargs) + ["plain"] * len(args.args)
    forms += ["word"] * len(args.kwonlyargs)
    names, values = [*plain, *args.kwonlyargs], [*defaults, *args.kw_defaults]
    out: list[Param] = []
    for name, value, form in zip(names, values, forms, strict=True):
        if value is not None and not isinstance(value, gast.Constant):
            return None
        out.append(Param(name.id, value, form))
    return tuple(out)


def _of_object(fn: object) -> Params | None:
    if isinstance(fn, np.ufunc):
        return tuple(Param(f"x{k}", None, "first") for k in range(fn.nin))
    if not callable(fn):
        return None
    try:
        signature = inspect.signature(fn)
    except (TypeError, ValueError):
        return None
    forms = {
        inspect.Parameter.POSITIONAL_ONLY: "first",
        inspect.Parameter.POSITIONAL_OR_KEYWORD: "plain",
        inspect.Parameter.KEYWORD_ONLY: "word",
    }
    out: list[Param] = []
    for p in signature.parameters.values():
        default = None
        if p.kind not in forms:
            return None
        if p.default is not inspect.Parameter.empty:
            if not E.is_literal(p.default):
                return None
            default = gast.Constant(p.default, None)
        out.append(Param(p.name, default, forms[p.kind]))
    return tuple(out)
