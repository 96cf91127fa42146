"""Generator functions that are defined inside the function: their bodies stand where loops ask.

def f(x, k):                           def f(x, k):
    def terms(n):                          s = 0.0
        for j in range(n):                 for j in range(2):
            yield x[j] * k        =>           v = x[j] * k
    s = 0.0                                    s += v
    for v in terms(2):                     return s
        s += v
    return s

A generator sees the variables of the function themselves, at the time when it runs; so does its
body in the place of the loop. One that is used otherwise than called is left where it is.

>>> tree = gast.parse("def f(x):\\n    def g():\\n        yield x\\n    return sum(g())")
>>> list(local_generators(tree.body[0]))
['g']
"""

from __future__ import annotations

import copy
import inspect
from collections import Counter
from collections.abc import Mapping

import gast

from adtrans.ir import stmt as S
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import map_blocks, reads_of, statements, without_origins
from adtrans.lower.later import binds
from adtrans.lower.opaque import name_node
from adtrans.lower.small_trees import assignment
from adtrans.lower.surely_bound import SurelyBound
from adtrans.lower.syntax import Scope, in_scope, nodes_in, parameters


def local_generators(node: gast.AST) -> dict[str, gast.FunctionDef]:
    """The generator functions in the body of a function that are only called, after they are
    defined, and are the only meaning of their names."""
    if not isinstance(node, gast.FunctionDef):
        return {}
    order = [*in_scope(node.body)]
    times = Counter(name for n in order for name in binds(n))
    times.update(p.id for p in parameters(node.args))
    found = {
        s.name: s for s in node.body if isinstance(s, gast.FunctionDef) and is_generator(s)
    }
    within = [*order, *(n for g in found.values() for n in in_scope(g.body))]
    place = {id(n): k for k, n in enumerate(order)}
    called = {id(n.func) for n in within if isinstance(n, gast.Call)}
    for n in nodes_in(node):
        if isinstance(n, gast.Name) and n.id in found and id(n) not in called:
            del found[n.id]
        elif isinstance(n, gast.Name) and n.id in found:
            g = found[n.id]
            inside = any(n is m for m in in_scope(g.body))  # it calls itself
            if inside or place.get(id(n), len(order)) < place[id(g)]:
                del found[n.id]
        elif isinstance(n, gast.Nonlocal | gast.Global):
            found = {name: g for name, g in found.items() if name not in n.names}
    bound = SurelyBound(node) if found else None
    return {
        name: g
        for name, g in found.items()
        if times[name] == 1 and bound is not None and bound.is_first(name)
        and all(times[d.id] == 1 and bound.at(g, d.id) for d in named_defaults(g))
    }  # fmt: skip


def named_defaults(g: gast.FunctionDef) -> list[gast.Name]:
    """The defaults of a function that are names, which are to mean the same when it is called."""
    return [d for d in (*g.args.defaults, *g.args.kw_defaults) if isinstance(d, gast.Name)]


def with_named_defaults(node: gast.FunctionDef, names: NameAllocator) -> gast.FunctionDef:
    """The function with variables for what the defaults of its generators are, which are evaluated
    where these are defined; itself where there are none."""
    body: list[gast.stmt] = []
    for s in node.body:
        streams = isinstance(s, gast.FunctionDef) and any(
            isinstance(n, gast.Yield | gast.YieldFrom) for n in in_scope(s.body)
        )
        if not isinstance(s, gast.FunctionDef) or not streams or s.decorator_list:
            body.append(s)
            continue
        args = copy.copy(s.args)
        first = [*args.posonlyargs, *args.args]
        pairs = zip(first[len(first) - len(args.defaults) :], args.defaults, strict=True)
        args.defaults = [_held(p, d, s, names, body) for p, d in pairs]
        args.kw_defaults = [
            None if d is None else _held(p, d, s, names, body)
            for p, d in zip(args.kwonlyargs, args.kw_defaults, strict=True)
        ]
        made = copy.copy(s)
        made.args = args
        body.append(made)
    if len(body) == len(node.body):
        return node
    changed = copy.copy(node)
    changed.body = body
    return changed


def _held(
    p: gast.Name, d: gast.expr, s: gast.FunctionDef, names: NameAllocator, body: list[gast.stmt]
) -> gast.expr:
    if isinstance(d, gast.Constant):
        return d
    name = names.fresh(f"{s.name}_{p.id}")
    body.append(assignment(name_node(name, s, gast.Store()), d, s))
    return name_node(name, s)


def is_generator(s: gast.FunctionDef) -> bool:
    """Whether a definition is that of a generator whose body can stand elsewhere."""
    args = s.args
    defaults = [*args.defaults, *(d for d in args.kw_defaults if d is not None)]
    body = [*in_scope(s.body)]
    return (
        any(isinstance(n, gast.Yield | gast.YieldFrom) for n in body)
        and not any(isinstance(n, gast.Await | gast.Global) for n in body)
        and not (s.decorator_list or args.vararg or args.kwarg)
        and all(isinstance(d, gast.Constant | gast.Name) for d in defaults)
        and not any(isinstance(n, Scope) for n in body)
    )


def arguments(node: gast.FunctionDef, call: gast.Call) -> dict[str, gast.expr] | None:
    """What the parameters of a local generator are given, in the order in which the call evaluates
    it; None where they do not fit."""
    takes, kinds = node.args, inspect.Parameter
    first = [*takes.posonlyargs, *takes.args]
    defaults: list[object] = [kinds.empty] * (len(first) - len(takes.defaults))
    defaults += takes.defaults
    params = [
        kinds(p.id, kinds.POSITIONAL_ONLY if k < len(takes.posonlyargs)
              else kinds.POSITIONAL_OR_KEYWORD, default=d)
        for k, (p, d) in enumerate(zip(first, defaults, strict=True))
    ]  # fmt: skip
    params += [
        kinds(p.id, kinds.KEYWORD_ONLY, default=kinds.empty if d is None else d)
        for p, d in zip(takes.kwonlyargs, takes.kw_defaults, strict=True)
    ]
    try:
        bound = inspect.Signature(params).bind(
            *call.args, **{str(k.arg): k.value for k in call.keywords}
        )
    except TypeError:
        return None
    given = [*call.args, *(k.value for k in call.keywords)]
    order = {id(a): k for k, a in enumerate(given)}
    bound.apply_defaults()
    return dict(sorted(bound.arguments.items(), key=lambda p: order.get(id(p[1]), len(given))))


def without_unread(
    body: S.Block, found: dict[str, gast.FunctionDef], origins: Mapping[int, object]
) -> S.Block:
    """The block without definitions of local generators that nothing refers to any more; nor are
    the statements `origins` printed as they were written, which name them."""
    made = {
        s.site: v for s in statements(body) if isinstance(s, S.Keep) for v in s.binds if v in found
    }
    dropped: set[str] = set()
    while True:
        left = (s for s in statements(body) if made.get(s.site, "") not in dropped)
        read = {v for s in left for v in reads_of(s)}
        unread = {*made.values()} - read
        if unread == dropped:
            break
        dropped = unread
    if not dropped:
        return body

    def block(b: S.Block) -> S.Block:
        kept = (s for s in b if made.get(s.site, "") not in dropped)
        return tuple(map_blocks(s, block) for s in kept)

    naming = {
        k
        for k, s in origins.items()
        if isinstance(s, gast.AST)
        and any(isinstance(n, gast.Name) and n.id in dropped for n in nodes_in(s))
    }
    return without_origins(block(body), naming)
