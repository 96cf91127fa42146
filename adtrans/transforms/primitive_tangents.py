"""The tangents of primitives: what each operand contributes, and updates in place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from adtrans import runtime
from adtrans.analyses.abstract import NOTHING, Obj, Objects
from adtrans.analyses.apply import Application
from adtrans.analyses.checking_calls import is_generated_anyway
from adtrans.analyses.facts import Facts
from adtrans.analyses.reality import Doubt, doubts
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    Array,
    Container,
    Instance,
    Kind,
    Known,
    ListOf,
    Maybe,
    Mixed,
    Scalar,
    TupleOf,
    Unknown,
    is_differentiable,
    present,
)
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, names_in, reads_of, statements, substitute, walk
from adtrans.rules.complexes import MOVES, is_complex
from adtrans.transforms import push_lists, tuple_adjoints
from adtrans.transforms.adjoints import same_shape
from adtrans.transforms.forward import Forward
from adtrans.transforms.fresh import is_fresh
from adtrans.transforms.primal_statements import scatter
from adtrans.transforms.simplify import simplify


@dataclass
class Tangents:
    """The part of a pushforward that applies rules."""

    facts: Facts
    names: NameAllocator
    primal: Forward
    dots: dict[str, str] = field(default_factory=dict)
    guarded: int = 0  # the `try` statements around, whose handlers see what was done before
    doubtful: tuple[Doubt, ...] = field(init=False)
    handed_out: Objects = field(init=False)  # what a caller may write when it has called this
    along: frozenset[str] = field(init=False)  # have tangents because callers may write them
    beside: frozenset[str] = field(init=False)  # born without tangents, and may share memory
    by_memory: str = ""  # the tangents of what these share, by addresses

    def __post_init__(self) -> None:
        self.doubtful = doubts(self.facts)
        self.handed_out = NOTHING
        if self.facts.inner:
            self.handed_out = NOTHING.union(
                *(
                    self.facts.memory.objects(v, s.site)
                    for s in statements(self.facts.fn.body)
                    if isinstance(s, S.Return)
                    for v in (*reads_of(s), *self.facts.finals)
                )
            )
        self.beside = self.along = frozenset()
        self.along = self.with_lent()
        self.beside = self.sharing()

    def sharing(self) -> frozenset[str]:
        """The variables whose tangents begin as zeros, beside others of the same memory.

        Two lists out of a call may be one, whatever is in them; a list of numbers that is the only
        one shares nothing.
        """
        born: dict[str, Objects] = {}
        holding: set[str] = set()
        thin: dict[str, int] = {}
        for s in statements(self.facts.fn.body):
            for v in self.unborn(s):
                kind = present(self.facts.kinds.var(v))
                if not isinstance(kind, Scalar | Known):
                    objects = self.facts.memory.objects(v)
                    born[v] = frozenset(replace(o, old=False) for o in objects)
                    if isinstance(kind, Array) or isinstance(s, S.Pack):
                        continue
                    if holds_memory(kind) or v in thin or self.facts.definitions.loops[s.site]:
                        holding.add(v)
                    thin[v] = s.site
        if len(holding | thin.keys()) > 1:
            holding |= thin.keys()
        apart = [v for v in born if not any(born[v] & born[w] for w in born if w != v)]
        return frozenset(v for v in born if v not in apart or v in holding)

    def with_lent(self) -> frozenset[str]:
        """Variables of memory that is handed on more than once with a tangent: it must be one.

        A list that may hold such memory is handed on with it, and what is in a loop more than once.
        """
        seen: set[tuple[str, str]] = set()
        shared: set[tuple[str, str]] = set()
        for s in statements(self.facts.fn.body):
            for v in self.lent(s):
                kind = present(self.facts.kinds.var(v))
                own = {(o.form, o.key) for o in self.facts.memory.objects(v)}
                again = bool(self.facts.definitions.loops[s.site])
                again |= not isinstance(kind, Array) and holds_memory(kind)
                shared |= own if again else own & seen
                seen |= own
        if not shared:
            return frozenset()
        of = self.facts.memory.objects
        names = {v for s in statements(self.facts.fn.body) for v in (*binds_of(s), *reads_of(s))}
        held = (v for v in names if _may_vary(present(self.facts.kinds.var(v))))
        return frozenset(v for v in held if not shared.isdisjoint((o.form, o.key) for o in of(v)))

    def unborn(self, s: S.Stmt) -> list[str]:
        """What a statement binds of what carries no tangent, though the variable has one."""
        match s:
            case S.Load(base=source) | S.Alias(source=source) | S.Unpack(source=source):
                return [] if self.carries(source) else list(filter(self.carries, binds_of(s)))
            case S.Bind() if not any(map(self.carries, reads_of(s))):
                return list(filter(self.carries, binds_of(s)))
            case S.Invoke() if not self.pushes(s):
                return list(filter(self.carries, binds_of(s)))
            case S.Keep():
                return list(filter(self.carries, binds_of(s)))
            case _:
                return []

    def lent(self, s: S.Stmt) -> list[str]:
        """What carries no tangent here and is handed on with one, to somebody who may write it."""
        given: tuple[E.Expr, ...]
        match s:
            case S.Return():
                given = s.values
            case S.Pack():
                given = s.items
            case S.Edit():
                given = push_lists.put_in(s)
            case S.Store():
                given = (s.value,)
            case S.Invoke() if self.pushes(s):
                given = (*s.args, *(v for _, v in s.kwargs))
            case _:
                return []
        names = (e.id for e in given if isinstance(e, E.Name) and not self.carries(e))
        return [v for v in names if self.is_lent(v)]

    def is_lent(self, var: str) -> bool:
        """Whether callers may write what a variable holds, and ask for its tangent."""
        kind = present(self.facts.kinds.var(var))
        return _may_vary(kind) and _meet(self.facts.memory.objects(var), self.handed_out)

    def pushes(self, s: S.Invoke) -> bool:
        """Whether a call becomes one of the callee's pushforward."""
        if s.site not in self.facts.units:
            return False
        if is_generated_anyway(s, self.facts):
            return True
        summary = self.facts.units[s.site].summary
        return bool(summary.active) and (summary.result_active or bool(summary.finals))

    def dot(self, var: str) -> E.Name:
        """The tangent of a variable."""
        name = self.facts.fn.source_name(var)
        if name not in self.dots:
            self.dots[name] = self.names.fresh(f"{name}_dot")
        return E.Name(self.dots[name])

    def carries(self, e: E.Expr | str) -> bool:
        """Whether a variable has a tangent."""
        name = e if isinstance(e, str) else e.id if isinstance(e, E.Name) else None
        act = self.facts.activity
        if name is None or name not in act.varied:
            return name in self.along
        # What nothing is known of has no tangent; it is refused where somebody wants one.
        return name in act.useful or not isinstance(self.facts.kinds.var(name), Unknown)

    def zero_of(self, var: str) -> E.Expr:
        """A zero tangent for the value that `var` has now."""
        return self.zero_like(var, E.Name(self.primal.printed_name(var)))

    def zero_like(self, var: str, value: E.Expr) -> E.Expr:
        """A zero tangent for a variable that is about to be bound to `value`."""
        if value == E.NONE:
            return value
        if var in self.beside:
            self.by_memory = self.by_memory or self.names.fresh("made")
            given = (value, E.Name(self.by_memory))
            return E.Call(E.Ref("zeros_beside", runtime.zeros_beside), given)
        if self.facts.kinds.may_be_none(var):
            return E.Call(E.Ref("zeros_of", runtime.zeros_of), (value,))
        return zero(self.facts.kinds.var(var), value)

    def tangent(self, e: E.Expr) -> E.Expr:
        """The tangent of an atom, zero where it carries none."""
        return self.dot(e.id) if isinstance(e, E.Name) and self.carries(e) else E.Const(0.0)

    def spread(self, s: S.Store) -> E.Expr:
        """The tangent of what is stored."""
        if isinstance(self.facts.kinds.at(s.site, s.base), Container):
            return push_lists.item(self, s.value)
        return self.tangent(s.value)

    def index(self, base: str, items: tuple[E.Expr, ...]) -> E.Expr:
        return E.Index(self.dot(base), items)

    def bind(self, s: S.Bind, app: Application) -> Iterator[C.Code]:
        """A primitive: the primal value, then the sum of what the operands contribute."""
        found = [self.contribution(s, app, o, e) for o, e in app.operands() if self.carries(e)]
        parts = [(part, values) for part, values, _ in found]
        total: E.Expr | None = None
        of_user = app.rule.custom is not None
        several = of_user and isinstance(self.facts.kinds.bound(s.site), TupleOf | Container)
        for part, _ in parts:
            if total is None:
                total = part
            elif several:
                total = E.Call(E.Ref("plus", runtime.plus), (total, part))
            else:
                total = app.rule.added(total, part, app.bound)
        alike = len(parts) == 2 and parts[0][0] == parts[1][0]
        if alike and not app.rule.gives_tuple(app.bound):
            total = E.Binary("*", E.Const(2.0), parts[0][0])  # as from `u * u`
        own = E.Name(self.primal.printed_name(s.target))
        new = own.id + "#new"
        if total is None:
            yield from self.primal.flat(s)
            yield C.Assign((self.dot(s.target),), self.zero_of(s.target))
            return
        kinds = self.facts.kinds
        result = present(kinds.bounds(s.site).get(s.target, kinds.var(s.target)))
        if app.rule.form == "elementwise" or all(thin for _, _, thin in found):
            total = self.widened(simplify(total), parts, result, s)
        else:
            total = simplify(total)
        total = self.as_complex(total, result, app, s)
        total = self.apart(total, app, s)
        reads_old = own.id in names_in(total)
        if not reads_old:
            yield from self.primal.flat(s)
            yield self.apart_from_primal((self.dot(s.target),), substitute(total, {new: own}))
        elif new not in names_in(total) and not self.guarded:
            yield C.Assign((self.dot(s.target),), total)
            yield from self.primal.flat(s)
        else:
            fresh = E.Name(self.names.fresh("t"))
            yield C.Assign((fresh,), self.primal.printed(s.value))
            yield self.apart_from_primal((self.dot(s.target),), substitute(total, {new: fresh}))
            yield C.Assign((own,), fresh)

    def apart_from_primal(self, targets: tuple[E.Expr, ...], total: E.Expr) -> C.Code:
        """A tangent statement; what may go wrong in it is kept from the handlers of the primal."""
        statement = C.Assign(targets, total)
        if self.guarded and any(
            isinstance(e, E.Call) or (isinstance(e, E.Binary) and e.op not in ("+", "-", "*"))
            for e in walk(total)
        ):
            manager = E.Call(E.Ref("derivative", runtime.derivative), ())
            return C.Within(manager, None, (statement,))
        return statement

    def as_complex(self, total: E.Expr, result: Kind, app: Application, s: S.Bind) -> E.Expr:
        """The tangent of complex numbers that are moved or added out of real ones: complex, too, as
        complex numbers may be written into an array of them, and its `.imag` is a view."""
        if not is_complex(result):
            return total
        if app.rule.spelling not in MOVES or app.bound.get("dtype", E.NONE) != E.NONE:
            return total
        kinds = self.facts.kinds
        if any(is_complex(kinds.expr(s.site, e)) for _, e in app.operands() if self.carries(e)):
            return total
        return E.Binary("+", total, E.Const(0j))

    def apart(self, total: E.Expr, app: Application, s: S.Bind) -> E.Expr:
        """The tangent of a new array in its own memory, where any of this is written in place."""
        mem = self.facts.memory
        if app.result != "fresh" or is_fresh(total):
            return total
        number = isinstance(self.facts.kinds.var(s.target), Scalar)
        if number and all(
            isinstance(self.facts.kinds.expr(s.site, e), Scalar)
            for _, e in app.operands()
            if self.carries(e)
        ):
            return total
        made, read = self.made(s), NOTHING.union(*(mem.of(e) for _, e in app.operands()))
        shared = made | read
        if not _meet(shared, mem.written) and not (
            _meet(made, self.handed_out) and self.outlives(read)
        ):
            return total
        several = isinstance(self.facts.kinds.bound(s.site), TupleOf | Container)
        if several or app.rule.gives_tuple(app.bound):
            return E.Call(E.Ref("duplicate", runtime.duplicate), (total,))
        if number:  # of an array without axes, as `y * 1.0` is
            return E.Call(E.Ref("copy_of", runtime.copy_of), (total,))
        return E.Call(E.Ref("np.copy", np.copy), (total,))

    def made(self, s: S.Bind) -> Objects:
        """What a statement makes: an array, or a tuple with the arrays that are taken out of it."""
        stmts = statements(self.facts.fn.body)
        parts = (t for t in stmts if isinstance(t, S.Unpack) and t.source == s.target)
        of = self.facts.memory.objects
        return of(s.target).union(*(of(v) for t in parts for v in t.targets))

    def outlives(self, objects: Objects) -> bool:
        """Whether some of these can still be written when the function has returned."""
        return any(o.form != "site" for o in objects) or _meet(objects, self.handed_out)

    def widened(
        self, total: E.Expr, parts: list[tuple[E.Expr, frozenset[str]]], result: Kind, s: S.Bind
    ) -> E.Expr:
        """A tangent whose operands are smaller than the result, in full."""
        app = self.facts.apps[s.site]
        if not isinstance(result, Array | Unknown):
            return total
        maybe = app.result == "maybe_same" and app.rule.form != "elementwise"
        maybe |= isinstance(result, Unknown) and not app.rule.gives_tuple(app.bound)
        if app.result != "fresh" and not maybe:  # in the operand's memory nothing is broadcast
            return total
        for _, e in app.operands():
            if self.carries(e) and same_shape(self.facts.kinds.expr(s.site, e), result):
                return total
        if any("y" in values for _, values in parts):
            return total
        own = E.Name(self.primal.printed_name(s.target) + "#new")
        if maybe:
            return E.Call(E.Ref("as_wide_as", runtime.as_wide_as), (total, own))
        return E.Binary("+", total, E.Call(E.Ref("np.zeros_like", np.zeros_like), (own,)))

    def contribution(
        self, s: S.Bind, app: Application, operand: object, e: E.Expr
    ) -> tuple[E.Expr, frozenset[str], bool]:
        kinds = self.facts.kinds
        given = app.kinds(lambda x: kinds.expr(s.site, x))
        given["y"] = present(kinds.bounds(s.site).get(s.target, kinds.var(s.target)))
        f = app.rule.pushforward(operand, app.bound, given)  # type: ignore[arg-type]  # a name or (name, number)
        by: dict[str, E.Expr] = {"y": E.Name(self.primal.printed_name(s.target) + "#new")}
        for n in names_in(f.expr):
            if n == "dot" or n == dot_name(operand):
                by[n] = self.tangent(e)
            elif n.endswith("_dot") and n[:-4] in app.bound:
                by[n] = self.tangent(app.bound[n[:-4]])
            elif n in app.bound:
                by[n] = self.primal.printed(app.bound[n])
        values = f.values | (frozenset({"y"}) if "y" in names_in(f.expr) else frozenset())
        return simplify(substitute(f.expr, by)), values, f.thin

    def update(self, s: S.Update) -> Iterator[C.Code]:
        """`base op= value` in place, before the primal."""
        p = self.primal
        if s.op.endswith("at"):
            if self.carries(s.value):
                yield C.Do(scatter(self.dot(s.base), s, p.printed, self.tangent(s.value)))
            return
        target = (
            self.dot(s.base)
            if s.items in (None, (E.ELLIPSIS,))
            else self.index(s.base, s.items or ())
        )
        target = p.printed(target)
        value, dot = p.printed(s.value), self.tangent(s.value)
        if s.op in "+-":
            if dot != E.Const(0.0):
                yield C.AugAssign(target, s.op, dot)
            return
        old: E.Expr = (
            E.Name(s.base) if s.items in (None, (E.ELLIPSIS,)) else E.Index(E.Name(s.base), s.items)
        )
        old = p.printed(old)
        if dot == E.Const(0.0):
            yield C.AugAssign(target, s.op, value)
            return
        place = E.Index(target, (E.ELLIPSIS,)) if isinstance(target, E.Name) else target
        scaled = E.Binary(s.op, target, value)
        if s.op == "*":
            new = E.Binary("+", scaled, E.Binary("*", old, dot))
        else:
            lost = E.Binary("/", E.Binary("*", old, dot), E.Binary("*", value, value))
            new = E.Binary("-", scaled, lost)
        yield C.Assign((place,), new)  # at once: operand and target may overlap


def _meet(a: Iterable[Obj], b: Iterable[Obj]) -> bool:
    """Whether some object is in both, in whatever iteration it was made."""
    return bool({(o.form, o.key) for o in a} & {(o.form, o.key) for o in b})


def _may_vary(kind: Kind) -> bool:
    """Whether something is memory that may get values with a derivative."""
    if isinstance(kind, Container):  # also an empty one
        return True
    return isinstance(kind, Array | TupleOf | Mixed) and is_differentiable(kind)


def dot_name(operand: object) -> str:
    return f"{operand}_dot" if isinstance(operand, str) else f"{operand[0]}[{operand[1]}]_dot"  # type: ignore[index]  # (name, number)


def holds_memory(kind: Kind) -> bool:
    """Whether something that is no array may hold one, or several lists that may be one.

    >>> from adtrans.ir.kinds import PY_FLOAT
    >>> holds_memory(ListOf(PY_FLOAT)), holds_memory(ListOf(Array("float64", 1)))
    (False, True)
    """
    if isinstance(kind, TupleOf):
        several = sum(isinstance(k, Container | TupleOf) for k in kind.items) > 1
        return several or any(isinstance(k, Array) or holds_memory(k) for k in kind.items)
    if isinstance(kind, Container):
        return not isinstance(kind.item, Scalar | Known)
    return not isinstance(kind, Array)


def _is_plain_item(kind: Kind) -> bool:
    """Whether all items of a list have the same zero tangent, which needs no memory."""
    handle = isinstance(kind, Instance) and not is_differentiable(kind)
    return handle or isinstance(kind, Scalar)


def zero(kind: Kind, value: E.Expr) -> E.Expr:
    """A zero tangent for `value`, in its own memory.

    >>> from adtrans.ir.kinds import PY_FLOAT
    >>> print(zero(TupleOf((PY_FLOAT, Array("float64", None))), E.Name("t")))
    (0.0, np.zeros_like(t[1]))
    """
    if isinstance(kind, TupleOf):
        items = (zero(k, tuple_adjoints.part(value, i)) for i, k in enumerate(kind.items))
        return E.Sequence("tuple", tuple(items))
    if isinstance(kind, Scalar):
        return E.Const(0.0)
    if isinstance(kind, Known | Instance) and not is_differentiable(kind):
        return E.NONE
    if isinstance(kind, ListOf) and _is_plain_item(kind.item):
        one = E.Sequence("list", (zero(kind.item, value),))
        return E.Binary("*", one, E.Call(E.Ref("len", len), (value,)))
    if isinstance(kind, Container | Mixed | Maybe):
        return E.Call(E.Ref("zeros_of", runtime.zeros_of), (value,))
    return E.Call(E.Ref("np.zeros_like", np.zeros_like), (value,))
