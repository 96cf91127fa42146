"""Texts that callees, classes, exceptions and objects hand on are texts of what varies as well."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([1.3, 0.7])


class Held:
    v = "0"

    def put(self, y):
        self.v = str(y)

    def get(self):
        return float(self.v)


class Shared:
    v = "0"

    @classmethod
    def put(cls, y):
        cls.v = str(y)


class Spoken:
    def __init__(self, y):
        self.y = y

    def __str__(self):
        return f"{float(self.y)}"


def text_of(y):
    return str(y)


def repeated(y, n):
    return str(y) if n == 0 else repeated(y * 2, n - 1)


def fail(y):
    raise ValueError(f"{y}")


def by_class(x):
    Held.v = str(x[0])
    return float(Held.v) * x[1]


def by_classmethod(x):
    Shared.put(x[0])
    return float(Shared.v) * x[1]


def by_methods(x):
    held = Held()
    held.put(x[0])
    return held.get() * x[1]


def by_list(x):
    found = []

    def add(y):
        found.append(str(y))

    add(x[0])
    return float(found[0]) * x[1]


def by_another_name(x):
    found = []
    also = found
    also.append(str(x[0]))
    return float(found[0]) * x[1]


def by_exception(x):
    try:
        fail(x[0])
    except ValueError as e:
        return float(str(e)) * x[1]


READ = [
    by_class,
    by_classmethod,
    by_methods,
    by_list,
    by_another_name,
    by_exception,
    lambda x: float(text_of(x[0])) * x[1],
    lambda x: float(repeated(x[0], 2)) * x[1],
    lambda x: float(str(Spoken(x[0]))) * x[1],
    lambda x: float(f"{Spoken(x[0])}") * x[1],
]


@pytest.mark.parametrize("mode", ["reverse", "forward"])
@pytest.mark.parametrize("f", READ)
def test_a_number_that_is_read_out_of_a_text(f, mode):
    f(X)
    with pytest.raises(ad.CompileError, match="a number is read out of a text") as error:
        ad.vjp(f, X) if mode == "reverse" else ad.jvp(f, (X,), (X,))
    assert {d.code for d in error.value.diagnostics} == {"AD202"}


@dataclass
class Told:
    x: object
    message: str


class Logged:
    def __init__(self, x):
        self.x, self.log = x, []

    def step(self):
        self.log.append(f"{self.x[0]:.3f}")
        self.x = self.x * self.x[1]
        return self


def told(x):
    return Told(x * x, f"done {x[0]}")


def informed(x):
    return x[0] * x[1], f"{x[0]}", {"note": "%g" % x[1], "v": x[1] ** 2}  # noqa: UP031


def beside_an_attribute(x):
    r = told(x)
    return np.sum(r.x) if r.message.startswith("done") else x[0]


def beside_a_log(x):
    s = Logged(x)
    s.step().step()
    return np.sum(s.x) + len(s.log)


def beside_results(x):
    v, _, found = informed(x)
    return v * found["v"] + informed(x)[0]


@pytest.mark.parametrize("f", [beside_an_attribute, beside_a_log, beside_results])
@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
def test_numbers_beside_texts(f, on_overwrite):
    check_grads(f, (X,), order=2, on_overwrite=on_overwrite)
