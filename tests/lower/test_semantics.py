"""Lowered functions mean what Python means: value, prints, exceptions, writes, order of effects."""

from __future__ import annotations

import contextlib
import copy
import io
from typing import Any

import numpy as np
import pytest

from adtrans.lower import lower
from adtrans.source import get_source
from tests.interpreter import execute
from tests.lower.programs import PROGRAMS, log


def observe(call: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """All that a caller can see of a call: result or exception, prints, log, arguments after it."""
    args = copy.deepcopy(args)
    log.clear()
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            result: Any = ("value", call(*args))
        except Exception as error:  # any exception is part of what is compared
            result = ("error", type(error), str(error))
    return plain(result), out.getvalue(), plain(list(log)), plain(args)


def plain(value: Any) -> Any:
    """`value` so that `==` compares it with types, dtypes and shapes."""
    if isinstance(value, np.ndarray | np.generic):
        return type(value).__name__, str(value.dtype), value.shape, value.tolist()
    if isinstance(value, tuple | list):
        return type(value).__name__, [plain(v) for v in value]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, int | float):
        return type(value).__name__, value
    return value


CASES = [(f, args) for f, many in PROGRAMS for args in many]


@pytest.mark.parametrize(
    ("fn", "args"), CASES, ids=[f"{f.__name__}-{k}" for k, (f, _) in enumerate(CASES)]
)
def test_the_same_as_python(fn: Any, args: tuple[Any, ...]) -> None:
    source = get_source(fn)
    lowered = lower(source)

    def interpreted(*given: Any) -> Any:
        return execute(lowered, source.fn, *source.bound_args, *given)

    expected = observe(fn, args)
    actual = observe(interpreted, args)
    if expected[0][1][0] == "error" and "unpack" in str(expected[0]):
        assert "unpack" in str(actual[0])
    else:
        assert actual == expected
