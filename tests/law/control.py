"""Programs with loops, exits, conditions, and variables that change what they are."""

from __future__ import annotations

import numpy as np

from tests.law.case import collect

program, PROGRAMS = collect()

VECTOR = np.array([0.6, 0.9, 1.3, 0.7])


@program(VECTOR)
def negative_indices(x):
    y = np.zeros(4)
    for i in range(4):
        y[-i] = x[i] * x[-i - 1]
    return y


@program(VECTOR)
def wrapping_indices(x):
    y = x * 1.0
    for i in range(4):
        y[i] = y[i - 1] * x[i]
    return y


@program(VECTOR)
def exits_of_nested_loops(x):
    s = 0.0
    i = 0
    while i < 4:
        i += 1
        for j in range(3):
            if j == i:
                continue
            if x[j] > 1.2:
                break
            s = s + x[j] * x[i - 1]
        else:
            s = s * x[0]
            continue
        s = s * x[1]
        if i == 3:
            break
    else:
        s = s * 100
    return s


@program(VECTOR)
def return_from_two_loops(x):
    s = 1.0
    for i in range(4):
        for j in range(4):
            s *= x[j] + 0.5
            if s > 2.5:
                return s * x[i]
    return s * 7


@program(VECTOR)
def chained_comparisons(x):
    s = 0.0
    for v in x:
        if 0.65 < v <= 1.0:
            s += v * v
        elif not v < 1.2 and v:
            s += v**3
        s = s if s < 5 or v > 9 else s * v
    return s


@program(VECTOR)
def and_or(x):
    a = x[0] and x[1]
    b = (x[2] > 5 and x[0]) or x[3]
    return a * b


@program(VECTOR, True)
def bound_on_one_branch(x, f):
    if f:
        z = x * x
    return z if f else x


@program(VECTOR)
def number_becomes_array(x):
    s = 0.0
    s = s + x
    s += x
    return s * x


@program(VECTOR)
def number_becomes_array_in_a_loop(x):
    s = 0.0
    for i in range(3):
        s = s + x * s
        s = s + x
    return s


@program(VECTOR)
def loop_variable_changed(x):
    s = 0.0
    for i in range(4):
        i = i // 2
        s += x[i] ** 2
    return s * x[i]


@program(VECTOR)
def loop_variable_used_after(x):
    for i in range(3):
        pass
    for v in x:
        pass
    return v * x[i] * i


@program(VECTOR, may_refuse=("refuse", "save"))
def shadowed_builtins(x):
    sum = 0.0
    len = 4
    range_ = range
    for i in range_(len):
        sum += x[i] ** 2
    return sum


@program(VECTOR)
def names_of_generated_code(x):
    residuals = x * x
    y_bar = residuals * x
    t = y_bar + 1
    t_2 = t * residuals
    np2 = t_2 * t
    x_bar = np2 * x
    _ = x_bar * t
    return _ * residuals


@program(VECTOR)
def forward(x):
    forward_forward = x * x
    unbroadcast = 2.0
    last_writer = forward_forward * unbroadcast
    y = last_writer * x
    return y * last_writer


@program(VECTOR, 2.0)
def parameters_self_and_cls(self, cls):
    self = self * cls
    return self * self


@program(VECTOR)
def underscores(x):
    s = 0.0
    for _ in range(3):
        for _ in range(2):
            s += x[_] ** 2
    return s * x[_]


@program(VECTOR)
def state_in_an_array(x):
    y = x * 1.0
    k = np.array([0])
    while k[0] < 3:
        y[k[0]] = y[k[0] + 1] * y[k[0]]
        k[0] += 1
    return y


@program(VECTOR)
def bisection(x):
    y = x * 1.0
    a = 0
    b = 4
    while b - a > 1:
        m = (a + b) // 2
        if y[m] > 0.8:
            b = m
        else:
            a = m
        y[a:b] *= 1.5
    return y


@program(VECTOR)
def conditional_expressions(x):
    return (x if x[0] > 0.5 else x * 2) * (x[1] if x[2] < 0 else x[3])


@program(VECTOR, 3)
def while_true(x, n):
    s = 0.0
    while True:
        n -= 1
        if n < 0:
            break
        if n == 1:
            continue
        s += x[n] * x[n]
        x[n] = s
    else:
        s = 1000
    return s


@program(VECTOR)
def return_on_one_path(x):
    for i in range(3):
        if x[i] > 1.0:
            return x[i] * x
        x[i + 1] = x[i + 1] * 1.0
    return x


@program(VECTOR)
def chain_of_branches(x):
    if x[0] > 10:
        y = 1.0
    elif x[1] > 0.5:
        y = x[0]
        z = x[1]
    else:
        return 0.0
    return y * z


@program(VECTOR)
def slices_that_shrink(x):
    y = np.zeros(4)
    for i, v in enumerate(x):
        y[i:] += v * v
        if i:
            y[i] *= y[i - 1]
    return y


@program(VECTOR)
def backwards_and_nested(x):
    y = x * 1.0
    for i in range(3, -1, -1):
        for j in range(i):
            y[i] -= y[j] * 0.1 * y[i]
    return y


@program(VECTOR)
def two_numbers_swapped(x):
    p = 1.0
    q = x[0]
    for v in x[::-1]:
        p, q = (q, p * v + q)
    return p * q


@program(VECTOR)
def zips(x):
    s = 0.0
    for a, b in zip(x, x[1:]):
        s += a * b
    for i, (a, b) in enumerate(zip(x[::2], x[1::2])):
        s += i * a * b
    return s


@program(VECTOR)
def iterated_while_written(x):
    y = x * 1.0
    s = 0.0
    for v in y:
        y[3] = y[3] * v
        s += v
    return s


@program(VECTOR)
def parameter_rebound(x):
    s = x[0]
    for i in range(2):
        x = x * s
        s = np.sum(x)
    return s


@program(VECTOR)
def assertions_and_del(x):
    assert len(x) == 4, "no"
    assert x[0] > 0
    y = x
    del x
    return y * y


@program(VECTOR)
def prints(x):
    print("hi", x[0])
    y = x * x
    print(f"{y.sum():.3f}")
    return y


@program(VECTOR)
def integer_becomes_float(x):
    s = 0
    for i in range(2):
        s += x[i]
    return s


@program(VECTOR)
def integer_stays(x):
    s = 0
    for i in range(0):
        s += x[i]
    return s + x[0]


@program(VECTOR)
def integer_or_float(x):
    s = 0
    if x[0] > 5:
        s = s + x[0]
    return s * x[1] + x[2]


@program(VECTOR)
def nested_while(x):
    y = x * 1.0
    lo = 0
    while lo < 3:
        hi = lo
        while hi < 3 and y[hi] < 1.2:
            y[hi + 1] += 0.1 * y[hi]
            hi += 1
        else:
            lo += 1
        lo = max(lo, hi) + 1
    return y


@program(VECTOR)
def none_at_first(x):
    res = None
    for v in x:
        if res is None:
            res = v
        else:
            res = res * v
    return res


@program(VECTOR)
def test_that_binds(x):
    s = x[0]
    while (s := s * 1.5) < 5:
        s = s * x[1]
    return s * s


def shrink(u):
    u *= 0.5
    return u[0]


@program(VECTOR)
def test_that_writes(x):
    u = x * x
    steps = 0
    while shrink(u) > 0.02:
        steps += 1
        if steps == 3:
            continue
        u[1:] += 0.25 * u[:-1]
    else:
        u[2] = u[1] * 1.5
    return np.sum(u)


def constant_of(n):
    return 0.5 + n


@program(VECTOR)
def what_varied_becomes_constant(x):
    s = x[0] * x[1]
    u = x[2]
    for i in range(3):
        u = u * s
        s = constant_of(i)
    return s * x[0] + u
