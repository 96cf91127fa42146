"""What functions that are handed to SciPy read from outside, and what is written afterwards; the
order of evaluation; roots that are none."""

from __future__ import annotations

import math
import types

import numpy as np
import pytest
from scipy.integrate import odeint, quad, solve_ivp
from scipy.optimize import brentq, fixed_point, newton, root

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([1.3, 2.1])
TABLE = np.array([1.0, 2.0])
RATE = 2.0
ITEMS = [1.5]
CONFIG = types.SimpleNamespace(a=np.array([1.0, 3.0]), items=[1.0], table={"k": 1.0}, k=2.0)


class Constants:
    number = 1.0
    items = [1.0]  # noqa: RUF012


def global_array(x):
    r = quad(lambda t: t * x[0] * TABLE[0], 0.0, 1.0)[0]
    TABLE[0] = 1.0
    return r


def global_number(x):
    global RATE
    r = quad(lambda t: t * x[0] * RATE, 0.0, 1.0)[0]
    RATE = 2.0
    return r


def global_list(x):
    r = quad(lambda t: t * x[0] * ITEMS[0], 0.0, 1.0)[0]
    ITEMS[0] = 1.5
    return r


def array_of_an_object(x):
    r = quad(lambda t: t * x[0] * CONFIG.a[0], 0.0, 1.0)[0]
    CONFIG.a[0] = 1.0
    return r


def with_out(x):
    r = quad(lambda t: t * x[0] * CONFIG.a[0], 0.0, 1.0)[0]
    np.multiply(CONFIG.a, 1.0, out=CONFIG.a)
    return r


def list_of_an_object(x):
    r = quad(lambda t: t * x[0] * CONFIG.items[0], 0.0, 1.0)[0]
    CONFIG.items[0] = 1.0
    return r


def dictionary_of_an_object(x):
    r = quad(lambda t: t * x[0] * CONFIG.table["k"], 0.0, 1.0)[0]
    CONFIG.table["k"] = 1.0
    return r


def number_of_a_class(x):
    r = quad(lambda t: t * x[0] * Constants.number, 0.0, 1.0)[0]
    Constants.number = 1.0
    return r


def list_of_a_class(x):
    r = quad(lambda t: t * x[0] * Constants.items[0], 0.0, 1.0)[0]
    Constants.items.reverse()
    return r


WRITTEN = (
    global_array, global_number, global_list, array_of_an_object, with_out, list_of_an_object,
    dictionary_of_an_object, number_of_a_class, list_of_a_class,
)  # fmt: skip


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("fn", WRITTEN, ids=lambda f: f.__name__)
def test_what_is_written_afterwards(fn, mode):
    with pytest.raises(ad.CompileError) as error:
        ad.grad(fn, on_overwrite=mode)(X)
    assert error.value.diagnostics[0].code in ("AD203", "AD207")


def only_read(x):
    CONFIG.k = 2.0
    return quad(lambda t: t * x[0] * CONFIG.a[0] * TABLE[1] * ITEMS[0], 0.0, x[1])[0] * CONFIG.k


def test_what_is_only_read():
    check_grads(only_read, (X,))


def ends_by_name(x, out):
    def told(v):
        out.append(float(v))
        return v

    total = quad(lambda t: t * x[0], b=told(2.0), a=told(0.0))[0]
    return total + brentq(lambda t, p: t - p, args=(x[1],), b=told(5.0), a=told(1.0), xtol=1e-14)


def in_turn(x):
    ends = [0.0, 2.0, 3.0]
    total = quad(lambda t: t * x[0], b=ends.pop(), a=ends.pop() * x[1])[0]
    return total + ends[0]


def test_the_order_in_which_arguments_are_evaluated():
    plain: list[float] = []
    compiled: list[float] = []
    value = ends_by_name(X, plain)
    assert ad.value_and_grad(ends_by_name)(X, compiled)[0] == value
    assert compiled == plain == [2.0, 0.0, 5.0, 1.0]
    check_grads(in_turn, (X,))


def two_steps(x):
    return newton(lambda v: v**3 - x[0], 3.0, fprime=lambda v: 3 * v * v, maxiter=2, disp=False)


def without_a_root(x):
    return root(lambda v: np.array([v[0] ** 2 + x[0]]), np.array([1.0])).x[0]


def at_a_jump(x):
    return brentq(lambda v: v - x[0] * 0.01 + (1.0 if v > 0.5 else -1.0), 0.0, 3.0)


def far_from_fixed(x):
    return np.sum(fixed_point(lambda v: np.cos(v) * x, np.array([0.1, 9.0]), xtol=3.0))


@pytest.mark.parametrize("fn", [two_steps, without_a_root, at_a_jump, far_from_fixed])
def test_what_is_no_root(fn):
    with pytest.raises(ad.DerivativeError) as error:
        ad.grad(fn)(X)
    assert error.value.diagnostics[0].code == "AD604"
    with pytest.raises(ad.DerivativeError):
        ad.jvp(fn, (X,), (np.ones(2),))


def flat(p):
    return root(lambda v: (v - p) ** 3, np.array([1.0])).x[0]


def test_a_root_where_the_function_is_flat():
    with pytest.raises(ad.DerivativeError):
        ad.grad(ad.grad(flat))(1.0)


def times_that_stand_twice(x):
    times = np.array([1.0, 0.5, 0.5, 0.0, 0.0])
    y = odeint(lambda y, t: -x[0] * y, x[1], times, rtol=1e-10, atol=1e-12)
    return y[1, 0] + 2.0 * y[2, 0] + 3.0 * y[4, 0]


def test_times_that_stand_twice():
    check_grads(times_that_stand_twice, (X,), rtol=1e-5)
    slope = ad.grad(times_that_stand_twice)
    step = np.array([1e-5, 0.0])
    expected = (slope(X + step) - slope(X - step)) / 2e-5
    assert np.allclose(ad.hessian(times_that_stand_twice)(X)[0], expected, rtol=1e-5)


def singular_at_its_end(x):
    total = quad(lambda t: t ** (-0.5) * np.cos(x[0] * t), 0.0, x[1])[0]
    return total + quad(lambda t: math.log(t) * x[0], 0.0, 1.0)[0]


def test_an_integral_of_what_has_no_value_at_an_end():
    check_grads(singular_at_its_end, (X,))
    assert np.isnan(ad.grad(lambda a: quad(lambda t: t ** (-0.5), a, 1.0)[0])(0.0))


def prints_in_an_equation(x):
    def loud(t, y):
        print("called")
        return -x[0] * y

    return solve_ivp(loud, (0.0, 1.0), [1.0]).y[0, -1]


def prints_at_an_end(x):
    def loud(t):
        print("called")
        return t

    return quad(loud, 0.0, x[0])[0]


LOUD = (prints_in_an_equation, prints_at_an_end)


@pytest.mark.parametrize("fn", LOUD, ids=lambda f: f.__name__)
def test_what_prints_is_not_run_again(fn, capsys):
    fn(X)
    plain = capsys.readouterr().out
    for derivative in (lambda: ad.grad(fn)(X), lambda: ad.jvp(fn, (X,), (X,))):
        with pytest.raises(ad.CompileError) as error:
            derivative()
        assert error.value.diagnostics[0].code == "AD413"
        if fn in (prints_in_an_equation, prints_at_an_end):
            assert "cannot be handed to `scipy.integrate." in str(error.value)
        assert capsys.readouterr().out in ("", plain)
    with pytest.raises(ad.CompileError):
        ad.hvp(fn, (X,), (X,))
    assert capsys.readouterr().out == ""
