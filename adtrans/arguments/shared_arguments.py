"""Arguments that share memory, or objects, with each other or with what else a function reaches.

A derivative follows each object and each array under one name; where one is written, it must not be
held by another as well. This is looked at before each call of a function that writes.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from types import FunctionType
from typing import Any

import numpy as np

from adtrans.analyses.held_by import held_by, is_alone
from adtrans.analyses.kinds.values import class_attributes
from adtrans.analyses.objects.classes import can_follow
from adtrans.arguments.inputs import Target
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import MutationError
from adtrans.diagnostics.render import render_all
from adtrans.driver.options import caller_span
from adtrans.runtime import overlaps
from adtrans.runtime.memory_checks import overlaps_itself


def check_objects(
    fn: FunctionType,
    owners: Iterable[tuple[str, object]],
    outside: Iterable[object],
    read: frozenset[str] | None = None,
    without: frozenset[int] = frozenset(),
) -> None:
    """Refuse objects whose attributes are followed, if they are seen in two places.

    `read`: the attributes that are read of objects; what a class holds beside them is read of the
    class only. `without`: functions and classes whose parts are known by other names.

    Raises:
        MutationError: AD308.
    """
    names = {id(owner): name for name, owner in owners}
    count = dict.fromkeys(names, 0)
    known: dict[int, object] = {}
    waiting = list(outside)
    while waiting:
        value = waiting.pop()
        if id(value) in count:
            count[id(value)] += 1
        if id(value) in known or is_alone(value):
            continue
        known[id(value)] = value
        parts = held_by(value, without)
        if read is not None and can_follow(type(value)):
            own = class_attributes(type(value))
            parts = [
                (step, v) for step, v in parts
                if step[1:] in read or step[0] != "." or own.get(step[1:]) is not v
            ]  # fmt: skip
        waiting += [v for _, v in parts]
    for number, times in count.items():
        if times > 1:
            name = names[number]
            raise _shared(
                Diagnostic(
                    "AD308",
                    f"`{name}` is the same object as another one, or held by one",
                    caller_span(),
                    why=f"`{fn.__name__}` reads or changes attributes of `{name}`, and each object "
                    "is followed under one name",
                    fixes=[Fix("pass a copy: `copy.copy(...)`")],
                    sure=False,
                )
            )


def check_overlap(
    target: Target,
    values: tuple[Any, ...],
    written: frozenset[str],
    captured: Iterable[tuple[str, object]],
    without: frozenset[int] = frozenset(),
) -> None:
    """Refuse arguments that share memory, with each other or in themselves, and are written.

    `captured` holds what else the function reaches, by name; `written` has names and paths.
    `without`: functions and classes whose parts are among these.

    Raises:
        MutationError: AD308. Overlapping arguments that are only read are fine.
    """
    held = [*zip(target.params, values, strict=True), *captured]
    arrays: list[tuple[str, np.ndarray[Any, Any]]] = []
    owners: dict[int, str] = {}
    for path, found in _places(held, written, without):
        name = _written_part(path, written)
        if isinstance(found, np.ndarray):
            arrays.append((name, found))
            continue
        before = owners.get(id(found))
        if before is not None and (name in written or before in written):
            raise _shared(_overlap(target.fn, before, name, written, "lists"))
        owners[id(found)] = name
    for i, (name, first) in enumerate(arrays):
        if name in written and first.flags.writeable and overlaps_itself(first):
            raise _shared(_folded(target.fn, name))
        for other, second in arrays[i + 1 :]:
            if (name in written or other in written) and overlaps(first, second):
                raise _shared(_overlap(target.fn, name, other, written))


def check_read(
    target: Target, values: Mapping[str, object], read: Iterable[tuple[str, object]]
) -> None:
    """Refuse what is differentiated and is also read under a name from outside.

    Raises:
        MutationError: AD308.
    """
    mine = {id(_memory(v)): path for path, v in _places(values.items(), frozenset(), frozenset())}
    for name, value in read:
        path = mine.get(id(_memory(value)))
        if path is not None:
            raise _shared(_also_read(target.fn, path, name))


def _also_read(fn: FunctionType, path: str, name: str) -> Diagnostic:
    """For an argument that is read under the name of a global as well."""
    why = (
        f"`{fn.__name__}`, or what it calls, reads it under both names, and a derivative by "
        f"`{path}` would leave out what is read as `{name}`."
    )
    fix = Fix(f"hand `{path}` on as an argument, or pass a copy: `copy.deepcopy({name})`")
    title = f"the argument `{path}` is also read from outside, as `{name}`"
    return Diagnostic("AD308", title, caller_span(), why=why, fixes=[fix])


def _memory(value: object) -> object:
    """The array that the memory of an array belongs to; a container itself."""
    if isinstance(value, np.ndarray) and value.base is not None:
        return value.base
    return value


def _places(
    held: Iterable[tuple[str, object]], written: frozenset[str], without: frozenset[int]
) -> Iterator[tuple[str, object]]:
    """The arrays, lists and dictionaries that are reached, each as often as it is there, with the
    paths to them: `m['a'][0]`, `self.rows[1]`. What objects hold is looked at once, and once more
    for each name or path that is written and leads there."""
    seen: dict[tuple[int, str], object] = {}
    waiting: list[tuple[str, object, tuple[object, ...]]]
    waiting = [(name, value, ()) for name, value in reversed([*held])]
    while waiting:
        path, value, around = waiting.pop()
        if isinstance(value, np.ndarray):
            yield path, value
            if not value.dtype.hasobject:
                continue
        if isinstance(value, bytearray | array):
            yield path, np.frombuffer(value, np.uint8)
        elif isinstance(value, tuple | list | dict | deque | set):
            if any(value is o for o in around):
                continue
            if not isinstance(value, tuple):
                yield path, value
            inside = (*around, value)
            parts = [(f"{path}{s}", v, inside) for s, v in held_by(value) if not is_alone(v)]
            waiting += reversed(parts)
        elif not is_alone(value) and (at := (id(value), _written_above(path, written))) not in seen:
            seen[at] = value
            parts = [(f"{path}{s}", v, ()) for s, v in held_by(value, without) if not is_alone(v)]
            waiting += parts


def _written_part(path: str, written: frozenset[str]) -> str:
    """The name or path that is written and contains what `path` leads to; where there is none, the
    path as messages show it: without the items."""
    for end, sign in enumerate(path):
        if sign in ".[" and path[:end] in written:
            return path[:end]
    return path if path in written else path.partition("[")[0]


def _written_above(path: str, written: frozenset[str]) -> str:
    """The name or path that is written and contains what `path` leads to, if there is one."""
    name = _written_part(path, written)
    return name if name in written else ""


def _overlap(
    fn: FunctionType, name: str, other: str, written: frozenset[str], what: str = "arrays"
) -> Diagnostic:
    victim = name if name in written else other
    if name == other:
        title = f"two {what} in `{name}` share memory"
    else:
        title = f"the arguments `{name}` and `{other}` share memory"
    why = (
        f"`{fn.__name__}` writes into `{victim}`, so both change, and a derivative that takes them "
        f"for two {what} would be wrong."
    )
    single = name == other and what == "lists"
    fix = Fix("put a copy of one of them there" if single else
              f"pass a copy of one of them, such as `{other}.copy()`")  # fmt: skip
    return Diagnostic("AD308", title, caller_span(), why=why, fixes=[fix], sure=False)


def _folded(fn: FunctionType, name: str) -> Diagnostic:
    """For an array that is written, of which several elements are one place in memory."""
    why = (
        f"`{fn.__name__}` writes into `{name}`, so that several elements change at once, and a "
        "derivative that takes them for several numbers would be wrong."
    )
    fix = Fix(f"pass a copy, such as `{name}.copy()`")
    title = f"elements of the argument `{name}` share memory"
    return Diagnostic("AD308", title, caller_span(), why=why, fixes=[fix], sure=False)


def _shared(d: Diagnostic) -> MutationError:
    """The error for arguments that share memory."""
    error = MutationError(render_all([d]), code=d.code)
    error.diagnostics = (d,)
    return error
