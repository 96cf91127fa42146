"""Residuals: how the pullback gets at each primal value, decided on demand.

For `u` needed at a statement, the first of these that applies:

- header: it is the index of a loop, and the reversed loop runs over the same values;
- final: it is not bound again, so that the value at the end of the forward function will do;
- recompute: it is an element, a view or shape arithmetic of values had without a record;
- record: the forward function keeps it, once for each time its block is executed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from adtrans import runtime
from adtrans.analyses.aliasing import sources
from adtrans.analyses.facts import Facts
from adtrans.analyses.loops import Leaf, is_position, leaves
from adtrans.analyses.memory import is_basic, is_plain_attribute
from adtrans.analyses.naming import Naming, naming
from adtrans.analyses.needs import contents_in, is_cheap_arithmetic, is_reloaded
from adtrans.analyses.structure import BODY, BlockId
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Kind, Known, Scalar, TupleOf, is_immutable, may_change
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, names_in, reads_of, statements, substitute
from adtrans.transforms.bases import Base, Derivations, never_written

Way = Literal["header", "final", "recompute", "record"]


@dataclass(frozen=True, slots=True)
class Fetch:
    """One primal value in the pullback: `name` there, and how it comes about.

    `value` is what is kept or recomputed, as an expression over primal variables; `at` the
    statement and `after` the side of it where that is evaluated; `block` the block that is fetched
    with it. `copy`: the contents are overwritten later, so a copy is kept.
    """

    way: Way
    name: str
    value: E.Expr
    at: int
    after: bool
    block: BlockId
    copy: bool = False
    kind: Kind | None = field(default=None, compare=False)
    stack: str = ""


@dataclass
class Residuals:
    """Decides and remembers; one object serves one forward/pullback pair.

    Requests are idempotent: the same question gets the same name.
    """

    facts: Facts
    names: NameAllocator
    fetches: dict[tuple[object, ...], Fetch] = field(default_factory=dict)
    local: dict[str, dict[str, list[BlockId]]] = field(default_factory=dict)
    bases: frozenset[Base] = frozenset()
    naming: Naming = field(init=False)

    def __post_init__(self) -> None:
        self.naming = naming(self.facts.fn)

    @cached_property
    def read(self) -> frozenset[str]:
        """The variables that a statement reads."""
        return frozenset(v for s in statements(self.facts.fn.body) for v in reads_of(s))

    def named(self, var: str, site: int, result: bool) -> tuple[int, bool]:
        """The place, this or an earlier one, where the name of `var` stands for it."""
        f = self.facts
        if is_position(var) or self.naming.reachable(var, site, after=result):
            return site, result
        d = f.definitions
        sites = d.sites.get(var, ())
        if var in d.params and not sites:
            return f.fn.body[0].site, False
        if len(sites) == 1 and var not in d.params and not d.loops[sites[0]]:
            return sites[0], True
        earlier = self.earlier(var, site)
        if earlier is not None:
            return earlier
        raise AssertionError(f"`{var}` has no name at {site}")

    # -- which way ---------------------------------------------------------------------------

    def earlier(self, var: str, site: int) -> tuple[int, bool] | None:
        """The last place on every way to `site`, behind (True) or before a statement, where the
        name stands for `var`."""
        d, block = self.facts.definitions, self.facts.structure.block
        around = {block[site], *self.facts.structure.ancestors(block[site])}
        order = list(d.statements)
        inner = False
        for p in reversed(order[: order.index(site)]):
            again = {*d.loops[site]} - {*d.loops[p]}  # loops in which `site` may come a second time
            if any(again & {s, *d.loops[s]} for s in d.sites.get(var, ())):
                return None
            if p in d.parents[site]:
                continue
            if block[p] in around:
                if self.naming.reachable(var, p, after=True):
                    return p, True
                if inner or var in binds_of(d.statements[p]):
                    return None
                if self.naming.reachable(var, p, after=False):
                    return p, False
            elif var in binds_of(d.statements[p]):
                inner = True  # in a branch or loop that starts further up
        return None

    def way(
        self, var: str, site: int, result: bool = False, depth: int = 0, *, contents: bool = True
    ) -> tuple[Way, int]:
        """How `var`, as it is before (or, for a result, after) `site`, is had: the way and place.

        `contents` False: only its shape is asked for, which no write changes.
        """
        f = self.facts
        if is_position(var):
            return "header", int(var[2:])
        stale = contents and self._stale(var, site, result)
        derived = None if stale else self._derived(var, site, result)
        if derived is not None:
            return "recompute", derived
        if contents and (site, var, result) in f.saved:
            return "record", site
        sites = tuple(d for d in f.definitions.sites.get(var, ()))
        loops = [loop.site for loop in f.structure.loops(site)]
        if len(sites) == 1 and sites[0] in loops and isinstance(f.structure.stmts[sites[0]], S.For):
            if self._from_header(var, sites[0]):
                return "header", sites[0]
        if not self._renamed_later(var, site, result):
            return "final", site
        if len(sites) == 1 and var not in f.definitions.params and self._always_same(sites[0]):
            if not self._renamed_later(var, site, result, others=True):
                return "final", site
        if len(sites) == 1 and var not in f.definitions.params:
            d = sites[0]
            if f.structure.dominates(d, site) or (d == site and result):
                if depth < 6 and not stale and self._recomputable(d, depth):
                    return "recompute", d
                return "record", d
        return "record", site

    def _derived(self, var: str, site: int, result: bool) -> int | None:
        """The statement that computes `var` from an array of which a copy is kept (see `bases`)."""
        if not self.bases:
            return None
        f = self.facts
        derive = Derivations(f, lambda v, at: self.without_record(v, at, 4))
        d = derive.single(var)
        if d is None or not (f.structure.dominates(d, site) or (d == site and result)):
            return None
        base = derive.base_of(d)
        return d if base is not None and (f.structure.block[d], base) in self.bases else None

    def _stale(self, var: str, site: int, result: bool) -> bool:
        """Whether `var` looks into an array of which a copy is kept, and sees what was written
        there since: it is not what it would be if it were taken from the copy."""
        derive = Derivations(self.facts, lambda v, at: self.without_record(v, at, 4))
        d = derive.single(var) if self.bases else None
        if d is None or not self._looks_into_copy(d, derive):
            return False
        return not derive.unwritten(self.facts.structure.block[d], var, site, result)

    def _looks_into_copy(self, d: int, derive: Derivations, depth: int = 0) -> bool:
        s, f = self.facts.structure.stmts[d], self.facts
        if depth > 8:
            return True
        for v in sources(s, f.kinds, f.apps, {}):
            above = derive.single(v)
            if (f.structure.block[d], v) in self.bases:
                return True
            if above is not None and self._looks_into_copy(above, derive, depth + 1):
                return True
        return False

    def place(self, var: str, site: int, result: bool) -> tuple[int, bool]:
        """Where a value that is recorded at its use is kept: right where it came to be in the same
        block, so that several uses of one value share a record. (statement, after it?)"""
        f = self.facts
        if result:
            return site, True
        block = f.structure.contents[f.structure.block[site]]
        for s in reversed(block[: f.structure.position[site]]):
            if any(var in binds_of(inner) for inner in statements((s,))):
                return s.site, True
        return block[0].site, False

    def _renamed_later(
        self, var: str, site: int, result: bool, *, others: bool = False
    ) -> bool:
        """Whether the user's name for `var` may be bound again after the value in question, with
        `others` for another variable."""
        f = self.facts
        later = set(f.definitions.redefined_after(site))
        if not result:
            own = f.structure.stmts[site]
            later |= {v for inner in statements((own,)) for v in binds_of(inner)}
        name = f.fn.source_name(var)
        return any(f.fn.source_name(v) == name and not (others and v == var) for v in later)

    def _named_here(self, var: str, site: int, result: bool) -> bool:
        """Whether the user's name for `var` means it, from here to the end."""
        named = self.naming.reachable(var, site, after=result)
        return named and not self._renamed_later(var, site, result)

    def _always_same(self, site: int) -> bool:
        """Whether a definition in a loop binds the same value each time: a stored attribute."""
        s, f = self.facts.structure.stmts[site], self.facts
        if not (isinstance(s, S.Bind) and isinstance(s.value, E.Attribute)):
            return False
        base = s.value.base
        if not isinstance(base, E.Name) or not is_plain_attribute(s.value, site, f.kinds):
            return False
        moves = base.id in f.definitions.redefined_after(site)
        return not moves and not f.memory.objects(base.id, site) & f.memory.written

    def without_record(self, var: str, site: int, depth: int = 0) -> bool:
        """Whether `var` at `site` can be had without keeping anything for it."""
        return self.way(var, site, depth=depth)[0] != "record"

    def _recomputable(self, site: int, depth: int) -> bool:
        s, f = self.facts.structure.stmts[site], self.facts
        match s:
            case S.Load():
                if isinstance(f.kinds.at(site, s.base), Array) and not is_basic(
                    s.items, site, f.kinds
                ):
                    return False
                if is_reloaded(s.base, s.target, site, f.kinds):
                    if f.needs.clobbered(site, "reload"):
                        return False
                reads = {s.base}.union(*(names_in(i) for i in s.items))
            case S.Alias():
                reads = {s.source}
            case S.Bind():
                app = f.apps.get(site)
                kind = f.kinds.var(s.target)
                cheap = (
                    app is not None
                    and not app.rule.impure
                    and (
                        (app.rule.cheap and (_is_int(kind) or isinstance(kind, TupleOf | Known)))
                        or app.result == "view"
                    )
                )
                number = isinstance(kind, Scalar | Array)
                if number and is_cheap_arithmetic(s.value) and never_written(f, s):
                    cheap = not f.needs.clobbered(site, "recompute")
                if not (cheap or isinstance(s.value, E.Const | E.Ref)):
                    return False
                if any(may_change(f.kinds.at(site, n)) for n in names_in(s.value)):
                    if f.needs.clobbered(site, "recompute"):
                        return False
                reads = names_in(s.value)
            case _:
                return False
        return all(self.without_record(r, site, depth + 1) for r in reads)

    def _leaf(self, var: str, loop: int) -> Leaf | None:
        s = self.facts.structure.stmts[loop]
        assert isinstance(s, S.For)
        return leaves(s, self.facts.kinds).get(var)

    def _from_header(self, var: str, loop: int) -> bool:
        """Whether a loop target can be had again from the position and what is iterated over."""
        leaf = self._leaf(var, loop)
        if leaf is None:
            return False
        if leaf.source is None:
            return True
        f = self.facts
        clobbered = is_reloaded(leaf.source, var, loop, f.kinds)
        clobbered = clobbered and f.needs.clobbered(loop, "reload")
        return not clobbered and self.without_record(leaf.source, loop, 1)

    # -- requests ----------------------------------------------------------------------------

    def value(self, var: str, site: int, *, result: bool = False) -> E.Expr:
        """The name that `var` has in the pullback, as it was before or after `site`."""
        return self._request(E.Name(var), var, site, result)

    def reference(self, var: str, site: int, *, result: bool = False) -> E.Expr:
        """The name of `var` where what it holds does not matter (or was asked for before)."""
        contents = self.facts.needs.covers(site, var, result)
        return self._request(E.Name(var), var, site, result, contents=None if contents else False)

    def shape(self, var: str, site: int, *, result: bool = False) -> E.Expr:
        """The shape of the array `var` at `site`: constants where known."""
        site, result = self.named(var, site, result)
        kind = self.facts.kinds.var(var)
        if isinstance(kind, Array) and kind.dims is not None:
            sizes = [d.value if d is not None else None for d in kind.dims]
            if all(n is not None for n in sizes):
                return E.Sequence("tuple", tuple(E.Const(n) for n in sizes))
        way, _ = self.way(var, site, result, contents=False)
        if way == "record" and isinstance(kind, Array):
            twin = self._same_shape(var, kind, site, result)
            if twin is not None:
                return twin
        if way in ("header", "recompute"):
            return E.Attribute(
                self._request(E.Name(var), var, site, result, contents=False), "shape"
            )
        value: E.Expr = E.Attribute(E.Name(var), "shape")
        if not isinstance(kind, Array):
            value = E.Call(E.Ref("np.shape", np.shape), (E.Name(var),))
        return self._request(value, var, site, result)

    def _same_shape(self, var: str, kind: Array, site: int, result: bool) -> E.Expr | None:
        """The shape of another array that is kept anyway and is certainly as large."""
        if kind.dims is None or None in kind.dims:
            return None
        f = self.facts
        for p in (q.name for q in f.fn.params):
            other = f.kinds.var(p)
            same = isinstance(other, Array) and other.dims == kind.dims
            if same and self._named_here(p, site, result):
                return self._request(E.Attribute(E.Name(p), "shape"), p, site, result)
        for v in sorted(f.definitions.sites):
            other = f.kinds.var(v)
            same = v != var and isinstance(other, Array) and other.dims == kind.dims
            same = same and v in self.read  # a name is all that is left of an unused result
            if same and not self._may_be_unbound(v) and self._named_here(v, site, result):
                if any(f.structure.dominates(d, site) for d in f.definitions.sites[v]):
                    return self._request(E.Attribute(E.Name(v), "shape"), v, site, result)
        return None

    def expression(self, e: E.Expr, site: int, *, contents: bool = True) -> E.Expr:
        """`e` with each variable replaced by its name in the pullback.

        `contents` False: what the arrays hold does not matter here (it is views that are taken,
        lengths that are asked for), or is somebody else's need.
        """
        if isinstance(e, E.Verbatim):
            raise AssertionError(f"a verbatim expression cannot be evaluated again: {e}")
        read = contents_in(e, site, self.facts.kinds) if contents else set()
        by = {
            n: self._request(E.Name(n), n, site, False, contents=None if n in read else False)
            for n in sorted(names_in(e))
        }
        return substitute(e, by)

    def available(self, e: E.Expr, site: int) -> bool:
        """Whether an expression over numbers can be evaluated again without keeping anything."""
        if any(isinstance(x, E.Verbatim | E.Call | E.Index) for x in _walk(e)):
            return False
        return all(
            is_immutable(self.facts.kinds.at(site, n)) and self.without_record(n, site)
            for n in names_in(e)
        )

    def kept(self, hint: str, value: E.Expr, site: int, *, after: bool = False) -> E.Expr:
        """An expression that the forward function evaluates at `site` and keeps, newly named."""
        key = ("kept", str(value), site, after)
        if key not in self.fetches:
            block = self.facts.structure.block[site]
            name = self.names.fresh(hint)
            stack = self.names.fresh(f"{hint}_saved")
            self.fetches[key] = Fetch(
                "record", name, value, site, after, block, stack=stack
            )
        return E.Name(self.fetches[key].name)

    def address(self, var: str, site: int, result: bool) -> E.Expr:
        """The address of the array that `var` refers to before (or after) `site`."""
        if not result:
            site, result = self.place(var, site, False)
        note = E.Call(E.Ref("address_of", runtime.address_of), (E.Name(var),))
        return self.kept(f"{self.facts.fn.source_name(var)}_at", note, site, after=result)

    def _request(
        self, value: E.Expr, var: str, site: int, result: bool, *, contents: bool | None = None
    ) -> E.Expr:
        f = self.facts
        bare = isinstance(value, E.Name)
        block = None if is_position(var) else f.structure.block[site]
        if bare and not result and block is not None and (block, var) in self.bases:
            if Derivations(f, self.without_record).untouched(block, var, site):
                first = f.structure.contents[block][0].site
                own, held = f.fn.source_name(var), f.kinds.at(site, var)
                base_key = ("base", block, var)
                return self._put(base_key, "record", own, value, first, False, block, True, held)
        checked = bare and contents is not False and not is_position(var)
        if checked and not f.needs.covers(site, var, result):
            held = f.kinds.at(site, var) if not result else f.kinds.var(var)
            if not is_immutable(held):
                raise AssertionError(f"`{var}` is read at {site} without a need for its contents")
        way, place = self.way(var, site, result, contents=bare if contents is None else contents)
        hint = (
            var.partition("#")[0]
            if is_position(var)
            else f.fn.source_name(var)
            if bare
            else f"{f.fn.source_name(var)}_shape"
        )
        kind = f.kinds.var(var) if bare else None
        if way == "final" and not bare and self._may_be_unbound(var):
            d = f.definitions.sites[var][0]
            if len(f.definitions.sites[var]) == 1 and f.structure.dominates(d, site):
                way, place = "record", d
            else:  # on the way where it is not bound, nothing asks for it: any shape will do
                value = E.Call(E.Ref("np.shape", np.shape), (E.Name(var),))
        if way == "header":
            leaf = None if is_position(var) else self._leaf(var, place)
            expr = E.Name(var) if leaf is None or leaf.value is None else leaf.value
            if isinstance(expr, E.Name) and is_position(expr.id):
                var = expr.id
            key: tuple[object, ...] = ("header", var, place)
            return self._put(key, "header", hint, expr, place, False, (place, 0), False, kind)
        if way == "final":
            return self._put(
                ("final", str(value)), "final", hint, value, place, False, BODY, False, kind
            )
        if way == "recompute":
            s = f.structure.stmts[place]
            source: E.Expr
            match s:
                case S.Load():
                    source = E.Index(E.Name(s.base), s.items)
                case S.Alias():
                    source = E.Name(s.source)
                case S.Bind():
                    source = s.value
                case _:
                    raise AssertionError(f"cannot recompute {s}")
            key = ("recompute", var, place)
            return self._put(
                key, "recompute", hint, source, place, True, f.structure.block[place], False, kind
            )
        copy = bare and contents is not False and (site, var, result) in f.saved
        after = result if place == site else True
        if place == site and not copy:
            place, after = self.place(var, site, result)
        if not bare and not after and self._may_be_unbound(var):
            # where it is not bound yet, any shape will do
            value = E.Call(E.Ref("np.shape", np.shape), (E.Name(var),))
        key = ("record", str(value), place, after, copy)
        return self._put(
            key, "record", hint, value, place, after, f.structure.block[place], copy, kind
        )

    def _local_name(self, hint: str, block: BlockId) -> str:
        """A name for a value that is fetched with a block: blocks apart may use the same."""
        around = self.facts.structure.ancestors
        for name, blocks in self.local.setdefault(hint, {}).items():
            if all(b not in around(block) and block not in around(b) for b in blocks):
                blocks.append(block)
                return name
        name = self.names.fresh(hint)
        self.local[hint][name] = [block]
        return name

    def _may_be_unbound(self, var: str) -> bool:
        """Whether a variable has no value on some way to the end of the function."""
        f = self.facts
        sites = [
            d
            for d in f.definitions.sites.get(var, ())
            if not isinstance(f.structure.stmts[d], S.For)
        ]
        return var not in f.definitions.params and all(f.structure.block[d] != BODY for d in sites)

    def _put(
        self,
        key: tuple[object, ...],
        way: Way,
        hint: str,
        value: E.Expr,
        at: int,
        after: bool,
        block: BlockId,
        copy: bool,
        kind: Kind | None,
    ) -> E.Expr:
        if key not in self.fetches:
            local = way in ("header", "recompute") and block != BODY
            name = self._local_name(hint, block) if local else self.names.fresh(hint)
            stack = self.names.fresh(f"{hint}_saved") if way == "record" else ""
            self.fetches[key] = Fetch(way, name, value, at, after, block, copy, kind, stack)
        return E.Name(self.fetches[key].name)


def _is_int(kind: Kind) -> bool:
    return isinstance(kind, Scalar) and kind.type in ("int", "bool")


def _walk(e: E.Expr) -> list[E.Expr]:
    found = [e]
    for c in E.children(e):
        found.extend(_walk(c))
    return found
