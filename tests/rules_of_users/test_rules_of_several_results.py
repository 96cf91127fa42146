"""Rules and checkpoints that return, or are given, several things: of which some are not used."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.3, 0.8, 1.2])


@ad.checkpoint
def pair(x):
    return x * x, np.sum(x)


@ad.checkpoint
def nested(x):
    return x * x, (np.sum(x), x * 3.0), len(x), [x[0], x[1] * x[0]]


def taught(x):
    return x * x, np.sum(x)


ad.rule(taught, lambda y_bar, y, x: y_bar[0] * 2 * x + y_bar[1],
        lambda x_dot, x: (2 * x * x_dot, np.sum(x_dot)))  # fmt: skip


class State(NamedTuple):
    time: float
    place: np.ndarray


@ad.checkpoint
def advanced(s):
    return State(s.time * 2 + np.sum(s.place), s.place * s.time)


@ad.checkpoint
def scaled(items):
    return [v * items[0] for v in items]


def first(x):
    return np.sum(pair(x)[0])


def second(x):
    return pair(x)[1]


def taught_first(x):
    return np.sum(taught(x)[0])


def taught_second(x):
    return taught(x)[1] ** 2


def deep(x):
    return np.sum(nested(x)[1][1])


def deeper(x):
    return nested(x)[1][0] * x[0]


def one_of_them(x):
    a, _, _, _ = nested(x)
    return np.sum(a)


def in_a_list(x):
    return nested(x)[3][1]


def chosen(x):
    a, b = pair(x)
    return np.sum(a) if x[0] > 5.0 else b


@pytest.mark.parametrize("f", [first, second, taught_first, taught_second, deep, deeper,
                               one_of_them, in_a_list, chosen])  # fmt: skip
def test_what_is_not_used_is_zero(f):
    check_grads(f, (X,))
    if f is not in_a_list:
        check_grads(f, (X,), order=2, modes=("reverse",))


def stepped(x):
    s = State(x[0], x[1:])
    for _ in range(3):
        s = advanced(s)
    return s.time


def stepped_places(x):
    s = State(x[0], x[1:])
    for _ in range(3):
        s = advanced(s)
    return np.sum(s.place)


def lists(x):
    items = [x[0], x[1], x[2]]
    for _ in range(2):
        items = scaled(items)
    return sum(items)


def item_of_lists(x):
    items = [x[0], x[1], x[2]]
    for _ in range(2):
        items = scaled(items)
    return items[1]


@pytest.mark.parametrize("f", [stepped, stepped_places, lists, item_of_lists])
def test_containers_go_in_and_out(f):
    check_grads(f, (X,))


def test_adjoints_of_containers_are_checked():
    def total(items):
        return items[0] * items[1]

    def of(x):
        items = [x[0]]
        items.append(x[1])
        return total(items)

    ad.rule(total, lambda y_bar, items: [y_bar * items[1], y_bar * items[0]])
    np.testing.assert_allclose(ad.grad(of)(X), [X[1], X[0], 0.0])
    ad.rule(total, lambda y_bar, items: np.array([y_bar * items[1], y_bar * items[0]]))
    np.testing.assert_allclose(ad.grad(of)(X), [X[1], X[0], 0.0])
    for wrong in (lambda y_bar, items: [y_bar], lambda y_bar, items: y_bar):
        ad.rule(total, wrong)
        with pytest.raises(ad.AdtransError) as found:
            ad.grad(of)(X)
        assert found.value.diagnostics[0].code == "AD412"
