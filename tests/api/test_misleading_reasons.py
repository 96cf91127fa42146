"""Errors that name what the user has written, and say what is in the way."""

from __future__ import annotations

import threading
from typing import NamedTuple

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 1.2, 0.9])


class Scaled:
    def __init__(self, k):
        self.k = k

    def run(self, x):
        return x * self.k


class Pair:
    def __init__(self, parts):
        self.parts = parts
        self.first = parts[0]


PAIR = Pair([Scaled(0.5), Scaled(1.5)])


def under_two_names(x):
    for f in PAIR.parts:
        x = f.run(x)
    return np.sum(x * PAIR.first.k)


@pytest.mark.recorded
def test_objects_that_are_only_read() -> None:
    np.testing.assert_allclose(ad.grad(under_two_names)(X), np.full(3, 0.5 * 1.5 * 0.5))


def summed_in_the_end(x):
    total = None
    for k in range(3):
        if total is None:
            total = x * k
        else:
            total += x * x
    return total.sum()


def sorted_in_the_end(x):
    total = None
    for k in range(3):
        if total is None:
            total = x * k
        else:
            total += x * x
    total.sort()
    return total[0]


def summed_by_numpy(x):
    total = None
    for k in range(3):
        if total is None:
            total = x * k
        else:
            total += x * x
    return np.sum(total)


def asked_before(x):
    total = None
    for k in range(3):
        if total is None:
            total = x * k
        else:
            total += x * x
    if total is not None:
        return total.sum()
    return 0.0


def test_an_array_or_none_is_called_that() -> None:
    with pytest.raises(ad.CompileError) as error:
        ad.grad(summed_in_the_end)(X)
    (d,) = error.value.diagnostics
    assert d.code == "AD401" and "`total` is an array or None" in d.why
    assert "`np.sum`" in d.fixes[0].text
    for f in (summed_by_numpy, asked_before):  # as it says
        np.testing.assert_allclose(ad.grad(f)(X), 4 * X)


def test_a_function_that_copies_is_no_method_in_place() -> None:
    with pytest.raises(ad.CompileError) as error:
        ad.grad(sorted_in_the_end)(X)
    assert not any("np.sort" in fix.text for d in error.value.diagnostics for fix in d.fixes)


class Net:
    def __init__(self):
        self.t = {}

    def put(self, key, arrays):
        self.t[key] = arrays

    def scale(self, by):
        for key in self.t:
            self.t[key][0][...] *= by


def scaled_inside(params, x):
    net = Net()
    for k, p in enumerate(params):
        net.put(k, p)
    net.scale(x[0])
    return net.t[0][0].sum()


@pytest.mark.parametrize("policy", ["refuse", "save"])
def test_all_of_an_array_is_never_rebound(policy) -> None:
    f = ad.differentiable(scaled_inside, on_overwrite=policy)
    with pytest.raises(ad.CompileError) as error:
        ad.grad(f, wrt="x")([(X * 1.0, X * 2.0), (X * 3.0, X * 4.0)], X)
    assert "AD206" in {d.code for d in error.value.diagnostics}
    assert "rebind" not in str(error.value) and "`t_" not in str(error.value)


class Motion(NamedTuple):
    p: float
    v: float

    def __iadd__(self, other):
        return Motion(self.p + other.p, self.v * other.v)


def listed_motions(x):
    motions = [Motion(a, b) for a, b in zip(x, 2.0 * x, strict=True)]
    return motions[0].p


def added_motions(x):
    motion = Motion(x[0], x[1])
    motion += Motion(x[1], x[2])
    return motion.v


@pytest.mark.parametrize("f", [listed_motions, added_motions])
def test_named_tuples_with_operators_of_their_own(f) -> None:
    with pytest.raises(ad.CompileError) as error:
        ad.grad(f)(X)
    assert "the named tuple `Motion` cannot be followed" in str(error.value)
    assert "it defines `__iadd__` itself" in str(error.value)
    assert "global" not in str(error.value)


class Marked:
    def __init__(self):
        self.pair = (np.zeros(3), np.ones(3))

    def step(self, x):
        b, a = self.pair
        if x[0] > 0:
            b = a
        b[0] = x[0]
        self.pair = (a, b)


def test_a_tuple_of_an_object_whose_arrays_change_places():
    def f(m, x):
        m.step(x)
        m.step(x)
        return np.sum(m.pair[0] * m.pair[1])

    check_grads(f, (Marked(), np.array([1.0, 0.7, 0.5])), wrt=1, on_overwrite="save")


def test_a_default_that_does_something():
    def default():
        print("empty")
        return 1.0

    with pytest.raises(ad.AdtransError, match="does nothing but compute"):
        ad.grad(lambda x: max([v * v for v in x], default=default()))(np.array([0.5, 0.7]))


def test_functions_defined_inside_are_called_by_their_names():
    def a_lambda(x):
        out = []
        thread = threading.Thread(target=lambda: out.append(x * x))
        thread.start()
        thread.join()
        return np.sum(out[0])

    def by_name(x):
        def work():
            return x * x

        timer = threading.Timer(0.0, work)
        timer.start()
        timer.join()
        return np.sum(x)

    for f, name in ((a_lambda, "a lambda"), (by_name, "`work`")):
        with pytest.raises(ad.CompileError, match="AD201") as caught:
            ad.grad(f)(X)
        said = str(caught.value)
        assert f"{name}, defined inside, cannot be followed: what it captures is lost" in said
        assert "Inner" not in said and "Work" not in said


def squares(x):
    return np.sum(x * x)


NO_OPTIONS: dict[str, str] = {}


def test_options_in_a_dictionary():
    def of_constants(x):
        options = {"wrt": "x"}
        nothing = {}
        return np.sum(ad.grad(squares, **options)(x) * ad.grad(squares, **nothing)(x))

    check_grads(of_constants, (X,), on_unfollowed="record")
    options = NO_OPTIONS
    for f in (
        lambda x: np.sum(ad.grad(squares, **NO_OPTIONS)(x)),
        lambda x: np.sum(ad.grad(squares, **options)(x)),
    ):
        with pytest.raises(ad.CompileError, match=r"the options of `ad\.grad` are not known here"):
            ad.grad(f)(X)
