"""Lists and tuples in the place of arrays carry their derivatives, however deep."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad

V = np.array([1.0, 2.0])
DISPLAYS = {
    "nested": lambda s: np.sum(np.array([[s * s, 1.0], [2.0, s]]) ** 2),
    "arrays": lambda s: np.sum(np.array([s * V, V]) ** 2),
    "concatenate": lambda s: np.sum(np.concatenate([[s * s, 1.0], V]) ** 2),
    "stack": lambda s: np.sum(np.stack([[s * s, 1.0], V]) ** 2),
    "vstack": lambda s: np.sum(np.vstack(([s, s * s], [s, 1.0]))),
    "sum": lambda s: np.sum([s * s, 2.0, s]),
    "prod": lambda s: np.prod([s * s, 2.0, s]),
    "mean": lambda s: np.mean((s, s * s)),
    "max": lambda s: np.max([s * s, 2.0]),
    "dot": lambda s: np.dot([s * s, 2.0], V),
    "multiply": lambda s: np.sum(np.multiply([s * s, 2.0], V)),
    "tuple": lambda s: np.sum(V + (s * s, 2.0)),
    "norm": lambda s: np.linalg.norm([s * s, 2.0]),
    "where": lambda s: np.sum(np.where([True, False], [s * s, s], V)),
    "einsum": lambda s: np.einsum("i,i->", [s * s, s], V),
    "cross": lambda s: np.sum(np.cross([s * s, s, 1.0], [1.0, s, 2.0])),
    "full": lambda s: np.sum(np.full((2, 2), [s * s, s])),
    "polyval": lambda s: np.polyval([s * s, s], 2.0),
    "interp": lambda s: np.interp(0.5, [0.0, 1.0], [s * s, s]),
    "outer": lambda s: np.sum(np.outer([s, s * s], V)),
    "append": lambda s: np.sum(np.append(V, [s, s * s])),
    "linspace": lambda s: np.sum(np.linspace([s, s * s], V, 3)),
    "select": lambda s: np.sum(np.select([[True, False]], [[s, s * s]], s)),
    "clip": lambda s: np.sum(np.clip(V, [s - 1, s - 1], 1.5)),
    "out": lambda s: np.sum(np.add([s, s * s], V, out=np.zeros(2))),
}


@pytest.mark.parametrize("name", DISPLAYS)
def test_displays_of_varying_numbers(name: str) -> None:
    f, at, h = DISPLAYS[name], 1.3, 1e-5
    slope = (f(at + h) - f(at - h)) / (2 * h)
    assert ad.grad(f)(at) == pytest.approx(slope, rel=1e-8)
    value, tangent = ad.jvp(f, (at,), (1.0,))
    assert value == f(at) and tangent == pytest.approx(slope, rel=1e-8)


def test_what_is_not_followed_is_refused() -> None:
    with pytest.raises(ad.CompileError):
        ad.grad(lambda s: max([s, 1.0], [2.0, s * s])[0])(1.3)


def test_the_largest_of_tuples() -> None:
    assert ad.grad(lambda s: max((s, 1.0), (2.0, s * s))[1])(1.3) == pytest.approx(2.6)


def test_tuples_of_tangents_are_added_item_by_item() -> None:
    def f(s):
        quotient, rest = divmod(s, 0.3 * s + 1)
        a, b = np.meshgrid(s * V, V * s * s)
        return quotient + rest + np.sum(a * b)

    at, h = 2.0, 1e-6
    slope = (f(at + h) - f(at - h)) / (2 * h)
    assert ad.jvp(f, (at,), (1.0,))[1] == pytest.approx(slope, rel=1e-7)
    assert ad.grad(f)(at) == pytest.approx(slope, rel=1e-7)
