"""A function that an object from outside holds, replaced while the program runs, by any way that
Python has for it."""

from __future__ import annotations

import operator

import pytest

import adtrans as ad


def line(x):
    return x


def square(x):
    return x * x


class Model:
    def __init__(self):
        self.f = line


model = Model()
same = model
NAME = "f"


def by_setattr():
    setattr(same, NAME, square)


def by_attribute():
    same.f = square


def by_dictionary():
    same.__dict__["f"] = square


def by_vars():
    vars(same)["f"] = square


def by_update():
    same.__dict__.update(f=square)


def by_object():
    object.__setattr__(same, "f", square)


def by_method():
    same.__setattr__("f", square)


def by_globals():
    globals()["model"].f = square


def of_a_list():
    [same][0].f = square


def of_an_iterator():
    next(iter([same])).f = square


def by_operator():
    operator.setitem(same.__dict__, "f", square)


def by_map():
    list(map(lambda m: setattr(m, NAME, square), [same]))  # noqa: C417  # that is the way tested


WAYS = [
    by_setattr, by_attribute, by_dictionary, by_vars, by_update, by_object, by_method, by_globals,
    of_a_list, of_an_iterator, by_operator, by_map,
]  # fmt: skip


def reader(x):
    return model.f(x)


def uses(replace):
    def here(x):
        replace()
        return model.f(x)

    def in_a_callee(x):
        replace()
        return reader(x)

    def before_and_behind(x):
        a = model.f(x)
        replace()
        return a * model.f(x)

    return here, in_a_callee, before_and_behind


SLOPES = (6.0, 6.0, 27.0)  # at 3: of x², x², and x³


@pytest.mark.recorded
@pytest.mark.parametrize("use", range(3))
@pytest.mark.parametrize("replace", WAYS)
def test_gradients(replace, use):
    f = uses(replace)[use]
    model.__init__()
    value, slope = ad.value_and_grad(f)(3.0)
    assert (value, slope) == (27.0 if use == 2 else 9.0, SLOPES[use])
    model.__init__()
    try:
        slope = ad.grad(f, on_unfollowed="refuse")(3.0)
    except ad.CompileError:
        return
    assert slope == SLOPES[use]


class Holder:
    def __init__(self):
        self.model = Model()


holder = Holder()


def of_a_part(x):
    holder.model.__dict__["f"] = square
    return holder.model.f(x)


def of_one_in_a_list(x, models):
    setattr(models[0], NAME, square)
    return models[0].f(x)


@pytest.mark.recorded
@pytest.mark.parametrize("how", ["refuse", "record"])
def test_parts_of_what_is_given(how):
    holder.__init__()
    for f, given in ((of_a_part, ()), (of_one_in_a_list, ([Model()],))):
        try:
            assert ad.value_and_grad(f, on_unfollowed=how)(3.0, *given) == (9.0, 6.0)
        except ad.CompileError:
            assert how == "refuse"


def test_what_is_not_replaced_is_compiled():
    def f(x):
        return model.f(x) * x

    model.__init__()
    assert ad.grad(f)(3.0) == 6.0
