"""Each function that moves or looks, given active values: right, or refused; never a loss."""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from tests.recorder.language import handed_numpy, handed_python
from tests.recorder.language.judge import X

_HEAD = '''
import array, bisect, cmath, collections, contextlib, copy, decimal, fractions, functools, heapq
import inspect, io, itertools, json, math, operator, pickle, random, statistics, string, struct
import types, weakref
import numpy as np


class Box:
    def __init__(self, v): self.v = v
    def get(self): return self.v
    def __iter__(self): return iter([self.v])
    def __float__(self): return float(self.v)
    def __array__(self, dtype=None, copy=None): return np.asarray(self.v)
    def __len__(self): return 2
'''
EXPRESSIONS = (handed_python.EXPRESSIONS + handed_numpy.EXPRESSIONS).strip().splitlines()


def _functions() -> list[Any]:
    source, lines = _HEAD, []
    for k, line in enumerate(filter(None, EXPRESSIONS)):
        *before, last = line.split("; ")
        body = "".join(f"    {s}\n" for s in before)
        source += f"\n\ndef f{k}(x):\n    a = float(x[0]); b = x[1]\n{body}    return {last}\n"
        lines.append((f"f{k}", line))
    file = "/programs/handed.py"
    linecache.cache[file] = len(source), None, source.splitlines(True), file
    names: dict[str, Any] = {}
    exec(compile(source, file, "exec"), names)
    return [pytest.param(names[name], id=line) for name, line in lines]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("f", _functions())
def test_handed(f: Any) -> None:
    h = 1e-6
    want = [
        (float(np.sum(f(X + d))) - float(np.sum(f(X - d)))) / (2 * h) for d in h * np.eye(len(X))
    ]
    try:
        value, pull = ad.vjp(ad.recorded(f, on_overwrite="save"), X.copy())
    except ad.AdtransError as error:
        assert error.diagnostics[0].code.startswith("AD")
        return
    bar = np.ones_like(value) if isinstance(value, np.ndarray) else type(value)(1.0)
    found = pull(bar)[0]
    assert np.allclose(0.0 if found is None else found, want, 1e-4, 1e-6)
