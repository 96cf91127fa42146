"""Formulas for complex numbers: finite differences in complex directions, real operands stay real.

With `<a, b> = Re(sum(conj(a) * b))` the adjoint of an operand is `J* y_bar`, real for a real one.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import scipy.fft
import scipy.signal
import scipy.special  # noqa: F401

from adtrans.ir import expr as E
from adtrans.ir.kinds import Kind, Scalar
from adtrans.rules import complexes
from adtrans.runtime import unbroadcast

from .evaluate import Use, evaluate, kind_of, names_of, read

RNG = np.random.default_rng(12)


def drawn(*shape: int) -> Any:
    return RNG.normal(size=shape) + 1j * RNG.normal(size=shape)


POOL: dict[str, Any] = {
    "z": drawn(4), "w": drawn(4), "m": drawn(3, 4), "n": drawn(4, 2), "t": drawn(2, 3, 4),
    "q": drawn(4, 4), "r": RNG.normal(size=4), "rm": RNG.normal(size=(3, 4)), "five": drawn(5),
    "r5": RNG.normal(size=5), "a": complex(0.4, -0.7), "s": 1.3, "cut": 0.4 * drawn(4),
    "i": np.array([2, 0, 2]), "mask": np.array([True, False, True, True]), "pos": 2.0 + drawn(4),
    "swaps": np.array([2, 1, 3, 3]), "ri": RNG.normal(size=(3, 4, 5)), "q3": drawn(4, 4),
    "ts": drawn(2, 3, 3), "b": np.complex128(0.3 + 0.2j),
}  # fmt: skip
POOL["bands"] = drawn(3, 4) + np.array([[0.0], [4.0], [0.0]])
POOL["ph"] = POOL["q"] @ POOL["q"].conj().T + np.eye(4)

ONE = ["fft", "ifft", "hfft", "irfft"]
CALLS = [
    *(f"np.{f}({z})" for f in (
        "exp", "exp2", "expm1", "square", "sin", "cos", "sinh", "cosh", "tanh", "absolute", "conj",
        "real", "imag", "angle", "reciprocal", "tan") for z in ("z", "b")),
    *(f"np.{f}(pos)" for f in ("log", "log2", "log10", "log1p", "sqrt")),
    *(f"np.{f}(cut)" for f in ("arctan", "arcsin", "arccos", "arcsinh", "arctanh")),
    *(f"{x} {op} {y}" for op in "+-*/" for x, y in (
        ("z", "w"), ("z", "r"), ("r", "z"), ("m", "z"), ("z", "a"), ("s", "z"), ("r", "a"),
        ("b", "s"))),
    "z ** 2", "z ** 3", "pos ** 0.5", "pos ** -1.5", "np.power(z, 2)", "abs(z)", "abs(b)", "-z",
    "z.real", "z.imag", "z.conj()", "z.conjugate()", "r + 1j", "1j * r", "r / 2j", "np.add(z, r)",
    "np.subtract(r, z)", "np.multiply(m, r)", "np.divide(r, z)",
    "m @ n", "rm @ n", "m @ r", "z @ w", "r @ z", "t @ n", "np.dot(m, n)", "np.dot(r, z)",
    "np.inner(m, z)", "np.outer(r, z)", "np.outer(z, w)", "np.tensordot(t, m, 2)",
    "np.einsum('ij,jk->ik', m, n)", "np.einsum('i,i->', r, z)", "np.einsum('ij->j', m)",
    "np.kron(z, r)", "np.convolve(z, five)", "np.convolve(r, five, 'same')", "np.matmul(m, n)",
    "np.sum(m)", "np.sum(m, axis=1)", "np.mean(m, axis=0)", "np.cumsum(z)", "np.cumsum(m, axis=1)",
    "m.sum()", "m.T", "np.reshape(m, (2, 6))", "m.ravel()", "np.transpose(t, (1, 2, 0))",
    "np.swapaxes(t, 0, 2)", "np.moveaxis(t, 0, 2)", "np.squeeze(m)", "np.expand_dims(z, 0)",
    "np.flip(m)", "np.roll(m, 1, axis=1)", "np.roll(z, 2)", "np.rot90(m)", "np.concatenate([z, r])",
    "np.concatenate([m, rm], axis=1)", "np.stack([z, r])", "np.hstack([z, five])",
    "np.vstack([z, r])", "np.dstack([m, rm])", "np.column_stack([z, r])", "np.tile(z, 2)",
    "np.repeat(m, 2, axis=1)", "np.broadcast_to(z, (3, 4))", "np.copy(m)", "np.array(z)",
    "np.array([a, s, 1.0])", "np.array(r, dtype=complex)", "r.astype(complex)", "np.asarray(z)",
    "np.take(m, i, axis=1)", "np.diagonal(q)", "np.diag(z)", "np.diag(q)", "np.trace(q)",
    "np.atleast_2d(z)", "np.append(z, r)", "np.tril(m)", "np.triu(q, 1)",
    "np.where(mask, z, r)", "np.where(mask, r, a)", "np.diff(m)", "np.full((2, 3), a)",
    "np.full_like(m, a)",
    *(f"{module}.fft.{f}({x}{args})" for module in ("np", "scipy") for f in ONE
      for x in ("five", "r5", "m") for args in ("", ", 4", ", n=9", ", norm='ortho'")),
    *(f"{module}.fft.{f}({x}{args})" for module in ("np", "scipy") for f in ("rfft", "ihfft")
      for x in ("r5", "rm") for args in ("", ", 4", ", 7", ", norm='ortho'", ", norm='forward'")),
    *(f"np.fft.{f}(m, axis=0, norm='forward')" for f in ONE),
    *(f"np.fft.{f}({x}{args})" for f in ("fft2", "ifft2", "fftn", "ifftn", "irfft2", "irfftn")
      for x in ("m", "t", "rm") for args in ("", ", norm='ortho'", ", s=(4, 3), axes=(0, 1)")),
    *(f"np.fft.{f}(ri{args})" for f in ("rfft2", "rfftn")
      for args in ("", ", norm='forward'", ", s=(4, 4), axes=(0, 2)", ", axes=(2, 0)")),
    "np.fft.fftshift(m)", "np.fft.ifftshift(five)", "np.fft.fftshift(m, axes=1)",
    "scipy.fft.fftn(t)", "scipy.fft.irfft2(m)", "scipy.special.lambertw(z, tol=1e-10)",
    *(f"{module}.fft.{f}({x}, 5, axis=0, norm='forward'{more})" for f, x in (
        ("fft", "m"), ("ifft", "m"), ("hfft", "m"), ("irfft", "m"), ("rfft", "rm"), ("ihfft", "rm"))
      for module, more in (("np", ""), ("scipy", ", workers=1"))),
    *(f"scipy.fft.{f}{dims}({x}, (4, 3), (0, {axis}), 'ortho', workers=1)" for f, x in (
        ("fft", "t"), ("ifft", "t"), ("irfft", "t"), ("rfft", "ri")) for dims, axis in ("21", "n2")
      ), "scipy.fft.fftshift(m, axes=1)", "scipy.fft.ifftshift(m, axes=0)",
    *(f"scipy.signal.hilbert({args})" for args in ("r", "r5", "rm", "rm, axis=0", "r, 6", "r5, 3",
                                                   "rm, 5, 0")),
    "np.prod(z)", "np.prod(m, axis=1)", "np.cumprod(z)", "np.cumprod(m, axis=1)",
    "np.multiply.reduce(m)", "np.multiply.accumulate(m)", "np.add.accumulate(m)",
    "np.linalg.det(np.outer(z, w)[:2, :2])", "np.linalg.inv(q)",
    "np.linalg.solve(q, z)", "np.linalg.solve(q, n)",
    "np.linalg.solve(q, r)", "np.linalg.det(q)", "np.linalg.matrix_power(q, 3)",
    "np.linalg.matrix_power(q, -2)", "np.polyval(z, a)", "np.polyval(z, w)", "np.polyval(r, w)",
    "np.vander(z, 3)", "np.pad(z, 2)", "np.pad(m, 1, 'edge')", "np.pad(z, 1, 'wrap')",
    "np.take_along_axis(z, i, 0)", "np.delete(z, 1)", "np.compress(mask, z)",
    "np.var(z)", "np.var(m, axis=1, ddof=1)", "np.std(m, axis=0)", "np.std(z)", "z.std()",
    "np.linalg.norm(z)", "np.linalg.norm(m)", "np.linalg.norm(m, axis=1)", "np.linalg.norm(z, 2)",
    "np.linalg.norm(z, 1)", "np.linalg.norm(z, np.inf)", "np.linalg.norm(m, 3, axis=1)",
    "np.linalg.norm(m, 1)", "np.linalg.norm(m, np.inf)", "np.linalg.norm(m, 'nuc')",
    "np.linalg.norm(t, 2, axis=(0, 2), keepdims=True)", "np.linalg.norm(m, 'fro')",
    "np.linalg.vector_norm(m, axis=0, ord=1)", "np.linalg.matrix_norm(t, ord=1)",
    "np.vdot(z, w)", "np.vdot(r, z)", "np.vdot(z, r)", "np.vdot(m, rm)",
    "np.linalg.vector_norm(m, axis=0)", "np.vecdot(m, z)", "np.vecdot(r, z)",
    "np.linalg.vecdot(m, rm)", "scipy.special.lambertw(z)", "scipy.special.lambertw(r, 1)",
    "complex(s)", "complex(real=s, imag=2.0)", "complex(0.5, s)", "complex(a)",
    "np.cross(q[:3, :3], z[:3])", "np.cross(r[:3], z[1:])", "np.matvec(m, z)", "np.matvec(rm, z)",
    "np.vecmat(z, n)", "np.vecmat(r, n)", "np.multiply.outer(z, r)", "np.linalg.matmul(rm, n)",
    "np.linalg.outer(r, z)", "np.linalg.tensordot(t, rm, axes=2)", "np.linalg.cross(z[1:], r[1:])",
    "np.linalg.multi_dot([rm, q, n])", "np.linalg.multi_dot([m, q, r])", "np.cumulative_prod(z)",
    "np.linalg.tensorsolve(np.reshape(q, (2, 2, 4)), m[:2, :2])",
    "np.linalg.tensorinv(q, ind=1)", "np.block([[m], [rm]])", "np.choose(i, [z[:3], a, s])",
    "np.polyadd(z, r5)", "np.polynomial.chebyshev.chebsub(five, z)", "m.compress(mask, axis=1)",
    "np.polynomial.legendre.legint(z)", "np.polynomial.hermite.hermder(m, axis=1)",
    "np.extract(mask, z)", "np.select([mask], [z], r)", "np.add.reduce(m)", "np.insert(z, 1, a)",
    *(f"np.linalg.{f}" for f in (
        "cholesky(ph)", "cholesky(ph, upper=True)", "qr(m)", "qr(n)", "qr(n, mode='r')", "qr(ts)",
        "svd(m, full_matrices=False)", "svd(n, full_matrices=False)", "svd(q)", "svd(ts)",
        "svd(m, compute_uv=False)", "svd(q, hermitian=True)", "svd(m, True, False)", "svdvals(m)",
        "eigh(q)", "eigh(q, 'U')", "eigh(ts, UPLO='l')", "eigvalsh(q)", "eigvalsh(ts, 'u')",
        "eig(q)", "eig(ts)", "eigvals(q)", "pinv(m)", "pinv(n)", "pinv(q, hermitian=True)",
        "lstsq(n, z, None)", "lstsq(n, r, None)", "lstsq(rm.T, z, None)", "lstsq(n, q, None)",
        "slogdet(q)", "slogdet(ts)")),
    *(f"scipy.linalg.{f}" for f in (
        "cholesky(ph)", "cholesky(ph, lower=True)", "cho_factor(ph)", "cho_factor(ph, lower=True)",
        "cho_solve((ph, True), z)", "cho_solve((ph, False), n)", "qr(m, mode='economic')",
        "qr(n, mode='economic')", "svd(m, full_matrices=False)", "svd(q)", "svdvals(n)",
        "eig(q)", "eigvals(q, check_finite=False)", "eig(q, right=False, check_finite=False)",
        "eigvalsh(q)",
        "eigh(q, driver='ev')", "eigh(q, lower=False, driver='ev')",
        "eigh(q, eigvals_only=True)", "eigh(q, ph, eigvals_only=True)",
        "eigvalsh(q, ph, lower=False)",
        "eigh(q, subset_by_index=[0, 1], driver='evx')", "eigvalsh(q, subset_by_index=[1, 2])",
        "pinv(m)",
        "lstsq(n, z)", "lu_factor(q)", "lu(q)", "lu_solve((q, swaps), z)",
        "lu_solve((q, swaps), n, 1)", "lu_solve((q, swaps), r, trans=2)", "inv(q)", "det(q)",
        "solve(q, z)", "solve(q, r)", "solve_triangular(q, z, 1)",
        "solve_triangular(q, n, lower=True, unit_diagonal=True)", "solve_sylvester(q, ph, q3)",
        "expm(q)", "sqrtm(ph)", "block_diag(m, rm)", "khatri_rao(m, q)", "logm(ph)",
        "solve_banded((1, 1), bands, z)", "solve_banded((1, 1), bands, n)",
        *(f"{f}(0.4 * q)" for f in ("sinm", "cosm", "tanm", "sinhm", "coshm", "tanhm")))),
]  # fmt: skip


def like(value: Any, rng: np.random.Generator) -> Any:
    if isinstance(value, tuple | list):
        return [like(v, rng) for v in value]
    found = rng.normal(size=np.shape(value))
    if np.iscomplexobj(value):
        found = found + 1j * rng.normal(size=np.shape(value))
    return found if np.ndim(value) else found[()]


def inner(a: Any, b: Any) -> float:
    if isinstance(a, tuple | list):
        return float(sum(inner(x, y) for x, y in zip(a, b, strict=True)))
    return float(np.real(np.sum(np.conj(a) * b)))


def kinds_of(use: Use, formal: dict[str, Any], y: Any) -> dict[str, Kind]:
    def one(value: Any) -> Kind:
        if isinstance(value, complex | np.complexfloating):
            return Scalar("complex", value.dtype.name if isinstance(value, np.generic) else None)
        return kind_of(value)

    return {**{k: one(v) for k, v in formal.items()}, "y": one(y)}


@pytest.mark.parametrize("text", CALLS)
def test_formula(text: str) -> None:
    names = names_of(text)
    use = read(text, frozenset(names))
    if use is None:
        pytest.skip("this NumPy has no such function")
    env = {n: POOL[n] for n in names}
    formal = {name: evaluate(e, env) for name, e in use.bound.items()}
    rng = np.random.default_rng(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        y = evaluate(use.expr, env)
        for leaf in use.rule.active_in(use.bound):
            e = use.bound[leaf]
            if isinstance(e, E.Name) and np.asarray(env[e.id]).dtype.kind in "fc":
                check(use, env, formal, y, like(y, rng), leaf, e.id)


def check(
    use: Use, env: dict[str, Any], formal: dict[str, Any], y: Any, y_bar: Any, leaf: str, var: str
) -> None:
    direction, step = like(env[var], np.random.default_rng(2)), 1e-6
    above = evaluate(use.expr, {**env, var: env[var] + step * direction})
    below = evaluate(use.expr, {**env, var: env[var] - step * direction})
    if isinstance(y, tuple | list):
        slope = [(p - q) / (2 * step) for p, q in zip(above, below, strict=True)]
    else:
        slope = (above - below) / (2 * step)
    kinds = kinds_of(use, formal, y)
    scope = {**formal, "y": y}
    formulas = use.rule.pullback(leaf, use.bound, kinds)
    assert formulas, f"no formula for {leaf}"
    for f in formulas:
        value = evaluate(f.expr, {**scope, "y_bar": y_bar})
        if f.elementwise:
            value = unbroadcast(value, np.shape(env[var]))
        if f.thin:
            value = np.broadcast_to(value, np.shape(env[var]))
        assert np.shape(value) == np.shape(env[var])
        assert np.iscomplexobj(env[var]) or not np.iscomplexobj(value), f"{f} is complex"
        assert inner(value, direction) == pytest.approx(inner(y_bar, slope), rel=1e-6, abs=1e-6)
    g = use.rule.pushforward(leaf, use.bound, kinds)
    tangent = evaluate(g.expr, {**scope, f"{leaf}_dot": direction})
    if not isinstance(y, tuple | list):
        spread = np.broadcast_to(tangent, np.shape(y))
        np.testing.assert_allclose(spread, slope, rtol=1e-6, atol=1e-6)


def test_every_rule_for_complex_numbers_has_a_sample() -> None:
    spelled = {use.rule.spelling for t in CALLS if (use := read(t, frozenset(names_of(t))))}
    listed = {*complexes.HOLOMORPHIC, *complexes.PRODUCTS, *complexes.POWERS, *complexes.EXPLICIT,
              *complexes.SQUARES, *complexes.SESQUILINEAR, *complexes.HERMITIAN}  # fmt: skip
    left = {s for s in listed if s not in spelled and complexes.ALIASES.get(s, s) not in spelled}
    left = {s for s in left if not s.startswith("cmath.")}  # `test_python_statistics` has them
    assert left <= {"ndarray.conjugate"}
