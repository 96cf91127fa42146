"""Exceptions, contexts, loops, assertions."""

from __future__ import annotations

import contextlib

import numpy as np

from tests.features.model import Section

row = Section("Control")


@row("`if`, `elif`, `else`")
def branches(x):
    if x[0] > 1.0:
        return np.sum(x)
    elif x[0] > 0.5:
        return np.sum(x * x)
    else:
        return x[0]


@row("conditional expression")
def conditional(x):
    return x[0] * x[0] if x[0] > 0.5 else x[1]


@row("`and`, `or` as values")
def boolean(x):
    return (x[0] and x[1] * x[1]) * (x[2] or 1.0)


@row("`for` over a range, `break`, `continue`")
def for_range(x):
    s = 1.0
    for k in range(3):
        if k == 1:
            continue
        s = s * x[k]
        if s > 100.0:
            break
    return s


@row("`for`/`else`")
def for_else(x):
    s = 1.0
    for v in x:
        s = s * v
        if s > 100.0:
            break
    else:
        s = s * s
    return s


@row("`while`")
def while_(x):
    s = x[0]
    while s < 10.0:
        s = s * 2.0 + x[1]
    return s


@row("`while True` with `break`")
def while_true(x):
    s, k = x[0], 0
    while True:
        s = s * s + x[1]
        k += 1
        if k == 3:
            break
    return s


@row("early return from a loop")
def early_return(x):
    for v in x:
        if v > 0.8:
            return v * v * x[0]
    return x[0]


@row("`try` without an exception")
def try_(x):
    try:
        s = x[0] * x[1]
    except ValueError:
        s = x[2]
    return s * s


@row("through a handler")
def handler(x):
    try:
        s = x[0] * x[1]
        raise ValueError
    except ValueError:
        s = x[2] * x[2]
    return s * x[0]


@row("a write before the exception")
def write_before(x):
    y = x * 2.0
    try:
        y[0] = x[1] * x[2]
        raise ValueError
    except ValueError:
        y[1] = x[0] * x[0]
    return np.sum(y)


@row("an exception from a callee")
def from_callee(x):
    try:
        s = _raises(x[0])
    except ValueError:
        s = x[1] * x[1]
    return s


def _raises(v):
    if v < 1.0:
        raise ValueError
    return v


@row("`try`/`else`")
def try_else(x):
    try:
        s = x[0] * x[1]
    except ValueError:
        s = x[2]
    else:
        s = s * s
    return s


@row("`try`/`finally`")
def finally_(x):
    y = x * 1.0
    try:
        y[0] = x[1] * x[2]
    finally:
        y[1] = x[0] * x[0]
    return np.sum(y)


@row("a return inside `try`/`finally`")
def finally_return(x):
    log = []
    try:
        return x[0] * x[1]
    finally:
        log.append("done")


@row("`with`")
def with_(x):
    with np.errstate(divide="ignore"):
        y = np.log(x)
    return np.sum(y)


@contextlib.contextmanager
def _scaled(v):
    yield 2.0 * v


@row("`with` over `contextlib.contextmanager`")
def own_manager(x):
    with _scaled(x) as y:
        s = np.sum(y * y)
    return s * x[0]


@row("`contextlib.suppress`")
def suppressed(x):
    s = x[0] * x[0]
    with contextlib.suppress(ValueError):
        raise ValueError
    return s


@row("`assert`")
def assert_(x):
    assert x[0] > 0.0, "positive"
    return np.sum(np.sqrt(x))


@row("`raise` on a path not taken")
def raise_(x):
    if x[0] < 0.0:
        raise ValueError(f"{x[0]} is negative")
    return np.sum(np.sqrt(x))


@row("`raise ... from` caught")
def raise_from(x):
    try:
        try:
            raise KeyError
        except KeyError as error:
            raise ValueError from error
    except ValueError:
        return x[0] * x[1]


@row("a value carried by an exception")
def carried(x):
    try:
        raise ValueError(x[0] * x[1])
    except ValueError as error:
        return error.args[0]


@row("`del` of a variable")
def del_(x):
    y = x * x
    s = np.sum(y)
    del y
    return s


@row("`print` and f-strings")
def printed(x):
    print(f"{x[0]:.1f}", end="")
    return np.sum(x * x)


class Found(Exception):
    def __init__(self, value):
        super().__init__(value)
        self.value = value


@row("value that an exception carries")
def carried_by_an_exception(x):
    try:
        for v in x:
            if v > 0.8:
                raise Found(v * v)
    except Found as found:
        return found.value * x[0]
    return x[1]


def _found_in(v, k):
    if k > 0:
        raise Found(v * v)
    return v


@row("value that an exception of a callee carries")
def carried_from_a_callee(x):
    total = 0.0
    for k in range(2):
        try:
            total = total + _found_in(x[k], k)
        except Found as found:
            total = total + found.value * x[2]
    return total


class _Root:
    def __init__(self, a):
        self.a = a

    def find(self, x):
        for _ in range(9):
            x = x - (x * x - self.a) / (2.0 * x)
            if abs(x * x - self.a) < 1e-9:
                raise Found(x)
        return x


@row("value that an exception of a method carries")
def carried_by_an_exception_of_a_method(x):
    root = _Root(x[0])
    try:
        y = root.find(x[1] + 1.0)
    except Found as found:
        y = found.value * x[2]
    return y


@row("`contextlib.contextmanager` defined inside")
def local_manager(x):
    seen = []

    @contextlib.contextmanager
    def doubled(v):
        seen.append(v)
        yield 2 * v

    with doubled(x[0]) as v:
        total = v * x[1]
    return total * seen[0]
