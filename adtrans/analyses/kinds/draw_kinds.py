"""The results of random draws, tried out on generators of our own."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from adtrans.analyses.kinds.exemplars import result_kind
from adtrans.ir.kinds import UNKNOWN, Kind

GENERATORS = (np.random.Generator, np.random.RandomState)
_CHANGES = ("shuffle", "seed", "set_state", "spawn")


def generator_like(fn: object) -> np.random.Generator | np.random.RandomState:
    """A generator of our own, of the class `fn` or such as the function `fn` makes."""
    legacy = isinstance(fn, type) and issubclass(fn, np.random.RandomState)
    return np.random.RandomState(0) if legacy else np.random.default_rng(0)


def drawn_by(
    cls: type, token: str, name: str, args: tuple[Kind, ...], kwargs: Mapping[str, Kind]
) -> Kind:
    """What a method of a generator gives."""
    fn = getattr(generator_like(cls), name, None)
    if fn is None or name in _CHANGES:
        return UNKNOWN
    return result_kind(fn, args, kwargs, token=(token, name))


def drawn(fn: object, args: tuple[Kind, ...], kwargs: Mapping[str, Kind]) -> Kind:
    """The same for a method that is known with its generator, such as `np.random.normal`."""
    name = getattr(fn, "__name__", "")
    owner = getattr(fn, "__self__", None)
    if not isinstance(owner, GENERATORS) or name in (*_CHANGES, "get_state"):
        return UNKNOWN
    found = getattr(generator_like(type(owner)), name, None)
    if found is None:
        return UNKNOWN
    return result_kind(found, args, kwargs, token=(type(owner).__name__, name))
