"""Functions with `functools.lru_cache`: what a run remembers of them is its own.

What they kept of earlier runs carries no derivative, and what this one computes must not be kept.
Which results are kept, and until when, is as in the original: it decides how often a function runs.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from adtrans.recorder.memory import STATE
from adtrans.recorder.moving import identity
from adtrans.recorder.numbers import PLAIN

KIND = type(functools.lru_cache(len))
_MISSING = object()


class Memory:
    """The results of one function in one run."""

    def __init__(self, f: Any) -> None:
        self.f = f  # so that no other object takes its place in the table of the run
        self.maxsize: int | None = f.cache_parameters()["maxsize"]
        self.typed: bool = f.cache_parameters()["typed"]
        self.results: OrderedDict[Any, Any] = OrderedDict()
        self.hits = self.misses = 0

    def key(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The key that Python makes of the arguments; active numbers count with their place."""
        named = {n: _told_apart(v) for n, v in kwargs.items()}
        return functools._make_key(tuple(map(_told_apart, args)), named, self.typed)

    def result(self, call: Callable[..., Any], args: tuple[Any, ...], kwargs: Any) -> Any:
        """What the function returns, or returned."""
        key = self.key(args, kwargs)
        found, _ = self.results.get(key, (_MISSING, None))
        if found is not _MISSING:
            self.hits += 1
            self.results.move_to_end(key)
            return found
        self.misses += 1
        found = call(self.f.__wrapped__, *args, **kwargs)
        if self.maxsize != 0 and key not in self.results:
            if self.maxsize is not None and len(self.results) >= self.maxsize:
                self.results.popitem(last=False)
            self.results[key] = found, (args, kwargs)  # whose places and identities stay theirs
        return found


def _told_apart(v: Any) -> Any:
    if type(v) in PLAIN:
        return ("active", *identity(v))
    return tuple(map(_told_apart, v)) if type(v) is tuple else v


def _memory(f: Any) -> Memory:
    table = STATE.runs[-1].remembered
    if id(f) not in table:
        table[id(f)] = Memory(f)
    return table[id(f)]


def run(call: Callable[..., Any], f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`f(*args, **kwargs)` of a cached function."""
    return _memory(f).result(call, args, kwargs) if STATE.runs else f(*args, **kwargs)


def info(f: Any) -> Any:
    """`f.cache_info()`: of what was called before, and in this run."""
    said = f.cache_info()
    if not STATE.runs:
        return said
    m = _memory(f)
    size = said.currsize + len(m.results)
    size = size if m.maxsize is None else min(size, m.maxsize)
    return type(said)(said.hits + m.hits, said.misses + m.misses, m.maxsize, size)


def clear(f: Any) -> None:
    """`f.cache_clear()`"""
    f.cache_clear()
    if STATE.runs:
        for r in STATE.runs:
            r.remembered.pop(id(f), None)
