"""Errors of a call have a code of the table, and a diagnostic at the user's line."""

from __future__ import annotations

import inspect
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import adtrans as ad
from adtrans.cli.main import main
from adtrans.diagnostics.codes import CODES
from adtrans.diagnostics.errors import CallError

PACKAGE = Path(ad.__file__).parent


def root(x):
    half = 0.5 * x
    return abs(half**0.5)


def through_a_callee(x):
    y = 2.0 * x
    return root(y) * 3.0


def volume(a):
    b = 2.0 * a
    return np.linalg.slogdet(b)[1]


def ramp(t):
    return 0 if t < 0 else t * t


X = np.array([-1.0, 2.0])
CALLS = {
    "grad": (lambda: ad.grad(root)(-4.0), "AD602", "half**0.5"),
    "vjp": (lambda: ad.vjp(root, -4.0), "AD602", "half**0.5"),
    "jvp": (lambda: ad.jvp(root, (-4.0,), (1.0,)), "AD602", "half**0.5"),
    "linearize": (lambda: ad.linearize(root, -4.0), "AD602", "half**0.5"),
    "hessian": (lambda: ad.hessian(root)(-4.0), "AD602", "half**0.5"),
    "hvp": (lambda: ad.hvp(root, (-4.0,), (1.0,)), "AD602", "half**0.5"),
    "again": (lambda: ad.grad(ad.grad(root))(-4.0), "AD602", "again"),
    "callee": (lambda: ad.grad(through_a_callee)(-4.0), "AD602", "half**0.5"),
    "pullback": (lambda: ad.grad(volume)(np.ones((2, 2))), "AD603", "def volume"),
    "later": (lambda: ad.vjp(volume, np.ones((2, 2)))[1](1.0), "AD603", "def volume"),
    "elementwise": (lambda: ad.elementwise_grad(np.cumsum)(X), "AD607", '"elementwise":'),
}


@pytest.mark.parametrize("case", CALLS)
def test_the_error_of_a_call_has_a_code_and_a_place(case):
    call, code, line = CALLS[case]
    with pytest.raises(CallError) as caught:
        call()
    error = caught.value
    assert error.code == code
    assert str(error).endswith(f" [{code}]")
    assert str(error).count("[AD") == 1
    (d,) = error.diagnostics
    assert d.code == code
    assert d.primary.span.file == __file__
    assert line in inspect.getsource(inspect.getmodule(root)).split("\n")[d.primary.span.line - 1]


def test_it_goes_to_another_process_with_all_that():
    with pytest.raises(ad.DerivativeError) as caught:
        ad.grad(root)(-4.0)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.code) == (str(caught.value), "AD602")
    assert again.diagnostics == caught.value.diagnostics


def test_changed_between_the_two_sweeps():
    class Config:
        rate = np.ones(2)

    def f(x):
        return np.sum(Config.rate * x)

    _, pullback = ad.vjp(f, X)
    Config.rate = 2.0 * Config.rate
    with pytest.raises(ad.MutationError) as caught:
        pullback(1.0)
    assert caught.value.code == caught.value.diagnostics[0].code == "AD301"
    assert str(caught.value).endswith("[AD301]")


def test_shared_memory_is_told_once():
    def f(u, v):
        v[0] = 1.0
        return np.sum(u * u) + np.sum(v)

    x = np.arange(1.0, 5.0)
    with pytest.raises(ad.MutationError) as caught:
        ad.grad(f)(x[:3], x[1:])
    assert caught.value.code == "AD308"
    assert str(caught.value).count("AD308") == 2  # its head, and `adtrans explain AD308`


def test_every_error_of_a_call_is_in_the_table():
    raised = re.compile(r"""code="(AD6\d\d)\"""")
    named = {c for p in PACKAGE.rglob("*.py") for c in raised.findall(p.read_text("utf-8"))}
    assert named | {ad.DerivativeError("").code, ad.MutationError("").code} == {
        c for c in CODES if c.startswith("AD6")
    }


def test_the_command_line_explains_them(capsys):
    assert main(["explain", "AD602"]) == 0
    assert "complex" in capsys.readouterr().out
