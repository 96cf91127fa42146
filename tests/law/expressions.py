"""Programs over many primitives: gathers, reductions, products, and what carries no derivative."""

from __future__ import annotations

import numpy as np

from tests.law.case import collect

program, PROGRAMS = collect()

trapezoid = np.trapezoid if hasattr(np, "trapezoid") else np.trapz  # noqa: NPY201
MATRIX = np.array([[0.6, 0.9, 1.3], [0.7, 1.1, 0.4]])
OTHER = np.array([[0.5, 0.8, 0.3], [0.2, 0.9, 1.4]])
VECTOR = np.array([0.6, 0.9, 1.3, 0.7])
SQUARE = np.array([[2.0, 0.3, 0.1], [0.2, 1.5, 0.4], [0.3, 0.2, 1.8]])


@program(VECTOR)
def where(x):
    return np.where(x > 0.8, x * x, np.sin(x))


@program(VECTOR, VECTOR[::-1].copy())
def maximum_minimum_clip(a, b):
    return np.maximum(a, b) * np.minimum(a, 0.8) + np.clip(a, 0.65, b)


@program(VECTOR)
def sorted_twice(x):
    y = x * x
    y.sort()
    return y * np.array([1.0, 2, 3, 4]) + np.sort(x)[::-1]


@program(VECTOR)
def cumulative(x):
    return np.cumsum(x * x) * np.cumprod(x) + np.diff(np.concatenate([x, x[:1]]))


@program(MATRIX)
def cumulative_axes(A):
    return np.cumsum(A, axis=1) * np.cumsum(A, axis=0)


@program(MATRIX, OTHER)
def einsums(A, B):
    return np.einsum("ij,kj->ik", A, B) @ np.einsum("ij->i", A * B)


@program(SQUARE, VECTOR[:3])
def vector_matmuls(S, v):
    return S @ v @ S + v @ S @ v


@program(np.stack([SQUARE, SQUARE * 0.5]), SQUARE)
def stacked_matmul(a, b):
    return a @ b + b @ a


@program(np.stack([SQUARE, SQUARE * 0.5]), VECTOR[:3])
def stacked_matvec(a, v):
    return a @ v * (v @ a)


@program(VECTOR)
def duplicates_stored(x):
    y = np.zeros(3)
    i = np.array([0, 0, 2, 0])
    y[i] = x * x
    y[i] += x
    return y


@program(VECTOR, may_refuse=("refuse",))
def duplicates_gathered(x):
    i = np.array([0, 0, 3, -1])
    y = x[i]
    y *= x
    return y


@program(VECTOR)
def duplicates_added(x):
    y = np.zeros(3)
    np.add.at(y, np.array([0, 0, 2, -1]), x * x)
    return y * y


@program(VECTOR, 0.7)
def powers_and_divisions(x, w):
    y = x * 1.0
    y **= 2
    y /= w
    y **= w
    y -= w
    return y


@program(MATRIX)
def reductions(A):
    return (
        A.sum(axis=0) * A.max(axis=0)
        + A.min(axis=(0,))
        + A.prod(axis=-2)
        + A.var(axis=0)
        + A.std(axis=0, ddof=1)
    )


@program(MATRIX)
def reductions_kept(A):
    return np.sum(A, axis=(0, 1), keepdims=True) * np.max(A) * np.linalg.norm(A) + np.linalg.norm(
        A, axis=1, keepdims=True
    )


@program(MATRIX.astype(np.float32))
def reductions_of_single(A):
    return A.sum(axis=0, dtype=np.float64) * A.mean(0)


@program(MATRIX, np.array([[1, 0], [2, 1]]))
def takes(A, i):
    return (
        np.take_along_axis(A, i, axis=1) * np.take(A, [0, 0, -1], axis=1)[:, :2]
        + A[[1, 0]][:, i[0]]
    )


@program(MATRIX, np.array([0, 1, 1, 0]), np.array([2, 2, 0, 2]))
def pairs_of_indices(A, i, j):
    y = A * 1.0
    z = y[i, j]
    y2 = np.zeros((2, 3))
    y2[i, j] = z * z
    y2[i, j] += z
    return y2


@program(MATRIX, np.array([0, 1, 1, 0]), np.array([2, 2, 0, 2]))
def ufunc_at(A, i, j):
    y = np.zeros((2, 3))
    np.add.at(y, (i, j), A[i, j] ** 2)
    np.subtract.at(y, (slice(None), j), 0.1 * A[:, j])
    return y


@program(MATRIX, may_refuse=("refuse",))
def columns_swapped(A):
    y = A * 1.0
    y[:, [0, 2]] = y[:, [2, 0]] * y[:, 1:2]
    y[A > 0.8] -= A[A > 0.8] ** 2
    y[0, [0, 0]] = A[1, :2]
    return y


@program(VECTOR)
def integer_arrays(x):
    n = np.zeros(4, int)
    n[1:] = 2
    n += 1
    k = np.arange(4)
    k[0] = 3
    return x**n * x[k] * k


@program(VECTOR)
def index_changed_after_use(x):
    k = np.arange(4)
    y = x[k]
    k[:] = 0
    return y * x[k]


@program(VECTOR, may_refuse=("refuse",))
def index_changed_in_a_loop(x):
    k = np.arange(4)
    y = np.zeros(4)
    for i in range(3):
        k[i] = i + 1
        y[k] += x[k] * i
    return y


@program(VECTOR)
def constant_buffer(x):
    k = np.zeros(4)
    s = 0.0
    for i in range(3):
        k[:] = i + 1
        s += np.sum(k * x)
    return s


@program(VECTOR)
def integer_buffer(x):
    k = np.zeros(4, dtype=int)
    s = 0.0
    for i in range(3):
        k += 1
        s += np.sum(k * x)
    return s


@program(VECTOR, may_refuse=("refuse",))
def mask_grown_in_a_loop(x):
    m = np.zeros(4, bool)
    s = 0.0
    for i in range(3):
        m[i] = True
        s += np.sum(x[m] ** 2)
        s += np.sum(np.where(m, x * x, x))
    return s


@program(VECTOR, may_refuse=("refuse",))
def factor_changed_later(x):
    n = np.array([2.0])
    y = x * n
    n[0] = 3.0
    return y


@program(VECTOR)
def exponent_changed_later(x):
    n = np.array([2, 3, 2, 3])
    y = x**n
    n += 1
    return y


@program(VECTOR)
def bound_changed_later(x):
    lo = np.full(4, 0.65)
    y = np.clip(x * x, lo, 1.0)
    lo[:] = 9.0
    return y


@program(VECTOR)
def shape_list_changed_later(x):
    sh = [2, 2]
    y = x.reshape(sh)
    sh[0] = 4
    sh[1] = 1
    return y * y


@program(VECTOR)
def triangles(x):
    L = np.zeros((4, 4))
    for i in range(4):
        for j in range(i + 1):
            L[i, j] = x[i] * x[j]
        L[i] += x[i]
    return np.tril(L) @ x + np.triu(L, 1) @ x


@program(SQUARE)
def inverse_and_solve(S):
    return np.linalg.inv(S) + np.linalg.det(S) * np.linalg.solve(S, S.T)


@program(SQUARE)
def cholesky(S):
    return np.linalg.cholesky(S @ S.T)


@program(SQUARE)
def eigenvalues(S):
    w, v = np.linalg.eigh(S + S.T)
    return w


@program(VECTOR, VECTOR[::-1].copy())
def outer_products(a, b):
    return np.outer(a, b) * np.kron(a[:2], b[:2]) + np.dot(a, b) * np.inner(a, b) + np.vdot(a, b)


@program(VECTOR)
def stacks(x):
    return np.vstack([x, x * x]) @ np.column_stack([x, x]) + np.hstack([x[:1], x[1:2]])


@program(VECTOR)
def tiles_and_pads(x):
    return (
        np.tile(x, (2, 2)) * np.repeat(x, 2)
        + np.roll(np.tile(x, 2), 3)
        + np.pad(x, 2)
        + np.flip(np.pad(x, (1, 3)))
    )


@program(MATRIX)
def transposes(A):
    return (
        np.transpose(A[None], (2, 0, 1)) * np.moveaxis(A[None], 0, -1).T[0][:, None]
        + np.swapaxes(A, 0, 1)[:, None]
    )


@program(VECTOR)
def interpolation(x):
    return np.interp(np.array([0.1, 0.5]), np.array([0.0, 0.3, 0.6, 1.0]), x)


@program(VECTOR)
def to_list_and_back(x):
    return np.array(x.tolist()) * x


@program(VECTOR)
def builtin_reductions(x):
    return sum(x) * max(x) * min(x[0], x[1]) * abs(x[0]) * x


@program(VECTOR)
def arrays_of_items(x):
    return np.array([x[0], x[1] ** 2]) * np.asarray([x[0]])


@program(VECTOR)
def array_of_arrays(x):
    return np.array([x, x * x]) * x


@program(VECTOR)
def select(x):
    return np.select([x > 1, x > 0.65], [x * x, x * 3], x)


@program(VECTOR)
def divmod_part(x):
    return divmod(x[0], 0.4)[1] * x


@program(VECTOR)
def parts_of_real(x):
    return x.imag + x.real * x.conj() * np.real(x) + np.imag(x)


@program(VECTOR)
def polynomials(x):
    return np.polyval(x[:2], x) * np.convolve(x, x)[:4] * trapezoid(x)


@program(VECTOR)
def signs_and_masks(x):
    return -x * +x * ~(x > 1) * (x > 1) + x * True


@program(VECTOR)
def sizes(x):
    return x * len(x) * x.size * x.shape[0] * x.ndim * x.nbytes * x.itemsize


@program(VECTOR)
def found_positions(x):
    return x[np.argsort(x)] * x[np.argmax(x)] * x[x > 1][0] * x[np.where(x > 1)]


@program(VECTOR)
def roots_and_absolutes(x):
    return (
        np.nan_to_num(x)
        * np.abs(x - 1)
        * np.fabs(x - 1)
        * np.sqrt(x)
        * np.cbrt(x)
        * np.square(x)
        * np.reciprocal(x)
    )


@program(VECTOR)
def powers(x):
    return x**0.5 * 2**x * x**2 * x ** (-1) * x**x * (x - 1) ** 3 * (x - 1) ** 2 * x**0


@program(VECTOR)
def copies(x):
    return (
        np.asarray(x).sum()
        * np.ascontiguousarray(x)
        * np.copy(x)
        * np.array(x)
        * np.array(x, copy=False)
    )


@program(VECTOR)
def filled_from_numbers(x):
    return (
        np.full(4, x[0])
        * np.full_like(x, x[1])
        * np.linspace(x[0], x[1], 4)
        * np.arange(x[0], 4.0)[:4]
    )


@program(VECTOR)
def made_matrices(x):
    return (
        np.zeros(4)
        + np.ones_like(x) * x
        + np.eye(4) @ x
        + np.diag(x) @ x
        + np.diagflat(x) @ x
        + np.tri(4) @ x
    )


@program(VECTOR)
def methods(x):
    return (
        x.T
        @ x
        * x.dot(x)
        * x.sum()
        * x.mean()
        * x.prod()
        * x.max()
        * x.cumsum()
        * x.clip(0.65, 1)
        * x.repeat(1)
        * x.take([0])
    )


@program(VECTOR)
def cross_product(x):
    return np.cross(x[:3], x[1:])


@program(MATRIX)
def contractions(A):
    return (
        np.tensordot(A, A, axes=([1], [1]))
        + np.tensordot(A, A.T, 1)
        + np.matmul(A, A.T)
        + np.dot(A, A.T)
        + np.inner(A, A)
    )


@program(MATRIX)
def mixed_subscripts(A):
    return A[1, None, :, None] * A[0][None] * A[:, [0, 0, 1]][0] * A[[True, False]][0] * A[-1, ::-1]
