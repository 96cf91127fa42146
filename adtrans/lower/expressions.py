"""Expressions: flattened into one operation after the other, as far as they may carry a derivative.

`value` leaves the result in an atom or a given variable; `test` and `items` keep what is plain
arithmetic on numbers nested, because no derivative passes through a condition or a subscript.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast
import numpy as np

from adtrans import runtime
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower import comprehensions, lower_calls, opaque
from adtrans.lower.builder import Builder
from adtrans.lower.joined_ranges import range_of
from adtrans.lower.purity import has_effects, is_tree, is_trivial
from adtrans.lower.syntax import BINARY, COMPARE, UNARY
from adtrans.source import MISSING

SHAPE = frozenset({"shape", "size", "ndim"})


def value(b: Builder, node: gast.AST, target: str | None = None, *, share: bool = False) -> S.Atom:
    """Evaluates `node` into `target`, or into an atom when there is none.

    `share` allows the result to be a temporary that an equal expression in the same statement has
    filled before: right only where the result is used up at once and not stored under a name.
    """
    match node:
        case gast.Constant():
            return _atom(b, E.Const(node.value), node, target)
        case gast.UnaryOp() if (number := _negative(node)) is not None:
            return _atom(b, number, node, target)
        case gast.Name():
            return _atom(b, name(b, node), node, target)
        case gast.Attribute():
            return _attribute(b, node, target, share)
        case gast.Subscript() if (chosen := _chosen(node)) is not None:
            return _in_turn(b, chosen[0], chosen[1], target)
        case gast.Subscript():
            return _load(b, node, target, share)
        case gast.BinOp():
            left, right = operands(b, [node.left, node.right])
            return _primitive(b, E.Binary(BINARY[type(node.op)], left, right), node, target, share)
        case gast.UnaryOp():
            operand = value(b, node.operand, share=True)
            return _primitive(b, E.Unary(UNARY[type(node.op)], operand), node, target, share)
        case gast.Compare():
            return _compare(b, node, target, share)
        case gast.BoolOp():
            return _short_circuit(b, node, target)
        case gast.IfExp() | gast.Call() if (remains := b.chosen(node)) is not node:
            return value(b, remains, target, share=share)
        case gast.IfExp():
            return _conditional(b, node, target)
        case gast.NamedExpr():
            value(b, node.value, node.target.id)
            b.forget()
            return b.alias(target or b.temp(), node.target.id, node)
        case gast.Call():
            return lower_calls.call(b, node, target, share)
        case gast.Tuple() | gast.List():
            return _display(b, node, target)
        case gast.Dict():
            return comprehensions.dictionary(b, node, node.keys, node.values, target)
        case gast.ListComp() | gast.DictComp() if comprehensions.is_lowered(node):
            return comprehensions.listed(b, node, target)
        case gast.Yield() | gast.YieldFrom() | gast.Await():
            return E.NONE  # reported for the function as a whole
        case _:
            assert isinstance(node, gast.expr)
            return opaque.value(b, node, target)


def operands(b: Builder, nodes: Sequence[gast.AST]) -> list[S.Atom]:
    """Operands of an operation that uses them up: equal ones may share a temporary."""
    return [value(b, n, share=True) for n in nodes]


def variable(b: Builder, node: gast.AST, *, share: bool = False) -> str:
    """Evaluates `node` into a variable: its own when it is one."""
    atom = value(b, node, share=share)
    return atom.id if isinstance(atom, E.Name) else b.bind(b.temp(), atom, node).id


def name(b: Builder, node: gast.Name) -> S.Atom:
    """A variable, or the object that a free name means."""
    if node.id in b.volatile and b.is_local(node.id):
        return b.alias(b.temp(), node.id, node)  # a walrus may rebind it before it is used
    if b.is_local(node.id):
        return E.Name(node.id)
    meant = b.resolve(node.id)
    return b.unresolved(node.id, node) if meant is MISSING else _meaning(node.id, meant)


def _meaning(text: str, meant: object) -> E.Const | E.Ref:
    """A free name with what it means; `np.newaxis` is None by another name, and stays so."""
    if meant is None and text.rpartition(".")[2] == "newaxis":
        return E.NONE
    return E.Ref(text, meant)


def _atom(b: Builder, atom: S.Atom, node: gast.AST, target: str | None) -> S.Atom:
    return atom if target is None else b.assign(target, atom, node)


def _negative(node: gast.UnaryOp) -> E.Const | None:
    inner = node.operand
    if isinstance(node.op, gast.USub) and isinstance(inner, gast.Constant):
        number = inner.value
        if isinstance(number, int | float) and not isinstance(number, bool):
            return E.Const(-number)
    return None


def _primitive(b: Builder, expr: E.Expr, node: gast.AST, target: str | None, share: bool) -> S.Atom:
    if share and target is None:
        known = b.shared(expr, node)
        if known is not None:
            return E.Name(known)
    result = b.bind(target or b.temp(), expr, node)
    if share and target is None:
        b.remember(expr, result.id, node)
    return result


def _attribute(b: Builder, node: gast.Attribute, target: str | None, share: bool) -> S.Atom:
    found = reference(b, node)
    if found is not None:
        return _atom(b, found, node, target)
    base = value(b, node.value, share=share)  # what comes out may be a view of it
    if counts(b, node):
        old = b.bind(b.temp(), E.Attribute(base, node.attr), node)
        return _primitive(b, counted(old.id), node, target, share=False)
    return _primitive(b, E.Attribute(base, node.attr), node, target, share)


def counts(b: Builder, node: gast.Attribute) -> bool:
    """Whether an attribute of a class is an integer when compiling. It is checked when it is read:
    an array would be written in place by `+=`."""
    cls = b.means(node.value)
    return isinstance(cls, type) and type(getattr(cls, node.attr, None)) is int


def counted(name: str) -> E.Call:
    """A variable that has to be an integer."""
    return E.Call(E.Ref("whole_number", runtime.whole_number), (E.Name(name),))


def is_free(b: Builder, node: gast.Attribute) -> bool:
    """Whether `node` is a dotted name that is looked up when compiling."""
    base = b.means(node.value)
    return base is not MISSING and b.follows(base, node.attr)


def reference(b: Builder, node: gast.Attribute) -> S.Atom | None:
    """The object that a dotted name such as `np.pi` means; None when it is read at run time."""
    if not is_free(b, node):
        return None
    text = gast.unparse(node)
    meant = b.means(node)
    return b.unresolved(text, node) if meant is MISSING else _meaning(text, meant)


def _load(b: Builder, node: gast.Subscript, target: str | None, share: bool) -> S.Atom:
    size = _shape(b, node)
    if size is not None:
        return _primitive(b, size, node, target, share)
    joined = _joined(b, node)
    if joined is not None:
        return _primitive(b, joined, node, target, share)
    base = variable(b, node.value, share=share)
    where = items(b, node.slice)
    key = E.Index(E.Name(base), where)
    if share and target is None:
        known = b.shared(key, node)
        if known is not None:
            return E.Name(known)
    result = target or b.temp()
    b.block.append(S.Load(result, base, where, site=b.site(), span=b.span(node), origin=b.origin))
    if share and target is None:
        b.remember(key, result, node)
    return E.Name(result)


def _joined(b: Builder, node: gast.Subscript) -> E.Call | None:
    """`np.r_[a, 0.0, b]` as a call; its ranges are arrays that do not vary."""
    meant = b.means(node.value)
    joiner = next((j for j in (np.r_, np.c_) if meant is j), None)
    if joiner is None:
        return None
    parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
    if any(isinstance(p, gast.Starred) or _is_text(p) for p in parts):
        return None
    found = []
    for p in parts:
        if isinstance(p, gast.Slice) and (ends := range_of(p)) is not None:
            fn, given = ends
            made = E.Call(E.Ref(f"np.{fn.__name__}", fn), tuple(value(b, g) for g in given))
            found.append(_primitive(b, made, node, None, share=False))
        elif isinstance(p, gast.Slice):
            whole = gast.Subscript(node.value, p, gast.Load())
            gast.copy_location(whole, node)
            found.append(opaque.value(b, whole, None))
        else:
            found.append(value(b, p))
    text = f"{gast.unparse(node.value)}.__getitem__"
    return E.Call(E.Ref(text, joiner.__getitem__), (E.Sequence("tuple", tuple(found)),))


def _is_text(node: gast.AST) -> bool:
    return isinstance(node, gast.Constant) and isinstance(node.value, str)


def _chosen(node: gast.Subscript) -> tuple[list[gast.expr], int] | None:
    """The items of a display of which a literal number selects one, as `(y := f(x), y + 1)[1]`."""
    match node:
        case gast.Subscript(value=gast.Tuple(elts=items), slice=gast.Constant(value=int(k))):
            if 0 <= k < len(items) and not any(isinstance(i, gast.Starred) for i in items):
                return items, k
    return None


def _in_turn(b: Builder, items: list[gast.expr], k: int, target: str | None) -> S.Atom:
    """All items evaluated in turn; the value is that of item `k`."""
    found: S.Atom = E.NONE
    outside = b.volatile
    for n, item in enumerate(items):
        inside = gast.walk(item.value if isinstance(item, gast.NamedExpr) else item)
        b.volatile = frozenset(i.target.id for i in inside if isinstance(i, gast.NamedExpr))
        if isinstance(item, gast.NamedExpr):
            value(b, item.value, item.target.id)
            b.forget()
            got: S.Atom = E.Name(item.target.id)
        else:
            got = value(b, item)
        b.volatile = outside
        if n == k:
            found = got
            if isinstance(got, E.Name) and got.id in outside:
                found = b.alias(b.temp(), got.id, item)
    return found if target is None else b.assign(target, found, items[k])


def _compare(b: Builder, node: gast.Compare, target: str | None, share: bool) -> S.Atom:
    ops = tuple(COMPARE[type(op)] for op in node.ops)
    if len(ops) == 1 or all(is_trivial(n) for n in node.comparators[1:]):
        left, *rights = operands(b, [node.left, *node.comparators])
        return _primitive(b, E.Compare(left, ops, tuple(rights)), node, target, share)
    # a < b < f(c): f(c) runs only if a < b, and b runs once
    result = b.temp() if target is None or b.shows(target, node) else target
    left = value(b, node.left)
    _chain(b, left, ops, node.comparators, node, result)
    return _delivered(b, result, target, node)


def _delivered(b: Builder, result: str, target: str | None, node: gast.AST) -> S.Atom:
    return E.Name(result) if target in (None, result) else b.alias(str(target), result, node)


def _chain(
    b: Builder,
    left: S.Atom,
    ops: tuple[str, ...],
    rights: list[gast.expr],
    node: gast.AST,
    result: str,
) -> None:
    right = value(b, rights[0])
    b.bind(result, E.Compare(left, ops[:1], (right,)), node)
    if len(ops) > 1:
        with b.nested() as then:
            _chain(b, right, ops[1:], rights[1:], node, result)
        b.branch(E.Name(result), then, [], node)


def _short_circuit(b: Builder, node: gast.BoolOp, target: str | None) -> S.Atom:
    result = b.temp() if target is None or b.shows(target, node) else target
    _lazily(b, node.values, isinstance(node.op, gast.And), node, result)
    return _delivered(b, result, target, node)


def _lazily(
    b: Builder,
    values: list[gast.expr],
    conjunction: bool,
    node: gast.AST,
    result: str,
    *,
    asked: bool = False,
) -> None:
    """`asked`: of what has a name, such as a list that may be empty, only the truth counts."""
    compared = _asks_none(values[0])
    if compared is not None and len(values) > 1:
        # the comparison is the test itself, so that it is known where the rest is evaluated
        left = value(b, compared.left, share=True)
        op = COMPARE[type(compared.ops[0])]
        b.bind(result, E.Compare(left, (op,), (E.NONE,)), compared)
        goes_on = op if conjunction else {"is": "is not", "is not": "is"}[op]
        with b.nested() as rest:
            _lazily(b, values[1:], conjunction, node, result, asked=asked)
        b.branch(E.Compare(left, (goes_on,), (E.NONE,)), rest, [], node)
        return
    first = values[0]
    if asked and isinstance(first, gast.Name | gast.Attribute | gast.Subscript):
        b.bind(result, E.Call(E.Ref("bool", bool), (value(b, first),)), first)
    elif asked and isinstance(first, gast.BoolOp):
        _lazily(b, first.values, isinstance(first.op, gast.And), first, result, asked=True)
    elif isinstance(first, gast.List | gast.ListComp | gast.Dict | gast.DictComp):
        # in a variable of its own: what is put into it is not put into what comes instead
        own = b.temp()
        value(b, first, own)
        b.alias(result, own, first)
    else:
        value(b, first, result)
    if len(values) > 1:
        with b.nested() as rest:
            _lazily(b, values[1:], conjunction, node, result, asked=asked)
        then, orelse = (rest, []) if conjunction else ([], rest)
        b.branch(E.Name(result), then, orelse, node)


def _asks_none(node: gast.expr) -> gast.Compare | None:
    """A condition that is `x is None` or `x.a is not None`."""
    match node:
        case gast.Compare(
            left=gast.Name() | gast.Attribute(), ops=[gast.Is() | gast.IsNot()],
            comparators=[gast.Constant(value=None)],
        ):  # fmt: skip
            return node
        case _:
            return None


def _conditional(b: Builder, node: gast.IfExp, target: str | None) -> S.Atom:
    condition = test(b, node.test)
    result = target or b.temp()
    with b.nested() as then:
        value(b, node.body, result)
    with b.nested() as orelse:
        value(b, node.orelse, result)
    b.branch(condition, then, orelse, node)
    return E.Name(result)


def _display(b: Builder, node: gast.Tuple | gast.List, target: str | None) -> S.Atom:
    if any(isinstance(e, gast.Starred) for e in node.elts):
        if isinstance(node, gast.List):
            return comprehensions.joined(b, node, target)
        return opaque.value(b, node, target)
    atoms = tuple(value(b, e) for e in node.elts)
    result = target or b.temp()
    kind = E.Sequence("tuple" if isinstance(node, gast.Tuple) else "list", ()).kind
    b.block.append(S.Pack(result, kind, atoms, site=b.site(), span=b.span(node), origin=b.origin))
    return E.Name(result)


# Tests


def test(b: Builder, node: gast.AST) -> E.Expr:
    """A condition: comparisons of plain variables stay nested, the rest goes to temporaries."""
    if is_tree(b, node):
        return tree(b, node)
    match node:
        case gast.UnaryOp() if isinstance(node.op, gast.Not):
            return E.Unary("not", test(b, node.operand))
        case gast.Compare() if all(is_tree(b, n) for n in node.comparators[1:]):
            parts = [node.left, *node.comparators]
            ops = tuple(COMPARE[type(op)] for op in node.ops)
            left, *rights = (_plain(b, n) for n in parts)
            return E.Compare(left, ops, tuple(rights))
        case gast.BoolOp() if all(is_tree(b, n) for n in node.values[1:]):
            first, *rest = node.values
            op = "and" if isinstance(node.op, gast.And) else "or"
            head = test(b, first)
            return E.BoolOp(_connective(op), (head, *(tree(b, n) for n in rest)))
        case gast.BoolOp(op=op, values=values):
            result = b.temp()
            _lazily(b, values, isinstance(op, gast.And), node, result, asked=True)
            return E.Name(result)
        case _:
            return value(b, node)


def _connective(op: str) -> lower_calls.Connective:
    return "and" if op == "and" else "or"


def _plain(b: Builder, node: gast.AST) -> E.Expr:
    return tree(b, node) if is_tree(b, node) else value(b, node, share=True)


def tree(b: Builder, node: gast.AST) -> E.Expr:
    """An expression for which `is_tree` holds, nested as it is."""
    match node:
        case gast.UnaryOp():
            return _negative(node) or E.Unary(UNARY[type(node.op)], tree(b, node.operand))
        case gast.BinOp():
            return E.Binary(BINARY[type(node.op)], tree(b, node.left), tree(b, node.right))
        case gast.Compare():
            ops = tuple(COMPARE[type(op)] for op in node.ops)
            return E.Compare(tree(b, node.left), ops, tuple(tree(b, n) for n in node.comparators))
        case gast.BoolOp():
            op = "and" if isinstance(node.op, gast.And) else "or"
            return E.BoolOp(_connective(op), tuple(tree(b, n) for n in node.values))
        case _:
            return value(b, node)


# Subscripts


def items(b: Builder, node: gast.AST) -> tuple[E.Expr, ...]:
    """The items of a subscript."""
    if not isinstance(node, gast.Tuple) or any(isinstance(e, gast.Starred) for e in node.elts):
        return (index(b, node),)
    if len(node.elts) == 1 and not _is_blank(node.elts[0]):
        (part,) = node.elts  # x[i,] is not x[i] of dictionaries, objects and grids
        if not isinstance(part, gast.Slice):
            return (value(b, node),)
        ends = (E.NONE if p is None else value(b, p) for p in (part.lower, part.upper, part.step))
        made = b.bind(b.temp(), E.Call(E.Ref("slice", slice), tuple(ends)), part)
        pair, where = b.temp(), b.span(node)
        b.block.append(S.Pack(pair, "tuple", (made,), site=b.site(), span=where, origin=b.origin))
        return (E.Name(pair),)
    return index_parts(b, node.elts)


def _is_blank(node: gast.AST) -> bool:
    """`...` or None, which mean something for arrays only."""
    return isinstance(node, gast.Constant) and node.value in (..., None)


def index_parts(b: Builder, nodes: Sequence[gast.AST]) -> tuple[E.Expr, ...]:
    """Items, slice bounds or range bounds, evaluated left to right."""
    found = []
    for k, node in enumerate(nodes):
        part = index(b, node)
        if any(has_effects(b, later) for later in nodes[k + 1 :]):
            part = settle(b, part, node)
        found.append(part)
    return tuple(found)


def settle(b: Builder, part: E.Expr, node: gast.AST) -> E.Expr:
    """`part` evaluated now, because what follows could change it."""
    if E.is_atom(part):
        return part
    if isinstance(part, E.Slice):
        bounds = (part.lower, part.upper, part.step)
        return E.Slice(*(None if p is None else settle(b, p, node) for p in bounds))
    return b.bind(b.temp(), part, node)


def index(b: Builder, node: gast.AST) -> E.Expr:
    """One item: integer arithmetic, `len(x)` and `x.shape[k]` stay nested."""
    match node:
        case gast.Slice():
            present = [n for n in (node.lower, node.upper, node.step) if n is not None]
            parts = iter(index_parts(b, present))
            bounds = (node.lower, node.upper, node.step)
            return E.Slice(*(None if n is None else next(parts) for n in bounds))
        case gast.UnaryOp() if isinstance(node.op, gast.USub | gast.UAdd):
            negative = _negative(node)
            return negative or E.Unary(UNARY[type(node.op)], index(b, node.operand))
        case gast.BinOp() if isinstance(
            node.op, gast.Add | gast.Sub | gast.Mult | gast.FloorDiv | gast.Mod
        ):
            left, right = index_parts(b, [node.left, node.right])
            return E.Binary(BINARY[type(node.op)], left, right)
        case gast.Call() | gast.Attribute() | gast.Subscript():
            return _shape(b, node) or value(b, node, share=True)
        case _:
            return value(b, node, share=True)


def _shape(b: Builder, node: gast.AST) -> E.Expr | None:
    """`len(x)`, `x.size`, `x.ndim`, `x.shape[k]` of a variable `x`; None for anything else."""
    match node:
        case gast.Call(func=gast.Name(id="len"), args=[gast.Name() as x], keywords=[]):
            known = b.means(node.func)
            if known is len and b.is_local(x.id) and x.id not in b.volatile:
                return E.Call(E.Ref("len", known), (E.Name(x.id),))
        case gast.Attribute(value=gast.Name() as x, attr=attr) if attr in SHAPE:
            if attr != "shape" and b.is_local(x.id) and x.id not in b.volatile:
                return E.Attribute(E.Name(x.id), attr)
        case gast.Subscript(value=gast.Attribute(value=gast.Name() as x, attr="shape")):
            k = node.slice
            if isinstance(k, gast.UnaryOp):
                k = k.operand
            literal = isinstance(k, gast.Constant) and isinstance(k.value, int)
            if literal and b.is_local(x.id) and x.id not in b.volatile:
                shape = E.Attribute(E.Name(x.id), "shape")
                return E.Index(shape, (index(b, node.slice),))
    return None
