"""Needs: what the pullback will read of the memory of arrays, and writes that would destroy it.

The check is exact, element by element, and made at the write. What is needed is copied first with
`on_overwrite="save"`, once; otherwise a `MutationError` names both lines before anything is lost.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

import numpy as np

from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import MutationError
from adtrans.diagnostics.span import Span
from adtrans.recorder.memory import STATE, Memory, Region, noted, touched

_WORK = 100_000
WRITTEN: set[int] = set()
"""The ids of the code objects of rewritten functions: these are the user's lines."""

SPELLED: set[int] = set()
"""Those among them of functions that adtrans wrote: the line is that of their caller."""

Place = tuple[CodeType, int]


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


def _hits(array: Any, view: Any, region: Any, index: Any) -> bool:
    """Does a write of `view`, or of the elements of a region at an index, hit a needed array?"""
    if array is view and region is None:
        return bool(array.size)
    if not np.may_share_memory(array, view):
        return False
    if region is not None:
        mine = touched(Region(array, region.memory), ...)
        return bool(np.any(mine & touched(region, index)))
    try:
        work: Any = _WORK
        return np.shares_memory(array, view, max_work=work)
    except np.exceptions.TooHardError:
        return True


def written(memory: Memory, view: Any, region: Any = None, index: Any = None) -> None:
    """Before a write: save what is needed of the memory, or refuse.

    `view` is what is written; with `region`, only its elements at `index` are.

    Raises:
        MutationError: AD301, naming the line that needs it and the line that writes.
    """
    if not memory.needs:
        return
    copies: dict[Any, Any] = {}  # of what several entries read
    stay = []
    for need in memory.needs:
        level, entry, k, at = need
        array = entry.kept[k]
        if level.closed:
            continue
        if not _hits(array, view, region, index):
            stay.append(need)
        elif not entry.lose(level, k, copies):
            if at < level.own:
                _refuse(entry.line)
            entry.copy_kept(level, k, copies)
    memory.needs = stay


def detach(memory: Memory, a: Any) -> None:
    """Before an array gets another shape: what is kept of it keeps the one that it has."""
    memory.recent = None
    for _, entry, k, _ in memory.needs:
        if entry.kept[k] is a:
            entry.kept[k] = a.view()


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


def _refuse(line: Place) -> None:
    needed, at = span_of(line), span_of(here())
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
