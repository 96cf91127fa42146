"""What code that is not followed may do to globals: the names that it, and what it calls, assigns.

>>> scope = {}
>>> exec("def bump():\\n    global n\\n    n = 1\\ndef twice():\\n    bump(); bump()", scope)
>>> [g.name for g in assigned_behind(scope["twice"])]
['n']
"""

from __future__ import annotations

from collections.abc import Iterator
from dis import get_instructions
from types import CodeType, FunctionType, ModuleType

from adtrans.source.namespaces import Global

_MANY = 500  # functions


def reached(fn: object) -> Iterator[FunctionType]:
    """The Python functions behind `fn`, and those that they name, in turn."""
    waiting, seen = [fn], set[int]()
    while waiting and len(seen) < _MANY:
        found = waiting.pop()
        found = getattr(found, "__func__", getattr(found, "__wrapped__", found))
        if not isinstance(found, FunctionType) or id(found) in seen:
            continue
        seen.add(id(found))
        yield found
        waiting += values_named(found)


def values_named(fn: FunctionType) -> Iterator[object]:
    """What the names in the code of a function mean outside of it."""
    for code in codes(fn.__code__):
        yield from (fn.__globals__[n] for n in code.co_names if n in fn.__globals__)
    for cell in fn.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not assigned yet
            continue


def assigned_behind(fn: object) -> Iterator[Global]:
    """The globals that a function may assign, or those that it calls by name."""
    for f in reached(fn):
        modules = [vars(v) for v in values_named(f) if isinstance(v, ModuleType)]
        for code in codes(f.__code__):
            for op in get_instructions(code):
                name = str(op.argval)
                if op.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
                    yield Global(f.__globals__, name)
                elif op.opname in ("STORE_ATTR", "DELETE_ATTR"):
                    yield from (Global(table, name) for table in modules if name in table)


def codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function, and of those inside it."""
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from codes(const)
