"""What the value that a statement binds refers to: another variable's array, or a new one.

>>> from adtrans.analyses.kinds import infer
>>> from adtrans.diagnostics.span import Span
>>> from adtrans.ir.kinds import PY_FLOAT
>>> new = S.Bind("y", E.Name("x"), site=1, span=Span("f.py", 1, 0, 1, 5))
>>> kinds = infer(S.Function("f", (S.Param("x"),), (new,), new.span), {"x": PY_FLOAT})
>>> reference(new, kinds, {}, {}, frozenset()) is None
True
"""

from __future__ import annotations

from collections.abc import Mapping

from adtrans.analyses.abstract import holds_mutable
from adtrans.analyses.apply import Application
from adtrans.analyses.effects import Summary
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.points_to import gathered, shares
from adtrans.analyses.subscripts import is_advanced, is_basic
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Container, is_immutable

UNCLEAR = "?"
READ_ONLY = frozenset({
    "np.diagonal", "np.diag", "np.broadcast_to", "ndarray.diagonal", "np.linalg.diagonal",
    "np.lib.stride_tricks.sliding_window_view",
})  # fmt: skip


def read_only(app: Application) -> bool:
    """Whether the result cannot be written, though its argument can."""
    return app.rule.spelling in READ_ONLY


def reference(
    s: S.Stmt,
    kinds: Kinds,
    apps: Mapping[int, Application],
    summaries: Mapping[int, Summary],
    apart: frozenset[str],
) -> str | None:
    """The variable whose object the value bound by `s` shares, None when `s` makes a new object,
    UNCLEAR when it may be one or the other."""
    match s:
        case S.Invoke():
            summary = summaries.get(s.site)
            return UNCLEAR if summary is None or summary.shares_result else None
        case S.Keep():
            return UNCLEAR
        case S.Alias():
            return s.source
        case S.Unpack():
            return None if s.source in apart else UNCLEAR
        case S.Pack():  # it holds whatever its items refer to
            mutable = (i for i in s.items if not is_immutable(kinds.expr(s.site, i)))
            return UNCLEAR if any(mutable) else None
        case S.Edit():
            held = kinds.at(s.site, s.base)
            through = s.op == "pop" or s.op in S.JOINS
            if s.op == "sum":
                parts = (kinds.at(s.site, v) for v in shares(s, kinds))
                return None if all(map(is_immutable, parts)) else UNCLEAR
            return UNCLEAR if through and holds_mutable(held) else None
        case S.Load() if not isinstance(kinds.at(s.site, s.base), Array):
            if s.base in apart:
                return None
            return UNCLEAR  # an item of a tuple or a list
        case S.Load():
            return (
                s.base
                if is_basic(s.items, s.site, kinds)
                else None
                if is_advanced(s.items, s.site, kinds)
                else UNCLEAR
            )
        case S.Bind():
            app = apps.get(s.site)
            if app is None:
                return None if not isinstance(s.value, E.Ref | E.IfExp | E.BoolOp) else UNCLEAR
            if app.result != "fresh":
                e = app.source
                if not isinstance(e, E.Name):
                    return UNCLEAR
                if app.rule.spelling in READ_ONLY or isinstance(kinds.var(s.target), Container):
                    return UNCLEAR
                return e.id if app.result in ("view", "same") else UNCLEAR
            held_in = (kinds.expr(s.site, e) for e in gathered(s, app, kinds, apps))
            return None if all(map(is_immutable, held_in)) else UNCLEAR
    return None
