"""What is inferred of the results of the samples, and what the rules say about memory, is what
NumPy does: with other ranks, layouts, dtypes, numbers, and without elements.

    python -m tests.rules.test_facts            # all of them
"""

from __future__ import annotations

import copy
import sys
import warnings
from collections import Counter
from typing import Any

import pytest

from adtrans.analyses.kinds import kind_of_expr, param_kinds
from adtrans.ir import expr as E
from adtrans.ir import kinds as K
from tests.analyses.test_kinds_run import symbols_of
from tests.analyses.watch import fits

from .evaluate import Use
from .every import names_of, samples, use_of
from .test_every import CHOSEN
from .test_formulas import environment, run
from .test_sharing import check_result
from .variants import ASPECTS, Variant

SOME = {t for t in CHOSEN[::30] if "ndimage.zoom" not in t}  # which takes most of a minute


def told(text: str, variant: Variant) -> tuple[str, str]:
    """What is wrong with a fact about a variant (if anything), and what is inferred."""
    use = use_of(text)
    if use is None:
        return "", "absent"
    names = list(dict.fromkeys(names_of(text)))
    args = dict(zip(names, copy.deepcopy(variant.args), strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = run(use, args)
        except Exception:  # whatever NumPy raises: the variant does not exist
            return "", "absent"
        kind = kind_of_expr(use.expr, param_kinds(args))
    if not fits(kind, value, symbols_of(args)):
        return f"{kind} is said of {described(value)}", "known"
    try:
        shared(use, args, value)
    except AssertionError as error:
        return str(error), "known"
    return "", "unknown" if kind == K.UNKNOWN else "known"


def shared(use: Use, args: dict[str, Any], value: Any) -> None:
    """Whether the result lies in the memory that the rule tells of."""
    if any(isinstance(e, E.Star) for e in use.bound.values()):
        return
    if use.rule.form not in ("writes", "scatter") and use.rule.expand(use.bound) is None:
        check_result(use, environment(use, args), value)


def described(value: Any) -> str:
    """The type, dtype and shape of a value."""
    if isinstance(value, tuple | list):
        return f"({', '.join(map(described, value))})"
    return f"{type(value).__name__} {getattr(value, 'dtype', '')}{getattr(value, 'shape', '')}"


@pytest.mark.parametrize("text", [
    t if t in SOME else pytest.param(t, marks=pytest.mark.slow) for t in CHOSEN
])  # fmt: skip
def test_facts(text: str) -> None:
    for variant in samples(text, *ASPECTS):
        wrong, _ = told(text, variant)
        assert not wrong, f"{variant.name}: {wrong}"


if __name__ == "__main__":
    part, parts = (int(a) for a in sys.argv[1:3]) if len(sys.argv) > 2 else (0, 1)
    counts: Counter[str] = Counter()
    for text in CHOSEN[part::parts]:
        for variant in samples(text, *ASPECTS):
            wrong, what = told(text, variant)
            counts["wrong" if wrong else what] += 1
            if wrong:
                print(text, "@", variant.name, wrong, flush=True)
            if what == "unknown" and variant.name == "itself" and "axis=axis" not in text:
                print(text, "is unknown", flush=True)
    print(counts)
