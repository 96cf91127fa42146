"""The methods of universal functions: `outer`, `accumulate`, `reduceat`; most of `reduce` are
reductions.

`outer` is the function itself on operands that broadcast against each other:

>>> from adtrans.ir.expr import Name
>>> from adtrans.rules import lookup
>>> import numpy as np
>>> outer = lookup(np.subtract.outer)
>>> print(outer.expand(outer.bind((Name("u"), Name("v")), ())).source)
y = np.subtract(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)
"""

from __future__ import annotations

from collections.abc import Callable

from adtrans.rules.declare import SOME, Site, constant, linear, refused, rule
from adtrans.rules.numpy_elementwise import BINARY, BINARY_CONSTANT
from adtrans.rules.numpy_reductions import UFUNC_TAIL


def _one_axis(site: Site) -> str | None:
    known = isinstance(site.const("axis"), int)
    return None if known else "the one axis that is reduced must be written out"


def _outer(name: str) -> Callable[[Site], str]:
    def write(site: Site) -> str:
        more = "" if site.const("dtype") is None else ", dtype=dtype"
        return f"y = np.{name}(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b{more})"

    return write


_TAIL = "axis=0, dtype=None, out=None"

for _name in BINARY:
    if _name not in ("multiply", "divmod"):  # a product has a formula of its own
        rule(f"np.{_name}.outer(a, b, /, *, out=None, dtype=None)", expansion=_outer(_name),
             returns="y")  # fmt: skip
constant(*(f"np.{_name}.outer" for _name in BINARY_CONSTANT))

rule(f"np.multiply.accumulate(a, {_TAIL})", a="cumprod_pullback(y_bar, a, axis)",
     a_dot="cumprod_pushforward(a_dot, a, axis)")  # fmt: skip
for _name in ("maximum", "minimum", "fmax", "fmin"):
    _source = "running_source(y, a, axis)"
    rule(f"np.{_name}.accumulate(a, {_TAIL})",
         a="gather_pullback(y_bar, np.take_along_axis(positions(np.shape(a)), "
           f"{_source}, axis), np.shape(a))",
         a_dot=f"np.take_along_axis(dot, {_source}, axis)")  # fmt: skip
for _name, _base in (("logaddexp", "np.e"), ("logaddexp2", "2.0")):
    rule(f"np.{_name}.accumulate(a, {_TAIL})",
         a=f"logaddexp_scan_pullback(y_bar, a, y, axis, {_base})",
         a_dot=f"logaddexp_scan_pushforward(dot, a, y, axis, {_base})")  # fmt: skip
_ORDERED = ("power", "arctan2", "float_power", "remainder", "fmod", "copysign", "nextafter",
            "heaviside")  # fmt: skip
_SKIPPED = ("power", "arctan2")
refused("some versions of NumPy leave elements out here, as the memory lies: take the last element "
        "of `accumulate`", *(f"np.{n}.{m}" for n in _SKIPPED
                             for m in ("reduce", "reduceat")))  # fmt: skip
# of a difference, or a quotient, the first element is the one that is not taken away
_SIGNS = "np.sign(1.5 - np.cumsum(np.ones_like(a), axis))"
_BACK = "np.flip(np.cumsum(np.flip({}, axis), axis), axis)"
_SPREAD = "expand_reduced(y_bar, axis, keepdims, np.ndim(a))"
_REDUCED = "axis=0, dtype=None, out=None, keepdims=False"
rule(f"np.subtract.reduce(a, {_REDUCED})", refuses=_one_axis, ranks={"a": SOME},
     a=f"{_SPREAD} * {_SIGNS}",
     a_dot=f"np.sum({_SIGNS} * dot, axis, keepdims=keepdims)")  # fmt: skip
rule(f"np.divide.reduce(a, {_REDUCED})", refuses=_one_axis, ranks={"a": SOME},
     a=f"{_SPREAD.replace('y_bar', '(y_bar * y)')} * {_SIGNS} / a",
     a_dot=f"y * np.sum({_SIGNS} * dot / a, axis, keepdims=keepdims)")  # fmt: skip
rule(f"np.subtract.accumulate(a, {_TAIL})", ranks={"a": SOME},
     a=f"{_SIGNS} * {_BACK.format('y_bar')}",
     a_dot=f"np.cumsum({_SIGNS} * dot, axis)")  # fmt: skip
rule(f"np.divide.accumulate(a, {_TAIL})", ranks={"a": SOME},
     a=f"{_SIGNS} / a * {_BACK.format('y_bar * y')}",
     a_dot=f"y * np.cumsum({_SIGNS} * dot / a, axis)")  # fmt: skip
rule(f"np.hypot.accumulate(a, {_TAIL})", ranks={"a": SOME},
     a=f"a * {_BACK.format('y_bar / y')}",
     a_dot="np.cumsum(a * dot, axis) / y")  # fmt: skip
linear("np.add.reduceat(a, indices, axis=0, dtype=None, out=None)", inert=("indices",),
       a="reduceat_pullback(y_bar, indices, np.shape(a), axis)")  # fmt: skip
# what has no formula of its own is followed element by element along the axis
_FOLDED = [n for n in BINARY if n not in ("divmod", "ldexp")]
for _name in _FOLDED:
    _plain = "axis, keepdims"
    if _name in _ORDERED and _name not in _SKIPPED:
        rule(f"np.{_name}.reduce(a, {_REDUCED})", refuses=_one_axis, ranks={"a": SOME},
             a=f"fold_pullback(y_bar, '{_name}', a, {_plain})",
             a_dot=f"fold_pushforward(dot, '{_name}', a, {_plain})")  # fmt: skip
    if _name in _ORDERED:
        rule(f"np.{_name}.accumulate(a, {_TAIL})", ranks={"a": SOME},
             a=f"scan_pullback(y_bar, '{_name}', a, axis)",
             a_dot=f"scan_pushforward(dot, '{_name}', a, axis)")  # fmt: skip
    if _name not in ("add", *_SKIPPED):
        rule(f"np.{_name}.reduceat(a, indices, {_TAIL})", inert=("indices",), ranks={"a": SOME},
             a=f"reduceat_fold_pullback(y_bar, '{_name}', a, indices, axis)",
             a_dot=f"reduceat_fold_pushforward(dot, '{_name}', a, indices, axis)")  # fmt: skip
_TAILS = {"reduce": UFUNC_TAIL, "accumulate": _TAIL, "reduceat": f"indices, {_TAIL}"}
# their signatures say where an `out` stands, which is written
constant(*(f"np.{_name}.{_method}(a, {_tail})" for _name in BINARY_CONSTANT
           for _method, _tail in _TAILS.items()))  # fmt: skip
