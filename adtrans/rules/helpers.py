"""Rules for the helpers of generated code, so that second derivatives do not look into them.

>>> from adtrans.ir.expr import Name
>>> found = registry.lookup(runtime.unbroadcast)
>>> print(found.pullback("g", {"g": Name("g"), "shape": Name("s")}, {})[0])
np.broadcast_to(y_bar, np.shape(g))
"""

from __future__ import annotations

from adtrans import runtime
from adtrans.rules import registry
from adtrans.rules.declare import rule
from adtrans.rules.rule import Rule

registry.add_object(
    runtime.unbroadcast,
    rule(
        "unbroadcast(g, shape)",
        g="np.broadcast_to(y_bar, np.shape(g))",
        g_dot="unbroadcast(dot, shape)",
        inert=("shape",),
        result="maybe_view",
        of="g",
        register=False,
    ),
)
registry.add_object(
    runtime.expand_reduced,
    rule(
        "expand_reduced(g, axis, keepdims, ndim)",
        g="np.reshape(y_bar, np.shape(g))",
        g_dot="expand_reduced(dot, axis, keepdims, ndim)",
        inert=("axis", "keepdims", "ndim"),
        result="maybe_view",
        of="g",
        register=False,
    ),
)
registry.add_object(
    runtime.first_of, Rule("first_of", "", "constant", inert_ok=frozenset({"*"}))
)
