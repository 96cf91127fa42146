"""Functions of SciPy that call one of the user's, in Python: that is differentiated.

>>> fixed_quad(lambda x: x**8, 0.0, 1.0)
(np.float64(0.11111111111111102), None)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import integrate
from scipy.special import roots_legendre


def fixed_quad(func: Any, a: Any, b: Any, args: Any = (), n: int = 5) -> Any:
    """`scipy.integrate.fixed_quad`."""
    x, w = roots_legendre(n)
    x = np.real(x)
    if np.isinf(a) or np.isinf(b):
        raise ValueError("Gaussian quadrature is only available for finite limits.")
    y = (b - a) * (x + 1) / 2.0 + a
    return (b - a) / 2.0 * np.sum(w * func(y, *args), axis=-1), None


FUNCTIONS: tuple[tuple[object, Any], ...] = ((integrate.fixed_quad, fixed_quad),)
