"""Functions that print and draw: they look at what they are given, and what they hand back is no
part of the computation.

>>> import logging
>>> shown(logging.getLevelName, (20,), {})
'INFO'
"""

from __future__ import annotations

import dis
import logging
import types
from typing import Any

import numpy as np

from adtrans.recorder import escapes, texts
from adtrans.recorder.memory import STATE
from adtrans.recorder.recorded_needs import here
from adtrans.recorder.recorded_refusals import refuse
from adtrans.recorder.rewritten import rewritten

_OF_A_LOGGER = (logging.LogRecord, logging.Handler, logging.Filter, logging.Formatter,
                logging.PercentStyle)  # fmt: skip


def shown(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of such a function, whose result may be a number only where nobody takes it."""
    from adtrans.recorder.arrays import plain_of

    if STATE.runs and _has_listeners(f, args):
        return rewritten(f)(*args, **kwargs)
    if STATE.runs:
        texts.note_all((args, kwargs))
    found = f(*map(plain_of, args), **{n: plain_of(v) for n, v in kwargs.items()})
    if _holds_numbers(found) and escapes.reaches((args, kwargs)) and not _is_dropped():
        refuse(f"`{f.__name__}`", "it is taken for one that shows things, and it returns numbers",
               fix="give it `adtrans.stop_gradient(...)` of what it looks at")  # fmt: skip
    return found


def _has_listeners(f: Any, args: tuple[Any, ...]) -> bool:
    """Does a call that logs reach a handler, filter or formatter of the user's?"""
    if (getattr(f, "__module__", None) or "").partition(".")[0] != "logging":
        return False
    logger = args[0] if args else None
    if isinstance(logger, _OF_A_LOGGER):
        return True  # it is called by a logger that has
    logger = getattr(logger, "logger", logger)  # of an adapter
    logger = logger if isinstance(logger, logging.Logger) else logging.root
    while logger is not None:
        handlers = getattr(logger, "handlers", [])  # none before it is initialised
        found = [*getattr(logger, "filters", []), *handlers]
        for h in handlers:
            found += [*h.filters, *([] if h.formatter is None else [h.formatter])]
        if any(_is_of_user(v) for v in found):
            return True
        logger = logger.parent if getattr(logger, "propagate", False) else None
    return False


def _is_of_user(v: Any) -> bool:
    where = v if isinstance(v, types.FunctionType) else type(v)
    return (where.__module__ or "").partition(".")[0] not in ("logging", "_pytest")


def _holds_numbers(v: Any) -> bool:
    if isinstance(v, tuple | list):
        return any(map(_holds_numbers, v))
    if isinstance(v, dict):
        return any(map(_holds_numbers, v.values()))
    if isinstance(v, np.ndarray):
        return v.dtype.kind in "fc"
    return isinstance(v, float | complex | np.floating | np.complexfloating)


def _is_dropped() -> bool:
    """Does the user's line throw away what the call gives?"""
    code, at = here()
    found = [i.opname for i in dis.get_instructions(code) if i.offset > at and i.opname != "CACHE"]
    return found[:1] == ["POP_TOP"]
