"""Where was the heat? Initial temperatures and the diffusivity of a plate, from noisy sensors.

For people with a simulation written as loops over NumPy arrays, and a question that runs backwards
through it. The simulation below is a plain in-place stencil. Its gradient, with respect to ten
thousand initial temperatures and the diffusivity at once, costs a few times the simulation itself,
and goes into `scipy.optimize.minimize(jac=True)` as it is.

    python examples/heat_inverse.py                  # 101 x 101 cells, 200 steps: within a minute
    python examples/heat_inverse.py --cells 41 --steps 60 --iterations 30

What is known: the readings of 400 sensors at twenty times, with noise; that the rim is kept at
zero; and that the initial temperature is smooth, which enters as a penalty on its curvature
(Tikhonov regularisation). It is needed: there are 25 unknowns to each sensor, and without it a
wrong diffusivity with a rough initial state explains the readings just as well. `--smoothness` is
its weight. The default is one at which the readings are missed by about the noise, no more and no
less, which can be told without knowing the truth; the program prints both.

The readings are not made with the model that explains them, which would flatter the result: they
come from a grid twice as fine with a quarter of the time step.

Needs SciPy; Matplotlib for the picture (`pip install 'adtrans[examples]'`).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

import adtrans as ad

KAPPA = 1.0  # what is to be found
FIRST_GUESS = 0.4
RATIO = 0.12  # time step over squared cell width; stable up to a diffusivity of 2


@ad.differentiable
def misfit(theta, n, ratio, steps, every, rows, cols, readings, smoothness):
    """How badly `theta` (the initial temperatures, row by row, then the diffusivity) explains the
    readings: half the squared differences, plus the penalty on curvature."""
    u = theta[:-1].reshape(n, n).copy()
    kappa = theta[-1]
    bends = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
    loss = 0.5 * smoothness * np.sum(bends**2)
    for k in range(steps):
        flow = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        u[1:-1, 1:-1] += ratio * kappa * flow
        if (k + 1) % every == 0:
            r = u[rows, cols] - readings[k // every]
            loss += 0.5 * np.sum(r * r)
    return loss


def truth(n: int) -> np.ndarray:
    """The initial temperature on `n` x `n` points: two warm spots, a cold one, and a ring."""
    x, y = np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n), indexing="ij")
    u = 1.0 * np.exp(-((x - 0.3) ** 2 + (y - 0.35) ** 2) / 0.02)
    u += 0.7 * np.exp(-((x - 0.72) ** 2 + (y - 0.25) ** 2) / 0.008)
    u -= 0.5 * np.exp(-((x - 0.25) ** 2 + (y - 0.75) ** 2) / 0.015)
    ring = np.hypot(x - 0.68, y - 0.68) - 0.15
    u += 0.8 * np.exp(-(ring**2) / 0.0025)
    return u * 16 * x * (1 - x) * y * (1 - y)


@dataclass(frozen=True)
class Experiment:
    """What was measured, and where and when."""

    n: int
    steps: int
    every: int
    rows: np.ndarray
    cols: np.ndarray
    readings: np.ndarray
    noise: float

    def arguments(self, smoothness: float) -> tuple[Any, ...]:
        """The arguments of `misfit` after `theta`."""
        places = self.rows, self.cols, self.readings
        return self.n, RATIO, self.steps, self.every, *places, smoothness


def measure(n: int, steps: int, sensors: int, noise: float, seed: int) -> Experiment:
    """Simulate the experiment, on a finer grid and with smaller steps than the model has."""
    rng = np.random.default_rng(seed)
    inner = (n - 2) * (n - 2)
    rows, cols = np.divmod(rng.choice(inner, min(sensors, inner), replace=False), n - 2)
    rows, cols = rows + 1, cols + 1
    every = max(1, steps // 20)
    u = truth(2 * n - 1)
    clean = []
    for k in range(4 * steps):
        flow = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        u[1:-1, 1:-1] += RATIO * KAPPA * flow
        if (k + 1) % (4 * every) == 0:
            clean.append(u[2 * rows, 2 * cols])
    readings = np.array(clean) + noise * rng.standard_normal((len(clean), len(rows)))
    return Experiment(n, steps, every, rows, cols, readings, noise)


def error(u: np.ndarray, n: int) -> float:
    """The error of initial temperatures, relative to the truth."""
    return float(np.linalg.norm(u - truth(n)) / np.linalg.norm(truth(n)))


def recover(
    experiment: Experiment, smoothness: float, iterations: int
) -> tuple[np.ndarray, float, list[float]]:
    """Initial temperatures, diffusivity, and the misfit after each iteration."""
    n = experiment.n
    theta = np.zeros(n * n + 1)
    theta[-1] = FIRST_GUESS
    rim = np.ones((n, n), bool)
    rim[1:-1, 1:-1] = False
    free = [(0.0, 0.0) if fixed else (None, None) for fixed in rim.ravel()]
    history: list[float] = []

    def progress(intermediate_result: Any) -> None:
        history.append(float(intermediate_result.fun))
        if len(history) % 20 == 1:
            now = intermediate_result.x
            print(
                f"  iteration {len(history):3}: misfit {history[-1]:9.4f}   diffusivity "
                f"{now[-1]:.4f}   error of the initial state {error(now[:-1].reshape(n, n), n):.3f}"
            )

    result = minimize(
        misfit.value_and_grad,
        theta,
        args=experiment.arguments(smoothness),
        jac=True,
        method="L-BFGS-B",
        bounds=[*free, (0.05, 2.0)],
        callback=progress,
        options={"maxiter": iterations, "maxfun": 4 * iterations, "maxcor": 20},
    )
    return result.x[:-1].reshape(n, n), float(result.x[-1]), history


def draw(path: Path, experiment: Experiment, found: np.ndarray, history: list[float]) -> None:
    """Truth, recovery, their difference with the sensors, and the misfit, as a picture."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    true = truth(experiment.n)
    figure, axes = plt.subplots(1, 4, figsize=(15, 3.6), constrained_layout=True)
    both = {"vmin": true.min(), "vmax": true.max(), "cmap": "inferno"}
    for ax, image, title, style in (
        (axes[0], true, "initial temperature", both),
        (axes[1], found, "recovered", both),
        (axes[2], found - true, "difference, and the sensors", {"cmap": "coolwarm"}),
    ):
        figure.colorbar(ax.imshow(image, **style), ax=ax, shrink=0.8)
        ax.set_title(title)
        ax.set_axis_off()
    axes[2].plot(experiment.cols, experiment.rows, "k.", markersize=1.5)
    axes[3].semilogy(history)
    axes[3].set_title("misfit")
    axes[3].set_xlabel("iteration")
    figure.savefig(path, dpi=110)
    plt.close(figure)
    print(f"picture: {path}")


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, recover, report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cells", type=int, default=101, help="points in each direction")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--sensors", type=int, default=400)
    parser.add_argument("--noise", type=float, default=0.01, help="standard deviation of a reading")
    parser.add_argument("--smoothness", type=float, default=0.1, help="weight of the penalty")
    parser.add_argument("--iterations", type=int, default=150)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--picture", type=Path, default=Path("heat_inverse.png"))
    parser.add_argument("--no-picture", action="store_true")
    args = parser.parse_args(argv)

    experiment = measure(args.cells, args.steps, args.sensors, args.noise, args.seed)
    print(
        f"{args.cells} x {args.cells} points, {args.steps} steps, {len(experiment.rows)} sensors "
        f"read {len(experiment.readings)} times with noise {args.noise:g}; "
        f"weight of the penalty {args.smoothness:g}"
    )
    nothing = np.zeros((args.cells, args.cells))
    print(
        f"before: diffusivity {FIRST_GUESS:.4f} (true {KAPPA:.4f}), "
        f"error of the initial state {error(nothing, args.cells):.3f}"
    )
    started = time.perf_counter()
    found, kappa, history = recover(experiment, args.smoothness, args.iterations)
    seconds = time.perf_counter() - started
    print(
        f"after:  diffusivity {kappa:.4f} (true {KAPPA:.4f}), "
        f"error of the initial state {error(found, args.cells):.3f}; "
        f"{len(history)} iterations, {seconds:.1f} s"
    )
    theta = np.append(found.ravel(), kappa)
    squares = 2 * misfit(theta, *experiment.arguments(smoothness=0.0))
    missed = np.sqrt(squares / experiment.readings.size)
    print(f"        readings missed by {missed:.4f} (root mean square), noise {args.noise:g}")
    if not args.no_picture:
        try:
            draw(args.picture, experiment, found, history)
        except ImportError:
            print("no picture: Matplotlib is not installed")
    print("\nThe derivative that was used:\n")
    print(misfit.source)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
