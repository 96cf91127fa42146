"""How far a spacecraft passes its target: the model behind `aim.py`.

From this function, the file `orbit_grad.py` beside it was generated, and nothing in it was changed:

    adtrans show examples/orbit.py:miss --wrt velocity \\
        --types 'velocity=float64[2], start=float64[2], target=float64[2], dt=float, steps=int' \\
        --standalone -o examples/orbit_grad.py

With `--check` at the end, the same command says whether it is still up to date.
"""

from __future__ import annotations

import numpy as np


def miss(velocity, start, target, dt, steps):
    """The squared distance from `target` after `steps` leapfrog steps around the origin."""
    p = start.copy()
    v = velocity.copy()
    for _ in range(steps):
        p += 0.5 * dt * v
        r2 = p @ p
        v -= dt * p / (r2 * np.sqrt(r2))
        p += 0.5 * dt * v
    d = p - target
    return d @ d
