"""Attributes that an object may lack: set in a branch, in a later method, in one class of two."""

import copy

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

LOG = []


class Model:
    def __init__(self, x):
        self.x = x

    def fit(self, k):
        if k > 0:
            self.y = self.x * 3.0

    def predict(self):
        return self.y * self.x


class Chosen:
    def __init__(self, x, k):
        if k > 0:
            self.d = x * 2.0
        else:
            self.L = np.outer(x, x)
        self.k = k

    def __call__(self, r):
        if self.k > 0:
            return self.d * r
        return self.L.T @ r


class Slots:
    __slots__ = ("x", "y")

    def __init__(self, x, k):
        self.x = x
        if k > 0:
            self.y = x * x


class Base:
    def run(self, x):
        return self.scale * x


class Sub(Base):
    def __init__(self, x, k):
        if k > 0:
            self.scale = x * 2.0


class Holder:
    def __init__(self, x, k):
        if k > 0:
            self.model = Model(x)
            self.model.fit(k)


class Other(Model):
    def __init__(self, x):
        self.x = x
        self.y = x * x


class Interrupted:
    def __init__(self, x, k):
        try:
            if k < 1:
                raise ValueError("no")
            self.y = x * x
        except ValueError:
            LOG.append("caught")


class Optimiser:
    def step(self, p, g):
        m = getattr(self, "m", 0.0)
        self.m = 0.9 * m + g
        return p - 0.1 * self.m


class Masked:
    limit = 2.0

    def __init__(self, x):
        self.x = x

    def run(self):
        mask = getattr(self, "mask", None)
        if mask is not None:
            return np.sum(self.x * mask)
        return np.sum(self.x * getattr(self, "limit", 1.0))


def chosen(x, k):
    return np.sum(Chosen(x, k)(x))


def in_a_method(x, k):
    m = Model(x)
    m.fit(k)
    return np.sum(m.predict())


def in_a_branch(x, k):
    m = Model(x)
    if k > 0:
        m.y = x * 2.0
    return m.y.sum()


def in_a_loop(x, k):
    m = Model(x)
    for i in range(k):
        if i > 0:
            m.y = m.y * x
        else:
            m.y = x * x
    return np.sum(m.y)


def made(x, k):
    m = Model(x)
    m.fit(k)
    return m, x * 2.0


def in_a_factory(x, k):
    m, z = made(x, k)
    return np.sum(m.y * z)


def slots(x, k):
    s = Slots(x, k)
    return np.sum(s.x * s.y)


def read_by_the_base(x, k):
    return np.sum(Sub(x, k).run(x))


def held(x, k):
    h = Holder(x, k)
    return np.sum(h.model.y * h.model.x)


def of_one_class(x, k):
    m = Model(x) if k < 1 else Other(x)
    return np.sum(m.y * x)


def no_object(x, k):
    if k > 0:
        m = Model(x)
        m.fit(k)
    return np.sum(m.y * x)


def interrupted(x, k):
    return np.sum(Interrupted(x, k).y * x)


def anew_in_each_iteration(x, k):
    s = 0.0
    for i in range(3):
        m = Model(x * (i + 1.0))
        m.fit(1 - i if k == 0 else 1)
        s = s + np.sum(m.y * x)
    return s


def copied(x, k):
    m = Model(x)
    m.fit(k)
    other = copy.copy(m)
    m.y = x
    return np.sum(other.y * x)


def chosen_object(x, k):
    a, b = Model(x), Model(x * 2.0)
    m = a if k < 1 else b
    m.y = x
    return np.sum(b.y * x)


def written_in_place(x, k):
    m = Model(x)
    m.fit(k)
    m.y[1] += x[0]
    return np.sum(m.y * x)


def a_number(x, k):
    m = Model(x)
    if k > 0:
        m.c = x[0] * 2.0
    return m.c * np.sum(x)


def a_list(x, k):
    m = Model(x)
    if k > 0:
        m.items = [x, x * 2.0]
    return np.sum(m.items[1] * x)


def none_as_well(x, k):
    m = Model(x)
    if k > 0:
        m.y = x
    if k > 5:
        m.y = None
    if m.y is None:
        return np.sum(x)
    return np.sum(m.y * x)


def nowhere(x, k):
    m = Model(x)
    if k > 0:
        return np.sum(m.x)
    return np.sum(m.nope * x)


def with_effects(x, k):
    m = Model(x)
    x[0] = 5.0
    LOG.append("before")
    m.fit(k)
    v = np.sum(m.y)
    LOG.append("after")
    return v


def in_the_end(x, k):
    m = Model(x)
    m.fit(k)
    try:
        return np.sum(m.y * x)
    finally:
        LOG.append("end")


RAISING = (
    chosen_object, in_a_method, in_a_branch, in_a_loop, in_a_factory, slots,
    read_by_the_base, held, of_one_class, no_object, interrupted, anew_in_each_iteration, copied,
    written_in_place, a_number, a_list, none_as_well, nowhere, with_effects, in_the_end,
)  # fmt: skip


def asked_for(x, k):
    m = Model(x)
    m.fit(k)
    if hasattr(m, "y"):
        return np.sum(m.y)
    return np.sum(m.x * m.x)


def tried(x, k):
    m = Model(x)
    m.fit(k)
    try:
        r = m.y * x
    except AttributeError as error:
        LOG.append((str(error), error.name, error.obj is m))
        r = x * x * x
    return np.sum(r)


def by_default(x, k):
    m = Model(x)
    m.fit(k)
    return np.sum(getattr(m, "y", x) * getattr(m, "nope", 2.0) * getattr(m, "x", None))


def optimised(x, k):
    o = Optimiser()
    p = x
    for _ in range(k + 1):
        p = o.step(p, p * p)
    return np.sum(p * o.m)


def masked(x, k):
    m = Masked(x)
    if k > 0:
        m.mask = np.array([1.0, 0.0, 1.0])
    return m.run() + Masked(x).run()


def on_one_path_only(x, k):
    m = Model(x)
    m.fit(k)
    return np.sum(x) if k < 1 else np.sum(m.y)


FINE = (chosen, asked_for, tried, by_default, optimised, masked, on_one_path_only)
MODES = ("vjp", "jvp")


def start():
    return np.array([1.0, 2.0, 0.5])


def outcome(run):
    LOG.clear()
    x = start()
    try:
        found = run(x)
    except (AttributeError, UnboundLocalError) as error:
        found = type(error), str(error), getattr(error, "name", None)
    return found, x.tolist(), list(LOG)


def derived(f, mode, k):
    def reverse(x):
        out, pullback = ad.vjp(f, x, k, wrt=0, on_overwrite="save")
        pullback(1.0)
        return out

    def forward(x):
        return ad.jvp(f, (x, k), (np.ones(3),), wrt=0, on_overwrite="save")[0]

    return reverse if mode == "vjp" else forward


@pytest.mark.recorded
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("f", [*RAISING, *FINE])
def test_what_it_does_is_what_python_does(f, mode):
    for k in (3, 0):
        expected = outcome(lambda x, k=k: f(x, k))
        assert isinstance(expected[0], tuple) == (f in RAISING and k == 0)
        assert outcome(derived(f, mode, k)) == expected


@pytest.mark.recorded
@pytest.mark.parametrize("f", [*RAISING, *FINE])
def test_the_gradient_is_that_of_what_is_computed(f):
    check_grads(f, (start(), 3), on_overwrite="save")
    if f in FINE:
        check_grads(f, (start(), 0), on_overwrite="save")


@pytest.mark.recorded
@pytest.mark.parametrize("f", [in_a_method, in_a_loop, in_a_factory, by_default, held])
def test_the_derivative_has_a_derivative(f):
    gradient = ad.grad(f, wrt=0)
    check_grads(gradient, (start(), 3))


def predicted(x, m, k):
    m.fit(k)
    return np.sum(m.predict() * x)


@pytest.mark.parametrize("mode", MODES)
def test_an_argument_may_lack_what_is_assigned(mode):
    f = ad.differentiable(predicted)
    for k, has in ((3, False), (0, True), (0, False), (3, True)):

        def run(x, g, k=k, has=has):
            m = Model(np.array([2.0, 1.0, 3.0]))
            if has:
                m.y = np.ones(3)
            found = g(x, m, k)
            return found, m.y.tolist()

        def derivative(x, m, k):
            if mode == "vjp":
                return ad.vjp(f, x, m, k, wrt=0)[0]
            return ad.jvp(f, (x, m, k), (np.ones(3),), wrt=0)[0]

        assert outcome(lambda x: run(x, derivative)) == outcome(lambda x: run(x, predicted))
    m = Model(np.array([2.0, 1.0, 3.0]))
    np.testing.assert_allclose(ad.grad(f, wrt=0)(start(), m, 1), 3.0 * m.x * m.x)


class Computed:
    def __init__(self, x, k):
        self.x = x
        if k > 0:
            self.y = x

    @property
    def z(self):
        return self.x * 2.0


def computed_by_default(x, k):
    return np.sum(getattr(Computed(x, k), "z", x))


def deleted(x, k):
    m = Computed(x, 1)
    if k < 1:
        del m.y
    return np.sum(m.y)


def copied_deeply(x, k):
    return np.sum(copy.deepcopy(Computed(x, k)).y)


@pytest.mark.parametrize("f", [computed_by_default, deleted, copied_deeply])
def test_what_cannot_be_followed_is_refused(f):
    with pytest.raises(ad.CompileError, match="AD201"):
        ad.grad(f, wrt=0)(start(), 1)
