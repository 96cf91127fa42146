"""The verifier finds every kind of illegal code, and passes what is legal."""

from __future__ import annotations

import pytest

from adtrans.diagnostics.errors import InternalError
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.dump import dump
from adtrans.ir.well_formed import verify, violations

HERE = Span("f.py", 3, 4, 3, 9)
X, ONE = E.Name("x"), E.Const(1)
count = 0


def site() -> int:
    global count
    count += 1
    return count


def bind(target: str = "t", value: E.Expr = X, origin: int = 0) -> S.Bind:
    value = E.Unary("-", X) if value == X else value
    return S.Bind(target, value, site=site(), span=HERE, origin=origin)


def ret(*values: S.Atom, is_tuple: bool = False) -> S.Return:
    return S.Return(values or (X,), is_tuple, site=site(), span=HERE)


def brk() -> S.Break:
    return S.Break(site=site(), span=HERE)


def when(then: S.Block, orelse: S.Block = (), test: E.Expr = X, origin: int = 0) -> S.If:
    return S.If(test, then, orelse, site=site(), span=HERE, origin=origin)


def loop(*body: S.Stmt) -> S.For:
    return S.For("i", S.Range(E.Const(0), X, ONE), body, site=site(), span=HERE)


def stop() -> S.Keep:
    return S.Keep("raise E", (), (), None, "raise", site=site(), span=HERE)


def problems(*body: S.Stmt, origins: dict[int, object] | None = None) -> list[str]:
    fn = S.Function("f", (S.Param("x"),), body, HERE, origins=origins or {})
    return [v.text for v in violations(fn)]


def test_legal() -> None:
    assert problems(bind(), loop(when((brk(),), (bind(),))), ret(E.Name("t"))) == []
    assert problems(when((stop(),)), bind(), ret()) == []
    assert problems(stop(), ret(E.NONE)) == []


def test_returns() -> None:
    assert problems(bind()) == ["the last statement is no `return`"]
    assert problems(when((ret(),)), ret()) == ["a `return` that is not the last statement"]
    assert problems(ret(X, X)) == ["several results that are no tuple"]


def test_exits() -> None:
    bad = "a `break` that does not end a path through a loop"
    assert problems(brk(), ret()) == [bad]
    assert problems(loop(brk(), bind()), ret()) == [bad]
    assert problems(loop(when((brk(),)), bind()), ret()) == [bad]
    assert problems(stop(), bind(), ret()) == ["a `raise` with something after it"]


def test_names_and_sites() -> None:
    assert problems(ret(E.Name("y"))) == ["`y` is read but never bound"]
    s = bind()
    assert "the site is not unique" in problems(s, s, ret())


def test_flatness() -> None:
    nested = E.Binary("+", E.Binary("*", X, X), ONE)
    assert problems(bind(value=nested), ret()) == ["`x * x + 1` is more than one operation"]
    mask = S.Load("t", "x", (E.Compare(X, (">",), (ONE,)),), site=site(), span=HERE)
    assert problems(mask, ret()) == ["`x > 1` is too much for a subscript or a range"]
    load = E.Compare(E.Index(X, (ONE,)), (">",), (ONE,))
    assert problems(when((), test=load), ret()) == ["`x[1] > 1` is too much for a test"]
    store = S.Store("x", (ONE,), E.Unary("-", X), site=site(), span=HERE)  # type: ignore[arg-type]
    assert problems(store, ret()) == ["`-x` is not an atom"]


def test_origins() -> None:
    known: dict[int, object] = {1: None, 2: None}
    good = (bind(origin=1), when((bind(origin=1),), origin=1), bind(origin=2))
    assert problems(*good, ret(), origins=known) == []
    torn = (bind(origin=1), bind(origin=2), bind(origin=1))
    assert problems(*torn, ret(), origins=known) == ["origin 1 is not contiguous"]
    mixed = when((bind(origin=2),), origin=1)
    assert "stands inside origin 1" in problems(mixed, ret(), origins=known)
    assert problems(bind(origin=7), ret(), origins=known) == [
        "origin 7 is no statement of the user's"
    ]


def test_verify_raises_with_all_of_them() -> None:
    fn = S.Function("f", (), (bind(), bind("u", E.Name("v")), ret(E.Name("w"))), HERE)
    with pytest.raises(InternalError) as caught:
        verify(fn)
    assert [d.code for d in caught.value.diagnostics] == ["AD901"] * 4
    assert caught.value.diagnostics[0].primary.span == HERE


def test_dump_of_everything() -> None:
    global count
    count = 0
    t = E.Name("t")
    body: S.Block = (
        S.Alias("t", "x", site=1, span=HERE, origin=1),
        S.Pack("p", "tuple", (t,), site=2, span=HERE),
        S.Unpack(("a", "b"), "p", site=3, span=HERE),
        S.Load("l", "x", (), site=4, span=HERE),
        S.Store("x", (E.Slice(None, ONE, None), ONE), t, site=5, span=HERE),
        S.Update("x", None, "*", t, site=6, span=HERE),
        S.Invoke(None, E.Ref("g", abs), (t,), (("k", t),), site=7, span=HERE),
        S.While((bind("c"),), E.Name("c"), (brk(),), site=8, span=HERE),
        S.For(
            ("i", ("v",)),
            S.Enumerate(S.Zip((S.Elements("x"), S.Reversed(S.Elements("x")))), ONE),
            (S.Continue(site=11, span=HERE),),
            site=10,
            span=HERE,
        ),
        S.Keep("print(x)", ("x",), (), None, site=12, span=HERE),
        S.Return((t, X), True, site=13, span=HERE),
    )
    fn = S.Function("f", (S.Param("x"),), body, HERE)
    assert [line[12:] for line in dump(fn).splitlines()[1:]] == [
        "t is x                                       [1]",
        "p = pack (t,)",
        "a, b = unpack p",
        "l = x[()]",
        "x[:1, 1] = t",
        "x *= t",
        "invoke g(t, k=t)",
        "while c, after:",
        "    c = -x",
        "do:",
        "    break",
        "for (i, (v,)) in enumerate(zip(x, reversed(x)), 1):",
        "    continue",
        "keep: print(x)",
        "return (t, x)",
    ]
