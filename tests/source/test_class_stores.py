"""Which attributes the code of a function assigns to others than its own object."""

from __future__ import annotations

from dataclasses import dataclass

from adtrans.source.class_stores import stored_by


@dataclass
class Config:
    k: float = 2.0
    steps: int = 4


class Valve:
    made = 0
    opened = 0

    def __init__(self, other):
        self.size = 1.0
        other.seen = True

    def open(self):
        type(self).opened += 1
        self.size = 2.0

    @classmethod
    def count(cls):
        cls.made += 1


def renewed(owner):
    owner.made = 0


def test_what_a_method_assigns_to_its_own_object_is_no_attribute_of_a_class():
    assert set(stored_by(Config.__init__)) == set()
    assert set(stored_by(Valve.__init__)) == {"seen"}
    assert set(stored_by(Valve.open)) == {"opened"}


def test_what_class_methods_and_functions_assign_may_be_one():
    assert set(stored_by(Valve.count.__func__)) == {"made"}
    assert set(stored_by(renewed)) == {"made"}
