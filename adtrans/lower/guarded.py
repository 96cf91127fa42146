"""`with` and `try`: blocks that are left in more than one way."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace

import gast
import numpy as np

from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower import assignment_targets, opaque
from adtrans.lower.builder import Builder
from adtrans.lower.exits import live
from adtrans.lower.swallowing import may_swallow
from adtrans.lower.syntax import leaves

Body = Callable[[Sequence[gast.stmt]], None]


def guarded(b: Builder, node: gast.Try | gast.With, body: Body) -> None:
    """A `try` or `with` statement; `body` lowers statements into the current block."""
    b.forget()
    if isinstance(node, gast.Try):
        _try(b, node, body)
    else:
        _with(b, list(node.items), node, body)
    b.forget()


def _with(b: Builder, items: list[gast.withitem], node: gast.With, body: Body) -> None:
    if not items:
        body(node.body)
        return
    item, *rest = items
    context = item.context_expr
    meant = b.means(context.func) if isinstance(context, gast.Call) else None
    if meant is contextlib.suppress and isinstance(context, gast.Call):
        _suppress(b, context, rest, node, body)
        return
    place = b.span(context)
    trusted = not may_swallow(context, b.means)
    b.guarded += not trusted  # it sees the exceptions that leave it
    with b.nested() as inside:
        target = item.optional_vars
        name = None
        if isinstance(target, gast.Name):
            name = target.id
        elif target is not None:
            name = b.temp()
            assignment_targets.store(b, target, E.Name(name))
        _with(b, rest, node, body)
    b.guarded -= not trusted
    plain = isinstance(context, gast.Call) and not b.reads(context)
    b.block.append(
        S.With(
            opaque.verbatim(b, context),
            name,
            tuple(inside),
            trusted,
            meant is np.errstate and plain,
            site=b.site(),
            span=place,
        )
    )


def _suppress(
    b: Builder, context: gast.Call, rest: list[gast.withitem], node: gast.With, body: Body
) -> None:
    """`with suppress(A, B): body` is `try: body` with `except (A, B): pass`."""
    kinds = gast.Tuple(list(context.args), gast.Load())
    gast.copy_location(kinds, context)
    b.guarded += 1
    with b.nested() as inside:
        _with(b, rest, node, body)
    b.guarded -= 1
    handler = S.Handler(opaque.verbatim(b, kinds), None, ())
    b.block.append(S.Try(tuple(inside), (handler,), (), (), site=b.site(), span=b.span(context)))


def _try(b: Builder, node: gast.Try, body: Body) -> None:
    inside = leaves(node.finalbody)
    if inside is not None:
        word = type(inside).__name__.lower()
        b.report(
            "AD201",
            f"`{word}` inside `finally` is not supported",
            inside,
            why="it would swallow whatever exception is under way.",
            fix=f"move the `{word}` behind the `try` statement",
        )

    def block(statements: Sequence[gast.stmt]) -> S.Block:
        with b.nested() as out:
            body(statements)
        return tuple(out)

    b.guarded += 1
    tried = live(block(node.body))
    b.guarded -= 1
    handlers = tuple(
        S.Handler(
            None if h.type is None else opaque.verbatim(b, h.type),
            None if h.name is None else h.name.id,
            block(h.body),
        )
        for h in node.handlers
    )
    orelse = block(node.orelse)
    b.guarded += 1
    final = () if inside is not None else block(node.finalbody)
    b.guarded -= 1
    place = _word(b.span(node))
    b.block.append(S.Try(tried, handlers, orelse, final, site=b.site(), span=place))


def _word(span: Span) -> Span:
    """The place of `try` alone."""
    return replace(span, end_line=span.line, end_column=span.column + len("try"))
