"""Sparse matrices that vary: how they are made, what is computed of them, and what is asked."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import coo_matrix, csc_matrix, csr_matrix, diags, identity, spdiags
from scipy.sparse.linalg import factorized, splu, spsolve

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = [pytest.mark.slow, pytest.mark.recorded]  # long in all

D = np.array([0.6, 0.9, 1.3, 0.7])
M = np.array([[4.0, 1.0, 0.3], [0.2, 5.0, 1.0], [0.4, 0.1, 3.0]])
AT, J = np.arange(4), np.array([0, 2, 2, 1])
L = csr_matrix(diags([np.ones(3), -2 * np.ones(4), np.ones(3)], [-1, 0, 1]))


def of_elements(a):
    s = csr_matrix(a)
    return np.sum((s @ a[0]) ** 2) + np.sum((a @ s) ** 2) + np.sum((coo_matrix(a).T @ a[1]) ** 2)


def solved_of_elements(a):
    return np.sum(spsolve(csc_matrix(a), a[0] * a[1]) ** 2)


def of_rows(d):
    by_rows = csr_matrix((d, J, np.arange(5)), shape=(4, 4))
    by_columns = csc_matrix((d * d, J, np.arange(5)), shape=(4, 4))
    return np.sum((by_rows @ d) ** 2) + np.sum((by_columns @ d) ** 2)


def at_once(d):
    return np.sum((csr_matrix((d, (AT, J)), shape=(4, 4)) @ d) ** 2) + np.sum(
        spsolve(diags([2 + d, -d[1:], -d[:-1]], [0, 1, -1], format="csc"), d)
    )


def turned(d):
    s = csr_matrix((d, (AT, J)), shape=(4, 4))
    return np.sum((s.T @ d) ** 2) + np.sum(s.transpose().dot(d) ** 3) + np.sum((d @ s) ** 2)


def with_a_star(d):
    s = csr_matrix((d, (AT, J)), shape=(4, 4))
    return np.sum((s * d) ** 2)


def elements(d):
    s = csr_matrix((d * d, ([0, 0, 2, 3], [0, 0, 1, 3])), shape=(4, 4))
    return np.sum(s.toarray() ** 2 @ d) + s.sum() ** 2 + np.sum(s.diagonal() ** 3)


def diagonals_in_a_list(d):
    main, off = 2 + d, -d[1:]
    parts = [main, off, off]
    a = diags(parts, [0, 1, -1]).tocsr()
    b = diags(diagonals=[d[1:], d], offsets=[1, 0])
    return np.sum(spsolve(a, d) ** 2) + np.sum((b @ d) ** 2) + np.sum((diags(d[:3], 1) @ d) ** 2)


def lines(d):
    s = spdiags(np.vstack([d, 3 + d, d * d]), [-1, 0, 1], 4, 4, format="csc")
    return np.sum(spsolve(s, d) ** 2)


def stiffness(d):
    g = csr_matrix(np.diff(np.eye(4), axis=0))
    k = (g.T @ diags(d[:3]) @ g + identity(4)).tocsc()
    return np.sum(spsolve(k, d) ** 2)


def scaled_constants(d):
    return np.sum(((d[0] * L) @ d) ** 2) + np.sum((-L @ d) ** 2)


def implicit_steps(d):
    a = identity(4, format="csc") - d[0] * L
    u = d * d
    for _ in range(3):
        u = spsolve(a, u)
    return np.sum(u**2)


def crank_nicolson(d):
    a = diags([d[1:], -2 * d, d[1:]], [1, 0, -1], format="csc")
    one, dt = identity(4, format="csc"), 0.1 * d[3]
    lu = splu(one - 0.5 * dt * a)
    b = one + 0.5 * dt * a
    u = d * d
    for _ in range(3):
        u = lu.solve(b @ u)
    return np.sum(u**2) + np.sum(lu.solve(u, "T"))


def factorized_once(d):
    solve = factorized(csc_matrix((3 + d, (AT, AT)), shape=(4, 4)))
    return np.sum(solve(solve(d)) ** 2)


def bound_again(d):
    a = csr_matrix((d, (AT, J)), shape=(4, 4))
    a = a + a.T
    a = a.tocsc() + 5 * identity(4)
    if d[0] > 0:
        a = 2 * a
    return np.sum(spsolve(a.tocsc(), d) ** 2) + a.toarray()[0, 1] / 3


def sizes(d):
    a = csr_matrix((d, (AT, J)), shape=(4, 4))
    n, m = a.shape
    u = np.zeros(a.shape[0])
    for k in range(n):
        u[k] = d[k] * m
    return np.sum((a @ u) ** 2) / (a.T @ a).shape[1]


def of_two(d):
    a = diags(d)
    b = a @ L - (L / d[1]).dot(a)
    return np.sum((b @ d) ** 2)


PROGRAMS = [at_once, of_rows, turned, with_a_star, elements, diagonals_in_a_list, lines,
            stiffness, scaled_constants, implicit_steps, crank_nicolson, factorized_once,
            bound_again, sizes, of_two]  # fmt: skip


@pytest.mark.parametrize("f", [*PROGRAMS, of_elements, solved_of_elements])
def test_against_finite_differences(f) -> None:
    x = M if "elements" in f.__name__ and f is not elements else D
    mine = x.copy()
    value, gradient = ad.value_and_grad(f)(mine)
    assert value == f(mine)
    np.testing.assert_array_equal(mine, x)
    check_grads(f, (mine,))
    _, pullback = ad.vjp(f, mine)
    for _ in range(2):
        np.testing.assert_array_equal(pullback(1.0)[0], gradient)
    check_grads(f, (mine,), on_overwrite="save")
    along = np.cos(np.arange(x.size) + 1.0).reshape(x.shape)
    slope = ad.grad(f)
    wanted = (slope(x + 1e-5 * along) - slope(x - 1e-5 * along)) / 2e-5
    np.testing.assert_allclose(ad.hvp(f, (mine,), (along,)), wanted, rtol=1e-5, atol=1e-5)


def watched(d):
    e = d * d
    a = csr_matrix((e, J, np.arange(5)), shape=(4, 4))
    e *= 2.0
    return np.sum(a @ d)


def watched_lines(d):
    e = np.vstack([d, d])
    a = spdiags(e, [0, 1], 4, 4)
    e[0] = 0.0
    return np.sum(a @ d)


def rounded(d):
    return np.sum(csr_matrix((3 * d, (AT, J)), shape=(4, 4), dtype=int) @ d)


def unsorted(d):
    a = csr_matrix((d, np.array([1, 0, 2, 3]), np.array([0, 2, 3, 4, 4])), shape=(4, 4))
    return np.sum(a @ d)


@pytest.mark.parametrize("f", [watched, watched_lines, rounded, unsorted])
def test_what_raises_before_a_number_can_be_wrong(f) -> None:
    with pytest.raises(ad.DerivativeError):
        ad.grad(f, on_overwrite="save")(D)


def written(d):
    a = csr_matrix((d, (AT, J)), shape=(4, 4))
    a[0, 0] = 1.0
    return np.sum(a @ d)


def test_a_matrix_of_which_an_element_is_assigned_is_refused() -> None:
    with pytest.raises(ad.CompileError):
        ad.vjp(written, D)


def test_a_long_sum_is_gone_through_once() -> None:
    def f(d):
        a = diags(d)
        y = d + d + d + d + d + d + d + d + d + d + d + d + d + d + d + d + d + d + d + d
        return np.sum(a @ y)

    check_grads(f, (D,))


def longer_than_needed(d):
    a = diags([d, d * 2, d[0]], [0, 1, -2], shape=(4, 4))
    b = diags([d * d, [d[0], d[1], d[2]]], [0, 2], shape=(3, 4))
    return np.sum((a @ d) ** 2) + np.sum((b @ d) ** 3)


def test_diagonals_that_are_cut() -> None:
    check_grads(longer_than_needed, (D,), order=2)


def test_diagonals_that_are_too_short() -> None:
    def short(d):
        return np.sum(diags([d, d[:2]], [0, 1], shape=(4, 4)) @ d)

    with pytest.raises(ValueError, match="Diagonal length"):
        ad.grad(short)(D)


@pytest.mark.parametrize(
    ("f", "named"),
    [(lambda d: np.sum(diags(d).power(2) @ d), "diags"),
     (lambda d: np.sum(abs(diags(d)) @ d), "diags"),
     (lambda d: np.sum(scipy.sparse.kronsum(diags(d), L) @ np.ones(16)), "kronsum")],
)  # fmt: skip
def test_what_is_not_followed_is_not_looked_into(f, named) -> None:
    with pytest.raises(ad.CompileError, match=f"AD401.*{named}") as refused:
        ad.vjp(f, D)
    assert "is followed" in str(refused.value) or "are followed" in str(refused.value)
    assert "adtrans looked into its source" not in str(refused.value)


def blocks(d):
    a = diags([d, d[:3]], [0, 1])
    b = csr_matrix((d**2, (np.arange(4), np.array([1, 0, 3, 2]))), shape=(4, 4))
    wide = scipy.sparse.hstack([a, b])
    high = scipy.sparse.vstack((a, L), format="csr")
    grid = scipy.sparse.bmat([[a, None], [b, L]])
    corners = scipy.sparse.block_diag((a, b), "csc")
    v = np.arange(8.0)
    return np.sum((wide @ v) ** 2) + np.sum((high @ d) ** 2) + np.sum(grid.dot(v) ** 3) + (
        np.sum(scipy.sparse.linalg.spsolve(corners + scipy.sparse.identity(8), v)))


def products_of_all(d):
    a = diags([d, d[:3]], [0, 1])
    k = scipy.sparse.kron(scipy.sparse.identity(2), a, "csr")
    return np.sum((k @ np.arange(8.0)) ** 2) + np.sum(scipy.sparse.kron(a, L).toarray() ** 2)


@pytest.mark.parametrize("f", [blocks, products_of_all])
def test_matrices_put_together(f) -> None:
    check_grads(f, (np.array([0.4, 0.7, 0.9, 1.2]),))
    check_grads(f, (np.array([0.4, 0.7, 0.9, 1.2]),), order=2)
