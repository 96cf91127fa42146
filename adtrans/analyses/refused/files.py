"""Values that are read back out of files: `np.save(name, y)`, then `np.load(name)`.

A file carries no derivative, so what was written into one and is read again would pass for a
constant. Data that are read first, and results that are written last, are what files are for:
refused is what may be read behind where something that varies was written, unless the two files
have names that are known and differ.
"""

from __future__ import annotations

import ast
import os
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from adtrans.analyses.dataflow import forward
from adtrans.analyses.facts import Facts
from adtrans.analyses.kinds.text_kinds import is_text_kind
from adtrans.analyses.refused.numbers_in_texts import receiving
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Known, Scalar
from adtrans.ir.walk import binds_of, reads_of, statements
from adtrans.lower.opaque import printed_into
from adtrans.source.reach import codes, reached_by_any

_SAVING = frozenset({"np.save", "np.savetxt", "np.savez", "np.savez_compressed"})
_LOADING = frozenset({"np.load", "np.loadtxt", "np.genfromtxt", "np.fromfile", "np.fromregex"})
_WRITES = frozenset({"write", "writelines", "writerow", "writerows", "tofile", "dump", "write_text",
                     "write_bytes"})  # fmt: skip
_READS = frozenset({"read", "readline", "readlines", "read_text", "read_bytes", "getvalue"})
_NAMES = frozenset({"open", "memmap", *_READS, *(n.partition(".")[2] for n in _LOADING)})

_Name = str | None  # of a file, without its ending; None where that is not known


@dataclass(frozen=True, slots=True)
class _File:
    name: _Name
    span: Span

    def may_be(self, other: _File) -> bool:
        return self.name is None or other.name is None or self.name == other.name


def read_out_of_files(facts: Facts) -> Iterator[Diagnostic]:
    """Where a value that counts is read, though it may be one that was written into the file."""
    saved = saving(facts)
    found = loading(facts) if saved else {}
    if not found:
        return
    nothing: frozenset[_File] = frozenset()

    def transfer(s: S.Stmt, written: frozenset[_File]) -> frozenset[_File]:
        return written | {saved[s.site]} if s.site in saved else written

    flow = forward(facts.fn.body, nothing, transfer, frozenset.union)
    for site, file in sorted(found.items()):
        before = flow.before.get(site, nothing) | flow.head.get(site, nothing)
        written = next((w for w in sorted(before, key=_place) if w.may_be(file)), None)
        if written is not None:
            yield Diagnostic(
                "AD202",
                "a value is read back out of a file",
                Label(file.span, "this may be what was written before"),
                labels=[Label(written.span, "a value that varies is written here")],
                why="a file carries no derivative, so what is read would pass for a constant",
                fixes=[
                    Fix("keep the value in a variable beside the file, and use that"),
                    Fix("write `adtrans.stop_gradient(...)` around what is written, if a constant "
                        "is meant"),
                ],
            )  # fmt: skip


def _place(file: _File) -> Span:
    return file.span


def saving(facts: Facts) -> Mapping[int, _File]:
    """The statements that write a value that varies, or a text of one, into a file."""
    calls = {s.site: f for s in statements(facts.fn.body) if (f := _saves(s, facts)) is not None}
    if not calls:
        return {}
    varied = _varied(facts)
    first = facts.structure.stmts
    return {
        k: f
        for k, f in calls.items()
        if k in facts.units or reads_of(first[k]) & varied or _gives_method(first[k])
    }


def _varied(facts: Facts) -> frozenset[str]:
    """What varies, and what is no number and was made of it: texts, bytes."""
    found = set(facts.activity.varied)
    stmts = [s for s in statements(facts.fn.body) if not isinstance(s, S.If | S.While | S.Try)]
    while True:
        before = len(found)
        for s in stmts:
            made = [t for t in receiving(s) if not _is_number(t, facts)]
            if made and reads_of(s) & found:
                found.update(made)
        if len(found) == before:
            return frozenset(found)


def _is_number(var: str, facts: Facts) -> bool:
    kind = facts.kinds.var(var)
    return isinstance(kind, Scalar | Array | Known) and not is_text_kind(kind)


def loading(facts: Facts) -> Mapping[int, _File]:
    """The statements that read a file, where the result depends on what they read."""
    calls = {s.site: f for s in statements(facts.fn.body) if (f := _loads(s, facts)) is not None}
    if not calls:
        return {}
    useful = _useful(facts)
    return {k: f for k, f in calls.items() if useful & {*binds_of(facts.structure.stmts[k])}}


def _useful(facts: Facts) -> frozenset[str]:
    """What the result depends on by its value: lines and files too, of which numbers are made."""
    found = {*facts.activity.useful, *facts.finals}
    for s in statements(facts.fn.body):
        if isinstance(s, S.Return):
            found |= reads_of(s)
    stmts = [s for s in statements(facts.fn.body) if not isinstance(s, S.If | S.While | S.Try)]
    while True:
        before = len(found)
        for s in stmts:
            if found & {*receiving(s)}:
                found |= reads_of(s)
        if len(found) == before:
            return frozenset(found)


def _gives_method(s: S.Stmt) -> bool:
    """Whether a method that writes gets a name, by which it may write anything later."""
    return isinstance(s, S.Bind) and isinstance(s.value, E.Attribute) and s.value.attr in _WRITES


def _saves(s: S.Stmt, facts: Facts) -> _File | None:
    match s:
        case S.Bind() if _gives_method(s):
            return _File(None, s.span)
        case S.Bind(value=E.Call() as call):
            spelling = _spelling(s, facts)
            if spelling in _SAVING:
                return _File(_named(call.args), s.span)
            if isinstance(call.fn, E.Attribute) and call.fn.attr in _WRITES:
                return _File(_named(call.args) if call.fn.attr == "tofile" else None, s.span)
        case S.Invoke() if s.site in facts.units and facts.units[s.site].summary.saves:
            return _File(None, s.span)
        case S.Invoke(fn=E.Ref(text=text)) | S.Invoke(fn=E.Attribute(attr=text)):
            if text.rpartition(".")[2] in _WRITES:
                return _File(None, s.span)
        case S.Keep() if printed_into(s):
            return _File(None, s.span)
        case _:
            pass
    return None


def _loads(s: S.Stmt, facts: Facts) -> _File | None:
    match s:
        case S.With(context=E.Verbatim(text=text), target=str()):
            name, mode = _opening(text)
            return None if _only_writes(mode) else _File(name, s.span)
        case S.Bind(value=E.Call() as call):
            if _opens(call) or _spelling(s, facts) in _LOADING:
                return _File(_named(call.args), s.span)
            if isinstance(call.fn, E.Attribute) and call.fn.attr in _READS:
                return _File(None, s.span)
        case S.Invoke() if s.site in facts.units:
            return _File(None, s.span) if facts.units[s.site].summary.loads else None
        case S.Invoke(fn=fn):
            read = (
                fn.attr if isinstance(fn, E.Attribute) else E.text(fn).rpartition(".")[2]
            ) in _READS
            called = fn.value if isinstance(fn, E.Ref) else None
            called = getattr(called, "__func__", called)
            if read or (isinstance(called, types.FunctionType) and _reading(called)):
                return _File(None, s.span)
        case _:
            pass
    return None


def _spelling(s: S.Bind, facts: Facts) -> str:
    app = facts.apps.get(s.site)
    return "" if app is None else app.rule.spelling


def _opens(call: E.Call) -> bool:
    """Whether a call opens a file that may be read."""
    if not isinstance(call.fn, E.Ref) or call.fn.value is not open:
        return False
    return not _only_writes(_opening(E.text(call))[1])


def _opening(text: str) -> tuple[_Name, str]:
    """Name and mode of the file that an expression opens, as far as they are written there.

    >>> _opening("open('out/rows.txt', 'w')"), _opening("open(name)"), _opening("lock")
    (('rows', 'w'), (None, 'r'), (None, ''))
    """
    match ast.parse(text, mode="eval").body:
        case ast.Call(func=ast.Name(id="open"), args=args, keywords=keywords):
            modes = [*args[1:2], *(k.value for k in keywords if k.arg == "mode")]
            mode = modes[0].value if modes and isinstance(modes[0], ast.Constant) else ""
            name = args[0].value if args and isinstance(args[0], ast.Constant) else None
            return _plain(name), str(mode) if modes else "r"
        case _:
            return None, ""


def _only_writes(mode: str) -> bool:
    return mode[:1] in ("w", "a", "x") and "+" not in mode


def _named(args: tuple[E.Expr, ...]) -> _Name:
    """The name of a file as far as it tells files apart: NumPy adds an ending where there is none.

    >>> _named((E.Const("out/rows.npy"),)), _named((E.Const("rows"),)), _named((E.Name("h"),))
    ('rows', 'rows', None)
    """
    first = args[0] if args else None
    return _plain(first.value if isinstance(first, E.Const | E.Ref) else None)


def _plain(value: object) -> _Name:
    if not isinstance(value, str | os.PathLike):
        return None
    name = os.path.basename(os.fspath(value))
    return name.partition(".")[0] if isinstance(name, str) else None


def _reading(fn: types.FunctionType) -> bool:
    """Whether code that is not followed may read a file."""
    return any(_NAMES & {*c.co_names} for f in reached_by_any(fn) for c in codes(f.__code__))
