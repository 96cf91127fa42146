"""Calls of partial applications that have a name: what is bound already and what is given, joined.

g = partial(f, x, k=y); g(z)    ->   t = x; t_2 = y; f(t, z, k=t_2)
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import gast

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower import expressions
from adtrans.lower.builder import Builder
from adtrans.lower.opaque import name_node
from adtrans.lower.syntax import in_scope
from adtrans.source import MISSING


def keep_partial(b: Builder, name: str, value: gast.expr) -> bool:
    """Notes `name = partial(f, ...)` where `name` is nothing else and only called; whether it did.

    What is bound is evaluated at once.
    """
    if not isinstance(value, gast.Call) or b.means(value.func) is not functools.partial:
        return False
    if not value.args or any(isinstance(a, gast.Starred) for a in value.args):
        return False
    if any(k.arg is None for k in value.keywords) or not _only_called(b, name):
        return False
    fn, *args = value.args
    if b.means(fn) is MISSING:
        return False
    bound: list[gast.expr] = [held_name(b, a) for a in args]
    keywords = [gast.keyword(k.arg, held_name(b, k.value)) for k in value.keywords]
    b.partials[name] = (fn, bound, keywords)
    return True


def held(b: Builder, node: gast.expr) -> gast.expr:
    """A name for what an expression is now, or the constant that it is."""
    atom = expressions.value(b, node)
    if isinstance(atom, E.Name):
        return name_node(atom.id, node)
    if not isinstance(atom, E.Const):
        return node  # an object that is known, of a name outside
    made = gast.Constant(atom.value, None)
    gast.copy_location(made, node)
    return made


def held_name(b: Builder, node: gast.expr) -> gast.expr:
    """What is bound, under a name that nothing else binds."""
    now = held(b, node)
    if not isinstance(now, gast.Name) or not b.is_local(now.id):
        return now
    return name_node(b.alias(b.temp(), now.id, node).id, node)


def _only_called(b: Builder, name: str) -> bool:
    """Whether a name is bound once, and then nothing but called: without `**`, which may give again
    what is bound."""
    node = b.source.node
    body = node.body if isinstance(node.body, list) else [node.body]
    uses = [n for n in in_scope(body) if isinstance(n, gast.Name) and n.id == name]
    loads = {id(n) for n in uses if isinstance(n.ctx, gast.Load)}
    after = _behind(body, name)
    called = {
        id(n.func)
        for n in in_scope(after)
        if isinstance(n, gast.Call) and all(k.arg for k in n.keywords)
    }
    return len(uses) == len(loads) + 1 and loads <= called and name not in b.captured


def _behind(body: Sequence[gast.AST], name: str) -> list[gast.stmt]:
    """The statements of a block behind `name = ...`, which are reached only with it bound."""
    blocks = [body]
    for n in in_scope(body):
        blocks += [held for _, held in gast.iter_fields(n) if isinstance(held, list)]
    for block in blocks:
        for k, s in enumerate(block):
            match s:
                case gast.Assign(targets=[gast.Name(id=bound)]) | gast.AnnAssign(
                    target=gast.Name(id=bound)
                ) if bound == name:
                    return [n for n in block[k + 1 :] if isinstance(n, gast.stmt)]
    return []


def unfolded(b: Builder, node: gast.Call) -> gast.Call:
    """A call of a noted partial application as a call of the function itself."""
    if not isinstance(node.func, gast.Name) or node.func.id not in b.partials:
        return node
    fn, args, keywords = b.partials[node.func.id]
    words = {k.arg: k for k in (*keywords, *node.keywords)}  # what is given again keeps its place
    made = gast.Call(fn, [*args, *node.args], [*words.values()])
    gast.copy_location(made, node)
    return made


def applied(
    fn: E.Ref,
    given: functools.partial[object],
    args: tuple[S.Atom, ...],
    kwargs: tuple[tuple[str, S.Atom], ...],
) -> tuple[E.Ref, tuple[S.Atom, ...], tuple[tuple[str, S.Atom], ...]]:
    """A call of a partial application that exists already, where it binds nothing but literals."""
    bound = (*given.args, *given.keywords.values())
    if not all(map(E.is_literal, bound)):
        return fn, args, kwargs
    known: dict[str, S.Atom] = {k: E.Const(v) for k, v in given.keywords.items()}
    words = tuple((known | dict(kwargs)).items())
    first = tuple(E.Const(v) for v in given.args)
    return E.Ref(f"{fn.text}.func", given.func), (*first, *args), words
