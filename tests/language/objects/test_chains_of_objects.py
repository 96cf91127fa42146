"""Objects that hold lists of numbers, kept in a list that another object goes through."""

from __future__ import annotations

import math

import numpy as np
import pytest

from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])
SIGNAL = np.array([1.0, 0.5, -0.2])


class Section:
    def __init__(self, b, a):
        self.b, self.a = b, a
        self.state = 0.0

    @classmethod
    def lowpass(cls, w, q=0.7):
        alpha = math.sin(w) / (2 * q)
        return cls([alpha, 1.0 - alpha], [math.cos(w)])

    def process(self, v):
        y = self.b[0] * v + self.state
        self.state = self.b[1] * v - 0.3 * self.a[0] * y
        return y


class Chain:
    def __init__(self, *sections):
        self.sections = list(sections)

    def __call__(self, signal):
        out = np.empty_like(signal)
        for k, v in enumerate(signal):
            for section in self.sections:
                v = section.process(v)
            out[k] = v
        return out


class ListedChain(Chain):
    def __init__(self, sections):
        self.sections = list(sections)


def by_class_methods(x):
    return np.sum(Chain(Section.lowpass(x[0]), Section.lowpass(x[1], x[2]))(SIGNAL) ** 2)


def of_a_display(x):
    chain = ListedChain([Section([x[0], x[1]], [x[2]]), Section([x[1], x[2]], [x[3]])])
    return np.sum(chain(SIGNAL) ** 2)


@pytest.mark.recorded
@pytest.mark.parametrize("f", [by_class_methods, of_a_display])
def test_lists_in_objects_in_a_list(f) -> None:
    check_grads(f, (X,))
    check_grads(f, (X,), on_overwrite="save")


class Held:
    def __init__(self, **attributes):
        self.__dict__.update(attributes)


class Stage:
    def __init__(self, act, w):
        self.act, self.w = act, w

    def go(self, x):
        return self.act(x * self.w)


def through_four(x, m):
    for stage in m.a.b.c.stages:
        x = stage.go(x)
    return np.sum(x)


@pytest.mark.recorded
def test_a_list_four_objects_deep():
    x = np.array([0.3, 1.2])
    for act in (np.tanh, np.exp):
        inner = Held(stages=[Stage(act, 1.5), Stage(act, 0.5)])
        check_grads(through_four, (x, Held(a=Held(b=Held(c=inner)))), modes=("reverse", "forward"))
