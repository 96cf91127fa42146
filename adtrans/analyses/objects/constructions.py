"""Spells out what making an object does: `Box(x)` is a new object, then a call of `__init__`.

Generated code says it in two steps already: `t = object.__new__(Box); Box_init(t, x)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import FunctionType, SimpleNamespace

from adtrans import runtime
from adtrans.analyses.kinds.named import is_named
from adtrans.analyses.new_objects import makes_new, new
from adtrans.analyses.objects.classes import can_follow, member
from adtrans.analyses.objects.dataclass_fields import constructed, init_of, is_init, owner_of
from adtrans.analyses.spread import positions
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, blocks_of, map_blocks, reads_of, statements


def spelled_out(fn: S.Function) -> S.Function:
    """`fn` with the constructions of objects that can be followed in single steps."""
    known = _sizes(fn.body)
    if not any(
        _class_of(s) or _is_bare(s) or by_name(s, 1) or _spread(s, known) or _named_tuple(s)
        or _initialised(s)
        for s in statements(fn.body)
    ):
        return fn
    number = max(s.site for s in statements(fn.body))
    taken = {v for s in statements(fn.body) for v in binds_of(s)}
    names = NameAllocator(taken | {p.name for p in fn.params} | fn.reserved)
    read = {v for s in statements(fn.body) for v in reads_of(s)}
    named = {s.origin for s in statements(fn.body) if by_name(s, 1)}
    made_here = (
        s for s in statements(fn.body)
        if _class_of(s) or _spread(s, known) or _initialised(s)
    )  # fmt: skip
    origins = named | {s.origin for s in made_here} - {0}

    def block(body: S.Block) -> S.Block:
        return tuple(r for s in body for r in one(s))

    def numbered(s: S.Stmt) -> S.Stmt:
        def inner(body: S.Block) -> S.Block:
            nonlocal number
            first = number + 1
            number += len(body)
            return tuple(replace(r, site=first + k) for k, r in enumerate(body))

        return map_blocks(s, inner)

    def one(s: S.Stmt) -> Iterator[S.Stmt]:
        nonlocal number
        packed = _named_tuple(s)
        if packed is not None:
            yield packed
            return
        s = replace(map_blocks(s, block), origin=0 if s.origin in origins else s.origin)
        spread = _spread(s, known)
        if spread is not None:
            for step in _items(s, *spread, names):
                number += 1
                yield from one(numbered(replace(step, site=number)))
            return
        by = by_name(s, number + 1)
        if by is not None:
            number += 1
            yield by
            for v in set(binds_of(s)) - set(binds_of(by)):
                if v in read:  # what `setattr` returns
                    number += 1
                    yield S.Bind(v, E.NONE, site=number, span=s.span)
            return
        if _is_bare(s):
            assert isinstance(s, S.Invoke) and s.target is not None
            yield S.Bind(s.target, new(s.args[0]), site=s.site, span=s.span, origin=s.origin)
            return
        set_by = _initialised(s)
        if set_by is not None and isinstance(s, S.Invoke):
            assigned = _assigned(s, *set_by, s.args[1:], names)
            for step in (s,) if assigned is None else assigned:
                number += 1
                step = step if assigned is None else replace(step, site=number)
                yield from one(step) if isinstance(step, S.Invoke) and step is not s else (step,)
            if assigned is not None and s.target is not None:
                number += 1
                yield S.Bind(s.target, E.NONE, **S.place(s, number))
            return
        cls = _class_of(s)
        steps = None if cls is None or not isinstance(s, S.Invoke) else _steps(s, cls, names)
        for step in (s,) if steps is None else steps:
            if steps is not None:
                number += 1
                step = replace(step, site=number)
            if steps is not None and isinstance(step, S.Invoke):
                yield from one(step)  # what a factory makes may be an object, too
            else:
                yield step

    return replace(fn, body=block(fn.body))


def _class_of(s: S.Stmt) -> type | None:
    """The class that an `Invoke` makes an object of."""
    if not isinstance(s, S.Invoke) or not isinstance(s.fn, E.Ref):
        return None
    cls = s.fn.value
    return cls if isinstance(cls, type) and can_follow(cls) else None


def _named_tuple(s: S.Stmt) -> S.Pack | None:
    """A call that makes a named tuple, with its items in order."""
    if not isinstance(s, S.Invoke) or not isinstance(s.fn, E.Ref) or s.target is None:
        return None
    cls = s.fn.value
    if not isinstance(cls, type) or not is_named(cls):
        return None
    fields: tuple[str, ...] = getattr(cls, "_fields", ())
    given = dict(zip(fields, s.args, strict=False))
    if len(s.args) > len(fields) or given.keys() & dict(s.kwargs).keys():
        return None
    given |= dict(s.kwargs)
    for name, value in getattr(cls, "_field_defaults", {}).items():
        if name not in given:
            literal = E.is_literal(value)
            given[name] = E.Const(value) if literal else E.Ref(f"{cls.__name__}_{name}", value)
    if given.keys() != set(fields):
        return None
    items = tuple(given[name] for name in fields)
    return S.Pack(s.target, "tuple", items, s.fn, **S.place(s, s.site))


def _spread(s: S.Stmt, known: Mapping[str, int]) -> tuple[E.Call, str, int] | None:
    """`Box(a, *values)`: the call, what has the star, and how many items there are, where the class
    takes just so many. `known`: how many items some variables have."""
    match s:
        case S.Bind(value=E.Call(fn=E.Ref(value=type() as cls), args=args) as call):
            stars = [a for a in args if isinstance(a, E.Star)]
            made = _maker(cls)
            if len(stars) != 1 or made is None:
                return None
            counts = positions(made, len(args), call.kwargs)
            source = stars[0].value
            if counts is None or not isinstance(source, E.Name):
                return None
            least, most = counts
            count = known.get(source.id, most)
            if not least <= count <= most:
                return None
            if source.id not in known and least < most:
                return None
            others = [a for a in args if not isinstance(a, E.Star)]
            atoms = all(E.is_atom(a) for a in (*others, *(v for _, v in call.kwargs)))
            return (call, source.id, count) if atoms else None
        case _:
            return None


def _sizes(body: S.Block) -> dict[str, int]:
    """How many items the variables have that are nothing but a tuple which is written out."""
    found: dict[str, int] = {}
    times: dict[str, int] = {}
    for s in statements(body):
        for v in binds_of(s):
            times[v] = times.get(v, 0) + 1
        if isinstance(s, S.Pack) and s.kind == "tuple":
            found[s.target] = len(s.items)
    return {v: n for v, n in found.items() if times[v] == 1}


def _maker(cls: type) -> FunctionType | None:
    """The function that is given the arguments of a class that can be followed."""
    name = "__new__" if is_named(cls) else "__init__"
    made = getattr(cls, name, None)
    followed = is_named(cls) or can_follow(cls)
    return made if followed and isinstance(made, FunctionType) else None


def _items(
    s: S.Stmt, call: E.Call, source: str, count: int, names: NameAllocator
) -> Iterator[S.Stmt]:
    """The same call with the items by themselves."""
    assert isinstance(s, S.Bind) and isinstance(call.fn, E.Ref)
    where = S.place(s, s.site)
    items = tuple(names.fresh("t") for _ in range(count))
    exact = (E.Name(source), E.Const(count), E.Const(call.fn.text))
    check = E.Call(E.Ref("check_spread", runtime.check_spread), exact)
    yield S.Bind(names.fresh("t"), check, **where)
    yield S.Unpack(items, source, **where)
    args: list[E.Expr] = []
    for a in call.args:
        args += map(E.Name, items) if isinstance(a, E.Star) else [a]
    atoms = tuple(a for a in args if isinstance(a, E.Name | E.Const | E.Ref))
    named = tuple((k, v) for k, v in call.kwargs if isinstance(v, E.Name | E.Const | E.Ref))
    yield S.Invoke(s.target, call.fn, atoms, named, **where)


def by_name(s: S.Stmt, site: int) -> S.Stmt | None:
    """`getattr(obj, "a")` and `setattr(obj, "a", v)` as what they mean; None for all else."""
    match s:
        case S.Bind(value=E.Call(fn=E.Ref(value=fn), args=args, kwargs=())):
            target: str | None = s.target
        case S.Invoke(fn=E.Ref(value=fn), args=args, kwargs=()):
            target = s.target
        case _:
            return None
    where: S.Place = {"site": site, "span": s.span, "origin": 0}
    match args:
        case (E.Name() as base, E.Const(value=str(attr))) if fn is getattr and target is not None:
            if attr.isidentifier():
                return S.Bind(target, E.Attribute(base, attr), **where)
        case (
            E.Name() as base, E.Const(value=str(attr)), E.Name() | E.Const() | E.Ref() as value
        ):  # fmt: skip
            frozen = fn is object.__setattr__
            if (frozen or fn is setattr) and attr.isidentifier():
                return S.SetAttr(base, attr, value, frozen, **where)
        case _:
            pass
    return None


def _is_bare(s: S.Stmt) -> bool:
    """Whether an object without attributes is made: `object.__new__(cls)`."""
    if not isinstance(s, S.Invoke) or not isinstance(s.fn, E.Ref) or s.target is None:
        return False
    given = s.args[0].value if len(s.args) == 1 and isinstance(s.args[0], E.Ref) else None
    return makes_new(s.fn.value) and can_follow(given)


def makes(s: S.Stmt) -> type | None:
    """The class that a statement makes an object without attributes of."""
    match s:
        case S.Bind(value=E.Call(fn=E.Ref(value=fn), args=(E.Ref(value=cls),))) if makes_new(fn):
            return cls if isinstance(cls, type) else None
        case _:
            return None


def first_uses(body: S.Block) -> dict[int, str]:
    """The statements that are the first to see a new object, with its variable."""
    found: dict[int, str] = {}
    for k, s in enumerate(body):
        for inner in blocks_of(s):
            found |= first_uses(inner)
        if makes(s) is not None:
            (var,) = binds_of(s)
            later = (t for t in body[k + 1 :] if var in {n for u in statements((t,)) for n in
                     reads_of(u)})  # fmt: skip
            first = next(later, None)
            if isinstance(first, S.Bind | S.Invoke):
                found[first.site] = var
    return found


def _initialised(s: S.Stmt) -> tuple[type, E.Name] | None:
    """The class and the object, where its attributes are set by an `__init__` that was written for
    a dataclass, as `super().__init__(a, b)` may do."""
    match s:
        case S.Invoke(fn=E.Ref(value=FunctionType() as fn), args=(E.Name() as obj, *_)) if (
            is_init(fn) and (owner := owner_of(fn)) is not None
        ):
            return owner, obj
        case _:
            return None


def _assigned(
    s: S.Invoke, owner: type, obj: E.Name, args: tuple[E.Atom, ...], names: NameAllocator
) -> list[S.Stmt] | None:
    """What the `__init__` that was written for a dataclass does with an object."""
    made = constructed(owner, args, dict(s.kwargs))
    if made is None:
        return None
    where = S.place(s, s.site)
    out: list[S.Stmt] = []

    def atom(name: str, value: E.Expr) -> E.Atom:
        if isinstance(value, E.Name | E.Const | E.Ref):
            return value
        held = names.fresh(name)
        if isinstance(value, E.Sequence):
            out.append(S.Pack(held, value.kind, (), **where))
        else:
            assert isinstance(value, E.Call)
            out.append(S.Invoke(held, value.fn, (), (), **where))
        return E.Name(held)

    for name, value in made.assigned:
        out.append(S.SetAttr(obj, name, atom(name, value), made.frozen, **where))
    if made.passed is not None:
        passed = tuple(atom("t", v) for v in made.passed)
        call = E.Call(E.Attribute(obj, "__post_init__"), passed)
        out.append(S.Bind(names.fresh("t"), call, **where))
    return out


def _steps(s: S.Invoke, cls: type, names: NameAllocator) -> list[S.Stmt] | None:
    assert isinstance(s.fn, E.Ref)
    obj = names.fresh(s.target or "t")
    where = S.place(s, s.site)
    out: list[S.Stmt] = [S.Bind(obj, new(s.fn), **where)]

    def method(name: str, args: tuple[E.Atom, ...], kwargs: tuple[tuple[str, E.Atom], ...]) -> None:
        call = E.Call(E.Attribute(E.Name(obj), name), args, kwargs)
        out.append(S.Bind(names.fresh("t"), call, **where))

    if (owner := init_of(cls)) is not None:
        assigned = _assigned(s, owner, E.Name(obj), s.args, names)
        if assigned is None:
            return None
        out += assigned
    elif cls is SimpleNamespace:
        if s.args:
            return None
        for name, value in s.kwargs:
            out.append(S.SetAttr(E.Name(obj), name, value, False, **where))
    elif member(cls, "__init__").form == "method":
        method("__init__", s.args, s.kwargs)
    elif s.args or s.kwargs or member(cls, "__init__").form != "other":
        return None
    if s.target is not None:
        out.append(S.Alias(s.target, obj, **where))
    return out
