"""Partial applications that are called: everything is evaluated in the order that Python has."""

import operator
from functools import partial

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


def relax(u, *, rate, source):
    return u + rate * source


def times(c, k):
    return c * k


def poly(**words):
    total = 0.0
    for v in words.values():
        total = total * 2.0 + v
    return total


def taken_in_turn(x):
    y = [x[0], x[1], x[2]]
    return partial(relax, rate=y.pop())(y.pop(), source=y.pop() * 3)


def under_a_name(x):
    y = [x[0], x[1], x[2]]
    g = partial(relax, rate=y.pop())
    return g(y.pop(), source=y.pop() * 3)


def given_again(x):
    y = [x[0], x[1], x[2]]
    r = partial(relax, rate=y.pop(), source=1.0)(x[3], rate=x[1])
    return r * len(y) + y[-1]


def given_again_after_an_error(x):
    t = {"a": x[0]}
    try:
        return partial(relax, rate=t["b"])(x[1], source=1.0, rate=2.0)
    except KeyError:
        return x[2] * x[2]


def keywords_keep_their_place(x):
    return partial(poly, a=x[0], b=x[1])(c=x[3], a=x[2])


def keywords_under_a_name(x):
    g = partial(poly, a=x[0], b=x[1])
    return g(a=x[2]) * g(b=x[3])


FROM_OUTSIDE = partial(poly, a=1.5, b=2.5)


def keywords_of_one_outside(x):
    return FROM_OUTSIDE(c=x[0], a=x[1])


def bound_again(x):
    k = x[0]
    return partial(relax, rate=k, source=2.0)(k := x[1] * x[1]) * k


def by_a_local_function(x):
    k = x[0]

    def bump(v):
        nonlocal k
        k = k * v
        return k

    return partial(relax, rate=k, source=bump(x[1]))(bump(x[2])) + k


class Box:
    def __init__(self, a):
        self.a = a

    def scaled(self, u, k):
        return u * k * self.a

    def put(self, a):
        self.a = a
        return a


def of_a_method(x):
    box = Box(x[0])
    return partial(box.scaled, k=box.put(x[1]))(box.put(x[2]))


def of_a_lambda(x):
    y = [x[0], x[1]]
    return partial(lambda u, k: u * k * k, k=y.pop())(y.pop())


def mapped(x):
    k = x[0]
    return sum(map(partial(times, k), [(k := x[1]), k, k]))


def mapped_negative_by_name(x):
    k = x[0]
    return sum(map(partial(times, k=-k), [(k := x[1]), k, k]))


def mapped_by_a_local_function(x):
    k = x[0]

    def bump(v):
        nonlocal k
        k = k * 2
        return v

    return sum(map(partial(times, k), [bump(x[0]), bump(x[1])])) + k


def mapped_method(x):
    box = Box(x[0])
    return sum(map(partial(box.scaled, 2.0), [(box := Box(x[1])).a, 2.0]))


def filtered(x):
    k = 1.0
    return sum(filter(partial(operator.lt, k), [(k := 0.2) * x[0], x[1], x[2]]))


RIGHT = [
    taken_in_turn, under_a_name, given_again, given_again_after_an_error,
    keywords_keep_their_place, keywords_under_a_name, keywords_of_one_outside, bound_again,
    by_a_local_function, of_a_method, of_a_lambda, mapped, mapped_negative_by_name,
    mapped_by_a_local_function, mapped_method, filtered,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("f", RIGHT, ids=lambda f: f.__name__)
def test_values_and_gradients(f):
    value, _ = ad.vjp(f, X)
    assert value == f(X)
    assert ad.jvp(f, (X,), (np.ones(4),))[0] == f(X)
    check_grads(f, (X,))


def shouting(x):
    return partial(times, k=said("k", x[0]))(said("c", x[1]))


def said(word, v):
    print(word)
    return v


@pytest.mark.recorded
def test_what_is_printed(capsys):
    ad.grad(shouting)(X)
    assert capsys.readouterr().out == "k\nc\n"


def bound_on_one_path(x):
    if x[0] > 100.0:
        g = partial(relax, rate=1.0, source=2.0)
    try:
        return g(x[1])
    except UnboundLocalError:
        return x[2] * x[2]


def called_before(x):
    total = 0.0
    for i in range(3):
        if i:
            total += g(x[i])  # noqa: F821 - bound below
        g = partial(relax, rate=x[i], source=2.0)  # noqa: F841
    return total


def called_with_a_dictionary(x):
    g = partial(relax, rate=x[0], source=2.0)
    words = {"rate": x[1]}
    return g(x[2], **words)


def names_of_an_expression(x):
    y = [1.0, 2.0]
    table = [times, relax]
    return sum(map(partial(table[len(y) - 2], y.pop()), x))


@pytest.mark.parametrize(
    "f", [bound_on_one_path, called_before, called_with_a_dictionary, names_of_an_expression]
)
def test_refused(f):
    with pytest.raises(ad.CompileError, match="AD401"):
        ad.grad(f)(X)


def annotated(x):
    g: object = partial(relax, rate=x[0], source=2.0)
    return g(x[1])


def test_with_an_annotation():
    check_grads(annotated, (X,))
