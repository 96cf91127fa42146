"""`**options` whose keys are not known before the run, or are no names, given to what collects
them."""

from __future__ import annotations

import pytest

import adtrans as ad

OPTIONS = {"scale": 2.0, "shift": 3.0}


class Layer:
    def by_name(self, x, **kw):
        return x * kw.get("scale", 1.0) + kw["shift"]

    def by_all(self, x, *rest, **kw):
        return x * sum(kw.values()) * len(kw)

    def by_turns(self, x, **kw):
        for value in kw.values():
            x = x * value
        return x


LAYER = Layer()


def numbered(n):
    return {f"k{i}": i + 1.0 for i in range(n)}


def dashed(x, **kw):
    return x * kw["a-b"] * kw["class"]


def made_of_pairs(x):
    options = dict([("scale", 2.0), ("shift", x)])  # noqa: C406  # not written out
    return Layer().by_name(x, **options)


def of_a_global(x):
    return LAYER.by_name(x, **OPTIONS)


def made_in_a_loop(x):
    options = {}
    for i in range(3):
        options[f"k{i}"] = x * i + 1.0
    return Layer().by_turns(x, **options) + (lambda **k: sum(k.values()))(**options)


def made_by_a_call(x):
    return LAYER.by_all(x, **numbered(3)) + LAYER.by_all(x, 1, 2, **numbered(2))


def no_names(x):
    return dashed(x, **{"a-b": x, "class": 2.0})


@pytest.mark.parametrize(
    "f", [made_of_pairs, of_a_global, made_in_a_loop, made_by_a_call, no_names]
)
def test_options_that_are_not_known(f):
    expected = (f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6
    assert ad.grad(f, on_unfollowed="record")(1.3) == pytest.approx(expected)
    try:
        found = ad.grad(f)(1.3)
    except ad.CompileError as error:
        assert {d.code for d in error.diagnostics} <= {"AD207", "AD401"}
    else:
        assert found == pytest.approx(expected)
