"""Second derivatives of programs over lists, dictionaries and tuples.

Their generated code changes lists of adjoints, and is differentiated again: helpers for these are
written out for the kinds that they are called with (`adtrans.driver.container_helpers`).
"""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans import runtime
from adtrans.driver import container_helpers
from adtrans.ir.kinds import NEVER, NONE_KIND, PY_FLOAT, UNKNOWN, Array, DictOf, ListOf, TupleOf
from adtrans.testing import check_grads
from tests.corpus.entries import dictionary_in_a_tuple_filled_by_a_helper

X = np.array([0.6, 0.9, 1.3, 0.4, 1.1])
VECTOR = Array("float64", None)


def joined_arrays(x):
    rows = [x * x, x[1] * x, np.sin(x)]
    return np.sum(np.concatenate(rows) ** 3) + np.sum(np.stack(rows) ** 2 * rows[0])


def repeated_and_added(x):
    a = [v * v for v in x]
    b = a * 2 + [a[0] * a[1]]
    return sum(b) * sum(a) * np.sum(np.array(b) ** 2)


def slices(x):
    a = []
    for v in x:
        a.append(v * v)
    b, c = a[1:3], a[-2:]
    s = a[0]
    for u, v in zip(b, c):  # noqa: B905
        s += u * v * v
    return s * s


def rows_of_rows(x):
    rows = [[a * b * b for a in x] for b in x]
    return sum(rows[0]) * sum(rows[1]) * rows[2][0]


def all_edits(x):
    a = [x[0] ** 2, x[1] ** 3, x[2]]
    a.insert(1, a[0] * a[2])
    a.reverse()
    c = a.pop(1)
    a.extend([c * c, x[3]])
    first = a.pop(0)
    b = a.copy()
    a.clear()
    a.append(first * first)
    return first * b[0] * b[1] * b[2] * a[0]


def appends(a, x):
    a.append(x * x)
    a[0] = a[0] * x
    return a[-1] * a[0]


def written_by_a_callee(x):
    a = [x[0] * x[1]]
    u = appends(a, x[2])
    v = appends(a, x[3])
    return u * v * sum(a)


def entries(p):
    d = {"u": p["a"] * p["b"], "v": p["a"] ** 2}
    for k in ("u", "v"):
        d[k] = d[k] * 2.0 * d[k]
    return np.sum(d["u"] * d["v"]) * p["b"]


def optional_entries(x):
    d = {"a": x[0] * x[0]}
    s = d.get("a", 1.0) * d.get("b", x[1]) * d.setdefault("c", x[2] * x[2])
    return s * d.pop("c") * d.pop("missing", x[3])


def pairs(p):
    s = 0.0
    for w, b in p:
        s = s + np.sum(np.tanh(w * b)) * b
    return s * s


def nested(p):
    s = 1.0
    for w, b in p["layers"]:
        s = s * np.sum(w * w) * b
    return s * p["scale"] ** 2


def a_list(p):
    p[0] = p[0] * p[1]
    return np.sum(p[0] ** 2 * p[1])


def stars(x):
    first, *rest = [x[0], x[1] * x[1], x[2] * x[0]]
    return first * rest[0] * rest[1]


def ordered(x):
    a = sorted([v * v for v in x], reverse=True)
    return a[0] * a[1] ** 2 * max(a) * min([x[0] * x[1], x[2]])


def united(x):
    d = {"a": x[0] * x[1], "b": x[1]}
    d.update({"a": x[2] * x[2], "c": x[3]})
    s = 1.0
    for v in d.values():
        s = s * v
    return s


def left_early(x):
    s = 1.0
    for k in range(1, 5, 2):
        s = s * x[k] * x[k - 1]
        if s > 100.0:
            break
    for k in reversed(range(4)):
        s = s * (1.0 + x[k])
        if s > 1.5:
            break
    return s


LAYERS = [(X, 0.5), (X[:2], 0.3)]
CASES = [
    (joined_arrays, X), (repeated_and_added, X), (slices, X), (rows_of_rows, X), (all_edits, X),
    (written_by_a_callee, X), (entries, {"a": X, "b": 0.7}), (optional_entries, X),
    (pairs, LAYERS), (pairs, [(X[:1], 0.5), (X, 0.3)]), (nested, {"layers": LAYERS, "scale": 1.2}),
    (a_list, [X, 2.0 * X]), (stars, X), (ordered, X), (united, X), (left_early, X),
]  # fmt: skip


@pytest.mark.parametrize(("f", "at"), CASES)
def test_forward_and_reverse_over_reverse(f, at):
    """`H v` by the pushforward of the gradient, against differences; `w H v` by its pullback."""
    flat, unravel = ad.tree.ravel(at)
    rng = np.random.default_rng(0)
    v, w = rng.normal(size=(2, flat.size))
    gradient = ad.grad(f)

    def slope(x):
        return ad.tree.ravel(gradient(unravel(x)))[0]

    forward = ad.tree.ravel(ad.hvp(f, (unravel(flat),), (unravel(v),)))[0]
    expected = (slope(flat + 1e-5 * v) - slope(flat - 1e-5 * v)) / 2e-5
    np.testing.assert_allclose(forward, expected, rtol=1e-7, atol=1e-7 * np.max(np.abs(expected)))
    _, pullback = ad.vjp(gradient, unravel(flat))
    backward = ad.tree.ravel(pullback(unravel(w))[0])[0]
    assert forward @ w == pytest.approx(backward @ v, rel=1e-9)


def test_every_entry_has_a_second_derivative_in_the_order_of_the_argument():
    def f(p):
        return p["b"] ** 2 * np.sum(p["a"] * p["c"])

    p = {"a": X, "n": 3, "b": 0.7, "unused": 2.0, "c": X + 1.0}
    v = {k: None if k == "n" else 1.0 + 0.0 * value for k, value in p.items()}
    value, found = ad.jvp(ad.grad(f), (p,), (v,))
    assert list(value) == list(found) == list(p)
    assert value["n"] is None and found["unused"] == 0.0
    assert type(value["b"]) is type(found["b"]) is float

    def inside(p):
        g = ad.grad(f)(p)
        return g["unused"] + np.sum(g["a"] * g["c"])

    check_grads(inside, (p,))


def test_third_derivatives():
    def f(x):
        values = [x[0] * x[1]]
        for v in x[1:]:
            values.append(values[-1] * v)
        return sum(values)

    found = ad.jacfwd(ad.hessian(f))(X)
    h = 1e-5
    for k in range(5):
        e = h * np.eye(5)[k]
        expected = (ad.hessian(f)(X + e) - ad.hessian(f)(X - e)) / (2.0 * h)
        np.testing.assert_allclose(found[:, :, k], expected, atol=1e-8)


@pytest.mark.parametrize("kinds", [
    (ListOf(VECTOR), ListOf(VECTOR)),
    (TupleOf((VECTOR, NONE_KIND)), TupleOf((NONE_KIND, NONE_KIND))),
    (DictOf(PY_FLOAT), DictOf(NEVER)),
    (DictOf(UNKNOWN, (("a", PY_FLOAT), ("b", VECTOR))), DictOf(VECTOR, (("b", VECTOR),))),
    (ListOf(ListOf(PY_FLOAT)), ListOf(ListOf(PY_FLOAT))),
])  # fmt: skip
def test_what_is_written_out_does_the_same(kinds):
    def example(kind):
        match kind:
            case ListOf():
                return [example(kind.item), example(kind.item)]
            case TupleOf():
                return tuple(example(k) for k in kind.items)
            case DictOf():
                plain = {} if kind.item == NEVER else {"k": example(kind.item)}
                return {k: example(item) for k, item in kind.fields} or plain
            case Array():
                return np.arange(3.0)
            case _:
                return None if kind == NONE_KIND else 1.5

    a, b = (example(k) for k in kinds)
    plus = container_helpers.for_kinds(runtime.plus, kinds)
    np.testing.assert_equal(plus(a, b), runtime.plus(a, b))
    for helper in (runtime.zeros_of, runtime.duplicate):
        np.testing.assert_equal(container_helpers.for_kinds(helper, kinds[:1])(a), helper(a))


def test_entries_that_were_not_expected_are_an_error():
    kind = DictOf(UNKNOWN, (("a", PY_FLOAT), ("b", VECTOR)))
    with pytest.raises(ad.DerivativeError, match="'c'"):
        container_helpers.for_kinds(runtime.zeros_of, (kind,))({"a": 1.0, "c": 2.0})


def test_of_what_is_not_known_nothing_is_written():
    assert container_helpers.for_kinds(runtime.plus, (UNKNOWN, PY_FLOAT)) is None
    assert container_helpers.for_kinds(runtime.duplicate, (DictOf(UNKNOWN),)) is None
    assert container_helpers.for_kinds(np.sin, (PY_FLOAT,)) is None


def test_a_dictionary_in_a_tuple_that_a_helper_fills_forwards() -> None:
    check_grads(dictionary_in_a_tuple_filled_by_a_helper, (np.array([0.6, 0.9, 1.3]),),
                modes=("forward",))  # fmt: skip


class Holder:
    def __init__(self, scale):
        self.scale = scale


SPARE = Holder(1.0)


def scale_of_one_of_two(w, x, held):
    t = held if w > 5.0 else SPARE
    t.scale = x
    return w * w * t.scale


def test_an_attribute_that_is_assigned_and_read_is_no_mirror() -> None:
    """Of an object that is not followed: the second derivative is known, or refused."""
    by_w = ad.grad(scale_of_one_of_two, wrt=0)
    assert by_w(1.5, 2.0, Holder(3.0)) == 6.0
    try:
        mixed = ad.grad(by_w, wrt=1)(1.5, 2.0, Holder(3.0))
    except ad.CompileError as error:
        assert "AD201" in {d.code for d in error.diagnostics}
    else:
        assert mixed == 3.0
