"""What is said where a function as a whole, and no single statement of it, stands in the way."""

from __future__ import annotations

import linecache
from types import FunctionType

from adtrans import runtime
from adtrans.analyses.objects.outside import Attribute
from adtrans.analyses.objects.part_paths import joined, steps
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import CompileError
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    DictOf,
    Instance,
    Kind,
    ListOf,
    TupleOf,
    Unknown,
    is_differentiable,
)
from adtrans.ir.walk import operands, statements, walk
from adtrans.source import SourceFunction, is_generated
from adtrans.source.global_names import Global
from adtrans.tree import is_class_of_objects


class NoSecond(Exception):
    """Raised with a diagnostic at once, instead of a long analysis that would end in an error."""


def placed(error: CompileError, fn: FunctionType, where: Span) -> CompileError:
    """`error` with what stands in the way in code of ours, which nobody has written and nobody can
    change, as one error at `fn`, the function whose derivative is differentiated; `where` it has no
    source of its own either."""
    inside = [d for d in error.diagnostics if _is_ours(d.primary.span.file)]
    if not inside or any(d.code == "AD901" for d in inside):
        return error
    first, code = inside[0], fn.__code__
    at = Span(code.co_filename, code.co_firstlineno, 0, code.co_firstlineno, 0)
    line = linecache.getline(first.primary.span.file, first.primary.span.line).strip()
    told = Diagnostic(
        first.code,
        f"this derivative of `{fn.__name__}` cannot be differentiated again",
        where if is_generated(at.file) else at,
        why=f"{first.title}: in the code of the derivative, `{line}`",
    )
    found = CompileError([told, *(d for d in error.diagnostics if d not in inside)])
    found.report = error.report
    return found


def _is_ours(file: str) -> bool:
    return is_generated(file) or file.startswith(_PACKAGE)


_PACKAGE = runtime.__file__.removesuffix("runtime/__init__.py")


def unsettled(source: SourceFunction) -> Diagnostic:
    return Diagnostic(
        "AD201",
        f"what the recursion `{source.name}` does to its arguments cannot be told",
        source.span(source.node),
        why="what one call does depends on what the next one does, and that comes to no end",
        fixes=[Fix("say more about the kinds of its arguments, or write it as a loop")],
    )


def without_second(fn: S.Function) -> Diagnostic | None:
    """Why generated code has no derivative, as far as its text alone tells."""
    for s in statements(fn.body):
        found = [sub.value for own in operands(s) for sub in walk(own) if isinstance(sub, E.Ref)]
        if any(f is n for f in found for n in (runtime.address_of, runtime.AdjointMemory)):
            return Diagnostic(
                "AD201",
                "there is no second derivative where a name may mean one of several arrays",
                s.span,
                why="the first one finds adjoints by the addresses of arrays",
                fixes=[Fix("write under one name in each branch, or into a copy")],
            )
        if any(f is runtime.zeros_beside for f in found):
            return Diagnostic(
                "AD201",
                "there is no second derivative where values without one share memory at first",
                s.span,
                why="the first one finds their tangents by the addresses of lists and arrays",
                fixes=[Fix("make a list or an array in the function that puts values into it")],
            )
    return None


def global_object(source: SourceFunction) -> Diagnostic:
    return Diagnostic(
        "AD207",
        f"`{source.name}` writes attributes of a global object",
        source.span(source.node),
        why="it is not called by its name here, so that what it writes cannot be followed",
        fixes=[Fix("call it directly, or pass the object as an argument")],
    )


def changed_global(g: Global, source: SourceFunction) -> Diagnostic:
    """For a global that the program assigns or writes."""
    return Diagnostic(
        "AD203",
        f"the global `{g.name}` is assigned or written",
        source.span(source.node),
        why=f"`{source.name}`, or what it calls, reads or changes `{g.name}`, which counts as a "
        "constant in compiled code",
        fixes=[Fix(f"pass `{g.name}` as an argument, and return its new value")],
    )


def replaced(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        "AD207",
        f"the method `{name}` of an object is replaced",
        span,
        why="which function a call means is known only where objects keep the methods of their "
        "class",
        fixes=[Fix("keep the function in an attribute that is no method")],
    )


def of_no_class(param: str, source: SourceFunction) -> Diagnostic:
    """For an answer to `isinstance(param, ...)` that what is passed does not confirm."""
    return Diagnostic(
        "AD201",
        f"what `{param}` is cannot be told",
        source.span(source.node),
        why=f"`{source.name}` asks for its class, and what it does next depends on that",
        fixes=[Fix("pass an object that is made in the function, a number or an array")],
    )


def unfinished(source: SourceFunction) -> Diagnostic:
    return Diagnostic(
        "AD201",
        f"there is no second derivative of `{source.name}`",
        source.span(source.node),
        why="what its generated code does could not be analysed to the end",
        fixes=[Fix("write under one name in each branch, or into a copy")],
    )


def is_of_values(kind: Kind) -> bool:
    """Whether a value is a container of numbers and the like, whose parts have no variables."""
    match kind:
        case TupleOf(items=inner):
            return not any(map(_is_object, inner))
        case ListOf(item=item) | DictOf(item=item):
            return not _is_object(item)
        case _:
            return False


def _is_object(kind: Kind) -> bool:
    inside = isinstance(kind, TupleOf | ListOf | DictOf) and not is_of_values(kind)
    return inside or isinstance(kind, Instance | Unknown)


def holds_numbers_in_objects(kind: Kind) -> bool:
    """Whether parts of an argument are attributes of objects, which have gradients of their own."""
    match kind:
        case Instance(followed=True):
            return True
        case TupleOf(items=items):
            return any(map(_has_attributes, items))
        case ListOf(item=item, items=items):
            return any(map(_has_attributes, items or (item,)))
        case DictOf(item=item, fields=fields):
            return any(map(_has_attributes, [k for _, k in fields] or [item]))
        case _:
            return False


def _has_attributes(kind: Kind) -> bool:
    if not isinstance(kind, Instance):
        return holds_numbers_in_objects(kind)
    if not is_class_of_objects(kind.cls):
        return False
    parts = [k for _, k in (*kind.fields, *kind.holders)]
    return any(_has_attributes(k) or _is_number(k) for k in parts)


def _is_number(kind: Kind) -> bool:
    return not isinstance(kind, Instance | Unknown) and is_differentiable(kind)


def not_followed(
    name: str, source: SourceFunction, attributes: tuple[Attribute, ...]
) -> Diagnostic:
    """For a `wrt` that names no variable of the function that is analysed."""
    owner, *path = steps(name)
    if path:
        part = joined(("", *path)).lstrip(".")
        why = f"`{owner}` is a tuple, a list or a dictionary, and its gradient is one, too"
        fix = f'`wrt="{owner}"`, and the item `{part}` of the gradient'
    else:
        parts = ", ".join(f'"{a.path}"' for a in attributes if a.owner == E.Name(owner))
        parts = f"({parts})" if "," in parts else parts
        why = f"attributes of `{owner}` are assigned, and have gradients of their own"
        if not parts:
            why = f"attributes of objects in `{owner}` have gradients of their own"
        fix = f"name those that are meant: `wrt={parts}`"
        if not parts:
            fix = f'name those that are meant, such as `wrt="{owner}[0].a"`'
    title = f"cannot differentiate with respect to `{name}`"
    return Diagnostic("AD402", title, source.span(source.node), why=why, fixes=[Fix(fix)])
