"""Tuples that are bound in the block of a `try` or a `with`, and read behind it."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("blocks")


@CASES.add(vec(3))
def bound_again_in_a_try(x):
    pair = (x, x * 2.0)
    try:
        pair = (x * x, x**3)
    except ValueError:
        pass
    return np.sum(pair[0]) + np.sum(pair[1] * x)


@CASES.add(vec(3))
def bound_again_in_a_with(x):
    pair = (x, x * 2.0)
    for k in range(3):
        with np.errstate(all="ignore"):
            a, b = pair
            pair = (b * x[k], a)
    return pair


@CASES.add(vec(3), 0)
@CASES.add(vec(3), 3)
def in_each_block_of_a_try(x, n):
    pair = (x, x * 2.0)
    held = [x * 4.0]
    try:
        pair = (held[n], x**3)
    except IndexError:
        pair = (pair[1] * x, pair[0])
    else:
        pair = (pair[0] * x, pair[1])
    finally:
        pair = (pair[0] * 2.0, pair[1])
    a, b = pair
    return np.sum(a) + np.sum(b * x)


@CASES.add(vec(3), 0)
@CASES.add(vec(3), 3)
def returned_out_of_a_try(x, n):
    held = [x * 2.0]
    try:
        return x, held[n]
    except IndexError:
        return x * x, x


@CASES.add(vec(3), 2)
def returned_out_of_a_with(x, n):
    with np.errstate(all="ignore"):
        pair = (x, x * 2.0) if n else (x * 3.0, x)
        if n > 2:
            return pair
        return pair[1], pair[0]
