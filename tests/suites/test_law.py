"""The law: the derivative of what Python computes, or a clear error; never a third outcome.

Each program is checked in both modes, by its first argument and by all of them, without and with
cotangents for what it leaves in its arguments: value, effects, gradients, a second pullback.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
import io
import warnings

import numpy as np
import pytest

from adtrans.diagnostics.errors import AdtransError, MutationError
from adtrans.testing import check_grads
from tests.law import broadcasts, callees, control, expressions, views
from tests.law.case import Program

EVERY = [
    pytest.param(program, id=f"{room.__name__.rpartition('.')[2]}-{program.fn.__name__}")
    for room in (views, broadcasts, expressions, control, callees)
    for program in room.PROGRAMS
]


def left_in_arguments(program: Program) -> tuple[str, ...]:
    """The parameters whose floating-point arrays the program changes."""
    args = copy.deepcopy(program.args)
    with np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
        program.fn(*args)
    names = inspect.signature(program.fn).parameters
    return tuple(
        name
        for name, before, after in zip(names, program.args, args, strict=False)
        if isinstance(before, np.ndarray) and before.tobytes() != after.tobytes()
    )


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("program", EVERY)
def test_derivative_or_clear_error(program: Program, mode: str) -> None:
    changed = left_in_arguments(program)
    for wrt in sorted({(0,), program.active}):
        for final in sorted({(), changed}):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    check_grads(program.fn, program.args, wrt=wrt, final=final, on_overwrite=mode)
            except MutationError:
                assert mode in program.may_refuse
            except AdtransError as error:
                codes = {d.code for d in error.diagnostics}
                assert codes and "AD901" not in codes, str(error)
                assert mode in program.may_refuse, str(error)
