"""Adjoints of products of arrays whose ranks are known only at run time.

>>> import numpy as np
>>> matmul_left(np.ones((5, 2, 3)), (2, 4), np.ones((5, 4, 3))).shape
(2, 4)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adtrans.runtime.broadcasting import unbroadcast


def matmul_left(g: Any, shape: tuple[int, ...], b: Any) -> Any:
    """The adjoint of `a` in `a @ b`."""
    b = np.asarray(b)
    if b.ndim == 1:
        return unbroadcast(np.expand_dims(g, -1) * b, shape)
    if len(shape) == 1:
        return unbroadcast((b @ np.expand_dims(g, -1))[..., 0], shape)
    return unbroadcast(g @ np.swapaxes(b, -1, -2), shape)


def moved_shape(shape: tuple[int, ...], axes: Any) -> tuple[int, ...]:
    """The shape of an array whose two axes `axes` are moved to the end.

    >>> moved_shape((2, 3, 4), (1, 0))
    (4, 3, 2)
    """
    n = len(shape)
    last = [k % n for k in axes]
    return tuple(shape[k] for k in [*(k for k in range(n) if k not in last), *last])


def matmul_right(g: Any, a: Any, shape: tuple[int, ...]) -> Any:
    """The adjoint of `b` in `a @ b`."""
    a = np.asarray(a)
    if a.ndim == 1:
        if len(shape) == 1:
            return g * a
        return unbroadcast(a[:, None] * np.expand_dims(g, -2), shape)
    if len(shape) == 1:
        return unbroadcast((np.swapaxes(a, -1, -2) @ np.expand_dims(g, -1))[..., 0], shape)
    return unbroadcast(np.swapaxes(a, -1, -2) @ g, shape)


def dot_left(g: Any, shape: tuple[int, ...], b: Any) -> Any:
    """The adjoint of `a` in `np.dot(a, b)`."""
    if not shape:
        return np.sum(g * b)
    if np.ndim(b) == 0:
        return g * b
    if np.ndim(b) == 1:
        return np.expand_dims(g, -1) * b
    b = _rows(np.moveaxis(b, -2, -1))
    return np.reshape(np.reshape(g, (math.prod(shape[:-1]), b.shape[0])) @ b, shape)


def _rows(a: Any) -> Any:
    """The rows of all matrices in a stack as one matrix, also where there are none."""
    return np.reshape(a, (math.prod(np.shape(a)[:-1]), np.shape(a)[-1]))


def dot_right(g: Any, a: Any, shape: tuple[int, ...]) -> Any:
    """The adjoint of `b` in `np.dot(a, b)`."""
    if not shape:
        return np.sum(g * a)
    if np.ndim(a) == 0:
        return g * a
    a = _rows(a)
    if len(shape) == 1:
        return np.reshape(g, -1) @ a
    others = (*shape[:-2], shape[-1])
    moved = np.reshape(a.T @ np.reshape(g, (a.shape[0], math.prod(others))), (a.shape[1], *others))
    return np.moveaxis(moved, 0, -2)


def inner_left(g: Any, shape: tuple[int, ...], b: Any) -> Any:
    """The adjoint of `a` in `np.inner(a, b)`."""
    if not shape or not np.ndim(b):
        return unbroadcast(g * b, shape)
    rows = _rows(b)
    return np.reshape(np.reshape(g, (math.prod(shape[:-1]), rows.shape[0])) @ rows, shape)


def inner_right(g: Any, a: Any, shape: tuple[int, ...]) -> Any:
    """The adjoint of `b` in `np.inner(a, b)`."""
    if not shape or not np.ndim(a):
        return unbroadcast(g * a, shape)
    rows = _rows(a)
    return np.reshape(np.reshape(g, (rows.shape[0], math.prod(shape[:-1]))).T @ rows, shape)


def multiply_outer_left(g: Any, shape: tuple[int, ...], b: Any) -> Any:
    """The adjoint of `a` in `np.multiply.outer(a, b)`."""
    return np.tensordot(g, b, np.ndim(b)).reshape(shape)[()]


def multiply_outer_right(g: Any, a: Any, shape: tuple[int, ...]) -> Any:
    """The adjoint of `b` in `np.multiply.outer(a, b)`."""
    return np.tensordot(a, g, np.ndim(a)).reshape(shape)[()]


def _axes_of(axes: Any, a: int, b: int) -> tuple[list[int], list[int]]:
    """The axes that `np.tensordot` sums over, for operands of rank `a` and `b`."""
    if isinstance(axes, int | np.integer):
        return list(range(a - int(axes), a)), list(range(int(axes)))
    left, right = axes
    left = [left] if isinstance(left, int | np.integer) else list(left)
    right = [right] if isinstance(right, int | np.integer) else list(right)
    return [int(k) % a for k in left], [int(k) % b for k in right]


def tensordot_left(g: Any, shape: tuple[int, ...], b: Any, axes: Any) -> Any:
    """The adjoint of `a` in `np.tensordot(a, b, axes)`."""
    left, right = _axes_of(axes, len(shape), np.ndim(b))
    free = [k for k in range(len(shape)) if k not in left]
    rest = [k for k in range(np.ndim(b)) if k not in right]
    back = np.tensordot(g, b, (list(range(len(free), len(free) + len(rest))), rest))
    order = free + [axis for _, axis in sorted(zip(right, left, strict=True))]
    return np.transpose(back, np.argsort(order))


def tensordot_right(g: Any, a: Any, shape: tuple[int, ...], axes: Any) -> Any:
    """The adjoint of `b` in `np.tensordot(a, b, axes)`."""
    left, right = _axes_of(axes, np.ndim(a), len(shape))
    free = [k for k in range(np.ndim(a)) if k not in left]
    rest = [k for k in range(len(shape)) if k not in right]
    back = np.tensordot(a, g, (free, list(range(len(free)))))
    order = [axis for _, axis in sorted(zip(left, right, strict=True))] + rest
    return np.transpose(back, np.argsort(order))


def einsum_pullback(
    g: Any, i: int, subscripts: str, shape: tuple[int, ...], operands: tuple[Any, ...]
) -> Any:
    """The adjoint of the i-th operand of an einsum; that entry of `operands` is not looked at."""
    left, arrow, out = subscripts.replace(" ", "").partition("->")
    inputs = left.split(",")
    if not arrow:
        letters = left.replace(",", "").replace(".", "")
        single = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
        out = "..." * ("." in left) + single
    if "." in left:
        free = [chr(c) for c in range(192, 600) if chr(c).isalpha()]
        ranks = [len(shape) if k == i else np.ndim(o) for k, o in enumerate(operands)]
        extra = [r - len(s.replace("...", "")) if "." in s else 0 for r,
            s in zip(ranks, inputs, strict=True)]
        dots = free[: max(extra)]
        inputs = [s.replace("...", "".join(dots[len(dots) - e :])) for s,
            e in zip(inputs, extra, strict=True)]
        out = out.replace("...", "".join(dots))
    code = {c: n for n, c in enumerate(sorted(set("".join(inputs) + out)))}
    mine = inputs[i]
    terms: list[Any] = [g, [code[c] for c in out]]
    for k, (operand, names) in enumerate(zip(operands, inputs, strict=True)):
        if k != i:
            terms += [operand, [code[c] for c in names]]
    available = set(out).union(*(s for k, s in enumerate(inputs) if k != i))
    unique = sorted(set(mine), key=mine.index)
    kept = [c for c in unique if c in available]
    value = np.einsum(*terms, [code[c] for c in kept])
    value = np.asarray(value)[tuple(slice(None) if c in available else None for c in unique)]
    sizes = dict(zip(mine, shape, strict=True))
    value = unbroadcast(value,
        tuple(1 if value.shape[k] == 1 else sizes[c] for k, c in enumerate(unique)))
    value = np.broadcast_to(value, tuple(sizes[c] for c in unique))
    result = np.zeros(shape, value.dtype)
    np.einsum(result, [code[c] for c in mine], [code[c] for c in unique])[...] = value
    return result


def kron_left(g: Any, shape: tuple[int, ...], b: Any) -> Any:
    """The adjoint of `a` in `np.kron(a, b)`."""
    blocks, sizes = _kron_blocks(g, shape, np.shape(b))
    b = np.reshape(b, [n for pair in zip([1] * len(sizes), sizes, strict=True) for n in pair])
    return np.sum(blocks * b, axis=tuple(range(1, blocks.ndim, 2))).reshape(shape)


def kron_right(g: Any, a: Any, shape: tuple[int, ...]) -> Any:
    """The adjoint of `b` in `np.kron(a, b)`."""
    blocks, sizes = _kron_blocks(g, np.shape(a), shape)
    sizes = [1] * (len(sizes) - np.ndim(a)) + list(np.shape(a))
    a = np.reshape(a, [n for pair in zip(sizes, [1] * len(sizes), strict=True) for n in pair])
    return np.sum(blocks * a, axis=tuple(range(0, blocks.ndim, 2))).reshape(shape)


def _kron_blocks(g: Any, a: tuple[int, ...], b: tuple[int, ...]) -> tuple[Any, list[int]]:
    ndim = max(len(a), len(b))
    outer, inner = [1] * (ndim - len(a)) + list(a), [1] * (ndim - len(b)) + list(b)
    return np.reshape(g, [n for pair in zip(outer, inner, strict=True) for n in pair]), inner


def cross_left(g: Any, a: Any, b: Any, axisa: int, axisb: int, axisc: int, axis: Any) -> Any:
    """The adjoint of `a` in `np.cross(a, b)`: `b x g`.

    >>> cross_left(np.array(2.0), np.ones(2), np.array([3.0, 5.0]), -1, -1, -1, None)
    array([10., -6.])
    """
    g, b, axisa = _cross_parts(g, a, b, axisa, axisb, axisc, axis)
    return _cross_onto(np.shape(a), np.cross(b, g), axisa)


def cross_right(g: Any, a: Any, b: Any, axisa: int, axisb: int, axisc: int, axis: Any) -> Any:
    """The adjoint of `b` in `np.cross(a, b)`: `g x a`."""
    g, a, axisb = _cross_parts(g, b, a, axisb, axisa, axisc, axis)
    return _cross_onto(np.shape(b), np.cross(g, a), axisb)


def _cross_parts(
    g: Any, mine: Any, other: Any, my_axis: int, other_axis: int, axisc: int, axis: Any
) -> tuple[Any, Any, int]:
    """The cotangent and the other factor, three components last, and the axis of my components.

    A vector of two components lies in the plane; two of them have a product of one component.
    """
    if axis is not None:
        my_axis = other_axis = axisc = axis
    if np.shape(mine)[my_axis] == np.shape(other)[other_axis] == 2:
        nothing = np.zeros_like(g)
        g = np.stack([nothing, nothing, g], axis=-1)
    else:
        g = np.moveaxis(g, axisc, -1)
    other = np.moveaxis(other, other_axis, -1)
    if other.shape[-1] == 2:
        other = np.concatenate([other, np.zeros_like(other[..., :1])], axis=-1)
    return g, other, my_axis


def _cross_onto(shape: tuple[int, ...], found: Any, axis: int) -> Any:
    axis = axis % len(shape)
    others = (*shape[:axis], *shape[axis + 1 :])
    return np.moveaxis(unbroadcast(found[..., : shape[axis]], (*others, shape[axis])), -1, axis)


def convolve_pullback(g: Any, shape: tuple[int, ...], v: Any, mode: str) -> Any:
    """The adjoint of one operand of `np.convolve`; `v` is the other."""
    n, m = shape[0], len(v)
    full = np.zeros(n + m - 1, np.result_type(g))
    if mode == "full":
        start = 0
    elif mode == "same":
        start = (min(n, m) - 1) // 2
    else:
        start = min(n, m) - 1
    full[start : start + len(g)] = g
    return np.convolve(full, np.asarray(v)[::-1], "valid") if n >= 1 else full


def correlate_left(g: Any, shape: tuple[int, ...], v: Any, mode: str) -> Any:
    """The adjoint of `a` in `np.correlate(a, v)`, which is a convolution with `v` reversed."""
    return _correlate_adjoint(g, shape[0], len(v), mode, left=np.asarray(v))


def correlate_right(g: Any, a: Any, shape: tuple[int, ...], mode: str) -> Any:
    """The adjoint of `v` in `np.correlate(a, v)`."""
    return _correlate_adjoint(g, len(a), shape[0], mode, right=np.asarray(a))


def _correlate_adjoint(
    g: Any, n: int, m: int, mode: str, left: Any = None, right: Any = None
) -> Any:
    full = np.zeros(n + m - 1, np.result_type(g))
    if mode == "full":
        start = 0
    elif mode == "same":  # NumPy swaps the operands when the second is longer
        start = (m - 1) // 2 if n >= m else n // 2
    else:
        start = min(n, m) - 1
    full[start : start + len(g)] = g
    if left is not None:
        return np.correlate(full, left[::-1], "valid")
    return np.correlate(full, right, "valid")[::-1]


def polyval_coefficients(g: Any, shape: tuple[int, ...], x: Any) -> Any:
    """The adjoint of the coefficients in `np.polyval(p, x)`."""
    powers = [np.sum(g * np.power(x, k)) for k in range(shape[0] - 1, -1, -1)]
    return np.array(powers)
