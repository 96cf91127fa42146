"""Code of other packages: what computes nothing is not looked into, the rest only so far."""

from __future__ import annotations

import copy
import json
import logging
import re
import string
import sys
import time
import warnings

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.source.libraries import computes_nothing, is_library, package_of

X = np.array([0.3, 0.5, 0.7])
SILENT = logging.getLogger("silent")
SILENT.setLevel(logging.CRITICAL + 1)
STATE = {"k": 1.0}


def slopes(f, x):
    steps = 1e-6 * np.eye(x.size)
    return np.array([(f(x + d) - f(x - d)) / 2e-6 for d in steps])


def logs(x):
    SILENT.warning("at %s", ad.stop_gradient(x))
    return np.sum(x**2)


def writes_json(x):
    text = json.dumps({"n": x.size, "name": "run"}, indent=2)
    return np.sum(np.sin(x)) * len(text)


def reads_json(x):
    return np.sum(x * np.array(json.loads("[1.0, 2.0, 3.0]")))


def finds_text(x):
    found = re.findall(r"\d+", "12 apples, 7 pears")
    return x[0] ** 2 * float(found[0]) + x[1] * int(found[1])


def warns(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn("far out", stacklevel=1)
    return np.prod(x)


def copies(x):
    state = {"w": x[0] * 2.0}
    other = copy.deepcopy(state)
    other["w"] = other["w"] * x[1]
    return state["w"] + other["w"]


def fills_in(x):
    return float(string.Template("$a").substitute(a="3")) * x[0] ** 2


@pytest.mark.parametrize(
    "f", [logs, writes_json, reads_json, finds_text, warns, copies, fills_in]
)
def test_what_is_not_looked_into_runs_as_it_is(f):
    started = time.process_time()
    value, g = ad.value_and_grad(f)(X.copy())
    assert time.process_time() - started < 5.0
    assert value == f(X.copy())
    np.testing.assert_allclose(g, slopes(f, X), rtol=1e-6)


def calls_back(x):
    kept = []
    re.sub("a", lambda m: kept.append(x[0]) or "", "aaa")
    return kept[0] ** 2 * x[1]


def writes_when_called_back(x):
    y = x * 2.0

    def put(o):
        y[1] = 7.0
        return "q"

    json.dumps({"a": object()}, default=put)
    return np.sum(y * y) * x[1]


def set_to_five(m):
    STATE["k"] = 5.0
    return ""


def assigns_when_called_back(x):
    STATE["k"] = x[0]
    re.sub("a", set_to_five, "aaa")
    return x[1] * STATE["k"]


@pytest.mark.parametrize(
    "f", [calls_back, writes_when_called_back, assigns_when_called_back]
)
@pytest.mark.parametrize("way", ["refuse", "record"])
def test_what_is_called_back_from_there_is_right_or_refused(f, way):
    value = f(X.copy())
    try:
        had, g = ad.value_and_grad(f, on_unfollowed=way)(X.copy())
    except CompileError:
        return
    assert had == value
    np.testing.assert_allclose(g, slopes(f, X), rtol=1e-6)


def test_whose_code_it_is():
    assert is_library("matplotlib.pyplot") and not is_library("matplotlib_of_mine")
    assert computes_nothing("packaging.version") and not computes_nothing("random")
    assert computes_nothing("sklearn.externals.array_api_compat.numpy")
    assert package_of(json.dumps.__code__.co_filename) == "Python"
    assert package_of(__file__) is None


@pytest.fixture
def large(tmp_path, monkeypatch):
    """A package that was installed, with a function that leads to many others."""
    home = tmp_path / "site-packages" / "large_package"
    home.mkdir(parents=True)
    lines = ["import numpy as np"]
    lines += [f"def h{k}(x): return np.sin(x) + {k}.0" for k in range(300)]
    lines += ["def report(x):", *(f"    x = h{k}(x)" for k in range(300)), "    return x"]
    lines += ["def little(x): return h1(h2(x))"]
    (home / "__init__.py").write_text("\n".join(lines) + "\n")
    monkeypatch.syspath_prepend(tmp_path / "site-packages")
    import large_package  # type: ignore[import-not-found]

    yield large_package
    del sys.modules["large_package"]


def test_other_packages_are_looked_into_only_so_far(large):
    def far(x):
        return np.sum(large.report(x))

    def near(x):
        return np.sum(large.little(x) ** 2)

    started = time.process_time()
    with pytest.raises(CompileError, match="200 functions of other packages") as refused:
        ad.grad(far, on_unfollowed="refuse")(X)
    assert [d.code for d in refused.value.diagnostics] == ["AD208"]
    assert time.process_time() - started < 8.0
    for f in (far, near):
        g = ad.grad(f, on_unfollowed="record")(X)
        np.testing.assert_allclose(g, slopes(f, X), rtol=1e-5, atol=1e-8)


def test_what_is_said_to_be_constant_is_not_looked_into_there(large):
    @ad.constant
    def shown(x):
        return large.report(x)[0]

    @ad.constant
    def handed_on(x):
        large.report(x)
        return x

    @ad.constant
    def written(x):
        large.report(x)
        x *= 2.0

    def f(x):
        return np.sum(x**2) * shown(x)

    def g(x):
        y = x * 1.0
        v = handed_on(y)
        v *= 2.0
        return np.sum(y * x)

    def h(x):
        y = x * 1.0
        written(y)
        return np.sum(y * y)

    started = time.process_time()
    np.testing.assert_allclose(ad.grad(f, on_unfollowed="refuse")(X), 2 * X * shown(X))
    assert time.process_time() - started < 3.0
    with pytest.raises(ad.AdtransError, match=r"AD206|AD412"):
        ad.grad(g, on_unfollowed="refuse")(X)
    for differentiate in (ad.grad(h), ad.recorded(h).grad):
        with pytest.raises(CompileError, match=r"AD412|AD208"):
            differentiate(X)
