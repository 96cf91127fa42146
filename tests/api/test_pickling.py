"""Derivatives go to other processes: by reference, with what was compiled left behind."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import adtrans as ad

PROGRAM = '''
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
import numpy as np
import adtrans as ad

@ad.differentiable
def loss(x, k=2.0):
    y = np.zeros(3)
    y[1:] = x[1:] * x[:-1] * k
    return np.sum(y * y)

def square(x):
    return np.sum(x * x)

def plain(x):
    return x * x[0]

def each(x):
    return x * np.sin(x)

X = np.array([1.0, 2.0, 3.0])
WORK = [loss.grad, loss.value_and_grad, ad.grad(loss, wrt="k"), ad.jacfwd(plain), ad.jacrev(plain),
        ad.hessian(loss), ad.elementwise_grad(each), ad.grad(square)]

def first(made):
    found = made(X)
    return [np.asarray(part).tolist() for part in (found if isinstance(found, tuple) else (found,))]

if __name__ == "__main__":
    here = [first(made) for made in WORK]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        there = list(pool.map(first, WORK))
    assert here == there, (here, there)
    print("the same")
'''


def test_through_a_process_pool(tmp_path: Path) -> None:
    file = tmp_path / "pooled.py"
    file.write_text(PROGRAM, encoding="utf-8")
    home = Path(ad.__file__).resolve().parents[1]
    done = subprocess.run(
        [sys.executable, str(file)],
        capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "PYTHONPATH": str(home)},
    )  # fmt: skip
    assert done.stdout == "the same\n", done.stderr


def test_what_cannot_be_pickled_says_so() -> None:
    def local(x):
        return x * x

    with pytest.raises((AttributeError, pickle.PicklingError)):
        pickle.dumps(ad.grad(local))


def test_copies_in_one_process() -> None:
    again = pickle.loads(pickle.dumps(ad.hessian(cubes)))
    np.testing.assert_allclose(again(np.array([2.0])), [[12.0]])


def cubes(x):
    return np.sum(x**3)
