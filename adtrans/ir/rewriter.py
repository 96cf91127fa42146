"""The walk of a pass that puts statements in the place of others.

>>> from adtrans.diagnostics.span import Span
>>> from adtrans.ir import expr as E
>>> class Doubled(Rewriter):
...     def one(self, s):
...         t = self.fresh("t")
...         yield S.Alias(t, "x", **self.place(s))
...         yield s
>>> body = (S.Alias("y", "x", site=1, span=Span("f.py", 1, 0, 1, 5), origin=0),)
>>> fn = S.Function("f", (S.Param("x"),), body, Span("f.py", 1, 0, 1, 5))
>>> [(s.target, s.site) for s in Doubled(fn).block(fn.body)]
[('t', 2), ('y', 1)]
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from adtrans.ir import stmt as S
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, map_blocks, statements


class Rewriter(ABC):
    """Rewrites the statements of one function, the inner ones first, with new names and sites."""

    def __init__(self, fn: S.Function) -> None:
        bound = {v for s in statements(fn.body) for v in binds_of(s)}
        self.names = NameAllocator(fn.reserved | bound | {p.name for p in fn.params})
        self.number = max((s.site for s in statements(fn.body)), default=0)

    @abstractmethod
    def one(self, s: S.Stmt) -> Iterator[S.Stmt]:
        """What stands in the place of a statement whose blocks are rewritten already."""

    def block(self, body: S.Block) -> S.Block:
        """The same for all statements of a block."""
        return tuple(r for s in body for r in self.one(map_blocks(s, self.block)))

    def place(self, s: S.Stmt) -> S.Place:
        """The place of a further statement beside `s`."""
        return S.place(s, self.fresh_site())

    def fresh_site(self) -> int:
        """A number that no statement has."""
        self.number += 1
        return self.number

    def fresh(self, hint: str) -> str:
        """A name that nothing has."""
        return self.names.fresh(hint)
