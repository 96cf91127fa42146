"""Expressions of the small language: immutable trees that compare by structure.

>>> print(Binary("*", Name("dt"), Index(Name("u"), (Slice(Const(1), None, None),))))
dt * u[1:]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Name:
    """A local variable. After `analyses.webs` the id is that of a web: `u`, `u@2`."""

    id: str

    def __str__(self) -> str:
        return text(self)


@dataclass(frozen=True, slots=True)
class Const:
    """A literal: None, bool, int, float, complex, str, bytes or Ellipsis."""

    value: object
    type: str = field(default="", repr=False)  # keeps Const(1), Const(1.0) and Const(True) apart

    def __post_init__(self) -> None:
        object.__setattr__(self, "type", type(self.value).__name__)

    def __str__(self) -> str:
        return text(self)


@dataclass(frozen=True, slots=True)
class Ref:
    """A free dotted name such as `np.sin` or `K`, and the object it meant at compile time."""

    text: str
    value: object = field(compare=False, repr=False)

    @property
    def root(self) -> str:
        """The name that the generated module must provide: `np` for `np.linalg.inv`."""
        return self.text.partition(".")[0]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Call:
    """`fn(*args, **kwargs)`; a method call has an `Attribute` as `fn`."""

    fn: Expr
    args: tuple[Expr, ...]
    kwargs: tuple[tuple[str, Expr], ...] = ()

    def __str__(self) -> str:
        return text(self)


@dataclass(frozen=True, slots=True)
class Index:
    """`base[items]`; one item is `base[i]`, several are `base[i, j]`."""

    base: Expr
    items: tuple[Expr, ...]

    def __str__(self) -> str:
        return text(self)


@dataclass(frozen=True, slots=True)
class Slice:
    """`lower:upper:step`, only ever an item of a subscript."""

    lower: Expr | None
    upper: Expr | None
    step: Expr | None

    def __str__(self) -> str:
        return text(self)


@dataclass(frozen=True, slots=True)
class Attribute:
    """`base.attr`, where `base` is a run-time value (free dotted names are `Ref`)."""

    base: Expr
    attr: str

    def __str__(self) -> str:
        return text(self)


@dataclass(frozen=True, slots=True)
class Unary:
    """`-x`, `+x`, `~x`, `not x`."""

    op: str
    operand: Expr

    def __str__(self) -> str:
        return text(self)


@dataclass(frozen=True, slots=True)
class Binary:
    """`left op right` for the arithmetic and bit operators, `@` and `**` included."""

    op: str
    left: Expr
    right: Expr

    def __str__(self) -> str:
        return text(self)


@dataclass(frozen=True, slots=True)
class Compare:
    """`left ops[0] rights[0] ops[1] rights[1] ...`, chained as in Python."""

    left: Expr
    ops: tuple[str, ...]
    rights: tuple[Expr, ...]

    def __str__(self) -> str:
        return text(self)


@dataclass(frozen=True, slots=True)
class BoolOp:
    """`a and b and ...` or `a or b or ...`."""

    op: Literal["and", "or"]
    values: tuple[Expr, ...]

    def __str__(self) -> str:
        return text(self)


@dataclass(frozen=True, slots=True)
class IfExp:
    """`then if test else orelse`."""

    test: Expr
    then: Expr
    orelse: Expr

    def __str__(self) -> str:
        return text(self)


@dataclass(frozen=True, slots=True)
class Sequence:
    """A tuple or list display, or an empty dictionary."""

    kind: Literal["tuple", "list", "dict"]
    items: tuple[Expr, ...]

    def __str__(self) -> str:
        return text(self)


@dataclass(frozen=True, slots=True)
class Star:
    """`*value`, only inside a display or the arguments of a call."""

    value: Expr

    def __str__(self) -> str:
        return text(self)


@dataclass(frozen=True, slots=True)
class Verbatim:
    """An expression that carries no derivative, kept as the user wrote it.

    `node` is the syntax tree, opaque to analyses and transforms; `reads` names the variables in it.
    """

    text: str
    reads: tuple[str, ...]
    node: object = field(compare=False, repr=False)

    def __str__(self) -> str:
        return self.text


Expr: TypeAlias = (
    Name
    | Const
    | Ref
    | Call
    | Index
    | Slice
    | Attribute
    | Unary
    | Binary
    | Compare
    | BoolOp
    | IfExp
    | Sequence
    | Star
    | Verbatim
)
Atom: TypeAlias = Name | Const | Ref

NONE = Const(None)
ELLIPSIS = Const(Ellipsis)


def is_atom(e: Expr) -> bool:
    """Whether `e` is a variable, a literal or a free name: evaluating it costs and changes nothing.

    >>> is_atom(Name("x")), is_atom(Unary("-", Name("x")))
    (True, False)
    """
    return isinstance(e, Name | Const | Ref)


def is_literal(value: object) -> bool:
    """Whether a literal gives the same value: of a subclass, as of an enumeration, it does not.

    >>> import numpy as np
    >>> is_literal(2.5), is_literal(None), is_literal(np.float64(2.5))
    (True, True, False)
    """
    return type(value) in (bool, int, float, str, type(None))


def children(e: Expr) -> tuple[Expr, ...]:
    """The direct sub-expressions, in the order in which Python evaluates them."""
    return _CHILDREN[type(e)](e)


_CHILDREN: dict[type, Callable[[Any], tuple[Expr, ...]]] = {  # this is asked all the time
    Name: lambda e: (),
    Const: lambda e: (),
    Ref: lambda e: (),
    Verbatim: lambda e: (),
    Call: lambda e: (e.fn, *e.args, *(v for _, v in e.kwargs)) if e.kwargs else (e.fn, *e.args),
    Index: lambda e: (e.base, *e.items),
    Slice: lambda e: tuple(p for p in (e.lower, e.upper, e.step) if p is not None),
    Attribute: lambda e: (e.base,),
    Unary: lambda e: (e.operand,),
    Binary: lambda e: (e.left, e.right),
    Compare: lambda e: (e.left, *e.rights),
    BoolOp: lambda e: e.values,
    IfExp: lambda e: (e.test, e.then, e.orelse),
    Sequence: lambda e: e.items,
    Star: lambda e: (e.value,),
}


_PRECEDENCE = {
    "or": 1, "and": 2, "not": 3, "cmp": 4, "|": 5, "^": 6, "&": 7, "<<": 8, ">>": 8,
    "+": 9, "-": 9, "*": 10, "/": 10, "//": 10, "%": 10, "@": 10, "unary": 11, "**": 12, "atom": 14,
}  # fmt: skip


def text(e: Expr) -> str:
    """`e` on one line, for dumps, reports and error messages (generated code is printed by `emit`).

    >>> text(Binary("*", Binary("+", Name("a"), Const(1)), Unary("-", Name("b"))))
    '(a + 1) * -b'
    """
    return _text(e)[0]


def _text(e: Expr) -> tuple[str, int]:
    atom = _PRECEDENCE["atom"]

    def at(sub: Expr, level: int) -> str:
        s, p = _text(sub)
        return s if p >= level else f"({s})"

    match e:
        case Name():
            return e.id, atom
        case Const():
            if e.value is Ellipsis:
                return "...", atom
            negative = isinstance(e.value, int | float) and repr(e.value).startswith("-")
            return repr(e.value), _PRECEDENCE["unary"] if negative else atom
        case Ref() | Verbatim():
            return e.text, atom if isinstance(e, Ref) else 0
        case Call():
            parts = [text(a) for a in e.args] + [f"{k}={text(v)}" for k, v in e.kwargs]
            return f"{at(e.fn, atom)}({', '.join(parts)})", atom
        case Index():
            return f"{at(e.base, atom)}[{', '.join(text(i) for i in e.items)}]", atom
        case Slice():
            lower, upper = ("" if p is None else text(p) for p in (e.lower, e.upper))
            return f"{lower}:{upper}" + ("" if e.step is None else f":{text(e.step)}"), 0
        case Attribute():
            return f"{at(e.base, atom)}.{e.attr}", atom
        case Unary():
            if e.op == "not":
                return f"not {at(e.operand, _PRECEDENCE['not'])}", _PRECEDENCE["not"]
            return f"{e.op}{at(e.operand, _PRECEDENCE['unary'])}", _PRECEDENCE["unary"]
        case Binary():
            p = _PRECEDENCE[e.op]
            left, right = (p + 1, p) if e.op == "**" else (p, p + 1)
            return f"{at(e.left, left)} {e.op} {at(e.right, right)}", p
        case Compare():
            p = _PRECEDENCE["cmp"]
            tail = "".join(
                f" {op} {at(r, p + 1)}" for op, r in zip(e.ops, e.rights, strict=True)
            )
            return at(e.left, p + 1) + tail, p
        case BoolOp():
            p = _PRECEDENCE[e.op]
            return f" {e.op} ".join(at(v, p + 1) for v in e.values), p
        case IfExp():
            return f"{at(e.then, 1)} if {at(e.test, 1)} else {text(e.orelse)}", 0
        case Sequence():
            inner = ", ".join(text(i) for i in e.items)
            if e.kind != "tuple":
                return f"[{inner}]" if e.kind == "list" else "{}", atom
            return f"({inner},)" if len(e.items) == 1 else f"({inner})", atom
        case Star():
            return f"*{at(e.value, 5)}", 0
