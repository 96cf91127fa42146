"""One call of every rule with other layouts, precisions, scalars and no elements at all."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np
import pytest
import scipy.special  # noqa: F401  (its rules are found only once it is imported)

import adtrans as ad

from .evaluate import names_of, read
from .samples import ALL
from .test_compiled import NOT_COMPILED, POOL, applicable, functions, held, seeds
from .test_formulas import is_float

UNRULY = ("np.linalg.", "scipy.")  # empty matrices


def representatives() -> list[str]:
    """The first sample of each rule."""
    found: dict[int, str] = {}
    for text in ALL:
        if not any(w in text for w in (*NOT_COMPILED, "np.row_stack")):
            use = read(text, frozenset(names_of(text)))
            if use is not None:
                found.setdefault(id(use.rule), text)
    return list(found.values())


TEXTS = representatives()
# NumPy itself computes these in double precision, or rounds to other elements
NOT_SINGLE = ("kaiser", "logspace", "nextafter", "np.linalg", "np.unwrap", "scipy.", "frexp")


def arguments(text: str) -> tuple[list[str], list[Any], tuple[int, ...]]:
    names = list(dict.fromkeys(names_of(text)))
    args = [copy.deepcopy(POOL[n]) for n in names]
    active = tuple(
        k for k, (n, a) in enumerate(zip(names, args, strict=True))
        if is_float(a) and not held(text, n)
    )  # fmt: skip
    return names, args, active


def gradients(text: str, args: list[Any], active: tuple[int, ...]) -> tuple[Any, Any]:
    f = functions()[text]
    value, pullback = ad.vjp(f, *args, wrt=active)
    return value, pullback(seeds(value, np.random.default_rng(0)))


def prepared(text: str) -> tuple[list[str], list[Any], tuple[int, ...]]:
    names, args, active = arguments(text)
    if not active:
        pytest.skip("nothing varies")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not applicable(functions()[text], args):
            pytest.skip("this NumPy has no such function")
    return names, args, active


def strided(a: Any) -> Any:
    wide = np.zeros(tuple(2 * n for n in a.shape), a.dtype)
    part = wide[tuple(slice(None, None, 2) for _ in a.shape)]
    part[...] = a
    return part


def backwards(a: Any) -> Any:
    return np.flip(np.flip(a).copy())


LAYOUTS = {"fortran": np.asfortranarray, "strided": strided, "backwards": backwards}


@pytest.mark.slow
@pytest.mark.parametrize("text", TEXTS)
def test_layouts_change_nothing(text: str) -> None:
    _, args, active = prepared(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _, expected = gradients(text, args, active)
        for change in LAYOUTS.values():
            other = [change(a) if isinstance(a, np.ndarray) and a.ndim else a for a in args]
            before = copy.deepcopy(other)
            try:
                functions()[text](*copy.copy(other))
            except ValueError:
                continue  # some of SciPy accepts arrays of one layout only
            _, got = gradients(text, other, active)
            for g, e in zip(got, expected, strict=True):
                np.testing.assert_allclose(g, e, rtol=1e-9, atol=1e-12)
            np.testing.assert_equal(other, before)


@pytest.mark.parametrize("text", [t for t in TEXTS if not any(w in t for w in NOT_SINGLE)])
def test_single_precision(text: str) -> None:
    _, args, active = prepared(text)
    single = [
        a.astype(np.float32) if isinstance(a, np.ndarray) and a.dtype == np.float64 else a
        for a in args
    ]
    double = [a.astype(np.float64) if isinstance(a, np.ndarray) and a.dtype == np.float32 else a
              for a in single]  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value, expected = gradients(text, double, active)
        f = functions()[text]
        own, pullback = ad.vjp(f, *single, wrt=active)
        seed = seeds(own, np.random.default_rng(0))
        got = pullback(seed)
        _, again = ad.vjp(f, *double, wrt=active)
        expected = again(seeds(value, np.random.default_rng(0)))
    for k, g, e in zip(active, got, expected, strict=True):
        if isinstance(single[k], np.ndarray):
            assert g.dtype == single[k].dtype, "the gradient has another dtype than its argument"
        scale = 1.0 + np.max(np.abs(e), initial=0.0)
        np.testing.assert_allclose(g, e, rtol=5e-3, atol=5e-4 * scale)


@pytest.mark.slow
@pytest.mark.parametrize("text", TEXTS)
def test_numbers_of_numpy(text: str) -> None:
    names, args, active = prepared(text)
    numbers = [np.float64(a) if type(a) is float else a for a in args]
    if all(a is b for a, b in zip(numbers, args, strict=True)):
        pytest.skip("no number")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _, expected = gradients(text, args, active)
        _, got = gradients(text, numbers, active)
    for k, g, e in zip(active, got, expected, strict=True):
        np.testing.assert_allclose(g, e, rtol=1e-12)
        if type(args[k]) is float:
            assert isinstance(g, float), f"{names[k]}: {type(g)}"


@pytest.mark.parametrize("text", [t for t in TEXTS if not any(w in t for w in UNRULY)])
def test_no_elements(text: str) -> None:
    """Where the call itself accepts empty arrays, so does its pullback."""
    _, args, active = prepared(text)
    f = functions()[text]
    for cut in (slice(0), (slice(None), slice(0))):
        rank = 2 if isinstance(cut, tuple) else 1
        empty = [a[cut] if isinstance(a, np.ndarray) and a.ndim >= rank else a for a in args]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                f(*copy.deepcopy(empty))
            except (ValueError, IndexError, ZeroDivisionError, TypeError, np.linalg.LinAlgError):
                continue
            value, pullback = ad.vjp(f, *empty, wrt=active)
            got = pullback(seeds(value, np.random.default_rng(0)))
        for k, g in zip(active, got, strict=True):
            assert np.shape(g) == np.shape(empty[k])
