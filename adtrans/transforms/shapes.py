"""The shape of an array as an expression at a place where the array is not there yet.

Before a loop that computes `t = u[1:] * w`, the shape of `t` is `w.shape`, if `w` is there and is
certainly as large; else it is put together from the sizes that are known: `(u.shape[0] - 1,)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from adtrans.analyses.facts import Facts
from adtrans.analyses.naming import naming
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import Array, Scalar


@dataclass(frozen=True, slots=True)
class Shapes:
    """Shapes as they can be written before the loop `site`, with `printed` names."""

    facts: Facts
    site: int
    printed: Callable[[E.Expr], E.Expr]

    def of(self, var: str, kind: Array) -> E.Expr | None:
        """The shape of `var`; None where it is not known at this place."""
        here = tuple(self.available())
        if var in here and not self.rebound(var):
            return E.Attribute(self.printed(E.Name(var)), "shape")
        if kind.dims is None or any(d is None or _is_local(d) for d in kind.dims):
            return None
        for v in here:
            other = self.facts.kinds.at(self.site, v)
            if isinstance(other, Array) and other.dims == kind.dims:
                return E.Attribute(self.printed(E.Name(v)), "shape")
        sizes = [self.size(d, here) for d in kind.dims if d is not None]
        found = tuple(s for s in sizes if s is not None)
        return E.Sequence("tuple", found) if len(found) == len(sizes) else None

    def rebound(self, var: str) -> bool:
        """Whether the loop here may bind `var` to another array, perhaps of another size."""
        f = self.facts.definitions
        sites = [d for d in f.sites.get(var, ()) if not isinstance(self.at(d), S.Update)]
        return any(self.site in f.loops[d] for d in sites)

    def available(self) -> Iterator[str]:
        """The user's variables that certainly have a value here, and go by their names."""
        f = self.facts
        names = naming(f.fn)
        every = dict.fromkeys((*f.definitions.params, *sorted(f.definitions.sites)))
        for v in every:
            if f.fn.source_name(v) not in f.fn.reserved:
                continue
            sites = [
                d for d in f.definitions.sites.get(v, ()) if not isinstance(self.at(d), S.Update)
            ]
            bound = v in f.definitions.params or any(
                f.structure.dominates(d, self.site) for d in sites
            )
            if bound and names.reachable(v, self.site, after=False):
                yield v

    def at(self, site: int) -> S.Stmt:
        return self.facts.structure.stmts[site]

    def size(self, d: Affine, here: tuple[str, ...]) -> E.Expr | None:
        """A size; where it might come out negative, nothing is there."""
        total: E.Expr | None = None
        for symbol, factor in d.terms:
            e = self.symbol(symbol, here)
            if e is None:
                return None
            term = e if abs(factor) == 1 else E.Binary("*", E.Const(abs(factor)), e)
            if factor < 0:
                total = E.Unary("-", term) if total is None else E.Binary("-", total, term)
            else:
                total = term if total is None else E.Binary("+", total, term)
        if total is None:
            return E.Const(max(d.constant, 0))
        if d.constant:
            sign = "+" if d.constant > 0 else "-"
            total = E.Binary(sign, total, E.Const(abs(d.constant)))
        negative = d.constant < 0 or any(factor < 0 for _, factor in d.terms)
        return E.Call(E.Ref("max", max), (total, E.Const(0))) if negative else total

    def symbol(self, symbol: str, here: tuple[str, ...]) -> E.Expr | None:
        """An expression that has the value of a symbol."""
        wanted = Affine.symbol(symbol)
        for v in here:
            match self.facts.kinds.at(self.site, v):
                case Scalar(value=value) if value == wanted:
                    return self.printed(E.Name(v))
                case Array(dims=dims) if dims is not None and wanted in dims:
                    shape = E.Attribute(self.printed(E.Name(v)), "shape")
                    return E.Index(shape, (E.Const(dims.index(wanted)),))
                case _:
                    pass
        return None


def _is_local(d: Affine) -> bool:
    return any("#" in s for s in d.symbols)
