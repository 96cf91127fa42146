"""Functions that make objects or closures, called by another name than their own."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads


class Gain:
    def __init__(self, a: Any) -> None:
        self.a = a

    def get(self) -> Any:
        return self.a * 2.0

    def put(self, v: Any) -> None:
        self.a[0] = v

    def __mul__(self, other: Any) -> Any:
        return self.a * other


def gain(a: Any) -> Gain:
    return Gain(a)


def doubled(a: Any) -> Any:
    return lambda: a * 7.0


def power(c: Any) -> Any:
    return lambda t: c * t


def got(make: Any, v: Any) -> Any:
    return make(v).get()


def called(make: Any, v: Any) -> Any:
    return make(v)()


def made(make: Any, v: Any) -> Any:
    return make(v)


def put(make: Any, v: Any, w: Any) -> None:
    make(v).put(w)


def by_default(v: Any, make: Any = gain) -> Any:
    return make(v).get()


def handed(x: Any) -> Any:
    return got(gain, x)


def by_name(x: Any) -> Any:
    return got(make=gain, v=x)


def left_out(x: Any) -> Any:
    return by_default(x)


def closure(x: Any) -> Any:
    return called(doubled, x)


def returned(x: Any) -> Any:
    return made(gain, x).get() + made(gain, x * x) * 2.0


def closure_returned(x: Any) -> Any:
    return made(power, x)(3.0)


def local_maker(x: Any) -> Any:
    def squared(a: Any) -> Gain:
        return Gain(a * a * x)

    return got(squared, x)


def in_a_list(x: Any) -> Any:
    held = [made(gain, x), made(gain, x * x)]
    return held[0].get() * held[1].get()


def two_makers(x: Any) -> Any:
    return got(gain, x) + got(Gain, x * x) + called(doubled, x)


def written(x: Any) -> Any:
    y = x * np.ones(3)
    put(gain, y, x * 5.0)
    return np.sum(y * y)


@pytest.mark.recorded
@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize(
    "f",
    [handed, by_name, left_out, closure, returned, closure_returned, local_maker, in_a_list,
     two_makers, written],
)  # fmt: skip
def test_what_a_function_makes_is_followed(f: Callable[..., Any], mode: Any) -> None:
    check_grads(ad.differentiable(f, on_overwrite=mode), (1.5,))


TABLE = {"gain": gain, "other": lambda a: Gain(a * a)}


class Registry:
    def __init__(self) -> None:
        self.make = gain

    def go(self, v: Any) -> Any:
        return self.make(v)


def by_key(x: Any, key: str = "gain") -> Any:
    return TABLE[key](x).get()


def own_default(x: Any, make: Any = gain) -> Any:
    return make(x).get()


def one_by_one(x: Any) -> Any:
    r = 0.0
    for make in (gain, gain):
        r = r + make(x).get()
    return r


def of_an_object(x: Any) -> Any:
    return Registry().go(x).get()


def reduced(x: Any) -> Any:
    return reduce(lambda acc, make: acc + make(x).get(), [gain, gain], 0.0)


def written_later(x: Any, make: Any = gain) -> Any:
    o = make(0.0)
    o.a = x * 3.0
    return o.get()


def put_later(x: Any, make: Any = gain) -> Any:
    y = np.zeros(3)
    o = make(y)
    o.put(x)
    return np.sum(y)


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f", [by_key, own_default, one_by_one, of_an_object, reduced, written_later, put_later]
)
def test_what_nobody_follows_is_no_constant(f: Callable[..., Any]) -> None:
    """Right, or refused: it was taken for a constant, so that the derivative was lost."""
    for mode in ("vjp", "jvp"):
        try:
            found = (
                ad.grad(f, wrt="x")(1.5) if mode == "vjp"
                else ad.jvp(lambda x: f(x), (1.5,), (1.0,))[1]
            )  # fmt: skip
        except CompileError as e:
            assert all(d.code in ("AD201", "AD401", "AD202") for d in e.diagnostics)
        else:
            near = (f(1.5 + 1e-6) - f(1.5 - 1e-6)) / 2e-6
            assert found == pytest.approx(near, rel=1e-6)
