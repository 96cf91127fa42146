"""Operators of Python on numbers and arrays.

>>> from adtrans.ir.expr import Const, Name
>>> from adtrans.rules import operator
>>> power = operator("**", 2)
>>> print(power.pullback("a", power.bind((Name("u"), Const(3))), {})[0])
3 * y_bar * a ** 2
"""

from __future__ import annotations

from typing import Any

from adtrans.rules import registry
from adtrans.rules.declare import _declare, constant
from adtrans.rules.numpy_elementwise import power_base, power_exponent
from adtrans.rules.numpy_products import matmul_a, matmul_b
from adtrans.rules.rule import Rule


def _operator(op: str, word: str, form: Any, /, arity: int = 2, **words: Any) -> None:
    text = f"{op}({'a, b' if arity == 2 else 'x'})"
    inert = words.pop("inert", ())
    multi = words.pop("multilinear", False)
    made = _declare(
        form, text, words, register=False, call="operator", cheap=True, inert=inert,
        multilinear=multi
    )
    registry.add_operator(op, arity, made)
    if word:
        registry.add(made, f"operator.{word}")


_operator("+", "add", "elementwise", a="1", b="1")
_operator("-", "sub", "elementwise", a="1", b="-1")
_operator("*", "mul", "elementwise", a="b", b="a")
_operator("/", "truediv", "elementwise", a="1 / b", b=("-y / b", "-a / (b * b)"))
_operator("%", "mod", "elementwise", a="1", b="-(a // b)")
_operator("**", "pow", "elementwise", a=power_base, b=power_exponent)
_operator("@", "matmul", "general", a=matmul_a, b=matmul_b, multilinear=True)
_operator("-", "neg", "elementwise", arity=1, x="-1")
_operator("+", "pos", "elementwise", arity=1, x="1")
for _op, _word in (("//", "floordiv"), ("<", "lt"), ("<=", "le"), (">", "gt"), (">=", "ge"),
                   ("==", "eq"), ("!=", "ne"), ("is", ""), ("is not", ""), ("in", ""),
                   ("not in", "")):  # fmt: skip
    _operator(_op, _word, "constant", inert=("*",))
_operator("not", "", "constant", arity=1, inert=("*",))
# Real numbers have none of these: what carries a derivative there is something that joins others.
for _op, _word in (("&", "and_"), ("|", "or_"), ("^", "xor"), ("<<", "lshift"), (">>", "rshift")):
    _operator(_op, _word, "constant")
_operator("~", "invert", "constant", arity=1)

constant("operator.index", cheap=True)


def operators() -> list[Rule]:
    """The rules of all operators."""
    return [r for name, r in registry.all_rules() if name.startswith("operator ")]
