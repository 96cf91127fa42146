"""One recorded run of a function: its value, and a pullback or tangents.

>>> import numpy as np
>>> def f(x, k):
...     total = 0.0
...     for row in x:
...         total += k * row[0] * row[1]
...     return float(total)
>>> ran = reverse(f, (np.array([[1.0, 2.0], [3.0, 4.0]]), 2.0), by_position, [Given(0), Given(1)])
>>> ran.value
28.0
>>> ran.pull(1.0)
[array([[4., 2.],
       [8., 6.]]), 14.0]
"""

from __future__ import annotations

import types
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from adtrans import tree
from adtrans.diagnostics.errors import DerivativeError, MutationError
from adtrans.ir.depth import Depth
from adtrans.recorder import (  # which fill in names of each other
    cached_functions,
    calls,
    escapes,
    hot,
    lent_methods,
    python_attributes,
    runtime,  # noqa: F401
)
from adtrans.recorder.arrays import _levels_of, operand
from adtrans.recorder.boxes import unboxed
from adtrans.recorder.levels import Forward, Level, Reverse
from adtrans.recorder.memory import REGIONS, STATE, Memory, region
from adtrans.recorder.numbers import ACTIVE, COMPLEX, PLAIN, active, innermost
from adtrans.recorder.recorded_refusals import refuse
from adtrans.recorder.sweep import Sweep
from adtrans.recorder.tools import PLAIN_TOOLS, RECORDED, Tools
from adtrans.recorder.touched import Touched
from adtrans.recorder.twins import Twin

_ndarray = np.ndarray
Form: TypeAlias = "Callable[[tuple[Any, ...]], tuple[tuple[Any, ...], Mapping[str, Any]]]"
"""From the values of all parameters to the arguments of a call."""


def by_position(values: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """All parameters are passed by position."""
    return values, {}


class Run:
    """What one run notes beside the operations.

    `twins`: the copies that differentiated arrays run as.

    `touched`: what active values were put into. `globals`: the names that were assigned, by
    namespace. `remembered`: results of cached functions. `met`: classes whose methods are
    lent. `spent`: how much was recorded in each function, by its code.
    """

    def __init__(self, level: Level) -> None:
        self.level: Any = level  # of one direction or the other
        self.memory = STATE.memory
        self.mark = object()
        self.touched = Touched()
        self.globals: dict[int, tuple[dict[str, Any], set[str]]] = {}
        self.twins: list[Twin] = []
        self.remembered: dict[int, cached_functions.Memory] = {}
        self.met: set[type] = set()
        self.spent: dict[types.CodeType, hot.Spent] = defaultdict(hot.Spent)

    def twin(self, a: Any) -> tuple[Any, Memory]:
        """The copy that a differentiated array runs as, and its memory."""
        made = Twin(a)
        made.memory.made = self.mark
        self.twins.append(made)
        return made.copy, made.memory


@dataclass(frozen=True)
class Given:
    """An argument that is differentiated: the parameter at a place, or a part of it.

    `path`: attributes (strings) and items (in a tuple of one) that lead from it to the part.
    """

    at: int
    path: tuple[Any, ...] = ()

    def value(self, args: list[Any]) -> Any:
        """The part, as it is."""
        found = args[self.at]
        for step in self.path:
            found = found[step[0]] if isinstance(step, tuple) else getattr(found, step)
        return found

    def put(self, args: list[Any], new: Any, places: set[Any]) -> None:
        """Another value in its place, which is added to `places`.

        Raises:
            MutationError: AD308 where it is among them.
        """
        if not self.path:
            args[self.at] = new
            return
        *way, last = self.path
        around = Given(self.at, tuple(way))
        holder = around.value(args)
        if isinstance(holder, tuple):  # another one in its place
            items = [new if k == last[0] else item for k, item in enumerate(holder)]
            around.put(args, tree.rebuilt(holder, items), set())
            return
        if (id(holder), last) in places:
            raise MutationError("one part of an object is differentiated under two names",
                                code="AD308")  # fmt: skip
        places.add((id(holder), last))
        _put(holder, last, new)


def _put(holder: Any, step: Any, new: Any) -> None:
    STATE.runs[-1].touched[id(holder)] = holder
    if not isinstance(step, tuple):
        object.__setattr__(holder, step, new)
    elif isinstance(holder, list):
        list.__setitem__(holder, step[0], new)
    elif isinstance(holder, dict):
        dict.__setitem__(holder, step[0], new)
    else:
        said = "a number in a tuple or an object that cannot be changed"
        raise DerivativeError(said, code="AD402")


def _started(value: Any, start: Callable[[Any, Any], Any], seen: dict[int, Any]) -> Any:
    """A value whose numbers are active: containers are changed in place, tuples made anew."""
    if tree.is_leaf(value):
        return start(value, None)
    if isinstance(value, tuple):
        parts = [_started(v, start, seen) for v in value]
        return tree.rebuilt(value, parts)
    if id(value) in seen:
        said = "a list or an object is there twice in what is differentiated"
        raise DerivativeError(said, code="AD402")
    seen[id(value)] = value
    if isinstance(value, list):
        steps: list[Any] = [(k,) for k in range(len(value))]
    elif isinstance(value, dict):
        steps = [(k,) for k in value]
    else:
        steps = list(tree.attributes(value))
    for step, part in zip(steps, list(tree.children(value)), strict=True):
        new = _started(part, start, seen)
        if new is not part:
            _put(value, step, new)
    return value


def _ends(value: Any, level: Level) -> list[Any]:
    """For each leaf of a tree its place or region, None for a constant."""
    found = []
    for leaf in tree.leaves(value):
        leaf = unboxed(leaf)
        known = (type(leaf) is _ndarray and leaf.dtype.kind in "fc") or type(leaf) in PLAIN
        found.append(operand(leaf, level) if known and level in _levels_of(leaf) else None)
    return found


def shaped(found: Any, like: Any) -> Any:
    """An adjoint or tangent in the form of a leaf; active numbers stay active."""
    if type(like) is _ndarray:
        return found
    cls = PLAIN.get(type(like), type(like))
    if cls not in ACTIVE:
        return None
    if found is None:
        return cls(0.0)
    if type(found) in PLAIN:
        found = innermost(found, STATE.ceiling)
    if type(found) in PLAIN:
        return calls.call(cls, found)
    if isinstance(found, _ndarray):
        found = RECORDED.getitem(found, ()) if STATE.runs else found[()]
        return shaped(found, like)
    return cls(found.real if isinstance(found, COMPLEX)
               and not issubclass(cls, COMPLEX) else found)  # fmt: skip


@dataclass
class Recorded:
    """A recorded run: the value, and its record.

    `starts`: for each differentiated argument the places and regions of its leaves. `forms`: those
    arguments as they were. `ends`: the same of the value; `finals` of all arguments, by place.
    """

    value: Any
    level: Reverse
    run: Run
    starts: list[list[Any]]
    forms: list[Any]
    ends: list[Any]
    finals: dict[int, list[Any]] = field(default_factory=dict)

    def pull(self, y_bar: Any, final: Mapping[int, Any] | None = None) -> list[Any]:
        """The gradients for a cotangent of the value, which has its structure."""
        sweep = Sweep(self.level)
        self._seed(sweep, self.ends, self.value, y_bar)
        for at, bar in (final or {}).items():
            self._seed(sweep, self.finals[at], None, bar)
        sweep.run()
        return [
            self._gradient(sweep, ends, form)
            for ends, form in zip(self.starts, self.forms, strict=True)
        ]

    def _seed(self, sweep: Sweep, ends: list[Any], value: Any, bar: Any) -> None:
        bars = tree.leaves(bar) if len(ends) != 1 or not tree.is_leaf(bar) else [bar]
        for end, part in zip(ends, bars, strict=True):
            if end is not None and part is not None:
                sweep.add(end, part, False)

    def _gradient(self, sweep: Sweep, starts: list[Any], form: Any) -> Any:
        waiting = iter(starts)

        def one(leaf: Any) -> Any:
            start = next(waiting)
            if start is None:
                return None
            if type(start) not in REGIONS:
                return shaped(sweep.bars[start], leaf)
            bar = sweep.given_away(start)
            return np.zeros(leaf.shape, leaf.dtype) if bar is None else bar

        return tree.map(one, form)

    def keep(self) -> None:
        """Make the record independent of memory that others can write: it is copied."""
        open_ = escapes.owners((self.value, self.run.touched.holders(), [
            names[n] for names, assigned in self.run.globals.values() for n in assigned
        ]))  # fmt: skip
        copies: dict[Any, Any] = {}
        for memory in list(self.level.seen):
            private = memory.made is self.run.mark and id(memory.owner()) not in open_
            for level, entry, k, _ in memory.needs if not private else ():
                if level is self.level:
                    entry.copy_kept(level, k, copies)
            memory.forget(self.level)


def _outline(value: Any) -> Any:
    """A tree as it is on entry: arrays need no memory for that."""

    def one(leaf: Any) -> Any:
        if type(leaf) is _ndarray:
            return np.broadcast_to(np.zeros((), leaf.dtype), leaf.shape)
        return leaf

    return tree.map(one, value)


def _run(
    f: Any, args: list[Any], form: Form, level: Level, run: Run,
    before: Callable[[], None], ended: Callable[[Any], Any],
) -> Any:  # fmt: skip
    """Call a function with a level that records; put everything right when it ends."""
    if not STATE.runs:
        python_attributes.forget()
    STATE.runs.append(run)
    STATE.settle()
    Depth.enter()
    mark, half_done = len(STATE.refused), len(STATE.half_done)
    try:
        before()
        positional, keywords = form(tuple(args))
        lent_methods.meet_all(*lent_methods.held(f), *positional, *keywords.values())
        result = calls.call(f, *positional, **keywords)
        if STATE.refused[mark:]:
            raise STATE.refused[mark]
        if STATE.half_done[half_done:]:
            raise STATE.half_done[half_done]
        if type(result) is types.GeneratorType:
            refuse("a generator", "it has computed nothing yet", code="AD204")
        return ended(result)
    except Exception as error:
        if STATE.refused[mark:] and error is not STATE.refused[mark]:
            raise STATE.refused[mark] from error  # it was caught, which the plain run does not do
        raise
    finally:
        level.end()
        STATE.runs.pop()
        if not STATE.runs:
            lent_methods.give_back(run)
        STATE.settle()
        Depth.leave()
        if not STATE.runs:
            STATE.texts.clear()
            STATE.refused.clear()
            STATE.half_done.clear()
        try:
            for twin in run.twins:
                twin.end(run.twins)
        finally:
            escapes.put_right(run.touched.holders(), run.globals, run.twins)
        if STATE.runs:  # what is active further out may still be in there
            STATE.runs[-1].touched.absorb(run.touched)
            for key, (names, assigned) in run.globals.items():
                STATE.runs[-1].globals.setdefault(key, (names, set()))[1].update(assigned)


def reverse(
    f: Any, args: tuple[Any, ...], form: Form, given: list[Given],
    saves: bool = False,
) -> Recorded:  # fmt: skip
    """Run a function and record it."""
    level, values = Reverse(len(STATE.runs), saves), list(args)
    run = Run(level)
    starts: list[list[Any]] = []
    forms = [_outline(g.value(values)) for g in given]
    numbers: list[Any] = []
    seen: dict[int, Any] = {}
    places: set[Any] = set()

    def start(leaf: Any, _: Any) -> Any:
        if type(leaf) is _ndarray:
            if leaf.dtype.kind not in "fc":
                numbers.append(None)
                return leaf
            copy, memory = run.twin(leaf)
            level.activate(memory)
            numbers.append(region(copy, memory))
            return copy
        if type(leaf) not in ACTIVE:
            numbers.append(None)
            return leaf
        place = level.start()
        numbers.append(place)
        return active(innermost(leaf, STATE.ceiling), level, place)

    def before() -> None:
        for g in given:
            numbers.clear()
            old = g.value(values)
            new = _started(old, start, seen)
            if new is not old:
                g.put(values, new, places)
            starts.append([*numbers])

    def ended(result: Any) -> Recorded:
        ends = _ends(result, level)
        finals = {k: _ends(v, level) for k, v in enumerate(values) if _is_tree(v)}
        level.end()
        return Recorded(escapes.cleaned(result, run.twins), level, run, starts, forms, ends, finals)

    try:
        found: Recorded = _run(f, values, form, level, run, before, ended)
    except BaseException:
        level.close()
        raise
    return found


def _is_tree(value: Any) -> bool:
    return type(value) in (_ndarray, list, dict, tuple)


def forward(
    f: Any, args: tuple[Any, ...], form: Form, given: list[Given],
    dots: list[Any], saves: bool = False,
) -> tuple[Any, Any]:  # fmt: skip
    """Run a function with tangents: the value and its tangent."""
    tools: Tools = RECORDED if STATE.runs else PLAIN_TOOLS
    level, values = Forward(len(STATE.runs), saves, tools), list(args)
    run = Run(level)
    waiting: list[Any] = []
    seen: dict[int, Any] = {}
    places: set[Any] = set()

    def start(leaf: Any, _: Any) -> Any:
        dot = waiting.pop(0)
        if dot is None:
            return leaf
        if type(leaf) is _ndarray:
            if leaf.dtype.kind in "fc":
                copy, memory = run.twin(leaf)
                level.activate(memory)
                tools.setitem(level.tangent(region(copy, memory)), ..., dot)
                return copy
            return leaf
        if type(leaf) not in ACTIVE:
            return leaf
        return active(innermost(leaf, STATE.ceiling), level, dot)

    def before() -> None:
        for g, dot in zip(given, dots, strict=True):
            old = g.value(values)
            waiting[:] = tree.leaves(dot) if not tree.is_leaf(old) else [dot]
            new = _started(old, start, seen)
            if new is not old:
                g.put(values, new, places)

    def ended(result: Any) -> tuple[Any, Any]:
        ends = iter(_ends(result, level))

        def one(leaf: Any) -> Any:
            end = next(ends)
            if end is None:
                return _zero(leaf)
            if type(end) in REGIONS:
                return tools.copy(level.tangent(end))
            return shaped(end, unboxed(leaf))

        level.end()
        dot = tree.map(one, result)
        return escapes.cleaned(result, run.twins), dot

    try:
        found: tuple[Any, Any] = _run(f, values, form, level, run, before, ended)
    finally:
        level.close()
    return found


def _zero(leaf: Any) -> Any:
    if type(leaf) is _ndarray:
        return np.zeros(leaf.shape, leaf.dtype) if leaf.dtype.kind in "fc" else None
    cls = PLAIN.get(type(leaf), type(leaf))
    return cls(0.0) if cls in ACTIVE else None
