"""From the syntax tree of a function to the small language.

>>> from adtrans.ir.dump import dump
>>> from adtrans.source import get_source
>>> def axpy(a, x, y):
...     z = a * x + y
...     return z
>>> print(dump(lower(get_source(axpy))))
def axpy(a, x, y)
   1    2   t = a * x                                     [1]
   2    2   z = t + y                                     [1]
   3    3   return z
"""

from __future__ import annotations

import builtins
import cmath
from collections.abc import Collection, Iterator
from dataclasses import replace

import gast

from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import CompileError
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import map_blocks
from adtrans.ir.walk import statements as each_statement
from adtrans.ir.well_formed import verify
from adtrans.lower import statements
from adtrans.lower.builder import Builder
from adtrans.lower.comprehensions import own_names
from adtrans.lower.exits import outcomes, structured
from adtrans.lower.later import bound_later
from adtrans.lower.named_reads import reading
from adtrans.lower.opaque import bound_outside, written_inside
from adtrans.lower.syntax import (
    Scope,
    bound_names,
    declared_elsewhere,
    free_names,
    in_scope,
    mentioned,
    parameters,
)
from adtrans.source import MISSING, SourceFunction


def lower(
    source: SourceFunction, each: Collection[Span] = (), forward: bool = False
) -> S.Function:
    """The function in the small language, verified. What stands twice in a statement is computed
    once, but for that `each` of these places runs code of the user's. `forward`: no pullback is
    made of it.

    Raises:
        CompileError: with everything found that the small language cannot express (AD105, AD2xx).
    """
    node = source.node
    nodes = [node.body] if isinstance(node, gast.Lambda) else list(node.body)
    scope = list(in_scope(nodes))
    elsewhere = declared_elsewhere(nodes)
    own = {p.id for p in parameters(node.args)}
    local = frozenset(own | set(bound_names(nodes))) - set(elsewhere)
    captured = frozenset(source.fn.__code__.co_freevars)
    reserved = (mentioned(node) | captured) - (own_names(nodes) - own)
    inner = [n for n in scope if isinstance(n, (*Scope, gast.GeneratorExp))]
    seen_inside = frozenset(name for n in inner for name in free_names(n))
    b = Builder(source, local, seen_inside, NameAllocator(reserved), each, forward)
    b.stored = frozenset(
        n.attr
        for n in gast.walk(node)
        if isinstance(n, gast.Attribute) and not isinstance(n.ctx, gast.Load)
    )
    b.read_first = reading(b, node, local)
    b.diagnostics += _language(source, scope, elsewhere, bound_names(nodes))
    params = _params(b, node.args)
    body = _body(b, node, scope)
    b.diagnostics += _bound_unseen(b, body, scope)
    if b.diagnostics:
        raise CompileError(b.diagnostics)
    fn = S.Function(
        name="lambda_" if source.name == "<lambda>" else source.name,
        params=params,
        body=_numbered(body),
        span=_header(source),
        origins=b.origins,
        shared=tuple(b.sharing),
        reserved=reserved | {p.default.root for p in params if isinstance(p.default, E.Ref)},
    )
    verify(fn)
    return fn


def _body(
    b: Builder, node: gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda, scope: list[gast.AST]
) -> S.Block:
    with b.nested() as raw:
        if isinstance(node, gast.Lambda):
            with b.alone(node.body):
                statements.return_value(b, node.body, node.body)
        else:
            returns = [n for n in scope if isinstance(n, gast.Return)]
            statements.result_names(b, node.body, returns)
            for statement in node.body:
                statements.statement(b, statement)
            _fall_off(b, node, tuple(raw))
    body = tuple(raw)
    ways = outcomes(body)
    last = body[-1]
    flat = structured(body, b.temp, b.site)
    if "return" not in ways:  # every path raises, or the function never ends
        return (*flat, S.Return((E.NONE,), site=b.site(), span=last.span))
    if b.results is not None:
        names = tuple(E.Name(r) for r in b.results)
        several = len(names) > 1
        place = max((s.span for s in raw if isinstance(s, S.Return)), default=last.span)
        return (*flat, S.Return(names, several, site=b.site(), span=place))
    assert isinstance(last, S.Return)
    return (*flat, last)


def _fall_off(b: Builder, node: gast.FunctionDef | gast.AsyncFunctionDef, raw: S.Block) -> None:
    """A function whose end can be reached returns None there."""
    if "fall" not in outcomes(raw):
        return
    end = node.body[-1]
    if b.results is not None:
        b.bind(b.results[0], E.NONE, end)
    values = (E.NONE,) if b.results is None else (E.Name(b.results[0]),)
    b.block.append(S.Return(values, site=b.site(), span=b.span(end)))


def _bound_unseen(b: Builder, body: S.Block, scope: list[gast.AST]) -> Iterator[Diagnostic]:
    """Functions and classes that are not followed and bind a variable that is read around them, or
    write what is bound to it later."""
    node = b.source.node if isinstance(b.source.node, gast.FunctionDef) else None
    read = {n.id for n in scope if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)}
    for s in each_statement(body):
        for v in sorted(bound_outside(s) & read & b.local) if isinstance(s, S.Keep) else ():
            yield Diagnostic(
                "AD203",
                f"`{v}` is bound by a function that cannot be followed",
                s.span,
                why=f"it is not known when `{v}` changes, and to what",
                fixes=[Fix(f"return the new value of `{v}`, and bind it where the call stands")],
            )
        for v, made in written_inside(s):
            if node is not None and v in b.local & read and bound_later(v, made, node):
                yield Diagnostic(
                    "AD203",
                    f"`{v}` is written by a function that cannot be followed",
                    s.span,
                    why=f"`{v}` is bound after the function is made: what it writes is not known",
                    fixes=[Fix(f"bind `{v}` before, once")],
                )
                break


def _language(
    source: SourceFunction,
    scope: list[gast.AST],
    elsewhere: dict[str, gast.Global | gast.Nonlocal],
    bound: dict[str, None],
) -> list[Diagnostic]:
    """What no later stage could deal with: generators, coroutines, writes to outer names."""
    found = []
    streaming = [
        n for n in scope if isinstance(n, gast.Yield | gast.YieldFrom | gast.Await | gast.AsyncFor)
    ]
    if streaming or isinstance(source.node, gast.AsyncFunctionDef):
        what = "generator" if streaming else "coroutine"
        if isinstance(source.node, gast.AsyncFunctionDef):
            what = "coroutine"
        found.append(
            Diagnostic(
                "AD204",
                f"`{source.name}` is a {what} and cannot be differentiated",
                source.span(streaming[0]) if streaming else _header(source),
                why="its body runs in pieces, in an order that its caller decides.",
                fixes=[Fix("return a list of the values instead of yielding them")],
            )
        )
    for n in scope:
        match n:
            case gast.Subscript(
                value=gast.Attribute(attr="__dict__"), ctx=gast.Store() | gast.Del()
            ):
                found.append(
                    Diagnostic(
                        "AD201",
                        "attributes that are written in `__dict__` are not followed",
                        source.span(n),
                        why="what methods read then would have lost its derivative",
                        fixes=[Fix("assign the attribute: `obj.a = value`, or `setattr`")],
                    )
                )
    for name in bound:
        if name in elsewhere:
            word = "global" if isinstance(elsewhere[name], gast.Global) else "nonlocal"
            found.append(
                Diagnostic(
                    "AD203",
                    f"`{name}` is {word} and assigned here",
                    source.span(elsewhere[name]),
                    why="generated code lives in a module of its own and cannot rebind a name of "
                    "yours.",
                    fixes=[Fix(f"return the new value of `{name}` and assign it in the caller")],
                )
            )
    return found


def _params(b: Builder, args: gast.arguments) -> tuple[S.Param, ...]:
    fn = b.source.fn
    kwdefaults = fn.__kwdefaults__ or {}
    ordinary = [*args.posonlyargs, *args.args]
    values = list(fn.__defaults__ or ())
    missing = len(ordinary) - len(values)
    found = []
    for k, p in enumerate(ordinary):
        default = None
        if k >= missing:
            written = args.defaults[k - missing - (len(values) - len(args.defaults))]
            default = _default(b, p.id, written, values[k - missing])
        form = "positional" if k < len(args.posonlyargs) else "standard"
        found.append(S.Param(p.id, "positional" if form == "positional" else "standard", default))
    if args.vararg is not None:
        found.append(S.Param(args.vararg.id, "varargs"))
    for p, node in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        default = None
        if p.id in kwdefaults and node is not None:
            default = _default(b, p.id, node, kwdefaults[p.id])
        found.append(S.Param(p.id, "keyword", default))
    if args.kwarg is not None:
        found.append(S.Param(args.kwarg.id, "varkw"))
    return tuple(found)


def _default(b: Builder, param: str, node: gast.expr, value: object) -> E.Ref | E.Const:
    """A default: a literal, a built-in under its name, or else a name made for it. A name of the
    user's would be looked up when generated code is loaded, and may mean something else by then."""
    if value is None or (
        type(value) in (bool, int, float, complex, str, bytes)
        and not (isinstance(value, float | complex) and not cmath.isfinite(value))
    ):
        return E.Const(value)
    if isinstance(node, gast.Name) and getattr(builtins, node.id, MISSING) is value:
        if b.resolve(node.id) is value:
            return E.Ref(node.id, value)
    return E.Ref(b.names.fresh(f"{param}_default"), value)


def _header(source: SourceFunction) -> Span:
    span = source.span(source.node)
    line = source.lines[span.line - 1] if span.line <= len(source.lines) else ""
    return replace(span, end_line=span.line, end_column=max(len(line), span.column))


def _numbered(block: S.Block) -> S.Block:
    """Sites counted from 1 in textual order."""
    count = 0

    def number(inner: S.Block) -> S.Block:
        nonlocal count
        out = []
        for s in inner:
            count += 1
            out.append(map_blocks(replace(s, site=count), number))
        return tuple(out)

    return number(block)
