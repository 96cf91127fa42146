"""`adtrans show TARGET`: the derivative as source, or any stage on the way to it.

adtrans show heat.py:loss --wrt u --types 'u=float64[:],dt=float,steps=int'
adtrans show heat.py:loss --standalone -o heat_grad.py
adtrans show heat.py:loss --standalone -o heat_grad.py --check      # is it up to date?

Of a function that is recorded, its rewritten source is shown.
"""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from adtrans.arguments.inputs import target_of
from adtrans.cli.command_targets import load
from adtrans.cli.common import add_options, add_types, compiled, options_of
from adtrans.cli.exit_codes import FINDINGS, FINE, UsageError
from adtrans.cli.output import print_diagnostics, print_source, say
from adtrans.diagnostics.errors import CompileError
from adtrans.driver.report import Report
from adtrans.recorder.fallback import falls

STAGES = ("source", "ast", "ir", "needs", "output")


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the sub-command."""
    parser = commands.add_parser("show", help="print the derivative of a function as source")
    parser.add_argument("target", metavar="TARGET")
    add_options(parser)
    add_types(parser)
    parser.add_argument("--mode", choices=("pullback", "pushforward"), default="pullback")
    parser.add_argument("--stage", choices=STAGES, default="output")
    parser.add_argument(
        "--standalone", action="store_true", help="a file that needs NumPy only, helpers included"
    )
    parser.add_argument("-o", "--output", metavar="FILE", type=Path)
    parser.add_argument(
        "--check", action="store_true", help="only say whether FILE is what would be written"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print, write or compare the text that was asked for."""
    if args.check and args.output is None:
        raise UsageError("--check needs -o FILE")
    if args.standalone and args.stage != "output":
        raise UsageError("--standalone is about the output, not about another stage")
    text = _text(args)
    if not text.endswith("\n"):
        text += "\n"
    if args.output is None:
        print_source(text)
        return FINE
    if args.check:
        return _compare(args.output, text)
    try:
        args.output.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"-o: {problem}") from problem
    say(f"wrote {args.output}")
    return FINE


def _text(args: argparse.Namespace) -> str:
    fn = load(args.target)
    try:
        result = compiled(fn, args, args.mode)
    except CompileError as error:
        if not falls(error, options_of(args)):
            raise
        return _rewritten(fn, args, error)
    print_diagnostics(result.notes)
    if args.standalone:
        return result.standalone()
    return result.source if args.stage == "output" else result.stages[args.stage]


def _rewritten(fn: Callable[..., Any], args: argparse.Namespace, error: CompileError) -> str:
    """The source of a function that is recorded; why it is goes to the standard error."""
    plain = target_of(fn).fn
    said = Report(plain.__name__, (), recorded=error.diagnostics).text()
    if args.standalone or args.stage != "output":
        what = "--standalone" if args.standalone else f"--stage {args.stage}"
        raise UsageError(
            f"{what}: the derivative is made while the function runs, and is no source\n{said}"
        )
    from adtrans.recorder.shown import source_of

    say(said)
    return source_of(plain)


def _compare(path: Path, text: str) -> int:
    old = path.read_text(encoding="utf-8") if path.is_file() else ""
    if old == text:
        say(f"{path} is up to date")
        return FINE
    say(f"{path} is not up to date")
    lines = (old.splitlines(), text.splitlines())
    print_source("\n".join(difflib.unified_diff(*lines, str(path), "generated", lineterm="")))
    return FINDINGS
