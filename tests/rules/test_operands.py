"""One call of every rule with other operands: complex ones, integers, other ranks, numbers as
arrays without axes. Where NumPy takes them, the derivative is right or refused; never wrong.
"""

from __future__ import annotations

import copy
import re
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.emit.load import load
from adtrans.runtime.failures import DerivativeError

from .evaluate import names_of
from .test_compiled import POOL, along, directional, floats, functions, seeds
from .test_formulas import close, inner, is_float, like
from .test_variations import TEXTS, arguments, prepared

SHAPES = ((), (2,), (2, 3), (3, 3), (1, 2, 3), (2, 2, 2), (2, 1, 2, 2))
PAIRS = (((2, 3), (3,)), ((2, 1), (1, 3)), ((2, 1, 2), (3, 1)), ((2, 2, 2), (2, 2)))
SOME = TEXTS[::17]
"""What is run by default."""


def some(texts: list[str]) -> list[Any]:
    """All texts, of which few are not marked as slow."""
    return [t if t in SOME else pytest.param(t, marks=pytest.mark.slow) for t in texts]


# --- complex numbers -----------------------------------------------------------------------------


@cache
def complex_functions() -> dict[str, tuple[Callable[..., Any], tuple[str, ...]]]:
    """Each call with complex arrays, as a function of their real and imaginary parts."""
    found = {}
    for k, text in enumerate(TEXTS):
        names, _, active = arguments(text)
        turned = tuple(names[i] for i in active if isinstance(POOL[names[i]], np.ndarray))
        if not turned:
            continue
        made = "".join(f"    {n} = {n}_re + 1j * {n}_im\n" for n in turned)
        rest = [n for n in names if n not in turned]
        parameters = ", ".join([*(f"{n}_{p}" for n in turned for p in ("re", "im")), *rest])
        n = items(text)
        parts = ["y"] if n is None else [f"y[{i}]" for i in range(n)]
        total = " + ".join(f"np.sum(np.real({p}) * 0.7 + np.imag({p}) * 0.4)" for p in parts)
        source = f"def complex_{k}({parameters}):\n{made}    y = {text}\n    return {total}\n"
        found[text] = (load(source, f"complex_{k}", modules())[f"complex_{k}"], turned)
    return found


def modules() -> dict[str, Any]:
    import math

    import scipy

    return {"np": np, "math": math, "scipy": scipy}


def items(text: str) -> int | None:
    """How many items the result has, if it is a tuple."""
    args = arguments(text)[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            y = functions()[text](*args)
        except (AttributeError, TypeError):
            return None
    return len(y) if isinstance(y, tuple | list) else None


@pytest.mark.parametrize("text", some(TEXTS))
def test_complex_operands(text: str) -> None:
    if text not in complex_functions():
        pytest.skip("it takes no arrays")
    f, turned = complex_functions()[text]
    rest = [copy.deepcopy(POOL[n]) for n in dict.fromkeys(names_of(text)) if n not in turned]
    parts = []
    for i, n in enumerate(turned):
        parts += [np.copy(POOL[n]), 0.3 * np.random.default_rng(i).normal(size=np.shape(POOL[n]))]
    args = [*parts, *rest]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            f(*copy.deepcopy(args))
        except (AttributeError, TypeError, ValueError, IndexError, np.linalg.LinAlgError):
            pytest.skip("NumPy takes no complex numbers there")
        differences(f, args, range(len(parts)))


def differences(f: Callable[..., Any], args: list[Any], active: Any) -> bool:
    """Compare the derivatives of `f` with differences; False where it is refused."""
    active = tuple(active)
    expected = f(*copy.deepcopy(args))
    seed = seeds(expected, np.random.default_rng(0))
    directions = tuple(like(args[k], np.random.default_rng(k)) for k in active)
    before = copy.deepcopy(args)
    try:
        value, pullback = ad.vjp(f, *args, wrt=active)
        found = pullback(seed)
        tangent = ad.jvp(f, tuple(args), directions, wrt=active)[1]
    except (DerivativeError, ad.MutationError):
        return False
    except ad.AdtransError as error:
        assert error.diagnostics[0].code != "AD901", error
        return False
    np.testing.assert_equal(floats(value), floats(expected))
    np.testing.assert_equal(args, before, err_msg="an argument was written")
    total = 0.0
    for k, g, d in zip(active, found, directions, strict=True):
        assert np.shape(g) == np.shape(args[k])
        assert type(g) is type(args[k]) or not isinstance(args[k], np.ndarray)
        exact = directional(f, args, k, d, seed)
        mine = inner(g, d)
        total += mine
        kink = np.isnan(mine) and exact == 0  # as of the deviation of one number
        right = kink or not np.isfinite(exact) or close(mine, exact, 2e-6)
        assert right, f"{k}: {mine} for {exact}"
    if np.isfinite(total):
        assert close(along(tangent, seed), total, 1e-8), f"tangent {along(tangent, seed)}: {total}"
    return True


# --- ranks and broadcasting ----------------------------------------------------------------------


# a complex result of these numbers; two points that a line goes through
NOT_THESE = ("scipy.linalg.logm(", "scipy.stats.linregress(")


@pytest.mark.slow
@pytest.mark.parametrize("text", [t for t in TEXTS if not t.startswith(NOT_THESE)])
def test_ranks(text: str) -> None:
    """Arrays of ranks 0 to 4, and pairs that broadcast, where NumPy takes them."""
    _, args, active = prepared(text)
    arrays = [k for k in active if not isinstance(args[k], list)]
    shapes = [(s,) * len(arrays) for s in SHAPES]
    if len(arrays) == 2:
        shapes += [p for pair in PAIRS for p in (pair, pair[::-1])]
    done = 0
    for chosen in shapes if arrays else ():
        own = list(args)
        for k, shape in zip(arrays, chosen, strict=True):
            drawn = np.resize(np.asarray(args[k]), shape)
            drawn = drawn * (1.0 + 0.004 * np.arange(drawn.size).reshape(shape))  # no ties
            own[k] = np.asarray(drawn)
        done += attempted(functions()[text], own, [k for k in active if is_float(own[k])])
    if not done:
        pytest.skip("it takes no other shapes")


def attempted(f: Callable[..., Any], args: list[Any], active: list[int]) -> bool:
    """`differences`, where NumPy takes these arguments."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            f(*copy.deepcopy(args))
        except Exception:  # whatever the function raises: it takes no such arguments
            return False
        return differences(f, args, active)


# --- integers, truth values, numbers -------------------------------------------------------------


# points at nodes; singular matrices
AT_KINKS = ("np.interp(", "scipy.linalg.solve_sylvester(", "scipy.linalg.solve_continuous_lyap")


@pytest.mark.slow
@pytest.mark.parametrize("text", [t for t in TEXTS if not t.startswith(AT_KINKS)])
def test_integers_beside_floats(text: str) -> None:
    """Arrays and numbers of integers and truth values in the place of those that do not vary."""
    _, args, active = prepared(text)
    if len(active) < 2:
        pytest.skip("one operand varies")
    done = 0
    for k in active:
        # some of SciPy computes with truth values in half precision, or does not negate them
        for turn in (np.int64,) if text.startswith("scipy.") else (np.int64, bool):
            own = list(args)
            if isinstance(args[k], list):
                own[k] = [turn(v > 0.5) for v in args[k]]
            elif isinstance(args[k], np.ndarray):
                own[k] = np.round(2 * args[k]).astype(turn)
            else:
                own[k] = turn is bool or 3
            done += attempted(functions()[text], own, [i for i in active if i != k])
    if not done:
        pytest.skip("it takes floats only")


@pytest.mark.slow
@pytest.mark.parametrize("text", TEXTS)
def test_arrays_without_axes(text: str) -> None:
    """A gradient by a number in an array is one in an array."""
    _, args, active = prepared(text)
    own = [np.array(a) if type(a) is float and k in active else a for k, a in enumerate(args)]
    if not any(isinstance(a, np.ndarray) and not a.ndim for a in own):
        pytest.skip("no number")
    if not attempted(functions()[text], own, list(active)):
        pytest.skip("it takes Python's numbers only")


@pytest.mark.parametrize("variable", [np.arange(3), np.array([True, False]), 2, True, 1j])
def test_a_variable_that_is_no_float_is_refused(variable: Any) -> None:
    with pytest.raises(ad.InputError) as caught:
        ad.grad(lambda x: np.sum(x * 1.5))(variable)
    assert caught.value.diagnostics[0].code in ("AD402", "AD407")
    assert re.search("int|bool|complex", str(caught.value))
