"""Generated pullbacks of single rules against the expression that a person would write.

    python -m benchmarks.rules           # 30 rules, for 1,000 and 1,000,000 elements
    python -m benchmarks.rules --quick   # tiny sizes: does it run?

Only the generated pullback is timed, on residuals that the forward function made once. What is
written by hand gets what it needs as arguments.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import adtrans as ad
from benchmarks.measure import geometric_mean, human, interleaved, ratio, table

CLAIMS = {1_000: 1.3, 1_000_000: 1.1}


@dataclass(frozen=True)
class Case:
    """A function of one array, and its adjoint by hand: of the seed, the argument, the result."""

    name: str
    f: Callable[[Any], Any]
    by_hand: Callable[[Any, Any, Any], Any]
    square: bool = False


def spread(g: Any, x: Any) -> Any:
    """One number, or one for each row, for all elements of `x`, in memory of its own."""
    return np.full(x.shape, g)


def shifted(g: Any) -> Any:
    """The adjoint of `np.diff`."""
    out = np.zeros(len(g) + 1)
    out[1:] = g
    out[:-1] -= g
    return out


def padded(g: Any, x: Any, part: slice) -> Any:
    """The adjoint of a slice."""
    out = np.zeros(x.shape)
    out[part] = g
    return out


def once(g: Any, x: Any) -> Any:
    """The adjoint of the largest element."""
    out = np.zeros(x.shape)
    out[np.argmax(x)] = g
    return out


C = 1.5
CASES = [
    Case("exp", lambda x: np.exp(x), lambda g, x, y: g * y),
    Case("log", lambda x: np.log(x), lambda g, x, y: g / x),
    Case("sqrt", lambda x: np.sqrt(x), lambda g, x, y: 0.5 * g / y),
    Case("tanh", lambda x: np.tanh(x), lambda g, x, y: g * (1 - y * y)),
    Case("sin", lambda x: np.sin(x), lambda g, x, y: g * np.cos(x)),
    Case("arctan", lambda x: np.arctan(x), lambda g, x, y: g / (1 + x * x)),
    Case("log1p", lambda x: np.log1p(x), lambda g, x, y: g / (1 + x)),
    Case("expm1", lambda x: np.expm1(x), lambda g, x, y: g * (y + 1)),
    Case("abs", lambda x: np.abs(x), lambda g, x, y: g * np.sign(x)),
    Case("square", lambda x: x**2, lambda g, x, y: 2 * g * x),
    Case("cube", lambda x: x**3, lambda g, x, y: 3 * g * x**2),
    Case("reciprocal", lambda x: 1.0 / x, lambda g, x, y: -g * y / x),
    Case("scaled", lambda x: C * x, lambda g, x, y: C * g),
    Case("product", lambda x: x * x, lambda g, x, y: 2.0 * (g * x)),
    Case("maximum", lambda x: np.maximum(x, 1.0), lambda g, x, y: np.where(x >= 1.0, g, 0.0)),
    Case("clip", lambda x: np.clip(x, 0.8, 1.2),
         lambda g, x, y: np.where((x >= 0.8) & (x <= 1.2), g, 0.0)),
    Case("where", lambda x: np.where(x > 1.0, x, 0.0), lambda g, x, y: np.where(x > 1.0, g, 0.0)),
    Case("sum", lambda x: np.sum(x), lambda g, x, y: spread(g, x)),
    Case("mean", lambda x: np.mean(x), lambda g, x, y: spread(g / x.size, x)),
    Case("var", lambda x: np.var(x), lambda g, x, y: (2 * g / x.size) * (x - np.mean(x))),
    Case("std", lambda x: np.std(x), lambda g, x, y: (g / (y * x.size)) * (x - np.mean(x))),
    Case("max", lambda x: np.max(x), lambda g, x, y: once(g, x)),
    Case("norm", lambda x: np.linalg.norm(x), lambda g, x, y: (g / y) * x),
    Case("dot", lambda x: np.dot(x, x), lambda g, x, y: (2.0 * g) * x),
    Case("cumsum", lambda x: np.cumsum(x), lambda g, x, y: np.cumsum(g[::-1])[::-1]),
    Case("diff", lambda x: np.diff(x), lambda g, x, y: shifted(g)),
    Case("slice", lambda x: x[1:-1] * C, lambda g, x, y: padded(g * C, x, slice(1, -1))),
    Case("concatenate", lambda x: np.concatenate([x, x]),
         lambda g, x, y: g[: len(x)] + g[len(x) :]),
    Case("rows", lambda x: np.sum(x, axis=1),
         lambda g, x, y: np.repeat(g[:, None], len(x), 1), True),
    Case("matmul", lambda x: x @ x, lambda g, x, y: g @ x.T + x.T @ g, True),
]  # fmt: skip


def measure(case: Case, n: int, rounds: int, slot: float) -> dict[str, Any]:
    """The times of one rule; a square matrix has `n` elements, or fewer for a product."""
    rng = np.random.default_rng(0)
    side = max(int(n**0.5), 2)
    side = min(side, 300) if case.name == "matmul" else side
    x = rng.uniform(0.5, 1.5, (side, side) if case.square else n)
    fn = ad.differentiable(case.f)
    value, _ = fn.vjp(x)
    seed = rng.normal(size=np.shape(value)) if np.ndim(value) else 0.7
    forward, pullback = generated(fn)
    y, residuals = forward(x)
    np.testing.assert_allclose(
        np.broadcast_to(pullback(residuals, seed), x.shape), case.by_hand(seed, x, y), rtol=1e-9
    )
    times = interleaved(
        {"generated": lambda: pullback(residuals, seed), "hand": lambda: case.by_hand(seed, x, y)},
        rounds, slot,
    )  # fmt: skip
    return {
        "name": case.name, "n": n, "ratio": ratio(times["generated"], times["hand"]),
        "generated": min(times["generated"]), "by_hand": min(times["hand"]),
    }  # fmt: skip


def generated(fn: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The two generated functions."""
    compiled = fn._recipe.latest()
    forward, pullback = (compiled.function(k) for k in (0, 1))
    return forward, pullback


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print the table."""
    about = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.rules", description=about[0], epilog=about[2],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--quick", action="store_true", help="tiny sizes, a second or two")
    args = parser.parse_args(argv)
    rounds, slot = (3, 0.0005) if args.quick else (15, 0.01)
    for n, claim in CLAIMS.items():
        rows = [measure(c, n if not args.quick else min(n, 1000), rounds, slot) for c in CASES]
        lines = [[r["name"], human(r["generated"]), human(r["by_hand"]), f"{r['ratio']:.2f}"]
                 for r in rows]  # fmt: skip
        print(table([f"n = {n:,}", "generated", "by hand", "ratio"], lines))
        mean = geometric_mean(r["ratio"] for r in rows)
        print(f"geometric mean {mean:.2f} (to stay below {claim})\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
