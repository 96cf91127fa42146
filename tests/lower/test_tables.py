"""Tables of functions that stand outside: loops over them and beside values, what is captured."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.array([0.6, 0.9, 1.3, 0.7])


def line(t):
    return t


def square(t):
    return t * t


def third(t):
    return t**3


ROW = (line, square, np.sin)
LIST = [line, square, lambda t: np.sin(t)]
LAYERS = [(np.tanh, 0.5), (np.sin, 2.0), (square, 1.0)]
NAMED = {"a": line, "bc": square}


def alone(x):
    s = 0.0
    for f in ROW:
        s += f(x[0]) * s + f(x[1])
    return s


def beside_values(x):
    total = 0.0
    for c, f in zip(x, LIST):  # noqa: B905  # four values, three functions
        total += c * f(x[3])
    return total


def in_a_generator(x):
    return sum(c * f(x[0]) for c, f in zip(x, ROW))  # noqa: B905  # four values, three functions


def fewer_values(x):
    return sum(f(v) for f, v in zip(ROW, x[:2]))  # noqa: B905  # two values, three functions


def in_pairs(x):
    for f, w in LAYERS:
        x = f(w * x)
    return np.sum(x)


def at_places(x):
    return sum(LIST[k % 2](x[k]) for k in range(4)) * ROW[-1](x[0])


def by_keys(x):
    s = 0.0
    for key in ("a", "bc", "a"):
        s += NAMED[key](x[0]) * x[1]
    return s


def with_their_keys(x):
    s = 0.0
    for key, f in NAMED.items():
        s += len(key) * f(x[0])
    return s


def left_early(x):
    s = 0.0
    for v, f in zip(x, LIST):  # noqa: B905  # four values, three functions
        s += f(v)
        if s > 1.0:
            break
    else:
        s *= 2.0
    return s


def counted(x):
    return x[0] * len(LIST) + sum(k * f(x[k]) for k, f in enumerate(LIST))


def of_a_dictionary(x):
    values = {"u": x[0], "v": x[1] * x[1]}
    s = 0.0
    for key, f in zip(values, ROW):  # noqa: B905  # two keys, three functions
        s += f(values[key])
    return s


@pytest.mark.parametrize(
    "fn",
    [alone, beside_values, in_a_generator, fewer_values, in_pairs, at_places, by_keys,
     with_their_keys, left_early, counted, of_a_dictionary],
)  # fmt: skip
@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
def test_functions_out_of_tables(fn, on_overwrite):
    check_grads(fn, (X,), on_overwrite=on_overwrite)


@pytest.mark.parametrize("fn", [alone, in_a_generator, in_pairs, by_keys])
def test_the_second_derivative(fn):
    check_grads(fn, (X,), order=2, modes=("reverse",))


def through_a_list(x):
    s = 0.0
    for f in LIST:
        s += f(x)
    return s


def test_a_list_that_changes_is_noticed():
    gradient = ad.grad(through_a_list)
    assert gradient(2.0) == pytest.approx(1.0 + 4.0 + np.cos(2.0))
    LIST[0] = third
    try:
        assert gradient(2.0) == pytest.approx(12.0 + 4.0 + np.cos(2.0))
        LIST.append(square)
        assert gradient(2.0) == pytest.approx(12.0 + 8.0 + np.cos(2.0))
        del LIST[1:]
        assert gradient(2.0) == pytest.approx(12.0)
    finally:
        LIST[:] = [line, square, lambda t: np.sin(t)]
    assert gradient(2.0) == pytest.approx(1.0 + 4.0 + np.cos(2.0))


def of_all_keys(x):
    s = 0.0
    for f in NAMED.values():
        s = 2.0 * s + f(x)
    return s


def test_keys_that_come_or_change_places_are_noticed():
    gradient = ad.grad(of_all_keys)
    assert gradient(3.0) == 2.0 + 6.0
    try:
        NAMED["d"] = third
        assert gradient(3.0) == 4.0 + 12.0 + 27.0
        NAMED["a"] = NAMED.pop("a")
        assert gradient(3.0) == 4.0 * 6.0 + 2.0 * 27.0 + 1.0
    finally:
        NAMED.clear()
        NAMED.update(a=line, bc=square)




def changed_here(x):
    LIST[0] = LIST[0]
    return LIST[1](x[0])


def test_a_table_that_is_written_is_left_as_it_is():
    try:
        found = ad.grad(changed_here)(X)
    except ad.AdtransError:
        return
    assert found[0] == 2.0 * X[0]


GROWING = [line]
ENTRIES = {"a": line}


def register():
    GROWING.append(square)
    ENTRIES["b"] = square


def grown_by_a_call(x):
    register()
    s = 0.0
    for f in GROWING:
        s += f(x)
    return s


def entered_by_a_call(x):
    register()
    s = 0.0
    for f in ENTRIES.values():
        s += f(x)
    return s


def grows(x):
    register()
    return x


def grown_by_an_item(x):
    return sum(f(x) for f in GROWING)


@pytest.mark.parametrize("fn", [grown_by_a_call, entered_by_a_call, grown_by_an_item])
def test_a_table_that_changes_meanwhile(fn):
    try:
        if fn is grown_by_an_item:
            GROWING[:] = [grows, line]
        assert ad.grad(fn)(2.0) == (1.0 + 2.0 * 2.0 + (fn is grown_by_an_item))
    finally:
        GROWING[:] = [line]
        ENTRIES.clear()
        ENTRIES["a"] = line


def read_later(x):
    return (lambda v: sum(f(v) for f in LIST))(x[0])


def in_a_condition(x):
    k, s = 0, x[0]
    while k < 2 and LIST[k](s) < 1.5:
        s, k = s * 2.0, k + 1
    return s


@pytest.mark.parametrize("fn", [read_later, in_a_condition])
def test_where_a_table_cannot_be_compared_nothing_is_wrong(fn):
    with contextlib.suppress(ad.AdtransError):
        check_grads(fn, (X,))
