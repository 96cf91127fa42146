"""Three generated modules as trees, written by hand: a stencil, a recurrence, a saved update."""

from __future__ import annotations

import gast
import numpy as np

from adtrans.ir.code import (
    Assign,
    AugAssign,
    Body,
    Code,
    Def,
    Do,
    ForEach,
    Module,
    Note,
    Original,
    Result,
)
from adtrans.ir.expr import Expr, Verbatim
from adtrans.ir.stmt import Param


def e(text: str) -> Expr:
    """An expression, kept as written."""
    return Verbatim(text, (), gast.parse(text, mode="eval").body)


def original(text: str, note: Note | None = None) -> Original:
    """A statement of the user's."""
    return Original(text, gast.parse(text).body[0], note=note)


def assign(target: str, value: str, note: Note | None = None) -> Code:
    return Assign((_fresh(target),), e(value), note)


def update(target: str, op: str, value: str, note: Note | None = None) -> Code:
    return AugAssign(_fresh(target), op, e(value), note)


def loop(target: str, it: str, body: Body, note: Note | None = None) -> Code:
    return ForEach(_fresh(target), e(it), body, note)


def _fresh(text: str) -> Expr:
    return Verbatim(text, (), gast.parse(text, mode="eval").body)


def params(*names: str) -> tuple[Param, ...]:
    return tuple(Param(n) for n in names)


def stencil() -> Module:
    step = "u[1:-1] += dt * (u[2:] - 2 * u[1:-1] + u[:-2])"
    forward = Def(
        "loss_forward",
        params("u", "dt", "steps"),
        (
            original("u = u.copy()"),
            loop("_", "range(steps)", (original(step),)),
            assign("y", "np.sum(u * u)"),
            Result(e("y, (u, dt, steps)")),
        ),
    )
    pullback = Def(
        "loss_pullback",
        params("residuals", "y_bar"),
        (
            assign("u, dt, steps", "residuals"),
            assign("u_bar", "2.0 * y_bar * u", Note(5, "return np.sum(u * u)")),
            loop(
                "_",
                "range(steps)",
                (
                    assign("t_bar", "dt * u_bar[1:-1]", Note(4, step)),
                    update("u_bar[2:]", "+", "t_bar", Note(4, step)),
                    update("u_bar[1:-1]", "-", "2 * t_bar", Note(4, step)),
                    update("u_bar[:-2]", "+", "t_bar", Note(4, step)),
                ),
                Note(3, "for _ in range(steps), reversed"),
            ),
            Result(e("u_bar"), Note(2, "u = u.copy()")),
        ),
    )
    return Module((forward, pullback), {"np": np})


def recurrence() -> Module:
    head = "for i in range(1, len(x))"
    body = "h[i] = np.tanh(w * h[i - 1]) + x[i]"
    forward = Def(
        "loss_forward",
        params("x", "w"),
        (
            original("h = np.empty(len(x))"),
            original("h[0] = x[0]"),
            assign("t_saved", "[]"),
            loop(
                "i",
                "range(1, len(x))",
                (
                    assign("t", "np.tanh(w * h[i - 1])"),
                    Do(e("t_saved.append(t)")),
                    assign("h[i]", "t + x[i]"),
                ),
            ),
            Result(e("h[-1], (x.shape, w, h, t_saved)")),
        ),
    )
    pullback = Def(
        "loss_pullback",
        params("residuals", "y_bar"),
        (
            assign("x_shape, w, h, t_saved", "residuals"),
            assign("x_bar", "np.zeros(x_shape)"),
            assign("w_bar", "0.0"),
            assign("h_bar", "np.zeros(h.shape)"),
            assign("h_bar[-1]", "y_bar", Note(6, "return h[-1]")),
            loop(
                "i",
                "range(x_shape[0] - 1, 0, -1)",
                (
                    assign("t", "t_saved[i - 1]"),
                    assign("t_bar", "h_bar[i] * (1.0 - t * t)", Note(5, body)),
                    update("x_bar[i]", "+", "h_bar[i]"),
                    update("w_bar", "+", "t_bar * h[i - 1]"),
                    update("h_bar[i - 1]", "+", "t_bar * w"),
                ),
                Note(4, f"{head}, reversed"),
            ),
            update("x_bar[0]", "+", "h_bar[0]", Note(3, "h[0] = x[0]")),
            Result(e("x_bar, w_bar")),
        ),
    )
    return Module((forward, pullback), {"np": np})


def saved() -> Module:
    step = "u[1:] -= dt * u[1:] * (u[1:] - u[:-1])"
    forward = Def(
        "loss_forward",
        params("u", "dt", "steps"),
        (
            original("u = u.copy()"),
            assign("u_saved", "np.empty((steps, *u.shape))"),
            loop(
                "k",
                "range(steps)",
                (
                    assign(
                        "u_saved[k]",
                        "u",
                        Note(0, "kept: line 4 overwrites what its own derivative needs"),
                    ),
                    original(step),
                ),
            ),
            assign("y", "np.sum(u * u)"),
            Result(e("y, (u, dt, steps, u_saved)")),
        ),
    )
    pullback = Def(
        "loss_pullback",
        params("residuals", "y_bar"),
        (
            assign("u, dt, steps, u_saved", "residuals"),
            assign("u_bar", "2.0 * y_bar * u", Note(5, "return np.sum(u * u)")),
            loop(
                "k",
                "range(steps - 1, -1, -1)",
                (
                    assign("u", "u_saved[k]"),
                    assign("t_bar", "-dt * u_bar[1:]", Note(4, step)),
                    assign("d_bar", "t_bar * u[1:]", Note(4, step)),
                    update("u_bar[1:]", "+", "t_bar * (u[1:] - u[:-1]) + d_bar", Note(4, step)),
                    update("u_bar[:-1]", "-", "d_bar", Note(4, step)),
                ),
                Note(3, "for _ in range(steps), reversed"),
            ),
            Result(e("u_bar"), Note(2, "u = u.copy()")),
        ),
    )
    return Module((forward, pullback), {"np": np})
