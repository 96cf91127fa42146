"""Writes through `ravel`, `reshape` and the like of arrays that lie in any order in memory: a view
of one, a copy of another."""

import importlib.util
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError, MutationError
from tests.flattened_programs import X, differences, program


def put(b, v):
    b[:, :3].ravel()[1] = v


def filled_by_a_function(x):
    B = np.zeros((2, 3))
    put(B, x[0])
    return np.sum(B)


def put_a_constant(b):
    b[None].reshape(-1)[1] = 3.0


def constant_into_what_varies(x):
    B = np.outer(x[:2], x[1:])
    put_a_constant(B)
    return np.sum(B * B)


def flip(mask):
    mask[:, ::1].ravel()[:2] ^= True


def flipped_mask(x):
    chosen = np.zeros((2, 2), dtype=bool)
    flip(chosen)
    return np.sum(x.reshape(2, 2)[chosen])


class Board:
    def __init__(self, shape):
        self.cells = np.zeros(shape)

    @property
    def flat(self):
        return np.ascontiguousarray(self.cells[:, :4]).reshape(-1)

    def fill(self, v):
        self.flat[1] = v


def filled_by_a_method(x):
    board = Board((3, 4))
    board.fill(x[1] * x[2])
    return np.sum(board.cells**2)


def filled_by_a_closure(x):
    B = np.zeros((2, 4))

    def fill(v):
        B[..., None].ravel()[3] = v

    fill(x[0] * x[3])
    return np.sum(B * B)


def down(b, v, n):
    if n > 0:
        b[:1].T.ravel()[n] = v
        down(b, v * v, n - 1)


def filled_by_a_recursion(x):
    B = np.ones((2, 4))
    down(B, x[2], 3)
    return np.sum(B[0] * x)


def fill_rows(rows, v):
    for row in rows:
        row[None, ::-1][:, ::-1].ravel()[0] = v


def filled_in_a_list(x):
    rows = [np.zeros(3), np.ones(3)]
    fill_rows(rows, x[1])
    return np.sum(rows[0] * rows[1])


def transposed(x):
    B = np.outer(x[:2], x[:3]).T * 1.5
    f = B.T.reshape(-1)
    f[1] *= 3.0
    return np.sum(B)


def in_the_order_of_memory(x):
    B = np.array(np.outer(x[:2], x[:3]), order="F")
    f = B.ravel("K")
    f[1] *= 3.0
    return np.sum(B * B)


def with_columns_picked(x):
    B = np.outer(x, x[:3])[:, [2, 0, 1]]
    f = B.ravel("K")
    f[2] *= 3.0
    return np.sum(B * B)


def of_three_axes(x):
    B = (np.outer(x, x).reshape(2, 2, 4) * 1.0).T
    f = B[0].T.ravel()
    f[1] *= 3.0
    return np.sum(B)


def triple(b):
    f = b.T.ravel()
    f[1] *= 3.0


def of_fortran_memory(x):
    B = np.asfortranarray(np.outer(x[:2], x[:3]))
    triple(B)
    return np.sum(B * np.arange(6.0).reshape(2, 3))


def constant_array_at_the_top(x):
    B = np.zeros((2, 3))
    f = B[None].reshape(-1)
    f[1] = 3 * x[0]
    return np.sum(B)


FOUND = [
    filled_by_a_function, constant_into_what_varies, flipped_mask, filled_by_a_method,
    filled_by_a_closure, filled_by_a_recursion, filled_in_a_list, transposed,
    in_the_order_of_memory, with_columns_picked, of_three_axes, of_fortran_memory,
    constant_array_at_the_top,
]  # fmt: skip


def right_or_refused(f):
    """The gradient in every mode is that of what Python computes, or there is a clear error; how
    many modes gave one."""
    value, wanted, given = f(X.copy()), differences(f), 0
    for how in ({}, {"on_overwrite": "save"}):
        try:
            found, gradient = ad.value_and_grad(f, **how)(X.copy())
        except (CompileError, MutationError):
            continue
        given += 1
        assert found == value
        np.testing.assert_allclose(gradient, wanted, rtol=1e-5, atol=1e-6)
    try:
        slopes = [ad.jvp(f, (X.copy(),), (e,)) for e in np.eye(X.size)]
    except (CompileError, MutationError):
        return given
    assert slopes[0][0] == value
    np.testing.assert_allclose([s for _, s in slopes], wanted, rtol=1e-5, atol=1e-6)
    return given + 1


@pytest.mark.parametrize("f", FOUND, ids=lambda f: f.__name__)
def test_written_through_a_view(f):
    right_or_refused(f)


def loaded(path: Path, seed: int):
    file = path / f"flattened_{seed}.py"
    file.write_text(program(seed))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


@pytest.mark.parametrize("start", range(0, 100, 20))
def test_random_programs(tmp_path, start):
    given = 0
    for seed in range(start, start + 20):
        f = loaded(tmp_path, seed)
        try:
            f(X.copy())
        except (IndexError, ValueError):  # no program: an array with fewer axes
            continue
        given += right_or_refused(f)
    assert given > 30  # of 60: most are no errors


LISTED = [1, 0, 2, 0]


def copied(x):
    a = x * 1.0
    np.copyto(a, 10 * x, where=[1, 0, 1, 0])
    return np.sum(a * a)


def added(x, where):
    a = x * 1.0
    np.add(x, x, out=a, where=where)
    return np.sum(a * a)


def by_a_method(x):
    a = np.ones((2, 4)) * x
    np.negative(a, a, where=[[1], [0]])
    np.copyto(a, 10 * x, where=0)
    return np.sum(a * a * a)


def told_by_numbers(x):
    a = x * 1.0
    np.divide(1.0, x, out=a, where=[v > 0.8 for v in x])
    return np.sum(a * a)


def reduced(x):
    total = np.sum(x * x, where=LISTED) + np.nanmean(x**3, where=LISTED)
    return total + np.prod(x, where=(0, 2, 1, 0))


def averaged(x):  # NumPy divides by the sum of the numbers
    return np.mean(x * x, where=LISTED)


def extremes(x):
    return np.max(x * x, where=LISTED, initial=0.1) + np.min(x, where=(0, 1, 1, 0), initial=9.0)


TRUTHS = np.array([True, False, False, True])
MASKS = [[1, 0, 1, 0], (2, 0, 1, 0), LISTED, 1, 0, 2.0, True, None, TRUTHS]


@pytest.mark.parametrize(
    "f",
    [copied, by_a_method, told_by_numbers, reduced, averaged, extremes,
     *(partial(added, where=w) for w in MASKS)],
)  # fmt: skip
def test_lists_and_numbers_as_masks(f):
    assert right_or_refused(f) == 3


@pytest.mark.parametrize("where", [np.array([1, 0, 1, 0]), np.ones(4)])
def test_arrays_of_numbers_are_no_masks(where):
    with pytest.raises(TypeError, match="according to the rule 'safe'"):
        added(X, where)
    with pytest.raises(TypeError, match="according to the rule 'safe'"):
        ad.grad(partial(added, where=where))(X)


def test_a_variance_counts_numbers_twice():
    with pytest.raises(CompileError, match="must be an array of truth values"):
        ad.grad(lambda x: np.var(x, where=[2, 0, 1, 0]))(X)
