"""What a type checker sees of the interface: a program for mypy, with what it must say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PROGRAM = '''
import numpy as np
import adtrans as ad

@ad.differentiable
def loss(x: np.ndarray, k: float = 2.0) -> float:
    return float(np.sum(x) * k)

class Model:
    @ad.differentiable
    def energy(self, x: float) -> float:
        return x * x

@ad.differentiable(on_overwrite="save")
def saved(x: float) -> float:
    return x

reveal_type(loss(np.ones(2)))            # float
reveal_type(loss.grad)                   # def (x: *ndarray*, k: float =) -> Any
reveal_type(loss.value_and_grad(np.ones(2), 3.0))   # tuple[float, Any]
reveal_type(loss.hessian)                # def (x: *ndarray*, k: float =) -> Any
reveal_type(loss.source)                 # str
reveal_type(Model().energy(2.0))         # float
reveal_type(Model().energy.grad)         # def (x: float) -> Any
reveal_type(saved.vjp(1.0)[0])           # float
reveal_type(ad.stop_gradient(1.0))       # float
reveal_type(ad.checkpoint(saved)(1.0))   # float
loss.grad("text")                        # error
loss.grad(np.ones(2), z=1)               # error
ad.jacobian(loss)(np.ones(2))
'''


def test_mypy_sees_the_types(tmp_path: Path) -> None:
    api = pytest.importorskip("mypy.api")
    file = tmp_path / "program.py"
    file.write_text(PROGRAM, encoding="utf-8")
    out, err, _ = api.run(
        [str(file), "--strict", "--follow-imports=silent", "--disable-error-code=type-arg",
         f"--cache-dir={tmp_path}"]
    )  # fmt: skip
    said: dict[int, str] = {}
    for line in out.splitlines():
        found = re.match(r".*program\.py:(\d+): (note|error): (.*)", line)
        if found is not None:
            said.setdefault(int(found[1]), found[3] if found[2] == "note" else f"error {found[3]}")
    for number, line in enumerate(PROGRAM.splitlines(), 1):
        wanted = re.search(r"\)\s+# (.*)$", line)
        if wanted is None:
            assert not said.get(number, "").startswith("error"), said[number]
        elif wanted[1] == "error":
            assert said.get(number, "").startswith("error"), (line, out, err)
        else:
            for part in wanted[1].split("*"):
                assert part in said.get(number, "").replace("builtins.", ""), (line, said, err)
