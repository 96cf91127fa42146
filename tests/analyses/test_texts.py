"""Numbers that are read out of texts would pass for constants: they are refused."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([1.3, 0.7])


def printed(x):
    out = io.StringIO()
    print(x[0], file=out)
    return float(out.getvalue())


def written_by_a_name(x):
    out = io.StringIO()
    write = out.write
    write(str(x[0]))
    return float(out.getvalue())


def collected(x):
    out = {}
    out[str(x[0])] = x[1]
    return sum(float(k) * v for k, v in out.items())


def stored(x):
    out = np.empty(1)
    out[0] = str(x[0])
    return out[0] * x[1]


def added(x):
    out = np.zeros(1)
    out += np.array([str(x[0])]).astype(float)
    return out[0]


def of_a_dictionary_in_one(x):
    held = {"b": {"a": float(x[0])}}
    return float(str(held)[12:-2]) * x[1]


def of_a_list_that_grew(x):
    held = []
    held.append(float(x[0]))
    return float(repr(held)[1:-1]) * x[1]


@dataclass
class Held:
    a: float


def of_an_object(x):
    return float(repr(Held(float(x[0])))[7:-1]) * x[1]


def put_into(x):
    text = "%r"
    text %= float(x[0])
    return float(text) * x[1]


READ = [
    lambda x: float(str(x[0])),
    lambda x: float(f"{x[0]}") * x[1],
    lambda x: float("%.17g" % x[0]),  # noqa: UP031
    lambda x: float("{:.3f}".format(x[0])),  # noqa: UP032
    lambda x: np.float64(repr(float(x[0])).strip()),
    lambda x: complex(format(x[0], ".17g")).real,
    lambda x: np.array(str(x.tolist())[1:-1].split(","), dtype=float)[0],
    lambda x: sum(map(float, f"{x[0]} {x[1]}".split())),
    printed,
    collected,
    stored,
    added,
    of_a_dictionary_in_one,
    of_a_list_that_grew,
    of_an_object,
    put_into,
]


@pytest.mark.parametrize("f", READ)
@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_a_number_out_of_a_text_is_refused(f, mode):
    with pytest.raises(ad.CompileError, match="a number is read out of a text"):
        ad.vjp(f, X) if mode == "reverse" else ad.jvp(f, (X,), (X,))


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_a_file_that_a_method_under_a_name_writes(mode):
    f = written_by_a_name
    with pytest.raises(ad.CompileError, match="a value is read back out of a file"):
        ad.vjp(f, X) if mode == "reverse" else ad.jvp(f, (X,), (X,))


def named(x):
    found = {}
    for k, v in enumerate(x):
        found[f"v{k}"] = v * v
        found["%d" % k] = v  # noqa: UP031
    return sum(found.values()) * len(f"{x[0]:.3f}")


def told(x):
    lines = []
    for v in x:
        lines.append(f"{v:.2f}")
    note = ", ".join(lines).upper()
    return np.sum(x * x) * (2.0 if note.startswith("1") else 3.0)


@pytest.mark.parametrize("f", [named, told])
def test_texts_that_are_only_texts_are_no_matter(f):
    check_grads(f, (X,), modes=("reverse", "forward"))


def test_a_text_may_be_a_result():
    def f(x):
        texts = ["%g" % v for v in x]  # noqa: UP031
        return x[0] * x[1], f"{x[0]:.2f}", texts, {"note": str(x).strip()}

    (y, *texts), pull = ad.vjp(f, X)
    assert (y, *texts) == f(X)
    del pull
    assert ad.grad(lambda x: f(x)[0])(X) == pytest.approx(X[::-1])
