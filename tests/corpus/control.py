"""Control flow and calls: matching, contexts, exceptions, generators, functions as values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.corpus.model import Programs, vec

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
