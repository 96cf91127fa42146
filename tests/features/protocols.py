"""What Python asks of objects by itself: generators, descriptors, metaclasses, containers."""

from __future__ import annotations

import math
from collections import UserDict, UserList

import numpy as np

from tests.features.model import Section, X

row = Section("Protocols")


# -- generators -------------------------------------------------------------------------------


def _averaged(limit):
    """Takes numbers until one is None, and returns their mean."""
    total, count = 0.0, 0
    while (term := (yield total)) is not None:
        total += min(term, limit)
        count += 1
    return total / count


def _reported(means, limit):
    while True:
        mean = yield from _averaged(limit)
        means.append(mean * mean)


@row("`yield from` that has a value, and is sent to")
def yield_from_value(x):
    means = []
    groups = _reported(means, 2.0)
    running = [next(groups)]
    for group in ([x[0], x[1]], [x[1] * x[2], x[2], 5.0]):
        for v in group:
            running.append(groups.send(v))
        groups.send(None)
    groups.close()
    return sum(means) + 0.1 * running[2]


@row("a walk through a tree by `yield from`")
def yield_from_tree(x):
    def leaves(node, scale=1.0):
        if isinstance(node, tuple):
            for k, child in enumerate(node):
                yield from leaves(child, scale * (1.0 + 0.5 * k))
            return len(node)
        yield scale * node
        return 1

    tree = (x[0], (x[1], (x[2], x[0] * x[1])), x[1])
    total = 0.0
    for depth, leaf in enumerate(leaves(tree)):
        total = total + leaf * leaf / (1.0 + depth)
    return total


@row("`send`: a controller that is asked step by step")
def sent(x):
    def controller(gain, memory):
        integral, action = 0.0, 0.0
        while True:
            error = yield action
            integral = memory * integral + error
            action = gain * error + 0.1 * integral

    loop = controller(x[0], x[1])
    next(loop)
    level, seen = 0.0, []
    for _ in range(5):
        action = loop.send(x[2] - level)
        level += 0.5 * action
        seen.append(level)
    return seen[-1] + 0.1 * sum(v * v for v in seen)


@row("`throw` and `close`: a generator that handles what is thrown into it")
def thrown(x):
    class Reset(Exception):
        def __init__(self, to):
            super().__init__(to)
            self.to = to

    closed = []

    def growth(rate):
        level = 1.0
        try:
            while True:
                try:
                    yield level
                    level = level * (1.0 + rate)
                except Reset as reset:
                    level = reset.to * rate
        finally:
            closed.append(level)

    g = growth(x[0])
    levels = [next(g), next(g), next(g)]
    levels.append(g.throw(Reset(x[1])))
    levels.append(next(g))
    g.close()
    return sum(levels) * x[2] + closed[0]


@row("generators as a pipeline")
def pipeline(x):
    def readings(n):
        for k in range(n):
            yield k, x[k % len(x)] * (1.0 + 0.1 * k)

    def smoothed(source, weight):
        last = None
        for k, v in source:
            last = v if last is None else weight * v + (1.0 - weight) * last
            yield k, last

    def in_pairs(source):
        for first in source:
            second = next(source, None)
            if second is None:
                return
            yield first[1] * second[1]

    kept = (v for v in in_pairs(smoothed(readings(9), x[0])) if v > 0.3)
    return math.fsum(kept) + x[2]


# -- attributes -------------------------------------------------------------------------------


class Positive:
    """A descriptor that keeps its value as a logarithm, and notes who asked."""

    def __set_name__(self, owner, name):
        self.name, self.kept = name, f"_{name}"

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        obj.asked.append(self.name)
        return math.exp(getattr(obj, self.kept))

    def __set__(self, obj, value):
        if value <= 0.0:
            raise ValueError(f"{self.name} must be positive")
        setattr(obj, self.kept, math.log(value))


class Oscillator:
    mass = Positive()
    stiffness = Positive()

    def __init__(self, mass, stiffness):
        self.asked = []
        self.mass, self.stiffness = mass, stiffness

    def frequency(self):
        return math.sqrt(self.stiffness / self.mass)


@row("descriptors: `__get__`, `__set__`, `__set_name__`")
def descriptors(x):
    o = Oscillator(x[0], x[1])
    first = o.frequency()
    o.stiffness = o.stiffness * x[2] + 1.0
    try:
        o.mass = -x[0]
    except ValueError:
        o.mass *= 2.0
    return first + o.frequency() * len(o.asked)


class Model:
    """Parameters by name; those that are not there come from the one before."""

    def __init__(self, parent=None, **own):
        self.__dict__["parent"] = parent
        self.__dict__["own"] = dict(own)

    def __getattr__(self, name):
        if name.startswith("log_"):
            return math.log(getattr(self, name[4:]))
        if name in self.own:
            return self.own[name]
        if self.parent is None:
            raise AttributeError(name)
        return 0.5 * getattr(self.parent, name)

    def __setattr__(self, name, value):
        self.own[name] = 2.0 * value

    def __delattr__(self, name):
        del self.own[name]


@row("`__getattr__`, `__setattr__` and `__delattr__`")
def attributes_by_hand(x):
    base = Model(drift=x[0], vol=x[1] * x[1])
    desk = Model(base, drift=x[2])
    book = Model(desk)
    first = book.drift * book.vol
    desk.vol = x[0]
    second = book.log_vol + desk.vol
    del desk.drift
    missing = getattr(book, "rate", 1.0)
    return first + second * book.drift + missing * x[1]


class Slotted:
    __slots__ = ("_here", "history")

    def __init__(self, start):
        self._here, self.history = start, (start,)


class Walker(Slotted):
    __slots__ = ("pace",)

    def __init__(self, start, pace):
        super().__init__(start)
        self.pace = pace

    def go(self, k):
        self._here = self._here + self.pace * math.sin(k + self._here)
        self.history = (*self.history, self._here)
        if not hasattr(self, "tired"):
            self.pace *= 0.9


@row("`__slots__` of a class and of the one that it is derived from")
def slots(x):
    walkers = [Walker(v, 0.3 * v * x[0]) for v in x]
    for k in range(3):
        for w in walkers:
            w.go(k)
    return sum(w.history[-1] * w.pace - w.history[1] for w in walkers)


# -- classes ----------------------------------------------------------------------------------


class Pooled(type):
    """A metaclass that counts what is made, and hands out one object for one name."""

    def __call__(cls, name, *args, **kwargs):
        if name not in cls.pool:
            made = super().__call__(name, *args, **kwargs)
            made.serial = len(cls.pool)
            cls.pool[name] = made
        return cls.pool[name]


@row("`__call__` of a metaclass")
def metaclass_call(x):
    class Curve(metaclass=Pooled):
        pool: dict = {}

        def __init__(self, name, rate=0.0, spread=0.0):
            self.name, self.rate = name, rate + spread

        def discount(self, t):
            return math.exp(-self.rate * t) * (1.0 + self.serial)

    total = 0.0
    for k, (name, rate) in enumerate(zip(["eur", "usd", "eur"], x, strict=True)):
        total += Curve(name, rate, spread=0.1 * x[0]).discount(k + 1.0)
    return total + len(Curve.pool) * Curve("usd").rate


class Payoff:
    """Each kind of payoff registers itself under its name."""

    kinds: dict = {}

    def __init_subclass__(cls, /, name, sign=1.0, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.sign = sign
        Payoff.kinds[name] = cls

    def __class_getitem__(cls, name):
        return cls.kinds[name]

    def __init__(self, strike):
        self.strike = strike

    def __call__(self, spot):
        return max(self.sign * (spot - self.strike), 0.1 * self.strike)


class Call(Payoff, name="call"):
    pass


class Put(Payoff, name="put", sign=-1.0):
    def __call__(self, spot):
        return super().__call__(spot) * spot


@row("`__init_subclass__` and `__class_getitem__`")
def init_subclass(x):
    total = 0.0
    for kind, strike in [("call", x[0]), ("put", x[2]), ("call", 2.0)]:
        payoff = Payoff[kind](strike * x[1])
        for spot in (x[1], 1.5 * x[2]):
            total += payoff(spot)
    straddle = [Payoff.kinds[k](x[0] * x[0]) for k in sorted(Payoff.kinds)]
    return total + sum(p(x[1]) for p in straddle)


# -- containers -------------------------------------------------------------------------------


class Portfolio(dict):
    """Quantities by name; what is not held counts as half of the first one."""

    def __missing__(self, name):
        self[name] = v = 0.5 * next(iter(self.values()))
        return v

    def __setitem__(self, name, quantity):
        super().__setitem__(name, quantity * 1.1)

    def __add__(self, other):
        both = type(self)(self)
        for name, quantity in other.items():
            both[name] = self.get(name, 0.0) + quantity
        return both


@row("a subclass of `dict`, with `__missing__`, `__setitem__` and operators")
def subclass_of_dict(x):
    a, b = Portfolio(), Portfolio(bond=x[2])
    a["stock"] = x[0]
    a["bond"] = a["stock"] * x[1]
    both = a + b
    gold = both["gold"]
    assert "gold" in both and "gold" not in a
    a.update(cash=x[0] * x[0])
    b.setdefault("cash", x[1])
    return gold * both["bond"] + sum(v * k for k, v in enumerate(both.values())) + a["cash"]


class Path(list):
    """A list of places that knows its length, and refuses to go back."""

    def append(self, place):
        if self and place < self[-1]:
            place = self[-1] + 0.1 * place
        super().append(place)

    @property
    def length(self):
        return sum(b - a for a, b in zip(self, self[1:], strict=False))

    def __mul__(self, k):
        return Path(v * k for v in self)


@row("a subclass of `list`, with a property and operators")
def subclass_of_list(x):
    p = Path([x[0]])
    for v in (x[1], x[0] * x[0], x[2], x[1]):
        p.append(v)
    p[1] *= x[2]
    p.insert(0, 0.0)
    doubled = p * x[1]
    doubled.sort(reverse=True)
    doubled.extend(p[2:4])
    return p.length * doubled[0] + doubled.pop() + len(doubled) * p[-1]


class Vec(tuple):
    """A point of the plane; a tuple with arithmetic."""

    __slots__ = ()

    def __new__(cls, u, v):
        return super().__new__(cls, (u, v))

    def __add__(self, other):
        return Vec(self[0] + other[0], self[1] + other[1])

    def __rmul__(self, k):
        return Vec(*(k * c for c in self))

    def norm(self):
        return math.hypot(*self)


@row("a subclass of `tuple`, with `__new__` and operators")
def subclass_of_tuple(x):
    here, speed = Vec(x[0], x[1]), Vec(0.5, x[2])
    trail = {here: 0.0}
    for k in range(4):
        here = here + 0.2 * speed
        speed = speed + (-0.1 / here.norm()) * here
        trail[here] = k * here.norm()
    u, v = here
    farthest = max(trail, key=Vec.norm)
    return u * v + farthest[1] + sum(trail.values())


class Celsius(float):
    """A temperature; sums of temperatures stay temperatures."""

    def __new__(cls, value, place="here"):
        t = super().__new__(cls, value)
        t.place = place
        return t

    def __add__(self, other):
        return Celsius(float(self) + float(other), self.place)

    __radd__ = __add__

    @property
    def kelvin(self):
        return self + 273.15


@row("a subclass of `float`, with `__new__`, attributes and operators")
def subclass_of_float(x):
    readings = [Celsius(10.0 * v, place=k) for k, v in enumerate(x)]
    total = sum(readings, Celsius(0.0))
    assert isinstance(total, Celsius) and isinstance(total, float)
    warm = [t for t in readings if t > 7.0]
    mean = total / len(readings)
    spread = sum((t - mean) ** 2 for t in warm)
    return spread + total.kelvin * 1e-2 + sum(t.place * t for t in warm)


class Ring:
    """A container of its own kind: the last few values, by place from the newest."""

    def __init__(self, size):
        self.size, self.items = size, {}
        self.added = 0

    def push(self, v):
        self.items[self.added % self.size] = v
        self.added += 1

    def __len__(self):
        return min(self.added, self.size)

    def __getitem__(self, back):
        if isinstance(back, slice):
            return [self[k] for k in range(*back.indices(len(self)))]
        if not 0 <= back < len(self):
            raise IndexError(back)
        return self.items[(self.added - 1 - back) % self.size]

    def __contains__(self, v):
        return any(v == held for held in self)

    def __reversed__(self):
        return (self[k] for k in range(len(self) - 1, -1, -1))


@row("a container with `__getitem__`, `__len__`, `__contains__`, `__reversed__`")
def own_container(x):
    last = Ring(3)
    total = 0.0
    for k in range(7):
        last.push(x[k % 3] * (1.0 + total))
        total += 0.1 * last[0] * last[len(last) - 1]
    assert x[0] not in last
    newest, *others = last
    weighted = sum(w * v for w, v in zip((1.0, 2.0), reversed(last), strict=False))
    return total + newest * sum(others) + weighted + sum(last[:2])


class Settings(UserDict):
    """Names in any spelling."""

    def __setitem__(self, key, value):
        super().__setitem__(key.lower().replace("-", "_"), value)

    def __getitem__(self, key):
        return super().__getitem__(key.lower().replace("-", "_"))


class Deltas(UserList):
    def total(self):
        return sum(self.data)


@row("`collections.UserDict` and `UserList`")
def user_containers(x):
    s = Settings({"Step-Size": x[0], "decay": 0.5})
    s["DECAY"] *= x[1]
    s.update({"Floor": x[2] * 0.1})
    taken = Deltas()
    value = 1.0
    for _ in range(4):
        step = max(s["step_size"] * value * value, s["floor"])
        taken.append(step)
        value -= 0.3 * step
        s["Step-size"] = s["step-size"] * s["decay"]
    return value + taken.total() * taken[1:].total() + len(s)


# -- statements -------------------------------------------------------------------------------


@row("`match` on classes, dictionaries and sequences, with guards")
def matched(x):
    class Move:
        __match_args__ = ("by", "times")

        def __init__(self, by, times=1):
            self.by, self.times = by, times

    orders = [
        Move(x[0]), Move(x[1], 3), {"turn": x[2], "why": "wind"}, ("hold", x[0], x[1], x[2]),
        [x[1], x[2]], x[0] * 3.0, None, "end",
    ]  # fmt: skip
    here = 1.0
    for order in orders:
        match order:
            case Move(by, times=1):
                here += by
            case Move(by, times) if times > 2:
                here += by**times
            case {"turn": angle, **rest}:
                here *= math.cos(angle) + len(rest)
            case ["hold", first, *others]:
                here += first * sum(others)
            case [a, b]:
                here -= a * b
            case float() as v if v > 1.0:
                here /= v
            case None | "end":
                here *= 1.5
    return here


@row("walrus, star-expressions and nested comprehensions together")
def walrus_and_stars(x):
    def spread(first, *rest, scale=1.0, **named):
        return [scale * first, *(v * w for v, w in zip(rest, named.values(), strict=False))]

    first, *middle, last = [*x, *(v * v for v in x)]
    grid = [[u * v for v in middle if (p := u + v) > 1.0] for u in (first, last)]
    flat = [v for line in grid for v in line]
    options = {"a": x[0], **{k: v for k, v in zip("bc", x[1:], strict=True)}}
    *head, tail = spread(*flat, scale=p, **options)
    while (n := len(head)) > 1 and (top := head.pop()) is not None:
        tail += top / n
    return tail + sum({i: v for i, v in enumerate(flat)}.values())


@row("`try`, `else` and `finally` with returns")
def returns_in_try(x):
    log = []

    def inverse(v):
        try:
            if v < 0.7:
                raise ZeroDivisionError(v)
            y = 1.0 / v
        except ZeroDivisionError as e:
            return e.args[0] * 3.0
        else:
            return y * y
        finally:
            log.append(v)

    def first_good(vs):
        for v in vs:
            try:
                if v < 0.8:
                    continue
                return inverse(v)
            finally:
                log.append(2.0 * v)
        return 0.0

    def overruled(v):
        try:
            return v * 100.0
        finally:
            if v > 1.0:
                return v * v  # noqa: B012

    return sum(inverse(v) for v in x) + first_good(x) * sum(log) + overruled(x[2])


@row("`nonlocal` in several closures that share a state")
def nonlocal_shared(x):
    def account(balance, rate):
        history = []

        def pay(v):
            nonlocal balance
            balance += v
            history.append(balance)
            return balance

        def year():
            nonlocal balance, rate
            balance *= 1.0 + rate
            rate = 0.9 * rate

        return pay, year, lambda: (balance, rate, list(history))

    pay, year, state = account(x[0], x[1])
    for _ in range(3):
        pay(x[2])
        year()
    balance, rate, history = state()
    return balance * rate + history[1]


@row("threads that only work for the caller: `threading.local`, a lock around an update")
def with_a_lock(x):
    import threading

    lock, state = threading.Lock(), threading.local()
    state.total = 0.0

    def add(v):
        with lock:
            state.total += v * v
        return state.total

    partial = [add(v) for v in x]
    if lock.acquire():
        try:
            state.total *= partial[0]
        finally:
            lock.release()
    return state.total + partial[1]


@row("a class with a decorator, and methods with decorators that hold a state")
def decorators_with_state(x):
    class Counted:
        def __init__(self, f):
            self.f, self.calls, self.total = f, 0, 0.0

        def __call__(self, *args):
            self.calls += 1
            found = self.f(*args)
            self.total += found
            return found

        def __get__(self, obj, owner=None):
            return self if obj is None else lambda *args: self(obj, *args)

    def scaled(factor):
        def decorate(cls):
            plain = cls.area
            cls.area = lambda self: factor * plain(self)
            return cls

        return decorate

    @scaled(x[2])
    class Square:
        def __init__(self, side):
            self.side = side

        @Counted
        def grown(self, by):
            return self.side + by * self.side**2

        def area(self):
            return self.grown(0.5) ** 2

    areas = [Square(v).area() for v in x]
    return sum(areas) + Square.grown.total * Square.grown.calls


@row("an array that a container of the program holds, by its names", np.array([0.5, 0.7, 1.1]))
def held_by_names(x):
    class Fields:
        def __init__(self, **fields):
            self._fields = {k: np.array(v) for k, v in fields.items()}

        def __getitem__(self, key):
            name, _, at = key.partition("/")
            return self._fields[name][int(at)] if at else self._fields[name]

        def __setitem__(self, key, value):
            name, _, at = key.partition("/")
            self._fields[name][int(at) if at else ...] = value

    f = Fields(u=x * 2.0, v=np.ones(3))
    f["v"] = f["u"] + x[0]
    f["v/1"] = f["u/0"] * x[2]
    f["u"] += f["v"]
    return np.sum(f["u"]) + f["v/1"] * f["v/2"] + np.sum(X)
