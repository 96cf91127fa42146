"""Lowers the plain statements that a writing primitive stands for: `dst[...] = src`.

>>> from adtrans.diagnostics.span import Span
>>> from adtrans.ir.expr import Name
>>> s = S.Bind("t", Name("call"), site=1, span=Span("f.py", 1, 0, 1, 1))
>>> bound = {"dst": Name("u"), "src": Name("v")}
>>> store, result = instantiate("dst[...] = src", bound, None, s, NameAllocator())
>>> store.base, store.value
('u', Name(id='v'))
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import substitute
from adtrans.rules.formula import parse


def instantiate(
    source: str, bound: Mapping[str, E.Expr], result: str | None, s: S.Bind, names: NameAllocator
) -> S.Block:
    """The flat statements of `source` with the formal parameters bound; the target of `s` gets
    what the call returns."""
    work = _Work(s, names)
    local = dict(bound)
    _written_out(ast.parse(source).body, local, frozenset(bound), work)
    returned = local.get(result, E.NONE) if result is not None else E.NONE
    if isinstance(returned, E.Name):
        work.out.append(S.Alias(s.target, returned.id, **work.where))
    else:
        work.out.append(S.Bind(s.target, E.NONE, **work.where))
    return tuple(work.out)


def _written_out(
    lines: list[ast.stmt], local: dict[str, E.Expr], formals: frozenset[str], work: _Work
) -> None:
    """Assignments, and loops of them over what a name stands for."""
    for line in lines:
        if isinstance(line, ast.For):
            assert isinstance(line.target, ast.Name)
            over = parse(ast.unparse(line.iter), formals | frozenset(local))
            source = work.name(substitute(over, local))
            item = work.names.fresh(line.target.id)
            before, work.out = work.out, []
            inside = {**local, line.target.id: E.Name(item)}
            _written_out(line.body, inside, formals, work)
            body, work.out = tuple(work.out), before
            work.out.append(S.For(item, S.Elements(source.id), body, **work.where))
            continue
        assert isinstance(line, ast.Assign)
        (target,) = line.targets
        value = parse(ast.unparse(line.value), formals | frozenset(local))
        if isinstance(target, ast.Name):
            local[target.id] = work.held(substitute(value, local), target.id)
            continue
        place = parse(ast.unparse(target), formals | frozenset(local))
        assert isinstance(place, E.Index)
        v = work.atom(substitute(value, local))
        base = work.name(substitute(place.base, local))
        items = tuple(work.item(substitute(i, local)) for i in place.items)
        work.out.append(S.Store(base.id, items, v, **work.where))


class _Work:
    def __init__(self, s: S.Bind, names: NameAllocator) -> None:
        self.names = names
        self.out: list[S.Stmt] = []
        self.where: S.Place = S.place(s, s.site)

    def atom(self, e: E.Expr, hint: str = "t") -> E.Atom:
        """`e` as an atom; what it takes is bound to temporaries."""
        if isinstance(e, E.Name | E.Const | E.Ref):
            return e
        name = self.names.fresh(hint)
        where = self.where
        if isinstance(e, E.Index):
            base = self.name(e.base)
            items = tuple(self.item(i) for i in e.items)
            self.out.append(S.Load(name, base.id, items, **where))
        else:
            self.out.append(S.Bind(name, self.flat(e), **where))
        return E.Name(name)

    def held(self, e: E.Expr, hint: str = "t") -> E.Atom:
        """`e` as an atom, also a display."""
        if not isinstance(e, E.Sequence):
            return self.atom(e, hint)
        name = self.names.fresh(hint)
        items = tuple(self.atom(i) for i in e.items)
        self.out.append(S.Pack(name, e.kind, items, **self.where))
        return E.Name(name)

    def name(self, e: E.Expr) -> E.Name:
        """`e` as a variable, also a global."""
        atom = self.held(e)
        if isinstance(atom, E.Name):
            return atom
        made = self.names.fresh("t")
        self.out.append(S.Bind(made, atom, **self.where))
        return E.Name(made)

    def flat(self, e: E.Expr) -> E.Expr:
        """`e` with atoms as its operands."""
        match e:
            case E.Call():
                fn = e.fn
                if isinstance(fn, E.Attribute):
                    fn = replace(fn, base=self.atom(fn.base))
                kwargs = tuple((k, self.item(v)) for k, v in e.kwargs)
                return E.Call(fn, tuple(self.item(a) for a in _displayed(e.args)), kwargs)
            case E.Binary():
                return E.Binary(e.op, self.atom(e.left), self.atom(e.right))
            case E.Unary():
                return E.Unary(e.op, self.atom(e.operand))
            case E.Attribute():
                return E.Attribute(self.atom(e.base), e.attr)
            case _:
                return e

    def item(self, e: E.Expr) -> E.Expr:
        """An argument or index item: displays and slices stay, the rest becomes an atom."""
        match e:
            case E.Sequence():
                return E.Sequence(e.kind, tuple(self.item(i) for i in e.items))
            case E.Slice():
                parts = (None if p is None else self.atom(p) for p in (e.lower, e.upper, e.step))
                return E.Slice(*parts)
            case E.Star():
                return E.Star(self.atom(e.value))
            case _:
                return self.atom(e)


def _displayed(args: Iterable[E.Expr]) -> Iterator[E.Expr]:
    """Arguments with the items of `*(a, b)` in its place."""
    for a in args:
        if isinstance(a, E.Star) and isinstance(a.value, E.Sequence):
            yield from a.value.items
        else:
            yield a
