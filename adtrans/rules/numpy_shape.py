"""Functions that only move elements: views, repeats, paddings, grids.

>>> import numpy as np
>>> from adtrans.ir.expr import Name
>>> from adtrans.rules import lookup
>>> transpose = lookup(np.transpose)
>>> print(transpose.pullback("a", transpose.bind((Name("u"),), {}), {})[0])
y_bar.T
"""

from __future__ import annotations

from collections.abc import Callable

from adtrans import runtime
from adtrans.ir.expr import Ref
from adtrans.rules import registry
from adtrans.rules.declare import SOME, Site, Thin, constant, fresh, linear, rule, view
from adtrans.rules.signature import NotLiteral, item
from adtrans.rules.site import Text

BACK = "np.reshape(y_bar, np.shape(a))"



def gathered(positions: str, a: str = "a") -> str:
    """The adjoint of a function that picks elements: it is run on their positions to see which."""
    source = positions.format(f"positions(np.shape({a}))")
    return f"gather_pullback(y_bar, {source}, np.shape({a}))"


# --- views -----------------------------------------------------------------------------------


def _transpose(site: Site) -> Text:
    axes = site.const("axes")
    if axes is None:
        return "y_bar.T"
    if isinstance(axes, tuple | list) and all(isinstance(k, int) and k >= 0 for k in axes):
        return f"np.transpose(y_bar, {tuple(axes.index(k) for k in range(len(axes)))})"
    return "np.transpose(y_bar, np.argsort(np.mod(axes, y_bar.ndim)))"


def _transpose_method(site: Site) -> Text:
    n = site.items("axes")
    if n == 0 or (n == 1 and site.const("axes[0]") is None):
        return "y_bar.T"
    axes = site.const("axes")
    if n == 1:
        axes = site.const("axes[0]")
    if isinstance(axes, tuple | list) and all(isinstance(k, int) for k in axes):
        size = len(axes)
        order = [int(k) % size for k in axes]
        return f"np.transpose(y_bar, {tuple(order.index(k) for k in range(size))})"
    return f"np.transpose(y_bar, np.argsort(np.mod({'axes[0]' if n == 1 else 'axes'}, y_bar.ndim)))"


view("np.transpose(a, axes=None)", a=_transpose, aliases=("np.permute_dims",))
view("ndarray.transpose(a, *axes)", a=_transpose_method, call="method", methods=("transpose",))
view("np.reshape(a, shape, order='C', *, copy=None)", result="maybe_view", inert=("shape",),
     fresh_if=("copy", True),
     a=lambda s: BACK if s.const("order") == "C" else "np.reshape(y_bar, np.shape(a), order)",
     refuses=lambda s: None if s.const("order") in ("C",
         "F") else "`order` must be 'C' or 'F' here")  # fmt: skip
view("ndarray.reshape(a, *shape, order='C', copy=None)", call="method", methods=("reshape",),
     result="maybe_view", inert=("shape",), fresh_if=("copy", True),
     a=lambda s: BACK if s.const("order") == "C" else "np.reshape(y_bar, np.shape(a), order)",
     refuses=lambda s: None if s.const("order") in ("C",
         "F") else "`order` must be 'C' or 'F' here")  # fmt: skip


def _unravel(site: Site) -> Text:
    if site.const("order") == "C":
        return "y_bar" if site.ndim("a") == 1 else BACK
    return "np.reshape(y_bar, np.shape(a), order)"


def _order(site: Site) -> str | None:
    return None if site.const("order") in ("C", "F") else "`order` must be written out here"


def _as_it_lies(joined: str) -> Callable[[Site], str | None]:
    """Elements in the order of memory: in that of indices, if the axes are put in order first."""

    def write(site: Site) -> str | None:
        if site.const("order") not in ("A", "K") or not site.is_array("a") or not site.ndim("a"):
            return None
        return f"axes = memory_axes(a, order)\nturned = as_it_lies(a, axes)\ny = {joined}"

    return write


registry.add_object(
    runtime.as_it_lies,
    view("as_it_lies(a, axes)", a="np.transpose(y_bar, np.argsort(axes))",
         a_dot="np.transpose(dot, axes)", inert=("axes",), register=False),
)  # fmt: skip
view("np.ravel(a, order='C')", a=_unravel, methods=("ravel",), result="maybe_view", refuses=_order,
     expansion=_as_it_lies("np.ravel(turned)"), returns="y")  # fmt: skip
fresh("ndarray.flatten(a, order='C')", a=_unravel, methods=("flatten",), call="method",
    refuses=_order, expansion=_as_it_lies("np.ravel(turned).copy()"), returns="y")  # fmt: skip
view("np.squeeze(a, axis=None)", a=BACK, methods=("squeeze",))
view("np.expand_dims(a, axis)", a=BACK)
view("np.swapaxes(a, axis1, axis2)", a="np.swapaxes(y_bar, axis1, axis2)", methods=("swapaxes",))
view("np.moveaxis(a, source, destination)", a="np.moveaxis(y_bar, destination, source)")
view("np.rollaxis(a, axis, start=0)", a=gathered("np.rollaxis({}, axis, start)"))
view("np.flip(m, axis=None)", m="np.flip(y_bar, axis)")
view("np.fliplr(m)", m="y_bar[:, ::-1]")
view("np.flipud(m)", m="y_bar[::-1]")
view("np.rot90(m, k=1, axes=(0, 1))", m="np.rot90(y_bar, -k, axes)")
view("np.matrix_transpose(x, /)", x="np.swapaxes(y_bar, -1, -2)")
view("np.broadcast_to(array, shape, subok=False)", inert=("shape",),
     array=lambda s: "unbroadcast(y_bar, np.shape(array))")  # fmt: skip
view("np.diagonal(a, offset=0, axis1=0, axis2=1)", methods=("diagonal",),
     a=gathered("np.diagonal({}, offset, axis1, axis2)"))  # fmt: skip


def _diag(site: Site) -> Text:
    match site.ndim("v"):
        case 1:
            return "np.diagonal(y_bar)" if site.const("k") == 0 else "np.diagonal(y_bar, k)"
        case 2:
            return gathered("np.diag({}, k)", "v")
        case _:
            matrix = gathered("np.diag({}, k)", "v")
            return f"np.diagonal(y_bar, k) if np.ndim(v) == 1 else {matrix}"


view("np.diag(v, k=0)", v=_diag, result="maybe_view")
fresh("np.diagflat(v, k=0)", v="np.reshape(np.diagonal(y_bar, k), np.shape(v))")
for _n in (1, 2, 3):
    view(f"np.atleast_{_n}d(a, /)", a=BACK, result="maybe_same" if _n < 3 else "maybe_view")
# --- copies ----------------------------------------------------------------------------------


def _array(site: Site, path: tuple[int, ...]) -> Text:
    if path:
        place = ", ".join(str(i) for i in path)
        listed = site.is_listed(item_at("a", path))  # a list in a variable
        return f"adjoint_like(y_bar[{place}], a[{place}])" if listed else f"y_bar[{place}]"
    if site.is_array("a") and "ndmin" in site.bound and site.const("ndmin") != 0:
        return BACK
    return "y_bar" if site.is_array("a") or site.is_scalar("a") else "adjoint_like(y_bar, a)"


def _holds_objects(site: Site) -> bool:
    """Does `dtype=object` keep items that are no numbers?"""
    dtype = site.bound.get("dtype")
    if not (isinstance(dtype, Ref) and dtype.value is object):
        return False
    count = site.items("a")
    return count is not None and not all(site.is_scalar(item("a", k)) for k in range(count))


def _plain_array(site: Site) -> str | None:
    if _holds_objects(site):
        return "an array of objects keeps its items as they are"
    if "ndmin" not in site.bound or site.const("ndmin") == 0:
        return None
    if site.is_array("a") and site.const("copy") is True:
        return None
    return "`ndmin=` is supported for an array that is copied, not otherwise"


linear("np.array(a: nest('object'), dtype=None, *, copy=True, order='K', subok=False, ndmin=0, "
       "ndmax=0, like=None)", a=_array, refuses=_plain_array, result="maybe_same", of="a",
       fresh_if=("copy", True))  # fmt: skip
linear("np.fromiter(a: 'iter', dtype, count=-1, *, like=None)",
       a=lambda s: "gather_pullback(y_bar, np.arange(len(y_bar)), np.shape(a))"
       if s.const("count") != -1 else
       "y_bar" if s.ndim("a") == 1 else "np.reshape(y_bar, np.shape(a))")  # fmt: skip
for _call in ("asarray", "asanyarray"):
    view(f"np.{_call}(a: nest, dtype=None, order=None, *, device=None, copy=None, like=None)",
         a=_array, refuses=_plain_array, result="maybe_same",
         fresh_if=("copy", True))  # fmt: skip
def _at_least_a_vector(site: Site, path: tuple[int, ...]) -> Text:
    if path or site.ndim("a") != 0:
        return _array(site, path)
    return BACK if site.is_array("a") else "y_bar[0]"


for _call in ("ascontiguousarray", "asfortranarray"):
    view(f"np.{_call}(a: nest, dtype=None, *, like=None)", result="maybe_same",
         a=_at_least_a_vector)
view("np.asarray_chkfinite(a: nest, dtype=None, order=None)", a=_array, result="maybe_same")
view("np.require(a: nest, dtype=None, requirements=None, *, like=None)", a=_array,
     result="maybe_same")  # fmt: skip
view("np.astype(a: 'x', dtype, /, *, copy=True, device=None)", a="y_bar", result="maybe_same",
     fresh_if=("copy", True))  # fmt: skip
fresh("np.copy(a, order='K', subok=False)", a="y_bar")
fresh("ndarray.copy(a, order='C')", a="y_bar", call="method", methods=("copy", "__copy__"))
view("ndarray.astype(a, dtype, order='K', casting='unsafe', subok=True, copy=True)", a="y_bar",
     call="method", methods=("astype",), result="maybe_same", fresh_if=("copy", True))  # fmt: skip
view("ndarray.view(a)", a="y_bar", call="method", methods=("view",))
linear("ndarray.item(a, *args)", call="method", methods=("item",),
       inert=("args",), a=lambda s: "np.reshape(y_bar, np.shape(a))" if s.items("args") == 0 else
       "gather_pullback(y_bar, np.asarray(positions(np.shape(a)).item(*args)), np.shape(a))",
       a_dot="np.asarray(dot).item(*args)")  # fmt: skip
fresh("ndarray.tolist(a)", a="np.array(y_bar)", call="method", methods=("tolist",))


# --- rearranged, repeated, cut out -------------------------------------------------------------

linear("np.repeat(a, repeats, axis=None)", a=gathered("np.repeat({}, repeats, axis)"),
       methods=("repeat",))  # fmt: skip
linear("np.tile(a: 'A', reps)", a=gathered("np.tile({}, reps)"))
linear("np.roll(a, shift, axis=None)",
       a=lambda s: _roll(s) if isinstance(s.const("shift"), int) else
       "np.roll(y_bar, np.negative(shift), axis)")  # fmt: skip


def _roll(site: Site) -> str:
    shift = site.const("shift")
    assert isinstance(shift, int)
    axis = "" if site.const("axis") is None else ", axis=axis"
    return f"np.roll(y_bar, {-shift}{axis})"


def _triangle(name: str) -> Callable[[Site], Text]:
    """A vector stands for a matrix whose rows it is."""

    def text(site: Site) -> Text:
        part = f"{name}(y_bar)" if site.const("k") == 0 else f"{name}(y_bar, k)"
        return part if (site.ndim("m") or 1) > 1 else f"unbroadcast({part}, np.shape(m))"

    return text


linear("np.tril(m, k=0)", ranks={"m": SOME}, m=_triangle("np.tril"))
linear("np.triu(m, k=0)", ranks={"m": SOME}, m=_triangle("np.triu"))
linear("np.take(a, indices, axis=None, out=None, mode='raise')", methods=("take",),
       a=gathered("np.take({}, indices, axis, mode=mode)"))  # fmt: skip
linear("np.take_along_axis(arr, indices, axis=-1)",  # the axis has a default since NumPy 2.3
       arr=gathered("np.take_along_axis({}, indices, axis)", "arr"),
       arr_dot="np.take_along_axis(dot, indices, axis)")  # fmt: skip
linear("np.compress(condition, a, axis=None, out=None)", inert=("condition",),
       a=gathered("np.compress(condition, {}, axis)"))  # fmt: skip
linear("ndarray.compress(a, condition, axis=None, out=None)", inert=("condition",), call="method",
       methods=("compress",), a=gathered("np.compress(condition, {}, axis)"))  # fmt: skip
linear("np.extract(condition, arr)", inert=("condition",),
       arr=gathered("np.extract(condition, {})", "arr"))  # fmt: skip
linear("np.delete(arr, obj, axis=None)", arr=gathered("np.delete({}, obj, axis)", "arr"))
_PADDING = {
    "constant", "edge", "empty", "reflect", "symmetric", "wrap", "mean", "linear_ramp", "maximum",
    "minimum", "median",
}  # fmt: skip
_CHOOSING = ("maximum", "minimum", "median")


def _pad_refusal(site: Site) -> str | None:
    mode = site.const("mode")
    if mode not in _PADDING:
        return f"padding carries a derivative in the modes {', '.join(sorted(_PADDING))}"
    return None


def _pad_array(site: Site) -> Text:
    if site.const("mode") in _CHOOSING:
        return "pad_choice_pullback(y_bar, array, pad_width, mode, stat_length)"
    if site.const("reflect_type") != "even":
        return "pad_odd_pullback(y_bar, np.shape(array), pad_width, mode, reflect_type)"
    return "pad_pullback(y_bar, np.shape(array), pad_width, mode, stat_length)"


def _pad_dot(site: Site) -> Text:
    match site.const("mode"):
        case "constant" | "empty":
            return "np.pad(dot, pad_width)"
        case "maximum" | "minimum" | "median":
            return "pad_choice_pushforward(dot, array, pad_width, mode, stat_length)"
        case _ if site.const("reflect_type") != "even":
            return "np.pad(dot, pad_width, mode, reflect_type=reflect_type)"
        case "mean" if site.const("stat_length") is not None:
            return "np.pad(dot, pad_width, mode, stat_length=stat_length)"
        case _:
            return "np.pad(dot, pad_width, mode)"


def _pad_value(name: str, mode: str, seed: str) -> Callable[[Site, tuple[int, ...]], Text]:
    """What the border is filled with: one number, one for each side, or a pair for each axis."""

    def write(site: Site, path: tuple[int, ...]) -> Text:
        own = item_at(name, path)
        if site.const("mode") != mode:
            return None
        if path and site.ndim(own) != 0:
            return None
        listed = not path and site.is_listed(own)
        if not path and not (site.is_scalar(own) or site.is_array(own) or listed):
            return None
        whole = _extent(site, name, path) if path else f"np.shape({name})"
        if whole is None:
            return None
        back = seed == "y_bar"
        helper = "pad_value_pullback(y_bar" if back else "pad_value_pushforward(dot"
        found = f"{helper}, np.shape(array), pad_width, mode, {whole}, {path})"
        return f"adjoint_like({found}, {name})" if back and listed else found

    return write


def _extent(site: Site, name: str, path: tuple[int, ...]) -> str | None:
    """The shape of nested sequences that are written out."""
    sizes: list[int] = []
    at = name
    for step in path:
        count = 0
        while item(at, count) in site.bound:
            count += 1
        sizes.append(count)
        at = item(at, step)
    return f"({', '.join(map(str, sizes))},)"


def item_at(name: str, path: tuple[int, ...]) -> str:
    """The name of an item of nested sequences."""
    for k in path:
        name = item(name, k)
    return name


_FILLED = {
    f"{_name}{_dot}": _pad_value(_name, _mode, _seed)
    for _name, _mode in (("constant_values", "constant"), ("end_values", "linear_ramp"))
    for _dot, _seed in (("", "y_bar"), ("_dot", "dot"))
}
rule("np.pad(array, pad_width, mode='constant', *, constant_values: nest=0, end_values: nest=0, "
     "stat_length=None, reflect_type='even')", inert=("pad_width",),
     array=_pad_array, array_dot=_pad_dot, refuses=_pad_refusal, **_FILLED)  # fmt: skip
view("np.lib.stride_tricks.sliding_window_view(x, window_shape, axis=None, *, subok=False, "
     "writeable=False)", inert=("window_shape",),
     x=gathered("np.lib.stride_tricks.sliding_window_view({}, window_shape, axis)", "x"))


def _choose(site: Site, i: int) -> Text:
    if i < 0:  # the items of an array
        which = {"clip": "np.clip(a, 0, len(choices) - 1)", "wrap": "np.mod(a, len(choices))"}.get(
            str(site.const("mode")), "a"
        )
        text = f"chosen_pullback(y_bar, {which}, np.shape(choices))"
        return text if site.is_array("choices") else None
    n = site.items("choices")
    which = {"clip": f"np.clip(a, 0, {(n or 1) - 1})", "wrap": f"np.mod(a, {n})"}.get(
        str(site.const("mode")), "a"
    )
    picked = f"np.where(np.equal({which}, {i}), y_bar, 0.0)"
    return f"unbroadcast({picked}, np.shape(choices[{i}]))"


linear("np.choose(a, choices: seq, out=None, mode='raise')", inert=("a",), choices=_choose,
       methods=("choose",), refuses=lambda s: "`mode=` must be written out here"
       if isinstance(s.const("mode"), NotLiteral) else None)  # fmt: skip


def _select(site: Site, i: int) -> Text:
    if i < 0:
        return None
    picked = f"np.where(selected(condlist, {i}), y_bar, 0.0)"
    return f"unbroadcast({picked}, np.shape(choicelist[{i}]))"


rule("np.select(condlist, choicelist: seq, default=0)", inert=("condlist",), choicelist=_select,
     choicelist_dot=lambda s, i: Thin(f"np.where(selected(condlist, {i}), dot, 0.0)")
     if i >= 0 else None,
     default="unbroadcast(np.where(selected(condlist, -1), y_bar, 0.0), np.shape(default))",
     default_dot=Thin("np.where(selected(condlist, -1), dot, 0.0)"))  # fmt: skip



def _interp(text: str, periodic: str | None = None) -> Callable[[Site], Text]:
    """A formula for `np.interp`, and the one for `period=`, where there is one."""
    return lambda site: text if site.const("period") is None else periodic


_SLOPE = "interp_slope(x, xp, fp, left, right)"
_PERIODIC = "interp_slope(*one_period(x, xp, fp, period), None, None)"
rule("np.interp(x, xp, fp, left=None, right=None, period=None)",
     without={"period": "all places move with it: reduce them by `%`, and repeat an end"},
     x=_interp(f"y_bar * {_SLOPE}", f"y_bar * {_PERIODIC}"),
     x_dot=_interp(f"dot * {_SLOPE}", f"dot * {_PERIODIC}"),
     xp=_interp(f"-interp_pullback(y_bar * {_SLOPE}, x, xp, np.shape(xp), left, right)",
                f"-interp_period_pullback(y_bar * {_PERIODIC}, x, xp, np.shape(xp), period)"),
     xp_dot=_interp(f"-{_SLOPE} * np.interp(x, xp, dot)",
                    f"-{_PERIODIC} * np.interp(x, xp, dot, period=period)"),
     left=_interp("np.sum(np.where(np.less(x, xp[0]), y_bar, 0.0))"),
     left_dot=_interp("np.where(np.less(x, xp[0]), dot, 0.0)[()]"),
     right=_interp("np.sum(np.where(np.greater(x, xp[-1]), y_bar, 0.0))"),
     right_dot=_interp("np.where(np.greater(x, xp[-1]), dot, 0.0)[()]"),
     fp=_interp("interp_pullback(y_bar, x, xp, np.shape(fp), left, right)",
                "interp_period_pullback(y_bar, x, xp, np.shape(fp), period)"),
     fp_dot=_interp("np.interp(x, xp, dot, left and 0.0, right and 0.0)",
                    "np.interp(x, xp, dot, period=period)"))  # fmt: skip


def _alone(part: str, n: int, i: int) -> str:
    """A tuple of zeros but for the i-th part."""
    parts = [part if k == i else f"np.zeros_like(y[{k}])" for k in range(n)]
    return f"({', '.join(parts)},)"


def _broadcast_dot(site: Site, i: int) -> Text:
    n = site.items("args")
    return None if n is None or i < 0 else _alone(f"np.broadcast_to(dot, np.shape(y[{i}]))", n, i)


def _meshgrid_dot(site: Site, i: int) -> Text:
    n = site.items("xi")
    if n is None or i < 0:
        return None
    if site.const("sparse") is True:
        return _alone(f"np.reshape(dot, np.shape(y[{i}]))", n, i)
    vectors = ", ".join("dot" if k == i else f"xi[{k}]" for k in range(n))
    copied = "" if site.const("copy") is True else ", copy=copy"  # views, where the values are
    return _alone(f"np.meshgrid({vectors}, indexing=indexing{copied})[{i}]", n, i)


def _plain_grid(site: Site) -> str | None:
    if site.const("sparse") not in (True, False):
        return "`sparse=` must be written out here"
    return None


rule("np.broadcast_arrays(*args, subok=False)", tuple_result=True, result="maybe_view", of="args",
     args=lambda s, i: f"unbroadcast(y_bar[{i}], np.shape(args[{i}]))" if i >= 0 else None,
     args_dot=_broadcast_dot)  # fmt: skip
def _grid_vector(site: Site, i: int) -> str:
    vector = f"meshgrid_pullback(y_bar[{i}], {i}, indexing)"
    return vector if site.ndim(f"xi[{i}]") == 1 else f"np.reshape({vector}, np.shape(xi[{i}]))"


rule("np.meshgrid(*xi, indexing='xy', sparse=False, copy=True)", tuple_result=True,
     result="maybe_view", of="xi", fresh_if=("copy", True),
     xi=lambda s, i: None if i < 0 else f"np.reshape(y_bar[{i}], np.shape(xi[{i}]))"
     if s.const("sparse") is True else _grid_vector(s, i),
     xi_dot=_meshgrid_dot, refuses=_plain_grid)  # fmt: skip

constant("np.shape", "np.ndim", "np.size", "np.isscalar", "np.iterable", "np.result_type",
    "np.dtype",
         "np.can_cast", "np.issubdtype", "np.promote_types", "np.finfo", "np.iinfo",
         "np.may_share_memory",
         "np.shares_memory", "np.broadcast_shapes", "np.isfortran", cheap=True)  # fmt: skip
constant("np.set_printoptions", "np.array2string", "np.array_repr", "np.array_str")
