"""List comprehensions, and generators that are used up at once, as loops that append.

t = [f(v) for v in x if v > 0]    ->    t = []
                                        for v in x:
                                            if v > 0:
                                                t.append(f(v))

The variables of a comprehension are its own: they get other names where the function uses theirs.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeAlias, TypeVar

import gast
import numpy as np

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower import assignment_targets, expressions, functional, loop_headers
from adtrans.lower.builder import Builder
from adtrans.lower.opaque import name_node
from adtrans.lower.purity import has_effects
from adtrans.lower.syntax import Comprehension, bound_names, free_names, nodes_in
from adtrans.source import MISSING

_Node: TypeAlias = "gast.ListComp | gast.GeneratorExp | gast.DictComp"
_Any = TypeVar("_Any", bound=_Node)
_USED_UP = (sum, list, tuple, sorted, max, min, np.fromiter, math.fsum, math.prod)
_ALL = 2**62  # more than there are
_STATISTICS = frozenset({
    "mean", "fmean", "median", "variance", "stdev", "pvariance", "pstdev", "geometric_mean",
    "harmonic_mean",
})  # fmt: skip


def own_names(body: Iterable[gast.AST]) -> frozenset[str]:
    """The names that only comprehensions bind and nothing else in `body` mentions."""
    nodes = list(body)
    inside = {
        t.id
        for n in nodes
        for c in nodes_in(n)
        if isinstance(c, Comprehension)
        for g in c.generators
        for t in gast.walk(g.target)
        if isinstance(t, gast.Name)
    }
    outside = {name for n in nodes for name in free_names(n)} | set(bound_names(nodes))
    return frozenset(inside - outside)


def is_lowered(node: gast.AST) -> bool:
    """Whether a comprehension can be a loop: nothing in it outlives the element it is made for."""
    if not isinstance(node, gast.ListComp | gast.GeneratorExp | gast.DictComp):
        return False
    late = gast.Lambda | gast.Await | gast.Yield | gast.YieldFrom
    return not any(g.is_async for g in node.generators) and not any(
        isinstance(n, late) for n in gast.walk(node)
    )


def used_up(b: Builder, node: gast.Call) -> gast.GeneratorExp | None:
    """The generator expression that a call goes through from end to end, None without one."""
    meant = b.means(node.func)
    if meant is MISSING or not (any(meant is f for f in _USED_UP) or _summarises(meant)):
        return None
    if not node.args:
        return None
    lazily = _lazily(b, node.args[0])
    if lazily is None and meant is list and _is_call(b, node.args[0], range):
        return over(b, node.args[0])
    if lazily is not None and meant is np.fromiter and not _reads_all(node, lazily):
        return _so_many(b, node, lazily)
    return lazily


def _lazily(b: Builder, node: gast.AST) -> gast.GeneratorExp | None:
    return generator(b, node) or of_view(b, node)


def collected(b: Builder, node: gast.expr) -> gast.expr:
    """What a star makes arguments of: the list of what is handed out one by one, `*(g(v) for v in
    a)` as `*[g(v) for v in a]`; anything else as it is."""
    lazily = _lazily(b, node)
    if lazily is None:
        return node
    made = gast.ListComp(lazily.elt, lazily.generators)
    gast.copy_location(made, node)
    return made


def _summarises(meant: object) -> bool:
    """Whether a function is one of the module `statistics` (which takes long to import)."""
    if getattr(meant, "__module__", "") != "statistics":
        return False
    return getattr(meant, "__name__", "") in _STATISTICS


def _reads_all(node: gast.Call, given: gast.GeneratorExp) -> bool:
    """Whether `np.fromiter` goes through to the end: its `count` is absent, or that of the loop."""
    counts = [*node.args[2:], *(k.value for k in node.keywords if k.arg == "count")]
    first, *more = given.generators
    if not counts or more or first.ifs:
        return not counts
    wanted, source = gast.unparse(counts[0]), gast.unparse(first.iter)
    whole = ("-1", f"len({source})", f"{source}.size", f"{source}.shape[0]")  # or NumPy raises
    return wanted in whole or f"range({wanted})" == source


def _so_many(
    b: Builder, node: gast.Call, given: gast.GeneratorExp
) -> gast.GeneratorExp | None:
    """What `np.fromiter` reads of a generator: as many items as its `count` says, all if that is
    negative; None where it is not told from outside which these are.

    fromiter((f(v) for v in x), float, n)   reads   (f(v) for k, v in zip(range(n), x))
    """
    count = [*node.args[2:], *(k.value for k in node.keywords if k.arg == "count")][0]
    first, *more = given.generators
    inside = (n for g in (given.elt, first.iter) for n in nodes_in(g))
    if more or first.ifs or any(isinstance(n, gast.NamedExpr) for n in inside):
        return None
    if has_effects(b, count):
        return None
    zipped, so_far = (name_node(f.__name__, node) for f in (zip, range))
    if b.means(zipped) is not zip or b.means(so_far) is not range:
        return None
    number = getattr(count, "value", None)
    if not (isinstance(number, int) and number >= 0):
        none = gast.Compare(copy.deepcopy(count), [gast.Lt()], [gast.Constant(0, None)])
        count = gast.IfExp(none, gast.Constant(_ALL, None), copy.deepcopy(count))
    numbers = gast.Call(so_far, [count], [])
    index = gast.Name(b.temp("k"), gast.Store(), None, None)
    pair = gast.Tuple([index, first.target], gast.Store())
    both = gast.Call(zipped, [numbers, first.iter], [])
    made = gast.GeneratorExp(given.elt, [gast.comprehension(pair, both, [], 0)])
    for n in gast.walk(made):
        if not hasattr(n, "lineno"):
            gast.copy_location(n, node)
    return made


def _is_call(b: Builder, node: gast.AST, fn: object) -> bool:
    return isinstance(node, gast.Call) and b.means(node.func) is fn


_PAIRED = (zip, enumerate)


def of_view(b: Builder, node: gast.AST) -> gast.GeneratorExp | None:
    """`d.values()`, `zip(a, b)` or the like as a generator expression over it."""
    match node:
        case gast.Call(func=gast.Attribute(attr="keys" | "values" | "items"), args=[], keywords=[]):
            if b.means(node.func) is not MISSING:
                return None
        case gast.Call(args=args, keywords=[]) if (
            any(b.means(node.func) is f for f in (*_PAIRED, reversed))
            and not any(isinstance(a, gast.Starred) for a in args)
        ):
            pass
        case _:
            return None
    return over(b, node)


def over(b: Builder, node: gast.expr) -> gast.GeneratorExp:
    """`(v for v in node)`."""
    name = b.temp("v")
    target = gast.Name(name, gast.Store(), None, None)
    element = gast.Name(name, gast.Load(), None, None)
    made = gast.GeneratorExp(element, [gast.comprehension(target, node, [], 0)])
    for part in (target, element, made):
        gast.copy_location(part, node)
    return made


def generator(b: Builder, node: gast.AST) -> gast.GeneratorExp | None:
    """The generator expression that `node` is or stands for, if it can be a loop."""
    made = functional.as_generator(b, node) or node
    return made if isinstance(made, gast.GeneratorExp) and is_lowered(made) else None


def dictionary(
    b: Builder,
    node: gast.AST,
    keys: Sequence[gast.expr | None],
    values: Sequence[gast.expr],
    target: str | None,
) -> E.Name:
    """A displayed dictionary: an empty one, filled key by key, or (`**d`) with all of another."""
    result = b.temp()
    found = [
        (None if k is None else expressions.value(b, k), expressions.value(b, v))
        for k, v in zip(keys, values, strict=True)
    ]
    b.block.append(S.Pack(result, "dict", (), site=b.site(), span=b.span(node), origin=b.origin))
    for key, value in found:
        if key is None:
            merge = E.Call(E.Attribute(E.Name(result), "update"), (value,))
            b.bind(b.temp(), merge, node)
        else:
            enter(b, result, key, value, node)
    b.forget()
    return E.Name(result) if target is None else b.alias(target, result, node)


def alike(b: Builder, node: gast.Call) -> gast.DictComp | None:
    """`dict.fromkeys(keys, value)` as a comprehension; the value is evaluated now."""
    keys, *given = node.args
    if has_effects(b, keys) or any(isinstance(a, gast.Starred) for a in node.args):
        return None
    value: gast.expr = given[0] if given else gast.Constant(None, None)
    if not isinstance(value, gast.Constant):
        atom = expressions.value(b, value)
        if isinstance(atom, E.Name):
            value = name_node(b.alias(b.temp(), atom.id, node).id, node)
    name = b.temp("k")
    target, key = (name_node(name, node, ctx) for ctx in (gast.Store(), gast.Load()))
    made = gast.DictComp(key, value, [gast.comprehension(target, keys, [], 0)])
    for part in (value, made):
        gast.copy_location(part, node)
    return made


def enter(b: Builder, into: str, key: S.Atom, value: S.Atom, node: gast.AST) -> None:
    """`into[key] = value`, of a dictionary that is made here."""
    b.block.append(
        S.Store(into, (key,), value, site=b.site(), span=b.span(node), origin=b.origin)
    )


def joined(b: Builder, node: gast.List, target: str | None) -> E.Name:
    """`[*a, b]`: an empty list, to which is appended what stands there."""
    result = b.temp()
    b.block.append(S.Pack(result, "list", (), site=b.site(), span=b.span(node), origin=b.origin))
    b.forget()

    def put(element: gast.expr) -> None:
        append = E.Call(E.Attribute(E.Name(result), "append"), (expressions.value(b, element),))
        b.bind(b.temp(), append, node)

    for e in node.elts:
        if isinstance(e, gast.Starred):
            given = generator(b, e.value) or over(b, e.value)
            loop(b, given, put, node)
        else:
            put(e)
    b.forget()
    return E.Name(result) if target is None else b.alias(target, result, node)


def listed(b: Builder, node: _Node, target: str | None = None) -> E.Name:
    """Makes the list or dictionary."""
    result = b.temp() if target is None or b.shows(target, node) else target
    made: _Node = _renamed(b, node)
    form: Literal["list", "dict"] = "dict" if isinstance(node, gast.DictComp) else "list"
    b.block.append(S.Pack(result, form, (), site=b.site(), span=b.span(node), origin=b.origin))
    b.forget()

    def put() -> None:
        if isinstance(made, gast.DictComp):
            key = expressions.value(b, made.key)
            enter(b, result, key, expressions.value(b, made.value), node)
            return
        value = expressions.value(b, made.elt)
        append = E.Call(E.Attribute(E.Name(result), "append"), (value,))
        b.bind(b.temp(), append, node)

    _loops(b, made.generators, put, node)
    b.forget()
    return E.Name(result) if target in (None, result) else b.alias(str(target), result, node)


def _renamed(b: Builder, node: _Any) -> _Any:
    """The comprehension with names for its variables that are free in the function."""
    names = {
        t.id
        for g in node.generators
        for t in gast.walk(g.target)
        if isinstance(t, gast.Name)
    }
    to = {name: b.temp(name) for name in sorted(names)}
    first = node.generators[0].iter  # evaluated outside, where the names mean something else
    made = copy.deepcopy(node)
    for n in gast.walk(made):
        if isinstance(n, gast.Name) and n.id in to:
            n.id = to[n.id]
    made.generators[0].iter = first
    return made


Inside = Callable[[], None]


def _loops(
    b: Builder, generators: list[gast.comprehension], inside: Inside, node: gast.AST
) -> None:
    """Loops over the generators of a comprehension, with what `inside` emits innermost."""
    if not generators:
        inside()
        return
    first, *rest = generators

    def conditions(tests: list[gast.expr]) -> None:
        if not tests:
            _loops(b, rest, inside, node)
            return
        test = expressions.test(b, tests[0])
        with b.nested() as then:
            b.forget()
            conditions(tests[1:])
        b.branch(test, then, [], node)

    lazily = generator(b, first.iter)
    if lazily is not None:
        inner = _renamed(b, lazily)
        element = inner.elt

        def bound() -> None:
            assignment_targets.store(b, first.target, expressions.value(b, element))
            b.forget()
            conditions(first.ifs)

        _loops(b, inner.generators, bound, node)
        return
    it = loop_headers.iteration(b, first.iter)
    with b.nested() as body:
        target = loop_headers.target(b, first.target, it)
        b.forget()
        conditions(first.ifs)
    b.block.append(
        S.For(target, it, tuple(body), site=b.site(), span=b.span(node), origin=b.origin)
    )


def loop(
    b: Builder,
    node: gast.GeneratorExp,
    inside: Callable[[gast.expr], None],
    like: gast.AST,
) -> None:
    """A loop with what `inside` emits for the element."""
    made = _renamed(b, node)
    b.forget()
    _loops(b, made.generators, lambda: inside(made.elt), like)
    b.forget()


def begun(b: Builder, node: gast.GeneratorExp) -> gast.GeneratorExp:
    """A generator expression for which Python has evaluated what it goes through first: nothing
    else, before it is asked for an element."""
    first, *rest = node.generators
    taken = gast.comprehension(first.target, _begun(b, first.iter), first.ifs, first.is_async)
    made = gast.GeneratorExp(node.elt, [taken, *rest])
    gast.copy_location(made, node)
    return made


def _begun(b: Builder, source: gast.expr) -> gast.expr:
    """What is gone through, with names for what is evaluated before anything is read of it."""
    lazily = generator(b, source)
    if lazily is not None:
        return begun(b, lazily)
    if not isinstance(source, gast.Call) or any(k.arg is None for k in source.keywords):
        return held(b, source)
    if any(isinstance(a, gast.Starred) for a in source.args):
        return held(b, source)
    made = copy.copy(source)
    in_step = any(b.means(source.func) is f for f in (*_PAIRED, reversed, range))
    if in_step:
        made.args = [_begun(b, a) for a in source.args]
    elif of_view(b, source) is not None:
        assert isinstance(source.func, gast.Attribute)
        made.func = copy.copy(source.func)
        made.func.value = held(b, source.func.value)
        return made
    else:
        return held(b, source)
    made.keywords = [gast.keyword(k.arg, held(b, k.value)) for k in source.keywords]
    return made


def held(b: Builder, node: gast.expr) -> gast.expr:
    """A name for what an expression is now; a literal or a function as it is."""
    if isinstance(node, gast.Lambda) or b.means(node) is not MISSING:
        return node
    atom = expressions.value(b, node)
    if not isinstance(atom, E.Name):
        return node
    return name_node(b.alias(b.temp(), atom.id, node).id, node)


def unrolled(b: Builder, node: gast.For) -> gast.For:
    """A loop over a generator as a loop over what that runs over: an element is made when its turn
    comes. (Of a generator with several loops `break` would leave only the innermost.)"""
    given = generator(b, node.iter)
    if given is None or len(given.generators) != 1:
        return node
    made = _renamed(b, given)
    (only,) = made.generators
    bound = gast.Assign([node.target], made.elt, None)
    gast.copy_location(bound, node.iter)
    b.synthetic[id(bound)] = bound
    body: list[gast.stmt] = [bound, *node.body]
    for test in reversed(only.ifs):
        branch = gast.If(test, body, [])
        gast.copy_location(branch, test)
        body = [branch]
    loop = gast.For(only.target, only.iter, body, node.orelse, None)
    gast.copy_location(loop, node)
    return unrolled(b, loop)
