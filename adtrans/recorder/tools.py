"""What is done to adjoints and tangents: with NumPy, or so that outer levels record it.

>>> import numpy as np
>>> PLAIN_TOOLS.unbroadcast(np.ones((2, 3)), (3,))
array([2., 2., 2.])
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

_ndarray = np.ndarray


class Tools:
    """With NumPy alone: there is no level outside."""

    nested = False
    getitem = staticmethod(operator.getitem)
    neg = staticmethod(operator.neg)
    mul = staticmethod(operator.mul)
    plus = staticmethod(operator.add)

    def setitem(self, a: Any, index: Any, value: Any) -> None:
        """`a[index] = value`, real where `a` is."""
        a[index] = real_for(a, value)

    def add_into(self, a: Any, value: Any, sign: int) -> None:
        """`a += value` or `a -= value`."""
        value = real_for(a, value)
        (np.add if sign > 0 else np.subtract)(a, value, out=a, casting="unsafe")

    def add_at(self, a: Any, index: Any, value: Any) -> None:
        """`a[index] += value`, as often as each place occurs."""
        value = real_for(a, value)
        if _is_basic(index):
            a[index] += value
        else:
            np.add.at(a, index, value)

    def add_overlapping(self, a: Any, value: Any) -> None:
        """The same for all elements of an array, some of which are one place in memory."""
        value = np.broadcast_to(real_for(a, value), a.shape)
        for index in np.ndindex(*a.shape):
            a[index] += value[index]

    def copy(self, a: Any) -> Any:
        """A copy of an array, in the same layout; numbers as they are."""
        return a.copy("K") if isinstance(a, _ndarray) else a

    def total(self, a: Any) -> Any:
        """The sum of all elements."""
        return np.sum(a)

    def unbroadcast(self, a: Any, shape: tuple[int, ...]) -> Any:
        """`a` summed over the axes along which an operand of that shape was spread."""
        extra = np.ndim(a) - len(shape)
        axes = tuple(range(extra)) + tuple(
            k + extra
            for k, n in enumerate(shape)
            if n == 1 and k + extra >= 0 and np.shape(a)[k + extra] != 1
        )
        return self.reduced(a, axes, shape) if axes else a

    def reduced(self, a: Any, axes: tuple[int, ...], shape: tuple[int, ...]) -> Any:
        """The sum over some axes, of that shape."""
        return np.reshape(np.sum(a, axis=axes), shape)

    def copy_below(self, a: Any, depth: int) -> Any:
        """A copy of an array, recorded in the levels outside of a depth."""
        return a.copy("K")


class Recorded(Tools):
    """By the operations of the recorder. (Those of Python are not enough: a number of NumPy
    does not ask an active one of a narrower type, as in `np.float64(2.0) * Float32(3.0)`.)"""

    nested = True

    def getitem(self, a: Any, index: Any) -> Any:
        from adtrans.recorder import arrays

        return arrays.getitem(a, index)

    def neg(self, a: Any) -> Any:
        from adtrans.recorder import operators

        return operators.neg(a)

    def mul(self, a: Any, b: Any) -> Any:
        from adtrans.recorder import operators

        return operators.mul(a, b)

    def setitem(self, a: Any, index: Any, value: Any) -> None:
        from adtrans.recorder import stores

        stores.setitem(a, index, self._real_for(a, value))

    def _real_for(self, a: Any, value: Any) -> Any:
        from adtrans.recorder import arrays

        if a.dtype.kind == "f" and np.iscomplexobj(value):
            return arrays.call(np.real, value)
        return value

    def add_into(self, a: Any, value: Any, sign: int) -> None:
        from adtrans.recorder import stores

        stores.add_into(a, self._real_for(a, value), sign)

    def add_at(self, a: Any, index: Any, value: Any) -> None:
        from adtrans.recorder import arrays, stores

        value = self._real_for(a, value)
        if _is_basic(index):
            stores.setitem(a, index, self.plus(arrays.getitem(a, index), value))
        else:
            arrays.call(np.add.at, a, index, value)

    def add_overlapping(self, a: Any, value: Any) -> None:
        from adtrans.recorder import arrays

        value = arrays.call(np.broadcast_to, value, a.shape)
        for index in np.ndindex(*a.shape):
            self.add_at(a, index, arrays.getitem(value, index))

    def plus(self, a: Any, b: Any) -> Any:
        from adtrans.recorder import operators

        return operators.add(a, b)

    def copy(self, a: Any) -> Any:
        from adtrans.recorder import arrays

        return arrays.call(np.copy, a) if isinstance(a, _ndarray) else a

    def total(self, a: Any) -> Any:
        from adtrans.recorder import arrays

        return arrays.call(np.sum, a)

    def reduced(self, a: Any, axes: tuple[int, ...], shape: tuple[int, ...]) -> Any:
        from adtrans.recorder import arrays

        return arrays.call(np.reshape, arrays.call(np.sum, a, axis=axes), shape)

    def copy_below(self, a: Any, depth: int) -> Any:
        from adtrans.recorder import arrays
        from adtrans.recorder.memory import STATE

        before = STATE.set_ceiling(min(STATE.ceiling, depth))
        try:
            return arrays.call(np.copy, a, order="K") if STATE.levels_of(a) else a.copy("K")
        finally:
            STATE.set_ceiling(before)


def real_for(a: Any, value: Any) -> Any:
    """The real part of what is added to real numbers: that is what their adjoint is."""
    if not isinstance(value, float) and a.dtype.kind == "f" and np.iscomplexobj(value):
        return np.real(value)
    return value


def _is_basic(index: Any) -> bool:
    parts = index if isinstance(index, tuple) else (index,)
    return all(
        p is None or p is ...
        or (isinstance(p, int | slice | np.integer) and not isinstance(p, bool))
        for p in parts
    )  # fmt: skip


PLAIN_TOOLS = Tools()
RECORDED = Recorded()
