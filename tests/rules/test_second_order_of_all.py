"""The second derivative of every rule, forward over reverse: right, or refused; the refused are
listed, so that the list only gets shorter.

    python -m tests.rules.test_second_order_of_all     # prints what is refused now
"""

from __future__ import annotations

import copy
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.emit.load import load

from .samples import ALL
from .test_compiled import floats, functions
from .test_formulas import close, is_float, like, moved
from .test_variations import TEXTS, prepared, seeds

REFUSED: dict[str, str] = {}
"""Rules without a second derivative, and why; `docs/rules.md` lists them."""


FURTHER = (
    "np.einsum('...ij,...jk->...ik', t, n)", "np.einsum('ii->i', q)", "np.einsum('ii->', q)",
    "np.einsum('...i,...i', m, v)", "np.einsum('ij,ij->ij', m, r)",
    "np.pad(v, 2, mode='edge')", "np.pad(m, 1, 'reflect')", "np.pad(v, 2, mode='mean')",
    "np.pad(v, 2, 'maximum')", "np.pad(m, 1, 'median')", "np.pad(v, (1, 3), mode='linear_ramp')",
    "np.pad(v, 2, 'mean', stat_length=2)", "np.pad(v, 3, 'reflect', reflect_type='odd')",
    "np.quantile(m, qs3, axis=0, keepdims=True)", "np.quantile(z, quarter, method='weibull')",
    "np.gradient(v, xs)", "np.gradient(m, xs, axis=1)", "np.gradient(n, xs, axis=0, edge_order=2)",
    "np.quantile(m, qs3, axis=1, weights=p, method='inverted_cdf')",
    "np.linalg.pinv(q, hermitian=True)", "np.linalg.svd(qs, compute_uv=False, hermitian=True)",
    "np.matmul(t, n, axes=[(0, 2), (0, 1), (2, 0)])",
)  # fmt: skip
"""Other forms of these functions, whose formulas are others."""


TWICE_BACKWARDS = (
    "np.linalg.lstsq(n, v, None)", "np.linalg.multi_dot([v, q, n])",
    "np.linalg.tensorsolve(cube, m)", "scipy.special.ber(p)", "scipy.special.spherical_jn(2, p)",
    "scipy.special.ellipk(u)", "scipy.linalg.lu_solve((q2, swaps), v)",
    "scipy.linalg.eigvalsh(q)", "scipy.stats.multivariate_normal.logpdf(v, w, q)",
    "scipy.signal.lfilter(a3, g, z)", "scipy.ndimage.convolve(v, a3)",
    "scipy.ndimage.correlate1d(v, a3)", "scipy.spatial.distance.squareform(a3)",
    "np.corrcoef(m)", "np.quantile(z, quarter)", "np.gradient(v, xs)", "np.pad(m, 1, 'median')",
    "np.einsum('...ij,...jk->...ik', t, n)", "np.gradient(n, xs, axis=0, edge_order=2)",
)  # fmt: skip
"""Those whose helpers have rules of their own: these are also tried in reverse over reverse."""


def weighted(text: str) -> tuple[Any, list[Any], tuple[int, ...], tuple[Any, ...]]:
    """A number that a call gives; its arguments, those that vary, and a direction for these."""
    _, args, active = prepared(text)
    f = functions()[text]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        value = f(*copy.deepcopy(args))
        parts = value if isinstance(value, tuple | list) else [value]
        chosen = [k for k, p in enumerate(parts) if is_float(p) or isinstance(p, np.floating)]
        weights = {f"w{k}": seeds(parts[k], np.random.default_rng(k)) for k in chosen}
        names = ", ".join(f"a{k}" for k in range(len(args)))
        several = isinstance(value, tuple | list)
        terms = [f"np.sum({f'y[{k}]' if several else 'y'} * w{k})" for k in chosen]
        source = f"def total({names}):\n    y = f({names})\n    return {' + '.join(terms)}\n"
        total = load(source, "total", {"np": np, "f": f, **weights})["total"]
    return total, args, active, tuple(like(args[k], np.random.default_rng(k)) for k in active)


def second_order(text: str) -> tuple[Any, Any]:
    """The derivative of the gradient along fixed directions, and the same by differences."""
    total, args, active, directions = weighted(text)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        gradient = ad.grad(total, wrt=active)
        found = ad.jvp(gradient, tuple(args), directions, wrt=active)[1]

        def central(h: float) -> list[Any]:
            ends = []
            for step in (h, -h):
                other = list(args)
                for k, d in zip(active, directions, strict=True):
                    other[k] = moved(args[k], d, step)
                ends.append(gradient(*other))
            return [(np.asarray(a) - np.asarray(b)) / (2 * h) for a, b in zip(*ends, strict=True)]

        coarse, fine = central(2e-4), central(1e-4)
    return found, [(4 * e - c) / 3 for c, e in zip(coarse, fine, strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize("text", [*TEXTS, *FURTHER])
def test_second_derivative(text: str) -> None:
    if text in REFUSED:
        with pytest.raises(ad.CompileError):
            second_order(text)
        return
    found, expected = second_order(text)
    for got, by_differences in zip(found, expected, strict=True):
        for g, e in zip(np.ravel(got), np.ravel(by_differences), strict=True):
            assert not np.isfinite(e) or close(float(g), float(e), 1e-4), f"{g} for {e}"


@pytest.mark.slow
@pytest.mark.parametrize("text", TWICE_BACKWARDS)
def test_reverse_over_reverse(text: str) -> None:
    """The second derivatives of a number are symmetric: both ways give the same."""
    total, args, active, directions = weighted(text)
    names = ", ".join(f"a{k}" for k in range(len(args)))
    terms = " + ".join(f"np.sum(g[{i}] * d[{i}])" for i in range(len(active)))
    scope = {"np": np, "d": directions, "gradient": ad.grad(total, wrt=active)}
    source = f"def along({names}):\n    g = gradient({names})\n    return {terms}\n"
    along = load(source, "along", scope)["along"]
    backwards = ad.grad(along, wrt=active)(*args)
    forwards = ad.jvp(scope["gradient"], tuple(args), directions, wrt=active)[1]
    for b, f in zip(backwards, forwards, strict=True):
        np.testing.assert_allclose(b, f, rtol=1e-7, atol=1e-9)


def test_most_rules_have_a_second_derivative() -> None:
    assert set(TEXTS) >= set(REFUSED) and set(ALL) >= {*FURTHER, *TWICE_BACKWARDS}
    assert len(REFUSED) < 0.02 * len(TEXTS)
    assert floats((1.0, 2)) == [1.0, 0.0]


def test_the_documents_list_those_that_have_none() -> None:
    text = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
    part = text.split("## Second derivatives")[1].split("\n## ")[0]
    named = set(re.findall(r"`(\w+)`", part))
    assert {t.partition("(")[0].rpartition(".")[2] for t in REFUSED} <= named


if __name__ == "__main__":
    for sample in TEXTS:
        try:
            second_order(sample)
        except pytest.skip.Exception:
            continue
        except (ad.CompileError, ad.InputError):
            print(f'    "{sample}",')
