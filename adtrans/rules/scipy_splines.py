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

from adtrans.ir.kinds import Array, Instance, Kind, Scalar
from adtrans.rules import registry
from adtrans.rules.declare import Site, rule, unknown
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


# splines whose values vary, as `lower.splines` writes them: linear in the values
_LINE = "the values of a spline have to be those along one line"
_KNOTS = {"x": "only that of the values has a rule: the places between which it goes are fixed"}


def _places_refusal(site: Site) -> str | None:
    if "t" in site.bound and not isinstance(site.kind("t"), Array | Scalar):
        return "the places have to be numbers or arrays for certain"
    return _LINE if "v" in site.bound and site.ndim("v") != 1 else None


_PLACES = {"t": "y_bar * {}({}, t, nu + 1, extrapolate)",
           "t_dot": "dot * {}({}, t, nu + 1, extrapolate)"}  # fmt: skip
_HELPERS: dict[str, dict[str, str]] = {
    **{
        f"{name}(made, {of}v, t, nu, extrapolate)": {
            "v": "spline_values(y_bar, made, np.shape(v), t, nu, extrapolate)",
            "v_dot": "spline_along(made, dot, t, nu, extrapolate)",
            **{k: f.format("spline_along", "made, v") for k, f in _PLACES.items()},
        }
        for name, of in (("spline_at", "x, "), ("spline_derivative", "x, "), ("spline_along", ""))
    },
    "spline_values(g, made, shape, t, nu, extrapolate)": {
        "g": "spline_along(made, y_bar, t, nu, extrapolate)",
        "g_dot": "spline_values(dot, made, shape, t, nu, extrapolate)",
        "t": "g * spline_along(made, y_bar, t, nu + 1, extrapolate)",
        "t_dot": "spline_values(g * dot, made, shape, t, nu + 1, extrapolate)",
    },
    **{
        f"{name}(made, {of}v, a, b, extrapolate)": {
            "v": "integral_values(y_bar, made, np.shape(v), a, b, extrapolate)",
            "v_dot": "integral_along(made, dot, a, b, extrapolate)",
            "a": "-y_bar * spline_along(made, v, a, 0, extrapolate)",
            "a_dot": "-dot * spline_along(made, v, a, 0, extrapolate)",
            "b": "y_bar * spline_along(made, v, b, 0, extrapolate)",
            "b_dot": "dot * spline_along(made, v, b, 0, extrapolate)",
        }
        for name, of in (("spline_integral", "x, "), ("integral_along", ""))
    },
    "integral_values(g, made, shape, a, b, extrapolate)": {
        "g": "integral_along(made, y_bar, a, b, extrapolate)",
        "g_dot": "integral_values(dot, made, shape, a, b, extrapolate)",
        "a": "-g * spline_along(made, y_bar, a, 0, extrapolate)",
        "a_dot": "-spline_values(g * dot, made, shape, a, 0, extrapolate)",
        "b": "g * spline_along(made, y_bar, b, 0, extrapolate)",
        "b_dot": "spline_values(g * dot, made, shape, b, 0, extrapolate)",
    },
}
FOLLOWED = frozenset(f"scipy.interpolate.{n}" for n in (
    "PchipInterpolator", "Akima1DInterpolator", "CubicSpline", "CubicHermiteSpline",
    "make_interp_spline", "interp1d", "BSpline", "InterpolatedUnivariateSpline",
    "BarycentricInterpolator", "KroghInterpolator", "UnivariateSpline", "splrep", "splev",
))  # fmt: skip
"""Those whose values may vary: `lower.splines` writes what is asked of them."""
_MADE = ("it is followed where its options are written out, "
         "it has one name, and is only asked for values, derivatives or integrals")  # fmt: skip
_BETWEEN = ("scipy.interpolate.UnivariateSpline", "scipy.interpolate.splrep")
unknown(_MADE, *sorted(FOLLOWED - {*_BETWEEN}))
unknown("it goes between the values, and chooses its places by them; with `s=0` it goes through "
        "them, and is followed where it has one name, and is only asked for values", *_BETWEEN)
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
for _text, _words in _HELPERS.items():
    registry.add_helper(
        rule(_text, **_words, inert=("made", "shape", "nu", "extrapolate"), refuses=_places_refusal,
             without=_KNOTS if ", x, " in _text else {}, register=False,
             stands_for="the integral of a spline" if "integral" in _text else
             "the derivative of a spline" if "derivative" in _text else "the value of a spline")
    )  # fmt: skip
# splines of cubics, whose derivatives are those of functions in Python
registry.add_helper(rule("spline_matched(found, same)", same="y_bar", same_dot="dot",
                         inert=("found",), like=("same",), register=False))  # fmt: skip
registry.add_helper(rule(
    "shaped_as(a, made, t, given)", register=False, inert=("made", "t", "given"),
    a="lined_up(y_bar, made, t)",
    a_dot="shaped_as(np.broadcast_to(dot, np.shape(a)), made, t, given)",
))  # fmt: skip
registry.add_helper(rule(
    "laid_out(a, made, t)", register=False, inert=("made", "t"), a="lined_up(y_bar, made, t)",
    a_dot="laid_out(np.broadcast_to(dot, np.shape(a)), made, t)",
))  # fmt: skip
registry.add_helper(rule(
    "lined_up(g, made, t)", register=False, inert=("made", "t"), g="laid_out(y_bar, made, t)",
    g_dot="lined_up(np.broadcast_to(dot, np.shape(g)), made, t)",
))  # fmt: skip
registry.add_helper(rule(
    "cubic_powers(u, nu)", register=False, inert=("nu",),
    u="np.sum(y_bar * cubic_powers(u, nu + 1), axis=0)", u_dot="dot * cubic_powers(u, nu + 1)",
))  # fmt: skip
registry.add_helper(rule(
    "tridiagonal(bands, right)", register=False, like=("right",),
    right="tridiagonal(bands_turned(bands), y_bar)", right_dot="tridiagonal(bands, dot)",
    bands="-bands_of_outer(tridiagonal(bands_turned(bands), y_bar), y)",
    bands_dot="-tridiagonal(bands, bands_times(np.broadcast_to(dot, np.shape(bands)), y))",
))  # fmt: skip
registry.add_helper(rule(
    "bands_turned(bands)", register=False, like=("bands",), bands="bands_turned(y_bar)",
    bands_dot="bands_turned(np.broadcast_to(dot, np.shape(bands)))",
))  # fmt: skip
for _name in ("spline_value", "derivative_value", "integral_value", "made_extrapolates"):
    registry.add_helper(Rule(_name, "", "constant", inert_ok=frozenset({"*"})))
registry.add_helper(
    Rule("spline_made", "f(maker, x, y, slopes=None, *, bc_type=None, extrapolate=None, k=None, "
         "kind=None, axis=None, bounds_error=None, fill_value=None, assume_sorted=None, s=None, "
         "method=None)",
         "constant",
         inert_ok=frozenset({"*"}))  # the derivative goes on beside it
)
