"""What the forward function keeps: for each request of the pullback a place, and a residual.

A value is kept where it is passed: by itself, in a list with an entry for each time, or in a row of
an array that is made before the loop. Beside it stand the checks, each next to its statement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from adtrans import runtime
from adtrans.analyses.facts import Facts
from adtrans.analyses.fixed import as_truth
from adtrans.analyses.loops import count
from adtrans.analyses.naming import naming
from adtrans.analyses.structure import BODY
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, ListOf, Scalar, TupleOf
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, blocks_of, names_in, reads_of, statements, substitute
from adtrans.transforms import adjoints as A
from adtrans.transforms.adjoints import dtype_argument
from adtrans.transforms.attempts import Attempts
from adtrans.transforms.checking import Checking
from adtrans.transforms.fresh import copied, items_copied
from adtrans.transforms.shapes import Shapes
from adtrans.transforms.unbound import Unbound, unbound
from adtrans.transforms.ways import Fetch

NO_OTHERS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Kept:
    """A residual: `entry` is evaluated at the end of the forward function, `name` is what the
    pullback unpacks it to; `stack`: a list that the pullback pops from; `fetch`: what it is for."""

    entry: E.Expr
    name: str
    fetch: Fetch
    stack: bool = False


@dataclass
class Keeping:
    """Decides what is kept, and where: `before` and `after` which statement, or at the `start`."""

    facts: Facts
    names: NameAllocator
    fetches: tuple[Fetch, ...]
    before: dict[int, list[C.Code]] = field(default_factory=dict)
    after: dict[int, list[C.Code]] = field(default_factory=dict)
    start: list[C.Code] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    needed: set[str] = field(default_factory=set)
    own: dict[str, str] = field(default_factory=dict)
    calls: dict[int, str] = field(default_factory=dict)
    targets: dict[int, str] = field(default_factory=dict)
    counts: dict[int, str] = field(default_factory=dict)
    tests: dict[int, E.Expr] = field(default_factory=dict)
    frozen: Mapping[int, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)  # see `another`
    unbound: Unbound = field(init=False)
    attempts: Attempts = field(init=False)
    spelled_out: set[int] = field(init=False)
    handed_on: frozenset[str] = field(init=False)
    apart: frozenset[str] = field(init=False)  # temporaries that no statement as written makes

    def __post_init__(self) -> None:
        self.attempts = Attempts(self.facts, self.names)
        self.unbound = unbound(self.facts)
        self.spelled_out = parted(self.facts.fn.body)
        made: dict[str, set[int]] = {}
        used: dict[str, set[int]] = {}
        for s in statements(self.facts.fn.body):
            for v in binds_of(s):
                made.setdefault(v, set()).add(s.origin)
            for v in reads_of(s):
                used.setdefault(v, set()).add(s.origin)
        # temporaries that one statement of the user's makes and another one reads
        self.handed_on = frozenset(
            v
            for v, at in made.items()
            if self.is_temporary(v) and any(used.get(v, set()) - {o} for o in at if o)
        )
        self.apart = frozenset(v for v, at in made.items() if self.is_temporary(v) and at == {0})

    # -- what is kept ----------------------------------------------------------------------------

    def plan(self) -> None:
        """Place everything that is kept."""
        for f in self.fetches:
            if f.way == "final":
                self.needed |= names_in(f.value)
                end = self.facts.fn.body[-1].site
                instead = self.may_be_unbound(names_in(f.value), end, read=True)
                self.kept.append(Kept(self.printed(f.value, instead), f.name, f))
            elif f.way == "record":
                self.record(f)
        self.check()

    def check(self) -> None:
        """Place the checks, each next to the statement it is about."""
        checks = Checking(self.facts, self.names)
        self.start += checks.start
        self.frozen = checks.frozen
        self.needed |= checks.mentioned
        for site, code in checks.before.items():
            self.before.setdefault(site, []).extend(code)
        for site, code in checks.after.items():
            self.after.setdefault(site, []).extend(code)

    def record(self, f: Fetch) -> None:
        """Keep a value each time its place is passed."""
        self.needed |= names_in(f.value)
        bound = {v for v in names_in(f.value) if f.after and self.facts.structure.is_bound(v, f.at)}
        instead = NO_OTHERS
        kind = self.facts.kinds.expr(f.at, f.value)
        if f.after or isinstance(f.value, E.Call) or isinstance(kind, ListOf):  # not there yet?
            known = self.facts.definitions.sites.keys()
            variables = (names_in(f.value) & known) - bound
            instead = self.may_be_unbound(variables, f.at, after=f.after)
        if f.undoes:  # behind what the statement computes, and raises, right before it writes
            self.spelled_out.add(self.facts.structure.stmts[f.at].origin)
        value = self.special(f, instead)
        place = self.after if f.after else self.before
        looped = self.looped(f)
        pool = self.pool(f) if looped else None
        if pool is not None:
            self.keep_in_pool(f, *pool)
            return
        if looped:
            stack = self.names.fresh(f.stack)
            self.start_at(f).append(C.Assign((E.Name(stack),), E.Sequence("list", ())))
            if f.copy and isinstance(f.value, E.Name) and "#" not in f.value.id:
                if isinstance(self.facts.kinds.at(f.at, f.value.id), Array):
                    keep = E.Ref("kept_copy", runtime.kept_copy)
                    value = E.Call(keep, (self.printed(f.value), E.Name(stack)))
            append = E.Call(E.Attribute(E.Name(stack), "append"), (value,))
            self.attempts.lists[f.stack] = stack
            place.setdefault(f.at, []).append(C.Do(append))
            self.keep_test(f, E.Index(E.Name(stack), (E.Const(-1),)))
            self.kept.append(Kept(E.Name(stack), f.stack, f, stack=True))
            return
        if isinstance(f.value, E.Name) and "#" in f.value.id:
            assert isinstance(value, E.Name)
            if not self.facts.structure.always_run(f.block):
                self.start.append(C.Assign((value,), E.NONE))
            self.kept.append(Kept(value, f.name, f))
            return
        name = self.names.fresh(f"{f.name}_{self.facts.structure.stmts[f.at].span.line}")
        place.setdefault(f.at, []).append(C.Assign((E.Name(name),), value))
        self.keep_test(f, E.Name(name))
        if not self.facts.structure.always_run(f.block):
            self.start.append(C.Assign((E.Name(name),), self.nothing_kept(f)))
        self.kept.append(Kept(E.Name(name), f.name, f))

    def keep_test(self, f: Fetch, kept: E.Expr) -> None:
        """Note that what is kept is the truth of a condition: to ask twice may run code twice."""
        s = self.facts.structure.stmts[f.at]
        if isinstance(s, S.If) and not f.after and f.value == as_truth(s.test):
            self.tests[f.at] = kept

    def nothing_kept(self, f: Fetch) -> E.Expr:
        """The same for what is fetched."""
        return self.nothing(f.value.id) if isinstance(f.value, E.Name) else E.NONE

    def nothing(self, var: str) -> E.Expr:
        """What stands for a value of a branch that was not taken: of one kind with it, so that the
        pullback can be differentiated again."""
        found = self.facts.kinds.var(var)
        if isinstance(found, Scalar) and found.type == "float":
            return A.ZERO
        if isinstance(found, Array) and found.ndim and found.dtype is not None:
            return A.zeros(found, E.Sequence("tuple", (E.Const(0),) * found.ndim))
        return E.NONE

    def pool(self, f: Fetch) -> tuple[S.For, E.Expr, E.Expr] | None:
        """The loop, the number of the iteration and the shape of an item, if the values fit into
        one array that is made before an outermost loop with iterations counted beforehand.

        Arrays that are new in each iteration are kept as they are, unless others are copied: then
        their memory is used again, too.
        """
        facts = self.facts
        loop = facts.structure.owner(f.block)
        if not isinstance(loop, S.For) or facts.structure.loops(loop.site):
            return None
        it, var = loop.iter, f.value
        if not isinstance(it, S.Range) or it.step != E.Const(1) or not isinstance(loop.target, str):
            return None
        if any(isinstance(s, S.Break) for s in statements(loop.body)):
            return None
        if not isinstance(var, E.Name) or "#" in var.id or not (f.copy or facts.saved):
            return None
        if not f.copy and self.is_written(var.id):
            return None  # kept as the writes leave it, not as it is now
        kind = f.kind if f.kind is not None else facts.kinds.at(f.at, var.id)
        if not isinstance(kind, Array) or kind.dtype is None:
            return None
        if facts.definitions.sites.get(loop.target) != (loop.site,):
            return None
        if not naming(facts.fn).reachable(loop.target, f.at, after=f.after):
            return None  # another loop has the name by then
        shape = Shapes(facts, loop.site, self.printed).of(var.id, kind)
        if shape is None:
            return None
        name = self.printed_name(loop.target)
        if name == "_":
            name = self.targets.setdefault(loop.site, self.names.fresh("k"))
        k: E.Expr = E.Name(name)
        if it.start != E.Const(0):
            k = E.Binary("-", k, self.printed(it.start))
        return loop, k, shape

    def is_written(self, var: str) -> bool:
        """Whether some statement may write into what a variable refers to, anywhere."""
        written = {(o.form, o.key) for o in self.facts.memory.written}
        return any((o.form, o.key) in written for o in self.facts.memory.objects(var))

    def keep_in_pool(self, f: Fetch, loop: S.For, k: E.Expr, shape: E.Expr) -> None:
        """Keep the values of all iterations in the rows of one array."""
        assert isinstance(f.value, E.Name)
        value = self.printed(f.value)
        pool = E.Name(self.names.fresh(f.stack))
        kind = f.kind if f.kind is not None else self.facts.kinds.at(f.at, f.value.id)
        args = (self.printed(count(loop.iter)), shape)
        made = E.Call(E.Ref("pool_for", runtime.pool_for), args, dtype_argument(kind))
        if self.facts.structure.block[loop.site] != BODY:
            self.start.append(C.Assign((pool,), E.NONE))
        self.before.setdefault(loop.site, []).append(C.Assign((pool,), made))
        place = self.after if f.after else self.before
        place.setdefault(f.at, []).append(C.Assign((E.Index(pool, (k,)),), value))
        self.kept.append(Kept(pool, f.stack, f, stack=True))

    def start_at(self, f: Fetch) -> list[C.Code]:
        """Where the list for a record begins: before the outermost loop around it."""
        loops = self.facts.structure.loops(f.at)
        outer = loops[-1] if loops else None
        if outer is None or self.facts.structure.block[outer.site] != BODY:
            return self.start
        return self.before.setdefault(outer.site, [])

    def looped(self, f: Fetch) -> bool:
        owners = (self.facts.structure.owner(b) for b in self.facts.structure.ancestors(f.block))
        return any(isinstance(o, S.For | S.While) for o in owners)

    def special(self, f: Fetch, instead: Mapping[str, str]) -> E.Expr:
        """What is recorded, as the forward function has it."""
        if isinstance(f.value, E.Name) and "#" in f.value.id:
            what, site, *of = f.value.id.split("#")
            if what == "size":
                sizes = self.attempts.sizes.setdefault(int(site), {})
                return E.Name(sizes.setdefault(of[0], self.names.fresh(f.name)))
            tables = {
                "call": self.calls,
                "count": self.counts,
                "caught": self.attempts.caught,
                "step": self.attempts.step,
            }
            hint = {"call": f.name, "count": "steps"}.get(what, what)
            return E.Name(tables[what].setdefault(int(site), self.names.fresh(hint)))
        value = self.printed(f.value, instead)
        var = f.value.id if isinstance(f.value, E.Name) else ""
        if not f.copy:
            return value
        kind = self.facts.kinds.var(var)
        if isinstance(kind, TupleOf):
            lost = self.facts.needs.lost_items(f.at, var)
            return items_copied(value, kind, lost)
        return copied(value, self.facts.kinds, var, f.at)

    def may_be_unbound(
        self, variables: Iterable[str], at: int, *, after: bool = False, read: bool = False
    ) -> Mapping[str, str]:
        """A variable bound on some of the paths to a place is None on the others: itself, or, where
        the user's function may read it unbound, another name for it, which is handed back.

        `read`: the place is behind what the statement there reads.
        """
        f = self.facts
        around = set() if read else {s.site for s in f.structure.loops(at)}
        instead = {}
        for v in sorted(variables):
            defined = f.definitions.sites.get(v, ())
            blocks = [f.structure.block[d] for d in defined]
            if around & {*defined}:
                continue  # the index of a loop around it
            loop_targets = [d for d in defined if isinstance(f.structure.stmts[d], S.For)]
            name = self.printed_name(v)
            taken = {p.name for p in f.fn.params}
            if (
                v in f.definitions.params
                or name in taken
                or (any(map(f.structure.always_run, blocks)) and not loop_targets)
            ):
                continue
            if self.is_temporary(v):
                self.begin(name, self.nothing(v))
            elif name not in self.unbound.read:
                self.begin(name, E.NONE)
            elif not self.unbound.is_bound(name, at, after=after, read=read):
                instead[v] = self.another(v)
        return instead

    def begin(self, name: str, value: E.Expr) -> None:
        """Give a value to a name at the start."""
        code = C.Assign((E.Name(name),), value)
        self.start += [] if code in self.start else [code]

    def another(self, var: str) -> str:
        """A name that is None until the variable is bound, and then what that is bound to."""
        if var in self.others:
            return self.others[var]
        other = self.others[var] = self.names.fresh(f"{self.printed_name(var)}_kept")
        listed = isinstance(self.facts.kinds.var(var), ListOf)  # its length may be kept
        self.begin(other, E.Sequence("list", ()) if listed else E.NONE)
        self.needed.add(var)
        code = C.Assign((E.Name(other),), E.Name(self.printed_name(var)))
        for site in self.facts.definitions.sites[var]:
            match self.facts.structure.stmts[site]:
                case S.For(body=body) | S.With(body=body):
                    self.before.setdefault(body[0].site, []).insert(0, code)
                case S.Try(handlers=handlers):
                    for h in handlers:
                        if h.name == var:
                            self.before.setdefault(h.body[0].site, []).insert(0, code)
                case _:
                    self.after.setdefault(site, []).append(code)
        return other

    # -- names -----------------------------------------------------------------------------------

    def printed_name(self, var: str) -> str:
        """The user's name of a variable, or that of a temporary."""
        return self.facts.fn.source_name(var)

    def printed(self, e: E.Expr, instead: Mapping[str, str] = NO_OTHERS) -> E.Expr:
        """An expression in the user's names."""
        of = {n: E.Name(instead.get(n) or self.printed_name(n)) for n in names_in(e)}
        return substitute(e, of)

    def is_temporary(self, var: str) -> bool:
        """Whether lowering made the variable."""
        return self.printed_name(var) not in self.facts.fn.reserved


def parted(body: S.Block) -> set[int]:
    """The user's statements among whose parts others have come: as it was written, such a one would
    run once for each piece."""
    pieces: Counter[int] = Counter()

    def visit(block: S.Block, around: int) -> None:
        pieces.update(o for o, _ in groupby(s.origin for s in block) if o != around)
        for s in block:
            for inner in blocks_of(s):
                visit(inner, s.origin)

    visit(body, 0)
    return {origin for origin, times in pieces.items() if times > 1}
