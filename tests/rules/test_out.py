"""`f(x, out=y)` is `y = f(x)` that writes: the same numbers and gradients, for every rule."""

from __future__ import annotations

import copy
import linecache
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy.special  # noqa: F401  (its rules are found only once it is imported)

import adtrans as ad
from adtrans.emit.load import load
from adtrans.testing import check_grads

from .evaluate import names_of, read
from .samples import ALL
from .test_compiled import NOT_COMPILED, POOL, functions, held, seeds
from .test_formulas import is_float


def texts() -> list[str]:
    """The first sample of each rule that takes `out=`, and leaves it out."""
    found: dict[int, str] = {}
    for text in ALL:
        if any(w in text for w in NOT_COMPILED) or "out=" in text or not text.endswith(")"):
            continue
        use = read(text, frozenset(names_of(text)))
        if use is not None and any(p.name == "out" for p in use.rule.params):
            found.setdefault(id(use.rule), text)
    return list(found.values())


TEXTS = texts()


@cache
def written() -> dict[str, Callable[..., Any]]:
    """The samples with `out=`, as functions of one module."""
    path, lines = "samples_with_out.py", ["import math\nimport numpy as np\nimport scipy.special\n"]
    for k, text in enumerate(TEXTS):
        names = ", ".join([*dict.fromkeys(names_of(text)), "buffer"])
        lines.append(f"def into_{k}({names}):\n    {text[:-1]}, out=buffer)\n    return buffer\n")
    source = "\n".join(lines)
    linecache.cache[path] = (len(source), None, source.splitlines(True), path)
    scope: dict[str, Any] = {"__name__": "samples_with_out"}
    exec(compile(source, path, "exec"), scope)
    return {text: scope[f"into_{k}"] for k, text in enumerate(TEXTS)}


def test_many_rules_take_out() -> None:
    assert len(TEXTS) > 120


@pytest.mark.parametrize("text", TEXTS)
def test_out_is_the_function_and_a_write(text: str) -> None:
    names = list(dict.fromkeys(names_of(text)))
    args = [copy.deepcopy(POOL[n]) for n in names]
    active = tuple(
        k for k, (n, a) in enumerate(zip(names, args, strict=True))
        if is_float(a) and not held(text, n)
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = functions()[text](*args)
            buffer = np.zeros_like(value) + 0.5 if isinstance(value, np.ndarray) else np.array(0.5)
            written()[text](*copy.deepcopy(args), buffer.copy())
        except (AttributeError, TypeError, ValueError):
            pytest.skip("this NumPy does not take it")
        if not active or not is_float(buffer):
            pytest.skip("nothing varies")
        expected_value, pullback = ad.vjp(functions()[text], *args, wrt=active)
        seed = seeds(np.asarray(value), np.random.default_rng(0))
        expected = pullback(seed if isinstance(value, np.ndarray) else float(seed))
        mine = buffer.copy()
        got_value, pullback = ad.vjp(written()[text], *args, mine, wrt=active)
        got = pullback(seed)
    np.testing.assert_array_equal(got_value, expected_value)
    np.testing.assert_array_equal(mine, expected_value)
    for g, e in zip(got, expected, strict=True):
        np.testing.assert_allclose(g, e, rtol=1e-12, atol=1e-14)


def masked_texts() -> list[str]:
    """Those of functions that take `where=` for an element-wise result."""
    found = []
    for text in TEXTS:
        use = read(text, frozenset(names_of(text)))
        if use is not None and use.rule.form == "elementwise" and "where=" not in text:
            if any(p.name == "where" for p in use.rule.params):
                found.append(text)
    return found


MASKED = masked_texts()


@cache
def masked() -> dict[str, tuple[Callable[..., Any], Callable[..., Any]]]:
    """With `out=` and `where=`, and the same by a mask."""
    path, lines = "samples_masked.py", ["import numpy as np\nimport scipy.special\n"]
    for k, text in enumerate(MASKED):
        names = ", ".join([*dict.fromkeys(names_of(text)), "buffer", "chosen"])
        lines.append(f"def where_{k}({names}):\n    {text[:-1]}, out=buffer, where=chosen)\n"
                     "    return buffer\n")  # fmt: skip
        lines.append(f"def mask_{k}({names}):\n    y = {text}\n    buffer[chosen] = y[chosen]\n"
                     "    return buffer\n")  # fmt: skip
    source = "\n".join(lines)
    linecache.cache[path] = (len(source), None, source.splitlines(True), path)
    scope: dict[str, Any] = {"__name__": "samples_masked"}
    exec(compile(source, path, "exec"), scope)
    return {text: (scope[f"where_{k}"], scope[f"mask_{k}"]) for k, text in enumerate(MASKED)}


@pytest.mark.parametrize("text", [
    t if k % 20 == 0 else pytest.param(t, marks=pytest.mark.slow) for k, t in enumerate(MASKED)
])  # fmt: skip
def test_where_is_a_masked_write(text: str) -> None:
    names = list(dict.fromkeys(names_of(text)))
    args = [copy.deepcopy(POOL[n]) for n in names]
    active = tuple(
        k for k, (n, a) in enumerate(zip(names, args, strict=True))
        if is_float(a) and not held(text, n)
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = functions()[text](*args)
        if not active or not isinstance(value, np.ndarray) or not is_float(value):
            pytest.skip("no array of floats")
        chosen = np.random.default_rng(5).random(value.shape) < 0.6
        found = []
        for f in masked()[text]:
            buffer = np.full_like(value, 0.5)
            own = (*active, len(args))
            result, pullback = ad.vjp(f, *args, buffer, chosen, wrt=own)
            found.append((result, pullback(seeds(value, np.random.default_rng(0)))))
    np.testing.assert_array_equal(found[0][0], found[1][0])
    for g, e in zip(found[0][1], found[1][1], strict=True):
        np.testing.assert_allclose(g, e, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("call", [
    "np.sum(x, 0, out=y, where=some)", "np.mean(x, axis=0, out=y, where=x > 0.5)",
    "np.add.reduce(x, out=y, where=some)", "x.prod(axis=0, out=y, where=some)",
    "np.max(x, 0, y, initial=0.1, where=some)", "np.std(x, 0, out=y, where=x < 1.7)",
])  # fmt: skip
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_the_mask_of_a_reduction_is_one_of_its_operand(call: str, mode: str) -> None:
    """It is no mask of the elements that are written, as that of a universal function."""
    source = f"def f(x):\n    y = x[0] * 2.0\n    {call}\n    return np.sum(y * x[1])\n"
    f = load(source, "f", {"np": np, "some": np.array([True, False, True, True])})["f"]
    check_grads(f, (np.linspace(0.4, 1.9, 12).reshape(3, 4),), on_overwrite=mode)
