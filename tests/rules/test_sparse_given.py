"""Sparse matrices that objects hold, that are given, and that are computed of these."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import splu, spsolve

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


def second_differences(n=4):
    return sp.diags([1.0, -2.5, 1.0], [-1, 0, 1], shape=(n, n)).tocsr()


class Heat:
    def __init__(self, n, dt=0.1):
        self.A = second_differences(n)
        self.unit = sp.identity(n, format="csc")
        self.dt, self.k = dt, 2.0

    def applied(self, u):
        return self.k * (self.A @ u)

    def explicit(self, u):
        return u + self.dt * self.A.dot(u)

    def implicit(self, u):
        return spsolve((self.unit - self.dt * self.A).tocsc(), u)


HEAT = Heat(4)


def of_a_global(x):
    return np.sum(HEAT.implicit(HEAT.explicit(HEAT.applied(x))) ** 2)


def made_inside(x):
    heat = Heat(4)
    heat.k = x[1]
    return np.sum(heat.explicit(heat.applied(x)) ** 2) + np.sum(((-heat.A.T) @ x) ** 3)


@pytest.mark.parametrize("f", [of_a_global, made_inside])
def test_a_matrix_that_an_object_holds(f) -> None:
    check_grads(f, (X,), order=2)


def of_an_argument(heat, x):
    return np.sum(heat.explicit(heat.applied(x)) ** 2)


@pytest.mark.recorded
def test_a_matrix_of_an_argument() -> None:
    check_grads(of_an_argument, (Heat(4), X), wrt=1, order=2)


def scaled(A, x, dt):
    B = dt * A
    C = sp.identity(4) - B
    return np.sum((C @ x) ** 2)


def scaled_behind(A, x, dt):
    return np.sum(((A * dt) @ x) ** 2) + np.sum((-A / dt) @ x)


def implicit(A, x, dt):
    lu = splu((sp.identity(4) - dt * A).tocsc())
    u = x
    for _ in range(3):
        u = lu.solve(u + dt * (A @ u))
    return np.sum(u * u)


def squared(A, x, dt):
    return np.sum(((A.T @ A) @ x) ** 2) * dt


@pytest.mark.recorded
@pytest.mark.parametrize("f", [scaled, scaled_behind, implicit, squared])
def test_what_is_computed_of_a_given_matrix(f) -> None:
    check_grads(f, (second_differences(), X, 0.3), wrt=(1, 2))


def of_an_attribute(heat, x, dt):
    m = (sp.identity(4) - dt * heat.A - heat.A * heat.k).tocsc()
    return np.sum(spsolve(m, x) ** 2)


@pytest.mark.recorded
def test_what_is_computed_of_an_attribute() -> None:
    check_grads(of_an_attribute, (Heat(4), X, 0.3), wrt=(1, 2))


def turned_forms(A, x):
    total = 0.0
    for m in [A, A.T, 2.0 * A, A.tocsc(), A + A, A @ A, -A]:
        total = total + np.sum((m @ x) ** 2)
    return total


def test_forms_in_a_list() -> None:
    check_grads(turned_forms, (second_differences(), X), wrt=1)


def _scaled_elsewhere(A, dt):
    return sp.identity(4) - dt * A


def behind_a_call(A, x, dt):
    return np.sum((_scaled_elsewhere(A, dt) @ x) ** 2)


def _times(A, u, dt):
    return u + ((dt * A) @ u)


def in_a_callee(A, x, dt):
    return np.sum(_times(A, x, dt) ** 2)


def kept_in_the_object(heat, x, dt):
    heat.A = heat.A * dt
    return np.sum(heat.applied(x) ** 2)


def test_a_matrix_that_varies_is_not_compiled() -> None:
    for f in (scaled, behind_a_call, in_a_callee):
        with pytest.raises(ad.CompileError, match=r"AD40[189]"):
            ad.vjp(f, second_differences(), X, 0.3, wrt=(1, 2))
    check_grads(in_a_callee, (second_differences(), X, 0.3), wrt=1)
    with pytest.raises(ad.CompileError, match="AD40"):
        ad.vjp(kept_in_the_object, Heat(4), X, 0.3, wrt=(1, 2))


@pytest.mark.recorded
@pytest.mark.parametrize("f", [behind_a_call, in_a_callee])
def test_a_matrix_that_varies_elsewhere(f) -> None:
    check_grads(f, (second_differences(), X, 0.3), wrt=(1, 2))


def written_after(heat, x):
    y = heat.A @ x
    y = heat.A @ (y * y)
    heat.A.data[:] = heat.A.data * 2
    return np.sum(y * y)


def written_in_another_form(A, x):
    B = A.tocsr()
    y = A @ (x * x)
    B.data *= 2
    return np.sum(y * y)


def test_a_matrix_that_is_written_while_needed() -> None:
    with pytest.raises(ad.CompileError, match="AD30"):
        ad.vjp(written_after, Heat(4), X, wrt=1)
    with pytest.raises(ad.CompileError, match="AD30"):
        ad.vjp(written_in_another_form, second_differences(), X, wrt=1)


def test_an_attribute_of_another_class_is_another_version() -> None:
    heat = Heat(4)
    g = ad.grad(lambda x: np.sum((heat.A @ (heat.A @ x)) ** 2))
    first = g(X)
    heat.A = heat.A.toarray()
    np.testing.assert_allclose(g(X), first)
    heat.A = sp.coo_array(heat.A)
    np.testing.assert_allclose(g(X), first)
