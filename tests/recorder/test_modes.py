"""All modes of the API, recorded, against the compiled ones."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad

from .modes_of_programs import (
    INSIDE,
    Model,
    by_name,
    checkpointed,
    flattened,
    inner_jvp,
    number,
    of_dict,
    of_object,
    of_two,
    starred,
    vector,
    with_aux,
    written,
)  # fmt: skip

X = np.array([0.9, 1.2, 0.5])


def compiled(f: Any) -> Any:
    return ad.differentiable(f, on_unfollowed="refuse")


def equal(a: Any, b: Any) -> None:
    """The same structure and types, and the same numbers to rounding."""
    assert type(a) is type(b), (a, b)
    if isinstance(a, tuple | list):
        assert len(a) == len(b)
        for v, w in zip(a, b, strict=True):
            equal(v, w)
    elif isinstance(a, dict):
        assert a.keys() == b.keys()
        for k in a:
            equal(a[k], b[k])
    elif isinstance(a, Model):
        equal((a.a, a.b, a.n), (b.a, b.b, b.n))
    elif a is not None:
        np.testing.assert_allclose(a, b, rtol=1e-12)


def params() -> dict[str, Any]:
    return {"a": 2.0, "b": X.copy(), "c": [1.0, 2.0]}


def pulled(f: Any, *args: Any, seed: Any = None, **options: Any) -> Any:
    y, back, *_ = ad.vjp(f, *args, **options)
    return y, back(X if seed is None else seed), back(X * 2 if seed is None else seed)


def with_final(f: Any) -> Any:
    a = X.copy()
    _, back = ad.vjp(f, a)
    return back(1.0, final={"x": np.ones(3)}), a


def into(f: Any) -> Any:
    _, back = ad.vjp(f, X, 2.0)
    buffer = np.ones(3)
    found = back(X, into={"x": buffer})
    assert found[0] is buffer
    return found


def changed_between(f: Any) -> Any:
    a = X.copy()
    y, back = ad.vjp(f, a, 2.0)
    a[:] = 0.0
    y[:] = 0.0
    return back(np.ones(3))


def in_threads(f: Any) -> Any:
    gradient, (_, back) = ad.grad(f, wrt="x"), ad.vjp(f, X, 2.0)
    found: list[Any] = [None] * 6

    def run(k: int) -> None:
        found[k] = back(X * k) if k % 2 else ad.jvp(f, (X * k, 2.0), (X, 1.0))

    threads = [threading.Thread(target=run, args=(k,)) for k in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    del gradient
    return found


def twice_the_same(f: Any, **options: Any) -> Any:
    a = X.copy()
    return ad.grad(f, **options)(a, a)


MODES: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "grad": (number, lambda f: ad.grad(f)(X, 2.0)),
    "grad by two": (number, lambda f: ad.grad(f, wrt=(0, 1))(X, 2.0)),
    "grad by a name": (number, lambda f: ad.grad(f, wrt="k")(X, k=2.0)),
    "value_and_grad": (number, lambda f: ad.value_and_grad(f, wrt=("x", "k"))(X, 2.0)),
    "vjp": (vector, lambda f: pulled(f, X, 2.0)),
    "jvp": (vector, lambda f: ad.jvp(f, (X, 2.0), (X, 1.0))),
    "jvp by one": (vector, lambda f: ad.jvp(f, (X, 2.0), (X, None))),
    "linearize": (vector, lambda f: ad.linearize(f, X, 2.0)[1](X, 1.0)),
    "jacobian": (vector, lambda f: ad.jacobian(f)(X, 2.0)),
    "jacfwd": (vector, lambda f: ad.jacfwd(f)(X, 2.0)),
    "jacrev": (vector, lambda f: ad.jacrev(f)(X, 2.0)),
    "hessian": (number, lambda f: ad.hessian(f)(X, 2.0)),
    "hvp": (number, lambda f: ad.hvp(f, (X, 2.0), (X, None))),
    "elementwise": (vector, lambda f: ad.elementwise_grad(f)(X, 2.0)),
    "dictionary": (of_dict, lambda f: ad.grad(f)(params())),
    "item": (of_dict, lambda f: ad.grad(f, wrt="p['b']")(params())),
    "object": (of_object, lambda f: ad.grad(f)(Model(2.0, X * 2), X)),
    "attribute": (of_object, lambda f: ad.grad(f, wrt="p.b")(Model(2.0, X * 2), X)),
    "attributes": (of_object, lambda f: ad.grad(f, wrt=("p.a", "x"))(Model(2.0, X * 2), X)),
    "stars": (starred, lambda f: ad.grad(f, wrt=(0, 1))(2.0, X)),
    "vjp of stars": (starred, lambda f: pulled(f, 2.0, X, seed=1.0)),
    "keywords": (by_name, lambda f: ad.grad(f)(X, s=3.0, q=2.0)),
    "by a keyword": (by_name, lambda f: ad.grad(f, wrt="s")(X, s=3.0, q=2.0)),
    "aux": (with_aux, lambda f: ad.grad(f, has_aux=True)(X)),
    "aux and value": (with_aux, lambda f: ad.value_and_grad(f, has_aux=True)(X)),
    "vjp with aux": (with_aux, lambda f: pulled(f, X, seed=1.0, has_aux=True)[1:]),
    "written": (written, lambda f: ad.grad(f)(X.copy())),
    "final": (written, with_final),
    "into": (vector, into),
    "changed between": (vector, changed_between),
    "threads": (vector, in_threads),
    "the same array twice": (of_two, twice_the_same),
    "the same array, by both": (of_two, lambda f: twice_the_same(f, wrt=(0, 1))),
}


@pytest.mark.parametrize("mode", MODES)
def test_mode(mode: str) -> None:
    f, run = MODES[mode]
    equal(run(ad.recorded(f)), run(compiled(f)))


def test_an_argument_that_repeats_its_elements() -> None:
    for x in (np.broadcast_to(0.7, (3,)), np.lib.stride_tricks.sliding_window_view(X, 2)):
        f = lambda x: np.sum(x**3) + np.ravel(x)[0]  # noqa: E731
        equal(ad.recorded(f).grad(x), ad.grad(f)(x.copy()))
        tangent = np.arange(float(x.size)).reshape(x.shape)
        equal(ad.jvp(ad.recorded(f), (x,), (tangent,)), ad.jvp(f, (x.copy(),), (tangent,)))


@pytest.mark.parametrize("f", INSIDE)
def test_inside(f: Any) -> None:
    value, gradient = ad.recorded(f).value_and_grad(X)
    assert value == f(X) and type(value) is type(f(X))
    h = 1e-5
    expected = [(f(X + h * e) - f(X - h * e)) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(gradient, expected, rtol=1e-6)
    _, slope = _pushed(f)
    if slope is not None:
        np.testing.assert_allclose(slope, gradient @ X, rtol=1e-12)


def _pushed(f: Any) -> Any:
    try:
        return ad.recorded(f).jvp((X,), (X,))
    except ad.CompileError as error:  # a rule without a pushforward
        assert "in_place" in f.__name__ or "writes" in f.__name__, error
        return None, None


@pytest.mark.parametrize("f", [checkpointed, flattened, inner_jvp])
def test_twice(f: Any) -> None:
    gradient = ad.recorded(f).grad
    h = 1e-5
    expected = [(gradient(X + h * e) - gradient(X - h * e)) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(ad.recorded(f).hessian(X), expected, rtol=1e-6, atol=1e-8)


def test_pickled() -> None:
    f = ad.recorded(number)
    for g in (f, ad.grad(f), ad.hessian(f)):
        again = pickle.loads(pickle.dumps(g))
        equal(again(X, 2.0), g(X, 2.0))


def unfollowed(x):
    return sum((lambda i, v: v * (i + 1.0))(*pair) for pair in iter(dict(enumerate(x)).items()))


def test_what_is_told() -> None:
    f = ad.recorded(number)
    assert "def number(x, k):" in f.source
    assert "recorded" in str(f.report())
    assert "recorded" in f._repr_html_()
    other = ad.differentiable(of_registry)
    np.testing.assert_allclose(other.grad(X), [2.0, 2.0, 2.0])
    assert "recorded" in str(other.report()) and "def of_registry" in other.source


def of_registry(x):
    kept = {}

    class Holder:
        def __setitem__(self, name, value):
            kept[name] = value

    holder = Holder()
    for k, v in enumerate(x):
        setattr(holder, f"v{k}", v)
        holder[k] = getattr(holder, f"v{k}")
    return sum(2.0 * v for v in kept.values())


def of_a_number(x):
    y, slope = ad.jvp(lambda v: v * v, (np.sin(x),), (np.array(1.0),))
    return slope * y


def of_an_element(x):
    y, slope = ad.jvp(lambda v: v * 3.0, (x[0],), (np.array(1.0),))
    return slope * y


def of_an_array_without_axes(x):
    y, slope = ad.jvp(lambda v: v * 3.0, (np.array(x),), (x,))
    return slope * y


@pytest.mark.parametrize("f", [of_a_number, of_an_element, of_an_array_without_axes])
def test_numbers_and_arrays_without_axes_have_tangents_of_either(f):
    x = np.array([0.5, 2.0]) if f is of_an_element else 0.5
    found = ad.grad(f)(x)
    np.testing.assert_allclose(found, ad.grad(ad.recorded(f))(x))
    step = np.array([1e-6, 0.0]) if f is of_an_element else 1e-6
    slope = (f(x + step) - f(x - step)) / 2e-6
    np.testing.assert_allclose(np.atleast_1d(found)[0], slope, rtol=1e-6)
