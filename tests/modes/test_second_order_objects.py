"""Second derivatives of simulators: objects in lists, which are followed with all of their class.

The derivative finds the attributes of such an object in dictionaries. The gradient is not
differentiated again there: its tangent is the gradient of the tangent (`adtrans.api.mixed`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest

import adtrans as ad


@dataclass
class Config:
    dt: float = 0.1
    steps: int = 4
    k: float = 2.0


class Body:
    def __init__(self, x, v, m):
        self.x = x
        self.v = v
        self.m = m

    def kick(self, f, dt):
        self.v += f / self.m * dt

    def drift(self, dt):
        self.x += self.v * dt


class Simulator:
    def __init__(self, bodies, config):
        self.bodies = bodies
        self.config = config
        self.history = []

    def force(self, b):
        f = np.zeros(2)
        for o in self.bodies:
            if o is not b:
                d = o.x - b.x
                f += self.config.k * d / np.sqrt(d @ d + 0.1) ** 3
        return f

    def step(self):
        for b in self.bodies:
            b.kick(self.force(b), self.config.dt)
        for b in self.bodies:
            b.drift(self.config.dt)
        self.history.append(sum(b.v @ b.v for b in self.bodies))

    def run(self):
        for _ in range(self.config.steps):
            self.step()
        return sum(self.history)


def bodies_at(p):
    return [Body(p[2 * i : 2 * i + 2].copy(), np.zeros(2), 1.0 + i) for i in range(3)]


def simulated(p):
    return Simulator(bodies_at(p), Config(dt=0.2)).run()


def pulled(bodies, p, seen):
    for b in bodies:
        b.kick(p[:2] - b.x**3, 0.1)
    for b in bodies:
        b.drift(0.1)
    seen.append(sum(b.v @ b.v for b in bodies))


def by_a_function(p):
    bodies, seen = bodies_at(p), []
    for _ in range(3):
        pulled(bodies, p, seen)
    return sum(seen)


P = np.array([0.0, 0.1, 1.0, 0.2, -0.5, 0.8])


@pytest.mark.parametrize("f", [simulated, by_a_function])
def test_products_with_the_hessian(f):
    gradient = ad.grad(f, on_overwrite="save")
    v = np.arange(6.0) - 2.0
    product = ad.hvp(f, (P,), (v,), on_overwrite="save")
    expected = (gradient(P + 1e-6 * v) - gradient(P - 1e-6 * v)) / 2e-6
    np.testing.assert_allclose(product, expected, rtol=1e-6, atol=1e-7)
    hessian = ad.hessian(f, on_overwrite="save")(P)
    np.testing.assert_allclose(hessian, hessian.T, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(hessian @ v, product, rtol=1e-9, atol=1e-10)


class Counter:
    def __init__(self):
        self.calls = 0

    def tick(self):
        self.calls += 1


COUNTER = Counter()


def found():
    return COUNTER


def counted_by_a_method(p):
    COUNTER.tick()
    return np.sum(p**3)


def counted_through_a_function(p):
    c = found()
    c.tick()
    return np.sum(p**3)


def counted_beside_others(p):
    for c in [Counter(), COUNTER]:
        c.tick()
    return np.sum(p**3)


class Holder:
    def __init__(self, counter, scale):
        self.counter = counter
        self.scale = scale

    def cubes(self, p):
        self.counter.tick()
        return self.scale * np.sum(p**3)


HELD = Holder(COUNTER, 2.0)


def counted_by_one_that_is_held(p):
    s = 0.0
    for h in [Holder(Counter(), p[0]), HELD]:
        s += h.cubes(p)
    return s


@pytest.mark.parametrize(
    "f",
    [
        counted_by_a_method, counted_through_a_function, counted_beside_others,
        counted_by_one_that_is_held,
    ],
)  # fmt: skip
@pytest.mark.parametrize("mode", [ad.hessian, ad.jacfwd, ad.jacrev])
@pytest.mark.recorded
def test_a_function_that_changes_an_object_of_others_runs_once(f, mode):
    COUNTER.calls = 0
    mode(f)(P[:3])
    assert COUNTER.calls == 1


class Cell:
    def __init__(self):
        self.k = 0.0


class Scaled:
    def __init__(self, cell):
        self.cell = cell

    def __call__(self, z):
        return z**2 * self.cell.k


def of_a_cell_that_all_of_them_hold(p):
    cell, found = Cell(), []
    for k in range(3):
        cell.k = p[k] * p[0]
        found.append(Scaled(cell))
    s = 0.0
    for f in found:
        s += f(p[1])
    return s


@pytest.mark.recorded
def test_the_hessian_where_objects_share_one():
    x, h = P[2:5], 1e-5
    gradient = ad.grad(of_a_cell_that_all_of_them_hold)
    columns = [(gradient(x + h * e) - gradient(x - h * e)) / (2 * h) for e in np.eye(3)]
    hessian = ad.hessian(of_a_cell_that_all_of_them_hold)(x)
    np.testing.assert_allclose(hessian, np.stack(columns, 1), rtol=1e-6)


class Box:
    def __init__(self):
        self.items = []

    def put(self, v):
        self.items.append(v)


def arrays_and_numbers_in_one_list(p):
    box = Box()
    items = box.items
    for i in range(3):
        box.put(p[i] * p)
        box.put(p[i])
    s = 0.0
    for v in items:
        s += np.sum(v) * p[0]
    return s


def test_what_has_no_second_derivative_is_refused_soon():
    ad.grad(arrays_and_numbers_in_one_list)(P[:3])
    started = time.process_time()
    with pytest.raises(ad.AdtransError, match=r"AD207|AD201|AD208"):
        ad.hvp(arrays_and_numbers_in_one_list, (P[:3],), (np.ones(3),))
    assert time.process_time() - started < 40.0  # it took minutes


class Mesh:
    def __init__(self, x):
        self.x = x

    @cached_property
    def squares(self):
        return self.x * self.x

    @cached_property
    def total(self):
        return np.sum(self.x)


class Steps:
    def __init__(self, mesh):
        self.mesh = mesh

    def step(self, u):
        return u + 0.1 * self.mesh.squares * u * self.mesh.total


def computed_once_in_a_loop(x):
    total = 0.0
    for k in range(1, 4):
        mesh = Mesh(x * k)
        steps = Steps(mesh)
        u = steps.step(x)
        mesh.x = x
        total += np.sum(steps.step(u)) * np.sum(mesh.squares)
    return total


def test_the_sum_of_adjoints_of_one_structure_is_not_written_out_in_itself():
    started, x, h = time.process_time(), P[:2], 1e-5
    hessian = ad.hessian(computed_once_in_a_loop)(x)
    assert time.process_time() - started < 60.0  # it did not end
    gradient = ad.grad(computed_once_in_a_loop)
    columns = [(gradient(x + h * e) - gradient(x - h * e)) / (2 * h) for e in np.eye(2)]
    np.testing.assert_allclose(hessian, np.stack(columns, 1), rtol=1e-6)
