"""The standard library at work: `itertools`, `functools`, `contextlib`, `collections`, `enum`."""

from __future__ import annotations

import contextlib
import copy
import enum
import functools
import itertools
import math
import operator
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple
from typing import NamedTuple

from tests.features.model import Section

row = Section("Standard library")


@row("`itertools.groupby`")
def grouped(x):
    trades = [("gold", x[0], 2), ("gold", x[1], 1), ("oil", x[2], 3), ("oil", x[0] * x[1], 1)]
    trades += [("wheat", x[2] * x[2], 2)]
    total, largest = 0.0, {}
    for name, group in itertools.groupby(trades, key=operator.itemgetter(0)):
        rows = list(group)
        paid = sum(price * n for _, price, n in rows)
        largest[name] = max(price for _, price, _ in rows)
        total += paid**2 / len(rows)
    runs = [sum(g) for up, g in itertools.groupby(sorted(x), key=lambda v: v > 0.8) if up]
    return total + sum(largest.values()) * runs[0]


@row("`itertools.tee`, `islice`, `count`, `cycle`, `dropwhile`, `compress`")
def teed(x):
    def orbit(v):
        while True:
            yield v
            v = 0.5 * (v + x[1] / v)

    a, b, c = itertools.tee(orbit(x[2]), 3)
    next(b)
    changes = [q - p for p, q in itertools.islice(zip(a, b, strict=False), 4)]
    far = list(itertools.islice(c, 1, 5, 2))
    weights = [w * v for w, v in zip(itertools.count(1.0, 0.5), x, strict=False)]
    turns = [v * s for v, s in zip(weights, itertools.cycle((1.0, -1.0)), strict=False)]
    kept = list(itertools.dropwhile(lambda v: v < 0.8, x))
    chosen = itertools.compress(turns, [1, 0, 1])
    return sum(far) * changes[0] + sum(chosen) + math.prod(kept)


@row("`contextlib.ExitStack` and `contextlib.closing`")
def exit_stack(x):
    undone = []

    class Raised:
        def __init__(self, held, by):
            self.held, self.by = held, by

        def __enter__(self):
            self.before = self.held["level"]
            self.held["level"] *= 1.0 + self.by
            return self.held["level"]

        def __exit__(self, *exc):
            undone.append(self.held["level"] - self.before)
            self.held["level"] = self.before
            return exc[0] is ValueError

    held, levels = {"level": x[0]}, []
    with contextlib.ExitStack() as stack:
        stack.callback(lambda: levels.append(held["level"] * 2.0))
        for by in x:
            levels.append(stack.enter_context(Raised(held, by)))
        raise ValueError(levels[-1])
    with contextlib.closing((v * v for v in x)) as squares:
        first = next(squares)
    return sum(levels) + undone[1] * held["level"] + first


@row("`contextlib.contextmanager` that changes, yields a value and puts back")
def context_manager(x):
    settings = {"rate": x[0], "depth": 0.0}

    @contextlib.contextmanager
    def bumped(name, by):
        before = settings[name]
        settings[name] = before + by
        try:
            yield before * by
        except ArithmeticError as e:
            settings["depth"] += e.args[0]
        finally:
            settings[name] = before

    def price():
        return math.exp(-settings["rate"]) + settings["depth"]

    total = price()
    with bumped("rate", x[1]) as moved, bumped("depth", x[2]):
        total += price() * moved
    with bumped("rate", 1.0):
        raise ArithmeticError(x[1] * x[2])
    return total * price()


class Leg(NamedTuple):
    amount: float
    time: float


@row("`functools.singledispatchmethod`")
def single_dispatch_method(x):
    class Pricer:
        def __init__(self, rate):
            self.rate = rate

        @functools.singledispatchmethod
        def value(self, what):
            raise TypeError(type(what).__name__)

        @value.register
        def _(self, what: Leg):
            return what.amount * math.exp(-self.rate * what.time)

        @value.register(list)
        def _(self, what):
            return sum(self.value(part) for part in what)

        @value.register(dict)
        def _(self, what):
            return sum(weight * self.value(part) for weight, part in what.values())

        @value.register(str)
        def _(self, what):
            return self.rate

    legs = [Leg(x[1], 1.0), Leg(x[2], 2.0)]
    book = {"long": (2.0, legs), "short": (-0.5, legs[0]), "carry": (x[2], "rate")}
    return Pricer(x[0]).value(book)


@row("`functools.partialmethod`, `partial` and `reduce`")
def partial_method(x):
    class Cell:
        def __init__(self, v):
            self.v, self.done = v, []

        def change(self, k, *, sign=1.0, note=""):
            self.v = self.v + sign * k * self.v
            self.done.append(note)
            return self

        grow = functools.partialmethod(change, note="grow")
        shrink = functools.partialmethod(change, sign=-1.0, note="shrink")
        halve = functools.partialmethod(change, 0.5, sign=-1.0)

    c = Cell(x[0]).grow(x[1]).shrink(x[2] * 0.1).halve()
    steps = [functools.partial(operator.mul, x[1]), functools.partial(pow, exp=2), math.tanh]
    after = functools.reduce(lambda v, step: step(v), steps, c.v)
    horner = functools.reduce(lambda acc, k: acc * x[2] + k, [*x], 0.0)
    return after + horner + len(c.done)


@row("`functools.total_ordering`: objects are compared, sorted, and in a heap")
def ordered_by_two(x):
    @functools.total_ordering
    class Bid:
        def __init__(self, price, size):
            self.price, self.size = price, size

        def __eq__(self, other):
            return (self.price, self.size) == (other.price, other.size)

        def __lt__(self, other):
            return (self.price, -self.size) < (other.price, -other.size)

    bids = [Bid(x[0] * 2.0, 1.0), Bid(x[1], 2.0), Bid(x[2], 3.0), Bid(x[1], 1.5)]
    low, *_, high = sorted(bids)
    if low <= high and not low >= high:
        low.size *= high.price
    best = max(bids)
    spent = sum(b.price * b.size for b in sorted(bids, reverse=True)[:2])
    return spent + best.price * min(bids).size


@row("`functools.lru_cache` and `cached_property` of what varies")
def cached(x):
    class Curve:
        def __init__(self, rate):
            self.rate, self.asked = rate, 0

        @functools.cached_property
        def growth(self):
            self.asked += 1
            return math.exp(self.rate)

        def factor(self, n):
            return self.growth**n

    curve = Curve(x[0])

    @functools.lru_cache(maxsize=None)
    def ways(n):
        if n < 2:
            return x[n]
        return ways(n - 1) * x[2] + curve.factor(n) * ways(n - 2)

    value = ways(6)
    assert ways.cache_info().misses == 7
    del curve.growth
    return value + curve.growth * curve.asked


@row("`operator`: `itemgetter`, `attrgetter`, `methodcaller`, in-place operators")
def operators(x):
    class Item:
        def __init__(self, name, w):
            self.name, self.w = name, w

        def taxed(self, rate, *, floor=0.0):
            return max(self.w * rate, floor)

    items = [Item("b", x[0]), Item("c", x[1]), Item("a", x[2])]
    items.sort(key=operator.attrgetter("name"))
    weights = list(map(operator.attrgetter("w"), items))
    taxes = map(operator.methodcaller("taxed", x[1], floor=0.1), items)
    first, last = operator.itemgetter(0, -1)(weights)
    total = operator.truediv(operator.sub(first, last), operator.add(x[0], 1.0))
    for tax in taxes:
        total = operator.iadd(total, operator.pow(tax, 2))
    table = {"k": total}
    operator.setitem(table, "k", operator.neg(operator.getitem(table, "k")))
    return operator.itemgetter("k")(table) + operator.matmul(x, x)


@row("`copy.deepcopy` of what refers to itself, and `__deepcopy__`")
def deep_copies(x):
    class Node:
        def __init__(self, v):
            self.v, self.next, self.seen = v, self, []

        def after(self, v):
            new = Node(v)
            new.next, self.next = self.next, new
            return new

    class Rate:
        def __init__(self, r):
            self.r = r

        def __deepcopy__(self, memo):
            return Rate(self.r * 0.5)

    ring = Node(x[0])
    ring.after(x[1]).after(x[2])
    ring.seen.append(Rate(x[0] * x[1]))
    twin = copy.deepcopy(ring)
    assert twin.next.next.next is twin and twin.next is not ring.next
    twin.next.v *= 3.0
    ring.seen[0].r += 1.0
    total, node = 0.0, twin
    for k in range(4):
        total += (k + 1.0) * node.v * ring.v
        node = node.next
    return total + twin.seen[0].r * ring.seen[0].r


@row("`enum`: values, methods, members that are functions, flags")
def enumerations(x):
    class Side(enum.Enum):
        BUY = 1
        SELL = -1

        def signed(self, v):
            return self.value * v

        @property
        def other(self):
            return Side(-self.value)

    class Fee(enum.Flag):
        NONE = 0
        STAMP = enum.auto()
        BROKER = enum.auto()

    class Shape(enum.Enum):
        LINEAR = enum.member(lambda v: v)
        SQUARE = enum.member(lambda v: v * v)

    orders = [(Side.BUY, x[0], Fee.STAMP | Fee.BROKER), (Side["SELL"], x[1], Fee.NONE)]
    orders.append((Side.BUY.other, x[2], Fee.BROKER))
    paid = Counter()
    for side, v, fees in orders:
        paid[side] += side.signed(v * v)
        if Fee.STAMP in fees:
            paid[side] += 0.1 * x[2]
        if fees:
            paid[side.other] -= 0.01 * v
    shaped = sum(s.value(x[0]) for s in Shape)
    return paid[Side.BUY] * paid[Side.SELL] + shaped


@row("`typing.NamedTuple` with defaults, methods and `_replace`")
def typed_tuples(x):
    class State(NamedTuple):
        place: float
        speed: float = 1.0
        path: tuple = ()

        def energy(self, k):
            return 0.5 * self.speed**2 + 0.5 * k * self.place**2

        def stepped(self, k, dt):
            speed = self.speed - dt * k * self.place
            place = self.place + dt * speed
            return self._replace(place=place, speed=speed, path=(*self.path, place))

    Span = namedtuple("Span", ["low", "high"])
    s = State(x[0])
    for _ in range(4):
        s = s.stepped(x[1], 0.1 * x[2])
    place, speed, path = s
    span = Span(high=max(path), low=min(path))
    fields = s._asdict()
    return s.energy(x[1]) + span.high * span.low + fields["speed"] * path[1] + place * speed


@row("`collections`: `ChainMap`, `deque`, `Counter`, `OrderedDict`, `defaultdict` together")
def collections_together(x):
    defaults = {"rate": x[0], "size": 2.0}
    settings = ChainMap({}, {"size": x[1]}, defaults)
    settings["rate"] = settings["rate"] * 2.0
    inner = settings.new_child({"rate": x[2]})
    window, means = deque(maxlen=2), OrderedDict()
    for k, v in enumerate([*x, x[0] * x[1]]):
        window.append(v * inner["size"])
        means[k] = sum(window) / len(window)
    means.move_to_end(0)
    last_key, last = means.popitem()
    window.rotate(1)
    window.appendleft(last * inner["rate"])
    totals = defaultdict(lambda: x[2])
    for k, v in means.items():
        totals["even" if k % 2 == 0 else "odd"] += v
    spent = Counter({"a": x[0]})
    spent.update({"a": x[1], "b": totals["odd"]})
    return window[0] + totals["even"] * spent.most_common(1)[0][1] + settings["rate"] + last_key
