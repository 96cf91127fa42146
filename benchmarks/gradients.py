"""The primal, the generated gradient, the one written by hand, and autograd, in one run."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from typing import Any

import adtrans as ad
from benchmarks.measure import geometric_mean, human, interleaved, ratio, table
from benchmarks.model import Program, with_numpy

CLAIM = 1.5  # generated to by hand, geometric mean


def contestants(program: Program, args: tuple[Any, ...]) -> dict[str, Callable[[], object]]:
    """What is timed for a program, each a function without arguments."""
    gradient = ad.value_and_grad(program.loss, wrt=program.wrt, **program.options)
    found: dict[str, Callable[[], object]] = {
        "primal": lambda: program.loss(*args),
        "generated": lambda: gradient(*args),
        "by hand": lambda: program.by_hand(*args),
    }
    try:
        import autograd
        import autograd.numpy
    except ImportError:
        return found
    other = autograd.value_and_grad(
        with_numpy(program.rewritten or program.loss, autograd.numpy), program.wrt
    )
    return {**found, "autograd": lambda: other(*args)}


def measure(program: Program, *, quick: bool) -> dict[str, Any]:
    """Medians and ratios for one program."""
    args = program.arguments(program.size(quick))
    rounds, slot = (3, 0.0) if quick else (15, 0.03)
    times = interleaved(contestants(program, args), rounds, slot)
    autograd = times.get("autograd")
    return {
        "name": program.name,
        "about": program.about,
        "size": program.size(quick),
        "options": dict(program.options),
        "rounds": rounds,
        "median_seconds": {name: statistics.median(t) for name, t in times.items()},
        "generated_to_primal": ratio(times["generated"], times["primal"]),
        "by_hand_to_primal": ratio(times["by hand"], times["primal"]),
        "generated_to_by_hand": ratio(times["generated"], times["by hand"]),
        "autograd_to_by_hand": ratio(autograd, times["by hand"]) if autograd else None,
        "autograd_ran": "the function itself" if program.rewritten is None else "a rewriting",
    }


def overall(rows: Iterable[dict[str, Any]]) -> float:
    """Generated to by hand, over all programs."""
    return geometric_mean(row["generated_to_by_hand"] for row in rows)


def shown(rows: list[dict[str, Any]]) -> str:
    """The table: medians, then ratios to the gradient written by hand."""
    head = ["value and gradient", "primal", "generated", "by hand", "autograd"]
    head += ["generated/primal", "generated/by hand", "autograd/by hand"]
    lines = []
    for row in rows:
        medians = row["median_seconds"]
        mark = "*" if row["autograd_ran"] == "a rewriting" else " "
        autograd = human(medians["autograd"]) + mark if "autograd" in medians else "-"
        slower = row["autograd_to_by_hand"]
        lines.append(
            [
                row["name"],
                *(human(medians[name]) for name in ("primal", "generated", "by hand")),
                autograd,
                f"{row['generated_to_primal']:.2f}",
                f"{row['generated_to_by_hand']:.2f}",
                "-" if slower is None else f"{slower:.1f}",
            ]
        )
    text = table(head, lines)
    text += f"\ngenerated / by hand, geometric mean: {overall(rows):.2f} (to stay below {CLAIM})"
    if any("autograd" in row["median_seconds"] for row in rows):
        text += "\n* a rewriting without writes into arrays, which autograd cannot follow"
    else:
        text += "\nautograd is not installed"
    return text
