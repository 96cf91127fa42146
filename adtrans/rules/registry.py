"""The table of rules, found by object identity; dotted names are resolved when first needed.

>>> import numpy as np
>>> lookup(np.abs) is lookup(np.absolute), lookup(np.add.at).form, lookup(object())
(True, 'scatter', None)
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import TypeAlias, TypeVar

from adtrans.rules.rule import Rule
from adtrans.source.libraries import is_library

_Key: TypeAlias = "int | tuple[int, str]"

_PENDING: dict[str, list[tuple[str, Rule]]] = {}
_FOUND: dict[_Key, tuple[object, Rule]] = {}
_METHODS: dict[tuple[str, str], Rule] = {}
_ATTRIBUTES: dict[str, Rule] = {}
_OPERATORS: dict[tuple[str, int], Rule] = {}
_NAMED: dict[str, Rule] = {}
_MAKERS: list[str] = []
_UNNAMED: dict[str, list[tuple[str, str]]] = {}
_REASONS: dict[_Key, tuple[object, str]] = {}
_LOCK = threading.RLock()


def _full(spelling: str) -> str:
    if spelling.startswith("np."):
        return "numpy." + spelling[3:]
    return spelling if "." in spelling else f"builtins.{spelling}"


_HELPERS = "adtrans.runtime.with_scipy"
_NESTED = ("scipy.sparse.linalg.", "scipy.spatial.distance.")


def _module(full: str) -> str:
    """The module that has to be imported before `full` means anything."""
    parts = full.split(".")
    if full.startswith("numpy.ma."):  # which NumPy imports when it is asked for
        return "numpy.ma"
    if full.startswith(_HELPERS + "."):
        return _HELPERS
    if full.startswith("numpy.polynomial."):
        return "numpy.polynomial"
    if parts[0] != "scipy":
        return parts[0]
    return ".".join(parts[:3] if full.startswith(_NESTED) else parts[:2])


def resolve(spelling: str) -> object:
    """The object that a dotted name means, or `LookupError` (an older or newer NumPy lacks it)."""
    full = _full(spelling)
    root = _module(full)
    if root not in sys.modules:
        raise LookupError(spelling)
    found: object = sys.modules[root]
    *inner, last = full[len(root) + 1 :].split(".")
    for part in inner:
        if not hasattr(found, part):
            raise LookupError(spelling)
        found = getattr(found, part)
    if root != "adtrans" and isinstance(found, ModuleType) and last not in vars(found):
        raise LookupError(spelling)  # what NumPy makes when asked for it is deprecated, and warns
    if not hasattr(found, last):
        raise LookupError(spelling)
    return getattr(found, last)


def add(rule: Rule, *spellings: str) -> Rule:
    """Register `rule` under dotted names; they are looked up when a rule is first asked for."""
    for s in spellings:
        _PENDING.setdefault(_module(_full(s)), []).append((s, rule))
        _NAMED.setdefault(_full(s).removeprefix("builtins."), rule)
    return rule


def add_helper(rule: Rule) -> None:
    """Register `rule` for a helper that is loaded with SciPy; it is in no list."""
    _PENDING.setdefault(_HELPERS, []).append((f"{_HELPERS}.{rule.spelling}", rule))


def add_reason(spelling: str, why: str) -> None:
    """Say why a function has no rule."""
    _UNNAMED.setdefault(_module(_full(spelling)), []).append((spelling, why))


def reason(obj: object) -> str | None:
    """Why a function has no rule, where that was said.

    >>> import numpy as np
    >>> reason(np.matrix).partition(":")[0], reason(np.sin)
    ('matrices and records behave differently from arrays', None)
    """
    if _UNNAMED:
        for key, held, why in _resolved(_UNNAMED):
            _REASONS.setdefault(key, (held, why))
    found = _REASONS.get(_key(obj))
    return None if found is None else found[1]


def add_object(obj: object, rule: Rule) -> None:
    """Register `rule` for one object (a user's function); it replaces an earlier one."""
    with _LOCK:
        _FOUND[_key(obj)] = (obj, rule)


def add_maker(*spellings: str) -> None:
    """Register functions that make a function from known ones, and do nothing else.

    A call of one, such as `grad(g)`, is evaluated when a function that contains it is compiled.
    """
    _MAKERS.extend(spellings)


def is_maker(obj: object) -> bool:
    """Whether calls of `obj` with known arguments are evaluated when compiling."""
    if getattr(type(obj), "makes_functions", False):
        return True
    return callable(obj) and any(resolve(s) is obj for s in _MAKERS)


def add_method(name: str, rule: Rule, owner: str = "ndarray") -> None:
    """Register `rule` for the method `name` of a class."""
    _METHODS[owner, name] = rule
    if rule.call == "method":
        _NAMED.setdefault(rule.name, rule)


def add_attribute(name: str, rule: Rule) -> None:
    """Register `rule` for an attribute of arrays."""
    _ATTRIBUTES[name] = rule
    _NAMED.setdefault(rule.name, rule)


def add_operator(op: str, arity: int, rule: Rule) -> None:
    """Register `rule` for an operator of Python."""
    _OPERATORS[op, arity] = rule
    _NAMED.setdefault(f"operator {op}" if arity == 2 else f"operator unary {op}", rule)


def _key(obj: object) -> _Key:
    """Bound methods are made anew at each access: they are known by their owner and name."""
    owner = _owner(obj)
    if owner is None or isinstance(owner, type(sys)):
        return id(obj)
    return id(owner), str(getattr(obj, "__name__", ""))


def _owner(obj: object) -> object:
    """What a bound method belongs to. Others have no such attribute, whatever `__getattr__` of the
    user's says."""
    return getattr(obj, "__self__", None) if hasattr(type(obj), "__self__") else None


_What = TypeVar("_What")


def _resolved(
    waiting: dict[str, list[tuple[str, _What]]],
) -> Iterator[tuple[_Key, object, _What]]:
    """What waits for modules that are imported by now: key, object to keep alive, what is said."""
    for module in [m for m in waiting if m in sys.modules]:
        with _LOCK:
            for spelling, what in waiting.pop(module, ()):
                try:
                    obj = resolve(spelling)
                except LookupError:
                    continue  # not in this version of NumPy
                if is_library(module) and _replaced(obj):
                    continue  # somebody put another one there
                held = obj if isinstance(_key(obj), int) else getattr(obj, "__self__", obj)
                yield _key(obj), held, what


def _replaced(obj: object) -> bool:
    """Whether what a library has under a name is a function, a class or an object of the user's."""
    if not isinstance(obj, FunctionType | type):
        obj = getattr(type(obj), "__call__", None)  # noqa: B004
    own = isinstance(obj, FunctionType | type)
    return own and (not is_library(obj.__module__) or obj.__module__.startswith("unittest"))


def _resolve_pending() -> None:
    for key, held, rule in _resolved(_PENDING):
        _FOUND.setdefault(key, (held, rule))


def lookup(obj: object) -> Rule | None:
    """The rule for a function object (or class, or bound method of a random generator), or None."""
    if _PENDING:
        _resolve_pending()
    found = _FOUND.get(_key(obj))
    if found is not None:
        return found[1]
    owner = _owner(obj)
    return None if owner is None else method(str(getattr(obj, "__name__", "")), type(owner))


def run_again(obj: object) -> object | None:
    """The function that a checkpoint is of; None for everything else.

    >>> run_again(len) is None
    True
    """
    rule = lookup(obj) if callable(obj) else None
    return None if rule is None or rule.custom is None else rule.custom.again


def has_method(obj: object, name: str) -> bool:
    """Whether there is a rule for this method of this very object, such as `stats.norm.logpdf`."""
    if _PENDING:
        _resolve_pending()
    return (id(obj), name) in _FOUND


def method(name: str, owner: type | None = None) -> Rule | None:
    """The rule for a method of arrays, or of the class `owner`; the receiver is the first argument.

    >>> import numpy as np
    >>> method("sum").name, method("standard_normal", np.random.Generator).impure
    ('numpy.sum', True)
    """
    if owner is None:
        return _METHODS.get(("ndarray", name))
    if owner.__module__.startswith("scipy.sparse."):
        return _METHODS.get(("sparse", name))
    if owner.__module__ == "builtins" and owner.__name__ == "SuperLU":  # what `splu` returns
        return _METHODS.get(("SuperLU", name))
    if owner.__module__ != "logging" and not owner.__module__.startswith("numpy"):
        return None
    return _METHODS.get((owner.__name__, name))


def attribute(name: str) -> Rule | None:
    """The rule for an attribute of arrays.

    >>> attribute("T").result, attribute("shape").form
    ('view', 'constant')
    """
    return _ATTRIBUTES.get(name)


def operator(op: str, arity: int) -> Rule:
    """The rule for an operator as `ir.expr` spells it; comparisons have arity 2.

    Raises:
        KeyError: if Python has no such operator.
    """
    return _OPERATORS[op, arity]


def all_rules() -> Iterator[tuple[str, Rule]]:
    """Every rule under each of its names, sorted by name."""
    return iter(sorted(_NAMED.items()))


def describe(rule: Rule) -> str:
    """One line of text about a rule.

    >>> describe(lookup(len))
    'len(...)  constant, cheap'
    """
    if rule.refused:
        return f"{rule.name}(...)  refused: {rule.refused}"
    args = ", ".join(str(p) for p in rule.params if p.name not in ("casting", "order", "subok"))
    words: list[str] = [rule.form]
    if rule.active_params:
        words.append("d/d " + ", ".join(rule.active_params))
    if rule.result != "fresh":
        words.append(f"{rule.result.replace('_', ' ')} of {rule.of}")
    if rule.writes:
        words.append("writes " + ", ".join(rule.writes))
    words += [w for w, is_so in (("impure", rule.impure), ("cheap", rule.cheap)) if is_so]
    return f"{rule.name}({'...' if rule.any_arguments else args})  {', '.join(words)}"
