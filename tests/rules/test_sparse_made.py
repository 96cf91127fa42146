"""Sparse matrices that are made of diagonals and places, as SciPy reads them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import (
    coo_array,
    coo_matrix,
    csc_matrix,
    csr_array,
    csr_matrix,
    diags,
    hstack,
    identity,
)
from scipy.sparse.linalg import factorized, splu, spsolve

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.array([0.5, 1.0, 2.0])


def more_than_offsets(x):
    ds = [x, x[1:]]
    return diags(ds, [0]) @ x


def more_rows_than_offsets(x):
    ds = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]) * x
    return diags(ds, [0]) @ x


def a_list_without_offsets(x):
    ds = [x]
    return diags(ds) @ x


def a_row_with_one_offset(x):
    return diags(x.reshape(1, 3), 0) @ x


WRONG = [more_than_offsets, more_rows_than_offsets, a_list_without_offsets, a_row_with_one_offset]


@pytest.mark.parametrize("f", WRONG)
def test_another_number_of_diagonals_raises_what_python_raises(f) -> None:
    with pytest.raises(ValueError, match="Different number") as python:
        f(X)
    for run in (lambda: ad.vjp(f, X), lambda: ad.jvp(f, (X,), (X,))):
        with pytest.raises(ValueError, match="Different number") as mine:
            run()
        assert str(mine.value) == str(python.value)


def caught(x):
    ds = [x, x[1:]]
    try:
        return np.sum(diags(ds, [0]) @ x)
    except ValueError:
        return np.sum(x * 3.0)


def test_what_is_raised_is_caught() -> None:
    value, gradient = ad.value_and_grad(caught)(X)
    assert value == caught(X)
    np.testing.assert_array_equal(gradient, [3.0, 3.0, 3.0])


LOG: list[str] = []


def told(value, what):
    LOG.append(what)
    return value


def diagonals_first(x):
    a = diags([told(x, "first"), told(x[1:], "second")], [told(0, "at 0"), told(1, "at 1")])
    return np.sum((a @ x) ** 2)


def offsets_first(x):
    a = diags(shape=told((3, 3), "shape"), offsets=[told(1, "at")], diagonals=[told(x[1:], "of")])
    return np.sum((a @ x) ** 2)


@pytest.mark.parametrize("f", [diagonals_first, offsets_first])
def test_the_order_is_that_of_the_program(f) -> None:
    LOG.clear()
    f(X)
    expected = LOG.copy()
    for run in (lambda: ad.vjp(f, X), lambda: ad.jvp(f, (X,), (X,))):
        LOG.clear()
        run()
        assert expected == LOG
    check_grads(f, (X,))


def offsets_in_a_variable(x):
    where = [0, -1]
    a = diags((x, x[:2] ** 2), where)
    where = np.array([1, 0])
    b = diags([x[0], x], where, shape=(3, 3))
    return np.sum((a @ x) ** 2) + np.sum((b @ x) ** 3)


def rows_of_an_array(x):
    ds = np.stack((x, x * x))
    line = [1.0, x[0], x[1]]
    return np.sum((diags(ds, [0, 1], shape=(3, 3)) @ x) ** 2) + np.sum(diags(line, -1) @ np.ones(4))


@pytest.mark.parametrize("f", [offsets_in_a_variable, rows_of_an_array])
def test_diagonals_of_a_variable(f) -> None:
    assert ad.value_and_grad(f)(X)[0] == f(X)
    check_grads(f, (X,))
    check_grads(f, (X,), on_overwrite="save", order=2)


def places_as_booleans(x):
    labels = x > 0.7
    a = csr_matrix((x, (np.arange(3), labels)), shape=(3, 2))
    b = coo_array((x, (labels, np.arange(3))), shape=(2, 3))
    c = csc_matrix((x[:2], (np.array([True, False]), np.array([False, True]))), shape=(2, 2))
    rows = csr_matrix((x, labels, np.arange(4)), shape=(3, 2))
    y = a @ x[:2] + rows @ x[1:]
    return np.sum(y**2) + np.sum((b @ y) ** 2) + np.sum(c @ x[1:]) ** 2


def small_integers(x):
    a = csr_matrix((x, (np.array([0, 1, 1], np.uint8), np.array([0, 0, 1], np.uint8))))
    b = csr_matrix((x, np.array([0, 1, 1], np.uint8), np.array([0, 1, 2, 3], np.uint8)))
    return np.sum((a.T @ x[:2]) ** 2) + np.sum((b @ x[:2]) ** 2)


@pytest.mark.parametrize("f", [places_as_booleans, small_integers])
def test_places_of_other_types(f) -> None:
    assert ad.value_and_grad(f)(X)[0] == f(X)
    check_grads(f, (X,))
    check_grads(f, (X,), on_overwrite="save", order=2)


# --- matrices of somebody else


def own_matrix():
    return csr_matrix(np.array([[4.0, 1.0, 0.0], [0.0, 5.0, 2.0], [1.0, 0.0, 3.0]]))


def looked_at(x, m):
    a = csr_matrix(m)
    y = a @ x
    m.data *= 2
    return np.sum(y**2)


def turned_and_looked_at(x, m):
    a = csr_matrix(m).T
    y = spsolve(a.T.tocsr(), x)
    m.data *= 2
    return np.sum(y**2)


def added(x, m):
    a = diags([x], [0]) + m
    m.data *= 2
    b = hstack([a, csr_matrix(m)])
    m.data *= 0.25
    return np.sum((a @ x) ** 2) + np.sum((b @ np.arange(6.0)) ** 3)


@pytest.mark.parametrize("f", [looked_at, turned_and_looked_at, added])
def test_a_matrix_that_is_overwritten_after_it_was_used(f) -> None:
    m = own_matrix()
    value, pullback = ad.vjp(ad.differentiable(f, on_overwrite="save"), X, m, wrt=0)
    other = own_matrix()
    assert value == f(X, other)
    np.testing.assert_array_equal(m.toarray(), other.toarray())
    steps = 1e-6 * np.eye(3)
    wanted = [(f(X + h, own_matrix()) - f(X - h, own_matrix())) / 2e-6 for h in steps]
    for _ in range(2):
        np.testing.assert_allclose(pullback(1.0)[0], wanted, rtol=1e-6)


def used_afterwards(x, m):
    a = csr_matrix(m)
    m.data *= 2
    return np.sum(a @ x)


def test_a_matrix_that_is_overwritten_before_it_is_used() -> None:
    check_grads(lambda x: used_afterwards(x, own_matrix()), (X,))


def of_another_form(x, m):
    a = csc_matrix(m)
    b = x[0] * a + coo_matrix(a) / x[1]
    return np.sum((b @ x) * np.arange(3.0)) + np.sum((a @ x) ** 2)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"])
def test_a_matrix_of_somebody_else_stays_as_it_was(form: str) -> None:
    m, other = own_matrix().asformat(form), own_matrix().asformat(form)
    for f in (of_another_form, added if form in ("csr", "csc") else of_another_form):
        plain = f(X, other)
        value, pullback = ad.vjp(f, X, m, wrt=0)
        pullback(1.0)
        assert value == plain
        assert vars(m).keys() == vars(other).keys()
        assert (m != other).nnz == 0
    check_grads(lambda x: of_another_form(x, m), (X,))


SMALL = csr_matrix(np.array([[1, 2, 0], [0, 3, 0], [200, 0, 9]], np.uint8))
TRUE = csr_matrix(np.eye(3, dtype=bool))


def minus_small_integers(x):
    a = diags([x], [0]) - SMALL
    return np.sum(((x[0] * a) @ x) ** 2) + np.sum(((SMALL - TRUE) @ x) ** 2)


def scaled_sum(x):
    return np.sum((x[0] * (TRUE + TRUE)) @ x)


def test_small_integers() -> None:
    assert ad.value_and_grad(minus_small_integers)(X)[0] == minus_small_integers(X)
    check_grads(minus_small_integers, (X,))
    check_grads(scaled_sum, (X,))


# --- right-hand sides


A = csc_matrix(own_matrix())
COMPLEX = csc_matrix(A + 1j * A)
FACTORS, COMPLEX_FACTORS = splu(A), splu(COMPLEX)


def one_column(x):
    y = spsolve(A, x[:, None])
    return np.sum(y * x) * y.ndim + np.sum(np.outer(y, x) ** 2)


def one_column_of_a_matrix_that_varies(x):
    a = diags([x + 3.0, x[1:]], [0, 1]).tocsc()
    y = spsolve(a, x.reshape(3, 1))
    out = np.zeros(3)
    for k in range(3):
        out[k] = y[k] * k
    return np.sum(out**2) + np.sum(spsolve(a, np.stack((x, x * x), axis=1)) ** 2)


def columns_of_a_factorization(x):
    own = splu(diags([x + 3.0, x[1:]], [0, 1]).tocsc())
    y = own.solve(x[:, None])
    return np.sum(y * x) * y.ndim + np.sum(FACTORS.solve(x[:, None]) * x)


@pytest.mark.parametrize(
    "f", [one_column, one_column_of_a_matrix_that_varies, columns_of_a_factorization]
)
def test_one_column(f) -> None:
    assert ad.value_and_grad(f)(X)[0] == f(X)
    check_grads(f, (X,))
    check_grads(f, (X,), on_overwrite="save")


def as_many_columns_as_there_are(x, b):
    return np.sum(spsolve(A, b * x[0]) ** 2)


@pytest.mark.parametrize("columns", [1, 2])
def test_a_number_of_columns_that_the_run_tells(columns: int) -> None:
    check_grads(as_many_columns_as_there_are, (X, np.ones((3, columns))))


@pytest.mark.parametrize(
    "f",
    [lambda x: np.sum(np.abs(spsolve(COMPLEX, x)) ** 2),
     lambda x: np.sum(np.abs(COMPLEX_FACTORS.solve(x)) ** 2)],
)  # fmt: skip
def test_complex_systems_are_refused(f) -> None:
    with pytest.raises((ad.CompileError, ad.DerivativeError), match=r"AD401|AD407|AD602"):
        ad.grad(f)(X)


# --- numbers and matrices behind a star

STEP = 0.1


def behind(x):
    a = csr_matrix(diags([x, x[1:]], [0, 1]))
    b = a * STEP
    h = 1.0 / (len(x) + 1)
    c = -(h**2)
    for k in range(2):
        b = b + a * (c * k)
    return np.sum((b @ x) ** 2) + np.sum((a * x) ** 2)


def implicit_step(x, dt):
    a = diags([x, x[1:]], [0, 1])
    m = (identity(3) - a * dt).tocsc()
    lu = splu(m)
    return np.sum(lu.solve((identity(3) + a * dt) @ x) ** 2)


def factorized_without_a_name(x, dt):
    a = diags([x, x[1:]], [0, 1]).tocsc()
    u = splu(a).solve(x * dt)
    for _ in range(2):
        u = factorized(identity(3).tocsc() - dt * a)(u)
    return np.sum(splu(a).solve(u, "T") ** 2)


def with_a_default(x, dt=0.3):
    a = diags([x, x[1:]], [0, 1]) * dt
    return np.sum((a @ x) ** 2)


def products(x):
    a = csr_matrix(diags([x], [0]))
    return np.sum(((a * A) @ x) ** 2) + np.sum(((A * a * a) @ x) ** 2)


def of_a_shape(x):
    shape = (3, 3)
    a = csr_matrix(shape) + diags([x], [0])
    return np.sum((a @ x) ** 2) + np.sum(csc_matrix(shape) @ x)


@pytest.mark.parametrize(
    ("f", "more"),
    [(behind, ()), (implicit_step, (0.2,)), (factorized_without_a_name, (0.2,)),
     (with_a_default, (0.4,)), (products, ()),
     (of_a_shape, ())],
)  # fmt: skip
def test_numbers_behind_a_matrix(f, more) -> None:
    assert ad.value_and_grad(f)(X, *more)[0] == f(X, *more)
    check_grads(f, (X, *more), on_overwrite="save")


def sparse_arrays(x):
    a = csr_array(diags([x], [0]))
    return np.sum((a * csr_array(A)) @ x)


def a_number_that_is_given(x, c):
    b = diags([x], [0]) * c
    return np.sum(b @ x)


def a_number_that_is_not_seen(x, c):
    b = diags([x], [0]) * c[0]
    return np.sum(b @ x)


def test_what_is_not_seen_beside_a_star() -> None:
    check_grads(sparse_arrays, (X,))
    check_grads(lambda x: a_number_that_is_not_seen(x, (2.0,)), (X,))
    check_grads(a_number_that_is_given, (X, 2.0))
    check_grads(a_number_that_is_given, (X, X[::-1].copy()))
    check_grads(lambda x: a_number_that_is_given(x, np.array(2.0)), (X,))
    check_grads(lambda x: with_a_default(x, X), (X,))


def the_name_of_the_matrix_elsewhere(x):
    a = diags([x], [0])
    by = lambda a, v: a @ v  # noqa: E731
    b = sum([a @ x for a in [A, A]])
    return np.sum(a @ x + by(A, x) + b) + sum(a for a in range(3)) * np.sum((a @ x) ** 2)


def test_names_of_lambdas_and_comprehensions() -> None:
    f = the_name_of_the_matrix_elsewhere
    assert ad.value_and_grad(f)(X)[0] == f(X)
    check_grads(f, (X,))


def made_by_a_local_function(x):
    def system(d, k=2.0):
        if k > 2:
            return k * A
        a = diags([d, d[1:]], [0, 1])
        return (a + A * k).tocsc()

    u = x
    for n in range(2):
        u = spsolve(system(u, k=1.0 + 2 * n), u)
    return np.sum((system(x) @ x) ** 2) + np.sum(u)


def made_by_a_recursive_function(x):
    def power(d, n):
        if n == 0:
            return diags([d], [0])
        return power(d * d, n - 1) + A

    return np.sum((power(x, 2) @ x) ** 2)


@pytest.mark.parametrize("f", [made_by_a_local_function, made_by_a_recursive_function])
def test_local_functions_that_return_matrices(f) -> None:
    assert ad.value_and_grad(f)(X)[0] == f(X)
    check_grads(f, (X,))


def test_a_local_function_that_is_handed_on() -> None:
    def f(x):
        def make(d):
            return diags([d], [0])

        other = make
        return np.sum(other(x) @ x)

    check_grads(f, (X,))
