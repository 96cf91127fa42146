"""`scipy.linalg.eig` and `eigvals`: the eigenvalues are complex, those of real matrices, too."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg

import adtrans as ad
from adtrans.testing import check_grads

REAL = np.array([[3.0, 0.5, 0.2], [0.1, 2.5, 0.6], [0.3, 0.2, 4.0]])
TURNING = np.array([[0.2, 1.5, 0.1], [-1.2, 0.3, 0.4], [0.3, 0.2, 1.1]])


def damping(a):
    w = scipy.linalg.eigvals(a)
    return np.sum(w.real**2) + np.sum(np.abs(w) ** 3)


def frequencies(a):
    w, _ = scipy.linalg.eig(a)
    return np.sum(w.imag**4) + np.sum(np.exp(w.real))


def of_complex(a):
    w, v = scipy.linalg.eig(a.astype(complex))
    return np.sum(w.imag**2) + np.sum(np.abs(v) ** 4)


def only_values(a):
    return np.sum(scipy.linalg.eig(a, right=False).real ** 3)


@pytest.mark.parametrize(("f", "at"), [
    (damping, REAL), (damping, TURNING), (frequencies, REAL), (frequencies, TURNING),
    (of_complex, TURNING), (only_values, TURNING),
])  # fmt: skip
def test_both_modes(f, at):
    check_grads(f, (at,), order=2 if at is REAL or f is of_complex else 1, rtol=1e-5, atol=1e-6)


def test_a_complex_spectrum_of_a_real_matrix_is_differentiated_once():
    with pytest.raises(ad.DerivativeError, match="astype"):
        ad.hessian(damping)(TURNING)


def first_frequency(a):
    w = scipy.linalg.eigvals(a)
    return w[0].imag * w[1].real + w[2].real ** 2


def first_of_all(a):
    w, _ = scipy.linalg.eig(a)
    return w[0].imag * w[1].real + w[2].real ** 2


@pytest.mark.parametrize("f", [first_frequency, first_of_all])
def test_the_order_is_that_of_scipy(f):
    check_grads(f, (TURNING,), rtol=1e-5, atol=1e-6)


def test_scratch():
    def f(a):
        b = a * 2.0
        return np.sum(scipy.linalg.eigvals(b, overwrite_a=True).real ** 2)

    check_grads(f, (REAL,))


def test_vectors_of_real_matrices():
    with pytest.raises(ad.AdtransError, match="AD407"):
        ad.grad(lambda a: np.sum(np.abs(scipy.linalg.eig(a)[1]) ** 4))(TURNING)


@pytest.mark.parametrize("call", ["b=a", "left=True", "homogeneous_eigvals=True"])
def test_other_forms(call, tmp_path):
    place = tmp_path / "form.py"
    text = "import numpy as np\nimport scipy.linalg\n\n\ndef f(a):\n"
    place.write_text(text + f"    return np.sum(np.abs(scipy.linalg.eig(a, {call})[0]))\n")
    names: dict[str, object] = {}
    exec(compile(place.read_text(), str(place), "exec"), names)
    with pytest.raises(ad.AdtransError, match="AD40"):
        ad.grad(names["f"])(REAL)
