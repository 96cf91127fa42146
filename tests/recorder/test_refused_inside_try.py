"""What the recorder refuses ends the run, also where a handler of the user's would catch it: the
plain run does not go there."""

from __future__ import annotations

import array
import contextlib

import numpy as np
import pytest

import adtrans as ad

X = np.array([1.5, 2.5])


def through_bytes(v):
    return array.array("d", [v])[0]


def caught(x):
    try:
        y = through_bytes(x[0])
    except Exception:
        y = 5.0 * x[1]
    return y


def caught_bare(x):
    try:
        y = through_bytes(x[0])
    except:  # noqa: E722
        y = 5.0 * x[1]
    return y


def suppressed(x):
    y = x[0] * x[1]
    with contextlib.suppress(Exception):
        y = through_bytes(x[0])
    return y


def left_by_a_finally(x):
    for _ in range(2):
        try:
            through_bytes(x[0])
        finally:
            break  # noqa: B012
    return x[0] * x[1]


def raised_as_another(x):
    try:
        return through_bytes(x[0])
    except Exception as error:
        raise KeyError("no") from error


class Tried:
    def __mul__(self, other):
        try:
            return through_bytes(other)
        except Exception:
            return NotImplemented


def in_an_operator(x):
    try:
        return Tried() * x[0]
    except TypeError:
        return x[0] * x[1]


def in_a_generator(x):
    def values():
        for v in x:
            try:
                yield through_bytes(v)
            except Exception:
                yield v * v

    return sum(values())


def an_overwrite(x):
    y = x * 2.0
    s = np.sum(y * y)
    try:
        y[0] = 0.0
    except Exception:
        return s * 2.0
    return s + np.sum(y)


@pytest.mark.parametrize("f", [
    caught, caught_bare, suppressed, left_by_a_finally, raised_as_another, in_an_operator,
    in_a_generator, an_overwrite,
])  # fmt: skip
def test_an_error_stays_one(f):
    code = "AD301" if f is an_overwrite else "AD401"
    with pytest.raises(ad.AdtransError) as told:
        ad.grad(ad.recorded(f))(X)
    assert told.value.diagnostics[0].code == code
    if f is not an_overwrite:
        with pytest.raises(ad.AdtransError):
            ad.jvp(ad.recorded(f), (X,), (X,))
    ad.grad(ad.recorded(lambda x: x[0] * x[1]))(X)  # nothing of it is left


def test_an_error_of_the_users_is_caught():
    def f(x):
        try:
            raise ValueError(x[0])
        except ValueError as error:
            return error.args[0] * x[1]

    assert ad.grad(ad.recorded(f))(X).tolist() == [2.5, 1.5]
