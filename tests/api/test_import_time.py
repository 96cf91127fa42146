"""Importing adtrans, and decorating functions, loads next to nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import adtrans
from benchmarks import import_time

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("gast", "astunparse", "scipy", "adtrans.rules", "adtrans.analyses", "adtrans.runtime")
DECORATED = "import adtrans as ad\n@ad.differentiable\ndef f(x):\n    return x * x\n"


def output(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize("program", ["import adtrans\n", DECORATED + "assert f(3.0) == 9.0\n"])
def test_nothing_heavy_is_imported(program: str) -> None:
    heavy = f"import sys\nprint([m for m in {HEAVY!r} if m in sys.modules])"
    assert output(program + heavy) == "[]"


@pytest.mark.parametrize("name", adtrans.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(adtrans, name) is not None
    assert name in dir(adtrans)


def test_functions_are_not_hidden_by_modules() -> None:
    program = """
import pkgutil, importlib, types
import adtrans
for m in pkgutil.walk_packages(adtrans.__path__, "adtrans."):
    if "__main__" not in m.name and "with_scipy" not in m.name:
        importlib.import_module(m.name)
names = [n for n in adtrans.__all__ if isinstance(getattr(adtrans, n), types.ModuleType)]
print(names, callable(adtrans.checkpoint))
"""
    assert output(program) == "['tree'] True"


def test_threads_may_be_the_first_to_use_it(tmp_path: Path) -> None:
    program = tmp_path / "threads.py"
    program.write_text("""
import threading
import adtrans

def square(x):
    return x * x

found = []
threads = [
    threading.Thread(target=lambda: found.append(adtrans.grad(square)(3.0))) for _ in range(4)
]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(found)
""")
    assert output(f"import runpy; runpy.run_path({str(program)!r})") == "[6.0, 6.0, 6.0, 6.0]"


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'gradient'"):
        adtrans.gradient  # noqa: B018


def test_the_benchmark_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert import_time.main(["--quick"]) == 0
    assert "decorated" in capsys.readouterr().out


def test_rules_are_parsed_when_they_are_used() -> None:
    program = """
import ast
parsed = []
def counted(text, *args, parse=ast.parse, **kwargs):
    parsed.append(text)
    return parse(text, *args, **kwargs)
ast.parse = counted
import numpy as np
from adtrans.rules import lookup
rule = lookup(np.tanh)
before = len(parsed)
rule.params
print(before, len(parsed) > 0)
"""
    assert output(program) == "0 True"
