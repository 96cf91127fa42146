"""Rules in small programs: repeated indices, versions of NumPy, generators, joined ranges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.linalg import lstsq, solve_sylvester, sqrtm
from scipy.spatial.distance import pdist, squareform

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])
PLACES = np.array([0, 2, 2, 1])


def products(x):
    y = x.copy()
    np.multiply.at(y, PLACES, x * x)
    return np.sum(y * y)


def products_with_zeros(x):
    y = x.copy()
    np.multiply.at(y, np.array([0, 0, 1, 1]), x - 0.9)
    return np.sum(y * x)


def quotients(x):
    y = np.outer(x, x)
    np.divide.at(y, (PLACES, [1, 1, 1, 0]), x)
    return np.sum(y * y)


def largest(x):
    y = 0.8 * x
    np.maximum.at(y, PLACES, x * x)
    np.minimum.at(y, x > 0.8, x[0])
    return np.sum(y * y)


def signs(x):
    y = x * x
    np.negative.at(y, PLACES)
    np.rad2deg.at(y, np.array([1, 1]))
    np.ldexp.at(y, [0, 0, 3], [1, 2, 3])
    return np.sum(y * x)


def conjugates(x):
    y = x * (1.0 + 2.0j)
    np.conjugate.at(y, PLACES)
    return np.sum(np.real(y * (x - 1.0j)))


def in_turn(x):
    y = x * x
    np.exp.at(y, [0, 0, 2])
    np.power.at(y, PLACES, x)
    np.hypot.at(y, np.array([[1, 1], [3, 1]]), x[:2])
    np.power.at(y, 3, 2.0)
    np.tanh.at(y, y > 1.2)
    return np.sum(y * x)


def in_turn_in_a_matrix(x):
    y = np.outer(x, x)
    for k in range(2):
        np.sin.at(y, (PLACES, [1, 1, 1, k]))
        np.arctan2.at(y, PLACES, x * y[0, 0])
    np.sqrt.at(y, (slice(None), [1, 1]))
    return np.sum(y * x)


def in_both(x):
    y = x * x
    z, i, j = np.intersect1d(y[:3], y[1:], return_indices=True)
    return np.sum(np.intersect1d(y[1:], y, assume_unique=True) ** 2) + np.sum(z * y[i] * x[j])


def as_it_lies(x):
    y = np.outer(x, x[:3])
    whole = np.asfortranarray(y * x[0]).ravel("K")
    return np.sum(whole[1:5] * whole[:4]) + np.sum(y.T.flatten("A")[::2] ** 2)


def turned_by_memory(x):
    y = np.outer(x, x)
    first = y.T[::-1].flatten("A")[:5] * np.ravel(y.T[::-1], "A")[3:8]
    return np.sum(first**2) + np.sum(np.ravel(y.T, "K")[1:6] * first)


def grids(x):
    u, v = np.mgrid[x[0] : x[2] : 4j, 0:2]
    s, t = np.ogrid[: x[1] : 3j, x[0] : x[0] + 2.5]
    line = np.mgrid[x[3] : 2.0 : 0.5] * np.ogrid[0 : x[1] : 3j]
    steps = np.mgrid[0 : 2.5 : x[1], 0:2, 1 : x[0] : 1j]
    n = len(x)
    whole = x[0] * np.mgrid[0:n, 1:3][1, 2, 1]
    return np.sum(u * v**2) + np.sum(s * t) + np.sum(line**2) * np.sum(steps**2) + whole


def stacked_systems(x):
    a = np.stack([np.outer(x, x) + 3.0 * np.eye(4), np.diag(x) + 0.1])
    y = solve_sylvester(a, a * x[1], np.stack([a[0], np.outer(x, x[::-1])]))
    return np.sum(y * sqrtm(a)) + np.sum(lstsq(a[:, :, :2], y)[0] ** 2)


def in_a_loop(x):
    y = np.ones(4)
    for k in range(3):
        np.multiply.at(y, PLACES, x[k] * x)
    return np.sum(y * x)


def area(x):
    f = np.trapezoid if hasattr(np, "trapezoid") else np.trapz  # noqa: NPY201
    if hasattr(np, "no_such_function"):
        return np.no_such_function(x)
    g = getattr(np, "no_such_function", np.sin)
    return f(x * x) + (f(g(x)) if not hasattr(np, "no_such_function") else np.no_such_function(x))


def generated(x):
    y = np.fromiter((v * v for v in x if v > 0.65), float)
    z = np.fromiter((x[i] * y[0] for i in range(3)), dtype=float, count=3)
    w = np.fromiter((v * y[0] for v in x), float, x.size)
    return np.sum(y) * np.sum(z * z) + np.sum(w * w)


def joined(x):
    y = np.r_[x[0], 0:2, x * x, np.linspace(0.0, 1.0, 2)]
    z = np.c_[x, np.ones(4), y[:4]]
    return np.sum(y * y) + np.sum(z[:, 0] * z[:, 2])


def complex_parts(x):
    z = x + 1j * x * x
    return np.std(z) * np.linalg.norm(z) + np.vdot(z, z * (2 + 1j)).imag


PROGRAMS = [products, products_with_zeros, quotients, largest, signs, conjugates, in_turn,
            in_turn_in_a_matrix, in_both, as_it_lies, turned_by_memory, grids, stacked_systems,
            in_a_loop, area, generated, joined, complex_parts]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_program(f) -> None:
    mine = X.copy()
    value = f(mine)
    assert ad.value_and_grad(f)(mine)[0] == value
    np.testing.assert_array_equal(mine, X)
    check_grads(f, (mine,))


@pytest.mark.parametrize("f", [largest, quotients, area, in_turn, in_turn_in_a_matrix, grids])
def test_second_derivatives(f) -> None:
    h = 1e-5
    slope = ad.grad(f)
    expected = [(slope(X + h * e) - slope(X - h * e)) / (2 * h) for e in np.eye(4)]
    np.testing.assert_allclose(ad.hessian(f)(X), expected, rtol=1e-5, atol=1e-6)


def test_a_copy_that_lies_otherwise_does_not_turn_the_adjoint() -> None:
    def f(x):
        turned = (x * x).reshape(2, 2).T
        whole = np.ravel(turned, "K") * np.arange(4.0)
        turned[0] = x[0]  # so that a copy of it is kept, which has another order
        return np.sum(whole**2) + np.sum(turned)

    check_grads(ad.differentiable(f, on_overwrite="save"), (X.copy(),))


@pytest.mark.parametrize("place", [slice(0, 4), slice(2, 3)])
def test_operands_of_at_that_are_among_the_elements(place) -> None:
    def f(x):
        y = x * 1.0
        np.power.at(y, PLACES, y[place])
        np.arctan2.at(y, [0, 0, 1], y[1])
        return np.sum(y * x)

    mine = X.copy()
    assert ad.value_and_grad(f)(mine)[0] == f(mine)
    check_grads(f, (mine,))


def test_ties_in_repeated_places_go_to_the_first() -> None:
    def f(x, y):
        a = x * 1.0
        np.maximum.at(a, np.array([0, 0, 1]), y)
        return np.sum(a)

    x, y = np.array([1.0, 0.0]), np.array([2.0, 2.0, 0.0])
    gx, gy = ad.grad(f, wrt=("x", "y"))(x, y)
    assert gx.tolist() == [0.0, 1.0] and gy.tolist() == [1.0, 0.0, 0.0]


def test_a_fit_that_the_data_do_not_determine_warns_once() -> None:
    def f(y):
        return np.sum(np.polyfit(np.array([0.0, 1.0, 1.0, 1.0]), y, 2, rcond=1e-10))

    with pytest.warns(getattr(np, "exceptions", np).RankWarning) as told:
        slope = ad.grad(f)(X)
    assert len(told) == 1 and np.all(np.isfinite(slope))


def test_an_integral_of_powers_is_differentiated_twice() -> None:
    def f(a):
        return quad(lambda t: t**a, 0.0, 1.0)[0]

    np.testing.assert_allclose(ad.grad(ad.grad(f))(1.5), 2 / 2.5**3, rtol=1e-7)


def test_a_count_that_is_not_that_of_the_loop_is_left_alone() -> None:
    seen = []

    def f(x):
        return np.sum(np.fromiter((seen.append(v) or v * v for v in x), float, 2))

    with pytest.raises(ad.AdtransError):
        ad.grad(f)(X)
    assert not seen, "more elements would be made than NumPy asks for"


def test_joined_arrays_are_printed_as_written() -> None:
    @ad.differentiable
    def f(x):
        y = np.r_[x, 0:3, 2.0]
        return np.sum(y * y)

    f.grad(X)
    assert "np.r_[x, " in f.source and "__getitem__" not in f.source


def test_a_module_without_the_attribute_is_an_error_where_it_is_certain() -> None:
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(lambda x: np.sum(np.no_such_function(x)))(X)
    assert caught.value.diagnostics[0].code == "AD105"


def systems(a, b):
    x = np.linalg.solve(a, b)
    x += np.linalg.solve(a.T, b)
    b = b + np.linalg.solve(a, np.outer(b, x)) @ x
    x[1:] *= np.linalg.solve(a, a[:, 0])[1:]
    return np.sum(x * x * b)


def test_one_system_is_solved_once_in_a_pullback():
    args = (np.eye(3) * 3 + np.arange(9.0).reshape(3, 3) / 7, np.array([1.0, 2.0, 0.5]))
    check_grads(systems, args, wrt=(0, 1), on_overwrite="save")
    f = ad.differentiable(systems, wrt=(0, 1), on_overwrite="save")
    f.grad(*args)
    _, pullback = f.source.split("def systems_pullback")
    code = "\n".join(line.partition("#")[0] for line in pullback.splitlines())
    assert code.count("np.linalg.solve(") == 4


def differences_between_lists(x):
    return np.sum(np.diff(x, n=2, prepend=0.3, append=[0.1, 0.2]) ** 3)


def one_slope_of_two(x):
    m = np.multiply.outer(x, x * x)
    return np.sum(np.gradient(m)[0] * np.gradient(m, 0.1, 0.2)[1])


@pytest.mark.parametrize("f", [differences_between_lists, one_slope_of_two])
def test_parts_without_a_derivative(f) -> None:
    check_grads(f, (X,))


def test_a_distance_of_several_axes_has_a_second_derivative() -> None:
    """Its part of the second derivative was left out once, then refused."""

    def slopes(x, h):
        rows, columns = np.gradient(np.multiply.outer(x, x), h, h)
        return np.sum(rows * columns)

    check_grads(slopes, (X, 0.5), wrt=(0, 1))
    first = ad.grad(slopes, wrt="h")
    exact = (first(X, 0.5 + 1e-5) - first(X, 0.5 - 1e-5)) / 2e-5
    found = ad.hessian(slopes, wrt="h")(X, 0.5)
    np.testing.assert_allclose(found, exact, rtol=1e-7)
    np.testing.assert_allclose(found, 6 * slopes(X, 0.5) / 0.5**2, rtol=1e-12)
    of_x = ad.grad(slopes, wrt="x")
    v = np.cos(np.arange(X.size))
    along = (of_x(X + 1e-5 * v, 0.5) - of_x(X - 1e-5 * v, 0.5)) / 2e-5
    np.testing.assert_allclose(ad.hessian(slopes, wrt="x")(X, 0.5) @ v, along, rtol=1e-6)


def test_distances_of_all_pairs_as_a_matrix_of_a_program() -> None:
    """What `squareform` returns is known, though not each number of distances is one of pairs."""
    def f(x):
        d = squareform(pdist(x, "minkowski", p=1.5))
        np.fill_diagonal(d, 1.0)
        return np.sum(np.triu(1.0 / d, 1)) + (d**2).sum() * d[0, 1]

    x = np.cos(np.arange(12.0) ** 1.3).reshape(4, 3)
    check_grads(f, (x,))
    check_grads(f, (x,), order=2)
