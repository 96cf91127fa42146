"""Exceptions and contexts."""

from __future__ import annotations

import contextlib

import numpy as np

from tests.recorder.language.judge import program, world


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
