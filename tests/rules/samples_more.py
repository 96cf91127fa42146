"""Further calls: keywords of reductions, statistics, selection, polynomials, methods of ufuncs."""

from __future__ import annotations

import numpy as np


def pool() -> dict[str, object]:
    """The variables that only these samples need."""
    rng = np.random.default_rng(23)
    holes = rng.normal(size=(3, 4))
    holes[0, 1] = holes[2, 3] = np.nan
    t4 = rng.normal(size=(2, 3, 2, 3))
    return {
        "holes": holes, "hv": np.array([0.3, np.nan, -1.2, 0.8, 2.0]), "t4": t4,
        "mm": np.array([[True, False, True, True], [True] * 4, [False, True, False, True]]),
        "rp": np.array([0.7, -0.4, 1.9, 2.4]), "dup": np.array([0.5, 1.5, 0.45, -1.0, 1.4]),
        "angles": np.array([0.1, 3.0, -2.9, 3.1]),
        "quarter": 0.31, "qs3": np.array([0.1, 0.55, 0.9]), "pct": 35.0, "beta": 3.5,
        "grid": np.linspace(-1.0, 2.0, 8), "samples8": rng.normal(size=8),
        "weights8": rng.uniform(0.5, 2.0, 8), "table8": rng.normal(size=(8, 2)),
        "m53": rng.normal(size=(5, 3)), "w5": rng.uniform(0.5, 1.5, 5),
        "n5": np.array([1, 2, 1, 3, 1]),
        "u53": rng.normal(size=(5, 3)), "cuts": np.array([0, 2, 3]), "slots": np.array([1, 3]),
        "two": rng.normal(size=2), "a3p": np.array([0.7, 1.9, 1.2]),
        "phase": np.array([0.2, 0.5, 0.87]),
        "late": np.array([0.1, 1.3, -0.4]),
        "zeros3": np.array([-1.0, 0.0, 2.0]), "big3": np.array([4.0, 0.7, -0.4]),
        "long": rng.normal(size=23), "longs": rng.normal(size=(2, 19)),
        "mp2": rng.uniform(0.5, 2.0, (3, 4)), "weights42": np.arange(1.0, 9.0).reshape(4, 2),
        "spots": np.array([[0.3, 2.7, 1.4]]), "cubes": rng.normal(size=(2, 5, 3)),
        "spots2": np.array([[0.3, 1.6, 0.9], [2.2, 0.4, 1.7]]),
        "spots3": np.array([[0.3, 4.6, -0.9], [2.2, 0.4, 1.7]]),
        "lower3": np.array([[5.0, 4.0, 6.0, 7.0], [0.5, 0.4, 0.7, 0.0]]),
        "bands3": np.array([[0.0, 0.0, 0.3, -0.2], [0.0, 0.5, 0.4, 0.7], [5.0, 4.0, 6.0, 7.0]]),
    }  # fmt: skip


WEIGHTED = [f"np.{name}({args}, method='inverted_cdf')" for name, many in {
    "quantile": "z, 0.4, weights=w5|m, qs3, axis=1, weights=p|m, 0.3, axis=0, weights=mp|"
                "t, qs3, axis=(2, 0), weights=weights42, keepdims=True",
    "percentile": "z, 40.0, weights=w5", "nanquantile": "z, 0.4, weights=w5|holes, 0.6, axis=1, "
                                                        "weights=mp",
    "nanpercentile": "z, 40.0, weights=w5",
}.items() for args in many.split("|")]  # fmt: skip


MASKED = [f"np.{f}(m, {args})" for f, many in {
    "sum": "where=mm|axis=1, where=mm|axis=0, initial=s|where=mask, axis=1",
    "mean": "where=mm|axis=1, where=mm|axis=0, where=mm, keepdims=True",
    "var": "where=mm|axis=1, where=mm|axis=1, where=mm, ddof=1", "std": "where=mm|axis=0, where=mm",
    "prod": "where=mm|axis=1, where=mm|initial=2.0|axis=0, initial=3.0, where=mm",
    "max": "axis=1, initial=0.2|axis=1, where=mm, initial=-9.0|where=mm, initial=0.1",
    "min": "axis=0, initial=-0.2|axis=1, where=mm, initial=9.0",
    "nansum": "axis=1, where=mm", "add.reduce": "axis=1, where=mm|axis=None|initial=s",
    "multiply.reduce": "axis=1, where=mm|axis=None", "maximum.reduce": "initial=0.1|axis=1",
    "fmax.reduce": "axis=1|axis=0", "fmin.reduce": "axis=1", "logaddexp.reduce": "axis=0|axis=None|"
    "axis=1, keepdims=True", "logaddexp2.reduce": "axis=1", "hypot.reduce": "axis=1|axis=0",
}.items() for args in many.split("|")] + ["m.sum(axis=0, where=mm)", "m.mean(where=mm)",
    "m.max(axis=1, initial=0.3)", "np.sum(v, initial=s)"]  # fmt: skip

NAN = [f"np.{f}({args})" for f, many in {
    "nansum": "holes|holes, axis=0", "nanmean": "hv|holes, axis=0|holes, axis=1, keepdims=True|m",
    "nanvar": "hv|holes, axis=1|holes, axis=1, ddof=1", "nanstd": "hv|holes, axis=0",
    "nanprod": "hv|holes, axis=1", "nanmax": "holes, axis=1", "nanmin": "holes, axis=0",
    "nancumsum": "hv|holes, axis=1|holes", "nancumprod": "hv|holes, axis=0",
    "nanmedian": "hv|holes, axis=1|m, axis=0",
    "nanquantile": "hv, 0.3|holes, qs3, axis=1|holes, 0.4, axis=0, keepdims=True",
    "nanpercentile": "holes, 40.0, axis=1", "nan_to_num": "holes",
}.items() for args in many.split("|")]  # fmt: skip

QUANTILES = [f"np.quantile({args})" for args in (
    "z, quarter", "m, quarter", "m, qs3", "m, quarter, axis=1", "m, qs3, axis=0",
    "t, quarter, axis=(0, 2)", "m, quarter, axis=1, keepdims=True", "m, qs3, axis=0, keepdims=True",
    "z, 0.0", "z, 1.0",
)] + [f"np.quantile(z, 0.37, method='{method}')" for method in (
    "linear", "lower", "higher", "nearest", "midpoint", "weibull", "hazen", "median_unbiased",
    "normal_unbiased", "inverted_cdf", "averaged_inverted_cdf", "closest_observation",
    "interpolated_inverted_cdf",
)] + [f"np.quantile(z, quarter, method='{method}')" for method in (
    "weibull", "hazen", "median_unbiased", "normal_unbiased", "interpolated_inverted_cdf", "lower",
)] + ["np.percentile(z, pct)", "np.percentile(m, [20.0, 60.0], axis=1)",
"np.median(t, axis=(0, 2))"]

STATISTICS = [f"np.{f}({args})" for f, many in {
    "cov": "m|m, m2|v|v, w|m, rowvar=False|m, bias=True|m, ddof=0|m53, u53, rowvar=False|"
           "m53, rowvar=False, fweights=n5|m53, rowvar=False, aweights=w5|"
           "m53, None, False, False, None, n5, w5|m53, rowvar=False, aweights=w5, ddof=0",
    "corrcoef": "m|m, m2|m, rowvar=False|v, w|m53, u53, rowvar=False",
}.items() for args in many.split("|")]  # fmt: skip

METHODS_OF_UFUNCS = [f"np.{f}.outer({args})" for f, many in {
    "add": "v, z|m, v|s, v|v, s|s, c", "subtract": "v, z|m, v", "divide": "v, p", "maximum": "v, z",
    "minimum": "v, z", "fmax": "v, z", "fmin": "v, z", "power": "p, z", "float_power": "p, z",
    "hypot": "v, z", "arctan2": "v, p", "logaddexp": "v, z", "logaddexp2": "v, z",
    "copysign": "v, z", "remainder": "v, p", "fmod": "v, p", "ldexp": "v, ints",
    "heaviside": "zeros3, v", "nextafter": "v, z", "multiply": "v, z",
}.items() for args in many.split("|")] + [
    "np.maximum.accumulate(v)", "np.maximum.accumulate(m, axis=1)", "np.minimum.accumulate(t)",
    "np.minimum.accumulate(m, 1)", "np.fmax.accumulate(v)", "np.fmin.accumulate(m, axis=1)",
    "np.multiply.accumulate(m)",
    "np.multiply.accumulate(m, axis=1)", "np.add.accumulate(m, axis=1)",
    "np.logaddexp.accumulate(v)", "np.logaddexp.accumulate(m, axis=1)",
    "np.logaddexp2.accumulate(m)",
    "np.add.reduceat(v, cuts)", "np.add.reduceat(m, cuts, axis=1)",
    "np.add.reduceat(z, np.array([0, 3, 1]))",
    "np.subtract.reduce(v)", "np.subtract.reduce(m, axis=1, keepdims=True)",
    "np.divide.reduce(p)", "np.divide.reduce(m, axis=1, keepdims=True)",
    "np.subtract.accumulate(m, axis=1)",
    "np.divide.accumulate(p)", "np.divide.accumulate(m, axis=1)", "np.hypot.accumulate(m, axis=1)",
    *(f"np.{f}.accumulate({args})" for f in (
      "power", "float_power", "remainder", "fmod", "arctan2", "copysign", "nextafter", "heaviside",
      "fmax", "fmin") for args in ("p", "mp, axis=1")),
    *(f"np.{f}.reduce({args})" for f in (
      "float_power", "remainder", "fmod", "copysign", "nextafter",
      "heaviside") for args in ("p", "mp, axis=1, keepdims=True")),
    *(f"np.{f}.reduceat(mp, cuts, axis=1)" for f in (
      "subtract", "multiply", "divide", "remainder", "fmod", "float_power", "maximum", "minimum",
      "fmax", "fmin", "logaddexp", "logaddexp2", "hypot", "copysign", "nextafter",
      "heaviside")), "np.multiply.reduceat(z, np.array([0, 3, 1]))",
]  # fmt: skip

MEANS = [f"np.{f}(m, {args})" for f in ("var", "std", "nanvar", "nanstd") for args in (
    "mean=s", "axis=1, mean=r, keepdims=True", "axis=0, mean=v, ddof=1")]  # fmt: skip

ELEMENTWISE = [
    "np.modf(v)", "np.frexp(v)", "np.divmod(v, p)", "np.divmod(m, v)", "np.nextafter(v, w)",
    "np.heaviside(zeros3, c)", "np.heaviside(zeros3, a3)", "np.i0(v)", "np.i0(t)",
    "np.unwrap(angles)",
    "np.unwrap(m, axis=0)", "math.gamma(s)", "math.lgamma(s)", "math.gamma(c)", "math.modf(c)",
    "math.frexp(c)", "math.nextafter(s, c)", "math.dist([s, c], [h, 0.5])", "math.dist(v, w)",
    "math.sumprod([s, c], [h, 0.5])", "math.sumprod(v, w)", "math.fma(s, c, h)", "v.conjugate()",
]  # fmt: skip

SELECTION = [
    "np.unique(dup)", "np.unique(m)", "np.unique(dup, return_inverse=True)",
    "np.unique(dup, return_index=True, return_counts=True)", "np.unique_values(dup)",
    "np.unique_counts(dup)", "np.unique_all(dup)", "np.unique_inverse(dup)",
    "np.setdiff1d(dup, v)", "np.union1d(v, dup)", "np.intersect1d(dup, dup)",
    "np.setxor1d(v, w)", "np.partition(z, 2)", "np.partition(m, 1, axis=0)",
    "np.partition(m, 3, axis=None)", "np.sort(m)", "np.sort(t, axis=1)",
    "np.sort(z, kind='stable')",
    "np.insert(v, 1, s)", "np.insert(v, slots, two)", "np.insert(m, 1, v, axis=0)",
    "np.insert(m, 2, 0.0, axis=1)", "np.resize(v, 7)", "np.resize(m, (2, 3))", "np.trim_zeros(v)",
    "np.block([[m, r], [v, s]])", "np.block([v, z])",
    "np.block([[s, c], [h, 1.0]])", "v.compress(mask)", "m.compress(mask, axis=1)",
    "ints.choose([s, v, w, c])", "bits.choose(m)", "np.lib.stride_tricks.sliding_window_view(v, 2)",
    "np.lib.stride_tricks.sliding_window_view(m, (2, 2))",
    "np.lib.stride_tricks.sliding_window_view(m, 3, axis=1)", "np.take(v, [9, -1], mode='clip')",
    "np.take(v, [5, 6], mode='wrap')", "np.astype(v, float)", "np.require(m, None, ['C'])",
    "np.array(v, ndmin=2)", "np.asarray(v, copy=True)", "np.row_stack([v, w])",
    "np.meshgrid(v, z, sparse=True)", "np.meshgrid(v, z, a3, sparse=True, indexing='ij')",
]  # fmt: skip

PADS = [f"np.pad({args})" for args in (
    "v, 2, constant_values=s", "v, (1, 3), constant_values=(s, c)", "m, 1, constant_values=a3[:2]",
    "m, ((1, 2), (0, 3)), constant_values=((s, 1.0), (c, h))", "v, 2, 'linear_ramp', end_values=s",
    "m, 2, 'linear_ramp', end_values=((s, c), (h, 0.5))",
    "v, 2, mode='mean'", "v, (1, 3), mode='linear_ramp'", "m, ((1, 2), (0, 3)), 'mean'",
    "m, 2, 'linear_ramp'", "v, 2, 'mean', stat_length=2",
    "m, 1, 'mean', stat_length=((1, 2), (3, 1))",
    "v, 2, constant_values=c", "m, ((1, 0), (0, 2)), constant_values=c", "m, 1, 'symmetric'",
    "v, 2, 'linear_ramp', end_values=1.5", "v, 2, 'maximum'", "m, ((1, 2), (0, 3)), 'minimum'",
    "m, 1, 'median'", "v, 2, 'maximum', stat_length=(2, 3)", "v, (1, 2), 'median', stat_length=2",
    "v, 3, 'reflect', reflect_type='odd'", "m, (1, 2), 'symmetric', reflect_type='odd'",
)]  # fmt: skip

DIFFERENCES = [
    "np.diff(v, prepend=s)", "np.diff(v, append=c)", "np.diff(m, prepend=r)",
    "np.diff(m, 1, 1, r, m2)", "np.diff(v, prepend=s, append=z)", "np.diff(m, axis=0, prepend=0.0)",
    "np.diff(v, 2, prepend=z)", "np.ediff1d(v, to_end=s)", "np.ediff1d(m, to_begin=two)",
    "np.ediff1d(v, to_end=a3, to_begin=two)", "np.cumulative_sum(v)",
    "np.cumulative_sum(m, axis=1)",
    "np.cumulative_prod(v)", "np.cumulative_prod(m, axis=0)", "np.gradient(v, c)",
    "np.gradient(m, c, axis=1)", "np.trapz(v, w)",
]  # fmt: skip

INTERPOLATION = [
    "np.interp(at, xs, v, period=1.63)", "np.interp(at, phase, late, period=1.0)",
    "np.interp(s, xs, v, left=0.5)",
]

POLYNOMIALS = [
    "np.poly(v)", "np.poly(a3)", "np.polyadd(v, a3)", "np.polyadd(a3, v)", "np.polyadd(v, s)",
    "np.polysub(v, a3)", "np.polysub(a3, v)", "np.polymul(v, a3)", "np.polymul(a3, two)",
    "np.polyder(z)", "np.polyder(z, 2)", "np.polyint(z)", "np.polyint(z, 2)",
    "np.polyfit(grid, samples8, 2)", "np.polyfit(grid, samples8, 3, w=weights8)",
    "np.polyfit(grid, table8, 1, w=weights8)", "np.polyfit(grid, table8, 2)",
    "np.polyfit(grid, samples8, 0)",
]

PRODUCTS = [
    "np.vecdot(v, w)", "np.vecdot(m, v)", "np.vecdot(m, m2)", "np.vecdot(t, v)",
    "np.vecdot(m, m2, axis=0)", "np.matvec(m, v)", "np.matvec(t, v)", "np.matvec(q, m)",
    "np.vecmat(v, n)", "np.vecmat(m, n)", "np.vecmat(a3, t)",
    "np.einsum('ij,jk->ik', m, n, optimize=True)",
    "np.einsum('ijkl->lj', t4)", "np.einsum('ijij->', np.reshape(t4, (2, 3, 2, 3)))",
    "np.tensordot(t4, e, axes=([3], [0]))", "np.matmul(t4, np.ones((3, 2)))",
]  # fmt: skip

_FAMILIES = {"polynomial": "poly", "chebyshev": "cheb", "legendre": "leg", "hermite": "herm",
             "hermite_e": "herme", "laguerre": "lag"}  # fmt: skip
SERIES = [
    f"np.polynomial.{module}.{prefix}{call}"
    for module, prefix in _FAMILIES.items()
    for call in ("val(v, z)", "val(s, z)", "val(m, z)", "val(v, m)", "vander(v, 3)", "vander(s, 2)",
                 "val2d(v, w, n)", "val2d(s, c, m)", "val3d(v, w, p, t)",
                 "der(z)", "int(z)", "add(v, a3)", "sub(a3, v)")
] + [
    "np.polynomial.chebyshev.chebweight(phase)", "np.polynomial.hermite.hermweight(v)",
    "np.polynomial.hermite_e.hermeweight(v)", "np.polynomial.laguerre.lagweight(v)",
    "np.polynomial.chebyshev.chebval(m, n)", "np.polynomial.chebyshev.chebval(v, one)",
    "np.polynomial.legendre.legvander(m, 0)", "np.polynomial.polynomial.polyval(v, [s, c])",
    "np.polynomial.hermite.hermder(m, 2, 0.5)", "np.polynomial.laguerre.lagint(m, 1, axis=1)",
    "np.polynomial.legendre.legder(m, axis=1)", "np.polynomial.chebyshev.chebint(z, 2, [], 0.5)",
    "np.polynomial.polynomial.polymul(v, a3)",
]  # fmt: skip
JOINED = [
    "np.r_[v, w]", "np.r_[0.0, v, s]", "np.r_[s, v, 1.5]", "np.r_[m, m2]", "np.r_[v]",
    "np.c_[v, w]", "np.c_[m, a3]", "np.c_[s, c]", "np.fromiter(v, float)",
    "np.fromiter(v, float, 2)", "np.fromiter([s, c], dtype=float)",
]  # fmt: skip
STARTED = [f"np.{f}" for f in (
    "prod(v, initial=c)", "prod(m, axis=1, initial=c, where=mm)", "nanprod(m, axis=0, initial=s)",
    "multiply.reduce(m, initial=c)", "max(m, axis=1, initial=c)", "min(m, axis=0, initial=s)",
    "max(m, axis=1, keepdims=True, initial=s, where=mm)", "max(v, initial=9.0)",
    "maximum.reduce(m, initial=s)", "minimum.reduce(m, 1, initial=s)", "nanmax(v, initial=s)",
    "max(m, initial=s)", "average(m, weights=mp, returned=True)", "average(v, returned=True)",
    "average(m, 1, p, returned=True)", "average(m, 0, a3p, returned=True, keepdims=True)",
    "histogram(v, 3, weights=w)", "histogram([0.1, 0.7, 9.0, 0.2], 2, (0.0, 1.0), weights=v)",
)]  # fmt: skip
SPACED = [
    "np.logspace(s, c, 5)", "np.logspace(s, c, 4, base=h)", "np.logspace(v, w, 3)",
    "np.geomspace(s, c, 5)", "np.geomspace(p, g, 4)", "np.geomspace(p, g, 3, endpoint=False)",
    "np.linspace(s, v, 3)", "np.linspace(v, c, 3, axis=1)", "np.linspace(v, w, 3, axis=-1)",
    "np.vander(v)", "np.vander(v, 3)", "np.vander(a3, 4, increasing=True)", "np.kaiser(7, beta)",
]

MORE = [
    *MASKED, *NAN, *QUANTILES, *STATISTICS, *METHODS_OF_UFUNCS, *ELEMENTWISE, *SELECTION, *PADS,
    *DIFFERENCES, *INTERPOLATION, *POLYNOMIALS, *PRODUCTS, *SPACED, *SERIES, *JOINED, *STARTED,
    *WEIGHTED,
]  # fmt: skip
WITHOUT = {
    ("np.interp(s, xs, v, left=0.5)", "left"),
}  # fmt: skip
"""Arguments in samples that have no derivative in this form: refused, never ignored."""
