"""`--types`: what is said about parameters on the command line.

>>> print(parse_types("x=float64[:, 3]")["x"])
float64[x.shape[0], 3]
"""

from __future__ import annotations

from adtrans import written_kinds
from adtrans.cli.exits import UsageError
from adtrans.ir.kinds import Kind


def parse_types(text: str) -> dict[str, Kind]:
    """The kinds that `text` gives to parameters.

    Raises:
        UsageError: where it is not well formed.
    """
    try:
        return written_kinds.parse_types(text)
    except ValueError as problem:
        raise UsageError(f"--types: {problem}") from problem
