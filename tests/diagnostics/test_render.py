"""What a diagnostic looks like, to the letter."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path

import pytest

from adtrans.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label
from adtrans.diagnostics.errors import AdtransError, CompileError
from adtrans.diagnostics.export import to_json
from adtrans.diagnostics.render import render, render_all, to_html
from adtrans.diagnostics.span import Span

HEAT = "\n" * 11 + (
    "        flux = u * u\n        log(flux)\n        u[1:-1] += dt * (flux[2:] - flux[:-2])\n"
)


def heat() -> Diagnostic:
    return Diagnostic(
        "AD301",
        "`u` is overwritten before the gradient has used it",
        Label(Span("heat.py", 14, 8, 14, 15), "overwritten here"),
        labels=[
            Label(
                Span("heat.py", 12, 15, 12, 20),
                "needed here: the derivative of `u * u` is `2 * u`",
            )
        ],
        why="the pullback runs line 14 before line 12, and by then the old `u` is gone",
        fixes=[
            Fix(
                "same result, one more array of u's size per iteration",
                (Edit("heat.py", 12, 12, ("        u_12 = u.copy(); flux = u_12 * u_12",)),),
            ),
            Fix('@differentiable(on_overwrite="save")'),
        ],
    )


def at(*place: int, file: str = "f.py", text: str = "") -> Label:
    line, column, end_line, end_column = place
    return Label(Span(file, line, column, end_line, end_column), text)


def shown(d: Diagnostic, **files: str) -> str:
    """The excerpt alone: between the arrow and the first remark."""
    text = render(d, source={f"{name}.py": content for name, content in files.items()})
    return "\n".join(line for line in text.split("\n")[1:] if not line.startswith("   = "))


def test_the_whole_of_it() -> None:
    assert (
        render(heat(), source={"heat.py": HEAT})
        == """\
error[AD301]: `u` is overwritten before the gradient has used it
  --> heat.py:14:9
   |
12 |         flux = u * u
   |                ----- needed here: the derivative of `u * u` is `2 * u`
14 |         u[1:-1] += dt * (flux[2:] - flux[:-2])
   |         ^^^^^^^ overwritten here
   |
   = why:  the pullback runs line 14 before line 12, and by then the old `u` is gone
   = fix (same result, one more array of u's size per iteration):
12 -         flux = u * u
12 +         u_12 = u.copy(); flux = u_12 * u_12
   = or:   @differentiable(on_overwrite="save")
   = more: adtrans explain AD301"""
    )


def test_a_file_that_is_gone_gives_no_excerpt() -> None:
    text = render(heat())
    assert "flux = u * u\n" not in text
    assert "   = at:   line 14: overwritten here\n" in text
    assert text.endswith("   = more: adtrans explain AD301")


def test_files_are_read_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "f.py"
    path.write_text("a = b\n", encoding="utf-8")
    text = render(Diagnostic("AD105", "`b` is not defined", Span(str(path), 1, 4, 1, 5)))
    assert " 1 | a = b\n   |     ^\n" in text


def test_two_files() -> None:
    d = Diagnostic(
        "AD303",
        "t",
        at(2, 4, 2, 8, text="overwritten here"),
        labels=[at(1, 0, 1, 1, file="g.py", text="needed here")],
    )
    assert shown(d, f="def f(a):\n    a[0] = 1\n", g="y = x\n") == (
        "  --> f.py:2:5\n"
        "   |\n"
        " 2 |     a[0] = 1\n"
        "   |     ^^^^ overwritten here\n"
        "   |\n"
        "  ::: g.py:1:1\n"
        "   |\n"
        " 1 | y = x\n"
        "   | - needed here\n"
        "   |"
    )


def test_labels_on_one_line() -> None:
    d = Diagnostic(
        "AD301",
        "t",
        at(1, 0, 1, 6, text="overwritten here"),
        labels=[at(1, 10, 1, 16, text="needed here")],
    )
    assert shown(d, f="y[1:3] += y[0:2] ** 2\n") == (
        "  --> f.py:1:1\n"
        "   |\n"
        " 1 | y[1:3] += y[0:2] ** 2\n"
        "   | ^^^^^^ overwritten here\n"
        "   |           ------ needed here\n"
        "   |"
    )


def test_a_gap_of_several_lines_is_marked() -> None:
    d = Diagnostic("AD301", "t", at(6, 0, 6, 1), labels=[at(1, 0, 1, 1), at(3, 0, 3, 1)])
    assert shown(d, f="a\nb\nc\nd\ne\nf\n").split("\n")[2:-1] == [
        " 1 | a",
        "   | -",
        " 3 | c",
        "   | -",
        "...",
        " 6 | f",
        "   | ^",
    ]


def test_a_span_of_several_lines() -> None:
    d = Diagnostic("AD201", "t", at(1, 4, 3, 5, text="this"))
    assert shown(d, f="y = f(a,\n      b,\n    )\n").split("\n")[2:-1] == [
        " 1 | y = f(a,",
        "   |     ^^^^",
        " 2 |       b,",
        "   |       ^^",
        " 3 |     )",
        "   |     ^ this",
    ]


def test_a_long_span_shows_its_ends() -> None:
    d = Diagnostic("AD201", "t", at(1, 0, 9, 1))
    rows = shown(d, f="(\n" + "x,\n" * 7 + ")\n").split("\n")[2:-1]
    assert rows == [" 1 | (", "   | ^", "...", " 9 | )", "   | ^"]


def test_tabs_and_wide_characters_do_not_shift_the_carets() -> None:
    d = Diagnostic("AD105", "t", at(1, 9, 1, 10, text="here"))
    text = shown(d, f="\té = '漢' b\n")
    code, marks = text.split("\n")[2:4]
    assert code == " 1 |     é = '漢' b"
    assert marks == "   | " + " " * 13 + "^ here"  # 漢 takes two columns, the tab four


def test_a_column_beyond_the_line_still_has_a_caret() -> None:
    d = Diagnostic("AD102", "t", at(1, 40, 1, 50, text="here"))
    assert shown(d, f="x = 1\n").split("\n")[3] == "   |      ^ here"


def test_a_line_beyond_the_file_is_left_out() -> None:
    d = Diagnostic("AD102", "t", at(7, 0, 7, 1, text="here"))
    assert shown(d, f="x = 1\n") == "  --> f.py:7:1"


def test_a_form_feed_does_not_move_the_lines() -> None:
    d = Diagnostic("AD105", "t", at(2, 0, 2, 1))
    assert " 2 | b" in shown(d, f="a\f\nb\n")


def test_the_gutter_grows_with_the_numbers() -> None:
    d = Diagnostic("AD105", "t", at(1234, 0, 1234, 1))
    lines = render(d, source={"f.py": "\n" * 1233 + "b\n"}).split("\n")
    assert lines[1:-1] == ["    --> f.py:1234:1", "     |", "1234 | b", "     | ^", "     |"]


def test_chain_and_long_text() -> None:
    d = Diagnostic(
        "AD302",
        "t",
        at(1, 0, 1, 1),
        chain=["`v` is a view of `y` (line 3)", "`w` is `v` (line 4)"],
        why="word " * 30,
    )
    lines = render(d).split("\n")
    assert lines[2:4] == [
        "   = via:  `v` is a view of `y` (line 3)",
        "   = then: `w` is `v` (line 4)",
    ]
    assert lines[4].startswith("   = why:  word word")
    assert lines[5].startswith("           word")
    assert max(map(len, lines)) <= 100


def test_an_edit_of_several_lines_and_files() -> None:
    fix = Fix("why not", (Edit("g.py", 1, 1, ("c = 1", "d = 2")), Edit("f.py", 2, 1, ("new",))))
    d = Diagnostic("AD303", "t", at(1, 0, 1, 1), fixes=[fix])
    text = render(d, source={"f.py": "a\nb\n", "g.py": "c = 0\n"})
    assert text.split("\n")[6:-1] == [
        "   = fix (why not):",
        " 2 + new",
        "  ::: g.py",
        " 1 - c = 0",
        " 1 + c = 1",
        " 2 + d = 2",
    ]


def test_colour_only_adds_escapes() -> None:
    plain = render(heat(), source={"heat.py": HEAT})
    colored = render(heat(), color=True, source={"heat.py": HEAT})
    assert "\x1b[1;31merror[AD301]\x1b[0m" in colored
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == plain


def test_html_is_the_same_text_escaped() -> None:
    source = {"heat.py": HEAT.replace("u * u", "u < u")}
    page = to_html(heat(), source=source)
    assert "flux = u &lt; u" in page
    bare = re.sub(r"<[^>]*>", "", page)
    for entity, char in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        bare = bare.replace(entity, char)
    assert bare == render(heat(), source=source)


def test_json_goes_through_json() -> None:
    data = to_json(heat())
    assert json.loads(json.dumps(data)) == data
    assert data["code"] == "AD301"
    assert data["labels"][0]["line"] == 12
    assert data["fixes"][0]["edits"][0]["replacement"] == [
        "        u_12 = u.copy(); flux = u_12 * u_12"
    ]


def test_several_are_counted() -> None:
    warning = Diagnostic("AD410", "w", Span("f.py", 1, 0, 1, 1), severity="warning")
    assert render_all([heat(), heat(), warning]).endswith("\n\n2 errors, 1 warning")
    assert render_all([heat()]) == render(heat())


@pytest.mark.parametrize("count", [1, 2])
def test_errors_carry_and_pickle_their_diagnostics(count: int) -> None:
    error = CompileError([heat()] * count)
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, AdtransError)
    assert again.diagnostics == error.diagnostics
    assert str(again) == str(error) == render_all([heat()] * count)
