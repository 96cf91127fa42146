"""A stand-alone file runs in a fresh interpreter, without adtrans."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from adtrans.diagnostics.errors import InputError
from adtrans.emit.load import load
from adtrans.emit.standalone import standalone
from adtrans.ir.code import Def, Module, Result
from adtrans.ir.expr import Call, Expr, Name, Ref, Sequence
from adtrans.ir.stmt import Param
from adtrans.runtime.failures import MutationError

TABLE = np.arange(3.0)


def module(globals_: dict[str, object], *uses: Expr) -> Module:
    body = (Result(Sequence("tuple", (Name("x"), *uses))),)
    return Module((Def("f", (Param("x"),), body),), globals_)


def use(name: str, value: object) -> Expr:
    return Ref(name, value)


def run(text: str, call: str, tmp_path: Path) -> str:
    path = tmp_path / "alone.py"
    path.write_text(f"{text}\nprint({call})\nimport sys\nassert 'adtrans' not in sys.modules\n")
    done = subprocess.run(
        [sys.executable, "-I", str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_imports_constants_and_code(tmp_path: Path) -> None:
    globals_ = {
        "np": np, "math": math, "linalg": np.linalg, "K": -2.0, "BIG": float("inf"),
        "pair": (1, "a"), "unused": object(), "size": len, "F": np.float32(0.5), "sqrt": math.sqrt,
    }  # fmt: skip
    uses = [
        Call(Ref("np.sum", np.sum), (Name("x"),)),
        Call(Ref("math.exp", math.exp), (Ref("K", -2.0),)),
        Call(Ref("linalg.norm", np.linalg.norm), (Name("x"),)), use("BIG", 0.0), use("pair", 0),
        Call(use("size", len), (Name("x"),)), use("F", 0.5), use("sqrt", math.sqrt),
    ]  # fmt: skip
    text = standalone(module(globals_, *uses), doc='Says "hello".')
    assert text.startswith('"""Says "hello"."""\n\n')
    head = text.partition("\n\n\n")[0].split("\n")[2:]
    assert head == [
        "from math import sqrt",
        "from numpy import linalg",
        "import math",
        "import numpy as np",
        "",
        "BIG = float('inf')",
        "F = np.float32(0.5)",
        "K = -2.0",
        "pair = (1, 'a')",
        "size = len",
    ]
    assert text == standalone(module(dict(reversed(globals_.items())), *uses), doc='Says "hello".')
    assert run(text, "f([3.0, 4.0])[1]", tmp_path) == "7.0"


def test_runtime_helpers_are_copied(tmp_path: Path) -> None:
    text = standalone(module({"MutationError": MutationError}, use("MutationError", MutationError)))
    assert "class MutationError(CallError, RuntimeError):" in text
    assert "import adtrans" not in text and "from adtrans" not in text
    assert run(text, "f(1)[1].__mro__[3].__name__", tmp_path) == "RuntimeError"


def test_generated_helpers_are_copied_with_what_they_use(tmp_path: Path) -> None:
    inner = load("def inner(x):\n    return x * K\n", "inner", {"K": 3.0})["inner"]
    outer = load("def outer(x):\n    return inner(x) + 1\n", "outer", {"inner": inner})["outer"]
    text = standalone(module({"helper": outer}, Call(use("helper", outer), (Name("x"),))))
    assert text.index("def inner") < text.index("def outer") < text.index("helper = outer")
    assert run(text, "f(2.0)", tmp_path) == "(2.0, 7.0)"


def test_an_array_is_refused_unless_it_can_be_imported() -> None:
    m = module({"TABLE": TABLE}, use("TABLE", TABLE))
    with pytest.raises(InputError) as caught:
        standalone(m)
    assert caught.value.diagnostics[0].code == "AD410"
    assert "`TABLE` (ndarray)" in str(caught.value)
    home = "tests_of_standalone_home"
    sys.modules[home] = type(sys)(home)
    try:
        vars(sys.modules[home])["TABLE"] = TABLE
        assert f"from {home} import TABLE\n" in standalone(m, home=home)
    finally:
        del sys.modules[home]


def test_one_name_for_two_things_is_refused() -> None:
    helper = load("def helper(x):\n    return x * K\n", "helper", {"K": 3.0})["helper"]
    m = module({"helper": helper, "K": 4.0}, use("helper", helper), use("K", 4.0))
    with pytest.raises(InputError, match="`K` means two different things"):
        standalone(m)
