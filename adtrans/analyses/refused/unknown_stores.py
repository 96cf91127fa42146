"""Subscripts and stores whose effect on the derivative is not known."""

from __future__ import annotations

from collections.abc import Iterator

from adtrans import runtime
from adtrans.analyses.facts import Facts
from adtrans.analyses.subscripts import is_advanced, is_basic
from adtrans.analyses.tuple_slices import is_no_place
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, DictOf, Instance, TupleOf, Unknown, is_differentiable, present
from adtrans.ir.walk import reads_of, statements
from adtrans.lower.opaque import assigned_attribute


def of_records(s: S.Load | S.Store, facts: Facts) -> bool:
    """Whether a field of an array of records is read or written that carries a derivative."""
    if not any(isinstance(i, E.Const) and isinstance(i.value, str) for i in s.items):
        return False
    if isinstance(present(facts.kinds.at(s.site, s.base)), DictOf):
        return False
    made = [d for d in facts.definitions.sites.get(s.base, ()) if d in facts.apps]
    active = facts.activity.active(s.target if isinstance(s, S.Load) else s.base)
    return active and bool(made)


def unclear_index(s: S.Load | S.Store, facts: Facts) -> bool:
    """Whether an active part of an array is selected by something of unknown kind."""
    active = facts.activity.active(s.target if isinstance(s, S.Load) else s.base)
    kind = facts.kinds.at(s.site, s.base)
    if isinstance(kind, Unknown) and active:  # an array, but for a key of a dictionary
        return any(isinstance(i, E.Const) and isinstance(i.value, str) for i in s.items)
    if isinstance(kind, TupleOf) and active and isinstance(s, S.Load):
        known = isinstance(s.items[0], E.Const) or is_no_place(s.items, s.site, facts.kinds)
        return not known
    if not active or not isinstance(kind, Array):
        return False
    args = (s.items, s.site, facts.kinds)
    return not is_basic(*args) and not is_advanced(*args)


def may_be_kept(s: S.Store, facts: Facts) -> bool:
    """Whether an array is put into what may be a list: others see then what is done to it there."""
    if not facts.activity.active(s.base) or len(s.items) != 1 or isinstance(s.items[0], E.Slice):
        return False
    holder, held = facts.kinds.at(s.site, s.base), facts.kinds.expr(s.site, s.value)
    return isinstance(holder, Unknown) and isinstance(held, Array)


def unclear_holder(s: S.Store, facts: Facts) -> Diagnostic:
    """The error for such a statement, where tangents would be put there as the values are."""
    return Diagnostic(
        "AD206",
        f"cannot tell what `{facts.fn.source_name(s.base)}` is where it is written",
        s.span,
        why="a list would hold the very array that is put there, an array a copy of it",
        fixes=[Fix("keep what it holds in variables, or in a list that holds arrays only")],
    )


def into_unknown(s: S.Stmt, facts: Facts) -> Iterator[Diagnostic]:
    """The error where what varies is put into something that is not known, and no argument: it may
    be a global that is read under another name."""
    given = reads_of(s) - ({s.base} if isinstance(s, S.Store | S.Update) else set())
    if given.isdisjoint(facts.activity.varied):
        return
    known = {p.name for p in facts.fn.params} | {str(site) for site in facts.apps}
    written = {w.var for w in facts.memory.at(s.site)}
    written |= {s.base} if isinstance(s, S.Update) else set()
    for v in sorted(written):
        objects = facts.memory.objects(v, s.site)
        if not isinstance(facts.kinds.at(s.site, v), Unknown) or facts.activity.active(v):
            continue
        if not objects or all(o.form != "global" and o.key in known for o in objects):
            continue
        name = facts.fn.source_name(v)
        what = f"`{name}`" if name in facts.fn.reserved else "what is not followed"
        yield Diagnostic(
            "AD203",
            f"{what} is written, and may be a global",
            Label(s.span, "a value that carries a derivative is put there"),
            why="it is the result of something that is not followed: who reads it is not known",
            fixes=[Fix("pass it as an argument, or put `adtrans.stop_gradient(...)` there")],
        )


def into_objects(s: S.Store | S.Update, facts: Facts) -> Iterator[Diagnostic]:
    """The error where an object that is made inside, and is not followed, gets an item or is
    updated: what reads it has lost the derivative then."""
    kind = facts.kinds.at(s.site, s.base)
    if not isinstance(kind, Instance) or not isinstance(s.value, E.Name):
        return
    array = isinstance(facts.kinds.at(s.site, s.value.id), Array)
    if not kind.followed and not (array and _is_read_again(s, facts)):
        return
    if s.value.id in facts.activity.varied:
        name = kind.name.rpartition(".")[2]
        yield Diagnostic(
            "AD201",
            f"an object of `{name}` is changed, which is not followed",
            Label(s.span, "a value that carries a derivative is put there"),
            why="it is not known what reads it again",
            fixes=[Fix("keep it in a list or a dictionary, or in an attribute of its own")],
        )


def _is_read_again(s: S.Store | S.Update, facts: Facts) -> bool:
    """Whether items are taken out of an object from outside, such as an array of objects, that an
    array is put into: it is that very array then, under another name."""
    objects = facts.memory.objects(s.base, s.site)
    return any(
        isinstance(t, S.Load | S.For | S.Unpack)
        and any(objects & facts.memory.objects(v, t.site) for v in reads_of(t))
        for t in statements(facts.fn.body)
    )


def into_integers(s: S.Store, facts: Facts) -> Iterator[Diagnostic]:
    """The error where a float is cut off, perhaps: of several arrays, one may hold integers."""
    kind, dtype = facts.kinds.at(s.site, s.base), None
    if isinstance(kind, Array) and kind.dtype is None:
        others = facts.aliasing.partners(frozenset({s.base}), s.site)
        kinds = [facts.kinds.at(s.site, v) for v in sorted(others)]
    else:
        kinds = [kind]
    for k in kinds:
        if isinstance(k, Array) and k.dtype is not None and not is_differentiable(k):
            dtype = k.dtype
    if dtype is not None:
        maybe = "what may be " if isinstance(kind, Array) and kind.dtype is None else ""
        yield Diagnostic(
            "AD306",
            f"a float is written into {maybe}an array of {dtype}",
            Label(s.span, "the derivative is lost here"),
            why=f"`{facts.fn.source_name(s.base)}` holds whole numbers, so the fraction is cut off",
            fixes=[Fix("make it an array of floats: `np.zeros(n)`, not `np.zeros(n, int)`")],
        )


def read_while_stored(s: S.Bind, facts: Facts) -> Iterator[Diagnostic]:
    """The error where values that are stored by flat position may be elements of the very array:
    NumPy stores one by one, and reads there what it has just stored."""
    match s.value:
        case E.Call(fn=E.Ref(value=fn), args=(E.Name(id=value), E.Name(id=base), _)) if (
            fn is runtime.repeated_into and facts.aliasing.together(value, base, s.site)
        ):
            yield Diagnostic(
                "AD302",
                "parts of an array are stored in the same array by their flat position",
                Label(s.span, "what is read here may be overwritten on the way"),
                why="NumPy stores one element after the other, so that it reads what it has just "
                "stored",
                fixes=[Fix("copy what is stored: `a.flat[1:] = a[:-1].copy()`")],
            )
        case _:
            pass


def changed_in_form(s: S.Keep, facts: Facts) -> Iterator[Diagnostic]:
    """The error where the shape, the type or the strides of an array are assigned: what is known of
    it, by any of its names, is that of before."""
    base, assigned = form_assigned(s, facts), assigned_attribute(s)
    if base is None or assigned is None:
        return
    name, attr = facts.fn.source_name(base), assigned[1]
    instead = {"shape": "reshape", "dtype": "view"}.get(attr)
    yield Diagnostic(
        "AD201",
        "this statement cannot be differentiated yet",
        Label(s.span, f"the {attr} of `{name}` is changed in place"),
        why="every name of the array sees another form of it from here on",
        fixes=[Fix(f"`{name} = {name}.{instead}(...)`")] if instead else [],
    )


def form_assigned(s: S.Keep, facts: Facts) -> str | None:
    """The array whose shape, type or strides are assigned."""
    match assigned_attribute(s):
        case (base, "shape" | "dtype" | "strides", _) if (
            isinstance(facts.kinds.at(s.site, base), Array)
        ):
            return base
        case _:
            return None
