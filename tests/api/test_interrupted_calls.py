"""Functions that write and then raise, called in `try`: each of their steps is one of the caller's.

In a loop or branch of such a function, copies have to be kept.
"""

import numpy as np
import pytest

from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

Y = np.array([0.3, 0.7, 1.1])


def _trial(y, h, log):
    z = y + h * y
    log.append(h * z[0])
    if np.max(z) > 2:
        raise ValueError("too large")
    log.append(z[1])
    return z


def rejected_steps(y, h):
    log = []
    for _ in range(4):
        try:
            z = _trial(y, h, log)
        except ValueError:
            h /= 2
            continue
        y = z
    return np.sum(y) + sum(v * v for v in log) + len(log)


def _further(y, h, log):
    z = _trial(y, h, log)
    log.append(z[2])
    return z


def through_two_functions(y, h):
    log = []
    try:
        y = _further(y, h, log)
    except ValueError:
        y = y * 0.5
    try:
        y = _further(y, h * 5, log)
    except ValueError:
        y = y * 0.5
        log.append(y[0])
    return np.sum(y) + sum(v * v for v in log)


def _into(y, h, buf):
    buf[0] = y[0] * h
    if buf[0] > 0.8:
        raise ValueError
    buf[1:] += y[1:] * h
    if buf[1] > 2.0:
        raise ValueError
    return buf * 0.5


def into_an_array(y, h):
    buf = np.zeros(3)
    for _ in range(4):
        try:
            y = _into(y, h, buf) + y
        except ValueError:
            h /= 2
    return np.sum(y) + np.sum(buf)


def _one_by_one(y, h, buf):
    for i in range(3):
        buf[i] += y[i] * h
        if buf[i] > 1.0:
            raise ValueError(i)


def in_a_loop(y, h):
    buf = np.zeros(3)
    for _ in range(3):
        try:
            _one_by_one(y, h, buf)
        except ValueError:
            h /= 2
    return np.sum(buf * buf) + h


def _early(y, h, buf):
    buf.append(y[0])
    if h > 1:
        return y * 2
    buf.append(y[1] * h)
    if y[0] > 0.25:
        raise ValueError
    return y * 3


def with_an_early_return(y, h):
    buf, s = [], 0.0
    for _ in range(3):
        try:
            s += np.sum(_early(y, h, buf))
        except ValueError:
            s += sum(buf)
        h *= 1.7
    return s


@pytest.mark.recorded
@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
@pytest.mark.parametrize(
    "f", [rejected_steps, through_two_functions, into_an_array], ids=lambda f: f.__name__
)
def test_a_call_that_an_exception_interrupts(f, on_overwrite):
    check_grads(f, (Y, 0.6), wrt=(0, 1), on_overwrite=on_overwrite)


@pytest.mark.recorded
@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
def test_a_branch_in_such_a_call(on_overwrite):
    check_grads(with_an_early_return, (Y, 0.6), wrt=(0, 1), on_overwrite=on_overwrite)


def test_a_loop_in_such_a_call():
    for how in ("save", "refuse"):
        with pytest.raises(CompileError, match="AD201"):
            check_grads(in_a_loop, (Y, 0.6), wrt=(0, 1), on_overwrite=how)
        check_grads(in_a_loop, (Y, 0.6), wrt=(0, 1), on_overwrite=how, on_unfollowed="record")
