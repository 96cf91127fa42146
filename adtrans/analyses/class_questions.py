"""What a function may find where it asks for the class of a number or an array, and for its name.

    if "sympy" in str(type(angle)):       (angle is a number)
    if type(angle).__name__ == "Symbol":

All values that such an expression may have are listed; a comparison that comes out alike for all of
them has one outcome.

>>> classes = classes_of(Scalar("float"))
>>> agreed("in", ("sympy",), tuple(map(str, classes or ()))), agreed("is", classes or (), (float,))
(False, None)
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping

import numpy as np

from adtrans.ir import expr as E
from adtrans.ir.kinds import Array, Kind, Known, Scalar

Values = tuple[object, ...]

_NUMBERS: dict[str, tuple[type, type]] = {  # that of Python, and those of NumPy
    "bool": (bool, np.bool_),
    "int": (int, np.integer),
    "float": (float, np.floating),
    "complex": (complex, np.complexfloating),
}
_NAMES = ("__name__", "__qualname__", "__module__")
_COMPARED: dict[str, Callable[[object, object], object]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "is": operator.is_,
    "is not": operator.is_not,
}


def classes_of(kind: Kind | None) -> tuple[type, ...] | None:
    """The classes that a value of the kind may be of, None where they are not known.

    >>> classes_of(Array("float64", None))
    (<class 'numpy.ndarray'>,)
    """
    match kind:
        case Scalar(type=name):
            own, base = _NUMBERS[name]
            every = dict.fromkeys(np.sctypeDict.values())
            return (own, *(c for c in every if issubclass(c, base)))
        case Array():
            return (np.ndarray,)
        case Known(value=None | str()):
            return (type(kind.value),)
        case _:
            return None


def values(
    e: E.Expr, known: Mapping[str, Values], kind_of: Callable[[E.Expr], Kind | None]
) -> Values | None:
    """All that an expression over classes and texts may give, None where that is not known."""
    match e:
        case E.Const(value=str() as text):
            return (text,)
        case E.Ref(value=type() as cls) if type(cls) is type:
            return (cls,)
        case E.Name():
            return known.get(e.id)
        case E.Call(fn=E.Ref(value=f), args=(arg,), kwargs=()) if f is type:
            return classes_of(kind_of(arg))
        case E.Call(fn=E.Ref(value=f), args=(arg,), kwargs=()) if f in (str, repr):
            inner = values(arg, known, kind_of)
            return None if inner is None else tuple(f(v) for v in inner)
        case E.Attribute(base=base, attr="__class__"):
            return classes_of(kind_of(base))
        case E.Attribute(base=base, attr=name) if name in _NAMES:
            inner = values(base, known, kind_of)
            if inner is None or not all(isinstance(v, type) for v in inner):
                return None
            return tuple(getattr(v, name) for v in inner)
        case _:
            return None


def agreed(op: str, left: Iterable[object], right: Values) -> bool | None:
    """The outcome of a comparison that is the same for all values, None otherwise."""
    outcomes = {outcome(op, a, b) for a in left for b in right}
    return outcomes.pop() if len(outcomes) == 1 else None


def outcome(op: str, left: object, right: object) -> bool | None:
    """How one comparison comes out, None where that is not for sure."""
    texts = isinstance(left, str) and isinstance(right, str)
    if op in ("in", "not in"):
        if not texts:
            return None
        assert isinstance(left, str) and isinstance(right, str)
        return (left in right) is (op == "in")
    if op.startswith("is") and texts:
        return None  # equal texts may be two objects
    compare = _COMPARED.get(op)
    return None if compare is None else bool(compare(left, right))


def holds(e: E.Expr, found: Values | None, classes: tuple[type, ...] | None) -> bool | None:
    """Whether texts begin or end as the call `e` asks, or whether values of the classes have the
    attribute that it names; None where that is not the same for all."""
    match e:
        case E.Call(
            fn=E.Attribute(attr="startswith" | "endswith" as ends),
            args=(E.Const(value=str() as part),),
            kwargs=(),
        ):
            if found is None or not all(isinstance(v, str) for v in found):
                return None
            answers = {getattr(v, ends)(part) for v in found}
        case E.Call(args=(_, E.Const(value=str() as name)), kwargs=()) if classes is not None:
            answers = {any(name in vars(base) for base in cls.__mro__) for cls in classes}
        case _:
            return None
    return answers.pop() if len(answers) == 1 else None
