"""Shapes that are assigned: the name stands for another view of the same memory from there on.

y = x * 2.0; y.shape = (2, 2)   ->   y = x * 2.0; check_shape(y, t); y = y.reshape(t)

An array that has one name can be replaced under it, and nobody sees the difference. So all that the
name may stand for before has to be made there, and must not have been handed on; what is done with
the name afterwards is free, unless it comes around to the assignment again. NumPy changes a shape
only where that needs no copy, which the check asks for; an array without gaps never needs one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from adtrans import runtime
from adtrans.analyses.apply import Application, applications
from adtrans.analyses.contiguity import layouts
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.webs import webs
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Scalar
from adtrans.ir.rewriter import Rewriter
from adtrans.ir.walk import binds_of, reads_of, statements, without_origins
from adtrans.lower.opaque import assigned_attribute, seen_later

_VIEWS = frozenset({
    "np.reshape", "ndarray.reshape", "np.ravel", "ndarray.ravel", "np.transpose",
    "ndarray.transpose", "ndarray.T", "np.swapaxes", "ndarray.swapaxes",
})  # fmt: skip
"""They look into an array by a new one, or copy it."""


def with_new_shapes(fn: S.Function, kinds_of: Callable[[S.Function], Kinds]) -> S.Function:
    """`fn` without such assignments where that is possible; else the same object."""
    if not any(map(assigned_attribute, statements(fn.body))):
        return fn
    kinds = kinds_of(fn)
    wanted = frozenset(s.site for s in statements(fn.body) if _is_reshaped(s, kinds))
    layout = layouts(fn, applications(fn, kinds), kinds) if wanted else {}
    while wanted:
        work = _Shaping(fn, wanted, layout)
        origins = {s.origin for s in statements(fn.body) if s.site in wanted}
        found = webs(replace(fn, body=work.block(without_origins(fn.body, origins))))
        bad = _Names(found, kinds_of(found), work.views).seen_elsewhere()
        if not bad:
            return found
        wanted -= bad
    return fn


def _is_reshaped(s: S.Stmt, kinds: Kinds) -> bool:
    """Whether a statement assigns the shape of an array."""
    match assigned_attribute(s):
        case (str(base), "shape", E.Name() | E.Const()):
            return isinstance(kinds.at(s.site, base), Array)
        case _:
            return False


class _Shaping(Rewriter):
    """Puts checks and new views in the place of the assignments at some sites."""

    def __init__(self, fn: S.Function, sites: frozenset[int], layout: Mapping[str, str]) -> None:
        super().__init__(fn)
        self.sites = sites
        self.layout = layout
        self.views: dict[int, int] = {}  # the site of a new view: that of the assignment

    def one(self, s: S.Stmt) -> Iterator[S.Stmt]:
        found = assigned_attribute(s) if s.site in self.sites else None
        if found is None:
            yield s
            return
        base, _, shape = found
        assert shape is not None
        if self.layout.get(base) != "C":
            check = E.Call(E.Ref("check_shape", runtime.check_shape), (E.Name(base), shape))
            yield S.Bind(self.fresh("t"), check, **self.place(s))
        view = E.Call(E.Attribute(E.Name(base), "reshape"), (shape,))
        place = self.place(s)
        self.views[place["site"]] = s.site
        yield S.Bind(base, view, **place)


class _Names:
    """The names that arrays have before their shapes are assigned, and what is done with them."""

    def __init__(self, fn: S.Function, kinds: Kinds, views: Mapping[int, int]) -> None:
        self.fn = fn
        self.kinds = kinds
        self.views = views
        self.apps = applications(fn, kinds)

    def seen_elsewhere(self) -> set[int]:
        """The assignments whose array may have another name by then."""
        before: dict[str, set[int]] = {}
        for s in statements(self.fn.body):
            match s:
                case S.Bind(value=E.Call(fn=E.Attribute(base=E.Name(id=name)))) if (
                    s.site in self.views
                ):
                    before.setdefault(name, set()).add(self.views[s.site])
                case _:
                    pass
        others = {p.name for p in self.fn.params}
        for s in statements(self.fn.body):
            others |= {*seen_later(s)}
            others |= {v for v in binds_of(s) if v in before and not self.makes(s)}
            others |= {v for v in reads_of(s) if v in before and not self.only_looks(s, v)}
        return {site for v in before.keys() & others for site in before[v]}

    def makes(self, s: S.Stmt) -> bool:
        """Whether a statement binds its variable to a new array, or leaves it the one it was."""
        match s:
            case S.Update():
                return True
            case S.Load(base=base):
                return isinstance(self.kinds.at(s.site, base), Array)
            case S.Bind():
                return self.is_new(s)
            case _:
                return False

    def is_new(self, s: S.Bind) -> bool:
        if s.site in self.views:
            return True
        app = self.apps.get(s.site)
        return app is not None and (app.rule.name in _VIEWS or _is_new(app))

    def only_looks(self, s: S.Stmt, v: str) -> bool:
        """Whether nothing else stands for the array of a variable after a statement."""
        match s:
            case S.Return() | S.If() | S.While():
                return True
            case S.For():  # rows are arrays of their own, taken out in their turn
                inside = [t for t in statements(s.body) if t.site in self.views]
                return not any(v in reads_of(t) for t in inside)
            case S.Update(base=base):
                return isinstance(self.kinds.at(s.site, base), Array)
            case S.Store(base=base):
                into = self.kinds.at(s.site, base)
                return isinstance(into, Array) and (into.dtype is not None or base == v)
            case S.Load(base=base):
                return base != v or isinstance(self.kinds.at(s.site, base), Array)
            case S.Bind():
                known = self.kinds.bound(s.site) if s.site in self.apps else None
                return self.is_new(s) or isinstance(known, Scalar)
            case _:
                return False


def _is_new(app: Application) -> bool:
    """Whether the result of a call is never an array that it was given."""
    if app.result != "fresh" or app.shares or app.rule.writes:
        return False
    return all(app.bound.get(n, plain) == plain for n, plain in _PLAIN.items())


_PLAIN = {"out": E.NONE, "outs": E.NONE, "copy": E.Const(True)}
"""What is said where nothing that is given is used for the result."""
