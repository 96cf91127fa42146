"""`map`, `filter` and `reduce`: functions that are handed functions.

map(f, a, b)      ->   (f(v, w) for v, w in zip(a, b))
filter(f, a)      ->   (v for v in a if f(v))
reduce(f, a, s)   ->   t = s
                       for v in a:
                           t = f(t, v)
"""

from __future__ import annotations

import builtins
import copy
from collections.abc import Sequence
from functools import reduce

import gast

from adtrans import runtime
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower import comprehensions, expressions, loop_headers
from adtrans.lower.builder import Builder
from adtrans.lower.opaque import name_node
from adtrans.lower.syntax import Scope, parameters
from adtrans.source import MISSING


def as_generator(b: Builder, node: gast.AST) -> gast.GeneratorExp | None:
    """A call of `map` or `filter` as the generator expression that it stands for."""
    if not isinstance(node, gast.Call) or node.keywords or len(node.args) < 2:
        return None
    if any(isinstance(a, gast.Starred) for a in node.args):
        return None
    meant = b.means(node.func)
    fn, *given = node.args
    if len(given) > 1 and b.means(name_node("zip", node)) is not zip:
        return None  # the name means something else here
    given = [as_generator(b, g) or g for g in given]
    if meant is builtins.map and isinstance(fn, gast.Attribute) and not steady(b, fn):
        fn = looked_up(b, fn)
    if meant is builtins.map and steady(b, fn):
        names, value = applied_to(b, fn, len(given), node)
        if value is None:
            return None
        target = _target(names, node)
        source = given[0] if len(given) == 1 else _call(name_node("zip", node), given, node)
        return _generator(value, target, source, [], node)
    if meant is builtins.filter and len(given) == 1:
        if isinstance(fn, gast.Constant) and fn.value is None:
            name = b.temp("v")
            test: gast.expr | None = name_node(name, node)
            names = [name]
        elif not steady(b, fn):
            return None
        else:
            names, test = applied_to(b, fn, 1, node)
        if test is None:
            return None
        element = name_node(names[0], node)
        return _generator(element, _target(names, node), given[0], [test], node)
    return None


def looked_up(b: Builder, fn: gast.Attribute) -> gast.Name:
    """A name for the method that an attribute means, which is looked up once."""
    return name_node(expressions.variable(b, fn), fn)


def steady(b: Builder, fn: gast.expr) -> bool:
    """Whether an expression for a function may be evaluated again for each element."""
    return isinstance(fn, gast.Name | gast.Lambda) or b.means(fn) is not MISSING


def applied_to(
    b: Builder, fn: gast.expr, count: int, like: gast.AST
) -> tuple[list[str], gast.expr | None]:
    """Names for `count` arguments, and the function of them: of a lambda its body."""
    body = _inlined(fn, count)
    if body is not None:
        names, value = body
        fresh = {n: b.temp(n) for n in names}
        value = copy.deepcopy(value)
        for n in gast.walk(value):
            if isinstance(n, gast.Name) and n.id in fresh:
                n.id = fresh[n.id]
        return [fresh[n] for n in names], value
    if isinstance(fn, gast.Lambda):
        return [], None
    names = [b.temp("v") for _ in range(count)]
    return names, _call(fn, [name_node(n, like) for n in names], like)


def _inlined(fn: gast.expr, count: int) -> tuple[list[str], gast.expr] | None:
    """The parameters and the body of a lambda that can stand where it is called."""
    if not isinstance(fn, gast.Lambda):
        return None
    args = fn.args
    plain = not (args.vararg or args.kwarg or args.kwonlyargs or args.defaults)
    names = [p.id for p in parameters(args)]
    inner = (*Scope, gast.ListComp, gast.GeneratorExp, gast.SetComp, gast.DictComp, gast.NamedExpr)
    if not plain or len(names) != count or any(isinstance(n, inner) for n in gast.walk(fn.body)):
        return None
    return names, fn.body


def _call(fn: gast.expr, args: Sequence[gast.expr], like: gast.AST) -> gast.Call:
    made = gast.Call(fn, list(args), [])
    gast.copy_location(made, like)
    return made


def _target(names: list[str], like: gast.AST) -> gast.expr:
    made = [name_node(n, like, gast.Store()) for n in names]
    if len(made) == 1:
        return made[0]
    several = gast.Tuple(list(made), gast.Store())
    gast.copy_location(several, like)
    return several


def _generator(
    value: gast.expr,
    target: gast.expr,
    source: gast.expr,
    tests: list[gast.expr],
    like: gast.AST,
) -> gast.GeneratorExp:
    made = gast.GeneratorExp(value, [gast.comprehension(target, source, tests, 0)])
    gast.copy_location(made, like)
    return made


# Reduction


def reduction(b: Builder, node: gast.Call, target: str | None) -> S.Atom | None:
    """`functools.reduce(f, values, start)` as a loop; None for a form that is not understood."""
    if b.means(node.func) is not reduce or node.keywords:
        return None
    if not 2 <= len(node.args) <= 3 or any(isinstance(a, gast.Starred) for a in node.args):
        return None
    return _folded(b, node, target)


def _folded(b: Builder, node: gast.Call, target: str | None) -> S.Atom | None:
    """A loop that calls the first argument with the total and each item of the second."""
    fn, values, *start = node.args
    if not steady(b, fn) or (isinstance(fn, gast.Lambda) and _inlined(fn, 2) is None):
        return None
    if comprehensions.generator(b, values) is not None:  # an element is made when it is its turn
        return None
    view = comprehensions.of_view(b, values)
    total, item = b.temp("total"), b.temp("v")
    it: S.Iter
    if start and view is not None:
        it = loop_headers.iteration(b, values)
        expressions.value(b, start[0], total)
    elif start:
        it = S.Elements(expressions.variable(b, values))
        expressions.value(b, start[0], total)
    else:
        listed = view and comprehensions.listed(b, view)
        source = listed.id if listed else expressions.variable(b, values)

        def place() -> S.Place:
            return {"site": b.site(), "span": b.span(node), "origin": b.origin}

        size = b.bind(b.temp(), E.Call(E.Ref("len", len), (E.Name(source),)), node)
        check = E.Ref("check_some", runtime.check_some)
        b.bind(b.temp(), E.Call(check, (size,)), node)
        b.block.append(S.Load(total, source, (E.Const(0),), **place()))
        rest = b.temp()
        after = E.Slice(E.Const(1), None, None)
        b.block.append(S.Load(rest, source, (after,), **place()))
        it = S.Elements(rest)
    b.forget()
    names, value = applied_to(b, fn, 2, node)
    assert value is not None
    with b.nested() as body:
        bound = loop_headers.target(b, name_node(item, node, gast.Store()), it)
        b.forget()
        b.alias(names[0], total, node)
        b.alias(names[1], item, node)
        expressions.value(b, value, total)
    b.block.append(S.For(bound, it, tuple(body), site=b.site(), span=b.span(node), origin=b.origin))
    b.forget()
    return E.Name(total) if target is None else b.alias(target, total, node)


def quantified(b: Builder, node: gast.Call, target: str | None) -> S.Atom | None:
    """`any(...)` or `all(...)` of a generator as a loop that stops at the first that decides."""
    meant = b.means(node.func)
    if meant not in (any, all) or len(node.args) != 1 or node.keywords:
        return None
    given = comprehensions.generator(b, node.args[0])
    if given is None or len(given.generators) != 1:
        return None
    found = b.temp("found")
    decides = meant is any
    b.bind(found, E.Const(not decides), node)

    def stop(element: gast.expr) -> None:
        test = expressions.test(b, element)
        with b.nested() as then:
            b.bind(found, E.Const(decides), node)
            b.block.append(S.Break(site=b.site(), span=b.span(node), origin=b.origin))
        b.branch(test if decides else E.Unary("not", test), then, [], node)

    comprehensions.loop(b, given, stop, node)
    return E.Name(found) if target is None else b.alias(target, found, node)
