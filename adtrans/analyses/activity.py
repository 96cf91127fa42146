"""Activity: which values depend on the differentiated inputs and can influence the result.

A variable is *varied* when some definition of it uses a varied value through an operand that
carries a derivative; a memory object is varied when a varied value is written into it. *Useful* is
the same backwards from the results. Active is both (Hascoet, Pascual: the Tapenade approach).
Activity decides what is differentiated; it does not decide what is needed (see `needs`).

>>> nothing: frozenset[Obj] = frozenset()
>>> found = Activity(frozenset("xyt"), frozenset("xyw"), nothing, nothing)
>>> [v for v in "xywt" if found.active(v)]
['x', 'y']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from adtrans.analyses.abstract import Obj
from adtrans.analyses.apply import Application
from adtrans.analyses.effects import Summary
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.loops import leaves
from adtrans.analyses.points_to import Memory, elements_in, origins
from adtrans.analyses.writes import actuals
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import is_differentiable
from adtrans.ir.walk import binds_of, reads_of, statements

Reached = tuple[frozenset[str], frozenset[Obj]]


@dataclass(frozen=True, slots=True)
class Activity:
    """The sets of varied and of useful variables and objects."""

    varied: frozenset[str]
    useful: frozenset[str]
    varied_objects: frozenset[Obj]
    useful_objects: frozenset[Obj]

    def active(self, e: E.Expr | str) -> bool:
        """Whether an atom or variable carries a derivative that is asked for."""
        name = e if isinstance(e, str) else e.id if isinstance(e, E.Name) else None
        return name is not None and name in self.varied and name in self.useful

    def touches(self, block: S.Block) -> bool:
        """Whether a derivative goes through any statement of a block."""
        return any(self.active(v) for t in statements(block) for v in (*binds_of(t), *reads_of(t)))


def values_in(e: E.Expr) -> set[str]:
    """The variables whose values, not only sizes, an index depends on."""
    match e:
        case E.Attribute(attr="shape" | "size" | "ndim") | E.Call(fn=E.Ref(text="len")):
            return set()
        case E.Name():
            return {e.id}
        case E.Verbatim():
            return set(e.reads)
        case _:
            return {n for c in E.children(e) for n in values_in(c)}


def constant_items(
    fn: S.Function, summaries: Mapping[int, Summary]
) -> Mapping[int, frozenset[str]]:
    """For each statement that takes the result of a call apart the variables that get what does not
    depend on its arguments."""
    binders: dict[str, list[S.Stmt]] = {}
    for s in statements(fn.body):
        for v in binds_of(s):
            binders.setdefault(v, []).append(s)
    for p in fn.params:
        binders.pop(p.name, None)  # it may still be what the caller gave
    found: dict[int, frozenset[str]] = {}
    for s in statements(fn.body):
        made = binders.get(s.source, []) if isinstance(s, S.Unpack) and s.star is None else []
        summary = summaries.get(made[0].site) if len(made) == 1 else None
        if isinstance(s, S.Unpack) and summary is not None and isinstance(made[0], S.Invoke):
            constant = {s.targets[i] for i in summary.constant if i < len(s.targets)}
            varying = {t for i, t in enumerate(s.targets) if i not in summary.constant}
            found[s.site] = frozenset(constant - varying)
    return found


def flows(
    s: S.Stmt,
    apps: Mapping[int, Application],
    summaries: Mapping[int, Summary],
    constant: Mapping[int, frozenset[str]] = MappingProxyType({}),
) -> tuple[list[E.Expr], list[str]]:
    """(operands that carry a derivative, variables that receive it) of one statement.

    A `Store` or in-place `Update` counts as receiving into its base. `constant`: see
    `constant_items`.
    """
    match s:
        case S.Bind():
            app = apps.get(s.site)
            if app is not None:
                # An operand that should have a derivative but has none is refused where it is
                # active, so its result must not pass for a constant.
                undefined = (e for p, e in app.inert() if not app.rule.ignores(p))
                own = [e for e in map(app.bound.__getitem__, app.writes) if isinstance(e, E.Name)]
                carried: list[E.Expr] = [*(e for _, e in app.operands()), *undefined, *own]
                inside = [E.Name(n) for e in carried for n in sorted(values_in(e))]
                changed = [e.id for e in own] or [s.target]
                return [*(e for e in carried if E.is_atom(e)), *inside], changed
            if isinstance(s.value, E.Sequence):
                return list(s.value.items), [s.target]
            if isinstance(s.value, E.Verbatim):
                return [E.Name(r) for r in s.value.reads], [s.target]
            parts = list(E.children(s.value)) or [s.value]
            nested = {n for p in parts if not E.is_atom(p) for n in values_in(p)}
            return [*parts, *(E.Name(n) for n in sorted(nested))], [s.target]
        case S.Load():
            # A float among the items is no index of an array: some object makes a value of it.
            indices = (E.Name(n) for i in s.items for n in sorted(values_in(i)))
            return [E.Name(s.base), *indices], [s.target]
        case S.Store():
            return [s.value], [s.base]
        case S.Update():
            return [s.value, E.Name(s.base)], [s.base]
        case S.Alias():
            return [E.Name(s.source)], [s.target]
        case S.Unpack():
            left_out = constant.get(s.site, frozenset())
            return [E.Name(s.source)], [t for t in s.targets if t not in left_out]
        case S.Pack():
            return list(s.items), [s.target]
        case S.Invoke():
            targets = [] if s.target is None else [s.target]
            summary = summaries.get(s.site)
            if summary is None:
                args: list[E.Expr] = [*s.args, *(v for _, v in s.kwargs)]
                return args, targets + [a.id for a in args if isinstance(a, E.Name)]
            given = actuals(s, summary)
            into = [a.id for p, a in given.items() if p in summary.finals and isinstance(a, E.Name)]
            receiving = (targets if summary.result_active else []) + into
            operands: list[E.Expr] = [a for p, a in given.items() if p in summary.active]
            return operands, receiving
        case S.Edit():
            base = E.Name(s.base)
            if s.op == "pop":
                return [base], [s.target or ""]
            if s.op in S.CHANGES:
                return list(s.args), [s.base]
            if s.op in S.ORDER:
                return [], []
            return [base, *s.args], [s.target or ""]
        case S.For():
            return [E.Name(n) for n in elements_in(s.iter)], list(binds_of(s))
        case S.Keep():
            return [E.Name(r) for r in s.reads], list(s.binds)
        case S.With():
            return [E.Name(n) for n in sorted(reads_of(s))], list(binds_of(s))
        case S.If() | S.While() | S.Return() | S.Break() | S.Continue() | S.Try() | S.Onward():
            return [], []
        case S.SetAttr():  # its value is followed in a variable
            return [], []


def header_flows(s: S.For, kinds: Kinds) -> Iterator[tuple[list[E.Expr], list[str]]]:
    """For each target of a loop what it is an element of."""
    known = leaves(s, kinds)
    for var, parts in origins(s.target, s.iter):
        leaf = known.get(var)
        sources = parts if leaf is None else [leaf.source or ""]
        yield [E.Name(n) for n in sources], [var]


class Carrying:
    """Where the statements of a function carry derivatives, forwards and backwards. Objects link
    the variables that may refer to them: what is written through one is read by all."""

    def __init__(
        self,
        fn: S.Function,
        kinds: Kinds,
        apps: Mapping[int, Application],
        mem: Memory,
        summaries: Mapping[int, Summary],
    ) -> None:
        constant = constant_items(fn, summaries)
        self._links = [
            ({e.id for e in sources if isinstance(e, E.Name)}, set(targets))
            for s in statements(fn.body)
            for sources, targets in (
                header_flows(s, kinds)
                if isinstance(s, S.For)
                else [flows(s, apps, summaries, constant)]
            )
        ]
        self._written = mem.written
        held = ((v, objs & self._written) for v, objs in mem.points_to.items())
        self._held = {v: objs for v, objs in held if objs}
        self._carries = cache(lambda var: is_differentiable(kinds.var(var)))

    def forwards(self, seeds: Iterable[str]) -> Reached:
        """The variables and objects that depend on the variables `seeds`."""
        return self._closure(seeds, self._links)

    def backwards(self, seeds: Iterable[str]) -> Reached:
        """Those that the variables `seeds` depend on."""
        return self._closure(seeds, [(targets, names) for names, targets in self._links])

    def _closure(self, seeds: Iterable[str], links: Iterable[tuple[set[str], set[str]]]) -> Reached:
        carries, held = self._carries, self._held
        variables = {v for v in seeds if carries(v)}
        objects: set[Obj] = set()
        while True:
            before = (len(variables), len(objects))
            for v in variables & held.keys():
                objects |= held[v]
            objects |= {type(o)(o.form, o.key, not o.old) for o in objects} & self._written
            variables |= {v for v, objs in held.items() if objs & objects and carries(v)}
            for start, end in links:
                if start & variables:
                    variables |= {v for v in end if carries(v)}
            if before == (len(variables), len(objects)):
                return frozenset(variables), frozenset(objects)
