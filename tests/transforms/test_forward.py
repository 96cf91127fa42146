"""The forward function: the user's statements, and beside them what is kept."""

from __future__ import annotations

import numpy as np

from tests.transforms.made import derivative, forward

X = np.array([1.0, 2.0, 3.0])


def linear(x, n: int):
    y = x.copy()
    for k in range(n):  # a comment
        y[1:] += (k+1)*y[:-1]
        y[0] -= 0.5
    return np.sum(y)


def test_statements_are_printed_as_written() -> None:
    text = forward(derivative(linear, X, 3))
    loop = ["for k in range(n):", "    y[1:] += (k + 1) * y[:-1]", "    y[0] -= 0.5"]
    assert "\n".join(f"    {line}" for line in loop) in text
    assert "_saved" not in text


def recurrence(x, w):
    h = 0.0
    for v in x:
        h = np.tanh(w * h + v)
    return h


def test_what_changes_is_kept_for_each_iteration() -> None:
    c = derivative(recurrence, X, 0.5, wrt=("x", "w"))
    text = forward(c)
    assert text.count("_saved = []") == text.count("_saved.append(") >= 1
    value, residuals = c.function(0)(X, 0.5)
    assert value == recurrence(X, 0.5)
    assert {len(r) for r in residuals if isinstance(r, list)} == {3}


def sides(x):
    print("once")
    y = x * x
    x[0] = 7.0
    return np.sum(y) + x[0]


def test_side_effects_happen_once(capsys) -> None:
    c = derivative(sides, X, on_overwrite="save")
    given, expected = X.copy(), X.copy()
    value, residuals = c.function(0)(given)
    assert capsys.readouterr().out == "once\n"
    assert value == sides(expected)
    np.testing.assert_array_equal(given, expected)
    capsys.readouterr()
    np.testing.assert_allclose(c.function(1)(residuals, 1.0), 2.0 * X * [1, 1, 1])
    assert capsys.readouterr().out == ""


def one_branch(x, flag):
    if flag:
        y = np.sin(x)
        return np.sum(y * y)
    return np.sum(x)


def test_what_one_branch_binds_is_none_on_the_other() -> None:
    c = derivative(one_branch, X, True)
    for flag in (True, False):
        value, residuals = c.function(0)(X, flag)
        assert value == one_branch(X, flag)
        expected = np.sin(2 * X) if flag else np.ones(3)
        np.testing.assert_allclose(c.function(1)(residuals, 1.0), expected)


def names(x, t, x_bar, residuals):
    y_bar = x * t
    return np.sum(y_bar * x_bar) * residuals


def test_the_users_names_are_avoided() -> None:
    c = derivative(names, X, 2.0, X, 3.0, wrt=("x", "x_bar"))
    _, kept = c.function(0)(X, 2.0, X, 3.0)
    for g in c.function(1)(kept, 1.0):
        np.testing.assert_allclose(g, 6.0 * X)
