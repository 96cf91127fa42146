"""Whatever is printed parses to the tree it came from."""

from __future__ import annotations

import ast
import importlib
import inspect
import sys

import gast
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adtrans.emit.printer import print_tree


def check(source: str) -> str:
    text = print_tree(gast.ast_to_gast(ast.parse(source)))
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(source)), text
    assert text.endswith("\n") and not text.endswith("\n\n")
    return text


FORMS = [
    "x = y = a, *b",
    "x[i, :], y.z = f()",
    "x[()] = x[(1,)] = x[1, ...]",
    "x[(*a, b)] = 1",
    "(x): int = 1\ny: 'str'\nz.a: float = 2.0",
    "x **= -1 ** 2 + (-1) ** -2",
    "x = (lambda: (yield))\nf = lambda a, /, b=1, *c, d, e=2, **g: (a, b)",
    "x = (y := 3)\nprint((z := 4), end='')",
    "x = [a for a, b in c if d if e for f in g]\n"
    "y = {a: b for a in b}\nz = {*a, 1}\nw = {**a, 1: 2}",
    "x = f(*a, b, c=d, **e)\ny = f(x for x in y)",
    "x = a if b else (c if d else e)\ny = (a if b else c) if d else e",
    "x = not a and (b or c) and not (d or e)",
    "x = a < b <= c is not d not in e\ny = (a < b) < c",
    "x = -a ** -b, (-a) ** b, (a ** b) ** c, a - (b - c), a @ b @ c, ~a",
    "x = f'{a!r:>{w}} {{}} {b[\"k\"]:.2f}' 'text' f'''\n{c}'''",
    "x = 'it\\'s \"\"\" \\\\ \\n', b'\\x00', r'\\d', u'u', '\\N{BULLET} é 漢'",
    "x = 1e400, -1e400, 1j, 0x10, 1_000, ..., None, True",
    "x = 3 .real, (1.0).real, 'a'.join(b)",
    "del a, b[0], (c, d)\nassert a, 'b'\nraise A from b\nraise",
    "def f():\n    global a, b\n    c = 1\n    def g():\n        nonlocal c\n    return\n",
    "import a.b as c, d\nfrom . import e\nfrom ..f import g as h, i\nfrom j import *",
    "if a:\n  pass\nelif b:\n  pass\nelif c:\n  x\nelse:\n  if d:\n    y\n  z",
    "if a:\n  x\nelse:\n  if b:\n    y\n  else:\n    z",
    "for a, *b in c, d:\n  break\nelse:\n  x",
    "for (a,) in b:\n  continue",
    "while (a := f()):\n  pass\nelse:\n  x",
    "with a as b, c() as (d, e), f:\n  pass\nwith (a, b) as c:\n  pass\nwith ((a, b)):\n  pass",
    "with (a + b) * c:\n  pass\nwith (yield_):\n  pass",
    "try:\n  a\nexcept (A, B) as e:\n  b\nexcept C:\n  c\nexcept:\n  d\nelse:\n  e\nfinally:\n  f",
    "try:\n  a\nfinally:\n  b",
    "@a.b(c)\n@(d, e)\nclass A(B, *C, metaclass=D, **E):\n"
    "  'doc'\n  x: int = 1\n\n  def f(self):\n    pass",
    'def f(a: int = 1, *args: str, b: \'x\', c=2, **kw: dict) -> None:\n  """Doc.\n\n  more\n  """',
    "def f():\n  'quotes \"\"\" inside'\ndef g():\n  'ends in \"'\ndef h():\n  'back\\\\slash \\r'",
    "def f():\n  u'old'\n  'not a docstring'",
    "'module doc'\n'second'",
    "def f():\n  f'not a {doc}'",
    "async def f():\n  async with a as b:\n    await c\n  async for d in e:\n    yield d\n"
    "  return [x async for x in y if await z]",
    "match a, b:\n  case [1, *rest] if c:\n    pass\n  case {'k': v, **more}:\n    pass\n"
    "  case A(b, c=D.e) | None as x:\n    pass\n  case -1 | 'a' | 2 + 3j:\n    pass\n"
    "  case (1 | 2) as y:\n    pass\n"
    "  case _:\n    pass",
    "match = case = 1\nprint(match)",
    "def f():\n  x = yield\n  y = yield a, b\n  yield from c\n"
    "  z = (yield d) + 1\n  await_ = [(yield)]",
    "a if b else c\n(x, y)\n-1\n'text'\n(yield_)",
]
if sys.version_info >= (3, 11):
    FORMS += [
        "try:\n  a\nexcept* (A, B) as e:\n  try:\n    b\n  except C:\n    c",
        "def f(*args: *Ts): pass\nx[*a]\nx[*a, 1]",
    ]
if sys.version_info >= (3, 12):
    FORMS += [
        "def f[T: int, *Ts, **P](x: T) -> T: pass\nclass A[T](B): pass\ntype X[T] = list[T]",
        "x = f'{'\\n'.join(a)} {f'{b}'}'",
    ]


@pytest.mark.parametrize("source", FORMS)
def test_form(source: str) -> None:
    text = check(source)
    assert check(text) == text  # printing again changes nothing


MODULES = [
    "abc", "argparse", "ast", "asyncio.tasks", "bisect", "calendar", "contextlib", "copy",
    "dataclasses", "difflib", "fractions", "functools", "heapq", "inspect", "random", "statistics",
    "textwrap", "typing",
]  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
def test_standard_library(name: str) -> None:
    source = inspect.getsource(importlib.import_module(name))
    text = check(source)
    too_long = [line for line in text.splitlines() if len(line) > 100]
    assert len(too_long) < 40  # strings and comments of the code cannot be broken


# Random trees: expressions of every form inside statements of every form, as source that has all
# its parentheses, so that the tree is what was drawn.

_NAME = st.sampled_from(["a", "b", "long_name_of_a_variable"])


def _expressions() -> st.SearchStrategy[str]:
    def extend(e: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        two = st.tuples(e, e)
        return st.one_of(
            st.builds(lambda p, op: f"(({p[0]}) {op} ({p[1]}))", two, st.sampled_from(
                ["+", "-", "*", "/", "//", "%", "@", "**", "<<", ">>", "&", "|", "^", "<", ">=",
                 "==", "!=", "in", "not in", "is", "is not", "and", "or"])),
            st.builds(lambda x, op: f"({op} ({x}))", e, st.sampled_from(["-", "+", "~", "not"])),
            two.map(lambda p: f"(({p[0]})[({p[1]})])"),
            two.map(lambda p: f"(({p[0]})[({p[1]}):, ::({p[1]}), ...])"),
            two.map(lambda p: f"(({p[0]})[:({p[1]})])"),
            e.map(lambda x: f"(({x}).attr)"),
            two.map(lambda p: f"(({p[0]})(({p[1]}), *({p[0]}), k=({p[1]}), **({p[0]})))"),
            two.map(lambda p: f"(lambda a, *b, c=({p[0]}): ({p[1]}))"),
            st.tuples(e, e, e).map(lambda p: f"(({p[0]}) if ({p[1]}) else ({p[2]}))"),
            two.map(lambda p: f"[({p[0]}), *({p[1]})]"),
            two.map(lambda p: f"(({p[0]}), ({p[1]}))"),
            e.map(lambda x: f"(({x}),)"),
            two.map(lambda p: f"{{({p[0]}): ({p[1]}), **({p[0]})}}"),
            two.map(lambda p: f"{{({p[0]}), ({p[1]})}}"),
            two.map(lambda p: f"[({p[0]}) for a, b in ({p[1]}) if ({p[0]})]"),
            two.map(lambda p: f"(({p[0]}) for a in ({p[1]}))"),
            e.map(lambda x: f"(w := ({x}))"),
            e.map(lambda x: f"(await ({x}))"),
            e.map(lambda x: f"(yield ({x}))"),
        )  # fmt: skip

    leaf = st.one_of(
        _NAME,
        st.sampled_from(["0", "1.5", "2j", "'text'", "b'x'", "None", "...", "f'{a!r:>{b}}x'"]),
    )
    return st.recursive(leaf, extend, max_leaves=8)


def _indented(text: str) -> str:
    return "\n".join("  " + line for line in text.split("\n"))


def _statements() -> st.SearchStrategy[str]:
    e = _expressions()
    simple = st.one_of(
        e,
        e.map(lambda x: f"a = b, c[0] = ({x})"),
        e.map(lambda x: f"a += ({x})"),
        e.map(lambda x: f"a: ({x}) = ({x})"),
        e.map(lambda x: f"return ({x})"),
        e.map(lambda x: f"assert ({x}), ({x})"),
        e.map(lambda x: f"raise ({x}) from ({x})"),
        st.just("pass"),
        e.map(lambda x: f"del (({x})[0], a)"),
    )

    def extend(s: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        body = st.lists(s, min_size=1, max_size=2).map("\n".join).map(_indented)
        return st.one_of(
            st.tuples(e, body, body).map(lambda p: f"if {p[0]}:\n{p[1]}\nelse:\n{p[2]}"),
            st.tuples(e, body).map(lambda p: f"if a:\n  pass\nelif ({p[0]}):\n{p[1]}"),
            st.tuples(e, body).map(lambda p: f"for a, *b in ({p[0]}):\n{p[1]}"),
            st.tuples(e, body).map(lambda p: f"async for a in ({p[0]}):\n{p[1]}\nelse:\n{p[1]}"),
            st.tuples(e, body).map(lambda p: f"while ({p[0]}):\n{p[1]}"),
            st.tuples(e, body).map(lambda p: f"with ({p[0]}):\n{p[1]}"),
            st.tuples(e, body).map(lambda p: f"async with ({p[0]}) as a, ({p[0]}):\n{p[1]}"),
            st.tuples(e, body).map(lambda p: f"try:\n{p[1]}\nexcept ({p[0]}) as a:\n{p[1]}"),
            st.tuples(e, body).map(
                lambda p: f"match ({p[0]}):\n  case [a, {{'k': 1}}] if ({p[0]}):\n{_indented(p[1])}"
            ),
            st.tuples(e, body).map(
                lambda p: (
                    f"@({p[0]})\nasync def f(a: ({p[0]}), /, *, b=({p[0]})) -> ({p[0]}):\n{p[1]}"
                )
            ),
            st.tuples(e, body).map(lambda p: f"class A(({p[0]}), k=({p[0]})):\n{p[1]}"),
        )

    return st.recursive(simple, extend, max_leaves=4)


@settings(max_examples=150, deadline=None)
@given(st.lists(_statements(), min_size=1, max_size=3))
def test_random_trees(parts: list[str]) -> None:
    # inside an async function everything may stand; what Python itself rejects is not drawn again
    source = "async def f():\n" + _indented("\n".join(parts))
    try:
        ast.parse(source)
    except SyntaxError:
        return
    check(source)


def test_notes_do_not_change_the_tree() -> None:
    source = (
        "def f(x):\n  for i in x:\n    y = g(i, " + "argument, " * 12 + ")\n  return f'''\n{y}'''\n"
    )
    tree = gast.ast_to_gast(ast.parse(source))
    notes = {id(n): f"note\n{i}" for i, n in enumerate(gast.walk(tree)) if isinstance(n, gast.stmt)}
    text = print_tree(tree, notes)
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(source))
    assert text.count("# note ") == len(notes)
    assert all(len(line) <= 100 for line in text.splitlines())


def test_notes_line_up_and_are_cut() -> None:
    tree = gast.parse("def f():\n  a = 1\n  for b in c:\n    d = 2\n\ndef g():\n  e = 3\n")
    f, g = tree.body
    long = "4: " + "word " * 30
    notes = {id(f.body[0]): "1: a", id(f.body[1].body[0]): long, id(g.body[0]): "7: e"}
    assert print_tree(tree, notes) == (
        "def f():\n"
        "    a = 1           # 1: a\n"
        "    for b in c:\n"
        "        d = 2       # 4: word word word word word word word word word word word wor...\n"
        "\n\n"
        "def g():\n"
        "    e = 3       # 7: e\n"
    )


def test_a_note_beside_a_long_line_goes_above_it() -> None:
    tree = gast.parse("if a:\n  x = f(" + "bbbbbbbb, " * 7 + "c)")
    text = print_tree(tree, {id(tree.body[0].body[0]): "3: y"})
    assert text.splitlines()[1] == "    # 3: y"
