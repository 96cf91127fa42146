"""The few functions that generated code may call; NumPy is all they need.

>>> unbroadcast(1.5, ())
1.5
"""

import importlib
import sys

from adtrans.runtime.broadcasting import (
    add_parts,
    adjoint_like,
    expand_reduced,
    reduced_size,
    spread_over,
    unbroadcast,
)
from adtrans.runtime.checks import (
    base_of,
    call_frozen,
    check_alike,
    check_copy,
    check_left,
    check_unmarked,
    check_unneeded,
    check_view,
    check_whole,
    mark_needed,
    overlaps,
    shares_base,
)
from adtrans.runtime.containers import (
    picked,
    plus,
    plus_each,
    plus_items,
    plus_parts,
    plus_repeated,
    put_back,
    put_picked,
    taken_off,
    taken_out,
    zeros_of,
)
from adtrans.runtime.cumulative import (
    average_pullback,
    average_weights_pullback,
    average_weights_pushforward,
    cumprod_pullback,
    cumprod_pushforward,
    diff_pullback,
    gradient_pullback,
    linspace_pullback,
    product_of_others,
    trapezoid_nodes,
    trapezoid_pullback,
)
from adtrans.runtime.errors import DerivativeError, MutationError, derivative
from adtrans.runtime.factorizations import (
    cholesky_pullback,
    cholesky_pushforward,
    qr_pullback,
    qr_pushforward,
)
from adtrans.runtime.joins import (
    joined_part,
    joined_pullback,
    meshgrid_pullback,
    pad_pullback,
    split_like,
)
from adtrans.runtime.least_squares import (
    lstsq_left,
    lstsq_left_pushforward,
    lstsq_right,
    lstsq_right_pushforward,
)
from adtrans.runtime.norms import (
    cond_weights,
    matrix_norm_weights,
    norm_weights,
    vector_norm_weights,
)
from adtrans.runtime.partials import (
    first_of,
    interp_pullback,
    interp_slope,
    log_or_zero,
    median_weights,
    power_slope,
    selected,
    sinc_slope,
)
from adtrans.runtime.products import (
    convolve_pullback,
    correlate_left,
    correlate_right,
    cross_left,
    cross_right,
    dot_left,
    dot_right,
    einsum_pullback,
    inner_left,
    inner_right,
    kron_left,
    kron_right,
    matmul_left,
    matmul_right,
    multiply_outer_left,
    multiply_outer_right,
    polyval_coefficients,
    tensordot_left,
    tensordot_right,
)
from adtrans.runtime.scatter import (
    along_axis_index,
    gather_pullback,
    last_writer,
    positions,
    scatter_add,
)
from adtrans.runtime.spectral import (
    eig_pullback,
    eig_pushforward,
    eigh_pullback,
    eigh_pushforward,
    eigvals_pullback,
    eigvals_pushforward,
    eigvalsh_pullback,
    eigvalsh_pushforward,
    svd_pullback,
    svd_pushforward,
    svdvals_pullback,
    svdvals_pushforward,
)
from adtrans.runtime.systems import (
    cofactors,
    matrix_power_pullback,
    matrix_power_pushforward,
    matvec_like,
    multi_dot_pullback,
    pinv_pullback,
    pinv_pushforward,
    solve_left,
    solve_like,
    solve_right,
    tensorinv_pullback,
    tensorinv_pushforward,
    tensorsolve_left,
    tensorsolve_pushforward,
    tensorsolve_right,
)

__all__ = [
    "DerivativeError",
    "MutationError",
    "add_parts",
    "adjoint_like",
    "along_axis_index",
    "average_pullback",
    "average_weights_pullback",
    "average_weights_pushforward",
    "base_of",
    "call_frozen",
    "check_alike",
    "check_copy",
    "check_left",
    "check_unmarked",
    "check_unneeded",
    "check_view",
    "check_whole",
    "cholesky_pullback",
    "cholesky_pushforward",
    "cofactors",
    "cond_weights",
    "convolve_pullback",
    "correlate_left",
    "correlate_right",
    "cross_left",
    "cross_right",
    "cumprod_pullback",
    "cumprod_pushforward",
    "derivative",
    "diff_pullback",
    "dot_left",
    "dot_right",
    "eig_pullback",
    "eig_pushforward",
    "eigh_pullback",
    "eigh_pushforward",
    "eigvals_pullback",
    "eigvals_pushforward",
    "eigvalsh_pullback",
    "eigvalsh_pushforward",
    "einsum_pullback",
    "expand_reduced",
    "first_of",
    "gather_pullback",
    "gradient_pullback",
    "inner_left",
    "inner_right",
    "interp_pullback",
    "interp_slope",
    "joined_part",
    "joined_pullback",
    "kron_left",
    "kron_right",
    "last_writer",
    "linspace_pullback",
    "log_or_zero",
    "lstsq_left",
    "lstsq_left_pushforward",
    "lstsq_right",
    "lstsq_right_pushforward",
    "mark_needed",
    "matmul_left",
    "matmul_right",
    "matrix_norm_weights",
    "matrix_power_pullback",
    "matrix_power_pushforward",
    "matvec_like",
    "median_weights",
    "meshgrid_pullback",
    "multi_dot_pullback",
    "multiply_outer_left",
    "multiply_outer_right",
    "norm_weights",
    "overlaps",
    "pad_pullback",
    "picked",
    "pinv_pullback",
    "pinv_pushforward",
    "plus",
    "plus_each",
    "plus_items",
    "plus_parts",
    "plus_repeated",
    "polyval_coefficients",
    "positions",
    "power_slope",
    "product_of_others",
    "put_back",
    "put_picked",
    "qr_pullback",
    "qr_pushforward",
    "reduced_size",
    "scatter_add",
    "scipy",
    "selected",
    "shares_base",
    "sinc_slope",
    "solve_left",
    "solve_like",
    "solve_right",
    "split_like",
    "spread_over",
    "svd_pullback",
    "svd_pushforward",
    "svdvals_pullback",
    "svdvals_pushforward",
    "taken_off",
    "taken_out",
    "tensordot_left",
    "tensordot_right",
    "tensorinv_pullback",
    "tensorinv_pushforward",
    "tensorsolve_left",
    "tensorsolve_pushforward",
    "tensorsolve_right",
    "trapezoid_nodes",
    "trapezoid_pullback",
    "unbroadcast",
    "vector_norm_weights",
    "zeros_of",
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
