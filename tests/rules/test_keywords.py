"""Each keyword of each rule, and each keyword of the functions that the rules are for.

What a rule accepts has a sample with a value that is not the default; what it does not know, or
refuses, is an error.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy.special  # noqa: F401  (its rules are found only once it is imported)

import adtrans as ad
from adtrans.rules import Rule, all_rules, lookup
from adtrans.rules.registry import resolve
from adtrans.rules.signature import literal
from adtrans.testing import check_grads

from . import test_complex_rules, test_out, test_writers
from .evaluate import names_of, read
from .samples import ALL
from .samples_keywords import KEYWORDS, REFUSED, pool
from .samples_more import MEANS
from .test_compiled import NOT_COMPILED, applicable, check, held, written
from .test_formulas import is_float

POOL = pool()
COMMON = {"casting": "'unsafe'", "order": "'F'", "subok": "False", "dtype": "np.float64"}
"""Keywords of many functions, which say how a result is stored."""
NOTHING = {
    "like": "what it makes of arrays of other packages is no array of NumPy's",
    "plan": "SciPy takes None only",
    "permc_spec": "SuperLU's order of columns does not change the solution",
    "use_umfpack": "nor does the solver",
    "base": "that of `cmath.log` is in `test_python_statistics`",
    "right": "that of `scipy.linalg.eig` is in `test_complex_rules`",
}
"""Keywords without a sample."""
NEVER: dict[str, tuple[str, ...]] = {
    "ndarray.partition": ("order",), "ndarray.sort": ("order",), "numpy.partition": ("order",),
    "numpy.sort": ("order",), "numpy.histogram": ("density",),
    "pow": ("mod",),
    **{f"numpy.{nan}{f}": ("overwrite_input",) for nan in ("", "nan")
       for f in ("median", "percentile", "quantile")},
    "scipy.linalg.eig": ("b", "left", "homogeneous_eigvals"),
    "scipy.linalg.eigvals": ("b", "homogeneous_eigvals"), "scipy.linalg.lstsq": ("cond",),
    "scipy.linalg.solve_circulant": ("singular", "caxis", "baxis", "outaxis"),
    "scipy.special.comb": ("exact", "repetition"), "scipy.special.perm": ("exact",),
    "scipy.special.factorial": ("exact", "extend"),
    "scipy.signal.filtfilt": ("method", "irlen"), "scipy.signal.resample": ("t", "window"),
    "scipy.signal.upfirdn": ("mode", "cval"),
    "scipy.stats.linregress": ("alternative", "keepdims"),
    "scipy.stats.pearsonr": ("alternative", "method"), "scipy.stats.tmean": ("limits", "inclusive"),
}  # fmt: skip
"""Keywords that no rule has a derivative for, with any other value than the default: their samples
are those of `REFUSED`. All others have one that is differentiated."""
SAME = ("Generator.", "RandomState.", "numpy.float32", "numpy.float16")
"""Methods and types with the formulas of others that have samples."""


def arguments(text: str) -> tuple[list[str], list[Any]]:
    names = list(dict.fromkeys(names_of(text)))
    return names, [np.copy(a) if isinstance(a := POOL[n], np.ndarray) else a for n in names]


def compared(text: str, f: Any) -> None:
    """Compare the derivatives of a call with differences."""
    names, args = arguments(text)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        if not applicable(f, args):
            pytest.skip("this NumPy has no such function, or keyword")
        check(f, args, frozenset(k for k, n in enumerate(names) if held(text, n)))


@cache
def functions() -> dict[str, Callable[..., Any]]:
    return written([*KEYWORDS, *MEANS, *REFUSED, *common()], "adtrans_keywords")


def rules() -> dict[int, tuple[Rule, list[str]]]:
    """Every rule with a derivative, with its names; functions that this NumPy has."""
    found: dict[int, tuple[Rule, list[str]]] = {}
    for name, rule in all_rules():
        if rule.active_params or rule.expansion:
            found.setdefault(id(rule), (rule, []))[1].append(name)
    return found


def common() -> list[str]:
    """The first sample of each rule with all the common keywords that it takes."""
    found: dict[int, str] = {}
    for text in ALL:
        if any(w in text for w in NOT_COMPILED) or not text.endswith(")") or "None" in text:
            continue
        use = read(text, frozenset(names_of(text)))
        if use is None or id(use.rule) in found or use.rule.call == "operator":
            continue
        taken = [p for p in use.rule.params if p.name in COMMON and p.form != "positional"]
        taken = [p for p in taken if p.default is not None and use.bound[p.name] == p.default]
        taken = [p for p in taken if p.name != "order" or isinstance(literal(p.default), str)]
        if taken:
            options = ", ".join(f"{p.keyword}={COMMON[p.name]}" for p in taken)
            between = "" if text.endswith("()") else ", "
            found[id(use.rule)] = f"{text[:-1]}{between}{options})"
    return list(found.values())


def given_by(texts: list[str]) -> dict[int, set[str]]:
    """The keywords of each rule that calls give a value that is not the default."""
    found: dict[int, set[str]] = {}
    for text in texts:
        if "overwrite_" in text:
            continue  # it is not of the rule
        use = read(text, frozenset(names_of(text)))
        if use is not None:
            given = {p.name for p in use.rule.params if use.bound.get(p.name) != p.default}
            found.setdefault(id(use.rule), set()).update(given)
    return found


def seen(refused: bool = False) -> dict[int, set[str]]:
    """The keywords of each rule that samples give a value that is not the default: those that are
    differentiated, or those that are `refused`."""
    if refused:
        return given_by(REFUSED)
    texts = [*ALL, *KEYWORDS, *MEANS, *common()]
    found = given_by([*texts, *test_complex_rules.CALLS, *test_writers.CALLS])
    for name in TRANSFORMS:
        rule = lookup(getattr(np.fft, name))
        assert rule is not None
        found[id(rule)].add("out")
    for name in ("modf", "frexp", "divmod"):  # `test_out_tuples` has programs
        rule = lookup(getattr(np, name))
        assert rule is not None
        found[id(rule)] |= {"out1", "out2", "outs"}
    for text in test_out.TEXTS:
        use = read(text, frozenset(names_of(text)))
        assert use is not None
        found[id(use.rule)] |= {"out", "where"}
    return found


@pytest.mark.parametrize("text", [*KEYWORDS, *MEANS])
def test_keyword(text: str) -> None:
    compared(text, functions()[text])


@pytest.mark.slow
@pytest.mark.parametrize("text", common())
def test_common_keywords(text: str) -> None:
    compared(text, functions()[text])


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    _, args = arguments(text)
    active = tuple(k for k, a in enumerate(args) if is_float(a))
    with pytest.raises(ad.AdtransError) as caught:
        ad.vjp(functions()[text], *args, wrt=active)
    assert caught.value.diagnostics[0].code in ("AD401", "AD407", "AD409")


def test_every_keyword_of_every_rule_has_a_sample() -> None:
    samples, refused, missing = seen(), seen(refused=True), []
    for key, (rule, names) in rules().items():
        if names[0].startswith((*SAME, "statistics.", "SuperLU.")) or not exists(rule):
            continue  # these are in `test_python_statistics` and `test_sparse_algebra`
        for p in rule.params:
            exempt = p.name in NOTHING or p.name.startswith("overwrite_")
            exempt = exempt or (p.name == "kind" and "partition" in names[0])  # there is one
            # SciPy's `device=` is for arrays of other packages
            exempt = exempt or (p.name == "device" and names[0].startswith("scipy."))
            never = p.name in NEVER.get(names[0], ())
            known = (refused if never else samples).get(key, ())
            if p.default is not None and not exempt and p.name not in known:
                missing.append(f"{names[0]}({p.name}=)")
    assert missing == []


TRANSFORMS = (
    "fft", "ifft", "rfft", "irfft", "ihfft", "fft2", "rfft2", "fftn", "ifftn", "rfftn", "irfftn",
)  # fmt: skip


@pytest.mark.parametrize("name", TRANSFORMS)
def test_a_transform_into_an_array(name: str) -> None:
    if np.__version__ < "2":
        pytest.skip("it has no `out=` there")
    transform = getattr(np.fft, name)
    shape = transform(np.ones((3, 4))).shape
    kind = float if name.startswith("irfft") else complex

    def into(x):
        buffer = np.zeros(shape, kind)
        transform(x, out=buffer)
        return np.sum(np.abs(buffer) ** 2) + np.sum(x**3)

    check_grads(into, (POOL["m"],))


@pytest.mark.parametrize("name", ["hfft", "ifft2", "irfft2"])
def test_an_array_that_numpy_leaves_alone_is_refused(name: str) -> None:
    """These take `out=` and ignore it, so that writing it would change the value."""
    transform = getattr(np.fft, name)

    def into(x, buffer):
        transform(x, out=buffer)
        return np.sum(np.abs(buffer)) + np.sum(x)

    with pytest.raises(ad.CompileError) as caught:
        ad.grad(into)(POOL["m"], np.zeros((3, 4)))
    assert "does not know `out=`" in str(caught.value)


def exists(rule: Rule) -> bool:
    try:
        return rule.call != "function" or resolve(rule.spelling) is not None
    except LookupError:
        return False
