"""Second derivatives of the programs of the corpus, most of which write into arrays.

Forward over reverse is compared with finite differences of the gradient, reverse over reverse with
forward over reverse: `<v, H v>` both ways. What cannot be done is a clear error.
"""

from __future__ import annotations

import copy
import functools
import inspect
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import AdtransError, InternalError
from adtrans.testing import finite_difference_jvp, value_trees
from adtrans.testing.numerical import quietly
from tests.corpus import CASES, Case

WRITING = ("mutation", "more", "views")
GROUPS = (*WRITING, "numerics")
CHOSEN = [
    case
    for case in CASES
    if case.group in GROUPS and case.raises is None and "ok" in case.save.split("/")
]


BY_NAME = {case.name: case for case in CHOSEN}


@functools.cache
def forward_over_reverse(name: str) -> Any:
    """The gradient, the places of `wrt`, a direction, the derivative along it; or an error."""
    case = BY_NAME[name]
    names = list(inspect.signature(case.fn).parameters)
    chosen = case.wrt if isinstance(case.wrt, tuple) else (case.wrt,)
    at = tuple(names.index(w) if isinstance(w, str) else w for w in chosen)
    rng = np.random.default_rng(3)

    def random(path: str, leaf: Any) -> Any:
        if not value_trees.is_float(leaf):
            return None
        value = rng.normal(size=np.shape(leaf))
        return value if isinstance(leaf, np.ndarray) else float(value)

    direction = tuple(value_trees.rebuild(case.args[k], random) for k in at)
    gradient = ad.grad(case.fn, wrt=at, on_overwrite="save", **case.options)
    try:
        with np.errstate(all="ignore"):
            found = ad.jvp(gradient, copy.deepcopy(case.args), direction, wrt=at)[1]
    except AdtransError as refused:
        return refused
    return gradient, at, direction, found


SOME = [
    pytest.param(case, id=case.name, marks=() if k % 3 == 0 else pytest.mark.slow)
    for k, case in enumerate(CHOSEN)
]


@pytest.mark.parametrize("case", SOME)
def test_hessian(case: Case) -> None:
    made = forward_over_reverse(case.name)
    if isinstance(made, AdtransError):
        assert not isinstance(made, InternalError)
        return
    gradient, at, direction, found = made
    expected = finite_difference_jvp(
        lambda *a: quietly(gradient, list(a)), copy.deepcopy(case.args), direction, at, 1e-4
    )
    for a, b in zip(value_trees.leaves(found), value_trees.leaves(expected), strict=True):
        if b[1] is not None and value_trees.is_float(b[1]):
            scale = 1.0 + float(np.max(np.abs(b[1]), initial=0.0))
            assert np.allclose(a[1], b[1], rtol=0.0, atol=2e-5 * scale), (a, b)
    rows = reverse_over_reverse(case.name)
    if isinstance(rows, AdtransError):
        assert not isinstance(rows, InternalError)
        return
    both = value_trees.inner(rows, direction), value_trees.inner(found, direction)
    assert both[0] == pytest.approx(both[1], rel=1e-6, abs=1e-8)


@functools.cache
def reverse_over_reverse(name: str) -> Any:
    """The pullback of the gradient at the direction; or an error."""
    gradient, at, direction, _ = forward_over_reverse(name)
    try:
        with np.errstate(all="ignore"):
            _, pullback = ad.vjp(gradient, *copy.deepcopy(BY_NAME[name].args), wrt=at)
            return pullback(direction)
    except AdtransError as refused:
        return refused


@pytest.mark.slow
def test_there_are_enough_of_them() -> None:
    right = [c for c in CHOSEN if not isinstance(forward_over_reverse(c.name), AdtransError)]
    assert len(right) >= 150
    assert len([c for c in right if c.group in WRITING]) >= 100
    both = [c for c in right if not isinstance(reverse_over_reverse(c.name), AdtransError)]
    assert len(both) >= 130
    assert len([c for c in both if c.group in WRITING]) >= 80
