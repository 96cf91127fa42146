"""Where a number that is taken for real may turn out complex when the program runs.

    c = e**0.5               of Python numbers, a negative `e` gives a complex `c`
    k = pickle.loads(data)   nothing is known of what an unknown function returns

    w = np.linalg.eigvals(m)  real numbers or not, as the numbers in a real matrix tell

What nothing is known of may also be an object with operators of its own.

Formulas for real numbers are wrong for complex ones, so generated code looks at such a number
before the derivative rests on it. A power needs no look where its base is never negative, its
exponent is whole, or one of them belongs to NumPy (which gives NaN, as the derivative should).
"""

from __future__ import annotations

import builtins
import math
import operator as python
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from adtrans.analyses.activity import flows
from adtrans.analyses.facts import Facts
from adtrans.analyses.prove import proves_nonneg
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    Array,
    DictOf,
    Instance,
    Kind,
    Known,
    ListOf,
    Never,
    Scalar,
    TupleOf,
    Unknown,
    present,
)
from adtrans.ir.walk import binds_of, reads_of, statements
from adtrans.rules.complexes import is_complex
from adtrans.rules.scipy_sparse import FACTORED

_POWERS = (builtins.pow, python.pow)
_REAL_VALUED = (abs, float, float.__float__, np.abs, np.absolute, np.real, np.imag, np.angle, len)
_BY_NUMBERS = (np.linalg.eig, np.linalg.eigvals, np.real_if_close)
_NEVER_NEGATIVE = (
    abs, np.abs, np.absolute, np.fabs, math.fabs, np.exp, math.exp, np.sqrt, math.sqrt, np.square,
    np.hypot, math.hypot, np.cosh, math.cosh, len,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Doubt:
    """`var` has to be looked at, behind the statement `site` that binds it (`after`), or before the
    statement that computes with it; `line` made it."""

    site: int
    var: str
    after: bool
    line: int


def doubts(facts: Facts) -> tuple[Doubt, ...]:
    """The numbers that generated code looks at."""
    origin, lying = _origins(facts)
    summaries = {site: unit.summary for site, unit in facts.units.items()}
    active = facts.activity.active
    found: list[Doubt] = []
    for s in statements(facts.fn.body):
        found += [Doubt(s.site, v, True, s.span.line) for v in binds_of(s)
                  if active(v) and _may_leave_the_reals(s, facts)]  # fmt: skip
        operands, receivers = flows(s, facts.apps, summaries)
        if isinstance(s, S.Load | S.For):  # keys and indices decide which number it is
            operands = [e for e in operands if isinstance(s, S.Load) and e == E.Name(s.base)]
        if isinstance(s, S.Invoke):  # it takes the kinds of its arguments for certain
            given = (*s.args, *(v for _, v in s.kwargs))
            operands = [*operands, *(e for e in given if isinstance(e, E.Name) and e.id in lying)]
        if any(active(v) for v in receivers):
            for e in operands:
                if isinstance(e, E.Name) and e.id in origin and not active(e):
                    found.append(Doubt(s.site, e.id, False, origin[e.id]))
    return tuple(dict.fromkeys(found))


def _origins(facts: Facts) -> tuple[dict[str, int], set[str]]:
    """The variables without a derivative that may be complex, and the lines that make them so; and
    those of them whose kinds say that they are real."""
    found: dict[str, int] = {}
    if facts.inner:  # of the arguments of a call of ours the kinds are known
        params = (p.name for p in facts.fn.params)
        found = {p: facts.fn.span.line for p in params
                 if _unsure(facts.kinds.var(p)) and not facts.activity.active(p)}  # fmt: skip
    lying: set[str] = set()
    before = -1
    while before != len(found):
        before = len(found)
        for s in statements(facts.fn.body):
            lines = [found[v] for v in reads_of(s) if v in found]
            lies = [found[v] for v in reads_of(s) if v in lying]
            for v in (*binds_of(s), *_filled(s)):
                if v in found or facts.activity.active(v):
                    continue
                kind = facts.kinds.var(v)
                if is_complex(kind):
                    continue
                if _depends_on_numbers(s) or _may_leave_the_reals(s, facts):
                    found[v] = s.span.line
                    lying.add(v)
                elif lies and _follows_operands(s, kind):
                    found[v] = lies[0]
                    lying.add(v)
                elif _never_complex(kind):
                    continue
                elif _unsure(kind):
                    found[v] = s.span.line
                elif lines and not _gives_reals(s):
                    found[v] = lines[0]
    return found, lying


def _depends_on_numbers(s: S.Stmt) -> bool:
    """Whether the numbers in real arrays tell whether what is computed from them is complex."""
    match s:
        case S.Bind(value=E.Call(fn=E.Ref(value=f))):
            own = getattr(f, "__name__", "") == "eig"
            from_scipy = str(getattr(f, "__module__", "")).startswith("scipy.linalg.")
            return any(f is g for g in _BY_NUMBERS) or (own and from_scipy)
        case _:
            return False


def _follows_operands(s: S.Stmt, kind: Kind) -> bool:
    """Whether a value of a real kind is complex where an operand is, against the kind of that."""
    if _filled(s) and isinstance(kind, Array):  # what is complex does not fit in
        return False
    if isinstance(s, S.Bind) and isinstance(s.value, E.Call):
        words = dict(s.value.kwargs)
        cast = isinstance(s.value.fn, E.Attribute) and s.value.fn.attr == "astype"
        if cast or "dtype" in words:
            return False
    if isinstance(s, S.Bind) and isinstance(s.value, E.Attribute):
        if s.value.attr in ("real", "imag", "shape", "size", "ndim", "dtype"):
            return False
    return not _gives_reals(s) and _holds_floats(kind)


def _holds_floats(kind: Kind) -> bool:
    match present(kind):
        case Scalar(type=type):
            return type == "float"
        case Array(dtype=dtype):
            return dtype is not None and "float" in dtype
        case TupleOf(items=items):
            return any(map(_holds_floats, items))
        case ListOf(item=item) | DictOf(item=item):
            return _holds_floats(item)
        case _:
            return False


def _unsure(kind: Kind) -> bool:
    """Whether a value of this kind may be complex for all that is known."""
    kind = present(kind)
    if isinstance(kind, TupleOf):
        return any(_unsure(k) for k in kind.items)
    if isinstance(kind, ListOf):
        return _unsure(kind.item)
    return isinstance(kind, Unknown) or (isinstance(kind, Array) and kind.dtype is None)


def _never_complex(kind: Kind) -> bool:
    """Whether a value of this kind is no complex number, whatever it was computed from."""
    match kind:
        case Scalar():
            return kind.type in ("int", "bool") or kind.dtype not in (None, "?")
        case Array():
            return kind.dtype is not None
        case Known() | Instance() | Never():
            return True
        case _:
            return False


def _filled(s: S.Stmt) -> tuple[str, ...]:
    """The list, dictionary or array that a statement puts something into."""
    return (s.base,) if isinstance(s, S.Store | S.Update | S.Edit) else ()


def _gives_reals(s: S.Stmt) -> bool:
    return isinstance(s, S.Bind) and _calls(s.value, _REAL_VALUED)


def _calls(e: E.Expr, functions: tuple[object, ...]) -> bool:
    return (
        isinstance(e, E.Call)
        and isinstance(e.fn, E.Ref)
        and any(e.fn.value is f for f in functions)
    )


def _may_leave_the_reals(s: S.Stmt, facts: Facts) -> bool:
    """Whether a statement is a power that Python may answer with a complex number, or asks a
    factorization of numbers that nothing is known of."""
    app = facts.apps.get(s.site)
    if app is not None and app.rule is FACTORED:
        return True
    match s:
        case S.Bind(value=E.Binary(op="**", left=base, right=exponent)):
            pass
        case S.Bind(value=E.Call(args=(base, exponent)) as call) if _calls(call, _POWERS):
            pass
        case _:
            return False
    kinds = [facts.kinds.expr(s.site, e) for e in (base, exponent)]
    if any(is_complex(k) or isinstance(k, Array) for k in kinds):
        return False
    if any(isinstance(k, Scalar) and k.dtype not in (None, "?") for k in kinds):
        return False
    if isinstance(kinds[1], Scalar) and kinds[1].type in ("int", "bool"):
        return False
    if isinstance(exponent, E.Const) and isinstance(exponent.value, float):
        if exponent.value.is_integer():
            return False
    return not _never_negative(base, s.site, facts, frozenset())


def _never_negative(e: E.Expr, site: int, facts: Facts, open_: frozenset[str]) -> bool:
    """Whether a number is 0, more, or NaN, whenever it is computed."""
    match e:
        case E.Const(value=int() | float() as value):
            return value >= 0
        case E.Binary(op="*", left=E.Name(id=a), right=E.Name(id=b)) if a == b:
            return True
        case E.Binary(op="*" | "+" | "/", left=left, right=right):
            return all(_never_negative(x, site, facts, open_) for x in (left, right))
        case E.Binary(op="**", left=base, right=E.Const(value=int() as n)):
            return n % 2 == 0 or _never_negative(base, site, facts, open_)
        case E.Binary(op="**", left=base):
            return _never_negative(base, site, facts, open_)
        case E.Call(args=args, kwargs=()) if _calls(e, (max, np.maximum)):
            return any(_never_negative(a, site, facts, open_) for a in args)
        case E.Call():
            return _calls(e, _NEVER_NEGATIVE)
        case E.Name(id=var):
            kind = facts.kinds.expr(site, e)
            size = kind.value if isinstance(kind, Scalar) else None
            if size is not None and proves_nonneg(size, facts.kinds.facts(site)):
                return True
            made = list(_definitions(var, facts))
            if var in open_ or not made or var in facts.definitions.params:
                return False
            return all(
                isinstance(s, S.Bind) and _never_negative(s.value, s.site, facts, open_ | {var})
                for s in made
            )
        case _:
            return False


def _definitions(var: str, facts: Facts) -> Iterator[S.Stmt]:
    yield from (facts.structure.stmts[d] for d in facts.definitions.sites.get(var, ()))
