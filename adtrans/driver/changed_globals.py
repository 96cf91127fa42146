"""The arrays, lists and dictionaries in globals that the functions of a program write.

    values.append(v)   ->   the global `values`, if it is a list
    table[0] = x       ->   the global `table`, if it is an array, a list or a dictionary
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adtrans.analyses.facts import Facts
from adtrans.analyses.repeatable import PURE_NAMES
from adtrans.analyses.writes import actuals
from adtrans.driver.instances import Member
from adtrans.driver.lowered import WRITABLE
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import operands, reads_of, statements
from adtrans.rules import method
from adtrans.source.global_names import Global, place_of


def changed_globals(members: Iterable[Member]) -> Iterator[Global]:
    """Those that functions write, as far as is known."""
    for m in members:
        for text in _written(m.facts) if m.facts is not None else ():
            place = place_of(m.source.fn, text)
            if place is not None and isinstance(place[0][place[1]], WRITABLE):
                yield Global(*place)


def _written(facts: Facts) -> set[str]:
    """What the source of a function calls the objects from outside that it may write."""
    written = [o for w in facts.memory.writes for o in w.objects]
    texts = {o.key for o in written if o.form == "global"}
    for s in statements(facts.fn.body):  # `values.append(v)`
        called = [e.fn for e in operands(s) if isinstance(e, E.Call)]
        called += [s.fn] if isinstance(s, S.Invoke) else []
        texts |= {f.text.rpartition(".")[0] for f in called if isinstance(f, E.Ref)}
        if not facts.activity.varied.isdisjoint(reads_of(s)):
            of = [f.base for f in called if isinstance(f, E.Attribute) and _may_write(f.attr)]
            texts |= {r.text for r in of if isinstance(r, E.Ref)}
        texts |= {e.text for e in _handed(s, facts) if isinstance(e, E.Ref)}
    return texts


def _may_write(method_name: str) -> bool:
    """Whether a method of this name may change what it is of."""
    rule = method(method_name)
    return rule is None or rule.form == "writes"


def _handed(s: S.Stmt, facts: Facts) -> Iterable[E.Expr]:
    """The arguments that a call may write."""
    match s:
        case S.Invoke() if (unit := facts.units.get(s.site)) is not None:
            written = unit.summary.written()
            return [a for p, a in actuals(s, unit.summary).items() if p in written]
        case S.Invoke(fn=E.Ref(text=text)) if text in PURE_NAMES:
            return ()
        case S.Invoke():
            return (*s.args, *(a for _, a in s.kwargs))
        case S.Bind() if (app := facts.apps.get(s.site)) is not None:
            return [app.bound[p] for p in app.rule.writes if p in app.bound]
        case S.Bind(value=E.Call(fn=E.Ref(text=text))) if text in PURE_NAMES:
            return ()
        case S.Bind(value=E.Call() as call):
            return (*call.args, *(a for _, a in call.kwargs))
        case _:
            return ()
