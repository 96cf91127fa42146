"""Which Python function a call means, where its source is what is differentiated.

Rules come first, and what takes functions whole; NumPy's own source is never looked into.
"""

from __future__ import annotations

import types

from adtrans import tree
from adtrans.diagnostics.errors import CompileError
from adtrans.driver.tree_helpers import TREES
from adtrans.driver.unravelled import written_out
from adtrans.rules import lookup, reason
from adtrans.rules.higher_order import taker
from adtrans.rules.in_python import in_python
from adtrans.source import unwrap
from adtrans.source.bound import of_class
from adtrans.source.libraries import computes_nothing, package_of

_MACHINERY = frozenset({
    "collections", "adtrans.tree", "adtrans.api.differentiable",
    "adtrans.api.engine", "adtrans.api.derived", "adtrans.api.gradients", "adtrans.api.elementwise",
    "adtrans.api.jacobians",
    "adtrans.api.linearized", "adtrans.api.other_modes", "adtrans.driver.options",
    "adtrans.dispatch.recipes", "adtrans.api.checkpoints",
    "adtrans.api.user_rules",
})  # fmt: skip
# Which library an array belongs to, as SciPy asks at every second call.
_OF_ARRAYS = ("scipy._lib._array_api", "scipy._lib.array_api_")


def python_function(obj: object) -> object | None:
    """The Python function behind what a call means, None where a rule or nothing is known of it.

    A derivative of a function is one too; which code it has depends on the kinds of its arguments.
    """
    if taker(obj) is not None:  # differentiated as a whole, in the forms that are understood
        return None
    if lookup(obj) is not None or differentiates(obj):
        return None
    if is_library(getattr(obj, "__module__", "")) and reason(obj) is not None:
        return None
    if (written := in_python(obj)) is not None:
        return written
    if isinstance(obj, tree.Unravel):
        return written_out(obj)
    if hasattr(obj, "function_for"):
        return None if isinstance(obj, type) else obj
    module = str(getattr(obj, "__module__", ""))
    if module.partition(".")[0] == "numpy":
        return None  # an error in the middle of NumPy would help nobody
    if is_machinery(obj) and obj not in TREES:
        return None
    if isinstance(obj, types.FunctionType):
        return obj
    if isinstance(obj, type) or not callable(obj):
        return None
    if (of_its_class := of_class(obj)) is not None:
        return of_its_class
    try:
        unwrapped = unwrap(obj)
    except CompileError:
        return None
    return unwrapped.fn if not unwrapped.args and not unwrapped.kwargs else None


def is_library(module: object) -> bool:
    """Whether a module belongs to SciPy, whose source is not the reader's.

    >>> is_library("scipy.signal._spectral_py"), is_library("scipyish")
    (True, False)
    """
    return str(module).partition(".")[0] == "scipy"


def is_machinery(obj: object) -> bool:
    """Whether a function is about classes and containers in general, and is not looked into.

    >>> import copy
    >>> is_machinery(copy.deepcopy)
    True

    What `inspect` finds out is; what its `ismethod` and the like say is followed.
    """
    module = getattr(obj, "__module__", None)
    if isinstance(obj, types.FunctionType) and hasattr(obj, "__wrapped__"):
        module = obj.__globals__.get("__name__")  # the other is that of what it wraps
    if module in _MACHINERY or str(module).startswith(_OF_ARRAYS):
        return True
    asks = module == "inspect" and getattr(obj, "__name__", "").startswith("is")
    own = isinstance(obj, types.FunctionType) and package_of(obj.__code__.co_filename) is None
    return computes_nothing(module) and not asks and not own


def differentiates(obj: object) -> bool:
    """Whether `obj` is one of the functions of adtrans that differentiate where they are called."""
    module = str(getattr(obj, "__module__", ""))
    return module.startswith("adtrans.") and reason(obj) is not None


def user_function(obj: object) -> types.FunctionType | None:
    """The same, without derivatives."""
    found = python_function(obj)
    return found if isinstance(found, types.FunctionType) else None
