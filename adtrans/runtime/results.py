"""What the compiler has to know of the results of helpers."""

from __future__ import annotations

FRESH = frozenset((
    "cumprod_pullback", "diff_pullback", "einsum_pullback", "gather_pullback", "of_first",
    "product_of_others", "quantile_pullback", "slice_pullback",
))  # fmt: skip
"""Those that certainly return an array of their own, which they change no argument for."""

LIKE = {
    "banded_left": "ab", "cross_left": "a", "cross_right": "b", "cumprod_pullback": "a",
    "cumprod_slope": "a", "eigvalsh_pullback": "a", "kron_left": "shape", "kron_right": "shape",
    "gather_pullback": "shape", "lfilter_x": "g", "lstsq_left": "a", "lstsq_right": "b",
    "svdvals_pullback": "a", "tensordot_left": "shape", "tensordot_right": "shape",
    "tensorinv_pullback": "shape", "tensorsolve_left": "a", "tensorsolve_right": "shape",
    "multi_dot_pullback": "shape", "linspace_pullback": "shape", "image_input": "g",
    "filtfilt_pullback": "g", "sosfiltfilt_pullback": "g", "savgol_pullback": "g",
    "laplace_pullback": "g", "edges_pullback": "g", "sampled_pullback": "shape",
    "sampled_slope": "at", "moved_pullback": "shape", "medfilt_pullback": "x",
    "gaussian_pullback": "g", "resample_pullback": "shape", "upfirdn_pullback": "shape",
    "upfirdn_filter": "shape",
    "cosines_adjoint": "shape", "many_cosines_adjoint": "shape", "metric_pullback": "a",
    "pairs_metric_pullback": "x", "pdist_pullback": "x", "simpson_pullback": "shape",
    "simpson_spread": "shape", "simpson_nodes": "x", "cumulative_simpson_pullback": "shape",
    "squareform_pullback": "x", "analytic_pullback": "shape", "zscore_slope": "x",
    "slope_inside": "x", "grid_adjoint": "xi", "grid_bend": "xi",
    "lfilter_back": "g", "lfilter_b": "shape", "image_weights": "shape", "banded_right": "g",
    "corrcoef_pullback": "m", "eigenvectors": "a",
    "multivariate_normal_x": "x", "multivariate_normal_mean": "mean",
    "multivariate_normal_cov": "cov", "simplex_slope": "x",
    "norm_weights": "a", "norm_curvature": "a",
    "vector_norm_weights": "a", "multiply_outer_left": "shape", "multiply_outer_right": "shape",
    "vector_norm_curvature": "a", "matrix_norm_weights": "a", "matrix_norm_curvature": "a",
    "left_over": "work", "left_over_pullback": "g",
}  # fmt: skip
"""The parameter that the result is like (with a star, but for its sizes; with a slash, where one
column may be returned as a vector), or that is its shape. With a plus the axes of another follow,
but for one."""

AT_NUMBERS = frozenset(("slope_inside",))
"""Those of them that return an array without axes where they are given a number."""
