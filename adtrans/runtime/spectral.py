"""Adjoints and tangents of eigenvalues and singular values; they work on stacks of matrices.

With equal eigenvalues the eigenvectors have no derivative: it is nan then, but only if they are
used. In the adjoints of tuples None stands for a result that nothing depends on.

Sources: Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
differentiation" (2008), for eigenvalues; Townsend, "Differentiating the singular value
decomposition" (2016); Boeddeker et al., "On the computation of complex-valued gradients" (2017),
for eigenvectors of unit length. What is transposed is conjugated, too: it may be complex.

>>> import numpy as np
>>> eigvalsh_pullback(np.ones(2), np.eye(2), "L")
array([[1., 0.],
       [0., 1.]])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.factorizations import adjoint, from_triangle, to_triangle, transposed
from adtrans.runtime.failures import DerivativeError


def nearly_equal(w: Any) -> Any:
    """Which of these are equal but for rounding.

    >>> nearly_equal(np.array([1.0, 1.0 + 1e-16, 2.0])).astype(int).tolist()
    [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    """
    w = np.asarray(w)
    n = np.shape(w)[-1]
    most = np.max(np.abs(w), axis=-1, initial=0.0)[..., None, None]
    return np.abs(w[..., None, :] - w[..., :, None]) <= 8 * n * np.finfo(w.dtype).eps * most


def turned_factor(x: Any, of: Any) -> Any:
    """What a number between two vectors of equal values is multiplied with: if it is not 0, these
    have to turn, and nothing says how.

    >>> turned_factor(np.array([[1.0, 1e-17], [0.5, 0.0]]), np.ones((2, 2))).tolist()
    [[0.0, 0.0], [nan, 0.0]]
    """
    n = np.shape(x)[-1]
    most = np.max(np.abs(of), axis=(-2, -1), keepdims=True, initial=0.0)
    none = np.abs(x) <= 64 * n * np.finfo(x.dtype).eps * most
    found = np.where(none | np.eye(n, dtype=bool), 0.0, np.nan)
    return found.astype(np.finfo(x.dtype).dtype)


def over_gaps(x: Any, w: Any, of: Any) -> Any:
    """`x_ij / (w_j - w_i)`, and 0 on the diagonal. Where the values are equal, 0 if `x` is 0 there,
    else nan; either but for rounding, which for `x` is that of numbers like `of`.

    >>> w = np.array([1.0, 1.0, 3.0])
    >>> over_gaps(np.array([[9.0, 0.0, 4.0], [0.0, 9.0, 2.0], [1.0, 1.0, 9.0]]), w, w[None])
    array([[ 0. ,  0. ,  2. ],
           [ 0. ,  0. ,  1. ],
           [-0.5, -0.5,  0. ]])
    """
    near = nearly_equal(w)
    gaps = np.where(near, 1.0, w[..., None, :] - w[..., :, None])
    return x * np.where(near, turned_factor(x, of), 1.0 / gaps)


def over_sums(x: Any, s: Any, of: Any) -> Any:
    """`x_ij / (s_i + s_j)`, and 0 on the diagonal: in the same way."""
    sums = s[..., None, :] + s[..., :, None]
    both = np.concatenate((s, -s), axis=-1)
    n = np.shape(s)[-1]
    near = nearly_equal(both)[..., :n, n:] | np.eye(n, dtype=bool)
    return x * np.where(near, turned_factor(x, of), 1.0 / np.where(near, 1.0, sums))


def diagonal_matrix(v: Any) -> Any:
    """The diagonal matrices that have `v` on their diagonals."""
    return v[..., :, None] * np.eye(np.shape(v)[-1], dtype=v.dtype)


def eigh_pullback(g: Any, y: Any, uplo: str) -> Any:
    """The adjoint of `np.linalg.eigh`, which reads one triangle; `g` and `y` are pairs."""
    w, v = y[0], y[1]
    if g[1] is None:
        inner = (v * np.expand_dims(g[0], -2)) @ adjoint(v)
        return to_triangle(inner, uplo)
    own = adjoint(v) @ g[1]
    inner = over_gaps(0.5 * (own - adjoint(own)), w, own)  # the rest makes no symmetric matrix
    if g[0] is not None:
        inner = inner + diagonal_matrix(g[0])
    return to_triangle(v @ inner @ adjoint(v), uplo)


def eigh_pushforward(t: Any, y: Any, uplo: str) -> Any:
    """The tangent of `np.linalg.eigh`: a pair."""
    w, v = y[0], y[1]
    inner = adjoint(v) @ from_triangle(t, uplo) @ v
    return np.einsum("...ii->...i", inner.real).copy(), v @ over_gaps(inner, w, inner)


def eigenvectors(a: Any, uplo: Any) -> Any:
    """The eigenvectors of a symmetric matrix of which one triangle is read."""
    return np.linalg.eigh(a, uplo)[1]


def eigvalsh_pullback(g: Any, a: Any, uplo: Any) -> Any:
    """The adjoint of `np.linalg.eigvalsh`."""
    v = eigenvectors(a, uplo)
    return to_triangle((v * np.expand_dims(g, -2)) @ adjoint(v), uplo)


def eigvalsh_pushforward(t: Any, a: Any, uplo: Any) -> Any:
    """The tangent of `np.linalg.eigvalsh`."""
    v = eigenvectors(a, uplo)
    return np.einsum("...ji,...jk,...ki->...i", v.conj(), from_triangle(t, uplo), v).real


def _require_real(w: Any) -> None:
    if np.iscomplexobj(w):
        raise DerivativeError(
            "the eigenvalues are complex here: pass the matrix `.astype(complex)`", code="AD602"
        )


def eig_pullback(g: Any, y: Any) -> Any:
    """The adjoint of `np.linalg.eig`; `g` and `y` are pairs.

    Raises:
        DerivativeError: for complex eigenvalues.
    """
    w, v = y[0], y[1]
    _require_real(w)
    inner = np.zeros_like(v)
    if g[1] is not None:
        own = transposed(v) @ g[1]
        length = np.einsum("...ii->...i", own)
        inner = over_gaps(own - (transposed(v) @ v) * length[..., None, :], w, own)
    if g[0] is not None:
        inner = inner + diagonal_matrix(g[0])
    return np.linalg.solve(transposed(v), inner @ transposed(v))


def eig_pushforward(t: Any, y: Any) -> Any:
    """The tangent of `np.linalg.eig`: a pair.

    Raises:
        DerivativeError: for complex eigenvalues.
    """
    w, v = y[0], y[1]
    _require_real(w)
    inner = np.linalg.solve(v, t @ v)
    moved = v @ over_gaps(inner, w, inner)
    along = np.sum(v * moved, axis=-2)
    return np.einsum("...ii->...i", inner).copy(), moved - v * along[..., None, :]


def eigvals_pullback(g: Any, a: Any) -> Any:
    """The adjoint of `np.linalg.eigvals`.

    Raises:
        DerivativeError: for complex eigenvalues.
    """
    w, v = np.linalg.eig(a)
    _require_real(w)
    return np.linalg.solve(transposed(v), g[..., :, None] * transposed(v))


def eigvals_pushforward(t: Any, a: Any) -> Any:
    """The tangent of `np.linalg.eigvals`.

    Raises:
        DerivativeError: for complex eigenvalues.
    """
    w, v = np.linalg.eig(a)
    _require_real(w)
    return np.einsum("...ii->...i", np.linalg.solve(v, t @ v)).copy()


def svd_pullback(g: Any, y: Any) -> Any:
    """The adjoint of `np.linalg.svd`; `g` and `y` are triples `(u, s, vh)`.

    Columns of `u` and rows of `vh` without a singular value (with `full_matrices=True`) are unique
    up to a sign only if there is one of them; then it has a derivative.

    Raises:
        DerivativeError: if something depends on several such columns.
    """
    s = y[1]
    n = np.shape(s)[-1]
    u, v = y[0][..., :, :n], adjoint(y[2][..., :n, :])
    wide = s[..., None, :]
    left = right = inner = np.zeros_like(adjoint(u) @ u)
    outer = np.zeros_like(u @ adjoint(v))
    if g[1] is not None:
        inner = inner + diagonal_matrix(g[1])
    if g[0] is not None:
        u_bar = g[0][..., :, :n]
        left = adjoint(u) @ u_bar
        if np.shape(u)[-2] > n:
            rest = (u_bar - u @ (adjoint(u) @ u_bar)) / wide
            outer = outer + rest @ adjoint(v)
        outer = outer - _beyond(g[0], y[0], n, u / wide, v)
    if g[2] is not None:
        v_bar = adjoint(g[2][..., :n, :])
        right = adjoint(v) @ v_bar
        if np.shape(v)[-2] > n:
            rest = (v_bar - v @ (adjoint(v) @ v_bar)) / wide
            outer = outer + u @ adjoint(rest)
        outer = outer - adjoint(_beyond(adjoint(g[2]), adjoint(y[2]), n, v / wide, u))
    if g[0] is not None or g[2] is not None:
        inner = inner + _turns(left - adjoint(left), right - adjoint(right), s, left, right)
    return outer + u @ inner @ adjoint(v)


def _turns(left: Any, right: Any, s: Any, left_of: Any, right_of: Any) -> Any:
    """`(left_ij s_j + s_i right_ij) / (s_j^2 - s_i^2)`, of which equal values leave what turns both
    sides in the opposite ways."""
    of = np.abs(left_of) + np.abs(right_of)
    return 0.5 * (over_gaps(left + right, s, of) + over_sums(left - right, s, of))


def _beyond(g: Any, whole: Any, n: int, scaled: Any, other: Any) -> Any:
    """What the columns without a singular value contribute."""
    extra = np.shape(whole)[-1] - n
    if extra == 0:
        return np.zeros_like(scaled @ adjoint(other))
    free, g_free = whole[..., :, n:], g[..., :, n:]
    if extra > 1 and np.any(g_free != 0):
        raise DerivativeError(
            "singular vectors that belong to no singular value have no derivative; "
            "use `full_matrices=False`"
        )
    return free @ (adjoint(g_free) @ scaled) @ adjoint(other)


def svd_pushforward(t: Any, y: Any) -> Any:
    """The tangent of `np.linalg.svd`: a triple; nan where several columns have none."""
    s = y[1]
    n = np.shape(s)[-1]
    u, v = y[0][..., :, :n], adjoint(y[2][..., :n, :])
    wide = s[..., None, :]
    inner = adjoint(u) @ t @ v
    same = over_gaps(inner + adjoint(inner), s, inner)
    opposite = over_sums(inner - adjoint(inner), s, inner)
    u_dot = u @ (0.5 * (same + opposite))
    v_dot = v @ (0.5 * (same - opposite))
    if np.shape(u)[-2] > n:
        u_dot = u_dot + (t @ v - u @ inner) / wide
    if np.shape(v)[-2] > n:
        v_dot = v_dot + (adjoint(t) @ u - v @ adjoint(inner)) / wide
    u_dot = _whole_dot(u_dot, u, y[0])
    vh_dot = adjoint(_whole_dot(v_dot, v, adjoint(y[2])))
    return u_dot, np.einsum("...ii->...i", inner.real).copy(), vh_dot


def _whole_dot(dot: Any, thin: Any, whole: Any) -> Any:
    """The tangent of an orthogonal matrix, given that of its first columns."""
    n = np.shape(thin)[-1]
    extra = np.shape(whole)[-1] - n
    if extra == 0:
        return dot
    free = whole[..., :, n:]
    factor = -1.0 if extra == 1 else np.nan
    return np.concatenate([dot, factor * (thin @ (adjoint(dot) @ free))], axis=-1)


def svdvals_pullback(g: Any, a: Any) -> Any:
    """The adjoint of the singular values alone."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return (u * np.expand_dims(g, -2)) @ vh


def svdvals_pushforward(t: Any, a: Any) -> Any:
    """The tangent of the singular values alone."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return np.einsum("...ji,...jk,...ik->...i", u.conj(), t, vh.conj()).real
