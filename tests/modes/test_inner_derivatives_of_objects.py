"""Derivatives inside a function, of methods and of what captures objects: forces from energies."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

WRT = ("a", "k", "t", "q")
ARGS = (0.7, 1.3, np.array([0.3, 0.2]), np.array([0.5, 0.7]))


class Spring:
    def __init__(self, k):
        self.k, self.calls = k, 0

    def spring_energy(self, q):
        return 0.5 * self.k * np.sum(q * q)

    def __call__(self, q):
        return self.spring_energy(q)

    @property
    def spring_stiffness(self):
        return 2.0 * self.k

    def spring_cubic(self, q):
        return self.spring_stiffness * np.sum(q**3)

    def counted_energy(self, q):
        self.calls += 1
        return self.spring_energy(q)

    def looked_energy(self, q):
        return self.spring_energy(q) if hasattr(self, "k") else 0.0


@dataclass
class Well:
    a: float
    spring: Spring
    table: np.ndarray

    def well_potential(self, q):
        return self.a * np.sum(q**4) + self.spring.spring_energy(q) + np.sum(self.table * q)

    def well_force(self, q):
        return -ad.grad(self.well_potential)(q)


def of_a_method(a, k, t, q):
    return np.sum(Well(a, Spring(k), t).well_force(q) ** 2)


def of_a_property(a, k, t, q):
    s = Spring(k * a)
    return np.sum(ad.grad(s.spring_cubic)(q) * t)


def of_what_is_called(a, k, t, q):
    s = Spring(k * a)
    return np.sum(ad.grad(lambda z: s(z))(q) * t)


def in_steps(a, k, t, q):
    well, p = Well(a, Spring(k), t), 0.0 * q
    for _ in range(3):
        p = p + 0.1 * well.well_force(q)
        q = q + 0.1 * p
        well.a = well.a * 1.1
    return np.sum(q**2) + np.sum(p**2)


def of_one_after_the_other(a, k, t, q):
    s = 0.0
    for well in [Well(a, Spring(k), t), Well(a * k, Spring(2.0 * k), 2.0 * t)]:
        s = s + np.sum(well.well_force(q) ** 2)
    return s


def with_the_value(a, k, t, q):
    well = Well(a, Spring(k), t)
    value, slope = ad.value_and_grad(lambda z: well.well_potential(z))(q)
    return value * np.sum(slope**2)


def by_the_hessian(a, k, t, q):
    return np.sum(ad.hessian(Well(a, Spring(k), t).well_potential)(q) ** 2)


def by_a_jacobian(a, k, t, q):
    well = Well(a, Spring(k), t)
    return np.sum(ad.jacobian(lambda z: z**3 * well.a * well.table)(q) ** 2)


def element_by_element(a, k, t, q):
    s = Spring(k * a)
    return np.sum(ad.elementwise_grad(lambda z: np.sin(z) * s.k)(q) * t)


def along_a_direction(a, k, t, q):
    well = Well(a, Spring(k), t)
    return ad.jvp(lambda z: well.well_potential(z), (q,), (q * t,))[1] ** 2


def by_a_pullback(a, k, t, q):
    well = Well(a, Spring(k), t)
    _, pullback = ad.vjp(lambda z: well.well_potential(z), q)
    return np.sum(pullback(2.0)[0] ** 2)


def times_the_hessian(a, k, t, q):
    well = Well(a, Spring(k), t)
    return np.sum(ad.hvp(lambda z: well.well_potential(z), (q,), (t,)) ** 2)


def twice(a, k, t, q):
    well = Well(a, Spring(k), t)
    slope = ad.grad(lambda z: np.sum(ad.grad(lambda r: well.well_potential(r))(z) ** 2))(q)
    return np.sum(slope * t)


QUICK = (of_a_method, of_a_property, of_what_is_called, element_by_element)
LONG = (
    in_steps, of_one_after_the_other, with_the_value, by_the_hessian, by_a_jacobian,
    along_a_direction, by_a_pullback, times_the_hessian, twice,
)  # fmt: skip
CASES = [*QUICK, *(pytest.param(f, marks=pytest.mark.slow) for f in LONG)]


@pytest.mark.recorded
@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_by_what_the_object_holds(f) -> None:
    check_grads(f, ARGS, wrt=WRT)


@pytest.mark.slow
@pytest.mark.parametrize("f", [*QUICK, *LONG], ids=lambda f: f.__name__)
def test_with_copies(f) -> None:
    check_grads(f, ARGS, wrt=WRT, on_overwrite="save")


def that_counts(a, k, t, q):
    s = Spring(k * a)
    return np.sum(ad.grad(s.counted_energy)(q) ** 2) * s.calls


def that_looks(a, k, t, q):
    s = Spring(k * a)
    return np.sum(ad.grad(s.looked_energy)(q) ** 2)


@pytest.mark.parametrize("f", [that_counts, that_looks], ids=lambda f: f.__name__)
def test_what_changes_the_object_or_looks_at_it_is_refused(f) -> None:
    with pytest.raises(CompileError):
        ad.grad(f, wrt="k")(*ARGS)


def test_the_object_is_what_is_differentiated() -> None:
    def f(k, q):
        return ad.grad(lambda s, z: s.spring_energy(z), wrt="s.k")(Spring(k), q)

    with pytest.raises(CompileError):
        ad.grad(f)(2.0, np.ones(2))


def of_constants(a, k, t, q):
    s = Spring(2.0)
    return np.sum(ad.grad(s.spring_energy)(np.ones(2))) * k


def that_decides(a, k, t, q):
    s = Spring(k)
    return k * k if np.sum(ad.grad(s.spring_energy)(np.ones(2))) > 1.0 else k


def of_two_on_one_line(a, k, t, q):
    s, w = Spring(2.0), Well(3.0, Spring(1.5), np.ones(2))
    return k * np.sum(ad.grad(lambda z: s(z))(q * 0.0 + 1.0)) * np.sum(
        ad.grad(lambda z: s(z))(np.ones(2)) - ad.grad(lambda z: w.well_potential(z))(np.ones(2))
    )


@pytest.mark.recorded
@pytest.mark.parametrize("f", [of_constants, that_decides, of_two_on_one_line])
def test_what_does_not_vary_is_called_with_the_parts_too(f) -> None:
    check_grads(f, ARGS, wrt=("k",))


def test_an_object_that_is_copied_is_not_taken_apart() -> None:
    def f(k, q):
        s = Copied(k)
        return np.sum(ad.grad(s.energy_of_a_copy)(q))

    with pytest.raises(CompileError):
        ad.grad(f)(1.3, np.ones(2))


class Copied:
    def __init__(self, k):
        self.k = k

    def energy_of_a_copy(self, q):
        return inner_copy(self).k * np.sum(q * q)


def inner_copy(of):
    return copy.copy(of)
