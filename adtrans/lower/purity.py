"""Which expressions may change something when they are evaluated, so that their order matters."""

from __future__ import annotations

import builtins
import types

import gast

from adtrans.lower.builder import Builder
from adtrans.lower.syntax import Scope
from adtrans.rules import lookup, method
from adtrans.rules.rule import Rule
from adtrans.source import MISSING

PURE_BUILTINS = frozenset(
    id(getattr(builtins, name))
    for name in str.split(
        "abs all any ascii bin bool bytes callable chr complex dict divmod enumerate float format "
        "frozenset getattr hasattr hash hex id int isinstance issubclass len list max min object "
        "oct ord pow range repr reversed round set slice sorted str sum tuple type zip"
    )
)
PURE_METHODS = frozenset(
    str.split(
        "format join upper lower strip split startswith endswith replace get keys values items "
        "count index title copy"
    )
)


def rule_of(obj: object) -> Rule | None:
    """The derivative rule of a function object, if there is one."""
    return lookup(obj)


def writes(rule: Rule, node: gast.Call, *, method: bool = False) -> bool:
    """Whether a call of a primitive may write to its arguments: `np.exp(x, y)` does as well."""
    keywords = [k.arg for k in node.keywords if k.arg is not None]
    stars = any(isinstance(a, gast.Starred) for a in node.args)
    return rule.fills(99 if stars else len(node.args) + method, keywords)


def may_overwrite(rule: Rule, node: gast.Call) -> bool:
    """Whether a flag such as `overwrite_a` lets this call use an operand as scratch memory."""
    if not rule.overwriting:
        return False
    order = [p.name for p in rule.params]
    given = dict(zip(order, node.args, strict=False)) | {k.arg: k.value for k in node.keywords}
    flags = (given[f] for f in rule.overwriting if f in given)
    return not all(isinstance(f, gast.Constant) and f.value is False for f in flags)


def has_effects(b: Builder, node: gast.AST) -> bool:
    """Whether evaluating `node` may call unknown code, write to an array, or bind a name."""
    if isinstance(node, Scope):
        return False  # making a function runs nothing of it
    if isinstance(node, gast.NamedExpr | gast.Await | gast.Yield | gast.YieldFrom):
        return True
    if isinstance(node, gast.Call) and not _pure_call(b, node):
        return True
    return any(has_effects(b, child) for child in gast.iter_child_nodes(node))


def _pure_call(b: Builder, node: gast.Call) -> bool:
    fn = b.means(node.func)
    if fn is not MISSING:
        if isinstance(fn, types.BuiltinFunctionType | type) and id(fn) in PURE_BUILTINS:
            return True
        rule = rule_of(fn)
        if rule is None or may_overwrite(rule, node):
            return False
        return not writes(rule, node)
    if isinstance(node.func, gast.Attribute):
        if node.func.attr in PURE_METHODS:
            return True
        rule = method(node.func.attr)
        return rule is not None and not writes(rule, node, method=True)
    return False


def makes_fresh(rule: Rule) -> bool:
    """Whether the result of a primitive shares no memory with its arguments."""
    return rule.result == "fresh"


def is_tree(b: Builder, node: gast.AST) -> bool:
    """Whether `node` may stay a tree in a test: names, literals, their sums and comparisons."""
    match node:
        case gast.Constant():
            return True
        case gast.Name():
            return node.id not in b.volatile
        case gast.Attribute():
            return b.means(node) is not MISSING
        case gast.UnaryOp():
            return is_tree(b, node.operand)
        case gast.BinOp():
            return is_tree(b, node.left) and is_tree(b, node.right)
        case gast.Compare():
            return all(is_tree(b, n) for n in (node.left, *node.comparators))
        case gast.BoolOp():
            return all(is_tree(b, n) for n in node.values)
        case _:
            return False


def is_trivial(node: gast.AST) -> bool:
    """Whether evaluating `node` costs nothing and cannot fail: a name or a literal."""
    if isinstance(node, gast.UnaryOp):
        node = node.operand
    return isinstance(node, gast.Name | gast.Constant)
