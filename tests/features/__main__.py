"""The feature matrix: each construct by pullback, by pushforward, and in second order.

    python -m tests.features                # one line for each construct
    python -m tests.features list slice     # those with one of the words, with the errors
    python -m tests.features --write        # into docs/features.md

A cell is the outcome of a run: what the mode computes is compared with finite differences (second
derivatives with differences of the gradient), with the value and the side effects of the program
itself. Otherwise it is the code of the error.
"""

from __future__ import annotations

import copy
import inspect
import sys
from collections import Counter
from collections.abc import Callable
from itertools import groupby
from typing import Any
from unittest import mock

import numpy as np

import adtrans as ad
from adtrans.diagnostics.errors import AdtransError
from adtrans.recorder import run
from adtrans.testing import check_grads
from adtrans.testing.checks import GradientMismatch
from tests.documents import ROOT
from tests.features import (
    builtin,
    control,
    data,
    functions,
    objects,
    protocols,
    standard,
    whole,
    with_scipy,
)
from tests.features.model import Row

PAGE = ROOT / "docs" / "features.md"
SECTIONS = (
    functions.row, data.row, objects.row, control.row, builtin.row, protocols.row, standard.row,
    whole.row, with_scipy.row,
)  # fmt: skip
ROWS = tuple(r for section in SECTIONS for r in section.rows)
MODES = ("pullback", "pullback, saving", "pushforward", "second order")

_INTRODUCTION = """# Features

What becomes of each construct of Python, in a program of a few lines (`tests/features`); written
by `python -m tests.features --write`. A cell is the outcome of a run: `works` or `recorded` where
the derivative agrees with finite differences, and the value and the side effects with the program
itself; otherwise the [code](errors.md) of the error. What works is compiled; what the compiler
cannot follow is [recorded](recorded.md). `saving` is `on_overwrite="save"`; all other runs are in
the default mode. What is marked as staying out is out in both ways.
"""


def outcome(row: Row, mode: str) -> tuple[str, str]:
    """`works`, `recorded`, `wrong`, or the code of the error; and what was said."""
    with mock.patch.object(run, "_run", wraps=run._run) as recorded:
        found, said = _outcome(row, mode)
    return ("recorded" if found == "works" and recorded.called else found), said


def _outcome(row: Row, mode: str) -> tuple[str, str]:
    how = {
        "pullback": {"modes": ("reverse",)},
        "pullback, saving": {"modes": ("reverse",), "on_overwrite": "save"},
        "pushforward": {"modes": ("forward",)},
        "second order": {"modes": ("reverse",), "order": 2},
    }[mode]
    try:
        with np.errstate(all="ignore"):
            if isinstance(row.wrt, str):
                by_attribute(row, row.wrt, mode)
            else:
                check_grads(row.fn, row.args, wrt=row.wrt, **how)
                if mode.startswith("pullback"):
                    every_number_gets_one(row, how)
    except GradientMismatch as error:
        return "wrong", str(error)
    except AdtransError as error:
        found = [d for d in error.diagnostics if d.severity == "error"]
        code = found[0].code if found else getattr(error, "code", None)
        return code or type(error).__name__, str(error)
    except Exception as error:  # the program raises nothing: whatever comes is a defect
        return "wrong", f"{type(error).__name__}: {error}"
    return "works", ""


def every_number_gets_one(row: Row, how: dict[str, Any]) -> None:
    """A result can be given a cotangent; raises where it cannot, such as an object."""
    args = copy.deepcopy(row.args)
    options = {k: v for k, v in how.items() if k == "on_overwrite"}
    value, pullback = ad.vjp(row.fn, *args, wrt=row.wrt, **options)
    if not isinstance(value, float | np.ndarray):
        flat, unravel = ad.tree.ravel(value)
        pullback(unravel(np.ones(flat.size)) if flat.size else 1.0)


def by_attribute(row: Row, wrt: str, mode: str) -> None:
    """The derivative by an array that an argument holds, along a direction."""
    name, attribute = wrt.split(".")
    k = list(inspect.signature(row.fn).parameters).index(name)
    held = getattr(row.args[k], attribute)
    direction = np.linspace(0.5, 1.5, held.size)

    def at(step: float, f: Callable[..., Any]) -> Any:
        args = copy.deepcopy(row.args)
        setattr(args[k], attribute, held + step * direction)
        return f(*args)

    def difference(f: Callable[..., Any]) -> Any:
        return (at(1e-5, f) - at(-1e-5, f)) / 2e-5

    options = {"wrt": wrt, "on_overwrite": "save" if mode == "pullback, saving" else "refuse"}
    gradient = ad.grad(row.fn, **options)
    if mode.startswith("pullback"):
        found, expected = at(0.0, gradient) @ direction, difference(row.fn)
    elif mode == "pushforward":
        found, expected = ad.jvp(row.fn, row.args, (direction,), **options)[1], difference(row.fn)
    else:
        found = ad.jvp(gradient, row.args, (direction,), wrt=wrt)[1]
        expected = difference(gradient)
    if not np.allclose(found, expected, rtol=1e-6, atol=1e-7):
        raise GradientMismatch(f"{found}, expected {expected}")


def page(found: dict[str, list[str]]) -> str:
    """The page as Markdown, of the cells of each construct."""
    lines = [_INTRODUCTION, "| | works | recorded | refused |", "| --- | --- | --- | --- |"]
    for k, mode in enumerate(MODES):
        counts = Counter(c[k] for c in found.values())
        works, recorded = counts.pop("works", 0), counts.pop("recorded", 0)
        refused = ", ".join(f"{code} {n}" for code, n in sorted(counts.items()))
        lines.append(f"| {mode} | {works} of {len(found)} | {recorded} | {refused} |")
    for section, rows in groupby(ROWS, key=lambda r: r.section):
        lines += ["", f"## {section}", "", f"| construct | {' | '.join(MODES)} |"]
        lines.append(f"| --- |{' --- |' * len(MODES)}")
        lines += [f"| {r.construct} | {' | '.join(found[r.construct])} |" for r in rows]
    return "\n".join(lines) + "\n"


def main(argv: list[str]) -> int:
    """Run the rows that are asked for; print them, or write the page."""
    words = [a for a in argv if not a.startswith("--")]
    found = {}
    for row in ROWS:
        if words and not any(w in f"{row.construct} {row.fn.__name__}" for w in words):
            continue
        outcomes = [outcome(row, mode) for mode in MODES]
        found[row.construct] = cells = [cell for cell, _ in outcomes]
        print(*(f"{c:9}" for c in cells), row.section, "-", row.construct, flush=True)
        for said in {said for _, said in outcomes} - {""} if words else ():
            print(said)
    if "--write" in argv:
        PAGE.write_text(page(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
