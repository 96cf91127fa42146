"""Exceptions that a called function raises with values that vary, and that the caller reads."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])
SEEN: list[float] = []


class Stop(Exception):
    def __init__(self, x, n=0):
        super().__init__("stopped")
        self.x, self.n = x, n


class Converged(Exception):
    def __init__(self, x, n):
        self.x = x
        self.n = n


class Plain(Exception):
    pass


class Later(Plain):
    pass


def total(x, k):
    y = x * x
    if k > 1:
        raise Plain(np.sum(y), k)
    return y[0]


def newton(x):
    for i in range(50):
        d = (x * x - 2.0) / (2.0 * x)
        x = x - d
        if abs(d) < 1e-6:
            raise Converged(x, i)
    return x


def writes(x, k):
    x[0] = x[1] * x[2]
    if k > 0:
        raise Later(x * 2.0)
    SEEN.append(k)


def halved(x, k):
    return total(x, k) * 0.5


def raised(x):
    try:
        y = total(x, 2)
    except Plain as e:
        y = e.args[0] * e.args[1]
    return y * x[0]


def returned(x):
    try:
        y = total(x, 0)
    except Plain as e:
        y = e.args[0]
    return y * x[0]


def in_a_loop(x):
    s = 0.0
    for k in range(4):
        try:
            s += 2.0 * total(x * k, k)
        except Plain as e:
            s = s + e.args[0] * x[1]
    return s


def by_attributes(x):
    try:
        r = newton(x[0] + 1.0)
    except Converged as e:
        r = e.x * (e.n + 1) * x[2]
    return r * x[1]


def from_further_down(x):
    try:
        y = halved(x, 2)
    except Plain as e:
        y = e.args[0]
    return y


def of_a_class_below(x):
    x, s = x * 1.0, 0.0
    for k in range(2):
        try:
            writes(x, k)
        except Stop:
            s = 7.0
        except Plain as e:
            s = s + np.sum(e.args[0] * x)
    return s * x[0]


def several(x):
    s = 0.0
    for v in x:
        try:
            a = total(x * v, 0)
            b = newton(v + 1.0)
            s = s + a * b
        except (Converged, Stop) as e:
            s = s + e.x * v
    return s


PROGRAMS = [
    raised, returned, in_a_loop, by_attributes, from_further_down, of_a_class_below, several,
]  # fmt: skip


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_what_it_carries_is_followed(f, mode):
    check_grads(f, (X.copy(),), on_overwrite=mode)


def test_effects_happen_once():
    SEEN.clear()
    value, _ = ad.value_and_grad(of_a_class_below)(X.copy())
    assert len(SEEN) == 1
    assert value == of_a_class_below(X.copy())


def test_a_name_that_means_another_function_later():
    before = ad.grad(from_further_down)(X)
    module = sys.modules[__name__]
    kept = module.total

    def other(x, k):
        raise Plain(np.sum(x**3))

    module.total = other
    try:
        np.testing.assert_allclose(ad.grad(from_further_down)(X), 3.0 * X**2)
    finally:
        module.total = kept
    np.testing.assert_array_equal(ad.grad(from_further_down)(X), before)


def guarded(x, k):
    try:
        if k > 1:
            raise Plain(x[0] * x[1])
        return x[0]
    finally:
        SEEN.append(0.0)


def through_a_finally(x):
    try:
        y = guarded(x, 2)
    except Plain as e:
        y = e.args[0]
    return y


def calls_itself(x, k):
    if k == 0:
        raise Plain(np.sum(x * x))
    return calls_itself(x * x, k - 1)


def from_a_recursion(x):
    try:
        y = calls_itself(x, 2)
    except Plain as e:
        y = e.args[0]
    return y


def told_on(x):
    try:
        y = total(x, 2)
    except Plain as e:
        y = e.args[0] * len(str(e.__traceback__))
    return y


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", [from_a_recursion, told_on])
def test_what_is_raised_otherwise(f, mode):
    check_grads(f, (X.copy(),), on_overwrite=mode)


class Value(Exception):
    def __init__(self, value, where=0):
        super().__init__("bad")
        self.value = value
        self.where = where


class Further(Value):
    def __init__(self, value, more):
        super().__init__(value, 3)
        self.more = more * 2.0


class Twice(Value):
    def __init__(self, value):
        super().__init__(value)
        self.value = value * 2.0


class Early(Value):
    def __init__(self, value):
        self.value = value * 2.0
        super().__init__(value)


class Args(Exception):
    def __init__(self, a, b):
        super().__init__(b, a * b)


def fails(x, k):
    if np.sum(x) > k:
        raise Value(x * x, 2)
    return x * 3


def translated(x, k):
    try:
        return fails(x, k)
    except Value as e:
        raise Plain(e.value * 2.0) from e


def a_translation(x, k):
    try:
        y = translated(x, k)
    except Plain as e:
        y = e.args[0]
    return np.sum(y * x)


def past_a_try(x, k):
    try:
        y = x / k
        if np.sum(y) > 1.0:
            raise Value(y * y)
    except Plain:
        y = x
    return y


def through_a_try(x, k):
    try:
        y = past_a_try(x, k)
    except Value as e:
        y = e.value
    return np.sum(y * x)


def past_a_with(x, k):
    with np.errstate(all="ignore"):
        y = x * x
        if np.sum(y) > k:
            raise Value(y)
    return y


def through_a_with(x, k):
    try:
        y = past_a_with(x, k)
    except Value as e:
        y = e.value * 2
    return np.sum(y * x)


def past_a_finally(x, k):
    buf = x * 1.0
    try:
        y = x * x
        if np.sum(y) > k:
            raise Value(buf * y)
        return y
    finally:
        buf *= 2.0
        SEEN.append(0.0)


def through_two_of_them(x, k):
    try:
        try:
            y = past_a_finally(x, k)
        except Plain:
            y = x
        finally:
            x = x * 2.0
    except Value as e:
        y = e.value * 2
    return np.sum(y * x)


def below(x, k):
    if np.sum(x) > k:
        raise Further(x * x, x[0])
    return x


def a_class_below(x, k):
    try:
        y = below(x, k)
    except Value as e:
        y = e.value * e.where
    return np.sum(y * x)


def what_it_has_besides(x, k):
    try:
        y = below(x, k)
    except Further as e:
        y = e.value * e.more
    return np.sum(y * x)


def assigned_again(x, k):
    y = x
    try:
        if np.sum(x) > k:
            raise Twice(x * x)
        raise Args(x[0], x[1] * k)
    except Twice as e:
        y = e.value
    except Args as e:
        y = e.args[0] * e.args[1] * x
    return np.sum(y)


def assigned_before(x, k):
    try:
        raise Early(x * k)
    except Value as e:
        y = e.value
    return np.sum(y * y)


def in_a_handler(x, k):
    y = x
    try:
        try:
            if np.sum(x) > k:
                raise Value(x * x)
            y = fails(x, k * 0.5)
        except Value as e:
            y = y * 2.0
            raise Plain(e.value * 2) from None
        finally:
            y = y * x[0]
    except Plain as e:
        y = e.args[0] * y
    return np.sum(y)


def or_goes_on(x, k):
    y = x
    for c in (1.0, 2.0):
        try:
            try:
                y = y + fails(x * c, k)
            except Value as e:
                if c > 1.5:
                    raise Plain(e.value) from e
                y = y * e.value
        except Plain as e:
            y = y + e.args[0] * 2
    return np.sum(y)


FURTHER = [
    a_translation, through_a_try, through_a_with, through_two_of_them, a_class_below,
    what_it_has_besides, assigned_again, in_a_handler, or_goes_on,
]  # fmt: skip


@pytest.mark.parametrize("k", [0.5, 4.0, 100.0])
@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", FURTHER)
def test_past_what_else_is_around(f, mode, k):
    if f is through_two_of_them and k == 0.5:
        mode = "save"  # `finally` overwrites what the exception was made of
    check_grads(f, (X.copy(), k), on_overwrite=mode)


@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_past_a_finally(mode):
    check_grads(through_a_finally, (X.copy(),), on_overwrite=mode)


def test_what_the_next_class_assigns_once_more():
    check_grads(assigned_before, (X.copy(), 2.0))


LOG: list[str] = []


class Telling(Exception):
    def __init__(self, value):
        LOG.append("made")
        self.value = value


def cleaned(x):
    try:
        raise Telling(x * x)
    finally:
        LOG.append("cleaned")


def made_before_what_is_done_on_the_way(x):
    try:
        cleaned(x)
        y = x
    except Telling as e:
        y = e.value
    return np.sum(y)


def test_an_exception_that_tells_of_being_made_is_made_where_it_was():
    LOG.clear()
    np.testing.assert_allclose(ad.grad(made_before_what_is_done_on_the_way)(X.copy()), 2 * X)
    assert LOG == ["made", "cleaned"]


def ended_in_finally(x):
    try:
        try:
            y = {"a": x[0]}["b"]
        finally:
            raise Plain(x[0] * x[1])
    except Plain as e:
        y = e.args[0]
    return y


@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_a_raise_in_finally_ends_the_exception_under_way(mode):
    try:
        found = ad.value_and_grad(ended_in_finally, on_overwrite=mode)(X.copy())
    except ad.AdtransError:
        return
    assert found[0] == ended_in_finally(X.copy())
    np.testing.assert_allclose(found[1], [X[1], X[0], 0.0])


def swallowing(x, k):
    try:
        try:
            y = np.linalg.inv(np.zeros((2, 2)))[0, 0] if k > 1.0 else x[0]
            if k < 0.5:
                raise np.linalg.LinAlgError(x[0] * x[1])
        except np.linalg.LinAlgError as e:
            y = e.args[0]
    except Exception:
        y = 5.0 * x[1]
    return y


@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_a_handler_inside_a_handler(mode):
    check_grads(swallowing, (X.copy(), 0.3), on_overwrite=mode)


class Solver:
    def __init__(self, w):
        self.w, self.best = w, w * 0.0

    def solve(self, x, k):
        y = self.w * x
        self.best = y * 2
        if np.sum(y) > k:
            raise Value(y * x, 2)
        return y

    def outer(self, x, k):
        return self.solve(x, k) * 2.0

    def translated(self, x, k):
        try:
            return self.solve(x, k)
        except Value as e:
            raise Plain(e.value * 2.0) from e


class Other(Solver):
    def solve(self, x, k):
        if np.sum(x) > k:
            raise Value(x * 3.0)
        return x * self.w


class Model:
    def __init__(self, w):
        self.solver = Solver(w)

    def run(self, x, k):
        try:
            return self.solver.outer(x, k)
        except Value as e:
            self.solver.best = e.value * 0.5
            return e.value * self.solver.best


def from_a_method(x, k):
    m = Solver(x)
    try:
        y = m.solve(x, k)
    except Value as e:
        y = e.value * e.where
    return np.sum(y * m.best)


def from_a_method_further_down(x, k):
    m = Solver(x)
    try:
        y = m.outer(x, k)
    except Value as e:
        y = e.value * m.best
    return np.sum(y * x)


def translated_by_a_method(x, k):
    m = Solver(x)
    try:
        y = m.translated(x, k)
    except Plain as e:
        y = e.args[0]
    return np.sum(y * m.best)


def of_an_attribute(x, k):
    m = Model(x)
    for c in (1.0, 2.0):
        x = m.run(x * c, k)
    return np.sum(x * m.solver.best)


def newton_with_a_fallback(x, k):
    m = Other(x)
    for _ in range(3):
        try:
            x = m.solve(x, k)
        except Value as e:
            x = 0.1 * e.value
    return np.sum(x)


METHODS = [
    from_a_method, from_a_method_further_down, translated_by_a_method, of_an_attribute,
    newton_with_a_fallback,
]  # fmt: skip


@pytest.mark.parametrize("k", [0.5, 4.0, 100.0])
@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", METHODS)
def test_what_methods_raise(f, mode, k):
    check_grads(f, (X.copy(), k), on_overwrite=mode)


def of_one_of_two_classes(x, k):
    y = x
    for m in (Solver(x), Other(x)):
        try:
            y = y + m.solve(x, k)
        except Value as e:
            y = y * e.value
    return np.sum(y)


@pytest.mark.parametrize("k", [0.5, 100.0])
def test_a_method_of_one_of_two_classes_is_not_mistaken(k):
    try:
        check_grads(of_one_of_two_classes, (X.copy(), k))
    except ad.AdtransError as error:
        assert "carries" in str(error)
