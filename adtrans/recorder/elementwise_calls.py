"""Element by element: `np.nditer`, ufuncs that `np.frompyfunc` made, `np.vectorize`.

>>> import numpy as np
>>> x = np.arange(3.0)
>>> [float(v) for v in Nditer(x)], Nditer(x).operands[0] is x
([0.0, 1.0, 2.0], True)
"""

from __future__ import annotations

import copy
import gc
from typing import Any

import numpy as np

from adtrans.recorder import escapes, handing
from adtrans.recorder.late import call
from adtrans.recorder.memory import STATE, address_of, owner_of
from adtrans.recorder.moving import wrapped
from adtrans.recorder.recorded_refusals import refuse

_ndarray = np.ndarray


# -- np.nditer ------------------------------------------------------------------------------------


class Nditer:
    """An `np.nditer` that gives views of its operands, by whose memory they are known.

    NumPy's own views name the iterator as what owns their memory.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        made = args[0] if type(args[0]) is np.nditer else np.nditer(*args, **kwargs)
        object.__setattr__(self, "_made", made)
        given = args[0] if args else kwargs["op"]
        listed = given if isinstance(given, list | tuple) else [given]
        for v, own in zip(listed, made.operands, strict=False) if made is not given else ():
            if isinstance(v, _ndarray) and not np.may_share_memory(v, own) and v.size:
                if STATE.levels_of(v):
                    refuse("`np.nditer`", "it goes over a copy of what varies")
            elif not isinstance(v, _ndarray) and escapes.reaches(v):
                refuse("`np.nditer`", "it goes over an array that it has made of numbers",
                       fix="hand it an array")  # fmt: skip

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._made, name)
        if name == "copy":
            return lambda: Nditer(found())
        return (lambda *args: found(*args)) if callable(found) else found

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._made, name, value)

    def _view(self, k: int, v: Any) -> Any:
        """The view of an operand that NumPy's one looks at."""
        base = self._made.operands[k]
        owner = owner_of(base)
        if isinstance(owner, _ndarray) and v.dtype == base.dtype:
            start = address_of(v) - address_of(owner)
            if start >= 0 and start + v.itemsize <= owner.nbytes and owner.flags.forc:
                y = np.ndarray(v.shape, v.dtype, owner, start, v.strides)
                y.flags.writeable = v.flags.writeable
                return y
        if STATE.levels_of(base) or v.flags.writeable:
            refuse("`np.nditer`", "it goes over a buffer, or a copy of its operand")
        return v

    def _views(self, found: Any) -> Any:
        if not isinstance(found, tuple):
            return self._view(0, found)
        return tuple([self._view(k, v) for k, v in enumerate(found)])

    @property
    def value(self) -> Any:
        """The views of the place where it is."""
        return self._views(self._made.value)

    def __iter__(self) -> Nditer:
        return self

    def __next__(self) -> Any:
        return self._views(next(self._made))

    def __len__(self) -> int:
        return len(self._made)

    def __getitem__(self, k: Any) -> Any:
        views = tuple([self._view(n, self._made[n]) for n in range(self._made.nop)])
        return views[k]

    def __setitem__(self, k: Any, value: Any) -> None:
        call(_ndarray.__setitem__, self[k], ..., value)

    def __enter__(self) -> Nditer:
        self._made.__enter__()
        return self

    def __exit__(self, *error: Any) -> Any:
        return self._made.__exit__(*error)

    def __copy__(self) -> Nditer:
        return Nditer(self._made.copy())


def nditer(*args: Any, **kwargs: Any) -> Any:
    """`np.nditer`"""
    return Nditer(*args, **kwargs) if STATE.runs else np.nditer(*args, **kwargs)


def nested_iters(*args: Any, **kwargs: Any) -> Any:
    """`np.nested_iters`"""
    return tuple(map(Nditer, np.nested_iters(*args, **kwargs)))


# -- np.frompyfunc --------------------------------------------------------------------------------

_METHODS = ("reduce", "accumulate", "reduceat", "outer", "__call__")


def is_of_python(f: Any) -> bool:
    """Is a ufunc one that calls a function of Python for each element?"""
    return isinstance(f, np.ufunc) and f.ntypes == 1 and not set(f.types[0]) - {"O", "-", ">"}


def by_elements(f: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Such a ufunc, or a method of it: arrays of objects go in and come out."""
    inner = next((v for v in gc.get_referents(f) if callable(v)), None)
    if inner is None:
        refuse(f"`{f.__name__}`", "the function that it calls is not known")
    again = np.frompyfunc(wrapped(inner), f.nin, f.nout, identity=f.identity)
    again_named = getattr(again, name)
    active = escapes.reaches((args, kwargs, inner))
    if active and (name not in _METHODS or kwargs.get("where", True) is not True):
        refuse(f"`{f.__name__}.{name}`", "it writes element by element what varies")
    given = tuple([
        handing.objects_of(call(np.asarray, a) if isinstance(a, list | tuple) else a)
        for a in args
    ]) if active else args  # fmt: skip
    out = kwargs.get("out")
    for v in out if isinstance(out, tuple) else (out,):
        if isinstance(v, _ndarray) and v.dtype.kind != "O" and active:
            refuse(f"`{f.__name__}`", "it writes objects into an array of numbers")
    return again_named(*given, **kwargs)


# -- np.vectorize ---------------------------------------------------------------------------------


def vectorized(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of an `np.vectorize`, as NumPy has written it in Python."""
    if f.pyfunc is np._NoValue or not escapes.reaches((args, kwargs, f.pyfunc)):
        return f(*args, **kwargs)
    fresh = copy.copy(f)  # so that it does not keep what calls rewritten code
    fresh._ufunc = {}
    return call(type(f).__call__, fresh, *args, **kwargs)
