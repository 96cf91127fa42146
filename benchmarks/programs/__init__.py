"""The programs of the benchmark, each in a file of its own."""

from __future__ import annotations

from benchmarks.programs import (
    garch,
    history,
    linear_stencil,
    mixture,
    mlp,
    nonlinear_stencil,
    saved_stencil,
    thomas,
)

PROGRAMS = (
    linear_stencil.PROGRAM,
    nonlinear_stencil.PROGRAM,
    saved_stencil.PROGRAM,
    history.PROGRAM,
    garch.PROGRAM,
    thomas.PROGRAM,
    mlp.PROGRAM,
    mixture.PROGRAM,
)
