"""Numbers that are written into texts and files, and what is read out of these again.

A text carries no derivative. To write an active number is fine; to read a number out of a text that
one was written into would lose its derivative without a sign of it, and is refused. Texts are known
by what they say, so that it does not matter through which hands, containers and files they went.
An integer that is read out of a text is a constant, as the result of any other rounding.
"""

from __future__ import annotations

import ast
import bz2
import contextlib
import decimal
import fractions
import functools
import gzip
import io
import json
import lzma
import os
import pprint
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from adtrans.recorder.memory import STATE
from adtrans.recorder.numbers import PLAIN, plain
from adtrans.recorder.recorded_refusals import refuse

_FILE = ""  # is a part of any text: nobody knows what is in a file
_MANY = 1_000_000  # items of a list, or elements of an array, that are looked through
READING = "a number that is read out of a text"
_SHORT = 2  # digits that a longer text has by chance
_OPENERS: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}

WRITERS: tuple[Any, ...] = (
    str, repr, format, ascii, str.format, np.str_, json.dumps, np.array2string, np.array_repr,
    np.array_str,
    np.format_float_positional, np.format_float_scientific, pprint.pformat, pprint.saferepr,
)  # fmt: skip
"""Functions whose result is a text of what they are given."""

FILERS: tuple[Any, ...] = (json.dump, np.savetxt, np.save, np.savez, np.savez_compressed)
"""Functions that write what they are given into a file."""

READERS: tuple[Any, ...] = (
    json.loads, json.load, ast.literal_eval, np.fromstring, np.loadtxt, np.genfromtxt, np.load,
    np.fromfile, np.frombuffer, np.fromregex, np.memmap, decimal.Decimal, fractions.Fraction,
    float.fromhex,
)  # fmt: skip
"""Functions that read numbers out of a text or a file."""


def note(text: str | bytes) -> None:
    """An active number was written into a text."""
    if STATE.runs:
        STATE.texts.add(text.strip())


def note_all(values: Any) -> None:
    """All active numbers and arrays in a container may be shown as they are."""
    for v in _within(values):
        if type(v) in PLAIN:
            note(str(plain(v)))
            note(repr(plain(v)))
        elif type(v) is np.ndarray and STATE.levels_of(v):
            note(str(v))
            note_elements(v)


def note_elements(a: Any) -> None:
    """The elements of an array became texts."""
    for v in a.flat if a.size <= _MANY else ():
        note(v if isinstance(v, str | bytes) else str(v))
    if a.size > _MANY:
        note(_FILE)


def _within(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple | set | frozenset):
        for v in value:
            yield from _within(v)
    elif isinstance(value, dict):
        for v in (*value.keys(), *value.values()):
            yield from _within(v)
    else:
        yield value


def formatted(value: Any) -> Any:
    """What stands in an f-string; numbers note it themselves (see `numbers`)."""
    if type(value) is np.ndarray and STATE.runs and STATE.levels_of(value):
        note(str(value))
    return value


def percent(text: Any, values: Any) -> Any:
    """`text % values`"""
    from adtrans.recorder.escapes import reaches

    found = text % values
    if STATE.runs and reaches(values):
        note(found if isinstance(found, str) else found.decode("latin-1"))
    return found


# -- what is read ---------------------------------------------------------------------------------


def check(value: Any) -> None:
    """Numbers are read out of texts: of one, or of all in a list or an array.

    Raises:
        CompileError: AD202 where an active number may have been written there.
    """
    if not STATE.texts or isinstance(value, int | float | complex):
        return
    if isinstance(value, str):
        _check(value.strip())
    elif isinstance(value, bytes | bytearray | memoryview):
        whole = bytes(value)
        if whole and any(type(t) is bytes and (t in whole or whole in t) for t in STATE.texts):
            _refuse()
        _check(whole.decode("latin-1").strip())
    elif isinstance(value, np.ndarray):
        if value.dtype.kind in "USOT":
            if value.size > _MANY:
                _refuse()
            for v in value.flat:
                check(v)
    elif isinstance(value, list | tuple | set | frozenset | dict):
        for v in _within(value):
            if isinstance(v, str | bytes | np.ndarray):
                check(v)


def _check(shown: str) -> None:
    if not shown or not (any(c.isdigit() for c in shown) or _is_number(shown)):
        return
    short = len(shown) <= _SHORT and shown.isdigit()  # the 2 of "step 2: 0.625", say
    if any(type(t) is str and (t in shown or (not short and shown in t)) for t in STATE.texts):
        _refuse()


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _refuse() -> None:
    refuse(READING,
           "a value that carries a derivative was written there, and a text carries none",
           code="AD202", fix="hand the number on, and not its text")  # fmt: skip


def check_file(file: Any) -> None:
    """The same where a file is read, or a text as if it were one; it may be given by its name."""
    if not STATE.texts:
        return
    held = _content(file)
    if held is None:
        check(file)
    elif any(type(t) is bytes and t in held for t in STATE.texts):
        _refuse()
    else:
        _check(held.decode("latin-1").strip())


def _content(file: Any) -> bytes | None:
    """What is in a file; None of what is none, or cannot be read a second time."""
    if isinstance(file, io.StringIO):
        return file.getvalue().encode("latin-1", "replace")
    if isinstance(file, io.BytesIO):
        return file.getvalue()
    if hasattr(file, "flush") and isinstance(getattr(file, "name", None), str):
        with contextlib.suppress(OSError, ValueError):
            file.flush()
        file = file.name
    if isinstance(file, str | os.PathLike) and os.path.isfile(file):
        opener = _OPENERS.get(os.path.splitext(file)[1], open)
        with contextlib.suppress(OSError), opener(file, "rb") as held:
            found: bytes = held.read()
            return found
    return None


# -- the functions --------------------------------------------------------------------------------


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
    if isinstance(result, str):
        note(result)
    else:
        _note_file([*args[:2], *kwargs.values()])
    return result


def _note_file(given: list[Any]) -> None:
    """Something active was written into a file, which is among the arguments."""
    for file in given:
        for name in (file, f"{file}.npy", f"{file}.npz") if isinstance(file, str) else (file,):
            held = _content(name)
            if held:
                note(held)
                for line in held.splitlines() if held.isascii() else ():
                    note(line.decode())
                return
    note(_FILE)


def _reading(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    from adtrans.recorder.escapes import reaches

    for a in (*args[:1], *list(kwargs.values())[:1]):
        check_file(a)
    if STATE.runs and reaches((args, kwargs)):
        refuse(f"`{f.__name__}`", "it is written in C, and there is no rule for it")
    return f(*args, **kwargs)
