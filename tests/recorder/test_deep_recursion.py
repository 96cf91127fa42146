"""Deep recursion in recorded programs: as the plain run, or an exception; never a crash."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys
import adtrans as ad

def endless(v):
    return sorted([v, v], key=lambda q: endless(q))[0] if %(sorts)s else endless(v) + 1.0

def f(x):
    try:
        return endless(x)
    except RecursionError:
        return x * 3.0

def deep(v, k):
    return v if k == 0 else deep(v * 1.0001, k - 1) + 0.0

assert abs(ad.recorded(lambda x: deep(x, 900)).grad(1.5) - 1.0001**900) < 1e-9
before = %(limit)s
sys.setrecursionlimit(before)
assert ad.recorded(f).grad(2.0) == 3.0
assert ad.jvp(ad.recorded(f), (2.0,), (1.0,)) == (6.0, 3.0)
assert sys.getrecursionlimit() == before
"""


@pytest.mark.parametrize("limit", [1000, 10_000, 100_000])
@pytest.mark.parametrize("sorts", [False, True])
def test_endless_recursion_ends_in_an_exception(limit, sorts, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(PROGRAM % {"limit": limit, "sorts": sorts})
    ran = subprocess.run([sys.executable, str(file)], capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr[-500:]
