"""Frozen distributions of SciPy: what is read of them is asked of the distribution itself.

stats.norm(m, s).logpdf(x)   ->   stats.norm.logpdf(x, m, s)
d = stats.norm(m, scale=s)   ->   d = (m, s)
y = d.logpdf(x)              ->   y = stats.norm.logpdf(x, d[0], scale=d[1])

That is what a frozen distribution does with the arguments, of which it makes no copies.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import TypeAlias

import gast

from adtrans.lower.opaque import name_node
from adtrans.source import MISSING

Meaning: TypeAlias = "Callable[[gast.AST], object]"
_DENSITIES = frozenset(
    {"pdf", "logpdf", "pmf", "logpmf", "cdf", "logcdf", "sf", "logsf", "ppf", "isf"}
)
"""Methods of one argument, which come before the parameters."""


def is_distribution(obj: object, joint: bool = False) -> bool:
    """Whether calling `obj` freezes a distribution of one number, or one of `joint` numbers."""
    names = [(c.__module__, c.__name__) for c in type(obj).__mro__]
    wanted = ("rv_generic", "multivariate_normal_gen") if joint else ("rv_generic",)
    return any(m.startswith("scipy.stats.") and n in wanted for m, n in names)


def is_frozen(node: gast.AST, meaning: Meaning, joint: bool = False) -> bool:
    """Whether a call makes a frozen distribution, of arguments that are written out."""
    if not isinstance(node, gast.Call) or not is_distribution(meaning(node.func), joint):
        return False
    starred = any(isinstance(a, gast.Starred) for a in node.args)
    return not starred and all(k.arg is not None for k in node.keywords)


def is_asked(node: gast.AST) -> bool:
    """Whether a call is one of the methods of a frozen distribution, as `d.pdf(x)`."""
    match node:
        case gast.Call(func=gast.Attribute(attr=attr), args=[argument], keywords=[]):
            return attr in _DENSITIES and not isinstance(argument, gast.Starred)
        case _:
            return False


def is_answered(base: gast.AST, node: gast.Call, meaning: Meaning) -> bool:
    """Whether `base` freezes a distribution that `node` asks at once.

    A joint one keeps what it computes of its parameters, so that it must not have a name: they
    could be overwritten before it is asked.
    """
    return is_frozen(base, meaning, joint=True)


def variables(
    body: gast.AST, meaning: Meaning, bound: Mapping[str, int], hidden: frozenset[str]
) -> dict[str, gast.Call]:
    """The variables that are bound once, to a frozen distribution that is only asked; `bound`: how
    often variables are. Not of a distribution whose name is `hidden` somewhere."""
    found: dict[str, gast.Call] = {}
    asked: set[int] = set()
    for n in gast.walk(body):
        match n:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call):
                root = {r.id for r in gast.walk(call.func) if isinstance(r, gast.Name)}
                if is_frozen(call, meaning) and not root & hidden:
                    found[name] = call
            case gast.Call(func=gast.Attribute(value=gast.Name() as base)) if is_asked(n):
                asked.add(id(base))
    whole = {
        n.id
        for n in gast.walk(body)
        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load) and id(n) not in asked
    }
    return {v: c for v, c in found.items() if bound.get(v) == 1 and v not in whole}


def parameters_of(call: gast.Call) -> gast.Tuple:
    """What a variable for a frozen distribution stands for instead."""
    made = gast.Tuple([*call.args, *(k.value for k in call.keywords)], gast.Load())
    gast.copy_location(made, call)
    return made


def is_ordered(frozen: gast.AST, node: gast.Call, meaning: Meaning) -> bool:
    """Whether it may matter that the parameters are evaluated before the argument: both may call
    something, or fail."""
    assert isinstance(frozen, gast.Call)
    parameters = [*frozen.args, *(k.value for k in frozen.keywords)]
    return _acts(parameters, meaning) and _acts(node.args, meaning)


def _acts(nodes: list[gast.expr], meaning: Meaning) -> bool:
    reads = (gast.Attribute, gast.Subscript)
    return any(
        isinstance(n, gast.Call | gast.NamedExpr)
        or (isinstance(n, reads) and meaning(n) is MISSING)
        for p in nodes
        for n in gast.walk(p)
    )


def in_turn(node: gast.Call, frozen: gast.Call, name: str) -> gast.expr:
    """`(p := (m, s), stats.norm.logpdf(x, p[0], p[1]))[1]`: the parameters first."""
    first = gast.NamedExpr(name_node(name, node, gast.Store()), parameters_of(frozen))
    both = gast.Tuple([first, answer(node, frozen, name)], gast.Load())
    made = gast.Subscript(both, gast.Constant(1, None), gast.Load())
    for n in (first, both, made.slice, made):
        gast.copy_location(n, node)
    return made


def answer(node: gast.Call, frozen: gast.expr, variable: str | None) -> gast.Call:
    """`stats.norm.logpdf(x, ...)` for `d.logpdf(x)`; `variable`: where the parameters are."""
    assert isinstance(frozen, gast.Call)
    values = [*frozen.args, *(k.value for k in frozen.keywords)]
    if variable is not None:
        values = [_part(variable, i, node) for i in range(len(values))]
    n = len(frozen.args)
    assert isinstance(node.func, gast.Attribute)
    method = gast.Attribute(copy.deepcopy(frozen.func), node.func.attr, gast.Load())
    keywords = [
        gast.keyword(k.arg, v) for k, v in zip(frozen.keywords, values[n:], strict=True)
    ]
    made = gast.Call(method, [*node.args, *values[:n]], keywords)
    for new in (method, made):
        gast.copy_location(new, node)
    return made


def _part(variable: str, i: int, like: gast.AST) -> gast.expr:
    index = gast.Constant(i, None)
    made = gast.Subscript(name_node(variable, like), index, gast.Load())
    for n in (index, made):
        gast.copy_location(n, like)
    return made
