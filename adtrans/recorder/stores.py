"""Writes into arrays, recorded: of items, of elements, of all of an array.

>>> import numpy as np
>>> a = np.arange(3.0)
>>> setitem(a, 1, 5.0)
>>> a.tolist()
[0.0, 5.0, 2.0]
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from adtrans.recorder import making, protocols, texts
from adtrans.recorder.arrays import (
    _frozen,
    _levels_of,
    call,
    holds_active,
    operand,
)
from adtrans.recorder.boxes import BOXES, unboxed
from adtrans.recorder.memory import (
    STATE,
    Memory,
    Region,
    live,
    overlaps_itself,
    owner_of,
    region,
)
from adtrans.recorder.numbers import PLAIN, innermost, plain
from adtrans.recorder.recorded_needs import written
from adtrans.recorder.recorded_refusals import left_half_done, refuse

_ndarray = np.ndarray


def _is_basic(index: Any) -> bool:
    t = type(index)
    if t is int or t is slice or index is ... or index is None:
        return True
    if t is tuple:
        return all(map(_is_basic, index))
    return isinstance(index, np.integer)


def _view_at(a: Any, index: Any) -> Any:
    """The array that a write at a basic index writes."""
    if index is ...:
        return a
    if type(index) is slice:
        return a[index]
    if type(index) is tuple:
        return a[index] if any(i is ... for i in index) else a[index + (...,)]
    return a[index, ...]


def setitem(a: Any, index: Any, value: Any) -> None:
    """`a[index] = value` of an array."""
    if a.dtype.names is not None and isinstance(index, str):
        setitem(a[index], ..., value)
        return
    memory = STATE.find(a)
    t = type(value)
    if t is not _ndarray:
        value = innermost(unboxed(value) if BOXES else value, STATE.ceiling)
        if a.dtype.kind in "fc" and protocols.met((value,)):
            value = protocols.opened(value, numeric=True)
        t = type(value)
    if t is list or t is tuple:
        if a.dtype.kind != "O" and holds_active(value):
            value = making.array(value)
            t = type(value)
    elif t is _ndarray and value.dtype.kind == "O" and a.dtype.kind != "O":
        from adtrans.recorder import handing

        value = handing.numeric(value)
        t = type(value)
    value_levels = _levels_of(value) if t in PLAIN or t is _ndarray else ()
    if STATE.texts and a.dtype.kind in "fc":
        texts.check(value)
    if memory is None and not value_levels:
        a[index] = plain(value)
        return
    if a.dtype.kind == "O":
        a[index] = value
        return
    basic = _is_basic(index)
    if not basic:
        index = _frozen(index)
    view = _view_at(a, index) if basic else a
    if memory is not None and memory.needs:
        if basic:
            written(memory, view)
        else:
            written(memory, a, Region(a, memory), index)
    if value_levels and a.dtype.kind not in "fc":
        refuse("a write", "a number that varies is written into an array of "
               f"{a.dtype}, which cannot carry a derivative", code="AD306")  # fmt: skip
    if t is _ndarray and memory is not None and STATE.find(value) is memory and value_levels:
        given, value = value, call(np.copy, value)  # both look into one buffer
        a[index] = given
        kept = value[(0,) * max(value.ndim - np.ndim(view), 0)]
        if basic and not np.array_equal(view, np.broadcast_to(kept, view.shape), equal_nan=True):
            refuse("a write", "it reads what it has just stored", code="AD302")
    else:
        a[index] = plain(value)
    if memory is not None:
        memory.written = True
    else:
        memory = STATE.note(a)
    note_write(memory, index if not basic else None, view, value, value_levels)


def set_element(a: Any, k: int, value: Any) -> None:
    """`a[k] = value` of an array with one axis."""
    t = type(value)
    if (t not in PLAIN and t is not float and t is not np.float64) or a.dtype.kind != "f":
        setitem(a, k, value)
        return
    memory = STATE.memory.get(id(a if a.base is None else owner_of(a)))
    levels: tuple[Any, ...] = ()
    if t in PLAIN:
        value = innermost(value, STATE.ceiling)
        levels = _levels_of(value)
    if memory is None:
        if not levels:
            a[k] = value
            return
        memory = STATE.note(a)
    elif memory.needs:
        written(memory, _view_at(a, k))
    memory.written = True
    a[k] = plain(value) if levels else value
    note_write(memory, k, a, value, levels)


def note_write(memory: Memory, index: Any, view: Any, value: Any, varying: tuple[Any, ...]) -> None:
    """Note a write that was made, in the levels in which the memory is active or the value is,
    which are those in `varying`."""
    if varying:
        _check_apart(view)
    levels: Any = live(memory.levels, STATE.ceiling) if memory.levels else ()
    if varying and varying != levels:
        found = {n.depth: n for n in (*levels, *varying)}
        levels = [found[depth] for depth in sorted(found)]
    for level in levels:
        level.activate(memory)
        place = operand(value, level) if level in varying else None
        level.write(region(view, memory), index, place)


def _check_apart(view: Any) -> None:
    """Refuse that values which vary are written where two elements are one place in memory: which
    of them stays there is the affair of NumPy's loops."""
    if overlaps_itself(view):
        refuse("a write", "several elements of what is written are one place in memory",
               code="AD308")  # fmt: skip


def add_into(a: Any, value: Any, sign: int) -> None:
    """`a += value` or `a -= value` of an array, in place."""
    t, other = type(value), None
    levels: tuple[Any, ...] = ()
    if t is list or t is tuple:
        value = making.array(value)
        t = type(value)
    if t is _ndarray:
        other = STATE.find(value)
        if other is not None and other.levels:
            levels = live(other.levels, STATE.ceiling)
    elif t in PLAIN:
        value = innermost(value, STATE.ceiling)
        levels = _levels_of(value)
    memory = STATE.find(a)
    if memory is not None and memory.needs:
        written(memory, a)
    if levels:
        if a.dtype.kind not in "fc":
            refuse("a write", "a number that varies is added to an array of "
                   f"{a.dtype}, which cannot carry a derivative", code="AD306")  # fmt: skip
        if other is not None and other is memory:
            value = call(np.copy, value)
        _check_apart(a)
    f: Any = operator.iadd if sign > 0 else operator.isub
    try:
        f(a, value if t is _ndarray else plain(value))
    except (FloatingPointError, Warning):  # which NumPy raises when it has written
        left_half_done("a write")
        raise
    if memory is not None:
        memory.written = True
    elif levels:
        memory = STATE.note(a)
    for level in levels:
        assert memory is not None
        level.activate(memory)
        level.add_into(region(a, memory), operand(value, level), sign)
