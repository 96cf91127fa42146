"""What lists hold: of a list of objects it stays known beside one of numbers."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.api.derived import recipe_of
from adtrans.driver.options import Options
from adtrans.testing import check_grads


class Node:
    def __init__(self, w):
        self.w = w


def nodes_at(x):
    return [Node(v * v) for v in x]


def passed(seen, y):
    seen.append(y)


def beside(x):
    nodes = nodes_at(x)
    seen = []
    for n in nodes:
        passed(seen, n.w * x[0])
    return sum(seen)


def filled(items, x):
    items.append(x)
    return items


def another_name(x):
    items = []
    same = filled(items, x[0])
    items.append(x * 2.0)
    same.append(3)
    return np.sum(same[1] * items[0]) * items[2]


@pytest.mark.recorded
def test_objects_made_by_a_function_beside_a_list_of_numbers():
    check_grads(beside, (np.array([0.5, 1.5, 2.0]),))


def test_a_list_with_two_names_holds_what_is_put_in_through_either():
    check_grads(another_name, (np.array([0.5, 1.5, 2.0]),))
    assert ad.value_and_grad(another_name)(np.array([0.5, 1.5]))[0] == 6.0


def with_places(x):
    pieces = []
    for e in range(3):
        places = np.array([[2 * n, 2 * n + 1] for n in (e, e + 1)]).ravel()
        pieces.append((places, x[e]))
    u = np.arange(8.0) * x[0]
    s = 0.0
    for places, v in pieces:
        s += v * np.sum(u[places] ** 2)
    return s


def test_an_array_made_of_a_list_is_of_whole_numbers_in_a_tuple_that_is_put_into_another():
    x = np.array([0.5, 1.5, 2.0])
    facts = recipe_of(with_places, Options()).dispatcher(("x",)).version((x,)).compiled.facts
    assert str(facts.kinds.var("pieces")).startswith("list[(int64[")
    for how in ("refuse", "save"):
        check_grads(with_places, (x,), on_overwrite=how, modes=("reverse", "forward"))
    check_grads(ad.grad(with_places), (x,), modes=("forward",))
