"""The header of a reversed loop: what it runs over, how often, what its elements are given."""

from __future__ import annotations

from collections.abc import Iterator, Sized

from adtrans import runtime
from adtrans.analyses.arrays_held import has_numbers
from adtrans.analyses.loops import Leaf, count, is_plain, leaves, position, range_expr
from adtrans.analyses.points_to import elements_in
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Container, Instance, Kind, Known, TupleOf
from adtrans.ir.walk import binds_of, operands, reads_of, statements, walk
from adtrans.transforms import adjoints as A
from adtrans.transforms import (
    reverse_lists,
)
from adtrans.transforms.adjoints import Adjoint
from adtrans.transforms.reverser import Reverser
from adtrans.transforms.simplify import simplify


def touched_by(r: Reverser, s: S.For | S.While) -> list[str]:
    """The variables that the loop reads or binds."""
    found: dict[str, None] = {}
    for inner in (s, *statements(s.body)):
        for v in (*sorted(reads_of(inner)), *binds_of(inner)):
            found.setdefault(v)
            found.setdefault(r.facts.sharing.root(v))
    return list(found)


def loop_targets(r: Reverser, s: S.For | S.While) -> None:
    """The adjoints of elements that the loop iterated over go back to where they came from."""
    if isinstance(s, S.While):
        return
    r.current = s.body[0] if s.body else s  # the shape of an element is that of this iteration
    for var, leaf in leaves(s, r.facts.kinds).items():
        adj = None if r.facts.sharing.shares(var) else r.state.pop(var, None)
        if adj is None or leaf.source is None or not r.facts.activity.active(leaf.source):
            continue
        if leaf.source in r.facts.sharing.through and has_numbers(r.var_kind(leaf.source)):
            in_record(r, s, var, leaf, adj)
            continue
        key = r.hold(adj)
        if r.facts.sharing.root(leaf.source) in r.facts.sharing.addressed:
            r.current = s  # which one it is, is known before the loop
        buf, _ = r.window(leaf.source)
        r.current = s.body[0]
        r.before_write(r.root_name(leaf.source), key)
        adj = r.release(key)
        place = r.element_of(leaf, s.site, buf)
        if isinstance(r.var_kind(leaf.source), Container):
            reverse_lists.add_to(r, *reverse_lists.inside(r, place, buf, adj, var, leaf.source))
        else:
            r.emit(A.accumulate(place, adj.expr, r.note))
    r.current = s


def in_record(r: Reverser, s: S.For, var: str, leaf: Leaf, adj: Adjoint) -> None:
    """The adjoint of a number in a tuple of arrays and numbers that the loop took out of a list."""
    key = r.hold(adj)
    r.current = s  # which tuples the list holds is known before the loop
    assert leaf.source is not None
    held = E.Attribute(r.identity(leaf.source, False), "items")
    r.current = s.body[0]
    r.before_write(r.memory_name, key)
    place = r.element_of(leaf, s.site, held)
    item, adj, _ = reverse_lists.inside(r, place, held, r.release(key), var, leaf.source)
    spread = E.Ref("spread_at", runtime.spread_at)
    r.emit(C.Do(E.Call(spread, (E.Name(r.memory_name), item, adj.expr)), r.note))


def emit_loop(r: Reverser, s: S.For | S.While, body: list[C.Code]) -> None:
    """The header of the reversed loop."""
    trips = trip_count(r, s)
    if isinstance(s, S.For) and is_plain(s):
        it = s.iter.inner if isinstance(s.iter, S.Reversed) else s.iter
        assert isinstance(it, S.Range)
        forward = isinstance(s.iter, S.Reversed)
        target = header_name(r, s, str(s.target))
        values: E.Expr = r.residuals.expression(range_expr(it), s.site, contents=False)
        if trips is not None:
            values = E.Call(E.Ref("reversed", reversed), (_first(values, trips, forward),))
            if forward:
                assert isinstance(values, E.Call)
                values = values.args[0] if _is_range(values.args[0]) else values
        elif not forward:
            counts_only = (
                target == E.Name(r.nobody) and isinstance(values, E.Call) and len(values.args) == 1
            )
            values = values if counts_only else E.Call(E.Ref("reversed", reversed), (values,))
        r.emit(C.ForEach(target, values, tuple(body), r.note))
        return
    if trips is None:
        assert isinstance(s, S.For)
        trips = r.residuals.expression(count(s.iter), s.site, contents=False)
    counter = E.Name(r.nobody)
    if isinstance(s, S.For):
        counter = header_name(r, s, position(s))
    run: E.Expr = E.Call(E.Ref("range", range), (trips,))
    if counter.id != r.nobody:
        run = E.Call(E.Ref("reversed", reversed), (run,))
    r.emit(C.ForEach(counter, run, tuple(body), r.note))


def _first(values: E.Expr, trips: E.Expr, backward: bool) -> E.Expr:
    """What the first `trips` iterations of a loop over a range run over, in the loop's order; for
    one that goes backwards over a range with the step 1, the range of them in its own order."""
    assert isinstance(values, E.Call)
    start, stop = (E.Const(0), *values.args)[-2:] if len(values.args) < 3 else values.args[:2]
    step = values.args[2] if len(values.args) == 3 else E.Const(1)
    if backward:
        if step == E.Const(1) and E.is_atom(stop):
            return E.Call(values.fn, (E.Binary("-", stop, trips), stop))
        if all(E.is_atom(a) for a in values.args):
            left = E.Binary("-", E.Call(E.Ref("len", len), (values,)), trips)
            first = simplify(E.Binary("+", start, E.Binary("*", left, step)))
            return E.Call(values.fn, (first, stop, step))
        listed = E.Call(E.Ref("list", list), (E.Call(E.Ref("reversed", reversed), (values,)),))
        return E.Index(listed, (E.Slice(None, trips, None),))
    if len(values.args) == 1:
        return E.Call(values.fn, (trips,))
    if not E.is_atom(start) or not E.is_atom(step):
        return E.Index(values, (E.Slice(None, trips, None),))
    length = trips if step == E.Const(1) else E.Binary("*", trips, step)
    end = simplify(E.Binary("+", start, length))
    return E.Call(values.fn, (start, end, *values.args[2:]))


def _is_range(e: E.Expr) -> bool:
    return isinstance(e, E.Call) and isinstance(e.fn, E.Ref) and e.fn.value is range


def header_name(r: Reverser, s: S.For, var: str) -> E.Name:
    """The name of the loop variable of the reversed loop, nobody's if nothing asks for it."""
    found = [
        f.name
        for f in r.residuals.fetches.values()
        if f.way == "header" and f.at == s.site and f.value == E.Name(var)
    ]
    return E.Name(found[0] if found else r.nobody)


def trip_count(r: Reverser, s: S.For | S.While) -> E.Expr | None:
    """The kept number of iterations, where the header does not tell it."""
    breaks = any(isinstance(x, S.Break) for x in own_statements(s.body))
    if isinstance(s, S.For) and not breaks:
        sources = list(elements_in(s.iter))
        lists = [v for v in sources if is_list(r, v, s.site)]
        writes = [w for v in lists for w in changes(r, v, s.site)]
        inside = {x.site for x in statements(s.body)}
        sized = all(has_length(r.facts.kinds.at(s.site, v)) for v in sources)
        acts = any(_is_outside(r, v, s.site) for v in lists) and any(
            _may_act(x, r) for x in statements(s.body)
        )
        if sized and not acts and not any(w in inside for w in writes):
            later = r.facts.inner or any(may_follow(r, w, s.site) for w in writes)
            later = later or any(r.residuals.comes_from_outside(v, s.site) for v in lists)
            if not (lists and later):
                return None
            return r.residuals.kept("steps", count(s.iter), s.site)
    return r.residuals.kept("steps", E.Name(f"count#{s.site}"), s.site, after=True)


def is_list(r: Reverser, var: str, site: int) -> bool:
    """Whether the length of what a loop runs over may change."""
    return not isinstance(r.facts.kinds.at(site, var), Array | TupleOf)


def _is_outside(r: Reverser, var: str, site: int) -> bool:
    """Whether it is a list, or dictionary, say, that others may change under names of their own."""
    return any(o.form in ("global", "held") for o in r.facts.memory.objects(var, site))


_PLAIN = (
    S.Bind, S.Load, S.Store, S.Update, S.Alias, S.Pack, S.Unpack, S.If, S.For, S.While, S.Break,
    S.Continue,
)  # fmt: skip


def _may_act(s: S.Stmt, r: Reverser) -> bool:
    """Whether a statement may change what it does not name: a global list is changed under a name
    of its own, or by a function."""
    if s.site in r.facts.units:
        summary = r.facts.units[s.site].summary
        return not summary.repeatable or summary.assigns or bool(summary.writes)
    if isinstance(s, S.Edit) and not _is_outside(r, s.base, s.site):
        return False  # an operation of a list of its own
    if not isinstance(s, _PLAIN):
        return True
    if s.site in r.facts.apps:
        return False
    return any(isinstance(sub, E.Call | E.Verbatim) for e in operands(s) for sub in walk(e))


def has_length(kind: Kind) -> bool:
    """Whether a value of this kind can be gone through again, so that its length counts the steps;
    of an iterator that is used up then there is none."""
    match kind:
        case Known(value=value):
            return isinstance(value, Sized)
        case Instance(cls=cls):
            return hasattr(cls, "__len__")
        case _:
            return isinstance(kind, Array | TupleOf | Container)


def changes(r: Reverser, var: str, site: int) -> Iterator[int]:
    """The statements that may change the length of the list that `var` is at `site`."""
    objects = r.facts.memory.objects(var, site)
    for w in r.facts.memory.writes:
        if w.objects & objects and not isinstance(r.facts.structure.stmts[w.site], S.Store):
            yield w.site


def may_follow(r: Reverser, later: int, site: int) -> bool:
    """Whether a statement may run after another one."""
    order = list(r.facts.structure.stmts)
    around = {loop.site for loop in r.facts.structure.loops(site)}
    again = any(loop.site in around for loop in r.facts.structure.loops(later))
    return again or order.index(later) > order.index(site)


def own_statements(body: S.Block) -> Iterator[S.Stmt]:
    """The statements of a loop body that are not in a loop further inside."""
    for s in body:
        yield s
        if isinstance(s, S.If):
            yield from own_statements(s.then)
            yield from own_statements(s.orelse)
