"""Adjoints and tangents of covariance matrices.

>>> import numpy as np
>>> g = np.array([[1.0, 0.0], [0.0, 0.0]])
>>> cov_pullback(g, np.array([[0.0, 2.0], [1.0, 5.0]]), None, True, False, None, None, None, 0)
array([[-2.,  2.],
       [ 0.,  0.]])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.broadcasting import unbroadcast


def _stands(m: Any, rowvar: bool, which: int) -> bool:
    """Whether `np.cov` takes the rows of its first (`which` 0) or second argument as variables.

    Of one row that is an array of its own, NumPy 2.2 and later turn the first argument only.
    """
    if rowvar or np.ndim(m) < 2:
        return True
    version = tuple(int(part) for part in np.__version__.split(".")[:2])
    return np.shape(m)[0] == 1 and (which == 1 or version < (2, 2))


def _variables(m: Any, rowvar: bool, which: int) -> Any:
    """The observations of an argument of `np.cov` with one variable to a row."""
    x = np.atleast_2d(m)
    return x if _stands(m, rowvar, which) else x.T


def _centred(
    m: Any, other: Any, rowvar: bool, bias: bool, ddof: Any, fweights: Any, aweights: Any
) -> tuple[Any, Any]:
    """The deviations from the mean of all variables, and the weight of each observation."""
    x = _variables(m, rowvar, 0)
    if other is not None:
        x = np.concatenate([x, _variables(other, rowvar, 1)], axis=0)
    n = x.shape[1]
    ddof = (0 if bias else 1) if ddof is None else ddof
    w = np.ones(n)
    if fweights is not None:
        w = w * np.asarray(fweights)
    if aweights is not None:
        w = w * np.asarray(aweights)
    total = np.sum(w)
    freedom = total - ddof
    if ddof and aweights is not None:
        freedom = total - ddof * np.sum(w * np.asarray(aweights)) / total
    centred = x - np.sum(x * w, axis=1, keepdims=True) / total
    return centred, w.astype(centred.dtype, copy=False) / centred.dtype.type(freedom)


def _onto(found: Any, m: Any, other: Any, rowvar: bool, which: int) -> Any:
    """The rows that belong to one of the operands, laid out as it is."""
    mine = other if which else m
    n = len(_variables(m, rowvar, 0))
    rows = found[n:] if which else found[:n]
    turned = rows if _stands(mine, rowvar, which) else rows.T
    return np.reshape(turned, np.shape(mine))


def cov_pullback(
    g: Any, m: Any, other: Any, rowvar: bool, bias: bool, ddof: Any, fweights: Any, aweights: Any,
    which: int,
) -> Any:  # fmt: skip
    """The adjoint of `np.cov` for its first (`which` 0) or its second (1) argument."""
    if not np.size(g):  # of no variables NumPy makes an empty matrix, whatever else there is
        return np.zeros(np.shape(other if which else m))
    x, w = _centred(m, other, rowvar, bias, ddof, fweights, aweights)
    g = np.reshape(g, (len(x), len(x)))
    return _onto((g + g.T) @ (x * w), m, other, rowvar, which)


def cov_pushforward(
    t: Any, m: Any, other: Any, rowvar: bool, bias: bool, ddof: Any, fweights: Any, aweights: Any,
    which: int,
) -> Any:  # fmt: skip
    """The tangent of `np.cov` for one of its arguments."""
    if not len(_variables(m, rowvar, 0)):
        return np.zeros((0, 0))
    x, w = _centred(m, other, rowvar, bias, ddof, fweights, aweights)
    dx = np.zeros_like(x)
    n = len(_variables(m, rowvar, 0))
    dx[slice(n, None) if which else slice(n)] = _variables(t, rowvar, which)
    half = (dx * w) @ x.T
    return np.squeeze(half + half.T)[()]


def _weighing(m: Any, other: Any, rowvar: bool, bias: bool, ddof: Any, fweights: Any,
              aweights: Any) -> tuple[Any, Any, Any]:  # fmt: skip
    """The deviations from the mean, how much more the sum of squares counts each, and how the
    number that it is divided by varies with each of the `aweights`, in parts of that number."""
    x, _ = _centred(m, other, rowvar, bias, ddof, fweights, aweights)
    a = np.asarray(aweights) * 1.0
    often = np.ones(len(a)) if fweights is None else np.asarray(fweights) * 1.0
    ddof = (0 if bias else 1) if ddof is None else ddof
    total, squares = np.sum(often * a), np.sum(often * a * a)
    freedom = total - ddof * squares / total
    varies = often * (1.0 - ddof * (2.0 * a / total - squares / (total * total)))
    return x, often / freedom, varies / freedom


def cov_weights_pullback(
    g: Any, y: Any, m: Any, other: Any, rowvar: bool, bias: bool, ddof: Any, fweights: Any,
    aweights: Any,
) -> Any:  # fmt: skip
    """The adjoint of `np.cov` for `aweights`.

    >>> m = np.array([0.0, 1.0, 3.0])
    >>> cov_weights_pullback(1.0, 14 / 9, m, None, True, True, None, None, np.ones(3)).round(3)
    array([ 0.074, -0.481,  0.407])
    """
    if not np.size(g):
        return np.zeros(np.shape(aweights))
    x, share, varies = _weighing(m, other, rowvar, bias, ddof, fweights, aweights)
    g = np.reshape(g, (len(x), len(x)))
    return share * np.einsum("kl,ki,li->i", g, x, x) - varies * np.sum(g * np.reshape(y, g.shape))


def cov_weights_pushforward(
    t: Any, y: Any, m: Any, other: Any, rowvar: bool, bias: bool, ddof: Any, fweights: Any,
    aweights: Any,
) -> Any:  # fmt: skip
    """The tangent of `np.cov` for `aweights`."""
    if not np.size(y):
        return np.zeros(np.shape(y))
    x, share, varies = _weighing(m, other, rowvar, bias, ddof, fweights, aweights)
    moved = np.einsum("i,ki,li->kl", share * t, x, x)
    return np.reshape(moved, np.shape(y))[()] - y * np.sum(varies * t)


def _correlation(
    m: Any, other: Any, rowvar: bool
) -> tuple[Any, Any]:
    """Correlations and standard deviations (of the sums of squares: the scale drops out)."""
    x, w = _centred(m, other, rowvar, False, None, None, None)
    c = (x * w) @ np.transpose(x)
    s = np.sqrt(np.diagonal(c))
    return c / s[:, None] / s, s


def corrcoef_pullback(g: Any, m: Any, other: Any, rowvar: bool, which: int) -> Any:
    """The adjoint of `np.corrcoef` for its first (`which` 0) or its second (1) argument."""
    r, s = _correlation(m, other, rowvar)
    g = np.reshape(g, np.shape(r))
    inner = g / s[:, None] / s
    inner = inner - np.diag(np.sum((g + np.transpose(g)) * r, axis=1) / (2 * s * s))
    return cov_pullback(inner, m, other, rowvar, False, None, None, None, which)


def corrcoef_pushforward(t: Any, m: Any, other: Any, rowvar: bool, which: int) -> Any:
    """The tangent of `np.corrcoef` for one of its arguments."""
    r, s = _correlation(m, other, rowvar)
    c_dot = cov_pushforward(t, m, other, rowvar, False, None, None, None, which)
    c_dot = np.reshape(c_dot, r.shape)
    part = np.diagonal(c_dot) / (2 * s * s)
    return np.squeeze(c_dot / s[:, None] / s - r * (part[:, None] + part))[()]


def vecdot_pullback(g: Any, shape: tuple[int, ...], other: Any, axis: int) -> Any:
    """The adjoint of one operand of `np.vecdot`.

    >>> vecdot_pullback(2.0, (3,), np.array([1.0, 2.0, 3.0]), -1)
    array([2., 4., 6.])
    """
    moved = np.expand_dims(g, -1) * np.moveaxis(other, axis, -1)
    mine = axis % len(shape)
    others = (*shape[:mine], *shape[mine + 1 :])
    return np.moveaxis(unbroadcast(moved, (*others, shape[mine])), -1, mine)
