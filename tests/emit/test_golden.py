"""Three whole modules, to the letter; and they run."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from adtrans.emit.load import load
from adtrans.emit.module import print_module

STENCIL = """\
def loss_forward(u, dt, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] += dt * (u[2:] - 2 * u[1:-1] + u[:-2])
    y = np.sum(u * u)
    return y, (u, dt, steps)


def loss_pullback(residuals, y_bar):
    u, dt, steps = residuals
    u_bar = 2.0 * y_bar * u         # 5: return np.sum(u * u)
    for _ in range(steps):          # 3: for _ in range(steps), reversed
        t_bar = dt * u_bar[1:-1]    # 4: u[1:-1] += dt * (u[2:] - 2 * u[1:-1] + u[:-2])
        u_bar[2:] += t_bar
        u_bar[1:-1] -= 2 * t_bar
        u_bar[:-2] += t_bar
    return u_bar                    # 2: u = u.copy()
"""

RECURRENCE = """\
def loss_forward(x, w):
    h = np.empty(len(x))
    h[0] = x[0]
    t_saved = []
    for i in range(1, len(x)):
        t = np.tanh(w * h[i - 1])
        t_saved.append(t)
        h[i] = t + x[i]
    return h[-1], (x.shape, w, h, t_saved)


def loss_pullback(residuals, y_bar):
    x_shape, w, h, t_saved = residuals
    x_bar = np.zeros(x_shape)
    w_bar = 0.0
    h_bar = np.zeros(h.shape)
    h_bar[-1] = y_bar                           # 6: return h[-1]
    for i in range(x_shape[0] - 1, 0, -1):      # 4: for i in range(1, len(x)), reversed
        t = t_saved[i - 1]
        t_bar = h_bar[i] * (1.0 - t * t)        # 5: h[i] = np.tanh(w * h[i - 1]) + x[i]
        x_bar[i] += h_bar[i]
        w_bar += t_bar * h[i - 1]
        h_bar[i - 1] += t_bar * w
    x_bar[0] += h_bar[0]                        # 3: h[0] = x[0]
    return x_bar, w_bar
"""

SAVED = """\
def loss_forward(u, dt, steps):
    u = u.copy()
    u_saved = np.empty((steps, *u.shape))
    for k in range(steps):
        u_saved[k] = u      # kept: line 4 overwrites what its own derivative needs
        u[1:] -= dt * u[1:] * (u[1:] - u[:-1])
    y = np.sum(u * u)
    return y, (u, dt, steps, u_saved)


def loss_pullback(residuals, y_bar):
    u, dt, steps, u_saved = residuals
    u_bar = 2.0 * y_bar * u                 # 5: return np.sum(u * u)
    for k in range(steps - 1, -1, -1):      # 3: for _ in range(steps), reversed
        u = u_saved[k]
        t_bar = -dt * u_bar[1:]             # 4: u[1:] -= dt * u[1:] * (u[1:] - u[:-1])
        d_bar = t_bar * u[1:]
        u_bar[1:] += t_bar * (u[1:] - u[:-1]) + d_bar
        u_bar[:-1] -= d_bar
    return u_bar                            # 2: u = u.copy()
"""


def _trees() -> ModuleType:
    path = Path(__file__).with_name("sample_trees.py")
    spec = importlib.util.spec_from_file_location("sample_trees", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TREES = _trees()
U = np.array([0.3, -1.0, 2.0, 0.5, 0.1])


@pytest.mark.parametrize(
    ("name", "text", "args"),
    [
        ("stencil", STENCIL, (U, 0.1, 3)),
        ("recurrence", RECURRENCE, (U, 0.7)),
        ("saved", SAVED, (U, 0.1, 3)),
    ],
)
def test_sample(name: str, text: str, args: tuple[Any, ...]) -> None:
    module = getattr(TREES, name)()
    printed = print_module(module)
    assert printed == text
    assert printed == print_module(getattr(TREES, name)())

    functions = load(printed, name, module.globals)
    forward, pullback = functions["loss_forward"], functions["loss_pullback"]
    _, residuals = forward(*args)
    grads = pullback(residuals, 1.0)
    grad = grads[0] if isinstance(grads, tuple) else grads
    again = pullback(residuals, 1.0)
    np.testing.assert_array_equal(grad, again[0] if isinstance(again, tuple) else again)
    for i in range(U.size):
        step = np.zeros_like(U)
        step[i] = 1e-6
        above, below = (forward(args[0] + s, *args[1:])[0] for s in (step, -step))
        assert grad[i] == pytest.approx((above - below) / 2e-6, rel=1e-6, abs=1e-8)
