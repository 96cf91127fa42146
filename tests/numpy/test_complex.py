"""Complex numbers on the way from real inputs to a real result."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([1.0, 2.0, 3.0])
W = np.array([0.3, -1.2, 0.8, 0.5, -0.4, 0.9])
C = W[::-1] + 1j * W**2


def phase(x):
    return np.exp(1j * x)


def spectrum(x):
    return np.sum(np.abs(np.fft.fft(x)) ** 2 * W)


def filtered(x):
    frequencies = np.fft.rfft(x)
    frequencies[2:] = 0
    frequencies *= W[:4]
    return np.sum(np.fft.irfft(frequencies, 6) ** 3)


def differentiated(x):
    k = np.fft.fftfreq(6) * 6
    return np.sum(np.fft.ifft(1j * k * np.fft.fft(x)).real ** 2 * x)


def schroedinger(x):
    psi = np.exp(-x * x) + 0j
    for _ in range(3):
        psi = psi * np.exp(-0.05j * x * x)
        psi = np.fft.ifft(np.exp(-0.05j * W * W) * np.fft.fft(psi))
    return np.sum(np.abs(psi) ** 4)


def recurrence(x):
    z = np.exp(1j * x)
    for k in range(5):
        z[k + 1] = z[k] * z[k + 1] + C[k]
    return np.sum(np.abs(z))


def mandelbrot(x):
    c = x[0] + 1j * x[1]
    z = 0j
    for _ in range(4):
        z = z * z + c
    return z.real * z.imag


def branches(x):
    if x[0] > 0:
        z = x * x
    else:
        z = np.exp(1j * x)
    return np.sum(np.abs(z) ** 3)  # the rules differ, and what `z` is shows only at run time


def turned(z, angle):
    return z * np.exp(angle * 1j)


def called(x):
    return np.sum(turned(x * 1j, x[0]).real ** 2) + np.angle(turned(x, x[1])[2])


def products(x):
    a = x.reshape(2, 3) * C.reshape(2, 3)
    return np.sum(np.abs(a @ (x.reshape(3, 2) + 1j) - a[:, :2].conj()) ** 3)


def image(x):
    a = np.outer(x, x * W)
    return np.sum(np.fft.irfft2(np.fft.rfft2(a) * np.conj(np.fft.rfft2(a.T))) * a)


def stored(x):
    z = np.zeros(6, complex)
    z[:] = np.fft.fft(x) * C
    return np.sum(z.real * z.imag)


def parts_in_either_order(x):
    z = x + 1j * x**2
    if z[0].real > 0:
        z = z * z
    else:
        z = z + 1
    return np.sum(np.arctan2(z.imag, z.real) * z.real)


def last_part_first(x):
    z = np.exp(1j * x) * x
    imaginary, real = z.imag, z.real
    return np.sum(imaginary * real) + np.sum(real**3)


def written_real_part(x):
    z = np.fft.fft(x)
    part = z.real
    part[0] = x[1]
    return np.sum(np.abs(z))


def written_attribute(x):
    z = np.fft.fft(x)
    z.imag[1:] = 0.0
    return np.sum(np.abs(z))


def in_place(x):
    z = np.fft.fft(x)
    z *= C[: len(x)]
    return np.sum(np.abs(z))


PROGRAMS = [
    spectrum, filtered, differentiated, schroedinger, recurrence, mandelbrot, called, products,
    image, stored, parts_in_either_order, last_part_first, written_real_part, written_attribute,
    in_place,
    lambda x: abs(np.sum(np.exp(1j * x))),
    lambda x: np.sum((x + 0j).real),
    lambda x: np.sum(np.sqrt(x.astype(complex) + 1j).real),
    lambda x: np.real(np.sum(x * (2.0 - 1.0j))),
    lambda x: np.sum(np.abs(phase(x) + x)),
    lambda x: np.sum((x * 1j).imag + np.imag(x * C) + np.imag(x)),
    lambda x: np.sum(np.angle(x + 1j)),
    lambda x: np.sum(np.real(x) ** 2) + np.sum(x.imag),
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.parametrize("at", [1.0, -1.0])
@pytest.mark.filterwarnings("error")
def test_gradients(f, at):
    x = at * np.random.default_rng(2).normal(size=6)
    direction, step = np.random.default_rng(3).normal(size=6), 1e-6
    expected = (f(x + step * direction) - f(x - step * direction)) / (2 * step)
    value, pullback = ad.vjp(f, x)
    assert value == f(x)
    for _ in range(2):
        (bar,) = pullback(1.0)
        assert bar.dtype == np.float64 and bar.shape == x.shape
        assert np.sum(bar * direction) == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert ad.jvp(f, (x,), (direction,))[1] == pytest.approx(np.sum(bar * direction), rel=1e-9)


def test_single_precision():
    x = np.random.default_rng(2).normal(size=6)
    single = ad.grad(spectrum)(x.astype(np.float32))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, ad.grad(spectrum)(x), rtol=1e-5)


def real_into_complex(x):
    y = np.zeros(3, complex)
    y[0] = x[0] * 2.0
    return np.abs(y[0])


MIXED = [1.0 + 2.0j, 3.0]


def of_a_mixed_list(x):
    y = x * MIXED[0]  # nothing is known of it: not real, beside complex numbers
    return np.sum(np.abs(y * y + x))


def root_of_a_negative_number(x):
    y = x * (-8) ** (1 / 3)
    return np.sum(np.abs(y * y + x))


@pytest.mark.parametrize(
    "f",
    [
        of_a_mixed_list, root_of_a_negative_number,
        branches,
        lambda x: np.sum(np.abs(np.sign(x + 1j) - 1.0)),
        lambda x: np.abs(np.max(x * C[:3])),
        lambda x: np.sum(np.abs((x + 1j) ** x)),
        lambda x: np.sum(np.abs(np.arccosh(x + 1j))),
    ],
)  # fmt: skip
def test_what_is_not_known_for_complex_numbers_is_refused(f):
    for call in (
        lambda: ad.grad(f)(X),
        lambda: ad.vjp(f, X),
        lambda: ad.jvp(f, (X,), (X,)),
    ):
        with pytest.raises(CompileError) as caught:
            call()
        assert caught.value.diagnostics[0].code in ("AD407", "AD206")


@pytest.mark.parametrize(
    "f",
    [
        lambda x: abs(np.prod(x + 1j)),
        lambda x: np.sum(np.abs(np.cumprod(x * (1.0 + 1.0j)))),
        lambda x: np.sum(np.abs(np.linalg.solve(np.outer(x, x) + 1j * np.eye(3), x + 0j))),
        lambda x: np.sum(np.abs(np.linalg.inv(np.outer(x, x) + 1j * np.eye(3)))),
        lambda x: np.abs(np.linalg.det(np.outer(x, x) + 1j * np.eye(3))),
        lambda x: np.abs(np.polyval(x, 1j)),
        lambda x: np.sum(np.abs(np.pad(x + 1j, 2, "edge")) * 2.0),
    ],
)  # fmt: skip
def test_products_and_systems(f):
    check_grads(f, (X,))


def test_the_refusal_shows_where():
    def f(x):
        y = x * 2.0
        z = y * 1j
        return np.abs(np.max(z))

    with pytest.raises(CompileError, match="AD407") as caught:
        ad.grad(f)(X)
    assert caught.value.diagnostics[0].primary.span.line == f.__code__.co_firstlineno + 3


def test_complex_inputs_and_results_are_refused():
    for call in (
        lambda: ad.grad(lambda x: np.sum(x * C[:3]))(X),
        lambda: ad.grad(lambda z: np.sum(np.abs(z)))(X + 1j),
        lambda: ad.vjp(lambda x: x * 1j, X)[1](np.ones(3)),
    ):
        with pytest.raises(ad.AdtransError):
            call()


def test_complex_constants_beside_it_are_fine():
    def f(x):
        roots = np.roots([1.0, 0.0, 1.0])
        weight = float(np.sum(np.abs(roots)))
        return np.sum(x * x) * weight

    np.testing.assert_allclose(ad.grad(f)(X), 4.0 * X)


def test_an_imaginary_part_is_never_cut_off():
    def f(x):
        root = x**0.5  # complex in Python, for a negative number
        return abs(root * root * root + 1.0 - x)

    assert ad.grad(f)(2.0) == pytest.approx(1.5 * 2.0**0.5 - 1.0)
    with pytest.raises(ad.DerivativeError, match="is complex"):
        ad.jvp(f, (-2.0,), (1.0,))


def test_an_axis_that_is_transformed_twice_is_refused():
    a = np.random.default_rng(2).normal(size=(3, 4))
    with pytest.raises(ad.DerivativeError, match="twice"):
        ad.grad(lambda a: np.sum(np.abs(np.fft.rfftn(a, axes=(0, 1, 0)))))(a)


# -- real and complex numbers under one name, in one container, in one array -----------------------


def wave(x):
    return np.exp(1j * x) * (x[1] + 0.5)


def in_a_list(x):
    z = wave(x[:3])[0]
    items = [np.real(z * z), z * x[2]]
    total = 0.0
    for v in items:
        total = total + np.real(v * (1.0 + 2j) * z)
    return total


def appended(x):
    z = wave(x[:3])[0]
    items = []
    items.append(np.real(z * z) * x[2])
    items.append(z)
    return np.real(items[0] * items[1] * (1 + 1j)) + np.real(items[1] * 1j * z * items[0])


def put_over(x):
    z = wave(x[:3])[0]
    items = [z, z * x[2]]
    items[1] = np.abs(z * z)
    return np.real(items[0] * items[1] * (1 + 1j)) + np.real(items[1] * 1j * z)


def in_a_dictionary(x):
    z = wave(x[:3])[0]
    table = {"a": np.imag(z * z)}
    table["b"] = z
    total = 0.0
    for key in table:
        total = total + np.real(table[key] * (1 + 2j) * z)
    return total


def picked_from_a_pair(x):
    z = wave(x[:3])[0]
    pair = (z.real * z.imag, z)
    total = 0.0
    for k in range(2):
        total = total + np.real(pair[k] * (2 - 1j) * z)
    return total


def under_one_name(x):
    z = wave(x[:3])[0]
    v = z
    total = 0.0
    for k in range(3):
        total = total + np.real(v * (1 + 2j) * z)
        v = np.abs(v) * x[2] if k % 2 else v * z
    return total


def in_rows(x):
    z = wave(x)
    rows = np.zeros((2, 6), complex)
    rows[0] = z.real * z.imag
    rows[1] = z
    return np.real(np.sum(rows * (1 + 2j) * z))


def transfer_matrices(x):
    z = wave(x)
    product = np.eye(2, dtype=complex)
    for k in range(3):
        layer = np.zeros((2, 2), complex)
        layer[0, 0] = np.cos(x[k])
        layer[0, 1] = 1j * np.sin(x[k]) * z[k]
        layer[1, 0] = np.abs(z[k])
        layer[1, 1] += z[k].real * x[0]
        product = product @ layer
    return np.abs(np.sum(product)) ** 2


def added_in_place(x):
    z = wave(x)
    total = np.zeros((2, 6), complex)
    total[:] = z.imag
    total += z.real * x
    total[1] -= x[0] * z.imag[1]
    total[0, 1] = x[2]
    return np.real(np.sum(total * total * (1 + 2j) * z))


def pairs_in_both_orders(x):
    z = wave(x)
    total = 0.0
    for a, b in [(z.imag, z), (z, z.real)]:
        total = total + np.real(np.sum(a * b * (1 + 2j) * z))
    return total


TOGETHER = [real_into_complex, in_a_list, appended, put_over, in_a_dictionary, picked_from_a_pair,
            under_one_name, in_rows, transfer_matrices, added_in_place,
            pairs_in_both_orders]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("f", TOGETHER)
def test_what_is_real_gets_a_real_adjoint(f):
    check_grads(f, (W,))


@pytest.mark.parametrize("f", [f for f in TOGETHER if f is not under_one_name])
def test_second_derivatives_beside_real_numbers(f):
    check_second(f)


def test_no_second_derivative_of_abs_of_what_may_be_either():
    with pytest.raises(CompileError, match="AD407"):
        ad.hessian(under_one_name)(W)


def check_second(f):
    gradient, along = ad.grad(f), np.linspace(-1.0, 1.0, 6)
    h = 1e-6
    expected = (gradient(W + h * along) - gradient(W - h * along)) / (2 * h)
    _, found = ad.jvp(gradient, (W,), (along,))
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(np.abs(np.fft.fft(x, 8)) ** 3),
        lambda x: np.sum(np.abs(np.fft.fft(np.outer(x, x), axis=0, norm="ortho")) ** 3),
        lambda x: np.sum(np.abs(np.fft.ifft2(np.outer(x, x) * C, norm="forward")) ** 3),
        lambda x: np.sum(np.abs(np.fft.rfft(x * x)) ** 3),
        lambda x: np.sum(np.fft.irfft(np.fft.rfft(x) ** 2, norm="forward") ** 3),
        lambda x: np.sum(np.fft.irfftn(np.fft.rfftn(np.outer(x, x)) ** 2, axes=(0, 1)) ** 2),
        lambda x: np.sum(np.gradient(x, axis=0) ** 3),
    ],
)
def test_second_derivatives_of_transforms(f):
    check_second(f)


def test_the_adjoint_of_a_transform_is_the_other_one():
    f = ad.differentiable(spectrum)
    f.grad(W)
    assert "np.real(np.fft.ifft(" in f.source and "norm='forward')" in f.source


def joined(x):
    z = wave(x)[0]
    reals = [z.real, z.imag]
    every = reals + [z]
    return np.real(every[0] * every[1] * every[2] * (1 + 2j))


def test_lists_of_real_numbers_are_not_taken_for_lists_of_complex_ones():
    with pytest.raises(CompileError, match="real and complex numbers meet in one container"):
        ad.grad(joined)(W)


def spectral_steps(u):
    k = np.fft.fftfreq(6, 1 / 6)
    spectrum = np.fft.fft(u)
    for _ in range(2):
        spectrum = np.exp(0.001j * k**3) * spectrum
        now = np.real(np.fft.ifft(spectrum))
        spectrum = spectrum - 0.003j * k * np.fft.fft(now**2)
    return np.sum(np.real(np.fft.ifft(spectrum)) ** 3)


def test_the_tangent_of_a_real_part_is_a_real_part():
    check_grads(spectral_steps, (W,))
    check_second(spectral_steps)


def two_parts(z):
    return [np.real(z * z), np.imag(z)]


def two_parts_as_a_pair(z):
    return np.real(z * z), np.imag(z)


def list_from_a_callee(x):
    z = wave(x[:3])[0]
    items = two_parts(z)
    total = 0.0
    for _ in range(3):
        for v in items:
            total = total + np.real(v * (1 + 2j) * z)
        items = [z * x[2], z]
    return total


def pair_from_a_callee(x):
    z = wave(x[:3])[0]
    pair = two_parts_as_a_pair(z)
    total = 0.0
    for _ in range(3):
        a, b = pair
        total = total + np.real(a * (1 + 2j) * z * b)
        pair = (z * x[2], z)
    return total


def list_that_gets_more(x):
    z = wave(x[:3])[0]
    items = two_parts(z)
    items.append(z)
    items[0] = items[1] * items[2]
    return np.real(items[0] * items[1] * (1 + 1j))


@pytest.mark.parametrize("f", [list_from_a_callee, pair_from_a_callee, list_that_gets_more])
def test_what_a_callee_returns_as_real_is_not_taken_for_complex(f):
    with pytest.raises(CompileError, match="real and complex numbers meet in one container"):
        ad.grad(f)(W)


def test_spectra_of_an_array_turned_by_any_axis() -> None:
    def f(x, axis):
        moved = np.moveaxis(x, axis, -1)
        return np.sum(np.fft.irfft(np.fft.rfft(moved)[..., :3], 6) ** 3)

    x = np.random.default_rng(0).normal(size=(8, 9))
    for axis in (0, 1):
        check_grads(f, (x, axis), wrt="x")


def test_spectra_of_what_is_not_known_are_refused() -> None:
    def f(x, things):
        values = x if things[0] == 1 else things[1] * x[0]
        return np.sum(np.fft.irfft(np.fft.rfft(values)[:3], 4) ** 3)

    with pytest.raises(CompileError) as caught:
        ad.grad(f, wrt="x")(np.arange(6.0), [1, "other"])
    assert caught.value.diagnostics[0].code == "AD407"


TALL = np.array([[1, 2j], [3j, 1], [1, 1j]])
LISTS = {
    "outer": lambda x: np.outer(x, [1j, 2j]).imag,
    "outer, left": lambda x: np.outer((1j, 2), x).imag,
    "convolve": lambda x: np.convolve((1j, 2), x).imag,
    "kron": lambda x: np.kron([1j, 2], x).imag,
    "polyval of coefficients": lambda x: np.polyval(x, [1j, 2]).imag,
    "polyval at points": lambda x: np.polyval([1j, 2], x).imag,
    "multiply.outer": lambda x: np.multiply.outer([1j, 2], x).imag,
    "einsum": lambda x: np.einsum("i,j->ij", x, [1j, 2]).imag,
    "solve": lambda x: np.linalg.solve([[1, 2j], [3j, 1]], x[:2]).imag,
    "meshgrid": lambda x: (np.meshgrid(x, [1j, 2])[0] * x).imag + x[0],
    "ediff1d": lambda x: np.abs(np.ediff1d(x + 0j, to_begin=[1, 2j])),
    "of real numbers": lambda x: np.einsum("i,j->ij", x, [1.0, 2.0]),
}  # fmt: skip


@pytest.mark.parametrize("name", LISTS)
def test_a_list_of_complex_numbers_is_a_factor_like_an_array_of_them(name):
    f = LISTS[name]
    check_grads(f, (X,))
    check_grads(lambda x: np.sum(f(x) * f(x)), (X,))
    step = (f(X + 1e-6) - f(X - 1e-6)) / 2e-6
    np.testing.assert_allclose(ad.jvp(f, (X,), (np.ones(3),))[1], step, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("f", [
    lambda x: np.sum(np.linalg.lstsq(TALL, x, rcond=None)[0].imag),
    lambda x: np.sum(np.linalg.svd(TALL * x[:2])[1]),
    lambda x: np.linalg.slogdet(TALL[:2] * x[:2])[1],
    lambda x: np.sum(np.linalg.lstsq(x[:, None], TALL, rcond=None)[0].imag),
])  # fmt: skip
def test_a_tuple_that_holds_complex_numbers(f):
    check_grads(f, (X,))


def rows_beside_real_ones(x):
    z = x + 0j
    z[0] = 1j * x[0]
    return np.sum(np.abs(z) ** 2 * X + z.imag)


def joined_in_an_array(x):
    z = np.array([x[0] + 1j, x[1] + 0j, x[2] - 2j])
    z[1:] = 1j * x[1:]
    return np.sum(np.abs(z) ** 2 * X + z.imag)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("f", [rows_beside_real_ones, joined_in_an_array])
def test_the_tangent_of_a_complex_array_takes_complex_numbers(f):
    step = (f(X + 1e-6) - f(X - 1e-6)) / 2e-6
    assert ad.jvp(f, (X,), (np.ones(3),))[1] == pytest.approx(step)
    check_grads(f, (X,))


def test_the_conjugate_of_a_sum_with_a_real_number():
    def f(x, y):
        return np.conj(x + 1j * y).imag

    check_grads(f, (X, X**2))
    for k in (0, 1):
        check_grads(f, (X, X**2), wrt=k)


def test_a_complex_array_divided_in_place_by_a_tuple_of_complex_numbers():
    def f(x):
        z = x + 0j
        z /= (1j, 2j, 3j)
        return np.sum(z.imag)

    check_grads(f, (X,), order=2)


SPARSE = scipy.sparse.csr_matrix(np.array([[2, 1j, 0], [-1j, 3, 1], [0.5, 0, 1j]]))


@pytest.mark.parametrize("f", [
    lambda x: np.abs(SPARSE @ x) + (SPARSE @ x).imag,
    lambda x: np.abs(x @ SPARSE) + (x @ SPARSE).imag,
    lambda x: (SPARSE @ (x + 1j * x**2)).imag,
])  # fmt: skip
def test_a_sparse_matrix_of_complex_numbers(f):
    check_grads(f, (X,))
