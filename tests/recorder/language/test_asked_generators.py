"""Generators that are asked by `next` and `send`."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])


def fib(a, b=2.0):
    while True:
        yield a
        a, b = b, a * b


def odd(x):
    n = 0
    while True:
        n += 1
        if n % 2:
            yield n * x


def mean():
    total = 0.0
    count = 0
    avg = 0.0
    while True:
        v = yield avg
        total += v
        count += 1
        avg = total / count


def pairs(x):
    for a in x:
        for i in range(2):
            yield a * (i + 1)
    yield a


def asked_twice(x):
    def squares():
        for v in x:
            yield v * v

    g = squares()
    return next(g) * next(g)


def asked_in_a_loop(x):
    g = fib(x[0], x[1])
    s = 0.0
    for _ in range(5):
        s += next(g) * x[2]
    return s


def turns_without_an_element(x):
    g = odd(x)
    return np.sum(next(g) * x + next(g) ** 2)


def sent(x):
    m = mean()
    next(m)
    s = 0.0
    for v in x:
        s += m.send(v * v) ** 2
    return s


def the_rest_in_a_loop(x):
    g = pairs(x)
    a = next(g)
    s = a
    for v in g:
        s = s * 0.5 + v * a
    return s


def with_a_default(x):
    g = pairs(x)
    s = 0.0
    while True:
        v = next(g, None)
        if v is None:
            break
        s += v**2
    return s


def in_a_comprehension(x):
    g = fib(x[0])
    a = [next(g) for _ in range(4)]
    return a[0] * a[1] + a[2] * a[3]


def with_a_nonlocal_variable(x):
    def counter():
        nonlocal s
        for k in range(10):
            s = s + x[1]
            yield s * k

    s = x[0]
    g = counter()
    a = next(g)
    b = next(g)
    return a + b * s


def at_its_end(x):
    def two():
        yield x[0]
        yield x[1]

    g = two()
    s = next(g)
    try:
        s += next(g)
        s += next(g)
        s += 100
    except StopIteration:
        s = s * x[2]
    return s


def two_generators(x):
    g = fib(x[0])
    h = fib(x[1], x[2])
    return next(g) + next(h) * next(g) + next(h)


def sent_in_a_row(x):
    m = mean()
    m.send(None)
    m.send(x[0])
    return m.send(x[1]) * x[2]


def that_writes(x):
    def w():
        y = x.copy()
        k = 0
        while k < 3:
            y[k] = y[k] ** 2
            yield np.sum(y)
            k += 1

    g = w()
    return next(g) + next(g) * next(g)


def with_another_loop(x):
    g = odd(x[0])
    s = 0.0
    for v, _ in zip(x, range(3), strict=True):
        s += v * next(g)
    return s


def the_old_value_first(x):
    def grow():
        nonlocal s
        while True:
            s = s * x[1]
            yield s

    s = x[0]
    g = grow()
    t = s * next(g)
    return t + s * x[2]


def an_error_ends_it(x):
    def some():
        for v in x:
            if v > 0.8:
                raise ValueError("large")
            yield v * v

    g = some()
    s = 0.0
    for _ in range(4):
        try:
            s += next(g)
        except ValueError:
            s = s * 2
        except StopIteration:
            s = s * 3
    return s


def made_again(x):
    s = 0.0
    for v in x:
        g = fib(v)
        s += next(g) * next(g) * next(g)
    return s


def one_of_two_ways(x):
    g = fib(x[0], x[1])
    if x[2] > 1:
        s = next(g)
    else:
        s = next(g) * next(g)
    return s * next(g)


def from_a_list(x):
    def through(values):
        yield from values
        yield x[2]

    items = [x[0], x[1]]
    g = through(items)
    a = next(g)
    items.append(a * a)
    return a + next(g) * next(g) + next(g)


def left_early(x):
    def up():
        for v in x:
            if v > 1.2:
                return
            yield v * x[2]

    g = up()
    s = next(g)
    for v in g:
        s = s * v
    else:
        s = s + 1
    return s * next(g, 3.0)


def of_one_function(x):
    def ramp(a, n=3):
        for i in range(n):
            yield a + i
        for i in range(n):
            yield a * i

    r = ramp(x[0])
    u = ramp(x[1], n=2)
    total = 0.0
    while True:
        p = next(r, None)
        if p is None:
            break
        total += p * next(u, x[2] * p)
    return total


def a_default_before_the_element(x):
    def grow():
        nonlocal s
        s = s * x[1]
        yield s
        s = s * x[2]

    s = x[0]
    g = grow()
    a = next(g, s)
    return a + next(g, s) + s * x[0]


FIRST = [
    asked_twice,
    asked_in_a_loop,
    turns_without_an_element,
    sent,
    the_rest_in_a_loop,
    with_a_default,
    in_a_comprehension,
    with_a_nonlocal_variable,
    at_its_end,
    two_generators,
    sent_in_a_row,
    that_writes,
    with_another_loop,
]
MORE = [of_one_function, a_default_before_the_element,
    the_old_value_first, made_again, one_of_two_ways, from_a_list, left_early
]  # fmt: skip


@pytest.mark.parametrize("f", FIRST + MORE)
def test_derivatives_go_through_what_a_generator_yields(f):
    check_grads(f, (X,), modes=("reverse", "forward"))
    check_grads(f, (X,), modes=("reverse", "forward"), on_overwrite="save")


@pytest.mark.parametrize("f", [asked_twice, sent, in_a_comprehension, with_a_nonlocal_variable])
def test_second_derivatives_too(f):
    check_grads(f, (X,), modes=("reverse",), order=2)


def test_an_error_in_a_generator_ends_it():
    try:
        value, gradient = ad.value_and_grad(an_error_ends_it)(X)
    except ad.AdtransError:
        return
    assert value == an_error_ends_it(X)
    np.testing.assert_allclose(gradient, [36 * X[0], 0, 0])


def test_what_is_no_sequence():
    def f(x):
        def keys(d):
            for k in d:
                yield k * x[0]

        g = keys({1: x[0], 0: x[1]})
        return next(g)

    check_grads(f, (X,))


def test_stop_iteration_is_what_python_raises():
    def f(x):
        def one():
            yield x[0]

        g = one()
        return next(g) * next(g)

    with pytest.raises(StopIteration):
        ad.grad(f)(X)


def test_a_generator_that_gets_away():
    def f(x):
        g = fib(x[0])
        a = next(g)
        both = [g, g]
        return a * next(both[0])

    check_grads(f, (X,))


def breaks_down(a):
    yield a
    a = a * (1 // int(a > 5))
    yield a * 5


def after_an_error_a_default(x):
    g = breaks_down(x[0])
    s = next(g)
    try:
        s = s + next(g)
    except ZeroDivisionError:
        s = s * 2
    return s + next(g, x[1])


def after_an_error_its_end(x):
    s = 0.0
    for k in range(2):
        g = breaks_down(x[k])
        for _ in range(3):
            try:
                s += next(g) * x[1]
            except ZeroDivisionError:
                s = s * x[2]
            except StopIteration:
                s = s * x[2] * 3
    return s


def after_an_error_no_turn(x):
    g = breaks_down(x[0])
    s = next(g)
    try:
        next(g)
    except ZeroDivisionError:
        s = s * 2
    for v in g:
        s = s * v * 11
    return s * x[1]


def made_in_one_turn_and_asked_in_another(x):
    s = 0.0
    for k in range(3):
        if k == 0:
            g = fib(x[0], x[2])
        else:
            s += next(g) * x[1]
    return s


def made_before_an_error_and_asked_after_it(x):
    s = 0.0
    try:
        g = fib(x[0], x[2])
        if x[0] < 1:
            raise ValueError
        s += next(g)
    except ValueError:
        s = s + next(g) * 3
    return s + next(g)


@pytest.mark.parametrize(
    "f",
    [
        after_an_error_a_default,
        after_an_error_its_end,
        after_an_error_no_turn,
        made_in_one_turn_and_asked_in_another,
        made_before_an_error_and_asked_after_it,
    ],
)
def test_where_a_generator_may_stand_is_never_too_little(f):
    check_grads(f, (X,), modes=("reverse", "forward"), on_overwrite="save")


def stops(a):
    yield a
    raise StopIteration


def runs_out(a):
    yield a
    yield a * next(iter([]))


def _stop():
    raise StopIteration


def stops_in_a_function(a):
    yield a
    _stop()


@pytest.mark.parametrize("made", [stops, runs_out, stops_in_a_function])
def test_what_python_makes_a_runtime_error_is_no_end(made):
    def asked(x):
        g = made(x[0])
        s = next(g)
        try:
            s += next(g)
        except StopIteration:
            s = s * 3
        except RuntimeError:
            s = s * 10
        return s

    def gone_through(x):
        s = 0.0
        try:
            for v in made(x[0]):
                s += v
        except StopIteration:
            s = s * 3
        except RuntimeError:
            s = s * 10
        return s

    for f in (asked, gone_through):
        check_grads(f, (X,))


def powers_of_two(n, x):
    for i in range(n):
        yield x / (i + 1), 2 ** (-i)


def test_the_bounds_of_a_range_are_whole_numbers_of_python():
    def f(x):
        g = powers_of_two(np.argmax(x), x[0])
        a, b = next(g)
        c, d = next(g)
        return a * b + c * d

    def fraction(x):
        g = powers_of_two(2.0, x[0])
        return next(g)[0]

    check_grads(f, (X,), modes=("reverse", "forward"))
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        ad.grad(fraction)(X)


def of_its_own_range(x):
    range = [3, 5].__getitem__
    for i in range(slice(2)):
        yield x * i


def test_what_is_called_range_is_looked_up():
    def f(x):
        g = of_its_own_range(x[0])
        return next(g) * next(g)

    check_grads(f, (X,))


def through_a_list(a, x):
    for b in [a, x[1]]:
        yield b * a


def through_a_tuple(a, x):
    for b in (a, x[1]):
        yield b * a


def through_a_copy(a, x):
    values = list(x)
    for b in values:
        yield b * a


@pytest.mark.parametrize("made", [through_a_list, through_a_tuple, through_a_copy])
def test_containers_of_a_generator(made):
    def in_a_row(x):
        g = made(x[0], x)
        return next(g) * x[2] + next(g)

    def in_a_loop(x):
        g = made(x[0], x)
        s = x[0]
        for _ in range(2):
            s = s * x[1] + next(g, x[0])
            s = s + next(g, 0.5)
        return s

    check_grads(in_a_row, (X,), modes=("reverse", "forward"))
    check_grads(in_a_loop, (X,))


def of_an_expression(x):
    squares = (v * v for v in x if v > 0.5)
    first = next(squares)
    return first * next(squares)


def of_an_expression_in_a_loop(x):
    k, total = 2.0, 0.0
    scaled = (k * np.sin(v) for v in x)
    for _ in range(2):
        total += next(scaled)
        k = 3.0
    return total


def of_an_expression_over_an_array_that_changes(x):
    y = x.copy()
    squares = (v * v for v in y)
    first = next(squares)
    y[1] = 3 * x[0]
    return first * next(squares)


def of_an_expression_to_its_end(x):
    values = (v for v in x)
    v, total = 2.0, 0.0
    while True:
        found = next(values, None)
        if found is None:
            break
        total += found * found * v
    return total


def of_an_expression_that_has_no_elements(x):
    none = (v for v in x if v > 100)
    try:
        a = next(none)
        b = next(none)
    except StopIteration:
        a, b = x[0] ** 2, 1.0
    return a * b


EXPRESSIONS = [
    of_an_expression,
    of_an_expression_in_a_loop,
    of_an_expression_over_an_array_that_changes,
    of_an_expression_to_its_end,
    of_an_expression_that_has_no_elements,
]


@pytest.mark.parametrize("f", EXPRESSIONS)
def test_a_generator_expression_under_a_name_is_asked_too(f):
    x = np.array([0.6, 0.9, 1.3])
    check_grads(f, (x,), modes=("reverse", "forward"))
    assert ad.vjp(f, x)[0] == f(x)
