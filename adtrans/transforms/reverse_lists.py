"""Adjoints of lists and of what is done with them.

The adjoint of a list is a list that has, going backwards, the same length as the list had, item for
item. So the reverse of `append` is `pop`; a read adds to an item; a write takes an item's adjoint
and leaves zero. Arrays are handed over, never changed inside such a list.
"""

from __future__ import annotations

from dataclasses import replace

from adtrans import runtime
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import CompileError
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Container, DictOf, Kind, ListOf, Maybe, Scalar, TupleOf, present
from adtrans.rules.complexes import is_complex, is_real
from adtrans.transforms import adjoints as A
from adtrans.transforms.adjoints import Adjoint
from adtrans.transforms.reverser import Reverser
from adtrans.transforms.tuple_adjoints import filled, has_gaps


def is_list(r: Reverser, var: str) -> bool:
    """Whether a variable is a list."""
    return isinstance(r.var_kind(var), ListOf)


def load(r: Reverser, s: S.Load, adj: Adjoint, items: tuple[E.Expr, ...]) -> None:
    """`t = items[i]` or `part = items[a:b]`: adds to that part of the adjoint."""
    kind = r.facts.kinds.at(s.site, s.base)
    assert isinstance(kind, Container)
    sliced = any(isinstance(i, E.Slice) for i in items)
    if not sliced:
        adj = r.whole(adj, s.target)
    key = r.hold(adj)
    place = E.Index(own(r, s.base), items)
    r.before_write(r.root_name(s.base), key)
    adj = r.release(key)
    if isinstance(kind, DictOf):
        add = E.Call(_ADD_ENTRY, (place.base, key_of(items), handed_in(adj)))
        r.emit(C.Do(add, r.note))
    elif sliced and (first := first_of_slice(items[0], place.base)) is not None:
        r.emit(C.Do(E.Call(_ADD_FROM, (place.base, first, adj.expr)), r.note))
    else:
        add_to(r, place, adj, kind if sliced else kind.item)


def key_of(items: tuple[E.Expr, ...]) -> E.Expr:
    """The key that a subscript means: several items are a tuple."""
    return items[0] if len(items) == 1 else E.Sequence("tuple", items)


def first_of_slice(e: E.Expr, base: E.Expr) -> E.Expr | None:
    """The place of the first item of a slice without a step, where that is plain to see."""
    if not isinstance(e, E.Slice) or e.step not in (None, E.NONE, E.Const(1)):
        return None
    start = E.Const(0) if e.lower in (None, E.NONE) else e.lower
    if isinstance(start, E.Unary) and start.op == "-" and isinstance(start.operand, E.Const):
        start = E.Const(-start.operand.value) if type(start.operand.value) is int else start
    if not isinstance(start, E.Const) or type(start.value) is not int:
        return None
    if start.value >= 0:
        return start
    length = E.Call(E.Ref("len", len), (base,))
    from_end = E.Binary("-", length, E.Const(-start.value))
    return E.Call(E.Ref("max", max), (from_end, E.Const(0)))


_ADD_FROM = E.Ref("add_from", runtime.add_from)
_ADD_ENTRY = E.Ref("add_entry", runtime.add_entry)


def own(r: Reverser, base: str) -> E.Expr:
    """The adjoint of a list, ready to be changed."""
    buf, _ = r.window(base)
    return buf


def add_to(r: Reverser, place: E.Expr, adj: Adjoint, kind: Kind) -> None:
    """`place` plus an adjoint of this kind, in place of what is there."""
    if isinstance(kind, Scalar | Maybe):
        r.emit(A.accumulate(place, adj.expr, r.note))
    elif isinstance(kind, Array) and kind.dtype is None:  # among masks, that have None
        plus = E.Call(E.Ref("plus", runtime.plus), (place, adj.expr))
        r.emit(C.Assign((place,), plus, r.note))
    else:
        r.emit(C.Assign((place,), A.plus(place, adj.expr, kind), r.note))


def inside(
    r: Reverser, place: E.Expr, buf: E.Expr, adj: Adjoint, var: str, source: str
) -> tuple[E.Expr, Adjoint, Kind]:
    """Where the adjoint of a loop's target goes: an item of `buf`, or with others into a tuple of
    them.

    Raises:
        CompileError: AD207 where nothing is known of the items, as where they are of several kinds.
    """
    assert isinstance(place, E.Index)
    kind = r.var_kind(var)
    if place.base == buf:
        return place, r.whole(adj, var), kind
    path: list[int] = []
    at_item: E.Expr = place
    while isinstance(at_item, E.Index) and at_item.base != buf:
        # the target is part of an item, as in `for a, (b, c) in items`
        (last,) = at_item.items
        assert isinstance(last, E.Const) and isinstance(last.value, int)
        path.append(last.value)
        at_item = at_item.base
        assert isinstance(at_item, E.Index)
    listed = r.var_kind(source)
    assert isinstance(listed, ListOf)
    outer: list[TupleOf] = []
    at: Kind = listed.item
    for k in reversed(path):
        if not isinstance(at, TupleOf):
            raise CompileError(_unlike(r.facts.fn.source_name(source), r))
        outer.append(at)
        at = at.items[k]
    value = r.whole(adj, var).expr
    for k, pair in zip(path, reversed(outer), strict=True):
        parts = [value if n == k else E.NONE for n in range(len(pair.items))]
        value = E.Sequence("tuple", tuple(parts))
    return at_item, Adjoint(value, listed.item, False), listed.item


def _unlike(name: str, r: Reverser) -> Diagnostic:
    assert r.current is not None
    return Diagnostic(
        "AD207",
        f"the list `{name}` cannot be followed here",
        r.current.span,
        why="its items are unpacked, and how many parts each has is not known",
        fixes=[Fix("keep items of one kind in the list, or read each by its position")],
    )


def handed_in(adj: Adjoint) -> E.Expr:
    """An adjoint as an item of a list: in memory that nobody else changes."""
    if isinstance(adj.kind, Scalar | TupleOf) or adj.owned:
        return adj.expr
    return A.copied(adj.expr, adj.kind)


def put(kind: Kind, container: Kind) -> Kind:
    """The kind of the adjoint of a value of this kind where it is taken out of a container: that of
    a real number is complex if others are."""
    items: tuple[Kind, ...] = ()
    if isinstance(container, ListOf | DictOf):
        items = (container.item,)
    if isinstance(container, DictOf):
        items += tuple(k for _, k in container.fields)
    held = next((k for k in map(present, items) if is_complex(k)), None)
    if held is None or not isinstance(kind, Scalar | Array) or not is_real(kind):
        return kind
    if isinstance(kind, Array):
        return Array(held.dtype if isinstance(held, Array) else None, kind.dims, kind.not_one)
    return held


def named(r: Reverser, expr: E.Expr, kind: Kind, *, owned: bool) -> Adjoint:
    """An adjoint that is taken out of a list right now."""
    key = r.hold(Adjoint(expr, kind, owned))
    r.assign(key, r.state[key])
    adj = r.release(key)
    looks = frozenset() if owned or isinstance(kind, Scalar) else adj.borrows
    return Adjoint(adj.expr, kind, owned, looks, whole=True)


def give(r: Reverser, value: E.Expr, expr: E.Expr, of: str, *, owned: bool = True) -> None:
    """`expr` is the adjoint of `value`, which was put into the list `of`."""
    if isinstance(value, E.Name) and r.facts.activity.active(value):
        kind = put(r.var_kind(value.id), r.var_kind(of))
        r.add(value.id, named(r, expr, kind, owned=owned))
    elif not isinstance(expr, E.Index):
        r.emit(C.Do(expr, r.note))


def pack(r: Reverser, s: S.Pack) -> None:
    """`items = [a, b]`."""
    adj = r.taken(s.target)
    if adj is None:
        return
    if not isinstance(adj.expr, E.Name):
        key = r.hold(adj)
        r.assign(key, adj)
        adj = r.release(key)
    key = r.hold(adj)
    for k, item in enumerate(s.items):
        if isinstance(item, E.Name) and r.facts.activity.active(item):
            give(r, item, E.Index(adj.expr, (E.Const(k),)), s.target, owned=False)
    r.release(key)


def store(r: Reverser, s: S.Store, items: tuple[E.Expr, ...]) -> None:
    """`items[i] = v`."""
    kind = r.facts.kinds.at(s.site, s.base)
    if isinstance(kind, DictOf):
        enter(r, s, items)
        return
    assert isinstance(kind, ListOf)
    place = E.Index(own(r, s.base), items)
    r.before_write(r.root_name(s.base), s.base)
    taken = None
    if isinstance(s.value, E.Name) and r.facts.activity.active(s.value):
        held = put(r.var_kind(s.value.id), r.var_kind(s.base))
        taken = r.hold(named(r, place, held, owned=True))
    zero = A.zero(kind.item)
    if not isinstance(kind.item, Scalar | Maybe):  # what was there may have had another shape
        old = r.zeros(E.Index(E.Name(s.base), s.items), kind.item)
        zero = E.Call(
            E.Ref("zeros_of", runtime.zeros_of), (r.residuals.kept("old", old, s.site),)
        )
    r.emit(C.Assign((place,), zero, r.note))
    if taken is not None:
        assert isinstance(s.value, E.Name)
        r.add(s.value.id, r.release(taken))


def enter(r: Reverser, s: S.Store, items: tuple[E.Expr, ...]) -> None:
    """`entries[key] = v`: what was there before, or nothing, had no influence on anything later."""
    key = None
    if isinstance(s.value, E.Name) and r.facts.activity.active(s.value):
        kind = r.var_kind(s.value.id)
        zero = A.zero(kind)
        if isinstance(kind, Array):
            zero = A.zeros(kind, r.shape(s.value.id))
        elif not isinstance(kind, Scalar):
            made = r.zeros(E.Name(s.value.id), kind)
            zero = r.residuals.kept("zero", made, s.site)
        key = r.hold(Adjoint(zero, kind, True))
    buf = own(r, s.base)
    r.before_write(r.root_name(s.base), s.base, *([key] if key else []))
    if key is None:
        r.emit(C.Do(E.Call(E.Attribute(buf, "pop"), (key_of(items), E.NONE)), r.note))
        return
    assert isinstance(s.value, E.Name)
    zero = r.release(key).expr
    held = put(r.var_kind(s.value.id), r.var_kind(s.base))
    whole = not isinstance(held, TupleOf)  # an item of a tuple may be None: nothing was added to it
    default = zero if whole else E.NONE
    popped = E.Call(E.Attribute(buf, "pop"), (key_of(items), default))
    taken = popped if whole else A.added(zero, popped)
    fresh = isinstance(held, Array | Scalar)
    r.add(s.value.id, named(r, taken, held, owned=fresh))


def edit(r: Reverser, s: S.Edit) -> None:
    """An operation of a list; what it holds may be found by address, however it got there."""
    if s.base in r.facts.sharing.through and s.op in S.CHANGES:
        return
    if s.base in r.facts.sharing.through and s.op == "array":
        if s.target is not None and (whole := r.taken(s.target)) is not None:
            r.add(s.base, r.whole(whole, s.target))
        return
    if s.op in S.CHANGES:
        if r.facts.activity.active(s.base):
            change(r, s)
        elif s.target is not None:
            r.state.pop(s.target, None)
        return
    adj = None if s.target is None else r.taken(s.target)
    if adj is None or s.op in S.ORDER:
        return
    if s.op in S.JOINS:
        join(r, s, adj)
    else:
        collect(r, s, adj)


def change(r: Reverser, s: S.Edit) -> None:
    """One that changes the list: its adjoint gets the length that it had before."""
    adj = None if s.target is None else r.state.pop(s.target, None)
    if isinstance(r.facts.kinds.at(s.site, s.base), DictOf):
        if r.has(s.base) and s.op == "clear":
            r.emit(C.Do(E.Call(E.Attribute(own(r, s.base), "clear"), ()), r.note))
        return  # what was removed is not there: its adjoint is zero
    if adj is not None and s.target is not None:
        adj = r.whole(adj, s.target)
    key = None if adj is None else r.hold(adj)
    buf = own(r, s.base)
    r.before_write(r.root_name(s.base), s.base, *([key] if key else []))
    adj = None if key is None else r.release(key)

    def method(name: str, *args: E.Expr) -> E.Expr:
        return E.Call(E.Attribute(buf, name), args)

    match s.op:
        case "append":
            give(r, s.args[0], method("pop"), s.base)
        case "insert":
            at = index(r, s.args[0], s.site)
            helper = E.Ref("taken_out", runtime.taken_out)
            give(r, s.args[1], E.Call(helper, (buf, at)), s.base)
        case "extend":
            n = r.residuals.kept("n", E.Call(E.Ref("len", len), (s.args[0],)), s.site)
            taken_off = E.Ref("taken_off", runtime.taken_off)
            give(r, s.args[0], E.Call(taken_off, (buf, n)), s.base)
        case "pop":
            value = removed(r, s, adj)
            if not s.args or s.args[0] == E.Const(-1):
                r.emit(C.Do(method("append", value), r.note))
            else:
                at = index(r, s.args[0], s.site)
                helper = E.Ref("put_back", runtime.put_back)
                r.emit(C.Do(E.Call(helper, (buf, at, value)), r.note))
        case "splice":
            spliced(r, s, buf)
        case "clear":
            copied = E.Call(E.Ref("list", list), (E.Name(s.base),))
            old = r.residuals.kept("old", copied, s.site)
            zeros = r.zeros(old, r.var_kind(s.base))
            r.emit(C.Do(method("extend", zeros), r.note))
        case "reverse":
            r.emit(C.Do(method("reverse"), r.note))


def spliced(r: Reverser, s: S.Edit, buf: E.Expr) -> None:
    """`items[i:j] = values`: what was there gets zeros, what is there goes to `values`."""
    start, stop = (index(r, a, s.site) for a in s.args[:2])
    first, last = (None if a == E.NONE else a for a in s.args[:2])
    part = E.Slice(first, last, None)
    replaced = r.zeros(E.Index(E.Name(s.base), (part,)), r.var_kind(s.base))
    old = r.residuals.kept("old", replaced, s.site)
    n = r.residuals.kept("n", E.Call(E.Ref("len", len), (s.args[2],)), s.site)
    zeros = E.Call(E.Ref("zeros_of", runtime.zeros_of), (old,))
    helper = E.Ref("spliced_back", runtime.spliced_back)
    give(r, s.args[2], E.Call(helper, (buf, start, stop, zeros, n)), s.base)


def index(r: Reverser, e: E.Expr, site: int) -> E.Expr:
    """The position of an item."""
    r.residual_kinds(e, site)
    return r.residuals.expression(e, site)


def removed(r: Reverser, s: S.Edit, adj: Adjoint | None) -> E.Expr:
    """The adjoint of the item that `pop` removed; zero if nothing needs it."""
    kind = r.facts.kinds.at(s.site, s.base)
    assert isinstance(kind, ListOf)
    if adj is not None and not has_gaps(kind.item, adj.expr):
        return handed_in(replace(adj, expr=filled(kind.item, adj.expr, E.NONE)))
    if isinstance(kind.item, Scalar | Maybe):
        return A.zero(kind.item)
    if s.target is None:
        item: E.Expr = E.Index(E.Name(s.base), s.args or (E.Const(-1),))
    else:
        item = E.Name(s.target)
    zeros = r.residuals.kept("old", r.zeros(item, kind.item), s.site, after=s.target is not None)
    if adj is not None:
        return filled(kind.item, adj.expr, zeros)
    return E.Call(E.Ref("zeros_of", runtime.zeros_of), (zeros,))


def join(r: Reverser, s: S.Edit, adj: Adjoint) -> None:
    """A new list of the items of others."""
    kind = r.var_kind(s.base)
    if s.op in ("copy", "list", "freeze"):
        r.add(s.base, Adjoint(adj.expr, kind, adj.owned, adj.borrows))
    elif s.op == "concat":
        n = r.residuals.kept("n", E.Call(E.Ref("len", len), (E.Name(s.base),)), s.site)
        key = r.hold(adj)
        assert s.target is not None
        give(r, E.Name(s.base), E.Index(adj.expr, (E.Slice(None, n, None),)), s.target)
        give(r, s.args[0], E.Index(r.state[key].expr, (E.Slice(n, None, None),)), s.target)
        r.release(key)
    elif s.op == "take":
        key = r.hold(adj)
        order = index(r, s.args[0], s.site)
        buf = own(r, s.base)
        r.before_write(r.root_name(s.base), s.base, key)
        helper = E.Ref("put_picked", runtime.put_picked)
        r.emit(C.Do(E.Call(helper, (buf, order, r.release(key).expr)), r.note))
    elif r.facts.activity.active(s.base):
        collected(r, s.base, E.Ref("add_repeated", runtime.add_repeated), adj)


_COLLECTORS = {
    "sum": E.Ref("add_each", runtime.add_each),
    "array": E.Ref("add_items", runtime.add_items),
    "concatenate": E.Ref("add_joined", runtime.add_joined),
}


def collect(r: Reverser, s: S.Edit, adj: Adjoint) -> None:
    """A sum or an array of all items."""
    assert s.target is not None
    adj = r.whole(adj, s.target)
    result = r.var_kind(s.target)
    for start in s.args:
        if isinstance(start, E.Name) and r.facts.activity.active(start):
            adj = A.shared(adj)
            part = r.to_operand(adj, result, start.id, r.var_kind(start.id), s.target)
            r.add(start.id, part)
    if r.facts.activity.active(s.base):
        how = _COLLECTORS[s.op]
        listed = r.var_kind(s.base)
        if s.op == "sum" and not (
            isinstance(listed, ListOf) and A.operand_shape_is_result_shape(listed.item, result)
        ):
            how = E.Ref("add_each_part", runtime.add_each_part)
        collected(r, s.base, how, adj)


def collected(r: Reverser, base: str, how: E.Ref, adj: Adjoint) -> None:
    """`how(base_bar, adj)`: adds to the adjoint of the list, in place."""
    key = r.hold(adj)
    buf = own(r, base)
    r.before_write(r.root_name(base), base, key)
    r.emit(C.Do(E.Call(how, (buf, r.release(key).expr)), r.note))
