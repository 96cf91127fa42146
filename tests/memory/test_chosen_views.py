"""A variable that means the view of one dictionary here and of another there, or something else."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([0.7, 1.3, 0.4, 0.9])


class Net:
    def __init__(self, x):
        self.free = {"a": x[0], "b": x[1]}
        self.frozen = {"c": x[2] * x[3]}


class Box:
    def __init__(self, v):
        self.v = v


def in_an_expression(x):
    d, e = {"a": x[0]}, {"b": x[1]}
    values = d.values() if x[0] > 0.0 else e.values()
    s = 0.0
    for v in values:
        s += v * v
    return s


def in_branches(x):
    d, e = {"a": x[0], "b": x[1]}, {"c": x[2]}
    pairs = d.items()
    if x[3] > 0.0:
        pairs = e.items()
    s = 1.0
    for k, v in pairs:
        s = s * (v + len(k))
    return s


def in_turn(x):
    net, s, t = Net(x), 0.0, 1.0
    values = net.free.values()
    for v in values:
        t += v
    values = net.frozen.values()
    for _ in range(2):
        for v in values:
            s = 0.5 * s + v * v * t
        values = net.free.values()
    return s


def unpacked(x):
    d, e = {"a": x[0], "b": x[1]}, {"a": x[2], "b": x[3]}
    values = d.values()
    if x[0] > 1.0:
        values = e.values()
    p, q = values
    return p * q * q


def beside_another(x):
    d, e = {"a": x[0], "b": x[1]}, {"a": x[2], "b": x[3]}
    values = d.values()
    if x[0] < 1.0:
        values = e.values()
    return sum(v * w for v, w in zip(values, x))  # noqa: B905


def of_objects(x):
    d, e = {"a": Box(x[0])}, {"c": Box(x[1])}
    t = 0.0
    if x[0] > 0.0:
        boxes = d.values()
    else:
        boxes = e.values()
    for b in boxes:
        t = 0.5 * t + b.v * b.v
    return t


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f", [in_an_expression, in_branches, in_turn, unpacked, beside_another, of_objects]
)
def test_the_dictionary_of_the_run_is_gone_through(f):
    assert ad.vjp(ad.differentiable(f), X)[0] == f(X)
    assert ad.jvp(ad.differentiable(f), (X,), (np.ones(4),))[0] == f(X)
    check_grads(f, (X,))


def a_list_or_a_view(x):
    d = {"a": x[0]}
    values = [x[1] * x[1]]
    if x[0] < 0.0:
        values = d.values()
    s = 0.0
    for v in values:
        s += v * v
    return s


def a_parameter_or_a_view(x):
    return of_given(x, [x[1]])


def of_given(x, values):
    if x[0] < 0.0:
        d = {"a": x[0]}
        values = d.values()
    s = 0.0
    for v in values:
        s += v * v
    return s


@pytest.mark.parametrize("f", [a_list_or_a_view, a_parameter_or_a_view])
def test_what_may_be_no_view_is_refused(f):
    with pytest.raises(CompileError) as error:
        ad.grad(f)(X)
    assert error.value.diagnostics[0].code in ("AD207", "AD401")


def unless_given(x, values=None):
    if values is None:
        d = {"a": x[0], "b": x[1]}
        values = d.values()
    s = 0.0
    for v in values:
        s += v * v
    return s


def test_a_default_decides():
    check_grads(unless_given, (X,))
    check_grads(lambda x: unless_given(x, [x[2], x[0]]), (X,))
