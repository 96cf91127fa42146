"""Complex numbers for which no rule is known, or which may or may not be there."""

from __future__ import annotations

from collections.abc import Iterator

from adtrans.analyses.facts import Facts
from adtrans.analyses.needed import formulas
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    UNKNOWN,
    Array,
    DictOf,
    Kind,
    ListOf,
    Never,
    Scalar,
    TupleOf,
    is_differentiable,
)
from adtrans.ir.walk import binds_of, operands, statements, walk
from adtrans.rules.complexes import SPECTRA, holds_complex, is_complex, is_real


def complex_values(facts: Facts) -> Iterator[Diagnostic]:
    """Complex numbers on the way from the inputs to the result.

    What is constant for real numbers need not be for complex ones, as the sign.
    """
    kinds = facts.kinds
    bound = {v for s in statements(facts.fn.body) for v in binds_of(s)}
    any_complex = any(holds_complex(kinds.var(v)) for v in bound) or any(
        _reads_complex(s, facts) or _makes_complex(s, facts) for s in statements(facts.fn.body)
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
        if found is None and any_complex:
            found = _mixed(s, facts)
        if found is None and any_complex and _unclear_operand(s, facts):
            found = "this may be real or complex"
        if found is not None:
            yield _complex(s.span, found)
            return
    yield from _written_parts(facts)


def _reads_complex(s: S.Stmt, facts: Facts) -> bool:
    """Whether a complex literal, or a constant that holds complex numbers, is used here."""
    for e in operands(s):
        for part in walk(e):
            if isinstance(part, E.Const) and isinstance(part.value, complex):
                return True
            if isinstance(part, E.Name | E.Ref) and holds_complex(facts.kinds.expr(s.site, part)):
                return True
    return False


def _makes_complex(s: S.Stmt, facts: Facts) -> bool:
    """Whether a primitive is used here that makes complex numbers of real ones, such as `rfft`."""
    app = facts.apps.get(s.site)
    return app is not None and app.rule.spelling in SPECTRA


def _written_parts(facts: Facts) -> Iterator[Diagnostic]:
    """Writes through the real or the imaginary part of one complex array or another: an address
    tells an adjoint of numbers of one size."""
    memory, kinds = facts.memory, facts.kinds
    found_at_run_time = facts.sharing.addressed | facts.sharing.through
    whole = {
        (o.form, o.key)
        for var, objects in memory.points_to.items()
        if facts.activity.active(var) and is_complex(kinds.var(var))
        for o in objects
    }
    for w in memory.writes:
        if is_complex(kinds.at(w.site, w.var)) or w.var not in found_at_run_time:
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
            given = app.kinds(lambda e: kinds.expr(s.site, e))
            given["y"] = kinds.bounds(s.site).get(s.target, kinds.var(s.target))
            for operand, e in app.operands():
                if not (isinstance(e, E.Name) and act.active(e)):
                    continue
                if not app.rule.meets_complex(operand, app.bound, given):
                    continue
                if not formulas(app, operand, s.site, kinds, s.target):
                    return f"`{app.rule.spelling}` has no rule for complex numbers here"
        case S.Store() if act.active(s.base):
            moved = isinstance(s.value, E.Name) and act.active(s.value)
            held = isinstance(kinds.expr(s.site, E.Name(s.base)), ListOf | DictOf)
            if moved and not held and complex_at(s.value) and not complex_at(E.Name(s.base)):
                return "a complex number is written into real ones here"
        case S.Update() if act.active(s.base) and complex_at(E.Name(s.base)):
            if s.op not in ("+", "-", "*", "/"):
                return "this complex array is changed in place"
        case S.Update() if act.active(s.base) and complex_at(s.value):
            return "a complex value is added to real numbers"
    return None


def _mixed(s: S.Stmt, facts: Facts) -> str | None:
    """Why containers of real numbers and containers of complex ones cannot be told apart here."""
    kinds = facts.kinds
    pairs: list[tuple[E.Expr, Kind]] = []
    match s:
        case S.Pack(items=items, kind="list", target=t):
            pairs = [(i, _item(kinds.var(t))) for i in items]
        case S.Pack(items=items, target=t) if isinstance(made := kinds.var(t), TupleOf):
            pairs = list(zip(items, made.items, strict=True))
        case S.Store(base=base, value=value):
            pairs = [(value, _item(kinds.var(base)))]
        case S.Edit(base=base, args=args, target=t):
            whole = [(E.Name(base), kinds.var(t))] if t is not None and s.op in S.JOINS else []
            pairs = [*((a, _item(kinds.var(base))) for a in args), *whole]
            pairs += [(a, kinds.var(base if t is None else t)) for a in args]
        case S.Invoke(args=args, kwargs=kwargs):
            given = [*args, *(v for _, v in kwargs)]
            pairs = [(a, kinds.var(a.id)) for a in given if isinstance(a, E.Name)]
        case S.Return(values=values, is_tuple=is_tuple):
            result = kinds.result
            parts = result.items if is_tuple and isinstance(result, TupleOf) else (result,)
            pairs = list(zip(values, parts, strict=False))
        case _:
            pass
    found = [
        (kinds.expr(s.site, e), place)
        for e, place in pairs
        if isinstance(e, E.Name) and facts.activity.active(e)
    ]
    bound = {} if isinstance(s, S.Pack) else dict(kinds.bounds(s.site))
    found += [(k, kinds.var(v)) for v, k in bound.items() if facts.activity.active(v)]
    if s.site in facts.units and isinstance(s, S.Invoke) and s.target is not None:
        found.append((facts.units[s.site].summary.result, kinds.var(s.target)))
    for kind, place in found:
        if isinstance(kind, TupleOf | ListOf | DictOf) and _widens(kind, place):
            return "real and complex numbers meet in one container here"
    return None


def _item(kind: Kind) -> Kind:
    if isinstance(kind, DictOf) and not isinstance(kind.item, Never):
        return kind.item
    return kind.item if isinstance(kind, ListOf) else UNKNOWN


def _widens(kind: Kind, place: Kind) -> bool:
    """Whether numbers that are real in a container are taken for complex ones in its place."""
    match kind, place:
        case (TupleOf(items=own), TupleOf(items=others)) if len(own) == len(others):
            return any(_widens(a, b) for a, b in zip(own, others, strict=True))
        case (TupleOf(items=own), ListOf(item=other)):
            return any(_widens(a, other) for a in own)
        case (ListOf(item=a), ListOf(item=b)) | (DictOf(item=a), DictOf(item=b)):
            return _widens(a, b)
        case (Scalar() | Array(), Scalar() | Array()):
            return is_real(kind) and is_complex(place)
        case _:
            return False


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
            if not _is_clear(facts.kinds.expr(s.site, e)):
                return True
    return False


def _is_clear(kind: Kind) -> bool:
    """Whether it is known of each number of a value if it is real or complex."""
    match kind:
        case TupleOf(items=items):
            return all(_is_clear(i) for i in items if is_differentiable(i))
        case ListOf(item=item):
            return not is_differentiable(item) or _is_clear(item)
        case DictOf(item=item, fields=fields):
            return all(_is_clear(k) for _, k in fields or (("", item),) if is_differentiable(k))
        case _:
            return is_real(kind) or is_complex(kind)


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
