"""Functions and classes that somebody changes between calls: what they do now is differentiated."""

from __future__ import annotations

import itertools
import linecache
import types

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9])


def in_a_module(**more):
    """A class, an object of it, helpers: new ones for each test."""

    class Model:
        rate = 2.0

        def __init__(self, v):
            self.v = v

        @property
        def p(self):
            return 3.0

        def m(self, v):
            return v * v

        @staticmethod
        def s(v):
            return v * 2.0

        def __add__(self, other):
            return Model(self.v * other)

        def __call__(self, v):
            return v * v

    def by_default(v, p=2.0):
        return v**p

    def by_keyword(v, *, p=2.0):
        return v**p

    return types.SimpleNamespace(Model=Model, by_default=by_default, by_keyword=by_keyword)


def replace_method(m):
    m.Model.m = lambda self, v: v**3


def replace_property(m):
    m.Model.p = property(lambda self: 5.0)


def replace_operator(m):
    Model = m.Model
    Model.__add__ = lambda self, other: Model(self.v * other * other)


def replace_constructor(m):
    def init(self, v):
        self.v = v * v

    m.Model.__init__ = init


def replace_static(m):
    m.Model.s = staticmethod(lambda v: v * 7.0)


def replace_code(m):
    m.by_default.__code__ = (lambda v, p=2.0: v**p * p).__code__


def replace_defaults(m):
    m.by_default.__defaults__ = (3.0,)


def replace_keyword(m):
    m.by_keyword.__kwdefaults__["p"] = 3.0


CHANGES = [replace_method, replace_property, replace_operator, replace_constructor, replace_static,
           replace_code, replace_defaults, replace_keyword]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_what_is_changed_is_compiled_anew(change, mode):
    m = in_a_module()
    Model, by_default, by_keyword = m.Model, m.by_default, m.by_keyword
    o = Model(2.0)

    def f(x):
        made = Model(x) + 2.0
        y = by_default(x) + by_keyword(x) + made.v + made.s(x)
        return np.sum(o.m(x) * made.p) * o.v + np.sum(y)

    def found():
        if mode == "reverse":
            return ad.value_and_grad(f)(X)[0], ad.grad(f)(X)
        values = [ad.jvp(f, (X,), (d,)) for d in np.eye(2)]
        return values[0][0], np.array([dot for _, dot in values])

    def expected():
        steps = 1e-6 * np.eye(2)
        return f(X), np.array([(f(X + h) - f(X - h)) / 2e-6 for h in steps])

    before = expected()[0]
    for again in (False, True):
        if again:
            change(m)
            assert expected()[0] != before
        value, gradient = found()
        assert value == expected()[0]
        np.testing.assert_allclose(gradient, expected()[1], rtol=1e-7)


def test_defaults_of_the_function_itself():
    def f(x, p=2.0, *, q=1.0):
        return np.sum(x**p) * q

    def g(x, p=2.0):
        return np.sum(x**p)

    by_f, by_g = ad.value_and_grad(f), ad.value_and_grad(g)
    assert by_f(X)[0] == f(X) and by_g(X)[0] == g(X)
    f.__defaults__ = g.__defaults__ = (3.0,)
    f.__kwdefaults__["q"] = 2.0
    assert by_f(X)[0] == f(X) == 2.0 * g(X) and by_g(X)[0] == g(X)
    np.testing.assert_allclose(by_f(X)[1], 6.0 * X**2)


def test_a_property_that_is_a_lambda():
    class Box:
        twice = property(lambda self: 2.0 * self.v)

        def __init__(self, v):
            self.v = v

    check_grads(lambda x: np.sum(Box(x).twice ** 2), (X,))


def in_another_function():
    module = types.ModuleType("patched_elsewhere")
    source = """
K = 2.0

class Step:
    gain = 3.0

    def step(self, v):
        self.last = v
        return v * v * K * self.gain

def use(m, v):
    return m.step(v)

def named_elsewhere(v):
    return use(Step(), v)

class Base:
    def run(self, v):
        return self.inner(v)

class Derived(Base):
    def inner(self, v):
        return v * v * K

def by_a_base(v):
    return Derived().run(v)

def square(v):
    return K * v * v

def handed(v, g=square):
    return g(v)

def by_a_default(v):
    return handed(v)

def by_a_keyword(v, *, g=square):
    return g(v) if v > 0.0 else v

class Sim:
    def __init__(self, y, kind=Step):
        self.y, self.kind = y, kind()

    def run(self):
        return self.kind.step(self.y)

def by_a_class(v):
    return Sim(v).run()
"""
    name = f"<patched elsewhere {next(_NUMBERS)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    exec(compile(source, name, "exec"), vars(module))
    return module


_NUMBERS = itertools.count()


@pytest.mark.parametrize(
    "name", ["named_elsewhere", "by_a_base", "by_a_default", "by_a_keyword", "by_a_class"]
)
def test_what_is_reached_through_other_functions(name):
    m = in_another_function()
    f = getattr(m, name)

    def check():
        d = (f(1.5 + 1e-6) - f(1.5 - 1e-6)) / 2e-6
        assert gradient(1.5) == pytest.approx(d)

    gradient = ad.grad(f)
    check()
    m.K = 5.0
    check()
    m.Step.gain = 7.0
    check()
    m.Step.step = m.Derived.inner = lambda self, v: v**4
    check()
