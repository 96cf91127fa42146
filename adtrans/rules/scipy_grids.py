"""`RegularGridInterpolator`, of fixed values, by the places where it is asked.

>>> from adtrans.ir.expr import Name
>>> from adtrans.ir.kinds import Array
>>> bound = GRID.bind((Name("s"), Name("x")), ())
>>> print(GRID.pullback("xi", bound, {"xi": Array("float64", (None, None))})[0])
grid_adjoint(y_bar, s, xi)
"""

from __future__ import annotations

from adtrans.ir.kinds import Array, Instance, Kind, TupleOf
from adtrans.rules import registry
from adtrans.rules.declare import Site, rule

_HELD = ("_values", "values")


def _places_refusal(site: Site) -> str | None:
    return None if isinstance(site.kind("xi"), Array) else (
        "the places have to be an array for certain, with a row for each of them: "
        "`np.stack((a, b), axis=-1)`"
    )  # fmt: skip


GRID = rule(
    "grid(s, xi)", inert=("s",), xi="grid_adjoint(y_bar, s, xi)", xi_dot="grid_along(s, xi, dot)",
    refuses=_places_refusal, register=False, stands_for="the value of a table",
)  # fmt: skip
registry.add_helper(rule(
    "grid_adjoint(g, table, xi)", register=False, inert=("table",),
    g="grid_along(table, xi, y_bar)", g_dot="grid_adjoint(dot, table, xi)",
    xi="grid_bend(g, table, xi, y_bar)", xi_dot="grid_bend(g, table, xi, dot)",
))  # fmt: skip
registry.add_helper(rule(
    "grid_along(table, xi, v)", register=False, inert=("table",),
    v="grid_adjoint(y_bar, table, xi)", v_dot="grid_along(table, xi, dot)",
    xi="grid_bend(y_bar, table, xi, v)", xi_dot="grid_twice(table, xi, v, dot)",
))  # fmt: skip


def is_table(cls: object) -> bool:
    """Whether objects of a class are tables on a grid; one of the user's may answer otherwise."""
    name = getattr(cls, "__name__", "")
    scipys = str(getattr(cls, "__module__", "")).startswith("scipy.interpolate")
    return scipys and name == "RegularGridInterpolator"


def is_grid(kind: Kind) -> bool:
    """Whether a value is a table of real numbers on a grid."""
    if not isinstance(kind, Instance) or not is_table(kind.cls):
        return False
    held = [k for name, k in kind.fields if name in _HELD]
    return bool(held) and isinstance(held[0], Array) and held[0].dtype == "float64"


def kind_on_grid(table: Kind, places: Kind) -> Array:
    """The values at places: an axis less than these, but at least one, and those of each value."""
    fields = dict(table.fields) if isinstance(table, Instance) else {}
    axes = fields.get("_grid", fields.get("grid"))
    held = next((fields[n] for n in _HELD if n in fields), None)
    if not isinstance(axes, TupleOf) or not isinstance(held, Array) or held.ndim is None:
        return Array("float64", None)
    if not isinstance(places, Array) or not places.ndim:
        return Array("float64", None)
    return Array("float64", (None,) * (max(places.ndim - 1, 1) + held.ndim - len(axes.items)))
