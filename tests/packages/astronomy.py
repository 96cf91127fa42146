"""Orbits, spectra, coordinates, the sun."""

from __future__ import annotations

import numpy as np

from tests.packages.model import Program, package


@package("sgp4", "propagation.sgp4", "a hundred attributes, `while`, early returns")
def propagated():
    from sgp4.earth_gravity import wgs72
    from sgp4.io import twoline2rv
    from sgp4.propagation import sgp4

    first = "1 00005U 58002B   00179.78495062  .00000023  00000-0  28098-4 0  4753"
    second = "2 00005  34.2682 348.7242 1859667 331.7664  19.3264 10.82419157413667"
    satellite = twoline2rv(first, second, wgs72)
    return Program(sgp4, (satellite, 30.0), ("tsince",), {"eps": 1e-3, "rtol": 1e-5})


@package("sgp4", "ext.rv2coe", "a long function of branches on numbers, `math`, lists as vectors")
def elements():
    from sgp4.ext import rv2coe

    r, v = [6524.834, 6862.875, 6448.296], [4.901327, 5.533756, -1.976341]
    return Program(rv2coe, (r, v, 398600.4418), ("r", "v"), {"eps": 1e-3, "rtol": 1e-5})


@package("sgp4", "ext.newtonnu", "branches and a fallback without a value")
def newtonnu():
    from sgp4.ext import newtonnu

    return Program(newtonnu, (0.3, 1.1), ("ecc", "nu"))


@package("PyAstronomy", "pyasl.unred", "a spline of knots, `np.where`, fancy stores, strings")
def unred():
    from PyAstronomy.pyasl import unred

    wave = np.linspace(1500.0, 9000.0, 5)
    return Program(unred, (wave, np.ones(5), 0.3), ("flux", "ebv"))


@package("PyAstronomy", "pyasl.rotBroad", "arrays cut by masks, a list of kernels")
def rotational():
    from PyAstronomy.pyasl import fastRotBroad

    wave = np.linspace(5000.0, 5010.0, 60)
    flux = 1.0 - 0.5 * np.exp(-((wave - 5005.0) ** 2))
    return Program(fastRotBroad, (wave, flux, 0.6, 40.0), ("flux", "epsilon"))


@package("PyAstronomy", "pyasl.planck", "`**` of constants, a choice by keyword")
def planck():
    from PyAstronomy.pyasl import planck

    return Program(planck, (5000.0, 5e-7), ("T",), {"eps": 1e-1, "rtol": 1e-5, "atol": 1e-3})


@package("PyAstronomy", "pyasl.KeplerEllipse", "a class that solves Kepler's equation by iteration")
def kepler_ellipse():
    from PyAstronomy.pyasl import KeplerEllipse

    def run(a, e):
        orbit = KeplerEllipse(a, 1.7, e=e, Omega=30.0, i=60.0, w=10.0)
        return orbit.xyzPos(0.4)

    return Program(run, (1.2, 0.3), ("a", "e"), {"rtol": 1e-5})


@package("PyAstronomy", "pyasl.getAngDist", "formulas that are guarded by exceptions")
def angular_distance():
    from PyAstronomy.pyasl import getAngDist

    return Program(getAngDist, (10.0, 20.0, 40.0, -5.0), (0, 1, 2, 3))


@package("PyAstronomy", "pyasl.helcorr", "a barycentric velocity: tables, `premat`, loops")
def helcorr():
    from PyAstronomy.pyasl import helcorr

    args = -70.4, -24.6, 2635.0, 30.3, -20.1, 2450000.5
    return Program(helcorr, args, ("ra2000", "dec2000"), {"rtol": 1e-5})


@package("skyfield", "keplerlib.stumpff", "stores by masks, series in columns, several results")
def skyfield_stumpff():
    # `propagate` itself ends in a bisection, whose path has another derivative than the root
    from skyfield.keplerlib import stumpff

    return Program(stumpff, (np.array([-3.0, 0.4, 2.5, -0.2]),))


@package("skyfield", "functions.to_spherical", "a helper with `errstate`, `%`")
def to_spherical():
    from skyfield.functions import to_spherical

    return Program(to_spherical, (np.array([1.0, -0.4, 0.3]),))


@package("skyfield", "earthlib.refract", "iteration until an array has converged")
def refract():
    from skyfield.earthlib import refract

    return Program(refract, (10.0, 12.0, 1010.0), (0, 1, 2))


@package("pvlib", "spa.solar_position_numpy", "forty helpers, tables, sums of cosines")
def solar_position():
    from pvlib.spa import solar_position_numpy

    args = np.array([1.5e9, 1.50001e9]), 40.0, -105.0, 1800.0, 820.0, 11.0, 67.0, 0.56, 1
    return Program(solar_position_numpy, args, ("lat", "pressure", "temp"), {"rtol": 1e-4})


@package("pvlib", "singlediode.bishop88", "`where`, dictionaries, a tuple that depends on a flag")
def bishop():
    from pvlib.singlediode import bishop88

    return Program(bishop88, (np.array([0.3, 0.5]), 6.0, 1e-9, 0.3, 300.0, 1.5), (0, 1, 3, 5))


@package("pvlib", "irradiance.perez", "binned coefficients, `np.digitize`, clipped values")
def perez():
    from pvlib.irradiance import perez

    args = 30.0, 180.0, 100.0, 700.0, 1360.0, 40.0, 170.0, 1.3
    return Program(perez, args, ("dhi", "dni", "airmass"))


@package("pvlib", "atmosphere.gueymard94_pw", "a formula with `np.exp` and a clip")
def precipitable():
    from pvlib.atmosphere import gueymard94_pw

    return Program(gueymard94_pw, (20.0, 55.0), (0, 1))


@package("geographiclib", "geodesic.Geodesic.Inverse", "a class of series, lists as polynomials")
def inverse():
    from geographiclib.geodesic import Geodesic

    def distance(lat1, lat2):
        return Geodesic.WGS84.Inverse(lat1, 10.0, lat2, 30.0)["s12"]

    return Program(distance, (40.0, 50.0), (0, 1), {"rtol": 1e-5})


@package("pysolar", "solar.get_geocentric_latitude", "sums over tables by list comprehensions")
def geocentric():
    from pysolar.solar import get_geocentric_latitude

    return Program(get_geocentric_latitude, (0.01,), 0, {"eps": 1e-7, "rtol": 1e-3})
