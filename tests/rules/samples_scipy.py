"""Calls that exercise the rules of SciPy; the variables are those of `samples.pool`."""

from __future__ import annotations

SPECIAL = [f"scipy.special.{name}({args})" for name, many in {
    "exp2": "v", "exp10": "v", "expm1": "v|s", "exprel": "v|zero", "log1p": "p", "cbrt": "v",
    "expit": "v|s|m", "logit": "u", "log_expit": "v", "softplus": "v", "xlogy": "v, p|m, mp|s, c",
    "xlog1py": "v, p|m, p", "powm1": "p, w", "wrightomega": "v", "cosm1": "v", "sindg": "v",
    "cosdg": "v", "tandg": "v", "cotdg": "v", "radian": "v, w, p", "entr": "p",
    "rel_entr": "p, g|mp, p", "kl_div": "p, g|s, c", "huber": "p, v|s, v|c, m",
    "pseudo_huber": "p, v|s, c", "boxcox": "p, w|p, nil|p, s", "boxcox1p": "p, w|p, nil",
    "inv_boxcox": "p, u|p, nil|s, c", "inv_boxcox1p": "p, u|p, nil",
    "gamma": "v|p|s", "gammaln": "v|p", "loggamma": "p", "rgamma": "v|zero|poles",
    "psi": "p|v", "digamma": "p", "polygamma": "1, p|ints, c|2, v|ints, g",
    "multigammaln": "g, 2|c, 1",
    "zeta": "g, p|2.5, p", "beta": "p, g|s, c|mp, p", "betaln": "p, g|s, c", "binom": "g, p|s, c",
    "poch": "p, u|s, c", "gammainc": "p, g|p, s|1.5, mp|2, c", "gammaincc": "p, g",
    "gammaincinv": "p, u", "gammainccinv": "p, u", "betainc": "p, g, u|s, c, h",
    "betaincc": "p, g, u", "betaincinv": "p, g, u", "betainccinv": "p, g, u",
    "erf": "v|s|m|t", "erfc": "v", "erfcx": "v", "erfi": "v", "dawsn": "v", "erfinv": "u",
    "erfcinv": "u", "ndtr": "v|s", "ndtri": "u", "log_ndtr": "v|left", "ndtri_exp": "neg",
    "owens_t": "v, w|s, c",
    "chdtr": "3, p|g, p", "chdtrc": "3, p", "chdtri": "3, u", "gdtr": "p, g, u|s, c, h",
    "gdtrc": "p, g, u", "pdtr": "ints, p|2.5, p", "pdtrc": "ints, p", "bdtr": "ints, 5, u",
    "bdtrc": "ints, 5, u", "nbdtr": "ints, 5, u", "nbdtrc": "ints, 5, u", "stdtr": "3, v|g, v",
    "stdtrit": "3, u", "fdtr": "3, 4, p", "fdtrc": "3, 4, p", "fdtri": "3, 4, u",
    "exp1": "p", "expi": "v|p", "expn": "3, p|ints, p|0, p", "spence": "p|g|one", "sici": "p|s",
    "shichi": "p|v", "fresnel": "v|s", "airy": "v|s", "itj0y0": "p", "iti0k0": "p",
    "it2j0y0": "p", "it2i0k0": "p", "itstruve0": "p", "it2struve0": "p", "itmodstruve0": "p",
    "jv": "2, v|ints, s|0.5, p|g, p", "jn": "2, v", "yv": "2, p|0.5, p", "jve": "1, v",
    "yve": "1, p",
    "yn": "2, p|0, p", "kv": "2, p|0.5, p", "kn": "2, p|0, p", "kve": "1, p", "iv": "2, v|0.5, p",
    "ive": "1, v", "j0": "v", "j1": "v|zero", "y0": "p", "y1": "p", "i0": "v", "i1": "v|zero",
    "i0e": "v", "i1e": "v", "k0": "p", "k1": "p", "k0e": "p", "k1e": "p", "struve": "1, p|0.5, p",
    "modstruve": "1, p", "ber": "p", "bei": "p", "ker": "p", "kei": "p",
    "berp": "p", "beip": "p", "kerp": "p", "keip": "p",
    "spherical_jn": "2, p|0, v", "spherical_yn": "2, p", "spherical_in": "2, p",
    "spherical_kn": "2, p",
    "hyp0f1": "1.5, v", "hyp1f1": "1.5, 2.5, v", "hyp2f1": "1.5, 2.5, 3.5, u|0.5, 1, 2, h",
    "hyperu": "1.5, 2.5, p", "wright_bessel": "0.5, 1.5, p", "log_wright_bessel": "0.5, 1.5, p",
    "ellipk": "u|neg|nil|s", "ellipkm1": "u", "ellipe": "u|neg|nil",
    "ellipkinc": "v, u|far, u|v, neg|s, h|v, 0.0|w, nil",
    "ellipeinc": "v, u|far, u|s, h|v, 0.0|w, nil",
    "elliprf": "p, g, u|s, c, h", "elliprd": "p, g, u|s, c, h", "elliprc": "p, g|s, c",
    "elliprg": "p, g, u|s, c, h", "elliprj": "p, g, u, 0.9|s, c, h, 1.5|p, g, u, neg",
    "ellipj": "v, u|s, h|v, 0.0|2.5, u",
    "eval_legendre": "3, v|ints, u|0, v", "eval_chebyt": "3, v|ints, v", "eval_chebyu": "3, v",
    "eval_chebyc": "3, v|ints, v", "eval_chebys": "3, v|ints, v", "eval_sh_chebyt": "3, v",
    "eval_sh_chebyu": "3, v", "eval_sh_legendre": "3, u",
    "eval_gegenbauer": "3, 1.5, v|ints, 1.5, v",
    "eval_jacobi": "3, 0.5, 1.5, v|ints, 1, 1, u", "eval_laguerre": "3, v|ints, v",
    "eval_genlaguerre": "3, 1.5, v", "eval_hermite": "3, v|ints, v",
    "eval_hermitenorm": "3, v|0, v",
    "comb": "g, u|s, h|3, u", "perm": "g, u|s, h", "factorial": "p|s",
    "jvp": "2, v|1, p, 2", "yvp": "1, p|1, p, 2", "ivp": "1, v|1, v, 0", "kvp": "1, p|1, p, 2",
    "assoc_laguerre": "v, 3, 1.5|v, 3", "voigt_profile": "v, p, g|s, c, h|m, c, mp",
    "lpmv": "1, 2, u", "logsumexp": "v|m, axis=1|m, axis=0, keepdims=True|t, axis=(0, 2)|m, 1, mp|"
    "m, axis=0, b=p|v, b=p|m, b=mp, axis=(0, 1)|m, axis=-1|v, return_sign=True|"
    "m, axis=1, b=left, return_sign=True|m, 1, left, True, True",
    "softmax": "v|m|m, axis=1|t, axis=(0, 2)",
    "log_softmax": "v|m|m, axis=0|t, axis=-1",
}.items() for args in many.split("|")]  # fmt: skip

LINALG = [f"scipy.linalg.{call}" for call in (
    "inv(q2)", "inv(qs)", "solve(q2, v, transposed=True)", "solve(q2, n, transposed=True)",
    "solve(q2, v, assume_a='upper triangular')", "solve(q2, n, assume_a='lower triangular')",
    "solve(q2, v, assume_a='tridiagonal', transposed=True)", "solve(q2, n, assume_a='diagonal')",
    "det(q2)", "det(qs)", "solve(q2, v)", "solve(q2, n)", "solve(qs, ts)",
    "solve(q, v, assume_a='sym')", "solve(q, n, True, assume_a='pos')",
    "solve_triangular(q2, v)", "solve_triangular(q2, n, lower=True)",
    "solve(qs, ts, transposed=True)", "solve(qs, n, assume_a='lower triangular')",
    "solve_triangular(qs, ts)", "solve_triangular(qs, n, 1, lower=True)", "lu_factor(qs)",
    "cho_solve((qs, True), ts)",
    "solve_triangular(q2, v, 'T')", "solve_triangular(q2, n, trans=1, lower=True)",
    "solve_triangular(q2, n, unit_diagonal=True)", "solve_banded((1, 1), e5, z)",
    "solve_banded((0, 2), e5, m5)",
    "solve_toeplitz(big3, b3)", "solve_toeplitz((big3, a3), b3)", "solve_toeplitz((big3, a3), e)",
    "solve_circulant(big3, b3)", "solveh_banded(bands3, v)", "solveh_banded(bands3, q)",
    "solveh_banded(lower3, n, lower=True)", "solve_banded((2, 0), e5, z)",
    "solve_sylvester(q, q2, square)", "solve_sylvester(q2, e, n3)",
    "solve_continuous_lyapunov(q2, square)", "solve_discrete_lyapunov(small, square)",
    "lstsq(ts, qs)", "sqrtm(qs)",
    "lstsq(n, v)", "lstsq(n, q2)", "lstsq(m, a3)", "pinv(m)", "pinv(n)",
    "cholesky(q)", "cholesky(q, lower=True)", "cho_factor(q)", "cho_factor(q, lower=True)",
    "cho_solve((q, True), v)", "cho_solve((q, False), n)", "lu_factor(q2)", "lu_factor(turn)",
    "lu(q2)", "lu(turn)",
    "lu_solve((q2, swaps), v)", "lu_solve((q2, swaps), n, trans=1)",
    "qr(q2)", "qr(m)", "qr(n, mode='economic')", "qr(m, mode='economic')",
    "qr(q2, mode='economic')",
    "svd(q2)", "svd(m, full_matrices=False)", "svd(n, compute_uv=False)", "svdvals(m)",
    "eigh(q, subset_by_index=[1, 2])",
    "eigh(q, lower=False, subset_by_index=[0, 2], driver='evx')",
    "eigh(q, eigvals_only=True, subset_by_value=[0.0, 100.0])",
    "eigh(q)", "eigh(q, lower=False, driver='ev')", "eigh(q, eigvals_only=True)", "eigh(q, other)",
    "eigh(q, other, lower=False)", "eigh(q, other, eigvals_only=True)", "eigvalsh(q, other)",
    "eigvalsh(q, other, lower=False)", "eigvalsh(q)", "eigvalsh(q, lower=False)",
    "eigvalsh(q, subset_by_index=[0, 1])", "eigvalsh(q, subset_by_value=[0.0, 100.0])",
    "expm(small)", "expm(smalls)", "sinm(small)", "cosm(small)", "tanm(small)", "sinhm(small)",
    "coshm(small)", "tanhm(small)", "logm(q)", "sqrtm(q)",
    "toeplitz(v)", "toeplitz(v, z)", "toeplitz(z, v)", "hankel(v)", "hankel(v, z)", "hankel(z, v)",
    "circulant(v)", "block_diag(m, n)", "block_diag(v, m, e)", "khatri_rao(m, q)",
    "norm(v)", "norm(m)", "norm(m, 2)", "norm(m, axis=1)",
)]  # fmt: skip

_SHAPES = {
    "norm": "", "halfnorm": "", "uniform": "", "expon": "", "laplace": "", "cauchy": "",
    "halfcauchy": "", "logistic": "", "gumbel_r": "", "gumbel_l": "", "rayleigh": "", "t": "g",
    "gamma": "g", "invgamma": "g", "chi2": "g", "beta": "g, a4", "lognorm": "s4",
    "weibull_min": "g", "pareto": "a4", "powerlaw": "g", "maxwell": "", "levy": "", "moyal": "",
    "hypsecant": "", "semicircular": "", "invweibull": "g", "invgauss": "s4", "fisk": "g",
    "burr12": "g, a4", "gennorm": "g", "f": "g, a4", "genpareto": "s4", "skewnorm": "s4",
    "truncnorm": "low4, a4", "vonmises": "g", "nakagami": "g", "rice": "g", "exponnorm": "s4",
    "triang": "u4", "wald": "", "genextreme": "u4", "loggamma": "g",
}  # fmt: skip
_INSIDE = {"truncnorm": "u", "pareto": "big", "beta": "u", "powerlaw": "u", "uniform": "u",
           "semicircular": "u", "triang": "u", "genextreme": "u"}
_DENSITIES = {
    "erlang": ("p", "g"), "loguniform": ("s4", "0.1, big"), "reciprocal": ("s4", "0.1, big"),
    "lomax": ("p", "g"), "gengamma": ("p", "g, a4"), "genlogistic": ("v", "g"),
    "halflogistic": ("p", ""), "fatiguelife": ("p", "g"), "alpha": ("p", "g"),
    "bradford": ("u", "g"), "cosine": ("u", ""), "crystalball": ("low4", "s4, a4"),
    "mielke": ("p", "g, a4"), "laplace_asymmetric": ("v", "g"), "norminvgauss": ("v", "g, u"),
    "recipinvgauss": ("p", "g"), "jf_skew_t": ("v", "g, a4"),
}  # fmt: skip
STATS = [
    f"scipy.stats.{name}.{what}({', '.join(x for x in (x, shapes) if x)}{tail})"
    for name, shapes in _SHAPES.items()
    for what in ("logpdf", "pdf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf")
    for x in [("u" if what in ("ppf", "isf") else _INSIDE.get(name, "p"))]
    for tail in ("", ", loc=-0.1, scale=g2", ", loc=l4, scale=c")
] + [f"scipy.stats.{name}.{what}({x}{', ' if shapes else ''}{shapes}{tail})"
     for name, (x, shapes) in _DENSITIES.items()
     for what in ("logpdf", "pdf") for tail in (", loc=-0.1, scale=g2",)
] + [f"scipy.stats.{call}" for call in (
    "poisson.logpmf(ints, p)", "poisson.pmf(ints, mp)", "binom.logpmf(ints, 5, u)",
    "binom.pmf(ints, 5, h)", "bernoulli.logpmf(bits, u)", "bernoulli.pmf(bits, u)",
    "geom.logpmf(counts, u)", "geom.pmf(counts, u, loc=1)", "nbinom.logpmf(ints, p, u)",
    "nbinom.pmf(ints, p, u)", "multivariate_normal.logpdf(v, w, q)",
    "multivariate_normal.logpdf(m, w, q)", "multivariate_normal.pdf(m, w, q)",
    "poisson.cdf(ints, p)", "poisson.sf(ints, mp)", "poisson.logcdf(ints, p)",
    "poisson.logsf(ints, p)", "binom.cdf(ints, 5, u)", "binom.sf(ints, 5, h)",
    "binom.logcdf(ints, 5, u)", "binom.logsf(ints, 5, u)", "geom.cdf(counts, u)",
    "geom.sf(counts, u, loc=1)", "geom.logcdf(counts, u)", "geom.logsf(counts, u)",
    *(f"{name}.{what}({given}, loc={loc})" for name, given in
      (("nbinom", "counts, p, u"), ("bernoulli", "bits, u"))
      for what, loc in (("cdf", 1), ("sf", 1), ("logcdf", -1), ("logsf", 1))),
    "nbinom.cdf(ints, p, u)", "nbinom.logsf(ints, p, u)",
    "multivariate_t.logpdf(v, w, q, c)", "multivariate_t.logpdf(m, w, q, c)",
    "multivariate_t.logpdf(m, v, q)", "wishart.logpdf(q, 7.5, other)",
    "multivariate_normal.logpdf(v, w, c)", "multivariate_normal.logpdf(m, w, p)",
    "multivariate_normal.pdf(v, w)", "dirichlet.logpdf(simplex, a4)", "dirichlet.pdf(simplex, a4)",
    "multivariate_normal.logpdf(t, None, q)", "multivariate_normal.logpdf(m, cov=q)",
)]  # fmt: skip
SAMPLES = [f"scipy.stats.{name}({args})" for name, many in {
    "gmean": "p|mp|mp, axis=1|mp, axis=None|mp, axis=1, keepdims=True",
    "hmean": "p|mp, axis=1|mp, axis=None", "sem": "v|m|m, axis=1|m, axis=None, ddof=0",
    "variation": "p|mp, axis=1|mp, axis=None, ddof=1", "skew": "z|m, axis=1|m, None|z, bias=False",
    "kurtosis": "z|m, axis=1|z, fisher=False|z, bias=False|m, axis=None",
    "moment": "z, 2|m, 3, axis=1|m, 4, axis=None|z, 1", "tmean": "v|m|m, axis=1",
    "entropy": "p|p, g|mp, axis=1|mp, base=2.0|mp, mp2, axis=1|p, g, 10.0",
    "pearsonr": "v, w|z, at", "linregress": "v, w|z, at",
    "zscore": "v|m|m, axis=1|m, axis=None|z, ddof=1",
}.items() for args in many.split("|")]  # fmt: skip
ARRAYS = [f"scipy.signal.{name}({args})" for name, many in {
    "convolve": "v, z|v, a3, 'same'|v, a3, mode='valid'|a3, v, 'valid'|a3, v, 'same'|"
    "m, n, 'same'|m, e",
    "fftconvolve": "v, z|m, n|m, f, 'valid'|a3, v, 'same'", "oaconvolve": "v, z|m, e, 'same'",
    "correlate": "v, z|v, a3, 'same'|v, a3, 'valid'|a3, v, 'valid'|a3, v, 'same'|m, n|"
    "m, f, 'valid'",
    "convolve2d": "m, n|m, f, 'valid'|m, e, 'same'", "correlate2d": "m, n|m, e, 'same'",
    "resample": "v, 6|v, 3|v, 2|z, 8|z, 3|z, 4|v, 4|v, 5|m, 5|m, 2, axis=1|t, 6, axis=1",
    "upfirdn": "a3, v|a3, v, 2|a3, z, 1, 2|a3, m, 2, 3|a3, m, 3, 2, axis=0|one, v, 2, 3",
    "medfilt": "v|z, 5|m|m, (1, 3)|t, 3",
    "lfilter": "a3, g, z|a3, g, m|a3, g, m, 0|v, one, z|one, g, v",
    "sosfilt": "sos, z|sos, m, axis=0",
    "filtfilt": "a3p, big3, long|a3p, big3, longs, padtype='even'|a3p, big3, long, padlen=4|"
    "a3p, big3, long, -1, 'constant'|a3p, one, long, padtype=None|a3p, big3, longs.T, axis=0",
    "sosfiltfilt": "sos, long|sos, longs, padlen=5|sos, longs, 1, 'even'",
    "savgol_filter": "long, 5, 2|longs, 5, 3, 1, 0.5|longs.T, 3, 1, axis=0|long, 7, 2, 2|"
    "long, 5, 2, mode='mirror'|long, 5, 2, mode='nearest'|long, 5, 2, mode='constant'",
    "detrend": "v|m|m, axis=0, type='constant'|m, 0",
}.items() for args in many.split("|")] + [f"scipy.ndimage.{name}({args})" for name, many in {
    "correlate": "v, a3|m, e|m, f|m, f, mode='nearest'|m, e, mode='mirror'|m, e, mode='wrap'|"
    "m, e, mode='constant'|m, f, mode='constant', cval=0.7|z, a3, origin=1|z, v, origin=-1|"
    "m, f, mode='wrap', origin=(-1, 1)|z, v, mode='nearest'",
    "convolve": "v, a3|m, e|m, f|m, f, mode='nearest'|m, e, mode='wrap'|z, v|z, v, origin=1|"
    "m, f, mode='constant', cval=0.7|z, a3, origin=-1, mode='mirror'|m, n",
    "correlate1d": "v, a3|m, a3, 0|m, a3, origin=1|m, a3, 1, mode='nearest'|m, v, 0, mode='wrap'",
    "convolve1d": "v, a3|m, a3, 0, mode='constant', cval=0.3|m, v, origin=-1",
    "uniform_filter1d": "long, 3|m, 2, 0|m, 3, mode='nearest'|m, 2, 1, origin=-1",
    "uniform_filter": "long, 4|m|m, (1, 2)|t, 2, mode='mirror'",
    "gaussian_filter": "v, 1.0|m, 0.7|m, (0.5, 1.5)|m, 1.0, mode='constant'|m, 1.0, mode='nearest'|"
    "m, 1.0, mode='wrap'|m, 1.0, mode='mirror'|m, 1.0, 1|m, 1.0, (0, 2), truncate=2.0|"
    "m, 1.0, radius=2|t, 0.8, axes=(0, 2)|m, 1.0, mode=('wrap', 'nearest')|m, 0.0",
    "laplace": "v|m|m, mode='nearest'|m, mode='wrap'|t, mode='constant', cval=0.5",
    "sobel": "v|m|m, axis=0|t, axis=1|m, mode='constant', cval=0.3",
    "prewitt": "v|m|m, axis=0, mode='mirror'",
    "shift": "v, 0.3|m, (0.5, -1.2)|m, 0.4, order=1|m, 0.4, mode='nearest'|m, -0.6, mode='wrap'|"
    "m, 1.3, cval=0.5|m, 0.3, order=0|m, 0.3, mode='grid-wrap', prefilter=False",
    "zoom": "v, 2.0|m, 1.5|m, (0.5, 2.0)|m, 2.0, order=1|m, 2.0, mode='nearest'|m, 2.0, order=0|"
    "m, 2.0, mode='grid-constant', grid_mode=True",
    "map_coordinates": "v, spots, order=1|m, spots2, order=1|m, spots2, order=1, mode='nearest'|"
    "m, spots2, order=1, cval=0.7|m, spots3, order=1|m, spots3, order=1, mode='nearest'",
    "gaussian_filter1d": "v, 1.0|m, 0.7|m, 0.7, axis=0, mode='constant', cval=0.3|m, 0.7, 0, 1",
}.items() for args in many.split("|")] + [
    f"scipy.integrate.{name}({args})" for name, many in {
        "trapezoid": "v|v, w|m, dx=0.5|m, dx=s, axis=0|m, axis=0",
        "simpson": "v|z|m|m, axis=0|m, xs|z, dx=0.5|v, xs|"
        "t, axis=1|m, x=mp|b3|a3, x=b3|n, xs, axis=0|m2, x=mp, axis=0",
        "cumulative_simpson": "v|z|m, axis=0|m, dx=0.5|v, x=xs|z, dx=0.3, initial=0.5|t, axis=1|"
        "n, x=xs, axis=0, initial=0.0",
        "romb": "z|longs, 0.5, 0|cubes, axis=1",
        "cumulative_trapezoid": "v|v, w|m, dx=0.5|m, axis=0|m, v|m, initial=0|"
        "m, m2|m, a3, axis=0|v, w, initial=0.0",
    }.items() for args in many.split("|")
] + [f"scipy.spatial.distance.{call}" for call in (
    "cdist(m, m2)", "cdist(m, q, 'sqeuclidean')", "cdist(m, m2, 'cityblock')", "pdist(m)",
    "pdist(q, 'sqeuclidean')", "pdist(m, metric='cityblock')", "euclidean(v, w)",
    "sqeuclidean(v, w)", "cityblock(v, w)", "cdist(m, m2, 'minkowski', p=3)",
    "cdist(m, q, 'minkowski')", "cdist(m, m2, 'chebyshev')", "cdist(m, m2, 'seuclidean', V=p)",
    "cdist(m, q, 'mahalanobis', VI=other)", "cdist(m, m2, 'cosine')", "cdist(m, q, 'correlation')",
    "cdist(m, m2, 'canberra')", "cdist(m, m2, 'braycurtis')", "cdist(mp, mp2, 'jensenshannon')",
    "pdist(m, 'minkowski', p=3)", "pdist(m, 'chebyshev')", "pdist(m, 'seuclidean', V=p)",
    "pdist(m, 'mahalanobis', VI=other)", "pdist(m, 'cosine')", "pdist(m, 'correlation')",
    "pdist(m, 'canberra')", "pdist(m, 'braycurtis')", "pdist(mp, 'jensenshannon')",
    "squareform(a3)", "minkowski(v, w, 3)", "chebyshev(v, w)", "seuclidean(v, w, p)",
    "mahalanobis(v, w, other)", "cosine(v, w)", "correlation(v, w)", "canberra(v, w)",
    "braycurtis(v, w)", "jensenshannon(p, g)",
)]  # fmt: skip
COSINES = [f"scipy.fft.{name}({args})" for name, many in {
    **dict.fromkeys(
        ("dct", "idct", "dst", "idst"),
        "v|z, 2|z, type=1|z, 3|z, 4|v, 2, 6|z, 3, 3|m, 1, axis=0|m, 2, norm='ortho'|"
        "m, 3, norm='forward'|z, 1, norm='ortho'|z, 1, norm='forward'|z, 4, norm='ortho'",
    ),
    **dict.fromkeys(
        ("dctn", "idctn", "dstn", "idstn"),
        "m|t, axes=(0, 2)|m, 1, norm='forward'|m, 3, norm='ortho'|m, 2, (2, 5)",
    ),
}.items() for args in many.split("|")]  # fmt: skip

SCIPY = [*SPECIAL, *LINALG, *STATS, *ARRAYS, *SAMPLES, *COSINES]
