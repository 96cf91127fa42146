"""The methods of universal functions: `outer`, `accumulate`, `reduceat`; `reduce` is a reduction.

`outer` is the function itself on operands that broadcast against each other:

>>> from adtrans.ir.expr import Name
>>> from adtrans.rules import lookup
>>> import numpy as np
>>> outer = lookup(np.subtract.outer)
>>> print(outer.expand(outer.bind((Name("u"), Name("v")), ())).source)
y = np.subtract(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)
"""

from __future__ import annotations

from adtrans.rules.declare import constant, linear, rule
from adtrans.rules.numpy_elementwise import BINARY, BINARY_CONSTANT
from adtrans.rules.numpy_reductions import UFUNC_TAIL

_OUTER = "y = np.{}(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)"
_TAIL = "axis=0, dtype=None, out=None"

for _name in BINARY:
    if _name not in ("multiply", "divmod"):  # a product has a formula of its own
        rule(f"np.{_name}.outer(a, b, /)", expansion=_OUTER.format(_name), returns="y")
constant(*(f"np.{_name}.outer" for _name in BINARY_CONSTANT))

rule(f"np.multiply.accumulate(a, {_TAIL})", a="cumprod_pullback(y_bar, a, axis)",
     a_dot="cumprod_pushforward(a_dot, a, axis)")  # fmt: skip
for _name in ("maximum", "minimum"):
    _source = "running_source(y, a, axis)"
    rule(f"np.{_name}.accumulate(a, {_TAIL})",
         a="gather_pullback(y_bar, np.take_along_axis(positions(np.shape(a)), "
           f"{_source}, axis), np.shape(a))",
         a_dot=f"np.take_along_axis(dot, {_source}, axis)")  # fmt: skip
for _name, _base in (("logaddexp", "np.e"), ("logaddexp2", "2.0")):
    rule(f"np.{_name}.accumulate(a, {_TAIL})",
         a=f"logaddexp_scan_pullback(y_bar, a, y, axis, {_base})",
         a_dot=f"logaddexp_scan_pushforward(dot, a, y, axis, {_base})")  # fmt: skip
linear("np.add.reduceat(a, indices, axis=0, dtype=None, out=None)", inert=("indices",),
       a="reduceat_pullback(y_bar, indices, np.shape(a), axis)")  # fmt: skip
_TAILS = {"reduce": UFUNC_TAIL, "accumulate": _TAIL, "reduceat": f"indices, {_TAIL}"}
# their signatures say where an `out` stands, which is written
constant(*(f"np.{_name}.{_method}(a, {_tail})" for _name in BINARY_CONSTANT
           for _method, _tail in _TAILS.items()))  # fmt: skip
