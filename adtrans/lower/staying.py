"""Blocks that set flags instead of being left: what surrounds them runs to its end first.

for v in values:                     for v in values:
    if v > 1:                ->          if v > 1:
        return y                             left = True
    total += v                           if not left:
                                             total += v

So is the block of a `with`, whose manager has work to do, the turn of a loop over a generator, and
what a handler surrounds. Whoever puts such a block into other code asks the flags behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import map_blocks
from adtrans.lower.exits import structured

Exit: TypeAlias = Literal["return", "break", "continue"]
FlagOf: TypeAlias = "Callable[[S.Stmt, Exit], str | None]"

FLAGS: dict[Exit, str] = {"return": "left", "break": "stop", "continue": "skip"}
"""What the flags are called."""


def staying(
    body: S.Block, flag_of: FlagOf, fresh: Callable[[str], str], site: Callable[[], int]
) -> S.Block:
    """The block in normal form, which control leaves at its end only.

    `flag_of`: the flag that a statement sets which leaves the block; None where none is asked.
    """

    def block(inner: S.Block, own: bool) -> S.Block:
        return tuple(r for s in inner for r in one(s, own))

    def one(s: S.Stmt, own: bool) -> Iterator[S.Stmt]:
        match s:
            case S.Return():
                yield from leave(s, "return")
            case S.Break() if own:
                yield from leave(s, "break")
            case S.Continue() if own:
                yield from leave(s, "continue")
            case S.For() | S.While():
                yield map_blocks(s, lambda inner: block(inner, False))
            case _:
                yield map_blocks(s, lambda inner: block(inner, own))

    def leave(s: S.Stmt, way: Exit) -> Iterator[S.Stmt]:
        flag = flag_of(s, way)
        if flag is not None:
            yield S.Bind(flag, E.Const(True), site=site(), span=s.span)
        yield S.Return((), site=site(), span=s.span)

    return structured(block(body, True), fresh, site)
