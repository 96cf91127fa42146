"""`scipy.stats`: log-densities of vectors and of matrices, as plain statements.

>>> from adtrans.rules.registry import all_rules
>>> print(dict(all_rules())["scipy.stats.wishart.logpdf"].returns)
y
"""

from __future__ import annotations

from adtrans.rules import registry
from adtrans.rules.declare import Site, rule
from adtrans.rules.rule import Rule

# as SciPy, they read the lower triangles only
_STUDENT = """\
apart = x - loc
size = regular_size(shape)
spread = np.tril(shape) + np.tril(shape, -1).T
far = {far}
half = 0.5 * (df + size)
scale = scipy.special.gammaln(half) - scipy.special.gammaln(0.5 * df)
scale = scale - 0.5 * size * np.log(df * np.pi) - 0.5 * np.linalg.slogdet(spread)[1]
found = as_computed(scipy.stats.multivariate_t.logpdf, x, loc, shape, df)
y = valued(found, scale - half * np.log1p(far / df))"""
_FAR = {
    1: "np.sum(np.linalg.solve(spread, apart) * apart)",
    2: "np.sum(np.linalg.solve(spread, apart.T).T * apart, axis=1)",
}
_WISHART = """\
factor = scipy.linalg.cholesky(scale, lower=True)
size = len(scale)
weight = df - size - 1
mine = weight * np.sum(np.log(np.diag(scipy.linalg.cholesky(x, lower=True))))
mine = mine - 0.5 * np.trace(scipy.linalg.cho_solve((factor, True), x))
mine = mine - 0.5 * df * size * np.log(2.0) - df * np.sum(np.log(np.diag(factor)))
found = as_computed(scipy.stats.wishart.logpdf, x, df, scale)
y = valued(found, mine - scipy.special.multigammaln(0.5 * df, size))"""


def _student(site: Site) -> str:
    return _STUDENT.format(far=_FAR[site.ndim("x") or 1])


def _student_refusal(site: Site) -> str | None:
    known = site.ndim("x") in (1, 2) and site.ndim("loc") == 1 and site.ndim("shape") == 2
    return None if known else "there have to be a vector or rows, a vector, and a matrix"


def _wishart_refusal(site: Site) -> str | None:
    known = site.ndim("x") == site.ndim("scale") == 2
    return None if known else "only one matrix has a rule, of which the scale is one, too"


rule("scipy.stats.multivariate_t.logpdf(x, loc=None, shape=1, df=1)", refuses=_student_refusal,
     expansion=_student, returns="y")  # fmt: skip
rule("scipy.stats.wishart.logpdf(x, df, scale)", refuses=_wishart_refusal, expansion=_WISHART,
     returns="y")  # fmt: skip
registry.add_helper(Rule("regular_size", "", "constant", inert_ok=frozenset({"*"})))
