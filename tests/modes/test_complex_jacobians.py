"""Jacobians of complex results: an error, and none where they are beside what is differentiated."""

import numpy as np
import pytest

import adtrans as ad

X = np.array([1.0, 2.0])


def number(x):
    return x[0] + 1j * x[1] ** 2


def array(x):
    return x * (1.0 + 1j)


def beside(x):
    return x * x, x * 1j


@pytest.mark.parametrize("f", [number, array, beside])
@pytest.mark.parametrize("take", [ad.jacfwd, ad.jacrev, ad.jacobian])
def test_a_complex_result_has_no_jacobian(f, take):
    with pytest.raises(ad.InputError, match=r"AD407.*is complex"):
        take(f)(X)


def test_nor_have_other_derivatives():
    with pytest.raises(ad.InputError, match="AD407"):
        ad.elementwise_grad(array)(X)
    with pytest.raises(ad.InputError, match="AD404"):
        ad.hessian(number)(X)
    with pytest.raises(ad.InputError, match="AD404"):
        ad.grad(number)(X)


@pytest.mark.parametrize("take", [ad.jacfwd, ad.jacrev])
def test_what_is_returned_beside_the_value_may_be_complex(take):
    found, aux = take(beside, has_aux=True)(X)
    np.testing.assert_array_equal(found, np.diag(2.0 * X))
    np.testing.assert_array_equal(aux, X * 1j)


def test_a_complex_part_has_no_seed():
    _, pullback = ad.vjp(beside, X)
    np.testing.assert_array_equal(pullback((X, None))[0], 2.0 * X * X)
    _, y_dot = ad.jvp(beside, (X,), (None,))
    np.testing.assert_array_equal(y_dot[1], np.zeros(2, complex))
