"""Operations on arrays, recorded: calls of primitives, and reads.

>>> import numpy as np
>>> getitem(np.arange(3.0), slice(1, None)).tolist()
[1.0, 2.0]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from adtrans.recorder import protocols, quick, streams
from adtrans.recorder.boxes import BOXES, unboxed
from adtrans.recorder.escapes import like_tuple
from adtrans.recorder.memory import REGIONS, STATE, Memory, live, owner_of, region
from adtrans.recorder.numbers import ACTIVE, PLAIN, active, innermost, plain
from adtrans.recorder.primitives import Primitive, primitive
from adtrans.recorder.recorded_refusals import refuse
from adtrans.rules import lookup
from adtrans.rules.rule import Rule

_ndarray = np.ndarray
_Leaf = tuple[tuple[Any, ...], Any]


def plain_of(v: Any) -> Any:
    """A value without active numbers, in tuples, lists and dictionaries as well."""
    t = type(v)
    if t in PLAIN:
        return plain(v)
    if t is tuple or t is list:
        for item in v:
            if type(item) in PLAIN or type(item) in (tuple, list, dict):
                return t([plain_of(i) for i in v])
    elif t is dict:
        return {k: plain_of(i) for k, i in v.items()}
    elif isinstance(v, tuple) and hasattr(t, "_fields"):
        return t(*map(plain_of, v))
    return v


def leaves_of(v: Any, path: tuple[Any, ...], found: list[_Leaf]) -> None:
    """The active numbers and arrays in an argument, with their paths."""
    t = type(v)
    if t in PLAIN:
        v = innermost(v, STATE.ceiling)
        if type(v) in PLAIN:
            found.append((path, v))
    elif t is _ndarray:
        if STATE.levels_of(v):
            found.append((path, v))
    elif isinstance(v, _ndarray):
        no_subclass(v)
    elif t is tuple or t is list or isinstance(v, tuple):
        for k, item in enumerate(v):
            leaves_of(item, (*path, k), found)


def no_subclass(*given: Any) -> None:
    """Refuse arrays of other classes that vary: NumPy calls their hooks by itself."""
    for v in given:
        if isinstance(v, _ndarray) and type(v) is not _ndarray and STATE.levels_of(v):
            refuse(f"a {type(v).__name__}", "it is no plain array")


def active_leaves(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[_Leaf]:
    """The same in all arguments of a call."""
    found: list[_Leaf] = []
    for k, v in enumerate(args):
        leaves_of(v, (k,), found)
    for n, v in kwargs.items():
        leaves_of(v, (n,), found)
    return found


def call(fn: Any, *args: Any, **kwargs: Any) -> Any:
    """A call of a function that has a rule."""
    rule = lookup(fn)
    assert rule is not None, fn
    return apply(rule, fn, args, kwargs)


_PLAINLY = frozenset({
    *PLAIN, *ACTIVE, int, bool, str, type(None), tuple, type, np.dtype, slice, type(...), np.int64,
    np.bool_,
})  # fmt: skip
"""Classes of arguments in which nothing is hidden."""


def apply(
    rule: Rule, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """A call of a primitive: computed, and noted in each level in which an operand is active."""
    found = quick.run(quick.table(rule), fn, args, kwargs)
    return found if found is not NotImplemented else at_length(rule, fn, args, kwargs)


def at_length(
    rule: Rule, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """The same for whatever operands, in any number of levels."""
    if BOXES:
        args = unboxed(args)
        kwargs = {n: unboxed(v) for n, v in kwargs.items()}
    if rule.custom is None and protocols.met((*args, *kwargs.values())):
        numeric = rule.form == "writes" or rule.spelling.startswith("math.")
        numeric = numeric or kwargs.get("dtype") is not None or rule.spelling == "np.full_like"
        numeric = numeric or (rule.spelling == "np.full" and len(args) > 2)
        args = tuple([protocols.opened(v, numeric) for v in args])
        kwargs = {n: protocols.opened(v, numeric) for n, v in kwargs.items()}
    args, kwargs = streams.all_settled(rule, args, kwargs)
    if not _PLAINLY.issuperset(map(type, args)):
        from adtrans.recorder import handing

        now = tuple([handing.given(rule, v) for v in args])
        if any(type(a) is _ndarray and a is not b for a, b in zip(args, now, strict=True)):
            found = apply(rule, fn, now, kwargs)
            return handing.as_of_objects(rule, fn, args, kwargs, found)
        args = now
    leaves = active_leaves(args, kwargs)
    if writes(rule, args, kwargs):
        if STATE.texts:
            from adtrans.recorder import texts

            texts.check((*args, *kwargs.values()))
        return spelled_out(rule, fn, args, kwargs)
    if not leaves:
        if rule.impure:  # random numbers may be drawn into an array
            from adtrans.recorder.unseen import opaque

            return opaque(fn, tuple(map(plain_of, args)), {n: plain_of(v) for n, v in
                                                          kwargs.items()})  # fmt: skip
        y = fn(*map(plain_of, args), **{n: plain_of(v) for n, v in kwargs.items()})
        if STATE.texts and _varies(y):
            from adtrans.recorder import texts

            texts.check((*args, *kwargs.values()))
        return y
    if rule.form == "constant" or not rule.active_params:
        return _without_formulas(rule, fn, args, kwargs, leaves)
    here = primitive(rule, args, kwargs)
    if here.lists and rule.of_arrays:
        args, kwargs, changed = _joined(here, args, kwargs)
        if changed:
            leaves = active_leaves(args, kwargs)
            here = primitive(rule, args, kwargs)
    if here.bound is None:
        return _unbound(rule, fn, args, kwargs)
    if rule.expansion is not None and here.refusal() is not None:
        return spelled_out(rule, fn, args, kwargs)
    y = fn(*map(plain_of, args), **{n: plain_of(v) for n, v in kwargs.items()})
    return noted(here, y, args, kwargs, leaves)


def writes(rule: Rule, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """May this call write one of its arguments?"""
    if rule.form in ("writes", "scatter") or rule.writes:
        return True
    if "out" in kwargs:
        return kwargs["out"] is not None
    return rule.fills(len(args), kwargs) if len(args) > 1 else False


def _without_formulas(
    rule: Rule, fn: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], leaves: list[_Leaf]
) -> Any:
    """A constant, or a primitive that is given by others."""
    if rule.refused is not None:
        refuse(rule.shown, rule.refused)
    if rule.form == "constant":
        if "*" not in rule.inert_ok and not _ignored(rule, args, kwargs, leaves):
            refuse(rule.shown, "its result varies with its arguments, and it has no derivative")
        if rule.reals_only and any(np.iscomplexobj(plain_of(v)) for _, v in leaves):
            refuse(rule.shown, "of complex numbers it is not constant")
        return fn(*map(plain_of, args), **{n: plain_of(v) for n, v in kwargs.items()})
    return spelled_out(rule, fn, args, kwargs)


def _ignored(
    rule: Rule, args: tuple[Any, ...], kwargs: Mapping[str, Any], leaves: list[_Leaf]
) -> bool:
    here = primitive(rule, args, kwargs)
    return here.bound is not None and all(
        path in here.names and rule.ignores(here.names[path]) for path, _ in leaves
    )


def _unbound(rule: Rule, fn: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Arguments that a rule does not know: an error of the call, or a form without a rule."""
    rest = {n: v for n, v in kwargs.items() if not n.startswith("overwrite_")}
    if len(rest) < len(kwargs):  # SciPy may overwrite an operand, and need not
        return apply(rule, fn, args, rest)
    fn(*map(plain_of, args), **{n: plain_of(v) for n, v in kwargs.items()})
    refuse(rule.shown, "its rule does not know these arguments")


def _joined(
    here: Primitive, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[tuple[Any, ...], Mapping[str, Any], bool]:
    """Lists of active numbers become arrays where the primitive makes arrays of them."""
    from adtrans.recorder import making

    changed = False
    given: Any = list(args)
    named = dict(kwargs)
    for first, *way in here.lists:
        holder, at = (named if type(first) is str else given), first
        for k in way:
            holder[at] = [*holder[at]] if type(holder[at]) is list else Parts(holder[at])
            holder, at = holder[at], k
        if holds_active(holder[at]):
            holder[at], changed = making.array(holder[at]), True
    return tuple([_closed(v) for v in given]), {n: _closed(v) for n, v in named.items()}, changed


class Parts(list[Any]):
    """A tuple whose items are replaced."""


def _closed(v: Any) -> Any:
    return tuple(map(_closed, v)) if type(v) is Parts else v


def holds_active(v: Any) -> bool:
    """Is there an active number or array in a list or tuple?"""
    found: list[_Leaf] = []
    leaves_of(v, (), found)
    return bool(found)


def noted(
    here: Primitive, y: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], leaves: list[_Leaf]
) -> Any:
    """The result of a primitive, noted in all levels that it concerns."""
    rule = here.rule
    results = list(y) if isinstance(y, tuple | list) else [y]
    listed = isinstance(y, tuple | list)
    memories = {id(STATE.find(v)) for _, v in leaves if type(v) is _ndarray}
    if not any(_varies(r) for r in results):
        made = [r for r in results if type(r) is _ndarray and id(STATE.find(r)) not in memories]
        if any(r.dtype.names is not None for r in made):
            refuse(rule.shown, "it copies a structured array")
        if any(r.dtype.kind == "O" for r in made):
            refuse(rule.shown, "its result is an array of objects")
        if any(r.dtype.kind in "UST" for r in made):
            from adtrans.recorder import texts

            for r in made:
                texts.note_elements(r)
        for r in results:
            if isinstance(r, _ndarray | memoryview) and type(r) is not _ndarray:
                refuse(rule.shown, f"its result is a {type(r).__name__}, no plain array")
        return y
    views = [type(r) is _ndarray and id(STATE.find(r)) in memories for r in results]
    if all(views):
        return y  # known by their memory
    why = here.refusal()
    if why is not None:
        refuse(rule.shown, why)
    for path, _ in leaves:
        name = here.names.get(path)
        if name not in here.active:
            if name is not None and (rule.ignores(name) or rule.ignores(name.partition("[")[0])):
                continue
            root = (name or "").partition("[")[0]
            refuse(rule.shown, rule.without.get(root, f"there is no derivative by `{root}`"))
    leaves = [(p, v) for p, v in leaves if here.names.get(p) in here.active]
    if not leaves:
        return y
    values = {
        n: here.value(n, args, kwargs) for n in (here.bound or {})
    }  # the names of all formulas
    tupled = listed
    levels = _levels([v for _, v in leaves])
    outs = list(results)
    for level in levels:
        mine = [(p, v) for p, v in leaves if level in _levels_of(v)]
        operands = [operand(v, level) for _, v in mine]
        names = tuple([here.names[p] for p, _ in mine])
        numbers = all(type(o) not in REGIONS for o in operands)
        plan = here.plan(names, y, numbers)
        if not level.forward and plan.missing is not None:
            refuse(rule.shown, f"there is no formula for `{plan.missing}` here")
        values["y"] = _rebuilt(y, outs) if listed else outs[0]  # active in the outer levels
        places = [... if v else _place(r, level) for r, v in zip(results, views, strict=True)]
        found = level.apply(plan, values, operands, places, tupled, results)
        for k, place in enumerate(found):
            if type(results[k]) in ACTIVE and places[k] is None:
                outs[k] = active(outs[k], level, place)
    return _rebuilt(y, outs) if listed else outs[0]


def _rebuilt(y: Any, items: list[Any]) -> Any:
    """A list, tuple or named tuple with other items."""
    if not hasattr(type(y), "_fields"):
        return type(y)(items)
    made = like_tuple(y, items)
    for name, v in [*getattr(made, "__dict__", {}).items()]:
        if _varies(v) and type(v) not in PLAIN:
            del made.__dict__[name]  # it has no derivative: it must not be read
    return made


def _varies(r: Any) -> bool:
    if type(r) is _ndarray:
        return r.dtype.kind in "fc"
    return type(r) in ACTIVE


def _place(r: Any, level: Any) -> Any:
    """A region for an array, None for a number that varies, `...` for all else."""
    if type(r) is _ndarray:
        if r.dtype.kind not in "fc":
            return ...
        memory = STATE.note(r)
        if not memory.levels and memory.made is None and STATE.runs:
            memory.made = STATE.runs[-1].mark
        level.activate(memory)
        return region(r, memory)
    return None if type(r) in ACTIVE else ...


def _levels_of(v: Any) -> tuple[Any, ...]:
    if type(v) is _ndarray:
        return STATE.levels_of(v)
    found = []
    while type(v) in PLAIN:
        if v.level.alive and v.level.depth < STATE.ceiling:
            found.append(v.level)
        v = v.v
    return tuple(found)


def _levels(values: list[Any]) -> list[Any]:
    """The levels in which any of some values is active, outermost first."""
    found: dict[int, Any] = {}
    for v in values:
        for level in _levels_of(v):
            found[level.depth] = level
    return [found[d] for d in sorted(found)]


def operand(v: Any, level: Any) -> Any:
    """The region of an array, the place of a number in the record of a level."""
    if type(v) is _ndarray:
        memory = STATE.find(v)
        assert memory is not None
        return region(v, memory)
    while v.level is not level:
        v = v.v
    return v.place


def operand_in(v: Any, level: Any) -> Any:
    """The same; None where it is not active in that level."""
    return operand(v, level) if level in _levels_of(v) else None


def spelled_out(
    rule: Rule, fn: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """A call that writes, or is given by others, as the plain statements of its rule."""
    from adtrans.recorder import plain_statements

    return plain_statements.run(rule, fn, args, kwargs)


# -- reads ----------------------------------------------------------------------------------------


def getitem(a: Any, index: Any) -> Any:
    """`a[index]` of an array."""
    memory = STATE.find(a)
    y = a[index]
    if memory is None or not memory.levels:
        return y
    if type(y) is _ndarray and (base := y.base) is not None and (base is a or base is a.base):
        return y  # a view, known by its memory
    levels: Any = live(memory.levels, STATE.ceiling)
    if not levels or a.dtype.kind not in "fc":
        if levels and a.dtype.names is not None and not _is_view_of(y, memory):
            refuse("an element of a structured array", "it is read as a whole; read its fields")
        return y
    if type(y) is _ndarray:
        if STATE.find(y) is memory:
            return y
        for level in levels:
            level.gather(region(a, memory), _frozen(index), _place(y, level))
    elif type(y) in ACTIVE:
        where = region(a, memory)
        for level in levels:
            y = active(y, level, level.read(where, index))
    return y


def element(a: Any, k: int) -> Any:
    """`a[k]`: of one axis a number, of several a view."""
    y = a[k]
    if type(y) not in ACTIVE:
        return getitem(a, k) if a.dtype.names is not None else y
    memory = STATE.memory.get(id(a if a.base is None else owner_of(a)))
    if memory is None or not memory.levels:
        return y
    levels: Any = live(memory.levels, STATE.ceiling)
    for level in levels:
        y = active(y, level, level.read(region(a, memory), k))
    return y


def _is_view_of(y: Any, memory: Memory) -> bool:
    return isinstance(y, _ndarray) and STATE.find(y) is memory


def _frozen(index: Any) -> Any:
    """An index as it is now: arrays in it may be written later."""
    if isinstance(index, _ndarray):
        return index.copy()
    if isinstance(index, list):
        return np.array(index)
    if isinstance(index, tuple):
        return tuple([_frozen(i) for i in index])
    return index


def elements(a: Any) -> list[Any]:
    """What iterating over an array gives, as a list."""
    if a.ndim > 1 or not STATE.levels_of(a):
        return list(a)
    return [getitem(a, k) for k in range(len(a))]
