"""A decorator whose wrapper says `super(type(self), self)`, under the name of a method."""

from __future__ import annotations

import functools
from typing import Any

import adtrans as ad


def falling_back(fn: Any) -> Any:
    @functools.wraps(fn)
    def wrapper(self: Any, x: float, **options: Any) -> Any:
        if options.pop("plain", False):
            return super(type(self), self).scaled(x, **options)
        return fn(self, x, **options)

    return wrapper


class Base:
    def scaled(self, x: float, by: float = 1.0) -> float:
        return x * by


class Twice(Base):
    @falling_back
    def scaled(self, x: float, by: float = 1.0) -> float:
        return 2.0 * x * by


def test_it_is_no_internal_error() -> None:
    made = Twice()

    def f(x: float) -> Any:
        return made.scaled(x, by=3.0)

    try:
        assert ad.grad(f)(2.0) == 6.0
    except ad.AdtransError as error:
        assert error.diagnostics[0].code != "AD901"
