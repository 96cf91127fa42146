"""From a Python function to the source of its derivative: the order of all stages.

source        function object -> syntax tree                         adtrans.source
lower         -> the small language                                  adtrans.lower
analyses      kinds, memory, activity, needs, verdicts               adtrans.analyses, program
transforms    -> forward, pullback or pushforward, tidied            adtrans.transforms
emit          -> text, functions                                     adtrans.emit
"""

from __future__ import annotations

import linecache
import math
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import FunctionType
from typing import Literal

import numpy

from adtrans import runtime
from adtrans.analyses.analyse import Question
from adtrans.analyses.facts import Facts
from adtrans.analyses.refusals import refusals
from adtrans.analyses.verdicts import Verdict, verdicts
from adtrans.diagnostics.diagnostic import Diagnostic
from adtrans.diagnostics.errors import CompileError
from adtrans.diagnostics.span import Span
from adtrans.emit.load import load
from adtrans.emit.module import print_module
from adtrans.emit.standalone import standalone
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import UNKNOWN, Kind
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import walk
from adtrans.options import Options
from adtrans.program import Member, Program
from adtrans.report import Report
from adtrans.source import MISSING
from adtrans.stages import stage_texts
from adtrans.transforms.fold import all_code, expressions
from adtrans.transforms.generate import forward_and_pullback
from adtrans.transforms.pushforward import pushforward

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

    @cached_property
    def functions(self) -> Mapping[str, FunctionType]:
        """The generated functions, executable."""
        return load(self.source, self.member.source.name.strip("<>"), self.module.globals)

    def function(self, n: int = 0) -> FunctionType:
        """The forward (0) and the pullback (1), or the pushforward (0)."""
        return self.functions[self.main[n]]

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
        program = Program(options, NameAllocator())
        _, ir = program.source(fn)
        params = {p.name: (kinds or {}).get(p.name, UNKNOWN) for p in ir.params}
        root = program.member(fn, Question(params, wrt, finals))
        members = _needed(program, root)
        problems = [d for m in members for d in refusals(_facts(m), _line, reverse=mode == "pullback")]
        if problems:
            raise CompileError(problems)
        return _generate(program, root, members, mode)


def _facts(m: Member) -> Facts:
    assert m.facts is not None
    return m.facts


def _needed(program: Program, root: Member) -> list[Member]:
    """The root and the callees that its derivative uses, callees first."""
    by_name = {m.unit.forward: m for m in program.members.values()}
    found: list[Member] = []
    waiting = [root]
    while waiting:
        m = waiting.pop()
        if m in found:
            continue
        found.append(m)
        for u in _facts(m).units.values():
            if u.summary.active and (u.summary.wrt or u.summary.finals):
                waiting.append(by_name[u.forward])
    return sorted(found, key=lambda m: m is root)


def _generate(program: Program, root: Member, members: list[Member], mode: Mode) -> Compiled:
    roots = frozenset({"np", "math", "unbroadcast", "last_writer"}) | frozenset(
        name for m in members for name in (m.unit.forward, m.unit.pullback, m.unit.pushforward)
    )
    defs: list[C.Def] = []
    for m in members:
        if mode == "pullback":
            defs.extend(forward_and_pullback(_facts(m), m.unit, _note, roots))
        else:
            defs.append(pushforward(_facts(m), m.unit, _note, roots))
    module = C.Module(tuple(defs), _globals(defs, members))
    text = print_module(module)
    names = (
        (root.unit.forward, root.unit.pullback) if mode == "pullback" else (root.unit.pushforward,)
    )
    found: list[Verdict] = [v for m in members for v in verdicts(_facts(m), m.renamed, {})]
    return Compiled(module, text, names, Report(root.source.name, tuple(found)), _facts(root), root)


def _note(s: S.Stmt) -> C.Note:
    return C.Note(s.span.line, _line(s.span).strip())


def _line(span: Span) -> str:
    return linecache.getline(span.file, span.line).rstrip("\r\n")


def _globals(defs: list[C.Def], members: list[Member]) -> dict[str, object]:
    """What the free names of the generated code mean."""
    found: dict[str, object] = {"np": numpy, "math": math, "unbroadcast": runtime.unbroadcast}
    for m in members:
        code = m.source.fn.__code__
        for name in (*code.co_names, *code.co_freevars):
            value = m.source.resolve(name)
            if value is not MISSING:
                found[name] = value
    for d in defs:
        for c in all_code(d.body):
            for e in expressions(c):
                for sub in walk(e):
                    if isinstance(sub, E.Ref) and sub.value is not None and "." not in sub.text:
                        found.setdefault(sub.text, sub.value)
    return found
