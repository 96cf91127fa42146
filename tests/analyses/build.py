"""A few words to write the small language by hand in tests."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from adtrans.diagnostics.span import Span
from adtrans.ir import stmt as S
from adtrans.ir.expr import Binary, Compare, Const, Expr, Name

_HERE = Span("f.py", 1, 0, 1, 1)


class Build:
    """Statements with increasing sites; strings are variables, other values literals."""

    def __init__(self) -> None:
        self._sites: Iterator[int] = itertools.count(1)

    def expr(self, e: object) -> Expr:
        if isinstance(e, str):
            return Name(e)
        return Const(e) if e is None or isinstance(e, bool | int | float) else e  # type: ignore[return-value]  # an Expr

    def bind(self, target: str, value: object) -> S.Bind:
        return S.Bind(target, self.expr(value), site=next(self._sites), span=_HERE)

    def update(self, base: str, op: str, value: object) -> S.Update:
        v = self.expr(value)
        assert isinstance(v, Name | Const)
        return S.Update(base, None, op, v, site=next(self._sites), span=_HERE)

    def alias(self, target: str, source: str) -> S.Alias:
        return S.Alias(target, source, site=next(self._sites), span=_HERE)

    def keep(self, reads: str = "", binds: str = "", **kw: object) -> S.Keep:
        return S.Keep(
            "kept", tuple(reads.split()), tuple(binds.split()), None,
            site=next(self._sites), span=_HERE, **kw,  # type: ignore[arg-type]  # form, unbinds
        )  # fmt: skip

    def if_(self, test: object, then: S.Block, orelse: S.Block = ()) -> S.If:
        return S.If(self.expr(test), then, orelse, site=next(self._sites), span=_HERE)

    def for_(self, target: S.Target, source: str, body: S.Block) -> S.For:
        return S.For(target, S.Elements(source), body, site=next(self._sites), span=_HERE)

    def while_(self, test: object, body: S.Block, head: S.Block = ()) -> S.While:
        return S.While(head, self.expr(test), body, site=next(self._sites), span=_HERE)

    def brk(self) -> S.Break:
        return S.Break(site=next(self._sites), span=_HERE)

    def cont(self) -> S.Continue:
        return S.Continue(site=next(self._sites), span=_HERE)

    def ret(self, value: object) -> S.Return:
        v = self.expr(value)
        assert isinstance(v, Name | Const)
        return S.Return((v,), site=next(self._sites), span=_HERE)

    def fn(self, params: str, *body: S.Stmt) -> S.Function:
        return S.Function("f", tuple(S.Param(p) for p in params.split()), body, _HERE)


def plus(a: str, b: object) -> Binary:
    """`a + b`."""
    return Binary("+", Name(a), Name(b) if isinstance(b, str) else Const(b))


def less(a: str, b: object) -> Compare:
    """`a < b`."""
    return Compare(Name(a), ("<",), (Name(b) if isinstance(b, str) else Const(b),))
