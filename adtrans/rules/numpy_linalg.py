"""Linear algebra. Matrices that must be regular are taken to be so.

>>> from adtrans.ir.expr import Name
>>> from adtrans.ir.kinds import Array
>>> from adtrans.rules import lookup
>>> import numpy as np
>>> matrix = Array("float64", (None, None))
>>> print(lookup(np.linalg.inv).pullback("a", {"a": Name("a")}, {"a": matrix})[0])
-y.T @ y_bar @ y.T
"""

from __future__ import annotations

from collections.abc import Callable

from adtrans.ir.kinds import Array
from adtrans.rules import numpy_products as products
from adtrans.rules import numpy_reductions as reductions
from adtrans.rules.complexes import is_complex
from adtrans.rules.declare import Site, constant, linear, multilinear, rule, view
from adtrans.rules.site import Text


def _t(site: Site, name: str, param: str = "a") -> str:
    return f"{name}.T" if site.ndim(param) == 2 else f"np.swapaxes({name}, -1, -2)"


def _h(site: Site, name: str) -> str:
    """Transposed and, of complex matrices, conjugated."""
    return _t(site, f"np.conj({name})" if is_complex(site.kind("a")) else name)


def _inverse(site: Site) -> Text:
    """By the result, or by the operand."""
    t, turned = _t(site, "y"), _t(site, "a")
    inner = _t(site, f"np.linalg.solve({turned}, y_bar)")
    return f"-{t} @ y_bar @ {t}", "-" + _t(site, f"np.linalg.solve(a, {inner})")


def _solve_b(site: Site) -> Text:
    if site.ndim("a") == 2:
        return "np.linalg.solve(a.T, y_bar)"
    return "solve_right(y_bar, a, np.shape(b))"


def _solve_a(site: Site) -> Text:
    """By the result, or by the other operand."""
    match site.ndim("a"), site.ndim("b"):
        case 2, 1:
            way, y = "-np.linalg.solve(a.T, y_bar)[:, None] * {}", "np.linalg.solve(a, b)"
        case 2, 2:
            way, y = "-np.linalg.solve(a.T, y_bar) @ {}.T", "np.linalg.solve(a, b)"
        case _:
            way, y = "solve_left(y_bar, a, np.shape(b), {})", "solve_like(a, b, np.shape(b))"
    return way.format("y"), way.format(y)


def _solve_a_dot(site: Site) -> Text:
    if site.ndim("a") == 2 and site.ndim("b") in (1, 2):
        return "-np.linalg.solve(a, dot @ y)"
    return "-solve_like(a, matvec_like(dot, y, np.shape(b)), np.shape(b))"


def _per_matrix(site: Site, name: str) -> str:
    """A number for each matrix, so that it broadcasts against the matrices."""
    ndim = site.ndim("a")
    return name if ndim == 2 else f"np.asarray({name})[..., None, None]"


def _det(site: Site) -> Text:
    seed = _per_matrix(site, "y_bar")
    return f"{seed} * cofactors(a, y)", f"{seed} * cofactors(a, np.linalg.det(a))"


def _slogdet(site: Site) -> Text:
    if is_complex(site.kind("a")):
        return "slogdet_pullback(y_bar, a, y[0])"
    if site.ndim("a") == 2:
        return "y_bar[1] * regular_inverse(a).T"
    return "np.asarray(y_bar[1])[..., None, None] * np.swapaxes(regular_inverse(a), -1, -2)"


def _slogdet_dot(site: Site) -> Text:
    if is_complex(site.kind("a")):
        return "slogdet_pushforward(dot, a, y[0])"
    return "(0.0 * y[0], np.trace(regular_inverse(a) @ dot, axis1=-2, axis2=-1))"


def _cholesky(seed: str, way: str) -> Callable[[Site], Text]:
    def write(site: Site) -> Text:
        if site.const("upper") is False:
            return f"cholesky_{way}({seed}, y)", f"cholesky_{way}({seed}, np.linalg.cholesky(a))"
        seeds, again = _h(site, seed), _h(site, "np.linalg.cholesky(a, upper=True)")
        found = (f"cholesky_{way}({seeds}, {y})" for y in (_h(site, "y"), again))
        return tuple(_h(site, text) for text in found)

    return write


def _cholesky_refusal(site: Site) -> str | None:
    return None if site.const("upper") in (True, False) else "`upper=` must be written out here"


def _qr(seed: str, way: str) -> Callable[[Site], Text]:
    def write(site: Site) -> Text:
        if site.const("mode") != "r":
            return f"qr_{way}({seed}, y)"
        if way == "pullback":
            return f"qr_pullback((None, {seed}), np.linalg.qr(a))"
        return f"qr_pushforward({seed}, np.linalg.qr(a))[1]"

    return write


def _qr_refusal(site: Site) -> str | None:
    mode, kind = site.const("mode"), site.kind("a")
    if mode in ("reduced", "r"):
        return None
    if mode == "complete" and isinstance(kind, Array) and kind.dims and None not in kind.dims:
        if kind.dims[-1] == kind.dims[-2]:
            return None
    return "only `mode='reduced'` and `mode='r'` have a derivative: further columns are not unique"


def _or_symmetric(text: str) -> Callable[[Site], Text]:
    """A formula for any matrix, and with `hermitian=True` for that whose lower triangle is read."""

    def write(site: Site) -> Text:
        if site.const("hermitian") is not True:
            return text
        whole = text.replace(" a,", " from_triangle(a, 'L'),").replace(
            " a)", " from_triangle(a, 'L'))"
        )
        if "(dot" in whole:
            return whole.replace("(dot", "(from_triangle(dot, 'L')")
        return f"to_triangle({whole}, 'L')"

    return write


def _by_kind(text: str) -> Callable[[Site], Text]:
    """Vectors of complex matrices have phases; of real ones the eigenvalues must be real, too."""
    return lambda site: "complex_" * is_complex(site.kind("a")) + text


def _svd(seed: str, way: str) -> Callable[[Site], Text]:
    def write(site: Site) -> Text:
        if site.const("compute_uv") is True:
            return _or_symmetric(str(_by_kind(f"svd_{way}({seed}, y)")(site)))(site)
        return _or_symmetric(f"svdvals_{way}({seed}, a)")(site)

    return write


def _svd_refusal(site: Site) -> str | None:
    if site.const("compute_uv") not in (True, False):
        return "`compute_uv=` must be written out here"
    return _hermitian_refusal(site)


def _hermitian_refusal(site: Site) -> str | None:
    if site.const("hermitian") in (True, False):
        return None
    return "`hermitian=` must be written out here"


def _short_chain(site: Site, i: int, n: int) -> Text:
    """The adjoint of the i-th of two or three factors as a person would write it."""
    ranks = [site.ndim(f"arrays[{k}]") for k in range(n)]
    if any(rank not in (1, 2) for rank in ranks):
        return None
    left, right = (" @ ".join(f"arrays[{k}]" for k in part) for part in (range(i), range(i + 1, n)))
    left, right = (f"({text})" if "@" in text else text for text in (left, right))
    row, column = ranks[0] == 1 and i > 0, ranks[-1] == 1 and i < n - 1
    if row and column:
        return f"y_bar * np.outer({left}, {right})" if 0 < i < n - 1 else None
    if i == 0:
        other = f"np.outer(y_bar, {right})" if ranks[0] == 2 else f"y_bar * {right}"
        return other if column else f"y_bar @ {right}.T"
    if i == n - 1:
        other = f"np.outer({left}, y_bar)" if ranks[-1] == 2 else f"y_bar * {left}"
        return other if row else f"{left}.T @ y_bar"
    seed = f"np.outer(y_bar, {right})" if column else f"y_bar @ {right}.T"
    if row:
        return f"np.outer({left}, {seed})"
    return f"{left}.T @ {seed}" if not column else f"np.outer({left}.T @ y_bar, {right})"


def _factor(site: Site, i: int) -> Text:
    n = site.items("arrays")
    if n is None or i < 0:
        return None
    if n <= 3 and (found := _short_chain(site, i, n)) is not None:
        return found
    arrays = ", ".join("None" if k == i else f"arrays[{k}]" for k in range(n))
    return f"multi_dot_pullback(y_bar, {i}, np.shape(arrays[{i}]), ({arrays}))"


def _factor_dot(site: Site, i: int) -> Text:
    n = site.items("arrays")
    if n is None or i < 0:
        return None
    arrays = ", ".join("dot" if k == i else f"arrays[{k}]" for k in range(n))
    return f"np.linalg.multi_dot([{arrays}])"


rule("np.linalg.inv(a)", a=_inverse, a_dot="-y @ dot @ y")
rule("np.linalg.solve(a, b)", a=_solve_a, b=_solve_b, a_dot=_solve_a_dot,
     b_dot="solve_like(a, dot, np.shape(b))")  # fmt: skip
rule("np.linalg.det(a)", a=_det, a_dot="np.sum(cofactors(a, y) * dot, axis=(-2, -1))")
rule("np.linalg.slogdet(a)", a=_slogdet, tuple_result=True, a_dot=_slogdet_dot)
rule("np.linalg.pinv(a, rcond: 'rcond|rtol'=None, hermitian=False)", refuses=_hermitian_refusal,
     a=_or_symmetric("pinv_pullback(y_bar, a, y)"),
     a_dot=_or_symmetric("pinv_pushforward(dot, a, y)"))  # fmt: skip
rule("np.linalg.matrix_power(a, n)", a="matrix_power_pullback(y_bar, a, n)",
     a_dot="matrix_power_pushforward(dot, a, n)")  # fmt: skip
def _chain_refusal(site: Site) -> str | None:
    for k in range(site.items("arrays") or 0):
        if site.ndim(f"arrays[{k}]") not in (1, 2, None):
            return "its rule is for vectors and matrices: NumPy takes others of two factors only"
    return None


rule("np.linalg.multi_dot(arrays: seq, *, out=None)", arrays=_factor, arrays_dot=_factor_dot,
     refuses=_chain_refusal)  # fmt: skip
rule("np.linalg.tensorsolve(a, b, axes=None)",
     a="tensorsolve_left(y_bar, a, np.shape(b), y, axes)",
     b="tensorsolve_right(y_bar, a, np.shape(b), axes)",
     a_dot="tensorsolve_pushforward(dot, a, np.shape(b), y, axes)",
     b_dot="np.linalg.tensorsolve(a, dot, axes)")  # fmt: skip
rule("np.linalg.tensorinv(a, ind=2)", a="tensorinv_pullback(y_bar, np.shape(a), y, ind)",
     a_dot="tensorinv_pushforward(dot, y, ind)")  # fmt: skip
rule("np.linalg.lstsq(a, b, rcond=None)", tuple_result=True, partial=True,
     a="lstsq_left(y_bar, a, b, y, rcond)", b="lstsq_right(y_bar, a, b, y, rcond)",
     a_dot="lstsq_left_pushforward(dot, a, b, y, rcond)",
     b_dot="lstsq_right_pushforward(dot, a, b, y, rcond)")  # fmt: skip

# factorizations; those of symmetric matrices read one triangle, so the other has derivative 0
rule("np.linalg.cholesky(a, /, *, upper=False)", refuses=_cholesky_refusal,
     a=_cholesky("y_bar", "pullback"),
     a_dot=_cholesky("dot", "pushforward"))  # fmt: skip
rule("np.linalg.qr(a, mode='reduced')", partial=True, refuses=_qr_refusal,
     tuple_result=lambda s: s.const("mode") != "r",
     a=_qr("y_bar", "pullback"), a_dot=_qr("dot", "pushforward"))  # fmt: skip
rule("np.linalg.svd(a, full_matrices=True, compute_uv=True, hermitian=False)",
     tuple_result=lambda s: s.const("compute_uv") is not False, partial=True,
     refuses=_svd_refusal,
     a=_svd("y_bar", "pullback"), a_dot=_svd("dot", "pushforward"))  # fmt: skip
rule("np.linalg.svdvals(x, /)", x="svdvals_pullback(y_bar, x)", x_dot="svdvals_pushforward(dot, x)")
rule("np.linalg.eigh(a, UPLO='L')", a=_by_kind("eigh_pullback(y_bar, y, UPLO)"),
     a_dot=_by_kind("eigh_pushforward(dot, y, UPLO)"), tuple_result=True, partial=True)  # fmt: skip
rule("np.linalg.eigvalsh(a, UPLO='L')", a="eigvalsh_pullback(y_bar, a, UPLO)",
     a_dot="eigvalsh_pushforward(dot, a, UPLO)")  # fmt: skip
rule("np.linalg.eig(a)", tuple_result=True, partial=True, a=_by_kind("eig_pullback(y_bar, y)"),
     a_dot=_by_kind("eig_pushforward(dot, y)"))  # fmt: skip
rule("np.linalg.eigvals(a)", a=_by_kind("eigvals_pullback(y_bar, a)"),
     a_dot=_by_kind("eigvals_pushforward(dot, a)"))
constant("np.linalg.matrix_rank")


def _weight(site: Site) -> str:
    if site.const("ord") is None or (site.const("ord") == 2 and site.ndim("a") == 1):
        return f"a / {reductions.spread(site, 'y')}"
    return "norm_weights(a, ord, axis)"


def _norm_a(site: Site) -> Text:
    w = _weight(site)
    if w == "a / y":  # numbers first: one pass over the array
        return "y_bar / y * a"
    return f"{reductions.spread(site)} * {w}"


def _vector_weight(site: Site) -> str:
    if site.const("ord") == 2:
        return f"x / {reductions.spread(site, 'y', 'x')}"
    return "vector_norm_weights(x, ord, axis)"


def _matrix_norm_x(site: Site) -> Text:
    weights = "matrix_norm_weights(x, ord, -2, -1)"
    if site.ndim("x") == 2 or site.const("keepdims") is True:
        return f"y_bar * {weights}"
    return f"expand_reduced(y_bar, (-2, -1), keepdims, np.ndim(x)) * {weights}"


def _norm_dot(site: Site) -> Text:
    return f"np.sum(dot * ({_weight(site)}){reductions.options(site)})"


rule("np.linalg.norm(a: 'x', ord=None, axis=None, keepdims=False)", a=_norm_a, a_dot=_norm_dot)
rule("np.linalg.vector_norm(x, /, *, axis=None, keepdims=False, ord=2)",
     x=lambda s: f"{reductions.spread(s, a='x')} * {_vector_weight(s)}",
     x_dot=lambda s: f"np.sum(dot * ({_vector_weight(s)}){reductions.options(s)})")  # fmt: skip
rule("np.linalg.matrix_norm(x, /, *, keepdims=False, ord='fro')", x=_matrix_norm_x,
     x_dot="np.sum(dot * matrix_norm_weights(x, ord, -2, -1), axis=(-2, -1), "
           "keepdims=keepdims)")  # fmt: skip
rule("np.linalg.cond(a: 'x', p=None)",
     a=lambda s: f"{_per_matrix(s, 'y_bar')} * cond_weights(a, p)",
     a_dot="np.sum(dot * cond_weights(a, p), axis=(-2, -1))")  # fmt: skip

# the names of NumPy 2 for functions of the main namespace
linear("np.linalg.trace(x, /, *, offset=0, dtype=None)",
       x="gather_pullback(np.expand_dims(y_bar, -1), "
         "np.diagonal(positions(np.shape(x)), offset, -2, -1), np.shape(x))")  # fmt: skip
view("np.linalg.diagonal(x, /, *, offset=0)",
     x="gather_pullback(y_bar, np.diagonal(positions(np.shape(x)), offset, -2, -1), "
       "np.shape(x))")  # fmt: skip
view("np.linalg.matrix_transpose(x, /)", x="np.swapaxes(y_bar, -1, -2)")
multilinear("np.linalg.outer(a, b, /)", a=products.outer_a, b=products.outer_b)
multilinear("np.linalg.matmul(a, b, /)", a=products.matmul_a, b=products.matmul_b)
multilinear("np.linalg.tensordot(a, b, /, *, axes=2)",
            a="tensordot_left(y_bar, np.shape(a), b, axes)",
            b="tensordot_right(y_bar, a, np.shape(b), axes)")  # fmt: skip
multilinear("np.linalg.cross(a, b, /, *, axis=-1)",
            a="cross_left(y_bar, a, b, -1, -1, -1, axis)",
            b="cross_right(y_bar, a, b, -1, -1, -1, axis)")  # fmt: skip
multilinear("np.linalg.vecdot(a, b, /, *, axis=-1)",
            a=products.vecdot("a", "b"), b=products.vecdot("b", "a"))  # fmt: skip
