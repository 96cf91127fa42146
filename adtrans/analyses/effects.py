"""What a function does to memory, in the form in which callers need it.

A compiled user function is to its caller what a primitive is: it reads and writes its arguments,
its result may share memory with them, and its pullback may still need their contents.

>>> s = Summary(("a", "rate"), wrt=frozenset({"rate"}), finals=frozenset({"a"}))
>>> sorted(s.active), s.written()
(['a', 'rate'], frozenset())
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from adtrans.analyses.regions import Region
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir.kinds import NEVER, Kind

RESULT = "the result"
"""What a caller overwrites where it writes into what a call has returned; it is no parameter."""
Deposits: TypeAlias = tuple[tuple[str, frozenset[str]], ...]
WHOLE = -1
"""Not one item of a result in particular."""


def item_lost(item: int) -> str:
    """What a caller overwrites where it writes into one item of what a call has returned."""
    return RESULT if item == WHOLE else f"{RESULT} {item}"


def is_lost(items: Collection[int], lost: frozenset[str]) -> bool:
    """Whether a caller overwrites what one of these items of a result holds.

    >>> is_lost([1], frozenset({item_lost(0)})), is_lost([0, 1], frozenset({item_lost(0)}))
    (False, True)
    """
    if WHOLE in items:
        return any(p.startswith(RESULT) for p in lost)
    return RESULT in lost or any(item_lost(i) in lost for i in items)


@dataclass(frozen=True, slots=True)
class Step:
    """One link between a name and what happens to its memory: in words, and where."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Summary:
    """Effects of one compiled function, by parameter name.

    writes: parameters whose contents the call may change, with the place of a write.
    keeps: parameters whose contents the pullback reads after the call, with the place of the use.
    keeps_result: where the pullback uses memory that the function made and returned, with the item
    of the tuple that is returned, or WHOLE.
    trails: for those of `writes`, how the parameter gets to where it is written.
    returns: parameters that the result may share memory with.
    wrt: parameters that the derivative is taken of; `finals`: written ones whose final contents
    carry a derivative; `result_active`: whether the result does; `constant`: the items of a tuple
    that do not. `same`: the parameter that the result always is; `items`: the same for the items of
    a tuple. `apart`: no two items of a tuple result share memory.
    one: pairs of parameters that were the same array when it was compiled.
    puts: for lists among `writes`, the kind of what they hold then. `held`: for lists of arrays,
    the parameters whose memory they may hold then, and GLOBAL.
    deposits: parameters that may hold memory in the end which the function made, each with the
    other ones, and RESULT, that may have some of it in common. `rereads`: what of it the pullback
    reads later, as forms of objects.
    shallow: lists among `writes` that are changed, but nothing that is in them on entry.
    parts: for arrays among `writes`, the parts that are written, where these can be told in sizes
    of parameters. checks: whether a call may raise `MutationError`. result: kind of the result.
    `guesses`: what it does with a view of its callers' memory that is taken for a copy, or the
    reverse. What is generated for it checks that, so it runs whether or not it has a derivative.
    `repeatable`: it does nothing but compute and write arguments. `stretched`: what it returns, or
    puts into arguments, may be an array of which several elements are one place in memory.
    `looks`: it may get at exceptions under way, or at variables of its callers.
    `assigns`: it assigns attributes of objects that it did not make; `finds_objects`: it names
    some.
    `remembers`: a later call may return the very object of an earlier one, and do nothing else;
    `recalls`: a variable from outside, as which it takes what it was then.
    `reuses`: it returns an array from outside that it writes. `fills`: a function with a rule of
    the user's writes its arguments for it.
    `saves`: it writes what varies into a file; `loads`: its result depends on a file. `texts`:
    where it may leave texts of what varies, attributes by `.name` and "" for anything else.
    `defaults`: the parameters whose defaults can be written, with these. `certainly`: those of
    `writes` that are written by what is known, and not only perhaps by what is not.
    """

    params: tuple[str, ...]
    writes: tuple[tuple[str, Span], ...] = ()
    keeps: tuple[tuple[str, Span], ...] = ()
    returns: frozenset[str] = frozenset()
    wrt: frozenset[str] = frozenset()
    finals: frozenset[str] = frozenset()
    result: Kind = NEVER
    result_active: bool = False
    constant: frozenset[int] = field(default=frozenset(), kw_only=True)
    same: str | None = None
    apart: bool = False
    trails: tuple[tuple[str, tuple[Step, ...]], ...] = ()
    puts: tuple[tuple[str, Kind], ...] = ()
    one: frozenset[tuple[str, str]] = frozenset()
    repeatable: bool = True
    checks: bool = False
    guesses: Literal["", "hands on", "writes"] = ""
    items: tuple[tuple[int, str], ...] = ()
    held: tuple[tuple[str, frozenset[str]], ...] = ()
    parts: tuple[tuple[str, tuple[Region, ...]], ...] = ()
    shallow: frozenset[str] = frozenset()
    keeps_result: tuple[tuple[int, Span], ...] = ()
    stretched: bool = False
    saves: bool = False
    loads: bool = False
    texts: frozenset[str] = frozenset()
    looks: bool = False
    deposits: Deposits = ()
    rereads: Deposits = ()
    defaults: tuple[tuple[str, E.Ref], ...] = ()
    assigns: bool = False
    finds_objects: bool = False
    certainly: frozenset[str] = frozenset()
    remembers: bool = False
    recalls: str | None = None
    fills: bool = False
    reuses: bool = False

    @property
    def shares_result(self) -> bool:
        """Whether the result may share memory with anything that callers have."""
        return bool(self.returns) or any(RESULT in others for _, others in self.deposits)

    @property
    def active(self) -> frozenset[str]:
        """The parameters for which the pullback returns an adjoint."""
        return self.wrt | self.finals

    def reads_later(self, p: str) -> bool:
        """Whether the pullback reads what a parameter held, or what was returned."""
        if p.startswith(RESULT):
            return any(is_lost([i], frozenset({p})) for i, _ in self.keeps_result)
        return p in {q for q, _ in self.keeps}

    def still_read(self, params: frozenset[str]) -> frozenset[str]:
        """Those of some parameters that the pullback reads."""
        return frozenset(filter(self.reads_later, params))

    def written(self) -> frozenset[str]:
        """The parameters that are written."""
        return frozenset(p for p, _ in self.writes)
