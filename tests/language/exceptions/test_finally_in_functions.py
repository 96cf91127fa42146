"""Local functions with a `finally` that binds a variable of the function around them."""

import numpy as np
import pytest

from adtrans.testing import check_grads

X = np.array([0.7, 1.2, 0.55])


def minimal(x):
    s = x[0] * 1.0

    def g(v):
        nonlocal s
        try:
            return v * 2.0
        finally:
            s = s * 3.0 * v

    r = g(x[1])
    return r * s


def the_variable_itself(x):
    s = x[0] * 1.0

    def g(v):
        nonlocal s
        try:
            return s
        finally:
            s = s * 3.0 * v

    return g(x[1]) * s


def on_one_way(x):
    s = x[0] * 1.0

    def g(v):
        nonlocal s
        try:
            if v > 0.9:
                return s * 2
            s = s + 1
        finally:
            s = s * 3.0 * v
        s = s + v

    r = g(x[1])
    g(x[2])
    return r * s


def in_a_loop(x):
    s = x[0] * 1.0

    def g(v):
        nonlocal s
        for k in range(3):
            try:
                for j in range(2):
                    if k + j == 2:
                        return s * j
            finally:
                s = s * 2.0 * v
        else:
            s = 100.0
        return s

    r = g(x[1]) + s
    return r * s


def by_another(x):
    s = x[0] * 1.0

    def bump(v):
        nonlocal s
        s = s * 3.0 * v

    def g(v):
        try:
            return v * s
        finally:
            bump(v)

    return g(x[1]) * s


def depth(x):
    deep, worst = 0, 0

    def go(n):
        nonlocal deep, worst
        deep += 1
        worst = max(worst, deep)
        try:
            return x[n] if n == 0 else x[n] * go(n - 1)
        finally:
            deep -= 1

    return go(2) * worst + deep * x[1]


def kept_back(x):
    s = x[0] * 1.0

    def g(v):
        nonlocal s
        try:
            try:
                return v * 2.0
            finally:
                s = s * 3.0 * v
                if s > 0:
                    raise ValueError
        except ValueError:
            pass

    r = g(x[1])
    return s * (x[2] if r is None else r)


def kept_back_in_a_loop(x):
    s = x[0] * 1.0

    def g(v):
        nonlocal s
        t = v
        for i in range(4):
            try:
                try:
                    if i < 2:
                        return v * 2.0
                finally:
                    s = s + v
                    if i < 3:
                        raise ValueError
            except ValueError:
                t = t * v
                continue
        return t

    return g(x[1]) * s


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [minimal, the_variable_itself, on_one_way, in_a_loop, by_another, depth, kept_back,
     kept_back_in_a_loop],
)  # fmt: skip
def test_what_a_finally_binds_comes_back(f):
    check_grads(f, (X,))
