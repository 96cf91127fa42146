"""The functions of one compilation: the one asked for and all that it calls.

A callee is analysed on its own, for the kinds and the activity of the arguments at its calls, and
its summary is to the caller what a rule is for a primitive. Recursion starts from an empty summary
and repeats until nothing changes.

>>> from adtrans.ir.kinds import PY_FLOAT, Scalar
>>> def power(x, n: int):
...     return 1.0 if n == 0 else x * power(x, n - 1)
>>> program = Program(Options(), NameAllocator())
>>> found = program.member(power, Question({"x": PY_FLOAT, "n": Scalar("int")}, ("x",)))
>>> print(found.unit.summary.result, found.unit.summary.result_active)
float True
"""

from __future__ import annotations

import inspect
import types
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from types import MappingProxyType

from adtrans.analyses.analyse import (
    KindsOf,
    Question,
    asked_once,
    can_be_decided,
    prepared,
)
from adtrans.analyses.apply import Application
from adtrans.analyses.behind import (
    final_contents_of,
    function_behind,
    in_formulas,
    is_constant,
    is_unread,
    leads_elsewhere,
)
from adtrans.analyses.decided import is_exposed
from adtrans.analyses.effects import Summary
from adtrans.analyses.facts import Facts, Unit
from adtrans.analyses.kept import kept_defaults
from adtrans.analyses.kinds import Kinds, kind_of_default
from adtrans.analyses.kinds.expression_kinds import method_of
from adtrans.analyses.kinds.lattice import of_any_truth
from adtrans.analyses.looks import told_by_kinds
from adtrans.analyses.overlaps import is_unclear_alone
from adtrans.analyses.refused.frames import looks
from adtrans.analyses.returned import without_items
from adtrans.analyses.selections import selections_shown
from adtrans.analyses.webs import webs
from adtrans.diagnostics.errors import AdtransError, CompileError
from adtrans.driver.callee_versions import Versions
from adtrans.driver.callees import differentiates, is_library, is_machinery, python_function
from adtrans.driver.instance_solver import Settling
from adtrans.driver.instances import PLAIN, Calls, Circumstances, Key, Member
from adtrans.driver.lowered import Lowered
from adtrans.driver.options import Options
from adtrans.driver.summaries import formal_kinds, joined, map_back, summarise
from adtrans.driver.tree_helpers import TREES
from adtrans.driver.uncompiled import unsettled
from adtrans.driver.written_out import written_out
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.affine import Affine
from adtrans.ir.effort import spent_on
from adtrans.ir.kinds import (
    NEVER,
    UNKNOWN,
    Instance,
    Kind,
    Known,
    Scalar,
    is_differentiable,
)
from adtrans.ir.names import NameAllocator, plain_name
from adtrans.lower.inlined import Callee, inlined
from adtrans.rules import lookup
from adtrans.source import SourceFunction, is_generated
from adtrans.source.cached import remembers
from adtrans.source.reach import assigned_by, state_read
from adtrans.transforms.pushforward import named_tangents

SMALL = 4  # integers of which it is known which one they are
_ROUNDS = 20
"""How often a recursion is analysed before it is given up; three or four times is usual."""
_TOGETHER = 60
"""How often, with all its versions: for other kinds, for other small integers."""
_NESTED = 16
"""Versions of one function in one another: for arguments whose kinds never come to an end, as those
of a tuple that gets longer with every call do not."""
_INSIDE = 100  # versions of functions of SciPy
_DEEP = 8  # callees in callees that are written out
_LOSSES = 6
"""Sets of parameters, at most, without which the pullback of one function is asked to do. Of a
recursion by several attributes that are overwritten, each subset would be tried otherwise."""


@dataclass
class Program(Lowered):
    """Analyses functions on demand and remembers them.

    `decide`: branches that the kinds never take are taken out (`analyses.decided`); `exposed`: an
    object came into sight that code which is not followed may change, so none should have been.
    """

    options: Options
    names: NameAllocator
    members: dict[Key, Member] = field(default_factory=dict)
    stack: list[Member] = field(default_factory=list)
    begun: dict[Key, Unit] = field(default_factory=dict)
    rounds: Counter[int] = field(default_factory=Counter)
    losses: dict[object, set[frozenset[str]]] = field(default_factory=dict)
    versions: Versions = field(default_factory=Versions)
    asked: list[tuple[S.Function, KindsOf]] = field(default_factory=list)
    decide: bool = False
    exposed: bool = False
    finals: bool = True  # whether the final contents of the arguments may count
    flagged: bool = False  # whether a callee was given True, False or a small integer, literally
    inside: int = 0
    leading: dict[types.FunctionType, bool] = field(default_factory=dict)

    def member(self, fn: object, question: Question) -> Member:
        """Analyse `fn` for `question`, with everything that it calls."""
        kinds = tuple(sorted(question.params.items()))
        how = Circumstances(question.lost, question.same, question.taken, question.scattered)
        key = (id(fn), kinds, frozenset(question.wrt), how)
        if key in self.members:
            found = self.members[key]
            if not found.done:  # its summary is not final: whoever is under analysis depends on it
                for frame in self.stack:
                    frame.open |= {key} if key == frame.key or found.facts is None else found.open
            return found
        source, _ = self.source(fn)
        with spent_on(source.fn.__code__):
            return self._member(fn, question, key)

    def _member(self, fn: object, question: Question, key: Key) -> Member:
        source, ir = self.source(fn)
        if sum(frame.key[0] == id(fn) for frame in self.stack) == _NESTED:
            raise CompileError(unsettled(source))
        unit = self.begun.get(key) or self.unit(source, ir, question)
        self.inside += is_library(source.fn.__module__)
        member = self.members[key] = Member(source, question, unit, key, ir)
        self.stack.append(member)
        for rounds in count(1):
            before = dict(self.begun)
            member.open = set()
            member.facts, member.renamed = self.settle(source, ir, question)
            if self.decide and not self.exposed:
                self.exposed = is_exposed(member.facts.fn, member.facts.kinds)
            summary = summarise(member.facts, question)
            summary = replace(summary, looks=looks(member.facts, source.fn))
            member.unit = replace(member.unit, summary=summary)
            self.begun[key] = member.unit
            if key not in member.open or self.begun == before:
                break
            self.rounds[id(fn)] += 1
            if rounds == _ROUNDS or self.rounds[id(fn)] > _TOGETHER:
                self.stack.pop()
                del self.members[key]
                raise CompileError(unsettled(source))
            # Analysed with a summary that has changed since, and not still in the making.
            waiting = {frame.key for frame in self.stack}
            for k in [k for k, m in self.members.items() if k not in waiting and key in m.open]:
                del self.members[k]
        self.stack.pop()
        member.open.discard(key)
        if not member.open:
            member.done = True
            for m in self.members.values():
                if not m.done and m.facts is not None and m.open <= {key}:
                    m.done = True
        else:
            for frame in self.stack:
                frame.open |= member.open
        return member

    def unit(self, source: SourceFunction, ir: S.Function, question: Question) -> Unit:
        """Names for the generated functions, and a summary to start from."""
        stem = plain_name(ir.name)
        params = tuple(p.name for p in ir.params)
        forward, pullback, pushforward = (
            self.names.fresh(f"{stem}_{what}") for what in ("forward", "pullback", "pushforward")
        )
        start = Summary(
            params,
            wrt=frozenset(question.wrt),
            result=NEVER,
            one=question.same,
            defaults=tuple(kept_defaults(ir)),
        )
        return Unit(forward, pullback, pushforward, start, named_tangents(ir))

    def settle(
        self, source: SourceFunction, ir: S.Function, question: Question
    ) -> tuple[Facts, frozenset[int]]:
        """Analyse, with callees written out that are given overlapping arguments and write them."""
        once: list[Member] = []
        for _ in range(_DEEP if self.reverse else 0):
            facts, renamed = self.settled(ir, question)
            written = self.with_callees(source, ir, facts, once)
            if written is ir:
                return self.without_clashes(source, ir, question, (facts, renamed))
            ir = written
        return self.settled(ir, question)

    def without_clashes(
        self,
        source: SourceFunction,
        ir: S.Function,
        question: Question,
        found: tuple[Facts, frozenset[int]],
    ) -> tuple[Facts, frozenset[int]]:
        """The same with further callees written out, if nothing that is needed is overwritten then:
        which part of an array one call needs and another one writes is known there."""
        now = found
        once: list[Member] = []
        for _ in range(_DEEP):
            written = self.with_callees(source, ir, now[0], once, clashing=True)
            if written is ir:
                break
            ir = written
            now = self.settled(ir, question)
            if not now[0].needs.hard and not is_unclear_alone(now[0]):
                return now
        return found

    def with_callees(
        self,
        source: SourceFunction,
        ir: S.Function,
        facts: Facts,
        once: list[Member],
        *,
        clashing: bool = False,
    ) -> S.Function:
        """`ir` with those callees written out of which a summary would say too little; they are
        added to `once`, which are those of earlier rounds."""
        calls = written_out(ir, facts, self.members.values(), once, clashing=clashing)
        once.extend(calls.values())
        return inlined(ir, source, {site: Callee(m.source, m.fn) for site, m in calls.items()})

    def settled(self, ir: S.Function, question: Question) -> tuple[Facts, frozenset[int]]:
        """Analyse, rename what can be, save what has to be."""
        kinds_of = asked_once(question.params, self.result_kind, self.put_kinds)
        fn = webs(joined(without_items(ir, question.taken), question.same))
        fn = replace(fn, scattered=question.scattered)
        fn = selections_shown(fn)
        self.asked.append((fn, kinds_of))
        if fn.shared:
            self.twice.update(told_by_kinds(fn, kinds_of(fn)))
        fn = prepared(fn, kinds_of, decide=self.decide)
        return Settling(question, kinds_of, self, self.options, self.reverse).settled(fn)

    def behind_of(self, s: S.Bind, app: Application, kinds: Kinds) -> Summary | None:
        """What the source of a function with a rule of the user's tells, where it can be read."""
        fn = function_behind(s.value, app)
        again = app.rule.custom is not None and app.rule.custom.again is not None
        if fn is not None and is_generated(fn.__code__.co_filename) and not again:
            return None
        if fn is None or is_library(fn.__module__):
            unread = is_unread(s.value, app)
            return Summary((), returns=frozenset(app.bound), repeatable=False) if unread else None
        assert isinstance(s.value, E.Call)
        args = tuple(kinds.passed(s.site, a) for a in s.value.args)
        kwargs = {k: kinds.passed(s.site, v) for k, v in s.value.kwargs}
        elsewhere = self.leads(fn)
        try:
            found = None if elsewhere else self.ask(fn, args, kwargs, None)
        except CompileError:  # nobody asks for its derivative
            found = None
        if found is None and is_constant(app) and not elsewhere:
            return None  # what it does is the affair of who said so
        copied = final_contents_of(app) is not None
        if found is None:  # its result may be any of its arguments
            params = () if copied else tuple(app.bound)
            outside = any(assigned_by(fn))
            return Summary(
                params, returns=frozenset(params), repeatable=False, assigns=outside
            )
        told = in_formulas(found[0].unit.summary, app.rule, app.bound)
        return replace(told, returns=frozenset()) if copied else told

    def leads(self, fn: types.FunctionType) -> bool:
        """Whether a function with a rule of the user's leads to where it may take minutes to look
        into, for nothing."""
        if fn not in self.leading:
            self.leading[fn] = leads_elsewhere(fn)
        return self.leading[fn]

    def can_be_decided(self) -> bool:
        """Whether another outcome is possible with `decide`."""
        return self.flagged or any(can_be_decided(fn, kinds_of) for fn, kinds_of in self.asked)

    # -- callees -----------------------------------------------------------------------------------

    def callee(self, fn: E.Expr, kind: Kind) -> object | None:
        """The Python function that a call means, if it is known."""
        found = meant(fn, kind)
        own = isinstance(fn, E.Attribute) and not is_library(getattr(found, "__module__", ""))
        return found if own or found is None else self.follow(found)

    def follow(self, obj: object) -> object | None:
        """The Python function behind what a call means; in SciPy only so many versions of them.
        What takes more is refused in the end, and would take minutes."""
        fn = python_function(obj)
        inside = isinstance(fn, types.FunctionType) and is_library(fn.__module__)
        return None if inside and self.inside > _INSIDE else fn

    def result_kind(self, fn: object, args: tuple[Kind, ...], kwargs: Mapping[str, Kind]) -> Kind:
        """The kind of what a user function returns."""
        plain = isinstance(fn, types.FunctionType) and not differentiates(fn)
        plain = plain and (not is_machinery(fn) or fn in TREES)
        fn = self.follow(fn) if not plain or is_library(fn.__module__) else fn
        if fn is None or self.versions.is_unclear(fn, args):
            return UNKNOWN
        if isinstance(fn, types.FunctionType) and lookup(fn) is not None and self.leads(fn):
            return UNKNOWN
        try:
            found = self.ask(fn, args, kwargs, None)
        except AdtransError:
            if isinstance(fn, types.FunctionType):
                raise
            return UNKNOWN  # a derivative; `unit_of` will say why, for the kinds in the end
        if found is None:
            return UNKNOWN
        member, back = found
        return map_back(member.unit.summary.result, back)

    def put_kinds(
        self, fn: object, args: tuple[Kind, ...], kwargs: Mapping[str, Kind]
    ) -> Mapping[int | str, Kind] | None:
        """The lists among the arguments that a call changes, with the kinds of what it puts there;
        None where nothing is known of it."""
        fn = self.follow(fn)
        found = None if fn is None else self.ask(fn, args, kwargs, None)
        if found is None:
            return None
        member, back = found
        bound = member.source.signature.bind(*range(len(args)), **{k: k for k in kwargs})
        puts = dict(member.unit.summary.puts)
        return {k: map_back(puts[p], back) for p, k in bound.arguments.items() if p in puts}

    def unit_of(
        self,
        s: S.Invoke,
        kinds: Kinds,
        varied: frozenset[str] | None,
        calls: Calls = MappingProxyType({}),
    ) -> Unit | None:
        """The compiled callee of a call, for the varied arguments (None: all that can be)."""
        called = s.fn.base if isinstance(s.fn, E.Attribute) else s.fn
        kind = kinds.expr(s.site, called)
        fn = self.callee(s.fn, kind)
        if fn is None:
            return None
        args = tuple(kinds.passed(s.site, a) for a in s.args)
        kwargs = {k: kinds.passed(s.site, v) for k, v in s.kwargs}
        active: list[object] | None = None
        if varied is not None:
            active = [i for i, a in enumerate(s.args) if isinstance(a, E.Name) and a.id in varied]
            active += [k for k, v in s.kwargs if isinstance(v, E.Name) and v.id in varied]
        found = self.ask(fn, args, kwargs, active, calls.get(s.site, PLAIN))
        if found is None:
            return None
        member, back = found
        return replace(
            member.unit,
            summary=replace(
                member.unit.summary,
                result=map_back(member.unit.summary.result, back),
                remembers=(again := remembers(meant(s.fn, kind))),
                recalls=state_read(member.source.fn) if again else None,
            ),
        )

    def ask(
        self,
        fn: object,
        args: tuple[Kind, ...],
        kwargs: Mapping[str, Kind],
        active: list[object] | None,
        how: Circumstances = PLAIN,
    ) -> tuple[Member, Mapping[str, Affine]] | None:
        """The member for a call with arguments of these kinds."""
        fn = self.versions.plain(fn, args, kwargs)
        if fn in TREES:  # of a structure that is not known
            return None
        try:
            source, ir = self.source(fn)
        except CompileError:
            return None
        try:
            bound = source.signature.bind(*args, **kwargs)
        except TypeError:
            return None
        if any(p.form in ("varargs", "varkw") for p in ir.params):
            return None
        given: dict[str, Kind] = dict(bound.arguments)
        for name, p in source.signature.parameters.items():
            if name not in given and p.default is not inspect.Parameter.empty:
                given[name] = kind_of_default(p.default)
        if not self.decide:  # one version serves both
            plain = {name: of_any_truth(kind) for name, kind in given.items()}
            self.flagged |= plain != given
            given = plain
        params, back = formal_kinds(given)
        small = {name: kind for name, kind in given.items() if _is_small(kind)}
        if self.decide:  # the number of axes, an order: bounded, so that recursion comes to an end
            params |= small
        self.flagged |= bool(small)
        wrt = [
            p.name
            for p in ir.params
            if is_differentiable(params.get(p.name, UNKNOWN)) and p.name in bound.arguments
        ]
        if active is not None:
            order = list(source.signature.parameters)
            chosen = {order[a] if isinstance(a, int) else str(a) for a in active}
            wrt = [p for p in wrt if p in chosen]
        wrt = [p for p in wrt if p not in dict(how.same)]
        if how.lost:
            asked = self.losses.setdefault((id(fn), tuple(sorted(params.items()))), set())
            if how.lost not in asked and len(asked) == _LOSSES:
                return None
            asked.add(how.lost)
        circumstances = how.lost, how.same, how.taken, how.scattered
        question = Question(params, tuple(wrt), None, *circumstances)
        return self.member(fn, question), back


def meant(fn: E.Expr, kind: Kind) -> object | None:
    """The object that a call means, if it is known; `kind`: of it, or of what has the method."""
    if isinstance(fn, E.Ref):
        return fn.value
    if isinstance(fn, E.Attribute):
        return method_of(kind, fn.attr) if isinstance(kind, Instance) else None
    return kind.value if isinstance(kind, Known) else None


def _is_small(kind: Kind) -> bool:
    """Whether a value is a known small integer of Python, as those that choose among formulas."""
    known = kind.value.value if isinstance(kind, Scalar) and kind.value is not None else None
    return known is not None and abs(known) <= SMALL
