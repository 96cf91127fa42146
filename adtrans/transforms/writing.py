"""The state of a pullback under construction: adjoints so far, names, code.

An array that is about to change is copied first for whoever still looks into it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from adtrans.analyses.facts import Facts
from adtrans.analyses.kinds import kind_of_expr
from adtrans.analyses.structure import BlockId
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Kind, Scalar, TupleOf, Unknown
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, names_in
from adtrans.transforms import adjoints as A
from adtrans.transforms import tuple_adjoints
from adtrans.transforms.adjoints import Adjoint, State
from adtrans.transforms.fresh import is_fresh
from adtrans.transforms.nobody import nobody
from adtrans.transforms.residuals import Residuals
from adtrans.transforms.simplify import simplify


class Env(dict[str, Kind]):
    """The kinds of names in generated code, as of now. A name may have several, one after another:
    the adjoint of a variable that is written may be an array, and later a number."""

    def __init__(self) -> None:
        super().__init__()
        self.others: set[str] = set()

    def __setitem__(self, name: str, kind: Kind) -> None:
        super().__setitem__(name, kind)
        if not isinstance(kind, Scalar):
            self.others.add(name)

    def numbers(self) -> set[str]:
        """The names that never meant anything but a number."""
        return {*self} - self.others


@dataclass
class Writing:
    """`state` holds the adjoints at this point, `out` the code so far."""

    facts: Facts
    residuals: Residuals
    names: NameAllocator
    note_for: Callable[[S.Stmt], C.Note]
    seed_name: str = "y_bar"
    env: Env = field(default_factory=Env)
    state: State = field(default_factory=dict)
    out: list[C.Code] = field(default_factory=list)
    pools: dict[str, list[str]] = field(default_factory=dict)
    memory_name: str = "bars"
    note: C.Note | None = None
    current: S.Stmt | None = None

    @cached_property
    def nobody(self) -> str:
        """The name for what nobody reads."""
        return nobody(self.names)

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
            if adj.owned:
                self.lent(expr, name, var)
            self.emit(C.Assign((E.Name(name),), expr, self.note))
        self.env[name] = adj.kind
        self.state[var] = replace(adj, expr=E.Name(name))

    def lent(self, expr: E.Expr, name: str, var: str) -> None:
        """The array that `expr` stands for, which `var` owns, gets another name: whoever looks into
        it looks into that from now on."""
        if isinstance(expr, E.Call) and isinstance(expr.fn, E.Ref) and not is_fresh(expr):
            expr = expr.args[0] if expr.args else expr  # `np.asarray(a_bar)`
        if not isinstance(expr, E.Name):
            return
        for v in A.borrowed(self.state, expr.id):
            if v != var:
                adj = self.state[v]
                self.state[v] = replace(adj, borrows=adj.borrows | {name})

    def before_write(self, name: str, *writers: str) -> None:
        """Save the adjoints that still look into the array `name`, which is about to change."""
        self.save([v for v in A.borrowed(self.state, name) if v not in writers])

    def save(self, lookers: list[str]) -> None:
        """Copy what the adjoints of these variables look into."""
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
            copied = A.copied(adj.expr, adj.kind)
            self.assign(v, Adjoint(copied, adj.kind, not many, whole=adj.whole))
            if many:
                named = self.state[v]
                self.state[v] = replace(named, borrows=frozenset(names_in(named.expr)))

    def saved(self, e: E.Expr, kind: Kind) -> E.Expr:
        """The adjoint of a tuple over copies of its arrays, made here."""
        if e == E.NONE:
            return e
        if isinstance(kind, TupleOf):
            items = (self.saved(tuple_adjoints.part(e, i), k) for i, k in enumerate(kind.items))
            return E.Sequence("tuple", tuple(items))
        name = self.names.fresh("t_bar")
        value = tuple_adjoints.copied(kind, e)
        self.emit(C.Assign((E.Name(name),), simplify(value), self.note))
        self.env[name] = kind
        return E.Name(name)

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
