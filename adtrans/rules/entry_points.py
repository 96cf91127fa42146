"""What the functions that users call are inside a differentiated function.

>>> import adtrans
>>> lookup(adtrans.stop_gradient).form, is_maker(adtrans.grad)
('constant', True)
"""

from __future__ import annotations

from adtrans.rules.registry import add, add_maker, is_maker, lookup
from adtrans.rules.rule import Rule

__all__ = ["is_maker", "lookup"]

add(Rule("adtrans.stop_gradient", "f(x)", "constant", inert_ok=frozenset({"*"})),
    "adtrans.stop_gradient")  # fmt: skip
add_maker(*(f"adtrans.{name}" for name in (
    "grad", "value_and_grad", "jacfwd", "jacrev", "hessian", "elementwise_grad",
)))  # fmt: skip
