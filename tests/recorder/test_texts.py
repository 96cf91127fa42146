"""A number that went through a text comes back without its derivative: that is refused."""

from __future__ import annotations

import ast
import io
import json
import logging
import tempfile

import numpy as np
import pytest

import adtrans as ad

X = np.array([0.625, 0.9, 1.3])


def in_an_f_string(x):
    return float(f"{x[0]:.3f}") * x[1]


def in_percent(x):
    return float("%.3f" % x[0]) * x[1]  # noqa: UP031


def in_percent_of_several(x):
    first, _ = ("%s %s" % (x[0], 1)).split()  # noqa: UP031
    return float(first) * x[1]


def in_format(x):
    return float("a {:e}".format(x[0])[2:]) * x[1]  # noqa: UP032


def in_format_of_the_class(x):
    return float(str.format("{0}", x[0])) * x[1]


def in_a_text_of_numpy(x):
    return float(np.str_(x[0])) * x[1]


def by_a_special_method(x):
    return float(float(x[0]).__str__()) * x[1]


def by_a_special_method_of_the_class(x):
    return float(float.__format__(float(x[0]), "")) * x[1]


def in_str(x):
    return np.float64(str(x[0])) * x[1]


def in_a_list(x):
    return ast.literal_eval(repr([float(v) for v in x]))[0] * x[1]


def in_json(x):
    return json.loads(json.dumps({"x": x.tolist()}))["x"][0] * x[1]


def in_a_file(x):
    file = io.StringIO()
    print(x[0], file=file)
    return complex(file.getvalue()).real * x[1]


def in_a_table(x):
    file = io.StringIO()
    np.savetxt(file, x)
    file.seek(0)
    return np.loadtxt(file)[0] * x[1]


def of_an_array(x):
    return float(f"{x}".strip("[]").split()[0]) * x[1]


def joined(x):
    return np.fromstring(" ".join(str(v) for v in x), sep=" ")[0] * x[1]


def in_an_array(x):
    return np.array([str(x[0])]).astype(float)[0] * x[1]


def in_an_array_of_floats(x):
    return np.asarray([str(x[0]), "2.0"], dtype=float)[0] * x[1]


def in_elements_of_an_array(x):
    a = np.empty(2, "U20")
    a[0], a[1] = str(x[0]), "2.0"
    return a.astype(np.float64)[0] * x[1]


def in_an_array_of_objects(x):
    return np.array(f"{x[0]} 1.0".split(), dtype=object).astype(float)[0] * x[1]


def as_an_array_of_texts(x):
    return x.astype("U20").astype(float)[0] * x[1]


def as_an_array_of_bytes(x):
    return x.astype("S20").astype(float)[0] * x[1]


def written_as_a_text(x):
    y = np.zeros(2)
    y[0] = str(x[0])
    return y[0] * x[1]


def written_as_texts(x):
    y = np.zeros(2)
    y[:] = [str(x[0]), "1.0"]
    return y[0] * x[1]


def filled_with_a_text(x):
    return np.full(2, str(x[0]), dtype=float)[0] * x[1]


def copied_from_a_text(x):
    y = np.zeros(2)
    np.copyto(y, str(x[0]), casting="unsafe")
    y.fill(str(x[0]))
    return y[0] * x[1]


def of_another_precision(x):
    return np.float16(str(x[0])) * x[1]


def positional(x):
    return float(np.format_float_positional(x[0])) * x[1]


def in_a_log(x):
    stream = io.StringIO()
    logger = logging.Logger("a log of its own")
    logger.addHandler(logging.StreamHandler(stream))
    logger.warning("%s", x[0])
    return float(stream.getvalue()) * x[1]


def in_lines(x):
    return np.genfromtxt([f"{x[0]} {x[1]}"])[0] * x[1]


def in_a_file_by_hand(x):
    with tempfile.TemporaryDirectory() as place:
        name = f"{place}/values.txt"
        with open(name, "w") as file:
            for v in x:
                print(v, file=file)
        return np.loadtxt(name)[0] * x[1]


def in_a_file_read_by_hand(x):
    with tempfile.TemporaryDirectory() as place:
        np.savetxt(f"{place}/values.txt", x)
        with open(f"{place}/values.txt") as file:
            return float(file.readline()) * x[1]


def in_a_file_of_bytes(x):
    with tempfile.TemporaryDirectory() as place:
        np.save(f"{place}/values", x)
        return np.load(f"{place}/values.npy")[0] * x[1]


@pytest.mark.parametrize("f", [
    in_an_array, in_an_array_of_floats, in_elements_of_an_array, in_an_array_of_objects,
    as_an_array_of_texts, as_an_array_of_bytes, written_as_a_text, written_as_texts,
    filled_with_a_text, copied_from_a_text, of_another_precision, positional, in_a_log, in_lines,
    in_a_file_by_hand,
    in_a_file_read_by_hand, in_a_file_of_bytes,
    in_an_f_string, in_percent, in_percent_of_several, in_format, in_format_of_the_class,
    in_a_text_of_numpy, by_a_special_method, by_a_special_method_of_the_class, in_str, in_a_list,
    in_json,
    in_a_file, in_a_table, of_an_array, joined,
])  # fmt: skip
def test_reading_it_is_refused(f):
    for mode in (lambda: ad.grad(ad.recorded(f))(X), lambda: ad.jvp(ad.recorded(f), (X,), (X,))):
        with pytest.raises(ad.CompileError, match="AD202"):
            mode()


def told(x):
    print(f"{x[0]} of {x}")
    return x[0] * float("2.5")


def read(x):
    said = f"{x[0]:.2f}"
    return x[0] * float("2.5") + json.loads('{"a": [7]}')["a"][0] * x[1] + 0.0 * len(said)


def saved(x):
    with tempfile.TemporaryDirectory() as place:
        np.savetxt(f"{place}/result.txt", x)
        with open(f"{place}/data.txt", "w") as file:
            file.write("2.5 7.0")
        logging.getLogger("of no handler").debug("%s", x)
        a, b = np.loadtxt(f"{place}/data.txt")
        return x[0] * a + x[1] * b


def laid_out(x):
    print(f"{x[0]}")
    return np.einsum("i,i", x, np.array(["2.5", "7", "0"]).astype(float))


def integer(x):
    return x[int("1")] * float(str(2)) * float(round(3.0))


@pytest.mark.parametrize(("f", "expected"), [
    (saved, [2.5, 7.0, 0.0]), (laid_out, [2.5, 7.0, 0.0]), (told, [2.5, 0, 0]),
    (read, [2.5, 7.0, 0.0]), (integer, [0.0, 6.0, 0.0]),
])  # fmt: skip
def test_writing_is_fine_and_so_are_other_texts(f, expected):
    assert np.array_equal(ad.grad(ad.recorded(f))(X), expected)


def test_the_texts_of_one_run_are_not_those_of_the_next():
    ad.grad(ad.recorded(told))(X)
    assert ad.grad(ad.recorded(lambda x: x * float("0.625")))(1.0) == 0.625
