"""What a function, and what it calls, may do to the classes that are defined in it.

>>> import gast
>>> keeps_classes(gast.parse("b = Box(1)\\ny = type(b) is Box"), {"Box"})
True
>>> keeps_classes(gast.parse("c = type(b)\\nc.count = c.count + 1"), {"Box"})
False
"""

from __future__ import annotations

import types
from collections.abc import Iterator

import gast

from adtrans.diagnostics.errors import CompileError
from adtrans.lower.syntax import nodes_in, parameters
from adtrans.source import get_source
from adtrans.source.libraries import is_library

_NAMED = ("__name__", "__qualname__")
_MACHINERY = ("__func__", "__mro__", "__bases__", "__subclasses__", "register")
_SHOWN = ("print", "repr", "str", "issubclass")
_CLASS_FIRST = ("__new__", "__init_subclass__", "__class_getitem__")


def keeps_classes(tree: gast.AST, names: set[str]) -> bool:
    """Whether code uses classes (those of these names, and what `type(...)` and `__class__` are)
    only in ways that neither write to them nor hand them on."""
    nodes = nodes_in(tree)
    called = {id(n.func) for n in nodes if isinstance(n, gast.Call)}
    methods = {
        f.name for c in nodes if isinstance(c, gast.ClassDef)
        for f in c.body if isinstance(f, gast.FunctionDef)
    }  # fmt: skip
    harmless = {id(u) for n in nodes for u in _harmless(n, called, methods)}
    known = {id(n) for n in nodes if _is_class(n, names)}
    for n in nodes:
        if isinstance(n, gast.FunctionDef) and _is_of_class(n) and parameters(n.args):
            first = parameters(n.args)[0].id
            known |= {id(u) for s in n.body for u in nodes_in(s)
                      if isinstance(u, gast.Name) and u.id == first}  # fmt: skip
    return known <= harmless and not any(map(_hands_on, nodes))


def _is_of_class(f: gast.FunctionDef) -> bool:
    """Whether the first parameter of a method is a class."""
    return f.name in _CLASS_FIRST or any(
        isinstance(d, gast.Name) and d.id == "classmethod" for d in f.decorator_list
    )


def _is_class(n: gast.AST, names: set[str]) -> bool:
    """Whether an expression is a class, for all that is known."""
    match n:
        case gast.Name(id=name):
            return name in names or name in ("__class__", "type")
        case gast.Call(func=gast.Name(id="type")) | gast.Attribute(attr="__class__"):
            return True
        case _:
            return False


def _harmless(n: gast.AST, called: set[int], methods: set[str]) -> Iterator[gast.AST]:
    """The parts of a node that may be a class, of which nothing more is known afterwards."""
    match n:
        case gast.Call(func=fn, args=args):
            yield fn
            match fn, args:
                case gast.Name(id="isinstance"), [_, of]:
                    yield from of.elts if isinstance(of, gast.Tuple) else [of]
                case gast.Name(id=name), _ if name in _SHOWN:
                    yield from args
                case gast.Attribute(attr="__new__"), [first, *_]:
                    yield first
        case gast.Compare(left=left, ops=ops, comparators=others) if all(
            isinstance(op, gast.Is | gast.IsNot | gast.Eq | gast.NotEq) for op in ops
        ):
            yield from (left, *others)
        case gast.Attribute(value=value, attr=attr, ctx=gast.Load()):
            if id(n) in called or attr in _NAMED or not (attr in methods or attr[:2] == "__"):
                yield value
        case gast.FormattedValue(value=value):
            yield value
        case gast.ClassDef(bases=bases):
            yield from bases
        case gast.ExceptHandler(type=kind) if kind is not None:
            yield from kind.elts if isinstance(kind, gast.Tuple) else [kind]
        case gast.Raise(exc=exc) if exc is not None:
            yield exc
        case gast.MatchClass(cls=cls):
            yield cls
        case gast.AnnAssign(annotation=annotation):
            yield from nodes_in(annotation)
        case gast.Name(annotation=annotation) if annotation is not None:
            yield from nodes_in(annotation)
        case gast.FunctionDef(returns=returns) if returns is not None:
            yield from nodes_in(returns)
        case _:
            pass


def _hands_on(n: gast.AST) -> bool:
    """Whether a class may be got at in another way, or written to by name."""
    match n:
        case gast.Attribute(attr=attr):
            return attr in _MACHINERY
        case gast.Call(func=gast.Name(id="setattr" | "delattr"), args=[first, *_]):
            return not isinstance(first, gast.Name) or first.id == "cls"
        case gast.Constant(value=str(text)):  # `attrgetter("__class__")`
            return "__class__" in text or text in _MACHINERY
        case gast.MatchClass(kwd_attrs=names):
            return "__class__" in names or any(n in _MACHINERY for n in names)
        case _:
            return False


def callees_keep_classes(fn: types.FunctionType) -> bool:
    """Whether all functions that code may reach keep the classes of what they are given."""
    return all(map(_keeps, reached(fn)))


def reached(fn: types.FunctionType) -> Iterator[types.FunctionType]:
    """The functions of the user's that code may reach: functions, and methods of classes and of
    objects, among the globals and in closures."""
    seen: set[int] = {id(fn)}
    waiting = list(_named(fn))
    while waiting:
        found = waiting.pop()
        if id(found) in seen or is_library(getattr(found, "__module__", None)):
            continue
        seen.add(id(found))
        if isinstance(found, types.FunctionType):
            yield found
            waiting += _named(found)
        elif isinstance(found, type):
            waiting += _functions(found)


def _keeps(fn: types.FunctionType) -> bool:
    names = {n for c in codes(fn.__code__) for n in (*c.co_names, *_strings(c.co_consts))}
    if not names & {"type", "__class__", "setattr", "delattr", "getattr", *_MACHINERY}:
        return True
    try:
        return keeps_classes(get_source(fn).node, set())
    except CompileError:
        return False


def _strings(values: tuple[object, ...]) -> Iterator[str]:
    """The strings among constants, and in tuples of them."""
    for v in values:
        if isinstance(v, str):
            yield "__class__" if "__class__" in v else v
        elif isinstance(v, tuple):
            yield from _strings(v)


def _named(fn: types.FunctionType) -> Iterator[object]:
    """What the code of a function names, where that has functions."""
    names = {n for c in codes(fn.__code__) for n in c.co_names}
    held = [fn.__globals__[n] for n in sorted(names) if n in fn.__globals__]
    held += [c.cell_contents for c in fn.__closure__ or () if _is_full(c)]
    for h in held:
        if isinstance(h, types.ModuleType):
            if not is_library(h.__name__):
                yield from (vars(h)[n] for n in sorted(names) if n in vars(h))
        elif isinstance(h, types.MethodType):
            yield h.__func__
        elif isinstance(h, types.FunctionType | type):
            yield getattr(h, "__wrapped__", h)
            yield h
        elif isinstance(h, list | tuple | dict):
            yield from h.values() if isinstance(h, dict) else h
        else:
            yield type(h)


def _functions(cls: type) -> Iterator[object]:
    for c in cls.__mro__:
        if not is_library(c.__module__):
            for member in vars(c).values():
                inner = getattr(member, "__func__", getattr(member, "fget", member))
                yield inner


def _is_full(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of a function, and of those that are defined in it."""
    yield code
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from codes(const)
