"""The benchmark compares right gradients, and its programs and scripts run."""

from __future__ import annotations

import doctest
import json

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads
from benchmarks import measure, model, objects, recorded, rules, run
from benchmarks.measure import interleaved
from benchmarks.model import Program, with_numpy
from benchmarks.programs import PROGRAMS


def same(found: object, expected: object) -> None:
    for f, e in zip(found, expected, strict=True):
        np.testing.assert_allclose(f, e, rtol=1e-9, atol=1e-11)


@pytest.fixture(params=PROGRAMS, ids=lambda p: p.name)
def program(request: pytest.FixtureRequest) -> Program:
    return request.param


def test_generated_and_written_by_hand_agree(program):
    args = program.arguments(program.size(quick=True))
    value, gradients = ad.value_and_grad(program.loss, wrt=program.wrt, **program.options)(*args)
    expected, by_hand = program.by_hand(*args)
    assert value == pytest.approx(program.loss(*args), rel=1e-14)
    assert value == pytest.approx(expected, rel=1e-13)
    same(gradients, by_hand)


def test_finite_differences(program):
    args = program.arguments(program.size(quick=True))
    check_grads(
        program.loss, args, wrt=program.wrt, modes=("reverse",), rtol=1e-5, **program.options
    )


def test_rewritten_without_writes_it_is_the_same_function(program):
    args = program.arguments(program.size(quick=True))
    if program.rewritten is not None:
        assert program.rewritten(*args) == pytest.approx(program.loss(*args), rel=1e-12)


def test_autograd_agrees(program):
    numpy = pytest.importorskip("autograd.numpy")
    value_and_grad = pytest.importorskip("autograd").value_and_grad
    args = program.arguments(program.size(quick=True))
    found = value_and_grad(with_numpy(program.rewritten or program.loss, numpy), program.wrt)(*args)
    same(found[1], program.by_hand(*args)[1])


@pytest.mark.parametrize("module", [measure, model], ids=lambda m: m.__name__)
def test_examples_in_the_docstrings(module):
    failed, attempted = doctest.testmod(module)
    assert attempted and not failed


def test_interleaving_calls_everyone_in_every_round():
    calls = []
    times = interleaved({"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}, 3, 0.0)
    assert calls[-6:] in (["a", "b"] * 3, ["a", "b", "b", "a", "a", "b"])
    assert [len(t) for t in times.values()] == [3, 3]


def test_a_quick_run_prints_a_table_and_writes_json(tmp_path, capsys):
    path = tmp_path / "result.json"
    assert run.main(["--quick", "--json", str(path)]) == 0
    out = capsys.readouterr().out
    result = json.loads(path.read_text())
    assert [p["name"] for p in result["programs"]] == [p.name for p in PROGRAMS]
    for row in result["programs"]:
        assert row["name"] in out
        assert set(row["median_seconds"]) >= {"primal", "generated", "by hand"}
        assert row["generated_to_by_hand"] > 0
    assert result["generated_to_by_hand"] > 0
    assert 0 < result["compile"]["median_seconds"] < 5
    assert [row["arguments"] for row in result["overhead"]] == [1, 2, 3, 4]


@pytest.mark.parametrize("contest", recorded.contests(quick=True), ids=lambda c: c.name)
def test_recorded_programs_are_right(contest):
    check_grads(contest.f, contest.args, modes=("reverse",), rtol=1e-5, on_unfollowed="always")


def test_a_quick_run_of_recorded_programs_prints_a_table(capsys):
    recorded.main(["--quick"])
    assert "a function of 50 lines is rewritten in" in capsys.readouterr().out


def test_an_unknown_program_is_refused(capsys):
    with pytest.raises(SystemExit):
        run.main(["--only", "no such program"])
    assert "no such program" in capsys.readouterr().err


def test_the_analysis_of_a_long_function_is_quick() -> None:
    from benchmarks import analysis_time

    result = analysis_time.measure(quick=True)
    assert result["lines"] >= analysis_time.LINES
    assert result["seconds"] < 3 * analysis_time.CLAIM  # the machine may be busy


def test_rules_are_measured_against_the_same_by_hand():
    for case in rules.CASES:
        found = rules.measure(case, 100, 1, 0.0)  # asserts that both agree
        assert found["ratio"] > 0
    assert len(rules.CASES) == 30


def test_a_pullback_over_objects_and_lists_costs_a_few_runs():
    found = objects.measured(rounds=5, slot=0.01)
    assert found.keys() == objects.PROGRAMS.keys()
    for name, row in found.items():
        assert row["pullback"] < objects.LIMIT, name
        assert f"{row['gradient']:.2f}" in objects.shown(found)


@pytest.mark.parametrize("name", objects.PROGRAMS)
def test_gradients_over_objects_and_lists(name):
    f, args, wrt = objects.PROGRAMS[name]
    args = (*args[:2], args[2][:5], *args[3:]) if name == "Kalman filter" else (args[0], 8)
    check_grads(f, args, wrt=wrt, rtol=1e-5)
