"""What the functions that users call are inside a differentiated function.

>>> import adtrans
>>> lookup(adtrans.stop_gradient).form, is_maker(adtrans.grad)
('constant', True)
"""

from __future__ import annotations

from adtrans.rules.registry import add, add_maker, add_reason, is_maker, lookup
from adtrans.rules.rule import Rule

__all__ = ["is_maker", "lookup"]

add(Rule("adtrans.stop_gradient", "f(x)", "constant", inert_ok=frozenset({"*"}),
         result="maybe_same", of="x"), "adtrans.stop_gradient")  # fmt: skip
add_maker(*(f"adtrans.{name}" for name in (
    "grad", "value_and_grad", "jacfwd", "jacrev", "hessian", "elementwise_grad", "checkpoint",
)))  # fmt: skip


# They run what they are given, so that nothing can be said about what they write.
for name in ("vjp", "jvp", "hvp", "linearize"):
    add_reason(
        f"adtrans.{name}",
        f"`adtrans.{name}` differentiates a function where it runs; in a function that is "
        "differentiated itself there are `grad`, `jacfwd`, `jacrev` and `hessian`",
    )


for name in ("differentiable", "grad", "value_and_grad", "jacrev", "jacfwd", "hessian",
             "elementwise_grad", "checkpoint"):  # fmt: skip
    add_reason(
        f"adtrans.{name}",
        "which function it is given is not known when the program is compiled: it is a method, or "
        "made by a call that may do other things, too",
    )
