"""Calls that let SciPy use operands as scratch memory: `solve(a, b, overwrite_b=True)`.

    def solve_in_place(a, b):
        work_b = scratch_of(b)                            # what `b` held is still there
        found = solve_with_scratch(a=a, b=b, work_b=work_b)
        if lies_in(found, work_b, b):                     # SciPy would have returned `b`
            b[...] = found
            return held_in(b, found)
        if can_be_written(b):
            b[...] = left_over(work_b)                    # now it holds what SciPy has left there
        return found

SciPy gets copies with the strides and flags of the operands, on which it depends whether it writes
to them; what it leaves there is written where the call would have left it. So all that is known of
writes holds, and a result that may be the operand is one of two arrays. Who reads what is left over
is told that it has no derivative. An operand that nothing else can see needs none of that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

import numpy as np

from adtrans.emit.load import load
from adtrans.rules import registry
from adtrans.rules.rule import Rule
from adtrans.runtime import find
from adtrans.runtime.failures import DerivativeError

_MADE: dict[tuple[object, ...], WithScratch] = {}


@dataclass(frozen=True)
class Scratch:
    """An operand that is overwritten: the flag that says so, which is True or an argument of the
    same name; whether others can see the operand, and which item of how many of the result may be
    in its memory."""

    operand: str
    flag: str
    always: bool
    seen: bool
    lands: tuple[int, int] | None


class WithScratch:
    """A primitive that overwrites the arrays `work_*` instead of its operands."""

    def __init__(self, fn: Any, rule: Rule, scratch: tuple[Scratch, ...]) -> None:
        self.fn, self.scratch = fn, scratch
        self.order = tuple(p.keyword for p in rule.params if p.form != "keyword")
        self.__name__ = f"{fn.__name__}_with_scratch"

    def __call__(self, **given: Any) -> Any:
        """The value of the primitive, which may overwrite `work_*`.

        Raises:
            DerivativeError: if two operands that are overwritten share memory, if one is
                overwritten although it is read-only, or if what is returned shares memory with an
                operand where its rule does not tell.
        """
        flags = {s.flag: given.pop(f"may_{s.flag}", True) for s in self.scratch}
        work = {s.operand: given.pop(f"work_{s.operand}") for s in self.scratch}
        held = [given[s.operand] for s in self.scratch if flags[s.flag]]
        if len(held) > 1 and np.shares_memory(held[0], held[1]):
            raise DerivativeError(
                f"`{self.fn.__name__}` overwrites two operands in one memory", code="AD606"
            )
        locked = [s for s in self.scratch if s.seen and flags[s.flag] and _locked(given[s.operand])]
        before = [given[s.operand] for s in locked]
        given |= {**work, **flags}
        first = [given.pop(name) for name in takewhile(given.__contains__, self.order)]
        found = self.fn(*first, **given)  # SciPy does not take all of its operands by name
        items = found if isinstance(found, tuple) else (found,)
        for s, was in zip(locked, before, strict=True):
            now = work[s.operand]
            if now.tobytes() != was.tobytes() or any(_share_memory(v, now) for v in items):
                raise DerivativeError(
                    f"`{self.fn.__name__}` overwrites `{s.operand}`, although it is read-only: "
                    f"leave the flag out, or pass a copy (`{s.operand}.copy()`)",
                    code="AD606",
                )
        for s in self.scratch:
            others = [v for k, v in enumerate(items) if s.lands is None or k != s.lands[0]]
            if s.seen and any(_share_memory(v, work[s.operand]) for v in others):
                raise DerivativeError(
                    f"`{self.fn.__name__}` returns the memory of `{s.operand}`, which is "
                    f"overwritten: leave the flag out, or pass a copy (`{s.operand}.copy()`)",
                    code="AD606",
                )
        return found


def _locked(a: Any) -> bool:
    """Whether an operand is read-only, which not every function of SciPy minds."""
    return isinstance(a, np.ndarray) and not a.flags.writeable


def _share_memory(v: Any, work: Any) -> bool:
    return isinstance(v, np.ndarray) and bool(np.may_share_memory(v, work))


def _with_scratch(fn: Any, rule: Rule, scratch: tuple[Scratch, ...]) -> WithScratch:
    """The primitive with scratch memory, and its rule: that of the primitive."""
    key = (id(fn), *scratch)
    if key not in _MADE:
        made = WithScratch(fn, rule, scratch)
        text = re.sub(r"overwrite_\w+=False(, )?", "", rule.text).rstrip(")").rstrip(", ")
        bare = "" if "*, " in text else "*, "
        extra = [f"work_{s.operand}" for s in scratch]
        extra += [f"may_{s.flag}" for s in scratch if not s.always]
        text = f"{text}, {bare}{', '.join(f'{name}=None' for name in extra)})"
        found = replace(rule, text=text, inert_ok=rule.inert_ok | {*extra})
        if rule.form == "linear":  # the tangent is the primitive itself, which has no `work_a`
            (x,) = rule.active_params
            rest = [f"{p.keyword}={p.name}" for p in rule.params
                    if p.name != x and p.name not in rule.overwriting]  # fmt: skip
            tangent = f"{rule.spelling}({', '.join(['dot', *rest])})"
            found = replace(found, form="general", pushforwards={x: tangent})
        registry.add_object(made, found)
        _MADE[key] = made
    return _MADE[key]


def in_place(
    fn: Any, rule: Rule, scratch: tuple[Scratch, ...], given: dict[str, str],
    passed: tuple[str, ...],
) -> Any:  # fmt: skip
    """The function of the arguments `passed`; `given`: all arguments as text."""
    name = f"{fn.__name__}_in_place"
    spelled = [f"{n}={v}" for n, v in given.items()]
    spelled += [f"work_{s.operand}=work_{s.operand}" for s in scratch]
    spelled += [f"may_{s.flag}={s.flag}" for s in scratch if not s.always]
    lines = [f"def {name}({', '.join(passed)}):"]
    lines += [f"    work_{s.operand} = scratch_of({s.operand})" for s in scratch]
    lines += [f"    found = {fn.__name__}_with_scratch({', '.join(spelled)})"]
    items = ["found"]
    seen = [s for s in scratch if s.seen]
    for s in sorted(seen, key=lambda s: s.lands is not None):
        if s.lands is not None:
            at, n = s.lands
            if n > len(items):
                items = [f"item_{k}" for k in range(n)]
                lines += [f"    {', '.join(items)} = found"]
            held = [*items[:at], f"held_in({s.operand}, {items[at]})", *items[at + 1 :]]
            lines += [f"    if lies_in({items[at]}, work_{s.operand}, {s.operand}):"]
            lines += [f"        {s.operand}[...] = {items[at]}"]
            lines += [f"        return {', '.join(held)}"]
        asked = "" if s.always else f"{s.flag} and "
        lines += [f"    if {asked}can_be_written({s.operand}):"]
        lines += [f"        {s.operand}[...] = left_over(work_{s.operand})"]
    lines += [f"    return {', '.join(items)}", ""]
    helpers = ("scratch_of", "lies_in", "held_in", "left_over", "can_be_written")
    objects = {h: find(h) for h in helpers}
    objects[f"{fn.__name__}_with_scratch"] = _with_scratch(fn, rule, scratch)
    return load("\n".join(lines), name, objects)[name]
