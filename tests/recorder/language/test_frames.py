"""Programs that look at the functions that call them see their own, and none of adtrans."""

from __future__ import annotations

import collections
import inspect
import sys
import traceback

import pytest

import adtrans as ad


def caller():
    return sys._getframe(1).f_code.co_name


def caller_of_all():
    return inspect.stack()[1].function


def own_name(x):
    return x * x if sys._getframe().f_code.co_name == "own_name" else x


def own_name_in_the_stack(x):
    return x * x if inspect.stack()[0].function == "own_name_in_the_stack" else x


def name_of_the_caller(x):
    return x * x if caller() == "name_of_the_caller" else x


def name_in_the_stack(x):
    return x * x if caller_of_all() == "name_in_the_stack" else x


def from_a_generator(x):
    return sum(v * x for v in [x] if caller() == "<genexpr>")


def name_in_the_traceback(x):
    names = [f.name for f in traceback.extract_stack()]
    return x * x if names[-1] == "name_in_the_traceback" else x


def own_variables(x):
    y = x * x
    return inspect.currentframe().f_locals["y"]


def variables_of_the_caller(x):
    y = x * x  # noqa: F841

    def found():
        return sys._getframe().f_back.f_locals["y"]

    return found()


def module_of_a_class(x):
    made = collections.namedtuple("made", "a b")
    return x * x if made.__module__ == __name__ else x


PROGRAMS = [
    own_name, own_name_in_the_stack, name_of_the_caller, name_in_the_stack, from_a_generator,
    name_in_the_traceback, own_variables, variables_of_the_caller, module_of_a_class,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.parametrize("forced", [False, True])
def test_frames(f, forced):
    g = ad.recorded(f) if forced else f
    assert ad.value_and_grad(g)(1.5) == (2.25, 3.0)
    assert ad.jvp(g, (1.5,), (1.0,)) == (2.25, 3.0)


@pytest.mark.parametrize("f", PROGRAMS[:-1])
def test_frames_are_not_compiled(f):
    with pytest.raises(ad.CompileError):
        ad.grad(f, on_unfollowed="refuse")(1.5)
