"""Functions that the user declares to be constant: what they are given is looked at as it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.recorder import arrays, escapes
from adtrans.recorder.memory import STATE
from adtrans.recorder.numbers import PLAIN, plain
from adtrans.recorder.recorded_needs import written
from adtrans.recorder.recorded_refusals import refuse

_ndarray = np.ndarray


def run(rule: Any, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A function that the user says to be constant: it may look at what carries a derivative,
    and neither write it nor hand it on."""
    name = f"`{getattr(f, '__name__', rule.shown)}`"
    before = []
    for owner in escapes.owners((args, kwargs)).values() if STATE.runs else ():
        memory = STATE.find(owner) if type(owner) is _ndarray else None
        if memory is not None and (memory.levels or memory.needs):
            before.append((owner, memory, owner.copy("K")))
    args, kwargs = tuple(map(arrays.plain_of, args)), {
        n: arrays.plain_of(v) for n, v in kwargs.items()
    }
    if STATE.runs and escapes.holds_numbers((args, kwargs)):  # which it might keep
        refuse(name, "numbers that vary are in what it is given",
               fix="hand them over one by one, or through `adtrans.stop_gradient`")  # fmt: skip
    found = f(*args, **kwargs)
    for owner, memory, was in before:
        if owner.tobytes() != was.tobytes():
            if memory.levels:
                refuse(name, "it writes what carries a derivative, and is said to be constant",
                       code="AD412")  # fmt: skip
            owner[...], now = was, owner.copy("K")
            written(memory, owner, whole=False)
            owner[...] = now
    if type(found) in PLAIN:
        return plain(found)
    if escapes.reaches(found):
        refuse(name, "it hands on what carries a derivative, and is said to be constant",
               code="AD412")  # fmt: skip
    return found
