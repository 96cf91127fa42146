"""What lowering produces, as text: line numbers and origins included where they matter."""

from __future__ import annotations

import re
import textwrap
from typing import Any

import pytest

from adtrans.ir.dump import dump
from adtrans.lower import lower
from adtrans.source import get_source
from tests.lower import programs as p


def shape(fn: Any) -> str:
    """The dump without sites, lines and origins."""
    lines = dump(lower(get_source(fn))).splitlines()[1:]
    return "\n".join(re.sub(r"\s+\[\d+\]$", "", line[12:]) for line in lines)


SNAPSHOTS: list[tuple[Any, str]] = [
    (
        p.straight,
        """
        t = w * x
        t_2 = x / 2
        t_3 = t + t_2
        t_4 = -x
        y = t_3 - t_4
        z = -y
        t_5 = z @ y
        return t_5
        """,
    ),
    (
        p.slices,
        """
        y = x.copy()
        t = y[1:]
        t_2 = 0.5 * t
        t_3 = y[:-1]
        t_4 = t - t_3
        t_5 = t_2 * t_4
        y[1:] -= t_5
        t_6 = x[::-1]
        t_7 = t_6[::2]
        y[::2] = t_7
        return y
        """,
    ),
    (
        p.chained_subscripts,
        """
        a = np.outer(x, x)
        t = a[1]
        t[0] = 5.0
        t_2 = a[1]
        t_2[1:] *= 2.0
        t_3 = a.T
        t_3[0] = x
        t_4 = a.T
        t_4[1] += x
        return a
        """,
    ),
    (
        p.swap,
        """
        t is a
        a is b
        b is t
        t_2 = b + 1
        t_3 = a * 2
        a is t_2
        b is t_3
        return (a, b)
        """,
    ),
    (
        p.computed_indices,
        """
        perm = pack [1, 0, 2]
        t = len(x)
        y = np.zeros(t)
        for i in range(1, len(x), 1):
            t_2 = perm[i - 1]
            t_3 = x[t_2]
            t_4 = y[t_2]
            t_5 = t_3 + t_4
            t_6 = perm[i]
            y[t_6] = t_5
        return y
        """,
    ),
    (
        p.early,
        """
        if n == 0:
            result = x * 2
        else:
            if n == 1:
                y = x + 1
                result is y
            else:
                if n == 2:
                    result = None
                else:
                    x = x + 10
                    result is x
        return result
        """,
    ),
    (
        p.early_in_nested_loops,
        """
        done = False
        for i in range(0, 3, 1):
            for j in range(0, 3, 1):
                t = x[i]
                t_2 = x[j]
                t_3 = t * t_2
                if t_3 > limit:
                    result is i
                    result_2 is j
                    done = True
                    break
                else:
                    t_4 = pack (i, j)
                    invoke note(t_4)
            if done:
                break
            else:
                invoke note(i)
        if not done:
            invoke note('out')
            result = -1
            result_2 = -1
        return (result, result_2)
        """,
    ),
    (
        p.early_while_true,
        """
        while True:
            n -= 1
            if n < 0:
                result is n
                break
            else:
                if n == 5:
                    keep raise: raise ValueError('five')
        return result
        """,
    ),
    (
        p.raising,
        """
        if n < 0:
            keep raise: raise ValueError(f'negative: {n}')
        y = x * n
        if n > 5:
            keep raise: raise RuntimeError
        return y
        """,
    ),
    (
        p.breaks,
        """
        s = 0.0
        for v in x:
            if v > 2:
                break
            else:
                s += v
        return s
        """,
    ),
    (
        p.nested_conditional,
        """
        if a > b:
            t is a
        else:
            if b > 1:
                t is b
            else:
                t = invoke note(0)
        return t
        """,
    ),
    (
        p.late_augmented,
        """
        y = x.copy()
        t = y[0]
        t_2 = invoke double(y)
        t_3 = t_2[0]
        t += t_3
        y[0] = t
        n = 1.0
        t_4 = invoke note(n)
        n += t_4
        return (y, n)
        """,
    ),
    (
        p.return_in_else,
        """
        broke = False
        for v in x:
            if v > limit:
                broke = True
                break
        if not broke:
            result = 0
        else:
            result is v
        return result
        """,
    ),
]


@pytest.mark.parametrize(("fn", "expected"), SNAPSHOTS, ids=[f.__name__ for f, _ in SNAPSHOTS])
def test_snapshot(fn: Any, expected: str) -> None:
    assert shape(fn) == textwrap.dedent(expected).strip("\n")


def test_origins_and_lines() -> None:
    def f(x):
        y = x * x + 1
        for i in range(3):
            y[i] += x[0]
        return y * 2

    first = f.__code__.co_firstlineno
    lowered = lower(get_source(f))
    lines = [int(line[5:9]) - first for line in dump(lowered).splitlines()[1:]]
    assert lines == [1, 1, 2, 3, 3, 4, 4]
    assert sorted(lowered.origins) == [1, 2]
    assert dump(lowered).count("[1]\n") == 2
    assert dump(lowered).splitlines()[-1].endswith("return t_3")


def test_signature() -> None:
    text = dump(lower(get_source(p.defaults))).splitlines()[0]
    assert text == "def defaults(x, n=3, text='a', shift=-1, table=table_default)"
    text = dump(lower(get_source(p.keywords))).splitlines()[0]
    assert text == "def keywords(x, *, axis=0, scale=2.5, **rest)"

    def g(a, /, b, *args, c=None):
        return a

    assert dump(lower(get_source(g))).splitlines()[0] == "def g(a, /, b, *args, c=None)"


def test_default_that_is_no_name() -> None:
    def f(x, table=[1, 2]):  # noqa: B006
        table_default = x
        return table, table_default

    [_, param] = lower(get_source(f)).params
    assert str(param.default) == "table_default_2"
    assert param.default.value is f.__defaults__[0]


def test_temporaries_avoid_the_users_names() -> None:
    lowered = lower(get_source(p.names_in_use))
    assert {"t", "t_2", "result", "done"} <= lowered.reserved
    text = dump(lowered)
    assert "result_2" in text and "done_2 = True" in text and "t_3 = t * t_2" in text
