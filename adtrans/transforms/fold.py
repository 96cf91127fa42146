"""Folds temporaries that are used once back into the expression that uses them.

    t = np.tanh(w * h)
    y = t + b           ->   y = np.tanh(w * h) + b

A temporary moves only past statements that cannot change what it reads.

>>> h = C.Assign((E.Name("t"),), E.Binary("*", E.Name("w"), E.Name("h")))
>>> y = C.Assign((E.Name("y"),), E.Binary("+", E.Name("t"), E.Name("b")))
>>> print(*[c.value for c in fold((h, y), lambda n: n == "t", lambda a, b: False)])
w * h + b
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir.walk import names_in, substitute, walk
from adtrans.transforms.evaluation import (
    Raised,
    acts,
    ahead,
    changed,
    exchange,
    is_plain,
    takes_out,
)

LIMIT = 40  # nodes of an expression that a reader still takes in at a glance


Quiet = Callable[[str, str], bool]


def fold(
    body: C.Body, foldable: Callable[[str], bool], quiet: Quiet, raised: Raised | None = None
) -> C.Body:
    """`body` with temporaries folded. `foldable` tells temporaries from the user's names.

    `quiet(a, b)`: writing into the array `a` certainly changes nothing that `b` stands for.
    `raised`: which exceptions there may be, where it matters which is the first.
    """
    uses = Counter(n for c in all_code(body) for n in _read_names(c))
    defs = Counter(n for c in all_code(body) for n in bound_by(c))
    once = {n for n, times in uses.items() if times == 1 and defs[n] == 1 and foldable(n)}
    return Folding(once, quiet, raised).block(body)


def all_code(body: C.Body) -> Iterator[C.Code]:
    """All statements of a body in textual order, those inside others included."""
    for c in body:
        yield c
        for inner in C.bodies(c):
            yield from all_code(inner)


def expressions(c: C.Code) -> Iterator[E.Expr]:
    """The expressions that a statement evaluates once, where it stands."""
    match c:
        case C.Assign():
            yield c.value
            yield from (t for t in c.targets if not isinstance(t, E.Name | E.Sequence))
        case C.AugAssign():
            yield c.value
            yield c.target
        case C.Do() | C.Result():
            yield c.value
        case C.Branch() | C.Loop():
            yield c.test
        case C.ForEach():
            yield c.iter
        case C.Within():
            yield c.context
        case C.Attempt():
            yield from (h.type for h in c.handlers if h.type is not None)
        case C.Original() | C.Leave():
            return


def _read_names(c: C.Code) -> Iterator[str]:
    for e in expressions(c):
        for sub in walk(e):
            if isinstance(sub, E.Name):
                yield sub.id
            elif isinstance(sub, E.Verbatim):
                yield from (r for r in sub.reads for _ in range(2))  # never folded into
    if isinstance(c, C.Original):
        yield from (r for r in c.reads for _ in range(2))


def bound_by(c: C.Code) -> Iterator[str]:
    """The names that a statement binds itself, not those inside it."""
    match c:
        case C.Assign():
            yield from c.bound
        case C.AugAssign(target=E.Name(id=name)):
            yield name
        case C.ForEach():
            yield from names_in(c.target)
        case C.Original():
            yield from c.binds
        case C.Attempt():
            yield from (h.name for h in c.handlers if h.name is not None)
        case C.Within(target=str() as name):
            yield name
        case _:
            return


@dataclass(frozen=True, slots=True)
class Folding:
    """Folds temporaries that are used `once`."""

    once: set[str]
    quiet: Quiet
    raised: Raised | None

    def inside(self, c: C.Code) -> C.Code:
        """A statement with its blocks folded."""
        return C.map_bodies(c, self.guarded if isinstance(c, C.Attempt) else self.block)

    def block(self, body: C.Body) -> C.Body:
        """A block: each statement takes what is computed for it, the last first, so that what
        stays behind has passed nothing that is folded later."""
        out: list[C.Code] = []
        for c in body:
            out.append(self.inside(c))
            self.last(out)
        return tuple(out)

    def guarded(self, body: C.Body) -> C.Body:
        """What a handler may see half done: a temporary moves into the next statement, no
        further."""
        out: list[C.Code] = []
        for c in body:
            out.append(C.map_bodies(c, self.guarded))
            while len(out) > 1 and (found := self.folded(out, len(out) - 2, lambda a, b: False)):
                out[-2:] = [found]
        return tuple(out)

    def last(self, out: list[C.Code]) -> None:
        """Fold into the last statement of `out`."""
        again = True
        while again:
            again = False
            reads = set(_read_names(out[-1])) & self.once
            for i in reversed(range(len(out) - 1)) if reads else ():
                found = self.folded(out, i, self.quiet)
                if found is not None:
                    out[-1] = found
                    del out[i]
                    again = True
                    break
            if not again and len(out) > 1:
                merged = self.merged(out[-2], out[-1]) or _fill_cleared(
                    out[-2], out[-1], self.quiet
                )
                if merged is not None:
                    out[-2:] = [merged]
                    again = True

    def folded(self, out: list[C.Code], i: int, quiet: Quiet) -> C.Code | None:
        """The last statement with the temporary that the `i`-th binds folded into it, if it is
        one and may be moved there."""
        match out[i]:
            case C.Assign(targets=(E.Name(id=name),), value=value) if name in self.once:
                if name in _read_names(out[-1]) and self.may_move(out, i, name, value, quiet):
                    return _put(out[-1], name, value)
            case _:
                pass
        return None

    def merged(self, c: C.Code, after: C.Code) -> C.Code | None:
        """`t = e` followed by `t = f(t)` as one statement."""
        match c, after:
            case (
                C.Assign(targets=(E.Name(id=name),) as targets, value=value),
                C.Assign(targets=same),
            ) if targets == same:
                count = sum(isinstance(s, E.Name) and s.id == name for s in walk(after.value))
                fits = count == 1 and size(value) + size(after.value) <= LIMIT
                if fits and self.in_order(after, name, value):
                    return replace(after, value=substitute(after.value, {name: value}))
            case _:
                pass
        return None

    def in_order(self, c: C.Code, name: str, value: E.Expr) -> bool:
        """Whether evaluating `value` where `c` reads `name`, and not before `c`, is the same."""
        first, sure = ahead(c, name)
        if self.raised is None:
            looks = set().union(*map(names_in, first))
            return not changed(value) & looks
        if any(map(acts, first)) and not E.is_atom(value):
            return False
        if acts(value) and not (sure and all(map(is_plain, first))):
            return False
        if name in self.raised.unheeded:
            return True
        raised = self.raised.by(value)
        return not raised or (sure and not exchange(raised, self.raised.before(c, name)))

    def may_move(
        self, out: list[C.Code], i: int, name: str, value: E.Expr, quiet: Quiet
    ) -> bool:
        """Whether a temporary may be moved into the last statement of `out`, which uses it."""
        c = out[-1]
        here = sum(1 for e in expressions(c) for s in walk(e) if s == E.Name(name))
        if here != 1 or isinstance(c, C.Loop | C.Attempt | C.Within):
            return False
        looks = names_in(value)
        calls = acts(value)
        if calls and changed(value) & set(_read_names(c)):
            return False  # `a[-1] + a.pop()`: what stands before it would see `a` as it was
        if _reads_memory(value) and any(map(takes_out, expressions(c))):
            return False  # `bars.pop(a_at), t`: what stands behind it would see zeros
        if isinstance(c, C.AugAssign) and isinstance(c.target, E.Name) and c.target.id in looks:
            return False
        if max((size(e) for e in expressions(c)), default=0) + size(value) > LIMIT:
            return False
        heeded = self.raised if self.raised and name not in self.raised.unheeded else None
        raised = heeded.by(value) if heeded else frozenset()
        for passed in out[i + 1 : -1]:
            if calls or not self.may_pass(passed, value, looks, quiet):
                return False
            if raised and heeded and any(
                exchange(raised, heeded.by(e)) for e in expressions(passed)
            ):
                return False
        return self.in_order(c, name, value)

    def may_pass(self, c: C.Code, value: E.Expr, looks: set[str], quiet: Quiet) -> bool:
        """Whether a value is the same behind a statement."""
        if not isinstance(c, C.Assign | C.AugAssign) or set(bound_by(c)) & looks:
            return False
        for target in c.targets if isinstance(c, C.Assign) else (c.target,):
            root = root_of(target)
            in_place = isinstance(c, C.AugAssign) or not isinstance(target, E.Name)
            if in_place and (root is None or any(not quiet(root, n) for n in looks)):
                return False
            if in_place and not looks and not E.is_atom(value):
                return False  # `1/TOL` of the user's: where it raises, nothing is written yet
        return not (_reads_memory(value) and any(map(acts, expressions(c))))


def _fill_cleared(
    c: C.Code, after: C.Code | None, quiet: Quiet
) -> C.Code | None:
    """`a[i] = 0.0` followed by `a[i] += e` as `a[i] = e`, where `e` does not look at `a`."""
    match c, after:
        case (
            C.Assign(targets=(E.Index() as target,), value=E.Const(value=0.0)),
            C.AugAssign(op="+" | "-" as op, target=E.Index() as same, value=value, note=note),
        ) if target == same:
            root = root_of(target)
            if root is None or not all(quiet(root, n) for n in names_in(value)):
                return None
            return C.Assign((target,), value if op == "+" else E.Unary("-", value), note)
        case _:
            return None


def size(e: E.Expr) -> int:
    """The number of nodes of an expression."""
    return sum(1 for _ in walk(e))


def _reads_memory(e: E.Expr) -> bool:
    return not E.is_atom(e)


def root_of(target: E.Expr) -> str | None:
    """The array that a subscript ends at."""
    while isinstance(target, E.Index | E.Attribute):
        target = target.base
    return target.id if isinstance(target, E.Name) else None


def _put(c: C.Code, name: str, value: E.Expr) -> C.Code:
    def f(e: E.Expr) -> E.Expr:
        return substitute(e, {name: value})

    match c:
        case C.Assign():
            names = E.Name | E.Sequence
            targets = tuple(t if isinstance(t, names) else f(t) for t in c.targets)
            return replace(c, targets=targets, value=f(c.value))
        case C.AugAssign():
            target = c.target if isinstance(c.target, E.Name) else f(c.target)
            return replace(c, target=target, value=f(c.value))
        case C.Do() | C.Result():
            return replace(c, value=f(c.value))
        case C.Branch():
            return replace(c, test=f(c.test))
        case C.ForEach():
            return replace(c, iter=f(c.iter))
        case _:
            raise AssertionError(f"nothing to fold into: {c}")
