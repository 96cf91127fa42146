"""The second derivative of every rule, forward over reverse: right, or refused; the refused are
listed, so that the list only gets shorter.

    python -m tests.rules.test_second_order_of_all     # prints what is refused now
"""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.emit.load import load

from .test_compiled import floats, functions
from .test_formulas import close, is_float, like, moved
from .test_variations import TEXTS, prepared, seeds

REFUSED = frozenset((
    "np.split(v, 2)",
    "np.array_split(z, 2)",
    "np.hsplit(m, 2)",
    "np.dsplit(t, 2)",
    "np.linalg.lstsq(n, v, None)",
    "np.linalg.multi_dot([v, q, n])",
    "np.linalg.tensorsolve(cube, m)",
    "np.linalg.tensorinv(cube)",
    "scipy.special.zeta(g, p)",
    "scipy.special.ber(p)",
    "scipy.special.bei(p)",
    "scipy.special.ker(p)",
    "scipy.special.kei(p)",
    "scipy.special.spherical_jn(2, p)",
    "scipy.special.spherical_yn(2, p)",
    "scipy.special.spherical_in(2, p)",
    "scipy.special.spherical_kn(2, p)",
    "scipy.special.ellipk(u)",
    "scipy.special.ellipkm1(u)",
    "scipy.special.ellipe(u)",
    "scipy.special.ellipkinc(v, u)",
    "scipy.special.ellipeinc(v, u)",
    "scipy.special.elliprf(p, g, u)",
    "scipy.linalg.solve_banded((1, 1), e5, z)",
    "scipy.linalg.lstsq(n, v)",
    "scipy.linalg.lu_solve((q2, swaps), v)",
    "scipy.linalg.eigvalsh(q)",
    "scipy.stats.multivariate_normal.logpdf(v, w, q)",
    "scipy.stats.multivariate_normal.pdf(m, w, q)",
    "scipy.signal.lfilter(a3, g, z)",
    "scipy.signal.sosfilt(sos, z)",
    "scipy.ndimage.correlate(v, a3)",
    "scipy.ndimage.convolve(v, a3)",
    "scipy.spatial.distance.squareform(a3)",
    "scipy.ndimage.correlate1d(v, a3)",
    "scipy.ndimage.convolve1d(v, a3)",
    "scipy.ndimage.map_coordinates(v, spots, order=1)",
    "scipy.signal.upfirdn(a3, v)",
    "scipy.signal.filtfilt(a3p, big3, long)",
    "scipy.signal.sosfiltfilt(sos, long)",
    "np.quantile(z, quarter)",
    "np.percentile(z, pct)",
    "np.corrcoef(m)",
    "np.block([[m, r], [v, s]])",
))  # fmt: skip
"""Rules without a second derivative: their helpers are more than adtrans follows."""


def second_order(text: str) -> tuple[Any, Any]:
    """The derivative of the gradient along fixed directions, and the same by differences."""
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
        directions = tuple(like(args[k], np.random.default_rng(k)) for k in active)
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
@pytest.mark.parametrize("text", TEXTS)
def test_second_derivative(text: str) -> None:
    if text in REFUSED:
        with pytest.raises((ad.CompileError, ad.InputError)):
            second_order(text)
        return
    found, expected = second_order(text)
    for got, by_differences in zip(found, expected, strict=True):
        for g, e in zip(np.ravel(got), np.ravel(by_differences), strict=True):
            assert not np.isfinite(e) or close(float(g), float(e), 1e-4), f"{g} for {e}"


def test_most_rules_have_a_second_derivative() -> None:
    assert set(TEXTS) >= REFUSED and len(REFUSED) < 0.1 * len(TEXTS)
    assert floats((1.0, 2)) == [1.0, 0.0]


if __name__ == "__main__":
    for sample in TEXTS:
        try:
            second_order(sample)
        except pytest.skip.Exception:
            continue
        except (ad.CompileError, ad.InputError):
            print(f'    "{sample}",')
