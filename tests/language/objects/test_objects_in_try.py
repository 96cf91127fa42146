"""Methods that change objects and raise, in `try`: what was done until then counts."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 0.4])
SEEN: list[object] = []


class Model:
    def __init__(self, w):
        self.w = w
        self.x = w * 0.0
        self.n = 0
        self.buf = np.zeros(3)

    def step(self, x, k):
        self.x = self.x + self.w * x
        self.n += 1
        if np.sum(self.x) > k:
            raise ValueError("too much")
        self.buf += self.x * x

    def reset(self):
        self.x = self.w * 0.5
        self.buf[:] = self.x * self.x

    def halve(self):
        self.x = self.x * 0.5


def basic(x, k):
    m = Model(x)
    try:
        m.step(x, k)
    except ValueError:
        m.reset()
    return np.sum(m.x * m.x) + np.sum(m.buf)


def keeps(x, k):
    m = Model(x)
    try:
        m.step(x, k)
    except ValueError:
        m.n += 2
    return np.sum(m.x * m.x) + np.sum(m.buf) * m.n


def looped(x, k):
    m = Model(x)
    s = 0.0
    for i in range(4):
        try:
            m.step(x * (i + 1), k)
        except ValueError:
            m.halve()
        s = s + np.sum(m.x * m.x)
    return s + np.sum(m.buf)


def with_else_finally(x, k):
    m = Model(x)
    s = 0.0
    for i in range(3):
        try:
            m.step(x * (i + 1), k)
        except ValueError:
            m.reset()
        else:
            s = s + m.x[0] * x[1]
        finally:
            m.x = m.x * 1.5
    return s + np.sum(m.x * m.buf)


def nested_(x, k):
    m = Model(x)
    s = 0.0
    try:
        try:
            m.step(x, k)
            m.step(x * 2, k)
        except KeyError:
            s = 5.0
        finally:
            s = s + m.x[0] * m.x[1]
    except ValueError:
        m.halve()
        s = s * 2 + m.n
    return s * np.sum(m.x)


class Raises:
    def __init__(self, a, k):
        self.a = a * a
        self.log = [a[0]]
        if np.sum(a) > k:
            raise ValueError
        self.b = a * 2


def constructor(x, k):
    try:
        m = Raises(x, k)
        y = m.a * m.b
    except ValueError:
        m = Raises(x * 0.01, k)
        y = m.a * 3.0
    return np.sum(y * m.a)


class Into:
    def __init__(self, owner, a, k):
        owner.last = a * a
        self.a = a
        if np.sum(a) > k:
            raise ValueError
        self.a = a * 2


class Owner:
    pass


def constructor_writes(x, k):
    o = Owner()
    o.last = x
    try:
        m = Into(o, x, k)
        y = m.a
    except ValueError:
        y = o.last * 2
    return np.sum(y * o.last)


G = Model(np.array([0.1, 0.2, 0.3]))


def glob(x, k):
    G.x = x * 0.0
    G.n = 0
    G.buf = np.zeros(3)
    try:
        G.step(x, k)
    except ValueError:
        G.halve()
    return np.sum(G.x * G.x) + np.sum(G.buf)


class Outer:
    def __init__(self, w):
        self.inner = Model(w)
        self.t = 0.0

    def step(self, x, k):
        self.t = self.t + x[0]
        self.inner.step(x * self.t, k)
        self.t = self.t * 2.0


def inner_object(x, k):
    m = Outer(x)
    for _ in range(3):
        try:
            m.step(x, k)
        except ValueError:
            m.inner.halve()
            m.t = m.t * 0.5
    return np.sum(m.inner.x) * m.t + np.sum(m.inner.buf)


def list_of_objects(x, k):
    ms = [Model(x), Model(x * 2), Model(x * 0.5)]
    s = 0.0
    for m in ms:
        try:
            m.step(x, k)
        except ValueError:
            m.reset()
        s = s + np.sum(m.x)
    return s + sum(np.sum(m.buf) for m in ms)


def rollback(x, k):
    m = Model(x)
    for i in range(3):
        saved, buf = m.x, m.buf.copy()
        try:
            m.step(x * (i + 1), k)
        except ValueError:
            m.x, m.buf = saved, buf
    return np.sum(m.x * m.x) + np.sum(m.buf)


def growing(x, k):
    ms = []
    for v in x:
        m = Model(x * v)
        try:
            m.step(x, k)
        except ValueError:
            m.reset()
        ms.append(m)
    return sum(np.sum(m.x) + np.sum(m.buf) for m in ms)


def check(x, k):
    if np.sum(x) > k:
        raise ValueError


class Base:
    def __init__(self, w):
        self.w = w
        self.x = w * 1.0
        self._p = w * 2.0
        self.n = 0

    def step(self, x, k):
        self.x = self.x * x
        check(self.x, k)
        self.x = self.x + x


class Derived(Base):
    def __init__(self, w):
        super().__init__(w)
        self.extra = w * 3.0

    def step(self, x, k):
        self.extra = self.extra * x
        super().step(x, k)
        self.extra = self.extra * self.x

    @property
    def p(self):
        return self._p

    @p.setter
    def p(self, v):
        self._p = v * self.w
        check(v, 1.0)
        self._p = v

    def __iadd__(self, v):
        self.x = self.x * v
        check(self.x, 1.0)
        self.x = self.x + v
        return self

    def __setitem__(self, i, v):
        self.x[i] = v
        self.n += 1
        check(self.x, 1.5)
        self.x[0] = self.x[i] * v

    def __call__(self, v, k):
        self.n += 1
        self.x = self.x * v
        check(self.x, k)
        return self.x * self.n

    @staticmethod
    def static(m, x, *, k=1.0, **kw):
        m.x = m.x * x
        check(m.x, k)
        m.x = m.x + kw.get("b", 0.0)

    def var(self, *xs, k):
        for v in xs:
            self.x = self.x * v
        check(self.x, k)
        self.x = self.x * 2.0

    def early(self, x, k):
        self.x = self.x * x
        if k > 50:
            return self.x
        try:
            check(self.x, k)
        except ValueError:
            self.x = self.x * 0.1
            raise
        finally:
            self.n += 1
        self.x = self.x * 3.0
        return self.x * 2.0

    def comp(self, x, k):
        self.x = np.array([v * v for v in x])
        self.x = (lambda t: t * k)(self.x)
        check(self.x, k)
        self.x = self.x * sum(v for v in x)


def supers(x, k):
    m = Derived(x)
    try:
        m.step(x, k)
    except ValueError:
        m.extra = m.extra * m.x
    return np.sum(m.x * m.extra)


def setter(x, k):
    m = Derived(x)
    try:
        m.p = x * k
    except ValueError:
        m.x = m.x * m.p
    return np.sum(m.x * m.p)


def iadd(x, k):
    m = Derived(x)
    try:
        m += x * k
    except ValueError:
        m.x = m.x * 2.0
    return np.sum(m.x)


def setitem(x, k):
    m = Derived(x)
    try:
        m[1] = x[2] * k
    except ValueError:
        m.x = m.x * 2.0
    return np.sum(m.x) * m.n


def called(x, k):
    m = Derived(x)
    y = x
    for _ in range(3):
        try:
            y = m(y, k)
        except ValueError:
            y = y * 0.5
    return np.sum(m.x * y)


def static(x, k):
    m = Derived(x)
    try:
        Derived.static(m, x, k=k, b=x[0])
    except ValueError:
        m.x = m.x * 2.0
    return np.sum(m.x)


def var(x, k):
    m = Derived(x)
    try:
        m.var(x, x * 2.0, k=k)
    except ValueError:
        m.x = m.x * x
    return np.sum(m.x)


def early(x, k):
    m = Derived(x)
    y = x
    for _ in range(3):
        try:
            y = m.early(x, k)
        except ValueError:
            y = m.x * y
    return np.sum(m.x * y) * m.n


def comp(x, k):
    m = Derived(x)
    try:
        m.comp(x, k)
    except ValueError:
        m.x = m.x * x
    return np.sum(m.x)


def captured(x, k):
    self = Derived(x)
    v = x[0]
    y = x

    def f(y, k):
        self.x = self.x * y
        v = y * 2.0
        check(v, k)
        self.x = self.x * v

    try:
        f(x * v, k)
    except ValueError:
        y = self.x * v
    return np.sum(self.x * y * v)


def retry(x, k):
    m = Derived(x)
    t = x * 4.0
    n = 0
    while True:
        n += 1
        try:
            m.step(t, k)
            break
        except ValueError:
            t = t * 0.5
            if n > 6:
                break
    return np.sum(m.x * m.extra) + np.sum(t)


def poly(x, k):
    s = 0.0
    for m in [Base(x), Derived(x * 0.5), Base(x * 2)]:
        try:
            m.step(x, k)
        except ValueError:
            m.x = m.x * 0.5
        s = s + np.sum(m.x)
    return s


def chosen(x, k):
    m = Base(x) if k > 1.0 else Derived(x)
    try:
        m.step(x, k)
    except ValueError:
        m.x = m.x * 0.5
    return np.sum(m.x)


def two_aliases(x, k):
    m = Derived(x)
    q = m
    try:
        q.step(x, k)
    except ValueError:
        m.x = m.x * q.extra
    return np.sum(q.x * m.extra)


@dataclasses.dataclass
class D:
    a: object
    b: object = 0.0

    def go(self, x, k):
        self.b = self.a * x
        check(self.b, k)
        self.a = self.b * x


def dc(x, k):
    d = D(x)
    try:
        d.go(x, k)
    except ValueError:
        d = D(d.b, x)
    return np.sum(d.a * d.b)


def rebinding_in_try(x, k):
    m = Base(x)
    try:
        m.step(x, k)
        m = Base(m.x * x)
        m.step(x, k * 0.5)
    except ValueError:
        m.x = m.x * 3.0
    return np.sum(m.x * m.w)


class Herd:
    def __init__(self, w):
        self.kids = [Base(w), Derived(w * 0.3)]
        self.log = []

    def run(self, x, k):
        for kid in self.kids:
            kid.step(x, k)
            self.log.append(np.sum(kid.x))


def herd(x, k):
    o = Herd(x)
    try:
        o.run(x, k)
    except ValueError:
        o.log.append(x[0])
    return sum(o.log) + sum(np.sum(q.x) for q in o.kids)


PROGRAMS = [
    basic, keeps, looped, with_else_finally, nested_, constructor, constructor_writes, glob,
    inner_object, list_of_objects, rollback, growing, supers, setter, iadd, setitem, called,
    static, var, early, comp, captured, retry, poly, chosen, two_aliases, dc, rebinding_in_try,
    herd,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("k", [0.3, 0.8, 2.5, 100.0])
@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_what_was_done_until_then_counts(f, mode, k):
    check_grads(f, (X.copy(), k), on_overwrite=mode)


class Held:
    def __init__(self, w):
        self.x = w

    def step(self, x, k):
        self.x = self.x * x
        check(self.x, k)
        self.x = self.x * x


def given(x, k, held):
    try:
        held.step(x, k)
    except ValueError:
        held.x = held.x * 2.0
    return np.sum(held.x * x)


@pytest.mark.recorded
@pytest.mark.parametrize("k", [0.3, 100.0])
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_an_object_that_is_given_is_left_as_python_leaves_it(mode, k):
    check_grads(given, (X.copy(), k, Held(X + 1.0)), on_overwrite=mode)
    ours, theirs = Held(X + 1.0), Held(X + 1.0)
    given(X, k, theirs)
    _, pullback = ad.vjp(lambda x: given(x, k, ours), X.copy(), on_overwrite=mode)
    np.testing.assert_array_equal(ours.x, theirs.x)
    np.testing.assert_array_equal(pullback(1.0)[0], pullback(1.0)[0])


def in_a_handler(x, k, held):
    try:
        check(x, k)
    except ValueError:
        held.step(x, 0.1 * k)
    finally:
        held.x = held.x * 2.0
        SEEN.append(held.x)
    return np.sum(held.x)


def behind_the_body(x, k, held):
    try:
        SEEN.append(k)
    except ValueError:
        SEEN.append(0.0)
    else:
        held.step(x, k)
    finally:
        held.x = held.x * 2.0
    return np.sum(held.x)


@pytest.mark.recorded
@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", [in_a_handler, behind_the_body])
def test_finally_sees_what_was_done_before_an_exception_that_nobody_takes(f, mode):
    left = []
    for run in (f, ad.differentiable(f, on_overwrite=mode).grad):
        SEEN.clear()
        held = Held(X + 1.0)
        with pytest.raises(ValueError):
            run(X.copy(), 0.3, held)
        left.append((held.x.tolist(), str(SEEN)))
    assert left[0] == left[1]


class Running:
    def __init__(self, w):
        self.h, self.w, self.hist = w * 0.0, w, []

    def run(self, x, k):
        for v in x:
            self.h = np.tanh(self.h + self.w * v)
            self.hist.append(self.h[0])
            if np.sum(self.h) > k:
                raise ValueError


def a_loop_of_a_method(x, k):
    m = Running(x)
    try:
        m.run(x, k)
    except ValueError:
        m.hist.append(x[0])
    return np.sum(m.h) + sum(m.hist)


@pytest.mark.recorded
def test_a_loop_of_a_method_that_is_left_half_done():
    for k in (0.8, 100.0):
        check_grads(a_loop_of_a_method, (X.copy(), k), on_overwrite="save")
        check_grads(a_loop_of_a_method, (X.copy(), k))


class Recursive:
    def __init__(self):
        self.s = 0.0

    def go(self, x, n, k):
        self.s = self.s + x[0] * n
        check(self.s, k)
        if n > 0:
            self.go(x, n - 1, k)
        self.s = self.s * x[1]


def a_recursion(x, k):
    m = Recursive()
    try:
        m.go(x, 3, k)
    except ValueError:
        m.s = m.s * 3.0
    return m.s * x[2]


@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_a_recursive_method_is_refused(mode):
    with pytest.raises(ad.CompileError) as found:
        ad.grad(a_recursion, on_overwrite=mode)(X.copy(), 0.8)
    assert "a call inside `try` changes it" in str(found.value)


def twice(x, k):
    m = Model(x)
    try:
        m.step(x, k)
    except ValueError:
        m.x = m.x * x
    return np.sum(m.x**2)


@pytest.mark.recorded
@pytest.mark.parametrize("k", [0.3, 100.0])
def test_the_second_derivative(k):
    check_grads(twice, (X.copy(), k), order=2)
