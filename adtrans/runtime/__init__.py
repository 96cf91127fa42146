"""The few functions that generated code may call; NumPy is all they need.

>>> unbroadcast(1.5, ())
1.5
"""

import importlib
import sys

from adtrans.runtime.addresses import Address, AdjointMemory, address_of, spread_at
from adtrans.runtime.broadcasting import (
    add_parts,
    adjoint_like,
    as_wide_as,
    expand_reduced,
    reduced_size,
    spread_over,
    unbroadcast,
)
from adtrans.runtime.checks import (
    check_arity,
    check_at_least,
    check_carried,
    check_count,
    check_distinct,
    check_left,
    check_named,
    check_next,
    check_plain,
    check_some,
    check_spread,
    check_walk,
    check_whole,
    count_of,
    information,
    is_one_of,
    key_of,
    key_walk,
    leaving,
    object_of,
    one_of,
    whole_number,
)
from adtrans.runtime.containers import (
    add_each,
    add_each_part,
    add_entry,
    add_from,
    add_items,
    add_joined,
    add_repeated,
    check_keys,
    duplicate,
    last_key,
    merge,
    order_of,
    picked,
    place_of,
    place_of_max,
    place_of_min,
    plus,
    put_back,
    put_picked,
    refill,
    spliced_back,
    taken_off,
    taken_out,
    thawed,
    zeros_of,
)
from adtrans.runtime.cumulative import (
    average_pullback,
    average_share,
    average_total_pullback,
    average_total_pushforward,
    average_weights_pullback,
    average_weights_pushforward,
    average_weights_slope,
    cumprod_pullback,
    cumprod_pushforward,
    cumprod_slope,
    diff_pullback,
    gradient_again,
    gradient_pullback,
    joined_diff_pullback,
    linspace_pullback,
    linspace_share,
    logaddexp_scan_pullback,
    logaddexp_scan_pushforward,
    others_slope,
    product_of_others,
    trapezoid_nodes,
    trapezoid_pullback,
)
from adtrans.runtime.errors import DerivativeError, MutationError, derivative
from adtrans.runtime.factorizations import (
    cholesky_pullback,
    cholesky_pushforward,
    from_triangle,
    qr_pullback,
    qr_pushforward,
    to_triangle,
    transposed,
)
from adtrans.runtime.fourier import (
    dft_adjoint,
    dft_again,
    direction,
    half_dft_adjoint,
    half_dft_again,
    irfft_adjoint,
    irfft_again,
)
from adtrans.runtime.joins import (
    joined_columns,
    joined_part,
    joined_place,
    joined_pullback,
    joined_rows,
    meshgrid_pullback,
    pad_choice_pullback,
    pad_choice_pushforward,
    pad_odd_pullback,
    pad_pullback,
    pad_value_pullback,
    split_like,
)
from adtrans.runtime.least_squares import (
    lstsq_left,
    lstsq_left_pushforward,
    lstsq_right,
    lstsq_right_pushforward,
)
from adtrans.runtime.memory_checks import (
    base_of,
    call_frozen,
    check_alike,
    check_copy,
    check_order,
    check_same_shape,
    check_unmarked,
    check_unneeded,
    check_view,
    mark_needed,
    overlaps,
    shares_base,
)
from adtrans.runtime.norms import (
    cond_weights,
    matrix_norm_curvature,
    matrix_norm_weights,
    norm_curvature,
    norm_weights,
    vector_norm_curvature,
    vector_norm_weights,
)
from adtrans.runtime.partials import (
    first_in_line,
    first_of,
    interp_period_pullback,
    interp_pullback,
    interp_slope,
    log_or_zero,
    median_weights,
    of_first,
    one_period,
    power_slope,
    selected,
    sinc_slope,
)
from adtrans.runtime.polynomials import (
    aligned,
    poly_pullback,
    poly_pushforward,
    polyder_pullback,
    polyfit_points,
    polyfit_points_pushforward,
    polyfit_values,
    polyint_pullback,
    polymul_pullback,
    resized,
    series_coefficients,
)
from adtrans.runtime.pools import copy_of, kept_copy, pool_for
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
    moved_shape,
    multiply_outer_left,
    multiply_outer_right,
    polyval_coefficients,
    tensordot_left,
    tensordot_right,
)
from adtrans.runtime.quantiles import (
    per_place,
    per_quantile,
    quantile_pullback,
    quantile_pushforward,
    quantile_slope,
    quantile_slope_pullback,
    weighted_quantile_pullback,
    weighted_quantile_pushforward,
)
from adtrans.runtime.repeated import (
    added_at,
    divided_at,
    extremal_at,
    extremal_at_pullback,
    extremal_at_pushforward,
    factors_at,
    largest_at,
    met_once,
    multiplied_at,
    smallest_at,
)
from adtrans.runtime.scatter import (
    along_axis_index,
    flat_index,
    flat_slice,
    gather_pullback,
    histogram_pullback,
    last_writer,
    positions,
    scatter_add,
    set_flat,
    set_flat_slice,
)
from adtrans.runtime.selection import (
    at_places,
    block_part,
    block_parts,
    block_whole,
    part_of,
    placed,
    places_of,
    rearranged,
    reduceat_pullback,
    running_source,
    slice_pullback,
    trimmed,
    vander_columns,
    vander_slopes,
)
from adtrans.runtime.spacings import (
    gradient_at_nodes,
    gradient_distance_moved,
    gradient_distance_pullback,
    gradient_moved,
    gradient_moved_pullback,
    gradient_nodes,
    gradient_places_moved,
    gradient_places_pullback,
)
from adtrans.runtime.special import bessel_i1, bessel_i1_slope, digamma, kaiser_slope
from adtrans.runtime.spectral import (
    eig_pullback,
    eig_pushforward,
    eigenvectors,
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
from adtrans.runtime.statistics import (
    corrcoef_pullback,
    corrcoef_pushforward,
    cov_pullback,
    cov_pushforward,
    vecdot_pullback,
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
from adtrans.runtime.updates import added, divided, multiplied, subtracted

__all__ = [
    "Address", "AdjointMemory", "DerivativeError", "MutationError", "add_each", "add_each_part",
    "add_entry", "add_from", "add_items", "add_joined", "add_parts", "add_repeated", "added",
    "added_at", "address_of", "adjoint_like", "aligned", "along_axis_index", "as_wide_as",
    "at_places", "average_pullback", "average_share", "average_total_pullback",
    "average_total_pushforward", "average_weights_pullback", "average_weights_pushforward",
    "average_weights_slope", "base_of", "bessel_i1", "bessel_i1_slope", "block_part",
    "block_parts", "block_whole", "call_frozen", "check_alike", "check_arity", "check_at_least",
    "check_carried", "check_copy", "check_count", "check_distinct", "check_keys", "check_left",
    "check_named", "check_next", "check_order", "check_plain", "check_same_shape", "check_some",
    "check_spread", "check_unmarked", "check_unneeded", "check_view", "check_walk",
    "check_whole", "cholesky_pullback", "cholesky_pushforward", "cofactors", "cond_weights",
    "convolve_pullback", "copy_of", "corrcoef_pullback", "corrcoef_pushforward",
    "correlate_left", "correlate_right", "count_of", "cov_pullback", "cov_pushforward",
    "cross_left", "cross_right", "cumprod_pullback", "cumprod_pushforward", "cumprod_slope",
    "derivative", "dft_adjoint", "dft_again", "diff_pullback", "digamma", "direction",
    "divided", "divided_at", "dot_left", "dot_right", "duplicate", "eig_pullback",
    "eig_pushforward", "eigenvectors", "eigh_pullback", "eigh_pushforward", "eigvals_pullback",
    "eigvals_pushforward", "eigvalsh_pullback", "eigvalsh_pushforward", "einsum_pullback",
    "expand_reduced", "extremal_at", "extremal_at_pullback", "extremal_at_pushforward",
    "factors_at", "first_in_line", "first_of", "flat_index", "flat_slice", "from_triangle",
    "gather_pullback", "gradient_again", "gradient_at_nodes",
    "gradient_distance_moved", "gradient_distance_pullback", "gradient_moved",
    "gradient_moved_pullback", "gradient_nodes", "gradient_places_moved",
    "gradient_places_pullback", "gradient_pullback", "half_dft_adjoint",
    "half_dft_again", "histogram_pullback", "information", "inner_left", "inner_right",
    "interp_period_pullback", "interp_pullback", "interp_slope", "irfft_adjoint", "irfft_again",
    "is_one_of", "joined_columns", "joined_diff_pullback", "joined_part", "joined_place",
    "joined_pullback", "joined_rows", "kaiser_slope", "kept_copy", "key_of", "key_walk",
    "kron_left", "kron_right", "largest_at", "last_key", "last_writer", "leaving",
    "linspace_pullback", "linspace_share", "log_or_zero", "logaddexp_scan_pullback",
    "logaddexp_scan_pushforward", "lstsq_left", "lstsq_left_pushforward", "lstsq_right",
    "lstsq_right_pushforward", "mark_needed", "matmul_left", "matmul_right",
    "matrix_norm_curvature", "matrix_norm_weights", "matrix_power_pullback",
    "matrix_power_pushforward", "matvec_like", "median_weights", "merge", "meshgrid_pullback",
    "met_once", "moved_shape", "multi_dot_pullback", "multiplied", "multiplied_at",
    "multiply_outer_left", "multiply_outer_right", "norm_curvature", "norm_weights",
    "object_of", "of_first", "one_of", "one_period", "order_of", "others_slope", "overlaps",
    "pad_choice_pullback", "pad_choice_pushforward", "pad_odd_pullback", "pad_pullback",
    "pad_value_pullback", "part_of", "per_place", "per_quantile", "picked", "pinv_pullback",
    "pinv_pushforward", "place_of", "place_of_max", "place_of_min", "placed", "places_of",
    "plus", "poly_pullback", "poly_pushforward", "polyder_pullback", "polyfit_points",
    "polyfit_points_pushforward", "polyfit_values", "polyint_pullback", "polymul_pullback",
    "polyval_coefficients", "pool_for", "positions", "power_slope", "product_of_others",
    "put_back", "put_picked", "qr_pullback", "qr_pushforward", "quantile_pullback",
    "quantile_pushforward", "quantile_slope", "quantile_slope_pullback", "rearranged",
    "reduceat_pullback", "reduced_size", "refill", "resized", "running_source", "scatter_add",
    "selected", "series_coefficients", "set_flat", "set_flat_slice", "shares_base",
    "sinc_slope", "slice_pullback", "smallest_at", "solve_left", "solve_like", "solve_right",
    "spliced_back", "split_like", "spread_at", "spread_over", "subtracted", "svd_pullback",
    "svd_pushforward", "svdvals_pullback", "svdvals_pushforward", "taken_off", "taken_out",
    "tensordot_left", "tensordot_right", "tensorinv_pullback", "tensorinv_pushforward",
    "tensorsolve_left", "tensorsolve_pushforward", "tensorsolve_right", "thawed", "to_triangle",
    "transposed", "trapezoid_nodes", "trapezoid_pullback", "trimmed", "unbroadcast",
    "vander_columns", "vander_slopes", "vecdot_pullback", "vector_norm_curvature",
    "vector_norm_weights", "weighted_quantile_pullback", "weighted_quantile_pushforward",
    "whole_number", "zeros_of",
]  # fmt: skip


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
