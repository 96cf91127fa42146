"""Many random programs, on two processes, resumable.

    python -m tests.exhaustive --from 0 --to 100000 [--log FILE] [--jobs 2] [--kind NAME]

Each line of the log is a finished block of seeds; a second run with the same log goes on where the
first one stopped. Programs that go wrong are shrunk and printed, and end up in the log. The other
direction of the derivative is asked for in `--forward` of four programs.
"""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from tests.judging import KINDS, Wrong, draw, failing, judge, shrunk

BLOCK = 50
Row = dict[str, Any]


def _kinds_at(seed: int) -> int:
    """How many kinds take turns: a seed goes on to mean one program when there are more."""
    starts = (0, 200_000, 500_000, 1_000_000, 4_000_000, 5_000_000)  # of four kinds, ... of nine
    return 3 + sum(seed >= start for start in starts)


def run(block: tuple[int, int], only: str = "", forward: int = 4) -> Row:
    """Judge the programs of one block of seeds; the kinds in turn, or one of them."""
    started = time.process_time()
    gc.disable()  # a fifth of the time; there is memory enough for one block
    counts: Counter[str] = Counter()
    wrong: list[Row] = []
    for seed in range(*block):
        kinds = [k for k in KINDS if k.name == only] or KINDS[: _kinds_at(seed)]
        kind = kinds[seed % len(kinds)]
        source = draw(kind, seed)
        try:
            found = judge(source, kind, forward=seed // len(kinds) % 4 < forward)
        except Wrong as error:
            small = shrunk(source, failing(kind))
            wrong.append({"seed": seed, "kind": kind.name, "error": str(error), "program": small})
            counts["wrong"] += 1
            continue
        counts.update(f"{mode} {word}" for mode, word in found.items())
        counts["judged" if found else "skipped"] += 1
    gc.enable()
    gc.collect()
    seconds = round(time.process_time() - started, 2)
    return {"from": block[0], "to": block[1], "counts": counts, "wrong": wrong, "cpu": seconds}


def done(log: Path) -> list[Row]:
    """The finished blocks of an earlier run."""
    if not log.exists():
        return []
    return [json.loads(line) for line in log.read_text().splitlines() if line.strip()]


def summary(rows: list[Row]) -> str:
    """The counts over all blocks."""
    counts: Counter[str] = Counter()
    for row in rows:
        counts.update(row["counts"])
    total = sum(row["to"] - row["from"] for row in rows)
    lines = [f"{total} programs, {counts['judged']} judged, {counts['wrong']} wrong"]
    lines.append(f"CPU seconds: {sum(row['cpu'] for row in rows):.0f}")
    lines += [f"  {n:7}  {what}" for what, n in counts.most_common() if " " in what]
    return "\n".join(lines)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--to", dest="last", type=int, default=100_000)
    parser.add_argument("--log", type=Path, default=Path("exhaustive.jsonl"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--kind", default="", choices=[k.name for k in KINDS])
    parser.add_argument("--forward", type=int, default=4, choices=range(5))
    chosen = parser.parse_args(argv)
    rows = done(chosen.log)
    finished = {(row["from"], row["to"]) for row in rows}
    blocks = [
        (k, min(k + BLOCK, chosen.last)) for k in range(chosen.first, chosen.last, BLOCK)
    ]
    todo = [b for b in blocks if b not in finished]
    # a new process now and then: what a process compiled, it remembers
    context = multiprocessing.get_context("spawn")
    with context.Pool(chosen.jobs, maxtasksperchild=10) as pool, chosen.log.open("a") as log:
        one = partial(run, only=chosen.kind, forward=chosen.forward)
        for row in pool.imap_unordered(one, todo):
            rows.append(row)
            log.write(json.dumps(row) + "\n")
            log.flush()
            for w in row["wrong"]:
                print(f"seed {w['seed']} ({w['kind']}): {w['error']}\nshrunk to:\n{w['program']}")
    print(summary(rows))
    return 1 if any(row["wrong"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
