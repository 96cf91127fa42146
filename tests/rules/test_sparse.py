"""Products with sparse matrices, and systems."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from scipy.sparse.linalg import cg, splu, spsolve

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([1.0, 2.0, 3.0, 4.0])
A = sp.csr_matrix(np.triu(np.ones((4, 4))) + np.eye(4))
B = sp.csc_array(A.toarray()[:, :3])


def explicit_steps(x):
    u = x.copy()
    for _ in range(3):
        u = u + 0.1 * (A @ u) * u
    return np.sum(u)


PROGRAMS = {
    "vector": lambda x: np.sum((A @ x) ** 2),
    "star": lambda x: np.sum((A * x) ** 2),
    "dot": lambda x: np.sum(A.dot(x) ** 2),
    "from the left": lambda x: np.sum((x @ B) ** 3),
    "matrix": lambda x: np.sum((A @ np.outer(x, x)) ** 2),
    "matrix from the left": lambda x: np.sum((np.outer(x, x) @ B) ** 2),
    "solve": lambda x: np.sum(spsolve(A, x) ** 2),
    "solve several": lambda x: np.sum(spsolve(A, np.outer(x, x[:2])) ** 2),
    "steps": explicit_steps,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_against_finite_differences(name: str) -> None:
    check_grads(PROGRAMS[name], (X,))
    hessian = ad.hessian(PROGRAMS[name])(X)
    np.testing.assert_allclose(hessian, hessian.T, atol=1e-10)


def as_parameter(x, S):
    return np.sum((S @ x) ** 2)


def test_a_matrix_that_is_passed() -> None:
    check_grads(as_parameter, (X, A))


@pytest.mark.parametrize(
    "f", [lambda x: np.sum(B * x[:3]), lambda x: np.sum((A * x[0]) @ x), lambda x: (A @ x) + A]
)
def test_what_is_refused(f) -> None:
    with pytest.raises(ad.CompileError) as caught:
        ad.vjp(f, X)
    assert {d.code for d in caught.value.diagnostics} & {"AD408", "AD409"}


# --- entries that vary ------------------------------------------------------------------------

D = np.array([0.6, 0.9, 1.3, 0.7])
AT = np.array([0, 2, 2, 1])


def by_places(d):
    a = sp.csr_matrix((d, (np.arange(4), AT)), shape=(4, 4))
    return np.sum((a @ (d * d)) ** 2)


def entries_at_one_place(d):
    a = sp.coo_matrix((d * d, ([0, 1, 1, 2], [0, 1, 1, 3])), shape=(3, 4))
    return np.sum(a.dot(d) ** 3)


def matrix_beside(d):
    a = sp.csc_matrix((d, (AT, np.arange(4))), shape=(4, 4))
    return np.sum((a @ np.outer(d, d)) * d)


def numbers_in_a_list(d):
    a = sp.csr_matrix(([d[0], 2.0, d[1] * d[2]], ([0, 1, 1], [1, 0, 1])), shape=(2, 2))
    return np.sum(a @ d[:2])


def solved(d):
    rows, columns = np.array([0, 1, 2, 3, 0, 2]), np.array([0, 1, 2, 3, 1, 3])
    a = sp.csc_matrix((np.concatenate([d + 1.0, d[:2]]), (rows, columns)), shape=(4, 4))
    return np.sum(spsolve(a, d * d) ** 2)


def diffusion(d):
    u = d.copy()
    a = sp.diags([1.0 + d, -0.1, -d[1:]], [0, -1, 1], shape=(4, 4), format="csc")
    for _ in range(3):
        u = spsolve(a, u)
    return np.sum(u * u)


def one_diagonal(d):
    a = sp.diags(d)
    b = sp.diags([d[:3], d], (-1, 0))
    return np.sum((a @ d) * (b @ d))


VARYING = [by_places, entries_at_one_place, matrix_beside, numbers_in_a_list, solved, diffusion,
           one_diagonal]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("f", VARYING)
def test_entries_that_vary(f) -> None:
    mine = D.copy()
    assert ad.value_and_grad(f)(mine)[0] == f(mine)
    np.testing.assert_array_equal(mine, D)
    check_grads(f, (mine,))


@pytest.mark.recorded
def test_entries_that_are_overwritten_afterwards() -> None:
    def f(d):
        e = d * d
        a = sp.csr_matrix((e, (np.arange(4), AT)), shape=(4, 4))
        y = a @ d
        e[:] = 0.0
        return np.sum(y**2) + np.sum(e)

    check_grads(f, (D,), on_overwrite="save")


def entries_scaled_between(d):
    e, i = d * d, np.arange(4)
    a = sp.csr_matrix((e, (i, AT)), shape=(4, 4))
    e *= 3.0
    i[0] = 2
    return np.sum((a @ d) ** 2) + np.sum(e)


def diagonal_scaled_between(d):
    e = d * d
    a = sp.diags(e)
    e[1] = 3.0
    return np.sum((a @ d) ** 2) + np.sum(e)


@pytest.mark.recorded
@pytest.mark.parametrize("f", [entries_scaled_between, diagonal_scaled_between])
def test_entries_that_are_overwritten_before_the_product(f) -> None:
    assert ad.value_and_grad(f, on_overwrite="save")(D)[0] == f(D)
    check_grads(f, (D,), on_overwrite="save")


@pytest.mark.recorded
def test_a_matrix_that_keeps_its_arrays_when_they_are_overwritten() -> None:
    def values(d):
        e = d * d
        a = sp.coo_matrix((e, (np.arange(4), AT)), shape=(4, 4))
        e *= 3.0
        return np.sum((a @ d) ** 2)

    def places(d):
        i = np.arange(4)
        a = sp.coo_array((d * d, (i, AT)), shape=(4, 4))
        i[0] = 2
        return np.sum((a @ d) ** 2)

    for f in (values, places):
        check_grads(f, (D,))


def made_inside(d):
    a = sp.csr_matrix(np.triu(np.ones((4, 4))))
    return np.sum((a @ d) ** 2) + np.sum((d @ a) ** 3)


def made_of_overwritten(d):
    e = np.ones(4)
    a = sp.csr_matrix((e, AT, np.arange(5)), shape=(4, 4))
    y = a @ d
    e[:] = 5.0
    return np.sum(y * y)


@pytest.mark.recorded
@pytest.mark.parametrize("f", [made_inside, made_of_overwritten])
def test_a_constant_matrix_that_is_made_inside(f) -> None:
    check_grads(f, (D,))
    check_grads(f, (D,), on_overwrite="save", order=2)


def test_a_constant_matrix_that_is_changed_is_refused() -> None:
    def data(d):
        a = sp.csr_matrix(np.triu(np.ones((4, 4))))
        y = a @ d
        a.data[:] = 0.0
        return np.sum(y * y)

    def element(d):
        a = sp.csr_matrix(np.triu(np.ones((4, 4))))
        y = a @ d
        a[0, 0] = 7.0
        return np.sum(y * y)

    for f in (data, element):
        with pytest.raises(ad.CompileError):
            ad.grad(f)(D)


FACTORED = splu(sp.csc_matrix(A))


def steps_with_a_factorization(x):
    u = x * x
    for _ in range(2):
        u = FACTORED.solve(u) + 0.1 * x
    return np.sum(u**2) + np.sum(FACTORED.solve(np.outer(u, u[:2]), "T") ** 2)


def test_a_factorization_that_is_made_elsewhere() -> None:
    assert ad.value_and_grad(steps_with_a_factorization)(X)[0] == steps_with_a_factorization(X)
    check_grads(steps_with_a_factorization, (X,))
    check_grads(steps_with_a_factorization, (X,), on_overwrite="save", order=2)
    hessian = ad.hessian(steps_with_a_factorization)(X)
    np.testing.assert_allclose(hessian, hessian.T, atol=1e-10)


def test_a_factorization_is_no_method_of_other_objects() -> None:
    class SuperLU:
        def solve(self, b):
            return 2.0 * b

    own = SuperLU()
    np.testing.assert_allclose(ad.grad(lambda x: np.sum(own.solve(x) ** 2))(X), 8 * X)


@pytest.mark.recorded
def test_iterative_solvers_are_refused_at_once():
    with pytest.raises(ad.CompileError, match="AD401"):
        ad.grad(lambda x: np.sum(cg(sp.diags(x + 1.0), x)[0] ** 2))(X)


def test_one_equation_with_several_right_sides():
    def f(x):
        return np.sum(scipy.linalg.solve(np.array([[x[0]]]), x[1:]))

    with pytest.raises(ad.AdtransError, match="AD409"):
        ad.grad(f)(X)
    check_grads(lambda x: np.sum(scipy.linalg.solve(np.array([[x[0]]]), x[1:2])), (X,))
