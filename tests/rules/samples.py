"""Calls that exercise the rules. Variables are drawn from one pool: a sample is its text alone."""

from __future__ import annotations

import numpy as np

from . import samples_more
from .samples_linalg import LINALG
from .samples_scipy import SCIPY


def pool() -> dict[str, object]:
    """The variables: `v`, `w` vectors, `m`, `n` matrices, `q` positive definite, `t` a tensor..."""
    rng = np.random.default_rng(7)
    square = rng.normal(size=(4, 4))
    second = rng.normal(size=(4, 4))
    return {
        "v": rng.normal(size=4), "w": rng.normal(size=4), "z": rng.normal(size=5),
        "p": rng.uniform(0.5, 2.0, 4), "u": rng.uniform(0.1, 0.9, 4), "g": rng.uniform(1.5, 3.0, 4),
        "m": rng.normal(size=(3, 4)), "n": rng.normal(size=(4, 2)), "r": rng.normal(size=(3, 1)),
        "m2": rng.normal(size=(3, 4)), "mp": rng.uniform(0.5, 2.0, (3, 4)),
        "q": square @ square.T + 4 * np.eye(4), "q2": second + 4 * np.eye(4),
        "t": rng.normal(size=(2, 3, 4)), "t2": rng.normal(size=(2, 4, 3)),
        "qs": np.stack([square @ square.T + 4 * np.eye(4), second @ second.T + 3 * np.eye(4)]),
        "ts": rng.normal(size=(2, 4, 3)), "s": 0.7, "c": 1.3, "h": 0.4,
        "zero": np.array([0.0, 2.0, 3.0, 0.0]),
        "o": np.array(0.6), "e": rng.normal(size=(3, 3)), "f": rng.normal(size=(2, 3)),
        "a3": rng.normal(size=3), "b3": rng.normal(size=3), "one": np.array([1.7]),
        "i": np.array([2, 0, 2]), "ij": np.array([[0, 1, 1, 3], [1, 0, 2, 2], [3, 3, 0, 1]]),
        "mask": np.array([True, False, True, True]), "k": 2, "xs": np.array([0.0, 0.5, 1.5, 2.0]),
        "at": np.array([0.3, 0.9, 1.1, 1.8, -1.0]), "axis": 1, "ints": np.array([0, 1, 2, 3]),
        "lst": [0.3, 0.9, 0.5],
        "nil": np.array([0.0]), "poles": np.array([-1.0, 0.0, -2.0, -0.5]),
        "neg": np.array([-0.3, -1.2, -2.5, -0.01]), "left": np.array([-5.0, -20.0, -38.0, -9.0]),
        "a4": np.array([1.2, 2.5, 1.7, 3.1]), "s4": np.array([0.5, 0.9, 1.3, 0.7]),
        "u4": np.array([0.35, 0.2, 0.6, 0.75]),
        "g2": np.array([2.1, 1.4, 1.8, 3.0]), "l4": np.array([-0.2, -0.1, -0.3, -0.05]),
        "big": np.array([5.0, 4.0, 6.0, 7.0]), "bits": np.array([0, 1, 1, 0]),
        "low4": np.array([-1.5, -2.0, -1.2, -0.9]), "simplex": np.array([0.2, 0.3, 0.1]),
        "counts": np.array([2, 3, 2, 5]),
        "sos": np.array([[1.0, 0.5, 0.2, 1.0, -0.3, 0.1], [0.7, 0.1, 0.0, 1.0, 0.2, 0.05]]),
        "far": np.array([-9.0, 4.0, 2.0, 7.5]), **matrices(square, second), **samples_more.pool(),
    }  # fmt: skip


def matrices(square: np.ndarray, second: np.ndarray) -> dict[str, object]:
    """`ur`, `urs` with real eigenvalues, `low` of rank 3, and more for linear algebra."""
    rng = np.random.default_rng(8)
    base = second + 4 * np.eye(4)
    real = base @ np.diag([1.0, 3.0, 6.0, 9.0]) @ np.linalg.inv(base)
    return {
        "ur": real, "urs": np.stack([real, real.T]), "low": square[:, :3] @ second[:3],
        "square": square, "small": 0.2 * square, "smalls": 0.2 * np.stack([square, second]),
        "other": second @ second.T + 3 * np.eye(4), "swaps": np.array([2, 1, 3, 3]),
        "turn": second + 4 * np.eye(4)[[2, 0, 3, 1]], "e5": rng.normal(size=(3, 5)) + 3.0,
        "n3": rng.normal(size=(4, 3)),
        "m5": rng.normal(size=(5, 2)),
        "cube": rng.normal(size=(3, 4, 12)) + np.eye(12).reshape(3, 4, 12),
        "turned": rng.normal(size=(3, 3, 4, 4)) + np.eye(12).reshape(3, 4, 3, 4).swapaxes(1, 2),
    }  # fmt: skip


UNARY = [f"np.{name}({arg})" for arg, names in {
    "v": "negative positive absolute fabs exp exp2 expm1 cbrt square reciprocal sin cos tan arctan "
         "sinh cosh "
         "tanh arcsinh deg2rad radians rad2deg degrees conjugate sinc nan_to_num real",
    "p": "log log2 log10 log1p sqrt", "u": "arcsin arccos arctanh", "g": "arccosh",
    "s": "exp sqrt tanh sin square absolute", "o": "exp log sqrt sin", "m": "tanh exp abs",
}.items() for name in names.split()]  # fmt: skip

BINARY = [f"np.{name}({args})" for name, many in {
    "add": "v, w|m, v|m, r|s, c|s, v|v, s", "subtract": "v, w|m, v|s, c",
    "multiply": "v, w|m, v|m, r|s, c|v, o",
    "divide": "v, p|m, mp|v, c|s, c|s, p", "remainder": "v, p", "fmod": "v, p",
    "power": "p, v|p, 2|v, 3|p, 0.5|p, -1|p, -2|p, 1.5|2.0, v|p, k|s, c|zero, k|v, ints|"
             "p, ints|v, 1|v, 0",
    "float_power": "p, w", "maximum": "v, w|v, 0.0|m, v|s, c|c, v", "minimum": "v, w|m, v|s, c",
    "fmax": "v, w", "fmin": "v, w", "logaddexp": "v, w|s, c", "logaddexp2": "v, w",
    "hypot": "v, w|s, c",
    "arctan2": "v, w|s, c", "copysign": "v, w", "ldexp": "v, ints",
}.items() for args in many.split("|")]  # fmt: skip

OTHER_ELEMENTWISE = [
    "np.real_if_close(v)", "np.where(mask, v, w)", "np.where(mask, v, 0.0)", "np.where(mask, s, v)",
    "np.clip(v, -0.5, 0.5)",
    "np.clip(v, None, 0.5)", "np.clip(v, -0.1, None)", "np.clip(s, 0.0, 1.0)", "np.clip(w, s, c)",
    "v.clip(-0.5, 0.5)",
    "v.clip(min=0.0)", "v + w", "m + v", "s + c", "v - w", "-v", "+v", "v * w", "m * r", "s * v",
    "v / p", "s / c",
    "v % p", "s % c", "p ** 2", "v ** 3", "p ** 0.5", "p ** c", "s ** 2", "s ** k", "2.0 ** v",
    "s ** c", "p ** -1.5", "v.conj()",
    "m @ v", "m @ n", "v @ w", "v @ n", "t @ n", "t @ v", "v @ t2", "m @ t2",
    "abs(v)", "abs(s)", "pow(s, 3)", "pow(s, c)", "divmod(s, h)", "float(s)", "np.float64(s)",
    "float.__float__(s)", "np.longdouble(s)", "float(o)",
    "max(s, c)", "max(s, c, h)", "min(s, c, h)", "min(h, 0.5)", "max(v)", "min(v)", "max([s, c])",
    "sum([s, c, h])", "sum(v)", "sum(m)",
    "sum((v, w, m))", "sum([v, w], s)",
]  # fmt: skip

MATH = [f"math.{name}({arg})" for arg, names in {
    "s": "exp expm1 log log1p log2 log10 sqrt sin cos tan asin acos atan "
         "sinh cosh tanh asinh atanh fabs erf erfc degrees radians",
    "c": "acosh exp2 cbrt", "s, c": "log pow atan2 fmod remainder copysign hypot",
    "s, 2": "pow ldexp", "[s, c, h]": "fsum prod",
    "s, c, h": "hypot fma",
}.items() for name in names.split()]  # fmt: skip

AXES = ["", ", axis=0", ", axis=1", ", axis=-1", ", axis=(0, 1)", ", axis=axis",
    ", axis=1, keepdims=True", ", keepdims=True"]
REDUCTIONS = [
    f"np.{name}({a}{axis})"
    for name in ("sum", "nansum", "mean", "var", "std", "prod", "max", "min", "amax", "amin",
        "nanmax", "nanmin", "ptp", "median")
    for a,
    axis in [("v", ""), ("v", ", axis=0"), *(("m", x) for x in AXES), ("t", ", axis=(0, 2)"),
        ("t", ", axis=1")]
    if not (name == "ptp" and "keepdims" in axis and "axis" not in axis)
] + [
    "np.var(m, axis=1, ddof=1)", "np.std(v, ddof=k)", "np.prod(zero)", "v.sum()", "m.sum(axis=0)",
    "m.mean(1)", "m.max(axis=1)", "v.std()",
    "m.prod(axis=0)", "m.var(axis=1)", "m.min()", "np.add.reduce(m)", "np.multiply.reduce(m)",
    "np.maximum.reduce(m)", "np.minimum.reduce(m)",
    "np.trace(q)", "np.trace(m)", "np.trace(m, offset=1)", "np.trace(t)", "q.trace()",
    "np.linalg.trace(t)",
    "np.average(m)", "np.average(m, axis=1)", "np.average(m, weights=mp)",
    "np.average(m, axis=1, weights=p)", "np.average(m, axis=0, weights=mp)",
    "np.cumsum(v)", "np.cumsum(m)", "np.cumsum(m, axis=0)", "np.cumsum(m, axis=1)",
    "m.cumsum(axis=-1)", "np.add.accumulate(m)",
    "np.cumprod(v)", "np.cumprod(zero)", "np.cumprod(m)", "np.cumprod(m, axis=0)", "v.cumprod()",
    "np.diff(v)", "np.diff(v, 2)", "np.diff(m, axis=0)", "np.diff(m, n=3)", "np.ediff1d(v)",
    "np.trapezoid(v)", "np.trapz(v)", "np.trapezoid(v, dx=0.5)", "np.trapezoid(v, w)",
    "np.trapezoid(m, axis=0)", "np.trapezoid(m, v)",
    "np.trapezoid(m, m2, axis=0)", "np.gradient(v)", "np.gradient(v, 0.1)",
    "np.gradient(z, edge_order=2)", "np.gradient(m)",
    "np.gradient(m, 0.5, axis=0)", "np.gradient(v, xs)", "np.gradient(v, xs, edge_order=2)",
    "np.gradient(m, xs, axis=1)", "np.gradient(n, xs, axis=0, edge_order=2)",
    "np.gradient(m, 0.5, 0.1)", "np.gradient(m, a3, xs)", "np.gradient(m, s, xs, edge_order=2)",
    "np.gradient(m, xs, c, axis=(1, 0))",
     "np.bincount(ints, v)", "np.bincount(ints, weights=v, minlength=7)",
]  # fmt: skip

PRODUCTS = [f"np.{name}({args})" for name, many in {
    "matmul": "m, n|m, v|v, w|v, n|t, n|t, v|v, t2|m, t2|t, t2",
    "dot": "m, n|m, v|v, w|v, n|s, v|t, v|t, n|v, t2|m, t2|s, c|v, s",
    "vdot": "v, w|m, m2", "inner": "v, w|m, m2|t, v|m, t|s, v", "outer": "v, z|m, n|s, v",
    "multiply.outer": "v, m|s, v|v, m, dtype=float",
    "tensordot": "m, n, 1|m, m2|t, t2, ([0, 1], [0, 2])|t, v, 1|"
                 "m, v, (1, 0)|v, z, 0|t, t2, axes=((2, 0), (1, 0))",
    "kron": "v, z|m, n|v, m|n, v",
    "cross": "a3, b3|e, a3|f, a3|e, f[0]|e, b3, axisa=0|e, b3, axisc=0",
    "convolve": "v, z|v, a3, 'same'|v, a3, 'valid'|a3, v, 'valid'|v, z, mode='same'|v, one|"
                "v, s|s, v, 'same'|o, v",
    "correlate": "z, v|v, a3, 'full'|v, a3, 'same'|a3, v|a3, v, 'same'|"
                 "z, v, 'same'|v, z, 'same'|v, one, 'same'|n[:, 0], v",
    "polyval": "v, s|v, z|a3, m",
}.items() for args in many.split("|") if "[:" not in args and "f[0]" not in args]  # fmt: skip
PRODUCTS += [
    "np.matmul(m, m2, axes=[(0, 1), (1, 0), (0, 1)])",
    "np.matmul(t, n, axes=[(0, 2), (0, 1), (2, 0)])",
    "np.matmul(n, t2, axes=[(1, 0), (1, 2), (-1, -2)])",
]
PRODUCTS += ["m.dot(n)", "v.dot(w)", "m.dot(v)"] + [f"np.einsum({args})" for args in (
    "'ij,jk->ik', m, n", "'ij,jk', m, n", "'ij->ji', m", "'ij->', m", "'ij->i', m", "'i,i->', v, w",
    "'ii->i', q", "'ii', q", "'ii->', q",
    "'i,j->ij', v, z", "'ij,ij->j', m, m2", "'ij,j,i->', m, v, a3", "'...i->...', t",
    "'...ij,...jk->...ik', t, n", "'ijk,k->ij', t, v",
    "'ij,k->i', m, z", "'i->', v", "'ij,ij->ij', m, r", "'...i,...i', m, v",
)]  # fmt: skip

SHAPES = [
    "np.transpose(m)", "np.transpose(t, (1, 2, 0))", "np.transpose(t, (-1, 0, 1))",
    "t.transpose(1, 2, 0)", "t.transpose((2, 0, 1))", "m.transpose()", "m.T", "t.mT", "m.real",
    "np.reshape(m, (2, 6))", "np.reshape(m, -1)", "m.reshape(2, 6)", "m.reshape((4, 3))",
    "m.reshape(-1)", "np.reshape(m, (2, 6), order='F')",
    "np.ravel(m)", "m.ravel()", "m.flatten()", "np.ravel(v)", "np.ravel(m, 'F')", "np.squeeze(r)",
    "r.squeeze()", "np.squeeze(r, axis=1)", "np.expand_dims(v, 0)", "np.expand_dims(m, (0, 2))",
    "np.swapaxes(t, 0, 2)", "t.swapaxes(0, 1)", "np.moveaxis(t, 0, 2)",
    "np.moveaxis(t, (0, 1), (1, 2))", "np.rollaxis(t, 2)", "np.rollaxis(t, 0, 3)",
    "np.flip(m)", "np.flip(m, 0)", "np.fliplr(m)", "np.flipud(m)", "np.rot90(m)", "np.rot90(m, k)",
    "np.matrix_transpose(m)", "np.permute_dims(t, (2, 0, 1))",
    "np.broadcast_to(v, (3, 4))", "np.broadcast_to(r, (2, 3, 4))", "np.broadcast_to(s, (3,))",
    "np.diagonal(m)", "np.diagonal(t, 1, 1, 2)", "q.diagonal()",
    "np.diag(v)", "np.diag(m)", "np.diag(v, 1)", "np.diag(m, -1)", "np.diagflat(v)",
    "np.atleast_1d(s)", "np.atleast_1d(v)", "np.atleast_2d(v)", "np.atleast_3d(m)",
    "np.array(v)", "np.array([s, c, 1.0])", "np.array([[s, c], [h, 2.0]])", "np.array(lst)",
    "np.asarray(v)", "np.asarray([s, c])", "np.asanyarray(v)", "np.ascontiguousarray(m)",
    "np.asfortranarray(m)", "np.asarray_chkfinite(v)", "np.array([v, w])",
    "np.copy(m)", "v.copy()", "m.astype(float)", "m.view()", "one.item()", "v.tolist()",
    "np.concatenate([v, w, z])", "np.concatenate((m, m2), axis=1)",
    "np.concatenate([m, m2], axis=-2)", "np.concatenate([v, m], axis=None)", "np.concat([v, z])",
    "np.concatenate([m, r], axis=-1)",
    "np.stack([v, w])", "np.stack([v, w], axis=1)", "np.stack([m, m2], axis=-1)",
    "np.stack([m, m2], axis=-2)", "np.hstack([v, z])", "np.hstack([m, r])", "np.vstack([v, w])",
    "np.vstack([m, v])", "np.vstack([m, m2])",
    "np.dstack([m, m2])", "np.dstack([v, w])", "np.column_stack([v, w])", "np.column_stack([v, n])",
    "np.column_stack([m, r])", "np.hstack([s, v])",
    "np.append(v, s)", "np.append(v, z)", "np.append(m, r, axis=1)", "np.append(m, m2, 0)",
    "np.append(m, m2, -2)",
    "np.split(v, 2)", "np.split(m, [1, 3], axis=1)", "np.array_split(z, 2)", "np.hsplit(m, 2)",
    "np.hsplit(v, 2)", "np.vsplit(m, 3)", "np.dsplit(t, 2)", "np.unstack(m)",
    "np.unstack(m, axis=1)",
    "np.repeat(v, 3)", "np.repeat(m, 2, axis=1)", "np.repeat(v, [1, 0, 2, 3])", "v.repeat(2)",
    "np.tile(v, 2)", "np.tile(m, (2, 3))", "np.roll(v, 1)", "np.roll(m, k, axis=1)",
    "np.roll(m, (1, 2), axis=(0, 1))", "np.roll(m, -1)", "np.roll(m, 1, 0)",
    "np.tril(m)", "np.tril(v)", "np.triu(v, -1)", "np.triu(m, 1)", "np.tril(q, -1)", "np.triu(q)",
    "np.take(v, i)",
    "np.take(m, i, axis=1)", "v.take(i)", "np.take(m, k)", "np.take_along_axis(m, ij, axis=1)",
    "np.compress(mask, v)", "np.compress(mask, m, axis=1)",
    "np.extract(mask, v)", "np.delete(v, 1)", "np.delete(m, [0, 2], axis=1)", "np.pad(v, 2)",
    "np.pad(m, ((1, 0), (0, 2)))", "np.pad(v, 2, mode='edge')", "np.pad(m, 1, 'reflect')",
    "np.pad(v, (1, 3), 'wrap')",
    "np.choose(ints, [s, v, w, c])", "np.choose(bits, m)", "np.choose(bits, v)",
    "np.select([mask, ~mask], [v, w], s)", "np.sort(v)",
    "np.sort(m, axis=0)", "np.sort(m, axis=None)", "np.interp(at, xs, v)",
    "np.interp(at, xs, v, left=0.0, right=1.0)", "np.interp(s, xs, v)",
    "np.broadcast_arrays(v, m)", "np.meshgrid(v, z)", "np.meshgrid(v, z, a3, indexing='ij')",
    "np.meshgrid(v)",
]  # fmt: skip
CREATION = [
    "np.full((2, 3), s)", "np.full((3, 4), v)", "np.full(3, s)", "np.full_like(m, s)",
    "np.full_like(m, v)", "np.linspace(s, c, 5)", "np.linspace(s, c, 5, endpoint=False)",
    "np.linspace(v, w, 3)",
    "np.arange(s, 4.1, h)", "np.arange(s, 4.2)", "np.random.normal(s, c, 5)",
    "np.random.uniform(s, c, 5)", "np.random.exponential(s, 4)", "np.random.laplace(s, c, 3)",
    "np.random.logistic(s, c, 3)",
    "np.random.gumbel(s, c, 3)", "np.random.rayleigh(s, 3)", "np.random.lognormal(s, c, 3)",
    "np.random.normal(v, p)",
]  # fmt: skip

ALL = [*UNARY, *BINARY, *OTHER_ELEMENTWISE, *MATH, *REDUCTIONS, *PRODUCTS, *SHAPES, *LINALG,
    *CREATION, *SCIPY, *samples_more.MORE]
