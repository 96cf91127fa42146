"""Calls with each keyword that a rule knows, with a value that is not its default.

`KEYWORDS` are differentiated, `REFUSED` are errors while a varying value enters.
"""

from __future__ import annotations

import numpy as np

from .samples import pool as plain_pool


def pool() -> dict[str, object]:
    """The variables of the samples, and some of other shapes."""
    rng = np.random.default_rng(41)
    return {
        **plain_pool(), "pm": rng.uniform(0.5, 2.0, (3, 4)), "gm": rng.uniform(1.5, 3.0, (3, 4)),
        "k3": rng.normal(size=(4, 3, 2)), "wk": rng.uniform(0.5, 2.0, (3, 2)),
        "row": rng.normal(size=(1, 4)), "kc": rng.normal(size=(3, 5)),
        "lone": rng.normal(size=1), "col": rng.normal(size=(3, 1)),
        "some": np.array([True, False, True, True]),
        "far5": np.array([-1.0, 0.2, 2.6, 0.9, 1.9]), "wz": rng.normal(size=(2, 2, 2)),
    }  # fmt: skip


_FAMILIES = {"polynomial": "poly", "chebyshev": "cheb", "legendre": "leg", "hermite": "herm",
             "hermite_e": "herme", "laguerre": "lag"}  # fmt: skip
SERIES = [
    f"np.polynomial.{module}.{prefix}{call}"
    for module, prefix in _FAMILIES.items()
    for call in ("der(kc, 2, scl=0.5, axis=1)", "int(kc, m=2, k=[1, 2], lbnd=0.3, scl=0.5, axis=1)",
                 "val(z, v, tensor=False)")
]  # fmt: skip

REDUCED = [f"np.{f}" for f in (
    "add.reduce(m, axis=1, keepdims=True)", "add.reduce(m, axis=(0, 1))",
    "multiply.reduce(m, axis=1, keepdims=True)", "maximum.reduce(m, axis=1, keepdims=True)",
    "minimum.reduce(m, axis=1, keepdims=True)", "fmax.reduce(m, axis=1, keepdims=True)",
    "fmax.reduce(m, axis=1, initial=s, where=mm)", "fmin.reduce(m, axis=1, keepdims=True)",
    "fmin.reduce(m, initial=s)", "hypot.reduce(m, axis=1, keepdims=True, initial=s)",
    "hypot.reduce(m, axis=1, where=mm, initial=0.0)", "logaddexp.reduce(m, axis=1, initial=s)",
    "logaddexp.reduce(m, where=mm, initial=-np.inf)", "logaddexp2.reduce(m, keepdims=True)",
    "logaddexp2.reduce(m, initial=s)", "logaddexp2.accumulate(m, axis=1)",
    "sum(m, axis=0, where=some)", "mean(m, axis=1, where=some)", "add.reduce(m, where=some[None])",
    "sum(m, axis=1, where=some, keepdims=True)", "mean(m, where=some)", "var(m, 1, where=some)",
    "amax(m, initial=0.3)", "amin(m, axis=0, initial=-0.3)", "nansum(holes, axis=1, initial=s)",
    "nansum(holes, axis=1, keepdims=True)", "nanmin(holes, axis=1, initial=0.1, keepdims=True)",
    "nanmax(holes, axis=(0, 1), keepdims=True)", "nanprod(holes, axis=1, keepdims=True, where=mm)",
    "nanstd(holes, axis=1, ddof=0.5, keepdims=True)", "nanstd(holes, correction=1)",
    "nanvar(holes, axis=1, keepdims=True)", "nanvar(holes, correction=1)",
    "var(m, correction=1)", "std(m, axis=1, correction=1, keepdims=True)",
    "nanmean(holes, axis=0, where=mm)", "nanstd(holes, where=mm)", "nanvar(holes, where=mm)",
    "nanmedian(holes, axis=1, keepdims=True)", "nanpercentile(holes, 40.0, 1, keepdims=True)",
    "nanpercentile(holes, 40.0, method='hazen')", "nanquantile(holes, 0.4, method='weibull')",
    "percentile(m, 40.0, axis=1, method='hazen', keepdims=True)", "mean(m, axis=(), keepdims=True)",
    "trace(t, axis1=1, axis2=2)", "trace(t, 1, 2, 0)", "average(k3, axis=(1, 2), weights=wk)",
    "average(k3, axis=(2, 1), weights=wk.T)", "ptp(m, axis=(0, 1), keepdims=True)",
)]  # fmt: skip

STRETCHED = [f"np.einsum({c})" for c in (
    "'ij,ij->j', row, m2", "'ij,j->i', m, lone", "'ij,kj->ik', col, m2", "'i,i->', lone, v",
    "'ij,j,i->', m, lone, a3", "'ij,jk,k->i', m, lone[:, None], lone", "'ij,kj->k', col, m2",
    "'...j,j', m, lone", "'ii,ij->j', lone[:, None], m", "'ij,ij->', row, col",
)]  # fmt: skip
"""Axes of length 1 that another operand stretches."""

SHAPED = [
    "m.ravel('K')", "np.ravel(m.T, order='A')", "m.T.flatten('K')",
    "m.T.ravel('K')", "m[::-1, ::2].flatten(order='A')",
    "np.array(m, copy=None, subok=True)", "np.copy(m, subok=True)", "np.require(m, dtype=float)",
    "np.array(v, ndmax=2)", "m.astype(float, casting='safe')", "np.asarray(m, order='F')",
    "np.asanyarray(m, order='F', device='cpu')", "np.asfortranarray(m, dtype=float)",
    "np.array(object=m)", "np.asanyarray(m, copy=True)",
    "np.asarray(v, device='cpu')", "np.asarray_chkfinite(m, order='F')",
    "np.ascontiguousarray(m, dtype=float)", "np.astype(v, np.float64, copy=False)",
    "np.astype(v, np.float64, device='cpu')", "m.astype(np.float64, copy=False)",
    "np.array_split(m, 2, axis=1)", "np.broadcast_to(v, (2, 4), subok=True)",
    "np.broadcast_arrays(v, m, subok=True)", "np.diagflat(v, k=1)", "np.diagflat(v, -2)",
    "np.full((2, 3), s, device='cpu')", "np.full_like(v, s, shape=(2, 3))",
    "np.full_like(v, w, shape=(2, 4), device='cpu')", "np.linspace(s, c, 5, device='cpu')",
    "np.linspace(s, c, 5, retstep=True)", "np.linspace(v, c, 5, False, True)",
    "np.linspace(v, c, 5, retstep=True, axis=1)", "np.linspace(v, m, 3, axis=1)",
    "np.arange(s, 4.1, h, device='cpu')", "np.geomspace(p, g, 3, axis=1)",
    "np.geomspace(p, gm, 3, axis=-1)", "np.logspace(v, w, 3, endpoint=False)",
    "np.logspace(v, w, 3, axis=1)", "np.logspace(s, c, 3, base=p)",
    "np.logspace(v, m, 3, base=p, axis=1)", "np.reshape(m, (2, 6), copy=True)",
    "m.reshape(2, 6, copy=True)", "np.reshape(m, shape=(2, 6), order='F')",
    "m.reshape((2, 6), order='F')", "np.rot90(t, 3, axes=(2, 0))", "np.fft.ifftshift(v, axes=0)",
    "np.fft.fftfreq(6, s, device='cpu')", "np.fft.rfftfreq(5, d=s, device='cpu')",
    "np.meshgrid(v, z, copy=False)", "np.meshgrid(r, v)", "np.meshgrid(s, v)",
    "np.choose(ints + 2, [s, v, w, c], mode='clip')",
    "np.choose(ints, m, mode='clip')", "np.choose(ints - 2, m, mode='wrap')",
    "np.choose(ints - 2, [s, v, w, c], mode='wrap')", "np.choose(ints + 2, [v, s], None, 'clip')",
    "np.lib.stride_tricks.sliding_window_view(v, 2, subok=True)",
    "np.trim_zeros(np.append(v, 0.0), trim='b')",
    "np.unique(dup, equal_nan=False)", "np.unique(dup, sorted=False)", "np.unique(m, axis=0)",
    "np.unique(np.vstack([m[1], m[0], m[1]]), axis=0, return_counts=True)",
    "np.unwrap(angles, discont=3.5)", "np.unwrap(angles, period=5.0)",
    "np.sort(m, stable=True)", "np.partition(z, 2, kind='introselect')",
    "np.setdiff1d(v, w, assume_unique=True)", "np.setxor1d(v, w, assume_unique=True)",
    "np.polyfit(grid, samples8, 2, rcond=1e-12)", "np.polyfit(grid, samples8, 2, full=True)",
    "np.polyfit(grid, samples8, 2, cov=True)", "np.polyfit(grid, samples8, 1, cov='unscaled')",
    "np.intersect1d(v, v, assume_unique=True, return_indices=True)",
    "np.vstack(tup=(v, w))", "np.tile(A=m, reps=2)", "np.insert(m, 1, m2[:2], axis=0)",
    "np.cumulative_sum(v, include_initial=True)", "np.cumulative_sum(m, axis=1, "
    "include_initial=True)", "np.cumulative_prod(m, axis=0, include_initial=True)",
    "np.cumulative_prod(v, include_initial=True)", "np.lib.stride_tricks.sliding_window_view(v, 2, "
    "writeable=True)", "np.fromiter(v, float, like=None)",
]  # fmt: skip

PRODUCTS = [
    "np.cross(e, b3, axisb=0)", "np.cross(b3, k3, axisb=1, axisc=0)", "np.cross(e, r, axis=0)",
    "np.linalg.cross(e, e, axis=0)", "np.vecdot(m, m2, keepdims=True)",
    "np.vecdot(m, a3, axis=0)", "np.linalg.vecdot(m, a3, axis=0)",
    "np.vecdot(m, a3, axis=0, keepdims=True)", "np.trapezoid(m, dx=s)", "np.trapz(m, dx=s, axis=0)",
    "np.trapz(m, x=v)", "np.trapezoid(v, x=m)", "np.trapezoid(row, x=m)",
    "np.linalg.lstsq(n, v, rcond=1e-10)", "np.linalg.norm(m, 'f')",
    "np.linalg.norm(t, 'f', (0, 2))",
    "np.linalg.pinv(m, rcond=1e-10)", "np.linalg.pinv(m, rtol=1e-10)",
    "np.einsum('ij,jk->ik', m, n, order='C', casting='safe')",
    "np.einsum('ij,jk,kl->il', m, n, n.T, optimize=['einsum_path', (0, 1), (0, 1)])",
    "np.polyint(z, k=0.5)", "np.polyint(z, 2, [0.5, 1.0])", "np.polyint(z, k=s)",
    "np.polyint(z, 2, [s, c])", "np.polyint(z, 2, k=v[:2])", "np.polyint(z, m=3, k=s)",
    "np.polynomial.legendre.legint(kc, 2, [s, c], 0.3, 0.5, 1)",
    "np.polynomial.hermite.hermint(z, k=s)", "np.polynomial.chebyshev.chebint(z, 3, k=v[:2])",
    "np.cov(m, aweights=p)", "np.cov(m, None, True, False, None, None, p)",
    "np.cov(m, bias=True, ddof=2, fweights=[1, 2, 1, 3], aweights=p)", "np.cov(v, w, aweights=p)",
    "np.cov(n, rowvar=False, aweights=p)", "math.dist(v, [s, c, h, 0.5])", "math.dist(lst, a3)",
    "math.sumprod(lst, [s, c, h])", "math.sumprod(lst, a3)", "math.hypot(*v)", "math.hypot(*lst)",
    "np.hstack((v, lst, s))", "np.concatenate([lst, lst, z])", "np.stack([lst, a3], axis=1)",
    "np.einsum('i,jk->kji', lst, m)", "np.meshgrid(lst, v)", "np.linalg.multi_dot([lst, m, v])",
    "np.vstack([lst, e])", "np.broadcast_arrays(lst, e)", "np.array([lst, lst])",
    "np.array([[lst, lst], [a3, lst]])", "np.roll(m, [1, 2], [0, 1])",
    "np.pad(v, 2, constant_values=lst[:2])", "np.pad(v, 1, 'linear_ramp', end_values=lst[1:])",
    "math.prod([s, c, h], start=s)",
    "math.prod(v, start=c)", "math.prod(v)", "math.nextafter(s, c, steps=2)", "pow(s, 2, None)",
    "max(v, key=abs)",
    "min(v, key=abs)",
]  # fmt: skip

ELEMENTWISE = [
    "v.item(2)", "m.item(1, 2)", "m.item((2, 0))", "m.item(-1)",
    "np.angle(v, deg=True)", "np.clip(v, min=-0.5, max=0.5)", "np.clip(v, max=0.5)",
    "np.clip(v, w, 2.0, dtype=float, casting='safe')", "np.nan_to_num(holes, nan=1.5)",
    "np.nan_to_num(v, True, 1.0, posinf=2.0, neginf=3.0)", "np.real_if_close(v, tol=10)",
    "np.real(val=v)", "np.interp(far5, xs, v, left=s, right=c)", "np.interp(far5, xs, v, right=s)",
]  # fmt: skip

SCIPY = [f"scipy.{call}" for call in (
    "linalg.cho_factor(q, check_finite=False)",
    "linalg.cho_solve((q, True), v, check_finite=False)", "linalg.cholesky(q, check_finite=False)",
    "linalg.det(q2, check_finite=False)", "linalg.eigh(q, eigvals_only=True, check_finite=False)",
    "linalg.eigvalsh(q, driver='ev')",
    "linalg.eigvalsh(q, other, check_finite=False, driver='gv')",
    "linalg.inv(q2, check_finite=False)",
    "linalg.lu_factor(q2, check_finite=False)", "linalg.lu(q2, check_finite=False)",
    "linalg.lu_solve((q2, swaps), v, check_finite=False)",
    "linalg.eigh(q, other, type=2, eigvals_only=True)", "linalg.eigh(q, other, type=3)",
    "linalg.eigh(q, other, lower=False, type=2)", "linalg.eigvalsh(q, other, type=3)",
    "linalg.norm(m, keepdims=True, check_finite=False)", "linalg.norm(m, axis=1, keepdims=True)",
    "linalg.pinv(m, atol=1e-10, rtol=1e-9, check_finite=False)",
    "linalg.qr(n, mode='economic', check_finite=False, lwork=64)",
    "linalg.solve(q2, v, check_finite=False)", "linalg.solve(q2, v, assume_a='gen')",
    "linalg.solve(q2, v, lower=True, assume_a='sym')",
    "linalg.solve_banded((1, 1), e5, z, check_finite=False)",
    "linalg.solve_circulant(big3, b3, singular='raise', tol=1e-9)",
    "linalg.solve_discrete_lyapunov(small, square, method='bilinear')",
    "linalg.solve_discrete_lyapunov(small, square, method='direct')",
    "linalg.solve_toeplitz(big3, b3, check_finite=False)",
    "linalg.solve_triangular(q2, v, check_finite=False)",
    "linalg.solveh_banded(bands3, v, check_finite=False)",
    "linalg.svd(m, full_matrices=False, check_finite=False, lapack_driver='gesvd')",
    "linalg.svdvals(m, check_finite=False)",
    "ndimage.correlate1d(m, a3, 0, mode='constant', cval=0.3)",
    "ndimage.gaussian_filter(m, 1.0, mode='constant', cval=0.3)",
    "ndimage.gaussian_filter1d(m, 0.7, truncate=2.0)",
    "ndimage.gaussian_filter1d(m, 0.7, radius=2)",
    "ndimage.uniform_filter(m, 3, mode='constant', cval=0.3)",
    "ndimage.uniform_filter(m, 3, origin=1)", "ndimage.uniform_filter(m, 3, origin=(1, -1))",
    "ndimage.uniform_filter1d(m, 3, mode='constant', cval=0.3)",
    "signal.convolve(v, z, method='fft')", "signal.convolve(v, z, method='direct')",
    "signal.correlate(v, z, method='fft')", "signal.detrend(long, bp=[7, 12])",
    "signal.savgol_filter(long, 5, 2, mode='constant', cval=0.7)",
    "stats.bernoulli.logpmf(bits + 1, u, loc=1)", "stats.bernoulli.pmf(bits + 1, u, loc=1)",
    "stats.binom.logpmf(ints + 1, 5, u, loc=1)", "stats.binom.pmf(ints + 1, 5, u, loc=1)",
    "stats.geom.logpmf(counts, u, loc=1)", "stats.nbinom.logpmf(ints + 1, p, u, loc=1)",
    "stats.nbinom.pmf(ints + 1, p, u, loc=1)", "stats.poisson.logpmf(ints + 1, p, loc=1)",
    "stats.poisson.pmf(ints + 1, p, loc=1)",
    "stats.multivariate_normal.logpdf(v, w, q, allow_singular=True)",
    "stats.multivariate_normal.pdf(v, w, q, allow_singular=True)",
    "fft.irfft(m, 5, axis=0, norm='forward', workers=2)",
    "fft.hfft(m, 5, axis=0, norm='forward', workers=2)",
    "fft.irfft2(t, (4, 3), (0, 1), 'ortho', workers=2)",
    "fft.irfftn(t, (4, 3), (0, 2), 'ortho', workers=2)", "fft.fftshift(m, axes=1)",
    "fft.ifftshift(m, axes=0)", "fft.fftfreq(6, s, xp=np)",
    "fft.rfftfreq(5, d=s, xp=np)",
    "fft.dct(v, 2, workers=1)", "fft.dctn(m, workers=1)", "fft.idct(v, 2, workers=1)",
    "fft.idctn(m, workers=1)", "fft.dst(v, 2, workers=1)", "fft.dstn(m, workers=1)",
    "fft.idst(v, 2, workers=1)", "fft.idstn(m, workers=1)",
    "ndimage.map_coordinates(m, spots2, order=1, prefilter=False)",
    "ndimage.prewitt(m, mode='constant', cval=0.3)",
    "ndimage.zoom(m, 1.5, mode='constant', cval=0.3)", "ndimage.zoom(m, 1.5, prefilter=False)",
    "spatial.distance.squareform(a3, checks=False)",
    "spatial.distance.squareform(a3, force='tomatrix')", "stats.binom.cdf(ints + 1, 5, u, loc=1)",
    "stats.binom.sf(ints + 1, 5, u, loc=1)", "stats.binom.logcdf(ints + 1, 5, u, loc=1)",
    "stats.binom.logsf(ints + 1, 5, u, loc=1)", "stats.geom.cdf(counts, u, loc=1)",
    "stats.geom.sf(counts, u, loc=1)", "stats.geom.logcdf(counts, u, loc=1)",
    "stats.geom.logsf(counts, u, loc=1)", "stats.poisson.cdf(ints + 1, p, loc=1)",
    "stats.poisson.sf(ints + 1, p, loc=1)", "stats.poisson.logcdf(ints + 1, p, loc=1)",
    "stats.poisson.logsf(ints + 1, p, loc=1)",
    "stats.gmean(mp, axis=1, nan_policy='raise', keepdims=True)",
    "stats.hmean(mp, axis=1, nan_policy='raise', keepdims=True)",
    "stats.variation(mp, axis=1, nan_policy='raise', keepdims=True)",
    "stats.sem(m, axis=1, nan_policy='raise', keepdims=True)",
    "stats.skew(m, axis=1, nan_policy='raise', keepdims=True)",
    "stats.kurtosis(m, axis=1, nan_policy='raise', keepdims=True)",
    "stats.tmean(m, axis=1, nan_policy='raise', keepdims=True)",
    "stats.moment(m, 3, axis=1, nan_policy='raise', keepdims=True)",
    "stats.entropy(mp, mp2, axis=1, nan_policy='raise', keepdims=True)",
    "stats.zscore(m, nan_policy='raise')", "stats.pearsonr(v, w, axis=-1)",
    "stats.linregress(v, w, axis=-1, nan_policy='raise')",
    "linalg.inv(q, assume_a='pos')", "linalg.inv(q, assume_a='pos', lower=True)",
    "linalg.lu(q2, permute_l=True)", "linalg.lu(q2, p_indices=True)",
    "linalg.pinv(m, return_rank=True)", "linalg.qr(n, mode='economic', pivoting=True)",
    "ndimage.convolve(m, a3, axes=(0,))", "ndimage.correlate(m, a3, axes=1)",
    "ndimage.uniform_filter(m, 3, axes=(1,))", "signal.convolve2d(m, n, boundary='wrap')",
    "signal.convolve2d(m, n, fillvalue=2.0)", "signal.correlate2d(m, n, boundary='symm')",
    "signal.correlate2d(m, n, fillvalue=2.0)", "signal.fftconvolve(m, m2, axes=1)",
    "signal.oaconvolve(m, m2, axes=1)", "signal.savgol_filter(long, 5, 2, mode='wrap')",
    "ndimage.laplace(m, axes=(0,))", "stats.gmean(p, weights=g)", "stats.hmean(p, weights=g)",
    "stats.moment(v, 3, center=0.5)", "linalg.inv(q2, assume_a='lower triangular')",
    "linalg.inv(qs, assume_a='sym')", "linalg.lu(qs, permute_l=True)",
    "ndimage.correlate(t, e, axes=(2, 0), origin=(1, 0), mode='wrap')",
    "ndimage.convolve(t, e, axes=(0, -1), origin=(1, -1), mode='constant', cval=0.3)",
    "ndimage.convolve(m, f, axes=(0, 1))", "ndimage.correlate(m, f, axes=(1, 0), origin=(0, 1))",
    "ndimage.uniform_filter(t, (2, 3), axes=(2, 0), mode=('wrap', 'nearest'), origin=(0, 1))",
    "ndimage.uniform_filter(m, 3, mode=('wrap', 'constant'), cval=0.5)",
    "ndimage.laplace(t, axes=(2, 0), mode=('wrap', 'nearest'))",
    "signal.convolve2d(m, n, 'same', boundary='symm')",
    "signal.convolve2d(m, e, 'same', 'fill', 0.7)", "signal.convolve2d(m, f, 'valid', 'wrap')",
    "signal.convolve2d(f, m, 'valid', 'symm')", "signal.correlate2d(m, n, 'same', 'wrap')",
    "signal.correlate2d(m, q, 'same', 'symm')", "signal.correlate2d(m, f, 'valid', 'fill', 2.0)",
    "signal.correlate2d(n, m, boundary='wrap')", "signal.fftconvolve(m, m2, 'same', axes=[1])",
    "signal.fftconvolve(m, row, 'valid', axes=-1)", "signal.fftconvolve(r, m, axes=1)",
    "signal.fftconvolve(t, t, axes=(2, 0))", "signal.oaconvolve(row, m, 'same', axes=1)",
    "signal.sosfilt(sos, z, zi=np.zeros((2, 2)))", "signal.sosfilt(sos, m, -1, np.ones((2, 3, 2)))",
    "signal.sosfilt(sos, m[:, :2], 0, wz)", "signal.lfilter([1.0, 0.5], [1.0, -0.3], z, zi=lone)",
    "signal.lfilter(a3, g2, z, zi=a3)", "signal.lfilter(lone, g2[:2], z, zi=[0.3])",
    "linalg.lstsq(n, v, check_finite=False, lapack_driver='gelsy')",
    "stats.gmean(mp, axis=1, weights=pm)", "stats.hmean(mp, axis=None, weights=pm)",
    "stats.moment(m, 2, axis=1, center=h)", "stats.moment(v, 1, center=0.5)",
)]  # fmt: skip

_METRICS = ("euclidean", "sqeuclidean", "cityblock", "minkowski", "chebyshev", "cosine",
            "correlation", "canberra", "braycurtis")  # fmt: skip
WEIGHTED = [f"scipy.spatial.distance.{call}" for call in (
    "cityblock(v, w, p)", "euclidean(v, w, p)", "sqeuclidean(v, w, p)", "braycurtis(v, w, p)",
    "canberra(v, w, p)", "chebyshev(v, w, p)", "chebyshev(v, w, [0.0, 1.0, 2.0, 1.0])",
    "correlation(v, w, p)", "correlation(v, w, centered=False)", "correlation(v, w, p, False)",
    "cosine(v, w, p)", "minkowski(v, w, 2, p)", "minkowski(v, w, 3.5, p)", "minkowski(v, w, 1, p)",
    "minkowski(v, w, np.inf, p)", "jensenshannon(p, g, 2.0)", "jensenshannon(mp, mp2, axis=1)",
    "jensenshannon(mp, mp2)", "jensenshannon(p, g, keepdims=True)",
    "jensenshannon(mp, mp2, 10, axis=0, keepdims=True)",
    *(f"{d}, '{metric}', w=p)" for metric in _METRICS for d in ("cdist(m, m2", "pdist(m")),
    "cdist(m, m2, 'minkowski', p=3.5, w=p)", "pdist(m, 'minkowski', p=1.5, w=p)", "pdist(m, w=p)",
    "cdist(m, m2, w=p)",
)]  # fmt: skip
ORTHOGONAL = [
    f"scipy.fft.{i}d{name}({args}, norm={norm}, orthogonalize={said})"
    for i in ("", "i") for name in ("ct", "st") for args in ("v, 1", "v, 2", "z, 3", "m, 4")
    for norm, said in (("'ortho'", False), ("None", True), ("'forward'", True))
] + [f"scipy.fft.{i}d{name}n(m, {k}, norm='ortho', orthogonalize=False)"
     for i in ("", "i") for name in ("ct", "st") for k in (1, 2)]  # fmt: skip
"""What says whether a transform is orthogonal, apart from how it is scaled."""

SPHERICAL = [f"scipy.special.spherical_{n}n(2, p, derivative=True)" for n in "jyik"]
KEYWORDS = [*SPHERICAL, *SERIES, *REDUCED, *STRETCHED, *SHAPED, *PRODUCTS, *ELEMENTWISE, *SCIPY,
            *WEIGHTED, *ORTHOGONAL]  # fmt: skip

_REFUSED_SCIPY = [f"scipy.{call}" for call in (
    "linalg.eig(ur, other)", "linalg.eig(ur, left=True)",
    "linalg.eig(ur, homogeneous_eigvals=True)",
    "linalg.eigvals(ur, other)", "linalg.eigvals(ur, homogeneous_eigvals=True)",
    "linalg.eigh(q, other, eigvals_only=True, subset_by_index=[0, 1])",
    "linalg.eigvalsh(q, other, subset_by_index=[0, 1])",
    "linalg.eigvalsh(q, other, subset_by_value=[0.0, 9.0])",
    "linalg.lstsq(n, v, cond=1e-10, check_finite=False, lapack_driver='gelsy')",
    "linalg.solve(q, v, transposed=True, assume_a='pos')",
    "linalg.solve(qs, ts, assume_a='diagonal')",
    "linalg.solve_circulant(big3, b3, singular='lstsq')",
    "linalg.solve_circulant(big3, e, baxis=1)", "linalg.solve_circulant(e, b3, caxis=0)",
    "linalg.solve_circulant(big3, e, outaxis=1)", "signal.filtfilt(a3p, big3, long, method='gust')",
    "signal.filtfilt(a3p, big3, long, irlen=5)",
    "signal.resample(v, 6, t=np.arange(4.0))", "signal.resample(v, 6, window='hann')",
    "signal.upfirdn(a3, v, 2, mode='wrap')", "signal.upfirdn(a3, v, 2, cval=1.0)",
    "ndimage.map_coordinates(m, spots2, order=3)",
    "ndimage.map_coordinates(m, spots2, order=1, mode='wrap')",
    "spatial.distance.pdist(m, 'seuclidean')", "spatial.distance.cdist(m, q, 'hamming')",
    "stats.skew(v, nan_policy='omit')", "stats.tmean(v, (-1.0, 1.0))",
    "stats.tmean(v, (-1.0, 1.0), (True, False))", "stats.pearsonr(v, w, alternative='less')",
    "stats.linregress(v, w, alternative='less')", "stats.linregress(v, w, keepdims=True)",
    "special.comb(s, 2, repetition=True)", "special.comb(s, 2, exact=True)",
    "special.perm(s, 2, exact=True)", "special.factorial(s, exact=True)",
    "special.factorial(s, extend='complex')",
    "stats.pearsonr(v, w, method=scipy.stats.PermutationMethod())", "stats.skew(m, axis=(0, 1))",
)]  # fmt: skip

REFUSED = [
    "np.fill_diagonal(m.copy(), s, wrap=k)", "np.histogram(v, 3, weights=w, density=True)",
    "np.median(m, overwrite_input=True)", "np.nanmedian(m, overwrite_input=True)",
    "np.nanquantile(m, 0.3, overwrite_input=True)", "np.quantile(m, 0.3, overwrite_input=True)",
    "np.percentile(m, 30.0, overwrite_input=True)", "np.nanpercentile(m, 9.0, "
    "overwrite_input=True)",
    "pow(s, 2, 3)", "np.unique(v, return_index=k)",
    "np.sort(v, order='x')", "v.sort(order='x')", "v.partition(1, order='x')",
    "np.partition(v, 1, order='x')",
    *_REFUSED_SCIPY,
]  # fmt: skip
