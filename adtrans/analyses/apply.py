"""Which rule a primitive expression uses, and what its formal parameters are bound to.

`np.sum(u, axis=0)` and `u.sum(axis=0)` are both the rule `numpy.sum` with `a` bound to `u`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from adtrans.analyses.kinds import Kinds
from adtrans.analyses.kinds.given_out import says_nothing
from adtrans.analyses.kinds.operation_kinds import is_pure
from adtrans.analyses.kinds.text_kinds import is_text_kind
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Instance, Kind, Known, Mixed, Scalar
from adtrans.ir.walk import statements
from adtrans.rules import Rule, attribute, lookup, method, operator
from adtrans.rules.scipy_sparse import sparse_product
from adtrans.rules.scipy_splines import interpolant
from adtrans.rules.site import ResultForm

Operand = str | tuple[str, int]


@dataclass(frozen=True, slots=True)
class Application:
    """A rule and the expressions of its formal parameters.

    `settled`: what layouts and kinds say about a result that may be a view or a copy (`layout`);
    `assumed`: that is a guess, which generated code has to check where it matters. `shares`: the
    parameters in whose memory the result of a user's function may be; `writes`: those that it
    writes, though it is said to be constant.
    """

    rule: Rule
    bound: Mapping[str, E.Expr]
    settled: ResultForm | None = None
    assumed: bool = False
    shares: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()

    @property
    def result(self) -> ResultForm:
        """Whether this call makes a new array, or returns a view or the argument itself."""
        return self.settled or self.rule.result_in(self.bound)

    @property
    def source(self) -> E.Expr | None:
        """What the result looks into, or is, unless it is new."""
        found = self.bound.get(self.rule.of or "")
        if isinstance(found, E.Sequence) and len(found.items) == 1:
            several = self.rule.gives_tuple(self.bound)
            if not several and self.rule.param(str(self.rule.of)).form == "varargs":
                return found.items[0]
        return found

    @property
    def sources(self) -> tuple[E.Expr, ...]:
        """The same for all that it may look into, or be."""
        one = () if self.source is None else (self.source,)
        return one + tuple(self.bound[p] for p in self.shares)

    def operands(self) -> Iterator[tuple[Operand, E.Expr]]:
        """The operands that may carry a derivative; items of a sequence parameter one by one."""
        for name in self.rule.active_in(self.bound):
            e = self.bound.get(name)
            if e is not None:
                yield name, e

    def unreached(self) -> Iterator[tuple[str, str]]:
        """Parameters, and variables inside displays in them that no formula speaks of."""
        reached = {id(e) for _, e in self.operands() if isinstance(e, E.Name)}
        for param, e in self.bound.items():
            if "[" not in param and not isinstance(e, E.Name):
                names = (n for n in _names(e) if id(n) not in reached)
                yield from ((param, n.id) for n in names)

    def inert(self) -> Iterator[tuple[str, E.Expr]]:
        """The operands that carry no derivative: axes, shapes, conditions."""
        active = set(self.rule.active_params)
        yield from ((p, e) for p, e in self.bound.items() if p.partition("[")[0] not in active)

    def kinds(self, kind_of: Callable[[E.Expr], Kind]) -> dict[str, Kind]:
        """The kinds of all bound expressions."""
        return {p: kind_of(e) for p, e in self.bound.items()}


_OUTSIDE = ("dtype", "shape", "ndim", "size")
"""What says nothing of the values, so that it is no matter what has it."""
_FILLING = frozenset({"random", "standard_normal", "standard_exponential", "standard_gamma"})
"""Draws that can be told to fill an array: as many numbers as that has, which no rule says."""


def _names(e: E.Expr) -> Iterator[E.Name]:
    if isinstance(e, E.Name):
        yield e
    for child in E.children(e):
        yield from _names(child)


def _receiver_is_numpy(kind: Kind) -> bool:
    if isinstance(kind, Mixed):
        return not kind.none and all(map(_receiver_is_numpy, kind.alternatives()))
    return isinstance(kind, Array) or (isinstance(kind, Scalar) and kind.dtype is not None)


def _is_part(kind: Kind, name: str) -> bool:
    """Whether a number of Python has what arrays call so, too."""
    return isinstance(kind, Scalar) and name in ("real", "imag", "conjugate")


def _class(kind: Kind) -> object:
    return kind.cls if isinstance(kind, Instance) else None


def application(value: E.Expr, kind_of: Callable[[E.Expr], Kind]) -> Application | None:
    """The rule that computes `value`, None when there is none or the arguments do not fit."""
    rule: Rule | None = None
    args: tuple[E.Expr, ...] = ()
    kwargs: Mapping[str, E.Expr] = {}
    match value:
        case E.Binary():
            classes = (_class(kind_of(e)) for e in (value.left, value.right))
            rule = sparse_product(value.op, *classes) or operator(value.op, 2)
            args = value.left, value.right
        case E.Unary():
            rule, args = operator(value.op, 1), (value.operand,)
        case E.Compare() if len(value.ops) == 1:
            rule, args = operator(value.ops[0], 2), (value.left, value.rights[0])
        case E.Call(fn=E.Ref() | E.Name() as fn) if (held := interpolant(kind_of(fn))) is not None:
            rule, args, kwargs = held, (fn, *value.args), dict(value.kwargs)
        case E.Call(fn=E.Ref() as ref):
            rule, args, kwargs = lookup(ref.value), value.args, dict(value.kwargs)
        case E.Call(fn=E.Attribute() as attr):
            kind = kind_of(attr.base)
            if _receiver_is_numpy(kind) or _is_part(kind, attr.attr):
                rule = method(attr.attr)
                args, kwargs = (attr.base, *value.args), dict(value.kwargs)
                if isinstance(kind, Mixed) and rule is not None and not is_pure(rule):
                    return None  # what is a number is not written
            elif is_text_kind(kind):  # `template.format(v)`
                rule = lookup(getattr(str, attr.attr, None))
                args, kwargs = (attr.base, *value.args), dict(value.kwargs)
            elif isinstance(kind, Instance) and isinstance(kind.cls, type):
                args, kwargs = (attr.base, *value.args), dict(value.kwargs)
                if "out" not in kwargs and not (attr.attr in _FILLING and len(args) > 3):
                    rule = method(attr.attr, kind.cls)  # of a generator of random numbers
            elif isinstance(kind, Known):
                rule = lookup(getattr(kind.value, attr.attr, None))
                args, kwargs = value.args, dict(value.kwargs)
        case E.Call(fn=E.Name() as fn):
            kind = kind_of(fn)
            if isinstance(kind, Known):
                rule, args, kwargs = lookup(kind.value), value.args, dict(value.kwargs)
        case E.Attribute():
            kind = kind_of(value.base)
            outside = isinstance(kind, Mixed) and value.attr in _OUTSIDE
            if outside or _receiver_is_numpy(kind) or _is_part(kind, value.attr):
                rule, args = attribute(value.attr), (value.base,)
        case _:
            return None
    if rule is None:
        return None
    bound = rule.bind(args, dict(kwargs))
    if bound is None:
        return None
    for p in rule.params if rule.custom is None else ():
        if p.name in ("out", "outs") and p.default is not None:
            given = bound.get(p.name, p.default)
            if given is not p.default and says_nothing(given, kind_of):
                bound = {**bound, p.name: p.default}  # as if nothing were said
    return Application(rule, bound)


def applications(fn: S.Function, kinds: Kinds) -> dict[int, Application]:
    """The rule of each primitive in `fn`."""
    found: dict[int, Application] = {}
    for s in statements(fn.body):
        if isinstance(s, S.Bind):
            app = application(s.value, lambda e, site=s.site: kinds.expr(site, e))  # type: ignore[misc]  # the default binds early
            if app is not None:
                found[s.site] = app
    return found
