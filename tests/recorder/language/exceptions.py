"""Exceptions and contexts."""

from __future__ import annotations

import contextlib

from tests.recorder.language.judge import program


@program()
def carried_values(x):
    class Failed(Exception):
        def __init__(self, v, *rest):
            super().__init__(v, *rest)
            self.v = v * 2

    def go(v):
        if v > 1.0:
            raise Failed(v * x[0], v)
        return v

    t = 0.0
    for v in x:
        try:
            t += go(v)
        except Failed as e:
            t += e.v * e.args[1] + e.args[0]
    return t


@program()
def try_else_finally(x):
    log = []

    def go(v):
        try:
            if v > 1.2:
                raise KeyError(v)
            r = v * 2
        except KeyError as e:
            return e.args[0] * 3
        else:
            return r * r
        finally:
            log.append(v * 0.5)

    return sum(go(v) for v in x) * sum(log)


@program()
def return_in_finally(x):
    def go(v):
        try:
            return v
        finally:
            return v * v  # noqa: B012

    def loop(v):
        for k in range(3):
            try:
                continue
            finally:
                v = v * 1.5
        return v

    return go(x[0]) + loop(x[1])


@program()
def chained_and_nested(x):
    def inner():
        try:
            raise ValueError(x[0])
        except ValueError as e:
            raise RuntimeError(x[1] * 2) from e

    try:
        inner()
    except RuntimeError as e:
        return e.args[0] * e.__cause__.args[0] + (e.__context__ is e.__cause__)


@program()
def reraised(x):
    def f():
        try:
            raise ArithmeticError(x[2])
        except ArithmeticError:
            x2 = x[0] * 2
            raise
        finally:
            seen.append(x2 if "x2" in dir() else 0.0)

    seen = []
    try:
        f()
    except (ArithmeticError, KeyError) as e:
        return e.args[0] * len(seen) * x[3]


@program()
def swallowed_by_with(x):
    class Guard:
        def __init__(self, kinds, fallback):
            self.kinds, self.fallback, self.value = kinds, fallback, None

        def __enter__(self):
            return self

        def __exit__(self, kind, error, tb):
            if kind is not None and issubclass(kind, self.kinds):
                self.value = self.fallback * error.args[0]
                return True
            return False

    with Guard(ValueError, x[0]) as g:
        raise ValueError(x[1])
    with Guard(ValueError, x[0]) as h, Guard(KeyError, x[2]) as k:
        h.value = x[3]
        raise KeyError(x[1])
    return g.value + h.value * k.value


@program()
def exit_stack(x):
    class Level:
        def __init__(self, box, v):
            self.box, self.v = box, v

        def __enter__(self):
            self.box.append(self.v)
            return self.v * 2

        def __exit__(self, *a):
            self.box[0] = self.box[0] * self.v

    box = [1.0]
    t = 0.0
    with contextlib.ExitStack() as stack:
        for v in x:
            t += stack.enter_context(Level(box, v))
        stack.callback(lambda k: box.append(k * x[0]), x[1])
    return t * box[0] + box[-1]


@program()
def suppressed_and_closing(x):
    class R:
        done = 0.0

        def close(self):
            self.done = x[1] * 2

    t = x[0]
    with contextlib.suppress(ZeroDivisionError, KeyError):
        t = t * 2
        t = {"a": t}["b"]
    with contextlib.closing(R()) as r:
        t += r.done
    with contextlib.nullcontext(x[2]) as v:
        t *= v
    with contextlib.redirect_stdout(None):
        print(t)
    return t * r.done
