"""What the free names of generated functions mean; a name that means two things gets another one.

Generated functions share a module. Two closures of one maker, or helpers of two files, may use one
name for different objects: the first function that is generated keeps it.
"""

from __future__ import annotations

import math
import re
import symtable
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import CodeType

import numpy

from adtrans import runtime
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import CompileError
from adtrans.diagnostics.span import Span
from adtrans.emit.module import print_def
from adtrans.emit.renamed import as_written, renamed
from adtrans.emit.shadowed import refers_to, unshadowed
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import walk
from adtrans.source import MISSING, SourceFunction
from adtrans.transforms.fold import all_code, expressions

Sources = Sequence[SourceFunction]


Printed = tuple[C.Def, str]
"""A generated function and its text: printing takes longer than what is done with the text."""


def told_apart(
    defs: Sequence[Printed], sources: Mapping[str, Sources], span: Span
) -> tuple[list[Printed], dict[str, object]]:
    """The functions with a name for each object that they refer to, and what the names mean.

    `sources`: for each function the user's functions that it was made from.

    Raises:
        CompileError: AD105, if one name means two things within one function.
    """
    known = {"np": numpy, "math": math, "unbroadcast": runtime.unbroadcast}
    if "scipy" in sys.modules:
        known["scipy"] = sys.modules["scipy"]
    names = NameAllocator({*known, *(n for _, t in defs for n in re.findall(r"[^\W\d]\w*", t))})
    found: dict[str, object] = {}
    made: list[Printed] = []
    others: dict[tuple[str, int], str] = {}

    def other(name: str, value: object) -> str:
        key = (name, id(value))
        if key not in others:
            others[key] = names.fresh(name)
        return others[key]

    for d, text in defs:
        hidden = _hidden(d, text, known, sources.get(d.name, ())) | _several(d)
        if hidden:
            d = unshadowed(d, hidden, known, other)
            text = print_def(d)
        to: dict[str, str] = {}
        means = _Meanings(d, sources.get(d.name, ()), span)
        for name in sorted(free_names(text)):
            value = means.of(name)
            value = known.get(name, MISSING) if value is MISSING else value
            if value is MISSING or found.setdefault(name, value) is value:
                continue
            alike = (n for n, v in found.items() if v is value and n.startswith(name))
            to[name] = next(alike, None) or names.fresh(name)
            found[to[name]] = value
        if to:
            d = renamed(d, to)
            text = print_def(d)
        made.append((d, text))
    return made, found


def reached(defs: Sequence[C.Def], mains: Sequence[str]) -> list[Printed]:
    """The functions that are called, directly or not, from those asked for."""
    texts = {d.name: print_def(d) for d in defs}
    calls = {name: free_names(text) for name, text in texts.items()}
    found: set[str] = set()
    waiting = list(mains)
    while waiting:
        name = waiting.pop()
        if name in calls and name not in found:
            found.add(name)
            waiting += calls[name]
    return [(d, texts[d.name]) for d in defs if d.name in found]


class _Meanings:
    """What the names in one function mean."""

    def __init__(self, d: C.Def, sources: Sources, span: Span) -> None:
        self.span = span
        self.sources = [(source, names_of_code(source.fn.__code__)) for source in sources]
        self.as_written = as_written(d)
        self.referred: dict[str, list[object]] = {}
        for name, value in _references(d):
            self.referred.setdefault(name, []).append(value)

    def of(self, name: str) -> object:
        """What a name means; MISSING for what nobody says."""
        values = [*self.referred.get(name, ())]
        if not values or name in self.as_written:
            values += [
                v
                for source, names in self.sources
                if name in names and (v := source.resolve(name)) is not MISSING
            ]
        if any(v is not values[0] for v in values):
            raise CompileError(
                Diagnostic(
                    "AD105",
                    f"`{name}` means one thing here and another in the generated code",
                    self.span,
                    why="this name stands for two objects in one generated function",
                    fixes=[Fix(f"give one of the two another name than `{name}`")],
                )
            )
        return values[0] if values else MISSING


def _hidden(d: C.Def, text: str, known: Mapping[str, object], sources: Sources) -> set[str]:
    """The names that a generated function refers to and that mean something else in it: variables,
    and what the user calls by the name of a module."""
    roots = refers_to(d)
    hidden = roots & local_names(text)
    for name in (roots & known.keys()) - hidden:
        meant = [s.resolve(name) for s in sources if name in names_of_code(s.fn.__code__)]
        if any(m is not MISSING and m is not known[name] for m in meant):
            hidden.add(name)
    return hidden


def _several(d: C.Def) -> set[str]:
    """The names that stand for several objects in one generated function, such as the classes that
    are made for two lambdas, and for nothing that the user wrote."""
    meant: dict[str, object] = {}
    found = {name for name, value in _references(d) if meant.setdefault(name, value) is not value}
    defaults = {p.default.text for p in d.params if isinstance(p.default, E.Ref)}
    return found - as_written(d) - defaults


def _references(d: C.Def) -> Iterator[tuple[str, object]]:
    """The plain names that a generated function refers to, with what each reference means."""
    for p in d.params:
        if isinstance(p.default, E.Ref) and "." not in p.default.text:
            yield p.default.text, p.default.value
    for c in all_code(d.body):
        for e in expressions(c):
            for sub in walk(e):
                if isinstance(sub, E.Ref) and sub.value is not None and "." not in sub.text:
                    yield sub.text, sub.value


def names_of_code(code: CodeType) -> frozenset[str]:
    """The names that a function and the functions inside it may look up outside."""
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return frozenset({*code.co_names, *code.co_freevars}).union(*(names_of_code(c) for c in inner))


@lru_cache(maxsize=64)  # of what is printed it is asked twice
def free_names(text: str) -> frozenset[str]:
    """The names that generated functions look up outside of themselves."""

    def visit(table: symtable.SymbolTable) -> set[str]:
        found = {s.get_name() for s in table.get_symbols() if s.is_global()}
        return found.union(*(visit(t) for t in table.get_children()))

    return frozenset(visit(symtable.symtable(text, "<generated>", "exec")))


def local_names(text: str) -> frozenset[str]:
    """The parameters and variables of a generated function.

    >>> sorted(local_names("def f(x):\\n    for k in range(x): y = k\\n    return y"))
    ['k', 'x', 'y']
    """
    (function,) = symtable.symtable(text, "<generated>", "exec").get_children()
    return frozenset(s.get_name() for s in function.get_symbols() if s.is_local())
