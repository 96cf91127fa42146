"""Operands of other classes, whose operators mean something else."""

from __future__ import annotations

from collections.abc import Iterator

from adtrans.analyses.facts import Facts
from adtrans.analyses.refused.user_words import shown
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Instance
from adtrans.rules.scipy_sparse import is_sparse
from adtrans.runtime.value_checks import is_number

_MEANINGS = (
    "__array__", "__array_ufunc__", "__array_function__", "__add__", "__radd__", "__mul__",
    "__rmul__", "__matmul__", "__rmatmul__", "__sub__", "__rsub__", "__truediv__", "__rtruediv__",
)  # fmt: skip


def foreign_operands(s: S.Stmt, facts: Facts) -> Iterator[Diagnostic]:
    """A rule for arrays, applied to an object that is none."""
    operands: list[E.Expr] = []
    if isinstance(s, S.Bind) and s.site in facts.apps and facts.activity.active(s.target):
        app = facts.apps[s.site]
        if app.rule.custom is None:
            operands = [e for p, e in app.operands() if p not in app.rule.without]
            without = [e for p, e in app.bound.items() if p in app.rule.without]
            operands += [e for e in without if not _sparse(e, s, facts)]
    elif isinstance(s, S.Update) and facts.activity.active(s.base):
        operands = [s.value]
    for e in operands:
        kind = facts.kinds.expr(s.site, e) if E.is_atom(e) else None
        if isinstance(kind, Instance) and foreign(kind.cls):
            name = kind.name.rpartition(".")[2]
            yield Diagnostic(
                "AD408",
                f"`{shown(e, facts)}` is a `{name}`",
                Label(s.span, "it meets a value that carries a derivative here"),
                why=f"operators and functions may mean something else for `{name}` than for arrays",
                fixes=[Fix("convert it to an array or a number first")],
            )


def foreign(cls: object) -> bool:
    """Whether a class may give operators another meaning than numbers and arrays do."""
    if not isinstance(cls, type) or is_number(cls):
        return False
    return any(hasattr(cls, m) for m in _MEANINGS)


def _sparse(e: E.Expr, s: S.Stmt, facts: Facts) -> bool:
    kind = facts.kinds.expr(s.site, e)
    return isinstance(kind, Instance) and is_sparse(kind.cls)
