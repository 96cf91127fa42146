"""Generators that are written in the place of calls, and when their sources may be read.

`FINITE`, and what `WRITERS` knows, are functions of `itertools`.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import gast

from adtrans.lower import consumers
from adtrans.lower.builder import Builder
from adtrans.lower.purity import has_effects
from adtrans.source import MISSING
from adtrans.source.unwrap import in_python


@dataclass(frozen=True)
class Written:
    """A generator function for a call: its text, what its parameters are given, and what stands in
    it in the place of names. `calls`: names of functions."""

    body: str
    given: tuple[tuple[str, gast.expr], ...] = ()
    inside: tuple[tuple[str, gast.expr], ...] = ()
    calls: tuple[tuple[str, gast.expr], ...] = ()


Args = list[gast.expr]
Writer = Callable[[Builder, Args, dict[str, gast.expr]], "Written | None"]


def indented(lines: Sequence[str]) -> str:
    """Each line one step further in than the one before."""
    return "\n".join("    " * k + line for k, line in enumerate(lines))


def numbered(stem: str, args: Args) -> tuple[tuple[str, gast.expr], ...]:
    return tuple((f"{stem}{k}_", a) for k, a in enumerate(args))


def number(node: gast.expr | None) -> int | None:
    match node:
        case gast.Constant(value=int() as value) if not isinstance(value, bool):
            return value
        case _:
            return None


WRITERS: dict[object, Writer] = {}


def writer_of(meant: object) -> Writer | None:
    if meant is MISSING or not callable(meant):
        return None
    return next((w for f, w in WRITERS.items() if f == meant), None)


def plain(b: Builder, nodes: Sequence[gast.expr]) -> bool:
    """Whether it does not matter in which order expressions are evaluated."""
    return len(nodes) == 1 or not any(acts(b, n) for n in nodes)


def acts(b: Builder, node: gast.expr) -> bool:
    """Whether evaluating an expression does something; a generator does nothing before its turn."""
    if isinstance(node, gast.GeneratorExp):
        return acts(b, node.generators[0].iter)
    if isinstance(node, gast.Call):
        meant = b.means(node.func)
        made = getattr(in_python(meant), "__code__", None)
        lazy = made is not None and made.co_flags & inspect.CO_GENERATOR
        if lazy or writer_of(meant) is not None:
            return any(acts(b, a) for a in (*node.args, *(k.value for k in node.keywords)))
    return has_effects(b, node)


FINITE = (
    itertools.product, itertools.combinations, itertools.combinations_with_replacement,
    itertools.permutations, itertools.accumulate, itertools.pairwise, itertools.zip_longest,
    itertools.islice,
)  # fmt: skip


def is_lazy(b: Builder, node: gast.expr) -> bool:
    """Whether a generator stands where something is gone through."""
    if isinstance(node, gast.GeneratorExp):
        return True
    if not isinstance(node, gast.Call):
        return False
    if isinstance(node.func, gast.Name) and node.func.id in b.generators:
        return True
    meant = b.means(node.func)
    if meant is zip:
        return any(is_lazy(b, a) for a in node.args)
    made = getattr(in_python(meant), "__code__", None)
    return writer_of(meant) is not None or bool(made and made.co_flags & inspect.CO_GENERATOR)


def as_well_beforehand(b: Builder, node: gast.expr) -> bool:
    """Whether nobody can tell when the elements are read, of which there is an end."""
    lazy = is_lazy(b, node)
    if lazy and not isinstance(node, gast.GeneratorExp):
        assert isinstance(node, gast.Call)
        if not any(b.means(node.func) is f for f in FINITE):
            return False
    calls = [n for n in gast.walk(node) if isinstance(n, gast.Call)]
    if any(b.means(n.func) in (itertools.count, itertools.cycle, itertools.repeat) for n in calls):
        return False
    return consumers.undisturbed(b, node, lazy)


