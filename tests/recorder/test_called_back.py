"""Code of the user's that a library calls back, or Python itself, and that changes what varies."""

from __future__ import annotations

import logging
import types

import numpy as np
import pytest

import adtrans as ad

X = np.array([0.7, 1.3])
STATE = {"v": 0.0}


class Keeping(logging.Handler):
    def emit(self, record):
        STATE["v"] = record.args[0] * 2.0


class Squaring(logging.Handler):
    def __init__(self, state):
        super().__init__()
        self.state = state

    def emit(self, record):
        self.state["v"] = self.state["v"] * self.state["v"]


class Tripling(logging.Filter):
    def filter(self, record):
        STATE["v"] = STATE["v"] * 3.0
        return True


def kept_by_a_handler(x):
    logger = logging.Logger("keeping")
    logger.addHandler(Keeping())
    logger.info("%s", x[0])
    return STATE["v"] * x[1]


def squared_by_a_handler(x):
    state = {"v": x[0]}
    logger = logging.Logger("squaring")
    logger.addHandler(Squaring(state))
    logger.warning("a message")
    return state["v"] * x[1]


LOGGER = logging.Logger("with a filter")
LOGGER.addHandler(logging.NullHandler())
LOGGER.addFilter(Tripling())


def tripled_by_a_filter(x):
    STATE["v"] = x[0]
    LOGGER.warning("a message of %s", x[1])
    return STATE["v"] * x[1]


def an_index_that_is_asked_once(x):
    asked = [x[0]]

    class Place:
        def __index__(self):
            asked[0] = asked[0] * 1.5
            return 1

    y = np.zeros((2, 2))
    y[Place(), 0] = x[1]
    return x[Place()] * asked[0] + y[1, 0]


CASES = [kept_by_a_handler, squared_by_a_handler, tripled_by_a_filter, an_index_that_is_asked_once]


@pytest.mark.parametrize("f", CASES)
def test_gradient_and_tangent(f):
    step = 1e-6 * np.eye(2)
    differences = np.array([(f(X + h) - f(X - h)) / 2e-6 for h in step])
    value = f(X)
    found, gradient = ad.value_and_grad(ad.recorded(f))(X.copy())
    assert found == value and np.allclose(gradient, differences, rtol=1e-6)
    found, slope = ad.jvp(ad.recorded(f), (X.copy(),), (np.array([1.0, 0.5]),))
    assert found == value and np.isclose(slope, differences @ [1.0, 0.5], rtol=1e-6)
    assert type(STATE["v"]) in (float, np.float64)


class Tidying:
    def __init__(self, state):
        self.state = state

    def __del__(self):
        self.state["v"] = self.state["v"] * 3.0


def tidied(x):
    state = types.SimpleNamespace(all={"v": x[0]})
    held = Tidying(state.all)
    del held
    return state.all["v"] * x[1]


def test_what_runs_when_an_object_goes_is_refused():
    f = ad.recorded(tidied)
    for mode in (lambda: f.grad(X), lambda: ad.jvp(f, (X,), (X,))):
        with pytest.raises(ad.CompileError, match="__del__"):
            mode()
