"""All modes of the API on programs that only the recorder can follow, against differences."""

from __future__ import annotations

import pickle
import threading
import tracemalloc
from collections import deque
from typing import Any

import numpy as np
import pytest

import adtrans as ad

X = np.array([0.9, 1.2, 0.5])
H = 1e-5


def ticking(rate):
    level = 0.0
    while True:
        level = level + rate * (yield level)


def by_generators(x):
    """A generator that is sent values."""
    cells = {name: ticking(v) for name, v in zip("abc", x, strict=True)}
    for cell in cells.values():
        next(cell)
    total = 0.0
    for k in range(3):
        for name, cell in cells.items():
            total = total + cell.send(x[k] * x[0]) ** 2 * len(name)
    return total


class Queue(deque):
    """A subclass of a container, with state of its own."""

    def __init__(self, items):
        super().__init__(items)
        self.seen = []

    def turn(self):
        self.rotate(1)
        self.seen.append(self[0] * self[-1])
        return self.seen[-1]


def by_a_queue(x):
    """A subclass of `deque` that is turned around."""
    queue = Queue(x)
    while len(queue.seen) < 4:
        queue.turn()
    return sum(queue.seen) * queue.seen[0]


def several(x):
    """An array, put together by both."""
    return np.array([by_generators(x), by_a_queue(x), x[1] * by_a_queue(x)])


def each(x):
    """Element by element, with a dispatch by name."""
    table = {}

    class Kept:
        def __setattr__(self, name, value):
            table[name] = value * value

    kept = Kept()
    for k, v in enumerate(x):
        setattr(kept, f"v{k}", v)
    return np.array([*table.values()]) * np.sin(x)


NUMBERS = [by_generators, by_a_queue]


def central(f: Any, x: Any = X) -> Any:
    found = [(np.asarray(f(x + H * e)) - np.asarray(f(x - H * e))) / (2 * H) for e in np.eye(3)]
    return np.stack(found, axis=-1)


def near(a: Any, b: Any, rtol: float = 1e-6) -> None:
    np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-7)


@pytest.mark.parametrize("f", [by_a_queue, each])
def test_the_compiler_does_not_follow_them(f: Any) -> None:
    d = ad.differentiable(f)
    d.vjp(X)
    assert "recorded" in str(d.report())


RECORDED = [ad.recorded(f) for f in NUMBERS]


@pytest.mark.parametrize("f", RECORDED)
def test_orders_and_directions(f: Any) -> None:
    gradient = ad.grad(f)
    near(gradient(X), central(f))
    hessian = central(gradient)
    near(ad.hessian(f)(X), hessian)
    near(ad.hvp(f, (X,), (X,)), hessian @ X)
    near(ad.jvp(gradient, (X,), (X,))[1], hessian @ X)
    near(ad.grad(lambda x: ad.jvp(f, (x,), (X,))[1])(X), hessian @ X)
    near(ad.jacfwd(gradient)(X), hessian)
    near(ad.jacrev(gradient)(X), hessian)
    near(ad.grad(lambda x: np.sum(ad.grad(f)(x) * x))(X), hessian @ X + gradient(X))


def test_a_hessian_of_a_hessian() -> None:
    for f in RECORDED:
        inner = lambda x, f=f: np.sum(ad.hessian(f)(x) * np.outer(X, X))  # noqa: E731
        near(ad.grad(inner)(X), central(inner), 1e-5)
    twice = lambda x: np.sum(ad.hessian(RECORDED[1])(x))  # noqa: E731
    near(ad.hessian(twice)(X), central(ad.grad(twice)), 1e-5)


@pytest.mark.parametrize("f", [ad.recorded(several), ad.recorded(each)])
def test_jacobians_and_linearize(f: Any) -> None:
    wanted = central(f)
    for jacobian in (ad.jacobian(f), ad.jacfwd(f), ad.jacrev(f)):
        near(jacobian(X), wanted)
    y, push = ad.linearize(f, X)
    assert np.array_equal(y, f(X))
    for v in (X, X[::-1], X):
        near(push(v), wanted @ v)
    _, back = ad.vjp(f, X)
    for g in (X, X[::-1], X):
        near(back(g)[0], g @ wanted)
    buffer = np.ones(3)
    found = back(X, into={"x": buffer})[0]
    assert found is buffer
    near(found - 1.0 if not np.allclose(found, X @ wanted) else found, X @ wanted)


def test_element_by_element() -> None:
    near(ad.elementwise_grad(ad.recorded(each))(X), np.diag(central(each)))


def with_aux(x):
    queue = Queue(x)
    return queue.turn() * x[2], {"seen": queue.seen, "square": x * x}


def of_tree(p):
    return by_a_queue(p["a"]) * p["b"][0] + by_generators(p["a"] * p["b"][1])


class Model:
    """Parameters, and a property that only the recorder follows."""

    def __init__(self, weights, scale):
        self.__dict__.update(weights=weights, scale=scale)

    def __getattr__(self, name):
        if name == "scaled":
            return self.weights * self.scale
        raise AttributeError(name)


def of_model(m, x):
    return by_a_queue(m.scaled * x) + by_generators(m.weights)


def in_place(x, out):
    queue = Queue([out])
    queue[0][...] = x * by_a_queue(x)
    x[0] = queue.pop()[1]
    return np.sum(x)


def test_aux_trees_attributes_and_final_contents() -> None:
    value, found = ad.value_and_grad(ad.recorded(with_aux), has_aux=True)(X)
    (y, aux), g = value, found
    assert y == with_aux(X)[0] and type(aux["seen"][0]) is np.float64
    near(g, central(lambda x: with_aux(x)[0]))
    p = {"a": X, "b": [2.0, 0.7]}
    g = ad.grad(ad.recorded(of_tree))(p)
    near(g["a"], central(lambda a: of_tree({"a": a, "b": [2.0, 0.7]})))
    near(g["b"][0], by_a_queue(X))
    for name, at in (("weights", X * 2), ("scale", 1.5)):
        wanted = ad.grad(ad.recorded(of_model), wrt=f"m.{name}")(Model(X * 2, 1.5), X)
        if name == "weights":
            near(wanted, central(lambda w: of_model(Model(w, 1.5), X), at))
        else:
            up, down = (of_model(Model(X * 2, at + s * H), X) for s in (1, -1))
            near(wanted, (up - down) / (2 * H))
    a, out = X.copy(), np.zeros(3)
    _, back = ad.vjp(ad.recorded(in_place, on_overwrite="save"), a, out, wrt="x")
    g = back(1.0, final={"out": np.ones(3)})[0]

    def both(x):
        x, o = x.copy(), np.zeros(3)
        return in_place(x, o) + np.sum(o)

    near(g, central(both))
    plain, plain_out = X.copy(), np.zeros(3)
    in_place(plain, plain_out)
    assert np.array_equal(a, plain) and np.array_equal(out, plain_out)


def cubed(v):
    return v * v * v


ad.rule(cubed, v="3 * v**2 * y_bar", v_dot="3 * v**2 * dot")


def halved(v):
    return v * 0.5


@ad.rule(halved)
def _halved_back(y_bar, v):
    return 2.0 * y_bar  # which is another slope than that of the function


LIMIT = ad.constant(lambda v: float(np.floor(np.max(v))) + 1.0)


def with_rules(x):
    queue = Queue([cubed(v) for v in x])
    return sum(queue) * LIMIT(x) + np.sum(halved(x)) + queue.turn() * ad.stop_gradient(x[0])


def test_rules_constants_and_stops() -> None:
    stopped = X[0]

    def frozen(x):
        queue = Queue([v**3 for v in x])
        return sum(queue) * 2.0 + 2.0 * np.sum(x) + queue.turn() * stopped

    near(ad.grad(ad.recorded(with_rules))(X), central(frozen))


def test_threads() -> None:
    functions = [*RECORDED, ad.recorded(lambda x: by_a_queue(x) * x[0])]
    wanted = [ad.grad(f)(X) for f in functions]
    found: dict[int, Any] = {}

    def run(k: int) -> None:
        f = functions[k % 3]
        found[k] = [ad.grad(f)(X), ad.jvp(f, (X,), (X,))[1], ad.hvp(f, (X,), (X,))]

    threads = [threading.Thread(target=run, args=(k,)) for k in range(9)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for k in range(9):
        near(found[k][0], wanted[k % 3], 1e-12)
        near(found[k][1], wanted[k % 3] @ X, 1e-12)
        near(found[k][2], central(ad.grad(functions[k % 3])) @ X)


@pytest.mark.parametrize("f", RECORDED)
def test_pickled(f: Any) -> None:
    for g in (ad.grad(f), ad.hessian(f)):
        before = g(X)
        near(pickle.loads(pickle.dumps(g))(X), before, 1e-12)


def long_chain(x, block, n):
    queue = Queue([x])
    for _ in range(n):
        queue.append(block(queue.popleft()))
    return np.sum(queue[0])


def one_block(v):
    for k in range(20):
        v = np.sin(v) * (1.0 + 0.01 * k)
    return v


def test_a_checkpoint_saves_memory() -> None:
    x = np.linspace(0.1, 1.0, 20_000)
    peaks, found = [], []
    for block in (one_block, ad.checkpoint(one_block)):
        tracemalloc.start()
        found.append(ad.grad(ad.recorded(long_chain))(x, block, 10))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    near(*found, 1e-12)
    assert peaks[1] < 0.4 * peaks[0]


SCALE = np.ones(3)


def scaled(v):
    return np.sin(v) * SCALE


def changed_before_the_pullback(x):
    queue = Queue([ad.checkpoint(scaled)(x)])
    SCALE[:] = SCALE * 2.0
    return np.sum(queue[0] * x)


def test_what_a_checkpoint_reads_may_be_overwritten_later() -> None:
    def run(x):
        SCALE[:] = 1.0
        return changed_before_the_pullback(x)

    wanted = central(run)
    SCALE[:] = 1.0
    f = ad.recorded(changed_before_the_pullback, on_overwrite="save")
    near(ad.grad(f)(X), wanted)
