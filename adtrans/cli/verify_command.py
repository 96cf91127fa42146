"""`adtrans verify TARGET --args '...'`: compare the derivatives with finite differences.

    adtrans verify heat.py:loss --args 'np.linspace(0, 1, 8), 0.1, 5' --wrt u,dt

The arguments are Python, evaluated with NumPy as `np`, the names of the module, and `rng`, a
generator with a fixed seed.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from adtrans.arguments.inputs import target_of
from adtrans.cli.command_targets import load
from adtrans.cli.common import add_options, options_of
from adtrans.cli.exit_codes import FINE, MISMATCH, UsageError
from adtrans.cli.output import error, say
from adtrans.diagnostics.errors import AdtransError, CallError
from adtrans.testing import GradientMismatch, check_grads


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the sub-command."""
    parser = commands.add_parser("verify", help="compare derivatives with finite differences")
    parser.add_argument("target", metavar="TARGET")
    parser.add_argument("--args", metavar="EXPR", required=True, help="positional arguments")
    add_options(parser)
    parser.add_argument("--order", type=int, choices=(1, 2), default=1)
    parser.add_argument("--eps", type=float, help="step of the differences")
    parser.add_argument("--rtol", type=float)
    parser.add_argument("--atol", type=float)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the function and its derivatives, forward and reverse."""
    fn = load(args.target)
    options = options_of(args)
    values = _evaluated(args.args, getattr(fn, "__globals__", {}))
    target = target_of(fn)
    target.select(options.wrt)
    try:
        target.signature.bind(*target.bound, *values, **target.keywords)
    except TypeError as problem:
        raise UsageError(f"--args: {args.target}: {problem}") from problem
    try:
        check_grads(
            fn,
            values,
            wrt=0 if options.wrt is None else options.wrt,
            order=args.order,
            eps=args.eps,
            rtol=args.rtol,
            atol=args.atol,
            on_overwrite=options.on_overwrite,
            on_unproven=options.on_unproven,
            on_unfollowed=options.on_unfollowed,
        )
    except GradientMismatch as mismatch:
        error(f"{args.target}: {mismatch}")
        return MISMATCH
    except CallError as problem:
        error(f"{args.target}: {problem}")
        return MISMATCH
    except (AdtransError, UsageError):
        raise
    except Exception as problem:
        if not _is_from(problem, fn):
            raise
        raise UsageError(f"{args.target}: {type(problem).__name__}: {problem}") from problem
    say(f"{args.target}: forward and reverse agree with finite differences")
    return FINE


def _evaluated(text: str, names: dict[str, Any]) -> tuple[Any, ...]:
    """The arguments that `text` stands for.

    >>> _evaluated("1.0, [2]", {})
    (1.0, [2])
    """
    scope = {"np": np, **names, "rng": np.random.default_rng(0)}
    try:
        return tuple(eval(f"({text},)", scope))
    except Exception as problem:  # whatever the user's expression raises
        raise UsageError(f"--args: {type(problem).__name__}: {problem}") from problem


def _is_from(problem: BaseException, fn: Any) -> bool:
    """Whether the user's own function is on the way to the error, and adtrans not below it."""
    code, trace = getattr(fn, "__code__", None), problem.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code is code:
            return True
        trace = trace.tb_next
    return False
