"""Rules of users: formulas and functions, for results and for what is written, at any time."""

from __future__ import annotations

import math

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError, InputError
from adtrans.testing import GradientMismatch, check_grads, check_rule

X = np.array([0.6, 0.9, 1.3])
A = np.array([[3.0, 1.0], [0.5, 2.0]])
B = np.array([1.0, 2.0])
CALLS: list[str] = []


def solve(a, b):
    CALLS.append("solve")
    return np.linalg.inv(a) @ b


@ad.rule(solve)
def solve_pullback(y_bar, y, a):
    CALLS.append("pullback")
    b_bar = np.linalg.solve(a.T, y_bar)
    return -np.outer(b_bar, y), b_bar


@ad.rule(solve).pushforward
def solve_pushforward(a_dot, b_dot, y, a):
    return np.linalg.solve(a, b_dot - a_dot @ y)


def norm_of_solution(a, b):
    return np.sum(solve(a, b) ** 2)


def test_functions():
    check_rule(solve, (A, B))
    check_grads(norm_of_solution, (A, B), wrt=(0, 1))
    check_grads(norm_of_solution, (A, B), wrt=1)


def test_each_is_called_once():
    gradient = ad.grad(norm_of_solution, wrt=("a", "b"))
    gradient(A, B)
    CALLS.clear()
    gradient(A, B)
    assert CALLS == ["solve", "pullback"]


def test_second_derivatives_go_through_the_rule():
    check_grads(norm_of_solution, (A, B), wrt=1, order=2)
    h = ad.hessian(norm_of_solution, wrt="b")(A, B)
    inverse = np.linalg.inv(A)
    np.testing.assert_allclose(h, 2.0 * inverse.T @ inverse)


def test_the_function_itself():
    y, pullback = ad.vjp(solve, A, B)
    np.testing.assert_allclose(pullback(B)[1], np.linalg.solve(A.T, B))
    np.testing.assert_allclose(ad.jacobian(solve, wrt="b")(A, B), np.linalg.inv(A))
    np.testing.assert_array_equal(y, solve(A, B))


def test_primitives_are_functions_too():
    np.testing.assert_allclose(ad.elementwise_grad(np.tanh)(X), 1.0 - np.tanh(X) ** 2)
    np.testing.assert_allclose(ad.grad(np.sum)(A), np.ones((2, 2)))


# -- formulas -------------------------------------------------------------------------------------


def test_formulas_for_c_functions():
    square = np.frompyfunc(lambda x: x * x, 1, 1)
    ad.rule(square, signature="square(x)", elementwise=True, x="y_bar")
    with pytest.raises(GradientMismatch):
        check_rule(square, (2.5,))
    ad.rule(square, signature="square(x)", elementwise=True, x="2 * x")
    check_rule(square, (2.0,))
    check_grads(lambda x: square(x * x) * x, (1.5,), order=2)


def softplus(x, k=1.0):
    return np.logaddexp(0.0, k * x) / k


def test_elementwise_with_an_inert_parameter():
    ad.rule(softplus, elementwise=True, inert="k", x="1 / (1 + np.exp(-k * x))")
    check_rule(softplus, (X, 2.0))
    check_grads(lambda x: np.sum(softplus(x, 2.0) * x), (X,), order=2)
    assert "softplus(x)" in ad.differentiable(lambda x: np.sum(softplus(x))).source_for(X)


def halves(x):
    return x * 0.5


def test_linear():
    ad.rule(halves, linear=True, x="0.5 * y_bar")
    check_rule(halves, (X,))


def root(c):
    x = 1.0
    while abs(x**3 + x - c) > 1e-14:
        x -= (x**3 + x - c) / (3 * x * x + 1)
    return x


def test_a_rule_declared_after_the_first_use():
    def f(c):
        return root(c) * c

    gradient = ad.grad(f)
    before = gradient(2.5)
    _, pullback = ad.vjp(f, 2.5)
    ad.rule(root, c="y_bar / (3 * y * y + 1)", c_dot="dot / (3 * y * y + 1)")
    assert gradient(2.5) == pytest.approx(before)
    assert "3 * t * t + 1" in ad.differentiable(f).source_for(2.5)
    assert pullback(1.0)[0] == pytest.approx(before)
    check_rule(root, (2.5,))
    ad.rule(root, c="0.0 * y_bar")
    assert gradient(2.5) == pytest.approx(root(2.5))


# -- functions that write -------------------------------------------------------------------------


def scale(a, k):
    a *= k


@ad.rule(scale, writes="a")
def scale_pullback(y_bar, a, k):
    return y_bar * k, np.sum(y_bar * a)


@ad.rule(scale).pushforward
def scale_pushforward(a_dot, k_dot, a, k):
    return a_dot * k + a * k_dot


def scaled_twice(x, k):
    y = x * x
    scale(y, k)
    z = y * x
    scale(y, k)
    return np.sum(y * z)


def a_part(x, k):
    y = x * x
    scale(y[1:], k)
    return np.sum(y * x)


def an_argument(x, k):
    scale(x, k)
    return np.sum(x * x)


@pytest.mark.parametrize("f", [scaled_twice, a_part, an_argument])
def test_writing(f):
    check_rule(scale, (X.copy(), 3.0))
    check_grads(f, (X.copy(), 3.0), wrt=(0, 1), on_overwrite="save")


def test_what_is_needed_is_not_overwritten():
    def f(x, k):
        y = x * x
        v = y[:2]
        s = np.sum(v * v)
        scale(v, k)
        return s + np.sum(y)

    with pytest.raises(CompileError, match="AD30"):
        ad.grad(f)(X.copy(), 2.0)
    check_grads(f, (X.copy(), 2.0), on_overwrite="save")


# -- helpers without a derivative -----------------------------------------------------------------

TABLE = {1: 2.0, 2: 5.0}


@ad.constant
def looked_up(x):
    return TABLE[round(x)]


def test_constant():
    assert ad.grad(lambda x: x * looked_up(x))(1.9) == 5.0
    assert ad.jvp(lambda x: x * looked_up(x), (1.9,), (1.0,)) == (9.5, 5.0)
    assert looked_up(1.0) == 2.0


def test_constant_after_the_first_use():
    def factor(x):
        return 2.0 * x

    def f(x):
        return x * factor(x)

    gradient = ad.grad(f)
    assert gradient(3.0) == 12.0
    ad.constant(factor)
    assert gradient(3.0) == 6.0


# -- mistakes -------------------------------------------------------------------------------------


def make():
    def g(a, b):
        return a * b

    return g


@pytest.mark.parametrize(("pullback", "title"), [
    (lambda y_bar, b: y_bar * b, "returned one adjoint"),
    (lambda y_bar, b: (y_bar, y_bar, y_bar), "returned 3 adjoints"),
    (lambda y_bar: (np.sum(y_bar), y_bar), r"an adjoint of shape \(\) for `a`"),
    (lambda y_bar: {"c": y_bar}, "an adjoint for `c`"),
])  # fmt: skip
def test_wrong_returns(pullback, title):
    g = make()
    ad.rule(g, pullback)
    with pytest.raises(InputError, match=title) as caught:
        ad.grad(lambda x: np.sum(g(x, X)), on_overwrite="refuse")(X)
    assert caught.value.diagnostics[0].code == "AD412"
    assert caught.value.diagnostics[0].primary.span.file == __file__


def test_wrong_declarations():
    g = make()
    with pytest.raises(InputError, match="has a parameter `z`"):
        ad.rule(g, lambda y_bar, z: y_bar)
    with pytest.raises(InputError, match="`c` is no parameter"):
        ad.rule(g, c="y_bar")
    with pytest.raises(InputError, match="cannot be read"):
        ad.rule(math.hypot, x="y_bar")
    with pytest.raises(InputError, match="collects arguments"):
        ad.rule(lambda *a: a[0], a="y_bar")
    for text in ("y_bar * nothing_like_that", "y_bar *", "np.nothing(y_bar)", "[i for i in y]"):
        with pytest.raises(InputError, match="formula for `a` cannot be read"):
            ad.rule(g, a=text)


def test_a_wrong_rule_is_found():
    g = make()
    ad.rule(g, elementwise=True, a="b", b="2 * a")
    with pytest.raises(GradientMismatch, match="by `b`"):
        check_rule(g, (2.0, 3.0))
    with pytest.raises(ValueError, match="no rule is declared"):
        check_rule(make(), (1.0, 2.0))


def test_what_is_not_declared_is_refused():
    g = make()
    ad.rule(g, a="y_bar * b")
    with pytest.raises(CompileError, match="AD409"):
        ad.grad(lambda x: g(1.0, x))(2.0)
    with pytest.raises(CompileError, match="pushforward"):
        ad.jvp(lambda x: g(x, 1.0), (2.0,), (1.0,))
    only_forward = make()
    ad.rule(only_forward, pushforward=lambda a_dot, b_dot, a, b: a_dot * b + a * b_dot)
    assert ad.jvp(only_forward, (2.0, 3.0), (1.0, 0.0)) == (6.0, 3.0)
    with pytest.raises(CompileError, match="pullback"):
        ad.grad(only_forward)(2.0, 3.0)


def test_a_rule_cannot_write_into_what_it_is_handed():
    def square(a):
        return a * a

    def program(x):
        y = np.sin(x)
        z = square(y) + y
        return np.sum(z * z)

    x = np.array([1.0, 2.0, 3.0])

    @ad.rule(square)
    def into_the_adjoint(y_bar, a):
        y_bar *= 2 * a
        return y_bar

    with pytest.raises(ad.InputError, match=r"AD412.*writes into what it is handed"):
        ad.grad(program)(x)

    @ad.rule(square)
    def into_the_argument(y_bar, a):
        a *= 2
        return y_bar * a

    with pytest.raises(ad.InputError, match=r"AD412.*writes into what it is handed"):
        ad.grad(lambda x: np.sum(square(x)))(x)
    np.testing.assert_array_equal(x, [1.0, 2.0, 3.0])

    @ad.rule(square).pushforward
    def into_the_tangent(a_dot, a):
        a_dot *= 2 * a
        return a_dot

    v = np.ones(3)
    with pytest.raises(ad.InputError, match=r"AD412.*writes into what it is handed"):
        ad.jvp(lambda x: np.sum(square(x)), (x,), (v,))
    np.testing.assert_array_equal(v, [1.0, 1.0, 1.0])


def test_what_a_rule_returns_of_what_it_is_handed_can_be_written_by_others():
    def same(a):
        return a.copy()

    ad.rule(same, lambda y_bar: y_bar, lambda a_dot: a_dot)
    seed, x = np.ones(2), np.array([1.0, 2.0])
    _, pullback = ad.vjp(same, x)
    (x_bar,) = pullback(seed)
    x_bar += 1.0
    _, y_dot = ad.jvp(same, (x,), (seed,))
    y_dot += 1.0
    np.testing.assert_array_equal(seed, [1.0, 1.0])

    def program(x):
        y = x * x
        y[1:] += same(y[1:])
        y[0] *= 3.0
        return np.sum(y)

    np.testing.assert_array_equal(ad.grad(program)(x), [6.0, 8.0])
    assert ad.jvp(program, (x,), (seed,))[1] == 14.0


@pytest.mark.parametrize("found", ["12", ["a", "b"], [None, 1.0]])
def test_an_adjoint_that_is_no_number(found):
    def double(a):
        return 2.0 * a

    ad.rule(double, lambda y_bar: found)
    x = 1.0 if isinstance(found, str) else np.ones(2)
    with pytest.raises(ad.InputError, match=r"AD412.*an adjoint of type"):
        ad.grad(lambda x: np.sum(double(x)))(x)


def test_an_adjoint_may_be_a_list_of_numbers():
    def double(a):
        return 2.0 * a

    ad.rule(double, lambda y_bar: [2.0, 2.0])
    np.testing.assert_array_equal(ad.grad(lambda x: np.sum(double(x)))(np.ones(2)), [2.0, 2.0])


def counted(a, v):
    return len(a + a) * v  # a list twice as long, where an array would be as long


def test_a_list_is_passed_as_it_is():
    def grown(x):
        a, s = [x[0]], 0.0
        for v in x:
            s += counted(a, v)
            a.append(s)
        return s

    ad.rule(counted, v="len(a + a) * y_bar", v_dot="len(a + a) * dot")
    x = np.array([1.0, 2.0, 3.0])
    assert grown(x) == 28.0
    with pytest.raises(ad.AdtransError):  # what is in the list varies, too
        ad.grad(grown)(x)

    def constant(x):
        return counted([1.0, 2.0], x[2])

    assert ad.value_and_grad(constant)(x)[0] == 12.0
