"""Whole error messages from real programs, as a user reads them, and the fixes that they offer.

When a message changes on purpose, `python -m tests.snapshots` puts the new ones into the files of
`tests/messages`; read the difference.
"""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest

from adtrans.diagnostics.codes import CODES
from adtrans.diagnostics.diagnostic import Edit
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads
from tests.snapshots import message
from tests.texts import Text, compiled, read

FILES = sorted((Path(__file__).parents[1] / "messages").glob("*.txt"))
EVERY = [pytest.param(read(path), id=path.stem) for path in FILES]
NOTES = {code.lower() for code, row in CODES.items() if row.severity == "note"}
ERRORS = [p for p in EVERY if p.id.partition("_")[0] not in {*NOTES, "ad308"}]


def refused(text: Text) -> CompileError:
    with pytest.raises(CompileError) as caught:
        compiled(text.run())
    return caught.value


@pytest.mark.parametrize("text", EVERY)
def test_message(text: Text) -> None:
    found = message(text)
    assert found == text.expected
    assert f"[{text.name.upper().partition('_')[0]}]" in found


def edits_of(error: CompileError) -> list[Edit]:
    """The first edit that each diagnostic offers, from the bottom of the file upwards."""
    offered = {e for d in error.diagnostics for f in d.fixes[:1] for e in f.edits}
    return sorted(offered, key=lambda e: -e.line)


def applied(text: Text, edits: list[Edit]) -> str:
    """The program after the edits, each in its file."""
    files = dict(text.files(text.program))
    for name in files:
        lines = files[name].split("\n")
        for e in edits:
            if e.file == name:
                lines[e.line - 1 : e.end_line] = e.replacement
        files[name] = "\n".join(lines)
    if len(files) == 1:
        return files[f"{text.name}.py"]
    return "".join(f"# {name}\n{body}" for name, body in files.items())


@pytest.mark.parametrize("text", ERRORS)
def test_edits_repair_the_program(text: Text) -> None:
    error = refused(text)
    edits = edits_of(error)
    if not edits:
        pytest.skip("the message offers no edit")
    before, after = text.run(), text.run(applied(text, edits))
    args, others = copy.deepcopy(before["ARGS"]), copy.deepcopy(before["ARGS"])
    np.testing.assert_array_equal(before["f"](*args), after["f"](*others))
    for a, b in zip(args, others, strict=True):
        np.testing.assert_array_equal(a, b)
    if all(d.fixes and d.fixes[0].edits for d in error.diagnostics):
        compiled(after)
        check_grads(after["f"], after["ARGS"], wrt=after.get("WRT", 0))


@pytest.mark.parametrize("text", ERRORS)
def test_saving_is_a_way_out_where_it_is_offered(text: Text) -> None:
    fixes = [[f.text for f in d.fixes] for d in refused(text).diagnostics]
    if not all('adtrans.differentiable(on_overwrite="save")' in texts for texts in fixes):
        pytest.skip("saving alone does not do it")
    names = text.run()
    check_grads(names["f"], names["ARGS"], wrt=names.get("WRT", 0), on_overwrite="save")


def test_every_code_of_interest_has_a_message() -> None:
    wanted = {code[2:] for code in CODES if code.startswith("AD3")}
    assert wanted | {"205", "206", "401", "409"} <= {path.stem[2:5] for path in FILES}
