"""Algorithms in place are accepted as they stand: nothing is copied, nothing is checked."""

from __future__ import annotations

import inspect

import pytest

from adtrans.analyses.kinds import param_kinds
from adtrans.arguments.inputs import target_of
from adtrans.driver.options import Options
from adtrans.pipeline import compile_function
from tests.corpus import Case
from tests.corpus.inplace import CASES

FREE = {"safe", "by value", "renamed", "recomputed"}


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_nothing_is_copied_or_checked(case: Case) -> None:
    bound = inspect.signature(case.fn).bind(*case.args).arguments
    wrt = target_of(case.fn).select(case.wrt)
    options = Options(on_unproven="refuse")
    compiled = compile_function(case.fn, param_kinds(bound), options, wrt=wrt)
    assert {w.verdict for w in compiled.report.writes} <= FREE
