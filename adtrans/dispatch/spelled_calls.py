"""Functions that collect arguments, as functions of the arguments of a call.

Derivatives belong to the arguments that a call gives, not to the tuple and the dictionary that they
are collected in: positions in `wrt` count the items of `*args`, and of a decorated function, names
are those of the function that it wraps.

>>> f = spelled(lambda *args, **words: args[0] * args[1], 2, ("k",))
>>> print(inspect.getsource(f), end="")
def lambda_(args_0, args_1, *, k):
    return called(args_0, args_1, k=k)
"""

from __future__ import annotations

import inspect
import keyword
from functools import partial
from inspect import Parameter
from types import MethodType
from typing import Any

from adtrans.arguments.inputs import Target
from adtrans.dispatch.recipes import SPELLED, plain_name
from adtrans.driver.options import Wrt
from adtrans.emit.load import load
from adtrans.ir.names import NameAllocator
from adtrans.source import unwrap
from adtrans.source.held import held

_MANY = 64
_COLLECT = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
_PLACED = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def collected(target: Target, origin: object, wrt: Wrt, count: int | None = None) -> bool:
    """Whether what `wrt` selects, or with None the first argument, is one of those that a function
    collects. `count`: of the arguments by position of a call, all of which are meant by None."""
    forms = {p.name: p.kind for p in target.signature.parameters.values()}
    if not any(kind in _COLLECT for kind in forms.values()):
        return False
    placed = sum(forms[n] in _PLACED for n in target.visible)
    if wrt is None:
        return placed < (1 if count is None else count)
    every = wrt if isinstance(wrt, tuple) else (wrt,)
    if any(isinstance(w, str) and forms.get(_root(w)) in _COLLECT for w in every):
        return False  # all that is collected
    known = _names(origin)
    return any(
        w < 0 or w >= placed if isinstance(w, int) else w not in forms and _root(w) in known
        for w in every
    )


def collecting(target: Target) -> tuple[str, ...]:
    """The first parameter that collects arguments."""
    every = target.signature.parameters.values()
    return (next(p.name for p in every if p.kind in _COLLECT),)


def _root(selector: str) -> str:
    return selector.replace("[", ".").partition(".")[0]


def _names(origin: object) -> tuple[str, ...]:
    """The parameters that a function is said to have: those of what a decorator wraps."""
    try:
        return tuple(inspect.signature(origin).parameters)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ()


def spelled(origin: object, count: int, keywords: tuple[str, ...]) -> Any:
    """A function with a parameter for each argument that is given, which passes them on as they
    were given; None where there is none, as for arguments that do not fit."""
    origin = held(origin, "__wrapped__") if hasattr(type(origin), "modes") else origin
    found = unwrap(origin)
    fn: Any = found.fn
    if found.args or found.kwargs:
        plain = isinstance(origin, MethodType) and origin.__func__ is fn
        fn = origin if plain else partial(fn, *found.args, **found.kwargs)
    said = inspect.signature(origin).parameters.values()  # type: ignore[arg-type]
    names = [p.name for p in said if p.kind in _PLACED][:count]
    more = [p.name for p in said if p.kind == Parameter.VAR_POSITIONAL]
    if len(names) < count and not more:
        return None
    known = found.fn.__dict__.setdefault(SPELLED, {})
    key = count, keywords, id(origin) if fn is not found.fn else None, *names
    if key in known:
        return known[key][0]
    name = plain_name(found.fn)
    name = f"{name}_" if keyword.iskeyword(name) else name
    own = NameAllocator({*names, *keywords, name})
    names += [own.fresh(f"{more[0]}_{k}") for k in range(count - len(names))]
    if not set(names).isdisjoint(keywords):
        return None
    called = own.fresh("called")
    head = ", ".join([*names, *(["*", *keywords] if keywords else [])])
    given = ", ".join([*names, *(f"{k}={k}" for k in keywords)])
    text = f"def {name}({head}):\n    return {called}({given})\n"
    if len(known) >= _MANY:
        known.clear()
    known[key] = load(text, name, {called: fn})[name], origin  # which keeps its identity
    return known[key][0]
