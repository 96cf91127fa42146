"""Calls that let SciPy use operands as scratch memory: `solve(a, b, overwrite_a=True)`.

    def solve_in_place(a, b):
        work_a = np.copy(a)
        y = solve_with_scratch(a=a, b=b, work_a=work_a)   # what `a` held is still there
        if can_be_written(a):
            a[...] = left_over(work_a)                    # now it holds what SciPy has left there
        return y

SciPy gets copies with the strides of the operands, on which it depends whether it writes to them;
what it leaves there is written where the call would have left it. So all that is known of writes
holds; who reads that afterwards is told that it has no derivative. Where SciPy returns memory of an
operand that is more than an intermediate value, a later write to one would be seen in the other:
that is an error.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np

from adtrans.emit.load import load
from adtrans.rules import registry
from adtrans.rules.rule import Rule
from adtrans.runtime import find
from adtrans.runtime.errors import DerivativeError

_MADE: dict[tuple[int, tuple[str, ...], tuple[str, ...]], WithScratch] = {}


class WithScratch:
    """A primitive that overwrites the arrays `work_*` instead of its operands."""

    def __init__(
        self, fn: Any, operands: tuple[str, ...], flags: tuple[str, ...], held: tuple[str, ...]
    ) -> None:
        self.fn, self.operands, self.flags, self.held = fn, operands, flags, held
        self.__name__ = f"{fn.__name__}_with_scratch"

    def __call__(self, **given: Any) -> Any:
        """The value of the primitive, which may overwrite `work_*`."""
        held = [given[name] for name in self.operands]
        if len(held) > 1 and np.shares_memory(held[0], held[1]):
            raise DerivativeError(f"`{self.fn.__name__}` overwrites two operands in one memory")
        work = {name: given.pop(f"work_{name}") for name in self.operands}
        room = {name: _same_layout(given[name]) for name in self.operands}
        found = self.fn(**{**given, **room}, **dict.fromkeys(self.flags, True))
        for name, left in room.items():
            work[name][...] = left
        items = found if isinstance(found, tuple) else (found,)
        for name in self.held:
            if any(isinstance(i, np.ndarray) and np.may_share_memory(i, room[name]) for i in items):
                raise DerivativeError(
                    f"`{self.fn.__name__}` returns the memory of `{name}`, which is overwritten: "
                    f"leave the flag out, or pass a copy (`{name}.copy()`)"
                )
        return found


def _same_layout(a: Any) -> Any:
    """A copy with the strides of an operand."""
    if not isinstance(a, np.ndarray) or a.size == 0 or a.flags.forc:
        return np.copy(a)
    reach = [(n - 1) * s for n, s in zip(a.shape, a.strides, strict=True)]
    low, high = sum(min(r, 0) for r in reach), sum(max(r, 0) for r in reach)
    memory = np.empty(high - low + a.itemsize, np.uint8)
    made: Any = np.ndarray(a.shape, a.dtype, memory, -low, a.strides)
    made[...] = a
    return made


def _with_scratch(
    fn: Any, rule: Rule, pairs: tuple[tuple[str, str], ...], held: tuple[str, ...]
) -> WithScratch:
    """The primitive with scratch memory, and its rule: that of the primitive."""
    key = (id(fn), tuple(flag for flag, _ in pairs), held)
    if key not in _MADE:
        made = WithScratch(fn, tuple(o for _, o in pairs), key[1], held)
        text = re.sub(r"overwrite_\w+=False(, )?", "", rule.text).rstrip(")").rstrip(", ")
        bare = "" if "*, " in text else "*, "
        works = [f"work_{operand}" for _, operand in pairs]
        text = f"{text}, {bare}{', '.join(f'{w}=None' for w in works)})"
        found = replace(rule, text=text, inert_ok=rule.inert_ok | {*works})
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
    fn: Any, rule: Rule, pairs: tuple[tuple[str, str], ...], given: dict[str, str],
    passed: tuple[str, ...], held: tuple[str, ...],
) -> Any:  # fmt: skip
    """The function of the arguments `passed`; `given`: all arguments as text, `pairs`: the flags
    that are set, with their operands, `held`: those of them that others may see."""
    name = f"{fn.__name__}_in_place"
    spelled = [f"{n}={v}" for n, v in given.items()]
    spelled += [f"work_{o}=work_{o}" for _, o in pairs]
    lines = [f"def {name}({', '.join(passed)}):"]
    lines += [f"    work_{o} = np.copy({o})" for _, o in pairs]
    lines += [f"    found = {fn.__name__}_with_scratch({', '.join(spelled)})"]
    for _, o in pairs:
        lines += [f"    if can_be_written({o}):", f"        {o}[...] = left_over(work_{o})"]
    lines += ["    return found", ""]
    objects = {
        f"{fn.__name__}_with_scratch": _with_scratch(fn, rule, pairs, held),
        "left_over": find("left_over"),
        "can_be_written": find("can_be_written"),
        "np": np,
    }
    return load("\n".join(lines), name, objects)[name]


