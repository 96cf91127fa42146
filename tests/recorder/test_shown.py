"""What users see of a function that is recorded: its source, its report, and the commands."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import numpy as np
import pytest

import adtrans as ad
from adtrans.cli.main import main
from adtrans.recorder.shown import source_of
from tests.documents import ROOT, blocks
from tests.schema import problems

X = np.array([0.6, 0.9, 1.3])

FILE = '''\
import numpy as np
import adtrans as ad


def counting():
    pass


@ad.differentiable
def sends(x: "float64[:]", k: float = 2.0):
    def products():
        got = 1.0
        for v in x:
            got = (yield got * v) or 1.0

    it = products()
    s = next(it)
    return s + k * it.send(s)


@ad.differentiable(on_unfollowed="always")
def asked(x: float):
    return x * x


@ad.differentiable
def plain(x: float):
    return x * x
'''
OVERWRITES = '''

@ad.differentiable
def overwrites(x: "float64[:]"):
    z = x * 2.0
    s = np.sum(z * z)
    z[0] = 1.0
    return s
'''
WAITS = '''

@ad.differentiable
async def waits(x: "float64[:]"):
    await x[0]
    return x[0]
'''


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "these.py"
    path.write_text(FILE)
    return path


def rebinding():
    count = 0.0

    def f(x):
        nonlocal count
        count = x[0]
        count += 2.0 * x[1]
        return count * x[2]

    return f


def chained(ad_mul, x):
    return 0.0 < ad_mul[0] < x[1] + 1.0


def with_defaults(x, b, *rest, k=2.0, **more):
    a, b[0] = x, 1.0
    with open(x) as b[1], open(k):
        del a.c
    return [i.y for i in x if i]


# -- the source ------------------------------------------------------------------------------------


@pytest.mark.parametrize("fn", [rebinding(), chained, with_defaults, lambda x: -x * x])
def test_the_source_is_python_and_has_only_names_that_can_be_read(fn):
    text = source_of(fn)
    tree = ast.parse(text)
    assert not any(isinstance(n, ast.BinOp | ast.Subscript | ast.Attribute) for n in ast.walk(tree))
    names = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name)]
    assert all(n.isidentifier() for n in names)


def test_the_head_stays_and_names_of_the_user_are_not_taken():
    assert source_of(with_defaults).startswith("def with_defaults(x, b, *rest, k=2.0, **more):")
    text = source_of(chained)
    assert "_ad_lt(0.0," in text and "_ad_getitem(ad_mul, 0)" in text


def test_what_is_shown_is_not_what_runs():
    """The tree is made anew, so that showing a function leaves it as it was."""
    f = rebinding()
    before = ad.grad(f)(X)
    source_of(f)
    assert np.array_equal(ad.grad(f)(X), before)


# -- through the API -------------------------------------------------------------------------------


def test_the_report_says_why_and_what_would_have_it_compiled():
    f = ad.differentiable(rebinding())
    for _ in range(2):  # before and after the first call
        report = f.report()
        (why,) = report.recorded
        assert why.code == "AD203"
        head, line = report.text().splitlines()
        assert head == "f: recorded, as the compiler cannot follow it"
        assert f"test_shown.py:{why.primary.span.line}  AD203  `count` is nonlocal" in line
        assert "; to have it compiled, return the new value of `count`" in line
        assert report.to_json()["recorded"][0]["code"] == "AD203"
        assert "to have it compiled" in report._repr_html_()
        assert "ad_iadd(count, ad_mul(2.0, ad_getitem(x, 1)))" in f.source
        assert f.source == f.source_for(X)
        f.grad(X)


def test_the_latest_call_decides():
    @ad.differentiable
    def f(x, flag):
        return x * x if not flag else max({x * k for k in (0.5, 1.0)})

    f.grad(2.0, False)
    assert f.report().recorded is None and "pullback" in f.source
    f.grad(2.0, True)
    assert f.report().recorded and "ad_mul" in f.source
    assert "pullback" in f.source_for(2.0, False)
    f.grad(2.0, True)
    f.grad(np.float32(2.0), False)
    assert f.report().recorded is None


def test_asked_for():
    f = ad.recorded(lambda x: x * x)
    assert f.report().text() == "<lambda>: recorded, as was asked for"
    assert f.source == "lambda x: ad_mul(x, x)"


def test_refused_where_that_is_asked_for():
    f = ad.differentiable(on_unfollowed="refuse")(rebinding())
    for look in (lambda: f.source, f.report, lambda: f.source_for(X), lambda: f.grad(X)):
        with pytest.raises(ad.CompileError, match="AD203"):
            look()
    with pytest.raises(ad.CompileError):
        ad.differentiable(eager=True, on_unfollowed="refuse")(rebinding())
    ad.differentiable(eager=True)(rebinding())


# -- the commands ----------------------------------------------------------------------------------


def test_check_names_what_is_recorded_and_does_not_fail(file, capsys):
    assert main(["check", "these.py"]) == 0
    out, err = capsys.readouterr()
    assert "sends: recorded, as the compiler cannot follow it" in out
    assert "to have it compiled, " in out
    assert "asked: recorded, as was asked for" in out
    assert "3 checked, 0 with errors, 2 recorded" in err


def test_check_fails_where_that_is_asked_for(file, capsys):
    assert main(["check", "these.py", "--on-unfollowed", "refuse"]) == 1
    assert "3 checked, 1 with errors" in capsys.readouterr().err


@pytest.mark.parametrize(("more", "code"), [(OVERWRITES, "AD301"), (WAITS, "AD202")])
def test_what_is_refused_both_ways_fails(file, capsys, more, code):
    file.write_text(FILE + more)
    assert main(["check", "these.py"]) == 1
    assert f"error[{code}]" in capsys.readouterr().err


def test_too_much_analysis_is_no_finding_where_the_kinds_are_known(file, capsys):
    file.write_text("def f(x: float):\n    y = x * x\n    return y * x\n")
    assert main(["check", "these.py", "--steps", "1"]) == 0
    out, err = capsys.readouterr()
    assert "f: recorded" in out and "AD208" in out and "1 recorded" in err


def test_the_formats(file, capsys):
    page = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
    (schema,) = [json.loads(b.text) for b in blocks(page) if b.language == "json"]
    assert main(["check", "these.py", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert problems(schema, found) == []
    assert found["summary"]["recorded"] == 2
    (sends, *_) = found["functions"]
    assert sends["status"] == "recorded"
    assert {d["severity"] for d in sends["diagnostics"]} == {"note"}
    assert main(["check", "these.py", "--format", "github"]) == 0
    assert "::error" not in capsys.readouterr().out
    assert main(["check", "these.py", "--format", "sarif"]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert {r["level"] for r in run["results"]} == {"note"}


def test_show(file, capsys):
    assert main(["show", "these.py:sends"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("def sends(x: 'float64[:]', k: float=2.0):")
    assert "ad_call(next, it)" in out and "sends: recorded" in err
    assert main(["show", "these.py:sends", "--standalone"]) == 2
    err = capsys.readouterr().err
    assert "--standalone: " in err and "AD" in err
    assert main(["show", "these.py:sends", "--on-unfollowed", "refuse"]) == 1


def test_explain_and_verify(file, capsys):
    assert main(["explain", "these.py:14"]) == 0
    assert "the function is recorded" in capsys.readouterr().out
    assert main(["verify", "these.py:sends", "--args", "np.array([0.6, 0.9, 1.3])"]) == 0
