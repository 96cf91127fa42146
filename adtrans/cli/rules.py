"""`adtrans rules [PREFIX]`: the functions that have a derivative rule, and what the rules say.

adtrans rules np.linalg
"""

from __future__ import annotations

import argparse
import re

from adtrans.cli.exits import FINDINGS, FINE
from adtrans.cli.output import say


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the sub-command."""
    parser = commands.add_parser("rules", help="list the functions that have a rule")
    parser.add_argument("prefix", metavar="PREFIX", nargs="?", default="", help="such as np.linalg")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print one rule a line, sorted."""
    from adtrans.rules import all_rules, describe

    prefix = re.sub(r"^np\b", "numpy", args.prefix)
    found = sorted((name, describe(rule)) for name, rule in all_rules() if name.startswith(prefix))
    width = max((len(name) for name, _ in found), default=0)
    for name, text in found:
        print(f"{name:<{width}}  {text}")
    if not found:
        say(f"no rule for `{args.prefix}`")
    return FINE if found else FINDINGS
