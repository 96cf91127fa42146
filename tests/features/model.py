"""A row of the matrix: a construct, and a program of a few lines that consists of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

X = np.array([0.6, 0.9, 1.3])


@dataclass(frozen=True)
class Row:
    """`fn` is differentiated at `args` with respect to `wrt`."""

    section: str
    construct: str
    fn: Callable[..., Any]
    args: tuple[Any, ...]
    wrt: int | str | tuple[int | str, ...] = 0


class Section:
    """The rows of one section; calling it declares one."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.rows: list[Row] = []

    def __call__(
        self, construct: str, *args: Any, wrt: int | str | tuple[int | str, ...] = 0
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def add(fn: Callable[..., Any]) -> Callable[..., Any]:
            self.rows.append(Row(self.name, construct, fn, args or (X,), wrt))
            return fn

        return add
