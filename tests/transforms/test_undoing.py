"""Writes that the pullback undoes, in place of copies: values, second derivatives, what is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

RNG = np.random.default_rng(5)
V = RNG.normal(size=5) * 0.3 + 0.5
M = RNG.normal(size=(4, 4)) * 0.2 + np.eye(4)
Program = Callable[..., Any]


def left_early(A: Any, b: Any) -> Any:
    n = len(b)
    x = b * 0.5
    i = 0
    t = 0.0
    while True:
        x[i % n] = b[i % n] - 0.1 * (A[i % n] @ x)
        i += 1
        if i == 3:
            x[0] *= np.sum(x)
            continue
        if x[0] * x[0] > 1e3 or i > 6:
            break
        t += np.prod(x)
    return t


def returned_in_a_loop(v: Any) -> Any:
    x = v.copy()
    for i in range(5):
        x[i] = np.sum(x**2) * 0.05
        if x[i] > 0.05 and i > 2:
            return np.sum(x**2)
    return np.sum(x)


def two_loops(v: Any) -> Any:
    x = v.copy()
    x[0] = 1.0
    for i in range(1, 5):
        x[i] = np.sum(x**2) * 0.05 + v[i]
    s = np.sum(x**3)
    for i in range(5):
        x[i] = x[i] * np.sum(np.sin(x))
        for j in range(i):
            x[j] -= 0.1 * np.sum(np.cos(x)) * x[i]
    return s * np.sum(x)


def operators(v: Any) -> Any:
    x = v.copy()
    for i in range(5):
        s = np.sum(x**2)
        x[i] *= s * 0.1
        x[i] /= v[i]
        x[i - 1] /= np.sum(np.abs(x))
        x[i] -= np.prod(x) * 0.01
        x[i] **= 2
    return np.sum(x)


def does_not_vary(A: Any, b: Any) -> Any:
    x = np.ones(4)
    s = 0.0
    for i in range(4):
        x[i] = i * 0.5
        x[i - 1] += 1.0
        s += np.sum((A @ x) ** 2)
    return s


def through_an_index_that_is_overwritten(v: Any) -> Any:
    x = v.copy()
    at = np.array([3, 1, 4, 0, 2])
    for k in range(5):
        j = at[k]
        x[j] = np.sum(x**2) * 0.05
        at[k] = 0
        x[at[(k + 1) % 5]] = np.sum(x**2) * 0.05 + 1
    return np.sum(x)


def parts(A: Any) -> Any:
    U = A.copy()
    for k in range(1, 4):
        row = U[k]
        if k % 2:
            U[k, k] = np.sum(row**2) * np.sum(np.sin(U)) * 0.1
            row = U[:, k]
            U[0, k] = np.sum(row**2)
        U[k, 0] = np.sum(row**3)
    return np.sum(U)


def whole_rows(A: Any) -> Any:
    U = np.zeros((3, 4, 4))
    U[0] = A
    for k in range(1, 3):
        U[k] = np.sin(np.sum(U, axis=0)) * np.sum(U**2) * 0.1
        U[k, 1] = np.sum(U**2) * 0.01
        U[..., 0] = np.sum(U**2) * 0.01
    return np.sum(U**2)


def changed_places(v: Any) -> Any:
    x = v.copy()
    s = 0.0
    for k in range(4):
        i = k
        i, x[i] = k + 1, np.sum(x**2) * 0.1
        s += np.sum(np.exp(x * 0.1))
        x[i] += s * 0.01
    return s


def complex_numbers(v: Any) -> Any:
    x = v + 0.1j * v
    for i in range(5):
        x[i] = np.sum(x**2) * 0.05
    return np.sum(np.abs(x))


def needed_before(v: Any) -> Any:
    x = v.copy()
    z = np.sum(np.sin(x))
    x[0] = z
    for i in range(1, 5):
        x[i] = np.sum(x**2) * 0.05
    return np.sum(x) * z


def needed_before_a_part_is_set(v: Any) -> Any:
    x = v.copy()
    z = np.sum(np.sin(x[1:]))
    x[1:] = z * v[1:]
    for i in range(1, 5):
        x[i] = np.sum(x[1:] ** 2) * 0.05
        z += np.sum(x[:i] ** 3)
    return np.sum(x) * z


def an_argument(A: Any, x: Any) -> Any:
    for i in range(len(x)):
        x[i] = (1.0 - A[i] @ x) / A[i, i]
    return np.sum(x * x)


def an_argument_of_a_callee(v: Any) -> Any:
    x = v.copy()
    t = np.sum(np.sin(x))
    return an_argument(np.outer(v, v) + 1.0, x) * t + an_argument(np.outer(x, v) + 1.0, x)


def source(f: Program, *args: Any) -> str:
    """The text of the pair that keeps copies."""
    saving = ad.differentiable(f, on_overwrite="save")
    saving.grad(*args)
    return saving.source


UNDONE = [
    (left_early, (M, V[:4])), (returned_in_a_loop, (V,)), (two_loops, (V,)), (operators, (V,)),
    (does_not_vary, (M, V[:4])), (through_an_index_that_is_overwritten, (V,)), (parts, (M,)),
    (whole_rows, (M,)), (changed_places, (V,)), (complex_numbers, (V,)),
    (needed_before, (V,)), (needed_before_a_part_is_set, (V,)), (an_argument, (M, V[:4])),
    (an_argument_of_a_callee, (V,)),
]  # fmt: skip


@pytest.mark.parametrize(("f", "args"), [pytest.param(*p, id=p[0].__name__) for p in UNDONE])
def test_gradient(f: Program, args: tuple[Any, ...]) -> None:
    check_grads(f, args, on_overwrite="save")
    assert "_then[" in source(f, *args)


@pytest.mark.parametrize("f", [two_loops, operators, changed_places, complex_numbers])
def test_second_derivative(f: Program) -> None:
    """By differences, and in reverse over reverse: there the restored array is the primal one."""
    g = ad.grad(f, on_overwrite="save")
    step = 1e-6 * np.eye(5)
    expected = np.array([(g(V + d) - g(V - d)) / 2e-6 for d in step])
    found = ad.hessian(f, on_overwrite="save")(V)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6 * np.abs(expected).max())
    twice = ad.grad(lambda z: np.sum(g(z) * np.arange(5.0)), on_overwrite="save")(V)
    np.testing.assert_allclose(twice, np.arange(5.0) @ found, rtol=1e-8, atol=1e-10)


def another_name(v: Any) -> Any:
    x = v.copy()
    y = x
    for k in range(5):
        y[k] = np.sum(x**2) * 0.05
        x[k - 1] = np.sum(y**2) * 0.05
    return np.sum(x)


def _set(x: Any, i: int, value: Any) -> None:
    x[i] = value * value


def in_a_callee(v: Any) -> Any:
    x = v.copy()
    for k in range(5):
        x[k] = np.sum(x**2) * 0.05
        _set(x, k - 1, np.sum(x**2) * 0.05)
    return np.sum(x)


def in_a_try(v: Any) -> Any:
    x = v.copy()
    s = 0.0
    for k in range(5):
        try:
            x[k] = np.sum(np.sin(x))
            if k == 2:
                raise ValueError
            x[k - 1] = np.sum(np.sin(x))
        except ValueError:
            s += np.sum(x**2)
    return np.sum(x) + s


def bound_again(v: Any) -> Any:
    x = v.copy()
    for i in range(5):
        x[i] = np.sum(x**2) * 0.05
    x = x * 2.0
    return np.sum(x)


def made_in_each_iteration(v: Any) -> Any:
    s = 0.0
    for _ in range(2):
        x = v.copy()
        for i in range(5):
            x[i] = np.sum(x**2) * 0.05
        s += np.sum(x)
    return s


def made_in_a_branch(v: Any) -> Any:
    s = np.sum(v)
    if s > 1e3:
        x = v.copy()
        for i in range(5):
            x[i] = np.sum(x**2) * 0.05
        s = s * np.sum(x)
    return s


COPIED = [
    another_name, in_a_callee, in_a_try, bound_again, made_in_each_iteration, made_in_a_branch,
]  # fmt: skip


@pytest.mark.parametrize("f", COPIED)
def test_copies_where_a_write_cannot_be_undone(f: Program) -> None:
    check_grads(f, (V,), on_overwrite="save")
    assert "_then[" not in source(f, V)


def slices(v: Any) -> Any:
    u = v.copy()
    for _ in range(3):
        u[1:] = u[1:] * u[:-1]
    return np.sum(u)


def test_copies_where_as_much_is_overwritten() -> None:
    assert "_then[" not in source(slices, V)


def test_what_is_kept() -> None:
    """One number for each write, and the array once."""

    def sweep(A: Any, b: Any) -> Any:
        x = np.zeros(len(b))
        for i in range(len(b)):
            x[i] = (b[i] - A[i] @ x) / 3.0
        return np.sum(x)

    n = 50
    f = ad.differentiable(sweep, on_overwrite="save")
    f.grad(np.ones((n, n)), np.ones(n))
    (write,) = f.report().writes
    assert (write.verdict, write.bytes) == ("saved", "8 * A.shape[0]")
    assert write.reason.endswith("needs `x`; what is overwritten is kept, and put back")
    assert f.report().kept_bytes < 4 * 8 * n


def test_the_exception_is_the_one_of_the_program() -> None:
    """What is overwritten is noted after the value was computed: a division by zero comes first."""

    def f(v: Any) -> Any:
        x = v.copy()
        for i in range(7):
            x[i] = np.sum(x**2) * (1.0 / (5 - i))
        return np.sum(x)

    with pytest.raises(ZeroDivisionError):
        f(V)
    with pytest.raises(ZeroDivisionError):
        ad.grad(f, on_overwrite="save")(V)


def test_calls_do_not_share_what_is_put_back() -> None:
    value, pullback = ad.vjp(operators, V, on_overwrite="save")
    other, pullback_2 = ad.vjp(operators, 2.0 * V, on_overwrite="save")
    first, second = pullback(1.0), pullback_2(1.0)
    np.testing.assert_array_equal(pullback(1.0), first)
    np.testing.assert_array_equal(pullback_2(1.0), second)
    assert value != other
