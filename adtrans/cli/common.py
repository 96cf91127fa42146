"""Arguments that several sub-commands share, and the compilation they ask for.

>>> parse_wrt("x, 2"), parse_wrt("x"), parse_wrt(None)
(('x', 2), 'x', None)
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

from adtrans.annotations.of_classes import kinds_of_parameters
from adtrans.arguments.inputs import refuse, target_of
from adtrans.cli.exit_codes import UsageError
from adtrans.cli.types import parse_types
from adtrans.dispatch.dispatcher import Dispatcher
from adtrans.driver.options import Options, Selector, Wrt
from adtrans.ir.kinds import is_differentiable
from adtrans.pipeline import Compiled


def add_options(parser: argparse.ArgumentParser) -> None:
    """What every command that differentiates understands."""
    parser.add_argument("--wrt", metavar="NAMES", help="parameters, such as x or x,2 (the first)")
    parser.add_argument(
        "--on-overwrite",
        choices=("refuse", "save"),
        default="refuse",
        help="what to do where a needed value is overwritten",
    )
    parser.add_argument(
        "--on-unproven",
        choices=("check", "refuse"),
        default="check",
        help="what to do where that cannot be decided before the run",
    )
    parser.add_argument(
        "--on-unfollowed",
        choices=("record", "refuse"),
        help="what to do with a function that cannot be compiled (record)",
    )


def add_types(parser: argparse.ArgumentParser) -> None:
    """What is known of the parameters when there is no call to learn it from."""
    parser.add_argument(
        "--types", metavar="TYPES", help="kinds of parameters, such as 'x=float64[:,:],n=int'"
    )


def parse_wrt(text: str | None) -> Wrt:
    """`x`, `0`, `x,w` as a selection of parameters."""
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",") if part.strip()]
    chosen: list[Selector] = [int(p) if p.lstrip("-").isdigit() else p for p in parts]
    return chosen[0] if len(chosen) == 1 else tuple(chosen)


def options_of(args: argparse.Namespace) -> Options:
    """The options that were typed."""
    return Options(
        wrt=parse_wrt(args.wrt), on_overwrite=args.on_overwrite, on_unproven=args.on_unproven,
        on_unfollowed=args.on_unfollowed,
    )  # fmt: skip


def compiled(
    fn: Callable[..., Any],
    args: argparse.Namespace,
    mode: Literal["pullback", "pushforward"] = "pullback",
) -> Compiled:
    """The derivative of `fn` for what annotations and `--types` say of its parameters."""
    kinds = kinds_of_parameters(fn)
    options = options_of(args)
    target = target_of(fn)
    if args.types:
        given = parse_types(args.types)
        for name in given.keys() - set(target.params):
            raise UsageError(f"--types: `{target.fn.__name__}` has no parameter `{name}`")
        kinds |= given
    for name in target.select(options.wrt):
        kind = kinds.get(name)
        if kind is not None and not is_differentiable(kind):
            refuse("AD402", f"cannot differentiate with respect to `{name}`: it is {kind}",
                   "only floating-point numbers and arrays have derivatives.",
                   f"choose another parameter than `{name}` with `--wrt`")  # fmt: skip
    dispatcher = Dispatcher(target, replace(options, wrt=None), target.select(options.wrt), mode)
    return dispatcher.general(kinds).compiled
