"""Programs whose arrays have axes of size one, other precisions, no axes, or no elements."""

from __future__ import annotations

import numpy as np

from tests.law.case import collect

program, PROGRAMS = collect()

MATRIX = np.array([[0.6, 0.9, 1.3], [0.7, 1.1, 0.4]])
OTHER = np.array([[0.5, 0.8, 0.3], [0.2, 0.9, 1.4]])
VECTOR = np.array([0.6, 0.9, 1.3, 0.7])
SQUARE = np.array([[2.0, 0.3, 0.1], [0.2, 1.5, 0.4], [0.3, 0.2, 1.8]])
ROW = np.array([[0.5, 0.8, 0.3]])
COLUMN = np.array([[0.4], [0.7]])
ONE = np.array([0.7])


@program(np.array([[0.6, 0.9, 0.2]]), np.array([[0.3], [0.8]]))
def row_times_column(a, b):
    c = a * b
    c += a
    c *= b
    return c


@program(MATRIX, OTHER)
def centred(A, B):
    m = A.mean(axis=1, keepdims=True)
    c = A - m
    return c * B / np.sqrt((c * c).sum(axis=0, keepdims=True))


@program(np.array([[0.6, 0.9, 0.2]], dtype=np.float32), np.array([[0.3], [0.8]]))
def single_and_double(a, b):
    c = a * b
    d = a + np.float32(2) * a
    d += a
    return np.sum(c * d)


@program(np.array([0.6, 0.9, 0.2], dtype=np.float32), 0.7)
def single_and_python_float(a, w):
    y = a * w
    y[1] = w * 2.0
    y += w
    return y * y


@program(np.array([0.6, 0.9, 0.2], dtype=np.float32), np.array([0.1, 0.2, 0.4]))
def double_stored_in_single(a, b):
    y = a.copy()
    y[:] = b * b
    y[0] *= b[1]
    return np.sum(y * a)


@program(np.array(0.7), 0.3)
def no_axes_rebound(a, w):
    s = a * 1.0
    s += w
    s *= a
    return s


@program(np.array(0.7))
def no_axes_alias(a):
    b = a
    b *= 2.0
    return a * b


@program(np.float64(0.7), 2.0)
def numpy_number(s, w):
    t = s
    t += w
    t **= 2
    t /= s
    return t


@program(VECTOR)
def empty_slices(x):
    y = x * 1.0
    y[2:2] = 5.0
    z = x[3:1]
    return np.sum(y * y) + np.sum(z) + np.prod(z)


@program(VECTOR, 0)
def loop_without_a_trip(x, n):
    s = x[0]
    for i in range(n):
        s = s * x[i]
    return s


@program(ROW, COLUMN)
def squared_sum(a, b):
    c = a + b
    c = c * c
    return c


@program(ROW, COLUMN)
def divided_in_place(a, b):
    c = a + b
    c /= b
    c -= a
    return c


@program(ROW, COLUMN)
def powered_in_place(a, b):
    c = a + b
    c **= b
    return c


@program(ROW, COLUMN)
def slices_of_broadcasts(a, b):
    c = np.zeros((2, 3))
    c[:] = a
    c[:] += b
    c[:] *= b
    c[1:] -= a * b[1:]
    return c


@program(ROW, COLUMN)
def column_then_row(a, b):
    c = np.zeros((2, 3))
    c[...] = b
    c += a
    return c * c


@program(ROW, COLUMN)
def outs(a, b):
    c = np.zeros((2, 3))
    np.multiply(a, b, out=c)
    np.add(c, b, out=c)
    np.multiply(c, b, out=c)
    return c


@program(ROW, COLUMN, may_refuse=("refuse",))
def copied_and_columns(a, b):
    c = a * b
    np.copyto(c, a)
    c[:, 0] = b[:, 0] * c[:, 1]
    c[0] = b[0]
    return c


@program(ROW, COLUMN)
def elementwise_pairs(a, b):
    return (
        np.where(a > b, a * b, b) * np.maximum(a, b)
        + np.hypot(a, b)
        + np.arctan2(a, b)
        + np.power(a, b)
    )


@program(ONE, VECTOR)
def single_element(a, b):
    c = b * a
    c *= a
    c += a
    c[1:] = a
    return c * b


@program(ONE, VECTOR)
def single_element_summed(a, b):
    s = a * 0.0
    for i in range(4):
        s += b[i] * a
    return s * a


@program(ONE, VECTOR)
def single_element_stored(a, b):
    y = np.zeros(4)
    y[:] = a
    y[1:3] += a * b[0]
    y[::2] = a * a
    return y * b


@program(ONE, ONE * 2)
def single_elements(a, b):
    c = a * b
    c *= b
    return c[0] * a


@program(0.7, VECTOR, may_refuse=("refuse",))
def number_in_place(w, b):
    c = b * w
    c *= w
    c[1:] *= w
    c += w * w
    return c


@program(np.float64(0.7), MATRIX, may_refuse=("refuse",))
def numpy_number_in_place(w, b):
    c = b * w
    c *= w
    c[1:] *= w
    c[:, 0] += w * w
    c[0] = w
    return c


@program(VECTOR[:3], MATRIX, may_refuse=("refuse",))
def vector_in_matrix(v, b):
    c = b * v
    c *= v
    c[1:] *= v
    c += v * v
    c[0] = v
    return c


@program(COLUMN, MATRIX, may_refuse=("refuse",))
def column_in_matrix(v, b):
    c = b * v
    c *= v
    c[:, 1:] *= v
    c += v * v
    c[:, :2] = v
    return c * v


@program(np.array([[0.7]]), MATRIX, may_refuse=("refuse",))
def one_by_one_in_matrix(v, b):
    c = b * v
    c *= v
    c[:, 1:] *= v
    c += v * v
    c[:, :2] = v
    return c * v


@program(np.array(0.7), MATRIX, may_refuse=("refuse",))
def no_axes_in_matrix(v, b):
    c = b * v
    c *= v
    c[:, 1:] *= v
    c += v * v
    c[:, :2] = v
    return c * v


@program(VECTOR[:3], SQUARE[:1])
def vector_and_row(v, b):
    c = b + v
    c *= v
    return c


@program(np.array([[[0.7], [0.3]]]), MATRIX)
def three_axes_reduced(v, b):
    c = b * v
    c *= v
    c = c - v.sum(0)
    return c * c


@program(MATRIX)
def broadcast_row(A):
    y = np.broadcast_to(A[0], (2, 3))
    return y * A
