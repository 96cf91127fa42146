"""The constructs of the language, one or two in each program."""

from __future__ import annotations

import bisect

import numpy as np

from tests.corpus.model import Programs, later, mat, vec

CASES = Programs("language")

GAIN = 1.75
WEIGHTS = np.array([0.5, -1.0, 2.0])


# Assignments.


@CASES.add(vec(3), 2.0, wrt=(0, 1))
def tuple_targets(x, w):
    a, (b, c) = w * x[0], (x[1], w)
    a, b = b * c, a
    return a + 2.0 * b


@CASES.add(1.2)
def chained_assignment(x):
    a = b = x * x
    b += x
    return a * b


@CASES.add(vec(3))
def chained_assignment_of_one_array(x):
    a = b = x * x
    b[0] = 2.0 * x[1]
    return np.sum(a) + np.sum(b)


@CASES.add(1.2)
def annotated_assignment(x: float) -> float:
    y: float = x * x
    z: float
    z = y + 1.0
    return z * y


@CASES.add(1.2, 0.4, wrt=(0, 1))
def augmented_operators(x, w):
    y = x
    y += w
    y *= x
    y -= w * w
    y /= x + 2.0
    y **= 2
    return y


@CASES.add(vec(3))
def unpacked_array(x):
    a, b, c = x
    return a * b + np.sin(c)


@CASES.add(vec(4))
def walrus(x):
    if (s := np.sum(x)) > 1.0:
        return s * s
    return s


# Branches.


@CASES.add(0.7)
def if_elif_else(x):
    if x > 2.0:
        y = x
    elif x > 0.5:
        y = x * x
    else:
        y = np.sin(x)
    return y * 3.0


@CASES.add(0.7)
def nested_branches(x):
    y = x
    if x > 0.0:
        if x > 1.0:
            y = y * 2.0
        else:
            y = y * x
        y += 1.0
    return y


@CASES.add(vec(3))
def conditional_expression(x):
    y = x[0] if x[0] > x[1] else x[1] * x[1]
    return y * (x[2] if y > 0 else 1.0)


@CASES.add(0.8, None, wrt=0)
def and_or_not(x, w):
    w = w or 2.0
    if x > 0.0 and not x > 1.0 or x < -5.0:
        return x * w
    return x


@CASES.add(0.8)
def chained_comparison(x):
    if 0.0 < x <= 1.0 < 2.0:
        return x**3
    return -x


@CASES.add(0.8, "cos")
def branch_on_a_string(x, how):
    if how == "sin":
        y = np.sin(x)
    elif how in ("cos", "cosine"):
        y = np.cos(x)
    else:
        raise ValueError(how)
    return y


# Loops.


@CASES.add(1.1, 4)
def power_by_a_loop(x, n):
    y = 1.0
    for _ in range(n):
        y = y * x
    return y


@CASES.add(1.1, 0)
def loop_that_never_runs(x, n):
    y = x
    for i in range(n):
        y = y * x * i
    return y * y


@CASES.add(vec(4))
def loop_over_elements(x):
    s = 0.0
    for v in x:
        s += np.sin(v) * s + v
    return s


@CASES.add(mat(3, 4))
def loop_over_rows(x):
    s = np.zeros(4)
    for row in x:
        s = s * row + row
    return np.sum(s)


@CASES.add(vec(4), vec(4, 0.1), wrt=(0, 1))
def loop_over_zip(a, b):
    s = 0.0
    for p, q in zip(a, b):
        s += p * q * q
    return s


@CASES.add(vec(4))
def loop_over_enumerate(x):
    s = 0.0
    for i, v in enumerate(x, 1):
        s += i * v * v
    return s


@CASES.add(vec(4), vec(4, 0.1), wrt=(0, 1))
def loop_over_enumerate_zip(a, b):
    y = np.zeros(4)
    for i, (p, q) in enumerate(zip(a, b)):
        y[i] = p / q
    return np.sum(y)


@CASES.add(vec(4))
def loop_over_reversed(x):
    s = 1.0
    for v in reversed(x):
        s = s * v + v
    for i in reversed(range(3)):
        s += x[i] * i
    return s


@CASES.add(vec(5))
def loop_with_a_step(x):
    s = 0.0
    for i in range(4, 0, -2):
        s += x[i] * x[i - 1]
    return s


@CASES.add(1.1)
def loop_over_a_tuple(x):
    y = 0.0
    for c in (1.0, 2.0, 3.0):
        y = y * x + c
    return y


@CASES.add(1.1)
def while_loop(x):
    y = x
    while y < 10.0:
        y = y * (x + 0.5)
    return y


@CASES.add(1.1)
def while_true_with_break(x):
    y = x
    n = 0
    while True:
        y = y * x
        n += 1
        if n > 3:
            break
    return y * n


@CASES.add(vec(5))
def continue_in_a_loop(x):
    s = 0.0
    for i in range(5):
        if i % 2:
            continue
        s += x[i] * s + x[i]
    return s


@CASES.add(vec(5))
def break_in_a_loop(x):
    s = 0.0
    for i in range(5):
        if x[i] > 1.5:
            break
        s += x[i] ** 2
    return s * x[0]


@CASES.add(mat(3, 3))
def break_in_an_inner_loop(x):
    s = 1.0
    for i in range(3):
        for j in range(3):
            if j > i:
                break
            s = s * x[i, j]
        s += x[i, i]
    return s


@CASES.add(vec(4))
def loop_else_taken(x):
    s = 0.0
    for v in x:
        if v > 100.0:
            s = v
            break
        s += v
    else:
        s = s * x[0]
    return s


@CASES.add(vec(4))
def loop_else_not_taken(x):
    s = 0.0
    for v in x:
        s += v
        if v > 1.0:
            s = v * v
            break
    else:
        s = s * x[0]
    return s


@CASES.add(1.5)
def while_else(x):
    n = 0
    y = x
    while n < 3:
        y = y * x
        n += 1
    else:
        y = y + x
    return y


# Returns.


@CASES.add(0.7)
def early_return(x):
    if x > 1.0:
        return x
    y = x * x
    if x > 0.5:
        return y * 3.0
    return y


@CASES.add(vec(4))
def return_inside_a_loop(x):
    s = 1.0
    for i in range(4):
        s = s * x[i]
        if s > 0.9:
            return s * x[0]
    return s


@CASES.add(mat(3, 3))
def return_inside_two_loops(x):
    for i in range(3):
        for j in range(3):
            if i + j == 2:
                return x[i, j] * x[0, 0]
    return np.sum(x)


@CASES.add(1.4)
def return_inside_while(x):
    y = x
    while True:
        y = y * x
        if y > 3.0:
            return y


@CASES.add(vec(3))
def several_results(x):
    s = np.sum(x)
    return s, x * s, 3


@CASES.add(vec(3), **later("AD207"))
def nested_results(x):
    y = x * x
    return (y[0], [y, np.sin(x)])


@CASES.add(vec(3), **later("AD202"))
def dictionary_of_results(x):
    y = x * x
    return {"sum": np.sum(y), "y": y}


@CASES.add(vec(3))
def argument_returned(x):
    return x


@CASES.add(vec(3))
def result_independent_of_the_argument(x):
    return 3.0


# Calls.


def _scaled(x, factor=2.0, *, shift=0.0):
    return x * factor + shift


def _pair(x):
    return x * x, np.cos(x)


def _product(*factors):
    p = 1.0
    for f in factors:
        p = p * f
    return p


def _factorial_like(x, n):
    if n == 0:
        return 1.0
    return _factorial_like(x, n - 1) * (x + n)


def _even(x, n):
    return x if n == 0 else _odd(x * x, n - 1)


def _odd(x, n):
    return 2.0 * x if n == 0 else _even(x + 1.0, n - 1)


@CASES.add(vec(3), 0.5, wrt=(0, 1))
def keyword_and_default_arguments(x, w):
    return np.sum(_scaled(x) * _scaled(x, w, shift=w) + _scaled(shift=w, factor=3.0, x=x))


@CASES.add(vec(3))
def default_parameters(x, scale=2.0, power=2):
    return np.sum(scale * x**power)


@CASES.add(1.2)
def callee_with_several_results(x):
    a, b = _pair(x)
    return a * b


@CASES.add(vec(3), **later("AD201/AD401"))
def variable_arguments(x):
    return _product(x[0], x[1], x[2]) + _product(*[x[0], x[2]])


@CASES.add(1.2, 3)
def recursion(x, n):
    return _factorial_like(x, n)


@CASES.add(1.2)
def mutual_recursion(x):
    return _even(x, 3)


@CASES.add(1.2)
def nested_function(x):
    def double(v):
        return 2.0 * v

    return double(x) * x


@CASES.add(1.2)
def closure_over_an_active_value(x):
    def scaled(v):
        return v * x

    return scaled(x + 1.0)


@CASES.add(1.2)
def lambda_called(x):
    square = lambda v: v * v
    return square(x) + square(2.0)


@CASES.add(vec(3))
def globals_read(x):
    return np.sum(x * WEIGHTS) * GAIN


@CASES.add(vec(3), np.tanh)
def function_as_an_argument(x, activation):
    return np.sum(activation(x) * x)


# Statements without a derivative.


@CASES.add(1.2)
def assertions(x):
    assert x > 0, f"negative: {x}"
    y = x * x
    assert isinstance(y, float)
    return y


@CASES.add(-1.0, raises=ValueError)
def raising(x):
    if x < 0:
        raise ValueError("negative")
    return np.sqrt(x)


@CASES.add(vec(3), raises=IndexError)
def raising_half_way(x):
    y = x * x
    y[7] = 1.0
    return y[0]


@CASES.add(1.2)
def printing(x):
    y = x * x
    print("y is", y, f"{x:.3f}", end="!\n")
    for i in range(2):
        print(i)
    return y


@CASES.add(1.2)
def documented(x):
    """A docstring
    of two lines."""
    pass
    "a stray string"
    label = f"x={x}"
    return x * len(label) * 0.0 + x * x


@CASES.add(1.2)
def deleted(x):
    y = x * x
    z = y * x
    del y
    return z


@CASES.add(1.2)
def imported_inside(x):
    import math

    return math.sin(x) * math.exp(x) + math.pi


@CASES.add({"a": 1.5, "b": vec(2)}, **later("AD207"))
def dictionary_argument(p):
    return p["a"] * np.sum(p["b"] ** 2)


@CASES.add([1.5, 2.5], **later("AD207"))
def list_argument(p):
    return p[0] * p[1]


@CASES.add((1.5, vec(2)))
def tuple_argument(p):
    a, b = p
    return a * np.sum(b * b)


@CASES.add(vec(4))
def comprehension_over_inactive_values(x):
    weights = [1.0 / (k + 1) for k in range(4)]
    s = 0.0
    for k in range(4):
        s += weights[k] * x[k] ** 2
    return s


@CASES.add(vec(4), row="33", **later("AD207/AD401"))
def append_in_a_loop(x):
    out = []
    for v in x:
        out.append(np.sin(v))
    return out[0] * out[3]


@CASES.add(vec(3), row="35", **later("AD207"))
def list_item_replaced(x):
    items = [x[0], x[1], 0.0]
    items[2] = items[0] * items[1]
    items[0] = items[2] * 2.0
    return items[0] + items[2]


@CASES.add(vec(3), row="36", **later("AD202/AD207/AD301"))
def dictionary_item_replaced(x):
    d = {}
    d["a"] = x[0] * x[1]
    d["a"] = d["a"] * x[2]
    return d["a"]


@CASES.add(mat(3, 2))
def rows_unpacked_by_the_loop(x):
    s = 0.0
    for a, b in x:
        s += a * b * b
    return s


@CASES.add(mat(4, 2), mat(4, 3), wrt=(0, 1))
def rows_unpacked_by_enumerate_and_zip(x, y):
    s = 0.0
    for k, ((a, b), (c, d, e)) in enumerate(zip(x, y)):
        s += k * a * c - b * d * e
    return s


def _start():
    return 1.0, 2.0


@CASES.add(vec(3))
def unpacked_constants_that_vary_later(x):
    a, b = _start()
    for i in range(3):
        a = a * x[i] + b
    return a


# None until there is a number.


@CASES.add(vec(4))
def none_before_the_first(x):
    before, total = None, 0.0
    for v in x:
        step = 0.0 if before is None else v - before
        before = v
        total += step * step
    return total


@CASES.add(vec(4))
def none_until_it_is_larger(x):
    best = None
    for v in x:
        if best is None or v * v > best:
            best = v * v
    if best is not None:
        best *= 2.0
    return best


def _larger(v, bound):
    if v > bound:
        return None
    return v * bound


@CASES.add(vec(5))
def none_from_a_function(x):
    total = 0.0
    for v in x:
        y = _larger(v, 1.2)
        if not y is None:  # noqa: E714
            total += y
        else:
            total -= v * v
    return total


@CASES.add(vec(3))
def default_that_is_none(x, w=None):
    scale = 2.0 if w is None else w * x[0]
    scale += 1.0
    return np.sum(x * x) * scale


@CASES.add(vec(4))
def none_again_and_again(x):
    held, total = None, 0.0
    for i in range(4):
        if held is None:
            held = x[i]
        else:
            total += held * x[i]
            held = None
    return total


@CASES.add(vec(4))
def none_in_a_while(x):
    error, k, y = None, 0, x[0]
    while error is None or error > 0.01:
        new = 0.5 * (y + x[1] / y)
        error = abs(new - y)
        y = new
        k += 1
    return y * k + error


# A star before what has no known length.


def _decay(t, a, b, c=0.5, *, d=1.0):
    return a * np.exp(-b * t) + c * d


_TIMES = np.linspace(0.0, 1.0, 5)


@CASES.add(vec(3))
def fitted_by_all_elements(p):
    return np.sum((_decay(_TIMES, *p) - 1.0) ** 2)


@CASES.add(vec(2))
def fitted_without_the_default(p):
    return np.sum((_decay(_TIMES, *p, d=2.0) - 1.0) ** 2)


@CASES.add(vec(3))
def fitted_with_one_by_name(p):
    return np.sum(_decay(_TIMES, *p[:2], c=p[2]) ** 2)


@CASES.add(vec(4))
def list_spread_in_a_loop(p):
    total = 0.0
    for k in range(3):
        pair = [p[k], p[k + 1] * p[k]]
        total += np.sum(_decay(p, *pair))
    return total


@CASES.add(vec(5), raises=TypeError)
def more_elements_than_parameters(p):
    return np.sum(_decay(_TIMES, *p))


# What is mapped over a display and unpacked is not a list of one kind.


@CASES.add(vec(3), 0.5, wrt=(0, 1))
def mapped_and_unpacked(x, r):
    (a, b, c) = map(np.asarray, [x, r, 2.0])
    return np.sum(a * b * c * a)


@CASES.add(vec(3), 0.5, wrt=(0, 1))
def a_comprehension_of_a_display_unpacked(x, r):
    a, b = [v * v for v in (x, r)]
    v = a * b
    return np.sum(v)


@CASES.add(vec(3))
def a_lambda_over_a_display_unpacked(x):
    a, b, c = map(lambda v: 2.0 * v, (x, 1.5, x))
    a[0] = c[1]
    return np.sum(a * b * x)


@CASES.add(vec(3), 0.5, wrt=(0, 1))
def a_list_of_what_is_mapped_unpacked(x, r):
    x, r, c = list(map(np.asanyarray, (x, r, 2)))
    a, b = tuple([np.atleast_1d(v) for v in (x, r)])
    return np.sum(a * b * c * x)


@CASES.add(vec(3))
def a_list_of_what_is_mapped_binds_its_own_names(x):
    y = 2.0 * x
    for k in range(2):
        y, x = list(map(lambda v: v * x[k], (x, y)))
    x, y = list(map(np.copy, (y, x)))
    x[0] = y[1]
    return np.sum(x * y * y)


@CASES.add(vec(3))
def an_item_is_called_like_a_variable_of_an_inner_comprehension(x):
    u = x[1] * x[1]
    a, b = [sum(u * v for u in x) for v in (x[0], u)]
    c, d = [sum(v * v for v in v) for v in (x, 2.0 * x)]
    e, f = [sum(u * v for u in x) for v in (a, u)]
    return a * b + c * d * e * f


# Texts.


@CASES.add(vec(3))
def a_text_under_a_name_is_formatted(x):
    template = "{:.3f} of {most}"
    other = ("at most {}" if x[0] > 0.5 else "at least {}").format(x[1])
    if np.sum(x) > 100.0:
        raise ValueError(template.format(x[0], most=np.max(x)))
    return np.sum(x * x) * len(template.format(x[0], most=3)) * len(other[:6])


@CASES.add(vec(3))
def a_text_is_formatted(x):
    said = "{0:.3f} of {1:.3f}".format(x[0], np.sum(x))
    return np.sum(x * x) * len(said)


@CASES.add(vec(3))
def a_place_found_by_bisection(x):
    k = bisect.bisect_right([0.1, 0.5, 2.0], x[0])
    return x[k % 3] ** 2


# What may be a number or an array.


@CASES.add(vec(3))
def a_number_has_elements_of_itself(x):
    r = x[0] * x[1]
    mask = np.isclose(r, 1.0) | (r > 0)
    y = np.zeros(1)
    y[:] = r[None]
    total = r[()] * r[...] * np.sum(r[None, None] * x[:2, None]) * y[0]
    for k in range(2):
        total += np.sum(r[mask] * x[k]) + np.sum(r[~mask])
        r = r + x[k]
    return total


def _filled(r):
    try:
        found = np.empty_like(r)
        low = np.isclose(r, 0.0)
        found[~low] = r[~low] * r[~low]
        found[~low] *= r[~low]
        found[low] = 0.0
    except NameError:
        found = 0
    return np.sin(found) * found


@CASES.add(vec(3))
def filled_by_masks(x):
    return _filled(x[0] * x[1]) * np.sum(_filled(x)) + _filled(x[2])


@CASES.add(vec(3))
def what_says_nothing_of_the_values(x):
    y = x * x if x[0] > 0.1 else 2.0
    least = np.pi / 2 - np.finfo(y.dtype).eps
    z = np.sum(np.where(y >= least, 1.0, y * least)) * y.size * y.shape[0]
    return z + sum(np.sum(v) * v.ndim for v in [x, x[0], x[1:]])
