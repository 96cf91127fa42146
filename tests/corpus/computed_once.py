"""Attributes that a `cached_property` computes when they are first read."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from adtrans.diagnostics.errors import DerivativeError
from tests.corpus.model import Programs, vec

CASES = Programs("computed_once")


class _Mesh:
    def __init__(self, x):
        self.x = x
        self.times = 0

    @cached_property
    def squares(self):
        self.times += 1
        return self.x * self.x

    @cached_property
    def total(self):
        return np.sum(self.squares)

    @cached_property
    def own(self):
        return self.x

    def value(self):
        return np.sum(self.squares * self.total)


class _Sines(_Mesh):
    @cached_property
    def squares(self):
        return np.sin(self.x)


@CASES.add(vec(4))
def once_for_all(x):
    mesh = _Mesh(x)
    return mesh.value() * mesh.total * mesh.times


@CASES.add(vec(4))
def kept_when_what_it_was_made_of_changes(x):
    mesh = _Mesh(x)
    first = mesh.total
    mesh.x = mesh.x * 3.0
    return first * np.sum(mesh.squares * mesh.x)


@CASES.add(vec(4))
def perhaps_before(x):
    mesh, total = _Mesh(x), 0.0
    for k in range(3):
        if x[k] > 0.8:
            total = total + mesh.total
        mesh.x = mesh.x * x[0]
    return mesh.total * total


@CASES.add(vec(4))
def what_was_computed_is_written(x):
    mesh = _Mesh(x * 1.0)
    mesh.own[0] = 3.0 * x[1]
    mesh.squares[1] = x[2]
    return np.sum(mesh.x * mesh.own) * mesh.total


@CASES.add(vec(4))
def assigned_before_it_is_computed(x):
    mesh = _Mesh(x)
    mesh.squares = x * 3.0
    return mesh.total


@CASES.add(vec(4))
def in_a_class_below(x):
    mesh = _Sines(x)
    return mesh.value() * mesh.total


def _made(x):
    mesh = _Mesh(x)
    return np.sum(mesh.squares) * 0.5, mesh


@CASES.add(vec(4))
def computed_where_it_was_made(x):
    half, mesh = _made(x)
    mesh.x = x * 2.0
    return half * mesh.total * mesh.times


@CASES.never(vec(4), code="AD201")  # nothing is there then: it would be computed again
def deleted(x):
    mesh = _Mesh(x)
    first = mesh.total
    del mesh.squares
    return first * mesh.value()


class _Shown(_Mesh):
    def __repr__(self):
        return f"of {self.total}"


@CASES.never(vec(4), code="AD201")  # it is computed when the object is shown
def shown_before(x):
    mesh = _Shown(x)
    text = repr(mesh)
    mesh.x = x * 2.0
    return mesh.total * len(text)


class _Choice:
    def __init__(self, n, x=None):
        self.n = n
        self.x = x
        self.times = 0

    @cached_property
    def label(self):
        self.times += 1
        if self.n > 5:
            return "many"
        return None

    @cached_property
    def squares(self):
        return self.x * self.x


@CASES.add(vec(4))
def none_of_an_object_that_does_not_vary(x):
    choice, total = _Choice(2), 0.0
    for _ in range(3):
        if choice.label is None:
            total = total + np.sum(x * x)
        choice.n = 9
    return total


@CASES.never(vec(4), code="AD201")  # whether it was computed would not be known
def none_of_an_object_that_varies(x):
    choice = _Choice(2, x)
    if choice.label is None:
        return np.sum(choice.x * x)
    return np.sum(x)


@CASES.never(vec(4), code="AD201")
def assigned_none(x):
    choice = _Choice(2, x)
    choice.squares = None
    return np.sum(x) if choice.squares is None else np.sum(choice.squares)


_NOTHING = None


@CASES.add(vec(4), raises=DerivativeError)
def assigned_a_global_that_is_none(x):
    choice = _Choice(2, x)
    choice.squares = _NOTHING
    return np.sum(x) if choice.squares is None else np.sum(choice.squares)


@CASES.add(vec(4))
def assigned_on_some_paths(x):
    choice = _Choice(2, x)
    for k in range(3):
        if x[k] > 0.5:
            choice.squares = x * k
        choice.x = choice.x + x[0]
    return np.sum(choice.squares * x)


_MESH = _Mesh(vec(4))


@CASES.never(vec(4), code="AD201")  # it may have been computed before
def of_an_object_from_outside(x):
    _MESH.x = x
    return _MESH.total
