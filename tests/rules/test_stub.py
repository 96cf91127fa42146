"""The declaration that an error offers for a function without a rule runs, filled in or not."""

from __future__ import annotations

import ctypes
import inspect
import re

import numpy as np
import pytest
import scipy.linalg
import scipy.ndimage
import scipy.signal
import scipy.special

import adtrans
import adtrans as ad
from adtrans.testing import check_grads, check_rule

_math = ctypes.CDLL(None)
cube_root = _math.cbrt
cube_root.restype, cube_root.argtypes = ctypes.c_double, [ctypes.c_double]


def one(x):
    return cube_root(x) * x


def offered(f, *args) -> str:
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(f)(*args)
    text = " ".join(str(caught.value).split())
    found = re.search(r"teach it: `(.*?)` =", text)
    assert found is not None, text
    return found[1]


def test_the_stub_runs_and_works_once_it_is_filled_in() -> None:
    stub = offered(one, 8.0)
    assert stub.startswith("adtrans.rule(cube_root, lambda y_bar, y, x: ...")
    scope = {"adtrans": adtrans, "cube_root": cube_root}
    eval(stub, scope)  # as it is, it can be declared
    eval(stub.replace("...", "y_bar / (3.0 * y * y)"), scope)
    check_rule(cube_root, (8.0,), modes=("reverse",))
    check_grads(one, (8.0,), modes=("reverse",))
    assert ad.grad(one)(8.0) == pytest.approx(4.0 / 3.0 * 2.0)


def folded(a):
    return np.arctan2.reduce(a) ** 2


def test_the_stub_for_a_function_that_collects_arguments_runs() -> None:
    stub = offered(folded, np.array([0.5, 0.7, 0.9]))
    assert 'signature="reduce(array)"' in stub
    eval(stub.replace("np.arctan2.reduce", "stand_in"), {
        "adtrans": adtrans, "stand_in": lambda array, **words: array[0],
    })  # fmt: skip


def _mean(x):
    return np.sum(scipy.special.agm(x, 1.0))


def _bent(x):
    return np.sum(scipy.ndimage.morphological_laplace(x, 3))


def _noiseless(x):
    return np.sum(scipy.signal.wiener(x, 3))


def _elliptic(x):
    return np.sum(scipy.special.ellip_harm(5.0, 8.0, 1, 1, x))


def _sign(x):
    return np.sum(scipy.linalg.signm(np.outer(x, x)))


def _zoom(x):
    return np.sum(scipy.ndimage.spline_filter(x))


OPTIONS = [_mean, _bent, _noiseless, _elliptic, _sign, _zoom]


@pytest.mark.parametrize("f", OPTIONS)
def test_the_stub_of_a_function_with_options_can_be_filled_in(f) -> None:
    x = np.linspace(0.1, 1.0, 40)
    stub = offered(f, x)
    name, named = re.fullmatch(r"adtrans\.rule\(([\w.]+), lambda y_bar, y, (.*?):.*", stub).groups()
    module, _, attr = name.rpartition(".")
    owner = eval(module)
    real = getattr(owner, attr)

    def stand_in(*args, **words):
        return real(*args, **words)

    try:
        stand_in.__signature__ = inspect.signature(real)
    except ValueError:
        assert "signature=" in stub
    filled = iter(named.split(", "))
    stub = re.sub(r"\.\.\.", lambda _: f"np.ones(np.shape({next(filled)}))", stub)
    eval(stub.replace(name, "stand_in"), {"adtrans": adtrans, "np": np, "stand_in": stand_in})
    try:
        setattr(owner, attr, stand_in)
        assert ad.grad(f)(x).shape == x.shape
    finally:
        setattr(owner, attr, real)


def test_the_error_says_how_to_name_the_parameters() -> None:
    def many(x, n=2, m=3):
        return x * n

    ad.rule(many, lambda y_bar, y, x, n: y_bar * n)
    with pytest.raises(ad.InputError) as caught:
        ad.grad(lambda x: many(x))(2.0)
    assert "`wrt=('x', 'n')`" in str(caught.value)
