"""Objects in objects, constructors that call others, closures of one maker."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("holders")


class Box:
    """Holds one thing."""

    def __init__(self, held):
        self.held = held

    def put(self, other):
        self.held = other

    def total(self):
        return np.sum(self.held)

    def tripled(self, other):
        other.held = other.held * 3.0
        return np.sum(self.held.held)

    def doubles(self):
        self.held.held = self.held.held * 2.0


class Weighted(Box):
    """Holds a second thing."""

    def __init__(self, held):
        super().__init__(held)
        self.weight = held * held

    def total(self):
        return super().total() * np.sum(self.weight)


def power(n):
    def raised(v):
        return v**n

    return raised


squared, cubed = power(2), power(3)


@CASES.add(vec(3))
def held_in_another(x):
    b = Box(Box(x * x))
    return np.sum(b.held.held)


@CASES.add(vec(3))
def changed_through_the_holder(x):
    b = Box(x)
    c = Box(b)
    c.doubles()
    b.held = b.held * x
    return np.sum(b.held * c.held.held)


@CASES.add(vec(3))
def second_name(x):
    b = Box(x * x)
    c = b
    c.held = x * b.held
    return np.sum(b.held)


@CASES.add(vec(3))
def made_again_from_itself(x):
    b = Box(x * x)
    for _ in range(3):
        b = Box(b.held * x)
    return np.sum(b.held)


@CASES.never(vec(3), code="AD201")
def reached_in_two_ways(x):
    b = Box(x * x)
    return Box(b).tripled(b)


@CASES.never(vec(3), code="AD201")
def put_and_replaced(x):
    b = Box(x)
    c = Box(1.0)
    c.put(b)
    c.put(Box(x * x))
    c.held.held = x * x * x
    return np.sum(b.held)


@CASES.add(vec(3))
def constructor_of_the_base(x):
    return Weighted(x).total()


@CASES.add(vec(3))
def two_of_one_maker(x):
    return np.sum(squared(x) * cubed(x))


# Containers with known keys: their items are followed one by one.


@CASES.add(vec(3))
def one_array_twice_in_a_list(x):
    a = x * 1.0
    both = [a, a]
    both[0][1] = x[2] * x[0]
    return np.sum(both[1] * x)


@CASES.add(vec(3))
def written_through_its_own_name(x):
    a = x * 1.0
    d = {"a": a}
    a[1] = x[2] * x[0]
    a = a * 2.0
    return np.sum(d["a"] * x * a)


@CASES.add(vec(3))
def item_rebound_and_written(x):
    a = x * 1.0
    d = {"a": a}
    d["a"] = d["a"] * 2.0
    d["a"][0] = 5.0
    return np.sum(a * d["a"])


@CASES.add(vec(3))
def state_in_a_loop(x):
    s = {"position": np.ones(3), "speed": x * x}
    for _ in range(3):
        s["speed"][1:] += -0.1 * s["position"][:-1]
        s["position"] += 0.1 * s["speed"]
    return np.sum(s["position"] * s["speed"])


def advance(state, dt):
    state["speed"][0] = state["position"][1] * dt
    state["energy"] = np.sum(state["speed"] * state["speed"])


@CASES.add(vec(3))
def state_that_a_function_changes(x):
    s = {"position": x * x, "speed": x * 2.0}
    advance(s, x[2])
    return s["energy"] * np.sum(s["speed"] * s["position"])


@CASES.add(vec(3))
def one_dictionary_in_another_twice(x):
    inner = {"v": x * 1.0}
    outer = {"p": inner, "q": inner}
    outer["p"]["v"] = x * x
    return np.sum(outer["q"]["v"])


@CASES.add(vec(3))
def arrays_written_by_a_loop_over_them(x):
    rows = [x * 1.0, x * 2.0]
    for k, row in enumerate(rows):
        row[k] = x[1] * x[2]
    for row, other in zip(rows, [x, x * x]):
        row += 0.1 * other
    return np.sum(rows[0] * rows[1])


@CASES.add(vec(3))
def parameters_updated_by_key(x):
    p = {"w": x * 1.0, "b": x[0] * 1.0}
    for _ in range(2):
        g = {"w": 2.0 * p["w"] * p["b"], "b": np.sum(p["w"])}
        for k in p:
            p[k] = p[k] - 0.01 * g[k]
    return np.sum(p["w"]) * p["b"]


@CASES.add(vec(3))
def objects_in_a_list(x):
    boxes = [Box(x), Box(x * x)]
    s = 0.0
    for b in boxes:
        s += b.total() * np.sum(boxes[1].held)
    return s


class Dense:
    """A layer."""

    def __init__(self, w, b):
        self.w = w
        self.b = b

    def __call__(self, v):
        return np.tanh(self.w * v + self.b)


class Network:
    """Layers one after the other."""

    def __init__(self, x):
        self.layers = [Dense(x[0], x[1]), Dense(x[2], x[0])]

    def __call__(self, v):
        for layer in self.layers:
            v = layer(v)
        return v


@CASES.add(vec(3))
def layers_of_a_network(x):
    return Network(x)(0.3)


@CASES.add(vec(3))
def functions_in_a_tuple(x):
    s = 0.0
    for f in (np.sin, np.cos, np.tanh):
        s += np.sum(f(x))
    return s


class History:
    """Holds a list that others go on with."""

    def __init__(self, x):
        self.seen = [x[0] * x[1]]


@CASES.add(vec(3))
def list_of_an_object_that_grows(x):
    h = History(x)
    h.seen.append(x[2])
    return sum(h.seen) * h.seen[0]


def made_of(x):
    return Box(x * x)


@CASES.never(vec(3), code="AD201")
def lost_after_it_was_made_elsewhere(x):
    found = [made_of(x)]
    if x[0] > 0.0:
        found.append(1.0)
    return found[0].total()


@CASES.add(vec(3))
def filled_behind_the_display(x):
    found = [made_of(x)]
    found.append(1.0)
    return found[0].total()


@CASES.add(vec(3))
def looked_into_by_vars(x):
    return np.sum(vars(made_of(x))["held"])


@CASES.add(vec(3))
def one_of_two_dictionaries(x):
    d, e = {"a": x * 1.0}, {"a": x * x}
    f = d if x[0] > 0.5 else e
    f["a"][0] = x[1]
    return np.sum(d["a"] * e["a"])


# Dataclasses, attributes by name


@dataclass
class Body:
    """Moves."""

    position: np.ndarray
    speed: float = 2.0
    seen: list = field(default_factory=list)

    def __post_init__(self):
        self.start = self.position * 2.0


@dataclass(frozen=True)
class Point:
    """Cannot be changed."""

    at: np.ndarray
    weight: float = 2.0

    def moved(self, h):
        return Point(self.at + h * self.weight, self.weight - h * np.sum(self.at))


@CASES.add(vec(3))
def dataclass_that_is_changed(x):
    b = Body(x * x, x[0])
    b.speed = b.speed * x[1]
    b.position[0] = x[1]
    b.position += 1.0
    b.seen.append(b.speed)
    return np.sum(b.position * b.start) * b.seen[0]


@CASES.add(vec(3))
def frozen_dataclass_in_a_loop(x):
    p = Point(x, x[0])
    for _ in range(3):
        p = p.moved(0.1)
    return np.sum(p.at) * p.weight


@CASES.add(vec(3))
def attribute_given_by_name(x):
    b = Box(1.0)
    r = setattr(b, "held", x * x)  # noqa: B010
    return np.sum(getattr(b, "held")) if r is None else x[0]  # noqa: B009


@CASES.add(vec(4))
def pairs_of_numbers_as_keys(x):
    d = {}
    for i in range(2):
        for j in range(2):
            d[i, j] = x[i] * x[2 + j]
    return d[0, 1] * d[1, 0] * d[1, 1]


def _wave(v, w):
    return np.sin(v) * w


@CASES.refused(mat(3, 4), 0.7, wrt=(0, 1))
def result_under_the_name_of_the_argument(a, w):
    for row in a:
        for _ in range(2):
            row = _wave(row, w)
            a += row * a
    return np.sum(a)
