"""Needs: what the pullback will read of the memory of arrays, and writes that would destroy it.

The check is exact, element by element, and made at the write. What is needed is copied first with
`on_overwrite="save"`, once; otherwise a `MutationError` names both lines before anything is lost.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType
from typing import TYPE_CHECKING, Any

import numpy as np

from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import MutationError
from adtrans.diagnostics.span import Span
from adtrans.recorder.memory import STATE, Memory, Region, noted, touched

if TYPE_CHECKING:
    from adtrans.recorder.entries import Entry
    from adtrans.recorder.levels import Reverse

_WORK = 100_000
WRITTEN: set[int] = set()
"""The ids of the code objects of rewritten functions: these are the user's lines."""

SPELLED: set[int] = set()
"""Those among them of functions that adtrans wrote: the line is that of their caller."""

Place = tuple[CodeType, int]


class Need:
    """That an entry of a record reads an array, under a name of its formulas."""

    __slots__ = ("array", "at", "entry", "level", "line", "name")

    def __init__(self, level: Reverse, entry: Entry, name: str, array: Any, line: Place) -> None:
        self.level, self.entry, self.name, self.array, self.line = level, entry, name, array, line
        self.at = len(level.tape)


def here() -> Place:
    """The instruction of the user's function that is being carried out."""
    frame = sys._getframe(1)
    while frame.f_back is not None and (
        id(frame.f_code) not in WRITTEN or id(frame.f_code) in SPELLED
    ):
        frame = frame.f_back
    return frame.f_code, frame.f_lasti


def line_of(place: Place) -> tuple[str, int]:
    """The file and line of an instruction."""
    code, at = place
    for start, end, line in code.co_lines():
        if start <= at < end and line is not None:
            return code.co_filename, line
    return code.co_filename, code.co_firstlineno


def span_of(place: Place) -> Span:
    """The line of an instruction, as diagnostics point at it."""
    import linecache

    file, line = line_of(place)
    text = linecache.getline(file, line).rstrip()
    return Span(file, line, len(text) - len(text.lstrip()), line, len(text))


def _hits(need: Need, view: Any, region: Region | None, index: Any) -> bool:
    """Does a write of `view`, or of the elements of a region at an index, hit a need?"""
    if not np.may_share_memory(need.array, view):
        return False
    if region is not None:
        mine = touched(Region(need.array, region.memory), ...)
        return bool(np.any(mine & touched(region, index)))
    try:
        work: Any = _WORK
        return np.shares_memory(need.array, view, max_work=work)
    except np.exceptions.TooHardError:
        return True


def written(memory: Memory, view: Any, region: Region | None = None, index: Any = None) -> None:
    """Before a write: save what is needed of the memory, or refuse.

    `view` is what is written; with `region`, only its elements at `index` are.

    Raises:
        MutationError: AD301, naming the line that needs it and the line that writes.
    """
    for need in list(memory.needs):
        if need.level.closed:
            memory.needs.remove(need)
        elif _hits(need, view, region, index):
            if not need.entry.lose(need):
                if need.at < need.level.own:
                    _refuse(need)
                need.entry.copy_kept(need)
            memory.needs.remove(need)


@contextmanager
def one_statement() -> Iterator[None]:
    """What is read in here and overwritten in here is copied: `a *= a`, `np.sin(a, out=a)`."""
    levels = [(run.level, run.level.own) for run in STATE.runs if not run.level.forward]
    for level, _ in levels:
        level.own = len(level.tape)
    try:
        yield
    finally:
        for level, old in levels:
            level.own = old


@contextmanager
def saving() -> Iterator[None]:
    """What is needed and overwritten is copied, as in code of a library."""
    levels = [run.level for run in STATE.runs]
    before = [level.saves for level in levels]
    for level in levels:
        level.saves = True
    try:
        yield
    finally:
        for level, old in zip(levels, before, strict=True):
            level.saves = old


def _refuse(need: Need) -> None:
    needed, at = span_of(need.line), span_of(here())
    said = (
        f"line {at.line} overwrites what the derivative of line {needed.line} needs"
        f" ({needed.file.rpartition('/')[2]}, recorded)"
    )
    error = MutationError(said, code="AD301")
    fixes = [
        Fix(f"let line {needed.line} read a copy: `.copy()`"),
        Fix('or give `on_overwrite="save"`'),
    ]
    error.diagnostics = (Diagnostic("AD301", said, at, fixes=fixes),)
    raise noted(error)
