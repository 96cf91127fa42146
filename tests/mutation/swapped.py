"""Puts a mutant into the running process: the functions that it changes get other code.

>>> def double(x):
...     return x + x
>>> new = compile("def double(x):\\n    return x * x", "f.py", "exec")
>>> swap({"double": double}, new)
True
>>> double(3)
9
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import CodeType, FunctionType

from tests.mutation.model import ROOT, Mutant


def put_in_place(mutant: Mutant) -> bool:
    """Whether the change could be made: it is not, where it is outside of all functions."""
    if mutant.put is not None:
        mutant.put()
        return True
    path = ROOT / mutant.file
    text = path.read_text()
    name = ".".join(Path(mutant.file).with_suffix("").parts).removesuffix(".__init__")
    module = importlib.import_module(name)
    return swap(vars(module), compile(mutant.applied(text), str(path), "exec"), name)


def swap(found: Mapping[str, object], module: CodeType, name: str | None = None) -> bool:
    """Give the functions of a module the code that they have in `module`; whether any changed."""
    new = dict(codes(module))
    done = False
    for where, fn in functions(found, name):
        code = new.get(where)
        if code is not None and code != fn.__code__:
            fn.__code__ = code
            done = True
    return done


def codes(outer: CodeType, path: str = "") -> Iterator[tuple[str, CodeType]]:
    """The code of the functions of a module and of the classes in it, by name."""
    for inner in outer.co_consts:
        if isinstance(inner, CodeType):
            yield path + inner.co_name, inner
            yield from codes(inner, f"{path}{inner.co_name}.")


def functions(
    found: Mapping[str, object], module: str | None, path: str = ""
) -> Iterator[tuple[str, FunctionType]]:
    """The functions of a module and of the classes in it, by name."""
    for name, value in list(found.items()):
        if isinstance(value, property):
            value = value.fget
        elif isinstance(value, classmethod | staticmethod):
            value = value.__func__
        elif isinstance(value, functools._lru_cache_wrapper):
            value = value.__wrapped__
        if module is not None and getattr(value, "__module__", module) != module:
            continue
        if isinstance(value, FunctionType):
            yield path + name, value
        elif isinstance(value, type):
            yield from functions(vars(value), module, f"{path}{name}.")
