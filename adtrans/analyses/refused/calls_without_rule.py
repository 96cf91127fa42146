"""Operations and calls without a rule, and arguments that overlap."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import FunctionType, MethodType

import numpy as np

from adtrans.analyses.apply import Application, Operand
from adtrans.analyses.facts import Facts
from adtrans.analyses.kinds.named import special_of_named
from adtrans.analyses.needed import formulas
from adtrans.analyses.overlaps import left_and_written, overlap
from adtrans.analyses.refused.taught import of_table
from adtrans.analyses.refused.unknown import in_place_of, of_unknown
from adtrans.analyses.refused.unread_callees import unread
from adtrans.analyses.refused.user_words import parameter, shown, written_as
from adtrans.analyses.writes import actuals
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    Array,
    DictOf,
    ListOf,
    TupleOf,
    Unknown,
    is_anything,
    present,
)
from adtrans.ir.walk import binds_of, reads_of, statements
from adtrans.rules import is_maker, lookup, method, reason
from adtrans.rules.written import form_of

_WRITABLE = (np.ndarray, list, dict)
_UNKNOWN = "it is neither a Python function that adtrans can read nor one with a rule"


def operations(s: S.Bind, facts: Facts, reverse: bool) -> Iterator[Diagnostic]:
    act, app = facts.activity, facts.apps.get(s.site)
    if app is None:
        if E.is_atom(s.value):
            return
        if isinstance(s.value, E.Call | E.Attribute):
            call = s.value if isinstance(s.value, E.Call) else None
            form = None if call is None else _form(call.fn, call.kwargs, s.site, facts)
            if form is not None and call is not None and (star := _star(call)) is not None:
                yield of_unknown_number(s.span, form[0], facts.fn.source_name(star), facts)
                return
            if call is not None and (tuples := star_of_several(s, facts)) is not None:
                yield of_several_lengths(s.span, shown(call.fn, facts), tuples, facts)
                return
            yield form_without_rule(s.span, *form) if form is not None else no_rule(
                s.span, s.value if call is None else call.fn, facts
            )
            return
        yield Diagnostic(
            "AD202",
            "this expression cannot be differentiated yet",
            Label(s.span, "a value that carries a derivative enters here"),
            why="adtrans has no rule for this kind of expression",
            fixes=[Fix("rewrite it with assignments, `if` and loops over arrays")],
        )
        return
    if app.rule.refused is not None:
        fn = s.value.fn if isinstance(s.value, E.Call) else s.value
        yield no_rule(s.span, fn, facts, app.rule.refused)
        return
    if (refused := _refused(s, app, facts)) is not None:
        yield refused
        return
    if (table := of_table(s, app, facts)) is not None:
        yield table
        return
    for param, e in app.inert():
        if isinstance(e, E.Name) and act.active(e) and not app.rule.ignores(param):
            yield Diagnostic(
                "AD409",
                f"{app.rule.shown} has no derivative with respect to `{parameter(app, param)}`",
                s.span,
                why=app.rule.without.get(param)
                or f"`{facts.fn.source_name(e.id)}` carries a derivative",
                fixes=[Fix("pass `adtrans.stop_gradient(...)` if none is meant")],
                callee=_called(s, app),
            )
    for param, name in app.unreached():
        if act.active(name) and not app.rule.ignores(param):
            yield Diagnostic(
                "AD409",
                f"{app.rule.shown} has no derivative with respect to what is in "
                f"`{parameter(app, param)}`",
                s.span,
                why=f"`{facts.fn.source_name(name)}` carries a derivative",
                fixes=[Fix("make an array of it first, with `np.array(...)`")],
            )
    yield from _without_formula(s, app, facts, reverse, act.active)


def _without_formula(
    s: S.Bind, app: Application, facts: Facts, reverse: bool, varies: Callable[[E.Expr], bool]
) -> Iterator[Diagnostic]:
    """The errors at operands by which there is no derivative."""
    for operand, e in app.operands():
        if (
            isinstance(e, E.Name)
            and varies(e)
            and not (_has_formula(s, app, operand, facts, reverse))
        ):
            name = operand if isinstance(operand, str) else operand[0]
            missing = "pullback" if reverse else "pushforward"
            taught = app.rule.custom is not None
            yield Diagnostic(
                "AD409",
                f"{app.rule.shown} has no derivative with respect to `{parameter(app, name)}` in "
                "this form",
                s.span,
                why=f"its rule declares no {missing}" if taught else _no_formula(s, app, e, facts),
                fixes=[Fix(f"declare one with `adtrans.rule`: see `{missing}`")] if taught else (),
            )


def _no_formula(s: S.Bind, app: Application, operand: E.Name, facts: Facts) -> str:
    """Why the rule of a primitive has no formula for an operand."""
    kind = present(facts.kinds.expr(s.site, operand))
    if isinstance(kind, ListOf | DictOf):
        return "it is not known how many items it has: pass an array, or write the items out"
    dim = next((p for p in ("axis", "mode", "order") if isinstance(app.bound.get(p), E.Name)), None)
    if dim is not None:
        return f"its formula depends on `{dim}=`, which has to be written out here"
    return f"its rule has no formula for what is of kind {kind}"


def _refused(s: S.Bind, app: Application, facts: Facts) -> Diagnostic | None:
    """The error at a call in a form that its rule does not differentiate."""
    why = app.rule.refusal(app.bound, app.kinds(lambda e: facts.kinds.expr(s.site, e)))
    what = f"{app.rule.shown} cannot be differentiated in this form"
    if why is None:
        return None
    return Diagnostic("AD409", what, s.span, why=why, callee=_called(s, app))


def _called(s: S.Bind, app: Application) -> object:
    """The function of a call that has a rule, or the rule of an operation."""
    fn = s.value.fn if isinstance(s.value, E.Call) else None
    return fn.value if isinstance(fn, E.Ref) else app.rule


def without_tangent(s: S.Bind, app: Application, facts: Facts) -> Iterator[Diagnostic]:
    """The same where nobody wants the derivative: values and tangents are computed side by side."""
    given = [e.id for _, e in app.operands() if isinstance(e, E.Name)]
    varied = [v for v in given if v in facts.activity.varied]
    if any(not isinstance(facts.kinds.var(v), Unknown) for v in varied):
        if (refused := _refused(s, app, facts)) is not None:
            yield refused
        elif app.rule.custom is not None:
            yield from _without_formula(
                s, app, facts, False, lambda e: isinstance(e, E.Name) and e.id in varied
            )


def _has_formula(
    s: S.Bind, app: Application, operand: Operand, facts: Facts, reverse: bool
) -> bool:
    if reverse or app.rule.custom is None:
        return bool(formulas(app, operand, s.site, facts.kinds, s.target))
    try:
        app.rule.pushforward(operand, app.bound, app.kinds(lambda e: facts.kinds.expr(s.site, e)))
    except LookupError:
        return False
    return True


def no_rule(span: Span, fn: E.Expr, facts: Facts, why: str | None = None) -> Diagnostic:
    """The error at a call of something without a rule, with the reason where there is one."""
    callee = fn.value if isinstance(fn, E.Ref) else None
    return replace(_no_rule(span, fn, facts, why), callee=callee)


def _no_rule(span: Span, fn: E.Expr, facts: Facts, why: str | None) -> Diagnostic:
    if why is None and (found := of_unknown(span, fn, facts)) is not None:
        return found
    what = shown(fn, facts)
    if holds_methods(fn):
        return Diagnostic(
            "AD401",
            f"what `{fn.attr if isinstance(fn, E.Attribute) else what}` holds cannot be followed",
            Label(span, "a value that carries a derivative enters here"),
            why=METHODS,
            fixes=[Fix("put the objects there, and call the method of each")],
        )
    own = _own_name(fn)
    if why is None and isinstance(fn, E.Ref) and inspect.isgeneratorfunction(fn.value):
        return Diagnostic(
            "AD401",
            f"the generator `{what}` cannot be followed",
            Label(span, "a value that carries a derivative enters here"),
            why="its body runs in pieces, in an order that its caller decides",
            fixes=[Fix("let it put the values into a list, and return that")],
        )
    if why is None and isinstance(fn, E.Ref) and (other := in_place_of(fn.value)) is not None:
        return Diagnostic(
            "AD401",
            f"what a `{what}` holds cannot be followed",
            Label(span, "a value that carries a derivative enters here"),
            why="its methods are written in C",
            fixes=[Fix(f"use {other} in its place")],
        )
    if why is None and isinstance(fn, E.Ref):
        why = reason(fn.value)
        if why is not None and isinstance(fn.value, FunctionType) and why.endswith("no rule yet"):
            why += ", and its Python source, which is the library's own, is not gone through"
        if why is None and (form := form_of(fn.value)) is not None:
            why = f"it has a derivative in the form `{what}{form}`"
    if why is None and isinstance(fn, E.Ref) and (special := special_of_named(fn.value)):
        return Diagnostic(
            "AD401",
            f"the named tuple `{what}` cannot be followed",
            Label(span, "a value that carries a derivative enters here"),
            why=f"it defines `{special}` itself, and a named tuple is followed as a plain tuple",
            fixes=[Fix(f"make it a dataclass, or give `{special}` another name and call that")],
        )
    if why is None and (inside := unread(span, fn, facts)) is not None:
        return inside
    if why is None and own is not None:
        why = f"`{what}` is `{own}` here, {_UNKNOWN.removeprefix('it is ')}"
    return Diagnostic(
        "AD401",
        f"there is no derivative rule for `{what}`",
        Label(span, "a value that carries a derivative enters here"),
        why=why or _UNKNOWN,
        fixes=[
            Fix(
                "write it in NumPy, or keep active values out of it with "
                "`adtrans.stop_gradient(...)`"
            ),
            *_taught(fn, own or what),
        ],
    )


def holds_methods(e: E.Expr) -> bool:
    """Whether a global is a list or dictionary in which there are methods of objects."""
    match e:
        case E.Ref(value=held):
            pass
        case E.Attribute(base=E.Ref(value=owner), attr=name):
            held = getattr(owner, "__dict__", {}).get(name)
        case _:
            return False
    items = tuple(held.values()) if isinstance(held, dict) else held
    return isinstance(items, list | tuple) and any(isinstance(i, MethodType) for i in items)


METHODS = "it holds methods of objects, which are followed in variables and attributes only"


def _own_name(fn: E.Expr) -> str | None:
    """What a function is called where it comes from, if it has another name where it is called."""
    value = fn.value if isinstance(fn, E.Ref) else None
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(fn, E.Ref) or not isinstance(module, str) or not isinstance(name, str):
        return None
    known = name.isidentifier() and name != fn.text.rpartition(".")[2] and module != "builtins"
    return f"{module}.{name}" if known and module.partition(".")[0] != "adtrans" else None


def _form(
    fn: E.Expr, kwargs: Iterable[tuple[str, E.Expr]], site: int, facts: Facts
) -> tuple[str, str] | None:
    """The function of a call that has a rule which does not know these arguments, and why."""
    rule = lookup(fn.value) if isinstance(fn, E.Ref) else None
    if isinstance(fn, E.Attribute) and isinstance(facts.kinds.expr(site, fn.base), Array):
        rule = method(fn.attr)
    if rule is None or rule.any_arguments:
        return None
    known = {k for p in rule.params for k in (p.keyword, p.synonym)}
    unknown = ", ".join(f"`{k}=`" for k, _ in kwargs if k not in known)
    if unknown == "`default=`" and rule.spelling in ("max", "min"):
        return rule.spelling, (
            "`default=` is followed beside one argument, where the default does nothing but compute"
        )
    if unknown:
        return rule.spelling, f"its rule does not know {unknown}"
    shown = ", ".join(str(p) for p in rule.params)
    return rule.spelling, f"its rule is for the arguments `({shown})`"


def form_without_rule(span: Span, what: str, why: str) -> Diagnostic:
    """The error at a call of something that has a rule, but not for these arguments."""
    return Diagnostic(
        "AD401",
        f"there is no derivative rule for this form of `{what}`",
        Label(span, "a value that carries a derivative enters here"),
        why=why,
        fixes=[Fix("leave it out, or write it in other functions of NumPy")],
    )


def _star(call: E.Call) -> str | None:
    """The variable whose items a call is given."""
    found = (a.value.id for a in call.args if isinstance(a, E.Star) and isinstance(a.value, E.Name))
    return next(found, None)


def of_unknown_number(span: Span, what: str, name: str, facts: Facts) -> Diagnostic:
    """The error at a call with a star before something of which the length is not known."""
    shown = f"`{name}`" if name in facts.fn.reserved else "what has the star"
    return Diagnostic(
        "AD401",
        f"there is no derivative rule for `{what}` of any number of arguments",
        Label(span, "a value that carries a derivative enters here"),
        why=f"it is not known how many items {shown} has",
        fixes=[Fix("write the arguments out one by one, or put them in a tuple or a display")],
    )


def star_of_several(s: S.Stmt, facts: Facts) -> str | None:
    """The variable before whose items a call has a star where it is a tuple, but not always of one
    length."""
    if not isinstance(s, S.Bind) or not isinstance(s.value, E.Call):
        return None
    name = _star(s.value)
    if name is None or not is_anything(facts.kinds.at(s.site, name)):
        return None
    return name if _only_tuples(name, facts, set()) else None


def _only_tuples(var: str, facts: Facts, seen: set[str]) -> bool:
    """Whether a variable is bound to tuples only, under this name or under others."""
    seen.add(var)
    bound = [t for t in statements(facts.fn.body) if var in binds_of(t)]
    return bool(bound) and all(
        t.source in seen or _only_tuples(t.source, facts, seen)
        if isinstance(t, S.Alias) and is_anything(facts.kinds.at(t.site, t.source))
        else isinstance(facts.kinds.bounds(t.site).get(var), TupleOf)
        for t in bound
    )


def only_given(var: str, facts: Facts, seen: set[str]) -> bool:
    """Whether all that is done with a variable are calls with that error."""
    seen.add(var)
    readers = [s for s in statements(facts.fn.body) if var in reads_of(s)]
    return bool(readers) and all(
        star_of_several(s, facts) == var
        or (isinstance(s, S.Alias) and (s.target in seen or only_given(s.target, facts, seen)))
        for s in readers
    )


def of_several_lengths(span: Span, what: str, name: str, facts: Facts) -> Diagnostic:
    """The error at a call with a star before a tuple that is longer on one path than on another."""
    shown = f"`{name}`" if name in facts.fn.reserved else "what has the star"
    return Diagnostic(
        "AD401",
        f"how many arguments `{what}` is given depends on the path",
        Label(span, "a value that carries a derivative enters here"),
        why=f"{shown} is a tuple that is longer on one path than on another",
        fixes=[Fix("write the call on each path, where the tuple is made")],
    )


def _taught(fn: E.Expr, what: str) -> Iterator[Fix]:
    """The declaration of a rule for a function that is known by a name, to be filled in."""
    if not isinstance(fn, E.Ref) or not callable(fn.value) or is_maker(fn.value):
        return
    if str(getattr(fn.value, "__module__", "")).partition(".")[0] == "adtrans":
        return
    more, names = "", ["x"]
    try:
        parameters = list(inspect.signature(fn.value).parameters.values())
        named = [p for p in parameters if p.kind < p.VAR_POSITIONAL]
        names = [p.name for p in named if p.default is p.empty] or [p.name for p in named[:1]]
        told = all(_is_plain(p) for p in parameters)
        if told and len(names) < len(parameters):  # the others are options
            shown = f"({', '.join(map(repr, names))})" if len(names) > 1 else repr(names[0])
            more = f", wrt={shown}".replace("'", '"')
    except (TypeError, ValueError):
        told = False
    if not told:  # a rule has to be told what it is about
        more = f', signature="{what.rpartition(".")[2]}({", ".join(names)})"'
    adjoint = "..." if len(names) < 2 else f"({', '.join('...' for _ in names)})"
    yield Fix(
        f"teach it: `adtrans.rule({what}, lambda {', '.join(['y_bar', 'y', *names])}: {adjoint}"
        f"{more})`"
    )


def _is_plain(p: inspect.Parameter) -> bool:
    """Whether a rule can take a parameter over as the function tells it."""
    written = p.default is p.empty or isinstance(p.default, int | float | str | None)
    return written and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)


def effects(s: S.Bind, facts: Facts) -> Iterator[Diagnostic]:
    reads = [v for v in reads_of(s) if v in facts.activity.varied]
    if reads and isinstance(s.value, E.Call):
        form = _form(s.value.fn, s.value.kwargs, s.site, facts)
        yield no_rule(s.span, s.value.fn, facts) if form is None else form_without_rule(
            s.span, *form
        )


def writers(s: S.Bind, facts: Facts) -> Iterator[Diagnostic]:
    app = facts.apps[s.site]
    touched = [e.id for e in app.bound.values() if isinstance(e, E.Name)]
    if any(v in facts.activity.varied or v in facts.activity.useful for v in touched):
        yield Diagnostic(
            "AD409",
            f"`{app.rule.spelling}` cannot be differentiated in this form",
            s.span,
            why="it writes into an array, and adtrans does not know the derivative of that here",
        )


def unknown_calls(s: S.Invoke, facts: Facts) -> Iterator[Diagnostic]:
    args = [a for a in (*s.args, *(v for _, v in s.kwargs)) if isinstance(a, E.Name)]
    if any(a.id in facts.activity.varied for a in args) or (
        s.target is not None and facts.activity.active(s.target)
    ):
        rule = lookup(s.fn.value) if isinstance(s.fn, E.Ref) else None
        if rule is not None and rule.overwriting:
            yield Diagnostic(
                "AD409",
                f"`{rule.spelling}` cannot be differentiated in this form",
                s.span,
                why="an `overwrite_...` flag lets it write into its arguments",
            )
        else:
            form = _form(s.fn, s.kwargs, s.site, facts)
            yield no_rule(s.span, s.fn, facts) if form is None else form_without_rule(
                s.span, *form
            )


def overlapping(s: S.Invoke, facts: Facts) -> Iterator[Diagnostic]:
    """A callee that writes an argument is differentiated as if its arguments were apart."""
    found = overlap(s, facts)
    if found is None:
        return
    p, q = found
    given = actuals(s, facts.units[s.site].summary)
    first, second = (written_as(str(given[v]), facts) for v in (p, q))
    names = f"`{first}` and `{second}` may share memory here"
    if first == second:
        names = f"`{first}` is passed for both"
    yield Diagnostic(
        "AD303",
        f"`{shown(s.fn, facts)}` writes `{p}`, which may share memory with `{q}`",
        Label(s.span, names),
        why="it cannot be written out here, and is differentiated as if its arguments were apart",
        fixes=[Fix(f"pass `{second}.copy()` as `{q}`")],
    )


def left_twice(s: S.Invoke, facts: Facts) -> Iterator[Diagnostic]:
    """A callee that leaves in two places what it makes, or needs it, while that is written."""
    found = left_and_written(s, facts)
    if found is None:
        return
    into = facts.fn.source_name(found.into)
    doubt = "is read by its pullback"
    if found.returned or found.others:
        names = [f"`{facts.fn.source_name(v)}`" for v in sorted(found.others)]
        other = "what it returns" if found.returned else names[0]
        doubt = f"may share memory with {other}"
    yield Diagnostic(
        "AD206",
        f"what `{shown(s.fn, facts)}` puts into `{into}` {doubt}, and is written",
        s.span,
        why="the call cannot be written out here, and is differentiated as if that stayed as it is",
        fixes=[Fix("write into a copy, or a new array: `y = y * a` for `y *= a`")],
    )


def written_outside(s: S.Invoke, facts: Facts) -> Iterator[Diagnostic]:
    """A callee that writes an array or a list which is no variable here: one that is taken from a
    class or from an enclosing function, or the default of a parameter."""
    summary = facts.units[s.site].summary
    given = actuals(s, summary)
    for p in sorted(summary.written()):
        a = given.get(p)
        if a is not None and not (isinstance(a, E.Ref) and isinstance(a.value, _WRITABLE)):
            continue
        what = f"the default of `{p}`" if a is None else f"`{a}`"
        yield Diagnostic(
            "AD203",
            f"`{shown(s.fn, facts)}` writes {what}",
            s.span,
            why="it is kept from one call to the next, and not followed",
            fixes=[Fix(f"pass an array of this function as `{p}`")],
        )
