"""Gradients of ordinary NumPy code, loops and in-place updates included, as readable Python source.

>>> import numpy as np
>>> import adtrans as ad
>>> @ad.differentiable
... def loss(x):
...     y = np.zeros(3)
...     y[1:] = x[1:] * x[:-1]
...     return np.sum(y)
>>> loss.grad(np.array([1.0, 2.0, 3.0]))
array([2., 4., 2.])
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from adtrans import tree
    from adtrans.api.checkpoints import checkpoint
    from adtrans.api.differentiable import (
        Differentiable,
        differentiable,
        grad,
        jvp,
        recorded,
        stop_gradient,
        value_and_grad,
        vjp,
    )
    from adtrans.api.other_modes import (
        elementwise_grad,
        hessian,
        hvp,
        jacfwd,
        jacobian,
        jacrev,
        linearize,
    )
    from adtrans.api.user_rules import constant, rule
    from adtrans.diagnostics.errors import (
        AdtransError,
        CompileError,
        DerivativeError,
        InputError,
        InternalError,
        MutationError,
    )

__version__ = "0.1.0"

__all__ = [
    "AdtransError",
    "CompileError",
    "DerivativeError",
    "Differentiable",
    "InputError",
    "InternalError",
    "MutationError",
    "__version__",
    "checkpoint",
    "constant",
    "differentiable",
    "elementwise_grad",
    "grad",
    "hessian",
    "hvp",
    "jacfwd",
    "jacobian",
    "jacrev",
    "jvp",
    "linearize",
    "recorded",
    "rule",
    "stop_gradient",
    "tree",
    "value_and_grad",
    "vjp",
]

_HOMES = {
    "api.differentiable": (
        "Differentiable", "differentiable", "grad", "jvp", "recorded", "stop_gradient",
        "value_and_grad", "vjp",
    ),
    "api.checkpoints": ("checkpoint",),
    "api.user_rules": ("constant", "rule"),
    "diagnostics.errors": (
        "AdtransError", "CompileError", "DerivativeError", "InputError", "InternalError",
        "MutationError",
    ),
    "api.other_modes": (
        "elementwise_grad", "hessian", "hvp", "jacfwd", "jacobian", "jacrev", "linearize",
    ),
}  # fmt: skip
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Load a name when it is first used, so that importing adtrans costs nothing."""
    if name == "tree":
        return importlib.import_module("adtrans.tree")
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(f"adtrans.{_HOME[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
