"""The short way of a primitive with a few plain operands, recorded in one reverse level.

What `arrays.apply` finds out about a call is the same for all calls with operands of these dtypes,
ranks and classes of which the same ones are active; here it is looked up by them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.ir.expr import Name
from adtrans.recorder.entries import Apply
from adtrans.recorder.levels import stand_in
from adtrans.recorder.memory import STATE, Memory, Region, fresh, owner_of, region
from adtrans.recorder.needs import Need, here
from adtrans.recorder.numbers import PLAIN, active
from adtrans.recorder.primitives import primitive
from adtrans.rules.rule import Rule

_ndarray = np.ndarray
_FORMS = frozenset({"elementwise", "linear", "general", "fresh"})
_FLOATS = frozenset({float, np.float64})
_NUMBERS = frozenset({float, np.float64, int, np.int64})


class Quick:
    """What is known of a call: its formulas, and where the values that they read come from.

    `fetched` and `shaped`: names with the place of an argument, -1 for the result, None for a value
    that is the same in each call.
    """

    __slots__ = ("active", "fetched", "plan", "result", "shaped", "shaped_values", "values")

    def __init__(self, rule: Rule, args: tuple[Any, ...], active: tuple[int, ...], like: Any,
                 y: Any) -> None:  # fmt: skip
        made = primitive(rule, args, {})
        assert made.bound is not None
        names = tuple([made.names[(k,)] for k in active])
        self.active, self.result = active, (like.dtype, like.ndim)
        self.plan = made.plan(names, y, False)
        self.values: dict[str, Any] = {}
        at = {name: path[0] for path, name in made.names.items() if len(path) == 1}
        at |= {n: made.at[e.id][0] for n, e in made.bound.items()
               if isinstance(e, Name) and len(made.at.get(e.id, ())) == 1}  # fmt: skip
        at["y"] = -1
        self.fetched = self._places(self.plan.needed, at, made, args)
        shapes = [n for n in self.plan.shaped if n not in self.plan.needed]
        self.shaped = self._places(tuple(shapes), at, made, args)

    def _places(
        self, names: tuple[str, ...], at: dict[str, int], made: Any, args: tuple[Any, ...]
    ) -> list[tuple[str, int]]:
        found = []
        for name in names:
            if name in at:
                found.append((name, at[name]))
            else:
                self.values[name] = made.value(name, args, {})
        return found


class _Table:
    """All that is known of the calls of one rule."""

    __slots__ = ("calls", "counts", "rule", "slopes")

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.calls: dict[Any, Quick | None] = {}
        self.slopes: dict[Any, list[tuple[Any, tuple[int, ...]]] | None] = {}
        plain = rule.form in _FORMS and not rule.writes and rule.refused is None
        plain = plain and rule.expansion is None and rule.custom is None and not rule.impure
        plain = plain and not any(p.sequence for p in rule.params)
        self.counts = frozenset(
            n for n in (1, 2, 3) if plain and (n == 1 or not rule.fills(n, ()))
        )


_TABLES: dict[int, _Table] = {}


def run(rule: Rule, fn: Any, args: tuple[Any, ...]) -> Any:
    """The value of a call, recorded; `NotImplemented` where it has to go the long way."""
    runs = STATE.runs
    if len(runs) != 1 or STATE.ceiling != 1 << 30:
        return NotImplemented
    level = runs[0].level
    table = _TABLES.get(id(rule))
    if table is None:
        table = _TABLES[id(rule)] = _Table(rule)
    if level.forward or not level.alive or len(args) not in table.counts:
        return NotImplemented
    memories = STATE.memory
    key: list[Any] = []
    plain: list[Any] = []
    operands: list[Any] = []
    held: list[Memory | None] = []
    mask, bit = 0, 1
    for v in args:
        t = type(v)
        if t is _ndarray:
            d = v.dtype
            key.append(d.char if d.isbuiltin == 1 else d)
            key.append(v.ndim)
            memory = memories.get(id(v if v.base is None else owner_of(v)))
            held.append(memory)
            if memory is not None and memory.levels:
                if memory.levels != (level,):
                    return NotImplemented
                mask |= bit
                operands.append(region(v, memory))
            plain.append(v)
        elif t in PLAIN:
            if v.level is not level:
                return NotImplemented
            key.append(t)
            mask |= bit
            operands.append(v.place)
            plain.append(v.v)
            held.append(None)
        elif t in _NUMBERS:
            key.append(("=", v) if t is int else t)
            plain.append(v)
            held.append(None)
        else:
            return NotImplemented
        bit <<= 1
    y = fn(*plain)
    if not mask:
        return y
    if type(y) in _FLOATS:
        return _number(level, table, rule, args, plain, key, mask, operands, y)
    if type(y) is not _ndarray or y.base is not None or id(y) in memories or (
        y.dtype.kind != "f"
    ):
        return _again(level, rule, args, y)
    key.append(mask)
    token = tuple(key)
    known = table.calls.get(token)
    if known is None:
        if token in table.calls:
            return _again(level, rule, args, y)
        known = table.calls[token] = _learned(rule, args, mask, y, y)
        if len(table.calls) > 4096:
            table.calls.clear()
        if known is None:
            return _again(level, rule, args, y)
    if (y.dtype, y.ndim) != known.result:
        return _again(level, rule, args, y)
    kept = dict(known.values) if known.values else {}
    result = fresh(memories, y, id(y))
    result.made = runs[0]
    result.levels = (level,)
    place_of_y = result.whole = Region(y, result)
    level.seen.append(result)
    plan = known.plan
    entry = Apply(plan, kept, operands, [place_of_y], False, None)
    place = None
    for name, k in known.fetched:
        if k < 0:
            value, memory = y, result
        else:
            value, memory = plain[k], held[k]
        if type(value) is _ndarray:
            if level.saves and name not in plan.first:
                continue
            if value.ndim == 0:
                kept[name] = value.copy()
                continue
            if place is None:
                place = here()
            if memory is None:
                memory = STATE.note(value)
            memory.needs.append(Need(level, entry, name, value, place))
            if not memory.levels:
                level.seen.append(memory)
        kept[name] = value
    for name, k in known.shaped:
        kept[name] = stand_in(y if k < 0 else plain[k])
    level.tape.append(entry)
    return y


def _number(
    level: Any, table: _Table, rule: Rule, args: tuple[Any, ...], plain: list[Any], key: list[Any],
    mask: int, operands: list[Any], y: Any,
) -> Any:  # fmt: skip
    """A number made of numbers by an element-wise primitive: its slopes are taken at once."""
    token = (*key, mask)
    known = table.slopes.get(token)
    if known is None:
        if token in table.slopes:
            return _again(level, rule, args, y)
        known = table.slopes[token] = _slopes(rule, args, mask, y)
        if known is None:
            return _again(level, rule, args, y)
    try:
        slopes = [f(1.0, *[y if k < 0 else plain[k] for k in at]) for f, at in known]
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


def _slopes(
    rule: Rule, args: tuple[Any, ...], mask: int, y: Any
) -> list[tuple[Any, tuple[int, ...]]] | None:
    """The formulas of the slopes by the active operands, with the places of what they read."""
    if rule.form != "elementwise" or any(type(v) is _ndarray for v in args):
        return None
    learned = _learned(rule, args, mask, np.asarray(y), y)
    if learned is None or learned.values:
        return None
    at = dict((*learned.fetched, *learned.shaped))
    found = []
    for ways in learned.plan.ways:
        way = ways[0]
        found.append((way.function(False), tuple([at[n] for n in (*way.names, *way.shapes)])))
    return found


def _again(level: Any, rule: Rule, args: tuple[Any, ...], y: Any) -> Any:
    """The long way for a value that is computed already."""
    from adtrans.recorder import arrays

    made = primitive(rule, args, {})
    if made.bound is None:
        return arrays._unbound(rule, lambda *_: y, args, {})
    return arrays.noted(made, y, args, {}, arrays.active_leaves(args, {}))


def _learned(
    rule: Rule, args: tuple[Any, ...], mask: int, like: Any, y: Any
) -> Quick | None:
    """What is known of calls like this one; None where they go the long way."""
    made = primitive(rule, args, {})
    if made.bound is None or made.refusal() is not None or made.is_tuple():
        return None
    places = tuple([k for k in range(len(args)) if mask >> k & 1])
    if not all(made.names.get((k,)) in made.active for k in places):
        return None
    found = Quick(rule, args, places, like, y)
    return None if found.plan.missing is not None else found


__all__ = ["Quick", "run"]
