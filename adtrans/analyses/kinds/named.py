"""Named tuples: tuples whose items have names as well, and that are plain tuples in all else but
for the methods, properties and arithmetic that their class defines, or one derived from it.

>>> from collections import namedtuple
>>> is_named(namedtuple("Pair", "a b")), is_named(tuple)
(True, False)
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from inspect import getattr_static
from types import FunctionType
from typing import Any, NamedTuple

from adtrans.ir import expr as E
from adtrans.ir.kinds import Kind, Scalar, TupleOf
from adtrans.source.assigned import assigned
from adtrans.source.bound import implemented


class _Example(NamedTuple):
    item: float


_GETTER = type(vars(_Example)["item"])  # what reads an item

# What `collections.namedtuple` and `typing.NamedTuple` define; any other special method may change
# what an operator or an index means.
_USUAL = frozenset({
    "__annotate__", "__annotate_func__", "__annotations__", "__annotations_cache__", "__doc__",
    "__firstlineno__", "__getnewargs__", "__match_args__", "__module__", "__new__",
    "__format__", "__orig_bases__", "__qualname__", "__replace__", "__repr__", "__slots__",
    "__slotnames__", "__static_attributes__", "__str__",
})  # fmt: skip
# What these define besides, which a derived class may not have of its own.
_USUAL_NAMES = frozenset(
    n for n in vars(_Example) if not n.startswith("__") and n != "item"
)  # fmt: skip
_BINARY = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow",
    "@": "matmul",
}  # fmt: skip
_UNARY = {"-": "__neg__", "+": "__pos__"}
_REFLECTED = {f"__r{name}__": f"__{name}__" for name in _BINARY.values()}
# What is called in place of an operator, or of `abs`.
_OPERATORS = frozenset({*_REFLECTED, *_REFLECTED.values(), *_UNARY.values(), "__abs__"})


def is_named(cls: type[Any]) -> bool:
    """Whether objects of `cls` are tuples with names for their items and nothing else.

    Not if it has attributes beside them, computes some, or gives comparisons, items or updates in
    place a meaning of their own.
    """
    return issubclass(cls, tuple) and _is_named(cls)


def is_named_tuple(obj: object) -> bool:
    """Whether an object is such a tuple; one that got an attribute of its own is none."""
    return is_named(type(obj)) and not getattr(obj, "__dict__", None)


@lru_cache(maxsize=256)
def _is_named(cls: Hashable) -> bool:
    assert isinstance(cls, type)
    fields = getattr(cls, "_fields", None)
    if _made_by_namedtuple(cls) is None or not isinstance(fields, tuple) or assigned(cls):
        return False
    items = (getattr_static(cls, name, None) for name in fields)
    return special_of_named(cls) is None and all(isinstance(i, _GETTER) for i in items)


def _made_by_namedtuple(cls: type) -> type | None:
    """The class whose items `cls` has: itself, or the only one that it is derived from."""
    if cls.__bases__ == (tuple,):
        return cls if hasattr(cls, "_fields") else None
    base = cls.__bases__[0] if len(cls.__bases__) == 1 else object
    if base.__bases__ != (tuple,) or not hasattr(base, "_fields"):
        return None
    return base if vars(cls).keys().isdisjoint(_USUAL_NAMES | set(base._fields)) else None


def _own(cls: type) -> dict[str, object]:
    """What a class of named tuples defines, and the one that it is derived from."""
    base = _made_by_namedtuple(cls)
    return {**(vars(base) if base is not None else {}), **vars(cls)}


def special_of_named(cls: object) -> str | None:
    """A special method that a class of named tuples defines itself, and is not followed for that.

    >>> class Pair(NamedTuple):
    ...     a: float
    ...     def __add__(self, other): return Pair(self.a + other.a)
    ...     def __lt__(self, other): return self.a < other.a
    >>> special_of_named(Pair), special_of_named(_Example)
    ('__lt__', None)
    """
    if not isinstance(cls, type) or (base := _made_by_namedtuple(cls)) is None:
        return None
    own = [n for n in _own(cls) if n.startswith("__") and n.endswith("__")]
    if base is not cls:
        if "__new__" in vars(cls):
            return "__new__"
        own = [n for n in own if n not in ("__dict__", "__weakref__")]
    return next((n for n in own if n not in _USUAL and not _is_operator(cls, n)), None)


def _is_operator(cls: type, name: str) -> bool:
    """Whether a special method is one that is called for an operator, as far as that is told by the
    class alone: tuples have `+` and `*` themselves, beside which a reflected one means another
    thing."""
    own = _own(cls)
    return (
        name in _OPERATORS
        and isinstance(own[name], FunctionType)
        and (name not in _REFLECTED or isinstance(own.get(_REFLECTED[name]), FunctionType))
    )


def operation_of_named(
    e: E.Expr, kinds: Sequence[Kind]
) -> tuple[FunctionType, tuple[int, ...]] | None:
    """The method of the user's that an operation with a named tuple calls, and which operands it
    gets; `kinds`: those of the operands.

    >>> class Pair(NamedTuple):
    ...     a: float
    ...     def __rsub__(self, other): return Pair(other - self.a)
    ...     def __sub__(self, other): return Pair(self.a - other)
    >>> fn, order = operation_of_named(
    ...     E.Binary("-", E.Const(1.0), E.Name("p")), (Scalar("float"), TupleOf((), Pair))
    ... )
    >>> fn.__name__, order
    ('__rsub__', (1, 0))
    """
    fn: FunctionType | None = None
    order: tuple[int, ...] = (0,)
    match e:
        case E.Unary(op=op) if op in _UNARY:
            fn = _operator(kinds[0], _UNARY[op])
        case E.Call(fn=E.Ref(value=called), args=(_,), kwargs=()) if called is abs:
            fn = _operator(kinds[0], "__abs__")
        case E.Binary(op=op) if op in _BINARY:
            fn, order = _operator(kinds[0], f"__{_BINARY[op]}__"), (0, 1)
            if fn is None and _leaves_it(kinds[0]):
                fn, order = _operator(kinds[1], f"__r{_BINARY[op]}__"), (1, 0)
        case _:
            pass
    return None if fn is None else (fn, order)


def _operator(kind: Kind, name: str) -> FunctionType | None:
    cls = kind.cls if isinstance(kind, TupleOf) else None
    fn = None if cls is None else implemented(_own(cls).get(name))
    return fn if isinstance(fn, FunctionType) else None


def _leaves_it(kind: Kind) -> bool:
    """Whether a value on the left lets that on the right say what an operator means: Python's
    numbers do, and tuples, while NumPy takes a tuple for an array."""
    return isinstance(kind, TupleOf) or (isinstance(kind, Scalar) and kind.dtype is None)


def method_of_named(cls: type[Any], name: str) -> FunctionType | None:
    """The method of the user's that a class of named tuples has under a name.

    >>> class Pair(NamedTuple):
    ...     a: float
    ...     def twice(self): return Pair(2 * self.a)
    >>> method_of_named(Pair, "twice").__name__, method_of_named(Pair, "_replace")
    ('twice', None)
    """
    found = getattr_static(cls, name, None)
    own = isinstance(found, FunctionType) and not name.startswith("__")
    return found if own and not hasattr(_Example, name) else None


def property_of_named(cls: type[Any], name: str) -> FunctionType | None:
    """What computes a property of the user's in a class of named tuples."""
    found = getattr_static(cls, name, None)
    get = found.fget if type(found) is property else None
    return get if isinstance(get, FunctionType) else None
