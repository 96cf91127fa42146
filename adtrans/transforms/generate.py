"""The forward/pullback pair of one analysed function, tidied."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from adtrans import runtime
from adtrans.analyses.facts import Facts, Unit
from adtrans.analyses.structure import BODY
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Container, Kind, Scalar, TupleOf
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import names_in, substitute
from adtrans.transforms import adjoints as A
from adtrans.transforms import putting_back, tuple_adjoints
from adtrans.transforms.adjoints import Adjoint
from adtrans.transforms.bases import Base, Derivations, worthwhile
from adtrans.transforms.evaluation import changed, raised_in
from adtrans.transforms.fold import all_code, fold
from adtrans.transforms.forward import Kept, forward_body
from adtrans.transforms.fresh import is_fresh
from adtrans.transforms.idle_reads import without_repeated
from adtrans.transforms.map_expressions import map_code
from adtrans.transforms.polish import short_names, signs
from adtrans.transforms.prune import prune, reads
from adtrans.transforms.pullback import reverse_block, storage
from adtrans.transforms.records import iterate_records
from adtrans.transforms.residuals import Residuals
from adtrans.transforms.reverse_attempts import Restored
from adtrans.transforms.reverser import Reverser
from adtrans.transforms.undoing import Undone, worth_undoing
from adtrans.transforms.ways import Fetch

NoteFor = Callable[[S.Stmt], C.Note]


@dataclass(frozen=True, slots=True)
class Pair:
    """`f_forward` and `f_pullback` as code, and what the first keeps for the second."""

    forward: C.Def
    pullback: C.Def
    kept: tuple[Fetch, ...]


def forward_and_pullback(
    facts: Facts, unit: Unit, note_for: NoteFor, roots: frozenset[str]
) -> Pair:
    """The pair of a function. `roots`: free names that the code may use."""
    w = with_bases(facts, note_for, roots, ())
    if facts.saved and (undone := worth_undoing(w.residuals, w.fetches())):
        w = with_bases(facts, note_for, roots, undone)
    r, kept_code, lists = w.reverser, w.code, w.lists
    residuals_name, seed_name, finals = w.names
    fetches = w.fetches()
    forward_names = NameAllocator(facts.fn.reserved | roots | _locals(facts))
    forward, kept = forward_body(facts, forward_names, fetches)
    shapes = {
        k.entry.base.id: k
        for k in kept
        if isinstance(k.entry, E.Attribute) and isinstance(k.entry.base, E.Name)
    }
    wholes = {k.entry.id: k for k in kept if isinstance(k.entry, E.Name)}
    both: dict[str, E.Expr] = {
        shapes[v].name: E.Attribute(E.Name(wholes[v].name), "shape") for v in shapes if v in wholes
    }
    kept = tuple(k for k in kept if k.name not in both)
    forward = tuple(_without(c, both, kept) for c in forward)
    start: list[C.Code] = []
    if kept:
        targets = tuple(E.Name(k.name) for k in kept)
        target: tuple[E.Expr, ...] = (
            targets if len(targets) > 1 else (E.Sequence("tuple", targets),)
        )
        start.append(C.Assign(target, E.Name(residuals_name)))
        for k in kept:
            if k.stack and k.name not in lists:
                start.append(
                    C.Assign((E.Name(k.name),), E.Call(E.Attribute(E.Name(k.name), "copy"), ()))
                )
    code = _renamed((*start, *kept_code), both)
    temporaries = {n for n in _all_bound(kept_code) if n not in {k.name for k in kept}}
    code = fold(code, lambda n: n in temporaries, _quiet(r))
    reserved = facts.fn.reserved
    saved = {n for k in kept for n in names_in(k.entry)}
    others = reserved | saved
    forward = fold(forward, lambda n: n not in others, lambda a, b: False, raised_in(facts))
    forward = prune(forward, lambda c: is_unused_temporary(c, others))
    forward = without_repeated(forward)
    code = signs(code, primal={f.name for f in r.residuals.fetches.values()})
    forward, code = short_names(
        (forward, code), reserved | roots | {residuals_name, seed_name, *finals}
    )
    pull_params = tuple(S.Param(n) for n in (residuals_name, seed_name, *finals))
    return Pair(
        C.Def(unit.forward, facts.fn.params, forward),
        C.Def(unit.pullback, pull_params, code),
        tuple(k.fetch for k in kept),
    )


def with_bases(
    facts: Facts, note_for: NoteFor, roots: frozenset[str], undone: tuple[Undone, ...]
) -> Backwards:
    """The pullback with copies of arrays in place of what is computed from them, where that is
    less."""
    bases: frozenset[Base] = frozenset()
    apart = {u.var for u in undone}
    while True:
        w = written_backwards(facts, note_for, roots, bases, undone)
        kept_arrays = [
            (f.value.id, f.block)
            for f in w.fetches()
            if f.way == "record" and isinstance(f.value, E.Name) and w.reverser.in_loop(f.block)
        ]
        more = worthwhile(Derivations(facts, w.residuals.without_record), kept_arrays) - bases
        more = frozenset(base for base in more if base[1] not in apart)
        if not more:
            return w
        bases |= more


def is_unused_temporary(c: C.Assign, others: frozenset[str] | set[str]) -> bool:
    """Whether an assignment only names a constant or a variable for nobody."""
    plain = all(isinstance(t, E.Name) for t in c.targets)
    return E.is_atom(c.value) and plain and not c.bound & others


@dataclass(frozen=True)
class Backwards:
    """A pullback as first written: its code, what it asked for, the names of its parameters."""

    reverser: Reverser
    residuals: Residuals
    code: C.Body
    lists: frozenset[str]
    names: tuple[str, str, tuple[str, ...]]

    def fetches(self) -> tuple[Fetch, ...]:
        """What the forward function has to keep: what the code really reads."""
        used = {n for c in all_code(self.code) for n in reads(c)}
        return tuple(
            f
            for f in self.residuals.fetches.values()
            if (f.name in used or storage(f) in used) and f.way in ("final", "record")
        )


def written_backwards(
    facts: Facts,
    note_for: NoteFor,
    roots: frozenset[str],
    bases: frozenset[Base],
    undone: tuple[Undone, ...] = (),
) -> Backwards:
    """Write the pullback, keeping copies of the arrays in `bases`."""
    names = NameAllocator(roots)
    residuals_name, seed_name = names.fresh("residuals"), names.fresh("y_bar")
    residuals = Residuals(facts, names, bases=bases, undone={u.var: u for u in undone})
    r = Reverser(facts, residuals, names, note_for, seed_name=seed_name)
    finals = tuple(names.fresh(f"{p}_final_bar") for p in facts.finals)
    for p, name in zip(facts.finals, finals, strict=True):
        kind = r.var_kind(p)
        r.env[name] = kind
        if p not in facts.sharing.addressed | facts.sharing.through:
            r.state[p] = Adjoint(E.Name(name), kind, False, frozenset({name}))
    begin_memory(r, dict(zip(facts.finals, finals, strict=True)))
    putting_back.begin(r)
    reverse_block(r, BODY, facts.fn.body)
    body = [*r.out, *results(r, facts, frozenset({seed_name, *finals}))]
    code = Restored(r).body(pruned(tuple(body), residuals))
    records = {storage(f) for f in residuals.fetches.values() if f.way == "record"}
    code, lists = iterate_records(pruned(code, residuals), records)
    return Backwards(r, residuals, code, lists, (residuals_name, seed_name, finals))


def begin_memory(r: Reverser, finals: Mapping[str, str]) -> None:
    """Where adjoints are found by address: begin with those of the final contents."""
    addressed, through = r.facts.sharing.addressed, r.facts.sharing.through
    if not addressed and not through:
        return
    r.memory_name = r.names.fresh("bars")
    first = r.facts.fn.body[0].site
    every = [p.name for p in r.facts.fn.params if p.name in addressed | through]
    params = [p for p in every if p not in through and not isinstance(r.var_kind(p), Container)]
    given = tuple(r.residuals.address(p, first, False) for p in params)
    lists = [p.name for p in r.facts.fn.params if p.name in through]
    held = (r.residuals.address(p, first, False) for p in lists)
    inner = (("inner", E.Const(True)),) if lists and r.facts.inner else ()
    made = E.Call(E.Ref("AdjointMemory", runtime.AdjointMemory), (*given, *held), inner)
    r.emit(C.Assign((E.Name(r.memory_name),), made, None))
    for p, address in zip(params, given, strict=True):
        if p in finals:
            place = E.Index(E.Name(r.memory_name), (address,))
            r.emit(C.AugAssign(place, "+", E.Name(finals[p]), None))
    r.current = r.facts.fn.body[-1]
    for p in every:
        if p in finals and p not in params:
            r.spread(p, E.Name(finals[p]), result=False)
    r.current = None


def pruned(code: C.Body, residuals: Residuals) -> C.Body:
    """The code without what nothing reads; what is taken off other lists than records stays."""
    records = {storage(f) for f in residuals.fetches.values() if f.way == "record"}
    return prune(code, lambda c: changed(c.value) <= records)


def results(r: Reverser, facts: Facts, seeds: frozenset[str]) -> list[C.Code]:
    """What the pullback returns: the adjoints of the parameters, in memory of their own."""
    out: list[C.Code] = []
    r.out, r.note, r.current = out, None, None
    values: list[E.Expr] = []
    returned: set[str] = set()
    active = [p.name for p in facts.fn.params if p.name in facts.wrt or p.name in facts.finals]
    # a caller goes by the order of the parameters, and knows nothing of any other
    order = active if facts.inner else [*facts.wrt, *(p for p in active if p not in facts.wrt)]
    first = facts.fn.body[0].site  # the arguments as they are on entry
    by_address = any(p in facts.sharing.addressed | facts.sharing.through for p in order)
    for p in order:
        kind = r.var_kind(p)
        adj = r.state.get(p)
        popped: E.Expr | None = None
        if p in facts.sharing.addressed | facts.sharing.through:
            address = r.residuals.address(p, first, False)
            popped = E.Call(E.Attribute(E.Name(r.memory_name), "pop"), (address,))
            adj = Adjoint(popped, kind, True, whole=True)
        if popped is not None and p in facts.sharing.through:
            values.append(popped)
            continue
        if isinstance(kind, TupleOf):
            values.append(tuple_result(r, p, kind, first, adj))
            continue
        if isinstance(kind, Container):
            values.append(list_result(r, p, first, adj))
            continue
        thin = adj is None or not adj.covers(kind)
        shape = r.residuals.shape(p, first) if isinstance(kind, Array) and thin else E.NONE
        if adj is None:
            plain = isinstance(kind, Array | Scalar)
            nothing = A.zeros(kind, shape) if plain else r.zeros(r.residuals.reference(p, first))
            values.append(nothing)
            continue
        if isinstance(kind, Array) and not adj.covers(kind):
            adj = A.full(adj, kind, shape, own=True)
        expr = adj.expr
        if isinstance(kind, Array):
            mine = adj.kind
            if kind.dtype is not None and kind.ndim == 0:  # it may be a number of Python's
                expr = E.Call(E.Ref("np.array", np.array), (expr, E.Const(kind.dtype)))
            elif kind.dtype is not None and not (
                isinstance(mine, Array) and mine.dtype == kind.dtype
            ):
                expr = _of_dtype(expr, mine, kind.dtype, copied=not adj.owned)
            elif not adj.owned or (names_in(expr) & (returned | seeds) and not is_fresh(expr)):
                expr = E.Call(E.Attribute(expr, "copy"), ())
            if kind.ndim == 0 and kind.dtype is None:
                expr = E.Call(E.Ref("np.asarray", np.asarray), (expr,))
        elif isinstance(kind, Scalar) and kind.dtype is None and kind.type == "float":
            if not (
                isinstance(adj.kind, Scalar) and adj.kind.dtype is None and adj.kind.type == "float"
            ):
                expr = E.Call(E.Ref("float", float), (expr,))
        if by_address and popped is None and not isinstance(expr, E.Const):
            expr = taken_first(r, expr, p)
        returned |= names_in(expr)
        values.append(expr)
    out.append(C.Result(values[0] if len(values) == 1 else E.Sequence("tuple", tuple(values))))
    return out


def taken_first(r: Reverser, e: E.Expr, p: str) -> E.Name:
    """A name for what is computed before adjoints are taken out of the memory: it may be a view of
    that."""
    name = E.Name(r.names.fresh(f"{r.facts.fn.source_name(p)}_bar"))
    r.emit(C.Assign((name,), e, None))
    return name


def list_result(r: Reverser, p: str, first: int, adj: Adjoint | None) -> E.Expr:
    """The adjoint of a list of arguments, a list that nobody else has."""
    if adj is None:
        return r.zeros_of_list(p, first, False)
    return adj.expr if adj.owned else A.copied(adj.expr, r.var_kind(p))


def tuple_result(
    r: Reverser, p: str, kind: TupleOf, first: int, adj: Adjoint | None
) -> E.Expr:
    """The adjoint of a tuple of arguments: no gaps, and copies of what others may see."""
    given = E.NONE if adj is None else adj.expr
    primal: E.Expr = E.NONE
    if tuple_adjoints.has_gaps(kind, given):
        primal = r.residuals.reference(p, first)
    if r.facts.kinds.may_be_none(p) and not isinstance(given, E.Sequence):
        return r.zeros(primal, kind) if given == E.NONE else A.duplicate(given)
    return tuple_adjoints.filled(kind, tuple_adjoints.copied(kind, given), primal)


def _quiet(r: Reverser) -> Callable[[str, str], bool]:
    """Writing into an adjoint array changes no primal value, nor an unrelated adjoint."""
    primal = {f.name for f in r.residuals.fetches.values()}
    scalars = r.env.numbers()
    then = {*r.residuals.then.values()}  # what is put back changes these, and parts of them
    both = then.union(r.residuals.parts.values())
    return lambda a, b: b in primal or b in scalars or (b in both and a not in then)


def _locals(facts: Facts) -> frozenset[str]:
    return frozenset(facts.fn.source_name(v) for v in facts.definitions.sites) | {
        p.name for p in facts.fn.params
    }


def _all_bound(body: C.Body) -> set[str]:
    return {n for c in all_code(body) if isinstance(c, C.Assign) for n in c.bound}


def _renamed(body: C.Body, by: dict[str, E.Expr]) -> C.Body:
    """`body` with names replaced by expressions."""
    return tuple(map_code(c, lambda e: substitute(e, by)) for c in body) if by else body


def _without(c: C.Code, both: dict[str, E.Expr], kept: tuple[Kept, ...]) -> C.Code:
    """The forward function's result without the shapes of arrays that are kept whole."""
    if not both or not isinstance(c, C.Result):
        return c
    assert isinstance(c.value, E.Sequence)
    entries = tuple(k.entry for k in kept)
    return replace(c, value=E.Sequence("tuple", (c.value.items[0], E.Sequence("tuple", entries))))


def _of_dtype(expr: E.Expr, kind: Kind, dtype: str, *, copied: bool) -> E.Expr:
    """An adjoint as an array of a dtype. What is not known to be an array has no method that could
    be differentiated again."""
    if isinstance(kind, Array) and kind.dtype is not None:
        keywords = () if copied else (("copy", E.Const(False)),)
        return E.Call(E.Attribute(expr, "astype"), (E.Const(dtype),), keywords)
    made = E.Ref("np.array", np.array) if copied else E.Ref("np.asarray", np.asarray)
    return E.Call(made, (expr, E.Const(dtype)))
