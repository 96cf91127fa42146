"""Numbers at which a formula could divide by nothing."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.emit.load import load
from adtrans.testing import check_grads

X = np.array([0.5, 1.5, 2.5])


def test_one_point_has_no_distance_to_the_next() -> None:
    def f(x):
        points, step = np.linspace(x[0], x[1], 1, retstep=True)
        return np.sum(points) + 0.0 * np.isnan(step)

    np.testing.assert_array_equal(ad.grad(f)(X), [1.0, 0.0, 0.0])
    np.testing.assert_array_equal(ad.jvp(f, (X,), (np.ones(3),))[1], 1.0)


def test_the_trapezoidal_rule_without_a_width() -> None:
    def f(x, h):
        return np.trapezoid(x, dx=h) if hasattr(np, "trapezoid") else h * (np.sum(x) - 1.5)

    x_bar, h_bar = ad.grad(f, wrt=("x", "h"))(X, 0.0)
    np.testing.assert_array_equal(x_bar, np.zeros(3))
    assert h_bar == 3.0


def test_blocks_in_a_list_that_has_a_name() -> None:
    def f(x):
        rows = [[x, 2.0 * x], [x * x, x]]
        line = []
        for k in range(3):
            line.append(k * x)
        return np.sum(np.block(rows) ** 2) + np.sum(np.block(line) ** 3)

    check_grads(f, (X,))


@pytest.mark.parametrize("call", [
    "transform.Rotation.from_rotvec(x).as_matrix()",
    "interpolate.splev(0.5, interpolate.splrep(t, x, k=1, s=1.0))",
    "interpolate.RegularGridInterpolator((t,), x)([0.5])",
])  # fmt: skip
def test_what_scipy_does_without_a_rule_is_an_error_at_once(call: str) -> None:
    """Its source is not gone through: that would take minutes, to end in an error as well."""
    interpolate = pytest.importorskip("scipy.interpolate")
    transform = pytest.importorskip("scipy.spatial.transform")
    scope = {"np": np, "interpolate": interpolate, "transform": transform, "t": np.arange(3.0)}
    f = load(f"def f(x):\n    return np.sum({call})\n", "f", scope)["f"]
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(f)(X)
    assert caught.value.diagnostics[0].code == "AD401"


def of_two_tuples(x):
    return max((x[0], 1), (x[1], 2))[0]


def of_two_lists(x):
    return max([x[0], 1.0], [x[1], 2.0])[0]


def compared_by_hand(x):
    a, b = (x[0], 1), (x[1], 2)
    largest = b if b > a else a
    return largest[0] * largest[1]


def test_tuples_and_lists_are_no_numbers_for_max() -> None:
    x = np.array([0.3, 0.7])
    with pytest.raises(ad.CompileError, match="as a whole"):
        ad.grad(of_two_lists)(x)
    np.testing.assert_array_equal(ad.grad(of_two_tuples)(x), [0, 1])
    np.testing.assert_array_equal(ad.grad(compared_by_hand)(x), [0, 2])


def of_divmod(x, k):
    q, r = divmod(x, 0.7)
    parts = [q + k, r]
    s = 0.0
    for i in range(3):
        s = s + parts[0][i] * x[i] * k
    return s + np.sum(parts[1] * q.copy())


def test_the_quotient_of_arrays_has_a_tangent_of_its_shape() -> None:
    check_grads(of_divmod, (np.array([0.6, 0.8, 1.1]), 0.9), wrt=(0, 1), order=2)


def clipped_on_one_side(x, k):
    y = x * k
    np.clip(y, 0, None, out=y)
    np.clip(y, None, 0.8, out=y)
    return y @ y * k


def scaled_by_what_has_no_rule(x, k):
    s = 0.0
    for i in range(2):
        r = int.__add__(1, i)
        s = s + r * k
    return s * x[0]


@pytest.mark.parametrize("f", [clipped_on_one_side, scaled_by_what_has_no_rule])
def test_written_nones_and_unknown_kinds(f) -> None:
    check_grads(f, (np.array([0.6, 0.8, 1.1]), 0.9), wrt=(0, 1))
