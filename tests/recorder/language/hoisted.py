"""Programs whose inner classes and functions are moved to the top of a module.

What is written inside of a rewritten function is rewritten with it; what is there before is reached
by calls, attributes, operators and so on. Each program is judged both ways.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import textwrap
from collections.abc import Callable
from typing import Any

PLACE = "/programs/hoisted/"
"""Where the files of such programs are said to lie."""


def hoisted(f: Callable[..., Any], name: str) -> Callable[..., Any] | None:
    """The program, with what it defines and that needs nothing of it at the top of a module."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(f)))
    fn = tree.body[0]
    assert isinstance(fn, ast.FunctionDef)
    fn.decorator_list = []
    own = {*f.__code__.co_varnames, *f.__code__.co_cellvars}
    moved: list[ast.stmt] = []
    rest: list[ast.stmt] = []
    for node in fn.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            outer = any(isinstance(n, ast.Nonlocal) for n in ast.walk(node))
            if not outer and not used & (own - {m.name for m in [*moved, node]}):  # type: ignore[attr-defined]
                moved.append(node)
                continue
        rest.append(node)
    if not moved:
        return None
    fn.body = rest or [ast.Pass()]
    source = "from __future__ import annotations\n" + ast.unparse(ast.Module([*moved, fn], []))
    file = f"{PLACE}{name}.py"
    linecache.cache[file] = len(source), None, source.splitlines(True), file
    names = dict(f.__globals__)
    exec(compile(source, file, "exec"), names)
    made: Callable[..., Any] = names[f.__name__]
    return made
