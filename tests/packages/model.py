"""A case: a function of an installed package, where it is differentiated, what it exercises.

A case is declared by a function that imports the package and returns what to differentiate, so that
the collection can be listed where the packages are missing.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Program:
    """What is differentiated: a function, its arguments, and the options of the comparison."""

    fn: Callable[..., Any]
    args: tuple[Any, ...]
    wrt: int | str | tuple[int | str, ...] = 0
    steps: dict[str, float] = field(default_factory=dict)
    """`eps`, `rtol`, `atol` of the comparison, where values are not of the order of one."""


@dataclass(frozen=True)
class Package:
    """One function (or a few lines over a class) of a package."""

    distribution: str
    name: str
    exercises: str
    make: Callable[[], Program]

    @property
    def version(self) -> str | None:
        """The version that is installed, or None."""
        try:
            return importlib.metadata.version(self.distribution)
        except importlib.metadata.PackageNotFoundError:
            return None


CASES: dict[tuple[str, str], Package] = {}


def package(
    distribution: str, name: str, exercises: str
) -> Callable[[Callable[[], Program]], Callable[[], Program]]:
    """Put what the decorated function makes into the collection."""

    def add(make: Callable[[], Program]) -> Callable[[], Program]:
        found = CASES.setdefault(
            (distribution, name), Package(distribution, name, exercises, make)
        )
        same = found.make.__code__.co_firstlineno == make.__code__.co_firstlineno
        assert same, f"{distribution} {name} is there twice"  # but a module may be imported twice
        return make

    return add
