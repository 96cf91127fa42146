"""Every sample call as a function that is compiled: value, gradients, tangents, dtypes, effects.

The functions of all samples are written into one module, because adtrans reads source. A gradient
is compared with central differences, the pullback with the pushforward; a pullback is called twice.
"""

from __future__ import annotations

import copy
import importlib.util
import sys
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
import scipy.special  # noqa: F401  (its rules are found only once it is imported)

import adtrans as ad
from adtrans.ir import expr as E

from .evaluate import names_of, read
from .samples import ALL, pool
from .test_formulas import close, inner, is_float, like, moved

POOL = pool()
# draws; an attribute that not every NumPy has; vectors whose signs LAPACK chooses anew each time
NOT_COMPILED = ("np.random.", ".mT", "scipy.linalg.eigh(")
KINKS = {"zeros3", "lst"}
"""Variables at jumps, in lists, or without a derivative in all of their samples."""


def held(text: str, name: str) -> bool:
    """Whether a variable has no derivative in this call: it is refused if it is active."""
    if name in KINKS or name == "w5":
        return True
    use = read(text, frozenset(names_of(text)))
    if use is None:
        return False
    leaves = [p for p, e in use.bound.items() if isinstance(e, E.Name) and e.id == name]
    active = use.rule.active_in(use.bound)
    return bool(leaves) and not any(p in active or use.rule.ignores(p) for p in leaves)


@cache
def functions() -> dict[str, Callable[..., Any]]:
    """The samples as functions of a module."""
    texts = [t for t in ALL if not any(w in t for w in NOT_COMPILED)]
    return written(texts, "adtrans_samples")


def written(texts: list[str], stem: str) -> dict[str, Callable[..., Any]]:
    """Calls as functions of the variables in them, in a module of their own."""
    lines = ["import math\nimport numpy as np\nimport scipy.special\n"]
    for k, text in enumerate(texts):
        names = ", ".join(dict.fromkeys(names_of(text)))
        lines.append(f"def sample_{k}({names}):\n    return {text}\n")
    with TemporaryDirectory() as home:
        path = Path(home) / f"{stem}.py"
        path.write_text("\n".join(lines), encoding="utf-8")
        spec = importlib.util.spec_from_file_location(stem, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[stem] = module
        spec.loader.exec_module(module)
        import linecache

        linecache.getlines(str(path))
        linecache.cache[str(path)] = (1, None, path.read_text().splitlines(True), str(path))
    return {text: getattr(module, f"sample_{k}") for k, text in enumerate(texts)}


def applicable(f: Callable[..., Any], args: list[Any]) -> bool:
    try:
        f(*copy.deepcopy(args))
    except (AttributeError, TypeError):
        return False  # not in this version of NumPy, or without this keyword
    return True


def floats(value: Any) -> Any:
    """The parts of a result that carry a derivative."""
    if isinstance(value, tuple | list):
        return [floats(v) for v in value]
    return value if is_float(value) or isinstance(value, np.floating) else 0.0


def seeds(value: Any, rng: np.random.Generator) -> Any:
    if isinstance(value, tuple):
        return tuple(seeds(v, rng) for v in value)
    if isinstance(value, list):
        return [seeds(v, rng) for v in value]
    return like(value, rng) if is_float(value) or isinstance(value, np.floating) else None


def along(value: Any, seed: Any) -> float:
    if isinstance(value, tuple | list):
        return sum(along(v, s) for v, s in zip(value, seed, strict=True) if s is not None)
    return 0.0 if seed is None else inner(value, seed)


def directional(f: Callable[..., Any], args: list[Any], k: int, d: Any, seed: Any) -> float:
    def central(h: float) -> float:
        above, below = (f(*args[:k], moved(args[k], d, t), *args[k + 1 :]) for t in (h, -h))
        return (along(above, seed) - along(below, seed)) / (2 * h)

    return (4 * central(5e-5) - central(1e-4)) / 3


def check(
    f: Callable[..., Any], args: list[Any], held: frozenset[int], tolerance: float = 1e-6
) -> None:
    """Compare the derivatives of `f` with differences, for the arguments that are not `held`."""
    given = copy.deepcopy(args)
    active = [k for k, a in enumerate(args) if is_float(a) and k not in held]
    if not active:
        pytest.skip("nothing varies")
    expected = f(*copy.deepcopy(args))
    seed = seeds(expected, np.random.default_rng(0))
    value, pullback = ad.vjp(f, *args, wrt=tuple(active))
    np.testing.assert_equal(floats(value), floats(expected))
    gradients, again = pullback(seed), pullback(seed)
    np.testing.assert_equal(again, gradients, err_msg="the pullback changed something")
    directions = tuple(like(args[k], np.random.default_rng(k)) for k in active)
    for k, g, d in zip(active, gradients, directions, strict=True):
        assert np.shape(g) == np.shape(args[k])
        if isinstance(args[k], np.ndarray):
            assert type(g) is np.ndarray and g.dtype == args[k].dtype
        exact = directional(f, args, k, d, seed)
        assert close(inner(g, d), exact, tolerance), f"argument {k}: {inner(g, d)} for {exact}"
    value, tangent = ad.jvp(f, tuple(args), directions, wrt=tuple(active))
    np.testing.assert_equal(floats(value), floats(expected))
    both = sum(inner(g, d) for g, d in zip(gradients, directions, strict=True))
    assert close(along(tangent, seed), both, 1e-9), f"tangent: {along(tangent, seed)} for {both}"
    np.testing.assert_equal(args, given, err_msg="an argument was written")


@pytest.mark.parametrize("text", [t for t in ALL if not any(w in t for w in NOT_COMPILED)])
def test_compiled(text: str) -> None:
    f = functions()[text]
    names = list(dict.fromkeys(names_of(text)))
    args = [copy.deepcopy(POOL[n]) for n in names]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not applicable(f, args):
            pytest.skip("this NumPy has no such function")
        check(f, args, frozenset(k for k, n in enumerate(names) if held(text, n)))
