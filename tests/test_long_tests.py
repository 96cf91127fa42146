"""The list of tests that are left to the slow run names tests that exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import LONG, long_tests

NAMES = sorted({name.partition("[")[0] for name in long_tests()})


@pytest.mark.parametrize("name", NAMES)
def test_a_listed_test_exists(name: str) -> None:
    file, _, function = name.partition("::")
    text = (LONG.parent.parent / Path(file)).read_text(encoding="utf-8")
    assert f"def {function}(" in text


def test_the_list_is_in_order() -> None:
    assert long_tests() == sorted(set(long_tests()))
