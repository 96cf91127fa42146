"""Variables that a loop counts with, and what its test says of them.

    i = 1
    while i < n:        # in iteration k, from 0: i == 1 + 2 * k, and i < n in the body
        ...
        i += 2

>>> from adtrans.diagnostics.span import Span
>>> here = Span("f.py", 1, 0, 1, 1)
>>> step = S.Bind("i", E.Binary("+", E.Name("i"), E.Const(2)), site=8, span=here)
>>> loop = S.While((), E.Compare(E.Name("i"), ("<",), (E.Name("n"),)), (step,), site=7, span=here)
>>> counters(loop)
{'i': 2}
>>> n, i = (K.Scalar("int", None, Affine.symbol(s)) for s in ("n", "#7"))
>>> print(*bounds(loop.test, lambda e: i if e == E.Name("i") else n))
-#7 + n - 1
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from adtrans.ir import expr as E
from adtrans.ir import kinds as K
from adtrans.ir import stmt as S
from adtrans.ir.affine import Affine
from adtrans.ir.expr import Expr
from adtrans.ir.kinds import Kind
from adtrans.ir.walk import binds_of, statements, walk

__all__ = ["bounds", "bounds_without", "counters", "is_simple"]

Look = Callable[[Expr], Kind]


def counters(loop: S.For | S.While) -> dict[str, int]:
    """The variables to which each iteration adds one constant, and that constant."""
    bound = Counter(v for s in statements((loop,)) for v in binds_of(s))
    steps = (step for s in loop.body if (step := _step(s)) is not None)
    return {v: by for v, by in steps if bound[v] == 1}  # nothing there comes after a `continue`


def _step(s: S.Stmt) -> tuple[str, int] | None:
    """The variable and the constant of `v = v + c`."""
    match s:
        case S.Update(items=None, base=var, op="+" | "-" as op, value=E.Const(value=int() as c)):
            pass
        case S.Bind(
            target=var,
            value=E.Binary(
                op="+" | "-" as op, left=E.Name(id=name), right=E.Const(value=int() as c)
            ),
        ) if name == var:
            pass
        case S.Bind(
            target=var,
            value=E.Binary(op="+" as op, left=E.Const(value=int() as c), right=E.Name(id=name)),
        ) if name == var:
            pass
        case _:
            return None
    return None if isinstance(c, bool) else (var, c if op == "+" else -c)


def is_simple(loop: S.While) -> bool:
    """Whether the test is computed from numbers and lengths only."""
    return all(
        isinstance(s, S.Bind) and all(_is_plain(e) for e in walk(s.value)) for s in loop.head
    )


def _is_plain(e: Expr) -> bool:
    if isinstance(e, E.Call):
        return isinstance(e.fn, E.Ref) and e.fn.value is len
    return isinstance(e, E.Name | E.Const | E.Ref | E.Binary | E.Unary | E.Compare)


def bounds(test: Expr, look: Look) -> Iterator[Affine]:
    """What is >= 0 where the test holds. `look` gives the kinds of what it compares."""
    if isinstance(test, E.BoolOp) and test.op == "and":
        for part in test.values:
            yield from bounds(part, look)
    if not isinstance(test, E.Compare):
        return
    for left, op, right in zip(
        (test.left, *test.rights), test.ops, test.rights, strict=False
    ):
        a, b = _value(look(left)), _value(look(right))
        if a is None or b is None or op not in ("<", "<=", ">", ">="):
            continue
        distance = b - a if op[0] == "<" else a - b
        yield distance - (0 if op.endswith("=") else 1)


_OPPOSITES = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def bounds_without(test: Expr, look: Look) -> Iterator[Affine]:
    """What is >= 0 where the test does not hold."""
    if isinstance(test, E.BoolOp) and test.op == "or":
        for part in test.values:
            yield from bounds_without(part, look)
    if isinstance(test, E.Compare) and len(test.ops) == 1 and test.ops[0] in _OPPOSITES:
        yield from bounds(replace(test, ops=(_OPPOSITES[test.ops[0]],)), look)


def holds(test: Expr, look: Look, proves: Callable[[Affine], bool]) -> bool:
    """Whether the test is certainly true, by what is known of the numbers."""
    if isinstance(test, E.Const):
        return bool(test.value)
    if not isinstance(test, E.Compare):
        return False
    found = list(bounds(test, look))
    return len(found) == len(test.ops) and all(map(proves, found))


def _value(kind: Kind) -> Affine | None:
    return kind.value if isinstance(kind, K.Scalar) and kind.type == "int" else None
