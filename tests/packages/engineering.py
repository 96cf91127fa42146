"""Flow, heat, properties of matter, the atmosphere."""

from __future__ import annotations

import numpy as np

from tests.packages.model import Program, package


@package("fluids", "friction.Clamond", "logarithms, a fixed number of iterations, constants")
def clamond():
    from fluids.friction import Clamond

    return Program(Clamond, (1e5, 1e-4), (0, 1), {"eps": 1e-6, "rtol": 1e-4})


@package("fluids", "friction.friction_factor", "a dispatch on names of methods, defaults")
def friction_factor():
    from fluids.friction import friction_factor

    return Program(friction_factor, (1e5, 1e-4), (0,), {"eps": 1.0, "rtol": 1e-5})


@package("fluids", "core.Reynolds", "arguments that may be None, a `raise`")
def reynolds():
    from fluids.core import Reynolds

    return Program(Reynolds, (2.5, 0.25, 1.1613, 1.9e-1), (0, 1, 2, 3))


@package("fluids", "atmosphere.ATMOSPHERE_1976", "a class: tables, a comprehension, attributes")
def atmosphere_1976():
    from fluids.atmosphere import ATMOSPHERE_1976

    def density(z):
        return ATMOSPHERE_1976(z).rho

    return Program(density, (5000.0,), 0, {"eps": 1e-1})


@package("fluids", "compressible.isothermal_gas", "which argument is None decides the formula")
def isothermal():
    from fluids.compressible import isothermal_gas

    args = 11.3, 0.00185, 1e6, 9e5, 1000.0, 0.5
    return Program(isothermal_gas, args, (0, 1, 2, 3), {"eps": 1e-4, "rtol": 1e-4})


@package("fluids", "numerics.horner", "a loop over a list of coefficients")
def horner():
    from fluids.numerics import horner

    return Program(horner, ([1.0, 0.5, 2.0], 0.7), (0, 1))


@package("fluids", "numerics.newton", "a function as an argument, keyword arguments, exceptions")
def newton():
    from fluids.numerics import newton

    def root(a):
        return newton(lambda x: x**3 - a, 1.0, fprime=lambda x: 3.0 * x**2)

    return Program(root, (1.7,), 0, {"rtol": 1e-5})


@package("fluids", "drag.drag_sphere", "methods by name, bounds checked by comparisons")
def drag():
    from fluids.drag import drag_sphere

    return Program(drag_sphere, (200.0,), 0)


@package("chemicals", "rachford_rice.Rachford_Rice_flash_error", "lists of numbers, a loop")
def flash_error():
    from chemicals.rachford_rice import Rachford_Rice_flash_error

    args = 0.5, [0.5, 0.3, 0.2], [1.685, 0.742, 0.532]
    return Program(Rachford_Rice_flash_error, args, (0, 1, 2))


@package("chemicals", "iapws.iapws97_rho", "regions of a formulation, long polynomials")
def water():
    from chemicals.iapws import iapws97_rho

    return Program(iapws97_rho, (330.0, 8e5), (0, 1), {"eps": 1e-3, "rtol": 1e-5})


@package("chemicals", "vapor_pressure.Wagner", "powers of a reduced temperature")
def wagner():
    from chemicals.vapor_pressure import Wagner

    args = 100.0, 190.53, 4596420.0, -6.00435, 1.1885, -0.834082, -1.22833
    return Program(Wagner, args, (0, 3, 4, 5), {"eps": 1e-3, "rtol": 1e-5})


@package("chemicals", "viscosity.Lucas_gas", "branches on optional arguments")
def lucas():
    from chemicals.viscosity import Lucas_gas

    return Program(Lucas_gas, (550.0, 512.6, 8096000.0, 0.224, 32.042, 1.7), (0,), {"eps": 1e-2})


@package("chemicals", "heat_capacity.Poling", "keyword arguments with defaults")
def poling():
    from chemicals.heat_capacity import TRCCp

    args = 300.0, 4.0, 124000.0, 245.0, 50.539, -49.469, 220440000.0, 560.0, 78.0
    return Program(TRCCp, args, (0, 1, 4), {"eps": 1e-3, "rtol": 1e-5})


@package("ht", "hx.effectiveness_from_NTU", "strings that choose, recursion for shells")
def effectiveness():
    from ht.hx import effectiveness_from_NTU

    return Program(effectiveness_from_NTU, (1.5, 0.6, "counterflow"), (0, 1))


@package("ht", "conv_internal.turbulent_Gnielinski", "one formula")
def gnielinski():
    from ht.conv_internal import turbulent_Gnielinski

    return Program(turbulent_Gnielinski, (1e5, 1.2, 0.0185), (0, 1, 2), {"eps": 1e-5, "rtol": 1e-5})


@package("ht", "conv_internal.Nu_conv_internal", "a table of functions, chosen by conditions")
def nusselt():
    from ht.conv_internal import Nu_conv_internal

    return Program(Nu_conv_internal, (1e5, 0.7), (0, 1), {"eps": 1e-4, "rtol": 1e-5})


@package("iapws", "_iapws._Ice", "a formulation with complex numbers inside, a dictionary")
def ice():
    from iapws import _iapws

    def enthalpy(t, p):
        return _iapws._Ice(t, p)["h"]

    return Program(enthalpy, (260.0, 1.0), (0, 1), {"rtol": 1e-5})


@package("iapws", "iapws97._Region1", "tables zipped together, a dictionary of results")
def region_one():
    from iapws.iapws97 import _Region1

    def volume(t, p):
        return _Region1(t, p)["v"]

    return Program(volume, (300.0, 3.0), (0, 1), {"atol": 1e-10})


@package("ambiance", "Atmosphere", "properties, `np.searchsorted`-like look-ups in tables")
def ambiance():
    from ambiance import Atmosphere

    def density(h):
        return Atmosphere(h).density

    return Program(density, (np.array([1000.0, 12000.0]),), 0, {"eps": 1e-1})


@package("hydroeval", "kge", "correlations of arrays of two axes, a stack of results")
def kge():
    from hydroeval import kge

    rng = np.random.default_rng(0)
    return Program(kge, (rng.uniform(1.0, 2.0, (6, 1)), rng.uniform(1.0, 2.0, (6, 1))), (0, 1))


@package("hydroeval", "nse", "sums along an axis")
def nse():
    from hydroeval import nse

    rng = np.random.default_rng(0)
    return Program(nse, (rng.uniform(1.0, 2.0, 6), rng.uniform(1.0, 2.0, (6, 1))), (0, 1))


@package("colour-science", "delta_E_CIE2000", "wrappers of arrays, named intermediate results")
def delta_e():
    from colour.difference import delta_E_CIE2000

    args = np.array([50.0, 20.0, -30.0]), np.array([52.0, 18.0, -25.0])
    return Program(delta_E_CIE2000, args, (0, 1), {"rtol": 1e-5})


@package("colour-science", "models.XYZ_to_Lab", "white points, `np.where` with a cube root")
def lab():
    from colour.models import XYZ_to_Lab

    return Program(XYZ_to_Lab, (np.array([0.2, 0.12, 0.05]),))
