"""Calls of the standard library that are another way to write an expression.

getattr(p, "rate")               ->   p.rate
tuple([a, b])                    ->   (a, b)
dict(zip(names, values))         ->   {k: v for k, v in zip(names, values)}
np.einsum(a, [0, 1], b, [1])     ->   np.einsum("AB,B", a, b)
max([a])                         ->   a
np.ndarray.sum(m, axis=0)        ->   m.sum(axis=0)
np.exp.__call__(x)               ->   np.exp(x)

Only what is evaluated, and in which order, is looked at here; nothing is known of the values.
"""

from __future__ import annotations

import builtins
import inspect
import keyword
import operator
import string
from collections.abc import Iterable

import gast
import numpy as np

from adtrans.lower.builder import Builder
from adtrans.lower.opaque import name_node

_COMPARED = {
    operator.lt: gast.Lt, operator.le: gast.LtE, operator.gt: gast.Gt, operator.ge: gast.GtE,
    operator.eq: gast.Eq, operator.ne: gast.NotEq, operator.is_: gast.Is,
    operator.is_not: gast.IsNot,
}  # fmt: skip
_COMPUTED = {
    operator.add: gast.Add, operator.sub: gast.Sub, operator.mul: gast.Mult,
    operator.truediv: gast.Div, operator.pow: gast.Pow, operator.matmul: gast.MatMult,
}  # fmt: skip


def respelled(b: Builder, node: gast.Call) -> gast.expr | None:
    """The expression that a call stands for; None where it is none of these."""
    made = _respelled(b, node)
    if made is not None:
        _placed(made, node)
    return made


def _respelled(b: Builder, node: gast.Call) -> gast.expr | None:
    if any(isinstance(a, gast.Starred) for a in node.args):
        return None
    if len(node.args) > 1 and b.means(node.func) is np.einsum:
        return _with_subscripts(b, node)
    if (plain := _method(b, node)) is not None:
        return plain
    if (fn := _function(b, node.func)) is not None:
        return gast.Call(fn, node.args, node.keywords)
    if node.keywords:
        return None
    meant, args = b.means(node.func), node.args
    if meant in (builtins.max, builtins.min) and len(args) == 1:
        return _only_item(args[0])
    if meant is getattr and len(args) == 2 and (name := _attribute(args[1])) is not None:
        return gast.Attribute(args[0], name, gast.Load())
    if len(args) == 2 and (meant is operator.getitem):
        return gast.Subscript(args[0], args[1], gast.Load())
    for compare, op in _COMPARED.items():
        if meant is compare and len(args) == 2:
            return gast.Compare(args[0], [op()], [args[1]])
    for compute, arithmetic in _COMPUTED.items():
        if meant is compute and len(args) == 2:
            return gast.BinOp(args[0], arithmetic(), args[1])
    if len(args) == 1 and meant in (builtins.tuple, builtins.list):
        return _display(args[0], gast.Tuple if meant is builtins.tuple else gast.List)
    if not args and meant in (builtins.tuple, builtins.list):
        return (gast.Tuple if meant is builtins.tuple else gast.List)([], gast.Load())
    if meant is builtins.dict and len(args) == 1:
        return _dictionary(b, args[0])
    return None


def _method(b: Builder, node: gast.Call) -> gast.expr | None:
    """A method of arrays, or the call of a universal function, that is named by its class."""
    if not isinstance(node.func, gast.Attribute):
        return None
    owner = b.means(node.func.value)
    if owner is np.ndarray and node.args and callable(getattr(np.ndarray, node.func.attr, None)):
        if not isinstance(inspect.getattr_static(np.ndarray, node.func.attr), staticmethod):
            method = gast.Attribute(node.args[0], node.func.attr, gast.Load())
            return gast.Call(method, node.args[1:], node.keywords)
    if isinstance(owner, np.ufunc) and node.func.attr == "__call__":
        return gast.Call(node.func.value, node.args, node.keywords)
    return None


def _placed(made: gast.expr, like: gast.AST) -> None:
    """Gives the new parts of an expression a place."""
    for n in gast.walk(made):
        if isinstance(n, gast.expr) and not hasattr(n, "lineno"):
            gast.copy_location(n, like)


def _attribute(node: gast.expr) -> str | None:
    """The name of an attribute that is written out as a text."""
    if not isinstance(node, gast.Constant) or not isinstance(node.value, str):
        return None
    name = node.value
    private = name.startswith("__") and not name.endswith("__")
    return name if name.isidentifier() and not keyword.iskeyword(name) and not private else None


def _display(node: gast.expr, form: type[gast.Tuple] | type[gast.List]) -> gast.expr | None:
    """A display as one of the other form."""
    if not isinstance(node, gast.Tuple | gast.List):
        return None
    return form(node.elts, gast.Load())


def _only_item(node: gast.expr) -> gast.expr | None:
    """The item of a display of one: there is nothing that it is compared with."""
    if not isinstance(node, gast.Tuple | gast.List) or _has_stars([node.elts]):
        return None
    return node.elts[0] if len(node.elts) == 1 else None


def _dictionary(b: Builder, node: gast.expr) -> gast.expr | None:
    """`dict(...)` of pairs."""
    match node:
        case gast.Call(keywords=[] | [gast.keyword(arg="strict")], args=[_, _]) if (
            b.means(node.func) is zip
        ):
            if any(isinstance(a, gast.Starred) for a in node.args):
                return None
            names = [b.temp("k"), b.temp("v")]
            parts: list[gast.expr] = [name_node(n, node, gast.Store()) for n in names]
            target = gast.Tuple(parts, gast.Store())
            key, value = (name_node(n, node) for n in names)
            source: gast.expr = node
            tests: list[gast.expr] = []
            return gast.DictComp(key, value, [gast.comprehension(target, source, tests, 0)])
        case gast.GeneratorExp(elt=gast.Tuple(elts=[key, value]), generators=generators) | (
            gast.ListComp(elt=gast.Tuple(elts=[key, value]), generators=generators)
        ) if not _has_stars([[key, value]]):
            return gast.DictComp(key, value, generators)
        case gast.List(elts=items) | gast.Tuple(elts=items):
            pairs = [i.elts for i in items if isinstance(i, gast.Tuple) and len(i.elts) == 2]
            if len(pairs) == len(items) and not _has_stars(pairs):
                return gast.Dict([k for k, _ in pairs], [v for _, v in pairs])
        case _:
            pass
    return None


def _with_subscripts(b: Builder, node: gast.Call) -> gast.expr | None:
    """`einsum(a, [0, 1], b, [1], [0])` as `einsum("AB,B->A", a, b)`: NumPy's own letters."""
    lists = node.args[1::2]
    given = None
    if len(node.args) % 2:
        lists, given = [*lists, node.args[-1]], node.args[-1]
    texts = [_letters(b, e) for e in lists]
    if any(t is None for t in texts):
        return None
    inputs = ",".join(t for t in texts[: len(texts) - (given is not None)] if t is not None)
    spelled = inputs if given is None else f"{inputs}->{texts[-1]}"
    operands = node.args[: len(node.args) - (given is not None)][::2]
    return gast.Call(node.func, [gast.Constant(spelled, None), *operands], node.keywords)


def _letters(b: Builder, node: gast.expr) -> str | None:
    """The axes of a list of numbers, and perhaps `...`, as einsum spells them."""
    if not isinstance(node, gast.List | gast.Tuple):
        return None
    found = ""
    for item in node.elts:
        value = item.value if isinstance(item, gast.Constant) else None
        if value is Ellipsis or b.means(item) is Ellipsis:
            found += "..."
        elif type(value) is int and 0 <= value < len(string.ascii_letters):
            found += (string.ascii_uppercase + string.ascii_lowercase)[value]
        else:
            return None
    return found


def _has_stars(groups: Iterable[list[gast.expr]]) -> bool:
    return any(isinstance(e, gast.Starred) for g in groups for e in g)




def _function(b: Builder, node: gast.expr) -> gast.expr | None:
    """The attribute that `getattr(np, "sin")` means, where it is called."""
    if isinstance(node, gast.Call) and b.means(node.func) is getattr:
        return respelled(b, node)
    return None
