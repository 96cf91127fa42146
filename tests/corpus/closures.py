"""Functions defined inside: what they capture, bind outside of themselves, write and return."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("closures")


@CASES.add(vec(4))
def calls_a_local_function(x):
    def square(t):
        return t * t

    return np.sum(square(x)) + square(x[0])


@CASES.add(vec(4))
def sees_the_present_value(x):
    k = x[0] * x[1]

    def scaled(t):
        return k * t

    y = scaled(x[2])
    k = y * k
    return y + scaled(x[3])


@CASES.add(vec(3), 1.5, wrt=(0, 1))
def captures_parameters(x, a):
    def residual(t):
        return np.sum(a * t - x * t**2)

    return residual(0.3) * residual(a)


@CASES.add(vec(4), row="40")
def adds_to_a_total(x):
    total = 0.0

    def add(v):
        nonlocal total
        total += v * v

    for i in range(4):
        add(x[i] * (i + 1))
    return total * x[0]


@CASES.add(vec(3), row="40")
def rebinds_an_array(x):
    a = x * 1.0

    def step():
        nonlocal a
        a = a * x

    for _ in range(3):
        step()
    return np.sum(a)


@CASES.add(vec(3), row="40")
def rebinds_inside_an_expression(x):
    k = x[0]

    def step(v):
        nonlocal k
        k = k * v
        return k + 1.0

    s = k + step(x[1]) * k + step(x[2]) - k
    return s * k


@CASES.add(vec(3), row="40")
def rebinds_two_names(x):
    lo, hi = x[0], x[1]

    def narrow(f):
        nonlocal lo, hi
        mid = 0.5 * (lo + hi)
        if f * mid > 1.0:
            hi = mid * mid
            return hi
        lo = mid
        return lo * f

    s = 0.0
    for k in range(4):
        s = s + narrow(x[2] * k)
    return s * (hi - lo)


@CASES.add(vec(3), row="40")
def leaves_early_after_rebinding(x):
    hits = 0.0

    def test(v):
        nonlocal hits
        if v > 1.0:
            return v
        hits = hits + v * v
        if v > 0.8:
            return hits * v

    test(x[0])
    b = test(x[1] + 2.0)
    return b * hits


@CASES.add(vec(3), row="40")
def rebinds_two_levels_up(x):
    a = x[0]

    def outer(t):
        b = a * t

        def inner(u):
            nonlocal a
            a = a + u
            return a * b * u

        return inner(t) + inner(b)

    r = outer(x[1])
    return r * a


@CASES.add(vec(3), row="40")
def rebinds_through_another_local_function(x):
    state = x[0]

    def advance(v):
        nonlocal state
        state = np.sin(state) * v

    def twice(v):
        advance(v)
        advance(v * state)
        return state

    y = twice(x[1])
    return y * state + twice(x[2])


@CASES.add(vec(3), row="40")
def shares_the_array_that_it_rebinds(x):
    a = x * 2.0

    def renew():
        nonlocal a
        a = a * x
        return a

    b = renew()
    b[0] = x[1] * x[2]
    return np.sum(a * x) + b[1]


@CASES.refused(vec(3), row="40")
def needs_the_array_that_it_shares(x):
    a = x * 2.0

    def renew():
        nonlocal a
        a = a * x
        return a

    b = renew()
    s = np.sum(b * b)
    a[0] = x[1] * x[2]
    return s + a[0] * b[1]


@CASES.add(vec(4))
def writes_a_captured_array(x):
    buf = np.zeros(4)

    def put(i, v):
        buf[i] = v * v

    for i in range(4):
        put(i, x[i])
    return np.sum(buf * x)


@CASES.refused(vec(4))
def overwrites_a_captured_array(x):
    buf = x * x

    def clear(i):
        buf[i] = 0.0

    s = np.sum(buf * buf)
    clear(1)
    return s + np.sum(buf)


@CASES.add(vec(3))
def recurs(x):
    k = x[0]

    def power(t, n):
        if n == 0:
            return k
        return t * power(t, n - 1)

    return power(x[1], 3) + power(x[2], 2)


@CASES.add(vec(2))
def recurs_by_turns(x):
    c = x[0]

    def even(n, v):
        return v if n == 0 else odd(n - 1, v * c)

    def odd(n, v):
        return v if n == 0 else even(n - 1, v + c)

    return even(5, x[1])


@CASES.add(vec(2), row="40")
def counts_its_calls(x):
    n, total = 0, 0.0

    def visit(v, depth):
        nonlocal n, total
        n += 1
        total = total + v * n
        if depth > 0:
            visit(v * x[1], depth - 1)
            visit(v + x[1], depth - 1)

    visit(x[0], 2)
    return total


@CASES.add(vec(4))
def lambda_with_defaults(x):
    c = x[0]
    g = lambda t, n=2, m=len(x): c * t**n + m * t
    return g(x[1]) + g(x[2], 3) + g(x[3], m=1)


@CASES.add(vec(3))
def default_is_evaluated_once(x):
    k = x[0]

    def f(t, scale=k * k):
        return scale * t

    k = x[1]
    return f(x[2]) * k + f(k, scale=k)


@CASES.add(vec(4), 3)
def defined_in_a_loop(x, n):
    s = 0.0
    for i in range(n):
        w = x[i]

        def weighted(t):
            return w * t + i

        s = s + weighted(x[i + 1])
    return s


@CASES.add(vec(4))
def defined_in_a_branch(x):
    if x[0] > 0.5:

        def g(t):
            return t * x[1]

        return g(x[2])
    return x[3]


@CASES.add(vec(3))
def parameter_hides_a_captured_name(x):
    k = x[0]

    def g(k):
        return k * k

    def h(t):
        return k * t

    return g(x[1]) * h(x[2])


@CASES.add(mat(2, 3), vec(3), wrt=(0, 1))
def runge_kutta(a, y):
    def rhs(v):
        return np.tanh(a @ v) @ a

    h = 0.1
    for _ in range(3):
        k1 = rhs(y)
        k2 = rhs(y + 0.5 * h * k1)
        y = y + h * k2
    return np.sum(y * y)


@CASES.add(vec(3))
def keyword_arguments(x):
    b = x[0]

    def g(t, *, shift, scale=2.0):
        return scale * (t - shift) * b

    return g(x[1], shift=x[2]) + g(shift=b, t=x[2], scale=x[1])


@CASES.add(vec(3))
def inactive_local_function(x):
    weights = [3, 1, 2]

    def weight(i):
        return weights[i] * 0.5

    s = 0.0
    for i in range(3):
        s = s + weight(i) * x[i] ** 2
    return s


@CASES.add(vec(3), row="40")
def inactive_counter(x):
    calls = 0

    def tick():
        nonlocal calls
        calls += 1
        return calls

    s = 0.0
    for i in range(3):
        tick()
        s = s + x[i] ** tick()
    return s * calls


def _make(k):
    def scaled(t):
        return k * t * t

    return scaled


@CASES.add(vec(3))
def is_itself_a_closure(x):
    return np.sum(TIMES_THREE(x))


TIMES_THREE = _make(3.0)


def _counting(start):
    k = start

    def f(x):
        def g(t):
            return t * k

        return g(x[0]) * g(x[1])

    return f


CASES.add(vec(2))(_counting(1.5))


@CASES.never(vec(3), code="AD201/AD207/AD303/AD401/AD203")
def rebinds_before_an_exception(x):
    k = x[0]

    def step(t):
        nonlocal k
        k = k * t
        if t > 1.0:
            raise ValueError
        return k

    try:
        y = step(x[1])
        y = step(x[2] + 1.0)
    except ValueError:
        y = x[2]
    return y * k


@CASES.add(vec(4))
def nonlocal_that_is_not_used(x):
    scale = 2.0

    def square(v):
        nonlocal scale
        return v * v

    return scale * np.sum(square(x))


@CASES.add(vec(4))
def memo_of_an_inner_function(x):
    memo = {}

    def f(n):
        if n in memo:
            return memo[n]
        r = x[0] if n < 2 else f(n - 1) * x[1] + f(n - 2)
        memo[n] = r
        return r

    return f(5)


@CASES.add(vec(4))
def memo_passed_on(x):
    def f(n, memo):
        if n in memo:
            return memo[n]
        if n < 2:
            return x[n]
        memo[n] = f(n - 1, memo) * x[2] + f(n - 2, memo)
        return memo[n]

    return f(6, {})


@CASES.add(vec(3))
def nothing_but_a_function_in_finally(x):
    try:
        d = x * 2.0
    finally:
        def twice(q):
            return 2.0 * q
    return np.sum(d * x)


def _square(v):
    return v * v


def _cube(v):
    return v * v * v


def _in_turn(fs, z):
    for f in fs:
        z = f(z)
    return z


def _twice(fs, z):
    return _in_turn(fs, _in_turn(fs, z))


def _each(z, *fs):
    return np.stack([f(z) for f in fs])


def _changes_the_first(fs, z):
    result = _in_turn(fs, z)
    fs[0] = _cube
    return result


class _Layers:
    def __init__(self, acts):
        self.acts = acts

    def __call__(self, z):
        for act in self.acts:
            z = act(z)
        return z

    def change(self):
        self.acts[1] = _square


@CASES.add(vec(3))
def list_of_functions_handed_on(x):
    return np.sum(_twice([np.sin, _square], x) * _in_turn([_cube], x))


@CASES.add(vec(3))
def tuple_of_functions_handed_on(x):
    k = x[0]
    return np.sum(_twice((np.tanh, lambda v: v * k, _square), x))


@CASES.add(vec(3))
def functions_as_further_arguments(x):
    return np.sum(_each(x, _square, np.sin, _cube) @ x)


@CASES.add(vec(3))
def list_of_functions_that_the_callee_changes(x):
    fs = [_square, np.sin]
    a = _changes_the_first(fs, x)
    return np.sum(a * _in_turn(fs, x))


@CASES.add(vec(3))
def functions_in_an_attribute(x):
    m = _Layers([np.tanh, _cube])
    a = m(x)
    m.change()
    return np.sum(a * m(x) * _Layers((np.exp, _square))(x))
