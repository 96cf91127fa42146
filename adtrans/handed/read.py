"""Functions that made source calls, and that have no derivative: of options, and of what is fixed.

>>> fixed(2.0)
2.0
"""

from __future__ import annotations

from typing import Any

from adtrans.rules import registry
from adtrans.rules.rule import Custom, Rule


class Read:
    """Such a function; `like`: the parameter that the result is like."""

    def __init__(self, name: str, params: str, fn: Any, like: str | None = None) -> None:
        self.__name__, self.fn = name, fn
        rule = Rule(name, f"f({params})", "constant", inert_ok=frozenset({"*"}),
                    custom=Custom(self, like, name=name))  # fmt: skip
        registry.add_object(self, rule)

    def __call__(self, *given: Any) -> Any:
        return self.fn(*given)


fixed = Read("fixed", "value", lambda value: value, "value")
"""A number that does not vary, whatever may be thought of it."""
