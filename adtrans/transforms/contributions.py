"""What the adjoint of a result adds to the adjoints of the operands: the formulas of the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from adtrans import runtime
from adtrans.analyses.apply import Application, Operand
from adtrans.analyses.needed import formulas
from adtrans.analyses.needs import contents_in
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Kind, Known, Scalar, Unknown, present
from adtrans.ir.walk import names_in, rebuild
from adtrans.rules.complexes import is_complex
from adtrans.transforms import adjoints as A
from adtrans.transforms.adjoints import Adjoint
from adtrans.transforms.fresh import is_fresh
from adtrans.transforms.list_adjoints import ListAdjoints
from adtrans.transforms.simplify import simplify


@dataclass
class Contributions(ListAdjoints):
    """Formulas over the names of the pullback, in the shapes of the operands."""

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
        if not adj.spans(result):
            shape = self.shape(result_var, True)
            spread = E.Call(E.Ref("np.broadcast_to", np.broadcast_to), (adj.expr, shape))
            adj = replace(adj, expr=spread, kind=result, owned=False)
        if isinstance(site_kind, Scalar):
            return Adjoint(self.total(adj.expr), Scalar("float", "float64"), True)
        axes = A.summed_axes(site_kind, result)
        if axes is not None:
            summed = E.Call(E.Ref("np.sum", np.sum), (adj.expr,), axes)
            return Adjoint(summed, site_kind, True, whole=True)
        made = E.Call(E.Ref("unbroadcast", runtime.unbroadcast), (adj.expr, self.shape(var, False)))
        looks = adj.borrows | frozenset(names_in(adj.expr))
        return Adjoint(made, site_kind, False, looks, whole=True)

    def total(self, e: E.Expr) -> E.Expr:
        """The sum over all elements; of a product of two vectors as `a @ b`."""
        if isinstance(e, E.Binary) and e.op == "*":
            a, b = self.kind(e.left), self.kind(e.right)
            if isinstance(a, Array) and a.ndim == 1 and A.same_shape(a, b):
                return E.Binary("@", e.left, e.right)
        return E.Call(E.Ref("np.sum", np.sum), (e,))

    def contribution(
        self, s: S.Bind, app: Application, operand: Operand, var: str, adj: Adjoint, *, alone: bool
    ) -> Adjoint:
        """What the adjoint of the result adds to the adjoint of one operand."""
        facts, site = self.facts, s.site
        alternatives = formulas(app, operand, site, facts.kinds, s.target)
        f = alternatives[facts.needs.choice.get((site, operand), 0)]
        result, operand_kind = self.var_kind(s.target), facts.kinds.at(site, var)
        result = present(facts.kinds.bounds(site).get(s.target, result))
        pointwise = f.elementwise or app.rule.form == "elementwise"
        if not pointwise:
            adj = self.whole(adj, s.target)
        expr = self.instantiate(f.expr, f.values, app, s, adj.expr)
        if expr == adj.expr:
            given = adj if alone else A.shared(adj)
        else:
            kind = self.kind(expr)
            if isinstance(kind, Unknown) and is_complex(operand_kind):
                kind = operand_kind  # so that its real part is taken where a real number was
                kind = replace(kind, dims=None) if isinstance(kind, Array) else kind
            looks = not is_fresh(expr) and not isinstance(kind, Scalar)
            borrows = adj.borrows | frozenset(names_in(expr)) if looks else frozenset()
            given = Adjoint(expr, kind, not looks, borrows)
        if pointwise:
            given = replace(given, whole=adj.spans(result))
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
            for n in sorted(names_in(e)):
                named = self.residuals.reference(n, s.site)
                assert isinstance(named, E.Name)
                self.env[named.id] = self.facts.kinds.at(s.site, n)
            if isinstance(e, E.Ref) and isinstance(got, E.Name):  # a copy of a list from outside
                self.env[got.id] = self.facts.kinds.expr(s.site, e)
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
        for n in sorted(names_in(e)):
            got = self.residuals.expression(E.Name(n), site, contents=n in read)
            assert isinstance(got, E.Name)
            self.env[got.id] = self.facts.kinds.at(site, n)
