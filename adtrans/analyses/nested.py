"""Lists of lists: containers that hold nothing but other containers, down to those of numbers.

    rows[i][j] = v          t = rows[i];  t[j] = v

Which list `t` is, depends on the run. Only the lists of numbers have adjoints, which are found by
their identity; what holds these holds pointers, and has no adjoint of its own. So it does not
matter in what order rows are, who else refers to them, or how often one of them is in a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from adtrans import runtime
from adtrans.analyses.abstract import containers
from adtrans.analyses.apply import Application
from adtrans.analyses.definitions import Definitions
from adtrans.analyses.effects import Summary
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.points_to import Memory
from adtrans.analyses.writes import actuals
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    Array,
    Container,
    DictOf,
    Instance,
    Kind,
    ListOf,
    Mixed,
    Never,
    TupleOf,
    is_anything,
    is_differentiable,
    is_immutable,
    present,
)
from adtrans.ir.walk import binds_of, reads_of, statements

_OF_NUMBERS = ("sum", "concatenate", "argmax", "argmin", "argsort")


def items_of(kind: Container) -> tuple[Kind, ...]:
    """The kinds of what a container holds."""
    fields = dict(kind.fields) if isinstance(kind, DictOf) else {}
    return tuple(fields.values()) or (kind.item,)


def is_leaf(kind: Kind) -> bool:
    """Whether values of a kind are lists or dictionaries of what cannot be changed, or of arrays
    among numbers, or None, which are taken as they are (and not written in place)."""
    return isinstance(kind, Container) and all(
        is_immutable(k) or isinstance(k, Mixed) for k in items_of(kind)
    )


def is_nest(kind: Kind) -> bool:
    """Whether values of a kind are containers of containers or arrays, down to leaves; in a
    dictionary with entries for what carries no derivative as well."""
    if not isinstance(kind, Container) or (holds_mixed(kind) and levels(kind) is None):
        return False
    inner = [k for k in items_of(kind) if not is_plain(k)]
    return bool(inner) and all(is_leaf(k) or is_nest(k) or isinstance(k, Array) for k in inner)


def is_plain(kind: Kind) -> bool:
    """Whether values of a kind neither change nor carry a derivative, such as counts and names."""
    return is_immutable(kind) and not is_differentiable(kind) and not isinstance(kind, Never)


def holds_mixed(kind: Kind) -> bool:
    """Whether arrays among numbers, or None, are in a container, however deep: only the kind tells
    then that a list which holds arrays is a leaf."""
    inner = items_of(kind) if isinstance(kind, Container) else ()
    return any(isinstance(k, Mixed) or holds_mixed(k) for k in inner)


def levels(kind: Kind) -> int | None:
    """How many containers are in one another down to the leaves; None where that varies.

    >>> levels(ListOf(ListOf(Mixed((), Array("float64", (None,)), none=True))))
    2
    """
    if is_leaf(kind):
        return 1
    inner = items_of(kind) if isinstance(kind, Container) else ()
    found = {levels(k) for k in inner}
    below = found.pop() if len(found) == 1 else None
    return None if below is None else below + 1


def address(var: str, kind: Kind) -> E.Expr:
    """The address of what a variable means."""
    deep = levels(kind) if holds_mixed(kind) else None
    given = (E.Name(var),) if deep is None else (E.Name(var), E.Const(deep))
    inside = _tuples(kind)
    words = () if inside is None else (("tuples", E.Const(inside)),)
    return E.Call(E.Ref("address_of", runtime.address_of), given, words)


def _tuples(kind: Kind) -> int | None:
    """How deep the tuples are that have tuples as adjoints; a tuple of any length has a list."""
    if isinstance(kind, TupleOf):
        return 0 if is_differentiable(kind) else None
    inner = items_of(kind) if isinstance(kind, Container) else ()
    found = [deep for k in inner if (deep := _tuples(k)) is not None]
    return None if is_leaf(kind) or not found else min(found) + 1


def stays(group: frozenset[str], kinds: Kinds, mem: Memory) -> bool:
    """Whether no array of a group is written in place, where some are in lists among numbers or
    None: what is in these has adjoints of its own, whatever names it has elsewhere. A list of
    nothing but arrays is none of them: its adjoints are found by the arrays, those of the others
    by the list."""
    if not any(holds_mixed(kinds.var(v)) for v in group):
        return True
    if any(_holds_arrays(kinds.var(v)) for v in group):
        return False
    arrays = [v for v in group if not isinstance(kinds.var(v), Container)]
    objects = frozenset(o for v in arrays for o in mem.objects(v))
    return not any(
        (w.var in arrays or not objects.isdisjoint(w.objects))
        and not isinstance(kinds.at(w.site, w.var), Container)
        for w in mem.writes
    )


def _holds_arrays(kind: Kind) -> bool:
    """Whether a container, or one in it, holds nothing but arrays."""
    inner = items_of(kind) if isinstance(kind, Container) else ()
    return any(isinstance(k, Array) or _holds_arrays(k) for k in inner)


def makes_leaf(s: S.Stmt) -> bool:
    """Whether a statement that binds a leaf makes it, and does not find it somewhere."""
    match s:
        case S.Load(items=items):
            return any(isinstance(i, E.Slice) for i in items)
        case S.Edit(op=op):
            return op != "pop"
        case _:
            return isinstance(s, S.Pack | S.Invoke)


def by_identity(
    var: str,
    fn: S.Function,
    kinds: Kinds,
    apps: Mapping[int, Application],
    mem: Memory,
    defs: Definitions,
    summaries: Mapping[int, Summary],
) -> bool:
    """Whether everything that is done with a leaf or a nest is understood, so that the adjoints of
    the leaves can be found by their identity."""
    if any(o.form not in ("list", "param") for o in containers(mem.objects(var))):
        return False
    if var in defs.params and defs.sites.get(var):
        return False
    for s in statements(fn.body):
        if var in binds_of(s) and not isinstance(s, S.Update) and not _finds(s, summaries):
            return False
        if var in reads_of(s) and not _uses(var, s, kinds, apps, summaries):
            return False
    return True


def _finds(s: S.Stmt, summaries: Mapping[int, Summary]) -> bool:
    """Whether a statement that binds a container can be reversed."""
    match s:
        case S.Alias() | S.Load() | S.Pack() | S.For():
            return True
        case S.Unpack():
            return s.star is None
        case S.Edit():
            return s.op in S.JOINS or s.op in ("pop", "keys")
        case S.Invoke():
            summary = summaries.get(s.site)
            return summary is not None and not summary.shares_result
        case _:
            return False


def _uses(
    var: str,
    s: S.Stmt,
    kinds: Kinds,
    apps: Mapping[int, Application],
    summaries: Mapping[int, Summary],
) -> bool:
    match s:
        case S.Load() | S.Store() | S.Alias() | S.For() | S.If() | S.While() | S.Return():
            return True
        case S.Unpack():
            return s.star is None
        case S.Pack():
            return s.kind == "list"
        case S.Edit():
            return is_leaf(kinds.at(s.site, s.base)) or s.op not in _OF_NUMBERS
        case S.Keep():
            return s.form == "plain" and not s.binds
        case S.Bind():
            app = apps.get(s.site)
            used = () if app is None else app.operands()
            return app is not None and all(e != E.Name(var) for _, e in used)
        case S.Invoke():
            return handed(var, s, kinds, summaries)
        case _:
            return False


def handed(var: str, s: S.Invoke, kinds: Kinds, summaries: Mapping[int, Summary]) -> bool:
    """Whether a function that gets a container keeps nothing of it, nor puts anything into it but
    what it makes, and arrays that it is given. It may return an array that was in it."""
    summary = summaries.get(s.site)
    if summary is None or s.fn == E.Name(var):
        return False
    given = actuals(s, summary)
    mine = [p for p, a in given.items() if a == E.Name(var)]
    kept = {q for _, held in summary.held for q in held}
    alone = len(mine) == 1 or not any(p in summary.written() for p in mine)
    for p, held in summary.held:
        put = [given.get(q) for q in held - {p}] if p in mine else []
        if not all(isinstance(a, E.Name) and isinstance(kinds.var(a.id), Array) for a in put):
            return False
    single = s.target is None or isinstance(kinds.var(s.target), Array)
    returned = () if single else summary.returns
    return alone and not any(p in (*returned, *kept) for p in mine)


def seen_elsewhere(group: frozenset[str], fn: S.Function, kinds: Kinds, mem: Memory) -> bool:
    """Whether another variable may refer to what the group refers to."""
    nested = (v for v in group if is_leaf(kinds.var(v)) or is_nest(kinds.var(v)))
    objects = frozenset(o for v in nested for o in containers(mem.objects(v)))
    bound = {v for s in statements(fn.body) for v in binds_of(s)} | {p.name for p in fn.params}
    holding = (v for v in bound - group if may_hold(kinds.var(v)))
    return any(not objects.isdisjoint(containers(mem.objects(v))) for v in holding)


def may_hold(kind: Kind) -> bool:
    """Whether a value may be or hold a container."""
    kind = present(kind)
    if isinstance(kind, TupleOf):
        return any(map(may_hold, kind.items))
    return isinstance(kind, Container | Instance) or is_anything(kind)


def put_together(
    s: S.Stmt, kinds: Kinds, summaries: Mapping[int, Summary]
) -> Iterator[tuple[str, str]]:
    """A container, and what a statement puts into it."""
    match s:
        case S.Store(base=base, value=E.Name(id=value)) if isinstance(
            kinds.at(s.site, base), ListOf | DictOf
        ):
            yield base, value
        case S.Edit(base=base, args=args) if s.op in S.CHANGES:
            yield from ((base, a.id) for a in args if isinstance(a, E.Name))
        case S.Invoke() if (summary := summaries.get(s.site)) is not None:
            given = actuals(s, summary)
            for p, held in summary.held:
                for a, b in ((given.get(p), given.get(q)) for q in sorted(held - {p})):
                    if isinstance(a, E.Name) and isinstance(b, E.Name):
                        yield a.id, b.id
        case _:
            return
