"""Functions that join arrays into one, or split one into several.

>>> from adtrans.ir.expr import Const, Name, Sequence
>>> from adtrans.rules import lookup
>>> import numpy as np
>>> stack = lookup(np.stack)
>>> bound = stack.bind((Sequence("list", (Name("u"), Name("v"))),), {"axis": Const(0)})
>>> print(stack.pullback(("arrays", 1), bound, {})[0])
y_bar[1]
"""

from __future__ import annotations

from collections.abc import Callable

from adtrans.ir import expr as E
from adtrans.rules.declare import linear, view
from adtrans.rules.signature import NOT_LITERAL
from adtrans.rules.site import Site, Text


def _concatenate(site: Site, i: int) -> Text:
    if i < 0:
        return "split_like(y_bar, arrays, axis)"
    axis, ndim = site.const("axis"), site.ndim(f"arrays[{i}]")
    if axis is NOT_LITERAL:
        return None
    if axis is None:
        sizes = [f"np.size(arrays[{k}])" for k in range(i + 1)]
        cut = _cut(sizes, i, site.items("arrays"))
        return f"np.reshape(y_bar[{cut}], np.shape(arrays[{i}]))"
    assert isinstance(axis, int)
    sizes = [f"np.shape(arrays[{k}])[{axis}]" for k in range(i + 1)]
    cut = _cut(sizes, i, site.items("arrays"))
    if axis == 0 or (axis == -1 and ndim == 1):
        return f"y_bar[{cut}]"
    if axis > 0:
        return f"y_bar[{':, ' * axis}{cut}]"
    return f"y_bar[..., {cut}{', :' * (-axis - 1)}]"


def _cut(sizes: list[str], i: int, n: int | None) -> str:
    """The slice that the i-th of n parts has in the whole."""
    start, stop = " + ".join(sizes[:i]), " + ".join(sizes[: i + 1])
    return f"{start}:" if n is not None and i == n - 1 else f"{start}:{stop}"


def _stack(site: Site, i: int) -> Text:
    axis = site.const("axis")
    if i < 0:
        return "list(y_bar)" if axis == 0 else "list(np.moveaxis(y_bar, axis, 0))"
    if axis == 0:
        return f"y_bar[{i}]"
    if isinstance(axis, int) and axis < 0:
        return f"y_bar[..., {i}{', :' * (-axis - 1)}]"
    if isinstance(axis, int):
        return f"y_bar[{':, ' * axis}{i}]"
    return f"np.take(y_bar, {i}, axis)"


def joined(axis: Callable[[int | None], int | None]) -> Callable[[Site, int], Text]:
    """Adjoints of hstack and its like: slices along `axis(rank)` of arrays of that rank."""

    def write(site: Site, i: int) -> Text:
        n = site.items("arrays")
        if i < 0 or n is None:
            return None
        ndims = {site.ndim(f"arrays[{k}]") for k in range(n)}
        where = axis(ndims.pop()) if len(ndims) == 1 else None
        if where is None:
            return None
        shapes = [f"np.shape(arrays[{k}])[{where}]" for k in range(i + 1)]
        return f"y_bar[{':, ' * where}{_cut(shapes, i, n)}]"

    return write


def _or_general(word: str, nice: Callable[[Site, int], Text]) -> Callable[[Site, int], Text]:
    def write(site: Site, i: int) -> Text:
        found = nice(site, i)
        if found is not None:
            return found
        if i < 0:
            return f"joined_pullback(y_bar, np.{word}, arrays)"
        n = site.items("arrays")
        shapes = ", ".join(f"np.shape(arrays[{k}])" for k in range(n or 0))
        return f"joined_part(y_bar, np.{word}, ({shapes},), {i})"

    return write


def _vstack(site: Site, i: int) -> Text:
    n = site.items("arrays")
    if n is not None and i >= 0 and all(site.ndim(f"arrays[{k}]") == 1 for k in range(n)):
        return f"y_bar[{i}]"
    return joined(lambda d: 0 if d is not None and d >= 2 else None)(site, i)


def _column_stack(site: Site, i: int) -> Text:
    n = site.items("arrays")
    if n is not None and i >= 0 and all(site.ndim(f"arrays[{k}]") == 1 for k in range(n)):
        return f"y_bar[:, {i}]"
    return joined(lambda d: 1 if d is not None and d >= 2 else None)(site, i)


def _hstack(site: Site, i: int) -> Text:
    def axis(ndim: int | None) -> int | None:
        return None if not ndim else 0 if ndim == 1 else 1

    return joined(axis)(site, i)


linear("np.concatenate(arrays: seq, axis=0, out=None, *, dtype=None, casting='same_kind')",
       arrays=_concatenate, aliases=("np.concat",))  # fmt: skip
linear("np.stack(arrays: seq, axis=0, out=None, *, dtype=None, casting='same_kind')", arrays=_stack)
for _word, _nice in (("hstack", _hstack), ("vstack", _vstack), ("row_stack", _vstack),
                     ("dstack", joined(lambda d: None)), ("column_stack", _column_stack)):
    linear(f"np.{_word}(arrays: seq('tup'), *, dtype=None, casting='same_kind')",
           arrays=_or_general(_word, _nice))  # fmt: skip



def _indexed(word: str) -> Callable[[Site, int], Text]:
    """`np.r_[...]` and `np.c_[...]`: vectors, and numbers, that are joined."""

    def write(site: Site, i: int) -> Text:
        n = site.items("arrays")
        if n is None or i < 0:
            return None
        if word == "rows" and all(site.ndim(f"arrays[{k}]") in (0, 1) for k in range(n)):
            sizes = [f"np.size(arrays[{k}])" for k in range(n)]
            sizes = ["1" if site.ndim(f"arrays[{k}]") == 0 else sizes[k] for k in range(n)]
            if site.ndim(f"arrays[{i}]") == 1:
                return f"y_bar[{_cut(sizes[: i + 1], i, n)}]"
            return f"y_bar[{' + '.join(sizes[:i]) or '0'}]"
        shapes = ", ".join(f"np.shape(arrays[{k}])" for k in range(n))
        return f"joined_part(y_bar, joined_{word}, ({shapes},), {i})"

    return write


for _word, _name in (("rows", "r_"), ("columns", "c_")):
    linear(f"np.{_name}.__getitem__(arrays: seq, /)", arrays=_indexed(_word))


def _append(mine: str, cut: str) -> Callable[[Site], Text]:
    def write(site: Site) -> Text:
        axis = site.const("axis")
        if axis is None:
            return f"np.reshape(y_bar[{cut.format('np.size(arr)')}], np.shape({mine}))"
        if not isinstance(axis, int):
            return None
        part = cut.format(f"np.shape(arr)[{axis}]")
        if axis < 0:
            return f"y_bar[..., {part}{', :' * (-axis - 1)}]"
        return f"y_bar[{':, ' * axis}{part}]"

    return write


linear("np.append(arr, values, axis=None)",
       arr=_append("arr", ":{}"), values=_append("values", "{}:"))  # fmt: skip


# --- splits ----------------------------------------------------------------------------------

def _in_turn(site: Site) -> bool:
    """Whether the pieces are known to lie side by side: equal ones, or places that ascend."""
    if site.is_scalar("indices_or_sections"):
        return True
    match site.bound.get("indices_or_sections"):
        case E.Sequence(items=items):
            found = [i.value for i in items if isinstance(i, E.Const) and type(i.value) is int]
            return len(found) == len(items) and sorted([0, *found]) == [0, *found]
        case _:
            return False


def _pieces(axis: str) -> Callable[[Site], Text]:
    """The pieces of `np.split` side by side, or each added where it comes from."""
    return lambda site: (
        f"np.concatenate(y_bar, {axis})" if _in_turn(site) else
        f"joined_pieces(y_bar, np.shape(ary), indices_or_sections, {axis})"
    )  # fmt: skip


for _word, _axis in (("split", "axis"), ("array_split", "axis"), ("hsplit", ""), ("vsplit", "0"),
                     ("dsplit", "2")):  # fmt: skip
    _signature = "ary, indices_or_sections" + (", axis=0" if _axis == "axis" else "")
    _where = _axis or "0 if np.ndim(ary) == 1 else 1"
    view(f"np.{_word}({_signature})", ary=_pieces(_where), tuple_result=True,
         inert=("indices_or_sections",))  # fmt: skip
view("np.unstack(x, /, *, axis=0)", tuple_result=True,
     x="np.stack(y_bar, axis) if len(y_bar) else np.zeros(np.shape(x))")  # fmt: skip
