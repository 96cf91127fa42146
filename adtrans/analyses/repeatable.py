"""Whether a function may be run again: it only computes, from its arguments and what they refer to.

A function that prints, draws random numbers, or writes what outlives it does so once in a forward
sweep. Where a derivative would run it several times, this decides whether it may. Writes to its own
parameters are no obstacle here: `Summary.writes` tells of them.

>>> pure_text("assert len(x) > 3"), pure_text("print(x)"), pure_text("table[0] = 1")
(True, False, False)
"""

from __future__ import annotations

import ast

from adtrans.analyses.facts import Facts
from adtrans.analyses.new_objects import makes_new
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import operands, statements, walk
from adtrans.rules import lookup

_PURE_NAMES = frozenset(
    str.split(
        "abs all any bool complex dict enumerate float frozenset int isinstance len list max min "
        "range repr round set slice sorted str sum tuple type zip"
    )
)
_PLAIN = (
    S.Bind, S.Load, S.Store, S.Update, S.Alias, S.Pack, S.Unpack, S.Invoke, S.Keep, S.If, S.For,
    S.While, S.Break, S.Continue, S.Return, S.Try, S.Onward, S.Edit,
)  # fmt: skip


def repeatable(facts: Facts) -> bool:
    """Whether running the function twice does the same as running it once."""
    if any(o.form not in ("site", "list", "param") for o in facts.memory.written):
        return False
    return all(_harmless(s, facts) for s in statements(facts.fn.body))


def _harmless(s: S.Stmt, facts: Facts) -> bool:
    if isinstance(s, S.SetAttr):
        return isinstance(s.base, E.Name) and _made_here(s.base.id, facts)
    if _makes(s):
        return True
    if type(s) not in _PLAIN:
        return False
    if isinstance(s, S.Keep):
        return s.form == "raise" or (s.form == "plain" and pure_text(s.text))
    if isinstance(s, S.Invoke):
        unit = facts.units.get(s.site)
        return unit is not None and unit.summary.repeatable
    app = facts.apps.get(s.site)
    if app is not None and app.rule.impure:
        return False
    top = s.value if isinstance(s, S.Bind) and app is not None else None
    return all(_pure(sub, top) for e in operands(s) for sub in walk(e))


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
    return var not in params and bool(made) and all(_makes(facts.structure.stmts[d]) for d in made)


def _pure(e: E.Expr, known: E.Expr | None) -> bool:
    """Whether this one node does nothing; `known` is a call whose rule has been looked at."""
    match e:
        case E.Verbatim():
            return pure_text(e.text)
        case E.Call():
            rule = lookup(e.fn.value) if isinstance(e.fn, E.Ref) else None
            return e is known or (rule is not None and not rule.impure and not rule.writes)
        case _:
            return True


def pure_text(text: str) -> bool:
    """Whether a statement or an expression in source form has no effect but to bind names."""
    try:
        tree = ast.parse(text.strip())
    except SyntaxError:
        return False
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in _PURE_NAMES:
                pass
            case ast.Call() | ast.Await() | ast.Yield() | ast.YieldFrom() | ast.Global():
                return False
            case ast.Nonlocal() | ast.With() | ast.Import() | ast.ImportFrom() | ast.For():
                return False
            case ast.Attribute(ctx=ast.Store() | ast.Del()):
                return False
            case ast.Subscript(ctx=ast.Store() | ast.Del()):
                return False
    return True
