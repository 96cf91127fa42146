"""Special methods that C code calls: what they compute, and keep, carries its derivative."""

from __future__ import annotations

import bisect
import contextlib
import heapq
import logging
import queue

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 1.3, 0.4, 0.9])


class Task:
    """Its cost is computed when it is first asked for."""

    def __init__(self, w):
        self.w, self.c = w, None

    def cost(self):
        if self.c is None:
            self.c = np.sum(self.w**2)
        return self.c

    def __lt__(self, other):
        return self.cost() < other.cost()

    def __eq__(self, other):
        return isinstance(other, Task) and bool(self.cost() == other.cost())

    def __hash__(self):
        return int(self.cost() * 0)

    def __str__(self):
        return f"{self.cost():.3f}"

    def __bool__(self):
        return bool(self.cost() > 0)

    @property
    def price(self):
        return self.cost()

    def __index__(self):
        return int(self.cost() * 0)


class Dual:
    def __init__(self, v):
        self.v = v

    def __add__(self, other):
        return Dual(np.array([self.v, other.v if isinstance(other, Dual) else other]).sum())

    def __mul__(self, other):
        return self.v * (other.v if isinstance(other, Dual) else other)

    __radd__, __rmul__ = __add__, __mul__

    def sqrt(self):
        return Dual(np.sqrt(self.v))


def asked(x, ask):
    tasks = [Task(x[:2]), Task(x[1:3]), Task(x[2:])]
    ask(tasks)
    return sum(t.c * (i + 1.0) for i, t in enumerate(tasks) if t.c is not None)


def heap_of_pairs(tasks):
    heap = []
    for t in tasks:
        heapq.heappush(heap, (0, t))


def by_priority(tasks):
    waiting = queue.PriorityQueue()
    for t in tasks:
        waiting.put(t)


def inserted(tasks):
    found = []
    for t in tasks:
        bisect.insort(found, t)


ASKING = {
    "in a list": lambda tasks: tasks[2] in tasks[:2],
    "lists": lambda tasks: tasks == [Task(t.w) for t in tasks],
    "dict": lambda tasks: dict.fromkeys(tasks, 1)[tasks[1]],
    "set": lambda tasks: {*tasks},
    "map": lambda tasks: ",".join(map(str, tasks)),
    "filter": lambda tasks: list(filter(None, tasks)),
    "index": lambda tasks: [0.0, 1.0][tasks[0]],
    "merge": lambda tasks: list(heapq.merge(*[[t] for t in tasks])),
    "sorted pairs": lambda tasks: sorted((0, t) for t in tasks),
    "format": lambda tasks: f"{tasks[0].price} {tasks[1:][0].price}",
    "heap": heap_of_pairs, "queue": by_priority, "insort": inserted,
}  # fmt: skip


@pytest.mark.parametrize("ask", ASKING)
@pytest.mark.parametrize("how", ["record", "always"])
def test_what_special_methods_keep(ask, how):
    own = dict(vars(Task))
    check_grads(lambda x: asked(x, ASKING[ask]), (X,), on_unfollowed=how)
    assert dict(vars(Task)) == own


def arrays_of_objects(x):
    a = np.array([Dual(v) for v in x], dtype=object)
    products = x * a + a * 2.0
    return (a + a)[1].v * np.sqrt(a)[2].v + np.sum(a).v * products[3] + np.add.reduce(a).v


def arrays_in_an_array(x):
    a = np.empty(2, object)
    a[:] = [x[0], x[1:]]
    return a[0] * x[2] * a[1].sum() + (a[1] * a[0]).sum()


@pytest.mark.parametrize("f", [arrays_of_objects, arrays_in_an_array])
def test_arrays_of_objects(f):
    check_grads(ad.recorded(f), (X,))


HELD: list[object] = [None]
LOGGER = logging.getLogger("adtrans.tests.called_by_c")


class File:
    def __init__(self):
        self.sizes = []

    def write(self, text):
        self.sizes.append(np.sum(HELD[0] ** 2))
        return len(text)


def printed(x):
    HELD[0], file = x * 2.0, File()
    print("a", file=file)
    with contextlib.redirect_stdout(file):
        print("b", x[0])
    return sum(file.sizes)


def logged(x):
    HELD[0], sizes = x * 2.0, []

    def of_function(record):
        sizes.append(np.prod(HELD[0]))
        return True

    class Filter(logging.Filter):
        def filter(self, record):
            sizes.append(np.sum(np.sin(HELD[0])))
            return True

    LOGGER.propagate, LOGGER.handlers = False, [logging.NullHandler()]
    LOGGER.filters = [of_function, Filter()]
    LOGGER.warning("a")
    LOGGER.warning("%s", x)
    return sizes[0] * sizes[1] + sum(sizes)


@pytest.mark.parametrize("f", [printed, logged])
def test_what_is_called_back_reads_what_varies_elsewhere(f):
    check_grads(ad.recorded(f), (X,))


def test_a_class_has_its_own_methods_again_after_an_error():
    own = dict(vars(Task))

    def fails(x):
        asked(x, ASKING["set"])
        assert vars(Task)["__hash__"] is not own["__hash__"]
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        ad.grad(ad.recorded(fails))(X)
    assert dict(vars(Task)) == own
    inner = ad.grad(ad.recorded(lambda x: asked(x, ASKING["set"])))
    check_grads(ad.recorded(lambda x: asked(x, heap_of_pairs) * inner(x)[1]), (X,))
    assert dict(vars(Task)) == own
