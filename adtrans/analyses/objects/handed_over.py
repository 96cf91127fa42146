"""Objects that are handed to SciPy with a function, or given to a checkpoint: the parts of them
that the function reads.

total = quad_of_g(a, b, p=p)   ->   p_k = p.k
                                    total = quad_of_g_2(a, b, p_k=p_k)

What is made for the function and SciPy (`handed`) is no source that could be followed; what the
function itself does with the objects is known, if it is a function that can be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from dis import get_instructions
from types import FunctionType
from typing import Protocol, TypeAlias, runtime_checkable

from adtrans.analyses.objects.classes import member
from adtrans.analyses.objects.displays import CONTAINERS
from adtrans.analyses.objects.model import Key, Path, Seen, Shape
from adtrans.analyses.objects.object_facts import Functions, Objects
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.names import plain_name
from adtrans.source.by_name import functions_in
from adtrans.source.libraries import is_library
from adtrans.source.reach import asks_identity, codes, reached_by_any

_LOOKS = frozenset({
    "hasattr", "getattr", "vars", "dir", "__dict__", "__slots__", "setattr", "delattr",
    "__setattr__", "__delattr__",
})  # fmt: skip
_STORES = ("STORE_ATTR", "DELETE_ATTR")
_UNUSED = frozenset({
    "__init__", "__new__", "__post_init__", "__repr__", "__str__", "__eq__", "__hash__",
    "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__format__",
    "__init_subclass__", "__class_getitem__", "__replace__", "__setattr__", "__delattr__",
})  # fmt: skip
Tree: TypeAlias = "tuple[type, tuple[tuple[str, Tree | None], ...]]"
_Parts: TypeAlias = "tuple[object, list[tuple[Path, str]]]"


@runtime_checkable
class TakesObjects(Protocol):
    """What is made for a function that is handed over, and can be made for the parts of what the
    function is given."""

    def parameters_of(self) -> tuple[FunctionType, Mapping[str, str]] | None:
        """The function, and its parameters by those of this one."""

    def in_parts(self, trees: Mapping[str, Tree]) -> tuple[object, Mapping[str, Iterable[
        tuple[Path, str]]]] | None:  # fmt: skip
        """The same for parts, and the parameters for these."""

    def as_it_is(self, tree: Tree) -> _Parts | None:
        """What makes an object of its parts, and the parts."""


def takes_values(s: S.Invoke, o: Objects) -> bool:
    """Whether a call is one of what is made for a function that is handed over, and is given no
    object."""
    made = s.fn.value if isinstance(s.fn, E.Ref) else None
    given = (*s.args, *(a for _, a in s.kwargs))
    values = (k for a in given for k in o.values_of(a))
    return isinstance(made, TakesObjects) and all(k[0] in ("part", "other") for k in values)


def as_function(s: S.Stmt, o: Objects, functions: Functions) -> tuple[S.Stmt, ...] | None:
    """A call of a method that can be made for parts, as one of the function; None for all else.

    y = model.step(x)   ->   y = step(model, x)        # `@ad.checkpoint def step(self, x): ...`
    """
    match s:
        case S.Bind(
            value=E.Call(fn=E.Attribute(base=E.Name() | E.Ref() as base, attr=attr)) as call
        ):
            key = o.of(base)
            if key is None or o.told(o.values_of(base)) != {key} or o.one(key) in o.lost:
                return None
            found = member(o.classes[key], attr)
            if found.form != "method" or not isinstance(found.value, TakesObjects):
                return None
            if functions.function(found.value) is not None:
                return None  # it is followed
            plain = E.Call(E.Ref(attr, found.value), (base, *call.args), call.kwargs)
            return (replace(s, value=plain, origin=0),)
        case _:
            return None


def of_caller(key: Key) -> bool:
    """Whether an object, or a part of it, comes from outside, where it may be changed later."""
    while key[0] in ("part", "attribute") and isinstance(key[1], tuple):
        key = key[1]
    return key[0] in ("param", "global")


def in_parts(s: S.Stmt, o: Objects, functions: Functions) -> tuple[S.Stmt, ...] | None:
    """The statements for a call that is given objects; None for all else."""
    match s:
        case S.Invoke(fn=E.Ref(value=TakesObjects() as made), args=args, kwargs=kwargs):
            pass
        case S.Bind(
            value=E.Call(fn=E.Ref(value=TakesObjects() as made), args=given, kwargs=named)
        ):  # of a function with a rule
            args = tuple(a for a in given if isinstance(a, E.Name | E.Const | E.Ref))
            kwargs = tuple((k, a) for k, a in named if isinstance(a, E.Name | E.Const | E.Ref))
            if len(args) < len(given) or len(kwargs) < len(named):
                return None
        case _:
            return None
    signature = getattr(made, "__signature__", None)
    shapes: dict[str, Shape] = {}
    atoms = dict(kwargs)
    if signature is None or len(args) > len(signature.parameters):
        return None
    atoms |= dict(zip(signature.parameters, args, strict=False))
    for p, a in atoms.items():
        key = o.of(a)
        if key is None or o.told(o.values_of(a)) != {key}:
            continue
        if key in o.lost or o.one(key) in o.lost or o.classes[o.one(key)] in CONTAINERS:
            continue
        shape = o.shape(key)
        if shape is not None:
            shapes[p] = shape
    said = made.parameters_of() if shapes else None
    if said is None or not isinstance(said[0], FunctionType):
        return None
    fn, formal = said
    trees = _trees(fn, {formal[p]: shape for p, shape in shapes.items() if p in formal}, functions)
    if trees is None:
        return None
    found = made.in_parts({p: trees[formal[p]] for p in shapes if p in formal})
    if found is None:
        return None
    where: S.Place = {"site": s.site, "span": s.span, "origin": 0}
    out: list[S.Stmt] = []
    for p in shapes:
        if p not in formal:  # a slope, say, which is called, and has no derivative
            whole = _as_it_is(shapes[p], functions, made)
            if whole is None:
                return None
            names = _read(atoms[p], p, [path for path, _ in whole[1]], out, where)
            call = E.Call(E.Ref("as_it_is", whole[0]), tuple(names[path] for path, _ in whole[1]))
            out.append(S.Bind(f"{p}@whole{s.site}", call, **where))
            atoms[p] = E.Name(f"{p}@whole{s.site}")
    words = [(p, atoms[p]) for p, _ in kwargs if p not in found[1]]
    order = [p for p, _ in zip(signature.parameters, args, strict=False)]
    left = tuple(atoms[p] for p in order if p not in found[1])
    for p, parts in found[1].items():
        names = _read(atoms[p], p, [path for path, _ in parts], out, where)
        words += [(name, names[path]) for path, name in parts]
    # a name of its own, as it is another function than the program spells
    name = plain_name(str(getattr(found[0], "__name__", "handed")))
    called = E.Ref(name, found[0])
    if isinstance(s, S.Bind):
        return (*out, replace(s, value=E.Call(called, left, tuple(words)), origin=0))
    return (*out, S.Invoke(s.target, called, left, tuple(words), **where))


def _read(
    of: E.Atom, stem: str, paths: Iterable[Path], out: list[S.Stmt], where: S.Place
) -> dict[Path, E.Atom]:
    """Variables for the parts of an object, and the statements that read them."""
    names: dict[Path, E.Atom] = {(): of}
    for path in paths:
        for k in range(len(path)):
            if path[: k + 1] not in names:
                t = f"{'_'.join((stem, *path[: k + 1]))}@part{where['site']}"
                out.append(S.Bind(t, E.Attribute(names[path[:k]], path[k]), **where))
                names[path[: k + 1]] = E.Name(t)
    return names


def _trees(
    fn: FunctionType, shapes: Mapping[str, Shape], functions: Functions
) -> dict[str, Tree] | None:
    """The parts of objects that a function reads, by its parameters."""
    if functions.function(fn) is None:
        return None
    said_by = _names(fn, {cls for shape in shapes.values() for cls in _classes(shape)})
    if said_by is None:
        return None
    seen = functions.seen(fn, shapes)
    found = {p: _tree(shape, p, seen, *said_by) for p, shape in shapes.items()}
    trees = {p: tree for p, tree in found.items() if tree is not None}
    return trees if len(trees) == len(found) else None


def _as_it_is(shape: Shape, functions: Functions, made: TakesObjects) -> _Parts | None:
    """What makes an object that is called once more, of its parts, without a derivative."""
    called = member(shape.cls, "__call__")
    if called.form != "method" or not isinstance(called.value, FunctionType):
        return None
    first = called.value.__code__.co_varnames[0]
    trees = _trees(called.value, {first: shape}, functions)
    return None if trees is None else made.as_it_is(trees[first])


def _names(fn: FunctionType, classes: set[type]) -> tuple[set[str], set[str]] | None:
    """The names in a function, and in the methods that it names of these classes, and which
    attributes they assign; None where they may ask which attributes there are."""
    methods = [(name, f) for cls in classes for c in cls.__mro__ if not is_library(c.__module__)
               for name, value in vars(c).items() for f in functions_in(value)]  # fmt: skip
    own = [f for _, f in methods]
    waiting = [fn, *reached_by_any(fn, own)]
    seen: set[int] = set()
    names: set[str] = set()
    assigned: set[str] = set()
    while waiting:
        f = waiting.pop()
        if id(f) in seen:
            continue
        seen.add(id(f))
        for code in codes(f.__code__):
            if asks_identity(code):
                return None  # others are made of the parts
            names.update(code.co_names)
            assigned.update(str(i.argval) for i in get_instructions(code) if i.opname in _STORES)
        for name, method in methods:
            special = name[:2] == "__" and name not in _UNUSED
            if id(method) not in seen and (special or name in names):
                waiting += [method, *reached_by_any(method, [f for f in own if f is not method])]
    return (names, assigned) if _LOOKS.isdisjoint(names) else None


def _classes(shape: Shape) -> set[type]:
    return {shape.cls}.union(*(_classes(inner) for _, inner in shape.inner))


def _tree(
    shape: Shape, param: str, seen: Seen, names: set[str], assigned: set[str]
) -> Tree | None:
    """The attributes of an object that are read; None where one is assigned, or the object lost."""
    root = ("param", param)
    written = {p.attr for p in seen.written if p.root == root}
    if root in seen.lost or not written.isdisjoint(assigned) or seen.result == root:
        return None
    if any(inner == root for _, inner, _ in seen.stored):
        return None
    if any(copied == root for copied, _ in seen.copied):
        return None  # which takes every attribute, seen or not
    read = {(*p.path, p.attr) for p in seen.read if p.root == root}
    return _under(shape, read, names)


def _under(shape: Shape, read: set[Path], names: set[str]) -> Tree:
    """The objects in an object, the lists and dictionaries that may be used, and what is read."""
    inner = dict(shape.inner)
    parts: list[tuple[str, Tree | None]] = []
    objects = {a for a, below in inner.items() if below.cls not in CONTAINERS or a in names}
    for attr in sorted({*objects, *(p[0] for p in read if p)}):
        below = inner.get(attr)
        whole = below is None or below.cls in CONTAINERS
        deeper = {p[1:] for p in read if p[0] == attr}
        parts.append((attr, None if whole or below is None else _under(below, deeper, names)))
    return shape.cls, tuple(parts)
