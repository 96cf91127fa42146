"""What a call makes itself and leaves in containers that it is given: where else it is then.

    def put(rows, x):
        r = x * 2
        rows.append(r)          deposits of `put`: in `rows`, which has it in common with the result
        return r

>>> from adtrans.analyses.effects import RESULT, Summary
>>> from adtrans.diagnostics.span import Span
>>> s = Summary(("rows", "x"), deposits=(("rows", frozenset({RESULT})),))
>>> args = (E.Name("kept"), E.Name("u"))
>>> call = S.Invoke("y", E.Name("put"), args, (), site=7, span=Span("f.py", 1, 0, 1, 1))
>>> deposits(call, {7: s})
(Deposit(into='kept', others=frozenset(), returned=True, reread=frozenset()),)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adtrans.analyses.effects import RESULT, Summary
from adtrans.analyses.writes import actuals
from adtrans.ir import expr as E
from adtrans.ir import stmt as S


@dataclass(frozen=True, slots=True)
class Deposit:
    """Memory that a call has made, in the container `into`; perhaps also in the containers
    `others`, and in what is `returned`. `reread`: the forms of objects in it whose contents the
    pullback of the call reads."""

    into: str
    others: frozenset[str] = frozenset()
    returned: bool = False
    reread: frozenset[str] = frozenset()


def deposits(s: S.Stmt, summaries: Mapping[int, Summary]) -> tuple[Deposit, ...]:
    """What a statement that is a call leaves in variables."""
    summary = summaries.get(s.site)
    if not isinstance(s, S.Invoke) or summary is None or not summary.deposits:
        return ()
    given = actuals(s, summary)
    found: list[Deposit] = []
    for p, others in summary.deposits:
        a = given.get(p)
        if isinstance(a, E.Name):
            also = (given.get(q) for q in others)
            names = frozenset(b.id for b in also if isinstance(b, E.Name)) - {a.id}
            reread = dict(summary.rereads).get(p, frozenset())
            returned = RESULT in others and s.target is not None
            found.append(Deposit(a.id, names, returned, reread))
    return tuple(found)
