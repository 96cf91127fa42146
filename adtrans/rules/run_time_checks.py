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
    runtime.check_copy,
    runtime.check_alike,
    runtime.check_real,
    runtime.check_unneeded,
    runtime.check_unmarked,
    runtime.mark_needed,
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

registry.add_object(
    runtime.pool_for,
    Rule("adtrans.runtime.pool_for", "", "constant", inert_ok=frozenset({"*"})),
)
