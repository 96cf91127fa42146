"""One mistake is one error: what follows from it is left out."""

import numpy as np
import pytest

import adtrans as ad
from adtrans import CompileError

opaque = type("Opaque", (), {"__call__": lambda self, x: x})()


def codes(f, *args):
    with pytest.raises(CompileError) as caught:
        ad.grad(f)(*args)
    return caught.value.diagnostics


def test_what_is_done_with_an_unknown_result_is_not_reported():
    def f(x):
        s = opaque(x)
        s[0] = s[1] * 2
        s += 1
        s.run(x)
        return s.level * np.sum(x)

    (only,) = codes(f, np.ones(3))
    assert only.code == "AD401" and "opaque" in only.title


def test_a_list_that_cannot_be_followed_is_named_once():
    def f(x):
        kept = [(1, 2)]
        for v in x:
            kept.append(v)
            kept[0] = kept[-1] * v
        return kept[-1] * x[0]

    found = codes(f, np.ones(3))
    titles = [d.title for d in found if d.code == "AD207" and "kept" in d.title]
    assert len(titles) == 1
    assert [label.text for label in found[0].labels].count("used here") >= 3


def test_errors_that_stand_for_themselves_stay():
    def f(x):
        y = x.copy()
        z = y * y
        y[0] = x[1]
        return np.sum(z) + opaque(x)

    assert {d.code for d in codes(f, np.ones(3))} == {"AD301", "AD401"}
