"""Mutants made from the source: each clause, filter, case, entry and step is dropped, one by one.

    if a and b:          ->   if a:
    case S.Load() ...:   ->   case S.Load() ... if False:
    found | more         ->   found
    [v for v in x if c]  ->   [v for v in x]
    seen.add(v)          ->   pass

>>> text = "def f(a, b):\\n    if a and b:\\n        return 1\\n    return 2\\n"
>>> for m in dropped("f.py", text):
...     print(m.name, "|", m.applied(text).splitlines()[1].strip())
f.py f: clause `a` | if True and b:
f.py f: never `a and b` | if False:
f.py f: clause `b` | if a and True:
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.mutation.model import ROOT, Mutant


def of_files(names: list[str]) -> list[Mutant]:
    """The mutants of the files whose path contains one of `names`."""
    found: list[Mutant] = []
    for path in sorted((ROOT / "adtrans").rglob("*.py")):
        file = str(path.relative_to(ROOT))
        if any(n in file for n in names):
            found += dropped(file, Path(path).read_text())
    return found


def dropped(file: str, text: str) -> list[Mutant]:
    """All mutants of one file, in the order of the text, whose names are different."""
    source = _Source(text)
    times: dict[str, int] = {}
    found = []
    for what, where, old, new in sorted(source.changes(), key=lambda c: c[2]):
        name = f"{file.removeprefix('adtrans/')} {where}: {what}"
        times[name] = times.get(name, 0) + 1
        name += f" #{times[name]}" if times[name] > 1 else ""
        start, end = old
        mutant = Mutant(name, file, text[start:end], new, at=start)
        try:
            ast.parse(mutant.applied(text))
        except SyntaxError:
            continue
        found.append(mutant)
    return found


Change = tuple[str, str, tuple[int, int], str]  # what, where, from and to, in its place


class _Source:
    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, node: ast.expr | ast.stmt | ast.pattern) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return (
            self.offset(node.lineno, node.col_offset),
            self.offset(node.end_lineno, node.end_col_offset),
        )

    def offset(self, line: int, col: int) -> int:
        start = self.starts[line - 1]
        before = self.text[start : self.starts[line]].encode()[:col].decode()
        return start + len(before)

    def said(self, node: ast.AST) -> str:
        return " ".join(ast.unparse(node).split())[:70]

    def changes(self) -> Iterator[Change]:
        yield from self.inside(ast.parse(self.text), "module")

    def inside(self, node: ast.AST, where: str) -> Iterator[Change]:
        for child in ast.iter_child_nodes(node):
            name = where
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                name = child.name if where == "module" else f"{where}.{child.name}"
            yield from self.at(child, name)
            yield from self.inside(child, name)

    def at(self, node: ast.AST, where: str) -> Iterator[Change]:
        match node:
            case ast.BoolOp(op=op, values=values):
                for v in values:
                    neutral = "True" if isinstance(op, ast.And) else "False"
                    yield f"clause `{self.said(v)}`", where, self.span(v), neutral
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                pass
            case ast.If(test=test):
                yield f"never `{self.said(test)}`", where, self.span(test), "False"
                if not isinstance(test, ast.BoolOp):
                    yield f"always `{self.said(test)}`", where, self.span(test), "True"
            case ast.IfExp(test=test):
                yield f"never `{self.said(test)}`", where, self.span(test), "False"
                yield f"always `{self.said(test)}`", where, self.span(test), "True"
            case ast.comprehension(ifs=ifs):
                for test in ifs:
                    yield f"filter `{self.said(test)}`", where, self.span(test), "True"
            case ast.match_case(pattern=pattern, guard=None, body=body):
                if isinstance(pattern, ast.MatchAs) and pattern.pattern is None:
                    return  # it takes what is left
                end = self.span(pattern)[1]
                colon = self.text.index(":", end)
                if colon < self.span(body[0])[0]:
                    yield f"case `{self.said(pattern)}`", where, (colon, colon), " if False"
            case ast.match_case(pattern=pattern, guard=ast.expr() as guard):
                yield f"case `{self.said(pattern)}`", where, self.span(guard), "False"
                if not isinstance(guard, ast.BoolOp):
                    yield f"guard `{self.said(guard)}`", where, self.span(guard), "True"
            case ast.BinOp(op=ast.BitOr(), left=left, right=right):
                if not (_is_type(left) or _is_type(right)):
                    for part, other in ((left, right), (right, left)):
                        kept = self.text[slice(*self.span(other))]
                        yield f"part `{self.said(part)}`", where, self.span(node), f"({kept})"
            case ast.Expr(value=ast.Call()) | ast.AugAssign():
                yield f"step `{self.said(node)}`", where, self.span(node), "pass"
            case ast.Break() | ast.Continue():
                yield f"step `{self.said(node)}`", where, self.span(node), "pass"
            case ast.Set(elts=items) if len(items) > 1:
                yield from self.entries(items, where)
            case ast.Assign(value=ast.Tuple(elts=items)) if where == "module" and len(items) > 1:
                yield from self.entries(items, where)
            case _:
                pass

    def entries(self, items: list[ast.expr], where: str) -> Iterator[Change]:
        for item in items:
            start, end = self.span(item)
            tail = self.text[end:]
            comma = len(tail) - len(tail.lstrip()) + 1 if tail.lstrip().startswith(",") else 0
            if comma:
                yield f"entry `{self.said(item)}`", where, (start, end + comma), ""


def _is_type(e: ast.expr) -> bool:
    """Whether what stands beside `|` is a type, as in annotations and `isinstance`."""
    match e:
        case ast.Constant(value=None):
            return True
        case ast.Constant(value=str()):
            return True
        case ast.Name(id=name):
            return name[0].isupper() or name in ("int", "str", "float", "bool", "bytes", "object")
        case ast.Attribute(value=ast.Name(), attr=name):
            return name[0].isupper()
        case ast.Subscript(value=value):
            return _is_type(value) or (isinstance(value, ast.Name) and value.id in ("tuple", "list",
                "dict", "frozenset", "set", "type"))  # fmt: skip
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            return _is_type(left) or _is_type(right)
        case _:
            return False
