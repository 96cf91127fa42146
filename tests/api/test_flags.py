"""Arguments that are True, False or a small integer decide branches where a function is refused."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([1.1, 2.2])


def with_details(x, details=False):
    """A model for what depends on a flag; it evaluates, and has a text = with signs."""
    found = x * x, x
    if details:
        found += (x**3,)
    return found


def alone_or_not(x, full=False):
    if not full:
        return x * x
    return x * x, np.sin(x)


def by_a_callee(x):
    return with_details(x, True)[2] * with_details(x)[0] + alone_or_not(x)


def handed_on(x, more=True):
    return alone_or_not(x, full=more)[1] + alone_or_not(x, full=False)


def is_text(v):
    return isinstance(v, str | bytes)


def parsed(v):
    return eval(v)


def unless_text(x):
    if is_text(x):
        return parsed(x)
    return np.sin(x)


def writes_if(x, inplace=False):
    y = x * x
    if inplace:
        y *= x
        y[0] = 1.0
    z = y * y
    if inplace:
        y[1] = 0.0
        return z, y
    return z


def by_order(x, order=1):
    if order == 1:
        return x * x
    if order == 2:
        return x * x, x
    return x, np.sin(x), x


def of_two_orders(x):
    return by_order(x, 2)[1] * by_order(x) + by_order(x, order=3)[1]


def with_axes(z, ndim):
    z = np.atleast_2d(z)
    if ndim == 1:
        z = z[0]
    if ndim == 0:
        z = z[0, 0]
    return z


def as_given(x):
    return with_axes(x, x.ndim) * with_axes(x[1], np.ndim(x[1])) * with_axes(x, 2)


def nested(x, n):
    return (x,) if n == 0 else (x * nested(x, n - 1)[0],)


def as_often(x, n):
    return x if n <= 0 else x * as_often(x, n - 1)


def recursive(x):
    return nested(x, 4)[0] + as_often(x, 7) + by_order(x, 2)[0]


PROGRAMS = [
    (by_order, ()), (by_order, (2,)), (by_order, (3,)), (by_order, (-1,)), (of_two_orders, ()),
    (as_given, ()), (recursive, ()),
    (with_details, ()), (with_details, (True,)), (alone_or_not, ()), (alone_or_not, (True,)),
    (by_a_callee, ()), (handed_on, ()), (unless_text, ()), (writes_if, ()), (writes_if, (False,)),
]  # fmt: skip


@pytest.mark.parametrize(("f", "flags"), PROGRAMS)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_the_branch_that_is_taken(f, flags, mode):
    check_grads(f, (X, *flags), wrt=0, on_overwrite=mode)


def test_each_flag_has_its_version():
    fn = ad.differentiable(with_details)
    for _ in range(2):
        for flag, parts in ((True, 3), (False, 2), (1, 3), (0, 2), (np.True_, None)):
            if parts is None:
                with pytest.raises(CompileError):
                    ad.vjp(fn, X, flag)
                continue
            value, pullback = ad.vjp(fn, X, flag)
            assert len(value) == parts
            want = 2 * X + 1 + (3 * X**2 if flag else 0.0)
            np.testing.assert_allclose(pullback(tuple(np.ones(2) for _ in value))[0], want)
            tangent = ad.jvp(with_details, (X, flag), (np.ones(2), None))[1]
            np.testing.assert_allclose(sum(tangent), want)


def test_what_only_one_flag_overwrites():
    def f(x, inplace):
        return np.sum(writes_if(x, inplace)[0])

    with pytest.raises(CompileError) as refused:
        ad.grad(f)(X, True)
    assert {d.code[:4] for d in refused.value.diagnostics} == {"AD30"}
    np.testing.assert_allclose(ad.grad(f, on_overwrite="save")(X, True), [0.0, 6 * X[1] ** 5])


def test_second_order():
    def f(x):
        return np.sum(by_a_callee(x))

    def g(x, full):
        return alone_or_not(x, full)[1]

    np.testing.assert_allclose(np.diag(ad.hessian(f)(X)), 20 * X**3 + 2.0)
    np.testing.assert_allclose(ad.grad(ad.grad(g))(0.4, True), -np.sin(0.4))


def test_a_flag_that_is_bound_again_is_not_known():
    def several(x, full=False):
        found = (x,)
        for k in range(3):
            if full:
                found = (x * x, found[0])
            full = k == 0
        return found

    with pytest.raises(CompileError):
        ad.vjp(several, X, False)

    def toggled(x, on=True):
        y = x
        while on:
            y = y * x
            on = y < 20.0
        return y

    check_grads(toggled, (1.4, True), wrt=0)
    check_grads(toggled, (1.4, False), wrt=0)


class Options:
    quiet = False


OPTIONS = Options()


def test_flags_of_objects_and_globals_are_read_when_it_runs(monkeypatch):
    def f(x):
        return alone_or_not(x, OPTIONS.quiet)

    with pytest.raises(CompileError):
        ad.vjp(f, X)
    g = ad.differentiable(lambda x: x * x if FLAG else x)
    np.testing.assert_allclose(g.grad(3.0), 6.0)
    monkeypatch.setitem(globals(), "FLAG", False)
    np.testing.assert_allclose(g.grad(3.0), 1.0)


FLAG = True


def test_each_small_integer_has_its_version():
    fn = ad.differentiable(by_order)
    for order in (1, 2, 3, 2, 1, 0):
        value, pullback = ad.vjp(fn, X, order)
        assert isinstance(value, tuple) == (order != 1)
        seed = np.ones(2) if order == 1 else tuple(np.ones(2) for _ in value)
        want = {1: 2 * X, 2: 2 * X + 1.0}.get(order, 2.0 + np.cos(X))
        np.testing.assert_allclose(pullback(seed)[0], want)
    with pytest.raises(CompileError):
        ad.vjp(fn, X, 50)


def test_an_integer_that_counts_is_not_known():
    def steps(x, n):
        found = (x,)
        while n > 0:
            found = (found[0] * x, x) if n == 2 else (found[0] * x,)
            n -= 1
        return found

    with pytest.raises(CompileError):
        ad.vjp(steps, X, 2)
