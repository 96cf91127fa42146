"""Random draws: made once, in the forward sweep, and differentiated where the draw is a formula.

A normal draw is `loc + scale * z`, so that its derivative for the very numbers drawn is known:

>>> from adtrans.ir.expr import Const, Name
>>> from adtrans.rules import lookup
>>> import numpy as np
>>> normal = lookup(np.random.normal)
>>> bound = normal.bind((Const(0.0), Name("s")), ())
>>> print(normal.pullback("scale", bound, {})[0], normal.impure)
y_bar * (y - loc) / scale True
"""

from __future__ import annotations

from typing import Any

from adtrans.rules import registry
from adtrans.rules.declare import constant, elementwise

_DRAWS: dict[str, dict[str, Any]] = {
    "normal(loc=0.0, scale=1.0, size=None)": {"loc": "1", "scale": "(y - loc) / scale"},
    "laplace(loc=0.0, scale=1.0, size=None)": {"loc": "1", "scale": "(y - loc) / scale"},
    "logistic(loc=0.0, scale=1.0, size=None)": {"loc": "1", "scale": "(y - loc) / scale"},
    "gumbel(loc=0.0, scale=1.0, size=None)": {"loc": "1", "scale": "(y - loc) / scale"},
    "uniform(low=0.0, high=1.0, size=None)": {
        "low": "(high - y) / (high - low)", "high": "(y - low) / (high - low)",
    },
    "exponential(scale=1.0, size=None)": {"scale": "y / scale"},
    "rayleigh(scale=1.0, size=None)": {"scale": "y / scale"},
    "lognormal(mean=0.0, sigma=1.0, size=None)": {
        "mean": "y", "sigma": "y * (np.log(y) - mean) / sigma",
    },
}  # fmt: skip
_PLAIN = (
    "random", "rand", "randn", "randint", "random_sample", "standard_normal",
    "standard_exponential",
    "standard_cauchy", "choice", "permutation", "binomial", "poisson", "beta", "gamma",
    "standard_gamma", "standard_t", "chisquare", "dirichlet", "multinomial", "multivariate_normal",
    "geometric", "hypergeometric", "negative_binomial", "pareto", "power", "triangular", "vonmises",
    "wald", "weibull", "zipf", "f", "bytes", "logseries", "integers", "permuted", "spawn",
)  # fmt: skip

for _text, _formulas in _DRAWS.items():
    _name, _, _parameters = _text.partition("(")
    elementwise(f"np.random.{_text}", impure=True, inert=("size",), **_formulas)
    for _owner in ("Generator", "RandomState"):
        _method = elementwise(
            f"{_owner}.{_name}(self, {_parameters}", impure=True, inert=("self", "size"),
            call="method",
            register=False, **_formulas,
        )  # fmt: skip
        registry.add_method(_name, _method, _owner)
constant(*(f"np.random.{n}" for n in _PLAIN), impure=True, inert=())
constant(*(f"np.random.{n}" for n in ("seed", "default_rng", "get_state", "set_state", "Generator",
                                      "RandomState", "PCG64", "SeedSequence")),
         impure=True)  # fmt: skip
for _owner in ("Generator", "RandomState"):
    constant(methods=[f"{_owner}.{n}" for n in _PLAIN], impure=True, inert=())
