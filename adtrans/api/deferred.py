"""A module that is imported when something of it is used.

>>> later = Deferred("fractions")
>>> later.Fraction(1, 2)
Fraction(1, 2)
"""

from __future__ import annotations

import importlib
from typing import Any


class Deferred:
    """Stands for a module that costs too much to be imported beforehand."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(importlib.import_module(self.__name__), attribute)
        setattr(self, attribute, found)
        return found
