"""Control flow and calls: matching, contexts, exceptions, generators, functions as values."""

from __future__ import annotations

import contextlib
import functools
import operator
import warnings
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np

from tests.corpus.model import Programs, later, vec

CASES = Programs("control")


# Matching.


@CASES.add(vec(5))
def match_of_literals(x):
    match len(x):
        case 3:
            y = x[0]
        case 4 | 5:
            y = x[0] * x[1]
        case _:
            y = x[2]
    return y


@CASES.add(vec(3))
def match_with_guards(x):
    match x[0] + 0.5:
        case v if v > 2.0:
            return v * v
        case v if v > 0.5:
            v = v * x[1]
            return v * v * x[1]
        case _:
            return x[2]


@CASES.add(vec(3))
def match_that_swaps_its_subject(x):
    a, b = x[0] * x[1], x[2]
    match (a, b):
        case (b, a) if a > 100:
            r = a * b
        case (0, _):
            r = a
        case (b, a):
            r = a * a * b
    return r + a * b


@CASES.add(vec(3))
def match_of_a_tuple(x):
    pair = (x[0], x[1] * x[2])
    match pair:
        case (a,):
            r = a
        case (a, b) as whole:
            r = a * b * whole[0]
        case _:
            r = 0.0
    return r


@CASES.add(vec(3))
def match_of_alternatives(x):
    match (1, 2, x[0]):
        case (2, a, v) | (a, 2, v):
            r = v * v * a
        case _:
            r = x[1]
    return r


@dataclass
class Layer:
    rate: float
    depth: float


LAYER = Layer(2.0, 3.0)


@CASES.add(vec(3))
def match_of_classes(x):
    match LAYER:
        case Layer(5.0, _):
            r = x[1]
        case Layer(rate=2.0, depth=k):
            r = x[0] * k
        case _:
            r = x[2]
    match r:
        case int():
            return x[1]
        case float(v):
            return v * r * x[1]


@CASES.add(vec(3))
def match_of_options(x):
    options = {"kind": "power", "n": 3}
    match options:
        case {"kind": "sum"}:
            r = np.sum(x)
        case {"kind": "power" | "pow", "n": n}:
            r = x[0] ** n
        case _:
            r = x[1]
    match None:
        case None:
            r = r * x[1]
    return r


@CASES.add(vec(6))
def match_in_a_loop(x):
    s = 0.0
    for i, v in enumerate(x):
        match i % 4:
            case 0:
                continue
            case 1:
                s += v * v
            case 2 if v > 1.0:
                s *= v
            case 3:
                break
    else:
        s = s * 100.0
    return s


@CASES.add(vec(4))
def match_that_writes(x):
    y = x * x
    for k in range(4):
        match k:
            case 0 | 2:
                y[k] = y[k] * x[k - 1]
            case _:
                y[k] += y[k - 1]
    return np.sum(y)


# Contexts.


@CASES.add(vec(3))
def with_errstate(x):
    with np.errstate(all="ignore"):
        y = x[0] / x[1]
        z = np.log(y)
    return y * z


@CASES.add(vec(6))
def with_that_leaves_a_loop(x):
    s = 0.0
    for v in x:
        with np.errstate(divide="ignore"), warnings.catch_warnings():
            if v > 1.3:
                continue
            s += v * v
            if s > 2.5:
                break
        s *= 2.0
    return s


@CASES.add(vec(3))
def with_that_returns(x):
    with np.errstate(all="ignore"):
        if x[0] > 0.5:
            return x[0] * x[1]
        y = x[1] * x[2]
    return y * y


@CASES.add(vec(3))
def with_suppress(x):
    y = x[0] * x[1]
    with contextlib.suppress(IndexError):
        y = y * x[2]
        y = y * x[7]
    return y * y


@contextlib.contextmanager
def scale(name):
    yield len(name)


@CASES.add(vec(3))
def with_a_manager_of_ones_own(x):
    with scale("abc") as k:
        y = x[0] * k
    return y * y


@contextlib.contextmanager
def keeps_errors_back():
    try:
        yield
    except IndexError:
        pass


@CASES.add(vec(3), **later("MutationError"))
def with_a_manager_that_keeps_an_error_back(x):
    y = x[0] * x[1]
    with keeps_errors_back():
        y = y * y
        y = y * x[7]
    return y


@contextlib.contextmanager
def changed(a, s):
    a *= s
    yield a[1] * s
    a[0] += s


@CASES.add(vec(3), default="AD201/AD301", save="ok/AD201")
def with_a_manager_that_writes_and_nothing_inside(x):
    y = x * 1.0
    with changed(y, x[0]):
        k = 1
    return np.sum(y * y) * k


@CASES.add(vec(3), **later("AD201"))
def with_a_manager_that_writes_what_carries_nothing(x):
    y = np.ones(3)
    s = np.sum(x * y)
    with changed(y, 0.5):
        k = 1
    return s * s * k


@CASES.add(vec(3), default="AD201/AD302", save="ok/AD201")
def with_a_manager_that_writes_through_a_view(x):
    y = np.ones(3)
    v = y[1:]
    s = np.sum(x * y)
    with changed(v, 0.5):
        k = 1
    return s * s * k


@contextlib.contextmanager
def squared(s):
    yield s * s


@CASES.add(vec(3), **later("AD201"))
def with_a_manager_that_hands_on_what_it_gets(x):
    with squared(x[0]) as k:
        pass
    return np.sum(x) * k


@CASES.add(vec(3))
def with_a_manager_of_an_array_that_is_of_no_use(x):
    y = x * x
    lost = y * 2.0
    with changed(lost, 0.5):
        k = 1
    return np.sum(y) * k


@CASES.never(vec(3), code="AD201")
def with_a_manager_of_an_array(x):
    y = x * x
    with memoryview(y):
        s = np.sum(y)
    return s


# Exceptions.


@CASES.add(1.3, 0.0, wrt=0, row="64")
def division_that_fails(x, w):
    try:
        y = x / w
    except ZeroDivisionError:
        y = x * x
    return y * y


# A new array that takes the place of another one is not there before it is filled.


@CASES.add(vec(4), vec(3), wrt=0)
def fill_that_fails(x, v):
    y = x * x
    s = np.sum(y * y)
    try:
        y[:] = v
    except ValueError:
        y = 2.0 * y
    return s + np.sum(y * x)


@CASES.add(vec(4), vec(3), wrt=0)
def fill_that_fails_the_second_time(x, v):
    y = x * x
    s = np.sum(y * y)
    for k in range(3):
        try:
            y[:] = k * x
            s = s + np.sum(y * x)
            y[:] = v
        except ValueError:
            y = y * x
    return s + np.sum(y)


@CASES.add(vec(4), vec(3), wrt=0)
def product_in_place_that_fails(x, v):
    y = x[:1] * x[1:2]
    s = np.sum(y * y)
    try:
        y *= v
    except ValueError:
        s = s + y[0] * y[0]
    return s + np.sum(y * x)


@CASES.add(vec(4), vec(3), wrt=0)
def fill_whose_failure_is_suppressed(x, v):
    y = x * x
    s = np.sum(y * y)
    with contextlib.suppress(ValueError):
        y[:] = v
    return s + np.sum(y * x)


@CASES.add(vec(4))
def fill_in_a_loop_that_may_fail(x):
    y = x + 1.0
    for _ in range(2):
        try:
            np.multiply(y[::-1], x, out=y)
        except ValueError:
            x = 2.0 * y
    return np.sum(y)


@CASES.add(vec(4))
def array_tried_again(x):
    while True:
        try:
            y = x * x
            if y[0] < 0.5:
                raise ValueError
            break
        except ValueError:
            x = 1.5 * x
    return np.sum(y)


@CASES.add(vec(4), row="64")
def numbers_bound_before_the_exception(x):
    s = x[0]
    try:
        s = s * x[1]
        y = x[2] * s
        s = s * y
        if x[0] < 1.0:
            raise ValueError("too small")
        s = s * 100.0
    except ValueError:
        s = s + x[3] * s
    return s * s


@CASES.add(vec(4), row="64")
def writes_before_the_exception(x):
    y = x * x
    try:
        y[0] = x[1] * x[2]
        y[1] += x[0] * y[0]
        y[7] = x[3]
        y[2] = 3.0 * x[0]
    except IndexError:
        y[3] *= x[0]
    return np.sum(y * y)


@CASES.add(vec(4), final=("x",), row="64")
def writes_to_an_argument_before_the_exception(x):
    s = 0.0
    try:
        x[0] = x[1] * x[2]
        x[1] = x[0] * x[9]
        s = x[2]
    except (KeyError, IndexError):
        x[2] = 3.0 * x[0]
    return s + x[0]


@CASES.add(vec(5), row="64")
def handlers_in_a_loop(x):
    s = 0.0
    for i in range(7):
        try:
            y = x[i] * x[i]
            s = s + y
            z = y * s
            if i == 2:
                raise KeyError(i)
            s = s + z * z
        except KeyError:
            s = s * 2.0 * x[i]
        except IndexError as error:
            assert "bounds" in str(error)
            s = 0.1 * s * s
        else:
            s = s * x[0]
        finally:
            s = s + 0.5
    return s


@CASES.add(vec(4), row="64")
def tries_again(x):
    step = 1.0
    for _ in range(10):
        try:
            y = x * step
            if np.sum(y) > 1.5:
                raise OverflowError
            z = np.sum(y * y)
            break
        except OverflowError:
            step *= 0.5
    else:
        z = 0.0
    return z * x[0]


@CASES.add(vec(4), row="64")
def exits_through_finally(x):
    for k in range(3):
        try:
            if k < 2:
                raise RuntimeError
            return x[0] * x[k]
        except RuntimeError:
            continue
        finally:
            x = x * 1.5
    return x[3]


def too_many(v, n):
    if n > 2:
        raise ValueError("too many")
    return v * v * n


def fills(a, n):
    a[0] = a[1] * 2.0
    if n > 2:
        raise ValueError("too many")
    a[1] = a[0] * a[2]


@CASES.add(vec(4), row="64")
def callee_that_fails(x):
    s = 0.0
    for n in range(4):
        try:
            s = s + too_many(x[n], n)
        except ValueError:
            s = s * x[0]
    return s


@CASES.add(vec(4), row="64")
def callee_that_writes(x):
    y = x * x
    try:
        fills(y, 1)
    except ValueError:
        y[0] = 0.0
    return np.sum(y * y)


@CASES.add(vec(4), row="64")
def callee_that_fails_in_the_middle_of_writing(x):
    y = x * x
    try:
        fills(y, 3)
    except ValueError:
        y[2] = 0.0
    return np.sum(y * y)


def fills_in_turn(a, n):
    for k in range(3):
        a[k] = a[k + 1] * 2.0
        if k + 2 > n:
            raise ValueError("too many")


@CASES.add(vec(4), row="64")
def check_that_no_handler_takes(x):
    y = x * x
    try:
        try:
            fills_in_turn(y, 2)
        except ValueError:
            y[2] = 0.0
    except Exception:
        y = y * 2.0
    return np.sum(y * y)


def fails_quietly(y):
    try:
        fills_in_turn(y, 2)
    except ValueError:
        y[2] = 0.0


@CASES.add(vec(4), row="64")
def check_in_a_callee_that_no_handler_takes(x):
    y = x * x
    try:
        fails_quietly(y)
    except RuntimeError:
        y[3] = 1.0
    return np.sum(y * y)


@CASES.add(vec(4), row="64")
def loop_of_its_own_that_fails(x):
    try:
        low = np.zeros(4)
        for i in range(4):
            if x[i] > 1.2:
                raise ValueError
            low[i] = x[i] * low[i - 1] + x[i]
        r = np.sum(low * low)
    except ValueError:
        r = x[0] * x[1]
    return r


@CASES.add(vec(4), row="64")
def loop_that_could_fail(x):
    s = 1.0
    try:
        for i in range(4):
            s = s * x[i]
            if s > 100.0:
                raise ValueError
    except ValueError:
        s = s * 2.0
    return s


@CASES.add(vec(4), default="ok/MutationError", row="64")
def loop_that_fails_half_way(x):
    s = 1.0
    try:
        for i in range(4):
            s = s * x[i]
            if i == 2:
                raise ValueError
    except ValueError:
        s = s * 2.0
    return s


@CASES.add(vec(4), row="64")
def second_target_that_fails(x):
    a = np.ones(2)
    i = 3
    try:
        a[0], a[i] = x[0] * x[1], x[2]
    except IndexError:
        pass
    return a[0] * a[1]


@CASES.add(vec(4), row="64")
def connective_that_fails(x):
    y = x[0]
    try:
        y = y and x[1] * x[7]
        y = y * 2.0
    except IndexError:
        pass
    return y * y


@CASES.add(vec(4), row="64")
def cholesky_that_fails(x):
    a = np.outer(x, x)
    try:
        r = np.sum(np.linalg.cholesky(a - np.eye(4)))
    except np.linalg.LinAlgError:
        r = np.sum(np.linalg.cholesky(a + np.eye(4)))
    return r


@CASES.add(vec(4), row="64")
def raised_again_from_another(x):
    y = x * x
    try:
        try:
            z = y[0] * y[1]
            z = z * y[9]
        except IndexError as error:
            raise ValueError("bad") from error
    except ValueError:
        z = y[2] * y[3]
    return z


@CASES.add(vec(4), **later("AD201"))
def value_in_an_exception(x):
    try:
        raise ValueError(x[0] * x[1])
    except ValueError as error:
        y = error.args[0]
    return y * y


@CASES.never(vec(4), code="AD201")
def return_in_finally(x):
    y = x[0]
    try:
        y = y * x[7]
    finally:
        return y * y


# Stars, and functions that collect arguments.


@CASES.add(vec(4))
def starred_targets_of_an_array(x):
    first, *middle, last = x * x
    return first * last + sum(middle) * first


@CASES.add(vec(4))
def starred_targets_of_a_tuple(x):
    a, *rest = (x[0], x[1] * x[2], x[3])
    rest[0] = rest[0] * a
    return rest[0] * rest[1]


@CASES.add(vec(4))
def starred_targets_of_a_list(x):
    values = [x[0], x[1], x[2]]
    a, *rest = values
    rest[0] = rest[0] * a
    return rest[0] * rest[1] + values[1]


@CASES.add(vec(4))
def starred_targets_of_a_loop(x):
    s = 0.0
    for a, *b in [(x[0], x[1], x[2]), (x[1], x[2], x[3])]:
        s = s + a * b[0] * b[1]
    return s


@CASES.add(vec(4))
def starred_targets_of_an_array_that_is_written(x):
    y = x * x
    a, *rest = y
    y[1] = 7.0
    return a * rest[0] + y[1] * y[2]


@CASES.add(vec(4))
def too_few_values(x):
    try:
        a, _, _, _, _, *rest = x
    except ValueError as error:
        assert str(error) == "not enough values to unpack (expected at least 5, got 4)"
        a, rest = x[0] * x[1], [x[2]]
    return a * rest[0]


@CASES.add(vec(4))
def loop_over_a_tuple(x):
    s = 1.0
    for i, (a, b) in enumerate(zip((x[0], x[1]), (x[2], x[3] * x[0]))):
        s = s * a + b * i
    return s


@CASES.add(vec(3))
def list_of_an_array(x):
    values = list(x)
    values[0] = values[1] * values[2]
    return values[0] * values[1]


def product(*factors):
    s = 1.0
    for v in factors:
        s = s * v
    return s


def scaled(a, *rest, scale=1.0, **more):
    """Collects what it can."""
    s = a * product(*rest)
    s = s * scale
    if "shift" in more:
        s = s + more["shift"]
    return s + more.get("extra", 0.5) * a


@CASES.add(vec(4))
def arguments_collected(x):
    s = scaled(x[0], x[1], x[2], scale=x[3], shift=x[0])
    return s + scaled(x[1]) + scaled(x[2], extra=x[3]) * product(*[x[0], x[1]], x[2])


def squares_what(f):
    @functools.wraps(f)
    def call(*args, **kwargs):
        result = f(*args, **kwargs)
        return result * result

    return call


@squares_what
def decorated(a, b, c=2.0):
    return a * b * c


@CASES.add(vec(4))
def decorated_function(x):
    return decorated(x[0], x[1]) + decorated(x[0], b=x[2], c=x[3])


def in_place(a, *, by, from_=0):
    a[from_:] *= by
    return a


@CASES.add(vec(4), row="66")
def collecting_callee_that_writes(x):
    y = x * x
    z = passes_on(y, by=2.0)
    return np.sum(z) + passes_on(y, by=3.0, from_=1)[2]


def passes_on(*args, **kwargs):
    return in_place(*args, **kwargs)


# Functions that are handed functions.


def square(v):
    return v * v


def times(a, b=3.0, c=1.0):
    return a * b * c


@CASES.add(vec(4))
def mapped(x):
    k = x[0] * 2.0
    s = sum(map(square, x)) + sum(map(lambda v: v * k, x))
    return s + sum(map(lambda a, b: a * b * k, x, x[::-1])) * sum(map(operator.mul, x, x))


@CASES.add(vec(4))
def filtered(x):
    values = list(map(np.sin, filter(lambda v: v > 0.65, x)))
    return values[0] * values[1]


@CASES.add(vec(4))
def loop_over_mapped(x):
    s = 1.0
    for v in map(square, x):
        s = s * v
    for v in filter(lambda t: t > 0.65, x):
        if v > 1.5:
            continue
        s = s * v
    else:
        s = s + x[0]
    return s


def small(v):
    if v > 1.4:
        raise ValueError("too large")
    return v * v


@CASES.add(vec(4))
def elements_made_in_turn(x):
    s = 1.0
    for v in map(small, x):  # the last one would raise
        s = s * v
        if s > 0.3:
            break
    return s


@CASES.add(vec(4))
def any_of_mapped(x):
    s = x[0]
    if any(map(lambda v: v > 1.0, x)):
        s = s * x[1]
    if all(v > 1.0 for v in x):
        s = s * x[2]
    return s


@CASES.add(vec(4))
def reduced(x):
    s = reduce(lambda a, b: a * b + x[0], x, 1.0)
    s = s * reduce(lambda a, b: a * b, (v * v for v in x if v > 0.65))
    return s + reduce(np.logaddexp, x) * reduce(max, x)


@CASES.add(vec(3))
def reduced_matrices(x):
    a = np.outer(x, x)
    return np.sum(reduce(np.dot, [a, a + 1.0, a]))


@CASES.add(vec(0), raises=TypeError)
def reduced_without_a_start(x):
    return reduce(times, x)


TRIPLED = partial(times, c=0.5)
TABLE = {"square": square, "times": times}
CHOICE = (square, np.sin)


@CASES.add(vec(4))
def partially_applied(x):
    k = x[0]
    g = partial(times, k)
    k = x[1]
    h = partial(times, b=k, c=2.0)
    return g(x[2]) + h(x[3]) + h(x[0], c=x[1]) + TRIPLED(x[1]) * TRIPLED(x[2], 2.0)


@CASES.add(vec(4))
def chosen_from_a_table(x):
    return TABLE["square"](x[0]) * TABLE["times"](x[1], x[2]) + CHOICE[1](x[3])


@CASES.add(vec(4))
def unpacked_from_mapped(x):
    a, b = map(square, (x[0], x[1]))
    return a * b


@CASES.add(vec(3), raises=ValueError)
def too_many_values(x):
    a, b = x
    return a * b


# Generator functions.


RATE = 2.0


def evens(v, step=2):
    """Every second element."""
    for k in range(0, len(v), step):
        yield RATE * v[k]


def products(v, limit):
    s = 0.0
    for t in v:
        if t > limit:
            return
        s = s + t
        yield t * s


def pairs(v):
    for i in range(len(v)):
        for j in range(i):
            yield i, v[i] * v[j]


def first_and_others(v):
    yield v[0]
    for t in v[1:]:
        yield t * v[0]


def delegating(v):
    yield from evens(v, 1)
    yield from first_and_others(v)


def growing(v):
    y = v
    while True:
        y = y * 1.5
        yield y


def doubling(v):
    for k in range(len(v)):
        v[k] = v[k] * 2.0
        yield v[k]


@CASES.add(vec(5), row="65")
def loop_over_a_generator(x):
    s = 0.0
    for u in evens(x):
        s += u * x[0]
    return s


@CASES.add(vec(5), row="65")
def sums_of_generators(x):
    values = [u * u for u in first_and_others(x) if u > 0.5]
    return sum(evens(x)) + sum(evens(x, step=1)) * max(evens(x)) + values[0] * values[1]


@CASES.add(vec(5), row="65")
def generator_that_ends_early(x):
    s = 1.0
    for u in products(x, 1.3):
        if u < 0.5:
            continue
        s = s * u
    else:
        s = s + x[0]
    return s


@CASES.add(vec(5), row="65")
def break_out_of_a_generator(x):
    s = 1.0
    for i, u in pairs(x):
        if i == 2 and u > 0.6:
            break
        if i == 1:
            continue
        s = s * u
    else:
        s = s * 100.0
    return s


@CASES.add(vec(5), row="65")
def generators_in_a_generator(x):
    s = 0.0
    for u in delegating(x):
        s = s + u * u
    return s


@CASES.add(vec(5), row="65")
def generator_without_an_end(x):
    s = x[0]
    for u in growing(x[1]):
        if u > 5.0:
            break
        s = s * u
    return s


@CASES.add(vec(5), row="65")
def generator_that_writes(x):
    y = x * x
    s = 0.0
    for u in doubling(y):
        s = s + u * y[3]
    return s + np.sum(y)


@CASES.add(vec(5), row="65")
def generators_side_by_side(x):
    s = 0.0
    for u in evens(x):
        for w in first_and_others(x):
            if w > u:
                break
            s = s + u * w
    return s


def search(v):
    for u in evens(v):
        for k in range(3):
            if u * k > 2.0:
                return u * k
    return v[0] * v[1]


@CASES.add(vec(5), row="65")
def return_out_of_a_generator(x):
    return search(x) * search(x * 0.1)


@CASES.add(vec(5), row="65")
def generator_that_is_tested(x):
    s = x[0]
    if any(u > 2.0 for u in evens(x)):
        s = s * x[1]
    return s * reduce(lambda a, b: a * b, evens(x))


def recursive(v, n):
    yield v
    if n:
        yield from recursive(v * v, n - 1)


@CASES.never(vec(5), code="AD401", row="65")
def recursive_generator(x):
    s = 0.0
    for u in recursive(x[0], 3):
        s = s + u
    return s


def guarded_yield(v):
    for t in v:
        try:
            yield t
        finally:
            pass


@CASES.never(vec(5), code="AD401", row="65")
def generator_with_a_yield_in_try(x):
    s = 0.0
    for u in guarded_yield(x):
        s = s + u
    return s


def doubles_an_option(**options):
    options["q"] = options["q"] * 2.0
    return options["q"]


@CASES.add(vec(3))
def collected_keywords_written(x):
    return doubles_an_option(q=x[0] * x[2])


def option_by_another_name(**options):
    other = options
    other["q"] = other["q"] * options["r"]
    return options["q"]


@CASES.add(vec(3))
def collected_keywords_with_two_names(x):
    return option_by_another_name(q=x[0], r=x[1])


@CASES.add(vec(4), vec(4))
def zip_that_is_strict(x, y):
    s = 0.0
    for a, b in zip(x, y, strict=True):
        s += a * b
    return s + sum(a * b for a, b in zip(x[1:], y[:-1], strict=True))


@CASES.add(vec(4), vec(3), raises=ValueError)
def strict_zip_of_different_lengths(x, y):
    s = 0.0
    for a, b in zip(x, y, strict=True):
        s += a * b
    return s


def _scaled_tail(a, v):
    a[1:] = a[1:] * v
    return a


@CASES.refused(vec(4), 0.7, wrt=(0, 1))
@CASES.refused(0.2 * vec(4), 0.7, wrt=(0, 1))
def rebound_before_the_exception_or_not(x, w):
    low = x[0]
    if w > 0.6:
        try:
            if low > 0.5:
                raise ValueError
            x = np.zeros(4) + np.sin(x)
        except ValueError:
            low = low * 2.0
    for _ in (0, 1):
        pair = (x[::-1], x)
        low = low + pair[1][0]
    x = _scaled_tail(x, w)
    x[x > 0.7] *= 0.5
    return np.sum(x) * low


@CASES.add(vec(4))
def view_of_a_step_that_was_done(x):
    x = x.copy()
    for _ in range(3):
        try:
            x[1:] += x[0:3]
            raise ValueError
        except ValueError:
            x = np.zeros(4) + (x[::-1] + x)
    return np.sum(x * x)


@CASES.add(vec(4), True)
@CASES.add(vec(4), False)
def sum_of_two_that_were_used_before(x, added):
    a, b = x * 2.0, x * 3.0
    s, t = np.sum(a * x), np.sum(b * x)
    c = a + b if added else a * b
    return np.sum(c * c) + s * t


@CASES.add(vec(4), 1)
@CASES.add(vec(4), 0)
def sum_on_one_path_of_two_that_were_used_before(x, added):
    a, b = x * 2.0, x * 3.0
    s, t = np.sum(a * x), np.sum(b * x)
    if added:
        c = a + b
    else:
        c = a * b
    return np.sum(c * c) + s * t
