"""Which variables are bound to containers of `collections` only, and what these are made of.

A deque has a size that it does not exceed, a `defaultdict` has new items, a `Counter` zeros.
"""

from __future__ import annotations

import collections
from collections.abc import Callable
from dataclasses import dataclass

import gast

from adtrans.lower.syntax import in_scope, parameters

_FORMS = (
    collections.deque, collections.defaultdict, collections.OrderedDict, collections.Counter
)  # fmt: skip
_ZEROS: dict[object, object] = {float: 0.0, int: 0, complex: 0j}


def makes(node: gast.AST, means: Callable[[gast.AST], object]) -> bool:
    """Whether a call makes such a container."""
    return isinstance(node, gast.Call) and any(means(node.func) is f for f in _FORMS)


def apart(node: gast.FunctionDef, means: Callable[[gast.AST], object]) -> None:
    """`a, b = deque(), 0` as two statements."""
    for parent in gast.walk(node):
        for field, held in gast.iter_fields(parent):
            if isinstance(held, list) and held and isinstance(held[0], gast.stmt):
                setattr(parent, field, [made for s in held for made in _parts(s, means)])


def _parts(s: gast.stmt, means: Callable[[gast.AST], object]) -> list[gast.stmt]:
    match s:
        case gast.Assign(targets=[gast.Tuple(elts=names)], value=gast.Tuple(elts=values)) if (
            len(names) == len(values)
            and all(isinstance(n, gast.Name) for n in names)
            and any(makes(v, means) for v in values)
            and all(makes(v, means) or _is_at_hand(v) for v in values)
        ):
            bound = {n.id for n in names if isinstance(n, gast.Name)}
            read = {n.id for v in values for n in gast.walk(v) if isinstance(n, gast.Name)}
            if bound & read:
                return [s]
            found = [gast.Assign([n], v, None) for n, v in zip(names, values, strict=True)]
            for made in found:
                gast.copy_location(made, s)
            return [*found]
        case _:
            return [s]


def _is_at_hand(node: gast.expr) -> bool:
    """Whether nothing happens where an expression is evaluated: a name, a constant, a display."""
    simple = (gast.Name, gast.Constant, gast.List, gast.Tuple, gast.UnaryOp, gast.USub, gast.Load)
    return all(isinstance(n, simple) for n in gast.walk(node))


@dataclass
class Held:
    """What a variable is: the class of its values, and what their size or new items are."""

    form: object
    more: gast.expr | None  # the size that a deque does not exceed; what a new item is


def candidates(node: gast.FunctionDef, means: Callable[[gast.AST], object]) -> dict[str, Held]:
    """The variables that are bound to such containers only, always in the same way."""
    found: dict[str, list[Held]] = {}
    bound: dict[str, int] = {}
    for n in gast.walk(node):
        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store | gast.Del):
            bound[n.id] = bound.get(n.id, 0) + 1
    again = {  # each turn of a loop binds them anew
        m.id
        for n in gast.walk(node)
        if isinstance(n, gast.For | gast.While | gast.comprehension)
        for m in gast.walk(n)
        if isinstance(m, gast.Name) and isinstance(m.ctx, gast.Store)
    }
    for n in in_scope(node.body):
        match n:
            case (
                gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call)
                | gast.AnnAssign(target=gast.Name(id=name), value=gast.Call() as call)
            ):
                held = _held(call, means)
                if held is not None:
                    found.setdefault(name, []).append(held)
            case _:
                pass
    elsewhere = {
        name
        for n in gast.walk(node)
        if isinstance(n, gast.Nonlocal | gast.Global)
        for name in n.names
    }
    own = {p.id for p in parameters(node.args)}
    return {
        name: kinds[0]
        for name, kinds in found.items()
        if len(kinds) == bound[name]
        and name not in own
        and all(_stays(k.more, bound, own, again) for k in kinds)
        and name not in elsewhere
        and all(_same(k, kinds[0]) for k in kinds)
    }


def _stays(
    size: gast.expr | None, bound: dict[str, int], own: set[str], again: set[str]
) -> bool:
    """Whether a variable that was read when a container was made is the same ever after."""
    if not isinstance(size, gast.Name):
        return True
    return size.id not in again and bound.get(size.id, 0) <= (size.id not in own)


def _same(a: Held, b: Held) -> bool:
    texts = [None if h.more is None else gast.unparse(h.more) for h in (a, b)]
    return a.form is b.form and texts[0] == texts[1]


def _held(call: gast.Call, means: Callable[[gast.AST], object]) -> Held | None:
    """What a call makes, if it is understood."""
    form = means(call.func)
    words = {k.arg: k.value for k in call.keywords}
    if not any(form is f for f in _FORMS) or any(isinstance(a, gast.Starred) for a in call.args):
        return None
    if form is collections.deque and len(call.args) <= 2 and words.keys() <= {"maxlen"}:
        size = call.args[1] if len(call.args) == 2 else words.get("maxlen")
        if isinstance(size, gast.Constant) and size.value is None:
            size = None
        known = isinstance(size, gast.Constant) and type(size.value) is int
        return Held(form, size) if size is None or known or isinstance(size, gast.Name) else None
    if words and (form not in (collections.OrderedDict, collections.defaultdict) or None in words):
        return None
    if form is collections.defaultdict and 1 <= len(call.args) <= 2:
        new = _new_item(call.args[0], means)
        return None if new is None else Held(form, new)
    if form is collections.OrderedDict and len(call.args) <= 1:
        return Held(form, None)
    if form is collections.Counter and len(call.args) <= 1:
        shown = not call.args or is_sequence(call.args[0], means)
        return Held(form, gast.Constant(0, None)) if shown else None
    return None


def is_sequence(node: gast.expr, means: Callable[[gast.AST], object]) -> bool:
    """Whether an expression certainly is no dictionary, which would be counted otherwise."""
    if isinstance(node, gast.List | gast.Tuple | gast.ListComp | gast.GeneratorExp):
        return True
    if isinstance(node, gast.Constant):
        return isinstance(node.value, str)
    known = (list, tuple, range, sorted, zip, map, enumerate, reversed)
    return isinstance(node, gast.Call) and any(means(node.func) is f for f in known)


def _new_item(factory: gast.expr, means: Callable[[gast.AST], object]) -> gast.expr | None:
    """What a factory makes, as an expression without effects."""
    meant = means(factory)
    if meant is list:
        return gast.List([], gast.Load())
    if meant is dict:
        return gast.Dict([], [])
    for form, zero in _ZEROS.items():
        if meant is form:
            return gast.Constant(zero, None)
    match factory:
        case gast.Lambda(args=args, body=body) if not parameters(args) and _is_plain(body, means):
            return body
        case _:
            return None


def _is_plain(node: gast.expr, means: Callable[[gast.AST], object]) -> bool:
    """Whether an expression is a literal, or a call of NumPy that makes an array of constants."""
    match node:
        case gast.Constant():
            return True
        case gast.UnaryOp(operand=inner):
            return _is_plain(inner, means)
        case gast.List(elts=items) | gast.Tuple(elts=items):
            return all(_is_plain(i, means) for i in items)
        case gast.Dict(keys=[], values=[]):
            return True
        case gast.Call(func=fn, args=args, keywords=[]):
            module = str(getattr(means(fn), "__module__", ""))
            name = getattr(means(fn), "__name__", "")
            made = module == "numpy" and name in ("zeros", "ones", "array")
            return made and all(_is_plain(a, means) for a in args)
        case _:
            return False
