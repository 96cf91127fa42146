"""`typing.assert_never` for Python 3.10: the type checker proves that a `match` is exhaustive."""

from __future__ import annotations

from typing import NoReturn


def assert_never(value: NoReturn) -> NoReturn:
    """Unreachable when every case is handled.

    Raises:
        AssertionError: if it is reached all the same.
    """
    raise AssertionError(f"unhandled node: {value!r}")
