"""Recipes: a function, the options, and what was compiled of it so far."""

from __future__ import annotations

import inspect
import re
import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from types import FunctionType

from adtrans.annotations.of_classes import kinds_of_parameters
from adtrans.arguments.inputs import Target
from adtrans.diagnostics.errors import AdtransError, CompileError
from adtrans.dispatch.compiled_version import Version
from adtrans.dispatch.dispatcher import Dispatcher, FunctionFor
from adtrans.driver.options import Options, Wrt
from adtrans.driver.report import Report
from adtrans.emit.load import load
from adtrans.ir.names import NameAllocator
from adtrans.pipeline import Compiled, Mode
from adtrans.recorder.fallback import falls
from adtrans.rules import lookup

SPELLED = "__adtrans_spelled__"


@dataclass(slots=True)
class Family:
    """All that was compiled of one function, by selection, mode and options.

    `derived`: the same of its gradients and Jacobians; `hvp` makes a gradient with every call.
    """

    fn: FunctionType
    members: dict[tuple[Hashable, ...], Dispatcher] = field(default_factory=dict)
    derived: dict[tuple[Hashable, ...], Family] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def of(self, *key: Hashable) -> Family:
        """That of a function that is derived from this one."""
        with self.lock:
            return self.derived.setdefault(key, Family(self.fn))

    def spelled(self) -> list[tuple[FunctionType, object]]:
        """What calls it with so many arguments, which it collects (`spelled_calls`)."""
        found: dict[object, tuple[FunctionType, object]] = self.fn.__dict__.get(SPELLED, {})
        return list(found.values())

    def __reduce__(self) -> tuple[object, ...]:
        return _no_family, ()  # a pickled or copied function starts with nothing compiled


def _no_family() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Recipe:
    """A function to differentiate and how. `origin` is what the user passed."""

    origin: object
    target: Target
    options: Options
    family: Family
    function_for: FunctionFor | None = None

    def dispatcher(
        self, wrt: tuple[str, ...], mode: Mode = "pullback", finals: tuple[str, ...] = ()
    ) -> Dispatcher:
        """The versions for this selection of parameters."""
        options = replace(self.options, wrt=None)
        key = (options, wrt, mode, finals)
        with self.family.lock:
            found = self.family.members.get(key)
            if found is None:
                found = Dispatcher(self.target, options, wrt, mode, finals, self.function_for)
                self.family.members[key] = found
        return found

    def select(self, wrt: Wrt = None) -> tuple[str, ...]:
        """The names of the parameters that are differentiated."""
        return self.target.select(self.options.wrt if wrt is None else wrt)

    def latest(self) -> Compiled:
        """What was compiled last; before the first call, a version for what annotations say."""
        return self.latest_version().compiled

    @property
    def always(self) -> bool:
        """Whether it is recorded without asking the compiler."""
        return self.options.on_unfollowed == "always"

    def source(self, compiled: Callable[[], Compiled] | None = None) -> str:
        """The source of what was compiled last, before the first call of a version for what
        annotations say, or of what `compiled` gives; rewritten, where the function is recorded."""
        if not self.always:
            try:
                found = self.latest_version().compiled if compiled is None else compiled()
            except AdtransError as error:
                if not falls(error, self.options):
                    raise
            else:
                return found.source
        from adtrans.recorder.shown import source_of

        return source_of(self.target.fn)

    def prepare(self) -> None:
        """Compile a version for what annotations say, if it is not recorded."""
        if not self.always:
            try:
                self.general()
            except AdtransError as error:
                if not falls(error, self.options):
                    raise

    def report(self) -> Report:
        """The report of the latest version, with what its last call kept.

        Of a function that is recorded, why; of one that is refused, the verdicts on its writes.
        """
        if self.always:
            return Report(self.target.fn.__name__, (), recorded=())
        try:
            version = self.latest_version()
        except AdtransError as error:
            if falls(error, self.options):
                return Report(self.target.fn.__name__, (), recorded=error.diagnostics)
            if not isinstance(error, CompileError) or error.report is None:
                raise
            return self.refusal() or error.report
        return replace(version.compiled.report, kept_bytes=version.meter.bytes)

    def compiled(self) -> list[tuple[tuple[Hashable, ...], Dispatcher]]:
        """All that was compiled of it, also for the arguments of calls, where it collects them."""
        fronts = (front.__dict__.get("__adtrans__") for front, _ in self.family.spelled())
        every = [self.family, *(f for f in fronts if isinstance(f, Family))]
        return [item for family in every for item in list(family.members.items())]

    def refusal(self) -> Report | None:
        """What was found out about the writes when a call was last refused."""
        found = [d.refused for _, d in self.compiled() if d.refused is not None]
        return found[-1] if found else None

    def latest_version(self) -> Version:
        """The version that was compiled last.

        Raises:
            AdtransError: why there is none, where the latest call was recorded.
        """
        options = replace(self.options, wrt=None)
        every = [d for (o, *_), d in self.compiled() if o == options]
        found = [d for d in every if d.last or d.recorded]
        if not found:
            return self.general()
        latest = max(found, key=lambda d: d.compiled_at)
        if latest.recorded is not None:
            raise latest.recorded.with_traceback(None)
        assert latest.last is not None
        return latest.last

    def general(self) -> Version:
        """The version for what the annotations say."""
        kinds = kinds_of_parameters(self.target.fn)
        return self.dispatcher(self.select()).general(kinds)


_PRIMITIVES: dict[int, tuple[object, FunctionType]] = {}


def primitive(fn: object) -> object:
    """A function that calls `fn`, where that has a rule; otherwise `fn` itself.

    >>> import numpy as np
    >>> primitive(np.tanh)(0.0)
    np.float64(0.0)
    """
    rule = lookup(fn)
    if rule is None or rule.any_arguments or (rule.custom is None and _is_plain(fn)):
        return fn
    params = [p for p in rule.params if rule.custom is not None or p.default is None]
    if any(p.form == "varargs" for p in params):
        return fn
    if id(fn) not in _PRIMITIVES:
        kinds = {
            "positional": inspect.Parameter.POSITIONAL_ONLY,
            "standard": inspect.Parameter.POSITIONAL_OR_KEYWORD,
            "keyword": inspect.Parameter.KEYWORD_ONLY,
        }
        empty = inspect.Parameter.empty
        head = inspect.Signature(
            [
                inspect.Parameter(
                    p.keyword,
                    kinds[p.form],
                    default=empty if p.default is None else p.default.value,
                )
                for p in params
            ]
        )
        named = ((p.keyword, p.form) for p in params)
        given = ", ".join(f"{n}={n}" if form == "keyword" else n for n, form in named)
        name = plain_name(fn)
        called = NameAllocator({*head.parameters, name}).fresh("primitive")
        text = f"def {name}{head}:\n    return {called}({given})\n"
        _PRIMITIVES[id(fn)] = fn, load(text, name, {called: fn})[name]
    return _PRIMITIVES[id(fn)][1]


def plain_name(fn: object) -> str:
    """The name of a callable, such as it is, as an identifier.

    >>> plain_name(lambda: 1)
    'lambda'
    """
    name = re.sub(r"\W+", "_", str(getattr(fn, "__name__", ""))).strip("_")
    return name if name.isidentifier() else "function"


def _is_plain(fn: object) -> bool:
    return isinstance(fn, FunctionType) and not fn.__module__.startswith("numpy")
