"""Arrays that others can see as well: they are written, and none is put in the place of another."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("visible")


class Slot:
    """An object of the caller."""

    def __init__(self):
        self.held = None
        self.u = np.zeros(4)

    def put(self, y):
        self.held = y

    def make(self, x):
        self.u = 2.0 * x

    def begin_and_scale(self, x):
        self.u = 2.0 * x
        s = np.sum(self.u * self.u)
        self.u *= x
        return s

    def begin_and_fill(self, x):
        self.u = 2.0 * x
        s = np.sum(self.u * self.u)
        self.u[:] = x
        return s


def append(items, y):
    items.append(y)


@CASES.refused([], vec(4), wrt=1, row="52")
def put_into_a_list_of_the_caller(items, x):
    y = 2.0 * x
    items.append(y)
    s = np.sum(y * y)
    y *= x
    return s + np.sum(y)


@CASES.refused([], vec(4), wrt=1, row="52")
def put_there_by_a_callee(items, x):
    y = 2.0 * x
    append(items, y)
    s = np.sum(y * y)
    y[:] = x
    return s + np.sum(y)


@CASES.refused([], vec(4), wrt=1, row="52")
def put_there_in_a_tuple_under_a_name_that_ends(items, x):
    y = 2.0 * x
    other = items
    other.append((y, 1))
    items = other = None
    s = np.sum(y * y)
    y *= x
    return s + np.sum(y)


@CASES.refused({}, vec(4), wrt=1, row="52")
def put_into_a_dictionary_of_the_caller(found, x):
    y = 2.0 * x
    found["y"] = y
    s = np.sum(y * y)
    y *= x
    return s + np.sum(y)


@CASES.add({"u": np.zeros(4)}, vec(4), wrt=1, row="36", verdicts={'found["u"] *=': "renamed"})
def item_of_the_caller_multiplied(found, x):
    found["u"] = 2.0 * x
    s = np.sum(found["u"] ** 2)
    found["u"] *= x
    return s + np.sum(found["u"])


@CASES.refused({"u": np.zeros(4)}, vec(4), wrt=1, row="36")
def item_of_the_caller_filled(found, x):
    y = 2.0 * x
    found["u"] = y
    s = np.sum(found["u"] ** 2)
    found["u"][:] = x
    return s


@CASES.refused(Slot(), vec(4), wrt=1, row="37")
def attribute_means_it(slot, x):
    y = 2.0 * x
    slot.held = y
    s = np.sum(y * y)
    y *= x
    return s + np.sum(y)


@CASES.refused(Slot(), vec(4), wrt=1, row="37")
def method_makes_an_attribute_mean_it(slot, x):
    y = 2.0 * x
    slot.put(y)
    s = np.sum(y * y)
    y *= x
    return s + np.sum(y)


@CASES.refused(Slot(), vec(4), wrt=1, row="37")
def attribute_under_another_name(slot, x):
    slot.make(x)
    z = slot.u
    s = np.sum(z * z)
    z *= x
    return s + np.sum(z)


@CASES.refused(Slot(), vec(4), wrt=1, row="37")
def attribute_filled(slot, x):
    slot.make(x)
    s = np.sum(slot.u * slot.u)
    slot.u[:] = x * x
    return s


@CASES.add(Slot(), vec(4), wrt=1, row="37", verdicts={"slot.u *=": "renamed"})
def attribute_multiplied(slot, x):
    slot.make(x)
    s = np.sum(slot.u * slot.u)
    slot.u *= x
    return s + np.sum(slot.u)


@CASES.add(Slot(), vec(4), wrt=1, row="37")
def attribute_multiplied_by_a_method(slot, x):
    return slot.begin_and_scale(x) + slot.begin_and_scale(x * x)


@CASES.refused(Slot(), vec(4), wrt=1, row="37")
def attribute_filled_by_a_method(slot, x):
    return slot.begin_and_fill(x) + slot.begin_and_fill(x * x)


def made_and_appended(items, x):
    y = 2.0 * x
    items.append(y)
    return y


@CASES.refused([], vec(4), wrt=1, row="52", code="AD206/AD301/AD302/AD303")
def made_and_put_there_by_a_callee(items, x):
    y = made_and_appended(items, x)
    s = np.sum(y * y)
    y *= x
    return s + np.sum(y)


last = None


@CASES.refused(vec(4), row="41")
def global_under_another_name(x):
    global last
    last = 2.0 * x
    z = last
    s = np.sum(z * z)
    z *= x
    return s + np.sum(z)


@CASES.add(vec(4), row="36", verdicts={"sums[0] +=": "renamed"})
def items_of_a_list_that_is_made_here(x):
    sums = [0.0, 0.0]
    for v in x:
        sums[0] += v * x
        sums[1] += x
    return np.sum(sums[0] * sums[1])
