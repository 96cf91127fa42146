"""Every fact that the kinds state, held against real runs of many programs."""

from __future__ import annotations

import contextlib
import copy
import inspect
import io
import warnings
from typing import Any

import numpy as np
import pytest

from adtrans.analyses.kinds import infer, param_kinds
from adtrans.analyses.webs import webs
from adtrans.diagnostics.errors import CompileError
from adtrans.lower import lower
from adtrans.source import get_source
from tests.corpus import CASES as CORPUS
from tests.interpreter import _outer
from tests.lower.programs import PROGRAMS

from .watch import Refuted, Watch


def symbols_of(args: dict[str, Any]) -> dict[str, int]:
    """The numbers that the symbols of the parameters stand for."""
    found: dict[str, int] = {}

    def visit(value: Any, path: str) -> None:
        if type(value) is int:
            found[path] = value
        elif type(value) is np.ndarray:
            found.update((f"{path}.shape[{n}]", size) for n, size in enumerate(value.shape))
        elif isinstance(value, tuple | list | dict):
            items = value.items() if isinstance(value, dict) else enumerate(value)
            for n, item in items:
                visit(item, f"{path}[{n!r}]")

    for name, value in args.items():
        visit(value, name)
    return found


def watch(fn: Any, args: tuple[Any, ...]) -> Watch | None:
    """Runs `fn` under watch; None where it cannot be lowered or its call does not fit."""
    try:
        source = get_source(fn)
        lowered = webs(lower(source))
    except CompileError:
        return None
    given = (*source.bound_args, *copy.deepcopy(args))
    try:
        bound = inspect.signature(source.fn).bind(*given)
    except TypeError:
        return None
    bound.apply_defaults()
    arguments = dict(bound.arguments)
    kinds = infer(lowered, param_kinds(arguments))
    env = {**dict(_outer(source.fn)), **arguments}
    run = Watch(env, lowered, kinds, symbols_of(arguments))
    quiet = contextlib.redirect_stdout(io.StringIO())
    with quiet, warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            run.run()
        except Refuted:
            raise
        except Exception:  # the program raises by itself: what ran until then was checked
            return run
    return run


PAIRS = [(f"{f.__name__}-{n}", f, args) for f, many in PROGRAMS for n, args in enumerate(many)]
# Attributes that are assigned become variables before kinds are inferred (`analyses.objects`).
PAIRS += [(case.name, case.fn, case.args) for case in CORPUS if case.group != "objects"]
# So is `setdefault`, which is a test and a write (`analyses.listing`).
PAIRS = [pair for pair in PAIRS if pair[0] != "nests-groups_by_setdefault"]


@pytest.mark.parametrize(("fn", "args"), [p[1:] for p in PAIRS], ids=[p[0] for p in PAIRS])
def test_all_claims_hold(fn: Any, args: tuple[Any, ...]) -> None:
    watch(fn, args)


def test_the_watch_sees_something() -> None:
    seen = [run for _, fn, args in PAIRS[::3] if (run := watch(fn, args)) is not None]
    assert sum(run.checked for run in seen) > 1000
    assert sum(run.apart for run in seen) > 50


@pytest.mark.parametrize("pair", [(0.5, 3.25), (3.25, 0.5), (2.0, 2.0), (0.0, 1.0)])
def test_numbers_may_differ(pair: tuple[float, float]) -> None:
    """How many there are of several depends on how many are equal."""

    def sets(a: Any, b: Any) -> Any:
        return np.union1d(a, b), np.unique([a, b]), np.setdiff1d(a, b), np.setxor1d(a, b)

    run = watch(sets, pair)
    assert run is not None and run.checked > 0


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7])
def test_odd_sizes(n: int) -> None:
    def stencil(u: Any, w: Any, k: int) -> Any:
        v = u[1:-1] + w[: len(u) - 2]
        a = u[k:]
        b = u[-k:] if k else u
        c = np.concatenate([u, v])
        d = np.diff(u)
        e = u[None, :] * v[:, None]
        f = u[::-1] + u[:]
        h = e.T.reshape(-1)
        return v, a, b, c, d, e, f, h, u[: k + 1], u[:k][1:], np.zeros((n, 3))[1:, 0]

    for k in range(-2, 4):
        run = watch(stencil, (np.arange(float(n)), np.arange(float(n)), k))
        assert run is not None
        assert run.checked > 0 or n == 0
