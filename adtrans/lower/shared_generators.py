"""Generator functions that several local functions use: each has one of its own.

def f(x):                                  def f(x):
    def terms(n):                              def total(n):
        for j in range(n):                         def terms(n):
            yield x[j] * x[j]      ->                  for j in range(n):
    def total(n):                                          yield x[j] * x[j]
        return sum(terms(n))                       return sum(terms(n))
    return total(2) * total(3)                 return total(2) * total(3)

It sees the same variables from there, unless the local function has some of these names itself.

>>> tree = gast.parse("def f(x):\\n    def g():\\n        yield x\\n    def h():\\n"
...                   "        return sum(g())\\n    return h()").body[0]
>>> print(gast.unparse(distributed(tree)))
def f(x):
<BLANKLINE>
    def h():
<BLANKLINE>
        def g():
            yield x
        return sum(g())
    return h()
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.later import binds
from adtrans.lower.local_generators import is_generator, named_defaults, with_named_defaults
from adtrans.lower.syntax import (
    free_names,
    in_scope,
    mentioned,
    nodes_in,
    own_names,
    parameters,
)
from adtrans.source import SourceFunction


def with_own_generators(source: SourceFunction) -> SourceFunction:
    """The function with such generators distributed; `source` itself where there are none."""
    if not isinstance(source.node, gast.FunctionDef):
        return source
    names = NameAllocator(mentioned(source.node) | {*source.fn.__code__.co_freevars})
    made = distributed(with_named_defaults(source.node, names))
    return source if made is source.node else replace(source, node=made)


def distributed(node: gast.FunctionDef) -> gast.FunctionDef:
    """The same for the tree of a function."""
    shared = _shared(node)
    users = {
        s.name: needed
        for s in node.body
        if isinstance(s, gast.FunctionDef) and (needed := _needed(s, node, shared))
    }
    if not users:
        return node
    made = copy.copy(node)
    made.body = [_with(s, users) if isinstance(s, gast.FunctionDef) else s for s in node.body]
    while True:
        kept = [
            s for k, s in enumerate(made.body)
            if not (isinstance(s, gast.FunctionDef) and s.name in shared)
            or s.name in _seen([*made.body[:k], *made.body[k + 1 :]])
        ]  # fmt: skip
        if len(kept) == len(made.body):
            return made
        made.body = kept


def _shared(node: gast.FunctionDef) -> dict[str, gast.FunctionDef]:
    """The generators in the body of a function that are the only meaning of their names, and are
    nothing but called."""
    times = Counter(name for n in in_scope(node.body) for name in binds(n))
    times.update(p.id for p in parameters(node.args))
    found = {
        s.name: s
        for s in node.body
        if isinstance(s, gast.FunctionDef) and is_generator(s) and times[s.name] == 1
        and not named_defaults(s)
    }
    called = {id(n.func) for n in nodes_in(node) if isinstance(n, gast.Call)}
    for n in nodes_in(node):
        if isinstance(n, gast.Name) and id(n) not in called:
            found.pop(n.id, None)
        elif isinstance(n, gast.Nonlocal | gast.Global):
            found = {name: g for name, g in found.items() if name not in n.names}
    return found


def _needed(
    s: gast.FunctionDef, node: gast.FunctionDef, shared: dict[str, gast.FunctionDef]
) -> list[gast.FunctionDef]:
    """The generators that a local function is to have, those that these call included."""
    yields = any(isinstance(n, gast.Yield | gast.YieldFrom) for n in in_scope(s.body))
    if yields or s.name in shared:
        return []
    before = node.body[: node.body.index(s)]
    wanted, queue = set[str](), [s]
    while queue:
        for name in {*free_names(queue.pop())} & shared.keys() - wanted:
            wanted.add(name)
            queue.append(shared[name])
    found = [t for t in before if isinstance(t, gast.FunctionDef) and t.name in wanted]
    around = own_names(s)
    clash = any(around & {t.name, *free_names(t)} for t in found)
    return [] if clash or len(found) < len(wanted) else found


def _with(
    s: gast.FunctionDef, users: dict[str, list[gast.FunctionDef]]
) -> gast.FunctionDef:
    if s.name not in users:
        return s
    made = copy.deepcopy(s)
    first = made.body[0]
    says = isinstance(first, gast.Expr) and isinstance(first.value, gast.Constant)
    made.body[says:says] = [copy.deepcopy(g) for g in users[s.name]]
    return made


def _seen(body: list[gast.stmt]) -> set[str]:
    return {name for s in body for name in _free(s)}


def _free(s: gast.stmt) -> Iterator[str]:
    if isinstance(s, gast.FunctionDef):
        yield from free_names(s)
    else:
        yield from (n.id for n in gast.walk(s) if isinstance(n, gast.Name))
