"""Whether a linear map that can only be run, as a pullback, multiplies each element by a number.

What it makes of ones, `d`, has to be those numbers then: what it makes of `s` has to be `d * s`.

1. `s` are powers of two, of either sign. Scaling by them rounds nothing, so that the map of a
   function that treats each element by itself gives `d * s` to the bit. Each element has scales of
   its own: drawn independently, as many and from so many values that a given linear combination of
   them vanishes with probability below 1e-9, and no two elements have the same. So an element that
   depends on one other is found for certain, and on several with that probability of a miss.
2. Where bits differ, that is another element, or rounding, as of `ifft(fft(x))`. What rounding does
   is measured: for a linear map, `J(1) + J(s) - J(1 + s)` is nothing else. `s` are numbers from 1
   to 2, six draws: what is 64 times the bound, which is 64 times what was measured or 16 units in
   the last place, is missed with probability below 1e-9.

>>> is_diagonal(lambda s: [3.0 * s[0]], [np.full(2, 3.0)], [0], [np.ones(2)])
True
>>> is_diagonal(lambda s: [s[0][::-1]], [np.ones(2)], [0], [np.ones(2)])
False
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Arrays: TypeAlias = "Sequence[NDArray[Any]]"
Map: TypeAlias = "Callable[[Arrays], Arrays]"

_MISSED = 1e-9
_DRAWS = 6  # of numbers from 1 to 2: each hits an interval of length 1 / 32 by 1 / 32
_SLACK = 64.0  # by which rounding may exceed what was measured of it


def is_diagonal(run: Map, ones: Arrays, of: Sequence[int], like: Arrays) -> bool:
    """Whether `run` multiplies each element of arrays like those of `like` by a number.

    `ones`: what it makes of ones. Its k-th array belongs to the one with the index `of[k]`.
    """
    with np.errstate(all="ignore"):
        info = min((np.finfo(a.dtype) for a in (*ones, *like)), key=lambda i: int(i.maxexp))
        for s in _powers(like, info):
            exact = (np.array_equal(after, before * s[k], equal_nan=True)
                     for before, after, k in zip(ones, run(s), of, strict=True))  # fmt: skip
            if not all(exact):
                return _is_rounded(run, ones, of, like, info)
        return True


def _powers(like: Arrays, info: Any) -> list[Arrays]:
    """Powers of two, of either sign: no two elements have the same ones in all draws."""
    random = np.random.default_rng(0)
    half = int(info.maxexp) // 4  # far from what would be too large or too small
    base = 4 * half
    draws = int(np.ceil(-np.log(_MISSED) / np.log(base)))
    size, most = sum(np.size(a) for a in like), base**draws
    codes = random.integers(most, size=size)
    while size < most // 2:
        _, first = np.unique(codes, return_index=True)
        again = np.ones(size, bool)
        again[first] = False
        if not again.any():
            break
        codes[again] = random.integers(most, size=int(again.sum()))
    found: list[Arrays] = []
    for _ in range(draws):
        codes, digit = np.divmod(codes, base)
        sign = 1.0 - 2.0 * (digit % 2)
        found.append(_shaped(sign * np.exp2(digit // 2 - half), like))
    return found


def _is_rounded(run: Map, ones: Arrays, of: Sequence[int], like: Arrays, info: Any) -> bool:
    """Whether what makes the difference is no more than rounding."""
    random = np.random.default_rng(1)
    steps = 2 ** (int(info.nmant) // 2)
    size = sum(np.size(a) for a in like)
    wide = [np.asarray(a, np.result_type(a, np.float64)) for a in ones]
    off = [np.zeros(np.shape(a)) for a in wide]
    noise = [16.0 * info.eps * np.abs(a) + 64.0 * info.tiny for a in wide]
    for _ in range(_DRAWS):
        drawn = 1.0 + random.integers(steps, size=size) / steps
        s = _shaped(drawn, like)
        once, more = run(s), run(_shaped(1.0 + drawn, like))  # which is exact
        for i, k in enumerate(of):
            noise[i] = np.fmax(noise[i], _SLACK * np.abs(wide[i] + once[i] - more[i]))
            off[i] = np.maximum(off[i], np.abs(once[i] - wide[i] * s[k]))
    close = (~np.isfinite(a) | (o <= n) for a, o, n in zip(wide, off, noise, strict=True))
    return all(bool(np.all(c)) for c in close)


def _shaped(values: NDArray[Any], like: Arrays) -> Arrays:
    """The values, one after the other, as arrays with the shapes of `like`."""
    ends = np.cumsum([np.size(a) for a in like])
    parts = np.split(values, ends[:-1])
    return [p.reshape(np.shape(a)).astype(a.dtype) for p, a in zip(parts, like, strict=True)]
