"""How does the ground conduct? A profile of conductivities, from the water levels in a few wells.

For people whose model contains a linear solver that they did not write and will not rewrite. Water
seeps through an aquifer, steadily: `-(K h')' = q` between two rivers whose levels are known. The
discrete system is tridiagonal and solved by `tridiagonal.thomas`, which overwrites its arguments.
The wells are compared with measurements, and the gradient of the misfit with respect to the
conductivity of every cell goes straight through the solver: no adjoint equation is derived, no
second solver is written.

    python examples/groundwater.py
    python examples/groundwater.py --cells 40

The levels in the wells have noise, and the conductivity is held smooth by a penalty (levels alone
determine it badly). Needs SciPy (`pip install 'adtrans[examples]'`).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize
from tridiagonal import thomas

import adtrans as ad

RAIN = 8.0
LEFT, RIGHT = 1.0, 0.4


def levels(log_k, q, left, right):
    """Water levels between the rivers, for the logarithm of the conductivity of each cell."""
    k = np.exp(log_k)
    n = len(k) - 1
    width = 1.0 / len(k)
    diag = k[:-1] + k[1:]
    rhs = q * width**2 * np.ones(n)
    rhs[0] += k[0] * left
    rhs[n - 1] += k[n] * right
    return thomas(-k[1:-1], diag, -k[1:-1], rhs)


@ad.differentiable
def misfit(log_k, wells, measured, noise, smoothness):
    """Squared differences in the wells, in units of the noise, and the penalty on roughness."""
    h = levels(log_k, RAIN, LEFT, RIGHT)
    r = (h[wells] - measured) / noise
    return 0.5 * np.sum(r * r) + 0.5 * smoothness * np.sum((log_k[1:] - log_k[:-1]) ** 2)


def truth(cells: int) -> np.ndarray:
    """The logarithm of the conductivity: sand with a lens of clay."""
    x = (np.arange(cells) + 0.5) / cells
    return 1.0 + 0.5 * np.sin(5.0 * x) - 1.5 * np.exp(-(((x - 0.6) / 0.1) ** 2))


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, estimate, show the profile."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cells", type=int, default=120)
    parser.add_argument("--wells", type=int, default=20)
    parser.add_argument("--noise", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(argv)

    rng = np.random.default_rng(args.seed)
    true = truth(args.cells)
    wells = np.linspace(0, args.cells - 2, args.wells + 2).astype(int)[1:-1]
    measured = levels(true, RAIN, LEFT, RIGHT)[wells]
    measured += args.noise * rng.standard_normal(args.wells)
    smoothness = args.cells / 4.0

    start = np.zeros(args.cells)
    known = wells, measured, args.noise, smoothness
    before, gradient = misfit.value_and_grad(start, *known)
    result = minimize(
        misfit.value_and_grad, start, args=known, jac=True, method="L-BFGS-B",
        options={"maxiter": 300, "maxfun": 1000},
    )  # fmt: skip

    step = 1e-5 * gradient / np.linalg.norm(gradient)
    slope = (misfit(start + step, *known) - misfit(start - step, *known)) / 2e-5
    print(f"{args.cells} cells, {args.wells} wells, noise {args.noise:g}")
    print(f"slope along the gradient: {np.linalg.norm(gradient):.6f}, measured {slope:.6f}")
    print(f"misfit {before:.1f} before, {result.fun:.2f} after {result.nit} iterations")
    rms = [np.sqrt(np.mean((x - true) ** 2)) for x in (start, result.x)]
    print(f"error of the log conductivity {rms[0]:.3f} before, {rms[1]:.3f} after\n")
    print("   place   true   found")
    for i in range(0, args.cells, max(1, args.cells // 12)):
        bar = " " * round(8 * max(0.0, result.x[i] + 1.0)) + "o"
        print(f"   {(i + 0.5) / args.cells:5.2f}  {true[i]:5.2f}   {result.x[i]:5.2f}  {bar}")
    print("\nThe derivative that was used, the solver's included:\n")
    print(misfit.source)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
