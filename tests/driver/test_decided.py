"""Branches that a version never takes do not stand in its way; nothing is concluded too early."""

from __future__ import annotations

import contextlib
import numbers

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])


def obstacle(x):
    """What cannot be differentiated."""
    return eval("np.sum(np.sin(x))")


def none(x, z=None):
    if z is not None:
        return obstacle(x)
    return np.sum(x * x)


def text(x, mode="fast"):
    if mode == "fast":
        return np.sum(x * x)
    elif mode in ("slow", "slower"):
        return obstacle(x)
    raise ValueError(mode)


def membership(x, mode="fast"):
    return np.sum(x * x) if mode in ("fast", "faster") else obstacle(x)


def array(x):
    if not isinstance(x, np.ndarray):
        return obstacle(x)
    return np.sum(x * x)


def scalar(x, w=2.0):
    if isinstance(w, (list, tuple)) or not np.isscalar(w):
        x = obstacle(x)
    return np.sum(x * w)


def abstract(x, w=2.0):
    if isinstance(w, (int, float)) and isinstance(w, numbers.Number):
        return np.sum(x * w)
    return obstacle(x)


def combined(x, z=None, mode="fast"):
    plain = z is None and mode == "fast"
    if not plain or isinstance(z, str):
        return obstacle(x)
    return np.sum(x * x)


def helper(v, z):
    if z is None:
        return np.sum(v)
    return obstacle(v)


def in_a_callee(x, z=None):
    return helper(x * x, z)


def chained(x, z=None):
    if z is None:
        z = np.ones(3)
    if z is None:
        return obstacle(x)
    return np.sum(x * z)


@pytest.mark.parametrize(
    "f",
    [none, text, membership, array, scalar, abstract, combined, in_a_callee, chained],
    ids=lambda f: f.__name__,
)
def test_what_is_never_executed_is_no_obstacle(f):
    check_grads(f, (X,), order=2)
    for mode in ("refuse", "save"):
        check_grads(f, (X,), on_overwrite=mode)


@pytest.mark.parametrize(
    ("f", "given"),
    [(none, 1.0), (text, "slow"), (membership, "slow"), (scalar, [1.0, 2.0, 3.0]),
     (abstract, np.ones(3)), (combined, 1.0), (in_a_callee, 2.0)],
)  # fmt: skip
def test_another_version_takes_another_branch(f, given):
    derivative = ad.grad(f)
    derivative(X)
    with pytest.raises(CompileError) as refused:
        derivative(X, given)
    assert refused.value.diagnostics[0].code == "AD401"


def test_a_condition_that_is_executed_decides_when_it_runs():
    def f(x, z=None):
        s = 0.0
        for k in range(3):
            if z is None:
                z = 1.0
            else:
                z = z * 2.0
            s = s + z * x[k] * x[k]
        return s if isinstance(x, np.ndarray) else obstacle(x)

    check_grads(f, (X,))
    check_grads(f, (X, 2.0))


def test_what_a_loop_binds_is_not_what_it_was_before_the_loop():
    def f(x, z=None):
        first, s = z is None, 0.0
        for _ in range(3):
            s += np.sum(x * x) if first else 0.0
            if not first:
                s += obstacle(x)
            first = x[0] > 5.0
        return s

    with pytest.raises(CompileError):
        ad.grad(f)(X)


class Model:
    def __init__(self):
        self.mode, self.weight = "fast", np.ones(3)


def by_name(m, x):
    setattr(m, "mode", "slow")
    return by_mode(m.mode, x)


def by_dictionary(m, x):
    vars(m)["weight"] = None
    return helper(x, m.weight)


def by_container(m, x):
    [m][0].weight = None
    return helper(x, m.weight)


def directly(m, x):
    m.weight = None
    return helper(x, m.weight)


def changed(m):
    m.weight = None


def by_a_function(m, x):
    changed(m)
    return helper(x, m.weight)


def by_mode(mode, x):
    if mode == "slow":
        return np.sum(3.0 * x)
    return obstacle(x)


@pytest.mark.parametrize(
    "f", [by_name, by_dictionary, by_container, directly, by_a_function], ids=lambda f: f.__name__
)
def test_attributes_that_change_meanwhile(f):
    """Refused or right: never the branch of before."""
    try:
        value, gradient = ad.value_and_grad(f, wrt="x")(Model(), X)
    except ad.AdtransError:
        return
    assert value == f(Model(), X)
    np.testing.assert_allclose(gradient, 1.0 if f is not by_name else 3.0)


def area(shape):
    match shape:
        case ("circle", r):
            return np.pi * r * r
        case ("box", a, b):
            return a * b
        case {"side": a}:
            return a * a


def areas(x):
    return area(("circle", x[0])) * area(("box", x[1], x[2])) + area({"side": x[2]})


def factors(x):
    found = np.linalg.eigh(np.outer(x, x) + np.diag(x))
    if not isinstance(found, tuple):
        return obstacle(x)
    return np.sum(found[0] ** 2)


@pytest.mark.recorded
@pytest.mark.parametrize("fn", [areas, factors])
def test_tuples_are_told_from_dictionaries(fn):
    check_grads(fn, (X,))


def by_class_of_tuple(x):
    found = np.linalg.eigh(np.outer(x, x) + np.diag(x))
    if isinstance(found, type(np.linalg.eigh(np.eye(2)))):
        return np.sum(found[0] ** 2)
    return np.sum(x)


def test_nothing_is_said_of_classes_of_tuples():
    with contextlib.suppress(CompileError):
        check_grads(by_class_of_tuple, (X,))


# -- what a branch leaves behind, with a star ----------------------------------------------------


def called_with(x, f, args=()):
    if not isinstance(args, tuple):
        args = (args,)
    return f(x, *args) * x


def without_more(x):
    return called_with(x, lambda v: v * v)


def with_a_number(x):
    def scaled(v, k):
        return v * v * k

    return called_with(x, scaled, 3.0) + called_with(x, scaled, (x[0],))


class Filter:
    def __init__(self, x):
        self.x, self.steps = x, 0

    def update(self, z, model, args=()):
        if z is None:
            self.x = np.zeros(3)
            return
        if not isinstance(args, tuple):
            args = (args,)
        if np.isscalar(z):
            z = np.asarray([z], float)
        self.x = model(self.x, *args) * self.x + z
        self.steps += 1


def in_a_method(x):
    f = Filter(x)
    for z in x:
        f.update(np.array([z]), np.sin)
        f.update(z, lambda v, k: v * k, 0.5)
    return f.x


F = np.array([0.5, 0.25, 2.0])


class Linear:
    def __init__(self):
        self.f = np.eye(3)
        self.x = np.zeros(3)

    def update(self, z, model, args=()):
        if not isinstance(args, tuple):
            args = (args,)
        slope = model(self.x, *args)
        self.x = self.x + slope.dot(self.f) * z


def a_global_array_in_an_object(x):
    """What an attempt that is refused takes for a write is none."""
    m = Linear()
    m.x, m.f = x, F
    for z in x:
        m.update(z, lambda v: v * v)
    return m.x


STARRED = [without_more, with_a_number, in_a_method, a_global_array_in_an_object]


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", STARRED, ids=lambda f: f.__name__)
def test_stars_of_what_a_branch_leaves(f, mode):
    check_grads(f, (X,), on_overwrite=mode)


def test_stars_to_second_order():
    check_grads(ad.grad(lambda x: np.sum(with_a_number(x))), (X,))


def of_a_class(x, cls):
    if x[0] < 0.0:
        cls = type(x)
    return np.sum(x * x) if cls is np.ndarray else obstacle(x)


def of_a_form(x, form):
    if form is None:
        form = type(x).__name__
    return np.sum(x * x) if form == "ndarray" else obstacle(x)


def of_classes(x, number):
    if x[0] < 0.0:
        number = np.ndarray | list
    return np.sum(x * x) if isinstance(x, number) else obstacle(x)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: of_a_class(x, float),
        lambda x: of_a_form(x, "list" if x[0] > 0.0 else None),
        lambda x: of_classes(x, int | float),
    ],
)
def test_a_parameter_that_one_branch_binds_is_what_was_given_on_the_other(f):
    with pytest.raises(CompileError):
        ad.grad(f)(X)


def a_half(x):
    return obstacle(x) if isinstance(x.astype(np.float16)[0], np.float16) else np.sum(x * x)


def a_long_one(x):
    return obstacle(x) if isinstance(x.astype(np.longdouble)[0], np.longdouble) else np.sum(x * x)


def a_byte(x):
    k = np.arange(3, dtype=np.uint8)[1]
    return obstacle(x) if isinstance(k, np.unsignedinteger) else np.sum(x * x)


def a_single(x):
    k = np.arange(3, dtype=np.float32)[1]
    return obstacle(x) if isinstance(k, np.float64) else np.sum(x * x)


def a_short(x):
    k = np.arange(3, dtype=np.int16)[1]
    return np.sum(x * x) if isinstance(k, np.integer) else obstacle(x)


@pytest.mark.parametrize("f", [a_half, a_long_one, a_byte])
def test_numbers_of_other_sizes_are_of_their_own_classes(f):
    with pytest.raises(CompileError):
        ad.grad(f)(X)


@pytest.mark.parametrize("f", [a_single, a_short])
def test_the_class_of_a_number_of_another_size_decides(f):
    check_grads(f, (X,))
