"""Subclasses of NumPy's arrays while recording: what NumPy does for them is not seen, so that what
varies must not get there unnoticed. Right, or a clear error."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 1.4])


class Sub(np.ndarray):
    pass


class Hooked(np.ndarray):
    def __array_ufunc__(self, ufunc, how, *given, **options):
        return getattr(ufunc, how)(*[np.asarray(v) for v in given], **options)


class Doubled(np.ndarray):
    def __mul__(self, other):
        return np.asarray(self) * 2 * np.asarray(other)

    __rmul__ = __mul__


S = np.array([1.5, 0.5]).view(Sub)
H = np.array([1.5, 0.5]).view(Hooked)
D = np.array([1.5, 0.5]).view(Doubled)


def filled(x, cls=Sub):
    b = np.zeros(2).view(cls)
    np.asarray(b)[:] = x
    return b


def into_an_array(x):
    y = x * 1.0
    y *= S
    return y


def into_a_subclass(x):
    b = np.zeros(2).view(Sub)
    b += x
    return np.asarray(b)


def in_place(x):
    b = filled(x)
    b *= 2.0
    return np.asarray(b)


def copied_into(x):
    b = np.zeros(2).view(Sub)
    np.copyto(b, x)
    return np.asarray(b) * 2.0


def made_over_memory(x):
    return np.asarray(np.ndarray.__new__(Sub, x.shape, float, x * 3.0)) * 2.0


PROGRAMS = [
    lambda x: np.asarray(x * S), lambda x: np.asarray(S * x), lambda x: np.asarray(x[0] * S),
    lambda x: np.asarray(np.multiply(x, S)), lambda x: np.asarray(np.add(x, H)),
    lambda x: np.asarray(filled(x) * 2.0), lambda x: np.asarray(np.sin(filled(x))),
    lambda x: np.asarray(-filled(x)), lambda x: filled(x).sum(), lambda x: filled(x).tolist()[0],
    lambda x: [*filled(x)][1], lambda x: np.asarray(np.multiply(filled(x, Hooked), 2.0)),
    lambda x: np.asarray(np.concatenate([x, S])), lambda x: np.asarray(np.dot(x, S)),
    lambda x: np.asarray(np.where(S > 1, x, S)), lambda x: np.asarray(np.full_like(S, x[0])),
    lambda x: np.asarray((x * 2.0).view(Sub) ** 2), lambda x: np.ma.array(x * 2.0).filled(0.0),
    lambda x: filled(x).T.reshape(2)[0],
    lambda x: np.asarray(filled(x)), lambda x: x.__array__() * 2.0,
    into_an_array, into_a_subclass, in_place, copied_into, made_over_memory,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_right_or_refused(f):
    try:
        check_grads(f, (X,), on_unfollowed="always")
    except ad.AdtransError as error:
        assert error.diagnostics[0].code == "AD401"


def test_operators_in_python_are_followed():
    assert ad.grad(ad.recorded(lambda x: np.sum(x * D)))(X).tolist() == [3.0, 1.0]
