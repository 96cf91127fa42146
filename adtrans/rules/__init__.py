"""Derivative rules and memory effects of primitives, as data.

>>> import numpy as np
>>> print(describe(lookup(np.tanh)))
numpy.tanh(x, out=None, where=True, dtype=None)  elementwise, d/d x
"""

from adtrans.rules import (
    array_attributes,
    builtins_math,
    entry_points,
    helper_rules,
    higher_order,
    numpy_creation,
    numpy_differences,
    numpy_elementwise,
    numpy_fft,
    numpy_joins,
    numpy_linalg,
    numpy_polynomials,
    numpy_products,
    numpy_reductions,
    numpy_refused,
    numpy_selection,
    numpy_series,
    numpy_shape,
    numpy_statistics,
    operator_rules,
    python_reductions,
    python_statistics,
    random_draws,
    run_time_checks,
    scipy_arrays,
    scipy_classified,
    scipy_counting,
    scipy_densities,
    scipy_distances,
    scipy_factors,
    scipy_grids,
    scipy_linalg,
    scipy_samples,
    scipy_sparse,
    scipy_special,
    scipy_splines,
    scipy_stats,
    scipy_systems,
    transposes,
    ufunc_methods,
    writers,
)
from adtrans.rules.formula import ROOTS, Formula
from adtrans.rules.registry import (
    add_maker,
    add_object,
    all_rules,
    attribute,
    describe,
    has_method,
    is_maker,
    lookup,
    method,
    operator,
    reason,
    run_again,
)
from adtrans.rules.rule import Rule
from adtrans.rules.signature import FormalParam, item
from adtrans.rules.site import Site

TABLES = (
    numpy_elementwise, operator_rules, numpy_reductions, python_reductions, numpy_differences,
    numpy_products, numpy_shape, numpy_joins,
    numpy_selection, numpy_statistics, numpy_polynomials, numpy_series, numpy_linalg, ufunc_methods,
    numpy_creation, numpy_refused, builtins_math, random_draws, writers, array_attributes,
    scipy_special, run_time_checks, python_statistics, helper_rules, entry_points, higher_order,
    scipy_linalg, scipy_systems, scipy_factors, scipy_stats, scipy_arrays, scipy_classified,
    scipy_counting, scipy_densities,
    scipy_distances, scipy_sparse, scipy_samples, scipy_splines, scipy_grids, numpy_fft, transposes,
)  # fmt: skip
"""The modules that declare the rules."""

__all__ = [
    "ROOTS", "TABLES", "Expansion", "FormalParam", "Formula", "Rule", "Site", "add_maker",
    "add_object",
    "all_rules",
    "attribute", "describe", "has_method", "is_maker", "item", "lookup", "method", "operator",
    "reason", "run_again",
]  # fmt: skip
