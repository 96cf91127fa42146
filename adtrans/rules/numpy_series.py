"""`numpy.polynomial`: values and coefficients of power series and of orthogonal ones.

A value is linear in the coefficients, and its slope is the value of the differentiated series:

>>> import numpy as np
>>> from adtrans.ir.expr import Name
>>> from adtrans.ir.kinds import PY_FLOAT, Array
>>> from adtrans.rules import lookup
>>> value = lookup(np.polynomial.chebyshev.chebval)
>>> bound = value.bind((Name("t"), Name("c")), ())
>>> kinds = {"x": Array("float64", (None,)), "c": Array("float64", (None,))}
>>> print(value.pullback("c", bound, kinds)[0])
y_bar @ np.polynomial.chebyshev.chebvander(x, len(c) - 1)
>>> print(value.pullback("x", bound, kinds)[0])
y_bar * np.polynomial.chebyshev.chebval(x, np.polynomial.chebyshev.chebder(c))
"""

from __future__ import annotations

from collections.abc import Callable

from adtrans.rules.declare import SOME, VECTOR, Site, constant, elementwise, linear, rule, unknown
from adtrans.rules.numpy_polynomials import constants
from adtrans.rules.site import Text

_FAMILIES = {
    "polynomial": "poly", "chebyshev": "cheb", "legendre": "leg", "hermite": "herm",
    "hermite_e": "herme", "laguerre": "lag",
}  # fmt: skip


def _coefficients(stem: str) -> Callable[[Site], Text]:
    def write(site: Site) -> Text:
        if site.ndim("c") == 1 and site.ndim("x") == 1:
            return f"y_bar @ {stem}vander(x, len(c) - 1)"
        if site.ndim("c") == 1 and site.ndim("x") == 0:
            return f"y_bar * {stem}vander(x, len(c) - 1)[0]"
        return f"series_coefficients(y_bar, {stem}vander, x, np.shape(c))"

    return write


def _point(stem: str) -> Callable[[Site], Text]:
    def write(site: Site) -> Text:
        share = f"y_bar * {stem}val(x, {stem}der(c))"
        return share if site.ndim("c") == 1 else f"unbroadcast({share}, np.shape(x))"

    return write


def _plain(site: Site) -> str | None:
    if site.const("tensor") is True or site.ndim("c") == 1:
        return None
    return "`tensor=False` has no rule where the coefficients have several axes"


def _map(function: str) -> dict[str, str]:
    """A linear map of each column: its matrix is what it makes of the columns of the identity."""
    matrix = function.format("np.eye(np.shape(c)[axis], dtype=y.dtype)", "0")
    return {
        "c": f"np.moveaxis(np.tensordot({matrix}, "
             "np.moveaxis(y_bar, axis, 0), axes=(0, 0)), 0, axis)",
        "c_dot": function.format("dot", "axis"),
    }  # fmt: skip


_VECTORS = {"a": VECTOR, "b": VECTOR}
for _module, _prefix in _FAMILIES.items():
    _stem = f"np.polynomial.{_module}.{_prefix}"
    _slopes = (f"({_stem}vander(x, deg)[..., :max(deg, 1)] @ "
               f"{_stem}der(np.eye(deg + 1, dtype=y.dtype)))")  # fmt: skip
    rule(f"{_stem}val(x, c, tensor=True)", c=_coefficients(_stem), c_dot=f"{_stem}val(x, dot)",
         x=_point(_stem), x_dot=f"dot * {_stem}val(x, {_stem}der(c))", refuses=_plain,
         ranks={"c": SOME}, inert=("tensor",))  # fmt: skip
    rule(f"{_stem}vander(x, deg)",
         x=f"unbroadcast(np.sum(y_bar * {_slopes}, axis=-1), np.shape(x))",
         x_dot=f"np.expand_dims(dot, -1) * {_slopes}", inert=("deg",))  # fmt: skip
    rule(f"{_stem}der(c, m=1, scl=1, axis=0)", ranks={"c": SOME},
         **_map(f"{_stem}der({{}}, m, scl, {{}})"))  # fmt: skip
    rule(f"{_stem}int(c, m=1, k: seq=None, lbnd=0, scl=1, axis=0)", ranks={"c": SOME},
         **constants(f"{_stem}int", "c", ", lbnd, scl, axis"),
         **_map(f"{_stem}int({{}}, m, [], lbnd, scl, {{}})"))  # fmt: skip
    linear(f"{_stem}add(a: 'c1', b: 'c2')", ranks=_VECTORS,
           a="resized(y_bar, len(a))", b="resized(y_bar, len(b))",
           a_dot="resized(dot, len(y))", b_dot="resized(dot, len(y))")  # fmt: skip
    linear(f"{_stem}sub(a: 'c1', b: 'c2')", ranks=_VECTORS, a="resized(y_bar, len(a))",
           b="-resized(y_bar, len(b))", a_dot="resized(dot, len(y))",
           b_dot="-resized(dot, len(y))")  # fmt: skip
    unknown("fit with `np.linalg.lstsq` and its `...vander`, or with `np.polyfit`",
            f"{_stem}fit")  # fmt: skip
def _series_of_several(stem: str, places: str) -> None:
    """Values of a series in two or three variables; their slopes are series again."""
    n = len(places)
    at = ", ".join(places)
    value = f"{stem}val{n}d"
    letters = "ijk"[:n]
    powers = ", ".join(f"{stem}vander(np.ravel({p}), np.shape(c)[{k}] - 1)"
                       for k, p in enumerate(places))  # fmt: skip
    products = f"'m,{','.join('m' + k for k in letters)}->{letters}'"
    words = {"c": f"np.einsum({products}, np.ravel(y_bar), {powers})",
             "c_dot": f"{value}({at}, dot)"}  # fmt: skip
    for axis, name in enumerate(places):
        slope = f"{value}({at}, {stem}der(c, axis={axis}))"
        words[name], words[f"{name}_dot"] = f"y_bar * {slope}", f"dot * {slope}"
    named = ", ".join(f"{p}: '{q}'" for p, q in zip(places, "xyz", strict=False))
    rule(f"{value}({named}, c)", ranks={"c": (n, n)}, **words)


for _module, _prefix in _FAMILIES.items():
    for _places in ("uv", "uvw"):
        _series_of_several(f"np.polynomial.{_module}.{_prefix}", _places)
_FULL = "resized(y_bar, len(a) + len(b) - 1)"
rule("np.polynomial.polynomial.polymul(a: 'c1', b: 'c2')", ranks=_VECTORS,
     a=f"convolve_pullback({_FULL}, np.shape(a), b, 'full')",
     b=f"convolve_pullback({_FULL}, np.shape(b), a, 'full')",
     a_dot="resized(np.convolve(dot, b), len(y))",
     b_dot="resized(np.convolve(a, dot), len(y))")  # fmt: skip
for _module, _prefix in _FAMILIES.items():
    _stem = f"np.polynomial.{_module}.{_prefix}"
    unknown("multiply the values, or the coefficients of powers with "
            "`np.polynomial.polynomial.polymul`", f"{_stem}mul", f"{_stem}mulx", f"{_stem}pow",
            f"{_stem}fromroots", f"np.polynomial.{_module}.{_prefix}2poly",
            f"np.polynomial.{_module}.poly2{_prefix}")  # fmt: skip
    unknown("how many coefficients there are depends on the values", f"{_stem}div", f"{_stem}trim",
            f"{_stem}line")  # fmt: skip
    unknown("the roots of a real polynomial may be complex; Newton's method from a known root is "
            "differentiated", f"{_stem}roots", f"{_stem}companion")  # fmt: skip
    unknown("it is `...val` of each variable in turn, or a product of two `...vander`",
            *(f"{_stem}{n}" for n in ("grid2d", "grid3d", "vander2d", "vander3d")))  # fmt: skip
    unknown("write `...val2d` or `...val3d`", f"{_stem}valnd")
for _name, _slope in (
    ("chebyshev.cheb", "x * y / (1 - x * x)"), ("hermite.herm", "-2 * x * y"),
    ("hermite_e.herme", "-x * y"), ("laguerre.lag", "-y"),
):  # fmt: skip
    elementwise(f"np.polynomial.{_name}weight(x)", x=_slope)
constant("np.polynomial.legendre.legweight(x)", "np.polynomial.chebyshev.chebpts1(npts)",
         "np.polynomial.chebyshev.chebpts2(npts)")  # fmt: skip
unknown("write `np.polynomial.polynomial.polyval(x, np.poly(roots)[::-1])`",
        "np.polynomial.polynomial.polyvalfromroots")  # fmt: skip
unknown("it calls a function of yours: call it at `chebpts1`",
        "np.polynomial.chebyshev.chebinterpolate")  # fmt: skip
unknown("its coefficients are attributes of an object; use the functions beside it, as "
        "`np.polynomial.polynomial.polyval(x, c)`",
        *(f"np.polynomial.{n}" for n in ("Polynomial", "Chebyshev", "Legendre", "Hermite",
                                         "HermiteE", "Laguerre")))  # fmt: skip
