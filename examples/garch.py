"""How nervous is the market? The parameters of a GARCH(1, 1) process, by maximum likelihood.

For people who estimate models whose state is a recurrence: `h[t]` from `h[t - 1]`, written into an
array element by element. The likelihood below is the textbook loop, and its gradient another loop.
The program draws daily returns from a process that is known, forgets the parameters, and finds
them again with SciPy: once with the generated gradient, once with SciPy's own finite differences,
and says how often each evaluated the likelihood. With three parameters both take about as long; the
gradient would not take longer for thirty.

    python examples/garch.py
    python examples/garch.py --days 500

Needs SciPy (`pip install 'adtrans[examples]'`).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import numpy as np
from scipy.optimize import OptimizeResult, minimize

import adtrans as ad

TRUE = np.array([0.05, 0.08, 0.90])
FIRST_GUESS = np.array([0.2, 0.2, 0.5])


@ad.differentiable
def negative_log_likelihood(theta, r):
    """Of returns `r`, divided by their number, for `theta` = (omega, alpha, beta)."""
    omega, alpha, beta = theta
    n = len(r)
    h = np.empty(n)
    h[0] = np.mean(r * r)
    for t in range(1, n):
        h[t] = omega + alpha * r[t - 1] ** 2 + beta * h[t - 1]
    return 0.5 * np.sum(np.log(h) + r**2 / h) / n


def returns(days: int, seed: int) -> np.ndarray:
    """Daily returns of a GARCH(1, 1) process with the true parameters."""
    omega, alpha, beta = TRUE
    rng = np.random.default_rng(seed)
    r = np.empty(days)
    h = omega / (1.0 - alpha - beta)
    for t in range(days):
        r[t] = np.sqrt(h) * rng.standard_normal()
        h = omega + alpha * r[t] ** 2 + beta * h
    return r


def estimate(r: np.ndarray, *, gradient: bool) -> OptimizeResult:
    """The parameters that make `r` most likely, with or without the generated gradient."""
    return minimize(
        negative_log_likelihood.value_and_grad if gradient else negative_log_likelihood,
        FIRST_GUESS,
        args=(r,),
        jac=gradient,
        method="SLSQP",
        bounds=[(1e-6, None), (0.0, 1.0), (0.0, 1.0)],
        constraints={"type": "ineq", "fun": lambda theta: 0.9999 - theta[1] - theta[2]},
        options={"ftol": 1e-12, "maxiter": 300},
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Draw, estimate, compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--days", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(argv)

    r = returns(args.days, args.seed)
    names = ("omega", "alpha", "beta")
    print(f"{args.days} daily returns")
    print("  " + "   ".join(f"{n} {v:.4f}" for n, v in zip(names, TRUE, strict=True)) + "   true")
    for what in ("generated gradient", "finite differences"):
        started = time.perf_counter()
        result = estimate(r, gradient=what == "generated gradient")
        seconds = time.perf_counter() - started
        values = "   ".join(f"{n} {v:.4f}" for n, v in zip(names, result.x, strict=True))
        slope = np.max(np.abs(negative_log_likelihood.grad(result.x, r)))
        print(
            f"  {values}   {what}: {result.nfev} evaluations, {seconds:.2f} s, "
            f"largest slope left {slope:.0e}"
        )
    print("\nThe writes, and why they are allowed:\n")
    print(negative_log_likelihood.report())
    print("\nThe derivative that was used:\n")
    print(negative_log_likelihood.source)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
