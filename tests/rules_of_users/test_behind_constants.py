"""Functions that are said to be constant and do more than compute: they write, or hand on, what
they are given."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.runtime.failures import MutationError
from adtrans.testing import check_grads

X = np.array([1.0, 2.0, 3.0])


@ad.constant
def log_and_scale(a):
    a *= 3.0
    return 1.0


@ad.constant
def sort(a):
    a.sort()


@ad.constant
def doubled_entry(d):
    d["a"] *= 2.0


@ad.constant
def same(a):
    return a


@ad.constant
def tail(a, n=1):
    return a[n:]


@ad.constant
def with_size(a):
    return a, a.size


@ad.constant
def filled(b):
    b[:] = np.arange(b.size)


@ad.constant
def copied(a):
    return a * 1.0


@ad.constant
def logged(a, to):
    to.append(f"{a[0]:.1f}")
    print(a)


class Plot:
    def __init__(self):
        self.lines = []

    def plot(self, a, **options):
        self.lines.append(a.copy())
        return self


@ad.constant
def plotted(a):
    try:
        return Plot().plot(a, color="red").plot(a[1:])
    except ValueError as error:
        print(error)


TABLE = np.array([2.0, 3.0, 5.0])


@ad.constant
def table():
    return TABLE


def writes_what_varies(x):
    y = x * 1.0
    log_and_scale(y)
    return np.sum(y * y)


def writes_its_argument(x):
    sort(x)
    return np.sum(x * x)


def writes_in_a_callee(x):
    y = x * 2.0
    writes_its_argument(y)
    return np.sum(y * y)


def writes_an_entry(x):
    d = {"a": x * 2.0}
    doubled_entry(d)
    return np.sum(d["a"] ** 2)


def writes_through_a_view(x):
    y = x * 2.0
    log_and_scale(y[1:])
    return np.sum(y * y)


@pytest.mark.parametrize(
    "f",
    [
        writes_what_varies,
        writes_its_argument,
        writes_in_a_callee,
        writes_an_entry,
        writes_through_a_view,
    ],
)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_what_carries_a_derivative_is_not_written(f, mode):
    with pytest.raises(ad.CompileError, match=r"AD412.*carries a derivative"):
        ad.grad(f, on_overwrite=mode)(X.copy())
    with pytest.raises(ad.CompileError, match=r"AD412.*carries a derivative"):
        ad.jvp(f, (X.copy(),), (X,))


def result_is_written(x):
    y = x * 1.0
    v = same(y)
    v *= 2.0
    return np.sum(y * x)


def argument_is_written(x):
    y = x * 1.0
    v = tail(y, n=2)
    y *= 2.0
    return np.sum(y * x) * v[0]


@pytest.mark.parametrize("f", [result_is_written, argument_is_written])
def test_a_result_that_is_its_argument_is_checked(f):
    for given in ({}, {"on_overwrite": "save"}):
        with pytest.raises(MutationError, match="AD206"):
            ad.grad(f, **given)(X)
    with pytest.raises(ad.CompileError, match=r"AD412.*`same` may return `y`|AD412.*`tail`"):
        ad.grad(f, on_unproven="refuse")(X)


def part_of_a_tuple(x):
    y = x * 2.0
    v, n = with_size(y)
    v *= 2.0
    return np.sum(y * y) * n


def written_in_a_callee(x):
    y = x * 2.0
    result_is_written(y)
    return np.sum(y * y)


@pytest.mark.parametrize("f", [part_of_a_tuple, written_in_a_callee])
def test_what_no_check_can_tell_is_refused(f):
    with pytest.raises(ad.CompileError, match=r"AD412.*may return `y`"):
        ad.grad(f)(X)


def filled_before_it_is_used(x):
    b = np.empty(3)
    filled(b)
    return np.sum(x * x * b)


def written_after_its_last_use(x):
    y = x * 2.0
    s = np.sum(y)
    filled(y)
    return s * s


def overwritten_before_it_is_read(x):
    y = x * 2.0
    s = np.sum(y)
    log_and_scale(y)
    y[:] = x * x
    return s * np.sum(y)


def writes_a_table(x):
    v = copied(np.ones(3))
    w = x * v
    v *= 2.0
    return np.sum(w * w)


def looks_up(x):
    u = np.zeros(3)
    u[1:] = x[1:] * table()[1:]
    return np.sum(u * u)


def plots(x):
    y = x * x
    plotted(y)
    y *= 2.0
    return np.sum(y * y)


def logs(x):
    said = []
    y = x * x
    logged(y, said)
    return np.sum(y * y)


@pytest.mark.parametrize(
    "f",
    [
        filled_before_it_is_used,
        written_after_its_last_use,
        overwritten_before_it_is_read,
        writes_a_table,
        looks_up,
        logs,
        plots,
    ],
)
def test_what_matters_to_no_derivative_is_done(f):
    check_grads(f, (X,), on_overwrite="save")


def written_when_it_is_needed(x):
    b = np.ones(3)
    c = x * b
    filled(b)
    return np.sum(c) + np.sum(b)


def test_what_is_needed_counts_as_overwritten():
    with pytest.raises(ad.CompileError, match=r"AD301.*`b` is overwritten"):
        ad.grad(written_when_it_is_needed)(X)
    check_grads(written_when_it_is_needed, (X,), on_overwrite="save")
