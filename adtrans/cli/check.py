"""`adtrans check TARGET|PATH...`: every in-place write with its verdict, every error, no run.

adtrans check heat.py                   # its @differentiable functions; all if there are none
adtrans check src --all                 # all functions below a directory
adtrans check heat.py:loss --types 'u=float64[:]'
adtrans check src --format sarif        # or json, or github
adtrans check src --on-unfollowed refuse    # a function that would be recorded is a finding
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from adtrans.cli import github, sarif
from adtrans.cli.common import add_options, add_types
from adtrans.cli.exit_codes import FINDINGS, FINE, INTERNAL
from adtrans.cli.findings import Outcome, Skipped, find, what_they_are
from adtrans.cli.json_listing import as_json
from adtrans.cli.output import print_diagnostics, say

FORMATS: Mapping[str, Callable[[list[Outcome], list[Skipped]], str]] = {
    "json": as_json,
    "github": github.commands,
    "sarif": sarif.log,
}

STEPS = 100_000
"""Statements and parts of syntax trees that are gone through: some seconds. Most functions take a
few thousand."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the sub-command."""
    parser = commands.add_parser("check", help="report every write and error of functions")
    parser.add_argument("places", metavar="TARGET|PATH", nargs="+")
    add_options(parser)
    add_types(parser)
    every = "all functions, also where some are decorated"
    parser.add_argument("--all", action="store_true", help=every)
    parser.add_argument("--format", choices=("text", *FORMATS), default="text")
    parser.add_argument(
        "--json", action="store_const", const="json", dest="format", help="--format json"
    )
    parser.add_argument(
        "--run-modules", action="store_true", help="import the files instead of only reading them"
    )
    parser.add_argument(
        "--strict", action="store_true", help="what is unclear or skipped counts as a finding"
    )
    parser.add_argument(
        "--steps", type=_count, default=STEPS, metavar="N",
        help=f"how much analysis one function may take ({STEPS}); 0: as much as it takes",
    )  # fmt: skip
    parser.set_defaults(run=run)


def _count(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of steps")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Analyse each function. Findings are errors, not verdicts or notes, and files that are not
    Python."""
    outcomes: list[Outcome] = []
    skipped: list[Skipped] = []
    for one in find(args):
        if isinstance(one, Skipped):
            skipped.append(one)
        else:
            outcomes.append(one)
            if args.format == "text":
                show(one)
    if args.format == "text":
        for s in skipped:
            say(f"skipped {s.file}{':' if s.name else ''}{s.name}: {s.reason}")
    else:
        print(FORMATS[args.format](outcomes, skipped))
    say(_summary(outcomes, skipped, args.all or not any(Path(p).is_dir() for p in args.places)))
    found = {o.status for o in outcomes}
    if "failed" in found:
        return INTERNAL
    strict = args.strict and (skipped or "unclear" in found)
    broken = any(s.broken for s in skipped)
    return FINDINGS if "refused" in found or broken or strict else FINE


def show(o: Outcome) -> None:
    """The report to the standard output, errors to the standard error."""
    if o.status in ("accepted", "recorded") and o.report is not None:
        print(f"{o.name}\n{o.report.text()}".rstrip())
    elif o.status == "unclear":
        title = o.diagnostics[0].title if o.diagnostics else "not enough is known"
        say(f"unclear {o.name}: {title}; say what {what_they_are(o)}, by annotations or `--types`")
    else:
        print_diagnostics(o.diagnostics)


def _summary(outcomes: list[Outcome], skipped: list[Skipped], all_of_them: bool) -> str:
    bad = sum(o.status in ("refused", "failed") for o in outcomes)
    more = ""
    for word in ("recorded", "unclear"):
        count = sum(o.status == word for o in outcomes)
        more += f", {count} {word}" if count else ""
    more += f", {len(skipped)} skipped" if skipped else ""
    if not outcomes and not all_of_them:
        more += "; no function is decorated there: `--all` checks every function"
    return f"{len(outcomes)} checked, {bad} with errors{more}"
