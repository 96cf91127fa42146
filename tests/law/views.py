"""Programs that write through rows, columns, transposes and other names for the same memory."""

from __future__ import annotations

import numpy as np

from tests.law.case import collect

program, PROGRAMS = collect()

MATRIX = np.array([[0.6, 0.9, 1.3], [0.7, 1.1, 0.4]])
OTHER = np.array([[0.5, 0.8, 0.3], [0.2, 0.9, 1.4]])
VECTOR = np.array([0.6, 0.9, 1.3, 0.7])
SQUARE = np.array([[2.0, 0.3, 0.1], [0.2, 1.5, 0.4], [0.3, 0.2, 1.8]])


@program(MATRIX, OTHER)
def rows_and_columns(A, B):
    A = A.copy()
    r = A[0]
    c = A[:, 1]
    r[1] = c[1] * B[0, 0]
    c[0] += r[2] * 0.5
    return np.sum(A * B)


@program(MATRIX)
def view_of_a_view(A):
    A = A * 1.0
    v = A[:, ::-1]
    w = v[1]
    u = w[1:]
    u[0] = 3.0 * A[0, 0]
    A[0] *= 2.0
    return np.sum(np.sin(v))


@program(MATRIX, may_refuse=("refuse",))
def write_through_a_transpose(A):
    A = A * 1.0
    T = A.T
    T[0] = T[1] * T[2]
    return np.sum(np.exp(A))


@program(MATRIX)
def rows_swapped_as_views(A):
    A = A.copy()
    A[0], A[1] = (A[1], A[0])
    return A * A


@program(MATRIX)
def rows_swapped_as_copies(A):
    A = A.copy()
    A[0], A[1] = (A[1].copy(), A[0].copy())
    return A * A


@program(MATRIX)
def rows_swapped_by_index(A):
    A = A.copy()
    A[[0, 1]] = A[[1, 0]]
    return A * A


@program(VECTOR)
def ravel_and_reshape(x):
    y = x * 1.0
    r = y.ravel()
    r[0] = x[1] ** 2
    s = y.reshape(2, 2)
    s[1, 1] = r[0] * x[0]
    return y * y


@program(VECTOR)
def squeezed(x):
    y = x * 1.0
    r = y[None].squeeze()
    r[0] = x[1] ** 2
    q = np.squeeze(y)
    q[1] = r[0]
    return y * y


@program(MATRIX, may_refuse=("refuse", "save"))
def as_array_and_ravel(A):
    A = A * 1.0
    b = np.asarray(A)
    b[0, 0] = A[1, 1] ** 2
    c = b.ravel()
    return np.sum(A * A) + np.sum(c)


@program(MATRIX, may_refuse=("refuse", "save"))
def ravel_of_a_matrix(A):
    A = A * 1.0
    r = A.ravel()
    r[1:3] = r[0]
    return A * A


@program(MATRIX, may_refuse=("refuse", "save"))
def reshape_of_a_transpose(A):
    A = A * 1.0
    r = A.T.reshape(-1)
    r[0] = 5.0
    return np.sum(A * A) + np.sum(r * r)


@program(VECTOR, may_refuse=("refuse", "save"))
def real_part(x):
    y = x * 1.0
    r = y.real
    r[0] = x[1] ** 2
    return y * y


@program(VECTOR, may_refuse=("refuse", "save"))
def at_least(x):
    y = x * 1.0
    r = np.atleast_1d(y)
    r[0] = x[1] ** 2
    q = np.atleast_2d(y)
    q[0, 1] = r[0] * x[2]
    return y * y


@program(SQUARE, SQUARE.T * 0.3)
def matmul_in_place(S, T):
    S = S.copy()
    S @= T
    return S


@program(VECTOR, VECTOR * 0.3, may_refuse=("refuse",))
def out_is_an_operand(x, b):
    y = x * 1.0
    np.multiply(y, y, out=y)
    np.subtract(b, y, out=y)
    np.multiply(y[1:], y[:-1], out=y[1:])
    return y


@program(VECTOR)
def out_again_and_again(x):
    y = np.empty(4)
    np.multiply(x, x, out=y)
    np.add(y, x, out=y)
    np.sin(y, out=y)
    return y


@program(VECTOR)
def copied_where(x):
    y = np.zeros(4)
    np.copyto(y, x * x)
    np.copyto(y, 0.3 * x, where=x > 0.8)
    return y * x


@program(VECTOR)
def filled_after_use(x):
    y = x * x
    z = np.sum(y * y)
    y.fill(x[0])
    return z + np.sum(y * x)


@program(VECTOR)
def masked_powers(x):
    y = x * 1.0
    m = y > 0.8
    y[m] = y[m] ** 2
    y[~m] *= 3.0
    return y


@program(VECTOR)
def mask_changed_later(x):
    y = x * 1.0
    m = y > 0.8
    z = y[m]
    m[:] = True
    return np.sum(z * z)


@program(VECTOR)
def times_itself(x):
    y = x * 1.0
    y *= y
    return y


@program(VECTOR)
def plus_itself_and_reversed(x):
    y = x * 1.0
    y += y
    y -= 0.5 * y[::-1]
    y[:] = y[::-1] * x
    return y


@program(VECTOR)
def overlapping_halves(x):
    y = x * 1.0
    y[1:] = y[:-1]
    y[1:] += y[:-1]
    y[:-1] -= 2 * y[1:]
    return y * x


@program(VECTOR)
def one_of_two_names(x):
    y = x * 1.0
    z = y if x[0] > 0.5 else x * 2
    return z * y


@program(VECTOR, may_refuse=("refuse", "save"))
def written_through_one_of_two_names(x):
    y = x * 1.0
    z = y if x[0] > 0.5 else y
    z[0] = x[1] ** 2
    return y * y


@program(VECTOR)
def written_after_a_walrus(x):
    if (y := (x * x))[0] > 0.1:
        y[0] = 3.0 * x[1]
    return y * 2


@program(VECTOR)
def three_elements_rotated(x):
    y = x * 1.0
    y[0], y[1], y[2] = (y[1] * y[2], y[2], y[0])
    return y


@program(VECTOR)
def chained_targets(x):
    y = x * 1.0
    y[0] = y[1] = y[2] * y[3]
    a = b = y * 2.0
    a[0] = 5.0
    return np.sum(b * b)


@program(VECTOR)
def index_bound_by_the_same_assignment(x):
    i = 0
    y = x * 1.0
    i, y[i] = (2, x[3] ** 2)
    y[i], i = (x[1] ** 2, 1)
    y[i] += 1.0
    return y * y


@program(VECTOR)
def ellipsis_and_new_axes(x):
    y = np.zeros_like(x)
    y[...] = x
    y[None, 1:] *= 2.0
    y[..., 0] = y[..., 1] * 3.0
    y[-2:] = x[:2]
    return y * y


@program(MATRIX)
def three_axes(A):
    y = np.zeros((2, 3, 2))
    y[:, :, 0] = A
    y[..., 1] = A * A
    y[0, 1:, :] *= 0.5
    y[1, ::2, None] = 2.0 * A[0, 0]
    return y.sum(-1) * y[..., 0]


@program(MATRIX)
def subscripts_of_subscripts(A):
    y = A * 1.0
    y[0, :][1:][0] = A[1, 1] ** 2
    y[1][2] *= 3.0
    y.T[0][1] += A[0, 2]
    return y


@program(MATRIX)
def wrapping_recurrence(A):
    y = A.copy()
    n, m = y.shape
    for i in range(n):
        for j in range(m):
            y[i, j] = y[i - 1, j - 1] * 0.5 + y[i, j] * y[i, j]
    return y


@program(MATRIX, may_refuse=("refuse",))
def rows_normalised(A):
    y = A.copy()
    for i in range(2):
        r = y[i]
        for j in range(3):
            r[j] += r[j - 1] * 0.5
        y[i] /= np.sum(r)
    return y


@program(MATRIX, may_refuse=("refuse",))
def gram_schmidt(A):
    y = A.copy()
    for j in range(3):
        y[:, j] -= y[:, :j].sum(axis=1) * 0.3
        y[:, j] = y[:, j] / np.sqrt(np.sum(y[:, j] ** 2))
    return y


@program(VECTOR, 0.5)
def element_written_before_times(a, b):
    c = a * b
    c[0] = a[1]
    c *= b
    return c


@program(VECTOR, 0.5)
def slice_written_before_times(a, b):
    c = a * b
    c[1:] = 0.0
    c *= b
    return c


@program(VECTOR, 0.5)
def view_written_before_divide(a, b):
    c = a * b
    v = c[1:]
    v += 1.0
    c /= b
    return c


@program(VECTOR, 0.5)
def filled_before_times(a, b):
    c = a * b
    c.fill(3.0)
    c *= b
    return c


@program(VECTOR, 0.5)
def out_before_times(a, b):
    c = a * b
    np.add(c, 1.0, out=c)
    c *= b
    return c


@program(VECTOR, 0.5)
def loop_before_times(a, b):
    c = a * b
    for i in range(3):
        c += 1.0
    c *= b
    return c


@program(VECTOR, 0.5)
def branch_before_times(a, b):
    c = a * b
    if b > 0.1:
        c += 1.0
    c *= b
    return c


@program(VECTOR, 0.5)
def sorted_before_times(a, b):
    c = a * b
    c.sort()
    c *= b
    return c
