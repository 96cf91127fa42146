"""`scipy.spatial.distance`: distances between points by all metrics of numbers.

>>> from adtrans.rules.registry import all_rules
>>> dict(all_rules())["scipy.spatial.distance.cdist"].active_params
('a', 'b')
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from adtrans.rules.declare import SOME, VECTOR, Each, Site, constant, rule, unknown

Formula: TypeAlias = "Callable[[Site], str]"
_LEAN = ("euclidean", "sqeuclidean", "cityblock")  # adjoints without an array of three axes
_OTHERS = ("minkowski", "chebyshev", "seuclidean", "mahalanobis", "cosine", "correlation",
           "canberra", "braycurtis", "jensenshannon")  # fmt: skip
_NEEDS = {"seuclidean": ("v", "V"), "mahalanobis": ("vi", "VI")}


def _refuses(site: Site) -> str | None:
    metric = site.const("metric")
    if metric not in _LEAN + _OTHERS:
        return "only these metrics, written out, have a rule: " + ", ".join(_LEAN + _OTHERS)
    needed, spelled = _NEEDS.get(str(metric), ("", ""))
    if needed and site.const(needed) is None:
        return f"`{spelled}=` is estimated from the points here: it has to be given"
    return None


def _is_lean(site: Site) -> bool:
    return site.const("metric") in _LEAN and site.const("w") is None


def _weights(site: Site) -> str:
    counts = "None" if site.const("w") is None else "np.asarray(w)"
    return {"seuclidean": "v", "mahalanobis": "vi"}.get(str(site.const("metric")), counts)


_EXTRA = "p=2.0, v: 'V'=None, vi: 'VI'=None, w=None, out=None"
_FIXED = dict.fromkeys(("p", "v", "vi", "w"), "only those of the points have a rule")


def _cdist(first: str, second: str) -> tuple[Any, Any]:
    turn = "" if first == "a" else ".T"

    def back(site: Site) -> str:
        if _is_lean(site):
            return f"cdist_pullback(y_bar{turn}, {first}, {second}, y{turn}, metric)"
        return (f"metric_pullback(y_bar{turn}, {first}, {second}, y{turn}, metric, p, "
                f"{_weights(site)})")  # fmt: skip

    def ahead(site: Site) -> str:
        if _is_lean(site):
            dots = "dot, None" if first == "a" else "None, dot"
            return f"cdist_pushforward({dots}, a, b, y, metric)"
        found = f"metric_pushforward(dot, {first}, {second}, y{turn}, metric, p, {_weights(site)})"
        return found + turn

    return back, ahead


def _pdist(site: Site) -> str:
    if _is_lean(site):
        return "pdist_pullback(y_bar, x, y, metric)"
    return f"pairs_metric_pullback(y_bar, x, y, metric, p, {_weights(site)})"


def _pdist_dot(site: Site) -> str:
    if _is_lean(site):
        return "pdist_pushforward(dot, x, y, metric)"
    return f"pairs_metric_pushforward(dot, x, y, metric, p, {_weights(site)})"


_A, _B = _cdist("a", "b"), _cdist("b", "a")
rule(f"scipy.spatial.distance.cdist(a: 'XA', b: 'XB', metric='euclidean', *, {_EXTRA})",
     refuses=_refuses, without=_FIXED, a=_A[0], b=_B[0], a_dot=_A[1], b_dot=_B[1])  # fmt: skip
rule(f"scipy.spatial.distance.pdist(x: 'X', metric='euclidean', *, {_EXTRA})",
     refuses=_refuses, without=_FIXED, x=_pdist, x_dot=_pdist_dot)  # fmt: skip
rule("scipy.spatial.distance.squareform(x: 'X', force='no', checks=True)", ranks={"x": (1, 2)},
     x="squareform_pullback(y_bar, x)", x_dot="squareform_pushforward(dot)")  # fmt: skip


def _pair(metric: str, weights: str) -> tuple[Formula, Formula]:
    """The slopes of one distance by both points."""

    def by(first: str, second: str) -> Formula:
        def write(site: Site) -> str:
            which, w = metric, weights
            if "w" in site.bound:
                w = "None" if site.const("w") is None else "np.asarray(w)"
            if site.const("centered") is False and "centered" in site.bound:
                which = "cosine"
            if w == "None" and which in _PLAIN:
                return _PLAIN[which].format(first, second)
            power = "p" if "p" in site.bound else "None"
            return f"pair_slope({first}, {second}, y, '{which}', {power}, {w})"

        return write

    return by("u", "v"), by("v", "u")


def _pair_refuses(site: Site) -> str | None:
    if "centered" in site.bound and site.const("centered") not in (True, False):
        return "`centered=` must be written out here"
    return None


def _times(slope: Formula, form: str) -> Formula:
    return lambda site: Each(form.format(slope(site)))


_PLAIN = {
    "euclidean": "({0} - {1}) / y", "sqeuclidean": "2 * ({0} - {1})",
    "cityblock": "np.sign({0} - {1})",
}  # fmt: skip
for _text, _given in {
    "euclidean(u, v, w=None)": "None", "sqeuclidean(u, v, w=None)": "None",
    "cityblock(u, v, w=None)": "None", "minkowski(u, v, p=2, w=None)": "None",
    "chebyshev(u, v, w=None)": "None", "seuclidean(u, v, V)": "V", "mahalanobis(u, v, VI)": "VI",
    "cosine(u, v, w=None)": "None", "correlation(u, v, w=None, centered=True)": "None",
    "canberra(u, v, w=None)": "None", "braycurtis(u, v, w=None)": "None",
}.items():  # fmt: skip
    _by_u, _by_v = _pair(_text.partition("(")[0], _given)
    _fixed = {n: _FIXED["p"] for n in ("p", "V", "VI", "w") if f", {n}" in _text}
    rule(f"scipy.spatial.distance.{_text}", refuses=_pair_refuses, without=_fixed,
         ranks={"u": VECTOR, "v": VECTOR},
         u=_times(_by_u, "y_bar * ({})"), v=_times(_by_v, "y_bar * ({})"),
         u_dot=_times(_by_u, "np.sum(dot * ({}))"),
         v_dot=_times(_by_v, "np.sum(dot * ({}))"))  # fmt: skip
_SPREAD = "expand_reduced(y_bar, axis, keepdims, np.ndim(u))"
_SLOPE = "jensen_shannon_slope({}, {}, y, base, axis, keepdims)"
rule("scipy.spatial.distance.jensenshannon(u: 'p', v: 'q', base=None, *, axis=0, keepdims=False)",
     without={"base": _FIXED["p"]}, inert=("axis", "keepdims"),
     ranks={"u": SOME, "v": SOME},
     **{n: f"{_SPREAD} * {_SLOPE.format(*pair)}" for n, pair in (("u", "uv"), ("v", "vu"))},
     **{f"{n}_dot": f"np.sum(dot * {_SLOPE.format(*pair)}, axis=axis, keepdims=keepdims)"
        for n, pair in (("u", "uv"), ("v", "vu"))})  # fmt: skip
unknown("it has no rule yet", "scipy.spatial.distance.directed_hausdorff")
unknown("it compares values for being equal, or truth values: with weights, write that out as sums",
        *(f"scipy.spatial.distance.{n}" for n in (
            "dice", "hamming", "jaccard", "kulczynski1", "rogerstanimoto", "russellrao",
            "sokalmichener", "sokalsneath", "yule")))  # fmt: skip
constant(*(f"scipy.spatial.distance.{n}" for n in (
    "is_valid_dm", "is_valid_y", "num_obs_dm", "num_obs_y")))  # fmt: skip
