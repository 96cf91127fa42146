"""What `dataclasses` makes of objects: dictionaries and tuples of copies."""

from __future__ import annotations

import dataclasses
from dataclasses import asdict, astuple, dataclass

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])


@dataclass
class State:
    a: float
    b: np.ndarray

    def scaled(self, k):
        return State(self.a * k, self.b * k)


@dataclass(frozen=True)
class Fixed:
    a: float
    b: "np.ndarray"  # noqa: UP037


@dataclass
class Outer:
    state: State
    k: float


def by_name(x):
    d = asdict(State(x[0], x * x).scaled(x[1]))
    return d["a"] * np.sum(d["b"])


def by_position(x):
    a, b = astuple(Fixed(x[0], x * x))
    return a * np.sum(b)


def summed(x):
    return sum(np.sum(v) for v in dataclasses.asdict(State(x[0], x * x)).values())


def handed_on(x):
    def g(a, b):
        return a * np.sum(b)

    return g(**asdict(State(x[0], x * x)))


def copies_that_are_written(x):
    state = State(x[0], x * x)
    d = asdict(state)
    d["b"][0] = 7.0
    d["a"] = d["a"] * 2
    return np.sum(state.b) * state.a + np.sum(d["b"]) * d["a"]


def originals_that_are_written(x):
    state = State(x[0], x * x)
    t = astuple(state)
    state.b[0] = 7.0
    state.a = 3.0
    return np.sum(state.b) * state.a + np.sum(t[1]) * t[0]


def of_an_argument(x):
    return given(State(x[0] * 2, x))


def given(state):
    d = asdict(state)
    return d["a"] * np.sum(d["b"] * state.b)


@dataclass
class Loose:
    """The annotations say little."""

    a: object
    b: "object | None" = dataclasses.field(default_factory=lambda: None)  # noqa: UP037


def of_any_type(x):
    a, b = astuple(Loose(x[0], x * x))
    d = asdict(Loose(x[1] * x[0]))
    assert d["b"] is None
    return a * np.sum(b) * d["a"]


def written_of_any_type(x):
    loose = Loose(x[0], x * x)
    t = astuple(loose)
    t[1][0] = x[2]
    loose.b[1] = 7.0
    return np.sum(t[1] * loose.b) * t[0]


FOLLOWED = [
    of_any_type,
    written_of_any_type,
    by_name,
    by_position,
    summed,
    handed_on,
    copies_that_are_written,
    originals_that_are_written,
    of_an_argument,
]


@pytest.mark.recorded
@pytest.mark.parametrize("f", FOLLOWED)
def test_the_fields_of_a_dataclass_at_once(f):
    saving = ad.differentiable(f, on_overwrite="save")
    check_grads(saving, (X,), modes=("reverse", "forward"))
    assert ad.vjp(saving, X)[0] == f(X)


def test_a_dataclass_in_another_one_is_refused():
    def f(x):
        d = asdict(Outer(State(x[0], x * x), x[1]))
        return d["state"]["a"] * d["k"]

    with pytest.raises(ad.CompileError):
        ad.grad(f)(X)


def test_a_dataclass_in_a_field_of_any_type_is_refused():
    def made(x):
        return asdict(Loose(Fixed(x[0], x * x), x[1]))["a"]["a"] * x[2]

    def given(x, fixed):
        return x[0] * len(asdict(Loose(x, fixed))["b"])

    with pytest.raises(ad.AdtransError):
        ad.grad(made)(X)
    for held in (Fixed(2.0, X), [Fixed(2.0, X)], {"k": (Fixed(2.0, X),)}):
        with pytest.raises(ad.AdtransError):
            ad.grad(given)(X, held)
