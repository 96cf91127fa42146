"""Exceptions in differentiated functions: which handler runs, what escapes, what is never taken."""

from __future__ import annotations

import math
import traceback

import numpy as np
import pytest

import adtrans as ad
from adtrans.runtime import DerivativeError
from adtrans.testing import check_grads


def root_or_more(x: float) -> float:
    try:
        y = math.sqrt(x)
    except ArithmeticError:
        y = x * x + 7.0
    return y


def test_handlers_take_nothing_that_only_the_tangent_raises() -> None:
    assert ad.jvp(root_or_more, (4.0,), (1.0,)) == (2.0, 0.25)
    with pytest.raises(DerivativeError):
        ad.jvp(root_or_more, (0.0,), (1.0,))


def called(x: float) -> float:
    return math.sqrt(x) * x


def calls(x: float) -> float:
    try:
        y = called(x)
    except ZeroDivisionError:
        y = 7.0 * x
    return y


def test_nor_what_the_tangent_of_a_callee_raises() -> None:
    with pytest.raises(DerivativeError):
        ad.jvp(calls, (0.0,), (1.0,))


class Unusual(Exception):
    pass


def fails(x: np.ndarray, why: str) -> float:
    y = 3.0 * x
    try:
        y[0] = y[1] * 2.0
        if why == "other":
            raise Unusual(why)
        if why == "again":
            raise KeyError(why)
    except KeyError as error:
        y[1] = y[0]
        raise ValueError("bad") from error
    finally:
        x[2] = 5.0
    return float(np.sum(y))


@pytest.mark.parametrize(("why", "kind"), [("other", Unusual), ("again", ValueError)])
def test_what_escapes_keeps_type_cause_and_effects(why: str, kind: type[Exception]) -> None:
    x = np.array([1.0, 2.0, 3.0])
    with pytest.raises(kind) as caught:
        ad.vjp(fails, x, why)
    assert x[2] == 5.0
    assert any(f.filename == __file__ for f in traceback.extract_tb(caught.value.__traceback__))
    assert isinstance(caught.value.__cause__, KeyError) == (why == "again")


def repeated(x: np.ndarray, bad: tuple[int, ...]) -> float:
    s = 1.0
    for i in range(len(x)):
        try:
            s = s * x[i]
            t = s
            for k in range(i):
                t = s * x[k]
                if i in bad and k == 1:
                    raise LookupError
            s = s + t * t
        except LookupError:
            s = s * x[0] + 0.1
    return s


@pytest.mark.parametrize("bad", [(), (3,), (2, 4), (2, 3, 4, 5)])
def test_records_of_interrupted_steps_are_never_taken_for_others(bad: tuple[int, ...]) -> None:
    from adtrans.testing import check_grads

    check_grads(repeated, (np.array([0.6, 0.9, 1.3, 0.7, 1.1, 0.8]), bad))


LARGE = np.array([1e200, 1.0])


def multiplied(x: np.ndarray) -> float:
    y = x * LARGE
    try:
        with np.errstate(over="raise"):
            y *= x * LARGE
    except FloatingPointError:
        y = y * 2.0
    return y[1]


def multiplied_into(x: np.ndarray) -> float:
    y = x * LARGE
    try:
        with np.errstate(over="raise"):
            np.multiply(y, x * LARGE, out=y)
    except FloatingPointError:
        y = y * 2.0
    return y[1]


def added(x: np.ndarray) -> float:
    y = x * 1e308
    try:
        with np.errstate(over="raise"):
            y += x * 1e308
    except FloatingPointError:
        y = y * 2.0
    return y[1]


@pytest.mark.recorded
@pytest.mark.parametrize("f", [multiplied, multiplied_into, added])
def test_what_numpy_raises_after_a_write(f) -> None:
    with pytest.raises(ad.CompileError, match="in the middle of"):
        ad.grad(f)(np.array([1.0, 1.5]))
    with pytest.raises(ad.CompileError, match="in the middle of"):
        ad.grad(ad.recorded(f))(np.array([1.0, 1.5]))


def uneven(x: np.ndarray) -> float:
    s = 0.0
    try:
        for v, w in zip(x, x[:2], strict=True):
            s = s + v * w
    except ValueError:
        s = 2.0 * s
    return s


@pytest.mark.recorded
def test_what_the_header_of_a_loop_raises_comes_in_its_turn() -> None:
    x = np.array([0.5, 2.0, 1.5])
    for mode in ("refuse", "save"):
        check_grads(uneven, (x,), on_overwrite=mode)


# --- an exception that a function called in the handler raises again


def raises_again():
    raise  # noqa: PLE0704


def by_another():
    raises_again()


def raised_by_a_callee(x):
    try:
        try:
            raise ValueError("first")
        except ValueError:
            by_another()
    except ValueError:
        return x[0] * x[1]
    except RuntimeError:
        return x[0]


def harmless(v):
    try:
        return v / 2.0
    except TypeError:
        raise


def raised_in_a_handler_of_its_own(x):
    y = 0.0
    for v in x:
        try:
            if v > 1.0:
                raise ValueError(v)
            y = y + v
        except ValueError as e:
            y = y + harmless(e.args[0]) ** 2
    return y


@pytest.mark.recorded
@pytest.mark.parametrize("f", [raised_by_a_callee, raised_in_a_handler_of_its_own])
def test_a_callee_sees_the_exception_under_way(f):
    x = np.array([0.6, 1.3, 0.9])
    value, _ = ad.vjp(f, x)
    assert value == f(x)
    assert ad.jvp(f, (x,), (np.ones(3),))[0] == f(x)
    check_grads(f, (x,))
