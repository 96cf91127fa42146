"""Every way to write an array that is not an assignment: none may slip past the analysis.

Each program overwrites `w` after the gradient came to need it. What is understood is renamed or
refused; what is not is stopped when it runs. A gradient with the new numbers is the one wrong fate.
"""

from __future__ import annotations

import operator
import struct

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("writers")

REFUSED = "AD201/AD206/AD301/AD302/AD303/AD307/AD401/AD409/AD203/AD306"
STOPPED = {"code": f"MutationError/{REFUSED}"}


def never(fn):
    """Refused before it runs, or stopped while it does, unless a copy is kept."""
    about = {"default": STOPPED["code"], "save": f"ok/{STOPPED['code']}", "row": "63"}
    return CASES.add(vec(3), **about)(fn)


@never
def put_with_another_mode(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    np.put(w, [0], 5.0, mode="clip")
    return s


@never
def shuffled(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    np.random.default_rng(0).shuffle(w)
    return s


@CASES.add(vec(3))
def multiplied_at(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    np.multiply.at(w, [0], 3.0)
    return s


@never
def swapped_bytes(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    w.byteswap(True)
    return s


@never
def added_by_the_operator_module(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    operator.iadd(w, 1.0)
    return s


@never
def through_the_buffer(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    v = np.frombuffer(w)
    v[0] = 7.0
    return s


@never
def through_a_memoryview(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    v = memoryview(w)
    v[0] = 7.0
    return s


@never
def through_the_data_attribute(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    w.data[0] = 4.0
    return s


@never
def by_a_special_method(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    w.__setitem__(0, 7.0)
    return s


@never
def through_as_strided(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    np.lib.stride_tricks.as_strided(w, (2,), (8,))[0] = 9.0
    return s


@never
def through_windows(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    np.lib.stride_tricks.sliding_window_view(w, 2, writeable=True)[0, 0] = 4.0
    return s


@never
def through_another_dtype(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    v = w.view(np.int64)
    v[0] = 7
    return s


@never
def through_the_real_part(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    w.real = 4.0
    return s


@never
def through_einsum(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    np.einsum("i->i", w)[0] = 4.0
    return s


@never
def through_an_iterator(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    with np.nditer(w, op_flags=["readwrite"]) as it:
        for e in it:
            e[...] = 9.0
    return s


@never
def in_a_with_block(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    with np.errstate(all="ignore"):
        w[0] = 9.0
    return s


@never
def in_a_try_block(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    try:
        w[0] = 9.0
    except ValueError:
        pass
    return s


@never
def by_a_lambda(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    (lambda: w.fill(3.0))()
    return s


@never
def by_a_bound_method(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    fill = w.fill
    fill(3.0)
    return s


@CASES.add(vec(3), row="63")
def by_a_method_of_the_class(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    np.ndarray.fill(w, 3.0)
    return s


@never
def by_a_map(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    list(map(w.fill, [1.0]))
    return s


@never
def through_a_flat_iterator(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    f = w.flat
    f[0] = 3.0
    return s


@never
def through_a_dictionary(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    d = {"a": w}
    d["a"][0] = 4.0
    return s


@never
def through_an_array_of_the_class(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    a = np.ndarray((3,), float, buffer=w)
    a[0] = 4.0
    return s


@never
def drawn_into(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    np.random.default_rng(1).random(out=w)
    return s


@CASES.add(vec(3), row="63")
def two_outputs(x):
    w = np.array([1.5, 2.5, 3.0])
    s = np.sum(w * x)
    np.modf(w, w, np.zeros(3))
    return s


@never
def a_field_of_records(x):
    w = np.zeros(3, dtype=[("a", float), ("b", float)])
    w["a"] = 2.0
    p = w["a"]
    s = np.sum(p * x)
    w["a"][0] = 4.0
    return s


@never
def one_record(x):
    w = np.zeros(3, dtype=[("a", float), ("b", float)])
    w["a"] = 2.0
    s = np.sum(w["a"] * x)
    w[0] = (1.0, 2.0)
    return s


# The same with functions that only read.


@CASES.add(vec(3), row="77", verdicts={'struct.unpack_from("d", w)': "checked"})
def an_unknown_function_that_reads(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    struct.unpack_from("d", w)
    return s


@CASES.add(vec(3), row="77")
def an_unknown_function_with_a_result(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    v = operator.mul(w, 2.0)
    v[0] = 5.0
    return s * v[0]


@CASES.refused(vec(3), row="77", code="MutationError")
def an_unknown_function_that_writes(x):
    w = np.array([1.0, 2.0, 3.0])
    s = np.sum(w * x)
    struct.pack_into("d", w, 0, 5.0)
    return s + w[0]


@CASES.add(vec(3), row="77")
def an_unknown_function_that_writes_what_nobody_needs(x):
    w = np.array([1.0, 2.0, 3.0])
    struct.pack_into("d", w, 0, 5.0)
    return np.sum(w * x)
