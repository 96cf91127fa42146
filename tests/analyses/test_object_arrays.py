"""Arrays of objects: what their elements refer to, and what is done with those that vary."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.3, 0.7, 1.1])


def taken_out(x):
    u = x * 1.0
    w = np.array([None, u], dtype=object)[1]
    w[0] = x[1] * x[2]
    return np.sum(u * u)


def as_array(x):
    u = x * 1.0
    b = np.asarray([None, u], dtype="O")
    w = b[1]
    w[1] = x[0] ** 2
    return np.sum(u * u)


def stored(x):
    u = x * 1.0
    b = np.empty(2, object)
    b[0] = u
    return np.sum(b[0] * b[0])


def filled_with_none(x):
    u = x * 1.0
    b = np.full((2,), None)
    b[0] = u
    w = b[0]
    w[0] = 2.0
    return np.sum(u * u)


def ragged(x):
    b = np.array([x, x[:2] * 3.0], object)
    s = 0.0
    for k in range(2):
        s = s + np.sum(b[k] ** 2)
    return s


def stacked(x):
    u = x * 1.0
    b = np.stack([np.array([None, u], object), np.array([None, u], object)])
    w = b[0, 1]
    w[1] = x[0] ** 2
    return np.sum(u * u)


def of_a_list(x, dtype=object):
    u = x * 1.0
    rows = [u, None]
    v, _ = np.array(rows, dtype)
    v[0] = x[1]
    return np.sum(u * u)


def of_dictionaries(x):
    u = x * 1.0
    b = np.array([{"u": u}, None], object)
    b[0]["u"][1] = x[0] ** 2
    return np.sum(u * u)


def _table(u, v):
    return np.array([u, v], object)


def of_a_helper(x):
    u = x * 1.0
    w = _table(u, None)[0]
    w[0] = x[1]
    return np.sum(u * u)


def converted(x):
    b = x.astype(object)
    b[1] = x[0] ** 2
    return np.sum(b * b)


@pytest.mark.parametrize(
    "f",
    [taken_out, as_array, stored, filled_with_none, ragged, stacked, of_a_list, of_dictionaries,
     of_a_helper, converted],
)  # fmt: skip
@pytest.mark.parametrize("mode", ["refuse", "save", "forward"])
def test_what_varies_is_no_element(f, mode):
    with pytest.raises(ad.CompileError) as caught:
        if mode == "forward":
            ad.jvp(f, (X,), (np.ones(3),))
        else:
            ad.grad(f, on_overwrite=mode)(X)
    assert "AD207" in {d.code for d in caught.value.diagnostics}


def test_the_error_shows_where_the_array_is_made_and_what_it_holds():
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(stored)(X)
    (d,) = caught.value.diagnostics
    assert d.code == "AD207" and "one is `u`" in d.why
    assert [label.text for label in (d.primary, *d.labels)] == [
        "it is made here",
        "it becomes an element here",
    ]


def buffer_taken_out(x):
    buf = np.ones(3)
    s = np.sum(x * buf)
    w = np.array([buf, None], object)[0]
    w[0] = 5.0
    return s


def test_an_array_that_is_needed_is_overwritten_through_an_element():
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(buffer_taken_out)(X)
    assert {d.code for d in caught.value.diagnostics} == {"AD302"}


def numbers(x):
    b = np.zeros(2, object)
    b[0] = x[0] * x[1]
    b[1] = x[2]
    return b[0] * b[1]


def several_numbers(x):
    b = np.array([x[0], x[1], 2], dtype=object)
    return np.sum(b * b)


def read_only(x):
    return np.sum(x.astype(object) ** 2)


def texts(x):
    s = 0.0
    for name in np.array(["a", "b"], dtype=object):
        s = s + np.sum(x * x) * (2.0 if name == "a" else 3.0)
    return s


def constant_tables(x):
    table = np.empty(2, object)
    table[0] = np.ones(3)
    table[1] = np.arange(3.0)
    s = 0.0
    for k in range(2):
        s = s + np.sum(x * x * table[k])
    return s


def only_printed(x, out):
    b = np.array([x, None], object)
    out.append(float(len(b)))
    return np.sum(x * x)


@pytest.mark.parametrize("f", [numbers, several_numbers, read_only, texts, constant_tables])
def test_arrays_of_objects_that_are_differentiated(f):
    check_grads(f, (X,))
    check_grads(ad.differentiable(f), (X,))


def test_an_array_of_objects_beside_the_result():
    out = []
    grad = ad.grad(only_printed)(X, out)
    assert np.allclose(grad, 2 * X) and out == [2.0]


def put_and_taken(x, b):
    u = x * 1.0
    b[0] = u
    w = b[0]
    w[0] = x[1]
    return np.sum(u * u)


def put_and_joined(x, b):
    u = x * 1.0
    b[0] = u
    w = np.concatenate([b, b])[0]
    w[0] = x[1]
    return np.sum(u * u)


@pytest.mark.parametrize("f", [put_and_taken, put_and_joined])
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_arrays_that_are_put_into_an_argument_and_taken_out_again(f, mode):
    with pytest.raises(ad.CompileError):
        ad.grad(f, on_overwrite=mode)(X, np.empty(2, object))
