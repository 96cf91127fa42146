"""Every program of the corpus: its fate, its derivatives both ways, the verdicts of its writes."""

from __future__ import annotations

import copy
import inspect
import linecache
import zlib
from typing import Any

import numpy as np
import pytest

from adtrans.api.differentiable import vjp
from adtrans.diagnostics.errors import AdtransError, CompileError, DerivativeError, MutationError
from adtrans.driver.options import Options
from adtrans.testing import check_grads
from tests.corpus import CASES, Case
from tests.corpus.ways import WAYS

EVERY = [pytest.param(case, id=case.name) for case in CASES]
OVERWRITTEN = [
    pytest.param(case, id=case.name)
    for case in CASES
    if "ok" in case.save.split("/") and case.default.startswith(("AD30", "ok/AD301"))
]
WITH_VERDICTS = [pytest.param(case, id=case.name) for case in CASES if case.verdicts]


def way(case: Case, mode: str = "save") -> dict[str, Any]:
    """The options for a program: one that is recorded is not refused for that."""
    expected = (case.default if mode == "refuse" else case.save).split("/")
    right = WAYS.get(case.name) == "recorded" and "ok" in expected
    return {"on_unfollowed": "record" if right else "refuse", **case.options}


def differentiate(case: Case, mode: str) -> str:
    """ "ok" or the code of the error that `vjp` (or its pullback) gives for the case."""
    args = copy.deepcopy(case.args)
    wrt = case.wrt if isinstance(case.wrt, tuple) else (case.wrt,)
    try:
        with np.errstate(all="ignore"):
            vjp(case.fn, *args, wrt=wrt, on_overwrite=mode, **way(case, mode))
    except MutationError:
        return "MutationError"
    except DerivativeError:  # of a check at run time, like `MutationError`; the case says so
        raise
    except AdtransError as error:
        codes = [d.code for d in error.diagnostics if d.severity == "error"]
        assert codes, f"an error without a diagnostic: {error!r}"
        assert all(d.primary.span.line >= 1 for d in error.diagnostics)
        assert codes[0] in str(error)
        return codes[0]
    return "ok"


def in_save_mode(case: Case) -> Any:
    """A quarter of those that are accepted by default, where copies change next to nothing."""
    left = case.default == case.save == "ok" and zlib.crc32(case.name.encode()) % 4
    marks = [pytest.mark.slow] if left else []
    return pytest.param(case, "save", id=f"{case.name}-save", marks=marks)


BY_DEFAULT = [pytest.param(c, "refuse", id=f"{c.name}-refuse") for c in CASES]


@pytest.mark.parametrize(("case", "mode"), [*BY_DEFAULT, *map(in_save_mode, CASES)])
def test_fate(case: Case, mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    if case.raises is not None:
        with pytest.raises(case.raises):
            differentiate(case, mode)
        return
    expected = (case.default if mode == "refuse" else case.save).split("/")
    found = differentiate(case, mode)
    assert found in expected
    if mode == "refuse" and WAYS.get(case.name) == "compiled":
        assert found == "ok", "it was compiled before"
    if found == "ok":
        check_grads(
            case.fn,
            case.args,
            wrt=case.wrt,
            final=case.final,
            on_overwrite=mode,
            **case.steps,
            **way(case, mode),
        )


MUTATION = ("AD301", "AD302", "AD303", "AD304", "AD305", "AD307")


@pytest.mark.parametrize("case", [p for p in EVERY if "AD30" in p.values[0].default])
def test_what_is_refused_only_for_a_mutation_compiles_in_save_mode(case: Case) -> None:
    wrt = case.wrt if isinstance(case.wrt, tuple) else (case.wrt,)
    try:
        vjp(case.fn, *copy.deepcopy(case.args), wrt=wrt, **case.options)
    except CompileError as error:
        codes = {d.code for d in error.diagnostics}
        copies = all(any("save" in f.text for f in d.fixes) for d in error.diagnostics)
        if codes <= set(MUTATION) and copies:
            assert differentiate(case, "save") == "ok"
    except MutationError:
        pass


@pytest.mark.parametrize("case", OVERWRITTEN)
def test_forward_mode_refuses_no_mutation(case: Case) -> None:
    check_grads(case.fn, case.args, wrt=case.wrt, modes=("forward",), **way(case))


@pytest.mark.parametrize("case", WITH_VERDICTS)
def test_verdicts(case: Case) -> None:
    from adtrans.analyses.kinds import param_kinds
    from adtrans.arguments.inputs import target_of
    from adtrans.pipeline import compile_function

    wrt = target_of(case.fn).select(case.wrt)
    bound = inspect.signature(case.fn).bind(*case.args).arguments
    found: dict[str, list[str]] = {piece: [] for piece in case.verdicts}
    try:
        compiled = compile_function(case.fn, param_kinds(bound), Options(), wrt=wrt)
    except CompileError as error:
        for diagnostic in error.diagnostics:
            record(found, diagnostic.primary.span, "refused")
    else:
        for write in compiled.report.writes:
            record(found, write.span, write.verdict)
    for piece, allowed in case.verdicts.items():
        assert found[piece], f"no verdict for the line with `{piece}`"
        assert set(found[piece]) <= set(allowed.split("/")), (piece, found[piece])


def record(found: dict[str, list[str]], span, verdict: str) -> None:
    line = linecache.getline(span.file, span.line)
    for piece, verdicts in found.items():
        if piece in line:
            verdicts.append(verdict)


def test_names_are_unique_and_rows_present() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
    rows = {case.row for case in CASES}
    wanted = {*range(1, 21), *range(25, 30), 31, 38, 39, 42, 44, 48, 50, 51, 55, 56, *range(66, 71)}
    assert {str(row) for row in wanted} <= rows
