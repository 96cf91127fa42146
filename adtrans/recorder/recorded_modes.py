"""The modes of the API, recorded: what is done for a function that is not compiled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adtrans.analyses.objects.displays import is_item, key_of
from adtrans.analyses.objects.part_paths import steps
from adtrans.arguments.inputs import Target, check_arguments
from adtrans.arguments.object_trees import Plan, planned
from adtrans.driver.options import Options
from adtrans.recorder.run import Given, Recorded, forward, reverse


@dataclass(frozen=True)
class Selected:
    """What is differentiated: parts of arguments, and how their derivatives are put together."""

    given: list[Given]
    names: tuple[str, ...]
    plan: Plan | None

    def assembled(self, parts: list[Any]) -> tuple[Any, ...]:
        """The derivatives by what was asked for."""
        return tuple(parts) if self.plan is None else self.plan.assembled(parts)

    def spread(self, dots: tuple[Any, ...]) -> tuple[Any, ...]:
        """The tangents of the parts."""
        return dots if self.plan is None else self.plan.spread(dots)


def selected(target: Target, values: tuple[Any, ...], names: tuple[str, ...]) -> Selected:
    """The parts of the arguments that names mean."""
    plan = planned({n: target.value(n, values) for n in names}, names)
    parts = names if plan is None else plan.names
    return Selected([_given(target, n) for n in parts], parts, plan)


def _given(target: Target, name: str) -> Given:
    first, *path = steps(name)
    way = tuple([(key_of(step),) if is_item(step) else step for step in path])
    return Given(target.params.index(first), way)


def run_reverse(
    f: Any, target: Target, values: tuple[Any, ...], names: tuple[str, ...], options: Options
) -> tuple[Recorded, Selected]:
    """Run a function and record it."""
    check_arguments(target, values, names)
    chosen = selected(target, values, names)
    saves = options.on_overwrite == "save"
    return reverse(f, values, target.call_form, chosen.given, saves), chosen


def run_forward(
    f: Any, target: Target, values: tuple[Any, ...], dots: Mapping[str, Any], options: Options
) -> tuple[Any, Any]:
    """Run a function with tangents of some arguments."""
    chosen = selected(target, values, tuple(dots))
    parts = chosen.spread(tuple(dots.values()))
    saves = options.on_overwrite == "save"
    return forward(f, values, target.call_form, chosen.given, list(parts), saves)
