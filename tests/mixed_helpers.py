"""What the programs of `tests.mixed_programs` call: classes, generators, callees that write."""

HELPERS = '''\
import contextlib
import copy
import functools


class Full(ValueError):
    """Raised when a value is too large."""


class Tank:
    gain = 0.5

    def __init__(self, grid, level):
        self.grid = grid
        self.level = level
        self.parts = [grid[1:], grid * 0.5]

    def step(self, v):
        self.grid[1:] *= v
        self.level += 0.2 * self.grid[0]
        return self.level * self.gain

    def swap(self, a):
        old = self.grid
        self.grid = a
        return old

    def tail(self):
        return self.grid[1:]

    def check(self, v):
        self.grid[0] = v
        if v > 0.7:
            raise Full("too much")
        self.level *= v
        return self

    @property
    def total(self):
        return np.sum(self.grid) * self.level

    @property
    def head(self):
        return self.grid[:2]

    @property
    def depth(self):
        return self.level * 2.0

    @depth.setter
    def depth(self, v):
        self.level = 0.5 * v
        self.grid[-1] = v

    def __call__(self, v):
        self.level = self.level * 0.5 + v * v
        return self.level

    def __getitem__(self, k):
        return self.grid[k]

    def __setitem__(self, k, v):
        self.grid[k] = v

    def __enter__(self):
        self.level *= 0.5
        return self

    def __exit__(self, *what):
        self.grid[0] *= self.level
        return False

    @classmethod
    def of(cls, a, v):
        return cls(a * v, v)

    @staticmethod
    def mean(a, v):
        a[0] = v
        return np.mean(a) * v


class Deep(Tank):
    def step(self, v):
        self.parts[0][0] += v
        return super().step(v * 0.5) + self.grid[1]


@contextlib.contextmanager
def scaled(a, v):
    a *= v
    yield a[1:]
    a[0] += v


def windows(a):
    for k in range(len(a) - 1):
        yield a[k : k + 2]


def touched(m, v):
    for r in m:
        r[0] *= v
        yield r


def shifted(a, v):
    a[1:] = a[:-1] * v
    return a[::2]


def parted(a, v):
    a *= v
    return a[:2], a[2:], np.sum(a)


def guarded(a, v):
    a[0] = v
    if v > 0.6:
        raise Full("too much")
    a[1] *= v
    return a[1:]


def recursive(a, n):
    if n == 0:
        return a[0] * a[0]
    a[n] += 0.3 * a[n - 1] * a[n - 1]
    return recursive(a, n - 1) + 0.1 * a[n]


def applied(fn, v, times=2):
    for _ in range(times):
        v = fn(v)
    return v


def summed(a, *more, scale=0.5, out=None):
    if out is None:
        out = np.zeros(4)
    np.multiply(a, scale, out=out)
    for r in more:
        out += r
    return out


def named(**held):
    for key in held:
        held[key][0] *= 0.5
    return held


def adder(a, k):
    def add(v):
        a[k] += v
        return a[k] * v

    return add


def fill_all(held, v):
    for k, r in enumerate(held):
        r[k] = v * r[k - 1]
    return held[-1]


def found(items, v):
    for k, r in enumerate(items):
        if r[0] > v:
            return r
        r[0] += 0.1 * v
    return items[0]
'''
