"""What a function imports inside itself: another name than outside, and compared at each call."""

import sys
import types

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.lower import looked_up
from adtrans.testing import check_grads


class S:
    lr = 100.0


class Rate:
    lr = 3.0


def change():
    import inside_config as m

    m.K = m.K + 1.0


class inside_config:
    K = 50.0


X = np.array([0.7, 1.2])


@pytest.fixture(autouse=True)
def config(monkeypatch):
    made = types.ModuleType("inside_config")
    made.K, made.h, made.S = 2.0, lambda v: v * 2.0, type("S", (), {"lr": 2.0})
    monkeypatch.setitem(sys.modules, "inside_config", made)
    return made


def of_class(x):
    from inside_config import S

    return x[0] * S.lr


def of_module(x):
    import inside_config

    return x[0] * inside_config.K


def of_data(x):
    from inside_config import K as factor

    return x[0] * factor


def of_function(x):
    from inside_config import h

    return h(x[0])


def in_local_function(x):
    import inside_config as c

    def g(v):
        return v * c.K

    return g(x[0])


EACH = [of_class, of_module, of_data, of_function, in_local_function]


@pytest.mark.parametrize("f", EACH)
def test_an_import_hides_a_global_of_that_name(f):
    check_grads(f, (X,))
    np.testing.assert_array_equal(ad.grad(f)(X), [2.0, 0.0])
    assert ad.jvp(ad.differentiable(f), (X,), (np.array([1.0, 0.0]),)) == (f(X), 2.0)


@pytest.mark.parametrize("f", EACH)
def test_what_is_imported_is_compared_at_each_call(f, config):
    d = ad.differentiable(f)
    np.testing.assert_array_equal(d.grad(X), [2.0, 0.0])
    config.K, config.h, config.S.lr = 3.0, lambda v: v * 3.0, 3.0
    assert ad.vjp(d, X)[0] == f(X)
    np.testing.assert_array_equal(d.grad(X), [3.0, 0.0])


def test_another_module_of_that_name(config, monkeypatch):
    d = ad.differentiable(of_module)
    d.grad(X)
    other = types.ModuleType("inside_config")
    other.K = 5.0
    monkeypatch.setitem(sys.modules, "inside_config", other)
    np.testing.assert_array_equal(d.grad(X), [5.0, 0.0])


def of_libraries(x):
    from math import sin

    import numpy.linalg
    import scipy.special as sp

    if x[1] > 0:
        from math import exp as e

        y = e(x[1])
    else:
        y = x[1]
    return sin(x[0]) * sp.erf(x[1]) * y * numpy.linalg.norm(x)


def test_libraries():
    check_grads(of_libraries, (X,))


def in_a_branch(x):
    if x[0] > 5.0:
        from math import sin
    try:
        r = sin(x[0])
    except NameError:
        r = 3.0 * x[0]
    return r * x[1]


def later(x):
    try:
        r = math.sin(x[0])
    except NameError:
        r = 3.0 * x[0]
    import math

    return r * math.cos(x[1])


def deleted(x):
    import math

    r = math.sin(x[0])
    del math
    try:
        r = r + math.sin(x[0])
    except NameError:
        r = 3 * r
    return r * x[1]


def read_inside(x):
    def g(v):
        return math.sin(v)

    try:
        r = g(x[0])
    except NameError:
        r = x[1] * 3
    import math

    return r + g(x[1])


def raising(x):
    if x[0] > 5.0:
        from math import sin
    return sin(x[0]) * x[0]


@pytest.mark.parametrize("f", [in_a_branch, later, deleted, read_inside, raising])
def test_what_may_not_be_imported_yet_is_a_variable(f):
    with pytest.raises(CompileError, match="AD401"):
        ad.grad(f)(X)


def read_inside_and_bound(x):
    def g(v):
        return math.sin(v)

    import math

    return g(x[0]) + math.cos(x[1])


def test_a_function_inside_may_be_defined_before():
    check_grads(read_inside_and_bound, (X,))


def outside(v):
    return v * S.lr


def both_meanings(x):
    from inside_config import S

    return outside(x[0]) * S.lr * x[1]


def one_of_two(x):
    from inside_config import K as once
    from inside_config import S, h

    y = h(x[0]) * S.lr
    del once
    return y


def another_inside(x):
    from inside_config import S

    def g(v):
        from math import sin as S

        return S(v)

    return g(x[0]) * S.lr


@pytest.mark.parametrize("f", [both_meanings, one_of_two, another_inside])
def test_two_meanings(f):
    check_grads(f, (X,))


def assigned_before(x):
    import inside_config as m

    m.K = m.K * 2.0
    from inside_config import K

    return x[0] * K + x[1] * m.K


def set_before(x):
    import inside_config as m

    setattr(m, "K", m.K * 2.0)  # noqa: B010
    from inside_config import K

    return x[0] * K


def assigned_by_another(x):
    change()
    from inside_config import K

    return x[0] * K


@pytest.mark.parametrize("f", [assigned_before, set_before, assigned_by_another])
def test_what_is_imported_after_it_was_assigned(f, config):
    expected = [f(X), f(X)]
    config.K = 2.0
    d = ad.differentiable(f)
    assert [ad.vjp(d, X)[0], ad.vjp(d, X)[0]] == expected


def under_another_name(x):
    from inside_config import S

    S.lr = x[0]
    from inside_config import S as again

    return again.lr * x[1]


def perhaps(x):
    outer = Rate()
    from inside_config import S

    S.lr = x[0] * outer.lr
    try:
        from inside_config import S as again
    except ImportError:
        again = outer
    return again.lr * x[1]


@pytest.mark.parametrize("f", [under_another_name, perhaps])
def test_an_object_that_is_assigned_to_has_no_unknown_name(f, config):
    """Not a derivative without what goes through the attribute."""
    config.S = Rate()
    try:
        check_grads(f, (X,))
    except CompileError as error:
        assert "AD203" in [d.code for d in error.diagnostics]


def perhaps_only_read(x):
    try:
        from inside_config import S as read
    except ImportError:
        read = None
    return read.lr * x[1]


def test_an_object_that_is_only_read_may_have_one(config, monkeypatch):
    monkeypatch.setattr(looked_up, "user_classes", lambda: iter((Rate,)))  # not those of all tests
    config.S = Rate()
    check_grads(perhaps_only_read, (X,))


class Sets:
    def put(self, value):
        import inside_config

        inside_config.S.lr = value

    def enter(self, value):
        if value > 0:
            from inside_config import T
        T["a"] = value


def _enter(table, value):
    table["a"] = value


def assigned_by_a_method(x, o):
    o.put(x[0])
    if x[0] > 0:
        from inside_config import S
    return S.lr * x[1]


def written_in_a_method(x, o):
    import inside_config

    o.enter(x[0])
    return inside_config.T["a"] * x[1]


def written_under_a_name(x, o):
    import inside_config

    if x[0] > 0:
        from inside_config import T
    T["a"] = x[0]
    return inside_config.T["a"] * x[1]


def written_by_a_function(x, o):
    import inside_config

    if x[0] > 0:
        from inside_config import T
    _enter(T, x[0])
    return inside_config.T["a"] * x[1]


def updated(x, o):
    import inside_config

    if x[0] > 0:
        from inside_config import A
    A += x[0]
    return inside_config.A[0] * x[1]


def found_by_name(x, o):
    import importlib

    import inside_config

    table = importlib.import_module("inside_config").T
    table["a"] = x[0]
    return inside_config.T["a"] * x[1]


@pytest.mark.parametrize(
    "f",
    [assigned_by_a_method, written_in_a_method, written_under_a_name, written_by_a_function,
     updated, found_by_name],
)  # fmt: skip
def test_what_is_written_may_be_what_is_read(f, config):
    config.S, config.T, config.A = Rate(), {"a": 1.0}, np.ones(2)
    for run in (lambda: ad.vjp(f, X, Sets(), wrt=0), lambda: ad.jvp(f, (X, Sets()), (X, None))):
        with pytest.raises(CompileError) as error:
            run()
        assert "AD203" in [d.code for d in error.value.diagnostics]


def logged(x, log):
    log["first"] = x[0]
    log["more"]["last"] = x[1]
    made = dict(log)
    made["sum"] = x[0]
    kept = np.empty(2, dtype=object)
    kept[0] = x[0]
    return x[0] * x[1]


def test_what_an_argument_holds_may_be_written():
    log = {"more": {}}
    value, pullback = ad.vjp(logged, X, log, wrt=0)
    assert value == X[0] * X[1] and np.allclose(pullback(1.0), [X[1], X[0]])
    assert log == {"first": X[0], "more": {"last": X[1]}}
