"""Copies of objects: `copy.copy` shares what the attributes hold, `copy.deepcopy` shares nothing.

The real copy is made as the user wrote it; its attributes are then those of the original, or copies
of them.
"""

from __future__ import annotations

import copy
import inspect

from adtrans.analyses.objects.computed_once import function_of
from adtrans.analyses.objects.displays import CONTAINERS, counts
from adtrans.analyses.objects.model import DEPTH, Key
from adtrans.analyses.objects.object_facts import Objects
from adtrans.ir import expr as E
from adtrans.ir import stmt as S

_OWN = (
    "__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__",
    "__getnewargs__", "__getnewargs_ex__",
)  # fmt: skip


def original(s: S.Stmt, o: Objects) -> tuple[Key, bool] | None:
    """The object that a statement makes a copy of, and whether it is a deep one."""
    match s:
        case S.Invoke(fn=E.Ref(value=fn), args=(E.Name() as v,), kwargs=(), target=str()) if (
            fn is copy.copy or fn is copy.deepcopy
        ):
            key = o.of(v)
            deep = fn is copy.deepcopy
            if key is None or not _is_copied(o.one(key), deep, o):
                return None
            return o.one(key), deep
        case _:
            return None


def _is_copied(key: Key, deep: bool, o: Objects) -> bool:
    """Whether a copy of an object has copies of its attributes: of a container that is copied with
    what it holds, where its keys are known and it can be given the copies as items."""
    cls = o.classes[key]
    if cls not in CONTAINERS:
        once = any(function_of(cls, attr) for attr in o.written.get(key, ()))
        return _is_plain(cls) and not (deep and once)
    return deep and cls is not tuple and counts(o, key) is not None


def _is_plain(cls: type) -> bool:
    """Whether objects of a class are copied attribute by attribute."""
    missing = object()
    return all(
        inspect.getattr_static(cls, n, missing) is inspect.getattr_static(object, n, missing)
        for n in _OWN
    )


def pairs(new: Key, old: Key, o: Objects) -> list[tuple[Key, Key]] | None:
    """The objects and containers that a deep copy makes, with their originals, outermost first;
    None where one is not copied attribute by attribute, or is reached in two ways."""
    found: list[tuple[Key, Key]] = [(new, old)]
    seen = {old}
    for made, of in found:
        for owner, attr in list(o.contents):
            held = o.inner(of, attr) if owner == of else None
            if owner != of or not any(k[0] != "other" for k in o.contents[owner, attr]):
                continue
            if held is None or o.one(held) in seen:
                return None
            if len(found) > 4 * DEPTH or not _is_copied(o.one(held), True, o):
                return None
            seen.add(o.one(held))
            found.append((("attribute", made, attr), o.one(held)))
    return found
