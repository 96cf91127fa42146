"""A few functions of `scipy.special`; they are only looked up if the program has imported it.

>>> from adtrans.rules import lookup
>>> lookup(object()) is None
True
"""

from __future__ import annotations

from adtrans.rules.declare import ufunc

ufunc("scipy.special.erf(x)", x="1.1283791670955126 * np.exp(-x * x)")
ufunc("scipy.special.erfc(x)", x="-1.1283791670955126 * np.exp(-x * x)")
ufunc("scipy.special.expit(x)", x="y * (1 - y)")
ufunc("scipy.special.logit(x)", x="1 / (x * (1 - x))")
ufunc("scipy.special.log1p(x)", x="1 / (1 + x)")
ufunc("scipy.special.exp2(x)", x="0.6931471805599453 * y")
ufunc("scipy.special.xlogy(a, b)", a="np.log(b)", b="a / b")
ufunc("scipy.special.log_expit(x)", x="-np.expm1(y)")
