"""The documents of the project, executed: what a page prints is what a program printed.

In a page, a fence of `python` is a program. The names that it defines are there for the programs
after it. Its first line may name the file that it stands for (`# heat.py`). A fence of `text` (or
`py`, for the colours) right after it holds what it prints; where that ends in an error of adtrans,
the error as it is printed. A fence of `console` holds commands, each after `$ `, with their output.
Lines that begin with `>>>` are doctests and left to pytest.

    python -m tests.documents               # write into the pages what is printed now
    python -m tests.documents docs/mutation.md
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from adtrans.cli.main import main as adtrans
from adtrans.diagnostics.errors import AdtransError, InternalError

ROOT = Path(__file__).resolve().parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fence: its language, what is in it, and the line of the page where that begins."""

    language: str
    text: str
    line: int
    start: int
    end: int


def blocks(page: str) -> list[Block]:
    """The fences of a page, in their order."""
    return [
        Block(m[1], m[2], page.count("\n", 0, m.start(2)) + 1, m.start(2), m.end(2))
        for m in _FENCE.finditer(page)
    ]


def printed(page: str) -> Iterator[tuple[Block, str]]:
    """Each block of the page that is output, or commands with output, and what it should be."""
    scope: dict[str, Any] = {"__name__": "example"}
    with tempfile.TemporaryDirectory() as home, _inside(home):
        found = blocks(page)
        for block, following in zip(found, [*found[1:], None], strict=False):
            if block.language == "console":
                yield block, _short(_commands(block.text), home)
            elif block.language == "python" and not block.text.startswith(">>>"):
                out = _short(_program(block, scope), home)
                if following is not None and following.language in ("text", "py"):
                    yield following, out
                elif out:
                    yield replace(block, text="", language="nothing"), out


def _program(block: Block, scope: dict[str, Any]) -> str:
    """What a program prints. It is stored in a file, as programs are, each in one of its own."""
    named = re.match(r"# (\w+\.py)\n", block.text)
    path = Path(named[1] if named else f"{block.line}/example.py").resolve()
    path.parent.mkdir(exist_ok=True)
    path.write_text(block.text, encoding="utf-8")
    code = compile(block.text, str(path), "exec")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(code, scope)
        except InternalError:
            raise  # a defect, and nothing to print on a page
        except AdtransError as error:
            print(error)
    return _ended(out.getvalue())


def _commands(text: str) -> str:
    """The commands with what they print now."""
    shown = []
    for command in re.findall(r"^\$ (.*)$", text, re.MULTILINE):
        name, *argv = shlex.split(command, comments=True)
        out = io.StringIO()
        if name == "adtrans":
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                adtrans(argv)
        elif name == "cat":
            out.write(Path(argv[0]).read_text(encoding="utf-8"))
        else:
            raise ValueError(f"`{name}` is not a command for a page")
        shown.append(f"$ {command}\n{_ended(out.getvalue())}")
    return "\n".join(shown)


def _short(text: str, home: str) -> str:
    """The text with the names of files as a reader would see them."""
    return re.sub(re.escape(os.path.realpath(home)) + r"/(?:\d+/)?", "", text)


def _ended(text: str) -> str:
    text = "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))
    return text + "\n" if text else ""


@contextlib.contextmanager
def _inside(home: str) -> Iterator[None]:
    before, modules = os.getcwd(), set(sys.modules)
    os.chdir(home)
    sys.path.insert(0, os.path.realpath(home))
    try:
        yield
    finally:
        os.chdir(before)
        sys.path.remove(os.path.realpath(home))
        for name in set(sys.modules) - modules:
            file = getattr(sys.modules[name], "__file__", None) or ""
            if file.startswith(os.path.realpath(home)):
                del sys.modules[name]


def refreshed(path: Path) -> str:
    """The page with the output that its programs have now."""
    page = path.read_text(encoding="utf-8")
    for block, now in reversed(list(printed(page))):
        if block.language != "nothing":
            page = page[: block.start] + now + page[block.end :]
    return _refreshed_doctests(page, path.name)


def _refreshed_doctests(page: str, name: str) -> str:
    found = doctest.DocTestParser().get_doctest(page, {}, name, name, 0)
    got: dict[int, str] = {}

    class Runner(doctest.DocTestRunner):
        def report_failure(self, out: Any, test: Any, example: Any, actual: str) -> None:
            got[example.lineno] = actual

    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    Runner(optionflags=flags, verbose=False).run(found, out=lambda text: None)
    lines = page.splitlines(keepends=True)
    for example in reversed(found.examples):
        if example.lineno in got:
            first = example.lineno + example.source.count("\n")
            last = first + example.want.count("\n")
            lines[first:last] = [got[example.lineno].replace("\n\n", "\n<BLANKLINE>\n")]
    return "".join(lines)


if __name__ == "__main__":
    for given in [Path(p) for p in sys.argv[1:]] or PAGES:
        text = refreshed(given)
        if text != given.read_text(encoding="utf-8"):
            given.write_text(text, encoding="utf-8")
            print(f"refreshed {given}")
