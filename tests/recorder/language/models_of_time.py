"""Whole small programs, as they are written."""

from __future__ import annotations

import collections
import heapq
import itertools
import math
import random

import numpy as np

from tests.recorder.language.judge import program, world


@program()
def event_queue(x):
    class Event:
        counter = itertools.count()

        def __init__(self, when, what):
            self.when, self.what, self.n = when, what, next(self.counter)

        def __lt__(self, o):
            return (self.when, self.n) < (o.when, o.n)

    class Sim:
        def __init__(self):
            self.q, self.now, self.total = [], 0.0, 0.0

        def at(self, dt, what):
            heapq.heappush(self.q, Event(self.now + dt, what))

        def run(self, until):
            while self.q:
                e = heapq.heappop(self.q)
                if e.when > until:
                    break
                self.now = e.when
                e.what(self)

    def arrive(s):
        s.total += s.now * x[0]
        s.at(x[1], arrive)

    def leave(s):
        s.total -= 0.1 * s.now**2
        s.at(x[2], leave)

    s = Sim()
    s.at(x[3], arrive)
    s.at(0.2, leave)
    s.run(5.0)
    return s.total


@program()
def dijkstra(x):
    g = {0: {1: x[0], 2: x[1]}, 1: {3: x[2]}, 2: {1: 0.1, 3: x[3]}, 3: {}}
    dist, q = {0: 0.0}, [(0.0, 0)]
    while q:
        d, n = heapq.heappop(q)
        if d > dist.get(n, math.inf):
            continue
        for m, w in g[n].items():
            if d + w * w < dist.get(m, float("inf")):
                dist[m] = d + w * w
                heapq.heappush(q, (dist[m], m))
    return sum(dist.values())


@program()
def particles_and_springs(x):
    class Body:
        def __init__(self, pos, mass):
            self.pos, self.vel, self.mass = np.array(pos), np.zeros(2), mass
            self.force = np.zeros(2)

        def push(self, f):
            self.force += f

        def step(self, dt):
            self.vel += dt * self.force / self.mass
            self.pos += dt * self.vel
            self.force[:] = 0.0

    bodies = [Body([0.0, x[0]], x[1]), Body([1.0, 0.0], 1.0), Body([x[2], 1.0], x[3])]
    for _ in range(3):
        for a, b in itertools.combinations(bodies, 2):
            d = b.pos - a.pos
            f = (np.sqrt(d @ d) - 0.5) * d
            a.push(f)
            b.push(-f)
        for b in bodies:
            b.step(0.1)
    return sum(b.mass * (b.vel @ b.vel) + b.pos[0] for b in bodies)


@program()
def finite_state_machine(x):
    class Machine:
        def __init__(self):
            self.state, self.heat, self.table = "idle", x[0], {"idle": self.idle, "hot": self.hot}

        def idle(self, u):
            self.heat += u
            return "hot" if self.heat > 1.5 else "idle"

        def hot(self, u):
            self.heat *= 0.5 * u
            return "idle" if self.heat < 0.6 else "hot"

        def feed(self, u):
            self.state = self.table[self.state](u)

    m = Machine()
    for u in [*x, *x[::-1]]:
        m.feed(u)
    return m.heat


@program()
def neighbours_in_cells(x):
    pos = [(v * 3, v * v) for v in x]
    cells = collections.defaultdict(list)
    for k, (a, b) in enumerate(pos):
        cells[int(a), int(b)].append(k)
    t = 0.0
    for (i, j), here in cells.items():
        for di, dj in itertools.product((-1, 0, 1), repeat=2):
            for k in here:
                for m in cells.get((i + di, j + dj), ()):
                    if k < m:
                        t += (pos[k][0] - pos[m][0]) ** 2 + pos[k][1] * pos[m][1]
    return t


@program()
def random_walks(x):
    r = random.Random(3)
    t = x[0]
    for _ in range(5):
        t += r.gauss(0.0, 1.0) * x[1] + r.random() * x[2] + r.uniform(0, 1)
        t *= r.choice([0.9, 1.1])
    items = list(x)
    r.shuffle(items)
    rng = np.random.default_rng(1)
    return t * items[0] + rng.normal() * x[3] + np.sum(rng.normal(size=4) * x) + r.choice(items)


@program()
def kalman_objects(x):
    class State:
        def __init__(self, m, p):
            self.m, self.p = m, p

        def predict(self, f, q):
            return State(f @ self.m, f @ self.p @ f.T + q)

        def update(self, z, h, r):
            s = h @ self.p @ h + r
            k = self.p @ h / s
            return State(self.m + k * (z - h @ self.m), self.p - np.outer(k, h @ self.p))

    f = np.array([[1.0, x[0]], [0.0, x[1]]])
    s = State(np.array([0.0, x[2]]), np.eye(2))
    for z in [1.0, 0.5, 0.7]:
        s = s.predict(f, 0.1 * np.eye(2)).update(z, np.array([1.0, 0.0]), x[3])
    return s.m @ s.m + np.trace(s.p)


@world()
def optimizer_with_history():
    class Adam:
        def __init__(self, lr):
            self.lr, self.m, self.v, self.t = lr, {}, {}, 0
            self.history = []

        def step(self, params, grads):
            self.t += 1
            for k, g in grads.items():
                self.m[k] = 0.9 * self.m.get(k, 0.0) + 0.1 * g
                self.v[k] = 0.99 * self.v.get(k, 0.0) + 0.01 * g * g
                params[k] = params[k] - self.lr * self.m[k] / (np.sqrt(self.v[k]) + 1e-3)
            self.history.append(dict(params))

    opt = Adam(0.1)

    def f(x):
        p = {"a": x[:2], "b": x[2]}
        for _ in range(3):
            opt.step(p, {"a": 2 * p["a"] * p["b"], "b": p["b"] ** 2 + x[3]})
        return np.sum(p["a"]) * p["b"] + opt.history[0]["b"]

    return f, [opt]
