"""What the functions that users call are inside a differentiated function.

>>> import adtrans
>>> lookup(adtrans.stop_gradient).form, is_maker(adtrans.grad)
('constant', True)
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from adtrans.rules.registry import add, add_maker, add_reason, is_maker, lookup, resolve
from adtrans.rules.rule import Rule

__all__ = ["Inner", "inner_mode", "is_maker", "lookup"]

add(Rule("adtrans.stop_gradient", "f(x)", "constant", inert_ok=frozenset({"*"}),
         result="maybe_same", of="x"), "adtrans.stop_gradient")  # fmt: skip
add_maker(*(f"adtrans.{name}" for name in (
    "grad", "value_and_grad", "jacfwd", "jacrev", "hessian", "elementwise_grad", "checkpoint",
)))  # fmt: skip


@dataclass(frozen=True)
class Inner:
    """A mode that is called with a function and arguments; `linear`: it returns a function, too."""

    name: str
    linear: bool

    def maker(self, name: str) -> Any:
        """What makes the function of the mode, or of a variant of it."""
        return importlib.import_module("adtrans.handed.modes").MAKERS[name]


_INNER = (Inner("jvp", False), Inner("hvp", False), Inner("vjp", True), Inner("linearize", True))


def inner_mode(obj: object) -> Inner | None:
    """The mode that a function of adtrans is, if it is one that is called with arguments.

    >>> import adtrans
    >>> inner_mode(adtrans.vjp).name, inner_mode(adtrans.grad)
    ('vjp', None)
    """
    if str(getattr(obj, "__module__", "")).partition(".")[0] != "adtrans":
        return None
    return next((m for m in _INNER if resolve(f"adtrans.{m.name}") is obj), None)


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
