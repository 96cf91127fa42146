"""Rotations, robots, splines."""

from __future__ import annotations

import numpy as np

from tests.packages.model import Program, package

UNIT = np.array([0.5, 0.5, 0.5, 0.5])


@package("pytransform3d", "rotations.matrix_from_quaternion", "products unpacked, one big display")
def matrix_from_quaternion():
    from pytransform3d.rotations import matrix_from_quaternion

    return Program(matrix_from_quaternion, (np.array([0.4, 0.5, 0.6, 0.5]),))


@package("pytransform3d", "rotations.matrix_from_axis_angle", "stars, checks that normalise")
def matrix_from_axis_angle():
    from pytransform3d.rotations import matrix_from_axis_angle

    return Program(matrix_from_axis_angle, (np.array([0.6, 0.0, 0.8, 0.7]),))


@package("pytransform3d", "rotations.matrix_from_euler", "integers that choose axes, `raise`")
def matrix_from_euler():
    from pytransform3d.rotations import matrix_from_euler

    return Program(matrix_from_euler, (np.array([0.1, 0.2, 0.3]), 0, 1, 2, True))


@package("pytransform3d", "rotations.quaternion_slerp", "branches on an angle, a pair of weights")
def quaternion_slerp():
    from pytransform3d.rotations import quaternion_slerp

    return Program(quaternion_slerp, (np.array([1.0, 0.0, 0.0, 0.0]), UNIT, 0.3), ("t",))


@package("pytransform3d", "transformations.transform_from", "a block matrix that is filled")
def transform_from():
    from pytransform3d.transformations import transform_from

    return Program(transform_from, (np.eye(3), np.array([0.1, 0.2, 0.3])), ("p",))


@package("pytransform3d", "transformations.exponential_coordinates", "screw axes, branches")
def exponential():
    from pytransform3d.transformations import transform_from_exponential_coordinates

    args = (np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]),)
    return Program(transform_from_exponential_coordinates, args)


@package("transforms3d", "euler.euler2mat", "a table of axes, conditional expressions, swaps")
def euler2mat():
    from transforms3d.euler import euler2mat

    return Program(euler2mat, (0.1, 0.2, 0.3, "sxyz"), (0, 1, 2))


@package("transforms3d", "euler.mat2euler", "a dictionary look-up in `try`, branches on a norm")
def mat2euler():
    from transforms3d.euler import euler2mat, mat2euler

    return Program(mat2euler, (euler2mat(0.1, 0.2, 0.3),))


@package("transforms3d", "quaternions.quat2mat", "early return of a constant")
def quat2mat():
    from transforms3d.quaternions import quat2mat

    return Program(quat2mat, (np.array([0.9, 0.1, 0.2, 0.3]),))


@package("transforms3d", "quaternions.mat2quat", "an eigenvector of a symmetric matrix")
def mat2quat():
    from transforms3d.quaternions import mat2quat, quat2mat

    return Program(mat2quat, (quat2mat(np.array([0.9, 0.1, 0.2, 0.3])),))


@package("transforms3d", "axangles.axangle2mat", "numbers unpacked from an array")
def axangle2mat():
    from transforms3d.axangles import axangle2mat

    return Program(axangle2mat, (np.array([0.3, 0.4, 0.5]), 0.7), (0, 1))


@package("ahrs", "common.orientation.q_prod", "an array of four that is filled")
def q_prod():
    from ahrs.common.orientation import q_prod

    return Program(q_prod, (np.array([0.4, 0.5, 0.6, 0.5]), UNIT), (0, 1))


@package("ahrs", "common.orientation.chiaverini", "signs and square roots of clipped traces")
def chiaverini():
    from ahrs.common.orientation import chiaverini

    c, s = np.cos(0.4), np.sin(0.4)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    tilt = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    return Program(chiaverini, (turn @ tilt,))  # about no axis: roots of zero have no slope


@package("ahrs", "filters.Madgwick.updateIMU", "a method that normalises and steps a quaternion")
def madgwick():
    from ahrs.filters import Madgwick

    filtered = Madgwick()
    args = UNIT, np.array([0.1, 0.2, -0.1]), np.array([0.1, 0.2, 9.7])
    return Program(filtered.updateIMU, args, ("q", "gyr", "acc"))


@package("ahrs", "common.frames.geodetic2ecef", "angles, constants of an ellipsoid")
def geodetic2ecef():
    from ahrs.common.frames import geodetic2ecef

    return Program(geodetic2ecef, (40.0, -3.0, 600.0), (0, 1, 2), {"rtol": 1e-5})


@package("pyquaternion", "Quaternion.rotate", "operators of a class, `isinstance`, properties")
def rotate():
    from pyquaternion import Quaternion

    def rotated(angle, v):
        q = Quaternion(axis=[0.0, 0.6, 0.8], angle=angle)
        return q.rotate(v)

    return Program(rotated, (0.4, np.array([1.0, 2.0, 3.0])), (0, 1))


@package("spatialmath-python", "base.rotx", "a matrix display with options")
def rotx():
    from spatialmath.base import rotx

    return Program(rotx, (0.3,))


@package("spatialmath-python", "base.rpy2tr", "products of rotations, units by name")
def rpy2r():
    from spatialmath.base import rpy2r

    return Program(rpy2r, (0.1, 0.2, 0.3), (0, 1, 2))


@package("ikpy", "link.DHLink.get_link_frame_matrix", "a method over attributes of a link")
def dh_link():
    from ikpy.link import DHLink

    link = DHLink("link", d=0.1, a=0.4, theta=0.2, alpha=0.3)
    return Program(link.get_link_frame_matrix, (0.3,))


@package("ikpy", "chain.Chain.forward_kinematics", "a list of links of several classes")
def chain():
    from ikpy.chain import Chain
    from ikpy.link import OriginLink, URDFLink

    links = [
        URDFLink(name, [0.0, 0.1, 0.3], [0.0, 0.0, 0.1], rotation=[0.0, 1.0, 0.0])
        for name in ("shoulder", "elbow")
    ]
    arm = Chain([OriginLink(), *links])
    return Program(arm.forward_kinematics, ([0.0, 0.3, 0.4],))


@package("splines", "Monomial.evaluate", "attributes that are lists of arrays, bisection")
def monomial():
    from splines import Monomial

    curve = Monomial([np.array([1.0, 0.5, 2.0]), np.array([0.3, 1.0, 0.1])], grid=[0, 1, 3])
    return Program(curve.evaluate, (1.7,))


@package("splines", "Bernstein.basis", "a comprehension over an index, binomials")
def bernstein():
    from splines import Bernstein

    return Program(Bernstein.basis, (3, 0.3), ("t",))


@package("splines", "CatmullRom", "a class hierarchy over lists of vertices")
def catmull_rom():
    from splines import CatmullRom

    def at(vertices):
        return CatmullRom(vertices, endconditions="closed").evaluate(1.3)

    return Program(at, (np.array([[0.0, 0.0], [1.0, 0.5], [0.5, 1.0], [0.0, 0.8]]),))


@package("geomdl", "helpers.basis_function", "lists that are filled, nested loops")
def basis_function():
    from geomdl.helpers import basis_function

    return Program(basis_function, (2, [0.0, 0.0, 0.0, 0.5, 1.0, 1.0, 1.0], 2, 0.3), ("knot",))


@package("geomdl", "linalg.lu_solve", "lists of lists, comprehensions, substitution")
def lu_solve():
    from geomdl.linalg import lu_solve

    return Program(lu_solve, ([[4.0, 1.0], [2.0, 3.0]], [[1.0], [2.0]]), (0, 1))


@package("geomdl", "linalg.vector_cross", "`try` around a list of lists, a conditional length")
def vector_cross():
    from geomdl.linalg import vector_cross

    return Program(vector_cross, ([1.0, 2.0, 3.0], [0.5, 0.4, 0.2]), (0, 1))


@package("bezier", "hazmat.curve_helpers.evaluate_multi", "binomials by an integer recurrence")
def evaluate_multi():
    from bezier.hazmat.curve_helpers import evaluate_multi

    nodes = np.asfortranarray([[0.0, 1.0, 2.0], [0.0, 1.5, 0.5]])
    return Program(evaluate_multi, (nodes, np.array([0.2, 0.7])), (0, 1))


@package("pyerf", "erf", "branches, polynomials by hand, `math`")
def erf():
    from pyerf import erf

    return Program(erf, (0.4,))
