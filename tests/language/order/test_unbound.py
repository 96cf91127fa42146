"""A variable that is unbound on the path taken: reading it raises, as in Python."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.9, 1.3, 0.4, 1.1])


def asked(x):
    if x[0] > 1.0:
        z = True
    try:
        if z:
            return x[2]
        return x[0]
    except UnboundLocalError:
        return x[1] ** 2


def taken(x):
    if x[0] > 1.0:
        z = x
    try:
        q = z
    except NameError:
        q = x * x
    return np.sum(q)


def bound_to_none(x):
    if x[0] > 1.0:
        z = None
    try:
        if z is None:
            return x[0]
    except NameError:
        return x[1] ** 2
    return x[2]


def multiplied(x):
    if x[0] > 1.0:
        z = 2.0
    try:
        return z * x[0]
    except NameError:
        return x[1] ** 2


def from_a_loop(x):
    s = 0.0
    for k in range(int(x[0] > 1.0) * 2):
        z = x[k]
    for j in range(3):
        try:
            s += np.sin(z * x[j])
            z = z * x[j]
        except NameError:
            s += x[j] ** 3
            if j == 1:
                z = x[3]
    return s


def index_of_a_loop(x):
    for k in range(int(x[0] > 1.0) * 3):  # noqa: B007
        pass
    try:
        s = x[k] * x[k - 1]
    except NameError:
        s = x[1] ** 3
    return s


def deleted(x):
    if x[0] > 1.0:
        z = 3.0
    s = x[0]
    if x[1] > 1.0:
        try:
            s = s * z
            del z
        except NameError:
            s = s * x[1]
    try:
        return s * z
    except NameError:
        return s * x[2]


def helper(x, far):
    if far:
        z = x * x
    return np.sum(z * x)


def in_a_callee(x):
    try:
        return helper(x, x[0] > 1.0)
    except NameError:
        return x[1] ** 2


def caught_later(x):
    if x[0] > 1.0:
        w, z = x[0], 2.0
    s = 0.0
    try:
        if x[1] > 0.0 and z:
            s = w * x[1]
    except UnboundLocalError:
        s = x[2] ** 2
    if x[0] > 1.0:
        s = s * z
    return s


CAUGHT = [
    asked,
    taken,
    bound_to_none,
    multiplied,
    from_a_loop,
    index_of_a_loop,
    deleted,
    in_a_callee,
    caught_later,
]


@pytest.mark.parametrize("f", CAUGHT, ids=lambda f: f.__name__)
@pytest.mark.parametrize("far", [False, True])
def test_the_handler_runs(f, far):
    x = X + 0.3 * far
    for options in ({}, {"on_overwrite": "save"}):
        check_grads(f, (x,), **options)
        assert ad.vjp(ad.differentiable(f, **options), x)[0] == f(x)


@pytest.mark.parametrize("far", [False, True])
@pytest.mark.parametrize("f", [multiplied, taken], ids=lambda f: f.__name__)
def test_again(f, far):
    def squared(x):
        return np.sum(ad.grad(f)(x) ** 2)

    check_grads(squared, (X + 0.3 * far,))


def as_bound(x):
    if x[0] > 1.0:
        n = 2
    return np.sum(x[:n])


def as_axis(x):
    if x[0] > 1.0:
        n = 0
    return np.sum(x * x, axis=n)


def as_index(x):
    if x[0] > 1.0:
        n = 0
    return np.sum(x[n])


def as_condition(x):
    if x[0] > 1.0:
        n = True
    return x[0] if n else x[1]


def behind_and(x):
    if x[0] > 1.0:
        n = 2.0
    if x[1] > 0 and n:
        return x[0]
    return x[1] * 2.0


def of_an_empty_loop(x):
    for n in range(int(x[0] > 1.0)):  # noqa: B007
        pass
    return np.sum(x[:n])


@pytest.mark.parametrize(
    "f",
    [as_bound, as_axis, as_index, as_condition, behind_and, of_an_empty_loop],
    ids=lambda f: f.__name__,
)
def test_what_python_raises(f):
    check_grads(f, (X + 0.3,))
    for run in (
        lambda: ad.vjp(f, X),
        lambda: ad.grad(f)(X),
        lambda: ad.jvp(f, (X,), (X,)),
    ):
        with pytest.raises(UnboundLocalError, match="'n'"):
            run()


def correlated(x):
    if x[0] > 1.0:
        z = np.exp(x)
    s = np.sum(x)
    if x[0] > 1.0:
        s = s * np.sum(z * z)
    return s


def test_nothing_is_added_where_nothing_is_read_unbound():
    def in_branches(x):
        if x[0] > 1.0:
            z = np.exp(x)
            return np.sum(z * z)
        return np.sum(x)

    for x in (X, X + 0.3):
        check_grads(correlated, (x,))
        check_grads(in_branches, (x,))
    assert "_kept" not in ad.differentiable(in_branches).source_for(X)


def appended_to(x):
    if x[0] > 1.0:
        z = [x[0]]
    try:
        z.append(x[1])
        return z[0] * z[1]
    except NameError:
        return x[1] ** 2


def bound_of_a_loop(x):
    if x[0] > 1.0:
        z = 3
    try:
        for _ in range(z):
            x = x * 2.0
    except NameError:
        x = x**2
    return np.sum(x)


def looped_over(x):
    if x[0] > 1.0:
        z = x * 2.0
    s = 1.0
    try:
        s = s * x[0]
        for v in z:
            s = s * v
    except NameError:
        s = s * x[1]
    return s


@pytest.mark.recorded
@pytest.mark.parametrize("far", [False, True])
@pytest.mark.parametrize("f", [appended_to, bound_of_a_loop, looped_over], ids=lambda f: f.__name__)
def test_containers_and_loops(f, far):
    check_grads(f, (X + 0.3 * far,), on_overwrite="save")
