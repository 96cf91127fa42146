"""What rewritten source calls, by the names that it uses (see `rewrite`)."""

from __future__ import annotations

from typing import Any

from adtrans.recorder import calls, generated, looked_up, objects, operators, patterns, texts
from adtrans.recorder.memory import STATE
from adtrans.recorder.numbers import PLAIN
from adtrans.recorder.rewritten import HELPERS


def noteglobal(names: dict[str, Any], name: str) -> None:
    """Note that a global was assigned: it outlives the run."""
    if STATE.runs and (type(names[name]) in PLAIN or not isinstance(names[name], int | str)):
        STATE.runs[-1].globals.setdefault(id(names), (names, set()))[1].add(name)


HELPERS.update(operators.OPERATORS)
HELPERS.update({
    "call": calls.call, "method": calls.method, "bound": looked_up.bound,
    "applied": looked_up.applied, "getitem": objects.getitem,
    "setitem": objects.setitem, "delitem": objects.delitem, "getattr": objects.getattribute,
    "setattr": objects.setattribute, "delattr": objects.delattribute, "iter": objects.iterate,
    "unpacked": objects.unpacked, "unpack": objects.unpack, "spread": objects.spread,
    "slice": slice, "truth": objects.truth, "manager": objects.manager,
    "decorator": objects.decorator, "matched": patterns.matched,
    "formatted": texts.formatted, "classmaker": generated.ClassMaker,
    "noteglobal": noteglobal, "namespace": None,
})  # fmt: skip
