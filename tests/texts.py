"""Test data as text files: a program, a line of `=`, and what the compiler says to it.

The program defines `f` and its arguments `ARGS`; `WRT` and `OPTIONS` where they are not the usual,
`KINDS` where the compiler shall not know those of the arguments, `call()` where only a call tells.
A line such as `# helpers.py` begins another file, all of whose names the ones after it know.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adtrans.analyses.kinds import param_kinds
from adtrans.arguments.inputs import target_of
from adtrans.driver.options import Options
from adtrans.pipeline import Compiled, compile_function

RULE = "=" * 20


@dataclass(frozen=True)
class Text:
    """A file's two halves; the first is executed when asked for."""

    name: str
    program: str
    expected: str

    def run(self, program: str | None = None) -> dict[str, Any]:
        """The names that the program (or a changed form of it) defines."""
        names: dict[str, Any] = {"__name__": self.name}
        for file, text in self.files(self.program if program is None else program):
            linecache.cache[file] = (len(text), None, text.splitlines(True), file)
            exec(compile(text, file, "exec"), names)
        return names

    def files(self, program: str) -> Iterator[tuple[str, str]]:
        """The files of the program with their texts."""
        first, *more = re.split(r"^# (\w+\.py)\n", program, flags=re.MULTILINE)
        if not more:
            yield f"{self.name}.py", first
        yield from zip(more[::2], more[1::2], strict=True)


def read(path: Path) -> Text:
    """The file at `path`."""
    program, _, expected = path.read_text(encoding="utf-8").partition(f"{RULE}\n")
    return Text(path.stem, program, expected)


def compiled(names: dict[str, Any], **options: Any) -> Compiled:
    """`f` compiled for the kinds of `ARGS`."""
    f: Callable[..., Any] = names["f"]
    target = target_of(f)
    given = names.get("KINDS", param_kinds(dict(zip(target.params, names["ARGS"], strict=False))))
    wrt = target.select(names.get("WRT", 0))
    return compile_function(f, given, Options(**{**names.get("OPTIONS", {}), **options}), wrt=wrt)
