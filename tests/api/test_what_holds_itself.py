"""A list or dictionary that holds itself has no leaves: a clear error, however it is passed."""

import sys
from collections.abc import Iterator

import numpy as np
import pytest

import adtrans as ad

X = np.array([0.3, 0.7])


@pytest.fixture(autouse=True)
def as_deep_as_usual() -> Iterator[None]:
    """Others let Python nest deeper, which takes long to come to an end here."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    yield
    sys.setrecursionlimit(before)



def endless():
    items = [1.0]
    items.append(items)
    return items


def endless_table():
    table = {"a": 1.0}
    table["d"] = {"e": table}
    return table


def first(items):
    return items[0] ** 2


def entry(table):
    return table["a"] ** 2


def beside(x, items):
    return x[0] ** 2 * items[0]


@pytest.mark.parametrize(
    "call",
    [
        lambda: ad.grad(first)(endless()),
        lambda: ad.value_and_grad(first)(([endless()],)),
        lambda: ad.vjp(first, endless()),
        lambda: ad.jvp(first, (endless(),), (endless(),)),
        lambda: ad.jacrev(first)(endless()),
        lambda: ad.jacfwd(first)(endless()),
        lambda: ad.hessian(first)(endless()),
        lambda: ad.linearize(first, endless()),
        lambda: ad.grad(beside)(X, endless()),
        lambda: ad.grad(entry)(endless_table()),
    ],
)
def test_arguments(call):
    with pytest.raises(ad.InputError) as caught:
        call()
    (d,) = caught.value.diagnostics
    assert d.code == "AD402" and "holds itself" in d.title


def test_trees():
    for helper in (ad.tree.leaves, ad.tree.ravel):
        with pytest.raises(ValueError, match="holds itself"):
            helper(endless())
