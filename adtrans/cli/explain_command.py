"""`adtrans explain CODE|FILE:LINE`: what an error means, or what becomes of one line and why.

adtrans explain AD301
adtrans explain heat.py:14 --types 'u=float64[:]'
"""

from __future__ import annotations

import argparse

from adtrans.cli.common import add_options, add_types
from adtrans.cli.exit_codes import FINDINGS, FINE, UsageError
from adtrans.cli.findings import line_of, outcome
from adtrans.cli.lines import explained
from adtrans.cli.output import say
from adtrans.cli.unimported import Tree, Unreadable, unclear_names
from adtrans.diagnostics.explain import explain


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the sub-command."""
    parser = commands.add_parser("explain", help="explain the code of an error, or a line")
    parser.add_argument("what", metavar="CODE|FILE:LINE", help="such as AD301, or heat.py:14")
    add_options(parser)
    add_types(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the page of the code, or the answer for the line."""
    if line_of(args.what) is not None:
        return run_line(args)
    try:
        page = explain(args.what.upper())
    except (KeyError, ValueError):
        meant = "; a line is written as FILE:14" if ":" in args.what or "." in args.what else ""
        raise UsageError(f"there is no error `{args.what}`{meant}") from None
    print(page.rstrip())
    return FINE


def run_line(args: argparse.Namespace) -> int:
    """Analyse the function around the line; the file is not imported."""
    place = line_of(args.what)
    assert place is not None
    path, line = place
    tree = Tree((path.parent.resolve(),))
    try:
        unit = tree.read(path)
    except Unreadable as problem:
        raise UsageError(f"`{path}` {problem}") from problem
    around = [f for f in unit.functions if f.line <= line <= f.end]
    if not around:
        raise UsageError(f"line {line} of `{path}` is in no function that can be analysed")
    code = FINE
    for found in around:
        why = unclear_names(found.fn, tree)
        if why:
            say(f"skipped {found.name}: {'; '.join(sorted(why.values()))}")
            continue
        one = outcome(found.name, found.fn, args, found)
        print(explained(one, line))
        code = FINDINGS if one.status in ("refused", "failed") else code
    return code
