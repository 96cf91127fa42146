"""Numbers that are written into texts and files, and what is read out of these again.

A text carries no derivative. To write an active number is fine; to read a number out of a text that
one was written into would lose its derivative without a sign of it, and is refused.
"""

from __future__ import annotations

import ast
import decimal
import fractions
import functools
import io
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.recorder.errors import refuse
from adtrans.recorder.memory import STATE

_FILE = ""  # is a part of any text: nobody knows what is in a file

WRITERS: tuple[Any, ...] = (
    str, repr, format, ascii, json.dumps, np.array2string, np.array_repr, np.array_str,
)  # fmt: skip
"""Functions whose result is a text of what they are given."""

FILERS: tuple[Any, ...] = (json.dump, np.savetxt, np.save, np.savez, np.savez_compressed)
"""Functions that write what they are given into a file."""

READERS: tuple[Any, ...] = (
    json.loads, json.load, ast.literal_eval, np.fromstring, np.loadtxt, np.genfromtxt, np.load,
    decimal.Decimal, fractions.Fraction, float.fromhex,
)  # fmt: skip
"""Functions that read numbers out of a text or a file."""


def formatted(value: Any) -> Any:
    """What stands in an f-string; numbers note it themselves (see `numbers`)."""
    if type(value) is np.ndarray and STATE.runs and STATE.levels_of(value):
        STATE.texts.add(str(value))
    return value


def percent(text: Any, values: Any) -> Any:
    """`text % values`"""
    from adtrans.recorder.escapes import reaches

    found = text % values
    if STATE.runs and reaches(values):
        STATE.texts.add(found if isinstance(found, str) else found.decode("latin-1"))
    return found


def check(text: Any) -> None:
    """A number is read out of a text, or out of a file of which it is the name.

    Raises:
        CompileError: AD202 where an active number may have been written there.
    """
    if not STATE.texts or isinstance(text, int | float):
        return
    if isinstance(text, io.StringIO):
        text = text.getvalue()
    if isinstance(text, bytes | bytearray):
        text = text.decode("latin-1")
    shown = text.strip() if isinstance(text, str) else ""
    if any(t in shown or (shown and shown in t) for t in STATE.texts):
        refuse("a number that is read out of a text",
               "a value that carries a derivative was written there, and a text carries none",
               code="AD202", fix="hand the number on, and not its text")  # fmt: skip


def handler(f: Any) -> Callable[..., Any] | None:
    """How such a function is called; None for all others."""
    found = _handlers().get(id(f))
    return found[1] if found is not None and found[0] is f else None


@functools.cache
def _handlers() -> dict[int, tuple[Any, Callable[..., Any]]]:
    found = {id(f): (f, _writing) for f in (*WRITERS, *FILERS)}
    return found | {id(f): (f, _reading) for f in READERS}


def _writing(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    from adtrans.recorder.arrays import plain_of
    from adtrans.recorder.escapes import reaches

    if not STATE.runs or not reaches((args, kwargs)):
        return f(*args, **kwargs)
    result = f(*map(plain_of, args), **{n: plain_of(v) for n, v in kwargs.items()})
    STATE.texts.add(result if isinstance(result, str) else _FILE)
    return result


def _reading(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    from adtrans.recorder.escapes import reaches

    for a in (*args[:1], *list(kwargs.values())[:1]):
        check(a)
    if STATE.runs and reaches((args, kwargs)):
        refuse(f"`{f.__name__}`", "it is written in C, and there is no rule for it")
    return f(*args, **kwargs)
