"""`sum`, `max` and `min` of Python: of several arguments, of a list, or along an array.

>>> from adtrans.rules import lookup
>>> lookup(max).name, lookup(sum).active_params
('max', ('items', 'start'))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from adtrans.ir.expr import Expr, Sequence, Star
from adtrans.ir.kinds import Kind, ListOf, Scalar, TupleOf, present
from adtrans.rules.declare import Each, Site, Thin, rule
from adtrans.rules.site import Text


def _sum_item(site: Site, i: int) -> Text:
    if i >= 0:
        return Each("y_bar")
    return Thin("y_bar") if site.is_array("items") else "spread_over(y_bar, items)"


def _pick(sign: str, seed: str) -> Callable[[Site, int], Text]:
    """`max` (">") and `min` ("<") of numbers: the first of the largest has the derivative."""
    arg = "argmax" if sign == ">" else "argmin"

    def write(site: Site, i: int) -> Text:
        n = site.items("items")
        if n is None or i < 0:
            return None
        if n == 1:
            kind = site.kind("items[0]")
            line = isinstance(kind, ListOf) and isinstance(kind.item, Scalar)
            line = line or site.ndim("items[0]") == 1
            weights = f"{'first_of' if line else 'first_in_line'}(np.{arg}, items[0])"
            if seed == "dot":
                return f"np.sum(np.where({weights}, dot, 0.0))"
            return f"np.where({weights}, y_bar, 0.0)"
        words = [(k, sign if k < i else f"{sign}=") for k in range(n) if k != i]
        tests = [f"items[{i}] {word} items[{k}]" for k, word in words]
        return f"{seed} if {' and '.join(tests)} else 0.0"

    return write


def _no_key(site: Site) -> str | None:
    if site.const("key") is not None:
        return "`key=` is not supported while the result carries a derivative"
    if site.items("items") == 1 and (site.ndim("items[0]") or 0) > 1:
        return "it compares rows here, and one row is no number: use `np.max` or `np.min`"
    count = site.items("items") or 0
    held = (site.kind(f"items[{k}]") for k in range(count if count > 1 else 0))
    if any(isinstance(present(k), ListOf | TupleOf) for k in held):
        return "it compares tuples or lists as a whole: write `c = b if b > a else a`"
    return None


def _no_containers(site: Site) -> str | None:
    """Why lists and tuples are not added up: what is added is then one list after the other."""
    for name, kind in site.kinds.items():
        held: tuple[Kind, ...] = (kind,) if name != "items" else ()
        if name == "items" and isinstance(kind, ListOf):
            held = (kind.item,)
        elif name == "items" and isinstance(kind, TupleOf):
            held = kind.items
        if any(isinstance(present(k), ListOf | TupleOf) for k in held):
            return "it joins lists or tuples here: write `[v for row in rows for v in row]`"
    return None


def _adds_something(bound: Mapping[str, Expr]) -> bool:
    """Whether there is an item for certain: then the sum is a new array, also of one alone."""
    items = bound.get("items")
    return isinstance(items, Sequence) and not all(isinstance(e, Star) for e in items.items)


rule("sum(items: seq, /, start=0)", items=_sum_item, start=Each("y_bar"), refuses=_no_containers,
     items_dot=lambda s, i: Thin("dot") if i >= 0 else "sum(dot)",
     start_dot=Thin("dot"), result="maybe_same", of="start", fresh_if=_adds_something)  # fmt: skip
for _name, _sign in (("max", ">"), ("min", "<")):
    rule(f"{_name}(*items, key=None)", items=_pick(_sign, "y_bar"), items_dot=_pick(_sign, "dot"),
         refuses=_no_key, result="maybe_same", of="items")  # fmt: skip
