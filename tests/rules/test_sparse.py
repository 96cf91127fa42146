"""Products with sparse matrices, and systems."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import spsolve

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([1.0, 2.0, 3.0, 4.0])
A = sp.csr_matrix(np.triu(np.ones((4, 4))) + np.eye(4))
B = sp.csc_array(A.toarray()[:, :3])


def explicit_steps(x):
    u = x.copy()
    for _ in range(3):
        u = u + 0.1 * (A @ u) * u
    return np.sum(u)


PROGRAMS = {
    "vector": lambda x: np.sum((A @ x) ** 2),
    "star": lambda x: np.sum((A * x) ** 2),
    "dot": lambda x: np.sum(A.dot(x) ** 2),
    "from the left": lambda x: np.sum((x @ B) ** 3),
    "matrix": lambda x: np.sum((A @ np.outer(x, x)) ** 2),
    "matrix from the left": lambda x: np.sum((np.outer(x, x) @ B) ** 2),
    "solve": lambda x: np.sum(spsolve(A, x) ** 2),
    "solve several": lambda x: np.sum(spsolve(A, np.outer(x, x[:2])) ** 2),
    "steps": explicit_steps,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_against_finite_differences(name: str) -> None:
    check_grads(PROGRAMS[name], (X,))
    hessian = ad.hessian(PROGRAMS[name])(X)
    np.testing.assert_allclose(hessian, hessian.T, atol=1e-10)


def as_parameter(x, S):
    return np.sum((S @ x) ** 2)


def test_a_matrix_that_is_passed() -> None:
    check_grads(as_parameter, (X, A))


@pytest.mark.parametrize(
    "f", [lambda x: np.sum(B * x[:3]), lambda x: np.sum((A * x[0]) @ x), lambda x: (A @ x) + A]
)
def test_what_is_refused(f) -> None:
    with pytest.raises(ad.CompileError) as caught:
        ad.vjp(f, X)
    assert {d.code for d in caught.value.diagnostics} & {"AD408", "AD409"}
