"""Objects: attributes read, assigned and updated, methods, properties, operators, new objects."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np

from tests.corpus.model import Case, Programs, vec

CASES = Programs("objects")


class Cell:
    """A number, an array, and a few methods."""

    rate = 0.5

    def __init__(self, v=1.5):
        self.v = v
        self.a = np.linspace(0.5, 1.5, 3)
        self.n = 0

    def add(self, t):
        self.v += t * self.rate
        self.n += 1

    def scaled(self, t):
        return self.v * t

    @property
    def double(self):
        return 2.0 * self.v

    @double.setter
    def double(self, d):
        self.v = 0.5 * d

    @staticmethod
    def square(t):
        return t * t

    def grow(self, k):
        if k > 0:
            self.v = self.square(self.v)
            self.grow(k - 1)
        return self

    def relax(self, b):
        self.a[1:] += b * self.a[:-1]
        self.a *= 1.5

    def __call__(self, t):
        return np.sum(self.a * t)


# Attributes of an argument


@CASES.add(vec(3), Cell(), row="37")
def attribute_assigned(x, c):
    c.v = x[0] * x[1]
    return c.v * c.v + x[2]


@CASES.add(vec(3), Cell(), row="37")
def attribute_assigned_an_array(x, c):
    c.a = x * x
    y = c.a * x
    c.a = y
    return np.sum(c.a * y)


@CASES.add(vec(3), Cell(), row="37")
def element_of_an_attribute_written(x, c):
    c.a[0] = x[0] * x[1]
    c.a[2] = c.a[0] * x[2]
    return np.sum(c.a)


@CASES.add(vec(3), Cell(), row="37", verdicts={"c.a[i] +=": "safe"})
def elements_of_an_attribute_updated(x, c):
    for i in range(3):
        c.a[i] += x[i] ** 2
    return np.sum(c.a * x)


@CASES.refused(vec(3), Cell(), row="37")
def attribute_overwritten_while_needed(x, c):
    c.a = x * 2.0
    s = np.sum(c.a * c.a)
    c.a[0] = x[1]
    return s + np.sum(c.a)


@CASES.refused(vec(3), Cell(), row="37")
def attribute_overwritten_under_another_name(x, c):
    c.a = x * 2.0
    y = c.a
    s = np.sum(y * y)
    c.a[1:] = x[:-1]
    return s + np.sum(y)


@CASES.add(vec(3), Cell(), row="37")
def number_updated(x, c):
    for i in range(3):
        c.v += x[i] * c.v
    return c.v


@CASES.add(vec(3), Cell(), row="37")
def array_updated_in_place(x, c):
    y = c.a
    c.a += x
    c.a *= 2.0
    return np.sum(y * x)


@CASES.add(vec(3), Cell(), row="37")
def assigned_in_a_branch(x, c):
    if x[0] > 0.5:
        c.v = x[1]
    for i in range(3):
        if i != 1:
            c.v = c.v * x[i]
    return c.v + c.n


@CASES.add(vec(3), Cell(), row="37")
def swapped_attributes(x, c):
    c.v, c.w = x[0], x[1]
    c.v, c.w = c.w * x[2], c.v
    return c.v - 2.0 * c.w


@CASES.add(vec(3), Cell())
def methods_that_assign(x, c):
    c.add(x[0])
    c.v = c.v * x[1]
    c.add(c.scaled(x[2]))
    return c.scaled(x[2]) * c.n


@CASES.add(vec(3), Cell())
def property_read_and_set(x, c):
    c.v = x[0]
    c.double = c.double * x[1]
    return c.double + c.v * x[2]


@CASES.add(vec(3), Cell())
def method_that_recurs(x, c):
    c.v = x[0]
    return c.grow(2).v * x[1]


@CASES.add(vec(3), Cell())
def method_that_writes_arrays(x, c):
    c.a = x * 1.0
    for _ in range(3):
        c.relax(0.1)
    return c(x)


# Objects made inside


@CASES.add(vec(4))
def object_made_inside(x):
    c = Cell(x[0])
    c.add(x[1])
    c.add(x[2] * c.v)
    return c.scaled(x[3]) + c.n


@CASES.add(vec(4))
def objects_made_in_a_loop(x):
    s = 0.0
    for i in range(3):
        c = Cell(x[i])
        c.add(x[i + 1])
        s = s + c.v * c.double
    return s


class Field:
    def __init__(self, n, level):
        self.u = np.zeros(n)
        self.level = level

    def put(self, i, v):
        self.u[i] = v

    def step(self, dt):
        self.u[1:] += dt * self.u[:-1] * self.level
        self.level = self.level * (1.0 + dt)


@CASES.add(vec(4))
def field_made_inside(x):
    f = Field(4, x[0])
    for i in range(4):
        f.put(i, x[i])
    for _ in range(3):
        f.step(0.1)
    return np.sum(f.u * x)


class Vector:
    """Made anew by each operation."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __getitem__(self, i):
        return self.x if i == 0 else self.y

    def __iadd__(self, other):
        self.x += other.x
        self.y += other.y
        return self


@CASES.add(vec(4))
def operators(x):
    a, b = Vector(x[0], x[1]), Vector(x[2], x[3])
    c = a * x[0] + -b + 2.0 * a
    return c @ b * c[0] + c[1]


@CASES.add(vec(4))
def accumulates_objects(x):
    total = Vector(0.0, 1.0)
    for i in range(3):
        total = total + Vector(x[i], x[i + 1]) * x[0]
    return total @ total


@CASES.add(vec(4))
def updated_operator(x):
    total = Vector(x[0], x[1])
    for i in range(3):
        total += Vector(x[i], total.x)
    return total @ total


class Base:
    def __init__(self, v):
        self.v = v

    def value(self, t):
        return self.v * t

    def twice(self, t):
        return self.value(t) * self.value(t)


class Derived(Base):
    def __init__(self, v, w):
        Base.__init__(self, v)
        self.w = w

    def value(self, t):
        return Base.value(self, t) + self.w


@CASES.add(vec(3))
def inheritance(x):
    d, b = Derived(x[0], x[1]), Base(x[2])
    return d.twice(x[2]) + b.twice(x[1]) * d.v


class Third(Derived):
    def __init__(self, v, w, k):
        super().__init__(v, w)
        self.k = k

    def value(self, t):
        return super().value(t * self.k) + self.w * t


class Fourth(Base):
    def twice(self, t):
        return super().value(t) * super().twice(t)


@CASES.add(vec(3))
def inheritance_by_super(x):
    d, b = Third(x[0], x[1], x[2]), Fourth(x[1])
    return d.twice(x[2]) * b.twice(x[0]) + d.k


@dataclass
class Point:
    x: float
    y: float = 2.0

    def norm(self):
        return self.x * self.x + self.y * self.y


@dataclass
class Segment:
    start: Point
    end: Point
    weight: float = 1.0

    def __post_init__(self):
        self.length = (self.end.x - self.start.x) ** 2 + self.start.y

    def cost(self):
        return self.weight * self.length * self.end.norm()


@CASES.add(vec(3))
def dataclasses_made_inside(x):
    s = Segment(Point(x[0], x[1]), Point(y=x[2], x=x[0] * x[2]), weight=x[1])
    s.start.x = s.cost() * x[0]
    return s.cost() + s.start.norm()


@CASES.add(vec(3), Segment(Point(1.0), Point(2.0, 3.0)))
def objects_in_objects(x, s):
    s.end.x = s.start.x * x[0]
    p = s.end
    p.y = p.x * x[1]
    return s.cost() * x[2]


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b

    def swap(self):
        self.a, self.b = self.b, self.a


@CASES.add(vec(3), Slotted(1.0, 2.0))
def slots(x, s):
    s.a = x[0] * s.b
    s.swap()
    s.a *= x[1]
    t = Slotted(s.a, x[2])
    t.swap()
    return t.a * s.b + t.b


def _make(v, k):
    c = Cell(v)
    c.add(k)
    return c


@CASES.add(vec(3))
def object_made_by_a_function(x):
    c = _make(x[0], x[1])
    d = _make(c.v, x[2])
    d.add(c.v)
    return d.v * c.v


def _shift(c, t):
    c.v = c.v * t
    c.a[0] = c.v


@CASES.add(vec(3), Cell())
def object_passed_on(x, c):
    _shift(c, x[0])
    _shift(c, x[1])
    return c.v * c.a[0] * x[2]


class Counter:
    total = 0.0


COUNTER = Counter()
STATE = Cell()


@CASES.add(vec(3), row="37/41")
def global_object_assigned(x):
    COUNTER.total = x[0] * x[1]
    return COUNTER.total * x[2]


def _remember(v):
    STATE.v = v * v


@CASES.add(vec(3), row="37/41")
def global_object_assigned_by_a_function(x):
    _remember(x[0])
    y = STATE.scaled(x[1])
    _remember(1.2247448713915892)
    return y * x[2]


class Kalman:
    """Predict and update, as they are written."""

    def __init__(self, q, r):
        self.x = np.zeros(2)
        self.P = np.eye(2)
        self.F = np.array([[1.0, 0.1], [0.0, 1.0]])
        self.H = np.array([[1.0, 0.0]])
        self.Q = q * np.eye(2)
        self.R = r

    def predict(self):
        self.x = self.F @ self.x
        self.P = self.F @ self.P @ self.F.T + self.Q

    def update(self, z):
        y = z - self.H @ self.x
        S = self.H @ self.P @ self.H.T + self.R
        K = self.P @ self.H.T / S
        self.x = self.x + K[:, 0] * y[0]
        self.P = self.P - K @ self.H @ self.P
        return y[0] * y[0] / S[0, 0] + np.log(S[0, 0])


@CASES.add(vec(2), vec(5), wrt=(0, 1))
def kalman_filter(theta, z):
    k = Kalman(theta[0], theta[1])
    loss = 0.0
    for i in range(5):
        k.predict()
        loss += k.update(z[i])
    return loss


# What is not followed


@CASES.add(vec(3), Cell())
def stored_in_a_list(x, c):
    c.v = x[0]
    held = [c, c]
    return held[0].v * x[1]


@CASES.add(vec(3), Cell(), Cell(2.0))
def one_of_two(x, c, d):
    e = c if x[0] > 0.5 else d
    e.v = x[0] * x[1]
    return c.v * d.v


@CASES.add(vec(3))
def made_while_another_is_in_use(x):
    last = Cell(1.0)
    s = 0.0
    for i in range(3):
        c = Cell(x[i])
        s = s + last.v * c.v
        last = c
    return s


@CASES.add(vec(3), Cell())
def copied_object(x, c):
    c.v = x[0]
    d = copy.copy(c)
    d.v = d.v * x[1]
    return c.v * d.v


@CASES.never(vec(3), Cell(), code="AD201/AD207/AD401")
def attribute_deleted(x, c):
    c.v = x[0]
    del c.v
    return c.rate * x[1]


class Listing:
    def __init__(self, a):
        self.a = a
        self.items = [a * a]

    def put(self, v):
        self.items.append(v)
        return v * v

    def take(self):
        return self.items.pop()


@CASES.add(vec(3))
def list_made_by_an_object(x):
    o = Listing(x[0])
    o.items[0] *= x[2]
    o.items.append(x[1] * o.a)
    return sum(o.items)


@CASES.add(vec(3))
def list_read_before_a_method_shortens_it(x):
    o = Listing(x[0])
    o.put(x[1])
    first = o.items[0]
    last = o.take()
    return first * last * o.items[-1]


@CASES.add(vec(3))
def list_read_before_a_method_extends_it(x):
    o = Listing(x[0])
    s = o.put(x[1]) * o.items[0]
    o.put(s)
    return sum(o.items)


@CASES.add(vec(3), Cell())
def attribute_by_name(x, c):
    setattr(c, "v", x[0])
    return c.v * x[1]


@CASES.add(vec(3), Cell())
def dictionary_of_attributes(x, c):
    c.v = x[0]
    return c.__dict__["v"] * x[1]


@CASES.add(vec(3), Cell())
def changed_before_an_exception(x, c):
    try:
        c.add(x[0])
        c.add(int("no"))
    except ValueError:
        pass
    return c.v * x[1]


def _assign_first(x, c, d):
    c.v = x[0]
    return c.v * d.v


CASES.append(
    Case(
        "objects-one_object_twice",
        "objects",
        _assign_first,
        (vec(3), SHARED := Cell(), SHARED),
        default="MutationError",
        save="MutationError",
    )
)


class _Controller:
    """Proportional, integral and derivative; nothing to differ from at first."""

    def __init__(self, kp, ki, kd):
        self.kp, self.ki, self.kd = kp, ki, kd
        self.integral, self.before = 0.0, None

    def __call__(self, error, dt):
        self.integral += error * dt
        slope = 0.0 if self.before is None else (error - self.before) / dt
        self.before = error
        return self.kp * error + self.ki * self.integral + self.kd * slope


@CASES.add(2.0, 0.5, wrt=(0, 1))
def controller_from_rest(kp, kd):
    controller = _Controller(kp, 0.3, kd)
    position = speed = cost = 0.0
    for _ in range(6):
        force = controller(1.0 - position, 0.1)
        speed += 0.1 * (force - 0.5 * speed)
        position += 0.1 * speed
        cost += (1.0 - position) ** 2 + 1e-3 * force**2
    return cost


class _Rod:
    """Heat in a rod; remembers what it was."""

    def __init__(self, n, alpha):
        self.alpha = alpha
        self.u = np.zeros(n)
        self.history = []

    def step(self, dt):
        change = np.zeros_like(self.u)
        change[1:-1] = self.u[2:] - 2.0 * self.u[1:-1] + self.u[:-2]
        self.u += self.alpha * dt * change
        self.history.append(self.u.copy())

    def run(self, steps, dt=0.1):
        for _ in range(steps):
            self.step(dt)
        return self


@CASES.add(0.4, vec(5), wrt=(0, 1))
def rod_stepped_twice(alpha, u0):
    rod = _Rod(5, alpha)
    rod.u[:] = u0
    rod.step(0.1)
    rod.step(0.2)
    return np.sum(rod.u**2) * np.sum(rod.history[0])


@CASES.add(0.4, vec(5), wrt=(0, 1))
def rod_with_its_history(alpha, u0):
    rod = _Rod(5, alpha)
    rod.u[:] = u0
    for _ in range(3):
        rod.step(0.1)
    return sum(np.sum(v * v) for v in rod.history) + rod.history[-1][2]


@CASES.add(0.4, vec(5), wrt=(0, 1))
def rod_that_runs_by_itself(alpha, u0):
    rod = _Rod(5, alpha)
    rod.u[:] = u0
    rod.run(3)
    return np.sum(rod.u**2)


def _controlled(controller):
    position = speed = cost = 0.0
    for _ in range(4):
        force = controller(1.0 - position, 0.1)
        speed += 0.1 * (force - 0.5 * speed)
        position += 0.1 * speed
        cost += (1.0 - position) ** 2
    return cost


@CASES.add(vec(3))
def controller_from_an_array(gains):
    return _controlled(_Controller(*gains))


@CASES.add(2.0, 0.5, wrt=(0, 1))
def controller_from_a_tuple(kp, kd):
    rest = (0.3, kd)
    return _controlled(_Controller(kp, *rest))


@CASES.add(vec(4), raises=TypeError)
def controller_from_too_many(gains):
    return _controlled(_Controller(*gains))


# One name for what two objects hold


class Rate:
    def __init__(self, r):
        self.r = r


@CASES.add(vec(3), Rate(3.0), Rate(5.0))
def a_name_for_two_attributes(x, a, b):
    k = a.r
    y = x[0] * x[1] * k
    k = b.r
    z = x[0] * x[2] * k
    return y * z


class Tank:
    def __init__(self, level, grid):
        self.level = level
        self.grid = grid


@CASES.refused(vec(4))
def the_size_of_what_a_constructor_returned(x):
    tank = Tank(x[0], x * 1.0)
    for _ in range(3):
        tank.grid *= 0.5
        for _ in (0, 2, 1):
            x = np.sin(tank.grid)
        try:
            tank.grid * x
        except ValueError:
            tank.grid[:2] = np.sin(x[2:4])
    return tank.level + np.sum(x[1] * tank.grid)


class _Held:
    def __init__(self, a):
        self.a = a


def _grow(pair, v):
    for p in pair:
        p.a = p.a * v
    pair[0].a = pair[1].a * v
    return pair[1]


def _with_its_number(t):
    o, v = t
    o.a = o.a * v
    return o.a + v


@CASES.add(vec(3))
def tuple_of_objects_handed_on(x):
    pair = (_Held(x[0]), _Held(x[1]))
    q = _grow(pair, x[2])
    q.a = q.a * x[0]
    _grow(pair, x[0])
    return pair[0].a * pair[1].a


@CASES.add(vec(3))
def tuple_of_one_object_twice_handed_on(x):
    p = _Held(x[0])
    _grow((p, _Held(x[1]), p), x[2])
    return p.a * x[1]


@CASES.add(vec(3))
def tuple_of_an_object_and_a_number_handed_on(x):
    p = _Held(x[0])
    return _with_its_number((p, x[1])) * _with_its_number((p, x[2])) * p.a


def _both(t):
    t[0].a[0] = 3.0
    t[1][1] *= 2.0


@CASES.add(vec(3))
def tuple_of_an_object_and_the_array_it_holds(x):
    y = x * 2.0
    t = (_Held(y), y)
    _both(t)
    return np.sum(y * t[0].a)
