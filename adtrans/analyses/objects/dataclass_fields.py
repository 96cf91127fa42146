"""What the `__init__` that `dataclasses` writes for a class does, in order.

>>> @dataclasses.dataclass
... class Lens:
...     radius: float
...     index: float = 1.5
...     tilt: dataclasses.InitVar[float] = 0.0
...     def __post_init__(self, tilt): ...
>>> made = constructed(Lens, (E.Name("r"),), {"tilt": E.Name("t")})
>>> [(name, str(value)) for name, value in made.assigned], [str(v) for v in made.passed]
([('radius', 'r'), ('index', '1.5')], ['t'])
"""

from __future__ import annotations

import dataclasses
import functools
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adtrans.ir import expr as E

_MISSING = dataclasses.MISSING
_FACTORIES = {list: "list", dict: "dict"}


@dataclass(frozen=True)
class Constructed:
    """`assigned`: the attributes, in order, with what each gets; `passed`: what `__post_init__` is
    given, None where it is not called; `frozen`: objects refuse assignments by anybody else."""

    assigned: Sequence[tuple[str, E.Expr]]
    passed: tuple[E.Expr, ...] | None
    frozen: bool


def is_generated(method: object) -> bool:
    """Whether a method was written by `dataclasses`."""
    return getattr(getattr(method, "__code__", None), "co_filename", "") == "<string>"


def is_init(fn: object) -> bool:
    """Whether a function is the `__init__` that was written for some dataclass."""
    return is_generated(fn) and getattr(fn, "__name__", "") == "__init__"


def init_of(cls: type) -> type | None:
    """The class whose `__init__` makes objects of `cls`, where it was written for that class."""
    owner = next((c for c in cls.__mro__ if "__init__" in vars(c)), None)
    return owner if owner is not None and _has_own(owner) else None


def _has_own(cls: type) -> bool:
    return "__dataclass_fields__" in vars(cls) and is_generated(vars(cls).get("__init__"))


@functools.lru_cache(maxsize=256)
def owner_of(init: types.FunctionType) -> type | None:
    """The class that an `__init__` was written for."""
    every: list[type] = [object]
    seen: set[type] = {object}
    for c in every:
        if vars(c).get("__init__") is init:
            return c if _has_own(c) else None
        below: list[type] = type.__subclasses__(c)
        every += [d for d in below if d not in seen]
        seen.update(below)
    return None


def assigns(cls: type, name: str) -> bool:
    """Whether every object of the class is given this attribute when it is made."""
    owner = init_of(cls)
    return owner is not None and any(
        f.name == name and (f.init or f.default_factory is not _MISSING)
        for f in dataclasses.fields(owner)
    )


def constructed(
    owner: type, args: tuple[E.Atom, ...], kwargs: Mapping[str, E.Atom]
) -> Constructed | None:
    """What the `__init__` that was written for `owner` does with these arguments; None where that
    is not known, or they are none that it takes."""
    init = vars(owner).get("__init__")
    if not isinstance(init, types.FunctionType) or not _has_own(owner):
        return None
    assigned: list[tuple[str, E.Expr]] = []
    passed: list[E.Expr] = []
    left, words = list(args), dict(kwargs)
    slots = "__slots__" in vars(owner)
    for f in vars(owner)["__dataclass_fields__"].values():
        form = getattr(f, "_field_type", None)
        if form is getattr(dataclasses, "_FIELD_CLASSVAR", None):
            continue
        value: E.Expr | None
        if f.init and left and not f.kw_only:
            value = left.pop(0)
        elif f.init and f.name in words:
            value = words.pop(f.name)
        else:
            value = _default(owner, f)
            kept = not f.init and f.default_factory is _MISSING
            if kept and (value is None or not slots):
                continue  # what the class has
        if value is None:
            return None
        if form is getattr(dataclasses, "_FIELD_INITVAR", None):
            passed.append(value)
        else:
            assigned.append((f.name, value))
    if left or words:
        return None
    after = "__post_init__" in init.__code__.co_names
    frozen = getattr(owner, "__dataclass_params__").frozen  # noqa: B009 - no attribute of a type
    return Constructed(assigned, tuple(passed) if after else None, bool(frozen))


def _default(owner: type, f: dataclasses.Field[object]) -> E.Expr | None:
    """What a field gets that is not given: the object that the class was made with, for what is in
    the class may be another one by now."""
    if f.default is not _MISSING:
        if E.is_literal(f.default):
            return E.Const(f.default)
        return E.Ref(f"{owner.__name__}_{f.name}", f.default)
    if f.default_factory is _MISSING:
        return None
    if (kind := _FACTORIES.get(f.default_factory)) is not None:  # type: ignore[call-overload]
        return E.Sequence("list" if kind == "list" else "dict", ())
    return E.Call(E.Ref(f"{owner.__name__}_{f.name}", f.default_factory), ())
