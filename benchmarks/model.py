"""What a benchmark program is: a function, its adjoint written by hand, and arguments."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Program:
    """One program of the benchmark.

    `by_hand(*args)` returns the value and a tuple of gradients, one for each of `wrt`: what someone
    who knows NumPy and adjoints would write, without buffers that are passed around. `arguments`
    makes the arguments, for a size. `rewritten` is the same function without writes into arrays,
    for tools that cannot follow them; None says that the function itself has none.
    """

    name: str
    about: str
    loss: Callable[..., Any]
    by_hand: Callable[..., tuple[Any, tuple[Any, ...]]]
    arguments: Callable[[int], tuple[Any, ...]]
    wrt: tuple[int, ...]
    sizes: tuple[int, int]  # for a full run and for a quick one
    options: Mapping[str, Any] = field(default_factory=dict)
    rewritten: Callable[..., Any] | None = None

    def size(self, quick: bool) -> int:
        """The size of the arguments for a quick or a full run."""
        return self.sizes[1] if quick else self.sizes[0]


def with_numpy(fn: Callable[..., Any], numpy: object) -> Callable[..., Any]:
    """`fn` reading another module where it says `np`: how autograd gets to see its operations.

    >>> import math
    >>> def f(x): return np.sqrt(x)
    >>> with_numpy(f, math)(4.0)
    2.0
    """
    assert isinstance(fn, types.FunctionType)
    names = {**fn.__globals__, "np": numpy}
    return types.FunctionType(fn.__code__, names, fn.__name__, fn.__defaults__, fn.__closure__)
