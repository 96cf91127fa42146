"""Whether a function may be run again: it only computes, from its arguments and what they refer to.

A function that prints, draws random numbers, or writes what outlives it does so once in a forward
sweep. Where a derivative would run it several times, this decides whether it may. Writes to its own
parameters are no obstacle here: `Summary.writes` tells of them. Nor are attributes that it assigns:
where no object comes from outside, all objects are made in the run.

>>> [pure_text(t, ("x",)) for t in ("assert len(x) > 3", "print(x)", "table[0] = 1", "len(y)")]
[True, False, False, False]
>>> [pure_text(f"max(x, key={k})", ("x",)) for k in ("abs", "seen", "log.add", "lambda v: -v")]
[True, False, False, True]
"""

from __future__ import annotations

import ast
from types import BuiltinFunctionType, FunctionType, ModuleType

import numpy as np

from adtrans import runtime
from adtrans.analyses.acting import acts, asks_objects
from adtrans.analyses.facts import Facts
from adtrans.analyses.new_objects import makes_new
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    Array,
    DictOf,
    Instance,
    Kind,
    Known,
    ListOf,
    Maybe,
    Never,
    Scalar,
    TupleOf,
)
from adtrans.ir.walk import operands, statements, walk
from adtrans.rules import lookup

__all__ = ["PURE_NAMES", "assigns", "finds_objects", "may_be_object", "pure_text", "repeatable"]

_PLAIN_VALUES = (
    bool, int, float, complex, str, bytes, type(None), type(...), np.generic, np.ndarray,
    type, ModuleType, BuiltinFunctionType, FunctionType,  # what these refer to is read by name
)  # fmt: skip
PURE_NAMES = frozenset(
    str.split(
        "abs all any bool complex dict enumerate float frozenset int isinstance len list max min "
        "range repr round set slice sorted str sum tuple type zip"
    )
)
"""Functions of Python that change nothing of what they are given."""
_PLAIN = (
    S.Bind, S.Load, S.Store, S.Update, S.Alias, S.Pack, S.Unpack, S.Invoke, S.Keep, S.If, S.For,
    S.While, S.Break, S.Continue, S.Return, S.Try, S.Onward, S.Edit,
)  # fmt: skip


def repeatable(facts: Facts) -> bool:
    """Whether running the function twice does the same as running it once."""
    if any(o.form not in ("site", "list", "param", "held") for o in facts.memory.written):
        return False
    return all(_harmless(s, facts) for s in statements(facts.fn.body))


def assigns(facts: Facts) -> bool:
    """Whether the function, or one that it calls, assigns attributes of objects it did not make."""
    for s in statements(facts.fn.body):
        if isinstance(s, S.SetAttr):
            if not isinstance(s.base, E.Name) or not _made_here(s.base.id, facts):
                return True
        elif s.site in facts.units and facts.units[s.site].summary.assigns:
            return True
    return False


def finds_objects(facts: Facts) -> bool:
    """Whether the function, or one that it calls, names objects that may have attributes."""
    return any(
        (s.site in facts.units and facts.units[s.site].summary.finds_objects)
        or any(_is_object(sub) for e in operands(s) for sub in walk(e))
        for s in statements(facts.fn.body)
    )


def may_be_object(kind: Kind) -> bool:
    """Whether a value of this kind may be an object with attributes, or hold one.

    >>> from adtrans.ir.kinds import PY_FLOAT, UNKNOWN
    >>> may_be_object(UNKNOWN), may_be_object(PY_FLOAT), may_be_object(ListOf(UNKNOWN))
    (True, False, True)
    """
    match kind:
        case Scalar() | Array() | Never():
            return False
        case Known(value=value):
            return _has_attributes(value)
        case TupleOf():
            return any(map(may_be_object, kind.items))
        case DictOf():
            return any(map(may_be_object, (kind.item, *dict(kind.fields).values())))
        case ListOf():
            return any(map(may_be_object, (kind.item, *kind.items)))
        case Maybe():
            return may_be_object(kind.item)
        case Instance(cls=cls):
            return cls not in (str, slice, range, tuple)
        case _:
            return True


def _is_object(e: E.Expr) -> bool:
    match e:
        case E.Ref():
            return _has_attributes(e.value)
        case E.Attribute(base=E.Ref(value=type() as cls)):
            return _has_attributes(getattr(cls, e.attr, None))
        case E.Verbatim():
            return not e.text.isalnum()
        case _:
            return False


def _has_attributes(value: object) -> bool:
    if isinstance(value, tuple | frozenset):
        return any(map(_has_attributes, value))
    return not isinstance(value, _PLAIN_VALUES) and lookup(value) is None


def _harmless(s: S.Stmt, facts: Facts) -> bool:
    if isinstance(s, S.SetAttr):
        return isinstance(s.base, E.Name)
    if _makes(s) or _only_looks(s):
        return True
    if type(s) not in _PLAIN:
        return False
    if isinstance(s, S.Keep):
        if any(acts(E.Name(v), facts) for v in s.reads):
            return s.form == "raise"
        return s.form == "raise" or (s.form == "plain" and pure_text(s.text, s.reads))
    if isinstance(s, S.Invoke):
        unit = facts.units.get(s.site)
        return unit is not None and unit.summary.repeatable
    app = facts.apps.get(s.site)
    if app is not None and app.rule.impure and not _is_identity(s):
        return False
    if asks_objects(s, facts) or not _alone(s, facts):
        return False
    top = s.value if isinstance(s, S.Bind) and app is not None else None
    return all(_pure(sub, top) for e in operands(s) for sub in walk(e))


def _alone(s: S.Stmt, facts: Facts) -> bool:
    """Whether this is no checkpoint that does more than compute."""
    custom = facts.apps[s.site].rule.custom if s.site in facts.apps else None
    behind = facts.behind.get(s.site)
    return custom is None or custom.again is None or behind is None or behind.repeatable


def _is_identity(s: S.Stmt) -> bool:
    """Whether this asks which object something is: another one in another run, without effect."""
    match s:
        case S.Bind(value=E.Call(fn=E.Ref(value=asked))):
            return asked is id
        case _:
            return False


_LOOKS = (
    runtime.check_plain, runtime.check_view, runtime.check_copy, runtime.check_apart,
    runtime.shares_alone, runtime.whole_number, runtime.check_count,
    runtime.check_at_least, runtime.check_given, runtime.check_arity, runtime.check_some,
    runtime.check_method,
)  # fmt: skip


def _only_looks(s: S.Stmt) -> bool:
    """Whether this checks or finds something, with the same outcome in another run."""
    match s:
        case S.Bind(value=E.Call(fn=E.Ref(value=asked))):
            return any(asked is f for f in _LOOKS)
        case _:
            return False


def _makes(s: S.Stmt) -> bool:
    """Whether this makes an object, which has no attributes yet."""
    match s:
        case S.Bind(value=E.Call(fn=E.Ref(value=made))):
            return makes_new(made)
        case _:
            return False


def _made_here(var: str, facts: Facts) -> bool:
    """Whether a variable means an object that is made in this run."""
    made = facts.definitions.sites.get(var, ())
    params = {p.name for p in facts.fn.params}
    sites = [facts.structure.stmts[d] for d in made]
    new = all(isinstance(s, S.Pack) or _makes(s) for s in sites)
    return var not in params and bool(made) and new


def _pure(e: E.Expr, known: E.Expr | None) -> bool:
    """Whether this one node does nothing; `known` is a call whose rule has been looked at."""
    match e:
        case E.Verbatim():
            return pure_text(e.text, e.reads)
        case E.Call():
            rule = lookup(e.fn.value) if isinstance(e.fn, E.Ref) else None
            return e is known or (rule is not None and not rule.impure and not rule.writes)
        case _:
            return True


def pure_text(text: str, reads: tuple[str, ...]) -> bool:
    """Whether a statement or an expression in source form has no effect but to bind names.

    `reads`: the variables in it, of which none is an object that does something when it is asked;
    what any other name means is not known, and only its attributes may be read.
    """
    try:
        tree = ast.parse(text.strip())
    except SyntaxError:
        return False
    plain = {*reads, *PURE_NAMES}
    plain |= {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and type(n.ctx) is ast.Store}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in PURE_NAMES:
                given = [a.value if isinstance(a, ast.Starred) else a for a in node.args]
                given += [k.value for k in node.keywords if k.arg != "key"]
                if any(isinstance(a, ast.Name) and a.id not in plain for a in given):
                    return False
                if not all(_is_pure_key(k.value) for k in node.keywords if k.arg == "key"):
                    return False
            case ast.FormattedValue(value=ast.Name(id=name)) if name not in plain:
                return False
            case ast.Call() | ast.Await() | ast.Yield() | ast.YieldFrom() | ast.Global():
                return False
            case ast.Nonlocal() | ast.With() | ast.Import() | ast.ImportFrom() | ast.For():
                return False
            case ast.Attribute(ctx=ast.Store() | ast.Del()):
                return False
            case ast.Subscript(ctx=ast.Store() | ast.Del()):
                return False
    return True


def _is_pure_key(e: ast.expr) -> bool:
    """Whether a function that is called with each item is one of Python's own, or written there."""
    match e:
        case ast.Name(id=name):
            return name in PURE_NAMES
        case ast.Lambda() | ast.Constant(value=None):
            return True
        case _:
            return False
