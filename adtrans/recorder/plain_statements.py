"""Primitives that write, or that are given by others: run as the plain statements of their rule."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from adtrans.recorder import arrays
from adtrans.recorder.memory import STATE, region
from adtrans.recorder.numbers import innermost, plain
from adtrans.recorder.primitives import Primitive, primitive
from adtrans.recorder.recorded_needs import one_statement, saving, written
from adtrans.recorder.recorded_refusals import left_half_done, refuse
from adtrans.recorder.rewritten import from_text
from adtrans.rules import lookup
from adtrans.rules.formula import meaning
from adtrans.rules.rule import Rule

_ndarray = np.ndarray


def run(rule: Rule, fn: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A call of such a primitive."""
    leaves = arrays.active_leaves(args, kwargs)
    if not leaves:
        return _constant(rule, fn, args, kwargs)
    if rule.form == "writes" and rule.custom is None:
        args = tuple(map(_in_array, args))
        kwargs = {n: _in_array(v) for n, v in kwargs.items()}
    if rule.form == "scatter":
        return scatter(rule, *args, **kwargs)
    here = primitive(rule, args, kwargs)
    if here.bound is None:
        arrays._unbound(rule, fn, args, kwargs)

    def run_plainly() -> Any:
        named = {n: arrays.plain_of(v) for n, v in kwargs.items()}
        return fn(*map(arrays.plain_of, args), **named)

    if rule.form == "writes" and rule.custom is None:
        into = here.value(rule.writes[0], args, kwargs)
        if isinstance(into, _ndarray) and not into.flags.writeable:
            return run_plainly()  # it raises, or there is nothing to write: `np.copyto(v, v)`
    made = _function(here)
    if made is None:
        out = kwargs.get("out")
        if out is None and not rule.writes and rule.active_params:
            return arrays.noted(here, run_plainly(), args, kwargs, leaves)
        refuse(rule.shown, here.refusal() or rule.refused or "it writes what varies")
    function, names = made
    given = [here.value(n, args, kwargs) for n in names]
    told = any(_is_told_contents(f) for f in getattr(function, "__globals__", {}).values())
    try:
        with saving() if told else one_statement():
            return function(*given)
    except Exception as error:
        if rule.custom is not None:  # a function of the user's, which may have written by then
            left_half_done(rule.shown)
        elif isinstance(error, FloatingPointError | Warning):  # NumPy raises it when it has written
            with np.errstate(all="ignore"):
                run_plainly()
            left_half_done(rule.shown)
        raise


def _in_array(v: Any) -> Any:
    """What is written, in an array, if it is a list of what varies."""
    if type(v) in (list, tuple) and arrays.holds_active(v):
        from adtrans.recorder import making

        return making.array(v)
    return v


def _is_told_contents(f: Any) -> bool:
    """Is the pullback of a function that writes told the contents on entry?"""
    rule = lookup(f) if callable(f) else None
    return rule is not None and rule.custom is not None and bool(rule.custom.contents)


_MADE: dict[int, tuple[Callable[..., Any], tuple[str, ...]] | None] = {}


def _function(here: Primitive) -> tuple[Callable[..., Any], tuple[str, ...]] | None:
    """The statements as a function of the names that they use."""
    key = id(here)  # which is kept for good
    if key not in _MADE:
        assert here.bound is not None
        expansion = here.rule.expand(here.bound, here.kinds)
        if expansion is None:
            _MADE[key] = None
        else:
            tree = ast.parse(expansion.source)
            used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
            result = expansion.result or "None"
            used |= {n.id for n in ast.walk(ast.parse(result)) if isinstance(n, ast.Name)}
            names = tuple(sorted(n for n in used if n in here.bound))
            stored = {n.id for n in ast.walk(tree)
                      if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}  # fmt: skip
            env = {n: meaning(n) for n in used - set(names) - stored}
            lines = [*expansion.source.splitlines(), f"return {result}"]
            body = "".join(f"    {line}\n" for line in lines)
            _MADE[key] = from_text(f"def spelled({', '.join(names)}):\n{body}", env), names
    return _MADE[key]


def _constant(rule: Rule, fn: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Nothing varies; but what is written may be needed."""
    if STATE.memory:
        for v in _written_in(rule, args, kwargs):
            memory = STATE.find(v)
            if memory is not None:
                memory.written = True
                if memory.needs:
                    written(memory, v)
    return fn(*map(arrays.plain_of, args), **{n: arrays.plain_of(v) for n, v in kwargs.items()})


def _written_in(rule: Rule, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Any]:
    """The arrays that a call may write; all of its arrays, where it is not known which."""
    given = [*args, *kwargs.values()]
    for v in (*given,):
        if isinstance(v, tuple | list):
            given.extend(v)
    return [v for v in given if isinstance(v, _ndarray) and v.flags.writeable]


def scatter(rule: Rule, a: Any, indices: Any, b: Any) -> None:
    """`np.add.at(a, indices, b)`, where repeated indices all count."""
    sign = 1 if rule.scatter == "+" else -1
    if isinstance(b, list | tuple):
        from adtrans.recorder import making

        b = making.array(b)
    b = innermost(b, STATE.ceiling)
    memory = STATE.note(a)
    memory.written = True
    if memory.needs:
        written(memory, a)
    levels = arrays._levels_of(b)
    if levels and a.dtype.kind not in "fc":
        refuse("a write", f"a number that varies is added to an array of {a.dtype}", code="AD306")
    if levels and STATE.find(b) is memory if isinstance(b, _ndarray) else False:
        b = arrays.call(np.copy, b)
    indices = arrays._frozen(indices)
    (np.add if sign > 0 else np.subtract).at(a, indices, plain(b))
    for level in levels:
        level.activate(memory)
        level.add_at(region(a, memory), indices, arrays.operand(b, level), sign)
