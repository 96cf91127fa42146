"""Functions for what their calls give them: a class, a function that makes objects, or nothing
where a default decides.

    def __init__(self, a, solver=Markley):
        self.solver = solver()                 -> self.solver = Markley()

What an object is made of, and which branch makes it, is known then. A version is made where a class
or such a function is given, or something that is called like a function, or an object may be left
out; a call has one version.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import BuiltinFunctionType, FunctionType

from adtrans.analyses.objects.classes import can_follow
from adtrans.analyses.objects.object_facts import Bound
from adtrans.ir import expr as E
from adtrans.lower.left_out import objects_or_none
from adtrans.lower.specialise import LITERALS, OBJECT, for_given, reads_by_name
from adtrans.source import SourceFunction
from adtrans.source.find import MADE

_FUNCTIONS = (FunctionType, BuiltinFunctionType)


@dataclass
class Given:
    """The versions, by function and what it is given."""

    made: dict[tuple[object, ...], FunctionType | None] = field(default_factory=dict)
    asked: dict[tuple[FunctionType, frozenset[str]], frozenset[str]] = field(default_factory=dict)

    def of(
        self,
        fn: FunctionType,
        source: SourceFunction,
        bound: Bound,
        called: frozenset[str],
        objects: frozenset[str],
        makes: Callable[[FunctionType], bool],
    ) -> FunctionType | None:
        """A version of `fn` for a call, None for `fn` itself; `called`: the parameters that mean
        objects which can be called, `objects`: those that mean any; `makes`: whether a function
        makes objects."""
        if source.fn is not fn:
            return None  # a decorator may do something else, too
        known = dict(_known(source, bound, called, makes))
        texts = [p for p, v in known.items() if isinstance(v, str)]
        classes = any(isinstance(v, type | FunctionType) for v in known.values())
        asked = frozenset(p for p, v in known.items() if v is None) | objects
        left_out = self.left_out(source, asked)
        if not (called or classes or left_out or (texts and reads_by_name(source, texts))):
            return None
        known.update(dict.fromkeys(left_out & objects, OBJECT))
        key = (fn, *((p, _token(v)) for p, v in sorted(known.items(), key=lambda i: i[0])))
        if key not in self.made:
            found = for_given(source, known)
            if found is not None:
                found.fn.__dict__[MADE] = found
            self.made[key] = None if found is None else found.fn
        return self.made[key]

    def left_out(self, source: SourceFunction, names: frozenset[str]) -> frozenset[str]:
        """Those of the parameters that are objects, or None where they are left out."""
        if not names:
            return names
        key = (source.fn, names)
        if key not in self.asked:
            self.asked[key] = objects_or_none(source, names, can_follow)
        return self.asked[key]


def _known(
    source: SourceFunction,
    bound: Bound,
    called: frozenset[str],
    makes: Callable[[FunctionType], bool],
) -> Iterator[tuple[str, object]]:
    """The parameters of which it is known what they are."""
    for p, parameter in source.signature.parameters.items():
        if p in called:
            yield p, OBJECT
        elif p not in bound:
            value = parameter.default
            maker = isinstance(value, FunctionType) and makes(value)
            if maker or _is_class(value) or type(value) in LITERALS or _is_empty(value):
                yield p, value
        else:
            match bound[p]:
                case E.Const(value=value) if isinstance(value, LITERALS):
                    yield p, value
                case E.Ref(value=value) if _is_class(value):
                    yield p, value
                case E.Ref(value=FunctionType() as value) if makes(value):
                    yield p, value
                case E.Ref(value=value) if isinstance(value, _FUNCTIONS):
                    yield p, OBJECT
                case _:
                    pass


def _is_class(value: object) -> bool:
    return value is not inspect.Parameter.empty and isinstance(value, type) and can_follow(value)


def _is_empty(value: object) -> bool:
    return type(value) in (tuple, dict) and not value


def _token(value: object) -> object:
    """What tells values apart: True from 1, and classes by themselves."""
    return (type(value), repr(value)) if type(value) in (*LITERALS, tuple, dict) else value
