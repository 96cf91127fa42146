"""Folding temporaries keeps what Python evaluates first: draws, prints, exceptions."""

import math

import numpy as np
import pytest

from adtrans import differentiable, grad, jvp, vjp
from adtrans.testing import check_grads
from adtrans.transforms.evaluation import Raised
from adtrans.transforms.fold import fold
from tests.transforms.written import body, text


def difference_of_draws(x):
    r = np.random.default_rng(5)
    return r.normal() - r.normal() * x


def draw_and_same_name(x):
    r = np.random.default_rng(5)
    y = r.random()
    y = r.random() * x - y
    return y


def langevin(x):
    r = np.random.default_rng(3)
    s = x
    for _ in range(4):
        acc = s + 0.1 * r.normal() + math.sqrt(r.uniform()) * s * 0.1
        s = acc
    return s * x


class Counter:
    def __init__(self):
        self.n = 1.0

    def tick(self):
        self.n += 1.0
        return self.n


def attribute_and_method(x):
    c = Counter()
    return (c.n - c.tick() * x) * x


def popped(x):
    k = [1.0, 2.0, 3.0]
    same = k
    return (same[-1] - k.pop() * x) * x


@pytest.mark.parametrize(
    "f", [difference_of_draws, draw_and_same_name, langevin, attribute_and_method, popped]
)
def test_values_and_gradients(f):
    check_grads(f, (2.0,))
    assert jvp(f, (2.0,), (1.0,))[0] == f(2.0) == vjp(f, 2.0)[0]


SAID = []


def say(what, number):
    SAID.append(what)
    return number


def said(x):
    y = say("a", 2.0)
    y = say("b", 3.0) - y
    return x * y


def said_perhaps(x):
    y = say("a", 2.0)
    y = x if x > 1.0 else y
    return x * y


@pytest.mark.parametrize("f", [said, said_perhaps])
def test_calls_are_made_in_turn(f):
    for call in (f, grad(f), lambda x: jvp(f, (x,), (1.0,))):
        SAID.clear()
        call(2.0)
        assert "".join(SAID) == ("ab" if f is said else "a")


def quotient_first(x, a, b):
    return 1.0 / a - math.log(b) * x


def item_first(x, a, u):
    return u[9] - 1.0 / a * x


def key_first(x, d, b):
    return d["p"] - math.log(b) * x


def copied_first(x, a, b):
    y = 1.0 / a
    y = math.log(b) * x - y
    return y


RAISING = [
    (quotient_first, (2.0, 0.0, -1.0)),
    (item_first, (2.0, 0.0, np.ones(2))),
    (key_first, (2.0, {"b": 1.0}, -1.0)),
    (copied_first, (2.0, 0.0, -1.0)),
]


@pytest.mark.parametrize(("f", "args"), RAISING)
def test_the_exception_is_that_of_python(f, args):
    with pytest.raises(Exception) as plain:
        f(*args)
    for call in (
        lambda: grad(f)(*args),
        lambda: jvp(f, args, (1.0, *(None for _ in args[1:]))),
        lambda: grad(f, on_overwrite="save")(*args),
    ):
        with pytest.raises(type(plain.value)) as found:
            call()
        assert str(found.value) == str(plain.value)


def test_what_cannot_raise_is_still_folded():
    def f(x, y):
        return np.sin(x) * y + x * 0.5 - np.exp(y) * x

    d = differentiable(f)
    d.grad(0.3, 0.4)
    assert "x * 0.5" in d.source.partition("def f_pullback")[0].rpartition("return")[2]


CASES = {
    "a draw stays": (
        "t = r.normal()\nu = r.normal()\ny = t - u * c\nz = u\n",
        "t = r.normal()\nu = r.normal()\ny = t - u * c\nz = u\n",
    ),
    "both fold in turn": (
        "t = r.normal()\ns = r.normal()\ny = t - s\n",
        "y = r.normal() - r.normal()\n",
    ),
    "not the other way round": (
        "t = r.normal()\ns = r.normal()\ny = s - t\n",
        "t = r.normal()\ny = r.normal() - t\n",
    ),
    "exceptions": ("t = 1.0 / a\nu = d[b]\ny = t - u\nz = u\n",) * 2,
    "the same exceptions": (
        "t = p[0]\nu = q[b]\ny = t - u\nz = u\n",
        "u = q[b]\ny = p[0] - u\nz = u\n",
    ),
    "a copy": ("u = 1.0 / a\nu = d[b] - u\n",) * 2,
    "a copy that goes first": ("u = 1.0 / a\nu = u - d[b]\n", "u = 1.0 / a - d[b]\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_fold(name):
    before, after = CASES[name]
    raised = Raised(frozenset("a"), arrays=frozenset("pq"))
    folded = fold(body(before), lambda n: n in ("t", "s"), lambda a, b: False, raised)
    assert text(folded) == after
