"""Kinds of values, of expressions and of what NumPy's functions return."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from adtrans.analyses.kinds import infer, join, kind_of_expr, kind_of_value, kinds_key, param_kinds
from adtrans.analyses.kinds.infer import base_facts
from adtrans.analyses.prove import Facts
from adtrans.analyses.webs import webs
from adtrans.ir import kinds as K
from adtrans.ir.affine import Affine
from adtrans.ir.expr import Name
from adtrans.lower import lower
from adtrans.rules import lookup
from adtrans.source import get_source

from .test_kinds_run import symbols_of
from .watch import fits, number

N, M = Affine.symbol("x.shape[0]"), Affine.symbol("x.shape[1]")


def kinds_in(fn: Any, args: Mapping[str, Any], **more: Any) -> Any:
    return infer(webs(lower(get_source(fn))), param_kinds(args), **more)


# The lattice


def test_joins_climb() -> None:
    values = [1, 1.5, True, np.float64(2), np.float32(2), np.ones(3), np.ones((3, 2)), np.zeros(()),
              None, "a", (1, 2.0), (np.ones(2),), [1.0], [], object(), np.sin, 1j]  # fmt: skip
    kinds = [kind_of_value(v) for v in values]
    for (a, x), (b, y) in itertools.product(zip(kinds, values, strict=True), repeat=2):
        up = join(a, b)
        assert fits(up, x, {}) and fits(up, y, {}), (str(a), str(b), str(up))
        assert join(up, a) == up
        assert join(b, a) == up


def test_numbers_join_to_a_number() -> None:
    assert join(K.PY_INT, K.PY_FLOAT) == K.Scalar("float", "?")
    assert join(K.PY_FLOAT, K.Scalar("float", "float64")) == K.Scalar("float", "?")
    either = join(K.PY_FLOAT, K.Array("float64", ()))
    assert str(either) == "float or float64[]" and K.is_differentiable(either)
    assert join(K.Scalar("complex"), K.Array("float64", ())) == K.UNKNOWN


def test_functions_of_one_name_are_not_one() -> None:
    def helper() -> None: ...

    first = kind_of_value(helper)

    def helper() -> None: ...  # type: ignore[no-redef]  # on purpose

    assert join(first, kind_of_value(helper)) == K.UNKNOWN
    assert join(first, first) == first


# Arguments


def test_arguments_share_symbols_of_equal_sizes() -> None:
    x, y, z = np.ones((4, 3)), np.ones((3, 1)), np.ones(0)
    kinds = param_kinds({"x": x, "y": y, "n": 4, "m": -1, "z": z})
    assert kinds["x"] == K.Array("float64", (N, M), frozenset((0, 1)))
    assert kinds["y"] == K.Array("float64", (M, Affine.const(1)), frozenset((0,)))
    assert kinds["n"] == K.Scalar("int", None, Affine.symbol("n"))
    assert kinds["m"] == K.PY_INT  # no symbol of a parameter is below 0
    assert kinds["z"] == K.Array("float64", (Affine.const(0),), frozenset((0,)))


def test_what_is_no_plain_array() -> None:
    masked = np.ma.masked_array([1.0, 2.0], [True, False])  # type: ignore[no-untyped-call]
    records = np.zeros(2, dtype=[("a", float)])
    for odd in (masked, records, np.array([object()])):
        assert isinstance(kind_of_value(odd), K.Instance)
    assert kind_of_value(np.ones(2, dtype=">f8")) != kind_of_value(np.ones(2))


ARGUMENTS: list[Any] = [
    1.0, 2, -2, True, None, "a", np.float64(1), np.float32(1), np.ones(3), np.ones(4), np.ones(1),
    np.ones(0), np.ones((3, 4)), np.ones((4, 3)), np.ones((3, 3)), np.ones(3, dtype="float32"),
    np.arange(3), (1.0, np.ones(3)), [np.ones(3), np.ones(4)], [np.ones(3)], np.sin, float,
]  # fmt: skip


def test_equal_keys_mean_equal_kinds() -> None:
    known: dict[Any, Any] = {}
    for args in itertools.product(ARGUMENTS, repeat=2):
        names = dict(zip("xy", args, strict=True))
        kinds = param_kinds(names)
        assert known.setdefault(kinds_key(args), kinds) == kinds
    assert len(known) > 300


def test_keys_are_told_apart() -> None:
    a, b = np.ones(3), np.ones(4)
    assert kinds_key((a, b)) == kinds_key((b, a))
    assert kinds_key((a, a)) != kinds_key((a, b))
    assert kinds_key((np.ones(1),)) != kinds_key((a,))
    assert kinds_key((1,)) != kinds_key((True,)) != kinds_key((1.0,))
    assert kinds_key((np.sin,)) != kinds_key((np.cos,))


# What functions return, for many shapes


CALLS = """
x + y; x * 2; 2 ** x; -x; x > y; x % 2; x // y; abs(x); x / 3; x & (x > 0); ~(x > 0); x == 1
x @ y; x.T @ y; np.dot(x, y); np.outer(x, y); np.inner(x, y); np.vdot(x, y); x @ np.ones(3)
np.sum(x); np.sum(x, axis=0); np.sum(x, axis=-1, keepdims=True); x.sum(0); x.mean()
np.mean(x, axis=(0,))
np.max(x); x.max(axis=0); np.argmax(x); np.argmax(x, axis=0); np.cumsum(x); np.cumsum(x, axis=0)
np.std(x); np.var(x, axis=0); np.prod(x); np.all(x); np.any(x > 0, axis=0); np.median(x)
np.sqrt(x); np.exp(x); np.where(x > 0, x, y); np.where(x > 0); np.nonzero(x); np.maximum(x, 0.0)
np.clip(x, 0, 1); np.round(x, 2); np.sign(x); np.isnan(x); np.arctan2(x, y); np.real(x)
x.T; x.shape; x.ndim; x.size; x.dtype; x.real; len(x); np.shape(x); np.ndim(x); np.size(x)
x.copy(); x.astype(int); x.astype(np.float32); x.ravel(); x.flatten(); x.reshape(-1)
x.reshape(-1, 1)
x.reshape(x.shape); np.reshape(x, (1, -1)); np.squeeze(x); x.squeeze(); np.squeeze(x[None])
x[None]
np.expand_dims(x, 0); np.transpose(x); np.swapaxes(x, 0, -1); np.moveaxis(x, 0, -1); np.flip(x)
x[::-1]
np.zeros(n); np.zeros((n, 2)); np.ones(len(x)); np.zeros_like(x); np.empty(x.shape)
np.full(n, 2.0)
np.full(3, n); np.eye(n); np.arange(n); np.arange(0.0, 1.0, 0.1); np.linspace(0, 1, n)
np.identity(3)
np.arange(1, n); np.arange(n, 0, -1); np.zeros(n + 1); np.ones((n, n)); np.zeros(n - 1)
np.arange(k); np.arange(k, 2 * k); np.arange(k // 2, k // 2 + 2)
np.concatenate([x, y]); np.concatenate((x, x[1:])); np.stack([x, x]); np.vstack([x, x])
np.hstack([x, y])
np.append(x, 1.0); np.diff(x); np.diff(x, axis=0); np.roll(x, 1); np.tile(x, 2); np.repeat(x, 2)
np.repeat(x, n); np.pad(x, 1); np.sort(x); np.argsort(x); np.unique(x); np.flatnonzero(x)
np.take(x, [0])
x[0]; x[-1]; x[n]; x[1:]; x[:-1]; x[1:-1]; x[::2]; x[2:n]; x[:n]; x[-2:]; x[k:]; x[...]; x[..., 0]
x[:, None]; x[None, :]; x[x > 0]; x[[0, -1]]; x[np.array([0, 0])]; x[0:1]; x[:1]; x[5:]
x[n:n + 1]
x[..., np.newaxis]; x[x[0] > 0]; x[np.arange(2)]; x[0, :]; x[:, 0]; x[1:, 1:]; x[0, [0]]
x[[0], 0]
x[[0], :, None]; x[0, ..., [0]]; x[:, [0, 1]]; x[(0,)]; x[[0, 1]][:, 0]; x[np.array(0)]
x[None, 0]
np.linalg.norm(x); np.linalg.norm(x, axis=0); np.trace(x); np.diag(x); np.tril(x); np.triu(x, 1)
np.linalg.inv(x); np.linalg.det(x); np.linalg.solve(x, y); np.linalg.cholesky(x); np.linalg.svd(x)
np.linalg.eigh(x); np.linalg.eigvals(x); np.linalg.qr(x); np.linalg.slogdet(x); np.linalg.pinv(x)
np.einsum('i,i->', x, y); np.einsum('ij,jk->ik', x, y); np.einsum('...i,i->...', x, y)
np.tensordot(x, y, 1)
np.convolve(x, y); np.convolve(x, y, 'same'); np.convolve(x, y, 'valid'); np.interp(x, y, y)
np.cross(x, y)
np.broadcast_to(x, (2, n)); np.broadcast_to(x, (n, n)); np.meshgrid(x, y); np.split(x, 2)
np.array([x, x])
np.array([1.0, 2]); np.asarray(x); np.array(x, dtype='float32'); np.float32(2) * x; float(n)
int(2.5)
min(n, 3); max(n, k); max(1.0, n); n // 2; n % 2; n / 2; n ** 2; 2 ** k; -n; n * 2 - 1; n > k
bool(n)
(x, y)[0]; [x, y][n]; (1, 2.0, x)[1:]; [1, 2] + [3]; [0.0] * n; (n,) * 2; 1.0 if n else 2
n and 1.5
np.fft.fft(x); np.kron(x, y); np.gradient(x); np.trapezoid(x); np.nan_to_num(x)
np.searchsorted(x, 0.5)
np.atleast_2d(x); np.column_stack([x, y]); np.cov(x); np.corrcoef(x); np.histogram(x)
np.bincount(i)
np.ptp(x); np.percentile(x, 50); np.average(x); np.logaddexp(x, y); np.heaviside(x, 0.5)
np.divmod(x, 2)
x[i]; x[i, 0]; x[i][:, None]; np.take(x, i, axis=0); x[i > 0]; np.add.reduce(x)
np.multiply.outer(x, y)
x.dot(y); x.trace(); x.diagonal(); x.item(); x.tolist(); x.argsort(); x.clip(0, 1); x.std()
x.prod(axis=0)
np.lexsort((x, y)); np.select([x > 0], [x]); np.apply_along_axis(np.sum, 0, x)
np.vectorize(abs)(x)
x[:n][1:]; x[1:][:-1] * x[2:]; x[1:] + x[:-1]; x[:-2] + x[2:]; x[n:] * x[:k]; np.add(x, y) * x[:1]
np.zeros((len(x), n)) + x[:, None]; np.zeros(x.shape[0] - 1) + np.diff(x); np.minimum(x[:1], y)
""".replace("\n", ";").split(";")  # fmt: skip

SHAPES: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((4,), (4,)), ((4,), (3,)), ((4,), (1,)), ((1,), (4,)), ((2,), (2,)), ((0,), (0,)), ((3,),
    (3, 3)), ((3, 3), (3, 3)), ((3, 3), (3,)), ((4, 3), (3, 2)), ((2, 3), (2, 3)), ((2, 1),
    (1, 3)), ((2, 2), (2, 2)), ((1, 4), (4,)), ((2, 3, 4), (4,)), ((2, 4, 4), (2, 4, 4)), ((),
    (4,)), ((), ()), ((4, 3), (4, 1)),
]  # fmt: skip


@pytest.mark.parametrize("text", [c.strip() for c in CALLS if c.strip()])
def test_what_is_said_of_a_result_is_true(text: str) -> None:
    names: dict[str, Any] = {}
    body = f"def f(x, y, n, k, i):\n    return {text}\n"
    register(names, body)
    fn = names["f"]
    lowered = webs(lower(get_source(fn)))
    rng = np.random.default_rng(0)
    sure = tried = 0
    for (a, b), (n, k) in itertools.product(SHAPES, [(2, 1), (3, -1), (0, 2), (4, 4)]):
        for dtype in ("float64", "float32", "int64"):
            args = {"x": (rng.random(a) * 3 - 1).astype(dtype), "y": np.abs(rng.random(b)),
                    "n": n, "k": k, "i": np.array([0, 1, 0])}  # fmt: skip
            kind = infer(lowered, param_kinds(args)).result
            try:
                with np.errstate(all="ignore"), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    value = fn(**args)
            except (ValueError, IndexError, TypeError, ZeroDivisionError, AttributeError,
                    np.linalg.LinAlgError, OverflowError):  # fmt: skip
                continue
            assert fits(kind, value, symbols_of(args)), (str(kind), value, args)
            tried += 1
            sure += kind != K.UNKNOWN
    function = eval(text.split("(")[0]) if text.startswith("np.") else None
    if function is None or lookup(function) is not None:
        assert sure or not tried or text in VAGUE, "nothing is known"


VAGUE = {"[x, y][n]", "n and 1.5", "np.cross(x, y)"}


def register(names: dict[str, Any], body: str) -> None:
    import linecache

    file = f"<call {hash(body)}>"
    linecache.cache[file] = (len(body), None, body.splitlines(True), file)
    exec(compile(body, file, "exec"), {"np": np}, names)


# Precision


def result(text: str, **args: Any) -> str:
    names: dict[str, Any] = {}
    register(names, f"def f({', '.join(args)}):\n    return {text}\n")
    return str(kinds_in(names["f"], args).result)


def test_sizes_that_must_be_known() -> None:
    x, a = np.ones(5), np.ones((5, 3))
    assert result("x[1:-1] + x[2:] * x[:-2]", x=x) == "float64[x.shape[0] - 2]"
    assert result("a @ a.T", a=a) == "float64[a.shape[0], a.shape[0]]"
    assert result("a @ w", a=a, w=np.ones(3)) == "float64[a.shape[0]]"
    assert result("np.ones((2, 3)) @ a", a=np.ones((4, 4))) == "float64[2, a.shape[0]]"
    assert result("np.diff(x)", x=x) == "float64[x.shape[0] - 1]"
    assert result("np.sum(a, axis=1, keepdims=True)", a=a) == "float64[a.shape[0], 1]"
    assert result("a - a.mean(axis=0)", a=a) == "float64[a.shape[0], a.shape[1]]"
    assert result("np.zeros((n, n + 1))", n=3) == "float64[n, n + 1]"
    assert result("np.concatenate([x, x])", x=x) == "float64[2*x.shape[0]]"
    assert result("np.linalg.solve(a, b)", a=np.eye(3), b=np.ones(3)) == "float64[a.shape[0]]"
    assert result("x[:2]", x=x) == "float64[2]"
    assert result("x[1:3]", x=x) == "float64[?]"  # the size may be 2
    assert result("x * y", x=x, y=np.ones(1)) == "float64[x.shape[0]]"
    assert result("x * np.float32(2)", x=x) == "float64[x.shape[0]]"
    assert result("x.astype('float32') * 2.0", x=x) == "float32[x.shape[0]]"


def test_unknown_sizes_meet_known_ones() -> None:
    x = np.ones(5)
    assert result("x[x > 0] * x", x=x) == "float64[x.shape[0]]"  # else it raises
    assert result("x[x > 0] * x[x > 1]", x=x) == "float64[?]"


def test_numbers() -> None:
    assert result("x * n", x=1.0, n=2) == "float"
    assert result("np.sin(x)", x=1.0) == "float64"
    assert result("x[0] * 2", x=np.ones(3)) == "float64"
    assert result("x[0] * 2", x=np.ones(3, dtype="float32")) == "float32"
    assert result("x / 2", x=3) == "float"
    assert result("np.array(x) * 1", x=3.0) == "float64"


def test_unknown_functions_are_asked_about() -> None:
    def helper(a: Any) -> Any:
        return a

    def use(x: Any) -> Any:
        return helper(x) * 2

    asked: list[Any] = []

    def call(fn: object, args: tuple[K.Kind, ...], kwargs: Mapping[str, K.Kind]) -> K.Kind:
        asked.append((fn, args, dict(kwargs)))
        return args[0]

    args = {"x": np.ones(3)}
    assert kinds_in(use, args).result == K.UNKNOWN
    assert str(kinds_in(use, args, call=call).result) == "float64[x.shape[0]]"
    assert asked[0][0] is helper


def test_indices_lose_their_meaning_after_their_iteration() -> None:
    def last(x: Any, n: int) -> Any:
        k = 0
        for i in range(n):
            k = i + 1
        return k, x[:k]

    kinds = kinds_in(last, {"x": np.ones(4), "n": 3})
    assert str(kinds.result) == "(int, float64[?])"


def test_a_number_that_becomes_an_array() -> None:
    def accumulate(x: Any, n: int) -> Any:
        s = 0
        t = 0.0
        for _ in range(n):
            s = s + x
            t += x[0]
        return s, t

    kinds = kinds_in(accumulate, {"x": np.ones(4), "n": 3})
    assert str(kinds.result) == "(int or float64[?], float)"


def test_what_lists_hold() -> None:
    def collect(x: Any) -> Any:
        out = []
        for i in range(len(x)):
            out.append(x[i] * 2)
        return out, out[0]

    kinds = kinds_in(collect, {"x": np.ones(4)})
    assert str(kinds.result) == "(list[float64], float64)"


def test_a_list_that_is_written_through_another_name() -> None:
    def share(x: Any) -> Any:
        a = [1]
        b = a
        c = (a, 2)
        first = a[0]
        b.append(x)
        c[0].append("text")
        return first, a[1]

    kinds = kinds_in(share, {"x": np.ones(4)})
    assert kinds.result == K.TupleOf((K.UNKNOWN, K.UNKNOWN))


def test_a_list_that_a_callee_gets() -> None:
    def put(a: Any) -> None:
        a.append("text")

    def use(x: Any) -> Any:
        a = [1]
        put(a)
        return a[0]

    assert kinds_in(use, {"x": np.ones(4)}).result == K.UNKNOWN


def test_facts_of_parameters() -> None:
    kinds = param_kinds({"x": np.ones((4, 1)), "n": 3})
    facts = base_facts(kinds)
    assert set(facts) == {N - 2, Affine.symbol("n")}


def test_expressions_of_formulas() -> None:
    env = {"x": K.Array("float64", (N,)), "y_bar": K.Scalar("float", "float64")}
    from adtrans.ir.expr import Binary

    assert str(kind_of_expr(Binary("*", Name("y_bar"), Name("x")), env)) == "float64[x.shape[0]]"
    assert kind_of_expr(Name("unheard_of"), env, Facts()) == K.UNKNOWN
    assert number(N + 1, {"x.shape[0]": 3}) == 4


class _Node:
    """An object of a structure that refers to itself through a container."""

    def __init__(self) -> None:
        self.size = 2.0
        self.children = {"me": self}
        self.around = [self]


def test_what_holds_itself_has_a_kind() -> None:
    ring: dict[str, object] = {"size": 1.0}
    ring["ring"] = ring
    chain: list[object] = []
    chain.append((chain, ring))
    for value in (ring, chain, _Node(), {"n": _Node()}, [[_Node()]]):
        assert kind_of_value(value) == kind_of_value(value)
        assert param_kinds({"x": value}) == param_kinds({"x": value})
        assert kinds_key((value,)) == kinds_key((value,))
    kind = kind_of_value(_Node())
    assert isinstance(kind, K.Instance)
    assert dict(kind.fields)["size"] == K.PY_FLOAT
