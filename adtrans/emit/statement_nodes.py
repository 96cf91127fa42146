"""Statements of generated code as syntax nodes, with their notes kept beside them.

>>> import gast
>>> from adtrans.emit.printer import print_tree
>>> from adtrans.ir.code import Assign, Branch, Leave, Note
>>> from adtrans.ir.expr import Const, Name
>>> s = Branch(Name("done"), (Leave("break"),), (Assign((Name("t"),), Const(1), Note(3, "t = 1")),))
>>> tree = statements((s,))
>>> print(print_tree(gast.Module(tree.body, [])), end="")
if done:
    break
t = 1
>>> tree.notes[id(tree.body[1])]
'3: t = 1'
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import gast

from adtrans.emit import nodes
from adtrans.emit.expression_nodes import BINARY, expression, target
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir.never import assert_never
from adtrans.ir.stmt import Param

_LEAVE: dict[str, Callable[[], gast.stmt]] = {
    "break": gast.Break,
    "continue": gast.Continue,
    "pass": gast.Pass,
    "raise": lambda: gast.Raise(None, None),
}


@dataclass(frozen=True, slots=True)
class Tree:
    """Statements, and the notes of some of them by the `id` of the node."""

    body: list[gast.stmt]
    notes: dict[int, str]


def statements(body: C.Body) -> Tree:
    """The syntax nodes of `body`, not empty: nothing prints as `pass`."""
    notes: dict[int, str] = {}
    return Tree(_body(body, notes), notes)


def definition(d: C.Def) -> Tree:
    """The syntax node of one generated function."""
    notes: dict[int, str] = {}
    body = _body(d.body, notes)
    if d.doc:
        docstring: gast.stmt = gast.Expr(gast.Constant(d.doc, None))
        body = [docstring, *(body if d.body else [])]
    return Tree([gast.FunctionDef(d.name, _parameters(d.params), body, [], None, None, [])], notes)


def _parameters(params: Iterable[Param]) -> gast.arguments:
    args: list[gast.Name] = []
    posonly: list[gast.Name] = []
    kwonly: list[gast.Name] = []
    defaults: list[gast.expr] = []
    kw_defaults: list[gast.expr | None] = []
    vararg = kwarg = None
    for p in params:
        node = nodes.parameter(p.name)
        default = None if p.default is None else expression(p.default)
        match p.form:
            case "varargs":
                vararg = node
            case "varkw":
                kwarg = node
            case "keyword":
                kwonly.append(node)
                kw_defaults.append(default)
            case "positional" | "standard":
                (posonly if p.form == "positional" else args).append(node)
                if default is not None:
                    defaults.append(default)
    return gast.arguments(args, posonly, vararg, kwonly, kw_defaults, kwarg, defaults)


def _body(body: C.Body, notes: dict[int, str]) -> list[gast.stmt]:
    """The nodes of a block. A note is not repeated while it stays the same."""
    found: list[gast.stmt] = []
    shown = ""
    for s in body:
        first, *rest = _statement(s, notes)
        note = "" if s.note is None else str(s.note)
        if note and note != shown:
            notes[id(first)] = shown = note
        found += [first, *rest]
    return found or [gast.Pass()]


def _statement(s: C.Code, notes: dict[int, str]) -> list[gast.stmt]:
    """The node of `s`, and after it what is printed dedented: see `_branch`.

    The notes of inner blocks are added to `notes`.
    """
    rest: list[gast.stmt] = []
    node: gast.stmt
    match s:
        case C.Assign():
            left = E.Sequence("tuple", s.targets) if len(s.targets) != 1 else s.targets[0]
            node = gast.Assign([target(left)], expression(s.value), None)
        case C.AugAssign():
            operator = BINARY[s.op.removesuffix("=")]()
            node = gast.AugAssign(target(s.target), operator, expression(s.value))
        case C.Do():
            node = gast.Expr(expression(s.value))
        case C.Original():
            assert isinstance(s.node, gast.stmt), f"no syntax tree for {s.text!r}"
            node = copy.copy(s.node)  # it may stand in several places, each with its own note
        case C.Branch():
            node, rest = _branch(s, notes)
        case C.ForEach():
            body = _body(s.body, notes)
            node = gast.For(target(s.target), expression(s.iter), body, [], None)
        case C.Loop():
            node = gast.While(expression(s.test), _body(s.body, notes), [])
        case C.Attempt(handlers=(), final=()):  # its `finally` had nothing that is of use
            return [*_body(s.body, notes), *(_body(s.orelse, notes) if s.orelse else [])]
        case C.Attempt():
            node = gast.Try(
                _body(s.body, notes),
                [_handler(h, notes) for h in s.handlers],
                _body(s.orelse, notes) if s.orelse else [],
                _body(s.final, notes) if s.final else [],
            )
        case C.Within():
            target_node = None if s.target is None else target(E.Name(s.target))
            item = gast.withitem(expression(s.context), target_node)
            node = gast.With([item], _body(s.body, notes), None)
        case C.Leave():
            node = _LEAVE[s.word]()
        case C.Result():
            node = gast.Return(expression(s.value))
        case _:
            assert_never(s)
    return [node, *rest]


def _handler(h: C.Rescue, notes: dict[int, str]) -> gast.ExceptHandler:
    kind = None if h.type is None else expression(h.type)
    name = None if h.name is None else gast.Name(h.name, gast.Store(), None, None)
    return gast.ExceptHandler(kind, name, _body(h.body, notes))


def _branch(s: C.Branch, notes: dict[int, str]) -> tuple[gast.stmt, list[gast.stmt]]:
    """`if test: ...`; when the first half leaves, the other half follows without an `else`."""
    if s.orelse and not s.then:
        return gast.If(expression(_negated(s.test)), _body(s.orelse, notes), []), []
    then = _body(s.then, notes)
    orelse = _body(s.orelse, notes) if s.orelse else []
    if _leaves(s.then):
        return gast.If(expression(s.test), then, []), orelse
    return gast.If(expression(s.test), then, orelse), []


def _negated(e: E.Expr) -> E.Expr:
    if isinstance(e, E.Unary) and e.op == "not":
        return e.operand
    return E.Unary("not", e)


def _leaves(body: C.Body) -> bool:
    """Whether control never reaches what follows `body`."""
    if not body:
        return False
    match body[-1]:
        case C.Result():
            return True
        case C.Leave(word=word):
            return word != "pass"
        case C.Branch(then=then, orelse=orelse):
            return _leaves(then) and _leaves(orelse)
        case _:
            return False
