"""Special methods that return what Python does not take: the exception is Python's."""

# ruff: noqa: PLE0303, PLE0304, PLE0305, PLE0307, PLE0309  # that is what is tested

import pytest

import adtrans as ad


class Wrong:
    def __init__(self, v):
        self.v = v

    def __float__(self):
        return 3

    def __complex__(self):
        return 1.0

    def __len__(self):
        return -1

    def __str__(self):
        return 3

    def __hash__(self):
        return 1.0

    def __index__(self):
        return 1.0

    def __bool__(self):
        return 1


class Longer(Wrong):
    def __len__(self):
        return 2.5


ASKED = [
    float, complex, len, str, hash, bool, range, repr, lambda w: [1, 2, 3][w], lambda w: f"{w}",
    lambda w: 1 if w else 2, lambda w: {w: 1}, lambda w: len(Longer(w)),
]  # fmt: skip


@pytest.mark.parametrize("ask", ASKED)
def test_the_exception_is_that_of_the_plain_run(ask):
    def f(x):
        ask(Wrong(x))
        return x * 2.0

    try:
        f(1.0)
    except (TypeError, ValueError) as error:
        with pytest.raises(type(error)):
            ad.recorded(f).grad(1.0)
    else:
        assert ad.recorded(f).grad(1.0) == 2.0
