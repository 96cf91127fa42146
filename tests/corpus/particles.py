"""Objects in lists that hold arrays, which are written in place: particles, layers, trees."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, later, vec

CASES = Programs("particles")


class Particle:
    def __init__(self, pos, vel):
        self.pos = pos
        self.vel = vel

    def step(self, dt):
        self.vel -= dt * self.pos
        self.pos += dt * self.vel

    def energy(self):
        return 0.5 * np.sum(self.vel**2) + 0.5 * np.sum(self.pos**2)


class Walker:
    def __init__(self, pos):
        self.pos = pos
        self.trail = []
        self.last = {}

    def move(self, d):
        self.trail.append(self.pos.copy())
        self.pos += d
        self.last["move"] = d[1]


class Layer:
    def __init__(self, w, b):
        self.w = w
        self.b = b
        self.out = None

    def forward(self, h):
        self.out = np.tanh(self.w * h + self.b)
        return self.out

    def nudge(self, d):
        self.w -= d
        self.b[:] = 0.5 * self.b


class Tree:
    def __init__(self, value):
        self.value = value
        self.kids = []

    def add(self, kid):
        self.kids.append(kid)
        return kid

    def push(self, f):
        self.value += f
        for kid in self.kids:
            kid.push(0.5 * self.value)

    def total(self):
        s = np.sum(self.value**2)
        for kid in self.kids:
            s += kid.total()
        return s


class Grid:
    def __init__(self, u):
        self.u = np.zeros(len(u))
        self.u[:] = u
        self.new = np.zeros_like(self.u)
        self.history = []

    def smooth(self):
        self.new[1:-1] = 0.5 * (self.u[2:] + self.u[:-2])
        self.u, self.new = self.new, self.u
        self.history.append(self.u.copy())


@CASES.add(vec(4), 3)
def moved_in_place(x, n):
    ps = [Particle(x * (k + 1), x * x) for k in range(n)]
    for p in ps:
        p.pos += 0.1 * p.vel
    return sum(np.sum(p.pos**2) for p in ps)


@CASES.add(vec(4), 3)
def stepped(x, n):
    ps = [Particle(x * k, x * x) for k in range(n)]
    for _ in range(3):
        for p in ps:
            p.step(0.1)
    return sum(p.energy() for p in ps)


@CASES.refused(vec(4), 3)
def used_and_moved_on(x, n):
    ps = []
    for k in range(n):
        ps.append(Particle(x * (k + 1), x * x))
    for _ in range(2):
        for p in ps:
            p.vel -= 0.1 * p.pos
            p.pos += 0.1 * p.vel * p.vel
    return sum(np.sum(p.pos**2) for p in ps)


@CASES.add(vec(4), 3)
def in_pairs(x, n):
    ps = [Particle(x * (k + 1), np.zeros(4)) for k in range(n)]
    for i, p in enumerate(ps):
        for q in ps[i + 1 :]:
            d = q.pos - p.pos
            f = d / (np.sum(d * d) + 1.0)
            p.vel += f
            q.vel -= f
    for p in ps:
        p.pos += p.vel
    return sum(p.energy() for p in ps)


@CASES.add(vec(4), 3)
def one_array_in_all_of_them(x, n):
    common = x * x
    ps = [Particle(common, x * k) for k in range(n)]
    for p in ps:
        p.pos += 0.1 * p.vel
    return sum(np.sum(p.pos) for p in ps) * np.sum(common)


@CASES.add(vec(4), 3)
def the_position_of_one_is_the_velocity_of_another(x, n):
    ps = [Particle(x * k, x * x) for k in range(n)]
    for i in range(n - 1):
        ps[i + 1].vel = ps[i].pos
    for p in ps:
        p.vel[1:] += p.pos[:-1]
    return sum(np.sum(p.pos * p.vel) for p in ps)


@CASES.add(vec(4), 3)
def rows_of_one_array(x, n):
    state = np.outer(np.arange(1.0, n + 1), x)
    ps = [Particle(state[k], x * x) for k in range(n)]
    for p in ps:
        p.step(0.1)
    state[0] += state[1]
    for p in ps:
        p.step(0.1)
    return np.sum(state**2) + ps[-1].energy()


@CASES.refused(vec(4), 2, code="ok/AD301/AD303/checked")
def chosen_and_exchanged(x, n):
    ps = [Particle(x * (k + 1), x * x) for k in range(n)]
    for i, p in enumerate(ps):
        p.pos, p.vel = p.vel, p.pos
        q = ps[0] if i else ps[-1]
        q.vel[i] = p.pos[0]
    return sum(np.sum(p.pos) + np.sum(p.vel) for p in ps)


@CASES.add(vec(4), 3)
def taken_out_and_put_in(x, n):
    ps = [Particle(x * (k + 1), x * x) for k in range(n)]
    dead = ps.pop(0)
    dead.pos[:] = 1.0
    ps.append(Particle(dead.pos, dead.vel))
    for p in ps:
        p.pos += p.vel
    return sum(p.energy() for p in ps)


@CASES.add(vec(4), 3)
def what_a_list_of_each_holds(x, n):
    walkers = [Walker(x * (k + 1)) for k in range(n)]
    for t in range(2):
        for w in walkers:
            w.move(0.1 * x * t)
    return sum(np.sum(w.pos * w.trail[0]) * w.last["move"] for w in walkers)


@CASES.add(vec(4), 3)
def a_list_of_each_under_another_name(x, n):
    walkers = [Walker(x * (k + 1)) for k in range(n)]
    for t in range(2):
        for w in walkers:
            trail = w.trail
            trail.append(w.pos * x[t])
    return sum(np.sum(w.pos * w.trail[1]) for w in walkers)


@CASES.refused(vec(4), 3)
def layers(x, n):
    stack = [Layer(x * (k + 1), x * 0.1) for k in range(n)]
    h = x
    for layer in stack:
        h = layer.forward(h)
    for layer in stack:
        layer.nudge(0.1 * layer.out)
    for layer in stack:
        h = layer.forward(h)
    return np.sum(h)


@CASES.add(vec(4), 3)
def tree(x, n):
    root = Tree(x * 1.0)
    last = root
    for k in range(n):
        last = last.add(Tree(x * k))
        root.add(Tree(x * x))
    root.push(x)
    return root.total()


@CASES.add(vec(4), 3)
def grids_that_swap_their_buffers(x, n):
    grids = [Grid(x * (k + 1)) for k in range(n)]
    for _ in range(2):
        for g in grids:
            g.smooth()
    return sum(np.sum(g.u**2) + np.sum(g.history[0]) for g in grids)


def kick(d, k, v):
    t = d[k]
    t += v


def kick_behind(v, d, k):
    t = d[k]
    t += v


@CASES.add(vec(4), 3)
def written_by_a_function_that_gets_the_dictionary(x, n):
    d = {}
    for k in range(n):
        d[k] = x * (k + 1)
    for k in range(n):
        kick(d, k, 0.1 * x)
    return sum(np.sum(d[k] * d[k]) for k in range(n))


@CASES.add(vec(4), 3)
def in_two_dictionaries(x, n):
    d, e = {}, {}
    for k in range(n):
        d[k] = x * (k + 1)
        e[k] = d[k]
    for k in range(n):
        kick(d, k, 0.1 * e[k])
        kick_behind(0.1 * x, e, k)
    return sum(np.sum(d[k] * e[k]) for k in range(n))


@CASES.add(vec(4), 4)
def deleted_by_its_place(x, n):
    ps = [Particle(x * (k + 1), x * x) for k in range(n)]
    p = ps[1]
    del ps[1]
    p.pos += ps[0].pos
    ps.append(p)
    return sum(np.sum(p.pos**2) for p in ps)


@CASES.add(vec(4), 4)
def removed(x, n):
    ps = [Particle(x * (k + 1), x * x) for k in range(n)]
    p = ps[2]
    ps.remove(p)
    p.pos *= 2.0
    for q in ps:
        q.pos += p.pos
    i = ps.index(ps[1])
    return sum(np.sum(p.pos**2) * i for p in ps)


class Equal(Particle):
    def __eq__(self, other):
        self.pos[:] = 0.0
        return self is other


@CASES.add(vec(4), 4, **later("AD201/AD207/AD401"))
def removed_by_a_comparison_that_writes(x, n):
    ps = [Equal(x * (k + 1), x * x) for k in range(n)]
    p = Equal(x, x)
    ps.append(p)
    ps.remove(p)
    return sum(np.sum(p.pos**2) for p in ps)


@CASES.add(vec(4), 4)
def the_largest_and_the_others(x, n):
    ps = [Particle(x * (k + 1), x * x) for k in range(n)]
    best = ps[0]
    for p in ps:
        if p.pos[0] > best.pos[0]:
            best = p
    for p in ps:
        if p is not best:
            p.pos += 0.1 * best.pos
    return sum(np.sum(p.pos**2) for p in ps)


class Bag:
    def __init__(self):
        self.items = []


@CASES.add(vec(4), 3)
def numbers_in_place_of_all_that_a_list_holds(x, n):
    bags = [Bag() for _ in range(n)]
    for i, b in enumerate(bags):
        b.items[:] = [x[0] * i, x[1]]
    return sum(b.items[0] * b.items[1] for b in bags)


@CASES.add(vec(4), 3, **later("AD401"))
def lists_of_numbers_in_a_list(x, n):
    bags = [Bag() for _ in range(n)]
    for i, b in enumerate(bags):
        b.items[:] = [[x[0] * i], [x[1]]]
    return sum(b.items[0][0] * b.items[1][0] for b in bags)


@CASES.add(vec(4), 3)
def filled_by_a_function_that_gets_the_list(x, n):
    bags = [Bag() for _ in range(n)]
    for i, b in enumerate(bags):
        filled(b.items, x * i)
    return sum(np.sum(b.items[0] * x) for b in bags)


def filled(items, v):
    items.append(v)


@CASES.refused(vec(4), 4)
def deleted_from_the_beginning(x, n):
    ps = [Particle(x * (k + 1), x * x) for k in range(n)]
    p = ps[0]
    del ps[:2]
    p.pos *= ps[0].pos
    return sum(np.sum(p.pos**2) for p in ps) + np.sum(p.pos)
