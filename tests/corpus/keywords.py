"""Collected keywords that are called like variables of the function."""

import numpy as np

from tests.corpus.model import Programs, later, vec

CASES = Programs("keywords")
rate = 5.0


def _line(t, **params):
    slope, offset = params["slope"], params.get("offset", 1.0)
    t = slope * t
    t += offset
    return t


@CASES.add(vec(4))
def taken_out_by_name(x):
    return np.sum(_line(x, slope=x[0], offset=x[1]) * _line(x, slope=2.0))


def _nested(t, **params):
    def rhs(u):
        a, b = params["a"], params["b"]
        return a * u - b * u * u

    b = rhs(t)
    return b + rhs(b)


@CASES.add(vec(4))
def in_an_inner_function(x):
    return np.sum(_nested(x, a=x[0], b=x[1]))


def _by_position(t, /, **words):
    b = words["t"] * words["a"]
    return (lambda u: u * b)(t) + sum(b * v for v in [1.0, b])


@CASES.add(vec(4))
def like_a_positional_parameter(x):
    return np.sum(_by_position(x, t=x[0], a=x[1], b=x[2]))


def _in_turn(t, **words):
    for k, v in words.items():
        t = t * v if k == "v" else t + v
    return t


@CASES.add(vec(4))
def like_a_loop_variable(x):
    return np.sum(_in_turn(x, v=x[0], k=x[1]))


def _with_a_global(t, **words):
    return rate * t + words["rate"]


@CASES.add(vec(4), **later("AD401"))
def like_a_global(x):
    return np.sum(_with_a_global(x, rate=x[0]))
