"""What the small language cannot express is refused, all of it at once, at its place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adtrans.diagnostics.errors import CompileError
from adtrans.lower import lower
from adtrans.source import get_source

total = 0.0


def codes(fn: Any) -> list[tuple[str, int]]:
    """The codes of the errors, and their lines counted from the `def`."""
    with pytest.raises(CompileError) as caught:
        lower(get_source(fn))
    first = fn.__code__.co_firstlineno
    found = caught.value.diagnostics
    assert all(d.fixes for d in found)
    return [(d.code, d.primary.span.line - first) for d in found]


def test_unknown_names_all_at_once() -> None:
    def f(x):
        y = nothing * x  # noqa: F821
        return np.no_such_function(y) + neither  # noqa: F821

    assert codes(f) == [("AD105", 1), ("AD105", 2), ("AD105", 2)]


def test_the_caret_is_under_the_name() -> None:
    def f(x):
        return x + nothing  # noqa: F821

    with pytest.raises(CompileError) as caught:
        lower(get_source(f))
    span = caught.value.diagnostics[0].primary.span
    source = get_source(f).lines[span.line - 1]
    assert source[span.column : span.end_column] == "nothing"


def test_global_write() -> None:
    def f(x):
        global total
        total = x
        return x

    assert codes(f) == [("AD203", 1)]


def test_global_that_is_only_read() -> None:
    def f(x):
        global total
        return x + total

    lower(get_source(f))


def test_nonlocal_write() -> None:
    count = 0

    def f(x):
        nonlocal count
        count += 1
        return x

    assert codes(f) == [("AD203", 1)]


def test_generator() -> None:
    def f(x):
        for v in x:
            yield v * v

    assert codes(f) == [("AD204", 2)]


def test_coroutine() -> None:
    async def f(x):
        return x

    assert [c for c, _ in codes(f)] == ["AD204"]


def test_leaving_what_runs_in_any_case() -> None:
    def f(x):
        try:
            x = x * x
        finally:
            return x  # noqa: B012
        for _ in x:
            try:
                x = x * 2.0
            finally:
                break  # noqa: B012

    assert codes(f) == [("AD201", 4), ("AD201", 9)]


def test_an_exit_in_finally_of_a_try_in_another_one() -> None:
    def f(x):
        for k in range(3):
            try:
                x = x * x
                try:
                    if k == 2:
                        break
                finally:
                    if k == 1:
                        continue  # noqa: B012
            except KeyError:
                x = x * 2.0
        return x

    def g(x):
        for k in range(3):
            try:
                if k == 0:
                    return x
            finally:
                try:
                    x = x * 2.0
                finally:
                    if k == 1:
                        break  # noqa: B012
        return x

    assert codes(f) == [("AD201", 9)]
    assert codes(g) == [("AD201", 10)]


def test_a_loop_inside_a_kept_statement_may_break() -> None:
    def f(x):
        with np.errstate(all="ignore"):
            for v in x:
                if v:
                    break
        return x

    lower(get_source(f))


@pytest.mark.parametrize("call", ["locals()", "eval('x')", "vars()"])
def test_frames(call: str) -> None:
    import linecache

    text = f"def f(x):\n    return {call}\n"
    name = f"<frames {call}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, Any] = {}
    exec(compile(text, name, "exec"), space)
    assert codes(space["f"]) == [("AD202", 1)]
