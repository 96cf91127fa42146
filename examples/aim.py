"""Aim a spacecraft with a gradient that was shipped as a file: adtrans is not imported here.

For people who may not add a dependency to what they deliver: generate once, read the file, commit
it. `orbit_grad.py` holds the derivative of `orbit.miss` and needs NumPy only. This program turns it
into an aiming computer: from a first guess of the velocity, a few steps of BFGS, written out below.

    python examples/aim.py
    python examples/aim.py --steps 200 --target -0.5 1.0
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

import numpy as np
from orbit_grad import miss_forward, miss_pullback

START = np.array([1.0, 0.0])
FIRST_GUESS = np.array([0.0, 1.0])


def value_and_gradient(velocity: np.ndarray, *known: object) -> tuple[float, np.ndarray]:
    """The squared miss and its derivative with respect to the velocity."""
    value, residuals = miss_forward(velocity, *known)
    return value, miss_pullback(residuals, 1.0)


def bfgs(
    f: Callable[[np.ndarray], tuple[float, np.ndarray]], x: np.ndarray, tolerance: float
) -> tuple[np.ndarray, float, int]:
    """A minimum of `f`, its value, and the number of evaluations."""
    inverse = np.eye(len(x))
    value, slope = f(x)
    count = 1
    while value > tolerance and count < 500:
        step = -inverse @ slope
        step *= min(1.0, 0.2 / np.linalg.norm(step))
        while True:
            new_value, new_slope = f(x + step)
            count += 1
            if new_value < value + 1e-4 * slope @ step or np.linalg.norm(step) < 1e-12:
                break
            step *= 0.5
        change = new_slope - slope
        if change @ step > 0.0:
            rho = 1.0 / (change @ step)
            left = np.eye(len(x)) - rho * np.outer(step, change)
            inverse = left @ inverse @ left.T + rho * np.outer(step, step)
        if new_value >= value:
            break
        x, value, slope = x + step, new_value, new_slope
    return x, float(value), count


def main(argv: Sequence[str] | None = None) -> int:
    """Aim, and say how well."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--time", type=float, default=3.0, help="from the start to the target")
    parser.add_argument("--target", type=float, nargs=2, default=(-1.2, 0.3))
    args = parser.parse_args(argv)

    known = START, np.array(args.target), args.time / args.steps, args.steps
    before, _ = value_and_gradient(FIRST_GUESS, *known)
    velocity, after, count = bfgs(lambda v: value_and_gradient(v, *known), FIRST_GUESS, 1e-16)
    print(f"from {START}, to be at {known[1]} after {args.time:g} units of time")
    print(f"first guess {FIRST_GUESS}: misses by {np.sqrt(before):.3g}")
    print(f"aimed       {velocity}: misses by {np.sqrt(after):.1e}, {count} gradients")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
