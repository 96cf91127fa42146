"""Functions and classes that somebody changes between calls: what they do now is differentiated."""

from __future__ import annotations

import builtins
import functools
import itertools
import linecache
import math
import operator
import pathlib
import subprocess
import sys
import tempfile
import timeit
import types

import numpy as np
import pytest
import scipy.special
import scipy.stats

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


@pytest.mark.recorded
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


def by_attribute(x):
    return math.sqrt(x) + math.exp(x) * scipy.special.expit(x)


def by_an_array(x):
    return np.sum(np.sin(x * A))


def by_a_function_of_a_module(x, of=math):
    return read_of(of, x) + read_of(math, x)


def read_of(module, x):
    return x * module.sqrt(x)


def by_an_alias(x):
    m = math
    return m.sqrt(x) * 2.0


def by_an_import(x):
    import math as own

    from scipy.special import expit

    return own.sqrt(x) * expit(x)


def by_an_import_of_a_part(x):
    import scipy.special

    return scipy.special.expit(x) ** 2


def by_name(x):
    return getattr(math, "sqrt")(x)  # noqa: B009


def by_a_constant(x):
    return x * x * math.pi


def by_a_builtin(x):
    return pow(x, 2.5) * x


class Of:
    module = math

    def __init__(self):
        self.own = math


OF = Of()


def by_an_object(x):
    return OF.own.sqrt(x)


def by_a_class(x):
    return OF.module.sqrt(x) * x


def by_a_distribution(x):
    return scipy.stats.norm.pdf(x)


def cube(v, p=0.0):
    return v**3 + p


A = np.array([0.3, 0.8])
PLACES = [
    (by_attribute, math, "sqrt"),
    (by_attribute, scipy.special, "expit"),
    (by_an_array, np, "sin"),
    (by_a_function_of_a_module, math, "sqrt"),
    (by_an_alias, math, "sqrt"),
    (by_an_import, math, "sqrt"),
    (by_an_import, scipy.special, "expit"),
    (by_an_import_of_a_part, scipy.special, "expit"),
    (by_a_distribution, scipy.stats.norm, "pdf"),
    (by_name, math, "sqrt"),
    (by_a_constant, math, "pi"),
    (by_a_builtin, builtins, "pow"),
    (by_an_object, math, "sqrt"),
    (by_a_class, math, "sqrt"),
]


NOT_FOLLOWED = (by_a_function_of_a_module, by_an_alias, by_an_object, by_a_class)


@pytest.mark.recorded
@pytest.mark.parametrize(("f", "module", "name"), PLACES)
@pytest.mark.parametrize("mode", ["grad", "jvp", "vjp"])
def test_what_libraries_have(f, module, name, mode, monkeypatch):
    def found():
        if mode == "jvp":
            return ad.jvp(f, (0.7,), (1.0,))[1]
        return ad.grad(f)(0.7) if mode == "grad" else ad.vjp(f, 0.7)[1](1.0)[0]

    def expected():
        return (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6

    first = found()
    assert first == pytest.approx(expected())
    with monkeypatch.context() as patched:
        patched.setattr(module, name, 4.0 if name == "pi" else cube)
        try:
            assert found() == pytest.approx(expected()) != first
        except ad.CompileError:  # refused, where a module is not followed to the user's functions
            assert f in NOT_FOLLOWED
    assert found() == first


@pytest.mark.parametrize("name", ["math.sqrt", "scipy.special.expit"])
def test_what_was_put_there_before_anything_is_compiled(name):
    module, _, attribute = name.rpartition(".")
    program = f"""
import math, numpy, scipy.special
import adtrans as ad
from unittest.mock import Mock

RATE = 2.0
def cube(v):
    return RATE * v**3
def f(x):
    return {name}(x)
def g(x):
    return {name}(x) * 2.0
{module}.{attribute} = Mock(side_effect=cube)
try:
    ad.grad(g, on_unfollowed="refuse")(0.5)
except ad.CompileError as error:
    print(error.diagnostics[0].code)
{module}.{attribute} = cube
print(ad.grad(f)(0.5))
RATE = 4.0
print(ad.grad(f)(0.5))
"""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "program.py")
        path.write_text(program)
        done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["AD401", "1.5", "3.0"], done.stderr


def test_the_check_of_libraries_costs_little():
    def f(x):
        return np.sum(np.exp(np.sin(x)) * np.cos(x) + np.tanh(x))

    gradient = ad.grad(f)
    gradient(X)
    (version,) = gradient.exact.values()
    assert min(timeit.repeat(version.holds, number=1000, repeat=20)) / 1000 < 5e-6


def test_reduce_of_a_library(monkeypatch):
    f = lambda x: functools.reduce(operator.mul, [x, x, x])  # noqa: E731
    gradient = ad.grad(f, on_unfollowed="record")
    assert gradient(2.0) == 12.0
    with monkeypatch.context() as patched:
        patched.setattr(functools, "reduce", lambda _, values: values[0] ** 4)
        assert gradient(2.0) == 32.0
        assert ad.jvp(f, (2.0,), (1.0,))[1] == 32.0
    assert gradient(2.0) == 12.0
