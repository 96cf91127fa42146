"""A variable that means a function, a class or a view of a dictionary, read while it is unbound."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.9, 0.6, 1.3])


def twice(z):
    return z * 2


def squared(z):
    return z * z


class Held:
    def __init__(self, value):
        self.value = value

    def run(self):
        return self.value * 3


@contextlib.contextmanager
def nullcontext():
    try:
        yield
    except ValueError:
        return


def one_function(x):
    if x[0] > 9:
        f = twice
    try:
        return f(x)
    except UnboundLocalError:
        return x * 7


def in_a_loop(x):
    for i in range(3):
        if i == 1:
            f = squared
        try:
            x = f(x)
        except NameError:
            x = x + 1
    return x


def deleted(x):
    f = twice
    y = f(x)
    del f
    try:
        y = y + f(x)  # noqa: F821
    except UnboundLocalError:
        y = y * 7
    return y


def one_of_two_functions(x):
    y = x * 1.5
    try:
        if x[0] > 9:
            f = twice
        elif x[0] > 8:
            f = squared
        y = f(x)
    except UnboundLocalError:
        y = y * x
    return y


def one_class(x):
    if x[0] > 9:
        cls = Held
    try:
        return cls(x).run()
    except UnboundLocalError:
        return x * x


def only_named(x):
    if x[0] > 9:
        f = twice
    try:
        f  # noqa: B018
    except UnboundLocalError:
        return x * 5
    return f(x)


def view(x):
    if x[0] > 9:
        pairs = {"a": x[0]}.items()
    try:
        for _, v in pairs:
            x = x * v
    except UnboundLocalError:
        x = x * 4
    return x


def one_of_two_views(x):
    if x[0] > 9:
        values = {"a": x[0]}.values()
    elif x[0] > 8:
        values = {"b": x[1]}.values()
    try:
        for v in values:
            x = x * v
    except UnboundLocalError:
        x = x * 4
    return x


def bound_list(x):
    if x[0] > 0:
        items = [x]
    items.append(x * x)
    s = 0.0
    for v in items:
        s = s + v
    return s


def bound_view(x):
    d = {"a": x, "b": x * x}
    if x[0] > 0:
        values = d.values()
    s = 0.0
    for v in values:
        s = s + v * 2
    a, b = values
    return s + a * b


def manager_of_the_users(x):
    k = x * 2
    with nullcontext():
        if x[0] > 9:
            raise ValueError
    return x * k


def passing_manager(x):
    with np.errstate(all="ignore"):

        def g(z):
            return z * x

    return g(x)


HANDLED = (
    one_function, in_a_loop, deleted, one_of_two_functions, one_class, only_named, view,
    one_of_two_views, bound_list, bound_view, manager_of_the_users, passing_manager,
)  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("fn", HANDLED, ids=lambda fn: fn.__name__)
def test_derivatives(fn):
    assert np.array_equal(ad.vjp(fn, X)[0], fn(X))
    assert np.array_equal(ad.jvp(fn, (X,), (X,))[0], fn(X))
    check_grads(fn, (X,))


def _call(x):
    if x[0] > 9:
        f = twice
    return f(x)


def _loop(x):
    d = {"a": x}
    if x[0] > 9:
        values = d.values()
    for v in values:
        x = x * v
    return x


def _unpacked(x):
    if x[0] > 9:
        pair = {"a": x, "b": x}.values()
    a, b = pair
    return a * b


def _tuple(x):
    if x[0] > 9:
        pair = (x, x)
    a, b = pair
    return a * b


def _before_its_arguments(x):
    if x[0] > 9:
        f = twice
    return f(x.reshape(2, 2))


@pytest.mark.parametrize("fn", (_call, _loop, _unpacked, _tuple, _before_its_arguments))
def test_the_error_is_that_of_python(fn):
    with pytest.raises(UnboundLocalError) as raised:
        fn(X)
    for run in (lambda: ad.vjp(fn, X), lambda: ad.jvp(fn, (X,), (X,))):
        with pytest.raises(UnboundLocalError, match=str(raised.value)):
            run()


def _defined_in_a_manager(x):
    with nullcontext():
        if x[0] > 0:
            raise ValueError

        def g(z):
            return z * 2

    try:
        return g(x)
    except UnboundLocalError:
        return x * 3


def test_a_manager_named_like_one_that_passes_exceptions_on():
    with pytest.raises(ad.CompileError) as raised:
        ad.vjp(_defined_in_a_manager, X)
    assert raised.value.diagnostics[0].code == "AD201"


def test_a_read_that_is_made_anyway_is_not_written():
    def chosen(x):
        if x[0] > 9:
            f = twice
        elif x[0] > 0:
            f = squared
        return f(x)

    fn = ad.differentiable(chosen)
    ad.vjp(fn, X)
    assert "    f\n" not in fn.source
