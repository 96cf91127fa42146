"""Universal functions that change elements in place (`ufunc.at`), as functions of the old contents.

Each index counts, one after the other, also where an element is met several times.

>>> import numpy as np
>>> multiplied_at(np.ones(3), np.array([0, 0, 2]), np.array([2.0, 3.0, 4.0]))
array([6., 1., 4.])
>>> factors_at(np.ones(3), np.array([0, 0, 2]), np.array([2.0, 3.0, 4.0]))
array([3., 2., 1.])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.cumulative import others_slope
from adtrans.runtime.failures import DerivativeError
from adtrans.runtime.scatter import positions


def multiplied_at(a: Any, indices: Any, b: Any) -> Any:
    """`a` after `np.multiply.at(a, indices, b)`; linear in `a`."""
    return _updated(np.multiply, a, indices, b)


def divided_at(a: Any, indices: Any, b: Any) -> Any:
    """`a` after `np.divide.at(a, indices, b)`; linear in `a`."""
    return _updated(np.divide, a, indices, b)


def largest_at(a: Any, indices: Any, b: Any) -> Any:
    """`a` after `np.maximum.at(a, indices, b)`."""
    return _updated(np.maximum, a, indices, b)


def smallest_at(a: Any, indices: Any, b: Any) -> Any:
    """`a` after `np.minimum.at(a, indices, b)`."""
    return _updated(np.minimum, a, indices, b)


def _updated(ufunc: Any, a: Any, indices: Any, b: Any) -> Any:
    y = np.array(a)
    ufunc.at(y, indices, b)
    return y


def factors_at(a: Any, indices: Any, b: Any) -> Any:
    """The slope of `multiplied_at` for each factor: `a` times the others that meet its element.

    >>> factors_at(np.ones(1), np.array([0, 0]), np.array([0.0, 3.0]))
    array([3., 0.])
    """
    source, given = _places(np.shape(a), indices, b)
    zero = given == 0
    plain = np.where(zero, 1.0, given)
    product, zeros = np.ones(np.size(a), plain.dtype), np.zeros(np.size(a), int)
    np.multiply.at(product, source, plain)
    np.add.at(zeros, source, zero)
    others = np.where(zeros[source] == zero, product[source] / plain, 0.0)
    return np.ravel(a)[source] * others


def factors_at_slope(t: Any, a: Any, indices: Any, b: Any) -> Any:
    """The change of `factors_at` along a tangent of the factors: the matrix is symmetric.

    >>> a, two = np.ones(1), np.array([2.0, 3.0])
    >>> factors_at_slope(np.array([1.0, 0.0]), a, np.array([0, 0]), two)
    array([0., 1.])
    """
    source, given = _places(np.shape(a), indices, b)
    flat, factors = source.ravel(), given.ravel()
    seeds = np.broadcast_to(t, source.shape).ravel()
    out = np.zeros(flat.shape, np.result_type(seeds, factors))
    for place in np.unique(flat):
        met = flat == place
        out[met] = np.ravel(a)[place] * others_slope(seeds[met], factors[met])
    return out.reshape(source.shape)


def met_once(indices: Any, shape: tuple[int, ...]) -> Any:
    """The indices, if they meet no element twice: then `ufunc.at` is what the function makes of
    the elements.

    Raises:
        DerivativeError: if an element is met twice.

    >>> met_once(np.array([2, 0]), (3,))
    array([2, 0])
    """
    places = np.ravel(positions(shape)[indices])
    if len(np.unique(places)) < len(places):
        raise DerivativeError("an element is met twice: the derivative is for indices that differ")
    return indices


def places_at(indices: Any, shape: tuple[int, ...]) -> Any:
    """The flat positions that an index means, in an array of this shape.

    >>> places_at(([0, 0, 1], [2, 2, 0]), (2, 3))
    array([2, 2, 3])
    """
    return np.asarray(positions(shape)[indices])


def turns_at(places: Any) -> list[Any]:
    """Which of the places have their turn together, in their order: no place comes twice in a turn.

    >>> turns_at(np.array([4, 2, 4, 4, 2]))
    [array([0, 1]), array([2, 4]), array([3])]
    """
    order = np.argsort(places, kind="stable")
    starts = np.flatnonzero(np.diff(places[order], prepend=-1))
    lengths = np.diff(starts, append=len(order))
    turn = np.empty(len(order), np.intp)
    turn[order] = np.arange(len(order)) - np.repeat(starts, lengths)
    return [np.flatnonzero(turn == k) for k in range(max(lengths, default=0))]


def added_at(shape: tuple[int, ...], indices: Any, values: Any) -> Any:
    """Zeros of this shape, to which the values are added.

    >>> added_at((3,), np.array([0, 0, 2]), 1.5)
    array([3. , 0. , 1.5])
    """
    out = np.zeros(shape, np.result_type(np.asarray(values), np.float32))
    np.add.at(out, indices, values)
    return out


def extremal_at(y: Any, a: Any, indices: Any, b: Any) -> Any:
    """For each element of `y`, the largest or smallest of what met there: the flat place in `b`
    (as it is broadcast) that it comes from, -1 where it is that of `a`; the first of equal ones.

    >>> extremal_at(np.array([3.0, 1.0]), np.ones(2), np.array([0, 0]), np.array([2.0, 3.0]))
    array([ 1, -1])
    """
    source, given = _places(np.shape(y), indices, b)
    flat = source.ravel()
    hits = np.flatnonzero(given.ravel() == np.ravel(y)[flat])[::-1]  # the first is written last
    out = np.full(np.size(y), -1)
    out[flat[hits]] = hits
    out[np.ravel(y) == np.ravel(a)] = -1
    return out.reshape(np.shape(y))


def extremal_at_pullback(g: Any, source: Any, places: Any) -> Any:
    """The adjoint of what `np.maximum.at` is given, as it is broadcast to the `places`."""
    out = np.zeros(np.size(places), np.result_type(g))
    won = source >= 0
    out[source[won]] = g[won]
    return out.reshape(np.shape(places))


def extremal_at_pushforward(t: Any, source: Any, places: Any) -> Any:
    """The tangent of the result where it comes from what `np.maximum.at` is given, else 0."""
    flat = np.broadcast_to(t, np.shape(places)).ravel()
    return np.where(source >= 0, flat[np.maximum(source, 0)], 0.0) if flat.size else 0.0 * source


def _places(shape: tuple[int, ...], indices: Any, b: Any) -> tuple[Any, Any]:
    """The flat positions that the indices mean, and `b` broadcast to them."""
    source = np.asarray(positions(shape)[indices])
    return source, np.broadcast_to(b, source.shape)
