"""Functions as values: chosen, handed on, returned, stored."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("functions")


def square(v):
    return v * v


def cube(v):
    return v**3


def applied(f, v):
    return f(v)


def step(f, t, y, h):
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    return y + h * k2


def fixed_point(g, z):
    for _ in range(5):
        z = g(z)
    return z


def line(a, b):
    def at(v):
        return a * v + b

    return at


def composed(f, g):
    return lambda v: f(g(v))


class Model:
    """Holds a function."""

    def __init__(self, act):
        self.act = act

    def run(self, v):
        return self.act(v) * 2.0


@CASES.add(vec(3))
def chosen_by_a_branch(x):
    f = np.sin if x[0] > 0.5 else np.cos
    if x[1] > 5.0:
        g = square
    else:
        g = cube
    return np.sum(f(x) * g(x)) + applied(g, x[0])


@CASES.add(vec(3))
def default_that_is_none(x):
    def layer(v, act=None):
        if act is None:
            act = np.tanh
        return act(v)

    return np.sum(layer(x) * layer(x, np.sin))


@CASES.add(vec(3))
def lambda_that_captures(x):
    k = x[0] * x[1]
    return np.sum(applied(lambda v: k * v * v, x))


@CASES.add(vec(4))
def right_hand_side(x):
    def rhs(t, y):
        return x[1] - x[0] * y * t

    y = x[2:] * 1.0
    for i in range(3):
        y = step(rhs, 0.1 * i, y, 0.1)
    return np.sum(y)


@CASES.add(vec(3))
def iterated(x):
    return fixed_point(lambda z: np.cos(x[0] * z) + x[1], x[2])


@CASES.add(vec(3))
def captured_array_that_is_written(x):
    b = x * 1.0
    f = lambda v: b * v  # noqa: E731
    b[0] = x[1] * x[2]
    return np.sum(applied(f, x))


@CASES.add(vec(3))
def written_by_what_is_handed_on(x):
    b = x * 1.0

    def f(v):
        b[0] = v[1] * v[1]
        return np.sum(2.0 * b)

    s = applied(f, x)
    return s + np.sum(b)


@CASES.add(vec(3))
def returned_with_what_it_captured(x):
    f, g = line(x[0], x[1]), line(x[2], 2.0)
    return np.sum(f(g(x)))


@CASES.add(vec(3))
def composition(x):
    return np.sum(composed(np.sin, square)(x) + composed(cube, np.cos)(x))


@CASES.add(vec(3))
def functions_in_a_dictionary(x):
    ops = {"square": square, "sin": np.sin}
    return np.sum(ops["square"](x) * ops["sin"](x))


@CASES.add(vec(3))
def held_by_an_object(x):
    return np.sum(Model(lambda v: v * x[0]).run(x) + Model(np.tanh).run(x))


@CASES.add(vec(3), default="ok/AD401", save="ok/AD401")
def captured_variable_bound_again(x):
    k = x[0]
    f = lambda v: k * v  # noqa: E731
    k = x[1]
    return np.sum(applied(f, x))


@CASES.add(vec(3), default="ok/AD401", save="ok/AD401")
def counts_what_it_saw(x):
    n = 0.0

    def f(v):
        nonlocal n
        n = n + v[0]
        return v * n

    return np.sum(applied(f, x)) * n


@CASES.add(vec(3), default="ok/AD207", save="ok/AD207")
def bound_late(x):
    fs = []
    for k in range(3):
        fs.append(lambda v: v * (k + 1.0))  # noqa: B023
    return np.sum(fs[0](x) + fs[1](x))


class _Layer:
    def __init__(self, weights, shift, act=np.tanh):
        self.weights, self.shift, self.act = weights, shift, act

    def __call__(self, x):
        return self.act(self.weights @ x + self.shift)


class _Net:
    def __init__(self, layers):
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


@CASES.add(mat(3, 3), vec(3))
def functions_held_by_objects_in_a_list(weights, x):
    last = _Layer(weights.T, np.ones(3), lambda z: 1.0 / (1.0 + np.exp(-z)))
    net = _Net([_Layer(weights, x[0]), last])
    return np.sum(net.forward(x) ** 2)


# One of them is not known: neither is what the name means.


@CASES.never(vec(4), np.tanh, code="AD401")
def known_or_given(x, g):
    h = np.sin
    if x[0] > 10.0:
        h = np.cos
    if x[1] > 0.0:
        h = g
    return np.sum(h(x))


@CASES.never(np.array([0.3, 0.9, 0.2, 0.4]), np.tanh, code="AD401")
def given_and_handed_down(x, g):
    h, k, s = np.sin, np.cos, 0.0
    for v in x:
        s += k(v)
        k = h
        if v > 0.5:
            h = g
    return s


def sq(v):
    return v * v


def usek(k, v):
    return v * len(k)


@CASES.add(vec(4))
def table_dictkeys(x):
    fs = {"sq": sq, "cube": cube}
    s = 0.0
    for k in fs:
        s += fs[k](x[0]) * usek(k, x[1])
    return s


@CASES.add(vec(4))
def table_items(x):
    fs = {"sq": sq, "cube": cube}
    k = "sq" if x[0] > 0.5 else "cube"
    s = fs[k](x[1])
    for n, f in fs.items():
        s += f(x[0]) * usek(n, x[1])
    return s


@CASES.add(vec(4))
def table_lambda2(x):
    fs = {"a": lambda v: 3.0 * v, "b": lambda v: v * v}
    n = "a" if x[0] > 0.5 else "b"
    return fs[n](x[1]) * fs["b"](x[2])


@CASES.add(vec(4))
def table_changed(x):
    fs = [sq, cube]
    i = int(x[0] > 0.5)
    fs[i] = np.sin
    return fs[i](x[0]) * fs[i - 1](x[1])


@CASES.add(vec(4))
def table_arrays(x):
    fs = (np.sin, np.exp, sq)
    y = x.copy()
    for i in range(4):
        y[i] = fs[i % 3](y[i - 1])
    return np.sum(y)


@CASES.add(vec(4))
def table_choice_zip(x):
    fs = [sq, cube, sq, cube]
    i = 1 if x[0] > 0.5 else 0
    s = fs[i](x[0])
    for f, v in zip(fs, x):
        s += f(v)
    return s


@CASES.add(vec(4))
def table_passed(x):
    fs = [sq, cube]
    s = 0.0
    for i in range(2):
        s += ap(fs[i], x[i])
    return s


def ap(f, v):
    return f(v)


@CASES.add(vec(4))
def table_dict_functions_var_key(x):
    fs = {"sq": sq, "cube": cube}
    s = 0.0
    for name in ["sq", "cube", "sq"]:
        s += fs[name](x[0]) * x[1]
    return s


@CASES.add(vec(4))
def table_dict_functions_int_key(x):
    fs = {0: sq, 1: cube}
    s = 0.0
    for i in range(4):
        s += fs[i % 2](x[i])
    return s


@CASES.add(vec(4))
def mixed_nested_tuple(x):
    fs = [(sq, 2.0), (cube, 3.0)]
    s = 0.0
    for f, w in fs:
        s += w * f(x[0])
    return s


@CASES.add(vec(4))
def mixed_mixed(x):
    fs = [(sq, 2.0, x[0]), (cube, 3.0, x[1])]
    s = 0.0
    for f, w, v in fs:
        s += w * f(v)
    return s


@CASES.add(vec(4))
def mixed_returned(x):
    t = (sq, x[0])
    return run(t) * t[1]


def run(t):
    f, v = t
    return f(v)


@CASES.add(vec(4))
def mixed_dict(x):
    t = {"a": (sq, 2.0), "b": (cube, x[0])}
    s = 0.0
    for k, (f, w) in t.items():
        s += w * f(x[1])
    return s


@CASES.add(vec(4))
def mixed_kept(x):
    t = (sq, x[0])
    l = [t, (cube, x[1])]
    f, v = l[1]
    return f(v) * l[0][1] * t[0](x[2])


class Scale:
    def __init__(self, k):
        self.k = k
        self.n = 0.0

    def f(self, v):
        return self.k * v * v

    def g(self, v):
        return self.k + v

    def add(self, v):
        self.n = self.n + v * v
        return self.n

    def mapped(self, x):
        return sum(map(self.f, x))

    def both(self, x):
        f, g = self.f, self.g
        return f(x[0]) * g(x[1])


@CASES.add(vec(4))
def method_under_a_name(x):
    m = Scale(x[0])
    add = m.add
    s = 0.0
    for v in x:
        s += add(v)
    return s * m.n * m.both(x)


@CASES.add(vec(4))
def method_of_one_object_after_another(x):
    m = Scale(x[0])
    h = m.f
    m = Scale(x[1])
    return h(x[2]) * m.f(x[3])


@CASES.add(vec(4), default="ok/AD201", save="ok/AD201")
def method_of_another_object_in_each_turn(x):
    m = Scale(x[0])
    s = 0.0
    for v in x:
        h = m.f
        s += h(v)
        m = Scale(s)
    return s


@CASES.add(vec(4))
def method_mapped(x):
    m = Scale(x[0])
    return sum(map(m.f, x)) * sum(list(map(m.add, x))) * m.mapped(x)


@CASES.add(vec(4))
def method_of_a_list_under_a_name(x):
    out = []
    put = out.append
    for v in x:
        put(v * v)
    d = {"a": x[0]}
    get = d.get
    return sum(out) * out[0] * get("a", 1.0) * get("b", 2.0)


def weighted(v, a=1.0, b=2.0):
    return v * a + b * v * v


@CASES.add(vec(4))
def keywords_in_a_dictionary(x):
    options = dict(axis=0, keepdims=True)
    others = {"a": 3.0}
    s = weighted(x[0], **others) * weighted(x[1], b=1.0, **others)
    for _ in range(2):
        s += np.sum(np.sum(np.outer(x, x * x), **options) * x)
    return s


class Plainly:
    def __init__(self, k):
        self.k = k

    def f(self, v):
        return self.k * v

    def g(self, v):
        return self.k * v * v


class Exchanged(Plainly):
    def swap(self):
        self.f = self.g


@CASES.never(vec(4), code="AD207/AD401")
def method_that_the_object_replaces(x):
    m = Exchanged(2.0)
    m.swap()
    return m.f(x[1])


@CASES.never(vec(4), code="AD207/AD401")
def method_under_a_name_that_the_object_replaces(x):
    m = Exchanged(2.0)
    m.swap()
    h = m.f
    return h(x[1])


def take_over(m):
    m.f = m.g


@CASES.never(vec(4), code="AD207")
def method_that_a_function_replaces(x):
    m = Plainly(2.0)
    take_over(m)
    return m.f(x[1])


@CASES.never(vec(4), code="AD207")
def method_replaced_by_a_lambda(x):
    m = Plainly(2.0)
    m.f = lambda v: v**3
    return m.f(x[1])
