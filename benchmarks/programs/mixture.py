"""The log-likelihood of a mixture of Gaussians with diagonal covariances."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.model import Program


def loss(logits, means, log_s, X):
    z = (X[:, None, :] - means) * np.exp(-log_s)
    lp = logits - np.sum(log_s, axis=1) - 0.5 * np.sum(z * z, axis=2)
    m = np.max(lp, axis=1, keepdims=True)
    total = np.sum(m[:, 0] + np.log(np.sum(np.exp(lp - m), axis=1)))
    return total - len(X) * np.log(np.sum(np.exp(logits)))


def by_hand(logits, means, log_s, X):
    inv_s = np.exp(-log_s)
    z = (X[:, None, :] - means) * inv_s
    lp = logits - np.sum(log_s, axis=1) - 0.5 * np.sum(z * z, axis=2)
    m = np.max(lp, axis=1, keepdims=True)
    e = np.exp(lp - m)
    s = np.sum(e, axis=1)
    total = np.sum(m[:, 0] + np.log(s))
    w = np.exp(logits)
    value = total - len(X) * np.log(np.sum(w))

    lp_bar = e / s[:, None]  # the responsibilities
    counts = np.sum(lp_bar, axis=0)
    z_bar = lp_bar[:, :, None] * z
    logits_bar = counts - len(X) * w / np.sum(w)
    means_bar = np.sum(z_bar, axis=0) * inv_s
    log_s_bar = np.sum(z_bar * z, axis=0) - counts[:, None]
    return value, (logits_bar, means_bar, log_s_bar)


def arguments(n: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(5)
    k, d = 8, 4
    return (
        rng.standard_normal(k),
        2.0 * rng.standard_normal((k, d)),
        0.3 * rng.standard_normal((k, d)),
        2.0 * rng.standard_normal((n, d)),
    )


PROGRAM = Program(
    "Gaussian mixture",
    "log-likelihood, 8 components in 4 dimensions",
    loss,
    by_hand,
    arguments,
    wrt=(0, 1, 2),
    sizes=(2_000, 12),
)
