"""Each program of the language gives what the plain run gives, and its derivatives."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

from tests.recorder import language
from tests.recorder.language.judge import PROGRAMS, check

for _module in pkgutil.iter_modules(language.__path__):
    if not _module.name.startswith(("test_", "handed_")):
        importlib.import_module(f"{language.__name__}.{_module.name}")


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_program(name: str) -> None:
    check(PROGRAMS[name])


def test_there_are_many() -> None:
    assert len(PROGRAMS) >= 200
