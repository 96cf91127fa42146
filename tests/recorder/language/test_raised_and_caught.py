"""Exceptions that are raised and caught in one function: derivatives of what they carry."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])


class Found(Exception):
    def __init__(self, value):
        self.value = value


class Bad(ValueError):
    def __init__(self, msg, level=2.0):
        super().__init__(msg)
        self.level = level


class Plain(Exception):
    pass


def args_of_a_builtin(x):
    try:
        raise ValueError(x[0] * x[1])
    except ValueError as error:
        return error.args[0]


def out_of_a_loop(x):
    try:
        for v in x:
            if v > 0.8:
                raise Found(v * v)
    except Found as found:
        return found.value * x[0]
    return x[1]


def with_else_and_finally(x):
    s = 0.0
    try:
        for v in x:
            if s > 1.0:
                raise Plain
            s += v * v
    except Plain:
        s = s * 2
    else:
        s = s * 5
    finally:
        s = s + x[0]
    return s


def with_a_default(x):
    s = 0.0
    for v in x:
        try:
            if v > 1.0:
                raise Bad("too large", v * v)
            if v < 0.7:
                raise Bad("low")
            s += v * x[1]
        except Bad as e:
            s += e.level * v
            continue
        s = s * v
    return s


def among_other_exits(x):
    s = 0.0
    for v in x:
        try:
            if v > 1.0:
                break
            if v < 0.7:
                raise KeyError("a")
            s += v * x[1]
        except (ValueError, KeyError):
            s += 3 * v
        finally:
            s = s * s
    return s


def out_of_loops_and_returns(x):
    for k, v in enumerate(x):
        try:
            w = v * x[0]
            while True:
                w = w * 1.5
                if w > 2:
                    raise Found(w)
                if w > 1.7:
                    return w * w
        except Found as e:
            if k == 1:
                return e.value**2
    return 0.0


def helper(v):
    if v > 1.0:
        raise Found(v * v)
    return v


def from_a_callee(x):
    s = 0.0
    try:
        for v in x:
            s += helper(v)
        if s > 10:
            raise Found(s)
    except Found as e:
        s = e.value
    return s


def through_another_try(x):
    try:
        try:
            if x[0] < 1:
                raise Found(x[0] * 2)
        except ValueError:
            return x[2]
        s = 1.0
    except Found as e:
        s = e.value
    return s * x[1]


def printed(x):
    try:
        if x[0] < 1:
            raise Found(x[0] * 2)
        s = 1.0
    except Exception as e:
        print(type(e).__name__, e)
        s = x[1]
    return s * x[1]


def an_array_that_is_written(x):
    y = x.copy()
    try:
        y[0] = y[0] * y[1]
        if y[0] < 1:
            y[1] = 3 * y[2]
            raise Found(y)
    except Found as e:
        z = e.value
        z[2] = z[1] * z[0]
    return np.sum(y**2)


def in_a_local_function(x):
    def inner(t):
        try:
            if t > 0.8:
                raise Found(t * t)
            return t
        except Found as e:
            return e.value * 3

    return inner(x[0]) + inner(x[1]) * inner(x[2])


def through_a_trusted_manager(x):
    s = 0.0
    with np.errstate(all="ignore"):
        try:
            with np.errstate(all="ignore"):
                if x[0] > 0:
                    raise Found(x[0])
        except Found as e:
            s = e.value * x[1]
    return s


RIGHT = [
    args_of_a_builtin,
    out_of_a_loop,
    with_else_and_finally,
    with_a_default,
    among_other_exits,
    out_of_loops_and_returns,
    printed,
    an_array_that_is_written,
    in_a_local_function,
    through_a_trusted_manager,
]


@pytest.mark.parametrize("f", RIGHT)
def test_what_an_exception_carries_has_a_derivative(f, capsys):
    check_grads(f, (X,), modes=("reverse", "forward"))
    check_grads(f, (X,), modes=("reverse", "forward"), on_overwrite="save")


@pytest.mark.parametrize("f", RIGHT)
def test_no_path_is_mistaken_for_another(f, capsys):
    for x in ([1.4, 0.2, 0.9], [0.1, 0.2, 0.3], [0.75, 1.5, 0.65], [2.0, 3.0, 1.1]):
        check_grads(f, (np.array(x),), modes=("reverse", "forward"))


@pytest.mark.parametrize(
    "f", [args_of_a_builtin, out_of_a_loop, in_a_local_function]
)
def test_second_derivatives_too(f):
    check_grads(f, (X,), modes=("reverse",), order=2)


def test_what_a_callee_raises_beside_what_the_function_does():
    check_grads(from_a_callee, (X,))
    check_grads(from_a_callee, (np.array([0.6, 0.9, 0.7]),))


@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_a_jump_over_another_try(mode):
    check_grads(through_another_try, (X,), on_overwrite=mode)


class Log(Exception):
    said: list = []  # noqa: RUF012

    def __init__(self, value):
        Log.said.append("made")
        self.value = value


def test_an_exception_that_does_more_is_made_as_it_was():
    def f(x):
        try:
            if x[0] > 0:
                raise Log(2.0)
        except Log:
            return x[0] * x[1]
        return x[2]

    Log.said.clear()
    try:
        found = ad.grad(f)(X)
    except ad.AdtransError:
        return
    np.testing.assert_allclose(found, [X[1], X[0], 0])
    assert Log.said == ["made"]


class Message(Exception):
    def __init__(self, value):
        super().__init__(f"bad {value:.2f}")
        self.value = value


class Simple(Exception):
    def __init__(self, value):
        super().__init__(f"bad {value}")
        self.value = value


class Twice(Exception):
    def __init__(self, value):
        self.value = value

    def __getattribute__(self, name):
        found = super().__getattribute__(name)
        return found * 2 if name == "value" else found


def with_its_traceback(x):
    try:
        raise Found(x[1])
    except Found as e:
        return e.value * (2 if e.__traceback__ is not None else 3)


def with_its_cause(x):
    error = ValueError("k")
    try:
        raise Found(x[1] * 2) from error
    except Found as e:
        return e.value * (2 if e.__cause__ is error else 3)


def is_under_way():
    return sys.exc_info()[0] is not None


def with_what_is_under_way(x):
    try:
        raise Found(x[0])
    except Found as e:
        return e.value * (2 if is_under_way() else 3)


def with_a_format_that_fails(x):
    try:
        raise Message(x * 2)
    except Message as e:
        return e.value.sum()
    except TypeError:
        return x[0] * 7


def with_attributes_of_its_own(x):
    try:
        raise Twice(x[0] * 2)
    except Twice as e:
        return e.value


def unbound_behind(x):
    e = x[0]
    try:
        raise Found(x[1])
    except Found as e:
        y = e.value
    try:
        return y * e
    except UnboundLocalError:
        return y * 5


def given_a_function(x, look=is_under_way):
    try:
        raise Found(x[0])
    except Found as e:
        return e.value * (2 if look() else 3)


@pytest.mark.parametrize(
    "f",
    [
        with_its_traceback,
        with_its_cause,
        with_what_is_under_way,
        with_a_format_that_fails,
        with_attributes_of_its_own,
        unbound_behind,
        given_a_function,
    ],
)
def test_an_exception_that_is_more_than_what_it_was_made_of(f):
    check_grads(f, (X,), modes=("reverse", "forward"))


def behind_a_break(x):
    s = x[0]
    for v in x:
        try:
            if s > 5:
                continue
            s = s * v
            break
            raise Found(s)
        except Found as e:
            s = s + e.value
    return s


def behind_two_branches(x):
    s = x[0]
    for v in x:
        try:
            s = s * v
            if s > 0.5:
                break
            else:
                continue
            raise Found(s)
        except Found as e:
            s = s + e.value
    return s


def behind_a_try_that_leaves(x):
    s = x[0]
    for v in x:
        try:
            try:
                continue
            finally:
                s = s * v
            break
        finally:
            s = s * x[1]
    return s


def with_a_text_that_cannot_fail(x):
    try:
        raise Simple(x[0] * 2)
    except Simple as e:
        return e.value * x[1]


@pytest.mark.parametrize(
    "f",
    [
        behind_a_break,
        behind_two_branches,
        behind_a_try_that_leaves,
        with_a_text_that_cannot_fail,
    ],
)
def test_what_stands_where_control_never_gets_is_left_out(f):
    check_grads(f, (X,), modes=("reverse", "forward"))
    check_grads(f, (X,), modes=("reverse", "forward"), on_overwrite="save")


def from_an_endless_loop_by_a_handler(x):
    s = x[0]
    while True:
        try:
            s = s * 1.5
            if s > 3:
                raise Found(s)
        except Found as e:
            return e.value * x[1]
        s = s + x[2]


def from_an_endless_loop(x):
    s = x[0]
    while True:
        if s > 1:
            if s > 9:
                return s * x[1]
            s = s + x[2]
        s = s * 1.4


def from_endless_loops(x):
    s = x[0]
    while True:
        while True:
            with np.errstate(all="ignore"):
                if s > 9:
                    return s * x[1]
                if s > 4:
                    break
            s = s * 1.4
        s = s * x[1] + x[2]


@pytest.mark.parametrize(
    "f", [from_an_endless_loop_by_a_handler, from_an_endless_loop, from_endless_loops]
)
def test_a_return_deep_in_an_endless_loop_is_not_taken_before_its_time(f):
    check_grads(f, (X,), modes=("reverse", "forward"))
    check_grads(f, (X,), modes=("reverse", "forward"), on_overwrite="save")
