"""Calls of one of several functions, told apart by identity.

f = sin if c else cos       ->  f = sin if c else cos
y = f(x)                        if f is sin: y = sin(x)
                                else:        y = cos(x)

Each variable that only ever means functions which are written out is followed; so is a function
that is handed on to another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, blocks_of, map_blocks, statements
from adtrans.rules import lookup

MOST = 8  # functions that one variable may mean


def told_apart(fn: S.Function) -> S.Function:
    """`fn` with a call for each function that a variable may mean."""
    found = {v: refs for v, refs in meanings(fn).items() if 1 <= len(refs) <= MOST}
    if not found:
        return fn
    number = max(s.site for s in statements(fn.body))
    changed = False

    def fresh() -> int:
        nonlocal number
        number += 1
        return number

    def block(body: S.Block, bound: frozenset[str]) -> S.Block:
        """A block; `bound`: the variables that have a value there for certain."""
        out: list[S.Stmt] = []
        for s in body:
            out += one(s, bound)
            if not [*blocks_of(s)]:
                bound |= found.keys() & {*binds_of(s)}
        return tuple(out)

    def one(s: S.Stmt, bound: frozenset[str]) -> Iterator[S.Stmt]:
        nonlocal changed
        if isinstance(s, S.Invoke):
            told = (v for v in _functions(s) if len(found.get(v, ())) > (v not in bound))
            chosen = next(told, None)
            if chosen is not None:
                changed = True
                yield from dispatched(s, chosen, list(found[chosen].values()), bound)
                return
        yield map_blocks(s, lambda inner: block(inner, bound))

    def dispatched(
        s: S.Invoke, var: str, refs: list[E.Ref], bound: frozenset[str]
    ) -> Iterator[S.Stmt]:
        (first, *others) = refs
        then = tuple(one(_with(s, var, first, fresh()), bound))
        if not others:
            yield from then
            return
        test = E.Compare(E.Name(var), ("is",), (first,))
        orelse = tuple(dispatched(s, var, others, bound))
        yield S.If(test, then, orelse, site=fresh(), span=s.span)

    body = block(fn.body, frozenset())
    return replace(fn, body=body) if changed else fn


def meanings(fn: S.Function) -> dict[str, dict[int, E.Ref]]:
    """The functions that each variable may mean; nothing for one that may be something else."""
    found: dict[str, dict[int, E.Ref]] = {}
    other = {p.name for p in fn.params}
    links: list[tuple[str, str]] = []
    for s in statements(fn.body):
        match s:
            case S.Bind(target=target, value=value) if (refs := _refs(value)) is not None:
                found.setdefault(target, {}).update({id(r.value): r for r in refs})
            case S.Alias(target=target, source=source):
                links.append((target, source))
            case _:
                other.update(binds_of(s))
    changed = True
    while changed:
        changed = False
        for target, source in links:
            before = (len(found.get(target, ())), target in other)
            found.setdefault(target, {}).update(found.get(source, {}))
            if source in other or source not in found:
                other.add(target)
            changed |= before != (len(found[target]), target in other)
    return {v: refs for v, refs in found.items() if v not in other}


def _refs(value: E.Expr) -> list[E.Ref] | None:
    """The functions that an expression may be."""
    match value:
        case E.Ref(value=fn) if callable(fn):
            return [value]
        case E.IfExp(then=then, orelse=orelse):
            a, b = _refs(then), _refs(orelse)
            return None if a is None or b is None else [*a, *b]
        case _:
            return None


def _functions(s: S.Invoke) -> Iterator[str]:
    """The variables that a call may call or hand on."""
    for e in (s.fn, *s.args, *(v for _, v in s.kwargs)):
        if isinstance(e, E.Name):
            yield e.id


def _with(s: S.Invoke, var: str, ref: E.Ref, site: int) -> S.Stmt:
    """The call with a function in place of the variable."""
    to: Mapping[E.Expr, E.Atom] = {E.Name(var): ref}
    args = tuple(to.get(a, a) for a in s.args)
    kwargs = tuple((k, to.get(v, v)) for k, v in s.kwargs)
    fn = to.get(s.fn, s.fn)
    if isinstance(fn, E.Ref) and lookup(fn.value) is not None and s.target is not None:
        call = E.Call(fn, args, kwargs)
        return S.Bind(s.target, call, site=site, span=s.span)
    return S.Invoke(s.target, fn, args, kwargs, site=site, span=s.span)
