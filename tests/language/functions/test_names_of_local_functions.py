"""What a local function is called, where a function that gets it asks."""

from __future__ import annotations

from functools import wraps

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


def tagged(fn, v):
    print(fn.__name__, fn.__doc__)
    return fn(v)


def shown(fn):
    print(fn.__name__)
    return fn


def noted(fn):
    shown(fn)
    return fn


def by_length(fn, v):
    return fn(v) * len(fn.__name__)


def a_lambda(x):
    return tagged(lambda v: v * v * x[1], x[0])


def a_function(x):
    def scaled(v):
        """Scales."""
        return v * v * x[1]

    return tagged(scaled, x[0]) * by_length(scaled, x[2])


@pytest.mark.parametrize("f", [a_lambda, a_function], ids=lambda f: f.__name__)
def test_closures_have_their_names(f, capsys):
    expected = f(X)
    printed = capsys.readouterr().out
    value, _ = ad.vjp(f, X)
    assert capsys.readouterr().out == printed
    assert value == expected
    assert ad.jvp(f, (X,), (np.ones(4),))[0] == expected
    check_grads(f, (X,))


def wrapped(x):
    def g(v):
        return v * v

    @wraps(g)
    def w(v):
        return g(v) * 2.0

    return tagged(w, x[0])


def decorated(x):
    @noted
    def g(v):
        return v * v * x[1]

    return g(x[0])


@pytest.mark.parametrize("f", [wrapped, decorated], ids=lambda f: f.__name__)
def test_what_would_have_another_name_is_refused(f, capsys):
    with pytest.raises(ad.CompileError, match=r"AD201|AD401"):
        ad.vjp(f, X)
    assert not capsys.readouterr().out
