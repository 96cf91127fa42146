"""Code that is not seen: functions in C without a rule.

>>> opaque(len, ([1, 2],), {})
2
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.recorder import escapes, texts
from adtrans.recorder.memory import STATE
from adtrans.recorder.recorded_needs import written
from adtrans.recorder.recorded_refusals import refuse
from adtrans.rules import registry

_ndarray = np.ndarray


def opaque(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Code that is not seen: it must be given nothing active, and may not write what is needed."""
    if STATE.runs and escapes.reaches((args, kwargs, f)):
        name = getattr(f, "__name__", type(f).__name__)
        why = registry.reason(f)
        refuse(f"`{name}`", why or "it is written in C, and there is no rule for it",
               fix="declare it: `adtrans.rule` or `adtrans.constant`")  # fmt: skip
    found = watched(f, args, kwargs)
    if STATE.texts and isinstance(found, float | complex | _ndarray):
        texts.check((args, kwargs))
    return found


def watched(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call as it is, after which what is needed of all arrays that it reaches must be as it was.

    Raises:
        MutationError: AD301, unless what was overwritten can be saved.
    """
    if not any(m.needs for m in STATE.memory.values()):
        return f(*args, **kwargs)
    reached = escapes.owners((args, kwargs, getattr(f, "__self__", None))).values()
    given = [v for v in reached if isinstance(v, _ndarray) and not v.dtype.hasobject]
    needed = [(v, v.copy("K")) for v in given if (m := STATE.find(v)) is not None and m.needs]
    try:
        return f(*args, **kwargs)
    finally:
        for v, before in needed:
            if v.tobytes() != before.tobytes():
                memory = STATE.find(v)
                assert memory is not None
                after = v.copy("K")
                v[...] = before  # so that a copy of what is needed can be made
                try:
                    written(memory, v, whole=False)
                finally:
                    memory.written = True
                    v[...] = after
