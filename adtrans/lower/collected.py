"""A function that collects arguments, for a call of which these are known: as named parameters.

>>> from adtrans.source import get_source
>>> def f(x, *args, **options):
...     return g(x, *args, **options)
>>> print(gast.unparse(collected(get_source(f), 2, ("k",)).node))
def f(x, args_0, args_1, *, k):
    args = (args_0, args_1)
    return g(x, args_0, args_1, k=k)
"""

from __future__ import annotations

import copy
import inspect
import types
from collections.abc import Iterable, Sequence
from dataclasses import replace
from keyword import iskeyword
from typing import TypeAlias

import gast

from adtrans.diagnostics.errors import CompileError
from adtrans.ir.names import NameAllocator
from adtrans.lower.small_trees import nothing
from adtrans.lower.syntax import (
    bound_again,
    bound_names,
    free_names,
    mentioned,
    names_bound_in,
    own_names,
)
from adtrans.rules import reason
from adtrans.source import SourceFunction, get_source
from adtrans.source.find import MADE
from adtrans.source.made import made_functions

_COLLECTS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
Collected: TypeAlias = "dict[tuple[types.FunctionType, int, tuple[str, ...]], types.FunctionType]"


def collected(source: SourceFunction, extra: int, names: tuple[str, ...]) -> SourceFunction | None:
    """`source` for calls with `extra` more positional arguments than it has parameters, and with
    further keywords `names`; None where a keyword would hide a name of the body."""
    node = source.node
    if isinstance(node, gast.Lambda):
        node = _defined(node)
    if isinstance(node, gast.AsyncFunctionDef):
        return None
    if set(names) & mentioned(node):
        hidden = _with_other_names(node, set(names))
        if hidden is None:
            return None
        node = hidden
    allocator = NameAllocator(mentioned(node) | set(names) | set(source.fn.__code__.co_freevars))
    args = copy.copy(node.args)
    body = list(node.body)
    start: list[gast.stmt] = []
    if args.vararg is not None:
        own = args.vararg.id
        more = [allocator.fresh(f"{own}_{k}") for k in range(extra)]
        args.args = [*args.args, *(_parameter(n, node) for n in more)]
        args.vararg = None
        if extra:
            args.defaults = []
        if not bound_again(own, body):
            body = [_handed_on(s, own, more) for s in copy.deepcopy(body)]
        items = gast.Tuple([_name(n, node) for n in more], gast.Load())
        start.append(_assign(own, items, node))
    if args.kwarg is not None:
        own = args.kwarg.id
        args.kwonlyargs = [*args.kwonlyargs, *(_parameter(n, node) for n in names)]
        args.kw_defaults = [*args.kw_defaults, *([None] * len(names))]
        args.kwarg = None
        named = _Named(own, names)
        spelled = [n for s in copy.deepcopy(body) for n in named.several(s)]
        if own in bound_names(body) or _may_change(own, spelled):
            named.left = True
        else:
            body = spelled  # type: ignore[assignment]  # statements stay such
        if named.left:
            keys: list[gast.expr | None] = [_constant(n, node) for n in names]
            table = gast.Dict(keys, [_name(n, node) for n in names])
            start.append(_assign(own, table, node))
    made = copy.copy(node)
    made.args, made.body = args, [*_after_docstring(start, body)]
    if {n.id for n in gast.walk(made) if isinstance(n, gast.Name)} & (
        own_names(node) - own_names(made)
    ):
        return None  # a name that would be that of something else
    result = made_functions(source, made, [])
    if extra:
        result.fn.__defaults__ = None
    return replace(result, signature=inspect.signature(result.fn))


def _defined(node: gast.Lambda) -> gast.FunctionDef:
    """A lambda as a function that is defined."""
    value: gast.stmt = gast.Return(node.body)
    gast.copy_location(value, node.body)
    found = gast.FunctionDef("lambda_", copy.copy(node.args), [value], [], None, None, [])
    gast.copy_location(found, node)
    return found


def for_call(
    fn: types.FunctionType, count: int, keywords: tuple[str, ...], known: Collected
) -> types.FunctionType:
    """`fn` with the arguments that a call gives it as named parameters: `count` by position, and
    `keywords`; `fn` itself where it collects none. `known`: what was made before."""
    if not fn.__code__.co_flags & _COLLECTS or reason(fn) is not None:
        return fn  # of one without a rule, of which a reason is known, nothing is looked into
    if not all(k.isidentifier() and not iskeyword(k) for k in keywords):
        return fn  # `**options` with keys that are not known, or that are no names
    try:
        source = get_source(fn)
        if not source.fn.__code__.co_flags & _COLLECTS:
            return fn  # a decorator that passes everything on
        params = inspect.signature(source.fn, follow_wrapped=False).parameters.values()
        ordinary = sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in params)
        named = {p.name for p in params if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
        extra = max(count - ordinary, 0)
        key = fn, extra, tuple(k for k in keywords if k not in named)
        if key not in known:
            made = collected(source, *key[1:])
            if made is not None:
                made.fn.__dict__[MADE] = made
            known[key] = fn if made is None else made.fn
        return known[key]
    except CompileError:
        return fn


def _with_other_names(node: gast.FunctionDef, names: set[str]) -> gast.FunctionDef | None:
    """The function with other names for those of its variables that are called like keywords; None
    where a name is that of something else."""
    args = node.args
    fixed = {p.id for p in (args.vararg, args.kwarg) if p is not None} | set(free_names(node))
    for n in (n for s in node.body for n in gast.walk(s)):
        if isinstance(n, gast.Global | gast.Nonlocal):
            fixed |= set(n.names)
        elif isinstance(n, gast.Name) and isinstance(n.ctx, gast.Param):
            fixed.add(n.id)
        elif not isinstance(n, gast.Name | gast.expr_context):
            fixed |= names_bound_in(n)
    hidden = names & mentioned(node)
    if hidden & fixed:
        return None
    allocator = NameAllocator(mentioned(node) | names)
    to = {name: allocator.fresh(name) for name in sorted(hidden)}
    made = copy.deepcopy(node)
    for n in [*made.args.posonlyargs, *(n for s in made.body for n in gast.walk(s))]:
        if isinstance(n, gast.Name) and n.id in to:
            n.id = to[n.id]
    return made


def _handed_on(s: gast.stmt, own: str, names: Sequence[str]) -> gast.stmt:
    """A statement with `names` in the place of `*own` among arguments, changed in place."""
    for n in gast.walk(s):
        if isinstance(n, gast.Call):
            given: list[gast.expr] = []
            for a in n.args:
                match a:
                    case gast.Starred(value=gast.Name(id=name)) if name == own:
                        given += [_name(v, a) for v in names]
                    case _:
                        given.append(a)
            n.args = given
    return s


_READERS = frozenset({"items", "keys", "values", "get", "copy"})


def _may_change(own: str, body: Iterable[object]) -> bool:
    """Whether a dictionary may get other entries: it is stored into, handed on or given a name."""
    nodes = [n for s in body if isinstance(s, gast.AST) for n in gast.walk(s)]
    used = sum(isinstance(n, gast.Name) and n.id == own for n in nodes)
    read = 0
    for n in nodes:
        match n:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)):
                read += name == own and attr in _READERS
            case gast.Call(func=gast.Name(id="len" | "sorted" | "list"), args=[gast.Name(id=name)]):
                read += name == own
            case gast.Subscript(value=gast.Name(id=name), ctx=gast.Load()):
                read += name == own
            case gast.For(iter=gast.Name(id=name)) | gast.comprehension(iter=gast.Name(id=name)):
                read += name == own
            case _:
                pass
    return used > read


def _after_docstring(start: list[gast.stmt], body: list[gast.stmt]) -> Iterable[gast.stmt]:
    first = body[:1]
    if first and isinstance(first[0], gast.Expr) and isinstance(first[0].value, gast.Constant):
        return [*first, *start, *body[1:]]
    return [*start, *body]


class _Named:
    """Replaces what is read from the collected keywords; `left`: there are other uses of them."""

    def __init__(self, own: str, names: tuple[str, ...]) -> None:
        self.own, self.names, self.left = own, names, False

    def visit(self, node: gast.AST) -> gast.AST:
        """`node`, changed in place, or what stands for it."""
        match node:
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id=self.own), attr="get"), args=[first, *more]
            ) if (key := _key(first)) is not None and len(more) < 2 and (
                key not in self.names or all(isinstance(m, gast.Name | gast.Constant) for m in more)
            ):
                if key in self.names:  # a default that does something does it all the same
                    return _name(key, node)
                return self.visit(more[0]) if more else _constant(None, node)
            case gast.Call(keywords=keywords):
                node.keywords = [k for given in keywords for k in self.given(given, node)]
            case gast.Subscript(value=gast.Name(id=self.own), slice=item, ctx=gast.Load()) if (
                _key(item) in self.names
            ):
                return _name(str(_key(item)), node)
            case gast.Compare(
                left=left,
                ops=[gast.In() | gast.NotIn() as op],
                comparators=[gast.Name(id=self.own)],
            ) if _key(left) is not None:
                return _constant((_key(left) in self.names) == isinstance(op, gast.In), node)
            case gast.Name(id=self.own):
                self.left = True
        for field, value in gast.iter_fields(node):
            if isinstance(value, list):
                setattr(node, field, [n for v in value for n in self.several(v)])
            elif isinstance(value, gast.AST):
                setattr(node, field, self.visit(value))
        return node

    def several(self, value: object) -> Sequence[object]:
        """An item of a block or a display; of an `if` that is decided only what is executed."""
        if not isinstance(value, gast.AST):
            return [value]
        if isinstance(value, gast.If):
            value.test = self.visit(value.test)  # type: ignore[assignment]  # an expression stays one
            if isinstance(value.test, gast.Constant):
                taken = value.body if value.test.value else value.orelse
                return [n for v in taken for n in self.several(v)] or [nothing(value)]
        return [self.visit(value)]

    def given(self, keyword: gast.keyword, node: gast.AST) -> list[gast.keyword]:
        """`**options` as the keywords one by one."""
        value = keyword.value
        if keyword.arg is None and isinstance(value, gast.Name) and value.id == self.own:
            return [gast.keyword(n, _name(n, node)) for n in self.names]
        return [keyword]


def _key(node: gast.AST) -> str | None:
    match node:
        case gast.Constant(value=str() as key):
            return key
        case _:
            return None


def _constant(value: object, like: gast.AST) -> gast.Constant:
    made = gast.Constant(value, None)
    gast.copy_location(made, like)
    return made


def _name(name: str, like: gast.AST, ctx: gast.expr_context | None = None) -> gast.Name:
    made = gast.Name(name, ctx or gast.Load(), None, None)
    gast.copy_location(made, like)
    return made


def _parameter(name: str, like: gast.AST) -> gast.Name:
    return _name(name, like, gast.Param())


def _assign(name: str, value: gast.expr, like: gast.AST) -> gast.Assign:
    target = gast.Name(name, gast.Store(), None, None)
    made = gast.Assign([target], value, None)
    for part in (target, value, made):
        gast.copy_location(part, like)
    return made
