"""Where each statement stands: its block, its position there, the loops around it.

A block is named by the site of the statement it belongs to and its number in it; the body of the
function is `(0, 0)`.

>>> from adtrans.lower import lower
>>> from adtrans.source import get_source
>>> def f(x):
...     s = 0.0
...     for v in x:
...         s = s + v
...     return s
>>> found = structure(lower(get_source(f)))
>>> [(type(s).__name__, len(found.loops(site))) for site, s in sorted(found.stmts.items())]
[('Bind', 0), ('For', 0), ('Bind', 1), ('Return', 0)]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, blocks_of, statements

BlockId = tuple[int, int]
BODY: BlockId = (0, 0)


@dataclass(frozen=True, slots=True)
class Structure:
    """The tree of blocks of a function, looked up by site."""

    stmts: Mapping[int, S.Stmt]
    block: Mapping[int, BlockId]
    position: Mapping[int, int]
    contents: Mapping[BlockId, S.Block]

    def owner(self, block: BlockId) -> S.Stmt | None:
        """The statement that a block belongs to, None for the body of the function."""
        return self.stmts.get(block[0])

    def parent(self, block: BlockId) -> BlockId | None:
        """The block around a block."""
        return self.block.get(block[0])

    def ancestors(self, block: BlockId) -> tuple[BlockId, ...]:
        """`block` and all blocks around it, innermost first."""
        found = [block]
        while (up := self.parent(found[-1])) is not None:
            found.append(up)
        return tuple(found)

    def loops(self, site: int) -> tuple[S.For | S.While, ...]:
        """The loops around a statement, innermost first (a loop is not around itself)."""
        owners = (self.owner(b) for b in self.ancestors(self.block[site]))
        return tuple(o for o in owners if isinstance(o, S.For | S.While))

    def always_run(self, block: BlockId) -> bool:
        """Whether a block is as good as the body of the function: `with np.errstate(...)` runs it
        and lets every exception through."""
        owners = (self.owner(b) for b in self.ancestors(block) if b != BODY)
        return all(isinstance(o, S.With) and o.trusted for o in owners)

    def conditional(self, block: BlockId) -> bool:
        """Whether a block may be executed not at all."""
        return block != BODY

    def dominates(self, a: int, b: int) -> bool:
        """Whether `a` runs before `b` whenever `b` runs, in the same execution of a's block."""
        for block in self.ancestors(self.block[b]):
            if block == self.block[a]:
                inner = b if self.block[b] == block else self.child_towards(block, b)
                return self.position[a] < self.position[inner]
        return False

    def is_bound(self, var: str, site: int) -> bool:
        """Whether a variable has a value behind a statement, on every way there."""
        for block in self.ancestors(self.block[site]):
            own = block == self.block[site]
            last = self.position[site if own else self.child_towards(block, site)]
            if any(surely_binds(s, var) for s in self.contents[block][: last + own]):
                return True
        return False

    def child_towards(self, block: BlockId, site: int) -> int:
        """The statement of a block that a statement is, or is in."""
        here = site
        while self.block[here] != block:
            here = self.block[here][0]
        return here


def surely_binds(s: S.Stmt, var: str) -> bool:
    """Whether a variable has a value behind a statement, whatever it does."""
    match s:
        case S.If(then=then, orelse=orelse):
            ways = (then, orelse)
            return all(any(surely_binds(inner, var) for inner in block) for block in ways)
        case S.For() | S.While() | S.Try():
            return False
        case _:
            return var in binds_of(s)


def structure(fn: S.Function) -> Structure:
    """Number the blocks of `fn`."""
    block: dict[int, BlockId] = {}
    position: dict[int, int] = {}
    contents: dict[BlockId, S.Block] = {}

    def visit(name: BlockId, body: S.Block) -> None:
        contents[name] = body
        for i, s in enumerate(body):
            block[s.site], position[s.site] = name, i
            for n, inner in enumerate(blocks_of(s)):
                visit((s.site, n), inner)

    visit(BODY, fn.body)
    return Structure({s.site: s for s in statements(fn.body)}, block, position, contents)
