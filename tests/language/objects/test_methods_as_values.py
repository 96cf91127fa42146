"""Methods of objects that are handed on, stored, chosen and called elsewhere."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])


def rk4(f: Any, y: Any, h: float, n: int) -> Any:
    for _ in range(n):
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + f(y + h * k3))
    return y


def apply(f: Any, *args: Any, **words: Any) -> Any:
    return f(*args, **words)


class Lorenz:
    def __init__(self, p: Any) -> None:
        self.s, self.r, self.b = p
        self.calls = 0

    def rhs(self, y: Any) -> Any:
        flow = [self.s * (y[1] - y[0]), y[0] * (self.r - y[2]) - y[1], y[0] * y[1] - self.b * y[2]]
        return np.array(flow)

    def counted(self, y: Any) -> Any:
        self.calls += 1
        return self.rhs(y)

    def drifting(self, y: Any) -> Any:
        self.r = self.r * 1.01
        return self.rhs(y)

    def run(self, y: Any) -> Any:
        return np.sum(rk4(self.rhs, y, 0.01, 3) ** 2)


lorenz = Lorenz([1.0, 2.0, 3.0])
flow = lorenz.rhs


class Solver:
    def __init__(self, f: Any, h: float) -> None:
        self.f, self.h = f, h

    def solve(self, y: Any, n: int) -> Any:
        for _ in range(n):
            y = y + self.h * self.f(y)
        return y


class Parts:
    scale = 2.0

    def __init__(self, k: Any) -> None:
        self.k, self.sums = k, np.zeros(3)
        self.__own = k * k

    def power(self, v: Any, p: float = 2, *, q: float = 1.0) -> Any:
        return np.sum(self.k * v**p) * q

    def assign(self, v: Any) -> None:
        self.k = v

    def every(self, *values: Any) -> Any:
        return sum(np.sum(v * self.k) for v in values)

    def fill(self, v: Any) -> Any:
        self.sums[:] = self.sums * 0.5 + v * v
        return np.sum(self.sums * self.k)

    def __private(self, v: Any) -> Any:
        return np.sum(self.__own * v)

    def handed_private(self, v: Any) -> Any:
        return apply(self.__private, v) + self.__private(v)

    @staticmethod
    def squares(v: Any) -> Any:
        return np.sum(v * v)

    @classmethod
    def scaled(cls, v: Any) -> Any:
        return cls.squares(v) * cls.scale


class Decay:
    def rhs(self, y: Any) -> Any:
        return -y * y

    def run(self, y: Any) -> Any:
        return np.sum(rk4(self.rhs, y, 0.1, 2))


class Growth(Decay):
    def rhs(self, y: Any) -> Any:
        return super().rhs(y) * -0.5


decay = Decay()


def of_a_parameter(x: Any) -> Any:
    return Lorenz(x).run(np.array([1.0, 1.1, 0.9]))


def of_a_global(x: Any) -> Any:
    return lorenz.run(x) + np.sum(apply(lorenz.rhs, x))


def global_name(x: Any) -> Any:
    return np.sum(flow(x)) * np.sum(rk4(flow, x, 0.02, 2))


def counting(x: Any) -> Any:
    m = Lorenz(x)
    return np.sum(rk4(m.counted, x, 0.01, 2) ** 2) + m.calls


def assigning(x: Any) -> Any:
    m = Lorenz(x)
    return np.sum(rk4(m.drifting, x, 0.01, 2) ** 2) + m.r


def held(x: Any) -> Any:
    return np.sum(Solver(Lorenz(x).rhs, 0.05).solve(x, 3) ** 2)


def without_attributes(x: Any) -> Any:
    return decay.run(x) * Growth().run(x) * np.sum(rk4(decay.rhs, x, 0.1, 1))


def defaults(x: Any) -> Any:
    d = Parts(x)
    plain = apply(d.power, x) + apply(d.power, x, 3)
    plain = plain + apply(d.power, x, q=2.0) + apply(d.power, x, p=3, q=0.5)
    return plain + apply(d.every, x, 2 * x)


def of_the_class(x: Any) -> Any:
    return apply(Parts(x).squares, x) + apply(Parts(x).scaled, x)


def private(x: Any) -> Any:
    return Parts(x).handed_private(x)


def in_containers(x: Any) -> Any:
    d = Parts(x)
    table = {"a": d.power, "b": d.squares}
    total = table["a"](x) * table["b"](x)
    for f in [d.power, d.squares, d.scaled]:
        total = total + f(x)
    return total


def chosen(x: Any) -> Any:
    d = Parts(x)
    if x[0] > 0:
        f = d.power
    else:
        f = d.every
    return apply(f, x)


def one_of_two_that_assign(x: Any) -> Any:
    d = Parts(x)
    f = d.assign if x[1] > 0 else d.power
    f(x * x)
    return np.sum(d.k * x)


def rebound(x: Any) -> Any:
    d = Parts(x)
    f = d.power
    d = Parts(2 * x)
    d.k = d.k * x
    return apply(f, x) * apply(d.power, x)


def assigned_afterwards(x: Any) -> Any:
    d = Parts(x)
    f = d.power
    d.k = x * x
    return apply(f, x)


def in_a_closure(x: Any) -> Any:
    d = Parts(x)
    return apply(lambda v: apply(d.power, v) * 2.0, x)


PROGRAMS: list[Callable[..., Any]] = [
    of_a_parameter, of_a_global, global_name, counting, assigning, held, without_attributes,
    defaults, of_the_class, private, in_containers, chosen, one_of_two_that_assign, rebound,
    assigned_afterwards, in_a_closure,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda f: f.__name__)
def test_methods_as_values(fn: Callable[..., Any]) -> None:
    check_grads(fn, (X,))


@pytest.mark.recorded
@pytest.mark.parametrize("fn", [counting, assigning, chosen], ids=lambda f: f.__name__)
def test_methods_as_values_where_copies_are_kept(fn: Callable[..., Any]) -> None:
    check_grads(fn, (X,), on_overwrite="save")


def filled(x: Any) -> Any:
    d = Parts(x)
    total = 0.0
    for i in range(3):
        total = total + apply(d.fill, x * (i + 1))
    return total


def the_object_beside(x: Any) -> Any:
    def use(f: Any, d: Parts, v: Any) -> Any:
        first = f(v)
        d.k = d.k * v
        return first * f(v)

    d = Parts(x)
    return use(d.power, d, x)


def test_what_is_overwritten() -> None:
    check_grads(filled, (X,), on_overwrite="save")
    with pytest.raises(ad.CompileError, match="AD303"):
        ad.grad(filled)(X)


def test_an_attribute_that_is_bound_again_is_not_overwritten() -> None:
    check_grads(the_object_beside, (X,))
    check_grads(the_object_beside, (X,), on_overwrite="save")


@pytest.mark.recorded
@pytest.mark.parametrize("fn", [of_a_parameter, assigning, in_containers])
def test_second_derivatives(fn: Callable[..., Any]) -> None:
    v, e = np.array([0.3, -0.7, 0.2]), 1e-6
    expected = (ad.grad(fn)(X + e * v) - ad.grad(fn)(X - e * v)) / (2 * e)
    np.testing.assert_allclose(ad.hvp(fn, (X,), (v,)), expected, rtol=1e-6, atol=1e-8)


def by_isinstance(f: Any, v: Any) -> Any:
    return f(v) if isinstance(f, types.MethodType) else f(v) * 2.0


def by_inspect(f: Any, v: Any) -> Any:
    return f(v) if inspect.ismethod(f) else f(v) * 2.0


def by_type(f: Any, v: Any) -> Any:
    return f(v) * (2.0 if type(f) is types.MethodType else 3.0)


def by_name(f: Any, v: Any) -> Any:
    return f(v) * len(f.__name__) * f.__self__.k[1]


def by_text(f: Any, v: Any) -> Any:
    return f(v) * (2.0 if "bound method Parts.power of <" in repr(f) else 3.0)


@pytest.mark.parametrize(
    "asks", [by_isinstance, by_inspect, by_type, by_name, by_text], ids=lambda f: f.__name__
)
def test_what_a_method_says_of_itself(asks: Callable[..., Any]) -> None:
    def fn(x: Any) -> Any:
        return asks(Parts(x).power, x)

    try:
        check_grads(fn, (X,))
    except ad.CompileError:
        assert asks is by_text


@pytest.mark.parametrize("sign", ["==", "is", "!="])
def test_methods_compared(sign: str) -> None:
    scope: dict[str, Any] = {"np": np}
    source = f"def same(f, g, v):\n    return f(v) if f {sign} g else np.sum(v * v)\n"
    exec(compile(source, "compared_methods.py", "exec"), scope)
    import linecache

    name = "compared_methods.py"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    same = scope["same"]

    def fn(x: Any) -> Any:
        d = Parts(x)
        h = d.power
        return same(d.power, d.power, x) + 2.0 * same(h, h, x) + 3.0 * same(h, d.every, x)

    try:
        check_grads(fn, (X,))
    except ad.CompileError:
        assert sign != "is"  # what `==` gives is not followed


def test_an_object_from_outside_keeps_its_methods() -> None:
    def fn(x: Any) -> Any:
        lorenz.kept = lorenz.rhs  # type: ignore[attr-defined]  # that is the test
        return np.sum(lorenz.kept(x))  # type: ignore[attr-defined]

    try:
        np.testing.assert_allclose(ad.grad(fn)(X), np.array([0.3, 0.5, -3.6]))
    except ad.AdtransError:
        return
    assert type(vars(lorenz)["kept"]) is types.MethodType


def test_methods_are_what_they_are_at_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    df = ad.grad(without_attributes)
    before = df(X)
    monkeypatch.setattr(Decay, "rhs", lambda self, y: y)
    after = df(X)
    assert not np.allclose(before, after)
    check_grads(without_attributes, (X,))
