"""Methods: attributes are read when they are used, other methods are called, nothing goes stale."""

from __future__ import annotations

import copy
import types
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads, finite_difference_vjp

X = np.array([0.5, -0.3, 0.8])


class Network:
    """A layer and what is applied to it."""

    scale = 2.0

    def __init__(self):
        self.W = np.array([[0.2, 0.4, -0.1], [0.3, -0.6, 0.5]])
        self.b = 0.1
        self.steps = 2
        self.inner = None

    def activation(self, h):
        return np.tanh(h) * self.scale

    def layer(self, x):
        return self.activation(self.W @ x + self.b)

    def plain(self, x):
        return np.sum(self.layer(x) ** 2)

    @ad.differentiable
    def loss(self, x, power=2):
        return np.sum(self.layer(x) ** power)

    def repeated(self, x):
        for _ in range(self.steps):
            x = np.sin(x) * self.b
        return np.sum(x)

    @property
    def rate(self):
        return self.b * 3.0

    def by_property(self, x):
        return np.sum(x * x) * self.rate

    def nested(self, x):
        return np.sum(x * x) * self.inner.b

    def remembers(self, x):
        self.last = x * 2.0
        return np.sum(self.last * x)

    def __call__(self, x):
        return np.sum(x * x) * self.b


def right(f, g) -> None:
    """`g` gives the gradient of `f` at `X`, compared with differences."""
    (expected,) = finite_difference_vjp(f, (X,), 1.0, (0,), eps=1e-4)
    np.testing.assert_allclose(g(X), expected, rtol=1e-6, atol=1e-8)


def right_or_refused(f, g) -> None:
    try:
        right(f, g)
    except CompileError as error:
        assert error.diagnostics


def test_attributes_and_other_methods():
    model = Network()
    right(model.loss, model.loss.grad)
    right(model.plain, ad.grad(model.plain))
    right(model.repeated, ad.grad(model.repeated))
    right(model, ad.grad(model))
    right(lambda x: model.loss(x, 3), lambda x: model.loss.grad(x, 3))
    y, y_dot = ad.jvp(model.plain, (X,), (X,))
    assert y == model.plain(X)
    assert y_dot == pytest.approx(ad.grad(model.plain)(X) @ X)


def test_a_change_between_two_calls_is_seen():
    model = Network()
    g = ad.grad(model.plain)
    right(model.plain, g)
    model.W = model.W[::-1] * 2.0
    right(model.plain, g)
    model.W[0, 0] = 3.0
    right(model.plain, g)
    model.b = -0.4
    right(model.plain, g)
    model.scale = 5.0
    right(model.plain, g)


def test_another_kind_of_attribute_is_compiled_for():
    model = Network()
    g = model.loss.grad
    right(model.loss, g)
    model.b = np.array([0.1, -0.2])
    right(model.loss, g)
    model.b = 1
    right(model.loss, g)
    model.W = np.ones((1, 3))
    right(model.loss, g)
    model.W = np.array([[1.0, 0.5, 0.25]], dtype="float32")
    value, gradient = model.loss.value_and_grad(X.astype("float32"))
    assert value.dtype == model.loss(X.astype("float32")).dtype
    assert gradient.dtype == np.float32


def test_a_loop_bound_that_changes():
    model = Network()
    g = ad.grad(model.repeated)
    for steps in (0, 1, 4):
        model.steps = steps
        right(model.repeated, g)


def test_another_method(monkeypatch):
    model = Network()
    g = ad.grad(model.plain)
    right(model.plain, g)
    monkeypatch.setattr(Network, "activation", lambda self, h: h * h * self.b)
    right(model.plain, g)
    model.activation = np.cos
    right_or_refused(model.plain, g)


def test_two_objects_do_not_mix():
    one, two = Network(), Network()
    two.W = -3.0 * one.W
    two.b = np.array([0.3, 0.4])
    for model in (one, two, one):
        right(model.loss, model.loss.grad)

    def both(x):
        return one.plain(x) * two.plain(x)

    right_or_refused(both, ad.grad(both))


def test_properties_and_objects_in_objects():
    model = Network()
    right_or_refused(model.by_property, ad.grad(model.by_property))
    model.inner = Network()
    g = ad.grad(model.nested)
    right_or_refused(model.nested, g)
    model.inner.b = 7.0
    right_or_refused(model.nested, g)
    model.inner = Network()
    right_or_refused(model.nested, g)


def test_an_attribute_that_is_written():
    model = Network()
    try:
        found = ad.grad(model.remembers)(X)
    except CompileError as error:
        assert error.diagnostics[0].code in ("AD201", "AD207")
        assert not hasattr(model, "last"), "a function that is refused does not run"
    else:
        np.testing.assert_allclose(found, 4.0 * X)
        np.testing.assert_array_equal(model.last, 2.0 * X)


def test_an_array_attribute_that_is_written_while_needed():
    class Buffer:
        def __init__(self):
            self.data = np.ones(3)

        def run(self, x):
            y = np.sum(self.data * x)
            self.data[0] = 5.0
            return y

    model = Buffer()
    try:
        found = ad.grad(model.run)(X)
    except CompileError as error:
        assert error.diagnostics
        np.testing.assert_array_equal(model.data, np.ones(3))
    else:
        np.testing.assert_array_equal(found, np.ones(3))
        np.testing.assert_array_equal(model.data, [5.0, 1.0, 1.0])


class Gain:
    def __init__(self):
        self.k = 1.5
        self.Q = np.array([0.2, 0.4, -0.1])
        self.inner = None
        self.calls = 0

    def loss(self, x):
        self.calls += 1
        self.Q = self.Q * self.k
        return np.sum(self.Q * x) * self.k

    def inner_loss(self, x):
        return self.inner.k * np.sum(self.inner.Q * self.inner.Q * x)


def by_attribute(gain, name, method="loss"):
    """The gradient by an attribute, compared with differences."""
    owner = gain
    *path, last = name.split(".")[1:]
    for step in path:
        owner = getattr(owner, step)

    def f(value):
        copied = copy.deepcopy(gain)
        at = copied
        for step in path:
            at = getattr(at, step)
        setattr(at, last, value)
        return getattr(copied, method)(X)

    value = getattr(owner, last)
    (expected,) = finite_difference_vjp(f, (value,), 1.0, (0,), eps=1e-4)
    return expected


def test_gradients_with_respect_to_attributes():
    gain = Gain()
    for name in ("self.k", "self.Q"):
        expected = by_attribute(gain, name)
        found = ad.grad(copy.deepcopy(gain).loss, wrt=name)(X)
        np.testing.assert_allclose(found, expected, rtol=1e-6)
        assert type(found) is type(getattr(gain, name.partition(".")[2]))
    q, x = ad.grad(copy.deepcopy(gain).loss, wrt=("self.Q", "x"))(X)
    np.testing.assert_allclose(q, by_attribute(gain, "self.Q"), rtol=1e-6)
    np.testing.assert_allclose(x, gain.Q * gain.k**2, rtol=1e-6)


def test_gradients_with_respect_to_attributes_of_attributes():
    gain = Gain()
    gain.inner = Gain()
    for name in ("self.inner.k", "self.inner.Q"):
        expected = by_attribute(gain, name, "inner_loss")
        found = ad.grad(gain.inner_loss, wrt=name)(X)
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_vjp_and_jvp_with_respect_to_an_attribute():
    gain = Gain()
    y, pullback = ad.vjp(copy.deepcopy(gain).loss, X, wrt=("self.Q",))
    (found,) = pullback(1.0)
    np.testing.assert_allclose(found, by_attribute(gain, "self.Q"), rtol=1e-6)
    direction = np.array([1.0, -2.0, 0.5])
    value, y_dot = ad.jvp(copy.deepcopy(gain).loss, (X,), (direction,), wrt=("self.Q",))
    assert value == y
    assert y_dot == pytest.approx(found @ direction)


def test_an_attribute_that_does_not_exist():
    with pytest.raises(ad.AdtransError, match="AD403"):
        ad.grad(Gain().loss, wrt="self.nothing")(X)


def test_what_is_assigned_is_assigned_once():
    gain = Gain()
    expected = gain.Q * gain.k
    g = ad.grad(gain.loss)
    g(X)
    np.testing.assert_array_equal(gain.Q, expected)
    assert gain.calls == 1
    g(X)
    assert gain.calls == 2


def test_the_caller_may_change_attributes_before_the_pullback():
    gain = Gain()
    before = copy.deepcopy(gain)
    _, pullback = ad.vjp(gain.loss, X)
    expected = before.Q * before.k**2
    gain.Q[:] = 100.0
    gain.k = 7.0
    np.testing.assert_allclose(pullback(1.0)[0], expected)
    np.testing.assert_allclose(pullback(1.0)[0], expected)


def test_arrays_that_objects_share_are_noticed():
    class Pair:
        def __init__(self, a):
            self.a = a

    def f(x, p, q):
        p.a[0] = x[0]
        p.b = 1.0
        return np.sum(q.a * x)

    shared = np.ones(3)
    with pytest.raises(ad.MutationError, match="AD308"):
        ad.grad(f)(X, Pair(shared), Pair(shared))
    with pytest.raises(ad.MutationError, match="AD308"):
        ad.grad(f)(X, one := Pair(shared), one)
    right(lambda x: f(x, Pair(np.ones(3)), Pair(np.ones(3))),
          lambda x: ad.grad(f)(x, Pair(np.ones(3)), Pair(np.ones(3))))  # fmt: skip


def test_the_kind_of_an_attribute_of_a_global_object_changes():
    right(assigns_a_global, ad.grad(assigns_a_global))
    HELD.scale = np.array([1.0, 2.0, 3.0])
    right(assigns_a_global, ad.grad(assigns_a_global))
    HELD.scale = 2.0
    right(assigns_a_global, ad.grad(assigns_a_global))


class Held:
    scale = 1.5
    y = 0.0


HELD = Held()


def assigns_a_global(x):
    HELD.y = np.sum(x * HELD.scale)
    return HELD.y * HELD.y


class Node:
    """Objects that know each other by lists and dictionaries."""

    def __init__(self, weight, others=()):
        self.weight = weight
        self.others = list(others)
        self.named = {"first": self}


def test_objects_that_hold_each_other_in_containers():
    a = Node(2.0)
    b = Node(3.0, [a])
    a.others.append(b)

    def f(x, node):
        return np.sum(x * node.weight) ** 2

    right(lambda x: f(x, b), lambda x: ad.grad(f)(x, b))


class _Basin:
    def __init__(self) -> None:
        self.level = np.ones(3)
        self.notes = {"depth": np.ones(2)}


def test_messages_and_reports_write_attributes_as_the_user_does() -> None:
    def f(x):
        basin = _Basin()
        basin.level[:] = x
        held = {"rate": x * 1.0}
        s = np.sum(basin.level * basin.level) + np.sum(held["rate"] ** 2)
        basin.level[0] = 2.0
        held["rate"][0] = 1.0
        return s

    with pytest.raises(ad.CompileError) as found:
        ad.grad(f)(np.ones(3))
    titles = " ".join(d.title for d in found.value.diagnostics)
    assert "`basin.level`" in titles and "`held['rate']`" in titles
    g = ad.differentiable(f, on_overwrite="save")
    g.grad(np.ones(3))
    assert {v.target for v in g.report().writes} == {"basin.level", "held['rate']"}
    assert "basin_level" not in str(g.report()) + str(found.value)


class _Holder:
    def __init__(self) -> None:
        self.table = {"q": 1.0}


_HOLDER = _Holder()


def test_a_dictionary_in_a_global_object_is_followed() -> None:
    def f(x):
        _HOLDER.table["q"] = x[1]
        return _HOLDER.table["q"] * x[0]

    assert ad.grad(f)(np.array([2.0, 3.0])).tolist() == [3.0, 2.0]
    assert _HOLDER.table == {"q": 3.0}
    assert ad.jvp(f, (np.array([2.0, 3.0]),), (np.ones(2),)) == (6.0, 5.0)


class Lock:
    """Notes how it was left; keeps back what it is told to."""

    def __init__(self, keeps=False):
        self.keeps, self.left, self.count = keeps, None, 0

    def __enter__(self):
        self.count += 1
        return self

    def __exit__(self, kind, error, traceback):
        self.left = kind
        return self.keeps and kind is not None


@pytest.mark.recorded
def test_a_manager_sees_the_exception_that_leaves_its_block():
    def f(x, lock):
        with lock:
            if x[0] > 0.0:
                raise KeyError("left")
        return np.sum(x * x) * lock.count

    lock = Lock()
    with pytest.raises(KeyError, match="left"):
        ad.vjp(f, X, lock)
    assert lock.left is KeyError and lock.count == 1
    lock = Lock(keeps=True)
    _, pullback = ad.vjp(f, X, lock)
    np.testing.assert_allclose(pullback(1.0)[0], 2.0 * X)
    assert lock.left is KeyError and lock.count == 1
    lock = Lock()
    _, pullback = ad.vjp(f, -X * np.sign(X), lock)
    np.testing.assert_allclose(pullback(1.0)[0], -2.0 * X * np.sign(X))
    assert lock.left is None and lock.count == 1


class Left:
    def __init__(self, v):
        self.v = v

    def __add__(self, other):
        if isinstance(other, Left):
            return Left(self.v + other.v)
        return NotImplemented


class Right(Left):
    def __radd__(self, other):
        return Left(self.v * other.v)


class Other:
    def __init__(self, v):
        self.v = v

    def __radd__(self, other):
        return Left(self.v * other.v)


def test_an_operator_that_leaves_the_work_to_the_other_side():
    def own(x):
        return np.sum((Left(x) + Left(x * x)).v)

    def others(x):
        return np.sum((Left(x) + Other(x * x)).v)

    np.testing.assert_allclose(ad.grad(own)(X), 1.0 + 2.0 * X)
    with pytest.raises(ad.CompileError):  # and not what `Left.__add__` returns
        ad.grad(others)(X)


@pytest.mark.recorded
def test_a_deep_copy_of_what_is_there_twice():
    class Two:
        def __init__(self, a, b):
            self.a, self.b = a, b

    def f(x):
        y = x * 2.0
        t = copy.deepcopy(Two(y, y))
        t.a[0] = x[1]
        return np.sum(t.a * t.b)

    check_grads(f, (X,))


@pytest.mark.recorded
def test_a_deep_copy_of_containers_with_one_array_in_two_places():
    def f(x):
        y = x * 2.0
        state = {"a": y, "rows": [y, x * x]}
        other = copy.deepcopy(state)
        other["a"][0] = x[1]
        return np.sum(other["a"] * other["rows"][0] * state["a"])

    check_grads(f, (X,))


@pytest.mark.recorded
def test_gradients_by_attributes_go_through_copies():
    def f(gain, x):
        one, two = copy.copy(gain), copy.deepcopy(gain)
        two.k = two.k * 2.0
        return np.sum(one.Q * x) * one.k + np.sum(two.Q * two.Q) * two.k

    q, k = ad.grad(f, wrt=("gain.Q", "gain.k"))(Gain(), X)
    gain = Gain()
    np.testing.assert_allclose(q, X * gain.k + 4.0 * gain.Q * gain.k)
    np.testing.assert_allclose(k, np.sum(gain.Q * X) + 2.0 * np.sum(gain.Q**2))


@dataclass
class Pair:
    a: np.ndarray
    b: np.ndarray


def test_tangents_of_attributes_that_are_written_stay_as_they_are():
    def f(p, k):
        p.a[0] = k * p.b[1]
        return np.sum(p.a * p.b)

    p, dot = Pair(X.copy(), X * 2.0), Pair(X + 1.0, X - 1.0)
    _, y_dot = ad.jvp(f, (p, 0.7), (dot, 0.3), wrt=(0, 1))
    assert np.array_equal(dot.a, X + 1.0) and np.array_equal(dot.b, X - 1.0)
    assert p.a[0] == 0.7 * p.b[1]
    a_dot = np.array([0.3 * p.b[1] + 0.7 * dot.b[1], *dot.a[1:]])
    assert np.isclose(y_dot, np.sum(a_dot * p.b) + np.sum(p.a * dot.b))


class _Cell:
    def __init__(self, w: np.ndarray) -> None:
        self.w = w


def _writes_in_list(cells: list[_Cell], x: np.ndarray) -> float:
    cells[0].w[:] = cells[0].w * x
    return np.sum(cells[1].w * x)


def _writes_in_dict(cells: dict[str, _Cell], x: np.ndarray) -> float:
    cells["a"].w[:] = cells["a"].w * x
    return np.sum(cells["b"].w * x)


class _Holder:
    def __init__(self, cells: list[_Cell]) -> None:
        self.cells = cells


def _writes_below(holder: _Holder, x: np.ndarray) -> float:
    holder.cells[0].w[:] = holder.cells[0].w * x
    return np.sum(holder.cells[1].w * x)


def _writes_beside(cells: list[_Cell], b: np.ndarray, x: np.ndarray) -> float:
    cells[0].w[:] = cells[0].w * x
    return np.sum(b * x)


@pytest.mark.recorded
def test_objects_in_containers_that_share_an_array() -> None:
    w, x = np.ones(3), np.array([1.0, 2.0, 3.0])
    for fn, args in (
        (_writes_in_list, ([_Cell(w), _Cell(w)],)),
        (_writes_in_list, ([_Cell(w.copy()), _Cell(w.copy())],)),
        (_writes_in_dict, ({"a": _Cell(w), "b": _Cell(w)},)),
        (_writes_below, (_Holder([_Cell(w), _Cell(w)]),)),
        (_writes_beside, ([_Cell(w)], w)),
    ):
        check_grads(fn, (*args, x), wrt="x", on_overwrite="save")


class Marble:
    def __init__(self, mass):
        self.mass = mass


def test_what_comes_to_no_end_is_an_error(monkeypatch):
    monkeypatch.setattr("adtrans.analyses.objects.seeing._PASSES", 0)

    def made(x):
        m = Marble(x * x)
        return m.mass * x

    with pytest.raises(ad.CompileError, match="what `made` does with objects cannot be told"):
        ad.grad(made)(2.0)


def springs(x):
    given = SimpleNamespace(dt=0.1, gain=x[0])
    state = SimpleNamespace(pos=x * 1.0, vel=np.zeros(3))
    for _ in range(3):
        state.vel += given.dt * (-given.gain * state.pos)
        state.pos[:] = state.pos + given.dt * state.vel
    state.energy = np.sum(state.pos**2)
    state.inner = types.SimpleNamespace(z=state.energy * x)
    return state.energy + np.sum(state.inner.z)


def moved(x, state):
    state.pos = state.pos * x
    state.vel[0] = x[1]
    return np.sum(state.pos * state.vel) * state.gain


def test_simple_namespaces():
    x = np.array([0.3, 0.5, 0.7])
    check_grads(springs, (x,), on_overwrite="save")
    hessian = ad.hessian(springs, on_overwrite="save")(x)
    np.testing.assert_allclose(hessian, hessian.T)
    state = SimpleNamespace(pos=np.ones(3), vel=np.ones(3), gain=2.0)
    gradient = ad.grad(moved)(x, state)
    np.testing.assert_allclose(gradient, [2.0 * x[1], 2.0 + 2.0 * x[0], 2.0])
    np.testing.assert_allclose(state.pos, x)
    assert state.vel[0] == x[1]


class Rated:
    def faster(self, rate):
        self.rate = rate

    def twice(self):
        self.faster(2.0 * self.rate)
        return self.rate


class Labelled:
    def __init__(self, level, name, n):
        self.level = level
        self.name = name
        self.n = n

    def rename(self, name, n):
        self.name, self.n = name, n


def rates_of_a_method(x):
    t = Rated()
    t.rate = 1.0
    total = 0.0
    for k in range(3):
        last = t
        t = Rated()
        t.rate = k + 1.0
        last.faster(7.0)
        total = total + np.sum(x * x) * last.rate
    return total


def rates_of_two_methods(x):
    t = Rated()
    t.rate = 1.0
    total = 0.0
    for k in range(3):
        last = t
        t = Rated()
        t.rate = k + 1.0
        w = last.twice()
        total = total + np.sum(x * x) * last.rate * w
    return total


def only_labels(x):
    t, total = Labelled(2.0, "a", 1), 0.0
    for k in range(3):
        last, t = t, Labelled(3.0, "b", k)
        last.rename("c", k + 5)
        total = total + np.sum(x * x) * last.n * (2.0 if last.name == "c" else 1.0) * last.level
    return total


def labels_and_levels(x):
    t, total = Labelled(x, "a", 1), 0.0
    for k in range(3):
        last, t = t, Labelled(t.level * x[0], "b", k)
        last.rename("c", k + 5)
        total = total + np.sum(last.level * t.level) * last.n * (2.0 if last.name == "c" else 1.0)
    return total


@pytest.mark.recorded
@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize(
    "f", [rates_of_a_method, rates_of_two_methods, only_labels, labels_and_levels]
)
def test_methods_without_derivatives_of_objects_that_are_followed_together(f, mode):
    check_grads(f, (np.array([0.6, 0.9, 1.3]),), on_overwrite=mode)


@pytest.mark.recorded
def test_what_is_read_as_a_constant_of_objects_that_are_followed_together():
    def f(x):
        t, total = Labelled(x, "a", 1), 0.0
        for k in range(3):
            last, t = t, Labelled(x * x, "b", k)
            total = total + np.sum(x * x * ad.stop_gradient(last.level))
        return total

    x = np.array([1.2, 2.3])
    value, gradient = ad.value_and_grad(f)(x)
    assert value == f(x)
    np.testing.assert_allclose(gradient, 2.0 * x * (x + 2.0 * x * x))


class Vessel:
    def __init__(self, level):
        self.level = level


def which(vessel):
    return id(vessel)


def by_identity(x):
    first = Vessel(1.0)
    t, seen, total = first, [id(first)], 0.0
    for k in range(3):
        last = t
        t = Vessel(k + 2.0)
        old, new = id(last), which(t)
        seen.append(new)
        total = total + np.sum(x * x) * (1.0 if old == seen[-2] and which(last) == old else 5.0)
    return total


def level_of(vessel):
    return vessel.level


def levels_by_a_function(x):
    t, total = Vessel(1.0), 0.0
    for k in range(3):
        last = t
        t = Vessel(k + 2.0)
        total = total + np.sum(x * x) * level_of(last)
    return total


@pytest.mark.parametrize("f", [by_identity, levels_by_a_function])
def test_an_object_of_an_earlier_iteration_is_not_taken_for_the_last_one(f):
    check_grads(f, (np.array([0.6, 0.9, 1.3]),))


class Summand:
    def __init__(self, v, e=0.0):
        self.v, self.e = v, e

    def __add__(self, other):
        return Summand(self.v + other.v, self.e + other.e * other.v)


def summed_by_their_method(x):
    total = sum([Summand(v, v * v) for v in x], Summand(0.0))
    return total.v * total.e


@pytest.mark.recorded
def test_a_sum_of_objects():
    check_grads(summed_by_their_method, (np.array([0.6, 0.9, 1.3]),))
