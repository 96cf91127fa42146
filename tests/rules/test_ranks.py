"""Every element-wise rule with arrays of ranks 0 to 4 and with operands that broadcast."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import adtrans as ad

from .evaluate import names_of, read
from .samples import ALL, pool
from .test_compiled import NOT_COMPILED, applicable, check, functions, held
from .test_formulas import is_float

POOL = pool()
SHAPES = ((), (2,), (2, 3), (1, 2, 3), (2, 1, 2, 2))
PAIRS = (((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2, 2)), ((1,), (4,)), ((2, 1, 2), (3, 1)))
# they look at ranks themselves, or need one element in all
PARTICULAR = ("math.", "scipy.stats.multivariate_normal", "float(", "max(", "min(", "abs(s")


def elementwise() -> list[str]:
    """The first sample of each element-wise rule whose operands are variables."""
    found: dict[int, str] = {}
    for text in ALL:
        if any(w in text for w in (*NOT_COMPILED, *PARTICULAR)):
            continue
        use = read(text, frozenset(names_of(text)))
        if use is not None and use.rule.form == "elementwise" and use.rule.call != "method":
            found.setdefault(id(use.rule), text)
    return list(found.values())


def resized(value: Any, shape: tuple[int, ...]) -> Any:
    """An array of that shape with the same numbers, over and over."""
    return np.resize(np.asarray(value), shape)


def cases(text: str) -> list[list[Any]]:
    names = list(dict.fromkeys(names_of(text)))
    args = [copy.deepcopy(POOL[n]) for n in names]
    arrays = [k for k, a in enumerate(args) if is_float(a) and not isinstance(a, list)]
    arrays = [k for k in arrays if not held(text, names[k])]
    made = []
    shapes: list[tuple[tuple[int, ...], ...]] = [(s,) * len(arrays) for s in SHAPES]
    if len(arrays) == 2:
        shapes += [*PAIRS, *(p[::-1] for p in PAIRS)]
    for chosen in shapes if arrays else ():
        own = list(args)
        for k, shape in zip(arrays, chosen, strict=True):
            own[k] = resized(args[k], shape)
        made.append(own)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("text", elementwise())
def test_ranks_and_broadcasting(text: str) -> None:
    f = functions()[text]
    names = list(dict.fromkeys(names_of(text)))
    done = 0
    for args in cases(text):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                fits = applicable(f, args)
            except ValueError:
                continue  # of these shapes it makes nothing
            if not fits:
                continue
            check(f, args, frozenset(k for k, n in enumerate(names) if held(text, n)))
            done += 1
    if not done:
        pytest.skip("it takes no arrays")


def test_one_of_them() -> None:
    test_ranks_and_broadcasting("np.hypot(p, g)" if "np.hypot(p, g)" in ALL else elementwise()[0])


def test_factors_of_a_stack_in_a_variable() -> None:
    def f(x):
        factor = scipy.linalg.cho_factor(np.stack([np.eye(2) * 3.0, np.eye(2) * 2.0]) * x[0])
        return np.sum(scipy.linalg.cho_solve(factor, x.reshape(2, 2)))

    with pytest.raises(ad.CompileError) as caught:
        ad.grad(f)(np.array([0.5, 1.2, 0.8, 0.3]))
    assert [d.code for d in caught.value.diagnostics] == ["AD409"]
