"""Checks that generated code makes of memory, where the analysis could not decide: overlaps, views,
marks of what the derivative needs.

Each costs a comparison, or as many as elements are concerned. What fails raises `MutationError`, or
`DerivativeError`, before a wrong number can leave.

>>> import numpy as np
>>> y = np.zeros((2, 3))
>>> check_view(y.reshape(-1), y, "line 5 takes it for a view")
>>> check_view(y.T.reshape(-1), y, "line 5 takes it for a view")
Traceback (most recent call last):
    ...
adtrans.runtime.failures.MutationError: line 5 takes it for a view [AD606]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.runtime.failures import DerivativeError, MutationError

_MANY = 1_000_000  # elements whose places are compared one by one

def overlaps(a: Any, b: Any) -> bool:
    """Whether two arrays share memory; in doubt (too much work to decide) yes.

    Anything but arrays shares nothing.
    """
    if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray)):
        return False
    if not np.may_share_memory(a, b):
        return False
    try:
        work: Any = 10_000
        return np.shares_memory(a, b, max_work=work)
    except np.exceptions.TooHardError:
        return True


def overlaps_itself(a: Any) -> bool:
    """Whether two elements of an array share memory; of very large ones, whether they may.

    >>> overlaps_itself(np.broadcast_to(1.0, 3)), overlaps_itself(np.zeros((4, 4))[::2, ::-1])
    (True, False)
    >>> steps = np.lib.stride_tricks.as_strided
    >>> [overlaps_itself(steps(np.zeros(9), (3, 2), (16, 8 * k))) for k in (1, 2, 3)]
    [False, True, False]
    """
    if a.flags.c_contiguous or not a.size:
        return False
    reach, apart = a.itemsize, True
    steps = sorted((abs(s), n) for s, n in zip(a.strides, a.shape, strict=True) if n > 1)
    for step, n in steps:
        apart &= step >= reach
        reach += step * (n - 1)
    if apart:
        return False
    if steps[0][0] < a.itemsize or a.size * a.itemsize > reach or a.size > _MANY:
        return True
    places = np.zeros(1, dtype=np.intp)
    for step, n in steps:
        places = np.add.outer(places, step * np.arange(n)).ravel()
    places.sort()
    return bool(np.any(np.diff(places) < a.itemsize))


def base_of(a: Any) -> Any:
    """The object that owns the memory of `a`, also behind what stands between an array and its
    views: a `memoryview`, or what `as_strided` makes.

    >>> x = np.zeros((2, 3))
    >>> base_of(x[0].reshape(3, 1)) is x
    True
    >>> windows = np.lib.stride_tricks.sliding_window_view(x[0], 2)
    >>> base_of(windows) is base_of(np.asarray(memoryview(x))) is x
    True
    """
    while isinstance(a, np.ndarray) and a.base is not None:
        a = a.base
    if not isinstance(a, np.ndarray) and (held := _behind(a)) is not None:
        return base_of(held)
    return a


def _behind(a: Any) -> Any:
    """What the memory of `a` was got from; None where that is `a` itself."""
    if isinstance(a, memoryview):
        return a.obj
    if isinstance(a, np.ndarray) or hasattr(a, "__array_interface__"):
        return getattr(a, "base", None)
    return None


def owner_of(a: Any) -> Any:
    """The array that is the first of those whose memory `a` looks into."""
    owner = a
    while (a := _behind(a)) is not None:
        owner = a if isinstance(a, np.ndarray) else owner
    return owner


def check_view(view: Any, base: Any, message: str) -> None:
    """Raise `MutationError` unless `view` looks into the memory of `base`."""
    if base_of(view) is not base_of(base):
        raise MutationError(message)


def check_copy(copy: Any, base: Any, message: str) -> None:
    """Raise `MutationError` if `copy` looks into the memory of `base`."""
    if base_of(copy) is base_of(base) or overlaps(copy, base):
        raise MutationError(message)


def check_order(target: Any, source: Any, message: str) -> None:
    """Raise `MutationError` if `target[...] = source` reads elements that it has already written.

    NumPy itself is asked, with the numbers of the elements in place of what they hold.

    >>> a = np.arange(8.0)
    >>> check_order(a[1:4], a[1::3], "line 7")
    >>> check_order(a[::2], a[1:5], "line 7")
    Traceback (most recent call last):
        ...
    adtrans.runtime.failures.MutationError: line 7 [AD606]
    """
    if np.ndim(target) != 1 or np.ndim(source) != 1 or not np.may_share_memory(target, source):
        return
    ends = [_first(a) + k * a.strides[0] for a in (target, source) for k in (0, len(a) - 1)]
    lowest = min(ends)
    unit = int(np.gcd.reduce([target.itemsize, *(e - lowest for e in ends)]))
    numbers = np.arange((max(ends) - lowest) // unit + 1)

    def part(a: Any) -> Any:
        begin = numbers[(_first(a) - lowest) // unit :]
        walk = a.strides[0] // unit * numbers.itemsize
        return np.lib.stride_tricks.as_strided(begin, a.shape, (walk,))

    to, of = part(target), part(source)
    wanted = np.broadcast_to(of.copy(), to.shape)
    to[...] = of
    if not np.array_equal(to, wanted):
        raise MutationError(message)


def _first(a: Any) -> int:
    """The address of the first element."""
    address: int = a.__array_interface__["data"][0]
    return address


def shares_alone(view: Any, base: Any, view_dot: Any, base_dot: Any, message: str) -> bool:
    """Whether tangents share memory where the primal values do not.

    >>> a, b = np.zeros((2, 2)), np.zeros((2, 2)).T
    >>> shares_alone(b.reshape(-1), b, a.reshape(-1), a, "line 7 makes a copy")
    True
    >>> shares_alone(a.reshape(-1), a, b.reshape(-1), b, "line 7 makes a view")
    Traceback (most recent call last):
        ...
    adtrans.runtime.failures.MutationError: line 7 makes a view [AD606]

    Raises:
        MutationError: if they do not where the primal values do.
    """
    shared = base_of(view) is base_of(base)
    dots = base_of(view_dot) is base_of(base_dot)
    if shared and not dots:
        raise MutationError(message)
    return dots and not shared


def check_unneeded(needed: Any, message: str) -> None:
    """Raise `MutationError` if what is about to be written was marked: a flag, or elements of one.

    >>> check_unneeded(np.array([False, True])[:1], "line 7 overwrites it")
    >>> check_unneeded(True, "line 7 overwrites it")
    Traceback (most recent call last):
        ...
    adtrans.runtime.failures.MutationError: line 7 overwrites it [AD606]
    """
    if np.count_nonzero(needed) if isinstance(needed, np.ndarray) else needed:
        raise MutationError(message)


def mark_needed(marks: dict[int, Any], a: Any) -> None:
    """Note that the contents of `a` are needed from now on, whatever it is called.

    The owner of its memory is kept with the mark, so that its number cannot be given to another.
    """
    owner = base_of(a)
    marks[id(owner)] = owner


def check_unmarked(marks: dict[int, Any], a: Any, message: str) -> None:
    """Raise `MutationError` if the memory of `a` was marked.

    >>> marks, y = {}, np.zeros(3)
    >>> mark_needed(marks, y)
    >>> check_unmarked(marks, np.zeros(3), "line 7 overwrites it")
    >>> check_unmarked(marks, y[1:], "line 7 overwrites it")
    Traceback (most recent call last):
        ...
    adtrans.runtime.failures.MutationError: line 7 overwrites it [AD606]
    """
    if id(base_of(a)) in marks:
        raise MutationError(message)


def check_apart(a: Any, b: Any) -> None:
    """That two arrays for the results of one call share no memory.

    Raises:
        DerivativeError: if they may, because NumPy decides which result remains.
    """
    if np.may_share_memory(a, b):
        raise DerivativeError(
            "the arrays for the two results of one call share memory", code="AD606"
        )


_set_writeable: Any = np.ndarray.setflags
"""Called by position, in a third of the time of `write=`, which is the form that the stubs know."""


_FROZEN = ("read-only", "readonly", "read-write", "writable", "writeable")
"""What such errors say; other messages about writing are the program's own."""


def call_frozen(
    message: str, arrays: tuple[Any, ...], fn: Callable[..., Any], *args: Any, **kwargs: Any
) -> Any:
    """`fn(*args, **kwargs)`, during which none of `arrays` can be written.

    An attempt raises `MutationError` from the error at the offending line; so does a function that
    makes one of them writeable itself, because it has probably written then. Freezing an array does
    not freeze the views that exist already, so what they look at is frozen as well, up to the
    owner of the memory; afterwards all are as they were, also after an exception.

    >>> w = np.zeros(3)
    >>> call_frozen("`fill` overwrites `w`", (w,), w.fill, 1.0)
    Traceback (most recent call last):
        ...
    adtrans.runtime.failures.MutationError: `fill` overwrites `w` [AD606]
    >>> w.fill(1.0); call_frozen("`sum` overwrites `w`", (w,), w.sum)
    np.float64(3.0)
    """
    thawed = []
    for a in arrays:
        while a is not None:
            if isinstance(a, np.ndarray) and a.flags.writeable:
                _set_writeable(a, False)
                thawed.append(a)
            a = _behind(a)
    try:
        result = fn(*args, **kwargs)
    except (ValueError, TypeError, BufferError) as error:  # the last two: of buffers
        if any(word in str(error) for word in _FROZEN):
            raise MutationError(message) from error
        raise
    finally:
        lifted = False
        for a in reversed(thawed):
            lifted = lifted or a.flags.writeable
            _set_writeable(a, True)
        if lifted:
            raise MutationError(message)
    if isinstance(result, np.ndarray) and any(np.may_share_memory(result, a) for a in thawed):
        _set_writeable(result, True)
    return result
