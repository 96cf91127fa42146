"""What SciPy and NumPy compute in C behind functions that are written in Python: the value is
theirs, the derivative that of the same in Python."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from scipy.interpolate import RegularGridInterpolator, interpn
from scipy.spatial.transform import RigidTransform, Rotation, Slerp

from adtrans.testing import check_grads

X = np.array([0.7, 0.4, 1.3, 0.9])
GRID = np.arange(3.0), np.array([0.0, 1.0, 2.5, 3.0])
VALUES = np.random.default_rng(1).normal(size=(3, 4))


def matrix(x):
    return Rotation.from_rotvec(x[:3]).as_matrix()


def no_rotation(x):
    r = Rotation.from_rotvec((x - X)[:3])
    return np.concatenate([r.as_quat(), r.as_rotvec(), r.apply(X[:3])])


def applied(x):
    return Rotation.from_euler("xyz", x[:3], degrees=True).apply(x[1:])


def composed(x):
    r = Rotation.from_rotvec(x[:3]) * Rotation.from_quat(x).inv()
    return np.concatenate([r.as_euler("zyx"), (r**0.3).as_mrp(), [r.magnitude()]])


def several(x):
    r = Rotation.from_rotvec(np.outer(x, x[:3]) * 0.3)
    return r.mean().as_rotvec() + np.sum(r.as_rotvec(degrees=True), 0)


def between(x):
    return Slerp([0, 1, 2, 3], Rotation.from_rotvec(np.outer(x, x[1:])))([0.3, 1.4]).as_quat()


def from_a_matrix(x):
    return Rotation.from_matrix(np.eye(3) * 2.0 + np.outer(x[:3], x[1:])).as_quat()


def rigid(x):
    t = RigidTransform.from_exp_coords(np.concatenate([x, x[:2]]))
    return t.apply(x[:3])


def density(x):
    estimate = scipy.stats.gaussian_kde(x, weights=[1.0, 2.0, 1.0, 3.0])
    return np.concatenate([estimate([1.0, 1.4]), estimate.logpdf(x[:2])])


def density_of_two(x):
    points = np.stack([x, np.cos(3 * x)])
    return scipy.stats.gaussian_kde(points, bw_method="silverman")(points[:, :2] + 0.1)


def grid(x):
    f = RegularGridInterpolator(GRID, VALUES * x, bounds_error=False, fill_value=None)
    return f(np.stack([x, x * x], 1)) + f((x * 0.5, x[::-1]))


def grid_of_three_axes(x):
    values = VALUES[:, :, None] * x
    return interpn((*GRID, X.cumsum()), values, [[0.3, 0.4, 1.0], [1.5, 2.7, 2.0]])


def cells(x):
    return interpn(GRID, VALUES * x, np.outer([1.0, 0.5], x[:2]), method="nearest")


@pytest.mark.parametrize("f", [
    matrix, no_rotation, applied, composed, several, between, from_a_matrix, rigid, density,
    density_of_two, grid, grid_of_three_axes, cells,
])  # fmt: skip
def test_right_as_recorded(f):
    check_grads(f, (X,), on_unfollowed="always", rtol=1e-5)


def test_an_argument_that_is_written_in_c_is_refused_or_right():
    def f(m):
        return Rotation.from_matrix(m).as_quat()

    m = np.eye(3) * 2.0 + np.outer(X[:3], X[1:])
    check_grads(f, (m,), on_unfollowed="always")
