"""Statements: each simple one becomes flat operations that share its origin; blocks stay blocks.

`return`, `break` and `continue` are left where they stand; `exits` puts them into normal form.
"""

from __future__ import annotations

import builtins
import copy
import sys
from collections.abc import Sequence

import gast

from adtrans import runtime
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower import (
    assignment_targets,
    comprehensions,
    expressions,
    guarded,
    loop_headers,
    lower_calls,
    matching,
)
from adtrans.lower.builder import Builder
from adtrans.lower.imports import may_be_others
from adtrans.lower.opaque import name_node, settle
from adtrans.lower.purity import has_effects
from adtrans.lower.syntax import breaks, falls, leaves


def block(b: Builder, body: Sequence[gast.stmt]) -> S.Block:
    """The statements of a block, in a block of their own."""
    with b.nested() as out:
        for node in body:
            statement(b, node)
    return tuple(out)


def _all(b: Builder, body: Sequence[gast.stmt]) -> None:
    for node in body:
        statement(b, node)


def statement(b: Builder, node: gast.stmt) -> None:
    """One statement, appended to the current block."""
    b.around.append(node)
    _statement(b, node)
    b.around.pop()


def _statement(b: Builder, node: gast.stmt) -> None:
    match node:
        case gast.Return():
            with b.alone(node):
                _return(b, node)
        case gast.Break():
            flag = b.loop_flags[-1]
            if flag is not None:
                b.bind(flag, E.Const(True), node)
            b.block.append(S.Break(site=b.site(), span=b.span(node)))
        case gast.Continue():
            b.block.append(S.Continue(site=b.site(), span=b.span(node)))
        case gast.If() if (present := b.presence(node.test)) is not None:
            _all(b, node.body if present else node.orelse)
        case gast.If():
            with b.alone(node.test):
                condition = expressions.test(b, node.test)
            b.block.append(
                S.If(
                    condition,
                    block(b, node.body),
                    block(b, node.orelse),
                    site=b.site(),
                    span=b.span(node.test),
                )
            )
        case gast.For():
            _for(b, node)
        case gast.While():
            _while(b, node)
        case gast.Try() | gast.With():
            guarded.guarded(b, node, lambda body: _all(b, body))
        case gast.Match():
            matching.match(b, node, lambda body: _all(b, body))
        case gast.Global() | gast.Nonlocal():
            pass  # reported once for the function, where it declares something that is written
        case gast.AnnAssign(value=None) if not isinstance(node.target, gast.Name):
            with b.alone(node):
                _simple(b, node)
        case _ if id(node) in b.synthetic:
            with b.alone(node):
                _simple(b, node)
        case _:
            with b.simple(node):
                _simple(b, node)


def _simple(b: Builder, node: gast.stmt) -> None:
    match node:
        case gast.Assign():
            assignment_targets.assign(b, node)
        case gast.AugAssign():
            assignment_targets.augmented(b, node)
        case gast.AnnAssign():
            if node.value is None:
                _annotated(b, node)
            else:
                plain = gast.Assign([node.target], node.value, None)
                gast.copy_location(plain, node)
                assignment_targets.assign(b, plain)
        case gast.Expr():
            _expression(b, node)
        case gast.Assert():
            _assert(b, node)
        case gast.Delete():
            _delete(b, node)
        case gast.Raise():
            b.keep(node, raises=True)
        case gast.Pass():
            b.keep(node)
        case gast.Import() | gast.ImportFrom():
            name = may_be_others(node, b.source)
            if name is not None:
                b.report(
                    "AD203",
                    f"`{name}` is imported here, and may be an object that is changed",
                    node,
                    why="the function assigns attributes, and it is not known whether they are its",
                    fix="import it at the beginning of the function, or outside",
                )
            b.keep(node)
        case _:
            _unsupported(b, node)


def _annotated(b: Builder, node: gast.AnnAssign) -> None:
    """`d[f()]: float` evaluates `d` and `f()`, and does nothing with them."""
    match node.target:
        case gast.Subscript(value=base, slice=key) if not any(
            isinstance(n, gast.Slice) for n in gast.walk(key)
        ):
            parts = [base, key]
        case gast.Attribute(value=base):
            parts = [base]
        case gast.Name():
            parts = []
        case _:
            return _unsupported(b, node)
    for part in parts:
        expressions.value(b, part)
    b.keep(_pass(node), reads=(), binds=())


def _pass(node: gast.stmt) -> gast.Pass:
    made = gast.Pass()
    gast.copy_location(made, node)
    return made


def _expression(b: Builder, node: gast.Expr) -> None:
    inner = node.value
    if isinstance(inner, gast.Constant):
        b.keep(node)
    elif isinstance(inner, gast.Call) and b.means(inner.func) is builtins.print:
        _print(b, node, inner)
    elif isinstance(inner, gast.Call) and b.means(inner.func) is runtime.add_entry:
        _add_entry(b, inner)
    elif isinstance(inner, gast.Call):
        lower_calls.call(b, inner, None, used=False)
    else:
        b.read_first(inner)
        expressions.value(b, inner)


def _add_entry(b: Builder, node: gast.Call) -> None:
    """`add_entry(d, key, value)` of generated code: under a key that is there, or a new one."""
    base = expressions.variable(b, node.args[0])
    key, value = (expressions.value(b, a) for a in node.args[1:])

    def place() -> S.Place:
        return {"site": b.site(), "span": b.span(node), "origin": b.origin}

    there = b.bind(b.temp(), E.Compare(key, ("in",), (E.Name(base),)), node)
    old, total = b.temp(), b.temp()
    plus = E.Ref("plus", runtime.plus)
    then: list[S.Stmt] = [
        S.Load(old, base, (key,), **place()),
        S.Invoke(total, plus, (E.Name(old), value), **place()),
        S.Store(base, (key,), E.Name(total), **place()),
    ]
    b.branch(there, then, [S.Store(base, (key,), value, **place())], node)
    b.forget()


def _print(b: Builder, node: gast.Expr, call: gast.Call) -> None:
    values = settle(b, [*call.args, *(k.value for k in call.keywords)])
    made = copy.copy(call)
    made.args = values[: len(call.args)]
    made.keywords = []
    for keyword, v in zip(call.keywords, values[len(call.args) :], strict=True):
        k = copy.copy(keyword)
        k.value = v
        made.keywords.append(k)
    statement = gast.Expr(made)
    gast.copy_location(statement, node)
    b.keep(statement)


def _assert(b: Builder, node: gast.Assert) -> None:
    if sys.flags.optimize or not (
        has_effects(b, node.test) or (node.msg is not None and has_effects(b, node.msg))
    ):
        b.keep(node)
        return
    passed = expressions.value(b, node.test)
    with b.nested() as failed:
        args = [] if node.msg is None else settle(b, [node.msg])
        error = gast.Call(name_node("AssertionError", node), args, [])
        statement = gast.Raise(error, None)
        for made in (error, statement):
            gast.copy_location(made, node)
        b.keep(statement, raises=True)
    b.branch(passed, [], failed, node)


def _delete(b: Builder, node: gast.Delete) -> None:
    names = [t.id for t in node.targets if isinstance(t, gast.Name)]
    items = [t for t in node.targets if isinstance(t, gast.Subscript)]
    if len(items) == len(node.targets) == 1 and not isinstance(items[0].slice, gast.Slice):
        base = expressions.value(b, items[0].value)
        key = expressions.value(b, items[0].slice)
        b.bind(b.temp(), E.Call(E.Attribute(base, "__delitem__"), (key,)), node)
    elif len(items) == len(node.targets) == 1 and _is_run(items[0].slice):
        nothing = gast.List([], gast.Load())
        emptied = gast.Subscript(items[0].value, items[0].slice, gast.Store())
        made = gast.Assign([emptied], nothing, None)  # of a list it does the same
        for part in (nothing, emptied, made):
            gast.copy_location(part, node)
        assignment_targets.assign(b, made)
    elif len(names) == len(node.targets):
        b.keep(node, reads=(), binds=(), unbinds=tuple(names))
    else:
        reads = tuple(n for n in b.reads(node) if n not in names)
        b.keep(node, reads=reads, unbinds=tuple(names), supported=False)
    b.forget()


def _is_run(node: gast.expr) -> bool:
    """Whether a subscript is a slice without a step."""
    return isinstance(node, gast.Slice) and node.step is None


def _unsupported(b: Builder, node: gast.stmt) -> None:
    """A statement of the language that is kept as a whole; it may not leave through its middle."""
    inside = leaves([node])
    if inside is not None:
        word = type(inside).__name__.lower()
        form = type(node).__name__.lower()
        b.report(
            "AD201",
            f"`{word}` inside `{form}` is not supported",
            inside,
            why=f"a `{form}` statement is kept as a whole, so control cannot leave from inside it.",
            fix=f"move the `{word}` out of the `{form}` statement",
        )
    b.keep(node, supported=False)


def _return(b: Builder, node: gast.Return) -> None:
    result = gast.Constant(None, None) if node.value is None else node.value
    if node.value is None:
        gast.copy_location(result, node)
    return_value(b, result, node)


def return_value(b: Builder, result: gast.expr, node: gast.AST) -> None:
    """Evaluates a result: into atoms, or into the variables that all exits share."""
    parts = [result]
    several = _is_tuple(result) and (b.results is None or len(b.results) != 1)
    if several:
        assert isinstance(result, gast.Tuple)
        parts = result.elts
    if b.results is None:
        values = tuple(expressions.value(b, p) for p in parts)
    else:
        values = tuple(
            expressions.value(b, p, name) for p, name in zip(parts, b.results, strict=True)
        )
    b.block.append(S.Return(values, several, site=b.site(), span=b.span(node)))


def _is_tuple(node: gast.AST) -> bool:
    return isinstance(node, gast.Tuple) and not any(isinstance(e, gast.Starred) for e in node.elts)


def result_names(b: Builder, body: Sequence[gast.stmt], returns: list[gast.Return]) -> None:
    """Decides whether exits share result variables: when there is more than the one at the end."""
    if not returns or (len(returns) == 1 and body and returns[0] is body[-1]):
        return
    widths = {
        len(r.value.elts) if isinstance(r.value, gast.Tuple) and _is_tuple(r.value) else None
        for r in returns
    }
    width = widths.pop() if len(widths) == 1 and not falls(body) else None
    b.results = tuple(b.temp("result") for _ in range(width or 1))


def _for(b: Builder, node: gast.For) -> None:
    node = comprehensions.unrolled(b, node)
    with b.alone(node.iter):
        it = loop_headers.iteration(b, node.iter)
    flag = _enter(b, node)
    with b.nested() as body:
        target = loop_headers.target(b, node.target, it)
        for inner in node.body:
            statement(b, inner)
    place = b.span(node.target).to(b.span(node.iter))
    b.block.append(S.For(target, it, tuple(body), site=b.site(), span=place))
    _otherwise(b, node, flag)


def _while(b: Builder, node: gast.While) -> None:
    flag = _enter(b, node)
    with b.nested() as head, b.alone(node.test):
        condition = expressions.test(b, node.test)
    body = block(b, node.body)
    place = b.span(node.test)
    if has_effects(b, node.test):  # what the test does is reversed like the rest of an iteration
        failed: E.Expr = E.Unary("not", condition)
        leave = S.If(failed, (S.Break(site=b.site(), span=place),), (), site=b.site(), span=place)
        head, condition, body = [], E.Const(True), (*head, leave, *body)
    b.block.append(S.While(tuple(head), condition, body, site=b.site(), span=place))
    _otherwise(b, node, flag)


def _enter(b: Builder, node: gast.For | gast.While) -> str | None:
    """The flag that tells the `else` of a loop whether `break` left it, where one is needed."""
    flag = None
    if node.orelse and breaks(node.body):
        flag = b.temp("broke")
        b.bind(flag, E.Const(False), node)
    b.loop_flags.append(flag)
    return flag


def _otherwise(b: Builder, node: gast.For | gast.While, flag: str | None) -> None:
    """The `else` of a loop."""
    b.loop_flags.pop()
    if flag is None:
        for inner in node.orelse:
            statement(b, inner)
    else:
        orelse, place = block(b, node.orelse), b.span(node.orelse[0])
        test = E.Unary("not", E.Name(flag))
        b.block.append(S.If(test, orelse, (), site=b.site(), span=place))
