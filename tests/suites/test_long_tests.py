"""The lists of tests that are left to the slow run, or sampled, name tests that exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import LONG, long_tests, sampled_tests

NAMES = sorted({*(name.partition("[")[0] for name in long_tests()), *sampled_tests()})


@pytest.mark.parametrize("name", NAMES)
def test_a_listed_test_exists(name: str) -> None:
    file, _, function = name.partition("::")
    text = (LONG.parent.parent / Path(file)).read_text(encoding="utf-8")
    assert f"def {function}(" in text


def test_the_lists_are_in_order() -> None:
    assert long_tests() == sorted(set(long_tests()))
    assert list(sampled_tests()) == sorted(sampled_tests())
    assert all(share > 1 for share in sampled_tests().values())
