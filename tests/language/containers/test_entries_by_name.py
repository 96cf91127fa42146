"""Names that go with values: `dict(zip(NAMES, theta))`, and `f(**d)` of such a dictionary."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])
NAMES = ("a", "b", "c", "d")
FREE = ("a", "c")
TABLE = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}


def model(a, b, c, d=2.0):
    return a * b + c * d**2


def named(x):
    return dict(zip(NAMES, x, strict=False))


def in_a_call(x):
    return model(**dict(zip(NAMES, x, strict=False)))


def by_a_helper(x):
    p = named(x)
    return model(**p) * p["a"]


def some_left_out(x):
    return model(**dict(zip(("a", "b", "c"), x, strict=False)))


def beside_others(x):
    p = dict(zip(("b", "c"), x[1:], strict=False))
    return model(x[0], **p)


def comprehension(x):
    p = {n: v * v for n, v in zip(NAMES, x, strict=False)}
    p["a"] = 2.0 * p["b"]
    return model(**p)


def numbered(x):
    p = {}
    for k, (n, v) in enumerate(zip(NAMES, x, strict=False)):
        p[n] = k * v
    return model(**p)


def table_copied(x):
    p = TABLE.copy()
    for n, v in zip(FREE, x, strict=False):
        p[n] = v * v
    return model(p["a"], p["b"], p["c"], p["d"]) * x[3]


def in_place_meanwhile(x):
    y, s = x.copy(), 0.0
    p = {}
    for n, v in zip(NAMES, y, strict=False):
        p[n] = v
        y *= 0.5
    return p["a"] + 2.0 * p["b"] + 3.0 * p["c"] + s


def two_defaults(a, b=2.0, c=3.0):
    return a - b * c


def given(keys, x):
    d = {}
    for k, n in enumerate(keys):
        d[n] = x[k]
    return d


def none_of_two(x):
    return two_defaults(**given("a", x)) * x[0]


def the_first_of_two(x):
    return two_defaults(**given("ab", x))


def the_second_of_two(x):
    return two_defaults(x[2], **given("c", x))


def both_of_two(x):
    return two_defaults(**given("cba", x))


PROGRAMS = [
    none_of_two, the_first_of_two, the_second_of_two, both_of_two,
    in_a_call, by_a_helper, some_left_out, beside_others, comprehension, numbered, table_copied,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_every_mode(f) -> None:
    check_grads(f, (X,))
    check_grads(f, (X,), on_overwrite="save")
    assert TABLE == {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}


def test_what_is_written_meanwhile() -> None:
    check_grads(in_place_meanwhile, (X,))


def test_fewer_values_than_names() -> None:
    gradient = ad.grad(by_a_helper)
    assert np.allclose(gradient(X)[:1], [2.0 * X[0] * X[1] + X[2] * X[3] ** 2])
    with contextlib.suppress(ad.DerivativeError):
        check_grads(by_a_helper, (X[:3],))
    with pytest.raises((ad.DerivativeError, TypeError)):
        gradient(X[:2])


def other_names(x):
    return model(**dict(zip(("a", "b", "q"), x, strict=False)))


def test_names_that_the_function_does_not_take() -> None:
    with pytest.raises((ad.AdtransError, TypeError)):
        ad.grad(other_names)(X)
