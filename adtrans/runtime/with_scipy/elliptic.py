"""Slopes of elliptic integrals and functions.

>>> float(elliprg_slope(1.0, 1.0, 1.0)), float(elliprj_slope(1.0, 1.0, 1.0, 1.0, 3).round(12))
(0.16666666666666666, -0.6)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.special


def ellipk_slope(p: Any) -> Any:
    """The slope of `ellipk` at `1 - p`, without 0 / 0 there (DLMF 19.4.1 and 19.25.1)."""
    return scipy.special.elliprd(0.0, 1.0, p) / 6


def ellipe_slope(p: Any) -> Any:
    """The slope of `-ellipe` at `1 - p` (DLMF 19.4.2 and 19.25.1)."""
    return scipy.special.elliprd(0.0, p, 1.0) / 6


def elliprd_slope(x: Any, y: Any, z: Any, which: int) -> Any:
    """The slope of `elliprd` for one of its arguments.

    Duplication (Carlson, "Numerical computation of real or complex elliptic integrals", 1995),
    differentiated step by step: nothing is subtracted, so that equal arguments do no harm.
    """
    dx, dy, dz = (float(which == k) for k in range(3))
    found, scale = 0.0, 1.0
    for _ in range(27):  # the arguments differ by 4 ** -27 of their size in the end
        a, b, c = np.sqrt(x), np.sqrt(y), np.sqrt(z)
        da, db, dc = (_root_slope(d, r) for d, r in ((dx, a), (dy, b), (dz, c)))
        mixed = a * b + b * c + c * a
        slope = da * (b + c) + db * (a + c) + dc * (a + b)
        term = 3 / (c * (z + mixed))
        found = found - scale * term * (dc / c + (dz + slope) / (z + mixed))
        x, y, z = (x + mixed) / 4, (y + mixed) / 4, (z + mixed) / 4
        dx, dy, dz = (dx + slope) / 4, (dy + slope) / 4, (dz + slope) / 4
        scale = scale / 4
    mean = (x + y + 3 * z) / 5
    return found - scale * 0.3 * mean**-2.5 * (dx + dy + 3 * dz)


def _root_slope(d: Any, root: Any) -> Any:
    return 0.0 if isinstance(d, float) and d == 0.0 else d / (2 * root)


def ellipkinc_slope(phi: Any, m: Any) -> Any:
    """The slope of `ellipkinc` for `m` (DLMF 19.4.6 with 19.25.10, which has no 0 / 0 at 0)."""
    turns = np.round(phi / np.pi)
    s, c = np.sin(phi - turns * np.pi), np.cos(phi - turns * np.pi)
    part = s**3 * scipy.special.elliprd(c * c, 1.0, 1 - m * s * s)
    return (part + 2 * turns * scipy.special.elliprd(0.0, 1.0, 1 - m)) / 6


def ellipeinc_slope(phi: Any, m: Any) -> Any:
    """The slope of `ellipeinc` for `m` (DLMF 19.4.7 with 19.25.9)."""
    turns = np.round(phi / np.pi)
    s, c = np.sin(phi - turns * np.pi), np.cos(phi - turns * np.pi)
    part = s**3 * scipy.special.elliprd(c * c, 1 - m * s * s, 1.0)
    return -(part + 2 * turns * scipy.special.elliprd(0.0, 1 - m, 1.0)) / 6


def elliprg_slope(x: Any, y: Any, z: Any) -> Any:
    """The slope of `elliprg` for `x`: a sum in which nothing is subtracted (DLMF 19.21.9)."""
    return (_times_elliprd(y, x, z) + _times_elliprd(z, x, y)) / 12


def _times_elliprd(z: Any, x: Any, y: Any) -> Any:
    """`z * elliprd(x, y, z)`, which is 0 where `z` is."""
    none = np.equal(z, 0)
    return np.where(none, 0.0, z * scipy.special.elliprd(x, y, np.where(none, 1.0, z)))


def elliprj_slope(x: Any, y: Any, z: Any, p: Any, which: int) -> Any:
    """The slope of `elliprj` for one of its arguments.

    Duplication, as in `elliprd_slope`. For `p` below 0, where the value is a principal one, by
    partial fractions: there `p` is like no other argument.
    """
    beyond = np.less(p, 0)
    by_steps = _elliprj_slope(x, y, z, np.where(beyond, 1.0, p), which)
    if not np.any(beyond):
        return by_steps
    p = np.where(beyond, p, -1.0)
    y_ = scipy.special.elliprj(x, y, z, p)
    slopes = [
        (y_ - scipy.special.elliprd(b, c, a)) / (2 * (p - a))
        for a, b, c in ((x, y, z), (y, z, x), (z, x, y))
    ]
    last = -(1.5 * y_ + x * slopes[0] + y * slopes[1] + z * slopes[2]) / p
    return np.where(beyond, slopes[which] if which < 3 else last, by_steps)


def _elliprj_slope(x: Any, y: Any, z: Any, p: Any, which: int) -> Any:
    dx, dy, dz, dp = (float(which == k) for k in range(4))
    found, scale = 0.0, 1.0
    for _ in range(27):
        a, b, c, r = np.sqrt(x), np.sqrt(y), np.sqrt(z), np.sqrt(p)
        da, db = _root_slope(dx, a), _root_slope(dy, b)
        dc, dr = _root_slope(dz, c), _root_slope(dp, r)
        mixed = a * b + b * c + c * a
        slope = da * (b + c) + db * (a + c) + dc * (a + b)
        n = (r + a) * (r + b) * (r + c)
        dn = ((dr + da) * (r + b) * (r + c) + (r + a) * (dr + db) * (r + c)
              + (r + a) * (r + b) * (dr + dc))  # fmt: skip
        t = (r - a) * (r - b) * (r - c) / n
        dt = ((dr - da) * (r - b) * (r - c) + (r - a) * (dr - db) * (r - c)
              + (r - a) * (r - b) * (dr - dc) - t * dn) / n  # fmt: skip
        term = scipy.special.elliprc(1.0, 1 + t)
        dterm = -scipy.special.elliprd(1.0, 1 + t, 1 + t) / 3 * dt
        found = found + scale * 6 / n * (dterm - term / n * dn)
        x, y, z, p = (x + mixed) / 4, (y + mixed) / 4, (z + mixed) / 4, (p + mixed) / 4
        dx, dy, dz, dp = (dx + slope) / 4, (dy + slope) / 4, (dz + slope) / 4, (dp + slope) / 4
        scale = scale / 4
    mean = (x + y + z + 2 * p) / 5
    return found - scale * 0.3 * mean**-2.5 * (dx + dy + dz + 2 * dp)
