"""Where the adjoint of a variable lies, and how more is added to it.

The first contribution to an adjoint assigns, later ones add; an array that nobody else sees is
changed in place. A view that is a window on the adjoint of its base has none of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from adtrans import runtime
from adtrans.analyses.apply import Application
from adtrans.analyses.arrays_held import or_none
from adtrans.analyses.loops import Leaf, leaves
from adtrans.analyses.nested import makes_leaf
from adtrans.analyses.references import UNCLEAR, reference
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    UNKNOWN,
    Array,
    Container,
    DictOf,
    Kind,
    ListOf,
    Mixed,
    Scalar,
    TupleOf,
    Unknown,
    present,
)
from adtrans.ir.walk import binds_of, names_in, reads_of, substitute
from adtrans.transforms import adjoints as A
from adtrans.transforms import tuple_adjoints
from adtrans.transforms.adjoints import Adjoint
from adtrans.transforms.contributions import Contributions
from adtrans.transforms.simplify import simplify


@dataclass
class Reverser(Contributions):
    """Writes one pullback."""

    # -- looking at adjoints -------------------------------------------------------------------

    def buffer(self, var: str) -> tuple[E.Expr, bool]:
        """The adjoint array of a variable that owns one, ready to be changed in place; whether it
        was made just now (and so is zero)."""
        adj, kind = self.state.get(var), self.var_kind(var)
        if adj is None and isinstance(kind, Container):
            s = self.current
            assert s is not None
            changes = isinstance(s, S.Invoke) or (isinstance(s, S.Edit) and s.op in S.CHANGES)
            # `rest = rest[1:]` has taken what it binds already: this is the list that it was before
            bound = var in binds_of(s) and not isinstance(s, S.Bind | S.Load)
            made: E.Expr = self.zeros_of_list(var, s.site, changes or bound)
            self.assign(var, Adjoint(made, kind, True, whole=True))
            return self.state[var].expr, True
        if adj is None:
            s = self.current
            # what is bound here has lost its adjoint already: this is the array that it was before
            operand = isinstance(s, S.Bind | S.Load | S.Invoke)
            made = A.zeros(kind, self.shape(var, False if operand else None))
            self.assign(var, Adjoint(made, kind, True, whole=True, in_order=True))
            return self.state[var].expr, True
        unknown = isinstance(kind, Unknown) and not isinstance(adj.kind, Container | TupleOf)
        flat = var in self.facts.sharing.in_order
        if isinstance(kind, Mixed) and not kind.array.ndim and not flat:  # perhaps a number by now
            own = adj.whole and adj.owned
            ref = E.Ref("np.asarray", np.asarray) if own else E.Ref("np.array", np.array)
            made = E.Call(ref, (self.whole(adj, var).expr,))
            self.assign(var, Adjoint(made, kind, True, whole=True))
        elif unknown and not adj.whole:
            made = A.copied(self.whole(adj, var).expr, kind)  # it has items: no number
            self.assign(var, Adjoint(made, kind, True, whole=True))
        elif not adj.covers(kind):
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

    def target(self, var: str) -> tuple[E.Expr, bool]:
        """The window of `var` as what is assigned to: in a tuple, all elements of the array."""
        found, fresh = self.window(var)
        return (E.Index(found, (E.ELLIPSIS,)) if self.in_tuple(var) else found), fresh

    def in_tuple(self, var: str) -> bool:
        """Whether the window of `var` is an item of a tuple, which nothing is assigned to."""
        shared = self.facts.sharing.base.get(var)
        if shared is None or var in self.facts.sharing.addressed:
            return False
        base, site = shared
        kinds = self.facts.kinds
        match self.facts.structure.stmts[site]:
            case S.Load():
                return isinstance(present(kinds.at(site, base)), TupleOf)
            case S.For() as loop:
                value = leaves(loop, kinds)[var].value
                return isinstance(value, E.Index) and isinstance(
                    self.held(value.base, site), TupleOf
                )
            case S.Bind() if self.facts.apps[site].result != "same":
                return False
            case _:
                return self.in_tuple(base)

    def held(self, e: E.Expr, site: int) -> Kind:
        """What is at a place in the containers that the loop `site` runs over."""
        if isinstance(e, E.Name):
            return present(self.facts.kinds.at(site, e.id))
        whole = self.held(e.base, site) if isinstance(e, E.Index) else UNKNOWN
        match whole, e:
            case TupleOf(items=items), E.Index(items=(E.Const(value=int() as n),)):
                return present(items[n])
            case ListOf(item=item), _:
                return present(item)
            case _:
                return UNKNOWN

    def element_of(self, leaf: Leaf, site: int, whole: E.Expr) -> E.Expr:
        """What a target of the loop `site` is in `whole`, as it is in what is iterated over."""
        assert leaf.value is not None and leaf.source is not None
        others = names_in(leaf.value) - {leaf.source}
        by = {
            n: self.residuals.expression(E.Name(n), site, contents=False) for n in sorted(others)
        }
        return substitute(leaf.value, {**by, leaf.source: whole})

    def _view_of(self, s: S.Bind, app: Application, inner: E.Expr) -> E.Expr:
        of = app.source
        assert isinstance(of, E.Name)
        if app.result == "same":
            return inner
        read = sorted(names_in(s.value) - {of.id})
        others = {n: self.residuals.reference(n, s.site) for n in read}
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
        s = self.current
        assert s is not None
        adj = None if var in self.facts.sharing.base else self.found_at(s, var)
        here = self.facts.kinds.bounds(s.site).get(var)  # elsewhere it may get a complex number
        return adj if adj is None or here is None else A.of_real(adj, present(here))

    def found_at(self, s: S.Stmt, var: str) -> Adjoint | None:
        """The same, as it is where the variable gets other values, too."""
        kind = self.var_kind(var)
        if var in self.facts.sharing.through and isinstance(kind, Container):
            return self.found(var) if isinstance(s, S.Invoke) or self.returned_in(s) else None
        if var in self.facts.sharing.through and isinstance(s, S.Invoke):
            self.spread_rest(var)
            return self.found(var)
        if var not in self.facts.sharing.addressed:
            return self.state.pop(var, None)
        if isinstance(kind, Container):
            return self.found(var) if makes_leaf(s) or self.returned_in(s) else None
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
        if or_none(kind) and not isinstance(self.facts.kinds.bounds(s.site).get(var), Array):
            assert isinstance(place, E.Index)
            part = E.Call(E.Attribute(memory, "part"), place.items)
            self.assign(var, Adjoint(part, kind, True, whole=True))
            return self.state.pop(var)
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

    def spread_rest(self, var: str) -> None:
        """What a tuple got as a whole, from name to name, goes to what is in it."""
        if var in self.state:
            self.spread(var, self.state.pop(var).expr, result=True)

    def may_be_none(self, var: str) -> bool:
        """Whether a variable whose adjoint is found by address may be None where the statement that
        is reversed stands."""
        assert self.current is not None
        if var not in self.facts.sharing.addressed or not or_none(self.var_kind(var)):
            return False
        return not isinstance(self.facts.kinds.at(self.current.site, var), Array)

    def returned_in(self, s: S.Stmt) -> bool:
        """Whether a statement takes containers out of a tuple that a function has returned, and in
        which nothing shares memory: such a tuple has an adjoint of its own, unlike one that is made
        of variables."""
        of = s.source if isinstance(s, S.Unpack) else s.base if isinstance(s, S.Load) else None
        is_tuple = of is not None and isinstance(present(self.var_kind(of)), TupleOf)
        return is_tuple and of not in self.facts.sharing.through

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

    # -- accumulating --------------------------------------------------------------------------

    def add(self, var: str, adj: Adjoint) -> None:
        """Add a contribution to the adjoint of `var`."""
        adj = A.of_real(adj, self.var_kind(var))
        sharing = self.facts.sharing
        held = var in sharing.through and isinstance(self.var_kind(var), Container)
        if held or var in sharing.records:
            if self.facts.activity.active(var):
                key = self.hold(adj)
                self.before_write(self.memory_name, key)
                self.spread(var, simplify(self.release(key).expr), result=False)
            return
        if self.facts.sharing.shares(var):
            key = self.hold(adj)
            target, fresh = self.target(var)
            self.before_write(self.root_name(var), key)
            value = simplify(self.release(key).expr)
            if isinstance(self.var_kind(var), DictOf):
                merge = E.Ref("merge", runtime.merge)
                self.emit(C.Do(E.Call(merge, (target, value)), self.note))
            elif isinstance(self.var_kind(var), ListOf):
                add_from = E.Ref("add_from", runtime.add_from)
                self.emit(C.Do(E.Call(add_from, (target, E.Const(0), value)), self.note))
            elif isinstance(target, E.Index) and self.may_be_none(var):
                spread = E.Ref("spread_at", runtime.spread_at)
                given = (E.Name(self.memory_name), *target.items, value)
                self.emit(C.Do(E.Call(spread, given), self.note))
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
            spelled = isinstance(now.expr, E.Sequence) and isinstance(adj.expr, E.Sequence)
            if self.facts.kinds.may_be_none(var) and not spelled:
                self.assign(var, Adjoint(A.added(now.expr, adj.expr), kind, False, whole=True))
                return
            total = tuple_adjoints.plus(kind, now.expr, adj.expr)
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
