"""Classes that are defined inside a function, as if they were defined outside.

def f(x):                            class Sum: ...
    class Sum: ...           =>      def f(x):
    s = Sum()                            s = Sum()

Python makes such a class anew in each call. One class does for all calls as long as nothing writes
to it, and defining it neither reads a variable of the function nor does anything else.
"""

from __future__ import annotations

import builtins
import copy
import dataclasses
import functools
import types
import weakref
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator

import gast

from adtrans.diagnostics.errors import CompileError
from adtrans.lower.class_uses import callees_keep_classes, keeps_classes
from adtrans.lower.local_names import LocalNames
from adtrans.lower.makers import meaning
from adtrans.lower.small_trees import nothing
from adtrans.lower.syntax import bound_names, in_scope, nodes_in, own_names, parameters
from adtrans.source import MISSING, SourceFunction, get_source
from adtrans.source.made import made_functions

Means = Callable[[gast.AST], object]

MADE_ONCE: weakref.WeakKeyDictionary[object, tuple[str, int]] = weakref.WeakKeyDictionary()
"""The classes that do for all calls, with the file and line of the function that defines them."""

_OF_METHODS = (property, staticmethod, classmethod, functools.cached_property, abstractmethod)


def with_outer_classes(source: SourceFunction) -> SourceFunction:
    """The function with those of its classes as globals that can be; itself where there are none.

    >>> from adtrans.source import get_source
    >>> def f(x):
    ...     class Box:
    ...         def __init__(self, v): self.v = v
    ...     return Box(x).v
    >>> made = with_outer_classes(get_source(f))
    >>> print(gast.unparse(made.node))
    def f(x):
        return Box(x).v
    """
    node = source.node
    if not isinstance(node, gast.FunctionDef):
        return source
    defined = [s for s in node.body if isinstance(s, gast.ClassDef)]
    if not defined or not callees_keep_classes(source.fn):
        return source
    local = LocalNames(node)
    made: dict[str, type] = {}
    gone: set[int] = set()
    cells: dict[str, types.CellType] = {}
    for s in defined:
        if _is_alone(s, node) and (cls := _class(s, source, local, made, cells)) is not None:
            made[s.name] = cls
            span = source.span(node)
            MADE_ONCE[cls] = span.file, span.line
            gone.add(id(s))
    if not made:
        return source
    changed = copy.copy(node)
    changed.body = [s for s in node.body if id(s) not in gone] or [nothing(node)]
    return made_functions(source, changed, (), made)


def _is_alone(s: gast.ClassDef, node: gast.FunctionDef) -> bool:
    """Whether a class is all that its name means, from where it is defined, and nothing can write
    to it or keep it."""
    times = Counter(own_names(node) - set(bound_names(node.body)))
    for n in in_scope(node.body):
        if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load):
            times[n.id] += 1
        elif isinstance(n, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef):
            times[n.name] += 1
    if times[s.name] != 1:
        return False
    for before in node.body[: node.body.index(s)]:
        if any(isinstance(n, gast.Name) and n.id == s.name for n in nodes_in(before)):
            return False
    return keeps_classes(node, {s.name})


def _class(
    s: gast.ClassDef,
    source: SourceFunction,
    local: LocalNames,
    others: dict[str, type],
    cells: dict[str, types.CellType],
) -> type | None:
    """The class that a statement defines, where defining it does nothing else."""

    def means(n: gast.AST) -> object:
        if isinstance(n, gast.Name) and n.id in others:
            return others[n.id]
        return meaning(n, source, local)

    bases = [means(b) for b in s.bases]
    if s.keywords or MISSING in bases or not all(map(_is_plain_part, s.body)):
        return None
    if not all(_is_plain_annotation(a, means) for f in s.body for a in _annotations(f)):
        return None
    if not all(_decorates(d, means) for f in s.body if isinstance(f, gast.FunctionDef)
               for d in f.decorator_list if not _is_setter(d, s)):  # fmt: skip
        return None
    if not all(isinstance(b, type) and _is_plain_base(b) for b in bases):
        return None
    if any(isinstance(c, gast.Call) and means(c.func) is not dataclasses.field
           for f in s.body if isinstance(f, gast.AnnAssign | gast.Assign) and f.value is not None
           for c in gast.walk(f.value)):  # fmt: skip
        return None
    code = _code(s, source)
    known = dict(zip(source.fn.__code__.co_freevars, source.fn.__closure__ or (), strict=True))
    own = types.CellType()
    found = {**known, **cells, s.name: own}
    if code is None or any(v not in found for v in code.co_freevars):
        return None
    closure = tuple(found[v] for v in code.co_freevars)
    body = types.FunctionType(code, source.fn.__globals__, s.name, None, closure)
    try:
        cls: type | None = builtins.__build_class__(body, s.name, *bases)
        for d in reversed(s.decorator_list):
            cls = None if cls is None else _decorated(d, means, cls)
    except Exception:  # whatever it is, it is raised where the class is defined
        return None
    if cls is None:
        return None
    own.cell_contents = cls
    if not all(map(_is_readable, vars(cls).values())):
        return None
    cells[s.name] = own
    return cls


def _is_readable(member: object) -> bool:
    """Whether the source of a method is what it was when the file was read."""
    if not isinstance(member, types.FunctionType) or member.__code__.co_filename == "<string>":
        return True  # written by `dataclasses`
    try:
        get_source(member)
    except CompileError:
        return False
    return True


def _code(s: gast.ClassDef, source: SourceFunction) -> types.CodeType | None:
    """What Python compiled the body of a class into."""
    first = min([s.lineno, *(d.lineno for d in s.decorator_list)])
    found = [
        c
        for c in source.fn.__code__.co_consts
        if isinstance(c, types.CodeType) and c.co_name == s.name
        and c.co_firstlineno in (first, s.lineno)
    ]  # fmt: skip
    return found[0] if len(found) == 1 else None


def _is_plain_part(s: gast.stmt) -> bool:
    """Whether a statement in a class defines a method or a constant."""
    match s:
        case gast.Pass() | gast.Expr(value=gast.Constant()):
            return True
        case gast.FunctionDef(args=args):
            return all(d is None or _is_constant(d) for d in (*args.defaults, *args.kw_defaults))
        case gast.Assign(targets=[gast.Name()], value=value):
            return _is_constant(value)
        case gast.AnnAssign(target=gast.Name(), value=value):
            return value is None or _is_constant(value) or _is_field(value)
        case _:
            return False


def _annotations(s: gast.stmt) -> Iterator[gast.AST]:
    """What Python evaluates of the annotations of a statement in a class."""
    match s:
        case gast.AnnAssign(annotation=annotation):
            yield annotation
        case gast.FunctionDef(args=args, returns=returns):
            yield from (p.annotation for p in parameters(args) if p.annotation is not None)
            if returns is not None:
                yield returns


def _is_plain_annotation(node: gast.AST, means: Means) -> bool:
    """Whether evaluating an annotation does nothing else."""
    match node:
        case gast.Constant() | gast.Name():
            return True
        case gast.Attribute(value=value):
            return _is_plain_annotation(value, means)
        case gast.Tuple(elts=items) | gast.List(elts=items):
            return all(_is_plain_annotation(i, means) for i in items)
        case gast.Subscript(value=value, slice=index):
            found = means(value)
            known = getattr(found, "__module__", None) in ("builtins", "typing", "collections.abc")
            return known and _is_plain_annotation(index, means)
        case gast.BinOp(left=left, op=gast.BitOr(), right=right):
            return all(
                isinstance(means(p), type) or isinstance(p, gast.Constant) for p in (left, right)
            )
        case _:
            return False


def _is_constant(node: gast.AST) -> bool:
    match node:
        case gast.Constant():
            return True
        case gast.UnaryOp(operand=operand):
            return _is_constant(operand)
        case gast.BinOp(left=left, right=right):
            return _is_constant(left) and _is_constant(right)
        case gast.Tuple(elts=items):
            return all(map(_is_constant, items))
        case _:
            return False


def _is_field(node: gast.AST) -> bool:
    """Whether a value is `field(...)` with what makes a fresh list or dictionary."""
    match node:
        case gast.Call(args=[], keywords=keywords):
            return all(
                _is_constant(k.value)
                or (isinstance(k.value, gast.Name) and k.value.id in ("list", "dict"))
                for k in keywords
            )
        case _:
            return False


def _is_setter(d: gast.AST, s: gast.ClassDef) -> bool:
    match d:
        case gast.Attribute(value=gast.Name(id=name), attr="setter" | "getter"):
            return any(isinstance(f, gast.FunctionDef) and f.name == name for f in s.body)
        case _:
            return False


def _decorates(d: gast.AST, means: Means) -> bool:
    return any(means(d) is known for known in _OF_METHODS)


def _is_plain_base(cls: type) -> bool:
    """Whether deriving from a class runs no code of its own."""
    hooks = [vars(c)["__init_subclass__"] for c in cls.__mro__ if "__init_subclass__" in vars(c)]
    plain = all(h is vars(object).get("__init_subclass__") for h in hooks)
    return plain and type(cls).__module__ in ("builtins", "abc")


def _decorated(d: gast.AST, means: Means, cls: type) -> type | None:
    """A class with a decorator that is known."""
    match d:
        case gast.Call(func=fn, args=[], keywords=keywords):
            given = {k.arg: k.value.value for k in keywords if isinstance(k.value, gast.Constant)}
            if means(fn) is not dataclasses.dataclass or len(given) < len(keywords):
                return None
            made: type = dataclasses.dataclass(**given)(cls)  # type: ignore[arg-type]  # constants
            return made
        case _:
            for known in (dataclasses.dataclass, functools.total_ordering):
                if means(d) is known:
                    return known(cls)
    return None
