"""Interpolation on a grid, `RegularGridInterpolator`: derivatives by the places where it is asked.

Between the points of the grid it is linear along each axis, so that a derivative is the difference
of its own values on both sides of the cell. Where it does not go on beside the grid, the slope is 0
there; at a point of the grid it is that of the cell to the right.

>>> from scipy.interpolate import RegularGridInterpolator
>>> table = RegularGridInterpolator(([0.0, 2.0], [0.0, 1.0]), np.array([[0.0, 1.0], [4.0, 9.0]]))
>>> grid_adjoint(np.ones(1), table, np.array([[1.0, 0.5]])).tolist()
[[3.0, 3.0]]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.failures import DerivativeError

_SMOOTH = ("slinear", "cubic", "quintic")


def _slope(table: Any, places: Any, orders: tuple[int, ...]) -> Any:
    """The derivative of these orders along the axes, at places that are rows."""
    if table.method in _SMOOTH:
        found = table(places, nu=orders)
    elif table.method == "nearest" or max(orders) > 1:
        return np.zeros(np.shape(table(places)))
    elif table.method == "linear":
        found = _difference(table, places, orders)
    else:
        raise DerivativeError(
            f"a `RegularGridInterpolator` of method '{table.method}' has no derivative here",
            code="AD601",
        )
    if table.bounds_error or table.fill_value is None:
        return found
    beside = np.zeros(len(places), bool)
    for axis, points in enumerate(table.grid):
        beside |= (places[:, axis] < points[0]) | (places[:, axis] > points[-1])
    found[beside] = 0.0
    return found


def _difference(table: Any, places: Any, orders: tuple[int, ...]) -> Any:
    if not any(orders):
        return table(places)
    axis = orders.index(1)
    points = np.asarray(table.grid[axis])
    rest = tuple(0 if k == axis else n for k, n in enumerate(orders))
    if len(points) < 2:
        return np.zeros(np.shape(table(places)))
    at = np.clip(np.searchsorted(points, places[:, axis], side="right") - 1, 0, len(points) - 2)
    sides = []
    for k in (at, at + 1):
        moved = np.array(places)
        moved[:, axis] = points[k]
        sides.append(_difference(table, moved, rest))
    width = points[at + 1] - points[at]
    found = sides[1] - sides[0]
    return found / width.reshape((-1,) + (1,) * (found.ndim - 1))


def _rows(table: Any, xi: Any) -> tuple[Any, int]:
    """The places as rows of floats, and how many axes the grid has."""
    axes = len(table.grid)
    return np.asarray(xi, float).reshape(-1, axes), axes


def _unit(axes: int, *along: int) -> tuple[int, ...]:
    return tuple(along.count(k) for k in range(axes))


def _weighted(g: Any, slope: Any) -> Any:
    """The sum over what a grid has at each point, with the weights `g`."""
    return np.sum(np.reshape(g, slope.shape) * slope, axis=tuple(range(1, slope.ndim)))


def grid_adjoint(g: Any, table: Any, xi: Any) -> Any:
    """The adjoint of the places."""
    places, axes = _rows(table, xi)
    parts = [_weighted(g, _slope(table, places, _unit(axes, k))) for k in range(axes)]
    return np.stack(parts, axis=-1).reshape(np.shape(xi))


def grid_along(table: Any, xi: Any, v: Any) -> Any:
    """The slope for places that move by `v`.

    >>> from scipy.interpolate import RegularGridInterpolator
    >>> table = RegularGridInterpolator(([0.0, 2.0],), np.array([0.0, 1.0]))
    >>> grid_along(table, np.array([[1.0]]), np.array([[4.0]])).tolist()
    [2.0]
    """
    places, axes = _rows(table, xi)
    moved = np.broadcast_to(v, np.shape(xi)).reshape(-1, axes)
    parts = [_slope(table, places, _unit(axes, k)) for k in range(axes)]
    total = sum(_scaled(moved[:, k], part) for k, part in enumerate(parts))
    return _laid_out(total, xi)


def grid_bend(g: Any, table: Any, xi: Any, v: Any) -> Any:
    """How the adjoint of the places changes where they move by `v`."""
    places, axes = _rows(table, xi)
    moved = np.broadcast_to(v, np.shape(xi)).reshape(-1, axes)
    parts = [
        sum(moved[:, j] * _weighted(g, _slope(table, places, _unit(axes, k, j)))
            for j in range(axes))
        for k in range(axes)
    ]  # fmt: skip
    return np.stack(parts, axis=-1).reshape(np.shape(xi))


def grid_twice(table: Any, xi: Any, v: Any, w: Any) -> Any:
    """How the slope changes where the places move by `w`."""
    places, axes = _rows(table, xi)
    first, then = (np.broadcast_to(a, np.shape(xi)).reshape(-1, axes) for a in (v, w))
    total = sum(
        _scaled(first[:, k] * then[:, j], _slope(table, places, _unit(axes, k, j)))
        for k in range(axes)
        for j in range(axes)
    )
    return _laid_out(total, xi)


def _scaled(v: Any, slope: Any) -> Any:
    return v.reshape((-1,) + (1,) * (slope.ndim - 1)) * slope


def _laid_out(total: Any, xi: Any) -> Any:
    """As the values are: SciPy makes one row of places along one axis."""
    lead = np.shape(xi)[:-1] if np.ndim(xi) > 1 else (len(total),)
    return np.reshape(total, (*lead, *total.shape[1:]))
