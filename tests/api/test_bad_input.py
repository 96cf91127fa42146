"""Each mistake of a caller meets an error with its own code, at the caller's line."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import AdtransError, CompileError, InputError, MutationError

X = np.array([1.0, 2.0, 3.0])


class Foreign:
    """An array of another library."""

    def __array__(self, dtype=None, copy=None):
        return np.ones(3)


class Sub(np.ndarray):
    """A subclass that computes in its own way."""


def total(x, k=2.0):
    return np.sum(x * x) * k


def refused(code, call, words=""):
    """The diagnostic of the error that `call` raises."""
    with pytest.raises(AdtransError) as caught:
        call()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == code, str(caught.value)
    assert words in str(caught.value), str(caught.value)
    if isinstance(caught.value, InputError):
        assert diagnostic.primary.span.file == __file__
    return diagnostic


@pytest.mark.parametrize(
    ("x", "words"),
    [
        (3, "float(x)"),
        (True, "of type bool"),
        ("text", "of type str"),
        (None, "None"),
        (np.arange(3), "x.astype(float)"),
        (np.array([True]), "array of bool"),
        (np.int64(3), "float(x)"),
        (np.array(["a"]), "array of <U1"),
        (np.array([1.0, None]), "array of object"),
        ((1, 2), "of type tuple"),
        ([1, 2], "of type list"),
        (np.array([1.0]).astype(">f8" if np.little_endian else "<f8"), "byte order"),
    ],
)
def test_inputs_without_a_derivative(x, words):
    for call in (ad.grad(total), ad.value_and_grad(total)):
        refused("AD402", lambda call=call: call(x), words)
    refused("AD402", lambda: ad.vjp(total, x, wrt="x"))
    refused("AD402", lambda: ad.jvp(total, (x,), (1.0,)))


@pytest.mark.parametrize("x", [1j, np.complex64(1), np.ones(2, complex), (1.0, 2j)])
def test_complex_inputs(x):
    refused("AD407", lambda: ad.grad(total)(x))
    refused("AD407", lambda: ad.grad(total, wrt="k")(x, 1.0))


@pytest.mark.parametrize(
    "x", [np.ma.masked_array(X), X.view(Sub), Foreign(), [X.view(Sub)]]
)
def test_arrays_of_other_classes(x):
    refused("AD408", lambda: ad.grad(total)(x), "np.asarray(x)")
    refused("AD408", lambda: ad.grad(total, wrt="k")(x, 1.0))


@pytest.mark.parametrize(
    ("wrt", "words"),
    [("z", "`x`, `k`"), ("kk", "did you mean `k`?"), (2, "position 2"), (-3, "position -3")],
)
def test_unknown_parameters(wrt, words):
    refused("AD403", lambda: ad.grad(total, wrt=wrt), words)
    refused("AD403", lambda: ad.vjp(total, X, wrt=wrt), words)
    refused("AD403", lambda: ad.jvp(total, (X,), (X,), wrt=(wrt,)), words)
    refused("AD403", lambda: ad.grad(lambda: 1.0), "no parameter")


@pytest.mark.parametrize(
    "call",
    [
        lambda: ad.grad(total, wrt=1.5),
        lambda: ad.grad(total, wrt=()),
        lambda: ad.grad(total, wrt=("x", 0)),
        lambda: ad.grad(total, wrt="x", argnums=0),
        lambda: ad.grad(total, on_overwrite="copy"),
        lambda: ad.grad(total, on_unproven=None),
        lambda: ad.grad(total, speed="high"),
        lambda: ad.differentiable(cache=True)(total),
        lambda: ad.differentiable(wrt=True),
        lambda: ad.jvp(total, X, X),
    ],
)
def test_bad_options(call):
    refused("AD410", call)


def test_backends():
    refused("AD410", lambda: ad.grad(total, backend="fortran"))
    refused("AD501", lambda: ad.grad(total, backend="numba")(X))


@pytest.mark.parametrize(
    ("f", "words"),
    [
        (lambda x: x * 2.0, "array"),
        (lambda x: (np.sum(x), 1.0), "has_aux"),
        (lambda x: None, "None"),
        (lambda x: len(x), "of type int"),
        (lambda x: np.argmax(x), "of type int64"),
        (lambda x: bool(x[0] > 0), "of type bool"),
    ],
)
def test_results_that_are_not_one_number(f, words):
    refused("AD404", lambda: ad.grad(f)(X), words)
    refused("AD404", lambda: ad.value_and_grad(f)(X), words)


def test_results_of_another_form_are_found_before_the_run():
    def f(x, out):
        out[0] = 1.0
        return x * 2.0

    out = np.zeros(1)
    refused("AD404", lambda: ad.grad(f)(X, out))
    assert out[0] == 0.0


def test_no_aux():
    refused("AD404", lambda: ad.grad(total, has_aux=True)(X))
    refused("AD404", lambda: ad.vjp(total, X, has_aux=True))


@pytest.mark.parametrize("y", [np.array(2.0), np.float32(2.0), 2.0])
def test_results_that_are_one_number(y):
    def f(x):
        return x * 1.0

    assert np.asarray(ad.grad(f)(y)) == 1.0


def doubled(x):
    return x * 2.0


def pair(x):
    return x * 2.0, np.sum(x)


@pytest.mark.parametrize(
    ("f", "y_bar", "code"),
    [
        (doubled, 1.0, "AD405"),
        (doubled, np.ones(4), "AD405"),
        (doubled, np.ones((1, 3)), "AD405"),
        (doubled, [1.0, 1.0, 1.0], "AD405"),
        (doubled, np.ones(3, complex), "AD406"),
        (doubled, np.ones(3, bool), "AD406"),
        (doubled, np.array(["a", "b", "c"]), "AD406"),
        (doubled, np.ones(3).view(Sub), "AD408"),
        (total, np.ones(1), "AD405"),
        (total, (1.0,), "AD405"),
        (total, 1j, "AD406"),
        (total, "1", "AD406"),
        (total, True, "AD406"),
        (pair, np.ones(3), "AD405"),
        (pair, (np.ones(3),), "AD405"),
        (pair, (np.ones(3), np.ones(3)), "AD405"),
        (pair, (np.ones(2), 1.0), "AD405"),
        (pair, (np.ones(3), 1j), "AD406"),
    ],
)
def test_cotangents_that_do_not_fit(f, y_bar, code):
    _, pullback = ad.vjp(f, X)
    refused(code, lambda: pullback(y_bar))


def test_cotangents_that_are_converted():
    _, pullback = ad.vjp(doubled, X)
    for seed in (np.ones(3, int), np.ones(3, "float32")):
        (g,) = pullback(seed)
        assert g.dtype == np.float64
        np.testing.assert_array_equal(g, [2.0, 2.0, 2.0])
    _, pullback = ad.vjp(total, X)
    for seed in (1, np.int64(1), np.float32(1), np.array(1.0)):
        np.testing.assert_array_equal(pullback(seed)[0], 4.0 * X)
    _, pullback = ad.vjp(doubled, X.astype("float32"))
    assert pullback(np.ones(3))[0].dtype == np.float32


def test_tangents_that_do_not_fit():
    refused("AD405", lambda: ad.jvp(total, (X,), (1.0,)), "tangent of `x`")
    refused("AD405", lambda: ad.jvp(total, (X,), (np.ones(2),)))
    refused("AD405", lambda: ad.jvp(total, (X, 1.0), (X,)), "2 arguments and 1 tangents")
    refused("AD405", lambda: ad.jvp(total, (X, 1.0), (X, 1.0), wrt="x"),
            "1 arguments in `wrt` (`x`) and 2 tangents")
    refused("AD406", lambda: ad.jvp(total, (X,), (X * 1j,)))


def test_final_names():
    def f(c, x, n):
        c[0] = x[0]
        return np.sum(x) * n

    _, pullback = ad.vjp(f, np.zeros(2), X, 2)
    refused("AD411", lambda: pullback(1.0, final={"x": X}), "`c`")
    refused("AD411", lambda: pullback(1.0, final={"nothing": X}))
    refused("AD405", lambda: pullback(1.0, final={"c": X}), "the final `c`")


def test_what_is_no_function():
    for thing, code in ((3, "AD106"), (int, "AD106"), (len, "AD104")):
        with pytest.raises(CompileError) as caught:
            ad.grad(thing)
        assert caught.value.diagnostics[0].code == code


def test_a_pullback_that_lost_what_it_reads(monkeypatch):
    class Table:
        values = X.copy()

    def f(x):
        return np.sum(x * Table.values)

    _, pullback = ad.vjp(f, np.ones(3))
    Table.values[0] = 100.0
    try:
        np.testing.assert_array_equal(pullback(1.0)[0], X)
    except MutationError as error:
        assert "values" in str(error)


def test_failures_of_adtrans_say_so(monkeypatch):
    from adtrans.dispatch import dispatcher

    def broken(*args, **kwargs):
        raise ZeroDivisionError("inside")

    monkeypatch.setattr(dispatcher, "compile_function", broken)
    found = refused("AD901", lambda: ad.grad(lambda x: x)(1.0), "ZeroDivisionError: inside")
    assert found.primary.span.file == __file__


def test_a_container_that_holds_itself() -> None:
    ring: dict[str, object] = {"s": 3.0}
    ring["ring"] = ring
    assert ad.grad(lambda x, d: x * d["s"], wrt="x")(2.0, ring) == 3.0
