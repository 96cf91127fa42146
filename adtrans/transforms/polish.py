"""The last touches before printing: signs, factors in front, short names for temporaries.

u_bar[1:-1] += -t_6_bar * 2    ->    u_bar[1:-1] -= 2 * t_bar

>>> minus = E.Unary("-", E.Binary("*", E.Name("t_6_bar"), E.Const(2)))
>>> ((line,),) = short_names([signs((C.AugAssign(E.Name("u_bar"), "+", minus),))], ())
>>> print(line.target, line.op, line.value)
u_bar - 2 * t_bar
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import rebuild, walk
from adtrans.transforms.adjoints import accumulate
from adtrans.transforms.fold import all_code, expressions
from adtrans.transforms.fresh import is_fresh
from adtrans.transforms.rewrite import map_code
from adtrans.transforms.simplify import simplify

_NUMBERED = re.compile(r"_\d+(?=_|$)")
_TEMPORARY = re.compile(r"(?P<base>t(?:_\d+)?)(?P<rest>_[a-z].*)?\Z")


def signs(body: C.Body, derivatives: Container[str] | None = None) -> C.Body:
    """Adding what is negative as subtracting; constant factors in front.

    `derivatives`: the names whose statements may be rewritten, None for all. The primal must not
    be: `y = x * 1.0` makes a new array.
    """

    def block(inner: C.Body) -> C.Body:
        return signs(inner, derivatives)

    def one(c: C.Code) -> C.Code:
        match c:
            case C.Branch() | C.ForEach() | C.Loop() | C.Attempt() | C.Within():
                return C.map_bodies(c, block)
            case _ if derivatives is None or _assigns(c, derivatives):
                before, c = c, map_code(c, lambda e: simplify(_in_front(e), units=False))
                if isinstance(before, C.Assign) and isinstance(c, C.Assign):
                    if is_fresh(before.value) and not is_fresh(c.value):
                        return before  # `-(-x)` is a new array, which may be written later
                if isinstance(c, C.AugAssign) and c.op == "+":
                    return accumulate(c.target, c.value, c.note)
                return c
            case _:
                return c

    return tuple(one(c) for c in body)


def _assigns(c: C.Code, names: Container[str]) -> bool:
    """Whether a statement assigns to these names only."""
    match c:
        case C.Assign():
            return all(_root(t) in names for t in c.targets)
        case C.AugAssign():
            return _root(c.target) in names
        case _:
            return False


def _root(target: E.Expr) -> str:
    while isinstance(target, E.Index | E.Attribute):
        target = target.base
    return target.id if isinstance(target, E.Name) else ""


def _in_front(e: E.Expr) -> E.Expr:
    """`x * 2` as `2 * x`, and `2 * (x * y)` as `2 * x * y` (both exact)."""
    e = rebuild(e, _in_front)
    match e:
        case E.Binary(op="*", left=left, right=E.Const(value=int() | float()) as c) if (
            not isinstance(left, E.Const)
        ):
            return _in_front(E.Binary("*", c, left))
        case E.Binary(op="*", left=E.Const() as c, right=E.Unary(op="-", operand=x)):
            return E.Unary("-", _in_front(E.Binary("*", c, x)))
        case E.Binary(
            op="*", left=E.Const() as c, right=E.Binary(op="*" | "/" as op, left=a, right=b)
        ):
            return E.Binary(op, _in_front(E.Binary("*", c, a)), b)
        case E.Binary(op="*", left=E.Binary(op="*", left=E.Const() as c, right=a), right=b) if (
            not isinstance(b, E.Const)
        ):
            return E.Binary("*", E.Binary("*", c, a), b)
        case _:
            return e


def short_names(bodies: Iterable[C.Body], reserved: Iterable[str]) -> tuple[C.Body, ...]:
    """The bodies with temporaries numbered anew in the order in which they appear: `t`, `t_2`.

    What belongs to one temporary (`t_5_bar`, `t_5_saved`) is called after its new name. Those in
    what is printed as it was written keep theirs.
    """
    bodies = tuple(bodies)
    taken = {*reserved, *(n for body in bodies for n in _as_written(body))}
    found = list(dict.fromkeys(n for body in bodies for n in _names(body) if n not in taken))
    parts = {n: m for n in found if (m := _TEMPORARY.match(n)) is not None}
    names = NameAllocator(taken | {n for n in found if n not in parts})
    bases = {
        b: names.fresh("t")
        for b in dict.fromkeys(m["base"] for m in parts.values() if not m["rest"])
    }
    to: dict[str, E.Expr] = {n: E.Name(bases[n]) for n in parts if n in bases}
    for n, m in parts.items():
        if m["rest"]:
            base = bases.get(m["base"], "t")
            to[n] = E.Name(names.fresh(base + _NUMBERED.sub("", m["rest"])))
    return tuple(tuple(map_code(c, lambda e: _renamed(e, to)) for c in body) for body in bodies)


def _names(body: C.Body) -> Iterable[str]:
    for c in all_code(body):
        found = list(expressions(c))
        if isinstance(c, C.Assign):
            found = [*c.targets, c.value]
        elif isinstance(c, C.ForEach):
            found = [c.target, c.iter]
        for e in found:
            yield from (s.id for s in walk(e) if isinstance(s, E.Name))


def _as_written(body: C.Body) -> Iterable[str]:
    """The names in what is printed as it was written."""
    for c in all_code(body):
        if isinstance(c, C.Original):
            yield from (*c.reads, *c.binds)
        for e in expressions(c):
            yield from (n for s in walk(e) if isinstance(s, E.Verbatim) for n in s.reads)


def _renamed(e: E.Expr, to: dict[str, E.Expr]) -> E.Expr:
    if isinstance(e, E.Name):
        return to.get(e.id, e)
    return rebuild(e, lambda c: _renamed(c, to))
