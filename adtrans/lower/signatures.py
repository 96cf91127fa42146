"""Signatures of functions that are defined inside of others."""

from __future__ import annotations

import inspect
from typing import Any

import gast


def signature_of(node: gast.FunctionDef) -> inspect.Signature | None:
    """The signature of a local function whose defaults are literals."""
    args = node.args
    if args.vararg or args.kwarg:
        return None
    ordinary = [*args.posonlyargs, *args.args]
    defaults: list[gast.expr | None] = [None] * (len(ordinary) - len(args.defaults))
    defaults += args.defaults
    found = []
    pairs = [
        *zip(ordinary, defaults, strict=True),
        *zip(args.kwonlyargs, args.kw_defaults, strict=True),
    ]
    for p, d in pairs:
        if d is not None and not isinstance(d, gast.Constant):
            return None
        kind: Any = inspect.Parameter.POSITIONAL_OR_KEYWORD
        if p in args.kwonlyargs:
            kind = inspect.Parameter.KEYWORD_ONLY
        elif p in args.posonlyargs:
            kind = inspect.Parameter.POSITIONAL_ONLY
        value = inspect.Parameter.empty if d is None else d.value
        found.append(inspect.Parameter(p.id, kind, default=value))
    return inspect.Signature(found)
