"""Calls of functions that do more than a rule of the user's, `constant` or a checkpoint tells
(`behind`)."""

from __future__ import annotations

from adtrans.analyses.abstract import GLOBAL
from adtrans.analyses.apply import Application
from adtrans.analyses.behind import is_constant, is_unread
from adtrans.analyses.effects import Summary
from adtrans.analyses.facts import Facts
from adtrans.analyses.needed_checks import put_somewhere
from adtrans.analyses.repeatable import may_be_object
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import NEVER, Array, Container, Never, Scalar, TupleOf, Unknown
from adtrans.ir.walk import binds_of, reads_of, statements
from adtrans.source import is_generated


def undeclared(s: S.Bind, facts: Facts) -> Diagnostic | None:
    """The error at a call of such a function. What a function that is not known may write counts
    against a checkpoint alone: a rule is declared because not everything is known."""
    app, summary = facts.apps.get(s.site), facts.behind.get(s.site)
    if app is None or summary is None:
        return None
    if summary.reuses and any(s.target in reads_of(t) for t in statements(facts.fn.body)):
        return _the_same_each_time(s, app)
    if summary.guesses == "writes":
        return _written_by_a_guess(s, app)
    if is_constant(app):
        return _of_a_constant(s, app, facts, summary)
    again = _is_checkpoint(s, app)
    assert app.rule.custom is not None
    declared = app.rule.custom.contents
    for param, span in summary.writes:
        name = app.rule.called(param)
        if param == declared:
            continue
        if again and (param in summary.certainly or not summary.repeatable):
            return _written_again(s, app, name, span)
        if param in summary.certainly:
            return _written_unsaid(s, app, name, span)
    if again and _does_more(s, app, facts, summary):
        return may_not_run_again(app.rule.shown, Label(s.span, "called here"))
    return _unclear(s, app, facts, summary, "AD413" if again else "AD412")


def _does_more(s: S.Bind, app: Application, facts: Facts, summary: Summary) -> bool:
    """Whether it is told here already that a checkpoint may not run again, which its derivative
    would make it do. What of its arguments is not known is so when it runs."""
    if not facts.activity.active(s.target):
        return False
    if summary.result == NEVER:  # it could not be analysed as a part of this program
        return summary.assigns
    kinds = [facts.kinds.expr(s.site, e) for e in app.bound.values()]
    if any(isinstance(k, Unknown | Never) for k in kinds):
        return False
    objects = summary.finds_objects or any(map(may_be_object, kinds))
    return not summary.repeatable or (summary.assigns and objects)


def may_not_run_again(shown: str, place: Label | Span, taker: str = "") -> Diagnostic:
    """The error for a checkpoint that does more than compute, or for a function that is handed to
    `taker`."""
    role = f"handed to `{taker}`" if taker else "a checkpoint"
    twice = f"the derivative of `{taker}` runs it again" if taker else ""
    return Diagnostic(
        "AD413",
        f"{shown} cannot be {role}: running it again would do something",
        place,
        why=f"{twice or 'a checkpoint is computed twice'}, and this function prints, draws random "
        "numbers, calls what is not known, or writes into its arguments or what outlives it",
        fixes=[Fix("take that part out of it, or copy the arguments first")],
    )


def _of_a_constant(
    s: S.Bind, app: Application, facts: Facts, summary: Summary
) -> Diagnostic | None:
    """The error where a function that is said to be constant writes what carries a derivative, or
    returns it, and one of the two is written."""
    for param, span in summary.writes:
        if param in app.writes and facts.influence.carries(app.bound[param], s.site):
            return Diagnostic(
                "AD412",
                f"{app.rule.shown} writes `{app.bound[param]}`, which carries a derivative, and is "
                "said to be constant",
                Label(s.span, "called here"),
                labels=[Label(span, "written here")],
                why="what a constant function does to its arguments has no derivative",
                fixes=[
                    Fix("pass a copy, if the caller does not need what is written"),
                    Fix("leave out `ad.constant`, so that the function is differentiated, too"),
                ],
            )
    used = any(s.target in reads_of(t) for t in statements(facts.fn.body))
    return _unclear(s, app, facts, summary, "AD412") if app.shares and used else None


def _unclear(
    s: S.Bind, app: Application, facts: Facts, summary: Summary, code: str
) -> Diagnostic | None:
    """The error where it is not known which array a write concerns."""
    if _is_unclear(s, app, facts, summary):
        names = " or ".join(f"`{_shown(app, p)}`" for p in app.shares)
        what = f"{names}, or a part of it" if names else "an array twice"
        what = "an array that others have, too" if summary.returns == {GLOBAL} else what
        return Diagnostic(
            code,
            f"{app.rule.shown} may return {what}, and that is written",
            s.span,
            why="it is not known here to which array a write belongs",
            fixes=[Fix("return copies")],
        )
    return None


def _shown(app: Application, param: str) -> str:
    """A parameter as callers call it; what is passed to a function that only has places for it."""
    return str(app.bound[param]) if is_constant(app) else app.rule.called(param)


def _the_same_each_time(s: S.Bind, app: Application) -> Diagnostic:
    return Diagnostic(
        "AD412",
        f"{app.rule.shown} returns an array that it keeps, and writes again",
        Label(s.span, "called here"),
        why="the result of one call is overwritten by the next one, also when the derivative needs "
        "it",
        fixes=[Fix("return a copy")],
    )


def _written_by_a_guess(s: S.Bind, app: Application) -> Diagnostic:
    return Diagnostic(
        "AD206",
        f"cannot tell whether {app.rule.shown} writes an argument or a copy of it",
        Label(s.span, "called here"),
        why="whether `ravel` and its like give a view depends on how an array lies in memory, and "
        "nothing in this function checks it",
        fixes=[Fix("make a copy where one is meant, with `.copy()`")],
    )


def _written_again(s: S.Bind, app: Application, param: str, span: Span) -> Diagnostic:
    return Diagnostic(
        "AD413",
        f"{app.rule.shown} cannot be a checkpoint: it writes its argument `{param}`",
        Label(s.span, "called here"),
        labels=[] if is_generated(span.file) else [Label(span, "written here")],
        why="a checkpoint is computed twice, and the second run would find what the first has "
        "written",
        fixes=[Fix(f"copy `{param}` first, and return the copy")],
    )


def _written_unsaid(s: S.Bind, app: Application, param: str, span: Span) -> Diagnostic:
    return Diagnostic(
        "AD412",
        f"{app.rule.shown} writes its argument `{param}`, and its rule does not say so",
        Label(s.span, "called here"),
        labels=[Label(span, "written here")],
        why="the derivative that is declared is that of the result alone",
        fixes=[
            Fix(f'return nothing, and declare `adtrans.rule(..., writes="{param}")`'),
            Fix(f"copy `{param}` first, and return the copy"),
        ],
    )


def _is_checkpoint(s: S.Bind, app: Application) -> bool:
    """Whether what is called is not the function itself, but a form of it that is run again."""
    assert app.rule.custom is not None and isinstance(s.value, E.Call)
    if app.rule.custom.contents is not None:
        return False
    return not isinstance(s.value.fn, E.Ref) or s.value.fn.value is not app.rule.custom.fn


def _is_unclear(s: S.Bind, app: Application, facts: Facts, summary: Summary) -> bool:
    """Whether something of what is returned may be written, here or by others, and no check can
    tell: it asks of arrays only, and in a function that is asked for, or all of whose results vary.
    """
    result = facts.kinds.bound(s.site)
    several = isinstance(result, TupleOf | Container) and not summary.apart
    if not app.shares and not several:
        return False
    kinds = [result, *(facts.kinds.expr(s.site, e) for e in app.sources)]
    plain = all(isinstance(k, Array | Scalar) for k in kinds) or (
        isinstance(result, Unknown) and is_unread(s.value, app)
    )
    checked = plain and app.assumed and GLOBAL not in summary.returns
    if checked and not facts.inner:
        return False
    taken = [t for t in statements(facts.fn.body) if _takes(t, s.target)]
    objects = facts.memory.objects(s.target).union(
        *(facts.memory.of(e) for e in app.sources),
        *(facts.memory.objects(v) for t in taken for v in binds_of(t)),
    )
    out = [v for r in statements(facts.fn.body) if isinstance(r, S.Return) for v in r.values]
    written = frozenset(o for w in facts.memory.writes if not w.unknown for o in w.objects)
    returned = written.union(*map(facts.memory.of, () if checked else out))
    return bool(objects & (returned | put_somewhere(facts)))


def _takes(s: S.Stmt, var: str) -> bool:
    return isinstance(s, S.Load | S.Unpack | S.Alias | S.Edit) and var in reads_of(s)
