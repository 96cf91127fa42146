"""What is known about a primitive: its signature, derivative formulas and effects on memory.

>>> from adtrans.ir.expr import Name
>>> from adtrans.rules import lookup
>>> import numpy as np
>>> rule = lookup(np.tanh)
>>> bound = rule.bind((Name("u"),), ())
>>> [str(f) for f in rule.pullback("x", bound, {})]
['y_bar * (1 - y * y)', 'y_bar * (1 - np.tanh(x) ** 2)']
>>> str(rule.pushforward("x", bound, {}))
'x_dot * (1 - y * y)'
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from adtrans.ir import expr as E
from adtrans.ir.expr import Const, Expr, Name, Ref
from adtrans.ir.kinds import Kind, Unknown
from adtrans.ir.walk import names_in, substitute
from adtrans.rules import complexes, linear_tangents, signature, spelled
from adtrans.rules.formula import Formula, contribution, in_arithmetic, make, parse, refine
from adtrans.rules.signature import Bound, FormalParam, item, leaves, literal, path_of
from adtrans.rules.site import (
    CallForm,
    Each,
    Form,
    ItemSpec,
    Param,
    ResultForm,
    Site,
    Spec,
    Text,
    Thin,
)
from adtrans.rules.spelled import Expansion
from adtrans.runtime import add_parts


@dataclass(frozen=True)
class Custom:
    """What is particular to the rule of a user: the function that it is about, the parameter that
    the result is like, whether the formulas are the items of one call, its name in formulas,
    and all `names` that were added for formulas. `again`: what a checkpoint is of, which its
    pullback runs again. `contents`: the parameter that the function writes, the final contents of
    which are the result.

    Such a function is never tried out, because nothing is known of what it does.
    """

    fn: object
    like: str | None = None
    joint: bool = False
    name: str = ""
    names: tuple[str, ...] = ()
    again: object = None
    contents: str | None = None


@dataclass(frozen=True, eq=False)
class Rule:
    """A primitive. `name` is dotted (`numpy.tanh`), `spelling` as formulas write it (`np.tanh`).

    `result` tells what the value is: "fresh" memory (or an immutable value), a "view" of the
    parameter `of`, the "same" object, or one or the other ("maybe_view", "maybe_same");
    `fresh_if` names an argument and the value that makes it fresh after all, or tells it from all
    arguments (`result_in` looks).
    `impure`: drawn or done once, never evaluated again. `cheap`: a pullback may evaluate it again.
    `inert_ok`: parameters whose activity may be ignored ("*": all of them).
    `like`: parameters that the result is like in type and sizes (further items of a tuple only in
    rank), where that is not seen from examples.
    `tuple_result`: `y` and `y_bar` are tuples, or for which calls (`gives_tuple` looks); with
    `partial` an item of `y_bar` is None where nothing depends on that of `y`.
    `reals_only`: a constant, but of complex numbers it would not be one.
    `refused`: why there is no derivative at all.
    `scatter`: the sign of `np.add.at` and its like.
    `writes`: the parameters that the call may write. `without`: why parameters have no derivative.
    `ranks`: how many axes parameters may have at least, and at most; it is refused for others.
    `lands`: the operands in whose memory an `overwrite_...` flag lets the result be, and which item
    of how many that is (0 of 1: the result itself).
    `stands_for`: what messages call a helper, whose name is not in the program.
    """

    spelling: str
    text: str
    form: Form
    call: CallForm = "function"
    result: ResultForm = "fresh"
    of: str | None = None
    fresh_if: tuple[str, object] | Callable[[Mapping[str, Expr]], bool] | None = None
    impure: bool = False
    cheap: bool = False
    inert_ok: frozenset[str] = frozenset()
    like: tuple[str, ...] = ()
    tuple_result: bool | Callable[[Site], bool] = False
    partial: bool = False
    reals_only: bool = False
    multilinear: bool = False
    scatter: Literal["", "+", "-"] = ""
    writes: tuple[str, ...] = ()
    pullbacks: Mapping[str, Spec | ItemSpec] = field(default_factory=dict, repr=False)
    pushforwards: Mapping[str, Spec] = field(default_factory=dict, repr=False)
    expansion: str | Callable[[Site], str | None] | None = field(default=None, repr=False)
    returns: str | None = None
    refused: str | None = None
    without: Mapping[str, str] = field(default_factory=dict, repr=False)
    refuses: Callable[[Site], str | None] | None = field(default=None, repr=False)
    custom: Custom | None = None
    ranks: Mapping[str, tuple[int, int]] = field(default_factory=dict, repr=False)
    lands: Mapping[str, tuple[int, int]] = field(default_factory=dict, repr=False)
    stands_for: str = ""

    @property
    def name(self) -> str:
        """The dotted name with its module in full."""
        return "numpy." + self.spelling[3:] if self.spelling.startswith("np.") else self.spelling

    @property
    def shown(self) -> str:
        """What messages call it."""
        return self.stands_for or f"`{self.spelling}`"

    @property
    def of_arrays(self) -> bool:
        """Whether it makes arrays of the sequences that it is given, as all of NumPy does."""
        return self.spelling.startswith(("np.", "scipy.")) and not self.without_lists

    @property
    def without_lists(self) -> bool:
        """Whether it raises where it is given a list or a tuple; all else of NumPy takes them."""
        return self.spelling == "np.astype"

    @property
    def any_arguments(self) -> bool:
        """Whether the signature does not matter (constants)."""
        return not self.text

    @property
    def any_number(self) -> bool:
        """Whether it takes any number of arguments by position."""
        return any(p.form == "varargs" for p in self.params)

    @property
    def params(self) -> tuple[FormalParam, ...]:
        """The formal parameters, in order."""
        return signature.parse(self.text)[1] if self.text else ()

    @property
    def active_params(self) -> tuple[str, ...]:
        """The parameters that can carry a derivative; of sequences the items do."""
        return tuple(self.pullbacks)

    @property
    def overwriting(self) -> tuple[str, ...]:
        """The flags that let the primitive use its operands as scratch memory.

        A call that does not rule that out is none of this rule, but of an unknown function.
        """
        return tuple(p.name for p in self.params if p.name.startswith("overwrite_"))

    def fills(self, count: int, keywords: Container[str]) -> bool:
        """Whether a call with so many positional arguments, a receiver included, and these keywords
        may write one of them.

        >>> import numpy as np
        >>> from adtrans.rules import lookup
        >>> exp = lookup(np.exp)
        >>> exp.fills(1, ()), exp.fills(2, ()), exp.fills(1, ["out"])
        (False, True, True)
        """
        if self.form in ("writes", "scatter") or "out" in keywords:
            return True
        by_place = (p for p in self.params if p.form in ("positional", "standard"))
        return any(k < count and p.name.startswith("out") for k, p in enumerate(by_place))

    def param(self, name: str) -> FormalParam:
        """The formal parameter called `name`."""
        return next(p for p in self.params if p.name == name)

    def called(self, name: str) -> str:
        """What callers call a parameter, whose name in formulas may be another one."""
        return next((p.keyword for p in self.params if p.name == name and p.keyword), name)

    def bind(
        self,
        args: Iterable[Expr],
        kwargs: Mapping[str, Expr] | Iterable[tuple[str, Expr]] = (),
    ) -> Bound | None:
        """Arguments by formal name, with defaults; None if they do not match the signature."""
        if self.any_arguments:
            return signature.bind_any(args, kwargs)
        args = tuple(args)
        if self.overwriting:
            bound = signature.bind(self.params, args, kwargs)
            if bound is None or any(literal(bound[f]) is not False for f in self.overwriting):
                return None
            return bound
        if self.spelling in ("max", "min") and len(args) == 1 and isinstance(args[0], E.Sequence):
            args = args[0].items
            if len(args) == 1:
                return None  # the item itself, which would be taken for what is gone through
        return signature.bind(self.params, args, kwargs)

    def active_in(self, bound: Mapping[str, Expr]) -> tuple[str, ...]:
        """The names in `bound` that can carry a derivative, items of displays one by one."""
        found: list[str] = []
        for name in self.active_params:
            found.extend(leaves(bound, name) if self.param(name).sequence else (name,))
        return tuple(found)

    def result_in(self, bound: Mapping[str, Expr]) -> ResultForm:
        """What the value of this call is; `result` is the answer for the worst case."""
        if callable(self.fresh_if):
            return "fresh" if self.fresh_if(bound) else self.result
        if self.fresh_if is not None and literal(bound.get(self.fresh_if[0])) == self.fresh_if[1]:
            return "fresh"
        return self.result

    def gives_tuple(self, bound: Mapping[str, Expr]) -> bool:
        """Whether the value of this call is a tuple, and its adjoint one."""
        if callable(self.tuple_result):
            return self.tuple_result(Site(bound, {}))
        return self.tuple_result

    def ignores(self, name: str) -> bool:
        """Whether the activity of a parameter may be ignored: the result does not vary with it."""
        return "*" in self.inert_ok or name.partition("[")[0] in self.inert_ok

    def refusal(self, bound: Mapping[str, Expr], kinds: Mapping[str, Kind]) -> str | None:
        """Why this use of the primitive cannot carry a derivative, or None."""
        site = Site(bound, kinds)
        for name, (least, most) in self.ranks.items():
            ndim = site.ndim(name)
            if ndim is not None and not least <= ndim <= most:
                return f"its rule is not for a `{name}` with {ndim} axes"
        if self.refuses is not None:
            return self.refuses(site)
        return None

    def pullback(
        self, param: Param, bound: Mapping[str, Expr], kinds: Mapping[str, Kind]
    ) -> tuple[Formula, ...]:
        """The contribution of `y_bar` to the adjoint of `param`: alternatives, preferred first.

        Empty when it is not defined for these arguments.
        """
        name = _key(param)
        site = self._without_axes(Site(bound, kinds), name)
        if self.refusal(bound, kinds) is not None:
            return ()
        x, y = site.kind(name), site.kind("y")
        if not self.meets_complex(name, bound, kinds):
            return self._real_pullback(name, site)
        own = complexes.explicit(self.spelling, name, x)
        if own is not None:
            return (self._formula(own[0], site),)
        written = isinstance(site.const("b"), int | float)
        found = self._real_pullback(name, site)
        numbers = self._numbers(kinds)
        return complexes.pullbacks(self.spelling, found, x, y, numbers, name, written)

    def meets_complex(
        self, param: Param, bound: Mapping[str, Expr], kinds: Mapping[str, Kind]
    ) -> bool:
        """Whether this operand, another or the result is complex, or holds complex numbers: a list
        of them, a tuple with an array of them.

        What may be real or complex is refused elsewhere: its formula is that for real numbers.
        """
        site = Site(bound, kinds)
        x = site.kind(_key(param))
        if complexes.is_complex(x) or complexes.is_complex(site.kind("y")):
            return True
        used = ("y", *(n for n in {**bound, **kinds} if self._carries(n)))
        clear = complexes.is_real(x) or complexes.holds_complex(x)
        return clear and any(complexes.holds_complex(site.kind(n)) for n in used)

    def _numbers(self, kinds: Mapping[str, Kind]) -> dict[str, Kind]:
        """The kinds but of options of which nothing is known: no complex numbers are looked for."""
        return {n: k for n, k in kinds.items()
                if n == "y" or self._carries(n) or not isinstance(k, Unknown)}  # fmt: skip

    def _carries(self, name: str) -> bool:
        """Whether a name in what is bound is that of an operand, or of an item of one."""
        return name.partition("[")[0] in self.active_params

    def _without_axes(self, site: Site, name: str) -> Site:
        """An `axis=` of what has no axes says nothing: NumPy takes it for old times' sake."""
        if "axis" not in site.bound or site.ndim(name) != 0 or site.ndim("y") != 0:
            return site
        return Site({**site.bound, "axis": E.NONE}, site.kinds)

    def _real_pullback(self, name: str, site: Site) -> tuple[Formula, ...]:
        texts = self._texts(self.pullbacks.get(name.partition("[")[0]), name, site)
        return tuple(self._formula(t, site) for t in texts)

    def pushforward(
        self, param: Param, bound: Mapping[str, Expr], kinds: Mapping[str, Kind]
    ) -> Formula:
        """The contribution of `<param>_dot` to `y_dot`; all of them add up.

        Raises:
            LookupError: if it is not defined for these arguments.
        """
        name = _key(param)
        site = Site(bound, kinds)
        root = name.partition("[")[0]
        dot = Name(f"{name}_dot")
        if self.refusal(bound, kinds) is not None:
            raise LookupError(f"{self.name}: no tangent for {name} here")
        own = complexes.explicit(self.spelling, name, site.kind(name))
        if own is not None:
            return make(substitute(self._parse(own[1]), {"dot": dot}))
        if root in self.pushforwards:
            texts = self._texts(self.pushforwards[root], name, site)
            if not texts:
                raise LookupError(f"{self.name}: no tangent for {name} here")
            numbers = self._numbers(kinds)
            expr = complexes.tangent(self.spelling, self._parse(texts[0]), site.kind(name), numbers)
            expr = self._of_arrays(substitute(expr, {"dot": dot}), site)
            return make(refine(expr, kinds), thin=isinstance(texts[0], Thin))
        if self.multilinear or self.form in ("linear", "view", "fresh"):
            return linear_tangents.tangent(self, {name}, site)
        formulas = self._real_pullback(name, site)
        if not formulas:
            raise LookupError(f"{self.name}: no tangent for {name} here")
        thin = len(self.active_params) > 1 or bool(self.without) or bool(self.inert_ok)
        thin = thin or "[" in name
        return make(substitute(formulas[0].expr, {"y_bar": dot}), thin=thin)

    def added(self, left: Expr, right: Expr, bound: Mapping[str, Expr]) -> Expr:
        """The sum of two contributions to the tangent of this call, item by item for a tuple."""
        if not self.gives_tuple(bound):
            return _added(left, right)
        if not (isinstance(left, E.Sequence) and isinstance(right, E.Sequence)):
            return E.Call(Ref("add_parts", add_parts), (left, right))
        pairs = zip(left.items, right.items, strict=True)
        items = (b if _is_zero(a) else a if _is_zero(b) else _added(a, b) for a, b in pairs)
        return E.Sequence(left.kind, tuple(items))

    def tangent(
        self, active: Iterable[str], bound: Mapping[str, Expr], kinds: Mapping[str, Kind]
    ) -> Formula:
        """All of `y_dot`, given which parameters carry a tangent (names as in `active_in`).

        Raises:
            LookupError: if it is not defined for these arguments.
        """
        names = tuple(active)
        if self.form in ("linear", "view", "fresh") and not self.pushforwards:
            return linear_tangents.tangent(self, set(names), Site(bound, kinds))
        parts = [self.pushforward(n, bound, kinds) for n in names]
        total = parts[0].expr
        for part in parts[1:]:
            total = self.added(total, part.expr, bound)
        return make(total, thin=all(p.thin for p in parts))

    def expand(
        self, bound: Mapping[str, Expr], kinds: Mapping[str, Kind] | None = None
    ) -> Expansion | None:
        """This call as plain statements over its parameters, if it writes (also by `out=`)."""
        return spelled.expand(self, Site(bound, kinds or {}))

    def written_out(self, site: Site) -> Expr:
        """This call over its formal parameters, without `out=`."""
        return spelled.call(self, site, {p.name: Name(p.name) for p in self.params}, {"out"})

    def _texts(self, spec: Spec | ItemSpec | None, name: str, site: Site) -> tuple[str, ...]:
        found: Text
        if not callable(spec):
            found = spec
        elif not self.param(name.partition("[")[0]).sequence:
            found = spec(site)  # type: ignore[call-arg]  # a parameter that is no sequence has a Spec
        else:
            path = path_of(name)
            nested = self.param(name.partition("[")[0]).nested
            place = path if nested else path[0] if path else -1
            found = spec(site,
                place)  # type: ignore[call-arg, arg-type]  # a sequence has an ItemSpec
        if found is None:
            return ()
        return found if isinstance(found, tuple) else (found,)

    def _parse(self, text: str) -> Expr:
        names = frozenset(p.name for p in self.params)
        return parse(str(text), names, frozenset(p.name for p in self.params if p.sequence))

    def _of_arrays(self, expr: Expr, site: Site) -> Expr:
        """A formula with arrays in the place of lists and tuples that the primitive makes arrays
        of: its numbers, that is; an axis or a shape remains what it is."""
        if not self.of_arrays:
            return expr
        differ = {*self.active_params, *self.without}
        numbers = {p.name: p for p in self.params if p.name in differ and not p.nested}
        listed = frozenset(
            n for n in names_in(expr)
            if (p := numbers.get(n.partition("[")[0])) is not None
            and ("[" in n or not p.sequence) and site.is_listed(n)
        )  # fmt: skip
        return in_arithmetic(expr, listed) if listed else expr

    def _formula(self, text: str, site: Site) -> Formula:
        expr = self._of_arrays(self._parse(text), site)
        each = self.form == "elementwise" or isinstance(text, Each)
        if each and "y_bar" not in names_in(expr):
            expr = contribution(Name("y_bar"), expr)
        several = len(self.active_params) > 1 or bool(self.inert_ok) or bool(self.without)
        several = several or any(p.sequence for p in self.params)
        expr = refine(expr, site.kinds)
        return make(expr, elementwise=each and several, thin=isinstance(text, Thin))


def _added(left: Expr, right: Expr) -> Expr:
    """The sum of two contributions, as a person would write it."""
    if isinstance(right, E.Unary) and right.op == "-":
        return E.Binary("-", left, right.operand)
    return E.Binary("+", left, right)


def _is_zero(e: Expr) -> bool:
    """Whether a contribution is written as zero."""
    zeros = isinstance(e, E.Call) and isinstance(e.fn, Ref) and e.fn.text == "np.zeros_like"
    return zeros or e == Const(0.0)


def _key(param: Param) -> str:
    return param if isinstance(param, str) else item(*param)
