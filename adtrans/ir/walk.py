"""The one recursion scheme over the IR: visit and rebuild expressions, statements and blocks.

>>> from adtrans.ir.expr import Binary, Name
>>> e = Binary("+", Name("a"), Binary("*", Name("b"), Name("a")))
>>> sorted(names_in(e))
['a', 'b']
>>> print(rename(e, {"a": "c"}))
c + b * c
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from operator import is_
from typing import Any, TypeVar

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.expr import Expr
from adtrans.ir.never import assert_never

T = TypeVar("T")
P = TypeVar("P", bound="S.Stmt | S.Iter | S.Handler")

_LEAVES = frozenset({E.Name, E.Const, E.Ref})
# Most statements have no blocks; this is asked all the time.
_PLAIN = frozenset({S.Bind, S.Load, S.Alias, S.Store, S.Update, S.Pack, S.Invoke, S.Keep, S.Return})


def walk(e: Expr) -> Iterator[Expr]:
    """`e` and everything below it, outermost first."""
    found = [e]  # not a generator: this is asked all the time
    if type(e) not in _LEAVES:
        _below(e, found)
    return iter(found)


def _below(e: Expr, found: list[Expr]) -> None:
    for sub in E.children(e):
        found.append(sub)
        if type(sub) not in _LEAVES:
            _below(sub, found)


def names_in(e: Expr) -> set[str]:
    """The variables that evaluating `e` reads."""
    if isinstance(e, E.Name):
        return {e.id}
    found: set[str] = set()
    _names_below(e, found)
    return found


def _names_below(e: Expr, found: set[str]) -> None:
    if isinstance(e, E.Verbatim):
        found.update(e.reads)
    for sub in E.children(e):
        if isinstance(sub, E.Name):
            found.add(sub.id)
        elif type(sub) not in _LEAVES:
            _names_below(sub, found)


def rebuild(e: Expr, f: Callable[[Expr], Expr]) -> Expr:
    """`e` with `f` applied to each direct sub-expression; `e` itself where these stay the same."""
    if isinstance(e, (E.Name, E.Const, E.Ref, E.Verbatim)):
        return e
    before = E.children(e)
    after = tuple([f(sub) for sub in before])
    if all(map(is_, after, before)):
        return e
    match e:
        case E.Call():
            n = 1 + len(e.args)
            kwargs = zip((k for k, _ in e.kwargs), after[n:], strict=True)
            return E.Call(after[0], after[1:n], tuple(kwargs))
        case E.Index():
            return E.Index(after[0], after[1:])
        case E.Slice():
            made = iter(after)
            parts = (None if p is None else next(made) for p in (e.lower, e.upper, e.step))
            return E.Slice(*parts)
        case E.Attribute():
            return E.Attribute(after[0], e.attr)
        case E.Unary():
            return E.Unary(e.op, after[0])
        case E.Binary():
            return E.Binary(e.op, *after)
        case E.Compare():
            return E.Compare(after[0], e.ops, after[1:])
        case E.BoolOp():
            return E.BoolOp(e.op, after)
        case E.IfExp():
            return E.IfExp(*after)
        case E.Sequence():
            return E.Sequence(e.kind, after)
        case E.Star():
            return E.Star(after[0])
        case _:
            assert_never(e)


def substitute(e: Expr, by: Mapping[str, Expr]) -> Expr:
    """`e` with the variables in `by` replaced by expressions (a `Verbatim` is left as it is)."""
    if isinstance(e, E.Name):
        return by.get(e.id, e)
    return rebuild(e, lambda child: substitute(child, by))


def rename(e: Expr, to: Mapping[str, str]) -> Expr:
    """`e` with variables renamed; in a `Verbatim` the read set follows, the text stays."""
    match e:
        case E.Name():
            new = to.get(e.id)
            return e if new is None or new == e.id else E.Name(new)
        case E.Verbatim():
            reads = tuple(to.get(r, r) for r in e.reads)
            return e if reads == e.reads else replace(e, reads=reads)
        case E.Const() | E.Ref():
            return e
        case _:
            return rebuild(e, lambda child: rename(child, to))


def iter_exprs(it: S.Iter) -> Iterator[Expr]:
    """The expressions evaluated once when a loop starts."""
    match it:
        case S.Range():
            yield from (it.start, it.stop, it.step)
        case S.Elements():
            yield E.Name(it.source)
        case S.Enumerate():
            yield from iter_exprs(it.inner)
            yield it.start
        case S.Zip():
            for inner in it.inners:
                yield from iter_exprs(inner)
        case S.Reversed():
            yield from iter_exprs(it.inner)


def iter_map(it: S.Iter, f: Callable[[Expr], Expr]) -> S.Iter:
    """`it` with `f` applied to its expressions; the source of `Elements` must stay a `Name`."""
    match it:
        case S.Range():
            return _but(it, start=f(it.start), stop=f(it.stop), step=f(it.step))
        case S.Elements():
            source = f(E.Name(it.source))
            assert isinstance(source, E.Name)
            return _but(it, source=source.id)
        case S.Enumerate():
            return _but(it, inner=iter_map(it.inner, f), start=f(it.start))
        case S.Zip():
            return _but(it, inners=_same(it.inners, tuple([iter_map(i, f) for i in it.inners])))
        case S.Reversed():
            return _but(it, inner=iter_map(it.inner, f))


def targets_of(target: S.Target) -> Iterator[str]:
    """The variables that a loop target binds."""
    if isinstance(target, str):
        yield target
    else:
        for t in target:
            yield from targets_of(t)


def map_target(target: S.Target, to: Mapping[str, str]) -> S.Target:
    """A loop target with variables renamed."""
    if isinstance(target, str):
        return to.get(target, target)
    return tuple(map_target(t, to) for t in target)


def surely_read(e: Expr) -> frozenset[str]:
    """The variables without which an expression has no value.

    >>> sorted(surely_read(E.BoolOp("and", (E.Name("x"), E.Name("z")))))
    ['x']
    """
    match e:
        case E.BoolOp():
            return surely_read(e.values[0])
        case E.IfExp():
            return surely_read(e.test)
        case E.Compare():
            return surely_read(e.left) | surely_read(e.rights[0])
        case E.Verbatim():
            return frozenset()
        case E.Name() | E.Const() | E.Ref():
            return frozenset(names_in(e))
        case _:
            return frozenset().union(*map(surely_read, E.children(e)))


def operands(s: S.Stmt) -> Iterator[Expr]:
    """The expressions that `s` itself reads (not those of the blocks inside it)."""
    match s:
        case S.Bind():
            yield s.value
        case S.Load():
            yield E.Name(s.base)
            yield from s.items
        case S.Store():
            yield E.Name(s.base)
            yield from s.items
            yield s.value
        case S.Update():
            yield E.Name(s.base)
            yield from s.items or ()
            yield s.value
        case S.SetAttr():
            yield s.base
            yield s.value
        case S.Alias() | S.Unpack():
            yield E.Name(s.source)
        case S.Pack():
            yield from s.items
        case S.Invoke():
            yield s.fn
            yield from s.args
            yield from (v for _, v in s.kwargs)
        case S.Edit():
            yield E.Name(s.base)
            yield from s.args
        case S.Keep():
            yield from (E.Name(r) for r in s.reads)
        case S.If() | S.While():
            yield s.test
        case S.For():
            yield from iter_exprs(s.iter)
        case S.Try():
            yield from (h.type for h in s.handlers if h.type is not None)
        case S.With():
            yield s.context
        case S.Return():
            yield from s.values
        case S.Break() | S.Continue() | S.Onward():
            return
        case _:
            assert_never(s)


def reads_of(s: S.Stmt) -> frozenset[str]:
    """The variables that `s` itself reads."""
    if s.read is not None:  # every analysis asks, and statements do not change
        return s.read
    found: set[str] = set()
    for e in operands(s):
        if isinstance(e, E.Name):
            found.add(e.id)
        elif not isinstance(e, E.Const | E.Ref):
            found |= names_in(e)
    object.__setattr__(s, "read", frozenset(found))
    return frozenset(found)


def binds_of(s: S.Stmt) -> tuple[str, ...]:
    """The variables that `s` itself binds (an `Update` without items rebinds all but arrays)."""
    found = _BINDS.get(type(s))
    return () if found is None else found(s)


def _target(s: S.Bind | S.Load | S.Alias | S.Pack) -> tuple[str, ...]:
    return (s.target,)


def _target_if_any(s: S.Invoke | S.Edit | S.With) -> tuple[str, ...]:
    return () if s.target is None else (s.target,)


_BINDS: dict[type, Callable[[Any], tuple[str, ...]]] = {  # this is asked all the time
    **dict.fromkeys((S.Bind, S.Load, S.Alias, S.Pack), _target),
    **dict.fromkeys((S.Invoke, S.Edit, S.With), _target_if_any),
    S.Unpack: lambda s: s.targets,
    S.Update: lambda s: (s.base,) if s.items is None else (),
    S.Keep: lambda s: s.binds,
    S.For: lambda s: tuple(targets_of(s.target)),
    S.Try: lambda s: tuple(dict.fromkeys(h.name for h in s.handlers if h.name is not None)),
}


def blocks_of(s: S.Stmt) -> tuple[S.Block, ...]:
    """The blocks inside `s`."""
    if type(s) in _PLAIN:
        return ()
    match s:
        case S.If():
            return (s.then, s.orelse)
        case S.For():
            return (s.body,)
        case S.While():
            return (s.head, s.body)
        case S.Try():
            return (s.body, *(h.body for h in s.handlers), s.orelse, s.final)
        case S.Onward() | S.With():
            return (s.body,)
        case _:
            return ()


def statements(block: S.Block) -> Iterator[S.Stmt]:
    """All statements of a block in textual order, those inside others included."""
    found: list[S.Stmt] = []  # not a generator: this is asked all the time
    _inside(block, found)
    return iter(found)


def _inside(block: S.Block, found: list[S.Stmt]) -> None:
    for s in block:
        found.append(s)
        if type(s) not in _PLAIN:
            for inner in blocks_of(s):
                _inside(inner, found)


def map_blocks(s: S.Stmt, f: Callable[[S.Block], S.Block]) -> S.Stmt:
    """`s` with `f` applied to the blocks inside it; `s` itself where these stay the same."""
    if type(s) in _PLAIN:
        return s

    def block(b: S.Block) -> S.Block:
        return _same(b, f(b))

    match s:
        case S.If():
            return _but(s, then=block(s.then), orelse=block(s.orelse))
        case S.For():
            return _but(s, body=block(s.body))
        case S.While():
            return _but(s, head=block(s.head), body=block(s.body))
        case S.Try():
            body = block(s.body)
            handlers = tuple(_but(h, body=block(h.body)) for h in s.handlers)
            handlers = _same(s.handlers, handlers)
            return _but(
                s, body=body, handlers=handlers, orelse=block(s.orelse), final=block(s.final)
            )
        case S.Onward() | S.With():
            return _but(s, body=block(s.body))
        case _:
            return s


def without_origins(body: S.Block, origins: AbstractSet[int]) -> S.Block:
    """`body` where no statement is printed any more as one of the user's in `origins`."""

    def block(b: S.Block) -> S.Block:
        return tuple(
            map_blocks(replace(s, origin=0) if s.origin in origins else s, block) for s in b
        )

    return block(body) if origins - {0} else body


def map_exprs(s: S.Stmt, f: Callable[[Expr], Expr]) -> S.Stmt:
    """`s` with `f` applied to its own expressions; variables as such (bases, sources) stay. `s`
    itself where the expressions stay the same."""

    def many(items: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return _same(items, tuple([f(i) for i in items])) if items else items

    def atoms(items: tuple[E.Atom, ...]) -> tuple[E.Atom, ...]:
        return _same(items, tuple([atom(i) for i in items])) if items else items

    def atom(a: E.Atom) -> E.Atom:
        b = f(a)
        assert isinstance(b, E.Name | E.Const | E.Ref), f"not an atom: {b}"
        return b

    match s:
        case S.Bind():
            return _but(s, value=f(s.value))
        case S.Load():
            return _but(s, items=many(s.items))
        case S.Store():
            return _but(s, items=many(s.items), value=atom(s.value))
        case S.Update():
            items = None if s.items is None else many(s.items)
            return _but(s, items=items, value=atom(s.value))
        case S.SetAttr():
            return _but(s, base=atom(s.base), value=atom(s.value))
        case S.Pack():
            return _but(s, items=atoms(s.items))
        case S.Invoke():
            values = atoms(tuple([v for _, v in s.kwargs]))
            named = [k if k[1] is v else (k[0], v) for k, v in zip(s.kwargs, values, strict=True)]
            return _but(
                s, fn=f(s.fn), args=atoms(s.args), kwargs=_same(s.kwargs, tuple(named))
            )
        case S.Edit():
            return _but(s, args=atoms(s.args))
        case S.If() | S.While():
            return _but(s, test=f(s.test))
        case S.For():
            return _but(s, iter=iter_map(s.iter, f))
        case S.Return():
            return _but(s, values=atoms(s.values))
        case S.Try():
            handlers = tuple([h if h.type is None else _but(h, type=f(h.type)) for h in s.handlers])
            return _but(s, handlers=_same(s.handlers, handlers))
        case S.With():
            return _but(s, context=f(s.context))
        case S.Alias() | S.Unpack() | S.Keep() | S.Break() | S.Continue() | S.Onward():
            return s
        case _:
            assert_never(s)


def rename_stmt(s: S.Stmt, reads: Mapping[str, str], binds: Mapping[str, str]) -> S.Stmt:
    """`s` itself with the variables it reads and binds renamed (blocks inside are left alone)."""
    changed = {v for v in reads_of(s) if reads.get(v, v) != v}
    changed.update(v for v in binds_of(s) if binds.get(v, v) != v)
    if isinstance(s, S.Keep):
        changed.update(v for v in s.unbinds if reads.get(v, v) != v)
    return _renamed(s, reads, binds) if changed else s


def _renamed(s: S.Stmt, reads: Mapping[str, str], binds: Mapping[str, str]) -> S.Stmt:
    s = map_exprs(s, lambda e: rename(e, reads))
    match s:
        case S.Bind() | S.Pack():
            return replace(s, target=binds.get(s.target, s.target))
        case S.Load():
            target = binds.get(s.target, s.target)
            return replace(s, target=target, base=reads.get(s.base, s.base))
        case S.Store():
            return replace(s, base=reads.get(s.base, s.base))
        case S.Update():
            return replace(s, base=reads.get(s.base, s.base))
        case S.Alias():
            target = binds.get(s.target, s.target)
            return replace(s, target=target, source=reads.get(s.source, s.source))
        case S.Unpack():
            targets = tuple(binds.get(t, t) for t in s.targets)
            return replace(s, targets=targets, source=reads.get(s.source, s.source))
        case S.Invoke():
            return replace(s, target=None if s.target is None else binds.get(s.target, s.target))
        case S.Edit():
            own = None if s.target is None else binds.get(s.target, s.target)
            return replace(s, target=own, base=reads.get(s.base, s.base))
        case S.Keep():
            return replace(
                s,
                reads=tuple(reads.get(r, r) for r in s.reads),
                binds=tuple(binds.get(b, b) for b in s.binds),
                unbinds=tuple(reads.get(b, b) for b in s.unbinds),
            )
        case S.For():
            return replace(s, target=map_target(s.target, binds))
        case S.Try():
            return replace(
                s,
                handlers=tuple(
                    h if h.name is None else replace(h, name=binds.get(h.name, h.name))
                    for h in s.handlers
                ),
            )
        case S.With():
            return replace(s, target=None if s.target is None else binds.get(s.target, s.target))
        case S.SetAttr() | S.If() | S.While() | S.Return() | S.Break() | S.Continue() | S.Onward():
            return s
        case _:
            assert_never(s)


def _but(s: P, **new: object) -> P:
    """`s` with these fields; `s` itself where they are what they were."""
    return s if all(getattr(s, k) is v for k, v in new.items()) else replace(s, **new)  # type: ignore[arg-type]


def _same(before: tuple[T, ...], after: tuple[T, ...]) -> tuple[T, ...]:
    """`after`; `before` itself where that is made of the same."""
    return before if len(before) == len(after) and all(map(is_, before, after)) else after
