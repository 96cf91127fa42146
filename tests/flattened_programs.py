"""Random programs that write through flattened arrays: a view of the array in one memory order, and
a copy in another.

Each program makes an array that lies in some order, flattens it with `ravel`, `reshape` or
`ascontiguousarray`, after a transpose or a slice or none, and writes through the result: at the
top, or in a function, a method, a property, a closure or a recursion.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

MADE = (
    "np.zeros((2, 3))",
    "np.outer(x[:2], x[1:4])",
    "np.outer(x[:2], x[1:4]).T * 1.5",
    "np.array(np.outer(x[:2], x[1:4]), order='F')",
    "np.asfortranarray(np.outer(x[:3], x[1:4]))",
    "np.outer(x, x)[:, ::2]",
    "np.outer(x, x)[::-1]",
    "np.outer(x, x)[::-1, ::-1]",
    "np.outer(x, x)[1:3, :]",
    "np.outer(x, x)[:2, :2]",
    "np.outer(x, x)[:, [2, 0, 1]]",
    "np.outer(x, x).reshape(2, 2, 4)",
    "np.outer(x, x).reshape(2, 2, 4).T",
    "np.outer(x, x).reshape(2, 2, 4).transpose(1, 0, 2)",
    "np.outer(x, x).reshape(2, 2, 4)[:, 0]",
    "np.outer(x, x).reshape(2, 2, 4).T[0]",
    "np.zeros((3, 2)).T",
    "np.zeros((3, 4), order='F')",
    "(x * 2.0)[::-1]",
    "(x * 2.0)[::2]",
    "x * 1.0",
    "np.ones((4, 1)) * x[0]",
    "x.copy().reshape(1, 4)",
)
PARTS = (
    "b", "b", "b.T", "b[None]", "b[..., None]", "b[::-1]", "b[:1]", "b[1:]", "b[0]", "b[..., :2]",
    "b[:, :3]", "b.T[::-1]", "b.swapaxes(0, -1)", "b[::-1].T", "b.transpose()",
)  # fmt: skip
FLAT = (
    "{}.ravel()", "{}.reshape(-1)", "np.ravel({})", "np.reshape({}, -1)", "{}.ravel('K')",
    "{}.ravel('F')", "{}.ravel('A')", "{}.reshape(-1, order='F')",
    "np.ascontiguousarray({}).reshape(-1)", "np.asarray({}).ravel()", "np.squeeze({}).ravel()",
    "np.atleast_2d({}).ravel()", "np.require({}).ravel()", "{}.flatten()",
)  # fmt: skip
WRITES = (
    "f[1] *= 3.0", "f[1] = v", "f[0] = 2.0", "f[1:] += v", "f *= 2.0", "f[:2] = v * v",
    "f[...] = v", "f += f[::-1] * 0.5", "f[1] = f[0] * v", "np.add(f, v, out=f)",
)  # fmt: skip
ENDS = (
    "np.sum(B)", "np.sum(B * B)", "np.sum(np.sin(B)) * x[1]", "np.sum(B.T @ np.cos(B))",
    "np.sum(B.ravel() * np.arange(B.size))", "np.sum(B.T * np.arange(B.size).reshape(B.T.shape))",
)  # fmt: skip


GRID = """class Grid:
    def __init__(self, b):
        self.b = b

"""
FORMS = {  # what stands before the function, and what stands in it
    "top": ("", "    b, v = B, {v}\n    f = {flat}\n{writes}"),
    "loop": ("", "    b, v = B, {v}\n    for _ in range(2):\n        f = {flat}\n{deeper}"),
    "branch": ("", "    b, v = B, {v}\n    if x[0] > 0.1:\n        f = {flat}\n{deeper}"),
    "call": ("def put(b, v):\n    f = {flat}\n{writes}", "    put(B, {v})\n"),
    "returned": ("def flat(b):\n    return {flat}\n", "    v = {v}\n    f = flat(B)\n{writes}"),
    "method": (
        GRID + "    def put(self, v):\n        b = self.b\n        f = {flat}\n{deeper}",
        "    Grid(B).put({v})\n",
    ),
    "property": (
        GRID + "    @property\n    def f(self):\n        b = self.b\n        return {flat}\n",
        "    v = {v}\n    f = Grid(B).f\n{writes}",
    ),
    "attribute": (
        "class Grid:\n    def __init__(self, b):\n        self.b, self.f = b, {flat}\n\n"
        "    def put(self, v):\n        f = self.f\n{deeper}",
        "    Grid(B).put({v})\n",
    ),
    "listed": (
        "def keep(rows, b):\n    rows.append({flat})\n",
        "    rows, v = [], {v}\n    keep(rows, B)\n    f = rows[0]\n{writes}",
    ),
    "closure": (
        "",
        "    b = B\n\n    def put(v):\n        f = {flat}\n{deeper}\n    put({v})\n",
    ),
    "recursion": (
        "def put(b, v, n):\n    if n > 0:\n        f = {flat}\n{deeper}"
        "        put(b, v * 0.5, n - 1)\n",
        "    put(B, {v}, 2)\n",
    ),
}


def program(seed: int) -> str:
    """The text of a program `f(x)`, of four numbers."""
    rng = random.Random(seed)
    pick = rng.choice
    flat = pick(FLAT).format(pick(PARTS))
    writes = [pick(WRITES) for _ in range(pick((1, 1, 2)))]
    before = pick(("", "", "    q = B * 2.0\n", "    q = np.sum(B[0] * x[0])\n"))
    end = pick(ENDS) + (" + np.sum(q)" if before else "")
    parts = {
        "flat": flat,
        "v": pick(("x[0]", "x[3] * x[1]", "3.0", "np.sin(x[2])")),
        "writes": "".join(f"    {w}\n" for w in writes),
        "deeper": "".join(f"        {w}\n" for w in writes),
    }
    made = pick(MADE)
    head, body = (text.format(**parts) for text in FORMS[pick((*FORMS, "top", "call"))])
    start = f"def f(x):\n    B = {made}\n{before}"
    return f"import numpy as np\n\n\n{head}\n\n{start}{body}    return {end}\n"


X = np.array([0.6, 0.9, 1.3, 0.7])


def differences(f: Callable[[Any], Any], x: Any = X, step: float = 1e-6) -> Any:
    """The gradient by central differences."""
    found = np.zeros_like(x)
    for k in range(x.size):
        e = np.zeros_like(x)
        e[k] = step
        found[k] = (f(x + e) - f(x - e)) / (2 * step)
    return found
