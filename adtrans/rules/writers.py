"""Functions and methods that write arrays, each as the plain statements that it stands for.

>>> from adtrans.ir.expr import Const, Name
>>> from adtrans.rules import lookup
>>> import numpy as np
>>> copyto = lookup(np.copyto)
>>> print(copyto.expand(copyto.bind((Name("u"), Name("v")), ())).source)
dst[...] = src
>>> exp = lookup(np.exp)
>>> print(exp.expand(exp.bind((Name("u"),), {"out": Name("v")})))
Expansion(source='out[...] = np.exp(x)', result='out')
"""

from __future__ import annotations

from collections.abc import Callable

from adtrans import runtime
from adtrans.rules import registry
from adtrans.rules.declare import Site, scatter, writes
from adtrans.rules.numpy_elementwise import BINARY, UNARY
from adtrans.rules.rule import Rule
from adtrans.rules.spelled import mask_of


def _copyto(site: Site) -> str:
    if site.const("where") is True:
        return "dst[...] = src"
    more = (site.ndim("src") or 0) - (site.ndim("dst") or 0)  # axes that an assignment leaves away
    src = f"src[{', '.join('0' * more)}]" if more > 0 and site.ndim("dst") is not None else "src"
    mask = f"mask = np.broadcast_to({mask_of(site)}, dst.shape)"
    return f"{mask}\ndst[mask] = np.broadcast_to({src}, dst.shape)[mask]"


def _putmask(site: Site) -> str:
    """Without values the array stays as it is."""
    mask = "np.asarray(mask, bool)"
    if site.is_scalar("values"):
        return f"mask = {mask}\na[mask] = np.resize(np.array(values), a.shape)[mask]"
    mask += " & (np.size(values) > 0)"
    return f"mask = {mask}\na[mask] = np.resize(np.array(values), a.shape)[mask]"


def _put(site: Site) -> str | None:
    ind = "put_places(ind)" if site.is_scalar("v") else "put_places(ind, np.size(v))"
    places = {
        "raise": ind, "clip": f"np.clip({ind}, 0, a.size - 1)", "wrap": f"np.mod({ind}, a.size)",
    }.get(str(site.const("mode")))  # fmt: skip
    return places and _flat(f"flat_index({places}, a.shape)", "v")(site)


def _flat(where: str, values: str = "values") -> Callable[[Site], str | None]:
    """Where a flat position lies does not depend on the layout; values are repeated as needed, and
    read before any is written."""

    def write(site: Site) -> str | None:
        if not site.is_array("a") or site.ndim("a") in (0, None):
            return None
        if site.is_scalar(values):
            return f"where = {where}\na[where] = {values}"
        every = f"repeated_into(np.array({values}), a, np.shape(where[0]))"
        return f"where = {where}\na[where] = {every}"

    return write


def _as_array(site: Site, name: str) -> str:
    """Values that may be a list: made an array of, so that its items have derivatives."""
    return f"np.array({name})" if site.is_listed(name) else name


def _place(site: Site) -> str:
    every = f"repeated_into({_as_array(site, 'vals')}, arr, (np.count_nonzero(mask),))"
    return f"mask = np.asarray(mask, bool).reshape(arr.shape)\narr[mask] = {every}"


def _fill_diagonal(site: Site) -> str | None:
    """The values are repeated as needed, as `a.flat` does it."""
    values = f"repeated_into({_as_array(site, 'val')}, a, np.shape(index))"
    values = "val" if site.is_scalar("val") else values
    match site.ndim("a"), site.const("wrap"):
        case 2 | None, False:
            return f"index = np.arange(min(a.shape))\na[index, index] = {values}"
        case 2, True:
            start = "index = np.arange(0, a.size, a.shape[1] + 1)"
            return f"{start}\na[index // a.shape[1], index % a.shape[1]] = {values}"
        case int(n), False if n > 2:
            return f"index = np.arange(a.shape[0])\na[{', '.join(['index'] * n)}] = {values}"
        case _:
            return None


def _put_along_axis(site: Site) -> str | None:
    if site.const("axis") is None:
        return _flat("flat_index(indices, a.shape)")(site)
    return "where = along_axis_index(indices, a.shape, axis)\na[where] = values"


def _sort(site: Site) -> str | None:
    if site.const("order") is not None:
        return None
    kind = "" if site.const("kind") is None else ", kind=kind"
    if site.const("stable") is not None:
        kind = ", stable=stable"
    return f"a[...] = np.sort(a, axis{kind})"


def _partition(site: Site) -> str | None:
    if site.const("order") is not None or site.const("kind") != "introselect":
        return None
    return "a[...] = np.partition(a, kth, axis)"


for _name in ("along_axis_index", "as_mask", "computed_into", "flat_index", "flat_slice",
              "memory_axes", "places_at", "put_places", "turns_at"):  # fmt: skip
    registry.add_object(
        getattr(runtime, _name),
        Rule(f"adtrans.runtime.{_name}", "", "constant", inert_ok=frozenset({"*"})),
    )
registry.add_object(
    runtime.met_once,
    Rule("adtrans.runtime.met_once", "", "constant", inert_ok=frozenset({"*"}), impure=True),
)
writes("np.copyto(dst, src, casting='same_kind', where=True)", _copyto)
writes("np.putmask(a, mask, values)", _putmask, inert=("mask",))
writes("np.place(arr, mask, vals)", _place, inert=("mask",))
writes("np.put(a, ind, v, mode='raise')", _put)
writes("np.fill_diagonal(a, val, wrap=False)", _fill_diagonal)
writes("np.put_along_axis(a: 'arr', indices, values, axis)", _put_along_axis)
writes("ndarray.fill(a, value, /)", "a[...] = value", method="fill")
writes("ndarray.put(a, ind: 'indices', v: 'values', mode='raise')", _put, method="put")
writes("ndarray.sort(a, axis=-1, kind=None, order=None, *, stable=None)", _sort, method="sort")
writes("ndarray.partition(a, kth, axis=-1, kind='introselect', order=None)", _partition,
    method="partition")
writes("ndarray.itemset(a, index, value)", "a[index] = value", method="itemset")
for _name in ("resize(a, *new_shape, refcheck=True)", "byteswap(a, inplace=False)",
              "setfield(a, val, dtype, offset=0)",
              "setflags(a, write=None, align=None, uic=None)"):  # fmt: skip
    writes(f"ndarray.{_name}", None, method=_name.partition("(")[0])
writes("np.random.shuffle(x)", None, impure=True)
for _owner in ("Generator", "RandomState"):

    registry.add_method(
        "shuffle",
        Rule(f"{_owner}.shuffle", "f(self, x, axis=0)", "writes", call="method", impure=True,
             writes=("x",)),
        _owner,
    )  # fmt: skip
scatter("np.add.at", "+")
scatter("np.subtract.at", "-")
for _ufunc, _word in (("multiply", "multiplied"), ("divide", "divided"), ("true_divide", "divided"),
                      ("maximum", "largest"), ("minimum", "smallest")):  # fmt: skip
    writes(f"np.{_ufunc}.at(a, indices, b, /)", f"a[...] = {_word}_at(a, indices, b)")


def _in_turn(name: str, *, binary: bool = False) -> Callable[[Site], str]:
    """Elements that are met several times are changed as often: one time in each turn."""

    def write(site: Site) -> str:
        rank, each, other = site.ndim("a"), "", ""
        if rank is None:
            other = ", b" if binary else ""
            return f"once = met_once(indices, a.shape)\na[once] = np.{name}(a[once]{other})"
        if binary and site.is_scalar("b"):
            other = ", b"
        elif binary:  # a copy: NumPy makes one of what overlaps with the elements
            each = "each = np.broadcast_to(b, places.shape).flatten()\n"
            other = ", each[turn]"
        where = "met[turn]" if rank == 1 else "flat_index(met[turn], a.shape)"
        return (
            "places = places_at(indices, a.shape)\n"
            f"met = places.ravel()\n{each}"
            "for turn in turns_at(met):\n"
            f"    where = {where}\n"
            f"    a[where] = np.{name}(a[where]{other})"
        )

    return write


for _ufunc in BINARY:
    if _ufunc not in ("add", "subtract", "multiply", "divide", "maximum", "minimum"):
        _times = "a[...] = multiplied_at(a, indices, np.ldexp(1.0, b))"  # see `_REPEATED`
        writes(f"np.{_ufunc}.at(a, indices, b, /)",
               _times if _ufunc == "ldexp" else _in_turn(_ufunc, binary=True))  # fmt: skip
_TIMES = "a[...] = multiplied_at(a, indices, {})"
_REPEATED = {  # linear: their derivative would not look at the elements, nor who is met twice
    "negative": _TIMES.format("-1.0"), "positive": _TIMES.format("1.0"),
    **dict.fromkeys(("deg2rad", "radians"), _TIMES.format("np.pi / 180")),
    **dict.fromkeys(("rad2deg", "degrees"), _TIMES.format("180 / np.pi")),
    **dict.fromkeys(("conjugate", "conj"), "odd = added_at(a.shape, indices, 1.0) % 2 == 1\n"
                                           "a[...] = np.where(odd, np.conj(a), a)"),
}  # fmt: skip
for _ufunc in UNARY:
    writes(f"np.{_ufunc}.at(a, indices, /)", _REPEATED.get(_ufunc) or _in_turn(_ufunc))
