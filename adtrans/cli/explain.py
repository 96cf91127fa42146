"""`adtrans explain CODE`: what an error means, an example, and what to do about it.

adtrans explain AD301
"""

from __future__ import annotations

import argparse

from adtrans.cli.exits import FINE, UsageError
from adtrans.diagnostics.explain import explain


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the sub-command."""
    parser = commands.add_parser("explain", help="explain the code of an error")
    parser.add_argument("code", metavar="CODE", help="such as AD301")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the page of the code."""
    try:
        page = explain(args.code.upper())
    except (KeyError, ValueError):
        raise UsageError(f"there is no error `{args.code}`") from None
    print(page.rstrip())
    return FINE
