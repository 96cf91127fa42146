"""Code of the user's that loggers, `print`, containers and the end of an object run."""

from __future__ import annotations

import builtins
import functools
import io
import logging
import sys

import numpy as np
import pytest

import adtrans as ad

X = np.array([0.7, 1.3])
FOLLOWED = {"v": 0.0}


class Squares(logging.Handler):
    def emit(self, record):
        FOLLOWED["v"] = FOLLOWED["v"] * FOLLOWED["v"]


class Doubles(logging.Filter):
    def filter(self, record):
        FOLLOWED["v"] = FOLLOWED["v"] * 2.0
        return True


HANDLED, FILTERED = logging.getLogger("adtrans.handled"), logging.getLogger("adtrans.filtered")
HANDLED.propagate = FILTERED.propagate = False
HANDLED.addHandler(Squares())
FILTERED.addHandler(logging.NullHandler())
FILTERED.addFilter(Doubles())


class Ends:
    def __init__(self, held):
        self.held = held

    def __del__(self):
        self.held["v"] = self.held["v"] * 3.0


class Writer:
    def __init__(self, held):
        self.held = held

    def write(self, text):
        self.held["v"] = self.held["v"] * 1.5

    def flush(self):
        pass


class Key:
    def __init__(self, held):
        self.held = held

    def __hash__(self):
        self.held["v"] = self.held["v"] * 1.5
        return 3

    def __eq__(self, other):
        return True


def a_handler(x):
    FOLLOWED["v"] = x[0]
    HANDLED.warning("hello")
    return FOLLOWED["v"] * x[1]


def a_filter(x):
    FOLLOWED["v"] = x[0]
    FILTERED.warning("hello")
    return FOLLOWED["v"] * x[1]


def deleted(x):
    held = {"v": x[0]}
    ends = Ends(held)
    del ends
    return held["v"] * x[1]


def printed(x):
    held = {"v": x[0]}
    print("a", file=Writer(held))
    return held["v"] * x[1]


def printed_by_a_name(x):
    held = {"v": x[0]}
    writer = Writer(held)
    print("a", file=writer)
    return held["v"] * x[1]


def printed_by_another_name(x):
    held = {"v": x[0]}
    say = print
    say("a", file=Writer(held))
    functools.partial(print, file=Writer(held))("b")
    builtins.print("c", file=Writer(held))
    return held["v"] * x[1]


def printed_with_keywords(x):
    held = {"v": x[0]}
    keywords = {"file": Writer(held)}
    print("a", **keywords)
    return held["v"] * x[1]


WRITER = Writer(FOLLOWED)


def printed_by_a_global(x):
    FOLLOWED["v"] = x[0]
    print("a", file=WRITER)
    return FOLLOWED["v"] * x[1]


class Shown:
    def __init__(self, held):
        self.held = held

    def __repr__(self):
        self.held["v"] = self.held["v"] * 1.5
        return "shown"


class Box:
    def __init__(self, inside):
        self.inside = inside

    def __str__(self):
        return f"a box of {self.inside}"


def shown_in_containers(x):
    held = {"v": x[0]}
    items, table = [Shown(held)], {"a": (Shown(held),)}
    print(items)
    found = f"{items}" + str(table) + "%s" % (table,) + "{}".format(items)  # noqa: UP031, UP032
    return held["v"] * x[1] * len(found)


def shown_in_an_object(x):
    held = {"v": x[0]}
    found = str(Box(Shown(held)))
    return held["v"] * x[1] * len(found)


def hashed(x):
    held = {"v": x[0]}
    found = {Key(held): 2.0}
    return held["v"] * x[1] * len(found)


def printed_elsewhere(x):
    text = io.StringIO()
    print("a", file=text)
    print("b", file=sys.stderr)
    return x[0] * x[1]


CASES = [
    a_handler, a_filter, deleted, printed, printed_by_a_name, printed_by_another_name,
    printed_with_keywords, printed_by_a_global, shown_in_containers, shown_in_an_object, hashed,
    printed_elsewhere,
]  # fmt: skip


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("form", [ad.value_and_grad, lambda f: ad.value_and_grad(ad.recorded(f))])
def test_right_or_refused(f, form):
    rows = 1e-6 * np.eye(2)
    wanted = np.array([(f(X + h) - f(X - h)) / 2e-6 for h in rows])
    try:
        value, found = form(f)(X.copy())
    except ad.AdtransError:
        assert f is deleted  # when an object goes is a matter of the run
        return
    assert value == f(X)
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-8)
