"""Parameters of which only `np.ndarray` is said: what depends on the number of axes is no error."""

from __future__ import annotations

import json

import pytest

from adtrans.cli.main import main

PROGRAM = """\
import numpy as np


def squares(u: np.ndarray):
    z = u * u
    z[1:] += u[:-1] / u[1:]
    return z.sum()


def of_its_shape(x: np.ndarray):
    y = np.zeros(x.shape)
    y[:] = x
    return y.sum()


def products(x: np.ndarray, w: np.ndarray):
    return (x @ w).reshape(-1).sum()


def rows_or_numbers(y: np.ndarray):
    y = y.copy()
    for i in range(1, len(y)):
        y[i] = y[i] * y[i - 1]
    return np.sum(y)


def wrong_for_all(u: np.ndarray):
    u = u.copy()
    z = u * u
    u[0] = 0.0
    return z.sum() + u.sum()
"""


@pytest.mark.parametrize(
    ("types", "wanted"),
    [
        ((), ["accepted", "unclear", "unclear", "unclear", "refused"]),
        (
            ("--types", "x=float64[:,:],w=float64[:],y=float64[:]"),
            ["accepted"] * 4 + ["refused"],
        ),
    ],
)
def test_what_depends_on_the_number_of_axes_is_unclear(tmp_path, capsys, types, wanted):
    path = tmp_path / "some.py"
    path.write_text(PROGRAM)
    assert main(["check", str(path), *types, "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["functions"]
    assert [f["status"] for f in found] == wanted
    assert [d["code"] for d in found[-1]["diagnostics"]] == ["AD301"]
    if not types:
        assert found[2]["missing"] == ["x", "w"]
