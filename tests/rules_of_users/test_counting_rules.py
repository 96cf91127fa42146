"""Functions with a rule of the user's that count their calls in a global."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.3, 0.7, 1.1])
N = [0]
COUNT = 0


def doubled(x):
    N[0] += 1
    return x * 2.0


def counted(x):
    global COUNT
    COUNT += 1
    return x * 2.0


def _count():
    N[0] += 1


def counted_elsewhere(x):
    _count()
    return x * 2.0


for _fn in (doubled, counted, counted_elsewhere):
    ad.rule(_fn, x="y_bar * 2.0", x_dot="dot * 2.0")


def read(x):
    y = doubled(x)
    return np.sum(y * y)


def written(x):
    y = doubled(x)
    y[0] = x[1]
    return np.sum(y * y)


def written_of_an_assigned_count(x):
    y = counted(x)
    y[0] = x[1]
    return np.sum(y * y)


def through_a_helper(x):
    y = counted_elsewhere(x)
    y[0] = x[1]
    return np.sum(y * y)


@pytest.mark.recorded
@pytest.mark.parametrize("f", [read, written, written_of_an_assigned_count, through_a_helper])
def test_the_calls_are_counted_once(f):
    check_grads(f, (X,))
    before = N[0] + COUNT
    ad.grad(f)(X)
    assert N[0] + COUNT == before + 1
    ad.jvp(f, (X,), (X,))
    assert N[0] + COUNT == before + 2


def reads_the_count(x):
    y = counted(x)
    return np.sum(y * y) * COUNT


def counts_itself(x):
    y = counted_elsewhere(x)
    _count()
    return np.sum(y * y)


def puts_a_value_there(x):
    N[0] = x[0]
    y = doubled(x)
    return np.sum(y * y) * N[0]


@pytest.mark.parametrize("f", [reads_the_count, counts_itself, puts_a_value_there])
def test_a_count_that_others_name_is_no_business_of_the_rule_alone(f):
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(f)(X)
    assert {d.code for d in caught.value.diagnostics} == {"AD203"}
