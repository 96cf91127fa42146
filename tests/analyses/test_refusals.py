"""Which errors are found, all at once, and where; the wording is in `test_messages`."""

from __future__ import annotations

import collections
import linecache
import sys

import numpy as np
import pytest

import adtrans
from adtrans.analyses.copy_fixes import reading
from adtrans.analyses.refusals import refusals
from tests.analyses.found import facts_of

X = np.array([1.0, 2.0, 3.0])


def line(span) -> str:
    return linecache.getline(span.file, span.line).rstrip("\n")


def found(fn, *args, **kw) -> list[tuple[str, str]]:
    """Codes and the lines that they point at."""
    diagnostics = refusals(facts_of(fn, *args), line, **kw)
    return [(d.code, line(d.primary.span).strip()) for d in diagnostics]


def fine(x):
    y = np.sin(x)
    y[0] = 1.0
    return np.sum(y)


def several(x):
    y = np.sin(x)
    a = np.sum(y * y)
    y[0] = 1.0
    b = np.roots(x)
    n = np.zeros(3, dtype=int)
    n[0] = x[0]
    return a + np.sum(b) + n[0]


def test_all_at_once_in_textual_order() -> None:
    assert found(fine, X) == []
    assert found(several, X) == [
        ("AD301", "y[0] = 1.0"),
        ("AD401", "b = np.roots(x)"),
        ("AD306", "n[0] = x[0]"),
    ]


def test_the_pushforward_refuses_no_mutation() -> None:
    assert ("AD301", "y[0] = 1.0") not in found(several, X, reverse=False)


def inactive(x, w):
    print(np.roots(w))
    names = {"a": len(w)}
    return np.sum(x) * names["a"]


def test_inactive_code_may_be_anything() -> None:
    assert found(inactive, X, X) == []


@pytest.mark.parametrize(
    ("code", "edited"),
    [
        ("z = y * y", "z = k * k"),
        ("return np.sum(y) + yy", "return np.sum(k) + yy"),
        ("y[1:] += y[:-1]", "y[1:] += k[:-1]"),
        ("y[:] = f(y, y=y)", "y[:] = f(k, y=k)"),
        ("z = obj.y * y.T  # y", "z = obj.y * k.T  # y"),
        ("é = 'y' + y", "é = 'y' + k"),
        ("y *= y", "y[...] = k * k"),
        ("z = 1.0", None),
        ("for v in y:", None),
        ("a = y; b = y", None),
        ("y.fill(y[0])", None),
        ("z = [y for y in y]", None),
    ],
)
def test_reading_a_copy(code: str, edited: str | None) -> None:
    assert reading(code, "y", "k") == edited


class Carrying(Exception):
    def __init__(self, value):
        super().__init__(value)
        self.value = value


def carrier():
    return sys.exc_info()[1]


def by_exc_info(x):
    try:
        raise Carrying(x * x)
    except Carrying:
        return sys.exc_info()[1].value


def by_a_helper(x):
    try:
        raise Carrying(x * x)
    except Carrying:
        return carrier().value


def by_vars(x):
    try:
        raise Carrying(x * x)
    except Carrying as error:
        return vars(error)["value"]


def by_the_frame(x):
    square = x * x
    return sys._getframe().f_locals["square"] * np.sum(square)


@pytest.mark.parametrize("f", [by_exc_info, by_a_helper, by_vars, by_the_frame])
@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_what_exceptions_and_frames_carry_is_got_at_in_no_other_way(f, mode):
    with pytest.raises(adtrans.CompileError) as caught:
        adtrans.vjp(f, 2.0) if mode == "reverse" else adtrans.jvp(f, (2.0,), (1.0,))
    assert caught.value.diagnostics[0].code in ("AD201", "AD202")


def test_looking_at_an_exception_without_using_it_is_no_matter():
    seen = []

    def f(x):
        try:
            raise Carrying(x)
        except Carrying:
            seen.append(sys.exc_info()[0].__name__)
        return x * x

    assert adtrans.grad(f)(3.0) == 6.0
    assert seen == ["Carrying"]


def moved(d):
    d.move_to_end("a")
    return d["a"] * d["b"]


def by_a_method_of_a_dictionary(x):
    return moved(collections.defaultdict(len, a=x[0], b=x[1]))


def by_a_method_of_a_set(x):
    seen, total = set(), 0.0
    for v in x:
        seen.add(v)
        total += v * len(seen)
    return total


def chosen(*fs):
    return fs[0] if len(fs) > 5 else lambda t: fs[1](fs[2](t))


def by_a_function(x):
    return np.sum(chosen(np.sin, np.cos, lambda t: t * t)(x))


@pytest.mark.parametrize(
    ("f", "title"),
    [
        (by_a_method_of_a_dictionary, "what a `collections.defaultdict` holds cannot be followed"),
        (by_a_method_of_a_set, "`seen.add` cannot be followed"),
        (by_a_function, "it is not known which function is called here"),
    ],
)
def test_what_is_not_known_is_named_and_nothing_that_follows_from_it(f, title):
    with pytest.raises(adtrans.CompileError) as caught:
        adtrans.grad(f)(X)
    found = caught.value.diagnostics
    assert title in [d.title for d in found]
    assert not {d.code for d in found} & {"AD203", "AD206", "AD303"}


def another_shape(x):
    w = np.arange(4.0)
    v = w
    setattr(v, "shape", (4, 1))  # noqa: B010  # as users write
    return np.sum(np.sin(w * x))


@pytest.mark.parametrize("way", ["refuse", "save"])
def test_an_array_whose_shape_is_assigned_is_refused(way):
    with pytest.raises(adtrans.CompileError) as caught:
        adtrans.grad(another_shape, on_overwrite=way)(np.ones(4))
    assert [d.code for d in caught.value.diagnostics] == ["AD201"]
    assert "the shape of `v` is changed in place" in str(caught.value)
    assert "v = v.reshape(...)" in str(caught.value)
