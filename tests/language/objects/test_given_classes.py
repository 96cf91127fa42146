"""Classes as arguments and defaults, solvers that are handed functions, attributes set on some
paths."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.array([0.6, 0.9, 1.3])


class Euler:
    gain = 1.0

    def __init__(self):
        self.last = 1.0

    def step(self, y, h):
        self.last = y
        return y + self.gain * h * np.sin(y)


class Heun(Euler):
    gain = 1.5

    def step(self, y, h):
        self.last = y * y
        return y + h * np.sin(y + h * np.sin(y))


class Stateless:
    def step(self, y, h):
        return y * (1.0 + h)


class Sim:
    def __init__(self, y, method=Euler, log=None):
        self.y, self.log = y, log
        self.method = method()

    def run(self, h):
        for _ in range(2):
            self.y = self.method.step(self.y, h)
        return self.y


def made(cls, *args):
    return cls(*args)


def by_default(x):
    return Sim(x[0]).run(x[1])


def given(x):
    return Sim(x[0], Heun).run(x[1]) + Sim(x[2], method=Euler).run(x[0])


def both_alive(x):
    a, b = Sim(x[0], Heun), Sim(x[0])
    y = a.run(x[1]) * b.run(x[2])
    return y + a.method.last * b.method.last


def without_state(x):
    return Sim(x[0], Stateless).run(x[1])


def by_a_function(x):
    s = made(Heun)
    y = s.step(x[0], x[1])
    s.last = s.last * y
    return s.last


def with_arguments(x):
    return made(Sim, x[0], Heun).run(x[1]) * made(Sim, x[2]).run(x[0])


def handed_on(x):
    def start(v, kind):
        return Sim(v, kind)

    return start(x[0] * x[1], Heun).run(x[2])


def arrays(x):
    sim = Sim(x.copy(), Heun)
    y = sim.run(0.1)
    sim.method.last[0] = x[1]
    return np.sum(y * sim.method.last)


def root(f, start, derivative=None, args=(), options={}, damping=None, check=False, log=None):  # noqa: B006
    """Newton's iteration, as solvers are written."""
    p = 1.0 * start
    wants_pair = derivative == True  # noqa: E712
    if wants_pair:
        pair = f
    best = None
    for _ in range(30):
        if wants_pair:
            value, slope = pair(p, *args, **options)
        elif derivative is not None:
            value, slope = f(p, *args, **options), derivative(p, *args, **options)
        else:
            value = f(p, *args, **options)
            slope = (f(p + 1e-6, *args, **options) - value) / 1e-6
        if check and not np.isfinite(value):
            raise ValueError(p)
        step = value / slope
        if damping is not None:
            step = damping(step)
        if log is not None:
            log.append(p)
        if best is None or abs(value) < best:
            best = abs(value)
        p = p - step
        if abs(step) < 1e-13:
            return p
    return p


def cube_root(x):
    return root(lambda p: p**3 - x[0] * x[1], 1.0, lambda p: 3.0 * p**2) * x[2]


def with_damping(x):
    damping = lambda s: s * 0.999 * x[1] / x[1]  # noqa: E731
    return root(lambda p: p**2 - x[0], 1.0, lambda p: 2.0 * p, damping=damping)


def as_a_pair(x):
    return root(lambda p: (p**2 - x[0], 2.0 * p), 1.0, True)


def logged(x):
    points = []
    y = root(lambda p: p**2 - x[0], 1.0, lambda p: 2.0 * p, log=points)
    return y * len(points) + points[1] * x[1]


class Late:
    """Sets attributes on some paths only."""

    def put(self, v):
        if v > 0.7:
            self.v, self.pair = v * v, (v, 2.0)
            return self.v
        return v

    def keep(self, v):
        if v[0] > 5.0:
            return v
        self.row = np.sin(v)
        self.total = np.sum(self.row)
        return self.total


class Holder:
    def __init__(self):
        self.late = Late()


def some_paths(x):
    late = Late()
    s = 0.0
    for v in x:
        s = s + late.put(v) * x[0]
    return s


def early_return(x):
    late = Late()
    s = late.keep(x)
    return s + late.keep(x * s) + late.keep(x + 9.0)[0]


def set_before_it_is_read(x):
    late = Late()
    late.put(x[0])
    late.v = x[0] * x[1]
    late.put(x[1])
    late.put(0.5)
    return late.v


def inside_another(x):
    h = Holder()
    return h.late.put(x[0]) + h.late.put(x[1]) * h.late.put(x[2])


def made_in_a_loop(x):
    s = 0.0
    for v in x:
        late = Late()
        s = s + late.put(v) * late.put(v + 0.2)
    return s


def returned(x):
    late = new(x[0])
    s = late.put(x[1])
    late.v = s * x[2]
    return late.v * x[0]


def new(v):
    late = Late()
    late.put(v)
    return late


def in_a_list(x):
    lates = [Late() for _ in x]
    s = 0.0
    for late, v in zip(lates, x):  # noqa: B905
        s = s + late.put(v) * v
    return s + lates[1].v * lates[2].pair[0]


def changing_places(x):
    a, b, s = Late(), Late(), 0.0
    for v in x:
        s = s * 0.5 + a.put(v * x[1])
        a, b = b, a
    return s * a.put(x[2])


def not_there(x):
    late = Late()
    late.put(x[0])
    return late.v


def not_there_by_call(x):
    late = Late()
    late.put(x[0])
    return value_of(late)


def value_of(late):
    return late.v * 2.0


def not_there_the_second_time(x):
    s = 0.0
    for v in (x[1], x[0]):
        late = Late()
        late.put(v)
        s = s + late.v
    return s


class Gain:
    factor = 2.0

    def __init__(self, v):
        self.v = v

    def of(self, u):
        return self.v * u


class Offset(Gain):
    factor = 3.0

    def of(self, u):
        return self.v + u * u


def used_up(cls, v):
    s = cls(v)
    return s.of(v) * s.factor


def handed_through(x, cls):
    return used_up(cls, x * x) + made(cls, x).of(x)


def only_a_number_comes_back(x):
    return used_up(Gain, x[0]) * used_up(Offset, x[1]) * used_up(cls=Gain, v=x[2])


def by_another_function(x):
    return handed_through(x[0], Gain) * handed_through(x[1], Offset)


PROGRAMS = [
    only_a_number_comes_back, by_another_function,
    by_default, given, both_alive, without_state, by_a_function, with_arguments, handed_on, arrays,
    cube_root, with_damping, logged, as_a_pair, some_paths, early_return, set_before_it_is_read,
    inside_another, made_in_a_loop, returned, in_a_list, changing_places,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("how", ["refuse", "save"])
def test_gradients(fn, how):
    check_grads(fn, (X,), rtol=1e-5, on_overwrite=how)


@pytest.mark.recorded
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda f: f.__name__)
def test_second_order(fn):
    d = np.array([0.3, -0.2, 0.5])
    got = ad.hvp(fn, (X,), (d,))
    e = 1e-6
    want = (ad.grad(fn)(X + e * d) - ad.grad(fn)(X - e * d)) / (2 * e)
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("fn", [not_there, not_there_by_call, not_there_the_second_time])
def test_an_attribute_that_is_not_there(fn):
    with pytest.raises((AttributeError, ad.AdtransError)):
        ad.grad(fn)(X)
    with pytest.raises((AttributeError, ad.AdtransError)):
        ad.jvp(fn, (X,), (X,))
