"""Which arrays have no gaps, so that `reshape` and its like give a view of them, and never a copy.

A result that may be a view or a copy is settled here where layout and kinds decide; elsewhere it is
*assumed* to be one or the other, and the generated code checks that, should it matter.

    y = np.zeros((2, 3)); v = y.ravel()        a view: fresh arrays have no gaps
    v = x.ravel()                              assumed to be a view of the argument
    w = y.T.ravel()                            assumed to be a copy (it is, but for rows of one)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from adtrans.analyses.apply import Application
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.subscripts import is_basic, selects_copy
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import Array, Kind, Known, ListOf, Scalar, TupleOf
from adtrans.ir.walk import binds_of, statements
from adtrans.rules.complexes import is_complex
from adtrans.rules.numpy_products import rearranges
from adtrans.rules.signature import literal
from adtrans.rules.site import ResultForm

Layout = Literal["C", "F", "c", "f", "?"]
"""Without gaps, in the order of C or (with two axes or more) of Fortran; small: probably so; else
probably with gaps."""

_MADE = frozenset({
    "np.zeros", "np.ones", "np.empty", "np.full", "np.eye", "np.identity", "np.outer",
    "ndarray.copy", "ndarray.flatten",
})  # fmt: skip
"""Results in the order of C whatever the operands, unless `order` says otherwise."""
_PRODUCTS = frozenset({"np.matmul", "np.dot"})
_ALIKE = frozenset({
    "np.zeros_like", "np.ones_like", "np.empty_like", "np.full_like", "np.copy", "np.where",
    "np.concatenate", "np.stack",
})  # fmt: skip
"""Results in the order of C if all operands are in it, besides the element-wise ones."""
_CONVERTERS = frozenset({
    "np.asarray", "np.asanyarray", "np.asarray_chkfinite", "np.array", "ndarray.astype",
    "np.ascontiguousarray", "np.float64", "np.float32", "np.float16", "np.longdouble",
})  # fmt: skip
_PARTS = frozenset({"np.real", "np.imag", "ndarray.real", "ndarray.imag"})
"""Of complex numbers they look into these; the real part of real ones is the very array, and the
imaginary part a new one."""
_FLAT = frozenset({"np.ravel", "np.ascontiguousarray"})
_ATLEAST = frozenset({"np.atleast_1d", "np.atleast_2d", "np.atleast_3d"})
_RESHAPE = frozenset({"np.reshape", "ndarray.reshape"})
_TRANSFORMS = frozenset(
    f"{module}.fft.{name}"
    for module, names in (("np", "fftn ifftn"), ("scipy", "fftn ifftn dctn idctn dstn idstn"))
    for name in names.split()
)
"""Copies, but for arrays without axes."""
LAID_OUT = _RESHAPE | _FLAT
"""The primitives whose result depends on the layout of their operand."""


def settled(
    fn: S.Function, apps: Mapping[int, Application], kinds: Kinds, *, prove: bool = False
) -> Mapping[int, Application]:
    """`apps` with what "maybe" results are: views, copies or the very argument. `prove`: nothing is
    assumed."""
    apps = {site: _of_numbers(site, app, kinds) for site, app in apps.items()}
    if all(app.result not in ("maybe_view", "maybe_same") for app in apps.values()):
        return apps
    found = layouts(fn, apps, kinds)
    made = {site: _settled(site, app, kinds, found) for site, app in apps.items()}
    return {site: apps[site] if prove and app.assumed else app for site, app in made.items()}


def _of_numbers(site: int, app: Application, kinds: Kinds) -> Application:
    """NumPy makes a new array of a number, a list or a tuple, and no view."""
    of = app.source
    if of is None or app.result == "fresh" or not app.rule.of_arrays:
        return app
    if any(p.name == app.rule.of and p.form == "varargs" for p in app.rule.params):
        return app
    anew = isinstance(kinds.expr(site, of), Scalar | TupleOf | ListOf)
    return _as(app, "fresh") if anew else app


def _settled(site: int, app: Application, kinds: Kinds, found: Mapping[str, Layout]) -> Application:
    if app.result not in ("maybe_view", "maybe_same"):
        return app
    of, name = app.source, app.rule.spelling
    kind = kinds.expr(site, of) if of is not None else None
    order = literal(app.bound.get("order", E.NONE))
    if not isinstance(of, E.Name) or not isinstance(kind, Array):
        return app
    if name in _PARTS and kind.dtype is not None:
        whole: ResultForm = "same" if name.endswith(".real") else "fresh"
        return _as(app, "view" if is_complex(kind) else whole)
    if kind.ndim is None:
        return app
    if name == "np.diag" and kind.ndim in (1, 2):
        return _as(app, "fresh" if kind.ndim == 1 else "view")
    if name == "adtrans.stop_gradient":
        return _as(app, "fresh")
    if name in _TRANSFORMS and kind.ndim and literal(app.bound.get("axes")) is None:
        return _as(app, "fresh")
    if name in _ATLEAST:
        return _as(app, "same" if kind.ndim >= int(name[-2]) else "view")
    if name == "np.einsum" and rearranges(app.bound):
        return _as(app, "view")
    if name in _RESHAPE and order in ("C", "F") and kind.ndim < 2:
        return _as(app, "view")
    if name in _CONVERTERS:
        dtype = kinds.bound(site)
        if not isinstance(dtype, Array) or dtype.dtype is None or kind.dtype is None:
            return app
        if dtype.dtype != kind.dtype:
            return _as(app, "fresh")
        if name != "np.ascontiguousarray":
            return _as(app, "same") if order in (None, "K") else app
    if name in _RESHAPE and order in ("C", None) and only_splits(kind, kinds.bound(site)):
        return _as(app, "view")
    if name in LAID_OUT and order in ("C", None) and kind.ndim:
        form: ResultForm = "same" if name == "np.ascontiguousarray" else "view"
        match found.get(of.id, "?"):
            case "C":
                return _as(app, form)
            case "c":
                return _as(app, form, assumed=True)
            case "F" | "f":
                return _as(app, "fresh", assumed=True)
    return app


def only_splits(kind: Array, made: Kind) -> bool:
    """Whether a reshape divides axes, or adds and drops some of length one, and joins none: that is
    a view, however the array lies. Of what remains of one axis the other sizes leave no choice.

    >>> n = Affine.symbol("n")
    >>> two, one = Affine.const(2), Affine.const(1)
    >>> only_splits(Array("float64", (n, two)), Array("float64", (two, one, two)))
    True
    >>> only_splits(Array("float64", (n, two)), Array("float64", (n + n,)))
    False
    """
    if kind.dims is None or not isinstance(made, Array) or made.dims is None:
        return False
    old, new = ([d for d in k.dims or () if d != Affine.const(1)] for k in (kind, made))
    for end in (-1, 0):
        while len(old) > 1 and (taken := _split(old[end], new[::-1] if end else new)):
            del old[end]
            new = new[:-taken] if end else new[taken:]
    return len(old) <= 1


def _split(size: Affine | None, parts: Sequence[Affine | None]) -> int:
    """How many of the `parts`, from the first on, an axis of this size is divided into; 0 where
    that is not known."""
    if size is None:
        return 0
    if parts and parts[0] == size:
        return 1
    product = 1
    for k, part in enumerate(parts):
        if size.value is None or part is None or not part.value:
            return 0
        product *= part.value
        if product == size.value:
            return k + 1
    return 0


def _as(app: Application, form: ResultForm, *, assumed: bool = False) -> Application:
    return replace(app, settled=form, assumed=assumed)


def layouts(fn: S.Function, apps: Mapping[int, Application], kinds: Kinds) -> Mapping[str, Layout]:
    """The layout of every array variable: what all its definitions agree on."""
    found: dict[str, Layout] = {p.name: "?" if p.name in fn.scattered else "c" for p in fn.params}

    def of(e: E.Expr | None) -> Layout | None:
        """The layout of an operand, None where nothing is known yet."""
        return found.get(e.id) if isinstance(e, E.Name) else "?"

    while True:
        before = dict(found)
        for s in statements(fn.body):
            for var in binds_of(s):
                if isinstance(s, S.Update) or not isinstance(kinds.var(var), Array):
                    continue
                new = _layout(s, apps, kinds, of)
                if new is not None:
                    found[var] = _both(found.get(var, new), new)
        if found == before:
            return found


def _layout(
    s: S.Stmt,
    apps: Mapping[int, Application],
    kinds: Kinds,
    of: Callable[[E.Expr | None], Layout | None],
) -> Layout | None:
    """The layout of what a statement binds."""
    match s:
        case S.Alias():
            return of(E.Name(s.source))
        case S.Load():
            if selects_copy(s, kinds):  # axes that are picked from come first in memory
                return "C" if _rank(kinds.bound(s.site)) == 1 else "c" if len(s.items) == 1 else "?"
            base = of(E.Name(s.base))
            kind = kinds.at(s.site, s.base)
            return base and _of_part(s, base, kind, kinds)
        case S.Bind() if s.site in apps:
            return _of_primitive(s, apps[s.site], kinds, of)
        case _:
            return "c"


def _of_part(s: S.Load, base: Layout, kind: Kind, kinds: Kinds) -> Layout:
    """The layout of a view that a subscript selects: a piece without gaps has none."""
    if not isinstance(kind, Array) or kind.ndim is None or not is_basic(s.items, s.site, kinds):
        return "?"
    items = _spelled(s.items, kind.ndim)
    if items is None or not _one_piece(items if base in ("C", "c") else items[::-1]):
        return "?"
    flat: dict[Layout, Layout] = {"F": "C", "f": "c"}
    return flat.get(base, base) if _rank(kinds.bound(s.site)) == 1 else base


def _both(a: Layout, b: Layout) -> Layout:
    """What two layouts have in common."""
    if a == b:
        return a
    return a.lower() if a.lower() == b.lower() else "?"  # type: ignore[return-value]  # a letter


def _of_primitive(
    s: S.Bind, app: Application, kinds: Kinds, of: Callable[[E.Expr | None], Layout | None]
) -> Layout | None:
    name, rank = app.rule.spelling, _rank(kinds.bound(s.site))
    order = app.bound.get("order", app.bound.get("arg2") if app.rule.any_arguments else None)
    plain = order is None or literal(order) in ("C", "K")
    if rank is None:
        return "c"
    if app.result == "fresh" and rank == 1:
        return "C"
    if name in _MADE:
        return "C" if order is None or literal(order) == "C" else "?"
    if name in _PRODUCTS:
        return "C" if rank <= 2 else "c"
    if name in _FLAT:
        return "C" if order is None or literal(order) in ("C", None) else "?"
    if name in ("np.transpose", "ndarray.T") and literal(app.bound.get("axes", E.NONE)) is None:
        inner = of(app.bound["a"])
        turned: dict[Layout, Layout] = {"C": "F", "F": "C", "c": "f", "f": "c", "?": "?"}
        return inner if inner is None or rank < 2 else turned[inner]
    if name == "as_it_lies":  # what has no gaps in any order has none in that of memory
        inner = of(app.bound["a"])
        lies: dict[Layout, Layout] = {"C": "C", "F": "C", "c": "c", "f": "c", "?": "?"}
        return inner and lies[inner]
    if name in _PARTS and app.result != "fresh":  # of complex numbers, every other one in memory
        return of(app.source) if app.result == "same" else "?"
    no_out = literal(app.bound.get("out", E.NONE)) is None
    if plain and ((app.rule.form == "elementwise" and no_out) or name in _ALIKE):
        return _common(s, app, kinds, of)
    if name in _RESHAPE | _CONVERTERS | _ATLEAST and plain:
        inner = of(app.source)
        return inner if inner in (None, "C", "c") else "?"
    return "?" if app.rule.form == "view" or name == "np.einsum" else "c"


def _common(
    s: S.Bind, app: Application, kinds: Kinds, of: Callable[[E.Expr | None], Layout | None]
) -> Layout | None:
    """The layout of a result that follows its operands: that of C if all of them have it."""
    unknown, first = False, True
    found: Layout = "C"
    for e in app.bound.values():
        if isinstance(e, E.Const) or isinstance(kinds.expr(s.site, e), Scalar | Known | TupleOf):
            continue
        layout = of(e)
        if layout is None:
            unknown = True
        else:
            found = layout if first else _both(found, layout)
            first = False
    return None if unknown else found


def _rank(kind: Kind) -> int | None:
    return kind.ndim if isinstance(kind, Array) else None


def _spelled(items: tuple[E.Expr, ...], ndim: int) -> tuple[E.Expr, ...] | None:
    """A subscript with one item for each axis; axes of length one that it adds make no gaps."""
    own = [i for i in items if not (isinstance(i, E.Const) and i.value is None)]
    at = [k for k, i in enumerate(own) if isinstance(i, E.Const) and i.value is Ellipsis]
    missing = ndim - (len(own) - len(at))
    if len(at) > 1 or missing < 0:
        return None
    k = at[0] if at else len(own)
    return (*own[:k], *(_FULL,) * missing, *own[k + len(at) :])


_FULL = E.Slice(None, None, None)


def _one_piece(items: Sequence[E.Expr]) -> bool:
    """Whether elements from the first axis on follow one another in memory."""
    free = False  # a slice was met
    for item in items:
        if isinstance(item, E.Slice):
            if free and item != _FULL:
                return False
            if item.step is not None and literal(item.step) != 1:
                return False
            free = True
        elif free:
            return False
    return True
