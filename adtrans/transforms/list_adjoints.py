"""The adjoints of lists: which list they belong to, and how long they are."""

from __future__ import annotations

from dataclasses import dataclass

from adtrans import runtime
from adtrans.analyses.nested import address
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.diagnostics.errors import CompileError
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import UNKNOWN, Container, DictOf, Kind, ListOf, Maybe, Scalar
from adtrans.transforms import adjoints as A
from adtrans.transforms.adjoints import Adjoint
from adtrans.transforms.tuple_adjoints import may_be_frozen
from adtrans.transforms.writing import Writing


@dataclass
class ListAdjoints(Writing):
    """Adjoints that are found by identity, and zeros for lists."""

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
        note = address(var, self.facts.sharing.held(var, self.var_kind(var)))
        hint = f"{self.facts.fn.source_name(var)}_at"
        return self.residuals.kept(hint, note, self.current.site, after=result)

    def zeros_of_list(self, var: str, site: int, result: bool) -> E.Expr:
        """A zero adjoint for a list, of the length that it has there, or for a dictionary."""
        if isinstance(self.var_kind(var), DictOf):
            return E.Sequence("dict", ())  # what is not there is zero
        site, result = self.where_as_long(var, site, result)
        kind = self.var_kind(var)
        item = kind.item if isinstance(kind, ListOf) else kind
        later = self.facts.inner or self._changed_elsewhere(var)
        if self.facts.kinds.may_be_none(var):
            if not later:
                return self.zeros(self.residuals.reference(var, site, result=result), kind)
            now = E.Call(E.Ref("zeros_of", runtime.zeros_of), (E.Name(var),))
            return self.zeros(self.residuals.kept("zeros", now, site, after=result), kind)
        flat = isinstance(kind, ListOf) and isinstance(item, Scalar | Maybe)
        if later:  # the caller, a call or another name may change the list behind this place
            what, keep = ("n", "len") if flat else (self.facts.fn.source_name(var), "list")
            there: E.Expr = E.Name(var)
            if self.residuals.lacks_value(var):  # where it is not bound yet, any length will do
                there = E.BoolOp("or", (there, E.Sequence("tuple", ())))
            call = E.Call(E.Ref(keep, {"len": len, "list": list}[keep]), (there,))
            whole = self.residuals.kept(what, call, site, after=result)
        else:
            whole = self.residuals.reference(var, site, result=result)
        if flat:
            length = whole if later else E.Call(E.Ref("len", len), (whole,))
            return E.Binary("*", E.Sequence("list", (A.zero(item),)), length)
        if var in {p.name for p in self.facts.fn.params}:
            made = self.thawed(whole, kind) if may_be_frozen(kind) else whole
            return E.Call(E.Ref("zeros_of", runtime.zeros_of), (made,))
        return self.zeros(whole, kind)

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

    def zeros(self, value: E.Expr, kind: Kind = UNKNOWN) -> E.Expr:
        """Zero adjoints for what a list holds: lists also for what was made a tuple of a list."""
        return E.Call(E.Ref("zeros_of", runtime.zeros_of), (self.thawed(value, kind),))

    def thawed(self, value: E.Expr, kind: Kind = UNKNOWN) -> E.Expr:
        """The adjoint of a list that may have been made a tuple, here or elsewhere, as a list."""
        stmts = self.facts.structure.stmts.values()
        frozen_here = any(isinstance(s, S.Edit) and s.op == "freeze" for s in stmts)
        if frozen_here or may_be_frozen(kind):
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


def _resized(s: S.Stmt, name: str) -> Diagnostic:
    return Diagnostic(
        "AD207",
        f"the list `{name}` cannot be followed here",
        Label(s.span, "its length may change here, under another name"),
        why=f"by then `{name}` means something else, so that the length cannot be kept",
        fixes=[Fix(f"use another name for what `{name}` means afterwards")],
    )
