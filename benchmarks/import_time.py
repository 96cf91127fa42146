"""What importing adtrans costs beside importing NumPy, each in a new process.

    python -m benchmarks.import_time           # 15 rounds
    python -m benchmarks.import_time --quick   # one round: does it run?

"decorated" also uses `differentiable` once: what a module with decorated functions pays.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measure import human, interleaved, ratio, table

CLAIM = 1.3
ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = {
    "nothing": "pass",
    "numpy": "import numpy",
    "adtrans": "import adtrans",
    "decorated": "import adtrans\n@adtrans.differentiable\ndef f(x): return x",
}


def started(program: str) -> None:
    """Run a program in a new process."""
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT)


def measure(rounds: int) -> dict[str, list[float]]:
    """Seconds of each program in each round, less those of the empty one."""
    times = interleaved({n: (lambda p=p: started(p)) for n, p in PROGRAMS.items()}, rounds, 0.0)
    empty = times.pop("nothing")
    return {n: [t - e for t, e in zip(ts, empty, strict=True)] for n, ts in times.items()}


def main(argv: Sequence[str] | None = None) -> int:
    """Print the times; 1 if adtrans takes longer than claimed."""
    parser = argparse.ArgumentParser(description="the time to import adtrans")
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args(argv).quick
    times = measure(1 if quick else 15)
    ratios = {n: ratio(ts, times["numpy"]) for n, ts in times.items()}
    rows = [(n, human(statistics.median(ts)), f"{ratios[n]:.2f}") for n, ts in times.items()]
    print(table(("import", "median", "times NumPy's"), rows))
    return 0 if quick or max(ratios.values()) <= CLAIM else 1


if __name__ == "__main__":
    raise SystemExit(main())
