"""Calls of rules, recorded: forwards, backwards and twice, against differences.

Each call is a function of its variables, run through the recorder as it is: no program is compiled.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.diagnostics.errors import AdtransError
from adtrans.recorder.rewritten import from_text
from adtrans.recorder.run import Given, by_position, forward, reverse
from tests.rules.every import agree, arguments, inner, like, use_of, varies
from tests.rules.test_formulas import moved
from tests.rules.variants import Variant

_ROOTS = {"np": np}


def function(text: str, names: list[str]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """A call as a function of its variables: as it is, and rewritten."""
    import math
    import statistics

    import scipy

    scope = {**_ROOTS, "scipy": scipy, "math": math, "statistics": statistics}
    source = f"def f({', '.join(names)}):\n    return {text}\n"
    plain = dict(scope)
    exec(source, plain)
    return plain["f"], from_text(source, scope)


def own_copy(args: list[Any]) -> list[Any]:
    """The arguments, in memory of the same layout."""
    return [a if isinstance(a, np.ndarray) and not a.flags.writeable else copy.deepcopy(a)
            for a in args]  # fmt: skip


def differences(f: Any, args: list[Any], at: int, way: Any, seed: Any) -> float:
    """The derivative of `inner(f, seed)` along a direction."""

    def along(step: float) -> float:
        changed = own_copy(args)
        changed[at] = moved(args[at], way, step)
        np.random.seed(3)
        return inner(f(*changed), seed)

    def central(h: float) -> float:
        return (along(h) - along(-h)) / (2 * h)

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return (4 * central(4e-6) - central(8e-6)) / 3
        except ValueError:  # results of another length nearby
            return float("nan")


def backwards(g: Any, args: list[Any], places: list[int], seed: Any) -> tuple[Any, list[Any]]:
    """The value, and the gradients by the arguments at some places."""
    np.random.seed(3)
    ran = reverse(g, tuple(own_copy(args)), by_position, [Given(k) for k in places])
    try:
        return ran.value, ran.pull(seed)
    finally:
        ran.level.close()


def forwards(g: Any, args: list[Any], at: int, way: Any) -> tuple[Any, Any]:
    """The value and its tangent along a direction of one argument."""
    np.random.seed(3)
    return forward(g, tuple(own_copy(args)), by_position, [Given(at)], [way])


def same(a: Any, b: Any) -> bool:
    """Equal to the last bit, of the same types."""
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and np.array_equal(a, b, equal_nan=np.asarray(a).dtype.kind in "fc")


def tangent_of(dot: Any, y: Any) -> Any:
    """A tangent with zeros for what has none."""
    if isinstance(y, tuple | list):
        return [tangent_of(d, v) for d, v in zip(dot, y, strict=True)]
    return np.zeros(np.shape(y)) if dot is None else dot


def wrong(text: str, variant: Variant, rough: float = 2e-6, twice: bool = False) -> list[str]:
    """What is wrong with a call: nothing where it is right, refused, or not possible."""
    if use_of(text) is None:
        return []
    names, _, active = arguments(text)
    f, g = function(text, names)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            np.random.seed(3)
            y = f(*own_copy(variant.args))
        except Exception:
            return []
        parts = y if isinstance(y, tuple | list) else [y]
        if not any(varies(v) for v in parts) or any(np.iscomplexobj(v) for v in parts):
            return []
        places = [k for k in active if varies(variant.args[k])]
        if not places:
            return []
        seed = like(y, np.random.default_rng(1))
        found: list[str] = []
        try:
            value, gradients = backwards(g, variant.args, places, seed)
        except AdtransError as error:
            return [f"refused: {str(error).splitlines()[0]}"]
        if not same(value, y):
            found.append(f"value {value!r} for {y!r}")
        for k, gradient in zip(places, gradients, strict=True):
            like_it = variant.args[k]
            if type(gradient) is not type(like_it) or np.shape(gradient) != np.shape(like_it):
                found.append(f"{names[k]}: {type(gradient)} {np.shape(gradient)}")
                continue
            if isinstance(like_it, np.ndarray) and gradient.dtype != like_it.dtype:
                found.append(f"{names[k]}: {gradient.dtype} for {like_it.dtype}")
            way = like(like_it, np.random.default_rng(2 + k))
            if variant.plain is not None:
                plain = variant.plain
                wide = np.asarray(way, np.float64)[()] if not isinstance(way, list) else way
                exact = differences(f, plain, k, wide, matched(seed, f(*own_copy(plain))))
            else:
                exact = differences(f, variant.args, k, way, seed)
            if not agree(inner(gradient, way), exact, rough):
                found.append(f"{names[k]} backwards: {inner(gradient, way)} for {exact}")
            value, dot = forwards(g, variant.args, k, way)
            if not same(value, y):
                found.append(f"forwards: value {value!r} for {y!r}")
            along = inner(tangent_of(dot, y), seed)
            if not agree(along, exact, rough):
                found.append(f"{names[k]} forwards: {along} for {exact}")
            if twice:
                found += _twice(g, variant.args, k, way, seed, names[k])
    return found


def matched(seed: Any, y: Any) -> Any:
    """A seed for a result of another precision."""
    from tests.rules.every import matching

    return matching(seed, y)


def _twice(g: Any, args: list[Any], at: int, way: Any, seed: Any, name: str) -> list[str]:
    """The second derivative along a direction: by three ways, and by differences of gradients."""

    def gradient(x: Any) -> Any:
        changed = [*args]
        changed[at] = x
        ran = reverse(g, tuple(changed), by_position, [Given(at)])
        try:
            return ran.pull(seed)[0]
        finally:
            ran.level.close()

    def slope(x: Any) -> Any:
        changed = [*args]
        changed[at] = x
        return forward(g, tuple(changed), by_position, [Given(at)], [way])[1]

    rng = np.random.default_rng(9)
    other = like(args[at], rng)

    def central(h: float) -> float:
        above, below = (gradient(moved(args[at], way, t)) for t in (h, -h))
        return (inner(above, other) - inner(below, other)) / (2 * h)

    exact = (4 * central(5e-5) - central(1e-4)) / 3
    found = []
    for what, run in (("forward over reverse", _over), ("reverse over reverse", _back)):
        try:
            got = run(gradient, copy.deepcopy(args[at]), way, other)
        except AdtransError as error:
            found.append(f"refused twice: {name} {what}: {str(error).splitlines()[0]}")
            continue
        if not agree(got, exact, 1e-4):
            found.append(f"{name} {what}: {got} for {exact}")
    try:
        ran = reverse(slope, (copy.deepcopy(args[at]),), by_position, [Given(0)])
        got = inner(ran.pull(seed)[0], other)
        if not agree(got, exact, 1e-4):
            found.append(f"{name} reverse over forward: {got} for {exact}")
    except AdtransError as error:
        found.append(f"refused twice: {name} reverse over forward: {str(error).splitlines()[0]}")
    return found


def _over(gradient: Any, x: Any, way: Any, other: Any) -> float:
    return inner(forward(gradient, (x,), by_position, [Given(0)], [way])[1], other)


def _back(gradient: Any, x: Any, way: Any, other: Any) -> float:
    ran = reverse(gradient, (x,), by_position, [Given(0)])
    return inner(ran.pull(other)[0], way)
