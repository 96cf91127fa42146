"""Names for methods of objects and containers, which are only called.

h = model.step             ->   h = model.step
y = h(x)                        y = model.step(x)

The name of the object must still mean the same object where the method is called.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, blocks_of, reads_of, statements


def bound_methods(fn: S.Function) -> dict[str, E.Attribute]:
    """The variables that only mean `base.attr` and are only called, after that and where `base`
    still means what it did."""
    every = list(statements(fn.body))
    params = {p.name for p in fn.params}
    times = Counter(v for s in every for v in binds_of(s))
    assigned = {s.attr for s in every if isinstance(s, S.SetAttr)}
    once = {s.site for s in fn.body}  # not in a loop
    made = {v: s for s in every for v in binds_of(s)}
    found: dict[str, E.Attribute] = {}
    for block in _blocks(fn.body):
        for k, s in enumerate(block):
            match s:
                case S.Bind(target=h, value=E.Attribute(base=of, attr=attr) as e):
                    if times[h] != 1 or h in params or attr in assigned:
                        continue
                    still = isinstance(of, E.Ref)  # one and the same object
                    if isinstance(of, E.Name):
                        base = of.id
                        still = times[base] == (base not in params) and (
                            base in params or made[base].site in once or made[base] in block[:k]
                        )
                    later = list(statements(block[k + 1 :]))
                    calls = sum(_calls(t, h) for t in later)
                    if still and calls and calls == sum(h in reads_of(t) for t in every):
                        found[h] = e
                case _:
                    pass
    return found


def _calls(s: S.Stmt, h: str) -> bool:
    """Whether a statement calls a variable, and does nothing else with it."""
    match s:
        case S.Invoke(fn=E.Name(id=var)) if var == h:
            given = (*s.args, *(v for _, v in s.kwargs))
            return E.Name(h) not in given
        case _:
            return False


def _blocks(body: S.Block) -> Iterator[S.Block]:
    yield body
    for s in body:
        for inner in blocks_of(s):
            yield from _blocks(inner)
