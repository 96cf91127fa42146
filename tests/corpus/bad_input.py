"""Programs and arguments that must meet a clear error, whatever the options."""

from __future__ import annotations

import asyncio
import ctypes

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("bad")

def _counting():
    count = 0.0

    def nonlocal_rebound(x):
        nonlocal count
        count = np.sum(x)
        return count * 2.0

    return nonlocal_rebound


CASES.never(vec(3), code="AD203")(_counting())


@CASES.never(vec(3), code="AD204")
def generator(x):
    for v in x:
        yield v * v


@CASES.never(vec(3), code="AD204")
async def coroutine(x):
    await asyncio.sleep(0)
    return np.sum(x)


@CASES.add(vec(3), default="ok/AD201", save="ok/AD201")
def with_statement_around_a_derivative(x):
    with np.errstate(all="ignore"):
        y = np.log(x)
    return np.sum(y)


@CASES.add(1.5, default="ok/AD201", save="ok/AD201")
def try_statement(x):
    try:
        y = x * x
    except ZeroDivisionError:
        y = 0.0
    return y


@CASES.add(1.5, 1, default="ok/AD201", save="ok/AD201")
def match_like_dispatch(x, k):
    class Box:
        value = 2.0

    return x * Box.value * k


@CASES.add(vec(3), default="ok/AD202", save="ok/AD202")
def comprehension_with_a_derivative(x):
    return sum([v * v for v in x])


@CASES.add(vec(3), default="ok/AD202", save="ok/AD202")
def generator_expression_with_a_derivative(x):
    return sum(v * v for v in x)


@CASES.never(vec(3), code="AD401/AD409")
def function_without_a_rule(x):
    return np.sum(np.sinc(x)) + np.sum(np.histogram(x)[1])


@CASES.never(vec(3), code="AD105")
def unknown_name(x):
    return np.sum(x) * no_such_name  # noqa: F821


@CASES.never(3, code="AD402")
def integer_argument(x):
    return x * 2.0


@CASES.never(np.array([1, 2, 3]), code="AD402")
def integer_array_argument(x):
    return np.sum(x * 1.5)


@CASES.never("text", code="AD402")
def string_argument(x):
    return 1.0 if x else 2.0


@CASES.never(True, code="AD402")
def boolean_argument(x):
    return 1.0 * x


@CASES.never(1.0 + 2.0j, code="AD407")
def complex_argument(x):
    return abs(x) ** 2


@CASES.never(np.ma.masked_array(vec(3), mask=[0, 1, 0]), code="AD408")
def masked_array_argument(x):
    return np.sum(x * x)


@CASES.never(vec(3), wrt="z", code="AD403")
def unknown_parameter(x):
    return np.sum(x)


@CASES.never(vec(3), wrt=4, code="AD403")
def unknown_position(x):
    return np.sum(x)


@CASES.never(vec(3), wrt=1.5, code="AD410")
def selector_of_a_wrong_type(x):
    return np.sum(x)


@CASES.never(vec(3), wrt=(0, 0), code="AD410")
def selector_given_twice(x):
    return np.sum(x)


@CASES.never(vec(3), code="AD410", options={"on_unproven": "hope"})
def unknown_choice(x):
    return np.sum(x)


@CASES.never(vec(3), code="AD306")
def float_into_integers_in_a_loop(x):
    y = np.zeros_like(np.arange(3))
    for i in range(3):
        y[i] = x[i] * 10.0
    return np.sum(x) * y[0]


@CASES.never(mat(3, 3), code="AD307/AD104/AD401")
def raw_memory_write(x):
    y = x * 2.0
    z = y * y
    ctypes.memset(y.ctypes.data, 0, 8)
    return np.sum(z)
