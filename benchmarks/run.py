"""Compare generated gradients with the primal, adjoints written by hand, and autograd.

    python -m benchmarks.run                        # all, a few minutes
    python -m benchmarks.run --only 'neural network' --json result.json
    python -m benchmarks.run --quick                # tiny sizes: does it run?

For each program everyone takes turns in one process, so the ratios mean more than the times. Each
program has a process of its own: what a program frees decides how fast the next one gets memory.
BLAS keeps to one thread there, so that another busy process does not show.
The last part shows what a first and a warm call cost beyond the generated code.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import compile_time, gradients, overhead
from benchmarks.programs import PROGRAMS


def measured(name: str, *, quick: bool) -> dict[str, Any]:
    """The row of the program with this name."""
    program = next(p for p in PROGRAMS if p.name == name)
    return gradients.measure(program, quick=quick)


def measured_apart(name: str) -> dict[str, Any]:
    """The same in full size, in a fresh process."""
    for library in ("OPENBLAS", "OMP", "MKL", "VECLIB_MAXIMUM"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")  # read when the process starts
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(measured, name, quick=False).result()


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print the tables, write the JSON that was asked for."""
    about = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.run",
        description=about[0],
        epilog=about[2],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = [p.name for p in PROGRAMS]
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all numbers to FILE")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, a second or two")
    parser.add_argument("--only", metavar="NAME", choices=names, help=f"one of {', '.join(names)}")
    args = parser.parse_args(argv)

    chosen = [n for n in names if args.only in (None, n)]
    rows = [measured(n, quick=True) if args.quick else measured_apart(n) for n in chosen]
    result: dict[str, Any] = {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "machine": platform.machine(),
        "quick": args.quick,
        "programs": rows,
        "generated_to_by_hand": gradients.overall(rows),
    }
    print(gradients.shown(rows))
    if args.only is None:
        result["compile"] = compile_time.measure(quick=args.quick)
        print("\n" + compile_time.shown(result["compile"]))
        result["overhead"] = overhead.measure(quick=args.quick)
        print("\n" + overhead.shown(result["overhead"]))
    if args.json is not None:
        args.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
