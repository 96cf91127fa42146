"""The adjoints of variables while a pullback is written: what each one is at this point.

Nothing is known yet (zero), or an expression; whether that is an array of its own, which may be
accumulated in place, or borrowed from another; and its kind, which may be thinner than the
variable's: the adjoint of `u` in `np.sum(u)` is one number that broadcasts.

>>> from adtrans.ir.kinds import PY_FLOAT
>>> thin = Adjoint(E.Name("y_bar"), PY_FLOAT, owned=False)
>>> u = Array("float64", (None,))
>>> thin.covers(u), str(full(thin, u, E.Name("shape")).expr)
(False, 'np.broadcast_to(y_bar, shape)')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from adtrans import runtime
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir.kinds import (
    Array,
    Container,
    Kind,
    Maybe,
    Mixed,
    Scalar,
    TupleOf,
    Unknown,
    is_differentiable,
    present,
)
from adtrans.ir.walk import names_in
from adtrans.rules.complexes import is_complex, is_real

ZERO = E.Const(0.0)


@dataclass(frozen=True, slots=True)
class Adjoint:
    """`owned`: this array (or name) may be changed in place, once those who look into it have
    copies. `borrows`: the names of adjoint arrays whose memory `expr` looks into. `whole`: it
    certainly has the shape of its variable, whatever the kinds tell; `in_order`: the order of C,
    without gaps."""

    expr: E.Expr
    kind: Kind
    owned: bool
    borrows: frozenset[str] = frozenset()
    whole: bool = False
    in_order: bool = False

    def covers(self, kind: Kind) -> bool:
        """Whether it has the full shape of a variable of this kind."""
        return self.whole or same_shape(self.kind, kind) or not isinstance(kind, Array)

    def spans(self, kind: Kind) -> bool:
        """The same for a variable that may be an array where nothing is known of it."""
        return self.covers(kind) and (self.whole or not isinstance(kind, Unknown))


State = dict[str, Adjoint]


def same_shape(a: Kind, b: Kind) -> bool:
    """Whether two kinds certainly have the same shape."""
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        return True
    if isinstance(a, Scalar) or isinstance(b, Scalar):
        one = b if isinstance(a, Scalar) else a
        return isinstance(one, Array) and one.dims == ()
    if not (isinstance(a, Array) and isinstance(b, Array)):
        return False
    if a.dims is None or b.dims is None or len(a.dims) != len(b.dims):
        return False
    return all(x is not None and x == y for x, y in zip(a.dims, b.dims, strict=True))


def operand_shape_is_result_shape(operand: Kind, result: Kind) -> bool:
    """Whether an operand of a broadcasting operation certainly has the shape of the result."""
    if same_shape(operand, result):
        return True
    if not (isinstance(operand, Array) and isinstance(result, Array)):
        return False
    if operand.dims is None or result.dims is None or len(operand.dims) != len(result.dims):
        return False
    return all(
        (o is not None and o == r) or axis in operand.not_one
        for axis, (o, r) in enumerate(zip(operand.dims, result.dims, strict=True))
    )


def summed_axes(operand: Kind, result: Kind) -> tuple[tuple[str, E.Expr], ...] | None:
    """The arguments of `np.sum` that bring the shape of a result to that of an operand which was
    broadcast to it; None where the kinds do not tell.

    >>> from adtrans.ir.affine import Affine
    >>> n, k = Affine.symbol("n"), Affine.symbol("k")
    >>> summed_axes(Array("float64", (k,)), Array("float64", (n, k)))
    (('axis', Const(value=0)),)
    """
    if not (isinstance(operand, Array) and isinstance(result, Array)):
        return None
    if operand.dims is None or result.dims is None or None in (*operand.dims, *result.dims):
        return None
    lead = len(result.dims) - len(operand.dims)
    if lead < 0:  # an assignment takes values with more axes, if the first have length one
        return None
    pairs = list(zip(operand.dims, result.dims[lead:], strict=True))
    ones = [lead + i for i, (o, r) in enumerate(pairs) if o != r]
    if any(o is None or o.value != 1 for o, r in pairs if o != r) or (lead and ones):
        return None
    axes = ones if ones else list(range(lead))
    axis: E.Expr = E.Const(axes[0])
    if len(axes) > 1:
        axis = E.Sequence("tuple", tuple(E.Const(a) for a in axes))
    given: tuple[tuple[str, E.Expr], ...] = (("axis", axis),)
    return (*given, ("keepdims", E.Const(True))) if ones else given


def full(adj: Adjoint, kind: Kind, shape: E.Expr, *, own: bool = False) -> Adjoint:
    """`adj` with the whole shape of its variable; `own`: in memory of its own."""
    if adj.covers(kind) or not isinstance(kind, Array):
        return adj
    if own:
        args: tuple[E.Expr, ...] = (shape, adj.expr)
        if isinstance(adj.kind, Scalar) or (isinstance(adj.kind, Array) and adj.kind.dims == ()):
            made: E.Expr = E.Call(E.Ref("np.full", np.full), args, dtype_argument(kind))
        else:
            made = E.Call(E.Ref("np.broadcast_to", np.broadcast_to), (adj.expr, shape))
            made = E.Call(E.Attribute(made, "copy"), ())
        return Adjoint(made, kind, True, whole=True)
    made = E.Call(E.Ref("np.broadcast_to", np.broadcast_to), (adj.expr, shape))
    return Adjoint(made, kind, False, adj.borrows, whole=True)


def of_real(adj: Adjoint, kind: Kind) -> Adjoint:
    """The adjoint of a number of this kind, from that of a place that may hold complex ones, too.

    >>> z_bar = Adjoint(E.Name("z_bar"), Scalar("complex"), owned=False)
    >>> str(of_real(z_bar, Scalar("float")).expr), of_real(z_bar, z_bar.kind) is z_bar
    ('np.real(z_bar)', True)
    """
    if not (is_complex(adj.kind) and isinstance(kind, Scalar | Array) and is_real(kind)):
        return adj
    made = E.Call(E.Ref("np.real", np.real), (adj.expr,))
    if isinstance(adj.kind, Array):
        dtype = {"complex64": "float32", "complex128": "float64"}.get(str(adj.kind.dtype))
        real: Kind = replace(adj.kind, dtype=dtype)
    else:
        real = Scalar("float", "?")
    looks = adj.borrows if isinstance(real, Scalar) else adj.borrows | names_in(adj.expr)
    return replace(adj, expr=made, kind=real, owned=False, borrows=looks)


def dtype_argument(kind: Kind) -> tuple[tuple[str, E.Expr], ...]:
    """`dtype=...` where the default float64 would be wrong."""
    if isinstance(kind, Array) and kind.dtype not in (None, "float64"):
        name = "bool_" if kind.dtype == "bool" else str(kind.dtype)  # `np.bool` is new in NumPy 2
        return (("dtype", E.Ref(f"np.{name}", getattr(np, name))),)
    return ()


def zero(kind: Kind) -> E.Expr:
    """A zero adjoint for a number.

    >>> print(zero(Scalar("float")), zero(Scalar("complex")))
    0.0 0j
    """
    return E.Const(0j) if is_complex(present(kind)) else ZERO


def zeros(kind: Kind, shape: E.Expr) -> E.Expr:
    """A zero adjoint for a variable of this kind.

    >>> from adtrans.ir.kinds import PY_FLOAT
    >>> print(zeros(PY_FLOAT, E.NONE))
    0.0
    """
    if isinstance(kind, Scalar):
        return zero(kind)
    if (
        isinstance(shape, E.Sequence)
        and len(shape.items) == 1
        and not isinstance(shape.items[0], E.Star)
    ):
        shape = shape.items[0]
    return E.Call(E.Ref("np.zeros", np.zeros), (shape,), dtype_argument(kind))


def negated(e: E.Expr) -> E.Expr | None:
    """`x` where `e` is `-x` or `-x * y`, so that adding it can be written as subtracting."""
    if isinstance(e, E.Unary) and e.op == "-":
        return e.operand
    if isinstance(e, E.Binary) and e.op in ("*", "/", "@"):
        left = negated(e.left)
        if left is not None:
            return E.Binary(e.op, left, e.right)
    return None


def accumulate(target: E.Expr, value: E.Expr, note: C.Note | None) -> C.Code:
    """`target += value`, or `-=` where that reads better."""
    if not isinstance(target, E.Name | E.Index):
        target = E.Index(target, (E.ELLIPSIS,))  # `a.T += b` would assign the attribute
    minus = negated(value)
    return C.AugAssign(
        target, "+" if minus is None else "-", value if minus is None else minus, note
    )


def plus(a: E.Expr, b: E.Expr, kind: Kind) -> E.Expr:
    """The sum of two adjoints of a variable of this kind."""
    gaps = False  # what has no derivative has None for an adjoint
    if isinstance(kind, Mixed):
        certain = all(map(is_differentiable, kind.alternatives()))
        gaps = kind.none or kind.array.dtype is None or not certain
    if gaps or isinstance(kind, Container | TupleOf | Maybe):
        return added(a, b)
    return E.Binary("+", a, b)


def added(a: E.Expr, b: E.Expr) -> E.Expr:
    """The sum of two adjoints of one structure, or of one that is None."""
    return E.Call(E.Ref("plus", runtime.plus), (a, b))


def duplicate(e: E.Expr) -> E.Expr:
    """A copy of an adjoint of any structure."""
    return E.Call(E.Ref("duplicate", runtime.duplicate), (e,))


def copied(e: E.Expr, kind: Kind) -> E.Expr:
    """A copy of an adjoint, and of all that it holds."""
    if isinstance(kind, Container | Mixed | Maybe | Unknown):
        return duplicate(e)
    return E.Call(E.Attribute(e, "copy"), ())


def mentions(state: Mapping[str, Adjoint], name: str) -> bool:
    """Whether some adjoint looks at the name."""
    return any(name in names_in(a.expr) for a in state.values())


def borrowed(state: Mapping[str, Adjoint], name: str) -> list[str]:
    """The variables whose adjoints look into the array called `name` without owning it."""
    return [v for v, a in state.items() if name in a.borrows]


def shared(adj: Adjoint) -> Adjoint:
    """The same adjoint for several variables: nobody owns it any more; arrays are borrowed."""
    names = (
        frozenset(names_in(adj.expr))
        if isinstance(adj.kind, Array) or not isinstance(adj.kind, Scalar)
        else frozenset()
    )
    return replace(adj, owned=False, borrows=adj.borrows | names)
