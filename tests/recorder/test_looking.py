"""What draws and prints is called as it is; the rest of a package that draws is followed."""

from __future__ import annotations

import logging

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.3, 0.5, 0.2])


def test_numbers_of_what_shows_things_are_refused():
    messages = []

    def info(v):
        messages.append(v)
        return v * 2.0

    info.__module__ = "logging"

    def dropped(x):
        info(x[0])
        logging.getLogger("here").debug("%s", x)
        return x[0] * x[1]

    def taken(x):
        return info(x[0]) * x[1]

    def of_what_is_constant(x):
        return info(3.0) * x[1]

    assert ad.grad(ad.recorded(dropped))(X).tolist() == [0.5, 0.3, 0.0]
    assert messages == [0.3] and type(messages[0]) is np.float64
    with pytest.raises(ad.AdtransError, match="shows things"):
        ad.grad(ad.recorded(taken))(X)
    assert ad.grad(ad.recorded(of_what_is_constant))(X).tolist() == [0.0, 6.0, 0.0]


def test_what_matplotlib_computes_is_followed():
    pytest.importorskip("matplotlib")
    from matplotlib import mlab
    from matplotlib.bezier import BezierSegment
    from matplotlib.colors import hsv_to_rgb, rgb_to_hsv
    from matplotlib.transforms import Affine2D

    for f in (
        lambda x: hsv_to_rgb(rgb_to_hsv(x)) * 2.0,
        lambda x: Affine2D().rotate(x[0]).translate(1.0, x[1]).get_matrix(),
        lambda x: BezierSegment(np.outer(x, x[:2]))(np.array([0.3, 0.6])),
        lambda x: mlab.psd(np.outer(x, x).ravel(), NFFT=4)[0],
    ):
        check_grads(f, (X,), on_unfollowed="always")


def test_plots_are_drawn_and_not_looked_into():
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt

    def f(x):
        plt.plot(x)
        plt.hist(x)
        _, ax = plt.subplots()
        (line,) = ax.plot(x * 2.0, label="twice")
        line.set_color("red")
        plt.close("all")
        return np.sum(x * x)

    def counts(x):
        _, edges, _ = plt.hist(x)
        plt.close("all")
        return np.sum(edges)

    assert ad.grad(ad.recorded(f))(X).tolist() == (2 * X).tolist()
    with pytest.raises(ad.AdtransError, match="shows things"):
        ad.grad(ad.recorded(counts))(X)
