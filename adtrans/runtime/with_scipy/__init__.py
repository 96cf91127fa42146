"""The functions of SciPy's rules that generated code may call; they are loaded if SciPy is.

>>> from adtrans import runtime
>>> runtime.find("gamma_density").__module__
'adtrans.runtime.with_scipy.special'
"""

from adtrans.runtime.with_scipy.special import (
    beta_density,
    ellipeinc_slope,
    ellipkinc_slope,
    expn_slope,
    fisher_density,
    gamma_density,
    multigammaln_slope,
    rgamma_slope,
    student_density,
)

__all__ = [
    "beta_density", "ellipeinc_slope", "ellipkinc_slope", "expn_slope", "fisher_density",
    "gamma_density", "multigammaln_slope", "rgamma_slope", "student_density",
]  # fmt: skip
