"""No public function is unclassified, and the list of rules says what the rules say."""

from __future__ import annotations

import importlib
import math
import types

import numpy as np
import pytest

import adtrans as ad
from adtrans.rules import lookup
from adtrans.rules.rule_listing import Entry, entries, survey
from tests import rule_table

CLASSIFIED = [
    "numpy", "numpy.linalg", "numpy.fft", "math", "scipy.special", "scipy.integrate",
    "scipy.ndimage", "scipy.signal", "scipy.signal.windows", "scipy.spatial.distance",
    "scipy.optimize", "scipy.interpolate", "scipy.fft",
    *(f"numpy.polynomial.{n}" for n in (
        "polynomial", "chebyshev", "hermite", "hermite_e", "laguerre", "legendre")),
]  # fmt: skip


@pytest.mark.parametrize("name", CLASSIFIED)
def test_every_public_function_is_classified(name: str) -> None:
    if name == "numpy" and np.__version__ < "2":
        pytest.skip("names that NumPy 2 dropped have no rule")
    module = importlib.import_module(name)
    assert [e.name for e in survey(module) if e.status == "unclassified"] == []


def test_every_refusal_has_a_reason() -> None:
    refused = [e for e in survey(np) if e.status == "refused"]
    assert refused and all(e.why for e in refused)


def test_methods_and_attributes_of_arrays_are_classified() -> None:
    known = {e.name.rpartition(".")[2] for e in entries() if e.name.startswith("ndarray.")}
    shared = {n for n in dir(np.ndarray) if hasattr(np, n)}  # the rules of the functions
    public = {n for n in dir(np.ndarray) if not n.startswith("_")}
    # memory itself, which is not followed
    held = {"base", "ctypes", "data", "device", "flat", "getfield", "to_device"}
    held |= {"newbyteorder", "tostring"}  # of NumPy 1
    assert public - known - shared - held == set()


def test_more_than_300_entries_of_numpy_carry_a_derivative() -> None:
    found = [e.name for e in entries() if e.status == "rule"]
    assert len([n for n in found if n.startswith(("numpy.", "ndarray."))]) >= 300


def test_the_page_with_the_table_is_up_to_date() -> None:
    if not "2" <= np.__version__ < "2.5":
        pytest.skip("the table is that of NumPy 2.0 to 2.4: later ones lack `row_stack`")
    now = rule_table.page()
    assert rule_table.PAGE.read_text(encoding="utf-8") == now, "python -m tests.rule_table"
    assert now.count("\n| `numpy.") > 300 and now.count("\n| `scipy.") > 100


def test_an_entry_says_what_the_rule_says() -> None:
    (tanh,) = (e for e in entries("numpy.tanh") if e.name == "numpy.tanh")
    assert tanh.pullback == {"x": ("y_bar * (1 - y * y)", "y_bar * (1 - np.tanh(x) ** 2)")}
    assert tanh.pushforward == {"x": "x_dot * (1 - y * y)"} and tanh.needs == ("x", "y")
    (reshape,) = (e for e in entries("numpy.reshape") if e.name == "numpy.reshape")
    assert reshape.result == "maybe view of a"


@pytest.mark.parametrize(("name", "dtypes"), [
    ("numpy.arctan2", "float32 float64"), ("math.sin", "float"), ("numpy.argmax", ""),
    ("numpy.linalg.solve", "float32 float64 complex64 complex128"),
])  # fmt: skip
def test_an_entry_says_for_which_numbers_it_holds(name: str, dtypes: str) -> None:
    (found,) = (e for e in entries(name) if e.name == name)
    assert found.dtypes == tuple(dtypes.split())


def test_a_module_of_ones_own() -> None:
    module = types.ModuleType("own")
    module.sine, module.other = math.sin, lambda: 0  # type: ignore[attr-defined]
    assert [(e.name, e.status) for e in survey(module)] == [
        ("own.other", "unclassified"), ("own.sine", "rule"),
    ]  # fmt: skip
    assert isinstance(survey(module)[0], Entry)


@pytest.mark.parametrize(
    ("f", "why"),
    [
        (lambda x: np.sum(np.roots(x)), "may be complex"),
        (lambda x: np.sum(np.histogram_bin_edges(x, 3)), "smooth counts with a kernel"),
        (lambda x: np.sum(np.polydiv(x, x)[0]), "np.polymul"),
    ],
)
def test_a_refused_function_says_why(f, why: str) -> None:
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(f)(np.array([1.0, 2.0, 4.0]))
    (found,) = caught.value.diagnostics
    assert found.code == "AD401" and why in (found.why or "")


def test_refused_functions_have_no_second_rule() -> None:
    for e in survey(np):
        rule = lookup(getattr(np, e.name.rpartition(".")[2]))
        assert rule is None or rule.refused is None or not rule.active_params
