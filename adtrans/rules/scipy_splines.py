"""Splines of SciPy whose knots and coefficients do not vary: values and derivatives at places.

>>> from adtrans.ir.expr import Name
>>> from adtrans.ir.kinds import Array
>>> bound = VALUE.bind((Name("s"), Name("x")), ())
>>> print(VALUE.pullback("x", bound, {"x": Array("float64", (None,))})[0])
y_bar * s(x, nu + 1, extrapolate)

The slope is that of the piece to the right of a knot; the ends are no corners where the spline goes
on beyond them.
"""

from __future__ import annotations

from adtrans.ir.kinds import Array, Instance, Kind
from adtrans.rules.declare import rule

VALUE = rule("spline(s, x, nu=0, extrapolate=None)", x="y_bar * s(x, nu + 1, extrapolate)",
             x_dot="dot * s(x, nu + 1, extrapolate)", inert=("s", "nu", "extrapolate"),
             register=False)  # fmt: skip
_KINDS = {"PPoly": 2, "BSpline": 1}  # the rank of the coefficients of a spline in one dimension


def is_spline(cls: object) -> bool:
    """Whether objects of a class are polynomials by pieces: `CubicSpline`, `BSpline` and others."""
    return _rank(cls) is not None


def _rank(cls: object) -> int | None:
    for c in getattr(cls, "__mro__", ()):
        if c.__name__ in _KINDS and c.__module__.startswith("scipy.interpolate"):
            return _KINDS[c.__name__]
    return None


def is_real_spline(kind: Kind) -> bool:
    """Whether a value is a spline that maps numbers to real numbers."""
    if not isinstance(kind, Instance) or not is_spline(kind.cls):
        return False
    held = dict(kind.fields).get("_c", dict(kind.fields).get("c"))
    return isinstance(held, Array) and held.dtype == "float64" and held.ndim == _rank(kind.cls)


def made_spline(cls: type, args: tuple[Kind, ...]) -> Kind | None:
    """The kind of a new spline, if the values that it goes through are numbers along one axis."""
    rank = _rank(cls)
    if rank is None or len(args) < 2:
        return None
    values = args[1]
    if not isinstance(values, Array) or values.ndim != 1 or values.dtype != "float64":
        return None
    name = f"{cls.__module__}.{cls.__qualname__}"
    return Instance(name, cls, (("c", Array("float64", (None,) * rank)),))
