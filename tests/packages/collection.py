"""All cases, in the order of their fields."""

from __future__ import annotations

from tests.packages import astronomy, engineering, estimation, finance, geometry  # noqa: F401
from tests.packages.model import CASES as ALL

CASES = tuple(ALL.values())
