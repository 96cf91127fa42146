"""Numbers that are taken for real, and turn out complex when the program runs."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.analyses.kinds import param_kinds
from adtrans.driver.options import Options
from adtrans.ir.kinds import PY_FLOAT
from adtrans.pipeline import compile_function
from adtrans.testing import check_grads


class Box:
    def __init__(self, value: object) -> None:
        self.values = {"k": value, "other": "text"}


def power_of_a_constant(x: float, p: float, box: Box) -> float:
    k = p**0.5
    twice = [k, 2.0 * k]
    return abs(x * twice[1])


def own_power(x: float, p: float, box: Box) -> float:
    root = x**p
    return abs(root + 1.0)


def unknown_factor(x: float, p: float, box: Box) -> float:
    return abs(x * box.values["k"])


def power_in_a_callee(x: float, p: float, box: Box) -> float:
    try:
        return own_power(-x, 0.5, box) + power_of_a_constant(x, -p, box)
    except Exception:
        return 0.0


def root_of_an_odd_power(x: float, p: float, box: Box) -> float:
    return abs(x * (p**3) ** 0.5)


def root_of_a_sum(x: float, p: float, box: Box) -> float:
    return abs(x * (p * p + 4.0 * p) ** 0.5)


COMPLEX_AT_RUN_TIME = {
    root_of_an_odd_power: ((2.0, 3.0, Box(1.0)), (2.0, -3.0, Box(1.0))),
    root_of_a_sum: ((2.0, 3.0, Box(1.0)), (2.0, -1.0, Box(1.0))),
    power_of_a_constant: ((2.0, 3.0, Box(1.0)), (2.0, -3.0, Box(1.0))),
    own_power: ((2.0, 1.5, Box(1.0)), (-2.0, 1.5, Box(1.0))),
    unknown_factor: ((2.0, 1.5, Box(1.5)), (2.0, 1.5, Box(1.5 + 1j))),
    power_in_a_callee: ((-2.0, -1.5, Box(1.5)), (2.0, 1.5, Box(1.0))),
}


@pytest.mark.parametrize("f", COMPLEX_AT_RUN_TIME, ids=lambda f: f.__name__)
def test_formulas_for_real_numbers_are_not_used_for_complex_ones(f) -> None:
    fine, wrong = COMPLEX_AT_RUN_TIME[f]
    check_grads(f, fine)
    with pytest.raises(ad.DerivativeError, match="is complex"):
        ad.grad(f)(*wrong)
    with pytest.raises(ad.DerivativeError, match="is complex"):
        ad.jvp(f, wrong, (1.0, None, None))
    kinds = param_kinds(dict(zip(("x", "p", "box"), fine, strict=True)))
    made = compile_function(f, kinds, Options(), wrt=("x",))
    assert "check_plain(" in made.source


def real_powers(x: float) -> float:
    n = len([1.0, 2.0])
    return (x * x + 1.0) ** 0.5 + abs(x) ** 1.5 + x**n + 2.0**x + np.float64(x) ** 2.5 + x**3.0


def test_powers_that_stay_real_are_not_looked_at() -> None:
    check_grads(real_powers, (1.3,))
    made = compile_function(real_powers, {"x": PY_FLOAT}, Options(), wrt=("x",))
    assert "check_plain" not in made.source and not made.report.checks


class Own(np.ndarray):
    """An array whose product means something else."""

    def __mul__(self, other):
        return np.sum(np.asarray(other) ** 2)

    __rmul__ = __mul__


class Held:
    def __init__(self, value: object) -> None:
        self.table = {"a": value}

    def load(self) -> object:
        return self.table["a"]


OWN = np.ones(3).view(Own)
MASKED = np.ma.array([1.0, 2.0, 3.0], mask=[True, False, False])
X = np.array([1.0, 2.0, 3.0])


def test_operators_of_other_classes_are_refused() -> None:
    for f in (lambda x: np.sum(OWN * x), lambda x: np.sum(x * MASKED), lambda x: np.dot(OWN, x)):
        with pytest.raises(ad.CompileError) as caught:
            ad.grad(f)(X)
        assert caught.value.diagnostics[0].code == "AD408"


def test_or_found_when_it_runs() -> None:
    def f(x, held):
        return np.sum(held.load() * x)

    def times(a, b):
        return np.sum(a * b)

    def through_a_callee(x, held):
        return times(held.load(), x)

    for g in (f, through_a_callee):
        assert ad.grad(g)(X, Held(2.0)).tolist() == [2.0, 2.0, 2.0]
        with pytest.raises(ad.DerivativeError, match="is a `Own`"):
            ad.grad(g)(X, Held(OWN))
