"""Compiled versions of a derivative, chosen by the kinds of the arguments.

A call whose arguments have the types, dtypes and shapes of an earlier one finds its version in one
dictionary; otherwise the kinds decide, and only a new combination of kinds is compiled.
"""

from __future__ import annotations

import logging
import threading
import time
import traceback
import weakref
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import FunctionType
from typing import Any, NoReturn

import numpy as np

from adtrans.analyses.held_by import unbound
from adtrans.analyses.kinds import kind_of_default, kinds_key, outside_key, param_kinds
from adtrans.analyses.stopped import by_layout
from adtrans.at_work import at_work, bounded
from adtrans.captured import Captured, capture
from adtrans.captured_walk import functions_in, held_in
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import (
    AdtransError,
    CallError,
    CompileError,
    DerivativeError,
    InputError,
    InternalError,
    MutationError,
)
from adtrans.diagnostics.signals import from_a_handler
from adtrans.diagnostics.span import Span
from adtrans.emit.load import load
from adtrans.exact_keys import exact_key, in_order, is_flag
from adtrans.inputs import Target, check_arguments
from adtrans.ir import expr as E
from adtrans.ir.kinds import Array, Kind
from adtrans.options import Options, caller_span
from adtrans.pipeline import Compiled, Mode, compile_function
from adtrans.recorder.fallback import falls, sizeless
from adtrans.report import Report
from adtrans.shared_arguments import check_objects, check_overlap, check_read
from adtrans.source import is_generated
from adtrans.source.namespaces import names_of
from adtrans.tracebacks import place_of, with_user_lines
from adtrans.transforms.footprint import measured
from adtrans.uncompiled import placed

FunctionFor = Callable[[dict[str, Kind]], FunctionType]

log = logging.getLogger("adtrans")

_MANY_SHAPES = 4096
DEFECTS = (
    AttributeError, IndexError, NameError, NotImplementedError, TypeError, ValueError, CallError,
    ZeroDivisionError,
)  # fmt: skip
"""What a pullback raises only if it was written wrongly, where a check of it fails, or where a
number of Python is divided by zero, of which NumPy makes infinity."""



@dataclass(slots=True)
class Meter:
    """The bytes that the last measured call kept. `always`: values are kept per iteration, so that
    every call is measured; otherwise the first one for each combination of shapes is."""

    always: bool
    bytes: int | None = None

    def read(self, residuals: object, args: tuple[object, ...]) -> None:
        """Measure the residuals of a call."""
        self.bytes = measured(residuals, args)


@dataclass(frozen=True, slots=True)
class Version:
    """One compiled derivative.

    `functions`: forward and pullback, or the pushforward alone. `captured`: what it was compiled
    for. `written`: the parameters that the function writes. `meter`: what its calls keep.
    `objects`: what was captured and may get another kind, with what its kind depended on. `wrt`:
    the parameters, or attributes and items of them, that were selected.
    """

    compiled: Compiled
    functions: tuple[FunctionType, ...]
    captured: Captured
    written: frozenset[str]
    meter: Meter
    objects: tuple[tuple[object, Hashable], ...] = ()
    wrt: tuple[str, ...] = ()

    def holds(self) -> bool:
        """Whether every captured name still means the same, and objects are still of that kind."""
        if not self.captured.holds():
            return False
        return self.alike()

    def alike(self) -> bool:
        """Whether what was captured is still of the kind that it had."""
        for table, text in self.compiled.tables:
            if repr(table) != text:
                return False
        for obj, key in self.objects:  # noqa: SIM110  # it is asked at each call
            if outside_key(obj) != key:
                return False
        return True

    def check(self, target: Target, values: tuple[Any, ...]) -> None:
        """Refuse arguments that share memory which is written, and objects that are seen twice.

        Raises:
            MutationError: AD308.
        """
        objects = [o for o in self.compiled.objects if o.single]
        table = dict(zip(target.params, values, strict=True)) if objects else {}
        if objects:
            captured = {id(v): v for v in map(unbound, self.captured.apart())}
            owners = [(o.text, o.value(table)) for o in objects]
            unnamed = (value for _, value in self.compiled.unnamed)
            outside = [*values, *captured.values(), *unnamed]
            read = self.captured.read_of_objects
            check_objects(target.fn, owners, outside, read, self.captured.followed)
        if self.captured.read:
            mine = {n: target.value(n, values) for n in self.wrt}
            check_read(target, mine, self.captured.read)
        if self.written:
            followed, reached = self.captured.followed, self.reached()
            check_overlap(target, values, self.written_paths, reached, followed)

    def reached(self) -> Iterator[tuple[str, object]]:
        """What the function reaches beside its arguments, each place once, by the names that paths
        begin with."""
        found = [a.owner for a in self.compiled.attributes if isinstance(a.owner, E.Ref)]
        owners = {id(o.value): (o.text, o.value) for o in found}
        yield from owners.values()
        followed = {
            (id(vars(value)), name)
            for _, value in owners.values()
            for name in names_of(value) or ()
        }
        known: set[tuple[str, int]] = set()
        places = [p for p in self.captured.items() if p[0] not in followed]
        for name, value in (*((at[1], unbound(v)) for at, v in places), *self.captured.globals):
            if id(value) not in owners and (name, id(value)) not in known:
                yield name, value
            known.add((name, id(value)))
        yield from self.compiled.unnamed

    @property
    def written_paths(self) -> frozenset[str]:
        """The parameters that the function writes, and the attributes, by their paths."""
        attributes = self.compiled.attributes
        return self.written | {a.path for a in attributes if a.name in self.written}

    @property
    def checked(self) -> bool:
        """Whether the arguments of each call have to be checked."""
        read = self.written or self.captured.read
        return bool(read) or any(o.single for o in self.compiled.objects)

    def entry(self, target: Target, values: tuple[Any, ...]) -> list[object]:
        """The attributes that the function reads, as they are before it runs."""
        if not self.compiled.attributes:
            return []
        table = dict(zip(target.params, values, strict=True))
        return [a.value(table) for a in self.compiled.attributes]

    @property
    def finals(self) -> tuple[str, ...]:
        """The written parameters whose final contents the pullback takes cotangents of."""
        return self.compiled.facts.finals

    def defect(self, error: Exception) -> Exception:
        """The error to raise where a pullback failed: its code is ours, not the user's.

        A singular matrix, say, is no defect and passes as it is.
        """
        if isinstance(error, CallError):
            self.diagnose(error, None)
        if isinstance(error, np.linalg.LinAlgError | AdtransError) or from_a_handler(error):
            return error
        fn = self.compiled.member.source.fn
        if isinstance(error, ZeroDivisionError):
            return self.singular(error)
        if isinstance(error, NotImplementedError):
            return CompileError(Diagnostic("AD409", str(error), self.whole()))
        return _internal(fn, {}, error)

    def singular(self, error: ZeroDivisionError) -> Exception:
        """What is told where a formula divides by zero; a rule of the user may raise it, too."""
        last = traceback.extract_tb(error.__traceback__)[-1].filename
        if not is_generated(last) and not Path(last).is_relative_to(Path(__file__).parent):
            return error
        found = DerivativeError(
            "the derivative divides by zero: it is infinite at these numbers, or there is none",
            code="AD603",
        )
        self.diagnose(found, None)
        return found

    def whole(self) -> Span:
        """The first line of the function."""
        code = self.compiled.member.source.fn.__code__
        return Span(code.co_filename, code.co_firstlineno, 0, code.co_firstlineno, 0)

    def diagnose(self, error: CallError, place: Span | None) -> None:
        """Give the error of a check its diagnostic, where it has none: with the places of use and
        write where these are known, else at the `place` of the user's that it came from."""
        if error.diagnostics and not error.vague:
            return
        said = str(error.args[0])
        problem = self.compiled.problem(said) if isinstance(error, MutationError) else None
        if problem is None:
            place = place or self.whole()
            error.vague = is_generated(place.file)  # perhaps it is known further out
            problem = Diagnostic(error.code, said, caller_span() if error.vague else place)
        error.code, error.diagnostics = problem.code, (problem,)

    def located(self, error: Exception) -> Exception:
        """An exception of the primal with the user's lines in its traceback; that of a check with
        its diagnostic."""
        found = with_user_lines(error, self.compiled.sources, self.compiled.source)
        if isinstance(found, CallError):
            self.diagnose(found, place_of(found, self.compiled.sources))
        return found


_DISPATCHERS: weakref.WeakSet[Dispatcher] = weakref.WeakSet()


def forget_versions(*, reports: bool = False) -> None:
    """What was compiled is compiled anew at the next call: a rule has been declared.

    Pullbacks that are held already go on as they are. `reports`: nor is anything left to report.
    """
    for d in list(_DISPATCHERS):
        d.forget()
        if reports:
            d.last = d.refused = d.recorded = None


class Dispatcher:
    """All versions of the derivative of one function, for one selection of parameters.

    `function_for` gives the function for arguments of certain kinds, where there is one for each.
    """

    def __init__(
        self,
        target: Target,
        options: Options,
        wrt: tuple[str, ...],
        mode: Mode = "pullback",
        finals: tuple[str, ...] = (),
        function_for: FunctionFor | None = None,
    ) -> None:
        self.function_for = function_for
        self.target, self.options, self.wrt = target, options, wrt
        self.mode, self.finals = mode, finals
        self.exact: dict[Hashable, Version] = {}
        self.versions: dict[Hashable, Version] = {}
        self.flagged: set[Hashable] = set()  # kinds for which there is a version for each flag
        self.otherwise: set[Hashable] = set()  # the keys for which there is another way
        self.unfollowed: dict[Hashable, AdtransError] = {}  # the keys for which it is recorded
        self.last: Version | None = None
        self.refused: Report | None = None
        self.recorded: AdtransError | None = None  # why the latest outcome is to record it
        self.compiled_at = 0.0
        self.lock = threading.RLock()
        _DISPATCHERS.add(self)

    def forget(self) -> None:
        """Drop all versions."""
        with self.lock:
            self.exact.clear()
            self.versions.clear()
            self.flagged.clear()
            self.otherwise.clear()
            self.unfollowed.clear()

    def is_unfollowed(self, key: Hashable) -> bool:
        """Was the function found not to be compiled for arguments like these, of whatever size?"""
        return bool(self.unfollowed) and sizeless(key) in self.unfollowed

    def falls(self, error: AdtransError, key: Hashable) -> bool:
        """Is the function recorded for arguments with that key, after this error? It is noted."""
        if not falls(error, self.options):
            return False
        self.unfollowed[sizeless(key)] = self.recorded = error
        self.compiled_at = time.perf_counter()
        return True

    def version(self, values: tuple[Any, ...]) -> Version:
        """The version for these values of all parameters, compiled if there is none yet.

        Raises:
            InputError: AD402, AD407, AD408 for arguments that cannot be differentiated.
            MutationError: AD308 where one that is written overlaps another.
            CompileError: with all that stands in the way.
        """
        key = exact_key(values)
        found = self.exact.get(key)
        if found is None or not found.holds():
            found = self._slow(key, values)
        if found.checked:
            found.check(self.target, values)
        return found

    def _slow(self, key: Hashable, values: tuple[Any, ...]) -> Version:
        with self.lock, bounded(self.target):
            check_arguments(self.target, values, self.wrt)
            kinds = kinds_key(values)
            with_flags = kinds, tuple((type(v), v) for v in values if is_flag(v))
            place: Hashable = with_flags if kinds in self.flagged else kinds
            found = self.versions.get(place)
            if found is not None and not found.holds():
                found = _refreshed(found)
            if found is None:
                given = dict(param_kinds(dict(zip(self.target.params, values, strict=True))))
                try:
                    found = self.compile(given if place is kinds else self.flags(given, values))
                except CompileError:
                    if place is with_flags or not with_flags[1]:
                        raise
                    found, place = self.compile(self.flags(given, values)), with_flags
                    self.flagged.add(kinds)
            self.versions[place] = found
            if self.options.on_unfollowed == "record" and not in_order(values):
                for facts in found.compiled.checking:
                    for why in by_layout(facts):  # told before anything runs
                        raise CompileError(why)
            if len(self.exact) >= _MANY_SHAPES:
                self.exact.clear()
            self.exact[key] = self.last = found
            self.recorded = None
            return found

    def flags(self, kinds: Mapping[str, Kind], values: tuple[Any, ...]) -> dict[str, Kind]:
        """The kinds with the values of arguments that are True, False or a small integer: perhaps
        what stands in the way is done with another one only."""
        given = dict(zip(self.target.params, values, strict=True))
        known = {n: kind_of_default(v) for n, v in given.items() if is_flag(v)}
        return {n: known.get(n, k) for n, k in kinds.items()}

    def general(self, kinds: dict[str, Kind]) -> Version:
        """A version for what is known without a call.

        Where that is too little, the parameters of unknown kind are taken for arrays.
        """
        try:
            return self.compile(kinds)
        except CompileError:
            if self.target.params and all(n in kinds for n in self.wrt):
                raise
            return self.compile({**{n: Array("float64", None) for n in self.wrt}, **kinds})

    def compile(self, kinds: dict[str, Kind]) -> Version:
        """A version for parameters of these kinds; those not listed are unknown."""
        with bounded(self.target):
            return self._compiled(kinds)

    def _compiled(self, kinds: dict[str, Kind]) -> Version:
        if self.options.backend != "numpy":
            _no_backend(self.options.backend)
        fn = self.target.fn
        own: list[Callable[..., Any]] = [fn, *functions_in(kinds)]
        captured = capture(own, _held(kinds))
        if self.function_for is not None:
            fn = self.function_for(kinds)
        started = time.perf_counter()
        try:
            with at_work(self, self.target, kinds):
                compiled = compile_function(
                    fn, kinds, self.options, self.mode, wrt=self.wrt, finals=self.finals
                )
            functions = tuple(compiled.function(n) for n in range(len(compiled.main)))
        except AdtransError as error:
            self.refused = getattr(error, "report", None)
            if isinstance(error, CompileError) and self.function_for is not None:
                error = placed(error, self.target.fn, caller_span())
            raise error.with_traceback(None) from None
        except Exception as error:  # how deep calls may be is a matter of the bound
            if isinstance(error, RecursionError) or from_a_handler(error):
                raise
            raise _internal(fn, kinds, error) from error
        if compiled.globals:
            captured = capture(own, _held(kinds), compiled.globals)
        captured = captured.with_read(compiled.read)
        log.debug("compiled `%s` in %.3f s", fn.__qualname__, time.perf_counter() - started)
        every = compiled.facts.memory.written
        outside = [o for o in every if o.form in ("param", "held", "global")]
        written = frozenset(o.key.rpartition(".")[2] for o in outside)
        self.compiled_at = time.perf_counter()
        meter = Meter(always=any(r.loops or r.how == "call" for r in compiled.report.kept))
        objects = captured.kinds()
        self.recorded = None
        self.last = Version(compiled, functions, captured, written, meter, objects, self.wrt)
        return self.last


def _refreshed(version: Version) -> Version | None:
    """The version with the present values of what it captured; None if it has to be compiled anew.

    The code is loaded again: pullbacks that are still held go on with the values they began with.
    """
    if not version.alike():
        return None
    now = version.captured.now()
    changes = now.changes(version.captured)
    if changes is None or (changes and version.compiled.fixed):
        return None
    module = version.compiled.module
    names = dict(module.globals)
    for name, (old, new) in changes.items():
        if names.get(name, old) is not old:
            return None
        names[name] = new
    compiled = replace(version.compiled, module=replace(module, globals=names))
    functions = tuple(compiled.function(n) for n in range(len(compiled.main)))
    return replace(
        version, compiled=compiled, captured=now, functions=functions, objects=now.kinds()
    )


def isolated(version: Version, n: int = 1) -> FunctionType:
    """The pullback with copies of the arrays that it reads from globals, where it reads any.

    With `n` 0 the forward function, or the pushforward.
    """
    compiled = version.compiled
    read = {n for f in compiled.functions.values() for n in f.__code__.co_names}
    arrays = {
        name: value.copy()
        for name, value in compiled.module.globals.items()
        if isinstance(value, np.ndarray) and name in read
    }
    if not arrays:
        return version.functions[n]
    names = {**compiled.module.globals, **arrays}
    name = compiled.member.source.name.strip("<>")
    return load(compiled.source, name, names)[compiled.main[n]]


def _held(kinds: dict[str, Kind]) -> Iterator[object]:
    """The classes of the objects among the arguments, whose methods are compiled, too, and the
    functions that these objects hold."""
    for kind in kinds.values():
        yield from held_in(kind)


def _no_backend(name: str) -> NoReturn:
    raise InputError(
        Diagnostic(
            "AD501",
            f"the backend `{name}` is not available",
            caller_span(),
            why="only the NumPy backend is part of this version.",
            fixes=[Fix('leave out `backend=`, or write backend="numpy"')],
        )
    )


def _internal(fn: FunctionType, kinds: dict[str, Kind], error: Exception) -> InternalError:
    code = fn.__code__
    shown = ", ".join(f"{name}: {kind}" for name, kind in kinds.items())
    return InternalError(
        Diagnostic(
            "AD901",
            f"adtrans failed on `{fn.__name__}`: {type(error).__name__}: {error}",
            Span(code.co_filename, code.co_firstlineno, 0, code.co_firstlineno, 0),
            why=f"this is a defect of adtrans, met when compiling for {shown or 'any arguments'}.",
            fixes=[Fix("please report this message, the function and the traceback")],
        )
    )
