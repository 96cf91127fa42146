"""The functions of SciPy's rules that generated code may call; they are loaded if SciPy is.

>>> from adtrans import runtime
>>> runtime.find("gamma_density").__module__
'adtrans.runtime.with_scipy.special_slopes'
"""

from adtrans.runtime.with_scipy.bands import *
from adtrans.runtime.with_scipy.cosines import *
from adtrans.runtime.with_scipy.cumulative_simpson import *
from adtrans.runtime.with_scipy.elliptic import *
from adtrans.runtime.with_scipy.factors import *
from adtrans.runtime.with_scipy.filters import *
from adtrans.runtime.with_scipy.grid_interpolation import *
from adtrans.runtime.with_scipy.linalg_adjoints import *
from adtrans.runtime.with_scipy.log_densities import *
from adtrans.runtime.with_scipy.metrics import *
from adtrans.runtime.with_scipy.resampling import *
from adtrans.runtime.with_scipy.samples import *
from adtrans.runtime.with_scipy.scratch_memory import *
from adtrans.runtime.with_scipy.signals import *
from adtrans.runtime.with_scipy.smoothing import *
from adtrans.runtime.with_scipy.sparse_systems import *
from adtrans.runtime.with_scipy.special_slopes import *
from adtrans.runtime.with_scipy.splines import *
from adtrans.runtime.with_scipy.structured import *
from adtrans.runtime.with_scipy.subsets import *
from adtrans.runtime.with_scipy.sums import *
from adtrans.runtime.with_scipy.written import *

_BETWEEN_FILES = frozenset({"as_columns", "remaining"})

__all__ = [
    name
    for name, value in sorted(globals().items())
    if getattr(value, "__module__", "").startswith("adtrans.runtime.with_scipy.")
    and not name.startswith("_")
    and name not in _BETWEEN_FILES
]
