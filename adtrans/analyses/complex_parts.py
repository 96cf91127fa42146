"""Real and imaginary parts of arrays that are assigned as attributes.

z.real = v          ->   t = z.real; t[...] = v
z.imag += v         ->   t = z.imag; t[...] += v

Both parts of a complex array are views, into which NumPy writes then; the real part of a real one
is this very array. What `+=` assigns in the end is what it has just written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array
from adtrans.ir.rewriter import Rewriter
from adtrans.ir.walk import binds_of, statements, without_origins
from adtrans.lower.opaque import assigned_attribute
from adtrans.rules.complexes import is_complex, is_real

__all__ = ["with_parts"]


def with_parts(fn: S.Function, kinds: Kinds) -> S.Function:
    """`fn` with parts that are written as the views that they are; the same object where none is
    assigned."""
    touched = {s.origin for s in statements(fn.body) if _assigned(s, kinds)}
    if not touched:
        return fn
    return replace(fn, body=_Assigning(fn, kinds).block(without_origins(fn.body, touched)))


def _assigned(s: S.Stmt, kinds: Kinds) -> tuple[str, str, S.Atom] | None:
    """The array, which part of it, and the value of `z.real = value`; real numbers have no
    imaginary part to write to."""
    match assigned_attribute(s):
        case (base, "real" | "imag" as part, value) if value is not None:
            kind = kinds.at(s.site, base)
            there = is_complex(kind) or (part == "real" and is_real(kind))
            return (base, part, value) if isinstance(kind, Array) and there else None
        case _:
            return None


class _Assigning(Rewriter):
    """Rewrites the statements; `views`: names that are a part of an array when they are bound."""

    def __init__(self, fn: S.Function, kinds: Kinds) -> None:
        super().__init__(fn)
        self.kinds = kinds
        made = [s for s in statements(fn.body) if not isinstance(s, S.Update)]
        bound = [v for s in made for v in binds_of(s)]
        here = {(s.origin, v) for s in made for v in binds_of(s)}  # `z.real += (z := y)[0]`
        self.views = {
            s.target: (s.value.base.id, s.value.attr, s.span)
            for s in made
            if isinstance(s, S.Bind) and bound.count(s.target) == 1
            and isinstance(s.value, E.Attribute) and isinstance(s.value.base, E.Name)
            and (s.origin, s.value.base.id) not in here
        }  # fmt: skip

    def one(self, s: S.Stmt) -> Iterator[S.Stmt]:
        found = _assigned(s, self.kinds)
        if found is None:
            yield s
            return
        base, part, value = found
        if isinstance(value, E.Name) and self.views.get(value.id) == (base, part, s.span):
            return  # of `z.imag += v`
        view = self.fresh(part)
        yield S.Bind(view, E.Attribute(E.Name(base), part), **self.place(s))
        yield S.Store(view, (E.ELLIPSIS,), value, **S.place(s, s.site))
