"""The pipeline as a whole: what a compilation returns, and that it is the same each time."""

from __future__ import annotations

import linecache
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from adtrans.diagnostics.errors import CompileError
from adtrans.driver.options import Options
from adtrans.driver.stages import needed
from adtrans.emit.load import load
from adtrans.ir.kinds import Array, Scalar
from adtrans.pipeline import compile_function
from tests.texts import compiled

ROOT = Path(__file__).resolve().parents[2]
VECTOR = Array("float64", (None,))


def square(a):
    return a * a


def energy(x, k):
    return np.sum(k * square(np.sin(x)))


def countdown(x, n):
    if n == 0:
        return x
    return countdown(x * x, n - 1)


def test_functions_are_named_after_the_users() -> None:
    c = compile_function(energy, {"x": VECTOR, "k": Scalar("float")}, Options(), wrt=("x",))
    callee = ["square_forward", "square_pullback"]
    assert list(c.functions) == [*callee, "energy_forward", "energy_pullback"]
    assert c.main == ("energy_forward", "energy_pullback")
    tangents = compile_function(
        energy, {"x": VECTOR, "k": Scalar("float")}, Options(), "pushforward", wrt=("x",)
    )
    assert tangents.main == ("energy_pushforward",)


def test_stages_are_what_the_command_line_shows() -> None:
    c = compile_function(energy, {"x": VECTOR}, Options(), wrt=("x",))
    assert list(c.stages) == ["source", "ast", "ir", "needs", "output"]
    assert "square" in c.stages["source"] and c.stages["output"] == c.source


def spread(A):
    return np.sum(np.log(np.abs(np.diag(A))))


def test_what_a_line_needs_is_told_in_the_users_words() -> None:
    c = compile_function(spread, {"A": Array("float64", (None, None))}, Options(), wrt=("A",))
    line = spread.__code__.co_firstlineno + 1
    found = needed(c.facts, line, lambda span: linecache.getline(span.file, span.line))
    assert found == [
        "`np.diag(A)`: the derivative of `np.abs(np.diag(A))` is computed from it",
        "`np.abs(np.diag(A))`: the derivative of `np.log(np.abs(np.diag(A)))` is computed from it",
    ]
    assert [r.text for r in c.report.parts[0].kept if "abs" in r.text] == ["np.abs(np.diag(A))"]
    # the diagonal is as large as its logarithm: no shape is asked for
    assert "broadcast" not in c.source and ".shape" not in c.source.replace("A.shape", "")


def test_recursion_compiles_once() -> None:
    kinds = {"x": Scalar("float"), "n": Scalar("int")}
    c = compile_function(countdown, kinds, Options(), wrt=("x",))
    y, residuals = c.function(0)(1.1, 3)
    assert y == countdown(1.1, 3)
    assert c.function(1)(residuals, 1.0) == pytest.approx(8 * 1.1**7)
    assert c.source.count("def countdown_forward") == 1


def test_all_errors_at_once() -> None:
    def two(x):
        y = np.sin(x)
        a = np.sum(y * y)
        y[0] = 1.0
        b = np.sum(np.roots(x))
        return a + b

    with pytest.raises(CompileError) as caught:
        compile_function(two, {"x": VECTOR}, Options(), wrt=("x",))
    assert [d.code for d in caught.value.diagnostics] == ["AD301", "AD401"]


def test_standalone_text_needs_numpy_only() -> None:
    c = compile_function(energy, {"x": VECTOR, "k": Scalar("float")}, Options(), wrt=("x",))
    text = c.standalone()
    assert "import adtrans" not in text and "from adtrans" not in text
    made = load(text, "standalone", {})
    x = np.array([0.3, -0.7])
    _, residuals = made["energy_forward"](x, 2.0)
    np.testing.assert_allclose(made["energy_pullback"](residuals, 1.0), 2.0 * np.sin(2 * x))


def test_residuals_can_be_pickled() -> None:
    c = compile_function(energy, {"x": VECTOR, "k": Scalar("float")}, Options(), wrt=("x",))
    x = np.array([0.3, -0.7])
    _, residuals = c.function(0)(x, 2.0)
    again = pickle.loads(pickle.dumps(residuals))
    np.testing.assert_array_equal(c.function(1)(residuals, 1.0), c.function(1)(again, 1.0))


SCRIPT = """
import inspect, sys
from tests.corpus import CASES
from adtrans.analyses.kinds import param_kinds
from adtrans.diagnostics.errors import AdtransError
from adtrans.arguments.inputs import target_of
from adtrans.driver.options import Options
from adtrans.pipeline import compile_function
from adtrans.driver.stages import needed
chosen = [c for c in CASES if c.raises is None][:: max(1, len(CASES) // 60)]
for case in chosen[:60]:
    bound = inspect.signature(case.fn).bind(*case.args).arguments
    try:
        wrt = target_of(case.fn).select(case.wrt)
        made = compile_function(case.fn, param_kinds(bound), Options(), wrt=wrt)
        print(case.name, made.source, made.report, sep="\\n")
    except AdtransError as error:
        print(case.name, error, sep="\\n")
"""


def test_hash_order_changes_nothing() -> None:
    texts = []
    for seed in ("0", "4711"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env=env, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert run.returncode == 0, run.stderr
        texts.append(run.stdout)
    assert texts[0].count("_pullback(residuals") >= 20
    assert texts[0] == texts[1]


def test_the_same_twice_in_one_process() -> None:
    names = {"f": energy, "ARGS": (np.array([1.0, 2.0]), 2.0)}
    assert compiled(names).source == compiled(names).source
