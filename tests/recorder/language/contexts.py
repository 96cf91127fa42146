"""Exceptions and contexts."""

from __future__ import annotations

import contextlib

import numpy as np

from tests.recorder.language.judge import program, world


@program()
def contextmanager_that_catches(x):
    @contextlib.contextmanager
    def caught(out):
        try:
            yield out
        except ValueError as e:
            out.append(e.args[0] * 2)
        finally:
            out.append(x[3])

    o = [x[0]]
    with caught(o) as p:
        p.append(x[1])
        raise ValueError(x[2])
    return o[0] * o[1] + o[2] * o[3]


@program()
def context_decorator(x):
    class Scaled(contextlib.ContextDecorator):
        def __init__(self, box):
            self.box = box

        def __enter__(self):
            self.box.append(x[0])
            return self

        def __exit__(self, *e):
            self.box.append(self.box[-1] * 2)
            return False

    box = []

    @Scaled(box)
    def f(v):
        return v * box[-1]

    return f(x[1]) * box[-1]


@program()
def steps_that_are_rejected(x):
    class Rejected(Exception):
        pass

    def step(y, h):
        new = y + h * (-x[0] * y * y)
        if abs(new - y) > 0.15:
            raise Rejected(h / 2)
        return new

    y, t, h = x[1], 0.0, 1.0
    while t < 1.0:
        h = min(h, 1.0 - t)
        try:
            y = step(y, h)
            t += h
        except Rejected as r:
            h = r.args[0]
    return y * x[2]


@world()
def errors_kept():
    errors = []

    def f(x):
        t = 1.0
        for v in x:
            try:
                if v > 0.8:
                    raise LookupError("too large", v)
                t *= v
            except LookupError as e:
                errors.append(e)
        return t * sum(e.args[1] for e in errors)

    return f, [[e.args for e in errors], errors]


@program()
def error_of_numpy(x):
    t = x[0]
    try:
        np.linalg.cholesky(np.array([[x[0], 5.0], [5.0, x[1]]]))
    except np.linalg.LinAlgError:
        t = t * 2
    try:
        x[7]
    except IndexError:
        t = t * x[1]
    try:
        x + np.ones(3)
    except ValueError:
        t = t + x[2]
    try:
        t + "a"
    except TypeError:
        t = t * t
    with np.errstate(divide="ignore"):
        return t * np.exp(-x[3])


@program()
def stop_iteration_by_hand(x):
    it = iter(x)
    t = 0.0
    while True:
        try:
            v = next(it)
        except StopIteration:
            break
        t = t * v + v
    return t


@program()
def exception_groups_of_attributes(x):
    class Result(Exception):
        value: float

    def search(lo, hi, depth):
        if depth == 0:
            r = Result()
            r.value = lo * hi
            raise r
        search(lo * x[0], hi * x[1], depth - 1)

    try:
        search(x[2], x[3], 3)
    except Result as r:
        return r.value + 1.0


@program()
def asserts_and_name_errors(x):
    t = 0.0
    try:
        assert x[0] > 1.0, x[1] * 2
    except AssertionError as e:
        t = e.args[0]
    try:
        unknown  # noqa: B018, F821
    except NameError:
        t *= x[2]
    try:
        {}.missing
    except AttributeError:
        t *= 2
    return t
