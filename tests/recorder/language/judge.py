"""The judge of recorded programs: value, side effects and derivatives, against the plain run.

A program is declared with the arguments that it is run with, `@program(A)`; where it changes
something that outlives it, `@world(A)` makes a fresh function and what it may change each time.
The recorded run must give the same value, bit for bit and of the same type, leave its arguments and
what it changed as the plain run does, print the same, and leave no active number anywhere; the
gradient, the tangent and the product with the Hessian are compared with central differences.
"""

from __future__ import annotations

import contextlib
import copy
import io
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import adtrans as ad
from adtrans.recorder.memory import STATE
from adtrans.recorder.numbers import PLAIN
from adtrans.recorder.recorded_needs import WRITTEN
from tests.recorder.language.hoisted import PLACE, hoisted

X = np.array([0.6, 0.9, 1.3, 0.7])
"""What most programs are given."""


@dataclass(frozen=True)
class Program:
    """`make()` gives the function and a list of what it may change. `twice`: second order too."""

    name: str
    make: Callable[[], tuple[Callable[..., Any], list[Any]]]
    args: tuple[Any, ...]
    twice: bool

    def given(self) -> tuple[Any, ...]:
        """Fresh arguments."""
        return copy.deepcopy(self.args)


PROGRAMS: dict[str, Program] = {}


def _declared(f: Any, make: Any, args: tuple[Any, ...], twice: bool) -> Any:
    name = f"{f.__module__.rpartition('.')[2]}.{f.__name__}"
    PROGRAMS[name] = Program(name, make, args or (X,), twice)
    return f


def program(
    *args: Any, kept: tuple[Any, ...] = (), twice: bool = True, also_hoisted: bool = True
) -> Callable[[Any], Any]:
    """A program that may be run again as it is. `kept`: objects that it reads."""

    def declared(f: Any) -> Any:
        _declared(f, lambda: (f, [*kept]), args, twice)
        outside = hoisted(f, f.__name__) if also_hoisted else None
        if outside is not None:
            outside.__module__ = f"{f.__module__}.hoisted"
            name = f"{f.__module__.rpartition('.')[2]}.{f.__name__}"
            PROGRAMS[f"{name} hoisted"] = Program(
                name, lambda: (outside, [*kept]), args or (X,), twice
            )
        return f

    return declared


def world(*args: Any, twice: bool = True) -> Callable[[Any], Any]:
    """What makes a program, and what it may change, anew for each run."""
    return lambda make: _declared(make, make, args, twice)


# -- the plain run --------------------------------------------------------------------------------


def numbers(tree: Any) -> list[float]:
    """All numbers of a result or an argument, in order."""
    if isinstance(tree, np.ndarray):
        return [float(v) for v in tree.reshape(-1)]
    if isinstance(tree, list | tuple):
        return [n for v in tree for n in numbers(v)]
    if isinstance(tree, dict):
        return [n for v in tree.values() for n in numbers(v)]
    return [float(tree)]


def moved(tree: Any, steps: Iterator[float]) -> Any:
    """A copy of an argument, each of whose numbers is moved by the next step."""
    if isinstance(tree, np.ndarray):
        return tree + np.array([next(steps) for _ in range(tree.size)]).reshape(tree.shape)
    if isinstance(tree, list | tuple):
        return type(tree)(moved(v, steps) for v in tree)
    if isinstance(tree, dict):
        return {k: moved(v, steps) for k, v in tree.items()}
    return tree + next(steps) if isinstance(tree, float) else tree


def _scalar(p: Program, args: tuple[Any, ...], weights: np.ndarray) -> float:
    with contextlib.redirect_stdout(io.StringIO()):
        found = numbers(p.make()[0](*copy.deepcopy(args)))
    return float(np.dot(found, weights))


def _differences(f: Callable[[np.ndarray], Any], size: int, h: float) -> np.ndarray:
    found = []
    for k in range(size):
        step = np.zeros(size)
        step[k] = h
        found.append((8 * (f(step) - f(-step)) - (f(2 * step) - f(-2 * step))) / (12 * h))
    return np.array(found)


# -- what is left behind --------------------------------------------------------------------------


def left(*roots: Any) -> list[str]:
    """Where active numbers can still be seen, and active memory."""
    found: list[str] = []
    seen: dict[int, Any] = {}
    waiting = [("", r) for r in roots]
    while waiting:
        path, v = waiting.pop()
        if type(v) in PLAIN:
            found.append(path)
        if id(v) in seen or isinstance(v, str | bytes | types.ModuleType):
            continue
        seen[id(v)] = v
        parts: list[tuple[str, Any]] = []
        if isinstance(v, dict):
            parts += [(f"[{k!r}]", i) for k, i in dict.items(v)] + [("keys", k) for k in v]
        elif isinstance(v, list | tuple | set | frozenset):
            parts += [(f"[{k}]", i) for k, i in enumerate(list(v))]
        elif isinstance(v, np.ndarray) and v.dtype == object:
            parts += [("[]", i) for i in v.reshape(-1)]
        elif hasattr(v, "maxlen"):
            parts += [("[]", i) for i in v]
        if isinstance(v, types.FunctionType):
            for c in v.__closure__ or ():
                with contextlib.suppress(ValueError):
                    parts.append(("<cell>", c.cell_contents))
            parts += [("defaults", v.__defaults__), ("keywords", v.__kwdefaults__)]
        elif isinstance(v, type):
            if v.__module__.startswith("tests."):
                parts += [(f".{k}", i) for k, i in vars(v).items()]
        elif isinstance(v, types.MethodType):
            parts += [(".__self__", v.__self__), (".__func__", v.__func__)]
        else:
            parts += [(f".{k}", i) for k, i in getattr(v, "__dict__", {}).items()]
            for c in type(v).__mro__:
                slots = c.__dict__.get("__slots__", ())
                for name in (slots,) if isinstance(slots, str) else slots:
                    with contextlib.suppress(AttributeError):
                        parts.append((f".{name}", object.__getattribute__(v, name)))
            if isinstance(v, BaseException):
                parts.append((".args", v.args))
        waiting += [(path + step, i) for step, i in parts]
    return found


def shown(v: Any, seen: tuple[int, ...] = ()) -> str:
    """A value in words that tell types and bits."""
    t = type(v)
    if id(v) in seen:
        return "..."
    seen = (*seen, id(v))
    if isinstance(v, float | complex | np.generic) or t is int:
        return f"{t.__name__}({v!r})"
    if isinstance(v, np.ndarray):
        return f"array({v.dtype}, {v.shape}, {[shown(i, seen) for i in v.reshape(-1)]})"
    if isinstance(v, dict):
        return f"{t.__name__}({[(shown(k), shown(i, seen)) for k, i in dict.items(v)]})"
    if isinstance(v, list | tuple) or hasattr(v, "maxlen"):
        return f"{t.__name__}({[shown(i, seen) for i in v]})"
    if isinstance(v, set | frozenset):
        return f"{t.__name__}({sorted(shown(i) for i in v)})"
    if isinstance(v, type | types.FunctionType | types.BuiltinFunctionType):
        cells = [c.cell_contents for c in getattr(v, "__closure__", None) or ()]
        return f"{v.__qualname__}{[shown(c, seen) for c in cells]}"
    if isinstance(v, types.GeneratorType | Iterator):
        return t.__name__
    held = {**getattr(v, "__dict__", {})}
    for c in t.__mro__:
        slots = c.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(v, name) and name != "__weakref__":
                held[name] = getattr(v, name)
    if held:
        return f"{t.__name__}{shown(held, seen)}"
    said = repr(v)
    return t.__name__ if " at 0x" in said else said


_LOOKS = {"__repr__", "__str__", "__format__", "__hash__", "__eq__", "__del__", "emit"}


def _note(frame: types.FrameType, event: str, unseen: set[str]) -> None:
    """Note a function of a program that runs as it is written while something is recorded."""
    code = frame.f_code
    if event == "call" and STATE.runs and id(code) not in WRITTEN and code.co_name not in _LOOKS:
        file = code.co_filename
        if file.startswith(PLACE) or ("/recorder/language/" in file and "judge" not in file):
            unseen.add(f"{code.co_name}, line {code.co_firstlineno}")


# -- the judgement --------------------------------------------------------------------------------


def _run(p: Program, how: Callable[..., Any]) -> tuple[Any, str]:
    """What a way of running gives, and everything that is left after it, in words."""
    f, kept = p.make()
    args = p.given()
    out = io.StringIO()
    unseen: set[str] = set()
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, arg: _note(frame, event, unseen))
    try:
        with contextlib.redirect_stdout(out):
            value, more = how(f, args)
    finally:
        sys.setprofile(before)
    assert not STATE.runs
    assert not unseen, f"{p.name}: run as written, not as rewritten: {sorted(unseen)}"
    places = left(value, args, kept, f)
    assert not places, f"{p.name}: active numbers are left at {places}"
    said = f"value {shown(value)}\nargs {shown(args)}\nkept {shown(kept)}\nsaid {out.getvalue()}"
    return (value, more), said


def check(p: Program) -> None:
    """A program that is judged."""
    size = len(numbers(p.args))
    (value, _), plainly = _run(p, lambda f, args: (f(*args), None))
    n = len(numbers(value))
    weights = np.cos(np.arange(n)) + 0.1 if n > 1 else np.ones(1)
    bar = moved(_zeros(value), iter(weights))
    want = _differences(lambda s: _scalar(p, moved(p.args, iter(s)), weights), size, 1e-3)

    def backwards(f: Any, args: Any) -> Any:
        found, pull = ad.vjp(ad.recorded(f, on_overwrite="save"), *args)
        again = pull(bar)
        assert np.array_equal(numbers(list(again)), numbers(list(pull(bar))))
        return found, again

    (_, grads), said = _run(p, backwards)
    assert said == plainly, f"{p.name}, reverse\nplain {plainly}\nrecorded {said}"
    got = np.array(numbers(_filled(p.args, grads)))
    assert np.allclose(got, want, 1e-6, 1e-7), f"{p.name}: gradient {got}, differences {want}"
    way = np.cos(3.0 + np.arange(size))

    def forwards(f: Any, args: Any) -> Any:
        dots = moved(_zeros(args), iter(way))
        return ad.jvp(ad.recorded(f, on_overwrite="save"), args, dots)

    (_, dot), said = _run(p, forwards)
    assert said == plainly, f"{p.name}, forward\nplain {plainly}\nrecorded {said}"
    got_dot = np.dot(numbers(dot), weights)
    assert np.allclose(got_dot, want @ way, 1e-6, 1e-7), f"{p.name}: {got_dot}, {want @ way}"
    if p.twice and n == 1:
        _second(p, size, way, plainly)


def _second(p: Program, size: int, way: np.ndarray, plainly: str) -> None:
    names = tuple(range(len(p.args)))

    def gradient(s: np.ndarray) -> np.ndarray:
        with contextlib.redirect_stdout(io.StringIO()):
            g = ad.grad(ad.recorded(p.make()[0], on_overwrite="save"), names)
            return np.array(numbers(_filled(p.args, g(*moved(p.args, iter(s))))))

    h = 1e-3
    want = (8 * (gradient(h * way) - gradient(-h * way))
            - (gradient(2 * h * way) - gradient(-2 * h * way))) / (12 * h)  # fmt: skip

    def twice(f: Any, args: Any) -> Any:
        dots = moved(_zeros(args), iter(way))
        found = ad.hvp(ad.recorded(f, on_overwrite="save"), args, dots, wrt=names)
        return 0.0, found

    (_, products), said = _run(p, twice)
    assert said.partition("\n")[2] == plainly.partition("\n")[2], f"{p.name}, hvp\n{said}"
    got = np.array(numbers(_filled(p.args, products)))
    assert np.allclose(got, want, 1e-5, 1e-6), f"{p.name}: hvp {got}, differences {want}"


def _zeros(tree: Any) -> Any:
    if isinstance(tree, np.ndarray):
        return np.zeros_like(tree)
    if isinstance(tree, list | tuple):
        return type(tree)(_zeros(v) for v in tree)
    if isinstance(tree, dict):
        return {k: _zeros(v) for k, v in tree.items()}
    return type(tree)(0.0)


def _filled(like: Any, found: Any) -> Any:
    """Derivatives with zeros where there is none."""
    if found is None:
        return _zeros(like)
    if isinstance(like, list | tuple):
        parts = found if isinstance(found, list | tuple) else [found]
        return [_filled(v, g) for v, g in zip(like, parts, strict=True)]
    if isinstance(like, dict):
        return {k: _filled(v, found[k]) for k, v in like.items()}
    return found
