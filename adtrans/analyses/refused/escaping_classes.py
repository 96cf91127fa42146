"""Objects of a class that is defined in a function, and that others get hold of.

One class does for all calls (`lower/local_classes.py`), where Python makes one in each. Whoever has
such an object could tell the difference: by writing to its class, or by comparing it with that of
another call.
"""

from __future__ import annotations

from collections.abc import Iterator

from adtrans.analyses.abstract import Obj
from adtrans.analyses.facts import Facts
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Instance, Kind, TupleOf
from adtrans.ir.walk import binds_of, reads_of, statements
from adtrans.lower.local_classes import MADE_ONCE


def leaving_their_function(facts: Facts) -> Iterator[Diagnostic]:
    """Where an object is made that outlives the function which its class belongs to."""
    if not MADE_ONCE:
        return
    stmts = list(statements(facts.fn.body))
    made = {Obj("site", str(s.site)): (s, c) for s in stmts if (c := _class(s, facts)) is not None}
    if not made:
        return
    out = _escaping(stmts, facts)
    returned = _of(next((s for s in stmts if isinstance(s, S.Return)), None), facts)
    for o, (s, cls) in made.items():
        at_home = MADE_ONCE[cls] == (facts.fn.span.file, facts.fn.span.line)
        if o in out or (at_home and o in _with_held(returned, stmts, facts)):
            yield Diagnostic(
                "AD201",
                f"an object of the class `{cls.__name__}` leaves the function",
                Label(s.span, "it is made here"),
                why=f"Python makes another `{cls.__name__}` in each call, adtrans makes one, and "
                "who has the object could tell the difference",
                fixes=[
                    Fix(f"define `{cls.__name__}` outside of the function"),
                    Fix("return what the object holds: numbers, arrays, a tuple of them"),
                ],
            )


def _is_of_one(kind: Kind | None) -> bool:
    """Whether a value is an object of a class that does for all calls."""
    return isinstance(kind, Instance) and isinstance(kind.cls, type) and kind.cls in MADE_ONCE


def _class(s: S.Stmt, facts: Facts) -> type | None:
    """The class that does for all calls of which a statement makes an object."""
    if not isinstance(s, S.Bind | S.Invoke) or s.target is None:
        return None
    kind = facts.kinds.var(s.target)
    cls = kind.cls if isinstance(kind, Instance) else None
    if isinstance(s, S.Invoke) and isinstance(s.fn, E.Ref):
        cls = s.fn.value if isinstance(s.fn.value, type) else cls
    return cls if isinstance(cls, type) and cls in MADE_ONCE else None


def _escaping(stmts: list[S.Stmt], facts: Facts) -> frozenset[Obj]:
    """What is put where others see it: into arguments, globals, or functions that are unknown."""
    seeds: frozenset[Obj] = frozenset()
    for s in stmts:
        match s:
            case S.SetAttr() | S.Store() | S.Edit():
                held = _base(s, facts)
                if held is None or any(_is_outside(o, facts) for o in held):
                    seeds |= _of(s, facts)
            case S.Invoke() if s.site in facts.units and _may_put(s, facts):
                seeds |= _of(s, facts)
            case S.Keep(form="unsupported"):
                seeds |= _of(s, facts)
            case S.Invoke() if s.site not in facts.units and not _is_init(s.fn):
                seeds |= _of(s, facts)
            case _:
                pass
    return _with_held(seeds, stmts, facts)


def _may_put(s: S.Invoke, facts: Facts) -> bool:
    """Whether a callee may assign such an object to an attribute of one from outside: what it
    assigns is among its results."""
    result = None if s.target is None else facts.kinds.var(s.target)
    if not isinstance(result, TupleOf) or not any(map(_is_of_one, result.items[1:])):
        return False
    names = [v for v in reads_of(s) if isinstance(k := facts.kinds.at(s.site, v), Instance)
             and not _is_of_one(k)]  # fmt: skip
    return any(_is_outside(o, facts) for v in names for o in facts.memory.objects(v, s.site))


def _with_held(found: frozenset[Obj], stmts: list[S.Stmt], facts: Facts) -> frozenset[Obj]:
    """Objects, and what is put into them anywhere."""
    while True:
        before = found
        for s in stmts:
            match s:
                case S.SetAttr() | S.Store() | S.Edit() if (_base(s, facts) or frozenset()) & found:
                    found |= _of(s, facts)
                case S.Invoke() if s.site in facts.units and len(reads_of(s)) > 1:
                    inside = _of(s, facts)
                    found |= inside if inside & found else frozenset()
                case _:
                    pass
        if found == before:
            return found


def _base(s: S.SetAttr | S.Store | S.Edit, facts: Facts) -> frozenset[Obj] | None:
    """The objects that something is put into; None where they are not known."""
    base = s.base.id if isinstance(s.base, E.Name) else s.base
    return facts.memory.objects(base, s.site) if isinstance(base, str) else None


def _of(s: S.Stmt | None, facts: Facts) -> frozenset[Obj]:
    if s is None:
        return frozenset()
    names = {*reads_of(s), *(binds_of(s) if isinstance(s, S.Invoke) else ())}
    found: frozenset[Obj] = frozenset()
    for v in names:
        found |= facts.memory.objects(v, s.site, after=v in binds_of(s))
    return found | {Obj(o.form, o.key) for o in found if o.old}


def _is_outside(o: Obj, facts: Facts) -> bool:
    """Whether an object comes from outside of the function that its class would belong to."""
    if o.form == "param":
        return not _is_of_one(facts.kinds.var(o.key))
    return o.form in ("global", "held")


def _is_init(fn: E.Expr) -> bool:
    return isinstance(fn, E.Attribute) and fn.attr == "__init__"
