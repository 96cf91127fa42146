"""`adtrans check TARGET|PATH...`: every in-place write with its verdict, every error, no run.

adtrans check heat.py                   # its @differentiable functions; all if there are none
adtrans check src --all                 # all functions below a directory
adtrans check heat.py:loss --types 'u=float64[:]'
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from adtrans.cli.common import add_options, add_types, compiled
from adtrans.cli.exits import FINDINGS, FINE
from adtrans.cli.output import print_diagnostics, say
from adtrans.cli.targets import functions, load
from adtrans.diagnostics.errors import AdtransError, InternalError
from adtrans.diagnostics.export import to_json


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the sub-command."""
    parser = commands.add_parser("check", help="report every write and error of functions")
    parser.add_argument("places", metavar="TARGET|PATH", nargs="+")
    add_options(parser)
    add_types(parser)
    every = "all functions, also where some are decorated"
    parser.add_argument("--all", action="store_true", help=every)
    parser.add_argument("--json", action="store_true", help="diagnostics as JSON, one list")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compile each function; findings are errors, not verdicts."""
    found: list[dict[str, Any]] = []
    checked = failed = 0
    for name, fn in _chosen(args):
        checked += 1
        try:
            result = compiled(fn, args)
        except InternalError:
            raise
        except AdtransError as error:
            failed += 1
            diagnostics = error.diagnostics
            report = ""
        else:
            diagnostics = result.notes
            report = result.report.text()
        if args.json:
            found += [to_json(d) for d in diagnostics]
            continue
        if report:
            print(f"{name}\n{report}".rstrip())
        print_diagnostics(diagnostics)
    if args.json:
        print(json.dumps(found, indent=2))
    say(f"{checked} checked, {failed} with errors")
    return FINDINGS if failed else FINE


def _chosen(args: argparse.Namespace) -> Iterator[tuple[str, Callable[..., Any]]]:
    for place in args.places:
        if Path(place).exists():
            decorated = list(functions(Path(place), everything=args.all))
            yield from decorated or functions(Path(place), everything=True)
        else:
            yield place, load(place)
