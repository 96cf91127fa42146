"""Local functions that may not be bound yet, that are looked at, or that exceptions leave."""

import contextlib

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([0.7, 1.2, 0.55])


def in_a_branch(x):
    if x[0] > 5.0:
        def g(v):
            return v * 2.0
    try:
        r = g(x[0])
    except NameError:
        r = 3.0 * x[0]
    return r * x[1]


def before_its_definition(x):
    k = x[1]
    try:
        r = g(x[0])
    except NameError:
        r = 3.0 * x[0]

    def g(v):
        return v * 2.0 * k

    return r * x[1] + g(x[0])


def in_a_loop(x):
    for _ in range(int(x[0])):
        g = lambda v: v * 2.0  # noqa: E731
    try:
        r = g(x[0])
    except NameError:
        r = 3.0 * x[0]
    return r * x[1]


def of_a_manager(x):
    if x[0] > 5.0:
        @contextlib.contextmanager
        def g():
            yield x[2]
    try:
        with g() as q:
            r = q * x[0]
    except NameError:
        r = 3.0 * x[0]
    return r * x[1]


def after_an_exception(x):
    try:
        if x[0] > 0.0:
            raise ValueError

        def g(v):
            return v * 2.0
    except ValueError:
        pass
    try:
        r = g(x[0])
    except NameError:
        r = 3.0 * x[0]
    return r * x[1]


def a_generator_in_a_function(x):
    def h():
        return sum(g(2))

    try:
        r = h()
    except NameError:
        r = 3.0 * x[0]

    def g(n):
        for k in range(n):
            yield x[k]

    return r + sum(g(1))


def raising(x):
    if x[0] > 5.0:
        def g(v):
            return v * 2.0
    return g(x[0])


def captured_later(x):
    def g(v, first):
        if first:
            return v * 2
        return v * k

    a = g(x[0], True)
    k = x[1]
    return g(a, False)


def counts(x):
    def g(v):
        g.n = getattr(g, "n", 0) + 1
        return v * g.n

    return g(x[0]) * x[1]


def kept_outside(x):
    def g(v):
        return v * 2.0

    h = g
    h.w = getattr(g, "w", 1.0) * 2.0
    return g(x[0]) * g.w * x[1]


def looked_into(x):
    g = lambda v: v * 2.0  # noqa: E731
    n = len(g.__dict__)
    g.q = 1
    return g(x[0]) * n * x[1] + x[2]


@pytest.mark.parametrize("f", [
    in_a_branch, before_its_definition, in_a_loop, of_a_manager, after_an_exception,
    a_generator_in_a_function, raising, captured_later, counts, kept_outside, looked_into,
])  # fmt: skip
def test_refused(f):
    for make in (ad.grad(f), lambda x: ad.jvp(ad.differentiable(f), (x,), (x,))):
        with pytest.raises(CompileError):
            make(X.copy())


def by_else(y):
    s = y[0] * 1.0

    def inc():
        nonlocal s
        s = s * 2.0 * y[1]
        if y[0] > 0.0:
            raise KeyError

    try:
        pass
    except ValueError:
        pass
    else:
        inc()
    finally:
        y[2] = s


def by_handler(y):
    s = y[0] * 1.0

    def inc():
        nonlocal s
        s = s * 2.0 * y[1]
        if y[0] > 0.0:
            raise KeyError

    try:
        raise ValueError
    except ValueError:
        inc()
    finally:
        y[2] = s


@pytest.mark.parametrize("h", [by_else, by_handler])
def test_an_exception_beside_the_body_of_a_try(h):
    def f(x):
        z = x * 1.0
        with contextlib.suppress(KeyError):
            h(z)
        return z[0] + z[2]

    for make in (ad.grad(f), lambda x: ad.jvp(ad.differentiable(f), (x,), (x,))):
        with pytest.raises(CompileError):
            make(X)
    y = X.copy()
    with pytest.raises(CompileError):
        ad.vjp(ad.differentiable(h), y)
    np.testing.assert_array_equal(y, X)


def each_other(x):
    def even(n):
        return x[0] if n == 0 else odd(n - 1) * x[1]

    def odd(n):
        return x[2] if n == 0 else even(n - 1) * x[0]

    return even(3) + odd(2)


def surely_runs(x):
    out = 0.0
    for k in range(3):
        def g(v):
            return v * k * x[0]  # noqa: B023
        out += g(x[1])
    return out + g(x[2])


def on_the_same_way(x):
    if x[0] > 0:
        def g(v):
            return v * k

        k = x[1]
        y = g(x[0])
    else:
        y = x[0]
    return y


def captured_if(x):
    def g(v):
        return v * k

    if x[0] > 0:
        k = x[1]
    return g(x[0])


@pytest.mark.parametrize("f", [each_other, surely_runs, on_the_same_way, captured_if])
def test_what_is_bound_in_time(f):
    check_grads(f, (X,))


class Timer:
    def __enter__(self):
        return self

    def __exit__(self, *given):
        return None


@contextlib.contextmanager
def keeping_back():
    try:  # noqa: SIM105
        yield
    except ZeroDivisionError:
        pass


def behind_suppressed(x):
    with contextlib.suppress(ZeroDivisionError):
        1 / int(x[0])
        k = x[1]

    def g(v, scaled):
        return v * k if scaled else v

    return g(x[0], False)


def behind_a_generator(x):
    with keeping_back():
        1 / int(x[0])
        k = x[1]

    def g(v, scaled):
        return v * k if scaled else v

    return g(x[0], False)


def behind_one_inside(x):
    @contextlib.contextmanager
    def keeping():
        try:  # noqa: SIM105
            yield
        except ZeroDivisionError:
            pass

    with keeping():
        1 / int(x[0])
        k = x[1]

    def g(v, scaled):
        return v * k if scaled else v

    return g(x[0], False)


def behind_a_timer(x):
    with Timer(), np.errstate(all="ignore"):
        k = x[1]

    def g(v, scaled):
        return v * k if scaled else v

    return g(x[0], True)


@pytest.mark.parametrize("f", [behind_suppressed, behind_a_generator, behind_one_inside])
def test_what_a_manager_may_leave_unbound_is_no_argument(f):
    """A call that passed it would raise, as the call of the user's does not."""
    assert f(X) == X[0]
    with pytest.raises(CompileError):
        ad.grad(f)(X)


@pytest.mark.recorded
def test_what_other_managers_bind_is_an_argument():
    check_grads(behind_a_timer, (X,))
