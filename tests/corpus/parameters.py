"""Dictionaries and lists of parameters whose ranks differ, as training loops keep them."""

# ruff: noqa: B905

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("parameters")
NAMES = ("w", "b")


@CASES.add(mat(3, 3), vec(3))
def steps_by_key(w, b):
    params = {"w": w, "b": b}
    momentum = {k: np.zeros_like(v) for k, v in params.items()}
    for k, v in params.items():
        momentum[k] += v
        params[k] = v - 0.1 * momentum[k]
    return np.sum(params["w"] @ params["b"])


@CASES.refused(mat(3, 3), vec(3))
def in_place_by_key(w, b):
    params = {"w": w.copy(), "b": b.copy()}
    for _ in range(2):
        grads = {"w": np.outer(params["b"], params["b"]), "b": params["w"] @ params["b"]}
        for k in params:
            params[k] -= 0.1 * grads[k]
    return np.sum(params["w"] @ params["b"])


@CASES.add(mat(3, 3), vec(3))
def keys_in_a_row(w, b):
    params = {"w": w, "b": b, "rate": 0.1}
    for k in ("w", "b"):
        params[k] = params[k] * params["rate"]
    for k in NAMES:
        params[k] = params[k] + 1.0
    for k in ["b", "w"]:
        params[k] *= 2.0
    return np.sum(params["w"] @ params["b"])


def slopes(p):
    return {"w": np.outer(p["b"], p["b"]), "b": p["w"] @ p["b"]}


@CASES.add(mat(3, 3), vec(3))
def slopes_by_key(w, b):
    params = {"w": w, "b": b}
    for _ in range(3):
        g = slopes(params)
        for k in params:
            params[k] = params[k] - 0.1 * g[k]
    return np.sum(params["w"] @ params["b"])


@CASES.add(mat(3, 3), vec(3))
def a_new_dictionary_each_time(w, b):
    params = {"w": w, "b": b}
    for _ in range(3):
        params = {k: params[k] * 0.9 for k in params}
    return np.sum(params["w"] @ params["b"])


@CASES.add(mat(3, 3), vec(3))
def norm_of_all(w, b):
    params = {"w": w, "b": b}
    norm = np.sqrt(sum(np.sum(v**2) for v in params.values()))
    for k in params:
        params[k] = params[k] / norm
    return np.sum(params["w"] @ params["b"])


@CASES.add(mat(3, 3), vec(3))
def a_list_of_parameters(w, b):
    params = [w, b]
    grads = [np.outer(b, b), w @ b]
    params = [p - 0.1 * g for p, g in zip(params, grads)]
    scaled = [p * 2 for p in params]
    return np.sum(scaled[0]) * params[1][0] + sum(np.sum(p**2) for p in scaled)


@CASES.add(mat(3, 3), vec(3))
def layers(w, b):
    x = b
    for left, offset in [(w, b), (w.T, b * 2)]:
        x = np.tanh(left @ x + offset)
    for layer in [{"w": w, "b": b}, {"w": w.T, "b": b * 2}]:
        x = np.tanh(layer["w"] @ x + layer["b"])
    return x @ x
