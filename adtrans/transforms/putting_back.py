"""What the pullback does about writes that it undoes (see `undoing`)."""

from __future__ import annotations

from adtrans.analyses.structure import BODY
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Scalar
from adtrans.transforms.adjoints import copied
from adtrans.transforms.reverser import Reverser


def begin(r: Reverser) -> None:
    """Begin with the contents that the arrays have in the end: copies, which change."""
    f, residuals = r.facts, r.residuals
    residuals.bind = lambda c: bind(r, c)
    residuals.here = lambda: r.current
    for var in residuals.undone:
        name, kind = f.fn.source_name(var), f.kinds.var(var)
        residuals.then[var] = r.names.fresh(f"{name}_then")
        last = f.fn.body[-1].site
        end = residuals.put(
            ("undone", var), "final", f"{name}_end", copied(E.Name(var), kind),
            last, False, BODY, False, kind, var,
        )  # fmt: skip
        assert isinstance(end, E.Name)
        r.env[end.id] = r.env[residuals.then[var]] = kind
        r.emit(C.Assign((E.Name(residuals.then[var]),), copied(end, kind), None))


def put_back(r: Reverser, s: S.Stmt) -> None:
    """Undo the write of a statement that is being reversed."""
    if not isinstance(s, S.Store | S.Update):
        return
    undone = r.residuals.undone.get(s.base)
    if undone is None or s.site not in undone.writes:
        return
    assert s.items is not None
    part: E.Expr = E.Index(E.Name(s.base), s.items)
    kind = r.facts.kinds.expr(s.site, part)
    if not isinstance(kind, Scalar):
        part = copied(part, kind)
    hint = f"{r.facts.fn.source_name(s.base)}_old"
    old = r.residuals.kept(hint, part, s.site, undoes=s.base)
    assert isinstance(old, E.Name)
    r.env[old.id] = kind
    then = r.residuals.then[s.base]
    items = tuple(r.residuals.expression(i, s.site) for i in s.items)
    for name in (then, *r.residuals.parts.values()):  # whatever looks into it
        r.before_write(name)
    r.emit(C.Assign((E.Index(E.Name(then), items),), old, r.note))


def bind(r: Reverser, c: C.Code) -> None:
    """Write a statement that selects a part, unless it stands there, and nothing was put back."""
    for before in reversed(r.out):
        if before == c:
            return
        plain = isinstance(before, C.Assign) and all(isinstance(t, E.Name) for t in before.targets)
        if not plain and not isinstance(before, C.AugAssign):
            break
    r.emit(c)
