"""`--types`: what is said about parameters on the command line.

>>> print(parse_types("x=float64[:, 3]")["x"])
float64[x.shape[0], 3]
"""

from __future__ import annotations

from adtrans.annotations import kind_texts
from adtrans.cli.exit_codes import UsageError
from adtrans.ir.kinds import Kind


def parse_types(text: str) -> dict[str, Kind]:
    """The kinds that `text` gives to parameters.

    Raises:
        UsageError: where it is not well formed.
    """
    try:
        return kind_texts.parse_types(text)
    except ValueError as problem:
        raise UsageError(f"--types: {problem}") from problem
