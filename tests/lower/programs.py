"""Small functions with arguments: between them they use every construct that lowering knows.

`log` is a list that they append to, so that the order of effects is compared too.
"""

# Written the way users write, not the way linters like.
# ruff: noqa: B905, C416, E731, RUF021, SIM300, SIM905

from __future__ import annotations

import contextlib
import math
from typing import Any

import numpy as np

K = 2.5
W = np.array([1.0, 2.0, 3.0])
log: list[Any] = []


class Point:
    scale = 3.0

    def __init__(self) -> None:
        self.a = np.array([1.0, 2.0])
        self.b = 1.0


def note(value: Any) -> Any:
    log.append(np.copy(value).tolist() if isinstance(value, np.ndarray) else value)
    return value


def double(y: Any) -> Any:
    y *= 2
    return y


def straight(x, w):
    y = w * x + x / 2 - -x
    z = -y
    return z @ y


def slices(x):
    y = x.copy()
    y[1:] -= 0.5 * y[1:] * (y[1:] - y[:-1])
    y[::2] = x[::-1][::2]
    return y


def items_2d(a):
    a = np.outer(a, a)
    a[0, 1:] = a[1:, 0]
    a[..., -1] += a[1]
    a[:, None][0] = 7.0
    return a.T[0], a[1][2], a.shape[0] * a.ndim


def chained_subscripts(x):
    a = np.outer(x, x)
    a[1][0] = 5.0
    a[1][1:] *= 2.0
    a.T[0] = x
    a.T[1] += x
    return a


def index_arrays(x):
    y = x.copy()
    idx = [2, 0]
    y[[0, 1]] = y[[1, 0]]
    y[y > 1.5] = 1.0
    y[~(y > 0.5)] *= 2
    y[idx] += x[idx]
    y[np.argsort(x)[0]] = 9.0
    return y


def computed_indices(x):
    perm = [1, 0, 2]
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[perm[i]] = x[perm[i - 1]] + y[perm[i - 1]]
    return y


def zero_d():
    s = np.array(1.0)
    s[()] = 2.0
    s[...] += 1
    s += 1
    return s[()], float(s)


def single_tuple_index(x):
    i = (1,)
    j = 1
    return x[i], x[i,][0] if False else 0.0, x[j,]


def swap(a, b):
    a, b = b, a
    a, b = b + 1, a * 2
    return a, b


def swap_items(x):
    y = x.copy()
    y[0], y[1] = y[1], y[0]
    i, j = 1, 2
    i, y[i] = j, 10.0
    return y, i


def rotate(a, b, c):
    a, (b, c) = b, (c, a)
    (a, b), c = (b, a), [c]
    return a, b, c


def unpacking(pair):
    (a, b), c = pair
    [d, e] = a, b
    x = [0, 0]
    x[0], x[1] = pair
    return a + b + c + d + e, x


def starred(x):
    first, *rest = x
    return first, rest


def chained(x):
    a = b = x * 2
    b[0] = 1.0
    c = y = [0, 1]
    y[0] = c
    a = a[1] = 3
    return b, c[1]


def chained_list():
    a = [1, 2]
    i = a[0] = 1
    return a, i


def annotated(x):
    y: float = x * 2
    z: Any
    z = y
    return z


def augmented(x):
    y = x.copy()
    y += 1
    y *= y
    y[1] **= 2
    y[0] //= 2
    y @= np.eye(len(y))
    n = 7
    n %= 4
    n <<= 2
    n |= 1
    return y, n


def augmented_alias(x):
    y = x.copy()
    z = y
    z += 1
    return y, z is y


def late_augmented(x):
    y = x.copy()
    y[0] += double(y)[0]
    n = 1.0
    n += note(n)
    return y, n


def branches(x, n):
    if n > 2:
        y = x * 2
    elif n > 1:
        y = x * 3
    else:
        y = -x
    return y


def conditional(x, n):
    y = x * 2 if n > 1 else x * 3
    z = (note(1) if n else note(2)) + (3 if n > 1 and note(n) else 4)
    y = y if z else x
    return y, z


def nested_conditional(a, b):
    return a if a > b else (b if b > 1 else note(0))


def connectives(a, b):
    c = a and note(b)
    d = a or note(b)
    e = not a
    a = b and a
    f = note(0) or note(0.0) or note([]) or "end"
    return c, d, e, a, f


def lazy_tests(x, n):
    i = 0
    while i < n and x[i] > 0:
        i += 1
    if i < len(x) and not x[i] > 5 or note(i):
        i += 10
    if n and i > 2 and n > i:
        i += 100
    return i


def chained_comparisons(a, b, x):
    p = a < b < 10
    q = a < note(b) < note(7)
    r = note(0) > note(1) > note(2)
    if 0 <= a < len(x):
        p = 5
    if 0 < x[0] <= a:
        q = 6
    return p, q, r, 1 < a, a is not b, a in [1, 2], a not in (b,)


def loops(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i]
    for i in range(1, len(x) - 1):
        total += x[i - 1] * x[i + 1]
    for i in range(len(x) - 1, -1, -1):
        total = total * 0.5 + x[i]
    for v in x:
        total += v
    for v in [x, x * 2]:
        total += v[0]
    return total, i


def headers(x, y):
    s = 0.0
    for i, (a, b) in enumerate(zip(x, y), 1):
        s += i * a * b
    for i in reversed(range(3)):
        s = s * 2 + i
    for i, v in enumerate(reversed(x)):
        s += i * v
    for a, n in zip(x[::-1], range(5)):
        s -= a * n
    for i, v in enumerate(x * 2, start=len(x)):
        s += i * v
    for (p,) in [[1.0], [2.0]]:
        s += p
    return s


def loop_targets(x):
    y = np.zeros(3)
    for y[0] in x:
        y[1] += y[0]
    for i, y[2] in enumerate(x):
        y[1] += i
    for v, *rest in [(1, 2, 3)]:
        y[1] += v + len(rest)
    return y


def range_once(n):
    s = 0
    for i in range(n):
        n = 1
        i += 5
        s += i
    for x in (x for x in [1, 2]):
        s += x
    return s, n


def zero_trips():
    i = -1
    for i in range(0):
        i = 3
    return i


def breaks(x):
    s = 0.0
    for v in x:
        if v > 2:
            break
        s += v
    return s


def continues(x):
    s = 0.0
    for v in x:
        if v > 1:
            continue
        s += v
        if s > 1:
            s -= 0.5
    return s


def deep_exits(x, n):
    s = 0.0
    for i in range(6):
        if i % 2:
            if i == n:
                break
            s += 1
            if i == 1:
                continue
            s += 10
        elif i == 4:
            s += 1000
            if n == 4:
                continue
            s += 5000
        s += 100
        for j in range(3):
            if j == 1:
                if i == 0:
                    continue
                s += 0.25
                if i == 2:
                    break
                s += 0.125
            s += x[j]
    return s


def loop_else(x, limit):
    for v in x:
        if v > limit:
            note("break")
            break
    else:
        note("else")
    i = 0
    while i < 2:
        i += 1
    else:
        note(i)
    for i in range(3):
        for j in range(3):
            if j == limit:
                break
        else:
            continue
        note((i, j))
        break
    else:
        return "outer else"
    return "broke"


def early(x, n):
    if n == 0:
        return x * 2
    if n == 1:
        y = x + 1
        return y
    elif n == 2:
        return None
    x = x + 10
    return x


def early_fall_off(x, n):
    if n:
        return x
    note(n)


def bare_return(x):
    x[0] = 5
    return


def early_in_loop(x, limit):
    for i, v in enumerate(x):
        if v > limit:
            return i
    note("end")
    return -1


def early_in_nested_loops(x, limit):
    for i in range(3):
        for j in range(3):
            if x[i] * x[j] > limit:
                return i, j
            note((i, j))
        note(i)
    note("out")
    return -1, -1


def early_mixed(x, n):
    if n > 0:
        if n > 1:
            return x * 2
        note("mid")
    elif n < -1:
        return x * 3
    for v in x:
        if v > 2 and n == 0:
            if n == 0:
                note("found")
                return v
            note("not reached")
        if v > 100:
            break
    else:
        note("else")
    return x


def early_while(n):
    while True:
        n -= 1
        if n == 3:
            return "three"
        if n < 0:
            break
    return n


def early_while_true(n):
    while True:
        n -= 1
        if n < 0:
            return n
        if n == 5:
            raise ValueError("five")


def early_tuple_or_none(x, n):
    if n:
        return x, n
    return None


def early_tuples_fall_off(x, n):
    if n:
        return x, n
    if n is None:
        return n, x


def return_in_else(x, limit):
    for v in x:
        if v > limit:
            break
    else:
        return 0
    return v


def while_head(x):
    i = 0
    while x[i] < 2.5:
        i += 1
        if i == 10:
            break
    while (n := note(i)) > 0:
        i -= n
    return i


def raising(x, n):
    if n < 0:
        raise ValueError(f"negative: {n}")
    y = x * n
    if n > 5:
        raise RuntimeError
    return y


def always_raises(x):
    raise NotImplementedError("later")


def asserts(x, n):
    assert n > 0, "n must be positive"
    assert note(n) < 3, f"too much: {note(n)}"
    assert len(x) == 3
    return x


def prints(x, n):
    print("x", x[0], n, sep="-")
    print(f"{n:>4}|{x[0]:.2f}|{n!r}", end="!\n")
    print(note(n), f"{double(x)[0]} and {x[1]}", x)
    text = f"{note(n)}-{x[0]}"
    return text


def helpers(x):
    y = note(x * 2)
    double(y)
    z = double(y) + double(double(y))
    return z, note(K * x), math.sin(K), Point.scale


def keywords(x, *, axis=0, scale=K, **rest):
    return np.sum(x * scale, axis=axis, keepdims=True) + len(rest)


def defaults(x, n=3, text="a", shift=-1, table=W):
    return x[n - 3] + len(text) + shift + table


def variadic(*args, flag=True):
    s = 0.0
    for a in args:
        s += a
    return s if flag else args


def displays(x):
    y = np.concatenate([x, x[:1] * 2, np.array([1.0, x[0]])])
    z = np.stack((x, x)).sum(axis=0)
    w = [x, y]
    w[0] = z
    w.append(x[0] * 2)
    last = w.pop()
    return w, last, {"a": x, "b": len(w)}, {1, 2}


def methods(x):
    y = x.copy()
    y.fill(3.0)
    y.sort()
    np.copyto(y, x)
    np.add.at(y, [0, 0], 1.0)
    np.multiply(x, 2, out=y)
    return y.sum(), y.reshape(-1, 1).T.shape, "a-b".split("-")


def shared(x):
    y = x[1:] * (x[1:] - x[:-1]) + x[1:] * x[1:]
    a, b = x * 2, x * 2
    a[0] = 100.0
    c = [x * 3, x * 3]
    c[0][0] = 50.0
    return y, b, c


def shared_views(x):
    a, b = (x * 2)[1:], (x * 2)[1:]
    a[0] = 100.0
    c = [np.outer(x, x).T, np.outer(x, x).T]
    c[0][0] = 50.0
    d = (x[[0, 1]].reshape(2, 1), x[[0, 1]].reshape(2, 1))
    d[0][0] = 7.0
    return a, b, c, d


class Counter:
    def dot(self, x):
        x[0] += 1
        return x[0]


def shared_across_methods(x):
    y = x[0] * 2 + Counter().dot(x) + x[0] * 2
    return y


def shared_across_writes(x):
    y = x[0] * 2 + double(x)[0] + x[0] * 2
    return y, x


def globals_used(x):
    return K * x + W[0] * W


def comprehensions(x):
    a = [v * 2 for v in x]
    b = {i: v for i, v in enumerate(a)}
    c = sum(v for v in a if v > 1)
    f = lambda t: t * c
    g = [note(v) for v in a]
    return a, b, c, f(2), g


def local_imports(x):
    import math as m
    from math import sqrt

    return m.cos(x[0]) + sqrt(4)


def attempts(x, bad):
    log = []
    for i in range(6):
        try:
            log.append(("begin", i))
            if i == bad:
                raise KeyError(i)
            if i == 1:
                continue
            if i == 4:
                break
            try:
                if i + bad == 5:
                    return log, "inner"
                log.append(x[i])
            except IndexError as error:
                log.append(str(error)[:5])
                if bad == 2:
                    raise ValueError("again") from error
            else:
                log.append("fine")
            finally:
                log.append("in any case")
        except (KeyError, ValueError) as error:
            log.append(type(error).__name__)
            if bad == 0:
                continue
            if bad == 3:
                return log, "handler"
        else:
            log.append("no exception")
            if i == 3:
                break
        finally:
            log.append(("end", i))
        log.append("next")
    else:
        log.append("exhausted")
    return log, "end"


def contexts(x, n):
    s = 0.0
    for v in x:
        with np.errstate(all="ignore"), contextlib.nullcontext(n) as k:
            if v > 1.5:
                if k == 0:
                    return s
                s += 1
                if k == 1:
                    break
                continue
            s += v
        s += 100
    with contextlib.suppress(ZeroDivisionError, KeyError):
        s += 1
        s += 1 // n
        s += 10
    return s


def unsupported(x):
    """Kept as they are."""
    with np.errstate(all="ignore"):
        y = x / 0.5
    try:
        z = y[100]
    except IndexError as error:
        z = str(error)[:5]

    def inner(t):
        return t * 2

    match len(x):
        case 3:
            kind = "three"
        case n:
            kind = n
    p = Point()
    p.a[0] = 5.0
    p.b = 7.0
    p.b += 1.0
    p.b += note(2.0)
    x.flat[1] = 3.0
    args = [1, 2]
    total = max(*args, 0)
    return y, z, inner(2), kind, p.a, p.b, x, total


def deleting(x):
    y = x * 2
    del y
    y = [1, 2, 3]
    del y[0]
    pass
    ...
    return y


def recursion(x, n):
    if n == 0:
        return x
    return recursion(x * 2, n - 1) + 1


def walrus(x):
    y = 1
    z = y + (y := 5) * y
    if (n := len(x)) > 2:
        z += n
    a = [y, (y := 7), y]
    y += (y := 1)
    return z, y, a


def names_in_use(t, t_2, result, done):
    for i in range(3):
        if i == t:
            return t * t_2 + result
    return done * (t + 1)


def closures(x):
    a = 1.0

    def inner():
        return a

    a, b = 2.0, inner()
    a = x[0] and inner()
    return a, b


def late_effects(x):
    rest = [0, 1, 2]
    a = x[len(rest) - 1 - rest.pop() : len(rest)]
    b = x[0] + double(x)[0]
    c = (x[0], double(x)[0], x[0])
    return a, b, c


def dead_code(x):
    return x
    x = 1


def dead_after_branches(x):
    if x[0] > 0:
        return 1
    else:
        return 2
    return 3


def everything_at_once(x, n):
    best, where = -np.inf, None
    for i in range(n):
        if x[i % 3] < 0:
            continue
        value = x[i % 3] * (i if i % 2 else -i)
        if value > best:
            best, where = value, i
            if best > 3:
                return best, where
        k = 0
        while k < i:
            if k == 2:
                break
            k += 1
        else:
            note(("full", k))
        note((i, k))
    return best, where


class Method:
    def __init__(self) -> None:
        self.gain = 3.0

    def step(self, x):
        return self.gain * x


def _x() -> np.ndarray:
    return np.array([1.0, 2.0, 3.0])


PROGRAMS: list[tuple[Any, list[tuple[Any, ...]]]] = [
    (straight, [(_x(), 2.0)]),
    (slices, [(_x(),)]),
    (items_2d, [(_x(),)]),
    (chained_subscripts, [(_x(),)]),
    (index_arrays, [(_x(),)]),
    (computed_indices, [(_x(),)]),
    (zero_d, [()]),
    (single_tuple_index, [(_x(),)]),
    (swap, [(1, 2)]),
    (swap_items, [(_x(),)]),
    (rotate, [(1, 2, 3)]),
    (unpacking, [(((1, 2), 3),), (((1, 2, 3), 3),)]),
    (starred, [(_x(),)]),
    (chained, [(_x(),)]),
    (chained_list, [()]),
    (annotated, [(2.0,)]),
    (augmented, [(_x(),)]),
    (augmented_alias, [(_x(),), (2.0,)]),
    (late_augmented, [(_x(),)]),
    (branches, [(_x(), n) for n in (1, 2, 3)]),
    (conditional, [(_x(), n) for n in (0, 1, 2)]),
    (nested_conditional, [(1, 0), (1, 2), (0, 1)]),
    (connectives, [(0, 1), (1, 0), (2, 3)]),
    (lazy_tests, [(_x(), 3), (_x(), 0), (-_x(), 2), (_x(), 1)]),
    (chained_comparisons, [(1, 2, _x()), (2, 1, _x()), (9, 9.5, -_x())]),
    (loops, [(_x(),)]),
    (headers, [(_x(), _x() * 2)]),
    (loop_targets, [(_x(),)]),
    (range_once, [(3,)]),
    (zero_trips, [()]),
    (breaks, [(_x(),), (_x() * 10,), (-_x(),)]),
    (continues, [(_x(),), (-_x(),)]),
    (deep_exits, [(_x(), n) for n in (0, 1, 3, 4, 5, 9)]),
    (loop_else, [(_x(), n) for n in (0, 1, 2, 9)]),
    (early, [(_x(), n) for n in range(4)]),
    (early_fall_off, [(1, 0), (1, 1)]),
    (bare_return, [(_x(),)]),
    (early_in_loop, [(_x(), n) for n in (0, 2, 9)]),
    (early_in_nested_loops, [(_x(), n) for n in (0, 2, 5, 8, 9)]),
    (early_mixed, [(_x(), n) for n in (-2, -1, 0, 1, 2)] + [(_x() * 99, 1)]),
    (early_while, [(6,), (2,)]),
    (early_while_true, [(4,), (8,)]),
    (early_tuple_or_none, [(1, 0), (1, 1)]),
    (early_tuples_fall_off, [(1, 0), (1, 1), (1, None)]),
    (return_in_else, [(_x(), 1), (_x(), 9)]),
    (while_head, [(_x(),)]),
    (raising, [(_x(), n) for n in (-1, 1, 9)]),
    (always_raises, [(1,)]),
    (asserts, [(_x(), n) for n in (0, 1, 4)] + [(_x()[:1], 1)]),
    (prints, [(_x(), 3)]),
    (helpers, [(_x(),)]),
    (keywords, [(_x(),)]),
    (defaults, [(_x(),), (_x(), 4, "bc")]),
    (variadic, [(1, 2, 3), ()]),
    (displays, [(_x(),)]),
    (methods, [(_x(),)]),
    (shared, [(_x(),)]),
    (shared_views, [(_x(),)]),
    (shared_across_methods, [(_x(),)]),
    (shared_across_writes, [(_x(),)]),
    (globals_used, [(_x(),)]),
    (comprehensions, [(_x(),)]),
    (local_imports, [(_x(),)]),
    (attempts, [(_x(), bad) for bad in range(8)]),
    (contexts, [(_x(), n) for n in range(4)]),
    (unsupported, [(_x(),)]),
    (deleting, [(_x(),)]),
    (recursion, [(1.0, 3)]),
    (walrus, [(_x(),)]),
    (names_in_use, [(1, 2, 3, 4), (5, 2, 3, 4)]),
    (late_effects, [(_x(),)]),
    (closures, [(_x(),)]),
    (dead_code, [(_x(),)]),
    (dead_after_branches, [(_x(),), (-_x(),)]),
    (everything_at_once, [(_x(), n) for n in (0, 1, 3, 6)] + [(-_x(), 4)]),
    (Method().step, [(_x(),)]),
]
