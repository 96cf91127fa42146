"""Needs: what the pullback will read of the memory of arrays, and writes that would destroy it.

The check is exact, element by element, and made at the write. What is needed is copied first with
`on_overwrite="save"`, once; otherwise a `MutationError` names both lines before anything is lost.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from types import CodeType
from typing import Any

import numpy as np

from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.diagnostics.errors import Diagnosed, MutationError
from adtrans.diagnostics.span import Span
from adtrans.recorder.idle import dropped
from adtrans.recorder.memory import STATE, Memory, Region, noted, touched
from adtrans.recorder.snapshots import Snapshot

_WORK = 100_000
WRITTEN: set[int] = set()
"""The ids of the code objects of rewritten functions."""

USERS: set[int] = set()
"""Those among them that the user wrote; in functions that adtrans wrote the line is that of their
caller."""

Place = tuple[CodeType, int]


def here() -> Place:
    """The instruction of the user's function that is being carried out."""
    frame = sys._getframe(1)
    while frame.f_back is not None and id(frame.f_code) not in USERS:
        frame = frame.f_back
    return frame.f_code, frame.f_lasti


def span_of(place: Place) -> Span:
    """The place of an instruction in the user's source."""
    code, at = place
    positions: Any = getattr(code, "co_positions", tuple)()  # since Python 3.11
    line, end_line, column, end_column = next(islice(positions, at // 2, None), (None,) * 4)
    if line is None or end_line is None or column is None or end_column is None:
        lines = (n for start, end, n in code.co_lines() if start <= at < end and n is not None)
        line = next(lines, code.co_firstlineno)
        text = linecache.getline(code.co_filename, line).rstrip()
        return Span(code.co_filename, line, len(text) - len(text.lstrip()), line, len(text))
    start, end = (
        len(linecache.getline(code.co_filename, n).encode()[:k].decode(errors="ignore"))
        for n, k in ((line, column), (end_line, end_column))
    )  # columns count bytes
    return Span(code.co_filename, line, start, end_line, end)


def text_of(span: Span) -> str:
    """What stands at a place, on one line."""
    lines = [linecache.getline(span.file, n) for n in range(span.line, span.end_line + 1)]
    lines[-1] = lines[-1][: span.end_column]
    lines[0] = lines[0][span.column :]
    return " ".join(line.strip() for line in lines)


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


def _is_whole(memory: Memory, view: Any, region: Any, index: Any) -> bool:
    """Is all of an array written that was not given to the function?"""
    if view.nbytes != memory.nbytes:
        return False
    if any(twin.memory is memory for run in STATE.runs for twin in run.twins):
        return False
    return region is None or bool(np.all(touched(region, index)))


def written(
    memory: Memory, view: Any, region: Any = None, index: Any = None, whole: bool | None = None
) -> None:
    """Before a write: save what is needed of the memory, or refuse.

    `view` is what is written; with `region`, only its elements at `index` are. An array that the
    function has made may be overwritten as a whole: the old contents are kept, as if the new ones
    had been put into a new array. `whole`: whether that is so, where it is known.

    Raises:
        MutationError: AD301, naming the line that needs it and the line that writes.
    """
    if not memory.needs:
        return
    copies: dict[Any, Any] = {}  # of what several entries read
    stay = []
    for need in memory.needs:
        level, entry, k, at = need
        array = entry.array(k)
        if level.closed or array is None:
            continue
        if not _hits(array, view, region, index):
            stay.append(need)
            continue
        if whole is None:
            whole = _is_whole(memory, view, region, index)
        kept = entry.lose(level, k, copies, level.saves or whole)
        if not kept and not isinstance(entry, Snapshot):
            if at < level.own:
                if dropped(level, entry):
                    continue
                _refuse(entry.line)
            entry.copy_kept(level, k, copies)
    memory.needs = stay


def detach(memory: Memory, a: Any) -> None:
    """Before an array gets another shape: what is kept of it keeps the one that it has."""
    memory.recent = None
    for _, entry, k, _ in memory.needs:
        if entry.kept[k] is a:
            entry.kept[k] = a.view()
        elif entry.spare and entry.array(k) is a:
            entry.spare[k] = lambda: None


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


class Overwritten(Diagnosed, MutationError):
    """What the pullback will read is about to be overwritten; nothing is lost yet."""

    code = "AD301"


def _refuse(line: Place) -> None:
    needed, at = span_of(line), span_of(here())
    reads, array = text_of(needed), _array_in(text_of(at))
    said = f"`{array}`" if array else "an array"
    copy = f"`{array}.copy()`" if array and array in _names(reads) else "`.copy()`"
    where = needed.place(at)
    raise noted(Overwritten(Diagnostic(
        "AD301", f"{said} is overwritten before the gradient has used it",
        Label(at, "overwritten here"),
        labels=[Label(needed, f"needed here: the derivative of `{reads}` is computed from it")],
        why=f"the pullback of {where} runs when this is done, and by then what {where} has read is "
        "gone.",
        fixes=[Fix(f"let {where} read a copy: {copy}"), Fix('`on_overwrite="save"`')],
    )))  # fmt: skip


def _array_in(text: str) -> str | None:
    """The name of the array that a statement, or the target of one, writes."""
    try:
        node: Any = ast.parse(text).body[0]
    except (SyntaxError, IndexError):
        return None
    node = node.targets[0] if isinstance(node, ast.Assign) else (
        getattr(node, "target", None) or getattr(node, "value", None)
    )
    out = [k.value for k in getattr(node, "keywords", ()) if k.arg == "out"]
    if isinstance(node, ast.Call):
        node = out[0] if out else getattr(node.func, "value", None)
    while isinstance(node, ast.Subscript):
        node = node.value
    return ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) and (
        ast.unparse(node) not in ("np", "numpy")
    ) else None


def _names(text: str) -> set[str]:
    try:
        nodes = ast.walk(ast.parse(text, mode="eval"))
    except SyntaxError:
        return set()
    return {ast.unparse(n) for n in nodes if isinstance(n, ast.Name | ast.Attribute)}
