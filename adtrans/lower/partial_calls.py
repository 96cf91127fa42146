"""Calls of partial applications: what is bound already and what is given, joined as Python does.

partial(f, a, k=b)(c)           ->   f(a, c, k=b)
partial(f, a, k=b())(c())       ->   t = b(); u = c(); f(a, u, k=t)
partial(f, k=b(), j=c)(k=d())   ->   t = b(); u = d(); f(k=u, j=c)
g = partial(f, x, k=y); g(z)    ->   t = x; t_2 = y; f(t, z, k=t_2)

What is bound is evaluated before what is given, and also where another value is given for it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

import gast

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower import expressions
from adtrans.lower.builder import Builder
from adtrans.lower.opaque import name_node
from adtrans.lower.syntax import in_scope
from adtrans.source import MISSING

_Given = tuple[list[gast.expr], list[gast.keyword]]


def called_at_once(b: Builder, fn: gast.expr, node: gast.Call) -> gast.Call | None:
    """`partial(f, ...)(...)` as a call of `f`; None for a form that is not understood."""
    if not is_plain(b, fn) or any(k.arg is None for k in node.keywords):
        return None
    root, layers = fn, [(node.args, node.keywords)]
    while is_plain(b, root):
        assert isinstance(root, gast.Call)
        layers.insert(0, (root.args[1:], root.keywords))
        root = root.args[0]
    args = [a for given, _ in layers for a in given]
    words = together(layers)
    in_turn = [e for given in layers for e in _values(given)]
    late = _moved(in_turn, [*args, *(k.value for k in words)], b)
    if late:
        if isinstance(root, gast.Attribute) and b.means(root) is MISSING:
            root = held(b, root)
        elif not _is_at_hand(b, root):
            return None
        kept = {id(e): held(b, e) for e in late}
        args = [kept.get(id(a), a) for a in args]
        words = [gast.keyword(k.arg, kept.get(id(k.value), k.value)) for k in words]
    return gast.Call(root, args, words)


def is_plain(b: Builder, node: gast.expr) -> bool:
    """Whether an expression is `partial(f, ...)` without stars."""
    return (
        isinstance(node, gast.Call)
        and b.means(node.func) is functools.partial
        and bool(node.args)
        and not any(isinstance(a, gast.Starred) for a in node.args)
        and all(k.arg for k in node.keywords)
    )


def together(layers: Iterable[tuple[object, Sequence[gast.keyword]]]) -> list[gast.keyword]:
    """The keywords of one after the other: one that is given again keeps its place."""
    return list({k.arg: k for _, words in layers for k in words}.values())


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


def binds_names(b: Builder, node: gast.expr) -> bool:
    """Whether an application may be made again wherever it is called: but for names, which may be
    bound again, nothing is evaluated."""
    if not is_plain(b, node):
        return False
    assert isinstance(node, gast.Call)
    root, *args = node.args
    bound = [*args, *(k.value for k in node.keywords)]
    plain = (e.operand if isinstance(e, gast.UnaryOp) else e for e in bound)
    if not all(isinstance(e, gast.Name | gast.Constant) for e in plain):
        return False
    simple = isinstance(root, gast.Name | gast.Attribute) or b.means(root) is not MISSING
    return simple or binds_names(b, root)


def as_it_is(b: Builder, node: gast.Call) -> gast.Call:
    """Such an application with names that nothing binds again."""
    root, *args = node.args
    if is_plain(b, root):
        assert isinstance(root, gast.Call)
        root = as_it_is(b, root)
    elif isinstance(root, gast.Attribute) and b.means(root) is MISSING:
        base = name_node(expressions.variable(b, root.value), root)
        root = gast.Attribute(_as_it_is(b, base), root.attr, gast.Load())
        gast.copy_location(root, base)
    words = [gast.keyword(k.arg, _as_it_is(b, k.value)) for k in node.keywords]
    made = gast.Call(node.func, [root, *(_as_it_is(b, a) for a in args)], words)
    gast.copy_location(made, node)
    return made


def _as_it_is(b: Builder, node: gast.expr) -> gast.expr:
    inner = node.operand if isinstance(node, gast.UnaryOp) else node
    changing = isinstance(inner, gast.Name) and b.is_local(inner.id) and (
        inner.id in b.volatile or inner.id in b.captured
    )  # fmt: skip
    return held_name(b, node) if changing else node


def _values(given: _Given) -> list[gast.expr]:
    return [*given[0], *(k.value for k in given[1])]


def _moved(in_turn: list[gast.expr], made: list[gast.expr], b: Builder) -> list[gast.expr]:
    """What has to be evaluated beforehand, so that all of it is evaluated in turn."""
    before = [e for e in in_turn if not _is_at_hand(b, e)]
    after = [e for e in made if not _is_at_hand(b, e)]
    while before and after and before[-1] is after[-1]:
        del before[-1], after[-1]
    return before


def _is_at_hand(b: Builder, node: gast.expr) -> bool:
    """Whether it does not matter when an expression is evaluated in the statement."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        return isinstance(node.operand, gast.Constant)
    if isinstance(node, gast.Name):
        return node.id not in b.volatile or not b.is_local(node.id)
    if isinstance(node, gast.Lambda):
        return not node.args.defaults and not any(node.args.kw_defaults)
    return isinstance(node, gast.Constant) or b.means(node) is not MISSING


# Under a name


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
    words = together([(args, keywords), (node.args, node.keywords)])
    made = gast.Call(fn, [*args, *node.args], words)
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
