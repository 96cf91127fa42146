"""Methods as other functions, made from their trees, where a call says more than the text.

A class method is a function without the class among its parameters; `__exit__` without an exception
one of the object alone; `__iter__` in a loop one without its iterator; an operator one that returns
no `NotImplemented`.

>>> class Box:
...     @classmethod
...     def twice(cls, x): return cls, 2 * x
>>> of_class(Box.twice).__name__
'twice'
"""

from __future__ import annotations

import copy
import inspect
import types
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import gast

from adtrans.diagnostics.errors import CompileError
from adtrans.runtime.failures import DerivativeError
from adtrans.source.find import MADE, SourceFunction, get_source
from adtrans.source.made import made_functions
from adtrans.source.reach import codes, reached

_NEW = (gast.BinOp, gast.UnaryOp, gast.Constant)  # what nothing else refers to
_STOPPING = frozenset({"StopIteration", "next", "__next__", "send", "throw"})
_ERRORS = ("error", "raised", "raised_here", "raised_in_block")
_AHEAD = "__adtrans_ahead__"
_FOUND: dict[tuple[object, ...], types.FunctionType | None] = {}


def of_class(method: object) -> types.FunctionType | None:
    """The function that does what a class method does for its class; None for all else, and where
    the parameter of the class is assigned, or `super()` needs it."""
    if not isinstance(method, types.MethodType) or not isinstance(method.__self__, type):
        return None
    cls = method.__self__

    def change(node: gast.FunctionDef) -> dict[str, object] | None:
        given = node.args.posonlyargs or node.args.args
        return {given.pop(0).id: cls} if given else None

    name = f"{cls.__qualname__}.{getattr(method.__func__, '__name__', '')}"
    return _variant(method.__func__, ("class", cls), change, name)


def of_exit(method: object) -> types.FunctionType | None:
    """An `__exit__` as it is called without an exception: a function of the object."""

    def change(node: gast.FunctionDef) -> dict[str, object] | None:
        a = node.args
        first, *rest = (*a.posonlyargs, *a.args)
        if a.kwonlyargs or (a.vararg is None and len(rest) != 3):
            return None
        values: dict[str, object] = {p.id: None for p in rest}
        if a.vararg is not None:
            values[a.vararg.id] = (None,) * (3 - len(rest))
        if a.kwarg is not None:
            return None
        a.posonlyargs, a.args, a.defaults, a.vararg = [], [first], [], None
        return values

    return _variant(method, ("exit",), change, None)


def of_exit_after(method: object) -> types.FunctionType | None:
    """An `__exit__` as it is called after an exception: a function of the object and of that.

    >>> class Quiet:
    ...     def __exit__(self, cls, e, trace): return issubclass(cls, ValueError)
    >>> of_exit_after(Quiet.__exit__)(Quiet(), ValueError("no"))
    True
    """

    def change(node: gast.FunctionDef) -> dict[str, object] | None:
        a = node.args
        first, *rest = (*a.posonlyargs, *a.args)
        if a.kwonlyargs or a.kwarg is not None or len(rest) > 3:
            return None
        if a.vararg is None and len(rest) != 3:
            return None
        names = [n for n in gast.walk(node) if isinstance(n, gast.Name)]
        taken = {n.id for n in names}
        error = rest[1].id if rest[1:] else next(n for n in _ERRORS if n not in taken)
        parts = [f"type({error})", error, f"{error}.__traceback__"]
        given = [(p.id, v) for p, v in zip(rest, parts, strict=False) if p.id != error]
        if a.vararg is not None:
            given.append((a.vararg.id, f"({''.join(v + ', ' for v in parts[len(rest) :])})"))
        read = {n.id for n in names if isinstance(n.ctx, gast.Load)}
        lines = [gast.parse(f"{name} = {v}").body[0] for name, v in given if name in read]
        if "type" in {name for name, _ in given}:
            return None
        like = node.body[0]
        for line in lines:
            for n in gast.walk(line):
                _placed(n, like)
        node.body[:0] = lines
        last = _placed(gast.Name(error, gast.Param(), None, None), first)
        a.posonlyargs, a.args, a.defaults, a.vararg = [], [first, last], [], None
        return {"type": type} if lines else {}

    return _variant(method, ("exit", "after"), change, None)


def elements_of(method: object) -> types.FunctionType | None:
    """For an `__iter__` whose results are all `iter(...)`, the function without that call.

    A loop over the one is a loop over the other.
    """

    def change(node: gast.FunctionDef) -> dict[str, object] | None:
        if (through := _handed_on(_statements(node))) is not None:
            node.body = [_placed(gast.Return(through), through)]
            return {}
        for n in gast.walk(node):
            match n:
                case gast.Return(
                    value=gast.Call(func=gast.Name(id="iter"), args=[inner], keywords=[])
                ):
                    n.value = inner
                case gast.Return() | gast.Yield() | gast.YieldFrom() | gast.Lambda():
                    return None
                case gast.FunctionDef() if n is not node:
                    return None
                case _:
                    pass
        return {} if isinstance(node.body[-1], gast.Return) else None

    return _variant(method, ("iter",), change, None, means={"iter": iter})


def listed_elements_of(
    method: object, *, copied: bool = False, ahead: bool = False
) -> types.FunctionType | None:
    """For an `__iter__` that is a generator, a function that returns all that it yields, in a tuple
    where that is plain; `copied`: as it was when it was yielded; `ahead`: for a loop (`is_ahead`).

    >>> class Pair:
    ...     def __iter__(self):
    ...         yield 1
    ...         yield 2
    >>> listed_elements_of(Pair.__iter__)(Pair())
    (1, 2)
    """

    def change(node: gast.FunctionDef) -> dict[str, object] | None:
        inside = list(gast.walk(node))
        statements = {id(n.value) for n in inside if isinstance(n, gast.Expr)}
        yields = [n for n in inside if isinstance(n, gast.Yield | gast.YieldFrom)]
        scopes = (gast.FunctionDef, gast.Lambda, gast.ClassDef, gast.AsyncFunctionDef)
        if not yields or any(isinstance(n, scopes) for n in inside if n is not node):
            return None
        if any(isinstance(n, gast.YieldFrom) or n.value is None for n in yields):
            return None
        if any(id(n) not in statements for n in yields):
            return None
        taken = {n.id for n in inside if isinstance(n, gast.Name)}
        values: dict[str, object] = {}
        if copied:
            name = _unused("copied", taken)
            values[name] = copy.copy
            for n in yields:
                if n.value is not None and not isinstance(n.value, _NEW):
                    called = _placed(gast.Name(name, gast.Load(), None, None), n)
                    n.value = _placed(gast.Call(called, [n.value], []), n)
        body = _statements(node)
        if len(body) == len(yields) and all(isinstance(s, gast.Expr) for s in body):
            given = [n.value for n in yields if n.value is not None]
            items = gast.Tuple(given, gast.Load())
            node.body = [_placed(gast.Return(_placed(items, node)), node)]
            return values
        if any(isinstance(n, gast.Try | gast.With) for n in inside):
            return None
        _collected(node, _unused("found", taken))
        return values

    made = _variant(method, ("listed", copied, ahead), change, None)
    if made is not None and ahead:
        made.__dict__[_AHEAD] = True
    return made


def is_ahead(fn: types.FunctionType) -> bool:
    """Whether a function lists what a loop goes through before the loop begins, so that an error of
    the one comes before an error of the other."""
    return _AHEAD in fn.__dict__


def _unused(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def step_of(method: object, cls: type | None = None) -> types.FunctionType | None:
    """For a `__next__`, a function that returns whether there is a next item, and that item.

    `cls`: the class of the object, whose methods it may call.

    >>> class Down:
    ...     n = 2
    ...     def __next__(self):
    ...         if self.n == 0:
    ...             raise StopIteration
    ...         self.n -= 1
    ...         return self.n
    >>> step, down = step_of(Down.__next__), Down()
    >>> step(down), step(down), step(down)
    ((True, 1), (True, 0), (False, None))
    """

    def change(node: gast.FunctionDef) -> dict[str, object] | None:
        inside = [n for s in node.body for n in gast.walk(s)]
        scopes = (gast.FunctionDef, gast.Lambda, gast.ClassDef, gast.AsyncFunctionDef, gast.Try)
        if any(isinstance(n, (*scopes, gast.Yield, gast.YieldFrom)) for n in inside):
            return None
        source = get_source(method)
        if any(_may_end(n, source, cls) for n in inside if isinstance(n, gast.Call)):
            return None
        ends = 0
        for n in [node, *inside]:
            for field in ("body", "orelse", "finalbody"):
                block = getattr(n, field, None)
                if isinstance(block, list):
                    ends += sum(map(_ends, block))
                    setattr(n, field, [_with_answer(s) for s in block])
        if not isinstance(node.body[-1], gast.Return):
            node.body.append(_answer(True, gast.Constant(None, None), node))
        left = (n for s in node.body for n in gast.walk(s) if isinstance(n, gast.Name))
        return {} if ends and all(n.id != "StopIteration" for n in left) else None

    return _variant(method, ("step", cls), change, None, means={"StopIteration": StopIteration})


def _may_end(node: gast.Call, source: SourceFunction, cls: type | None) -> bool:
    """Whether a call may raise `StopIteration` itself, as that of another iterator does."""
    match node.func:
        case gast.Name(id="next") | gast.Attribute(attr="__next__" | "send" | "throw"):
            return True
        case gast.Name(id=name):
            return _stops(source.resolve(name), None)
        case gast.Attribute(value=gast.Name(id=name), attr=attr):
            first = [*source.node.args.posonlyargs, *source.node.args.args][:1]
            if cls is not None and [p.id for p in first] == [name]:
                return _stops(inspect.getattr_static(cls, attr, None), cls)
            meant = source.resolve(name)
            known = isinstance(meant, types.ModuleType)
            return known and _stops(getattr(meant, attr, None), None)
        case _:
            return False


def _stops(fn: object, cls: type | None) -> bool:
    """Whether a function, or one that it calls by name, or another method of the class, asks an
    iterator or raises the error of one at its end."""
    waiting, seen = [fn], set[str]()
    while waiting:
        fn = waiting.pop()
        inner = fn.__func__ if isinstance(fn, staticmethod | classmethod) else fn
        names = {n for f in reached(inner) for code in codes(f.__code__) for n in code.co_names}
        if names & _STOPPING:
            return True
        if cls is not None:
            waiting += (inspect.getattr_static(cls, n, None) for n in names - seen)
        seen |= names
    return False


def _ends(s: gast.stmt) -> bool:
    """Whether a statement is `raise StopIteration`, whatever it says of why."""
    match s:
        case gast.Raise(exc=gast.Name(id="StopIteration"), cause=cause):
            said: list[gast.expr] = []
        case gast.Raise(
            exc=gast.Call(func=gast.Name(id="StopIteration"), args=said, keywords=[]), cause=cause
        ):
            pass
        case _:
            return False
    without = cause is None or (isinstance(cause, gast.Constant) and cause.value is None)
    return without and all(isinstance(a, gast.Constant) for a in said)


def _with_answer(s: gast.stmt) -> gast.stmt:
    if _ends(s):
        return _answer(False, gast.Constant(None, None), s)
    if isinstance(s, gast.Return):
        return _answer(True, s.value or gast.Constant(None, None), s)
    return s


def _answer(more: bool, value: gast.expr, like: gast.AST) -> gast.stmt:
    """`return more, value`."""
    made = gast.Return(gast.Tuple([gast.Constant(more, None), value], gast.Load()))
    for n in gast.walk(made):
        if isinstance(n, gast.expr | gast.stmt) and not hasattr(n, "lineno"):
            gast.copy_location(n, like)
    return made


def goes_by_itself(cls: type) -> bool:
    """Whether objects of a class are their own iterators: `__iter__` returns `self`.

    >>> class Down:
    ...     def __iter__(self): return self
    >>> goes_by_itself(Down)
    True
    """
    method = inspect.getattr_static(cls, "__iter__", None)
    if not isinstance(method, types.FunctionType):
        return False
    try:
        node = get_source(method).node
    except CompileError:
        return False
    if not isinstance(node, gast.FunctionDef):
        return False
    match _statements(node), node.args.args:
        case [gast.Return(value=gast.Name(id=name))], [gast.Name(id=own)]:
            return name == own
        case _:
            return False


def _statements(node: gast.FunctionDef) -> list[gast.stmt]:
    """The body without its docstring."""
    first, *rest = node.body
    told = isinstance(first, gast.Expr) and isinstance(first.value, gast.Constant)
    return rest if told else node.body


def _handed_on(body: list[gast.stmt]) -> gast.expr | None:
    """What a generator goes through without doing anything else."""
    match body:
        case [gast.Expr(value=gast.YieldFrom(value=value))]:
            return value
        case [
            gast.For(
                target=gast.Name(id=name),
                iter=value,
                body=[gast.Expr(value=gast.Yield(value=gast.Name(id=item)))],
                orelse=[],
            )
        ] if name == item:
            return value
        case _:
            return None


def _collected(node: gast.FunctionDef, name: str) -> None:
    """Puts what is yielded into a list, in place, which is returned."""

    def variable(ctx: gast.expr_context) -> gast.Name:
        return gast.Name(name, ctx, None, None)

    for n in gast.walk(node):
        match n:
            case gast.Expr(value=gast.Yield(value=gast.expr() as value)):
                method = _placed(gast.Attribute(variable(gast.Load()), "append", gast.Load()), n)
                n.value = _placed(gast.Call(method, [value], []), n)
            case gast.Return():
                n.value = variable(gast.Load())
            case _:
                pass
    made = gast.Assign([variable(gast.Store())], gast.List([], gast.Load()), None)
    node.body = [made, *_statements(node), gast.Return(variable(gast.Load()))]
    for part in node.body[0], node.body[-1]:
        for n in gast.walk(part):
            gast.copy_location(n, node)
    for n in gast.walk(node):
        if isinstance(n, gast.expr | gast.stmt) and not hasattr(n, "lineno"):
            gast.copy_location(n, node)


def _placed(made: Any, like: gast.AST) -> Any:
    """A tree placed like another one."""
    gast.copy_location(made, like)
    return made


def implemented(method: object) -> object:
    """An operator that raises an error where it would leave the work to another method."""
    code = getattr(method, "__code__", None)
    if "NotImplemented" not in getattr(code, "co_names", ()):
        return method
    name = str(getattr(method, "__qualname__", ""))

    def refuse() -> DerivativeError:
        return DerivativeError(
            f"`{name}` returns NotImplemented: the method that Python calls then is not followed",
            code="AD601",
        )

    def change(node: gast.FunctionDef) -> dict[str, object] | None:
        for n in gast.walk(node):
            for field in ("body", "orelse", "finalbody"):
                block = getattr(n, field, None)
                if isinstance(block, list):
                    setattr(n, field, [_raised(s, "not_followed") for s in block])
        rest = (n for n in gast.walk(node) if isinstance(n, gast.Name))
        return None if any(n.id == "NotImplemented" for n in rest) else {"not_followed": refuse}

    return _variant(method, ("implemented",), change, None) or method


def _raised(s: gast.stmt, name: str) -> gast.stmt:
    """`raise name()` for `return NotImplemented`."""
    match s:
        case gast.Return(value=gast.Name(id="NotImplemented")):
            error = gast.Call(gast.Name(name, gast.Load(), None, None), [], [])
            made = gast.Raise(error, None)
            for n in (made, error, error.func):
                gast.copy_location(n, s)
            return made
        case _:
            return s


def _variant(
    fn: object,
    key: tuple[object, ...],
    change: Callable[[gast.FunctionDef], dict[str, object] | None],
    qualname: str | None,
    means: Mapping[str, object] = types.MappingProxyType({}),
) -> types.FunctionType | None:
    """`fn` with a changed tree in which the names that `change` returns are captured; the same one
    each time. None where there is no source, or one of the names is assigned."""
    if not isinstance(fn, types.FunctionType):
        return None
    at = (fn, *key)
    if at not in _FOUND:
        try:
            _FOUND[at] = _made(get_source(fn), change, qualname, means)
        except CompileError:
            _FOUND[at] = None
    return _FOUND[at]


def _made(
    source: SourceFunction,
    change: Callable[[gast.FunctionDef], dict[str, object] | None],
    qualname: str | None,
    means: Mapping[str, object],
) -> types.FunctionType | None:
    if not isinstance(source.node, gast.FunctionDef):
        return None
    if any(source.resolve(name) is not value for name, value in means.items()):
        return None
    node = copy.deepcopy(source.node)
    values = change(node)
    if values is None:
        return None
    for n in gast.walk(node):
        if isinstance(n, gast.Name) and n.id in values and not isinstance(n.ctx, gast.Load):
            return None
        if isinstance(n, gast.Name) and n.id == "super":
            return None
    made = made_functions(source, node, [], values)
    if not node.args.defaults:
        made.fn.__defaults__ = None
    made.fn.__qualname__ = qualname or source.fn.__qualname__
    made.fn.__module__ = source.fn.__module__
    made.fn.__dict__[MADE] = replace(
        made, qualname=made.fn.__qualname__, signature=inspect.signature(made.fn), is_method=False
    )
    return made.fn
