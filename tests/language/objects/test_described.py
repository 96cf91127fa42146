"""What classes say about their objects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adtrans.annotations.of_classes import kind_of_objects, kinds_of_parameters
from adtrans.ir.kinds import Instance


@dataclass
class State:
    x: np.ndarray
    v: np.ndarray
    t: float = 0.0


@dataclass
class System:
    state: State
    steps: int


class Plain:
    scale: float

    def __init__(self, n: int, data: np.ndarray, other):
        self.n = n
        self.data, self.work = data.copy(), np.empty((4, n))
        self.other = other
        self.log = []

    def method(self, k: float):
        return k

    @property
    def size(self):
        return self.n

    @staticmethod
    def apart(k: float):
        return k


class Inherited(Plain):
    def __init__(self, n: int):
        super().__init__(n, np.zeros(n), None)
        self.extra = 1.0
        self.n = 2.0


class Computed:
    x: float

    def __getattr__(self, name):
        return 1.0


def fields(cls):
    return {name: str(kind) for name, kind in kind_of_objects(cls).fields}


def test_annotations_of_a_dataclass():
    assert fields(State) == {"t": "float", "v": "?[...]", "x": "?[...]"}


def test_objects_in_objects():
    kind = kind_of_objects(System).attribute("state")
    assert isinstance(kind, Instance)
    assert [name for name, _ in kind.fields] == ["t", "v", "x"]


def test_what_a_constructor_assigns():
    found = {"data": "?[...]", "n": "int", "scale": "float", "work": "float64[?, ?]"}
    assert fields(Plain) == found
    assert fields(Inherited) == {**found, "extra": "float", "n": "float"}


def test_parameters_of_methods():
    assert kinds_of_parameters(Plain.method)["self"] == kind_of_objects(Plain)
    assert kinds_of_parameters(Plain.size.fget)["self"] == kind_of_objects(Plain)
    assert list(kinds_of_parameters(Plain.apart)) == ["k"]


def test_annotated_objects():
    def f(state: State, computed: Computed, k: float): ...

    assert kinds_of_parameters(f).keys() == {"state", "k"}
    assert kinds_of_parameters(f)["state"] == kind_of_objects(State)
