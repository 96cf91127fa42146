"""Adjoints of `try` and `with`.

Where a handler ran, it is reversed, and then those steps of the body that had been done; else all
of the body, behind the `else` block.

    if caught:
        ...                   # the handler
        if step >= 1:
            ...               # the first step of the body
    else:
        ...                   # the body
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from adtrans.analyses.structure import BlockId
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import statements
from adtrans.transforms.fold import all_code
from adtrans.transforms.records import popped
from adtrans.transforms.reverser import Reverser

Half = Callable[[], None]
Fork = Callable[[Reverser, Callable[[], E.Expr], Half, Half], None]


class Block(Protocol):
    """Reverses a block, behind what follows it."""

    def __call__(
        self, r: Reverser, name: BlockId, body: S.Block, following: Half | None = None, /
    ) -> None: ...


_RESTORE = "#restore"


def attempt(r: Reverser, s: S.Try, block: Block, fork: Fork) -> None:
    """Reverse what was done of a `try` statement."""
    count = len(s.handlers)
    block(r, (s.site, count + 2), s.final)
    if not count:  # nothing is caught: if the function went on, everything was done
        block(r, (s.site, 1), s.orelse)
        block(r, (s.site, 0), s.body)
        return

    def all_done() -> None:
        block(r, (s.site, count + 1), s.orelse)
        block(r, (s.site, 0), s.body)

    def caught() -> E.Expr:
        return r.residuals.kept("caught", E.Name(f"caught#{s.site}"), s.site, after=True)

    def handled(k: int) -> None:
        handler = s.handlers[k]
        block(r, (s.site, k + 1), handler.body)
        some_done(r, s, s, s.body, 1, block, fork)

    def ways(k: int) -> None:
        if k == count:
            all_done()
        elif count == 1:
            fork(r, caught, lambda: handled(0), all_done)
        else:
            which = E.Const(k + 1)
            fork(
                r,
                lambda: E.Compare(caught(), ("==",), (which,)),
                lambda: handled(k),
                lambda: ways(k + 1),
            )

    ways(0)
    if r.facts.structure.loops(s.site):
        r.emit(C.Do(E.Call(E.Ref(_RESTORE, None), (E.Const(s.site),))))


def some_done(
    r: Reverser,
    s: S.Try,
    owner: S.Try | S.Onward,
    body: S.Block,
    k: int,
    block: Block,
    fork: Fork,
) -> None:
    """Reverse the steps from the `k`-th on that were done before the exception. The last never
    was."""
    following = body[-1] if body else None
    if not isinstance(following, S.Onward):
        return

    def further() -> None:
        some_done(r, s, following, following.body, k + 1, block, fork)

    def done() -> None:
        block(r, (owner.site, 0), body[:-1], further)

    def test() -> E.Expr:
        step = r.residuals.kept("step", E.Name(f"step#{s.site}"), s.site, after=True)
        return E.Compare(step, (">=",), (E.Const(k),))

    before, r.current = r.current, owner
    fork(r, test, done, lambda: None)
    r.current = before


def within(r: Reverser, s: S.With, block: Block) -> None:
    """Reverse the body; under `np.errstate`, if that is what the user did."""
    out, r.out = r.out, []
    block(r, (s.site, 0), s.body)
    body, r.out = r.out, out
    if body and s.again:
        r.emit(C.Within(s.context, None, tuple(body), r.note))
    else:
        r.out.extend(body)


# Records of repeated attempts. What an interrupted step has kept is not fetched, and on one way
# less may be fetched than on the other. So after each attempt the lists are cut to the lengths that
# they had before it.


@dataclass(frozen=True)
class Restored:
    """The code of a pullback with the lists cut to length."""

    r: Reverser

    def body(self, code: C.Body) -> C.Body:
        """`code` with every mark of `attempt` replaced, those of inner statements first."""
        sites = {site for c in all_code(code) if (site := _marked(c)) is not None}
        depth = self.r.facts.structure.ancestors
        block = self.r.facts.structure.block
        for site in sorted(sites, key=lambda x: -len(depth(block[x]))):
            code = self.replaced(code, site, self.cuts(code, site))
        return code

    def cuts(self, code: C.Body, site: int) -> C.Body:
        """The statements for one attempt."""
        facts, residuals = self.r.facts, self.r.residuals
        s = facts.structure.stmts[site]
        assert isinstance(s, S.Try)
        inside = {t.site for t in statements(s.body)}
        kept = {f.stack: f for f in residuals.fetches.values() if f.stack and f.at in inside}
        found: dict[str, None] = {}
        for c in all_code(code):
            taken = popped(c)
            if taken is not None and taken[1] in kept:
                found.setdefault(taken[1])
        cuts: list[C.Code] = []
        for stack in found:
            size = residuals.kept("size", E.Name(f"size#{site}#{stack}"), site, after=True)
            assert isinstance(size, E.Name)
            fetch = next(f for f in residuals.fetches.values() if f.name == size.id)
            pop = E.Call(E.Attribute(E.Name(fetch.stack), "pop"), ())
            rest = E.Index(E.Name(stack), (E.Slice(size, None, None),))
            cuts.append(C.Assign((size,), pop))
            cuts.append(C.Assign((rest,), E.Sequence("list", ())))
        return tuple(cuts)

    def replaced(self, code: C.Body, site: int, cuts: C.Body) -> C.Body:
        out: list[C.Code] = []
        for c in code:
            if _marked(c) == site:
                out.extend(cuts)
            else:
                out.append(C.map_bodies(c, lambda b: self.replaced(b, site, cuts)))
        return tuple(out)


def _marked(c: C.Code) -> int | None:
    match c:
        case C.Do(value=E.Call(fn=E.Ref(text=text), args=(E.Const(value=int() as site),))):
            return site if text == _RESTORE else None
        case _:
            return None
