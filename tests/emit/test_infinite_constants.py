"""Numbers without a literal, beside a variable that is called as what they are printed with."""

import numpy as np
import pytest

from adtrans import jvp, vjp
from adtrans.testing import check_grads

X = np.array([0.4, 1.3, 0.7])


def least(x):
    float = x * 2.0
    best = 1e999
    for i in range(3):
        best = min(best, float[i] * x[i])
    return best * x[0]


def compared(x):
    float = x * 2.0
    y = np.minimum(float, 1e999) * x
    return np.sum(y) + (0.0 if float[0] < -1e999 else x[0])


def clipped(x, lim=1e999):
    float = x * 2.0
    complex = 3.0
    return np.sum(np.clip(x, -1e999, lim) * float * (1j * complex).imag)


def scaled(x):
    complex = x * 2.0
    z = complex * (1.0 + 2.0j)
    return np.sum((z * z).real)


@pytest.mark.parametrize("f", [least, compared, clipped, scaled])
def test_gradients(f):
    check_grads(f, (X,))
    assert vjp(f, X)[0] == f(X) == jvp(f, (X,), (X,))[0]
