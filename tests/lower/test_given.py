"""What is left of a function once it is known what a call gives it."""

from __future__ import annotations

import gast
import pytest

from adtrans.lower.specialise import OBJECT, for_given
from adtrans.source import get_source

SCALE = 3.0


class Box:
    pass


def left_of(fn, **known):
    found = for_given(get_source(fn), known)
    return None if found is None else "\n".join(map(gast.unparse, found.node.body))


def branches(f, a=None, mode="fast", check=False):
    if a is None and (check or mode in ("fast", "slow")):
        return f(1)
    if a is not None:
        raise ValueError(a)
    return f(2) if mode != "fast" else a


def loops(f, stop=False, args=(), options={}):  # noqa: B006
    while stop:
        f()
    for i in range(3):
        if stop or not f(i, *args, **options):
            break
    else:
        assert not stop
    return i


def made(cls, other):
    return [cls(v) for v in other], (lambda v: cls(v))


def flags(f, g=None):
    has = g == True  # noqa: E712
    no = not has
    if has:
        f = g
    return f if no else None


def rebound(cls, x):
    if x:
        cls = list
    return cls(x)


def hidden(f, k=None):
    if k is not None:
        SCALE = k
    return f(SCALE)


def generates(f, k=None):
    if k is not None:
        yield k
    f()


def kept(f, options={}, k=None):  # noqa: B006
    options["a"] = 1
    return f(**options)


def called(f, k=None):
    return f if k is None else k(f), k.x


def test_branches():
    assert left_of(branches, a=None, mode="fast", check=False) == "return f(1)"
    assert left_of(branches, a=None, mode="other", check=True) == "return f(1)"
    assert left_of(branches, a=OBJECT) == "raise ValueError(a)"


def test_loops():
    assert left_of(loops, stop=False, args=(), options={}) == (
        "for i in range(3):\n    if not f(i):\n        break\nelse:\n    assert True\nreturn i"
    )


def test_classes():
    assert left_of(made, cls=Box) == "return ([Box(v) for v in other], lambda v: Box(v))"


def test_flags():
    assert left_of(flags, g=None).splitlines()[-1] == "return f"
    assert "if" not in left_of(flags, g=OBJECT)
    assert left_of(flags, g=True).splitlines()[-2:] == ["f = True", "return None"]


def test_names_that_mean_something_else():
    assert left_of(rebound, cls=Box) is None
    assert left_of(hidden, k=None) is None
    assert left_of(generates, k=None) is None


def test_a_dictionary_that_is_changed():
    assert left_of(kept, options={}) is None


def test_a_literal_that_is_called():
    assert left_of(called, k=None) == "return (f, k.x)"


@pytest.mark.parametrize("fn", [branches, loops, flags])
def test_it_stays_where_nothing_is_known(fn):
    assert for_given(get_source(fn), {}) is None
