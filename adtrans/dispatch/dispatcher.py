"""Compiled versions of a derivative, chosen by the kinds of the arguments.

A call whose arguments have the types, dtypes and shapes of an earlier one finds its version in one
dictionary; otherwise the kinds decide, and only a new combination of kinds is compiled.
"""

from __future__ import annotations

import logging
import threading
import time
import weakref
from collections.abc import Callable, Hashable, Iterator, Mapping
from types import FunctionType
from typing import Any, NoReturn

from adtrans.analyses.kinds import kind_of_default, kinds_key, param_kinds
from adtrans.analyses.stopped import by_layout
from adtrans.arguments.inputs import Target, check_arguments
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import (
    AdtransError,
    CompileError,
    InputError,
    MutationError,
)
from adtrans.diagnostics.handler_errors import from_a_handler
from adtrans.dispatch.at_work import at_work, bounded
from adtrans.dispatch.compiled_version import Meter, Version, guessed, internal, refreshed
from adtrans.dispatch.exact_keys import exact_key, in_order, is_flag
from adtrans.driver.options import Options, caller_span
from adtrans.driver.report import Report
from adtrans.driver.uncompiled import placed
from adtrans.guards.captured import capture
from adtrans.guards.captured_walk import functions_in, held_in
from adtrans.ir.kinds import Array, Kind
from adtrans.pipeline import Mode, compile_function
from adtrans.recorder.fallback import falls, sizeless

FunctionFor = Callable[[dict[str, Kind]], FunctionType]

log = logging.getLogger("adtrans")

_MANY_SHAPES = 4096
_DISPATCHERS: weakref.WeakSet[Dispatcher] = weakref.WeakSet()
_Errors = dict[Hashable, AdtransError]
_UNFOLLOWED: weakref.WeakKeyDictionary[Any, _Errors] = weakref.WeakKeyDictionary()
"""Why functions cannot be compiled, for which arguments: that is so in each direction, and for each
derivative that is taken."""


def forget_versions(*, reports: bool = False) -> None:
    """What was compiled is compiled anew at the next call: a rule has been declared.

    Pullbacks that are held already go on as they are. `reports`: nor is anything left to report.
    """
    _UNFOLLOWED.clear()
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
        if not (self.unfollowed or _UNFOLLOWED):
            return False
        short = sizeless(key)
        if short in self.unfollowed:
            return True
        if not _UNFOLLOWED or self.options.on_unfollowed != "record":
            return False
        known = _UNFOLLOWED.get(self.target.fn, {})
        error = known.get(short) or known.get((short, self.wrt))
        if error is not None:
            self.falls(error, key)
        return error is not None

    def falls(self, error: AdtransError, key: Hashable) -> bool:
        """Is the function recorded for arguments with that key, after this error? It is noted."""
        if not falls(error, self.options):
            return False
        if isinstance(error, MutationError):  # of these arguments, and of no others like them
            self.recorded = error
            return True
        short = sizeless(key)
        self.unfollowed[short] = self.recorded = error
        if isinstance(error, CompileError):
            codes = {d.code for d in error.diagnostics}
            if "AD208" in codes:  # it takes too long, whatever it is differentiated by
                _UNFOLLOWED.setdefault(self.target.fn, {})[short] = error
            elif all(c[:3] in ("AD1", "AD2", "AD4") for c in codes):
                _UNFOLLOWED.setdefault(self.target.fn, {})[short, self.wrt] = error
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
            if self.is_unfollowed(key):
                raise self.unfollowed[sizeless(key)].with_traceback(None)
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
                found = refreshed(found)
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
            raise internal(fn, kinds, error) from error
        captured = captured.with_read(compiled.read)
        log.debug("compiled `%s` in %.3f s", fn.__qualname__, time.perf_counter() - started)
        every = compiled.facts.memory.written
        outside = [o for o in every if o.form in ("param", "held", "global")]
        written = frozenset(o.key.rpartition(".")[2] for o in outside)
        self.compiled_at = time.perf_counter()
        meter = Meter(always=any(r.loops or r.how == "call" for r in compiled.report.kept))
        objects = captured.kinds()
        self.recorded = None
        found = Version(compiled, functions, captured, written, meter, objects, self.wrt)
        if self.options.on_unfollowed == "record" and found.guesses and not found.may_run_twice:
            raise guessed(found)
        self.last = found
        return found


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
