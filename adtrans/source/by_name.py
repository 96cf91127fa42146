"""The methods that code may call as far as the names in it tell, and those that these name in turn.

>>> class Pump:
...     def start(self): self.run()
...     def run(self): self.on = True
>>> def f(p): p.start()
>>> sorted(m.__name__ for m in methods_named([f], [Pump]))
['run', 'start']
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Iterator
from types import FunctionType

from adtrans.source.libraries import is_library
from adtrans.source.reach import names_in

_MAKING = frozenset({"__init__", "__new__", "__init_subclass__", "__set_name__"})
"""Methods that are called where a class is named, or is made."""


def user_classes() -> Iterator[type]:
    """The classes of the user's."""
    waiting: list[type] = [object]
    seen = set[type]()
    while waiting:
        below: list[type] = type.__subclasses__(waiting.pop())
        for cls in below:
            if cls not in seen:
                seen.add(cls)
                waiting.append(cls)
                if not is_library(cls.__module__):
                    yield cls


def functions_in(member: object) -> Iterator[FunctionType]:
    """The functions that an attribute of a class may run."""
    if isinstance(member, FunctionType):
        yield member
    elif isinstance(member, staticmethod | classmethod):
        yield from functions_in(member.__func__)
    elif isinstance(member, property):
        for part in (member.fget, member.fset, member.fdel):
            yield from functions_in(part)
    elif isinstance(member, functools.cached_property):
        yield from functions_in(member.func)


def names_in_code(fn: FunctionType) -> frozenset[str]:
    """The names of globals and attributes in the code of a function."""
    return names_in(fn.__code__)


def unnamed(classes: Iterable[type]) -> Iterator[FunctionType]:
    """The methods that run without being named, such as operators."""
    for cls in classes:
        for name, value in list(vars(cls).items()):
            if name.startswith("__") and name not in _MAKING:
                yield from functions_in(value)


def methods_named(
    functions: Iterable[FunctionType], classes: Collection[type]
) -> Iterator[FunctionType]:
    """Those methods of `classes`; also what is named by those that run without being named, where
    they belong to the same packages as the functions."""
    waiting = [*functions]
    packages = {_package(fn) for fn in waiting}
    waiting += (fn for fn in unnamed(classes) if _package(fn) in packages)
    table: dict[str, list[FunctionType]] = {}
    for cls in classes:
        for name, value in list(vars(cls).items()):
            table.setdefault(name, []).extend(functions_in(value))
    seen = set[int]()
    while waiting:
        for name in names_in_code(waiting.pop()):
            for method in table.get(name, ()):
                if id(method) not in seen:
                    seen.add(id(method))
                    waiting.append(method)
                    yield method


def _package(fn: FunctionType) -> str:
    return str(fn.__module__).partition(".")[0]
