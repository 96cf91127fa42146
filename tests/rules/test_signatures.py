"""The signatures of the rules against those of the functions that they are for.

What a function takes and its rule does not know is listed here and refused; what both know stands
at the same place, under the same name, with the same default.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from inspect import Parameter
from typing import Any

import numpy as np
import pytest
import scipy.fft
import scipy.integrate
import scipy.linalg
import scipy.ndimage
import scipy.optimize
import scipy.signal
import scipy.spatial.distance
import scipy.special
import scipy.stats

import adtrans as ad
from adtrans.emit.load import load
from adtrans.ir.expr import Name
from adtrans.rules import Rule, all_rules
from adtrans.rules.registry import resolve

PLAIN = (bool, int, float, str)
"""Types of defaults that can be compared; others stand for something that is not given."""
UFUNC = ("out", "where", "casting", "order", "dtype", "subok", "signature")
GENERAL = (*UFUNC, "axes", "axis", "keepdims")
SEVERAL = ("divmod", "frexp", "modf")
"""Ufuncs with two results."""
UNKNOWN: dict[str, tuple[str, ...]] = {
    **{f"numpy.{name}": tuple(n for n in UFUNC if n != "out") for name in SEVERAL},
    **{f"numpy.{name}": GENERAL for name in ("matmul", "matvec", "vecmat", "vecdot")},
    **{f"numpy.fft.{name}": ("out",) for name in ("hfft", "ifft2", "irfft2")},  # without effect
    **{f"scipy.special.{name}": UFUNC for name in (
        "airy", "ellipj", "fresnel", "gammasgn", "it2i0k0", "it2j0y0", "iti0k0", "itj0y0", "round",
        "shichi", "sici")},
    **{f"numpy.{name}": ("interpolation",) for name in (
        "percentile", "quantile", "nanpercentile", "nanquantile")},  # an old name of `method=`
    "numpy.corrcoef": ("bias", "ddof"),  # without effect
    "numpy.reshape": ("newshape",),
    "numpy.sort": ("descending",),
    "ndarray.sort": ("descending",),
    "numpy.trim_zeros": ("axis",),
    "pow": ("base", "exp"),
    "scipy.integrate.romb": ("show",),
    # arrays that they write: a constant that is written has a derivative no more
    **{f"scipy.ndimage.{name}": ("output",) for name in (
        "binary_closing", "binary_dilation", "binary_erosion", "binary_fill_holes",
        "binary_hit_or_miss", "binary_opening", "binary_propagation", "label")},
    **{f"scipy.ndimage.distance_transform_{name}": ("distances", "indices") for name in (
        "bf", "cdt", "edt")},
    # with them it returns heights, prominences and widths beside the places
    "scipy.signal.find_peaks": ("height", "threshold", "prominence", "width", "wlen",
                                "rel_height", "plateau_size"),
    "scipy.linalg.logm": ("disp",),
    "scipy.linalg.sqrtm": ("disp", "blocksize"),
    "scipy.signal.resample": ("domain",),
}  # fmt: skip
"""Keywords that rules do not know; `signature` is none of the rule of any ufunc."""
SPELLED = {"numpy.c_.__getitem__", "numpy.r_.__getitem__"}  # they are subscripts
SINCE_THEN = {("numpy.linalg.lstsq", "rcond"), ("numpy.linalg.pinv", "rcond")}
"""Defaults that were other ones in old versions, in a way that only concerns singular matrices."""


def function(rule: Rule) -> Any:
    """What a rule is for, in this version of NumPy and SciPy; None if it is not there."""
    try:
        if rule.call == "function":
            return resolve(rule.spelling)
        owner, _, name = rule.spelling.rpartition(".")
        return getattr({"ndarray": np.ndarray}.get(owner) or resolve(f"np.random.{owner}"), name)
    except (LookupError, AttributeError):
        return None


def parameters(f: Any) -> list[Parameter] | None:
    """The parameters of a function where it tells them all."""
    try:
        found = [p for p in inspect.signature(f).parameters.values() if p.name != "self"]
    except (TypeError, ValueError):
        if not isinstance(f, np.ufunc):
            return None
        names = UFUNC if f.signature is None else GENERAL
        return [Parameter(n, Parameter.KEYWORD_ONLY, default=np._NoValue) for n in names]
    return None if any(p.kind is Parameter.VAR_KEYWORD for p in found) else found


def of_arrays(rule: Rule) -> list[Any]:
    return list(rule.params[1:] if rule.call == "method" else rule.params)


ROWS = [
    pytest.param(name, rule, id=name)
    for name, rule in all_rules()
    if rule.call in ("function", "method") and name not in SPELLED and rule.custom is None
]


def unknown_to(name: str, rule: Rule, theirs: list[Parameter]) -> list[str]:
    """The keywords of a function that its rule does not know."""
    named = {p.name for p in theirs if p.kind not in (p.POSITIONAL_ONLY, p.VAR_POSITIONAL)}
    known = {k for p in rule.params for k in (p.keyword or p.name, p.synonym)}
    return sorted(named - known)


@pytest.mark.parametrize(("name", "rule"), ROWS)
def test_each_keyword_is_known_or_refused(name: str, rule: Rule) -> None:
    theirs = parameters(function(rule))
    if theirs is None:
        pytest.skip("it does not tell its parameters, or is not in this version")
    if rule.any_arguments:
        written = [p.name for p in theirs if p.name == "out"]
        found = rule.refused or name.startswith("Generator.")  # `analyses.apply` looks there
        assert found or not written, "its signature has to say where `out` stands"
        return
    for keyword in unknown_to(name, rule, theirs):
        listed = keyword == "signature" and isinstance(function(rule), np.ufunc)
        assert listed or keyword in UNKNOWN.get(name, ()), f"`{keyword}=` is new"
        needed = [Name(f"v{k}") for k, p in enumerate(rule.params) if p.default is None]
        assert rule.bind(needed, {keyword: Name("k")}) is None, f"`{keyword}=` is ignored"


@pytest.mark.parametrize(("name", "rule"), ROWS)
def test_parameters_stand_where_they_stand(name: str, rule: Rule) -> None:
    """A parameter by position, or one that is not given, means the same to both."""
    theirs = parameters(function(rule))
    if theirs is None or rule.any_arguments:
        pytest.skip("nothing to compare")
    places = [p for p in theirs if p.kind is Parameter.POSITIONAL_OR_KEYWORD]
    ahead = sum(p.kind is Parameter.POSITIONAL_ONLY for p in theirs)
    ours = of_arrays(rule)
    ordered = [p for p in ours if p.form in ("positional", "standard")][ahead:]
    if name != "pow":  # its names are those of `**`
        for p, q in zip(places, ordered, strict=False):
            if q.form == "standard" and p.name not in UNKNOWN.get(name, ()):
                assert p.name in (q.keyword or q.name, q.synonym)
    defaults = {p.name: p.default for p in theirs}
    for q in ours:
        found = defaults.get(q.keyword or q.name)
        mine = None if q.default is None else q.default.value
        if isinstance(found, PLAIN) and (name, q.name) not in SINCE_THEN:
            assert mine == found, f"the default of `{q}` is {found!r}"


@pytest.mark.parametrize("call", [
    "np.add(x, x, signature='dd->d')", "np.sin(x, signature='d->d')",
    "scipy.signal.resample(x, 4, domain='freq')",
    "scipy.integrate.romb(x[:, :3], show=True)", "np.modf(x, where=x > 1.0)[0]",
    "scipy.linalg.sqrtm(x[:3, :3], disp=False)[0]",
    "scipy.ndimage.binary_erosion(x > 1.0, output=x)", "scipy.ndimage.label(x > 1.0, None, x)[0]",
    "scipy.ndimage.distance_transform_edt(x > 1.0, distances=x)",
    "scipy.signal.find_peaks(x[0], height=0.5)[0]",
])  # fmt: skip
def test_an_unknown_keyword_is_an_error(call: str, call_of: Callable[[str], Any]) -> None:
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(call_of(call))(np.ones((3, 4)))
    assert caught.value.diagnostics[0].code in ("AD401", "AD409")


@pytest.fixture
def call_of() -> Callable[[str], Any]:
    return lambda text: load(
        f"def f(x):\n    return np.sum({text})\n", "f", {"np": np, "scipy": scipy}
    )["f"]


@pytest.mark.parametrize("text", [
    "np.logical_and.reduce(x > 1.0, 0, None, y)", "np.equal.reduce(x > 1.0, 0, None, y)",
    "np.logical_or.accumulate(x[0] > 1.0, 0, None, y)",
    "np.logical_and.reduceat(x[0] > 1.0, [0, 1, 2, 2], 0, None, y)",
    "np.isnat(np.zeros(4, 'datetime64[D]'), y)",
])  # fmt: skip
def test_a_constant_that_is_written_by_position(text: str) -> None:
    """What was in `y` has no derivative any more."""
    source = f"def f(x):\n    y = x[0] * x[1]\n    {text}\n    return np.sum(y * x[2])\n"
    f = load(source, "f", {"np": np})["f"]
    x = np.linspace(0.5, 2.0, 12).reshape(3, 4)
    expected = np.zeros((3, 4))
    y = x[0] * x[1]
    eval(text, {"np": np, "x": x, "y": y})
    expected[2] = y
    np.testing.assert_array_equal(ad.grad(f)(x), expected)
