"""Programs that one rule decides: without it the gradient is wrong, or what is right is refused."""

from __future__ import annotations

import copy

import numpy as np

from adtrans.diagnostics.errors import DerivativeError
from tests.corpus.model import Programs, later, vec

CASES = Programs("decisive")


# `True` as the index of a tuple is a number: the array that it selects is the one in the tuple.


@CASES.add(vec(3), True, row="24", **later("AD205"))
def chosen_by_a_truth_value(x, second):
    a, b = x * 1.0, x * 2.0
    v = (a, b)[second]
    v += 3.0 * x
    return np.sum(b * x)


# One array for two parameters of a function that calls itself: its body cannot stand in the caller.


def _fold(a, b, n):
    if n == 0:
        return 0.0
    b *= 2.0
    s = a[0] * b[1]
    return s + _fold(a, b, n - 1)


@CASES.add(vec(3), row="35")
def one_array_for_two_parameters(x):
    u = x * 1.0
    s = _fold(u, u, 2)
    return s + np.sum(u)


def _forward_sum(a, b, i):
    if i >= a.size:
        return
    a[i] += 0.5 * b[i - 1]
    _forward_sum(a, b, i + 1)


@CASES.add(vec(3), row="35")
def one_array_written_and_read_by_a_recursion(x):
    u = x * 1.0
    _forward_sum(u, u, 1)
    return np.sum(u * x)


def _even(a, b, i):
    if i >= a.size:
        return 0.0
    a[i] = 2.0 * b[i - 1]
    return _odd(b, a, i + 1)


def _odd(a, b, i):
    if i >= a.size:
        return 1.0
    a[i] = 3.0 * b[i - 1]
    return _even(a, b, i + 1) + a[i]


@CASES.add(vec(3), row="35")
def one_array_in_two_functions_that_call_each_other(x):
    u = x * 1.0
    return _even(u, u, 1) * np.sum(u * x)


# A slice of a tuple begins where it says.


@CASES.add((vec(3), 2.0 * vec(3), vec(3) + 1.0))
def all_but_the_first(p):
    s = 0.0
    for v in p[1:]:
        s = s + np.sum(v * v)
    return s


# `y` is kept as it was when the iteration began; views of it that are read after a write are not
# computed from that copy, nor are views of views.


@CASES.refused(vec(5), row="20")
def view_of_what_is_kept(x):
    y, s = x * x, 0.0
    for _ in range(3):
        v = y[1:]
        a = y[1:] * 2.0 - y[:-1]
        b = y[1:] + y[:-1]
        s += np.sum(a * b)
        v[0] = x[0] * x[1]
        s += np.sum(v * v * x[1:])
    return s


@CASES.add(vec(5), row="20", verdicts={"y *=": "renamed"})
def view_of_a_view_of_what_is_kept(x):
    y, s = x * 1.0, 0.0
    for _ in range(3):
        v = y[1:]
        u = v[1:]
        a = y[1:] * 2.0 - y[:-1]
        b = y[1:] + y[:-1]
        s += np.sum(a * b)
        v[1] = x[0] * x[1]
        c = u * u
        s += np.sum(c * c * x[2:])
        y *= 1.5
    return s


# What has a method `sort` with a key need not be a list.


class Ranked:
    def __init__(self, w):
        self.w = w

    def sort(self, key):
        return key(self.w) * 2.0


@CASES.add(vec(3))
def another_method_named_sort(x):
    r = Ranked(x)
    return np.sum(r.sort(key=lambda v: v * v))


# Objects that one call makes are there together, although one name means one or the other.


class Lens:
    def __init__(self, w):
        self.w = w

    def step(self, x):
        self.w = self.w * x[0]
        return np.sum(self.w * x)


def _two(x):
    return Lens(x), Lens(2.0 * x)


@CASES.add(vec(3), **later("AD303"))
def one_of_two_that_a_call_made(x):
    a, b = _two(x)
    t = a if x[0] > 1.0 else b
    y = t.step(x)
    return y + a.step(x) + b.step(x)


# A condition is no statement that is done for each of the objects that it may be about.


@CASES.add(vec(3), Lens(vec(3)), Lens(2.0 * vec(3)))
def one_of_two_in_conditions(x, p, q):
    t = p if x[0] > 0.1 else q
    s = t.step(x)
    if t:
        s = s * 2.0
    while t is p:
        s = s + p.step(x)
        t = q
    return s


# A parameter that may mean another object by then is no name for the one that was passed.


class Gain:
    def __init__(self, w):
        self.w = w


@CASES.add(vec(3), Gain(vec(3)), Gain(2.0 * vec(3)), **later("AD201"))
def a_parameter_that_is_bound_again(x, p, q):
    t = p if x[0] > 0.1 else q
    if x[1] > 0.1:
        p = q
    t.w = x * x
    return np.sum(p.w * x)


# Two attributes, or items, of what a callee returns may be one object.


class Two:
    def __init__(self, a, b):
        self.a = a
        self.b = b


def _one_in_both(x):
    k = Gain(x)
    return Two(k, k)


def _one_twice(x):
    k = Gain(x)
    return k, k


@CASES.add(vec(3))
def two_attributes_hold_one_object(x):
    h = _one_in_both(x)
    h.a.w = x * x
    return np.sum(h.b.w * x)


@CASES.add(vec(3))
def two_items_are_one_object(x):
    a, b = _one_twice(x)
    a.w = x * x
    return np.sum(b.w * x)


# An object that is put at a computed key is in the dictionary, or list, from then on.


@CASES.add(vec(3), 1)
def an_object_at_a_computed_key(x, k):
    p, q = Gain(x), Gain(2.0 * x)
    d = {0: p, 1: q}
    d[k] = p
    d[1].w = d[1].w * x
    return np.sum(p.w * x) + np.sum(q.w)


@CASES.add(vec(3), 1)
def an_object_at_a_computed_place(x, k):
    p, q = Gain(x), Gain(2.0 * x)
    d = [p, q]
    d[k] = p
    d[1].w = d[1].w * x
    return np.sum(p.w * x) + np.sum(q.w)


# A loop over a list that gets longer goes on with what is put in, whoever puts it there.


@CASES.add(vec(3))
def longer_in_the_loop(x):
    rows, s = [x * 1.0, x * 2.0], 0.0
    for t in rows:
        t[0] = x[1]
        if len(rows) < 4:
            rows.append(3.0 * x)
        s = s + np.sum(t)
    return s


@CASES.add(vec(3))
def longer_under_another_name(x):
    rows, s = [x * 1.0, x * 2.0], 0.0
    for t in rows:
        t[0] = x[1]
        other = rows
        if len(other) < 4:
            other.append(3.0 * x)
        s = s + np.sum(t)
    return s


def _put_in(rows, x):
    if len(rows) < 4:
        rows.append(3.0 * x)


@CASES.add(vec(3))
def longer_in_a_callee(x):
    rows, s = [x * 1.0, x * 2.0], 0.0
    for t in rows:
        t[0] = x[1]
        _put_in(rows, x)
        s = s + np.sum(t)
    return s


# One of two objects, or an object or a number: what an operator means is known when the program
# runs.


class Grown:
    def __init__(self, v):
        self.v = v

    def __iadd__(self, more):
        self.v = self.v + more
        return self

    def __getitem__(self, k):
        return self.v * k


class Tripled:
    def __add__(self, other):
        return 3.0 * other


@CASES.add(vec(3))
def one_of_two_changed_in_place(x):
    a, b = Grown(x[0]), Grown(x[1])
    t = a if x[0] > 5.0 else b
    t += x[2]
    return a.v * b.v


@CASES.add(vec(3), False)
def an_object_or_a_number(x, special):
    t = Tripled() if special else 2.0
    s = t + x[2]
    return s * x[1]


# An object that is there before the function runs is made at no statement of it.

ALPHA, BETA = Grown(2.0), Grown(3.0)


@CASES.add(vec(3))
def one_of_two_globals(x):
    t = ALPHA if x[0] > 5.0 else BETA
    return t.v * x[1]


# Objects that are unpacked: a part of them in a list is a list.


@CASES.add(vec(3))
def the_rest_of_some_objects(x):
    first, _, *rest = [Grown(x[0]), Grown(x[1]), Grown(x[2])]
    u = rest[0]
    u += x[1]
    return u.v * first.v


# A loop over a dictionary that gets a new key raises, in the next turn.


@CASES.add(vec(3), raises=RuntimeError)
def a_new_key_in_the_loop(x):
    d = {"a": x[0] * 1.0, "b": x[1] * 1.0}
    for k in d:
        d[k] = d[k] * 2.0
        d["c"] = x[2]
    return d["a"]


# What an object holds twice, its deep copy holds twice.


class Both:
    def __init__(self, a, b):
        self.a = a
        self.b = b


@CASES.add(vec(3), **later("AD201"))
def held_twice(x):
    inner = Grown(x[0])
    one = Both(inner, inner)
    other = copy.deepcopy(one)
    other.a.v = other.a.v + x[1]
    return other.b.v * inner.v


# An object, or what an argument is that is no object; what an attribute holds, or the class does.


@CASES.add(vec(3), np.sin, **later("AD201"))
@CASES.add(vec(3), np.cos, **later("AD201"))
def a_function_made_here_or_given(x, g):
    w = x * 2.0

    def own(v):
        return v * w

    h = own if x[0] > 5.0 else g
    return np.sum(h(2.0)) * x[0]


@CASES.add(vec(3), 2.0)
def an_object_or_an_argument(x, p):
    t = Tripled() if x[0] > 5.0 else p
    return (t + x[2]) * x[1]


@CASES.add(vec(3), Grown(2.0))
def an_object_made_here_or_given(x, p):
    a = Grown(x[0])
    a = a if x[0] > 5.0 else p
    return a.v * x[1]


@CASES.add(vec(3), [2.0, 3.0])
def a_list_made_here_or_given(x, p):
    a = [x[0], x[1]]
    b = a if x[0] > 5.0 else p
    return b[0] * x[1] + a[1]


@CASES.add(vec(3), 2.0)
def an_attribute_with_an_object_or_an_argument(x, p):
    a, b = Grown(p), Grown(Tripled())
    t = a if x[0] < 5.0 else b
    return (t.v + x[2]) * x[1]


@CASES.add(vec(3), 2.0)
def an_attribute_that_is_replaced(x, p):
    a = Grown(Tripled())
    if x[0] < 5.0:
        a.v = p
    return (a.v + x[2]) * x[1]


@CASES.add(vec(3))
def an_attribute_of_another_that_is_replaced(x):
    a, b = Grown(2.0), Grown(3.0)
    a.v = b.v
    if x[0] > 5.0:
        a.v = Tripled()
    return (a.v + x[2]) * x[1]


class Default:
    v = 2.0


@CASES.add(vec(3))
def an_attribute_of_the_class_that_is_replaced(x):
    a = Default()
    if x[0] > 5.0:
        a.v = Tripled()
    return (a.v + x[2]) * x[1]


@CASES.add(vec(3), 2.0)
def an_item_that_is_replaced(x, p):
    d = {"a": Tripled()}
    d["a"] = p
    return (d["a"] + x[2]) * x[1]


@CASES.add(vec(3), 2.0, raises=DerivativeError)
def an_object_first_and_a_number_then(x, p):
    t = Tripled()
    for _ in range(2):
        s = t + x[2]
        t = p
    return s * x[1]


@CASES.never(vec(3), code="AD201")
def an_object_or_an_exception(x):
    t = Tripled()
    try:
        if x[0] < 5.0:
            raise ValueError(2.0)
    except ValueError as e:
        t = e
    return x[1] * (2.0 if isinstance(t, ValueError) else t + x[0])


class Assigned:
    def __init__(self):
        self.made = 1.0

    def put(self, v):
        self.given = v


@CASES.add(vec(3))
def a_number_from_the_constructor_that_is_replaced(x):
    a = Assigned()
    if x[0] > 5.0:
        a.made = Tripled()
    return (a.made + x[2]) * x[1]


@CASES.add(vec(3))
def an_object_that_a_method_replaces(x):
    a = Assigned()
    a.put(Tripled())
    if x[0] < 5.0:
        a.put(2.0)
    return (a.given + x[2]) * x[1]


# What held a number before, and holds an object on one path only.


class Held:
    def __init__(self, v):
        self.v = v

    def tripled(self, x):
        if x[0] > 5.0:
            self.v = Tripled()
        return (self.v + x[2]) * x[1]


@CASES.add(vec(3), Held(2.0))
def an_attribute_replaced_on_one_path(x, o):
    if x[0] > 5.0:
        o.v = Tripled()
    return (o.v + x[2]) * x[1]


@CASES.add(vec(3), Held(2.0))
def an_attribute_read_before_it_is_replaced(x, o):
    s = o.v + x[2]
    o.v = Tripled()
    return s * x[1]


@CASES.add(vec(3), Held(2.0))
def an_attribute_read_after_it_is_replaced(x, o):
    if x[0] < 5.0:
        o.v = Tripled()
        return (o.v + x[2]) * x[1]
    return o.v * x[1]


@CASES.add(vec(3), Held(2.0))
def an_attribute_read_before_it_is_replaced_in_a_loop(x, o):
    s = 0.0
    for _ in range(2):
        s = s + (o.v + x[2]) * x[1]
        if x[0] > 5.0:
            o.v = Tripled()
    return s


def _replace(o, x):
    if x[0] > 5.0:
        o.v = Tripled()


def _read(o, x):
    return (o.v + x[2]) * x[1]


@CASES.add(vec(3), Held(2.0))
def an_attribute_that_a_callee_may_replace(x, o):
    _replace(o, x)
    return _read(o, x)


@CASES.add(vec(3))
def a_number_of_the_constructor_that_a_method_may_replace(x):
    return Held(2.0).tripled(x)


class Cubes:
    def __init__(self, values):
        self.values = values

    def sum(self):
        return np.sum(self.values**3)


class Holder:
    pass


def _given(x):
    held = Holder()
    held.values = x
    return held


@CASES.never(_given(vec(3)), vec(3), code="AD201", wrt=1)
def attribute_becomes_an_array(held, x):
    own = Holder()
    own.values = Cubes(x * x)
    first = own.values.sum()
    own.values = held.values  # an array has the method, too
    return first * own.values.sum()


@CASES.never(_given(vec(3)), vec(3), code="AD201", wrt=1)
def item_becomes_an_array(held, x):
    own = {"values": Cubes(x * x)}
    first = own["values"].sum()
    own["values"] = held.values
    return first * own["values"].sum()


@CASES.never(_given(vec(3)), vec(3), code="AD201", wrt=1)
def array_in_a_list_of_objects(held, x):
    several = []
    for k in range(2):
        several.append(Cubes(x * k))
    several.append(held.values)
    s = 0.0
    for one in several:
        s = s + one.sum()
    return s


@CASES.add(_given(vec(3)), vec(3), wrt=1)
def array_among_picked_objects(held, x):
    several = [Cubes(x * x), held.values]
    s = 0.0
    for one in [one for one in several]:  # noqa: C416  # as users write
        s = s + one.sum()
    return s
