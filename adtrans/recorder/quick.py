"""The short way of a primitive on plain operands, recorded in one reverse level.

What `arrays.apply` finds out about a call is the same for all calls with operands of these dtypes,
ranks and classes of which the same ones are active; here it is looked up by them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from adtrans.ir.expr import Name
from adtrans.recorder.entries import Apply, stand_in
from adtrans.recorder.memory import STATE, form_of, fresh, owner_of, region
from adtrans.recorder.numbers import PLAIN, active
from adtrans.recorder.primitives import primitive
from adtrans.recorder.recorded_needs import USERS, here
from adtrans.rules.rule import Rule

_ndarray = np.ndarray
_FORMS = frozenset({"elementwise", "linear", "general", "fresh", "view"})
_FLOATS = frozenset({float, np.float64})
_NUMBERS = frozenset({float, np.float64, np.int64})
_OPTIONS = frozenset({int, bool, type(None), str})
_MANY = 4096  # descriptions of calls of one rule


class Quick:
    """What is known of calls that are alike: the formulas, and what they read.

    `kept`: values in the order of the names of the plan, as they are in each call. The others are
    given by their places in it and where they are, in an argument or, if -1, in the result:
    `arrays` and `numbers` (and arrays without axes) whose values are needed, `shaped` of which only
    the shape is; of arrays also, whether only an alternative formula reads them, and whether one
    reads the shape. `form`: that of the result, its class if it is a number. `slopes`: for each
    active operand the formula, if all are numbers.
    """

    __slots__ = ("arrays", "choice", "form", "kept", "numbers", "plan", "shaped", "slopes")

    def __init__(
        self, rule: Rule, args: tuple[Any, ...], kwargs: Mapping[str, Any], operands: list[int],
        y: Any,
    ) -> None:  # fmt: skip
        made = primitive(rule, args, kwargs)
        assert made.bound is not None
        numbers = type(y) is not _ndarray and not any(type(v) is _ndarray for v in args)
        names = tuple([made.names[(k,)] for k in operands])
        self.plan = plan = made.plan(names, y, numbers)
        self.form: Any = form_of(y) if type(y) is _ndarray else type(y)
        at = {name: path[0] for path, name in made.names.items() if len(path) == 1}
        at |= {n: made.at[e.id][0] for n, e in made.bound.items()
               if isinstance(e, Name) and len(made.at.get(e.id, ())) == 1}  # fmt: skip
        at["y"] = -1
        self.kept: list[Any] = []
        self.arrays: list[tuple[int, int, bool, bool]] = []
        self.numbers: list[tuple[int, int]] = []
        self.shaped: list[tuple[int, int]] = []
        for k, name in enumerate(plan.order):
            place = at.get(name)
            self.kept.append(made.value(name, args, kwargs) if type(place) is not int else None)
            if type(place) is not int:
                continue
            value = y if place < 0 else args[place]
            if name not in plan.needed:
                self.shaped.append((k, place))
            elif type(value) is _ndarray and value.ndim:
                self.arrays.append((k, place, name in plan.others, name in plan.shaped))
            else:
                self.numbers.append((k, place))
        self.choice: Any = None if plan.missing else plan.preferred
        self.slopes = None
        if numbers and plan.at_once:
            self.slopes = [ways[0].function(False) for ways in plan.ways]


class Table:
    """All that is known of the calls of one rule."""

    __slots__ = ("calls", "counts", "literal", "rule")

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.literal = True  # integers count by their values, until there are too many
        self.calls: dict[Any, Quick | None] = {}
        plain = rule.form in _FORMS and not rule.writes and rule.refused is None
        plain = plain and bool(rule.active_params) and not rule.lands
        plain = plain and rule.custom is None and not rule.impure
        plain = plain and not any(p.sequence and p.name in rule.active_params for p in rule.params)
        self.counts = frozenset(
            n for n in (1, 2, 3) if plain and (n == 1 or not rule.fills(n, ()))
        )


_TABLES: dict[int, Table] = {}


def table(rule: Rule) -> Table:
    """What is known of the calls of a rule."""
    found = _TABLES.get(id(rule))
    if found is None:
        found = _TABLES[id(rule)] = Table(rule)
    return found


def run(
    table: Table, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any],
    depth: int = 2,
) -> Any:  # fmt: skip
    """The value of a call, recorded; `NotImplemented` where it has to go the long way.

    `depth`: how many frames further out the user's function is likely to be.
    """
    now = STATE.single
    if now is None or len(args) not in table.counts:
        return NotImplemented
    level, memories = now.level, now.memory
    if not level.alive:
        return NotImplemented
    alone = level.alone
    key: list[Any] = []
    operands: list[Any] = []  # the places and regions of what is active
    owners: list[Any] = []  # the memory of each argument
    given: Any = args
    for v in args:
        t = type(v)
        if t is _ndarray:
            memory = memories.get(id(v))
            if memory is not None and memory.levels is alone and v.shape == memory.shape:
                key.append(memory.form)
                operands.append(memory)
                owners.append(memory)
                continue
            if memory is None and v.base is not None:
                memory = memories.get(id(owner_of(v)))
            key.append(v.dtype)
            if memory is None or not memory.levels:
                key.append(v.ndim)
            elif memory.levels is not alone:
                return NotImplemented
            else:
                key.append(~v.ndim)
                operands.append(region(v, memory))
            owners.append(memory)
            continue
        if t in _NUMBERS or (t is int and not table.literal):
            key.append(t)
        elif t in PLAIN:
            if v.level is not level:
                return NotImplemented
            key.append(t)
            operands.append(v.place)
            if given is args:
                given = [*args]
            given[len(owners)] = v.v
        elif not _described(v, key):
            return NotImplemented
        owners.append(None)
    if kwargs:
        for n, v in kwargs.items():
            key.append(n)
            if n == "out" or not _described(v, key):
                return NotImplemented
    token = tuple(key)
    known = table.calls.get(token)
    if operands:
        if known is None and (token in table.calls or _is_long(table, token, args, kwargs)):
            return NotImplemented
    elif STATE.texts or _has_objects(args):
        return NotImplemented
    y = fn(*given, **kwargs) if kwargs else fn(*given)
    if not operands:
        return y
    t = type(y)
    if t is _ndarray and y.base is not None:
        seen = memories.get(id(owner_of(y)))
        if seen is not None and seen.levels and seen in owners:
            return y  # a view, known by its memory
    if known is None:
        known = _learned(table, token, args, kwargs, y)
        if known is None:
            return NotImplemented
    result: Any
    if t is _ndarray:
        form = known.form
        if y.ndim != form.ndim or y.dtype is not form.dtype:
            return NotImplemented
        if y.base is None:
            place = id(y)
            if place in memories:
                return NotImplemented
            result = memory = fresh(memories, y, place, alone, now.mark, form)
        else:
            memory = STATE.note(y)
            if memory.levels:
                return NotImplemented
            result = region(y, memory)
            memory.made, memory.levels = now.mark, alone
        level.seen.append(memory)
        owners.append(memory)
    elif t is not known.form:
        return NotImplemented
    elif known.slopes is not None:
        return _number(level, known, given, operands, y)
    else:
        result = len(level.tape)
    kept = known.kept.copy()
    entry = Apply(known.choice, kept, operands, result)
    if known.arrays:
        code = (frame := sys._getframe(depth)).f_code
        entry.line = (code, frame.f_lasti) if id(code) in USERS else here()
        for k, at, other, shaped in known.arrays:
            value = y if at < 0 else given[at]
            if not other:
                kept[k] = value
            else:
                if shaped:
                    kept[k] = stand_in(value)
                if level.saves:
                    continue
                entry.keep_spare(k, value)
            memory = owners[at]
            if memory is None:
                memory = STATE.note(value)
            if not memory.levels:
                level.seen.append(memory)
            if memory.needs:
                memory.needs.append((level, entry, k, len(level.tape)))
            else:
                memory.needs = [(level, entry, k, len(level.tape))]
    for k, at in known.numbers:
        value = y if at < 0 else given[at]
        kept[k] = value.copy() if type(value) is _ndarray else value
    for k, at in known.shaped:
        kept[k] = stand_in(y if at < 0 else given[at])
    level.tape.append(entry)
    return y if t is _ndarray else active(y, level, result)


def _described(v: Any, key: list[Any]) -> bool:
    """Is a value an option, the same in all calls that are alike?"""
    t = type(v)
    if t is tuple:
        key.append(len(v))
        return all(type(n) is int and _described(n, key) for n in v)
    key.append(t)
    key.append(v if t in _OPTIONS else None)
    return t in _OPTIONS


def _has_objects(args: tuple[Any, ...]) -> bool:
    return any(type(v) is _ndarray and v.dtype.kind not in "fiub" for v in args)


def _is_long(
    table: Table, token: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> bool:
    """Is it known before the call that it has to go the long way?"""
    if not _has_objects(args) and primitive(table.rule, args, kwargs).bound is not None:
        return False
    table.calls[token] = None
    return True


def _number(level: Any, known: Quick, given: Any, operands: list[Any], y: Any) -> Any:
    """A number made of numbers by an element-wise primitive: its slopes are taken at once."""
    kept = known.kept.copy()
    for k, at in known.numbers:
        kept[k] = y if at < 0 else given[at]
    for k, at in known.shaped:
        kept[k] = y if at < 0 else given[at]
    assert known.slopes is not None
    try:
        slopes = [f(1.0, *kept) for f in known.slopes]
    except (ArithmeticError, ValueError) as error:
        place = level.failed(error)
    else:
        if len(slopes) == 1:
            place = level.one(operands[0], slopes[0])
        elif len(slopes) == 2:
            place = level.two(operands[0], slopes[0], operands[1], slopes[1])
        else:
            place = level.many(operands, slopes)
    return active(y, level, place)


def _learned(
    table: Table, token: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], y: Any
) -> Quick | None:
    """What is known of calls like this one; None where they go the long way."""
    if len(table.calls) > _MANY:
        table.calls.clear()
    found = None
    made = primitive(table.rule, args, kwargs)
    if table.literal and not made.literal:
        table.literal = False
        table.calls.clear()
        return None
    real = type(y) in _FLOATS or (type(y) is _ndarray and y.dtype.kind == "f")
    if real and made.bound is not None and made.refusal() is None and not made.is_tuple():
        operands = [k for k, v in enumerate(args) if type(v) in PLAIN
                    or (type(v) is _ndarray and STATE.levels_of(v))]  # fmt: skip
        if all(made.names.get((k,)) in made.active for k in operands):
            found = Quick(table.rule, args, kwargs, operands, y)
            if found.plan.missing is not None:
                found = None
    table.calls[token] = found
    return found
