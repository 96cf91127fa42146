"""Functions of SciPy in Python, by module: that is differentiated.

What such a function returns is what SciPy's own computes (`as_computed`); what is written here only
gives the derivative of it, by other functions that have one.

>>> import scipy.linalg
>>> written(scipy.linalg.leslie).__name__, written(len) is None
('leslie', True)
"""

from __future__ import annotations

import importlib
import inspect
from types import FunctionType

MODULES = ("integrate", "linalg", "ndimage", "optimize", "signal", "sparse", "stats")


def written(obj: object) -> FunctionType | None:
    """The Python function that has the derivative of a function of SciPy's."""
    parts = str(getattr(obj, "__module__", "")).split(".")
    if parts[0] != "scipy" or len(parts) < 2 or parts[1] not in MODULES:
        return None
    home = importlib.import_module(f"{__name__}.{parts[1]}")
    found: FunctionType | None = next((made for theirs, made in home.FUNCTIONS if theirs is obj),
                                      None)  # fmt: skip
    return found


def is_written(module: object) -> bool:
    """Whether a function of this module is one of these."""
    return str(module).startswith(f"{__name__}.")


def form_of(obj: object) -> str | None:
    """The parameters that such a function is understood with.

    >>> import scipy.linalg
    >>> form_of(scipy.linalg.leslie)
    '(f, s)'
    """
    found = written(obj)
    if found is None:
        return None
    given = inspect.signature(found).parameters.values()
    plain = [p.replace(annotation=inspect.Parameter.empty) for p in given]
    return str(inspect.Signature(plain))
