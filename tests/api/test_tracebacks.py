"""Exceptions of the primal pass through: same type, same message; the user's lines are shown."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import traceback
from pathlib import Path

import numpy as np
import pytest

import adtrans as ad
from adtrans.dispatch.tracebacks import matching_lines

X = np.array([1.0, 2.0, 3.0])


class Mine(Exception):
    """An exception of the user's."""


def helper(y, n):
    z = y * 2.0
    z[n] = 1.0  # line: helper
    return z


def indexes(x, n):
    y = x * x
    for _ in range(2):
        y = helper(y, n)  # line: call
    return np.sum(y)


def raises(x, n):
    if n > 3:
        raise Mine(  # line: raise
            "no", n
        )
    return np.sum(x * x)


def multiplies(x, n):
    y = np.sin(x) @ np.ones(n)  # line: product
    z = y * y
    return np.sum(z) * np.cos(y)


def asserts(x, n):
    y = x * x
    assert n < 3, f"n is {n}"  # line: assert
    return np.sum(y)


def converts(x, n):
    w = float([n])  # line: float
    return np.sum(x) * w


def decides(x, n):
    y = np.tanh(x)
    if np.sum(y * y, axis=n) > 0.5:  # line: condition
        y = y * 2.0
    return np.sum(y)


def marked(mark: str) -> int:
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith(f"# line: {mark}"))


CASES = [
    (indexes, 7, ["call", "helper"]),
    (raises, 5, ["raise"]),
    (multiplies, 5, ["product"]),
    (asserts, 5, ["assert"]),
    (converts, 5, ["float"]),
    (decides, 5, ["condition"]),
]
CALLS = {
    "grad": lambda f, n: ad.grad(f)(X, n),
    "value_and_grad": lambda f, n: ad.value_and_grad(f)(X, n),
    "vjp": lambda f, n: ad.vjp(f, X, n),
    "jvp": lambda f, n: ad.jvp(f, (X, n), (X, None)),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(("f", "n", "marks"), CASES, ids=[c[0].__name__ for c in CASES])
def test_type_message_and_lines(f, n, marks, call):
    with pytest.raises(Exception) as primal:  # whatever it is
        f(X, n)
    with pytest.raises(type(primal.value)) as caught:
        call(f, n)
    assert type(caught.value) is type(primal.value)
    if f is not asserts:  # of which pytest changes the message here
        assert caught.value.args == primal.value.args
    assert caught.value.__cause__ is None
    frames = traceback.extract_tb(caught.value.__traceback__)
    users = [e.lineno for e in frames if e.filename == __file__ and e.name != "<lambda>"]
    expected = [marked(mark) for mark in marks]
    assert users[1:] == expected  # the first is this function


def test_the_generated_lines_are_shown_too():
    with pytest.raises(IndexError) as caught:
        ad.grad(indexes)(X, 7)
    shown = "".join(traceback.format_tb(caught.value.__traceback__))
    assert "in helper_forward" in shown and "in helper\n" in shown
    assert shown.index("in helper_forward") < shown.index("in helper\n")


def test_a_lambda():
    f = lambda x, n: np.sum(x[n] * x)  # noqa: E731  # line: lambda
    with pytest.raises(IndexError) as caught:
        ad.grad(f)(X, 9)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].lineno == marked("lambda")


def test_an_exception_leaves_nothing_behind():
    g = ad.grad(raises)
    with pytest.raises(Mine):
        g(X, 5)
    np.testing.assert_array_equal(g(X, 1), 2.0 * X)
    with pytest.raises(Mine) as again:
        g(X, 4)
    assert again.value.args == ("no", 4)


def test_what_the_interpreter_prints(tmp_path):
    script = tmp_path / "broken.py"
    script.write_text(
        "import numpy as np\n"
        "import adtrans as ad\n"
        "def f(x):\n"
        "    y = x * x\n"
        "    y[5] = 1.0\n"
        "    return np.sum(y)\n"
        "ad.grad(f)(np.ones(3))\n",
        encoding="utf-8",
    )
    root = str(Path(__file__).resolve().parents[2])
    ran = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": root},
    )  # fmt: skip
    assert ran.returncode == 1
    *_, place, line, message = ran.stderr.rstrip().splitlines()
    assert place == f'  File "{script}", line 5, in f'
    assert line.strip() == "y[5] = 1.0"
    assert message == "IndexError: index 5 is out of bounds for axis 0 with size 3"


def test_a_part_belongs_to_the_statement_that_it_is_part_of():
    written = "def f(x):\n    y = np.sin(x) * x\n    z = np.sin(x) * y\n    return z\n"
    made = "def g(x):\n    t = np.sin(x)\n    y = t * x\n    z = t * y\n    return z, (t,)\n"
    assert matching_lines(written, made) == {2: 2, 3: 2, 4: 3, 5: 4}


def test_lines_that_cannot_be_told_are_not_shown():
    written = "def f(x):\n    y = np.sin(x) * x\n    z = np.sin(x) * y\n    return z\n"
    made = "def g(x):\n    t = np.sin(x)\n    u = h(t, x)\n    v = h(t, u)\n    return v, (t,)\n"
    assert matching_lines(written, made) == {}


def with_inner_functions(x, n):
    double = lambda v: v * np.ones(n) @ x  # noqa: E731  # line: inner
    y = double(x[0])  # line: use
    return sum(v * y for v in x)


def with_a_long_text(x, n):
    """A text that is
  indented less than the code."""
    s = """a
b"""
    if len(s) > 1:
        y = x[0] * math.log(x[1] - n)  # line: log
    return y * x[2]


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(
    ("f", "marks"),
    [(with_inner_functions, ["use", "inner"]), (with_a_long_text, ["log"])],
)
def test_inner_functions_and_texts(f, marks, call):
    with pytest.raises(ValueError) as caught:
        call(f, 5)
    frames = traceback.extract_tb(caught.value.__traceback__)
    users = [e.lineno for e in frames if e.filename == __file__]
    assert users[-len(marks) :] == [marked(mark) for mark in marks]
