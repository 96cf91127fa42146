"""Finds calls that let SciPy use operands as scratch memory: `solve(a, b, overwrite_a=True)`.

What stands for them is made in `handed.scratch`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import gast

from adtrans.ir import expr as E
from adtrans.lower.purity import may_overwrite
from adtrans.rules import registry
from adtrans.rules.higher_order import made_in_place, overwritten
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
    named: dict[str, E.Expr] = {k: _seen(v) for k, v in given.items() if k not in flags}
    bound = rule.bind((), named)
    scratch: list[Any] = []
    for flag in flags:
        value = given.get(flag)
        always = isinstance(value, gast.Constant) and bool(value.value)
        if value is None or (isinstance(value, gast.Constant) and not always):
            given.pop(flag, None)
            continue
        operand = _operand(rule, flag)
        if operand is None or operand not in given or bound is None:
            return None
        if always:
            del given[flag]
        at = rule.lands.get(operand)
        if at is not None and at[1] > 1 and not rule.gives_tuple(bound):
            at = (0, 1)
        seen = not _is_intermediate(given[operand], meaning)
        scratch.append(overwritten(operand, flag, always, seen, at))
    if len(node.args) > len(order):
        return None
    passed = {n: v for n, v in given.items() if n in flags or not _is_literal(v)}
    texts = {n: n if n in passed else gast.unparse(v).strip() for n, v in given.items()
             if n not in flags}  # fmt: skip
    made = made_in_place(fn, rule, tuple(scratch), texts, tuple(passed))
    return made, list(passed.values())


def _seen(node: gast.expr) -> E.Expr:
    """An argument, as far as it is written out."""
    return E.Const(node.value) if isinstance(node, gast.Constant) else E.Name("_")


def _operand(rule: Rule, flag: str) -> str | None:
    """The operand that a flag is about: `b` for `overwrite_b`."""
    wanted = flag.removeprefix("overwrite_")
    return next((s for p in rule.params if (s := p.keyword) == wanted), None)


def _is_intermediate(node: gast.expr, meaning: Meaning) -> bool:
    """Whether nothing else can see the memory of a value: it is computed here, or copied."""
    if isinstance(node, gast.Call):
        if isinstance(node.func, gast.Attribute) and node.func.attr == "copy":
            return True
        fn = meaning(node.func)
        rule = registry.lookup(fn) if callable(fn) else None
        plain = rule is not None and rule.form in ("general", "linear", "elementwise", "fresh")
        given = any(k.arg in ("out", None) for k in node.keywords)
        return plain and rule is not None and rule.result == "fresh" and not given
    return isinstance(node, gast.BinOp)


def _is_literal(node: gast.expr) -> bool:
    if isinstance(node, gast.UnaryOp):
        return _is_literal(node.operand)
    if isinstance(node, gast.Tuple):
        return all(_is_literal(e) for e in node.elts)
    return isinstance(node, gast.Constant)
