"""The state of a pullback under construction: adjoints so far, names, code.

The first contribution to an adjoint assigns, later ones add; an array that nobody else sees is
changed in place; whoever still looks into an array that is about to change gets a copy first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from adtrans import runtime
from adtrans.analyses.apply import Application, Operand
from adtrans.analyses.facts import Facts
from adtrans.analyses.kinds import kind_of_expr
from adtrans.analyses.loops import Leaf, leaves
from adtrans.analyses.needs import contents_in, formulas
from adtrans.analyses.nested import makes_leaf
from adtrans.analyses.references import UNCLEAR, reference
from adtrans.analyses.structure import BlockId
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.diagnostics.errors import CompileError
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    Array,
    Container,
    DictOf,
    Kind,
    Known,
    ListOf,
    Scalar,
    TupleOf,
    Unknown,
)
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, names_in, reads_of, rebuild, substitute
from adtrans.transforms import adjoints as A
from adtrans.transforms import tuples
from adtrans.transforms.adjoints import Adjoint, State
from adtrans.transforms.fresh import is_fresh
from adtrans.transforms.residuals import Residuals
from adtrans.transforms.simplify import simplify

Note = C.Note | None


@dataclass
class Reverser:
    """Writes one pullback. `state` holds the adjoints at this point, `out` the code so far."""

    facts: Facts
    residuals: Residuals
    names: NameAllocator
    note_for: Callable[[S.Stmt], C.Note]
    seed_name: str = "y_bar"
    env: dict[str, Kind] = field(default_factory=dict)
    state: State = field(default_factory=dict)
    out: list[C.Code] = field(default_factory=list)
    pools: dict[str, list[str]] = field(default_factory=dict)
    memory_name: str = "bars"
    note: Note = None
    current: S.Stmt | None = None

    # -- emission ------------------------------------------------------------------------------

    def emit(self, c: C.Code) -> None:
        self.out.append(c)

    def kind(self, e: E.Expr) -> Kind:
        return kind_of_expr(e, self.env)

    def name_for(self, var: str) -> str:
        """A name for the adjoint of `var` that no adjoint in use looks at."""
        base = self.facts.fn.source_name(var).partition("@")[0]
        pool = self.pools.setdefault(base, [])
        others = {v: a for v, a in self.state.items() if v != var}
        for name in pool:
            if not A.mentions(others, name) and not A.borrowed(others, name):
                return name
        pool.append(self.names.fresh(f"{base}_bar"))
        return pool[-1]

    def assign(self, var: str, adj: Adjoint) -> None:
        """Give the adjoint of `var` a name."""
        name = self.name_for(var)
        expr = simplify(adj.expr)
        if expr != E.Name(name):
            self.emit(C.Assign((E.Name(name),), expr, self.note))
        self.env[name] = adj.kind
        self.state[var] = replace(adj, expr=E.Name(name))

    def before_write(self, name: str, *writers: str) -> None:
        """Save the adjoints that still look into the array `name`, which is about to change."""
        lookers = [v for v in A.borrowed(self.state, name) if v not in writers]
        copies: dict[E.Expr, str] = {}
        for v in lookers:
            adj = self.state[v]
            if adj.expr in copies:
                self.state[v] = replace(self.state[copies[adj.expr]], owned=False)
                continue
            if isinstance(adj.kind, TupleOf):
                saved = self.saved(adj.expr, adj.kind)
                self.state[v] = replace(adj, expr=saved, borrows=frozenset())
                continue
            copies[adj.expr] = v
            many = sum(self.state[o].expr == adj.expr for o in lookers) > 1
            self.assign(
                v,
                Adjoint(
                    A.copied(adj.expr, adj.kind), adj.kind, not many, whole=adj.whole
                ),
            )
            if many:
                named = self.state[v]
                self.state[v] = replace(named, borrows=frozenset(names_in(named.expr)))

    def saved(self, e: E.Expr, kind: Kind) -> E.Expr:
        """The adjoint of a tuple over copies of its arrays, made here."""
        if e == E.NONE:
            return e
        if isinstance(kind, TupleOf):
            items = (self.saved(tuples.part(e, i), k) for i, k in enumerate(kind.items))
            return E.Sequence("tuple", tuple(items))
        name = self.names.fresh("t_bar")
        value = tuples.copied(kind, e)
        self.emit(C.Assign((E.Name(name),), simplify(value), self.note))
        self.env[name] = kind
        return E.Name(name)

    # -- looking at adjoints -------------------------------------------------------------------

    def var_kind(self, var: str) -> Kind:
        return self.facts.kinds.var(var)

    def shape(self, var: str, after: bool | None = None) -> E.Expr:
        """The shape of `var` where the statement being reversed evaluates it, or after that."""
        assert self.current is not None
        result = var in binds_of(self.current) if after is None else after
        return self.shape_at(var, self.current.site, result)

    def shape_at(self, var: str, site: int, result: bool) -> E.Expr:
        """The shape of `var` before or after a statement."""
        e = self.residuals.shape(var, site, result=result)
        kind = self.var_kind(var) if result else self.facts.kinds.at(site, var)
        if isinstance(e, E.Name) and isinstance(kind, Array) and kind.dims is not None:
            self.env[e.id] = TupleOf(tuple(Scalar("int", None, d) for d in kind.dims))
        return e

    def value(self, var: str, result: bool = False) -> E.Expr:
        assert self.current is not None
        e = self.residuals.value(var, self.current.site, result=result)
        assert isinstance(e, E.Name)
        self.env[e.id] = (
            self.facts.kinds.at(self.current.site, var) if not result else self.var_kind(var)
        )
        return e

    def whole(self, adj: Adjoint, var: str, *, own: bool = False) -> Adjoint:
        """`adj` with the full shape of `var`."""
        kind = self.var_kind(var)
        if isinstance(kind, Unknown) and not adj.whole:
            args = (adj.expr, self.shape(var))  # a number, or an array that it stands for
            spread = E.Call(E.Ref("np.broadcast_to", np.broadcast_to), args)
            return replace(adj, expr=spread, owned=False, whole=True)
        if adj.covers(kind):
            return adj
        return A.full(adj, kind, self.shape(var), own=own)

    def buffer(self, var: str) -> tuple[E.Expr, bool]:
        """The adjoint array of a variable that owns one, ready to be changed in place; whether it
        was made just now (and so is zero)."""
        adj, kind = self.state.get(var), self.var_kind(var)
        if adj is None and isinstance(kind, Container):
            s = self.current
            assert s is not None
            changes = isinstance(s, S.Invoke) or (isinstance(s, S.Edit) and s.op in S.CHANGES)
            made: E.Expr = self.zeros_of_list(var, s.site, changes or var in binds_of(s))
            self.assign(var, Adjoint(made, kind, True, whole=True))
            return self.state[var].expr, True
        if adj is None:
            s = self.current
            operand = isinstance(s, S.Bind | S.Load | S.Invoke) and var in reads_of(s)
            made = A.zeros(kind, self.shape(var, False if operand else None))
            self.assign(var, Adjoint(made, kind, True, whole=True, in_order=True))
            return self.state[var].expr, True
        if not adj.covers(kind):
            self.assign(var, replace(self.whole(adj, var, own=True), in_order=True))
        elif isinstance(kind, Array) and kind.ndim == 0:
            made = E.Call(E.Ref("np.array", np.array), (adj.expr,))  # a number by now
            self.assign(var, Adjoint(made, kind, True, whole=True))
        elif not adj.owned:
            made = A.copied(adj.expr, kind)
            self.assign(var, Adjoint(made, adj.kind, True, whole=adj.whole, in_order=True))
        elif var in self.facts.sharing.in_order and not adj.in_order:
            made = E.Call(E.Ref("np.ascontiguousarray", np.ascontiguousarray), (adj.expr,))
            self.assign(var, replace(adj, expr=made, in_order=True))
        return self.state[var].expr, False

    def window(self, var: str) -> tuple[E.Expr, bool]:
        """The part of an adjoint array that belongs to `var`; whether that was made just now."""
        if var in self.facts.sharing.addressed:
            return self.at_address(var), False
        shared = self.facts.sharing.base.get(var)
        if shared is None:
            return self.buffer(var)
        base, site = shared
        inner, fresh = self.window(base)
        s = self.facts.structure.stmts[site]
        match s:
            case S.Load():
                items = tuple(self.residuals.expression(i, site, contents=False) for i in s.items)
                return E.Index(inner, items), fresh
            case S.For():
                leaf = leaves(s, self.facts.kinds)[var]
                return self.element_of(leaf, site, inner), fresh
            case S.Bind():
                app = self.facts.apps[site]
                return self._view_of(s, app, inner), fresh
            case _:
                return inner, fresh

    def element_of(self, leaf: Leaf, site: int, whole: E.Expr) -> E.Expr:
        """What a target of the loop `site` is in `whole`, as it is in what is iterated over."""
        assert leaf.value is not None and leaf.source is not None
        others = names_in(leaf.value) - {leaf.source}
        by = {
            n: self.residuals.expression(E.Name(n), site, contents=False) for n in sorted(others)
        }
        return substitute(leaf.value, {**by, leaf.source: whole})

    def _view_of(self, s: S.Bind, app: Application, inner: E.Expr) -> E.Expr:
        of = app.bound[str(app.rule.of)]
        assert isinstance(of, E.Name)
        if app.result == "same":
            return inner
        others = {n: self.residuals.reference(n, s.site) for n in names_in(s.value) - {of.id}}
        return substitute(s.value, {**others, of.id: inner})

    def at_address(self, var: str, result: bool = False) -> E.Expr:
        """The adjoint of a variable whose adjoint is found by address."""
        assert self.current is not None
        address = self.residuals.address(var, self.current.site, result)
        return E.Index(E.Name(self.memory_name), (address,))

    def taken(self, var: str) -> Adjoint | None:
        """The adjoint of the variable that the statement being reversed binds, to be handed on.

        None if there is none, or if it lies in the adjoint of another variable, where it stays.
        """
        if var in self.facts.sharing.base:
            return None
        s, kind = self.current, self.var_kind(var)
        assert s is not None
        if var in self.facts.sharing.through and isinstance(kind, Container):
            return self.found(var) if isinstance(s, S.Invoke) else None
        if var not in self.facts.sharing.addressed:
            return self.state.pop(var, None)
        if isinstance(kind, Container):
            return self.found(var) if makes_leaf(s) else None
        taken_out = isinstance(s, S.Load | S.Unpack) or (isinstance(s, S.Edit) and s.op == "pop")
        if taken_out and self.facts.sharing.through & reads_of(s):
            return None
        summaries = {site: u.summary for site, u in self.facts.units.items()}
        source = UNCLEAR
        if not isinstance(s, S.Unpack):  # of arrays that are new, each
            source = reference(s, self.facts.kinds, self.facts.apps, summaries, frozenset()) or ""
        if source not in ("", UNCLEAR) or not self.facts.activity.active(var):
            return None
        place = self.at_address(var, result=True)
        memory = E.Name(self.memory_name)
        if source == UNCLEAR and not isinstance(s, S.Unpack):  # perhaps of other memory, too
            value: E.Expr = E.Call(E.Attribute(place, "copy"), ())
        else:
            assert isinstance(place, E.Index)
            value = E.Call(E.Attribute(memory, "pop"), place.items)
        self.assign(var, Adjoint(value, kind, True, whole=True))
        if source == UNCLEAR and not isinstance(s, S.Unpack):
            key = self.hold(self.state.pop(var))
            self.before_write(memory.id, key)
            self.emit(C.Assign((E.Index(place, (E.ELLIPSIS,)),), E.Const(0.0), self.note))
            return self.release(key)
        return self.state.pop(var)

    def found(self, var: str) -> Adjoint | None:
        """The adjoint of lists that are made here, by their identity."""
        if not self.facts.activity.active(var):
            return None
        take = E.Call(E.Attribute(E.Name(self.memory_name), "pop"), (self.identity(var, True),))
        self.assign(var, Adjoint(take, self.var_kind(var), True, whole=True))
        return self.state.pop(var)

    def spread(self, var: str, value: E.Expr, *, result: bool) -> None:
        """Add `value` to the adjoints of the lists that a variable holds."""
        fn = E.Ref("spread_at", runtime.spread_at)
        given = (E.Name(self.memory_name), self.identity(var, result), value)
        self.emit(C.Do(E.Call(fn, given), self.note))

    def by_identity(self, var: str) -> bool:
        """Whether a variable holds lists whose adjoints are found by their identity."""
        sharing = self.facts.sharing
        known = var in sharing.addressed or var in sharing.through
        return known and isinstance(self.var_kind(var), Container)

    def identity(self, var: str, result: bool) -> E.Expr:
        """Which lists a variable holds before (or after) the statement that is reversed."""
        assert self.current is not None
        note = E.Call(E.Ref("address_of", runtime.address_of), (E.Name(var),))
        hint = f"{self.facts.fn.source_name(var)}_at"
        return self.residuals.kept(hint, note, self.current.site, after=result)

    def root_name(self, var: str) -> str:
        if var in self.facts.sharing.addressed:
            return self.memory_name
        adj = self.state[self.facts.sharing.root(var)]
        assert isinstance(adj.expr, E.Name)
        return adj.expr.id

    def has(self, var: str) -> bool:
        """Whether the adjoint of `var` may be other than zero here."""
        if var in self.facts.sharing.addressed or self.by_identity(var):
            return self.facts.activity.active(var)
        return self.facts.sharing.root(var) in self.state

    def in_loop(self, block: BlockId) -> bool:
        """Whether a block may be executed more than once."""
        structure = self.facts.structure
        owners = (structure.owner(b) for b in structure.ancestors(block))
        return any(isinstance(o, S.For | S.While) for o in owners)

    def hold(self, adj: Adjoint) -> str:
        """Keep an adjoint that is on its way from one variable to another in view, so that its
        names are not given away; `release` gives it back, under another name if need be."""
        key = f"t@held{len(self.state)}"
        while key in self.state:
            key += "+"
        self.state[key] = adj
        return key

    def release(self, key: str) -> Adjoint:
        """The adjoint that was held."""
        return self.state.pop(key)

    def zeros_of_list(self, var: str, site: int, result: bool) -> E.Expr:
        """A zero adjoint for a list, of the length that it has there, or for a dictionary."""
        if isinstance(self.var_kind(var), DictOf):
            return E.Sequence("dict", ())  # what is not there is zero
        site, result = self.where_as_long(var, site, result)
        kind = self.var_kind(var)
        flat = isinstance(kind, ListOf) and isinstance(kind.item, Scalar)
        later = self.facts.inner or self._changed_elsewhere(var)
        if later:  # the caller, a call or another name may change the list behind this place
            what, keep = ("n", "len") if flat else (self.facts.fn.source_name(var), "list")
            call = E.Call(E.Ref(keep, {"len": len, "list": list}[keep]), (E.Name(var),))
            whole = self.residuals.kept(what, call, site, after=result)
        else:
            whole = self.residuals.reference(var, site, result=result)
        if flat:
            length = whole if later else E.Call(E.Ref("len", len), (whole,))
            return E.Binary("*", E.Sequence("list", (A.ZERO,)), length)
        if var in {p.name for p in self.facts.fn.params}:
            return E.Call(E.Ref("zeros_of", runtime.zeros_of), (whole,))
        return self.zeros(whole)

    def where_as_long(self, var: str, site: int, result: bool) -> tuple[int, bool]:
        """Where a list has the length that it has there, and its name stands for it.

        Raises:
            CompileError: AD207 where its length changes after its name has come to mean another.
        """
        if self.residuals.naming.reachable(var, site, after=result):
            return site, result
        place = self.residuals.earlier(var, site) or self.residuals.named(var, site, result)
        d, (at, after) = self.facts.definitions, place
        order = {s: n for n, s in enumerate(d.statements)}
        again = {*d.loops[site]} - {*d.loops[at]}
        held = self.facts.memory.objects(var)
        for w in self.facts.memory.writes:
            s = self.facts.structure.stmts[w.site]
            if not w.objects & held or not isinstance(s, S.Edit | S.Invoke):
                continue
            begins = order[at] + after <= order[w.site]
            if (begins and order[w.site] < order[site] + result) or again & {*d.loops[w.site]}:
                raise CompileError(_resized(s, self.facts.fn.source_name(var)))
        return place

    def zeros(self, value: E.Expr) -> E.Expr:
        """Zero adjoints for what a list holds: lists also for what was made a tuple of a list."""
        return E.Call(E.Ref("zeros_of", runtime.zeros_of), (self.thawed(value),))

    def thawed(self, value: E.Expr) -> E.Expr:
        """The adjoint of a list that may have been made a tuple, as a list."""
        stmts = self.facts.structure.stmts.values()
        if any(isinstance(s, S.Edit) and s.op == "freeze" for s in stmts):
            return E.Call(E.Ref("thawed", runtime.thawed), (value,))
        return value

    def _changed_elsewhere(self, var: str) -> bool:
        """Whether a function that is called, or another name, may change the length of a list."""
        memory, stmts = self.facts.memory, self.facts.structure.stmts
        held = memory.objects(var)
        others = (w for w in memory.writes if w.objects & held)
        return any(
            isinstance(s := stmts[w.site], S.Invoke) or (isinstance(s, S.Edit) and w.var != var)
            for w in others
        )

    # -- accumulating --------------------------------------------------------------------------

    def add(self, var: str, adj: Adjoint) -> None:
        """Add a contribution to the adjoint of `var`."""
        if var in self.facts.sharing.through and isinstance(self.var_kind(var), Container):
            if self.facts.activity.active(var):
                key = self.hold(adj)
                self.before_write(self.memory_name, key)
                self.spread(var, simplify(self.release(key).expr), result=False)
            return
        if self.facts.sharing.shares(var):
            key = self.hold(adj)
            target, fresh = self.window(var)
            self.before_write(self.root_name(var), key)
            value = simplify(self.release(key).expr)
            if isinstance(self.var_kind(var), DictOf):
                merge = E.Ref("merge", runtime.merge)
                self.emit(C.Do(E.Call(merge, (target, value)), self.note))
            elif isinstance(self.var_kind(var), ListOf):
                add_from = E.Ref("add_from", runtime.add_from)
                self.emit(C.Do(E.Call(add_from, (target, E.Const(0), value)), self.note))
            elif fresh and isinstance(target, E.Index):
                self.emit(C.Assign((target,), value, self.note))
            else:
                self.emit(A.accumulate(target, value, self.note))
            return
        now = self.state.get(var)
        kind = self.var_kind(var)
        if now is None:
            if isinstance(adj.expr, E.Name | E.Sequence):
                self.state[var] = adj
            else:
                self.assign(var, adj)
        elif isinstance(kind, TupleOf):
            total = tuples.plus(kind, now.expr, adj.expr)
            self.state[var] = Adjoint(total, kind, False, now.borrows | adj.borrows)
        elif (
            now.owned
            and isinstance(now.expr, E.Name)
            and now.covers(kind)
            and not isinstance(kind, Container)
        ):
            if not isinstance(kind, Scalar):
                key = self.hold(adj)
                self.before_write(now.expr.id, var, key)
                adj = self.release(key)
            self.emit(A.accumulate(now.expr, simplify(adj.expr), self.note))
        else:
            total = A.plus(now.expr, adj.expr, kind)
            if isinstance(kind, Container):
                self.assign(var, Adjoint(total, kind, True, whole=True))
                return
            self.assign(var, Adjoint(total, self.kind(total), True, whole=now.whole or adj.whole))

    def to_operand(
        self, adj: Adjoint, result: Kind, var: str, site_kind: Kind, result_var: str
    ) -> Adjoint:
        """A contribution in the shape of a broadcasting result, summed to the shape of `var`.

        `result_var` gives the shape of the result, should the contribution be thinner than that.
        """
        if isinstance(site_kind, Scalar) and isinstance(result, Scalar):
            return adj
        if A.operand_shape_is_result_shape(site_kind, result):
            return adj
        if not adj.covers(result):
            shape = self.shape(result_var)
            spread = E.Call(E.Ref("np.broadcast_to", np.broadcast_to), (adj.expr, shape))
            adj = replace(adj, expr=spread, kind=result, owned=False)
        if isinstance(site_kind, Scalar):
            return Adjoint(self.total(adj.expr), Scalar("float", "float64"), True)
        axes = A.summed_axes(site_kind, result)
        if axes is not None:
            summed = E.Call(E.Ref("np.sum", np.sum), (adj.expr,), axes)
            return Adjoint(summed, site_kind, True, whole=True)
        made = E.Call(E.Ref("unbroadcast", runtime.unbroadcast), (adj.expr, self.shape(var)))
        looks = adj.borrows | frozenset(names_in(adj.expr))
        return Adjoint(made, site_kind, False, looks, whole=True)

    def total(self, e: E.Expr) -> E.Expr:
        """The sum over all elements; of a product of two vectors as `a @ b`."""
        if isinstance(e, E.Binary) and e.op == "*":
            a, b = self.kind(e.left), self.kind(e.right)
            if isinstance(a, Array) and a.ndim == 1 and A.same_shape(a, b):
                return E.Binary("@", e.left, e.right)
        return E.Call(E.Ref("np.sum", np.sum), (e,))

    # -- rules ---------------------------------------------------------------------------------

    def contribution(
        self, s: S.Bind, app: Application, operand: Operand, var: str, adj: Adjoint, *, alone: bool
    ) -> Adjoint:
        """What the adjoint of the result adds to the adjoint of one operand."""
        facts, site = self.facts, s.site
        alternatives = formulas(app, operand, site, facts.kinds, s.target)
        f = alternatives[facts.needs.choice.get((site, operand), 0)]
        result, operand_kind = self.var_kind(s.target), facts.kinds.at(site, var)
        result = facts.kinds.bounds(site).get(s.target, result)
        pointwise = f.elementwise or app.rule.form == "elementwise"
        if not pointwise:
            adj = self.whole(adj, s.target)
        expr = self.instantiate(f.expr, f.values, app, s, adj.expr)
        if expr == adj.expr:
            given = adj if alone else A.shared(adj)
        else:
            kind = self.kind(expr)
            looks = not is_fresh(expr) and not isinstance(kind, Scalar)
            borrows = adj.borrows | frozenset(names_in(expr)) if looks else frozenset()
            given = Adjoint(expr, kind, not looks, borrows)
        if pointwise:
            given = replace(given, whole=adj.covers(result))
            others = [e for o, e in app.bound.items() if e != E.Name(var)]
            if all(isinstance(facts.kinds.expr(site, e), Scalar | Known) for e in others):
                return given  # nothing else has a shape
            return self.to_operand(given, result, var, operand_kind, s.target)
        given = replace(given, whole=not f.thin)
        if not f.thin and isinstance(operand_kind, Array):
            dtype = given.kind.dtype if isinstance(given.kind, Array) else None
            given = replace(given, kind=replace(operand_kind, dtype=dtype))
        return given

    def instantiate(
        self, formula: E.Expr, values: frozenset[str], app: Application, s: S.Bind, y_bar: E.Expr
    ) -> E.Expr:
        """A rule's formula over the names of this pullback."""
        by: dict[str, E.Expr] = {"y_bar": y_bar}

        def actual(name: str) -> E.Expr:
            e = E.Name(s.target) if name == "y" else app.bound.get(name, E.NONE)
            if name == "y" and name in values:
                return self.value(s.target, result=True)
            if name == "y":
                return self.residuals.reference(s.target, s.site, result=True)
            got = self.residuals.expression(e, s.site, contents=name in values)
            for n in names_in(e):
                named = self.residuals.reference(n, s.site)
                assert isinstance(named, E.Name)
                self.env[named.id] = self.facts.kinds.at(s.site, n)
            return got

        def shape_of(name: str) -> E.Expr | None:
            if name == "y":
                return self.shape_at(s.target, s.site, True)
            e = app.bound.get(name)
            if isinstance(e, E.Name) and isinstance(self.facts.kinds.at(s.site, e.id), Array):
                return self.shape_at(e.id, s.site, False)
            return None

        def visit(e: E.Expr) -> E.Expr:
            match e:
                case E.Attribute(base=E.Name(id=name), attr="shape") if name not in values:
                    found = shape_of(name)
                    if found is not None:
                        return found
                case E.Call(fn=E.Ref(text="np.shape"), args=(E.Name(id=name),)) if (
                    name not in values
                ):
                    found = shape_of(name)
                    if found is not None:
                        return found
                case E.Name():
                    if e.id not in by:
                        by[e.id] = actual(e.id)
                    return by[e.id]
                case _:
                    pass
            return rebuild(e, visit)

        return simplify(visit(formula))

    def residual_kinds(self, e: E.Expr, site: int) -> None:
        read = contents_in(e, site, self.facts.kinds)
        for n in names_in(e):
            got = self.residuals.expression(E.Name(n), site, contents=n in read)
            assert isinstance(got, E.Name)
            self.env[got.id] = self.facts.kinds.at(site, n)


def _resized(s: S.Stmt, name: str) -> Diagnostic:
    return Diagnostic(
        "AD207",
        f"the list `{name}` cannot be followed here",
        Label(s.span, "its length may change here, under another name"),
        why=f"by then `{name}` means something else, so that the length cannot be kept",
        fixes=[Fix(f"use another name for what `{name}` means afterwards")],
    )
