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
from adtrans.ir.walk import rebuild, substitute, walk
from adtrans.rules import lookup
from adtrans.transforms.adjoints import accumulate
from adtrans.transforms.fold import all_code, expressions
from adtrans.transforms.fresh import is_fresh
from adtrans.transforms.map_expressions import map_code
from adtrans.transforms.simplify import simplify

_NUMBERED = re.compile(r"_\d+(?=_|$)")
_TEMPORARY = re.compile(r"(?P<base>t(?:_\d+)?)(?P<rest>_[a-z].*)?\Z")


def signs(
    body: C.Body,
    derivatives: Container[str] | None = None,
    primal: Container[str] = frozenset(),
) -> C.Body:
    """Adding what is negative as subtracting; constant factors in front.

    `derivatives`: the names whose statements may be rewritten, None for all but those of `primal`.
    The primal must not be: `y = x * 1.0` makes a new array, and a test may turn out otherwise where
    `0.1 * (a * b)` is calculated in another order.
    """

    def block(inner: C.Body) -> C.Body:
        return signs(inner, derivatives, primal)

    def one(c: C.Code) -> C.Code:
        match c:
            case C.Branch() | C.ForEach() | C.Loop() | C.Attempt() | C.Within():
                return C.map_bodies(c, block)
            case C.Assign() if any(n in primal for n in c.bound):
                return c
            case _ if derivatives is None or _assigns(c, derivatives):
                before, c = c, map_code(c, _tidied)
                if isinstance(before, C.Assign) and isinstance(c, C.Assign):
                    if is_fresh(before.value) and not is_fresh(c.value):
                        return before  # `-(-x)` is a new array, which may be written later
                if isinstance(c, C.AugAssign) and c.op == "+":
                    return accumulate(c.target, c.value, c.note)
                return c
            case _:
                return c

    return tuple(one(c) for c in body)


def _tidied(e: E.Expr) -> E.Expr:
    """A derivative with its constants in front; what it decides by stays as it is calculated.

    >>> k = E.Binary("*", E.Name("k"), E.Const(2))
    >>> print(_tidied(E.Binary("*", E.Index(E.Name("u"), (k,)), E.Const(3))))
    3 * u[k * 2]
    """
    exact: dict[str, E.Expr] = {}

    def hidden(e: E.Expr) -> E.Expr:
        exact[f"#{len(exact)}"] = e
        return E.Name(f"#{len(exact) - 1}")

    def visit(e: E.Expr) -> E.Expr:
        match e:
            case E.Index(base=base, items=items):
                return E.Index(visit(base), tuple(i if E.is_atom(i) else hidden(i) for i in items))
            case E.Compare() | E.BoolOp() | E.Binary(op="//" | "%"):
                return hidden(e)
            case E.Call(fn=E.Ref(value=value)) if _is_piecewise(value):
                return hidden(e)
            case _:
                return rebuild(e, visit)

    made = simplify(_in_front(visit(e)), units=False)
    return substitute(made, exact) if exact else made


def _is_piecewise(fn: object) -> bool:
    """Whether a function gives no derivative on: `int`, `np.floor`, `np.sign`."""
    rule = lookup(fn)
    return rule is not None and rule.form == "constant"


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
