"""Exceptions of adtrans's own are not seen by the user's code, which runs outside of handlers."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import adtrans as ad


def _process():
    while True:
        yield 1.0


def asked(x):
    """Not compiled: what a generator is sent."""
    process = _process()
    next(process)
    process.send(x)
    SEEN.append(sys.exc_info()[1])
    return x * x


def raised(x):
    process = _process()
    next(process)
    process.send(x)
    raise ValueError("mine")


class Fallback:
    def __getattr__(self, name):
        SEEN.append(sys.exc_info()[1])
        if name == "other":
            raise AttributeError(name)
        return 3.0


class Computed(Fallback):
    @property
    def part(self):
        return self.other  # which is missing


def by_default(x):
    return x * Fallback().factor + x * Computed().part


SEEN: list[Any] = []
MODES = {
    "grad": lambda f: ad.grad(f)(2.0),
    "value_and_grad": lambda f: ad.value_and_grad(f)(2.0),
    "vjp": lambda f: ad.vjp(f, 2.0)[1](1.0),
    "jvp": lambda f: ad.jvp(f, (2.0,), (1.0,)),
    "linearize": lambda f: ad.linearize(f, 2.0)[1](1.0),
    "decorated": lambda f: ad.differentiable(f).grad(2.0),
    "twice": lambda f: ad.grad(ad.grad(f))(2.0),
}


def _new(f: Any) -> Any:
    """The same function, which was not compiled before."""
    return type(f)(f.__code__, f.__globals__, f.__name__)


@pytest.mark.parametrize("mode", MODES)
def test_none_is_being_handled(mode: str) -> None:
    SEEN.clear()
    MODES[mode](_new(asked))
    assert SEEN == [None] * len(SEEN) != []


@pytest.mark.parametrize("mode", MODES)
def test_none_is_the_context_of_another(mode: str) -> None:
    with pytest.raises(ValueError, match="mine") as caught:
        MODES[mode](_new(raised))
    assert caught.value.__context__ is caught.value.__cause__ is None


def test_attributes_that_are_missing() -> None:
    for f, expected in ((by_default, 12.0), (ad.recorded(by_default).grad, 6.0)):
        SEEN.clear()
        assert f(2.0) == expected
        assert SEEN == [None, None, None]


def test_the_gradient_is_right() -> None:
    SEEN.clear()
    np.testing.assert_allclose(ad.grad(_new(asked))(3.0), 6.0)
