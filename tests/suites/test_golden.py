"""The whole text of typical derivatives, so that a change of what users read is seen.

When a text changes on purpose, read the new one, then put it into the file in `tests/golden`
(a failing test shows it in full).
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adtrans.emit.load import load
from adtrans.testing.numerical import finite_difference_vjp
from tests.texts import Text, compiled, read

FILES = sorted((Path(__file__).parents[1] / "golden").glob("*.txt"))
EVERY = [pytest.param(read(path), id=path.stem) for path in FILES]


@pytest.mark.parametrize("text", EVERY)
def test_text(text: Text) -> None:
    assert compiled(text.run()).source == text.expected


@pytest.mark.parametrize("text", EVERY)
def test_the_text_computes_the_derivative(text: Text) -> None:
    """The text in the file is executed: the value bit for bit, the gradient by differences."""
    names = text.run()
    made = load(text.expected, text.name, compiled(names).module.globals)
    forward, pullback = made["f_forward"], made["f_pullback"]
    value, residuals = forward(*copy.deepcopy(names["ARGS"]))
    np.testing.assert_array_equal(value, names["f"](*copy.deepcopy(names["ARGS"])))
    found = as_tuple(pullback(residuals, 1.0))
    for a, b in zip(found, as_tuple(pullback(residuals, 1.0)), strict=True):
        np.testing.assert_array_equal(a, b)
    params = list(names["f"].__code__.co_varnames)
    wrt = tuple(params.index(n) for n in names.get("WRT", (params[0],)))
    expected = finite_difference_vjp(names["f"], names["ARGS"], 1.0, wrt)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-7, atol=1e-8)


def as_tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
