"""Versions of functions for the texts and numbers that calls give them, of which keys are made.

    def block(x, p, name):                       block(x, p, "first")
        return x @ p[name + "/W"]         ->         return x @ p["first/W"]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import TypeAlias

from adtrans.analyses.objects.object_facts import Bound
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower.known_values import UNTOLD, Table, frozen
from adtrans.source import SourceFunction

LOWERED = "_adtrans_lowered"  # where a function that was rewritten keeps its source and its form
_MOST = 32  # versions of one function
Spelled: TypeAlias = Callable[[S.Function, Mapping[str, object]], "S.Function | None"]


@dataclass
class SpelledVersions:
    """The versions, by function and what it is given."""

    made: dict[tuple[object, ...], FunctionType | None] = field(default_factory=dict)
    counts: dict[FunctionType, int] = field(default_factory=dict)

    def of(
        self,
        found: tuple[FunctionType, SourceFunction, S.Function],
        bound: Bound,
        spelled: Spelled,
    ) -> FunctionType | None:
        """The version for a call; None for the function itself."""
        fn, source, body = found
        given = dict(_given(source, bound))
        if not given:
            return None
        key = (fn, *((p, repr(v)) for p, v in sorted(given.items())))
        if key not in self.made:
            count = self.counts[fn] = self.counts.get(fn, 0) + 1
            made = spelled(body, given) if count <= _MOST else None
            self.made[key] = None if made is None else _version(fn, source, made)
        return self.made[key]


def _given(source: SourceFunction, bound: Bound) -> Iterator[tuple[str, object]]:
    """The parameters whose values are known."""
    for p, parameter in source.signature.parameters.items():
        value: object = parameter.default
        if p in bound:
            match bound[p]:
                case E.Const(value=value) | E.Ref(value=value):
                    pass
                case _:
                    continue
        known = frozen(value)
        if p not in bound and isinstance(known, Table):
            continue  # a default that calls may change
        if known is not UNTOLD:
            yield p, known


def _version(fn: FunctionType, source: SourceFunction, body: S.Function) -> FunctionType:
    made = FunctionType(
        fn.__code__, fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__
    )
    made.__kwdefaults__ = fn.__kwdefaults__
    made.__qualname__, made.__module__ = fn.__qualname__, fn.__module__
    vars(made)[LOWERED] = (source, body)
    return made
