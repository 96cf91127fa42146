"""Every formula against finite differences, its tangent, its dtype, and what it says it needs."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.special  # noqa: F401

from adtrans.ir import expr as E
from adtrans.ir.kinds import Kind
from adtrans.ir.walk import names_in
from adtrans.rules import Formula, Rule, all_rules, formula
from adtrans.runtime import unbroadcast

from .evaluate import Use, evaluate, kind_of, names_of, read
from .samples import ALL, pool
from .samples_more import WITHOUT

POOL = pool()


def is_float(value: object) -> bool:
    if isinstance(value, list):
        return all(is_float(v) for v in value)
    return isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype.kind == "f")


def run(use: Use, env: Mapping[str, Any]) -> Any:
    np.random.seed(3)
    return evaluate(use.expr, env)


def inner(a: Any, b: Any) -> float:
    if isinstance(a, tuple | list):
        return float(sum(inner(x, y) for x, y in zip(a, b, strict=True)))
    return float(np.sum(np.asarray(a, np.float64) * np.asarray(b, np.float64)))


def like(value: Any, rng: np.random.Generator) -> Any:
    """A random direction with the structure of `value`."""
    if isinstance(value, tuple | list):
        return [like(v, rng) for v in value]
    drawn = rng.normal(size=np.shape(value))
    if not isinstance(value, np.ndarray):
        return float(drawn)
    return drawn.astype(value.dtype)


def moved(value: Any, direction: Any, step: float) -> Any:
    if isinstance(value, list):
        return [moved(v, d, step) for v, d in zip(value, direction, strict=True)]
    made = value + step * direction
    return np.asarray(made) if isinstance(value, np.ndarray) else made


def difference(use: Use, env: Mapping[str, Any], name: str, direction: Any) -> Any:
    """The derivative of the result along `direction`, by central differences with extrapolation."""
    eps = 1e-4

    def central(h: float) -> Any:
        above = run(use, {**env, name: moved(env[name], direction, h)})
        below = run(use, {**env, name: moved(env[name], direction, -h)})
        if isinstance(above, tuple | list):
            return [(1.0 * np.asarray(p) - q) / (2 * h) for p, q in zip(above, below, strict=True)]
        return (np.asarray(above) - below) / (2 * h)

    coarse, fine = central(eps), central(eps / 2)
    if isinstance(coarse, list):
        return [(4 * f - c) / 3 for f, c in zip(fine, coarse, strict=True)]
    return (4 * fine - coarse) / 3


def environment(use: Use, env: Mapping[str, Any]) -> dict[str, Any]:
    """Values by formal name."""
    return {name: evaluate(e, env) for name, e in use.bound.items()}


def finish(f: Formula, value: Any, operand: Any) -> Any:
    """What a later stage does with a contribution: sum it, or broadcast it, to the operand."""
    if f.elementwise:
        return unbroadcast(value, np.shape(operand))
    if f.thin:
        return np.broadcast_to(value, np.shape(operand))
    return value


def kinds_of(use: Use, formal: Mapping[str, Any], y: Any) -> dict[str, Kind]:
    return {**{k: kind_of(v) for k, v in formal.items()}, "y": kind_of(y)}


def uses() -> list[Any]:
    found = []
    for text in ALL:
        found.append(pytest.param(text, id=text.replace("::", ":")))
    return found


def close(got: float, expected: float, tolerance: float) -> bool:
    return abs(got - expected) <= tolerance * (1.0 + abs(expected))


@pytest.mark.parametrize("text", uses())
def test_sample(text: str) -> None:
    use = read(text, frozenset(names_of(text)))
    if use is None:
        pytest.skip("this NumPy has no such function")
    if text.endswith(".mT") and not hasattr(np.ndarray, "mT"):
        pytest.skip("this NumPy has no such attribute")
    rng = np.random.default_rng(0)
    env = copy.deepcopy({n: POOL[n] for n in names_of(text)})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = run(use, env)
        formal = environment(use, env)
        y_bar = like(y, rng)
        for leaf in use.rule.active_in(use.bound):
            e = use.bound[leaf]
            if not (isinstance(e, E.Name) and is_float(env[e.id])):
                continue
            if (text, leaf) in WITHOUT:
                assert not use.rule.pullback(leaf, use.bound, kinds_of(use, formal, y))
                continue
            check_leaf(use, env, formal, y, y_bar, leaf, e.id)
    for name, value in env.items():
        np.testing.assert_array_equal(value, POOL[name],
            err_msg=f"{name} was written")  # type: ignore[arg-type]


def check_leaf(
    use: Use, env: dict[str, Any], formal: dict[str, Any], y: Any, y_bar: Any, leaf: str, var: str
) -> None:
    rng = np.random.default_rng(1)
    direction = like(env[var], rng)
    expected = difference(use, env, var, direction)
    along = inner(expected, y_bar)
    for kinds in (kinds_of(use, formal, y), {}):
        formulas = use.rule.pullback(leaf, use.bound, kinds)
        if not kinds and not formulas:
            continue  # of a value of which nothing is known, it may be refused
        assert formulas, f"no formula for {leaf}"
        for f in formulas:
            scope = {**formal, "y": y, "y_bar": y_bar}
            value = finish(f, evaluate(f.expr, scope), env[var])
            check_needs(f)
            if not isinstance(env[var], list):
                assert np.shape(value) == np.shape(env[var]), f"{f}: shape {np.shape(value)}"
            assert close(inner(value, direction), along, 1e-6), f"{leaf}: {f}"
        g = use.rule.pushforward(leaf, use.bound, kinds)
        scope = {**formal, "y": y, f"{leaf}_dot": direction}
        tangent = evaluate(g.expr, scope)
        if isinstance(y, tuple | list):
            assert close(inner(tangent, y_bar), along, 1e-6), f"{leaf}: tangent {g}"
        else:
            assert g.thin or np.shape(tangent) == np.shape(y), f"{g}: shape {np.shape(tangent)}"
            spread = np.broadcast_to(tangent, np.shape(y))
            np.testing.assert_allclose(spread, expected, rtol=1e-5, atol=1e-6,
                err_msg=f"{leaf}: {g}")


def check_needs(f: Formula) -> None:
    """The names in the formula are those it says it needs, and no more than that."""
    names = {n for n in names_in(f.expr) if not formula.is_seed(n)}
    assert f.values | f.shapes == names
    assert not f.values & f.shapes
    if f.shapes:
        bare = E.text(f.expr)
        for name in f.shapes:
            for form in (f"np.shape({name})", f"np.ndim({name})", f"np.size({name})",
                f"len({name})",
                         f"{name}.shape", f"{name}.size", f"{name}.dtype",
                         f"{name}.ndim"):  # fmt: skip
                bare = bare.replace(form, "")
            assert name not in bare.replace("(", " ").replace(")", " ").replace(",", " ").split()


NOT_SINGLE = ("np.linalg", "np.random", "longdouble", "float64", "np.gradient", "interp", "scipy",
    "polyval", "float_power")


@pytest.mark.parametrize("text", [t for t in ALL if not any(w in t for w in NOT_SINGLE)])
def test_single_precision_stays_single(text: str) -> None:
    use = read(text, frozenset(names_of(text)))
    if use is None or (text.endswith(".mT") and not hasattr(np.ndarray, "mT")):
        pytest.skip("this NumPy has no such function")
    env = {n: POOL[n] for n in names_of(text)}
    single = {
        n: v.astype(np.float32) if isinstance(v, np.ndarray) and v.dtype.kind == "f" else v
        for n, v in env.items()
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = run(use, single)
        if not isinstance(y, np.ndarray) or y.dtype != np.float32:
            pytest.skip("the result is no array of single precision")
        formal = environment(use, single)
        y_bar = like(y, np.random.default_rng(2))
        for leaf in use.rule.active_in(use.bound):
            e = use.bound[leaf]
            if not (isinstance(e, E.Name) and isinstance(single[e.id],
                np.ndarray) and is_float(single[e.id])):
                continue
            for f in use.rule.pullback(leaf, use.bound, kinds_of(use, formal, y)):
                value = evaluate(f.expr, {**formal, "y": y, "y_bar": y_bar})
                assert np.asarray(value).dtype == np.float32, str(f)


def spelled() -> dict[int, Rule]:
    found: dict[int, Rule] = {}
    for text in ALL:
        use = read(text, frozenset(names_of(text)))
        if use is not None:
            found[id(use.rule)] = use.rule
    return found


def test_every_rule_with_a_derivative_has_a_sample() -> None:
    seen = spelled()
    missing = []
    for name, rule in all_rules():
        if not rule.active_params or id(rule) in seen or rule.form == "scatter":
            continue
        if rule.name.startswith(("Generator.", "RandomState.", "operator.")):
            continue  # the same formulas as np.random's and the operators'
        if ".fft." in name or name in (
            "numpy.imag", "numpy.angle", "ndarray.imag", "scipy.special.lambertw",
            "scipy.signal.hilbert", "scipy.linalg.eig", "scipy.linalg.eigvals",
        ):  # fmt: skip
            continue  # `test_complex_rules` has them
        if name.startswith(("statistics.", "cmath.")) or name in ("complex", "builtins.complex"):
            continue  # `test_python_statistics` has them
        if name.startswith("scipy.sparse."):
            continue  # `test_sparse` has them
        if name in ("numpy.float32", "numpy.float16"):
            continue  # too coarse for differences; the same formula as float64's
        try:
            formula.parse(name.replace("numpy.", "np."), frozenset())
        except (AttributeError, ValueError):
            continue  # not in this version of NumPy
        missing.append(name)
    assert not missing
