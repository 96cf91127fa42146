"""The sources of functions and their lowered forms, with the attributes of objects as variables."""

from __future__ import annotations

import inspect
import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from adtrans.analyses.objects.expand import unfollowed
from adtrans.analyses.objects.functions import Followed
from adtrans.analyses.objects.known_functions import LOWERED
from adtrans.analyses.objects.outside import from_outside
from adtrans.diagnostics.errors import CompileError
from adtrans.diagnostics.span import Span
from adtrans.driver.callees import user_function
from adtrans.driver.instances import Main
from adtrans.driver.uncompiled import NoSecond, global_object, without_second
from adtrans.ir import stmt as S
from adtrans.ir.effort import look_into, spend, spent_on
from adtrans.ir.kinds import Kind
from adtrans.lower import lower
from adtrans.lower.assigned_globals import assigned_globals
from adtrans.lower.lift import lifted
from adtrans.rules import run_again
from adtrans.rules.in_python import in_python
from adtrans.source import SourceFunction, get_source, is_generated
from adtrans.source.global_names import Global
from adtrans.source.libraries import is_library, package_of
from adtrans.source.reach import (
    assigned_behind,
    assigned_by,
    reached,
    written_behind,
)

READ = "_adtrans_read"  # what a generated function was made from
_LOWERING = 100  # steps, beside those that are counted
WRITABLE = (np.ndarray, list, dict)


@dataclass(frozen=True, slots=True)
class Read:
    """A function with its source, lifted, and its lowered form."""

    fn: object
    source: SourceFunction
    body: S.Function


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A function that has no lowered form, and why."""

    fn: object
    why: CompileError


@dataclass(kw_only=True)
class Lowered:
    """Finds each function once.

    `parting`: arguments that are dictionaries of arrays, and followed like objects.
    `found`: globals that are assigned, `changed`: those that this program writes into. `each`:
    where what stands twice runs twice; `twice`: where it has to (`analyses.looks`). `reverse`:
    whether a pullback is made. `read`: what other attempts at the same function have found,
    `unreadable`: what they could not read. `unfollowed`: functions that are called as they are, by
    identity.
    """

    lowered: dict[int, tuple[SourceFunction, S.Function]] = field(default_factory=dict)
    unfollowed: dict[int, types.FunctionType] = field(default_factory=dict)
    made: dict[int, types.FunctionType] = field(default_factory=dict)
    followed: Followed = field(init=False)
    parting: frozenset[str] = frozenset()
    assuming: bool = False
    found: set[Global] = field(default_factory=set)
    changed: set[Global] = field(default_factory=set)
    read: dict[int, Read] = field(default_factory=dict)
    unreadable: dict[int, Unreadable] = field(default_factory=dict)
    each: frozenset[Span] = frozenset()
    twice: set[Span] = field(default_factory=set)
    reverse: bool = True

    def __post_init__(self) -> None:
        self.followed = Followed(
            self.readable,
            user_function if self.reverse else _followed,
            register=self.register,
            assuming=self.assuming,
            twice=self.twice,
        )

    def source(self, fn: object) -> tuple[SourceFunction, S.Function]:
        """The source of a function and its lowered form with objects followed, found once.

        Raises:
            CompileError: AD1xx without a source, AD2xx for what cannot be expressed, AD207 for a
                function that writes attributes of a global object and is not called directly.
        """
        if id(fn) in self.made:
            return self.lowered[id(fn)]
        source, ir = self.raw(fn)
        found = self.followed.function(fn)
        if found is None:
            return source, unfollowed(ir)
        body = self.followed.plain(found[0])
        if body.ins:
            raise CompileError(global_object(source))
        self.unfollowed[id(fn)] = found[0]
        return source, body.fn

    def raw(self, fn: object) -> tuple[SourceFunction, S.Function]:
        """The source of a function and its lowered form."""
        if isinstance(fn, types.FunctionType) and (known := vars(fn).get(LOWERED)) is not None:
            return known  # type: ignore[no-any-return]  # as it was put there
        if id(fn) not in self.lowered:
            try:
                source, body = self.found_before(fn) or self.found_now(fn)
                if is_generated(body.span.file) and (why := without_second(body)):
                    raise NoSecond(why)
                self.lowered[id(fn)] = (source, body)
            except CompileError:
                self.unseen(fn)
                raise
        return self.lowered[id(fn)]

    def functions(self) -> tuple[types.FunctionType, ...]:
        """The functions, as the user wrote them, whose sources were read."""
        found: dict[types.FunctionType, None] = {}
        for source, _ in self.lowered.values():
            fn = source.fn
            if is_generated(fn.__code__.co_filename):
                found.update(dict.fromkeys(vars(fn).get(READ, ())))
            elif not is_library(fn.__module__):
                found[fn] = None
        return tuple(found)

    def found_before(self, fn: object) -> tuple[SourceFunction, S.Function] | None:
        """What another attempt has found, if nothing runs once that has to run twice."""
        known = self.read.get(id(fn))
        if known is None or not self.each.isdisjoint(known.body.shared):
            return None
        return known.source, known.body

    def found_now(self, fn: object) -> tuple[SourceFunction, S.Function]:
        """The source and the lowered form; notes the globals that the function assigns."""
        plain = get_source(fn)
        code = plain.fn.__code__
        look_into(code, package_of(code.co_filename))
        with spent_on(code):
            return self._found_now(fn, plain)

    def _found_now(
        self, fn: object, plain: SourceFunction
    ) -> tuple[SourceFunction, S.Function]:
        spend(_LOWERING)
        self.found |= {*assigned_globals(plain)}
        if id(fn) in self.unreadable:
            raise self.unreadable[id(fn)].why.with_traceback(None)
        try:
            source = lifted(plain)
            body = lower(source, self.each, not self.reverse)
        except CompileError as why:
            self.unreadable[id(fn)] = Unreadable(fn, why)
            raise
        self.read[id(fn)] = Read(fn, source, body)
        return source, body

    def unseen(self, fn: object) -> None:
        """Notes the globals that code which is not followed may assign or write."""
        self.found |= {*assigned_behind(fn)}
        for g in written_behind(fn):
            self.found |= {g} if isinstance(g.table[g.name], WRITABLE) else set()

    def named_unseen(self, fn: object) -> None:
        """Notes the globals that functions assign which `fn` reaches and which are not lowered."""
        for f in reached(fn):
            if id(f) not in self.lowered:
                self.found |= {*assigned_by(f)}

    def readable(self, fn: types.FunctionType) -> tuple[SourceFunction, S.Function] | None:
        """The same, None for what cannot be read or expressed."""
        try:
            return self.raw(fn)
        except CompileError:
            return None

    def register(
        self, fn: types.FunctionType, source: SourceFunction, ir: S.Function
    ) -> None:
        """`fn` stands for a function that was rewritten."""
        self.made[id(fn)] = fn
        self.lowered[id(fn)] = (source, ir)
        vars(fn)[LOWERED] = (source, ir)  # generated code may call it, and be differentiated

    def root(self, fn: object, kinds: Mapping[str, Kind], wrt: tuple[str, ...]) -> Main:
        """The function to analyse for `fn`, with attributes that it reads as further parameters.

        `wrt` may name attributes of parameters: `self.Q`.
        """
        other = in_python(fn)  # of SciPy's, which is called by the same names
        if other is not None and _names(other) == _names(fn):
            fn, other = other, None
        source, ir = self.raw(fn)
        self.followed.inert = is_generated(ir.span.file)
        found = self.followed.function(fn)
        if found is None or other is not None:
            return Main(fn)
        self.followed.entry = id(found[0])
        made = from_outside(self.followed, found[0], kinds, wrt, self.parting)
        if made is None:
            return Main(fn)
        ir, attributes, objects, results, written = made
        return Main(self.stand_in(source, ir), attributes, objects, results, written)

    def stand_in(self, source: SourceFunction, ir: S.Function) -> object:
        """A function object that stands for a rewritten one."""
        own = source.fn
        made = types.FunctionType(own.__code__, own.__globals__, None, None, own.__closure__)
        self.register(made, source, ir)
        return made


def _names(fn: object) -> list[str]:
    """The parameters of a function."""
    return [*inspect.signature(cast("types.FunctionType", fn)).parameters]


def _followed(obj: object) -> types.FunctionType | None:
    """The function behind what a call means where nothing is run again: that of a checkpoint."""
    again = run_again(obj)
    return user_function(obj if again is None else again)
