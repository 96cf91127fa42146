"""Calls with a list in the place of an array that does not vary: NumPy makes an array of it, and so
do the formulas that calculate with it."""

from __future__ import annotations

import re

import numpy as np
import pytest
import scipy.stats as st

import adtrans as ad
from adtrans.testing import check_grads

from .evaluate import names_of
from .samples import ALL
from .test_compiled import NOT_COMPILED, POOL, held, written

X = np.array([0.3, 0.9, 1.2])
CHOSEN = (
    "np.power(p, v)", "np.arctan2(v, w)", "np.linalg.multi_dot([v, q, n])",
    "scipy.special.betainc(p, g, u)", "scipy.spatial.distance.cdist(m, m2)",
    "scipy.spatial.distance.cosine(v, w)", "scipy.stats.binom.logpmf(ints, 5, u)",
    "np.dot(m, n)", "np.cross(a3, b3)", "np.hypot(v, w)",
)  # fmt: skip


def with_lists() -> list[tuple[str, str, str]]:
    """Samples, each of their arrays written as a list, and another that varies."""
    found = []
    for text in CHOSEN:
        names = [n for n in dict.fromkeys(names_of(text)) if isinstance(POOL.get(n), np.ndarray)]
        for listed in names:
            varies = [n for n in names if n != listed and POOL[n].dtype == float]
            varies = [n for n in varies if not held(text, n)]
            found += [(text, listed, n) for n in varies]
    return found


@pytest.mark.parametrize(("text", "listed", "name"), with_lists())
def test_a_list_is_an_array(text: str, listed: str, name: str) -> None:
    assert text in ALL and not any(w in text for w in NOT_COMPILED)
    items = repr(POOL[listed].tolist())
    other = re.sub(rf"(?<![\w.]){listed}(?![\w(=])", items, text)
    found = []
    for t, f in written([text, other], "adtrans_lists").items():
        args = [POOL[n] for n in dict.fromkeys(names_of(t)) if n in POOL]
        y, pull = ad.vjp(f, *args, wrt=name)
        found.append((y, pull(y), ad.jvp(f, args, (POOL[name],), wrt=name)[1]))
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


COUNTS = [1, 2, 4]


def of_a_display(x):
    return np.sum(st.binom.logpmf([1, 2, 4], 5, x / 2) + st.poisson.logpmf((1, 2, 4), x))


def of_a_global(x):
    return np.sum(st.poisson.logpmf(COUNTS, x) * x)


def of_a_list_that_grew(x):
    k = [1, 2]
    k.append(4)
    return np.sum(st.geom.logpmf(k, x / 2) + st.norm.logpdf(x, k, [1.0, 2.0, 3.0]))


@pytest.mark.parametrize("f", [of_a_display, of_a_global, of_a_list_that_grew])
def test_distributions_of_lists(f) -> None:
    check_grads(f, (X,))


@pytest.mark.parametrize("k", [[1, 2, 4], (1, 2, 4)])
def test_distributions_of_an_argument(k) -> None:
    check_grads(lambda x, k: np.sum(st.poisson.logpmf(k, x)), (X, k), wrt="x")
