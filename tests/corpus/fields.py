"""Dictionaries of arrays and numbers together, such as the state and the parameters of a model,
whose arrays are written."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("fields")


def state(**more: Any) -> dict[str, Any]:
    return {"u": vec(4), "v": vec(4, 0.3), "dt": 0.1, "name": "a", **more}


@CASES.add(state(), vec(4), wrt=1)
def written_in_a_loop(s, x):
    for _ in range(3):
        s["u"] += s["dt"] * x
        s["v"][1:] -= s["dt"] * s["u"][:-1]
    return np.sum(s["u"] * s["v"])


@CASES.add({"W": mat(4, 4), "b": vec(4), "lr": 0.1}, vec(4), wrt=(0, 1))
def parameters_and_a_rate(p, x):
    p["b"] += p["lr"] * x
    p["W"] *= 0.5
    return np.sum(np.tanh(p["W"] @ x + p["b"]))


def advance(s, x):
    s["u"] += s["dt"] * x
    s["v"][1:] -= s["dt"] * s["u"][:-1]


@CASES.add(state(), vec(4), wrt=1)
def written_by_a_function(s, x):
    for _ in range(3):
        advance(s, x)
    return np.sum(s["u"]) + np.sum(s["v"])


@CASES.add(state(t=0.0, n=0), vec(4), wrt=1)
def with_counters(s, x):
    for _ in range(3):
        s["u"] += s["dt"] * x
        s["t"] += s["dt"]
        s["n"] += 1
    return np.sum(s["u"]) * s["t"] * s["n"]


@CASES.add(state(), vec(4), wrt=1)
def replaced_and_written(s, x):
    for _ in range(3):
        s["u"] = s["u"] + s["dt"] * x
        s["v"] += s["u"]
    return np.sum(s["u"] * s["v"])


@CASES.add(state(w=0.0), vec(4), wrt=1)
def one_array_under_two_keys(s, x):
    advance(s, x)
    s["w"] = s["u"]
    s["w"] *= 3.0
    return np.sum(s["u"] * x)


@CASES.add({"a": state(), "b": state()}, vec(4), wrt=1)
def dictionaries_in_one(s, x):
    for _ in range(2):
        s["a"]["u"] += x * s["b"]["dt"]
        s["b"]["u"] -= s["a"]["u"]
    return np.sum(s["a"]["u"]) + np.sum(s["b"]["u"])


@CASES.add(state(), vec(4), default="AD301", save="ok", wrt=1)
def all_items(s, x):
    for k, v in s.items():
        if k in ("u", "v"):
            v *= x
    return np.sum(s["u"]) + np.sum(s["v"])


@CASES.add(state(), vec(4), wrt=1)
def some_keys(s, x):
    for k in ("u", "v"):
        s[k] += s["dt"] * x
        s[k][1:] *= 2.0
    return np.sum(s["u"] * x) + np.sum(s["v"])


@CASES.add(state(), vec(4), wrt=1)
def a_new_key(s, x):
    s["w"] = np.zeros(4)
    for _ in range(2):
        s["w"] += x
        s["u"] += s["w"] * s["dt"]
    return np.sum(s["u"] * s["w"])
