"""From a Python function to the source of its derivative: the order of all stages.

source        function object -> syntax tree                         adtrans.source
lower         -> the small language                                  adtrans.lower
analyses      kinds, memory, activity, needs, verdicts               adtrans.analyses, program
transforms    -> forward, pullback or pushforward, tidied            adtrans.transforms
emit          -> text, functions                                     adtrans.emit

>>> def square(x):
...     return x * x
>>> print(compile_function(square, None, Options(), wrt=("x",)).main)
('square_forward', 'square_pullback')
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import FunctionType
from typing import Literal

from adtrans import runtime
from adtrans.analyses.analyse import Question
from adtrans.analyses.checking_calls import is_generated_anyway
from adtrans.analyses.edits import apart
from adtrans.analyses.facts import Facts
from adtrans.analyses.objects.entry_classes import refuted
from adtrans.analyses.objects.mirrors import generated, loose
from adtrans.analyses.objects.model import Path
from adtrans.analyses.objects.outside import Attribute, Owner
from adtrans.analyses.objects.part_paths import steps
from adtrans.analyses.refusals import refusals
from adtrans.analyses.refused.blocks import handed_to_exceptions
from adtrans.analyses.refused.lost_objects import merged
from adtrans.analyses.refused.unseen_reads import unseen_reads
from adtrans.analyses.repeatable import may_be_object
from adtrans.analyses.steps import has_handlers
from adtrans.analyses.stopped import diagnostic
from adtrans.diagnostics.diagnostic import Diagnostic
from adtrans.diagnostics.errors import CompileError
from adtrans.diagnostics.span import Span
from adtrans.diagnostics.wording import as_written
from adtrans.driver.changed_containers import changed_afterwards
from adtrans.driver.changed_globals import changed_globals
from adtrans.driver.class_data import assigned_elsewhere
from adtrans.driver.free_names import names_of_code, reached, told_apart
from adtrans.driver.generated_names import (
    added_names,
    names_of,
    plain_names,
    sources_of,
    without_gaps,
)
from adtrans.driver.instances import Main, Member, unnamed
from adtrans.driver.library_errors import across, at_the_call
from adtrans.driver.lowered import READ, Read, Unreadable
from adtrans.driver.options import Options
from adtrans.driver.precision import Attempt, attempts
from adtrans.driver.program import Program
from adtrans.driver.read_unseen import read_unseen
from adtrans.driver.report import Report
from adtrans.driver.reporting import facts_of, in_step, line_of, report_of, shown_in
from adtrans.driver.run_again import assigned_between
from adtrans.driver.stages import stage_texts
from adtrans.driver.uncompiled import (
    NoSecond,
    changed_global,
    holds_numbers_in_objects,
    is_of_values,
    not_followed,
    of_no_class,
    replaced,
    unfinished,
)
from adtrans.driver.written_between import written_between
from adtrans.emit.load import load
from adtrans.emit.module import together
from adtrans.emit.standalone import standalone
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import UNKNOWN, Container, Instance, Kind
from adtrans.ir.names import NameAllocator
from adtrans.source import SourceFunction
from adtrans.source.global_names import Global
from adtrans.source.reach import named_by, read_behind
from adtrans.transforms.attempts import has_checks
from adtrans.transforms.generate import forward_and_pullback
from adtrans.transforms.pushforward import pushforward
from adtrans.transforms.ways import Fetch

Mode = Literal["pullback", "pushforward"]
_LOCK = threading.RLock()


@dataclass(frozen=True)
class Compiled:
    """The result of compiling one function for one combination of kinds."""

    module: C.Module
    source: str
    main: tuple[str, ...]
    report: Report
    facts: Facts = field(repr=False)
    member: Member = field(repr=False)
    notes: tuple[Diagnostic, ...] = ()
    sources: Mapping[str, SourceFunction] = field(default_factory=dict, repr=False)
    written_out: tuple[SourceFunction, ...] = field(default=(), repr=False)
    attributes: tuple[Attribute, ...] = ()
    objects: tuple[Owner, ...] = ()
    results: tuple[Path, ...] = ()
    loose: frozenset[str] = frozenset()
    unnamed: tuple[tuple[str, object], ...] = ()  # what functions get without naming it
    read: tuple[FunctionType, ...] = field(default=(), repr=False)  # what it was made from
    checking: tuple[Facts, ...] = field(default=(), repr=False)
    holding: bool = False  # whether some lists or dictionaries have adjoints

    def problem(self, message: str) -> Diagnostic | None:
        """What a check of the generated code says when it fails, with its places."""
        found = (diagnostic(message, facts, line_of) for facts in self.checking)
        d = next((d for d in found if d is not None), None)
        shown = shown_in([self.member])
        return as_written(d, shown) if d is not None and shown else d

    @cached_property
    def functions(self) -> Mapping[str, FunctionType]:
        """The generated functions, executable."""
        made = load(self.source, self.member.source.name.strip("<>"), self.module.globals)
        generated(made.values(), self.loose)
        for d in self.module.defs:
            vars(made[d.name])[READ] = self.read
        return made

    def function(self, n: int = 0) -> FunctionType:
        """The forward (0) and the pullback (1), or the pushforward (0)."""
        return self.functions[self.main[n]]

    @property
    def repeatable(self) -> bool:
        """Whether running the function again changes nothing, not even its arguments."""
        summary = self.member.unit.summary
        if not summary.repeatable or summary.writes:
            return False
        given = any(may_be_object(self.facts.kinds.var(p.name)) for p in self.facts.fn.params)
        return not (summary.assigns and (given or summary.finds_objects or self.attributes))

    @cached_property
    def stages(self) -> Mapping[str, str]:
        """The text that each stage ends with: source, ast, ir, needs, output."""
        return stage_texts(self.member.source, self.facts, self.source)

    def standalone(self) -> str:
        """The text as a file that needs NumPy only."""
        return standalone(self.module, home=self.member.source.fn.__module__)


def compile_function(
    fn: object,
    kinds: Mapping[str, Kind] | None,
    options: Options,
    mode: Mode = "pullback",
    *,
    wrt: tuple[str, ...],
    finals: tuple[str, ...] = (),
) -> Compiled:
    """Differentiate `fn` for arguments of these kinds with respect to the parameters `wrt`.

    Raises:
        CompileError: with everything that stands in the way.
    """
    with _LOCK:
        read: dict[int, Read] = {}
        each: set[Span] = set()
        while True:
            found: set[Global] = set()
            asked = len(each)
            try:
                made = _compiled(fn, kinds or {}, options, mode, wrt, finals, found, read, each)
            except NoSecond as refusal:
                raise CompileError(refusal.args[0]) from None
            except CompileError:
                if len(each) > asked:
                    continue
                raise
            if len(each) == asked:
                break
        seen = {g for f in _sources(made) for g in named_by(f)} if found else set()
        if changed := sorted(found & (seen | {*read_behind(fn)}), key=str):
            raise CompileError([changed_global(g, made.member.source) for g in changed])
        return made


def _sources(made: Compiled) -> set[FunctionType]:
    """The functions that were read."""
    own = (*made.sources.values(), *made.written_out, made.member.source)
    return {*made.read, *(s.fn for s in own)}


def _compiled(
    fn: object,
    given: Mapping[str, Kind],
    options: Options,
    mode: Mode,
    wrt: tuple[str, ...],
    finals: tuple[str, ...],
    found: set[Global],
    read: dict[int, Read],
    each: set[Span],
) -> Compiled:
    """The same; finds globals that are assigned or written, and places where `each` of two equal
    expressions has to run."""
    reverse = mode == "pullback"
    unreadable: dict[int, Unreadable] = {}

    def program(how: Attempt) -> Program:
        return Program(
            options,
            NameAllocator(),
            decide=how.decide,
            parting=how.parting,
            assuming=how.assuming,
            reverse=reverse,
            found=found,
            read=read,
            unreadable=unreadable,
            each=frozenset(each),
        )

    analysed = False

    def made_by(p: Program) -> tuple[Main, Compiled]:
        nonlocal analysed
        analysed = False
        main, members = _analysed(p, fn, given, wrt, finals, reverse=reverse)
        analysed = True
        members = without_gaps(members)
        return main, _generate(members[-1], members, mode, main.attributes)

    first = program(Attempt())
    try:
        main, made = made_by(first)
    except CompileError as error:
        last, told, counts = error, False, first.finals
        asks, decidable = first.followed.asks, first.can_be_decided()
        # perhaps what stands in the way is never executed by this version
        tried = attempts(given, (*wrt, *finals), asks=asks)
        if analysed:  # what is in the way is how lists are followed
            tried = []
        for how in tried:
            decidable = decidable or first.can_be_decided()
            if how.decide and not decidable:
                continue
            first = program(how)
            try:
                main, made = made_by(first)
                break
            except CompileError as left:
                counts = counts or first.finals
                codes = [d.code for d in left.diagnostics]  # none: an object came into sight
                further = how.parting or how.assuming
                if further and codes and all(code.startswith("AD30") for code in codes):
                    last, told = left, True  # nothing is in the way but what is overwritten
                elif how.assuming:
                    pass
                elif not (how.parting or told) and left.report is not None:
                    last = left
        else:
            last.finals = counts
            raise last from None
    each |= first.twice
    found |= first.changed  # of what was refused before, nothing is left
    return replace(
        made,
        objects=main.objects,
        results=main.results,
        unnamed=tuple(unnamed(first.members.values())),
        read=first.functions(),
    )


def _analysed(
    program: Program,
    fn: object,
    kinds: Mapping[str, Kind],
    wrt: tuple[str, ...],
    finals: tuple[str, ...],
    *,
    reverse: bool,
) -> tuple[Main, list[Member]]:
    """`fn` and the functions that its derivative uses, callees first, analysed and not refused."""
    for w in wrt:
        if steps(w)[1:] and is_of_values(kinds.get(steps(w)[0], UNKNOWN)):
            raise CompileError(not_followed(w, program.raw(fn)[0], ()))
    main = program.root(fn, kinds, wrt)
    _, ir = program.source(main.fn)
    params = {p.name: kinds.get(p.name, UNKNOWN) for p in ir.params}
    for name in {o.root.id for o in main.objects if isinstance(o.root, E.Name)}:
        if isinstance(kind := params[name], Instance):
            params[name] = replace(kind, followed=True)
    params.update({a.name: a.kind for a in main.attributes})
    named = {a.path: a.name for a in main.attributes}
    for w in wrt:
        of = params.get(steps(w)[0], UNKNOWN)
        if w not in named and (steps(w)[1:] or holds_numbers_in_objects(of)):
            raise CompileError(not_followed(w, program.raw(fn)[0], main.attributes))
    wrt = tuple(named.get(w, w) for w in wrt)
    root = program.member(main.fn, Question(params, wrt, finals))
    program.finals = bool(root.facts is None or root.facts.finals)
    members = _needed(program, root)
    problems = [replaced(*r) for r in program.followed.replaced.items()]
    if not problems:
        prove = program.options.on_unproven == "refuse"
        given_up = program.followed.given_up()
        by_name = {m.unit.forward: m for m in program.members.values()}
        each = [
            (m, [*refusals(facts_of(m), line_of, reverse=reverse, prove=prove, given_up=given_up)])
            for m in members
        ]
        each = across(each)
        problems = apart(merged(at_the_call(each, by_name)), line_of)
        shown = shown_in(members)
        problems = [as_written(d, shown) for d in problems] if shown else problems
    for m in program.members.values():
        problems += [of_no_class(p, m.source) for p in refuted(m.fn, m.question.params)]
    problems += unseen_reads(_called(program, root))
    problems += handed_to_exceptions(_called(program, root))
    problems += assigned_between(members, fn)
    called, seen = program.members.values(), program.followed.seen
    problems += read_unseen(root, called, main, program.unfollowed, seen)
    program.named_unseen(fn)
    if reverse:
        problems += assigned_elsewhere(program.members.values(), program.lowered, fn)
        problems += changed_afterwards(program.members.values(), program.lowered)
        problems += written_between(members, program.lowered, main.attributes)
    program.changed.update(changed_globals(program.members.values()))
    if problems or (program.decide and program.exposed):
        error = CompileError(problems)
        if problems and not program.exposed:
            error.report = report_of(root, [(m, ()) for m in members])
        raise error
    return main, members


def _called(program: Program, root: Member) -> list[Facts]:
    """What is known of the root and of all functions that are called, whether or not a derivative
    goes through them."""
    by_name = {m.unit.forward: m for m in program.members.values()}
    found: dict[str, Facts] = {}
    waiting = [root]
    while waiting:
        m = waiting.pop()
        if m.facts is not None and m.unit.forward not in found:
            found[m.unit.forward] = m.facts
            waiting += [by_name[u.forward] for u in m.facts.units.values() if u.forward in by_name]
    return [*found.values()]


def _needed(program: Program, root: Member) -> list[Member]:
    """The root and the callees that its derivative uses, callees first."""
    by_name = {m.unit.forward: m for m in program.members.values()}
    found: list[Member] = []
    waiting = [root]
    while waiting:
        m = waiting.pop()
        if m in found:
            continue
        if m.facts is None:
            raise CompileError(unfinished(m.source))
        found.append(m)
        for site, u in facts_of(m).units.items():
            derived = u.summary.active and (u.summary.wrt or u.summary.finals)
            if derived or is_generated_anyway(facts_of(m).structure.stmts[site], facts_of(m)):
                waiting.append(by_name[u.forward])
    return sorted(found, key=lambda m: m is root)


def _generate(
    root: Member, members: list[Member], mode: Mode, attributes: tuple[Attribute, ...]
) -> Compiled:
    roots = frozenset({"np", "math", "scipy", *runtime.names(), *added_names(members)}).union(
        *(names_of_code(source.fn.__code__) for m in members for source in sources_of(m)),
        *({m.unit.forward, m.unit.pullback, m.unit.pushforward} for m in members),
    )
    defs: list[C.Def] = []
    kept: dict[int, tuple[Fetch, ...]] = {}
    caught = any(has_handlers(facts_of(m).fn) for m in members)
    for n, m in enumerate(members):
        if mode == "pullback":
            pair = forward_and_pullback(facts_of(m), m.unit, _note, roots)
            defs += [pair.forward, pair.pullback]
            kept[n] = pair.kept
        else:
            guarded = caught and m is not root
            defs.append(pushforward(facts_of(m), m.unit, _note, roots, guarded))
    mains = (root.unit.forward, root.unit.pushforward)
    defs = [_reading(d, attributes) if d.name in mains else d for d in defs]
    defs, units = plain_names(defs, members)
    names = (
        (units[root.unit.forward], units[root.unit.pullback])
        if mode == "pullback"
        else (units[root.unit.pushforward],)
    )
    made_of = {units[n]: sources_of(m) for m in members for n in names_of(m)}
    printed, meanings = told_apart(reached(defs, names), made_of, facts_of(root).fn.span)
    text = together(text for _, text in printed)
    module = C.Module(tuple(d for d, _ in printed), meanings)
    made = "forward" if mode == "pullback" else "pushforward"
    sources = {units[getattr(m.unit, made)]: m.source for m in members}
    report = report_of(root, [(m, kept.get(n, ())) for n, m in enumerate(members)])
    report = report if mode == "pullback" else in_step(report)
    return Compiled(
        module,
        text,
        names,
        report,
        facts_of(root),
        root,
        sources=sources,
        written_out=tuple(s for m in members for s in sources_of(m)[1:]),
        attributes=attributes,
        loose=loose(facts_of(m).fn for m in members),
        checking=tuple(facts_of(m) for m in members if has_checks(facts_of(m))),
        holding=any(_holding(facts_of(m)) for m in members),
    )


def _holding(facts: Facts) -> bool:
    """Whether a list or a dictionary carries a derivative here."""
    held = (v for v in facts.definitions.sites if isinstance(facts.kinds.var(v), Container))
    return any(map(facts.activity.active, held))


def _reading(d: C.Def, attributes: tuple[Attribute, ...]) -> C.Def:
    """The function asked for reads attributes itself, where others get them as arguments."""
    names = {a.name for a in attributes}
    reads = tuple(C.Assign((E.Name(a.name),), a.read()) for a in attributes)
    params = tuple(p for p in d.params if p.name not in names)
    return replace(d, params=params, body=(*reads, *d.body))


def _note(s: S.Stmt) -> C.Note:
    return C.Note(s.span.line, line_of(s.span).strip())
