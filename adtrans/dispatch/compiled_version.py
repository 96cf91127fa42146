"""A compiled version of a derivative: what it was compiled for, and what its errors become."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from adtrans.analyses.held_by import unbound
from adtrans.analyses.kinds import outside_key
from adtrans.arguments.inputs import Target
from adtrans.arguments.shared_arguments import check_objects, check_overlap, check_read
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import (
    AdtransError,
    CallError,
    CompileError,
    DerivativeError,
    InternalError,
    MutationError,
)
from adtrans.diagnostics.handler_errors import from_a_handler
from adtrans.diagnostics.span import Span
from adtrans.dispatch.tracebacks import place_of, with_user_lines
from adtrans.driver.options import Options, caller_span
from adtrans.emit.load import load
from adtrans.guards.captured import Captured
from adtrans.ir import expr as E
from adtrans.ir.kinds import Kind
from adtrans.pipeline import Compiled
from adtrans.source import is_generated
from adtrans.transforms.footprint import measured

log = logging.getLogger("adtrans")

DEFECTS = (
    AttributeError, IndexError, NameError, NotImplementedError, TypeError, ValueError, CallError,
    ZeroDivisionError,
)  # fmt: skip
"""What a pullback raises only if it was written wrongly, where a check of it fails, or where a
number of Python is divided by zero, of which NumPy makes infinity."""
_GUESSES = frozenset({
    "asked", "check_carried", "check_given", "check_keys",
    "check_method", "check_named", "check_plain", "whole_number",
})  # fmt: skip
"""The functions of `runtime` that see whether what the code was made for is what the run brings."""


@dataclass(slots=True)
class Meter:
    """The bytes that the last measured call kept. `always`: values are kept per iteration, so that
    every call is measured; otherwise the first one for each combination of shapes is."""

    always: bool
    bytes: int | None = None

    def read(self, residuals: object, args: tuple[object, ...]) -> None:
        """Measure the residuals of a call."""
        self.bytes = measured(residuals, args)


@dataclass(frozen=True)
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
        for obj, key in self.objects:  # noqa: SIM110  # it is asked at each call
            if outside_key(obj) != key:
                return False
        return True

    def check(self, target: Target, values: tuple[Any, ...]) -> None:
        """Refuse arguments that share memory which is written, and objects that are seen twice.

        Raises:
            MutationError: AD308.
        """
        if self.captured.read:  # first: no way of differentiating knows which of the two is meant
            mine = {n: target.value(n, values) for n in self.wrt}
            check_read(target, mine, self.captured.read)
        objects = [o for o in self.compiled.objects if o.single]
        table = dict(zip(target.params, values, strict=True)) if objects else {}
        if objects:
            captured = {id(v): v for v in map(unbound, self.captured.apart())}
            owners = [(o.text, o.value(table)) for o in objects]
            unnamed = (value for _, value in self.compiled.unnamed)
            outside = [*values, *captured.values(), *unnamed]
            read = self.captured.read_of_objects
            check_objects(target.fn, owners, outside, read, self.captured.followed)
        if self.written:
            followed, reached = self.captured.followed, self.reached()
            check_overlap(target, values, self.written_paths, reached, followed)

    def reached(self) -> Iterator[tuple[str, object]]:
        """What the function reaches beside its arguments, each place once, by the names that paths
        begin with."""
        refs = [a.owner for a in self.compiled.attributes if isinstance(a.owner, E.Ref)]
        owners = {id(o.value): (o.text, o.value) for o in refs}
        yield from owners.values()
        known: set[tuple[str, int]] = set()
        for (_, name), found in self.captured.items():
            value = unbound(found)
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
        return internal(fn, {}, error)

    def singular(self, error: ZeroDivisionError) -> Exception:
        """What is told where a formula divides by zero; a rule of the user may raise it, too."""
        last = traceback.extract_tb(error.__traceback__)[-1].filename
        if not is_generated(last) and not Path(last).is_relative_to(Path(__file__).parents[1]):
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

    @property
    def may_run_twice(self) -> bool:
        """Does a call of the forward function do nothing that can be seen?"""
        return self.compiled.repeatable and not self.written

    @cached_property
    def guesses(self) -> bool:
        """Was something taken for granted that is only seen when it runs?"""
        used = (n for f in self.compiled.functions.values() for n in f.__code__.co_names)
        return not _GUESSES.isdisjoint(used)

    def gives_way(self, error: Exception, options: Options) -> bool:
        """Is the call recorded, after a check of the compiled code has failed, or that code itself?

        Only where nothing was done that can be seen. Which error is the user's own is then told by
        the recorder, which knows all that happens.
        """
        if options.on_unfollowed != "record" or not self.may_run_twice:
            return False
        if isinstance(error, InternalError):
            log.warning("the compiled code failed; the call is recorded instead: %s",
                        error.diagnostics[0].title)  # fmt: skip
        return isinstance(error, CallError | InternalError)

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


def guessed(version: Version) -> CompileError:
    """Why a function is recorded that would have to be given up in the middle."""
    return CompileError(
        Diagnostic(
            "AD202",
            "what this function is given, or makes, is only known when it runs",
            version.whole(),
            why="compiled code would find out too late that it was made for something else",
            fixes=[Fix("make it plain: `int(k)` of a subscript, arrays and numbers as arguments")],
        )
    )


def refreshed(version: Version) -> Version | None:
    """The version with the present values of what it captured; None if it has to be compiled anew.

    The code is loaded again: pullbacks that are still held go on with the values they began with.
    """
    if not version.alike():
        return None
    now = version.captured.now()
    changes = now.changes(version.captured)
    if changes is None:
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


def internal(fn: FunctionType, kinds: dict[str, Kind], error: Exception) -> InternalError:
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
