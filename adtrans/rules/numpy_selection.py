"""Functions that pick or rearrange elements by their values, and those that put some in.

>>> from adtrans.ir.expr import Name
>>> from adtrans.rules import lookup
>>> import numpy as np
>>> unique = lookup(np.unique)
>>> print(unique.pullback("a", unique.bind((Name("u"),), ()), {})[0])
gather_pullback(y_bar, places_of(y, a), np.shape(a))
"""

from __future__ import annotations

from collections.abc import Callable

from adtrans.ir.kinds import ListOf
from adtrans.rules.declare import VECTOR, Site, elementwise, linear, rule
from adtrans.rules.numpy_shape import gathered
from adtrans.rules.site import Text

_FLAGS = ("return_index", "return_inverse", "return_counts")


def _flags(site: Site) -> int:
    return sum(site.const(f) is True for f in _FLAGS if f in site.bound)


def _plain_unique(site: Site) -> str | None:
    if any(site.const(f) not in (True, False) for f in _FLAGS if f in site.bound):
        return "`return_index=` and its like must be written out here"
    return None


def _unique(seed: str) -> Callable[[Site], Text]:
    def write(site: Site) -> Text:
        several = _flags(site) > 0
        y = "y[0]" if several else "y"
        places = f"places_of({y}, a)"
        if site.const("axis") is not None:  # whole rows, the first of equal ones
            rows = "np.unique(a, return_index=True, axis=axis)[1]"
            places = f"np.take(positions(np.shape(a)), {rows}, axis)"
        if seed == "dot":
            value = f"at_places(dot, {places})"
            return f"({value}{', 0.0' * _flags(site)})" if several else value
        return f"gather_pullback({'y_bar[0]' if several else 'y_bar'}, {places}, np.shape(a))"

    return write


rule("np.unique(a: 'ar', return_index=False, return_inverse=False, return_counts=False, axis=None,"
     " *, equal_nan=True, sorted=True)",
     a=_unique("y_bar"), a_dot=_unique("dot"), tuple_result=lambda s: _flags(s) > 0,
     refuses=_plain_unique)  # fmt: skip
rule("np.unique_values(x, /)", x="gather_pullback(y_bar, places_of(y, x), np.shape(x))",
     x_dot="at_places(dot, places_of(y, x))")  # fmt: skip
for _name, _more in (("all", 3), ("counts", 1), ("inverse", 1)):
    rule(f"np.unique_{_name}(x, /)", tuple_result=True,
         x="gather_pullback(y_bar[0], places_of(y[0], x), np.shape(x))",
         x_dot=f"(at_places(dot, places_of(y[0], x)){', 0.0' * _more})")  # fmt: skip


def _common(text: str, more: str = "") -> Callable[[Site], Text]:
    """What is in both is that of the first."""

    def write(site: Site) -> Text:
        if site.const("return_indices") is not True:
            return text.format(bar="y_bar", y="y")
        found = text.format(bar="y_bar[0]", y="y[0]")
        return f"({found}{more})" if more else found

    return write


rule("np.setdiff1d(a: 'ar1', other: 'ar2', assume_unique=False)", inert=("other",),
     a="gather_pullback(y_bar, places_of(y, a), np.shape(a))",
     a_dot="at_places(dot, places_of(y, a))")  # fmt: skip
rule("np.intersect1d(a: 'ar1', other: 'ar2', assume_unique=False, return_indices=False)",
     inert=("other",), a=_common("gather_pullback({bar}, places_of({y}, a), np.shape(a))"),
     a_dot=_common("at_places(dot, places_of({y}, a))", ", 0.0, 0.0"),
     tuple_result=lambda s: s.const("return_indices") is True,
     refuses=lambda s: None if s.const("return_indices") in (True, False) else
     "`return_indices=` must be written out here")  # fmt: skip

_BOTH = "places_of(y, np.concatenate((np.ravel(a), np.ravel(b))))"
for _text in ("np.union1d(a: 'ar1', b: 'ar2')",
              "np.setxor1d(a: 'ar1', b: 'ar2', assume_unique=False)"):  # fmt: skip
    rule(_text,
         a=f"gather_pullback(y_bar, part_of({_BOTH}, 0, np.size(a)), np.shape(a))",
         a_dot=f"at_places(dot, part_of({_BOTH}, 0, np.size(a)))",
         b=f"gather_pullback(y_bar, part_of({_BOTH}, np.size(a), np.size(b)), np.shape(b))",
         b_dot=f"at_places(dot, part_of({_BOTH}, np.size(a), np.size(b)))")  # fmt: skip

for _text in ("np.sort(a, axis=-1, kind=None, order=None, *, stable=None)",
              "np.partition(a, kth, axis=-1, kind='introselect', order=None)"):  # fmt: skip
    rule(_text, a="gather_pullback(y_bar, np.take_along_axis(positions(np.shape(a)), "
         "rearranged(y, a, axis), axis), np.shape(a))",
         a_dot="np.take_along_axis(dot, rearranged(y, a, axis), axis)",
         refuses=lambda s: None if s.const("order") is None else
         "`order=` is for structured arrays")  # fmt: skip

linear("np.insert(arr, obj, values, axis=None)",
       arr="gather_pullback(y_bar, np.insert(positions(np.shape(arr)), obj, "
           "np.full(np.shape(values), -1), axis), np.shape(arr))",
       values="gather_pullback(y_bar, np.insert(np.full(np.shape(arr), -1), obj, "
              "positions(np.shape(values)), axis), np.shape(values))")  # fmt: skip
linear("np.resize(a, new_shape)", a=gathered("np.resize({}, new_shape)"))
rule("np.trim_zeros(filt, trim='fb')", ranks={"filt": VECTOR}, result="maybe_view", of="filt",
     filt="slice_pullback(y_bar, trimmed(filt, trim), np.shape(filt))",
     filt_dot="np.asarray(dot)[trimmed(filt, trim)]")  # fmt: skip
elementwise("np.unwrap(p, discont=None, axis=-1, *, period=6.283185307179586)", p="1")


def _layout(site: Site, path: tuple[int, ...] = ()) -> str | None:
    """The shapes of the arrays in `np.block`, nested as the arrays are, as text."""
    name = "arrays" + "".join(f"[{i}]" for i in path)
    if f"{name}[0]" not in site.bound:
        return f"np.shape(arrays[{', '.join(str(i) for i in path)}])" if path else None
    parts: list[str] = []
    while f"{name}[{len(parts)}]" in site.bound:
        part = _layout(site, (*path, len(parts)))
        if part is None:
            return None
        parts.append(part)
    return f"[{', '.join(parts)}]"


def _shown(site: Site, path: tuple[int, ...] = ()) -> tuple[str, bool]:
    """What `np.block` is given, as text, and whether one of the variables there is a list."""
    name = "arrays" + "".join(f"[{i}]" for i in path)
    if f"{name}[0]" not in site.bound:
        return f"arrays[{', '.join(str(i) for i in path)}]", isinstance(site.kind(name), ListOf)
    parts: list[tuple[str, bool]] = []
    while f"{name}[{len(parts)}]" in site.bound:
        parts.append(_shown(site, (*path, len(parts))))
    return f"[{', '.join(text for text, _ in parts)}]", any(lists for _, lists in parts)


def _block(site: Site, path: tuple[int, ...]) -> Text:
    if not path:
        return "y_bar" if site.is_array("arrays") else "block_parts(y_bar, arrays)"
    shown, has_lists = _shown(site)
    if has_lists:  # these are nested, too
        return f"block_parts(y_bar, {shown})" + "".join(f"[{i}]" for i in path)
    return f"block_part(y_bar, {_layout(site)}, {path})"


linear("np.block(arrays: nest)", arrays=_block)
