"""The body of a callee in place of a call.

    step(u[1:-1], u[:-2])             v = u[1:-1]; w = u[:-2]
                              =>      v += w * w                 (the body of `step`)

Its variables get names that are free in the caller. What is evaluated, and in which order, stays.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import gast

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import (
    binds_of,
    map_blocks,
    map_exprs,
    operands,
    rebuild,
    rename_stmt,
    statements,
    walk,
    without_origins,
)
from adtrans.source import MISSING, SourceFunction

# In trees that are kept as they were written: names in them are more than `gast.Name`.
_OPAQUE = (
    gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda, gast.Import,
    gast.ImportFrom, gast.MatchAs, gast.MatchStar, gast.MatchMapping, gast.Global, gast.Nonlocal,
)  # fmt: skip
_LOOKING = frozenset({"locals", "vars", "eval", "exec", "dir", "super"})
_LARGE = 500  # statements


@dataclass(frozen=True)
class Callee:
    """A function that may stand where it is called: all of its variables are bound before they are
    used."""

    source: SourceFunction
    fn: S.Function


def inlined(fn: S.Function, home: SourceFunction, calls: Mapping[int, Callee]) -> S.Function:
    """`fn` with those of the `calls` (by site) written out that can be; itself if none can."""
    names = NameAllocator(fn.reserved | _variables(fn))
    number = max((s.site for s in statements(fn.body)), default=0)
    origins: set[int] = set()
    more: list[Callee] = []
    shown: dict[str, str] = {}
    written: set[str] = set()

    def site() -> int:
        nonlocal number
        number += 1
        return number

    def block(b: S.Block) -> S.Block:
        return tuple(r for s in b for r in one(s))

    def one(s: S.Stmt) -> Iterator[S.Stmt]:
        callee = calls.get(s.site)
        if callee is None or not isinstance(s, S.Invoke):
            yield map_blocks(s, block)
            return
        given = _given(s, callee.fn)
        if given is None or not _can_stand(callee, fn, home):
            yield s
            return
        own = _variables(callee.fn)
        names.reserve(callee.fn.reserved - own)
        to = {v: names.fresh(v) for v in sorted(own)}
        known = callee.fn.shown
        other = {v: n for v, n in to.items() if n != v or v in known}
        shown.update((n, known.get(v, callee.fn.source_name(v))) for v, n in other.items())
        written.update(n for v, n in to.items() if v in callee.fn.reserved)
        origins.add(s.origin)
        more.append(callee)
        for p, a in given.items():
            yield _bound(to[p], a, {"site": site(), "span": s.span, "origin": 0})
        *body, last = callee.fn.body
        assert isinstance(last, S.Return)
        yield from _written_out(tuple(body), to, callee.fn, site)
        if s.target is not None:
            last = _renamed(last, to, callee.fn)
            assert isinstance(last, S.Return)
            place: S.Place = {"site": site(), "span": s.span, "origin": 0}
            if last.is_tuple:
                yield S.Pack(s.target, "tuple", last.values, **place)
            else:
                yield _bound(s.target, last.values[0], place)

    body = block(fn.body)
    if not more:
        return fn
    return replace(
        fn,
        body=without_origins(body, origins),
        reserved=fn.reserved.union(written, *(c.fn.reserved for c in more)),
        shown={**fn.shown, **shown},
        inlined=(*fn.inlined, *(s for c in more for s in (c.source, *c.fn.inlined))),
    )


def _bound(target: str, value: E.Atom, place: S.Place) -> S.Stmt:
    if isinstance(value, E.Name):
        return S.Alias(target, value.id, **place)
    return S.Bind(target, value, **place)


def _given(s: S.Invoke, callee: S.Function) -> dict[str, E.Atom] | None:
    """What each parameter is given; None where that cannot be told."""
    positional = [p for p in callee.params if p.form in ("positional", "standard")]
    if any(p.form in ("varargs", "varkw") for p in callee.params):
        return None
    given: dict[str, E.Atom] = {p.name: a for p, a in zip(positional, s.args, strict=False)}
    keywords = {p.name for p in callee.params if p.form in ("standard", "keyword")}
    if len(s.args) > len(positional):
        return None
    for k, a in s.kwargs:
        if k not in keywords or k in given:
            return None
        given[k] = a
    for p in callee.params:
        if p.name not in given:
            if p.default is None:
                return None
            given[p.name] = p.default
    return given


def _variables(fn: S.Function) -> set[str]:
    bound = {v for s in statements(fn.body) for v in binds_of(s)}
    return bound | {p.name for p in fn.params}


def _can_stand(callee: Callee, fn: S.Function, home: SourceFunction) -> bool:
    """Whether the names in a callee mean the same in `fn`, and all of it can be renamed."""
    inner, source = callee.fn, callee.source
    if source.is_method or source.bound_args or source.bound_kwargs:
        return False
    if sum(1 for _ in statements(inner.body)) + sum(1 for _ in statements(fn.body)) > _LARGE:
        return False
    nodes = [n for s in statements(inner.body) for n in _trees(s)]
    if any(isinstance(n, _OPAQUE) for node in nodes for n in gast.walk(node)):
        return False
    free = {n.id for node in nodes for n in gast.walk(node) if isinstance(n, gast.Name)}
    free -= _variables(inner)
    for s in statements(inner.body):
        free |= {e.root for top in operands(s) for e in walk(top) if isinstance(e, E.Ref)}
    if free & (_LOOKING | _variables(fn)):
        return False
    for name in free:
        mine, other = home.resolve(name), source.resolve(name)
        if mine is not MISSING and mine is not other:
            return False
    return True


def _trees(s: S.Stmt) -> Iterator[gast.AST]:
    """The syntax trees that a statement holds as the user wrote them."""
    held = [s.node] if isinstance(s, S.Keep) else []
    held += [e.node for top in operands(s) for e in walk(top) if isinstance(e, E.Verbatim)]
    yield from (n for n in held if isinstance(n, gast.AST))


def _written_out(
    body: S.Block, to: Mapping[str, str], fn: S.Function, site: Callable[[], int]
) -> S.Block:
    def block(b: S.Block) -> S.Block:
        made = []
        for s in b:
            own = site()
            inner = _renamed(map_blocks(s, block), to, fn)
            made.append(replace(inner, site=own, origin=0))
        return tuple(made)

    return block(body)


def _renamed(s: S.Stmt, to: Mapping[str, str], fn: S.Function) -> S.Stmt:
    """A statement of `fn` with other variables, also in what it holds as the user wrote it: there,
    one name stands for several variables, of which the statement tells those that it means."""

    def meant(variables: Iterable[str]) -> Mapping[str, str]:
        return {**to, **{fn.source_name(v): to[v] for v in variables if v in to}}

    def visit(e: E.Expr) -> E.Expr:
        if isinstance(e, E.Verbatim) and isinstance(e.node, gast.AST):
            node = _tree(e.node, meant(e.reads))
            return replace(e, node=node, text=gast.unparse(node).strip())
        return rebuild(e, visit)

    made = rename_stmt(map_exprs(s, visit), to, to)
    if isinstance(s, S.Keep) and isinstance(made, S.Keep) and isinstance(s.node, gast.AST):
        node = _tree(s.node, meant((*s.reads, *s.binds)))
        made = replace(made, node=node, text=gast.unparse(node).strip())
    return made


def _tree(node: gast.AST, to: Mapping[str, str]) -> gast.AST:
    made = copy.deepcopy(node)
    for n in gast.walk(made):
        if isinstance(n, gast.Name) and n.id in to:
            n.id = to[n.id]
    return made
