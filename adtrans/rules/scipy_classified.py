"""Functions of `scipy.ndimage`, `scipy.signal`, `scipy.integrate`, `scipy.optimize` and `scipy.fft`
without a derivative.

What jumps is constant; what is designed once is constant unless it varies; and of the rest it is
said what to do instead.

>>> from adtrans.ir.expr import Name
>>> from adtrans.rules import lookup, reason
>>> import scipy.ndimage, scipy.signal
>>> label = lookup(scipy.ndimage.label)
>>> label.form, label.bind((Name("m"), Name("s"), Name("out"))) is None
('constant', True)
>>> reason(scipy.signal.lsim)
'it goes through time in a loop of its own: write the loop, or use `scipy.integrate.solve_ivp`'
"""

from __future__ import annotations

from adtrans.rules.declare import constant, unknown

THROUGH = ("scipy.signal.chirp", "scipy.integrate.fixed_quad")
"""Functions in Python that are differentiated as they are."""

# ndimage. What they write into an `output` is not followed: signatures leave it out.
_BINARY = "input, structure=None, iterations=1, *, origin=0, mask=None, border_value=0"
constant(
    *(f"scipy.ndimage.binary_{n}({_BINARY}, brute_force=False, axes=None)"
      for n in ("closing", "dilation", "erosion", "opening")),
    "scipy.ndimage.binary_fill_holes(input, structure=None, *, origin=0, axes=None)",
    "scipy.ndimage.binary_hit_or_miss(input, structure1=None, structure2=None, *, origin1=0, "
    "origin2=None, axes=None)",
    "scipy.ndimage.binary_propagation(input, structure=None, mask=None, *, border_value=0, "
    "origin=0, axes=None)",
    "scipy.ndimage.generate_binary_structure(rank, connectivity)",
    "scipy.ndimage.iterate_structure(structure, iterations, origin=None)",
    "scipy.ndimage.label(input, structure=None)",
    "scipy.ndimage.find_objects(input, max_label=0)",
    "scipy.ndimage.maximum_position(input, labels=None, index=None)",
    "scipy.ndimage.minimum_position(input, labels=None, index=None)",
    "scipy.ndimage.histogram(input, min, max, bins, labels=None, index=None)",
)  # fmt: skip
_WAYS = "return_distances=True, return_indices=False"
constant(f"scipy.ndimage.distance_transform_edt(input, sampling=None, {_WAYS})",
         f"scipy.ndimage.distance_transform_bf(input, metric='euclidean', sampling=None, {_WAYS})",
         f"scipy.ndimage.distance_transform_cdt(input, metric='chessboard', {_WAYS})",
         inert=("input",))  # fmt: skip
unknown("use `np.bincount(labels.ravel(), x.ravel())`, which is differentiated, or a mask for each "
        "label", *(f"scipy.ndimage.{n}" for n in (
            "center_of_mass",
            "maximum", "minimum", "median", "extrema", "labeled_comprehension",
            "value_indices")))  # fmt: skip
unknown("it calls a function of yours for each element; slices of the image, put together as a "
        "stencil, are differentiated", *(f"scipy.ndimage.{n}" for n in (
            "generic_filter", "generic_filter1d", "generic_gradient_magnitude", "generic_laplace",
            "geometric_transform", "vectorized_filter")))  # fmt: skip
unknown("it has no rule yet", *(f"scipy.ndimage.{n}" for n in (
    "morphological_laplace", "spline_filter1d", "watershed_ift")))  # fmt: skip
unknown("multiply with the transfer function by yourself, between `scipy.fft` and its inverse",
        *(f"scipy.ndimage.fourier_{n}" for n in ("ellipsoid", "gaussian", "shift",
                                                 "uniform")))  # fmt: skip

# signal. Places jump; of what is beside them only what is empty is followed.
_ALONG = "data, axis=0, order=1, mode='clip'"
constant(f"scipy.signal.argrelmax({_ALONG})", f"scipy.signal.argrelmin({_ALONG})",
         "scipy.signal.find_peaks(x, *, distance=None)",
         "scipy.signal.choose_conv_method(in1, in2, mode='full', measure=False)",
         "scipy.signal.unit_impulse(shape, idx=None, dtype=None)",
         "scipy.signal.check_COLA", "scipy.signal.check_NOLA")  # fmt: skip
constant(*(f"scipy.signal.{n}" for n in (
    "band_stop_obj", "besselap", "bilinear_zpk", "buttap", "buttord", "cheb1ap", "cheb1ord",
    "cheb2ap", "cheb2ord", "ellipap", "ellipord", "firls", "firwin_2d", "gammatone", "gauss_spline",
    "iircomb", "iirdesign", "iirpeak", "kaiser_atten", "kaiser_beta", "kaiserord", "lp2bp_zpk",
    "lp2bs_zpk", "lp2hp_zpk", "lp2lp_zpk", "minimum_phase", "remez", "sos2tf", "sos2zpk", "tf2sos",
    "tf2zpk", "zpk2sos", "zpk2tf", "czt_points", "correlation_lags",
)), inert=())  # fmt: skip
unknown("it goes through time in a loop of its own: write the loop, or use "
        "`scipy.integrate.solve_ivp`", *(f"scipy.signal.{n}" for n in (
            "lsim", "dlsim", "impulse", "step", "dimpulse", "dstep", "dlti", "lti", "StateSpace",
            "TransferFunction", "ZerosPolesGain")))  # fmt: skip
unknown("it designs or converts a filter; what comes of constants can be computed outside, and "
        "`scipy.signal.lfilter` is differentiated by the coefficients",
        *(f"scipy.signal.{n}" for n in (
            "abcd_normalize", "bilinear", "cont2discrete", "invres", "invresz", "lp2bp", "lp2bs",
            "lp2hp", "lp2lp", "normalize", "place_poles", "residue", "residuez", "ss2tf", "ss2zpk",
            "tf2ss", "unique_roots", "zpk2ss", "bode", "dbode", "dfreqresp", "findfreqs",
            "freqresp", "freqs", "freqs_zpk", "freqz", "freqz_sos", "freqz_zpk", "sosfreqz",
            "group_delay")))  # fmt: skip
unknown("it is differentiated as `scipy.fft` of the signal, times a window where it has one",
        *(f"scipy.signal.{n}" for n in (
            "CZT", "ZoomFFT", "ShortTimeFFT", "closest_STFT_dual_window", "czt", "zoom_fft",
            "hilbert2", "envelope", "lombscargle", "vectorstrength")))  # fmt: skip
unknown("it has no rule yet", *(f"scipy.signal.{n}" for n in (
    "cspline1d", "cspline1d_eval", "cspline2d", "qspline1d", "qspline1d_eval", "qspline2d",
    "spline_filter", "symiirorder1", "symiirorder2", "order_filter", "peak_prominences",
    "peak_widths", "max_len_seq", "argrelextrema", "find_peaks_cwt", "sawtooth", "square",
    "sweep_poly")))  # fmt: skip

# integrate
constant("scipy.integrate.newton_cotes(rn, equal=0)", "scipy.integrate.lebedev_rule(n)", inert=())
unknown("an object that goes step by step is not followed; `scipy.integrate.solve_ivp` is "
        "differentiated", *(f"scipy.integrate.{n}" for n in (
            "BDF", "DOP853", "DenseOutput", "LSODA", "OdeSolution", "OdeSolver", "RK23", "RK45",
            "Radau", "complex_ode", "ode")))  # fmt: skip
unknown("it calls a function of yours, which this rule cannot differentiate; "
        "`scipy.integrate.quad` is differentiated", *(f"scipy.integrate.{n}" for n in (
            "cubature", "nsum", "qmc_quad", "tanhsinh")))  # fmt: skip

# optimize. A solution by places is an index, and constant; the others are minima and roots.
constant("scipy.optimize.linear_sum_assignment(cost_matrix, maximize=False)")
constant("scipy.optimize.show_options", impure=True, inert=())
unknown("it has no rule; `scipy.optimize.minimize` is differentiated",
        *(f"scipy.optimize.{n}" for n in (
            "fmin", "fmin_bfgs", "fmin_cg", "fmin_cobyla", "fmin_l_bfgs_b", "fmin_ncg",
            "fmin_powell", "fmin_slsqp", "fmin_tnc", "basinhopping", "brute",
            "differential_evolution", "direct", "dual_annealing", "shgo", "line_search")))
unknown("it has no rule; `scipy.optimize.minimize_scalar` is differentiated",
        *(f"scipy.optimize.{n}" for n in ("brent", "golden", "fminbound", "bracket")))
unknown("it has no rule; `scipy.optimize.least_squares` is differentiated",
        "scipy.optimize.leastsq")
unknown("it has no rule; `scipy.optimize.root` is differentiated",
        *(f"scipy.optimize.{n}" for n in (
            "anderson", "broyden1", "broyden2", "diagbroyden", "excitingmixing", "linearmixing",
            "newton_krylov", "BroydenFirst", "InverseJacobian", "KrylovJacobian")))  # fmt: skip
unknown("which constraints hold jumps; where they are known, the equations of the minimum can be "
        "solved, with `np.linalg.solve` or `scipy.optimize.root`",
        *(f"scipy.optimize.{n}" for n in (
            "linprog", "linprog_verbose_callback", "milp", "nnls", "lsq_linear",
            "isotonic_regression", "quadratic_assignment")))  # fmt: skip
unknown("`adtrans.hessian` and `adtrans.hvp` of `scipy.optimize.rosen` are differentiated",
        "scipy.optimize.rosen_hess", "scipy.optimize.rosen_hess_prod")
unknown("it takes differences; `adtrans.grad` takes the derivative", "scipy.optimize.approx_fprime",
        "scipy.optimize.check_grad")  # fmt: skip
unknown("it is an object of SciPy that is not followed; bounds and constraints must not vary",
        *(f"scipy.optimize.{n}" for n in (
            "BFGS", "SR1", "HessianUpdateStrategy", "LbfgsInvHessProduct", "Bounds",
            "LinearConstraint", "NonlinearConstraint", "OptimizeResult",
            "RootResults")))  # fmt: skip

# fft
constant("scipy.fft.prev_fast_len", inert=())
constant(*(f"scipy.fft.{n}" for n in ("set_backend", "set_global_backend", "register_backend",
                                      "skip_backend", "set_workers")), impure=True, inert=())
unknown("it has no rule; `hfft` along one axis and `fft` along the others have one",
        *(f"scipy.fft.{n}" for n in ("hfft2", "hfftn", "ihfft2", "ihfftn")))
unknown("it has no rule yet", *(f"scipy.fft.{n}" for n in ("fht", "ifht", "fhtoffset")))
