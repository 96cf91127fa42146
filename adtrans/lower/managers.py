"""`with` over a function of `contextlib.contextmanager`: its body with the block in its middle.

@contextmanager
def scaled(x, k):              with scaled(u, 2.0) as v:          y = u * 2.0
    y = x * k                      body                    =>     try:
    try:                                                              v = y
        yield y                                                       body
    finally:                                                      finally:
        print(k)                                                      print(2.0)

An exception of the block is one at the `yield`. What leaves the block otherwise, by `return`, say,
lets the function run to its end first.
"""

from __future__ import annotations

import contextlib
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import gast

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower import expressions
from adtrans.lower.builder import Builder
from adtrans.lower.exits import outcomes
from adtrans.lower.generator_methods import generator_method
from adtrans.lower.generators import Found, Inlining, called, own_body
from adtrans.lower.staying import FLAGS, Exit, staying
from adtrans.lower.syntax import in_scope


@contextlib.contextmanager
def _example() -> Iterator[None]:
    yield


_CODE = _example.__code__  # of the function around each of them


def manager(b: Builder, node: gast.expr) -> Found | None:
    """The generator function behind the context manager that `node` makes, if its body can stand
    around the block of a `with`."""
    if not isinstance(node, gast.Call) or any(k.arg is None for k in node.keywords):
        return None
    if any(isinstance(a, gast.Starred) for a in node.args):
        return None
    meant = b.means(node.func)
    if isinstance(meant, types.FunctionType) and meant.__code__ is _CODE:
        return called(b, getattr(meant, "__wrapped__", None), node, _yields_once)
    method = generator_method(b, node, around=True)
    if method is None or method.fn.__code__ is not _CODE:
        return None
    found = called(b, method.generator, method.call, _yields_once)
    return None if found is None else replace(found, method=method)


def _yields_once(node: gast.FunctionDef) -> bool:
    """Whether a function gets to its only `yield` on each path, and has no other way out."""
    inside = list(in_scope(node.body))
    yields = [n for n in inside if isinstance(n, gast.Yield | gast.YieldFrom)]
    if len(yields) != 1 or any(
        isinstance(n, gast.Return | gast.Nonlocal | gast.Global) for n in inside
    ):
        return False
    if any(isinstance(n, gast.Name) and n.id in ("StopIteration", "next") for n in inside):
        return False  # in a generator it becomes `RuntimeError`
    return _gets_there(node.body)


def _gets_there(body: Sequence[gast.stmt]) -> bool:
    for s in body:
        match s:
            case gast.Expr(value=gast.Yield()):
                return True
            case gast.Try(body=inner, handlers=handlers):
                inside = [*inner, *s.orelse, *s.finalbody, *(t for h in handlers for t in h.body)]
                if any(isinstance(n, gast.Yield) for n in in_scope(inside)):
                    return _gets_there(inner)
            case gast.With(body=inner):
                if any(isinstance(n, gast.Yield) for n in in_scope(inner)):
                    return _gets_there(inner)
            case _:
                if any(isinstance(n, gast.Yield) for n in in_scope([s])):
                    return False
    return False


def managed(b: Builder, found: Found, block: Callable[[E.Name], None], like: gast.AST) -> None:
    """Emits the function with what `block` emits, given what is yielded, in its middle."""
    body = own_body(b, found, like)
    outer, depth, loops = b.source, b.inlining, list(b.loop_flags)
    flags: dict[Exit, str] = {}
    falls = True

    def flag_of(s: S.Stmt, way: Exit) -> str:
        return flags.setdefault(way, b.temp(FLAGS[way]))

    def at_yield(value: gast.expr | None, node: gast.AST) -> None:
        nonlocal falls
        item = b.temp("item")
        if value is None:
            b.bind(item, E.NONE, node)
        else:
            with b.alone(node):
                expressions.value(b, value, item)
        b.forget()
        inner, source, around = b.yields.pop(), b.source, b.loop_flags
        before, b.source, b.loop_flags, b.inlining = b.inlining, outer, loops, depth
        b.guarded += 1
        with b.nested() as inside:
            block(E.Name(item))
        b.guarded -= 1
        b.source, b.loop_flags, b.inlining = source, around, before
        b.yields.append(inner)
        falls = "fall" in outcomes(tuple(inside))
        b.block.extend(staying(tuple(inside), flag_of, b.temp, b.site))
        b.forget()

    b.inlined.append(found.source)
    place = len(b.block)
    b.yields.append(Inlining(at_yield, found.source))
    b.guarded += 1
    b.source, b.inlining = found.source, depth + 1
    with b.nested() as region:
        for s in body:
            b.lower_statement(s)
    b.source, b.inlining = outer, depth
    b.yields.pop()
    b.guarded -= 1
    where: S.Place = {"site": b.site(), "span": b.span(like), "origin": b.origin}
    b.block[place:place] = [S.Bind(f, E.Const(False), **where) for f in flags.values()]
    b.block.extend(region)
    b.forget()
    caught = any(isinstance(n, gast.ExceptHandler | gast.With) for s in body for n in gast.walk(s))
    exits = [(flag, _exit(b, way, where)) for way, flag in flags.items()]
    after: tuple[S.Stmt, ...] = () if falls or caught or not exits else (exits.pop()[1],)
    for flag, out in reversed(exits):
        after = (S.If(E.Name(flag), (out,), after, **where),)
    b.block.extend(after)


def _exit(b: Builder, way: str, where: S.Place) -> S.Stmt:
    if way == "break":
        return S.Break(**where)
    if way == "continue":
        return S.Continue(**where)
    values = () if b.yields else tuple(E.Name(r) for r in b.results or ())
    return S.Return(values, len(values) > 1, **where)
