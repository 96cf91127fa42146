"""The likelihood of a GARCH(1, 1) process: a scalar recurrence that writes elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.model import Program


def loss(theta, r):
    omega, alpha, beta = theta
    n = len(r)
    h = np.empty(n)
    h[0] = 0.5
    for t in range(1, n):
        h[t] = omega + alpha * r[t - 1] ** 2 + beta * h[t - 1]
    return 0.5 * np.sum(np.log(h) + r**2 / h)


def by_hand(theta, r):
    omega, alpha, beta = theta
    n = len(r)
    h = np.empty(n)
    h[0] = 0.5
    for t in range(1, n):
        h[t] = omega + alpha * r[t - 1] ** 2 + beta * h[t - 1]
    value = 0.5 * np.sum(np.log(h) + r**2 / h)

    h_bar = 0.5 * (1.0 - r**2 / h) / h
    omega_bar = alpha_bar = beta_bar = 0.0
    for t in range(n - 1, 0, -1):
        t_bar = h_bar[t]
        omega_bar += t_bar
        alpha_bar += t_bar * r[t - 1] ** 2
        beta_bar += t_bar * h[t - 1]
        h_bar[t - 1] += beta * t_bar
    return value, (np.array([omega_bar, alpha_bar, beta_bar]),)


def rewritten(theta, r):
    omega, alpha, beta = theta
    h = [0.5]
    for t in range(1, len(r)):
        h.append(omega + alpha * r[t - 1] ** 2 + beta * h[t - 1])
    h = np.array(h)
    return 0.5 * np.sum(np.log(h) + r**2 / h)


def arguments(n: int) -> tuple[Any, ...]:
    return np.array([0.1, 0.1, 0.8]), np.random.default_rng(2).standard_normal(n)


PROGRAM = Program(
    "recurrence",
    "GARCH(1, 1) likelihood, one element written per step",
    loss,
    by_hand,
    arguments,
    wrt=(0,),
    sizes=(2_000, 20),
    rewritten=rewritten,
)
