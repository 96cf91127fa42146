"""The fix for an overwritten value: the line that reads it, rewritten to read a copy.

>>> edited = reading("z = np.sum(y * y)", "y", "y_3")
>>> edited
'z = np.sum(y_3 * y_3)'
>>> reading("y[1:] += y[:-1] ** 2", "y", "y_3")       # the target is still `y`
'y[1:] += y_3[:-1] ** 2'
>>> reading("y *= x", "y", "y_3") is None             # nothing that could read a copy instead
True
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from adtrans.analyses.facts import Facts
from adtrans.diagnostics.diagnostic import Edit, Fix
from adtrans.diagnostics.span import Span
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array
from adtrans.ir.names import NameAllocator

Lines = Callable[[Span], str]
_OWN_NAMES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr)


def keep_a_copy(var: str, site: int, facts: Facts, line: Lines) -> Iterator[Fix]:
    """The statement `site` reading a copy of `var`: the same result, more memory.

    No fix where an edit of one line does not do it, or where the line also writes the array in
    another way than by assignment: the copy would then receive what the array should.
    """
    use = facts.structure.stmts[site]
    name = facts.fn.source_name(var)
    if use.span.line != use.span.end_line or not isinstance(facts.kinds.at(site, var), Array):
        return
    text = line(use.span)
    code = text.strip()
    if _writes_elsewhere(var, use.span, code, facts):
        return
    kept = NameAllocator(facts.fn.reserved).fresh(f"{name}_{use.span.line}")
    edited = reading(code, name, kept)
    if edited is None:
        return
    head = text[: len(text) - len(text.lstrip())]
    lines = (f"{head}{kept} = {name}.copy()", f"{head}{edited}")
    edit = Edit(use.span.file, use.span.line, use.span.end_line, lines)
    yield Fix(f"same result, one more array of `{name}`'s size", (edit,))


def reading(code: str, name: str, kept: str) -> str | None:
    """The statement `code` with `name` read as `kept`, None if that does not make sense."""
    s = _parsed(code)
    value = None if s is None else _value(s)
    if value is None or any(isinstance(n, _OWN_NAMES) for n in ast.walk(value)):
        return None
    if isinstance(s, ast.AugAssign) and not isinstance(s.op, ast.Add | ast.Sub):
        if _root(s.target) == name:
            return None  # the old target is part of the derivative too
    places = [
        n.col_offset for n in ast.walk(value) if isinstance(n, ast.Name) and n.id == name
    ]
    encoded, size = code.encode(), len(name.encode())
    for at in sorted(places, reverse=True):
        encoded = encoded[:at] + kept.encode() + encoded[at + size :]
    return encoded.decode() if places else None


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
