"""Finds calls that let SciPy use operands as scratch memory: `solve(a, b, overwrite_a=True)`.

What stands for them is made in `handed.scratch`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import gast

from adtrans.lower.purity import may_overwrite
from adtrans.rules import registry
from adtrans.rules.handed import made_in_place
from adtrans.rules.rule import Rule

Meaning: TypeAlias = "Callable[[gast.AST], object]"


def in_place(node: gast.Call, meaning: Meaning) -> tuple[object, list[gast.expr]] | None:
    """The function that a call with such flags means, and its arguments; None for other calls."""
    fn = meaning(node.func)
    rule = registry.lookup(fn) if callable(fn) else None
    if rule is None or not may_overwrite(rule, node):
        return None
    if any(isinstance(a, gast.Starred) for a in node.args) or any(
        k.arg is None for k in node.keywords
    ):
        return None
    order = [p for p in rule.params if p.form != "keyword"]
    given = dict(zip([p.keyword for p in order], node.args, strict=False))
    given |= {k.arg: k.value for k in node.keywords if k.arg is not None}
    flags = [p.keyword for p in rule.params if p.name in rule.overwriting]
    pairs: list[tuple[str, str]] = []
    for flag in flags:
        value = given.pop(flag, None)
        if value is None or (isinstance(value, gast.Constant) and value.value is False):
            continue
        operand = _operand(rule, flag)
        if not isinstance(value, gast.Constant) or value.value is not True or operand is None:
            return None
        pairs.append((flag, operand))
    if len(node.args) > len(order) or any(o not in given for _, o in pairs):
        return None
    passed = {n: v for n, v in given.items() if not _is_literal(v)}
    texts = {n: n if n in passed else gast.unparse(v).strip() for n, v in given.items()}
    held = tuple(o for _, o in pairs if not _is_intermediate(given[o]))
    made = made_in_place(fn, rule, tuple(pairs), texts, tuple(passed), held)
    return made, list(passed.values())


def _operand(rule: Rule, flag: str) -> str | None:
    """The operand that a flag is about: `b` for `overwrite_b`."""
    wanted = flag.removeprefix("overwrite_")
    return next((s for p in rule.params if (s := p.keyword) == wanted), None)


def _is_intermediate(node: gast.expr) -> bool:
    """Whether nothing else can see the memory of a value: it is computed here, or copied."""
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        return bool(node.func.attr == "copy")
    return isinstance(node, gast.BinOp)


def _is_literal(node: gast.expr) -> bool:
    if isinstance(node, gast.UnaryOp):
        return _is_literal(node.operand)
    if isinstance(node, gast.Tuple):
        return all(_is_literal(e) for e in node.elts)
    return isinstance(node, gast.Constant)
