"""What is written outside, and read by functions that are not called by their names."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from tests.programs import build
from tests.right_or_refused import outcome

X = np.array([0.8, 1.1, 0.7])

HELPERS = """
import functools
import math
import operator

import adtrans as ad

K = 1.0
RATES = np.ones(3)
PAR = {"k": 1.0, "z": 2.0}
ITEMS = [1.0, 2.0]

class Par:
    def __init__(self):
        self.k, self.z = 1.0, 2.0
        self.row, self.table = np.ones(2), {"k": 1.0}
    def of(self, y): return self.k * y

par = Par()

def apply(g, y): return g(y)
def euler(rhs, y, n):
    for i in range(n):
        y = y + 0.1 * rhs(0.1 * i, y)
    return y
class Box: pass
class Twice:
    def __init__(self, g): self.g = g
    def __call__(self, y): return self.g(y) * 2.0
"""

WRITES = {
    "global": ("global K\n    K = x[0]", "K * y"),
    "attribute": ("par.k = x[0]", "par.k * y"),
    "array in an attribute": ("par.row[:] = x[0]", "par.row[1] * y"),
    "dictionary in an attribute": ("par.table['k'] = x[0]", "par.table['k'] * y"),
    "item": ("PAR['k'] = x[0]", "PAR['k'] * y"),
    "array": ("RATES[:] = x[0]", "RATES[1] * y"),
    "list": ("ITEMS[0] = x[0]", "ITEMS[0] * y"),
}

USES = {
    "handed on": "return apply(read, x[1])",
    "handed on twice": "return outer(apply, x[1])",
    "with a constant": "return apply(read, 2.0) * x[1]",
    "an integrator": "return euler(lambda t, y: -read(y), x[1], 4)",
    "in a list": "gs = [read]\n    return gs[0](x[1])",
    "in a loop": "s = 0.0\n    for g in (read, read): s = s + g(x[1])\n    return s",
    "in a global list": "return LIST[0](x[1])",
    "in a global tuple": "return TUPLE[0](x[1])",
    "in a nested container": "return NEST['a'][0](x[1])",
    "in an attribute": "return box.read(x[1])",
    "a lambda in an attribute": "return box.lam(x[1])",
    "set in an attribute": "other.read = read\n    return other.read(x[1])",
    "by getattr": "return getattr(box, 'read')(x[1])",
    "a default": "return by_default(x[1])",
    "a default by keyword": "return by_keyword(x[1])",
    "returned": "return make()(x[1])",
    "two returned": "g, h = both()\n    return g(x[1]) * h(x[1])",
    "a comprehension": "return sum([g(x[1]) for g in LIST])",
    "a closure": "def g(y): return read(y) * 2.0\n    return apply(g, x[1])",
    "a method": "return OBJECTS[0].go(x[1])",
    "an operator": "return OBJECTS[0] + x[1]",
    "an item": "return OBJECTS[0][x[1]]",
    "a call": "return OBJECTS[0](x[1])",
    "a context": "with OBJECTS[0] as v:\n        r = v * x[1]\n    return r",
    "an iteration": "s = 0.0\n    for v in OBJECTS[0]: s += v\n    return s * x[1]",
    "a conversion": "return float(OBJECTS[0]) * x[1]",
    "a text": "return float(f'{OBJECTS[0]}') * x[1]",
    "objects in a loop": "s = 0.0\n    for o in OBJECTS: s = s + o.go(x[1])\n    return s",
    "a dictionary of objects": "return BY_NAME['a'].go(x[1])",
    "a decorator": "return decorated(x[1])",
    "a derivative": "return slope(x[1])",
    "quad": "from scipy.integrate import quad\n    return quad(read, 0.0, 1.0)[0] * x[1]",
    "brentq": "from scipy.optimize import brentq\n    return brentq(off, 0.0, 9.0) * x[1]",
}

READERS = """
def read(y): return {read}
def outer(a, y): return a(read, y)
def off(t): return read(t) - 2.0
def by_default(y, g=read): return g(y)
def by_keyword(y, *, g=read): return g(y)
def make(): return read
def both(): return read, read
class Reader:
    def go(self, y): return read(y)
    def __add__(self, y): return read(y)
    def __getitem__(self, y): return read(y)
    def __call__(self, y): return read(y)
    def __enter__(self): return read(1.0)
    def __exit__(self, *a): return None
    def __iter__(self): return iter([read(1.0), read(2.0)])
    def __float__(self): return float(read(1.0))
    def __str__(self): return str(read(1.0))
LIST, TUPLE, NEST = [read], (read,), {{"a": [read]}}
OBJECTS, BY_NAME = [Reader()], {{"a": Reader()}}
box, other = Box(), Box()
box.read, box.lam = read, lambda y: read(y) * 1.5
slope = ad.grad(lambda y: read(y) ** 2)
@Twice
def decorated(y): return read(y)
"""


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("write", ["global", "attribute"])
def test_readers_in_all_places(write: str, use: str) -> None:
    write, read = WRITES[write]
    text = f"{READERS.format(read=read)}def f(x):\n    {write}\n    {USES[use]}\n"
    outcome(text, X, HELPERS)


@pytest.mark.parametrize("use", ["handed on", "in a global list", "a default", "a method"])
@pytest.mark.parametrize("write", WRITES)
def test_all_that_is_written(write: str, use: str) -> None:
    write, read = WRITES[write]
    text = f"{READERS.format(read=read)}def f(x):\n    {write}\n    {USES[use]}\n"
    assert outcome(text, X, HELPERS) == "refused"


BY_NAME = {
    "called": "return read(x[1])",
    "called by another": "return twice(x[1])",
    "map": "return sum(map(read, [x[1], x[2]]))",
    "partial": "return functools.partial(read, x[1])()",
    "reduce": "return functools.reduce(lambda a, b: a + read(b), [x[1], x[2]], 0.0)",
    "chosen": "g = read if x[1] > 0 else math.sin\n    return g(x[1])",
    "a method of a global": "return reader.go(x[1])",
    "a property": "return reader.now * x[1]",
    "something else handed on": "return read(x[1]) * apply(math.sin, x[2]) * apply(double, x[2])",
    "printed": "print('k', reader)\n    return read(x[1])",
}


@pytest.mark.parametrize("use", BY_NAME)
@pytest.mark.parametrize("write", ["global", "attribute", "item", "array"])
def test_readers_that_are_followed(write: str, use: str) -> None:
    write, read = WRITES[write]
    text = f"""
def read(y): return {read}
def twice(y): return read(read(y))
def double(y): return y * 2.0
class Reader:
    def go(self, y): return read(y)
    @property
    def now(self): return read(1.0)
    def __repr__(self): return 'Reader'
reader = Reader()
def f(x):
    {write}
    {BY_NAME[use]}
"""
    found = outcome(text, X, HELPERS)
    assert found == "right" or write != "attribute"  # globals that are written are recorded


PROGRAMS = {
    "a solver": """
class Solver:
    def __init__(self, rhs, n): self.rhs, self.n = rhs, n
    def run(self, y):
        for i in range(self.n): y = y + 0.1 * self.rhs(0.1 * i, y)
        return y
def rhs(t, y): return -par.k * y
def f(x):
    par.k = x[0]
    return Solver(rhs, 4).run(x[1])
""",
    "Newton's method": """
def g(z): return z * z - par.k
def slope(z): return 2.0 * z
def newton(g, slope, z):
    for _ in range(30): z = z - g(z) / slope(z)
    return z
def f(x):
    par.k = x[0]
    return newton(g, slope, x[1])
""",
    "a reader that is an argument": """
def run(x, p, r):
    p.k = x[0]
    return r(x[1])
def f(x): return run(x, par, lambda y: par.k * y)
""",
    "an object of an enclosing function": """
def make():
    s = Par()
    def read(y): return s.k * y
    def f(x):
        s.k = x[0]
        return apply(read, x[1])
    return f
f = make()
""",
    "by a name that is computed": """
def read(y, name="k"): return getattr(par, name) * y
def f(x):
    par.k = x[0]
    return apply(read, x[1])
""",
    "no arguments": """
def now(): return par.k
def f(x):
    par.k, s = x[0], 0.0
    for g in GS: s = s + g()
    return s * x[1]
GS = [now, now]
""",
    "an alias that is held": """
HOLDERS = [par]
def f(x):
    par.k = x[0]
    return HOLDERS[0].k * x[1]
""",
    "a setter that is handed on": """
def put(v): par.k = v
def f(x):
    apply(put, x[0])
    return par.k * x[1]
""",
    "a root": """
from scipy.optimize import root_scalar
def g(z): return z * z - par.k
def f(x):
    par.k = x[0]
    return root_scalar(g, bracket=(0.0, 5.0)).root * x[1]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    assert outcome(PROGRAMS[name], X, HELPERS) == "refused"


RESETS = {
    "behind a value": "par.k = x[0]; a = par.k * x[1]; RESET[0](); return a + par.k * x[2]",
    "behind a constant": "par.k = 1.5; a = par.k * x[1]; RESET[0](); return a + par.k * x[2]",
    "a global": "global K; K = x[0]; RESET[1](); return K * x[1] + K * x[2]",
    "both": "apply(RESET[1], None); a = K * x[1]; RESET[0](); return a + par.k * x[2]",
}


@pytest.mark.parametrize("name", RESETS)
def test_functions_that_write_and_are_not_called_by_their_names(name: str) -> None:
    helpers = f"""{HELPERS}
def reset(): par.k = 2.0
def reset_global(_=None):
    global K
    K = 2.0 * K
RESET = [reset, reset_global]
"""
    outcome(f"def f(x):\n    {RESETS[name]}\n", X, helpers)


UNCONCERNED = {
    "a count": "global COUNT; COUNT += 1; return apply(read, x[1])",
    "a count in an object": "par.n += 1; return apply(read, x[1])",
    "a record": "v = apply(read, x[1]); SEEN.append(float(v)); return v",
    "constants in turn": "par.k = 3.0; a = apply(read, x[1]); par.k = 5.0; "
    "return a + apply(read, x[2])",
    "another attribute": "par.z = x[0]; return apply(read, x[1]) * par.z",
    "another global": "global K; K = x[0]; return apply(read, x[1]) * K",
}


@pytest.mark.parametrize("name", UNCONCERNED)
def test_what_does_not_concern_the_reader(name: str) -> None:
    helpers = f"{HELPERS}\nCOUNT, SEEN, par.n = 0, [], 0\ndef read(y): return par.k * y\n"
    globals_written = name in ("a count", "a record", "another global")
    expected = "refused" if globals_written else "right"
    assert outcome(f"def f(x):\n    {UNCONCERNED[name]}\n", X, helpers) == expected


def test_both_lines_are_named() -> None:
    text = """
def read(y):
    return par.k * y
def f(x):
    par.k = x[0]
    return apply(read, x[1])
"""
    with pytest.raises(ad.CompileError) as error:
        ad.grad(build(text, HELPERS))(X)
    (d,) = error.value.diagnostics
    assert d.code == "AD207"
    assert "return par.k * y" in str(error.value)
    assert "par.k = x[0]" in str(error.value)
