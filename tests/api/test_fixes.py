"""The edits that errors offer, applied mechanically to every program of the corpus that is refused.

An edit must leave the value and the side effects as they are, and do away with the error that it
was offered for; where each error of a program offers one, the edited program must have the right
gradient.
"""

from __future__ import annotations

import ast
import copy
import itertools
import linecache
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

from adtrans.analyses.kinds import param_kinds
from adtrans.arguments.inputs import target_of
from adtrans.diagnostics.diagnostic import Diagnostic, Edit
from adtrans.diagnostics.errors import CompileError
from adtrans.driver.options import Options
from adtrans.pipeline import compile_function
from adtrans.testing import check_grads
from tests.corpus import CASES, Case

_NUMBER = itertools.count()
REFUSED = [
    pytest.param(case, id=case.name)
    for case in CASES
    if any(code.startswith("AD30") for code in case.default.split("/"))
]


def problems(fn: Callable[..., Any], case: Case) -> tuple[Diagnostic, ...]:
    """The errors of `fn` with the arguments of the case."""
    target = target_of(fn)
    kinds = param_kinds(dict(zip(target.params, case.args, strict=False)))
    try:
        compile_function(fn, kinds, Options(**case.options), wrt=target.select(case.wrt))
    except CompileError as error:
        return error.diagnostics
    return ()


def edited(fn: Callable[..., Any], edits: Iterable[Edit]) -> Callable[..., Any]:
    """`fn` after the edits of its file, nothing of which runs but the definitions."""
    file = fn.__code__.co_filename
    lines = [line.rstrip("\n") for line in linecache.getlines(file)]
    for e in sorted(edits, key=lambda e: -e.line):
        assert e.file == file
        lines[e.line - 1 : e.end_line] = e.replacement
    text = "\n".join(lines) + "\n"
    name = f"<edited {next(_NUMBER)} {fn.__name__}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    tree = ast.parse(text)
    defs = [s for s in tree.body if isinstance(s, ast.FunctionDef)]
    names = dict(fn.__globals__)
    same = "__same__"
    names[same] = lambda f: f
    for d in defs:  # a function starts where its first decorator does
        d.decorator_list = [
            x if "contextmanager" in ast.unparse(x) else  # without it the function is another one
            ast.copy_location(ast.Name(same, ast.Load()), x) for x in d.decorator_list
        ]
    imports = [s for s in tree.body if isinstance(s, ast.Import | ast.ImportFrom)]
    module = ast.Module([*imports, *defs], [])
    exec(compile(module, name, "exec"), names)
    return names[fn.__name__]


def outcome(fn: Callable[..., Any], case: Case) -> tuple[Any, tuple[Any, ...]]:
    args = copy.deepcopy(case.args)
    with np.errstate(all="ignore"):
        return fn(*args), args


def plain(value: Any) -> Any:
    """`value` with objects as what they hold."""
    if isinstance(value, tuple | list):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    held = getattr(value, "__dict__", None)
    return value if held is None or isinstance(value, np.ndarray) else plain(dict(held))


@pytest.mark.parametrize("case", REFUSED)
def test_edits(case: Case) -> None:
    if "<locals>" in case.fn.__qualname__ or case.fn.__name__ == "<lambda>":
        pytest.skip("not at the top of its file")
    found = problems(case.fn, case)
    offered = [d for d in found if d.fixes and d.fixes[0].edits]
    if not offered:
        pytest.skip("no edit is offered")
    assert all(d.primary.span.file == case.fn.__code__.co_filename for d in offered)
    edits = {e for d in offered for e in d.fixes[0].edits}
    assert len({(e.file, e.line) for e in edits}) == len(edits), "a line is edited in two ways"
    mended = edited(case.fn, edits)
    np.testing.assert_equal(plain(outcome(mended, case)), plain(outcome(case.fn, case)))
    left = problems(mended, case)
    gone = {(d.code, d.title) for d in offered}
    assert not gone & {(d.code, d.title) for d in left}
    if len(offered) == len(found):
        assert left == ()
        check_grads(mended, case.args, wrt=case.wrt, final=case.final, **case.options)
