"""What cannot be differentiated, said to the user: all errors of a function at once.

>>> import adtrans, numpy as np
>>> def f(x):
...     n = np.zeros(3, dtype=np.int64)
...     n[0] = x[0]
...     return np.sum(np.roots(x)) + n[0]
>>> try:
...     adtrans.grad(f)(np.ones(3))
... except adtrans.CompileError as error:
...     print(*[d.code for d in error.diagnostics])
AD306 AD401
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

from adtrans.analyses.activity import values_in
from adtrans.analyses.apply import Application, Operand
from adtrans.analyses.facts import Facts
from adtrans.analyses.loops import leaves
from adtrans.analyses.memory import actuals, is_advanced, is_basic
from adtrans.analyses.needs import formulas
from adtrans.analyses.overwritten import Lines, conflicts
from adtrans.analyses.regions import Axis, Run, Whole, disjoint
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    NEVER,
    Array,
    Container,
    DictOf,
    Instance,
    Kind,
    Known,
    ListOf,
    Scalar,
    TupleOf,
    Unknown,
    is_differentiable,
    is_immutable,
)
from adtrans.ir.walk import binds_of, operands, reads_of, statements, walk
from adtrans.rules import is_maker, lookup, reason
from adtrans.rules.complexes import is_complex, is_real


def refusals(facts: Facts, line: Lines, *, reverse: bool = True) -> tuple[Diagnostic, ...]:
    """Every reason why the function cannot be compiled, in textual order.

    `reverse` False: for the pushforward, which runs with the primal, so that nothing is overwritten
    before it is used, and whose tangents are views and aliases wherever the primals are.
    """
    found = [*language(facts, reverse)]
    if reverse:
        found += [*conflicts(facts, line), *ambiguous(facts)]
    without_rule = {d.primary.span for d in found if d.code == "AD401"}
    found = [d for d in found if d.code != "AD307" or d.primary.span not in without_rule]
    unique = {(d.code, d.primary.span, d.title): d for d in found}
    return tuple(sorted(unique.values(), key=lambda d: (d.primary.span, d.code)))


def shown(e: E.Expr, facts: Facts) -> str:
    """An expression in the user's names."""
    return re.sub(r"(\w+)@\d+", r"\1", E.text(e))


# -- language --------------------------------------------------------------------------------------


def language(facts: Facts, reverse: bool) -> Iterator[Diagnostic]:
    """Statements and functions that are not understood, where an active value meets them."""
    act = facts.activity
    yield from complex_values(facts)
    if reverse:
        yield from rebound_arguments(facts)
    for s in statements(facts.fn.body):
        match s:
            case S.Return() if facts.kinds.before(s.site) and any(
                isinstance(v, E.Name) and facts.kinds.at(s.site, v.id) == NEVER for v in s.values
            ):
                yield Diagnostic(
                    "AD202",
                    "cannot tell what is returned here",
                    s.span,
                    why="no value is known to reach this place, so no derivative can either",
                )
            case S.Keep(form="unsupported"):
                if any(act.active(v) or v in act.varied for v in (*s.reads, *s.binds)):
                    carried = next(
                        v for v in (*s.reads, *s.binds) if act.active(v) or v in act.varied
                    )
                    yield Diagnostic(
                        "AD201",
                        "this statement cannot be differentiated yet",
                        Label(
                            s.span,
                            f"`{facts.fn.source_name(carried)}` carries a derivative into it",
                        ),
                        why=f"adtrans does not know what `{_head(s.text)}` does to the derivative",
                        fixes=[
                            Fix(
                                "rewrite it with plain assignments, or keep active values out of it"
                            )
                        ],
                    )
            case S.Unpack(star=int()) if act.active(s.source):
                yield Diagnostic(
                    "AD201",
                    "this statement cannot be differentiated yet",
                    Label(s.span, "what is unpacked here has no known length"),
                    why=f"the kind of `{facts.fn.source_name(s.source)}` is not known here",
                )
            case S.Try():
                yield from _carried_out(s, facts)
            case S.With():
                yield from _manager(s, facts)
            case S.Bind() if act.active(s.target):
                yield from _bind(s, facts, reverse)
            case S.Bind():
                app = facts.apps.get(s.site)
                if app is None and isinstance(s.value, E.Call):
                    yield from _effect_call(s, facts)
                elif app is not None and app.rule.form in ("writes", "scatter"):
                    yield from _writer(s, facts)
            case S.Invoke() if s.site not in facts.units:
                yield from _unknown_call(s, facts)
            case S.Invoke() if reverse:
                yield from _overlapping(s, facts)
            case S.Update(items=None) if act.active(s.base):
                name = facts.fn.source_name(s.base)
                yield Diagnostic(
                    "AD205",
                    f"`{name} {s.op}= ...` may rebind a number or change an array in place",
                    s.span,
                    why=f"the kind of `{name}` is not known here",
                    fixes=[
                        Fix("say what the arguments are: by annotations, a call, or `--types`"),
                        Fix(f"write `{name} = {name} {s.op} ...`, if it is a number"),
                    ],
                )
            case S.Store() if reverse and order_matters(s, facts):
                yield Diagnostic(
                    "AD302",
                    "overlapping parts of one array are copied with different steps",
                    Label(s.span, "what is read here is partly overwritten on the way"),
                    why="NumPy copies one-dimensional parts in place, element by element, so that "
                    "the result depends on the order in which it goes through them",
                    fixes=[Fix("copy what is read: `a[::2] = a[:n].copy()`")],
                )
            case S.Store() if act.varied & {getattr(s.value, "id", "")}:
                yield from _into_integers(s, facts)
            case S.For() if any(act.active(v) for v in binds_of(s)):
                known = leaves(s, facts.kinds)
                for v in binds_of(s):
                    if act.active(v) and v not in known:
                        yield Diagnostic(
                            "AD201",
                            "this loop cannot be differentiated",
                            s.span,
                            why="it iterates over neither a range, an array, a list nor a tuple",
                            fixes=[Fix("loop over `range(len(...))` and index")],
                        )
            case S.Load() | S.Store() if of_records(s, facts):
                yield Diagnostic(
                    "AD202",
                    "the field of a record array cannot be differentiated yet",
                    Label(s.span, "a value that carries a derivative lives in a field"),
                    why="adjoints are kept for arrays of floats, not for records",
                    fixes=[Fix("use an array for each field")],
                )
            case S.Load() | S.Store() if unclear_index(s, facts):
                yield Diagnostic(
                    "AD202",
                    "cannot tell what this subscript selects",
                    s.span,
                    why="whether it is an integer, a slice, a mask or an index array is not known",
                    fixes=[Fix("make the index an int or an array: `int(i)`, `np.asarray(i)`")],
                )
            case S.Load() if act.active(s.target):
                kind = facts.kinds.at(s.site, s.base)
                inside = any(act.active(n) for i in s.items for n in values_in(i))
                if isinstance(kind, Instance | Known) or inside:
                    yield _container(s.span, facts.fn.source_name(s.base))
                yield from _listed(s.base, s, facts)
            case S.Pack(kind="list") if act.active(s.target):
                yield from _listed(s.target, s, facts)
            case S.Edit() if act.active(s.base):
                yield from _listed(s.base, s, facts)
            case _:
                pass
        if isinstance(s, S.Store) and act.active(s.base):
            yield from _listed(s.base, s, facts)
        if isinstance(s, S.Store | S.Update | S.Edit) and any(
            o.form == "global" for w in facts.memory.at(s.site) for o in w.objects
        ):
            yield Diagnostic(
                "AD203",
                "a global array is written",
                s.span,
                why="the gradient would depend on what other code does with it",
                fixes=[Fix("pass the array as an argument")],
            )


def followed(kind: Kind) -> bool:
    """Whether it is known what a value is made of, so that its adjoint can be made alike."""
    match kind:
        case DictOf():
            fields = [k for _, k in kind.fields]
            return all(followed(k) for k in fields or [kind.item])
        case Container():
            return followed(kind.item)
        case TupleOf():
            return all(followed(i) for i in kind.items)
        case Unknown() | Instance():
            return False
        case _:
            return True


def _listed(var: str, s: S.Stmt, facts: Facts) -> Iterator[Diagnostic]:
    """What is done with a list that carries a derivative and cannot be followed."""
    kind, name = facts.kinds.at(s.site, var), facts.fn.source_name(var)
    if isinstance(s, S.Pack):
        kind = facts.kinds.var(var)
    if not isinstance(kind, Container):
        return
    why = None
    part: Kind = kind
    if isinstance(kind, DictOf) and isinstance(s, S.Load | S.Store):
        key = s.items[0].value if isinstance(s.items[0], E.Const) else None
        part = kind.item if key is None else kind.field(key)
    if not followed(part):
        why = f"what `{name}` holds is of several kinds, or of one that is not known"
    elif isinstance(s, S.Store) and any(isinstance(i, E.Slice) for i in s.items):
        why = f"several items of `{name}` are replaced at once"
    elif isinstance(s, S.Edit) and s.op in ("extend", "concat"):
        other = facts.kinds.expr(s.site, s.args[0])
        if not (isinstance(other, ListOf) and followed(other)):
            why = f"`{name}` is extended by something that is no list"
    if why is not None:
        yield Diagnostic(
            "AD207",
            f"the list `{name}` cannot be followed here",
            Label(s.span, "it carries a derivative"),
            why=why,
            fixes=[Fix("keep the values in an array, or items of one kind in each list")],
        )


def rebound_arguments(facts: Facts) -> Iterator[Diagnostic]:
    """Written arguments whose name may stand for something else when the function ends."""
    for p in facts.finals:
        for d in facts.definitions.sites.get(p, ()):
            name = facts.fn.source_name(p)
            yield Diagnostic(
                "AD206",
                f"cannot tell which array `{name}` means when the function ends",
                Label(facts.structure.stmts[d].span, f"`{name}` is bound again here"),
                why="the contents of a written argument are a result, and are followed by its name",
                fixes=[Fix(f"use another name than `{name}` here")],
            )


def complex_values(facts: Facts) -> Iterator[Diagnostic]:
    """Complex numbers on the way from the inputs to the result.

    What is constant for real numbers need not be for complex ones, as the sign.
    """
    kinds = facts.kinds
    bound = {v for s in statements(facts.fn.body) for v in binds_of(s)}
    any_complex = any(_holds_complex(kinds.var(v)) for v in bound) or any(
        _reads_complex(s, facts) for s in statements(facts.fn.body)
    )
    for s in statements(facts.fn.body):
        app = facts.apps.get(s.site)
        if app is not None and app.rule.reals_only:
            for e in app.bound.values():
                varies = isinstance(e, E.Name) and e.id in facts.activity.varied
                if varies and not _is_real(facts.kinds.expr(s.site, e)):
                    yield _complex(s.span, "what varies may be complex here")
                    return
        found = _complex_step(s, facts)
        if found is None and any_complex and _unclear_operand(s, facts):
            found = "this may be real or complex"
        if found is not None:
            yield _complex(s.span, found)
            return
    yield from _written_parts(facts)


def _holds_complex(kind: Kind) -> bool:
    """Whether values of this kind are complex numbers, or contain some."""
    match kind:
        case TupleOf(items=items):
            return any(_holds_complex(i) for i in items)
        case ListOf(item=item):
            return _holds_complex(item)
        case DictOf(item=item, fields=fields):
            return _holds_complex(item) or any(_holds_complex(k) for _, k in fields)
        case _:
            return is_complex(kind)


def _reads_complex(s: S.Stmt, facts: Facts) -> bool:
    """Whether a complex literal, or a constant that holds complex numbers, is used here."""
    for e in operands(s):
        for part in walk(e):
            if isinstance(part, E.Const) and isinstance(part.value, complex):
                return True
            if isinstance(part, E.Name | E.Ref) and _holds_complex(facts.kinds.expr(s.site, part)):
                return True
    return False


def _written_parts(facts: Facts) -> Iterator[Diagnostic]:
    """Writes through the real or the imaginary part of a complex array."""
    memory, kinds = facts.memory, facts.kinds
    whole = {
        (o.form, o.key)
        for var, objects in memory.points_to.items()
        if facts.activity.active(var) and is_complex(kinds.var(var))
        for o in objects
    }
    for w in memory.writes:
        if is_complex(kinds.at(w.site, w.var)):
            continue
        if any((o.form, o.key) in whole for o in w.objects):
            yield _complex(
                facts.structure.stmts[w.site].span, "a part of a complex array is written here"
            )
            return


def _complex_step(s: S.Stmt, facts: Facts) -> str | None:
    """Why a statement is not differentiated for complex numbers, if it is not."""
    act, kinds = facts.activity, facts.kinds
    app = facts.apps.get(s.site)

    def complex_at(e: E.Expr | None) -> bool:
        return e is not None and is_complex(kinds.expr(s.site, e))

    match s:
        case S.Bind() if act.active(s.target) and app is not None:
            result = kinds.bounds(s.site).get(s.target, kinds.var(s.target))
            for operand, e in app.operands():
                if not (isinstance(e, E.Name) and act.active(e)):
                    continue
                if not (is_complex(result) or complex_at(e)):
                    continue
                if not formulas(app, operand, s.site, kinds, s.target):
                    return f"`{app.rule.spelling}` has no rule for complex numbers here"
        case S.Store() if act.active(s.base):
            moved = isinstance(s.value, E.Name) and act.active(s.value)
            if moved and complex_at(E.Name(s.base)) != complex_at(s.value):
                return "real and complex numbers meet in one array here"
        case S.Update() if act.active(s.base) and complex_at(E.Name(s.base)):
            moved = isinstance(s.value, E.Name) and act.active(s.value)
            same = s.op in ("+", "-") and (not moved or complex_at(s.value))
            scaled = s.op in ("*", "/") and not moved and not complex_at(s.value)
            if not (same or scaled):
                return "this complex array is changed in place"
        case S.Update() if act.active(s.base) and complex_at(s.value):
            return "a complex value is added to real numbers"
    return None


def _unclear_operand(s: S.Stmt, facts: Facts) -> bool:
    """Whether a varying operand may be real or complex: rules for the one are wrong for the other.

    Numbers of which nothing is known count as real in a function where none are complex.
    """
    if isinstance(s, S.Bind) and s.site in facts.apps:
        used = [e for _, e in facts.apps[s.site].operands()]
    elif isinstance(s, S.Store | S.Update):
        used = [E.Name(s.base), s.value]
    elif isinstance(s, S.Invoke):
        used = [*s.args, *(v for _, v in s.kwargs)]
    else:
        return False
    for e in used:
        if isinstance(e, E.Name) and facts.activity.active(e):
            kind = facts.kinds.expr(s.site, e)
            if not (is_real(kind) or is_complex(kind)):
                return True
    return False


def _complex(span: Span, label: str) -> Diagnostic:
    return Diagnostic(
        "AD407",
        "complex numbers cannot be differentiated here",
        Label(span, label),
        why="a value that carries a derivative is complex here",
        fixes=[Fix("write the computation for the real and the imaginary part")],
    )


def _is_real(kind: Kind) -> bool:
    """Whether a number or array is not known to be complex; of anything else nothing is known."""
    match kind:
        case Scalar():
            return kind.type != "complex"
        case Array():
            return not (kind.dtype or "").startswith(("complex", "clongdouble"))
        case _:
            return False


def order_matters(s: S.Store, facts: Facts) -> bool:
    """Whether NumPy may read elements that the very store has already written.

    It buffers overlapping copies, except one-dimensional ones in the same direction, which are
    right only when both parts have the same step.
    """
    if not isinstance(s.value, E.Name) or not facts.activity.active(s.base):
        return False
    value = facts.kinds.at(s.site, s.value.id)
    if not isinstance(value, Array) or value.ndim not in (None, 1):
        return False
    if not facts.aliasing.together(s.value.id, s.base, s.site):
        return False
    target = facts.places.region(s.base, s.items, s.site)
    source = facts.places.region(s.value.id, None, s.site)
    if disjoint(target, source, facts.places.facts(s.site)):
        return False
    if len(target.axes) > 1 or len(source.axes) > 1:
        return not _same_steps(target.axes[-1:], source.axes[-1:])
    return not _same_steps(target.axes, source.axes)


def _same_steps(a: tuple[Axis, ...], b: tuple[Axis, ...]) -> bool:
    """Whether two parts of one axis certainly have the same step."""

    def step(axes: tuple[Axis, ...]) -> int | None:
        match axes:
            case () | (Whole(),):
                return 1
            case (Run() as run,) if run.aligned:
                return run.step
            case _:
                return None

    return step(a) is not None and step(a) == step(b)


def of_records(s: S.Load | S.Store, facts: Facts) -> bool:
    """Whether a field of an array of records is read or written that carries a derivative."""
    if not any(isinstance(i, E.Const) and isinstance(i.value, str) for i in s.items):
        return False
    made = [d for d in facts.definitions.sites.get(s.base, ()) if d in facts.apps]
    active = facts.activity.active(s.target if isinstance(s, S.Load) else s.base)
    return active and bool(made)


def unclear_index(s: S.Load | S.Store, facts: Facts) -> bool:
    """Whether an active part of an array is selected by something of unknown kind."""
    active = facts.activity.active(s.target if isinstance(s, S.Load) else s.base)
    if not active or not isinstance(facts.kinds.at(s.site, s.base), Array):
        return False
    args = (s.items, s.site, facts.kinds)
    return not is_basic(*args) and not is_advanced(*args)


def _carried_out(s: S.Try, facts: Facts) -> Iterator[Diagnostic]:
    """An exception that carries a value on which the result depends."""
    varied = any(reads_of(t) & facts.activity.varied for t in statements(s.body))
    for h in s.handlers if varied else ():
        if h.name is not None and h.name in facts.activity.useful:
            name = facts.fn.source_name(h.name)
            yield Diagnostic(
                "AD201",
                f"the result depends on what the exception `{name}` carries",
                Label(s.span, "the derivative would be lost on its way through the exception"),
                why="what an exception carries is not followed",
                fixes=[Fix("keep the value in a variable before raising")],
            )


def _manager(s: S.With, facts: Facts) -> Iterator[Diagnostic]:
    """A context manager that gets hold of what it could change, or of what varies."""
    if not any(facts.activity.active(v) for t in statements(s.body) for v in binds_of(t)):
        return
    for v in sorted(reads_of(s)):
        if v in facts.activity.varied or not is_immutable(facts.kinds.at(s.site, v)):
            yield Diagnostic(
                "AD201",
                f"`{facts.fn.source_name(v)}` is handed to a context manager",
                s.span,
                why="what the manager does with it, before and after the block, is not followed",
                fixes=[Fix("give the manager what cannot change: numbers, names, strings")],
            )
            return


def _head(text: str) -> str:
    return text.strip().partition("\n")[0][:40]


def _container(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        "AD207",
        "a list or object that carries a derivative cannot be followed yet",
        span,
        why=f"`{name}` holds values that depend on the differentiated argument",
        fixes=[Fix("keep the values in an array, or in separate variables")],
    )


def _bind(s: S.Bind, facts: Facts, reverse: bool) -> Iterator[Diagnostic]:
    act, app = facts.activity, facts.apps.get(s.site)
    if app is None:
        if E.is_atom(s.value):
            return
        if isinstance(s.value, E.Call | E.Attribute):
            yield _no_rule(
                s.span, s.value.fn if isinstance(s.value, E.Call) else s.value, facts
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
    kinds = app.kinds(lambda e: facts.kinds.expr(s.site, e))
    refusal = app.rule.refusal(app.bound, kinds)
    if app.rule.refused is not None:
        fn = s.value.fn if isinstance(s.value, E.Call) else s.value
        yield _no_rule(s.span, fn, facts, app.rule.refused)
        return
    if refusal is not None:
        yield Diagnostic(
            "AD409",
            f"`{app.rule.spelling}` cannot be differentiated in this form",
            s.span,
            why=refusal,
        )
        return
    for param, e in app.inert():
        if isinstance(e, E.Name) and act.active(e) and not app.rule.ignores(param):
            yield Diagnostic(
                "AD409",
                f"`{app.rule.spelling}` has no derivative with respect to `{param}`",
                s.span,
                why=app.rule.without.get(param)
                or f"`{facts.fn.source_name(e.id)}` carries a derivative",
                fixes=[Fix("pass `adtrans.stop_gradient(...)` if none is meant")],
            )
    for param, name in app.unreached():
        if act.active(name) and not app.rule.ignores(param):
            yield Diagnostic(
                "AD409",
                f"`{app.rule.spelling}` has no derivative with respect to what is in `{param}`",
                s.span,
                why=f"`{facts.fn.source_name(name)}` carries a derivative",
                fixes=[Fix("make an array of it first, with `np.array(...)`")],
            )
    for operand, e in app.operands():
        if (
            isinstance(e, E.Name)
            and act.active(e)
            and not (_has_formula(s, app, operand, facts, reverse))
        ):
            name = operand if isinstance(operand, str) else operand[0]
            missing = "pullback" if reverse else "pushforward"
            taught = app.rule.custom is not None
            yield Diagnostic(
                "AD409",
                f"`{app.rule.spelling}` has no derivative with respect to `{name}` in this form",
                s.span,
                why=f"its rule declares no {missing}" if taught else "",
                fixes=[Fix(f"declare one with `adtrans.rule`: see `{missing}`")] if taught else (),
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


_UNKNOWN = "it is neither a Python function that adtrans can read nor one with a rule"


def _no_rule(span: Span, fn: E.Expr, facts: Facts, why: str | None = None) -> Diagnostic:
    what = shown(fn, facts)
    if why is None and isinstance(fn, E.Ref):
        why = reason(fn.value)
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
            *_taught(fn, what),
        ],
    )


def _taught(fn: E.Expr, what: str) -> Iterator[Fix]:
    """The declaration of a rule for a function that is known by a name, to be filled in."""
    if not isinstance(fn, E.Ref) or not callable(fn.value) or is_maker(fn.value):
        return
    more, names = "", ["x"]
    try:
        parameters = inspect.signature(fn.value).parameters.values()
        names = [p.name for p in parameters if p.default is p.empty and p.kind < p.VAR_POSITIONAL]
    except (TypeError, ValueError):
        more = f', signature="{what.rpartition(".")[2]}(x)"'
    adjoint = "..." if len(names) < 2 else f"({', '.join('...' for _ in names)})"
    yield Fix(
        f"teach it: `adtrans.rule({what}, lambda {', '.join(['y_bar', 'y', *names])}: {adjoint}"
        f"{more})`"
    )


def _effect_call(s: S.Bind, facts: Facts) -> Iterator[Diagnostic]:
    reads = [v for v in reads_of(s) if v in facts.activity.varied]
    if reads and isinstance(s.value, E.Call):
        yield _no_rule(s.span, s.value.fn, facts)


def _writer(s: S.Bind, facts: Facts) -> Iterator[Diagnostic]:
    app = facts.apps[s.site]
    touched = [e.id for e in app.bound.values() if isinstance(e, E.Name)]
    if any(v in facts.activity.varied or v in facts.activity.useful for v in touched):
        yield Diagnostic(
            "AD409",
            f"`{app.rule.spelling}` cannot be differentiated in this form",
            s.span,
            why="it writes into an array, and adtrans does not know the derivative of that here",
        )


def _unknown_call(s: S.Invoke, facts: Facts) -> Iterator[Diagnostic]:
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
            yield _no_rule(s.span, s.fn, facts)


def _overlapping(s: S.Invoke, facts: Facts) -> Iterator[Diagnostic]:
    """A callee that writes an argument is differentiated as if its arguments were apart."""
    summary = facts.units[s.site].summary
    if not summary.active:
        return
    given = {p: a for p, a in actuals(s, summary).items() if isinstance(a, E.Name)}
    known = facts.places.facts(s.site)
    for p, a in given.items():
        for q, b in given.items():
            if p == q or p not in summary.written() or {(p, q), (q, p)} & summary.one:
                continue
            if not facts.aliasing.together(a.id, b.id, s.site):
                continue
            if not facts.memory.objects(a.id, s.site) & facts.memory.objects(b.id, s.site):
                continue
            here, there = (facts.places.region(v.id, None, s.site) for v in (a, b))
            if not disjoint(here, there, known):
                first, second = (written_as(v.id, facts) for v in (a, b))
                names = f"`{first}` and `{second}` may share memory here"
                if first == second:
                    names = f"`{first}` is passed for both"
                yield Diagnostic(
                    "AD303",
                    f"`{shown(s.fn, facts)}` writes `{p}`, which may share memory with `{q}`",
                    Label(s.span, names),
                    why="a function that writes an argument is differentiated as if all were apart",
                    fixes=[Fix(f"pass `{second}.copy()` as `{q}`")],
                )
                return


def written_as(var: str, facts: Facts) -> str:
    """An argument as the user wrote it: a name, or a part of what a name stands for."""
    sites = facts.definitions.sites.get(var, ())
    s = facts.structure.stmts[sites[0]] if len(sites) == 1 else None
    if isinstance(s, S.Load) and facts.fn.source_name(var) not in facts.fn.reserved:
        return shown(E.Index(E.Name(s.base), s.items), facts)
    return facts.fn.source_name(var)


def _into_integers(s: S.Store, facts: Facts) -> Iterator[Diagnostic]:
    kind = facts.kinds.at(s.site, s.base)
    if isinstance(kind, Array) and kind.dtype is not None and not is_differentiable(kind):
        yield Diagnostic(
            "AD306",
            f"a float is written into an array of {kind.dtype}",
            Label(s.span, "the derivative is lost here"),
            why=f"`{facts.fn.source_name(s.base)}` holds whole numbers, so the fraction is cut off",
            fixes=[Fix("make it an array of floats: `np.zeros(n)`, not `np.zeros(n, int)`")],
        )


# -- aliases ---------------------------------------------------------------------------------------


def bindings(var: str, facts: Facts) -> list[Label]:
    """The places where a name that may mean several arrays is bound."""
    found = []
    name = facts.fn.source_name(var)
    for site in facts.definitions.sites.get(var, ()):
        s = facts.structure.stmts[site]
        if isinstance(s, S.Alias):
            found.append(Label(s.span, f"`{name}` may mean `{facts.fn.source_name(s.source)}`"))
        elif not isinstance(s, S.Update):
            found.append(Label(s.span, f"`{name}` is bound here"))
    return found or [Label(facts.fn.span, f"`{name}` comes from outside")]


def ambiguous(facts: Facts) -> Iterator[Diagnostic]:
    """Names that may stand for one array or another while that is written."""
    for var, site in facts.sharing.ambiguous.items():
        if facts.activity.active(var):
            write = facts.structure.stmts[site]
            name = facts.fn.source_name(var)
            yield Diagnostic(
                "AD206",
                f"cannot tell which array `{name}` means when it is written",
                Label(write.span, "written here"),
                labels=bindings(var, facts),
                why="adtrans must know to which array's derivative the write belongs",
                fixes=[
                    Fix(f"write under one name in each branch, not through `{name}`"),
                    Fix(f"`{name} = {name}.copy()` first, if only `{name}` is to change"),
                ],
            )
