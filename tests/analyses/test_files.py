"""Values that are read back out of files would pass for constants: they are refused."""

from __future__ import annotations

import io

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([1.3, 0.7, 2.0])
NAME = "results.txt"


@pytest.fixture(autouse=True)
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("rows.txt", "other.txt"):
        np.savetxt(name, np.array([2.0, 3.0, 5.0]))


def saved(a):
    np.savetxt("rows.txt", a)


def loaded(a):
    return a * np.loadtxt("rows.txt")


def rows():
    return np.loadtxt("rows.txt")


def plainly(x):
    np.save("rows", x * x)
    return np.sum(np.load("rows.npy"))


def of_several(x):
    np.savez("rows.npz", a=x * x)
    return np.sum(np.load("rows.npz")["a"])


def in_memory(x):
    out = io.BytesIO()
    np.save(out, x * x)
    out.seek(0)
    return np.sum(np.load(out))


def line_by_line(x):
    with open("rows.txt", "w") as out:
        for v in x:
            out.write(f"{v * v}\n")
    s = 0.0
    with open("rows.txt") as given:
        for line in given:
            s += float(line)
    return s


def opened_for_both(x):
    out = open("rows.txt", "w+")  # noqa: SIM115
    out.write(str(x[0] * x[1]))
    out.seek(0)
    y = float(out.read())
    out.close()
    return y


def bytes_of_it(x):
    (x * x).tofile("rows.bin")
    return np.sum(np.fromfile("rows.bin"))


def saved_by_a_callee(x):
    saved(x * x)
    return np.sum(x * np.loadtxt("rows.txt"))


def loaded_by_a_callee(x):
    np.savetxt("rows.txt", x * x)
    return np.sum(loaded(x))


def loaded_out_of_sight(x):
    np.savetxt("rows.txt", x * x)
    return np.sum(rows())


def in_the_next_iteration(x):
    s = 0.0
    for _ in range(2):
        s = s + np.sum(x * np.loadtxt("rows.txt"))
        np.savetxt("rows.txt", x * x)
    return s


REFUSED = [plainly, of_several, in_memory, line_by_line, opened_for_both, bytes_of_it,
           saved_by_a_callee, loaded_by_a_callee, loaded_out_of_sight,
           in_the_next_iteration]  # fmt: skip


@pytest.mark.parametrize("f", REFUSED)
@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_what_is_read_back_is_refused(f, mode):
    with pytest.raises(ad.CompileError, match="a value is read back out of a file"):
        ad.vjp(f, X) if mode == "reverse" else ad.jvp(f, (X,), (X,))


def data_first(x):
    y = x * np.loadtxt("other.txt")
    np.savetxt(NAME, y)
    return np.sum(y * y)


def another_file(x):
    np.savetxt("rows.txt", x * x)
    return np.sum(x * np.loadtxt("other.txt"))


def only_written(x):
    with open("rows.txt", "w") as out:
        out.write(str(x[0]))
    with open("rows.txt", "a") as out:
        out.write(str(x[1]))
    return np.sum(x * x)


def not_what_counts(x):
    np.savetxt("rows.txt", x * x)
    n = len(np.loadtxt("rows.txt").tolist()) > 0
    return np.sum(x * x) if n else np.sum(x)


def a_constant_is_meant(x):
    np.savetxt("rows.txt", ad.stop_gradient(x * x))
    return np.sum(x * np.loadtxt("rows.txt"))


def lines_of_data(x):
    with open("other.txt") as given:
        weights = [float(line) for line in given]
    s = 0.0
    for i in range(3):
        s = s + weights[i] * x[i] ** 2
    with open("rows.txt", "w") as out:
        out.write(str(s))
    return s


@pytest.mark.parametrize("f", [data_first, another_file, only_written, not_what_counts,
                               lines_of_data])  # fmt: skip
def test_data_may_be_read_and_results_be_written(f):
    check_grads(f, (X,))


def test_a_constant_may_be_written_and_read():
    assert np.array_equal(ad.grad(a_constant_is_meant)(X), X * X)


def its_own_input(x):
    y = x * np.loadtxt("rows.txt")
    np.savetxt("rows.txt", y)
    return np.sum(y * y)


def test_a_file_may_be_written_after_it_was_read():
    assert np.allclose(ad.grad(its_own_input)(X), 2 * X * np.array([4.0, 9.0, 25.0]))


def test_the_message_shows_both_lines():
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(plainly)(X)
    (found,) = caught.value.diagnostics
    assert found.primary.span.line == found.labels[0].span.line + 1
