"""Methods that C code calls of the user's objects: rewritten for as long as something is recorded.

A sort calls `__lt__`, a dictionary `__hash__`, a list `__eq__`, an array of objects `__add__`: what
these compute, and keep in their objects, has to be recorded as if they were called by name. So a
class that a run meets has rewritten methods until the run ends; then it has its own again.

>>> class Odd:
...     def __bool__(self):
...         return bool(self.ask())
...     def __lt__(self, other):
...         return self.size < other.size
>>> Odd.__module__ = "shop"  # no class of adtrans
>>> _names(Odd)
('__bool__',)
"""

from __future__ import annotations

import contextlib
import dis
import sys
import threading
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from adtrans.diagnostics.errors import CompileError
from adtrans.recorder.memory import STATE
from adtrans.recorder.moving import CONTAINERS, LEFT_ALONE
from adtrans.recorder.rewritten import outer_cells, rewritten
from adtrans.source.reach import remembered

_FunctionType = types.FunctionType
_LOOKING = frozenset(str.split(
    "__lt__ __le__ __gt__ __ge__ __eq__ __ne__ __hash__ __bool__ __len__ __str__ __repr__ "
    "__format__ __contains__ __index__ __int__ __sizeof__ __instancecheck__ write writelines flush"
))  # fmt: skip
"""Their results do not vary: they matter only if they change something."""
_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul")
_COMPUTING = frozenset({
    *(f"__{r}{name}__" for name in _BINARY for r in ("", "r", "i")), "__neg__", "__pos__",
    "__abs__", "__round__", "__iter__", "__next__", "__getitem__", "__reversed__", "__missing__",
    *(name for name in dir(np) if isinstance(getattr(np, name), np.ufunc)),
})  # fmt: skip
"""What they give may vary; an array of objects calls methods that are named as functions are."""
_CHANGES = ("STORE_ATTR", "STORE_SUBSCR", "STORE_GLOBAL", "STORE_DEREF", "DELETE_", "LOAD_METHOD")
_HARMLESS = frozenset(str.split(
    "abs bool float hash id int isinstance issubclass len max min repr round str sum tuple type "
    "NotImplemented True False"
))  # fmt: skip
_OTHERS = frozenset({"adtrans", *LEFT_ALONE, *sys.stdlib_module_names} - {"__main__"})

_LENT: dict[type, tuple[list[Any], list[tuple[str, Any, Any]]]] = {}
"""By class, the runs that use it, and its methods as they were and as they are."""
_lock = threading.RLock()


def _names(cls: type) -> tuple[str, ...]:
    """The methods of a class, not of its bases, that are of concern, now: they may be replaced."""
    if not cls.__flags__ & (1 << 9) or (cls.__module__ or "").partition(".")[0] in _OTHERS:
        return ()
    return tuple([
        n for n, v in vars(cls).items() if type(f := _function(v)) is _FunctionType
        and (n in _COMPUTING or ((n in _LOOKING or f is not v) and _changes(f.__code__)))
    ])  # fmt: skip


def _function(member: Any) -> Any:
    """What a method runs, or a property that is read, as the text of a format does."""
    return member.fget if type(member) is property else member


@remembered
def _changes(code: types.CodeType) -> bool:
    """May code change something, or call what does?"""
    for op in dis.get_instructions(code):
        if op.opname.startswith(_CHANGES) or (op.opname == "LOAD_ATTR" and "NULL" in op.argrepr):
            return True
        if op.opname == "LOAD_GLOBAL" and op.argval not in _HARMLESS:
            return True
    return any(_changes(c) for c in code.co_consts if isinstance(c, types.CodeType))


def meet(cls: type) -> None:
    """A run meets objects of a class."""
    run = STATE.runs[0]
    if cls in run.met:
        return
    for c in cls.__mro__:
        if c not in run.met:
            run.met.add(c)
            if _names(c):
                _lend(c, run)


def meet_all(*values: Any) -> None:
    """The same of the objects in arguments, and in lists and dictionaries of them."""
    waiting, seen = [*values], set[int]()
    while waiting and len(seen) < 10_000:
        v = waiting.pop()
        if id(v) in seen:
            continue
        seen.add(id(v))
        t = type(v)
        if t is list or t is tuple:
            waiting.extend(v)
        elif t is dict:
            waiting.extend(v.values())
        elif t.__flags__ & (1 << 9):
            meet(t)


def held(f: Any) -> Iterator[Any]:
    """What a function has in hand beside its arguments."""
    yield getattr(f, "__self__", None)
    f = getattr(f, "__func__", f)
    if type(f) is not _FunctionType:
        yield f
        return
    yield from (f.__globals__.get(name) for name in f.__code__.co_names)
    for cell in f.__closure__ or ():
        with contextlib.suppress(ValueError):  # it is empty
            yield cell.cell_contents


def may_keep(f: Any) -> None:
    """A function of the user's runs as it is, and may keep what it is given: in what it has in
    hand, originals stand for their copies again when the run ends."""
    for v in held(f) if STATE.runs else ():
        if type(v) in CONTAINERS or type(v).__flags__ & (1 << 9):
            STATE.runs[-1].touched[id(v)] = v


def _lend(cls: type, run: Any) -> None:
    with _lock:
        if cls in _LENT:
            _LENT[cls][0].append(run)
            return
        changed = []
        for name in _names(cls):
            own: Any = vars(cls).get(name)
            f = _function(own)
            if type(f) is not _FunctionType:
                continue
            try:
                new: Any = rewritten(f)
            except CompileError:  # it has no source
                continue
            if new is f:
                continue
            if f is not own:
                new = property(new, own.fset, own.fdel, own.__doc__)
            for cell in outer_cells(f):
                run.touched[id(cell)] = cell
            type.__setattr__(cls, name, new)
            changed.append((name, own, new))
        if changed:
            _LENT[cls] = [run], changed


def give_back(run: Any) -> None:
    """A run ends, and the classes that it met have their own methods again."""
    met, run.met = run.met, set()
    with _lock:
        for cls in met if _LENT else ():
            users, changed = _LENT.get(cls, ([], []))
            if run not in users:
                continue
            users.remove(run)
            if users:
                continue
            del _LENT[cls]
            for name, own, new in changed:
                if vars(cls).get(name) is new:
                    type.__setattr__(cls, name, own)


@contextlib.contextmanager
def as_written() -> Iterator[None]:
    """What is compiled runs with the methods as they are written."""
    run = STATE.runs[0]
    met = run.met
    give_back(run)
    try:
        yield
    finally:
        give_back(run)
        for cls in met:
            run.met.add(cls)
            if _names(cls):
                _lend(cls, run)
