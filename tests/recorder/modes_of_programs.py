"""Programs that both ways can do, for all modes of the API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import adtrans as ad


@dataclass
class Model:
    """Two parameters and a setting."""

    a: float
    b: Any
    n: int = 3


def number(x, k):
    return np.sum(np.sin(x) * k) * x[0]


def vector(x, k):
    return x * x * k


def of_dict(p):
    return p["a"] * np.sum(p["b"] ** 2) + p["c"][0]


def of_object(p, x):
    return p.a * np.sum(p.b * x)


def starred(*args):
    return args[0] * np.sum(args[1])


def by_name(x, *, s=2.0, **others):
    return np.sum(x**2) * s * others.get("q", 1.0)


def with_aux(x):
    return np.sum(x**3), {"m": x * 2}


def written(x):
    x[0] = x[1] * x[1]
    return np.sum(x)


def of_two(x, y):
    return np.sum(x * y * y)


def inner_grad(q):
    return np.sum(ad.grad(lambda z: np.sum(z**3) * q[0])(q) * q)


def inner_jacobian(q):
    return np.sum(ad.jacobian(lambda z: z * z * q[1])(q))


def inner_hessian(q):
    return np.sum(ad.hessian(lambda z: np.sum(z**3) * q[1])(q))


def inner_hvp(q):
    return np.sum(ad.hvp(lambda z: np.sum(z**3) * q[1], (q,), (q,)))


def inner_value_and_grad(q):
    y, g = ad.value_and_grad(lambda z: np.sum(z**3) * q[1])(q)
    return y * np.sum(g)


def inner_vjp(q):
    y, back = ad.vjp(lambda z: z**3 * q[1], q)
    return np.sum(back(y)[0])


def inner_jvp(q):
    y, t = ad.jvp(lambda z: z**3 * q[1], (q,), (q,))
    return np.sum(t * y)


def inner_linearize(q):
    y, push = ad.linearize(lambda z: z**3 * q[1], q)
    return np.sum(push(y))


def inner_elementwise(q):
    return np.sum(ad.elementwise_grad(lambda z: z**3 * q[1])(q))


def checkpointed(x):
    block = ad.checkpoint(lambda z: np.sin(z) * np.sum(z))
    return np.sum(block(block(x)))


def flattened(x):
    tree = ad.tree.map(lambda leaf: leaf * 2.0, {"a": x, "b": [x * 2, x[0]]})
    flat, unravel = ad.tree.ravel(tree)
    return np.sum(flat**2) + np.sum(unravel(flat)["a"])


def squared(x):
    return x * x


ad.rule(squared, elementwise=True, x="2 * x")


def with_a_rule(x):
    return np.sum(squared(x) ** 2)


def doubled_in_place(a):
    a *= 2.0


@ad.rule(doubled_in_place, writes="a")
def _doubled_back(y_bar, a):
    return 2.0 * y_bar


def with_a_rule_that_writes(x):
    y = x * x
    doubled_in_place(y)
    return np.sum(y * x)


def linearized_at_a_constant(x):
    y, along = ad.linearize(lambda t: t * x[0] ** 2, 2.0)
    return along(x[1]) * y


INSIDE: list[Any] = [
    linearized_at_a_constant,
    inner_grad, inner_jacobian, inner_hessian, inner_hvp, inner_value_and_grad, inner_vjp,
    inner_jvp, inner_linearize, inner_elementwise, checkpointed, flattened, with_a_rule,
    with_a_rule_that_writes,
]  # fmt: skip
