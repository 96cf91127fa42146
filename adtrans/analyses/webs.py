"""Gives every def-use web of a variable a name of its own: `u`, `u@2`, `u@3`.

Definitions that reach a common use belong to one web; two uses of a name that never share a
definition are two variables that happen to be called alike.

>>> from adtrans.diagnostics.span import Span
>>> from adtrans.ir.expr import Binary, Const, Name
>>> here = Span("f.py", 1, 0, 1, 1)
>>> double = S.Bind("u", Binary("*", Name("u"), Const(2)), site=1, span=here)
>>> body = (double, S.Return((Name("u"),), site=2, span=here))
>>> fn = webs(S.Function("f", (S.Param("u"),), body, here))
>>> fn.body[0].target, str(fn.body[0].value), dict(fn.names)
('u@2', 'u * 2', {'u@2': 'u'})
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from adtrans.analyses import dataflow
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir import walk
from adtrans.lower.opaque import seen_later

__all__ = ["webs"]

_ENTRY = -1  # the "site" that defines the parameters
Definition = tuple[str, int]
Reaching = Mapping[str, frozenset[int]]  # variable -> sites of the definitions that may hold


def webs(fn: S.Function, *, whole: Iterable[str] = ()) -> S.Function:
    """`fn` with its variables split into webs; `Function.names` leads back to the user's names.

    The first web of a variable, in textual order, keeps its name. `Update` without items defines
    the web that it reads. A `Keep` may bind on some path only, so that it never ends a web.
    Variables in `whole` are not split, nor are those that a closure sees which is not followed: all
    that is bound to them may get there.
    """
    flow = _reaching(fn)
    definitions = _in_order(fn)
    same = _Partition(definitions)
    for s in walk.statements(fn.body):
        before = _seen_by(s, flow)
        for var in _uses(s):
            same.unite((var, site) for site in before.get(var, ()))
        if isinstance(s, S.Update | S.Keep):
            for var in {*walk.binds_of(s)} & _uses(s):
                same.unite([(var, s.site), *((var, site) for site in before.get(var, ()))])
    for var in {*whole, *(v for s in walk.statements(fn.body) for v in seen_later(s))}:
        same.unite(d for d in definitions if d[0] == var)
    to = _names(definitions, same)
    names = dict(fn.names)
    names.update((new, fn.source_name(var)) for (var, _), new in to.items() if new != var)

    def block(b: S.Block) -> S.Block:
        return tuple(one(s) for s in b)

    def one(s: S.Stmt) -> S.Stmt:
        before = _seen_by(s, flow)
        reads = {v: to[v, min(sites)] for v in _uses(s) if (sites := before.get(v))}
        binds = {v: to[v, s.site] for v in walk.binds_of(s)}
        return walk.map_blocks(walk.rename_stmt(s, reads, binds), block)

    return replace(fn, body=block(fn.body), names=names)


def _uses(s: S.Stmt) -> frozenset[str]:
    read = walk.reads_of(s)
    return read.union(s.unbinds) if isinstance(s, S.Keep) else read


def _seen_by(s: S.Stmt, flow: dataflow.Flow[Reaching]) -> Reaching:
    """The definitions that hold where `s` evaluates its expressions."""
    where = flow.test if isinstance(s, S.While) else flow.before
    return where.get(s.site, {})


def _reaching(fn: S.Function) -> dataflow.Flow[Reaching]:
    def transfer(s: S.Stmt, state: Reaching) -> Reaching:
        here = frozenset((s.site,))
        if isinstance(s, S.Keep):
            kept = {v: sites for v, sites in state.items() if v not in s.unbinds}
            return kept | {v: kept.get(v, frozenset()) | here for v in s.binds}
        bound = walk.binds_of(s)
        return {**state, **dict.fromkeys(bound, here)} if bound else state

    entry = {p.name: frozenset((_ENTRY,)) for p in fn.params}
    return dataflow.forward(_with_ways_out(fn.body), entry, transfer, dataflow.merged)


def _with_ways_out(body: S.Block) -> S.Block:
    """The same statements for the flow of names: of a manager that is an object of the user's it is
    found out later (`objects.with_blocks`) that it keeps exceptions back, and what is bound in its
    block is seen behind it then."""

    def one(s: S.Stmt) -> S.Stmt:
        s = walk.map_blocks(s, _with_ways_out)
        if not isinstance(s, S.With) or s.trusted or not is_variable(s.context):
            return s
        inside = S.Try(s.body, (S.Handler(None, None, ()),), (), (), site=-s.site, span=s.span)
        return replace(s, body=(inside,))

    return tuple(map(one, body))


def is_variable(context: E.Expr) -> bool:
    """Whether a context manager is what a variable means."""
    if isinstance(context, E.Verbatim):
        return len(context.reads) == 1 and context.text.isidentifier()
    return isinstance(context, E.Name)


def _in_order(fn: S.Function) -> tuple[Definition, ...]:
    """All definitions, parameters first, then as they stand in the text."""
    found = [(p.name, _ENTRY) for p in fn.params]
    for s in walk.statements(fn.body):
        found.extend((var, s.site) for var in dict.fromkeys(walk.binds_of(s)))
    return tuple(found)


def _names(definitions: Iterable[Definition], same: _Partition) -> Mapping[Definition, str]:
    names: dict[Definition, str] = {}
    count: dict[str, int] = {}
    taken = {var for var, _ in definitions}
    for d in definitions:
        root = same.find(d)
        if root not in names:
            var = d[0]
            n = count.get(var, 0) + 1
            while n > 1 and f"{var}@{n}" in taken:
                n += 1
            count[var] = n
            names[root] = var if n == 1 else f"{var}@{n}"
        names[d] = names[root]
    return names


class _Partition:
    """Union-find over definitions; the representative is the first in textual order."""

    def __init__(self, definitions: Iterable[Definition]) -> None:
        self._rank = {d: n for n, d in enumerate(definitions)}
        self._parent = {d: d for d in self._rank}

    def find(self, d: Definition) -> Definition:
        while self._parent[d] != d:
            self._parent[d] = self._parent[self._parent[d]]
            d = self._parent[d]
        return d

    def unite(self, members: Iterable[Definition]) -> None:
        """All `members` are one web."""
        roots = sorted((self.find(d) for d in members), key=self._rank.__getitem__)
        for root in roots[1:]:
            self._parent[root] = roots[0]
