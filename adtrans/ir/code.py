"""Generated code as a tree: what the transforms build and `emit` prints.

Unlike the flat statements of `ir.stmt`, expressions nest here, and every statement can carry a note
("4: u[1:-1] += dt * d") that is printed as a comment at the end of its line.

>>> from adtrans.ir.expr import Binary, Const, Name
>>> a = Assign((Name("x_bar"),), Binary("*", Const(2.0), Name("x")), note=Note(3, "return x * x"))
>>> str(a.value), str(a.note)
('2.0 * x', '3: return x * x')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from adtrans.ir.expr import Expr, Name, Sequence
from adtrans.ir.stmt import Param


@dataclass(frozen=True, slots=True)
class Note:
    """A comment: the line of the user's source that is reversed here, or (line 0) plain words."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.line}: {self.text}" if self.line else self.text


@dataclass(frozen=True, slots=True)
class Assign:
    """`target = value`; several targets unpack. Targets are names, items, attributes."""

    targets: tuple[Expr, ...]
    value: Expr
    note: Note | None = None

    @property
    def bound(self) -> frozenset[str]:
        """The names that are bound; a display as the one target unpacks, too."""
        found = list(self.targets)
        for t in found:
            found.extend(t.items if isinstance(t, Sequence) else ())
        return frozenset(t.id for t in found if isinstance(t, Name))


@dataclass(frozen=True, slots=True)
class AugAssign:
    """`target op= value`."""

    target: Expr
    op: str
    value: Expr
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class Do:
    """An expression for its effect: `saved.append(t)`."""

    value: Expr
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class Original:
    """A statement of the user's, printed as written. `text` is one line, for dumps."""

    text: str
    node: object = field(compare=False, repr=False)
    reads: tuple[str, ...] = ()
    binds: tuple[str, ...] = ()
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """`if test: then else: orelse`; an `orelse` that is one `Branch` prints as `elif`."""

    test: Expr
    then: Body
    orelse: Body = ()
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class ForEach:
    """`for target in iter: body`."""

    target: Expr
    iter: Expr
    body: Body
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class Loop:
    """`while test: body`."""

    test: Expr
    body: Body
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class Rescue:
    """`except type as name: body`."""

    type: Expr | None
    name: str | None
    body: Body


@dataclass(frozen=True, slots=True)
class Attempt:
    """`try: body`, handlers, `else: orelse`, `finally: final`."""

    body: Body
    handlers: tuple[Rescue, ...]
    orelse: Body = ()
    final: Body = ()
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class Within:
    """`with context as target: body`."""

    context: Expr
    target: str | None
    body: Body
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """`break`, `continue`, `pass`, or `raise` in a handler."""

    word: str
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """`return value`."""

    value: Expr
    note: Note | None = None


Code: TypeAlias = (
    Assign
    | AugAssign
    | Do
    | Original
    | Branch
    | ForEach
    | Loop
    | Attempt
    | Within
    | Leave
    | Result
)
Body: TypeAlias = tuple[Code, ...]


def bodies(c: Code) -> tuple[Body, ...]:
    """The blocks inside a statement.

    >>> from adtrans.ir.expr import Name
    >>> bodies(Within(Name("quiet"), None, (Leave("pass"),)))
    ((Leave(word='pass', note=None),),)
    """
    match c:
        case Branch():
            return (c.then, c.orelse)
        case ForEach() | Loop() | Within():
            return (c.body,)
        case Attempt():
            return (c.body, *(h.body for h in c.handlers), c.orelse, c.final)
        case _:
            return ()


def map_bodies(c: Code, f: Callable[[Body], Body]) -> Code:
    """A statement with `f` applied to the blocks inside it."""
    match c:
        case Branch():
            return replace(c, then=f(c.then), orelse=f(c.orelse))
        case ForEach() | Loop() | Within():
            return replace(c, body=f(c.body))
        case Attempt():
            handlers = tuple(replace(h, body=f(h.body)) for h in c.handlers)
            return replace(
                c, body=f(c.body), handlers=handlers, orelse=f(c.orelse), final=f(c.final)
            )
        case _:
            return c


@dataclass(frozen=True, slots=True)
class Def:
    """A generated top-level function."""

    name: str
    params: tuple[Param, ...]
    body: Body
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Module:
    """Generated functions that belong together, and the objects their free names mean.

    `globals` maps each root name that the code uses (`np`, `unbroadcast`, `helper_forward`) to
    its object.
    """

    defs: tuple[Def, ...]
    globals: Mapping[str, object] = field(default_factory=dict, compare=False, repr=False)
