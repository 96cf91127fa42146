"""One use of a rule, and the texts of formulas that may depend on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from adtrans.ir import expr as E
from adtrans.ir.affine import Affine
from adtrans.ir.expr import Expr
from adtrans.ir.kinds import UNKNOWN, Array, Kind, Known, ListOf, Scalar, TupleOf
from adtrans.rules.signature import NotLiteral, item, literal

Form: TypeAlias = Literal[
    "elementwise", "linear", "general", "constant", "view", "fresh", "writes", "scatter"
]
ResultForm: TypeAlias = Literal["fresh", "view", "same", "maybe_view", "maybe_same"]
CallForm: TypeAlias = Literal["function", "method", "attribute", "operator"]


class Thin(str):
    """Text of a formula that only broadcasts to the operand's shape."""


class Each(str):
    """Text of an element-wise formula in a rule that is not element-wise as a whole."""


@dataclass(frozen=True)
class Site:
    """One use of a rule: its arguments, and the kinds of the formal parameters and of `y`."""

    bound: Mapping[str, Expr]
    kinds: Mapping[str, Kind]

    def const(self, name: str) -> object:
        """The argument where it is written out, or is a word, None, a truth or an integer that the
        kinds know; else `signature.NOT_LITERAL`."""
        found = literal(self.bound.get(name))
        if not isinstance(found, NotLiteral):
            return found
        match self.kinds.get(name):
            case Known(value=str() | None as value):
                return value
            case Scalar(truth=bool() as truth):
                return truth
            case Scalar(value=Affine(value=int() as value)):
                return value
            case _:
                return found

    def kind(self, name: str) -> Kind:
        """The kind of a parameter or of `y`; what a literal tells by itself is included."""
        if name in self.kinds:
            return self.kinds[name]
        root, _, at = name.partition("[")
        held = self.kinds.get(root)
        if at[:-1].isdecimal() and isinstance(held, TupleOf) and int(at[:-1]) < len(held.items):
            return held.items[int(at[:-1])]  # of a tuple in a variable
        value = literal(self.bound.get(name))
        if isinstance(value, bool):
            return Scalar("bool")
        if isinstance(value, int):
            return Scalar("int")
        return Scalar("float") if isinstance(value, float) else UNKNOWN

    def ndim(self, name: str) -> int | None:
        """The rank of a parameter or of `y`, where it is known."""
        match self.kind(name):
            case Array() as kind:
                return kind.ndim
            case Scalar():
                return 0
            case _:
                return None

    def is_scalar(self, name: str) -> bool:
        """Whether it is known to be an immutable number."""
        return isinstance(self.kind(name), Scalar)

    def is_array(self, name: str) -> bool:
        """Whether it is known to be an array."""
        return isinstance(self.kind(name), Array)

    def is_listed(self, name: str) -> bool:
        """Whether it is a list or a tuple where the primitive wants numbers."""
        value = self.bound.get(name)
        if isinstance(value, E.Sequence):
            return True
        kind = self.kind(name)
        if isinstance(kind, Known):
            return isinstance(kind.value, list | tuple)
        return isinstance(kind, TupleOf | ListOf)

    def items(self, name: str) -> int | None:
        """The number of items of a sequence that is spelled out."""
        value = self.bound.get(name)
        if not isinstance(value, E.Sequence):
            return None
        n = len(value.items)
        return n if n == 0 or item(name, 0) in self.bound else None
Text: TypeAlias = "str | tuple[str, ...] | None"
Spec: TypeAlias = "Text | Callable[[Site], Text]"
"""Text, alternatives (preferred first), or a function that writes them; None: not defined here."""
ItemSpec: TypeAlias = "Callable[[Site, int], Text] | Callable[[Site, tuple[int, ...]], Text]"
"""The same for an item of a sequence: its place, or -1 (`()` in nested ones) for the whole."""
Param: TypeAlias = "str | tuple[str, int]"
