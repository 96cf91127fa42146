"""`scipy.spatial.distance`: distances between points by all metrics of numbers.

>>> from adtrans.rules.registry import all_rules
>>> dict(all_rules())["scipy.spatial.distance.cdist"].active_params
('a', 'b')
"""

from __future__ import annotations

from adtrans.rules.declare import VECTOR, Each, Site, constant, rule, unknown

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
    if site.const("w") is not None:
        return "`w=` has no rule: scale the points"
    return None


def _weights(site: Site) -> str:
    return {"seuclidean": "v", "mahalanobis": "vi"}.get(str(site.const("metric")), "None")


_EXTRA = "p=2.0, v: 'V'=None, vi: 'VI'=None, w=None, out=None"
_FIXED = dict.fromkeys(("p", "v", "vi", "w"), "only those of the points have a rule")


def _cdist(first: str, second: str) -> tuple[object, object]:
    turn = "" if first == "a" else ".T"

    def back(site: Site) -> str:
        if site.const("metric") in _LEAN:
            return f"cdist_pullback(y_bar{turn}, {first}, {second}, y{turn}, metric)"
        return (f"metric_pullback(y_bar{turn}, {first}, {second}, y{turn}, metric, p, "
                f"{_weights(site)})")  # fmt: skip

    def ahead(site: Site) -> str:
        if site.const("metric") in _LEAN:
            dots = "dot, None" if first == "a" else "None, dot"
            return f"cdist_pushforward({dots}, a, b, y, metric)"
        found = f"metric_pushforward(dot, {first}, {second}, y{turn}, metric, p, {_weights(site)})"
        return found + turn

    return back, ahead


def _pdist(site: Site) -> str:
    if site.const("metric") in _LEAN:
        return "pdist_pullback(y_bar, x, y, metric)"
    return f"pairs_metric_pullback(y_bar, x, y, metric, p, {_weights(site)})"


def _pdist_dot(site: Site) -> str:
    if site.const("metric") in _LEAN:
        return "pdist_pushforward(dot, x, y, metric)"
    return f"pairs_metric_pushforward(dot, x, y, metric, p, {_weights(site)})"


_A, _B = _cdist("a", "b"), _cdist("b", "a")
rule(f"scipy.spatial.distance.cdist(a: 'XA', b: 'XB', metric='euclidean', *, {_EXTRA})",
     refuses=_refuses, without=_FIXED, a=_A[0], b=_B[0], a_dot=_A[1], b_dot=_B[1])  # fmt: skip
rule(f"scipy.spatial.distance.pdist(x: 'X', metric='euclidean', *, {_EXTRA})",
     refuses=_refuses, without=_FIXED, x=_pdist, x_dot=_pdist_dot)  # fmt: skip
rule("scipy.spatial.distance.squareform(x: 'X', force='no', checks=True)", ranks={"x": (1, 2)},
     x="squareform_pullback(y_bar, x)", x_dot="squareform_pushforward(dot)")  # fmt: skip


def _one_refuses(site: Site) -> str | None:
    for name, default in (("w", None), ("base", None), ("axis", 0), ("centered", True),
                          ("keepdims", False)):  # fmt: skip
        if name in site.bound and site.const(name) != default:
            return f"`{name}=` has no rule here"
    return None


_PAIR = "pair_slope({0}, {1}, y, '%s', %s, %s)"
for _text, _slope in {
    "euclidean(u, v, w=None)": "({0} - {1}) / y",
    "sqeuclidean(u, v, w=None)": "2 * ({0} - {1})",
    "cityblock(u, v, w=None)": "np.sign({0} - {1})",
    "minkowski(u, v, p=2, w=None)": _PAIR % ("minkowski", "p", "None"),
    "chebyshev(u, v, w=None)": _PAIR % ("chebyshev", "None", "None"),
    "seuclidean(u, v, V)": _PAIR % ("seuclidean", "None", "V"),
    "mahalanobis(u, v, VI)": _PAIR % ("mahalanobis", "None", "VI"),
    "cosine(u, v, w=None)": _PAIR % ("cosine", "None", "None"),
    "correlation(u, v, w=None, centered=True)": _PAIR % ("correlation", "None", "None"),
    "canberra(u, v, w=None)": _PAIR % ("canberra", "None", "None"),
    "braycurtis(u, v, w=None)": _PAIR % ("braycurtis", "None", "None"),
    "jensenshannon(u: 'p', v: 'q', base=None, *, axis=0, keepdims=False)":
        _PAIR % ("jensenshannon", "None", "None"),
}.items():  # fmt: skip
    _by_u, _by_v = _slope.format("u", "v"), _slope.format("v", "u")
    _fixed = {n: _FIXED["p"] for n in ("p", "V", "VI") if f", {n}" in _text}
    rule(f"scipy.spatial.distance.{_text}", refuses=_one_refuses, without=_fixed,
         ranks={"u": VECTOR, "v": VECTOR},
         u=Each(f"y_bar * ({_by_u})"), v=Each(f"y_bar * ({_by_v})"),
         u_dot=f"np.sum(dot * ({_by_u}))", v_dot=f"np.sum(dot * ({_by_v}))")  # fmt: skip
unknown("it has no rule yet", "scipy.spatial.distance.directed_hausdorff")
unknown("it compares values for being equal, or truth values: with weights, write that out as sums",
        *(f"scipy.spatial.distance.{n}" for n in (
            "dice", "hamming", "jaccard", "kulczynski1", "rogerstanimoto", "russellrao",
            "sokalmichener", "sokalsneath", "yule")))  # fmt: skip
constant(*(f"scipy.spatial.distance.{n}" for n in (
    "is_valid_dm", "is_valid_y", "num_obs_dm", "num_obs_y")))  # fmt: skip
