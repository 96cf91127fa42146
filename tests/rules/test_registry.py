"""Looking up rules, binding arguments, and what rules say about memory."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest

from adtrans import runtime
from adtrans.ir.expr import Const, Name, Sequence, Star, Unary
from adtrans.ir.kinds import PY_FLOAT, Array
from adtrans.rules import Rule, all_rules, attribute, describe, lookup, method, operator


def found(obj: object) -> Rule:
    rule = lookup(obj)
    assert rule is not None
    return rule


class Entries(dict):
    __getattr__ = dict.__getitem__


def test_objects_of_users_are_not_asked_for_their_owner() -> None:
    assert lookup(Entries(rate=0.1)) is None
    assert lookup(Entries(__self__=np.random.default_rng(0), __name__="normal")) is None


def test_identity_of_objects() -> None:
    assert lookup(np.abs) is lookup(np.absolute)
    assert found(np.max).name == "numpy.max" and found(np.amax).name == "numpy.amax"
    assert lookup(lambda: 0) is None and lookup(object()) is None and lookup([1]) is None
    assert found(abs).form == "elementwise" and found(math.sin).name == "math.sin"
    assert found(len).cheap and not found(np.random.normal).cheap


def test_more_than_120_numpy_functions() -> None:
    assert len([n for n, r in all_rules() if n.startswith("numpy.") and r.active_params]) > 120


def test_random_draws() -> None:
    rng = np.random.default_rng(0)
    assert found(rng.standard_normal).impure and found(rng.normal).active_params == ("loc", "scale")
    draw = found(np.random.poisson)
    assert draw.impure and not draw.ignores("arg0")
    assert found(np.argmax).ignores("arg0")


def test_methods_of_users_objects_are_not_arrays() -> None:
    class Sheet:
        def sum(self) -> float:
            return 0.0

    assert lookup(Sheet().sum) is None
    assert lookup([1.0].sort) is None


@pytest.mark.parametrize(
    ("rule", "result"),
    [
        (found(np.transpose), "view"), (found(np.reshape), "maybe_view"), (found(np.copy), "fresh"),
        (found(np.asarray), "maybe_same"), (found(np.sum), "fresh"), (attribute("T"), "view"),
        (method("ravel"), "maybe_view"), (method("flatten"), "fresh"),
        (method("astype"), "maybe_same"),
    ],
)  # fmt: skip
def test_results(rule: Rule, result: str) -> None:
    assert rule.result == result
    assert (rule.of is None) == (result == "fresh")


def test_binding() -> None:
    total = found(np.sum)
    x = Name("x")
    bound = total.bind((x, Const(0)), {"keepdims": Const(True)})
    assert bound is not None and bound["axis"] == Const(0) and bound["out"] == Const(None)
    assert total.bind((x,), {"nonsense": Const(0)}) is None
    assert total.bind((), {}) is None and total.bind((Star(x),), {}) is None
    assert found(np.exp).bind((), {"x": x}) is None, "ufuncs take their operands by position"
    out = found(np.exp).bind((x,), {"out": Sequence("tuple", (Name("o"),))})
    assert out is not None and out["out"] == Name("o")


def test_nested_items() -> None:
    rows = Sequence("list",
        (Sequence("list", (Name("a"), Const(0.0))), Sequence("list", (Name("b"), Name("c")))))
    rule = found(np.array)
    bound = rule.bind((rows,), {})
    assert bound is not None
    assert rule.active_in(bound) == ("a[0][0]", "a[0][1]", "a[1][0]", "a[1][1]")
    assert str(rule.pullback("a[1][0]", bound, {})[0]) == "y_bar[1, 0]"
    assert str(rule.tangent(["a[0][0]"], bound, {})) .startswith("np.array([[a[0][0]_dot, 0.0]")


@pytest.mark.parametrize(
    ("op", "b", "expected"),
    [
        ("**", Const(2), "2 * y_bar * a"), ("**", Const(3), "3 * y_bar * a ** 2"),
        ("**", Const(0.5), "0.5 * y_bar / y"),
        ("**", Unary("-", Const(1)), "-y_bar * y * y"), ("*", Name("b"), "y_bar * b"),
        ("/", Name("b"), "y_bar / b"),
        ("+", Name("b"), "y_bar"), ("-", Name("b"), "y_bar"),
    ],
)  # fmt: skip
def test_spelling(op: str, b: object, expected: str) -> None:
    rule = operator(op, 2)
    bound = rule.bind((Name("a"), b), {})  # type: ignore[arg-type]
    assert bound is not None
    assert str(rule.pullback("a", bound, {})[0]) == expected


def test_spelling_by_kind() -> None:
    vector = Array("float64", (None,))
    rule = found(np.mean)
    bound = rule.bind((Name("a"),), {})
    assert bound is not None
    f = rule.pullback("a", bound, {"a": vector})[0]
    assert str(f) == "y_bar / a.size" and f.thin and f.shapes == {"a"} and not f.values
    largest = found(max)
    bound = largest.bind((Name("s"), Const(0.0)), {})
    assert bound is not None
    assert str(largest.pullback("items[0]", bound,
        {"y": PY_FLOAT})[0]) == "y_bar if items[0] >= items[1] else 0.0"


def test_refusals() -> None:
    rule = found(np.polyfit)
    bound = rule.bind((Name("x"), Name("a"), Const(2)), {"rcond": Name("r")})
    assert bound is not None and rule.refusal(bound, {}) is not None
    with pytest.raises(LookupError):
        rule.pushforward("data", bound, {})


def test_every_rule_describes_itself() -> None:
    lines = [describe(rule) for _, rule in all_rules()]
    assert all(line and "\n" not in line for line in lines)


def test_import_is_cheap() -> None:
    code = "import sys, adtrans; sys.exit(bool({'scipy', 'numba', 'pygments'} & {*sys.modules}))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_formulas_are_for_parameters_that_there_are() -> None:
    for name, rule in all_rules():
        known = {p.name for p in rule.params}
        named = {k.partition("[")[0] for k in (*rule.pullbacks, *rule.pushforwards)}
        assert rule.any_arguments or named <= known, name
    for name in runtime.names():
        helper = lookup(runtime.find(name))
        if helper is not None:
            assert set(helper.pullbacks) <= {p.name for p in helper.params}, name


def test_what_is_refused_says_so() -> None:
    for f in (np.roots, np.polydiv):
        found = lookup(f)
        assert found is not None and found.refused is not None
        assert describe(found).endswith(f"(...)  refused: {found.refused}")
