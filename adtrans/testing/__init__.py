"""Checks of derivatives that users can call in their own tests.

>>> from adtrans.testing import GradientMismatch, check_grads, finite_difference_vjp
>>> issubclass(GradientMismatch, AssertionError)
True
"""

from adtrans.testing.checks import GradientMismatch, check_grads, check_rule
from adtrans.testing.numerical import finite_difference_jvp, finite_difference_vjp

__all__ = [
    "GradientMismatch",
    "check_grads",
    "check_rule",
    "finite_difference_jvp",
    "finite_difference_vjp",
]
