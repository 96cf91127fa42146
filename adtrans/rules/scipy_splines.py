"""Splines of SciPy whose knots and coefficients do not vary: values and derivatives at places.

>>> from adtrans.ir.expr import Name
>>> from adtrans.ir.kinds import Array
>>> bound = VALUE.bind((Name("s"), Name("x")), ())
>>> print(VALUE.pullback("x", bound, {"x": Array("float64", (None,))})[0])
y_bar * slope_inside(s, x, nu + 1, extrapolate)

The slope is that of the piece to the right of a knot; the ends are no corners where the spline goes
on beyond them. Where it does not go on, it is nan there, whose slope is 0.
"""

from __future__ import annotations

from adtrans.ir.kinds import Array, Instance, Kind
from adtrans.rules import registry
from adtrans.rules.declare import rule, unknown
from adtrans.rules.rule import Rule
from adtrans.rules.scipy_grids import GRID, is_grid

_SLOPE = "slope_inside(s, x, nu + 1, extrapolate)"
VALUE, _INSIDE = (
    rule(f"{name}(s, x, nu=0, extrapolate=None)", x=f"y_bar * {_SLOPE}", x_dot=f"dot * {_SLOPE}",
         inert=("s", "nu", "extrapolate"), register=False)
    for name in ("spline", "slope_inside")
)  # fmt: skip
registry.add_helper(_INSIDE)
_KINDS = {"PPoly": 2, "BSpline": 1, "interp1d": 1, "UnivariateSpline": 0}
"""The rank of the coefficients of a spline in one dimension, or of its values; 0: no others are."""


def is_spline(cls: object) -> bool:
    """Whether objects of a class are polynomials by pieces: `CubicSpline`, `BSpline` and others."""
    return _rank(cls) is not None


def _rank(cls: object) -> int | None:
    if not str(getattr(cls, "__module__", "")).startswith("scipy.interpolate"):
        return None  # a class of the user's may answer otherwise
    return next((_KINDS[c.__name__] for c in getattr(cls, "__mro__", ()) if c.__name__ in _KINDS),
                None)  # fmt: skip


def is_real_spline(kind: Kind) -> bool:
    """Whether a value is a spline that maps numbers to real numbers."""
    if not isinstance(kind, Instance) or not is_spline(kind.cls):
        return False
    if _rank(kind.cls) == 0:
        return True
    fields = dict(kind.fields)
    held = next((fields[n] for n in ("_c", "c", "y") if n in fields), None)
    return isinstance(held, Array) and held.dtype == "float64" and held.ndim == _rank(kind.cls)


def interpolant(kind: Kind) -> Rule | None:
    """The rule for calling a spline, or a table on a grid, that does not vary."""
    return VALUE if is_real_spline(kind) else GRID if is_grid(kind) else None


def made_spline(cls: type, args: tuple[Kind, ...]) -> Kind | None:
    """The kind of a new spline, if the values that it goes through are numbers along one axis."""
    rank = _rank(cls)
    if not rank or len(args) < 2:
        return None
    if cls.__name__ == "PPoly":  # it is given the coefficients of its pieces first
        rows = args[0]
        if not isinstance(rows, Array) or rows.ndim != 2 or rows.dtype != "float64":
            return None
    values = args[1]
    if not isinstance(values, Array) or values.ndim != 1 or values.dtype != "float64":
        return None
    name = f"{cls.__module__}.{cls.__qualname__}"
    return Instance(name, cls, (("c", Array("float64", (None,) * rank)),))


FOLLOWED = frozenset(f"scipy.interpolate.{n}" for n in (
    "PchipInterpolator", "Akima1DInterpolator", "CubicSpline", "CubicHermiteSpline",
    "make_interp_spline", "interp1d", "BSpline", "InterpolatedUnivariateSpline",
    "BarycentricInterpolator", "KroghInterpolator", "UnivariateSpline", "splrep", "splev",
))  # fmt: skip
"""Those whose values may vary where they are recorded."""
unknown("splines and polynomials through values that vary are not compiled", *sorted(FOLLOWED),
        *(f"scipy.interpolate.{c}.{m}" for c in ("PPoly", "BSpline")
          for m in ("derivative", "antiderivative", "integrate")))  # fmt: skip
unknown("it has no rule; `CubicSpline`, `make_interp_spline`, `PchipInterpolator` and others of "
        "one variable have one", *(f"scipy.interpolate.{n}" for n in (
            "LSQUnivariateSpline", "splint", "sproot", "spalde", "splder", "splantider", "splprep",
            "make_lsq_spline", "make_smoothing_spline", "make_splprep", "make_splrep",
            "generate_knots", "insert", "barycentric_interpolate", "krogh_interpolate",
            "pchip_interpolate", "PPoly", "BPoly", "NdPPoly", "NdBSpline", "AAA",
            "FloaterHormannInterpolator", "lagrange", "pade",
            "approximate_taylor_polynomial")))  # fmt: skip
unknown("it has no rule yet; `scipy.ndimage.map_coordinates` of order 1 has one",
        *(f"scipy.interpolate.{n}" for n in (
            "RegularGridInterpolator", "interpn", "RectBivariateSpline", "griddata",
            "LinearNDInterpolator", "RBFInterpolator", "Rbf", "interp2d", "NearestNDInterpolator",
            "CloughTocher2DInterpolator", "BivariateSpline", "LSQBivariateSpline",
            "LSQSphereBivariateSpline", "RectSphereBivariateSpline", "SmoothBivariateSpline",
            "SmoothSphereBivariateSpline", "bisplev", "bisplrep")))  # fmt: skip
unknown("rotations are not followed; write the matrix by its formula, which is differentiated",
        *(f"scipy.spatial.transform.Rotation.from_{n}" for n in (
            "rotvec", "quat", "matrix", "euler", "mrp", "davenport")),
        "scipy.spatial.transform.Rotation", "scipy.spatial.transform.Slerp")  # fmt: skip
