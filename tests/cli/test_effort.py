"""`adtrans check` spends so much on a function and no more."""

from __future__ import annotations

import json

import pytest

from adtrans.cli.main import main
from adtrans.ir.effort import TooMuch, at_most, spend

PROGRAM = """
import numpy as np

def inner(v, k):
    return v * k

def outer(x, y):
    u = inner(x, 1.0)
    z = u * inner(y, x)
    u[0] = 1.0
    return np.sum(z)

def short(x: float):
    return x * x
"""


def found(capsys, *more: str) -> dict[str, dict[str, object]]:
    main(["check", "long.py", "--format", "json", *more])
    functions = json.loads(capsys.readouterr().out)["functions"]
    return {f["name"].partition(":")[2]: f for f in functions}


@pytest.fixture
def here(tmp_path, monkeypatch):
    (tmp_path / "long.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)


def test_a_function_that_takes_more_is_unclear(here, capsys):
    first = found(capsys, "--steps", "200")
    assert first["short"]["status"] == "accepted"
    assert first["outer"]["status"] == "unclear"
    assert [d["code"] for d in first["outer"]["diagnostics"]] == ["AD208"]
    assert first["outer"]["missing"] == ["x", "y"]
    assert first == found(capsys, "--steps", "200")
    assert main(["check", "long.py", "--steps", "200", "--strict"]) == 1
    assert "unclear long.py:outer: the analysis takes more than 200 steps; say what" in (
        capsys.readouterr().err
    )


def test_without_a_bound_and_with_the_usual_one(here, capsys):
    usual = found(capsys)
    assert found(capsys, "--steps", "0") == usual
    codes = [d["code"] for d in usual["outer"]["diagnostics"]]
    assert "AD208" not in codes


def test_the_next_function_has_a_bound_of_its_own(here, capsys):
    (lone,) = (f for f in found(capsys, "--steps", "180").values() if f["name"].endswith("short"))
    assert lone["status"] == "accepted"


def test_what_is_no_number(here, capsys):
    with pytest.raises(SystemExit) as ended:
        raise SystemExit(main(["check", "long.py", "--steps", "few"]))
    assert ended.value.code == 2


def test_no_handler_on_the_way_takes_it():
    with pytest.raises(TooMuch), at_most(3):
        try:
            spend(4)
        except Exception:
            spend(0)
    spend(1000)
    with at_most(0):
        spend(1000)
