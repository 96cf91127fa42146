"""Calls of one of several functions, told apart by identity.

f = sin if c else cos       ->  f = sin if c else cos
y = f(x)                        if f is sin: y = sin(x)
                                else:        y = cos(x)

Each variable that only ever means functions which are written out is followed; so is a function
that is handed on to another one, and what is read out of a container that only holds functions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import CodeType
from typing import Literal, TypeAlias

from adtrans.analyses.objects.displays import jumps, sources
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, blocks_of, map_blocks, reads_of, statements
from adtrans.rules import lookup
from adtrans.source.libraries import is_library
from adtrans.source.reach import names_of_values, reached

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
    held = _tables(fn)
    for s in statements(fn.body):
        match s:
            case S.Load(target=target, base=base) if base in held:
                found.setdefault(target, {}).update(held[base].refs)
            case S.For(target=target, iter=it):
                taken = dict(_taken(target, it, held))
                for v in binds_of(s):
                    if v in taken:
                        found.setdefault(v, {}).update(held[taken[v]].refs)
                    else:
                        other.add(v)
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


Form: TypeAlias = Literal["list", "dict", "values", "items"]


@dataclass
class _Table:
    """A container of functions, or a view of a dictionary of them: what it may hold."""

    form: Form
    refs: dict[int, E.Ref] = field(default_factory=dict)
    looked_up: bool = False  # at a place or key that is computed, or in a loop that stays one

    @property
    def wanted(self) -> bool:
        """Whether nothing else finds out what is called."""
        return self.looked_up or any(_makes(r.value) for r in self.refs.values())


def _tables(fn: S.Function) -> dict[str, _Table]:
    """The variables that mean lists, tuples and dictionaries of functions; nothing for one of which
    anything else is done than to read it and to put more into it, and nothing where all keys are
    written out, unless there are functions that make objects."""
    held: dict[str, _Table] = {}
    links: list[tuple[str, str]] = []  # two names for one container, or for a view of it
    other = {p.name for p in fn.params}
    rows = {s.target for s in statements(fn.body) if isinstance(s, S.Pack) and s.items}
    known, counts = _bound_once(fn)
    for s in _ordered(fn):
        used = set[str](reads_of(s))
        match s:
            case S.Pack(target=target, kind=kind, items=items) if target not in held:
                refs = [r for i in items if (r := _refs(known.get(i, i))) is not None]
                if len(refs) == len(items):
                    form: Form = "dict" if kind == "dict" else "list"
                    held[target] = _Table(form, {id(r.value): r for (r,) in refs})
                    continue
            case S.Store(base=base, items=(key,), value=value) if base in held and (
                (put := _refs(value)) is not None and not isinstance(key, E.Slice)
            ):
                held[base].refs.update({id(r.value): r for r in put})
                continue
            case S.Bind(
                target=target,
                value=E.Call(fn=E.Attribute(base=E.Name(id=base), attr="append"), args=(given,)),
            ) if (
                base in held
                and held[base].form == "list"
                and (put := _refs(known.get(given, given) if isinstance(given, E.Name) else given))
            ):
                held[base].refs.update({id(r.value): r for r in put})
                other.add(target)
                continue
            case S.Alias(target=target, source=source) if source in held and target not in held:
                held[target] = held[source]
                links.append((target, source))
                continue
            case S.Bind(target=target, value=E.Call(fn=E.Attribute() as view, args=())) if (
                isinstance(view.base, E.Name)
                and (table := held.get(view.base.id)) is not None
                and table.form == "dict"
                and target not in held
                and (view.attr == "items" or view.attr == "values")
            ):
                held[target] = _Table("items" if view.attr == "items" else "values", table.refs)
                links.append((target, view.base.id))
                continue
            case S.Bind(target=target, value=E.Binary() as e) if target not in held and (
                lists := _joined(e, held, counts)
            ):
                held[target] = _Table("list", {})
                links += [(target, v) for v in lists]
                other |= used - {*lists}
                continue
            case S.Bind(value=E.Call(fn=E.Ref(value=f), args=(E.Name(),))) if f is len:
                used = set()
            case S.Bind(value=E.Compare(ops=("in" | "not in",), rights=(E.Name(id=base),))):
                used.discard(base)
            case S.Load(base=base, items=(key,)) if base in held and not isinstance(key, E.Slice):
                held[base].looked_up |= not isinstance(key, E.Const)
                used.discard(base)
            case S.For(target=target, iter=it):
                taken = {source for _, source in _taken(target, it, held)}
                used -= taken
                if not _is_written_out(it, s.body, rows):
                    for source in taken:
                        held[source].looked_up = True
            case _:
                pass
        other |= used
        other.update(binds_of(s))
    while any(_added(held[target], held[source]) for target, source in links):
        pass
    while more := {v for pair in links if other & {*pair} for v in pair} - other:
        other |= more
    wanted = {id(t.refs) for t in held.values() if t.wanted}
    return {v: t for v, t in held.items() if t.refs and v not in other and id(t.refs) in wanted}


def _makes(fn: object) -> bool:
    """Whether a class or function may make objects of the user's, or functions."""
    if isinstance(fn, type):
        return not is_library(fn.__module__)
    for f in reached(fn):
        inner = (c for c in f.__code__.co_consts if isinstance(c, CodeType))
        if any(c.co_name == "<lambda>" or not c.co_name.startswith("<") for c in inner):
            return True
        if any(isinstance(v, type) and not is_library(v.__module__) for _, v in names_of_values(f)):
            return True
    return False


def _added(table: _Table, of: _Table) -> bool:
    """What one container has from another; whether that is more than it had."""
    before = len(table.refs)
    table.refs.update(of.refs)
    return len(table.refs) > before


def _bound_once(fn: S.Function) -> tuple[dict[E.Atom, E.Expr], set[str]]:
    """The variables that are bound to one function, and those that are counts: whole numbers."""
    binds = [s for s in statements(fn.body) for _ in binds_of(s)]
    times = Counter(v for s in statements(fn.body) for v in binds_of(s))
    times.update(p.name for p in fn.params)
    refs: dict[E.Atom, E.Expr] = {}
    counts: set[str] = set()
    for s in binds:
        match s:
            case S.Bind(target=target, value=value) if times[target] == 1:
                if isinstance(value, E.Ref) and callable(value.value):
                    refs[E.Name(target)] = value
                if _is_count(value, counts):
                    counts.add(target)
            case _:
                pass
    return refs, counts


def _is_count(e: E.Expr, counts: set[str]) -> bool:
    match e:
        case E.Const(value=value):
            return type(value) is int
        case E.Name(id=name):
            return name in counts
        case E.Call(fn=E.Ref(value=f), args=(_,), kwargs=()):
            return f is len
        case E.Binary(op="+" | "-" | "*", left=left, right=right):
            return _is_count(left, counts) and _is_count(right, counts)
        case _:
            return False


def _joined(e: E.Binary, held: Mapping[str, _Table], counts: set[str]) -> list[str]:
    """The lists of functions that one is made of: `a + b`, `a * n`; nothing for anything else."""
    parts = (e.left, e.right)
    lists = [p.id for p in parts if isinstance(p, E.Name) and p.id in held]
    if any(held[v].form != "list" for v in lists):
        return []
    if e.op == "+" and len(lists) == 2:
        return lists
    others = [p for p in parts if not (isinstance(p, E.Name) and p.id in held)]
    repeated = e.op == "*" and len(lists) == 1 and all(_is_count(p, counts) for p in others)
    return lists if repeated else []


def _is_written_out(it: S.Iter, body: S.Block, rows: set[str]) -> bool:
    """Whether a loop over functions may be written out turn by turn (`objects.displays`): if what
    it goes over together with them is of a known length, too."""
    match it:
        case S.Zip(inners=inners) if len(inners) > 1:
            inside = {v for i in inners if not isinstance(i, S.Range) for v in sources(i)}
            return inside <= rows and not jumps(body)
        case _:
            return not jumps(body)


def _ordered(fn: S.Function) -> Iterator[S.Stmt]:
    """The statements, those first that make and name containers."""
    every = list(statements(fn.body))
    yield from (s for s in every if isinstance(s, S.Pack))
    yield from (s for s in every if isinstance(s, S.Alias))
    yield from (s for s in every if isinstance(s, S.Bind))
    yield from (s for s in every if not isinstance(s, S.Pack | S.Alias | S.Bind))


def _taken(target: S.Target, it: S.Iter, held: Mapping[str, _Table]) -> Iterator[tuple[str, str]]:
    """The variables of a loop that are functions out of a container, with that."""
    match target, it:
        case str(), S.Elements(source=source) if source in held:
            if held[source].form in ("list", "values"):
                yield target, source
        case (str(), str() as value), S.Elements(source=source) if source in held:
            if held[source].form == "items":
                yield value, source
        case (_, inner), S.Enumerate(inner=of):
            yield from _taken(inner, of, held)
        case _, S.Reversed(inner=of):
            yield from _taken(target, of, held)
        case tuple(), S.Zip(inners=inners) if len(target) == len(inners):
            for t, of in zip(target, inners, strict=True):
                yield from _taken(t, of, held)
        case _:
            pass


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
