"""The checks in a forward function: what is noted at a use, and asked at a write.

y_needed = False
z = y * y
y_needed = True
if p:
    check_unneeded(y_needed, "line 9 overwrites `y`, which the gradient of line 7 needs")
    y[0] = 3.0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from adtrans import runtime
from adtrans.analyses.alias_paths import users
from adtrans.analyses.facts import Facts
from adtrans.analyses.guard import Guard
from adtrans.analyses.needed_checks import assumptions, tangent_assumptions
from adtrans.analyses.reality import Doubt, doubts
from adtrans.analyses.stopped import guess, overwrites, reads_again
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import names_in, substitute, walk

Inserted = dict[int, list[C.Code]]


class Checking:
    """Places the checks: `start` at the beginning, `before` and `after` statements; `frozen` are
    the calls during which arrays cannot be written."""

    def __init__(self, facts: Facts, names: NameAllocator) -> None:
        self.facts = facts
        self.start: list[C.Code] = []
        self.before: Inserted = {}
        self.after: Inserted = {}
        self.frozen: dict[int, tuple[str, tuple[str, ...]]] = {}
        self.mentioned: set[str] = set()
        self.views()
        self.copies()
        for d in doubts(facts):
            self.mentioned.add(d.var)
            place = self.after if d.after else self.before
            place.setdefault(d.site, []).append(real(d, facts))
        kept: dict[tuple[object, ...], list[Guard]] = {}
        for g in facts.guards:
            if g.form == "frozen":
                self.freeze(g)
            elif g.write not in {other.write for other in kept.setdefault(g.key, [])}:
                kept[g.key].append(g)
        for guards in kept.values():
            about = guards[0].root or users(guards[0].need.var, facts)
            mark = names.fresh(f"{facts.fn.source_name(about)}_needed")
            lines = sorted({self.line(g.write) for g in guards})
            where = ", ".join(str(n) for n in lines)
            note = C.Note(0, f"asked before line {where}")
            self.note(guards[0], mark, note, halves=any(map(_of_halves, guards)))
            for g in guards:
                self.ask(g, mark)

    def printed(self, e: E.Expr, **given: E.Expr) -> E.Expr:
        self.mentioned |= names_in(e)
        return substitute(e, {n: E.Name(self.facts.fn.source_name(n)) for n in names_in(e)} | given)

    def line(self, site: int) -> int:
        return self.facts.structure.stmts[site].span.line

    def views(self) -> None:
        """Whether results are views, or copies, as they were taken to be."""
        for a in assumptions(self.facts):
            target, source = (self.printed(E.Name(v)) for v in (a.target, a.source))
            fn = runtime.check_view if a.form == "view" else runtime.check_copy
            check = do(fn, target, source, E.Const(guess(a, self.facts)))
            self.after.setdefault(a.site, []).append(check)

    def copies(self) -> None:
        """Whether overlapping copies read what they have written."""
        for site in sorted(self.facts.ordered):
            s = self.facts.structure.stmts[site]
            assert isinstance(s, S.Store)
            target, source = self.printed(E.Index(E.Name(s.base), s.items)), self.printed(s.value)
            check = do(runtime.check_order, target, source, E.Const(reads_again(site, self.facts)))
            self.before.setdefault(site, []).append(check)

    def note(self, g: Guard, name: str, why: C.Note, halves: bool) -> None:
        """Note that the use has run; `halves`: of the real and of the imaginary part by itself,
        in a complex mark, the parts of which are views as those of the array."""
        facts, mark = self.facts, E.Name(name)
        place = self.after if g.need.result else self.before
        if g.form == "object":
            self.start.append(C.Assign((mark,), E.Call(E.Ref("dict", dict), ())))
            used = self.printed(E.Name(g.need.var))
            place.setdefault(g.need.site, []).append(do(runtime.mark_needed, mark, used, note=why))
            return
        assert g.root is not None
        nothing: E.Expr = E.Const(False)
        if g.form == "elements":
            shape = E.Attribute(self.printed(E.Name(g.root)), "shape")
            dtype = E.Ref("complex", complex) if halves else BOOL
            nothing = E.Call(E.Ref("np.zeros", np.zeros), (shape,), (("dtype", dtype),))
        if g.root in facts.definitions.params:
            self.start.append(C.Assign((mark,), nothing))
        for d in facts.definitions.sites.get(g.root, ()):
            if not isinstance(facts.structure.stmts[d], S.Update):
                self.after.setdefault(d, []).append(C.Assign((mark,), nothing))
        target: E.Expr = mark
        marked = E.Const(True)
        if g.mark is not None:
            if halves and not _names_half(g.mark):
                marked = E.Const(1 + 1j)
            target = self.part(g.mark, g.root, mark)
            if not isinstance(target, E.Index):
                target = E.Index(target, (E.ELLIPSIS,))
        place.setdefault(g.need.site, []).append(C.Assign((target,), marked, why))

    def ask(self, g: Guard, name: str) -> None:
        """Ask at the write."""
        message = E.Const(overwrites(g, self.facts))
        place = self.before.setdefault(g.write, [])
        if g.form == "object":
            for v in g.through:
                place.append(
                    do(runtime.check_unmarked, E.Name(name), self.printed(E.Name(v)), message)
                )
            return
        mark = E.Name(name)
        asked = [self.part(e, g.root, mark) for e in g.asked] if g.root else []
        for e in asked or [mark]:
            place.append(do(runtime.check_unneeded, e, message))

    def part(self, e: E.Expr, root: str, mark: E.Expr) -> E.Expr:
        """A part of the array `root` as that part of its mark."""
        return self.printed(e, **{root: mark})

    def freeze(self, g: Guard) -> None:
        before, arrays = self.frozen.get(g.write, (overwrites(g, self.facts), ()))
        self.mentioned |= set(g.through)
        more = tuple(self.facts.fn.source_name(v) for v in g.through)
        self.frozen[g.write] = (before, tuple(dict.fromkeys((*arrays, *more))))


def _of_halves(g: Guard) -> bool:
    """Whether a use or a write is one of the real or the imaginary part of an array."""
    return any(_names_half(e) for e in (g.mark, *g.asked) if e is not None)


def _names_half(e: E.Expr) -> bool:
    def half(n: E.Expr) -> bool:
        if isinstance(n, E.Attribute):
            return n.attr in ("real", "imag")
        return isinstance(n, E.Ref) and (n.value is np.real or n.value is np.imag)

    return any(half(n) for n in walk(e))


def real(d: Doubt, facts: Facts) -> C.Code:
    """Whether a value is a real number or a plain array, as the derivative takes it to be."""
    name = facts.fn.source_name(d.var)
    what = f"`{name}`" if name in facts.fn.reserved else "a result"
    return do(runtime.check_plain, E.Name(name), E.Const(f"{what} of line {d.line}"))


def guesses_with_tangents(
    facts: Facts, site: int, dot: Callable[[str], E.Name], carries: Callable[[str], bool]
) -> Iterator[C.Code]:
    """Whether tangents share memory as the primal values do, after the statement `site`."""
    for a in tangent_assumptions(facts):
        if a.site == site and carries(a.source):
            names = [E.Name(facts.fn.source_name(v)) for v in (a.target, a.source)]
            dots = [dot(v) for v in (a.target, a.source)]
            message = E.Const(guess(a, facts))
            if a.form == "view":
                asked = E.Ref("shares_alone", runtime.shares_alone)
                copied = E.Call(E.Attribute(dots[0], "copy"), ())
                test = E.Call(asked, (*names, *dots, message))
                yield C.Branch(test, (C.Assign((dots[0],), copied),))
            else:
                yield do(runtime.check_copy, *names, message)
                yield do(runtime.check_copy, *dots, message)


def guessed_without_tangent(
    facts: Facts, carries: Callable[[str], bool]
) -> Mapping[int, list[C.Code]]:
    """The checks of guesses about what has no tangent, by the site of the call: results may share
    memory with an argument that has one, or be what a caller, or this function, writes."""
    found: dict[int, list[C.Code]] = {}
    for a in assumptions(facts):
        if not (carries(a.source) and carries(a.target)):
            names = [E.Name(facts.fn.source_name(v)) for v in (a.target, a.source)]
            fn = runtime.check_view if a.form == "view" else runtime.check_copy
            found.setdefault(a.site, []).append(do(fn, *names, E.Const(guess(a, facts))))
    return found


BOOL = E.Ref("bool", bool)


def do(fn: Callable[..., object], *args: E.Expr, note: C.Note | None = None) -> C.Do:
    """A call of a function of the runtime."""
    return C.Do(E.Call(E.Ref(fn.__name__, fn), args), note)


def frozen_call(value: E.Call, message: str, arrays: tuple[str, ...]) -> E.Call:
    """`fn(args)` as a call during which `arrays` cannot be written."""
    frozen = E.Sequence("tuple", tuple(E.Name(a) for a in arrays))
    ref = E.Ref("call_frozen", runtime.call_frozen)
    return E.Call(ref, (E.Const(message), frozen, value.fn, *value.args), value.kwargs)
