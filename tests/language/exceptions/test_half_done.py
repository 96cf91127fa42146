"""What an exception leaves half done: names are bound, and arrays written, when Python does it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad

X = np.array([1.0, 1.1, 1.3, 1.15])
TOL = 0
KEPT: dict[str, Any] = {}


def h(v: Any) -> Any:
    if v > 1.2:
        raise ValueError
    return v * v


def in_try(x: Any) -> Any:
    y = [x[0]]
    try:
        y = [h(v) for v in x]
    except ValueError:
        y.append(x[1])
    return sum(y)


def suppressed(x: Any) -> Any:
    y = [x[0]]
    with contextlib.suppress(ValueError):
        y = [h(v) for v in x]
    return sum(y)


def dictionary(x: Any) -> Any:
    y = {0: x[0]}
    try:
        y = {k: h(v) for k, v in enumerate(x)}
    except ValueError:
        y[7] = x[1]
    return sum(y.values())


def two_names(x: Any) -> Any:
    r = s = [x[0]]
    try:
        r = s = [h(v) for v in x]
    except ValueError:
        r.append(x[1])
    return sum(s)


def walrus(x: Any) -> Any:
    y = [x[0]]
    try:
        if y := [h(v) for v in x]:
            pass
    except ValueError:
        y.append(x[1])
    return sum(y)


def in_finally(x: Any) -> Any:
    y, out = [x[0]], []
    try:
        try:
            y = [h(v) for v in x]
        finally:
            out.append(sum(y))
    except ValueError:
        pass
    return out[0]


def _left(x: Any, out: Any) -> None:
    y = x[0]
    try:
        t = h(x[2])
        y = t * 2.0
    finally:
        out[0] = y * x[1]


def in_finally_of_a_callee(x: Any) -> Any:
    out = np.zeros(2)
    with contextlib.suppress(ValueError):
        _left(x, out)
    return out[0]


def read_by_a_generator(x: Any) -> Any:
    y = [x[0], x[1]]

    def terms() -> Any:
        for q in range(3):
            yield x[q] * len(y) + y[0]

    y = [w * w for w in terms()]
    return sum(y)


def read_by_a_generator_inside(x: Any) -> Any:
    y = [x[0], x[1]]

    def terms(v: Any) -> Any:
        for q in range(2):
            yield x[q] * v * len(y)

    y = [w * w for v in (1.0, 2.0) for w in terms(v)]
    return sum(y)


@pytest.mark.recorded
@pytest.mark.parametrize("mode", ["refuse", "save", "jvp"])
@pytest.mark.parametrize(
    "f",
    [in_try, suppressed, dictionary, two_names, walrus, in_finally, in_finally_of_a_callee,
     read_by_a_generator, read_by_a_generator_inside],
)  # fmt: skip
def test_a_name_is_bound_when_the_whole_value_is_there(f: Callable[..., Any], mode: Any) -> None:
    steps = 1e-6 * np.eye(4)
    near = [(f(X + e) - f(X - e)) / 2e-6 for e in steps]
    if mode == "jvp":
        pairs = [ad.jvp(f, (X,), (e * 1e6,)) for e in steps]
        value, found = pairs[0][0], [t for _, t in pairs]
    else:
        value, found = ad.value_and_grad(ad.differentiable(f, on_overwrite=mode))(X)
    assert value == pytest.approx(f(X))
    np.testing.assert_allclose(found, near, atol=1e-6)


def both(x: Any) -> Any:
    x[0], x[1] = 2.0, 1 / TOL
    return x


def entered(x: Any) -> Any:
    KEPT.update(a=x[0], b=1 / TOL)
    return x * 2


def read_first(x: Any) -> Any:
    x[0], x[1] = 2.0, float("none")
    return x


@pytest.mark.parametrize("mode", ["vjp", "jvp"])
@pytest.mark.parametrize("f", [both, entered, read_first])
@pytest.mark.recorded
def test_constants_that_raise_do_so_before_anything_is_written(
    f: Callable[..., Any], mode: str
) -> None:
    x = np.ones(3)
    KEPT.clear()
    with pytest.raises((ZeroDivisionError, ValueError)):
        ad.vjp(f, x) if mode == "vjp" else ad.jvp(f, (x,), (np.ones(3),))
    assert x.tolist() == [1.0, 1.0, 1.0]
    assert not KEPT


def seen_at_the_end(x: Any, log: Any) -> Any:
    y = 1.0
    try:
        t = h(x)
        y = t * 2.0
    finally:
        log.append(y)
    return y


@pytest.mark.parametrize("mode", ["vjp", "jvp"])
def test_an_exception_that_nobody_takes_runs_through_finally(mode: str) -> None:
    """`y` has its old value there; it was another variable, without one."""
    log: list[float] = []
    with pytest.raises(ValueError, match=r"^$"):
        if mode == "vjp":
            ad.vjp(seen_at_the_end, 1.5, log, wrt="x")
        else:
            ad.jvp(seen_at_the_end, (1.5, log), (1.0,), wrt="x")
    assert log == [1.0]
