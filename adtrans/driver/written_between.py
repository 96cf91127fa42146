"""Arrays and containers from outside that are written between a call and its pullback, which runs
a function again that reads them.

    total = quad(lambda t: t * x * CONFIG.rates[0], 0.0, 1.0)[0]
    CONFIG.rates[0] = 5.0               # the pullback would integrate with this rate

Globals that are written are refused (`pipeline`). Here is what is reached in other ways: attributes
of objects and classes, and variables of enclosing functions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from adtrans.analyses.objects.outside import Attribute
from adtrans.diagnostics.diagnostic import Diagnostic
from adtrans.driver.changed_containers import Lowered, changes
from adtrans.driver.instances import Member
from adtrans.driver.run_again import calls_again, contents_of, met_again, read_by
from adtrans.ir import expr as E
from adtrans.source.held import held
from adtrans.source.scope import MISSING, resolve

_WRITABLE = (list, dict, set, deque, bytearray, np.ndarray)


def written_between(
    members: list[Member], lowered: Mapping[int, Lowered], attributes: Iterable[Attribute]
) -> Iterator[Diagnostic]:
    """The errors at calls of what is run again, where it reads what the functions write."""
    again = [*calls_again(members, sure=True)]
    if not again:
        return
    written = [*_written(members, lowered, attributes)]
    for span, fn in again if written else ():
        read = [v for v in read_by([fn]).kept.values() if isinstance(v, _WRITABLE)]
        for text, value in written:
            inside = contents_of([value], code=False).kept.values()
            if any(_meet(v, r) for v in inside if isinstance(v, _WRITABLE) for r in read):
                yield met_again(span, fn, text, "written")
                break


def _written(
    members: list[Member], lowered: Mapping[int, Lowered], attributes: Iterable[Attribute]
) -> Iterator[tuple[str, object]]:
    """What is written of what comes from outside, as it is called and as it is now."""
    facts = [m.facts for m in members if m.facts is not None]
    keys = {o.key for f in facts for o in f.memory.written if o.form in ("param", "held")}
    for a in attributes:
        if a.name in keys and isinstance(a.owner, E.Ref):
            yield a.path, a.value({})
    for m in members:
        texts = {o.key for o in m.facts.memory.written if o.form == "global"} if m.facts else ()
        for text in sorted(texts):
            value = _meant(m.source.fn, text)
            if value is not MISSING and value is not None:
                yield text, value
    for _, body in lowered.values():
        for _, text, container in changes(body, more=True):
            yield text, container


def _meant(fn: Any, text: str) -> object:
    """What a dotted name means."""
    first, *rest = text.split(".")
    found = resolve(fn, first)
    for attr in rest:
        found = None if found is MISSING else held(found, attr)
    return found


def _meet(value: object, other: object) -> bool:
    if isinstance(value, np.ndarray) and isinstance(other, np.ndarray):
        return bool(np.may_share_memory(value, other))
    return value is other
