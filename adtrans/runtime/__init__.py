"""The few functions that generated code may call; NumPy is all they need.

Each file of this package holds some of them: those that have a name without an underscore.

>>> unbroadcast(1.5, ())
1.5
"""

import importlib
import sys

from adtrans.runtime.addresses import *
from adtrans.runtime.beside import *
from adtrans.runtime.broadcasting import *
from adtrans.runtime.containers import *
from adtrans.runtime.cumulative import *
from adtrans.runtime.factorizations import *
from adtrans.runtime.failures import *
from adtrans.runtime.folds import *
from adtrans.runtime.fourier import *
from adtrans.runtime.fresh_updates import *
from adtrans.runtime.joins import *
from adtrans.runtime.least_squares import *
from adtrans.runtime.memory_checks import *
from adtrans.runtime.norms import *
from adtrans.runtime.partial_derivatives import *
from adtrans.runtime.phases import *
from adtrans.runtime.polynomials import *
from adtrans.runtime.pools import *
from adtrans.runtime.products import *
from adtrans.runtime.quantiles import *
from adtrans.runtime.repeated import *
from adtrans.runtime.scatter import *
from adtrans.runtime.selection import *
from adtrans.runtime.spacings import *
from adtrans.runtime.special import *
from adtrans.runtime.spectral import *
from adtrans.runtime.statistics import *
from adtrans.runtime.systems import *
from adtrans.runtime.table_guards import *
from adtrans.runtime.value_checks import *

_BETWEEN_FILES = frozenset({
    "AdtransError", "CallError", "Leaf", "Nest", "Nowhere", "Place", "adjoint", "by_probing",
    "diagonal_matrix", "is_number", "owner_of", "overlaps_itself", "phase_dot", "phase_free",
    "with_phase",
})  # fmt: skip  # what they use of each other, and generated code does not

__all__ = [
    name
    for name, value in sorted(globals().items())
    if getattr(value, "__module__", "").startswith("adtrans.runtime.")
    and not name.startswith("_")
    and name not in _BETWEEN_FILES
]


def find(name: str) -> object:
    """The function called `name`, also one of those that SciPy's rules need.

    Raises:
        LookupError: if there is none, or if it needs SciPy and the program has not imported that.
    """
    if name in __all__:
        return globals()[name]
    if "scipy" in sys.modules:
        extra = importlib.import_module("adtrans.runtime.with_scipy")
        if name in extra.__all__:
            return getattr(extra, name)
    raise LookupError(name)


def names() -> frozenset[str]:
    """The names that `find` knows now."""
    extra = sys.modules.get("adtrans.runtime.with_scipy")
    return frozenset(__all__) if extra is None else frozenset((*__all__, *extra.__all__))
