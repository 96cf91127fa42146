"""Objects whose properties and special methods change them, in texts: print, assert, f-strings."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.83, 0.5, 0.7])


class Lazy:
    def __init__(self, x):
        self.x, self.kept = x, None

    @property
    def squares(self):
        if self.kept is None:
            self.kept = self.x**2
        return self.kept

    def __len__(self):
        return len(self.squares)

    def __str__(self):
        return f"Lazy({self.squares})"


class Plain:
    def __init__(self, x):
        self.x = x

    @property
    def size(self):
        return len(self.x)

    def __str__(self):
        return f"Plain of {self.size}"


def in_an_assertion(x):
    lazy = Lazy(x)
    assert np.all(lazy.squares > 0.0), "negative"
    lazy.x = 2.0 * lazy.x
    return np.sum(lazy.squares)


def in_a_text(x):
    lazy = Lazy(x)
    shown = f"{lazy.squares} and {lazy.squares[0]:.3f}"
    lazy.x = 2.0 * lazy.x
    return np.sum(lazy.squares) * len(shown[:1])


def printed(x):
    lazy = Lazy(x)
    print(lazy.squares, lazy.x)
    lazy.x = 2.0 * lazy.x
    return np.sum(lazy.squares)


def only_looked_at(x):
    plain = Plain(x)
    print(plain, plain.size)
    assert plain.size == 3
    plain.x = 2.0 * plain.x
    return np.sum(plain.x**2)


@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_what_only_looks_is_followed(mode, capsys):
    check_grads(only_looked_at, (X.copy(),), on_overwrite=mode)


def object_printed(x):
    lazy = Lazy(x)
    print(lazy)
    lazy.x = 2.0 * lazy.x
    return np.sum(lazy.squares)


def length_in_an_assertion(x):
    lazy = Lazy(x)
    assert len(lazy) == 3
    lazy.x = 2.0 * lazy.x
    return np.sum(lazy.squares)


def asked_whether_it_has_it(x):
    lazy = Lazy(x)
    if hasattr(lazy, "squares"):
        lazy.x = 2.0 * lazy.x
    return np.sum(lazy.squares)


def on_one_path(x):
    lazy = Lazy(x)
    print(lazy.squares if x[0] > 0.0 else 0.0)
    lazy.x = 2.0 * lazy.x
    return np.sum(lazy.squares)


CHANGED = [
    in_an_assertion, in_a_text, printed, object_printed, length_in_an_assertion,
    asked_whether_it_has_it, on_one_path,
]  # fmt: skip


@pytest.mark.parametrize("f", CHANGED)
def test_objects_that_are_changed_by_looking_are_lost(f, capsys):
    with pytest.raises(ad.CompileError, match=r"AD201.*cannot be followed"):
        ad.grad(f)(X)


@pytest.mark.recorded
@pytest.mark.parametrize("f", CHANGED)
def test_and_their_functions_are_recorded(f, capsys):
    check_grads(f, (X.copy(),))
