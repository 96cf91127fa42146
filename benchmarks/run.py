"""Compare generated gradients with the primal, adjoints written by hand, and autograd.

    python -m benchmarks.run                        # all, a few minutes
    python -m benchmarks.run --only 'neural network' --json result.json
    python -m benchmarks.run --quick                # tiny sizes: does it run?

Everyone takes turns in one process, so the ratios mean more than the times. The last part shows
what a first and a warm call cost beyond the generated code.
"""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import compile_time, gradients, overhead
from benchmarks.programs import PROGRAMS


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

    chosen = [p for p in PROGRAMS if args.only in (None, p.name)]
    rows = [gradients.measure(p, quick=args.quick) for p in chosen]
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
