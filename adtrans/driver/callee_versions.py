"""The version of a callee that a call means: for the number and the kinds of its arguments.

A function that collects arguments becomes one with a parameter for each of those that the call
gives; a derivative, or a helper for containers, becomes its code for these kinds.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from adtrans.analyses.kinds import kind_of_value
from adtrans.analyses.kinds.lattice import of_any_truth
from adtrans.analyses.objects.known_functions import LOWERED
from adtrans.diagnostics.errors import AdtransError
from adtrans.driver import container_helpers, tree_helpers
from adtrans.driver.summaries import formal_kinds
from adtrans.driver.tree_helpers import TREES
from adtrans.ir.kinds import Container, Kind, Never, TupleOf
from adtrans.lower.collected import Collected, for_call


@dataclass
class Versions:
    """What was made for one program, and remembered: two equal calls mean one function."""

    derivatives: dict[tuple[int, tuple[tuple[str, Kind], ...]], object] = field(
        default_factory=dict
    )
    collected: Collected = field(default_factory=dict)

    def plain(self, fn: Any, args: tuple[Kind, ...], kwargs: Mapping[str, Kind]) -> object:
        """`fn`, or the code of a derivative for arguments of these kinds; a function that collects
        arguments, with parameters for those of the call."""
        if isinstance(fn, types.FunctionType):
            if (fn in container_helpers.WRITTEN_OUT or fn in TREES) and not kwargs:
                return self.helper(fn, args)
            return self.collecting(fn, len(args), tuple(kwargs))
        if not hasattr(fn, "function_for"):
            return fn
        if getattr(fn, "collects", False):
            fn = fn.for_call(len(args), tuple(kwargs))
        try:
            bound = inspect.signature(fn).bind(*args, **kwargs)
        except TypeError:
            return fn
        given: dict[str, Kind] = dict(bound.arguments)
        filled = not getattr(fn, "keeps_defaults", False)
        for name, p in bound.signature.parameters.items() if filled else ():
            if name not in given and p.default is not inspect.Parameter.empty:
                given[name] = kind_of_value(p.default)
        params, _ = formal_kinds({name: of_any_truth(kind) for name, kind in given.items()})
        key = id(fn), tuple(sorted(params.items()))
        if key not in self.derivatives:
            try:
                self.derivatives[key] = fn.function_for(params)
            except AdtransError:
                if not any(map(_is_empty, params.values())):
                    raise
                self.derivatives[key] = fn  # what a container holds is perhaps not known yet
        return self.derivatives[key]

    def helper(self, fn: types.FunctionType, args: tuple[Kind, ...]) -> object:
        """A helper for adjoints of containers as it is for arguments of these kinds."""
        params, _ = formal_kinds({str(k): of_any_truth(a) for k, a in enumerate(args)})
        key = id(fn), tuple(params.items())
        if key not in self.derivatives:
            made = tree_helpers.for_kinds if fn in TREES else container_helpers.for_kinds
            self.derivatives[key] = made(fn, tuple(params.values())) or fn
        return self.derivatives[key]

    def is_unclear(self, fn: object, args: tuple[Kind, ...]) -> bool:
        """Whether a call of a helper is one of which too little is known to write it out: what it
        returns is then not known, and finding out how it goes on inside would take minutes."""
        if not isinstance(fn, types.FunctionType):
            return False
        if fn not in container_helpers.WRITTEN_OUT and fn not in TREES:
            return False
        return self.helper(fn, args) is fn

    def collecting(self, fn: types.FunctionType, count: int, keywords: tuple[str, ...]) -> object:
        """`fn` with the arguments that a call gives it as named parameters."""
        if LOWERED in vars(fn):
            return fn
        return for_call(fn, count, keywords, self.collected)


def _is_empty(kind: Kind) -> bool:
    """Whether there is a container in a value in which nothing has been put so far."""
    if isinstance(kind, TupleOf):
        return any(map(_is_empty, kind.items))
    return isinstance(kind, Container) and (isinstance(kind.item, Never) or _is_empty(kind.item))
