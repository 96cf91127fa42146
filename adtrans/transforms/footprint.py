"""What the forward function keeps for the pullback, and how many bytes that takes.

A size is a formula over what is known at the call: `8 * steps * u.shape[0]`. Where a size is known
only when the program runs, the formula says what it depends on: `runs(7)` is the number of times
that the body of the loop in line 7 runs, `y.nbytes` the size of an array, `kept(g)` what one call
of `g` keeps.

>>> product(8, ["steps", "u.shape[0] - 1"]), product(24, []), product(1, ["kept(g)"])
('8 * steps * (u.shape[0] - 1)', '24', 'kept(g)')
>>> total(["8 * n", "24", "", "8 * n", "16"])
'16 * n + 40'
"""

from __future__ import annotations

import ast
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from adtrans import runtime
from adtrans.analyses.abstract import Obj
from adtrans.analyses.alias_paths import is_users, users
from adtrans.analyses.facts import Facts
from adtrans.analyses.needed import Conflict
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import Array, Kind, ListOf, Scalar, TupleOf
from adtrans.ir.walk import binds_of, blocks_of, names_in, substitute
from adtrans.transforms.ways import Fetch

_ATOM = re.compile(r"[\w.\[\]@*]+|\w+\(\w+\)|\([^()]*\)\.\w+")

ADDRESS = E.Ref("address_of", runtime.address_of)
Lines = Callable[[Span], str]
How = Literal["shared", "alive", "copied", "value", "call"]


@dataclass(frozen=True, slots=True)
class Residual:
    """One thing that is kept. `text`: what, in the user's names; `span`: where.

    `how`: "shared" with the caller (an argument or a global; no memory of its own), "alive" (an
    array that the function makes anyway, and that is not freed), "copied" for the pullback,
    "value" (numbers and shapes), "call" (what a called function keeps).
    `loops`: the lines of the loops in each iteration of which it is kept; `at_most`: not always.
    `bytes`: the formula, empty where nothing is needed. `owner`: the site that asked, for verdicts;
    `undoes`: the site of a write, which is undone.
    """

    text: str
    span: Span
    how: How
    bytes: str
    loops: tuple[int, ...] = ()
    at_most: bool = False
    owner: tuple[int, str] = (0, "")
    undoes: bool = False


def product(constant: int, factors: Iterable[str]) -> str:
    """The product as a formula: one number, and the factors that are none."""
    given = list(factors)
    constant *= math.prod(int(f) for f in given if f.isdigit())
    given = [f for f in given if not f.isdigit()]
    parts = [f if _ATOM.fullmatch(f) else _operand(f) for f in given]
    return " * ".join(([str(constant)] if constant != 1 or not parts else []) + parts)


def total(terms: Iterable[str]) -> str:
    """The sum of formulas, equal ones together; empty for nothing."""
    found: Counter[str] = Counter()
    for term in terms:
        head, _, rest = term.partition(" * ")
        if head.isdigit():
            found[rest] += int(head)
        elif term:
            found[term] += 1
    parts = [f"{n} * {rest}" if n != 1 else rest for rest, n in found.items() if rest]
    return " + ".join([*parts, str(found[""])] if found[""] else parts)


def footprint(facts: Facts, kept: Iterable[Fetch], line: Lines) -> tuple[Residual, ...]:
    """Everything that a forward function keeps, also the copies that it hands to callees."""
    calls = ((site, var) for site, var, result in sorted(facts.saved) if result)
    handed = (
        copied_argument(var, site, str(s.fn), facts)
        for site, var in calls
        if isinstance(s := facts.structure.stmts[site], S.Invoke)
    )
    every = tuple(kept)
    alive = kept_alive((f for f in every if noted(f) is not None), facts, line)
    whole = {o for f in every if facts.places.is_object(v := once(f)) for o in objects_of(v, facts)}
    told = (
        f
        for f in every
        if noted(f) is None
        and (not (v := once(f)) or facts.places.is_object(v) or not objects_of(v, facts) <= whole)
    )
    return (*(residual(f, facts, line) for f in told), *alive, *handed)


def once(f: Fetch) -> str:
    """The variable whose array is kept as it is, once, where that is what is kept."""
    kept = f.way != "record" and not f.copy and isinstance(f.value, E.Name)
    return f.value.id if kept and isinstance(f.value, E.Name) else ""


def objects_of(var: str, facts: Facts) -> frozenset[Obj]:
    """What an array is a view of, where that is one array."""
    found = facts.memory.objects(var)
    return found if len(found) == 1 else frozenset({Obj("unknown", var)})


def copies(residuals: Iterable[Residual], facts: Facts) -> Callable[[Conflict], str]:
    """For a need that is saved from a write, the bytes of its copy (of the array from which the
    needed value is computed again, where that is what is kept), or of what the write overwrites,
    where that is undone."""
    found = [r for r in residuals if r.how == "copied"]
    undone = {r.owner[0]: r.bytes for r in found if r.undoes}
    found = [r for r in found if not r.undoes]

    def of(c: Conflict) -> str:
        need = c.need
        for r in found:
            if r.owner == (need.site, need.var):
                return r.bytes
        if c.write in undone:
            return undone[c.write]
        loops = {loop.site for loop in facts.structure.loops(need.site)}
        for r in found:
            site, var = r.owner
            same = users(var, facts) == users(need.var, facts)
            if same and {loop.site for loop in facts.structure.loops(site)} == loops:
                return r.bytes
        return ""

    return of


def residual(f: Fetch, facts: Facts, line: Lines) -> Residual:
    """What is kept for one request of the pullback."""
    s = facts.structure.stmts[f.at]
    text = shown(f.value, facts, line)
    looped = f.way == "record"
    loops = facts.structure.loops(f.at) if looped else ()
    blocks = facts.structure.ancestors(f.block)
    at_most = looped and any(
        isinstance(facts.structure.owner(b), S.If) for b in blocks if facts.structure.owner(b)
    )
    times = trips(loops, facts)
    span = s.span if looped else facts.fn.span
    lines = tuple(reversed([loop.span.line for loop in loops]))
    common = (lines, at_most, (f.at, f.value.id if isinstance(f.value, E.Name) else ""))
    if f.undoes:
        return put_back(f, facts, line, span, times, (lines, at_most, (f.at, f.undoes)))
    if isinstance(f.value, E.Name) and "#" in f.value.id:
        what, _, site = f.value.id.partition("#")
        if what != "call":
            return Residual("number of iterations", span, "value", product(8, times), *common)
        callee = facts.structure.stmts[int(site)]
        name = str(callee.fn) if isinstance(callee, S.Invoke) else what
        formula = product(1, [*times, f"kept({name})"])
        return Residual(f"{name}(...)", span, "call", formula, *common)
    if isinstance(f.value, E.Name):
        kind = f.kind if f.kind is not None else facts.kinds.var(f.value.id)
        if isinstance(kind, TupleOf) and any(isinstance(k, Array) for k in kind.items):
            each = (
                size(k, f"{_operand(text)}[{i}]") if isinstance(k, Array) else (numbers(k), [])
                for i, k in enumerate(kind.items)
            )
            formula = total(product(constant, [*times, *factors]) for constant, factors in each)
            return Residual(text, span, "copied" if f.copy else "alive", formula, *common)
        if isinstance(kind, Scalar | TupleOf):
            return Residual(text, span, "value", product(numbers(kind), times), *common)
        objects = facts.memory.objects(f.value.id, f.at, after=f.after) or facts.memory.objects(
            f.value.id
        )
        if not f.copy and objects and all(_is_outside(o) for o in objects):
            return Residual(text, span, "shared", "", *common)
        constant, factors = size(kind, text)
        how: How = "copied" if f.copy else "alive"
        return Residual(text, span, how, product(constant, [*times, *factors]), *common)
    kind = facts.kinds.expr(f.at, f.value)
    if isinstance(kind, Array):
        constant, factors = size(kind, text)
        return Residual(text, span, "alive", product(constant, [*times, *factors]), *common)
    return Residual(text, span, "value", product(numbers(kind), times), *common)


def put_back(
    f: Fetch,
    facts: Facts,
    line: Lines,
    span: Span,
    times: list[str],
    common: tuple[tuple[int, ...], bool, tuple[int, str]],
) -> Residual:
    """What is kept of an array so that the pullback can undo a write: what that overwrites, or, at
    the end, all that there is."""
    part = f.value
    if isinstance(part, E.Call) and isinstance(part.fn, E.Attribute):
        part = part.fn.base
    text = shown(part, facts, line)
    kind = facts.kinds.expr(f.at, part) if isinstance(part, E.Index) else facts.kinds.var(f.undoes)
    constant, factors = size(kind, text) if isinstance(kind, Array) else (numbers(kind), [])
    return Residual(text, span, "copied", product(constant, [*times, *factors]), *common, True)


def noted(f: Fetch) -> str | None:
    """The variable whose array's address is kept, if that is what is kept."""
    if isinstance(f.value, E.Call) and f.value.fn == ADDRESS:
        return str(f.value.args[0])
    return None


def kept_alive(fetches: Iterable[Fetch], facts: Facts, line: Lines) -> Iterator[Residual]:
    """The arrays whose addresses are kept: each once, or as often as it is made."""
    made: set[int] = set()
    for f in fetches:
        objects = facts.memory.objects(noted(f) or "", f.at, after=f.after)
        for site, allocated in facts.memory.allocates.items():
            if {(o.form, o.key) for o in allocated} & {(o.form, o.key) for o in objects}:
                made.add(site)
    for site in sorted(made):
        s = facts.structure.stmts[site]
        if not binds_of(s):
            continue  # made by a callee, which tells of it itself
        var = binds_of(s)[0]
        text = shown(E.Name(var), facts, line)
        loops = facts.structure.loops(site)
        constant, factors = size(facts.kinds.var(var), text)
        formula = product(constant, [*trips(loops, facts), *factors])
        lines = tuple(reversed([loop.span.line for loop in loops]))
        yield Residual(text, s.span, "alive", formula, lines, True)


def shown(e: E.Expr, facts: Facts, line: Lines) -> str:
    """What is kept, in the user's names; a temporary as the expression that makes it."""

    def name(var: str) -> str:
        sites = facts.definitions.sites.get(var, ())
        span = facts.structure.stmts[sites[0]].span if len(sites) == 1 else None
        if is_users(var, facts) or span is None or span.line != span.end_line:
            return facts.fn.source_name(var)
        return line(span)[span.column : span.end_column] or facts.fn.source_name(var)

    if isinstance(e, E.Name):
        return name(e.id)
    names: dict[str, E.Expr] = {n: E.Name(_operand(name(n))) for n in names_in(e)}
    return E.text(substitute(e, names))


def copied_argument(var: str, site: int, callee: str, facts: Facts) -> Residual:
    """The copy that a callee receives instead of an argument that is overwritten later."""
    s = facts.structure.stmts[site]
    loops = facts.structure.loops(site)
    name = facts.fn.source_name(var)
    constant, factors = size(facts.kinds.var(var), name)
    formula = product(constant, [*trips(loops, facts), *factors])
    lines = tuple(reversed([loop.span.line for loop in loops]))
    return Residual(f"{name}, for {callee}", s.span, "copied", formula, lines, False, (site, var))


def _is_outside(o: Obj) -> bool:
    return o.form in ("param", "global")


def numbers(kind: Kind) -> int:
    """The bytes of a number, or of a tuple of numbers; 8 for each that is not known better."""
    match kind:
        case Scalar(dtype=dtype) if dtype not in (None, "?"):
            return int(np.dtype(dtype).itemsize)
        case TupleOf(items=items):
            return sum(numbers(i) for i in items)
        case _:
            return 8


def size(kind: Kind, name: str) -> tuple[int, list[str]]:
    """The bytes of an array: a constant and the factors that are not known before the call."""
    if isinstance(kind, ListOf):
        return numbers(kind.item), [f"len({name})"]
    if not isinstance(kind, Array) or kind.dtype is None:
        return 1, [f"{_operand(name)}.nbytes"]
    item = int(np.dtype(kind.dtype).itemsize)
    if kind.dims is None or any(d is None or _is_local(d) for d in kind.dims):
        return item, [f"{_operand(name)}.size"]
    constant, factors = item, []
    for d in kind.dims:
        if d is None:
            continue
        if d.value is not None:
            constant *= max(d.value, 0)
        else:
            factors.append(str(d))
    return constant, factors


def _operand(text: str) -> str:
    """An expression as it can be followed by `.size`.

    >>> _operand("np.abs(u)"), _operand("2 * u")
    ('np.abs(u)', '(2 * u)')
    """
    try:
        found = ast.parse(text, mode="eval").body
    except SyntaxError:  # the text of a line that goes on
        return f"({text})"
    atoms = ast.Name | ast.Attribute | ast.Subscript | ast.Call
    return text if isinstance(found, atoms) else f"({text})"


def _is_local(d: Affine) -> bool:
    return any("#" in s for s in d.symbols)


def trips(loops: Sequence[S.For | S.While], facts: Facts) -> list[str]:
    """How often the innermost of these loops (innermost first) runs its body, as factors."""
    found: list[str] = []
    for loop in loops:
        count = _count(loop.iter, loop.site, facts) if isinstance(loop, S.For) else None
        if count is None or _may_end(loop.body):
            return [f"runs({loops[0].span.line})"]
        found.append(count)
    return list(reversed(found))


def _may_end(body: S.Block) -> bool:
    """Whether a loop with this body may be left before its last iteration."""
    inner = (b for s in body if not isinstance(s, S.For | S.While) for b in blocks_of(s))
    return any(isinstance(s, S.Break) for s in body) or any(map(_may_end, inner))


def _count(it: S.Iter, site: int, facts: Facts) -> str | None:
    """The number of iterations, where it follows from what is known at the call."""
    match it:
        case S.Range(start=start, stop=stop, step=E.Const(value=int(step))) if step:
            a, b = (_affine(facts.kinds.expr(site, e)) for e in (start, stop))
            if a is None or b is None:
                return None
            if step in (1, -1):
                return str((b - a) * step)
            return f"len(range({a}, {b}, {step}))"
        case S.Elements(source=source):
            kind = facts.kinds.at(site, source)
            first = kind.dims[0] if isinstance(kind, Array) and kind.dims else None
            return None if first is None or _is_local(first) else str(first)
        case S.Enumerate(inner=inner) | S.Reversed(inner=inner):
            return _count(inner, site, facts)
        case S.Zip(inners=inners):
            counts = {_count(i, site, facts) for i in inners}
            return counts.pop() if len(counts) == 1 else None
        case _:
            return None


def _affine(kind: Kind) -> Affine | None:
    known = isinstance(kind, Scalar) and kind.value is not None
    value = kind.value if known and isinstance(kind, Scalar) else None
    return None if value is None or _is_local(value) else value


def measured(residuals: object, outside: Iterable[object] = ()) -> int:
    """The bytes that residuals really take: numbers, and arrays that are not those of the caller.

    Arrays that share one buffer count once, with all of the buffer.

    >>> a = np.zeros(4)
    >>> measured((a[1:], a, 2.0, [1.0, 2.0], (3,))), measured((a, 2), [a[:2]])
    (64, 8)
    """
    known = {id(_owner(a)) for a in outside if isinstance(a, np.ndarray)}
    found = 0
    waiting = [residuals]
    while waiting:
        value = waiting.pop()
        if isinstance(value, runtime.Address):
            value = value.alive
        if isinstance(value, np.ndarray):
            base = _owner(value)
            if id(base) not in known:
                known.add(id(base))
                found += int(getattr(base, "nbytes", value.nbytes))
        elif isinstance(value, np.generic):
            found += value.nbytes
        elif isinstance(value, bool | int | float | complex):
            found += 8
        elif isinstance(value, list | tuple):
            if type(value) is list and value and type(value[0]) in (float, np.float64, int):
                found += 8 * len(value)
            else:
                waiting.extend(value)
        elif isinstance(value, dict):
            waiting.extend(value.values())
    return found


def _owner(a: object) -> object:
    """The object whose memory an array looks into."""
    while isinstance(a, np.ndarray) and a.base is not None:
        a = a.base
    return a


__all__ = ["Residual", "copies", "footprint", "measured", "total"]
