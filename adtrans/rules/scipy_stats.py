"""`scipy.stats`: densities, distribution functions and quantiles of the common distributions.

With `z = (x - loc) / scale` a log-density is `log f(z) - log(scale)`, so that one line says what a
distribution needs: the slope of `log f`, and that for each shape. Outside of the support, where the
density is 0, a log-density has no derivative: it is nan there.

>>> from adtrans.rules.registry import all_rules
>>> dict(all_rules())["scipy.stats.norm.logpdf"].active_params
('x', 'loc', 'scale')
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from adtrans.rules.declare import Site, elementwise, rule, unknown

_SHAPE = "the derivative of a distribution function with respect to a shape has no closed form"


def _spelled(text: str) -> str:
    text = text.replace("@", "scipy.special.")
    return re.sub(r"\bz\b", "((x - loc) / scale)", text)


def log_density(name: str, slope: str, **shapes: str) -> None:
    """The density of a distribution, and its logarithm; as in `continuous`."""
    path = f"scipy.stats.{name}"
    given = ", ".join(["x", *shapes])
    slope = _spelled(slope)
    partials = {
        "x": f"({slope}) / scale",
        "loc": f"-({slope}) / scale",
        "scale": f"-(1 + (x - loc) / scale * ({slope})) / scale",
        **{k: _spelled(v) for k, v in shapes.items()},
    }
    elementwise(f"{path}.logpdf({given}, loc=0, scale=1)",
                **{k: f"inside(y, {v})" for k, v in partials.items()})  # fmt: skip
    elementwise(f"{path}.pdf({given}, loc=0, scale=1)",
                **{k: f"where_positive(y, {v})" for k, v in partials.items()})  # fmt: skip


def continuous(name: str, slope: str, **shapes: str) -> None:
    """A continuous distribution: the slopes of its standard log-density in `z` and each shape."""
    log_density(name, slope, **shapes)
    path = f"scipy.stats.{name}"
    given = ", ".join(["x", *shapes])
    call = f"({', '.join(['x', *shapes, 'loc', 'scale'])})"
    without = dict.fromkeys(shapes, _SHAPE)
    for what, weight in (("cdf", "{}.pdf{}"), ("sf", "-{}.pdf{}"),
                         ("logcdf", "np.exp({}.logpdf{} - y)"),
                         ("logsf", "-np.exp({}.logpdf{} - y)")):  # fmt: skip
        density = weight.format(path, call)
        elementwise(f"{path}.{what}({given}, loc=0, scale=1)", without=without, x=density,
                    loc=f"-({density})",
                    scale=f"-where_positive({density}, (x - loc) / scale)")  # fmt: skip
    for what, sign in (("ppf", ""), ("isf", "-")):
        density = f"{path}.pdf{call.replace('(x', '(y', 1)}"
        elementwise(f"{path}.{what}({given.replace('x', 'q', 1)}, loc=0, scale=1)", loc="1",
                    without=without, q=f"{sign}1 / {density}", scale="(y - loc) / scale",
                    )  # fmt: skip


def discrete(
    name: str, shapes: str, slopes: Mapping[str, str], steps: Mapping[str, str]
) -> None:
    """A discrete distribution: the slopes of its log-probability; `k` is an integer. `steps` are
    slopes of the probability itself, which need not be 0 where that is."""
    path = f"scipy.stats.{name}"
    spelled = {p: re.sub(r"\bk\b", "(k - loc)", s.replace("@", "scipy.special."))
               for p, s in slopes.items()}  # fmt: skip
    direct = {p: f"where_positive(y, {s})" for p, s in spelled.items()}
    direct |= {p: s.replace("@", f"{path}.pmf") for p, s in steps.items()}
    without = {p: "it counts: it is an integer" for p in ("k", "loc", "n") if p not in slopes}
    elementwise(f"{path}.logpmf(k, {shapes}, loc=0)", without=without,
                **{p: f"inside(y, {s})" for p, s in spelled.items()})  # fmt: skip
    elementwise(f"{path}.pmf(k, {shapes}, loc=0)", without=without, **direct)


continuous("norm", "-z")
continuous("halfnorm", "-z")
continuous("uniform", "0.0 * x")
continuous("expon", "-1.0 + 0.0 * x")
continuous("laplace", "-np.sign(z)")
continuous("cauchy", "-2 * z / (1 + z * z)")
continuous("halfcauchy", "-2 * z / (1 + z * z)")
continuous("logistic", "-np.tanh(0.5 * z)")
continuous("gumbel_r", "np.exp(-z) - 1")
continuous("gumbel_l", "1 - np.exp(z)")
continuous("rayleigh", "1 / z - z")
continuous("t", "-(1 + 1 / df) * z / (1 + z * z / df)",  # also of infinitely many
           df="0.5 * (@digamma(0.5 * (df + 1)) - @digamma(0.5 * df) - 1 / df - np.log1p(z * z / df)"
           " + (df + 1) * z * z / (df * (df + z * z)))")  # fmt: skip
continuous("gamma", "(a - 1) / z - 1", a="np.log(z) - @digamma(a)")
continuous("invgamma", "1 / (z * z) - (a + 1) / z", a="-np.log(z) - @digamma(a)")
continuous("chi2", "(0.5 * df - 1) / z - 0.5", df="0.5 * (np.log(0.5 * z) - @digamma(0.5 * df))")
continuous("beta", "(a - 1) / z - (b - 1) / (1 - z)",
           a="np.log(z) - @digamma(a) + @digamma(a + b)",
           b="np.log1p(-z) - @digamma(b) + @digamma(a + b)")  # fmt: skip
continuous("lognorm", "-(1 + np.log(z) / (s * s)) / z", s="np.log(z) ** 2 / s ** 3 - 1 / s")
continuous("weibull_min", "(c - 1) / z - c * z ** (c - 1)",
           c="1 / c + np.log(z) - z ** c * np.log(z)")  # fmt: skip
continuous("pareto", "-(b + 1) / z", b="1 / b - np.log(z)")
continuous("powerlaw", "(a - 1) / z", a="1 / a + np.log(z)")
continuous("maxwell", "2 / z - z")
continuous("levy", "0.5 / (z * z) - 1.5 / z")
continuous("moyal", "0.5 * (np.exp(-z) - 1)")
continuous("hypsecant", "-np.tanh(z)")
continuous("semicircular", "-z / (1 - z * z)")
continuous("invweibull", "(c * z ** -c - c - 1) / z",
           c="1 / c - np.log(z) + z ** -c * np.log(z)")  # fmt: skip
continuous("invgauss", "-1.5 / z - 0.5 / (mu * mu) + 0.5 / (z * z)",
           mu="z / mu ** 3 - 1 / (mu * mu)")  # fmt: skip
continuous("fisk", "(c - 1) / z - 2 * c * z ** (c - 1) / (1 + z ** c)",
           c="1 / c + np.log(z) - 2 * np.log(z) * z ** c / (1 + z ** c)")  # fmt: skip
continuous("burr12", "(c - 1) / z - (d + 1) * c * z ** (c - 1) / (1 + z ** c)",
           c="1 / c + np.log(z) - (d + 1) * np.log(z) * z ** c / (1 + z ** c)",
           d="1 / d - np.log1p(z ** c)")  # fmt: skip
continuous("gennorm", "-beta * np.sign(z) * np.abs(z) ** (beta - 1)",
           beta="1 / beta + @digamma(1 / beta) / (beta * beta) "
                "- @xlogy(np.abs(z) ** beta, np.abs(z))")  # fmt: skip
continuous("f", "(0.5 * dfn - 1) / z - 0.5 * (dfn + dfd) * dfn / (dfd + dfn * z)",
           dfn="0.5 * (@digamma(0.5 * (dfn + dfd)) - @digamma(0.5 * dfn) + np.log(dfn / dfd) + 1 "
               "+ np.log(z) - np.log1p(dfn * z / dfd) - (dfn + dfd) * z / (dfd + dfn * z))",
           dfd="0.5 * (@digamma(0.5 * (dfn + dfd)) - @digamma(0.5 * dfd) - dfn / dfd "
               "- np.log1p(dfn * z / dfd) + (dfn + dfd) * dfn * z / (dfd * (dfd + dfn * z)))",
           )  # fmt: skip
continuous("genpareto", "-(c + 1) / (1 + c * z)",
           c="0.5 * z * z * @hyp2f1(2, 2, 3, -c * z) - z / (1 + c * z)")  # fmt: skip
continuous("skewnorm", "a * np.exp(scipy.stats.norm.logpdf(a * z) - @log_ndtr(a * z)) - z",
           a="z * np.exp(scipy.stats.norm.logpdf(a * z) - @log_ndtr(a * z))")  # fmt: skip
continuous("vonmises", "-kappa * np.sin(z)",
           kappa="np.cos(z) - @i1e(kappa) / @i0e(kappa)")  # fmt: skip
continuous("nakagami", "(2 * nu - 1) / z - 2 * nu * z",
           nu="np.log(nu) + 1 - @digamma(nu) + 2 * np.log(z) - z * z")  # fmt: skip
continuous("rice", "1 / z - z + b * @i1e(b * z) / @i0e(b * z)",
           b="z * @i1e(b * z) / @i0e(b * z) - b")  # fmt: skip
continuous("exponnorm", "np.exp(scipy.stats.norm.logpdf(z - 1 / K) - @log_ndtr(z - 1 / K)) - 1 / K",
           K="-1 / K - 1 / K ** 3 + z / (K * K) + np.exp(scipy.stats.norm.logpdf(z - 1 / K) - "
             "@log_ndtr(z - 1 / K)) / (K * K)")  # fmt: skip
_MASS = "np.where(a > 0, @ndtr(-a) - @ndtr(-b), @ndtr(b) - @ndtr(a))"  # without cancellation
continuous("truncnorm", "-z", a=f"np.exp(scipy.stats.norm.logpdf(a)) / {_MASS}",
           b=f"-np.exp(scipy.stats.norm.logpdf(b)) / {_MASS}")  # fmt: skip
continuous("triang", "1 / np.where(z < c, z, z - 1)",
           c="np.where(z < c, -1 / np.where(c > 0, c, 1.0), 1 / np.where(c < 1, 1 - c, 1.0))",
           )  # fmt: skip
continuous("wald", "-1.5 / z - 0.5 + 0.5 / (z * z)")
continuous("genextreme", "extreme_slope(z, c)", c="extreme_shape(z, c)")
continuous("loggamma", "c - np.exp(z)", c="z - @digamma(c)")
log_density("erlang", "(a - 1) / z - 1", a="np.log(z) - @digamma(a)")
for _name in ("loguniform", "reciprocal"):
    log_density(_name, "-1 / z", a="1 / (a * np.log(b / a))", b="-1 / (b * np.log(b / a))")
log_density("lomax", "-(c + 1) / (1 + z)", c="1 / c - np.log1p(z)")
log_density("gengamma", "(c * a - 1) / z - c * z ** (c - 1)", a="c * np.log(z) - @digamma(a)",
        c="1 / c + a * np.log(z) - z ** c * np.log(z)")  # fmt: skip
log_density("genlogistic", "(c + 1) * @expit(-z) - 1", c="1 / c - np.logaddexp(0.0, -z)")
log_density("halflogistic", "-np.tanh(0.5 * z)")
log_density("fatiguelife", "1 / (z + 1) - 1.5 / z - 0.5 * (1 - 1 / (z * z)) / (c * c)",
        c="(z - 1) ** 2 / (z * c ** 3) - 1 / c")  # fmt: skip
log_density("alpha", "(a - 1 / z) / (-z * z) - 2 / z",
        a="1 / z - a - np.exp(scipy.stats.norm.logpdf(a) - @log_ndtr(a))")  # fmt: skip
log_density("bradford", "-c / (1 + c * z)",
            c="1 / c - z / (1 + c * z) - 1 / ((1 + c) * np.log1p(c))")
log_density("cosine", "-np.sin(z) / (1 + np.cos(z))")
_BODY = ("(m / (beta * (m - 1)) * np.exp(-0.5 * beta * beta) "
         "+ np.sqrt(2 * np.pi) * @ndtr(beta))")  # fmt: skip
_TAIL = "(m / beta - beta - np.minimum(z, -beta))"
log_density("crystalball", f"np.where(z > -beta, -z, m / {_TAIL})",
        beta="np.exp(-0.5 * beta * beta) * (m / (m - 1) * (1 + 1 / (beta * beta)) - 1) / "
             f"{_BODY} + np.where(z > -beta, 0.0, m * (m / (beta * beta) + 1) / {_TAIL} "
             "- m / beta - beta)",
        m=f"np.exp(-0.5 * beta * beta) / (beta * (m - 1) ** 2 * {_BODY}) + np.where(z > -beta, "
          f"0.0, np.log(m / beta) + 1 - np.log({_TAIL}) - m / (beta * {_TAIL}))")  # fmt: skip
log_density("mielke", "(k - 1) / z - (s + k) * z ** (s - 1) / (1 + z ** s)",
        k="1 / k + np.log(z) - np.log1p(z ** s) / s",
        s="k * np.log1p(z ** s) / (s * s) - (1 + k / s) * z ** s * np.log(z) / (1 + z ** s)",
        )  # fmt: skip
log_density("laplace_asymmetric", "np.where(z >= 0, -kappa, 1 / kappa)",
        kappa="(1 / (kappa * kappa) - 1) / (kappa + 1 / kappa) "
              "- np.where(z >= 0, z, z / (kappa * kappa))")  # fmt: skip
_FAR, _BESSEL = "np.sqrt(1 + z * z)", "@k0e(a * np.sqrt(1 + z * z)) / @k1e(a * np.sqrt(1 + z * z))"
log_density("norminvgauss", f"b - 2 * z / (1 + z * z) - a * z / {_FAR} * {_BESSEL}",
        a=f"a / np.sqrt(a * a - b * b) - {_FAR} * {_BESSEL}",
        b="z - b / np.sqrt(a * a - b * b)")  # fmt: skip
log_density("recipinvgauss", "0.5 / (z * mu) ** 2 - 0.5 / z - 0.5",
        mu="1 / (z * mu ** 3) - 1 / (mu * mu)")  # fmt: skip
_W, _S = "z / np.sqrt(a + b + z * z)", "(a + b + z * z) ** 1.5"
_DRAWN = f"((a + 0.5) / (1 + {_W}) - (b + 0.5) / (1 - {_W}))"
log_density("jf_skew_t", f"{_DRAWN} * (a + b) / {_S}", **{
    p: f"np.log1p({sign}{_W}) - np.log(2.0) - @digamma({p}) + @digamma(a + b) - 0.5 / (a + b) "
       f"- 0.5 * z * {_DRAWN} / {_S}" for p, sign in (("a", ""), ("b", "-"))
})  # fmt: skip
unknown("its density is a difference of distribution functions, whose slopes by the shapes have no "
        "closed form", *(f"scipy.stats.nct.{m}" for m in (
            "logpdf", "pdf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf")))  # fmt: skip
discrete("poisson", "mu", {"mu": "ratio_or_zero(k, mu) - 1"}, {"mu": "@(k - 1, mu, loc) - y"})
discrete("binom", "n, p", {"p": "ratio_or_zero(k, p) - ratio_or_zero(n - k, 1 - p)"},
         {"p": "n * (@(k - 1, np.maximum(n - 1, 0), p, loc) "
               "- @(k, np.maximum(n - 1, 0), p, loc))"})  # fmt: skip
discrete("bernoulli", "p", {"p": "ratio_or_zero(k, p) - ratio_or_zero(1 - k, 1 - p)"},
         {"p": "np.where(k - loc == 1, 1.0, np.where(k - loc == 0, -1.0, 0.0))"})  # fmt: skip
discrete("geom", "p", {"p": "1 / p - ratio_or_zero(k - 1, 1 - p)"},
         {"p": "y / p - (k - loc - 1) * @(k - 1, p, loc)"})  # fmt: skip
discrete("nbinom", "n, p", {"p": "n / p - ratio_or_zero(k, 1 - p)",
                            "n": "@digamma(k + n) - @digamma(n) + np.log(p)"},
         {"p": "n / p * (y - @(k - 1, n + 1, p, loc))"})  # fmt: skip


def _normal_refusal(site: Site) -> str | None:
    if site.ndim("cov") in (2, None) or (site.ndim("cov") in (0, 1) and site.ndim("mean") == 1):
        return None
    return "`cov` must be a matrix, or the mean a vector"


_MOMENTS = "x, mean=None, cov=1, allow_singular=False"
for _what, _seed in (("logpdf", "{}"), ("pdf", "{} * y")):
    _g, _t = _seed.format("y_bar"), _seed.format("1.0")
    rule(f"scipy.stats.multivariate_normal.{_what}({_MOMENTS})", refuses=_normal_refusal,
         x=f"multivariate_normal_x({_g}, x, mean, cov, allow_singular)",
         mean=f"multivariate_normal_mean({_g}, x, mean, cov, allow_singular)",
         cov=f"multivariate_normal_cov({_g}, x, mean, cov, allow_singular)",
         x_dot=f"{_t} * multivariate_normal_slope(dot, None, x, mean, cov, allow_singular)",
         mean_dot=f"-{_t} * multivariate_normal_slope(dot, None, x, mean, cov, allow_singular)",
         cov_dot=f"{_t} * multivariate_normal_slope(None, dot, x, mean, cov, allow_singular)",
         )  # fmt: skip


def _simplex_refusal(site: Site) -> str | None:
    one = site.ndim("x") == 1 and site.ndim("alpha") == 1
    return None if one else "only one point has a rule"


for _what, _seed in (("logpdf", "{}"), ("pdf", "{} * y")):
    _slope = ("(np.log(simplex_point(x, alpha)) - scipy.special.digamma(alpha) "
              "+ scipy.special.digamma(np.sum(alpha)))")  # fmt: skip
    _g, _t = _seed.format("y_bar"), _seed.format("1.0")
    rule(f"scipy.stats.dirichlet.{_what}(x, alpha)", refuses=_simplex_refusal,
         x=f"{_g} * simplex_slope(x, alpha)",
         x_dot=f"{_t} * np.sum(dot * simplex_slope(x, alpha))",
         alpha=f"{_g} * {_slope}", alpha_dot=f"{_t} * np.sum(dot * {_slope})")  # fmt: skip
unknown("it has no rule; write it out with `np.mean`, `np.std` and `np.sum`",
        *(f"scipy.stats.{n}" for n in (
            "pmean", "trim_mean", "differential_entropy", "ttest_ind",
            "ttest_1samp", "ttest_rel", "describe", "wasserstein_distance", "energy_distance",
            "circvar", "circstd")),
        "scipy.special.diric")  # fmt: skip
_COUNTS = dict.fromkeys(("k", "n", "loc"), "it counts: it is an integer")
for _name, _given, _by, _slope in (
    # the sums of the probabilities telescope: each is a value of one of them
    ("poisson", "mu", "mu", "-scipy.stats.poisson.pmf(np.floor(k - loc), mu)"),
    ("binom", "n, p", "p", "-n * scipy.stats.binom.pmf(np.floor(k - loc), "
                           "np.maximum(n - 1, 0), p)"),
    ("geom", "p", "p", "np.where(k - loc < 1, 0.0, np.floor(k - loc) * (1 - p) ** "
                       "(np.floor(k - loc) - 1))"),
    ("nbinom", "n, p", "p", "np.where(k - loc < 0, 0.0, beta_density(n, "
                            "np.maximum(np.floor(k - loc), 0) + 1, p))"),
    ("bernoulli", "p", "p", "np.where((k - loc >= 0) & (k - loc < 1), -1.0, 0.0)"),
):  # fmt: skip
    _fixed = {n: w for n, w in _COUNTS.items() if n in ("k", "loc", *_given.split(", "))}
    for _what, _weight in (("cdf", ""), ("sf", "-"), ("logcdf", "np.exp(-y) * "),
                           ("logsf", "-np.exp(-y) * ")):  # fmt: skip
        elementwise(f"scipy.stats.{_name}.{_what}(k, {_given}, loc=0)", without=_fixed,
                    **{_by: f"{_weight}({_slope})"})  # fmt: skip
unknown("this method has no rule yet", "scipy.stats.multivariate_normal.cdf",
        "scipy.stats.multivariate_normal.logcdf")  # fmt: skip
