"""Calls: each reaches a rewritten function, a rule, a mover, or is refused.

Nothing active is handed to code that is not seen: a function without a rule that is given an active
value, also deep in a container or a closure, is an error (AD401), unless it is known to do no more
than move its arguments or look at them (see `movers`).
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from adtrans.arguments.cotangents import RECORDING
from adtrans.diagnostics.errors import CompileError
from adtrans.recorder import (
    arrays,
    cached_functions,
    constructing,
    declared_constant,
    draws,
    elementwise_calls,
    escapes,
    generated,
    handing,
    hot,
    late,
    lent_methods,
    making,
    moved_items,
    moved_numbers,
    moved_objects,
    movers,
    moving,
    objects,
    protocols,
    quick,
    texts,
)
from adtrans.recorder.memory import STATE, noted
from adtrans.recorder.numbers import COMPLEX, PLAIN, plain
from adtrans.recorder.recorded_needs import WRITTEN, saving
from adtrans.recorder.recorded_refusals import refuse, withdraw
from adtrans.recorder.rewritten import outer_cells, rewritten
from adtrans.recorder.unseen import opaque, watched
from adtrans.rules import lookup, registry
from adtrans.rules.in_python import in_python

_ndarray = np.ndarray
_FunctionType = types.FunctionType
_MethodType = types.MethodType
_BuiltinType = types.BuiltinFunctionType
_ModuleType = types.ModuleType
_GENERATORS = (np.random.Generator, np.random.RandomState)
_Handler = Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]

HANDLERS: dict[int, tuple[Any, _Handler]] = {}
"""What is done with functions that are called again and again, by identity; they are held."""


def call(f: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)`"""
    t = type(f)
    if t is _FunctionType and id(f.__code__) in WRITTEN:
        return f(*args, **kwargs)
    if t is _MethodType:
        if isinstance(f.__self__, _GENERATORS):
            return _first(f, args, kwargs)
        if (f.__func__.__module__ or "")[:6] in ("scipy.", "numpy.") and lookup(f) is not None:
            return _first(f, args, kwargs)
        return call(f.__func__, f.__self__, *args, **kwargs)
    known = HANDLERS.get(id(f))
    if known is not None and known[0] is f:
        return known[1](f, args, kwargs)
    return _first(f, args, kwargs)


def _first(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    handler, keep = handler_of(f)
    if keep:
        HANDLERS[id(f)] = f, handler
    return handler(f, args, kwargs)


def handler_of(f: Any) -> tuple[_Handler, bool]:
    """What is done with a callable, and whether that is so for good."""
    t = type(f)
    special = movers.special(f)
    if special is not None:
        return special, True
    if isinstance(f, type):
        return constructing.made, True
    if t is _MethodType and isinstance(f.__self__, _GENERATORS) and f.__name__ in draws.NAMES:
        return _drawn, False
    if t is _BuiltinType and not isinstance(f.__self__, _ModuleType | type(None)):
        return _bound_builtin, False
    if t is types.MethodWrapperType or (t in _SLOTS and lookup(f) is None):
        return _slot, False
    if t is functools.partial:
        return lambda f, args, kwargs: call(
            f.func, *f.args, *args, **{**f.keywords, **kwargs}), False  # fmt: skip
    if t is _FunctionType and escapes.is_ours(f):
        return _ours, True
    if movers.is_handed(f):
        return _handed, True
    if callable(f):
        rule = None if isinstance(f, functools.partial) else lookup(f)
        if rule is not None and (rule.custom is None or rule.custom.again is None):
            return _by_rule(rule), True
        if rule is not None and rule.custom is not None:
            again, back = rule.custom.again, getattr(f, "recomputed", None)

            def computed_again(_: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
                from adtrans.recorder import compiled

                return compiled.computed_again(again, back, args, kwargs)

            return computed_again, True
    if t is _FunctionType and f.__name__ == "sum" and f.__module__[:13] == "scipy.sparse.":
        from adtrans.recorder import sparse_kernels

        return sparse_kernels.total, True
    scipys = str(getattr(f, "__module__", "")).startswith("scipy.")
    other = None if t is _FunctionType and not scipys else in_python(f)
    if other is not None:
        return lambda _, args, kwargs: call(other, *args, **kwargs), True
    if t is _FunctionType:
        return _library if _is_of_library(f) else _function, f.__closure__ is None
    return _object(f), False


def _handed(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    from adtrans.recorder.handed_functions import handed

    return handed(f, args, kwargs)


def _by_rule(rule: Any) -> _Handler:
    if rule.form == "constant" and rule.custom is not None:
        return lambda f, args, kwargs: declared_constant.run(rule, f, args, kwargs)
    if any(f is m for m in making.MAKERS for f in (_resolved(rule),)):
        maker = _resolved(rule)
        return lambda f, args, kwargs: handing.made(rule, maker, f, args, kwargs)
    known = quick.table(rule)
    if rule.call == "method" or (rule.params and rule.params[0].name == "self"):
        return lambda f, args, kwargs: _applied_or_followed(rule, f, args, kwargs)

    def run(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if rule.custom is not None:
            lent_methods.may_keep(f)
        found = quick.run(known, f, args, kwargs, 3)
        return found if found is not NotImplemented else _applied_or_followed(
            rule, f, args, kwargs
        )

    if rule.spelling == "np.einsum":
        return lambda f, args, kwargs: run(f, moved_objects.lettered(args), kwargs)
    return run


def _applied_or_followed(
    rule: Any, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A call with a rule; where the rule does not fit, what NumPy or SciPy wrote in Python."""
    found = protocols.overridden(f, args, kwargs)
    if found is not NotImplemented:
        return found
    mark = len(STATE.refused)
    try:
        return _applied(rule, f, args, kwargs)
    except CompileError as error:
        source = python_source(f)
        if source is None or not _by_itself(error) or arrays.writes(rule, args, kwargs):
            raise
        refused = error
    withdraw(mark)
    owner = getattr(f, "__self__", None)
    given = args if owner is None or isinstance(owner, _ModuleType) else (owner, *args)
    try:
        return _library(source, given, kwargs)
    except CompileError as error:
        if not _by_itself(error):
            raise
        withdraw(mark)
        raise noted(refused) from None  # which tells of the user's line


def _by_itself(error: CompileError) -> bool:
    """Was something refused as it has no derivative, whatever is around it? That a number is read
    out of a text is no matter of which function does it."""
    return all(
        d.code in ("AD202", "AD401") and not d.title.startswith(texts.READING)
        for d in error.diagnostics
    )


def python_source(f: Any) -> Any:
    """The Python function behind one of NumPy's or SciPy's, or a method of theirs."""
    f = getattr(getattr(f, "__func__", f), "_implementation", getattr(f, "__func__", f))
    return f if type(f) is _FunctionType and _is_of_library(f) else None


def _applied(rule: Any, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call with a rule; of a bound method, the rule may have its object as a parameter."""
    owner = getattr(f, "__self__", None)
    of_owner = rule.call == "method" or (rule.params and rule.params[0].name == "self")
    if not of_owner or owner is None or isinstance(owner, type | _ModuleType):
        return arrays.apply(rule, f, args, kwargs)
    return arrays.apply(rule, lambda _, *a, **k: f(*a, **k), (owner, *args), kwargs)


def _resolved(rule: Any) -> Any:
    try:
        return registry.resolve(rule.spelling)
    except LookupError:
        return None


def _ours(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A function of adtrans: what it computes inside is recorded where it calls back."""
    return f(*args, **kwargs)


def _is_of_library(f: Any) -> bool:
    return str(getattr(f, "__module__", "")).partition(".")[0] in ("numpy", "scipy")


def _library(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A function that NumPy or SciPy wrote in Python: its lines are not the user's to change."""
    with saving():
        return _function(f, args, kwargs)


def _function(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A function of Python."""
    if moving.makes_classes(f) or (
        moving.is_left_alone(f) and not escapes.reaches((args, kwargs, f.__closure__))
    ):
        return watched(f, args, kwargs)
    known: Any = None
    try:
        new = rewritten(f)
    except CompileError as error:
        known = generated.known(f, args)
        if known is None:
            if escapes.reaches((args, kwargs, f)):
                raise noted(error) from None
            known = watched
    if known is not None:
        return known(f, args, kwargs)
    if STATE.runs:
        cells = outer_cells(f)
        for cell in cells:
            STATE.runs[-1].touched[id(cell)] = cell
        if new is not f:
            return hot.run(f, new, args, kwargs)
    return new(*args, **kwargs)


def _object(f: Any) -> _Handler:
    """A callable object: of a class of the user's, or written in C."""
    from adtrans.recorder import kernels

    known = kernels.replaced(f)
    if known is not None:
        return lambda f, args, kwargs: (
            known(*args, **kwargs) if escapes.reaches((args, kwargs)) else opaque(f, args, kwargs)
        )
    if kernels.is_distribution(f):
        return lambda f, args, kwargs: (
            kernels.Frozen(f, args, kwargs) if escapes.reaches((args, kwargs)) else
            f(*args, **kwargs)
        )
    t = type(f)
    own = objects.find_in_class(t, "__call__")
    if escapes.is_ours_class(t):
        return _of_ours(f)
    if own is not None and type(own) is _FunctionType:
        return lambda f, args, kwargs: call(own, f, *args, **kwargs)
    if own is not None and objects.method_of(t, "__call__") is not None:
        return lambda f, args, kwargs: call(objects.getattribute(f, "__call__"), *args, **kwargs)
    wrapped = getattr(f, "__wrapped__", None)
    if t is type(_cached) and wrapped is not None:
        return _remembered
    inner = getattr(f, "_implementation", None)
    if type(inner) is _FunctionType:  # what NumPy writes in Python
        return lambda _, args, kwargs: _in_python_of_numpy(f, inner, args, kwargs)
    if hasattr(f, "py_func"):  # compiled by Numba
        return lambda f, args, kwargs: call(f.py_func, *args, **kwargs)
    return opaque


def _in_python_of_numpy(f: Any, inner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    found = protocols.overridden(f, args, kwargs)
    return found if found is not NotImplemented else _library(inner, args, kwargs)


@functools.cache
def _cached() -> None:
    """An object of the class of cached functions."""


def _of_ours(f: Any) -> _Handler:
    """An object of adtrans: a decorated function, a derivative, a pullback."""
    how = getattr(type(f), "recorded_as", "itself")
    if how == "wrapped":
        from adtrans.recorder import compiled

        return compiled.run
    if how == "rewritten":
        own = objects.find_in_class(type(f), "__call__")
        return lambda f, args, kwargs: call(own, f, *args, **kwargs)
    return _ours


def _remembered(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return cached_functions.run(call, f, args, kwargs)


# -- methods --------------------------------------------------------------------------------------


def method(obj: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    """`obj.name(*args, **kwargs)`"""
    t = type(obj)
    if t is _ModuleType:
        f = getattr(obj, name)
        known = HANDLERS.get(id(f))
        if known is not None and known[0] is f:
            return known[1](f, args, kwargs)
        return call(f, *args, **kwargs)
    if t is _ndarray:
        return of_array(obj, name, args, kwargs)
    if t in moving.CONTAINERS:
        return moved_objects.of_container(obj, name, args, kwargs)
    if t in PLAIN:
        return _of_number(obj, name, args, kwargs)
    f = objects.getattribute(obj, name)
    return call(f, *args, **kwargs)


def of_array(a: Any, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A method of an array."""
    op = moved_objects.by_dunder(name)
    if op is not None:
        return op(a, *args)
    if name == "__class__":
        return call(_ndarray, *args, **kwargs)
    if name == "__array__":
        return call(np.asarray, a, *args, **kwargs)
    if name == "setflags":  # of the array, not of what is in it
        return a.setflags(*args, **kwargs)
    if name == "__array_wrap__" and len(args) < 3 and type(args[0]) is _ndarray:
        return args[0]
    if name == "view" and args and isinstance(args[0], type) and issubclass(args[0], _ndarray):
        if args[0] is not _ndarray and handing.is_active(a):
            refuse(f"a {args[0].__name__}", "it is no plain array")
    dtype = args[0] if args else kwargs.get("dtype")
    if name == "astype" and handing.is_active(a) and np.dtype(dtype).kind == "O":
        return handing.as_objects(a)
    if a.dtype.kind == "O":
        if name == "astype":
            a = handing.numeric(a)
        if a.dtype.kind == "O":
            if name == "astype" and np.dtype(dtype).kind in "fc":
                texts.check(a)
            f = getattr(a, name)
            return f(*args, **kwargs)
    if name == "view" and handing.is_active(a):
        return handing.viewed(a, *args, **kwargs)
    if name in ("tolist", "item", "__deepcopy__", "__copy__", "__iter__", "__getitem__",
                "__setitem__", "__len__"):  # fmt: skip
        return moved_objects.of_array(a, name, args)
    rule = registry.method(name)
    f = getattr(type(a), name)
    if rule is None:
        other = getattr(np, name, None)
        rule = lookup(other) if other is not None else None
    if rule is None:
        return opaque(getattr(a, name), args, dict(kwargs))
    if (name == "reshape" and len(args) > 1) or (name == "transpose" and len(args) > 1):
        args = (args,)
    return arrays.apply(rule, f, (a, *args), kwargs)


def _of_number(x: Any, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A method of an active number."""
    cls = PLAIN[type(x)]
    if name == "item" and not args:
        return moved_numbers.to_float(x) if not isinstance(x, COMPLEX) else call(complex, x)
    if issubclass(cls, np.generic):
        rule = registry.method(name)
        if rule is not None:
            return arrays.apply(rule, getattr(np.ndarray, name), (call(np.asarray, x), *args),
                                kwargs) if rule.form != "elementwise" else arrays.apply(
                rule, getattr(cls, name), (x, *args), kwargs)  # fmt: skip
    op = moved_objects.by_dunder(name)
    if op is not None:
        return op(x, *args)
    if name == "__class__":
        return call(cls, *args, **kwargs)
    if name in ("conjugate", "conj"):
        if not isinstance(x, COMPLEX):
            return x
        found = call(np.conjugate, x)
        return moved_numbers.to_complex(found) if cls is complex else found
    if name not in moving.LOOKING_AT_NUMBERS and escapes.reaches(x):
        refuse(f"`{name}` of a number", "it gives the number in another form")
    found = getattr(plain(x), name)(*args, **kwargs)
    if isinstance(found, str):
        texts.note(found)
    return found


def _drawn(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A draw that moves what it is given, of a random generator."""
    if escapes.reaches(args[:1]) and not escapes.reaches((args[1:], kwargs)):
        return draws.drawn(f.__self__, f.__name__, args, kwargs)
    rule = lookup(f)
    return opaque(f, args, kwargs) if rule is None else _by_rule(rule)(f, args, kwargs)


def _bound_builtin(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A method of an object that is written in C: `list.append`, `Generator.normal`."""
    owner = f.__self__
    if type(owner) is _ndarray:
        return of_array(owner, f.__name__, args, kwargs)
    if type(owner) in PLAIN:
        return _of_number(owner, f.__name__, args, kwargs)
    if f.__name__ == "__new__" and args and isinstance(args[0], type):
        return constructing.new_in_c(f, args[0], args[1:], kwargs)
    if isinstance(owner, moving.HOLDERS):
        return moved_objects.of_container(owner, f.__name__, args, kwargs, f)
    rule = lookup(f)
    if rule is not None:
        return _by_rule(rule)(f, args, kwargs)
    if elementwise_calls.is_of_python(owner):
        return elementwise_calls.by_elements(owner, f.__name__, args, kwargs)
    if f.__name__ in moving.METHODS_OF_OBJECTS or moved_objects.only_holds(owner):
        return f(*args, **kwargs)
    return opaque(f, args, kwargs)


def _slot(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A method of a class that is written in C, of an object or as a function of one: those of
    `super()` and `object`, `dict.update`."""
    bound = type(f) is types.MethodWrapperType
    if not bound and not args:
        return f(*args, **kwargs)  # the error in Python's own words
    owner, rest = (f.__self__, args) if bound else (args[0], args[1:])
    f = f if bound else f.__get__(owner)
    name, cls = f.__name__, type(owner)
    if name == "__call__":
        if issubclass(cls, type):
            return constructing.construct(owner, rest, kwargs)
        return call(owner, *rest, **kwargs)
    if name == "__get__" and cls is property and rest and rest[0] is not None:
        return call(owner.fget, rest[0])
    if name == "__next__":
        return moved_items.following(owner)
    if name == "__getattribute__" and len(rest) == 1:
        return objects.by_default(owner, rest[0])
    if name == "__setattr__" and len(rest) == 2:
        return objects.set_by_default(rest[1], owner, rest[0])
    if name == "__delattr__" and len(rest) == 1:
        return objects.delete_by_default(owner, rest[0])
    if cls is _ndarray:
        return of_array(owner, name, rest, kwargs)
    if cls in PLAIN:
        return _of_number(owner, name, rest, kwargs)
    number = objects.boxed(owner)
    if number is not None:
        return _of_number(number, name, rest, kwargs)
    if issubclass(cls, moving.HOLDERS):
        return moved_objects.of_container(owner, name, rest, kwargs, f)
    if name in moving.METHODS_OF_OBJECTS:
        return f(*rest, **kwargs)
    rule = lookup(f)
    if rule is not None:
        return arrays.apply(rule, f, rest, kwargs)
    return opaque(f, rest, kwargs)


_SLOTS = (types.MethodWrapperType, types.WrapperDescriptorType, types.MethodDescriptorType)


late.REAL[:] = [call]


def _in_a_run(operation: Any, *args: Any) -> Any:
    return call(operation, *args) if STATE.runs else operation(*args)


RECORDING.call, RECORDING.plain = _in_a_run, PLAIN
