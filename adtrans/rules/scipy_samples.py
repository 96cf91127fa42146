"""`scipy.stats`: what is computed of samples, as means, moments and correlations.

A number `y` of a sample has a slope for each element: the adjoint is its product with that of `y`,
the tangent the sum of its products with those of the elements.

>>> from adtrans.rules.registry import all_rules
>>> dict(all_rules())["scipy.stats.skew"].active_params
('a',)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from adtrans.rules.declare import SOME, Site, rule

Formula: TypeAlias = "Callable[[Site], str]"


def _refuses(site: Site) -> str | None:
    if "nan_policy" in site.bound and site.const("nan_policy") not in ("propagate", "raise"):
        return "`nan_policy=` other than 'propagate' has no rule"
    if isinstance(site.const("axis"), tuple):
        return "several axes have no rule"
    if "limits" in site.bound and site.const("limits") is not None:
        return "`limits=` has no rule: the mean is `np.mean`"
    if "order" in site.bound and not isinstance(site.const("order"), int):
        return "the order has to be written out, and to be one number"
    return None


def _of(slope: str | Formula, form: str) -> str | Formula:
    if isinstance(slope, str):
        return form.format(slope)
    return lambda site: form.format(slope(site))


def _with(slope: str, word: str) -> Formula:
    """A slope that is told what a keyword says, where it says something."""
    whole = f"{slope[:-1]}, {word})"
    return lambda site: slope if site.const(word) is None else whole


def number(text: str, slope: str | Formula, **slopes: str) -> None:
    """A number of each sample; `slope` is that by the first parameter, `slopes` of others."""
    first = text.partition("(")[2].partition(",")[0].partition(":")[0]
    found: dict[str, str | Formula] = {first: slope, **slopes}
    keep = "keepdims" if "keepdims" in text else "False"
    words: dict[str, str | Formula] = {}
    for name, s in found.items():
        back = f"expand_reduced(y_bar, axis, {keep}, np.ndim({first})) * {{}}"
        words[name] = _of(s, back)
        words[f"{name}_dot"] = _of(s, f"np.sum(dot * {{}}, axis=axis, keepdims={keep})")
    fixed = {n: "only that of the sample has a rule" for n in ("weights", "center")
             if f"{n}=" in text}  # fmt: skip
    rule(f"scipy.stats.{text}", refuses=_refuses, ranks={first: SOME}, without=fixed, **words)


_NAN = "nan_policy='propagate'"
number(f"gmean(a, axis=0, dtype=None, weights=None, *, {_NAN}, keepdims=False)",
       _with("gmean_slope(a, y, axis, keepdims)", "weights"))  # fmt: skip
number(f"hmean(a, axis=0, dtype=None, *, weights=None, {_NAN}, keepdims=False)",
       _with("hmean_slope(a, y, axis, keepdims)", "weights"))  # fmt: skip
number(f"sem(a, axis=0, ddof=1, {_NAN}, *, keepdims=False)", "sem_slope(a, axis, ddof)")
number(f"variation(a, axis=0, {_NAN}, ddof=0, *, keepdims=False)",
       "variation_slope(a, axis, ddof)")  # fmt: skip
number(f"skew(a, axis=0, bias=True, {_NAN}, *, keepdims=False)", "skew_slope(a, axis, bias)")
number(f"kurtosis(a, axis=0, fisher=True, bias=True, {_NAN}, *, keepdims=False)",
       "kurtosis_slope(a, axis, bias)")  # fmt: skip
number(f"moment(a, order=1, axis=0, {_NAN}, *, center=None, keepdims=False)",
       _with("moment_slope(a, axis, order)", "center"))  # fmt: skip
rule(f"scipy.stats.tmean(a, limits=None, inclusive=(True, True), axis=None, *, {_NAN}, "
     "keepdims=False)", refuses=_refuses,
     a="np.broadcast_to(expand_reduced(y_bar, axis, keepdims, np.ndim(a)) "
       "/ reduced_size(np.shape(a), axis), np.shape(a))",
     a_dot="np.mean(dot, axis=axis, keepdims=keepdims)")  # fmt: skip
number(f"entropy(p: 'pk', q: 'qk'=None, base=None, axis=0, *, {_NAN}, keepdims=False)",
       "entropy_slope(p, q, base, axis)", q="reference_slope(p, q, base, axis)")  # fmt: skip
rule(f"scipy.stats.zscore(a, axis=0, ddof=0, {_NAN})", refuses=_refuses,
     a="zscore_slope(y_bar, a, axis, ddof)", a_dot="zscore_slope(dot, a, axis, ddof)")  # fmt: skip
_PLAIN = "alternative='two-sided'"
for _name, _tail, _fit in (
    ("pearsonr", f", *, {_PLAIN}, method=None, axis=0", False),
    ("linregress", f", {_PLAIN}, *, axis=0, {_NAN}, keepdims=False", True),
):

    def _vectors(site: Site) -> str | None:
        if site.ndim("a") not in (1, None) or site.ndim("b") not in (1, None):
            return "only samples of one dimension have a rule"
        plain = (("axis", (0, -1)), ("alternative", ("two-sided",)), ("method", (None,)),
                 ("keepdims", (False,)))  # fmt: skip
        for name, values in plain:
            if name in site.bound and site.const(name) not in values:
                return f"`{name}=` has no rule here"
        return _refuses(site)

    rule(f"scipy.stats.{_name}(a: 'x', b: 'y'{_tail})", tuple_result=True, partial=True,
         refuses=_vectors,
         a=f"fit_pullback(y_bar, a, b, 0, {_fit})", b=f"fit_pullback(y_bar, a, b, 1, {_fit})",
         a_dot=f"fit_pushforward(dot, a, b, 0, {_fit})",
         b_dot=f"fit_pushforward(dot, a, b, 1, {_fit})")  # fmt: skip
