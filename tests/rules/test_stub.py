"""The declaration that an error offers for a function without a rule runs, filled in or not."""

from __future__ import annotations

import ctypes
import re

import numpy as np
import pytest

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
