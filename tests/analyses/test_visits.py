"""A function is looked into for objects again where what it read has changed, and only there."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.analyses.objects import seeing
from adtrans.analyses.objects.model import Seen
from adtrans.analyses.objects.visits import Visits
from adtrans.testing import check_grads

LOST = {("param", "box"): "a reason"}


def test_what_read_the_same_is_unchanged() -> None:
    visits: Visits[str] = Visits()
    known = {"g": Seen(), "h": Seen()}
    with visits.visit("f", LOST):
        for callee, seen in known.items():
            assert visits.reads(callee, seen) is seen
    assert visits.unchanged("f", dict(LOST), known.__getitem__)
    assert not visits.unchanged("f", {}, known.__getitem__)
    assert not visits.unchanged("g", {}, known.__getitem__)
    asked: list[str] = []
    known["g"] = Seen()

    def again(callee: str) -> Seen:
        asked.append(callee)
        return known[callee]

    assert not visits.unchanged("f", LOST, again)
    assert asked == ["g"]  # what comes after the first difference may not be read at all
    visits.clear()
    assert not visits.unchanged("f", LOST, known.__getitem__)


def test_what_callees_read_is_theirs() -> None:
    visits: Visits[str] = Visits()
    with visits.visit("f", {}), visits.visit("g", {}):
        visits.reads("h", Seen())
    assert visits.unchanged("f", {}, lambda callee: pytest.fail(callee))


def test_a_visit_that_fails_is_forgotten() -> None:
    visits: Visits[str] = Visits()
    with pytest.raises(KeyError), visits.visit("f", {}):
        raise KeyError
    assert not visits.unchanged("f", {}, lambda callee: Seen())


class Node:
    def __init__(self, weight: float) -> None:
        self.weight = weight
        self.total = 0.0


def even(node: Node, x: np.ndarray, n: int) -> float:
    if n == 0:
        return node.total
    node.total += node.weight * x[n]
    return odd(node, x, n - 1)


def odd(node: Node, x: np.ndarray, n: int) -> float:
    if n == 0:
        return node.total * 2.0
    node.weight = node.weight * x[0]
    return even(node, x, n - 1)


def walk(x: np.ndarray) -> float:
    node = Node(x[1] * 3.0)
    return even(node, x, 4) + node.weight * node.total


def test_functions_that_call_each_other_are_looked_into_until_nothing_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[str] = []
    original = seeing.infer

    def infer(fn, *rest):  # type: ignore[no-untyped-def]
        looked.append(fn.name)
        return original(fn, *rest)

    monkeypatch.setattr(seeing, "infer", infer)
    x = np.array([0.7, 1.1, 0.4, -0.6, 0.9])
    for mode in ("refuse", "save"):
        check_grads(walk, (x,), on_overwrite=mode)
    looked.clear()
    ad.grad(ad.differentiable(walk))(x)
    assert looked.count("walk") <= 4
