"""Which adjoints are found by address: those of names that may mean one array or another.

    b = a if far else x
    b[0] = 0.0              does it clear the adjoint of `a`, or of `x`?

Which array it is, is known when the program runs: the forward function notes the address, and the
pullback finds the adjoint of the memory there. Everything that such a name may refer to is found in
the same way, also under its other names: two adjoints are one wherever two arrays are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from adtrans.analyses import nested
from adtrans.analyses.abstract import Obj, containers
from adtrans.analyses.aliasing import sources
from adtrans.analyses.apply import Application
from adtrans.analyses.arrays_held import (
    HOLDERS,
    has_numbers,
    holds_arrays,
    is_float,
    is_floats,
    is_of_arrays,
    may_refer,
    or_none,
    with_arrays,
)
from adtrans.analyses.definitions import Definitions
from adtrans.analyses.effects import Summary
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.loops import leaves
from adtrans.analyses.points_to import Memory
from adtrans.analyses.references import READ_ONLY, reference
from adtrans.analyses.subscripts import is_advanced, is_basic
from adtrans.analyses.writes import actuals
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    Array,
    Container,
    Kind,
    ListOf,
    Mixed,
    TupleOf,
    is_immutable,
)
from adtrans.ir.walk import binds_of, reads_of, statements
from adtrans.runtime import key_walk

NOTHING: frozenset[str] = frozenset()


def written_as(param: str, mem: Memory) -> list[str]:
    """The names under which a written argument may be written, its own first."""
    itself = Obj("param", param)
    return list(dict.fromkeys([param, *(w.var for w in mem.writes if itself in w.objects)]))


def by_item(var: str, s: S.Stmt, kind: Kind) -> bool:
    """Whether a statement that reads a tuple or list takes items out or puts some in, or asks how
    many there are; a tuple of arrays may be put into a list itself."""
    if is_of_arrays(kind) and var in put_in(written_into(s), s):
        return True
    match s:
        case S.Bind(value=E.Call(fn=E.Ref(value=called))):
            return called in (len, key_walk)
        case S.Edit(op="keys"):
            return True
        case S.Edit():
            if s.op in S.JOINS:
                return True
            if s.base != var:  # its items go into another list
                return s.op in ("extend", "splice")
            return s.op in S.CHANGES and E.Name(var) not in s.args
        case S.Store():
            return s.base == var and s.value != E.Name(var)
        case S.If() | S.While():  # a test: what it tells carries no derivative
            return True
        case S.Bind(value=E.Compare(ops=("is" | "is not",), rights=(E.Const(value=None),))):
            return True
        case S.SetAttr(mirror=True):  # only shows the object's attribute to the user
            return True
        case _:
            return isinstance(s, S.Alias | S.Load | S.Unpack | S.For)


def as_whole(kind: Kind, s: S.Stmt) -> bool:
    """Whether a statement reads all of a list, so that each array in it gets its part of an adjoint
    that is a list as well."""
    if not isinstance(kind, ListOf):
        return False
    if isinstance(s, S.Edit):
        return s.op not in (*S.CHANGES, *S.JOINS, *S.ORDER)
    return isinstance(s, S.Bind | S.Return)


def written_into(s: S.Stmt) -> str:
    """The container that a statement puts something into, if it does."""
    return s.base if isinstance(s, S.Edit | S.Store) else ""


def put_in(var: str, s: S.Stmt) -> frozenset[str]:
    """The variables that a statement puts into the list `var`."""
    match s:
        case S.Edit() if s.base == var and s.op in S.CHANGES:
            return frozenset(a.id for a in s.args if isinstance(a, E.Name))
        case S.Store(value=E.Name(id=name)) if s.base == var:
            return frozenset({name})
        case _:
            return NOTHING


@dataclass(frozen=True, slots=True)
class World:
    """What decides whether an address tells the array. `given`: arguments of which it is looked at,
    when the function is called, whether arrays in them share memory."""

    fn: S.Function
    kinds: Kinds
    apps: Mapping[int, Application]
    mem: Memory
    defs: Definitions
    summaries: Mapping[int, Summary]
    apart: frozenset[str]
    given: frozenset[str] = frozenset()
    reading: Mapping[str, tuple[S.Stmt, ...]] = field(init=False, repr=False)
    pairs: tuple[tuple[str, ...], ...] = field(init=False, repr=False)
    known: dict[str, frozenset[str]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        reading: dict[str, list[S.Stmt]] = {}
        pairs: list[tuple[str, ...]] = []
        for s in statements(self.fn.body):
            pairs += map(tuple, nested.put_together(s, self.kinds, self.summaries))
            for v in dict.fromkeys(reads_of(s)):
                if isinstance(self.kinds.var(v), HOLDERS):
                    reading.setdefault(v, []).append(s)
        object.__setattr__(self, "reading", {v: tuple(found) for v, found in reading.items()})
        object.__setattr__(self, "pairs", tuple(pairs))
        object.__setattr__(self, "known", {})

    def addressed(self, unclear: Iterable[str], sharing: AbstractSet[str]) -> frozenset[str]:
        """The variables in `unclear` that can be told apart by address, with all that they may
        refer to and all of `sharing` that may refer to the same."""
        found: frozenset[str] = NOTHING
        for var in unclear:
            if var not in found:
                group = self.group(var, sharing)
                found |= group if self.tells(group) else NOTHING
        return found

    def tells(self, group: frozenset[str]) -> bool:
        """Whether the variables of a group can all be told apart by address."""
        if not all(map(self.suits, group)) or not nested.stays(group, self.kinds, self.mem):
            return False
        return not (
            any(isinstance(self.kinds.var(v), Container) for v in group)
            and nested.seen_elsewhere(group, self.fn, self.kinds, self.mem)
        )

    def of_arrays(self) -> World:
        """The same where None counts as an array in lists and dictionaries of arrays, so that these
        hold pointers to arrays, and are none whose items have adjoints by their places."""
        return replace(self, kinds=self.kinds.changed(with_arrays))

    def group(self, var: str, sharing: AbstractSet[str]) -> frozenset[str]:
        """The variables whose adjoints may share memory with that of `var`."""
        found = {var}
        while True:
            more = {s for v in found for s in self.sources(v)}
            more |= {v for v in sharing if not found.isdisjoint(self.sources(v))}
            more |= {v for t in found for s in self.readers(t) for v in self.items_of(t, s)}
            more |= set(self.put_with(found))
            more = {v for v in more if not is_immutable(self.kinds.var(v))}  # has it by value
            if more <= found:
                return frozenset(found)
            found |= more

    def put_with(self, names: AbstractSet[str]) -> Iterator[str]:
        """The lists that one of the variables is put into, and what is put into one of them."""
        for pair in self.pairs:
            if not names.isdisjoint(pair):
                yield from pair

    def sources(self, var: str) -> frozenset[str]:
        """The variables whose memory `var` may look into, as its definitions say."""
        if var not in self.known:
            self.known[var] = self.looked_into(var)
        return self.known[var]

    def looked_into(self, var: str) -> frozenset[str]:
        put = (v for s in self.readers(var) for v in put_in(var, s))
        held = frozenset(v for v in put if may_refer(self.kinds.var(v)))
        return held.union(*(self.looks_into(var, s) for s in self.definitions(var)))

    def definitions(self, var: str) -> list[S.Stmt]:
        sites = (self.defs.statements[d] for d in self.defs.sites.get(var, ()))
        return [s for s in sites if not isinstance(s, S.Update)]

    def looks_into(self, var: str, s: S.Stmt) -> frozenset[str]:
        if isinstance(s, S.For):
            leaf = leaves(s, self.kinds).get(var)
            known = leaf is not None and leaf.source is not None
            return frozenset({str(leaf.source)}) if leaf is not None and known else NOTHING
        found = reference(s, self.kinds, self.apps, self.summaries, self.apart)
        return NOTHING if found is None else sources(s, self.kinds, self.apps, self.summaries)

    def suits(self, var: str) -> bool:
        """Whether `var` is always an array of floats whose elements have memory of their own, and
        comes from where its adjoint can be handed on."""
        kind = self.kinds.var(var)
        if isinstance(kind, HOLDERS) and not nested.is_leaf(kind) and self.hands_through(var):
            return True
        if nested.is_leaf(kind) or nested.is_nest(kind):
            return nested.by_identity(
                var, self.fn, self.kinds, self.apps, self.mem, self.defs, self.summaries
            )
        if isinstance(kind, HOLDERS):
            return self.hands_through(var)
        if or_none(kind) and not any(p.name == var for p in self.fn.params):
            assert isinstance(kind, Mixed)
            kind = kind.array  # None has no adjoint, and what is done with it raises
        if not isinstance(kind, Array) or not (kind.least_ndim or self.is_single(var, kind)):
            return False
        if not is_float(kind) and (kind.dtype or not self.refers(var)):
            return False
        if any(o.form in ("global", "list") for o in self.mem.objects(var)):
            return False
        if any(o.form == "held" and o.key not in self.given for o in self.mem.objects(var)):
            return False
        return all(self.hands_on(var, s) for s in self.definitions(var))

    def is_single(self, var: str, kind: Array) -> bool:
        """Whether `var` always is an array of one number, and never a number itself."""
        return kind.ndim == 0 and bool(self.mem.objects(var))

    def refers(self, var: str) -> bool:
        """Whether `var` never is anything but another variable's array, or a view of it."""
        made = self.definitions(var)
        known = (
            isinstance(s, S.Alias)
            or (isinstance(s, S.Load) and is_basic(s.items, s.site, self.kinds))
            for s in made
        )
        return bool(made) and var not in self.defs.params and all(known)

    def hands_through(self, var: str) -> bool:
        """Whether `var` always is a tuple or list that is made of variables and only changed by
        its items, so that the arrays in it can be told by the addresses of these."""
        made, kind = self.definitions(var), self.kinds.var(var)
        param = var in self.defs.params
        if param:
            items = nested.items_of(kind) if isinstance(kind, Container) else (kind,)
            if made or var not in self.given or not all(map(is_floats, items)):
                return False
        return (
            (param or bool(made))
            and holds_arrays(kind)
            and all(
                self.collects(s) or self.splits(s) or self.finds(var, s) or self.gets(var, s)
                for s in made
            )
            and not (has_numbers(kind) and self.changes_in_turn(var))
            and all(
                by_item(var, s, kind) or self.packed(var, s) or self.read_whole(var, s)
                for s in self.readers(var)
            )
        )

    def changes_in_turn(self, var: str) -> bool:
        """Whether a loop goes over a list that it changes: which tuple is where in it is found out
        before the loop."""
        for s in self.readers(var):
            if not isinstance(s, S.For):
                continue
            held = containers(self.mem.objects(var, s.site))
            inside = {t.site for t in statements(s.body)}
            for w in self.mem.writes:
                listed = isinstance(self.kinds.at(w.site, w.var), Container)
                if listed and w.site in inside and not held.isdisjoint(w.objects):
                    return True
        return False

    def packed(self, var: str, s: S.Stmt) -> bool:
        """Whether a statement puts a tuple of arrays into a tuple or list; or makes one that nobody
        reads, as are those which were taken apart (`tuples`)."""
        if not isinstance(s, S.Pack):
            return False
        kept = is_of_arrays(self.kinds.var(var)) and var in self.looks_into(s.target, s)
        return kept or not self.readers(s.target)

    def read_whole(self, var: str, s: S.Stmt) -> bool:
        """Whether a statement reads all of a container, or hands it to a function, so that each
        array in it gets its part of an adjoint that is a container as well."""
        kind = self.kinds.var(var)
        if isinstance(s, S.Invoke) and isinstance(kind, Container):
            return nested.handed(var, s, self.kinds, self.summaries)
        if isinstance(s, S.Invoke) and isinstance(kind, TupleOf):
            return self.only_read(var, s)
        return as_whole(kind, s)

    def only_read(self, var: str, s: S.Invoke) -> bool:
        """Whether a function that gets a tuple writes nothing that is in it, and returns a
        number."""
        summary = self.summaries.get(s.site)
        if summary is None or (s.target is not None and not is_immutable(self.kinds.var(s.target))):
            return False
        mine = [p for p, a in actuals(s, summary).items() if a == E.Name(var)]
        plain = nested.handed(var, s, self.kinds, self.summaries)
        return plain and summary.written().isdisjoint(mine)

    def collects(self, s: S.Stmt) -> bool:
        """Whether a statement makes a tuple or list of what has names, or is in other lists; or
        None, where there may be one later."""
        if isinstance(s, S.Bind):
            return s.value == E.NONE
        if isinstance(s, S.Edit):
            return s.op in S.JOINS
        if isinstance(s, S.Load):
            return any(isinstance(i, E.Slice) for i in s.items)
        return isinstance(s, S.Alias | S.Pack)

    def finds(self, var: str, s: S.Stmt) -> bool:
        """Whether a statement takes a tuple of arrays out of a list or tuple that is made of
        variables: what a call returned hands its adjoint back as a whole."""
        match s:
            case S.Load(base=source) | S.Unpack(source=source) | S.Edit(op="pop", base=source):
                pass
            case S.For():
                leaf = leaves(s, self.kinds).get(var)
                source = "" if leaf is None or leaf.source is None else leaf.source
            case _:
                return False
        known = is_of_arrays(self.kinds.var(var)) and isinstance(self.kinds.var(source), HOLDERS)
        if source in self.apart:  # what it holds has adjoints of its own, and so no part of its
            return False
        return known and self.hands_through(source) and self.hands_on(var, s)

    def gets(self, var: str, s: S.Stmt) -> bool:
        """Whether a statement calls a function that returns a tuple of new arrays."""
        summary = self.summaries.get(s.site) if isinstance(s, S.Invoke) else None
        known = summary is not None and not summary.shares_result
        return known and is_of_arrays(self.kinds.var(var))

    def splits(self, s: S.Stmt) -> bool:
        """Whether a statement makes a list or tuple of parts of one array, all of them views."""
        app = self.apps.get(s.site) if isinstance(s, S.Bind) else None
        if app is None or app.result != "view" or not app.rule.gives_tuple(app.bound):
            return False
        return isinstance(app.source, E.Name)

    def readers(self, var: str) -> tuple[S.Stmt, ...]:
        """The statements that read a tuple or a list."""
        return self.reading.get(var, ())

    def items_of(self, var: str, s: S.Stmt) -> Iterator[str]:
        """The arrays that a statement takes out of a tuple, or the tuple under another name."""
        for v in binds_of(s):
            if may_refer(self.kinds.var(v)) and var in self.looks_into(v, s):
                yield v

    def hands_on(self, var: str, s: S.Stmt) -> bool:
        """Whether the statement that binds `var` can be reversed."""
        match s:
            case S.Alias():
                return True
            case S.Load():
                base = self.kinds.at(s.site, s.base)
                known = is_basic(s.items, s.site, self.kinds)
                known = known or is_advanced(s.items, s.site, self.kinds)
                return isinstance(base, HOLDERS) or (isinstance(base, Array) and known)
            case S.Bind(value=E.Const(value=None)):
                return True
            case S.Bind():
                app = self.apps.get(s.site)
                if app is None or app.rule.spelling in READ_ONLY:
                    return False
                return app.result == "fresh" or isinstance(app.source, E.Name)
            case S.Invoke():
                return s.site in self.summaries
            case S.Edit():
                return s.op == "pop"
            case S.Unpack():
                return s.source in self.apart or self.hands_through(s.source)
            case S.For():
                leaf = leaves(s, self.kinds).get(var)
                return leaf is not None and isinstance(leaf.value, E.Index)
            case _:
                return False

    def meets(
        self, var: str, base: Mapping[str, tuple[str, int]], addressed: AbstractSet[str]
    ) -> bool:
        """Whether `var`, or what it is a window on, is found by address."""
        while var in base and var not in addressed:
            var = base[var][0]
        return var in addressed
