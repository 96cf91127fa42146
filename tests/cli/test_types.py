"""The grammar of `--types`, and what annotations say."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from adtrans.annotations.of_functions import kinds_of_annotations
from adtrans.cli.exit_codes import UsageError
from adtrans.cli.types import parse_types
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import NONE_KIND, PY_FLOAT, UNKNOWN, Array, ListOf, Scalar, TupleOf

ROWS = Affine.symbol("x.shape[0]")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("float64[:]", Array("float64", (ROWS,))),
        ("float32[:, 3]", Array("float32", (ROWS, Affine.const(3)), frozenset({1}))),
        ("float64[1,2]", Array("float64", (Affine.const(1), Affine.const(2)), frozenset({1}))),
        ("float64[]", Array("float64", ())),
        ("float64[...]", Array("float64", None)),
        ("array[...]", Array(None, None)),
        ("int", Scalar("int", None, Affine.symbol("x"))),
        ("float", PY_FLOAT),
        ("float32", Scalar("float", "float32")),
        ("int64", Scalar("int", "int64")),
        ("None", NONE_KIND),
        ("any", UNKNOWN),
        ("(float, list[int])", TupleOf((PY_FLOAT, ListOf(Scalar("int"))))),
        ("(float,)", TupleOf((PY_FLOAT,))),
    ],
)  # fmt: skip
def test_types(text, kind):
    assert parse_types(f"x={text}") == {"x": kind}


def test_one_name_is_one_size():
    kinds = parse_types("a = float64[n, m], b = float64[m, n]")
    assert kinds["a"].dims == (Affine.symbol("a.shape[0]"), Affine.symbol("a.shape[1]"))
    assert kinds["b"].dims == kinds["a"].dims[::-1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a parameter name"),
        ("x", "expected `=`, found the end"),
        ("x=", "a type"),
        ("x=float65", "expected a type, found `float65`"),
        ("x=float64[:", "found the end"),
        ("x=float64[:],", "a parameter name, found the end"),
        ("x=float64[*]", r"found `\*\]`"),
        ("x=int, x=int", "`x` twice"),
        ("x=int y=int", "expected `,`"),
        ("3=int", "a parameter name, found `3`"),
    ],
)
def test_bad_types(text, message):
    with pytest.raises(UsageError, match=message):
        parse_types(text)


def annotated(
    a: float,
    n: int,
    x: np.ndarray,
    y: npt.NDArray[np.float32],
    z: npt.NDArray[np.floating],
    p: tuple[float, int],
    q: list[int],
    s: str,
    w: np.float64,
    u,
): ...


def test_annotations():
    kinds = kinds_of_annotations(annotated)
    assert kinds == {
        "a": PY_FLOAT,
        "n": Scalar("int", None, Affine.symbol("n")),
        "x": Array(None, None),
        "y": Array("float32", None),
        "z": Array(None, None),
        "p": TupleOf((PY_FLOAT, Scalar("int", None, Affine.symbol("p[1]")))),
        "q": ListOf(Scalar("int")),
        "w": Scalar("float", "float64"),
    }


def test_annotations_that_do_not_resolve():
    def f(x: "NoSuchThing"): ...  # noqa: F821, UP037

    assert kinds_of_annotations(f) == {}
