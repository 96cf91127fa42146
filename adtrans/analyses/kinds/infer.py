"""The kind of every variable at every statement of a function.

A forward abstract interpretation on webs (`analyses.webs`): flow-sensitive, with the loops' indices
as symbols that lose their meaning at the end of an iteration.

>>> from adtrans.diagnostics.span import Span
>>> from adtrans.ir.expr import Binary, Const, Name
>>> from adtrans.ir.kinds import PY_FLOAT
>>> here = Span("f.py", 1, 0, 1, 1)
>>> body = (S.Bind("y", Binary("*", Name("x"), Const(2)), site=1, span=here),
...         S.Return((Name("y"),), site=2, span=here))
>>> kinds = infer(S.Function("f", (S.Param("x"),), body, here), {"x": PY_FLOAT})
>>> print(kinds.bound(1), kinds.at(2, "y"), kinds.result)
float float float
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from adtrans.analyses import dataflow
from adtrans.analyses.definitions import definitions
from adtrans.analyses.iterations import LoopFacts, facts_at
from adtrans.analyses.kinds import counters, header_kinds
from adtrans.analyses.kinds.asked import asked
from adtrans.analyses.kinds.bindings import binding
from adtrans.analyses.kinds.expression_kinds import kind_of_expr
from adtrans.analyses.kinds.kind_facts import Kinds, State
from adtrans.analyses.kinds.lattice import forget, join_held, tuple_of
from adtrans.analyses.kinds.lists import Lists, Puts
from adtrans.analyses.kinds.operation_kinds import Callee
from adtrans.analyses.prove import Facts, proves_nonneg
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir import walk
from adtrans.ir.affine import Affine
from adtrans.ir.expr import Expr
from adtrans.ir.kinds import (
    NEVER,
    NONE_KIND,
    UNKNOWN,
    Array,
    DictOf,
    Instance,
    Kind,
    ListOf,
    Scalar,
    TupleOf,
)  # fmt: skip

__all__ = ["Kinds", "infer"]


def infer(
    fn: S.Function,
    params: Mapping[str, Kind],
    *,
    call: Callee | None = None,
    puts: Puts | None = None,
) -> Kinds:
    """The kinds of all variables of `fn`, given those of its parameters.

    `call(function, arguments, keywords)` is asked for the kinds of what functions without a rule
    return, `puts` for the kinds of what they put into lists. A parameter that `params` lacks can be
    anything.
    """
    given = {p.name: forget(params.get(p.name, UNKNOWN), _is_local) for p in fn.params}
    assigned = {s.attr for s in walk.statements(fn.body) if isinstance(s, S.SetAttr)}
    entry = {name: without(kind, assigned) for name, kind in given.items()} if assigned else given
    run = _Inference(fn, entry, call, puts)
    flow = run.fixed_point()
    before = {**flow.before, **flow.test}
    meant: Mapping[str, tuple[Affine, ...]] = facts_at((), (), run.loops).given
    facts = {site: Facts(run.facts(site).known, meant) for site in before}
    kinds: dict[str, Kind] = {var: run.lists.widened(var, k) for var, k in entry.items()}
    for state in run.bound.values():
        for var, kind in state.items():
            kinds[var] = join_held(kinds.get(var, NEVER), kind)
    grown = frozenset(var for var, k in entry.items() if run.lists.may_grow(var, k))
    result = forget(run.result, _is_local)
    return Kinds(run.loops, result, before, run.bound, kinds, facts, call, grown)


def without(kind: Kind, attributes: set[str]) -> Kind:
    """`kind` with nothing said about these attributes, which are assigned."""
    match kind:
        case Instance():
            kept, holders = (
                tuple((n, without(k, attributes)) for n, k in held if n not in attributes)
                for held in (kind.fields, kind.holders)
            )
            return replace(kind, fields=kept, holders=holders)
        case TupleOf():
            return replace(kind, items=tuple(without(k, attributes) for k in kind.items))
        case ListOf():
            items = tuple(without(k, attributes) for k in kind.items)
            return replace(kind, item=without(kind.item, attributes), items=items)
        case DictOf():
            fields = tuple((n, without(k, attributes)) for n, k in kind.fields)
            item, key = without(kind.item, attributes), without(kind.key, attributes)
            return replace(kind, item=item, fields=fields, key=key)
        case _:
            return kind


def _is_local(symbol: str) -> bool:
    return "#" in symbol


def base_facts(params: Mapping[str, Kind]) -> tuple[Affine, ...]:
    """What is known of the symbols of parameters (see `values.param_kinds`)."""
    found: list[Affine] = []
    for name, kind in params.items():
        found.extend(_of_param(kind, name))
    return tuple(dict.fromkeys(found))


def _of_param(kind: Kind, name: str) -> Iterable[Affine]:
    match kind:
        case Scalar(type="int", value=Affine() as value) if value == Affine.symbol(name):
            yield value
        case Array(dims=tuple() as dims):
            for axis, d in enumerate(dims):
                if d is not None and len(d.terms) == 1 and ".shape[" in d.terms[0][0]:
                    if d == Affine.symbol(d.terms[0][0]) and axis in kind.not_one:
                        yield d - 2
        case TupleOf():
            for n, item in enumerate(kind.items):
                yield from _of_param(item, f"{name}[{n}]")
        case _:
            return


class _Inference:
    """The transfer functions, and what they write down on the way."""

    def __init__(
        self, fn: S.Function, entry: State, call: Callee | None, puts: Puts | None
    ) -> None:
        self.fn, self.entry, self.call = fn, entry, call
        self.around = definitions(fn).loops
        self.heads = {
            s.site: frozenset(t.site for t in walk.statements(s.head))
            for s in walk.statements(fn.body)
            if isinstance(s, S.While)
        }
        self.inside = {
            s.site: _loops_in((s,))
            for s in walk.statements(fn.body)
            if isinstance(s, S.For | S.While)
        }
        # what only an earlier iteration can have bound has, as yet, no kind
        self.later: dict[int, State] = {
            s.site: {v: NEVER for t in walk.statements((s,)) for v in walk.binds_of(t)}
            for s in walk.statements(fn.body)
            if isinstance(s, S.For | S.While)
        }
        self.telling = {
            site: tuple((loop, site not in self.heads.get(loop, ())) for loop in loops)
            for site, loops in self.around.items()
        }
        self.base = base_facts(entry)
        self.branches = _branches(fn.body, ())
        self.tests: dict[tuple[int, bool], tuple[Affine, ...]] = {}
        self.lists = Lists(fn, puts)
        self.loops: dict[int, LoopFacts] = {}
        self.known: dict[tuple[tuple[int, bool], ...], Facts] = {}  # by the loops that tell it
        self.counted: dict[int, State] = {}
        # outside of a loop, what its iterations are no word for; by identity, held here
        self.outside: dict[int, dict[int, tuple[Kind, Kind]]] = {}
        self.bound: dict[int, State] = {}
        self.result: Kind = NEVER

    def fixed_point(self) -> dataflow.Flow[State]:
        """Runs until nothing new is put into any list."""
        while True:
            self.lists.start()
            self.loops.clear()
            self.known.clear()
            self.bound.clear()
            self.tests.clear()
            self.result = NEVER
            entry: State = {var: self.lists.widened(var, k) for var, k in self.entry.items()}
            flow = dataflow.forward(
                self.fn.body,
                entry,
                self.transfer,
                _join_states,
                at_loop_entry=self.enter,
                at_back_edge=self.again,
                at_loop_exit=self.forget,
                at_branch=self.narrowed,
            )
            if self.lists.is_settled():
                return flow

    def facts(self, site: int) -> Facts:
        telling = self.telling[site]
        if telling not in self.known:
            known = [*self.base]
            for loop, tested in telling:
                if loop in self.loops:
                    known.extend(self.loops[loop].bounds)
                    if tested:
                        known.extend(self.loops[loop].tested)
            self.known[telling] = Facts(tuple(known))
        found = self.known[telling]
        told = [t for branch in self.branches.get(site, ()) for t in self.tests.get(branch, ())]
        return found.plus(told) if told else found

    def tell(self, loop: int, facts: LoopFacts) -> None:
        """What is known about the iterations of a loop."""
        self.loops[loop] = facts
        self.known.clear()

    def look(self, s: S.Stmt, state: State) -> Callable[[Expr], Kind]:
        facts = self.facts(s.site)
        return lambda e: kind_of_expr(e, state, facts, self.call)

    # Loops

    def enter(self, s: S.For | S.While, state: State) -> State:
        around, inside = self.around[s.site], self.inside[s.site]
        state = {**self.later[s.site], **state}
        if isinstance(s, S.While):
            entered = counters.is_simple(s) and self.is_entered(s, state)
            self.tell(s.site, header_kinds.of_while(s.site, inside, around, entered=entered))
            return self.counting(s, state)
        header = header_kinds.of_for(s, self.look(s, state), inside, around)
        self.tell(s.site, header.facts)
        bound = {var: self.lists.widened(var, k) for var, k in header.kinds.items()}
        self.bound[s.site] = {var: bound.get(var, UNKNOWN) for var in walk.binds_of(s)}
        return self.counting(s, state)

    def counting(self, s: S.For | S.While, state: State) -> State:
        """The variables that the loop counts with, in the words of its iterations."""
        position = Affine.symbol(self.loops[s.site].position)
        self.counted[s.site] = {
            var: replace(kind, value=kind.value + step * position)
            for var, step in counters.counters(s).items()
            if isinstance(kind := state.get(var), Scalar)
            and kind.type == "int"
            and kind.value is not None
        }
        return {**state, **self.counted[s.site]}

    def again(self, s: S.For | S.While, state: State) -> State:
        """At the start of the next iteration."""
        return {**self.forget(s, state), **self.counted[s.site]}

    def is_entered(self, s: S.While, state: State) -> bool:
        """Whether the test holds when it is evaluated for the first time."""
        facts = self.facts(s.site)
        for t in s.head:
            state = {**state, **binding(t, self.look(t, state))}
        return counters.holds(s.test, self.look(s, state), lambda e: proves_nonneg(e, facts))

    def tested(self, s: S.While, state: State) -> State:
        """The test holds in the body."""
        if counters.is_simple(s):
            found = tuple(counters.bounds(s.test, self.look(s, state)))
            self.tell(s.site, replace(self.loops[s.site], tested=found))
        return state

    def forget(self, s: S.For | S.While, state: State) -> State:
        dead = {f"#{site}" for site in self.inside[s.site]}

        def is_dead(symbol: str) -> bool:
            return "#" in symbol and "#" + symbol.rpartition("#")[2] in dead

        known = self.outside.setdefault(s.site, {})
        found: dict[str, Kind] = {}
        for var, kind in state.items():  # which mostly are those that were there the last time
            told = known.get(id(kind))
            if told is None:
                told = known[id(kind)] = kind, forget(kind, is_dead)
            found[var] = told[1]
        return found

    # Branches

    def narrowed(self, s: S.If, state: State, taken: bool) -> State | None:
        """In the branches of `if v is None` it is known whether `v` is; in those of `if i > 0` what
        `i` is at least or at most.

        None, for what cannot be run, where `v` is nothing else (as yet, in a loop).
        """
        if isinstance(s.test, E.Compare | E.BoolOp):
            look = self.look(s, state)
            found = counters.bounds if taken else counters.bounds_without
            self.tests[s.site, taken] = tuple(found(s.test, look))
        return asked(s.test, state, taken)

    # Statements

    def transfer(self, s: S.Stmt, state: State) -> State:
        match s:
            case S.For():
                return {**state, **self.bound[s.site]}
            case S.While():
                return self.tested(s, state)
            case S.If() | S.Break() | S.Continue() | S.Onward():
                return state
            case S.Try() | S.With():
                self.bound[s.site] = dict.fromkeys(walk.binds_of(s), UNKNOWN)
                return {**state, **self.bound[s.site]}
            case S.Return():
                look = self.look(s, state)
                values = [look(v) for v in s.values]
                single = values[0] if values else NONE_KIND
                self.result = tuple_of(*values) if s.is_tuple else single
                return state
        self.lists.note(s, self.look(s, state))
        bound = binding(s, self.look(s, state)).items()
        new = {v: self.lists.widened(v, self.sized(s, v, k)) for v, k in bound}
        self.bound[s.site] = new
        if isinstance(s, S.Keep) and s.unbinds:
            state = {v: k for v, k in state.items() if v not in s.unbinds}
        return {**state, **new} if new else state

    def sized(self, s: S.Stmt, var: str, kind: Kind) -> Kind:
        """`kind` with names for sizes that nothing is known of, so that two arrays can be as large
        as one another. They mean something in one iteration, like the index of a loop."""
        if not isinstance(kind, Array) or kind.dims is None or None not in kind.dims:
            return kind
        if isinstance(s, S.Update | S.Edit):
            return kind
        around = self.around[s.site]
        place = f"{s.site}.{var}.shape"
        inside = around[-1] if around else s.site  # no loop has this site
        dims = tuple(
            Affine.symbol(f"{place}[{k}]#{inside}") if d is None else d
            for k, d in enumerate(kind.dims)
        )
        return replace(kind, dims=dims)


def _branches(
    block: S.Block, around: tuple[tuple[int, bool], ...]
) -> dict[int, tuple[tuple[int, bool], ...]]:
    """For the statements in branches the branches that they stand in."""
    found: dict[int, tuple[tuple[int, bool], ...]] = {}
    for s in block:
        if around:
            found[s.site] = around
        if isinstance(s, S.If):
            found |= _branches(s.then, (*around, (s.site, True)))
            found |= _branches(s.orelse, (*around, (s.site, False)))
        else:
            for inner in walk.blocks_of(s):
                found |= _branches(inner, around)
    return found


def _loops_in(block: S.Block) -> frozenset[int]:
    return frozenset(s.site for s in walk.statements(block) if isinstance(s, S.For | S.While))


def _join_states(a: State, b: State) -> State:
    if a is b:
        return a
    joined = {**b, **a}
    for v, kind in b.items():
        if (other := joined[v]) is not kind:
            joined[v] = join_held(other, kind)
    return joined
