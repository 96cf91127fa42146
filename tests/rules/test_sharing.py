"""What the rules say about memory is what NumPy does: which results are views of which argument,
and which arguments are written."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import scipy.special  # noqa: F401  (its rules are found only once it is imported)

import adtrans as ad
from adtrans.ir import expr as E
from adtrans.rules import all_rules, lookup, method
from adtrans.rules.numpy_elementwise import BINARY, UNARY

from .evaluate import Use, evaluate, names_of, read
from .samples import ALL, pool
from .samples_keywords import KEYWORDS
from .samples_keywords import pool as pool_of_keywords
from .test_writers import CALLS
from .test_writers import pool as pool_of_writers

# Results that are views, or the argument, for some arguments only.
TYPES = """
    float16 float32 float64 longdouble int8 int16 int32 int64 intp longlong uint8 uint16 uint32
    uint64 ulonglong bool_ complex64 complex128 clongdouble cdouble csingle complex256
"""
OF_TYPES = {t: np.ones(3, t) for t in TYPES.split() if hasattr(np, t)}
SELDOM = [
    *(f"np.{t}({t})" for t in OF_TYPES), *(f"np.{t}(mask)" for t in OF_TYPES), "np.bool_(v)",
    "cv.conjugate()", "np.ascontiguousarray(turned)", "np.asfortranarray(v)", "np.real(of)",
    "np.real_if_close(cv)", "np.real_if_close(of)", "np.require(v, np.float32)",
    "np.fft.ifftn(m, axes=())", "scipy.fft.ifftn(m, axes=())", "scipy.fft.ifftn(m)",
    "scipy.fft.fftn(m)", "scipy.fft.dctn(m)", "scipy.fft.dstn(o)", "scipy.fft.idctn(o)",
    "scipy.fft.dstn(m)", "scipy.fft.idctn(m)", "scipy.fft.idstn(o)", "np.ravel(turned)",
    "np.reshape(turned, (12,))", "turned.reshape((12,))", "np.asfortranarray(m)",
    "np.polyder(v, m=1)", "np.polyint(v, 1)", "np.astype(v, np.float32, copy=False)",
    "np.asanyarray(m, np.float32)", "np.asarray_chkfinite(v, np.float32)",
    "np.array(v, np.float32, copy=None)",
    "np.diff(v, 0)", "np.diff(v, k)", "np.diff(v, n=0, axis=0)", "np.polyder(v, 0)",
    "np.polyder(v, 1)", "np.polyint(v, 0)", "np.float64(v)", "np.float32(v)", "np.int64(i)",
    "np.bool_(mask)", "np.complex128(cv)", "sum([], v)", "sum([v], w)", "max(one, 0.0)",
    "max(one, far[:1])", "min(nil, one)", "np.fft.fftn(o)", "np.fft.fftn(m, axes=())",
    "np.fft.fftn(m)", "np.fft.ifftn(m, axes=(0,))", "scipy.fft.fftn(cv, axes=())",
    "scipy.fft.dctn(o)", "scipy.fft.idstn(m)",
    "np.histogram(v, xs)", "np.histogram(v, 4)", "np.histogram_bin_edges(v, xs)",
    "np.histogram_bin_edges(v, bins=xs)", "np.ix_(i, i)", "np.ix_(mask)", "np.trim_zeros(v)",
    "np.trim_zeros(zero)", "np.einsum('ii->i', q)", "np.einsum('ij->ji', m)",
    "np.einsum('ij->j', m)", "np.einsum('i,i->i', v, w)", "np.array(v, copy=None)",
    "np.array(v, copy=False)", "np.array(v)", "np.asarray(v)", "np.asarray(v, np.float32)",
    "np.asarray(v, copy=True)", "np.asanyarray(m)", "np.asarray_chkfinite(v)",
    "v.astype(float, copy=False)", "v.astype(float)", "v.astype(np.float32, copy=False)",
    "np.astype(v, float, copy=False)", "np.require(v)", "np.ascontiguousarray(m)",
    "np.asfortranarray(m)", "np.real_if_close(v)", "np.real(v)", "np.real(cv)", "np.imag(v)",
    "np.imag(cv)", "v.real", "cv.real", "cv.imag", "v.imag", "v.conj()", "cv.conj()",
    "v.conjugate()", "np.reshape(v, (2, 2))", "np.reshape(m, (2, 6), order='F')",
    "np.reshape(v, (2, 2), copy=True)", "v.reshape((2, 2))", "v.reshape((2, 2), copy=True)",
    "np.ravel(m)", "m.ravel(order='F')", "np.diag(v)", "np.diag(q)", "np.diag(q, 1)",
    "np.atleast_1d(v)", "np.atleast_1d(o)", "np.atleast_2d(v)", "np.atleast_2d(m)",
    "np.atleast_3d(v)", "np.atleast_3d(t)", "np.broadcast_arrays(v, m)", "np.meshgrid(v, z)",
    "np.meshgrid(v, z, copy=False)", "np.meshgrid(v, z, copy=False, sparse=True)", "m.T", "m.mT",
    "m.transpose()", "m.transpose((1, 0))", "m.transpose(1, 0)", "v.view()", "m.swapaxes(0, 1)",
    "m.diagonal()", "r.squeeze()", "np.squeeze(r)", "np.expand_dims(v, 0)", "np.rollaxis(m, 1)",
    "np.swapaxes(m, 0, 1)", "np.moveaxis(m, 0, 1)", "np.permute_dims(m)", "np.matrix_transpose(m)",
    "np.linalg.matrix_transpose(m)", "np.linalg.diagonal(q)", "np.diagonal(q)", "np.rot90(m)",
    "np.flip(v)", "np.fliplr(m)", "np.flipud(m)", "np.broadcast_to(v, (2, 4))", "np.transpose(m)",
    "np.split(v, 2)", "np.array_split(v, 3)", "np.hsplit(v, 2)", "np.vsplit(m, 3)",
    "np.dsplit(t, 2)", "np.unstack(m)", "np.lib.stride_tricks.sliding_window_view(v, 2)",
    "np.select([mask], [v], w)", "np.copy(v)", "v.copy()", "v.flatten()", "np.positive(v)", "+v",
    "abs(v)", "np.clip(v, None, 9.0)", "np.round(v, 9)", "np.unwrap(v)", "np.nan_to_num(v)",
    "np.concatenate([v])", "np.stack([v])", "np.hstack([v])", "np.block([v])", "np.tile(v, 1)",
    "np.repeat(v, 1)", "np.roll(v, 0)", "np.pad(v, 0)", "np.append(v, [])", "np.delete(v, [])",
    "np.insert(v, 0, [])", "np.where(mask, v, v)", "np.take(v, [0, 1, 2, 3])", "np.sort(v)",
    "np.unique(ints)", "np.cumsum(v)", "np.tril(m, 9)", "np.resize(v, (4,))", "np.trapezoid(v)",
    "np.interp(v, xs, w)", "np.sum(m, axis=())", "np.max(m, axis=())", "np.mean(m, axis=())",
    "np.prod(m, axis=())", "np.cross(a3, b3)", "np.compress([True], v)", "np.extract(mask, v)",
]  # fmt: skip


UNCHANGED = ("conjugate", "positive", "fabs", "absolute")
# In place, also where no statements are written for it.
IN_PLACE = [
    *(f"np.{f}.at(big, far_at)" for f in UNARY if f not in UNCHANGED),
    *(f"np.{f}.at(big, far_at, 2.0)" for f in BINARY if f not in ("copysign", "ldexp")),
    "np.conjugate.at(cv, 0)", "np.fabs.at(neg, 0)", "np.absolute.at(neg, 0)",
    "np.copysign.at(big, far_at, -1.0)", "np.ldexp.at(big, far_at, 2)", "np.random.shuffle(big)",
    "np.add.at(big, far_at, 1.0)",
    "np.subtract.at(big, far_at, 1.0)", "big.resize((2, 1), refcheck=False)", "big.byteswap(True)",
    "big.setfield(9.0, float)",
    "big.setflags(False)", "big.fill(9.0)", "np.put(big, [0], 9.0)", "big.itemset(0, 9.0)",
]  # fmt: skip


def arrays(value: object) -> Iterator[np.ndarray]:
    """The arrays in a value."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from arrays(item)


def share(a: object, b: object) -> bool:
    """Whether two values have memory in common."""
    return any(np.shares_memory(x, y) for x in arrays(a) for y in arrays(b) if x.size and y.size)


def contents(value: object) -> object:
    """What is compared with what it was before."""
    if isinstance(value, np.ndarray):
        return value.shape, value.flags.writeable, value.tobytes()
    return repr(value)


def check(text: str, given: dict[str, Any]) -> None:
    """Run a call and compare; nothing is asked of one that this NumPy does not have."""
    try:
        use = read(text, frozenset(names_of(text)))
    except AttributeError:
        return
    if use is None:
        return
    np.random.seed(3)
    env = {n: copy.deepcopy(given[n]) for n in names_of(text)}
    before = copy.deepcopy(env)
    bound = {p: evaluate(e, env) for p, e in use.bound.items() if not isinstance(e, E.Star)}
    try:
        result = evaluate(use.expr, env)
    except (AttributeError, TypeError):  # a method or keyword of another version
        return
    expanded = use.rule.expand(use.bound)
    writes = {*use.rule.writes, "out"} if expanded is None else {*use.rule.writes, expanded.result}
    named = {e.id: p for p, e in use.bound.items() if isinstance(e, E.Name)}
    written = {n for n in before if contents(before[n]) != contents(env[n])}
    assert {named.get(n) for n in written} <= writes, f"it writes {written}"
    if use.rule.form not in ("writes", "scatter") and expanded is None:
        check_result(use, bound, result)


def check_result(use: Use, bound: dict[str, Any], result: object) -> None:
    form, of = use.rule.result_in(use.bound), use.rule.of
    for p, value in bound.items():
        if share(result, value):
            assert form != "fresh", f"{use.expr} shares memory with `{p}`"
            assert p.partition("[")[0] == of, f"{use.expr} shares memory with `{p}`, not `{of}`"
    several = any(p.name == of and p.form == "varargs" for p in use.rule.params)
    if not any(a.size for a in arrays(result)):
        return  # where there is no element, none is shared
    if form in ("view", "same") and (several or isinstance(bound[str(of)], np.ndarray)):
        assert share(result, bound[str(of)]), f"{use.expr} is no view of `{of}`"
    if form == "fresh" and use.rule.gives_tuple(use.bound):
        assert not any(share(a, b) for a, b in itertools.combinations(arrays(result), 2))


@pytest.mark.parametrize("text", SELDOM)
def test_what_is_seldom_a_view(text: str) -> None:
    given = {**pool(), **OF_TYPES, "cv": np.array([1.0 + 2.0j, 0.5 - 1.0j])}
    given |= {"turned": np.asfortranarray(given["m"]), "of": np.array([1.0 + 0.0j, 0.5 + 0.0j])}
    check(text, given)


@pytest.mark.parametrize("text", CALLS)
def test_writers(text: str) -> None:
    check(text, pool_of_writers())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", IN_PLACE)
def test_in_place(text: str) -> None:
    given = {**pool(), "big": np.array([1.5, 2.5, 0.25, 7.0]), "far_at": np.array([0, 1, 2])}
    given |= {"cv": np.array([1.0 + 2.0j])}
    check(text, given)


def test_what_is_no_function_of_arrays() -> None:
    """Which no text of a call is read for."""
    for owner in (np.random.Generator, np.random.RandomState):
        rule = method("shuffle", owner)
        assert rule is not None and rule.writes == ("x",)
    rule = lookup(ad.stop_gradient)
    assert rule is not None and (rule.result, rule.of) == ("maybe_same", "x")


def test_what_is_drawn_is_not_drawn_again() -> None:
    """Nor what is read from a file, or printed."""
    drawn = ("numpy.random.", "Generator.", "RandomState.")
    once = [n for n, r in all_rules() if r.impure]
    plain = {n for n, _ in all_rules() if n.startswith(drawn)} - {*once}
    assert plain == set()
    others = {n.removeprefix("numpy.") for n in once if not n.startswith(drawn)}
    of_scipy = {n for n in others if n.startswith("scipy.")}  # those of modules that are imported
    assert others - of_scipy == set(ONCE.split())
    assert of_scipy <= set(ONCE_IN_SCIPY.split())


ONCE = """
    all any ascii bin dir format hash hex id input oct open print ndarray.dump ndarray.dumps
    ndarray.tobytes ndarray.tofile errstate fromfile fromregex genfromtxt info load loadtxt
    printoptions save savetxt savez savez_compressed setbufsize seterr seterrcall show_config
    show_runtime test warnings.warn logging.critical logging.debug logging.error logging.exception
    logging.getLogger logging.info logging.log logging.warning Logger.critical Logger.debug
    Logger.error Logger.exception Logger.info Logger.isEnabledFor Logger.log Logger.warning
    DataSource add_docstring add_newdoc add_newdoc_ufunc compare_chararrays deprecate
    deprecate_with_doc disp format_parser get_array_wrap geterrobj lookfor recfromcsv recfromtxt
    set_numeric_ops set_string_function seterrobj source who
"""
ONCE_IN_SCIPY = """
    scipy.optimize.show_options scipy.fft.set_global_backend scipy.fft.set_backend
    scipy.fft.skip_backend scipy.fft.register_backend scipy.fft.set_workers
"""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(20))
def test_all_samples(part: int) -> None:
    given = {**pool(), **pool_of_keywords()}
    for text in [*ALL, *KEYWORDS][part::20]:
        check(text, given)
