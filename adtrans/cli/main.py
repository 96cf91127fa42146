"""The command line: which sub-commands there are, and which exit code means what.

>>> main(["--version"])  # doctest: +ELLIPSIS
adtrans ...
0

Exit codes: 0 fine, 1 findings, 2 usage, 3 a derivative that does not match, 70 a defect of adtrans.
Generated text goes to the standard output, everything else to the standard error.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from adtrans.cli import check, explain_command, rules, show, verify_command
from adtrans.cli.exit_codes import FINDINGS, FINE, INTERNAL, USAGE, UsageError
from adtrans.cli.output import error, print_diagnostics, wants_color
from adtrans.diagnostics.diagnostic import Diagnostic, Label
from adtrans.diagnostics.errors import (
    AdtransError,
    CallError,
    InternalError,
)
from adtrans.diagnostics.span import Span

COMMANDS = (show, check, verify_command, explain_command, rules)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; never raises for what a user can do wrong."""
    try:
        args = build_parser().parse_args(argv)
    except SystemExit as leave:  # argparse has said what is wrong, or printed its help
        return leave.code if isinstance(leave.code, int) else USAGE
    try:
        code: int = args.run(args)
    except UsageError as problem:
        error(str(problem))
        return USAGE
    except InternalError as problem:
        print_diagnostics(_from_here(problem), color=wants_color(sys.stderr))
        return INTERNAL
    except CallError as problem:
        error(str(problem))
        return FINDINGS
    except AdtransError as problem:
        print_diagnostics(_from_here(problem), color=wants_color(sys.stderr))
        return FINDINGS
    except BrokenPipeError:
        sys.stderr.close()  # the reader has gone: nobody is left to tell
        return FINE
    except KeyboardInterrupt:
        return 130
    except Exception:
        traceback.print_exc()
        error("this is a defect of adtrans: please report the lines above and the function")
        return INTERNAL
    return code


def _from_here(problem: AdtransError) -> list[Diagnostic]:
    """The diagnostics; the caller that some of them point at is the command line."""
    scripts = {str(Path(__file__).parent.parent / "__main__.py"), sys.argv[0]}
    here = Label(Span("<command line>", 1, 0, 1, 0))
    return [
        replace(d, primary=here) if d.primary.span.file in scripts else d
        for d in problem.diagnostics
    ]


def build_parser() -> argparse.ArgumentParser:
    """The parser with all sub-commands."""
    parser = argparse.ArgumentParser(
        prog="adtrans",
        description="Gradients of ordinary NumPy code as readable Python source.",
        epilog="TARGET is pkg.mod:function, path.py:function or path.py:Class.method.",
    )
    parser.add_argument("--version", action="version", version=f"adtrans {_version()}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(commands)
    return parser


def _version() -> str:
    from importlib import metadata

    try:
        return metadata.version("adtrans")
    except metadata.PackageNotFoundError:
        return "(not installed)"
