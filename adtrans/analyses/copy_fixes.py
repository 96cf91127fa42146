"""The fix for an overwritten value: the line that reads it, rewritten to read a copy.

>>> edited = reading("z = np.sum(y * y)", "y", "y_3")
>>> edited
'z = np.sum(y_3 * y_3)'
>>> reading("y[1:] += y[:-1] ** 2", "y", "y_3")       # the target is still `y`
'y[1:] += y_3[:-1] ** 2'
>>> reading("y[1:] *= x + 1", "y", "y_3")              # the old target is read, too
'y[1:] = y_3[1:] * (x + 1)'
>>> reading("y *= x", "y", "y_3")                      # `y` stays the same array
'y[...] = y_3 * x'
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from adtrans.analyses.abstract import GLOBAL
from adtrans.analyses.facts import Facts
from adtrans.analyses.writes import actuals
from adtrans.diagnostics.diagnostic import Edit
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.effort import spend
from adtrans.ir.kinds import Array
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of
from adtrans.source import SourceFunction

Lines = Callable[[Span], str]
_OWN_NAMES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr)


def keep_a_copy(var: str, site: int, facts: Facts, line: Lines) -> Iterator[Edit]:
    """The statement `site` reading a copy of `var`: the same result, more memory.

    Nothing where an edit of one line does not do it, where the line also writes the array otherwise
    than by assignment (the copy would then receive what the array should), and where something
    refers to the array from then on, which would refer to the copy.
    """
    spend(len(facts.structure.stmts) / 32)
    use = facts.structure.stmts[site]
    name = facts.fn.source_name(var)
    if use.span.line != use.span.end_line or not isinstance(facts.kinds.at(site, var), Array):
        return
    text = line(use.span)
    code = text.strip()
    if name in facts.fn.shown or _written_in_a_callee(var, use.span, facts):
        return
    alike = (w for w in facts.definitions.sites if facts.fn.source_name(w) == name)
    if not all(isinstance(facts.kinds.var(w), Array) for w in alike):
        return  # a number in another turn of a loop, say, which has no `copy`
    if _writes_elsewhere(var, use.span, code, facts) or _hands_on(var, use.span, facts):
        return
    kept = NameAllocator(facts.fn.reserved).fresh(f"{name}_{use.span.line}")
    edited = reading(code, name, kept)
    if edited is None:
        return
    head = text[: len(text) - len(text.lstrip())]
    lines = (f"{head}{kept} = {name}.copy()", f"{head}{edited}")
    yield Edit(use.span.file, use.span.line, use.span.end_line, lines, ((name, kept),))


def _written_in_a_callee(var: str, use: Span, facts: Facts) -> bool:
    """Whether functions that are written out elsewhere in this one write what `var` refers to: the
    line may be the one that calls them."""
    for source in facts.fn.inlined:
        assert isinstance(source, SourceFunction)
        own = source.span(source.node)

        def inside(place: Span, own: Span = own) -> bool:
            return place.file == own.file and own.line <= place.line <= own.end_line

        if not inside(use) and any(
            inside(facts.structure.stmts[w.site].span) and w.objects & facts.memory.objects(var)
            for w in facts.memory.writes
        ):
            return True
    return False


def reading(code: str, name: str, kept: str) -> str | None:
    """The statement `code` with `name` read as `kept`, None if that does not make sense."""
    s = _parsed(code)
    value = None if s is None else _value(s)
    if value is None or any(isinstance(n, _OWN_NAMES) for n in ast.walk(value)):
        return None
    places = [n for n in ast.walk(value) if isinstance(n, ast.Name) and n.id == name]
    if isinstance(s, ast.AugAssign) and not isinstance(s.op, ast.Add | ast.Sub):
        if _root(s.target) == name:
            return _spelled_out(s, code, places, kept)
    return _replaced(code, places, kept) if places else None


def _replaced(code: str, places: Iterable[ast.Name], kept: str) -> str:
    """`code` with the names at `places` replaced."""
    encoded = code.encode()
    for n in sorted(places, key=lambda n: -n.col_offset):
        encoded = encoded[: n.col_offset] + kept.encode() + encoded[n.end_col_offset :]
    return encoded.decode()


def _spelled_out(s: ast.AugAssign, code: str, places: list[ast.Name], kept: str) -> str | None:
    """`y[i] *= e` as `y[i] = y_3[i] * e`: the derivative is computed from the old target, too."""
    op = {ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}.get(type(s.op))
    roots = [n for n in ast.walk(s.target) if isinstance(n, ast.Name) and n.id == _root(s.target)]
    twice = any(isinstance(n, ast.Call | ast.NamedExpr) for n in ast.walk(s.target))
    if op is None or len(roots) != 1 or twice or isinstance(s.target, ast.Attribute):
        return None
    end = len(code.encode())
    target = code.encode()[: s.target.end_col_offset].decode()
    value = _replaced(code, places, kept).encode()
    value = value[s.value.col_offset : len(value) - (end - (s.value.end_col_offset or end))]
    old = _replaced(target, roots, kept)
    new = target if isinstance(s.target, ast.Subscript) else f"{target}[...]"
    right = value.decode()
    if not isinstance(s.value, ast.Name | ast.Constant | ast.Subscript | ast.Call | ast.Attribute):
        right = f"({right})"
    return f"{new} = {old} {op} {right}"


def _parsed(code: str) -> ast.stmt | None:
    try:
        body = ast.parse(code).body
    except SyntaxError:  # a header, or a part of a longer statement
        return None
    return body[0] if len(body) == 1 else None


def _value(s: ast.stmt) -> ast.expr | None:
    assigns = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return
    return s.value if isinstance(s, assigns) else None


def _root(target: ast.expr) -> str | None:
    while isinstance(target, ast.Subscript | ast.Attribute | ast.Starred):
        target = target.value
    return target.id if isinstance(target, ast.Name) else None


def _assigned_to(s: ast.stmt | None) -> set[str | None]:
    """The arrays that a statement writes by assignment."""
    match s:
        case ast.Assign():
            return {_root(t) for t in s.targets if isinstance(t, ast.Subscript | ast.Attribute)}
        case ast.AugAssign():
            return {_root(s.target)}
        case _:
            return set()


def _writes_elsewhere(var: str, use: Span, code: str, facts: Facts) -> bool:
    """Whether the line writes what `var` refers to otherwise than by assigning to it."""
    assigned = _assigned_to(_parsed(code))
    for w in facts.memory.writes:
        s = facts.structure.stmts[w.site]
        here = s.span.file == use.file and s.span.line <= use.line <= s.span.end_line
        if here and w.objects & facts.memory.objects(var):
            if not isinstance(s, S.Store | S.Update) or facts.fn.source_name(w.var) not in assigned:
                return True
    return False


def _hands_on(var: str, use: Span, facts: Facts) -> bool:
    """Whether a name that is bound on the line, or a list that a call on it fills, refers to what
    `var` does."""
    own = facts.memory.objects(var)
    for site, s in facts.structure.stmts.items():
        if s.span.file != use.file or not s.span.line <= use.line <= s.span.end_line:
            continue
        for v in binds_of(s):
            mine = facts.memory.objects(v, site, after=True)
            if v != var and facts.fn.source_name(v) in facts.fn.reserved and mine & own:
                return True
        if isinstance(s, S.Invoke) and site in facts.units:
            given = actuals(s, facts.units[site].summary)
            for _, held in facts.units[site].summary.held:
                if any(p == GLOBAL or given.get(p) == E.Name(var) for p in held):
                    return True
    return False
