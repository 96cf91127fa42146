"""Solvers and integrals that are handed a function, recorded.

What they do in compiled code runs without a record. Then the function is evaluated at what was
found, recorded: a step of Newton's method there has the derivative of the root (the implicit
function theorem), and two steps have the second one; an integral is summed anew, over the pieces
that `quad` has chosen. The value stays what the solver gave.

>>> import scipy.optimize
>>> import adtrans as ad
>>> def root(p):
...     return scipy.optimize.brentq(lambda x: x * x - p, 0.0, 9.0)
>>> round(ad.recorded(root).grad(4.0), 6)
0.25
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from adtrans.diagnostics.errors import DerivativeError
from adtrans.recorder import quadrature, runtime  # noqa: F401  # which fills in its names
from adtrans.recorder.escapes import inside, is_ours, is_ours_class, reaches
from adtrans.recorder.late import call
from adtrans.recorder.memory import STATE, noted
from adtrans.recorder.recorded_needs import saving
from adtrans.recorder.recorded_refusals import refuse
from adtrans.recorder.rewritten import from_text

_ndarray = np.ndarray
_NOT_CHANGED = (type, types.ModuleType, np.generic, str, float, complex, int, bytes)
_FAR = 1e-2  # of a unit, or of the solution: much more than what a tolerance leaves
_NEAR = 1e-12
_ROOTS = ("brentq", "brenth", "bisect", "ridder", "toms748", "newton", "fsolve", "root",
          "root_scalar", "fixed_point")  # fmt: skip
_MINIMA = ("minimize", "minimize_scalar", "least_squares")
_Function = Callable[..., Any]

_NEWTON = from_text(
    "def formula(residual, slopes, x, free):\n"
    "    r = np.reshape(residual(x), -1) * free\n"
    "    a = slopes(x) * np.outer(free, free) + np.diag(1.0 - free)\n"
    "    return x - np.reshape(np.linalg.solve(a, r), np.shape(x))\n", {"np": np}
)  # fmt: skip
_NEWTON_OF_NUMBERS = from_text(
    "def formula(residual, slopes, x, free):\n"
    "    return x - residual(x) / slopes(x)\n", {}
)  # fmt: skip
_MOVED = from_text("def formula(found, x, still):\n    return found + (x - still)\n", {})
_SQUARES = from_text(
    "def formula(f, x):\n    r = np.asarray(f(x))\n    return 0.5 * np.sum(r * r)\n", {"np": np}
)
_ALONG = from_text(
    "def formula(f, axis, a):\n"
    "    rows = np.moveaxis(a, axis, -1)\n"
    "    found = np.stack([np.asarray(f(rows[k])) for k in np.ndindex(rows.shape[:-1])])\n"
    "    places = range(axis, axis + found.ndim - 1)\n"
    "    found = np.reshape(found, (*rows.shape[:-1], *found.shape[1:]))\n"
    "    return np.moveaxis(found, range(a.ndim - 1, found.ndim), places)\n", {"np": np}
)  # fmt: skip
_BESIDE = from_text("def formula(f, x):\n    return f(x) - x\n", {})
_FIRST = from_text("def formula(f, x):\n    return f(x)[0]\n", {})


def handed(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of a function that is handed one of the user's."""
    from adtrans.recorder import calls

    if f.__name__ == "solve_ivp" and reaches((args, kwargs)):
        if _method(f, args, kwargs) != "LSODA":
            with saving():  # it is written in Python
                return calls._function(f, args, kwargs)
    form = inspect.signature(f)
    given = dict(form.bind(*args, **kwargs).arguments)
    for p in form.parameters.values():
        if p.kind is p.VAR_KEYWORD:
            given.update(given.pop(p.name, {}))
    name = next(iter(given))
    fn = given.pop(name)
    if not reaches((args, kwargs)):
        with unrecorded():
            return f(**{name: plainly(fn), **given})
    if f.__name__ in _ROOTS:
        return _root(f, name, fn, given)
    if f.__name__ in _MINIMA:
        return _minimum(f, name, fn, given)
    if f.__name__ == "apply_along_axis":
        return _along(fn, given)
    if f.__name__ == "quad":
        return _integral(f, fn, given)
    if f.__name__ in ("odeint", "solve_ivp"):
        return _trajectory(f, name, fn, given)
    refuse(f"`{f.__name__}`", "it is handed a function that varies")


def _method(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return inspect.signature(f).bind(*args, **kwargs).arguments.get("method", "RK45")


# -- running without a record ---------------------------------------------------------------------


@contextmanager
def unrecorded() -> Iterator[None]:
    """Nothing is recorded in any level."""
    before = STATE.set_ceiling(-1)
    try:
        yield
    finally:
        STATE.set_ceiling(before)


@contextmanager
def undone(*holders: Any) -> Iterator[None]:
    """What a function that is run again changes of what it reaches is put back: counters, lists."""
    left: list[Callable[[], Any]] = []
    seen: dict[int, Any] = {}
    waiting = [*holders]
    while waiting and len(seen) < 10_000:
        here = waiting.pop()
        if id(here) in seen or isinstance(here, _NOT_CHANGED) or is_ours_class(type(here)):
            continue
        if isinstance(here, types.FunctionType) and is_ours(here):
            continue
        seen[id(here)] = here
        if isinstance(here, types.FunctionType):
            names, known = here.__globals__, here.__code__.co_names
            held = {n: names[n] for n in known if n in names}
            left.append(partial(_put_back, names, held, False))
            for cell in here.__closure__ or ():
                _put_back_cell(cell, left)
        elif isinstance(here, list):
            left.append(partial(list.__setitem__, here, slice(None), [*here]))
        elif isinstance(here, dict):
            if "__name__" in here:
                continue  # a namespace
            left.append(partial(_put_back, here, {**here}))
        elif isinstance(getattr(here, "__dict__", None), dict):
            own = here.__dict__
            left.append(partial(_put_back, own, {**own}))
        try:
            waiting.extend(inside(here))
        except (TypeError, ValueError, RuntimeError):
            continue
    try:
        yield
    finally:
        for put_back in left:
            put_back()


def _put_back(now: dict[Any, Any], old: dict[Any, Any], whole: bool = True) -> None:
    for key in [k for k in now if k not in old] if whole else ():
        dict.__delitem__(now, key)
    for key, v in old.items():
        if now.get(key, _ABSENT) is not v:
            dict.__setitem__(now, key, v)


_ABSENT = object()


def _put_back_cell(cell: Any, left: list[Callable[[], Any]]) -> None:
    try:
        old = cell.cell_contents
    except ValueError:
        return
    left.append(lambda: setattr(cell, "cell_contents", old))


def plainly(f: Any) -> Any:
    """A function for code in C: its rewritten form, whose results are plain."""
    if not callable(f):
        return f
    from adtrans.recorder.arrays import plain_of

    return lambda *args, **kwargs: plain_of(call(f, *args, **kwargs))


def _solved(f: Any, name: str, fn: Any, given: dict[str, Any]) -> Any:
    """What the plain run gives."""
    from adtrans.recorder.arrays import plain_of

    options = {
        n: plainly(v) if callable(v) and not isinstance(v, type) else plain_of(v)
        for n, v in given.items()
    }  # fmt: skip
    with unrecorded():
        return f(**{name: plainly(fn), **options})


# -- roots and minima -----------------------------------------------------------------------------


def _with(fn: Any, given: dict[str, Any]) -> _Function:
    """The function of the unknown alone."""
    args = given.get("args", ())
    args = args if isinstance(args, tuple) else (args,)
    named = given.get("kwargs") or {}
    return lambda x: call(fn, x, *args, **named)


def gradient_of(f: _Function) -> _Function:
    """The gradient of a number, recorded further out."""
    from adtrans.recorder.run import Given, by_position, reverse

    def gradient(x: Any) -> Any:
        ran = reverse(f, (x,), by_position, [Given(0)], True)
        return ran.pull(1.0)[0]

    return gradient


def slopes_of(f: _Function) -> _Function:
    """All derivatives of a vector by a vector, or of a number by a number."""
    from adtrans.recorder.run import Given, by_position, reverse

    def slopes(x: Any) -> Any:
        ran = reverse(f, (x,), by_position, [Given(0)], True)
        y = ran.value
        if np.ndim(x) == 0 and np.ndim(y) == 0:
            return ran.pull(1.0)[0]
        if np.size(y) != np.size(x):
            said = "there are not as many equations as unknowns"
            raise noted(DerivativeError(said, code="AD601"))
        rows = []
        for k in range(np.size(y)):
            seed = np.zeros(np.shape(y))
            seed.flat[k] = 1.0
            parts: Any = seed
            if not isinstance(y, _ndarray):
                parts = [float(s) for s in seed.flat] if np.ndim(y) else 1.0
                parts = tuple(seed.tolist()) if isinstance(y, tuple) else parts
            rows.append(call(np.reshape, ran.pull(parts)[0], -1))
        return call(np.stack, rows)

    return slopes


def _moved(f: Any, found: Any, residual: _Function, free: Any, *reached: Any) -> Any:
    """What was found, with its derivative."""
    from adtrans.recorder.arrays import plain_of

    x = found if isinstance(found, _ndarray) else float(found)
    newton = _NEWTON if isinstance(found, _ndarray) else _NEWTON_OF_NUMBERS
    slopes = slopes_of(residual)
    rounds = max(1, len(STATE.runs).bit_length())
    with undone(*reached), saving():
        for _ in range(rounds):
            try:
                x = newton(residual, slopes, x, free)
            except (np.linalg.LinAlgError, ZeroDivisionError) as error:
                raise _unsure(f) from error
    still = plain_of(x).copy() if isinstance(found, _ndarray) else plain_of(x)
    if not np.linalg.norm(still - found) <= _FAR * (1.0 + np.linalg.norm(found)):
        raise _unsure(f)
    y = _MOVED(found, x, still)
    return call(np.reshape, y, found.shape) if isinstance(found, _ndarray) else call(type(found), y)


def _unsure(f: Any) -> DerivativeError:
    return DerivativeError(
        f"`{f.__name__}` has not found a place that is a solution by itself, so that the place "
        "has no derivative", code="AD604",
    )  # fmt: skip


def _root(f: Any, name: str, fn: Any, given: dict[str, Any]) -> Any:
    found = _solved(f, name, fn, given)
    alone = _with(fn, given)
    if f.__name__ == "fixed_point":
        residual: _Function = lambda x: _BESIDE(alone, x)  # noqa: E731
    elif given.get("jac") is True or given.get("fprime") is True:
        residual = lambda x: _FIRST(alone, x)  # noqa: E731
    else:
        residual = alone
    field = {"root": "x", "root_scalar": "root"}.get(f.__name__)
    at = getattr(found, field) if field else found[0] if isinstance(found, tuple) else found
    y = _moved(f, at, residual, np.ones(np.size(at)), fn, given)
    if field:
        return _with_field(found, field, y, ("fun",))
    if not isinstance(found, tuple):
        return y
    rest = [_with_field(r, "root", y, ()) if hasattr(r, "root") else r for r in found[1:]]
    return (y, *rest)


def _with_field(result: Any, field: str, value: Any, others: tuple[str, ...]) -> Any:
    """A result with a derivative; what has none of what varies is left out."""
    result[field] = value
    varies = [n for n in result if n != field and _is_float(result[n]) and n not in others]
    for n in varies:
        del result[n]
    return result


def _is_float(v: Any) -> bool:
    return isinstance(v, float | np.floating | list) or (
        isinstance(v, _ndarray) and v.dtype.kind in "fcO"
    )


def _minimum(f: Any, name: str, fn: Any, given: dict[str, Any]) -> Any:
    if given.get("constraints") or given.get("loss", "linear") != "linear":
        refuse(f"`{f.__name__}`", "with `constraints=` or `loss=` it is not differentiated")
    if reaches(given.get("bounds")):
        refuse(f"`{f.__name__}`", "its bounds vary")
    found = _solved(f, name, fn, given)
    alone = _with(fn, given)
    least = alone
    if f.__name__ == "least_squares":
        least = lambda x: _SQUARES(alone, x)  # noqa: E731
    elif given.get("jac") is True:
        least = lambda x: _FIRST(alone, x)  # noqa: E731
    slope = gradient_of(least)
    at = found.x
    free = _free(f, slope, at, given)
    y = _moved(f, at, slope, free, fn, given)
    result = _with_field(found, "x", y, ())
    if f.__name__ != "least_squares":
        result["fun"] = _again(least, y, fn, given)
    return result


def _again(least: _Function, y: Any, *reached: Any) -> Any:
    with undone(*reached), saving():
        return least(y)


def _free(f: Any, slope: _Function, at: Any, given: dict[str, Any]) -> Any:
    """Which unknowns are not held at a bound: those stay there."""
    from adtrans.recorder.arrays import plain_of

    bounds = given.get("bounds")
    if bounds is None:
        return np.ones(np.size(at))
    low: Any = -np.inf
    high: Any = np.inf
    if hasattr(bounds, "lb"):
        low, high = bounds.lb, bounds.ub
    elif f.__name__ == "minimize":
        pairs = [[-np.inf if a is None else a, np.inf if b is None else b] for a, b in bounds]
        low, high = np.transpose(np.asarray(pairs, float))
    else:
        low, high = bounds
    with undone(given), saving():
        value = np.reshape(plain_of(slope(at)), -1)
    x = np.reshape(at, -1)
    close = _NEAR * (1.0 + np.abs(x))
    at_low = (np.abs(x - low) <= close) & (value > 0)
    at_high = (np.abs(x - high) <= close) & (value < 0)
    if np.ndim(at) == 0 and np.any(at_low | at_high):
        raise _unsure(f)
    return 1.0 - (at_low | at_high)


def _along(fn: Any, given: dict[str, Any]) -> Any:
    """`np.apply_along_axis`"""
    args, named = given.get("args", ()), {
        n: v for n, v in given.items() if n not in ("axis", "arr", "args")
    }
    a = call(np.asarray, given["arr"])
    axis = int(given["axis"]) % a.ndim
    found = _ALONG(lambda row: call(fn, row, *args, **named), axis, a)
    return found[()] if np.ndim(found) == 0 else found


# -- integrals and differential equations ---------------------------------------------------------


def _integral(f: Any, fn: Any, given: dict[str, Any]) -> Any:
    """`quad`: the value is its own, the derivative that of a sum over its pieces."""
    from adtrans.recorder.arrays import plain_of

    if given.get("weight") is not None or given.get("complex_func"):
        refuse("`quad`", "with `weight=` or `complex_func=` it is not differentiated")
    full = given.pop("full_output", 0)
    found = _solved(f, "func", fn, {**given, "full_output": 1})
    if len(found) > 3:
        raise noted(DerivativeError(f"`quad` could not integrate this: {found[3]}", code="AD604"))
    value, error, info = found
    alone = _with(fn, given)
    with undone(fn, given), saving():
        again = quadrature.summed(alone, given["a"], given["b"], value, error, info)
    y = call(float, _MOVED(value, again, plain_of(again)))
    return (y, error, info) if full else (y, error)


def _trajectory(f: Any, name: str, fn: Any, given: dict[str, Any]) -> Any:
    """`odeint`, and `solve_ivp` with LSODA: the derivative is that of another, recorded solver."""
    import scipy.integrate

    from adtrans.recorder.arrays import plain_of

    found = _solved(f, name, fn, given)
    args = given.get("args", ())
    args = args if isinstance(args, tuple) else (args,)
    if f.__name__ == "odeint":
        if given.get("full_output"):
            refuse("`odeint`", "with `full_output=` it is not differentiated")
        later = given.get("tfirst", False)
        slope = fn if later else lambda t, y, *rest: call(fn, y, t, *rest)
        times = given["t"]
        values = found.T
    else:
        if given.get("events") is not None or given.get("dense_output"):
            refuse("`solve_ivp`", "with LSODA, `events=` and `dense_output=` are not recorded")
        slope, times, values = fn, found.t, found.y
    span = given.get("t_span", (times[0], times[-1]))
    for method in ("DOP853", "Radau"):
        with undone(fn, given), saving():
            ran = call(scipy.integrate.solve_ivp, slope, span, call(np.atleast_1d, given["y0"]),
                       method=method, t_eval=times, args=args or None, rtol=1e-9,
                       atol=1e-10)  # fmt: skip
        again = plain_of(ran.y).copy() if ran.status == 0 else None
        if again is not None and np.allclose(again, values, rtol=1e-2, atol=1e-3):
            break
    else:
        said = "the differential equation was not solved to the end"
        raise noted(DerivativeError(said, code="AD604"))
    if f.__name__ == "odeint":
        return _MOVED(found, call(np.transpose, ran.y), again.T)
    found.y = _MOVED(values, ran.y, again)
    return found
