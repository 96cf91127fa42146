"""How the pullback gets at primal values: from headers, at the end, recomputed, recorded."""

from __future__ import annotations

import numpy as np

from adtrans.driver.options import Options
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import Array, Scalar
from adtrans.pipeline import compile_function
from tests.transforms.made import derivative, forward, pullback

X = np.array([1.0, 2.0, 3.0])


def last_line(text: str) -> str:
    return text.rstrip().splitlines()[-1].strip()


def header(x):
    s = 0.0
    for i in range(len(x)):
        s += (i + 1.0) * x[i]
    return s


def test_indices_come_from_the_header() -> None:
    c = derivative(header, X)
    assert "reversed(range(len(x)))" in pullback(c)
    assert "_saved" not in c.source


def final(x, w):
    y = np.sin(x)
    return np.sum(w * y)


def test_what_stays_is_read_at_the_end() -> None:
    c = derivative(final, X, X)
    assert last_line(forward(c)).endswith("(w, x)") or "(x, w)" in last_line(forward(c))


def lengths(x):
    y = x * 2.0
    y = np.sum(y)
    return y


def test_shapes_are_kept_instead_of_arrays() -> None:
    _, residuals = derivative(lengths, X).function(0)(X)
    assert not any(isinstance(r, np.ndarray) for r in residuals)


def elements(a):
    s = 0.0
    for i in range(len(a)):
        s += a[i] * a[i] * np.sin(a[i])
    return s


def test_elements_that_survive_are_read_again() -> None:
    c = derivative(elements, X)
    assert "a[i]" in pullback(c)
    assert "t_saved.append(a" not in forward(c)


def overwritten(a):
    a = a * 1.0
    for i in range(1, len(a)):
        a[i] = a[i] * a[i - 1]
    return a[-1]


def test_elements_that_do_not_survive_are_kept_by_value() -> None:
    c = derivative(overwritten, X)
    assert ".append(" in forward(c) and ".copy()" not in forward(c)
    _, residuals = c.function(0)(X)
    np.testing.assert_allclose(c.function(1)(residuals, 1.0), [6.0, 3.0, 2.0])


def growing(x, steps):
    u = x * 1.0
    for _ in range(steps):
        u[1:] = u[1:] * u[:-1]
    return np.sum(u)


def test_saved_regions_are_copies() -> None:
    c = derivative(growing, X, 3, on_overwrite="save")
    assert "u_saved[k] = u" in forward(c), "one pool for all iterations"
    _, residuals = c.function(0)(X, 3)
    first = c.function(1)(residuals, 1.0)
    np.testing.assert_array_equal(first, c.function(1)(residuals, 1.0))


def counted(x, tol):
    y, n = x, 0
    while y > tol:
        y = 0.5 * y
        n += 1
    return y * n


def test_the_number_of_iterations_is_known_to_the_pullback() -> None:
    c = derivative(counted, 8.0, 1.0)
    _, residuals = c.function(0)(8.0, 1.0)
    assert c.function(1)(residuals, 1.0) == 0.125 * 3


def relaxed(u, f, n):
    for _ in range(n):
        u[1:-1] = 0.5 * (u[2:] + u[:-2] + f[1:-1])
    return np.sum(u)


def test_a_shape_that_follows_from_that_of_a_parameter_is_not_kept() -> None:
    kinds = {name: Array("float64", (Affine.symbol(f"{name}.shape[0]"),)) for name in "uf"}
    kinds["n"] = Scalar("int")
    c = compile_function(relaxed, kinds, Options(), wrt=("u", "f"))
    assert "unbroadcast(t_bar_2, (max(u_shape[0] - 2, 0),))" in pullback(c)
    for sizes in ((5, 5), (5, 3), (3, 3), (2, 2)):
        u, f = np.ones(sizes[0]), np.ones(sizes[1])
        _, residuals = c.function(0)(u, f, 2)
        bars = c.function(1)(residuals, 1.0)
        assert [b.shape for b in bars] == [u.shape, f.shape], sizes
