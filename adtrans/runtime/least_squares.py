"""The adjoint and the tangent of `np.linalg.lstsq` while the rank does not change.

The solution is `pinv(a) @ b`, whose differential is that of the pseudoinverse (Golub and Pereyra,
"The differentiation of pseudo-inverses and nonlinear least squares problems whose variables
separate", SIAM J. Numer. Anal. 10, 1973). The residual `r` is orthogonal to the columns of `a`, so
the sums of squares vary by `2 r . (db - da x)`. Singular values: `ds = diag(u.T da v)`.

>>> import numpy as np
>>> a, b = np.array([[1.0], [1.0]]), np.array([1.0, 3.0])
>>> y = np.linalg.lstsq(a, b, None)
>>> lstsq_right((np.array([1.0]), None, None, None), a, b, y, None)
array([0.5, 0.5])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.broadcasting import unbroadcast
from adtrans.runtime.factorizations import adjoint


def lstsq_left(g: Any, a: Any, b: Any, y: Any, rcond: Any) -> Any:
    """The adjoint of the matrix; `g` has None for results that carry no adjoint."""
    x, r = _columns(y[0], b), _columns(b, b) - a @ _columns(y[0], b)
    total = np.zeros_like(a)
    if g[0] is not None:
        inverse = _inverse(a, rcond)
        seed = _columns(g[0], b)
        back = adjoint(inverse) @ seed
        total = total - back @ adjoint(x) + r @ adjoint(inverse @ back)
        total = total + (adjoint(inverse) @ x) @ adjoint(seed - adjoint(a) @ back)
    if g[1] is not None and np.size(y[1]):
        total = total - (2.0 * r * _each(g[1], r)) @ adjoint(x)
    if g[3] is not None and y[3] is not None:  # one of LAPACK's ways gives no singular values
        u, _, vh = np.linalg.svd(a, full_matrices=False)
        total = total + (u * np.expand_dims(g[3], -2)) @ vh
    return unbroadcast(total, np.shape(a))


def lstsq_right(g: Any, a: Any, b: Any, y: Any, rcond: Any) -> Any:
    """The adjoint of the right side; `g` has None for results that carry no adjoint."""
    total = np.zeros_like(_columns(b, b))
    if g[0] is not None:
        total = total + adjoint(_inverse(a, rcond)) @ _columns(g[0], b)
    if g[1] is not None and np.size(y[1]):
        r = _columns(b, b) - a @ _columns(y[0], b)
        total = total + 2.0 * r * _each(g[1], r)
    return np.reshape(unbroadcast(total, np.shape(_columns(b, b))), np.shape(b))


def lstsq_left_pushforward(t: Any, a: Any, b: Any, y: Any, rcond: Any) -> Any:
    """The tangent for the matrix."""
    x, r = _columns(y[0], b), _columns(b, b) - a @ _columns(y[0], b)
    inverse = _inverse(a, rcond)
    free = adjoint(t) @ (adjoint(inverse) @ x)
    x_dot = inverse @ (adjoint(inverse) @ (adjoint(t) @ r) - t @ x) + free - inverse @ (a @ free)
    if np.size(y[1]):
        moved = np.sum((r.conj() * (t @ x)).real, axis=-2)
        residuals_dot = np.reshape(-2.0 * moved, np.shape(y[1]))
    else:
        residuals_dot = np.zeros_like(y[1])
    if y[3] is None:
        s_dot: Any = 0.0
    else:
        u, _, vh = np.linalg.svd(a, full_matrices=False)
        s_dot = np.einsum("...ji,...jk,...ik->...i", u.conj(), t, vh.conj()).real
    return np.reshape(x_dot, np.shape(y[0])), residuals_dot, 0.0, s_dot


def lstsq_right_pushforward(t: Any, a: Any, b: Any, y: Any, rcond: Any) -> Any:
    """The tangent for the right side."""
    r = _columns(b, b) - a @ _columns(y[0], b)
    if np.size(y[1]):
        moved = np.sum((r.conj() * _columns(t, b)).real, axis=-2)
        residuals_dot = np.reshape(2.0 * moved, np.shape(y[1]))
    else:
        residuals_dot = np.zeros_like(y[1])
    x_dot = np.reshape(_inverse(a, rcond) @ _columns(t, b), np.shape(y[0]))
    return x_dot, residuals_dot, 0.0, 0.0 if y[3] is None else np.zeros_like(y[3])


def _each(g: Any, r: Any) -> Any:
    """A number for each column of the residuals `r`."""
    return np.reshape(g, (*np.shape(r)[:-2], 1, np.shape(r)[-1]))


def _columns(v: Any, b: Any) -> Any:
    """`v` with its columns side by side, also where the right side `b` is a vector."""
    return np.expand_dims(v, -1) if np.ndim(b) == 1 else v


def _inverse(a: Any, rcond: Any) -> Any:
    """The pseudoinverse that `np.linalg.lstsq(a, b, rcond)` applies."""
    a = np.asarray(a)
    a = a if a.dtype.kind in "fc" else a.astype(float)
    if rcond is None or rcond == "warn":
        cut = np.finfo(a.dtype).eps * max(np.shape(a))
    else:
        cut = rcond if rcond >= 0 else np.finfo(a.dtype).eps
    return np.linalg.pinv(a, cut)
