"""What a test program is: a function, arguments, and what must become of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Case:
    """A program with example arguments and its expected fate.

    `default` and `save` say what happens with `on_overwrite="refuse"` and `"save"`: "ok", the code
    of the error, or several of these with a slash between them where each is right. `verdicts` maps
    a piece of a line that writes to the verdict it gets in default mode (again with slashes).
    `final` names arguments whose contents after the call are differentiated as results. `steps`:
    step and tolerance of the differences, where values are rounded to a lower precision.
    """

    name: str
    group: str
    fn: Callable[..., Any]
    args: tuple[Any, ...]
    wrt: int | str | tuple[int | str, ...] = 0
    row: str = ""
    default: str = "ok"
    save: str = "ok"
    final: tuple[str, ...] = ()
    verdicts: Mapping[str, str] = field(default_factory=dict)
    raises: type[Exception] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    steps: Mapping[str, float] = field(default_factory=dict)


class Programs(list[Case]):
    """The programs of one file; `add` is a decorator that leaves the function as it is."""

    def __init__(self, group: str) -> None:
        super().__init__()
        self.group = group

    def add(self, *args: Any, **about: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def note(fn: Callable[..., Any]) -> Callable[..., Any]:
            before = sum(case.fn is fn for case in self)  # the same with other arguments
            name = f"{self.group}-{fn.__name__}" + (f"-{before + 1}" if before else "")
            self.append(Case(name, self.group, fn, args, **about))
            return fn

        return note

    def refused(self, *args: Any, code: str = "AD301/AD302/AD303/AD304", **about: Any) -> Any:
        """A program that is refused in default mode and right when it may save copies."""
        return self.add(*args, default=code, **about)

    def never(self, *args: Any, code: str, **about: Any) -> Any:
        """A program that is refused in every mode."""
        return self.add(*args, default=code, save=code, **about)


def later(code: str) -> dict[str, str]:
    """The fate of a program that is refused clearly today, in every mode, and may pass one day."""
    return {"default": f"ok/{code}", "save": f"ok/{code}"}


def vec(n: int, start: float = 0.6) -> np.ndarray:
    """n different numbers between 0.6 and 1.6, in no particular order."""
    return start + (np.arange(n) * 0.6180339887498949) % 1.0


def mat(m: int, n: int, start: float = 0.6) -> np.ndarray:
    """An (m, n) array of such numbers."""
    return vec(m * n, start).reshape(m, n)


def spd(n: int) -> np.ndarray:
    """A symmetric positive definite, well-conditioned matrix."""
    a = mat(n, n, 0.0)
    return a @ a.T + n * np.eye(n)
