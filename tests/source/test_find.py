"""The right tree for a function, wherever it was written; a clear error where there is none."""

from __future__ import annotations

import ast
import functools
import importlib.util
import linecache
import os
import sys
import textwrap
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gast
import numpy as np
import pytest
from _pytest.assertion import rewrite

from adtrans.diagnostics.errors import CompileError
from adtrans.source import MISSING, get_source


def body(fn: object) -> str:
    """The tree as text: a lambda's expression, or a function's last statement."""
    node = get_source(fn).node
    return gast.unparse(node.body if isinstance(node, gast.Lambda) else node.body[-1])


def execute(text: str, name: str, *, register: bool = True) -> dict[str, Any]:
    text = textwrap.dedent(text)
    if register:
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, Any] = {"__name__": "made"}
    exec(compile(text, name, "exec"), space)
    return space


@pytest.fixture(autouse=True)
def uncached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled files are told apart by the second they were written in: not enough here."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def keep(fn: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(fn)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        """Passes on what it gets."""
        return fn(*args, **kwargs)

    return wrapper


def also(fn: Callable[..., Any]) -> Callable[..., Any]:
    return fn


@keep
@also
def decorated(x):
    return x * 3


class Model:
    def step(self, x):
        return self.__class__, x

    @staticmethod
    def plain(x):
        return x + 1

    @classmethod
    def make(cls, x):
        return cls, x

    def __call__(self, x):
        return x * 4


# Two on one line, of the same name and with the same variables.
first, second = (lambda x: x * 2), (lambda x: x * 3)
third, fourth = (lambda x: x + 1), (lambda x: x + 1.0)


def test_the_lines_of_a_file_are_kept_once_for_all_of_its_functions() -> None:
    assert get_source(body).lines is get_source(execute).lines


def test_lambdas_on_one_line() -> None:
    assert [body(f) for f in (first, second, third, fourth)] == [
        "x * 2",
        "x * 3",
        "x + 1",
        "x + 1.0",
    ]


def test_equal_lambdas_have_their_own_positions() -> None:
    pair = (lambda x: x - 1), (lambda x: x - 1)
    assert [body(f) for f in pair] == ["x - 1", "x - 1"]
    if sys.version_info >= (3, 11):
        columns = [get_source(f).node.col_offset for f in pair]
        assert columns[0] < columns[1]


def test_lambda_in_the_middle_of_an_expression() -> None:
    table = {
        "a": [
            lambda x: (
                x
                + 1
            )
        ],
    }  # fmt: skip
    assert body(table["a"][0]) == "x + 1"


def test_nested_functions_of_one_name() -> None:
    def make(k):
        if k:

            def f(x):
                text = """
at column 0"""
                return x + k, text
        else:

            def f(x):
                return x - k

        return f

    assert body(make(1)) == "return (x + k, text)"
    assert body(make(0)) == "return x - k"
    assert get_source(make(7)).resolve("k") == 7


def test_wrappers() -> None:
    assert body(decorated) == "return x * 3"
    partial = functools.partial(functools.partial(Model().step), 5)
    source = get_source(partial)
    assert source.name == "step" and isinstance(source.bound_args[0], Model)
    assert source.bound_args[1:] == (5,) and not source.is_method
    assert get_source(Model().step).is_method
    assert body(Model.plain) == "return x + 1"
    assert get_source(Model.make).bound_args == (Model,)
    model = Model()
    assert get_source(model).bound_args == (model,) and body(model) == "return x * 4"

    class Jitted:
        __module__ = "numba.core.registry"
        py_func = staticmethod(first)

    assert body(Jitted()) == "x * 2"


def test_asserts_that_a_test_runner_rewrites() -> None:
    def f(x):
        assert x > 0, "positive"
        return x * 2

    assert body(f) == "return x * 2"


def test_registered_text() -> None:
    space = execute("k = 3\ndef f(x):\n    return k * x\n", "<registered>")
    source = get_source(space["f"])
    assert body(space["f"]) == "return k * x"
    assert (source.resolve("k"), source.resolve("len"), source.resolve("q")) == (3, len, MISSING)
    assert source.span(source.node).line == 2


def test_sets_of_constants() -> None:
    text = "def f(x):\n    return x in {'a', 'b', 'c', 'd', 'e', 'f', 'g'}\n"
    fn = execute(text, "<sets>")["f"]
    reordered = tuple(
        frozenset(sorted(c, reverse=True)) if isinstance(c, frozenset) else c
        for c in fn.__code__.co_consts
    )
    fn.__code__ = fn.__code__.replace(co_consts=reordered)
    assert body(fn).startswith("return x in {")


def test_empty_cell() -> None:
    def make():
        def f(x):
            return later * x

        found = get_source(f).resolve("later")
        later = 2
        return found, get_source(f).resolve("later")

    assert make() == (MISSING, 2)


def test_block_in_a_file_that_is_not_python() -> None:
    text = textwrap.dedent(
        """\
        # A title, and a sentence that isn't Python

        ```python
            def f(x):
                y = x * 2

                return y + 1
        ```
        """
    )
    name = "guide.md"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    code = "\n\n\nif 1:\n".replace("if 1:\n", "") + "def f(x):\n    y = x * 2\n\n    return y + 1\n"
    space: dict[str, Any] = {}
    exec(compile(code, name, "exec"), space)
    source = get_source(space["f"])
    assert body(space["f"]) == "return y + 1"
    span = source.span(source.node.body[0])
    assert (span.line, source.lines[4][span.column : span.end_column]) == (5, "y = x * 2")


def test_prompts() -> None:
    text = "Text, not code\n\n>>> def f(x):\n...     return x * 5\n>>> f(1)\n5\n"
    name = "prompts.txt"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, Any] = {}
    exec(compile("\n\ndef f(x):\n    return x * 5\n", name, "exec"), space)
    assert body(space["f"]) == "return x * 5"


def test_columns_count_characters() -> None:
    space = execute('def f(x):\n    return "é" * 2, x\n', "<accents>")
    source = get_source(space["f"])
    result = source.node.body[0].value.elts[1]
    span = source.span(result)
    assert source.lines[1][span.column : span.end_column] == "x"


def code_of(fn: object) -> str:
    with pytest.raises(CompileError) as caught:
        get_source(fn)
    [d] = caught.value.diagnostics
    assert d.fixes and d.why
    return d.code


def test_no_source() -> None:
    assert code_of(execute("def f(x): return x", "<gone>", register=False)["f"]) == "AD101"
    assert code_of(execute("def f(x): return x", "<string>", register=False)["f"]) == "AD101"
    assert code_of(execute("def f(x): return x", "<stdin>", register=False)["f"]) == "AD103"


@pytest.mark.parametrize(
    "edit",
    [
        "def f(x):\n    return x * 3\n",
        "def f(x):\n    return x + 2\n",
        "def f(x):\n    return y * 2\n",
        "def g(x):\n    return x * 2\n",
        "\n\ndef f(x):\n    return x * 2\n",
        "def f(x\n",
    ],
)
def test_edited_since_import(tmp_path: Path, edit: str) -> None:
    path = tmp_path / "edited.py"
    path.write_text("def f(x):\n    return x * 2\n")
    fn = load(path).f
    path.write_text(edit)
    os.utime(path, (0, 0))
    linecache.checkcache(str(path))
    assert code_of(fn) == "AD102"


EDITS = [
    ("return x.sum() * x[0]", "return x.prod() * x[0]"),
    ("if c: return x[0]\n    return x[1]", "if not c: return x[0]\n    return x[1]"),
    ("a, b = x\n    return a / b", "b, a = x\n    return a / b"),
    ("return g(x, k=1, m=2)", "return g(x, m=1, k=2)"),
    ("if c:\n        a = x\n    else:\n        a = c\n    return a",
     "if c:\n        a = x\n    if not c:\n        a = c\n    return a"),
    ("a = x\n    if c:\n        a = c\n    else:\n        a = a + a\n    return a",
     "a = x\n    if c:\n        a = c\n    a = a + a\n    return a"),
    ("try:\n        a = x\n        b = g(c)\n    except g:\n        b = 1\n    return a, b",
     "a = x\n    try:\n        b = g(c)\n    except g:\n        b = 1\n    return a, b"),
    ("a = x * 2\n    a = a * x\n    return a", "a = x * 2\n    return a"),
    ("for i in x:\n        a = i\n        if c: break\n    return a",
     "for i in x:\n        a = i\n        if c: continue\n    return a"),
    ("return [v + 1 for v in x]", "return [v + 1 for v in x if v]"),
    ("return lambda v: v - x", "return lambda v: x - v"),
    ("x[0] = c\n    return x", "x[0]\n    x = c\n    return x"),
]  # fmt: skip


def rewritten(path: Path) -> Any:
    """The module, with its asserts as pytest writes them."""
    text = path.read_text()
    tree = ast.parse(text)
    rewrite.rewrite_asserts(tree, text.encode())
    space: dict[str, Any] = {"__name__": path.stem}
    exec(compile(tree, str(path), "exec"), space)
    return types.SimpleNamespace(**space)


@pytest.mark.parametrize("make", [load, rewritten])
@pytest.mark.parametrize("before", ["", "assert x > 0, 'positive'\n    ", "assert c\n    "])
@pytest.mark.parametrize(("old", "new"), EDITS)
def test_any_edit_is_noticed(
    tmp_path: Path, old: str, new: str, before: str, make: Callable[[Path], Any]
) -> None:
    path = tmp_path / "edited_anyhow.py"
    head = f"def f(x, c=True):\n    {before}"
    for first, then in ((old, new), (new, old)):
        path.write_text(f"{head}{first}\n")
        fn = make(path).f
        linecache.checkcache(str(path))
        assert body(fn)
        path.write_text(f"{head}{then}\n# edited\n")
        linecache.cache.pop(str(path), None)
        assert code_of(fn) == "AD102"
        linecache.cache.pop(str(path), None)


ASSERTS = [
    ("assert (n := x + c) > 0", "assert (n := x - c) > 0"),
    ("assert x > 0", "assert x < 0"),
    ("assert x.any()", "assert x.all()"),
    ("x = x * 2", "assert x * 2"),
    ("x = g(x) * 2", "assert x * 2"),
    ("n = AssertionError", "assert x"),
    ("assert x[0] == 2", "assert x[0] == 3"),
]


@pytest.mark.parametrize(("old", "new"), ASSERTS)
def test_an_edited_assert_is_noticed(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "edited_assert.py"
    for first, then in ((old, new), (new, old)):
        path.write_text(f"def f(x, c):\n    assert c\n    {first}\n    return x\n")
        fn = rewritten(path).f
        assert body(fn) == "return x"
        path.write_text(f"def f(x, c):\n    assert c\n    {then}\n    return x\n# edited\n")
        linecache.cache.pop(str(path), None)
        assert code_of(fn) == "AD102"


REWRITTEN = [
    "assert -1 < x < 2 * 3 and not c, f'{x} {c!r}'",
    "for i in x:\n        assert i or c",
    "while c:\n        if x: continue\n        assert x\n    else:\n        c = x",
    "assert (n := x[0]) > 1 and n\n    x = n",
    "try:\n        assert x\n    except AssertionError:\n        x = 1",
    "with c as k:\n        assert all(v > k for v in x)",
    "if c:\n        assert x\n        x = 1; assert x",
    "assert (lambda v: v + x)(c)\n    g = lambda v: v - x\n    assert g(x) is not None",
    "if c:\n        assert x\n        return x\n    assert not x",
]


@pytest.mark.parametrize("last", ["return x", "assert x"])
@pytest.mark.parametrize("text", REWRITTEN)
def test_asserts_of_any_form_that_a_test_runner_rewrites(
    tmp_path: Path, text: str, last: str
) -> None:
    if "1; assert" in text and sys.version_info < (3, 11):
        pytest.skip("which of two statements on one line an instruction is of is not known")
    path = tmp_path / "rewritten.py"
    path.write_text(f"def f(x, c):\n    {text}\n    {last}\n")
    linecache.cache.pop(str(path), None)
    assert body(rewritten(path).f) == last


def test_edited_elsewhere_is_no_matter(tmp_path: Path) -> None:
    path = tmp_path / "edited_below.py"
    path.write_text("def f(x):\n    return x * 2\n")
    fn = load(path).f
    path.write_text("def f(x):\n    return x * 2\n\n\ndef g(x):\n    return f\n")
    linecache.checkcache(str(path))
    assert body(fn) == "return x * 2"


def test_not_python() -> None:
    assert code_of(np.linalg.norm.__class__) == "AD106"
    assert code_of(len) == "AD104"
    assert code_of(np.sin) == "AD104"
    assert code_of(3) == "AD106"
    assert code_of(Model) == "AD106"


def test_the_error_points_at_the_caller() -> None:
    with pytest.raises(CompileError) as caught:
        get_source(3)
    assert caught.value.diagnostics[0].primary.span.file == __file__


def test_what_is_loaded_again_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "reloaded.py"
    path.write_text("def f(x, y):\n    return x - y\n")
    assert body(load(path).f) == "return x - y"
    for k, text in enumerate(("return y - x", "return (x * 3) - y", "return x - y")):
        path.write_text(f"def f(x, y):\n    {text}\n" + "\n" * k)
        again = load(path).f
        assert body(again) == text.replace("(x * 3)", "x * 3")


def test_what_was_read_before_an_edit_is_still_known(tmp_path: Path) -> None:
    path = tmp_path / "edited_later.py"
    path.write_text("def f(x, y):\n    return x - y\n\ndef g(x, y):\n    return x - y\n")
    module = load(path)
    assert body(module.f) == "return x - y"
    path.write_text("def f(x, y):\n    return y - x\n# ...\ndef g(x, y):\n    return y - x - 1\n")
    assert body(module.f) == "return x - y"  # that is what Python runs
    linecache.cache.pop(str(path), None)
    assert code_of(module.f) == code_of(module.g) == "AD102"


def test_a_wrapper_is_what_python_runs(tmp_path: Path) -> None:
    path = tmp_path / "wrappers.py"
    text = (
        "import functools\ndef twice(f):\n    @functools.wraps(f)\n"
        "    def call(*args, **kwargs):\n        return FACTOR * f(*args, **kwargs)\n"
        "    return call\n@twice\ndef f(x):\n    return x\n"
    )
    path.write_text(text.replace("FACTOR *", "2 *"))
    module = load(path)
    assert "2 *" in body(module.f)
    path.write_text(text.replace("FACTOR * ", ""))
    linecache.cache.pop(str(path), None)
    assert code_of(module.f) == "AD102"
    assert body(load(path).f) == "return x"
