"""What may stand where in the small language: the one place that says so.

>>> from adtrans.diagnostics.span import Span
>>> here = Span("f.py", 2, 4, 2, 9)
>>> fn = S.Function("f", (), (S.Return((E.Name("x"),), site=1, span=here),), here)
>>> violations(fn)
[Violation(site=1, text='`x` is read but never bound')]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from adtrans.diagnostics.diagnostic import Diagnostic
from adtrans.diagnostics.errors import InternalError
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, blocks_of, iter_exprs, reads_of, statements


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule of the language that the statement at `site` breaks."""

    site: int
    text: str


def verify(fn: S.Function) -> None:
    """Does nothing when `fn` is legal.

    Raises:
        InternalError: AD901 with all violations, each at its place.
    """
    found = violations(fn)
    if not found:
        return
    places = {s.site: s.span for s in statements(fn.body)}
    raise InternalError(
        Diagnostic(
            "AD901",
            f"illegal intermediate code in `{fn.name}` at site {v.site}: {v.text}",
            places.get(v.site, fn.span),
        )
        for v in found
    )


def violations(fn: S.Function) -> list[Violation]:
    """Everything that is wrong with `fn`."""
    return [
        *_sites(fn),
        *_exits(fn),
        *_names(fn),
        *_origins(fn),
        *(v for s in statements(fn.body) for v in _shape(s)),
    ]


def _sites(fn: S.Function) -> Iterator[Violation]:
    seen: set[int] = set()
    for s in statements(fn.body):
        if s.site in seen:
            yield Violation(s.site, "the site is not unique")
        seen.add(s.site)


# Exits


def _exits(fn: S.Function) -> Iterator[Violation]:
    if not fn.body or not isinstance(fn.body[-1], S.Return):
        yield Violation(fn.body[-1].site if fn.body else 0, "the last statement is no `return`")
    for s in statements(fn.body):
        if isinstance(s, S.Return) and s is not fn.body[-1]:
            yield Violation(s.site, "a `return` that is not the last statement")
    yield from _tails(fn.body, loop=False, tail=False)


def _tails(block: S.Block, loop: bool, tail: bool) -> Iterator[Violation]:
    """`break` and `continue` end a path through a loop's body; `raise` ends its block."""
    for k, s in enumerate(block):
        last = k == len(block) - 1
        match s:
            case S.Break() | S.Continue():
                if not (loop and tail and last):
                    word = type(s).__name__.lower()
                    yield Violation(s.site, f"a `{word}` that does not end a path through a loop")
            case S.Keep(form="raise"):
                if not last and not isinstance(block[k + 1], S.Return):
                    yield Violation(s.site, "a `raise` with something after it")
            case S.For():
                yield from _tails(s.body, loop=True, tail=True)
            case S.While():
                yield from _tails(s.head, loop=False, tail=False)
                yield from _tails(s.body, loop=True, tail=True)
            case S.Onward() if not last:
                yield Violation(s.site, "a step with something behind it")
            case S.Try():
                for inner in blocks_of(s):
                    yield from _tails(inner, loop, tail=False)
            case _:
                for inner in blocks_of(s):
                    yield from _tails(inner, loop, tail and last)


# Names


def _names(fn: S.Function) -> Iterator[Violation]:
    bound = {p.name for p in fn.params}
    for s in statements(fn.body):
        bound.update(binds_of(s))
    for s in statements(fn.body):
        for name in sorted(reads_of(s) - bound):
            if not isinstance(s, S.Keep):  # what is kept may read what it binds, or nothing at all
                yield Violation(s.site, f"`{name}` is read but never bound")


# Origins


def _origins(fn: S.Function) -> Iterator[Violation]:
    seen: set[int] = set()

    def block(inner: S.Block, inside: int) -> Iterator[Violation]:
        current = inside
        for s in inner:
            if fn.origins and s.origin and s.origin not in fn.origins:
                yield Violation(s.site, f"origin {s.origin} is no statement of the user's")
            if inside and s.origin != inside:
                yield Violation(s.site, f"stands inside origin {inside}")
            if s.origin and s.origin != current:
                if s.origin in seen:
                    yield Violation(s.site, f"origin {s.origin} is not contiguous")
                seen.add(s.origin)
            current = s.origin
            for b in blocks_of(s):
                yield from block(b, s.origin)

    yield from block(fn.body, 0)


# Flatness


def is_index(e: E.Expr) -> bool:
    """Whether `e` may be an item of a subscript or a bound of a range."""
    match e:
        case E.Name() | E.Const() | E.Ref():
            return True
        case E.Slice():
            return all(p is None or is_index(p) for p in (e.lower, e.upper, e.step))
        case E.Unary():
            return e.op in ("-", "+") and is_index(e.operand)
        case E.Binary():
            return is_index(e.left) and is_index(e.right)
        case _:
            return is_size(e)


def is_size(e: E.Expr) -> bool:
    """Whether `e` is `len(x)`, `x.size`, `x.ndim`, `x.shape` or `x.shape[k]`."""
    match e:
        case E.Call():
            named = isinstance(e.fn, E.Ref) and e.fn.text == "len"
            return named and len(e.args) == 1 and E.is_atom(e.args[0]) and not e.kwargs
        case E.Attribute():
            return e.attr in ("shape", "size", "ndim") and E.is_atom(e.base)
        case E.Index():
            return is_size(e.base) and all(isinstance(i, E.Const) for i in e.items)
        case _:
            return False


def is_test(e: E.Expr) -> bool:
    """Whether `e` may be a condition: comparisons, connectives and arithmetic of atoms."""
    nested = E.Compare | E.BoolOp | E.Unary | E.Binary
    return E.is_atom(e) or (isinstance(e, nested) and all(is_test(c) for c in E.children(e)))


def is_primitive(e: E.Expr) -> bool:
    """Whether `e` is one operation on atoms (sizes may stand for atoms)."""

    def simple(part: E.Expr) -> bool:
        return E.is_atom(part) or is_size(part)

    def argument(part: E.Expr) -> bool:
        if isinstance(part, E.Sequence):
            return all(argument(i) for i in part.items)
        return simple(part.value if isinstance(part, E.Star) else part)

    match e:
        case E.Name() | E.Const() | E.Ref() | E.Verbatim():
            return True
        case E.Unary() | E.Binary() | E.Compare():
            return all(simple(c) for c in E.children(e))
        case E.Attribute():
            return simple(e.base)
        case E.Call():
            fn = e.fn.base if isinstance(e.fn, E.Attribute) else e.fn
            values = (*e.args, *(v for _, v in e.kwargs))
            return simple(fn) and all(argument(v) for v in values)
        case _:
            return is_index(e)


def _shape(s: S.Stmt) -> Iterator[Violation]:
    def atoms(*parts: E.Expr) -> Iterator[Violation]:
        for p in parts:
            if not E.is_atom(p):
                yield Violation(s.site, f"`{p}` is not an atom")

    def indices(parts: tuple[E.Expr, ...]) -> Iterator[Violation]:
        for p in parts:
            if not is_index(p):
                yield Violation(s.site, f"`{p}` is too much for a subscript or a range")

    match s:
        case S.Bind():
            if not is_primitive(s.value):
                yield Violation(s.site, f"`{s.value}` is more than one operation")
            if isinstance(s.value, E.Name):
                yield Violation(s.site, "a variable bound to a variable is an alias")
        case S.Load():
            yield from indices(s.items)
        case S.Store():
            yield from indices(s.items)
            yield from atoms(s.value)
        case S.SetAttr():
            yield from atoms(s.base, s.value)
        case S.Update():
            yield from indices(s.items or ())
            yield from atoms(s.value)
        case S.Pack():
            yield from atoms(*s.items)
        case S.Edit():
            yield from atoms(*s.args)
        case S.Invoke():
            yield from atoms(*s.args, *(v for _, v in s.kwargs))
        case S.If() | S.While():
            if not is_test(s.test):
                yield Violation(s.site, f"`{s.test}` is too much for a test")
        case S.For():
            yield from indices(tuple(iter_exprs(s.iter)))
        case S.Return():
            yield from atoms(*s.values)
            if len(s.values) != 1 and not s.is_tuple:
                yield Violation(s.site, "several results that are no tuple")
        case _:
            return
