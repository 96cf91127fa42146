"""`scipy.special`: derivatives for the argument; orders have none unless they have a closed form.

Nothing here imports SciPy: the rules are looked up once a program has imported it. `@` stands for
`scipy.special.` in the formulas, which are those of the Digital Library of Mathematical Functions
(https://dlmf.nist.gov): 5.9 gamma, 6 and 7 exponential and error integrals, 8 incomplete gamma and
beta, 10 Bessel, 11 Struve, 13, 15 hypergeometric, 18.9 polynomials, 19.4, 19.25 elliptic integrals.

>>> from adtrans.rules import lookup
>>> lookup(object()) is None
True
"""

from __future__ import annotations

from typing import Any

from adtrans.rules import numpy_reductions as reductions
from adtrans.rules import registry
from adtrans.rules.declare import Site, constant, elementwise, rule, ufunc, unknown
from adtrans.rules.site import Text

_ORDER = "the derivative with respect to an order or shape has no closed form"


def _spelled(text: Any) -> Any:
    if isinstance(text, tuple):
        return tuple(_spelled(t) for t in text)
    return text.replace("@", "scipy.special.") if isinstance(text, str) else text


def special(text: str, /, *aliases: str, **formulas: Any) -> None:
    """A universal function; parameters without a formula are orders."""
    names = text.partition("(")[2].rstrip(")").replace(" ", "").split(",")
    ufunc(
        f"scipy.special.{text}",
        aliases=[f"scipy.special.{name}" for name in aliases],
        without={name: _ORDER for name in names if name not in formulas},
        **{name: _spelled(formula) for name, formula in formulas.items()},
    )


def several(text: str, *slopes: str) -> None:
    """A function of one number with several results, given the derivative of each."""
    terms = " + ".join(f"y_bar[{k}] * ({_spelled(s)})" for k, s in enumerate(slopes))
    dots = ", ".join(f"dot * ({_spelled(s)})" for s in slopes)
    rule(f"scipy.special.{text}", x=terms, x_dot=f"({dots})", tuple_result=True)


# exponentials, logarithms, logistic functions
special("exp2(x)", x=("0.6931471805599453 * y", "0.6931471805599453 * np.exp2(x)"))
special("exp10(x)", x=("2.302585092994046 * y", "2.302585092994046 * @exp10(x)"))
special("expm1(x)", x=("y + 1", "np.exp(x)"))
special("exprel(x)", x="exprel_slope(x)")
registry.add_helper(
    elementwise("exprel_slope(x)", x="scipy.special.hyp1f1(3, 4, x) / 3", register=False)
)
special("log1p(x)", x=("1 / (1 + x)", "np.exp(-y)"))
special("cbrt(x)", x=("1 / (3 * y * y)", "1 / (3 * np.cbrt(x) ** 2)"))
special("expit(x)", x=("y * (1 - y)", "@expit(x) * @expit(-x)"))
special("logit(x)", x=("1 / (x * (1 - x))", "1 / (@expit(y) * @expit(-y))"))
special("log_expit(x)", x=("-np.expm1(y)", "@expit(-x)"))
special("softplus(x)", x=("@expit(x)", "-np.expm1(-y)"))
registry.add_helper(
    elementwise("ratio_or_zero(a, b)", a="1 / b", b="-ratio_or_zero(ratio_or_zero(a, b), b)",
                register=False)
)  # fmt: skip
special("xlogy(a, b)", a="np.log(b)", b="ratio_or_zero(a, b)")
special("xlog1py(a, b)", a="np.log1p(b)", b="ratio_or_zero(a, 1 + b)")
special("powm1(a, b)", a="b * a ** (b - 1)", b="(y + 1) * np.log(a)")
special("wrightomega(x)", x="y / (1 + y)")
elementwise("scipy.special.lambertw(x: 'z', k=0, tol=1e-8)", x="1 / (np.exp(y) * (1 + y))",
            inert=("k", "tol"))  # fmt: skip
special("cosm1(x)", x="-np.sin(x)")
special("sindg(x)", x="0.017453292519943295 * @cosdg(x)")
special("cosdg(x)", x="-0.017453292519943295 * @sindg(x)")
special("tandg(x)", x="0.017453292519943295 * (1 + y * y)")
special("cotdg(x)", x="-0.017453292519943295 * (1 + y * y)")
special("radian(d, m, s)", d="0.017453292519943295", m="0.0002908882086657216",
        s="4.84813681109536e-06")  # fmt: skip

# entropies and losses
special("entr(x)", x="-np.log(x) - 1")
special("rel_entr(a, b)", a="np.log(a / b) + 1", b="-ratio_or_zero(a, b)")
special("kl_div(a, b)", a="np.log(a / b)", b="1 - ratio_or_zero(a, b)")
special("huber(delta, r)", delta="np.maximum(np.abs(r) - delta, 0)", r="np.clip(r, -delta, delta)")
special("pseudo_huber(delta, r)", r="r / np.sqrt(1 + (r / delta) ** 2)",
        delta="2 * delta * (np.sqrt(1 + (r / delta) ** 2) - 1) "
        "- r * r / (delta * np.sqrt(1 + (r / delta) ** 2))")  # fmt: skip
special("boxcox(x, lmbda)", x="x ** (lmbda - 1)",
        lmbda="np.log(x) ** 2 * exprel_slope(lmbda * np.log(x))")
special("boxcox1p(x, lmbda)", x="(1 + x) ** (lmbda - 1)",
        lmbda="np.log1p(x) ** 2 * exprel_slope(lmbda * np.log1p(x))")
special("inv_boxcox(x, lmbda)", x="y ** (1 - lmbda)",
        lmbda="-0.5 * y * x * x * @hyp2f1(2, 2, 3, -lmbda * x)")
special("inv_boxcox1p(x, lmbda)", x="(y + 1) ** (1 - lmbda)",
        lmbda="-0.5 * (y + 1) * x * x * @hyp2f1(2, 2, 3, -lmbda * x)")  # fmt: skip

# gamma and beta functions
special("gamma(x)", x="y * @digamma(x)")
special("gammaln(x)", x="@digamma(x)")
special("loggamma(x)", x="@digamma(x)")
special("rgamma(x)", x="rgamma_slope(x)")
special("psi(x)", "digamma", x="@polygamma(1, x)")
elementwise("scipy.special.polygamma(n, x)", x=_spelled("@polygamma(n + 1, x)"),
            without={"n": _ORDER})  # fmt: skip
elementwise("scipy.special.multigammaln(a, d)", a="multigammaln_slope(a, d)", without={"d": _ORDER})
elementwise("scipy.special.zeta(x, q=None, out=None)", q=_spelled("-x * @zeta(x + 1, q)"),
            without={"x": "the derivative with respect to the exponent has no closed form"},
            )  # fmt: skip
special("beta(a, b)", a="y * (@digamma(a) - @digamma(a + b))",
        b="y * (@digamma(b) - @digamma(a + b))")  # fmt: skip
special("betaln(a, b)", a="@digamma(a) - @digamma(a + b)", b="@digamma(b) - @digamma(a + b)")
special("binom(n, k)", n="y * (@digamma(n + 1) - @digamma(n - k + 1))",
        k="y * (@digamma(n - k + 1) - @digamma(k + 1))")  # fmt: skip
special("poch(z, m)", z="y * (@digamma(z + m) - @digamma(z))", m="y * @digamma(z + m)")
special("gammainc(a, x)", x="gamma_density(a, x)")
special("gammaincc(a, x)", x="-gamma_density(a, x)")
special("gammaincinv(a, p)", p="1 / gamma_density(a, y)")
special("gammainccinv(a, p)", p="-1 / gamma_density(a, y)")
special("betainc(a, b, x)", x="beta_density(a, b, x)")
special("betaincc(a, b, x)", x="-beta_density(a, b, x)")
special("betaincinv(a, b, p)", p="1 / beta_density(a, b, y)")
special("betainccinv(a, b, p)", p="-1 / beta_density(a, b, y)")

# error functions and the normal distribution
special("erf(x)", x="1.1283791670955126 * np.exp(-x * x)")
special("erfc(x)", x="-1.1283791670955126 * np.exp(-x * x)")
special("erfcx(x)", x="2 * x * y - 1.1283791670955126")
special("erfi(x)", x="1.1283791670955126 * np.exp(x * x)")
special("dawsn(x)", x="1 - 2 * x * y")
special("erfinv(x)", x="0.886226925452758 * np.exp(y * y)")
special("erfcinv(x)", x="-0.886226925452758 * np.exp(y * y)")
special("ndtr(x)", x="0.3989422804014327 * np.exp(-0.5 * x * x)")
special("ndtri(p)", p="2.5066282746310002 * np.exp(0.5 * y * y)")
special("log_ndtr(x)", x="0.3989422804014327 * np.exp(-0.5 * x * x - y)")
special("ndtri_exp(x)", x="2.5066282746310002 * np.exp(x + 0.5 * y * y)")
special("owens_t(h, a)", h="-0.19947114020071635 * np.exp(-0.5 * h * h) * "
        "@erf(0.7071067811865476 * a * h)",
        a="0.15915494309189535 * np.exp(-0.5 * h * h * (1 + a * a)) / (1 + a * a)")  # fmt: skip

# other distributions
special("chdtr(v, x)", x="0.5 * gamma_density(v / 2, x / 2)")
special("chdtrc(v, x)", x="-0.5 * gamma_density(v / 2, x / 2)")
special("chdtri(v, p)", p="-2 / gamma_density(v / 2, y / 2)")
special("gdtr(a, b, x)", a="x * gamma_density(b, a * x)", x="a * gamma_density(b, a * x)")
special("gdtrc(a, b, x)", a="-x * gamma_density(b, a * x)", x="-a * gamma_density(b, a * x)")
special("pdtr(k, m)", m="-gamma_density(np.floor(k) + 1, m)")
special("pdtrc(k, m)", m="gamma_density(np.floor(k) + 1, m)")
special("bdtr(k, n, p)", p="-beta_density(np.floor(k) + 1, np.trunc(n) - np.floor(k), p)")
special("bdtrc(k, n, p)", p="beta_density(np.floor(k) + 1, np.trunc(n) - np.floor(k), p)")
special("nbdtr(k, n, p)", p="beta_density(np.trunc(n), np.trunc(k) + 1, p)")
special("nbdtrc(k, n, p)", p="-beta_density(np.trunc(n), np.trunc(k) + 1, p)")
special("stdtr(df, t)", t="student_density(df, t)")
special("stdtrit(df, p)", p="1 / student_density(df, y)")
special("fdtr(dfn, dfd, x)", x="fisher_density(dfn, dfd, x)")
special("fdtrc(dfn, dfd, x)", x="-fisher_density(dfn, dfd, x)")
special("fdtri(dfn, dfd, p)", p="1 / fisher_density(dfn, dfd, y)")

# exponential and trigonometric integrals
special("exp1(x)", x="-np.exp(-x) / x")
special("expi(x)", x="np.exp(x) / x")
special("expn(n, x)", x="expn_slope(n, x)")
special("spence(x)", x="-@hyp2f1(1, 1, 2, 1 - x)")
several("sici(x, /)", "np.sinc(x / np.pi)", "np.cos(x) / x")
several("shichi(x, /)", "@hyp0f1(1.5, x * x / 4)", "np.cosh(x) / x")
several("fresnel(x, /)", "np.sin(1.5707963267948966 * x * x)",
        "np.cos(1.5707963267948966 * x * x)")  # fmt: skip
several("airy(x, /)", "y[1]", "x * y[0]", "y[3]", "x * y[2]")
several("itj0y0(x, /)", "@j0(x)", "@y0(x)")
several("iti0k0(x, /)", "@i0(x)", "@k0(x)")
several("it2j0y0(x, /)", "(1 - @j0(x)) / x", "-@y0(x) / x")
several("it2i0k0(x, /)", "(@i0(x) - 1) / x", "-@k0(x) / x")
special("itstruve0(x)", x="@struve(0, x)")
special("it2struve0(x)", x="-@struve(0, x) / x")
special("itmodstruve0(x)", x="@modstruve(0, x)")

# Bessel functions
def _cut_off(text: str) -> Any:
    """A slope by functions of the orders beside; of an order that is no integer SciPy takes the
    integer part."""
    plain = _spelled(text)

    def write(site: Site) -> Text:
        if isinstance(site.const("n"), int):
            return str(plain)
        return str(plain).replace("(n ", "(np.trunc(n) ")

    return write


for _name in ("jv", "yv", "jve", "yve"):
    special(f"{_name}(v, x)", "jn" if _name == "jv" else _name,
            x=f"0.5 * (@{_name}(v - 1, x) - @{_name}(v + 1, x))")  # fmt: skip
special("yn(n, x)", x=_cut_off("0.5 * (@yn(n - 1, x) - @yn(n + 1, x))"))
special("kv(v, x)", x="-0.5 * (@kv(v - 1, x) + @kv(v + 1, x))")
special("kn(n, x)", x=_cut_off("-0.5 * (@kn(n - 1, x) + @kn(n + 1, x))"))
special("kve(v, x)", x="y - 0.5 * (@kve(v - 1, x) + @kve(v + 1, x))")
special("iv(v, x)", x="0.5 * (@iv(v - 1, x) + @iv(v + 1, x))")
special("ive(v, x)", x="0.5 * (@ive(v - 1, x) + @ive(v + 1, x)) - np.sign(x) * y")
special("j0(x)", x="-@j1(x)")
special("j1(x)", x="0.5 * (@j0(x) - @jv(2, x))")
special("y0(x)", x="-@y1(x)")
special("y1(x)", x="@y0(x) - y / x")
special("i0(x)", x="@i1(x)")
special("i1(x)", x="0.5 * (@i0(x) + @iv(2, x))")
special("i0e(x)", x="@i1e(x) - np.sign(x) * y")
special("i1e(x)", x="0.5 * (@i0e(x) + @ive(2, x)) - np.sign(x) * y")
special("k0(x)", x="-@k1(x)")
special("k1(x)", x="-@k0(x) - y / x")
special("k0e(x)", x="y - @k1e(x)")
special("k1e(x)", x="y * (1 - 1 / x) - @k0e(x)")
for _name, _sign in (("struve", "-"), ("modstruve", "+")):
    special(f"{_name}(v, x)",
            x=f"0.5 * (@{_name}(v - 1, x) {_sign} @{_name}(v + 1, x) + "
              "(x / 2) ** v * @rgamma(v + 1.5) / 1.7724538509055159)")  # fmt: skip
for _name, _term in (("ber", "-@bei(x)"), ("bei", "@ber(x)"), ("ker", "-@kei(x)"),
                     ("kei", "@ker(x)")):  # fmt: skip
    special(f"{_name}(x)", x=f"@{_name}p(x)")
    special(f"{_name}p(x)", x=f"{_term} - y / x")  # Kelvin's equation, DLMF 10.61.4


def _spherical(name: str) -> Any:
    """The slope, and that of the slope by the differential equation (DLMF 10.47.1 and 10.47.2)."""
    term = "-1 + n * (n + 1) / (z * z)" if name in ("jn", "yn") else "1 + n * (n + 1) / (z * z)"

    def write(site: Site) -> Text:
        if site.const("derivative") is True:
            return f"({term}) * scipy.special.spherical_{name}(n, z) - 2 / z * y"
        return f"scipy.special.spherical_{name}(n, z, True)"

    return write


for _name in ("jn", "yn", "in", "kn"):
    elementwise(
        f"scipy.special.spherical_{_name}(n, z, derivative=False)",
        z=_spherical(_name),
        without={"n": _ORDER},
        refuses=lambda s: None if s.const("derivative") in (True, False) else
        "`derivative=` has to be written out here",
    )  # fmt: skip

# hypergeometric functions and elliptic integrals
special("hyp0f1(v, z)", z="@hyp0f1(v + 1, z) / v")
special("hyp1f1(a, b, z)", z="a / b * @hyp1f1(a + 1, b + 1, z)")
special("hyp2f1(a, b, c, z)", z="a * b / c * @hyp2f1(a + 1, b + 1, c + 1, z)")
special("hyperu(a, b, x)", x="-a * @hyperu(a + 1, b + 1, x)")
special("wright_bessel(a, b, x)", x="@wright_bessel(a, b + a, x)")
special("log_wright_bessel(a, b, x)", x="np.exp(@log_wright_bessel(a, b + a, x) - y)")
special("ellipk(m)", m="ellipk_slope(1 - m)")
special("ellipkm1(p)", p="-ellipk_slope(p)")
special("ellipe(m)", m="-ellipe_slope(1 - m)")
for _text, _slope in (  # DLMF 19.5.1 and 19.5.2, with 15.5.1
    ("ellipk_slope(p)", "-0.44178646691106465 * scipy.special.hyp2f1(2.5, 2.5, 3, 1 - p)"),
    ("ellipe_slope(p)", "-0.14726215563702155 * scipy.special.hyp2f1(1.5, 2.5, 3, 1 - p)"),
):
    registry.add_helper(elementwise(_text, p=_slope, register=False))
special("ellipkinc(phi, m)", phi="1 / np.sqrt(1 - m * np.sin(phi) ** 2)",
        m="ellipkinc_slope(phi, m)")  # fmt: skip
special("ellipeinc(phi, m)", phi="np.sqrt(1 - m * np.sin(phi) ** 2)", m="ellipeinc_slope(phi, m)")
special("elliprf(a, b, c)", a="-@elliprd(b, c, a) / 6", b="-@elliprd(c, a, b) / 6",
        c="-@elliprd(a, b, c) / 6")  # fmt: skip
special("elliprd(a, b, c)", a="elliprd_slope(a, b, c, 0)", b="elliprd_slope(a, b, c, 1)",
        c="elliprd_slope(a, b, c, 2)")  # fmt: skip
special("elliprc(a, b)", a="-@elliprd(b, b, a) / 6", b="-@elliprd(a, b, b) / 3")
special("elliprg(a, b, c)", a="elliprg_slope(a, b, c)", b="elliprg_slope(b, c, a)",
        c="elliprg_slope(c, a, b)")  # fmt: skip
special("elliprj(a, b, c, p)", **{name: f"elliprj_slope(a, b, c, p, {k})"
                                  for k, name in enumerate("abcp")})  # fmt: skip
_TURNED = "-y[2] * ellipkinc_slope(y[3], m)"  # how the amplitude, y[3], moves with m
rule(
    "scipy.special.ellipj(u, m)", tuple_result=True,
    u="unbroadcast((y_bar[0] * y[1] - y_bar[1] * y[0] + y_bar[3]) * y[2] "
      "- y_bar[2] * m * y[0] * y[1], np.shape(u))",
    u_dot="(dot * y[1] * y[2], -dot * y[0] * y[2], -dot * m * y[0] * y[1], dot * y[2])",
    m=f"unbroadcast((y_bar[0] * y[1] - y_bar[1] * y[0] - y_bar[2] * m * y[0] * y[1] / y[2] "
      f"+ y_bar[3]) * ({_TURNED}) - y_bar[2] * y[0] ** 2 / (2 * y[2]), np.shape(m))",
    m_dot=f"(dot * y[1] * ({_TURNED}), -dot * y[0] * ({_TURNED}), "
          f"-dot * (m * y[0] * y[1] / y[2] * ({_TURNED}) + y[0] ** 2 / (2 * y[2])), "
          f"dot * ({_TURNED}))",
)  # fmt: skip

# orthogonal polynomials
def _of_degree(text: str) -> Any:
    """A slope by the polynomial of the degree before. There is none before 0, and those of -1 are
    nan at the ends, where that of a constant has to be 0."""
    plain = _spelled(text)

    def write(site: Site) -> Text:
        n = site.const("n")
        if isinstance(n, int) and n > 0:
            return str(plain)
        return f"(n != 0) * {plain}".replace("n - 1", "n - (n != 0)")

    return write


special("eval_legendre(n, x)", x=_of_degree("0.5 * (n + 1) * @eval_jacobi(n - 1, 1, 1, x)"))
special("eval_chebyt(n, x)", x=_of_degree("n * @eval_chebyu(n - 1, x)"))
special("eval_chebyu(n, x)", x=_of_degree("2 * @eval_gegenbauer(n - 1, 2, x)"))
special("eval_chebyc(n, x)", x=_of_degree("n * @eval_chebys(n - 1, x)"))
special("eval_chebys(n, x)", x=_of_degree("@eval_gegenbauer(n - 1, 2, x / 2)"))
special("eval_sh_chebyt(n, x)", x=_of_degree("2 * n * @eval_sh_chebyu(n - 1, x)"))
special("eval_sh_chebyu(n, x)", x=_of_degree("4 * @eval_gegenbauer(n - 1, 2, 2 * x - 1)"))
special("eval_sh_legendre(n, x)",
        x=_of_degree("(n + 1) * @eval_jacobi(n - 1, 1, 1, 2 * x - 1)"))  # fmt: skip
special("eval_gegenbauer(n, alpha, x)",
        x=_of_degree("2 * alpha * @eval_gegenbauer(n - 1, alpha + 1, x)"))  # fmt: skip
special("eval_jacobi(n, alpha, beta, x)",
        x=_of_degree("0.5 * (n + alpha + beta + 1) * "
                     "@eval_jacobi(n - 1, alpha + 1, beta + 1, x)"))  # fmt: skip
special("eval_laguerre(n, x)", x="-@eval_genlaguerre(n - 1, 1, x)")
special("eval_genlaguerre(n, alpha, x)", x="-@eval_genlaguerre(n - 1, alpha + 1, x)")
special("eval_hermite(n, x)", x="2 * n * @eval_hermite(np.maximum(n - 1, 0), x)")
special("eval_hermitenorm(n, x)", x="n * @eval_hermitenorm(np.maximum(n - 1, 0), x)")
special("lpmv(m, v, x)", x="(v * x * y - (v + m) * @lpmv(m, v - 1, x)) / (x * x - 1)")


# along axes


def _is_wider(site: Site) -> bool:
    """Whether the weights may have more axes than what they are for."""
    a, b = site.ndim("a"), site.ndim("b")
    weighted = site.const("b") is not None and not site.is_scalar("b")
    return weighted and (a is None or b is None or b > a)


def _wide(site: Site, name: str) -> str:
    """An array like the result, as it broadcasts against the operands."""
    if not _is_wider(site):
        return reductions.spread(site, name)
    if site.const("axis") is None:
        return name
    return f"expand_reduced({name}, axis, keepdims, np.maximum(np.ndim(a), np.ndim(b)))"


def _logsumexp(param: str) -> Any:
    """The second formula computes the result again."""

    def write(site: Site) -> Text:
        signed = site.const("return_sign") is True
        seed, axes = _wide(site, "y_bar[0]" if signed else "y_bar"), reductions.options(site)
        weighted = site.const("b") is not None
        factor = " * np.ones_like(b)" if _is_wider(site) else ""
        factor = " * b" if param == "a" and weighted else factor
        again = f"scipy.special.logsumexp(a{axes}{', b=b' if weighted else ''})"
        found = []
        for y in ("y[0]",) if signed else ("y", again):
            sign = f" * {_wide(site, 'y[1]')}" if signed else ""
            text = f"{seed}{factor} * np.exp(a - {_wide(site, y)}){sign}"
            found.append(f"unbroadcast({text}, np.shape({param}))" if weighted else text)
        return tuple(found)

    return write


def _logsumexp_dot(param: str) -> Any:
    def write(site: Site) -> Text:
        signed = site.const("return_sign") is True
        term = f"dot * np.exp(a - {_wide(site, 'y[0]' if signed else 'y')})"
        if param == "a" and site.const("b") is not None:
            term = f"b * {term}"
        total = f"np.sum({term}{reductions.options(site)})"
        return f"({total} * y[1], 0.0 * y[1])" if signed else total

    return write


rule("scipy.special.logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False)",
     a=_logsumexp("a"), b=_logsumexp("b"), a_dot=_logsumexp_dot("a"), b_dot=_logsumexp_dot("b"),
     tuple_result=lambda s: s.const("return_sign") is True,
     refuses=lambda s: None if s.const("return_sign") in (True, False) else
     "`return_sign=` must be written out here")  # fmt: skip
rule("scipy.special.softmax(x, axis=None)",
     x=("y * (y_bar - np.sum(y * y_bar, axis=axis, keepdims=True))",
        "scipy.special.softmax(x, axis=axis) * (y_bar - np.sum("
        "scipy.special.softmax(x, axis=axis) * y_bar, axis=axis, keepdims=True))"))  # fmt: skip
rule("scipy.special.log_softmax(x, axis=None)",
     x=("y_bar - np.exp(y) * np.sum(y_bar, axis=axis, keepdims=True)",
        "y_bar - scipy.special.softmax(x, axis=axis) * np.sum(y_bar, axis=axis, keepdims=True)"),
     x_dot="dot - np.sum(np.exp(y) * dot, axis=axis, keepdims=True)")  # fmt: skip

# classified: what jumps or takes integers alone, and what has no rule
for _name in ("round(x", "gammasgn(x"):
    constant(f"scipy.special.{_name}, /, out=None)")
_COUNTED = (
    "bernoulli euler factorial2 factorialk stirling2 geterr seterr errstate "
    "mathieu_even_coef mathieu_odd_coef obl_cv_seq pro_cv_seq pbdn_seq pbdv_seq pbvv_seq "
    "kelvin_zeros jnjnp_zeros jnyn_zeros ai_zeros bi_zeros erf_zeros fresnel_zeros "
    "fresnelc_zeros fresnels_zeros jn_zeros jnp_zeros yn_zeros ynp_zeros y0_zeros y1_zeros "
    "y1p_zeros bei_zeros beip_zeros ber_zeros berp_zeros kei_zeros keip_zeros ker_zeros kerp_zeros "
    "legendre chebyt chebyu chebyc chebys jacobi laguerre genlaguerre hermite hermitenorm "
    "gegenbauer sh_legendre sh_chebyt sh_chebyu sh_jacobi p_roots t_roots u_roots c_roots s_roots "
    "j_roots l_roots la_roots h_roots he_roots cg_roots ps_roots ts_roots us_roots js_roots "
    "roots_legendre roots_chebyt roots_chebyu roots_chebyc roots_chebys roots_jacobi "
    "roots_laguerre roots_genlaguerre roots_hermite roots_hermitenorm roots_gegenbauer "
    "roots_sh_legendre roots_sh_chebyt roots_sh_chebyu roots_sh_jacobi"
)
constant(*(f"scipy.special.{n}" for n in _COUNTED.split()), inert=())
REFUSED = {
    "it is inverted for a parameter of a distribution, where no closed form is known":
    "bdtri bdtrik bdtrin btdtria btdtrib chdtriv chndtridf chndtrinc chndtrix fdtridfd gdtria "
    "gdtrib gdtrix nbdtri nbdtrik nbdtrin ncfdtri ncfdtridfd ncfdtridfn ncfdtrinc nctdtridf "
    "nctdtrinc nctdtrit nrdtrimn nrdtrisd pdtri pdtrik stdtridf",
    "a non-central or empirical distribution function, which has no rule":
    "chndtr ncfdtr nctdtr kolmogorov kolmogi smirnov smirnovi tklmbda",
    "its value is complex, or that of a complex function":
    "wofz hankel1 hankel1e hankel2 hankel2e h1vp h2vp modfresnelm modfresnelp kelvin sph_harm_y "
    "sph_harm_y_all sph_harm clpmn",
    "the derivative of a derivative or of a sequence of Bessel functions has no rule":
    "lmbda riccati_jn riccati_yn",
    "this function of mathematical physics has no rule":
    "agm airye assoc_legendre_p assoc_legendre_p_all besselpoly diric ellip_harm "
    "ellip_harm_2 ellip_normal eval_sh_jacobi itairy "
    "legendre_p legendre_p_all lqmn lqn lpmn lpn "
    "mathieu_a mathieu_b mathieu_cem mathieu_modcem1 mathieu_modcem2 mathieu_modsem1 "
    "mathieu_modsem2 mathieu_sem obl_ang1 obl_ang1_cv obl_cv obl_rad1 obl_rad1_cv obl_rad2 "
    "obl_rad2_cv pbdv pbvv pbwa pro_ang1 pro_ang1_cv pro_cv pro_rad1 pro_rad1_cv pro_rad2 "
    "pro_rad2_cv sph_legendre_p sph_legendre_p_all zetac",
}  # fmt: skip
"""Why functions have no rule, and which."""
for _why, _names in REFUSED.items():
    unknown(_why, *(f"scipy.special.{n}" for n in _names.split()))
