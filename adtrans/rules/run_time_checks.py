"""Checks and pools of generated code: no derivative goes through them, and no check is left out.

>>> from adtrans.rules import lookup
>>> from adtrans import runtime
>>> lookup(runtime.check_view).form, lookup(runtime.check_view).impure
('constant', True)
"""

from __future__ import annotations

from adtrans import runtime
from adtrans.rules import registry
from adtrans.rules.rule import Rule

for _check in (
    runtime.check_view,
    runtime.check_apart,
    runtime.check_copy,
    runtime.check_order,
    runtime.check_keys,
    runtime.check_named,
    runtime.shares_alone,
    runtime.check_plain,
    runtime.check_given,
    runtime.check_spread,
    runtime.check_method,
    runtime.check_walk,
    runtime.check_unneeded,
    runtime.check_unmarked,
    runtime.mark_needed,
    runtime.warn_of_rank,
    runtime.whole_number,
):
    registry.add_object(
        _check,
        Rule(
            f"adtrans.runtime.{_check.__name__}",
            "",
            "constant",
            inert_ok=frozenset({"*"}),
            impure=True,
        ),
    )

for _made in (
    runtime.key_walk, runtime.pool_for, runtime.address_of, runtime.AdjointMemory,
    runtime.order_of, runtime.place_of, runtime.place_of_max, runtime.place_of_min,
    runtime.last_key, runtime.keys_of, runtime.information, runtime.places_in,
):  # fmt: skip
    registry.add_object(
        _made,
        Rule(f"adtrans.runtime.{_made.__name__}", "", "constant", inert_ok=frozenset({"*"})),
    )
