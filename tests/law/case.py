"""What a program of the law is: a function, arguments, and the modes that may refuse it.

program, PROGRAMS = collect()

@program(np.array([1.0, 2.0]))
def square(x):
    return x * x
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Program:
    """A function with arguments. In the modes of `may_refuse` a clear error is as good as a
    derivative; in the others it must have one."""

    fn: Callable[..., Any]
    args: tuple[Any, ...]
    may_refuse: tuple[str, ...] = ()

    @property
    def active(self) -> tuple[int, ...]:
        """The positions of the arguments that can be differentiated."""
        return tuple(k for k, a in enumerate(self.args) if np.asarray(a).dtype.kind == "f")


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def collect() -> tuple[Callable[..., Decorator], list[Program]]:
    """A decorator, and the list of the programs that it decorated."""
    found: list[Program] = []

    def program(*args: Any, may_refuse: tuple[str, ...] = ()) -> Decorator:
        def note(fn: Callable[..., Any]) -> Callable[..., Any]:
            found.append(Program(fn, args, may_refuse))
            return fn

        return note

    return program, found
