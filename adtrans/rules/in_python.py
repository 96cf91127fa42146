"""Functions of the standard library that are written in C, in Python: that is differentiated.
Those of SciPy are in `written`, of which a module is loaded once a program asks for one.

What they do to their lists, and which items they compare in which order, is the same.

>>> heap = [3.0, 2.0, 1.0]
>>> heapify(heap)
>>> heappush(heap, 0.5)
>>> heappop(heap), heap
(0.5, [1.0, 2.0, 3.0])
>>> in_python(heapq.heappop) is heappop, in_python(len) is None
(True, True)
"""

from __future__ import annotations

import bisect
import cmath
import heapq
import math
import operator
from types import FunctionType
from typing import Any

from adtrans.rules.written import written


def in_python(obj: object) -> FunctionType | None:
    """The Python function that does what `obj` does; None where none is known."""
    if str(getattr(obj, "__module__", "")).startswith("scipy."):
        return written(obj)
    return next((made for given, made in _FUNCTIONS if given is obj), None)


def _upwards(heap: list[Any], top: int, at: int) -> None:
    """An item goes up until its parent is not larger."""
    item = heap[at]
    while at > top:
        parent = (at - 1) >> 1
        above = heap[parent]
        if not item < above:
            break
        heap[at] = above
        at = parent
    heap[at] = item


def _downwards(heap: list[Any], at: int) -> None:
    """An item goes all the way down, smaller children move up; then up again to its place."""
    end, top = len(heap), at
    item = heap[at]
    child = 2 * at + 1
    while child < end:
        right = child + 1
        if right < end and not heap[child] < heap[right]:
            child = right
        heap[at] = heap[child]
        at = child
        child = 2 * at + 1
    heap[at] = item
    _upwards(heap, top, at)


def heappush(heap: list[Any], item: Any, /) -> None:
    """`heapq.heappush`."""
    heap.append(item)
    _upwards(heap, 0, len(heap) - 1)


def heappop(heap: list[Any], /) -> Any:
    """`heapq.heappop`."""
    last = heap.pop()
    if not heap:
        return last
    least = heap[0]
    heap[0] = last
    _downwards(heap, 0)
    return least


def heapify(heap: list[Any], /) -> None:
    """`heapq.heapify`."""
    for at in reversed(range(len(heap) // 2)):
        _downwards(heap, at)


def heapreplace(heap: list[Any], item: Any, /) -> Any:
    """`heapq.heapreplace`."""
    least = heap[0]
    heap[0] = item
    _downwards(heap, 0)
    return least


def heappushpop(heap: list[Any], item: Any, /) -> Any:
    """`heapq.heappushpop`."""
    if heap and heap[0] < item:
        least = heap[0]
        heap[0] = item
        _downwards(heap, 0)
        return least
    return item


def nsmallest(n: int, iterable: Any) -> list[Any]:
    """`heapq.nsmallest` without a key."""
    return sorted(iterable)[: max(n, 0)]


def nlargest(n: int, iterable: Any) -> list[Any]:
    """`heapq.nlargest` without a key."""
    return sorted(iterable, reverse=True)[: max(n, 0)]


def insort_right(a: list[Any], x: Any, lo: int = 0, hi: int | None = None) -> None:
    """`bisect.insort` without a key."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    high = len(a) if hi is None else hi
    while lo < high:
        middle = (lo + high) // 2
        if x < a[middle]:
            high = middle
        else:
            lo = middle + 1
    a.insert(lo, x)


def insort_left(a: list[Any], x: Any, lo: int = 0, hi: int | None = None) -> None:
    """`bisect.insort_left` without a key."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    high = len(a) if hi is None else hi
    while lo < high:
        middle = (lo + high) // 2
        if a[middle] < x:
            lo = middle + 1
        else:
            high = middle
    a.insert(lo, x)


def polar(z: Any, /) -> tuple[float, float]:
    """`cmath.polar`."""
    value = complex(z)
    return abs(value), cmath.phase(value)


def rect(r: float, phi: float, /) -> complex:
    """`cmath.rect`."""
    if phi == 0.0:
        return complex(r, r * phi)
    return complex(r * math.cos(phi), r * math.sin(phi))


def concat(a: Any, b: Any, /) -> Any:
    """`operator.concat`."""
    return a + b


def contains(a: Any, b: Any, /) -> bool:
    """`operator.contains`."""
    return b in a


def absolute(a: Any, /) -> Any:
    """`operator.abs`."""
    return abs(a)


def truth(a: Any, /) -> bool:
    """`operator.truth`."""
    return bool(a)


def not_(a: Any, /) -> bool:
    """`operator.not_`."""
    return not a


def setitem(a: Any, b: Any, c: Any, /) -> None:
    """`operator.setitem`."""
    a[b] = c


def delitem(a: Any, b: Any, /) -> None:
    """`operator.delitem`."""
    del a[b]


def iadd(a: Any, b: Any, /) -> Any:
    """`operator.iadd`, and `iconcat`."""
    a += b
    return a


def isub(a: Any, b: Any, /) -> Any:
    """`operator.isub`."""
    a -= b
    return a


def imul(a: Any, b: Any, /) -> Any:
    """`operator.imul`."""
    a *= b
    return a


def itruediv(a: Any, b: Any, /) -> Any:
    """`operator.itruediv`."""
    a /= b
    return a


def ipow(a: Any, b: Any, /) -> Any:
    """`operator.ipow`."""
    a **= b
    return a


def imatmul(a: Any, b: Any, /) -> Any:
    """`operator.imatmul`."""
    a @= b
    return a


_FUNCTIONS: tuple[tuple[object, Any], ...] = (
    (heapq.heappush, heappush),
    (heapq.heappop, heappop),
    (heapq.heapify, heapify),
    (heapq.heapreplace, heapreplace),
    (heapq.heappushpop, heappushpop),
    (heapq.nsmallest, nsmallest),
    (heapq.nlargest, nlargest),
    (bisect.insort_right, insort_right),
    (bisect.insort_left, insort_left),
    (cmath.polar, polar),
    (cmath.rect, rect),
    (operator.concat, concat),
    (operator.contains, contains),
    (operator.abs, absolute),
    (operator.truth, truth),
    (operator.not_, not_),
    (operator.setitem, setitem),
    (operator.delitem, delitem),
    (operator.iadd, iadd),
    (operator.iconcat, iadd),
    (operator.isub, isub),
    (operator.imul, imul),
    (operator.itruediv, itruediv),
    (operator.ipow, ipow),
    (operator.imatmul, imatmul),
)
