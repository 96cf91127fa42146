"""Objects and lists: what a pullback costs, in runs of the program itself.

    python -m benchmarks.objects

A Kalman filter that is a class, with a step a call of two methods, and a recurrence on a list that
grows. `gradient` is the forward function and the pullback together, `pullback` what comes on top of
the value that the forward function has computed anyhow. All take turns in one process; a ratio is
the median over the rounds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.api.differentiable import grad, vjp
from benchmarks.measure import human, interleaved, ratio, table

LIMIT = 5.0
"""How many runs of the program a pullback may take."""


class KalmanFilter:
    """A linear filter with its state in attributes."""

    def __init__(self, F, H, Q, R, x, P):
        self.F, self.H, self.Q, self.R = F, H, Q, R
        self.x, self.P = x, P
        self.log_likelihood = 0.0

    def predict(self):
        self.x = self.F @ self.x
        self.P = self.F @ self.P @ self.F.T + self.Q

    def update(self, z):
        y = z - self.H @ self.x
        S = self.H @ self.P @ self.H.T + self.R
        inverse = np.linalg.inv(S)
        K = self.P @ self.H.T @ inverse
        self.x = self.x + K @ y
        self.P = self.P - K @ self.H @ self.P
        self.log_likelihood -= 0.5 * (y @ inverse @ y + np.log(np.linalg.det(S)))


def filtered(Q, R, zs, F, H):
    """The log-likelihood of observations."""
    n = len(F)
    kf = KalmanFilter(F, H, Q, R, np.zeros(n), np.eye(n))
    for z in zs:
        kf.predict()
        kf.update(z)
    return kf.log_likelihood


def recurrence(p, steps):
    """A logistic map with memory: a list that grows, read at its end."""
    values = [p[0], p[1]]
    for _ in range(steps):
        values.append(p[2] * values[-1] * (1.0 - values[-2]))
    return sum(values)


def _tracking(steps: int, n: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(0)
    F = np.eye(n) + 0.1 * np.eye(n, k=1)
    H = np.eye(n)[: n // 2]
    return 0.1 * np.eye(n), np.eye(n // 2), rng.normal(size=(steps, n // 2)), F, H


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], tuple[str, ...]]] = {
    "Kalman filter": (filtered, _tracking(200, 4), ("Q", "R", "zs")),
    "list recurrence": (recurrence, (np.array([0.3, 0.4, 2.1]), 1000), ("p",)),
}


def measured(rounds: int = 15, slot: float = 0.05) -> dict[str, dict[str, float]]:
    """Seconds of the program and of its gradient; runs of the program for gradient and pullback."""
    found = {}
    for name, (f, args, wrt) in PROGRAMS.items():
        gradient, (_, pullback) = grad(f, wrt=wrt), vjp(f, *args, wrt=wrt)
        times = interleaved(
            {
                "program": lambda f=f, args=args: f(*args),
                "gradient": lambda gradient=gradient, args=args: gradient(*args),
                "pullback": lambda pullback=pullback: pullback(1.0),
            },
            rounds,
            slot,
        )
        found[name] = {
            "program": sorted(times["program"])[rounds // 2],
            "gradient": ratio(times["gradient"], times["program"]),
            "pullback": ratio(times["pullback"], times["program"]),
        }
    return found


def shown(found: dict[str, dict[str, float]]) -> str:
    """The table."""
    rows = [
        [name, human(row["program"]), f"{row['gradient']:.2f}", f"{row['pullback']:.2f}"]
        for name, row in found.items()
    ]
    return table(["", "program", "gradient / program", "pullback / program"], rows)


if __name__ == "__main__":
    result = measured()
    print(shown(result))
    sys.exit(any(row["pullback"] > LIMIT for row in result.values()))
