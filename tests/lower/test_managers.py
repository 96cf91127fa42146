"""`with` over functions of `contextlib.contextmanager`."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])
LOG = []


@contextmanager
def scaled(x, k=2.0):
    y = x * k
    LOG.append("in")
    yield y
    LOG.append("out")


@contextmanager
def safe(x):
    try:
        yield x * x
    except ZeroDivisionError:
        LOG.append("zero")
    finally:
        LOG.append("done")


@contextmanager
def shifted(a, d):
    old = a[0]
    a[0] = a[0] + d
    try:
        yield
    finally:
        a[0] = old


def plain(x):
    with scaled(x) as y:
        s = np.sum(y * y)
    return s


def with_a_return(x):
    with scaled(x, k=x[0]) as y:
        return np.sum(y * y)


def with_break_and_continue(x):
    s = 0.0
    for i in range(3):
        with scaled(x[i]) as y, np.errstate(all="ignore"):
            if y > 2:
                break
            if y < 1.5:
                continue
            s += y * y
        s = s * x[1]
    return s


def that_writes_and_restores(x):
    a = x.copy()
    with shifted(a, x[1]):
        s = a[0] * a[1]
    return s + a[0]


def that_catches(x):
    s = x[0]
    with safe(x[1]) as y:
        s = s * y
        if s > 100:
            raise ZeroDivisionError
        s = s * 2
    return s


def in_a_local_function(x):
    def f(t):
        with safe(t) as y:
            if y > 1:
                return y * 3
            y = y + 1
        return y

    return f(x[0]) + f(x[2])


def nested(x):
    with scaled(x) as y, scaled(y, 3.0) as z:
        return np.sum(z * y)


@contextmanager
def twice(x):
    for _ in range(2):
        yield x


@contextmanager
def sometimes(x):
    if x > 0:
        yield x


RIGHT = [
    plain,
    with_a_return,
    with_break_and_continue,
    that_writes_and_restores,
    that_catches,
    in_a_local_function,
    nested,
]


@pytest.mark.recorded
@pytest.mark.parametrize("f", RIGHT)
def test_derivatives_go_through_the_block(f):
    check_grads(f, (X,), modes=("reverse", "forward"))
    check_grads(f, (X,), modes=("reverse",), order=2)
    check_grads(f, (X,), modes=("reverse", "forward"), on_overwrite="save")


@pytest.mark.recorded
@pytest.mark.parametrize("f", RIGHT)
@pytest.mark.parametrize("x", [X, np.array([12.0, 11.0, 3.0])])
def test_everything_happens_once_and_in_order(f, x):
    LOG.clear()
    value = f(x)
    said = list(LOG)
    LOG.clear()
    assert ad.value_and_grad(f)(x)[0] == value
    assert said == LOG
    check_grads(f, (x,), modes=("reverse",))


@pytest.mark.recorded
def test_an_exception_of_the_block_goes_through_the_manager():
    def f(x):
        with safe(x[0]) as y:
            if y > 0.3:
                raise KeyError("a")
        return y

    LOG.clear()
    with pytest.raises(KeyError, match="a"):
        ad.grad(f)(X)
    assert LOG == ["done"]


@pytest.mark.parametrize("manager", [twice, sometimes])
def test_what_python_may_refuse_is_not_taken_for_a_block(manager):
    def f(x):
        with manager(x[0]) as y:
            s = y * y
        return s

    with pytest.raises((ad.CompileError, RuntimeError)):
        ad.grad(f)(-X)


@contextmanager
def stopped(x):
    yield x
    raise StopIteration


def left_by_stop_iteration(x):
    try:
        with stopped(x) as v:
            y = v[0]
    except RuntimeError:
        y = v[0] * 2
    except StopIteration:
        y = v[0] * 3
    return y


def test_what_becomes_another_exception_in_a_generator_is_refused():
    with pytest.raises(ad.AdtransError):
        ad.grad(left_by_stop_iteration)(X)


@contextmanager
def runs_out(x):
    yield x
    next(iter([]))


def test_a_manager_that_runs_out_is_not_followed():
    def f(x):
        try:
            with runs_out(x[0]) as y:
                s = y * y
        except StopIteration:
            s = x[1]
        except RuntimeError:
            s = x[2]
        return s

    with pytest.raises(ad.CompileError):
        ad.grad(f)(X)


def _said(what, value):
    LOG.append(what)
    return value


def weighted(x, k=2.0, j=3.0):
    for v in x:
        yield v * k * j


@pytest.mark.recorded
def test_arguments_are_evaluated_in_the_order_of_the_call():
    def gone_through(x):
        s = 0.0
        for v in weighted(j=_said("j", 2.0), k=_said("k", x[1]), x=_said("x", x)):
            s = s * x[0] + v
        return s

    def managed(x):
        with scaled(k=_said("k", x[1]), x=_said("x", x)) as y:
            s = np.sum(y * y)
        return s

    for f in (gone_through, managed):
        LOG.clear()
        value = f(X)
        said = list(LOG)
        LOG.clear()
        assert ad.value_and_grad(f)(X)[0] == value
        assert said == LOG
        check_grads(f, (X,), modes=("reverse", "forward"))


@contextmanager
def with_an_import(x):
    import math as m

    yield x * m.floor(2.5)


def with_a_function(x):
    def inner(v):
        return v * x

    for k in range(2):
        yield inner(k)


def test_what_a_body_defines_is_no_variable_of_the_function():
    def imported(x):
        m = x[1]
        with with_an_import(x[0]) as y:
            s = y * m
        return s * m

    def defined(x):
        inner = x[0]
        s = 0.0
        for v in with_a_function(x):
            s = s + v[1] * inner
        return s

    for f in (imported, defined):
        try:
            check_grads(f, (X,), modes=("reverse", "forward"))
        except ad.CompileError as error:
            assert "AD901" not in str(error)


@contextmanager
def deletes(x):
    t = x * 2
    yield t
    del t


@contextmanager
def deletes_and_reads(x):
    t = x * 2
    yield t
    del t
    print(t)  # noqa: F821  # it is gone


@pytest.mark.recorded
def test_what_a_body_deletes_is_still_there_outside():
    def f(x):
        t = x[0]
        with deletes(x) as v:
            y = np.sum(v) * t
        return y * t * v[0]

    def g(x):
        with deletes_and_reads(x) as v:
            y = np.sum(v)
        return y

    check_grads(f, (X,), modes=("reverse", "forward"))
    with pytest.raises((ad.CompileError, UnboundLocalError)):
        ad.grad(g)(X)


def local_with_a_log(x):
    log = []

    @contextmanager
    def timed(name):
        log.append(name)
        yield x[0] * 2
        log.append("end")

    total = 0.0
    for k in range(2):
        with timed("a") as z:
            total += z * x[k]
    return total * len(log)


def local_that_restores(x):
    y = x * x

    @contextmanager
    def changed(k, v):
        old = y[k]
        y[k] = v
        try:
            yield
        finally:
            y[k] = old

    with changed(0, 5.0):
        total = np.sum(y * x)
    return total * y[0]


def local_that_catches(x):
    @contextmanager
    def guarded(counts):
        try:
            yield
        except ZeroDivisionError:
            counts["n"] += 1

    counts, total = {"n": 1}, 0.0
    for v in x:
        with guarded(counts):
            if v > 1:
                raise ZeroDivisionError
            total += v * v
    return total * counts["n"]


def local_with_a_default(x):
    k = 2.0

    @contextmanager
    def scaled(v, by=k):
        yield v * by

    k = 3.0
    with scaled(x[0]) as a, scaled(x[1], by=k) as b:
        return a * b * k


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f", [local_with_a_log, local_that_restores, local_that_catches, local_with_a_default]
)
def test_managers_that_are_defined_inside(f):
    x = np.array([0.6, 0.9, 1.3])
    saving = ad.differentiable(f, on_overwrite="save")
    check_grads(saving, (x,), modes=("reverse", "forward"))
    assert ad.vjp(saving, x)[0] == f(x)


def test_a_local_manager_that_sees_what_its_block_binds_is_refused():
    def f(x):
        t = 0.0
        log = []

        @contextmanager
        def noting():
            yield
            log.append(t)

        with noting():
            t = x[0] ** 2
        return log[0] * 2

    with pytest.raises(ad.CompileError):
        ad.grad(f)(np.array([0.6, 0.9]))
