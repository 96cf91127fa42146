"""Holds the formulas of one call against differences, and its facts against what NumPy does.

No program is compiled, so that thousands of calls take a minute; `test_compiled` has programs.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import scipy.special  # noqa: F401  (its rules are found only once it is imported)

from adtrans.ir import expr as E
from adtrans.runtime.failures import DerivativeError

from .evaluate import Use, evaluate, names_of, read
from .samples import ALL
from .samples_keywords import KEYWORDS, pool
from .samples_more import WITHOUT
from .test_formulas import close, environment, finish, is_float, kinds_of, moved, run
from .test_formulas import inner as _inner
from .variants import Variant, variants

POOL = pool()
TEXTS = [t for t in dict.fromkeys([*ALL, *KEYWORDS]) if "np.random." not in t]
def like(value: Any, rng: np.random.Generator) -> Any:
    """A random direction with the structure and the types of `value`."""
    if isinstance(value, tuple | list):
        return [like(v, rng) for v in value]
    drawn = rng.normal(size=np.shape(value))
    if isinstance(value, np.ndarray):
        return np.asarray(drawn, value.dtype if value.dtype.kind == "f" else float)
    return type(value)(drawn) if isinstance(value, np.floating) else float(drawn)


ROUGH = {"float16": 0.2, "float32": 5e-3, "np.float32": 5e-3}


FRAGILE = ("lu_solve(", "mahalanobis")
"""SciPy does not look at the sizes of all their arguments, and reads and writes other memory."""

AROUND = ("scipy.signal.convolve2d(", "scipy.signal.correlate2d(")
"""SciPy divides by the number of the pixels that it goes around, which ends the process."""


@dataclass
class Outcome:
    """What came of a variant: `absent` where NumPy raises, `refused`, `right` or `wrong`."""

    what: str = "constant"
    notes: list[str] = field(default_factory=list)


@cache
def use_of(text: str) -> Use | None:
    """The use of a rule in a sample; None where this NumPy lacks the function."""
    return read(text, frozenset(names_of(text)))


def arguments(text: str) -> tuple[list[str], list[Any], tuple[int, ...]]:
    """The variables of a sample, their values, and which of them vary."""
    use = use_of(text)
    names = list(dict.fromkeys(names_of(text)))
    args = [copy.deepcopy(POOL[n]) for n in names]
    if use is None:
        return names, args, ()
    active = [p for p in use.rule.active_in(use.bound) if (text, p) not in WITHOUT]
    vary = {e.id for p in active if isinstance(e := use.bound[p], E.Name)}
    return names, args, tuple(k for k, n in enumerate(names) if n in vary and is_float(args[k]))


def samples(text: str, *aspects: str) -> list[Variant]:
    """The sample itself, and its variants."""
    _, args, active = arguments(text)
    found = [Variant("itself", args)]
    for aspect in aspects:
        if aspect in ("ranks", "empty") and any(w in text for w in FRAGILE):
            continue
        if aspect == "empty" and text.startswith("scipy.linalg."):
            continue  # some of LAPACK's routines write where nothing is
        if aspect == "empty" and text.startswith(AROUND) and ("'symm'" in text or "'wrap'" in text):
            continue
        found.extend(variants(args, active, aspect))
    return found


def varies(value: object) -> bool:
    """Whether a number, an array, or all items of a list are of floats."""
    return is_float(value) or isinstance(value, np.floating)


def outcome(text: str, variant: Variant) -> Outcome:
    """Try one variant of a sample."""
    use, found = use_of(text), Outcome()
    if use is None:
        return Outcome("absent")
    names, _, active = arguments(text)
    env = dict(zip(names, variant.args, strict=True))
    with warnings.catch_warnings(record=True) as own:
        warnings.simplefilter("always")
        try:
            y = run(use, env)
            formal = environment(use, env)
        except Exception as error:  # whatever NumPy raises: the variant does not exist
            return Outcome("absent", [type(error).__name__])
    if any(np.iscomplexobj(v) for v in (y if isinstance(y, tuple | list) else [y])):
        return Outcome("complex")
    if not any(varies(v) for v in (y if isinstance(y, tuple | list) else [y])):
        return found
    leaves = [leaf for leaf in use.rule.active_in(use.bound) if (text, leaf) not in WITHOUT]
    chosen = {names[k] for k in active}
    for leaf in leaves:
        e = use.bound[leaf]
        once = isinstance(e, E.Name) and names_of(text).count(e.id) == 1
        if isinstance(e, E.Name) and once and e.id in chosen and varies(env[e.id]):
            found.what = "right" if found.what == "constant" else found.what
            _leaf(use, variant, env, formal, y, leaf, e.id, found, quiet=bool(own))
    return found


def _leaf(
    use: Use, variant: Variant, env: dict[str, Any], formal: dict[str, Any], y: Any, leaf: str,
    var: str, found: Outcome, *, quiet: bool,
) -> None:  # fmt: skip
    rng = np.random.default_rng(1)
    y_bar, direction = like(y, rng), like(env[var], rng)
    kinds = kinds_of(use, formal, y)
    why = use.rule.refusal(use.bound, kinds)
    formulas = use.rule.pullback(leaf, use.bound, kinds)
    if not formulas:
        found.what = "refused"
        found.notes.append(why or f"no formula for `{leaf}`")
        return
    plain = None
    if variant.plain is not None:
        plain = dict(zip(env, variant.plain, strict=True))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            other = run(use, plain)
            scope = {**environment(use, plain), "y": other, "y_bar": matching(y_bar, other)}
            try:
                expected = finish(formulas[0], evaluate(formulas[0].expr, scope), plain[var])
            except Exception:  # the same is found for the sample itself
                return
        exact = inner(expected, direction)
    else:
        exact = difference(use, env, var, direction, y_bar)
    rough = ROUGH.get(variant.name.partition(":")[0], 2e-6)

    def tell(what: str) -> None:
        if found.what == "refused" and " is nan for " in what:
            return  # where one mode refuses, the other one says so by what it computes
        found.what = "wrong"
        found.notes.append(f"{leaf}: {what}")

    def value_of(e: E.Expr, scope: Mapping[str, Any]) -> Any:
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            try:
                value = evaluate(e, scope)
            except Exception as error:  # what a formula raises is what is looked for
                if isinstance(error, DerivativeError):
                    found.what = "refused"
                    found.notes.append(str(error.args[0] if error.args else error))
                else:
                    tell(f"{e} raises {error!r}")
                return None
        news = {str(w.message) for w in seen}
        if news and not quiet and exact and np.isfinite(exact):
            tell(f"{e} warns {news}")
        return value

    for known in (kinds, {}):
        for f in use.rule.pullback(leaf, use.bound, known):
            value = value_of(f.expr, {**formal, "y": y, "y_bar": y_bar})
            if value is None:
                continue
            try:
                value = finish(f, value, env[var])
            except ValueError:
                if known or np.shape(env[var]):
                    tell(f"{f.expr} has shape {np.shape(value)} for {np.shape(env[var])}")
                continue
            if isinstance(env[var], list):
                continue
            if np.shape(value) != np.shape(env[var]):
                if known or np.shape(env[var]):
                    tell(f"{f.expr} has shape {np.shape(value)} for {np.shape(env[var])}")
            elif not agree(inner(value, direction), exact, rough):
                tell(f"{f.expr} is {inner(value, direction)} for {exact}")
        if known or use.rule.pullback(leaf, use.bound, {}):
            try:
                g = use.rule.pushforward(leaf, use.bound, known)
            except LookupError:
                tell("no tangent")
                continue
            t = value_of(g.expr, {**formal, "y": y, f"{leaf}_dot": direction})
            if t is None:
                continue
            if isinstance(y, tuple | list):
                along = inner(t, y_bar)
            elif np.shape(t) != np.shape(y) and not g.thin:
                tell(f"tangent {g.expr} has shape {np.shape(t)} for {np.shape(y)}")
                continue
            else:
                along = inner(np.broadcast_to(t, np.shape(y)), y_bar)
            if not agree(along, exact, rough):
                tell(f"tangent {g.expr} is {along} for {exact}")


def inner(a: Any, b: Any) -> float:
    """The inner product of what may be infinite, or complex beside what is real."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return _inner(a, b)


def matching(seed: Any, y: Any) -> Any:
    """The same seed in the precision of another result."""
    if isinstance(seed, tuple | list):
        return [matching(s, v) for s, v in zip(seed, y, strict=True)]
    made = np.asarray(seed, y.dtype if is_float(y) and not isinstance(y, float) else float)
    return made if np.ndim(seed) else made[()]


def agree(got: float, exact: float, rough: float) -> bool:
    """Whether a number is the expected one; where there is none, nothing is asked."""
    if not abs(exact) < 1e9 or (np.isnan(got) and exact == 0):
        return True  # as of the deviation of one number, or where a step leads to a pole
    return close(got, exact, rough)


def difference(
    use: Use, env: dict[str, Any], var: str, direction: Any, y_bar: Any
) -> float:
    """The derivative along a direction, by differences over short ways: kinks may be near."""

    def along(step: float) -> float:
        return inner(run(use, {**env, var: moved(env[var], direction, step)}), y_bar)

    def central(h: float) -> float:
        return (along(h) - along(-h)) / (2 * h)

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return (4 * central(4e-6) - central(8e-6)) / 3
        except ValueError:  # results of another length nearby
            return np.nan
