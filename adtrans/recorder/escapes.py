"""Where active values can be reached from, and putting plain ones in their place when a run ends.

>>> reaches([1.0, {"a": (2.0, None)}])
False
"""

from __future__ import annotations

import functools
import gc
import sys
import types
import weakref
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from adtrans.recorder.boxes import BOXES, boxed
from adtrans.recorder.memory import STATE, owner_of
from adtrans.recorder.numbers import PLAIN, innermost
from adtrans.recorder.recorded_needs import WRITTEN
from adtrans.recorder.twins import Twin

_ndarray = np.ndarray
_COMPILED = (
    ("adtrans.dispatch.recipes", "Family"), ("adtrans.dispatch.dispatcher", "Dispatcher"),
    ("adtrans.dispatch.compiled_version", "Version"),
)  # fmt: skip
_HOME = str(Path(__file__).parents[1])
_ATOMS = (int, str, bytes, float, complex, type(None), type, types.ModuleType, np.generic, np.dtype,
          np.ufunc, types.CodeType, weakref.ref)  # fmt: skip
_WITHOUT_STATE = sys.stdlib_module_names | {"numpy", "scipy", "pandas", "matplotlib", "adtrans"}
"""Packages whose globals hold nothing of the user's."""
_MANY = 100_000


def is_ours(f: Any) -> bool:
    """Is a function one of adtrans itself, but for what generated code calls?"""
    module = getattr(f, "__module__", None) or ""
    if not f.__code__.co_filename.startswith(_HOME):
        return False  # an example in a docstring, say
    return module.startswith("adtrans.") and not module.startswith(
        ("adtrans.runtime", "adtrans.rules.written", "adtrans.rules.in_python", "adtrans.tree",
         "adtrans.api.jacobians", "adtrans.api.elementwise", "adtrans.api.diagonal",
         "adtrans.arguments.cotangents")
    )


def is_ours_class(cls: type) -> bool:
    """The same of a class."""
    return cls.__module__.startswith("adtrans.") and not cls.__module__.startswith(
        ("adtrans.runtime", "adtrans.tree")
    )


@functools.cache
def names_of(code: types.CodeType) -> frozenset[str]:
    """The names of globals and attributes in a function and those that are written in it."""
    found = {*code.co_names}
    for c in code.co_consts:
        if isinstance(c, types.CodeType):
            found |= names_of(c)
    return frozenset(found)


def inside(value: Any) -> Iterator[Any]:
    """What a value holds directly, also in C: iterators, generators, bound methods."""
    t = type(value)
    if (t.__module__, t.__name__) in _COMPILED:
        return  # what was compiled holds nothing that its function does not
    if t is types.FunctionType:
        for cell in value.__closure__ or ():
            try:
                yield cell.cell_contents
            except ValueError:
                continue  # not bound yet
        yield value.__defaults__
        yield value.__kwdefaults__
        yield value.__dict__
        if (value.__module__ or "").partition(".")[0] in _WITHOUT_STATE:
            return
        for name in names_of(value.__code__):
            if name in value.__globals__:
                yield value.__globals__[name]
    elif t is np.flatiter:
        yield value.base
    elif t is np.nditer:
        yield value.operands
    elif isinstance(value, _ndarray):
        if value.dtype.kind == "O":
            yield from value.flat
        yield getattr(value, "__dict__", None)  # of a subclass
    elif t is np.flatiter:
        yield value.base
    else:
        yield from gc.get_referents(value)


def reaches(value: Any) -> bool:
    """Can an active number or array be reached from a value?"""
    if not STATE.runs or STATE.ceiling < 0:
        return False
    seen: dict[int, Any] = {}
    waiting = [value]
    while waiting:
        here = waiting.pop()
        t = type(here)
        if t in PLAIN:
            if type(innermost(here, STATE.ceiling)) in PLAIN:
                return True
            continue
        if isinstance(here, _ndarray):
            if STATE.levels_of(here):
                return True
            if t is _ndarray and here.dtype.kind != "O":
                continue
        if id(here) in seen:
            continue
        if BOXES and boxed(here) is not None:
            return True
        if isinstance(here, type | types.ModuleType):
            if any(id(here) in run.touched for run in STATE.runs):
                seen[id(here)] = here
                waiting.extend(vars(here).values())
            continue
        if isinstance(here, _ATOMS):
            continue
        seen[id(here)] = here
        if len(seen) > _MANY:
            return True
        waiting.extend(inside(here))
        if type(here).__flags__ & (1 << 9):
            waiting.append(type(here))
    return False


def holds_numbers(value: Any) -> bool:
    """Can an active number be reached from a value, but for the elements of arrays?"""
    seen: dict[int, Any] = {}
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if type(here) in PLAIN:
            return True
        if not isinstance(here, _ATOMS) and id(here) not in seen:
            seen[id(here)] = here
            waiting.extend(inside(here))
    return False


def owners(value: Any) -> dict[int, Any]:
    """The owners of all memory that can be reached from a value."""
    found: dict[int, Any] = {}
    seen: dict[int, Any] = {}
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, _ndarray):
            owner = owner_of(here)
            found[id(owner)] = owner
        elif not isinstance(here, _ATOMS) and id(here) not in seen:
            seen[id(here)] = here
            waiting.extend(inside(here))
    return found


# -- when a run ends ------------------------------------------------------------------------------


def put_right(
    touched: list[Any], assigned: dict[int, tuple[dict[str, Any], set[str]]],
    twins: list[Twin],
) -> None:  # fmt: skip
    """Plain numbers in the place of active ones, in all that something was put into."""
    seen = _Cleaning(twins)
    for holder in touched:
        _clean(holder, seen)
    for names, changed in assigned.values():
        for name in changed & names.keys():
            names[name] = _plain(names[name], seen)


def cleaned(value: Any, twins: list[Twin]) -> Any:
    """A result without active numbers: containers keep their identity, tuples are made anew."""
    return _plain(value, _Cleaning(twins))


class _Cleaning(dict[int, Any]):
    """What was seen, and the arrays that ran in the place of others."""

    def __init__(self, twins: list[Twin]) -> None:
        super().__init__()
        self.twins = {id(owner_of(t.copy)): t for t in twins}


def _plain(value: Any, seen: _Cleaning) -> Any:
    t = type(value)
    if t in PLAIN:
        return innermost(value, STATE.ceiling)
    if t is _ndarray and seen.twins:
        twin = seen.twins.get(id(owner_of(value)))
        if twin is not None:
            return twin.seen_as(value)
    if isinstance(value, tuple | frozenset):
        kind: Any = tuple if isinstance(value, tuple) else frozenset
        items = [*kind.__iter__(value)]
        new = [_plain(v, seen) for v in items]
        same = all(a is b for a, b in zip(new, items, strict=True))
        found = value if same else like(value, items, new)
        if t is not kind:
            _attributes(found, seen)
        return found
    if isinstance(value, _ATOMS):
        return value
    _clean(value, seen)
    return value


def like_tuple(old: Any, items: Any) -> Any:
    """A tuple with other items, of the same class: whatever that asks for when it is called."""
    return like(old, [*tuple.__iter__(old)], [*items])


def like(old: Any, items: list[Any], new: list[Any]) -> Any:
    """A tuple or frozen set of the class of the old one, with its attributes."""
    made = (tuple if isinstance(old, tuple) else frozenset).__new__(type(old), new)
    held = {id(a): b for a, b in zip(items, new, strict=True)}
    for name, v in getattr(old, "__dict__", {}).items():
        made.__dict__[name] = held.get(id(v), v)
    return made


def _clean(holder: Any, seen: _Cleaning) -> None:
    """Replace the active numbers in something that can be changed."""
    t = type(holder)
    if id(holder) in seen or (t.__module__, t.__name__) in _COMPILED:
        return
    seen[id(holder)] = holder
    if issubclass(t, list | deque):
        for k, v in enumerate(holder):
            new = _plain(v, seen)
            if new is not v:
                if issubclass(t, list):
                    list.__setitem__(holder, k, new)
                else:
                    deque.__setitem__(holder, k, new)
        _attributes(holder, seen)
    elif issubclass(t, dict):
        for k, v in [*dict.items(holder)]:
            new = _plain(v, seen)
            if new is not v:
                dict.__setitem__(holder, k, new)
        items = [(_plain_key(k, seen), v) for k, v in dict.items(holder)]
        if any(new is not old for (new, _), old in zip(items, dict.keys(holder), strict=True)):
            dict.clear(holder)
            for k, v in items:
                dict.__setitem__(holder, k, v)
        _attributes(holder, seen)
    elif issubclass(t, set):
        old_items = [*set.__iter__(holder)]
        new_items = [_plain_key(v, seen) for v in old_items]
        if any(a is not b for a, b in zip(old_items, new_items, strict=True)):
            set.clear(holder)
            set.update(holder, new_items)
    elif t is types.CellType:
        try:
            old = holder.cell_contents
        except ValueError:
            return
        new = _plain(old, seen)
        if new is not old:
            holder.cell_contents = new
    elif t is types.FunctionType:
        for cell in holder.__closure__ or ():
            if id(holder.__code__) in WRITTEN:
                _clean(cell, seen)
        if holder.__defaults__:
            new = _plain(holder.__defaults__, seen)
            if new is not holder.__defaults__:
                holder.__defaults__ = new
        for held in (holder.__kwdefaults__, holder.__dict__):
            if held:
                _clean(held, seen)
    elif issubclass(t, _ndarray):
        if holder.dtype.kind == "O":
            flat = holder.reshape(-1) if holder.flags.c_contiguous else holder.flat
            for k, v in enumerate(holder.flat):
                new = _plain(v, seen)
                if new is not v:
                    flat[k] = new
    elif t is types.MethodType:
        _clean(holder.__self__, seen)
    elif issubclass(t, type):
        for name, old in [*vars(holder).items()]:
            new = _plain(old, seen) if type(old) in PLAIN or isinstance(old, tuple) else old
            if new is not old:
                type.__setattr__(holder, name, new)
    elif not issubclass(t, types.GeneratorType):
        _attributes(holder, seen)


def _plain_key(key: Any, seen: _Cleaning) -> Any:
    return _plain(key, seen) if type(key) in PLAIN or isinstance(key, tuple | frozenset) else key


def _attributes(holder: Any, seen: _Cleaning) -> None:
    t = type(holder)
    try:
        held = object.__getattribute__(holder, "__dict__")
    except AttributeError:
        held = None
    if isinstance(held, dict) and not issubclass(t, type):
        _clean(held, seen)
    if issubclass(t, BaseException):
        holder.args = _plain(holder.args, seen)
    for cls in t.__mro__:
        names = cls.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if name[:2] == "__" and name[-2:] != "__":
                name = f"_{cls.__name__.lstrip('_')}{name}"
            try:
                old = object.__getattribute__(holder, name)
            except (AttributeError, TypeError):
                continue
            new = _plain(old, seen)
            if new is not old:
                object.__setattr__(holder, name, new)
