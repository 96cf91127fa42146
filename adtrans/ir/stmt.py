"""Statements of the small language: structured control flow over flat operations.

>>> from adtrans.diagnostics.span import Span
>>> here = Span("f.py", 2, 4, 2, 13)
>>> s = Bind("t", Binary("*", Name("a"), Name("b")), site=1, span=here)
>>> s.target, str(s.value)
('t', 'a * b')

Legality (what may stand where) is written once, in `ir.verify`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypedDict

from adtrans.diagnostics.span import Span
from adtrans.ir.expr import Atom, Binary, Const, Expr, Name, Ref

__all__ = [
    "Alias",
    "Atom",
    "Binary",
    "Bind",
    "Block",
    "Break",
    "Continue",
    "Edit",
    "Elements",
    "Enumerate",
    "Expr",
    "For",
    "Function",
    "Handler",
    "If",
    "Invoke",
    "Iter",
    "Keep",
    "Load",
    "Name",
    "Onward",
    "Pack",
    "Param",
    "Place",
    "Range",
    "Return",
    "Reversed",
    "SetAttr",
    "Stmt",
    "Store",
    "Target",
    "Try",
    "Unpack",
    "Update",
    "While",
    "With",
    "Zip",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    """What every statement has: its number, the user's statement it belongs to, its place.

    `site` is unique in a function. All operations that one simple statement of the user was
    flattened into share its `origin` (a key of `Function.origins`), so that the statement can be
    printed as it was written when nothing inside it has to be kept. `origin` 0 means: none.
    """

    site: int
    span: Span
    origin: int = 0
    read: frozenset[str] | None = field(default=None, init=False, repr=False, compare=False)
    """What `ir.walk.reads_of` says, once it was asked."""


class Place(TypedDict):
    """The place of a statement that a rewrite makes: `Bind(target, value, **place)`."""

    site: int
    span: Span
    origin: int


def place(s: _Placed, site: int) -> Place:
    """Where a statement stands that is written for `s`."""
    return {"site": site, "span": s.span, "origin": s.origin}


@dataclass(frozen=True, slots=True)
class Bind(_Placed):
    """`target = value`, one primitive applied to atoms (also `y.fill(0)` until it is expanded).

    Index items, comparisons of immutable numbers and shape arithmetic may stay nested.
    """

    target: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Load(_Placed):
    """`target = base[items]`: a scalar, a view or a copy, as the kinds say."""

    target: str
    base: str
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Store(_Placed):
    """`base[items] = value`."""

    base: str
    items: tuple[Expr, ...]
    value: Atom


@dataclass(frozen=True, slots=True)
class SetAttr(_Placed):
    """`base.attr = value`. Whoever follows the object has given the attribute a variable, too (see
    `analyses.objects`); where the object is not followed there is a `Keep` instead. `frozen`: the
    object is being made, and refuses plain assignments; `mirror`: everything that reads the
    attribute reads the variable, so that this only keeps the object as the user expects it."""

    base: Atom
    attr: str
    value: Atom
    frozen: bool = False
    mirror: bool = False


@dataclass(frozen=True, slots=True)
class Update(_Placed):
    """`base op= value` (`items` None) or `base[items] op= value`.

    In place when the base is an array; on immutable numbers it rebinds and `analyses.resolve` turns
    it into a `Bind`.
    """

    base: str
    items: tuple[Expr, ...] | None
    op: str
    value: Atom


@dataclass(frozen=True, slots=True)
class Alias(_Placed):
    """`target = source`: two names for one object."""

    target: str
    source: str


@dataclass(frozen=True, slots=True)
class Pack(_Placed):
    """`target = (items)` or `[items]`; a dictionary is made empty, and filled by `Store`. `cls`:
    that of a named tuple."""

    target: str
    kind: Literal["tuple", "list", "dict"]
    items: tuple[Atom, ...]
    cls: Ref | None = None


@dataclass(frozen=True, slots=True)
class Unpack(_Placed):
    """`targets = source`, one level; the target number `star` gets a list of what is left."""

    targets: tuple[str, ...]
    source: str
    star: int | None = None


@dataclass(frozen=True, slots=True)
class Invoke(_Placed):
    """`target = fn(*args, **kwargs)` where `fn` has no rule: a user function or an unknown one."""

    target: str | None
    fn: Expr
    args: tuple[Atom, ...]
    kwargs: tuple[tuple[str, Atom], ...] = ()


EditOp: TypeAlias = Literal[
    "append", "insert", "extend", "pop", "clear", "reverse",
    "copy", "concat", "repeat", "take", "sum", "array", "concatenate",
    "argmax", "argmin", "argsort", "keys", "remove", "splice", "freeze",
    "list", "index", "count", "find", "last_key",
]  # fmt: skip
CHANGES: frozenset[str] = frozenset(
    {"append", "insert", "extend", "pop", "clear", "reverse", "remove", "splice"}
)
# Lists of the same items; "freeze" makes a tuple of a list, which has the kind of that.
JOINS: frozenset[str] = frozenset({"copy", "list", "concat", "repeat", "take", "freeze"})
ORDER: frozenset[str] = frozenset(  # no derivative
    {"argmax", "argmin", "argsort", "keys", "index", "count", "find", "last_key"}
)


@dataclass(frozen=True, slots=True)
class Edit(_Placed):
    """`target = base.op(*args)`, an operation of the list `base`: one that changes it, or one that
    makes a list, a sum or an array of its items. "splice" is `base[args[0]:args[1]] = args[2]`."""

    target: str | None
    op: EditOp
    base: str
    args: tuple[Atom, ...]


@dataclass(frozen=True, slots=True)
class Keep(_Placed):
    """A statement that carries no derivative, kept verbatim, with its read and write sets.

    `form` is "raise" where control does not continue, "unsupported" where the language of the
    statement is not understood (an error as soon as an active value enters it), else "plain".
    """

    text: str
    reads: tuple[str, ...]
    binds: tuple[str, ...]
    node: object = field(compare=False, repr=False)
    form: Literal["plain", "raise", "unsupported"] = "plain"
    unbinds: tuple[str, ...] = ()

    @property
    def only_names(self) -> bool:
        """Whether the statement is the name of a variable, which does nothing, or raises."""
        return self.form == "plain" and len(self.reads) == 1 and self.text.isidentifier()


@dataclass(frozen=True, slots=True)
class If(_Placed):
    """`if test: then else: orelse`; `test` is an atom or an expression over immutable numbers."""

    test: Expr
    then: Block
    orelse: Block


@dataclass(frozen=True, slots=True)
class Range:
    """`range(start, stop, step)` with everything spelled out."""

    start: Expr
    stop: Expr
    step: Expr


@dataclass(frozen=True, slots=True)
class Elements:
    """Iteration over the elements of a variable: rows or scalars of an array, items of a list."""

    source: str


@dataclass(frozen=True, slots=True)
class Enumerate:
    """`enumerate(inner, start)`."""

    inner: Iter
    start: Expr


@dataclass(frozen=True, slots=True)
class Zip:
    """`zip(*inners, strict=strict)`."""

    inners: tuple[Iter, ...]
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Reversed:
    """`reversed(inner)`, where `inner` is a range or the elements of a variable."""

    inner: Iter


Iter: TypeAlias = Range | Elements | Enumerate | Zip | Reversed
Target: TypeAlias = "str | tuple[Target, ...]"


@dataclass(frozen=True, slots=True)
class For(_Placed):
    """`for target in iter: body`. Loop-else is lowered to an `If` after the loop."""

    target: Target
    iter: Iter
    body: Block


@dataclass(frozen=True, slots=True)
class While(_Placed):
    """`while True: head; if not test: break; body` (`head` is empty when the test is simple)."""

    head: Block
    test: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class Handler:
    """`except type as name: body`; `type` None catches everything."""

    type: Expr | None
    name: str | None
    body: Block


@dataclass(frozen=True, slots=True)
class Try(_Placed):
    """`try: body`, then a handler or `orelse`, and in any case `final`.

    After `analyses.steps` the body is a chain of steps: a block runs to its end, or had no effect
    that anything after the exception depends on; what follows it is an `Onward`, last in the block.
    """

    body: Block
    handlers: tuple[Handler, ...]
    orelse: Block
    final: Block


@dataclass(frozen=True, slots=True)
class Onward(_Placed):
    """The next step of a `Try`: `body` is reached when nothing was raised before.

    `partial`: an exception may leave the first statement of the step half done.
    """

    body: Block
    partial: bool = False


@dataclass(frozen=True, slots=True)
class With(_Placed):
    """`with context as target: body`. `trusted`: the manager lets every exception through;
    `again`: the pullback enters it too, as it does `np.errstate`."""

    context: Expr
    target: str | None
    body: Block
    trusted: bool = False
    again: bool = False


@dataclass(frozen=True, slots=True)
class Break(_Placed):
    """Leaves the loop. Only as the last statement of a path through the body."""


@dataclass(frozen=True, slots=True)
class Continue(_Placed):
    """Next iteration. Only as the last statement of a path through the body."""


@dataclass(frozen=True, slots=True)
class Return(_Placed):
    """The one exit, last in the function. A tuple display returns several `values`."""

    values: tuple[Atom, ...]
    is_tuple: bool = False


Stmt: TypeAlias = (
    Bind
    | Load
    | Store
    | SetAttr
    | Update
    | Alias
    | Pack
    | Unpack
    | Invoke
    | Edit
    | Keep
    | If
    | For
    | While
    | Try
    | Onward
    | With
    | Break
    | Continue
    | Return
)
Block: TypeAlias = tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter; `form` as in `inspect.Parameter.kind`, `default` as written."""

    name: str
    form: Literal["positional", "standard", "keyword", "varargs", "varkw"] = "standard"
    default: Ref | Const | None = None


@dataclass(frozen=True, slots=True)
class Function:
    """A lowered function.

    `origins` maps an origin number to the user's statement (a syntax tree, opaque here);
    `names` maps a web back to the user's name for it (identity when absent). `reserved` holds every
    name that the user's source mentions, so that generated names stay clear of them. `inlined`: the
    sources of generators and callees that are written out in it. `shown`: how the user writes what
    a variable stands for, where that is an attribute or an item. `apart`: arguments whose items are
    read once each, at the start, and share no memory. `outliving`: what stands for globals, and for
    attributes of objects that are not made here. `assumed`: answers of
    `isinstance(parameter, classes)` that it was written for. `shared`: the places that hold one
    expression twice, which is computed once. `scattered`: arguments that
    do not lie in the order of C, or perhaps not.
    """

    name: str
    params: tuple[Param, ...]
    body: Block
    span: Span
    origins: Mapping[int, object] = field(default_factory=dict, compare=False, repr=False)
    names: Mapping[str, str] = field(default_factory=dict)
    reserved: frozenset[str] = frozenset()
    inlined: tuple[object, ...] = field(default=(), compare=False, repr=False)
    shown: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    apart: frozenset[str] = frozenset()
    outliving: frozenset[str] = frozenset()
    assumed: tuple[tuple[str, tuple[type, ...], bool], ...] = ()
    shared: tuple[Span, ...] = field(default=(), compare=False, repr=False)
    scattered: frozenset[str] = frozenset()

    def source_name(self, var: str) -> str:
        """The name that the user gave to `var` (or the temporary's own)."""
        return self.names.get(var, var)
