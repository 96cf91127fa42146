"""Cash flows, options, returns; tests of statistics; functions to optimise."""

from __future__ import annotations

import numpy as np

from tests.packages.model import Program, package

RETURNS = np.array([0.01, -0.02, 0.015, 0.03, -0.005, 0.012])


@package("numpy-financial", "fv", "`map(np.asarray, ...)`, a word or a number, `np.where`")
def fv():
    from numpy_financial import fv

    return Program(fv, (0.05, 10, -100.0, -50.0), ("rate", "pmt", "pv"))


@package("numpy-financial", "pmt", "masks and `np.where` over a guarded division")
def pmt():
    from numpy_financial import pmt

    return Program(pmt, (0.05, 12, 1000.0), ("rate", "pv"))


@package("numpy-financial", "ipmt", "broadcasting, masks that are stored through")
def ipmt():
    from numpy_financial import ipmt

    return Program(ipmt, (0.05, 2, 12, 1000.0), ("rate", "pv"))


@package("numpy-financial", "rate", "Newton's iteration until all are close")
def rate():
    from numpy_financial import rate

    return Program(rate, (10, -60.0, 500.0, 0.0), ("pmt", "pv"), {"atol": 1e-4, "rtol": 1e-3})


@package("numpy-financial", "npv", "a sum of quotients")
def npv():
    from numpy_financial import npv

    return Program(npv, (0.08, np.array([-100.0, 30.0, 40.0, 60.0])), ("rate", "values"))


@package("numpy-financial", "mirr", "masks, `np.abs` of two present values")
def mirr():
    from numpy_financial import mirr

    return Program(mirr, (np.array([-100.0, 39.0, 59.0, 55.0]), 0.1, 0.12), (0, 1, 2))


@package("vollib", "ref_python.black_scholes", "a flag that is a letter, `scipy.stats.norm`")
def black_scholes():
    from vollib.ref_python.black_scholes import black_scholes

    return Program(black_scholes, ("c", 100.0, 95.0, 0.5, 0.02, 0.3), (1, 2, 3, 4, 5))


@package("blackscholes", "BlackScholesCall", "an abstract class, properties, methods as formulas")
def call():
    from blackscholes import BlackScholesCall

    def price(s, sigma):
        return BlackScholesCall(S=s, K=50.0, T=1.0, r=0.02, sigma=sigma, q=0.0).price()

    return Program(price, (55.0, 0.2), (0, 1))


@package("empyrical-reloaded", "sharpe_ratio", "data frames or arrays, `errstate`, `out=`")
def sharpe():
    from empyrical import sharpe_ratio

    return Program(sharpe_ratio, (RETURNS,), 0, {"rtol": 1e-5})


@package("empyrical-reloaded", "max_drawdown", "accumulated maxima, a buffer that is cut")
def max_drawdown():
    from empyrical import max_drawdown

    return Program(max_drawdown, (RETURNS,))


@package("empyrical-reloaded", "cum_returns_final", "NaN-aware products")
def cum_returns():
    from empyrical import cum_returns_final

    return Program(cum_returns_final, (RETURNS,))


@package("empyrical-reloaded", "omega_ratio", "masks and sums of what they select")
def omega():
    from empyrical import omega_ratio

    return Program(omega_ratio, (RETURNS, 0.0, 0.0005), 0, {"eps": 1e-6})


@package("statsmodels", "stats.durbin_watson", "`np.diff` along an axis, a helper that coerces")
def durbin_watson():
    from statsmodels.stats.stattools import durbin_watson

    return Program(durbin_watson, (RETURNS,))


@package("statsmodels", "stats.moment_helpers.mnc2mc", "a list that is appended to, `enumerate`")
def moments():
    from statsmodels.stats.moment_helpers import mnc2mc

    return Program(mnc2mc, (np.array([0.2, 1.1, 0.8, 4.0]),))


@package("statsmodels", "tools.eval_measures.rmse", "arrays that are made of arguments")
def rmse():
    from statsmodels.tools.eval_measures import rmse

    return Program(rmse, (RETURNS, RETURNS[::-1].copy()), (0, 1))


@package("statsmodels", "robust.norms.HuberT", "a class with a mask, a method")
def huber():
    from statsmodels.robust.norms import HuberT

    return Program(HuberT(1.345).rho, (np.array([0.2, -1.0, 3.0, -2.0]),))


@package("quantecon", "solve_discrete_lyapunov", "doubling until converged, matrix products")
def lyapunov():
    from quantecon import solve_discrete_lyapunov

    a, b = np.array([[0.5, 0.1], [0.0, 0.3]]), np.array([[1.0, 0.2], [0.2, 0.5]])
    return Program(solve_discrete_lyapunov, (a, b), (0, 1))


@package("quantecon", "gini_coefficient", "jitted, `prange`, a double loop of `abs`")
def gini():
    from quantecon import gini_coefficient

    return Program(gini_coefficient.py_func, (np.array([0.7, 2.0, 1.1, 0.3]),))


@package("quantecon", "lorenz_curve", "jitted, a sort, buffers that are filled")
def lorenz():
    from quantecon import lorenz_curve

    return Program(lorenz_curve.py_func, (np.array([0.7, 2.0, 1.1, 0.3]),))


@package("quantecon", "markov.gth_solve", "an elimination in place, products of blocks")
def stationary():
    from quantecon.markov import gth_solve

    def chain(rates):
        return gth_solve(rates / np.sum(rates, axis=1, keepdims=True), use_jit=False)

    return Program(chain, (np.array([[0.4, 0.6, 0.1], [0.2, 0.5, 0.4], [0.3, 0.1, 0.8]]),))


@package("quantecon", "markov.gth_solve._gth_solve_jit", "jitted: loops that eliminate in place")
def stationary_by_loops():
    from quantecon.markov.gth_solve import _gth_solve_jit

    def chain(rates):
        a, out = rates / np.sum(rates, axis=1, keepdims=True), np.zeros(3)
        _gth_solve_jit.py_func(a, out)
        return out

    return Program(chain, (np.array([[0.4, 0.6, 0.1], [0.2, 0.5, 0.4], [0.3, 0.1, 0.8]]),))


@package("quantecon", "optimize.pivoting._pivoting", "jitted: a step of the simplex in place")
def pivoted():
    from quantecon.optimize.pivoting import _pivoting

    def step(tableau):
        return _pivoting.py_func(tableau * 1.0, 1, 0)

    return Program(step, (np.array([[0.4, 1.6, 0.1], [0.2, 0.5, 0.4], [0.3, 0.1, 0.8]]),))


@package("quantecon", "_lss.simulate_linear_model", "jitted: a state-space model in loops")
def linear_model():
    from quantecon._lss import simulate_linear_model

    def simulated(a, x0):
        return simulate_linear_model.py_func(a, x0, np.full((2, 3), 0.1), 4)

    return Program(simulated, (np.array([[0.5, 0.1], [0.2, 0.3]]), np.array([1.0, 2.0])), (0, 1))


@package("landscapes", "single_objective.ackley", "`math` over items of a list")
def ackley():
    from landscapes.single_objective import ackley

    return Program(ackley, ([0.3, -0.4],))


@package("landscapes", "single_objective.michalewicz", "a sum over `enumerate` in a generator")
def michalewicz():
    from landscapes.single_objective import michalewicz

    return Program(michalewicz, ([1.3, 0.9, 2.1],))


@package("landscapes", "single_objective.rosenbrock", "a loop or a sum over neighbours")
def rosenbrock():
    from landscapes.single_objective import rosenbrock

    return Program(rosenbrock, ([0.3, -0.4, 0.8],))


@package("opfunu", "name_based.Ackley02", "a method of a class, a counter that is added to")
def opfunu_ackley():
    from opfunu.name_based import Ackley02

    return Program(Ackley02().evaluate, (np.array([0.3, -0.4]),))


@package("opfunu", "utils.operator.griewank_func", "products over an index")
def griewank():
    from opfunu.utils.operator import griewank_func

    return Program(griewank_func, (np.array([0.3, -0.4, 0.9]),))


@package("opfunu", "utils.operator.rosenbrock_func", "sums of products of slices")
def shifted_rosenbrock():
    from opfunu.utils.operator import rosenbrock_func

    return Program(rosenbrock_func, (np.array([0.3, -0.2, 0.6]),))


@package("benchmark_functions", "Schwefel", "an abstract class whose `__call__` checks the point")
def schwefel():
    import benchmark_functions

    return Program(benchmark_functions.Schwefel(n_dimensions=2), ([25.0, -34.6],))


@package("pymoo", "problems.zdt1", "a problem class that fills a dictionary of results")
def zdt():
    from pymoo.problems import get_problem

    return Program(get_problem("zdt1", n_var=4).evaluate, (np.array([0.2, 0.3, 0.4, 0.5]),))
